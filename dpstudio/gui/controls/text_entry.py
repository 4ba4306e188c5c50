"""A text of a parameter's domain, such as caps by priors: what is refused stays to be mended, as of a number."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.gui.controls.style import RETURNS, mark_refused, refusal_in_words
from dpstudio.vocabulary import Value

LONGEST = 400
"""Signs that a person types here at most."""


class TextEntry(QLineEdit):
    """A line of text that is a value of a parameter's domain."""

    edited = Signal(str, object)
    """Name and value."""
    refused = Signal(str, str)
    """Name and the sentence that says why; an empty one once the entry is mended."""
    entered = Signal()
    """Enter was pressed, and the text was taken or refused."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter, self._value = parameter, ""
        self.setMaxLength(LONGEST)
        self.setPlaceholderText(str(parameter.domain))
        self.editingFinished.connect(self._accept_text)
        self.textEdited.connect(self._forgive)

    def show_text(self, value: Value) -> None:
        """Show a value, unless it is the present one: what is being typed stays."""
        text = self._parameter.said(value)
        if text != self._value or not (self.isModified() or self.is_refused()):
            self._value = text
            self._restore()

    def is_refused(self) -> bool:
        return bool(self.property("refused"))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            steps = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
            if (steps or event.key() == Qt.Key.Key_Escape) and not (self.isModified() or self.is_refused()):
                event.ignore()  # nothing was typed that could be taken back: it is the window's
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.is_refused()):
            self._restore()
            self.selectAll()
        elif event.key() in RETURNS:
            new = self.isModified()
            super().keyPressEvent(event)
            event.setAccepted(new)  # what is new is taken; else it is for what the entry is part of
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def _accept_text(self) -> None:
        """Take the text where it is a value, else say why it is none."""
        if not self.isModified():
            return
        try:
            value = read_entry(self._parameter, self.text())
        except InvalidParameter as refusal:
            self.setModified(False)  # said once: leaving the entry says it no second time
            mark_refused(self, True)
            self.refused.emit(self._parameter.name, refusal_in_words(refusal, (self._parameter,)))
            return
        self._value = self._parameter.said(value)
        self._restore()
        self.edited.emit(self._parameter.name, value)

    def _restore(self) -> None:
        """Show the value in force."""
        self.setText(self._value)
        self.setCursorPosition(0)
        self._forgive()

    def _forgive(self) -> None:
        """Be red no more: what was refused is being mended, or is right now."""
        if self.is_refused():
            mark_refused(self, False)
            self.refused.emit(self._parameter.name, "")
