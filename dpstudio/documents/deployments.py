"""Deployments in use as a list: each with its unit of privacy, and where it is marked, or why it is not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from dpstudio.core.attacker import EVEN_ODDS, Attacker, or_even_odds
from dpstudio.core.deployments import SPENT, Deployment, deployments, registry, why_not
from dpstudio.core.figure import Figure
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.risk import Risk, of_so_many
from dpstudio.core.sources import DR14
from dpstudio.core.study import Study
from dpstudio.documents.rows import tabbed
from dpstudio.mechanisms.deployed import law, why_no_law
from dpstudio.records import dataclass
from dpstudio.studies import all_studies
from dpstudio.text.numbers import exact, plain, powered

COLUMNS = ("Deployment", "Year", "ε", "δ", "Unit of privacy", "Noise", "Right guesses", "Marked here?", "Source")
NAME, YEAR, EPSILON, DELTA, UNIT, MODEL, RISK, HERE, SOURCE = range(len(COLUMNS))
NO_AXIS = "No picture of this study is over the ε of a guarantee."
ALL_ALIKE = "No study has a picture over an ε for this unit of privacy."
MARKED = "Yes: on "


@dataclass(frozen=True, slots=True)
class ListedDeployment:
    """A deployment, and where it is marked in a study."""

    one: Deployment
    here: str
    """On which pictures, or why on none."""
    success: float | None
    """The share of right guesses about one unit of the attacker that is feared, at most; None where nothing says it."""

    @property
    def marked(self) -> bool:
        return self.here.startswith(MARKED)

    @property
    def cells(self) -> tuple[str, ...]:
        """What its row says, a text for each column."""
        one = self.one
        spent = (plain(one.epsilon) if one.epsilon is not None else "–" if one.rho is None else
                 f"ρ = {plain(one.rho)}")
        delta = ("–" if one.epsilon is None or one.delta is None else
                 one.delta if isinstance(one.delta, str) else powered(plain(one.delta)))
        return one.title, str(one.year), spent, delta, one.whose, one.model, self.risk, self.here, one.where_from

    @property
    def risk(self) -> str:
        """How many guesses of how many are right, at most; or why nobody can say."""
        if self.success is None:
            return why_no_law(self.one)
        return f"≤ {of_so_many(self.success)}"

    @property
    def words(self) -> str:
        """What it is found by: all but why it is not marked, which tells of another unit."""
        one = self.one
        return " ".join((one.name, *self.cells[:HERE], "marked" if self.marked else "", self.cells[SOURCE],
                         *one.curators, one.what, one.product, one.variant))

    @property
    def rank(self) -> tuple[Any, ...]:
        """What each column is ordered by: numbers as numbers."""
        name, year, _, _, unit, model, risk, here, source = (each.casefold() for each in self.cells)
        delta = self.one.delta if isinstance(self.one.delta, float) and self.one.epsilon is not None else 2.0
        return name, year, (*self.one.rank, name), (delta, name), unit, model, (
            2.0 if self.success is None else self.success, risk), (not self.marked, here), source


def over_epsilon(study: Study) -> tuple[Figure, ...]:
    """The pictures of a study whose axis is the ε of a guarantee."""
    return tuple(figure for figure in study.figures if figure.x.quantity in SPENT)


def listed(study: Study, promises: Sequence[Guarantee]) -> tuple[ListedDeployment, ...]:
    """All deployments, beside a study that promises this and faces an attacker."""
    figures = over_epsilon(study)
    return tuple(ListedDeployment(one, _here(one, figures, promises), success(one, study)) for one in deployments())


def success(one: Deployment, feared: Attacker) -> float | None:
    """What an attacker comes to of one unit of a deployment, at most: whoever guesses at even odds where nobody is
    feared; None where its numbers say nothing of anybody."""
    found = law(one)
    if found is None:
        return None
    return Risk(or_even_odds(feared), Guarantee(RECORD, found.epsilon, found.delta, found, DR14, "bound")).success.value


def _here(one: Deployment, figures: Sequence[Figure], promises: Sequence[Guarantee]) -> str:
    if not figures:
        return NO_AXIS
    reasons = {figure.title: why_not(one, promises, figure.x) for figure in figures}
    on = [f"“{title}”" for title, reason in reasons.items() if not reason]
    return MARKED + ", ".join(on) if on else next(iter(reasons.values()))


@cache
def _everywhere() -> Mapping[str, tuple[ListedDeployment, ...]]:
    """By key of a study, at its defaults."""
    studies = (kind() for kind in all_studies().values())
    return {study.key: listed(study, tuple(study.answer().guarantees.values())) for study in studies}


def marked_in(one: Deployment) -> tuple[str, ...]:
    """The keys of the studies that mark a deployment at their defaults."""
    return tuple(key for key, rows in _everywhere().items() if any(row.one is one and row.marked for row in rows))


def origin() -> str:
    """Where the list is from, in one sentence."""
    found = registry()
    return (f"{len(deployments())} entries of the Differential Privacy Deployments Registry by OpenDP (MIT licence), "
            f"as of {found['date']}.")


def copied(rows: Iterable[ListedDeployment]) -> str:
    """Rows as a table for other programs, at full precision and with every address."""
    made = [[*COLUMNS, "Addresses"]]
    for row in rows:
        cells = list(row.cells)
        if row.one.epsilon is not None:
            cells[EPSILON] = exact(row.one.epsilon)
            cells[DELTA] = exact(row.one.delta) if isinstance(row.one.delta, float) else cells[DELTA]
        made.append([*cells, " ".join(row.one.links)])
    return tabbed(made)


def paragraphs(feared: Attacker = EVEN_ODDS) -> Iterator[str]:
    """What a terminal shows: of each deployment all that a mark says, the risk, where it is marked and from where."""
    yield origin()
    for one in deployments():
        where, share = marked_in(one), success(one, feared)
        risk = f"No risk is known: {why_no_law(one)}." if share is None else (
            f"An attacker is right in {of_so_many(share)} guesses at most.")
        told = f"Marked in: {', '.join(where)}." if where else f"Not marked: {_nowhere(one)}"
        yield "\n".join((f"{one.says} {risk} {told}", *one.links[:1]))


def _nowhere(one: Deployment) -> str:
    """Why no study marks it."""
    found = {why_not(one, tuple(kind().answer().guarantees.values()), figure.x)
             for kind in all_studies().values() for figure in over_epsilon(kind())}
    return found.pop() if len(found) == 1 else ALL_ALIKE


def json_text(feared: Attacker = EVEN_ODDS) -> str:
    """All that is known, as one JSON object."""
    made = {each: registry()[each] for each in ("registry", "commit", "date", "licence")}
    rows = []
    for one in deployments():
        source = {"source": one.source.reference if one.source else None}
        why = {key: row.here for key, listing in _everywhere().items() for row in listing
               if row.one is one and not row.marked}
        made_of = {"risk_success": success(one, feared), "marked_in": marked_in(one), "why_not": why}
        rows.append(asdict(one) | source | made_of)
    return json.dumps(made | {"deployments": rows}, ensure_ascii=False, indent=1, allow_nan=False)
