"""The whole window, moved by real events: what a hand does, what is then seen, and what is left afterwards."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Line
from dpstudio.core.results import Column, Fact, Table, Update
from dpstudio.core.study import Study
from dpstudio.export import session
from dpstudio.gui import app, help, log
from dpstudio.gui.appearance import Appearance
from dpstudio.gui.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.files import LAST
from dpstudio.gui.settings import Settings, data_folder
from dpstudio.gui.values import ValuesDialog
from dpstudio.gui.window import Window
from dpstudio.gui.workbench import FACTS, Workbench
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.decision.figures import LAPLACE, RECORDS_TABLE

LEFT = Qt.MouseButton.LeftButton
X, Y = Column(v.N), Column(v.RECORDS)


@dataclass(frozen=True)
class Doubling(Study):
    """A study as small as can be: one picture, one fact, no preset, no simulation."""

    key = "doubling"
    title = "Doubling"
    question = "How much is twice as many?"
    figures = (Figure("double", "Twice as many", "double", Axis(v.N), Axis(v.RECORDS), (Line(X, Y),)),)

    records: int = parameter(v.RECORDS, 5)

    def run(self, _views=None, **_):
        n = np.arange(self.records + 1.0)
        yield Update({"double": Table({X: n, Y: 2 * n})}, (Fact(v.RECORDS, 2.0 * self.records),),
                     windows={"double": (0.0, float(self.records))})


CURVE = Column(v.ACCEPTANCE, LAPLACE)


def opened(qtbot, size=(1280, 720), **kwargs) -> Window:
    kept = log.Log(data_folder())
    settings = Settings()
    window = Window(settings, Appearance(settings), kept)
    window.resize(*size)
    with qtbot.waitExposed(window):
        window.show()
    app.fill(window, **kwargs)
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: bench.answers.latest is not None)
    return window


def closed(window: Window) -> None:
    window.close()
    window.log.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def bench(qtbot, monkeypatch):
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)
    window = opened(qtbot)
    yield window.findChild(Workbench)
    closed(window)


def answered(qtbot, bench) -> None:
    """Wait until what is shown answers what is set."""
    qtbot.waitUntil(lambda: bench.answers.latest[1] == bench.document.study, timeout=5000)


def value(bench, name):
    return getattr(bench.document.study, name)


def curve(bench):
    return bench.answers.latest[0].tables[RECORDS_TABLE][CURVE]


def fact_text(bench, quantity) -> str:
    model = bench.facts.facts
    row = model.quantities.index(quantity)
    return model.index(row, 1).data()


def drag_slider(bench, name, *ways):
    slider = bench.side.parameters.control(name).slider
    QTest.mousePress(slider, LEFT, pos=slider.handle().toPoint())
    for way in ways:
        QTest.mouseMove(slider, QPoint(round(way * slider.width()), slider.height() // 2))
        QApplication.processEvents()
    return slider


def type_entry(bench, name, text):
    entry = bench.side.parameters.control(name).entry
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


# Parameters, pictures and facts


def test_that_dragging_a_slider_changes_curves_and_facts(bench, qtbot):
    before, text = curve(bench), fact_text(bench, v.ACCEPTANCE)
    slider = drag_slider(bench, "epsilon", 0.6, 0.5, 0.4)
    answered(qtbot, bench)
    QTest.mouseRelease(slider, LEFT)
    assert value(bench, "epsilon") < 0.1
    assert curve(bench).shape != before.shape or (curve(bench) != before).any()
    qtbot.waitUntil(lambda: fact_text(bench, v.ACCEPTANCE) != text)


def test_that_a_window_stands_still_while_the_slider_moves(bench, qtbot):
    before = bench.answers.windows[RECORDS_TABLE]
    slider = drag_slider(bench, "epsilon", 0.6, 0.4, 0.3)
    answered(qtbot, bench)
    assert bench.answers.windows[RECORDS_TABLE] == before
    QTest.mouseRelease(slider, LEFT)
    qtbot.waitUntil(lambda: bench.answers.windows.get(RECORDS_TABLE, before) != before)


def test_that_dragging_m_on_the_picture_moves_its_slider(bench, qtbot):
    canvas = bench.pictures.view("acceptance").canvas
    canvas.grab()
    frame, slider = canvas.marks.frame, bench.side.parameters.control("minimum").slider
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
    bench.document.undo_stack.undo()
    assert value(bench, "minimum") == 1000, "a drag is one step of undo"


def test_that_a_refused_entry_keeps_the_last_picture(bench, qtbot):
    before = bench.answers.latest
    type_entry(bench, "epsilon", "-1")
    assert value(bench, "epsilon") == 0.1
    assert "epsilon must be in [1e-6, 20], got -1" in bench.status.message
    qtbot.waitUntil(lambda: bench.answers.latest[0].done == bench.answers.latest[0].total)
    assert curve(bench) is before[0].tables[RECORDS_TABLE][CURVE]


def test_that_300_rapid_moves_end_on_the_last_values(bench, qtbot):
    seen = []
    bench.answers.shown.connect(lambda update, study: seen.append((update, study)))
    for i in range(300):
        bench.document.set("epsilon", 0.01 + i / 1000, merge=True)
        if i % 7 == 0:
            QApplication.processEvents()
    bench.document.set("epsilon", 0.5)
    answered(qtbot, bench)
    update, study = seen[-1]
    assert study.epsilon == 0.5
    assert update.fact(v.GUARANTEE_EPSILON, LAPLACE).value == 0.5
    assert [study.epsilon for _, study in seen] == sorted(study.epsilon for _, study in seen), "no answer comes late"
    assert bench.document.undo_stack.count() == 1


def test_that_every_answer_shown_belongs_to_its_own_parameters(bench, qtbot):
    wrong = []
    bench.answers.shown.connect(lambda update, study: wrong.append(study) if update.fact(
        v.GUARANTEE_EPSILON, LAPLACE).value != study.epsilon else None)
    slider = drag_slider(bench, "epsilon", *[0.2 + i / 100 for i in range(60)])
    QTest.mouseRelease(slider, LEFT)
    answered(qtbot, bench)
    assert not wrong


def test_that_undo_restores_what_was_seen(bench, qtbot):
    before = curve(bench).copy()
    type_entry(bench, "epsilon", "1")
    answered(qtbot, bench)
    bench.menus.actions["Undo"].trigger()
    answered(qtbot, bench)
    assert value(bench, "epsilon") == 0.1
    qtbot.waitUntil(lambda: curve(bench).shape == before.shape and (curve(bench) == before).all())


def test_that_zooming_computes_the_stretch_that_is_seen(bench, qtbot):
    view = bench.pictures.view("acceptance")
    view.view_changed.emit(RECORDS_TABLE, 990.0, 1010.0)

    def zoomed():
        records = bench.answers.latest[0].tables[RECORDS_TABLE][Column(v.RECORDS)]
        return records[0] >= 985 and records[-1] <= 1015

    qtbot.waitUntil(zoomed)
    view.view_reset.emit(RECORDS_TABLE)
    qtbot.waitUntil(lambda: not zoomed())


def test_that_a_preset_shows_its_name_and_its_values(bench, qtbot):
    preset = Decision.presets[0]
    bench.menus.presets.actions()[0].trigger()
    answered(qtbot, bench)
    assert value(bench, "minimum") == preset.values["minimum"]
    assert bench.side.presets.text() == preset.title
    low, high = bench.answers.windows[RECORDS_TABLE]
    assert low < preset.values["minimum"] < high
    bench.menus.actions["Reset all"].trigger()
    assert value(bench, "minimum") == 1000


def test_that_the_strategy_menu_sets_the_target(bench):
    conservative = next(action for action in bench.menus.named.actions() if action.text() == "Conservative")
    conservative.trigger()
    assert value(bench, "target") == 0.01


def test_that_pinned_curves_stay_until_they_are_unpinned(bench, qtbot):
    bench.menus.actions["Pin curves"].trigger()
    assert bench.pinned == bench.answers.latest
    type_entry(bench, "epsilon", "1")
    answered(qtbot, bench)
    assert bench.pinned[1].epsilon == 0.1
    bench.menus.actions["Unpin"].trigger()
    assert bench.pinned is None


# Facts


def test_that_facts_copy_at_full_precision(bench):
    model = bench.facts.facts
    row = model.quantities.index(v.ACCEPTANCE)
    bench.facts.doubleClicked.emit(model.index(row, 1))
    copied = QGuiApplication.clipboard().text()
    assert float(copied) == bench.answers.latest[0].fact(v.ACCEPTANCE, LAPLACE).value
    assert len(copied) > len(fact_text(bench, v.ACCEPTANCE))
    bench.menus.actions["Copy facts"].trigger()
    assert Decision.relation in QGuiApplication.clipboard().text()


def test_that_selected_facts_copy_as_a_block(bench):
    bench.facts.setFocus()
    bench.facts.selectAll()
    QTest.keyClick(bench.facts, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = QGuiApplication.clipboard().text().split("\n")
    assert len(rows) == bench.facts.facts.rowCount()
    assert all(row.count("\t") == bench.facts.facts.columnCount() - 1 for row in rows)


def test_that_an_estimate_wears_its_sign_and_its_interval(bench, qtbot):
    qtbot.waitUntil(lambda: v.FRACTION in bench.facts.facts.quantities)
    assert fact_text(bench, v.FRACTION).startswith("≈ ")
    assert "±" in fact_text(bench, v.FRACTION)
    assert fact_text(bench, v.ASKED_EPSILON).startswith("≤ ")


def test_that_the_rows_of_the_facts_stay_while_a_slider_moves(bench, qtbot):
    qtbot.waitUntil(lambda: v.FRACTION in bench.facts.facts.quantities)
    rows = list(bench.facts.facts.quantities)
    slider = drag_slider(bench, "epsilon", 0.5)
    answered(qtbot, bench)
    assert bench.facts.facts.quantities == rows
    QTest.mouseRelease(slider, LEFT)


# How it stands


def test_that_choosing_a_panel_that_is_shown_elsewhere_swaps_the_two(bench):
    first, _, last = bench.pictures.slots_
    assert (first.place, last.place) == ("loss", FACTS)
    first.chosen.emit(FACTS)
    assert (first.place, last.place) == (FACTS, "loss")


def test_that_an_enlarged_picture_fills_the_centre_until_escape(bench, qtbot):
    view = bench.pictures.view("loss")
    view.enlarge_requested.emit()
    assert view.isVisible()
    assert not bench.pictures.view("acceptance").isVisible()
    assert not bench.facts.isVisible()
    QTest.keyClick(bench.window(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bench.pictures.view("acceptance").isVisible() and bench.facts.isVisible())


def test_that_an_enlarged_picture_stays_alone_when_the_window_changes(bench, qtbot):
    bench.pictures.view("loss").enlarge_requested.emit()
    bench.window().resize(1900, 900)
    QApplication.processEvents()
    assert not bench.facts.isVisible()
    bench.pictures.enlarge(None)
    assert sum(slot.isVisible() for slot in bench.pictures.slots_) == 3


@pytest.mark.parametrize(("size", "slots"), [((1280, 720), 2), ((1920, 1080), 3)])
def test_that_a_wide_window_has_room_for_a_third_picture(qtbot, size, slots):
    window = opened(qtbot, size)
    pictures = window.findChild(Workbench).pictures
    assert sum(slot.isVisible() for slot in pictures.slots_) == slots
    closed(window)


def test_that_turning_to_another_study_and_back_keeps_both(bench, qtbot, monkeypatch):
    bench.document.set("epsilon", 0.5)
    bench.document.open_study(Doubling)
    answered(qtbot, bench)
    assert bench.facts.isVisible()
    assert [view.current_figure().key for view in bench.pictures.views] == ["double"]
    qtbot.waitUntil(lambda: [quantity.key for quantity in bench.facts.facts.quantities] == ["records"])
    assert bench.window().windowTitle().startswith("Doubling")
    type_entry(bench, "records", "7")
    bench.document.open_study(Decision)
    answered(qtbot, bench)
    assert value(bench, "epsilon") == 0.5
    assert bench.pictures.view("acceptance").isVisible()
    qtbot.waitUntil(lambda: v.ACCEPTANCE in bench.facts.facts.quantities)


def test_that_the_theme_changes_everywhere_and_is_remembered(bench):
    bench.menus.actions["dark"].trigger()
    assert bench.appearance.theme.dark
    assert all(view.theme.dark for view in bench.pictures.views)
    assert Settings().theme == "dark"


def test_that_presentation_mode_enlarges_the_type(bench):
    before = bench.pictures.view("acceptance").theme.font_size()
    bench.menus.actions["Presentation mode"].trigger()
    assert bench.pictures.view("acceptance").theme.font_size() > before
    bench.menus.actions["Presentation mode"].trigger()
    assert bench.pictures.view("acceptance").theme.font_size() == before


def test_that_f6_reaches_every_pane(bench):
    bench.show_help(True)
    bench.window_.activateWindow()
    reached = set()
    for _ in range(10):
        QTest.keyClick(bench.window(), Qt.Key.Key_F6)
        reached.add(bench.window().focusWidget())
    assert bench.studies in reached
    assert bench.facts in reached
    assert bench.help in reached
    assert bench.side.presets in reached


def test_that_everything_that_can_be_reached_has_a_name(bench):
    for widget in [bench.studies, bench.facts, bench.help, bench.side.parameters, *bench.pictures.views]:
        assert widget.accessibleName(), widget


def test_that_no_key_is_given_twice(bench):
    keys = [key.toString() for action in bench.menus.actions.values() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


# Help


@pytest.mark.parametrize("key", all_studies())
def test_that_every_place_in_the_help_is_filled(key, bench):
    update, study = bench.answers.latest
    if type(study) is all_studies()[key]:
        assert "{" not in help.filled(help.page(type(study)), study, update)


def test_that_the_help_lists_every_point_of_the_note_in_order():
    listed = re.findall(r"^(\d+)\. ", help.page(Decision), re.MULTILINE)
    assert [int(number) for number in listed] == list(range(1, 28))


def test_that_the_help_shows_todays_numbers(bench, qtbot):
    bench.show_help(True)
    type_entry(bench, "epsilon", "0.125")
    qtbot.waitUntil(lambda: "ε = 0.125" in bench.help.toPlainText())


def test_that_numbers_are_escaped_in_the_help():
    assert help.escaped("1*2_<b>") == "1\\*2\\_\\<b\\>"


# Files


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(10, 10), *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(10, 10), *how))


def test_that_a_dropped_session_restores_its_study(bench, qtbot, tmp_path):
    session.save(tmp_path / "a.dpstudio", Decision, {"minimum": 5000, "epsilon": 0.5})
    drop(bench.window(), tmp_path / "a.dpstudio")
    answered(qtbot, bench)
    assert (value(bench, "minimum"), value(bench, "epsilon")) == (5000, 0.5)
    assert bench.window().windowTitle().startswith("a[*]")
    assert Settings().recent == (str(tmp_path / "a.dpstudio"),)


def test_that_a_session_may_be_dropped_on_a_picture_too(bench, tmp_path):
    session.save(tmp_path / "a.dpstudio", Decision, {"epsilon": 0.5})
    drop(bench.pictures.view("acceptance").canvas.viewport(), tmp_path / "a.dpstudio")
    assert value(bench, "epsilon") == 0.5


def test_that_a_bad_session_is_refused_in_one_sentence_and_changes_nothing(bench, tmp_path):
    (tmp_path / "bad.dpstudio").write_text('{"format": 99}')
    drop(bench.window(), tmp_path / "bad.dpstudio")
    assert bench.window_.notice.isVisible()
    assert "bad.dpstudio" in bench.window_.notice.label.text()
    assert not bench.document.explicit


def test_that_saving_cleans_the_title_and_a_change_marks_it(bench, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    type_entry(bench, "epsilon", "0.25")
    assert bench.files.save()
    assert not bench.window().isWindowModified()
    type_entry(bench, "epsilon", "0.5")
    assert bench.window().isWindowModified()
    assert session.load(tmp_path / "mine.dpstudio") == (Decision, {"epsilon": 0.25})


def test_that_the_export_dialog_writes_a_picture_that_comes_back(bench, qtbot, tmp_path):
    type_entry(bench, "epsilon", "0.25")
    bench.outgoing.export_picture("acceptance")
    dialog = bench.window().findChild(ExportDialog)
    target = tmp_path / "picture.svg"
    dialog.path.setText(str(target))
    dialog.accept()
    qtbot.waitUntil(target.exists, timeout=20_000)
    assert session.load(target)[1]["epsilon"] == 0.25
    bench.reset_all()
    drop(bench.window(), target)
    assert value(bench, "epsilon") == 0.25


def test_that_a_picture_as_on_screen_is_a_png_of_the_view(bench, qtbot, tmp_path):
    target = tmp_path / "screen.png"
    bench.outgoing.export(ExportRequest(target, "acceptance", "png", (160, 100), 300, as_on_screen=True))
    qtbot.waitUntil(target.exists)
    assert target.read_bytes().startswith(b"\x89PNG")


def test_that_an_export_that_cannot_be_written_says_so(bench, qtbot, tmp_path):
    bench.outgoing.export(ExportRequest(tmp_path / "none" / "a.png", "acceptance", "png", (160, 100), 300,
                                        as_on_screen=True))
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert "no such file" in bench.window_.notice.label.text()


def test_that_data_are_written_as_json_and_csv(bench, qtbot, tmp_path):
    update, study = bench.answers.latest
    bench.files.write_data(tmp_path / "a.json", study, update)
    bench.files.write_data(tmp_path / "a.csv", study, update, RECORDS_TABLE)
    qtbot.waitUntil(lambda: (tmp_path / "a.json").exists() and (tmp_path / "a.csv").exists())
    assert json.loads((tmp_path / "a.json").read_text())["study"] == "decision"
    assert Decision.relation in (tmp_path / "a.csv").read_text()


def test_that_the_values_of_a_picture_copy_with_their_headings(bench):
    bench.outgoing.show_values("acceptance")
    dialog = bench.window().findChild(ValuesDialog)
    dialog.copy()
    head, *rows = QGuiApplication.clipboard().text().split("\n")
    assert head.split("\t")[:2] == ["records", "acceptance_laplace"]
    assert len(rows) == len(curve(bench))
    dialog.close()


def test_that_the_last_session_returns_at_the_next_start(qtbot):
    window = opened(qtbot)
    window.findChild(Workbench).document.set("epsilon", 0.75)
    closed(window)
    assert (data_folder() / LAST).exists()
    window = opened(qtbot)
    assert value(window.findChild(Workbench), "epsilon") == 0.75
    closed(window)


def test_that_a_broken_last_session_is_no_reason_not_to_start(qtbot):
    (data_folder() / LAST).write_text("{")
    window = opened(qtbot)
    assert not window.findChild(Workbench).document.explicit
    closed(window)


def test_that_layout_and_panels_return_at_the_next_start(qtbot):
    window = opened(qtbot)
    pictures = window.findChild(Workbench).pictures
    pictures.slots_[0].chosen.emit("errors")
    pictures.view("acceptance").choose("tails")
    closed(window)
    window = opened(qtbot)
    pictures = window.findChild(Workbench).pictures
    assert pictures.slots_[0].place == "errors"
    assert pictures.view("acceptance").current_figure().key == "tails"
    closed(window)


# What goes wrong


def test_that_an_uncaught_exception_is_logged_and_shown_once_and_ends_nothing(bench, qtbot):
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


def test_that_a_study_that_fails_leaves_the_last_picture(bench, qtbot, monkeypatch):
    def broken(self, views=None):
        raise ArithmeticError("no such number")
        yield

    before = bench.answers.latest
    monkeypatch.setattr(Decision, "run", broken)
    type_entry(bench, "epsilon", "0.5")
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert bench.answers.latest is before
    monkeypatch.undo()
    type_entry(bench, "epsilon", "0.6")
    answered(qtbot, bench)


def test_that_dialogs_open_without_stopping_anything(bench):
    for name in ("Keyboard and mouse", "About DP Studio"):
        bench.menus.actions[name].trigger()
    dialogs = [each for each in bench.window().findChildren(QDialog) if each.isVisible()]
    assert len(dialogs) == 2
    for dialog in dialogs:
        dialog.close()
