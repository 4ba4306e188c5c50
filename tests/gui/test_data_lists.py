"""Groups and the numbers of a column are counted in the dialog, arrive in their studies, and can be counted again."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid
from window_kit import LEFT, answered, open_file, value

from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.data.dialog import DataDialog
from dpstudio.gui.session import counts
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.studies.decision import Decision
from dpstudio.studies.table import Table

CITIES = ("Oslo", "Bergen", "Å 10", "Å 9")
PEOPLE = "person,city,sex,income,born\n" + "".join(
    f"{i // 2},{CITIES[i // 3 % 4]},{'fm'[i % 3 > 0]},{'' if i % 10 == 0 else i % 40 / 2},2000-01-0{i % 3 + 1}\n"
    for i in range(600))
ORDER = ("Bergen", "Oslo", "Å 9", "Å 10")
COUNTS = {name: sum(CITIES[i // 3 % 4] == name for i in range(600)) for name in CITIES}
CELLS = ",".join(f"{name}:{COUNTS[name]}" for name in ORDER)


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def standing_alone(qtbot, kind, path):
    """The dialog without a window behind it, with a file read."""
    dialog = DataDialog(Document(Session(kind)), Settings(), LIGHT)
    dialog.open()
    dialog.begin(str(path))
    qtbot.waitUntil(lambda: dialog._table is not None)
    yield dialog
    if isValid(dialog):
        dialog.reject()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def alone(qtbot, qapp, people):
    """That of the decision."""
    yield from standing_alone(qtbot, Decision, people)


@pytest.fixture
def dialog(bench, qtbot, people):
    """The dialog of a window, with the file read."""
    bench.desk.open_data(str(people))
    dialog = bench.window().findChildren(DataDialog)[-1]
    qtbot.waitUntil(lambda: dialog._table is not None)
    yield dialog
    if dialog in QApplication.topLevelWidgets():
        dialog.reject()


def aim(dialog, title):
    dialog.target.setCurrentIndex(dialog.target.findText(title))


def choose(box, text):
    """Type a column's name as a person does."""
    line = box.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def shown(dialog):
    return dialog.found.number.text().replace("\u202f", "")


def grouped(dialog, qtbot, *by):
    aim(dialog, "Table")
    for box, name in zip(dialog.grouped.boxes, by, strict=False):
        choose(box, name)
    qtbot.waitUntil(dialog.use.isEnabled)


def test_that_table_and_number_ask_for_what_they_need_and_for_nothing_else(alone):
    def seen(*widgets):
        return [each.isVisibleTo(alone) for each in widgets]

    parts = alone.grouped, alone.numbers, alone.action, alone.at_most
    assert seen(*parts) == [False, False, False, True]
    aim(alone, "Table")
    assert seen(*parts) == [True, False, False, True]
    assert alone.asked.text() == "Which records count, if not all"
    assert "Say by which column" in alone.found.told.text()
    assert not alone.use.isEnabled()
    aim(alone, "Number")
    assert seen(*parts) == [False, True, False, False]
    assert "Say of which column" in alone.found.told.text()
    offered = [alone.numbers.boxes[0].itemText(i) for i in range(alone.numbers.boxes[0].count())]
    assert offered == ["no column", "person", "income"], "the others have no numbers"
    aim(alone, "Decision")
    assert seen(*parts) == [False, False, False, True]
    assert "Say which records qualify" in alone.found.told.text()


def test_that_all_records_are_counted_by_groups_and_arrive_in_the_table(dialog, bench, qtbot):
    grouped(dialog, qtbot, "city")
    assert shown(dialog) == "4 groups: 600 in all"
    assert f"Bergen: {COUNTS['Bergen']}, Oslo: {COUNTS['Oslo']}" in dialog.found.told.text()
    assert "Which groups there are is read from the data" in dialog.found.told.text()
    assert dialog.found.picture.isHidden()
    QTest.mouseClick(dialog.use, LEFT)
    assert value(bench, "cells") == CELLS
    origin = bench.document.origin
    assert (origin.by, origin.where, origin.counts) == (("city",), "", ("cells",))
    answered(qtbot, bench)
    assert bench.document.holds_counts


def test_that_a_condition_is_taken_along_and_an_unfinished_one_waits(alone, qtbot):
    grouped(alone, qtbot, "city", "sex")
    assert shown(alone) == "8 groups: 600 in all"
    row = alone.builder.clauses[0]
    choose(row.column, "income")
    row.comparison.setCurrentText("≥")
    qtbot.waitUntil(alone.use.isEnabled)
    QTest.keyClicks(row.value, "10")
    qtbot.waitUntil(lambda: "600" not in shown(alone) and alone.use.isEnabled())
    inside = sum(i % 40 >= 20 and i % 10 > 0 for i in range(600))
    assert shown(alone) == f"8 groups: {inside} in all"
    QTest.mouseClick(alone.builder.add, LEFT)
    assert alone.builder.where == ""
    assert not alone.use.isEnabled(), "the second comparison has no value yet, so not all records are meant"
    QTest.mouseClick(alone.builder.clauses[1].remove, LEFT)
    qtbot.waitUntil(alone.use.isEnabled)
    assert shown(alone) == f"8 groups: {inside} in all"
    row.value.setText("much")
    assert not alone.use.isEnabled()
    assert "must be a number" in alone.builder.problem.text()
    row.value.setText("")
    qtbot.waitUntil(alone.use.isEnabled)
    assert shown(alone) == "8 groups: 600 in all"


def test_that_an_expression_that_is_wrong_waits_too(alone, qtbot):
    grouped(alone, qtbot, "city")
    alone.builder.way._buttons["expression"].click()
    qtbot.waitUntil(alone.use.isEnabled)
    QTest.keyClicks(alone.builder.expression, "income >")
    assert not alone.use.isEnabled()
    QTest.keyClicks(alone.builder.expression, " 100")
    qtbot.waitUntil(alone.use.isEnabled)
    assert shown(alone) == "4 groups: 0 in all"


def test_that_persons_are_counted_in_each_group_and_another_bound_counts_again(alone, qtbot):
    grouped(alone, qtbot, "city")
    choose(alone.person, "person")
    qtbot.waitUntil(lambda: alone.use.isEnabled() and "600" not in shown(alone))
    places = {(i // 2, CITIES[i // 3 % 4]) for i in range(600)}
    assert shown(alone) == f"4 groups: {len(places)} in all"
    bars = {each.label: each.wide for each in alone.found.picture.bars}
    each = [len({CITIES[i // 3 % 4] for i in (2 * person, 2 * person + 1)}) for person in range(300)]
    assert bars == {str(many): each.count(many) for many in (1, 2)}
    assert not alone.found.picture.isHidden()
    assert alone.found.bounds.isHidden()
    assert "nothing bounds in how many groups a person is" in alone.found.told.text()
    alone.at_most.setValue(2)
    qtbot.waitUntil(lambda: alone.use.isEnabled() and shown(alone) == "4 groups: 600 in all")
    QTest.keyClick(alone.bounded, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: alone.use.isEnabled() and "set a bound" in alone.found.told.text())


def test_that_the_numbers_of_a_column_arrive_in_the_number(dialog, bench, qtbot):
    aim(dialog, "Number")
    choose(dialog.numbers.boxes[0], "income")
    qtbot.waitUntil(dialog.use.isEnabled)
    numbers = sorted(i % 40 / 2 for i in range(600) if i % 10)
    assert shown(dialog) == f"{len(numbers)} numbers, {len({*numbers})} different"
    choose(dialog.person, "person")
    qtbot.waitUntil(lambda: dialog.use.isEnabled() and "up to 2 of these" in dialog.found.told.text())
    QTest.mouseClick(dialog.use, LEFT)
    held = {number: numbers.count(number) for number in numbers}
    assert value(bench, "amounts") == ",".join(f"{number:g}×{many}" for number, many in held.items())
    origin = bench.document.origin
    assert (origin.of, origin.person, origin.at_most, origin.by) == ("income", "person", None, ())


def test_that_a_refusal_is_said_by_its_heading_and_nothing_can_be_used(alone, qtbot):
    grouped(alone, qtbot, "city")
    choose(alone.grouped.boxes[1], "city")
    qtbot.waitUntil(alone.use.isEnabled)
    assert shown(alone) == "4 groups: 600 in all", "the same column twice is that column"
    alone.grouped.boxes[0].setCurrentIndex(0)
    alone.grouped.boxes[1].setCurrentIndex(0)
    assert not alone.use.isEnabled()
    choose(alone.grouped.boxes[0], "income")
    qtbot.waitUntil(alone.use.isEnabled)
    alone._refuse(alone.worded(refusal_of("by")))
    assert alone.found.told.text().startswith("“Grouped by” must be")


def refusal_of(name):
    from dpstudio.core.declare import InvalidParameter

    return InvalidParameter(name, "another column", "x")


@pytest.mark.parametrize("study", ["Table", "Number"])
def test_that_a_session_counts_again_and_no_file_holds_the_list(dialog, bench, qtbot, questions, tmp_path, study):
    if study == "Table":
        grouped(dialog, qtbot, "city", "sex")
    else:
        aim(dialog, "Number")
        choose(dialog.numbers.boxes[0], "income")
    dialog.builder.way._buttons["expression"].click()
    QTest.keyClicks(dialog.builder.expression, "sex = 'f'")
    dialog._pause.stop()
    dialog._count()
    qtbot.waitUntil(dialog.use.isEnabled)
    QTest.mouseClick(dialog.use, LEFT)
    name = bench.document.origin.counts[0]
    held = value(bench, name)
    assert "," in held
    bench.files.path = tmp_path / "mine.dpstudio"
    with qtbot.waitSignal(bench.files.said,
                          check_params_cb=lambda told: "names the table, the condition and the columns" in told):
        assert bench.files.save()
    written = json.loads((tmp_path / "mine.dpstudio").read_text())
    assert held not in (tmp_path / "mine.dpstudio").read_text()
    data = written["studies"][study.lower()]["data"]
    assert (data.get("by"), data.get("of")) == ((["city", "sex"], None) if study == "Table" else (None, "income"))
    assert session_file.load(tmp_path / "mine.dpstudio").state().setting.set_here == {}
    bench.document.do("Reset all", Session.apply, {})
    questions.expect("Discard")
    open_file(qtbot, bench, tmp_path / "mine.dpstudio")
    notice = bench.window_.notice
    assert "leaves exact counts" in notice.label.text()
    assert "where sex = 'f'" in notice.label.text()
    QTest.mouseClick(notice.button, LEFT)
    again = bench.window().findChildren(DataDialog)[-1]
    qtbot.waitUntil(again.use.isEnabled)
    assert again.target.currentText() == study
    QTest.mouseClick(again.use, LEFT)
    assert value(bench, name) == held


def test_that_long_lists_that_were_moved_are_known_for_some_moves_and_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(counts, "SIGNS", 1_000)
    known = counts.KnownCounts()
    origin = Origin("a.csv", "ab" * 32, "", by=("city",), counts=("cells",))
    session = Session.of(Table).take({"cells": "a:1"}, origin)
    known.learn([session.state()])
    texts = [",".join(f"c{i}:{10**9 + i}" for i in range(20)) + f",x:{step}" for step in range(30)]
    for text in texts:
        session = known.marked(session.set("cells", text), session)
    held = {value for _, _, value in known.values}
    assert {"a:1", *texts[-20:]} == held
    for step in range(30):
        session = known.marked(session.set("cells", f"a:{step + 2}"), session)
    assert {f"a:{step + 2}" for step in range(30)} < {value for _, _, value in known.values}


def test_that_the_dialog_remembers_groups_for_this_run(alone, qtbot, people):
    grouped(alone, qtbot, "city", "sex")
    alone.reject()
    dialog = DataDialog(alone._document, alone._settings, LIGHT)
    dialog.open()
    dialog.begin(str(people))
    qtbot.waitUntil(dialog.use.isEnabled)
    assert (dialog.grouped.chosen, dialog.target.currentText(), dialog.builder.where) == (("city", "sex"), "Table", "")
    assert shown(dialog) == "8 groups: 600 in all"
    dialog.reject()


ODD = "a b,a  b,no column,x\n" + "".join(f"{i % 3},{i % 2},{i % 5},{i}\n" for i in range(30))


@pytest.fixture
def odd(qtbot, qapp, tmp_path):
    """The dialog with a file in which two columns read alike and one is called as if it were none."""
    path = tmp_path / "odd.csv"
    path.write_text(ODD)
    yield from standing_alone(qtbot, Table, path)


@pytest.mark.parametrize(("index", "column", "cells"), [(1, "a b", "0:10,1:10,2:10"), (2, "a  b", "0:15,1:15"),
                                                        (3, "no column", "0:6,1:6,2:6,3:6,4:6")])
@pytest.mark.parametrize("returned", [False, True])
def test_that_the_column_that_was_chosen_is_taken_of_several_that_read_alike(odd, qtbot, index, column, cells,
                                                                            returned):
    box = odd.grouped.boxes[0]
    box.setCurrentIndex(index)
    if returned:
        box.lineEdit().setFocus()
        QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
        assert box.currentIndex() == index
    qtbot.waitUntil(odd.use.isEnabled)
    with qtbot.waitSignal(odd.used) as used:
        QTest.mouseClick(odd.use, LEFT)
    _, values, origin = used.args
    assert (values, origin.by) == ({"cells": cells}, (column,))


def again(dialog, qtbot, path, origin=None):
    """The dialog once more, for the same file or for an earlier count."""
    document, settings = dialog._document, dialog._settings
    if isValid(dialog):
        dialog.reject()
    made = DataDialog(document, settings, LIGHT)
    made.open()
    made.begin(str(path), origin)
    qtbot.waitUntil(lambda: made._table is not None)
    return made


@pytest.mark.parametrize("name", ["a  b", "a\tb", "a\nb"])
def test_that_a_column_of_persons_of_whatever_name_comes_back_with_its_bound(alone, qtbot, tmp_path, name):
    path = tmp_path / "named.csv"
    path.write_text(f'"a b","{name}",x\n1,2,3\n')
    origin = Origin("named.csv", "", "x > 0", name, 7, counts=("records",))
    dialog = again(alone, qtbot, path, origin)
    assert (dialog._person, dialog.bounded.isChecked(), dialog._at_most) == (name, True, 7)
    dialog.reject()


@pytest.mark.parametrize(("asked", "names"), [
    ({"person": "id", "at_most": 2}, "'id', and this file has no such column"),
    ({"by": ("city", "town"), "where": "", "counts": ("cells",)}, "'town', and this file has no such column"),
    ({"of": "city", "where": "", "counts": ("amounts",)}, "'city', and this file has no such column"),
    ({"person": "id", "at_most": 2, "by": ("town",)}, "'id' and 'town', and this file has no such columns")])
def test_that_nothing_is_counted_again_without_a_column_that_is_gone(alone, qtbot, people, asked, names):
    dialog = again(alone, qtbot, people, Origin(**{"file": "people.csv", "sha256": "", "where": "income > 1", **asked}))
    told = f"What was counted before asked for {names}: change something to count without."
    assert dialog.found.told.text() == told
    qtbot.wait(400)
    assert dialog.found.told.text() == told
    assert not dialog.use.isEnabled()
    aim(dialog, "Table")
    dialog.grouped.boxes[0].setCurrentIndex(3)
    qtbot.waitUntil(dialog.use.isEnabled, timeout=5000)
    dialog.reject()


def test_that_numbers_leave_the_bound_of_each_person_as_it_stands(alone, qtbot, people):
    aim(alone, "Number")
    choose(alone.numbers.boxes[0], "income")
    choose(alone.person, "person")
    qtbot.waitUntil(alone.use.isEnabled)
    assert alone.bounded.isChecked()
    with qtbot.waitSignal(alone.used) as used:
        QTest.mouseClick(alone.use, LEFT)
    for origin in (None, used.args[2]):
        dialog = again(alone, qtbot, people, origin)
        assert (dialog.target.currentText(), dialog._person) == ("Number", "person")
        aim(dialog, "Decision")
        assert (dialog.bounded.isChecked(), dialog._at_most) == (True, 1)
        aim(dialog, "Number")
        dialog.reject()


@pytest.mark.parametrize("texts", [("inf", "-inf"), ("1e300", "-1e16")])
def test_that_nothing_can_be_used_where_the_study_takes_none_of_the_numbers(alone, qtbot, tmp_path, texts):
    path = tmp_path / "huge.csv"
    path.write_text("x\n" + "\n".join(texts) + "\n")
    dialog = again(alone, qtbot, path)
    aim(dialog, "Number")
    dialog.numbers.boxes[0].setCurrentIndex(1)
    qtbot.waitUntil(lambda: shown(dialog).startswith("0 numbers"))
    assert dialog.found.told.text().startswith("“Numbers of” must be a column of numbers, got 'x' (no row that counts "
                                               "has one that the study takes).\n\nNone of 2 rows")
    assert not dialog.use.isEnabled()
    dialog.reject()


def test_that_what_a_study_refuses_cannot_be_used_and_why_is_said_before_what_was_counted(alone, qtbot):
    aim(alone, "Test")
    choose(alone.builder.clauses[0].column, "person")
    alone.builder.clauses[0].comparison.setCurrentText("≥")
    QTest.keyClicks(alone.builder.clauses[0].value, "0")
    qtbot.waitUntil(lambda: shown(alone) == "N = 600")
    assert alone.found.told.text().startswith("Alternative must be a share in (0, 1), got 1.0 (some must be counted ")
    assert not alone.use.isEnabled()
    alone.builder.clauses[0].value.setText("100")
    qtbot.waitUntil(alone.use.isEnabled)
