"""What is put off is done once, or never where whoever it is for has gone; and nothing of it stays."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from shiboken6 import delete

from dpstudio.gui.shell.later import later


class Owner(QObject):
    def __init__(self):
        super().__init__()
        self.done = []

    def act(self):
        self.done.append(1)


def gone(owner):
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("milliseconds", [0, 20])
def test_that_it_is_done_once(qtbot, milliseconds):
    owner = Owner()
    later(owner, owner.act, milliseconds)
    assert not owner.done
    qtbot.waitUntil(lambda: owner.done == [1])
    qtbot.wait(milliseconds + 20)
    assert owner.done == [1]


@pytest.mark.parametrize("leave", [gone, delete])
def test_that_it_is_not_done_for_one_that_has_gone_and_keeps_nothing_of_it(qtbot, leave):
    owner, done = Owner(), []
    owner.done = done
    kept = weakref.ref(owner)
    later(owner, owner.act)
    leave(owner)
    del owner
    qtbot.wait(20)
    gc.collect()
    assert not done
    assert kept() is None
