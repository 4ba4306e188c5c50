"""A tour of the main job in three steps, each beside the controls that it is about; they can be used meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget

from dpstudio.gui.controls.style import in_column, in_row, is_escape, push, said_as, spaced
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass

WIDTH, GAP, AROUND = 340, 12, 4
"""Pixels of the card's width, between it and what it points at, and by which an outline lies outside that."""


Place: TypeAlias = tuple[QWidget, QRect]
"""A widget, and a part of it in its own pixels."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing to do, and where."""

    title: str
    words: str
    parts: Callable[[], Sequence[Place]]
    """What it points at, now."""


class Tour(QObject):
    """Lies over the window while it is shown; Escape ends it, whatever has the keyboard."""

    ended = Signal(bool)
    """It is gone; whether it had the keyboard."""

    def __init__(self, steps: Sequence[Stop], theme: Theme, over: QWidget) -> None:
        """`over` is what it lies on: all that steps point at is inside."""
        super().__init__(over)
        self.steps, self._over, self._theme = tuple(steps), over, theme
        self.at = 0
        self.outline = _Outline(theme, over)
        self.card = _Card(theme, over)
        self.card.next.clicked.connect(self.go_on)
        self.card.back.clicked.connect(lambda: self.turn(self.at - 1))
        self.card.leave.clicked.connect(self.end)
        self._follow = QTimer(self, singleShot=True, interval=0)
        self._follow.timeout.connect(self.place)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self.turn(0)
        for part in (self.outline, self.card):
            part.show()
            part.raise_()
        self.card.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def turn(self, at: int) -> None:
        """Show one step."""
        self.at = at
        step = self.steps[at]
        self.card.say(step, at + 1, len(self.steps))
        self.place()

    def go_on(self) -> None:
        """The next step, or the end."""
        if self.at + 1 < len(self.steps):
            self.turn(self.at + 1)
        else:
            self.end()

    def end(self) -> None:
        """Leave no trace."""
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        had_keyboard = self.card.isAncestorOf(self._over.focusWidget() or self._over)
        for part in (self.outline, self.card):
            part.hide()
            part.deleteLater()
        self.deleteLater()
        self.ended.emit(had_keyboard)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.outline.theme = theme
        self.card.set_theme(theme)
        self._follow.start()

    def place(self) -> None:
        """Stand beside what this step points at, wherever that now is."""
        shown = [QRect(part.mapTo(self._over, rect.topLeft()), rect.size())
                 for part, rect in self.steps[self.at].parts() if part.isVisible()]
        rects = [each.adjusted(-AROUND, -AROUND, AROUND, AROUND) & self._over.rect() for each in shown]
        self.outline.setGeometry(self._over.rect())
        self.outline.show_rects(rects)
        card = self.card
        card.setFixedWidth(min(self._theme.px(WIDTH), self._over.width() - 2 * GAP))
        card.resize(card.width(), card.heightForWidth(card.width()))
        card.move(beside(rects, QRect(QPoint(0, 0), card.size()), self._over.rect()))
        self.outline.raise_()
        card.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what moves below, and take Escape wherever the keyboard is, but in a dialog or a menu."""
        kind = event.type()
        if kind in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            if isinstance(watched, QWidget) and watched not in (self.card, self.outline) \
                    and not self.card.isAncestorOf(watched):
                self._follow.start()
        elif (isinstance(event, QKeyEvent) and isinstance(watched, QWidget)
              and watched.window() is self._over.window() and QApplication.activePopupWidget() is None):
            return is_escape(event, self.end)
        return super().eventFilter(watched, event)


def beside(rects: Sequence[QRect], card: QRect, room: QRect) -> QPoint:
    """Where a card stands in a room: left or right of what it points at, else below or above, where that covers
    none of it, else in the corner; in the middle where it points at nothing."""
    if not rects:
        card.moveCenter(room.center())
        return card.topLeft()
    target = rects[0]
    for each in rects[1:]:
        target = target.united(each)
    inner = room.adjusted(GAP, GAP, -GAP, -GAP)
    up, across = target.bottom() - card.height(), target.center().x() - card.width() // 2
    sides = [(target.left() - GAP - card.width(), up), (target.right() + GAP, up)]
    ends = [(across, target.bottom() + GAP), (across, target.top() - GAP - card.height())]
    for x, y in ends + sides if target.height() < card.height() // 2 else sides + ends:  # a word in a row of words
        y = max(inner.top(), min(y, inner.bottom() - card.height() + 1))
        x = max(inner.left(), min(x, inner.right() - card.width() + 1))
        card.moveTo(x, y)
        if not any(card.intersects(each) for each in rects):
            return card.topLeft()
    card.moveTo(inner.right() - card.width() + 1, inner.bottom() - card.height() + 1)
    return card.topLeft()


class _Outline(QWidget):
    """Frames around what a step points at; every click goes through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.rects: list[QRect] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_rects(self, rects: list[QRect]) -> None:
        self.rects = rects
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.accent), 2 * self.theme.scale))
        for rect in self.rects:
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 8, 8)
        painter.end()


class _Card(QFrame):
    """What a step says, with the ways on, back and out."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.title, self.words = said_as(QLabel(wordWrap=True), role="title"), QLabel(wordWrap=True)
        self.count = said_as(QLabel(), role="muted")
        self.leave = push("Not now", tip="Close the tour (Esc); Help → Tour shows it again", role="quiet")
        self.back, self.next = push("Back", role="quiet"), push("Next", role="primary")
        foot = in_row(self.count, None, self.leave, self.back, self.next)
        self._column = in_column(self.title, self.words, foot, within=self)
        self.set_theme(theme)

    def say(self, step: Stop, number: int, of: int) -> None:
        self.title.setText(step.title)
        self.words.setText(step.words)
        self.count.setText(f"{number} of {of}")
        self.back.setVisible(number > 1)
        self.leave.setVisible(number < of)
        self.next.setText("Next" if number < of else "Done")
        self.setAccessibleName(f"Tour, step {number} of {of}: {step.title}")
        self.setAccessibleDescription(step.words)
        self.next.setAccessibleDescription(f"{step.title}. {step.words}")  # what a screen reader says of the button

    def set_theme(self, theme: Theme) -> None:
        spaced(self._column, theme, 6, (14, 10, 14, 10))
        self.setStyleSheet(f"_Card {{ background: {theme.raised}; border: 2px solid {theme.accent}; "
                           f"border-radius: {theme.px(8)}px; }}")
