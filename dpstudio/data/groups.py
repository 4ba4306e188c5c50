"""Counting by groups: how many rows or persons each value of a column has, or each pair of values of two.

Groups are the values that stand in the file, whether or not a row of theirs qualifies, so that a condition changes
counts alone. Where a person is known, at most b of their rows in a group are let into its count, which one person then
moves by b at most; in how many groups a person is, nothing bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dpstudio.core.declare import InvalidParameter, accepted
from dpstudio.data.columns import FileColumn, find, unknown
from dpstudio.data.condition import tree
from dpstudio.data.condition.sql import rendered, value_of
from dpstudio.data.counting import person_column
from dpstudio.data.file import DataFile
from dpstudio.data.origin import AT_MOST, MOST_BY
from dpstudio.models.contributions import Spread
from dpstudio.records import dataclass
from dpstudio.text.entry import write_number
from dpstudio.text.numbers import plain
from dpstudio.vocabulary.written import Listing, name_of, text_of_listing

MOST_GROUPS = 100_000
"""A table of ours has no more cells."""
MANY_NUMBERS = 1_000
"""With more different numbers in a column somebody may have meant ranges of them."""
NAMELESS = "unnamed"
"""What a group is called whose value has no sign that a name can have."""
_LONGEST = 72
"""Signs of the name of one value."""
_YES_OR_NO = {False: "no", True: "yes"}
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class Groups:
    """How many rows each group has: exact, and therefore sensitive."""

    by: tuple[str, ...]
    """The columns, one or two."""
    values: tuple[tuple[str, ...], ...]
    """The names of the values of each column, in their order."""
    counts: tuple[int, ...]
    """One for each value, or each pair of values, the second column’s the faster."""
    rows: int
    """All rows of the file."""
    qualifying: int = 0
    """Rows that satisfy the condition and have a value in each column, before any bound."""
    valueless: int = 0
    """Rows that satisfy it, and have no value in one of the columns: they are in no group."""
    undecided: int = 0
    """Rows in which a missing value leaves the condition undecided: they do not count."""
    at_most: int | None = None
    """The rows of each person that count in a group at most."""
    unnamed: int = 0
    """Rows that qualify and name no person; under a bound they are left out."""
    persons: Spread | None = None
    """Where they are known, persons by the number of groups in which they have a row that counts."""
    most: int | None = None
    """The most such rows that one person has in one group, before any bound."""
    whole: int | None = None
    """The most that one person adds to all counts together, under the bound."""
    numbers: tuple[str, ...] = ()
    """The columns of more different numbers than somebody may have meant as groups."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def names(self) -> tuple[str, ...]:
        """What each group is called: no two are called the same."""
        if len(self.values) == 1:
            return self.values[0]
        return apart(f"{row} / {column}" for row in self.values[0] for column in self.values[1])

    @property
    def text(self) -> str:
        """The groups as a list of names and counts; raises InvalidParameter where there are none."""
        if not self.counts:
            raise InvalidParameter("by", "columns with values", _together(self.by), "no row has a value in them")
        return text_of_listing(Listing(np.array(self.counts, dtype=np.float64),
                                       np.ones(len(self.counts), dtype=np.int64), self.names))


def groups(file: DataFile, by: Sequence[str], condition: tree.Condition | None = None, person: str | None = None,
           at_most: int | None = None) -> Groups:
    """Count by one column or two, the rows that satisfy a condition if there is one.

    Raises InvalidParameter for what is asked, for too many groups and a file that has changed, and Stopped after an
    interruption.
    """
    columns = tuple(_column(file, name, by) for name in by)
    if not 1 <= len({column.name for column in columns}) == len(by) <= MOST_BY:
        raise InvalidParameter("by", f"{MOST_BY} different columns at most", _together(by))
    if at_most is not None:
        at_most = int(accepted("at_most", AT_MOST, at_most))
        if person is None:
            raise InvalidParameter("at_most", "used together with a person", at_most)
    file.check_unchanged()
    holds, given = rendered(condition) if condition is not None else ("true", [])
    keys = [f"k{i}" for i in range(len(columns))]
    inner = ", ".join([*(f"{_key(column)} AS {key}" for column, key in zip(columns, keys, strict=True)),
                       f"{holds} AS holds"])
    counted = "count(*) FILTER (holds) AS qualifying, count(*) - count(holds) AS undecided, count(*) AS rows"
    if person is None:
        found = file.query(f"SELECT {', '.join(keys)}, qualifying, undecided, rows, qualifying, 0, NULL FROM (SELECT "
                           f"{', '.join(keys)}, {counted} FROM (SELECT {inner} FROM data) GROUP BY ALL) "
                           f"LIMIT {_READ}", given)
        spread, whole = None, None
    else:
        inner = f"{inner}, {value_of(person_column(file, person))} AS person"
        found, spread, whole = _of_persons(file, keys, inner, counted, given, at_most)
    file.check_unchanged()
    if len(found) >= _READ:
        raise _too_many(by)
    return _made(columns, by, found, at_most, spread, whole)


_READ = 3 * MOST_GROUPS + 10
"""So many pairs of values, those with none in one column included, and more are in no table that is not refused."""


def _of_persons(file: DataFile, keys: Sequence[str], inner: str, counted: str, given: list[object],
                at_most: int | None) -> tuple[list[tuple[Any, ...]], Spread, int]:
    """The same of persons: for each pair of values also rows of nobody and the most of one person.

    Besides, persons by the number of groups that they are in, and the most that one person adds to all counts.
    """
    kept = "qualifying" if at_most is None else (
        f"CASE WHEN person IS NULL THEN 0 ELSE least(qualifying, {at_most}) END")
    known = " AND ".join(f"{key} IS NOT NULL" for key in keys)
    nothing = ", ".join(["NULL"] * len(keys))
    found = file.query(
        f"WITH part AS MATERIALIZED (SELECT {', '.join(keys)}, person, {counted} FROM (SELECT {inner} FROM data) "
        f"GROUP BY ALL), own AS (SELECT count_if(qualifying > 0) AS places, sum({kept}) AS whole FROM part WHERE "
        f"person IS NOT NULL AND {known} GROUP BY person) "
        f"(SELECT 0, {', '.join(keys)}, sum({kept}), sum(undecided), sum(rows), sum(qualifying), "
        "sum(CASE WHEN person IS NULL THEN qualifying ELSE 0 END), max(CASE WHEN person IS NOT NULL THEN qualifying "
        f"END) FROM part GROUP BY {', '.join(keys)} LIMIT {_READ}) "
        f"UNION ALL SELECT 1, {nothing}, places, count(*), max(whole), 0, 0, 0 FROM own GROUP BY places", given)
    spreads = sorted(row[1 + len(keys):][:3] for row in found if row[0] == 1)
    return ([row[1:] for row in found if row[0] == 0], Spread({int(row[0]): int(row[1]) for row in spreads}),
            max((int(row[2]) for row in spreads), default=0))


def _made(columns: Sequence[FileColumn], by: Sequence[str], found: list[tuple[Any, ...]], at_most: int | None,
          spread: Spread | None, whole: int | None) -> Groups:
    width = len(columns)
    values = [_in_order(column, {row[i] for row in found if row[i] is not None}) for i, column in enumerate(columns)]
    sizes = [len(each) for each in values]
    if np.prod(sizes, dtype=np.float64) > MOST_GROUPS:
        raise _too_many(by)
    places = [{value: place for place, value in enumerate(each)} for each in values]
    counts = [0] * (sizes[0] * (sizes[1] if width > 1 else 1))
    rows, undecided, qualifying, valueless, unnamed, most = 0, 0, 0, 0, 0, 0
    for row in found:
        kept, open_, all_, own, nobody, largest = row[width:]
        undecided, rows = undecided + int(open_), rows + int(all_)
        if any(each is None for each in row[:width]):
            valueless += int(own)
            continue
        place = 0
        for i in range(width):
            place = place * sizes[i] + places[i][row[i]]
        counts[place] = int(kept)
        qualifying, unnamed, most = qualifying + int(own), unnamed + int(nobody), max(most, int(largest or 0))
    names = tuple(apart(_name(column, value) for value in each) for column, each in zip(columns, values, strict=True))
    many = tuple(column.name for column, size in zip(columns, sizes, strict=True)
                 if column.kind == "number" and size > MANY_NUMBERS)
    return Groups(tuple(column.name for column in columns), names, tuple(counts), rows, qualifying, valueless,
                  undecided, at_most, unnamed, spread, None if spread is None else most, whole, many)


def _column(file: DataFile, name: str, by: Sequence[str]) -> FileColumn:
    columns = file.opened().columns
    column = find(name, columns)
    if column is None:
        raise InvalidParameter("by", "a column" if len(by) == 1 else "columns", name, unknown(name, columns))
    if column.kind == "other":
        raise InvalidParameter("by", "a column of numbers, text or dates", name)
    return column


def _too_many(by: Sequence[str]) -> InvalidParameter:
    return InvalidParameter("by", f"columns with at most {write_number(MOST_GROUPS)} groups", _together(by),
                            "there are more" if len(by) == 1 else "there are more pairs of their values")


def _together(by: Sequence[str]) -> str:
    """Columns as they were given, for a refusal, which sets them in quotes."""
    return " and ".join(by)


def _in_order(column: FileColumn, values: Iterable[Any]) -> list[Any]:
    """Values in an order that no count has a part in: numbers and days by size, words as a list of names has them."""
    return sorted(values, key=_natural if column.kind == "text" else None)


def _natural(text: object) -> tuple[object, ...]:
    """What orders “a 9” before “A 10”, and words that differ by capitals alone by these."""
    word = str(text)
    parts = _DIGITS.split(word.casefold())
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else (0, part)
            for i, part in enumerate(parts)], word


def _key(column: FileColumn) -> str:
    """What rows are grouped by; days and times are told as text, which has no limits."""
    return f"CAST({value_of(column)} AS VARCHAR)" if column.kind in ("date", "time") else value_of(column)


def _name(column: FileColumn, value: Any) -> str:
    """A value as a list calls it."""
    if column.type == "FLOAT":
        value = doubled(value)
    written = _YES_OR_NO[value] if isinstance(value, bool) else _plain(value) if column.kind == "number" else str(value)
    return name_of(written)[:_LONGEST].strip() or NAMELESS


def doubled(value: float) -> float:
    """A number of single precision as the double that is written alike: 0.1, not 0.10000000149."""
    return float(str(np.float32(value)))


def _plain(value: Any) -> str:
    """A number without what its type adds: 2, 2.5, not 2.0."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else plain(value)
    text = format(value, "f")  # a decimal
    return text.rstrip("0").rstrip(".") if "." in text else text


def apart(names: Iterable[str]) -> tuple[str, ...]:
    """Names in their order, of which those that are equal have a number behind them."""
    given, taken, made, next_of = list(names), set[str](), list[str](), dict[str, int]()
    all_ = set(given)
    for name in given:
        own, number = name, next_of.get(name, 2)
        while own in taken or (own != name and own in all_):
            own, number = f"{name} ({number})", number + 1
        next_of[name] = number
        taken.add(own)
        made.append(own)
    return tuple(made)
