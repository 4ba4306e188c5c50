"""Runs one study in a worker: the newest parameters win, and an answer that was overtaken is never shown.

    window:  start(study)            the generation goes up; what the worker holds is now out of date
    worker:  for update in study.run(): overtaken? stop : into a one-place mailbox, wake the window if it is idle
    window:  take the mailbox; overtaken? drop : show

Updates are complete in themselves, so one that is replaced in the mailbox is no loss.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from threading import Condition, Thread
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from dpstudio.core.answer import Answer
from dpstudio.core.results import Span
from dpstudio.core.slow import EVERY, NOTHING, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update

log = logging.getLogger(__name__)

REST = 0.12
"""Seconds without a change after which simulation begins: a moving slider needs the exact answer alone."""
FRAME = 1 / 30
"""Seconds from one shown step of a simulation to the next."""


@dataclass(slots=True)
class _Request:
    generation: int
    study: Study
    views: Mapping[str, Span]
    seen: Wanted
    answer: Answer[Any, Any, Any] | None


@dataclass(slots=True)
class _Mail:
    """The newest news of one generation; `update` is None once it was taken."""

    generation: int
    study: Study
    update: Update | None = None
    error: str = ""
    ended: bool = False


class Runner(QObject):
    """One worker thread, one request waiting, one answer waiting, one wake-up under way."""

    updated = Signal(object, object)
    """The newest answer and the study it answers."""
    failed = Signal(str)
    finished = Signal()
    _woken = Signal()

    def __init__(self, parent: QObject | None = None, *, rest: float = REST) -> None:
        super().__init__(parent)
        self._rest = rest
        self._condition = Condition()
        # Shared with the worker, and only touched while the condition is held.
        self._generation = 0
        self._request: _Request | None = None
        self._mail: _Mail | None = None
        self._awake = False
        self._closed = False
        # The worker's own.
        self._answered: Answer[Any, Any, Any] | None = None
        # The window's own.
        self._waiting = False
        self._shown_at = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = Thread(target=self._work, name="study", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> bool:
        """Whether the newest parameters have no answer yet."""
        return self._waiting

    def start(self, study: Study, views: Mapping[str, Span] | None = None, seen: Wanted = NOTHING,
              answer: Answer[Any, Any, Any] | None = None) -> None:
        """Answer this study, and nothing that was asked before; what is `seen` comes ready made.

        `answer` is the study's own, if somebody has it: what it knows is not computed again.
        """
        self._overtake(lambda generation: _Request(generation, study, dict(views or {}), seen, answer))

    def stop(self) -> None:
        """Let go of what runs; nothing more of it is shown."""
        self._overtake(lambda _: None)

    def close(self) -> None:
        """Stop, and wait until the worker has left: afterwards nothing is running."""
        with self._condition:
            self._closed = True
        self.stop()
        self._thread.join()

    def _overtake(self, request) -> None:
        with self._condition:
            if self._timer.isActive():  # it was the wake-up under way
                self._timer.stop()
                self._awake = False
            self._generation += 1
            self._request = request(self._generation)
            self._mail = None
            self._waiting = self._request is not None
            self._condition.notify()

    # In the window

    @Slot()
    def _deliver(self) -> None:
        with self._condition:
            mail = self._mail
            due = self._shown_at + FRAME - time.monotonic()
            if mail is not None and due > 0 and not (self._waiting or mail.ended):
                self._timer.start(int(due * 1000) + 1)  # still one wake-up, only later
                return
            self._mail, self._awake = None, False
            if mail is None:
                return
        self._waiting = False
        if mail.update is not None:
            self._shown_at = time.monotonic()
            self.updated.emit(mail.update, mail.study)
        if mail.error:
            self.failed.emit(mail.error)
        elif mail.ended:
            self.finished.emit()

    # In the worker

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._request is not None or self._closed)
                if self._closed:
                    return
                request, self._request = self._request, None
            if request is not None:
                self._answer(request)

    def _answer(self, request: _Request) -> None:
        error, rested = "", False
        try:
            for update in self._updates(request):
                if update is None:
                    if self._generation != request.generation:
                        return
                    continue
                if not self._post(request, update) or (not rested and self._overtaken_while_resting(request)):
                    return
                rested = True
        except Exception as exception:  # whatever it is, it is this run's outcome and is shown once
            log.exception("the study %s failed", request.study.key)
            error = f"{type(exception).__name__}: {exception}"
        self._post(request, None, error=error, ended=True)

    def _updates(self, request: _Request) -> Iterator[Update | None]:
        """What is in view, then everything, then what is drawn; None where nothing is new and it can be left."""
        if request.answer is not None:
            self._answered = request.answer
        elif self._answered is None or self._answered.study != request.study:
            self._answered = request.study.answer()  # kept while only views change
        answer = self._answered
        update = Update(answer, request.views)
        yield from update.prepare(request.seen, hurry=True)
        yield update
        yield from update.prepare(answer.everything(request.seen))
        yield update
        drawn = replace(request.seen, sentences=EVERY)
        for seen, done in answer.simulate({**update.windows, **update.views}):
            if seen is None:
                if done > update.done:
                    update = update.further(done)
                    yield update
                else:
                    yield None
                continue
            update = Update(answer, request.views, seen, done)
            yield from update.prepare(drawn)
            yield update

    def _overtaken_while_resting(self, request: _Request) -> bool:
        with self._condition:
            return self._condition.wait_for(lambda: self._generation != request.generation, timeout=self._rest)

    def _post(self, request: _Request, update: Update | None, *, error: str = "", ended: bool = False) -> bool:
        """Put news into the mailbox; False if nobody wants them any more."""
        with self._condition:
            if self._generation != request.generation:
                return False
            if update is None and self._mail is not None:
                update = self._mail.update  # not taken yet: it ends together with the run
            self._mail = _Mail(request.generation, request.study, update, error, ended)
            wake, self._awake = not self._awake, True
        if wake:
            self._woken.emit()
        return True
