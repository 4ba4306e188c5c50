"""Expectations over a binomial number of functions that are smooth between a few places, however many people there are.

Over a stretch on which its product with the function has a concave logarithm all lies near the largest product: what is
left out is less than 1e-18 of the sum, and what is left is added up at few places (`core/whole_sums.py`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import kl_div

from dpstudio.core.declare import Array
from dpstudio.core.special import stirling_error
from dpstudio.core.whole_sums import stretches
from dpstudio.records import dataclass

_LEFT_OUT = 46.0
"""−ln of the part of a sum that is left out, with room for a factor that is linear."""
_STRETCHES = 6
_NEAR = 1 / 9
_TINY = 1e-300
_ROWS = 512
_LEAST = 16.0
"""From here on Stirling's error is its series."""
_MOST_KEPT = 2.0**18
"""Whole numbers that are kept for the next function: 6 MiB of them, and more than a study usually asks for."""
_MOST_OF_FEW = 2.0**12
"""So few are kept of many questions, as steps towards a place ask in turn about few n and fewer of them: 6 MiB."""

EveryNumber: TypeAlias = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array, Array]


@dataclass(frozen=True, slots=True)
class Places:
    """Places at which a function is asked for, a row of twelve for each stretch, and their weights."""

    item: npt.NDArray[np.intp]
    """Which element of the vectors asked for each row belongs to."""
    x: Array
    weight: Array
    """Probability of each place times how many whole numbers it stands for."""


def tilted(n: Array, p: Array, q: Array, tilt: Array) -> Array:
    """Where the probabilities of X, of n that have p = 1 − q, are largest times e^(tilt X): at its mean so tilted."""
    up, down = p * np.exp(np.minimum(tilt, 0.0)), q * np.exp(np.minimum(-tilt, 0.0))
    return np.floor(n * (up / np.maximum(up + down, _TINY)))


def places(n: Array, p: Array, q: Array, low: Array, high: Array, top: Array, before: Array, after: Array,
           bend: Array | float = 0.0) -> Places:
    """Where to ask for a function between two whole numbers, for each element of vectors.

    X is the number of n that have p = 1 − q. The function times their probabilities is largest at `top`, or at the end
    next to it; its logarithm is concave, with a second derivative of −`bend` at least, and rises by `before` in the
    step to there and by `after` in the next. What lies further from there than Bernstein's inequality has it is left
    out.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        top = np.minimum(np.maximum(top, low), high)
        variance = np.maximum(top, 0.0) * np.maximum(1 - top / n, 0.0)
        variance /= 1 + bend * variance
        reach = _LEFT_OUT / 3 + np.sqrt((_LEFT_OUT / 3) ** 2 + 2 * _LEFT_OUT * variance)
        # How steeply both fall on its left and on its right.
        left = before + np.log((n - top + 1) * p) - np.log(top * q)
        right = np.log((top + 1) * q) - np.log((n - top) * p) - after
        left, right = (np.where(fall > 0, np.minimum(reach, 1 + _LEFT_OUT / fall), reach) for fall in (left, right))
    first = np.concatenate([np.maximum(low, np.floor(top - left)), top + 1])
    last = np.concatenate([np.minimum(top, high), np.minimum(high, np.ceil(top + right))])
    row, x, weight = stretches(first, last, _STRETCHES)
    item = row % n.size
    for start in range(0, item.size, _ROWS):  # so many stay near
        rows = slice(start, start + _ROWS)
        weight[rows] *= np.exp(log_mass(x[rows], *(each[item[rows]][:, None] for each in (n, p, q))))
    return Places(item, x, weight)


def every_number(n: tuple[float, ...], p: tuple[float, ...], q: tuple[float, ...]) -> EveryNumber:
    """All whole numbers up to each n: whose they are, where those of each n begin, they themselves, how likely each is.

    Kept, as many functions are asked for there; of few, and where they are few, for they may be millions.
    """
    total = sum(n)
    return (_kept_few if total <= _MOST_OF_FEW else _kept if total <= _MOST_KEPT else _every_number)(n, p, q)


def _every_number(n: tuple[float, ...], p: tuple[float, ...], q: tuple[float, ...]) -> EveryNumber:
    sizes = np.array(n, dtype=np.intp) + 1
    item, starts = np.repeat(np.arange(sizes.size), sizes), np.cumsum(sizes) - sizes
    x = (np.arange(item.size) - starts[item]).astype(np.float64)
    mass = np.exp(log_mass(x[:, None], *(np.array(each)[item][:, None] for each in (n, p, q))))
    return item, starts, x, mass[:, 0]


_kept = lru_cache(maxsize=2)(_every_number)
_kept_few = lru_cache(maxsize=64)(_every_number)


def log_mass(x: Array, n: Array, p: Array, q: Array) -> Array:
    """ln of the probability of x among n that each have p = 1 − q, by Loader's saddle point (2000).

    x of two dimensions, the others columns. Between whole numbers, from 16 on, it is the smooth curve through them.
    Neither p nor q is taken from the other.
    """
    both = np.stack([x, n - x])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # beyond 0 and n, which is put right
        parts = _stirling(n) - 0.5 * np.log(2 * math.pi * x * (both[1] / n))
        parts = parts - (_stirling(both) + _deviance(both, np.stack([n * p, n * q]))).sum(axis=0)
        ends = both <= 0
        if ends.any():
            none = n * np.where(p < 0.5, np.log1p(-np.minimum(p, 0.5)), np.log(q))
            every = n * np.where(q < 0.5, np.log1p(-np.minimum(q, 0.5)), np.log(p))
            parts = np.where(ends[0], none, np.where(ends[1], every, parts))
    return np.asarray(parts)


def _deviance(x: Array, mean: Array) -> Array:
    """x ln(x/mean) − x + mean, by as many terms of its series as the largest needs."""
    off = x - mean
    v = off / np.maximum(x + mean, _TINY)
    square = v * v
    largest = min(float(square.max(initial=0.0)), _NEAR)
    series = np.zeros(v.shape)
    for k in range(2 * math.ceil(37 / -math.log(max(largest, 1e-17))) + 1, 1, -2):
        series += 1 / k
        series *= square
    series *= 2 * x
    series += off
    series *= v
    if largest == _NEAR:
        far = square >= _NEAR
        series[far] = kl_div(x[far], np.broadcast_to(mean, x.shape)[far])
    return np.asarray(series)


def _stirling(x: Array) -> Array:
    """ln x! − (x ln x − x + ½ ln 2πx); at 0 whatever."""
    least = float(x.min(initial=math.inf))
    inverse = np.maximum(x, _LEAST) ** -2 if least < _LEAST else 1 / (x * x)
    series = inverse * (1 / 1680) if least > 200 else \
        inverse * (1 / 1680 - inverse * (1 / 1188 - inverse * (691 / 360360 - inverse / 156)))
    found = np.asarray((1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - series))) / np.maximum(x, 1.0))
    if least < _LEAST:
        few = x < _LEAST
        found[few] = stirling_error(np.maximum(x[few], 1.0))
    return found
