"""Differential privacy in use, as its registry has it: what is released, what it spends, and what that is for.

A larger ε here is not less privacy than a smaller one there: one holds for all that a person ever did, another for one
of their days or of their clicks. So an ε is marked on an axis only where one unit of privacy is alike; `why_not` says
what keeps another from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.confirmed import CONFIRMED, Confirmed
from dpstudio.core.figure import Axis
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.resources import resource
from dpstudio.core.sources import Source
from dpstudio.core.units import MODELS, Model, Period, Unit, protected
from dpstudio.records import dataclass
from dpstudio.text.numbers import plain, powered
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Quantity

DATA = "deployments/deployments.json"
PURE, APPROXIMATE, CONCENTRATED = "Pure DP", "Approximate DP", "Zero-concentrated DP"
"""Variants, as the registry calls them, whose ε is that of an (ε, δ)."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One release or collection that is in use, or was."""

    slug: str
    """Of its entry in the registry."""
    name: str
    """Short, for a mark on an axis, where it has such a name."""
    title: str
    curators: tuple[str, ...]
    date: str
    """When it was published, first: 2020-06-06."""
    what: str
    """What is released, in words of the entry."""
    product: str
    epsilon: float | None
    delta: float | str | None
    """0 for pure differential privacy; a formula as it is stated; None where an ε needs one and none is stated."""
    rho: float | None
    unit: Unit
    period: Period
    whose: str
    """What the guarantee is for: one unit of privacy."""
    model: Model
    variant: str
    """As the registry calls it; empty where it is not said."""
    release: str
    access: str
    caveat: str
    """What there is to mind, as it was confirmed; else empty."""
    remarks: tuple[str, ...]
    """What its entry says of the unit, of what is spent, of what is not protected, and besides."""
    links: tuple[str, ...]
    source: Source | None
    """The work in which it was confirmed; None where the registry alone is known."""
    tier: int
    status: str

    @property
    def year(self) -> int:
        return int(self.date[:4])

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """By what it stands among others: its ε, else its ρ."""
        if self.epsilon is not None:
            return False, False, self.epsilon
        return True, self.rho is None, self.rho or 0.0

    @property
    def spent(self) -> str:
        """What it spends, as it is stated: “ε = 34.9, δ = 7 × 10⁻⁹”."""
        if self.epsilon is None:
            return f"ρ = {plain(self.rho)}" if self.rho is not None else "no ε stated"
        delta = ("δ not stated" if self.delta is None else f"δ = {self.delta}" if isinstance(self.delta, str) else
                 f"δ = {powered(plain(self.delta))}" if self.delta else "without δ")
        return f"ε = {plain(self.epsilon)}, {delta}"

    @property
    def where_from(self) -> str:
        """The work that says it, or whose pages the entry names first."""
        return self.source.key if self.source else self.links[0].split("/")[2] if self.links else "the registry"

    @property
    def says(self) -> str:
        """All that a mark says, in a few sentences."""
        caveat = f" {self.caveat}" if self.caveat else ""
        return (f"{self.title}, {', '.join(self.curators)} ({self.year}): {self.spent}. Unit of privacy: {self.whose}; "
                f"{MODELS[self.model]}.{caveat} Source: {self.where_from}.")


@cache
def registry() -> dict[str, Any]:
    """The file, with what it was made from: `registry`, `commit`, `date` and `licence`."""
    found: dict[str, Any] = json.loads(resource(DATA).read_text("utf-8"))
    return found


@cache
def deployments() -> tuple[Deployment, ...]:
    """All of them: the smallest ε first, then ρ, then those without; the file is read when they are first asked for."""
    made = (_deployment(each, CONFIRMED.get(each["slug"])) for each in registry()["deployments"])
    return tuple(sorted(made, key=lambda one: (*one.rank, one.title)))


def _deployment(entry: dict[str, Any], known: Confirmed | None) -> Deployment:
    """An entry of the file, with what is known besides."""
    known = known or Confirmed("")
    unit, period = known.unit or (entry["unit"], entry["period"])
    epsilon, delta = known.spent or (entry["epsilon"], entry["delta"])
    if delta is None and epsilon is not None and entry["variant"] == PURE:
        delta = 0.0
    remarks = (entry["unit_details"], entry["spent"],
               entry["unprotected"] and f"Unprotected quantities: {entry['unprotected']}", entry["notes"])
    words = entry["unit_words"]
    return Deployment(
        entry["slug"], known.name or entry["name"], entry["name"], tuple(entry["curators"]), entry["date"],
        entry["what"], entry["product"], epsilon, delta, entry["rho"], unit, period,
        known.whose or protected(unit, period) + (f" (“{words}”)" if words else ""), entry["model"], entry["variant"],
        entry["release"], entry["access"], known.caveat, tuple(each for each in remarks if each),
        tuple(entry["links"]), known.source, entry["tier"], entry["status"])


SPENT: frozenset[Quantity] = frozenset((
    v.EPSILON, v.GUARANTEE_EPSILON, v.PERSON_EPSILON, v.TOTAL_EPSILON, v.BUDGET))
"""The quantities that are the ε of a guarantee: neither ε′ of a privacy profile, which a reader chooses, nor the ε of
one of several counts of the same people."""


def stated(one: Deployment) -> tuple[float, float] | None:
    """The ε and δ of a deployment, where it states both as numbers and means by them what a guarantee does.

    A ρ is not turned into an ε: which one depends on a δ that nobody stated, and bounds are all that it gives.
    """
    means = one.variant in (PURE, APPROXIMATE, CONCENTRATED)
    if means and one.epsilon is not None and isinstance(one.delta, float):
        return one.epsilon, one.delta
    return None


def why_not(one: Deployment, promises: Iterable[Guarantee], axis: Axis) -> str:
    """Why the ε of a deployment is not marked on an axis, in one sentence; empty where it is.

    `promises` are the guarantees whose ε stands on the axis. All must protect the unit that the deployment does, for
    all time, and one must have its noise added where the deployment has.
    """
    promises = tuple(promises)
    if axis.quantity not in SPENT:
        return f"The axis, {axis.quantity.label}, is not the ε of a guarantee."
    if not promises:
        return "Nothing is guaranteed here."
    if stated(one) is None:
        return _unstated(one)
    units, models = {each.relation.unit for each in promises}, {each.model for each in promises}
    if {each.relation.kind for each in promises} != {one.unit} or one.period:
        here = units.pop() if len(units) == 1 else "not the same for all curves"
        return f"Its unit of privacy is {one.whose}; here it is {here}."
    if one.model not in models:
        here = MODELS[models.pop()] if len(models) == 1 else "nothing does so"
        return f"{begun(MODELS[one.model])} there; here {here}."
    return ""


def _unstated(one: Deployment) -> str:
    """Why a deployment has no (ε, δ)."""
    if one.epsilon is None:
        return ("It states no ε." if one.rho is None else
                f"It states ρ = {plain(one.rho)}; an ε that follows from it is a bound, at a δ that is not stated.")
    if one.variant not in (PURE, APPROXIMATE, CONCENTRATED):
        return f"Its ε is of another kind of privacy: {one.variant or 'which, is not said'}."
    return "It states an ε without its δ." if one.delta is None else f"Its δ is a formula: {one.delta}."


def deployed(promises: Iterable[Guarantee], axis: Axis) -> tuple[Deployment, ...]:
    """What can be marked on an axis."""
    promises = tuple(promises)
    return tuple(one for one in deployments() if not why_not(one, promises, axis)) if axis.quantity in SPENT else ()
