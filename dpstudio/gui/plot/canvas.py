"""One picture on screen: axes, grid, layers, marks and crosshair, and the ways a hand moves them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from dpstudio.core.answer import Update
from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Figure
from dpstudio.core.results import Window
from dpstudio.gui.plot.absence import explain
from dpstudio.gui.plot.axes import AxisStrip, Grid, laid_out
from dpstudio.gui.plot.box import Box
from dpstudio.gui.plot.crosshair import Crosshair
from dpstudio.gui.plot.frame import Frame, value_at
from dpstudio.gui.plot.items import Layer, RegionItem
from dpstudio.gui.plot.layers import Layers
from dpstudio.gui.plot.marks import MarksItem
from dpstudio.gui.plot.names import NamesItem
from dpstudio.gui.plot.ranges import steady
from dpstudio.gui.plot.reading import readings
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import place, resolved, y_range
from dpstudio.vocabulary import Value

MARGIN = 6.0
"""Pixels between the outermost values and the plot's edges."""
BARS = 0.22
"""Share of the plot's height that the regions' bars may take."""
BEYOND = 0.05
"""Share of the view that lies beyond a mark that was brought in."""
LOWEST, ROOMY = 104, 150
"""Heights in pixels: that leave the curves some sixty, and from which there is room for the words under the axis."""
COALESCED = 30
"""Milliseconds in which one zoom or pan is reported once."""


class Canvas(pg.GraphicsView):
    """Paints one figure of an update; values in, values out, whatever the scales."""

    parameter_dragged = Signal(str, float)
    drag_finished = Signal(str)
    view_changed = Signal(float, float)
    view_reset = Signal()
    coincided = Signal()
    """Other curves lie on one another than before."""

    def __init__(self, figure: Figure, theme: Theme, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(background=None)
        self.figure, self.theme = figure, theme
        self.update_: Update | None = None
        self.hidden: frozenset[str] = frozenset()
        self._window: Window | None = None
        self._interacting = False
        self._y: Window | None = None
        self._by_keyboard = False
        self.coincident: dict[str, str] = {}
        """Keys of curves that lie on those of another key throughout the view."""

        self.box = Box(figure.x)
        self._y_axis = replace(figure.y, low=None, high=None) if figure.y.per else figure.y
        self.bottom, self.left = AxisStrip(theme, "bottom", figure.x), AxisStrip(theme, "left", figure.y)
        self.setCentralItem(laid_out(self.left, self.box, self.bottom))
        self.grid = Grid(theme)
        self.layers = Layers(figure, theme)
        self.names = NamesItem(theme, self.layers)
        self.marks = MarksItem(theme, figure, parameters)
        self.marks.curves = self.layers.curves
        self.crosshair = Crosshair(theme, figure)
        for item in self._items():
            item.setParentItem(self.box)

        self._report = QTimer(self, singleShot=True, interval=COALESCED)
        self._report.timeout.connect(lambda: self.view_changed.emit(*self.window()))
        self.box.sigRangeChangedManually.connect(lambda *_: self._moved())
        self.box.sigXRangeChanged.connect(lambda *_: self._reframe())
        self.box.sigResized.connect(lambda *_: self._reframe())
        self.box.reset.connect(self.fit)
        self.marks.dragged.connect(self.parameter_dragged)
        self.marks.drag_finished.connect(self.drag_finished)
        self.marks.wanted.connect(self.bring_in)
        self.setMinimumHeight(theme.px(LOWEST))
        self.setAccessibleName(f"{figure.title}, plot")
        self.setAccessibleDescription(figure.caption)

    def _items(self) -> list[Layer]:
        return [self.grid, *self.layers, self.names, self.marks, self.crosshair]

    # What is shown

    def show_update(self, update: Update, values: Mapping[str, Value]) -> None:
        self.update_ = update
        self._y_axis = resolved(self.figure.y, values)
        self.layers.show(update, self.hidden)
        self.names.update()
        self.marks.set_values(values)
        self.marks.set_levels(update, self.hidden)
        self._show_window()
        self._fit_y()
        self._reframe()

    def set_pinned(self, update: Update | None) -> None:
        self.layers.pin(update, self.hidden)
        self._fit_y()
        self._reframe()

    def set_hidden(self, keys: frozenset[str], pinned: Update | None) -> None:
        self.hidden = keys
        if self.update_ is not None:
            self.layers.show(self.update_, keys)
            self.names.update()
            self.marks.set_levels(self.update_, keys)
        self.layers.pin(pinned, keys)
        self._fit_y()
        self._reframe()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setMinimumHeight(theme.px(LOWEST))
        self.bottom.roomy = self.height() >= theme.px(ROOMY)
        self.left.set_theme(theme)
        self.bottom.set_theme(theme)
        for item in self._items():
            item.set_theme(theme)
        self._reframe()

    def set_interacting(self, interacting: bool) -> None:
        self._interacting = interacting
        if not interacting:
            self._fit_y()
            self._reframe()

    def set_window(self, window: Window | None) -> None:
        """Show this stretch of x, or the natural one; a hand's own, just moved to and not told of yet, stays."""
        if self._report.isActive():
            return
        self._window = window
        self._show_window()

    def window(self) -> Window:
        """The stretch of x in view, as values."""
        low, high = self.box.viewRange()[0]
        return value_at(low, self.figure.x), value_at(high, self.figure.x)

    def fit(self) -> None:
        """Back to the natural window."""
        self._report.stop()
        self.set_window(None)
        self.view_reset.emit()

    def bring_in(self, value: float) -> None:
        """Widen the view until this value of x is in it, with a little beyond."""
        low, high = self.box.viewRange()[0]
        at = place(value, self.figure.x)
        beyond = BEYOND * (max(high, at) - min(low, at))
        self.box.setXRange(min(low, at - beyond), max(high, at + beyond), padding=0)
        self._moved()

    def _moved(self) -> None:
        self._window = self.window()
        self._report.start()

    def _show_window(self) -> None:
        window = self._window
        if window is None and self.update_ is not None:
            window = self.update_.windows.get(self.figure.table)
        ends = tuple(place(end, self.figure.x) for end in window) if window else self.layers.extent()
        if ends is None or not all(map(math.isfinite, ends)):
            return
        low, high = ends
        if high <= low:
            low, high = low - 0.5, high + 0.5
        if [low, high] != self.box.viewRange()[0]:
            self.box.setXRange(low, high, padding=0)

    def _fit_y(self) -> None:
        wanted = y_range([*self.layers.heights(), self.marks.heights()], self._y_axis)
        self._y = steady(self._y, wanted) if self._interacting and self._y else wanted

    def _reframe(self) -> None:
        """Tell every item which values lie where."""
        size = self.box.size()
        if size.width() < 2 or size.height() < 2 or self._y is None:
            return
        rows = self.layers.region_rows
        # In a low plot the bars close up rather than leave no room for the curves.
        row = min(RegionItem.ROW * self.theme.scale, BARS * size.height() / (rows + 2))
        frame = Frame(
            x=tuple(self.box.viewRange()[0]), y=self._y, width=size.width(), height=size.height(),
            top=max(self.marks.strip, MARGIN),
            bottom=(rows + 2) * row if rows else max(self.marks.cellar, MARGIN), row=row,
        )
        self.left.set_frame(frame)
        self.bottom.set_frame(frame)
        self.grid.set_ticks(self.bottom.ticks, self.left.ticks)
        for item in self._items():
            item.set_frame(frame)
        coincident = self.layers.coincident(frame)
        if coincident != self.coincident:
            self.coincident = coincident
            self.coincided.emit()
        if self.crosshair.isVisible():  # the pointer rests, and what lies under it has changed
            self.point_at(self.crosshair.pointer)

    def resizeEvent(self, event) -> None:
        if event is not None:  # pyqtgraph calls it so while it is being made
            self.bottom.roomy = event.size().height() >= self.theme.px(ROOMY)
        super().resizeEvent(event)

    # What a hand does

    def mouseMoveEvent(self, event) -> None:
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            self.point_at(self.box.mapFromScene(self.mapToScene(event.position().toPoint())))
        else:
            self.crosshair.setVisible(False)

    def point_at(self, point: QPointF) -> None:
        """Read the curves where the pointer is, if it is on the plot."""
        if self.update_ is None or not self.box.rect().contains(point) or self.marks.shape().contains(point):
            self.crosshair.setVisible(False)
            return
        x = value_at(self.crosshair.frame.x_at(point.x()), self.figure.x)
        self.crosshair.show_at(point, readings(self.figure, self.update_, self.hidden, x))

    def leaveEvent(self, event) -> None:
        self.crosshair.setVisible(False)
        super().leaveEvent(event)

    def keyPressEvent(self, event) -> None:
        key, times = event.key(), 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        along = {Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1}
        zoom = {Qt.Key.Key_Plus: 0.8, Qt.Key.Key_Equal: 0.8, Qt.Key.Key_Minus: 1.25}
        if key in along and self.marks.active:
            self.marks.key_step(along[key], times)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            low, high = self.box.viewRange()[0]
            self.box.translateBy(x=along[key] * 0.05 * times * (high - low))
            self._moved()
        elif key in zoom:
            self.box.scaleBy(x=zoom[key])
            self._moved()
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            event.ignore()

    def keyReleaseEvent(self, event) -> None:
        moved = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
        if self.marks.active and event.key() in moved and not event.isAutoRepeat():
            self.drag_finished.emit(self.marks.active.parameter.name)
        else:
            event.ignore()

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        marks = self.marks.draggable
        if self._by_keyboard and marks:
            self.marks.activate(marks[0 if event.reason() == Qt.FocusReason.TabFocusReason else -1])
        self.viewport().update()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self._by_keyboard = False
        self.marks.activate(None)
        self.viewport().update()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from mark to mark before it leaves the plot."""
        marks = self.marks.draggable
        if self.marks.active in marks:
            i = marks.index(self.marks.active) + (1 if forward else -1)
            if 0 <= i < len(marks):
                self.marks.activate(marks[i])
                return True
        return bool(super().focusNextPrevChild(forward))

    def drawForeground(self, painter: QPainter, _rect) -> None:
        if self.layers.blank:
            explain(painter, self.box.sceneBoundingRect(), self.figure.empty, self.theme)
        if self._by_keyboard and not self.marks.active:
            painter.setPen(QPen(QColor(self.theme.accent), 2))
            painter.drawRect(self.box.sceneBoundingRect().adjusted(1, 1, -1, -1))
