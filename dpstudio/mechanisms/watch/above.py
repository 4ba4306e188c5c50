"""AboveThreshold: one noisy threshold for all counts, with two kinds of noise."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, parameter
from dpstudio.core.quadrature import integrals, log_integrals
from dpstudio.core.sources import DURFEE23, LSL17
from dpstudio.mechanisms.laws import AsymmetricLaplace
from dpstudio.mechanisms.watch.base import LEAST, FirstYes, Watch, asked_in_turn
from dpstudio.records import dataclass
from dpstudio.vocabulary import MONOTONE, THRESHOLD_SHARE

_FAR = 45.0
"""e^−45 of what lies nearer is beyond a double's digits."""
_WIDE = 8.0
"""Scales of the noise that one panel of an integral may be wide, far from where it bends."""
_TINIEST = 1e-290
"""What is less is not told from 0."""
_SMALL = 1e-250
"""What is less is taken from its logarithm."""


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
    def threshold_rate(self) -> float:
        """ε₁, 1 over the scale of the threshold's noise."""
        return max(self.share * self.epsilon, LEAST)

    @property
    def count_rate(self) -> float:
        """ε₂, or half of it, 1 over the scale of each count's noise."""
        return max((1 - self.share) * self.epsilon / (1 if self.monotone else 2), LEAST)

    def given_away(self, times: int, *, stays: bool) -> AsymmetricLaplace:
        """Of a record that raises counts, at so many times: a < ε₁ with it, b where “yes” is likelier.

        ε₂ a “no”, or ε₁ for all of them at a noisy threshold one higher, whichever is less; ε₂ for the “yes”, which is
        of a count that the record raises too, unless it is gone again. So of k “no” min(kε₂, ε₁), of k − 1 “no” and a
        “yes” without the record min((k − 1)ε₂, ε₁ + ε₂), and of a “yes” with it ε₂, or min(ε₁, ε₂) of the first count:
        for a record that `stays` ε is max(ε₁, ε₂), and for one that comes and goes ε₁ + ε₂, but for a few times.
        """
        one, two = self.threshold_rate, self.count_rate
        fewer = min(times * two, one)
        if not stays:
            fewer = max(fewer, min((times - 1) * two, one + two))
        return AsymmetricLaplace(fewer, two if times > 1 else min(one, two))

    def attained(self, times: int, *, stays: bool) -> bool:
        """Whether that ε is reached by counts high enough, whatever the threshold.

        What a “no” shows is; what a “yes” shows where two “no” or more to high counts came before it, else only of
        a count far below the threshold.
        """
        away = self.given_away(times, stays=stays)
        return away.fewer >= away.more or times > 2

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

    @property
    def _slowest(self) -> float:
        return min(self.threshold_rate, self.count_rate)

    def _ever(self, counts: Array, agree: float = 1e-10) -> float:
        if not counts.size:
            return 0.0
        # What lies so far below the highest gets no “yes” where that gets none.
        apart = counts - self.threshold
        apart = apart[apart >= apart.max() - (_FAR + math.log(counts.size)) / self.count_rate]

        def some(z: Array) -> Array:
            before, yes = self._run(z, apart)
            return np.asarray(np.einsum("ij,ij->j", before[:-1], yes)[None])

        return min(float(integrals(some, self._ends(apart), agree=agree)[0]), 1.0)

    def _still(self, counts: Array, weights: Array) -> float:
        # From the first weight on the chance of “no” falls as counts rise; what is so far below that it gets a “no”
        # whatever the threshold’s noise changes nothing.
        reach, first = self._reach(counts), int(np.flatnonzero(weights)[0])
        apart = counts - self.threshold
        beyond = np.flatnonzero(apart[first:] > apart[first] + 2 * reach)
        end = first + int(beyond[0]) if beyond.size else counts.size
        near = np.flatnonzero((apart[:end] >= -2 * reach) | (np.arange(end) >= first))
        kept, each = apart[near], weights[near]

        def some(z: Array) -> Array:
            return np.asarray(each @ self._run(z, kept, sides=False)[0][1:])[None]

        return float(integrals(some, self._ends(kept), _TINIEST)[0])

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
            no = (z - places[0][:, None]) * self.count_rate
            yes = self._sides(no, yes=True)
            run = np.multiply.accumulate(no, axis=0)
            early = yes[0] + np.einsum("ij,ij->j", run[:before - 1], yes[1:before]) if before else np.zeros(z.size)
            law = np.stack([self._density(z - place) for place in places[1]])
            return np.concatenate([law * early, law * run[before:].sum(axis=0)])

        ends = self._ends(np.concatenate(places), float(places[1].min()))
        found = integrals(both, ends, 1e-12, 1e-8).reshape(2, -1)
        return np.minimum(found[0], 1.0), found[1]

    def _run(self, z: Array, apart: Array, *, sides: bool = True) -> tuple[Array, Array]:
        """The density of z times the probability of “no” so far, from before the first count on; and that of “yes”.

        A row a count, a column a place. Without both sides the second is anything.
        """
        run = np.empty((apart.size + 1, z.size))  # filled in place: half of the time would go to making room
        run[0], no = self._density(z), run[1:]
        np.subtract(z, apart[:, None], out=no)
        no *= self.count_rate
        above = self._sides(no, yes=sides)
        return np.asarray(np.multiply.accumulate(run, axis=0, out=run)), above

    def _reach(self, counts: Array) -> float:
        """How far from the threshold an answer to any of the counts is sure, to a double."""
        return (_FAR + math.log(max(counts.size, 1))) / self._slowest

    def _ends(self, apart: Array, least: float = 0.0) -> Array:
        """Where the integral is cut: at the bends and, where they lie far apart, ever nearer to them.

        The threshold is taken for 0; `least` is the lowest of several.
        """
        bends = np.unique(np.append(apart, 0.0))
        low = bends[0] - _FAR / self.threshold_rate
        # Where many counts lie below, a “no” to all of them is likely only so much further up.
        high = bends[-1] + _FAR / self.threshold_rate + math.log(max(apart.size, 1)) / self.count_rate
        steps = _WIDE * 2.0 ** np.arange(0, 60) / max(self.threshold_rate, self.count_rate)
        all_ends = np.concatenate([[low], bends, [high]])
        gaps = all_ends[1:] - all_ends[:-1]
        parts = [bends, np.array([low, high])]
        wide = np.flatnonzero(np.maximum(gaps[:-1], gaps[1:]) > 2 * steps[0])
        for bend, before, after in zip(bends[wide], gaps[:-1][wide], gaps[1:][wide], strict=True):
            parts += [bend - steps[steps < before / 2], bend + steps[steps < after / 2]]
        ends = np.unique(np.concatenate(parts))
        ends = ends[(ends >= least + self._lowest) & np.isfinite(ends)]
        apart_enough = np.ones(ends.size, dtype=bool)
        apart_enough[1:] = ends[1:] - ends[:-1] > LEAST
        return np.asarray(ends[apart_enough])

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

    def _sides(self, x: Array, *, yes: bool) -> Array:
        """Put Pr[X < x] of a count's noise in the place of x, in units of its scale; Pr[X ≥ x], if that is asked."""
        under = x < 0
        small = np.abs(x)
        np.negative(small, out=small)
        np.exp(small, out=small)
        small *= 0.5
        large = np.subtract(1, small, out=x)
        above = np.where(under, large, small) if yes else small
        np.copyto(x, small, where=under)
        return above

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

        return asked_in_turn(counts, size, says)


@dataclass(frozen=True)
class ExponentialAboveThreshold(AboveThreshold):
    """The same with exponential noise, which is never negative and has half the variance: the same ε.

    A record more is made up for by a threshold one higher, where the density of its noise is e^−ε₁ times as high; so
    noise to one side is enough. [Durfee 2023.]
    """

    name = "above threshold, exponential noise"
    source = DURFEE23
    deviations = 1.0

    def given_away(self, times: int, *, stays: bool) -> AsymmetricLaplace:
        """As of Laplace noise, but that a “no” is impossible where the threshold’s noise is lower than a count.

        So a “no” shows ε₁, a “no” and then a “yes” without the record ε₁ + ε₂, from the first count on.
        """
        one, two = self.threshold_rate, self.count_rate
        return AsymmetricLaplace(one if stays or times == 1 else one + two, two)

    def attained(self, times: int, *, stays: bool) -> bool:
        away = self.given_away(times, stays=stays)
        return away.fewer >= away.more or times > 1 or self.threshold >= 1

    @property
    def _lowest(self) -> float:
        return 0.0

    def _density(self, z: Array) -> Array:
        return np.where(z < 0, 0.0, self.threshold_rate * np.exp(-np.maximum(z, 0.0) * self.threshold_rate))

    def _log_density(self, z: Array) -> Array:
        return math.log(self.threshold_rate) - z * self.threshold_rate

    def _sides(self, x: Array, *, yes: bool) -> Array:
        np.maximum(x, 0.0, out=x)
        np.negative(x, out=x)
        above = np.exp(x) if yes else x
        np.expm1(x, out=x)
        np.negative(x, out=x)
        return above

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        over = np.maximum(x, 0.0)
        with np.errstate(divide="ignore"):
            return np.log(-np.expm1(-over)), -over

    def _noise(self, rng: np.random.Generator, rate: float, size: int) -> Array:
        return rng.exponential(1 / rate, size)
