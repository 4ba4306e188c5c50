"""One comparison of a condition: a column, what is asked of it, and a value."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QLineEdit, QToolButton, QWidget

from dpstudio.data.columns import FileColumn
from dpstudio.data.condition.clauses import clause, comparisons, needs_value
from dpstudio.gui.controls.style import restyle

_HINTS = {"number": "a number", "text": "a text", "date": "2026-11-21", "time": "2026-11-21 09:30"}


class ColumnBox(QComboBox):
    """A column by name; typing finds it among thousands."""

    def __init__(self, names: QStringListModel, accessible: str) -> None:
        super().__init__(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.setModel(names)
        self.setAccessibleName(accessible)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(14)
        completer, line = self.completer(), self.lineEdit()
        assert completer is not None
        assert line is not None
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        line.editingFinished.connect(self._settle)
        self.currentIndexChanged.connect(lambda: line.setCursorPosition(0))  # of a long name the beginning is seen

    def _settle(self) -> None:
        """What is typed is a column, or the last one returns."""
        found = self.findText(self.currentText())
        if found >= 0:
            self.setCurrentIndex(found)
        else:
            self.setEditText(self.itemText(self.currentIndex()))


class ClauseRow(QWidget):
    """One comparison: a column, what is asked of it, and a value."""

    changed = Signal()
    removed = Signal()

    def __init__(self, columns: Sequence[FileColumn], names: QStringListModel) -> None:
        super().__init__()
        self._columns = columns
        self.column = ColumnBox(names, "Column")
        self.comparison = QComboBox()
        self.comparison.setAccessibleName("Comparison")
        self.value = QLineEdit()
        self.value.setAccessibleName("Value")
        self.remove = QToolButton()
        self.remove.setText("×")
        self.remove.setAccessibleName("Remove this comparison")
        self.remove.setToolTip("Remove this comparison")
        self.remove.setProperty("role", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget, share in ((self.column, 3), (self.comparison, 2), (self.value, 3), (self.remove, 0)):
            row.addWidget(widget, share)
        self.column.currentIndexChanged.connect(self._ask)
        self.comparison.currentIndexChanged.connect(self._show_value)
        self.value.textChanged.connect(self.changed)
        self.remove.clicked.connect(self.removed)
        self._ask()

    @property
    def text(self) -> str:
        """The clause; raises InvalidParameter, also while there is no value yet."""
        column = self._columns[max(0, self.column.currentIndex())]
        return clause(column, self.comparison.currentText(), self.value.text())

    def mark(self, refused: bool) -> None:
        if bool(self.value.property("refused")) != refused:
            self.value.setProperty("refused", refused)
            restyle(self.value)

    def _ask(self) -> None:
        column = self._columns[max(0, self.column.currentIndex())]
        before, offered = self.comparison.currentText(), comparisons(column)
        self.comparison.blockSignals(True)
        self.comparison.clear()
        self.comparison.addItems(list(offered))
        self.comparison.setCurrentText(before if before in offered else offered[0])
        self.comparison.blockSignals(False)
        self.value.setPlaceholderText(_HINTS.get(column.kind, ""))
        self._show_value()

    def _show_value(self) -> None:
        self.value.setEnabled(needs_value(self.comparison.currentText()))
        self.changed.emit()
