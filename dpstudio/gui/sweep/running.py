"""A sweep beside the window: a thread asks for its progress, and processes compute what takes long."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import closing

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import Plan, Progress, Swept, check_size, pace, sweep
from dpstudio.core.workers import Here, Workers, WorkersFailed, local
from dpstudio.gui.controls.style import refusal_in_words
from dpstudio.gui.shell.worker import failure
from dpstudio.records import dataclass
from dpstudio.text.sentences import duration, grouped

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


def sweeping(request: Request, however_long: bool = False) -> Generator[Progress, None, Swept | Long]:
    """How far it has come, and at last what it came to; raises InvalidParameter and WorkersFailed.

    One that takes long does not begin, or is left, unless it is said that it may.
    """
    plan, seconds, began = request.plan, PIECE, time.monotonic()
    workers: Workers = local(max((os.cpu_count() or 2) - 1, 1), here=False)  # all cores but the window's
    if request.quick:
        seconds = pace(plan)
        whole = duration(seconds * request.cells)
        check_size(request.cells, len(plan.facts), f"they would take one process about {whole}")
        if seconds * request.cells > LONG and not however_long:
            return Long(f"{grouped(request.cells)} cells take one process about {whole}")
        however_long = True  # it was tried
        workers = Here() if seconds * request.cells < SHORT else workers
    check_size(request.cells, len(plan.facts))
    with closing(sweep(plan, workers, seconds=seconds)) as running:  # type: ignore[type-var]  # generators have close
        for progress in running:
            if progress.swept is not None:
                return progress.swept
            left = progress.left_seconds or 0.0
            if left > LONG and time.monotonic() - began > SETTLED and not however_long:
                return Long(f"{grouped(request.cells)} cells take about {duration(left)}")
            yield progress
    raise AssertionError("a sweep ends in what it came to")


def refusal(error: Exception, request: Request) -> str:
    """Why there is no sweep, in words."""
    if isinstance(error, InvalidParameter):
        return refusal_in_words(error, request.plan.study.parameters())
    if isinstance(error, WorkersFailed):
        return f"This could not be computed: {error}."
    return f"This could not be computed ({failure(error, f'a sweep of {request.plan.study.key}')})."
