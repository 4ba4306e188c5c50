"""Bars as an item on the plot."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from dpstudio.gui.plot.items import FAINT, SPILL, THIN, DataLayer
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.palette import Style


class BarsItem(DataLayer):
    """Bars between two edges, from a base line to their heights; `faint` for pinned ones."""

    OPACITY = 0.3

    def __init__(self, theme: Theme, style: Style, base: float, *, faint: bool = False) -> None:
        super().__init__(theme, style, z=8 if faint else 10, arrays=3)
        self.base = base
        self.strength = FAINT if faint else 1.0
        self.bars: list[QRectF] = []

    def make(self) -> None:
        left, height, right = self.arrays
        good = np.isfinite(height)
        frame = self.frame
        # Heights far outside would be drawn in vain, and the base of a log axis lies far below.
        tops = np.clip(frame.down(height[good]), -frame.height, 2 * frame.height)
        foot = min(float(frame.down(self.base)), 2 * frame.height)
        self.bars = [QRectF(QPointF(a, min(top, foot)), QPointF(b, max(top, foot))) for a, top, b in
                     zip(frame.across(left[good]), tops, frame.across(right[good]), strict=True)]

    def paint(self, painter: QPainter, *_: object) -> None:
        self.refresh()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(QRectF(0, self.frame.top, self.frame.width, self.frame.floor - self.frame.top + SPILL / 2),
                            Qt.ClipOperation.IntersectClip)
        painter.setPen(self.pen(THIN, self.strength))
        painter.setBrush(self.colour(self.OPACITY * self.strength))
        painter.drawRects(self.bars)
        painter.restore()
