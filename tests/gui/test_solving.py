"""Solving in the window: what is wanted is typed or dragged, previewed, taken, and taken back in one step."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, answered, closed, drag_slider, opened, value

from dpstudio import vocabulary as v
from dpstudio.gui.plot.labels import Aimed
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.gui.solve.question import Reply

KEY = Qt.Key
BAND, ACCEPTED = ("band_width", "laplace"), ("acceptance", "laplace")


def solved(solver):
    return solver.found is not None and not solver.worker.busy


def opened_for(bench, qtbot, place):
    bench.solve(place)
    qtbot.waitUntil(lambda: solved(bench.solver))
    return bench.solver


def typed(qtbot, solver, text):
    entry = solver.card.rows[0].entry
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    qtbot.waitUntil(lambda: solved(solver) and solver.found.question.wants == solver.card.wants)


def targets(bench):
    return [placed for view in bench.pictures.views for placed in view.canvas.marks.marks if isinstance(placed, Aimed)]


def pulled(view, way):
    """Drag the target of a picture."""
    placed = next(each for each in view.canvas.marks.marks if isinstance(each, Aimed))
    x, y = (placed.label.center().x(), placed.at) if placed.axis == "y" else (placed.at, placed.label.center().y())
    start = view.canvas.mapFromScene(view.canvas.box.mapToScene(QPointF(x, y)))
    viewport = view.canvas.viewport()
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(viewport, start + way * step / 10)
        QApplication.processEvents()
    QTest.mouseRelease(viewport, LEFT, pos=start + way)


def test_that_a_fact_of_the_table_is_solved_for_previewed_taken_and_undone_in_one_step(bench, qtbot):
    table, document = bench.facts, bench.document
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    table.setCurrentIndex(table.facts.index(table.facts.entries.index(v.BAND_WIDTH), 1))
    table.setFocus()
    QTest.keyClick(bench.window_.windowHandle(), KEY.Key_L, Qt.KeyboardModifier.ControlModifier)
    solver = bench.solver
    assert solver.card.rows[0].facts.place == BAND
    assert bench.window_.focusWidget() is solver.card.rows[0].entry
    before, steps = document.session, document.steps
    typed(qtbot, solver, "500")
    previewed = f"preview: {solver.found.words()}"
    qtbot.waitUntil(lambda: solver.preview.pinned is not None and solver.preview.pinned.title == previewed)
    assert solver.preview.pinned.update.study.epsilon == solver.found.every[0]["epsilon"]
    assert tuple(bench.pictures.view("acceptance")._look.pins) == (solver.preview.pinned,)
    assert document.session is before
    assert not bench.window_.isWindowModified()
    QTest.keyClick(solver.card.rows[0].entry, KEY.Key_Return)
    answered(qtbot, bench)
    assert document.study.answer().fact(*BAND).value <= 500
    assert document.study.answer().fact(*BAND).value > 490
    assert (document.steps, document.undo_text) == (steps + 1, "Solve for ε")
    assert not solver.is_open
    assert tuple(bench.pictures.view("acceptance")._look.pins) == ()
    document.undo()
    assert document.session == before


def test_that_a_target_dragged_on_a_plot_leads_epsilon_live_and_is_one_step(bench, qtbot):
    solver, document = opened_for(bench, qtbot, ACCEPTED), bench.document
    before, steps, led = document.session, document.steps, []
    document.changed.connect(lambda: led.append(value(bench, "epsilon")))
    pulled(bench.pictures.view("acceptance"), QPoint(0, 30))
    qtbot.waitUntil(lambda: solved(solver) and not document._held)
    want, = solver.card.wants
    assert want.value < 0.9
    assert want.miss(document.study.answer().fact(*ACCEPTED)) <= 0
    assert len(led) > 1
    assert led[-1] == pytest.approx(min(led), rel=0.01)
    assert led[-1] < 0.1
    assert (document.steps, document.undo_text) == (steps + 1, "Solve for ε")
    assert solver.preview.pinned is None  # it is there already
    pulled(bench.pictures.view("acceptance"), QPoint(0, -10))
    qtbot.waitUntil(lambda: solved(solver) and not document._held)
    assert document.steps == steps + 2  # another gesture
    assert solver.card.wants[0].value > want.value
    document.undo()
    document.undo()
    assert document.session == before


def test_that_what_is_left_leaves_nothing_and_another_study_leaves_it(bench, qtbot):
    solver, before = opened_for(bench, qtbot, ACCEPTED), bench.document.session
    assert {placed.straight.words for placed in targets(bench)} == {"wanted ≥ 0.93"}
    typed(qtbot, solver, "0.99")
    assert {placed.straight.words for placed in targets(bench)} == {"wanted ≥ 0.99"}
    QTest.keyClick(solver.card.rows[0].entry, KEY.Key_Escape)
    assert not solver.is_open
    assert not targets(bench)
    assert solver.preview.pinned is None
    assert bench.document.session is before
    assert bench.window_.focusWidget() is bench.pictures.view("acceptance").canvas
    opened_for(bench, qtbot, ACCEPTED)
    bench.desk.open_study("mean")
    assert not solver.is_open
    assert not targets(bench)
    bench.solve()
    assert solver.card.rows[0].facts.place[0] in {key for key, _ in bench.document.study_class.answers().index()}
    assert bench.document.session.study_class.key == "mean"


def test_that_the_answer_follows_other_sliders_and_the_kept_parameter_is_still_solved_for(bench, qtbot):
    solver = opened_for(bench, qtbot, BAND)
    typed(qtbot, solver, "500")
    first = solver.found.every[0]["epsilon"]
    drag_slider(bench, "uncertain", 0.6, 0.3)
    qtbot.waitUntil(lambda: solved(solver) and solver.found.question.explicit == bench.document.explicit)
    assert solver.found.every[0]["epsilon"] > 1.2 * first
    want, = solver.card.wants
    assert want.miss(bench.document.study.replace(**solver.found.every[0]).answer().fact(*BAND)) <= 0
    asked = []
    solver.worker.start = lambda *question, **_: asked.append(question)
    bench.document.edit("epsilon", 0.5)
    assert not asked  # what is solved for may stand where it will
    assert solver.found.every[0]["epsilon"] > 1.2 * first


@pytest.mark.parametrize(("quantity", "words"), [(v.ACCEPTANCE, "probability of “yes” (Laplace)"),
                                                 (v.BAND_FROM, "uncertain from (Laplace)")])
def test_that_a_curve_and_a_bar_of_a_picture_are_solved_for_where_they_are_clicked(bench, qtbot, quantity, words):
    view = bench.pictures.view("acceptance")
    canvas, frame = view.canvas, view.canvas.marks.frame
    if quantity is v.ACCEPTANCE:
        laplace = bench.answers.latest[0].fact(*ACCEPTED).value
        spot = QPointF(frame.across(float(value(bench, "records"))), frame.down(laplace))
    else:
        spot = QPointF(frame.across(float(value(bench, "minimum"))), frame.floor + 1.5 * frame.row)
    menu = view.menu(canvas.mapFromScene(canvas.box.mapToScene(spot)))
    action = next(each for each in menu.actions() if each.text() == f"Solve for {words}…")
    action.trigger()
    assert bench.solver.card.rows[0].facts.place == (quantity.key, "laplace")
    qtbot.waitUntil(lambda: solved(bench.solver))
    menu.deleteLater()


def test_that_closing_in_the_middle_leaves_no_thread(qtbot):
    before = set(threading.enumerate())
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.solve(("overall_error", "generalized"))
    bench.solver._add()
    assert bench.solver.worker.busy
    closed(window)
    assert set(threading.enumerate()) <= before


def test_that_a_click_on_the_region_of_two_wants_is_a_preview_and_taken_in_one_step(bench, qtbot):
    solver, document = opened_for(bench, qtbot, ("rejection", "laplace")), bench.document
    card, before = solver.card, bench.document.session
    card.add_button.click()
    card.rows[1].facts.chosen.emit(("rejection", "laplace"))
    for row, relation, value_, at in zip(card.rows, (0, 1), ("0.01", "0.99"), ("N = 1100", "N = 900"), strict=True):
        row.facts.show_place(type(document.study), ("rejection", "laplace"))
        row.relation.setCurrentIndex(relation)
        row.entry.selectAll()
        row.at_button.click()
        QTest.keyClicks(row.at_entry, at)
        row.entry.selectAll()
        QTest.keyClicks(row.entry, value_)
    qtbot.waitUntil(lambda: solved(solver))
    assert set(solver.found.names) == {"epsilon", "target"}
    QTest.mouseClick(card.region_button, LEFT)
    region = bench.tools.made("region")
    qtbot.waitUntil(lambda: region.found is not None)
    canvas = region.view.canvas
    frame = canvas.marks.frame
    for epsilon, words in ((1.0, "This does it"), (0.03, "This does not do it")):
        spot = QPointF(frame.across(math.log10(epsilon)), frame.down(0.55))
        QTest.mouseClick(canvas.viewport(), LEFT, pos=canvas.mapFromScene(canvas.box.mapToScene(spot)))
        qtbot.waitUntil(lambda: solved(solver) and solver.found.question.proposed is not None)
        assert card.says.text().startswith(words)
        assert solver.found.every[0]["epsilon"] == pytest.approx(epsilon, rel=0.05)
        assert solver.found.every[0]["target"] == pytest.approx(0.55, abs=0.02)
        assert document.session is before
    QTest.mouseClick(card.take_button, LEFT)
    assert value(bench, "epsilon") == pytest.approx(0.03, rel=0.05)
    assert document.undo_text == "Solve for ε and p"
    assert not region.isVisible()
    document.undo()
    assert document.session == before


def test_that_a_study_left_with_a_target_in_hand_leaves_its_values_to_itself(bench, qtbot):
    solver, document = opened_for(bench, qtbot, ACCEPTED), bench.document
    solver.lead("wanted0", 0.8)
    qtbot.waitUntil(lambda: value(bench, "epsilon") < 0.1)
    bench.desk.open_study("mean")
    assert document.explicit == {}
    solver.release()  # of a hand that was still down
    solver.lead("wanted0", 0.5)
    assert not targets(bench)
    assert not solver.worker.busy
    document.undo()
    assert document.study_class.key == "decision"
    assert document.explicit == {}


def test_that_the_window_stays_as_large_and_the_whole_solver_in_sight(bench, qtbot):
    size, verdict = bench.window_.size(), bench.side.verdict
    for presentation in (False, True):
        bench.appearance.set_presentation(presentation)
        solver = opened_for(bench, qtbot, ("acceptance_at_minimum", "laplace"))
        if not presentation:
            solver.card.add_button.click()
            solver.card.rows[0].at_button.click()
            solver.card.rows[1].at_button.click()
        take = solver.card.take_button
        qtbot.waitUntil(lambda take=take: take.visibleRegion().boundingRect() == take.rect())
        assert bench.window_.size() == size
        parameters = bench.side.parameters
        assert parameters.area.geometry().top() >= parameters._reset_all.geometry().bottom()
        solver.close()
        qtbot.waitUntil(verdict.isVisible)


def test_that_a_region_wanted_before_its_two_parameters_are_found_is_asked_for_once_they_are(bench, qtbot):
    solver, wanted, followed = opened_for(bench, qtbot, ("rejection", "laplace")), [], []
    qtbot.waitUntil(lambda: solved(solver))
    solver.region_wanted.disconnect()
    solver.region_wanted.connect(wanted.append)
    solver.found_pair.connect(followed.append)
    solver.card.add_button.click()
    assert len(solver.found.names) == 1
    solver.card.region_button.click()  # what was found is still of one parameter
    assert wanted == []
    asked = solver._asked
    solver.worker.stop()
    both = Reply(replace(asked, names=("epsilon", "target")), ("epsilon", "target"),
                 ({"epsilon": 0.1, "target": 0.5},), True, "")
    solver._answer(asked, both)
    assert [question.names for question in wanted] == [("epsilon", "target")]
    # While a hand leads what is wanted, a question may name no parameter.
    led = replace(both, question=replace(asked, names=(), near={}, led=True), met=False)
    solver._answer(led.question, led)
    assert [question.names for question in followed] == [("epsilon", "target")] * 2
    assert followed[1].near is None
