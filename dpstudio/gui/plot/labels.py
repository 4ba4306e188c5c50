"""Marks and levels with their labels, which keep clear of each other, of the axes and of the picture's edge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.figure import Level, Mark
from dpstudio.gui.plot.frame import Frame
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.names import spread
from dpstudio.scene.palette import Style

APART = 4.0
"""Pixels from one label to the next."""
LOOKS = 12
"""Places across a label where a curve may pass under it."""


@dataclass(eq=False)
class Standing:
    """A straight line with the value it stands at and the label it wears."""

    mark: Mark | Level
    value: float = math.nan
    text: str = ""
    at: float = math.nan
    """Its line's place across or down the plot, in pixels."""
    label: QRectF = field(default_factory=QRectF)

    @property
    def draggable(self) -> bool:
        return isinstance(self.mark, Mark) and self.mark.draggable

    def seen(self, frame: Frame) -> bool:
        """Whether the line is in view."""
        first, last = (0.0, frame.width) if self.mark.axis == "x" else (frame.top, frame.floor)
        return first - 0.5 <= self.at <= last + 0.5


@dataclass(eq=False)
class Placed(Standing):
    """A mark, at the value of its parameter."""

    mark: Mark
    parameter: Parameter = field(kw_only=True)


@dataclass(eq=False)
class Levelled(Standing):
    """A level, at the value of its fact and in the look of its series."""

    mark: Level
    style: Style = field(kw_only=True)


def label_height(theme: Theme) -> float:
    return QFontMetricsF(theme.font("small")).height() + 2


def shown_text(placed: Standing, frame: Frame) -> str:
    """The label, with an arrow where its line lies outside the view."""
    if placed.seen(frame):
        return placed.text
    if placed.mark.axis == "x":
        return f"← {placed.text}" if placed.at < 0 else f"{placed.text} →"
    return f"{'↑' if placed.at < frame.top else '↓'} {placed.text}"


def place_labels(marks: Sequence[Standing], levels: Iterable[Standing], frame: Frame, theme: Theme,
                 curves: Iterable[tuple[Array, Array]] = ()) -> None:
    """Give every mark its label's rectangle: a row above the curves for x, beside the line for y.

    Levels have theirs where the marks leave room; `curves`, as positions on the axes, are covered as little as can be.
    """
    metrics, height = QFontMetricsF(theme.font("small")), label_height(theme)
    flags: list[tuple[Standing, float]] = []
    for placed in (*marks, *levels):
        if placed.mark.axis == "x" and math.isfinite(placed.at):
            width = metrics.horizontalAdvance(shown_text(placed, frame)) + 14 * theme.scale
            room = frame.width - sum(each + APART for _, each in flags)
            if isinstance(placed, Placed) or width <= room:
                flags.append((placed, width))
    flags.sort(key=lambda flag: flag[0].at)
    lefts = spread([placed.at for placed, _ in flags], [width for _, width in flags], 0.0, frame.width, APART)
    for (placed, width), left in zip(flags, lefts, strict=True):
        placed.label = QRectF(left, 1, width, height)
    level = [placed for placed in (*marks, *levels) if placed.mark.axis == "y"]
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
    rows = (below, above) if isinstance(placed.mark, Mark) and placed.mark.factor < 0 else (above, below)
    inside = [top for top in rows if frame.top <= top and top + height <= frame.height]
    places = [QRectF(left, top, width, height) for left in (frame.width - width - 4, 4.0) for top in inside]
    free = [box for box in places if not any(box.intersects(other) for other in taken)]
    return min(free, key=lambda box: sum(_crosses(box, x, y) for x, y in points), default=QRectF())


def _crosses(box: QRectF, x: Array, y: Array) -> bool:
    """Whether a curve passes through a box; one whose points are far apart is looked at between them, too."""
    if len(x) > 1 and (x[1:] >= x[:-1]).all():
        between = np.linspace(box.left(), box.right(), LOOKS)
        between = between[(between >= x[0]) & (between <= x[-1])]
        x, y = np.concatenate([x, between]), np.concatenate([y, np.interp(between, x, y)])
    return bool(((x >= box.left()) & (x <= box.right()) & (y >= box.top()) & (y <= box.bottom())).any())
