"""The verdict: what to take away besides the headline, in plain sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from dpstudio.gui.controls.style import in_column, wanted_height
from dpstudio.gui.shell.foreign import breakable, together
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace

READING = 120
"""Milliseconds from one text to the next: nobody reads faster, and breaking lines takes time from the pictures."""


class Verdict(QScrollArea):
    """One paragraph a sentence; the text can be selected and copied."""

    said = Signal()
    """Other sentences stand here: their height may be another."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Verdict")
        self._theme = theme
        self._labels: list[QLabel] = []
        self.show_sentences = Pace(READING, self._set, self)
        inner = QWidget()
        self._column = in_column(None, within=inner)
        self.setWidget(inner)
        self.set_theme(theme)

    def _set(self, sentences: tuple[str, ...]) -> None:
        while len(self._labels) < len(sentences):
            label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFont(self._theme.font("label"))
            self._column.insertWidget(len(self._labels), label)
            self._labels.append(label)
        for i, label in enumerate(self._labels):
            label.setVisible(i < len(sentences))
            if i < len(sentences) and label.text() != (text := breakable(together(sentences[i]))):
                label.setText(text)
        self.said.emit()

    def content_height(self) -> int:
        """Pixels that all sentences take at the present width."""
        return wanted_height(self._column, self.width())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        edge = theme.px(12)
        self._column.setContentsMargins(edge, theme.px(8), edge, edge)
        self._column.setSpacing(theme.px(8))
        for label in self._labels:
            label.setFont(theme.font("label"))
