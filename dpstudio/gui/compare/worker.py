"""Work in steps beside the window: the newest wins, and what was overtaken is left at its next step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread

from PySide6.QtCore import QObject, Signal, Slot

from dpstudio.core.declare import InvalidParameter

log = logging.getLogger(__name__)

Steps = Callable[[], Iterator[object]]


class Worker(QObject):
    """Works through the newest steps in one thread, and tells each; nobody is told of what was overtaken."""

    stepped = Signal(object)
    ended = Signal()
    failed = Signal(str)
    _told = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: SimpleQueue[tuple[int, Steps] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._generation = 0
        self._told.connect(self._tell)  # queued, for it is emitted in another thread

    def start(self, steps: Steps) -> None:
        """Work through these, and leave what was begun before."""
        self._generation += 1
        if self._thread is None:
            self._thread = Thread(target=self._work, name="matching", daemon=True)
            self._thread.start()
        self._jobs.put((self._generation, steps))

    def stop(self) -> None:
        """Leave what was begun."""
        self._generation += 1

    def close(self) -> None:
        """Leave what was begun, and wait until nothing runs."""
        self.stop()
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            generation, steps = job
            if generation != self._generation:
                continue
            try:
                for step in steps():
                    if generation != self._generation:
                        break
                    self._told.emit(generation, lambda step=step: self.stepped.emit(step))
                self._told.emit(generation, self.ended.emit)
            except Exception as error:  # whatever it is, it is told once
                if not isinstance(error, InvalidParameter):
                    log.exception("matching failed")
                told = str(error) if isinstance(error, InvalidParameter) else f"{type(error).__name__}: {error}"
                self._told.emit(generation, lambda told=told: self.failed.emit(told))

    @Slot(int, object)
    def _tell(self, generation: int, tell: Callable[[], None]) -> None:
        if generation == self._generation:
            tell()
