"""A condition put together from columns, comparisons and values, or written as an expression."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn
from dpstudio.data.condition import tree
from dpstudio.data.condition.clauses import joined
from dpstudio.data.condition.parser import parse
from dpstudio.gui.controls.choice import Choice
from dpstudio.gui.controls.style import restyle
from dpstudio.gui.data.clause_row import ClauseRow

MOST_CLAUSES = 5
_BY_HAND = "a condition, such as age >= 65 and sex = 'f'"


class ConditionBuilder(QWidget):
    """Comparisons of which all or any must hold; the expression they make is shown, and may be written instead."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[FileColumn, ...] = ()
        self._names = QStringListModel(self)
        self.clauses: list[ClauseRow] = []
        self.way = Choice(("comparisons", "expression"))
        self.way.setAccessibleName("How the condition is given")
        self.how = Choice(("all", "any"))
        self.how.setAccessibleName("How many comparisons must hold")
        self.add = QPushButton("Add comparison")
        self.add.clicked.connect(self.add_clause)
        self.expression = QLineEdit(placeholderText=_BY_HAND)
        self.expression.setAccessibleName("Condition as an expression")
        self.problem = QLabel(wordWrap=True)
        self.problem.setTextFormat(self.problem.textFormat().PlainText)
        self.problem.setProperty("role", "danger")
        self.problem.setAccessibleName("What is wrong with the condition")
        self._by_hand, self._joining = False, "all"
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self.how.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._below = QWidget()
        below = QHBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(8)
        for widget in (self.add, QLabel("of which"), self.how, QLabel("must hold")):
            below.addWidget(widget)
        below.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.way)
        column.addLayout(self._rows)
        column.addWidget(self._below)
        column.addWidget(self.expression)
        column.addWidget(self.problem)
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
        self.expression.setText(where)
        self._choose_way("expression" if where else "comparisons")

    def add_clause(self) -> ClauseRow:
        row = ClauseRow(self.columns, self._names)
        self.clauses.append(row)
        self._rows.addWidget(row)
        row.changed.connect(self._built)
        row.removed.connect(lambda: self._remove(row))
        self._fit()
        self._built()
        row.column.setFocus()
        return row

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
                problem = str(refusal)
        self.problem.setText(problem)
        self.expression.setProperty("refused", bool(problem) and self._by_hand)
        restyle(self.expression)
        return made

    def _refusal(self) -> str:
        """Why the comparisons make no condition; one that is not finished is no mistake yet."""
        problem = ""
        for row in self.clauses:
            try:
                unfinished = not row.text
            except InvalidParameter as refusal:
                unfinished = not row.value.text().strip()
                problem = problem or ("" if unfinished else str(refusal))
                row.mark(not unfinished)
            else:
                row.mark(False)
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
