"""What a plot is made of: the area that a hand zooms and pans, the axes and the grid.

Axes and grid are our own, because powers of ten, grouped digits and cheap lines are wanted.
"""

from __future__ import annotations

from typing import Literal

from pyqtgraph.graphicsItems.GraphicsWidget import GraphicsWidget
from pyqtgraph.graphicsItems.ViewBox import ViewBox
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent, MouseDragEvent
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsWidget, QStyleOptionGraphicsItem

from dpstudio.core.figure import Axis
from dpstudio.gui.plot.items import PlotItem
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import Ticks, farthest, ticks_of
from dpstudio.scene.frame import Frame
from dpstudio.vocabulary import Interval

TICK = 4.0
GAP = 3.0
OVERHANG = 24.0
"""Pixels by which the first number of the bottom axis may reach under the left one."""


class Grid(PlotItem):
    """Quiet lines at the major ticks, behind everything."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, z=0)
        self.x_ticks = self.y_ticks = Ticks((), ())

    def set_ticks(self, x: Ticks, y: Ticks) -> None:
        if (x, y) != (self.x_ticks, self.y_ticks):
            self.x_ticks, self.y_ticks = x, y
            self.update()

    def paint(self, painter: QPainter, *_: object) -> None:
        frame = self.frame
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.grid), 1))
        columns = [round(frame.across(x)) for x in self.x_ticks.major]
        rows = [round(frame.down(y)) for y in self.y_ticks.major]
        painter.drawLines([QLineF(x, frame.top, x, frame.height) for x in columns]
                          + [QLineF(0, y, frame.width, y) for y in rows])


class AxisStrip(GraphicsWidget):
    """One axis beside the plot: line, ticks, numbers and label."""

    def __init__(self, theme: Theme, side: Literal["bottom", "left"], axis: Axis) -> None:
        super().__init__()
        self.side = side
        self.theme = theme
        self.axis = axis
        self.frame = Frame()
        self.ticks = Ticks((), ())
        self._extent = 0.0
        self._labelled = True
        self.roomy = True
        """Whether the picture is high enough for the words under its axis."""
        self.names: tuple[str, ...] = ()
        """What 1, 2, 3 … are called, where they have names."""
        self._ticked: tuple[Frame, Theme, tuple[str, ...]] = self.frame, theme, ()
        """For what its ticks were chosen."""
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)  # to be told what of it is painted

    def set_theme(self, theme: Theme) -> None:
        self.theme, self._extent = theme, 0.0
        self.update()

    def set_frame(self, frame: Frame) -> None:
        """Take the plot's frame and choose ticks for it."""
        if (frame, self.theme, self.names) == self._ticked:
            return
        self._ticked, metrics = (frame, self.theme, self.names), self._metrics()
        if self.side == "bottom":
            low, high = frame.x
            most = max(2, int(frame.width / (8.5 * metrics.horizontalAdvance("0"))))
            ticks = ticks_of(self.axis, low, high, most, self.names)
            while most > 1 and self._crowded(ticks, frame, metrics):
                most = min(most - 1, len(ticks.major) - 1)
                ticks = ticks_of(self.axis, low, high, max(most, 1), self.names)
        else:
            low, high = frame.y
            ticks = ticks_of(self.axis, low, high, max(1, int((frame.floor - frame.top) / (1.9 * metrics.height()))))
        if ticks != self.ticks or frame != self.frame:
            self.ticks, self.frame = ticks, frame
            self._fit(metrics)
            self.update()

    @property
    def label(self) -> str:
        """The quantity with its unit, and the power of ten that its numbers leave out."""
        return self.axis.quantity.axis_label + self.ticks.power

    def _words(self, metrics: QFontMetricsF, room: float) -> str:
        """The label or, where it is longer than the axis, the quantity's symbol."""
        short = self.axis.quantity.symbol + self.ticks.power
        said = self.label if metrics.horizontalAdvance(self.label) <= room else short
        return metrics.elidedText(said, Qt.TextElideMode.ElideRight, room)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font("small"))

    def _crowded(self, ticks: Ticks, frame: Frame, metrics: QFontMetricsF) -> bool:
        if len(ticks.major) < 3:
            return False
        widest = max(metrics.horizontalAdvance(label) for label in ticks.labels)
        apart = (frame.across(ticks.major[-1]) - frame.across(ticks.major[0])) / (len(ticks.major) - 1)
        return bool(widest + 12 * self.theme.scale > apart)

    def _fit(self, metrics: QFontMetricsF) -> None:
        """Room for the numbers: it grows when it must, and shrinks only when much is left."""
        line = metrics.height()
        self._labelled = (self.frame.width if self.side == "bottom" else self.frame.height) > 5 * line and self.roomy
        label = line + GAP if self._labelled else 0.0
        if self.side == "bottom":
            self.setFixedHeight(TICK + line + label + 1)
            return
        widest = max((metrics.horizontalAdvance(text) for text in self.ticks.labels), default=0.0)
        need = TICK + GAP + widest + label
        if need > self._extent or need < self._extent - 3 * metrics.horizontalAdvance("0"):
            self._extent = need
            self.setFixedWidth(need)

    def boundingRect(self) -> QRectF:
        return QRectF(super().boundingRect()).adjusted(-OVERHANG if self.side == "bottom" else 0, 0, 0, 0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, *_: object) -> None:
        """All of it or, where only the plot beside it was painted anew, the line and the ticks."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self.theme.font("small"))
        exposed = option.exposedRect
        if self.side == "bottom":
            self._paint_bottom(painter, words=exposed.bottom() > TICK)
        else:
            self._paint_left(painter, words=exposed.left() < self.size().width() - 1 - TICK)

    def _paint_bottom(self, painter: QPainter, *, words: bool) -> None:
        frame, width = self.frame, self.size().width()
        painter.setPen(QPen(QColor(self.theme.outline), 1))
        painter.drawLine(QPointF(0, 0), QPointF(frame.width, 0))
        painter.drawLines([QLineF(at, 0, at, TICK) for at in self._pixels(self.ticks.major)]
                          + [QLineF(at, 0, at, TICK / 2) for at in self._pixels(self.ticks.minor)])
        if not words:
            return
        metrics = self._metrics()
        painter.setPen(QColor(self.theme.muted))
        for at, text in zip(self._pixels(self.ticks.major), self.ticks.labels, strict=True):
            wide = metrics.horizontalAdvance(text)
            start = min(max(at - wide / 2, -OVERHANG), width - wide)
            painter.drawText(QPointF(start, TICK + metrics.ascent()), text)
        if self._labelled:
            text = self._words(metrics, width)
            start = centred(metrics.horizontalAdvance(text), frame.width / 2, width)
            painter.drawText(QPointF(start, TICK + metrics.height() + GAP + metrics.ascent()), text)

    def _paint_left(self, painter: QPainter, *, words: bool) -> None:
        right = self.size().width() - 1
        painter.setPen(QPen(QColor(self.theme.outline), 1))
        painter.drawLine(QPointF(right, self.frame.top), QPointF(right, self.frame.height))
        painter.drawLines([QLineF(right - TICK, at, right, at) for at in self._pixels(self.ticks.major)]
                          + [QLineF(right - TICK / 2, at, right, at) for at in self._pixels(self.ticks.minor)])
        if not words:
            return
        metrics = self._metrics()
        painter.setPen(QColor(self.theme.muted))
        for at, text in zip(self._pixels(self.ticks.major), self.ticks.labels, strict=True):
            baseline = min(max(at + metrics.capHeight() / 2, metrics.ascent()), self.size().height())
            painter.drawText(QPointF(right - TICK - GAP - metrics.horizontalAdvance(text), baseline), text)
        if self._labelled:
            length = self.size().height()
            text = self._words(metrics, length)
            middle = length - (self.frame.top + self.frame.floor) / 2
            painter.save()
            painter.rotate(-90)
            painter.drawText(QPointF(centred(metrics.horizontalAdvance(text), middle, length) - length,
                                     metrics.ascent()), text)
            painter.restore()

    def _pixels(self, positions: tuple[float, ...]) -> list[int]:
        """Whole pixels, so that ticks are crisp and meet the grid."""
        along = self.frame.across if self.side == "bottom" else self.frame.down
        return [round(float(along(position))) for position in positions]


class PlotBox(ViewBox):
    """A view box for one x axis: the wheel zooms, the left button pans, a double click fits."""

    reset = Signal()
    clicked = Signal(QPointF)

    def __init__(self, axis: Axis, *, moves: bool = True) -> None:
        """Without `moves` it stays as it is."""
        super().__init__(enableMenu=False, defaultPadding=0)
        self._moves = moves
        self.setMouseEnabled(x=moves, y=False)
        self.disableAutoRange()
        domain, (low, high) = axis.quantity.domain, farthest(axis)
        counts = isinstance(domain, Interval) and domain.integer and axis.scale == "linear"
        self.setLimits(xMin=low, xMax=high, minXRange=2.0 if counts else None)

    def mouseDragEvent(self, event: MouseDragEvent, axis: int | None = None) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._moves:
            super().mouseDragEvent(event, axis)
        else:
            event.ignore()

    def mouseClickEvent(self, event: MouseClickEvent) -> None:
        if event.double() and event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.reset.emit()
        elif event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(QPointF(event.pos()))
        else:
            event.ignore()


def centred(length: float, middle: float, room: float) -> float:
    """Where a text of some length begins that is centred there, as far as the room allows."""
    return min(max(middle - length / 2, 0.0), max(room - length, 0.0))


def laid_out(left: AxisStrip, plot: QGraphicsWidget, bottom: AxisStrip) -> QGraphicsWidget:
    """The plot between its axes: the left one reaches down for its label, the bottom one right for its last number."""
    whole, grid = QGraphicsWidget(), QGraphicsGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(0)
    grid.addItem(left, 0, 0, 2, 1)
    grid.addItem(plot, 0, 1)
    grid.addItem(bottom, 1, 1, 1, 2)
    grid.setColumnFixedWidth(2, 14)
    grid.setColumnStretchFactor(1, 1)
    grid.setRowStretchFactor(0, 1)
    whole.setLayout(grid)
    return whole
