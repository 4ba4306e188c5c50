"""Runs one sweep beside the window: a thread asks for its progress, and processes compute what takes long.

    window:  start(request)          what ran before is let go
    thread:  for progress in sweep: let go? leave : into a one-place mailbox, wake the window if it is idle
    window:  take the mailbox; let go? drop : show
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TypeAlias

from PySide6.QtCore import QObject, Qt, Signal, Slot

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import MOST, Plan, Progress, check_size, pace, sweep
from dpstudio.core.workers import Here, Workers, WorkersFailed, local
from dpstudio.gui.controls.style import refusal_in_words
from dpstudio.text.sentences import duration, grouped

log = logging.getLogger(__name__)

SHORT = 0.5
"""Seconds up to which a sweep is computed in the thread: processes take as long to begin, and beyond it the frames that
a thread costs the window would be seen."""
LONG = 60.0
"""Seconds from which on a sweep waits until it is asked for a second time."""
SETTLED = 2.0
"""Seconds after which what was done says how long the rest takes: processes take their time to begin."""
PIECE = 0.5
"""Seconds that a cell is taken to need where that is not tried beforehand."""


@dataclass(frozen=True, slots=True)
class Request:
    """A sweep, and how many cells it would have: of one that is far too large the plan has a few."""

    plan: Plan
    cells: int

    @property
    def quick(self) -> bool:
        """Whether a cell is known to be a matter of milliseconds: nothing is drawn, and nothing is declared slow."""
        index = type(self.plan.study).answers().index()
        return not any(index[asked].simulated or index[asked].slow for asked in self.plan.facts)


@dataclass(frozen=True, slots=True)
class Long:
    """A sweep that takes longer than anybody expects, and has not begun."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no sweep."""

    sentence: str


News: TypeAlias = Progress | Long | Refused


class Running(QObject):
    """At most one sweep, in a thread of its own; what was cancelled tells nothing more."""

    told = Signal(object)
    """The newest news."""
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = Lock()
        # Shared with the thread, and only touched with the lock.
        self._generation = 0
        self._mail: News | None = None
        self._awake = False
        # The window's own.
        self._threads: list[Thread] = []
        self.active = False
        """Whether a sweep is under way."""
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(self, request: Request, *, however_long: bool = False) -> None:
        """Run this, and let go of what ran; one that takes long waits unless it is said that it may."""
        self.cancel()
        self.active = True
        self._threads = [each for each in self._threads if each.is_alive()]
        generation = self._generation
        self._threads.append(Thread(target=self._work, args=(request, however_long, generation), name="sweep",
                                    daemon=True))
        self._threads[-1].start()

    def cancel(self) -> None:
        """Let go of what runs, at once; its processes end within a tenth of a second."""
        self.active = False
        with self._lock:
            self._generation += 1
            self._mail = None

    def close(self) -> None:
        """Cancel, and wait until nothing runs any more."""
        self.cancel()
        for thread in self._threads:
            thread.join()
        self._threads = []

    @Slot()
    def _deliver(self) -> None:
        with self._lock:
            news, self._mail, self._awake = self._mail, None, False
        if news is not None:
            self.active = self.active and isinstance(news, Progress) and news.swept is None
            self.told.emit(news)

    # In the thread

    def _work(self, request: Request, however_long: bool, generation: int) -> None:
        try:
            with closing(_news(request, however_long)) as found:
                for news in found:
                    if not self._post(news, generation):
                        return
        except InvalidParameter as refusal:
            self._post(Refused(refusal_in_words(refusal, request.plan.study.parameters())), generation)
        except WorkersFailed as failure:
            self._post(Refused(f"This could not be computed: {failure}."), generation)
        except Exception as error:  # whatever it is, it is this run's outcome and is shown once
            log.exception("a sweep of %s failed", request.plan.study.key)
            self._post(Refused(f"This could not be computed ({type(error).__name__}: {error})."), generation)

    def _post(self, news: News, generation: int) -> bool:
        """Put news into the mailbox; False if nobody wants them any more."""
        with self._lock:
            if generation != self._generation:
                return False
            self._mail = news
            wake, self._awake = not self._awake, True
        if wake:
            self._woken.emit()
        return True


def _news(request: Request, however_long: bool) -> Generator[News]:
    plan, seconds, workers, began = request.plan, PIECE, _beside(), time.monotonic()
    if request.quick:
        seconds = pace(plan)
        whole = duration(seconds * request.cells)
        check_size(request.cells, len(plan.facts), f"they would take one process about {whole}")
        if seconds * request.cells > LONG and not however_long:
            yield Long(f"{grouped(request.cells)} cells take one process about {whole}")
            return
        however_long = True  # it was tried
        workers = Here() if seconds * request.cells < SHORT else workers
    check_size(request.cells, len(plan.facts))
    with closing(sweep(plan, workers, seconds=seconds)) as running:  # type: ignore[type-var]  # generators have close
        for progress in running:
            left = progress.left_seconds or 0.0
            if left > LONG and time.monotonic() - began > SETTLED and not however_long:
                yield Long(f"{grouped(request.cells)} cells take about {duration(left)}")
                return
            yield progress


def _beside() -> Workers:
    """Processes for all cores but the window's."""
    return local(max((os.cpu_count() or 2) - 1, 1), here=False)


def too_large(cells: int, facts: int) -> bool:
    return cells * facts > MOST
