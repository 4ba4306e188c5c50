"""One thread for questions that take a while: the newest is answered, and one that was overtaken is left."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Condition, Thread
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal, Slot

from dpstudio.core.declare import InvalidParameter

log = logging.getLogger(__name__)

Going: TypeAlias = Callable[[], None]
"""Called again and again by what is under way: it raises where nobody waits any more."""


class Overtaken(Exception):
    """Nobody waits for this any more."""


class Lane(QObject):
    """One question under way and one waiting; whoever asks says what it shall come back with."""

    answered = Signal(object, object)
    """What was asked, and what came of it."""
    refused = Signal(object, str)
    """What was asked, and the sentence that says why it has no answer."""
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._condition = Condition()
        # Shared with the worker, and only touched while the condition is held.
        self._waiting: tuple[object, Callable[[Going], Any]] | None = None
        self._running = False
        self._left = False
        """Whether what runs is to be left."""
        self._mail: list[tuple[object, Any, str]] = []
        self._closed = False
        self._thread: Thread | None = None
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether an answer is to come."""
        with self._condition:
            return bool(self._waiting or self._mail or (self._running and not self._left))

    def ask(self, question: object, work: Callable[[Going], Any], *, overtake: bool = True) -> None:
        """Ask this after what is under way or, with `overtake`, in its place; never after what is still waiting."""
        with self._condition:
            if overtake:
                self._left, self._mail = True, []
            self._waiting = question, work
            if self._thread is None:
                self._thread = Thread(target=self._work, name="solver", daemon=True)
                self._thread.start()
            self._condition.notify()

    def stop(self) -> None:
        """Let go of everything; nothing more of it is told."""
        with self._condition:
            self._waiting, self._left, self._mail = None, True, []

    def close(self) -> None:
        """Stop, and wait until the worker has left."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        self.stop()
        if self._thread is not None:
            self._thread.join()

    @Slot()
    def _deliver(self) -> None:
        with self._condition:
            mail, self._mail = self._mail, []
        for question, found, refusal in mail:
            if refusal:
                self.refused.emit(question, refusal)
            else:
                self.answered.emit(question, found)

    # In the worker

    def _going(self) -> None:
        if self._left or self._closed:
            raise Overtaken

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._waiting is not None or self._closed)
                if self._closed:
                    return
                assert self._waiting is not None
                (question, work), self._waiting = self._waiting, None
                self._running, self._left = True, False
            found, refusal = None, ""
            try:
                found = work(self._going)
            except Overtaken:
                pass
            except InvalidParameter as why:
                refusal = str(why)
            except Exception as exception:  # whatever it is, it is this question's outcome and is said once
                log.exception("solving failed")
                refusal = f"This could not be computed ({type(exception).__name__}: {exception})"
            with self._condition:
                self._running = False
                if not self._left:
                    self._mail.append((question, found, refusal))
                    self._woken.emit()
