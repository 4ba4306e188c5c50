"""The first page: a question is opened on the left and answered on the right, while it is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.level import RUNNER_UP
from dpstudio.core.results import Span
from dpstudio.core.sentence import keyed
from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import words
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import StudyState, untouched
from dpstudio.gui.controls.style import Tool, in_column, in_row, prose, push, refusal_in_words, said_as, spaced
from dpstudio.gui.session.answers import REST, MidMove, answering
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.desk import Desk, counted_hint
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.panes import step_focus
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pause, Worker, failure
from dpstudio.gui.start.card import DoorCard
from dpstudio.gui.start.doors import DoorsDrop, DoorsList
from dpstudio.gui.start.opened import OpenDoor
from dpstudio.gui.start.shelves import Leading, Shelf
from dpstudio.studies import all_studies, doors
from dpstudio.text.language import tr
from dpstudio.text.numbers import powered
from dpstudio.vocabulary import Value, named

NARROW, LOW = 1100, 600
"""Pixels of width and height below which the questions drop down, and what stands below them does."""
TITLE = "What do you want to know?"
FOOT = "Explores only: nothing here releases data, and no data leaves this machine."
RECENT = 4
"""Files that are listed."""


class StartPage(QWidget):
    """The doors of all studies; what is done here changes the session only where somebody goes on with it."""

    shown = Signal()
    """An answer is seen."""
    taken = Signal(str)
    """The values of a door are those of its study now: on to that, and there to what is named."""
    study_wanted = Signal(str)
    """A study is to be seen, as it stands."""
    case_wanted = Signal(str)
    """A case from practice is to be opened."""
    left = Signal()
    """Back to where one came from."""

    def __init__(self, desk: Desk, helps: Callable[[QMenu], object], everything: QMenu, parent: QWidget | None = None
                 ) -> None:
        """`helps` lists what helps in a menu; `everything` has all commands of the window."""
        super().__init__(parent)
        self._desk, self._theme = desk, desk.appearance.theme
        self.setAccessibleName(tr(TITLE))
        self.doors = doors()
        self._open: dict[str, OpenDoor] = {}
        self.door: OpenDoor | None = None
        """The one that is open."""
        self.answered: Update | None = None
        """What is shown."""
        self._answer: Answer[Any, Any, Any] | None = None
        self._views: dict[str, Span] = {}
        self._held = False
        self._worker = Worker("first page", self)
        theme = self._theme
        self.title = said_as(prose(tr(TITLE)), role="heading")
        self.title.setWordWrap(False)
        helping = QMenu(tr("Help"), self, toolTipsVisible=True)
        helps(helping)
        self.help_button = _with_menu(said_as(Tool(), role="menu"), tr("Help"), helping)
        self.more = _with_menu(said_as(Tool(), tr("Everything else"), tr("Everything else"), "bar"), "⋯", everything)
        self.open_button = push(tr("Open…"), desk.files.open, tip=tr("A session, or a file that carries one"))
        self.data_button = push(tr("Count in your data…"), lambda: desk.open_data(),
                                tip=tr("Count in a table of your own"))
        self.list = DoorsList(self.doors, theme)
        self.drop = DoorsDrop(self.doors)
        self.card = DoorCard(theme)
        self.were = Shelf(tr("Where you were"), tr("What you set is kept, and stands here the next time."), theme)
        self.files = Shelf(tr("Recent files and own data"), "", theme)
        self.cases = Shelf(tr("Cases from practice"), "", theme)
        self.foot = said_as(prose(tr(FOOT)), role="muted")
        self._head = in_row(self.title, (self.drop, 1), None, self.open_button, self.data_button, self.help_button,
                            self.more)
        self._body = in_row(self.list, (self.card, 1))
        self._shelves = in_row(*((each, 1) for each in self.shelves))
        self._drops = in_row(*(each.drop for each in self.shelves), None)
        self._column = in_column(self._head, (self._body, 1), self._shelves, self._drops, self.foot,
                                 within=self)
        for doorways in (self.list, self.drop):
            doorways.chosen.connect(self.open)
        self.list.entered.connect(self.take_up)
        self._connect()
        self.set_theme(theme)

    @property
    def shelves(self) -> Sequence[Shelf]:
        """What stands below the questions."""
        return self.were, self.files, self.cases

    def _connect(self) -> None:
        card = self.card
        card.given.connect(self._give)
        card.held.connect(self._hold)
        card.viewed.connect(self._look)
        card.fitted.connect(lambda _: self._look())
        card.explore.connect(lambda: self.take())
        card.want_else.connect(lambda: self.take("solve"))
        card.report.connect(lambda: self.take("report"))
        card.code.connect(lambda: self.take("code"))
        card.further.connect(self._go_further)
        self._desk.document.changed.connect(self._follow)

    # One door at a time

    def open(self, key: str) -> None:
        """Open a door; what was typed there and not taken still stands."""
        if key not in self.doors:
            key = next(iter(self.doors))
        for doorways in (self.list, self.drop):
            doorways.show_chosen(key)
        if self.door is not None and self.door.kind.key == key:
            return
        if key not in self._open:
            self._open[key] = OpenDoor(all_studies()[key])
        self.door, self.answered, self._answer, self._views = self._open[key], None, None, {}
        self._held = False
        try:
            study = self.door.taken(self._desk.document.session).study
        except InvalidParameter:  # of the session as it is by now
            self.door.forget()
            study = self._desk.document.session.state(self.door.kind).setting.study
        self.card.begin(self.door, study)
        self._ask()

    def take_up(self) -> None:
        """Give the keyboard to the first entry of the door."""
        first = next(iter(self.card.asked.values()), None)
        if first is not None:
            first.take_up()

    def _give(self, name: str, value: Value, on_picture: bool) -> None:
        if self.door is not None:
            self.door.give(name, value, on_picture=on_picture)
            self._views = {}
            self._ask()

    def _hold(self, held: bool) -> None:
        if held != self._held:
            self._held = held
            if self.card.view is not None:
                self.card.view.look(interacting=held)

    def _look(self, *window: object) -> None:
        """Look at a stretch of the picture's table, or at what the study finds worth seeing."""
        table, *ends = window or ("", )
        self._views = {str(table): (float(ends[0]), float(ends[1]))} if ends else {}  # type: ignore[arg-type]
        self._ask()

    def _follow(self) -> None:
        """The session is another."""
        if self.isVisible() and self.door is not None:
            self._ask()

    def _ask(self) -> None:
        """Answer what stands at the door; what is refused leaves the last answer."""
        door, session = self.door, self._desk.document.session
        if door is None or self.card.view is None:
            return
        try:
            state = door.taken(session).state()
        except InvalidParameter as refusal:
            self.card.refuse(refusal_in_words(refusal, door.kind.parameters()))
            return
        self.card.refuse("")
        study = state.setting.study
        self.card.show_values(study)
        if self._answer is None or self._answer.study != study:
            self._answer = study.answer()
        work = partial(_answered, self._answer, dict(self._views), self.card.view.current_figure().table, state.chosen)
        start = partial(self._worker.start, work, told=partial(self._show, study),
                        failed=lambda error: self.card.refuse(
                            tr(
                            "This could not be computed ({error}).", error=failure(error, f"the study {study.key}"))))
        self._worker.follow(start) if self._held else start()

    def _show(self, study: Study, news: Update | MidMove) -> None:
        if isinstance(news, Update):
            self.answered = news
            if self.card.view is not None:
                self.card.view.set_view(next(iter(self._views.values()), None))
            self.card.show_update(news, study.values())
            self.shown.emit()

    # Ways on

    def take(self, then: str = "") -> None:
        """Go on with what stands at the door: it is one step, and none where nothing is new."""
        door, document = self.door, self._desk.document
        if door is None:
            return
        if (refused := self.card.refused) is not None:
            refused.take_up()
            return
        try:
            door.taken(document.session)
        except InvalidParameter:
            return  # said already
        self.taken.emit("")
        document.turn(door.kind)
        document.do(tr("Question “{title}”", title=tr(door.door.title)), door.taken)
        door.forget()
        if then:
            self.taken.emit(then)

    def _go_further(self, key: str) -> None:
        """To another study, with those of the values that it has, too: but none that tells of data."""
        door, document = self.door, self._desk.document
        if door is None or self.card.refused is not None:
            return
        kind, setting = all_studies()[key], door.taken(document.session).state().setting
        self.taken.emit("")
        document.turn(kind)
        here, values = document.study, setting.study.values()
        shared = {name: values[name] for name in self.card.asked
                  if name in kind.by_name() and name not in setting.counted}
        other = {name: value for name, value in shared.items() if getattr(here, name) != value}
        try:
            if other:
                document.do(tr("Question “{title}”", title=tr(door.door.title)), Session.put, other)
        except InvalidParameter:  # it has narrower domains: as it was, then
            pass

    # What there was last time

    def fill_shelves(self) -> None:
        """Say where one was, which files there are, and cases."""
        desk, document = self._desk, self._desk.document
        kinds = dict.fromkeys((document.study_class, *document.session.states))
        states, feared = {kind: document.session.state(kind) for kind in kinds}, document.session.attacker
        self.were.offer([Leading(tr(kind.title), partial(self.study_wanted.emit, kind.key), _left(kind, state))
                         for kind, state in states.items()
                         if state != untouched(kind, feared)])  # type: ignore[arg-type]  # as in core.declare
        recent = [Leading(foreign.bounded(path.replace("\\", "/").rpartition("/")[2], 40),
                          partial(desk.files.open_path, path), tip=path) for path in desk.settings.recent[:RECENT]]
        self.files.offer([*recent[:1], Leading(tr("Count in your data…"), lambda: desk.open_data(), counted_hint()),
                          *recent[1:]])
        self.cases.offer([Leading(tr(each.title), partial(self.case_wanted.emit, key), tip=tr(each.question))
                          for key, each in SCENARIOS.items()])

    # How it looks, and how it ends

    def parts(self) -> list[QWidget]:
        """In the order of the Tab key: what is asked, where it leads, what is below, and the questions."""
        below = [part for shelf in self.shelves for part in (*shelf.buttons, shelf.drop)]
        return [*self.card.stops(), *below, self.open_button, self.data_button, self.help_button, self.more, self.list,
                self.drop]

    def next_part(self, step: int = 1) -> None:
        """Give the keyboard to the next part of the page."""
        first = [each.editor for each in self.card.asked.values()][:1]
        lists = [each for shelf in self.shelves for each in (*shelf.buttons[:1], shelf.drop)]
        pictures = [self.card.view.canvas] if self.card.view is not None else []
        step_focus(self.window(), [*first, *pictures, self.card.explore_button, *lists, self.list, self.drop], step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def narrow(self) -> bool:
        """Whether there is no room for all beside each other."""
        scale = self._theme.scale
        return self.width() < NARROW * scale or self.height() < LOW * scale

    def _arrange(self) -> None:
        narrow = self.narrow
        beside: Sequence[QWidget] = (self.title, self.list, self.foot, *self.shelves)
        below: Sequence[QWidget] = (self.drop, *(shelf.drop for shelf in self.shelves))
        for part in beside:
            part.setVisible(not narrow)
        for part in below:
            part.setVisible(narrow)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 8, (16, 10, 16, 4))
        spaced(self._head, theme, 8)
        spaced(self._body, theme, 16)
        spaced(self._shelves, theme, 16)
        spaced(self._drops, theme, 8)
        self.list.set_theme(theme)
        self.card.set_theme(theme)
        for shelf in self.shelves:
            shelf.set_theme(theme)
        self._arrange()

    def begin(self, key: str) -> None:
        """Come into view, with a door open and the caret in its first entry."""
        self.open(key)
        self._ask()
        later(self, self._settle)

    def _settle(self) -> None:
        """What needs the page on the screen, or may come a moment later."""
        if self.isVisible():
            self.take_up()
            with QSignalBlocker(self._desk.document):  # reading what there is changes nothing
                self.fill_shelves()

    def close_down(self) -> None:
        """Leave nothing running."""
        self._worker.close()


def _answered(answer: Answer[Any, Any, Any], views: dict[str, Span], table: str, chosen: str | None
              ) -> Iterator[Update | MidMove | Pause | None]:
    """The headline and the picture first, then what comes next to it, and what is drawn where the picture is."""
    drawn = answer.tabled[table].make is None
    seen = Wanted(frozenset({table}), frozenset(), 2)
    said: tuple[str, ...] = ()
    ask = partial(answering, answer.study, views, chosen=chosen)
    for news in ask(seen, answer, None):
        yield news
        if isinstance(news, Update):
            said = news.said
            if news.answer.slow(table, views.get(table)):  # the headline does not wait for a picture that takes longer
                yield from news.prepare(seen)
                yield news
    if drawn or not keyed(said, RUNNER_UP):
        yield from ask(Wanted(seen.tables, frozenset(), EVERY), answer, REST if drawn else None)


def _glanced_at(declared: Parameter, value: Value) -> str:
    """A value as it was set, but for the digits that only a computation gave it."""
    if isinstance(value, bool | str):
        return words.parameter(declared, value)
    return powered(named(value, declared.quantity))


def _left(kind: type[Study], state: StudyState) -> str:
    """How a study was left: what was chosen, and what is set there, as far as it is read at a glance."""
    chosen = next((tr(each.label) for each in kind.answers().series() if each.key == state.chosen), "")
    plain = state.setting.as_it_comes
    told = title(state.setting, plain, write=_glanced_at) if state.setting.study != plain.study else ""
    return " · ".join(each for each in (chosen and tr("{chosen} chosen", chosen=chosen), told) if each)


def _with_menu(button: QToolButton, words: str, menu: QMenu) -> QToolButton:
    """A button that opens a menu, by the keyboard too."""
    button.setText(words)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setMenu(menu)
    return button
