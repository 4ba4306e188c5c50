"""AboveThreshold: one noisy threshold for all counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, parameter
from dpstudio.core.quadrature import PLACES, gauss_legendre, integrals, log_integrals
from dpstudio.core.sources import LSL17
from dpstudio.mechanisms.laws import AsymmetricLaplace
from dpstudio.mechanisms.watch.base import FAR, LEAST, FirstYes, Watch, asked_in_turn, log_sides
from dpstudio.records import dataclass
from dpstudio.vocabulary import MONOTONE, THRESHOLD_SHARE

_STEPS = 2.0 ** np.arange(60)
"""How far from where an integral bends it is cut, in widths of the panel next to that."""
_MANY = 200
"""So many columns are multiplied faster row by row."""
_NEAR, _BETWEEN = 4.0, 20
"""Scales of both noises together that lie between two thresholds at most, for an integral of so many places."""
_WIDEST, _NARROW = 8.0, 2.0
"""Scales of the noise that a panel next to a bend is wide: where panels may be halved, and where that takes longer."""
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

        run = self._runs(apart, self._density)

        def first(z: Array) -> Array:
            before, yes = run(z)
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
            run = self._runs(kept, self._density, sides=False)
            still = integrals(lambda z: run(z)[0][1:], self._ends(kept), 1e-6)
            seen = np.zeros(end, dtype=np.int64)
            seen[near] = 1
            found[:end] = np.append(1.0, np.minimum(still, 1.0))[np.cumsum(seen)]
        return found

    @property
    def _slowest(self) -> float:
        return min(self.threshold_rate, self.count_rate)

    def _ever(self, counts: Array) -> float:
        if not counts.size:
            return 0.0
        # What lies so far below the highest gets no “yes” where that gets none.
        apart = counts - self.threshold
        apart = apart[apart >= apart.max() - (FAR + math.log(counts.size)) / self.count_rate]
        run = self._runs(apart, self._density)

        def some(z: Array) -> Array:
            before, yes = run(z)
            return np.asarray(np.einsum("ij,ij->j", before[:-1], yes)[None])

        return min(float(integrals(some, self._ends(apart))[0]), 1.0)

    def _chances(self, counts: Array) -> Callable[[float], float]:
        return _AnyYes(self, counts)

    def _still(self, counts: Array, weights: Array) -> float:
        # From the first weight on the chance of “no” falls as counts rise; what is so far below that it gets a “no”
        # whatever the threshold’s noise changes nothing.
        reach, first = self._reach(counts), int(np.flatnonzero(weights)[0])
        apart = counts - self.threshold
        beyond = np.flatnonzero(apart[first:] > apart[first] + 2 * reach)
        end = first + int(beyond[0]) if beyond.size else counts.size
        near = np.flatnonzero((apart[:end] >= -2 * reach) | (np.arange(end) >= first))
        kept, each = apart[near], weights[near]
        run = self._runs(kept, self._density, sides=False)

        def some(z: Array) -> Array:
            return np.asarray(each @ run(z)[0][1:])[None]

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
            yes = np.empty_like(no)
            self._sides(no, yes)
            run = np.multiply.accumulate(no, axis=0)
            early = yes[0] + np.einsum("ij,ij->j", run[:before - 1], yes[1:before]) if before else np.zeros(z.size)
            law = np.stack([self._density(z - place) for place in places[1]])
            return np.concatenate([law * early, law * run[before:].sum(axis=0)])

        ends = self._ends(np.concatenate(places), float(places[1].min()))
        found = integrals(both, ends, 1e-12, 1e-8).reshape(2, -1)
        return np.minimum(found[0], 1.0), found[1]

    def _runs(self, apart: Array, density: Callable[[Array], Array], *, sides: bool = True
              ) -> Callable[[Array], tuple[Array, Array]]:
        """Of z a density times the probability of “no” so far, from before the first count on; and that of “yes”.

        A row a count, a column a place; without both sides the second has no rows. What one call gave the next writes
        over, for half of the time would go to making room.
        """
        rows = apart.size + 1, apart.size if sides else 0
        rooms = [np.empty(many * PLACES) for many in rows]

        def run(z: Array) -> tuple[Array, Array]:
            found, above = (room[:many * z.size].reshape(many, z.size) for room, many in zip(rooms, rows, strict=True))
            found[0], no = density(z), found[1:]
            np.subtract(z, apart[:, None], out=no)
            no *= self.count_rate
            self._sides(no, above if sides else None)
            if z.size < _MANY:
                np.multiply.accumulate(found, axis=0, out=found)
            else:
                for before, after in pairwise(found):
                    np.multiply(before, after, out=after)
            return found, above

        return run

    def _reach(self, counts: Array) -> float:
        """How far from the threshold an answer to any of the counts is sure, to a double."""
        return (FAR + math.log(max(counts.size, 1))) / self._slowest

    def _ends(self, apart: Array, least: float = 0.0, widest: float = _WIDEST) -> Array:
        """Where the integral is cut: at the bends and, where they lie far apart, ever nearer to them.

        The threshold is taken for 0; `least` is the lowest of several. A panel next to a bend is at most so many scales
        of the noise wide.
        """
        bends = np.sort(np.append(apart, 0.0))
        low = bends[0] - FAR / self.threshold_rate
        # Where many counts lie below, a “no” to all of them is likely only so much further up.
        high = bends[-1] + FAR / self.threshold_rate + math.log(max(apart.size, 1)) / self.count_rate
        steps = widest * _STEPS / max(self.threshold_rate, self.count_rate)
        ends = np.concatenate([[low], bends, [high]])
        parts = [ends]
        gaps = np.diff(ends)
        for i in np.flatnonzero(gaps > 2 * steps[0]):
            near = steps[:steps.searchsorted(gaps[i] / 2)]
            parts += [ends[i] + near] if i else []
            parts += [ends[i + 1] - near] if i < bends.size else []
        ends = np.sort(np.concatenate(parts))
        ends = ends[(ends >= least + self._lowest) & np.isfinite(ends)]
        return np.asarray(ends[np.append(True, np.diff(ends) > LEAST)])

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

    def _sides(self, x: Array, above: Array | None) -> None:
        """Put Pr[X < x] of a count's noise in the place of x, in units of its scale, and Pr[X ≥ x] there, if asked."""
        under = x < 0
        np.abs(x, out=x)
        np.negative(x, out=x)
        np.exp(x, out=x)
        x *= 0.5
        if above is not None:
            np.copyto(above, x)
            np.subtract(1, x, out=above, where=under)
        np.subtract(1, x, out=x, where=~under)

    def _log_sides(self, x: Array) -> tuple[Array, Array]:
        """The logarithms of both."""
        return log_sides(x)

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


class _AnyYes:
    """The probability that a noisy threshold lets some of the counts get a “yes”, to full relative accuracy.

    That is ∫ f(y − k) E(y) dy: the noisy threshold y has the density f about the threshold k, and E(y), that the noise
    of some count reaches y, does not depend on k. Of a first k the parts with y < k and with y > k are found apart. As
    f falls exponentially either way, those of another k near by are the same times a factor, but for an integral from
    the one to the other. Thresholds and counts are less the highest count, above which E does not bend.
    """

    def __init__(self, watch: AboveThreshold, counts: Array) -> None:
        kept = counts[counts >= -(FAR + math.log(counts.size)) / watch.count_rate]
        self._watch, self._run = watch, watch._runs(kept, np.ones_like)
        # Below so many counts that a “no” to all is less than a double's last digit it does not matter where E bends.
        bends = np.sort(kept)[::-1]
        higher = np.arange(bends.size)
        no = higher * math.log(2) + (np.cumsum(bends) - (higher + 1) * bends) * watch.count_rate
        self._bends = bends[no < FAR]
        self._peak = float(watch._density(np.zeros(1))[0])
        self._at, self._below, self._above = math.inf, 0.0, 0.0

    def __call__(self, threshold: float) -> float:
        watch, one = self._watch, self._watch.threshold_rate
        near = abs(threshold - self._at) * (one + watch.count_rate) <= _NEAR
        if not near or min(threshold, self._at) < 0:
            self._below, self._above = self._parts(threshold)
            self._at = threshold
        below, above = self._below, self._above
        if step := threshold - self._at:
            nodes, weights = gauss_legendre(_BETWEEN)
            between = self._some(self._at + step * nodes) * weights * step * self._peak
            above = math.exp(one * step) * (above - float(between @ np.exp(-one * step * nodes)))
            if watch._lowest < 0:
                below = math.exp(-one * step) * (below + float(between @ np.exp(one * step * nodes)))
        return min(below + above, 1.0)

    def _parts(self, threshold: float) -> tuple[float, float]:
        """The parts below the threshold and above it."""
        def both(z: Array) -> Array:
            each = self._watch._density(z) * self._some(z + threshold)
            return np.where(np.stack([z < 0, z >= 0]), each, 0.0)

        below, above = integrals(both, self._watch._ends(self._bends - threshold, widest=_NARROW))
        return float(below), float(above)

    def _some(self, y: Array) -> Array:
        """E(y)."""
        before, yes = self._run(y)
        return np.asarray(np.einsum("ij,ij->j", before[:-1], yes))
