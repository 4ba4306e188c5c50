"""Sums over many whole numbers of functions that are smooth, by twelve places for each stretch of them.

Over N whole numbers the rule of twelve places is exact for polynomials of degree 23, as Gauss's is for integrals: its
places and weights are the eigenvalues and eigenvectors of the recurrence of the discrete Chebyshev polynomials, and
smooth functions of 1/N², read off a table. Up to twelve numbers are added up one by one.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

PLACES = 12
_MOST = (PLACES + 1.0) ** -2
"""The largest 1/N² of the table."""
_DEGREE = 24


def stretches(first: Array, last: Array, most: int) -> tuple[npt.NDArray[np.intp], Array, Array]:
    """The whole numbers from a first to a last one, for each element of two vectors, in up to so many stretches.

    Returned are the element of each stretch, its places and their weights, a row of twelve a stretch. Up to twelve
    whole numbers are one stretch, none are none. A sum of f is Σ weight f(place), where f is smooth on each stretch.
    """
    count = np.maximum(last - first + 1, 0.0)
    pieces = np.minimum(np.ceil(count / PLACES), most).astype(np.intp)
    item = np.repeat(np.arange(count.size), pieces)
    rank = np.arange(item.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    of, whole = pieces[item], count[item]
    start = np.floor(rank * whole / of)
    length = (np.floor((rank + 1) * whole / of) - start)[:, None]
    start = (first[item] + start)[:, None]
    steps = np.arange(float(PLACES))
    weight = (steps < length).astype(np.float64)
    place = start + np.minimum(steps, length - 1)
    many = np.flatnonzero(length > PLACES)
    if many.size:
        n = length[many]
        lengths, which = np.unique(n, return_inverse=True)
        at, share = _rule(lengths[:, None])
        place[many], weight[many] = start[many] + (n - 1) / 2 + n * at[which.reshape(-1)], n * share[which.reshape(-1)]
    return item, place, weight


def _rule(n: Array) -> tuple[Array, Array]:
    """The places, in units of N about the middle, and their shares of N, for a column of numbers N > 12."""
    angle = np.arccos(np.clip(2 / (n * n) / _MOST - 1, -1.0, 1.0))
    both = np.cos(angle * np.arange(_DEGREE)) @ _table()
    return both[:, :PLACES], both[:, PLACES:]


@cache
def _table() -> Array:
    """Coefficients of Chebyshev polynomials in 1/N²: places and then shares, a column each."""
    angle = (np.arange(_DEGREE) + 0.5) * math.pi / _DEGREE
    k = np.arange(1.0, PLACES) ** 2
    values = np.empty((_DEGREE, 2 * PLACES))
    for row, y in zip(values, (np.cos(angle) + 1) / 2 * _MOST, strict=True):
        beside = np.sqrt(k * (1 - k * y) / (4 * (4 * k - 1)))
        row[:PLACES], vectors = np.linalg.eigh(np.diag(beside, 1) + np.diag(beside, -1))
        row[PLACES:] = vectors[0] ** 2
    scale = np.where(np.arange(_DEGREE) == 0, 1.0, 2.0) / _DEGREE
    return np.asarray(scale[:, None] * (np.cos(np.arange(_DEGREE)[:, None] * angle) @ values))
