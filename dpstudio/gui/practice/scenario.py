"""The card of a scenario above the pictures: its story and question, and what to look for once somebody asks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.documents.scenarios import SCENARIOS, ScenarioWords
from dpstudio.gui.controls.style import in_row, laid, said_as, sign_button
from dpstudio.gui.shell.foreign import together
from dpstudio.gui.shell.theme import Theme

HIGHEST = 132
"""Pixels that the words may take of the pictures; longer ones are scrolled."""
LOOK, BACK = "What to look for", "Back to the story"


class ScenarioCard(QFrame):
    """Says one scenario; Escape or its sign closes it."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._told: ScenarioWords | None = None
        self.answered = False
        """Whether it says what to look for."""
        self.title, self.question = QLabel(), QLabel(wordWrap=True)
        self.title.setProperty("role", "title")
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.look = said_as(QPushButton(LOOK), role="quiet")
        self.look.clicked.connect(lambda: self.show_answer(not self.answered))
        self.close_button = sign_button("✕", "Close the scenario", "Close; Study → About this scenario shows it again")
        self.close_button.clicked.connect(self.closed)
        head = in_row((self.title, 1), self.look, self.close_button)
        self._scroll = _Words(self.words)
        self._column = laid(QVBoxLayout(self), head, self._scroll, self.question)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_theme(theme)

    def begin(self, key: str) -> None:
        """Say this scenario, its answer still hidden."""
        self._told = SCENARIOS[key].told()
        scenario = self._told.scenario
        self.title.setText(scenario.title)
        self.question.setText(scenario.question)
        self.setAccessibleName(f"Scenario: {scenario.title}")
        self.setAccessibleDescription(f"{self._told.story} {scenario.question}")
        self.show_answer(False)

    def show_answer(self, shown: bool) -> None:
        """Say what to look for, in the place of the story."""
        if self._told is None:
            return
        self.answered = shown
        words = self._told.answer if shown else self._told.story
        self.words.setText(together(words))
        self.words.setAccessibleName(words)
        self.look.setText(BACK if shown else LOOK)
        self._scroll.verticalScrollBar().setValue(0)
        self._scroll.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        edge = theme.px(12)
        self._column.setContentsMargins(edge, theme.px(6), edge, theme.px(8))
        self._column.setSpacing(theme.px(3))
        self._scroll.most = theme.px(HIGHEST)
        self.words.setFont(theme.font("label"))
        self.question.setStyleSheet(f"color: {theme.accent}; font-weight: 600; "
                                    f"font-size: {theme.font_size('label')}px;")
        self.close_button.setFixedSize(theme.px(24), theme.px(24))
        self.close_button.setStyleSheet(f"padding: 0; min-height: 0; color: {theme.muted}")
        self._scroll.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Escape belongs to the card while it has the keyboard, though it is a command of the window."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self.closed.emit()
                return True
        return super().event(event)


class _Words(QScrollArea):
    """A label as high as its words need at this width, up to a limit."""

    def __init__(self, label: QLabel) -> None:
        super().__init__(widgetResizable=True)
        self.label, self.most = label, HIGHEST
        self.setWidget(label)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        width = self.viewport().width() if self.isVisible() else self.label.sizeHint().width()
        return QSize(0, min(self.label.heightForWidth(width), self.most))

    def minimumSizeHint(self) -> QSize:
        """Two lines: the pictures below need the rest more."""
        return QSize(0, min(self.sizeHint().height(), 2 * self.label.fontMetrics().lineSpacing()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
