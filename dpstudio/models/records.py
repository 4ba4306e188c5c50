"""What is believed about the number of records N before a decision is asked, and error rates under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.special import gammainc, gammaln, log_ndtr, ndtr, pdtr

from dpstudio.core.declare import Array, Declared, parameter
from dpstudio.core.special import deviance, stirling_error
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import EXACT_INTEGERS, PRIOR, PRIOR_CENTRE, PRIOR_WIDTH

Rate: TypeAlias = Callable[[Array], float | Array]

SUMMED = 20_000
"""Up to so many values of N are summed one by one; beyond, blocks of N enclose the sum between two bounds."""
BLOCKS_PER_OCTAVE = 150
_REACH = 39.0
"""Standard deviations after which a weight, relative to the largest, leaves the range of doubles."""


@dataclass(frozen=True, slots=True)
class Average:
    """An average over the prior: its value, exact or enclosed in [low, high]."""

    value: float
    low: float
    high: float

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def __add__(self, other: Average) -> Average:
        return Average(self.value + other.value, self.low + other.low, self.high + other.high)

    def __rmul__(self, weight: float) -> Average:
        """The average times a weight ≥ 0."""
        return Average(weight * self.value, weight * self.low, weight * self.high)


@dataclass(frozen=True, slots=True)
class PriorPart:
    """The prior on one side of the minimum, as N (or blocks of N) with weights that sum to 1."""

    first: Array
    last: Array
    weights: Array

    def average(self, rate: Rate) -> Average:
        """Σ w(N) rate(N), for a rate that is monotone in N: each block lies between its two ends."""
        at_first = rate(self.first)
        if self.first is self.last:
            value = self._sum(at_first)
            return Average(value, value, value)
        at_last = rate(self.last)
        low, high = self._sum(np.minimum(at_first, at_last)), self._sum(np.maximum(at_first, at_last))
        return Average((low + high) / 2, low, high)

    def _sum(self, rates: float | Array) -> float:
        # Not a dot product: its last digits would depend on the machine's processors, and on how many there are.
        return float(np.sum(self.weights * rates))


@dataclass(frozen=True, slots=True)
class Sides:
    """What is believed of N on either side of a minimum: how much, and how that is spread; None where nothing is."""

    mass_below: float
    mass_above: float
    below: PriorPart | None
    above: PriorPart | None


@dataclass(frozen=True)
class RecordsPrior(Declared):
    """A prior on N ≥ 0: uniform on the integers of [centre − width, centre + width], Poisson of mean centre, or normal
    of standard deviation width, rounded to integers and conditioned on N ≥ 0."""

    prior: str = parameter(PRIOR)
    prior_centre: float = parameter(PRIOR_CENTRE)
    prior_width: float = parameter(PRIOR_WIDTH)

    @cached_property
    def support(self) -> tuple[float, float]:
        """The smallest and the largest N with a weight that counts."""
        centre, width = self.prior_centre, self.prior_width
        if self.prior == "uniform":
            low, high = np.ceil(centre - width), np.floor(centre + width)
            if high < low:  # narrower than one record: the nearest integer
                low = high = np.rint(centre)
        else:
            width = width if self.prior == "normal" else np.sqrt(centre)
            # A Poisson's upper tail is heavier than a normal's; below 39 sd even so for a mean above 1.
            slack = 0.0 if self.prior == "normal" else 260.0
            low, high = np.floor(centre - _REACH * width), np.ceil(centre + _REACH * width + slack)
        return max(0.0, float(low)), min(max(0.0, float(high)), float(EXACT_INTEGERS - 1))

    def below(self, minimum: int) -> float:
        """Pr[N < minimum]."""
        return self._between(self.support[0], minimum - 1.0)

    def from_on(self, minimum: int) -> float:
        """Pr[N ≥ minimum], which is not lost where it is next to nothing beside 1."""
        return self._between(float(minimum), self.support[1])

    def sides(self, minimum: int) -> Sides:
        """The prior below the minimum, and from it on."""
        return Sides(self.below(minimum), self.from_on(minimum), self.part(minimum, below=True),
                     self.part(minimum, below=False))

    def _between(self, first: float, last: float) -> float:
        """Pr[first ≤ N ≤ last], the prior ending with its support."""
        low, high = self.support
        first, last = max(first, low), min(last, high)
        if last < first:
            return 0.0
        if (first, last) == (low, high):
            return 1.0
        part, whole = self._mass(np.array([first, low]), np.array([last, high]))
        return float(part / whole)

    def part(self, minimum: int, *, below: bool) -> PriorPart | None:
        """The prior given N < minimum or N ≥ minimum; None where that has no weight."""
        low, high = self.support
        low, high = (low, min(high, minimum - 1.0)) if below else (max(low, float(minimum)), high)
        if high < low:
            return None
        if high - low < SUMMED:
            n = np.arange(low, high + 1)
            logs = self._log_weight(n)
            if np.isneginf(logs.max()):
                return None
            weights = np.exp(logs - logs.max())
            return PriorPart(n, n, weights / weights.sum())
        # Blocks grow with the distance from the minimum, where the rates change.
        distance = np.unique(np.floor(2.0 ** np.arange(0, np.log2(high - low + 1) + 1e-9, 1 / BLOCKS_PER_OCTAVE))) - 1
        starts = np.append(distance[distance <= high - low], high - low + 1)
        first, last = (starts[:-1] + low, starts[1:] - 1 + low) if not below else (high - starts[1:] + 1,
                                                                                  high - starts[:-1])
        weights = self._mass(first, last)
        total = weights.sum()
        return PriorPart(first, last, weights / total) if total > 1e-250 else None

    def _log_weight(self, n: Array) -> Array:
        """Logarithm of the weight of each N, up to a constant."""
        if self.prior == "uniform":
            return np.zeros_like(n)
        if self.prior == "poisson":
            return _poisson_log_weight(n, self.prior_centre)
        return _log_normal_cell(n, self.prior_centre, self.prior_width)

    def _mass(self, first: Array, last: Array) -> Array:
        """Pr[first ≤ N ≤ last] up to a constant, each from the tail in which it is small."""
        centre = self.prior_centre
        if self.prior == "uniform":
            return last - first + 1
        if self.prior == "poisson":
            lower = pdtr(last, centre) - np.where(first > 0, pdtr(np.maximum(first - 1, 0), centre), 0)
            upper = _poisson_at_least(first, centre) - _poisson_at_least(last + 1, centre)
            return np.maximum(np.where(first > centre, upper, lower), 0)
        a, b = (first - 0.5 - centre) / self.prior_width, (last + 0.5 - centre) / self.prior_width
        return np.maximum(np.where(a > 0, ndtr(-a) - ndtr(-b), ndtr(b) - ndtr(a)), 0)


def _poisson_at_least(n: Array, mean: float) -> Array:
    """Pr[Poisson(mean) ≥ n] = P(n, mean), the regularised lower incomplete gamma function; 1 at n = 0."""
    return np.asarray(np.where(n > 0, gammainc(np.maximum(n, 1), mean), 1.0))


def _poisson_log_weight(n: Array, mean: float) -> Array:
    """ln of the Poisson probability of n, up to a constant, by Loader's saddle point (2000).

    n ln λ − λ − ln n! loses nine digits at λ = 10⁹; the deviance and Stirling's error lose none.
    """
    if mean == 0:
        return np.where(n == 0, 0.0, -np.inf)
    if mean < 1:  # few terms, and none large enough to cancel
        return np.asarray(n * np.log(mean) - gammaln(n + 1))
    positive = np.maximum(n, 1)
    logs = -deviance(positive, mean) - stirling_error(positive) - 0.5 * np.log(2 * np.pi * positive)
    return np.where(n > 0, logs, -mean)


def _log_normal_cell(n: Array, centre: float, width: float) -> Array:
    """ln of the normal probability of [n − ½, n + ½], from the tail in which it is small."""
    # By symmetry look from below the centre, where log_ndtr keeps its relative accuracy.
    distance = -np.abs(n - centre)
    upper, lower = log_ndtr((distance + 0.5) / width), log_ndtr((distance - 0.5) / width)
    return np.asarray(upper + np.log(-np.expm1(np.minimum(lower - upper, -1e-300))))
