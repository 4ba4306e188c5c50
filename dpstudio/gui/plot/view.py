"""A panel of the window: one picture at a time of those that it can show, with title, legend and caption."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QImage, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Figure, Line
from dpstudio.core.results import Series, Span
from dpstudio.core.slow import hurried
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.in_view import left_out
from dpstudio.documents.noted import PictureNote
from dpstudio.gui.controls.style import in_column
from dpstudio.gui.plot.canvas import Canvas
from dpstudio.gui.plot.chips import Chips
from dpstudio.gui.plot.header import ElidedLabel, Header
from dpstudio.gui.plot.labels import DragTarget
from dpstudio.gui.plot.legend import Legend
from dpstudio.gui.plot.noting import Noting
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.scene.legend import LegendEntry, entries, names
from dpstudio.scene.scene import Pictured, Pinned, Scene, resolve
from dpstudio.text.language import tr
from dpstudio.vocabulary import Quantity, Value

HIGH, ROOMY, TIGHT, BARE = 380, 300, 200, 172
"""Heights in pixels: from the first there is room for a third row of legend and a second line of caption, from the
second for the caption; below the others for one row of legend, and none."""
SPOKEN = 420
"""Height from which on a picture of a study's page says its caption."""
TOLD, MOST = 3, 7
"""Lines of a caption that says what is found: always as many, and at most, where it needs more to say its end."""
PLOT = 150
"""Pixels that a plot keeps beside such a caption."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """What pictures show besides an answer."""

    pins: Sequence[Pinned] = ()
    """Answers whose curves are kept as faint references, the newest last."""
    published: bool = False
    """Whether the ε of deployments are marked on an x axis that is one."""
    targets: Sequence[DragTarget] = ()
    """Wanted values, to be dragged where they lie on an axis."""
    notes: Sequence[PictureNote] | None = None
    """What a person wrote on the study's pictures; None where nobody keeps any."""
    hidden: frozenset[str] = frozenset()
    """The keys of the series whose curves are hidden."""
    folded: frozenset[str] = frozenset()
    """The keys of the series that nobody shows besides what is seen first."""
    interacting: bool = False
    """Whether a hand moves something: the y range is held steady."""


class FigureView(QWidget):
    """Paints figures; one is current until another is chosen.

    Alone it has a title, a legend and a caption. On the page of a study its curves wear their names, chips or the list
    of pictures lead it, and of the legend stays what explains.
    """

    parameter_dragged = Signal(str, object)
    drag_finished = Signal(str)
    next_wanted = Signal(str, bool)
    """The next value of a whole parameter, of which the picture shows the draw; and whether the gesture ends with it.
    """
    view_changed = Signal(str, float, float)
    view_reset = Signal(str)
    hidden_changed = Signal(object)
    enlarge_requested = Signal()
    figure_chosen = Signal(str)
    copy_requested = Signal(str)
    export_requested = Signal(str)
    values_requested = Signal(str)
    picked = Signal(float, float)
    solve_requested = Signal(object)
    """The keys of a fact's quantity and series."""
    note_changed = Signal(object, object)
    """A text on a picture, and what it is to become; None where there was none, and where it goes."""

    def __init__(self, figures: Sequence[Figure], theme: Theme, parent: QWidget | None = None, *,
                 parameters: Mapping[str, Parameter] | None = None, kind: type[Study] | None = None,
                 chips: Chips | None = None, plot_alone: bool = False, key: str = "") -> None:
        """`kind` is the study on whose page it is; with `plot_alone` nothing stands around the plot.

        `key` says which figure is current, the first where it is empty; a KeyError says there is none.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.figures = tuple(figures)
        self.theme = theme
        self.parameters = parameters or {}
        self._figure = self._called(key or self.figures[0].key)
        self._newest: tuple[Pictured, Mapping[str, Value]] | None = None
        self._look = ViewState()
        self._window: Span | None = None
        self._lines = TOLD
        """Of the caption."""
        self._keys: tuple[QAction, ...] = ()
        self._stale = False
        """Whether there is something new that nobody could see yet."""

        self.kind, self.bare, self.chips, self._plot_alone = kind, kind is not None, chips, plot_alone
        first = (kind.level_one.large, *kind.level_one.beside) if kind is not None else ()
        self.header = Header(self.figures, theme, first=first, lead=chips, swaps=self.bare and chips is None)
        self.caption = ElidedLabel("muted")
        self.legend = Legend(theme)
        self.noting = Noting(self)
        self.canvas = self._made_canvas()
        self._column = in_column(self.header, self.caption, self.legend, (self.canvas, 1), within=self, gap=4,
                                 edges=(0, 0, 0, 0) if plot_alone else (12, 8, 8, 8))
        if plot_alone:
            self.header.hide()
            self.setStyleSheet("FigureView { border: none; }")
        self.header.chosen.connect(self.choose)
        self.header.chosen.connect(self.figure_chosen)
        self.header.fit_requested.connect(lambda: self.canvas.fit())
        self.header.enlarge_requested.connect(self.enlarge_requested)
        self.header.notes_requested.connect(self.noting.list_unseen)
        self.header.again_requested.connect(lambda: self.next_wanted.emit(self._figure.drawn_by, False))
        self.header.again_ended.connect(lambda: self.drag_finished.emit(self._figure.drawn_by))
        hidings = [self.legend.hidden_changed, *([chips.hidden_changed] if chips is not None else [])]
        for hiding in hidings:
            hiding.connect(lambda keys: self.look(hidden=keys))
            hiding.connect(self.hidden_changed)
        self._describe()

    # What is shown

    def current_figure(self) -> Figure:
        return self._figure

    def _called(self, key: str) -> Figure:
        return {figure.key: figure for figure in self.figures}[key]

    def show_update(self, update: Pictured, values: Mapping[str, Value]) -> None:
        """Paint an update, or remember it until somebody can see it."""
        self._newest = update, values
        self._refresh()

    @property
    def hidden(self) -> frozenset[str]:
        """The keys of the series whose curves are hidden."""
        return self._look.hidden

    def look(self, **changes: Any) -> None:
        """Look otherwise: what is named of `ViewState` changes, and the rest stays."""
        before, self._look = self._look, (now := replace(self._look, **changes))
        if now.targets != before.targets:
            self.canvas.set_targets(now.targets)
        if now.interacting != before.interacting:
            self.canvas.set_interacting(now.interacting)
            if self.bare and not now.interacting:
                self.list_entries()
        if now.hidden != before.hidden:
            self.legend.set_hidden(now.hidden)
            if self.chips is not None:
                self.chips.hidden = now.hidden
        noted = now.notes != before.notes and any(
            note.figure == self._figure.key for note in (*(before.notes or ()), *(now.notes or ())))
        if noted or (now.pins, now.published, now.hidden, now.folded) != (
                before.pins, before.published, before.hidden, before.folded):
            self._refresh()

    def set_view(self, window: Span | None) -> None:
        """Show this stretch of x, or the natural one; a hand's own, just moved to and not told of yet, stays."""
        if window != self._window and not self.canvas.reporting:
            self._window = window
            self._refresh()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.header.set_theme(theme)
        self.legend.set_theme(theme)
        self.canvas.set_theme(theme)
        if self.chips is not None:
            self.chips.set_theme(theme)

    def choose(self, key: str) -> None:
        """Show another figure of this panel; a KeyError says there is none."""
        figure = self._called(key)
        if figure is self._figure:
            return
        self.canvas.settle()
        self._window = self._window if figure.table == self._figure.table else None
        self._figure = figure
        old, self.canvas = self.canvas, self._made_canvas()
        self._column.replaceWidget(old, self.canvas)
        old.hide()
        old.setParent(None)
        old.deleteLater()
        self.canvas.set_interacting(self._look.interacting)
        self._lines = TOLD
        self._describe()
        self._give_lines()
        self._refresh()

    def image(self) -> QImage:
        """The panel as it is on screen."""
        self._catch_up()
        return self.grab().toImage()

    @property
    def noted(self) -> Sequence[PictureNote] | None:
        """What a person wrote on the study's pictures; None where nobody keeps any."""
        return self._look.notes

    def _scene(self) -> Scene | None:
        if self._newest is None:
            return None
        with hurried():  # what takes longer is on its way
            unseen = left_out(self._figure, self.kind, self._look.folded) if self.kind else frozenset()
            unseen -= {pin.only or "" for pin in self._look.pins}  # who pins a curve wants to see it
            return resolve(self._figure, *self._newest, self.parameters, view=self._window, hidden=self.hidden | unseen,
                           pins=self._look.pins, before=self.canvas.scene_, notes=self._look.notes or (),
                           with_published=self._look.published)

    def _refresh(self) -> None:
        self._stale = True
        if self.isVisible():
            self._catch_up()

    def _catch_up(self) -> None:
        if not self._stale or (scene := self._scene()) is None:
            return
        self._stale = False
        self._say(scene.told)
        self.canvas.show_scene(scene)
        self.list_entries()

    def list_chips(self) -> None:
        """Bring the chips up to date."""
        if self.chips is not None and self.canvas.scene_ is not None:
            self.chips.folded = self._look.folded
            self.chips.show_scene(self.canvas.scene_, self.canvas.coincident)

    def list_entries(self) -> None:
        """Bring the legend up to date; where it cannot say all, the curves wear their names."""
        if (scene := self.canvas.scene_) is None:
            return
        height, coincident = self.height() / self.theme.scale, self.canvas.coincident
        if self.bare:
            self.canvas.name_curves(True)
            if self._look.interacting:  # chips are read, and what explains stays, while a hand moves something
                return
            self.list_chips()
            there = {chip.series.key for chip in self.chips.entries} if self.chips is not None else ()
            said = tuple(each for each in _unnamed(scene, coincident) if each.key not in there)
            told = self.chips is not None and self.chips.explain(said)
            self.legend.set_entries(() if told else said)
            self.legend.setVisible(bool(said) and not told and height >= TIGHT and not self._plot_alone)
            return
        self.legend.set_entries(entries(scene, coincident, hidden=True))
        self.legend.setVisible(self.legend.whole or height >= ROOMY)
        self.canvas.name_curves(not self.legend.whole)

    def _describe(self) -> None:
        figure = self._figure
        self.header.show_figure(figure)
        self.setAccessibleName(tr(figure.title))
        self._say(tr(figure.caption))

    def _give_lines(self) -> None:
        """Room for the caption: for one that says what is found as much as it ever needed at this size, so that the
        plot keeps its height while a hand moves something."""
        if self._figure.told is not None:
            line = self.caption.fontMetrics().lineSpacing()
            free = self.height() - self.header.height() - self.legend.height() - self.theme.px(PLOT)
            most = max(TOLD, min(MOST, free // line))
            self._lines = min(max(self._lines, self.caption.wanted(most)), most)
            self.caption.set_most(most, self._lines)
        else:
            self.caption.set_most(2 if self.height() / self.theme.scale >= HIGH else 1)

    def _say(self, words: str) -> None:
        """What is seen, as the caption and to screen readers."""
        if words != self.accessibleDescription():
            self.caption.setText(foreign.together(words))
            self._give_lines()
            self.caption.setToolTip(words)
            self.header.say(words)
            self.setAccessibleDescription(words)

    def take_keys(self, commands: Sequence[QAction]) -> None:
        """Let these be done by their keys while the picture has the keyboard."""
        self._keys = tuple(commands)
        self.canvas.addActions(self._keys)

    def _made_canvas(self) -> Canvas:
        canvas = Canvas(self._figure, self.theme, self.parameters)
        canvas.addActions(self._keys)
        canvas.set_targets(self._look.targets)
        for item in (canvas.marks, canvas.caps):
            item.dragged.connect(self.parameter_dragged)
            item.drag_finished.connect(self.drag_finished)
        canvas.picked.connect(self.picked)
        canvas.moved.connect(self._view_moved)
        table = self._figure.table
        canvas.view_changed.connect(lambda *window: self.view_changed.emit(table, *window))
        canvas.view_reset.connect(self._view_fitted)
        canvas.again_wanted.connect(self.draw_again)
        canvas.coincided.connect(self.list_entries)
        canvas.notes_told.connect(self.noting.tell)
        canvas.note_wanted.connect(self.noting.write)
        canvas.note_removed.connect(lambda note: self.note_changed.emit(note, None))
        canvas.notes.moved.connect(lambda note, x, y: self.note_changed.emit(note, replace(note, at=(x, y))))
        canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        canvas.customContextMenuRequested.connect(self._show_menu)
        return canvas

    # What a hand does

    def draw_again(self) -> None:
        """Show another draw of what the picture shows one of."""
        self.next_wanted.emit(self._figure.drawn_by, True)

    def _view_moved(self, low: float, high: float) -> None:
        self._window = low, high

    def _view_fitted(self) -> None:
        self._window = None
        self._refresh()
        self.view_reset.emit(self._figure.table)

    def menu(self, point: QPoint | None = None) -> QMenu:
        """What can be done with this picture, or with what stands at a point of it."""
        menu, key = QMenu(self), self._figure.key
        for place, words in self._facts_at(point):
            menu.addAction(tr("Want {words}…", words=words), partial(self.solve_requested.emit, place))
        self.canvas.caps.offer(menu, self.canvas.at(point))
        self.noting.offer(menu, point)
        if self._figure.drawn_by:
            menu.addAction(tr("Draw again"), self.draw_again)
        menu.addSeparator()
        menu.addAction(tr("Copy picture"), lambda: self.copy_requested.emit("picture"))
        menu.addAction(tr("Copy values"), lambda: self.copy_requested.emit("values"))
        menu.addAction(tr("Numbers of this picture"), lambda: self.values_requested.emit(key))
        menu.addAction(tr("Export picture…"), lambda: self.export_requested.emit(key))
        menu.addSeparator()
        menu.addAction(tr("Enlarge"), self.enlarge_requested.emit)
        menu.addAction(tr("Fit axes"), lambda: self.canvas.fit())
        return menu

    # What stands there

    def _facts_at(self, point: QPoint | None) -> list[tuple[tuple[str, str | None], str]]:
        """The facts of the study that stand at a point, with their words, or else the first that the picture draws."""
        source = self._newest[0] if self._newest else None
        if point is None or not isinstance(source, Update):
            return []
        canvas, index = self.canvas, source.answer.index()

        def known(quantity: Quantity, series: Series | None) -> Iterator[tuple[tuple[str, str | None], str]]:
            if (place := (quantity.key, series.key if series else None)) in index:
                label = tr(quantity.label)
                yield place, f"{label} ({tr(series.label)})" if series else label

        here = canvas.facts_at(canvas.at(point))
        drawn = [(layer.y.quantity, layer.y.series) for layer in self._figure.layers if isinstance(layer, Line)]
        return [fact for each in here for fact in known(*each)] or [fact for each in drawn for fact in known(*each)][:1]

    def _show_menu(self, point: QPoint) -> None:
        menu = self.menu(point)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.canvas.mapToGlobal(point))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(480), self.theme.px(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(240), self.theme.px(150))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = event.size().height() / self.theme.scale
        self._lines = TOLD
        self.caption.setVisible(height >= (SPOKEN if self.bare else ROOMY) and not self._plot_alone)
        self._give_lines()
        margins = self._column.contentsMargins()
        self.legend.set_room(event.size().width() - margins.left() - margins.right(),
                             sum(height >= each for each in (HIGH, TIGHT, BARE)), brief=height < ROOMY)
        self.list_entries()


def _unnamed(scene: Scene, coincident: Mapping[str, str]) -> Iterator[LegendEntry]:
    """What of a legend no name on the picture says: what explains, and what wears none."""
    worn = {*coincident, *(name.part.key for name in names(scene, coincident, curves=True))}
    yield from (entry for entry in entries(scene, coincident) if entry.key not in worn and not entry.faint)
