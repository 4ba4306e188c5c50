"""The list of facts that can be solved for, found by words as one types."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from dpstudio.core.answer import Declared
from dpstudio.core.study import Study
from dpstudio.gui.solve.guess import Place
from dpstudio.text.sentences import begun

SEARCHED = Qt.ItemDataRole.UserRole + 1
"""All that an entry of the list of facts is found by."""


def fact_name(declared: Declared[Any, Any, Any], series: str) -> str:
    """“Laplace: uncertain width”: where that is cut, it is still known whose it is."""
    label = declared.quantity.label
    return f"{series}: {label}" if series else begun(label)


class _Words(QSortFilterProxyModel):
    """The entries that have every word that was typed, somewhere."""

    words: tuple[str, ...] = ()

    def search(self, text: str) -> None:
        self.words = tuple(text.casefold().replace(":", " ").split())
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        text = str(self.sourceModel().index(row, 0, parent).data(SEARCHED))
        return all(word in text for word in self.words)


class _Finder(QCompleter):
    """Completes by words in any order."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._found = _Words(parent)  # a completer deletes a model of its own where it gets another
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setMaxVisibleItems(16)

    def search_in(self, entries: QStandardItemModel) -> None:
        self._found.setSourceModel(entries)
        self.setModel(self._found)

    def splitPath(self, path: str) -> list[str]:
        self._found.search(path)
        return [""]


class FactBox(QComboBox):
    """The facts of a study that can be solved for, found by label, series, symbol or key as one types."""

    chosen = Signal(object)
    """The keys of the quantity and the series."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self._finder, self._line = _Finder(self), QLineEdit(self)
        self.setLineEdit(self._line)
        self.setCompleter(self._finder)
        self._finder.activated[QModelIndex].connect(self._complete)  # type: ignore[index]
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))
        self._line.editingFinished.connect(self._settle)
        self.setAccessibleName("Fact that is wanted")

    def show_study(self, kind: type[Study]) -> None:
        """Offer the facts of a study that are exact or bounds."""
        entries = QStandardItemModel(self)
        named = {one.key: one.label for one in kind.answers().series()}
        for place, declared in kind.answers().index().items():
            if declared.simulated:
                continue
            own = declared.series.label if declared.series else named.get(place[1] or "", "")
            entry = QStandardItem(fact_name(declared, own))
            quantity = declared.quantity
            entry.setData(place, Qt.ItemDataRole.UserRole)
            words = quantity.label, quantity.symbol, quantity.key, own, declared.group
            entry.setData(" ".join(words).casefold(), SEARCHED)
            entry.setToolTip(quantity.sentence)
            entries.appendRow(entry)
        self.setModel(entries)
        self._finder.search_in(entries)

    @property
    def place(self) -> Place:
        return self.itemData(self.currentIndex())

    def places(self) -> list[Place]:
        """Everything that is offered, in order."""
        return [self.itemData(row) for row in range(self.count())]

    def show_place(self, place: Place) -> None:
        at = next((row for row in range(self.count()) if self.itemData(row) == place), 0)
        self.setCurrentIndex(at)
        self._settle()

    def _complete(self, index: QModelIndex) -> None:
        place = index.data(Qt.ItemDataRole.UserRole)
        self.show_place(place)
        self.chosen.emit(place)

    def _settle(self) -> None:
        """What was typed and names nothing gives way to what is chosen."""
        self.setEditText(self.itemText(self.currentIndex()))
        self._line.setCursorPosition(0)
        self.setToolTip(self.itemText(self.currentIndex()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses the first that was found, and takes nothing."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        found = self._finder.completionModel().index(0, 0)
        if self.currentText() != self.itemText(self.currentIndex()) and found.isValid():
            self._complete(found)
        self._settle()

    def wheelEvent(self, event) -> None:
        event.ignore()
