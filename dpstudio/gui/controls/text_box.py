"""Boxes for a few lines of plain text of a longest length: in forms, and on a picture itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from dpstudio.documents.noted import LONGEST_ON_PICTURE
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.notes import plain
from dpstudio.text.language import tr

WIDTH, LINES = 260, 4
"""Pixels at normal size of type, and lines that are seen at once."""
EMPTY = "Your note; Enter keeps it, Escape discards it"
STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.MenuBarFocusReason)
"""Reasons for which the keyboard is away for a moment only."""


class TextBox(QPlainTextEdit):
    """Text of at most `longest` signs, whatever is typed, pasted, dropped, composed or undone.

    What there is no room for never enters, so no step back leads to a longer text; what is left out is said. The Tab
    key goes on to the next, and where nothing is written Return is left to what the box stands in.
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed = event.text()
        if typed in ("\r", "\n") and not self.words:
            event.ignore()
            return
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
                          tr("At most {longest} signs stand here; {over} found no room.", longest=self.longest,
                             over=over), self)


class NoteEditor(TextBox):
    """One text: Enter takes it, and so does leaving; Escape lets it be."""

    taken = Signal(str)

    def __init__(self, text: str, theme: Theme, parent: QWidget, at: QPoint) -> None:
        super().__init__(tr("Text of the note"), text, LONGEST_ON_PICTURE, tr(EMPTY), parent)
        self._ended = False
        self.setAccessibleDescription(tr("Enter keeps it, Escape discards it"))
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

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.key() in (
                Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # no command of the window
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(take=False)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._end(take=True)
        else:
            super().keyPressEvent(event)

    def taken_from(self, text: str) -> str:
        """What is pasted stands on one line."""
        return plain(text[:4 * LONGEST_ON_PICTURE])

    def focusOutEvent(self, event: QFocusEvent) -> None:
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
