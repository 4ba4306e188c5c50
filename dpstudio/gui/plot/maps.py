"""A map as an item on the plot: one picture of its cells, and the lines of equal value over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from dpstudio.gui.plot.items import DataLayer, curve_path
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Points
from dpstudio.scene.maps import Pixels, shaded
from dpstudio.scene.palette import NEUTRAL
from dpstudio.vocabulary import Quantity

LINE, HALO = 1.1, 3.2
"""Widths of a line of equal value, and of the lighter one under it that parts it from every shade."""
HALO_OPACITY = 0.55


class MapItem(DataLayer):
    """The cells of a grid in the shades of their values."""

    def __init__(self, theme: Theme, quantity: Quantity) -> None:
        super().__init__(theme, NEUTRAL, z=2, arrays=3)
        self.quantity = quantity
        self.lines: tuple[Points, ...] = ()
        self._paths: list[QPainterPath] = []
        self._image = QImage()
        self._ratio = 1.0

    def set_lines(self, lines: Sequence[Points]) -> None:
        """Draw these lines of equal value, as positions."""
        if len(lines) != len(self.lines) or any(
                new[1] is not old[1] for new, old in zip(lines, self.lines, strict=True)):
            self.lines = tuple(lines)
            self.remake()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.remake()

    def make(self) -> None:
        frame, ratio = self.frame, self._ratio
        wide, high = (max(1, round(length * ratio)) for length in (frame.width, frame.floor - frame.top))
        across = frame.x_at((np.arange(wide) + 0.5) * frame.width / wide)
        up = frame.y_at(frame.top + (np.arange(high) + 0.5) * (frame.floor - frame.top) / high)
        self._image = image(shaded(self.arrays, self.quantity, across, up, dark=self.theme.dark, ratio=ratio),
                            ratio) if self.arrays[2].size else QImage()
        self._paths = [curve_path(frame.across(a), frame.down(b), frame.height) for a, b in self.lines]

    def paint(self, painter: QPainter, *_: object) -> None:
        if (ratio := painter.device().devicePixelRatio()) != self._ratio:
            self._ratio, self._stale = ratio, True
        self.refresh()
        painter.drawImage(QPointF(0, self.frame.top), self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        halo = QColor(self.theme.surface)
        halo.setAlphaF(HALO_OPACITY)
        for colour, width in ((halo, HALO), (self.colour(), LINE)):
            painter.setPen(QPen(colour, width * self.theme.scale))
            for path in self._paths:
                painter.drawPath(path)


def image(pixels: Pixels, ratio: float) -> QImage:
    """Pixels as Qt draws them."""
    pixels = np.ascontiguousarray(pixels)
    high, wide = pixels.shape[:2]
    made = QImage(pixels.data, wide, high, 4 * wide, QImage.Format.Format_RGBA8888).copy()  # the array may go
    made.setDevicePixelRatio(ratio)
    return made
