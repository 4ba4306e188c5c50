"""Solving in the window: what is wanted is typed or dragged, previewed, taken, and taken back in one step."""

from __future__ import annotations

import math
import threading

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import LEFT, answered, closed, drag_slider, opened, value

from dpstudio import vocabulary as v
from dpstudio.core.slow import Wanted
from dpstudio.core.update import Update
from dpstudio.documents.session import Session
from dpstudio.gui.history.form import SnapshotForm
from dpstudio.gui.plot.labels import Aimed
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.gui.solve.preview import SolutionPreview
from dpstudio.studies.decision import RECORDS_TABLE, Decision

KEY = Qt.Key
BAND, ACCEPTED = ("band_width", "laplace"), ("acceptance", "laplace")


def solved(solver):
    return not solver.asking.late


def wanted(bench, qtbot, place, text, relation=None):
    """Want a value of a fact, and wait for all answers."""
    solver = bench.solver
    solver.want(place)
    row = solver.bar.rows[0]
    if relation:
        row.relation.show_option(relation)
        row.relation.activated.emit(row.relation.currentIndex())
    row.entry.selectAll()
    QTest.keyClicks(row.entry, text)
    qtbot.waitUntil(lambda: solved(solver))
    return solver


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


def test_that_alt_w_a_value_and_enter_set_it_to_the_last_digit_and_choose_and_one_undo_takes_both_back(bench, qtbot):
    window, document, solver = bench.window_, bench.document, bench.solver
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    document.do("Change", Session.put, {"minimum": 100_000, "delta": 1e-9})
    before, steps = document.session, document.steps
    control, alt = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
    for keys, modifier in ((KEY.Key_L, control), (KEY.Key_W, alt)):
        bench.pictures.large.canvas.setFocus()
        QTest.keyClick(window.windowHandle(), keys, modifier)
        assert window.focusWidget() is solver.bar.rows[0].entry
    for key in "500":
        QTest.keyClick(window.windowHandle(), key)
    qtbot.waitUntil(lambda: solver.preview.pinned is not None and solver.preview.pinned.title == "preview: ε = 0.01565")
    assert solver.preview.pinned.only == "laplace"
    assert tuple(bench.pictures.large._look.pins) == (solver.preview.pinned,)
    assert document.session == before
    QTest.keyClick(window.windowHandle(), KEY.Key_Return)
    qtbot.waitUntil(lambda: document.steps == steps + 1)
    answered(qtbot, bench)
    assert document.study.epsilon == pytest.approx(2 * math.log(50) / 500, rel=1e-9)
    assert (document.state.chosen, document.undo_text) == ("laplace", "Solve for ε")
    assert tuple(bench.pictures.large._look.pins) == ()
    assert not targets(bench)
    says = solver.bar.answers.says
    assert says.text() == "Taken: ε = 0.01565, Laplace chosen"
    QTest.keyClick(window.windowHandle(), KEY.Key_Z, control)
    assert document.session == before
    assert says.text() == solver.bar.hint, "it is taken no more"


@pytest.mark.parametrize(("ask", "form"), [(Desk.write_report, ReportDialog), (Desk.take_snapshot, SnapshotForm)])
def test_that_a_form_that_is_asked_for_while_return_waits_is_about_what_is_taken(bench, qtbot, ask, form):
    solver, row = bench.solver, bench.solver.bar.rows[0]
    for lets_be in (False, True):
        solver.want()
        QTest.keyClicks(row.entry, "500")
        QTest.keyClick(row.entry, KEY.Key_Return)
        assert not solved(solver)
        ask(bench.desk)
        assert not bench.window_.findChildren(form), "what is wanted is not taken yet"
        if lets_be:
            QTest.keyClick(row.entry, KEY.Key_Escape)
        else:
            qtbot.waitUntil(lambda: bench.document.state.chosen == "laplace")
        made, = bench.window_.findChildren(form)
        assert lets_be or form is SnapshotForm or made.chosen.currentData() == "laplace"
        made.close()
        qtbot.waitUntil(lambda: not bench.window_.findChildren(form))
        bench.document.do("Reset all", Session.apply, {})


def test_that_a_fact_of_the_table_with_the_keyboard_is_wanted_of_whom_it_is(bench, qtbot):
    table, solver = bench.facts, bench.solver
    bench.window_.activateWindow()
    qtbot.waitUntil(bench.window_.isActiveWindow)
    bench.show_facts()
    assert table.hasFocus()

    def asked():
        """Another answer makes the table anew, and nothing is selected in it then."""
        column = table.facts.series.index(next(each for each in table.facts.series if each.key == "gaussian")) + 1
        table.setCurrentIndex(table.facts.index(table.facts.entries.index(v.BAND_STEPS), column))
        table.setFocus()
        QTest.keyClick(bench.window_.windowHandle(), KEY.Key_L, Qt.KeyboardModifier.ControlModifier)
        return solver.bar.whose == "gaussian"

    qtbot.waitUntil(asked)
    assert solver.bar.rows[0].facts.key == "band_steps"
    assert bench.window_.focusWidget() is solver.bar.rows[0].entry


def test_that_a_target_dragged_on_a_plot_leads_epsilon_live_is_one_step_and_the_others_follow(bench, qtbot):
    solver, document = bench.solver, bench.document
    solver.want(ACCEPTED)
    assert {placed.straight.words for placed in targets(bench)} == {"wanted ≥ 0.9323"}  # where it is, rounded down
    before, steps, led = document.session, document.steps, []
    document.changed.connect(lambda: led.append(value(bench, "epsilon")))
    pulled(bench.pictures.large, QPoint(0, 30))
    qtbot.waitUntil(lambda: solved(solver) and not document._held)
    want, = solver.bar.wants
    assert want.value < 0.9
    assert document.study.answer().fact(*ACCEPTED).value >= want.value
    assert len(led) > 1
    assert led[-1] == pytest.approx(min(led), rel=0.01)
    assert led[-1] < 0.1
    assert (document.steps, document.undo_text) == (steps + 1, "Solve for ε")
    assert document.state.chosen is None
    assert solver.bar.answers.choices[0].there
    assert solver.preview.pinned is None  # it is there already
    pulled(bench.pictures.large, QPoint(0, -10))
    qtbot.waitUntil(lambda: solved(solver) and not document._held)
    assert document.steps == steps + 2  # another gesture
    assert solver.bar.wants[0].value > want.value
    solver.bar.series.show_option("")
    solver.bar.series.chosen.emit("")
    pulled(bench.pictures.large, QPoint(0, 10))
    qtbot.waitUntil(lambda: solved(solver) and not document._held)
    assert {offer.series.key for offer in solver.reply.offers} >= {"laplace", "generalized", "gaussian"}
    for _ in range(3):
        document.undo()
    assert document.session == before


def test_that_what_is_left_leaves_nothing_and_another_study_has_its_own(bench, qtbot):
    before = bench.document.session
    solver = wanted(bench, qtbot, ACCEPTED, "0.99")
    assert {placed.straight.words for placed in targets(bench)} == {"wanted ≥ 0.99"}
    QTest.keyClick(solver.bar.rows[0].entry, KEY.Key_Escape)
    assert not solver.active
    assert not targets(bench)
    assert solver.preview.pinned is None
    assert bench.document.session is before
    assert bench.window_.focusWidget() is bench.pictures.large.canvas
    wanted(bench, qtbot, ACCEPTED, "0.99")
    bench.desk.open_study("mean")
    assert not solver.active
    assert not targets(bench)
    bench.solve()
    assert solver.bar.rows[0].facts.key in {key for key, _ in bench.document.study_class.answers().index()}
    assert bench.document.session.study_class.key == "mean"


def test_that_the_answer_follows_other_sliders_and_the_kept_parameter_is_still_solved_for(bench, qtbot):
    solver = wanted(bench, qtbot, BAND, "500")
    first = solver.reply.first.values["epsilon"]
    drag_slider(bench, "uncertain", 0.6, 0.3)
    qtbot.waitUntil(lambda: solved(solver) and solver.reply.question.explicit == bench.document.explicit)
    assert solver.reply.first.values["epsilon"] > 1.2 * first
    want, = solver.reply.first.problem.wants
    assert want.miss(solver.reply.first.study.answer().fact(*BAND)) <= 0
    asked = []
    solver.asking.worker.start = lambda *question, **_: asked.append(question)
    bench.document.edit("epsilon", 0.5)
    assert not asked  # what is solved for may stand where it will
    assert solver.reply.first.values["epsilon"] > 1.2 * first


@pytest.mark.parametrize(("quantity", "words"), [(v.ACCEPTANCE, "probability of “yes” (Laplace)"),
                                                 (v.BAND_FROM, "uncertain from (Laplace)")])
def test_that_a_curve_and_a_bar_of_a_picture_are_solved_for_where_they_are_clicked(bench, qtbot, quantity, words):
    view = bench.pictures.large
    canvas, frame = view.canvas, view.canvas.marks.frame
    if quantity is v.ACCEPTANCE:
        laplace = bench.answers.latest[0].fact(*ACCEPTED).value
        spot = QPointF(frame.across(float(value(bench, "records"))), frame.down(laplace))
    else:
        spot = QPointF(frame.across(float(value(bench, "minimum"))), frame.floor + 1.5 * frame.row)
    menu = view.menu(canvas.mapFromScene(canvas.box.mapToScene(spot)))
    action = next(each for each in menu.actions() if each.text() == f"Want {words}…")
    action.trigger()
    assert (bench.solver.bar.rows[0].facts.key, bench.solver.bar.whose) == (quantity.key, "laplace")
    menu.deleteLater()


def test_that_closing_in_the_middle_leaves_no_thread(qtbot):
    before = set(threading.enumerate())
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.solver.want(("overall_error", "generalized"))
    QTest.keyClicks(bench.solver.bar.rows[0].entry, "0.1")
    assert bench.solver.asking.worker.busy
    closed(window)
    assert set(threading.enumerate()) <= before


def test_that_a_click_on_the_region_of_two_wants_is_a_preview_and_taken_in_one_step(bench, qtbot):
    solver, document = bench.solver, bench.document
    bar, before = solver.bar, bench.document.session
    solver.want(("rejection", "laplace"))
    bar.add_button.click()
    asked = ("<=", "0.01", "N = 1100"), (">=", "0.99", "N = 900")
    for row, (relation, value_, at) in zip(bar.rows, asked, strict=True):
        row.facts.show_fact(v.REJECTION)
        row.facts.chosen.emit("rejection")
        row.relation.show_option(relation)
        QTest.keyClicks(row.at_entry, at)
        QTest.keyClicks(row.entry, value_)
    QTest.mouseClick(bar.region_button, LEFT)  # it is shown once both parameters are found
    qtbot.waitUntil(lambda: solved(solver) and bench.tools.made("region") is not None)
    assert set(solver.reply.question.names) == {"epsilon", "target"}
    region = bench.tools.made("region")
    qtbot.waitUntil(lambda: region.found is not None)
    for epsilon, words in ((1.0, " does it"), (0.03, " does not do it")):
        region.proposed.emit({"epsilon": epsilon, "target": 0.55})
        qtbot.waitUntil(lambda: solved(solver) and solver.reply.question.proposed is not None)
        (shown,) = bar.answers.choices
        assert shown.ready
        assert shown.words == f"Laplace  ε = {epsilon:g}, p = 0.55{words}"
        assert document.session is before
    QTest.mouseClick(bar.answers.buttons[0], LEFT)
    assert (value(bench, "epsilon"), document.undo_text) == (0.03, "Solve for ε and p")
    assert document.state.solved == ()  # it does not answer the question
    assert not region.isVisible()
    document.undo()
    assert document.session == before


def test_that_a_study_left_with_a_target_in_hand_leaves_its_values_to_itself(bench, qtbot):
    solver, document = bench.solver, bench.document
    solver.want(ACCEPTED)
    solver.lead("wanted0", 0.8)
    qtbot.waitUntil(lambda: value(bench, "epsilon") < 0.1)
    bench.desk.open_study("mean")
    assert document.set_here == {}
    solver.release()  # of a hand that was still down
    solver.lead("wanted0", 0.5)
    assert not targets(bench)
    assert not solver.asking.worker.busy
    document.undo()
    assert document.study_class.key == "decision"
    assert document.set_here == {}


def test_that_the_window_stays_as_large_and_the_bar_in_one_row(bench, qtbot):
    size = bench.window_.size()
    for presentation in (False, True):
        bench.appearance.set_presentation(presentation)
        solver = wanted(bench, qtbot, ("acceptance_at_minimum", "laplace"), "0.4")
        button = solver.bar.answers.buttons[0]
        qtbot.waitUntil(lambda button=button: button.visibleRegion().boundingRect() == button.rect())
        assert bench.window_.size() == size
        assert solver.bar.height() <= bench.appearance.theme.px(42)
        solver.close()


def test_that_a_preview_follows_the_windows_that_are_in_view(qapp, qtbot):
    seen = Wanted(frozenset({RECORDS_TABLE}))
    preview, now = SolutionPreview(lambda: seen), Update(Decision().answer())
    preview.look(now, {})
    preview.show_study(Decision(epsilon=0.3), "narrower")
    qtbot.waitUntil(lambda: preview.pinned is not None)
    assert preview.pinned.update.views[RECORDS_TABLE] == now.windows[RECORDS_TABLE]
    preview.look(now, {RECORDS_TABLE: (10.0, 90.0)})
    qtbot.waitUntil(lambda: preview.pinned.update.views[RECORDS_TABLE] == (10.0, 90.0))
    settled = preview.pinned
    preview.look(now, {RECORDS_TABLE: (10.0, 90.0)})
    assert not preview._worker.busy, "nothing that is in view changed"
    assert preview.pinned is settled
    preview.close()
