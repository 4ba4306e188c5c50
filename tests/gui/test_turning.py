"""Turning to another study in the middle of something: nothing of the one before stays in hand or in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from window_kit import answered, drag_slider, type_entry

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.history.form import NoteDialog
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.studies import all_studies
from dpstudio.studies.decision import RECORDS_TABLE, Decision
from dpstudio.studies.noise import Noise


def turn(bench, qtbot, number):
    QTest.keyClick(bench.window(), str(number), Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bench.document.study_class is list(all_studies().values())[number - 1])


def test_that_a_gesture_ends_with_its_study(bench, qtbot):
    drag_slider(bench, "epsilon", 0.3, 0.8)
    turn(bench, qtbot, 3)
    answered(qtbot, bench)
    assert bench.document.set_here == {}
    window = bench.answers.windows
    drag_slider(bench, "epsilon", 0.6)
    assert all(view._look.interacting for view in bench.pictures.views), "the next gesture begins anew"
    assert bench.answers.windows == window


def test_that_what_was_seen_of_one_study_is_neither_pinned_nor_listed_in_another(bench, qtbot):
    bench.desk.open_study("mean")
    bench.desk.pin()  # before mean is answered
    assert not bench.document.state.pins
    bench.outgoing.show_values("errors")
    bench.outgoing.copy("values", bench.pictures.large)
    answered(qtbot, bench)
    bench.desk.pin()
    assert [pin.study for pin in bench.document.state.pins] == [bench.document.study]


@pytest.mark.parametrize("everything", [True, False])
def test_that_whoever_is_asked_about_pictures_is_asked_no_more_when_another_study_comes(bench, qtbot, everything):
    bench.outgoing.export_picture(everything=everything)
    dialog = bench.window().findChild(ExportDialog)
    assert dialog.isVisible()
    bench.document.open(Session.of(Noise))
    assert not dialog.isVisible()
    answered(qtbot, bench)


def test_that_the_widths_of_a_person_stay_when_the_study_changes(bench, qtbot):
    row = bench.page._row
    bench.show_help(True)
    qtbot.waitUntil(lambda: sum(row.sizes()) == row.width() - 2 * row.handleWidth())
    before = row.sizes()
    assert before[2] > 300
    for number in (6, 3, 9):
        turn(bench, qtbot, number)
        answered(qtbot, bench)
        assert row.sizes() == before


def test_that_each_of_the_first_ten_studies_has_a_key(bench, qtbot):
    keys = [action.shortcut().toString() for action in bench.menus._studies.actions()]
    assert keys == [f"Ctrl+{number % 10}" for number in range(1, 11)] + [""] * (len(keys) - 10)
    QTest.keyClick(bench.window(), "0", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bench.document.study_class is list(all_studies().values())[9])
    taken = [key.toString() for action in bench.menus.actions.values() for key in action.shortcuts()]
    assert len(taken) == len(set(taken))


def test_that_a_window_that_closes_is_out_of_sight_before_anything_is_waited_for(bench):
    window, seen = bench.window(), []
    close = bench.answers.close
    bench.answers.close = lambda: (seen.append(window.isVisible()), close())
    window.close()
    assert seen == [False]


def test_that_commands_live_on_when_a_study_is_left_after_typing(bench, qtbot):
    for key in ("noise", "decision", "budget"):
        type_entry(bench, "epsilon", "0.25")
        bench.desk.open_study(key)
        answered(qtbot, bench)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert all(action.text() or action.isSeparator() for action in bench.menus.actions.values())
    bench.menus.actions["Undo"].trigger()


def test_that_windows_fit_again_after_a_study_was_left_with_something_in_hand(bench, qtbot):
    bench.document.edit("minimum", 500, final=False)
    for study in (Noise, Decision):
        bench.document.turn(study)
        answered(qtbot, bench)
    bench.document.do("Far away", Session.apply, {"minimum": 50_000, "records": 50_000})
    answered(qtbot, bench)
    low, high = bench.answers.windows[RECORDS_TABLE]
    assert low <= 50_000 <= high


def test_that_a_zoom_told_late_is_of_the_study_that_was_zoomed(bench, qtbot):
    answered(qtbot, bench)
    old, zoomed = bench.pictures, bench.pictures.picture()
    QTest.keyClick(zoomed.canvas, Qt.Key.Key_Plus)
    assert zoomed.canvas.reporting
    window = zoomed.canvas.window()
    bench.document.turn(Noise)
    assert not zoomed.canvas.reporting, "it is told before its picture goes"
    assert bench.document.session.state(Decision).views == {RECORDS_TABLE: window}
    # Even a picture that lives on, as while something is asked, tells it to its own study.
    zoomed.view_changed.emit(RECORDS_TABLE, 1.0, 2.0)
    assert bench.document.session.state(Decision).views == {RECORDS_TABLE: (1.0, 2.0)}
    assert bench.document.state.views == {}
    assert bench.document.study_class is Noise
    answered(qtbot, bench)
    assert session_file.read(session_file.text(bench.document.session)) == bench.document.session
    assert bench.pictures is not old


def test_that_what_a_hand_does_to_the_pictures_of_another_study_does_nothing(bench, qtbot):
    answered(qtbot, bench)
    pictures, view = bench.pictures, bench.pictures.picture()
    bench.document.turn(Noise)  # while something is asked, the old pictures live on
    before = bench.document.session
    view.parameter_dragged.emit("epsilon", 0.75)
    view.drag_finished.emit("epsilon")
    view.view_reset.emit(RECORDS_TABLE)
    view.export_requested.emit("acceptance")
    view.values_requested.emit("acceptance")
    view.solve_requested.emit(("acceptance", "laplace"))
    pictures.hidden_changed.emit(frozenset({"laplace"}))
    pictures.seen.emit("acceptance", "acceptance")
    pictures.decided.emit("laplace")
    assert bench.document.session is before


def test_that_a_zoom_is_not_lost_with_the_figure_that_was_zoomed(bench, qtbot):
    answered(qtbot, bench)
    view = bench.pictures.picture()
    first = view.current_figure()
    second = next(each for each in view.figures if each.table != first.table)
    QTest.keyClick(view.canvas, Qt.Key.Key_Plus)
    window = view.canvas.window()
    view.choose(second.key)
    assert bench.document.state.views == {first.table: window}


def test_that_a_note_is_of_the_study_for_which_it_was_asked(bench):
    dialog = NoteDialog(bench.document, bench.appearance.theme, bench)
    bench.document.turn(Noise)  # a session that took long to read has come
    dialog.text.setPlainText("of the decision")
    dialog.accept()
    assert bench.document.session.state(Decision).note == "of the decision"
    assert (bench.document.study_class, bench.document.state.note) == (Noise, "")


def test_that_nothing_matched_in_one_study_is_pinned_or_taken_in_another(bench, qtbot):
    answered(qtbot, bench)
    bench.tools.open("compare")
    matched = bench.tools.made("compare").matched
    bench.tools.made("compare").tabs.setCurrentWidget(matched)
    qtbot.waitUntil(lambda: matched.ready)
    stale, pins = matched._setting, matched._found.matching.all
    job = matched.worker.start(lambda: None)
    bench.document.turn(Noise)
    assert job.left, "what is still under way is not told"
    before = bench.document.session
    bench.desk.pin_settings(tuple(stale.varied(one.handy, one.series.key) for one in pins))
    bench.desk.take_setting(stale)
    assert bench.document.session is before
    bench.tools.made("compare").close()


def test_that_a_study_asks_its_question_where_somebody_points_at_it(bench):
    menu = next(action.menu() for action in bench.menus.everything.actions() if action.text() == "&Study")
    menu.aboutToShow.emit()
    listed = bench.page.bar.question.menu()
    listed.aboutToShow.emit()
    assert [action.text() for action in listed.actions()] == [
        f"{study.title}: {study.question}" for study in all_studies().values()]
    for study in all_studies().values():
        assert bench.menus.actions[study.title].toolTip() == study.question
