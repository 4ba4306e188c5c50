"""Integrals of functions that are smooth but for places that are known: cut there, and halved until two rules agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from dpstudio.core.declare import Array

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
PLACES = 32 * 15
"""So many at most are asked for at once, so that what is computed of them stays near."""
_AT_ONCE = 2**19
"""Numbers computed at once: some megabytes."""
_LOG_ULPS, _AGREE = 1e-14, 1e-10
_RULES = np.stack([np.exp(_LOG_OF_15), np.exp(_LOG_OF_15) * (1 - _RATIO_OF_7)], axis=1)
"""Kronrod’s weights, and those of what Gauss’s rule lacks to his."""


@cache
def gauss_legendre(points: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre's rule on (0, 1): exact for polynomials of degree 2 · `points` − 1."""
    roots, weights = np.polynomial.legendre.leggauss(points)
    return (roots + 1) / 2, weights / 2


@lru_cache(maxsize=2**12)
def gauss_sum(terms: int, points: int) -> tuple[Array, Array]:
    """Nodes in [0, `terms` − 1] and weights of Gauss's rule for the sum over 0, 1 … `terms` − 1: exact for polynomials
    of degree 2 · `points` − 1; all of the terms where they are no more than the points.

    The eigenvalues of Jacobi's matrix of the discrete Chebyshev polynomials. [Golub & Welsch 1969.]
    """
    if terms <= points:
        return np.arange(float(terms)), np.ones(terms)
    k = np.arange(1.0, points)
    beside = np.sqrt(k * k * ((terms - k) * (terms + k)) / (4 * (4 * k * k - 1)))
    nodes, vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
    return (terms - 1) / 2 + nodes, terms * vectors[0] ** 2


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


def integrals(values: Callable[[Array], Array], ends: Array, least: float = 1e-280, agree: float = 1e-10) -> Array:
    """The integrals of several positive functions, as `log_integrals` finds them; `values` has a column a place.

    Ten times as fast, but only to `least`, a number that none is worth less than. What `values` gives may be written
    over when it is asked again.
    """
    low, high, found = ends[:-1], ends[1:], np.zeros(1)
    for _ in range(60):
        if not low.size:
            break
        places = ((low + high)[:, None] / 2 + _PLACES * ((high - low)[:, None] / 2)).reshape(-1)
        rows = (values(places[at : at + PLACES]) for at in range(0, places.size, PLACES))
        both = np.concatenate([row.reshape(row.shape[0], -1, 15) @ _RULES for row in rows], axis=1)
        both *= ((high - low) / 2)[:, None]
        total = found + both[:, :, 0].sum(axis=1)
        open_ = (np.abs(both[:, :, 1]) > agree * np.maximum(total, least)[:, None]).any(axis=0)
        found = found + both[:, ~open_, 0].sum(axis=1)
        if not open_.any():
            return np.asarray(found)
        middle, rest = (low + high) / 2, both[:, open_, 0].sum(axis=1)
        low, high = np.append(low[open_], middle[open_]), np.append(middle[open_], high[open_])
    return found if not low.size else found + rest


def log_integrals(logs: Callable[[Array], Array], ends: Array) -> Array:
    """ln of the integrals of several positive functions from the first of the rising ends to the last, cut there.

    `logs` takes a vector of places and gives ln of the functions there, a row a place. A panel is halved until Gauss's
    rule of 7 places agrees with Kronrod's of 15 to 1e-10 of each integral, which leaves 1e-14 of it. What is smooth
    between the ends and falls away from a single peak, as log-concave functions do, is found however small it is.
    """
    low, high = ends[:-1], ends[1:]
    width = logs(low[:1]).shape[1]
    block, done = max(_AT_ONCE // (15 * width), 1), np.empty((0, width))
    with np.errstate(divide="ignore", invalid="ignore"):  # a panel may have no width, and a function be 0 there
        for _ in range(60):
            whole, apart = _panels(logs, low, high, block)
            total = _log_sum(np.concatenate([whole, done]))
            finite = np.where(np.isfinite(total), total, 0.0)
            # A logarithm has an ulp of its own, and with it its exponential.
            open_ = (np.exp(apart - finite) > _AGREE + _LOG_ULPS * np.abs(finite)).any(axis=1)
            if not open_.any():
                return total
            if len(ready := np.concatenate([whole[~open_], done])):
                done = _log_sum(ready)[None]
            middle = (low + high) / 2
            low, high = np.concatenate([low[open_], middle[open_]]), np.concatenate([middle[open_], high[open_]])
        return np.asarray(np.logaddexp.reduce(np.concatenate([done, _log_sum(whole[open_])[None]])))


def _panels(logs: Callable[[Array], Array], low: Array, high: Array, block: int) -> tuple[Array, Array]:
    """ln of the integrals over each panel, a row a panel, and ln of how far both rules lie apart; so many at once."""
    whole, apart = [], []
    for start in range(0, low.size, block):
        a, b = low[start : start + block], high[start : start + block]
        places = (a + b)[:, None] / 2 + _PLACES * ((b - a)[:, None] / 2)
        values = logs(places.reshape(-1)).reshape(a.size, 15, -1) + _LOG_OF_15[:, None]
        most = values.max(axis=1)
        base = np.where(np.isfinite(most), most, 0.0)
        parts = np.exp(values - base[:, None])
        of_15 = parts.sum(axis=1)
        scale = base + np.log((b - a) / 2)[:, None]
        whole.append(scale + np.log(of_15))
        apart.append(scale + np.log(np.abs(of_15 - np.einsum("ijk,j->ik", parts, _RATIO_OF_7))))
    return np.concatenate(whole), np.concatenate(apart)


def _log_sum(rows: Array) -> Array:
    """ln of the sum of the exponentials, column by column."""
    most = rows.max(axis=0)
    base = np.where(np.isfinite(most), most, 0.0)
    return np.asarray(base + np.log(np.exp(rows - base).sum(axis=0)))
