"""Who computes: this process, a pool of processes on this machine, or a cluster that Dask runs.

    for done in Pool(2).run(task, jobs):    # in whatever order they end; None says that nothing ended meanwhile
        if done is not None:
            job, result = done

A task is a function of a module, of one argument; jobs and results are plain data. To cancel is to close the generator.
Work is handed out piece by piece, in pieces of about the same time; what a lost process had in hand is done again.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing import parent_process
from multiprocessing.connection import wait as ready
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any, Protocol, TypeVar

from dpstudio import __version__
from dpstudio.core.turns import giving_turns
from dpstudio.records import dataclass
from dpstudio.text.given import cut

J = TypeVar("J")
R = TypeVar("R")

TICK = 0.1
"""Seconds after which a generator gives its caller a chance to leave it."""
STARTING = 0.5
"""Seconds that a process takes to start: what is shorter is done before."""
BREAKS = 3
"""So many processes a piece of work may lose until it is blamed."""


class WorkersFailed(Exception):
    """What the machines that compute cannot do: one sentence."""


class Jobs(Protocol[J]):
    """Work that can be cut into pieces."""

    def take(self, seconds: float, workers: int) -> J | None:
        """The next piece, of about so many seconds, less where the rest would not last for all; None without any."""

    def took(self, job: J, seconds: float) -> None:
        """A piece was done in so many seconds of one worker."""

    def halves(self, job: J) -> tuple[J, ...]:
        """A piece that ends the processes that do it in smaller ones; none where it can be cut no more."""

    def lost(self, job: J) -> object:
        """The result of such a piece that can be cut no more."""


class Workers(Protocol):
    """Who computes."""

    def run(self, task: Callable[[J], R], jobs: Jobs[J]) -> Iterator[tuple[J, R] | None]:
        """Every piece with its result, in whatever order; None where nothing ended. Raises WorkersFailed."""


@dataclass(frozen=True)
class Here:
    """This process alone."""

    def run(self, task: Callable[[J], R], jobs: Jobs[J]) -> Iterator[tuple[J, R] | None]:
        while (job := jobs.take(TICK, 1)) is not None:
            yield job, _own(task, job, jobs)


@dataclass(frozen=True)
class Pool:
    """So many processes; unless `here` is false this one is among them, and computes while the others start."""

    processes: int
    here: bool = True

    def run(self, task: Callable[[J], R], jobs: Jobs[J]) -> Iterator[tuple[J, R] | None]:
        return run_by(task, jobs, _Processes(max(self.processes - self.here, 1)), here=self.here)


def local(processes: int, *, here: bool = True) -> Workers:
    """So many processes of this machine; one of them, where it may be this one, needs no pool."""
    return Here() if processes == 1 and here else Pool(processes, here)


@cache
def identity() -> tuple[tuple[str, str], ...]:
    """What decides the last bit of a number: these programs by version and source, and the processor’s use."""
    import numpy as np
    import scipy

    simd = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return (("dpstudio", __version__), ("the source", source_digest()),
            ("Python", ".".join(map(str, sys.version_info[:3]))), ("numpy", np.__version__),
            ("scipy", scipy.__version__), ("the processor’s instructions", ", ".join(simd.get("found", ()))))


def source_digest(folder: Path = Path(__file__).parents[1]) -> str:
    """Some signs of a digest of every file of Python in a folder, this package if none is given, by name."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


class Backend(Protocol):
    """An executor that can be had again after it broke."""

    workers: int
    seconds: float
    """How long a piece should take."""

    def open(self) -> Executor:
        """A working one; raises WorkersFailed."""

    def broken(self, error: BaseException) -> bool | None:
        """Whether this error says that a worker was lost: true where the whole executor is, too; None if neither."""

    def waited(self, seconds: float) -> None:
        """Nothing has ended for so long; raises WorkersFailed where nobody is there for too long who could end it."""

    def close(self) -> None:
        """End what runs, at once."""


def timed(task: Callable[[J], R], job: J) -> tuple[R, float, tuple[tuple[str, str], ...]]:
    """What a worker does: the result, its seconds, and who computed it."""
    began = time.perf_counter()
    result = task(job)
    return result, time.perf_counter() - began, identity()


def _own(task: Callable[[J], R], job: J, jobs: Jobs[J]) -> R:
    began = time.perf_counter()
    result = task(job)
    jobs.took(job, time.perf_counter() - began)
    return result


def run_by(task: Callable[[J], R], jobs: Jobs[J], backend: Backend, *, here: bool) -> Iterator[tuple[J, R] | None]:
    """A window of pieces is under way. What was in hand when a worker was lost is done again, from the second loss on
    alone, so that what is blamed in the end is to blame."""
    again: deque[tuple[J, int]] = deque()
    under_way: dict[Future[Any], tuple[J, int]] = {}
    executor: Executor | None = None
    since = time.monotonic()
    try:
        while True:
            while len(under_way) < 2 * backend.workers and not any(count > 1 for _, count in under_way.values()):
                if again and (again[0][1] < 2 or not under_way):
                    job, count = again.popleft()
                elif again or (fresh := jobs.take(backend.seconds, backend.workers + here)) is None:
                    break
                else:
                    job, count = fresh, 0
                executor = executor or backend.open()
                try:
                    under_way[executor.submit(timed, task, job)] = job, count
                except Exception as error:
                    if not backend.broken(error):
                        raise
                    again.appendleft((job, count))
                    if under_way:  # which will say so, too
                        break
                    executor = None
            own = jobs.take(TICK, backend.workers + 1) if here and not again else None
            if own is not None:
                with giving_turns():  # the threads of the executor hand out work, and take results
                    result = _own(task, own, jobs)
                yield own, result
            elif not under_way:
                return
            ended, _ = wait(under_way, timeout=0 if own is not None else TICK, return_when=FIRST_COMPLETED)
            if ended or own is not None:
                since = time.monotonic()
            else:
                backend.waited(time.monotonic() - since)
                yield None
            lost: list[tuple[J, int]] = []
            for future in ended:
                job, count = under_way.pop(future)
                try:
                    result, seconds, who = future.result()
                except Exception as error:
                    whole = backend.broken(error)
                    if whole is None:
                        raise
                    lost.append((job, count + 1 if whole else BREAKS))
                    if whole:
                        executor = None
                else:
                    refuse_unless_same({"a worker": who})
                    jobs.took(job, seconds)
                    yield job, result
            if lost and executor is None:  # all that was under way broke with it
                lost += [(job, count + 1) for job, count in under_way.values()]
                under_way.clear()
            for job, count in lost:
                if count < BREAKS:
                    again.append((job, count))
                elif parts := jobs.halves(job):
                    again.extend((part, BREAKS - 1) for part in parts)
                else:
                    yield job, jobs.lost(job)  # type: ignore[misc]
    finally:
        backend.close()


def refuse_unless_same(found: dict[str, tuple[tuple[str, str], ...]]) -> None:
    """Raises WorkersFailed for the first that is not what this process is: its numbers could differ."""
    for who, theirs in found.items():
        has = dict(theirs)
        for what, ours in identity():
            if ours != (other := has.get(what, "")):
                raise WorkersFailed(f"{cut(who)} has {what} {other or 'none'}, and this has {ours or 'none'}: "
                                    "their numbers could differ")


class _Processes:
    """A pool of processes that are ended with this one, and are not interrupted beside it."""

    seconds = 0.5

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._contexts: list[_Context] = []
        self._pools: list[ProcessPoolExecutor] = []

    def open(self) -> Executor:
        for _ in range(BREAKS):
            self._contexts.append(context := _Context())
            self._pools.append(pool := ProcessPoolExecutor(self.workers, context, _stay))
            if len(self._pools) == 1:
                return pool
            with suppress(BrokenProcessPool):  # after a loss: whether processes can be had at all
                pool.submit(os.getpid).result()
                return pool
        raise WorkersFailed("the processes that compute end as soon as they begin")

    def broken(self, error: BaseException) -> bool | None:
        return True if isinstance(error, BrokenProcessPool) else None

    def waited(self, seconds: float) -> None:  # noqa: ARG002
        """A process that ends breaks the pool, which says so, but where it ended in the middle of a result."""
        if self._contexts and self._contexts[-1].has_lost():
            self._contexts[-1].cut_off()

    def close(self) -> None:
        for context in self._contexts:
            context.kill()
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)


class _Process(SpawnProcess):
    """Begun with interruptions blocked, which it inherits: Ctrl-C reaches all of a terminal's processes."""

    def start(self) -> None:
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    """Makes processes, and knows them."""

    def __init__(self) -> None:
        self.started: list[SpawnProcess] = []
        self._results: Any = None

    def SimpleQueue(self) -> Any:  # noqa: N802
        """By which results come back."""
        self._results = super().SimpleQueue()
        return self._results

    def has_lost(self) -> bool:
        """Whether a process has ended."""
        return bool(ready([each.sentinel for each in self.started if each.pid is not None], 0))

    def kill(self) -> None:
        """End all of them, at once."""
        for process in self.started:
            with suppress(OSError, ValueError, AttributeError):  # it may not have begun
                process.kill()

    def cut_off(self) -> None:
        """Leave nobody who could write a result: whoever reads one that was cut off waits for the rest of it no more.
        """
        self.kill()
        self._results._writer.close()  # the queue's own close() would take the end that is read from, and wake nobody

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        self.started.append(_Process(*args, **options))
        return self.started[-1]


def _stay() -> None:
    """Stay no longer than the process that began this one, which may be killed without a word."""
    began = parent_process()
    if began is not None:
        threading.Thread(target=lambda: (ready([began.sentinel]), os._exit(1)), daemon=True).start()
