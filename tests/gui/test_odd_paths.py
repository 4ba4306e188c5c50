"""Whatever somebody types as the name of a file is written, or refused in a sentence; nothing is raised."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from dpstudio.core.resources import whether
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.shell.settings import Settings

ODD = ("x" * 300, "x" * 300 + "/a.svg", "y" * 5000, "~nobody-of-this-name/a.svg", "..", ".", "/", "a\0b.svg",
       "/proc/a.svg", "\u202egvs.a", " ", "")


@pytest.fixture
def told(bench):
    said = []
    bench.files.refused.connect(said.append)
    bench.files.said.connect(said.append)
    return said


def leave(dialog):
    if isValid(dialog):
        dialog.reject()
        dialog.deleteLater()


@pytest.mark.parametrize("name", ODD)
def test_that_a_picture_under_an_odd_name_is_written_or_refused(bench, qtbot, told, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    bench.outgoing.export_picture("acceptance")
    dialog = bench.window().findChild(ExportDialog)
    dialog.path.setText(name)
    dialog.accept()
    qtbot.waitUntil(lambda: not bench.files.exporting)
    assert told or (isValid(dialog) and "folder" in dialog.note.text())
    leave(dialog)


@pytest.mark.parametrize("name", ODD)
def test_that_a_report_under_an_odd_name_can_be_chosen_and_another_format_too(bench, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    bench.desk.write_report()
    dialog = bench.window().findChild(ReportDialog)
    assert isinstance(dialog, QDialog)
    dialog.path.setText(name)
    for i in range(dialog.format.count()):
        dialog.format.setCurrentIndex(i)
    dialog.targets()
    leave(dialog)


def test_that_a_folder_that_is_remembered_and_cannot_be_is_the_home(tmp_path):
    settings = Settings()
    settings.set_folder("export", tmp_path / ("x" * 300))
    assert whether(settings.folder("export").is_dir)
    settings.add_recent(str(tmp_path / ("x" * 300)))
    assert settings.recent == ()
