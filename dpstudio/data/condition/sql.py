"""A condition in the database's language: quoted names, signs from a fixed table, and every value a parameter."""

from __future__ import annotations

import datetime

from dpstudio.data.columns import FileColumn, identifier
from dpstudio.data.condition import tree

_SIGNS = {sign: sign for sign in ("=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/")}


def rendered(condition: tree.Condition) -> tuple[str, list[object]]:
    """The text, with a ? for each value, and the values in order."""
    values: list[object] = []
    return _condition(condition, values), values


def value_of(column: FileColumn) -> str:
    """A column whose “not a number” counts as missing: the database would call it larger than every number."""
    name = identifier(column.name)
    if column.type in ("FLOAT", "DOUBLE"):
        return f"nullif({name}, 'NaN'::{column.type})"
    return f"CAST({name} AS VARCHAR)" if column.kind == "text" and column.type != "VARCHAR" else name


def _condition(condition: tree.Condition, values: list[object]) -> str:
    match condition:
        case tree.Compare(sign, left, right):
            single = _single_precision(left, right)
            return f"({_operand(left, values, single)} {_SIGNS[sign]} {_operand(right, values, single)})"
        case tree.Among(operand, among):
            single = _single_precision(operand)
            text = _operand(operand, values, single)
            return f"({text} IN ({', '.join(_operand(value, values, single) for value in among)}))"
        case tree.Between(operand, low, high):
            single = _single_precision(operand, low, high)
            text, least, most = (_operand(each, values, single) for each in (operand, low, high))
            return f"({text} BETWEEN {least} AND {most})"
        case tree.Missing(operand):
            return f"({_operand(operand, values)} IS NULL)"
        case tree.Holds(name):
            return value_of(name.column)
        case tree.Not(part):
            return f"(NOT {_condition(part, values)})"
        case tree.Every(parts):
            return f"({' AND '.join(_condition(part, values) for part in parts)})"
        case tree.Any(parts):
            return f"({' OR '.join(_condition(part, values) for part in parts)})"


def _operand(operand: tree.Operand, values: list[object], single: bool = False) -> str:
    match operand:
        case tree.Name(column):
            return value_of(column)
        case tree.Literal(value):
            values.append(value)
            if isinstance(value, float) and single:
                return "CAST(? AS FLOAT)"
            if isinstance(value, datetime.date):
                return "CAST(? AS TIMESTAMP)" if isinstance(value, datetime.datetime) else "CAST(? AS DATE)"
            return "?"
        case tree.Arithmetic():
            # What has no value (0/0) is missing; it stays without one in whatever is made of it, so that this is asked
            # once: the database works out twice what stands in a nullif, and would so in each of many within another.
            return f"nullif({_sum(operand, values)}, 'NaN'::DOUBLE)"


def _sum(operand: tree.Operand, values: list[object]) -> str:
    """A sum as doubles, of which none overflows into an error."""
    if not isinstance(operand, tree.Arithmetic):
        return _operand(operand, values)
    first, second = (f"CAST({_sum(each, values)} AS DOUBLE)" for each in (operand.left, operand.right))
    return f"{first} {_SIGNS[operand.sign]} {second}"


def _single_precision(*operands: tree.Operand) -> bool:
    """Whether a value is compared with a column of single precision: 0.1 must then mean its nearest one there."""
    return any(isinstance(each, tree.Name) and each.column.type == "FLOAT" for each in operands)
