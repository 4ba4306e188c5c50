"""What the window reads and writes, and what it remembers."""

from __future__ import annotations

import itertools
import json

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QImage
from window_kit import answered, closed, curve, drop, open_file, opened, type_entry, value

from dpstudio.cli import main
from dpstudio.core.update import Update
from dpstudio.documents import session_file
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.session import Session
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest
from dpstudio.gui.pictures.outgoing import ValuesDialog
from dpstudio.gui.session import recovery
from dpstudio.gui.session.files import LAST
from dpstudio.gui.shell.settings import Settings, data_folder
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import RECORDS_TABLE, Decision
from dpstudio.studies.response import Response
from dpstudio.studies.watch import Watch


def held(session):
    """The study in view and its values."""
    return session.study_class, session.state().setting.set_here


BROKEN = '{"recovery": 2, "session": {"study": [], "studies": {"decision": 1}}}'


def test_that_a_dropped_session_restores_its_study_and_a_bad_one_changes_nothing(bench, qtbot, tmp_path):
    (tmp_path / "bad.dpstudio").write_text('{"format": 99}')
    drop(bench.window(), tmp_path / "bad.dpstudio")
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert "bad.dpstudio" in bench.window_.notice.label.text()
    assert not bench.document.set_here
    session_file.save(tmp_path / "a.dpstudio", Session.of(Decision, {"minimum": 5000, "epsilon": 0.5}))
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window(), tmp_path / "a.dpstudio")
    answered(qtbot, bench)
    assert (value(bench, "minimum"), value(bench, "epsilon")) == (5000, 0.5)
    assert bench.window().windowTitle().startswith("a[*]")
    assert Settings().recent == (str(tmp_path / "a.dpstudio"),)
    session_file.save(tmp_path / "b.dpstudio", Session.of(Decision, {"epsilon": 0.75}))
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.pictures.large.canvas.viewport(), tmp_path / "b.dpstudio")
    assert value(bench, "epsilon") == 0.75


def test_that_saving_cleans_the_title_and_a_change_marks_it(bench, tmp_path):
    bench.files.path = tmp_path / "mine.dpstudio"
    type_entry(bench, "epsilon", "0.25")
    assert bench.files.save()
    assert not bench.window().isWindowModified()
    type_entry(bench, "epsilon", "0.5")
    assert bench.window().isWindowModified()
    assert held(session_file.load(tmp_path / "mine.dpstudio")) == (Decision, {"epsilon": 0.25})


def test_that_the_export_dialog_writes_a_picture_that_comes_back(bench, qtbot, tmp_path):
    type_entry(bench, "epsilon", "0.25")
    bench.outgoing.export_picture("acceptance")
    dialog = bench.window().findChild(ExportDialog)
    target = tmp_path / "picture.svg"
    dialog.path.setText(str(target))
    dialog.accept()
    qtbot.waitUntil(target.exists)
    assert session_file.load(target).explicit["epsilon"] == 0.25
    bench.desk.reset_all()
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window(), target)
    assert value(bench, "epsilon") == 0.25


def test_that_an_exported_drawing_has_pins_and_notes_as_the_command_line_draws_them(bench, qtbot, tmp_path):
    first, second = "frontier", "posterior"
    bench.desk.open_study("response")  # whose frontier is found the soonest
    type_entry(bench, "trials", "20k")
    bench.document.do("Pin", Session.pin)
    type_entry(bench, "epsilon", "0.25")
    bench.document.do("Note on picture", Session.swap, "picture_notes", None,
                      PictureNote(first, "half of them", (0.02, 0.5)))
    bench.document.do("Note on picture", Session.swap, "picture_notes", None, PictureNote(second, "under it"))
    answered(qtbot, bench)
    bench.outgoing.export(ExportRequest(tmp_path / "a.svg", first, "svg", (160, 100), 300))
    bench.outgoing.export(ExportRequest(tmp_path / "all", None, "svg", (160, 100), 300))
    bench.files.path = tmp_path / "a.dpstudio"
    assert bench.files.save()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    for output in (("--figure", first, "--output", tmp_path / "b.svg"), ("--all", "--output", tmp_path / "each")):
        assert main(["render", str(tmp_path / "a.dpstudio"), *map(str, output)]) == 0
    one = (tmp_path / "a.svg").read_bytes()
    assert "ε = 1" in one.decode()
    assert ">half of them</text>" in one.decode()
    assert one == (tmp_path / "b.svg").read_bytes()
    every = sorted((tmp_path / "all").iterdir())
    assert len(every) == len(Response.figures)
    assert [each.name for each in every if ">under it</text>" in each.read_text()] == [f"response-{second}.svg"]
    assert [each.read_bytes() for each in every] == [(tmp_path / "each" / each.name).read_bytes() for each in every]


def test_that_a_picture_as_on_screen_is_a_png_of_the_view(bench, qtbot, tmp_path):
    target = tmp_path / "screen.png"
    bench.document.show(Session.having, note="why")
    bench.document.show(Session.look, RECORDS_TABLE, (900.0, 1100.0))
    bench.outgoing.export(ExportRequest(target, "acceptance", "png", (160, 100), 300, as_on_screen=True))
    qtbot.waitUntil(target.exists)
    assert target.read_bytes().startswith(b"\x89PNG")
    assert QImage(str(target)).width() > 100
    found = session_file.open_file(target)
    assert found.session == bench.document.session.carried(as_seen=True).choose("acceptance", "acceptance")
    assert (found.session.state().views, found.session.state().note) == ({RECORDS_TABLE: (900.0, 1100.0)}, "why")


def test_that_an_export_that_cannot_be_written_says_so(bench, qtbot, tmp_path):
    bench.outgoing.export(ExportRequest(tmp_path / "none" / "a.png", "acceptance", "png", (160, 100), 300,
                                        as_on_screen=True))
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert "no such file" in bench.window_.notice.label.text()


def test_that_the_folder_of_an_export_is_offered_next_time(bench, qtbot, tmp_path):
    (tmp_path / "figures").mkdir()
    bench.desk.open_study("response")
    answered(qtbot, bench)
    bench.files.export(ExportRequest(tmp_path / "figures", None, "svg", (80, 60), 40))
    assert bench.settings.folder("export") == tmp_path / "figures"
    bench.files.export_image(tmp_path / "a.png", bench.pictures.picture().grab().toImage(), bench.document.session)
    assert bench.settings.folder("export") == tmp_path
    qtbot.waitUntil(lambda: not bench.files.exporting)


def test_that_data_are_written_as_json_and_csv_with_what_they_were_computed_with(bench, qtbot, tmp_path):
    bench.desk.open_study("response")  # whose frontier is found the soonest
    answered(qtbot, bench)
    update, study = bench.answers.latest
    bench.document.show(Session.having, note="why")
    bench.files.write_data(tmp_path / "a.csv", study, update, "profile")
    bench.files.write_data(tmp_path / "b.json", study, update)
    bench.document.set("epsilon", 0.7)  # what was computed is of what the document has left
    bench.files.write_data(tmp_path / "a.json", study, update)
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert Response.neighbours.sentence in (tmp_path / "a.csv").read_text()
    for name in ("a.json", "b.json"):
        made = json.loads((tmp_path / name).read_text())
        assert (made["study"], made["parameters"]) == ("response", study.values())
        found = session_file.load(tmp_path / name)
        assert (found.study, found.state().note) == (study, "why")


def test_that_the_values_of_a_picture_copy_with_their_headings(bench):
    bench.outgoing.show_values("acceptance")
    dialog = bench.window().findChild(ValuesDialog)
    dialog.copy()
    head, *rows = QGuiApplication.clipboard().text().split("\n")
    assert head.split("\t")[:2] == ["records", "acceptance_laplace"]
    assert len(rows) == len(curve(bench))
    dialog.close()


def test_that_nobody_waits_for_the_values_of_curves_that_are_under_way(bench):
    study = Watch()
    update = Update(study.answer())
    bench.answers.latest = update, study
    bench.outgoing.show_values("alarm")
    assert bench.window().findChild(ValuesDialog) is None
    assert bench.status.message == "There are no values yet"
    assert update.answer.slow("alarm")


def test_that_the_last_session_layout_and_panels_return_at_the_next_start_and_a_broken_one_stops_none(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.document.set("epsilon", 0.75)
    bench.pictures.beside.header.chosen.emit("errors")
    bench.pictures.large.header.chosen.emit("tails")
    bench.page._row.splitterMoved.emit(0, 1)
    widths = bench.page._row.sizes()
    closed(window)
    assert (data_folder() / LAST).exists()
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert value(bench, "epsilon") == 0.75
    assert bench.pictures.beside.current_figure().key == "errors"
    assert bench.page._widths == widths
    assert bench.pictures.large.current_figure().key == "tails"
    closed(window)
    (data_folder() / LAST).write_text(BROKEN)
    window = opened(qtbot)
    assert not window.findChild(Workbench).document.set_here
    closed(window)


@pytest.mark.parametrize("content", ["{", "[]", "7", '{"recovery": 1}', '{"recovery": 1, "studies": 3}',
                                     '{"recovery": 1, "studies": [7, {"session": {}}]}', '{"recovery": 2}',
                                     '{"recovery": 3}', '{"recovery": [2]}',
                                     '{"recovery": 2, "session": {"study": "noise", "studies": {}}}', BROKEN])
def test_that_a_broken_last_session_is_none(content):
    (data_folder() / LAST).write_text(content)
    assert recovery.kept() == recovery.nothing()


def test_that_a_hand_that_never_rests_does_not_put_off_what_is_kept(bench, qtbot):
    kept, records = data_folder() / LAST, itertools.count(1001)
    bench.files._autosave.stop()
    kept.unlink(missing_ok=True)
    bench.files._autosave.setInterval(200)
    hand = QTimer(bench, interval=5)
    hand.timeout.connect(lambda: bench.document.edit("records", next(records), False))
    hand.start()
    qtbot.waitUntil(kept.exists)
    hand.stop()
    assert 1001 <= json.loads(kept.read_text())["session"]["studies"]["decision"]["values"]["records"] <= next(records)


def test_that_what_is_left_out_of_a_session_is_said(bench, qtbot, tmp_path):
    document = json.loads(session_file.text(Session.of(Decision, {"epsilon": 0.5})))
    document["studies"]["decision"]["views"] = {"variances": [0, 1]}
    (tmp_path / "a.dpstudio").write_text(json.dumps(document))
    open_file(qtbot, bench, tmp_path / "a.dpstudio")
    assert bench.document.set_here == {"epsilon": 0.5}
    qtbot.waitUntil(bench.window_.notice.isVisible)
    assert "Left out what was in view of 'variances'" in bench.window_.notice.label.text()
