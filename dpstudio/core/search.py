"""Searches that need nothing but the answer yes or no."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

Places = npt.NDArray[np.int64]


def first_double(holds: Callable[[float], bool]) -> float:
    """The smallest double from which on something holds, −∞ where it always does and ∞ where never.

    What holds at x must hold at all larger doubles. At most 66 questions, whatever the size of the answer.
    """
    low, high = _place(-_LARGEST), _place(_LARGEST)
    if holds(-_LARGEST):
        return -math.inf
    if not holds(_LARGEST):
        return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(_double(middle)) else (middle, high)
    return _double(high)


def first_whole(holds: Callable[[Array], npt.NDArray[np.bool_]], shape: tuple[int, ...], end: int) -> Array:
    """For each element the smallest whole number in [0, end) from which on something holds, `end` where none.

    `holds` is asked for one number per element, as float64 of that shape; what holds at n must hold at n + 1.
    """
    low, high = np.full(shape, -1, dtype=np.int64), np.full(shape, end, dtype=np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        there = holds(np.maximum(middle, 0).astype(np.float64)) & (middle >= 0)
        high, low = np.where(there, middle, high), np.where(there, low, middle)
    return high.astype(np.float64)


_LARGEST = 1.7976931348623157e308


def _place(x: float) -> int:
    """Where a double stands among all doubles, 0 for 0."""
    bits: int = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
    return -bits if x < 0 else bits


def _double(place: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return -found if place < 0 else found
