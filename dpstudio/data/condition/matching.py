"""Whether values can be compared; a date written as text becomes a date, 0 and 1 beside yes and no become these."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from dpstudio.data.columns import Kind, shown
from dpstudio.data.condition import tree

_TIMES: tuple[Kind, ...] = ("date", "time")
_WORDS = {"number": "a number", "text": "text", "yes or no": "yes or no", "date": "a date", "time": "a time"}


class Mismatch(ValueError):
    """Why two operands cannot be compared, as half a sentence."""


def matched(operands: Sequence[tree.Operand]) -> tuple[tree.Operand, ...]:
    """The operands, literals turned into what the first one that names a column holds; raises Mismatch."""
    lead = next(operand for operand in operands if tree.names_column(operand))
    if lead.kind == "other":
        assert isinstance(lead, tree.Name)
        raise Mismatch(f"{shown(lead.column.name)} is of type {shown(lead.column.type)}, which can only be missing "
                       "or not")
    return tuple(operand if operand is lead else _like(operand, lead) for operand in operands)


def _like(operand: tree.Operand, lead: tree.Operand) -> tree.Operand:
    if operand.kind == lead.kind or (operand.kind in _TIMES and lead.kind in _TIMES):
        return operand
    if isinstance(operand, tree.Literal):
        value = operand.value
        if lead.kind in _TIMES and isinstance(value, str):
            return tree.Literal(_moment(value, lead))
        if lead.kind == "yes or no" and value in (0, 1) and operand.kind == "number":
            return tree.Literal(bool(value))
        if lead.kind == "text" and operand.kind == "number":
            raise Mismatch(f"{_named(lead)} is text, so {value} must stand in single quotes: '{value}'")
        if lead.kind == "number" and operand.kind == "text":
            raise Mismatch(f"{_named(lead)} is a number, and {shown(str(value))} is text")
    raise Mismatch(f"{_named(lead)} is {_WORDS[lead.kind]}, and {_named(operand)} is "
                   f"{_WORDS.get(operand.kind, 'of another type')}")


def _moment(text: str, lead: tree.Operand) -> datetime.date | datetime.datetime:
    try:
        if lead.kind == "date" and len(text) <= 10:
            return datetime.date.fromisoformat(text)
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        example = "2026-11-21" if lead.kind == "date" else "2026-11-21 09:30"
        raise Mismatch(f"{_named(lead)} is {_WORDS[lead.kind]}, which is written '{example}', "
                       f"not {shown(text)}") from None


def _named(operand: tree.Operand) -> str:
    match operand:
        case tree.Name():
            return shown(operand.column.name)
        case tree.Literal():
            return shown(str(operand.value))
    return "a sum"
