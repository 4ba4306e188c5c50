"""The attacker’s line: whom one fears, what they know beforehand, and how many they may accuse falsely.

It belongs to the session: every study shows the same.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from dpstudio.core.attacker import NOBODY, SPOKEN, Attacker, alone, faces
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.control import Asking
from dpstudio.gui.controls.entry import NumberEntry, Refusal
from dpstudio.gui.controls.style import (
    called,
    described,
    in_column,
    in_row,
    labelled,
    refusal_in_words,
    said_as,
    spaced,
    titled,
    tooltip,
)
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Choice, Value

NARROWEST, WIDEST = 40, 96
"""Pixels of an entry, at normal size of type."""


class BriefEntry(Asking):
    """A parameter in a line: a few words and the entry, with neither a slider nor a way back but undoing."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self.editor: NumberEntry | Drop
        if isinstance(parameter.domain, Choice):
            self.editor = Drop(parameter.domain.options, words=parameter.domain.words)
            self.editor.setMinimumContentsLength(1)  # where there is no room for the longest of its words
            self.editor.chosen.connect(lambda option: self.edited.emit(parameter.name, option, True))
        else:
            self.editor = NumberEntry(parameter, theme)
            self.editor.edited.connect(self.edited)
            self.editor.refused.connect(self.refused)
            self.editor.entered.connect(self._enter)
        self.editor.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        said_as(self.editor, called(parameter.quantity), role="brief")
        self.heading: QLabel = labelled(titled(parameter.brief), self.editor)
        self._row = in_row(self.heading, (self.editor, 1), within=self)
        self.setFocusProxy(self.editor)
        self.setToolTip(tooltip(parameter))
        said_as(self, called(parameter.quantity))
        for each in (self, self.editor):
            each.setAccessibleDescription(described(parameter))
        self.set_theme(theme)

    def show_value(self, value: Value) -> None:
        """Show what is in force; what is being typed stays."""
        if isinstance(self.editor, Drop):
            self.editor.show_option(str(value))
        else:
            assert not isinstance(value, str)
            self.editor.show_number(value)

    @property
    def mending(self) -> bool:
        """Whether what was refused still stands there."""
        return isinstance(self.editor, NumberEntry) and self.editor.is_refused()

    def set_theme(self, theme: Theme) -> None:
        spaced(self._row, theme, 6)
        self.heading.setFont(theme.font("label"))
        self.heading.setStyleSheet(f"color: {theme.muted}")
        if isinstance(self.editor, NumberEntry):
            self.editor.set_theme(theme)
            self.editor.setMinimumWidth(theme.px(NARROWEST))
            self.editor.setMaximumWidth(theme.px(WIDEST))

    def _enter(self) -> None:
        if not self.mending:
            self.entered.emit()


class FearingLine(Asking):
    """The question that somebody asks of the data, and under it what matters with that question."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr(Attacker.parameter("attacker").quantity.label))
        self._theme, self._shown = theme, Attacker()
        self._refusals: dict[str, str] = {}
        self._refusal = Refusal(self)
        self._entries: dict[str, BriefEntry] = {}
        self._known = QWidget(self)
        self._beside = in_row(None, within=self._known)
        self._column = in_column(self.entry("attacker"), self._known, within=self)
        self.entry("false_alarms")
        self.set_theme(theme)
        self._arrange()

    @property
    def question(self) -> Drop:
        """Where one says whom one fears."""
        found = self.entry("attacker").editor
        assert isinstance(found, Drop)
        return found

    def entry(self, name: str) -> BriefEntry:
        """The entry of a parameter, made when it is first wanted: most ask one question for ever."""
        if name not in self._entries:
            self._entries[name] = made = BriefEntry(Attacker.parameter(name), self._theme, self)
            made.show_value(getattr(self._shown, name))
            self.pass_on(made)
            made.refused.connect(self._say)
            if name != "attacker":
                made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
                self._beside.insertWidget(0, made)  # false accusations, made first, are the last
        return self._entries[name]

    def show_attacker(self, attacker: Attacker) -> None:
        """Show whom a session fears; a study that faces them says as much."""
        if not faces(attacker, self._shown):
            self._shown = alone(attacker)
            self._arrange()
            for name, each in self._entries.items():
                each.show_value(getattr(attacker, name))
                if not each.mending and self._refusals.get(name):
                    self._say(name, "")

    def show_refusal(self, name: str, refusal: InvalidParameter) -> None:
        """Say why a value was refused: the one in force is the one shown before."""
        self._say(name, refusal_in_words(refusal, Attacker.parameters()))
        self.entry(name).show_value(getattr(self._shown, name))

    def show_entry(self, name: str) -> None:
        """Give the keyboard to the entry of a parameter."""
        self.entry(name).editor.setFocus(Qt.FocusReason.TabFocusReason)

    def parts(self) -> list[QWidget]:
        """In the order of the Tab key."""
        return [self.entry("attacker"), *(each for name, each in self._entries.items() if name in SPOKEN[1:-1]),
                self.entry("false_alarms")]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 2, (12, 3, 12, 0))
        spaced(self._beside, theme, 10)
        for each in self._entries.values():
            each.set_theme(theme)
        self._refusal.set_theme(theme)

    def _arrange(self) -> None:
        """Only what matters with this question has a place."""
        values = self._shown.values()
        for name in SPOKEN:
            if Attacker.parameter(name).matters(values):
                self.entry(name).show()
            elif name in self._entries:
                self._entries[name].hide()
        self._known.setVisible(self._shown.attacker != NOBODY)
        self.updateGeometry()

    def _say(self, name: str, sentence: str) -> None:
        self._refusals[name] = sentence
        entry = self.entry(name)
        entry.editor.setAccessibleDescription(sentence or described(entry.parameter))
        self._refusal.say(next((each for each in self._refusals.values() if each), ""), self.height)
