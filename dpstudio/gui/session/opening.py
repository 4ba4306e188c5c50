"""Reads a session beside the window: a slow disk, a pipe or a huge picture stops nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.documents.session_file import Opened

PATIENCE = 300
"""Milliseconds of reading after which the window says that it reads."""
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Found:
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
    _ended = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._generation = 0
        self._path = Path()
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(lambda: self.slow.emit(self._path))
        self._ended.connect(self._tell)  # queued, for it is emitted in another thread

    def read(self, path: Path, done: Callable[[Found], None], failed: Callable[[Exception], None]) -> None:
        """Read a session, or a file that carries one, then call one of the two here."""
        self.cancel()
        self._path, generation = path, self._generation
        self._timer.start()

        def work() -> None:
            try:
                found = _read(path)
            except Exception as error:
                self._end(generation, partial(failed, error))
            else:
                self._end(generation, partial(done, found))

        # Nobody waits for it at the end, for a disk that is gone answers never.
        Thread(target=work, name="session", daemon=True).start()

    def cancel(self) -> None:
        """Let go of what is being read."""
        self._generation += 1
        self._timer.stop()
        self.ended.emit()

    def _end(self, generation: int, tell: Callable[[], None]) -> None:
        """In the reading thread; the window may be gone by now, and this object with it."""
        if generation == self._generation:
            with suppress(RuntimeError):
                self._ended.emit(generation, tell)

    @Slot(int, object)
    def _tell(self, generation: int, tell: Callable[[], None]) -> None:
        if generation == self._generation:
            self.cancel()
            tell()


def stamp_of(path: Path) -> Stamp | None:
    """What changes when a file is written: its time, size and place on the disk; None where there is no such file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> Found:
    stamp = stamp_of(path)
    return Found(path, session_file.open_file(path), stamp)
