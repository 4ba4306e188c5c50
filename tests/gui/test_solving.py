"""Solving in the window: what is wanted is typed or dragged, previewed, taken, and taken back in one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_kit import answered, value

KEY = Qt.Key
BAND = ("band_width", "laplace")


@pytest.fixture
def solver(bench, qtbot):
    bench.solve(BAND)
    qtbot.waitUntil(lambda: solved(bench.solver))
    return bench.solver


def solved(solver):
    return solver.found is not None and not solver.lane.busy


def typed(qtbot, solver, text, row=0):
    entry = solver.card.rows[row].entry
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    qtbot.waitUntil(lambda: solved(solver))


def test_that_a_wanted_width_is_typed_taken_and_undone_in_one_step(bench, solver, qtbot):
    before = bench.document.session
    steps = bench.document.steps
    typed(qtbot, solver, "500")
    assert solver.found.words() in solver.card.says.text().replace("\u00a0", " ")
    assert bench.document.session == before
    QTest.keyClick(solver.card.rows[0].entry, KEY.Key_Return)
    answered(qtbot, bench)
    assert bench.document.study.answer().fact(*BAND).value <= 500
    assert bench.document.steps == steps + 1
    assert bench.document.undo_text == "Solve for ε"
    bench.document.undo()
    assert value(bench, "epsilon") == 0.1
