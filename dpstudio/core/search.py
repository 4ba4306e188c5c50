"""Where something begins to hold, where a function comes to 0, where a valley is lowest: what all searches are made of.

    first_double(holds, shape)           for arrays of questions the smallest of all doubles from which on it holds
    first_whole(holds, shape, end)       for arrays of questions the smallest whole number from which on it holds
    narrowing(behind, low, high)         of one question ever narrower ends between which a function ceases to be above
                                         0: whoever asks stops where they are near enough, and takes the safe one
    next_to(same, low, high, slope)      of one question the whole number, or place of a double, from which on it is
                                         another; by halving or, where a slope is given, by its root
    falling_root(function, start, step)  of one question without ends: they are sought from a start in growing steps
    lowest(function, low, high)          where a function with one valley is least
    place_of(number), number_at(place)   a double by its place among all doubles: whole numbers, of which neighbours
                                         differ by one and equal steps are nearly equal factors

Of whole numbers and one question with yes or no it is `bisect.bisect_left(range(low, high), True, key=holds)`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

Holds: TypeAlias = Callable[[Array], npt.NDArray[np.bool_]]
_Places: TypeAlias = npt.NDArray[np.int64]

_LARGEST = np.finfo(np.float64).max
_OFF = 1e-13
"""So near to 0 a root is found."""
_PAST = 1.05
"""Part of the way that a straight line shows to a root: a little more than all of it."""
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


def narrowing(behind: Callable[[float], float], low: float, high: float, patience: int = 1, least: float = 1e-3
              ) -> Iterator[tuple[float, float]]:
    """Ever narrower ends above 0, of which a function is above 0 at the lower and not above it at the upper one.

    By straight lines in the logarithm, each of which leaves out so much at least, and by halving where none is to be
    drawn and after so many in a row that left more than half. The first pair is the two that are given; each other one
    takes a question. They end where no number lies between them.
    """
    worse, better, slow = behind(low), behind(high), 0
    yield low, high
    while low < (value := low * math.pow(high / low, share := 0.5)) < high:
        if slow < patience and 0 < worse - better < math.inf:
            straight = min(max(worse / (worse - better), least), 1 - least)
            if low < (there := low * math.pow(high / low, straight)) < high:
                share, value = straight, there
        found = behind(value)
        if found > 0:
            low, worse, kept = value, found, 1 - share
        else:
            high, better, kept = value, found, share
        slow = slow + 1 if kept > 0.5 else 0
        yield low, high


def next_to(same: Callable[[int], bool], low: int, high: int, slope: Callable[[int], float] | None = None) -> int:
    """The first whole number above `low`, as far as it can be told, that is not the same as it, as `high` is not.

    `slope` has one sign on either side where it is finite and then has its root sought, first by halving until it is.
    """
    def narrowed(place: int) -> bool:
        nonlocal low, high
        like = same(place)
        low, high = (max(low, place), high) if like else (low, min(high, place))
        return like

    # There is a root between two finite values on either side of 0 that can be found by more than halving.
    while high - low > 1 and not (slope and math.isfinite(slope(low)) and math.isfinite(slope(high))
                                  and slope(low) * slope(high) < 0):
        narrowed((low + high) // 2)
    if slope and high - low > 2:
        root = _root(slope, low, high)
        step = 1 if narrowed(root) else -1
        while high - low > 1 and low < root + step < high and narrowed(root + step) == (step > 0):
            step *= 2
    while high - low > 1:
        narrowed((low + high) // 2)
    return high


def _root(slope: Callable[[int], float], low: int, high: int) -> int:
    """A whole number strictly between two that is next to a root, as far as 80 questions lead."""
    from scipy.optimize import brentq  # not before somebody solves

    towards = slope(low)

    def finite(step: float) -> float:
        found = slope(low + round(step))
        return found if math.isfinite(found) else math.copysign(1e300, found if math.isinf(found) else -towards)

    step, _ = brentq(finite, 0.0, float(high - low), xtol=0.5, maxiter=80, full_output=True, disp=False)
    return min(max(low + round(step), low + 1), high - 1)


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


def falling_root(function: Callable[[float], float], start: float, step: float) -> float:
    """Where a function that falls from above 0 to below it is 0, or off by 1e-13.

    It is sought from a start in growing steps, first as if it fell by 1 in one, then by the inverse parabola through
    three places, or a line through two, where that leads between the ends of the bracket and leaves less than half of
    it in three steps.
    """
    low, high, scale = -math.inf, math.inf, step
    seen: list[tuple[float, float]] = []
    middle, widths = start, [math.inf]
    while high - low > 4 * math.ulp(max(abs(middle), scale)):
        at = function(middle)
        if abs(at) <= _OFF:
            return middle
        low, high = (middle, high) if at > 0 else (low, middle)
        seen = [*seen[-2:], (middle, at)]
        widths.append(high - low)
        toward = _inverse(seen) if len(seen) > 1 else middle + at * step
        if math.isinf(high - low):
            # Beyond: as far as is shown and a little more, but in growing steps.
            side = 1 if at > 0 else -1
            ahead = _PAST * side * (toward - middle)
            middle += side * (min(ahead, 8 * step) if ahead > 0 else step)
            step *= 2
        else:
            slow = len(widths) > 3 and widths[-1] > widths[-4] / 2
            middle = toward if low < toward < high and not slow else (low + high) / 2
    return high


def _inverse(seen: list[tuple[float, float]]) -> float:
    """Where the inverse parabola, or line, through the places seen last is 0; NaN where there is none."""
    found = 0.0
    for i, (place, at) in enumerate(seen):
        weight = 1.0
        for other, (_, value) in enumerate(seen):
            if other != i:
                if value == at:
                    return math.nan
                weight *= value / (value - at)
        found += weight * place
    return found


def _first(holds: Callable[[_Places], npt.NDArray[np.bool_]], low: _Places, high: _Places) -> _Places:
    """The first of the whole numbers above `low` that holds, else `high`, by halving."""
    while True:
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # no sum leaves the integers
        apart = middle > low
        if not apart.any():
            return high
        there = holds(np.where(apart, middle, high))
        low, high = np.where(apart & ~there, middle, low), np.where(apart & there, middle, high)


def place_of(x: float) -> int:
    """Where a double stands among all doubles, 0 for 0: its bits are in order on either side of it."""
    bits: int = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
    return -bits if x < 0 else bits


def number_at(place: int) -> float:
    """The double that stands there."""
    x: float = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return -x if place < 0 else x


def _places(x: Array) -> _Places:
    """`place_of` each."""
    places = np.abs(x).view(np.int64)
    return np.asarray(np.where(x < 0, -places, places))


def _doubles(places: _Places) -> Array:
    """`number_at` each."""
    x = np.abs(places).view(np.float64)
    return np.asarray(np.where(places < 0, -x, x))
