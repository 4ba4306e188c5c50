"""Scenarios that open ready, and the card that tells of them; read when first wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QWidget

from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.gui.page.pictures import Pictures
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import cached_property
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.gui.practice.scenario import ScenarioCard


class Practice(QObject):
    """Owns the card of a scenario, in a column above the pictures."""

    def __init__(self, desk: Desk, place: Callable[[QWidget], None], pictures: Callable[[], Pictures], parent: QWidget
                 ) -> None:
        """`place` puts a card above the pictures."""
        super().__init__(parent)
        self._desk, self._place, self._pictures = desk, place, pictures
        self._dismissed = False
        desk.document.changed.connect(self._show_card)
        desk.appearance.changed.connect(self._set_theme)

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
        self._place(card)
        return card

    def list_in(self, menu: QMenu) -> None:
        """Offer every scenario."""
        menu.clear()
        for key, scenario in SCENARIOS.items():
            menu.addAction(tr(scenario.title), partial(self.open, key)).setToolTip(tr(scenario.question))

    def open(self, key: str) -> None:
        """Take the values of a scenario in one step, and say its story."""
        scenario, document = SCENARIOS[key], self._desk.document
        self._desk.study_wanted.emit()
        opened = scenario.session()
        self._desk.settings.set_text("scenario", key)
        self._dismissed = True
        document.open(scenario.session(document.session.state(opened.study_class)), in_file=False,
                      label=tr("Scenario “{title}”", title=tr(scenario.title)))
        self._desk.answers.begin_anew()
        self.show_card()

    def show_card(self) -> None:
        """Say the scenario that was opened last; its study comes into view."""
        if not self.scenario:
            return
        self._desk.study_wanted.emit()
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

    def _to_the_picture(self) -> None:
        self._pictures().picture().canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_theme(self, theme: Theme) -> None:
        if "card" in self.__dict__:
            self.card.set_theme(theme)
