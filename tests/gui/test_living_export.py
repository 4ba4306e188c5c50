"""A picture leaves the window with sliders: asked for in the export dialog, the same as by the command line."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtTest import QTest
from shiboken6 import isValid
from window_kit import LEFT, drop, type_entry, value

from dpstudio.cli import main
from dpstudio.documents import living, session_file
from dpstudio.documents.files import FileProgress
from dpstudio.gui.pictures.export_dialog import ExportDialog, ExportRequest


@pytest.fixture
def dialog(bench, tmp_path):
    type_entry(bench, "minimum", "500")
    bench.desk.settings.set_folder("export", tmp_path)
    bench.outgoing.export_picture("acceptance")
    found = bench.window().findChild(ExportDialog)
    found.format.setCurrentIndex(found.format.findData("html"))
    yield found
    if isValid(found):
        found.close()


def asks(dialog, place, text):
    dialog.sliders.ranges[place].take(text)


def test_that_the_dialog_writes_what_the_command_line_does_and_the_page_comes_back(bench, dialog, qtbot, tmp_path):
    assert dialog.sliders.isVisibleTo(dialog)
    assert not dialog.size_choice.isVisibleTo(dialog)
    assert dialog.file == tmp_path / "decision-acceptance.html"
    assert dialog.sliders.over == ("epsilon=0.0001:10:41:log",)
    asks(dialog, 0, "epsilon=0.1:1:3:log")
    asks(dialog, 1, "delta=1e-9:0.001:2:log")
    qtbot.waitUntil(lambda: dialog.note.text().startswith("About "))
    assert " MB, in about " in dialog.note.text()
    with qtbot.waitSignal(bench.tools.get("reports").moved, check_params_cb=lambda progress: progress is None):
        dialog.accept()
    target = tmp_path / "decision-acceptance.html"
    assert bench.window().notice.label.text() == "Exported decision-acceptance.html"
    session_file.save(tmp_path / "a.dpstudio", bench.document.session)
    assert main(["render", str(tmp_path / "a.dpstudio"), "--over", "epsilon=0.1:1:3:log",
                 "--over", "delta=1e-9:0.001:2:log", "--output", str(tmp_path / "b.html")]) == 0
    assert target.read_bytes() == (tmp_path / "b.html").read_bytes()
    bench.desk.reset_all()
    with qtbot.waitSignal(bench.files.opened):
        drop(bench.window(), target)
    assert value(bench, "minimum") == 500


def test_that_no_page_is_offered_where_none_can_be_and_why_is_said(dialog, qtbot):
    def refused(told):
        qtbot.waitUntil(lambda: told in dialog.note.text())
        assert not dialog.export_button.isEnabled()

    asks(dialog, 0, "epsilon=0.1:1:5000:log")
    refused("at most 2\u202f500 settings")
    asks(dialog, 0, "epsilon=1:0.1:5:log")
    refused("correcting")
    asks(dialog, 0, "epsilon=0.1:1:5:log")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.path.setText("a.svg")
    refused("must end in .html")
    dialog.figure.setCurrentIndex(dialog.figure.findData("risk_people"))
    refused("a picture with axes")
    dialog.figure.setCurrentIndex(0)
    refused("choose which")
    dialog.format.setCurrentIndex(dialog.format.findData("svg"))
    assert dialog.export_button.isEnabled()
    assert not dialog.sliders.isVisibleTo(dialog)
    assert dialog.note.text() == "The file carries its session: drop it on the window to come back here."


def test_that_a_page_that_would_be_too_large_is_not_offered(dialog, qtbot, monkeypatch):
    monkeypatch.setattr(living, "LARGEST", 200_000)
    asks(dialog, 0, "epsilon=0.1:1:60:log")
    qtbot.waitUntil(lambda: "ask for fewer values" in dialog.note.text())
    assert not dialog.export_button.isEnabled()


def test_that_a_page_under_way_is_shown_and_left_with_no_file_changed(bench, qtbot, tmp_path, monkeypatch):
    begun, go = threading.Event(), threading.Event()

    def steps(_):
        yield FileProgress(1, 3, "computing")
        begun.set()
        go.wait(10)
        yield FileProgress(3, 3, "", b"new")

    monkeypatch.setattr(living, "steps", steps)
    target = tmp_path / "a.html"
    target.write_bytes(b"old")
    bench.outgoing.export(ExportRequest(target, "acceptance", "html", (160, 100), 300, over=("epsilon=0.1,1",)))
    qtbot.waitUntil(lambda: begun.is_set() and bench.status.leave.isVisible())
    assert bench.status._written.text() == "Living page: computing"
    QTest.mouseClick(bench.status.leave, LEFT)
    assert bench.status.message == "Cancelled: no living page was written"
    go.set()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert target.read_bytes() == b"old"
