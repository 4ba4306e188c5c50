"""Lines at the values of parameters and facts, with labels that keep out of each other's way and handles to drag by."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from pyqtgraph.GraphicsScene.mouseEvents import HoverEvent, MouseClickEvent
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Figure, Level, Line, Map, Mark
from dpstudio.core.results import Series
from dpstudio.gui.plot.items import Handles
from dpstudio.gui.plot.labels import (
    Aimed,
    DragTarget,
    PlacedMark,
    Standing,
    admitted,
    label_height,
    place_labels,
    screen_step,
    shown_text,
    snapped,
)
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Box
from dpstudio.scene.scene import Scene
from dpstudio.scene.straights import Straight, axis_of, nowhere
from dpstudio.vocabulary import Quantity

GRIP = 6.0
"""Pixels on either side of a line where it can be taken."""


class MarksItem(Handles[PlacedMark]):
    """All marks of one picture; the draggable ones follow the mouse and the arrow keys."""

    dragged = Signal(str, object)
    drag_finished = Signal(str)
    wanted = Signal(float)
    """A value on the x axis that somebody wants to see: the label of a line out of view was clicked."""

    def __init__(self, theme: Theme, figure: Figure, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(theme, z=30)
        self.figure = figure
        self.marks = [PlacedMark(nowhere(layer), layer, parameters[layer.parameter]) for layer in figure.layers
                      if isinstance(layer, Mark) and layer.parameter in parameters]
        self.levels = [Standing(nowhere(layer)) for layer in figure.layers if isinstance(layer, Level)]
        """Their lines are painted with the curves; here they have their labels."""
        self._haloed = any(isinstance(layer, Map) for layer in figure.layers)
        """Whether what lies under the lines has every shade."""
        self._scene: Scene | None = None
        self._held_from = 0.0

    def stops(self) -> list[PlacedMark]:
        return [placed for placed in self.marks if placed.draggable]

    @property
    def strip(self) -> float:
        """Height of the row of labels above the curves."""
        if not any(placed.axis == "x" for placed in self._all()):
            return 0.0
        return label_height(self.theme) + 8 * self.theme.scale

    @property
    def cellar(self) -> float:
        """Height of the row under the curves, for the label of a line at the lower end."""
        return label_height(self.theme) + 1 if any(placed.mark.factor < 0 for placed in self.marks) else 0.0

    def show_scene(self, scene: Scene) -> None:
        """Stand where the scene says."""
        self._scene = scene
        self._stand({straight.layer: straight for straight in scene.straights})

    def set_targets(self, targets: Sequence[DragTarget]) -> None:
        """Let these be dragged besides, as far as they lie on an axis; one that a hand holds stays where it is."""
        before = {placed.parameter.name: placed for placed in self.marks if isinstance(placed, Aimed)}
        aimed: list[PlacedMark] = []
        for target in targets:
            old = before.get(target.parameter.name)
            if (axis := target.axis(self.figure)) is not None:
                kept = old is not None and (old is self._held or old.target == target)
                aimed.append(old if kept and old is not None else Aimed(target, self.figure, axis))
                if old is not None and old is self.active:
                    self.active = aimed[-1]
        self.marks = [*(placed for placed in self.marks if not isinstance(placed, Aimed)), *aimed]
        self.active = self.active if self.active in self.marks else None
        self.remake()

    def _move(self, held: PlacedMark, value: float) -> None:
        """Let all marks of a held one's parameter stand at another value at once: the answer comes a little later."""
        if value == held.value * held.mark.factor:
            return
        moved = [placed for placed in self.marks if placed.parameter is held.parameter and math.isfinite(placed.value)]
        self._stand({placed.mark: placed.moved(self.figure, value) for placed in moved})
        self.dragged.emit(held.parameter.name, value)

    def _stand(self, straights: Mapping[Mark | Level, Straight]) -> None:
        changed = False
        for placed in self._all():
            straight = straights.get(placed.straight.layer, placed.straight)
            changed = changed or straight != placed.straight
            placed.straight = straight
        if changed:
            self.remake()

    def _all(self) -> list[Standing]:
        return [*self.marks, *self.levels]

    def remake(self) -> None:
        self.prepareGeometryChange()
        for placed in self._all():
            placed.label = QRectF()
            along = self.frame.across if placed.axis == "x" else self.frame.down
            placed.at = float(along(placed.straight.at))
        curves = [part.points for part in self._scene.shown(Line)] if self._scene else []
        place_labels(self.marks, self.levels, self.frame, self.theme, curves)
        self.update()

    def labels(self) -> list[Box]:
        """What the labels on the plot take of it."""
        boxes = [placed.label for placed in self._all() if placed.axis == "y" and not placed.label.isNull()]
        return [(box.left(), box.top(), box.right(), box.bottom()) for box in boxes]

    def grips(self) -> Iterator[QRectF]:
        for placed in self.stops():
            if not placed.label.isNull():
                yield placed.label
            if placed.seen(self.frame):
                yield (QRectF(placed.at - GRIP, 0, 2 * GRIP, self.frame.height) if placed.axis == "x"
                       else QRectF(0, placed.at - GRIP, self.frame.width, 2 * GRIP))
        yield from (away.label for away in self._out_of_view())

    def _out_of_view(self) -> list[Standing]:
        """The lines across that are not in view, and have labels that say where they are."""
        return [placed for placed in self._all()
                if placed.axis == "x" and not placed.label.isNull() and not placed.seen(self.frame)]

    def under(self, point: QPointF) -> PlacedMark | None:
        """The draggable mark at a point: by its label, else the nearest line; what is wanted before what is."""
        draggable = sorted(self.stops(), key=lambda placed: not isinstance(placed, Aimed))
        for placed in draggable:
            if placed.label.contains(point):
                return placed

        def distance(placed: PlacedMark) -> float:
            return abs(placed.at - (point.x() if placed.axis == "x" else point.y()))

        near = [placed for placed in draggable if distance(placed) <= GRIP]
        return min(near, key=distance, default=None)

    def level_at(self, point: QPointF) -> list[tuple[Quantity, Series | None]]:
        """The facts whose label or line is at a point."""
        def near(placed: Standing) -> bool:
            return placed.seen(self.frame) and abs(placed.at - (point.x() if placed.axis == "x" else point.y())) <= GRIP

        named = [placed for placed in self.levels if placed.label.contains(point)]
        found = [placed.straight.layer for placed in named or filter(near, self.levels)]
        return [(layer.quantity, layer.series) for layer in found if isinstance(layer, Level)]

    def hoverEvent(self, event: HoverEvent) -> None:
        if not event.isExit() and any(each.label.contains(event.pos()) for each in self._out_of_view()):
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            return
        placed = None if event.isExit() else self.under(event.pos())
        if placed is None or not event.acceptDrags(Qt.MouseButton.LeftButton):
            self.unsetCursor()
            return
        across = placed.axis == "x"
        self.setCursor(Qt.CursorShape.SizeHorCursor if across else Qt.CursorShape.SizeVerCursor)

    def mouseClickEvent(self, event: MouseClickEvent) -> None:
        """A click on the label of a line out of view asks to see it."""
        clicked = next((each for each in self._out_of_view() if each.label.contains(event.pos())), None)
        if clicked is None or event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        self.wanted.emit(clicked.value)

    def take(self, point: QPointF) -> None:
        super().take(point)
        if (held := self._held) is not None:
            self._held_from = min(max(held.at, 0.0), self.frame.width if held.axis == "x" else self.frame.floor)

    def bring(self, by: QPointF) -> None:
        if (held := self._held) is not None:
            pixel = self._held_from + (by.x() if held.axis == "x" else by.y())
            self._move(held, snapped(self.frame, axis_of(self.figure, held.mark), held.mark, held.parameter, pixel))

    def drop(self) -> None:
        moved, self._held = self._held or self.active, None
        if moved is not None:
            self.drag_finished.emit(moved.parameter.name)

    def step(self, across: int, up: int) -> None:
        """Move the active mark by so many screen steps."""
        if (placed := self.active) is None or not math.isfinite(placed.at):
            return
        axis = axis_of(self.figure, placed.mark)
        step = screen_step(self.frame, axis, placed.mark, placed.parameter, placed.at) * (across + up)
        self._move(placed, admitted(placed.parameter, placed.value * placed.mark.factor + step, abs(step)))

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(self.theme.font("small"))
        for placed in self._all():
            if math.isfinite(placed.at):
                (self._paint_flag if placed.axis == "x" else self._paint_level)(painter, placed)

    def _line_pen(self, placed: Standing) -> QPen:
        if not isinstance(placed, PlacedMark):
            return QPen(QColor(placed.straight.style.colour(dark=self.theme.dark)), self.theme.scale)
        aimed = isinstance(placed, Aimed)
        colour = QColor(self.theme.accent if placed is self.active or aimed else self.theme.muted)
        pen = QPen(colour, (2.0 if aimed and placed is self.active else 1.25) * self.theme.scale)
        if not placed.draggable:
            pen.setDashPattern([5, 4])
        return pen

    def _draw(self, painter: QPainter, line: QLineF) -> None:
        """A straight line, parted from the shades under it where there are some."""
        pen = painter.pen()
        if self._haloed:
            painter.setPen(QPen(QColor(self.theme.surface), 3 * pen.widthF()))
            painter.drawLine(line)
            pen.setColor(QColor(self.theme.accent if pen.color() == QColor(self.theme.accent) else self.theme.text))
        painter.setPen(pen)
        painter.drawLine(line)

    def _paint_flag(self, painter: QPainter, placed: Standing) -> None:
        if placed.label.isNull():
            return
        painter.setPen(self._line_pen(placed))
        if placed.seen(self.frame):
            x = round(placed.at) + 0.5
            foot = min(max(x, placed.label.left() + 4), placed.label.right() - 4)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawLine(QPointF(foot, placed.label.bottom()), QPointF(x, self.frame.top - 1))
            if isinstance(placed, PlacedMark):
                self._draw(painter, QLineF(x, self.frame.top - 1, x, self.frame.height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        active, draggable = placed is self.active, placed.draggable
        painter.setPen(QPen(QColor(self.theme.accent if active else self.theme.outline), 2 if active else 1)
                       if draggable else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.raised))
        box = placed.label.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(QColor(self.theme.text) if draggable and not isinstance(placed, Aimed) else self._ink(placed))
        painter.drawText(placed.label, Qt.AlignmentFlag.AlignCenter, shown_text(placed, self.frame))

    def _ink(self, placed: Standing) -> QColor:
        """The colour of a label: a level's is that of its series."""
        if isinstance(placed, Aimed):
            return QColor(self.theme.accent)
        if placed.straight.series:
            return QColor(placed.straight.style.ink(dark=self.theme.dark))
        return QColor(self.theme.muted)

    def _paint_level(self, painter: QPainter, placed: Standing) -> None:
        if isinstance(placed, PlacedMark) and placed.seen(self.frame):
            painter.setPen(self._line_pen(placed))
            y = round(placed.at) + 0.5
            self._draw(painter, QLineF(0, y, self.frame.width, y))
        if not placed.label.isNull():
            ground = QColor(self.theme.surface)
            ground.setAlphaF(0.85)
            painter.fillRect(placed.label, ground)
            painter.setPen(self._ink(placed))
            painter.drawText(placed.label, Qt.AlignmentFlag.AlignCenter, shown_text(placed, self.frame))
