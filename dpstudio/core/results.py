"""Answers as data: tables of columns, and facts that say how sure they are.

Nothing here knows a window or a file; both read the same objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.sources import Source
from dpstudio.records import dataclass
from dpstudio.text.numbers import Side
from dpstudio.vocabulary import Quantity, amount

Kind: TypeAlias = Literal["exact", "bound", "estimate"]
FactPlace: TypeAlias = tuple[str, str | None]
"""Where a fact stands: the keys of its quantity and of its series, None where it is of none."""
Span: TypeAlias = tuple[float, float]
"""From where to where along an axis, as values of its quantity."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One of the things a study compares: its name in files, its name for people, and how it looks."""

    key: str
    label: str
    look: str = ""
    """The name of its colour and dash: its key, where nothing else is said."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "look", self.look or self.key)

    def __eq__(self, other: object) -> bool:
        """Equal by key, so that one that has crossed a process is the same."""
        return isinstance(other, Series) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Column:
    """Which column of a table: a quantity, of one series or of all."""

    quantity: Quantity
    series: Series | None = None
    _hash: int = field(init=False, repr=False, compare=False)
    """Found once: tables are asked for their columns some hundred times a frame."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.quantity, self.series)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Column], tuple[Quantity, Series | None]]:
        """Another process has other hashes."""
        return Column, (self.quantity, self.series)

    @property
    def key(self) -> str:
        """The header of the column in a file."""
        return f"{self.quantity.key}_{self.series.key}" if self.series else self.quantity.key


class Estimated(NamedTuple):
    """What is estimated from draws, and the ends of its interval."""

    value: Quantity
    low: Quantity
    high: Quantity


@dataclass(frozen=True, slots=True)
class Table(Mapping[Column, Array]):
    """Columns of equal length, in order, keyed by quantity and series."""

    columns: Mapping[Column, Array]

    def __post_init__(self) -> None:
        lengths = {len(values) for values in self.columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of one table must have one length, got {sorted(lengths)}")

    def __getitem__(self, column: Column) -> Array:
        return self.columns[column]

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values()), np.empty(0)))


_BITS = np.uint64(0x7FF8_0000_0000_5EED)
NOT_YET = float(_BITS.view(np.float64))
"""What stands in a table for a number that is not computed yet: a NaN told from others, which have no value, by its
bits. They are kept where it is copied, and by no arithmetic."""


def not_yet(values: Array) -> npt.NDArray[np.bool_]:
    """Which numbers of a table are not computed yet."""
    return np.asarray(np.ascontiguousarray(values).view(np.uint64) == _BITS)


@dataclass(frozen=True, slots=True)
class Fact:
    """One number with its meaning, its kind and, where it is not exact, its interval.

    `how` is the formula with today's numbers in it; `source` says who proved it.
    """

    quantity: Quantity
    value: float
    series: Series | None = None
    kind: Kind = "exact"
    low: float | None = None
    high: float | None = None
    how: str = ""
    source: Source | None = None
    at_least: bool = False
    """Of a bound: whether it bounds from below."""
    group: str = ""
    """The heading that it stands under."""

    @property
    def key(self) -> str:
        return self.quantity.key

    @property
    def place(self) -> FactPlace:
        return self.quantity.key, self.series.key if self.series else None


def fact_place(quantity: Quantity | str, series: Series | str | None) -> FactPlace:
    """Where the fact of a quantity and a series stands, each given as itself or by its key."""
    return (quantity if isinstance(quantity, str) else quantity.key,
            series.key if isinstance(series, Series) else series)


def fact_name(key: str, of: str | None) -> str:
    """“band_width@laplace”: a fact by the keys of its quantity and series, as it is asked for."""
    return f"{key}@{of}" if of else key


NOTHING = 1e-300
"""An outcome below it is 0, or is lost among the smallest numbers there are: nothing can be said to be the same."""
ALIKE = 0.02
"""Part by which an outcome, or what is spent for one, may be worse and is as good: of these less δ is spent."""
SIGNS: Mapping[Kind, str] = {"exact": "", "bound": "≤", "estimate": "≈"}
"""What stands before a number that is not exact."""


def side_of(fact: Fact | None) -> Side:
    """The side to which a fact is rounded: a bound to the one on which it stays true, an exact one as its
    quantity says."""
    if fact is None or fact.kind == "estimate":
        return "nearest"
    if fact.kind == "bound":
        return "down" if fact.at_least else "up"
    return fact.quantity.safe


def sign_of(fact: Fact) -> str:
    """What stands before the value of a fact: ≤ or ≥ of a bound, ≈ of an estimate, nothing of an exact one."""
    return "≥" if fact.at_least else SIGNS[fact.kind]


def stated(fact: Fact, lack: float | None = None, *, lacking: bool = False) -> str:
    """The value of a fact as a picture shows it; a bound is rounded to its safe side."""
    return amount(fact.value, fact.quantity, side=side_of(fact), lack=lack, lacking=lacking)


def told(fact: Fact) -> str:
    """“U* = −0.25”, “ε ≤ 0.5”: the symbol of a fact with its value."""
    return f"{fact.quantity.symbol} {sign_of(fact) or '='} {stated(fact)}"
