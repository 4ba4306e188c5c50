"""How likely noise on the counts is to change which action looks better."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in
from dpstudio.core.declare import Array
from dpstudio.models.policy.beliefs import Counted
from dpstudio.vocabulary import COST, COUNT_EPSILON

FAR = 700.0
"""In scales of the noise: beyond, a double knows no noise."""
LIKELY = 25.0
"""In scales of the noise: what is put on a lattice lies within, but for a probability of 1.4e-11."""


UNLIKELY = 1e-18


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of acting and of not acting, with the ends between which that of acting surely lies."""

    act: Array
    wait: Array
    low: Array
    high: Array


@dataclass(frozen=True, slots=True)
class _Terms:
    """Acting looks better where Σ βⱼ Zⱼ > c + C: each Z is κ and Laplace noise, kept between its ends.

    The weights of the terms fall, so that the first two say most.
    """

    scale: Array
    at: Array
    low: Array
    high: Array
    threshold: float

    def mirrored(self) -> _Terms:
        """The same seen from the other side: Σ β(−Z) > −c is where not acting looks better."""
        return _Terms(self.scale, -self.at, -self.high, -self.low, -self.threshold)


@dataclass(frozen=True, eq=False)
class NoisyChoice:
    """The action that looks better, from counts with Laplace noise of scale 1/ε on each.

    The posterior means are linear in the counts, so acting looks better where a weighted sum of 2d noisy counts exceeds
    a threshold. `clipped` counts are put back to [0, n] first, which costs no privacy; the note leaves them as they
    are. Two terms are summed exactly, piece by piece of their exponentials; for d > 1 the lesser terms are rounded to
    a lattice of `cells` and convolved, and the largest possible rounding gives the ends of an interval. [Seeds 000 and
    002, "Differential Privacy".]
    """

    counted: Counted
    clipped: bool = True
    cells: int = 16_384
    enclosed: bool = True
    """Whether the ends are asked for; a curve does without."""

    def chances(self, epsilon: npt.ArrayLike, cost: npt.ArrayLike) -> Chances:
        """Probabilities of acting, for ε in (0, ∞) and costs in [0, ∞) of shapes that fit each other.

        For d = 1 both probabilities are exact and keep their relative accuracy near 0.
        """
        e, c = np.broadcast_arrays(numbers_in(epsilon, COUNT_EPSILON, "epsilon"), numbers_in(cost, COST))
        if len(self._terms.scale) <= 2:
            act, wait = _few(self._terms, e, c), _few(self._terms.mirrored(), e, -c)
            return Chances(act, wait, act, act)
        act, low, high = np.empty(e.shape), np.empty(e.shape), np.empty(e.shape)
        for one in np.unique(e):
            same = e == one
            threshold = self._terms.threshold + c[same]
            act[same], low[same], high[same] = _many(self._terms, float(one), threshold, self.cells, self.enclosed)
        return Chances(act, 1 - act, low, high)

    @cached_property
    def _terms(self) -> _Terms:
        """Sick people without action speak for acting, and so do well people with it."""
        counted = self.counted
        waiting, acting = counted.untreated, counted.treated
        with_waiting, with_acting = -counted.weights / waiting.weight, -counted.factor * counted.weights / acting.weight
        scale = np.concatenate([with_waiting, with_acting])
        at = np.concatenate([waiting.sick, acting.people - acting.sick])
        people = np.repeat([waiting.people, acting.people], len(with_waiting))
        threshold = (float(np.sum(with_acting)) * (acting.prior_sick + acting.people)
                     - float(np.sum(with_waiting)) * waiting.prior_sick)
        order = np.argsort(-scale, kind="stable")
        order = order[scale[order] > 0]
        ends = (np.zeros(len(order)), people[order]) if self.clipped else (
            np.full(len(order), -np.inf), np.full(len(order), np.inf))
        return _Terms(scale[order], at[order], *ends, threshold)


def _few(terms: _Terms, epsilon: Array, cost: Array) -> Array:
    """Pr[Σ βZ > c + C] for two terms at most."""
    threshold = terms.threshold + cost
    match len(terms.scale):
        case 0:
            return np.where(threshold < 0, 1.0, 0.0) + 0 * epsilon
        case 1:
            return _tail(terms, 0, epsilon, threshold / terms.scale[0])
        case _:
            return np.clip(_pair(terms, epsilon, threshold), 0, 1)


def _tail(terms: _Terms, j: int, epsilon: Array, z: Array) -> Array:
    """Pr[Zⱼ > z]."""
    away = epsilon * (z - terms.at[j])
    half = np.exp(-np.abs(away)) / 2
    inside = np.where(away < 0, 1 - half, half)
    return np.where(z < terms.low[j], 1.0, np.where(z >= terms.high[j], 0.0, inside))


def _pair(terms: _Terms, epsilon: Array, threshold: Array) -> Array:
    """Pr[β₀Z₀ + β₁Z₁ > c]: the ends of Z₀, and between them its density times the tail of Z₁, in closed form."""
    (b0, b1), k, j = terms.scale[:2], terms.at[0], 1
    epsilon, threshold = np.broadcast_arrays(epsilon, threshold)
    low, high = (np.clip(end, k - FAR / epsilon, k + FAR / epsilon) for end in (terms.low[0], terms.high[0]))
    needed = (threshold - b0 * low) / b1, (threshold - b0 * high) / b1
    total = np.exp(-epsilon * (k - low)) / 2 * _tail(terms, j, epsilon, needed[0])
    total = total + np.exp(-epsilon * (high - k)) / 2 * _tail(terms, j, epsilon, needed[1])
    # Where what is needed of Z₁ passes its upper end, its middle and its lower end, and where Z₀'s density turns.
    turns = [np.clip((threshold - b1 * at) / b0, low, high) for at in (terms.high[j], terms.at[j], terms.low[j])]
    first, last = [np.minimum(turn, k) for turn in turns], [np.maximum(turn, k) for turn in turns]
    points = [low, *first, k + np.zeros(epsilon.shape), *last, high]
    for place, (start, end) in enumerate(zip(points[:-1], points[1:], strict=True)):
        density = tuple(-epsilon * np.abs(z - k) for z in (start, end))
        regime = place % 4  # of Z₁, more and more of its law suffices: nothing, the upper tail, all but the lower, all
        if regime == 0:
            continue
        piece = 0.0
        if regime >= 2:
            piece = _integral(start, end, *density)
        if regime <= 2:
            sign = 1.0 if regime == 1 else -1.0
            tails = tuple(-sign * epsilon * ((threshold - b0 * z) / b1 - terms.at[j]) for z in (start, end))
            both = (np.minimum(d + np.minimum(t, 0.0), 0.0) for d, t in zip(density, tails, strict=True))
            piece = piece + sign * _integral(start, end, *both) / 2
        total = total + epsilon / 2 * piece
    return np.asarray(total)


def _integral(start: Array, end: Array, at_start: Array, at_end: Array) -> Array:
    """∫ e^(a line) from start to end, given the line's values there, both ≤ 0."""
    fall = np.abs(at_end - at_start)
    mean = np.divide(-np.expm1(-fall), fall, out=np.ones(np.shape(fall)), where=fall > 1e-300)
    return np.asarray((end - start) * np.exp(np.maximum(at_start, at_end)) * mean)


def _many(terms: _Terms, epsilon: float, threshold: Array, cells: int, enclosed: bool) -> tuple[Array, Array, Array]:
    """Pr[Σ βZ > c] for more than two terms, at one ε: the two weightiest exactly, the others on a lattice.

    Each of the others is moved by half a step at most, all together by no more than their number of halves.
    """
    low = np.maximum(terms.low[2:], terms.at[2:] - LIKELY / epsilon)
    high = np.minimum(terms.high[2:], terms.at[2:] + LIKELY / epsilon)
    scale = terms.scale[2:]
    step = float(np.sum(scale * (high - low))) / cells
    masses = _convolved([_on_lattice(epsilon, at, start, end, step / b) for b, at, start, end in
                         zip(scale, terms.at[2:], low, high, strict=True)])
    likely = np.flatnonzero(masses > UNLIKELY)
    first, masses = int(likely[0]), masses[likely[0]:likely[-1] + 1]
    off = -(-len(scale) // 2) if enclosed else 0
    sums = float(np.sum(scale * low)) + step * np.arange(first - off, first + len(masses) + off)
    exceeded = _pair(terms, np.array(epsilon), threshold[:, None] - sums)
    act, least, most = (np.clip((masses * exceeded[:, start:start + len(masses)]).sum(axis=1), 0, 1)
                        for start in (off, 0, 2 * off))
    outside = len(scale) * np.exp(-LIKELY)
    return act, np.maximum(least - outside, 0), np.minimum(most + outside, 1)


def _on_lattice(epsilon: float, at: float, low: float, high: float, step: float) -> Array:
    """Probabilities of Z, kept between its ends, at low, low + step, …: each point has what is nearest to it."""
    number = max(1, int(np.ceil((high - low) / step)) + 1)
    edges = low + step * (np.arange(1, number) - 0.5)
    away = epsilon * (edges - at)
    half = np.exp(-np.abs(away)) / 2
    below = np.where(edges >= high, 1.0, np.where(away < 0, half, 1 - half))
    return np.diff(below, prepend=0.0, append=1.0)


def _convolved(laws: list[Array]) -> Array:
    size = sum(map(len, laws)) - len(laws) + 1
    fast = 1 << (size - 1).bit_length()
    product = np.prod([np.fft.rfft(law, fast) for law in laws], axis=0)
    return np.maximum(np.fft.irfft(product, fast)[:size], 0.0)
