"""A strip above everything that says what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme


class Notice(QWidget):
    """One sentence in a strip, with a way to act on it and a way to dismiss it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Notice")
        self.label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.button = QPushButton()
        self.dismiss = QPushButton("Dismiss")
        self.dismiss.setProperty("role", "quiet")
        self.dismiss.clicked.connect(self.hide)
        self.button.clicked.connect(self._act)
        self._action: Callable[[], None] | None = None
        self._about = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        self.hide()

    def say(self, sentence: str, act: str, action: Callable[[], None] | None, about: str = "") -> None:
        sentence = foreign.sentence(sentence)
        if self.isVisible() and self.label.text() == sentence:
            return  # once is enough
        self.label.setText(sentence)
        self.button.setText(act)
        self.button.setVisible(action is not None)
        self._action, self._about = action, about
        self.show()

    def withdraw(self, about: str) -> None:
        """Hide what was said about this, if that is what is being said."""
        if self._about == about:
            self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"Notice {{ background: {theme.raised}; border-bottom: 2px solid {theme.danger}; }}")

    def _act(self) -> None:
        if self._action is not None:
            self._action()
