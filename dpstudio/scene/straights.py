"""Straight lines across a picture, at values of parameters and facts, and the row in which their labels stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.figure import Axis, Figure, Level, Mark
from dpstudio.core.results import Fact, Series, stated, told
from dpstudio.records import dataclass
from dpstudio.scene.axes import place
from dpstudio.scene.palette import NEUTRAL, Style
from dpstudio.vocabulary import Quantity, Value, named


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight line across the picture with its words; NaN where it is not there."""

    layer: Mark | Level
    value: float
    at: float
    """Its position on its axis."""
    words: str
    style: Style
    brief: str = ""
    """The value of a level alone, for where its words have no room."""

    @property
    def series(self) -> Series | None:
        return self.layer.series if isinstance(self.layer, Level) else None


def nowhere(layer: Mark | Level, style: Style = NEUTRAL) -> Straight:
    """A line that is not there."""
    return Straight(layer, math.nan, math.nan, "", style)


def axis_of(figure: Figure, layer: Mark | Level) -> Axis:
    """The axis that a straight line stands on."""
    return figure.x if layer.axis == "x" else figure.y


def marked(figure: Figure, mark: Mark, quantity: Quantity, value: float) -> Straight:
    """A mark where its parameter has this value."""
    if not math.isfinite(value):
        return nowhere(mark)
    value *= mark.factor
    return Straight(mark, value, place(value, axis_of(figure, mark)),
                    named(value, quantity, "−" if mark.factor < 0 else ""), NEUTRAL)


def present(figure: Figure, mark: Mark, values: Mapping[str, Value], parameter: Parameter) -> Straight:
    """A mark at the present value of its parameter, as far as that is a number and the mark applies."""
    value = values[parameter.name]
    there = isinstance(value, int | float) and mark.applies(values)
    return marked(figure, mark, parameter.quantity, float(value) if there else math.nan)


def levelled(layer: Level, fact: Fact | None, at: Array, style: Style) -> Straight:
    """A level with its value; on the axis of its own quantity, and in the colour of its series, that says all."""
    if fact is None or not math.isfinite(fact.value):
        return nowhere(layer, style)
    words = stated(fact) if layer.series and layer.axis == "y" else told(fact)
    return Straight(layer, fact.value, float(at[0]), words, style, stated(fact))


def pointed(words: str, axis: str, side: int) -> str:
    """The words of a line with an arrow where it lies before or beyond what of its axis is in view."""
    if axis == "x":
        return f"← {words}" if side < 0 else f"{words} →" if side else words
    return f"↓ {words}" if side < 0 else f"↑ {words}" if side else words


def row_of_labels(at: Sequence[float], widths: Sequence[Sequence[float]], low: float, high: float,
                  gap: float) -> list[tuple[int, int, float]]:
    """The labels of lines at some places, side by side between two ends: which line's each is, which of its widths it
    has, and where it begins, from left to right.

    What has one width is said; what has another, in brief, as far as that leaves room.
    """
    said = [(i, 0) for i, each in enumerate(widths) if len(each) == 1]
    others = [i for i, each in enumerate(widths) if len(each) > 1]
    room = high - low - sum(widths[i][0] + gap for i, _ in said)
    chosen = shared([(widths[i][0], widths[i][1]) for i in others], room, gap)
    said += [(i, which) for i, which in zip(others, chosen, strict=True) if which is not None]
    said.sort(key=lambda each: at[each[0]])
    lefts = spread([at[i] for i, _ in said], [widths[i][which] for i, which in said], low, high, gap)
    return [(i, which, left) for (i, which), left in zip(said, lefts, strict=True)]


def shared(widths: Sequence[tuple[float, float]], room: float, gap: float) -> list[int | None]:
    """Which of its two widths, in whole or in brief, each label of a row has, None where there is no room for either.

    As many as can be are said, in brief if need be; then the first in whole.
    """
    left, chosen = room + gap, list[int | None]()
    for _, brief in widths:
        fits = brief + gap <= left
        chosen.append(1 if fits else None)
        left -= brief + gap if fits else 0.0
    for i, (whole, brief) in enumerate(widths):
        if chosen[i] is not None and whole - brief <= left:
            chosen[i] = 0
            left -= whole - brief
    return chosen


def spread(centres: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Left edges, as near to their sorted centres as the others and the ends allow."""
    lefts = [centre - width / 2 for centre, width in zip(centres, widths, strict=True)]
    for _ in range(2 * len(lefts)):
        for i in range(1, len(lefts)):
            overlap = lefts[i - 1] + widths[i - 1] + gap - lefts[i]
            if overlap > 0:  # each gives way by half
                lefts[i - 1] -= overlap / 2
                lefts[i] += overlap / 2
    for i in reversed(range(len(lefts))):  # then strictly: from the right end, and from the left one
        end = lefts[i + 1] - gap if i + 1 < len(lefts) else high
        lefts[i] = min(lefts[i], end - widths[i])
    for i in range(len(lefts)):
        start = lefts[i - 1] + widths[i - 1] + gap if i else low
        lefts[i] = max(lefts[i], start)
    return lefts
