"""The whole window, moved by real events: parameters, pictures, facts, and what goes wrong."""

from __future__ import annotations

import sys
from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from window_kit import CURVE, LEFT, answered, curve, drag_slider, fact_text, type_entry, value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Fact
from dpstudio.core.update import Update
from dpstudio.documents.rows import pieces
from dpstudio.gui.shell import log
from dpstudio.studies.decision import LAPLACE, RECORDS_TABLE, Decision


def test_that_dragging_a_slider_changes_curves_and_facts_while_window_and_rows_stand_still(bench, qtbot):
    bench.show_everything()
    qtbot.waitUntil(lambda: v.FRACTION in bench.facts.facts.quantities)
    before, text = curve(bench), fact_text(bench, v.ACCEPTANCE)
    window, rows = bench.answers.windows[RECORDS_TABLE], list(bench.facts.facts.quantities)
    slider = drag_slider(bench, "epsilon", 0.6, 0.4, 0.3)
    answered(qtbot, bench)
    assert bench.answers.windows[RECORDS_TABLE] == window
    assert bench.facts.facts.quantities == rows
    QTest.mouseRelease(slider, LEFT)
    assert value(bench, "epsilon") < 0.1
    assert curve(bench).shape != before.shape or (curve(bench) != before).any()
    qtbot.waitUntil(lambda: fact_text(bench, v.ACCEPTANCE) != text)
    qtbot.waitUntil(lambda: bench.answers.windows.get(RECORDS_TABLE, window) != window)


def test_that_dragging_m_on_the_picture_moves_its_slider(bench, qtbot):
    canvas = bench.pictures.large.canvas
    canvas.grab()
    frame, slider = canvas.marks.frame, bench.page.parameters.control("minimum").slider
    handle = slider.handle()
    start = canvas.mapFromScene(canvas.box.mapToScene(QPointF(frame.across(1000), frame.height / 2)))
    QTest.mouseMove(canvas.viewport(), start)
    QTest.mousePress(canvas.viewport(), LEFT, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(canvas.viewport(), start - QPoint(10 * step, 0))
    QTest.mouseRelease(canvas.viewport(), LEFT, pos=start - QPoint(80, 0))
    answered(qtbot, bench)
    assert value(bench, "minimum") < 1000
    assert isinstance(value(bench, "minimum"), int)
    assert slider.handle().x() < handle.x()
    bench.document.undo()
    assert value(bench, "minimum") == 1000, "a drag is one step of undo"


def test_that_a_refused_entry_keeps_the_last_picture_and_undo_restores_what_was_seen(bench, qtbot):
    before = bench.answers.latest
    type_entry(bench, "epsilon", "-1")
    assert value(bench, "epsilon") == 0.1
    assert "privacy loss ε must be in [1e-6, 20], got −1" in bench.status.message
    qtbot.waitUntil(lambda: bench.answers.latest[0].done == bench.answers.latest[0].total)
    assert curve(bench) is before[0].tables[RECORDS_TABLE][CURVE]
    seen = curve(bench).copy()
    type_entry(bench, "epsilon", "1")
    answered(qtbot, bench)
    bench.menus.actions["Undo"].trigger()
    answered(qtbot, bench)
    assert value(bench, "epsilon") == 0.1
    qtbot.waitUntil(lambda: curve(bench).shape == seen.shape and (curve(bench) == seen).all())


def test_that_every_answer_shown_is_of_its_own_parameters_and_120_rapid_moves_end_on_the_last(bench, qtbot):
    seen = []
    bench.answers.shown.connect(lambda update, study: seen.append((update, study)))
    slider = drag_slider(bench, "epsilon", *[0.2 + i / 100 for i in range(60)])
    QTest.mouseRelease(slider, LEFT)
    answered(qtbot, bench)
    assert all(update.fact(v.GUARANTEE_EPSILON, LAPLACE).value == study.epsilon for update, study in seen)
    bench.document.undo()
    answered(qtbot, bench)
    seen.clear()
    for i in range(120):
        bench.document.set("epsilon", 0.01 + i / 1000, merge=True)
        if i % 7 == 0:
            QApplication.processEvents()
    bench.document.set("epsilon", 0.5)
    answered(qtbot, bench)
    update, study = seen[-1]
    assert study.epsilon == 0.5
    assert update.fact(v.GUARANTEE_EPSILON, LAPLACE).value == 0.5
    assert [study.epsilon for _, study in seen] == sorted(study.epsilon for _, study in seen), "no answer comes late"
    assert bench.document.steps == 1


def test_that_zooming_computes_the_stretch_that_is_seen(bench, qtbot):
    view = bench.pictures.large
    view.view_changed.emit(RECORDS_TABLE, 990.0, 1010.0)

    def zoomed():
        records = bench.answers.latest[0].tables[RECORDS_TABLE][Column(v.RECORDS)]
        return records[0] >= 985 and records[-1] <= 1015

    qtbot.waitUntil(zoomed)
    view.view_reset.emit(RECORDS_TABLE)
    qtbot.waitUntil(lambda: not zoomed())


def test_that_pins_stay_until_they_are_removed_a_preset_shows_its_name_and_values_and_a_strategy_sets_the_target(
        bench, qtbot):
    bench.menus.actions["Pin curves"].trigger()
    assert [pin.study for pin in bench.document.state.pins] == [bench.answers.latest[1]]
    type_entry(bench, "epsilon", "1")
    answered(qtbot, bench)
    assert bench.document.state.pins[0].study.epsilon == 0.1
    bench.menus.actions["Remove all pins"].trigger()
    assert not bench.document.state.pins
    preset = Decision.presets[0]
    bench.menus.presets.actions()[0].trigger()
    answered(qtbot, bench)
    assert value(bench, "minimum") == preset.values["minimum"]
    assert [action.isChecked() for action in bench.menus.presets.actions()].index(True) == 0
    low, high = bench.answers.windows[RECORDS_TABLE]
    assert low < preset.values["minimum"] < high
    bench.menus.actions["Reset all"].trigger()
    assert value(bench, "minimum") == 1000
    next(action for action in bench.menus.named.actions() if action.text() == "Conservative").trigger()
    assert value(bench, "target") == 0.01


def test_that_an_estimate_wears_its_sign_and_its_interval_and_facts_copy_at_full_precision_and_as_a_block(bench, qtbot):
    bench.show_everything()
    qtbot.waitUntil(lambda: fact_text(bench, v.FRACTION).startswith("≈ "))
    assert "±" in fact_text(bench, v.FRACTION)
    assert fact_text(bench, v.ASKED_EPSILON).startswith("≤ ")
    model = bench.facts.facts
    row = model.entries.index(v.ACCEPTANCE)
    bench.facts.doubleClicked.emit(model.index(row, 1))
    copied = QGuiApplication.clipboard().text()
    assert float(copied) == bench.answers.latest[0].fact(v.ACCEPTANCE, LAPLACE).value
    assert len(copied) > len(fact_text(bench, v.ACCEPTANCE))
    bench.menus.actions["Copy facts"].trigger()
    qtbot.waitUntil(lambda: Decision.neighbours.sentence in QGuiApplication.clipboard().text())
    bench.facts.setFocus()
    bench.facts.selectAll()
    QTest.keyClick(bench.facts, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = QGuiApplication.clipboard().text().split("\n")
    assert len(rows) == len(model.quantities)  # headings hold no number
    assert all(row.count("\t") == model.columnCount() - 1 for row in rows)


def test_that_a_bound_from_below_wears_another_sign():
    below = Fact(v.AUDIT_EPSILON, 0.5, kind="bound", at_least=True)
    assert pieces(below) == ("≥", "0.5", "")
    assert pieces(replace(below, at_least=False))[0] == "≤"


def test_that_an_uncaught_exception_is_shown_once_and_ends_nothing_and_a_study_that_fails_leaves_the_last_picture(
        bench, qtbot, monkeypatch):
    back = log.catch_all(bench.window_.report_error)
    try:
        for _ in range(2):
            try:
                raise RuntimeError("what nobody expected")
            except RuntimeError:
                sys.excepthook(*sys.exc_info())
    finally:
        back()
    assert bench.window_.notice.isVisible()
    assert "RuntimeError" in bench.window_.notice.label.text()
    QTest.mouseClick(bench.window_.notice.button, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "what nobody expected" in copied
    assert "epsilon = 0.1" in copied
    QTest.mouseClick(bench.window_.notice.dismiss, LEFT)
    assert not bench.window_.notice.isVisible()
    type_entry(bench, "epsilon", "0.5")
    answered(qtbot, bench)
    def broken(*_, **__):
        raise ArithmeticError("no such number")

    before = bench.answers.latest
    monkeypatch.setattr(Update, "prepare", broken)
    type_entry(bench, "epsilon", "0.7")
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert bench.answers.latest is before
    monkeypatch.undo()
    type_entry(bench, "epsilon", "0.6")
    answered(qtbot, bench)


def test_that_a_window_whose_screen_is_gone_comes_to_one_that_there_is(bench):
    window, app = bench.window_, QGuiApplication.instance()
    before = window.geometry()
    app.screenRemoved.emit(app.primaryScreen())
    assert window.geometry() == before, "what is in view stays where it is"
    window.move(100_000, 100_000)
    app.screenRemoved.emit(app.primaryScreen())
    assert app.primaryScreen().geometry().contains(window.frameGeometry().center())


def test_that_dialogs_open_without_stopping_anything(bench):
    for name in ("Keyboard and mouse", "About DP Studio"):
        bench.menus.actions[name].trigger()
    dialogs = [each for each in bench.window().findChildren(QDialog) if each.isVisible()]
    assert len(dialogs) == 2
    for dialog in dialogs:
        dialog.close()
