"""The workers of a Dask scheduler as an executor; `pip install dpstudio[cluster]` brings what it needs."""

from __future__ import annotations

import logging
import re
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.workers import Jobs, WorkersFailed, refuse_unless_same, run_by
from dpstudio.records import dataclass
from dpstudio.text.given import cut

J = TypeVar("J")
R = TypeVar("R")

PATIENCE = 5
"""Seconds to wait for a scheduler that does not answer."""
FIRST = 30
"""Seconds to wait until every worker has said who it is, for which it may have to import much."""
QUIET = 10
"""Seconds without a result, or a sign of life, after which it is asked who is still there, and said for whom it is
waited."""
LONGEST = 60
"""Seconds to wait for somebody of whom nothing is heard; a worker that computes for long is heard of."""
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask scheduler that runs already, at an address such as tcp://10.0.0.1:8786.

    `tell` is told, in a sentence, for whom it waits; where that is for longer than `LONGEST`, WorkersFailed is raised.
    """

    address: str
    tell: Callable[[str], object] = lambda _: None

    def __post_init__(self) -> None:
        if not _ADDRESS.fullmatch(self.address):
            raise InvalidParameter("scheduler", "an address with a port, such as tcp://10.0.0.1:8786", self.address)

    def run(self, task: Callable[[J], R], jobs: Jobs[J]) -> Iterator[tuple[J, R] | None]:
        return run_by(task, jobs, Dask(self.address, self.tell), here=False)


class Dask:
    """A client of a scheduler, as long as it is used."""

    def __init__(self, address: str, tell: Callable[[str], object] = lambda _: None) -> None:
        self.workers, self.seconds = 1, piece_seconds(1)
        self._address, self._tell = address, tell
        self._where = f"the scheduler at {cut(address)}"
        self._client: Any = None
        self._asked = 0.0
        """Seconds for which nothing had ended when it was last asked who is there."""
        self._missed: float | None = None
        """The time from which on somebody was missing."""

    def open(self) -> Executor:
        try:
            import distributed
        except ImportError:
            raise WorkersFailed("--scheduler needs the package distributed: pip install 'dpstudio[cluster]'") from None
        _silence()
        # One that never connects would close itself when the program ends, wait there and complain.
        client = type("Client", (distributed.Client,), {"__del__": lambda _: None})
        connect = partial(client, self._address, timeout=PATIENCE, set_as_default=False)
        try:
            with warnings.catch_warnings():  # of versions that differ: those that matter are compared here
                warnings.simplefilter("ignore")
                self._client = _within(2 * PATIENCE, connect)
        except Exception:  # what listens at an address may answer anything, and a client may take it for anything
            tls = self._address.startswith(("tls:", "wss:"))
            raise WorkersFailed(f"there is no scheduler at {cut(self._address)}, or it does not answer" + (
                ", or Dask is not told which certificates are for it" * tls)) from None
        try:
            # By value, as the scheduler too must be able to read it before it is known whether that has dpstudio.
            found = _within(FIRST, lambda: self._client.run(_asking()))
            _within(FIRST, lambda: self._client.run_on_scheduler(_asking()))
            threads = _within(FIRST, self._client.nthreads)
        except TimeoutError:
            who = self._missing(everybody=True) or f"{self._where} or one of its workers does not answer"
            raise WorkersFailed(f"{who}, after {FIRST} s of waiting") from None
        except OSError:
            raise WorkersFailed(f"{self._where} is gone") from None
        except Exception:  # whatever an older one, or none, answers
            raise self._lacking from None
        if not found:
            raise WorkersFailed(f"{self._where} has no workers")
        refuse_unless_same({f"the worker at {worker}": who for worker, who in found.items()})
        self.workers = max(sum(threads.values()), 1)
        self.seconds = piece_seconds(self.workers)
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    @property
    def _lacking(self) -> WorkersFailed:
        return WorkersFailed(f"{self._where} and its workers must have this version of dpstudio installed")

    def broken(self, error: BaseException) -> bool | None:
        from distributed.scheduler import KilledWorker

        if isinstance(error, OSError | CancelledError) or self._client.status != "running":
            raise WorkersFailed(f"{self._where} is gone") from None
        if isinstance(error, ImportError):  # of one that came later
            raise self._lacking from None
        return False if isinstance(error, KilledWorker) else None

    def waited(self, seconds: float) -> None:
        if seconds < self._asked:  # something ended meanwhile
            self._asked, self._missed = 0.0, None
        if seconds - self._asked < QUIET:
            return
        self._asked = seconds
        missing = self._missing()
        if not missing:
            self._missed = None
            return
        now = time.monotonic()
        self._missed = now - QUIET if self._missed is None else self._missed
        waited = now - self._missed
        if waited >= LONGEST:
            raise WorkersFailed(f"{missing}, after {LONGEST} s of waiting")
        self._tell(f"{missing}; waiting for at most {max(round(LONGEST - waited), 1)} s more")

    def _missing(self, *, everybody: bool = False) -> str:
        """Who is not there, in words; empty where there are workers, and something is heard of all that have work."""
        try:
            heard = _within(PATIENCE, lambda: self._client.run_on_scheduler(_listening()))
        except Exception:  # whatever it is, it gave no answer
            return f"{self._where} does not answer"
        if not heard:
            return f"{self._where} has no workers"
        silent = [worker for worker, (seconds, busy) in heard.items()
                  if (busy or everybody) and seconds >= QUIET]
        others = f" and {len(silent) - 1} more" if len(silent) > 1 else ""
        return f"nothing is heard of the worker at {silent[0]}{others}" if silent else ""

    def close(self) -> None:
        if self._client is not None:
            with suppress(Exception):  # it is left, whatever it says
                _within(PATIENCE, lambda: self._client.cancel(list(self._client.futures), force=True))
            with suppress(Exception):
                _within(PATIENCE, lambda: self._client.close(timeout=1))


def piece_seconds(workers: int) -> float:
    """How long a piece takes: a task costs the scheduler up to 4 ms, whatever is in it, so it is idle half the time."""
    return max(1.5, 0.008 * workers)


def _silence() -> None:
    """What is lost is said once, by us."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _asking() -> Any:
    return lambda: __import__("dpstudio.core.workers", fromlist=["identity"]).identity()


def _listening() -> Any:
    """By value, as above: for each worker the seconds since it was heard of, and whether it has anything of ours."""
    def heard(dask_scheduler: Any) -> dict[str, tuple[float, bool]]:
        now = __import__("time").time()
        return {worker: (now - state.last_seen, bool(state.processing or state.has_what))
                for worker, state in dask_scheduler.workers.items()}

    return heard


def _within(seconds: float, act: Callable[[], R]) -> R:
    """What `act` gives; raises TimeoutError where it takes longer, and leaves it behind."""
    future: Future[R] = Future()

    def work() -> None:
        try:
            future.set_result(act())
        except BaseException as error:  # whoever waits is told
            future.set_exception(error)

    Thread(target=work, name="scheduler", daemon=True).start()
    return future.result(seconds)
