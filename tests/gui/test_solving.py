"""Solving in the window: what is wanted is typed or dragged, previewed, taken, and taken back in one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, answered, value

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


def pulled(view, name, by, qtbot, let_go=True):
    """Drag a target of a picture by so many pixels down or across."""
    marks = view.canvas.marks
    placed = next(each for each in marks.marks if each.parameter.name == name)
    x, y = (placed.label.center().x(), placed.at) if placed.axis == "y" else (placed.at, placed.label.center().y())
    start = view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF(x, y)))
    way = QPoint(0, by) if placed.axis == "y" else QPoint(by, 0)
    viewport = view.canvas.viewport()
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + way * step / 10)
        QApplication.processEvents()
    if let_go:
        QTest.mouseRelease(viewport, LEFT, pos=start + way)


def test_that_a_target_dragged_on_a_plot_leads_epsilon_and_is_one_step(bench, qtbot):
    bench.solve(("acceptance", "laplace"))
    solver, view = bench.solver, bench.pictures.view("acceptance")
    qtbot.waitUntil(lambda: solved(solver))
    steps, led = bench.document.steps, []
    bench.document.changed.connect(lambda: led.append(value(bench, "epsilon")))
    pulled(view, "wanted0", 30, qtbot)
    qtbot.waitUntil(lambda: solved(solver) and not bench.document._held)
    want = solver.card.wants[0]
    assert want.value < 0.9
    assert value(bench, "epsilon") < 0.1
    assert want.met(want.miss(bench.document.study.answer().fact("acceptance", "laplace")))
    assert led
    assert bench.document.steps == steps + 1
    assert bench.document.undo_text == "Solve for ε"
    bench.document.undo()
    assert value(bench, "epsilon") == 0.1
