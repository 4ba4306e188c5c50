"""The pictures of a study: one large, one beside it, and the facts; or one alone, where there is no more room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Span
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.in_view import FACTS, in_view
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.style import in_column
from dpstudio.gui.page.cards import FactsCard
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.chips import Chips
from dpstudio.gui.plot.view import ViewState
from dpstudio.gui.shell.theme import Theme

PICTURE, BESIDE, PERSON = "picture", "beside", "person"
PANELS = (PICTURE, BESIDE, FACTS, PERSON)
"""What is seen one at a time where there is no more room."""
LOWER, LOWEST = 4 / 9, 350
"""Part of the height that the lower row has, and the most pixels of it at normal size of type."""
SHARES = 10, 11
"""Of the lower row's width: the picture beside, and the facts."""
LARGE = 226
"""Pixels of height that the large picture keeps, at normal size of type."""
BOTH = 620
"""Width in which picture and facts stand side by side, at normal size of type."""
FACTS_ALONE = 1300
"""Width below which all facts take the place of the picture beside them."""
NARROWEST = 300
"""Width of a picture that can be read, at normal size of type."""


class Pictures(QWidget):
    """Two pictures of a study and the facts, as the session says; a hand chooses which, and what is decided for."""

    enlarged = Signal(bool)
    hidden_changed = Signal(object)
    """A hand chose which curves are hidden: their keys."""
    curve_wanted = Signal(str)
    """A hand shows the first of the further curves: its key."""
    seen = Signal(str, str)
    """A hand chose what is in view: the keys of the large picture and of the one beside it."""
    plan_wanted = Signal(str)
    """A hand adds a series to the plan: its key."""
    decided = Signal(object)
    """A hand decided for a series, by its key, or took that back."""
    rearranged = Signal()
    """Other pictures may be in sight."""

    def __init__(self, study_class: type[Study], facts: FactsCard, theme: Theme, made: Callable[[FigureView], None],
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.study_class, self._facts, self._theme = study_class, facts, theme
        self._latest: tuple[Update, Study, Mapping[str, Span]] | None = None
        self._look = ViewState(notes=())
        self._enlarged: FigureView | None = None
        self._alone = ""
        """Which panel has all the room, where there is no more."""
        self._all_facts = False
        self._told: frozenset[str] = frozenset()
        """The tables of which it was said that they are seen."""
        self._by_hand: list[int] = []
        """Heights that a hand divided the column into."""
        self._person: QWidget | None = None
        self.chips = Chips(theme, study_class.level_one.series)
        self.chips.decided.connect(self.decided)
        self.chips.plan_wanted.connect(self.plan_wanted)
        self.chips.shown_changed.connect(lambda keys: self.curve_wanted.emit(next(iter(keys))))
        self._row = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self._column = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        in_column(self._column, within=self)
        self._in_view = in_view(study_class, {})
        """The keys of the large picture and of the one beside it."""
        parameters = study_class.by_name()
        self.large, self.beside = (
            FigureView(study_class.figures, theme, parameters=parameters, kind=study_class, chips=chips, key=key)
            for key, chips in zip(self._in_view, (self.chips, None), strict=True))
        self._column.addWidget(self.large)
        self._column.addWidget(self._row)
        self._row.addWidget(self.beside)
        self._row.addWidget(facts)
        facts.show()
        facts.facts.fitted.connect(self._share, Qt.ConnectionType.QueuedConnection)
        for view in self.views:
            view.enlarge_requested.connect(self.swap if view is self.beside else self.toggle_enlarged)
            view.hidden_changed.connect(self.hidden_changed)
            view.figure_chosen.connect(lambda key, view=view: self._chosen(view, key))
            made(view)
        self._column.setStretchFactor(0, 1)
        self._column.splitterMoved.connect(self._keep)
        self._row.setSizes([100 * share for share in SHARES])
        self.set_theme(theme)

    # What is shown

    @property
    def views(self) -> tuple[FigureView, FigureView]:
        return self.large, self.beside

    def show_update(self, update: Update, study: Study, windows: Mapping[str, Span]) -> None:
        if type(study) is not self.study_class:
            return
        self._latest = update, study, windows
        for view in self.views:
            self._show_latest(view)

    def show_suggested(self, update: Update) -> None:
        """Say on a chip what the headline recommends."""
        with hurried():
            try:
                found = update.answer.suggested
            except NotYet:
                return
        self.chips.suggested = found.key if found else ""
        self.large.list_chips()

    def settle(self) -> None:
        """Report at once what is yet to be told: the pictures of another study take the place of these."""
        for view in self.views:
            view.canvas.settle()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for view in self.views:
            view.set_theme(theme)
        for splitter in (self._row, self._column):
            splitter.setHandleWidth(theme.px(8))
        self.fit()

    @property
    def hidden(self) -> frozenset[str]:
        """The keys of the series whose curves are hidden."""
        return self._look.hidden

    def look(self, **changes: Any) -> None:
        """Let both pictures look otherwise: what is named of `ViewState` changes, and the rest stays."""
        self._look = replace(self._look, **changes)
        for view in self.views:
            view.look(**changes)

    def show_state(self, state: StudyState) -> None:
        """Show the pictures, curves and notes that the session says."""
        if type(state.setting.study) is not self.study_class:  # others are about to take their place
            return
        self._in_view = state.in_view
        for view, key in zip(self.views, self._in_view, strict=True):
            if view.current_figure().key != key:
                view.choose(key)
                self._show_latest(view)
        self.look(notes=state.picture_notes, hidden=state.hidden, folded=state.folded)
        if self._all_facts is not (FACTS in state.opened):
            self._all_facts = FACTS in state.opened
            self.fit()
        self._tell()

    def tables_in_sight(self) -> frozenset[str]:
        """The tables whose pictures are seen."""
        return frozenset(view.current_figure().table for view in self.views if view.isVisible())

    def facts_in_sight(self) -> frozenset[tuple[str, str | None]]:
        """Where the facts stand that mark a picture which is seen."""
        figures = [view.current_figure() for view in self.views if view.isVisible()]
        return frozenset((quantity.key, series.key if series else None) for figure in figures
                         for quantity, series in figure.facts())

    def picture(self) -> FigureView:
        """The picture a person means: the enlarged one, the one with the keyboard, else the large one."""
        if self._enlarged is not None:
            return self._enlarged
        focused = self.focusWidget()
        if self.beside.isVisible() and (self.large.isHidden() or (
                focused is not None and self.beside.isAncestorOf(focused))):
            return self.beside
        return self.large

    def figure(self) -> Figure:
        return self.picture().current_figure()

    def bring(self, key: str) -> FigureView:
        """The view of a picture, which comes beside the large one unless it is in view."""
        if key not in self._in_view:
            self.seen.emit(self._in_view[0], key)
        return self.large if key == self._in_view[0] else self.beside

    def step(self) -> None:
        """The next picture of the list beside the large one."""
        if self.beside.header.titles is not None:
            self.beside.header.titles.step()

    def swap(self) -> None:
        """Exchange the two pictures."""
        self.seen.emit(*reversed(self._in_view))

    # How they stand

    def enlarge(self, view: FigureView | None) -> None:
        """Let one picture fill the place, or bring the others back."""
        self._enlarged = view
        self.large.header.list_pictures(view is self.large)
        self.fit()
        self.enlarged.emit(view is not None)

    def is_enlarged(self) -> bool:
        return self._enlarged is not None

    def toggle_enlarged(self) -> None:
        self.enlarge(self.picture() if self._enlarged is None else None)

    def stand_alone(self, panel: str, person: QWidget | None = None) -> None:
        """Let one panel have all the room, or all stand side by side where none is named; `person` is another's."""
        if person is not self._person:
            self._person = person
            if person is not None:
                self._row.addWidget(person)
        self._alone = panel
        self.fit()

    @property
    def alone(self) -> str:
        return self._alone

    def fit(self) -> None:
        """Show as much as there is room for, or what stands alone."""
        large, beside, facts, person = self._visible()
        self.large.setVisible(large)
        self.beside.setVisible(beside)
        self._facts.setVisible(facts)
        if self._person is not None:
            self._person.setVisible(person)
        self._row.setVisible(beside or facts or person)
        self._share()
        self._tell()

    def _tell(self) -> None:
        """Say that other tables are seen, where they are."""
        if (seen := self.tables_in_sight()) != self._told:
            self._told = seen
            self.rearranged.emit()

    def _visible(self) -> tuple[bool, bool, bool, bool]:
        if self._enlarged is not None:
            return self._enlarged is self.large, self._enlarged is self.beside, False, False
        if self._alone:
            return tuple(self._alone == panel for panel in PANELS)  # type: ignore[return-value]
        room = self.width() / self._theme.scale
        alone = len(set(self._in_view)) == 1
        both = room >= BOTH and not (self._all_facts and room < FACTS_ALONE)
        return True, both and not alone, True, False

    def _share(self) -> None:
        """Share the height out, unless a hand did."""
        if not self._row.isVisibleTo(self) or not self.large.isVisibleTo(self):
            return
        high = self._column.height() - self._column.handleWidth()
        lower = min(round(LOWER * high), self._theme.px(LOWEST))
        if not self._all_facts and self._facts.isVisibleTo(self):  # which are seen whole, where the large one allows
            lower = max(lower, min(self._facts.needed(), high - self._theme.px(LARGE)))
        wanted = self._by_hand if len(self._by_hand) == 2 else [high - lower, lower]
        if self._column.sizes() != wanted:
            self._column.setSizes(wanted)

    def _keep(self) -> None:
        self._by_hand = self._column.sizes()

    def panes(self) -> Iterator[QWidget]:
        """What the keyboard walks through."""
        yield self.large.canvas
        yield self.beside.canvas

    # What is remembered

    def state(self) -> dict[str, Any]:
        """How they stand, as plain values: heights only where a hand chose them."""
        return {"column": self._by_hand, "row": self._row.sizes()[:2]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Stand as remembered; raises where that makes no sense."""
        self._by_hand = [int(size) for size in state["column"]]
        self._row.setSizes([int(size) for size in state["row"]])
        self._share()

    def minimumSizeHint(self) -> QSize:
        """As narrow as one picture: the others give way, and never make the window wider."""
        return QSize(self._theme.px(NARROWEST), self._theme.px(180))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    # What a hand does

    def _chosen(self, view: FigureView, key: str) -> None:
        """A picture stands in one place only: choosing the other one's exchanges the two."""
        large, beside = self._in_view
        if view is self.large:
            self.seen.emit(key, large if key == beside else beside)
        else:
            self.seen.emit(beside if key == large else large, key)

    def _show_latest(self, view: FigureView) -> None:
        if self._latest is not None:
            update, study, windows = self._latest
            view.set_view(windows.get(view.current_figure().table))
            view.show_update(update, study.values())
