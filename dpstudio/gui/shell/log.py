"""The log: a small file, the last lines in memory, and what happens to an exception that nobody caught."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QtMsgType, qInstallMessageHandler, qVersion
from PySide6.QtGui import QGuiApplication

from dpstudio import __version__
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.core.study import Study

LINES = 200
CRASH = "crash.log"
CRASHES = 16 * 1024
"""Bytes of earlier crashes that are kept, the newest."""
LARGEST = 256 * 1024
"""Bytes from which a start begins a new file and keeps the old one beside it."""
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LEVELS: Mapping[QtMsgType, int] = {
    QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO, QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR, QtMsgType.QtFatalMsg: logging.CRITICAL}
_PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "matplotlib", "duckdb")


class Memory(logging.Handler):
    """The last lines, for the diagnostics."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=LINES)
        self.crashes = ""
        """Where libraries crashed at earlier times."""
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class _File(logging.FileHandler):
    """A log file; a disk that is full is no reason to print."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say nothing: the lines are in memory as well."""


class Log:
    """Collects what the application has to say while it lives."""

    def __init__(self, folder: Path) -> None:
        self.memory = Memory()
        self._logger = logging.getLogger("dpstudio")
        self._logger.setLevel(logging.INFO)
        self._handlers: list[logging.Handler] = [self.memory]
        try:
            path = folder / "dpstudio.log"
            if path.exists() and path.stat().st_size > LARGEST:
                path.replace(path.with_suffix(".old.log"))
            file = _File(path, encoding="utf-8", errors="backslashreplace")
            file.setFormatter(logging.Formatter(_FORMAT))
            self._handlers.append(file)
        except OSError as error:  # a full or read-only disk is no reason not to start
            self.memory.lines.append(f"no log file: {error}")
        for handler in self._handlers:
            self._logger.addHandler(handler)
        self.memory.crashes = _keep_crashes(folder)

    def close(self) -> None:
        for handler in self._handlers:
            self._logger.removeHandler(handler)
            with suppress(OSError):  # what a full disk did not take is in memory
                handler.close()


def _keep_crashes(folder: Path) -> str:
    """Put what the last crash left to those before it, and return the newest of them."""
    new, old = folder / CRASH, folder / "crash.old.log"
    told = b""
    with suppress(OSError):
        told = old.read_bytes()
    try:
        crashed = new.read_bytes()
        if crashed:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(new.stat().st_mtime))
            told = (told + f"--- crashed {when}\n".encode() + crashed)[-CRASHES:]
            from dpstudio.documents.files import atomic  # the first frame does without

            with atomic(old) as file:
                file.write(told)
            os.truncate(new, 0)  # only now, and in place, for another window may have it open
    except OSError:
        pass
    return told[-CRASHES:].decode("utf-8", "replace")


def watch_crashes(folder: Path) -> Callable[[], None]:
    """Write where a crash of a library happened to a file; returns the way back."""
    try:
        file = (folder / CRASH).open("a", encoding="utf-8")  # another window may write there too
    except OSError:
        return faulthandler.disable
    faulthandler.enable(file)

    def back() -> None:
        faulthandler.disable()
        file.close()

    return back


def catch_all(report: Callable[[str], None]) -> Callable[[], None]:
    """Log whatever is raised in a slot or a thread and report it in one sentence; returns the way back."""
    logger = logging.getLogger("dpstudio")
    before, before_thread = sys.excepthook, threading.excepthook

    def caught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            before(kind, error, trace)
            return
        logger.critical("uncaught", exc_info=(kind, error, trace))
        report(tr("Something went wrong ({name}). Your study is safe; the log has the details.", name=kind.__name__))

    def caught_in_thread(args: threading.ExceptHookArgs) -> None:
        logger.critical("uncaught in a thread", exc_info=(args.exc_type, args.exc_value or args.exc_type(),
                                                          args.exc_traceback))

    def back() -> None:
        sys.excepthook, threading.excepthook = before, before_thread

    sys.excepthook, threading.excepthook = caught, caught_in_thread
    return back


def log_qt(last: Callable[[str], object] = lambda _: None) -> None:
    """Let Qt's own messages go to the log instead of a terminal that nobody reads.

    `last` gets the words after which Qt aborts the program.
    """
    logger = logging.getLogger("dpstudio.qt")

    def handle(kind: QtMsgType, _: object, text: str) -> None:
        logger.log(_LEVELS.get(kind, logging.INFO), "%s", text)
        if kind is QtMsgType.QtFatalMsg:
            last(text)

    qInstallMessageHandler(handle)


def unlog_qt() -> None:
    qInstallMessageHandler(None)


def diagnostics(memory: Memory, study: Study | None) -> str:
    """Versions, platform, the study's parameters and the last lines of the log; never anybody's data."""
    import platform  # slow to import, and needed here alone

    screen = QGuiApplication.primaryScreen()
    lines = [
        f"DP Studio {__version__}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {QGuiApplication.platformName()}",
        platform.platform(),
        ", ".join(f"{name} {_version(name)}" for name in _PACKAGES),
    ]
    if screen is not None:
        size = screen.size()
        lines.append(f"screen {size.width()} × {size.height()} at {screen.devicePixelRatio():g}×")
    if study is not None:
        lines += ["", f"study {study.key}", *(f"  {name} = {value!r}" for name, value in study.values().items())]
    if memory.crashes:
        lines += ["", "earlier crashes", memory.crashes.rstrip()]
    return "\n".join([*lines, "", "log", *memory.lines])


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and rarely asked for

    try:
        return version(package)
    except PackageNotFoundError:
        return "—"
