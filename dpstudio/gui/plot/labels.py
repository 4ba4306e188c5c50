"""Marks with their labels, which keep clear of each other, of the axes and of the picture's edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Mark
from dpstudio.core.spread import spread
from dpstudio.gui.plot.frame import Frame
from dpstudio.gui.theme import Theme


@dataclass
class Placed:
    """A mark with the value it stands at and the label it wears."""

    mark: Mark
    parameter: Parameter
    value: float = math.nan
    text: str = ""
    at: float = math.nan
    """Its line's place across or down the plot, in pixels."""
    label: QRectF = field(default_factory=QRectF)


def label_height(theme: Theme) -> float:
    return QFontMetricsF(theme.font("small")).height() + 2


def shown_text(placed: Placed, frame: Frame) -> str:
    """The label, with an arrow where its line lies outside the view."""
    if placed.at < 0:
        return f"← {placed.text}"
    return f"{placed.text} →" if placed.at > frame.width else placed.text


def place_labels(marks: Sequence[Placed], frame: Frame, theme: Theme) -> None:
    """Give every mark its label's rectangle: a row above the curves for x, beside the line for y."""
    metrics, height = QFontMetricsF(theme.font("small")), label_height(theme)
    flags = sorted((placed for placed in marks if placed.mark.axis == "x" and math.isfinite(placed.at)),
                   key=lambda placed: placed.at)
    widths = [metrics.horizontalAdvance(shown_text(placed, frame)) + 14 * theme.scale for placed in flags]
    lefts = spread([placed.at for placed in flags], widths, 0.0, frame.width, 4.0)
    for placed, left, width in zip(flags, lefts, widths, strict=True):
        placed.label = QRectF(left, 1, width, height)
    taken: list[QRectF] = []
    for placed in marks:
        if placed.mark.axis == "y":
            placed.label = beside(placed, frame, metrics.horizontalAdvance(placed.text) + 8, height, taken)
            taken.append(placed.label)


def beside(placed: Placed, frame: Frame, width: float, height: float, taken: Sequence[QRectF]) -> QRectF:
    """Above or below a level line, at its right or left end: the first place that is free, or none."""
    if not frame.top <= placed.at <= frame.floor + 1:
        return QRectF()
    above, below = placed.at - height - 1, placed.at + 1
    rows = (below, above) if placed.mark.factor < 0 else (above, below)
    inside = [top for top in rows if frame.top <= top and top + height <= frame.height]
    places = [QRectF(left, top, width, height) for left in (frame.width - width - 4, 4.0) for top in inside]
    return next((box for box in places if not any(box.intersects(other) for other in taken)), QRectF())
