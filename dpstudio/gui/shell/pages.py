"""Which page of the window is seen: the first, with the questions, or a study's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from dpstudio.gui.shell.desk import PANES, Desk
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.menus import Menus
from dpstudio.records import cached_property
from dpstudio.studies import doors

if TYPE_CHECKING:
    from dpstudio.gui.start.page import StartPage

PLACE, DOOR, OPEN = "page", "door", "open"
"""What the settings remember: which page it was, which door was open last, and the panes that were."""
START, STUDY = "start", "study"
READY = 1000
"""Milliseconds from an answer on the first page, without another, until the page of the study is made: whoever goes on
does not wait for it then, and nobody who types does."""


class StudyShown(Protocol):
    """What is asked of the page of a study."""

    desk: Desk
    menus: Menus

    @property
    def page(self) -> QWidget: ...

    def solve(self) -> None: ...
    def come_back(self) -> None: ...
    def show_title(self) -> None: ...


class Pages(QObject):
    """Shows one of the two; each is made when it is first wanted."""

    def __init__(self, study: StudyShown, place: QWidget) -> None:
        """`place` is where the page of a study stands."""
        super().__init__(place)
        self._study, self._place, self._desk, self._menus = study, place, study.desk, study.menus
        self._window, self._settings = study.desk.window, study.desk.settings
        self._came_from_study = False
        for number, key in enumerate(list(doors())[:9], 1):
            self._key(f"Alt+{number}", partial(self.show_start, key))
        for asked in (self._desk.study_wanted, self._desk.document.study_changed):  # what is asked about is seen
            asked.connect(self.show_study)
        self._desk.panes.others_open.connect(self._remember_panes)
        self._window.closing.connect(self._remember)

    @property
    def at_start(self) -> bool:
        """Whether the first page is seen."""
        return "start" in self.__dict__ and not self.start.isHidden()

    @cached_property
    def start(self) -> StartPage:
        from dpstudio.gui.start.page import StartPage  # a session that is opened needs none

        page = StartPage(self._desk, self._menus.list_help, self._menus.everything)
        page.hide()
        self._window.hold(page)
        page.taken.connect(self._go_on)
        page.study_wanted.connect(self._desk.open_study)
        page.case_wanted.connect(lambda key: self._desk.tools.get("practice").open(key))
        page.addActions([self._act(keys, act, page) for keys, act in (
            ("Esc", self._back), ("Alt+W", lambda: page.take("solve")),
            ("Ctrl+L", lambda: page.take("solve")), ("Ctrl+Shift+R", lambda: page.take("report")),
            ("Ctrl+Shift+K", lambda: page.take("code")), ("F6", page.next_part),
            ("Shift+F6", lambda: page.next_part(-1)))])
        self._desk.appearance.changed.connect(page.set_theme)
        resting = QTimer(page, singleShot=True, interval=READY)
        resting.timeout.connect(lambda: self._study.page)
        page.shown.connect(lambda *_: resting.start())
        return page

    def begin(self) -> None:
        """Show where one was, with the panes that were open: the first page at the very first start."""
        if doors() and self._settings.text(PLACE, START) == START:
            self.show_start()
            return
        self.show_study()
        if self._settings.text(OPEN, ""):
            later(self, self._open_panes)  # once there is room for them

    def _open_panes(self) -> None:
        for key in self._settings.text(OPEN, "").split():
            if key in PANES:
                self._desk.tools.open(key)

    def show_start(self, door: str = "") -> None:
        """Show the first page, with this door open, else the one that was open last."""
        if not doors():
            return
        start = self.start
        if not self.at_start:
            self._came_from_study = self._place.isVisible()
            self._place.hide()
            start.show()
            self._window.statusBar().hide()
            self._menus.of_study.setEnabled(False)
            self._study.show_title()
        start.begin(door or (start.door.kind.key if start.door else self._settings.text(DOOR, "")))
        self._settings.set_text(PLACE, START)

    def show_study(self) -> None:
        """Show the study in view."""
        self._study.page.show()  # made before its place is seen
        if not self.at_start:
            return
        self.start.hide()
        self._window.statusBar().show()
        self._menus.of_study.setEnabled(True)
        self._place.show()
        self._settings.set_text(PLACE, STUDY)
        self._study.show_title()
        self._study.come_back()

    def _back(self) -> None:
        if self._came_from_study:
            self.show_study()

    def _go_on(self, to: str) -> None:
        """The values of a door were taken."""
        self.show_study()
        match to:
            case "solve":
                self._study.solve()
            case "report":
                self._desk.write_report()
            case "code":
                self._desk.tools.open("handover")

    def _remember(self) -> None:
        self._settings.set_text(PLACE, START if self.at_start else STUDY)
        self._remember_panes()
        self._desk.panes.others_open.disconnect(self._remember_panes)  # they go with the window, and were open
        if "start" in self.__dict__:
            if self.start.door is not None:
                self._settings.set_text(DOOR, self.start.door.kind.key)
            self.start.close_down()

    def _remember_panes(self) -> None:
        """At once: a program that is killed remembers nothing at its end."""
        self._settings.set_text(OPEN, " ".join(self._desk.panes.opened))

    def _key(self, keys: str, act: partial[None]) -> None:
        self._window.addAction(self._act(keys, act, self._window, Qt.ShortcutContext.WindowShortcut))

    def _act(self, keys: str, act: object, parent: QObject,
             context: Qt.ShortcutContext = Qt.ShortcutContext.WidgetWithChildrenShortcut) -> QAction:
        action = QAction(parent, shortcut=QKeySequence(keys), shortcutContext=context)
        action.triggered.connect(lambda: act())  # type: ignore[operator]
        return action
