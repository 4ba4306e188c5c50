"""The fact that is wanted: a field in which it is found by words as one types, and the list of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QStyle, QStyleOptionFrame, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.study import Study
from dpstudio.gui.controls.style import mark_refused, said_as
from dpstudio.gui.facts.model import Place
from dpstudio.records import dataclass
from dpstudio.text.sentences import begun

LINES = 12
"""Names that the list shows without being scrolled."""
OPENS = "▾"
_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -LINES, Qt.Key.Key_PageDown: LINES}


def fact_name(answers: type[Answer[Any, Any, Any]], place: Place) -> str:
    """“Laplace: uncertain band”: where that is cut, it is still known whose it is."""
    declared, label = answers.declaration(*place), answers.declaration(*place).quantity.label
    series = declared.series or next((one for one in answers.series() if one.key == place[1]), None)
    return f"{series.label}: {label}" if series else begun(label)


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A fact that can be solved for."""

    place: Place
    name: str
    searched: str
    """All that it is found by."""
    sentence: str

    def found_by(self, words: Sequence[str]) -> bool:
        return all(word in self.searched for word in words)

    def named_by(self, words: Sequence[str]) -> bool:
        """Whether each word begins one of its name or of its key."""
        begins = self.name.casefold().replace(":", " ").split() + self.place[0].split("_")
        return all(any(each.startswith(word) for each in begins) for word in words)


def entries(answer: Answer[Any, Any, Any], first: Sequence[Place]) -> list[FactEntry]:
    """The facts that can be solved for at the settings of an answer, those that are looked at first.

    A fact of what is not compared at these settings is none of them, nor is one that draws estimate.
    """
    kind = type(answer)
    compared, chosen = {one.key for one in kind.series()}, {one.key for one in answer.chosen}
    found = []
    for place, declared in kind.index().items():
        if declared.simulated or (place[1] in compared and place[1] not in chosen):
            continue
        name, quantity = fact_name(kind, place), declared.quantity
        words = name, quantity.symbol, quantity.key, quantity.key.replace("_", " "), place[1] or "", declared.group
        found.append(FactEntry(place, name, " ".join(words).casefold(), quantity.sentence))
    order = {place: i for i, place in enumerate(first)}
    return sorted(found, key=lambda entry: order.get(entry.place, len(order)))


class FactBox(QLineEdit):
    """The fact that is wanted; what is typed in its place finds others by label, series, symbol or key.

    While what is typed names none that was chosen, no fact is wanted.
    """

    chosen = Signal(object)
    """The keys of the quantity and the series."""
    unsettled = Signal()
    """Something is being typed, was refused or was given up: `settled` has changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[FactEntry] = []
        self._place: Place = ("", None)
        self._name = ""
        self.settled = True
        """Whether the name that stands there is that of the fact that is wanted."""
        self.refusal = ""
        """Why what is typed names nothing, if it does not."""
        self._model = QStandardItemModel(self)
        self.list = said_as(QListView(self, uniformItemSizes=True), "Facts that were found")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setMouseTracking(True)
        self.list.setWindowFlags(Qt.WindowType.ToolTip | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setModel(self._model)
        self.list.clicked.connect(self._choose)
        self.list.entered.connect(self.list.setCurrentIndex)
        self.textEdited.connect(self._search)
        self.setPlaceholderText("Type to find a fact")
        self.setAccessibleName("Fact that is wanted")

    def show_facts(self, answer: Answer[Any, Any, Any], first: Sequence[Place] = ()) -> None:
        """Offer the facts that there are at these settings, those that are looked at first."""
        self._entries = entries(answer, first)

    @property
    def place(self) -> Place:
        """The fact that is wanted, or was before somebody typed."""
        return self._place

    def places(self) -> list[Place]:
        """Everything that is offered, in order."""
        return [entry.place for entry in self._entries]

    def found(self) -> list[Place]:
        """Everything that is found by what is typed, the likeliest first."""
        return [self._model.item(row).data() for row in range(self._model.rowCount())]

    def show_place(self, kind: type[Study], place: Place) -> None:
        """Want this fact, whether or not it is offered."""
        self._place, self._name = place, fact_name(kind.answers(), place)
        self._settle()

    # What is typed

    def _search(self, text: str) -> None:
        """Find what has every word of a text, or say that nothing has; until one is chosen, nothing is wanted."""
        self._fill(text.casefold().replace(":", " ").split())
        nothing = not self._model.rowCount()
        self._tell(False, f"No fact here is called “{text.strip()}”: try one word of its name, or clear it to see all"
                   if nothing else "")
        self._open()

    def _fill(self, words: Sequence[str]) -> None:
        self._model.clear()
        for entry in sorted((each for each in self._entries if each.found_by(words)),
                            key=lambda each: not each.named_by(words)):
            item = QStandardItem(entry.name)
            item.setToolTip(f"{entry.name}\n{entry.sentence}")
            item.setData(entry.place)
            self._model.appendRow(item)

    def _tell(self, settled: bool, refusal: str) -> None:
        changed = (settled, refusal) != (self.settled, self.refusal)
        self.settled, self.refusal = settled, refusal
        mark_refused(self, bool(refusal))
        self.setAccessibleDescription(refusal or self._name)
        if changed:
            self.unsettled.emit()

    def _settle(self) -> None:
        """Show the name of the fact that is wanted."""
        self.list.hide()
        self.setText(self._name)
        self._select()
        self.setToolTip(self._name)
        self._tell(True, "")

    def _choose(self, index: QModelIndex) -> None:
        self._place, self._name = index.data(Qt.ItemDataRole.UserRole + 1), index.data(Qt.ItemDataRole.DisplayRole)
        self._settle()
        self.chosen.emit(self._place)

    def _select(self) -> None:
        """All of it, with its beginning in sight: what is typed takes its place."""
        if self.hasFocus():
            self.setSelection(len(self.text()), -len(self.text()))
        else:
            self.setCursorPosition(0)

    # The list

    def _open(self) -> None:
        """Show what was found below the field, as wide as the longest name, or above it where there is no room."""
        if not self._model.rowCount() or not self.isVisible():
            self.list.hide()
            return
        frame = 2 * self.list.frameWidth() + 2
        bar = self.list.verticalScrollBar().sizeHint().width() if self._model.rowCount() > LINES else 0
        screen = self.screen().availableGeometry()
        width = min(max(self.width(), self.list.sizeHintForColumn(0) + frame + bar + 8), screen.width())
        height = self.list.sizeHintForRow(0) * min(self._model.rowCount(), LINES) + frame
        below, above = self.mapToGlobal(self.rect().bottomLeft()), self.mapToGlobal(self.rect().topLeft())
        top = below.y() + 1 if below.y() + height <= screen.bottom() else above.y() - height
        self.list.setGeometry(QRect(min(below.x(), screen.right() - width), top, width, height))
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._model.index(0, 0))
        self.list.show()

    def _show_all(self) -> None:
        """The whole list, at the fact that is wanted."""
        self._fill(())
        if self._place in (places := self.found()):
            self.list.setCurrentIndex(self._model.index(places.index(self._place), 0))
        self._open()

    def _move(self, steps: int) -> None:
        row = min(max(self.list.currentIndex().row() + steps, 0), self._model.rowCount() - 1)
        self.list.setCurrentIndex(self._model.index(row, 0))

    # Keyboard and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move in the list; Enter chooses in it, and takes nothing; Escape brings back what was wanted."""
        key = Qt.Key(event.key())
        if key in _KEYS:
            if self.list.isVisible():
                self._move(_KEYS[key])
            elif self.settled:
                self._show_all()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.list.isVisible() or (not self.settled and self._model.rowCount()):
                self._choose(self.list.currentIndex() if self.list.isVisible() else self._model.index(0, 0))
        elif key == Qt.Key.Key_Escape and (self.list.isVisible() or not self.settled):
            self._settle()
        elif key == Qt.Key.Key_Escape:
            event.ignore()  # whoever is around it leaves
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.settled and event.button() == Qt.MouseButton.LeftButton:
            self._select()
            self._show_all()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.settled:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self.settled:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self.settled:
            super().mouseDoubleClickEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.settled:
            self._select()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """One that was found alone is chosen; of several none is, and what was wanted stands there again."""
        super().focusOutEvent(event)
        self.list.hide()
        self.setCursorPosition(0)
        if not self.settled and not self.refusal and event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            if self._model.rowCount() == 1:
                self._choose(self._model.index(0, 0))
            else:
                self._settle()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.list.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A name that is too long ends in “…” while nobody types; a sign says that there is a list."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        sign = self.fontMetrics().horizontalAdvance(OPENS) + 4
        if self.textMargins().right() != sign:
            self.setTextMargins(0, 0, sign, 0)
        painter = QPainter(self)
        if self.hasFocus() or not self.settled:
            painter.end()
            super().paintEvent(event)
            painter = QPainter(self)
        else:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            room = inside.adjusted(2, 0, -2, 0)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            name = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width() - sign)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QRect(self.width() - sign - 6, 0, sign, self.height()),
                         Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, OPENS)
        painter.end()
