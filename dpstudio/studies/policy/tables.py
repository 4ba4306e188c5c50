"""The exact tables of the policy study: over the cost, over either ε, and over both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Window
from dpstudio.studies.policy import figures as f
from dpstudio.studies.policy.compare import TRUTHFUL, Case, Taken

if TYPE_CHECKING:
    from dpstudio.models.policy import NoisyChoice
    from dpstudio.studies.policy import Policy as Study

COSTS, EPSILONS, DECISIONS, LINE = 41, 33, 81, 81
Z = 1.959963984540054
"""Φ⁻¹(0.975)."""
LOWEST, HIGHEST = 1e-4, 100.0
TOP = 50.0
"""ε of a decision above which a line of the map is not followed."""


def windows(study: Study, case: Case) -> dict[str, Window]:
    truth = case.truth
    far = max(2.2 * truth.breakeven_cost, 1.6 * study.cost, -0.2 * truth.no_action, -0.2 * study.weight)
    low, high = min(1e-3, study.epsilon / 3), max(10.0, 3 * study.epsilon)
    counts = max(low, LOWEST), min(high, HIGHEST)
    return {f.COST_TABLE: (0.0, far), f.COUNTS_TABLE: counts, f.MAP_TABLE: counts,
            f.DECISION_TABLE: (0.0, max(8.0, 1.2 * study.decision_epsilon)),
            f.TIME_TABLE: (1.0, float(study.batches)) if study.batches > 1 else (0.5, 1.5)}


def cost_table(window: Window, case: Case) -> Table:
    """Either action's utility at each cost, what the counts leave uncertain of it, and what privacy makes of both."""
    truth, counted = case.truth, case.counted
    cost = np.linspace(max(window[0], 0.0), max(window[1], 1e-9), COSTS)
    believed = counted.policy(0.0)
    waiting, acting = np.full(cost.shape, truth.no_action), truth.no_action + truth.breakeven_cost - cost
    columns: dict[Column, Array] = {f.X_COST: cost}
    for series, mean, about, sd in (
        (f.WAITING, waiting, np.full(cost.shape, believed.no_action), counted.no_action_sd),
        (f.ACTING, acting, believed.action - cost, counted.action_sd),
    ):
        columns[Column(v.UTILITY, series)] = mean
        columns[Column(v.UTILITY_LOW, series)] = about - Z * sd
        columns[Column(v.UTILITY_HIGH, series)] = about + Z * sd
    chances = case.curve.chances(case.epsilon, cost)
    taken = case.taken(chances.act, chances.wait, case.response).taken
    columns[Column(v.UTILITY, f.BOTH)] = waiting + (acting - waiting) * taken
    return Table(columns)


@dataclass(frozen=True)
class Curve:
    """What counts at several ε recommend, clipped and as noise leaves them."""

    case: Case
    epsilon: Array

    @classmethod
    def over(cls, window: Window, case: Case) -> Curve:
        low, high = (min(max(end, LOWEST), HIGHEST) for end in window)
        return cls(case, np.geomspace(low, high, EPSILONS))

    @cached_property
    def clipped(self) -> tuple[Array, Array]:
        return self._of(self.case.curve)

    @cached_property
    def unclipped(self) -> tuple[Array, Array]:
        return self._of(self.case.unclipped)

    def _of(self, choice: NoisyChoice) -> tuple[Array, Array]:
        chances = choice.chances(self.epsilon, self.case.truth.cost)
        return chances.act, chances.wait

    @cached_property
    def wrong(self) -> Array:
        """Probability that private counts choose the wrong action, at each ε."""
        return self.case.taken(*self.clipped, TRUTHFUL).wrong


def utility(case: Case, taken: Taken) -> Array:
    return case.truth.best - case.truth.gap * taken.wrong


def counts_table(curve: Curve) -> Table:
    case = curve.case
    found = {f.NONE: case.without_noise(TRUTHFUL), f.COUNTS: case.taken(*curve.clipped, TRUTHFUL),
             f.NOTE: case.taken(*curve.unclipped, TRUTHFUL), f.BOTH: case.taken(*curve.clipped, case.response)}
    return _utilities({f.X_EPSILON: curve.epsilon}, case, found)


def decision_table(window: Window, case: Case) -> Table:
    """Utility for symmetric responses of each ε."""
    low, high = (min(max(end, 0.0), TOP) for end in window)
    epsilon = np.linspace(low, max(high, low + 1e-6), DECISIONS)
    chances = case.curve.chances(case.epsilon, case.truth.cost)
    without = case.without_noise(TRUTHFUL)
    found: dict[Series, Taken] = {f.NONE: without}
    lie = 1 / (1 + np.exp(epsilon))
    for series, wrong in ((f.DECISION, without.wrong), (f.BOTH, case.taken(chances.act, chances.wait, TRUTHFUL).wrong)):
        other = wrong + (1 - 2 * wrong) * lie
        found[series] = Taken(without.recommended, other, other)
    return _utilities({f.X_DECISION: epsilon}, case, found)


def _utilities(columns: dict[Column, Array], case: Case, found: dict[Series, Taken]) -> Table:
    rows = len(next(iter(columns.values())))
    return Table(columns | {Column(v.POLICY_UTILITY, series): np.broadcast_to(utility(case, taken), (rows,))
                            for series, taken in found.items()})


def map_table(curve: Curve, case: Case, today: Taken) -> Table:
    """For each price and each ε of the counts, the ε of the decision that leads to it."""
    columns: dict[Column, Array] = {}
    if case.truth.gap > 0:
        levels = {series: case.least_wrong + share for series, share in f.SHARES.items()}
        for series, wrong in (levels | {f.BOTH: float(today.wrong)}).items():
            points = level_line(curve.epsilon, curve.wrong, wrong)
            if points is not None:
                columns[Column(v.COUNT_EPSILON, series)], columns[Column(v.ACT_EPSILON, series)] = points
    return Table(columns)


def level_line(epsilon: Array, counts_wrong: Array, wrong: float) -> tuple[Array, Array] | None:
    """Where counts that are wrong with some probability, and a symmetric response, are wrong with this one together.

    q = p + (1 − 2p)/(1 + e^ε′), so that ε′ = ln((1 − p − q)/(q − p)) where p < q < ½. Of the ε of the counts only the
    last stretch is followed, for from there on the counts suffice. None where there is none.
    """
    if not 0 < wrong < 0.5:
        return None
    short = np.flatnonzero(counts_wrong >= wrong)
    if short.size and short[-1] == len(epsilon) - 1:
        return None
    start = math.log(epsilon[0])
    if short.size:  # the line comes down from above, at the ε where the counts alone would be wrong as often
        i = short[-1]
        part = (counts_wrong[i] - wrong) / (counts_wrong[i] - counts_wrong[i + 1])
        start = math.log(epsilon[i]) + part * math.log(epsilon[i + 1] / epsilon[i])
    # Points are close together where the line is steep.
    logs = start + (math.log(epsilon[-1]) - start) * np.linspace(0, 1, LINE) ** 3
    p = np.interp(logs, np.log(epsilon), counts_wrong)
    with np.errstate(divide="ignore", invalid="ignore"):
        decision = np.log((1 - p - wrong) / (wrong - p))
    return np.exp(logs), np.clip(np.nan_to_num(decision, nan=TOP, posinf=TOP, neginf=0.0), 0.0, TOP)
