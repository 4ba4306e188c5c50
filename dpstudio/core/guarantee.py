"""A guarantee: what a release promises, to whom, and all that follows from it.

    Guarantee(RECORD, 0.1, 1e-6, law, BW18, mu=0.03)

Its law is the mechanism on its worst pair of neighbours, or a record of what was done with one (`mechanisms.laws`). The
promise in words, the table of guarantees, the risk of a person, every axis of privacy, the claim of an audit and the
header of code that is handed over are made from this object alone.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy.typing as npt

from dpstudio.core import attack
from dpstudio.core import law as laws
from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array
from dpstudio.core.law import ROOM as ROOM
from dpstudio.core.law import Law as Law
from dpstudio.core.law import PrivacyProfile as PrivacyProfile
from dpstudio.core.law import smallest_epsilon as smallest_epsilon
from dpstudio.core.results import Kind
from dpstudio.core.sources import Source
from dpstudio.core.units import Model, Unit
from dpstudio.records import cached_property, dataclass
from dpstudio.text.sentences import safely
from dpstudio.vocabulary import DELTA

MOST_GUESSES = 10**12
"""Of a risk that is smaller than one in so many guesses no digits are said."""
NO_GUARANTEE = "No guarantee holds at these settings"
Swap: TypeAlias = Literal["", "two", "any"]


@dataclass(frozen=True, slots=True)
class Relation:
    """Who is a neighbour of whom: the unit of privacy, and what changes of it."""

    key: str
    who: str
    """What changes, as the subject of a sentence: “One record more or less”."""
    what: str
    """What an attacker would find out: “whether one record is in the data”."""
    unit: str
    """What is protected: “one record of one person”."""
    sentence: str
    """“neighbours differ by one record of one person, added or removed”."""
    swap: Swap = ""
    """Which values of one unit are neighbours of each other; of none: each is one of its absence."""
    kind: Unit = ""
    """What that unit is among those of deployments in use; empty where it is none of them."""


RECORD = Relation("record", "One record more or less", "whether one record is in the data", "one record of one person",
                  "neighbours differ by one record of one person, added or removed", kind="record")
REPLACED = Relation("replaced", "One record replaced by another", "which of two records is in the data",
                    "one record of one person", "neighbours differ by one record of one person, replaced by another",
                    swap="any", kind="record")
TRUTH = Relation("truth", "The other truth of one person", "what one person’s true answer is", "one person’s answer",
                 "neighbours differ in the truth of one person, who answers once", swap="two", kind="event")
COUNTED = Relation("counted", "The other truth of one person", "whether one person’s true answer is yes",
                   "one person’s yes or no", "neighbours differ in the yes or no of one person; the number of people "
                   "is public", swap="two", kind="event")


def rows_of(most: int, replaced: bool = False) -> Relation:
    """All rows of one person, who has so many at most, more or less or replaced by another; one record, where that is
    one."""
    if most == 1:
        return REPLACED if replaced else RECORD
    return (_replaced if replaced else _person)("rows", f"with {most} rows at most")


def groups_of(most: int, rows: int = 1, replaced: bool = False) -> Relation:
    """One person, who may be in so many groups with so many rows in each, more or less or replaced by another; one
    record, where both are one."""
    if most == rows == 1:
        return REPLACED if replaced else RECORD
    groups = "in 1 group" if most == 1 else f"in {most} groups at most"
    which = groups if rows == 1 else f"{groups}, with {rows} rows at most in each"
    return (_replaced if replaced else _person)("groups", which)


def _person(key: str, which: str) -> Relation:
    return Relation(key, "One person more or less", "whether one person is in the data", f"one person {which}",
                    f"neighbours differ by one person {which}, added or removed", kind="person")


def _replaced(key: str, which: str) -> Relation:
    return Relation(f"{key}_replaced", "One person replaced by another", "which of two persons is in the data",
                    f"one person {which}", f"neighbours differ by one person {which}, replaced by another", swap="any",
                    kind="person")


@dataclass(frozen=True)
class Guarantee:
    """What one release promises under one relation.

    ε and δ are what is claimed: ε = ∞ promises nothing. What the law says at that ε is at most δ. Where `kind` is
    “bound” no pair of neighbours may need what the law says.
    """

    relation: Relation
    epsilon: float
    delta: float
    law: Law
    source: Source
    kind: Kind = "exact"
    mu: float | None = None
    """The Gaussian differential privacy that is promised, where it is."""
    rho: float | None = None
    """The zero-concentrated differential privacy that is promised, where it is."""
    holds: str = ""
    """While what it holds: “while the shuffler is honest”; empty where it holds unconditionally."""
    model: Model = "central"
    """Where the noise is added, and so whom people must trust."""

    # Numbers

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε′): the smallest δ at each ε ≥ 0, of any shape, or a bound on it."""
        return self.law.delta_at(epsilon)

    def epsilon_at(self, delta: float) -> float:
        """ε(δ): the smallest ε at which the law needs no more than δ in [0, 1], to 1e-12 and not below; ∞ where none.

        Of a bound at its own δ, the ε that is claimed.

        δ is allowed its own rounding, for a law at its own ε may be off by an ulp.
        """
        allowed = parameter_value(DELTA, delta, "delta")
        if self.kind == "bound" and allowed == self.delta:
            return self.epsilon  # a law that is a bound itself may need less; it is not looked for
        closed = getattr(self.law, "epsilon_at", None)
        if closed is not None:
            return float(closed(allowed))
        return smallest_epsilon(self.law, allowed * (1 + ROOM), self.epsilon)

    def keeps(self, epsilon: float, delta: float) -> bool:
        """Whether it holds at that ε with no more than that δ."""
        if self.epsilon <= epsilon and self.delta <= delta:
            return True
        return math.isfinite(epsilon) and float(self.delta_at(epsilon)) <= delta * (1 + ROOM)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α): the smallest type II error of any test at each type I error α, or a bound from below.

        [Dong, Roth & Su 2022, Definition 2.1.]
        """
        return self.law.trade_off(alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 − T(α): the largest chance of being found at each type I error α, or a bound from above."""
        return laws.power(self.law, alpha)

    @property
    def both_ways(self) -> bool:
        """Whether the law is the same both ways."""
        return laws.same_both_ways(self.law)

    @property
    def largest_loss(self) -> float:
        """The largest privacy loss that the law allows, ∞ where it needs a δ at every ε."""
        return laws.largest_loss(self.law)

    def after(self, k: int) -> Law | None:
        """The law of k such releases, where it is known."""
        return laws.after(self.law, k)

    def grouped(self, size: int) -> Law | None:
        """The law for so many records, where it is known."""
        return laws.grouped(self.law, size)

    def success(self, baseline: npt.ArrayLike) -> float | Array:
        """1 − T(b): the most that the success of any attack comes to that succeeds by chance with b in (0, 1).

        Also the probability of being found at false alarms b. Of any shape.
        """
        return attack.success(self, baseline)

    def guess(self, prior: npt.ArrayLike) -> float | Array:
        """The best share of right guesses at which of two neighbours it is, where one has the prior in (0, 1).

        max(p, 1 − p) + min(p, 1 − p) δ(|ln p/(1 − p)|), attained by the best test; at ½ it is (1 + δ(0))/2.
        """
        return attack.membership(self, prior)

    @cached_property
    def advantage(self) -> float:
        """δ(0): the largest 1 − α − β of any test."""
        return attack.advantage(self)

    # Words

    @property
    def nothing(self) -> bool:
        """Whether it promises nothing."""
        return self.epsilon == math.inf or self.delta >= 1

    @property
    def promise(self) -> str:
        """What is promised, in one sentence whose numbers are rounded up, and while what it holds."""
        who = self.relation.who
        if self.nothing:
            return "Nothing is promised."
        if self.mu is not None:
            who = (f"{who} moves what is seen no further than μ = {safely(self.mu)} moves a draw from a standard "
                   "normal distribution, and")
        elif self.rho is not None:
            who = f"{who} costs at most ρ = {safely(self.rho)} of zero-concentrated differential privacy, and"
        rest = f" plus {safely(self.delta)}" if self.delta else ""
        held = f" That holds {self.holds}." if self.holds else ""
        return (f"{who} raises the probability of no set of outcomes above e^{safely(self.epsilon)} times its former "
                f"value{rest}.{held}")
