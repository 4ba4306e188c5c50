"""How often an interval that takes a noisy count at its word holds the rate, exactly, averaged over the prior.

The clamped method's upper end u(c) rises with c, so the rate lies above it where c stays below u⁻¹(θ). With θ = u(c),

    Pr[θ above its interval] = ∫₀ⁿ Pr[K + noise ≤ c | θ = u(c)] dP(u(c)) + Pr[θ > u(n)],

P the prior's distribution function; the naive method's u(c) goes from 0 to 1 as c does from −a to n + b, and counts
further out, without an interval, miss as well. Below the interval the same holds with yes and no exchanged. The
probability inside has no sum (see `likelihood`). It is smooth within a cell [m, m + 1] of c and from cell to cell:
Gauss–Legendre nodes serve the first, and blocks of cells are summed by Gauss's rule for whole numbers (discrete
Chebyshev polynomials).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.special import betainc, betaincinv, betaln

from dpstudio.core.declare import Array
from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.likelihood import Rates, log_below

_CHEBYSHEV = 14
_CELLS = 8
"""Nodes for the cells of a block."""
_STEPS = (-9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0)
_NEAREST = 2.0**-11
_SMALLEST, _TINY = 1e-290, 1e-250


def clamped_coverage(a: float, b: float, n: int, level: float, epsilon: float, noise: str) -> float:
    """The probability that the clamped method's central interval holds θ, K ~ Bin(n, θ), θ ~ Beta(a, b).

    Absolute error about 1e-8. `level` is the interval's nominal probability, `noise` "laplace" or "geometric".
    """
    tail = (1 - level) / 2
    return 1 - sum(_missed(*prior, n, tail, False, epsilon, noise) + _above(*prior, n, tail, False).higher
                   for prior in ((a, b), (b, a)))


def naive_coverage(a: float, b: float, n: int, level: float, epsilon: float, noise: str) -> float:
    """The same of the naive method's interval; a count that leaves no naive posterior holds nothing."""
    tail = (1 - level) / 2
    return 1 - sum(_missed(*prior, n, tail, outside, epsilon, noise)
                   for prior in ((a, b), (b, a)) for outside in (False, True))


@lru_cache(maxsize=64)
def _missed(a: float, b: float, n: int, tail: float, outside: bool, epsilon: float, noise: str) -> float:
    return _above(a, b, n, tail, outside).missed(epsilon, noise)


@lru_cache(maxsize=8)
def _above(a: float, b: float, n: int, tail: float, outside: bool) -> _Above:
    return _Above.placed(a, b, n, tail, outside)


@dataclass(frozen=True, slots=True)
class _Block:
    """Cells first … first + cells − 1 of c, of each the part from t = low to high; u and P on Chebyshev's nodes."""

    first: float
    cells: int
    low: float
    high: float
    logits: Array
    prior: Array

    def nodes(self, parts: int) -> tuple[Array, Array, Array, Array]:
        """m, t, logit u(m + t) and the weights of dP(u), each flat."""
        cell, part, weights, values, slopes = _rule(self.cells, self.low, self.high, parts)
        return self.first + cell, part, values @ self.logits, weights * (slopes @ self.prior)


@dataclass(frozen=True, slots=True)
class _Above:
    """The rates above the interval, for any noise: where u(c) is for c in [0, n], or where it is for c outside."""

    n: int
    blocks: tuple[_Block, ...]
    higher: float
    """Pr[θ > u(n)] of the clamped method, for which no released count is large enough."""

    @classmethod
    def placed(cls, a: float, b: float, n: int, tail: float, outside: bool) -> _Above:
        blocks = [_block(a, b, n, tail, *block) for block in _layout(a, b, n, outside)]
        last = _logit_ends(a, b, n, tail, np.array([float(n)]))
        return cls(n, tuple(blocks), float(_cdf(b, a, -last)[0]))

    def missed(self, epsilon: float, noise: str) -> float:
        """Pr[θ above its interval] with θ = u(c) for such a c."""
        m, t, logits, weights = (np.concatenate(each) for each in
                                 zip(*(block.nodes(self._parts(block, epsilon)) for block in self.blocks), strict=True))
        with np.errstate(over="ignore"):
            rates = Rates(*(np.maximum(1 / (1 + np.exp(sign * logits)), _SMALLEST) for sign in (-1, 1)))
        n = float(self.n)
        geometric = noise == "geometric"
        lower = np.exp(log_below(rates, n, m, np.zeros_like(t) if geometric else t, epsilon))
        upper = np.exp(log_below(rates.mirrored, n, n - m - 1, np.ones_like(t) if geometric else 1 - t, epsilon))
        fall = math.exp(-epsilon)
        own, other = (fall / (1 + fall), 1 / (1 + fall)) if geometric else (0.5, 0.5)
        inside = (m >= 0) & (m < n)
        at_most = np.where(m < 0, 0.0, 1.0)
        at_most[inside] = betainc(n - m[inside], m[inside] + 1, rates.phi[inside])
        at_most += other * upper - own * lower
        return float(np.sum(weights * at_most))

    def _parts(self, block: _Block, epsilon: float) -> int:
        """Nodes of each cell: noise narrower than a cell takes more; amid many cells one matters less."""
        amid = min(block.first, self.n - block.first - block.cells)
        if amid > 2000:
            return 3 if epsilon < 0.5 else 6 if epsilon < 4 else 10
        if epsilon < 0.5 and amid > 16:
            return 4
        return 8 if epsilon < 4 else 16 if epsilon < 15 else 28


def _block(a: float, b: float, n: int, tail: float, first: float, cells: int, low: float, high: float) -> _Block:
    logits = _logit_ends(a, b, n, tail, first + low + (cells - 1 + high - low) * _chebyshev())
    # From the end that is near: a prior with b = 0.001 has half of its upper half beyond φ = 1e-300.
    prior = _cdf(a, b, logits) if logits[_CHEBYSHEV // 2] < 0 else -_cdf(b, a, -logits)
    return _Block(first, cells, low, high, logits, prior)


def _logit_ends(a: float, b: float, n: int, tail: float, c: Array) -> Array:
    """ln u/(1 − u) of the upper end u(c) of the interval."""
    yes, no = a + c, b + (n - c)
    logits = np.empty_like(c)
    right = yes > no  # u(c) is nearer to 1, if anything
    for there, mass, sign, own, other in ((right, tail, -1, no[right], yes[right]),
                                          (~right, 1 - tail, 1, yes[~right], no[~right])):
        near = betaincinv(own, other, mass)
        tiny = near < _TINY  # then x^α/(α B(α, β)) = mass
        with np.errstate(divide="ignore"):
            logit = np.log(near) - np.log1p(-near)
        logit[tiny] = ((math.log(mass) + np.log(own) + betaln(own, other)) / own)[tiny]
        logits[there] = sign * logit
    return logits


def _cdf(a: float, b: float, logits: Array) -> Array:
    """Pr[Beta(a, b) ≤ θ], also for θ below the range of doubles."""
    with np.errstate(over="ignore"):
        small = np.exp(np.minimum(a * logits - math.log(a) - betaln(a, b), 0.0))
        theta = 1 / (1 + np.exp(-logits))
    return np.where(theta < _TINY, small, betainc(a, b, theta))


def _layout(a: float, b: float, n: int, outside: bool) -> list[tuple[float, int, float, float]]:
    """Blocks of cells, finer towards the ends, towards 0 and n, and where the prior has its counts.

    They lie from 0 to n or, `outside`, from −a to 0 and from n to n + b; cells at the ends are in parts.
    """
    low, high = (-math.ceil(a), n + math.ceil(b)) if outside else (0, n)
    spread = n * math.sqrt(a * b / (a + b + 1)) / (a + b) + math.sqrt(n * a * b) / (a + b)
    edges = {low, 0, n, high} | {round(n * a / (a + b) + spread * step) for step in _STEPS if spread < n / 5}
    for origin, room, way in ((0, n // 2, 1), (n, n // 2, -1), (low, (0 - low) // 2, 1), (0, -low, -1),
                              (high, (high - n) // 2, -1), (n, high - n, 1)):
        distance = 1
        while distance <= room:
            edges.add(origin + way * distance)
            distance *= 4 if distance >= 16 and 0 <= origin + way * distance <= n else 2
    ordered = sorted(edge for edge in edges if low <= edge <= high)
    # How near to the real ends −a and n + b the first and the last part come.
    gap_a, gap_b = (min(a, 1.0) * _NEAREST, min(b, 1.0) * _NEAREST) if outside else (a, b)
    blocks: list[tuple[float, int, float, float]] = []
    for first, last in pairwise(ordered):
        if outside and 0 <= first < n:
            continue
        if last - first > 1:
            blocks.append((float(first), last - first, 0.0, 1.0))
            continue
        start, stop = max(gap_a - a - first, 0.0), min(n + b - gap_b - first, 1.0)
        cuts = {start, stop}
        for gap, end, inwards in ((gap_a, -a - first, 1), (gap_b, n + b - first, -1)):
            step = 2 * gap
            while step < 1.5:
                cuts |= {end + inwards * step} if start < end + inwards * step < stop else set()
                step *= 2
        blocks += [(float(first), 1, left, right) for left, right in pairwise(sorted(cuts))]
    return blocks


@lru_cache(maxsize=512)
def _rule(cells: int, low: float, high: float, parts: int) -> tuple[Array, Array, Array, Array, Array]:
    """Nodes m and t with their weights, and the matrices that turn a block's values into values and slopes there."""
    (m, w), (t, v) = _discrete(cells), _legendre(parts)
    cell, part = np.repeat(m, parts), np.tile(low + (high - low) * t, len(m))
    length = cells - 1 + high - low
    values, slopes = _interpolation((cell + part - low) / length)
    return cell, part, np.outer(w, v).ravel() * (high - low), values, slopes / length


@lru_cache(maxsize=256)
def _discrete(cells: int) -> tuple[Array, Array]:
    """Gauss's rule for Σ f(m), m = 0 … cells − 1: all of them, or the nodes of discrete Chebyshev polynomials.

    Their recurrence has β_j = j² (s² − j²)/(4 (4j² − 1)). [Gautschi 2004, Example 1.22 and section 3.1.1.]
    """
    if cells <= _CELLS:
        return np.arange(cells, dtype=np.float64), np.ones(cells)
    j = np.arange(1, _CELLS, dtype=np.float64)
    beside = np.sqrt(j * j * (float(cells) ** 2 - j * j) / (4 * (4 * j * j - 1)))
    nodes, vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
    return nodes + (cells - 1) / 2, cells * vectors[0] ** 2


@lru_cache(maxsize=8)
def _legendre(parts: int) -> tuple[Array, Array]:
    x, w = np.polynomial.legendre.leggauss(parts)
    return (x + 1) / 2, w / 2


@lru_cache(maxsize=1)
def _chebyshev() -> Array:
    """Chebyshev's nodes on (0, 1)."""
    angles = (2 * np.arange(_CHEBYSHEV) + 1) * np.pi / (2 * _CHEBYSHEV)
    return np.asarray((1 - np.cos(angles)) / 2)


@lru_cache(maxsize=1)
def _to_series() -> Array:
    """From values at Chebyshev's nodes to the coefficients of his polynomials."""
    return np.asarray(np.linalg.inv(np.polynomial.chebyshev.chebvander(2 * _chebyshev() - 1, _CHEBYSHEV - 1)))


def _interpolation(x: Array) -> tuple[Array, Array]:
    """Matrices that turn values at Chebyshev's nodes into values and slopes at x in [0, 1]."""
    vander = np.polynomial.chebyshev.chebvander(2 * x - 1, _CHEBYSHEV - 1)
    derive = np.polynomial.chebyshev.chebder(np.eye(_CHEBYSHEV), axis=0)
    return vander @ _to_series(), 2 * vander[:, :-1] @ derive @ _to_series()


@lru_cache(maxsize=256)
def unusable_share(a: float, b: float, n: int, epsilon: float, noise: str) -> float:
    """The probability that a + c ≤ 0 or b + n − c ≤ 0, averaged over θ ~ Beta(a, b) and K ~ Bin(n, θ).

    ½ e^(−εa) E[e^(−εK)] and the same with yes and no exchanged; E[e^(−εK)] is the total mass of the posterior at c = 0.
    For geometric noise e^(−ε⌈a⌉)/(1 + e^−ε).
    """
    found = NoiseAware(a, b, n, np.array([0.0, n]), epsilon)
    means = np.exp(found.reference + np.log(found.total) - betaln(a, b))
    far = np.ceil([a, b]) if noise == "geometric" else np.array([a, b])
    share = 1 / (1 + math.exp(-epsilon)) if noise == "geometric" else 0.5
    return min(float((share * np.exp(-epsilon * far) * means).sum()), 1.0)
