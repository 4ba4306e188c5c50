"""The verdict: what to take away, in plain sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from dpstudio.gui.theme import Theme

READING = 120
"""Milliseconds from one text to the next: nobody reads faster, and breaking lines takes time from the pictures."""


class Verdict(QScrollArea):
    """One paragraph a sentence; the text can be selected and copied."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Verdict")
        self._theme = theme
        self._sentences: tuple[str, ...] = ()
        self._labels: list[QLabel] = []
        self._timer = QTimer(self, singleShot=True, interval=READING)
        self._timer.timeout.connect(self._set)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.addStretch()
        self.setWidget(inner)
        self.set_theme(theme)

    def show_sentences(self, sentences: tuple[str, ...]) -> None:
        """Show them at once, or where others were shown just before, soon."""
        if sentences == self._sentences:
            return
        self._sentences = sentences
        if not self._timer.isActive():
            self._set()
            self._timer.start()

    def _set(self) -> None:
        while len(self._labels) < len(self._sentences):
            label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFont(self._theme.font("label"))
            self._column.insertWidget(len(self._labels), label)
            self._labels.append(label)
        for i, label in enumerate(self._labels):
            label.setVisible(i < len(self._sentences))
            if i < len(self._sentences) and label.text() != self._sentences[i]:
                label.setText(self._sentences[i])

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        edge = theme.px(12)
        self._column.setContentsMargins(edge, theme.px(8), edge, edge)
        self._column.setSpacing(theme.px(8))
        for label in self._labels:
            label.setFont(theme.font("label"))
