"""The help as it stands in the window: its page under a way back, a search in all pages, and a way to close it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from dpstudio.gui.controls.style import in_column, in_row, said_as, sign_button
from dpstudio.gui.help.page import HelpPane, HelpPlace
from dpstudio.gui.shell.theme import Theme

_LONGEST = 100
"""Characters that a search may have."""


class HelpCard(QFrame):
    """Escape goes from what was found back to the page, and from a page out of the help."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.pane = HelpPane(theme)
        self.back = sign_button("←", "Back", "Back to the page before")
        self.search = said_as(QLineEdit(placeholderText="Search all help", maxLength=_LONGEST, clearButtonEnabled=True),
                              "Search all help")
        self.close_button = sign_button("✕", "Close the help", "Close the help (Esc)")
        self._row = in_row(self.back, (self.search, 1), self.close_button)
        in_column(self._row, (self.pane, 1), within=self, gap=0, edges=(1, 4, 1, 4))
        self.back.clicked.connect(self.pane.back)
        self.search.textEdited.connect(self._look_for)
        self.search.returnPressed.connect(self.pane.setFocus)
        self.close_button.clicked.connect(self.closed)
        self.pane.turned.connect(self._show_place)
        for part in (self.back, self.search, self.close_button, self.pane):
            part.installEventFilter(self)
        self._show_place()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._row.setContentsMargins(theme.px(8), theme.px(6), theme.px(8), theme.px(2))
        self._row.setSpacing(theme.px(4))
        self.pane.set_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape belongs to the help while it has the keyboard, though it is a command of the window."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self._escape()
                return True
        return super().eventFilter(watched, event)

    def _escape(self) -> None:
        if self.pane.place.words:
            self.pane.back()
        else:
            self.closed.emit()

    def _look_for(self, text: str) -> None:
        words = " ".join(text.split())
        if words:
            self.pane.turn(HelpPlace(words=words))
        elif self.pane.place.words:
            self.pane.back()

    def _show_place(self) -> None:
        self.back.setEnabled(self.pane.can_go_back())
        words = self.pane.place.words
        if words != " ".join(self.search.text().split()):
            self.search.setText(words)
