"""How the pictures stand: the first large, below it a row of slots that each show one panel of choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.style import in_column
from dpstudio.gui.pictures.slot import Slot, choose_tabs, dress_tabs, mark_tab, panel_tabs, titled
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.view import ViewState
from dpstudio.gui.shell.theme import Theme

SLOTS = 3
SHARES = (2, 2, 3)
"""Of the row's width; the facts, which stand last, need more."""
_ORDER = {1: (0,), 2: (0, 2), 3: (0, 1, 2)}
"""Which slots are shown where there is room for so many: the last one, with the facts, before the middle one."""
_ROOM = {3: 1180, 2: 620}
"""Width that so many slots want, at normal size of type."""
NARROWEST = 300
"""Width of a picture that can be read, at normal size of type."""
_BOTH = 520
"""Height that the large picture and a row below it want in presentation mode, at normal size of type."""


class Arrangement(QWidget):
    """Pictures of a study and other panels; a panel stands in one place only, so choosing it again swaps two."""

    enlarged = Signal(bool)
    hidden_changed = Signal(object)
    """A hand chose which curves are hidden: their keys."""
    figure_chosen = Signal(str, str)
    """A hand chose a figure: its place and its key."""
    rearranged = Signal()
    """Other pictures may be in sight."""

    def __init__(self, study_class: type[Study], others: Mapping[str, QWidget], theme: Theme,
                 made: Callable[[FigureView], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._others = others
        self._theme = theme
        self._made = made
        self._views: dict[str, FigureView] = {}
        self._latest: tuple[Update, Study, Mapping[str, Span]] | None = None
        self._look = ViewState(notes=())
        self._figures: Mapping[str, str] = {}
        """The chosen figures by their places."""
        self._large: FigureView | None = None
        self._sizes: list[int] = []
        """Heights to return to after presentation mode or an enlarged picture."""
        self._study_class = study_class
        self._place = ""
        """The panel that is shown alone, in presentation mode where there is no room for a row below."""
        self.tabs = panel_tabs("Which picture is shown")
        self.tabs.currentChanged.connect(lambda index: self._show_alone(self.tabs.tabData(index)))

        self._row = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.slots_ = tuple(Slot(theme) for _ in range(SLOTS))
        for slot in self.slots_:
            slot.chosen.connect(lambda place, slot=slot: self._choose(slot, place))
            self._row.addWidget(slot)
        for slot, share in zip(self.slots_, SHARES, strict=True):
            self._row.setStretchFactor(self._row.indexOf(slot), share)
        self._column = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        in_column(self.tabs, self._column, within=self, gap=0)
        self._column.addWidget(self._row)
        self._build(study_class)

    # What is shown

    def show_update(self, update: Update, study: Study, windows: Mapping[str, Span]) -> None:
        if type(study) is not self._study_class:
            return
        self._latest = update, study, windows
        for view in self._views.values():
            self._show_latest(view)

    def settle(self) -> None:
        """Report at once what is yet to be told: the pictures of another study take the place of these."""
        for view in self._views.values():
            view.canvas.settle()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for slot in self.slots_:
            slot.set_theme(theme)
        for view in self._views.values():
            view.set_theme(theme)
        for splitter in (self._row, self._column):
            splitter.setHandleWidth(theme.px(8))
        dress_tabs(self.tabs, theme)
        self.view(self._places[0]).setMinimumHeight(theme.px(190))
        self._row.setMinimumHeight(theme.px(180))
        if theme.scale != 1:
            self._sizes = self._sizes or self._column.sizes()
            self._column.setSizes([1500, 1000])  # large type wants a large picture
        elif self._sizes:
            self._column.setSizes(self._sizes)
            self._sizes = []
        self._fit()

    @property
    def hidden(self) -> frozenset[str]:
        """The keys of the series whose curves are hidden."""
        return self._look.hidden

    def look(self, **changes: Any) -> None:
        """Let every picture look otherwise: what is named of `ViewState` changes, and the rest stays."""
        self._look = replace(self._look, **changes)
        for view in self._views.values():
            view.look(**changes)

    def show_state(self, state: StudyState) -> None:
        """Hide the curves and show the figures and notes that the session says."""
        self._figures = state.figures
        self.look(notes=state.picture_notes, hidden=state.hidden)
        for place, key in state.figures.items():
            view = self._views.get(place)
            if view is not None and view.current_figure().key != key and key in {each.key for each in view.figures}:
                view.choose(key)
                self._show_latest(view)

    def tables_in_sight(self) -> frozenset[str]:
        """The tables whose pictures are seen."""
        return frozenset(view.current_figure().table for view in self._views.values() if view.isVisible())

    def facts_in_sight(self) -> frozenset[tuple[str, str | None]]:
        """Where the facts stand that mark a picture which is seen."""
        figures = [view.current_figure() for view in self._views.values() if view.isVisible()]
        return frozenset((quantity.key, series.key if series else None) for figure in figures
                         for quantity, series in figure.facts())

    @property
    def views(self) -> tuple[FigureView, ...]:
        """The pictures that were looked at so far."""
        return tuple(self._views.values())

    def view(self, place: str) -> FigureView:
        """The pictures of a place, made when they are first looked at."""
        if place not in self._views:
            figures = [figure for figure in self._study_class.figures if figure.place == place]
            parameters = {parameter.name: parameter for parameter in self._study_class.parameters()}
            view = FigureView(figures, self._theme, self, parameters=parameters)
            self._views[place] = view
            view.enlarge_requested.connect(lambda: self.enlarge(None if self._large is view else view))
            view.hidden_changed.connect(self.hidden_changed)
            view.figure_chosen.connect(lambda _: self._show_latest(view))
            view.figure_chosen.connect(lambda key: self.figure_chosen.emit(place, key))
            view.look(**{each.name: getattr(self._look, each.name) for each in fields(ViewState)})
            if place in self._figures:
                view.choose(self._figures[place])
            self._show_latest(view)
            self._made(view)
        return self._views[place]

    def picture(self) -> FigureView:
        """The picture a person means: the enlarged one, the one with the keyboard, else the large one."""
        if self._large is not None:
            return self._large
        if self._alone():
            return self._views.get(self._place) or self.view(self._places[0])
        focused = self.focusWidget()
        for view in self._views.values():
            if focused is not None and view.isAncestorOf(focused):
                return view
        return self.view(self._places[0])

    def figure(self) -> Figure:
        return self.picture().current_figure()

    def show_panel(self, place: str) -> None:
        """Bring a panel into the last slot in view, unless it is in view."""
        self.enlarge(None)
        if self._alone():
            self._show_alone(place)
        elif all(slot.isHidden() or slot.place != place for slot in self.slots_):
            self._choose(next(slot for slot in reversed(self.slots_) if not slot.isHidden()), place)

    def enlarge(self, view: FigureView | None) -> None:
        """Let one picture fill the centre, or bring the others back."""
        if view is not None and self._large is None:
            self._sizes = self._sizes or self._column.sizes()
        self._large = view
        self._fit()
        if view is None and self._sizes and self._theme.scale == 1:
            self._column.setSizes(self._sizes)
            self._sizes = []
        self.enlarged.emit(view is not None)

    def is_enlarged(self) -> bool:
        return self._large is not None

    def toggle_enlarged(self) -> None:
        self.enlarge(self.picture() if self._large is None else None)

    def panes(self) -> Iterator[QWidget]:
        """What the keyboard walks through."""
        yield self.picture().canvas
        yield self.tabs
        yield from (slot.tabs for slot in self.slots_ if not slot.isHidden())

    # What is remembered

    def state(self) -> dict[str, Any]:
        """How the pictures stand, as plain values."""
        return {"column": self._sizes or self._column.sizes(), "places": [slot.place for slot in self.slots_]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Stand as remembered, as far as it still makes sense; raises where it makes none."""
        places, known = state["places"], set(self._places[1:]) | set(self._others)
        if len(places) == SLOTS == len(set(places) & known):
            for slot, place in zip(self.slots_, places, strict=True):
                self._put(slot, place)
        self._column.setSizes([int(size) for size in state["column"]])

    def minimumSizeHint(self) -> QSize:
        """As narrow as one picture: the others give way, and never make the window wider."""
        return QSize(self._theme.px(NARROWEST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _build(self, study_class: type[Study]) -> None:
        self._places = list(dict.fromkeys(figure.place for figure in study_class.figures))
        titles = {place: titled(place) for place in [*self._places[1:], *self._others]}
        self._column.insertWidget(0, self.view(self._places[0]))
        self._column.setStretchFactor(0, 3)
        self._column.setStretchFactor(1, 2)
        self._column.setSizes([545, 455])
        self._row.setSizes([200 * share for share in SHARES])
        choose_tabs(self.tabs, {self._places[0]: titled(self._places[0])} | titles)
        self._place = self._places[0]
        first = [*self._places[1:3], *self._others]
        for slot, place in zip(self.slots_, [*first, *self._places[3:]], strict=False):
            slot.set_choices(titles)
            self._put(slot, place)
        self.set_theme(self._theme)

    def _choose(self, slot: Slot, place: str) -> None:
        other = next((each for each in self.slots_ if each is not slot and each.place == place), None)
        before = slot.place
        self._put(slot, place)
        if other is not None and before is not None:
            self._put(other, before)

    def _alone(self) -> bool:
        """Whether large type leaves room for one panel at a time only."""
        return self._theme.scale != 1 and self.height() / self._theme.scale < _BOTH

    def _show_alone(self, place: str) -> None:
        """Let one panel have all the room."""
        if place != self._places[0] and all(slot.place != place for slot in self.slots_):
            self._choose(self.slots_[0], place)
        self._place = place
        self._fit()

    def _put(self, slot: Slot, place: str) -> None:
        for other in self.slots_:
            if other is not slot and other.place == place:
                other.take()
        if slot.place != place:
            slot.keep(place)
        if place in self._others or not slot.isHidden():
            slot.put(self._panel(place))

    def _panel(self, place: str) -> QWidget:
        return self._others[place] if place in self._others else self.view(place)

    def _show_latest(self, view: FigureView) -> None:
        if self._latest is not None:
            update, study, windows = self._latest
            view.set_view(windows.get(view.current_figure().table))
            view.show_update(update, study.values())

    def _fit(self) -> None:
        """Show as many slots as there is room for, or the enlarged picture alone."""
        top, large, alone = self.view(self._places[0]), self._large, self._large is None and self._alone()
        room = self.width() / self._theme.scale
        count = next((count for count, wanted in _ROOM.items() if room >= wanted), 1)
        first = self._place == self._places[0]
        top.setVisible(first if alone else large in (None, top))
        self._row.setVisible(not first if alone else large is not top)
        for i, slot in enumerate(self.slots_):
            if alone:
                shown = slot.place == self._place
            else:
                shown = i in _ORDER[count] if large is None else self._views.get(slot.place or "") is large
            if shown and slot.place is not None:
                slot.put(self._panel(slot.place))
            slot.setVisible(shown and slot.place is not None)
            slot.tabs.setVisible(not (alone or large is not None))
        self.tabs.setVisible(alone)
        if alone:
            mark_tab(self.tabs, self._place)
        self.rearranged.emit()
