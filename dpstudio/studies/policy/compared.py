"""The case that the study is about, and what becomes of an action under each of four ways to be private."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Span
from dpstudio.core.sources import DMNS06, DR14, UTILITY
from dpstudio.mechanisms.composition import Together, WorstReleases
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.policy import Arm, Chances, Counted, NoisyChoice, Policy, Programme, Regime
from dpstudio.models.policy.programme import CountUpdating
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import policy as f
from dpstudio.studies.kit.tables import within

Number = TypeVar("Number", float, Array)
CURVE_CELLS, FACT_CELLS = (125, 1000), (2048, 16_384)
"""Of a lattice, for each lesser term and at most."""
EPSILONS, LOWEST, HIGHEST = 33, 1e-4, 100.0
LINE, TOP = 81, 50.0
"""Points of a line of the map, and the ε of a decision above which it is not followed."""
TRUTHFUL = RandomizedResponse.symmetric(float("inf"))


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
    def exact(self) -> Chances:
        """What the exact counts recommend, surely."""
        act = np.array(float(self.counted.policy(self.truth.cost).best_action))
        return Chances(act, 1 - act, act, act)

    @cached_property
    def clipped(self) -> Chances:
        """What private counts recommend, put back to [0, n], with the ends of what a lattice leaves open."""
        return self._enclosed(clipped=True)

    @cached_property
    def unclipped(self) -> Chances:
        """The same of counts as the noise leaves them."""
        return self._enclosed(clipped=False)

    def _enclosed(self, *, clipped: bool) -> Chances:
        choice = NoisyChoice(self.counted, clipped=clipped, cells=self._cells(*FACT_CELLS))
        return choice.chances(self.epsilon, self.truth.cost)

    @cached_property
    def clipped_choice(self) -> NoisyChoice:
        """What curves are made of."""
        return NoisyChoice(self.counted, cells=self._cells(*CURVE_CELLS), enclosed=False)

    @cached_property
    def unclipped_choice(self) -> NoisyChoice:
        return NoisyChoice(self.counted, clipped=False, cells=self._cells(*CURVE_CELLS), enclosed=False)

    def _cells(self, each: int, most: int) -> int:
        return min(each * 2 * self.symptoms, most)

    def taken(self, act: Array, wait: Array, response: RandomizedResponse) -> Array:
        """Probability that somebody is acted upon, from those of recommending and of not recommending it."""
        return np.clip(act * response.yes_if_yes + wait * response.yes_if_no, 0, 1)

    def wrong(self, act: Array, wait: Array, response: RandomizedResponse) -> Array:
        """Probability of the action that is not the better one."""
        if self.truth.best_action:
            return np.clip(act * response.no_if_yes + wait * response.no_if_no, 0, 1)
        return self.taken(act, wait, response)

    def wrong_without_noise(self, response: RandomizedResponse) -> Array:
        return self.wrong(self.exact.act, self.exact.wait, response)

    @cached_property
    def least_wrong(self) -> float:
        """Probability of the wrong action from exact counts and truthful decisions: 0, unless the counts mislead."""
        return float(self.wrong_without_noise(TRUTHFUL))

    def utility(self, wrong: Number) -> Number:
        """U* − gap·Pr[the other action]."""
        return self.truth.best - self.truth.gap * wrong


def case_of(study: f.Policy) -> Case:
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


def programme_of(study: f.Policy, case: Case) -> Programme:
    """What is simulated."""
    updating: CountUpdating = "retrain" if study.updating == "retrain" else "sequential"
    return Programme(case.truth, case.counted, study.arrivals, study.batches, updating)


@dataclass(frozen=True)
class Compared:
    """One of the ways to be private, and what becomes of an action today."""

    case: Case
    counts: int
    """In how many counts one person is."""
    private_counts: bool
    private_decision: bool

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What is promised of one person by all counts and their own decision, of which either may be public.

        Counts together are the worst of so many ε-DP releases; a response beside them is one more, of another ε.
        """
        epsilon, own = self.case.epsilon, self.case.response.epsilon
        counts, arm_may_change = self.counts * epsilon, self.counts > self.case.symptoms
        if not self.private_counts:
            alone = Guarantee(f.DECISION_OF_ONE, own, 0.0, self.case.response, UTILITY)
            return alone if self.private_decision else None
        if not self.private_decision:
            return Guarantee(f.symptoms_of_one(arm_may_change), counts, 0.0,
                             WorstReleases(epsilon, 0.0, self.counts), DMNS06, "bound")
        every = (epsilon,) * self.counts + (own,)
        law = Together(every) if own < math.inf else Claim(math.inf, 0.0)
        return Guarantee(f.person(arm_may_change), math.fsum(every), 0.0, law, DR14, "bound")

    @property
    def regime(self) -> Regime:
        """The same for a simulation."""
        return Regime(self.case.epsilon if self.private_counts else None, self.response)

    @property
    def response(self) -> RandomizedResponse:
        return self.case.response if self.private_decision else TRUTHFUL

    @property
    def chances(self) -> Chances:
        """How likely acting is recommended."""
        return self.case.clipped if self.private_counts else self.case.exact

    @cached_property
    def taken(self) -> list[float]:
        """Probability that somebody is acted upon, and what follows from the ends of what a lattice leaves open."""
        return [float(self.case.taken(*pair, self.response)) for pair in self._pairs]

    @cached_property
    def wrong(self) -> list[float]:
        """The same of the wrong action."""
        return [float(self.case.wrong(*pair, self.response)) for pair in self._pairs]

    @property
    def _pairs(self) -> tuple[tuple[Array, Array], ...]:
        chances = self.chances
        return (chances.act, chances.wait), (chances.low, 1 - chances.low), (chances.high, 1 - chances.high)


@dataclass(frozen=True)
class Curve:
    """What counts at several ε recommend, clipped and as noise leaves them."""

    case: Case
    epsilon: Array

    @classmethod
    def over(cls, view: Span, case: Case) -> Curve:
        return cls(case, np.geomspace(*within(view, LOWEST, HIGHEST), EPSILONS))

    @cached_property
    def clipped(self) -> tuple[Array, Array]:
        """Probabilities of acting and of not acting."""
        return self._of(self.case.clipped_choice)

    @cached_property
    def unclipped(self) -> tuple[Array, Array]:
        return self._of(self.case.unclipped_choice)

    def _of(self, choice: NoisyChoice) -> tuple[Array, Array]:
        chances = choice.chances(self.epsilon, self.case.truth.cost)
        return chances.act, chances.wait

    @cached_property
    def wrong(self) -> Array:
        """Probability that private counts choose the wrong action, at each ε."""
        return self.case.wrong(*self.clipped, TRUTHFUL)


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
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        decision = np.log((1 - p - wrong) / (wrong - p))
    return np.exp(logs), np.clip(np.nan_to_num(decision, nan=TOP, posinf=TOP, neginf=0.0), 0.0, TOP)
