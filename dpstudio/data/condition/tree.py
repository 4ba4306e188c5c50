"""A condition as a tree of plain values: what is left of a text once it was understood, and what can be compared."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import TypeAlias

from dpstudio.data.columns import FileColumn, ValueKind, shown
from dpstudio.records import dataclass

Constant: TypeAlias = bool | int | float | str | datetime.date | datetime.datetime
_TIMES: tuple[ValueKind, ...] = ("date", "time")
_KINDS = {"number": "a number", "text": "text", "yes or no": "yes or no", "date": "a date", "time": "a time"}


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that stands in the condition."""

    value: Constant

    @property
    def kind(self) -> ValueKind:
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

    column: FileColumn

    @property
    def kind(self) -> ValueKind:
        return self.column.kind


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left` + − × / `right`, both numbers."""

    sign: str
    left: Operand
    right: Operand
    kind: ValueKind = "number"


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


class Mismatch(ValueError):
    """Why two operands cannot be compared, as half a sentence."""


def names_column(operand: Operand) -> bool:
    """Whether the value of an operand depends on a column."""
    if isinstance(operand, Arithmetic):
        return names_column(operand.left) or names_column(operand.right)
    return isinstance(operand, Name)


def named(operand: Operand) -> str:
    """An operand as a refusal calls it."""
    match operand:
        case Name():
            return shown(operand.column.name)
        case Literal():
            return shown(str(operand.value))
    return "a sum"


def a_kind(operand: Operand) -> str:
    """What an operand is, as a refusal says it: “a number”."""
    return _KINDS.get(operand.kind, "of a type that cannot be compared")


def alike(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """Operands that can be compared, one of which names a column: literals become what the first such one holds.

    A date written as text becomes a date, 0 and 1 beside yes and no become these; raises Mismatch for all other kinds.
    """
    lead = next(operand for operand in operands if names_column(operand))
    if isinstance(lead, Name) and lead.kind == "other":
        raise Mismatch(f"{named(lead)} is of type {shown(lead.column.type)}, which can only be missing or not")
    return tuple(operand if operand is lead else _like(operand, lead) for operand in operands)


def _like(operand: Operand, lead: Operand) -> Operand:
    if operand.kind == lead.kind or (operand.kind in _TIMES and lead.kind in _TIMES):
        return operand
    if isinstance(operand, Literal):
        value = operand.value
        if lead.kind in _TIMES and isinstance(value, str):
            return Literal(_moment(value, lead))
        if lead.kind == "yes or no" and value in (0, 1) and operand.kind == "number":
            return Literal(bool(value))
        if lead.kind == "text" and operand.kind == "number":
            raise Mismatch(f"{named(lead)} is text, so {value} must stand in single quotes: '{value}'")
        if lead.kind == "number" and operand.kind == "text":
            raise Mismatch(f"{named(lead)} is a number, and {named(operand)} is text")
    raise Mismatch(f"{named(lead)} is {a_kind(lead)}, and {named(operand)} is "
                   f"{_KINDS.get(operand.kind, 'of another type')}")


def _moment(text: str, lead: Operand) -> datetime.date | datetime.datetime:
    """The moment that a text of ISO 8601 says; raises Mismatch."""
    try:
        if lead.kind == "date" and len(text) <= 10:
            return datetime.date.fromisoformat(text)
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        example = "2026-11-21" if lead.kind == "date" else "2026-11-21 09:30"
        raise Mismatch(f"{named(lead)} is {a_kind(lead)}, which is written '{example}', not {shown(text)}") from None
