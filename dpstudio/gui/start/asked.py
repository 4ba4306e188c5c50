"""What a door asks: an entry of the study's own under the words of whoever comes in."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.core.level import Ask
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.style import (
    RETURNS,
    called,
    described,
    in_column,
    in_row,
    labelled,
    refusal_in_words,
    said_as,
    tooltip,
)
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Choice, Value

LONGEST_SIGN = 4
"""Characters of a sign; what is longer is a word."""


class DoorEntry(QWidget):
    """A number, or one of a few words, that is answered while it is typed."""

    given = Signal(str, object)
    """Name and value: also of what is still being typed."""
    refused = Signal(str, str)
    """Name and the sentence that says why; an empty one once it is mended."""
    entered = Signal()
    """Enter was pressed where nothing new stands."""

    def __init__(self, ask: Ask, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ask, self.parameter = ask, parameter
        self._new = False
        self.editor: NumberEntry | Drop
        if isinstance(parameter.domain, Choice):
            self.editor = Drop(parameter.domain.options, words=parameter.domain.words)
            self.editor.chosen.connect(lambda word: self.given.emit(parameter.name, word))
        else:
            self.editor = NumberEntry(parameter, theme)
            self.editor.edited.connect(lambda name, value, _: self.given.emit(name, value))
            self.editor.refused.connect(self.refused)
            self.editor.textEdited.connect(self._try)
            self.editor.entered.connect(self._enter)
        said_as(self.editor, f"{tr(ask.words)} {called(parameter.quantity)}", tooltip(parameter))
        self.editor.setAccessibleDescription(described(parameter))
        self.editor.installEventFilter(self)
        self.heading = labelled(worded(ask, parameter), self.editor)
        self.unit = QLabel(tr(ask.unit))
        self._column = in_column(self.heading, in_row(self.editor, self.unit, None, gap=6), within=self, gap=2)
        self.unit.setVisible(bool(ask.unit))  # now that it stands somewhere
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)

    @property
    def mending(self) -> bool:
        """Whether something stands there that is not taken yet, or cannot be."""
        return isinstance(self.editor, NumberEntry) and (self.editor.isModified() or self.editor.is_refused())

    def show_value(self, value: Value) -> None:
        """Show what is in force; what is being typed stays."""
        if isinstance(self.editor, Drop):
            self.editor.show_option(str(value))
        elif not self.mending:
            assert not isinstance(value, str)
            self.editor.show_number(value)

    def take_up(self) -> None:
        """Give it the keyboard, all of it to be typed over."""
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(self.editor, NumberEntry):
            self.editor.selectAll()

    def set_theme(self, theme: Theme) -> None:
        for label in (self.heading, self.unit):
            label.setFont(theme.font("label"))
            label.setStyleSheet(f"color: {theme.muted}")
        if isinstance(self.editor, NumberEntry):
            self.editor.set_theme(theme)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note, before Enter takes what stands there, whether it is new; Escape takes back what was answered."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in RETURNS:
                if isinstance(self.editor, Drop):
                    self.entered.emit()
                    return True
                self._new = self.mending
            elif event.key() == Qt.Key.Key_Escape and self.mending:
                later(self, self._taken_back)
        return False

    def _taken_back(self) -> None:
        if isinstance(self.editor, NumberEntry) and self.editor.number is not None:
            self.refused.emit(self.parameter.name, "")
            self.given.emit(self.parameter.name, self.editor.number)

    def _enter(self) -> None:
        """What was new is taken, and may be typed over; what is not leads on."""
        if not self._new:
            self.entered.emit()
        elif isinstance(self.editor, NumberEntry) and not self.editor.is_refused():
            self.editor.selectAll()

    def _try(self, text: str) -> None:
        """Answer what is typed so far, if it is a value."""
        try:
            value = read_entry(self.parameter, text, typed=True)
        except InvalidParameter as refusal:
            self.refused.emit(self.parameter.name, refusal_in_words(refusal, (self.parameter,)))
        else:
            self.refused.emit(self.parameter.name, "")
            self.given.emit(self.parameter.name, value)


def worded(ask: Ask, parameter: Parameter) -> str:
    """What is asked, with the sign that stands for it in the answer: “How private? ε”."""
    symbol = parameter.quantity.symbol
    words = tr(ask.words)
    return words if len(symbol) > LONGEST_SIGN or symbol in words.split() else f"{words} {symbol}"
