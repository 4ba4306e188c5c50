"""The responses that the study compares: the chosen one, and the best one of the same ε."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betainc

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.core.special import log_binomial
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.response.figures import BEST, CHOSEN

if TYPE_CHECKING:
    from dpstudio.studies.response import Response as Study

FAINTEST = 1e-100
"""Answers whose probabilities differ by less than this say nothing that could ever be counted."""
EDGE = 1e-9
"""In people: an estimate that is past the margin by less lies on it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A response with its two coins, and the law of the number of “yes” among its answers."""

    response: RandomizedResponse
    theta1: float
    theta2: float
    people: float
    yes: float
    """Probability of the answer “yes” under the prior, and of “no”."""
    no: float

    @property
    def informative(self) -> bool:
        return self.theta1 >= FAINTEST

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

    def counts_within(self, centre: float, margin: float, *, raw: bool) -> tuple[float, float]:
        """Between which numbers of “yes” the estimate, or the raw share, is within the margin of the centre."""
        start, slope = (0.0, 1.0) if raw else (self.response.yes_if_no, self.response.difference)
        low, high = (self.people * (start + slope * (centre + side * margin)) for side in (-1, 1))
        return max(0.0, math.ceil(low - EDGE)), min(self.people, math.floor(high + EDGE))


def compared(study: Study) -> dict[Series, Compared]:
    """The chosen response and, unless it is that itself, the best one of its ε."""
    match study.design:
        case "symmetric":
            chosen, coins = RandomizedResponse.symmetric(study.epsilon), (math.tanh(study.epsilon / 2), 0.5)
        case "warner":
            chosen, coins = RandomizedResponse.warner(), (0.5, 0.5)
        case _:
            chosen, coins = (RandomizedResponse.two_coin(study.theta1, study.theta2), (study.theta1, study.theta2))
    responses = {CHOSEN: _compared(study, chosen, *coins)}
    if coins[1] != 0.5 and coins[0] not in (0.0, 1.0):
        best = RandomizedResponse.symmetric(chosen.epsilon)
        responses[BEST] = _compared(study, best, best.difference, 0.5)
    return responses


def _compared(study: Study, response: RandomizedResponse, theta1: float, theta2: float) -> Compared:
    p = study.prevalence
    return Compared(response, theta1, theta2, float(study.people), float(response.answer_probability(p)),
                    p * response.no_if_yes + (1 - p) * response.no_if_no)
