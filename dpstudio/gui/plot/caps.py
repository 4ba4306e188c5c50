"""The caps of a risk profile as dots on the picture of beliefs: a hand or keys move one, add one and take one away."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

from pyqtgraph.GraphicsScene.mouseEvents import HoverEvent
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QMenu

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Dots, Figure
from dpstudio.core.results import Span
from dpstudio.gui.plot.items import Handles
from dpstudio.gui.plot.labels import values_at
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import place
from dpstudio.scene.scene import Scene
from dpstudio.text.language import tr
from dpstudio.text.numbers import short
from dpstudio.vocabulary import text_of

RADIUS, GRIP = 5.0, 10.0
"""Pixels from the middle of a dot to its edge, and within which it can be taken."""
STEP = 2.0
"""Pixels of one press of an arrow key."""
PAD = 4.0


class CapsItem(Handles[Span]):
    """All caps of one picture, which are the pairs of one parameter; hidden in a picture without them."""

    dragged = Signal(str, object)
    """The parameter and all of its caps, as its text."""
    drag_finished = Signal(str)

    def __init__(self, theme: Theme, figure: Figure, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(theme, z=32)
        self.figure = figure
        self._layer = next((layer for layer in figure.layers if isinstance(layer, Dots) and layer.moves in parameters),
                           None)
        self._parameter = parameters[self._layer.moves] if self._layer else None
        self.caps: tuple[Span, ...] = ()
        self._from: Span | None = None
        """What the held one was when it was taken."""
        self._changed = False
        """Whether something was moved that has not yet been let go: then the answer comes a little later."""
        self.setVisible(self._layer is not None)

    def show_scene(self, scene: Scene) -> None:
        """Stand where the scene says."""
        if self._layer is None or self._changed:
            return
        caps, before = scene.standing(self._layer), self.caps
        if caps != before:
            i = before.index(self.active) if self.active in before else len(caps)
            self.active = caps[i] if i < len(caps) == len(before) else None
            self.caps = caps
            self.prepareGeometryChange()
            self.update()

    def stops(self) -> list[Span]:
        return [*self.caps]

    def under(self, point: QPointF) -> Span | None:
        """The nearest cap whose dot is at a point."""
        def distance(cap: Span) -> float:
            return math.dist((point.x(), point.y()), self._at(cap))

        return min((cap for cap in self.caps if distance(cap) <= GRIP), key=distance, default=None)

    def grips(self) -> Iterator[QRectF]:
        for cap in self.caps:
            x, y = self._at(cap)
            yield QRectF(x - GRIP, y - GRIP, 2 * GRIP, 2 * GRIP)

    def take(self, point: QPointF) -> None:
        super().take(point)
        self._from = self._held

    def bring(self, by: QPointF) -> None:
        if self._held is not None and self._from is not None:
            x, y = self._at(self._from)
            self._held = self._moved(self._held, QPointF(x, y) + by)

    def step(self, across: int, up: int) -> None:
        if self.active is not None:
            x, y = self._at(self.active)
            self.active = self._moved(self.active, QPointF(x + STEP * across, y - STEP * up))

    def drop(self) -> None:
        self._held = self._from = None
        if self._changed and self._parameter is not None:
            self._changed = False
            self.drag_finished.emit(self._parameter.name)
        self.update()

    def remove(self, cap: Span) -> None:
        """Take a cap away."""
        self.active = None
        self._set(tuple(each for each in self.caps if each != cap))
        self.drop()

    def add(self, point: QPointF) -> None:
        """Have one more cap, at a point of the plot."""
        self._set((*self.caps, values_at(self.frame, self.figure, point)))
        self.drop()

    def offer(self, menu: QMenu, point: QPointF) -> None:
        """What can be done with pairs at a point of the picture."""
        if self._parameter is None:
            return
        if (cap := self.under(point)) is not None:
            menu.addAction(tr("Remove cap {cap}", cap=_told(cap)), partial(self.remove, cap))
        elif self._text((*self.caps, values_at(self.frame, self.figure, point))):
            menu.addAction(tr("Cap here"), partial(self.add, point))

    def _at(self, cap: Span) -> Span:
        """Where a cap stands, in pixels."""
        figure = self.figure
        return float(self.frame.across(place(cap[0], figure.x))), float(self.frame.down(place(cap[1], figure.y)))

    def _moved(self, cap: Span, point: QPointF) -> Span:
        """The cap brought to a point, as far as the picture goes; where the parameter takes none, as it was."""
        moved = values_at(self.frame, self.figure, self.inside(point))
        return moved if self._set(tuple(moved if each == cap else each for each in self.caps)) else cap

    def _text(self, caps: tuple[Span, ...]) -> object:
        """The text of these pairs; None where they are none of the parameter's."""
        assert self._parameter is not None
        return self._parameter.domain.accept(text_of(sorted(caps)))

    def _set(self, caps: tuple[Span, ...]) -> bool:
        """Have these caps, and say so; whether they are some of the parameter's."""
        if (text := self._text(caps)) is None:
            return False
        assert self._parameter is not None
        self.caps, self._changed = tuple(sorted(caps)), True
        self.prepareGeometryChange()
        self.update()
        self.dragged.emit(self._parameter.name, text)
        return True

    def hoverEvent(self, event: HoverEvent) -> None:
        cap = None if event.isExit() else self.under(event.pos())
        self.setToolTip(tr("Cap {cap}", cap=_told(cap)) if cap else "")
        if cap is None or not event.acceptDrags(Qt.MouseButton.LeftButton):
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.SizeAllCursor)

    def paint(self, painter: QPainter, *_: object) -> None:
        theme = self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        for cap in self.caps:
            meant = cap in (self.active, self._held)
            x, y = self._at(cap)
            painter.setPen(QPen(QColor(theme.accent if meant else theme.text), (2.0 if meant else 1.25) * theme.scale))
            painter.setBrush(QColor(theme.raised))
            painter.drawEllipse(QPointF(x, y), RADIUS * theme.scale, RADIUS * theme.scale)
            if meant:
                self._tell(painter, cap, x, y)

    def _tell(self, painter: QPainter, cap: Span, x: float, y: float) -> None:
        """Write the numbers beside a dot, on the side that has room."""
        words, metrics, scale = _told(cap), self.metrics, self.theme.scale
        width, away = metrics.horizontalAdvance(words) + 2 * PAD * scale, (RADIUS + PAD) * scale
        left = x + away if x + away + width <= self.frame.width else x - away - width
        box = QRectF(left, y - metrics.height() / 2 - PAD / 2, width, metrics.height() + PAD)
        self.write_on(painter, box, 0.95, 3)
        painter.setPen(QColor(self.theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _told(cap: Span) -> str:
    """“0.01 → 0.05”: what was held, and what may be."""
    return f"{short(cap[0])} → {short(cap[1])}"
