"""A response as the study compares it, with the law of the number of “yes” among its answers."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from scipy.special import betainc

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import TRUTH, Guarantee
from dpstudio.core.special import Z_95, log_binomial
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import dataclass
from dpstudio.studies import response as f

LEVEL = 0.95
"""Share of all surveys of whose error is spoken."""
FAINTEST = 1e-100
"""Answers whose probabilities differ by less than this say nothing that could ever be counted."""
SEARCHED = 18
"""Numbers that a search for the fewest asks at once, with its two ends."""
EDGE = 1e-9
"""In people: an estimate that is past the margin by less lies on it."""


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
        return Guarantee(TRUTH, response.epsilon, 0.0, response, response.source)

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

    @property
    def count_sd(self) -> float:
        return math.sqrt(self.people * self.yes * self.no)

    def relative(self, count: Array) -> Array:
        """Probability of so many “yes” as a part of that of the likeliest number; 0 outside 0 … n."""
        inside = (count >= 0) & (count <= self.people)
        mode = np.array([min(math.floor((self.people + 1) * self.yes), self.people)])
        logs = log_binomial(np.concatenate([mode, count[inside]]), self.people, self.yes, self.no)
        relative = np.zeros(count.shape)
        relative[inside] = np.exp(np.minimum(logs[1:] - logs[0], 0.0))
        return relative

    def below(self, count: Array) -> Array:
        """Pr[at most so many “yes”]."""
        k = np.clip(np.floor(count), 0, self.people - 1)
        inside = betainc(self.people - k, k + 1, self.no)
        return np.where(count < 0, 0.0, np.where(count >= self.people, 1.0, inside))

    def at_least(self, count: Array) -> Array:
        """Pr[at least so many “yes”], for a whole number."""
        k = np.clip(count, 1, self.people)
        inside = betainc(k, self.people - k + 1, self.yes)
        return np.where(count <= 0, 1.0, np.where(count > self.people, 0.0, inside))

    def between(self, low: Array, high: Array) -> Array:
        """Pr[low ≤ number of “yes” ≤ high], for whole ends, from the tails in which it is not lost."""
        mean = self.people * self.yes
        below, above = self.below(low - 1), self.at_least(high + 1)
        found = np.where(low > mean, self.at_least(low) - above,
                         np.where(high < mean, self.below(high) - below, 1 - below - above))
        return np.clip(found, 0.0, 1.0)

    @cached_property
    def error_95(self) -> float:
        """The least h with Pr[|estimate − p| ≤ h] ≥ 0.95 over all surveys of n people, by the law of their answers.

        So many whole numbers nearest to the mean of the count, the fewest that are 95 % likely; by Chebyshev those
        within √20 of its standard deviations are.
        """
        mean, fewest, enough = self.people * self.yes, 0, math.ceil(9 * self.count_sd) + 2
        while enough - fewest > 1:
            many = np.unique(np.linspace(fewest, enough, SEARCHED)[1:-1].round())
            many = many[(many > fewest) & (many < enough)]
            low = np.ceil(mean - many / 2)
            good = self.between(low, low + many - 1) >= LEVEL
            enough = int(many[good].min(initial=enough))
            fewest = int(many[~good].max(initial=fewest))
        first = math.ceil(mean - enough / 2)
        farthest = max(mean - max(first, 0), min(first + enough - 1, self.people) - mean)
        return max(farthest, 0.0) / self.people / self.theta1

    def counts_within(self, *, raw: bool) -> tuple[float, float]:
        """Between which numbers of “yes” the estimate, or the raw share, is within the margin of the prevalence."""
        start, slope = (0.0, 1.0) if raw else (self.response.yes_if_no, self.response.difference)
        centre, margin = self.study.prevalence, self.study.margin
        low, high = (self.people * (start + slope * (centre + side * margin)) for side in (-1, 1))
        return max(0.0, math.ceil(low - EDGE)), min(self.people, math.floor(high + EDGE))
