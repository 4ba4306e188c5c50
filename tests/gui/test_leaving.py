"""The window ends in order: exports are written, signals obeyed, crashes kept, and no home is needed."""

from __future__ import annotations

import json
import logging
import os
import signal
import stat
import sys
import threading
from pathlib import Path

import pytest
from process_kit import run
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from window_kit import LEFT, answered, closed, opened, type_entry, value

from dpstudio.core.attacker import EVEN_ODDS
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.documents.state import one
from dpstudio.gui.pictures.export_dialog import ExportRequest
from dpstudio.gui.session import recovery
from dpstudio.gui.shell import log
from dpstudio.gui.shell.settings import Settings, data_folder, unkept
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise

LEAVE = """
import os, signal, sys
from dpstudio.gui.shell import app, workbench

made = workbench.Workbench.__init__
when, number = sys.argv[1], getattr(signal, sys.argv[2])

def made_and_told(self, *args):
    if when == "before":
        os.kill(os.getpid(), number)
    made(self, *args)
    self.document.set("epsilon", 0.75)
    if when == "after":
        os.kill(os.getpid(), number)
    elif when == "asking":
        from PySide6.QtCore import QTimer
        self.files.path = sys.argv[3]
        self.files.save()
        self.document.set("epsilon", 0.5)
        QTimer.singleShot(0, self.window_.close)
        QTimer.singleShot(50, lambda: os.kill(os.getpid(), number))
    elif when == "streaming":
        self.document.set("trials", 10**9)
        self.answers.shown.connect(
            lambda update, study: 0 < update.done < update.total and os.kill(os.getpid(), number))
    elif when == "exporting":
        def told():
            from pathlib import Path
            from dpstudio.gui.pictures.export_dialog import ExportRequest
            for i in range(3):
                self.files.export(ExportRequest(Path(sys.argv[3]) / f"{i}.png", "acceptance", "png", (80, 60), 40))
            os.kill(os.getpid(), number)
        from PySide6.QtCore import QTimer
        QTimer.singleShot(0, told)

workbench.Workbench.__init__ = made_and_told
if when == "loading":
    loaded = app.load
    def load(window, session):
        loaded(window, session)
        os.kill(os.getpid(), number)
    app.load = load
code = app.main()
import threading
left = [each for each in threading.enumerate() if each is not threading.main_thread()]
assert not left, left
sys.exit(code)
"""


@pytest.mark.parametrize(("when", "number"), [
    ("loading", "SIGINT"), ("before", "SIGINT"), ("after", "SIGTERM"), ("streaming", "SIGHUP")])
def test_that_a_signal_ends_the_window_in_order_and_keeps_what_stands(when, number, well_read):
    if not hasattr(signal, number):
        pytest.skip("there is no such signal here")
    ended = (run if when == "loading" else well_read.run)(LEAVE, when, number)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    if when != "loading":
        assert recovery.kept().session.explicit["epsilon"] == 0.75


def test_that_a_signal_while_something_is_asked_answers_nothing_and_keeps_the_changes(tmp_path, well_read):
    path = tmp_path / "mine.dpstudio"
    session_file.save(path, Session.of(Decision, {}))
    ended = well_read.run(LEAVE.replace("sys.argv[3]", f"__import__('pathlib').Path({str(path)!r})"), "asking",
                          "SIGTERM")
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    kept = recovery.kept()
    assert (kept.session.explicit["epsilon"], kept.saved.explicit["epsilon"], kept.place.path) == (0.5, 0.75, path)
    assert session_file.load(path).explicit["epsilon"] == 0.75


def test_that_exports_under_way_are_written_when_a_signal_ends_the_window(tmp_path, well_read):
    ended = well_read.run(LEAVE, "exporting", "SIGTERM", tmp_path)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    assert sorted(each.name for each in tmp_path.glob("*.png")) == ["0.png", "1.png", "2.png"]


def held_up(bench):
    """Exports of which the first has begun, and waits until it is let go."""
    begun, gate, written = threading.Event(), threading.Event(), []
    for i in range(3):
        bench.files._worker.start(lambda i=i: (begun.set(), gate.wait(20), written.append(i)))
    assert begun.wait(20)
    return gate, written


def test_that_the_window_waits_for_exports_and_says_so(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    gate, written = held_up(bench)
    assert not window.close()
    assert window.isVisible()
    assert window.notice.label.text() == "3 exports are being written; the window closes when that is done."
    assert not window.close(), "once more, and it still waits"
    gate.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert written == [0, 1, 2]
    closed(window)


def test_that_exports_can_be_given_up_where_a_person_says_so(qtbot, monkeypatch):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    gate, written = held_up(bench)
    worker = bench.files._worker
    monkeypatch.setattr(worker, "close", lambda close=worker.close, **how: (
        threading.Timer(0.2, gate.set).start(), close(**how)))  # let go while the end is waited for, and not before
    window.close()
    QTest.mouseClick(window.notice.button, LEFT)
    assert not window.isVisible()
    assert written == [0], "what was being written is finished"
    closed(window)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted in /proc")
def test_that_exports_leave_no_file_open_and_no_thread_behind(bench, qtbot, tmp_path):
    def export(i):
        bench.files.export(ExportRequest(tmp_path / f"{i}.pdf", "acceptance", "pdf", (80, 60), 40))
        qtbot.waitUntil(lambda: not bench.files.exporting)

    export(0)
    files, threads = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    export(1)
    assert len(list(Path("/proc/self/fd").iterdir())) <= files
    assert threading.active_count() == threads


def test_that_a_crash_is_in_the_diagnostics_of_later_starts(bench):
    folder = data_folder() / "crashed"
    folder.mkdir()
    (folder / log.CRASH).write_text("Fatal Python error: Segmentation fault\n")
    for _ in range(3):
        kept = log.Log(folder)
        unwatch = log.watch_crashes(folder)
        told = log.diagnostics(kept.memory, None)
        unwatch()
        kept.close()
        assert told.count("Segmentation fault") == 1
    (folder / log.CRASH).write_text("Fatal Python error: Aborted\n")
    told = log.diagnostics(log.Log(folder).memory, None)
    assert told.index("Segmentation fault") < told.index("Aborted")


def test_that_crashes_are_kept_to_a_bound_the_newest(tmp_path):
    for i in range(40):
        (tmp_path / log.CRASH).write_text(f"crash {i} " + "x" * 1000)
        kept = log.Log(tmp_path)
        kept.close()
    assert len(kept.memory.crashes) <= log.CRASHES
    assert "crash 39 " in kept.memory.crashes
    assert (tmp_path / log.CRASH).read_text() == ""


@pytest.mark.parametrize(("size", "begun_anew"), [(log.LARGEST, False), (log.LARGEST + 1, True)])
def test_that_a_log_grows_to_a_bound_and_the_one_before_stays_beside_it(tmp_path, size, begun_anew):
    (tmp_path / "dpstudio.log").write_bytes(b"x" * size)
    log.Log(tmp_path).close()
    assert (tmp_path / "dpstudio.old.log").exists() == begun_anew
    assert (tmp_path / "dpstudio.log").stat().st_size == (0 if begun_anew else size)


def test_that_a_real_crash_is_kept(tmp_path):
    crash = f"""
import ctypes, pathlib
from dpstudio.gui.shell import log
log.watch_crashes(pathlib.Path({str(tmp_path)!r}))
ctypes.string_at(0)
"""
    assert run(crash).returncode != 0
    assert "Fatal Python error" in log.Log(tmp_path).memory.crashes


def test_that_an_interruption_is_not_reported_as_something_gone_wrong(monkeypatch):
    passed_on, told = [], []
    monkeypatch.setattr(sys, "excepthook", lambda *what: passed_on.append(what[0]))
    back = log.catch_all(told.append)
    for kind in (KeyboardInterrupt, ValueError):
        sys.excepthook(kind, kind(), None)
    back()
    assert passed_on == [KeyboardInterrupt]
    assert len(told) == 1
    assert "ValueError" in told[0]


IMPOSSIBLE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from dpstudio.gui.shell import app, workbench

made = workbench.Workbench.__init__

def made_and_closed(self, window, *args):
    made(self, window, *args)
    self.document.set("epsilon", 0.75)
    def say():
        for _ in range(3):
            self.files.keep()
            self.settings.set_text("layout", "{}")
        print(window.notice.label.text() if window.notice.isVisible() else "silent")
        window.notice.hide()
        self.files.keep()
        print(window.notice.isVisible())
        window.close()
    QTimer.singleShot(0, say)

workbench.Workbench.__init__ = made_and_closed
sys.exit(app.main())
"""


def test_that_a_home_that_cannot_be_written_is_said_once_and_stops_nothing(tmp_path, well_read):
    (tmp_path / "file").write_text("")
    nowhere = {name: str(tmp_path / "file" / "x") for name in (
        "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    ended = well_read.run(IMPOSSIBLE, **nowhere)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    said, again = ended.stdout.splitlines()
    assert said == "Settings and studies are not kept for the next start: not a directory."
    assert again == "False"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to be had")
def test_that_a_log_on_a_full_disk_prints_nothing_and_closes(tmp_path, capsys):
    (tmp_path / "dpstudio.log").symlink_to("/dev/full")
    kept = log.Log(tmp_path)
    for _ in range(3):
        logging.getLogger("dpstudio").warning("x" * 20_000)
    kept.close()
    assert capsys.readouterr().err == ""
    assert kept.memory.lines[-1].endswith("x")


def test_that_a_home_that_can_be_written_is_not_spoken_of(own_home):
    assert unkept(Settings()) == ""
    assert not [each for each in data_folder().iterdir() if "tmp" in each.name], "the probe is gone"


def test_that_what_can_be_kept_of_a_broken_recovery_is_kept():
    session = Session.of(Decision, {"epsilon": 0.5}).pin()
    recovery.keep(recovery.LeftSession(session, Session(Decision)))
    path = data_folder() / recovery.LAST
    document = json.loads(path.read_text())
    document["session"]["study"] = "dice"  # a study that is gone
    document["session"]["studies"] |= {"dice": {"values": {}}, "noise": {"values": {"epsilon": -1}}}
    path.write_text(json.dumps(document))
    assert recovery.kept().session == session


def test_that_what_the_version_before_kept_of_each_study_is_gone_on_from(tmp_path):
    values = {"epsilon": 0.5, "minimum": 700}
    head = {"application": "DP Studio", "version": "0.1.0", "format": 2}
    studies = [{"session": head | {"study": key, "values": values},
                "file": str(tmp_path / "mine.dpstudio") if key == "decision" else None, "changed": key != "decision",
                "exact": False, "stamp": [1, 2, 3] if key == "decision" else None}
               for key, values in (("decision", values), ("noise", {"epsilon": 3}), ("decision", {"epsilon": 9}))]
    studies.insert(0, {"session": {"format": 1}})
    (data_folder() / recovery.LAST).write_text(json.dumps({"application": "DP Studio", "recovery": 1,
                                                           "studies": studies}))
    left = recovery.kept()
    assert left.session == Session(Decision, {Decision: one(Decision, values), Noise: one(Noise, {"epsilon": 3})},
                                   EVEN_ODDS)
    assert left.place == recovery.FilePlace(tmp_path / "mine.dpstudio", (1, 2, 3), frozenset({Decision}))
    assert left.session.differing(left.saved) == (Noise,)


def test_that_the_session_that_an_earlier_version_kept_is_gone_on_from():
    session_file.save(data_folder() / recovery.OLD, Session.of(Decision, {"epsilon": 0.5}))
    first = Session.of(Decision, {"epsilon": 0.5}).facing(EVEN_ODDS)
    assert recovery.kept() == recovery.LeftSession(first, Session(Decision, attacker=EVEN_ODDS))


def test_that_the_keyboard_alone_sets_undoes_exports_saves_and_finds_the_study_again(qtbot, questions, tmp_path,
                                                                                   monkeypatch):
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QFileDialog

    from dpstudio.gui.pictures.export_dialog import ExportDialog

    def press(key, held=Qt.KeyboardModifier.ControlModifier):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(QApplication.focusWidget() or window, key, held)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "mine"), ""))
    window = opened(qtbot)
    window.activateWindow()
    bench = window.findChild(Workbench)
    type_entry(bench, "minimum", "5000")
    type_entry(bench, "minimum", "7000")
    press(Qt.Key.Key_Z)
    assert value(bench, "minimum") == 5000
    answered(qtbot, bench)
    press(Qt.Key.Key_E)
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is not None)
    dialog = window.findChild(ExportDialog)
    dialog.path.setFocus()
    dialog.path.selectAll()
    QTest.keyClicks(dialog.path, str(tmp_path / "a.svg"))
    QTest.keyClick(dialog.path, Qt.Key.Key_Return)
    qtbot.waitUntil((tmp_path / "a.svg").exists)
    qtbot.waitUntil(lambda: not bench.files.exporting)
    press(Qt.Key.Key_S)
    assert session_file.load(tmp_path / "mine.dpstudio").explicit["minimum"] == 5000
    press(Qt.Key.Key_Q)
    assert not window.isVisible()
    closed(window)
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    assert (value(bench, "minimum"), bench.files.path) == (5000, tmp_path / "mine.dpstudio")
    assert not window.isWindowModified()
    closed(window)


def test_that_diagnostics_copied_from_the_window_hold_earlier_crashes(bench):
    bench.window_.log.memory.crashes = "--- crashed\nFatal Python error"
    bench.window_.copy_diagnostics()
    assert "Fatal Python error" in QGuiApplication.clipboard().text()


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_that_nobody_else_may_read_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new"))
    session = Session.of(Decision, {"epsilon": 0.5})
    recovery.keep(recovery.LeftSession(session, session))
    kept = data_folder() / recovery.LAST
    assert kept.is_relative_to(tmp_path)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (kept.parent, kept)] == [0o700, 0o600]
    kept.chmod(0o644)
    keeper = recovery.Keeper()
    keeper.begin(recovery.LeftSession(session, session))
    keeper.keep(recovery.LeftSession(session.set("epsilon", 0.25), session))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600, "nor what an older version left readable"


def test_that_a_stretch_of_no_table_that_was_kept_costs_no_study():
    session = Session.of(Decision, {"epsilon": 0.5})
    recovery.keep(recovery.LeftSession(session, session))
    path = data_folder() / recovery.LAST
    document = json.loads(path.read_text())
    document["session"]["studies"]["decision"]["views"] = {"variances": [0, 1], "records": [1, 2]}
    path.write_text(json.dumps(document))
    assert recovery.kept().session == session.look("records", (1.0, 2.0))
