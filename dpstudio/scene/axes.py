"""Axes as positions: where one begins and ends, where it has its ticks and what they say.

Positions are values on a linear axis and their logarithms on a log one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis
from dpstudio.core.results import Span
from dpstudio.records import dataclass
from dpstudio.text.given import cut
from dpstudio.text.numbers import decade, fixed
from dpstudio.vocabulary import Interval, Value

LONG = 9
"""Characters of a tick above which a common power of ten is drawn out of all of them, if that helps."""

LONGEST_NAME = 14
"""Characters of a name at a tick."""
CLOSE = 0.75
"""Labels stand no nearer together than this part of an even spread of as many as fit."""


PLAIN = (-4, 6)
"""Exponents between which a logarithmic axis may have plain numbers in place of powers of ten."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """Positions on the axis (logarithms on a log one), their labels, and the power of ten drawn out of them."""

    major: tuple[float, ...]
    labels: tuple[str, ...]
    minor: tuple[float, ...] = ()
    exponent: int = 0

    @property
    def power(self) -> str:
        """What the numbers leave out, for behind the name of the axis."""
        return f" × {decade(self.exponent)}" if self.exponent else ""


def ticks_of(axis: Axis, low: float, high: float, most: int, names: Sequence[str] = ()) -> Ticks:
    """The ticks of an axis between two positions; `names` are those of 1, 2, 3 … on a linear one, in short."""
    if axis.scale == "log":
        return log_ticks(low, high, most)
    domain = axis.quantity.domain
    ticks = linear_ticks(low, high, most, whole=bool(names) or (isinstance(domain, Interval) and domain.integer))
    if not names:
        return ticks
    known = [names[round(at) - 1] if 1 <= round(at) <= len(names) else "" for at in ticks.major]
    return replace(ticks, labels=tuple(cut(name, LONGEST_NAME) or label
                                       for name, label in zip(known, ticks.labels, strict=True)))


def nice_step(span: float, most: int, *, whole: bool = False) -> float:
    """The smallest of 1, 2, 5 × 10ⁿ that fits at most so many times into the span."""
    least = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return max(step, 1.0) if whole else step


def linear_ticks(low: float, high: float, most: int, *, whole: bool = False) -> Ticks:
    """At most about so many round numbers; `whole` asks for integers only."""
    step = nice_step(high - low, most, whole=whole)
    first, last = _inside(low, high, step)
    for room in (most + 1, most + 2):  # one number alone tells no scale
        finer = nice_step(high - low, room, whole=whole)
        begin, end = _inside(low, high, finer)
        if most > 1 and last <= first and begin < end <= begin + most:
            step, first, last = finer, begin, end
    values = tuple(i * step for i in range(first, last + 1))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    labels = tuple(fixed(value, decimals) for value in values)
    largest = max(abs(low), abs(high))  # one to three of its digits are to stand before the point
    exponent = 3 * math.floor(math.log10(largest) / 3) if largest > 0 else 0
    if max(map(len, labels), default=0) > LONG and exponent:
        left = max(0, exponent - math.floor(math.log10(step) + 1e-9))
        drawn = tuple(fixed(value / 10.0**exponent, left) for value in values)
        if max(map(len, drawn)) < LONG:
            return Ticks(values, drawn, exponent=exponent)
    return Ticks(values, labels)


def _inside(low: float, high: float, step: float) -> tuple[int, int]:
    """The first and the last multiple of a step between two positions."""
    return math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)


def log_ticks(low: float, high: float, most: int) -> Ticks:
    """Decades, with 1, 2 and 5 of each or ticks at 2…9 where there is room; within one decade, round numbers."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    if last <= first:
        plain = linear_ticks(10**low, 10**high, most)
        major: list[float] = []
        labels: list[str] = []
        minor: list[float] = []
        for value, label in zip(plain.major, plain.labels, strict=True):
            if value <= 0:
                continue
            at = math.log10(value)
            if major and at - major[-1] < CLOSE * (high - low) / max(most, 1):  # they draw together as they grow
                minor.append(at)
            else:
                major.append(at)
                labels.append(label)
        return Ticks(tuple(major), tuple(labels), tuple(minor), plain.exponent)
    if 3 * (last - first) + 1 <= most and first >= PLAIN[0] and last <= PLAIN[1]:
        return _ones_twos_fives(low, high, first, last)
    every = next(step for step in (1, 2, 3, 4, 5, 6, 10, 20, 50, 100, 1000) if (last - first) / step <= most)
    start = math.ceil(first / every) * every
    decades = tuple(range(start, last + 1, every))
    between: tuple[float, ...] = ()
    if every > 1:
        between = tuple(float(exponent) for exponent in range(first, last + 1) if exponent % every)
    elif (last - first) * 2 <= most:
        between = tuple(exponent + math.log10(digit)
                        for exponent in range(first - 1, last + 1) for digit in range(2, 10)
                        if low <= exponent + math.log10(digit) <= high)
    return Ticks(tuple(map(float, decades)), tuple(map(decade, decades)), between)


def _ones_twos_fives(low: float, high: float, first: int, last: int) -> Ticks:
    """Plain numbers at 1, 2 and 5 of every decade, and ticks at what lies between."""
    all_of_them = [(exponent + math.log10(digit), digit, exponent)
                   for exponent in range(first - 1, last + 1) for digit in range(1, 10)]
    inside = [each for each in all_of_them if low - 1e-9 <= each[0] <= high + 1e-9]
    major = [(at, fixed(digit * 10.0**exponent, max(0, -exponent))) for at, digit, exponent in inside
             if digit in (1, 2, 5)]
    return Ticks(tuple(at for at, _ in major), tuple(label for _, label in major),
                 tuple(at for at, digit, _ in inside if digit not in (1, 2, 5)))


BELOW = 2.0
"""Decades under a log axis's floor at which zero is put, so that a curve reaching it leaves through the bottom."""

ROUNDING = 1e-6
"""In steps of the axis: a value that is past a tick by less lies on it."""

LEAST = 1e-290
"""The shortest stretch of a linear axis: pixels for its length are to be finite."""

FARTHEST, DECADES = 1e300, 300.0
"""How far a hand zooms out on a linear and on a logarithmic axis where the values have no end."""


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


def value_at(position: float, axis: Axis) -> float:
    """The value that lies at a position of the axis."""
    return position if axis.scale == "linear" else float(10.0 ** min(position, 300.0))


def resolved(axis: Axis, values: Mapping[str, Value]) -> Axis:
    """The axis with its ends as numbers, where they are declared as multiples of a parameter."""
    if not axis.per:
        return axis
    unit = float(values[axis.per])
    ends = {name: end * unit for name in ("low", "high") if (end := getattr(axis, name)) is not None}
    return replace(axis, **ends, per="")


def farthest(axis: Axis) -> Span:
    """The positions between which a hand may go: nobody needs to see where there are no values."""
    end = DECADES if axis.scale == "log" else FARTHEST
    if not isinstance(domain := axis.quantity.domain, Interval):
        return -end, end
    return max(-end, place(domain.low, axis)), min(end, place(domain.high, axis))


def lowest(axis: Axis) -> float:
    """The lowest position that is drawn: what lies below a logarithmic axis's floor is not."""
    return math.log10(axis.floor) if axis.scale == "log" else -math.inf


def y_range(positions: Iterable[Array], axis: Axis) -> Span:
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
        span = high - low
        if span < LEAST:  # what is the same everywhere runs through the middle
            span = abs(high) if abs(high) >= LEAST else 1.0
            low, high = low - span / 2, high + span / 2
        step = nice_step(span, 8)
        low, high = math.floor(low / step + ROUNDING) * step, math.ceil(high / step - ROUNDING) * step
        if isinstance(domain := axis.quantity.domain, Interval):  # no probability of 1.05
            low, high = max(low, domain.low), min(high, domain.high)
    low = fixed_low if fixed_low is not None else low
    high = fixed_high if fixed_high is not None else high
    return (low, high) if low < high else (low, low + 1)
