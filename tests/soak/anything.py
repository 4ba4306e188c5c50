"""One random thing after another on the real window, by a seed: all that can be clicked, typed into, dragged or chosen.

What there is to do is found in what is seen: nothing is listed but what would end the program or leave it.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import importlib
import inspect
import logging
import os
import pkgutil
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from memory_kit import allocated, resident
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QContextMenuEvent, QCursor, QDesktopServices, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGraphicsItem,
    QGraphicsView,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

import dpstudio.gui
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session
from dpstudio.gui.controls.slider import Slider
from dpstudio.gui.shell import app as program
from dpstudio.gui.shell import log, theme
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.settings import Settings, data_folder
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.gui.shell.worker import Worker
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Choice, Interval, Switch, Written

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
PLAIN, SHIFT, CONTROL = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier,
                         Qt.KeyboardModifier.ControlModifier)
SIZES = ((1280, 720), (1920, 1080), (960, 600), (700, 500))
ENDS = ("Quit",)
"""Commands that end the window."""
TYPED = ("1e-3", "0.5", "100k", "abc", "", "-7", "1e400", "0,5", "12 %", "3; 4; 5", "a: count within=10", "age >= 65",
         "nan", "é\u202e漢", "x" * 300, "1 000", "none")
KEYS = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up,
        Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space,
        Qt.Key.Key_Delete, Qt.Key.Key_F1, Qt.Key.Key_F2, Qt.Key.Key_F6, Qt.Key.Key_F8, Qt.Key.Key_F11, Qt.Key.Key_D,
        Qt.Key.Key_E, Qt.Key.Key_P, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_1, Qt.Key.Key_9)
AFTER = (Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)
"""What ends what is typed."""
PASSED_OVER = ("This plugin does not support",)
"""What Qt says of a screen that is none."""
LONGEST_STEP = 60.0
"""Seconds in which what is under way ends."""
MOST_KINDS = 12
"""Kinds of objects that are named at a look."""
KEPT = 40
"""Actions of which is told when something fails."""


GROWTH = {"memory, MiB": 20, "threads": 2, "open files": 5, "processes": 0, "windows": 5, "widgets": 200,
          "outlived parts": 200, "items of pictures": 200}
"""By how much more each may be in the end than at first."""


class Trace(deque):
    """The latest actions, which a file has, too: a crash tells of nothing else."""

    def __init__(self, path: Path) -> None:
        super().__init__(maxlen=KEPT)
        self._file = path.open("w", encoding="utf-8", errors="replace", buffering=1)

    def append(self, words: str) -> None:
        super().append(words)
        self._file.write(words.replace("\n", " ") + "\n")

    def told(self, why: str) -> None:
        """What went wrong, written before it may end the program."""
        self._file.write(why + "\n")

    def close(self) -> None:
        self._file.close()


def _ours(kind: type) -> Iterator[type]:
    """The program’s own classes of a kind."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("dpstudio"):
            yield each
        yield from _ours(each)


class _Heard(logging.Handler):
    """What the program writes down as its own fault, and goes on after, is one."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        self._fail(f"logged: {logging.Formatter().format(record)}")


class SoakHand(QObject):
    """A hand that follows a seed; `done` are its latest actions, `failures` what went wrong."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__()
        self.rng = np.random.default_rng(seed)
        self.folder = folder
        self.done = Trace(folder.with_suffix(".trace"))
        self.acts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        """Objects at the last look, by the name of their class."""
        self.failures: list[str] = []
        self._watched: dict[type, set[str]] = {}
        self._watch()
        for module in pkgutil.walk_packages(dpstudio.gui.__path__, f"{dpstudio.gui.__name__}."):
            importlib.import_module(module.name)
        self.watch_overrides()  # before one of them is called: Shiboken goes on calling what it called once
        settings = Settings()
        self.log = log.Log(data_folder())
        self._heard = _Heard(self.fail)
        logging.getLogger(dpstudio.__name__).addHandler(self._heard)
        self.window = Window(settings, Appearance(settings), self.log)
        self.window.resize(*SIZES[0])
        self.window.show()
        program.fill(self.window)
        self.bench: Workbench = self.window.findChild(Workbench)
        self._deep = 0
        self._ended = False
        self._within()

    # What is watched

    def _watch(self) -> None:
        """Whatever is raised or warned of, in any thread, is a failure."""
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = lambda kind, error, trace: self.fail("".join(traceback.format_exception(kind, error, trace)))
        threading.excepthook = lambda told: self.fail("".join(traceback.format_exception(
            told.exc_type, told.exc_value, told.exc_traceback)))
        qInstallMessageHandler(self._message)
        self._chosen = {(owner, name): getattr(owner, name) for owner, name in (
            (QFileDialog, "getSaveFileName"), (QFileDialog, "getOpenFileName"), (QFileDialog, "getExistingDirectory"),
            (QDesktopServices, "openUrl"))}
        QFileDialog.getSaveFileName = lambda *_, **__: self._name_to_write()
        QFileDialog.getOpenFileName = lambda *_, **__: self._name_to_read()
        QFileDialog.getExistingDirectory = lambda *_, **__: str(self.folder)
        QDesktopServices.openUrl = lambda _: True

    def watch_overrides(self) -> None:
        """What Qt calls of ours tells at once what it raises: PySide may lose it, or crash on it."""
        for kind in _ours(QObject):
            for name, plain in list(vars(kind).items()):
                if inspect.isfunction(plain) and name not in self._watched.get(kind, ()) and name[0] != "_" and any(
                        name in vars(base) for base in kind.__mro__ if base.__module__.startswith("PySide6")):
                    self._watched.setdefault(kind, set()).add(name)
                    setattr(kind, name, self._told(plain))

    def _told(self, plain):
        @functools.wraps(plain)
        def told(*given, **named):
            try:
                return plain(*given, **named)
            except Exception as error:
                self.fail(f"in {plain.__qualname__}, {type(error).__name__}: {error}\n{traceback.format_exc()}")
                raise

        return told

    def _message(self, kind: QtMsgType, _: object, words: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not any(each in words for each in PASSED_OVER):
            self.fail(f"Qt: {words}")

    def fail(self, why: str) -> None:
        self.done.told(why)
        self.failures.append(f"{why}\nafter:\n  " + "\n  ".join(self.done))

    def end(self) -> None:
        """Close the window without what is being written, and give back what was watched."""
        self._ended = True
        self.bench.files.give_up()
        self.window.deleteLater()
        self.settle(0.1)
        if self.window.appearance.theme != theme.LIGHT:  # whoever comes next begins as everybody does
            theme.apply(QApplication.instance(), theme.LIGHT)
        logging.getLogger(dpstudio.__name__).removeHandler(self._heard)
        self.log.close()
        self.done.close()
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(None)
        for (owner, name), before in self._chosen.items():
            setattr(owner, name, before)

    # Files

    def _name_to_write(self) -> tuple[str, str]:
        ending = self.pick(("svg", "pdf", "png", "json", "csv", "html", "dpstudio", "py", "txt", "parquet", "odd"))
        return str(self.folder / f"{int(self.rng.integers(6))}.{ending}"), ""

    def _name_to_read(self) -> tuple[str, str]:
        there = sorted(self.folder.iterdir())
        return (str(self.pick(there)) if there and self.rng.random() < 0.8 else ""), ""

    # One action

    def pick(self, some):
        return some[int(self.rng.integers(len(some)))]

    def act(self) -> None:
        """One random thing, and whatever it opens is dealt with."""
        acts: tuple[tuple[float, Callable[[], object]], ...] = (
            (0.38, self._value), (0.27, self._widget), (0.12, self._key), (0.12, self._picture), (0.07, self._command),
            (0.01, self._study), (0.01, self._preset), (0.01, self._size), (0.01, self._context))
        self._do(acts[int(self.rng.choice(len(acts), p=[share for share, _ in acts]))][1])
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._tidy()

    def _do(self, act: Callable[[], object], name: str = "") -> None:
        self.acts[name or act.__name__.lstrip("_")] += 1
        act()

    def _value(self) -> None:
        document = self.bench.document
        declared = self.pick(document.study_class.parameters())
        if isinstance(declared.domain, Interval):
            for _ in range(int(self.rng.integers(0, 4))):
                document.edit(declared.name, self._of(declared), False)
                QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
                if declared.name not in document.study_class.by_name():
                    return  # what was being opened came, and is of another study
        value = self._of(declared)
        self.done.append(f"{document.study_class.key}.{declared.name} = {value!r:.60}")
        document.edit(declared.name, value, True)

    def _of(self, declared):
        """A value of the domain, now and then one past it."""
        domain = declared.domain
        if isinstance(domain, Switch):
            return bool(self.rng.integers(2))
        if isinstance(domain, Choice):
            return str(self.pick(domain.options))
        if isinstance(domain, Written):
            return str(self.pick(domain.examples))
        low, high = declared.range or (domain.low, domain.high)
        if self.rng.random() < 0.03:
            return float(self.pick((domain.low - 1, domain.high * 10 + 1, float("nan"))))
        value = np.exp(self.rng.uniform(np.log(low), np.log(high))) if low > 0 else self.rng.uniform(low, high)
        return domain.nearest(float(value))

    def _shown(self, within: QWidget | None = None) -> list[QWidget]:
        """What can be used: seen, enabled, and not merely a ground for others."""
        top = within or QApplication.activeModalWidget()
        tops = [top] if top else [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        # Not by findChildren(): PySide then keeps what Qt made itself as long as the widget that was asked.
        there = [each for each in QApplication.allWidgets() if isinstance(each, USED) and each.isVisible()
                 and each.isEnabled() and any(one.isAncestorOf(each) for one in tops)]
        return sorted(there, key=lambda each: (type(each).__name__, each.mapToGlobal(QPoint()).toTuple()))

    def _widget(self, within: QWidget | None = None) -> None:
        if some := self._shown(within):
            one = self.pick(some)
            self.done.append(f"{type(one).__name__} {one.accessibleName() or getattr(one, 'text', str)()!s:.50}")
            self._use(one)

    def _use(self, one: QWidget) -> None:
        if isinstance(one, QLineEdit | QAbstractSpinBox | QPlainTextEdit | QTextEdit):
            one.setFocus()
            QTest.keyClick(one, Qt.Key.Key_A, CONTROL)
            for sign in self.pick(TYPED):  # QTest ends the program at a sign that is no ASCII
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    QApplication.sendEvent(one, QKeyEvent(kind, 0, PLAIN, sign))
            if self.alive(one):
                QTest.keyClick(one, self.pick(AFTER))
        elif isinstance(one, QAbstractButton):
            QTest.mouseClick(one, LEFT, PLAIN, one.rect().center())
        elif isinstance(one, QComboBox):
            one.setFocus()
            QTest.keyClick(one, self.pick((Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_End)))
        elif isinstance(one, QTabBar):
            if one.count():
                QTest.mouseClick(one, LEFT, PLAIN, one.tabRect(int(self.rng.integers(one.count()))).center())
        elif isinstance(one, QAbstractItemView):
            port = one.viewport()
            place = self._within_of(port)
            self.pick((QTest.mouseClick, QTest.mouseClick, QTest.mouseDClick))(port, LEFT, PLAIN, place)
        elif isinstance(one, QGraphicsView):
            self._stroke(one.viewport())
        else:
            self._stroke(one)

    def _stroke(self, one: QWidget) -> None:
        """A click, or a drag."""
        first, last = self._within_of(one), self._within_of(one)
        with_shift = SHIFT if self.rng.random() < 0.1 else PLAIN
        QTest.mouseMove(one, first)
        if self.alive(one):
            QTest.mousePress(one, LEFT, with_shift, first)
        if self.rng.random() < 0.7 and self.alive(one):
            QTest.mouseMove(one, last)
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        if self.alive(one):
            QTest.mouseRelease(one, LEFT, with_shift, last)

    def _within_of(self, one: QWidget) -> QPoint:
        return QPoint(*(int(self.rng.integers(max(side, 1))) for side in (one.width(), one.height())))

    @staticmethod
    def alive(one: QObject) -> bool:
        return isValid(one) and one.isVisible()

    def _command(self) -> None:
        actions = [name for name, action in self.bench.menus.actions.items() if action.isEnabled() and name not in ENDS]
        name = self.pick(actions)
        self.done.append(name)
        self.bench.menus.actions[name].trigger()

    def _key(self) -> None:
        key, more = self.pick(KEYS), self.pick((PLAIN, PLAIN, PLAIN, SHIFT, CONTROL))
        self.done.append(f"{more.name} {key.name}")
        QTest.keyClick(QApplication.focusWidget() or self.window, key, more)

    def _picture(self) -> None:
        views = [each for each in self._shown() if isinstance(each, QGraphicsView)]
        if not views:
            return
        view = self.pick(views)
        self.done.append(f"on the picture {view.accessibleName():.50}")
        if self.rng.random() < 0.3:
            at = QPointF(self._within_of(view.viewport()))
            turned = QWheelEvent(at, view.viewport().mapToGlobal(at), QPoint(), QPoint(0, self.pick((-120, 120))),
                                 Qt.MouseButton.NoButton, PLAIN, Qt.ScrollPhase.NoScrollPhase, False)
            QApplication.sendEvent(view.viewport(), turned)
        else:
            self._stroke(view.viewport())
            if self.rng.random() < 0.2 and self.alive(view):
                QTest.mouseDClick(view.viewport(), LEFT, PLAIN, self._within_of(view.viewport()))

    def _study(self) -> None:
        among, opens = ((SCENARIOS, self.bench.practice.open) if self.rng.random() < 0.3 else
                        (all_studies(), self.bench.desk.open_study))
        name = self.pick(sorted(among))
        self.done.append(f"opens {name}")
        opens(name)

    def _preset(self) -> None:
        if presets := self.bench.document.study_class.presets:
            preset = self.pick(presets)
            self.done.append(f"preset {preset.title:.50}")
            self.bench.desk.apply_preset(preset)

    def _size(self) -> None:
        size = self.pick(SIZES)
        self.done.append(f"size {size}")
        self.window.resize(*size)

    def _context(self) -> None:
        some = self._shown()
        if not some:
            return
        one = self.pick(some)
        if isinstance(one, QGraphicsView | QAbstractItemView):
            one = one.viewport()
        at = self._within_of(one)
        self.done.append(f"context menu of {type(one).__name__} {one.accessibleName():.40}")
        QApplication.sendEvent(one, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, one.mapToGlobal(at)))

    # What waits for an answer

    def _within(self) -> None:
        """In a loop of its own, such as a question’s: use what is there, then choose, agree or leave."""
        if self._ended:
            return
        later(self, self._within)  # a timer of its own: what is opened here has a loop of its own, too
        if self._deep > 4:
            return
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is None and modal is None:
            return
        self._deep += 1
        try:
            if popup is not None:
                self._popped(popup)
            elif isinstance(modal, QMessageBox):
                self._asked(modal)
            elif self._deep > 1 or self.rng.random() < 0.3:
                self.done.append(f"leaves {type(modal).__name__}")
                (modal.reject if isinstance(modal, QDialog) else modal.close)()
            else:
                self._do(lambda: self._widget(modal), "in a dialog")
        finally:
            self._deep -= 1

    def _popped(self, popup: QWidget) -> None:
        choice = self.rng.random()
        if isinstance(popup, QMenu) and choice < 0.6:
            actions = [each for each in popup.actions() if each.isEnabled() and not each.isSeparator()
                       and not each.menu() and each.text().replace("&", "") not in ENDS]
            if actions:
                action = self.pick(actions)
                self.done.append(f"menu: {action.text():.50}")
                popup.setActiveAction(action)
                QTest.keyClick(popup, Qt.Key.Key_Return)
                return
        if choice < 0.8 and not isinstance(popup, QMenu):
            QTest.keyClick(popup, self.pick((Qt.Key.Key_Down, Qt.Key.Key_Return)))
        if self.alive(popup):
            popup.close()

    def _asked(self, box: QMessageBox) -> None:
        button = self.pick(box.buttons())
        self.done.append(f"asked {box.text():.60}: {button.text()}")
        QTest.mouseClick(button, LEFT)

    def _tidy(self) -> None:
        """Windows that were opened are closed after a while, and a session that is full of things is begun anew."""
        if self.rng.random() < 0.15:
            for each in QApplication.topLevelWidgets():
                if each is not self.window and each.isVisible() and each.isWindow():
                    each.close()
        if self.window.isMinimized() or not self.window.isVisible():
            self.window.showNormal()
        QCursor.setPos(0, 0)

    # Levels

    def begin_anew(self) -> None:
        """One study as it comes, in place of all that was made."""
        self.bench.document.open(Session.of(all_studies()["decision"]))
        self.bench.desk.open_study("decision")

    def settle(self, seconds: float = 1.0) -> None:
        """Let what is under way come in."""
        waiting = QEventLoop()
        later(waiting, waiting.quit, int(seconds * 1000))
        waiting.exec()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def rest(self) -> None:
        """Leave what is asked for faster than it is written, and let whatever was left come to its next step."""
        until, workers = time.monotonic() + LONGEST_STEP, self._workers()
        for each in workers:
            if each._order == "queue":
                each.stop()
        while time.monotonic() < until and any(each._running for each in workers):
            self.settle(0.1)

    def _workers(self) -> list[Worker]:
        return self.window.findChildren(Worker)

    def levels(self) -> dict[str, float]:
        """What is held: MiB of memory, threads, open files, processes, objects; and what is still computed."""
        gc.collect()
        if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
            trim(0)  # what was given back to the C library is not held
        objects = gc.get_objects()
        kinds = Counter(map(type, objects))
        self.kinds = Counter()
        for kind, count in kinds.items():
            self.kinds[f"{kind.__module__}.{kind.__qualname__}"] += count
        parts = {kind for kind in kinds if issubclass(kind, QObject)}
        return {
            "memory, MiB": resident() / 2**20,
            "allocated, MiB": allocated(),
            "threads": len(os.listdir("/proc/self/task")),  # noqa: PTH208
            "open files": len(os.listdir("/proc/self/fd")),  # noqa: PTH208
            "under way": sum(bool(each._running) for each in self._workers()),
            "processes": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text("utf-8").split()),
            "windows": len(QApplication.topLevelWidgets()),
            "widgets": len(QApplication.allWidgets()),
            "outlived parts": sum(type(each) in parts and not isValid(each) for each in objects),  # Qt deleted its own
            "items of pictures": sum(count for kind, count in kinds.items() if issubclass(kind, QGraphicsItem)),
            "Python objects": sum(kinds.values()),
            "Python blocks": sys.getallocatedblocks(),
        }


def grew(first: dict[str, float], last: dict[str, float]) -> list[str]:
    """What is more than it may be, as sentences."""
    return [f"{name}: {first[name]:.0f} at first, {last[name]:.0f} in the end"
            for name, most in GROWTH.items() if last[name] > first[name] + most]


def more_of(first: Counter[str], last: Counter[str]) -> list[str]:
    """The kinds of objects of which there are most more in the end than at first, as sentences."""
    more = last - first
    return [f"{kind}: {first[kind]} at first, {last[kind]} in the end" for kind, _ in more.most_common(MOST_KINDS)]


def least(looks: Iterable[dict[str, float]]) -> dict[str, float]:
    """The least of each at several looks: what a hand did just before may be kept for a while, and what leaks stays."""
    looks = list(looks)
    return {name: min(each[name] for each in looks) for name in looks[0]}


USED = (QAbstractButton, QAbstractItemView, Slider, QAbstractSpinBox, QComboBox, QGraphicsView, QLineEdit,
        QPlainTextEdit, QTabBar, QTextEdit)
"""What is used."""
