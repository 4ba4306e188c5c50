"""How the pictures stand: the first large, below it a row of slots that each show one panel of choice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Update, Window
from dpstudio.core.study import Study
from dpstudio.gui.plot import FigureView
from dpstudio.gui.slot import Slot
from dpstudio.gui.theme import Theme

SLOTS = 3
SHARES = (2, 2, 3)
"""Of the row's width; the facts, which stand last, need more."""
_ORDER = {1: (0,), 2: (0, 2), 3: (0, 1, 2)}
"""Which slots are shown where there is room for so many: the last one, with the facts, before the middle one."""
_ROOM = {3: 1180, 2: 620}
"""Width that so many slots want, at normal size of type."""


class Arrangement(QWidget):
    """Pictures of a study and other panels; a panel stands in one place only, so choosing it again swaps two."""

    enlarged = Signal(bool)

    def __init__(self, study_class: type[Study], others: Mapping[str, QWidget], theme: Theme,
                 made: Callable[[FigureView], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._others = others
        self._theme = theme
        self._made = made
        self._views: dict[str, FigureView] = {}
        self._latest: tuple[Update, Study, Mapping[str, Window]] | None = None
        self._pinned: tuple[Update, Study] | None = None
        self._hidden: frozenset[str] = frozenset()
        self._interacting = False
        self._large: FigureView | None = None
        self._study_class = study_class

        self._row = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.slots_ = tuple(Slot(theme) for _ in range(SLOTS))
        for slot in self.slots_:
            slot.chosen.connect(lambda place, slot=slot: self._choose(slot, place))
            self._row.addWidget(slot)
        for slot, share in zip(self.slots_, SHARES, strict=True):
            self._row.setStretchFactor(self._row.indexOf(slot), share)
        self._column = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._column)
        self._column.addWidget(self._row)
        self._build(study_class)

    # What is shown

    def show_update(self, update: Update, study: Study, windows: Mapping[str, Window]) -> None:
        if type(study) is not self._study_class:
            return
        self._latest = update, study, windows
        values = study.values()
        for view in self._views.values():
            view.set_view(windows.get(view.current_figure().table))
            view.show_update(update, values)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for slot in self.slots_:
            slot.set_theme(theme)
        for view in self._views.values():
            view.set_theme(theme)
        for splitter in (self._row, self._column):
            splitter.setHandleWidth(theme.px(8))
        self._fit()

    def set_interacting(self, interacting: bool) -> None:
        self._interacting = interacting
        for view in self._views.values():
            view.set_interacting(interacting)

    def set_pinned(self, pinned: tuple[Update, Study] | None) -> None:
        self._pinned = pinned
        for view in self._views.values():
            self._pin(view)

    def set_hidden(self, keys: frozenset[str]) -> None:
        self._hidden = keys
        for view in self._views.values():
            if view.hidden != keys:
                view.set_hidden(keys)

    @property
    def views(self) -> tuple[FigureView, ...]:
        """The pictures that were looked at so far."""
        return tuple(self._views.values())

    @property
    def hidden(self) -> frozenset[str]:
        return self._hidden

    def view(self, place: str) -> FigureView:
        """The pictures of a place, made when they are first looked at."""
        if place not in self._views:
            figures = [figure for figure in self._study_class.figures if figure.place == place]
            parameters = {parameter.name: parameter for parameter in self._study_class.parameters()}
            view = FigureView(figures, self._theme, self, parameters=parameters)
            self._views[place] = view
            view.enlarge_requested.connect(lambda: self.enlarge(None if self._large is view else view))
            view.hidden_changed.connect(self.set_hidden)
            view.figure_chosen.connect(lambda _: self._show_latest(view))
            view.set_hidden(self._hidden)
            view.set_interacting(self._interacting)
            self._pin(view)
            self._show_latest(view)
            self._made(view)
        return self._views[place]

    def picture(self) -> FigureView:
        """The picture a person means: the enlarged one, the one with the keyboard, else the large one."""
        focused = self.focusWidget()
        for view in self._views.values():
            if view is self._large or (self._large is None and focused is not None and view.isAncestorOf(focused)):
                return view
        return self.view(self._places[0])

    def figure(self) -> Figure:
        return self.picture().current_figure()

    def show_panel(self, place: str) -> None:
        """Bring a panel into the last slot in view, unless it is in view."""
        self.enlarge(None)
        if all(slot.isHidden() or slot.place != place for slot in self.slots_):
            self._choose(next(slot for slot in reversed(self.slots_) if not slot.isHidden()), place)

    def enlarge(self, view: FigureView | None) -> None:
        """Let one picture fill the centre, or bring the others back."""
        self._large = view
        top = self.view(self._places[0])
        top.setVisible(view is None or view is top)
        self._row.setVisible(view is not top)
        self._fit()
        for slot in self.slots_:
            slot.set_bare(view is not None)
            if view is not None and view is not top:
                slot.setVisible(slot.place is not None and self._views.get(slot.place) is view)
        self.enlarged.emit(view is not None)

    @property
    def is_enlarged(self) -> bool:
        return self._large is not None

    def panes(self) -> Iterator[QWidget]:
        """What the keyboard walks through."""
        yield self.view(self._places[0]).canvas
        yield from (slot.tabs for slot in self.slots_ if not slot.isHidden())

    # What is remembered

    def state(self) -> str:
        return json.dumps({
            "column": self._column.sizes() if not self._large else None,
            "places": [slot.place for slot in self.slots_],
            "figures": {place: view.current_figure().key for place, view in self._views.items()},
        })

    def restore(self, text: str) -> None:
        """Stand as remembered, as far as it still makes sense."""
        try:
            state: Any = json.loads(text)
            places, figures, column = state["places"], state["figures"], state["column"]
            known = set(self._places[1:]) | set(self._others)
            if len(places) == SLOTS and set(places) <= known and len(set(places)) == SLOTS:
                for slot, place in zip(self.slots_, places, strict=True):
                    self._put(slot, place)
            for place, key in figures.items():
                if place in self._places and key in {each.key for each in self.view(place).figures}:
                    self.view(place).choose(key)
            if column and len(column) == 2:
                self._column.setSizes([int(size) for size in column])
        except (ValueError, KeyError, TypeError, AttributeError):
            return  # a remembered layout is a convenience, never a reason to fail

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _build(self, study_class: type[Study]) -> None:
        self._places = list(dict.fromkeys(figure.place for figure in study_class.figures))
        titles = {place: titled(place) for place in [*self._places[1:], *self._others]}
        self._column.insertWidget(0, self.view(self._places[0]))
        self._column.setStretchFactor(0, 3)
        self._column.setStretchFactor(1, 2)
        self._column.setSizes([560, 440])
        self._row.setSizes([200 * share for share in SHARES])
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

    def _put(self, slot: Slot, place: str) -> None:
        widget = self._others[place] if place in self._others else self.view(place)
        for other in self.slots_:
            if other is not slot and other.place == place:
                other.take()
        slot.put(place, widget)

    def _pin(self, view: FigureView) -> None:
        if self._pinned is None:
            view.set_pinned(None, {})
        else:
            update, study = self._pinned
            view.set_pinned(update, study.values())

    def _show_latest(self, view: FigureView) -> None:
        if self._latest is not None:
            update, study, windows = self._latest
            view.set_view(windows.get(view.current_figure().table))
            view.show_update(update, study.values())

    def _fit(self) -> None:
        """Show as many slots as there is room for."""
        room = self.width() / self._theme.scale
        count = next((count for count, wanted in _ROOM.items() if room >= wanted), 1)
        for i, slot in enumerate(self.slots_):
            slot.setVisible(i in _ORDER[count])
        for view in self._views.values():
            view.legend.setVisible(view in (self._large, self.view(self._places[0])))


def titled(place: str) -> str:
    """What a tab calls a panel."""
    return place.replace("_", " ").capitalize()
