"""Calls are passed on at once after a pause, and the newest of them once an interval."""

from __future__ import annotations

from PySide6.QtCore import QObject

from dpstudio.gui.shell.pace import Pace


def test_that_the_first_call_passes_at_once_and_the_newest_follows(qtbot):
    seen: list[int] = []
    owner = QObject()
    pace = Pace(30, seen.append, owner)
    for number in range(10):
        pace(number)
    assert seen == [0]
    qtbot.waitUntil(lambda: seen == [0, 9])


def test_that_a_call_after_a_pause_passes_at_once(qtbot):
    seen: list[int] = []
    owner = QObject()
    pace = Pace(5, seen.append, owner)
    pace(1)
    qtbot.waitUntil(lambda: not pace._timer.isActive())
    pace(2)
    assert seen == [1, 2]
