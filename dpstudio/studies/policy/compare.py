"""The case that the study is about, and what becomes of an action under each of four ways to be private."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.policy import Arm, Counted, NoisyChoice, Policy, Programme, Regime
from dpstudio.models.policy.programme import Updating
from dpstudio.studies.policy import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.policy import Policy as Study

CURVE_CELLS, FACT_CELLS = (125, 1000), (2048, 16_384)
"""Of a lattice, for each lesser term and at most."""
TRUTHFUL = RandomizedResponse.symmetric(float("inf"))


@dataclass(frozen=True, slots=True)
class Taken:
    """How an action comes about: the probabilities that it is recommended, taken, and the wrong one is taken."""

    recommended: Array
    taken: Array
    wrong: Array


@dataclass(frozen=True)
class Case:
    """The truth, the cohort that was counted, and the response that every decision passes through."""

    truth: Policy
    counted: Counted
    response: RandomizedResponse
    epsilon: float

    @property
    def symptoms(self) -> int:
        return len(self.truth.weights)

    @cached_property
    def exact_best(self) -> bool:
        """What the exact counts recommend."""
        return self.counted.policy(self.truth.cost).best_action

    @cached_property
    def curve(self) -> NoisyChoice:
        return NoisyChoice(self.counted, cells=self._cells(*CURVE_CELLS), enclosed=False)

    @cached_property
    def unclipped(self) -> NoisyChoice:
        return NoisyChoice(self.counted, clipped=False, cells=self._cells(*CURVE_CELLS), enclosed=False)

    def enclosed(self, *, clipped: bool) -> NoisyChoice:
        """The choice with the ends of what its lattice leaves open."""
        return NoisyChoice(self.counted, clipped=clipped, cells=self._cells(*FACT_CELLS))

    def _cells(self, each: int, most: int) -> int:
        return min(each * 2 * self.symptoms, most)

    def taken(self, act: Array, wait: Array, response: RandomizedResponse, best: bool | None = None) -> Taken:
        """What follows from the probabilities of recommending and of not recommending to act."""
        best = self.truth.best_action if best is None else best
        taken = act * response.yes_if_yes + wait * response.yes_if_no
        left = act * response.no_if_yes + wait * response.no_if_no
        return Taken(act, np.clip(taken, 0, 1), np.clip(left if best else taken, 0, 1))

    def without_noise(self, response: RandomizedResponse) -> Taken:
        act = np.array(float(self.exact_best))
        return self.taken(act, 1 - act, response)

    @cached_property
    def least_wrong(self) -> float:
        """Probability of the wrong action from exact counts and truthful decisions: 0, unless the counts mislead."""
        return float(self.without_noise(TRUTHFUL).wrong)


def case_of(study: Study) -> Case:
    d = study.symptoms
    weights = -np.geomspace(-study.weight, -study.mild_weight, d) if d > 1 else np.array([study.weight])
    weights[[0, -1]] = study.weight, study.mild_weight if d > 1 else study.weight
    untreated, treated = (np.linspace(gravest, mildest, d) for gravest, mildest in
                          ((study.untreated, study.mild_untreated), (study.treated, study.mild_treated)))
    waiting, acting = (Arm(np.rint(np.linspace(gravest, mildest, d)), people, study.prior_sick, study.prior_well)
                       for gravest, mildest, people in (
                           (study.sick_untreated, study.mild_sick_untreated, study.people),
                           (study.sick_treated, study.mild_sick_treated, study.people_treated)))
    response = (RandomizedResponse.symmetric(study.decision_epsilon) if study.design == "symmetric" else
                RandomizedResponse.two_coin(study.theta1, study.theta2))
    return Case(Policy(weights, untreated, treated, study.cost, study.factor),
                Counted(weights, waiting, acting, study.factor), response, study.epsilon)


def programme_of(study: Study, case: Case) -> tuple[Programme, tuple[Regime, ...]]:
    """What is simulated: every regime in the order of the series."""
    epsilons = {f.NONE: None, f.COUNTS: study.epsilon, f.DECISION: None, f.BOTH: study.epsilon}
    regimes = tuple(Regime(epsilons[series], response_of(case, series)) for series in f.REGIMES)
    updating: Updating = "retrain" if study.updating == "retrain" else "sequential"
    return Programme(case.truth, case.counted, study.arrivals, study.batches, updating), regimes


def response_of(case: Case, series: Series) -> RandomizedResponse:
    return case.response if series in (f.DECISION, f.BOTH) else TRUTHFUL
