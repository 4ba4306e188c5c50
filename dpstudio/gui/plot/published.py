"""The ε of deployments as marks under the curves: ticks with names, and all that is known of the one that is meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from dpstudio.gui.plot.crosshair import PAD, beside_pointer
from dpstudio.gui.plot.items import PlotItem
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.published import WARNING, Flag, PublishedMark, Strip, strip

GAP, STUB = 3.0, 4.0
"""Pixels between a tick and its name, and of a tick under all names."""
NEAR = 6.0
"""Pixels from a tick within which it is meant."""
WRAPPED = Qt.TextFlag.TextWordWrap.value
UNDER, OVER = 39, 41
"""Below the crosshair's read-out, and above it while one mark is meant."""
WIDEST = 380
"""Pixels of what is said of one."""


class PublishedItem(PlotItem):
    """Ticks with names in a strip of their own; the one that is meant has a line across the picture and its words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, z=UNDER)
        self.marks: tuple[PublishedMark, ...] = ()
        self.meant: PublishedMark | None = None
        self._strip = Strip()

    def show_marks(self, marks: Sequence[PublishedMark]) -> None:
        """Have these marks; the frame follows."""
        self.marks = tuple(marks)
        self.setVisible(bool(self.marks))
        if self.meant not in self.marks:
            self.meant = None
        self.update()

    def lay_out(self, frame: Frame) -> float:
        """Find places for the names in a plot, and say how high a strip they take."""
        metrics, scale = self.metrics, self.theme.scale
        self._strip = strip(self.marks, frame, metrics.horizontalAdvance, metrics.height(), GAP * scale, STUB * scale)
        return self._strip.high

    def _tick(self, mark: PublishedMark) -> float:
        return float(self.frame.across(mark.at))

    def _box(self, mark: PublishedMark, flag: Flag) -> QRectF:
        """Where the name of a mark stands."""
        width = self.metrics.horizontalAdvance(mark.deployment.name)
        bottom = self.frame.height - STUB * self.theme.scale - flag.row * self.metrics.height()
        return QRectF(flag.left, bottom - self.metrics.height(), width, self.metrics.height())

    def at(self, point: QPointF) -> PublishedMark | None:
        """The mark whose name or tick is at a point of the strip."""
        for mark, flag in zip(self.marks, self._strip.flags, strict=True):
            if flag is not None and self._box(mark, flag).contains(point):
                return mark
        if not self.marks or point.y() < self.frame.height - self._strip.high:
            return None
        nearest = min(self.marks, key=lambda mark: abs(self._tick(mark) - point.x()))
        return nearest if abs(self._tick(nearest) - point.x()) <= NEAR else None

    def mean(self, mark: PublishedMark | None) -> None:
        """Say all of one mark, or nothing."""
        if mark is not self.meant:
            self.meant = mark
            self.setZValue(UNDER if mark is None else OVER)
            # Without room in the plot beside it: a resting pointer asks the items under it for their tooltip.
            self.setToolTip("" if self.fits() else f"<qt>{escape(self.words)}</qt>")
            self.update()

    @property
    def words(self) -> str:
        """All that is known of the mark that is meant."""
        return f"{self.meant.deployment.says}\n{WARNING}" if self.meant else ""

    def fits(self) -> bool:
        """Whether these words have room in the plot."""
        return self._inside().height() + 2 * PAD <= self.frame.height

    def _inside(self) -> QRectF:
        room = QRectF(0, 0, min(WIDEST * self.theme.scale, self.frame.width - 2 * PAD - 8), 1e4)
        return self.metrics.boundingRect(room, WRAPPED, self.words)

    def step(self, by: int) -> PublishedMark | None:
        """Mean the mark that comes so many after, or the first or last."""
        if not self.marks:
            return None
        now = self.marks.index(self.meant) + by if self.meant in self.marks else (0 if by > 0 else -1)
        self.mean(self.marks[now % len(self.marks)])
        return self.meant

    def paint(self, painter: QPainter, *_: object) -> None:
        if len(self._strip.flags) != len(self.marks):
            return  # the frame that they were laid out for is on its way
        theme, row = self.theme, self.metrics.height()
        stub, foot = STUB * theme.scale, self.frame.height
        painter.setFont(theme.font("small"))
        for mark, flag in zip(self.marks, self._strip.flags, strict=True):
            x = round(self._tick(mark)) + 0.5
            painter.setPen(QPen(QColor(theme.accent if mark is self.meant else theme.outline), 1))
            painter.drawLine(QPointF(x, foot), QPointF(x, foot - stub - (row * (flag.row + 0.85) if flag else 0.0)))
        for mark, flag in zip(self.marks, self._strip.flags, strict=True):
            if flag is not None:
                box = self._box(mark, flag)
                painter.fillRect(box.adjusted(-1, 1, 1, -1), QColor(theme.surface))
                painter.setPen(QColor(theme.accent if mark is self.meant else theme.muted))
                painter.drawText(QPointF(box.left(), box.bottom() - self.metrics.descent()), mark.deployment.name)
        if self.meant is not None:
            self._paint_meant(painter, self.meant)

    def _paint_meant(self, painter: QPainter, mark: PublishedMark) -> None:
        """A line across the picture, and beside it all that is known."""
        theme, frame = self.theme, self.frame
        x = round(self._tick(mark)) + 0.5
        painter.setPen(QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.floor))
        if not self.fits():
            return
        inside = self._inside()
        width, height = math.ceil(inside.width()) + 2 * PAD, math.ceil(inside.height()) + 2 * PAD - 4
        box = beside_pointer(frame, QPointF(x, frame.top + height / 2 + 2), width, height)
        self.write_on(painter, box, 0.97, 5)
        painter.setPen(QColor(theme.text))
        painter.setFont(theme.font("small"))
        painter.drawText(box.adjusted(PAD, PAD - 2, -PAD, 0), WRAPPED, self.words)
