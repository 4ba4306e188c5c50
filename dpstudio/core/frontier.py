"""The frontier of a study: its outcome against privacy for all that it compares, who is ahead where, and who matches.

A study declares its outcomes; the picture, the table behind it and the sentence that says what it shows follow.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from dpstudio.core.answer import Answer, Steps, Tabled, table
from dpstudio.core.curves import Curve, Of, Outcome, Point, curves, ends, point_of
from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis, Dots, Figure, Layer, Level, Line, Mark
from dpstudio.core.results import Column, Span, Table
from dpstudio.text.numbers import powered, said, short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Quantity, amount, named, variant

if TYPE_CHECKING:
    from dpstudio.core.study import Study

Made = TypeVar("Made")
Work: TypeAlias = Generator[None, None, Made]
"""Work in steps, between which it can be left, and what comes of it."""

SAME = 1e-3
"""Part of the best by which an outcome may be worse and still is said to be the same."""
CLOSE = 1e-4
"""Part of itself to which the end of a stretch is found."""
LEAST_STEP = 1e-3
"""Part of a stretch that a search leaves out at least with each step."""
SPENT = 1e-12
"""The same of what is spent."""
MOST_STRETCHES = 4
"""Beyond so many, who is ahead is said by turns."""


# The picture and its table

def key_of(outcomes: Sequence[Outcome], outcome: Outcome) -> str:
    """The name of its figure and of its table."""
    return "frontier" if outcome is outcomes[0] else f"frontier_{outcome.quantity.key}"


def figures(kind: type[Study]) -> tuple[Figure, ...]:
    """A picture of each outcome, beside the study's first."""
    return tuple(_figure(kind, outcome, key_of(kind.outcomes, outcome)) for outcome in kind.outcomes)


def tables(kind: type[Study], answers: type[Answer[Any, Any, Any]]) -> dict[str, Tabled[Any, Any]]:
    """The table behind each picture, computed where somebody looks at it."""
    return {key_of(kind.outcomes, outcome): _tabled(outcome, _compared(outcome, answers)) for outcome in kind.outcomes}


def _tabled(outcome: Outcome, series: tuple[Of, ...]) -> Tabled[Any, Any]:
    def of(a: Answer[Any, Any, Any]) -> Frontier:
        return _frontier(outcome, series, a)

    return table(lambda a, _: of(a).table(), partial(_view, outcome), slow=lambda a: of(a).work(),
                 later=lambda a, _: of(a).table().columns, aside=True)


def _compared(outcome: Outcome, answers: type[Answer[Any, Any, Any]]) -> tuple[Of, ...]:
    """Everything with a curve: what is declared, or all that have the fact."""
    if outcome.series:
        return outcome.series
    having = [series for series in answers.series() if (outcome.quantity.key, series.key) in answers.index()]
    return tuple(having) or (None,)


def _here(quantity: Quantity, words: str) -> Quantity:
    """The quantity in another role, where one setting stands."""
    return variant(quantity, key=f"{quantity.key}_{words}", label=f"{quantity.label}, {words}")


def _spent(kind: type[Study], outcome: Outcome, series: Of) -> Quantity:
    """What lies on the x axis of a series: what it spends, or the parameter that is swept."""
    return outcome.cost_of(series) or kind.parameter((outcome.over_of(series) or next(
        iter([outcome.over] if isinstance(outcome.over, tuple) else outcome.over.values())))[0]).quantity


def _figure(kind: type[Study], outcome: Outcome, key: str) -> Figure:
    first, answers = kind.pictures[0], kind.answers()
    series = _compared(outcome, answers)
    y, axis = outcome.quantity, _spent(kind, outcome, series[0])
    columns = {one: (Column(_spent(kind, outcome, one), one if outcome.cost else None), Column(y, one))
               for one in series}
    reference = outcome.matched or series[0]
    layers: list[Layer] = [Line(*columns[one]) for one in series]
    layers += [Level(y, one) for one in outcome.beside if not outcome.cost_of(one)]
    layers.append(Level(y, reference if (y.key, reference and reference.key) in answers.index() else None))
    layers += [Dots(*_dots(kind, outcome, one, "now"), says="") for one in series]
    layers += [Dots(*_dots(kind, outcome, one, "now")) for one in outcome.beside if outcome.cost_of(one)]
    layers += [Dots(*_dots(kind, outcome, one, "matched"), says="x") for one in series if one != reference]
    if not outcome.cost and isinstance(outcome.over, tuple):
        layers.append(Mark(outcome.over[0], draggable=True))
    return Figure(key, outcome.title, key, Axis(axis, "log"), Axis(y, outcome.scale, floor=outcome.floor),
                  tuple(layers), panel=first.place, switch=outcome.switch, caption=outcome.caption,
                  told=lambda a: _frontier(outcome, series, a).told())


def _dots(kind: type[Study], outcome: Outcome, series: Of, words: str) -> tuple[Column, Column]:
    return (Column(_here(_spent(kind, outcome, series), words), series), Column(_here(outcome.quantity, words), series))


def _view(outcome: Outcome, a: Answer[Any, Any, Any]) -> Span:
    if outcome.span:
        times = float(getattr(a.study, outcome.per)) if outcome.per else 1.0
        return outcome.span[0] * times, outcome.span[1] * times
    way = outcome.over if isinstance(outcome.over, tuple) else next(iter(outcome.over.values()))
    return ends(a.study, way, a.study.values() | dict(outcome.given))


# What the picture shows

@dataclass(frozen=True, slots=True)
class Matched:
    """The least that a series spends on the outcome of another: where its parameter is, and that point."""

    value: float
    point: Point
    first: bool
    """Whether it is that good from the beginning of its curve."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Who is ahead up to where."""

    ahead: tuple[Of, ...]
    end: float


class Frontier:
    """One outcome around one answer."""

    def __init__(self, outcome: Outcome, series: tuple[Of, ...], a: Answer[Any, Any, Any]) -> None:
        self.outcome, self.series, self._answer = outcome, series, a
        self.curves = curves(outcome, a.study, series)
        self.reference = outcome.matched or series[0]
        self.matched: dict[Of, Matched | None] | None = None
        """Of every other series, once it was found; None of one that is nowhere as good."""
        self.stretches: tuple[Stretch, ...] | None = None

    def curve(self, series: Of) -> Curve:
        return next(each for each in self.curves if series in each.series)

    def now(self, series: Of) -> Point | None:
        """Where a series stands."""
        return point_of(self.outcome, self._answer, series)

    def others(self) -> list[Of]:
        """What is brought to the outcome of the reference."""
        return [one for one in self.series if one != self.reference]

    def work(self) -> Steps:
        """Compute the curves, what matches and who is ahead, in steps."""
        for curve in self.curves:
            yield from curve.work()
        if self.matched is None:
            yield None
            found: dict[Of, Matched | None] = {}
            here = self.now(self.reference)
            for one in self.others() if here and math.isfinite(here.y) else ():
                found[one] = yield from self._match(one, here.y)  # type: ignore[union-attr]
            self.matched = found
        if self.stretches is None:
            yield None
            stretches = yield from self._stretches()
            self.stretches = yield from self._crossed(stretches)

    # What matches

    def _match(self, series: Of, wanted: float) -> Work[Matched | None]:
        """The least that a series can spend and be as good."""
        curve = self.curve(series)
        good = partial(self.outcome.good, other=wanted)
        values = curve.values
        points = curve.points(series)
        i = next((i for i, point in enumerate(points) if good(point.y)), None)
        if i is None:
            return None
        if i == 0:
            return Matched(values[0], points[0], True)

        def behind(value: float) -> float:
            point = curve.of(series, value)
            return self._behind(point.y, wanted) if point else math.inf

        value = yield from _edge(behind, values[i - 1], values[i])
        point = curve.of(series, value)
        assert point is not None
        return Matched(value, point, False)

    def _behind(self, value: float, other: float) -> float:
        """By how much a value is worse than another, on the scale of the picture; 0 or less where it is as good."""
        if self.outcome.scale == "log" and min(value, other) > 0 and math.isfinite(value) and math.isfinite(other):
            worse = math.log(value / other) or value - other
        else:
            worse = value - other
        return worse if self.outcome.better == "less" else -worse

    # Who is ahead

    def _at(self, series: Of, x: float) -> Point | None:
        """What a series comes to where it spends so much."""
        curve = self.curve(series)
        if self.outcome.cost_of(series) is None:
            return curve.of(series, x)
        points = curve.points(series)
        i = bisect_left([point.x for point in points], x)
        if i < len(points) and points[i].x == x:
            return points[i]
        if not 0 < i < len(points):
            return None
        low, high, (a, b) = curve.values[i - 1], curve.values[i], points[i - 1:i + 1]
        for _ in range(30):
            share = math.log(x / a.x) / math.log(b.x / a.x)
            value = low * (high / low) ** share
            here = curve.of(series, value)
            if here is None or not low < value < high or abs(here.x - x) <= SPENT * x:
                return here or b
            if here.x < x:
                low, a = value, here
            else:
                high, b = value, here
        return b

    def _ahead(self, x: float) -> tuple[Of, ...]:
        """Whoever has the best outcome there, or one that is the same."""
        found = {one: point.y for one in self.series if (point := self._at(one, x)) is not None}
        if not found or not math.isfinite(best := self.outcome.best(list(found.values()))):
            return ()
        room = SAME * abs(best)
        return tuple(one for one, y in found.items() if abs(y - best) <= room)

    def _stretches(self) -> Work[list[Stretch]]:
        """From the least that is spent to the most."""
        points = {one: self.curve(one).points(one) for one in self.series}
        points = {one: each for one, each in points.items() if each}
        if len(points) < 2:
            return []
        low = max(next((point.x for point in each if point.x > 0), math.inf) for each in points.values())
        high = min(each[-1].x for each in points.values())
        if low >= high:
            return []
        inner = sorted({point.x for each in points.values() for point in each if low < point.x < high})
        if self.outcome.cost:
            inner = inner[::max(len(inner) // 16, 1)]
        before, here = low, self._ahead(low)
        found: list[Stretch] = []
        for x in (*inner, high):
            yield None
            while (there := self._ahead(x)) != here:
                # Of many the ends are not said.
                end, then = (yield from self._turn(before, here, x)) if len(found) < MOST_STRETCHES else (x, there)
                found.append(Stretch(here, end))
                before, here = end, then
            before = x
        return [*found, Stretch(here, math.inf)]

    def _crossed(self, stretches: Sequence[Stretch]) -> Work[tuple[Stretch, ...]]:
        """The stretches without those where one who was ahead is overtaken: that has a point of its own."""
        kept: list[Stretch] = []
        before = 0.0
        for i, here in enumerate(stretches):
            neighbours = {*stretches[i - 1].ahead, *stretches[i + 1].ahead} if 0 < i < len(stretches) - 1 else set()
            if kept and len(neighbours) == 2 == len(here.ahead) and neighbours == set(here.ahead):
                (first, *_), (then, *_) = stretches[i - 1].ahead, stretches[i + 1].ahead
                end = yield from self._crossing(first, then, before, here.end)
                kept[-1] = Stretch(kept[-1].ahead, end)
            else:
                kept.append(here)
            before = here.end
        return tuple(kept)

    def _crossing(self, first: Of, then: Of, low: float, high: float) -> Work[float]:
        """Where one comes to be as good as another, from where one of them is alone ahead to where the other is."""
        def behind(x: float) -> float:
            before, after = self._at(first, x), self._at(then, x)
            return self._behind(after.y, before.y) if before and after else math.inf

        return (yield from _edge(behind, low, high))

    def _turn(self, low: float, ahead: tuple[Of, ...], high: float) -> Work[tuple[float, tuple[Of, ...]]]:
        """Where somebody else comes to be ahead for the first time, as halving finds it."""
        then = self._ahead(high)
        while high / low > 1 + CLOSE:
            yield None
            middle = math.sqrt(low * high)
            if (found := self._ahead(middle)) == ahead:
                low = middle
            else:
                high, then = middle, found
        return high, then

    # As a table

    def table(self) -> Table:
        """The curves with where each series stands and what matches; the dots stand in every row."""
        kind = type(self._answer.study)
        rows = max(len(curve.values) for curve in self.curves)
        columns: dict[Column, Array] = {}
        for one in self.series:
            points = self.curve(one).points(one)
            if points:
                spent = Column(_spent(kind, self.outcome, one), one if self.outcome.cost else None)
                columns[spent] = _filled([point.x for point in points], rows)
                columns[Column(self.outcome.quantity, one)] = _filled([point.y for point in points], rows)
        for one in (*self.series, *self.outcome.beside):
            columns |= self._dots(kind, one, "now", self.now(one), rows)
        for one, found in (self.matched or {}).items():
            columns |= self._dots(kind, one, "matched", found.point if found else None, rows)
        return Table(columns)

    def _dots(self, kind: type[Study], series: Of, words: str, point: Point | None, rows: int) -> dict[Column, Array]:
        if point is None or math.isnan(point.x):
            return {}
        x, y = _dots(kind, self.outcome, series, words)
        return {x: np.full(rows, point.x), y: np.full(rows, point.y)}

    # In words

    def told(self) -> str:
        """What the picture shows; nothing before it is known."""
        if self.matched is None or self.stretches is None:
            return ""
        words = (self._matched_words(), self._ahead_words()) if len(self.series) > 1 or self.matched else (
            self._alone_words(),)
        return " ".join(filter(None, words))

    def _alone_words(self) -> str:
        """What half and twice as much comes to."""
        (one,), y = self.series, self.outcome.quantity
        here, (low, high) = self.now(one), self.curve(one).ends
        if here is None:
            return ""
        x = _spent(type(self._answer.study), self.outcome, one)
        said = [f"{y.label[:1].upper()}{y.label[1:]} at {named(here.x, x)}: {_valued(here, y)}"]
        for word, value in (("half", here.x / 2), ("twice", here.x * 2)):
            there = self.curve(one).of(one, value) if low <= value <= high else None
            said += [f"at {word} of it {_valued(there, y)}".replace("twice of it", "twice that")] if there else []
        return f"{', '.join(said)}."

    def _matched_words(self) -> str:
        here = self.now(self.reference)
        if here is None or not self.matched:
            return ""
        y, who = self.outcome.quantity, _name(self.reference)
        x = _spent(type(self._answer.study), self.outcome, self.reference)
        said = [f"For the same {y.label} ({_valued(here, y)}) {who} needs {_amounting(x)} {_up(here.x)}"]
        said += [f"{_name(one)} {self._needs(one, found)}" for one, found in self.matched.items() if found]
        lost = [_name(one) for one, found in self.matched.items() if not found]
        never = f"; {listed(lost)} {'is' if len(lost) == 1 else 'are'} nowhere as good" if lost else ""
        return f"{', '.join(said)}{never}."

    def _needs(self, series: Of, found: Matched) -> str:
        if found.first:
            return f"{_up(found.point.x)} or less"
        return ("about " if found.point.estimated else "") + self._printed(series, found)

    def _printed(self, series: Of, found: Matched) -> str:
        """What is spent, rounded up to so few digits that it still is as good."""
        if self.outcome.cost_of(series) is not None:
            return _up(found.point.x)
        here = self.now(self.reference)
        assert here is not None
        text = ""
        for digits in range(3, 18):
            text = short(found.value, digits, "up")
            tried = self.curve(series).of(series, float(said(text)))
            if tried is not None and self.outcome.good(tried.y, here.y):
                break
        return text.replace("-", "−")

    def _ahead_words(self) -> str:
        stretches = self.stretches or ()
        if not stretches:
            return ""
        if len(stretches) > MOST_STRETCHES:
            most = dict.fromkeys(one for stretch in stretches for one in stretch.ahead)
            return f"Ahead by turns: {listed(_name(one) for one in most)}."
        spent = _amounting(_spent(type(self._answer.study), self.outcome, self.series[0]))
        parts, before = [], 0.0
        for stretch in stretches:
            who = "all" if len(stretch.ahead) == len(self.series) else listed(_name(one) for one in stretch.ahead)
            who += " alike" if len(stretch.ahead) > 1 else ""
            if stretch.end < math.inf:
                parts.append(f"{who} up to {spent} {short(stretch.end, 3)}")
            else:
                parts.append(f"from there {who}" if before else f"{who} everywhere")
            before = stretch.end
        return f"Ahead: {', '.join(parts)}."


def _edge(behind: Callable[[float], float], low: float, high: float) -> Work[float]:
    """Where between two numbers something ceases to be behind that is so at the lower one and not at the upper.

    By straight lines in the logarithm, and by halving after each that left more than half.
    """
    worse, better, kept = behind(low), behind(high), 0.0
    while high / low > 1 + SPENT:
        share = 0.5
        if kept <= 0.5 and 0 < worse - better < math.inf:
            share = min(max(worse / (worse - better), LEAST_STEP), 1 - LEAST_STEP)
        value = low * (high / low) ** share
        if not low < value < high:
            break
        yield None
        found = behind(value)
        if found > 0:
            low, worse, kept = value, found, 1 - share
        else:
            high, better, kept = value, found, share
    return high


def _filled(values: Sequence[float], rows: int) -> Array:
    """Values with the last one repeated: a table's columns have one length."""
    return np.array([*values, *[values[-1]] * (rows - len(values))])


def _name(series: Of) -> str:
    """The label, in quotes where it has a comma of its own."""
    label = series.label if series else ""
    return f"“{label}”" if "," in label else label


def _valued(point: Point, quantity: Quantity) -> str:
    """“78.24 records”, “about 0.0498”."""
    unit = f" {quantity.unit}" if quantity.unit else ""
    return f"{'about ' if point.estimated else ''}{powered(amount(point.y, quantity))}{unit}"


def _amounting(quantity: Quantity) -> str:
    """“ε =”, “a total ε of”."""
    return f"{quantity.symbol} =" if len(quantity.symbol) == 1 else f"a {quantity.label} of"


def _up(value: float) -> str:
    return short(value, 3, "up").replace("-", "−")


def _frontier(outcome: Outcome, series: tuple[Of, ...], a: Answer[Any, Any, Any]) -> Frontier:
    """The frontier of an answer, which keeps it."""
    if outcome not in a.kept:
        a.kept[outcome] = Frontier(outcome, series, a)
    return a.kept[outcome]  # type: ignore[no-any-return]
