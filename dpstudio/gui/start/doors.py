"""The list of questions, under what somebody wants to do: answer, learn, judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpstudio.core.level import DoorSign
from dpstudio.gui.controls.style import Combo, no_narrower, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

WIDTH, HIGH, HEADING = 300, 46, 26
"""Pixels of the list's width, and of a question's and a heading's height."""
KEY, SIGN, NUMBER = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2
NAME = "Questions"


class DoorsList(QListWidget):
    """One entry a question: its number, its title, and an example below."""

    chosen = Signal(str)
    """The key of the study behind it."""
    entered = Signal()
    """Enter was pressed: on to what is asked there."""

    def __init__(self, doors: Mapping[str, DoorSign], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr(NAME))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = _Painter(theme, self)
        self.setItemDelegate(self._delegate)
        heading = ""
        for number, (key, sign) in enumerate(doors.items(), 1):
            if sign.heading != heading:
                heading = sign.heading
                above = QListWidgetItem(tr(heading), self)
                above.setFlags(Qt.ItemFlag.NoItemFlags)
            item = QListWidgetItem(tr(sign.title), self)
            item.setData(KEY, key)
            item.setData(SIGN, sign)
            item.setData(NUMBER, number)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{number}. {tr(sign.title)}. {tr(sign.question)}")
            item.setToolTip(f"Alt+{number}" if number < 10 else "")
        self.currentItemChanged.connect(lambda item: None if item is None else self.chosen.emit(item.data(KEY)))
        self.set_theme(theme)

    def show_chosen(self, key: str) -> None:
        """Mark a question without choosing it again."""
        for item in map(self.item, range(self.count())):
            if item.data(KEY) == key:
                with QSignalBlocker(self):
                    self.setCurrentItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def content_height(self) -> int:
        """Pixels that all of it takes."""
        return sum(self.sizeHintForRow(row) for row in range(self.count()))

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.setFixedWidth(theme.px(WIDTH))
        self.setStyleSheet("QListWidget { background: transparent; border: none; }")
        self.scheduleDelayedItemsLayout()


class _Painter(QStyledItemDelegate):
    """Paints a question in two lines."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.theme.px(HIGH if index.data(KEY) else HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
              ) -> None:
        theme, rect = self.theme, option.rect
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen, focused = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_HasFocus)
        over = bool(state & QStyle.StateFlag.State_MouseOver) and bool(index.data(KEY))
        if chosen or over:
            painter.setPen(QColor(theme.accent) if focused else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection if chosen else theme.line))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), theme.px(4), theme.px(4))
        left = rect.left() + theme.px(10)
        if (sign := index.data(SIGN)) is None:
            self._write(painter, index.data(), QRect(left, rect.top(), rect.width(), rect.height()), theme.muted)
        else:
            half = rect.height() // 2
            words = rect.right() - theme.px(8)
            top, beside = rect.top() + theme.px(3), left + theme.px(20)
            room = QRect(beside, top, words - beside, half - theme.px(3))
            self._write(painter, str(index.data(NUMBER)), QRect(left, top, theme.px(20), room.height()), theme.muted)
            self._write(painter, tr(sign.title), room, theme.text, bold=True)
            self._write(painter, tr(sign.question), room.translated(0, half - theme.px(4)), theme.muted)
        painter.restore()

    def _write(self, painter: QPainter, words: str, room: QRect, colour: str, *, bold: bool = False) -> None:
        font = self.theme.font("body" if bold else "label", bold=bold)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        text = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


class DoorsDrop(Combo):
    """The same where there is no room for a list beside the answer."""

    chosen = Signal(str)

    def __init__(self, doors: Mapping[str, DoorSign], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        said_as(no_narrower(self, 12), tr(NAME))
        for number, (key, sign) in enumerate(doors.items(), 1):
            self.addItem(f"{number}  {tr(sign.title)}", key)
            self.setItemData(number - 1, tr(sign.question), Qt.ItemDataRole.ToolTipRole)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def show_chosen(self, key: str) -> None:
        """Mark a question without choosing it again."""
        self.setCurrentIndex(self.findData(key))


def numbered(doors: Mapping[str, DoorSign]) -> Iterator[tuple[int, str, DoorSign]]:
    """Each with the number by which the keyboard opens it, as far as there are keys."""
    return ((number, key, sign) for number, (key, sign) in enumerate(doors.items(), 1) if number < 10)
