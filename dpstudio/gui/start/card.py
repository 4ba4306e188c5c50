"""The card of the open door: what it asks, what is recommended and what comes next to it, the picture, and ways on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.core.level import RUNNER_UP
from dpstudio.core.sentence import keyed
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.in_view import folded
from dpstudio.documents.words import relation
from dpstudio.gui.controls.style import described, in_column, in_row, push, said_as, spaced
from dpstudio.gui.facts.sentences import Headline, RunnerUp
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.start.asked import DoorEntry
from dpstudio.gui.start.opened import OpenDoor, pictured
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Value

WIDE = 1400
"""Pixels from which a headline has room in one line."""


class DoorCard(QFrame):
    """Shows one door at a time; what somebody does there is asked of the page."""

    given = Signal(str, object, bool)
    """Name and value of what is asked, and whether it was found on the picture."""
    held = Signal(bool)
    """A hand moves a mark of the picture, or has let go."""
    viewed = Signal(str, float, float)
    """A stretch of a table that a hand has moved to."""
    fitted = Signal(str)
    explore = Signal()
    want_else = Signal()
    report = Signal()
    code = Signal()
    further = Signal(str)
    """The key of another study."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self.asked: dict[str, DoorEntry] = {}
        self.view: FigureView | None = None
        self._refusals: dict[str, str] = {}
        self.refusal = said_as(ElidedLabel("danger"), tr("Refused"))
        self.headline = said_as(Headline(theme), tr("Recommendation"))
        self.runner_up = RunnerUp(theme)
        self.runner_up.set_most(2)
        self.relation = said_as(ElidedLabel("muted"), tr("Neighbouring relation"))
        self.explore_button = push(tr("Explore"), self.explore, role="primary",
                                   tip=tr("This question with all that there is on it (Enter)"))
        self.else_button = push(tr("I want something else…"), self.want_else,
                                tip=tr("Say what you want to reach, and what it takes is found (Alt+W)"))
        self.report_button = push(tr("Report"), self.report, tip=tr("A document on it, with a page to sign"))
        self.code_button = push(tr("Code"), self.code, tip=tr("What does it with a library that releases data"))
        self.refusal.set_most(3)
        self._asks: QHBoxLayout = in_row((self.refusal, 1))
        self._ways: QHBoxLayout = in_row(self.explore_button, self.else_button, self.report_button, self.code_button,
                                         None)
        self._further: list[QPushButton] = []
        self._picture = QWidget()
        self._picture.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        in_column(within=self._picture)
        self._column: QVBoxLayout = in_column(self._asks, self.headline, self.runner_up, (self._picture, 1),
                                              self.relation, self._ways, within=self)
        self.set_theme(theme)

    # What is shown

    def begin(self, door: OpenDoor, study: Study) -> None:
        """Show another door, its answer still under way."""
        for each in self.asked.values():
            each.blockSignals(True)  # what it loses the keyboard with is not of the next door
            self._asks.removeWidget(each)
            each.hide()
            each.deleteLater()
        self.asked, self._refusals = {}, {}
        for place, ask in enumerate(door.door.asks):
            each = self.asked[ask.parameter] = DoorEntry(ask, door.kind.parameter(ask.parameter), self._theme, self)
            each.given.connect(lambda name, value: self.given.emit(name, value, False))
            each.refused.connect(self._refuse)
            each.entered.connect(self.explore)
            self._asks.insertWidget(place, each)
        for button in self._further:
            self._ways.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._further = [push(f"{begun(words)}", partial(self.further.emit, key), role="quiet")
                         for key, words in door.door.further.items()]
        for place, button in enumerate(self._further):
            self._ways.insertWidget(4 + place, button)
        self.setAccessibleName(f"{tr(door.door.title)}. {tr(door.door.question)}")
        self.headline.show_sentence(tr(door.door.question))
        self.runner_up.show_sentence("")
        self._say()
        self._turn(door)
        self.show_values(study)

    def show_values(self, study: Study) -> None:
        """Show the values in force; what is being typed stays."""
        for name, each in self.asked.items():
            each.show_value(getattr(study, name))
        self.relation.setText(tr(relation(study)))
        self.relation.setToolTip(tr(relation(study)))

    def show_update(self, update: Update, values: Mapping[str, object]) -> None:
        """Show an answer."""
        said = update.said
        self.headline.show_sentence(said[0] if said else "")
        self.runner_up.show_sentence(keyed(said, RUNNER_UP))
        if self.view is not None:
            self.view.show_update(update, values)  # type: ignore[arg-type]

    def refuse(self, sentence: str) -> None:
        """Say why the study refuses what was typed, as long as it does."""
        self._refuse("", sentence)

    @property
    def refused(self) -> DoorEntry | None:
        """The first entry that holds what cannot be taken."""
        return next((each for name, each in self.asked.items() if self._refusals.get(name)), None)

    def _refuse(self, name: str, sentence: str) -> None:
        self._refusals[name] = sentence
        self._say()

    def _say(self) -> None:
        said = next((each for each in self._refusals.values() if each), "")
        if said != self.refusal.text():
            self.refusal.setText(said)
            self.refusal.setToolTip(said)
            for name, each in self.asked.items():
                each.editor.setAccessibleDescription(self._refusals.get(name) or described(each.parameter))

    def _turn(self, door: OpenDoor) -> None:
        """Another picture."""
        layout = self._picture.layout()
        assert layout is not None
        if self.view is not None:
            self.view.blockSignals(True)  # what it has yet to tell is of the door before
            layout.removeWidget(self.view)
            self.view.hide()
            self.view.deleteLater()
        self.view = view = FigureView((pictured(door.kind, door.door),), self._theme, self._picture,
                                      parameters=door.kind.by_name(), kind=door.kind, plot_alone=True)
        further = folded(door.kind)  # type: ignore[arg-type]  # mypy compares the hash of instances
        view.look(folded=further | {each.key for each in door.door.without})
        view.parameter_dragged.connect(self._drag)
        view.drag_finished.connect(lambda _: self.held.emit(False))
        view.view_changed.connect(self.viewed)
        view.view_reset.connect(self.fitted)
        layout.addWidget(view)

    def _drag(self, name: str, value: Value) -> None:
        self.held.emit(True)
        if self.view is not None:
            self.view.look(interacting=True)
        self.given.emit(name, value, True)

    # How it looks

    def stops(self) -> list[QWidget]:
        """In the order of the Tab key."""
        return [*(each.editor for each in self.asked.values()), self.headline,
                *([self.view.canvas] if self.view else []), self.explore_button, self.else_button,
                self.report_button, self.code_button, *self._further]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.headline.set_lines(1 if event.size().width() >= WIDE * self._theme.scale else 2)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 6, (20, 10, 20, 12))
        spaced(self._asks, theme, 24)
        spaced(self._ways, theme, 8)
        for each in self.asked.values():
            each.set_theme(theme)
        for part in (self.headline, self.runner_up):
            part.set_theme(theme)
            part.setContentsMargins(0, 0, 0, 0)  # it stands in one line with what is above and below it
        if self.view is not None:
            self.view.set_theme(theme)
