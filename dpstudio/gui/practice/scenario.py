"""The card of a scenario above the pictures: its story and question, and what to look for once somebody asks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QWidget

from dpstudio.documents.scenarios import SCENARIOS, ScenarioWords
from dpstudio.gui.controls.style import (
    dress_sign,
    in_column,
    in_row,
    is_escape,
    only_scrolls,
    prose,
    push,
    said_as,
    sign_button,
    spaced,
)
from dpstudio.gui.shell.foreign import together
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

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
        self.title, self.question = said_as(QLabel(), role="title"), QLabel(wordWrap=True)
        self.words = prose(selectable=True)
        self.look = push(tr(LOOK), lambda: self.show_answer(not self.answered), role="quiet")
        self.close_button = sign_button("✕", tr("Close the case"), tr("Close; Study → About this case shows it again"))
        self.close_button.clicked.connect(self.closed)
        head = in_row((self.title, 1), self.look, self.close_button)
        self._scroll = _Words(self.words)
        self._column = in_column(head, self._scroll, self.question, within=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_theme(theme)

    def begin(self, key: str) -> None:
        """Say this scenario, its answer still hidden."""
        self._told = SCENARIOS[key].told()
        scenario = self._told.scenario
        self.title.setText(tr(scenario.title))
        self.question.setText(tr(scenario.question))
        self.setAccessibleName(tr("Scenario: {title}", title=tr(scenario.title)))
        self.setAccessibleDescription(f"{self._told.story} {tr(scenario.question)}")
        self.show_answer(False)

    def show_answer(self, shown: bool) -> None:
        """Say what to look for, in the place of the story."""
        if self._told is None:
            return
        self.answered = shown
        words = self._told.answer if shown else self._told.story
        self.words.setText(together(words))
        self.words.setAccessibleName(words)
        self.look.setText(tr(BACK) if shown else tr(LOOK))
        self._scroll.verticalScrollBar().setValue(0)
        self._scroll.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        spaced(self._column, theme, 3, (12, 6, 12, 8))
        self._scroll.most = theme.px(HIGHEST)
        self.words.setFont(theme.font("label"))
        self.question.setStyleSheet(f"color: {theme.accent}; font-weight: 600; "
                                    f"font-size: {theme.font_size('label')}px;")
        dress_sign(self.close_button, theme)
        self._scroll.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Escape belongs to the card while it has the keyboard."""
        return is_escape(event, self.closed.emit) or super().event(event)


class _Words(QScrollArea):
    """A label as high as its words need at this width, up to a limit."""

    def __init__(self, label: QLabel) -> None:
        super().__init__(widgetResizable=True)
        self.label, self.most = label, HIGHEST
        only_scrolls(self, label)
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
