"""The facts of an update as a table: one row a quantity, one column a mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpstudio.core.answer import Update
from dpstudio.core.results import Fact, Series, side_of, sign_of, stated
from dpstudio.core.study import Study
from dpstudio.text.numbers import half_width, short
from dpstudio.vocabulary import COMPLEMENTS, UNIT, Interval, Quantity, integers, shorter

Index = QModelIndex | QPersistentModelIndex

NONE = "–"
PENDING = "…"
BELOW_ONE = 2.0**-53
"""From 1 to the number next below it."""


class FactsModel(QAbstractTableModel):
    """Holds the newest facts; rows and columns that come and go with simulation or δ keep their places."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.quantities: list[Quantity] = []
        self.series: list[Series] = []
        self._facts: dict[tuple[str, str | None], Fact] = {}
        self._study: type[Study] | None = None
        self._pending = False

    def show_update(self, update: Update, study: Study) -> None:
        if type(study) is not self._study:
            self._study, old_quantities, old_series = type(study), [], []
        else:
            old_quantities, old_series = self.quantities, self.series
        quantities = _joined(old_quantities, (fact.quantity for fact in update.facts))
        series = _joined(old_series, (fact.series for fact in update.facts if fact.series))
        facts = {(fact.key, fact.series.key if fact.series else None): fact for fact in update.facts}
        self._pending = update.done < update.total
        if quantities == self.quantities and series == self.series:
            self._facts = facts
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.quantities, self.series, self._facts = quantities, series, facts
        self.endResetModel()

    def fact(self, row: int, column: int) -> Fact | None:
        """The fact of a cell: one that is no mechanism's stands in the first column of numbers."""
        key = self.quantities[row].key
        own = self._facts.get((key, self.series[column - 1].key)) if column and self.series else None
        return own or (self._facts.get((key, None)) if column == 1 else None)

    def lack(self, fact: Fact) -> float | None:
        """What a probability lacks to 1, where a fact of its own says it."""
        other = COMPLEMENTS.get(fact.quantity)
        found = self._facts.get((other.key, fact.series.key if fact.series else None)) if other else None
        return found.value if found is not None and found.kind == fact.kind == "exact" else None

    def spanning(self) -> list[int]:
        """Rows whose number belongs to no mechanism."""
        return [row for row, quantity in enumerate(self.quantities) if (quantity.key, None) in self._facts]

    # Qt's side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.quantities)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else max(2, 1 + len(self.series)) if self.quantities else 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        quantity = self.quantities[index.row()]
        if index.column() == 0:
            match role:
                case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                    return quantity.label
                case Qt.ItemDataRole.ToolTipRole:
                    return tip(quantity.symbol, quantity.sentence)
            return None
        fact = self.fact(index.row(), index.column())
        lack = self.lack(fact) if fact else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return shown(fact, lack) if fact else self.absent(quantity)
            case Qt.ItemDataRole.ToolTipRole if fact:
                return tip(f"{quantity.symbol} = {precise(fact.value)}", explained(fact, lack))
            case Qt.ItemDataRole.AccessibleTextRole if fact:
                return f"{quantity.label} {fact.series.label if fact.series else ''} {fact.kind} {shown(fact, lack)}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        series = self.series[section - 1] if 0 < section <= len(self.series) else None
        if orientation is not Qt.Orientation.Horizontal or series is None:
            return None
        return series.label if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) else None

    def absent(self, quantity: Quantity) -> str:
        """A number that is still to be simulated, or one that this mechanism does not have."""
        nobody = not any(key == quantity.key for key, _ in self._facts)
        return PENDING if nobody and self._pending else NONE

    def copied(self, indexes: Iterable[Index]) -> str:
        """The cells at full precision, as tab-separated text that a spreadsheet takes."""
        cells = {(index.row(), index.column()): index for index in indexes}
        rows, columns = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
        return "\n".join("\t".join(self._copied(row, column) if (row, column) in cells else "" for column in columns)
                         for row in rows)

    def copied_whole(self) -> str:
        """Every fact with its headings and with the neighbouring relation that it holds for."""
        heads = ["", *(series.label for series in self.series)]
        columns = range(self.columnCount())
        lines = ["\t".join(heads), *("\t".join(self._copied(row, column) for column in columns)
                                     for row in range(self.rowCount()))]
        relation = f"# {self._study.title}; {self._study.relation}" if self._study else ""
        return "\n".join([relation, *lines])

    def _copied(self, row: int, column: int) -> str:
        if column == 0:
            return self.quantities[row].label
        fact = self.fact(row, column)
        return precise(fact.value) if fact else ""


def shown(fact: Fact, lack: float | None = None) -> str:
    """A fact in a cell: its sign, a few digits, and half its interval where it is an estimate."""
    sign, number, spread = pieces(fact, lack)
    return f"{sign} {number} {spread}".strip()


def pieces(fact: Fact, lack: float | None = None) -> tuple[str, str, str]:
    """Sign, number and “± half the interval”, each of which may be empty but the number.

    The number and its ± hold the whole interval between them.
    """
    number, spread = _number(fact, lack), ""
    if fact.kind == "estimate" and fact.low is not None and fact.high is not None:
        spread = f"± {half_width(number, fact.low, fact.high)}"
    return sign_of(fact), number, spread


def shortened(fact: Fact, lack: float | None = None) -> Iterator[str]:
    """The number in fewer and fewer characters, for where there is no room; a bound stays on its safe side."""
    if not _yes_no(fact):
        yield from shorter(fact.value, fact.quantity, side_of(fact), lack)


def precise(value: float) -> str:
    """Every digit there is, as a spreadsheet reads it."""
    return repr(float(value)).removesuffix(".0")


def explained(fact: Fact, lack: float | None = None) -> str:
    """Kind, interval, formula and source of a number, and what is next to 1 as far as it can be told."""
    known = fact.low is not None and fact.high is not None
    interval = f" in [{precise(fact.low)}, {precise(fact.high)}]" if known else ""  # type: ignore[arg-type]
    parts = (fact.kind + interval, fact.how, _next_to_one(fact, lack), fact.source.key if fact.source else "")
    return "\n".join(part for part in parts if part)


def tip(head: str, text: str) -> str:
    return f"{head}\n{text}"


_YES_NO = integers(0, 1)


def _yes_no(fact: Fact) -> bool:
    return isinstance(fact.quantity.domain, Interval) and fact.quantity.domain == _YES_NO


def _number(fact: Fact, lack: float | None) -> str:
    if _yes_no(fact):
        return "yes" if fact.value else "no"
    return stated(fact, lack)


def _next_to_one(fact: Fact, lack: float | None) -> str:
    """That 1 and the number next below it cannot be told apart, where that matters."""
    if fact.quantity.domain != UNIT or not 1 - 4 * BELOW_ONE <= fact.value <= 1 or fact.kind == "estimate":
        return ""
    if lack is not None:
        return f"1 − {precise(lack)}" if lack else ""
    return f"as far as can be told: numbers this near to 1 are {short(BELOW_ONE, 2)} apart"


def _joined(old: list, new: Iterable) -> list:
    """The old order if it holds everything, else the new one with what is gone after it."""
    fresh = list(dict.fromkeys(new))
    return old if set(fresh) <= set(old) else fresh + [each for each in old if each not in fresh]
