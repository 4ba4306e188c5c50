"""A form for records, such as the releases of a plan: a list of them, and the one that is chosen beside it."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QStackedWidget,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.style import (
    called,
    described,
    in_column,
    in_row,
    prose,
    push,
    refusal_in_words,
    said_as,
    tooltip,
)
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Record, Records, Value
from dpstudio.vocabulary.written_records import LONGEST, LONGEST_NAME

BOX, LIST = (720, 440), 300
"""Pixels of the form and of the list, at normal size of type."""
FIXED = 2
"""Rows that every record has: its name and its kind."""


class RecordsForm(QDialog):
    """Asks for records one by one or, with “As text”, with one on each line; what is refused is said here."""

    def __init__(self, parameter: Parameter, value: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        assert isinstance(parameter.domain, Records)
        self._parameter, self._domain, self._theme = parameter, parameter.domain, theme
        self.value = value
        self.records = list(parameter.domain.records_of(value))
        words = called(parameter.quantity)
        self.setWindowTitle(f"{words[:1].upper()}{words[1:]}")
        self.list = said_as(QListWidget(), words)
        self.list.currentRowChanged.connect(self._choose)
        self.name = QLineEdit(maxLength=LONGEST_NAME)
        self.name.textEdited.connect(lambda text: self._change(name=text))
        self.kind = Drop([kind.key for kind in self._domain.kinds], words=[kind.title for kind in self._domain.kinds])
        self.kind.chosen.connect(self._be)
        self.entries: dict[str, NumberEntry] = {}
        """Of the record that is chosen, by the key of the field."""
        self.add = push(tr("Add"), self._add)
        self.double = push(tr("Duplicate"), self._duplicate)
        self.remove = push(tr("Remove"), self._remove)
        self.as_text = push(tr("As text"), self._turn)
        self.text = TextBox(words, "", LONGEST)
        self.problem = prose(role="warning")
        one, self._one = QWidget(), QWidget()
        self._form = QFormLayout(self._one, labelAlignment=Qt.AlignmentFlag.AlignRight)
        for words_, widget in ((tr("Name"), self.name), (tr("Kind"), self.kind)):
            label = QLabel(words_)
            label.setBuddy(widget)
            said_as(widget, words_)
            self._form.addRow(label, widget)
        self.list.setFixedWidth(theme.px(LIST))
        in_row(in_column(self.list, in_row(self.add, self.double, self.remove, None)), (self._one, 1), within=one)
        self._pages = QStackedWidget()
        self._pages.addWidget(one)
        self._pages.addWidget(self.text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.as_text, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        in_column((self._pages, 1), self.problem, buttons, within=self, edges=None)
        self._list(0)
        self.resize(*map(theme.px, BOX))

    @property
    def textual(self) -> bool:
        """Whether all are edited as one text."""
        return self._pages.currentWidget() is self.text

    def accept(self) -> None:
        """Take what stands there; what is refused stays to be mended."""
        if not self.textual and any(entry.is_refused() for entry in self.entries.values()):
            return
        given = self.text.words if self.textual else self._domain.text_of(self.records)
        try:
            self.value = str(read_entry(self._parameter, given))
        except InvalidParameter as refusal:
            self.problem.setText(foreign.sentence(refusal_in_words(refusal, (self._parameter,))))
        else:
            super().accept()

    def _turn(self) -> None:
        """From one by one to text and back; a text that is wrong stays."""
        self.problem.setText("")
        if not self.textual:
            self.text.setPlainText(self._domain.in_lines(self._domain.text_of(self.records)))
            self._pages.setCurrentWidget(self.text)
            self.as_text.setText(tr("One by one"))
            return
        try:
            self.records = list(self._domain.records_of(str(read_entry(self._parameter, self.text.words))))
        except InvalidParameter as refusal:
            self.problem.setText(foreign.sentence(refusal_in_words(refusal, (self._parameter,))))
            return
        self._pages.setCurrentIndex(0)
        self.as_text.setText(tr("As text"))
        self._list(0)

    # The list

    def _list(self, row: int) -> None:
        """List all anew, and choose one."""
        self.list.blockSignals(True)
        self.list.clear()
        for record in self.records:
            self.list.addItem(self._called(record))
        self.list.blockSignals(False)
        row = min(max(row, 0), len(self.records) - 1)
        self.list.setCurrentRow(row)
        self._choose(row)

    def _called(self, record: Record) -> str:
        return self._domain.text_of([record])

    def _add(self) -> None:
        self.records.append(self._domain.fresh(self._domain.kinds[0].key))
        self._list(len(self.records) - 1)
        self.name.setFocus()

    def _duplicate(self) -> None:
        row = self.list.currentRow()
        self.records.insert(row + 1, self.records[row])
        self._list(row + 1)
        self.name.setFocus()

    def _remove(self) -> None:
        row = self.list.currentRow()
        del self.records[row]
        self._list(row)

    # The one that is chosen

    def _choose(self, row: int) -> None:
        """Show one beside the list."""
        there = 0 <= row < len(self.records)
        full = len(self.records) >= self._domain.most
        self._one.setVisible(there)
        self.remove.setEnabled(there)
        self.double.setEnabled(there and not full)
        self.add.setEnabled(not full)
        self.problem.setText("")
        if there:
            record = self.records[row]
            self.name.setText(record.name)
            self.kind.show_option(record.kind)
            self._show_fields(record)

    def _show_fields(self, record: Record) -> None:
        while self._form.rowCount() > FIXED:
            self._form.removeRow(FIXED)
        self.entries = {}
        for field in self._domain.kind(record.kind).fields:
            declared = Parameter(field.key, field.quantity, field.domain, field.default)
            entry = NumberEntry(declared, self._theme)
            entry.show_number(record.values[field.key])
            entry.edited.connect(lambda key, value, _final: self._set(key, value))
            entry.refused.connect(lambda _key, words: self.problem.setText(foreign.sentence(words)))
            words = tr(field.quantity.label)
            label = said_as(QLabel(f"{words[:1].upper()}{words[1:]}"),
                            tip=tooltip(declared))
            label.setBuddy(said_as(entry, tr(field.quantity.label), tooltip(declared)))
            for each in (label, entry):
                each.setAccessibleDescription(described(declared))
            self._form.addRow(label, entry)
            self.entries[field.key] = entry

    def _change(self, **changes: Any) -> None:
        row = self.list.currentRow()
        self.records[row] = self.records[row]._replace(**changes)
        self.list.item(row).setText(self._called(self.records[row]))

    def _set(self, key: str, value: Value) -> None:
        self._change(values={**self.records[self.list.currentRow()].values, key: value})

    def _be(self, kind: str) -> None:
        """Be of another kind: numbers that both have stay."""
        record = self.records[self.list.currentRow()]
        fresh = self._domain.fresh(kind)
        values = {key: record.values.get(key, value) for key, value in fresh.values.items()}
        self._change(kind=kind, values=values)
        later(self, partial(self._show_fields, self.records[self.list.currentRow()]))
