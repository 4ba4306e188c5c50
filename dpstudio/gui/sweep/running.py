"""A sweep beside the window: a thread asks for its progress, and processes compute what takes long."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import closing

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import InUse, Kept, Plan, Progress, Swept, check_size, pace, sweep
from dpstudio.core.workers import Here, Workers, WorkersFailed, local
from dpstudio.gui.controls.style import refusal_in_words
from dpstudio.gui.shell.worker import failure
from dpstudio.gui.sweep import keeping
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun, duration, grouped

SHORT = 0.5
"""Seconds up to which a sweep is computed in the thread: processes take as long to begin, and beyond it the frames that
a thread costs the window would be seen."""
LONG = 60.0
"""Seconds from which on a sweep waits until it is asked for a second time."""
SETTLED = 2.0
"""Seconds after which what was done says how long the rest takes: processes take their time to begin."""
PIECE = 0.5
"""Seconds that a cell is taken to need where that is not tried beforehand."""
SEEN, SHARE = 0.3, 20
"""Seconds from one look at what there is so far to the next; more where that takes more than a part of them."""
HELD = ("It is not kept on disk: it was computed with an exact count of data, which files leave out. It goes on after "
        "Cancel, not after a restart.")
ELSEWHERE = "Another window computes the same and keeps it; this one is not kept on disk."


@dataclass(frozen=True, slots=True)
class Request:
    """A sweep, and how many cells it would have: of one that is far too large the plan has a few."""

    plan: Plan
    cells: int
    counted: bool = False
    """Whether it is computed with an exact count of data."""
    exact_counts: bool = False
    """Whether files hold those."""
    begun: Swept | None = None
    """What is there already, of this or another question."""
    done: int = 0
    """How many of the cells are known to be done already."""

    @property
    def quick(self) -> bool:
        """Whether a cell is known to be a matter of milliseconds: nothing is drawn, and nothing is declared slow."""
        index = type(self.plan.study).answers().index()
        return not any(index[asked].simulated or index[asked].slow for asked in self.plan.facts)

    @property
    def kept(self) -> bool:
        """Whether what is done is kept on disk."""
        return self.exact_counts or not self.counted


@dataclass(frozen=True, slots=True)
class Long:
    """A sweep that takes longer than anybody expects, and has not begun or was left."""

    sentence: str
    swept: Swept | None = None


@dataclass(frozen=True, slots=True)
class News:
    """How far a sweep is, with what there is so far now and then."""

    progress: Progress
    swept: Swept | None


@dataclass(frozen=True, slots=True)
class Ended:
    """What a sweep came to, whole or as far as it was when it was left, and what must be said of how it is kept."""

    swept: Swept
    told: str = ""


class Leaving:
    """Whether somebody wants a sweep to be left; the window says so, and the thread looks after each piece."""

    def __init__(self) -> None:
        self.asked = False


def sweeping(request: Request, left: Leaving, however_long: bool = False) -> Generator[News, None, Ended | Long]:
    """How far it has come, and at last what it came to; raises InvalidParameter and WorkersFailed.

    One that takes long does not begin, or is left, unless it is said that it may; so is one once `left` is asked for.
    """
    plan, seconds, began = request.plan, PIECE, time.monotonic()
    workers: Workers = local(max((os.cpu_count() or 2) - 1, 1), here=False)  # all cores but the window's
    if request.quick:
        seconds = pace(plan)
        cells = request.cells - request.done
        whole = duration(seconds * cells)
        check_size(request.cells, len(plan.facts), f"they would take one process about {whole}")
        if seconds * cells > LONG and not however_long:
            return Long(tr("{cells} cells take one process about {time}", cells=grouped(cells), time=whole))
        however_long = True  # it was tried
        workers = Here() if seconds * cells < SHORT else workers
    check_size(request.cells, len(plan.facts))
    plan.check()
    kept, told = _kept(request)
    so_far, seen, foreign = request.begun, 0.0, False
    while True:
        try:
            with closing(sweep(plan, workers, kept, seconds=seconds, begun=so_far)) as running:  # type: ignore[type-var]
                for progress in running:
                    if progress.swept is not None:
                        return Ended(progress.swept, _said(kept, told))
                    if left.asked:
                        return Ended(progress.so_far(), _said(kept, told))
                    rest = progress.left_seconds or 0.0
                    if rest > LONG and time.monotonic() - began > SETTLED and not however_long:
                        return Long(tr("{cells} cells take about {time}", cells=grouped(plan.total - progress.done),
                                       time=duration(rest)), progress.so_far())
                    before = time.monotonic()
                    if progress.done and before >= seen:
                        so_far = progress.so_far()
                        seen = before + max(SEEN, SHARE * (time.monotonic() - before))
                    yield News(progress, so_far)
        except InUse:
            kept, told = None, tr(ELSEWHERE)
        except InvalidParameter:  # the plan is good: what stands at that place is none of ours
            if kept is None or foreign:
                raise
            foreign = True
            kept.path.unlink()
        except OSError as error:
            if kept is None:
                raise
            kept, told = None, tr("It is not kept on disk: {error}.", error=(error.strerror or str(error)).lower())
        finally:
            if kept is not None:
                kept.close()


def _kept(request: Request) -> tuple[Kept | None, str]:
    """Where it is kept, and why it is not, where somebody could think that it is."""
    if not request.kept:
        return None, tr(HELD)
    try:
        kept = keeping.kept_for(request.plan, counted=request.counted)
    except OSError as error:
        return None, tr("It is not kept on disk: {error}.", error=(error.strerror or str(error)).lower())
    keeping.tidy(exact_counts=request.exact_counts, but=kept.path)
    return kept, ""


def _said(kept: Kept | None, told: str) -> str:
    return " ".join(filter(None, (told, f"{begun(kept.told)}." if kept and kept.told else "")))


def refusal(error: Exception, request: Request) -> str:
    """Why there is no sweep, in words."""
    if isinstance(error, InvalidParameter):
        return refusal_in_words(error, request.plan.study.parameters())
    if isinstance(error, WorkersFailed):
        return tr("This could not be computed: {error}.", error=error)
    return tr("This could not be computed ({error}).", error=failure(error, f'a sweep of {request.plan.study.key}'))
