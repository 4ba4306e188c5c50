"""Reading and counting beside the window: the newest request wins, and closing leaves nothing running."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from dpstudio.data.database import Stopped
from dpstudio.data.file import DataFile

log = logging.getLogger(__name__)


class Worker(QObject):
    """Does one thing after the other with a file; what was overtaken is interrupted, and nobody is told of it."""

    failed = Signal(str)
    busy = Signal(bool)
    _ended = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file: DataFile | None = None
        self.worded: Callable[[ValueError], str] = str
        """How a refusal is said."""
        self._generation = 0
        self._thread: Thread | None = None
        self._ended.connect(self._tell)  # queued, for it is emitted in another thread

    def open(self, file: DataFile, done: Callable[[Any], None]) -> None:
        """Open a file and read its first rows; `done` gets both."""
        old = self._let_go()
        self.file = file

        def work() -> Any:
            if old is not None:
                old.close()
            return file.open(), file.preview()

        self._start(work, done)

    def ask(self, work: Callable[[DataFile], Any], done: Callable[[Any], None]) -> None:
        """Do something with the open file."""
        file = self._let_go()
        if file is None:
            return

        def resumed() -> Any:
            file.resume()  # what was let go has ended
            return work(file)

        self._start(resumed, done)

    def cancel(self) -> None:
        """Let go of what runs; the file stays open."""
        self._let_go()
        self._generation += 1
        self.busy.emit(False)

    def close(self) -> None:
        """Wait until nothing runs any more, and close the file."""
        self._generation += 1
        while self._thread is not None and self._thread.is_alive():
            self._let_go()  # again and again: an interruption just before a query begins is lost
            self._thread.join(0.02)
        if self.file is not None:
            self.file.close()
            self.file = None

    def _let_go(self) -> DataFile | None:
        if self.file is not None:
            self.file.interrupt()
        return self.file

    def _start(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._generation += 1
        generation, before = self._generation, self._thread

        def job() -> None:
            if before is not None:
                before.join()
            if generation != self._generation:
                return
            try:
                result = work()
            except Stopped:
                return
            except Exception as error:
                if not isinstance(error, (ValueError, OSError)):
                    log.error("reading a table failed: %s", type(error).__name__)  # no more: it may quote a row
                told = self.worded(error) if isinstance(error, ValueError) else (
                    f"This cannot be read ({type(error).__name__}).")
                self._ended.emit(generation, lambda: self.failed.emit(told))
            else:
                self._ended.emit(generation, lambda: done(result))

        self._thread = Thread(target=job, name="data")
        self._thread.start()
        self.busy.emit(True)

    @Slot(int, object)
    def _tell(self, generation: int, tell: Callable[[], None]) -> None:
        if generation == self._generation:
            self.busy.emit(False)
            tell()
