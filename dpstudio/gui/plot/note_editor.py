"""Where the text of a note is written, on the picture itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from dpstudio.documents.noted import LONGEST_ON_PICTURE
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.notes import plain

WIDTH, LINES = 260, 4
"""Pixels at normal size of type, and lines that are seen at once."""
STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.MenuBarFocusReason)
"""Reasons for which the keyboard is away for a moment only."""


class NoteEditor(QPlainTextEdit):
    """One text: Enter takes it, and so does leaving; Escape lets it be."""

    taken = Signal(str)

    def __init__(self, text: str, theme: Theme, parent: QWidget, at: QPoint) -> None:
        super().__init__(text, parent)
        self._ended = False
        self.setAccessibleName("Text of the note")
        self.setAccessibleDescription("Enter takes it, Escape lets it be")
        self.setPlaceholderText("Your note; Enter takes it, Escape lets it be")
        self.setTabChangesFocus(True)
        self.setFont(theme.font("label"))
        self.setStyleSheet(f"NoteEditor {{ background: {theme.raised}; color: {theme.text}; "
                           f"border: 2px solid {theme.accent}; border-radius: 4px; }}")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        width = min(theme.px(WIDTH), parent.width() - 8)
        height = min(LINES * self.fontMetrics().lineSpacing() + 16, parent.height() - 8)
        self.setGeometry(min(max(at.x(), 4), parent.width() - width - 4),
                         min(max(at.y(), 4), parent.height() - height - 4), width, height)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def room(self) -> int:
        """Signs that can still be written."""
        return LONGEST_ON_PICTURE - len(self.toPlainText()) + len(self.textCursor().selectedText())

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and event.key() in (
                Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # no command of the window
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(take=False)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._end(take=True)
        elif not event.text().isprintable() or len(event.text()) <= self.room:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted stands on one line, as far as there is room."""
        self.insertPlainText(plain(source.text()[:4 * LONGEST_ON_PICTURE])[:self.room])

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        if event.reason() not in STAYS:
            self._end(take=True)

    def _end(self, *, take: bool) -> None:
        if self._ended:
            return
        self._ended = True
        had_keyboard = self.hasFocus()
        self.hide()
        if had_keyboard and (picture := self.parentWidget()) is not None:
            picture.setFocus(Qt.FocusReason.OtherFocusReason)
        if take:
            self.taken.emit(plain(self.toPlainText())[:LONGEST_ON_PICTURE])
        self.deleteLater()
