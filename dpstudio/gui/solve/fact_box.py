"""The box in which the fact that is wanted is chosen, or found as one types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPalette,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpstudio.core.answer import Answer
from dpstudio.core.study import Study
from dpstudio.gui.controls.style import mark_refused, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.vocabulary import Quantity

LINES = 16
"""Names that the list shows without being scrolled."""
EDGES = 60
"""Pixels of the box that its name leaves free, at normal size of type."""
KEY, FURTHER = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
"""Of a name in the list: the key of its fact, and whether what is not seen first begins with it."""
_MOVES_POINTER = (QEvent.Type.MouseButtonRelease, QEvent.Type.MouseMove, QEvent.Type.MouseButtonDblClick)


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A fact that can be wanted, of whatever series has it."""

    quantity: Quantity
    first: bool
    """Whether it is seen first."""

    def found_by(self, words: Sequence[str]) -> bool:
        """Whether its label, symbol or key has every one of these words."""
        one = self.quantity
        searched = " ".join((one.label, tr(one.label), one.symbol, one.key, one.key.replace("_", " "))).casefold()
        return all(word in searched for word in words)

    def named_by(self, words: Sequence[str]) -> bool:
        """Whether each of these begins a word of its label or key."""
        label = self.quantity.label
        begins = f"{label} {tr(label)}".casefold().split() + self.quantity.key.split("_")
        return all(any(each.startswith(word) for each in begins) for word in words)


def entries(answer: Answer[Study, object, object]) -> list[FactEntry]:
    """The facts that can be wanted at the settings of an answer, each once: those of level one, then by label."""
    kind = type(answer)
    compared, chosen = {one.key for one in kind.series()}, {one.key for one in answer.chosen}
    quantities = dict.fromkeys(declared.quantity for (_, of), declared in kind.index().items()
                               if not declared.simulated and (of not in compared or of in chosen))
    first = answer.study.level_one.facts
    return [*(FactEntry(each, True) for each in first if each in quantities),
            *(FactEntry(each, False) for each in sorted(quantities, key=lambda one: tr(one.label).casefold())
              if each not in first)]


class _Lined(QStyledItemDelegate):
    """A line above what is not seen first."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
              ) -> None:
        super().paint(painter, option, index)
        if index.data(FURTHER):
            painter.setPen(option.palette.color(QPalette.ColorRole.Dark))
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())


class FactBox(QComboBox):
    """The fact that is wanted: chosen in its list, or found by label, symbol or key as one types.

    While what is typed names none that was chosen, no fact is wanted; what is typed always takes the place of the
    whole name.
    """

    chosen = Signal(str)
    """The key of the quantity."""
    unsettled = Signal()
    """Something is being typed, was refused or was given up: `settled` has changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.line = said_as(QLineEdit(), tr("Fact that is wanted"))
        self.list = said_as(QListView(), tr("Facts that were found"))
        self.setLineEdit(self.line)
        self.setCompleter(None)  # type: ignore[arg-type]  # its own fills in what is pointed at while one types
        self._entries: list[FactEntry] = []
        self.quantity: Quantity | None = None
        self.settled = True
        """Whether the name that stands there is that of the fact that is wanted."""
        self.refusal = ""
        """Why what is typed names nothing, if it does not."""
        self._model = QStandardItemModel(self)
        self.found = QCompleter(self._model, self, maxVisibleItems=LINES,
                                completionMode=QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.found.setWidget(self)
        self.found.setPopup(self.list)
        self.list.setItemDelegate(_Lined(self.list))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.found.activated[QModelIndex].connect(self._choose)  # type: ignore[index]
        self.line.setStyleSheet("border: none; padding: 0; min-height: 0; background: transparent")
        self.line.textEdited.connect(self._search)
        self.line.installEventFilter(self)
        said_as(self, tr("Fact that is wanted"))

    @property
    def key(self) -> str:
        return self.quantity.key if self.quantity else ""

    def keys(self) -> list[str]:
        """What the list shows, in order."""
        return [self._model.item(row).data(KEY) for row in range(self._model.rowCount())]

    def show_facts(self, offered: Iterable[FactEntry]) -> None:
        """Offer these."""
        self._entries = list(offered)

    def offered(self) -> list[Quantity]:
        return [each.quantity for each in self._entries]

    def show_fact(self, quantity: Quantity) -> None:
        """Want this one, whether or not it is offered."""
        self.quantity = quantity
        self._settle()

    def needed(self, theme: Theme) -> int:
        """Pixels in which all of the name is read."""
        words = tr(self.quantity.label) if self.quantity else ""
        return theme.px(EDGES) + self.line.fontMetrics().horizontalAdvance(words)

    # What is typed

    def _search(self, text: str) -> None:
        """Find what has every word of a text, or say that nothing has; until one is chosen, nothing is wanted."""
        self._fill(text.casefold().split())
        nothing = not self._model.rowCount()
        refusal = tr("No fact here is called “{text}”: try one word of its name", text=text.strip())
        self._tell(False, refusal if nothing else "")
        self._open()

    def _fill(self, words: Sequence[str]) -> None:
        self._model.clear()
        found = [each for each in self._entries if each.found_by(words)]
        for entry in sorted(found, key=lambda each: (not each.named_by(words), not each.first)):
            item = QStandardItem(tr(entry.quantity.label))
            item.setToolTip(entry.quantity.sentence)
            item.setData(entry.quantity.key, KEY)
            before = self._model.item(self._model.rowCount() - 1) if self._model.rowCount() else None
            item.setData(not words and not entry.first and before is not None and not before.data(FURTHER + 1), FURTHER)
            item.setData(not entry.first, FURTHER + 1)
            self._model.appendRow(item)

    def _tell(self, settled: bool, refusal: str) -> None:
        changed = (settled, refusal) != (self.settled, self.refusal)
        self.settled, self.refusal = settled, refusal
        mark_refused(self, bool(refusal))
        self.setAccessibleDescription(refusal or (tr(self.quantity.label) if self.quantity else ""))
        if changed:
            self.unsettled.emit()

    def _settle(self) -> None:
        """Show the name of the fact that is wanted."""
        self.list.hide()
        self._write()
        if self.quantity is not None:
            self.setToolTip(f"<qt>{tr(self.quantity.label)}: {self.quantity.sentence}</qt>")
        self._tell(True, "")

    def _write(self) -> None:
        """All of the name, marked so that what is typed takes its place; nobody types, as much as there is room for."""
        line, name = self.line, tr(self.quantity.label) if self.quantity else ""
        if self.hasFocus():
            line.setText(name)
            line.setSelection(len(name), -len(name))
        else:
            line.setText(line.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, line.width() - 6))
            line.setCursorPosition(0)

    def _choose(self, index: QModelIndex) -> None:
        key = index.data(KEY)
        self.quantity = next(each for each in self.offered() if each.key == key)
        self._settle()
        self.chosen.emit(key)

    # The list

    def _open(self) -> None:
        """Show what was found, as wide as the longest name; the first of what is typed is the one that Enter takes."""
        if not self._model.rowCount() or not self.isVisible():
            self.list.hide()
            return
        wide = self.list.sizeHintForColumn(0) + self.list.verticalScrollBar().sizeHint().width() + 8
        self.found.complete(QRect(0, 0, max(self.width(), wide), self.height()))
        keys = self.keys()
        at = keys.index(self.key) if self.settled and self.key in keys else 0
        self.list.setCurrentIndex(self.found.completionModel().index(at, 0))

    def showPopup(self) -> None:
        """The whole list, at the fact that is wanted."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._settle()
        self.line.setText(tr(self.quantity.label) if self.quantity else "")
        self.line.selectAll()
        self._fill(())
        self._open()

    # Keyboard and mouse

    def event(self, event: QEvent) -> bool:
        """Escape first gives up what is being typed."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) \
                and event.key() == Qt.Key.Key_Escape and not self.settled:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows open the list; Enter chooses in it, and takes nothing; Escape brings back what was wanted."""
        key, listed = event.key(), self.list.isVisible()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down) and listed:
            event.ignore()  # the list's
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F4):
            self.showPopup()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self.settled and self._model.rowCount():
                self._choose(self._model.index(0, 0))
        elif key == Qt.Key.Key_Escape and not self.settled:
            self._settle()
        elif key == Qt.Key.Key_Escape:
            event.ignore()  # whoever is around it leaves
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click opens the list with the name marked; no caret is put into the middle of a name."""
        if watched is self.line and self.settled:
            if event.type() is QEvent.Type.MouseButtonPress:
                self.showPopup()
                return True
            return event.type() in _MOVES_POINTER
        return super().eventFilter(watched, event)

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.settled:
            self._write()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """One that was found alone is chosen; of several none is, and what was wanted stands there again."""
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            return
        if not self.settled and self._model.rowCount() == 1:
            self._choose(self._model.index(0, 0))
        elif not self.refusal:
            self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.settled:
            self._write()
