"""The upper end u(c) of an interval and the prior's distribution function there, as polynomials on blocks of counts.

Neither knows of the noise, so that one set of blocks serves every ε. Blocks are halved until Chebyshev's series of
ln u/(1 − u), of P(u(c)), P the prior's distribution function, and of the integrand without noise have run out.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv, betaln

from dpstudio.core.declare import Array
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.search import first_whole
from dpstudio.records import dataclass

_CHEBYSHEV = 14
_CELLS = 8
"""Nodes for the cells of a block: exact up to the degree 15."""
_RESOLVED = 1e-11
"""What may be left of a series, in parts of a probability …"""
_MOST = 1000
"""… unless there were more blocks than this: then rounding is all that is left of it."""
_NEAREST = 2.0**-11
_REACH = 40.0
"""−ln of what the prior has left below u(c) at the last count above −a: u^a is about e^(−a·tail/(a + c)) there."""
_TINY = 1e-250
_STEPS = (-9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0)

CellStretch: TypeAlias = tuple[float, int, float, float]
"""Cells first … first + cells − 1 of c, of each the part from t = low to high: parts only where there is one cell."""


@dataclass(frozen=True, slots=True)
class CountBlock:
    """A stretch with ln u/(1 − u) and P(u) at Chebyshev's nodes."""

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


def fitted(a: float, b: float, n: int, tail: float, outside: bool) -> tuple[CountBlock, ...]:
    """Blocks over the counts from 0 to n or, `outside`, from −a to 0 and from n to n + b."""
    todo = _layout(a, b, n, tail, outside)
    done: list[CountBlock] = []
    while todo:
        first, cells, low, high = (np.array(each, dtype=np.float64)[:, None] for each in zip(*todo, strict=True))
        length = cells - 1 + high - low
        beyond = low + length * _chebyshev()
        logits = logit_ends(a, b, n, tail, first, beyond)
        # From the end that is near: a prior with b = 0.001 has half of its upper half beyond φ = 1e-300.
        near = logits[:, _CHEBYSHEV // 2] < 0
        prior = np.empty_like(logits)
        prior[near], prior[~near] = cdf(a, b, logits[near]), -cdf(b, a, -logits[~near])
        resolved = _resolved(n, first, cells, beyond, logits, prior) | (len(done) + len(todo) > _MOST)
        done += [CountBlock(*todo[i], logits[i], prior[i]) for i in np.flatnonzero(resolved)]
        todo = [half for i in np.flatnonzero(~resolved) for half in _halves(todo[i])]
    return tuple(done)


def _resolved(n: int, first: Array, cells: Array, beyond: Array, logits: Array, prior: Array) -> npt.NDArray[np.bool_]:
    """Whether the last terms of every series are negligible, block by block."""
    with np.errstate(over="ignore"):
        theta, phi = (1 / (1 + np.exp(sign * logits)) for sign in (-1, 1))
    m = np.clip(first + np.where(cells > 1, beyond - 0.5, 0.0), 0.0, n - 1.0)
    weight = np.abs(prior[:, :1] - prior[:, -1:])
    slopes = prior @ _slopes_at_nodes().T
    # A rate that is off by d in logits moves the binomial distribution function by about √(nθφ) d.
    felt = weight * (1 + np.sqrt(n * theta * phi).max(axis=1, keepdims=True))
    at_most = slopes * betainc(n - m, m + 1, phi)
    left = [np.abs(values @ _to_series()[-2:].T).max(axis=1) for values in (prior, logits * felt, at_most)]
    return np.asarray(np.max(left, axis=0) < _RESOLVED)


def _halves(stretch: CellStretch) -> tuple[CellStretch, CellStretch]:
    first, cells, low, high = stretch
    if cells == 1:
        return (first, 1, low, (low + high) / 2), (first, 1, (low + high) / 2, high)
    return (first, cells // 2, 0.0, 1.0), (first + cells // 2, cells - cells // 2, 0.0, 1.0)


def logit_ends(a: float, b: float, n: int, tail: float, m: Array, beyond: Array) -> Array:
    """ln u/(1 − u) of the upper end u(c) of the interval at c = m + beyond, m whole: apart they keep n − c exact."""
    yes, no = (a + m) + beyond, b + ((n - m) - beyond)
    logits = np.empty_like(yes)
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


def cdf(a: float, b: float, logits: Array) -> Array:
    """Pr[Beta(a, b) ≤ θ], also for θ below the range of doubles."""
    with np.errstate(over="ignore"):
        small = np.exp(np.minimum(a * logits - math.log(a) - betaln(a, b), 0.0))
        theta = 1 / (1 + np.exp(-logits))
    return np.where(theta < _TINY, small, betainc(a, b, theta))


def _layout(a: float, b: float, n: int, tail: float, outside: bool) -> list[CellStretch]:
    """Stretches to begin with, finer towards the ends, towards 0 and n, and where the binomial has its counts.

    They lie from 0 to n or, `outside`, from −a to 0 and from n to n + b; cells at the ends are in parts.
    """
    low, high = (-math.ceil(a), n + math.ceil(b)) if outside else (0, n)
    spread = n * math.sqrt(a * b / (a + b + 1)) / (a + b) + math.sqrt(n * a * b) / (a + b)
    edges = {low, 0, n, high} | {round(n * a / (a + b) + spread * step) for step in _STEPS if spread < n / 5}
    # Noise falls off from where u(c) n = c, of whatever width it is.
    even = _even(a, b, n, tail)
    for origin, room, way in ((0, n // 2, 1), (n, n // 2, -1), (low, (0 - low) // 2, 1), (0, -low, -1),
                              (high, (high - n) // 2, -1), (n, high - n, 1), (even, n - even, 1), (even, even, -1)):
        distance = 1 if origin != even else max(1, round(spread / 4))
        while distance <= room:
            edges.add(origin + way * distance)
            distance *= 2
    ordered = sorted(edge for edge in edges if low <= edge <= high)
    # How near to the real ends −a and n + b the first and the last part come.
    gap_a, gap_b = (min(a, 1.0) * tail / _REACH, min(b, 1.0) * _NEAREST) if outside else (a, b)
    stretches: list[CellStretch] = []
    for first, last in pairwise(ordered):
        if outside and 0 <= first < n:
            continue
        if last - first > 1:
            stretches.append((float(first), last - first, 0.0, 1.0))
            continue
        start, stop = max(gap_a - a - first, 0.0), min(n + b - gap_b - first, 1.0)
        cuts = {start, stop}
        for gap, end, inwards in ((gap_a, -a - first, 1), (gap_b, n + b - first, -1)):
            step = 2 * gap
            while step < 1.5:
                cuts |= {end + inwards * step} if start < end + inwards * step < stop else set()
                step *= 2
        stretches += [(float(first), 1, left, right) for left, right in pairwise(sorted(cuts))]
    return stretches


def _even(a: float, b: float, n: int, tail: float) -> int:
    """The count c from which on u(c) n is no more than c."""
    def even(m: Array) -> npt.NDArray[np.bool_]:
        logits = logit_ends(a, b, n, tail, m, np.zeros_like(m))
        return np.asarray(n / (1 + np.exp(np.minimum(-logits, 700.0))) <= m)

    return int(first_whole(even, (1,), n)[0])


@lru_cache(maxsize=1024)
def _rule(cells: int, low: float, high: float, parts: int) -> tuple[Array, Array, Array, Array, Array]:
    """Nodes m and t with their weights, and the matrices that turn a block's values into values and slopes there."""
    (m, w), (t, v) = _discrete(cells), gauss_legendre(parts)
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


@lru_cache(maxsize=1)
def _chebyshev() -> Array:
    """Chebyshev's nodes on (0, 1)."""
    angles = (2 * np.arange(_CHEBYSHEV) + 1) * np.pi / (2 * _CHEBYSHEV)
    return np.asarray((1 - np.cos(angles)) / 2)


@lru_cache(maxsize=1)
def _to_series() -> Array:
    """From values at Chebyshev's nodes to the coefficients of his polynomials."""
    return np.asarray(np.linalg.inv(np.polynomial.chebyshev.chebvander(2 * _chebyshev() - 1, _CHEBYSHEV - 1)))


@lru_cache(maxsize=1)
def _slopes_at_nodes() -> Array:
    return _interpolation(_chebyshev())[1]


def _interpolation(x: Array) -> tuple[Array, Array]:
    """Matrices that turn values at Chebyshev's nodes into values and slopes at x in [0, 1]."""
    vander = np.polynomial.chebyshev.chebvander(2 * x - 1, _CHEBYSHEV - 1)
    derive = np.polynomial.chebyshev.chebder(np.eye(_CHEBYSHEV), axis=0)
    return vander @ _to_series(), 2 * vander[:, :-1] @ derive @ _to_series()
