"""The names of lines of equal value, on the lines themselves."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from dpstudio.core.figure import Line
from dpstudio.gui.plot.items import CurveItem, Layer
from dpstudio.gui.plot.layers import Layers
from dpstudio.gui.plot.reading import line_label
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.names import Box, name_box


class NamesItem(Layer):
    """A name on every line that is declared `named` and in view, each on a ground that interrupts the line."""

    def __init__(self, theme: Theme, layers: Layers) -> None:
        super().__init__(theme, z=20)
        self._named = [(layer, item) for layer, item in layers.items
                       if isinstance(layer, Line) and layer.named and isinstance(item, CurveItem)]

    def placed(self) -> list[tuple[str, CurveItem, Box]]:
        """Which names have a place, and where, in pixels."""
        metrics, frame = QFontMetricsF(self.theme.font("small")), self.frame
        found: list[tuple[str, CurveItem, Box]] = []
        for line, item in self._named:
            if not item.isVisible() or not len(item.arrays[0]):
                continue
            words = line_label(line)
            size = metrics.horizontalAdvance(words) + 4, metrics.height()
            box = name_box(frame.across(item.arrays[0]), frame.down(item.arrays[1]), size,
                           (0.0, frame.top, frame.width, frame.floor), [taken for *_, taken in found])
            if box is not None:
                found.append((words, item, box))
        return found

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(self.theme.font("small"))
        ground = QColor(self.theme.surface)
        ground.setAlphaF(0.9)
        for words, item, (left, top, right, bottom) in self.placed():
            box = QRectF(left, top, right - left, bottom - top)
            painter.fillRect(box, ground)
            painter.setPen(item.colour())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
