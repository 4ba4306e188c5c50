"""Work that takes longer than a frame and is nobody's stream: writing a picture, importing a library."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot


class Background(QObject):
    """Does one thing after the other beside the window, and tells it when each is done."""

    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn = Lock()
        self._threads: list[Thread] = []
        self._closed = False
        self._ended.connect(self._tell)  # queued, for it is emitted in another thread

    def run(self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        """Do the work there, then call one of the two here."""
        def job() -> None:
            with self._turn:
                if self._closed:
                    return
                try:
                    result = work()
                except Exception as error:
                    self._ended.emit(lambda error=error: failed(error))
                else:
                    self._ended.emit(lambda: done(result))

        self._threads = [thread for thread in self._threads if thread.is_alive()]
        self._threads.append(Thread(target=job, name="background"))
        self._threads[-1].start()

    def close(self) -> None:
        """Wait for what is being done; what has not begun is dropped, and nobody is told any more."""
        self._closed = True
        for thread in self._threads:
            thread.join()

    @Slot(object)
    def _tell(self, tell: Callable[[], None]) -> None:
        if not self._closed:
            tell()
