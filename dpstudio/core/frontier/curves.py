"""The curves of an outcome: what each series comes to as its privacy-loss parameter moves, all else held."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

from dpstudio.core.frontier.measure import MEASURES, Measure
from dpstudio.core.results import Series, Span
from dpstudio.core.trace import Trace, Work, refined
from dpstudio.records import dataclass
from dpstudio.vocabulary import Interval, Quantity, Scale, Value

COARSE, FINE = 8, 32
"""Stretches of a curve that is drawn while a hand moves, and of one before it is refined."""
MOST = 120
"""Points of a curve, and the parts of the picture that a curve may be off between two of them."""
OFF = 1.5e-3
NARROWEST, AT_EDGE = 2.0**-13, 2.0**-17
"""Parts of a sweep that no two points are nearer than, and than where what is spent begins or ceases to be a number."""
REACH = 1e3
"""How far below its upper end a sweep begins whose parameter may be 0."""
FARTHEST = 1e300
"""No sweep ends farther from where it begins, for their ratio is a number."""
KEPT = 64
"""Curves that are kept from one answer to the next, and of each so many lines."""
BESIDE = 2048
"""Points beside its own that are kept of each: who is ahead asks for hundreds again at each answer, and what matches
for further ones wherever the present setting stands."""

AT_DELTA = "Each at the smallest ε at which it needs no more than δ."
"""The caption of an outcome whose cost is the ε at the study's δ."""

Of: TypeAlias = Series | None
"""Whose an outcome is; None where it belongs to no series."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What privacy makes worse, and which parameter buys it back: a study's picture of utility against privacy."""

    quantity: Quantity
    """A fact of each series, or one of the question."""
    title: str
    caption: str
    """What the picture must not be taken for."""
    better: Literal["less", "more"] = "less"
    over: tuple[str, ...] | Mapping[Series, tuple[str, ...]] = ("epsilon",)
    """Parameters that are swept, several in proportion; of each series its own, where they are not the same."""
    cost: Quantity | Mapping[Series, Quantity] | None = None
    """The fact that says what was spent, where that is not the parameter itself."""
    given: Mapping[str, Value] = field(default_factory=dict)
    """Values that other parameters have along the curves."""
    series: tuple[Of, ...] = ()
    """Those with a curve: all that have the fact, where nothing is said."""
    alike: Mapping[Series, Series] = field(default_factory=dict)
    """Of a series that what is given makes the same as another: that other, whose facts its curve is made of."""
    beside: tuple[Series, ...] = ()
    """Those that stand where they are: a level where nothing is spent, else a dot."""
    matched: Series | None = None
    """Whose present outcome the others are brought to: the first one's, where nothing is said."""
    span: tuple[float, float] | None = None
    """What is shown of the cost, for each of whatever `per` counts."""
    per: str = ""
    scale: Scale = "log"
    floor: float = 1e-12
    """Values below it are not told from 0."""
    axis: str = ""
    """What its axis is called, where a fact that is read beside it has a word for it: that of the quantity, else."""
    risks: bool = True
    """Whether it is compared at an attacker's risk, too: not what is claimed, nor accounts of many releases."""
    measure: Measure | None = field(default=None, kw_only=True)
    """The risk that is its cost, of one that `at_risk` makes."""
    plain: Outcome | None = field(default=None, kw_only=True)
    """The outcome of which that one is made."""

    def good(self, value: float, other: float) -> bool:
        """Whether a value is at least as good as another."""
        return value <= other if self.better == "less" else value >= other

    def best(self, values: Sequence[float]) -> float:
        return min(values) if self.better == "less" else max(values)

    def over_of(self, series: Of) -> tuple[str, ...]:
        """The parameters that are swept for a series."""
        return self.over if isinstance(self.over, tuple) else self.over.get(series, ()) if series else ()

    @property
    def swept(self) -> frozenset[str]:
        """The parameters that some curve moves along."""
        ways = [self.over] if isinstance(self.over, tuple) else self.over.values()
        return frozenset(name for way in ways for name in way)

    @property
    def level(self) -> tuple[Series, ...]:
        """What stands beside the curves and spends nothing: straight lines."""
        return tuple(one for one in self.beside if not (self.plain or self).cost_of(one))

    def cost_of(self, series: Of) -> Quantity | None:
        """The fact that says what a series spends."""
        if isinstance(self.cost, Mapping):
            return self.cost.get(series) if series else None
        return self.cost


@cache
def at_risk(outcome: Outcome) -> tuple[Outcome, ...]:
    """The same outcome by what an attacker gains, the one object of each: outcomes are told apart by what they are."""
    if not outcome.risks:
        return ()
    name = outcome.title.partition(" against ")[0].partition(" by ")[0]
    return tuple(replace(outcome, title=f"{name} against {each.against}", caption=each.caption, cost=each.quantity,
                         span=None, per="", measure=each, plain=outcome) for each in MEASURES)


@dataclass(frozen=True, slots=True)
class Point:
    """What a series spends and what that comes to."""

    x: float
    y: float
    estimated: bool = False
    bounded: bool = False
    """Whether what is spent is known by a bound."""


def point_of(outcome: Outcome, answer: Any, series: Of) -> Point | None:
    """The point at which a series stands in an answer; None where it has none."""
    found = _fact(answer, outcome.quantity, series)
    if found is None or math.isnan(found.value):
        return None
    cost, bounded = outcome.cost_of(series), False
    if cost is not None:
        spent = _fact(answer, cost, series)
        if spent is None:
            return None
        x, estimated, bounded = spent.value, spent.kind == "estimate", spent.kind == "bound"
    else:
        over = outcome.over_of(series)
        x, estimated = (float(getattr(answer.study, over[0])) if over else math.nan), False
    return Point(x, found.value, estimated or found.kind == "estimate", bounded)


def _fact(answer: Any, quantity: Quantity, series: Of) -> Any:
    """The fact of the series, or that of the question."""
    key = series.key if series and (quantity.key, series.key) in answer.index() else None
    return answer.fact(quantity, key)


class Curves:
    """All series that one parameter moves, at values between two ends of it, those computed so far."""

    def __init__(self, outcome: Outcome, kind: type[Any], over: tuple[str, ...], series: tuple[Of, ...], ends: Span,
                 values: tuple[tuple[str, Value], ...]) -> None:
        self.outcome, self.over, self.series, self.ends = outcome, over, series, ends
        self._study = kind(**dict(values))
        self._own: Trace[tuple[float, Of], Point | None] = Trace(self._point)
        """At the values of the curve."""
        self._beside = lru_cache(maxsize=BESIDE)(self._point)
        self._lines = lru_cache(maxsize=KEPT)(self._line)
        """Of a curve that is done: it is drawn again for every answer while a hand moves what it sweeps."""
        self._fine: tuple[float, ...] = ()
        self._asked: tuple[float, Any] = math.nan, None
        """The value that was asked last, and the answer there: for the other series as well."""

    def of(self, series: Of, value: float) -> Point | None:
        """What one series comes to where the parameter has this value."""
        place = value, series
        return self._own[place] if place in self._own else self._beside(place)

    def _point(self, place: tuple[float, Of]) -> Point | None:
        (value, one), asked = place, self._asked
        if asked[0] != value:
            first, *others = self.over
            factor = value / float(getattr(self._study, first))
            moved: dict[str, Value] = {first: value}
            for name in others:
                domain = self._study.parameter(name).domain
                assert isinstance(domain, Interval)
                moved[name] = domain.nearest(float(getattr(self._study, name)) * factor)
            asked = self._asked = value, self._study.replace(**moved).answer()
        return point_of(self.outcome, asked[1], self.outcome.alike.get(one, one) if one else None)

    @property
    def done(self) -> bool:
        return bool(self._fine)

    @property
    def values(self) -> tuple[float, ...]:
        """Where the curve has its points: few of them until it is done."""
        return self._fine or self._even(COARSE)

    def points(self, series: Of) -> list[Point]:
        """The points of one series, in order."""
        return [point for _, point in self.placed(series)]

    def placed(self, series: Of) -> list[tuple[float, Point]]:
        """The points of one series in order, each with its value of the parameter.

        Without a fact that says what is spent there are none unless it is there all along. With one, those where it
        spends a finite amount; where less of the parameter spends more, the largest that spends so little stands.
        """
        found = [(value, point) for value in self.values if (point := self._own[value, series])]
        if self.outcome.cost_of(series) is None:
            return found if len(found) == len(self.values) else []
        kept: list[tuple[float, Point]] = []
        for value, point in reversed(found):
            if math.isfinite(point.x) and not (kept and point.x > kept[-1][1].x):
                kept.append((value, point))
        return kept[::-1]

    def drawn(self, series: Of, span: Span) -> tuple[Point, ...]:
        """The curve of a series over a stretch of what is spent: what it comes to where it spends so much.

        Where it spends nothing on a stretch of the sweep, the last of that holds from the beginning; where it stops,
        its last holds to the end.
        """
        return (self._lines if self.done else self._line)(series, span)

    def _line(self, series: Of, span: Span) -> tuple[Point, ...]:
        points = self.points(series)
        if self.outcome.cost_of(series) is None:
            return tuple(points)
        found = [point for point in points if point.x > 0]
        if free := [point for point in points if point.x <= 0]:
            found.insert(0, replace(free[-1], x=min(span[0], found[0].x) if found else span[0]))
        if found and self.stops(series) and found[-1].x < span[1]:
            found.append(replace(found[-1], x=span[1]))
        return tuple(found)

    def stops(self, series: Of) -> bool:
        """Whether a series has no finite cost at the end of the sweep: no more buys nothing more there."""
        last = self._own[self.values[-1], series]
        return last is None or not math.isfinite(last.x)

    def work(self) -> Work[None]:
        """Compute it, finer where it bends, step by step; a first bare step where anything is left to do."""
        if self.done:
            return
        self._fine = tuple((yield from refined(self._look, self._even(FINE), self._between, MOST)))

    def _look(self, value: float) -> None:
        for one in self.series:
            self._own[value, one]

    def _even(self, stretches: int) -> tuple[float, ...]:
        low, high = self.ends
        inner = (low * (high / low) ** (i / stretches) for i in range(1, stretches))
        return (low, *inner, high)

    def _between(self, values: Sequence[float]) -> list[float]:
        """Middles of the stretches beside a point that lies off the straight line between its neighbours."""
        ratio = self.ends[1] / self.ends[0]
        least, at_edge = ratio**NARROWEST, ratio**AT_EDGE
        split: dict[tuple[float, float], float] = {}
        for one in self.series:
            points = [self._own[value, one] for value in values]
            heights = self._heights([point.y if point else math.nan for point in points])
            spent = [point and (0 if point.x <= 0 else math.isfinite(point.x)) for point in points]
            across = self._across(values, points)
            for j in range(1, len(values) - 1):
                (a, b, c), (before, here, after) = values[j - 1:j + 2], heights[j - 1:j + 2]
                left, middle, right = across[j - 1:j + 2]
                # Straight up, and where there is nothing, nothing is off.
                share = (middle - left) / (right - left) if left <= middle <= right and left < right else math.nan
                off = abs(here - before - share * (after - before))
                # The line through three points is off between them by a fourth of what it is off at the middle one.
                bent = off > 4 * OFF or len({math.isnan(each) for each in (before, here, after)}) == 2
                for k, ends in ((j - 1, (a, b)), (j, (b, c))):
                    edge = self.outcome.cost is not None and spent[k] is not spent[k + 1]
                    if (bent and ends[1] / ends[0] > least * least) or (edge and ends[1] / ends[0] > at_edge):
                        split[ends] = math.sqrt(ends[0] * ends[1])
        return sorted(split.values())

    def _across(self, values: Sequence[float], points: Sequence[Point | None]) -> list[float]:
        """Where the points lie from left to right: at a risk, or else at their values by magnitude."""
        measure = self.outcome.measure
        if measure is None:
            return [math.log(value) for value in values]
        return [measure.across(point.x, self._study) if point else math.nan for point in points]

    def _heights(self, values: Sequence[float]) -> list[float]:
        """Values as parts of the picture's height."""
        floor = self.outcome.floor
        up = [math.log(max(value, floor)) if self.outcome.scale == "log" and math.isfinite(value) else value
              for value in values]
        finite = [each for each in up if math.isfinite(each)]
        height = max(max(finite) - min(finite), 1e-9) if finite else 1.0
        return [each / height if math.isfinite(each) else math.nan for each in up]


_kept = lru_cache(maxsize=KEPT)(Curves)


def curves(outcome: Outcome, study: Any, series: Sequence[Of]) -> tuple[Curves, ...]:
    """The curves of an outcome beside the present values of all that is not swept, kept from answer to answer."""
    ways: dict[tuple[str, ...], list[Of]] = {}
    for one in series:
        if way := outcome.over_of(one):
            ways.setdefault(way, []).append(one)
    present = study.values() | dict(outcome.given)
    held: dict[str, Value] = {}
    for name, value in present.items():
        default = study.parameter(name).default
        # What another curve sweeps is nothing to this one.
        held[name] = default if name in outcome.swept and isinstance(default, int | float) else value
    found = []
    for way, ones in ways.items():
        # Of several the proportion is their own.
        own = held | ({name: present[name] for name in way} if len(way) > 1 else {})
        found.append(_kept(outcome, type(study), way, tuple(ones),  # type: ignore[arg-type]  # mypy compares hashes
                           ends(study, way, present), tuple(own.items())))
    return tuple(found)


def ends(study: Any, way: tuple[str, ...], present: Mapping[str, Value]) -> Span:
    """From where to where the first parameter is swept: what its slider covers, and further by decades if need be."""
    declared = study.parameter(way[0])
    domain = declared.domain
    assert isinstance(domain, Interval)
    assert declared.range is not None
    low, high = declared.range
    low = low or high / REACH
    value = float(present[way[0]])
    while value > high:
        high *= 10
    while 0 < value < low and high / low < FARTHEST:
        low /= 10
    low, high = max(low, domain.low), min(high, domain.high)
    for name in way[1:]:
        other, ratio = study.parameter(name).domain, float(present[name]) / value
        assert isinstance(other, Interval)
        if ratio:
            low, high = max(low, other.low / ratio), min(high, other.high / ratio)
    return (low, high) if low < high else (value / 2, value * 2)
