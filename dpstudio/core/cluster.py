"""The workers of a Dask scheduler as an executor; `pip install dpstudio[cluster]` brings what it needs."""

from __future__ import annotations

import logging
import warnings
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from typing import Any

from dpstudio.core.workers import WorkersFailed, refuse_unless_same
from dpstudio.text.given import cut

PATIENCE = 5
"""Seconds to wait for a scheduler that does not answer."""


class Dask:
    """A client of a scheduler, as long as it is used."""

    def __init__(self, address: str) -> None:
        self.workers, self.seconds = 1, piece_seconds(1)
        self._address = address
        self._client: Any = None

    def open(self) -> Executor:
        try:
            import distributed
        except ImportError:
            raise WorkersFailed("--scheduler needs the package distributed: pip install 'dpstudio[cluster]'") from None
        _silence()
        try:
            with warnings.catch_warnings():  # of versions that differ: those that matter are compared here
                warnings.simplefilter("ignore")
                self._client = distributed.Client(  # type: ignore[no-untyped-call]
                    self._address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError):
            raise WorkersFailed(f"there is no scheduler at {cut(self._address)}, or it does not answer") from None
        where = f"the scheduler at {cut(self._address)}"
        try:
            # By value, as the scheduler too must be able to read it before it is known whether that has dpstudio.
            found = self._client.run(_asking())
            self._client.run_on_scheduler(_asking())
        except (ImportError, RuntimeError):
            raise self._lacking from None
        except OSError:
            raise WorkersFailed(f"{where} is gone") from None
        if not found:
            raise WorkersFailed(f"{where} has no workers")
        refuse_unless_same({f"the worker at {worker}": who for worker, who in found.items()})
        self.workers = max(sum(self._client.nthreads().values()), 1)
        self.seconds = piece_seconds(self.workers)
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    @property
    def _lacking(self) -> WorkersFailed:
        return WorkersFailed(f"the scheduler at {cut(self._address)} and its workers must have dpstudio installed")

    def broken(self, error: BaseException) -> bool | None:
        from distributed.scheduler import KilledWorker

        if isinstance(error, OSError | CancelledError) or self._client.status != "running":
            raise WorkersFailed(f"the scheduler at {cut(self._address)} is gone") from None
        if isinstance(error, ImportError):  # of one that came later
            raise self._lacking from None
        return False if isinstance(error, KilledWorker) else None

    def close(self) -> None:
        if self._client is not None:
            with suppress(Exception):  # it is left, whatever it says
                self._client.cancel(list(self._client.futures), force=True)
            with suppress(Exception):
                self._client.close(timeout=1)


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
