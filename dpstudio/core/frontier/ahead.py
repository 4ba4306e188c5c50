"""Who matches whom and who is ahead where, along the curves of an outcome around one answer."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from dpstudio.core.answer import Answer
from dpstudio.core.facts import Steps
from dpstudio.core.frontier.curves import Curves, Of, Outcome, Point, curves, point_of
from dpstudio.core.search import narrowing
from dpstudio.core.trace import Work
from dpstudio.records import cached_property, dataclass

SAME = 1e-3
"""Part of the best by which an outcome may be worse and still is said to be the same."""
CLOSE = 1e-4
"""Part of itself to which the end of a stretch is found."""
SPENT = 1e-12
"""Part of itself to which a match, a crossing or what is spent is found."""
CUTS = 40
"""So often a stretch of a curve is cut on the way to what costs so much."""
LOOKS = 16
"""Places, at least, at which one looks who is ahead before the ends are found; beside them where lines cross."""
MOST_STRETCHES = 4
"""Beyond so many, who is ahead is said by turns."""
_LEAST = 1e-300
"""What stands for 0 among logarithms."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is ahead up to where."""

    ahead: tuple[Of, ...]
    end: float


class Frontier:
    """One outcome around one answer."""

    def __init__(self, outcome: Outcome, series: tuple[Of, ...], a: Answer[Any, Any, Any]) -> None:
        self.outcome, self.answer = outcome, a
        self.apart = protects_another(outcome, series, a)
        """What protects another unit than the reference, and is not compared with it."""
        self.all = series
        self.series = tuple(one for one in series if one not in self.apart)
        self.measure = outcome.measure
        self.curves = curves(outcome, a.study, series)
        self.reference = outcome.matched or series[0]
        self.matched: dict[Of, float | None] | None = None
        """Of every other series, once it was found, the parameter where it spends least and is as good as the
        reference; None of one that is nowhere as good."""
        self.stretches: tuple[Lead, ...] | None = None
        self.words = ""
        """What is said of it, once all is known."""
        self.language: object = None
        """In which that is said."""

    @property
    def asked(self) -> bool:
        """Whether there is anything to compare: at a risk, whether anybody is feared."""
        return self.measure is None or self.measure.asked(self.answer.study)

    def curve(self, series: Of) -> Curves:
        return next(each for each in self.curves if series in each.series)

    def now(self, series: Of) -> Point | None:
        """Where a series stands."""
        return point_of(self.outcome, self.answer, series)

    def match(self, series: Of) -> Point | None:
        """Where a series spends least and is as good as the reference; None where that is not known, or never."""
        value = (self.matched or {}).get(series)
        return None if value is None else self.curve(series).of(series, value)

    def work(self) -> Steps:
        """Compute the curves, what matches and who is ahead, in steps."""
        if not self.asked:
            self.matched, self.stretches = {}, ()
            return
        for curve in self.curves:
            yield from curve.work()
        if self.matched is None:
            yield None
            found: dict[Of, float | None] = {}
            here = self.now(self.reference)
            if here and math.isfinite(here.x) and math.isfinite(here.y):
                for one in self.series:
                    if one != self.reference:
                        found[one] = yield from self._match(one, here.y)
            self.matched = found
        if self.stretches is None:
            yield None
            stretches = yield from self._stretches()
            self.stretches = yield from self._crossed(stretches)

    @cached_property
    def step(self) -> float:
        """The step of an outcome that goes in whole numbers: between two steps of one curve another cannot be told."""
        for one in self.series:
            heights = {point.y for point in self.curve(one).points(one) if math.isfinite(point.y)}
            if len(heights) > 2 and all(y == math.floor(y) for y in heights):
                return 1.0
        return 0.0

    # What matches

    def _match(self, series: Of, wanted: float) -> Work[float | None]:
        """Where a series spends least and is as good."""
        curve = self.curve(series)
        placed = curve.placed(series)
        i = next((i for i, (_, point) in enumerate(placed) if self.outcome.good(point.y, wanted)), None)
        if not i:
            return None if i is None else placed[0][0]

        def behind(value: float) -> float:
            point = curve.of(series, value)
            return self._behind(point.y, wanted) if point else math.inf

        return (yield from _edge(behind, placed[i - 1][0], placed[i][0], SPENT))

    def _behind(self, value: float, other: float) -> float:
        """By how much a value is worse than another, on the scale of the picture; 0 or less where it is as good."""
        if self.outcome.scale == "log" and min(value, other) > 0 and math.isfinite(value) and math.isfinite(other):
            worse = math.log(value / other) or value - other
        else:
            worse = value - other
        return worse if self.outcome.better == "less" else -worse

    # Who is ahead

    def at(self, series: Of, x: float) -> Point | None:
        """What a series comes to where it spends so much, or less where what it spends jumps over that.

        None below the least that it spends, and above the most, unless it stops there.
        """
        curve = self.curve(series)
        if self.outcome.cost_of(series) is None:
            return curve.of(series, x)
        placed = curve.placed(series)
        i = bisect_right([point.x for _, point in placed], x)
        if i == 0:
            return None
        low, a = placed[i - 1]
        if a.x == x:
            return a
        if i == len(placed):
            return a if curve.stops(series) else None

        def behind(value: float) -> float:
            here = curve.of(series, value)
            return math.nan if here is None else math.log(x / here.x) if here.x > 0 else math.inf

        for under, over in islice(narrowing(behind, low, placed[i][0], patience=3, least=0.0), CUTS):
            before, after = curve.of(series, under), curve.of(series, over)
            if after is None or before is None:
                break
            a = before
            if abs(after.x - x) <= SPENT * x:
                return after
            if self.step and a.y == after.y:  # and so is all between
                return Point(x, a.y)
            if abs(a.x - x) <= SPENT * x:
                break
        return a

    def _ahead(self, x: float) -> tuple[Of, ...]:
        """Whoever has the best outcome there, or one that is the same."""
        found = {one: point.y for one in self.series if (point := self.at(one, x)) is not None}
        if not found or not math.isfinite(best := self.outcome.best(list(found.values()))):
            return ()
        room = max(SAME * abs(best), self.step)
        return tuple(one for one, y in found.items() if abs(y - best) <= room)

    def _stretches(self) -> Work[list[Lead]]:
        """From the least that is spent to the most."""
        points = {one: self.curve(one).points(one) for one in self.series}
        points = {one: each for one, each in points.items() if each}
        if len(points) < 2:
            return []
        low = max(0.0 if each[0].x <= 0 else each[0].x for each in points.values()) or min(
            (point.x for each in points.values() for point in each if point.x > 0), default=math.inf)
        ends = [each[-1].x for one, each in points.items() if not self.curve(one).stops(one)]
        high = min(ends, default=max(each[-1].x for each in points.values()))
        if low >= high:
            return []
        inner = sorted({point.x for each in points.values() for point in each if low < point.x < high})
        if self.outcome.cost and not self.step:  # between two steps who is alike comes and goes
            first = self._first_by_lines(points, inner)
            every = max(len(inner) // LOOKS, 1)
            inner = [x for i, x in enumerate(inner) if i % every == 0 or len({*first[max(i - 1, 0):i + 2]}) > 1]
        before, here = low, self._ahead(low)
        found: list[Lead] = []
        for x in (*inner, high):
            yield None
            while (there := self._ahead(x)) != here:
                end = x  # of many the ends are not said
                if len(found) < MOST_STRETCHES:
                    end = yield from _edge(lambda x, here=here: 1.0 if self._ahead(x) == here else -1.0,  # type: ignore[misc]
                                           before, x, CLOSE, self._apart)
                    there = self._ahead(end)
                found.append(Lead(here, end))
                before, here = end, there
            before = x
        return [*found, Lead(here, math.inf)]

    def _first_by_lines(self, points: Mapping[Of, Sequence[Point]], places: Sequence[float]) -> list[int]:
        """Which series is first at some costs, by straight lines between the points of each: about, and at once."""
        heights = []
        for one, each in points.items():
            along = np.log(np.maximum([point.x for point in each], _LEAST))
            up = np.array([point.y for point in each])
            if self.outcome.scale == "log":
                up = np.log(np.maximum(up, _LEAST))
            behind = up if self.outcome.better == "less" else -up
            beyond = behind[-1] if self.curve(one).stops(one) else math.inf
            heights.append(np.interp(np.log(places), along, behind, left=math.inf, right=beyond))
        first: list[int] = np.argmin(heights, axis=0).tolist()
        return first

    def _apart(self, low: float, high: float) -> float:
        """How far apart two costs are: as part of the lower one or, of a risk, of what is gained at it."""
        return _factor(low, high) if self.measure is None else self.measure.apart(low, high, self.answer.study)

    def _crossed(self, stretches: Sequence[Lead]) -> Work[tuple[Lead, ...]]:
        """The stretches without those where one who was ahead is overtaken: that has a point of its own."""
        kept: list[Lead] = []
        before = 0.0
        for i, here in enumerate(stretches):
            beside = {*stretches[i - 1].ahead, *stretches[i + 1].ahead} if 0 < i < len(stretches) - 1 else set()
            if len(beside) == 2 and beside == set(here.ahead):
                (first, *_), (then, *_) = stretches[i - 1].ahead, stretches[i + 1].ahead

                def behind(x: float, first: Of = first, then: Of = then) -> float:
                    one, other = self.at(first, x), self.at(then, x)
                    return self._behind(other.y, one.y) if one and other else math.inf

                end = yield from _edge(behind, before, here.end, SPENT)
                kept[-1] = Lead(kept[-1].ahead, end)
            else:
                kept.append(here)
            before = here.end
        return tuple(kept)


def protects_another(outcome: Outcome, series: tuple[Of, ...], a: Answer[Any, Any, Any]) -> tuple[Of, ...]:
    """Those whose guarantee is of another unit than that of the series to which the others are brought."""
    relations = {one: promised.relation for one in series if one and (promised := a.guarantee(one))}
    reference = outcome.matched or series[0]
    own = relations.get(reference) if reference else None
    return tuple(one for one, relation in relations.items() if own and relation != own)


def _factor(low: float, high: float) -> float:
    return high / low - 1


def _edge(behind: Callable[[float], float], low: float, high: float, close: float,
          apart: Callable[[float, float], float] = _factor) -> Work[float]:
    """Where between two numbers something ceases to be behind that is so at the lower one and not at the upper."""
    end = high
    for under, end in narrowing(behind, low, high):
        if apart(under, end) <= close:
            break
        yield None
    return end
