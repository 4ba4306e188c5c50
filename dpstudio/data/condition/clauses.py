"""A condition put together from columns, comparisons and values, for those who do not write one."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn, ValueKind, literal, written
from dpstudio.data.condition import tree
from dpstudio.data.condition.parser import parse
from dpstudio.text.entry import read_number
from dpstudio.text.numbers import plain

_ORDERED = ("=", "≠", "<", "≤", ">", "≥", "between", "is one of")
_COMPARISONS: dict[ValueKind, tuple[str, ...]] = {
    "number": _ORDERED, "date": _ORDERED, "time": _ORDERED, "text": ("=", "≠", "is one of"),
    "yes or no": ("is yes", "is no"), "other": ()}
_ALWAYS = ("is missing", "is not missing")
_JOINED = {"all": " and ", "any": " or "}
_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥"}
_MOMENTS = {"date": ("a date such as 2026-11-21", datetime.date),
            "time": ("a time such as 2026-11-21 09:30", datetime.datetime)}


def comparisons(column: FileColumn) -> tuple[str, ...]:
    """What a column can be asked."""
    return _COMPARISONS[column.kind] + _ALWAYS


def needs_value(comparison: str) -> bool:
    return not comparison.startswith("is ") or comparison == "is one of"


def clause(column: FileColumn, comparison: str, value: str = "") -> str:
    """One comparison as a condition; raises InvalidParameter for a value that the column cannot have.

    The ends of “between” are separated by “and”, the values of “is one of” by commas.
    """
    name = written(column.name)
    match comparison:
        case "is missing" | "is not missing":
            return f"{name} {comparison}"
        case "is yes" | "is no":
            return name if comparison == "is yes" else f"not {name}"
        case "between":
            low, found, high = value.partition(" and ")
            if not found:
                raise InvalidParameter("value", "two values with “and” between them", value)
            return f"{name} between {_constant(column, low)} and {_constant(column, high)}"
        case "is one of":
            return f"{name} in ({', '.join(_constant(column, each) for each in value.split(','))})"
    return f"{name} {comparison} {_constant(column, value)}"


def joined(clauses: Iterable[str], how: str) -> str:
    """Clauses of which all, or any, must hold."""
    return _JOINED[how].join(clauses)


def taken_apart(text: str, columns: Sequence[FileColumn]) -> tuple[tuple[tuple[FileColumn, str, str], ...], str] | None:
    """The comparisons that make exactly this condition, each as `clause` takes it, and how they are joined; None where
    it was written in another way."""
    try:
        condition = parse(text, columns)
    except InvalidParameter:
        return None
    parts = condition.parts if isinstance(condition, tree.Every | tree.Any) else (condition,)
    how = "any" if isinstance(condition, tree.Any) else "all"
    found = tuple(map(_compared, parts))
    told = tuple(each for each in found if each is not None and each[1] in comparisons(each[0]))
    try:
        same = len(told) == len(found) and joined((clause(*each) for each in told), how) == text.strip()
    except InvalidParameter:
        return None
    return (told, how) if same else None


def _compared(part: tree.Condition) -> tuple[FileColumn, str, str] | None:
    """A column, what is asked of it, and the value as it was typed; None for what is no such comparison."""
    match part:
        case tree.Compare(sign, tree.Name(column), tree.Literal(value)):
            return column, _SIGNS.get(sign, sign), _entry(value)
        case tree.Among(tree.Name(column), values):
            return column, "is one of", ", ".join(_entry(each.value) for each in values)
        case tree.Between(tree.Name(column), tree.Literal(low), tree.Literal(high)):
            return column, "between", f"{_entry(low)} and {_entry(high)}"
        case tree.Missing(tree.Name(column)):
            return column, "is missing", ""
        case tree.Not(tree.Missing(tree.Name(column))):
            return column, "is not missing", ""
        case tree.Holds(tree.Name(column)):
            return column, "is yes", ""
        case tree.Not(tree.Holds(tree.Name(column))):
            return column, "is no", ""
    return None


def _entry(value: tree.Constant) -> str:
    return value if isinstance(value, str) else plain(value) if isinstance(value, int | float) else value.isoformat(
        *(" ",) * isinstance(value, datetime.datetime))


def _constant(column: FileColumn, text: str) -> str:
    entry = text.strip()
    if column.kind == "text":
        if not entry:
            raise InvalidParameter("value", "a text, or the comparison “is missing”", entry)
        return literal(entry)
    if column.kind == "number":
        number = read_number(entry)
        if number is None:
            raise InvalidParameter("value", "a number", entry)
        return repr(number)
    expected, kind = _MOMENTS[column.kind]
    try:
        kind.fromisoformat(entry)
    except ValueError:
        raise InvalidParameter("value", expected, entry) from None
    return literal(entry)
