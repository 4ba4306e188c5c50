"""The numbers of a column: each different value with how many rows have it, rounded where there are too many.

Of 10⁷ rows nothing is fetched but values and how often each is there: the database counts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn, find, unknown
from dpstudio.data.condition import tree
from dpstudio.data.condition.sql import rendered, value_of
from dpstudio.data.counting import person_column
from dpstudio.data.file import DataFile
from dpstudio.data.groups import doubled
from dpstudio.records import dataclass
from dpstudio.vocabulary.written import Listing, text_of_listing

MOST_VALUES = 20_000
"""With more different values they are rounded."""
_LOOKED_AT = 200_000
"""About so many different values are fetched to look for a step."""
_LEAST_SHARE = 1_000
"""One in so many different values is looked at, at least."""
_FINEST = -300
"""Powers of ten of a step are no smaller."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The values of a column: exact or rounded, and sensitive."""

    of: str
    """The column."""
    values: tuple[float, ...]
    """Rising."""
    times: tuple[int, ...]
    """How many rows have each."""
    rows: int
    """All rows of the file."""
    valueless: int = 0
    """Rows that satisfy the condition, and have no number there."""
    infinite: int = 0
    """Rows that satisfy it, and have an infinite one."""
    undecided: int = 0
    """Rows in which a missing value leaves the condition undecided: they do not count."""
    step: float = 0.0
    """Values are rounded to multiples of it; 0 where they are as they stand there."""
    persons: int | None = None
    """Where they are known, persons with a row that counts."""
    most: int | None = None
    """The most such rows that one person has."""

    @property
    def size(self) -> int:
        """How many numbers there are, each as often as it stands there."""
        return sum(self.times)

    @property
    def mean(self) -> float:
        return math.fsum(value * many for value, many in zip(self.values, self.times, strict=True)) / self.size

    def quantile(self, share: float) -> float:
        """The least value that so large a share of the numbers are at most."""
        ranks = np.cumsum(np.array(self.times, dtype=np.int64))
        return self.values[min(int(np.searchsorted(ranks, share * self.size - 1e-9)), len(self.values) - 1)]

    @property
    def text(self) -> str:
        """The numbers as a list; raises InvalidParameter where there are none."""
        if not self.values:
            raise InvalidParameter("of", "a column of numbers", self.of, "no row that counts has one")
        return text_of_listing(Listing(np.array(self.values), np.array(self.times, dtype=np.int64), ()))


def amounts(file: DataFile, of: str, condition: tree.Condition | None = None, person: str | None = None) -> Amounts:
    """The numbers of a column, in the rows that satisfy a condition if there is one.

    Raises InvalidParameter for what is asked and a file that has changed, and Stopped after an interruption.
    """
    column = number_column(file, of)
    file.check_unchanged()
    holds, given = rendered(condition) if condition is not None else ("true", [])
    value = value_of(column)
    rows, undecided, qualifying, present, finite, low, high = file.query(
        f"SELECT count(*), count(*) - count(holds), coalesce(count_if(holds), 0), count(CASE WHEN holds THEN v END), "
        f"coalesce(count_if(holds AND isfinite(v)), 0), min(CASE WHEN holds AND isfinite(v) THEN v END), "
        f"max(CASE WHEN holds AND isfinite(v) THEN v END) "
        f"FROM (SELECT CAST({value} AS DOUBLE) AS v, {holds} AS holds FROM data)", given)[0]
    kept = f"(SELECT CAST({value} AS DOUBLE) AS v FROM data WHERE {holds}) WHERE isfinite(v)"
    counted, step = _counted(file, kept, given, finite, low, high)
    persons, most = (None, None) if person is None else _persons(file, person, f"{holds} AND isfinite({value}::DOUBLE)",
                                                                  given)
    file.check_unchanged()
    values = [(doubled(number) if column.type == "FLOAT" and not step else number) + 0.0 for number, _ in counted]
    return Amounts(column.name, tuple(values), tuple(int(times) for _, times in counted), rows,
                   qualifying - present, present - finite, undecided, step, persons, most)


def number_column(file: DataFile, name: str) -> FileColumn:
    """The column of that name, which must be one of numbers; raises InvalidParameter."""
    columns = file.opened().columns
    column = find(name, columns)
    if column is None:
        raise InvalidParameter("of", "a column of numbers", name, unknown(name, columns))
    if column.kind != "number":
        held = f"it holds {'something else' if column.kind == 'other' else column.kind}"
        raise InvalidParameter("of", "a column of numbers", name, held)
    return column


def _counted(file: DataFile, kept: str, given: list[object], finite: int, low: float, high: float
             ) -> tuple[list[tuple[float, int]], float]:
    """Values with how often each is there, rising, and the step to which they are rounded.

    A share of all different values, chosen by a digest of each, says how many there are, and which step leaves few
    enough of these: the least that may do. It and larger ones are tried.
    """
    if not finite:
        return [], 0.0
    share = min(max(1, finite // _LOOKED_AT), _LEAST_SHARE)
    some = _some(file, kept, given, share)
    if share > 1 and 2 * MOST_VALUES < some.size * share < _LOOKED_AT * share // 4:
        share = max(1, some.size * share // _LOOKED_AT)  # there are fewer different values than rows
        some = _some(file, kept, given, share)
    if some.size * share <= 2 * MOST_VALUES:
        found = _grouped(file, kept, given)
        if len(found) <= MOST_VALUES:
            return found, 0.0
        some = some if share == 1 else _some(file, kept, given, 1)
    for size, power in _steps(some, low, high):
        found = _grouped(file, kept, given, _step(size, power))
        if len(found) <= MOST_VALUES:
            rounded = [(_multiple(k, size, power), times) for k, times in found]
            return rounded, _step(size, power)
    raise AssertionError("a step of the whole range leaves three values")


def _some(file: DataFile, kept: str, given: list[object], share: int) -> Any:
    """One in so many of all different values, rising."""
    found = file.query(f"SELECT DISTINCT v FROM {kept} AND hash(v) % {share} = 0", given)
    return np.sort(np.array([row[0] for row in found], dtype=np.float64))


def _grouped(file: DataFile, kept: str, given: list[object], step: float | None = None) -> list[tuple[float, int]]:
    """Values, or which multiple of the step each is next to, with how often; of too many one too many."""
    key = "v" if step is None else f"round(v / '{step!r}'::DOUBLE)"
    found = file.query(f"SELECT k, n FROM (SELECT {key} AS k, count(*) AS n FROM {kept} GROUP BY 1) "
                       f"LIMIT {MOST_VALUES + 1}", given)
    return sorted((float(value), int(times)) for value, times in found)


def _steps(some: Any, low: float, high: float) -> Iterator[tuple[int, int]]:
    """Steps 1, 2 or 5 times a power of ten, from the least on that leaves few enough of these values, which rise."""
    half = high / 2 - low / 2
    power = max(_FINEST, math.floor(math.log10(half)) + 1 if half else 0)
    steps = [(size, power) for size in (5, 2, 1)]
    while power > _FINEST and _different(some, steps[-1]) <= MOST_VALUES:
        power -= 1
        steps += [(size, power) for size in (5, 2, 1)]
    rising = steps[::-1]
    yield from rising[next(i for i, each in enumerate(rising) if _different(some, each) <= MOST_VALUES):]


def _different(some: Any, step: tuple[int, int]) -> int:
    """How many multiples of a step values are next to."""
    with np.errstate(over="ignore", invalid="ignore"):
        return 1 + int(np.count_nonzero(np.diff(np.rint(some / _step(*step)))))


def _step(size: int, power: int) -> float:
    return float(size * 10**power) if power >= 0 else size / 10**-power


def _multiple(k: float, size: int, power: int) -> float:
    """k steps, as they are written: 0.3 and not 0.30000000000000004."""
    if abs(k) >= 2**53:
        return k * _step(size, power)
    return float(int(k) * size * 10**power) if power >= 0 else int(k) * size / 10**-power


def _persons(file: DataFile, person: str, counts: str, given: list[object]) -> tuple[int, int]:
    """Persons with a row that counts, and the most such rows of one."""
    who = value_of(person_column(file, person))
    persons, most = file.query(f"SELECT count(*), max(rows) FROM (SELECT count(*) AS rows FROM data WHERE {counts} "
                               f"AND {who} IS NOT NULL GROUP BY {who})", given)[0]
    return persons, most or 0
