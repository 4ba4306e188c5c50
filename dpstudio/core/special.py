"""Functions that scipy.special lacks, or has with fewer digits than we promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx, kl_div

from dpstudio.core.declare import Array

ROOT_TWO_PI = math.sqrt(2 * math.pi)
Z_95 = 1.959963984540054
"""Φ⁻¹(0.975): a normal number lies within so many standard deviations of its mean with probability 0.95."""
_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_PI = math.sqrt(math.pi / 2)



@cache
def gauss_legendre(points: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre's rule on (0, 1): exact for polynomials of degree 2 · `points` − 1."""
    roots, weights = np.polynomial.legendre.leggauss(points)
    return (roots + 1) / 2, weights / 2


_NODES, _WEIGHTS = gauss_legendre(10)
_SERIES_FROM = 16
_FAR = 12.0
"""From here on 1 − x R(x) is a series; below, the subtraction costs two digits at most."""
_FAR_TERMS = 17
_WIDE = 0.5
_NARROW = 700.0
"""A step of this many 1 + u is wide: Mills' ratio falls so much that a subtraction loses half a digit."""


def integral(function: Callable[[Array], Array], ends: Array, relative: float = 1e-14) -> float:
    """The integral from the first of the rising ends to the last, cut there and wherever the function bends.

    A panel is halved until its two halves agree with it to `relative` of the whole; `function` takes arrays of two
    dimensions. Smooth stretches come out to 1e-14, kinks and jumps inside a panel to 1e-12.
    """
    nodes, weights = gauss_legendre(14)

    def areas(low: Array, high: Array) -> Array:
        return np.asarray(function(low[:, None] + (high - low)[:, None] * nodes) @ weights * (high - low))

    low, high = ends[:-1], ends[1:]
    whole, total = areas(low, high), 0.0
    size = float(np.abs(whole).sum())
    for _ in range(60):
        middle = (low + high) / 2
        left, right = areas(low, middle), areas(middle, high)
        open_ = np.abs(left + right - whole) > relative * size
        total += float((left + right)[~open_].sum())
        low, high = np.append(low[open_], middle[open_]), np.append(middle[open_], high[open_])
        whole = np.append(left[open_], right[open_])
        if not low.size:
            break
    return total + float(whole.sum())


def updated(belief: npt.ArrayLike, loss: npt.ArrayLike) -> float | Array:
    """The belief p after an outcome of that privacy loss ℓ, by Bayes' rule: p/(p + (1 − p) e^−ℓ).

    Beliefs are in [0, 1], losses in [−∞, ∞], of any shapes; of 0 and 1 nothing changes the belief.
    """
    p, gained = np.broadcast_arrays(np.asarray(belief, dtype=np.float64), np.asarray(loss, dtype=np.float64))
    near = np.where(np.abs(gained) > _NARROW, _NARROW / 2, 0.0)  # else e^−ℓ would have few digits, or none
    here, away = np.exp(near), np.exp(near - np.abs(gained))
    up, down = np.where(gained > 0, here, away) * p, np.where(gained > 0, away, here) * (1 - p)
    found = np.divide(up, up + down, out=p.copy(), where=up + down > 0)
    return found if found.ndim else float(found)


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
        drop[narrow] = steps * sum(weight * mills_slope(starts + steps * node)
                                   for node, weight in zip(_NODES, _WEIGHTS, strict=True))
    return drop


def mills_of_one(x: float) -> float:
    """`mills` of one number."""
    return _ROOT_HALF_PI * float(erfcx(_ROOT_HALF * x))


def mills_drop_of_one(u: float, step: float) -> float:
    """`mills_drop` of two numbers, many times as fast as through arrays."""
    if step >= _WIDE * (1 + u):
        return mills_of_one(u) - mills_of_one(u + step)
    x = u + step * _NODES
    slopes = mills_slope(x) if u + step > _FAR else 1 - _ROOT_HALF_PI * x * erfcx(_ROOT_HALF * x)
    return step * float(_WEIGHTS @ slopes)


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
    of_n = float(stirling_error(np.array([n]))[0])
    # Where one of both is 0, its error and the root fall away.
    ends = (both == 0) | (both == n)
    parts = np.where(ends, 0.0, stirling_error(both)) + deviance(both, means)
    room = np.where(ends[: j.size], 1.0, 2 * math.pi * j * (both[j.size :] / n))
    return np.where(ends[: j.size], 0.0, of_n) - parts[: j.size] - parts[j.size :] - 0.5 * np.log(room)


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


def less_product(c: Array, n: Array, p: float) -> Array:
    """c − n p with the rounding error of the product put back (Dekker 1971); for |n| < 2⁹⁹⁰."""
    product = n * p
    n_high, n_low = _halves(n)
    p_high, p_low = _halves(np.float64(p))
    error = ((n_high * p_high - product) + n_high * p_low + n_low * p_high) + n_low * p_low
    return np.asarray((c - product) - error)


def _halves(x: Array | np.float64) -> tuple[Array | np.float64, Array | np.float64]:
    """x as the sum of two numbers of 26 bits each."""
    shifted = x * (2.0**27 + 1)
    high = shifted - (shifted - x)
    return high, x - high


def ratio(*factors: float, over: float) -> tuple[float, float]:
    """The product of the factors divided by `over`, as the nearest double and what it misses."""
    exact = math.prod((Fraction(factor) for factor in factors), start=Fraction(1)) / Fraction(over)
    try:
        high = float(exact)
    except OverflowError:
        return math.inf, 0.0
    return high, float(exact - Fraction(high))


_KRONROD = np.array([
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
    0.741531185599394439863864773280788, 0.586087235467691130294144691538740, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0])
_KRONROD_WEIGHTS = np.array([
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
    0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714])
_GAUSS_WEIGHTS = np.array([0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                           0.381830050505118944950369775488975, 0.417959183673469387755102040816327])
_PLACES = np.append(-_KRONROD, _KRONROD[-2::-1])
_LOG_OF_15 = np.log(np.append(_KRONROD_WEIGHTS, _KRONROD_WEIGHTS[-2::-1]))
_RATIO_OF_7 = np.zeros(15)
_RATIO_OF_7[1::2] = np.append(_GAUSS_WEIGHTS, _GAUSS_WEIGHTS[-2::-1]) / np.exp(_LOG_OF_15[1::2])
_BLOCK = 32
_AT_ONCE = 2**19
"""Numbers computed at once: some megabytes."""
_LOG_ULPS = 1e-14
_RULES = np.stack([np.exp(_LOG_OF_15), np.exp(_LOG_OF_15) * (1 - _RATIO_OF_7)], axis=1)
"""Kronrod’s weights, and those of what Gauss’s rule lacks to his."""


def integrals(values: Callable[[Array], Array], ends: Array, least: float = 1e-280, agree: float = 1e-10) -> Array:
    """The integrals of several positive functions, as `log_integrals` finds them; `values` has a column a place.

    Ten times as fast, but only to `least`, a number that none is worth less than.
    """
    low, high, found = ends[:-1], ends[1:], np.zeros(1)
    for _ in range(60):
        if not low.size:
            break
        places = ((low + high)[:, None] / 2 + _PLACES * ((high - low)[:, None] / 2)).reshape(-1)
        # A block of places at a time, so that what is computed of them stays near.
        rows = [values(part) for part in np.split(places, range(_BLOCK * 15, places.size, _BLOCK * 15))]
        both = np.concatenate([row.reshape(row.shape[0], -1, 15) @ _RULES for row in rows], axis=1)
        both *= ((high - low) / 2)[:, None]
        total = found + both[:, :, 0].sum(axis=1)
        open_ = (np.abs(both[:, :, 1]) > agree * np.maximum(total, least)[:, None]).any(axis=0)
        found = found + both[:, ~open_, 0].sum(axis=1)
        middle, rest = (low + high) / 2, both[:, open_, 0].sum(axis=1)
        low, high = np.append(low[open_], middle[open_]), np.append(middle[open_], high[open_])
    return found if not low.size else found + rest


def log_integrals(logs: Callable[[Array], Array], ends: Array, agree: float = 1e-10) -> Array:
    """ln of the integrals of several positive functions from the first of the rising ends to the last, cut there.

    `logs` takes a vector of places and gives ln of the functions there, a row a place. A panel is halved until Gauss's
    rule of 7 places agrees with Kronrod's of 15 to `agree` of each integral, which leaves 1e-14 of it. What is smooth
    between the ends and falls away from a single peak, as log-concave functions do, is found however small it is.
    """
    low, high, found = ends[:-1], ends[1:], None
    for _ in range(60):
        if not low.size:
            break
        whole, apart = _panels(logs, low, high)
        total = _log_sum(whole if found is None else np.vstack([whole, found[None]]))
        with np.errstate(invalid="ignore"):
            # A logarithm has an ulp of its own, and with it its exponential.
            ample = agree + _LOG_ULPS * np.abs(np.where(np.isfinite(total), total, 0.0))
            open_ = (np.exp(apart - np.where(np.isfinite(total), total, 0.0)) > ample).any(axis=1)
        done = whole[~open_] if found is None else np.vstack([whole[~open_], found[None]])
        if done.size:
            found = _log_sum(done)
        middle = (low + high) / 2
        low, high = np.append(low[open_], middle[open_]), np.append(middle[open_], high[open_])
        whole = whole[open_]
    assert found is not None
    return found if not low.size else np.logaddexp(found, _log_sum(whole))


def _panels(logs: Callable[[Array], Array], low: Array, high: Array) -> tuple[Array, Array]:
    """ln of the integrals over each panel, a row a panel, and ln of how far both rules lie apart."""
    whole, apart, start = [], [], 0
    width = logs(low[:1]).shape[1]
    block = max(_AT_ONCE // (15 * width), 1)
    for start in range(0, low.size, block):
        a, b = low[start : start + block], high[start : start + block]
        places = (a + b)[:, None] / 2 + _PLACES * ((b - a)[:, None] / 2)
        values = logs(places.reshape(-1)).reshape(a.size, 15, width) + _LOG_OF_15[:, None]
        most = values.max(axis=1)
        base = np.where(np.isfinite(most), most, 0.0)
        parts = np.exp(values - base[:, None])
        of_15 = parts.sum(axis=1)
        scale = base + np.log((b - a) / 2)[:, None]
        with np.errstate(divide="ignore"):
            whole.append(scale + np.log(of_15))
            apart.append(scale + np.log(np.abs(of_15 - np.einsum("ijk,j->ik", parts, _RATIO_OF_7))))
    return np.vstack(whole), np.vstack(apart)


def _log_sum(rows: Array) -> Array:
    """ln of the sum of the exponentials, column by column."""
    most = rows.max(axis=0)
    base = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(base + np.log(np.exp(rows - base).sum(axis=0)))
