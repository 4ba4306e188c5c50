"""Laplace noise as textbooks have it, in double-precision numbers, and what its last bits tell of the true answer.

Of the doubles around an answer only those can be released to which some u of the generator leads, and which these are
depends on the true answer. A released double that the other of two neighbours cannot release tells them apart for
certain, whatever the scale. [Mironov 2012, section 4.]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

_GRID = 2.0**-53
"""The distance between the uniform numbers that a generator gives."""
_SURE = 8.0
"""Where the doubles lie so many steps of u apart, each is released: by half of them on either side, less what rounding
moves them by."""
_NEAR = np.arange(-10.0, 11.0)
"""Which u are tried beside the estimate: half of `_SURE`, and 6 steps for what exp, ln and the roundings between are
off by, which is up to 2⁻⁵¹ of an |ln u| that is at most 2⁵³/e steps of its u."""
_SIGNS = np.array([-1.0, 1.0])
_LOWEST = np.iinfo(np.int64).min


def laplace_in_doubles(answer: float, scale: float, size: int, rng: np.random.Generator) -> Array:
    """answer ± b ln u in doubles, u a multiple of 2⁻⁵³ in (0, 1): how Laplace noise is often added, and guards nothing.

    It stands here to be attacked; `LaplaceNoise` explores the law that it is meant to have.
    """
    k = rng.integers(1, 2**53, size).astype(np.float64)
    return _released(answer, scale, k, rng.choice(_SIGNS, size))


def reachable(released: npt.ArrayLike, answer: float, scale: float) -> npt.NDArray[np.bool_]:
    """Whether that sampler can release each of these doubles, of any shape, from this answer.

    No u but those next to e^(−|released − answer|/b) can lead there, and each of them is tried.
    """
    y = np.asarray(released, dtype=np.float64)[..., None]
    x = y - answer
    k = np.rint(np.exp(-np.abs(x) / scale) / _GRID)
    tried = np.clip(k + _NEAR, 1, 1 / _GRID - 1)
    found = _released(answer, scale, tried, np.where(x < 0, 1.0, -1.0)) == y
    return np.asarray(found.any(axis=-1) | (np.spacing(np.abs(y)) / scale * k >= _SURE)[..., 0])


def around(released: float, reach: int) -> Array:
    """The doubles next to one, so many on either side, rising."""
    bits = int(np.float64(released).view(np.int64))
    near = (bits if bits >= 0 else int(_LOWEST) - bits) + np.arange(-reach, reach + 1)
    return np.where(near >= 0, near, _LOWEST - near).view(np.float64)


def _released(answer: float, scale: float, k: Array, sign: Array) -> Array:
    return np.asarray(answer + sign * (scale * np.log(k * _GRID)))
