"""Records are edited one by one beside their list, or as text; what is refused stays to be mended."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.vocabulary import POSITIVE, Quantity, RecordField, RecordKind, Records, integers

WITHIN = RecordField("within", Quantity("within", "t", "within ±", "Half width.", POSITIVE))
TIMES = RecordField("times", Quantity("times", "k", "times per year", "How often.", integers(1, 1000)), 1)
CELLS = RecordField("groups", Quantity("groups", "K", "groups", "How many groups.", integers(1, 10**5)))
PLAN = Records("releases", (RecordKind("count", "Count", (WITHIN, TIMES)),
                            RecordKind("table", "Table", (WITHIN, CELLS, TIMES))), 4)
RELEASES = Parameter("releases", Quantity("releases", "", "releases", "What is released.", PLAN), PLAN, "none")
TWO = "visits: count within=30;regions: table within=10 groups=12"


@pytest.fixture
def control(qtbot):
    made = make_control(RELEASES, LIGHT)
    qtbot.addWidget(made)
    made.edits = []
    made.edited.connect(lambda _name, value, _final: made.edits.append(value))
    made.show_value(TWO, True)
    made.show()
    return made


@pytest.fixture
def form(control, qtbot):
    made = control.open_lines()
    qtbot.waitExposed(made)
    return made


def listed(form):
    return [form.list.item(row).text() for row in range(form.list.count())]


def typed(entry, text):
    QCoreApplication.processEvents()  # what was just made is shown then
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Tab)


def test_that_all_are_listed_and_the_first_is_chosen(form):
    assert listed(form) == TWO.split(";")
    assert form.list.currentRow() == 0
    assert form.name.text() == "visits"
    assert {key: entry.number for key, entry in form.entries.items()} == {"within": 30, "times": 1}


def test_that_numbers_of_the_one_that_is_chosen_are_typed(form, control):
    typed(form.entries["within"], "12.5")
    typed(form.entries["times"], "12")
    form.list.setCurrentRow(1)
    typed(form.entries["groups"], "20")
    form.accept()
    assert control.edits == ["visits: count within=12.5 times=12;regions: table within=10 groups=20"]


def test_that_a_name_with_signs_of_the_grammar_stays_the_name_of_one(form, control):
    typed(form.name, "x: count within=5; y")
    assert listed(form)[0] == "x count within 5 y: count within=30"
    form.accept()
    assert control.edits == ["x count within 5 y: count within=30;regions: table within=10 groups=12"]


def test_that_a_number_that_is_wrong_stays_to_be_mended(form, control):
    typed(form.entries["within"], "0")
    assert form.problem.text() == "t (within ±) must be in (0, ∞), got 0"
    form.accept()
    assert form.isVisible()
    assert control.edits == []
    typed(form.entries["within"], "5")
    assert not form.problem.text()
    form.accept()
    assert control.edits == ["visits: count within=5;regions: table within=10 groups=12"]


def test_that_another_kind_keeps_what_both_have(form, control, qtbot):
    form.kind.chosen.emit("table")
    qtbot.waitUntil(lambda: "groups" in form.entries)
    form.accept()
    assert control.edits == ["visits: table within=30 groups=10;regions: table within=10 groups=12"]


def test_that_records_are_added_doubled_renamed_and_removed(form, control):
    form.double.click()
    assert listed(form)[1] == listed(form)[0]
    typed(form.name, "again")
    form.list.setCurrentRow(2)
    form.remove.click()
    form.add.click()
    assert listed(form) == ["visits: count within=30", "again: count within=30", "count within=10"]
    form.accept()
    assert control.edits == ["visits: count within=30;again: count within=30;count within=10"]


def test_that_there_are_never_more_than_fit(form):
    while form.add.isEnabled():
        form.add.click()
    assert len(listed(form)) == PLAN.most
    assert not form.double.isEnabled()


def test_that_none_is_left_after_the_last_is_removed(form, control):
    form.remove.click()
    form.remove.click()
    assert listed(form) == []
    assert not form.remove.isEnabled()
    assert not form.double.isEnabled()
    form.accept()
    assert control.edits == ["none"]


def test_that_text_and_form_say_the_same(form, control):
    form.as_text.click()
    assert form.text.words == TWO.replace(";", "\n")
    form.text.setPlainText("a: count within=1\nb: count within")
    form.as_text.click()
    assert form.textual
    assert form.problem.text().endswith("('within' is no FIELD=NUMBER)")
    form.text.setPlainText("a: count within=1\nb: count within=2")
    form.as_text.click()
    assert not form.textual
    assert listed(form) == ["a: count within=1", "b: count within=2"]
    form.as_text.click()
    form.text.setPlainText("c: count within=3")
    form.accept()
    assert control.edits == ["c: count within=3"]


def test_that_every_entry_has_a_label_and_a_name(form):
    buddies = {label.buddy() for label in form.findChildren(QLabel)}
    for entry in (form.name, form.kind, *form.entries.values()):
        assert entry in buddies
        assert entry.accessibleName()


def test_that_leaving_changes_nothing(form, control):
    form.add.click()
    form.reject()
    assert control.edits == []
