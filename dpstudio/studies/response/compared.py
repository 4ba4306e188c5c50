"""A response as the study compares it, with the law of the number of “yes” among its answers."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import TRUTH, Guarantee
from dpstudio.core.special import Z_95, log_binomial
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import response as f
from dpstudio.studies.kit.counts import EDGE, BinomialCount, distance_at

LEVEL = 0.95
"""Share of all surveys of whose error is spoken."""
FAINTEST = 1e-100
"""Answers whose probabilities differ by less than this say nothing that could ever be counted."""


@dataclass(frozen=True)
class Compared:
    """A response with its two coins under the study's prior, answered by its people."""

    study: f.Response
    response: RandomizedResponse
    theta1: float
    theta2: float
    note: str = ""
    """What there is to say of its coins."""

    loose = ""

    @cached_property
    def guarantee(self) -> Guarantee:
        """What is promised of the truth of one person, by the exact law of the answer."""
        response = self.response
        return Guarantee(TRUTH, response.epsilon, 0.0, response, response.source, model="local")

    @property
    def people(self) -> float:
        return float(self.study.people)

    @cached_property
    def yes(self) -> float:
        """Probability of the answer “yes” under the prior."""
        return float(self.response.answer_probability(self.study.prevalence))

    @cached_property
    def no(self) -> float:
        """Probability of the answer “no”, without subtraction."""
        p = self.study.prevalence
        return p * self.response.no_if_yes + (1 - p) * self.response.no_if_no

    @property
    def informative(self) -> bool:
        """Whether a survey can estimate anything."""
        return self.theta1 >= FAINTEST

    @property
    def people_needed(self) -> float:
        """λ(1 − λ)(1.96/(m θ₁))²: how many people bring 1.96 standard deviations of the estimate down to the margin."""
        share = Z_95 * math.sqrt(self.yes * self.no) / self.study.margin / self.theta1
        return share * share

    @cached_property
    def count(self) -> BinomialCount:
        """How many of the people say “yes”."""
        return BinomialCount(self.people, self.yes, self.no)

    def relative(self, count: Array) -> Array:
        """Probability of so many “yes” as a part of that of the likeliest number; 0 outside 0 … n."""
        inside = (count >= 0) & (count <= self.people)
        mode = np.array([min(math.floor((self.people + 1) * self.yes), self.people)])
        logs = log_binomial(np.concatenate([mode, count[inside]]), self.people, self.yes, self.no)
        relative = np.zeros(count.shape)
        relative[inside] = np.exp(np.minimum(logs[1:] - logs[0], 0.0))
        return relative

    @cached_property
    def error_95(self) -> float:
        """The least h with Pr[|estimate − p| ≤ h] ≥ 0.95 over all surveys of n people, by the law of their answers."""
        return distance_at(self.count, LEVEL) / self.people / self.theta1

    def counts_within(self, *, raw: bool) -> tuple[float, float]:
        """Between which numbers of “yes” the estimate, or the raw share, is within the margin of the prevalence."""
        start, slope = (0.0, 1.0) if raw else (self.response.yes_if_no, self.response.difference)
        centre, margin = self.study.prevalence, self.study.margin
        low, high = (self.people * (start + slope * (centre + side * margin)) for side in (-1, 1))
        return max(0.0, math.ceil(low - EDGE)), min(self.people, math.floor(high + EDGE))
