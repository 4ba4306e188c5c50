"""The answer of the plan study: what all releases cost, how the total is split, and what is left of the budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, each, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sources import BS16, DERIVED, DMNS06, DR14, DRS22
from dpstudio.studies import plan as f
from dpstudio.studies.kit.attack import (
    ADVANTAGE_FACTS,
    ATTACK_TABLE,
    PROFILE_TABLE,
    attack_table,
    attacked,
    profile_table,
)
from dpstudio.studies.kit.tables import curves
from dpstudio.studies.plan.compared import Compared, gaussian, mixed, pure
from dpstudio.studies.plan.wanted import domain

FACTORS, YEARS = 13, 10
"""Places at which a curve is computed: each is a law of its own."""


class PlanAnswer(Answer[f.Plan, Compared, None]):
    """All that is known of a plan at one setting."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the releases are called, in their order; those without a name by their number."""
        return tuple(record.name for record in domain().records_of(self.study.releases))


# What is compared

COMPARED: tuple[Entry[PlanAnswer, Compared], ...] = (
    Entry(f.PURE, lambda a: pure(a.study), DMNS06),
    Entry(f.GAUSSIAN, lambda a: gaussian(a.study), DRS22),
    Entry(f.MIXED, lambda a: mixed(a.study), DERIVED),
)


# Facts

def _by(one: Compared, value: float) -> Said:
    """As sure as the law is."""
    return Said(value, kind=one.kind)


def _least(one: Compared) -> Said | None:
    return _by(one, one.least) if math.isfinite(one.least) else None


def _left(one: Compared) -> Said | None:
    return _by(one, one.asked.budget - one.least) if math.isfinite(one.least) else None


def _left_within(one: Compared) -> Said | None:
    return None if one.left is None else _by(one, one.left)


def _about_errors(one: Compared, strengths: Array, said: Callable[[float], float]) -> Said:
    """What is said of the worst error over want at these strengths, as sure as all errors are."""
    value, kind = said(float(one.over_wants(strengths).max())), one.errors_kind
    if kind != "estimate":
        return Said(value, kind=kind)
    low, high = sorted(map(said, one.over_wants_ends(strengths)))
    return Said(value, kind=kind, low=low, high=high)


def _met(one: Compared) -> Said:
    return _about_errors(one, one.strengths, lambda worst: float(worst <= 1 + 1e-9))


def _worst(one: Compared) -> Said | None:
    return _about_errors(one, one.strengths, float) if one.noises else None


def _even(one: Compared) -> Said | None:
    return None if one.even is None else _about_errors(one, one.even, float)


def _years(one: Compared) -> Said | None:
    if not one.noises:
        return None
    found = one.most_years
    return Said(found.years, kind="bound" if found.is_bound else "exact")


FACTS: Mapping[str, tuple[Declaration[PlanAnswer, Compared, None], ...]] = {
    "the answer": (
        each(v.LEAST_TOTAL, _least, "the least ε′ with δ(ε′) of all releases together ≤ {budget_delta}"),
        each(v.TOTAL_EPSILON, lambda one: one.pure, "the sum of all ε, of groups that share nobody the greatest", DR14),
        each(v.LEFT, _left, "{budget} − total ε at the budget’s δ", DR14, at_least=True),
        each(v.LEFT_WITHIN, _left_within, "the half width of a count with all that is left of {budget} and "
             "{budget_delta}, confidence {confidence}", DERIVED),
        each(v.MOST_YEARS, _years, "the most years whose δ at {budget} is at most {budget_delta}", DERIVED,
             at_least=True),
        each(v.WANTS_MET, _met, "1 where no error / want is above 1", when=lambda one: bool(one.noises)),
    ),
    "errors": (
        each(v.WORST_OVER_WANT, _worst, "the greatest error over want, confidence {confidence}"),
        each(v.EVEN_OVER_WANT, _even, "the same where all times of all releases have the same ε, or μ, of the same "
             "total"),
    ),
    "privacy": (
        each(v.MU, lambda one: None if one.mu is None else _by(one, one.mu), "√Σμ² of all releases", DRS22),
        each(v.RHO, lambda one: None if one.mu is None else _by(one, one.mu**2 / 2), "μ²/2", BS16),
    ),
    "attack": ADVANTAGE_FACTS,
}


# Tables

def _split_table(a: PlanAnswer, _: Span) -> Table:
    """A row a release that is wanted, at its place in the plan."""
    ones = _made(a)
    first = next(iter(ones.values()), None)
    if first is None:
        return Table({f.X_RELEASE: np.empty(0)})
    places: Array = np.array([float(one.place) for one in first.asked.plan.wanted])
    columns = {f.X_RELEASE: places} | curves(ones, lambda one: (one.shares, one.ratios), v.RELEASE_SHARE,
                                             v.OVER_WANT)
    if first.even is not None:
        columns |= {Column(v.RELEASE_SHARE, f.EVEN): np.asarray(first.even_shares),
                    Column(v.OVER_WANT, f.EVEN): first.over_wants(first.even)}
    return Table(columns | {Column(v.OVER_WANT, f.WANTED): np.ones(len(places))})


def _split_view(a: PlanAnswer) -> Span:
    first = a.one(f.PURE)
    places = [one.place for one in first.asked.plan.wanted] if first else []
    return min(places, default=1) - 0.5, max(places, default=1) + 0.5


def _factors(a: PlanAnswer, view: Span) -> Array:
    low, high = min(max(view[0], 1e-3), 1e3), min(max(view[1], 1e-3), 1e3)
    own = [one for one in (1.0, a.study.precision) if low <= one <= high]
    return np.unique(np.append(np.geomspace(low, max(low, high), FACTORS), own))


def _alike(a: PlanAnswer) -> dict[Series, Compared]:
    return {series: one for series, one in _made(a).items() if one.is_unmixed}


def _made(a: PlanAnswer) -> dict[Series, Compared]:
    """All that has a release to come."""
    return {series: one for series, one in a.ones.items() if one.noises}


def _be_exact(a: PlanAnswer, view: Span) -> Steps:
    yield None
    for one in _alike(a).values():
        for factor in _factors(a, view):
            yield one.as_exact(factor)


def _total_table(a: PlanAnswer, view: Span) -> Table:
    factors = _factors(a, view)
    return Table({f.X_PRECISION: factors} | curves(
        _alike(a), lambda one: np.array([one.as_exact(factor) for factor in factors]), v.LEAST_TOTAL))


def _years_in(a: PlanAnswer, view: Span) -> Array:
    low, high = min(max(1.0, math.floor(view[0])), 100.0), min(max(2.0, math.ceil(view[1])), 100.0)
    return np.unique(np.rint(np.append(np.linspace(low, max(low, high), YEARS), [
        one for one in (float(a.study.years),) if low <= one <= high])))


def _wait(a: PlanAnswer, view: Span) -> Steps:
    yield None
    for one in _made(a).values():
        for year in _years_in(a, view):
            yield one.after_years(int(year))


def _year_table(a: PlanAnswer, view: Span) -> Table:
    years = _years_in(a, view)
    return Table({f.X_YEARS: years} | curves(
        _made(a), lambda one: np.array([one.after_years(int(year)) for year in years]), v.LEAST_TOTAL))


TABLES: Mapping[str, Tabled[PlanAnswer, None]] = {
    f.SPLIT_TABLE: table(_split_table, _split_view),
    f.TOTAL_TABLE: table(_total_table, (0.1, 10.0), slow_in=_be_exact),
    f.YEAR_TABLE: table(_year_table, lambda a: (1.0, float(max(5, 2 * a.study.years))), slow_in=_wait),
    PROFILE_TABLE: table(lambda a, view: profile_table(view, attacked(a)), lambda a: (0.0, 2.5 * a.study.budget)),
    ATTACK_TABLE: table(lambda a, _: attack_table(attacked(a), a.study.budget, a.study.budget_delta), (0.0, 1.0)),
}

PlanAnswer.compared, PlanAnswer.declared, PlanAnswer.tabled = COMPARED, FACTS, TABLES
