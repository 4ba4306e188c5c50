"""Reads a session beside the window: a slow disk, a pipe or a huge picture stops nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.documents.session_file import Opened
from dpstudio.gui.shell.worker import Worker
from dpstudio.records import dataclass

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ReadSession:
    """A session, the file that it was read from, and how that file was marked before it was read."""

    path: Path
    opened: Opened
    stamp: Stamp | None

    @property
    def session(self) -> Session:
        return self.opened.session


class Reader(QObject):
    """Reads one session at a time; what is overtaken or cancelled is never told."""

    slow = Signal(object)
    """The path, when reading it takes its time."""
    ended = Signal()
    """What was slow has come to its end."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker: Worker | None = None

    def read(self, path: Path, done: Callable[[ReadSession], object], failed: Callable[[Exception], object]) -> None:
        """Read a session, or a file that carries one, then call one of the two here."""
        self.cancel()
        self._worker = worker = Worker("session", self)
        worker.slow.connect(lambda: self.slow.emit(path))
        worker.idle.connect(self.ended)
        worker.start(partial(_read, path), partial(self._end, done), failed=partial(self._end, failed))

    def _end(self, tell: Callable[[Any], object], outcome: object) -> None:
        self.cancel()
        tell(outcome)

    def cancel(self) -> None:
        """Let go of what is being read, and of its thread: a disk that is gone answers never, and nobody waits."""
        if self._worker is not None:
            self._worker.close(wait=False)
            self._worker.deleteLater()
            self._worker = None
            self.ended.emit()


def stamp_of(path: Path) -> Stamp | None:
    """What changes when a file is written: its time, size and place on the disk; None where there is no such file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> ReadSession:
    stamp = stamp_of(path)
    return ReadSession(path, session_file.open_file(path), stamp)
