"""The window of sweeps: what is asked, what runs beside it, the picture with the present setting, and what leaves."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pyqtgraph as pg
import pytest
from conftest import PATIENCE
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget
from window_kit import LEFT, closed

from dpstudio.core.figure import Line, Map
from dpstudio.core.study import fact
from dpstudio.core.workers import Here
from dpstudio.data.origin import Origin
from dpstudio.documents import noted, pictures, session_file
from dpstudio.documents.noted import SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.sweeps import request_of
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.pictures.exports import Exports
from dpstudio.gui.pictures.outgoing import ValuesDialog
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import log
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.docking import PaneHost
from dpstudio.gui.shell.settings import Settings, data_folder
from dpstudio.gui.shell.window import Window
from dpstudio.gui.sweep import keeping, running
from dpstudio.gui.sweep.pane import SweepPane
from dpstudio.studies import all_studies

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class Bench:
    """What a window of sweeps is of, without the pictures of the study."""

    def __init__(self, holder: Window) -> None:
        self.window, self.settings, self.appearance = holder, holder.settings, holder.appearance
        # N follows m no longer.
        self.document = Document(Session.of(all_studies()["decision"], {"records": 1020}))
        self.files = Exports(self.document, self.settings, holder)
        self.panes = PaneHost(self.appearance, self.settings)
        holder.fill(self.panes)
        holder.show()


@pytest.fixture
def small(qtbot, own_home):
    kept, settings = log.Log(data_folder()), Settings()
    holder = Window(settings, Appearance(settings), kept)
    holder.appearance.settle()
    yield Bench(holder), holder
    closed(holder)


@pytest.fixture
def window(small, qtbot, monkeypatch):
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)
    bench, holder = small
    made = SweepPane(bench, holder)
    made.begin()
    qtbot.waitUntil(made.isVisible)
    yield made
    made.close_down()


def typed(entry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def settled(window: SweepPane) -> None:
    """Wait until what is offered is what changes the facts that are ticked."""
    form, end = window.form, time.monotonic() + PATIENCE / 1000
    while form._worker.busy or form._asked != (form._study, form.facts.chosen):
        assert time.monotonic() < end
        QApplication.processEvents()


def asked(window: SweepPane, *over: tuple[str, str, str, int], facts: str = "acceptance@laplace") -> None:
    """Set the form by hand: facts, and parameters with their ends and counts."""
    items = {item.data(Qt.ItemDataRole.UserRole): item for item in window.form.facts._items()}
    for item in items.values():
        item.setCheckState(UNCHECKED)
    for each in facts.split(","):
        items[tuple(each.split("@"))].setCheckState(CHECKED)
    settled(window)
    for place, (name, low, high, count) in zip(window.form.ranges, over, strict=False):
        assert place.parameter.findData(name) >= 0
        place.parameter.setCurrentIndex(place.parameter.findData(name))
        for entry, text in zip(place.entries, (low, high, str(count)), strict=True):
            typed(entry, text)


def done(window: SweepPane, qtbot, *over, **options) -> None:
    if over:
        asked(window, *over, **options)
    QTest.mouseClick(window.start, LEFT)
    qtbot.waitUntil(lambda: not window.worker.busy)


MAP = (("epsilon", "0.01", "1", 5), ("minimum", "500", "1500", 4))


def test_that_two_parameters_make_a_map_and_a_click_takes_a_cell_as_one_step(window, qtbot):
    bench = window._desk
    done(window, qtbot, *MAP)
    scene = window.view.canvas.scene_
    assert [type(part.layer) for part in scene.parts] == [Map]
    assert {straight.words for straight in scene.straights} == {"ε = 0.1", "m = 1\u202f000"}
    read, = scene.readings(0.1, 1500)
    assert read.value == fact(bench.document.study.replace(minimum=1500), "acceptance", "laplace").value
    window.view.grab()
    frame, box = window.view.canvas.crosshair.frame, window.view.canvas.box
    spot = QPointF(frame.across(math.log10(0.31)), frame.down(math.log10(1460)))
    QTest.mouseClick(window.view.canvas.viewport(), LEFT,
                     pos=window.view.canvas.mapFromScene(box.mapToScene(spot)))
    assert bench.document.steps == 1
    assert (bench.document.study.epsilon, bench.document.study.minimum) == (pytest.approx(10**-0.5), 1500)
    assert bench.document.undo_text == "Take ε = 0.3162 and m = 1\u202f500"
    assert window.note.text() == "Took ε = 0.3162 and m = 1\u202f500; undo leads back."
    marks = {placed.mark.parameter: placed.value for placed in window.view.canvas.marks.marks}
    assert marks["minimum"] == 1500
    bench.document.undo()
    assert bench.document.study == type(bench.document.study)()
    assert {placed.value for placed in window.view.canvas.marks.marks} == {0.1, 1000}


def test_that_a_mark_dragged_on_the_map_moves_the_study_and_other_changes_are_said(window, qtbot):
    bench = window._desk
    done(window, qtbot, *MAP)
    window.view.parameter_dragged.emit("epsilon", 0.2)
    window.view.drag_finished.emit("epsilon")
    assert bench.document.study.epsilon == 0.2
    assert bench.document.steps == 1
    assert "changed since" not in window.note.text()
    bench.document.set("target", 0.9)
    assert window.note.text().startswith("p changed since: these are the values of before.")
    bench.document.turn(all_studies()["noise"])
    assert "A click turns back to “Decision”." in window.note.text()
    assert window.form.ranges[0].parameter.findData("sensitivity") >= 0
    window.view.picked.emit(0.5, 700.0)
    assert bench.document.study_class.key == "decision"
    assert (bench.document.study.epsilon, bench.document.study.minimum, bench.document.study.target) == (0.5, 700, 0.9)


def test_that_one_parameter_makes_curves_of_every_series_and_the_chooser_changes_the_fact(window, qtbot):
    done(window, qtbot, ("epsilon", "0.01", "1", 6), facts="acceptance@laplace,acceptance@cutoff,rejection@laplace")
    assert [part.key for part in window.view.canvas.scene_.shown(Line)] == ["laplace", "cutoff"]
    assert [window.chooser.itemText(i) for i in range(window.chooser.count())] == [
        "probability of “yes”", "probability of “no”"]
    window.chooser.setCurrentIndex(1)
    assert window.view.current_figure().key == "sweep-rejection"
    window.view.picked.emit(1.0, math.nan)
    assert window._document.undo_text == "Take ε = 1"
    window.view.look(published=True)
    assert [mark.deployment.name for mark in window.view.canvas.scene_.published] == ["City trips"], "records, as here"


def test_that_what_cannot_be_swept_turns_red_and_says_why_until_it_is_mended(window):
    asked(window, ("epsilon", "0.01", "1", 5))
    first, entries = window.form.ranges[0], window.form.ranges[0].entries
    cells = window.size_label.text()
    for entry, bad, why, good in (
            (entries[1], "50", "must be in [1e-6, 20], got 50", "1"),
            (entries[1], "0.001", "must be above where it begins, got 0.001", "1"),
            (entries[1], "0.01", "must be above where it begins, got 0.01", "1"),
            (entries[2], "1", "number of values", "5")):
        typed(entry, bad)
        assert entry.is_refused()
        assert why in first.refused
        assert entry.accessibleDescription() == first.refused
        assert not window.start.isEnabled()
        typed(entry, good)
        assert not first.refused
        assert window.size_label.text() == cells
    first.parameter.setCurrentIndex(first.parameter.findData("records"))
    typed(first.entries[0], "0")
    assert "must be above 0 for logarithmic steps, got 0" in first.refused
    first.log.setChecked(False)
    assert not first.refused
    assert window.start.isEnabled()
    for item in window.form.facts._items():
        item.setCheckState(UNCHECKED)
    assert window.size_label.text() == "Tick at least one fact"
    assert not window.start.isEnabled()


def test_that_a_range_stays_while_other_parameters_come_and_go(window):
    asked(window, *MAP)
    window._document.set("prior", "poisson")  # whose width is of no account
    assert window.form.ranges[0].parameter.findData("prior_width") == -1
    assert [[entry.text() for entry in place.entries] for place in window.form.ranges] == [
        ["0.01", "1", "5"], ["500", "1\u202f500", "4"]]
    window._document.set("prior", "normal")
    window.form.ranges[1].parameter.setCurrentIndex(window.form.ranges[1].parameter.findData("prior_width"))
    window._document.set("prior", "poisson")
    assert window.form.ranges[1].chosen is None
    assert window.form.cells == 5


def test_that_facts_are_found_by_words_and_drawn_ones_only_where_they_are_wanted(window, qtbot):
    facts = window.form.facts
    facts.filter.setText("LOSS OF gauss")
    assert not facts._items().__next__().isHidden(), "what is ticked is seen"
    facts._items().__next__().setCheckState(UNCHECKED)
    assert {item.text() for item in facts._items() if not item.isHidden()} == {
        f"{fact} · {series}" for series in ("Gaussian", "Gaussian threshold", "Discrete Gaussian")
        for fact in ("loss of “yes”", "loss of “no”")}
    facts.filter.setText("")
    facts.offer(all_studies()["noise"])
    facts.offer(all_studies()["decision"])
    assert facts.chosen == (facts.list.item(0).data(Qt.ItemDataRole.UserRole),)
    facts.filter.setText("simulated share laplace")
    drawn = next(item for item in facts._items() if item.text() == "simulated share of “yes” · Laplace, simulated")
    assert drawn.isHidden()
    window.form.simulate.setChecked(True)
    assert not drawn.isHidden()
    drawn.setCheckState(CHECKED)
    assert facts.chosen == (("accepted_fraction", "laplace"),), "the one that was ticked to begin with made way"
    window.form.simulate.setChecked(False)
    assert not facts.chosen
    facts.filter.setText("")
    facts.offer(all_studies()["noise"])
    facts.offer(all_studies()["decision"])
    next(item for item in facts._items() if item.data(Qt.ItemDataRole.UserRole) == (
        "rejection", "laplace")).setCheckState(CHECKED)
    assert facts.chosen == (("rejection", "laplace"),), "what nobody ticked comes beside nothing"


def test_that_a_long_sweep_is_announced_and_one_too_large_refused_before_anything_runs(window, qtbot, monkeypatch):
    asked(window, *MAP)
    monkeypatch.setattr(running, "LONG", 0.0)
    done(window, qtbot)
    assert window.view is None
    assert window.size_label.text() == "20 cells take one process about 1 s. Start again to begin all the same."
    assert window.start.text() == "Start anyway"
    assert window.focusWidget() is window.start, "Enter begins all the same"
    typed(window.form.ranges[0].entries[2], "6")  # another sweep, which is to be announced itself
    assert window.start.text() == "Start"
    done(window, qtbot)
    assert window.view is None
    done(window, qtbot)
    assert window.view is not None
    for place in window.form.ranges:
        typed(place.entries[2], "10k")
    done(window, qtbot)
    assert window.size_label.text().startswith("cells must be an integer in [1, 1e7], got 100\u202f000\u202f000 (")
    assert not active_children()


def test_that_what_cannot_be_tried_beforehand_is_announced_once_it_shows_how_long_it_takes(window, qtbot, monkeypatch):
    for name in ("LONG", "SETTLED"):
        monkeypatch.setattr(running, name, 0.0)
    monkeypatch.setattr(running, "local", lambda *_, **__: Here())
    window.form.simulate.setChecked(True)
    asked(window, ("epsilon", "0.01", "1", 10_000), facts="accepted_fraction@laplace")
    done(window, qtbot)
    assert 0 < window.made.swept.done < 10_000, "what was done stays"
    assert " cells take about " in window.size_label.text()
    assert window.start.text() == "Start anyway"
    typed(window.form.ranges[0].entries[2], "2")
    window._long = True
    done(window, qtbot)
    assert window.made.swept.plan.total == 2


def test_that_the_command_opens_it_and_leaving_the_program_in_the_middle_leaves_no_process(bench, qtbot, monkeypatch):
    bench.menus.actions["Sweep…"].trigger()
    window = bench.window_.findChild(SweepPane)
    qtbot.waitUntil(window.isVisible)
    monkeypatch.setattr(running, "SHORT", 0.0)
    monkeypatch.setattr(running, "LONG", math.inf)
    asked(window, ("epsilon", "0.01", "1", 1000), ("records", "500", "1500", 1000))
    for end, stays in ((window.cancel.click, True), (window.close, False), (bench.window_.leave, False)):
        bench.menus.actions["Sweep…"].trigger()
        QTest.mouseClick(window.start, LEFT)
        qtbot.waitUntil(lambda: bool(active_children()))
        assert window.worker.busy
        assert not window.start.isEnabled()
        end()
        qtbot.waitUntil(lambda: not window.worker.busy)
        assert window.isVisible() is stays
        qtbot.waitUntil(lambda: not active_children())
    assert not any(thread.name == "sweep" for thread in threading.enumerate())


def test_that_processes_give_what_the_thread_gives(window, qtbot, monkeypatch):
    done(window, qtbot, *MAP)
    here = window.made.swept
    monkeypatch.setattr(running, "SHORT", 0.0)
    window.close()
    for path in keeping.folder().iterdir():
        path.unlink()
    window.begin()
    done(window, qtbot)
    assert window.made.swept is not here
    assert window.made.swept.cells.packed() == here.cells.packed()


def test_that_a_picture_leaves_as_print_draws_it_with_its_session_and_data_with_their_request(
        window, qtbot, tmp_path, monkeypatch):
    bench = window._desk
    done(window, qtbot, *MAP)
    bench.document.set("epsilon", 0.5)
    QTest.mouseClick(window.picture, LEFT)
    dialog = window.findChild(ExportDialog)
    assert [dialog.figure.itemText(i) for i in range(dialog.figure.count())] == ["Probability of “yes”, Laplace"]
    target = tmp_path / "map.svg"
    monkeypatch.setattr(ExportDialog, "request", lambda self, hidden: ExportRequest(
        target, "sweep-acceptance", "svg", (160, 100), 300, hidden))
    with qtbot.waitSignal(bench.files._worker.idle):
        dialog.accepted.emit()
    dialog.reject()
    study = bench.document.study
    assert target.read_bytes() == pictures.picture(
        "svg", Session.of(type(study), {"epsilon": 0.5, "records": 1020}), window.made.source,
        window.view.current_figure())
    assert session_file.load(target).study == study
    data = tmp_path / "map.csv"
    monkeypatch.setattr(type(bench.files), "ask_where", lambda *_: Path(data))
    with qtbot.waitSignal(bench.files._worker.idle):
        QTest.mouseClick(window.data, LEFT)
    assert request_of(data) == window.made.swept.plan.digest
    assert data.read_text("utf-8").splitlines()[-1].startswith("1.0,1500,")
    QTest.mouseClick(window.values, LEFT)
    values = window.findChild(ValuesDialog)
    assert values.model.rowCount() == 20
    values.close()
    window.view.copy_requested.emit("values")
    assert QGuiApplication.clipboard().text().splitlines()[0] == "epsilon\tminimum\tacceptance_laplace"


def test_that_what_was_computed_with_a_count_of_data_leaves_only_where_counts_may(window, qtbot, tmp_path, monkeypatch):
    bench = window._desk
    bench.document.do("Count", Session.take, {"records": 1234},
                      Origin("people.csv", "0" * 64, "age >= 65", None, 1, (), ("records",)))
    done(window, qtbot, *MAP)
    target = tmp_path / "map.csv"
    monkeypatch.setattr(type(bench.files), "ask_where", lambda *_: target)
    QTest.mouseClick(window.data, LEFT)
    QTest.mouseClick(window.picture, LEFT)
    assert "exact count of data" in window.note.text()
    assert window.findChild(ExportDialog) is None
    assert not bench.files.exporting
    bench.files.set_exact_counts(True)
    with qtbot.waitSignal(bench.files._worker.idle):
        QTest.mouseClick(window.data, LEFT)
    assert "records: 1234" in target.read_text("utf-8")


def test_that_a_count_taken_since_shows_in_no_file(window, qtbot, tmp_path):
    bench = window._desk
    done(window, qtbot, ("records", "100", "9999", 5), facts="acceptance@laplace")
    bench.document.do("Count", Session.take, {"records": 1234},
                      Origin("people.csv", "0" * 64, "age >= 65", None, 1, (), ("records",)))
    assert [straight.value for straight in window.view.canvas.scene_.straights] == [1234]
    request = ExportRequest(tmp_path / "curve.svg", "sweep-acceptance", "svg", (160, 100), 300, frozenset({"laplace"}))
    with qtbot.waitSignal(bench.files._worker.idle):
        window.write_picture(request)
    assert session_file.load(request.path).study == type(bench.document.study)()
    assert session_file.load(request.path).state().hidden == {"laplace"}
    assert "1\u202f234" not in request.path.read_text("utf-8")
    window.write_picture(replace(request, as_on_screen=True))
    assert window.note.text().startswith("The marks show an exact count of data, which files leave out")
    window.view.copy_requested.emit("picture")
    assert window.note.text() == "Picture copied; an exact count of data, which is sensitive, went along"
    window.view.copy_requested.emit("values")
    assert window.note.text() == "Values copied"


def test_that_everything_has_the_keyboard_and_a_name(window, qtbot):
    done(window, qtbot, *MAP)
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.focusProxy() is None:
            named = widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()) or any(
                label.buddy() is widget for label in window.findChildren(QLabel)) or isinstance(
                widget.parentWidget(), QComboBox)
            assert named, (type(widget).__name__, widget.objectName())


def test_that_a_sweep_is_kept_as_it_was_asked_and_one_too_large_refused_in_a_sentence(window, qtbot, monkeypatch):
    document, over = window._document, ("epsilon=0.01:1:5:log", "minimum=500:1500:4:log")
    assert not window.keep.isEnabled()
    before = document.state.setting
    done(window, qtbot, *MAP)
    document.set("target", 0.9)
    document.turn(all_studies()["noise"])
    QTest.mouseClick(window.keep, LEFT)
    kept = SweepAsked(over, (("acceptance", "laplace"),), before)
    assert document.session.state(window.made.study).sweeps == (kept,)
    assert document.undo_text == "Keep sweep"
    assert window.note.text() == "Kept for the report: File → Report… lists it."
    QTest.mouseClick(window.keep, LEFT)
    assert window.note.text() == "It is kept already."
    document.undo()
    monkeypatch.setattr(noted, "MOST_CELLS", 19)
    QTest.mouseClick(window.keep, LEFT)
    assert window.note.text() == "cells of a sweep that is kept must be an integer in [1, 19], got 20"
    assert not document.session.state(window.made.study).sweeps
