"""Work beside the window: a generator or a function, done in a thread, of which the window is told.

    worker = Worker("study", self)
    worker.start(work, told=show, done=end, failed=say)

    window:  start(work)            what is under way is left at its next step; or, in a queue, is done first
    thread:  for news in work():    left? stop : into the job's one place for news, wake the window if it is idle
    window:  take the news          left? drop : tell

News are complete in themselves, so those that are replaced before anybody looked are no loss. What work returns, or
raises, is told once; of what was left nothing is.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from functools import partial
from threading import Condition, Thread
from typing import Any, Literal

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpstudio.core.slow import awaited_by
from dpstudio.gui.shell.later import later
from dpstudio.records import dataclass

log = logging.getLogger(__name__)

FRAME = 1 / 30
"""Seconds from some news of a job to the next."""
PATIENCE = 300
"""Milliseconds after which what is not done is slow."""
GOING, BETWEEN = 2.0, 0.02
"""Seconds in which what is let go of may come to its next step, and from one look to the next."""


class Overtaken(Exception):
    """Nobody waits for this any more."""


@dataclass(frozen=True, slots=True)
class Pause:
    """What work yields to wait for so many seconds, or until it is left."""

    seconds: float


@dataclass(eq=False, slots=True)
class Job:
    """One piece of work on its way, known by its identity."""

    work: Callable[[], Any]
    told: Callable[[Any], object]
    done: Callable[[Any], object]
    failed: Callable[[Exception], object]
    begun: bool = False
    """Whether the window was told anything."""
    # Shared with the thread, and only touched while the condition is held.
    left: bool = False
    ended: bool = False
    awake: bool = False
    """Whether a wake-up is under way."""
    news: Any = None
    result: Any = None
    error: Exception | None = None


def _nothing(_: object) -> None:
    """Nobody wants to know."""


class Worker(QObject):
    """One thread, made when it is first needed; the newest work wins, or all is done in its order.

    It is one thread for all of a queue, because libraries that keep a cache for each, as matplotlib keeps open fonts,
    then keep one. `interrupt` is called, in the window, whenever something is left that cannot see it for itself.
    """

    begun = Signal()
    """There is something to do."""
    slow = Signal()
    """It takes its time."""
    idle = Signal()
    """Nothing is to be done any more."""
    _woken = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None, *, order: Literal["newest", "queue"] = "newest",
                 interrupt: Callable[[], object] | None = None) -> None:
        super().__init__(parent)
        self._name, self._order, self._interrupt = name, order, interrupt
        self._condition = Condition()
        # Shared with the thread, and only touched while the condition is held.
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._closed = False
        # The window's own.
        self._jobs: list[Job] = []
        """What has neither ended nor been left."""
        self._next: Callable[[], object] | None = None
        self._told_at = 0.0
        self._thread: Thread | None = None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self.slow)
        self._woken.connect(self._deliver)  # queued, for it is emitted in another thread

    @property
    def pending(self) -> int:
        """How many jobs are to end."""
        return len(self._jobs)

    @property
    def busy(self) -> bool:
        """Whether something is to end, or to begin."""
        return bool(self._jobs or self._next)

    @property
    def waiting(self) -> bool:
        """Whether there are jobs of which nothing was told yet."""
        return any(not job.begun for job in self._jobs)

    @property
    def followed(self) -> bool:
        """Whether something waits to begin in the place of what is under way."""
        return self._next is not None

    def start(self, work: Callable[[], Any], done: Callable[[Any], object] = _nothing, *,
              told: Callable[[Any], object] = _nothing, failed: Callable[[Exception], object] = _nothing) -> Job:
        """Do this; where it is a generator `told` gets what it yields, but None, by which it says that it can be left.

        `done` gets what it returns, and `failed` what it raises instead.
        """
        job = Job(work, told, done, failed)
        if self._closed:
            return job
        self._next = None
        if self._order == "newest":
            self._let_go(*self._jobs)
        self._jobs.append(job)
        with self._condition:
            self._waiting.append(job)
            self._condition.notify_all()
        if self._thread is None:
            self._thread = Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        if not self._patience.isActive():
            self._patience.start()
        self.begun.emit()
        return job

    def follow(self, begin: Callable[[], object]) -> None:
        """Let `begin` start something once what is under way has told anything; of several the newest does.

        A hand that moves asks faster than is answered: if each question overtook the one before, none ever were.
        """
        if self.waiting:
            self._next = begin
        else:
            begin()

    def leave(self, job: Job) -> None:
        """Let go of one job; nothing more of it is told."""
        if job in self._jobs:
            self._let_go(job)
            self._rest()

    def stop(self) -> None:
        """Let go of everything."""
        self._next = None
        if self._jobs:
            self._let_go(*self._jobs)
            self._rest()

    def close(self, *, finish: bool = False, wait: bool = True) -> None:
        """Let go of everything, or do it to its end, and wait until nothing runs; nobody is told of anything more.

        What is let go of is not waited for longer than `GOING`: a step may take minutes, and nothing is lost by it.
        """
        if not finish:
            self._let_go(*self._jobs)
        self._next = None
        self._patience.stop()
        with self._condition:
            self._closed = True
            self._condition.notify_all()
        thread, self._thread = self._thread, None
        until = math.inf if finish else time.monotonic() + GOING
        while wait and thread is not None and thread.is_alive() and time.monotonic() < until:
            if self._interrupt is not None:
                self._interrupt()  # again and again: one that comes just before a query begins is lost
            thread.join(BETWEEN)

    def _let_go(self, *jobs: Job) -> None:
        with self._condition:
            for job in jobs:
                job.left = True
            self._condition.notify_all()
        self._jobs = [job for job in self._jobs if not job.left]
        if jobs and self._interrupt is not None:
            self._interrupt()

    def _rest(self) -> None:
        if not self._jobs:
            self._patience.stop()
            self.idle.emit()

    @Slot(object)
    def _deliver(self, job: Job) -> None:
        if job.left or self._closed:
            return
        with self._condition:
            due = self._told_at + FRAME - time.monotonic()
            late = due > 0 and job.begun and not job.ended
            if not late:
                news, job.news, job.awake, ended = job.news, None, False, job.ended
        if late:
            later(self, partial(self._deliver, job), int(due * 1000) + 1)  # still one wake-up, only later
            return
        job.begun = True
        if news is not None:
            self._told_at = time.monotonic()
            job.told(news)
        if ended and not job.left:
            self._jobs.remove(job)
            if job.error is not None:
                job.failed(job.error)
            else:
                job.done(job.result)
        if self._next is not None and not self.waiting:
            begin, self._next = self._next, None
            begin()
        if ended and not self._closed:
            self._rest()

    # In the thread

    def _going(self) -> None:
        """What `still_awaited` calls in the thread; raises Overtaken where nobody waits."""
        if self._running is not None and self._running.left:
            raise Overtaken

    def _work(self) -> None:
        awaited_by(self._going)
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                job = self._running = self._waiting.popleft()
            if not job.left:
                self._do(job)
            self._running = None

    def _do(self, job: Job) -> None:
        try:
            made = job.work()
            job.result = self._through(job, made) if isinstance(made, Generator) else made
        except Overtaken:
            return
        except Exception as error:  # whatever it is, it is this job's outcome
            job.error = error
        self._post(job, ended=True)

    def _through(self, job: Job, steps: Generator[Any, None, Any]) -> Any:
        with closing(steps):
            while True:
                try:
                    news = next(steps)
                except StopIteration as end:
                    return end.value
                if isinstance(news, Pause):
                    with self._condition:
                        self._condition.wait_for(lambda: job.left, news.seconds)
                elif news is not None:
                    self._post(job, news)
                if job.left:
                    raise Overtaken

    def _post(self, job: Job, news: Any = None, *, ended: bool = False) -> None:
        with self._condition:
            job.news, job.ended = job.news if news is None else news, ended
            wake, job.awake = not (job.awake or job.left), True
        if wake:
            with suppress(RuntimeError):  # the window may be gone by now, and this object with it
                self._woken.emit(job)


def failure(error: Exception, doing: str) -> str:
    """An error that nobody foresaw, by its name and in its words; where it came from is in the log."""
    log.error("%s failed", doing, exc_info=error)
    return f"{type(error).__name__}: {error}"


class Pace(QObject):
    """Passes calls on at once after a pause, and else the newest of them once an interval.

    What is read, not watched, need not follow a hand at every frame: the time belongs to the curves.
    """

    def __init__(self, milliseconds: int, act: Callable[..., object], parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._waiting: tuple[Any, ...] | None = None
        self._timer = QTimer(self, singleShot=True, interval=milliseconds)
        self._timer.timeout.connect(self._pass_on)

    def __call__(self, *arguments: object) -> None:
        self._waiting = arguments
        if not self._timer.isActive():
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting is not None:
            arguments, self._waiting = self._waiting, None
            self._act(*arguments)
            self._timer.start()
