"""The layers of a picture as items on the plot: curves, bands, dots, levels and regions.

Each keeps its data as positions on the axes and its geometry in pixels; it is remade when either changes, and
painted from what was made when only something above it moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import numpy as np
from pyqtgraph.functions import arrayToQPath
from pyqtgraph.GraphicsScene.mouseEvents import MouseDragEvent
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsObject

from dpstudio.core.declare import Array
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.palette import DECIDED, REFUSED, Style
from dpstudio.scene.scene import lone

T = TypeVar("T")
THIN = 1.1
FAINT = 0.35
ARROW = 5.0
SPILL = 4.0
"""Pixels by which a line at the very edge of the range may stand out."""
ARROWS_APART = 54.0
LEVEL = 1 / 64
"""Of a pixel: no higher or lower is a curve that runs level."""
FAR = 4.0
"""Points are brought no nearer than so many heights above or below the view: dashes out there cost time."""


class PlotItem(QGraphicsObject):
    """Something on the plot, in the plot's own pixels.

    Of pyqtgraph's items, each of which follows the range of its plot, it has nothing: the plot says the frame.
    """

    def __init__(self, theme: Theme, z: float = 0) -> None:
        super().__init__()
        self.theme = theme
        self.frame = Frame()
        self.setZValue(z)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    def set_frame(self, frame: Frame) -> None:
        if frame == self.frame:
            return
        self.prepareGeometryChange()
        self.frame = frame
        self.remake()

    @property
    def metrics(self) -> QFontMetricsF:
        """Of the type in which things on the plot are named."""
        return QFontMetricsF(self.theme.font("small"))

    def remake(self) -> None:
        """Make the geometry anew from data and frame."""
        self.update()

    def write_on(self, painter: QPainter, box: QRectF, opacity: float, radius: float) -> None:
        """A framed ground for words that lie on the picture."""
        ground = QColor(self.theme.raised)
        ground.setAlphaF(opacity)
        painter.setPen(QPen(QColor(self.theme.outline), 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(box, radius, radius)

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.frame.width, self.frame.height)


class Handles(PlotItem, Generic[T]):
    """Things on the plot that a hand takes and the keyboard moves; one of them may be active, which shows the focus."""

    def __init__(self, theme: Theme, z: float) -> None:
        super().__init__(theme, z)
        self.active: T | None = None
        """The one that the arrow keys move."""
        self._held: T | None = None
        """The one that a hand moves."""

    def stops(self) -> Sequence[T]:
        """What the Tab key walks through."""
        raise NotImplementedError

    def under(self, point: QPointF) -> T | None:
        """What a hand would take at a point."""
        raise NotImplementedError

    def step(self, across: int, up: int) -> None:
        """Move the active one by so many steps."""
        raise NotImplementedError

    def bring(self, by: QPointF) -> None:
        """Move the held one so far from where it was taken."""
        raise NotImplementedError

    def drop(self) -> None:
        """Let what was moved stay where it is."""
        raise NotImplementedError

    def grips(self) -> Iterator[QRectF]:
        """Where a hand can take something, or click on it: everything else belongs to what lies below."""
        raise NotImplementedError

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for box in self.grips():
            path.addRect(box)
        return path

    def take(self, point: QPointF) -> None:
        """Hold what is at a point."""
        self._held = self.under(point)

    def activate(self, thing: T | None) -> None:
        """Let the keyboard move this one, and show that it does."""
        if thing is not self.active:
            self.active = thing
            self.update()

    def inside(self, point: QPointF) -> QPointF:
        """The point of the picture that is nearest to one."""
        frame = self.frame
        return QPointF(min(max(point.x(), 0.0), frame.width), min(max(point.y(), frame.top), frame.floor))

    def mouseDragEvent(self, event: MouseDragEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        if event.isStart():
            self.take(event.buttonDownPos())
        if self._held is None:
            event.ignore()
            return
        event.accept()
        self.bring(event.pos() - event.buttonDownPos())
        if event.isFinish():
            self.drop()


class DataLayer(PlotItem):
    """A layer that shows arrays in the look of a series."""

    def __init__(self, theme: Theme, style: Style, z: float, arrays: int) -> None:
        super().__init__(theme, z)
        self.style = style
        self.arrays: tuple[Array, ...] = (np.empty(0),) * arrays
        self.decided = False
        self._stale = True

    def set_arrays(self, *arrays: Array) -> None:
        """Take new positions; equal ones cost no repainting."""
        if all(new is old or new.tobytes() == old.tobytes()
               for new, old in zip(arrays[::-1], self.arrays[::-1], strict=True)):  # x is the last to change
            return
        self.arrays = arrays
        self.remake()

    def stand(self, *, refused: bool, decided: bool) -> None:
        """Be fainter than others, for it is not allowed, or stronger, for somebody decided for it."""
        self.setOpacity(REFUSED if refused else 1.0)
        if decided != self.decided:
            self.decided = decided
            self.setZValue(self.zValue() + (0.5 if decided else -0.5))
            self.update()

    def remake(self) -> None:
        """Put it off until painting: data and frame often change together, and a hidden plot needs neither."""
        self._stale = True
        self.update()

    def refresh(self) -> None:
        """Make the geometry if data or frame have changed."""
        if self._stale:
            self._stale = False
            self.make()

    def make(self) -> None:
        """Geometry in pixels from positions; items that paint straight from positions have none."""

    def colour(self, opacity: float = 1.0) -> QColor:
        colour = QColor(self.style.colour(dark=self.theme.dark))
        colour.setAlphaF(opacity)
        return colour

    def pen(self, width: float, opacity: float = 1.0, *, dashed: bool = True) -> QPen:
        pen = QPen(self.colour(opacity), width * self.theme.scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap,
                   Qt.PenJoinStyle.BevelJoin)
        if dashed and self.style.dash:
            # Lengths are in pen widths; a thin line keeps the rhythm of the thick one.
            pen.setDashPattern([length * self.style.width / width for length in self.style.dash])
        return pen


class CurveItem(DataLayer):
    """A line through points (x, y); `thin` for the second curve of a series, `faint` for a pinned one."""

    def __init__(self, theme: Theme, style: Style, *, thin: bool = False, faint: bool = False, turn: int = 0) -> None:
        super().__init__(theme, style, z=8 if faint else 10 if thin else 12, arrays=2)
        self.width = THIN if thin else style.width
        self.strength = FAINT if faint else 1.0
        self.turn = turn
        """Which of several series this is: arrows of different series stand side by side."""
        self._path = QPainterPath()
        self._arrows = QPainterPath()
        self._lone: list[QPointF] = []
        self._spills = False

    def make(self) -> None:
        x, y = self.arrays
        across, down = self.frame.across(x), self.frame.down(y)
        self._path, self._arrows, self._lone = curve_path(across, down, self.frame.height), QPainterPath(), []
        inside, bounds = self._room(), self._path.boundingRect()
        self._spills = bounds.top() < inside.top() or bounds.bottom() > inside.bottom()
        if not (finite := np.isfinite(y)).all() or len(y) == 1:  # most curves have no gap
            self._lone = [QPointF(across[i], down[i]) for i in np.flatnonzero(lone(finite))]
            self._arrows = self._made_arrows(across, y)

    def _room(self) -> QRectF:
        """Where curves belong: between the strips for labels and bars, with room for half a line."""
        return QRectF(0, self.frame.top - SPILL, self.frame.width, self.frame.floor - self.frame.top + 2 * SPILL)

    def _made_arrows(self, across: Array, y: Array) -> QPainterPath:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for pixels, edge, size in ((across[y == np.inf], self.frame.top + 2, ARROW),
                                   (across[y == -np.inf], self.frame.floor - 2, -ARROW)):
            size *= self.theme.scale
            seen = pixels[(pixels >= -1) & (pixels <= self.frame.width + 1)]
            if not seen.size:
                continue
            apart = ARROWS_APART * self.theme.scale
            offset = (self.turn + 0.5) * apart / 5
            slots = np.unique(np.floor((seen - offset) / apart))
            nearest = np.abs(seen[None, :] - (slots * apart + offset)[:, None]).argmin(axis=1)
            for x in np.unique(seen[nearest]):
                path.addPolygon(QPolygonF([QPointF(x - abs(size), edge + 1.6 * size), QPointF(x, edge),
                                           QPointF(x + abs(size), edge + 1.6 * size)]))
        return path

    def paint(self, painter: QPainter, *_: object) -> None:
        self.refresh()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen(self.width * (DECIDED if self.decided else 1.0), self.strength))
        if self._spills:  # clipping costs, and most curves need none
            painter.save()
            painter.setClipRect(self._room(), Qt.ClipOperation.IntersectClip)
            painter.drawPath(self._path)
            painter.restore()
        else:
            painter.drawPath(self._path)
        if self._lone or not self._arrows.isEmpty():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.colour(self.strength))
            painter.drawPath(self._arrows)
            for point in self._lone:
                painter.drawEllipse(point, self.width, self.width)


class BandItem(DataLayer):
    """The area between two columns, as one polygon."""

    OPACITY = 0.16

    def __init__(self, theme: Theme, style: Style) -> None:
        super().__init__(theme, style, z=4, arrays=3)
        self._path = QPainterPath()

    def make(self) -> None:
        x, low, high = self.arrays
        good = np.isfinite(low) & np.isfinite(high)
        across = self.frame.across(x[good])
        reach = self.frame.height
        edges = [np.clip(self.frame.down(edge[good]), -reach, 2 * reach) for edge in (low, high)]
        outline = np.concatenate([across, across[::-1]]), np.concatenate([edges[0], edges[1][::-1]])
        self._path = arrayToQPath(*outline, "all", finiteCheck=False) if across.size else QPainterPath()

    def paint(self, painter: QPainter, *_: object) -> None:
        self.refresh()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(self._path, self.colour(self.OPACITY))


class DotsItem(DataLayer):
    """Points with their intervals, which may be missing."""

    RADIUS = 3.0

    def __init__(self, theme: Theme, style: Style) -> None:
        super().__init__(theme, style, z=14, arrays=4)

    def paint(self, painter: QPainter, *_: object) -> None:
        x, y, low, high = self.arrays
        across, down = self.frame.across(x), self.frame.down(y)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.pen(1.2, dashed=False))
        for at, top, bottom in zip(across, self.frame.down(high), self.frame.down(low), strict=True):
            if np.isfinite(top) and np.isfinite(bottom):
                painter.drawLine(QPointF(at, top), QPointF(at, bottom))
                for end in (top, bottom):
                    painter.drawLine(QPointF(at - 3, end), QPointF(at + 3, end))
        painter.setBrush(QColor(self.theme.surface))
        for at, centre in zip(across, down, strict=True):
            if np.isfinite(centre):
                painter.drawEllipse(QPointF(at, centre), self.RADIUS, self.RADIUS)


def curve_path(x: Array, y: Array, height: float) -> QPainterPath:
    """The path through points in pixels; NaN and infinite values break it.

    Of a stretch that is level, to `LEVEL` of a pixel, only its ends are points of the path: to stroke more takes long.
    """
    finite = np.isfinite(y)
    whole = bool(finite.all())
    y = np.clip(y, -FAR * height, (1 + FAR) * height)
    if not whole:
        y = np.where(finite, y, np.nan)
    steps, kept = np.rint(y / LEVEL), np.ones(len(y), dtype=np.bool_)
    level, ahead = steps[1:] == steps[:-1], x[1:] >= x[:-1]
    kept[1:-1] = ~(level[1:] & level[:-1] & (ahead[1:] == ahead[:-1]))
    path: QPainterPath = arrayToQPath(x[kept], y[kept], "all" if whole else "finite", finiteCheck=not whole)
    return path
