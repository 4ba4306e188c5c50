"""Starts the window: the frame is on screen first, and the libraries are read meanwhile."""
# ruff: noqa: E402 - what is read makes no garbage, and looking for it takes a thirtieth of the start

from __future__ import annotations

import gc

gc.disable()

import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLibraryInfo, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

import dpstudio.gui.shell.features  # noqa: F401 - before all else of the package
from dpstudio.core.resources import resource
from dpstudio.core.turns import TURN
from dpstudio.gui.shell import log
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.freed import give_back
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.settings import NAME, Settings, data_folder
from dpstudio.gui.shell.window import Window
from dpstudio.text import language

if TYPE_CHECKING:
    from dpstudio.gui.shell.workbench import Workbench

gc.freeze()  # what was read stays
gc.enable()

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
STARTED = 3000
"""Milliseconds after which garbage is looked for: the start makes next to none, and looking took a tenth of it."""
PATIENCE = 250
"""Milliseconds in which a filled window waits for its first answer before it is painted without."""
_AS_QT_BEGINS = "This application failed to start because "
TICK = 200
"""Milliseconds after which a signal is obeyed."""
HEAVY = ("dpstudio.studies", "scipy.special", "dpstudio.studies.decision.answer", "dpstudio.gui.plot")
"""What takes most of the start, read in a thread while the frame is painted."""


def main(session: str | None = None, fail: Callable[[str], object] = sys.exit) -> int:
    """Open the window, with a session if one is given, and stay until it is closed.

    `fail` is told why there can be none, and has to end the program: otherwise Qt aborts it.
    """
    sys.setswitchinterval(TURN)  # so that painting keeps its pace
    gc.disable()
    give_back()
    kept = log.Log(data_folder())
    log.log_qt(lambda words: fail(words.removeprefix(_AS_QT_BEGINS).partition(". ")[0]))
    app = QApplication([NAME])
    if app.primaryScreen() is None:
        fail("there is no screen")
    later(app, gc.enable, STARTED)
    leaving = _Leaving()
    app.setApplicationName(NAME)
    app.setDesktopFileName("dpstudio")
    app.setQuitOnLastWindowClosed(True)
    unwatch = log.watch_crashes(data_folder())
    log.log_qt()
    settings = Settings()
    speak(settings.language, app)
    window = Window(settings, Appearance(settings), kept)
    back = log.catch_all(window.report_error)
    window.painted.connect(lambda: load(window, session))
    leaving.window = window
    window.show()
    code = app.exec()
    gc.enable()  # also where it was closed at once
    # A window that is still alive when the interpreter ends takes it down with it.
    leaving.end()
    window.deleteLater()
    app.sendPostedEvents(window, QEvent.Type.DeferredDelete)  # outside exec() nothing else obeys deleteLater
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    back()
    log.unlog_qt()
    kept.close()
    unwatch()
    return code


def speak(chosen: str, app: QApplication) -> None:
    """Let the window speak a language, and Qt in its own buttons and questions."""
    if chosen == language.ENGLISH:
        language.speak(None)
        return
    language.speak(resource(f"languages/{chosen}.mo"))
    own = QTranslator(app)
    if own.load(f"qtbase_{chosen}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(own)


class _Leaving:
    """Closes the window when a signal asks the process to end, keeping what stands for the next start.

    The signal only leaves a word: whatever Python does at that moment, such as filling the window, is finished first.
    """

    def __init__(self) -> None:
        self.window: Window | None = None
        self._asked = False
        self._before = {number: signal.signal(number, self._ask) for number in ENDING}
        self._ticking = QTimer(interval=TICK)  # which also lets the interpreter see the signal
        self._ticking.timeout.connect(self._look)
        self._ticking.start()

    def _ask(self, *_: object) -> None:
        self._asked = True

    def _look(self) -> None:
        if self._asked and self.window is not None:
            self._asked = False
            dialog = QApplication.activeModalWidget()
            while dialog is not None and dialog is not self.window:  # what is asked there is not answered any more
                dialog.close()
                following = QApplication.activeModalWidget()
                dialog = None if following is dialog else following
            self.window.leave()

    def end(self) -> None:
        self._ticking.stop()
        for number, handler in self._before.items():
            signal.signal(number, handler)


def load(window: Window, session: str | None = None) -> None:
    """Read the libraries in a thread, then fill the window."""
    from dpstudio.gui.shell.worker import Worker  # the first frame does without

    loader = Worker("libraries", window)

    def ready(_: object) -> None:
        loader.close()
        fill(window, session)

    def failed(error: Exception) -> None:
        loader.close()
        raise error

    window.closing.connect(loader.close)
    loader.start(lambda: [import_module(name) for name in HEAVY], ready, failed=failed)


def fill(window: Window, session: str | None = None) -> None:
    """Make the workbench: with the session that is given, else as it was last left."""
    from dpstudio.gui.session import recovery
    from dpstudio.gui.shell import workbench

    bench = workbench.Workbench(window, recovery.kept())
    if session is None:
        bench.pages.begin()
    else:
        bench.pages.show_study()
    _paint_with_the_first_answer(bench)
    window.fill(bench)
    bench.files.say_if_unkept()
    if session is not None:
        bench.files.open_path(session)


def _paint_with_the_first_answer(bench: Workbench) -> None:
    """Paint nothing before it is in, unless it takes long: a window is painted once instead of twice."""
    from PySide6.QtCore import Qt  # slow to import, and the first frame does without

    seen, shown = (bench.pages.start, bench.pages.start.shown) if bench.pages.at_start else (bench, bench.answers.shown)

    def paint(*_: object) -> None:
        seen.setUpdatesEnabled(True)

    seen.setUpdatesEnabled(False)
    shown.connect(paint, Qt.ConnectionType.SingleShotConnection)
    later(seen, paint, PATIENCE)
