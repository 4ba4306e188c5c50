"""Settings beside each other as a table: a row a fact, a column a setting, the largest difference first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Qt

from dpstudio.core.results import Series
from dpstudio.documents.comparison import ComparedSide, FactLine, table_text, told
from dpstudio.documents.rows import explained, lacking, shown
from dpstudio.gui.facts.model import NONE, PENDING, tip
from dpstudio.gui.facts.table import CellsModel, Index, has_words
from dpstudio.text.language import tr
from dpstudio.text.numbers import exact

REFERENCE = "compared with this"


class ComparisonModel(CellsModel):
    """Holds the lines that the filter, the series and “only what differs” let through."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sides: tuple[ComparedSide, ...] = ()
        self.reference = 0
        self.lines: list[FactLine] = []
        self._all: tuple[FactLine, ...] = ()
        self._series: Series | None = None
        self._typed = ""
        self._differing = False

    def show(self, sides: Sequence[ComparedSide], lines: Iterable[FactLine], reference: int, *,
             in_order: bool = False) -> None:
        """Show a comparison; `in_order` leaves each line where it stands, as under a hand that moves something."""
        found = tuple(lines)
        if in_order:
            before = {_place(line): i for i, line in enumerate(self._all)}
            found = tuple(sorted(found, key=lambda line: before.get(_place(line), len(before))))
        self._all, self.reference = found, reference
        self._arrange(tuple(sides))

    def choose_series(self, series: Series | None) -> None:
        """Only the lines of one series, or all."""
        self._series = series
        self._arrange(self.sides)

    def set_filter(self, text: str) -> None:
        """Only the lines that have all these words in their heading, label, symbol, key or series."""
        self._typed = text
        self._arrange(self.sides)

    def set_differing(self, differing: bool) -> None:
        """Only the lines in which some setting differs from the reference."""
        self._differing = differing
        self._arrange(self.sides)

    def _arrange(self, sides: tuple[ComparedSide, ...]) -> None:
        lines = [line for line in self._all if self._passes(line)]
        same = [_place(line) for line in lines] == [_place(line) for line in self.lines]
        if same and len(sides) == len(self.sides):
            self.sides, self.lines = sides, lines
            if lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, len(sides)))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(sides))
            return
        self.beginResetModel()
        self.sides, self.lines = sides, lines
        self.endResetModel()

    def _passes(self, line: FactLine) -> bool:
        if self._series is not None and line.series != self._series:
            return False
        if self._differing and not (line.weight or any(line.pending)):
            return False
        series = tr(line.series.label) if line.series else ""
        return has_words(f"{line.group} {tr(line.quantity.label)} {line.quantity.symbol} {line.quantity.key} {series}",
                         self._typed)

    @property
    def compared(self) -> tuple[Series, ...]:
        """All that the study compares, by which a series without a look of its own has one."""
        return self.sides[0].study.figures[0].compared if self.sides else ()

    def below(self, side: int) -> str:
        """What stands under a title: what is not allowed, or that all are compared with it."""
        return self.sides[side].refused or (tr(REFERENCE) if side == self.reference else "")

    def cell(self, row: int, column: int) -> tuple[str, str]:
        """What a cell says: a fact, and under it how it differs from the reference."""
        line, i = self.lines[row], column - 1
        fact, changed = line.facts[i], line.changes[i]
        value = (shown(fact, line.lacks[i], lacking=lacking(zip(line.facts, line.lacks, strict=True))) if fact
                 else PENDING if line.pending[i] else NONE)
        return value, told(changed) if changed else ""

    def copied(self, rows: Iterable[int] | None = None) -> str:
        """These lines, or all that are shown, at full precision."""
        lines = self.lines if rows is None else [self.lines[row] for row in sorted(set(rows))]
        return table_text(self.sides, lines, self.reference)

    # Qt's side

    @property
    def size(self) -> tuple[int, int]:
        return len(self.lines), 1 + len(self.sides)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line, column = self.lines[index.row()], index.column()
        series = tr(line.series.label) if line.series else ""
        if column == 0:
            match role:
                case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                    return f"{tr(line.quantity.label)} {series}".strip()
                case Qt.ItemDataRole.ToolTipRole:
                    return tip(line.quantity.symbol, line.quantity.sentence)
            return None
        fact = line.facts[column - 1]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "\n".join(part for part in self.cell(index.row(), column) if part)
            case Qt.ItemDataRole.ToolTipRole if fact:
                return tip(f"{line.quantity.symbol} = {exact(fact.value)}", explained(fact, line.lacks[column - 1]))
            case Qt.ItemDataRole.AccessibleTextRole:
                value, changed = self.cell(index.row(), column)
                kind = f"{fact.kind} " if fact else ""
                return f"{tr(line.quantity.label)} {series} {self.sides[column - 1].title} {kind}{value} {changed}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 < section <= len(self.sides):
            return None
        title = self.sides[section - 1].title
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title
            case Qt.ItemDataRole.AccessibleTextRole:
                refused = self.sides[section - 1].refused
                told = f"{title}, {refused}" if refused else title
                return tr("{title}, the reference", title=told) if section - 1 == self.reference else told
            case Qt.ItemDataRole.ToolTipRole:
                return tip(title, tr("Click: compare with it. Double-click: take its values."))
        return None


def _place(line: FactLine) -> tuple[str, str | None]:
    return line.quantity.key, line.series.key if line.series else None
