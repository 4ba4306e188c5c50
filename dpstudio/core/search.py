"""Where something begins to hold, by yes or no for arrays of questions at once; where a valley is lowest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

Holds: TypeAlias = Callable[[Array], npt.NDArray[np.bool_]]
_Places: TypeAlias = npt.NDArray[np.int64]

_LARGEST = np.finfo(np.float64).max
_STUCK = 4
_GOLDEN = (3 - math.sqrt(5)) / 2


def first_double(holds: Holds, shape: tuple[int, ...]) -> Array:
    """For each element the smallest double from which on something holds, −∞ where everywhere and ∞ where nowhere.

    `holds` is asked about one number per element, float64 of that shape, 66 times at most; what holds at x must hold at
    all larger doubles.
    """
    low, high = (np.full(shape, end) for end in (-_LARGEST, _LARGEST))
    always, never = holds(low), ~holds(high)
    found = _doubles(_first(lambda places: holds(_doubles(places)), _places(low), _places(high)))
    return np.asarray(np.where(always, -math.inf, np.where(never, math.inf, found)))


def first_whole(holds: Holds, shape: tuple[int, ...], end: int) -> Array:
    """For each element the smallest whole number in [0, end) from which on something holds, `end` where it never does.

    `holds` is asked about one number per element, float64 of that shape; what holds at n must hold at n + 1.
    """
    low, high = (np.full(shape, place, dtype=np.int64) for place in (-1, end))
    return _first(lambda places: holds(places.astype(np.float64)), low, high).astype(np.float64)


def lowest(function: Callable[[float], float], low: float, high: float, within: float = 1e-8) -> float:
    """Where between two numbers a function with one valley is least, by golden sections and parabolas [Brent 1973, 5].

    Inside the ends, which are not looked at. A smooth valley is flat to the last digits over 1e-8 of its width, so a
    smaller `within` finds but noise.
    """
    best = second = third = low + _GOLDEN * (high - low)
    least = next_least = third_least = function(best)
    step = before = 0.0
    while abs(best - (middle := (low + high) / 2)) > 2 * within - (high - low) / 2:
        r, q = (best - second) * (least - third_least), (best - third) * (least - next_least)
        p, q = (best - third) * q - (best - second) * r, 2 * (q - r)
        p, q = (-p if q > 0 else p), abs(q)
        if abs(before) > within and abs(p) < abs(q * before / 2) and q * (low - best) < p < q * (high - best):
            before, step = step, p / q
            if min(best + step - low, high - best - step) < 2 * within:
                step = math.copysign(within, middle - best)
        else:
            before = (high if best < middle else low) - best
            step = _GOLDEN * before
        at = best + (step if abs(step) >= within else math.copysign(within, step))
        found = function(at)
        if found <= least:
            low, high = (best, high) if at >= best else (low, best)
            third, second, best = second, best, at
            third_least, next_least, least = next_least, least, found
        else:
            low, high = (low, at) if at >= best else (at, high)
            if found <= next_least or second == best:
                third, second, third_least, next_least = second, at, next_least, found
            elif found <= third_least or third in (best, second):
                third, third_least = at, found
    return best


def falling_root(function: Callable[[float], float], start: float, step: float, off: float = 1e-10) -> float:
    """Where a function that falls from above 0 to below it is 0, or off by so much.

    It is sought from a start in growing steps, then by false position, where an end that stays twice counts for half
    (the Illinois rule).
    """
    low = high = start
    scale = step
    at_low = at_high = function(start)
    while at_low <= 0 or at_high > 0:
        if at_high > 0:
            low, at_low, high = high, at_high, high + step
            at_high = function(high)
        else:
            high, at_high, low = low, at_low, low - step
            at_low = function(low)
        step *= 2
    stayed = 0
    while high - low > 4 * math.ulp(max(abs(low), abs(high), scale)):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        middle = middle if low < middle < high and abs(stayed) < _STUCK else (low + high) / 2
        at = function(middle)
        if abs(at) <= off:
            return middle
        if at > 0:
            stayed = max(stayed, 0) + 1
            low, at_low, at_high = middle, at, at_high / (2 if stayed > 1 else 1)
        else:
            stayed = min(stayed, 0) - 1
            high, at_high, at_low = middle, at, at_low / (2 if stayed < -1 else 1)
    return high


def _first(holds: Callable[[_Places], npt.NDArray[np.bool_]], low: _Places, high: _Places) -> _Places:
    """The first of the whole numbers above `low` that holds, else `high`, by halving."""
    while True:
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # no sum leaves the integers
        apart = middle > low
        if not apart.any():
            return high
        there = holds(np.where(apart, middle, high))
        low, high = np.where(apart & ~there, middle, low), np.where(apart & there, middle, high)


def _places(x: Array) -> _Places:
    """Where doubles stand among all doubles, 0 for 0: their bits are in order on either side of it."""
    places = np.abs(x).view(np.int64)
    return np.asarray(np.where(x < 0, -places, places))


def _doubles(places: _Places) -> Array:
    """The doubles that stand there."""
    x = np.abs(places).view(np.float64)
    return np.asarray(np.where(places < 0, -x, x))
