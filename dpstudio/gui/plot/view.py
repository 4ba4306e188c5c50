"""A panel of the window: the pictures of one place, one at a time, with title, legend and caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from dpstudio.core.answer import Update
from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Figure
from dpstudio.core.results import Window
from dpstudio.gui.plot.canvas import Canvas
from dpstudio.gui.plot.header import ElidedLabel, Header
from dpstudio.gui.plot.legend import Legend, entries_of
from dpstudio.gui.plot.reading import line_key, lines_of, readings
from dpstudio.gui.shell.theme import Theme
from dpstudio.vocabulary import Quantity, Value

ROOMY, TIGHT, BARE = 300, 200, 172
"""Heights in pixels: from the first there is room for the caption, below the others for one row of legend, and none."""


class FigureView(QWidget):
    """Paints the figures of one panel; the first is current until another is chosen."""

    parameter_dragged = Signal(str, float)
    drag_finished = Signal(str)
    view_changed = Signal(str, float, float)
    view_reset = Signal(str)
    hidden_changed = Signal(object)
    enlarge_requested = Signal()
    figure_chosen = Signal(str)
    copy_requested = Signal(str)
    export_requested = Signal(str)
    values_requested = Signal(str)

    def __init__(self, figures: Sequence[Figure], theme: Theme, parent: QWidget | None = None, *,
                 parameters: Mapping[str, Parameter] | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.figures = tuple(figures)
        self.theme = theme
        self.parameters = parameters or {}
        self.hidden: frozenset[str] = frozenset()
        self._figure = self.figures[0]
        self._newest: tuple[Update, Mapping[str, Value]] | None = None
        self._pinned: Update | None = None
        self._window: Window | None = None
        self._interacting = False
        self._legend_wanted = True
        self._stale = False
        """Whether an update came while nobody could see it."""

        self.header = Header(self.figures, theme)
        self.caption = ElidedLabel("muted")
        self.legend = Legend(theme)
        self.canvas = self._made_canvas()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 8, 8)
        self._column.setSpacing(4)
        for widget in (self.header, self.caption, self.legend):
            self._column.addWidget(widget)
        self._column.addWidget(self.canvas, 1)
        self.header.chosen.connect(self._choose_by_hand)
        self.header.fit_requested.connect(lambda: self.canvas.fit())
        self.header.enlarge_requested.connect(self.enlarge_requested)
        self.legend.hidden_changed.connect(self._hide_by_hand)
        self._describe()

    # What is shown

    def current_figure(self) -> Figure:
        return self._figure

    def show_update(self, update: Update, values: Mapping[str, Value]) -> None:
        """Paint an update, or remember it until somebody can see it."""
        self._newest = update, values
        self._stale = True
        if self.isVisible():
            self._catch_up()

    def set_pinned(self, update: Update | None, values: Mapping[str, Value] | None = None) -> None:  # noqa: ARG002
        """Keep an update's curves as a faint reference, or none."""
        self._pinned = update
        self.canvas.set_pinned(update)

    def set_hidden(self, keys: frozenset[str]) -> None:
        """Hide the curves of these series."""
        self.hidden = frozenset(keys)
        self.legend.set_hidden(self.hidden)
        self.canvas.set_hidden(self.hidden, self._pinned)

    def set_view(self, window: Window | None) -> None:
        """Show this stretch of x, or the one the update calls natural."""
        self._window = window
        self.canvas.set_window(window)

    def show_legend(self, wanted: bool) -> None:
        """Have a legend wherever there is room for it, or none."""
        self._legend_wanted = wanted
        self.legend.setVisible(wanted and self.height() >= self.theme.px(BARE))

    def set_interacting(self, interacting: bool) -> None:
        """Hold the y range steady while a hand moves something."""
        self._interacting = interacting
        self.canvas.set_interacting(interacting)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for part in (self.header, self.legend, self.canvas):
            part.set_theme(theme)

    def choose(self, key: str) -> None:
        """Show another figure of this panel; a KeyError says there is none."""
        figure = {figure.key: figure for figure in self.figures}[key]
        if figure is self._figure:
            return
        self._window = self._window if figure.table == self._figure.table else None
        self._figure = figure
        old, self.canvas = self.canvas, self._made_canvas()
        self._column.replaceWidget(old, self.canvas)
        old.hide()
        old.setParent(None)
        old.deleteLater()
        self.canvas.set_window(self._window)
        self.canvas.set_interacting(self._interacting)
        self._describe()
        self._stale = self._newest is not None
        if self.isVisible():
            self._catch_up()

    def image(self) -> QImage:
        """The panel as it is on screen."""
        self._catch_up()
        return self.grab().toImage()

    def needs(self) -> frozenset[str]:
        """Keys of the curves that a legend must name: those that do not wear their names themselves."""
        return frozenset(line_key(line) for line in lines_of(self._figure) if not line.named)

    def reading(self, x: float) -> list[tuple[str, Quantity, float]]:
        """Label, quantity and value of every shown curve at the sample nearest to x."""
        if self._newest is None:
            return []
        return [reading.row for reading in readings(self._figure, self._newest[0], self.hidden, x)]

    def _catch_up(self) -> None:
        if not self._stale or self._newest is None:
            return
        self._stale = False
        self.canvas.show_update(*self._newest)
        self._list_entries()

    def _list_entries(self) -> None:
        self.legend.set_entries(entries_of(self._figure, self.canvas.layers.present, self.canvas.coincident))

    def _describe(self) -> None:
        figure = self._figure
        self.header.show_figure(figure)
        self.caption.setText(figure.caption)
        self.caption.setToolTip(figure.caption)
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(figure.caption)

    def _made_canvas(self) -> Canvas:
        canvas = Canvas(self._figure, self.theme, self.parameters)
        canvas.set_hidden(self.hidden, self._pinned)
        canvas.parameter_dragged.connect(self.parameter_dragged)
        canvas.drag_finished.connect(self.drag_finished)
        canvas.view_changed.connect(self._view_moved)
        canvas.view_reset.connect(self._view_fitted)
        canvas.coincided.connect(self._list_entries)
        canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        canvas.customContextMenuRequested.connect(self._show_menu)
        return canvas

    # What a hand does

    def _view_moved(self, low: float, high: float) -> None:
        self._window = low, high
        self.view_changed.emit(self._figure.table, low, high)

    def _view_fitted(self) -> None:
        self._window = None
        self.view_reset.emit(self._figure.table)

    def _choose_by_hand(self, key: str) -> None:
        self.choose(key)
        self.figure_chosen.emit(key)

    def _hide_by_hand(self, keys: frozenset[str]) -> None:
        self.set_hidden(keys)
        self.hidden_changed.emit(keys)

    def menu(self) -> QMenu:
        """What can be done with this picture."""
        menu, key = QMenu(self), self._figure.key
        menu.addAction("Copy picture", lambda: self.copy_requested.emit("picture"))
        menu.addAction("Copy values", lambda: self.copy_requested.emit("values"))
        menu.addAction("Show values as table", lambda: self.values_requested.emit(key))
        menu.addAction("Export picture…", lambda: self.export_requested.emit(key))
        menu.addSeparator()
        menu.addAction("Enlarge", self.enlarge_requested.emit)
        menu.addAction("Fit", lambda: self.canvas.fit())
        return menu

    def _show_menu(self, point: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(point))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(480), self.theme.px(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(240), self.theme.px(150))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._catch_up()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        height = event.size().height() / self.theme.scale
        self.caption.setVisible(height >= ROOMY)
        self.legend.set_most_rows(2 if height >= TIGHT else 1)
        self.legend.setVisible(self._legend_wanted and height >= BARE)
