"""A condition as a tree of plain values: what is left of a text once it was understood."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TypeAlias

from dpstudio.data.columns import Column, Kind

Constant: TypeAlias = bool | int | float | str | datetime.date | datetime.datetime


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that stands in the condition."""

    value: Constant

    @property
    def kind(self) -> Kind:
        match self.value:
            case bool():
                return "yes or no"
            case int() | float():
                return "number"
            case datetime.datetime():
                return "time"
            case datetime.date():
                return "date"
        return "text"


@dataclass(frozen=True, slots=True)
class Name:
    """The value of a column in the row."""

    column: Column

    @property
    def kind(self) -> Kind:
        return self.column.kind


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left` + − × / `right`, both numbers."""

    sign: str
    left: Operand
    right: Operand
    kind: Kind = "number"


Operand: TypeAlias = Literal | Name | Arithmetic


@dataclass(frozen=True, slots=True)
class Compare:
    """= != < <= > >= of two operands of one kind."""

    sign: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Among:
    """Whether an operand is one of some values."""

    operand: Operand
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """low ≤ operand ≤ high."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class Missing:
    """Whether there is no value; the one condition that a missing value always decides."""

    operand: Operand


@dataclass(frozen=True, slots=True)
class Holds:
    """A column of yes and no, by itself."""

    name: Name


@dataclass(frozen=True, slots=True)
class Not:
    part: Condition


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = Compare | Among | Between | Missing | Holds | Not | Every | Any


def names_column(operand: Operand) -> bool:
    """Whether a column has a say in it."""
    if isinstance(operand, Arithmetic):
        return names_column(operand.left) or names_column(operand.right)
    return isinstance(operand, Name)
