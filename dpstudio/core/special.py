"""Functions that scipy.special lacks, or has with fewer digits than we promise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from scipy.special import erfcx, kl_div

from dpstudio.core.declare import Array
from dpstudio.core.odds import updated as updated
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.twofold import product

ROOT_TWO_PI = math.sqrt(2 * math.pi)
Z_95 = 1.959963984540054
"""Φ⁻¹(0.975): a normal number lies within so many standard deviations of its mean with probability 0.95."""
_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_PI = math.sqrt(math.pi / 2)


_POINTS = 10
"""Of Gauss and Legendre's rule, which takes a narrow step."""
_SERIES_FROM = 16
_FAR = 12.0
"""From here on 1 − x R(x) is a series; below, the subtraction costs two digits at most."""
_FAR_TERMS = 17
_WIDE = 0.5
"""A step of this many 1 + u is wide: Mills' ratio falls so much that a subtraction loses half a digit."""


def mills(x: Array) -> Array:
    """Mills' ratio R(x) = Φ(−x)/φ(x) of the standard normal, for any x; it overflows at x = −38."""
    return _ROOT_HALF_PI * np.asarray(erfcx(_ROOT_HALF * x))


def mills_drop(u: Array, step: Array) -> Array:
    """R(u) − R(u + step) to full relative accuracy, for step > 0 and u ≥ −1 or step ≥ 1.

    −R′(x) = 1 − x R(x), integrated over a narrow step by Gauss and Legendre's rule.
    """
    drop = np.asarray(mills(u) - mills(u + step))
    narrow = step < _WIDE * (1 + u)
    if narrow.any():
        starts, steps = u[narrow], step[narrow]
        nodes, weights = gauss_legendre(_POINTS)
        slopes = mills_slope(starts + steps * nodes[:, None])
        drop[narrow] = steps * sum(weight * slope for weight, slope in zip(weights, slopes, strict=True))
    return drop


def mills_of_one(x: float) -> float:
    """`mills` of one number."""
    return _ROOT_HALF_PI * float(erfcx(_ROOT_HALF * x))


def mills_drop_of_one(u: float, step: float) -> float:
    """`mills_drop` of two numbers, many times as fast as through arrays."""
    if step >= _WIDE * (1 + u):
        return mills_of_one(u) - mills_of_one(u + step)
    nodes, weights = gauss_legendre(_POINTS)
    x = u + step * nodes
    slopes = mills_slope(x) if u + step > _FAR else 1 - _ROOT_HALF_PI * x * erfcx(_ROOT_HALF * x)
    return step * float(weights @ slopes)


def mills_slope(x: Array) -> Array:
    """1 − x R(x) for x ≥ −1; beyond 12 by its asymptotic series 1/x² − 3/x⁴ + 15/x⁶ − …"""
    near = np.minimum(x, _FAR)
    slope = 1 - near * mills(near)
    far = x > _FAR
    if far.any():
        inverse = 1 / (x[far] * x[far])
        series = np.ones_like(inverse)
        for k in range(_FAR_TERMS, 0, -1):
            series = 1 - (2 * k + 1) * inverse * series
        slope[far] = inverse * series
    return slope


def log_binomial(j: Array, n: float, p: float, q: float) -> Array:
    """ln of the probability of j successes in n trials of probability p = 1 − q, by Loader's saddle point (2000).

    The sum of ln n!, ln j!, … loses ten digits at n = 10⁶; deviances and Stirling's errors lose none. Neither p nor q
    is taken from the other, so a tail keeps its digits.
    """
    both, means = np.concatenate([j, n - j]), np.repeat([n * p, n * q], j.size)
    errors = stirling_error(np.append(both, n))
    # Where one of both is 0, its error and the root fall away.
    ends = (both == 0) | (both == n)
    parts = np.where(ends, 0.0, errors[:-1]) + deviance(both, means)
    room = np.where(ends[: j.size], 1.0, 2 * math.pi * j * (both[j.size :] / n))
    return np.where(ends[: j.size], 0.0, errors[-1]) - parts[: j.size] - parts[j.size :] - 0.5 * np.log(room)


def deviance(x: Array, mean: float | Array) -> Array:
    """x ln(x/mean) − x + mean for x, mean ≥ 0 without cancellation; a mean for all, or one for each x.

    With v = (x − mean)/(x + mean) it is (x − mean) v + 2x (v³/3 + v⁵/5 + …).
    """
    with np.errstate(invalid="ignore"):
        v = (x - mean) / (x + mean)
    near = np.abs(v) < 1 / 3
    square = v * v
    series = np.zeros_like(v)
    for k in range(35, 1, -2):
        series += 1 / k
        series *= square
    deviances = np.asarray((x - mean) * v + 2 * x * v * series)
    far = ~near
    deviances[far] = kl_div(x[far], np.broadcast_to(mean, x.shape)[far])
    return deviances


def stirling_error(n: Array) -> Array:
    """ln n! − (n ln n − n + ½ ln 2πn) for whole n ≥ 1: a table below 16, and the asymptotic series."""
    few = np.minimum(n, _SERIES_FROM).astype(np.intp)
    return np.where(n < _SERIES_FROM, _STIRLING_TABLE[few], _stirling_series(np.maximum(n, _SERIES_FROM)))


def _stirling_series(n: Array) -> Array:
    inverse = 1 / (n * n)
    tail = 1 / 1680 - inverse * (1 / 1188 - inverse * (691 / 360360 - inverse / 156))
    return (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * tail))) / n


def _stirling_table() -> Array:
    table = np.zeros(_SERIES_FROM + 1)
    table[_SERIES_FROM] = _stirling_series(np.array([float(_SERIES_FROM)]))[0]
    for n in range(_SERIES_FROM - 1, 0, -1):
        table[n] = table[n + 1] + (n + 0.5) * math.log1p(1 / n) - 1
    return table


_STIRLING_TABLE = _stirling_table()


def less_product(c: Array, n: Array, p: float | Array) -> Array:
    """c − n p with the rounding error of the product put back (Dekker 1971); for |n| < 2⁹⁹⁰."""
    nearest, missed = product(n, p)
    return np.asarray((c - nearest) - missed)


def ratio(*factors: float, over: float) -> tuple[float, float]:
    """The product of the factors divided by `over`, as the nearest double and what it misses."""
    exact = math.prod((Fraction(factor) for factor in factors), start=Fraction(1)) / Fraction(over)
    try:
        high = float(exact)
    except OverflowError:
        return math.inf, 0.0
    return high, float(exact - Fraction(high))
