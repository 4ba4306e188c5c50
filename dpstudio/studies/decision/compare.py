"""The mechanisms that the study compares, built from its parameters, with what several answers need of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import shaped
from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.mechanisms.decision import (
    Band,
    ComplementedDecision,
    CutoffExponentialDecision,
    Decision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
    Slack,
    worst_slacks,
)
from dpstudio.studies.decision.figures import CUTOFF, GAUSSIAN, GENERALIZED, LAPLACE, MATCHED

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the decisions, with its uncertain band, its smallest δ and the slack of its claim."""

    decision: Decision
    band: Band
    delta: float
    """The smallest δ at the study's ε."""
    claim: float
    """The δ that the decision is built to keep."""
    slack: Slack
    """Of the inequalities at that claim."""
    advantage: float
    """The smallest δ at ε = 0."""
    zero_refused: bool

    def accept_probability(self, n: npt.ArrayLike) -> float | Array:
        """f(n) under the study's assumption about no records."""
        found = self.decision.accept_probability(n)
        return shaped(np.where(self._none(n), 0.0, found)) if self.zero_refused else found

    def reject_probability(self, n: npt.ArrayLike) -> float | Array:
        """1 − f(n) under the same."""
        found = self.decision.reject_probability(n)
        return shaped(np.where(self._none(n), 1.0, found)) if self.zero_refused else found

    def log_accept(self, n: npt.ArrayLike) -> float | Array:
        """ln f(n) under the same, finite also where f(n) is less than any double."""
        found = self.decision.log_accept(n)
        return shaped(np.where(self._none(n), -math.inf, found)) if self.zero_refused else found

    def log_reject(self, n: npt.ArrayLike) -> float | Array:
        """ln (1 − f(n)) under the same."""
        found = self.decision.log_reject(n)
        return shaped(np.where(self._none(n), 0.0, found)) if self.zero_refused else found

    def losses(self, n: npt.ArrayLike) -> tuple[float | Array, float | Array]:
        """The losses of both outcomes between n and n + 1 under the same."""
        found = self.decision.losses(n)
        if not self.zero_refused:
            return found
        one = float(self.decision.accept_probability(1))
        of_yes, of_no = math.inf if one else 0.0, 0.0 - float(self.decision.log_reject(1))
        none = self._none(n)
        return shaped(np.where(none, of_yes, found[0])), shaped(np.where(none, of_no, found[1]))

    @staticmethod
    def _none(n: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        return np.asarray(np.asarray(n) == 0)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε, under the study's assumption about no records."""
        return self.decision.delta_at(epsilon, self.zero_refused)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error, under the same."""
        return self.decision.trade_off(alpha, self.zero_refused)


def compared(study: Study) -> dict[Series, Compared]:
    """The decisions by series, in the order of every table.

    Without δ there is no Gaussian decision: no μ > 0 gives (ε, 0).
    """
    epsilon, delta, minimum, target = study.epsilon, study.delta, study.minimum, study.target
    cutoff = CutoffExponentialDecision(epsilon, minimum)
    own = cutoff.guarantee[1]
    decisions: dict[Series, tuple[Decision, float]] = {
        LAPLACE: (LaplaceDecision.for_target(epsilon, minimum, target), 0.0),
        CUTOFF: (cutoff, own),
        GENERALIZED: (GeneralizedDecision(epsilon, delta, minimum, target), delta),
    }
    if delta > 0:
        decisions[GAUSSIAN] = GaussianDecision.for_guarantee(epsilon, delta, minimum, target), delta
    decisions[MATCHED] = ComplementedDecision(epsilon, own, minimum, 1.0, 0.0, math.exp(-epsilon)), own
    return {series: _compared(study, decision, claim) for series, (decision, claim) in decisions.items()}


def _compared(study: Study, decision: Decision, claim: float) -> Compared:
    # At δ = 0 the slack is −δ(ε) itself: one search for the worst pairs answers three questions.
    worst, apart = worst_slacks(decision, (study.epsilon, 0.0), 0.0)
    delta, advantage = 0.0 - worst.slack, 0.0 - apart.slack
    if study.zero_refused:
        delta, advantage = (float(decision.delta_at(epsilon, zero_refused=True)) for epsilon in (study.epsilon, 0.0))
        if delta > 0.0 - worst.slack:
            worst = Slack(0.0 - delta, 0.0, "accept")
    return Compared(decision, decision.band(study.uncertain), delta, claim,
                    Slack(claim + worst.slack, worst.n, worst.outcome), advantage, study.zero_refused)
