"""Where an axis has its ticks and what they say: plain numbers on a linear axis, powers of ten on a log one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpstudio.core.figure import Axis
from dpstudio.core.numerals import decade, fixed
from dpstudio.vocabulary import Interval

LONG = 9
"""Characters of a tick above which a common power of ten is drawn out of all of them, if that helps."""

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


def ticks_of(axis: Axis, low: float, high: float, most: int) -> Ticks:
    """The ticks of an axis between two positions."""
    if axis.scale == "log":
        return log_ticks(low, high, most)
    domain = axis.quantity.domain
    return linear_ticks(low, high, most, whole=isinstance(domain, Interval) and domain.integer)


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
    exponent = _common_power(max(abs(low), abs(high)))
    if max(map(len, labels), default=0) > LONG and exponent:
        left = max(0, exponent - math.floor(math.log10(step) + 1e-9))
        drawn = tuple(fixed(value / 10.0**exponent, left) for value in values)
        if max(map(len, drawn)) < LONG:
            return Ticks(values, drawn, exponent=exponent)
    return Ticks(values, labels)


def _inside(low: float, high: float, step: float) -> tuple[int, int]:
    """The first and the last multiple of a step between two positions."""
    return math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)


def _common_power(largest: float) -> int:
    """A multiple of three that leaves one to three digits before the point."""
    return 3 * math.floor(math.log10(largest) / 3) if largest > 0 else 0


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
