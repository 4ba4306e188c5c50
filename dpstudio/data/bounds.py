"""Which bound on the rows of each person suits a count, at the ε that a person shall have."""

from __future__ import annotations

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Fact, Series, Table
from dpstudio.core.sources import AKMV19
from dpstudio.data.counting import Count
from dpstudio.models.contributions import NOISES, Bounded, Spread, bounded, every_bound, rule
from dpstudio.records import cached_property, dataclass
from dpstudio.text.sentences import grouped, safely, significant
from dpstudio.vocabulary import reals

LAPLACE, GEOMETRIC, GAUSSIAN = (Series(key, label) for key, label in (
    ("laplace", "Laplace"), ("geometric", "Geometric"), ("gaussian", "Gaussian")))
FEW = 9
"""Bounds that stand side by side."""
LONGEST = 1000
"""Bounds in a table."""
EPSILONS, DELTAS = reals(1e-6, 20), reals(1e-15, 0.5)
"""Of one person."""


@dataclass(frozen=True)
class Bounds:
    """The qualifying rows of a count under every bound, with noise for ε of one person."""

    rows: Spread
    epsilon: float
    delta: float = 0.0
    """Without δ there is no Gaussian noise."""

    @property
    def series(self) -> tuple[Series, ...]:
        return tuple(one for one in (LAPLACE, GEOMETRIC, GAUSSIAN) if self.delta or not NOISES[one.key].needs_delta)

    def of(self, series: Series = LAPLACE, at: tuple[int, ...] = ()) -> Bounded:
        """What all bounds come to under one noise, or some of them."""
        return bounded(self.rows, series.key, self.epsilon, self.delta, at or every_bound(self.rows))

    def best_by(self, series: Series) -> int:
        """The bound of least error (sd)."""
        found = self.of(series)
        return int(found.bound[found.best])

    @cached_property
    def best(self) -> int:
        """The same by Laplace noise, found once however many rows somebody has."""
        return self.best_by(LAPLACE)

    def spaced(self, number: int, *among: int) -> tuple[int, ...]:
        """So many bounds at most, from 1 to the most rows in steps that grow, with these and the best among them."""
        every, kept = every_bound(self.rows), {self.best, *among}
        if len(every) > number:
            every = np.rint(np.geomspace(1, every[-1], max(number - len(kept), 2)))
        return tuple(sorted({int(bound) for bound in every} | kept))


def bounds_of(counted: Count, epsilon: float, delta: float = 0.0) -> Bounds | None:
    """The bounds that a count leaves a choice of: None without persons, and where none has a second row."""
    people = counted.people
    return None if people is None or people.qualifying.most < 2 else Bounds(people.qualifying, epsilon, delta)


def facts(bounds: Bounds, at_most: int | None) -> tuple[Fact, ...]:
    """The best bound by every noise, and what the chosen one comes to."""
    at = f"ε = {significant(bounds.epsilon)} for a person"
    found = [Fact(v.BEST_BOUND, bounds.best_by(one), one, how=f"the b of least √(lost² + sd²), {at}", source=AKMV19)
             for one in bounds.series]
    found.append(Fact(v.RULE_BOUND, rule(bounds.rows, bounds.epsilon), LAPLACE, source=AKMV19,
                      how=f"the smallest b with at most 1/ε persons above it, {at}"))
    if at_most is not None:
        found.append(Fact(v.ROWS_LOST, float(bounds.rows.lost(at_most)), how=f"Σ (rows − {at_most})⁺ over the persons"))
        found += [Fact(v.COUNT_ERROR, float(bounds.of(one, (at_most,)).typical[0]), one, source=AKMV19,
                       how=f"√(lost² + sd²), b = {at_most}, {at}") for one in bounds.series]
    return tuple(found)


def bounds_table(bounds: Bounds, at_most: int | None) -> Table:
    """Rows lost, noise and errors at every bound, or at many of them."""
    at = bounds.spaced(LONGEST, *(() if at_most is None else (at_most,)))
    columns = {Column(v.ROWS_BOUND): np.array(at, dtype=np.float64), Column(v.ROWS_LOST): bounds.rows.lost(at)}
    for one in bounds.series:
        found = bounds.of(one, at)
        columns |= {Column(v.COUNT_NOISE, one): found.noise, Column(v.COUNT_ERROR, one): found.typical,
                    Column(v.COUNT_MEAN_ERROR, one): found.mean}
    return Table(columns)


def sentence(bounds: Bounds, at_most: int | None) -> str:
    """The best bound and what it comes to, beside the chosen one or all rows."""
    best = bounds.best
    warning = "Which bound is best is read from the data: to choose by it is a release, too."
    if at_most == 1:  # whoever has a row is counted once: a row more of theirs is nothing lost
        persons, rows = (float(error) for error in (bounds.of(at=(1,)).noise[0], bounds.of(at=(best,)).typical[0]))
        return (f"With one row of each this counts persons, of whom none is lost: at ε = {significant(bounds.epsilon)} "
                f"for a person the count has an error (sd) of {safely(persons)} with Laplace noise. As a count of rows "
                f"at most {grouped(best)} of each would be best, with an error of {safely(rows)} rows. {warning}")
    own = bounds.rows.most if at_most is None else at_most
    there, here = (float(error) for error in bounds.of(at=(best, own)).typical)
    told = (f"So that ε = {significant(bounds.epsilon)} holds for a person, noise must hide all their rows. With at "
            f"most {grouped(best)} of each, which is best here, the count has an error (sd) of {safely(there)} rows "
            "with Laplace noise")
    if own != best:
        lost = float(bounds.rows.lost(own))
        told += (f"; with at most {grouped(own)} it is {safely(here)}, as {grouped(lost)} are lost" if lost else
                 f"; with all rows, {grouped(own)} of one person at most, it is {safely(here)}")
    return f"{told}. {warning}"
