"""Work that takes longer than a frame and is nobody's stream: writing a picture, importing a library."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class Background(QObject):
    """One thread that does one thing after the other, and tells the window when each is done."""

    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="background")
        self._ended.connect(lambda tell: tell(), Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        """Do the work there, then call one of the two here."""
        def ended(future: Future[Any]) -> None:
            error = None if future.cancelled() else future.exception()
            if isinstance(error, Exception):
                self._ended.emit(lambda: failed(error))
            elif error is None and not future.cancelled():
                self._ended.emit(lambda: done(future.result()))

        self._pool.submit(work).add_done_callback(ended)

    def close(self) -> None:
        """Wait for what is being done; what has not begun is dropped."""
        self._ended.disconnect()
        self._pool.shutdown(wait=True, cancel_futures=True)
