"""Watching a growing count: when is “at least so many” first said?

A watch looks at the counts one after the other, says “no” while it takes them for too small, says “yes” once, and
stops. What it gives away is when that was.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import DURFEE23, LSL17
from dpstudio.core.special import log_integrals
from dpstudio.mechanisms.mechanism import Mechanism, promised
from dpstudio.vocabulary import EPSILON, MONOTONE, THRESHOLD, THRESHOLD_SHARE, N

_FAR = 45.0
"""e^−45 of what lies nearer is beyond a double's digits."""
_WHO = "A record that is counted from some time on"


@dataclass(frozen=True, slots=True)
class FirstYes:
    """When “yes” is first said: ln of the probability of each time, and of never."""

    log_at: Array
    log_never: float


@dataclass(frozen=True)
class Watch(Mechanism):
    """A mechanism that is asked of one count after the other whether it has reached a threshold, until it says “yes”.

    Counts are whole and at least 0, a vector in the order of time.
    """

    @abstractmethod
    def _law(self, counts: Array) -> FirstYes:
        """When “yes” is first said to these counts."""

    @abstractmethod
    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The place of the first “yes” among the counts in so many runs, their number where it is never said."""

    def first_yes(self, counts: npt.ArrayLike) -> Array:
        """The probability that the first “yes” comes at each count, in order; what lacks to 1 is `never`."""
        return np.exp(self._of(counts).log_at)

    def log_first_yes(self, counts: npt.ArrayLike) -> Array:
        """ln of `first_yes`, also where that is too small for a double."""
        return self._of(counts).log_at.copy()

    def never(self, counts: npt.ArrayLike) -> float:
        """The probability that no count gets a “yes”, to full relative accuracy."""
        return math.exp(self._of(counts).log_never)

    def sample(self, counts: npt.ArrayLike, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The place of the first “yes” in so many runs, counted from 0; the number of counts where it is never said."""
        return self._sample(_vector(counts), size, rng)

    def _of(self, counts: npt.ArrayLike) -> FirstYes:
        return _remembered(self, tuple(_vector(counts).tolist()))


@lru_cache(maxsize=16)
def _remembered(watch: Watch, counts: tuple[float, ...]) -> FirstYes:
    return watch._law(np.array(counts))


def _vector(counts: npt.ArrayLike) -> Array:
    given = numbers_in(counts, N, "counts")
    if given.ndim != 1:
        raise InvalidParameter("counts", "a sequence of whole numbers", counts)
    return given


@dataclass(frozen=True)
class AboveThreshold(Watch):
    """A noisy threshold, drawn once, that every count with noise of its own is compared with; both Laplace.

    The threshold's noise has scale 1/ε₁, ε₁ = share · ε, that of the counts 1/ε₂, ε₂ = (1 − share) ε, and twice as
    much where one record may raise some counts and lower others (`monotone` false): ε in all, however many counts
    get a “no”. [Dwork & Roth 2014, algorithm 1, has share ½ and not monotone; Lyu, Su & Li 2017, algorithm 7,
    theorems 4 and 5.]
    """

    name = "above threshold"
    source = LSL17

    epsilon: float = parameter(EPSILON)
    threshold: float = parameter(THRESHOLD)
    share: float = parameter(THRESHOLD_SHARE, 0.5)
    monotone: bool = parameter(MONOTONE, True)

    @property
    def promise(self) -> str:
        who = _WHO if self.monotone else "A record that moves each count by at most one, up or down,"
        return promised(self.epsilon, 0.0, who)

    @property
    def threshold_rate(self) -> float:
        """ε₁, 1 over the scale of the threshold's noise."""
        return self.share * self.epsilon

    @property
    def count_rate(self) -> float:
        """ε₂, or half of it, 1 over the scale of each count's noise."""
        return (1 - self.share) * self.epsilon / (1 if self.monotone else 2)

    def _law(self, counts: Array) -> FirstYes:
        # Pr[first yes at t] = ∫ f(z) Π_{i<t} Pr[X < z − d_i] Pr[X ≥ z − d_t] dz, d the counts less the threshold, z
        # the threshold's noise and X a count's. All factors are log-concave and bend at 0 and at the d_i alone.
        apart = counts - self.threshold
        ends = self._ends(np.append(apart, 0.0), counts.size)

        def logs(z: Array) -> Array:
            x = (z[:, None] - apart) * self.count_rate
            below, above = self._log_sides(x)
            before = np.cumsum(below, axis=1)
            each = above
            each[:, 1:] += before[:, :-1]
            last = before[:, -1:] if counts.size else np.zeros((z.size, 1))
            return np.append(each, last, axis=1) + self._log_density(z)[:, None]

        found = log_integrals(logs, ends)
        return FirstYes(found[:-1], min(float(found[-1]), 0.0))

    def _ends(self, bends: Array, many: int) -> Array:
        """Where the integral is cut: at the bends and, where they lie far apart, ever nearer to them."""
        bends = np.unique(bends)
        low = bends[0] - _FAR / self.threshold_rate
        # Where many counts lie below, a “no” to all of them is likely only so much further up.
        high = bends[-1] + _FAR / self.threshold_rate + math.log(max(many, 1)) / self.count_rate
        steps = 2.0 ** np.arange(0, 60) / max(self.threshold_rate, self.count_rate)
        gaps = np.diff(np.concatenate([[low], bends, [high]]))
        parts = [bends, [low, high]]
        for bend, before, after in zip(bends, gaps[:-1], gaps[1:], strict=True):
            parts += [bend - steps[steps < before / 2], bend + steps[steps < after / 2]]
        ends = np.unique(np.concatenate(parts))
        return ends[(ends >= self._lowest) & np.isfinite(ends)]

    @property
    def _lowest(self) -> float:
        """The least noise of the threshold."""
        return -math.inf

    def _log_density(self, z: Array) -> Array:
        """ln of the density of the threshold's noise."""
        return math.log(self.threshold_rate / 2) - np.abs(z) * self.threshold_rate

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        """ln Pr[X < x] and ln Pr[X ≥ x] of a count's noise, in units of its scale."""
        small = -np.abs(x) - math.log(2)
        large = np.log1p(-np.exp(small))
        return np.where(x < 0, small, large), np.where(x < 0, large, small)

    def _noise(self, rng: np.random.Generator, rate: float, shape: tuple[int, ...]) -> Array:
        return rng.laplace(0.0, 1 / rate, shape)

    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = np.full(size, counts.size, dtype=np.int64)
        level = self.threshold + self._noise(rng, self.threshold_rate, (size,))
        for t, count in enumerate(counts):
            waiting = np.flatnonzero(found == counts.size)
            if not waiting.size:
                break
            yes = count + self._noise(rng, self.count_rate, (waiting.size,)) >= level[waiting]
            found[waiting[yes]] = t
        return found


@dataclass(frozen=True)
class ExponentialAboveThreshold(AboveThreshold):
    """The same with exponential noise, which is never negative and has half the variance: the same ε.

    A record more is made up for by a threshold one higher, where the density of its noise is e^−ε₁ times as high; so
    noise to one side is enough. [Durfee 2023.]
    """

    name = "above threshold, exponential noise"
    source = DURFEE23

    @property
    def _lowest(self) -> float:
        return 0.0

    def _log_density(self, z: Array) -> Array:
        return math.log(self.threshold_rate) - z * self.threshold_rate

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        over = np.maximum(x, 0.0)
        with np.errstate(divide="ignore"):
            return np.log(-np.expm1(-over)), -over

    def _noise(self, rng: np.random.Generator, rate: float, shape: tuple[int, ...]) -> Array:
        return rng.exponential(1 / rate, shape)


