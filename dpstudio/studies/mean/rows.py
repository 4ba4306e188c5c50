"""Several rows a person: the mean number of yes rows, of which at most b of each person count.

With one row each that mean is the fraction. One person, whose rows all change, moves the kept rows by b at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Tabled, once, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sources import AKMV19
from dpstudio.models.contributions import Bounded, Spread, bounded, rule
from dpstudio.studies import mean as f
from dpstudio.studies.kit.tables import within

MeanAnswer: TypeAlias = Answer[f.Mean, Any, Any]

RAND_ROWS = Spread({1: 35, 2: 23, 3: 451, 4: 7, 5: 185})
"""Persons of the RAND table by their rows with a physical limitation, those with none left out."""
_EVERY = np.arange(1.0, f.MOST_ROWS + 1)
POINTS = 160
REACH, LEAST = 2.5, 10.0
"""Times the best bound, and rows at least, that the picture shows."""


def several(study: f.Mean) -> bool:
    """Whether a person may have more than one row."""
    return most(study) > 1


def most(study: f.Mean) -> int:
    """The largest number of rows that a person may have."""
    return {"one": 1, "rand": RAND_ROWS.most}.get(study.rows_law, study.most_rows)


def spread_of(study: f.Mean) -> Spread:
    """The persons with a yes by their number of rows, whole persons."""
    return _spread(round(study.fraction * study.people), study.rows_law, study.rows_exponent, most(study))


@lru_cache(maxsize=8)
def _spread(persons: int, law: str, exponent: float, largest: int) -> Spread:
    rows = np.arange(1, largest + 1)
    shares = np.array([RAND_ROWS.persons[r] for r in rows.tolist()]) if law == "rand" else rows ** -float(exponent)
    # Persons with at least so many rows, rounded: none is lost, and none is there twice.
    beyond = np.rint(persons * (np.cumsum(shares[::-1])[::-1] / shares.sum()))
    each = beyond - np.append(beyond[1:], 0.0)
    return Spread({int(r): int(number) for r, number in zip(rows, each, strict=True) if number})


def _bounded(a: MeanAnswer, series: Series) -> Bounded:
    """The count of rows at every bound, with the noise of a series; an answer keeps it."""
    key = ("rows", series.key)
    if key not in a.kept:
        study = a.study
        a.kept[key] = bounded(spread_of(study), series.key, study.epsilon, study.delta, _EVERY)
    return a.kept[key]  # type: ignore[no-any-return]


# Facts

def _has_several(a: MeanAnswer) -> bool:
    return several(a.study)


def _one(quantity: v.Quantity, series: Series, make: Callable[[MeanAnswer, Bounded], float], how: str
         ) -> Declaration[MeanAnswer, Any, Any]:
    """A fact of one noise, where a person may have several rows."""
    return once(quantity, lambda a: make(a, _bounded(a, series)), how, AKMV19, series=series, when=_has_several)


def _each(quantity: v.Quantity, make: Callable[[MeanAnswer, Bounded], float], how: str
          ) -> tuple[Declaration[MeanAnswer, Any, Any], ...]:
    return tuple(_one(quantity, series, make, how) for series in f.BOUNDED)


def _error(a: MeanAnswer, found: Bounded, bound: int) -> float:
    return float(found.typical[bound - 1] / a.study.people)


BEST = _each(v.BEST_BOUND, lambda _, found: float(found.bound[found.best]),
             "the b of least √(B(b)² + sd(b)²), of 1 to the most rows; read from the data")
ERRORS: tuple[Declaration[MeanAnswer, Any, Any], ...] = (
    *_each(v.BOUND_ERROR, lambda a, found: _error(a, found, a.study.at_most),
           "√(B(b)² + sd(b)²)/n, b = {at_most}, ε = {epsilon}, n = {people}"),
    *_each(v.BEST_BOUND_ERROR, lambda a, found: float(found.typical[found.best] / a.study.people),
           "√(B(b)² + sd(b)²)/n at the best b, ε = {epsilon}, n = {people}"),
    *_each(v.UNBOUNDED_ERROR, lambda a, found: _error(a, found, most(a.study)),
           "sd of noise for the most rows a person may have, over n"),
    once(v.BOUND_BIAS, lambda a: float(spread_of(a.study).lost(a.study.at_most)) / a.study.people,
         "B(b)/n, B(b) = Σ (rows − b)⁺ over the persons, b = {at_most}", AKMV19, when=_has_several),
)
RULE: Declaration[MeanAnswer, Any, Any] = once(
    v.RULE_BOUND, lambda a: rule(spread_of(a.study), a.study.epsilon),
    "the smallest b with at most 1/ε persons above it, ε = {epsilon}", AKMV19, series=f.LAPLACE, when=_has_several)


# The table

def _view(a: MeanAnswer) -> Span:
    """As far as there are rows, or a few times the best bound."""
    if not several(a.study):
        return 1.0, 2.0
    best = float(max(each.bound[each.best] for each in (_bounded(a, series) for series in f.BOUNDED)))
    return 1.0, max(min(float(most(a.study)), max(REACH * best, LEAST)), a.study.at_most + 1.0)


def _bounds_table(a: MeanAnswer, view: Span) -> Table:
    """Errors at whole bounds, those of today and the best among them; nothing where everybody has one row."""
    if not several(a.study):
        return Table({f.X_BOUND: np.empty(0)})
    found = {series: _bounded(a, series) for series in f.BOUNDED}
    low, high = within(view, 1.0, float(f.MOST_ROWS))
    kept = [a.study.at_most, *(each.bound[each.best] for each in found.values())]
    bound = np.unique(np.rint([*np.linspace(low, high, POINTS), *(b for b in kept if low <= b <= high)]))
    at = bound.astype(np.intp) - 1
    columns: dict[Column, Array] = {f.X_BOUND: bound}
    for series, each in found.items():
        columns |= {Column(quantity, series): values / a.study.people for quantity, values in (
            (v.BOUND_ERROR, each.typical[at]), (v.BOUND_NOISE, each.noise[at]))}
        columns[Column(v.BEST_BOUND, series)] = np.full(len(bound), each.bound[each.best])
        columns[Column(v.BEST_BOUND_ERROR, series)] = np.full(len(bound), each.typical[each.best] / a.study.people)
    columns[Column(v.BOUND_BIAS)] = found[f.LAPLACE].lost[at] / a.study.people
    return Table(columns)


TABLES: Mapping[str, Tabled[MeanAnswer, Any]] = {f.BOUNDS_TABLE: table(_bounds_table, _view)}
