"""The names that lines, dots and pins wear on the plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from dpstudio.core.figure import Line
from dpstudio.gui.plot.items import Layer
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Box, Frame, Points
from dpstudio.scene.legend import CurveName, names
from dpstudio.scene.names import PlacedName, place_names
from dpstudio.scene.scene import Scene
from dpstudio.scene.straights import Straight


class NamesItem(Layer):
    """Names in the colours of what wears them, each on a ground that interrupts the line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, z=20)
        self._names: list[CurveName] = []
        self._curves: list[Points] = []
        self._straights: Sequence[Straight] = ()
        self._taken: list[Box] = []
        self._shown: tuple[object, ...] = ()
        self._placed: list[PlacedName] | None = None
        self._kept: dict[str, Box] = {}

    def show(self, scene: Scene, coincident: Mapping[str, str], frame: Frame, taken: list[Box], *,
             curves: bool, steady: bool = False) -> None:
        """Name what the scene wants named, clear of other labels; the curves too where no legend does.

        `steady` keeps names where they are as long as they are their lines'.
        """
        shown = scene, coincident, frame, taken, curves
        if self._shown and self._shown[0] is scene and self._shown[1:] == shown[1:]:
            return
        self._kept = {name.words: box for name, box, _ in self._placed or ()} if steady else {}
        self._shown, self._placed = shown, None
        self._names = names(scene, coincident, curves=curves)
        self._curves = [part.points for part in scene.shown(Line)] if self._names else []
        self._straights, self._taken = scene.straights, taken
        self.set_frame(frame)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._placed = None
        super().set_theme(theme)

    def placed(self) -> list[PlacedName]:
        """Which names have a place, and where, in pixels."""
        if self._placed is None:
            metrics = QFontMetricsF(self.theme.font("small"))

            def size(words: str) -> tuple[float, float]:
                lines = words.split("\n")
                return max(map(metrics.horizontalAdvance, lines)) + 4, metrics.height() * len(lines)

            curves = [self.frame.places(each) for each in self._curves]
            self._placed = place_names(self._names, self.frame.places, size, self.frame.room, curves, self._taken,
                                       self._kept, self._straights)
        return self._placed

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(self.theme.font("small"))
        ground = QColor(self.theme.surface)
        ground.setAlphaF(0.9)
        for name, (left, top, right, bottom), led in self.placed():
            if led:
                painter.setPen(QColor(name.part.style.colour(dark=self.theme.dark)))
                painter.drawLine(QLineF(*led))
            box = QRectF(left, top, right - left, bottom - top)
            painter.fillRect(box, ground)
            painter.setPen(QColor(name.part.style.colour(dark=self.theme.dark)))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name.words)
