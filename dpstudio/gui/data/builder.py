"""A condition put together from columns, comparisons and values, or written as an expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn
from dpstudio.data.condition import tree
from dpstudio.data.condition.clauses import clause, comparisons, joined, needs_value, taken_apart
from dpstudio.data.condition.parser import parse
from dpstudio.gui.controls.choices import choice_box
from dpstudio.gui.controls.style import (
    Combo,
    in_column,
    in_row,
    mark_refused,
    no_narrower,
    prose,
    push,
    refill,
    said_as,
    sign_button,
)
from dpstudio.gui.shell.later import later
from dpstudio.text.language import tr

MOST_CLAUSES = 5
_BY_HAND = "a condition, such as age >= 65 and sex = 'f'"
_DAYS = {"date": "2026-11-21", "time": "2026-11-21 09:30"}


class ColumnBox(QComboBox):
    """A column by name; typing finds it among thousands."""

    def __init__(self, names: QStringListModel, accessible: str) -> None:
        super().__init__(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert, duplicatesEnabled=True)
        self.setModel(names)
        no_narrower(said_as(self, accessible), 14)
        completer, line = self.completer(), self.lineEdit()
        assert completer is not None
        assert line is not None
        said_as(line, accessible)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        line.editingFinished.connect(self.settle)
        self.currentIndexChanged.connect(lambda: line.setCursorPosition(0))  # of a long name the beginning is seen

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever comes to it types in the place of what stands there, by mouse as by keyboard."""
        super().focusInEvent(event)
        if line := self.lineEdit():
            later(line, line.selectAll)  # the click that comes with it puts the caret first

    def settle(self) -> None:
        """What is typed is a column, or the beginning of one and of no other; else the last one returns."""
        if self.currentText() == self.itemText(self.currentIndex()):
            return  # of several that read alike the first would be found
        typed = self.currentText().casefold()
        names = [self.itemText(i) for i in range(self.count())]
        found = self.findText(self.currentText())
        begun = [i for i, name in enumerate(names) if typed and name.casefold().startswith(typed)]
        if found >= 0 or len(begun) == 1:
            self.setCurrentIndex(found if found >= 0 else begun[0])
        self.setEditText(self.itemText(self.currentIndex()))


class ClauseRow(QWidget):
    """One comparison: a column, what is asked of it, and a value."""

    changed = Signal()

    def __init__(self, columns: Sequence[FileColumn], names: QStringListModel) -> None:
        super().__init__()
        self._columns = columns
        self.column = ColumnBox(names, tr("Column"))
        self.comparison = said_as(Combo(), tr("Comparison"))
        self.value = said_as(QLineEdit(), tr("Value"))
        self.remove = sign_button("×", tr("Remove this comparison"), tr("Remove this comparison"))
        in_row((self.column, 3), (self.comparison, 2), (self.value, 3), self.remove, within=self)
        self.column.currentIndexChanged.connect(self._ask)
        self.comparison.currentIndexChanged.connect(self._show_value)
        self.value.textChanged.connect(self.changed)
        self._ask()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What has the keyboard, in its order."""
        return self.column, self.comparison, self.value, self.remove

    @property
    def text(self) -> str:
        """The clause; raises InvalidParameter, also while there is no value yet."""
        column = self._columns[max(0, self.column.currentIndex())]
        return clause(column, self.comparison.currentData(), self.value.text())

    def show_clause(self, column: FileColumn, comparison: str, value: str) -> None:
        """Ask this."""
        self.column.setCurrentIndex(self._columns.index(column))
        self.comparison.setCurrentIndex(self.comparison.findData(comparison))
        self.value.setText(value)

    def _ask(self) -> None:
        column = self._columns[max(0, self.column.currentIndex())]
        refill(self.comparison, [(tr(each), each) for each in comparisons(column)])
        hints = {"number": tr("a number"), "text": tr("a text"), **_DAYS}
        self.value.setPlaceholderText(hints.get(column.kind, ""))
        self._show_value()

    def _show_value(self) -> None:
        self.value.setEnabled(needs_value(self.comparison.currentData() or ""))
        self.changed.emit()


class ConditionBuilder(QWidget):
    """Comparisons of which all or any must hold; the expression they make is shown, and may be written instead."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[FileColumn, ...] = ()
        self.worded: Callable[[InvalidParameter], str] = str
        """How a refusal is said: by what stands on the screen."""
        self._names = QStringListModel(self)
        self.clauses: list[ClauseRow] = []
        ways = choice_box(("comparisons", "expression"), (tr("comparisons"), tr("expression")))
        self.way = said_as(ways, tr("How the condition is given"))
        self.how = said_as(choice_box(("all", "any"), (tr("all"), tr("any"))), tr("How many comparisons must hold"))
        self.add = push(tr("Add comparison"), self.add_clause)
        self.expression = said_as(QLineEdit(placeholderText=tr(_BY_HAND)), tr("Condition as an expression"))
        self.problem = prose(name=tr("What is wrong with the condition"), role="danger")
        self._by_hand, self._joining = False, "all"
        self._rows = in_column(gap=4)
        self.how.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._below = QWidget()
        in_row(self.add, QLabel(tr("of which")), self.how, QLabel(tr("must hold")), None, within=self._below, gap=8)
        in_column(self.way, self._rows, self._below, self.expression, self.problem, within=self, gap=6)
        self.way.chosen.connect(self._choose_way)
        self.how.chosen.connect(self._choose_how)
        self.expression.textEdited.connect(self.changed)
        self.how.show_option("all")
        self._choose_way("comparisons")

    def show_columns(self, columns: Sequence[FileColumn], where: str = "") -> None:
        """Begin anew with these columns, and with a condition if there is one."""
        for row in list(self.clauses):
            self._remove(row, quietly=True)
        self.columns = tuple(columns)
        self._names.setStringList([" ".join(column.name.split()) for column in columns])
        apart = taken_apart(where, columns) if where else None
        if apart is not None and len(apart[0]) <= MOST_CLAUSES:
            self._joining = apart[1]
            self.how.show_option(self._joining)
            for each in apart[0]:
                self.add_clause().show_clause(*each)
        else:
            self.expression.setText(where)
        self._choose_way("expression" if where and not self.clauses else "comparisons")

    def add_clause(self) -> ClauseRow:
        row = ClauseRow(self.columns, self._names)
        self.clauses.append(row)
        self._rows.addWidget(row)
        row.changed.connect(self._built)
        row.remove.clicked.connect(lambda: self._remove(row))
        before = self.way.findChildren(QAbstractButton)[-1]  # a row of buttons as a whole is no place to Qt
        for stop, following in pairwise((before, *(part for each in self.clauses for part in each.parts))):
            QWidget.setTabOrder(stop, following)
        self._fit()
        self._built()
        row.column.setFocus()
        return row

    @property
    def untouched(self) -> bool:
        """Whether nothing was asked, and nothing begun to be."""
        begun = not self._by_hand and (len(self.clauses) > 1 or any(row.value.text().strip() for row in self.clauses))
        return not self.where and not begun

    @property
    def where(self) -> str:
        return self.expression.text().strip()

    def condition(self) -> tree.Condition | None:
        """The condition, or None while there is none; what is wrong with it is shown."""
        problem, made = "", None
        if not self._by_hand:
            problem = self._refusal()
        if not problem and self.where:
            try:
                made = parse(self.where, self.columns)
            except InvalidParameter as refusal:
                problem = self.worded(refusal)
        self.problem.setText(problem)
        mark_refused(self.expression, bool(problem) and self._by_hand)
        return made

    def _refusal(self) -> str:
        """Why the comparisons make no condition; one that is not finished is no mistake yet."""
        problem = ""
        for row in self.clauses:
            try:
                unfinished = not row.text
            except InvalidParameter as refusal:
                unfinished = not row.value.text().strip()
                problem = problem or ("" if unfinished else self.worded(refusal))
                mark_refused(row.value, not unfinished)
            else:
                mark_refused(row.value, False)
        return problem

    def _built(self) -> None:
        """Let the expression say what the comparisons say."""
        if self._by_hand:
            return
        texts = []
        for row in self.clauses:
            try:
                texts.append(row.text)
            except InvalidParameter:
                texts = []
                break
        self.expression.setText(joined(texts, self._joining))
        self.changed.emit()

    def _remove(self, row: ClauseRow, *, quietly: bool = False) -> None:
        self.clauses.remove(row)
        self._rows.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._fit()
        if not quietly:
            self.add.setFocus()
            self._built()

    def _fit(self) -> None:
        self.add.setEnabled(len(self.clauses) < MOST_CLAUSES and bool(self.columns))

    def _choose_how(self, how: str) -> None:
        self._joining = how
        self.how.show_option(how)
        self._built()

    def _choose_way(self, way: str) -> None:
        self.way.show_option(way)
        self._by_hand = way == "expression"
        for row in self.clauses:
            row.setVisible(not self._by_hand)
        self._below.setVisible(not self._by_hand)
        self.expression.setReadOnly(not self._by_hand)
        if not self._by_hand:
            if self.columns and not self.clauses:
                self.add_clause()
            self._built()
        else:
            self.expression.setFocus()
        self.changed.emit()
