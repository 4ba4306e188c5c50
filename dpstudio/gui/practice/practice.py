"""What a newcomer is offered: scenarios that open ready, and a tour of the main job; read when first wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget
from shiboken6 import isValid

from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.gui.pictures.arrangement import Arrangement
from dpstudio.gui.practice.tour import Place, Stop, Tour
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.menus import Menus
from dpstudio.gui.shell.side import SidePanel
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.sentences import listed

if TYPE_CHECKING:
    from dpstudio.gui.practice.scenario import ScenarioCard

FIRST = 4
"""Parameters of a study that a newcomer is shown: those that say what is to be decided."""


class Practice(QObject):
    """Owns the card of a scenario, in a column above the pictures, and the tour while it is shown."""

    def __init__(self, desk: Desk, column: QVBoxLayout, pictures: Callable[[], Arrangement], side: SidePanel,
                 menus: Menus, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._column, self._pictures, self._side, self._menus = desk, column, pictures, side, menus
        self._dismissed = False
        self.tour: Tour | None = None
        self._held = False
        self._state = desk.document.state
        self._before: QWidget | None = None
        """What had the keyboard before the tour."""
        desk.document.changed.connect(self._show_card)
        desk.appearance.changed.connect(self._set_theme)
        desk.window.closing.connect(lambda: self.tour.end() if self.tour is not None else None)

    # Scenarios

    @property
    def scenario(self) -> str:
        """The key of the one that was opened last, if any was."""
        kept = self._desk.settings.text("scenario", "")
        return kept if kept in SCENARIOS else ""

    @cached_property
    def card(self) -> ScenarioCard:
        from dpstudio.gui.practice.scenario import ScenarioCard

        card = ScenarioCard(self._desk.appearance.theme)
        card.closed.connect(self.close_card)
        self._column.insertWidget(1, card)
        return card

    def list_in(self, menu: QMenu) -> None:
        """Offer every scenario."""
        menu.clear()
        for key, scenario in SCENARIOS.items():
            menu.addAction(scenario.title, partial(self.open, key)).setToolTip(scenario.question)

    def open(self, key: str) -> None:
        """Take the values of a scenario in one step, and say its story."""
        scenario, document = SCENARIOS[key], self._desk.document
        opened = scenario.session()
        self._desk.settings.set_text("scenario", key)
        self._dismissed = True
        document.open(scenario.session(document.session.state(opened.study_class)), in_file=False,
                      label=f"Scenario “{scenario.title}”")
        self._desk.answers.begin_anew()
        self.show_card()

    def show_card(self) -> None:
        """Say the scenario that was opened last; its study comes into view."""
        if not self.scenario:
            return
        self.card.begin(self.scenario)
        self._dismissed = False
        self._desk.settings.set_text("scenario_card", "shown")
        kind = SCENARIOS[self.scenario].session().study_class
        if self._desk.document.study_class is not kind:
            self._desk.document.turn(kind)
        self._show_card()
        self.card.look.setFocus(Qt.FocusReason.OtherFocusReason)

    def restore(self) -> None:
        """Show the card that stood there when the window was closed."""
        if self.scenario and self._desk.settings.text("scenario_card", ""):
            self.card.begin(self.scenario)
            self._show_card()

    def close_card(self) -> None:
        self._desk.settings.set_text("scenario_card", "")
        had_keyboard = self.card.isAncestorOf(self._desk.window.focusWidget() or self.card)
        self._dismissed = True
        self.card.hide()
        if had_keyboard:
            self._to_the_picture()

    def _show_card(self) -> None:
        """The card stands over the study that it is about."""
        if "card" in self.__dict__:
            about = SCENARIOS[self.scenario].study == self._desk.document.study_class.key if self.scenario else False
            self.card.setVisible(about and not self._dismissed)

    # The tour

    def show_tour(self) -> None:
        """Begin the tour, over the window as it is; never over a question that waits."""
        if self.tour is not None or QApplication.activeModalWidget() is not None:
            return
        desk = self._desk
        desk.settings.set_text("toured", "yes")
        self._state, self._before = desk.document.state, desk.window.focusWidget()
        self.tour = Tour(self._steps(), desk.appearance.theme, desk.window)
        self.tour.ended.connect(self._forget_tour)
        desk.document.changed.connect(self._look)
        desk.document.moving.connect(self._hold)
        for action in self._keeping():
            action.triggered.connect(self._kept)

    def _keeping(self) -> list[QAction]:
        return [self._menus.actions[name] for name in ("Export picture…", "Save session")]

    def _steps(self) -> Sequence[Stop]:
        kind = self._desk.document.study_class
        first = listed([each.quantity.symbol for each in kind.parameters()[:FIRST]])
        return (
            Stop("Say what you must decide", f"{kind.question} It depends on {first}: move one of them, and "
                 "all pictures and numbers follow at once. Entries take 1e-3, 100k and 0.1 %.", self._controls),
            Stop("Compare", "Each curve is one way to do it. Read them with the pointer, drag the lines on the plot; "
                 "Frontier shows what each costs in privacy, and P pins these curves while you move on.",
                 lambda: [(picture := self._pictures().picture(), picture.rect())]),
            Stop("Keep it", "File has what leaves the window: Export picture for a report, Save session for all that "
                 "you set. An exported picture that is dropped here brings everything back.", self._file),
        )

    def _controls(self) -> list[Place]:
        """The first controls of the study, as far as they can be seen."""
        panel = self._side.parameters
        parts = [panel.control(each.name) for each in self._desk.document.study_class.parameters()[:FIRST]]
        return [(part, part.visibleRegion().boundingRect()) for part in parts if not part.visibleRegion().isEmpty()]

    def _file(self) -> list[Place]:
        bar = self._desk.window.menuBar()
        return [(bar, bar.actionGeometry(bar.actions()[0]))]

    def _hold(self, held: bool) -> None:
        self._held = held
        if not held:
            self._look()

    def _look(self) -> None:
        """Go on where a person did what the step is about: set another value, or pinned, hid or chose a picture."""
        if self.tour is None or self._held:
            return
        before, self._state = self._state, self._desk.document.state
        now = self._state
        done = (now.setting != before.setting,
                (now.pins, now.hidden, now.figures) != (before.pins, before.hidden, before.figures), False)
        if done[self.tour.at]:
            self.tour.go_on()

    def _kept(self) -> None:
        if self.tour is not None and self.tour.at == 2:
            self.tour.go_on()

    def _forget_tour(self, had_keyboard: bool) -> None:
        document = self._desk.document
        document.changed.disconnect(self._look)
        document.moving.disconnect(self._hold)
        for action in self._keeping():
            action.triggered.disconnect(self._kept)
        self.tour = None
        before = self._before
        if had_keyboard and before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_keyboard:
            self._to_the_picture()

    def _to_the_picture(self) -> None:
        self._pictures().picture().canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_theme(self, theme: Theme) -> None:
        if "card" in self.__dict__:
            self.card.set_theme(theme)
        if self.tour is not None:
            self.tour.set_theme(theme)
