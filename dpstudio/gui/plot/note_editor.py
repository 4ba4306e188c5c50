"""Where the text of a note is written, on the picture itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from dpstudio.documents.noted import LONGEST_ON_PICTURE
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.notes import plain

WIDTH, LINES = 260, 4
"""Pixels at normal size of type, and lines that are seen at once."""
EMPTY = "Your note; Enter takes it, Escape lets it be"
STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.MenuBarFocusReason)
"""Reasons for which the keyboard is away for a moment only."""


class NoteEditor(TextBox):
    """One text: Enter takes it, and so does leaving; Escape lets it be."""

    taken = Signal(str)

    def __init__(self, text: str, theme: Theme, parent: QWidget, at: QPoint) -> None:
        super().__init__("Text of the note", text, LONGEST_ON_PICTURE, EMPTY, parent)
        self._ended = False
        self.setAccessibleDescription("Enter takes it, Escape lets it be")
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
        else:
            super().keyPressEvent(event)

    def taken_from(self, text: str) -> str:
        """What is pasted stands on one line."""
        return plain(text[:4 * LONGEST_ON_PICTURE])

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
