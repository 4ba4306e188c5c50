"""Every test of the window has its own home and settings, and leaves no window behind."""

from __future__ import annotations

import gc
import os
from functools import cache

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from pytestqt.qtbot import QtBot

OF_FRONTIERS = ("test_frontier_view.py",)
"""What states what is seen of a frontier."""
OF_ANSWERS = ("test_app.py", "test_nothing_grows.py", "test_nothing_lost.py", "test_streaming.py",
              "test_two_windows.py", "test_window.py")
"""What states how answers come or go, or shows two windows at once."""
PATIENCE = 60_000
"""Milliseconds that are waited for what comes soon where nobody else is busy on the machine: never a reason to fail."""


class PatientBot(QtBot):
    """Hands that give up late: what is waited for ends the wait as before."""

    def waitUntil(self, callback, *, timeout=PATIENCE):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=PATIENCE, **more):
        return super().waitSignal(signal, timeout=timeout, **more)


@pytest.fixture(scope="session", autouse=True)
def garbage_is_looked_for_seldom():
    """A window makes much that stays, and little garbage: to look for it as often as usual took a twentieth."""
    usual = gc.get_threshold()
    gc.set_threshold(10_000, 20, 20)
    yield
    gc.set_threshold(*usual)


@pytest.fixture(scope="session", autouse=True)
def nothing_outlives_a_power_cut():
    """Homes of tests are gone soon: nobody waits until what is written to them has reached the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def fonts_are_known(request):
    """What matplotlib knows of fonts is no part of a home, and takes longer to find than a picture to draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLCONFIGDIR", str(request.config.cache.mkdir("matplotlib")))
        yield


@pytest.fixture(scope="module", autouse=True)
def frontiers_in_outline(frontiers_of_few_points, request):
    """What a window does with it is the same along fewer points still."""
    if request.path.name in OF_FRONTIERS:
        yield
        return
    from answers_kit import few_points

    with few_points(4, 6):
        yield


@pytest.fixture(scope="session")
def default_answers():
    """What is known of a study as it comes, whomever it faces: kept from one test to the next."""
    return cache(lambda study: study.answer())


@pytest.fixture(scope="module", autouse=True)
def defaults_are_answered_once(default_answers, request):
    """What a window asks first is nearly always the same: what an earlier one came to is not computed again."""
    if request.path.name in (*OF_FRONTIERS, *OF_ANSWERS):
        yield
        return
    from dpstudio.core.attacker import alone
    from dpstudio.gui.session import answers

    computed = answers.answering

    def answering(study, views, seen, answer, rest, **moved):
        if (answer is None or answer.study != study) and study == type(study)(**alone(study).values()):
            answer = default_answers(study)
        return computed(study, views, seen, answer, rest, **moved)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "answering", answering)
        yield


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """Settings, log and sessions go where nobody else's are."""
    home = tmp_path / "home"
    for name, folder in (("HOME", "."), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"),
                         ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")):
        (home / folder).mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(name, str(home / folder))
    monkeypatch.setenv("USERPROFILE", str(home))
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(home / "config"))
    from window_kit import first_settings

    first_settings("study")  # what tests are about, but for those of the first page
    return home


@pytest.fixture(autouse=True)
def nothing_left(own_home, qapp):
    """Fail a test that leaves a window behind, also one that is out of sight.

    What is still there when the interpreter ends takes it down, and whatever lives on is dressed anew at each change
    of the theme, which makes all tests that follow slower.
    """
    before = set(qapp.topLevelWidgets())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [widget for widget in set(qapp.topLevelWidgets()) - before if widget.parent() is None
            and (widget.isVisible() or widget.children())]  # a bare box that a dialog put nowhere goes with the dialog
    for widget in left:
        widget.close()
    assert not left, f"left behind: {left}"


@pytest.fixture(autouse=True)
def questions(own_home, qapp):
    """Answers what the window asks, as the test says; what nobody expected is cancelled, and fails the test."""
    from window_kit import Questions

    asked = Questions()
    yield asked
    asked.stop()
    assert not asked.unexpected, f"asked, and nobody expected it: {asked.unexpected}"
    assert not asked.answers, f"never asked: {asked.answers}"


@pytest.fixture(scope="session")
def well_read():
    """Runs windows in processes that have read the libraries."""
    from process_kit import WellRead

    processes = WellRead()
    yield processes
    processes.close()


@pytest.fixture
def bench(qtbot, monkeypatch):
    """The workbench of a window that shows its first answer."""
    import pyqtgraph as pg
    from window_kit import closed, opened

    from dpstudio.gui.shell.workbench import Workbench

    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)  # else fast moves of the mouse are passed over
    window = opened(qtbot)
    yield window.findChild(Workbench)
    closed(window)
