"""The table of deployments: a row each, ordered by any column, and by what somebody typed only some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt

from dpstudio.documents.deployments import COLUMNS, DELTA, EPSILON, NAME, YEAR, ListedDeployment
from dpstudio.gui.facts.table import CellsModel, Index, has_words
from dpstudio.gui.shell import foreign
from dpstudio.text.language import tr

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NUMBERS = (YEAR, EPSILON, DELTA)


class DeploymentsModel(CellsModel):
    """Holds the rows of one study."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ListedDeployment, ...] = ()
        self._cells: list[tuple[str, ...]] = []

    def show(self, rows: Sequence[ListedDeployment]) -> None:
        """Have these; where they are of the same deployments as before, whoever reads one stays there."""
        same = [row.one for row in rows] == [row.one for row in self.rows]
        if not same:
            self.beginResetModel()
        self.rows, self._cells = tuple(rows), [row.cells for row in rows]
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows), len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        text, column = self._cells[index.row()][index.column()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text
            case Qt.ItemDataRole.ToolTipRole:
                return foreign.tip(text)
            case Qt.ItemDataRole.TextAlignmentRole if column in NUMBERS:
                return _RIGHT
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._cells[index.row()][NAME]}: {tr(COLUMNS[column])} {text}" if column else text
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return tr(COLUMNS[section])
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if section in NUMBERS else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class Sifted(QSortFilterProxyModel):
    """The rows that have all words that somebody typed, in the order of a column."""

    def __init__(self, model: DeploymentsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model, self._typed = model, ""
        self.setSourceModel(model)

    def sift(self, typed: str) -> None:
        """Only the rows that have all these words."""
        self._typed = typed
        self.invalidate()

    def rows_at(self, indexes: Iterable[Index]) -> list[ListedDeployment]:
        """The deployments that places in the table are of, each once, from above."""
        places = sorted({index.row() for index in indexes})
        return [self._model.rows[self.mapToSource(self.index(place, 0)).row()] for place in places]

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        return has_words(self._model.rows[row].words, self._typed)

    def lessThan(self, left: Index, right: Index) -> bool:
        one, other = (self._model.rows[each.row()].rank[each.column()] for each in (left, right))
        return bool(one < other)
