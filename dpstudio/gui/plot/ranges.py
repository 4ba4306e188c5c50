"""Which stretch of the y axis a picture shows: round, wide enough, and steady while a hand moves something."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis
from dpstudio.core.results import Window
from dpstudio.gui.plot.frame import place
from dpstudio.gui.plot.ticks import nice_step

WASTE = 3.0
"""While a hand moves something, a range is kept until it is this many times wider than it need be."""


def y_range(positions: Iterable[Array], axis: Axis) -> Window:
    """The range that holds all finite positions, with the axis's own ends where it declares them."""
    low, high = math.inf, -math.inf
    least = math.log10(axis.floor) if axis.scale == "log" else -math.inf
    for array in positions:
        inside = array[np.isfinite(array) & (array >= least)]
        if inside.size:
            low, high = min(low, float(inside.min())), max(high, float(inside.max()))
    fixed_low = place(axis.low, axis) if axis.low is not None else None
    fixed_high = place(axis.high, axis) if axis.high is not None else None
    if low > high:
        low = fixed_low if fixed_low is not None else (fixed_high or 0.0) - 1
        high = fixed_high if fixed_high is not None else low + 1
    if axis.scale == "log":
        low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        low = min(low, (fixed_high if fixed_high is not None else high) - 1)
    else:
        span = (high - low) or abs(high) or 1.0
        step = nice_step(span, 8)
        low = math.floor(low / step - 1e-9) * step if fixed_low is None else low
        high = math.ceil(high / step + 1e-9) * step
    low = fixed_low if fixed_low is not None else low
    high = fixed_high if fixed_high is not None else high
    return (low, high) if low < high else (low, low + 1)


def steady(old: Window, new: Window) -> Window:
    """The old range for as long as it holds the new one without much waste."""
    holds = old[0] <= new[0] and new[1] <= old[1]
    return old if holds and (old[1] - old[0]) <= WASTE * (new[1] - new[0]) else new
