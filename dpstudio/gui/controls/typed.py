"""A value of a parameter as it is typed: what is refused stays to be mended, and the last good one in force."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.gui.controls.style import RETURNS, mark_refused, refusal_in_words
from dpstudio.vocabulary import Value

_TEXT_KEYS = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.Cut, QKeySequence.StandardKey.Paste,
              QKeySequence.StandardKey.SelectAll)
_EDITING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, *RETURNS)


class TypedEntry(QLineEdit):
    """A line of text that is a value of a parameter's domain."""

    edited = Signal(str, object, bool)
    """Name, value, and whether the gesture ends with it."""
    refused = Signal(str, str)
    """Name and the sentence that says why; an empty one once the entry is mended."""
    entered = Signal()
    """Enter was pressed, and the text was taken or refused."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self.editingFinished.connect(self._accept_text)
        self.returnPressed.connect(self._accept_text)
        self.returnPressed.connect(self.entered)
        self.textEdited.connect(self.forgive)

    def _written(self) -> str:
        """The value in force."""
        raise NotImplementedError

    def _keep(self, value: Value) -> None:
        """Let this value be in force."""
        raise NotImplementedError

    @property
    def typing(self) -> bool:
        """Whether something else stands there than the value in force."""
        return self.isModified() or self.is_refused()

    def is_refused(self) -> bool:
        return bool(self.property("refused"))

    def refuse(self, sentence: str) -> None:
        """Turn red and say why; the text stays for mending."""
        mark_refused(self, True)
        self.refused.emit(self._parameter.name, sentence)

    def forgive(self) -> None:
        """Be red no more: what was refused is being mended, or is right now."""
        if self.is_refused():
            mark_refused(self, False)
            self.refused.emit(self._parameter.name, "")

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(self._claims(event))
            return event.isAccepted()
        return super().event(event)

    def _claims(self, event: QKeyEvent) -> bool:
        """Whether a key is the entry's, though it is also a command of the window.

        Qt's line gives every key to the text, so that Ctrl+Z would undo nothing and Ctrl+E go to its end.
        """
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
            return self.typing
        if event.key() == Qt.Key.Key_Escape:
            return self.typing
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
                                | Qt.KeyboardModifier.MetaModifier):
            return any(event.matches(key) for key in _TEXT_KEYS)
        return (event.text() != "" and event.text().isprintable()) or event.key() in _EDITING

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.typing:
            self._restore()
            self.selectAll()
        elif event.key() in RETURNS:
            new = self.isModified()
            super().keyPressEvent(event)
            event.setAccepted(new)  # what is new is taken; else it is for what the entry is part of
        else:
            super().keyPressEvent(event)

    def _accept_text(self) -> bool:
        """Whether the text is a value; a typed one is taken."""
        if not self.isModified():
            return not self.is_refused()
        try:
            value = read_entry(self._parameter, self.text(), typed=True)
        except InvalidParameter as refusal:
            self.setModified(False)  # said once: leaving the entry says it no second time
            self.refuse(refusal_in_words(refusal, (self._parameter,)))
            return False
        self._take(value, final=True)
        return True

    def _take(self, value: Value, *, final: bool) -> None:
        self._keep(value)
        self._restore()
        self.edited.emit(self._parameter.name, value, final)

    def _restore(self) -> None:
        """Show the value in force."""
        self.setText(self._written())
        self.setCursorPosition(0)
        self.forgive()
