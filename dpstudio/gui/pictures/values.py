"""The values behind a picture as a table."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTableView, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Column, Table
from dpstudio.documents.tables import columns_of, values_text
from dpstudio.gui.controls.style import in_column, said_as
from dpstudio.text.numbers import exact, fixed
from dpstudio.vocabulary import amount

Index = QModelIndex | QPersistentModelIndex


class TableModel(QAbstractTableModel):
    """Reads the arrays of a table in place."""

    def __init__(self, table: Table, columns: list[Column]) -> None:
        super().__init__()
        self._table, self._arrays = table, [table[column] for column in columns]
        self._columns = columns
        self._rows = table.rows

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        value = float(self._arrays[index.column()][index.row()])
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return amount(value, self._columns[index.column()].quantity, 8)
            case Qt.ItemDataRole.ToolTipRole:
                return exact(value)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        return f"{column.quantity.symbol}\n{column.series.label}" if column.series else column.quantity.symbol

    def copied(self, indexes: list[QModelIndex]) -> str:
        """A block of cells with its headings, at full precision."""
        rows, columns = sorted({index.row() for index in indexes}), sorted({index.column() for index in indexes})
        chosen = [self._columns[column] for column in columns]
        return values_text({column: self._table[column][rows] for column in chosen})


class ValuesDialog(QDialog):
    """The table of one picture, to read, to copy and to export."""

    def __init__(self, figure: Figure, table: Table, relation: str, export: Callable[[], None],
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Values of “{figure.title}”")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.model = TableModel(table, columns_of(figure, table))
        self.view = QTableView()
        self.view.setModel(self.model)
        self.view.setAccessibleName(self.windowTitle())
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(24)
        self.view.setShowGrid(False)
        self.view.setAlternatingRowColors(True)
        self.view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for i in range(self.model.columnCount()):
            self.view.setColumnWidth(i, max(self.view.horizontalHeader().sectionSizeHint(i) + 8, 112))
        note = said_as(QLabel(f"{fixed(self.model.rowCount(), 0)} rows; {relation}", wordWrap=True), role="muted")
        buttons = QDialogButtonBox()
        for words, act in (("Copy", self.copy), ("Export CSV…", export)):
            buttons.addButton(words, QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(act)
        buttons.addButton(QDialogButtonBox.StandardButton.Close).clicked.connect(self.close)
        for button in buttons.buttons():
            button.setAutoDefault(False)  # type: ignore[attr-defined]
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.view, self.copy,
                  context=Qt.ShortcutContext.WidgetShortcut)
        in_column((self.view, 1), note, buttons, within=self, gap=12, edges=(16, 16, 16, 16))
        self.resize(760, 520)

    def copy(self) -> None:
        """Copy what is selected, or all."""
        chosen = self.view.selectedIndexes()
        if not chosen:
            rows, columns = range(self.model.rowCount()), range(self.model.columnCount())
            chosen = [self.model.index(row, i) for row in rows for i in columns]
        QGuiApplication.clipboard().setText(self.model.copied(chosen))
