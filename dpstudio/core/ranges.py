"""Which stretch of an axis a picture shows, in positions: values on a linear axis, their logarithms on a log one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis
from dpstudio.core.results import Window
from dpstudio.core.ticks import nice_step
from dpstudio.vocabulary import Interval, Value

BELOW = 2.0
"""Decades under a log axis's floor at which zero is put, so that a curve reaching it leaves through the bottom."""

ROUNDING = 1e-6
"""In steps of the axis: a value that is past a tick by less lies on it."""


def on_axis(values: Array, axis: Axis) -> Array:
    """Values as positions on the axis: themselves, or their logarithms."""
    if axis.scale == "linear":
        return values
    lowest = axis.floor / 10**BELOW
    with np.errstate(invalid="ignore"):
        return np.log10(np.maximum(values, lowest))  # NaN and +∞ pass


def place(value: float, axis: Axis) -> float:
    """One value as a position on the axis."""
    return float(on_axis(np.asarray(value, dtype=np.float64), axis))


def resolved(axis: Axis, values: Mapping[str, Value]) -> Axis:
    """The axis with its ends as numbers, where they are declared as multiples of a parameter."""
    if not axis.per:
        return axis
    unit = float(values[axis.per])
    ends = {name: end * unit for name in ("low", "high") if (end := getattr(axis, name)) is not None}
    return replace(axis, **ends, per="")


def lowest(axis: Axis) -> float:
    """The lowest position that is drawn: what lies below a logarithmic axis's floor is not."""
    return math.log10(axis.floor) if axis.scale == "log" else -math.inf


def y_range(positions: Iterable[Array], axis: Axis) -> Window:
    """The range that holds all finite positions, with the axis's own ends where it declares them."""
    low, high = math.inf, -math.inf
    least = lowest(axis)
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
        low, high = math.floor(low / step + ROUNDING) * step, math.ceil(high / step - ROUNDING) * step
        if isinstance(domain := axis.quantity.domain, Interval):  # no probability of 1.05
            low, high = max(low, domain.low), min(high, domain.high)
    low = fixed_low if fixed_low is not None else low
    high = fixed_high if fixed_high is not None else high
    return (low, high) if low < high else (low, low + 1)
