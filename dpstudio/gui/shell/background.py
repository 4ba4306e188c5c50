"""Work that takes longer than a frame and is nobody's stream: writing a picture, importing a library."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

Job = tuple[Callable[[], Any], Callable[[Any], None], Callable[[Exception], None]]


class Background(QObject):
    """Does one thing after the other in one thread beside the window, and tells it when each is done.

    One thread for all of them: libraries that keep a cache for each thread, as matplotlib keeps open fonts, keep one.
    """

    idle = Signal()
    """The last thing that was asked for is done."""
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._pending = 0
        self._closed = self._dropped = False
        self._ended.connect(self._tell)  # queued, for it is emitted in another thread

    @property
    def pending(self) -> int:
        """How many things are not done yet."""
        return self._pending

    def run(self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        """Do the work there, then call one of the two here."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="background", daemon=True)
            self._thread.start()
        self._pending += 1
        self._jobs.put((work, done, failed))

    def close(self, *, drop: bool = False) -> None:
        """Wait until everything is done, or with `drop` what is being done; nobody is told any more."""
        self._closed, self._dropped = True, drop
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, done, failed = job
            if self._dropped:
                continue
            try:
                result = work()
            except Exception as error:
                self._ended.emit(lambda error=error, failed=failed: failed(error))
            else:
                self._ended.emit(lambda result=result, done=done: done(result))

    @Slot(object)
    def _tell(self, tell: Callable[[], None]) -> None:
        if self._closed:
            return
        self._pending -= 1
        tell()
        if not self._pending:
            self.idle.emit()
