"""Watching a growing count: when is “at least so many” first said?

A watch looks at the counts one after the other, says “no” while it takes them for too small, says “yes” once, and
stops. What it gives away is when that was.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.search import falling_root
from dpstudio.core.sources import DMNS06, DURFEE23, LSL17
from dpstudio.core.special import integrals, log_integrals
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.mechanism import Mechanism, promised
from dpstudio.vocabulary import EPSILON, MONOTONE, THRESHOLD, THRESHOLD_SHARE, N

_FAR = 45.0
"""e^−45 of what lies nearer is beyond a double's digits."""
_WIDE = 8.0
"""Scales of the noise that one panel of an integral may be wide, far from where it bends."""
_SMALL = 1e-250
"""What is less is taken from its logarithm."""
_LEAST = 1e-300
"""A rate below it is no other to a double, but its scale is one that none holds."""
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

    epsilon: float = parameter(EPSILON)
    threshold: float = parameter(THRESHOLD)

    @abstractmethod
    def _law(self, counts: Array) -> FirstYes:
        """When “yes” is first said to these counts."""

    @abstractmethod
    def _waiting(self, counts: Array) -> Array:
        """The probability that no “yes” was said up to each count, to 1e-16."""

    @abstractmethod
    def _ever(self, counts: Array) -> float:
        """The probability that some count gets a “yes”, to full relative accuracy."""

    @abstractmethod
    def traded(self, counts: Array, before: int, thresholds: Array) -> tuple[Array, Array]:
        """With other thresholds: Pr[“yes” to one of the first counts], and how many later ones lack one on average."""

    @abstractmethod
    def gaps(self, counts: Array, rng: np.random.Generator) -> Array:
        """By how much each noisy count lies above the noisy threshold, in one run: “yes” comes where that is ≥ 0."""

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

    def waiting(self, counts: npt.ArrayLike) -> Array:
        """The probability that no “yes” was said up to each count, that one included: to 1e-16, and fast."""
        return self._waiting(_vector(counts))

    def ever(self, counts: npt.ArrayLike) -> float:
        """The probability that some count gets a “yes”, the complement of `never`, to full relative accuracy."""
        return self._ever(_vector(counts))

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


def threshold_for(build: Callable[[float], Watch], counts: npt.ArrayLike, probability: float) -> float:
    """The threshold with which a watch says “yes” to some of these counts with a probability in (0, 1), to 1e-9.

    `build` makes the watch of a threshold: the higher it is, the less likely is any “yes”. There must be a count.
    """
    given = _vector(counts)
    top, wanted = float(given.max()), math.log(probability)
    # Past all counts the chance falls by e in a scale of the noise at most, and not much more slowly.
    return falling_root(lambda threshold: math.log(max(build(threshold)._ever(given), _LEAST)) - wanted, top,
                        1 / build(top).epsilon)


@dataclass(frozen=True)
class EachTime(Watch):
    """A decision of its own at each time, with Laplace noise drawn anew and ε for every one of them.

    What k of them keep follows by composition, as if all k were made. That none is made after the first “yes” saves
    nothing: of a count that lies high above the threshold from the first time on, k times “no” is e^(kε) times as
    likely as with a record more. [Dwork, McSherry, Nissim & Smith 2006.]
    """

    name = "asking each time"
    source = DMNS06

    @property
    def promise(self) -> str:
        return promised(self.epsilon, 0.0, "At each time, one record more or less")

    @property
    def decision(self) -> LaplaceDecision:
        """The decision of each time."""
        return LaplaceDecision(self.epsilon, self.threshold)

    def _law(self, counts: Array) -> FirstYes:
        log_no = np.cumsum(self.decision.log_reject(counts))
        before = np.append(0.0, log_no)
        return FirstYes(before[:-1] + self.decision.log_accept(counts), float(before[-1]))

    def _waiting(self, counts: Array) -> Array:
        found: Array = np.exp(np.cumsum(self.decision.log_reject(counts)))
        return found

    def _ever(self, counts: Array) -> float:
        return -math.expm1(float(np.sum(self.decision.log_reject(counts))))

    def traded(self, counts: Array, before: int, thresholds: Array) -> tuple[Array, Array]:
        log_no = np.cumsum([LaplaceDecision(self.epsilon, float(k)).log_reject(counts) for k in thresholds], axis=1)
        alarm = -np.expm1(log_no[:, before - 1]) if before else np.zeros(thresholds.size)
        return alarm, np.asarray(np.exp(log_no[:, before:]).sum(axis=1))

    def gaps(self, counts: Array, rng: np.random.Generator) -> Array:
        return np.asarray(counts + rng.laplace(0.0, 1 / self.epsilon, counts.size) - self.threshold)

    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        decision = self.decision
        return _asked(counts, size, lambda count, waiting: decision.sample(count, waiting.size, rng))


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

    deviations: ClassVar[float] = math.sqrt(2)
    """Standard deviation of noise of scale 1."""

    share: float = parameter(THRESHOLD_SHARE, 0.5)
    monotone: bool = parameter(MONOTONE, True)

    @property
    def promise(self) -> str:
        who = _WHO if self.monotone else "A record that moves each count by at most one, up or down,"
        return promised(self.epsilon, 0.0, who)

    @property
    def threshold_rate(self) -> float:
        """ε₁, 1 over the scale of the threshold's noise."""
        return max(self.share * self.epsilon, _LEAST)

    @property
    def count_rate(self) -> float:
        """ε₂, or half of it, 1 over the scale of each count's noise."""
        return max((1 - self.share) * self.epsilon / (1 if self.monotone else 2), _LEAST)

    @property
    def staying_epsilon(self) -> float:
        """The ε that a record pays which stays once it is counted: the larger of ε₁ and the ε₂ of one count, exactly.

        All counts from its first on rise by one. A “no” to them and the “yes” after are as likely as before at a noisy
        threshold one higher, which costs ε₁; where they are likelier than before, only the “yes” is, by e^ε₂ at most.
        """
        return max(self.threshold_rate, self.count_rate)

    # Pr[first yes at t] = ∫ f(z) Π_{i<t} Pr[X < z − d_i] Pr[X ≥ z − d_t] dz, d the counts less the threshold, z the
    # threshold's noise and X a count's. All factors are log-concave and bend at 0 and at the d_i alone.

    def _law(self, counts: Array) -> FirstYes:
        apart = counts - self.threshold
        ends = self._ends(apart)

        def logs(z: Array) -> Array:
            below, above = self._log_sides((z[:, None] - apart) * self.count_rate)
            before = np.cumsum(below, axis=1)
            each = above
            each[:, 1:] += before[:, :-1]
            last = before[:, -1:] if counts.size else np.zeros((z.size, 1))
            return np.append(each, last, axis=1) + self._log_density(z)[:, None]

        def first(z: Array) -> Array:
            before, yes = self._run(z, apart)
            yes *= before[:-1]
            return np.vstack([yes, before[-1:]])

        plain = integrals(first, ends)
        found = np.log(plain) if (plain > _SMALL).all() else log_integrals(logs, ends)
        return FirstYes(found[:-1], min(float(found[-1]), 0.0))

    def _waiting(self, counts: Array) -> Array:
        # What is so far below that it hardly ever gets a “yes” changes nothing, nor what comes after a sure one.
        reach = self._reach(counts)
        apart = counts - self.threshold
        sure = np.flatnonzero(apart > reach)
        end = int(sure[0]) if sure.size else counts.size
        near = np.flatnonzero(apart[:end] >= -reach)
        found = np.ones(counts.size)
        found[end:] = 0.0
        if near.size:
            kept = apart[near]
            still = integrals(lambda z: self._run(z, kept, sides=False)[0][1:], self._ends(kept), 1e-6)
            seen = np.zeros(end, dtype=np.int64)
            seen[near] = 1
            found[:end] = np.append(1.0, np.minimum(still, 1.0))[np.cumsum(seen)]
        return found

    def _ever(self, counts: Array) -> float:
        if not counts.size:
            return 0.0
        # What lies so far below the highest gets no “yes” where that gets none.
        apart = counts - self.threshold
        apart = apart[apart >= apart.max() - (_FAR + math.log(counts.size)) / self.count_rate]

        def some(z: Array) -> Array:
            before, yes = self._run(z, apart)
            return np.asarray(np.einsum("ij,ij->j", before[:-1], yes)[None])

        return min(float(integrals(some, self._ends(apart))[0]), 1.0)

    def traded(self, counts: Array, before: int, thresholds: Array) -> tuple[Array, Array]:
        # What is said depends on the noisy threshold alone, of which each threshold makes another law. What comes after
        # a sure “yes” changes nothing, nor what is far below before any other.
        last = float(thresholds.max())
        far = np.flatnonzero(counts > last + self._reach(counts))
        near = np.flatnonzero(counts[:before] >= float(thresholds.min()) - self._reach(counts))
        begin, end = int(near[0]) if near.size else before, int(far[0]) + 1 if far.size else counts.size
        counts = counts[begin:max(end, begin + 1)]
        before = min(before - begin, counts.size)
        places = (counts - last, thresholds - last)

        def both(z: Array) -> Array:
            no, yes = self._sides((z - places[0][:, None]) * self.count_rate, sides=True)
            run = np.multiply.accumulate(no, axis=0)
            early = yes[0] + np.einsum("ij,ij->j", run[:before - 1], yes[1:before]) if before else np.zeros(z.size)
            law = np.stack([self._density(z - place) for place in places[1]])
            return np.concatenate([law * early, law * run[before:].sum(axis=0)])

        ends = self._ends(np.concatenate(places), float(places[1].min()))
        found = integrals(both, ends, 1e-12, 1e-8).reshape(2, -1)
        return np.minimum(found[0], 1.0), found[1]

    def _run(self, z: Array, apart: Array, *, sides: bool = True) -> tuple[Array, Array]:
        """The density of z times the probability of “no” so far, from before the first count on; and that of “yes”.

        A row a count, a column a place.
        """
        below, above = self._sides((z - apart[:, None]) * self.count_rate, sides=sides)
        run = np.concatenate([self._density(z)[None], below])
        return np.asarray(np.multiply.accumulate(run, axis=0, out=run)), above

    def _reach(self, counts: Array) -> float:
        """How far from the threshold an answer to any of the counts is sure, to a double."""
        return (_FAR + math.log(max(counts.size, 1))) / min(self.threshold_rate, self.count_rate)

    def _ends(self, apart: Array, least: float = 0.0) -> Array:
        """Where the integral is cut: at the bends and, where they lie far apart, ever nearer to them.

        The threshold is taken for 0; `least` is the lowest of several.
        """
        bends = np.unique(np.append(apart, 0.0))
        low = bends[0] - _FAR / self.threshold_rate
        # Where many counts lie below, a “no” to all of them is likely only so much further up.
        high = bends[-1] + _FAR / self.threshold_rate + math.log(max(apart.size, 1)) / self.count_rate
        steps = _WIDE * 2.0 ** np.arange(0, 60) / max(self.threshold_rate, self.count_rate)
        gaps = np.diff(np.concatenate([[low], bends, [high]]))
        parts = [bends, np.array([low, high])]
        for bend, before, after in zip(bends, gaps[:-1], gaps[1:], strict=True):
            if max(before, after) > 2 * steps[0]:
                parts += [bend - steps[steps < before / 2], bend + steps[steps < after / 2]]
        ends = np.unique(np.concatenate(parts))
        ends = ends[(ends >= least + self._lowest) & np.isfinite(ends)]
        return np.asarray(ends[np.diff(ends, prepend=-np.inf) > _LEAST])

    @property
    def _lowest(self) -> float:
        """The least noise of the threshold."""
        return -math.inf

    def _density(self, z: Array) -> Array:
        """The density of the threshold's noise."""
        found: Array = np.exp(self._log_density(z))
        return found

    def _log_density(self, z: Array) -> Array:
        return math.log(self.threshold_rate / 2) - np.abs(z) * self.threshold_rate

    def _sides(self, x: Array, *, sides: bool) -> tuple[Array, Array]:
        """Pr[X < x] and, with both sides, Pr[X ≥ x] of a count's noise, in units of its scale."""
        small = np.exp(-np.abs(x))
        small *= 0.5
        large = 1 - small
        under = x < 0
        return np.where(under, small, large), np.where(under, large, small) if sides else large

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        """The logarithms of both."""
        small = -np.abs(x) - math.log(2)
        large = np.log1p(-np.exp(small))
        return np.where(x < 0, small, large), np.where(x < 0, large, small)

    def _noise(self, rng: np.random.Generator, rate: float, size: int) -> Array:
        return rng.laplace(0.0, 1 / rate, size)

    def gaps(self, counts: Array, rng: np.random.Generator) -> Array:
        level = self.threshold + self._noise(rng, self.threshold_rate, 1)
        return np.asarray(counts + self._noise(rng, self.count_rate, counts.size) - level)

    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        level = self.threshold + self._noise(rng, self.threshold_rate, size)

        def says(count: float, waiting: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
            return np.asarray(count + self._noise(rng, self.count_rate, waiting.size) >= level[waiting])

        return _asked(counts, size, says)


@dataclass(frozen=True)
class ExponentialAboveThreshold(AboveThreshold):
    """The same with exponential noise, which is never negative and has half the variance: the same ε.

    A record more is made up for by a threshold one higher, where the density of its noise is e^−ε₁ times as high; so
    noise to one side is enough. [Durfee 2023.]
    """

    name = "above threshold, exponential noise"
    source = DURFEE23
    deviations = 1.0

    @property
    def _lowest(self) -> float:
        return 0.0

    def _density(self, z: Array) -> Array:
        return np.where(z < 0, 0.0, self.threshold_rate * np.exp(-np.maximum(z, 0.0) * self.threshold_rate))

    def _log_density(self, z: Array) -> Array:
        return math.log(self.threshold_rate) - z * self.threshold_rate

    def _sides(self, x: Array, *, sides: bool) -> tuple[Array, Array]:  # noqa: ARG002 - the other is at hand
        over = -np.maximum(x, 0.0)
        return -np.expm1(over), np.exp(over)

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        over = np.maximum(x, 0.0)
        with np.errstate(divide="ignore"):
            return np.log(-np.expm1(-over)), -over

    def _noise(self, rng: np.random.Generator, rate: float, size: int) -> Array:
        return rng.exponential(1 / rate, size)


def _asked(counts: Array, size: int, says: Callable[[float, npt.NDArray[np.int64]], npt.NDArray[np.bool_]]
           ) -> npt.NDArray[np.int64]:
    """Ask of one count after the other those runs that still wait, as (count, which) → who says “yes”."""
    found: npt.NDArray[np.int64] = np.full(size, counts.size, dtype=np.int64)
    waiting = np.arange(size)
    for t, count in enumerate(counts):
        if not waiting.size:
            break
        yes = says(float(count), waiting)
        found[waiting[yes]] = t
        waiting = waiting[~yes]
    return found
