"""Computing a plan: pieces of it handed out, put together, and kept; and what it came to, with what must be said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, entry_text
from dpstudio.core.results import NOT_YET, Column, Series, Table
from dpstudio.core.sweep.cells import BYTES, FAILED, REFUSED, UNDONE, CellValues, Piece, computed
from dpstudio.core.sweep.kept import Kept
from dpstudio.core.sweep.plan import Plan, pace
from dpstudio.core.workers import STARTING, Here, Jobs, Pool, Workers
from dpstudio.records import cached_property, dataclass
from dpstudio.text.given import cut
from dpstudio.text.language import tr
from dpstudio.vocabulary import Quantity, variant

TRUSTED = 0.3
"""Seconds after which what was done says how long the rest takes."""
_LEAST_SECONDS = 0.01
"""No piece for another process is shorter than this: to hand it over costs a tenth of a millisecond or more."""


@dataclass(frozen=True)
class Progress:
    """How far a sweep has come; the last one has all of it."""

    done: int
    total: int
    so_far: Callable[[], Swept]
    """What there is now; to be asked before the next step, and copied then, so that it stays as it is."""
    left_seconds: float | None = None
    swept: Swept | None = None


def sweep(plan: Plan, workers: Workers, kept: Kept | None = None, *, seconds: float | None = None,
          begun: Swept | None = None) -> Iterator[Progress]:
    """Compute a plan, going on from what is kept and from what was begun; to cancel is to close the generator.

    `seconds` is the pace of a cell, where somebody has measured it. Raises InvalidParameter before it begins, OSError
    where nothing more can be kept and WorkersFailed; what is kept by then stays.
    """
    plan.check()
    cells, there = CellValues.empty(plan.total, len(plan.facts), UNDONE), np.zeros(plan.total, dtype=np.bool_)
    if begun is not None and begun.plan.digest == plan.digest:
        cells.put(slice(None), begun.cells)
    if kept is not None:
        for begin, end, raw in kept.opened(plan.digest, plan.total, BYTES * len(plan.facts)):
            try:
                cells.put(slice(begin, end), CellValues.unpacked(raw, end - begin, len(plan.facts)))
                there[begin:end] = True
            except ValueError:
                kept.refused += 1
    failed = (cells.kind == FAILED).all(axis=1)  # tried again
    cells.put(failed, CellValues.empty(int(failed.sum()), len(plan.facts), UNDONE))
    done = Swept(plan, cells).computed
    if kept is not None:
        for begin, end in _stretches(done & ~there):
            kept.add(begin, end, cells.part(begin, end).packed())
    count = before = int(done.sum())
    began = time.monotonic()

    def so_far() -> Swept:
        return Swept(plan, cells.copy())

    yield Progress(count, plan.total, so_far)
    if count < plan.total:
        seconds = pace(plan) if seconds is None else seconds
        if isinstance(workers, Pool) and workers.here and seconds * (plan.total - count) < STARTING:
            workers = Here()
        running = workers.run(computed, _Pieces(plan, done, seconds))
        try:
            for ended in running:
                if ended is not None:
                    part, found = ended
                    cells.put(slice(part.begin, part.end), found)
                    if kept is not None:
                        kept.add(part.begin, part.end, found.packed())
                    count += part.size
                spent = time.monotonic() - began
                left = spent / (count - before) * (plan.total - count) if count > before and spent > TRUSTED else None
                yield Progress(count, plan.total, so_far, left)
        finally:
            running.close()  # type: ignore[attr-defined]  # generators have it
    yield Progress(plan.total, plan.total, so_far, 0.0, Swept(plan, cells))


def _stretches(of: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where the cells that are meant begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], of.astype(np.int8), [0]))))
    return ((int(begin), int(end)) for begin, end in edges.reshape(-1, 2))


class _Pieces(Jobs[Piece]):
    """The cells that are not done, in pieces of about as many seconds as are asked for."""

    def __init__(self, plan: Plan, done: npt.NDArray[np.bool_], seconds: float) -> None:
        self._plan = plan
        self._gaps = list(_stretches(~done))[::-1]
        """Backwards: the next one last."""
        self._left = sum(end - begin for begin, end in self._gaps)
        self._pace = max(seconds, 1e-7)

    def take(self, seconds: float, workers: int) -> Piece | None:
        if not self._gaps:
            return None
        begin, end = self._gaps.pop()
        share = self._left / (2 * workers) * self._pace if workers > 1 else seconds
        size = max(int(min(seconds, max(share, _LEAST_SECONDS)) / self._pace), 1)
        if end - begin > size:
            self._gaps.append((begin + size, end))
            end = begin + size
        self._left -= end - begin
        return self._plan.part(begin, end)

    def took(self, job: Piece, seconds: float) -> None:
        self._pace += (seconds / job.size - self._pace) * 0.3

    def halves(self, job: Piece) -> tuple[Piece, ...]:
        middle = (job.begin + job.end) // 2
        ends = ((job.begin, middle), (middle, job.end)) if job.size > 1 else ()
        return tuple(self._plan.part(begin, end) for begin, end in ends)

    def lost(self, job: Piece) -> CellValues:
        return CellValues.empty(job.size, len(job.facts), FAILED)


# What a sweep came to: a table, and what must be said of it


@dataclass(frozen=True)
class Swept:
    """A sweep that is done, or as far as it is."""

    plan: Plan
    cells: CellValues

    @cached_property
    def table(self) -> Table:
        """The swept parameters, then each fact, with the ends of its interval where any cell has one.

        A word stands there as its place among the values of its parameter, yes as 1. A fact of a cell that is not
        computed is NOT_YET.
        """
        made: dict[Column, Array] = {}
        for over, values in zip(self.plan.over, self._grid(), strict=True):
            made[Column(self.plan.study.parameter(over.name).quantity)] = values
        for place, column in enumerate(self.columns):
            made[column] = np.where(self.computed, self.cells.value[:, place], NOT_YET)
            for end, values in (("low", self.cells.low), ("high", self.cells.high)):
                if not np.isnan(values[:, place]).all():
                    made[Column(_end(column.quantity, end), column.series)] = values[:, place]
        return Table(made)

    @cached_property
    def computed(self) -> npt.NDArray[np.bool_]:
        """Which cells are computed; in the others every fact is nan."""
        return np.asarray((self.cells.kind != UNDONE).all(axis=1))

    @property
    def done(self) -> int:
        """How many cells are computed."""
        return int(self.computed.sum())

    @property
    def whole(self) -> bool:
        return bool(self.computed.all())

    @cached_property
    def rows(self) -> Table:
        """The table of what is computed, and nothing else."""
        return self.table if self.whole else Table({column: values[self.computed]
                                                    for column, values in self.table.items()})

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the facts, in the order in which they were asked."""
        answers = type(self.plan.study).answers()
        series: dict[str | None, Series] = {each.key: each for each in answers.series()}
        index = answers.index()
        return tuple(Column(index[asked].quantity, index[asked].series or series.get(asked[1]))
                     for asked in self.plan.facts)

    @property
    def kinds(self) -> Mapping[Column, npt.NDArray[np.uint8]]:
        """Per fact and cell 1 + the place in KINDS, or why there is none: ABSENT, REFUSED, FAILED."""
        return {column: self.cells.kind[:, place] for place, column in enumerate(self.columns)}

    @property
    def refused(self) -> int:
        """How many cells the study refuses."""
        return int((self.cells.kind == REFUSED).all(axis=1).sum())

    @property
    def failed(self) -> tuple[int, ...]:
        """The cells that could not be computed through a fault of ours."""
        return tuple(np.flatnonzero((self.cells.kind == FAILED).all(axis=1)).tolist())

    def told(self, counting: Callable[[int], str] = "{:,}".format) -> Iterator[str]:
        """What must be said of it, sentence by sentence; `counting` writes whole numbers."""
        for over in self.plan.over:
            if over.repeated:
                yield tr("{name}: {n} of its values stood there already and were left out", name=over.name,
                         n=counting(over.repeated))
        total = counting(self.plan.total)
        if not self.whole:
            yield tr("{done} of {total} cells are computed so far, and the others are empty",
                     done=counting(self.done), total=total)
        if self.refused:
            yield tr("{n} of {total} cells are refused by {study}, and are nan", n=counting(self.refused), total=total,
                     study=self.plan.study.key)
        if self.failed:
            values = ", ".join(f"{name} = {entry_text(value)}"
                               for name, value in self.plan.cell(self.failed[0]).items())
            yield tr("{n} of {total} cells failed, and are nan; the first has {values}",
                     n=counting(len(self.failed)), total=total, values=cut(values, 200))

    def _grid(self) -> Iterator[Array]:
        """The values of each swept parameter in every cell."""
        return (each.astype(np.float64) for each in self.plan.row_by_row(
            np.arange(len(over.values)) if isinstance(over.values[0], str) else over.values for over in self.plan.over))


def _end(quantity: Quantity, end: str) -> Quantity:
    side = "lower" if end == "low" else "upper"
    return variant(quantity, key=f"{quantity.key}_{end}", label=f"{quantity.label}, {side} end",
                   sentence=f"{side.capitalize()} end of the interval.")
