"""What a sweep came to: a table, and what must be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.sweep.cells import FAILED, REFUSED, CellValues
from dpstudio.core.sweep.plan import Plan
from dpstudio.text.given import cut
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Quantity, variant


@dataclass(frozen=True)
class Swept:
    """A sweep that is done."""

    plan: Plan
    cells: CellValues

    @cached_property
    def table(self) -> Table:
        """The swept parameters, then each fact, with the ends of its interval where any cell has one.

        A word stands there as its place among the values of its parameter, yes as 1.
        """
        made: dict[Column, Array] = {}
        for over, values in zip(self.plan.over, self._grid(), strict=True):
            made[Column(self.plan.study.parameter(over.name).quantity)] = values
        for place, column in enumerate(self.columns):
            made[column] = self.cells.value[:, place]
            for end, values in (("low", self.cells.low), ("high", self.cells.high)):
                if not np.isnan(values[:, place]).all():
                    made[Column(_end(column.quantity, end), column.series)] = values[:, place]
        return Table(made)

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

    def told(self) -> Iterator[str]:
        """What must be said of it, sentence by sentence."""
        for over in self.plan.over:
            if over.repeated:
                yield f"{over.name}: {over.repeated:,} of its values stood there already and were left out"
        total = self.plan.total
        if self.refused:
            yield f"{self.refused:,} of {total:,} cells are refused by {self.plan.study.key}, and are nan"
        if self.failed:
            values = ", ".join(f"{name} = {value if isinstance(value, str) else exact(value)}"
                               for name, value in self.plan.cell(self.failed[0]).items())
            yield f"{len(self.failed):,} of {total:,} cells failed, and are nan; the first has {cut(values, 200)}"

    def _grid(self) -> Iterator[Array]:
        """The values of each swept parameter in every cell."""
        return (each.astype(np.float64) for each in self.plan.row_by_row(
            np.arange(len(over.values)) if isinstance(over.values[0], str) else over.values for over in self.plan.over))


def _end(quantity: Quantity, end: str) -> Quantity:
    side = "lower" if end == "low" else "upper"
    return variant(quantity, key=f"{quantity.key}_{end}", label=f"{quantity.label}, {side} end",
                   sentence=f"{side.capitalize()} end of the interval.")
