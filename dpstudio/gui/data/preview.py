"""The first rows of a file, as text; names, types and missing values of the columns above them."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from dpstudio.data.file import FileSummary
from dpstudio.gui.facts.table import CellsModel, Index
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.text.sentences import grouped

MISSING = "missing"


class PreviewModel(CellsModel):
    """Rows as they were read; nothing is kept but what was read for the preview."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: FileSummary | None = None
        self._rows: Sequence[Sequence[str | None]] = ()
        self.muted = QColor()

    def show_table(self, table: FileSummary | None, rows: Sequence[Sequence[str | None]] = ()) -> None:
        self.beginResetModel()
        self._table, self._rows = table, rows
        self.endResetModel()

    @property
    def size(self) -> tuple[int, int]:
        return len(self._rows), 0 if self._table is None else len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(MISSING) if cell is None else " ".join(cell.split())
        if role == Qt.ItemDataRole.ForegroundRole and cell is None:
            return self.muted
        if role == Qt.ItemDataRole.TextAlignmentRole and self._table is not None:
            number = self._table.columns[index.column()].kind == "number"
            side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical or self._table is None:
            return section + 1 if role == Qt.ItemDataRole.DisplayRole else None
        column, missing = self._table.columns[section], self._table.missing[section]
        kinds = {"number": tr("number"), "text": tr("text"), "yes or no": tr("yes or no"), "date": tr("date"),
                 "time": tr("time")}
        kind = kinds.get(column.kind, column.type.lower())
        lacking = tr(", {n} missing", n=grouped(missing)) if missing else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{' '.join(column.name.split())}\n{kind}{lacking}"
        if role == Qt.ItemDataRole.ToolTipRole:  # Qt would take what looks like markup for markup
            return f"<p>{html.escape(column.name)}<br>{html.escape(kind)}{lacking or tr(', none missing')}</p>"
        return None


class FilePreview(QTableView):
    """Shows the model; ten thousand columns cost what ten do, for no column is measured."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = PreviewModel(self)
        self.setModel(self.rows)
        self.setAccessibleName(tr("First rows of the file"))
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def set_theme(self, theme: Theme) -> None:
        self.rows.muted = QColor(theme.muted)
        self.horizontalHeader().setDefaultSectionSize(theme.px(136))
        self.verticalHeader().setDefaultSectionSize(theme.px(24))
