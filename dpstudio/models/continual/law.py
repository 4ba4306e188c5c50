"""The law of a sum of independent Laplace variables."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincc, gammaln, xlogy

from dpstudio.core.declare import Array
from dpstudio.core.special import Z_95

_NEGLIGIBLE = 1e-18
_STEPS = 60
_MANY = 1000


def error_95(terms: npt.ArrayLike) -> Array:
    """What the sum of k standard Laplace variables stays within, either way, with probability 95 %; 0 for k = 0.

    Exact for k ≤ 1 000; beyond, by the Cornish–Fisher expansion, to 1e-9 relative.
    """
    k = np.asarray(terms, dtype=np.int64)
    numbers, places = np.unique(k, return_inverse=True)
    return np.array([_error_95(int(one)) for one in numbers])[places].reshape(k.shape)


def tail(terms: int, x: npt.ArrayLike) -> Array:
    """Pr[sum of k standard Laplace variables ≥ x], x ≥ 0, a sum of positive terms.

    The sum is the difference of two gamma variables; where it is positive, it is a gamma variable of shape i + 1 with
    weight C(2k − 2 − i, k − 1)/2^(2k − 1 − i), i = 0 … k − 1. [Kotz, Kozubowski & Podgórski 2001.]
    """
    shape, weight = _mixture(terms)
    at = np.asarray(x, dtype=np.float64)
    return np.asarray(gammaincc(shape, at[..., None]) @ weight)


@lru_cache(maxsize=512)
def _mixture(terms: int) -> tuple[Array, Array]:
    # The weights fall as e^(−i²/(4k)), and only those above 1e-18 count. Each is 2(k − 1 − i)/(2k − 2 − i) of the one
    # before; together they are ½.
    i = np.arange(min(terms - 1.0, 14 * math.sqrt(terms) + 60))
    weight = np.cumprod(np.append(1.0, 2 * (terms - 1 - i) / (2 * terms - 2 - i)))
    weight = weight[weight > _NEGLIGIBLE]
    return np.arange(1.0, weight.size + 1), weight / (2 * weight.sum())


@lru_cache(maxsize=4096)
def _error_95(terms: int) -> float:
    if terms == 0:
        return 0.0
    if terms > _MANY:
        return math.sqrt(2 * terms) * _expanded(terms)
    shape, weight = _mixture(terms)
    x = 1.96 * math.sqrt(2 * terms)
    for _ in range(_STEPS):  # the tail is convex there, and Newton's steps settle in a few
        density = float(np.exp(xlogy(shape - 1, x) - x - gammaln(shape)) @ weight)
        step = (float(gammaincc(shape, x) @ weight) - 0.025) / density
        x += step
        if abs(step) <= 1e-14 * x:
            break
    return x


def _expanded(terms: int) -> float:
    """The 97.5 % point in standard deviations, from the standardized cumulants 3/k and 30/k²; the odd ones are 0."""
    fourth, sixth, z = 3 / terms, 30 / terms**2, Z_95
    return (z + fourth / 24 * (z**3 - 3 * z) + sixth / 720 * (z**5 - 10 * z**3 + 15 * z)
            - fourth**2 / 384 * (3 * z**5 - 24 * z**3 + 29 * z))
