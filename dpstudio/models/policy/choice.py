"""How likely noise on the counts is to change which action looks better."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft, next_fast_len, rfft

from dpstudio.core.arrays import numbers_in
from dpstudio.core.declare import Array
from dpstudio.models.policy.utility import ROUNDING, Counted
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import COST, COUNT_EPSILON

FAR = 700.0
"""In scales of the noise: beyond, a double knows no noise."""
LIKELY = 25.0
"""In scales of the noise: what is put on a lattice lies within, but for a probability of 1.4e-11."""
LIKELY_ON_CURVES = 12.0
NEGLIGIBLE = 1e-200
"""A term of so small a scale, against the largest, is none."""


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

    The largest β is 1, and they fall, so that the first two terms say most.
    """

    scale: Array
    at: Array
    low: Array
    high: Array
    threshold: float
    per_cost: float
    """What of the threshold one unit of cost is."""

    @property
    def size(self) -> float:
        """How large the sum can be, for the sake of its rounding."""
        return float(np.sum(self.scale * np.where(np.isfinite(self.high), self.high, np.abs(self.at))))

    def mirrored(self) -> _Terms:
        """The same seen from the other side: Σ β(−Z) > −c is where not acting looks better."""
        return _Terms(self.scale, -self.at, -self.high, -self.low, -self.threshold, -self.per_cost)


@dataclass(frozen=True, eq=False)
class NoisyChoice:
    """The action that looks better, from counts with Laplace noise of scale 1/ε on each.

    The posterior means are linear in the counts, so acting looks better where a weighted sum of 2d noisy counts exceeds
    a threshold. `clipped` counts are put back to [0, n] first, which costs no privacy; “Our Utility” leaves them
    as they are. Two terms are summed exactly, piece by piece of their exponentials; for d > 1 the lesser terms are
    rounded to a lattice of `cells` and convolved, and the largest possible rounding gives the ends of an interval.
    [Differential Privacy, notes; Our Utility.]
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
        terms = self._terms
        threshold = terms.threshold + terms.per_cost * c
        # Counts put back to 0 or n can tie, and on a tie, but for rounding, nobody acts.
        threshold = threshold + float(ROUNDING) * (terms.size + np.abs(threshold))
        if len(terms.scale) <= 2:
            act, wait = _few(terms, e, threshold), _few(terms.mirrored(), e, -threshold)
            return Chances(act, wait, act, act)
        if not self.clipped:  # only the distance from the threshold in scales of the noise counts
            threshold = e * (threshold - float(np.sum(terms.scale * terms.at)))
            terms, e = replace(terms, at=np.zeros(len(terms.at))), np.ones(e.shape)
        one = e.size > 0 and bool((e == e.flat[0]).all())  # many costs share one lattice
        shape = (1, -1) if one else (-1, 1)
        act, low, high = (each.reshape(e.shape) for each in _many(
            terms, e.reshape(-1)[:1] if one else e.reshape(-1), threshold.reshape(shape), self.cells, self.enclosed))
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
        most = float(scale.max())
        if most > 0:
            scale, threshold = scale / most, threshold / most
        order = order[scale[order] > NEGLIGIBLE]
        ends = (np.zeros(len(order)), people[order]) if self.clipped else (
            np.full(len(order), -np.inf), np.full(len(order), np.inf))
        per_cost = 1 / most if most > 0 else 1.0
        return _Terms(scale[order], at[order], ends[0], ends[1], threshold, per_cost)


def _few(terms: _Terms, epsilon: Array, threshold: Array) -> Array:
    """Pr[Σ βZ > c] for two terms at most."""
    match len(terms.scale):
        case 0:
            return np.where(threshold < 0, 1.0, 0.0) + 0 * epsilon
        case 1:
            return _tail(terms, 0, epsilon, threshold)
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
    for place, (start, end) in enumerate(pairwise(points)):
        density = [-epsilon * np.abs(z - k) for z in (start, end)]
        regime = place % 4  # of Z₁, more and more of its law suffices: nothing, the upper tail, all but the lower, all
        if regime == 0:
            continue
        piece = _integral(start, end, *density) if regime >= 2 else np.zeros(epsilon.shape)
        if regime <= 2:
            sign = 1.0 if regime == 1 else -1.0
            tails = [-sign * epsilon * ((threshold - b0 * z) / b1 - terms.at[j]) for z in (start, end)]
            both = [np.minimum(d + np.minimum(t, 0.0), 0.0) for d, t in zip(density, tails, strict=True)]
            piece = piece + sign * _integral(start, end, *both) / 2
        total = total + epsilon / 2 * piece
    return np.asarray(total)


def _integral(start: Array, end: Array, at_start: Array, at_end: Array) -> Array:
    """∫ e^(a line) from start to end, given the line's values there, both ≤ 0."""
    fall = np.abs(at_end - at_start)
    mean = np.divide(-np.expm1(-fall), fall, out=np.ones(np.shape(fall)), where=fall > 1e-300)
    return np.asarray((end - start) * np.exp(np.maximum(at_start, at_end)) * mean)


def _many(terms: _Terms, epsilon: Array, threshold: Array, cells: int, enclosed: bool) -> tuple[Array, Array, Array]:
    """Pr[Σ βZ > c] for more than two terms: the two weightiest exactly, the others on a lattice for each ε.

    Each of the others is moved by half a step at most, all together by no more than their number of halves. A row of
    thresholds for each ε.
    """
    reach = LIKELY if enclosed else LIKELY_ON_CURVES
    scale, at, across = terms.scale[2:, None], terms.at[2:, None], reach / epsilon[:, None, None]
    low, high = np.maximum(terms.low[2:, None], at - across), np.minimum(terms.high[2:, None], at + across)
    step = (scale * (high - low)).sum(axis=1, keepdims=True) / cells
    masses = _convolved(_on_lattice(epsilon[:, None, None], at, low, high, step / scale), cells + len(scale) + 1)
    likely = np.flatnonzero((masses > np.exp(-1.6 * reach)).any(axis=0))
    first, masses = int(likely[0]), masses[:, None, likely[0]:likely[-1] + 1]
    number, off = masses.shape[2], -(-len(scale) // 2) if enclosed else 0
    sums = (scale * low).sum(axis=1, keepdims=True) + step * np.arange(first - off, first + number + off)
    exceeded = _pair(terms, epsilon[:, None, None], threshold[:, :, None] - sums)
    act, least, most = (np.clip((masses * exceeded[..., start:start + number]).sum(axis=2), 0, 1)
                        for start in (off, 0, 2 * off))
    outside = len(scale) * np.exp(-reach)
    return act, np.maximum(least - outside, 0), np.minimum(most + outside, 1)


def _on_lattice(epsilon: Array, at: Array, low: Array, high: Array, step: Array) -> Array:
    """Probabilities of each Z, kept between its ends, at low, low + step, …: each point has what is nearest to it."""
    number = max(2, int(np.ceil(np.max((high - low) / step))) + 1)
    edges = low + step * (np.arange(1, number) - 0.5)
    away = epsilon * (edges - at)
    half = np.exp(-np.abs(away)) / 2
    below = np.empty((*edges.shape[:2], number + 1))
    below[..., 0], below[..., -1] = 0.0, 1.0
    below[..., 1:-1] = np.where(edges >= high, 1.0, np.where(away < 0, half, 1 - half))
    return below[..., 1:] - below[..., :-1]


def _convolved(laws: Array, size: int) -> Array:
    """The law of the sum over the middle axis."""
    fast = next_fast_len(size, real=True)
    product = rfft(laws, fast).prod(axis=1)
    return np.maximum(irfft(product, fast)[:, :size], 0.0)
