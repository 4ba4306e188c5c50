"""A box for a few lines of plain text of a longest length."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget


class TextBox(QPlainTextEdit):
    """Text of at most `longest` signs, whatever is typed, pasted, dropped, composed or undone.

    What there is no room for never enters, so no step back leads to a longer text; what is left out is said. The Tab
    key goes on to the next.
    """

    def __init__(self, name: str, text: str, longest: int, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text[:longest], parent)
        self.longest = longest
        self.setAccessibleName(name)
        self.setPlaceholderText(empty)
        self.setTabChangesFocus(True)

    @property
    def words(self) -> str:
        """The text without the blanks around it, bounded too where other hands than these put it, as a reader's."""
        return self.toPlainText().strip()[:self.longest]

    @property
    def room(self) -> int:
        """Signs that can still be written in the place of what is selected."""
        return self.longest - len(self.toPlainText()) + len(self.textCursor().selectedText())

    def keyPressEvent(self, event) -> None:
        typed = event.text()
        enters = typed in ("\r", "\n") or (bool(typed) and typed.isprintable())
        if enters and len(typed) > self.room:
            self._say_full(len(typed))
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What is composed enters as far as there is room."""
        composed = event.commitString()
        if len(composed) > self.room:
            self._say_full(len(composed) - self.room)
            bounded = QInputMethodEvent("", [])
            bounded.setCommitString(composed[:self.room])
            event = bounded
        super().inputMethodEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted or dropped enters as far as there is room."""
        if source.hasText():
            text, room = self.taken_from(source.text()), self.room
            if len(text) > room:
                self._say_full(len(text) - room)
            self.insertPlainText(text[:room])

    def taken_from(self, text: str) -> str:
        """What is taken of a text that is pasted or dropped."""
        return text.replace("\r\n", "\n")

    def _say_full(self, over: int) -> None:
        QToolTip.showText(self.mapToGlobal(self.cursorRect().bottomLeft()),
                          f"At most {self.longest} signs stand here; {over} found no room.", self)
