"""What a long session leaves behind: memory, threads and open files after thousands of random actions on the window.

The actions follow a seed: parameters dragged and typed, also past their domains; studies, presets, pins, undo, views,
zooms, help, themes, sizes of the window, pictures copied and written.
"""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

import numpy as np
import pytest
from benchmarks_kit import begun
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from dpstudio.gui.plot.canvas import Canvas
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.log import Log
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.vocabulary import Choice, Interval, Switch, Written

SEED = int(os.environ.get("DPSTUDIO_SEED", "0"))
LOOKS = tuple(int(part) for part in os.environ.get("DPSTUDIO_ACTIONS", "5000,10000,20000").split(","))
SIZES = ((1280, 720), (1920, 1080), (960, 600))
SAFE = ("Undo", "Redo", "Reset all", "Enlarge picture", "Back to all pictures", "Fit axes", "Pin curves",
        "Remove all pins", "Find a fact",
        "Next pane", "Previous pane", "light", "dark", "Presentation mode", "Help on this study", "Theorems",
        "Next study", "Previous study", "Copy facts", "Copy picture", "Numbers of this picture", "Keyboard and mouse",
        "About DP Studio", "Copy diagnostics")
"""Commands that ask nothing."""


@pytest.fixture
def bench(qapp, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    settings, log = Settings(), Log(tmp_path)
    window = Window(settings, Appearance(settings), log)
    window.resize(*SIZES[0])
    window.show()
    workbench = Workbench(window, begun(Decision))
    workbench.pages.show_study()
    window.fill(workbench)
    turn(qapp, 1.0)
    yield workbench
    window.close()
    window.deleteLater()
    turn(qapp, 0.1)
    log.close()


def turn(app, seconds):
    end = time.monotonic() + seconds
    while True:
        app.processEvents()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # outside exec() nothing else obeys deleteLater
        if time.monotonic() >= end:
            return


def random_value(rng, declared):
    """A value of the domain, now and then one past it."""
    domain = declared.domain
    if isinstance(domain, Switch):
        return bool(rng.integers(2))
    if isinstance(domain, Choice):
        return str(rng.choice(domain.options))
    if isinstance(domain, Written):
        return str(rng.choice(domain.examples))
    assert isinstance(domain, Interval)
    low, high = declared.range or (domain.low, domain.high)
    if rng.random() < 0.03:
        return float(rng.choice([domain.low - 1, domain.high * 10 + 1, float("nan")]))
    value = np.exp(rng.uniform(np.log(low), np.log(high))) if low > 0 else rng.uniform(low, high)
    return domain.nearest(float(value))


class Hand:
    """Does one random thing after another."""

    def __init__(self, bench, seed):
        self.bench, self.rng = bench, np.random.default_rng(seed)

    def drag(self):
        declared = self.rng.choice(self.bench.document.study_class.parameters())
        if isinstance(declared.domain, Interval):
            for _ in range(int(self.rng.integers(1, 6))):
                self.bench.document.edit(declared.name, random_value(self.rng, declared), False)
                QApplication.processEvents()
        self.bench.document.edit(declared.name, random_value(self.rng, declared), True)

    def type(self):
        panel = self.bench.page.parameters
        declared = self.rng.choice([each for each in self.bench.document.study_class.parameters()
                                    if each.name not in panel._elsewhere])
        editor = panel.control(declared.name).editor()
        editor.setFocus()
        QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(editor, str(self.rng.choice(["1e-3", "0.5", "100k", "abc", "", "-7", "1e400", "0,5", "12 %"])))
        QTest.keyClick(editor, Qt.Key.Key_Return if self.rng.random() < 0.8 else Qt.Key.Key_Escape)

    def command(self):
        action = self.bench.menus.actions.get(str(self.rng.choice(SAFE)))
        if action is not None and action.isEnabled():
            action.trigger()

    def study(self):
        self.bench.desk.open_study(str(self.rng.choice(list(all_studies()))))

    def preset(self):
        presets = self.bench.document.study_class.presets
        if presets:
            self.bench.desk.apply_preset(presets[int(self.rng.integers(len(presets)))])

    def mouse(self):
        shown = [canvas for canvas in self.bench.findChildren(Canvas) if canvas.isVisible()]
        if not shown:
            return
        port = shown[int(self.rng.integers(len(shown)))].viewport()
        at = [QPoint(int(self.rng.integers(max(port.width(), 1))), int(self.rng.integers(max(port.height(), 1))))
              for _ in range(2)]
        QTest.mouseMove(port, at[0])
        QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at[0])
        QTest.mouseMove(port, at[1])
        QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at[1])
        if self.rng.random() < 0.2:
            QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=at[0])

    def size(self):
        self.bench.window_.resize(*SIZES[int(self.rng.integers(len(SIZES)))])

    def act(self):
        does = self.rng.choice(["drag", "type", "command", "study", "preset", "mouse", "size"],
                               p=[0.36, 0.12, 0.2, 0.05, 0.05, 0.2, 0.02])
        getattr(self, does)()
        for widget in QApplication.topLevelWidgets():
            if widget is not self.bench.window_ and widget.isVisible() and widget.isWindow():
                widget.close()
        turn(QApplication, 0)


def left():
    """MiB of resident memory, threads and open files of this process, as Linux tells them."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resident / 2**20, len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def test_that_twenty_thousand_actions_leave_nothing_behind(bench, qapp, report):
    hand = Hand(bench, SEED)
    seen = {}
    for done in range(1, LOOKS[-1] + 1):
        hand.act()
        if done % 200 == 0:
            turn(qapp, 0.05)
        if done in LOOKS:
            turn(qapp, 3.0)
            seen[done] = left()
            memory, threads, files = seen[done]
            report(f"after {done} random actions: MiB of memory", memory, "level", f"{threads} threads, {files} files")
    assert seen[LOOKS[-1]][1] <= seen[LOOKS[0]][1] + 2
    assert seen[LOOKS[-1]][2] <= seen[LOOKS[0]][2] + 5
