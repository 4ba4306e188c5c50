"""One picture on screen: axes, grid, layers, marks and crosshair, and the ways a hand moves them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pyqtgraph.widgets.GraphicsView import GraphicsView
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QToolTip

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Figure
from dpstudio.core.results import Series, Span
from dpstudio.gui.plot.axes import AxisStrip, Grid, PlotBox, laid_out
from dpstudio.gui.plot.caps import CapsItem
from dpstudio.gui.plot.crosshair import Crosshair
from dpstudio.gui.plot.items import Handles
from dpstudio.gui.plot.labels import DragTarget, values_at
from dpstudio.gui.plot.layers import Layers, RegionItem
from dpstudio.gui.plot.marks import MarksItem
from dpstudio.gui.plot.notes import NamesItem, NotesItem
from dpstudio.gui.plot.published import PublishedItem
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import place, value_at
from dpstudio.scene.described import described
from dpstudio.scene.frame import Frame
from dpstudio.scene.scene import Reading, Scene, series_of
from dpstudio.text.language import tr
from dpstudio.vocabulary import Quantity

MARGIN = 6.0
"""Pixels between the outermost values and the plot's edges."""
BARS = 0.22
"""Share of the plot's height that the regions' bars may take."""
BEYOND = 0.05
"""Share of the view that lies beyond a mark that was brought in."""
LOWEST, ROOMY = 104, 140
"""Heights in pixels: that leave the curves some sixty, and from which there is room for the words under the axis."""
WASTE = 3.0
"""While a hand moves something, a range is kept until it is this many times wider than it need be."""
NEAR = 8.0
"""Pixels from a curve within which it is meant."""
ARROWS: dict[int, tuple[int, int]] = {Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Up: (0, 1),
                                      Qt.Key.Key_Down: (0, -1)}
"""How far each leads across and up."""
REMOVING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
RESTING = 300
"""Milliseconds without another picture after which it is put into words."""
COALESCED = 30
"""Milliseconds in which one zoom or pan is reported once."""


class Canvas(GraphicsView):
    """Paints one figure of an update; values in, values out, whatever the scales."""

    view_changed = Signal(float, float)
    view_reset = Signal()
    moved = Signal(float, float)
    """A hand has changed the view; `view_changed` reports it once it rests."""
    picked = Signal(float, float)
    """The values of x and y at the sample or the cell that was clicked; y is NaN where curves are read at x alone."""
    coincided = Signal()
    """Other curves lie on one another than before."""
    note_wanted = Signal(object)
    """A text on the picture that somebody wants to edit."""
    note_removed = Signal(object)
    notes_told = Signal()
    again_wanted = Signal()
    """Another draw of what is shown."""
    """Other notes may be in view than before."""

    def __init__(self, figure: Figure, theme: Theme, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(background=None)
        self.figure, self.theme = figure, theme
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setBackgroundBrush(QColor(theme.surface))
        self.scene_: Scene | None = None
        self._interacting = False
        self._y: Span | None = None
        self._by_keyboard = False
        self._curves_named = False
        self.coincident: dict[str, str] = {}
        """Keys of curves that lie on those of another key throughout the view."""

        self.box = PlotBox(figure.x, moves=figure.has_axes)
        self.bottom, self.left = AxisStrip(theme, "bottom", figure.x), AxisStrip(theme, "left", figure.y)
        self.setCentralItem(laid_out(self.left, self.box, self.bottom) if figure.has_axes else self.box)
        self.grid = Grid(theme)
        self.layers = Layers(figure, theme, self.box)
        self.names = NamesItem(theme)
        self.marks = MarksItem(theme, figure, parameters)
        self.crosshair = Crosshair(theme, figure)
        self.caps = CapsItem(theme, figure, parameters)
        self.notes, self.published = NotesItem(theme, figure), PublishedItem(theme)
        self._framed = self.layers, self.marks, self.caps, self.notes, self.crosshair, self.published
        for item in (self.grid, self.names, self.marks, self.caps, self.notes, self.crosshair, self.published):
            item.setParentItem(self.box)

        self._report = QTimer(self, singleShot=True, interval=COALESCED)
        self._report.timeout.connect(self._tell_view)
        self.box.sigRangeChangedManually.connect(lambda *_: self._moved())
        self.box.sigXRangeChanged.connect(lambda *_: self._reframe())
        self.box.sigResized.connect(lambda *_: self._reframe())
        self.box.reset.connect(self.fit)
        self.box.clicked.connect(self._pick)
        self.marks.wanted.connect(self.bring_in)
        self.notes.wanted.connect(self.note_wanted)
        self.setMinimumHeight(theme.px(LOWEST))
        for each in (self, self.viewport()):
            each.setAccessibleName(tr("{title}, plot", title=tr(figure.title)))
        self.described = tr(figure.caption)
        """What a screen reader says of it, unless a mark is read."""
        self.noted: tuple[str, ...] = ()
        """What is noted on it, in words."""
        self.setAccessibleDescription(self.described)
        self._resting = QTimer(self, singleShot=True, interval=RESTING)
        self._resting.timeout.connect(self.describe)

    # What is shown

    def show_scene(self, scene: Scene) -> None:
        if scene.blank is not (self.scene_ is not None and self.scene_.blank):
            self.viewport().update()  # why there is nothing is of no item: nobody else has it painted
        self.scene_ = scene
        self._resting.start()
        self.layers.show(scene)
        self.marks.show_scene(scene)
        self.caps.show_scene(scene)
        self.published.show_marks(scene.published)
        if [*scene.x] != self.box.viewRange()[0]:
            self.box.setXRange(*scene.x, padding=0)
        self._y = steady(self._y, scene.y) if self._interacting and self._y else scene.y
        self._reframe()

    def describe(self) -> None:
        """Let a screen reader say what is to be seen now, and what is noted there."""
        seen = [described(self.figure, self.scene_)] if self.scene_ is not None and not self.scene_.blank else []
        self.described = " ".join([tr(self.figure.caption), *seen, *self.noted])
        if self.published.meant is None:
            self.setAccessibleDescription(self.described)

    def name_curves(self, wanted: bool) -> None:
        """Let the curves wear their names, as where no legend says them."""
        if wanted != self._curves_named:
            self._curves_named = wanted
            self._show_names()

    def _show_names(self) -> None:
        if self.scene_ is not None:
            self.names.show_scene(self.scene_, self.coincident, self.marks.frame, self.marks.labels(),
                                  curves=self._curves_named, steady=self._interacting)
            if self.scene_.notes or self.notes.notes:
                named = [each.box for each in self.names.placed()] if self.scene_.notes else []
                self.notes.show_scene(self.scene_, [*self.marks.labels(), *named], steady=self._interacting)
                self.notes_told.emit()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setBackgroundBrush(QColor(theme.surface))
        self.setMinimumHeight(theme.px(LOWEST))
        self.bottom.roomy = self.height() >= theme.px(ROOMY)
        for item in (self.left, self.bottom, self.grid, self.names, *self._framed):
            item.set_theme(theme)
        self._reframe()

    def set_targets(self, targets: Sequence[DragTarget]) -> None:
        """Let these wanted values be dragged where they lie on an axis."""
        self.marks.set_targets(targets)
        self._reframe()

    def facts_at(self, point: QPointF) -> list[tuple[Quantity, Series | None]]:
        """What stands at a point of the plot: the facts of a line with its label, of a bar, or of the nearest curve."""
        frame, found = self.marks.frame, self.marks.level_at(point)
        for region, item in self.layers.regions:
            if abs(point.y() - frame.floor - (item.row + 1.5) * frame.row) <= frame.row / 2:
                found += [(region.low, region.series), (region.high, region.series)]
        if found or self.scene_ is None:
            return found
        x = value_at(frame.x_at(point.x()), self.figure.x)
        near = [(abs(float(frame.down(place(read.value, self.figure.y))) - point.y()), read)
                for read in self.scene_.readings(x)]
        return [(read.quantity, series_of(read.part.layer)) for away, read in near if away <= NEAR]

    def set_interacting(self, interacting: bool) -> None:
        self._interacting = interacting
        if not interacting and self.scene_ is not None:
            self._y = self.scene_.y
            self._reframe()

    @property
    def reporting(self) -> bool:
        """Whether a hand has changed the view and it is yet to be told."""
        return self._report.isActive()

    def settle(self) -> None:
        """Report at once what is yet to be told: another picture takes the place of this one."""
        if self.reporting:
            self._report.stop()
            self._tell_view()

    def _tell_view(self) -> None:
        self.view_changed.emit(*self.window())

    def window(self) -> Span:
        """The stretch of x in view, as values."""
        low, high = self.box.viewRange()[0]
        return value_at(low, self.figure.x), value_at(high, self.figure.x)

    def fit(self) -> None:
        """Back to the natural window."""
        self._report.stop()
        self.view_reset.emit()

    def bring_in(self, value: float) -> None:
        """Widen the view until this value of x is in it, with a little beyond."""
        low, high = self.box.viewRange()[0]
        at = place(value, self.figure.x)
        beyond = BEYOND * (max(high, at) - min(low, at))
        self.box.setXRange(min(low, at - beyond), max(high, at + beyond), padding=0)
        self._moved()

    def _moved(self) -> None:
        self.moved.emit(*self.window())
        self._report.start()

    def _reframe(self) -> None:
        """Tell every item which values lie where."""
        size = self.box.size()
        if size.width() < 2 or size.height() < 2 or self._y is None:
            return
        rows = len(self.layers.regions)
        # In a low plot the bars close up rather than leave no room for the curves.
        row = min(RegionItem.ROW * self.theme.scale, BARS * size.height() / (rows + 2))
        x = tuple(self.box.viewRange()[0])
        frame = Frame(
            x=x, y=self._y, width=size.width(), height=size.height(),
            top=max(self.marks.strip, MARGIN),
            bottom=((rows + 2) * row if rows else max(self.marks.cellar, MARGIN))
            + self.published.lay_out(Frame(x=x, width=size.width(), height=size.height())), row=row,
        )
        if self.figure.has_axes:
            self.left.set_frame(frame)
            self.bottom.names = self.scene_.x_names if self.scene_ is not None else ()
            self.bottom.set_frame(frame)
            self.grid.set_ticks(self.bottom.ticks, self.left.ticks)
            self.grid.set_frame(frame)
        for item in self._framed:
            item.set_frame(frame)
        coincident = self.scene_.coincident(frame.x, frame.y, frame.floor - frame.top) if self.scene_ else {}
        if coincident != self.coincident:
            self.coincident = coincident
            self.coincided.emit()
        self._show_names()
        if self.crosshair.isVisible():  # the pointer rests, and what lies under it has changed
            self.point_at(self.crosshair.pointer)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        if event is not None:  # pyqtgraph calls it so while it is being made
            self.bottom.roomy = event.size().height() >= self.theme.px(ROOMY)
        super().resizeEvent(event)

    # What a hand does

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            self.point_at(self.at(event.position().toPoint()))
        else:
            self.crosshair.setVisible(False)

    def point_at(self, point: QPointF) -> None:
        """Read the curves where the pointer is, if it is on the plot, or the published ε that it is at."""
        before = self.published.meant
        self.published.mean(self.published.at(point))
        if self.published.meant is not None:
            self.crosshair.setVisible(False)
            if self.published.meant is not before:
                self._say_published()
            return
        noted = self.notes.by_dot(point)
        held = not noted and (self.marks.shape().contains(point) or self.caps.under(point) or self.notes.under(point))
        if self.scene_ is None or held or not self.box.rect().contains(point):
            self.crosshair.setVisible(False)
            return
        self.crosshair.show_at(point, self._readings(point), noted)

    def _readings(self, point: QPointF) -> list[Reading]:
        """What the scene says of a point in pixels."""
        frame, figure = self.crosshair.frame, self.figure
        x, y = value_at(frame.x_at(point.x()), figure.x), value_at(frame.y_at(point.y()), figure.y)
        return self.scene_.readings(x, y) if self.scene_ is not None else []

    @property
    def meant(self) -> QPointF:
        """The point that is read, or else the middle of the picture."""
        if self.crosshair.isVisible():
            return self.crosshair.pointer
        frame = self.marks.frame
        return QPointF(frame.width / 2, (frame.top + frame.floor) / 2)

    def at(self, point: QPoint | None) -> QPointF:
        """Where a point of the widget lies on the plot, or else what is meant."""
        return self.meant if point is None else self.box.mapFromScene(self.mapToScene(point))

    def values_at(self, point: QPointF) -> Span:
        """The values at a point of the plot, with no more digits than a pixel can tell."""
        return values_at(self.marks.frame, self.figure, point)

    def _pick(self, point: QPointF) -> None:
        if read := self._readings(point):
            self.picked.emit(read[0].x, math.nan if read[0].y is None else read[0].y)

    def leaveEvent(self, event: QEvent) -> None:
        self.crosshair.setVisible(False)
        self.published.mean(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, times = event.key(), 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        zoom: dict[int, float] = {Qt.Key.Key_Plus: 0.8, Qt.Key.Key_Equal: 0.8, Qt.Key.Key_Minus: 1.25}
        across, up = ARROWS.get(key, (0, 0))
        if key in ARROWS and (moving := self._moving()):
            moving.step(across * times, up * times)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.notes.active:
            self.note_wanted.emit(self.notes.active)
        elif key in REMOVING and self.notes.active:
            self.note_removed.emit(self.notes.active)
        elif key in REMOVING and self.caps.active:
            self.caps.remove(self.caps.active)
        elif across and self.figure.has_axes:
            low, high = self.box.viewRange()[0]
            self.box.translateBy(x=across * 0.05 * times * (high - low))
            self._moved()
        elif key in zoom and self.figure.has_axes:
            self.box.scaleBy(x=zoom[key])
            self._moved()
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_D and self.figure.drawn_by:
            self.again_wanted.emit()
        elif key == Qt.Key.Key_E and self.published.marks:
            self.published.step(-1 if times > 1 else 1)
            self.crosshair.setVisible(False)
            self._say_published()
        else:
            event.ignore()

    def _say_published(self) -> None:
        """To screen readers too, and below the plot where the words have no room in it."""
        self.setAccessibleDescription(self.published.words)
        if tip := self.published.toolTip():
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tip, self)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and not event.isAutoRepeat() and (moving := self._moving()):
            moving.drop()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        stops = self._stops()
        if self._by_keyboard and stops:
            self._activate(stops[0 if event.reason() == Qt.FocusReason.TabFocusReason else -1])
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._by_keyboard = False
        self._activate(None)
        self.published.mean(None)
        self.setAccessibleDescription(self.described)
        self.viewport().update()

    @property
    def _handles(self) -> tuple[MarksItem, CapsItem, NotesItem]:
        """What the Tab key walks through, in order."""
        return self.marks, self.caps, self.notes

    def _moving(self) -> MarksItem | CapsItem | NotesItem | None:
        """Where the keyboard moves something."""
        return next((each for each in self._handles if each.active), None)

    def _stops(self) -> list[tuple[Handles[Any], Any]]:
        """Each thing that it stops at, with the item that moves it."""
        return [(item, stop) for item in self._handles for stop in item.stops()]

    def _activate(self, meant: tuple[Handles[Any], Any] | None) -> None:
        """Let the keyboard move this, and nothing else."""
        for item in self._handles:
            item.activate(meant[1] if meant and item is meant[0] else None)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from mark to mark, from cap to cap and from note to note, before it leaves the plot."""
        stops, item = self._stops(), self._moving()
        if item is not None and (item, item.active) in stops:
            i = stops.index((item, item.active)) + (1 if forward else -1)
            if 0 <= i < len(stops):
                self._activate(stops[i])
                return True
        return bool(super().focusNextPrevChild(forward))

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        if self.scene_ is not None and self.scene_.blank:
            self._explain(painter, self.box.sceneBoundingRect())
        if self._by_keyboard and not self._moving():
            painter.setPen(QPen(QColor(self.theme.accent), 2))
            painter.drawRect(self.box.sceneBoundingRect().adjusted(1, 1, -1, -1))

    def _explain(self, painter: QPainter, plot: QRectF) -> None:
        """Write why there is nothing, on a ground of its own so that marks do not cross it."""
        words = tr(self.figure.empty)
        painter.setFont(self.theme.font("label"))
        room, how = plot.adjusted(8, 8, -8, -8), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.fillRect(painter.boundingRect(room, how, words).adjusted(-4, -2, 4, 2), QColor(self.theme.surface))
        painter.setPen(QColor(self.theme.muted))
        painter.drawText(room, how, words)


def steady(old: Span, new: Span) -> Span:
    """The old range for as long as it holds the new one without much waste."""
    holds = old[0] <= new[0] and new[1] <= old[1]
    return old if holds and (old[1] - old[0]) <= WASTE * (new[1] - new[0]) else new
