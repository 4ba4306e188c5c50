"""Lists of numbers in the window: typed in a line, pasted as columns, edited in lines, said in short where long."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.vocabulary import Listed, Quantity

COUNTS = Listed("counts", 0, 1e12, whole=True, named=True)
CELLS = Parameter("cells", Quantity("cells", "n", "counts of groups n", "How many are in each group.", COUNTS), COUNTS,
                  "none")
LONG = ",".join(str(each % 90) for each in range(300))


@pytest.fixture
def control(qtbot):
    made = make_control(CELLS, LIGHT)
    qtbot.addWidget(made)
    made.edits = []
    made.edited.connect(lambda _name, value, _final: made.edits.append(value))
    made.show_value("12,5", True)
    made.show()
    return made


def typed(control, text) -> None:
    control.entry.selectAll()
    QTest.keyClicks(control.entry, text)
    QTest.keyClick(control.entry, Qt.Key.Key_Return)


def pasted(control, text) -> None:
    QGuiApplication.clipboard().setText(text)
    control.entry.selectAll()
    QTest.keyClick(control.entry, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_that_a_list_is_typed_as_it_comes(control):
    assert control.entry.text() == "12, 5"
    typed(control, "3 ; 4x2; b: 1")
    assert control.edits == ["3,4×2,b:1"]
    assert not control.refusal()


def test_that_what_is_no_list_stays_to_be_mended_and_changes_nothing(control):
    typed(control, "3, -4")
    assert control.edits == []
    assert control.entry.text() == "3, -4"
    assert control.refusal().endswith("(-4 is none of these)")


def test_that_columns_of_a_table_are_pasted_whole(control):
    pasted(control, "Oslo\t120\r\nBergen\t31\r\n")
    assert control.edits == ["Oslo:120,Bergen:31"]
    pasted(control, LONG)
    assert control.edits[-1] == LONG


def test_that_columns_without_numbers_are_refused_and_change_nothing(control):
    pasted(control, "Oslo\nBergen\n")
    assert control.edits == []
    assert control.refusal().endswith("('Oslo' is no number)")
    assert "\n" not in control.refusal()


def test_that_a_long_list_is_said_in_short_and_edited_in_lines(control, qtbot):
    control.show_value(LONG, True)
    assert control.entry.text() == "300 counts, 0 to 89"
    assert control.entry.isReadOnly()
    form = control.open_lines()
    assert form.text.words.split("\n") == LONG.split(",")
    form.text.setPlainText("7\nOslo: 9\n\n")
    form.accept()
    assert control.edits == ["7,Oslo:9"]
    assert not form.isVisible()


def test_that_a_line_that_is_wrong_stays_in_the_box(control):
    form = control.open_lines()
    form.text.setPlainText("7\neight")
    form.accept()
    assert form.isVisible()
    assert form.problem.text().endswith("('eight' is no number)")
    assert control.edits == []
    form.text.setPlainText("7\n8")
    assert not form.problem.text()
    form.accept()
    assert control.edits == ["7,8"]


def test_that_a_list_that_was_long_is_edited_in_the_line_again(control):
    control.show_value(LONG, True)
    control.show_value("1,2", True)
    assert not control.entry.isReadOnly()
    typed(control, "3")
    assert control.edits == ["3"]


def test_that_a_long_list_is_named_in_short_where_it_is_said():
    assert CELLS.said(LONG) == "300 counts, 0 to 89"
    assert CELLS.said("12,5") == "12, 5"
    assert CELLS.said("none") == "none"
