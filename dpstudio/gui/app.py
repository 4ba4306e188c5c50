"""Starts the window: the frame is on screen first, and the libraries are read meanwhile."""

from __future__ import annotations

import signal
import sys
from importlib import import_module

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication

from dpstudio.gui import log
from dpstudio.gui.appearance import Appearance
from dpstudio.gui.background import Background
from dpstudio.gui.settings import NAME, Settings, data_folder
from dpstudio.gui.window import Window

HEAVY = ("dpstudio.studies", "scipy.special", "dpstudio.studies.decision.answers", "pyqtgraph")
"""What takes most of the start, read in a thread while the frame is painted."""


def main(session: str | None = None) -> int:
    """Open the window, with a session if one is given, and stay until it is closed."""
    # A thread that computes hands over the interpreter within half a millisecond, so that painting keeps its pace.
    sys.setswitchinterval(0.0005)
    app = QApplication([NAME])
    app.setApplicationName(NAME)
    app.setDesktopFileName("dpstudio")
    app.setQuitOnLastWindowClosed(True)
    kept = log.Log(data_folder())
    unwatch = log.watch_crashes(data_folder())
    log.log_qt()
    settings = Settings()
    window = Window(settings, Appearance(settings), kept)
    back = log.catch_all(window.report_error)
    window.painted.connect(lambda: load(window, session))
    window.show()
    signal.signal(signal.SIGINT, lambda *_: app.closeAllWindows())
    ticking = QTimer(interval=200)  # lets the interpreter see the signal
    ticking.timeout.connect(lambda: None)
    ticking.start()
    code = app.exec()
    # A window that is still alive when the interpreter ends takes it down with it.
    ticking.stop()
    window.deleteLater()
    app.sendPostedEvents(window, QEvent.Type.DeferredDelete)  # outside exec() nothing else obeys deleteLater
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    back()
    log.unlog_qt()
    kept.close()
    unwatch()
    return code


def load(window: Window, session: str | None = None) -> None:
    """Read the libraries in a thread, then fill the window."""
    background = Background(window)

    def ready(_: object) -> None:
        background.close()
        fill(window, session)

    def failed(error: Exception) -> None:
        background.close()
        raise error

    window.closing.connect(background.close)
    background.run(lambda: [import_module(name) for name in HEAVY], ready, failed)


def fill(window: Window, session: str | None = None) -> None:
    """Make the workbench: with the session that is given, else as it was last left."""
    from dpstudio.gui import files, workbench

    last = files.last_session()
    bench = workbench.Workbench(window, *((last.study_class, last.explicit) if last else (files.first_study(), {})))
    window.fill(bench)
    if last is not None and session is None:
        bench.files.recall_last(last.data)
    if session is not None:
        bench.open_path(session)
