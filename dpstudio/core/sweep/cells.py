"""The cells of a sweep: a piece of them as plain data, what they came to, and how that is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.results import FactPlace, Kind
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.records import dataclass
from dpstudio.vocabulary import Value

KINDS: tuple[Kind, ...] = ("exact", "bound", "estimate")
BYTES = 25
"""Of a fact of a cell, packed."""
ABSENT, REFUSED, FAILED, UNDONE = 0, *range(len(KINDS) + 1, len(KINDS) + 4)
"""Beside the place of a kind, from 1 on: a fact that does not apply, a cell that was refused, one that failed, and one
that is not computed yet."""


@dataclass(frozen=True)
class Piece:
    """Cells of a plan from one on, as plain data: the values of what is swept in each."""

    study_class: type[Study]
    base: Mapping[str, Value]
    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]
    facts: tuple[FactPlace, ...]
    simulate: bool
    begin: int

    @property
    def size(self) -> int:
        return len(self.values)

    @property
    def end(self) -> int:
        return self.begin + self.size


@dataclass(frozen=True)
class CellValues:
    """What cells came to: a row for each, a column for each fact; nan where there is none."""

    value: Array
    low: Array
    high: Array
    kind: npt.NDArray[np.uint8]

    @classmethod
    def empty(cls, rows: int, facts: int, kind: int = ABSENT) -> Self:
        value, low, high = (np.full((rows, facts), np.nan) for _ in range(3))
        return cls(value, low, high, np.full((rows, facts), kind, dtype=np.uint8))

    def part(self, begin: int, end: int) -> CellValues:
        """Some of them."""
        return CellValues(*(array[begin:end] for array in self.arrays))

    def copy(self) -> CellValues:
        """As they are now."""
        return CellValues(*(array.copy() for array in self.arrays))

    def put(self, place: int | slice | npt.NDArray[np.bool_], other: CellValues) -> None:
        for ours, theirs in zip(self.arrays, other.arrays, strict=True):
            ours[place] = theirs

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self.value, self.low, self.high, self.kind

    def packed(self) -> bytes:
        """All of it to the last bit, the same on every machine."""
        return b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in self.arrays)

    @classmethod
    def unpacked(cls, raw: bytes, rows: int, facts: int) -> Self:
        """What was packed; raises ValueError where it holds a kind that there is not."""
        value, low, high = np.frombuffer(raw, dtype="<f8", count=3 * rows * facts).reshape(3, rows, facts)
        kind = np.frombuffer(raw, dtype=np.uint8, offset=24 * rows * facts).reshape(rows, facts)
        if kind.max(initial=0) > FAILED:
            raise ValueError("there is no such kind of a fact")
        return cls(value, low, high, kind)


def computed(part: Piece) -> CellValues:
    """The cells of a part, each fact of one from the same answer."""
    index = part.study_class.answers().index()
    simulate = any(index[asked].simulated for asked in part.facts)
    made = CellValues.empty(part.size, len(part.facts))
    for row, values in enumerate(part.values):
        try:
            _fill(made, row, part, simulate, {**part.base, **dict(zip(part.names, values, strict=True))})
        except InvalidParameter:
            made.put(row, CellValues.empty(1, len(part.facts), REFUSED))
        except Exception:  # a fault of ours in one cell is said at the end, and costs no other cell
            made.put(row, CellValues.empty(1, len(part.facts), FAILED))
    return made


def _fill(made: CellValues, row: int, part: Piece, simulate: bool, values: Mapping[str, Value]) -> None:
    study = part.study_class(**values)
    update = Update(study.answer())
    for update in study.run() if simulate else ():  # noqa: B007 - the last one has all draws
        pass
    for column, asked in enumerate(part.facts):
        fact = update.fact(*asked)
        if fact is None:
            continue
        made.value[row, column], made.kind[row, column] = fact.value, 1 + KINDS.index(fact.kind)
        for ends, end in ((made.low, fact.low), (made.high, fact.high)):
            ends[row, column] = np.nan if end is None else end
