"""The law of a number of answers “yes”: of one binomial, or of two that are added, and how far it is off its mean."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import betainc

from dpstudio.core.declare import Array
from dpstudio.core.special import log_binomial
from dpstudio.records import cached_property, dataclass

EDGE = 1e-9
"""In people: a count that is past a distance by less lies on it."""
TAIL = 9.0
"""Standard deviations on either side in which a law is added up, and 40 whole numbers more."""
SEARCHED = 18
"""Numbers that a search for the fewest asks at once, with its two ends."""


class CountLaw(Protocol):
    """The law of a whole number."""

    @property
    def mean(self) -> float: ...

    @property
    def sd(self) -> float: ...

    def between(self, low: Array, high: Array) -> Array:
        """Pr[low ≤ C ≤ high], for whole ends."""

    def outside(self, low: Array, high: Array) -> Array:
        """Pr[C < low or C > high], for whole ends, each tail without subtraction."""


@dataclass(frozen=True)
class BinomialCount:
    """How many of so many people say “yes”, each with one probability; that of “no” is given without subtraction."""

    people: float
    yes: float
    no: float

    @property
    def mean(self) -> float:
        return self.people * self.yes

    @property
    def sd(self) -> float:
        return math.sqrt(self.people * self.yes * self.no)

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
        """Pr[low ≤ C ≤ high], for whole ends, from the tails in which it is not lost."""
        below, above = self.below(low - 1), self.at_least(high + 1)
        found = np.where(low > self.mean, self.at_least(low) - above,
                         np.where(high < self.mean, self.below(high) - below, 1 - below - above))
        return np.clip(found, 0.0, 1.0)

    def outside(self, low: Array, high: Array) -> Array:
        return np.asarray(self.below(low - 1) + self.at_least(high + 1))

    @cached_property
    def mass(self) -> tuple[Array, Array]:
        """All numbers that are likely at all, and their probabilities."""
        half = TAIL * self.sd + 40
        low, high = max(0.0, math.floor(self.mean - half)), min(self.people, math.ceil(self.mean + half))
        count = np.arange(low, high + 1)
        if not (self.people and self.yes and self.no):
            return count, np.where(count == round(self.mean), 1.0, 0.0)
        return count, np.exp(log_binomial(count, self.people, self.yes, self.no))


@dataclass(frozen=True)
class SummedCount:
    """How many of two groups together say “yes”, each group with its own probability."""

    one: BinomialCount
    other: BinomialCount

    @property
    def mean(self) -> float:
        return self.one.mean + self.other.mean

    @property
    def sd(self) -> float:
        return math.hypot(self.one.sd, self.other.sd)

    @cached_property
    def mass(self) -> tuple[float, Array]:
        """The smallest number that is likely at all, and the probabilities from there on, to 1e-16 each."""
        (first, a), (second, b) = self.one.mass, self.other.mass
        size = len(a) + len(b) - 1
        fast = next_fast_len(size, real=True)
        product = rfft(a, fast) * rfft(b, fast)
        return float(first[0] + second[0]), np.maximum(irfft(product, fast)[:size], 0.0)

    def between(self, low: Array, high: Array) -> Array:
        first, _ = self.mass
        ends = np.clip(np.stack([low - first, high - first + 1]), 0, len(self._up_to) - 1).astype(np.intp)
        return np.asarray(np.clip(self._up_to[ends[1]] - self._up_to[ends[0]], 0.0, 1.0))

    @cached_property
    def _up_to(self) -> Array:
        return np.append(0.0, np.cumsum(self.mass[1]))

    def outside(self, low: Array, high: Array) -> Array:
        """Added up over the numbers of the group that varies less, the tails of the other as they are."""
        (count, mass), rest = (self.one.mass, self.other) if self.one.sd <= self.other.sd else (
            self.other.mass, self.one)
        return np.asarray(rest.outside(low[..., None] - count, high[..., None] - count) @ mass)


def beyond(law: CountLaw, distance: float) -> float:
    """Pr[|C − its mean| > distance]."""
    ends = np.ceil(law.mean - distance - EDGE), np.floor(law.mean + distance + EDGE)
    return min(float(law.outside(*map(np.asarray, ends))), 1.0)


def distance_at(law: CountLaw, level: float) -> float:
    """The least w with Pr[|C − its mean| ≤ w] ≥ level.

    So many whole numbers nearest to the mean, the fewest that are so likely; by Chebyshev those within
    1/√(1 − level) standard deviations are.
    """
    mean, fewest = law.mean, 0
    enough = math.ceil(2 * law.sd / math.sqrt(1 - level) * (1 + EDGE)) + 2
    while enough - fewest > 1:
        many = np.unique(np.linspace(fewest, enough, SEARCHED)[1:-1].round())
        many = many[(many > fewest) & (many < enough)]
        low = np.ceil(mean - many / 2)
        good = law.between(low, low + many - 1) >= level
        enough = int(many[good].min(initial=enough))
        fewest = int(many[~good].max(initial=fewest))
    first = math.ceil(mean - enough / 2)
    return max(mean - first, first + enough - 1 - mean, 0.0)
