"""Where something holds along one number: looked for over its whole range, no order taken for granted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from typing import Literal, TypeAlias

import numpy as np

from dpstudio.core.results import Span
from dpstudio.core.search import next_to
from dpstudio.core.trace import Numbers, Trace
from dpstudio.records import dataclass

POINTS = 33
"""Looked at over each part of a range: of each sign by its magnitude, and over what is usual."""
TOUCHES = 8
"""Places at most where what comes near without reaching is looked at closely."""
SMALL = tuple(map(float, range(1, 11)))
"""Looked at in every range: some things exist for whole numbers only."""
FIRST = 48
"""Whole numbers from the least on that are all looked at: where counts are small, one more or less is much."""
CLOSER = 24
"""Parts of the stretch about a place where nothing is met but least is missed."""
_SMALLEST = (1e-100, 1e-60, 1e-40, 1e-30)
_DECADES = 1e-18
"""Part of the larger end down to which magnitudes near 0 are looked at one by one."""

Side: TypeAlias = Literal["met", "missed", "less", "more", "nowhere"]
"""Where a number stands to what is asked: of what is to be met exactly, on which side; nowhere: undefined."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What is at one number: on which side it is, whether it will do, and how much is missed by."""

    side: Side
    met: bool
    miss: float
    """NaN where nothing is defined."""
    slope: float
    """Has the sign of the miss and is smoother, to find roots with."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Places, ends included, at all of which something holds, and whether it fails beyond either end."""

    low: int
    high: int
    fails_below: bool
    fails_above: bool

    def meet(self, other: Stretch) -> Stretch:
        """What both have in common; it is empty where its low end lies above its high one."""
        low = max(self, other, key=lambda each: (each.low, each.fails_below))
        high = min(self, other, key=lambda each: (each.high, not each.fails_above))
        return Stretch(low.low, high.high, low.fails_below, high.fails_above)

    def holds(self, place: int) -> bool:
        return self.low <= place <= self.high

    def clipped(self, place: int) -> int:
        """The place in it that is nearest to one."""
        return min(max(place, self.low), self.high)


def scan(over: Numbers, usual: Span | None, marks: Iterable[float]) -> list[int]:
    """Places to look at, in order: over what is usual, over all magnitudes, near 0 and 1, and some that matter."""
    low, high = float(over.low), float(over.high)
    numbers = {low, high, *marks, *SMALL, *_spread(low, high)}
    if usual:
        numbers |= set(_spread(max(low, usual[0]), min(high, usual[1])))
    if 0.5 < high <= 1 and low >= 0:
        numbers |= {1 - each for each in np.geomspace(1e-15, 0.4, 16).tolist()}
    whole = {over.low + round(part * (over.high - over.low)) for part in np.linspace(0, 1, POINTS).tolist()}
    places = {over.place(number) for number in (whole if over.integer else numbers)}
    if over.integer:
        places |= {round(number) for number in numbers if math.isfinite(number)}
        places |= {int(over.low) + step for step in range(FIRST)}
    return sorted(place for place in places if over.first <= place <= over.last)


def _spread(low: float, high: float) -> Iterator[float]:
    """Numbers from low to high, evenly, and evenly by magnitude on either side of 0."""
    if low > high:
        return
    yield from np.linspace(low, high, POINTS).tolist()
    for sign, least, most in ((1, low, high), (-1, -high, -low)):
        if most <= 0:
            continue
        least = max(least, most * _DECADES)
        yield from (sign * each for each in np.geomspace(least, most, POINTS).tolist())
        yield from (sign * each for each in _SMALLEST if each < least)


class Along(Trace[int, Sample]):
    """Something asked along a range, looked for all over it from these places on."""

    def __init__(self, ask: Callable[[float | int], Sample], over: Numbers, places: Iterable[int]) -> None:
        super().__init__(lambda place: ask(over.number(place)))
        self.over = over
        for place in places:
            self[place]
        self._look_closer()
        self._edges()
        if not any(found.met for found in self.values()):
            self._look_around()
            self._edges()

    @property
    def nearest(self) -> int | None:
        """Where least is missed; None where nothing is defined."""
        defined = [place for place in self.places if not math.isnan(self[place].miss)]
        return min(defined, key=lambda place: abs(self[place].miss), default=None)

    def stretches(self) -> list[Stretch]:
        """Where it is met, in order; of what is to be met exactly, a crossing is the one place that comes nearest."""
        places, stretches = self.places, []
        runs = groupby(range(len(places)), lambda i: self[places[i]].met)
        for run in (list(run) for met, run in runs if met):
            low, high = places[run[0]], places[run[-1]]
            below, above = (self[places[i]].side if 0 <= i < len(places) else "nowhere"
                            for i in (run[0] - 1, run[-1] + 1))
            inside = [self[places[i]].side for i in run]
            if {"less", "more"} <= {*inside, below, above} and inside.count("met") < 2:
                low = high = min((places[i] for i in run), key=lambda place: abs(self[place].miss))
            stretches.append(Stretch(low, high, below != "nowhere", above != "nowhere"))
        return stretches

    def _look_closer(self) -> None:
        """Where something comes near and turns away between two places, see whether it gets there."""
        from scipy.optimize import minimize_scalar  # not before somebody solves

        places, turns = self.places, []
        level = [list(run) for _, run in groupby(places, lambda place: abs(self[place].slope))]
        for before, here, after in zip(level, level[1:], level[2:], strict=False):  # a level stretch turns as one place
            seen = [self[place] for place in (before[-1], *here, after[0])]
            if len({each.side for each in seen}) > 1 or not all(math.isfinite(each.slope) for each in seen):
                continue
            if abs(seen[1].slope) < min(abs(seen[0].slope), abs(seen[-1].slope)):
                turns.append((abs(seen[1].slope), before[-1], after[0]))
        for _, first, last in sorted(turns)[:TOUCHES]:
            # It multiplies what it is given, four deep at most.
            minimize_scalar(lambda step, low=first: min(abs(self[low + round(step)].slope), 1e60), method="bounded",
                            bounds=(0, last - first), options={"maxiter": 25, "xatol": 1e-6 * (last - first)})

    def _look_around(self) -> None:
        """Where nothing is met, look again and more closely at where least is missed: it may hold in between."""
        places = self.places
        missed = {place: abs(self[place].slope) for place in places}
        nearest = sorted((place for place in places if math.isfinite(missed[place])), key=missed.__getitem__)
        for at in {places.index(place) for place in nearest[:TOUCHES]}:
            low, high = places[max(at - 1, 0)], places[min(at + 1, len(places) - 1)]
            for step in range(1, CLOSER):
                self[low + (high - low) * step // CLOSER]

    def _edges(self) -> None:
        """Look at the last place before every change and at the first after it."""
        places = self.places
        for low, high in pairwise(places):
            alone = [end for end in (low, high) if end in (places[0], places[-1]) and self[end].side == "nowhere"]
            if alone:  # 0, where there is nothing: whoever solves does not want what is next to it
                continue
            while (side := self[low].side) != self[high].side:
                # What lies beyond may change once more.
                low = next_to(lambda place, side=side: self[place].side == side,  # type: ignore[misc]
                              low, high, lambda place: self[place].slope)


def is_flat(lines: Iterable[Along]) -> bool:
    """Whether whatever is asked is there, and the same, all over."""
    misses = [{found.miss for found in line.values()} for line in lines]
    return all(len(each) == 1 and not any(map(math.isnan, each)) for each in misses)
