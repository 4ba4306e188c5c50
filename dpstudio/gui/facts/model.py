"""The facts of an update as a table: a row a quantity under its heading, a column a mechanism."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable

from PySide6.QtCore import QObject, Qt

from dpstudio.core.level import LevelOne
from dpstudio.core.results import Fact, Series
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.rows import Row, by_quantity, explained, lacking, shown, table_text
from dpstudio.documents.words import label_at
from dpstudio.gui.facts.table import CellsModel, Index, has_words
from dpstudio.text.language import tr
from dpstudio.text.numbers import exact
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import COMPLEMENTS, Quantity

Place = tuple[str, str | None]
"""Where a fact stands: the keys of its quantity and of its series."""

NONE = "–"
PENDING = "…"


class FactsModel(CellsModel):
    """Holds what is known of the newest answer; rows and columns stay where they are while a hand moves."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[str | Quantity] = []
        """What stands in each row: the heading of a group, or a quantity."""
        self.series: list[Series] = []
        self.turn = 0
        """How often something else was to be shown: what a cell says follows from all facts of its row."""
        self._study: type[Study] | None = None
        self._asked: Study | None = None
        """The study with the values that it was asked at."""
        self._update: Update | None = None
        self._rows: dict[str, Row] = {}
        self._pending: frozenset[Place] = frozenset()
        self._refused: frozenset[str] = frozenset()
        self._compared: frozenset[str] = frozenset()
        self._order: list[tuple[str, Quantity]] = []
        """Every quantity that has a row, with its heading; the filter leaves some out."""
        self._all_series: list[Series] = []
        self._typed = ""
        self.first: LevelOne | None = None
        """What is seen first, where that is all that is shown."""
        self._folded: frozenset[str] = frozenset()
        self._lacking: dict[int, bool] = {}
        """By row, what was found out about its notation: every cell asks."""

    def show_only(self, first: LevelOne | None, folded: frozenset[str]) -> None:
        """Show what is seen first alone, without columns of folded series; or everything, where nothing is first."""
        if (first, folded) == (self.first, self._folded):
            return
        other, self.first, self._folded = first != self.first, first, folded
        if other and self._update is not None and self._asked is not None:
            self._order, self._all_series = [], []
            self.show_update(self._update, self._asked)
        else:
            self._arrange()

    @property
    def decided(self) -> Series | None:
        """What a person decided for."""
        return self._update.answer.decided if self._update else None

    def refused(self, series: Series) -> bool:
        """Whether this is not allowed."""
        return series.key in self._refused

    @property
    def quantities(self) -> list[Quantity]:
        """The quantities that have a row, in order."""
        return [entry for entry in self.entries if isinstance(entry, Quantity)]

    def show_update(self, update: Update, study: Study) -> None:
        """Show what is known of an answer; what is still under way stands as “…”."""
        headed = self.decided, self._refused
        answer, self._update = update.answer, update
        keys = self._keys()
        facts, pending = update.standing(keys)
        every = [each for (key, _), each in answer.index().items() if keys is None or key in keys]
        self._compared, self._refused = frozenset(each.key for each in answer.series()), frozenset(answer.refused)
        named = dict.fromkeys((*answer.series(), *(declared.series for declared in every if declared.series)))
        self._show(facts, study, pending, [(declared.group, declared.quantity) for declared in every], list(named))
        if (self.decided, self._refused) != headed and self.series:  # rows that are new say nothing of their headings
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 1, len(self.series))

    def _keys(self) -> frozenset[str] | None:
        """The quantities that are looked at while a hand moves: those seen first, and what says what one lacks to 1."""
        if self.first is None:
            return None
        return frozenset((*(each.key for each in self.first.facts),
                          *(COMPLEMENTS[each].key for each in self.first.facts if each in COMPLEMENTS)))

    def set_filter(self, text: str) -> None:
        """Show the rows that have all these words in their heading, label, symbol or key."""
        self._typed = text
        self._arrange()

    def _show(self, facts: Collection[Fact], study: Study, pending: Collection[Place],
              order: list[tuple[str, Quantity]], series: list[Series]) -> None:
        if type(study) is not self._study:
            self._study, self._order, self._all_series = type(study), [], []
        had = {quantity for _, quantity in self._order}, set(self._all_series)
        self._rows, self._asked = by_quantity(facts), study
        self._pending = frozenset(pending)
        waiting = {key for key, _ in pending}, {of for _, of in pending}
        known = {fact.series for fact in facts}
        # What is under way keeps its place, and has one from the start.
        fresh = not self._order
        order = list(dict.fromkeys((group, quantity) for group, quantity in order if quantity.key in self._rows
                                   or (quantity.key in waiting[0] and (fresh or quantity in had[0]))))
        kept = list(dict.fromkeys(one for one in series if one in known
                                  or (one.key in waiting[1] and (fresh or one in had[1]))))
        self._order, self._all_series = order, kept
        self._arrange()

    def _arrange(self) -> None:
        """Rows under their headings and columns, as far as the filter lets them through."""
        first, self._lacking = self.first, {}
        self.turn += 1
        if first is None:
            chosen = [(group, each) for group, each in self._order
                      if has_words(f"{group} {tr(each.label)} {each.symbol} {each.key}", self._typed)]
        else:  # by keys: to compare quantities takes longer
            places = {each.key: i for i, each in enumerate(first.facts)}
            chosen = sorted((row for row in self._order if row[1].key in places), key=lambda row: places[row[1].key])
        several = first is None and len({group for group, _ in chosen}) > 1
        entries: list[str | Quantity] = []
        last = ""
        for group, quantity in chosen:
            if several and group != last:
                entries.append(group)
            last = group
            entries.append(quantity)
        keys = {quantity.key for _, quantity in chosen}
        told = {of for key in keys & self._rows.keys() for of in self._rows[key].facts}
        told |= {of for key, of in self._pending if key in keys}
        series = [one for one in self._all_series if one.key in told]
        if first is not None:
            series = self._seen_first(first, series)
        if entries == self.entries and series == self.series:
            if entries:
                # Not the words of rows that are as they were: painting them takes as long as numbers do.
                first_new = int(not any(isinstance(each, Quantity) and each.at for each in entries))
                self.dataChanged.emit(self.index(0, first_new), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.entries, self.series, self._lacking = entries, series, {}
        self.endResetModel()

    def _seen_first(self, first: LevelOne, series: list[Series]) -> list[Series]:
        """The columns that are seen first, in their order, what is not allowed last; and what was decided for."""
        there = {one.key for one in self._update.answer.ones} if self._update else set()
        decided, places = self.decided, {one.key: i for i, one in enumerate(first.series)}
        seen = [one for one in series if one == decided or (one.key in there and one.key not in self._folded)
                or (one.key in places and one.key not in self._compared)]
        return sorted(seen, key=lambda one: (self.refused(one), places.get(one.key, len(places))))

    @property
    def compared(self) -> tuple[Series, ...]:
        """All that the study compares, by which a series without a look of its own has one."""
        return self._study.figures[0].compared if self._study else ()

    def fact(self, row: int, column: int) -> Fact | None:
        """The fact of a cell: one that is no mechanism's stands in the first column of numbers."""
        entry = self.entries[row]
        found = self._rows.get(entry.key) if isinstance(entry, Quantity) else None
        if found is None or not column:
            return None
        own = found.facts.get(self.series[column - 1].key) if self.series else None
        return own or (found.facts.get(None) if column == 1 else None)

    def place(self, row: int, column: int) -> Place | None:
        """Where the fact of a cell stands, known yet or not; of a row's words, the first of its facts."""
        entry = self.entries[row] if row < len(self.entries) else ""
        if isinstance(entry, str) or self._update is None:
            return None
        keys = [one.key for one in self.series]
        of = keys[column - 1:column] if column else keys
        index = self._update.answer.index()
        return next((place for place in ((entry.key, key) for key in (*of, None)) if place in index), None)

    def lack(self, fact: Fact) -> float | None:
        """What a probability lacks to 1, where a fact of its own says it."""
        row = self._rows.get(fact.key)
        return row.lack(fact.series.key if fact.series else None, self._rows) if row else None

    def lacking(self, row: int) -> bool:
        """Whether the probabilities of a row are told by what they lack to 1, as one that is seen needs it."""
        if row not in self._lacking:
            facts = (self.fact(row, column) for column in range(1, self.size[1]))
            self._lacking[row] = lacking((fact, self.lack(fact) if fact else None) for fact in facts)
        return self._lacking[row]

    def spanning(self) -> list[int]:
        """Rows whose number belongs to no mechanism."""
        alone = {key for key, row in self._rows.items() if None in row.facts}
        alone |= {key for key, of in self._pending if of is None}
        return [i for i, entry in enumerate(self.entries) if isinstance(entry, Quantity) and entry.key in alone]

    def headings(self) -> list[int]:
        """Rows that hold the heading of a group."""
        return [i for i, entry in enumerate(self.entries) if isinstance(entry, str)]

    def places(self, rows: Iterable[int]) -> frozenset[Place]:
        """Where the facts of some rows stand, in every column."""
        quantities = [entry.key for row in rows if isinstance(entry := self.entries[row], Quantity)]
        return frozenset((key, of) for key in quantities for of in (None, *(one.key for one in self.series)))

    # Qt's side

    @property
    def size(self) -> tuple[int, int]:
        return len(self.entries), max(2, 1 + len(self.series)) if self.entries else 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self.entries[index.row()], str):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry, column = self.entries[index.row()], index.column()
        if isinstance(entry, str) or column == 0:
            return self._label(entry, role) if column == 0 else None
        fact = self.fact(index.row(), column)
        lack = self.lack(fact) if fact else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return shown(fact, lack, lacking=self.lacking(index.row())) if fact else self.absent(entry, column)
            case Qt.ItemDataRole.ToolTipRole if fact:
                return tip(f"{entry.symbol} = {exact(fact.value)}", explained(fact, lack))
            case Qt.ItemDataRole.AccessibleTextRole if fact:
                said = shown(fact, lack, lacking=self.lacking(index.row()))
                return f"{tr(entry.label)} {tr(fact.series.label) if fact.series else ''} {tr(fact.kind)} {said}"
        return None

    def words(self, quantity: Quantity) -> str:
        """What stands before the numbers of a row: the label, with the value at which it is asked for."""
        return label_at(quantity, self._asked, tr(quantity.label))

    def _label(self, entry: str | Quantity, role: int) -> str | None:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return begun(tr(entry)) if isinstance(entry, str) else self.words(entry)
            case Qt.ItemDataRole.ToolTipRole if isinstance(entry, Quantity):
                sentence = entry.sentence
                return tip(entry.symbol, f"{sentence} {tr('Click to set it (F2).')}" if entry.at else sentence)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        series = self.series[section - 1] if 0 < section <= len(self.series) else None
        if orientation is not Qt.Orientation.Horizontal or series is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"✓ {tr(series.label)}" if series == self.decided else tr(series.label)
        return tr(series.label) if role == Qt.ItemDataRole.ToolTipRole else None

    def absent(self, quantity: Quantity, column: int) -> str:
        """In place of a number: one that is still under way, or one that this mechanism does not have."""
        of = self.series[column - 1].key if self.series else None
        under_way = (quantity.key, of) in self._pending or (column == 1 and (quantity.key, None) in self._pending)
        return PENDING if under_way else NONE

    def copied(self, indexes: Iterable[Index]) -> str:
        """The cells at full precision, as tab-separated text that a spreadsheet takes."""
        cells = {(index.row(), index.column()): index for index in indexes}
        rows, columns = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
        return "\n".join("\t".join(self._copied(row, column) if (row, column) in cells else "" for column in columns)
                         for row in rows)

    def copied_whole(self) -> Generator[None, None, str]:
        """Every fact with its headings and with the neighbouring relation that it holds for, in steps."""
        update = self._update
        if update is None:
            return ""
        for place in update.answer.keys_asked():
            update.fact(*place)
            yield None
        return table_text(update.answer.study, update.facts)

    def _copied(self, row: int, column: int) -> str:
        entry = self.entries[row]
        if column == 0:
            return entry.capitalize() if isinstance(entry, str) else entry.label
        fact = self.fact(row, column)
        return exact(fact.value) if fact else ""


def tip(head: str, text: str) -> str:
    return f"{head}\n{text}"
