"""A strip above everything that says what went wrong, or what is there now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpstudio.gui.controls.style import Push, in_row, prose, push
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

Act: TypeAlias = tuple[str, Callable[[], None]]
"""The words of a button, and what it does."""


class Notice(QWidget):
    """One sentence in a strip, with up to two ways to act on it and a way to dismiss it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Notice"))
        self.label = prose()
        self.button, self.second = Push(), Push()
        self.dismiss = push(tr("Dismiss"), self.hide, role="quiet")
        for i, button in enumerate((self.button, self.second)):
            button.clicked.connect(lambda _, i=i: self._acts[i][1]())
        self._acts: Sequence[Act] = ()
        self._about = ""
        self._calm = False
        """Whether nothing went wrong."""
        self._theme: Theme | None = None
        in_row((self.label, 1), self.button, self.second, self.dismiss, within=self, edges=(16, 8, 16, 8))
        self.hide()

    def say(self, sentence: str, acts: Sequence[Act] = (), about: str = "", *, calm: bool = False) -> None:
        sentence = foreign.sentence(sentence)
        if self.isVisible() and self.label.text() == sentence:
            return  # once is enough
        self.label.setText(sentence)
        self._acts, self._about, self._calm = acts, about, calm
        for i, button in enumerate((self.button, self.second)):
            button.setText(acts[i][0] if i < len(acts) else "")
            button.setVisible(i < len(acts))
        if self._theme is not None:
            self.set_theme(self._theme)
        self.show()

    def withdraw(self, about: str) -> None:
        """Hide what was said about this, if that is what is being said."""
        if self._about == about:
            self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        edge = theme.accent if self._calm else theme.danger
        self.setStyleSheet(f"Notice {{ background: {theme.raised}; border-bottom: 2px solid {edge}; }}")
