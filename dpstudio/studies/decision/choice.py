"""Which decision of each kind costs least under the prior: its facts, and both errors against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Said, Steps, Tabled, each, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sources import D70
from dpstudio.models.costs import Best, DecisionKind
from dpstudio.models.records import Average
from dpstudio.studies import decision as f
from dpstudio.studies.decision.compared import Compared
from dpstudio.studies.kit.tables import within
from dpstudio.text.numbers import plain

POINTS = 65
SHOWN = 0.001
"""As far from 0 and 1 targets are drawn unless somebody looks closer: beyond, costs rise like walls."""
AROUND = 2.0
"""Times the largest of all present errors: so far both are drawn."""


def enclosed(average: Average, how: str = "") -> Said:
    """An average as a fact: exact, or between its two bounds."""
    if average.is_exact:
        return Said(average.value, how)
    return Said(average.value, how, kind="estimate", low=average.low, high=average.high)


def _decide(a: Answer[f.Decision, Compared, Any], series: str) -> Steps:
    """The best choice of one kind."""
    one = a.one(series)
    if one is not None and one.kind and not one.decided:
        yield None
        one.best  # noqa: B018 - it is kept


def _best_target(one: Compared) -> Said | None:
    if not (one.kind and one.kind.has_target):
        return None
    best = one.best
    if best.ends is None:
        return Said(best.target)
    return Said(best.target, kind="estimate", low=best.ends[0].target, high=best.ends[1].target)


def _threshold(one: Compared, best: Best) -> float | None:
    """The k of a decision: its minimum where it has no target, its own where it has one."""
    if not (one.kind and one.kind.has_target):
        return float(best.minimum)
    ks = (each.value for each in best.decision.particulars(one.study.uncertain, one.study.delta)
          if each.quantity == v.THRESHOLD)
    return next(ks, None)


def _best_threshold(one: Compared) -> Said | None:
    if one.kind is None:
        return None
    best = one.best
    if (k := _threshold(one, best)) is None:
        return None
    how = f"k at p = {plain(best.target)}" if one.kind.has_target else (
        "the minimum m′ given to the decision with the least c₁ Pr[N<m, Q=1] + c₀ Pr[N≥m, Q=0], of all that accept m "
        f"with {plain(one.choices.targets[0])} or more; its guarantee is that of every whole minimum")
    if best.ends is None:
        return Said(k, how)
    ends = [_threshold(one, end) for end in best.ends]
    return Said(k, how, kind="estimate", low=ends[1], high=ends[0])


def _best_cost(one: Compared) -> Said | None:
    if one.kind is None:
        return None
    how = f"expected cost at p = {plain(one.best.target)}" if one.kind.has_target else (
        f"expected cost with the minimum m′ = {plain(one.best.minimum)}")
    return enclosed(one.best.cost, how)


def _cost_saved(one: Compared) -> Said | None:
    if one.kind is None:
        return None
    now, best = one.cost, one.best.cost
    low, high = max(now.low - best.high, 0.0), max(now.high - best.low, 0.0)
    # Where both are exact they are one number each, and the best is worse than today's by its rounding at most.
    return enclosed(Average(min(max(now.value - best.value, low), high), low, high),
                    f"{plain(now.value)} − {plain(best.value)}")


CHOICE_FACTS: tuple[Declaration[Any, Compared, Any], ...] = (
    each(v.EXPECTED_COST, lambda one: enclosed(one.cost),
         "c₁ Pr[N<m]·Pr[false “yes”] + c₀ Pr[N≥m]·Pr[false “no”], c₁ = {cost_false_yes}, c₀ = {cost_false_no}; an "
         "exact answer costs 0", D70),
    each(v.BEST_TARGET, _best_target,
         "the p with the least c₁ Pr[N<m]·Pr[false “yes”] + c₀ Pr[N≥m]·Pr[false “no”]", D70,
         slow_of=_decide),
    each(v.BEST_THRESHOLD, _best_threshold, source=D70, slow_of=_decide),
    each(v.BEST_COST, _best_cost, source=D70, slow_of=_decide),
    each(v.COST_SAVED, _cost_saved, source=D70, slow_of=_decide),
)


# Tables

def _kinds(a: Answer[f.Decision, Compared, Any]) -> dict[Series, tuple[Compared, DecisionKind]]:
    """What is compared and could be chosen otherwise."""
    return {series: (one, one.kind) for series, one in a.ones.items() if one.kind}


def _best_of_all(a: Answer[f.Decision, Compared, Any]) -> Steps:
    """The best choice of each kind, one after the other."""
    for series in a.ones:
        yield from _decide(a, series.key)


def _targets_in(view: Span, one: Compared, kind: DecisionKind) -> Span:
    if (inside := within(view, 0.0, 1.0)) != (0.0, 1.0):
        return inside
    target = one.study.target
    return min(SHOWN, target), max(1 - SHOWN, target) if kind.has_target else 1.0


def _cost_table(a: Answer[f.Decision, Compared, Any], view: Span) -> Table:
    """The expected cost of decisions that accept m with ever larger probability."""
    columns: dict[Column, Array] = {}
    for series, (one, kind) in _kinds(a).items():
        p, false_accept, false_reject = one.choices.curve(*_targets_in(view, one, kind), POINTS)
        columns[Column(v.TARGET, series)] = p
        columns[Column(v.EXPECTED_COST, series)] = (
            one.stakes.false_yes * false_accept + one.stakes.false_no * false_reject)
    return Table(columns)


def _least_costs(a: Answer[f.Decision, Compared, Any], _: Table) -> Mapping[Column, Array]:
    """Where the cost is least."""
    return {Column(quantity, series): np.full(POINTS, value) for series, (one, _) in _kinds(a).items()
            for quantity, value in ((v.BEST_TARGET, one.best.target), (v.BEST_COST, one.best.cost.value))}


def _trade_view(a: Answer[f.Decision, Compared, Any]) -> Span:
    """Some times the present errors."""
    errors = [rate.value for one, _ in _kinds(a).values() for rate in (one.false_accept, one.false_reject) if rate]
    return 0.0, min(AROUND * max(errors, default=0.0), 1.0) or 1.0


def _trade_table(a: Answer[f.Decision, Compared, Any], view: Span) -> Table:
    """Both errors of decisions that accept m with ever larger probability, and those of the present ones."""
    columns: dict[Column, Array] = {}
    most = min(max(view[1], 0.0), 1.0), a.view(f.TRADE_TABLE)[1]
    for series, (one, _) in _kinds(a).items():
        if one.false_accept is None or one.false_reject is None:
            return Table({})
        columns[Column(v.FALSE_ACCEPT, series)], columns[Column(v.FALSE_REJECT, series)] = _traded(one, *most)
        columns[Column(v.FALSE_ACCEPT_NOW, series)] = np.full(POINTS, one.false_accept.value)
        columns[Column(v.FALSE_REJECT_NOW, series)] = np.full(POINTS, one.false_reject.value)
    return Table(columns)


def _traded(one: Compared, most_accepted: float, most_rejected: float) -> tuple[Array, Array]:
    """Both errors where neither is more than that; of decisions that nowhere are so good the one that is next."""
    low, high = 0.0, 1.0
    for rows in (POINTS // 2, POINTS):
        p, accepted, rejected = one.choices.curve(low, high, rows)
        beyond = np.maximum(accepted - most_accepted, rejected - most_rejected)
        inside = np.flatnonzero(beyond <= max(0.0, float(beyond.min())))
        low, high = float(p[max(inside[0] - 1, 0)]), float(p[min(inside[-1] + 1, rows - 1)])
    inside = np.pad(inside, (0, POINTS - inside.size), mode="edge")
    return accepted[inside], rejected[inside]


def _equal_costs(a: Answer[f.Decision, Compared, Any], table: Table) -> Mapping[Column, Array]:
    """All pairs of errors that cost as much as the best generalized decision, from end to end of what can be."""
    stakes, least = a.get(f.GENERALIZED).stakes, a.get(f.GENERALIZED).best.cost.value
    if not (table and stakes.false_yes > 0 and stakes.false_no > 0):
        return {}
    low, high = max(0.0, (least - stakes.false_no) / stakes.false_yes), min(1.0, least / stakes.false_yes)
    x: Array = np.linspace(low, high, POINTS)
    return {f.X_FALSE_ACCEPT: x,
            Column(v.FALSE_REJECT): np.clip((least - stakes.false_yes * x) / stakes.false_no, 0.0, 1.0)}


CHOICE_TABLES: Mapping[str, Tabled[Any, Any]] = {
    f.COST_TABLE: table(_cost_table, (0.0, 1.0), slow=_best_of_all, later=_least_costs),
    f.TRADE_TABLE: table(_trade_table, _trade_view, slow=_best_of_all, later=_equal_costs),
}
