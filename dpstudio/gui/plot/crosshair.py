"""The hair that follows the pointer, dots where it meets the curves, and a tidy read-out."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dpstudio.core.figure import Bars, Figure, Map
from dpstudio.gui.plot.items import PlotItem
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Frame
from dpstudio.scene.notes import wrapped
from dpstudio.scene.palette import NEUTRAL, Style
from dpstudio.scene.scene import Reading
from dpstudio.vocabulary import amount, named

AWAY = 14.0
"""Pixels between the pointer and the read-out."""
PAD, GAP = 8.0, 12.0
NOTED, MOST_NOTED = 200.0, 8
"""Pixels of a line of what a person wrote at the point, at normal size of type, and how many lines are read out."""


@dataclass(frozen=True, slots=True)
class ReadoutRow:
    """One line of the read-out: whose it is, and a value for each quantity."""

    style: Style
    label: str
    values: tuple[str, ...]


def rows_of(readings: list[Reading]) -> tuple[tuple[str, ...], list[ReadoutRow]]:
    """The read-out as a table: headings, and a row a curve; two quantities of one series share its row."""
    quantities = list(dict.fromkeys(reading.quantity for reading in readings))
    rows: dict[str, tuple[Reading, dict[str, str]]] = {}
    for reading in readings:
        # Curves without a series are told apart by their quantity, so each has a row of its own.
        _, values = rows.setdefault(reading.part.key, (reading, {}))
        quantity = reading.quantity
        values[quantity.key] = amount(reading.value, quantity, side=reading.side, lack=reading.lack)
    shared = any(len(values) > 1 for _, values in rows.values())
    keys = [quantity.key for quantity in quantities]
    table = [
        ReadoutRow(first.part.style, first.label,
            tuple(values.get(key, "") for key in keys) if shared else tuple(values.values()))
        for first, values in rows.values()
    ]
    return tuple(quantity.symbol for quantity in quantities) if shared else ("",), table


class Crosshair(PlotItem):
    """Hair, dots and read-out at the pointer; hidden while there is none."""

    def __init__(self, theme: Theme, figure: Figure) -> None:
        super().__init__(theme, z=40)
        self.figure = figure
        self.readings: list[Reading] = []
        self.pointer = QPointF()
        self.noted = ""
        """What a person wrote at this point."""
        self.setVisible(False)

    def show_at(self, pointer: QPointF, readings: list[Reading], noted: str = "") -> None:
        self.pointer, self.readings, self.noted = pointer, readings, noted
        self.setVisible(bool(readings))
        self.update()

    @property
    def title(self) -> str:
        first, figure = self.readings[0], self.figure
        across = named(first.x, figure.x.quantity)
        return across if first.y is None else f"{across}, {named(first.y, figure.y.quantity)}"

    def paint(self, painter: QPainter, *_: object) -> None:
        if not self.readings:
            return
        frame, theme = self.frame, self.theme
        x = float(frame.across(place(self.readings[0].x, self.figure.x)))
        if not -1 <= x <= frame.width + 1:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.drawLine(QPointF(round(x) + 0.5, frame.top), QPointF(round(x) + 0.5, frame.height))
        for reading in self.readings:
            if isinstance(reading.part.layer, Bars):  # they stand beside the hair, not under it
                continue
            at = reading.value if reading.y is None else reading.y
            y = float(frame.down(place(at, self.figure.y)))
            if isinstance(reading.part.layer, Map):
                painter.setPen(QPen(QColor(theme.outline), 1))
                painter.drawLine(QPointF(0, round(y) + 0.5), QPointF(frame.width, round(y) + 0.5))
            painter.setPen(QPen(QColor(theme.surface), 1.5))
            if np.isfinite(y) and frame.top - 1 <= y <= frame.floor + 1:
                painter.setBrush(QColor(reading.part.style.colour(dark=theme.dark)))
                radius = (2.5 if reading.part.thin else 3.5) * theme.scale
                painter.drawEllipse(QPointF(x, y), radius, radius)
        self._paint_readout(painter)

    def _paint_readout(self, painter: QPainter) -> None:
        theme = self.theme
        heads, rows = rows_of(self.readings)
        plain, bold = theme.font("small"), theme.font("small", bold=True)
        metrics = QFontMetricsF(plain)
        line, swatch = metrics.height() + 1, 10.0 * theme.scale
        columns = [max(map(metrics.horizontalAdvance, (head, *(row.values[i] for row in rows)))) + GAP
                   for i, head in enumerate(heads)]
        names = max(metrics.horizontalAdvance(row.label) for row in rows) + 5
        # Where the plot is narrow, the colours name the curves: the read-out must not bury what it reads.
        named = (2 * PAD + swatch + names + sum(columns) < 0.45 * self.frame.width
                 or any(row.style is NEUTRAL for row in rows))
        start = swatch + (names if named else 0.0)
        width = 2 * PAD + max(start + sum(columns), QFontMetricsF(bold).horizontalAdvance(self.title))
        noted = wrapped(self.noted, metrics.horizontalAdvance, max(width - 2 * PAD, NOTED * theme.scale), MOST_NOTED)
        width = max([width, *(2 * PAD + metrics.horizontalAdvance(each) for each in noted)])
        lines = 1 + any(heads) + len(rows) + len(noted)
        box = beside_pointer(self.frame, self.pointer, width, 2 * PAD - 2 + line * lines)
        self.write_on(painter, box, 0.96, 5)
        left, y = box.left() + PAD, box.top() + PAD - 1 + metrics.ascent()
        painter.setPen(QColor(theme.text))
        painter.setFont(bold)
        painter.drawText(QPointF(left, y), self.title)
        painter.setFont(plain)

        def put(texts: tuple[str, ...]) -> None:
            right = left + start
            for text, column in zip(texts, columns, strict=True):
                right += column
                painter.drawText(QPointF(right - metrics.horizontalAdvance(text), y), text)

        if any(heads):
            y += line
            painter.setPen(QColor(theme.muted))
            put(heads)
        for row in rows:
            y += line
            painter.fillRect(QRectF(left, y - metrics.capHeight(), swatch, metrics.capHeight()),
                             QColor(row.style.colour(dark=theme.dark)))
            painter.setPen(QColor(theme.text))
            if named:
                painter.drawText(QPointF(left + swatch + 5, y), row.label)
            put(row.values)
        for words in noted:
            y += line
            painter.drawText(QPointF(left, y), words)


def beside_pointer(frame: Frame, pointer: QPointF, width: float, height: float) -> QRectF:
    """A box inside the plot, right or left of the pointer, else above or below it."""
    top = min(max(pointer.y() - height / 2, 2.0), max(frame.height - height - 2, 2.0))
    right, left = pointer.x() + AWAY, pointer.x() - AWAY - width
    if right + width <= frame.width - 2:
        return QRectF(right, top, width, height)
    if left >= 2:
        return QRectF(left, top, width, height)
    # Neither side has room: the roomier half above or below.
    over = pointer.y() > frame.height / 2
    top = max(pointer.y() - AWAY - height, 2.0) if over else min(pointer.y() + AWAY, frame.height - height - 2)
    return QRectF(min(max(pointer.x() - width / 2, 2.0), max(frame.width - width - 2, 2.0)), top, width, height)
