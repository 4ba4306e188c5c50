"""A scene's parts as items, maps among them: made once for a figure, then fed with every scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem

from dpstudio.core.figure import Band, Bars, Dots, Figure, Guesses, Level, Line, Map, Region
from dpstudio.gui.plot.items import FAINT, SPILL, THIN, BandItem, CurveItem, DataLayer, DotsItem, curve_path
from dpstudio.gui.plot.people import PeopleItem, place_people
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Frame, Points
from dpstudio.scene.maps import Pixels, shaded
from dpstudio.scene.palette import NEUTRAL, Style, style
from dpstudio.scene.scene import EMPTY, DrawnLayer, Scene, key_of, series_of
from dpstudio.vocabulary import Quantity

LINE, HALO = 1.1, 3.2
"""Widths of a line of equal value, and of the lighter one under it that parts it from every shade."""
HALO_OPACITY = 0.55


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


class LevelItem(DataLayer):
    """A straight line across the plot at one value."""

    def __init__(self, theme: Theme, style: Style, axis: str) -> None:
        super().__init__(theme, style, z=9, arrays=1)
        self.axis = axis

    def paint(self, painter: QPainter, *_: object) -> None:
        values = self.arrays[0]
        painter.setPen(self.pen(1.0, 0.9, dashed=False))
        for value in values[np.isfinite(values)]:
            if self.axis == "y":
                at = float(self.frame.down(value))
                painter.drawLine(QPointF(0, at), QPointF(self.frame.width, at))
            else:
                at = float(self.frame.across(value))
                painter.drawLine(QPointF(at, self.frame.top), QPointF(at, self.frame.floor))


class RegionItem(DataLayer):
    """The stretch between two facts: a slim bar with end ticks in the strip under the curves, one row a series."""

    ROW = 7.0

    def __init__(self, theme: Theme, style: Style) -> None:
        super().__init__(theme, style, z=6, arrays=1)
        self.row = 0

    def paint(self, painter: QPainter, *_: object) -> None:
        stretch = self.arrays[0]
        if len(stretch) != 2 or not np.isfinite(stretch).any():
            return
        row, width = self.frame.row, self.frame.width
        y = self.frame.floor + (self.row + 1.5) * row
        low, high = (float(each) for each in np.clip(self.frame.across(stretch), -9, width + 9))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen(2.0, dashed=False))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        for end in (low, high):
            painter.drawLine(QPointF(end, y - 0.4 * row), QPointF(end, y + 0.4 * row))


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


class Layers:
    """The items of one figure, in its order, and those of every pin."""

    def __init__(self, figure: Figure, theme: Theme, parent: QGraphicsItem) -> None:
        self.figure = figure
        self._theme, self._parent, self._frame = theme, parent, Frame()
        drawn = [layer for layer in figure.layers if isinstance(layer, DrawnLayer)]
        self._lines = [layer for layer in drawn if isinstance(layer, Line)]
        self._turns = list(dict.fromkeys(key_of(line) for line in self._lines))
        self.items: list[tuple[DrawnLayer, DataLayer]] = [(layer, self._made(layer)) for layer in drawn]
        self.pins: list[tuple[Line, DataLayer]] = []
        self._people = [(layer, item) for layer, item in self.items if isinstance(item, PeopleItem)]
        self._scene: Scene | None = None

    def _made(self, layer: DrawnLayer, *, faint: bool = False) -> DataLayer:
        look = style(series_of(layer), self.figure.compared)
        item: DataLayer
        match layer:
            case Bars():
                item = BarsItem(self._theme, look, place(0.0, self.figure.y), faint=faint)
            case Line():
                item = CurveItem(self._theme, look, thin=layer.role == "other", faint=faint,
                                 turn=self._turns.index(key_of(layer)))
            case Band():
                item = BandItem(self._theme, look)
            case Dots():
                item = DotsItem(self._theme, look)
            case Map():
                item = MapItem(self._theme, layer.value.quantity)
            case Guesses():
                item = PeopleItem(self._theme, look)
            case Level():
                item = LevelItem(self._theme, look, layer.axis)
            case Region():
                item = RegionItem(self._theme, look)
        item.setParentItem(self._parent)
        item.set_frame(self._frame)
        return item

    def __iter__(self) -> Iterator[DataLayer]:
        yield from (item for _, item in (*self.items, *self.pins))

    @property
    def regions(self) -> list[tuple[Region, RegionItem]]:
        """The stretches that there are, in the order of their rows."""
        return [(layer, item) for layer, item in self.items
                if isinstance(layer, Region) and isinstance(item, RegionItem) and len(item.arrays[0])]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for item in self:
            item.set_theme(theme)
        self._place()

    def set_frame(self, frame: Frame) -> None:
        self._frame = frame
        for item in self:
            item.set_frame(frame)
        self._place()

    def _place(self) -> None:
        """People stand where the room and each other leave them."""
        if self._people and self._scene is not None:
            above = self._parent.scene()
            views = above.views() if above is not None else []
            place_people(self._people, self._scene, self._frame, self._theme,
                         views[0].devicePixelRatioF() if views else 1.0)

    def show(self, scene: Scene) -> None:
        """Give every item its arrays; what this scene does not have is not shown."""
        self._scene = scene
        for (_, item), part in zip(self.items, scene.parts, strict=True):
            item.set_arrays(*part.arrays)
            if isinstance(item, MapItem):
                item.set_lines([line.points for line in scene.isolines if line.key == part.key])
            item.setVisible(part.shown)
            item.stand(refused=part.refused, decided=part.decided)
        self._place()
        for row, (_, region) in enumerate(self.regions):
            region.row = row
        while len(self.pins) < len(scene.pinned):
            self.pins += [(line, self._made(line, faint=True)) for line in self._lines]
        for i, (_, item) in enumerate(self.pins):
            if i < len(scene.pinned):
                item.set_arrays(*scene.pinned[i].arrays)
            else:
                item.set_arrays(*[EMPTY] * len(item.arrays))
            item.setVisible(i < len(scene.pinned) and scene.pinned[i].shown)
