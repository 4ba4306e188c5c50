"""Marks and levels with their labels, which keep clear of each other, of the axes and of the picture's edge; and where
what is dragged comes to rest: in its parameter's domain, and round at the resolution of the screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.figure import Axis, Figure, Level, Line, Mark, Region
from dpstudio.core.results import Span
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.scene.axes import place, value_at
from dpstudio.scene.frame import Frame
from dpstudio.scene.names import best
from dpstudio.scene.straights import Straight, marked, nowhere, pointed, row_of_labels
from dpstudio.vocabulary import Interval, Quantity, amount

APART = 4.0
"""Pixels from one label to the next."""


class Standing:
    """A straight line of the scene, where it stands on the plot, and its label."""

    def __init__(self, straight: Straight) -> None:
        self.straight = straight
        self.at = math.nan
        """Its place across or down the plot, in pixels."""
        self.label = QRectF()
        self.shortened = False
        """Whether it says its value alone, for want of room."""

    @property
    def axis(self) -> str:
        return self.straight.layer.axis

    @property
    def value(self) -> float:
        return self.straight.value

    @property
    def text(self) -> str:
        return self.straight.words

    @property
    def draggable(self) -> bool:
        return False

    def seen(self, frame: Frame) -> bool:
        """Whether the line is in view."""
        first, last = (0.0, frame.width) if self.axis == "x" else (frame.top, frame.floor)
        return first - 0.5 <= self.at <= last + 0.5


class PlacedMark(Standing):
    """A mark, at the value of its parameter."""

    def __init__(self, straight: Straight, mark: Mark, parameter: Parameter) -> None:
        super().__init__(straight)
        self.mark, self.parameter = mark, parameter

    @property
    def draggable(self) -> bool:
        return self.mark.draggable

    def moved(self, figure: Figure, value: float) -> Straight:
        """Where it stands at another value of its parameter."""
        return marked(figure, self.mark, self.parameter.quantity, value)


@dataclass(frozen=True, slots=True)
class DragTarget:
    """A value that somebody wants of a fact, or would set, shown wherever an axis has its quantity."""

    parameter: Parameter
    """What is wanted as a parameter: its name is told when a hand moves it."""
    drawn: frozenset[Quantity]
    """What an axis or a curve may call it."""
    words: str
    """What stands before the value: “wanted ≤”."""
    value: float
    draggable: bool = True

    def axis(self, figure: Figure) -> Literal["x", "y"] | None:
        """The axis of a figure that it lies on, if it has its quantity."""
        curves = {layer.y.quantity for layer in figure.layers if isinstance(layer, Line)}
        if self.drawn & {figure.y.quantity, *curves}:
            return "y"
        levels = [layer.axis for layer in figure.layers if isinstance(layer, Level) and layer.quantity in self.drawn]
        ends = {end for layer in figure.layers if isinstance(layer, Region) for end in (layer.low, layer.high)}
        return next(iter(levels), "x" if self.drawn & {figure.x.quantity, *ends} else None)


class Aimed(PlacedMark):
    """A target: a mark in the colour of what is being done."""

    def __init__(self, target: DragTarget, figure: Figure, axis: Literal["x", "y"]) -> None:
        mark = Mark(target.parameter.name, axis, draggable=target.draggable)
        super().__init__(nowhere(mark), mark, target.parameter)
        self.target = target
        self.straight = self.moved(figure, target.value)

    def moved(self, figure: Figure, value: float) -> Straight:
        """Where it stands at a value, and “wanted ≤ 500”."""
        straight = marked(figure, self.mark, self.parameter.quantity, value)
        return replace(straight, words=f"{self.target.words} {amount(value, self.parameter.quantity)}")


def label_height(theme: Theme) -> float:
    return QFontMetricsF(theme.font("small")).height() + 2


def shown_text(placed: Standing, frame: Frame) -> str:
    """The label, with an arrow where its line lies outside the view."""
    words = placed.straight.brief if placed.shortened else placed.text
    low = placed.at < 0 if placed.axis == "x" else placed.at > frame.floor
    return pointed(words, placed.axis, 0 if placed.seen(frame) else -1 if low else 1)


def place_labels(marks: Sequence[Standing], levels: Iterable[Standing], frame: Frame, theme: Theme,
                 curves: Iterable[tuple[Array, Array]] = ()) -> None:
    """Give every mark its label's rectangle: a row above the curves for x, beside the line for y.

    Levels have theirs, or their values alone, where the marks leave room; `curves`, as positions on the axes, are
    covered as little as can be.
    """
    metrics, height = QFontMetricsF(theme.font("small")), label_height(theme)

    def width_of(placed: Standing) -> float:
        return metrics.horizontalAdvance(shown_text(placed, frame)) + 14 * theme.scale

    across, widths = [placed for placed in (*marks, *levels) if placed.axis == "x" and math.isfinite(placed.at)], []
    for placed in across:
        placed.shortened = False
        widths.append([width_of(placed)])
        if not isinstance(placed, PlacedMark):
            placed.shortened = True
            widths[-1].append(width_of(placed))
    for i, which, left in row_of_labels([placed.at for placed in across], widths, 0.0, frame.width, APART):
        across[i].shortened = which == 1
        across[i].label = QRectF(left, 1, widths[i][which], height)
    level = [placed for placed in (*marks, *levels) if placed.axis == "y"]
    taken: list[QRectF] = []
    points = [(frame.across(x), frame.down(y)) for x, y in curves] if level else []
    for placed in level:
        width = metrics.horizontalAdvance(shown_text(placed, frame)) + 8
        placed.label = beside(placed, frame, width, height, taken, points)
        taken.append(placed.label)


def beside(placed: Standing, frame: Frame, width: float, height: float, taken: Sequence[QRectF],
           points: Sequence[tuple[Array, Array]] = ()) -> QRectF:
    """Above or below a level line, at its right or left end: of the places that are free the one that covers the
    fewest curves, given by their points in pixels, or none.

    One that lies beyond the picture has its label at the edge that it lies beyond.
    """
    if not math.isfinite(placed.at):
        return QRectF()
    at = min(max(placed.at, frame.top - 1), frame.floor + 1)
    above, below = at - height - 1, at + 1
    rows = (below, above) if isinstance(placed, PlacedMark) and placed.mark.factor < 0 else (above, below)
    inside = [top for top in rows if frame.top <= top and top + height <= frame.height]
    places = [(left, top, left + width, top + height) for left in (frame.width - width - 4, 4.0) for top in inside]
    found = best(places, [(box.left(), box.top(), box.right(), box.bottom()) for box in taken], points)
    return QRectF(QPointF(*found[:2]), QPointF(*found[2:])) if found else QRectF()


def snapped(frame: Frame, axis: Axis, mark: Mark, parameter: Parameter, pixel: float) -> float:
    """The parameter's value with its mark at a pixel."""
    at = frame.x_at if mark.axis == "x" else frame.y_at
    step = screen_step(frame, axis, mark, parameter, pixel)
    return admitted(parameter, round(value_at(at(pixel), axis) * mark.factor / step) * step, step)


def screen_step(frame: Frame, axis: Axis, mark: Mark, parameter: Parameter, pixel: float) -> float:
    """The power of ten that a pixel resolves there; at least 1 for whole numbers."""
    at = frame.x_at if mark.axis == "x" else frame.y_at
    resolved = abs(value_at(at(pixel + 0.5), axis) - value_at(at(pixel - 0.5), axis)) or 1e-300
    step = 10.0 ** math.floor(math.log10(resolved) + 1e-9)
    whole = isinstance(parameter.domain, Interval) and parameter.domain.integer
    return max(step, 1.0) if whole else step


def admitted(parameter: Parameter, value: float, step: float) -> float:
    """The nearest value that the parameter's domain holds."""
    domain = parameter.domain
    if not isinstance(domain, Interval):
        return value
    low = domain.low + (step if domain.low_open else 0.0)
    high = domain.high - (step if domain.high_open else 0.0)
    value = min(max(value, low), high)
    return float(round(value)) if domain.integer else float(f"{value:.12g}")


def values_at(frame: Frame, figure: Figure, point: QPointF) -> Span:
    """The values at a point in pixels, with no more digits than a pixel can tell."""
    return (_short(frame.x_at(point.x()), frame.x_at(point.x() + 0.5), figure.x),
            _short(frame.y_at(point.y()), frame.y_at(point.y() - 0.5), figure.y))


def _short(position: float, beside: float, axis: Axis) -> float:
    """The value at a position with as few digits as keep it nearer than `beside`."""
    value = value_at(position, axis)
    for digits in range(2, 17):
        short = float(f"{value:.{digits}g}")
        if abs(place(short, axis) - position) < abs(beside - position):
            return short
    return value
