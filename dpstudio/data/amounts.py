"""The numbers of a column: each different value with how many rows have it, rounded where there are too many.

Of 10⁷ rows nothing is fetched but values and how often each is there: the database counts them.
"""

from __future__ import annotations

import math

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.data.columns import FileColumn, find, unknown
from dpstudio.data.condition import tree
from dpstudio.data.condition.sql import rendered, value_of
from dpstudio.data.counting import person_column
from dpstudio.data.file import DataFile
from dpstudio.data.groups import doubled
from dpstudio.records import dataclass
from dpstudio.vocabulary import AMOUNTS
from dpstudio.vocabulary.written import Listing, text_of_listing

MOST_VALUES = 20_000
"""With more different values they are rounded."""
LARGEST = float(AMOUNTS.domain.high)  # type: ignore[union-attr]  # it is a list of numbers
"""The study takes none beyond, on either side."""
_LOOKED_AT = 200_000
"""About so many different values are fetched to look for a step."""
_LEAST_SHARE = 1_000
"""One in so many different values is looked at, at least."""
_FINEST = -300
"""Powers of ten of a step are no smaller."""
_MULTIPLES = 300
"""No number is more than ten to this power steps."""


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
    beyond: int = 0
    """Rows that satisfy it, and have a finite one that is larger than the study takes, on either side."""
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
    def taken(self) -> str:
        """What is said behind “a number” where there are some that the study does not take."""
        return " that the study takes" if self.infinite or self.beyond else ""

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
            raise InvalidParameter("of", "a column of numbers", self.of, f"no row that counts has one{self.taken}")
        return text_of_listing(Listing(np.array(self.values), np.array(self.times, dtype=np.int64), ()))


def amounts(file: DataFile, of: str, condition: tree.Condition | None = None, person: str | None = None) -> Amounts:
    """The numbers of a column, in the rows that satisfy a condition if there is one.

    Raises InvalidParameter for what is asked and a file that has changed, and Stopped after an interruption.
    """
    column = number_column(file, of)
    file.check_unchanged()
    holds, given = rendered(condition) if condition is not None else ("true", [])
    value = value_of(column)
    rows, undecided, qualifying, present, finite, taken, low, high = file.query(
        f"SELECT count(*), count(*) - count(holds), coalesce(count_if(holds), 0), count(CASE WHEN holds THEN v END), "
        f"coalesce(count_if(holds AND isfinite(v)), 0), coalesce(count_if(holds AND {_within('v')}), 0), "
        f"min(CASE WHEN holds AND {_within('v')} THEN v END), max(CASE WHEN holds AND {_within('v')} THEN v END) "
        f"FROM (SELECT CAST({value} AS DOUBLE) AS v, {holds} AS holds FROM data)", given)[0]
    kept = f"(SELECT CAST({value} AS DOUBLE) AS v FROM data WHERE {holds}) WHERE {_within('v')}"
    counted, step = _counted(file, kept, given, taken, low, high)
    persons, most = (None, None) if person is None else _persons(
        file, person, f"{holds} AND {_within(f'CAST({value} AS DOUBLE)')}", given)
    file.check_unchanged()
    values = [(doubled(number) if column.type == "FLOAT" and not step else number) + 0.0 for number, _ in counted]
    return Amounts(column.name, tuple(values), tuple(int(times) for _, times in counted), rows,
                   qualifying - present, present - finite, finite - taken, undecided, step, persons, most)


def _within(value: str) -> str:
    """Whether a value is one that the study takes, in the database's language."""
    return f"abs({value}) <= {LARGEST!r}"


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


def _counted(file: DataFile, kept: str, given: list[object], taken: int, low: float, high: float
             ) -> tuple[list[tuple[float, int]], float]:
    """Values with how often each is there, rising, and the step to which they are rounded.

    A share of all different values, chosen by a digest of each, says about how many there are and which step is likely
    to leave few enough; from that one on the least is found by trying.
    """
    if not taken:
        return [], 0.0
    share = min(max(1, taken // _LOOKED_AT), _LEAST_SHARE)
    some = _some(file, kept, given, share)
    if some.all.size * share <= 2 * MOST_VALUES:
        found = _grouped(file, kept, given)
        if len(found) <= MOST_VALUES:
            return found, 0.0
    while share > 1 and some.all.size <= 2 * MOST_VALUES:  # there are fewer different values than rows
        share = max(1, min(share // 2, some.all.size * share // _LOOKED_AT))
        some = _some(file, kept, given, share)
    steps, place = _steps(some, low, high), 0
    while place + 1 < len(steps) and some.probably(steps[place]) > MOST_VALUES:
        place += 1
    found = _grouped(file, kept, given, steps[place])
    if len(found) <= MOST_VALUES:
        while place and len(finer := _grouped(file, kept, given, steps[place - 1])) <= MOST_VALUES:
            found, place = finer, place - 1
    while len(found) > MOST_VALUES:
        place += 1
        found = _grouped(file, kept, given, steps[place])
    return [(steps[place].times(k), times) for k, times in found], steps[place].width


@dataclass(frozen=True, slots=True)
class _Step:
    """1, 2 or 5 times a power of ten."""

    size: int
    power: int

    @property
    def width(self) -> float:
        return float(self.size * 10**self.power) if self.power >= 0 else self.size / 10**-self.power

    def times(self, k: float) -> float:
        """k steps, as they are written: 0.3 and not 0.30000000000000004."""
        if abs(k) >= 2**53:
            return k * self.width
        whole = int(k) * self.size
        return float(whole * 10**self.power) if self.power >= 0 else whole / 10**-self.power

    def leaves(self, values: Array) -> int:
        """To how many multiples values come that rise."""
        with np.errstate(over="ignore", invalid="ignore"):
            return 1 + int(np.count_nonzero(np.diff(np.rint(values / self.width))))


@dataclass(frozen=True, slots=True, eq=False)
class _Some:
    """One in so many of all different values, rising, and half of them."""

    all: Array
    half: Array
    share: int

    def probably(self, step: _Step) -> float:
        """How many multiples of a step all values come to, about: between what more values add by sums and by factors.
        """
        here, half, doublings = step.leaves(self.all), step.leaves(self.half), math.log2(self.share)
        return math.sqrt((here + (here - half) * doublings / 2) * here * (here / half) ** doublings)


def _some(file: DataFile, kept: str, given: list[object], share: int) -> _Some:
    """One in so many of all different values, by a digest of each."""
    found = file.query(f"SELECT DISTINCT v, hash(v) % {2 * share} = 0 FROM {kept} AND hash(v) % {share} = 0", given)
    half = [value for value, among in found if among]
    return _Some(np.sort(np.array([value for value, _ in found], dtype=np.float64)),
                 np.sort(np.array(half, dtype=np.float64)), share)


def _steps(some: _Some, low: float, high: float) -> list[_Step]:
    """Rising steps, from the least on that leaves few enough of some of the values to one that leaves a few at all."""
    finest = max(_FINEST, math.floor(math.log10(max(-low, high))) - _MULTIPLES)
    power = max(finest, math.floor(math.log10(high / 2 - low / 2)) + 1)
    steps = [_Step(size, power) for size in (5, 2, 1)]
    while power > finest and steps[-1].leaves(some.all) <= MOST_VALUES:
        power -= 1
        steps += [_Step(size, power) for size in (5, 2, 1)]
    rising = steps[::-1]
    return rising[next(i for i, each in enumerate(rising) if each.leaves(some.all) <= MOST_VALUES):]


def _grouped(file: DataFile, kept: str, given: list[object], step: _Step | None = None) -> list[tuple[float, int]]:
    """Values, or which multiple of the step each is next to, with how often, rising; of too many one too many."""
    key = "v" if step is None else f"round(v / '{step.width!r}'::DOUBLE)"
    found = file.query(f"SELECT k, n FROM (SELECT {key} AS k, count(*) AS n FROM {kept} GROUP BY 1) "
                       f"LIMIT {MOST_VALUES + 1}", given)
    return sorted((float(value), int(times)) for value, times in found)


def _persons(file: DataFile, person: str, counts: str, given: list[object]) -> tuple[int, int]:
    """Persons with a row that counts, and the most such rows of one."""
    who = value_of(person_column(file, person))
    persons, most = file.query(f"SELECT count(*), max(rows) FROM (SELECT count(*) AS rows FROM data WHERE {counts} "
                               f"AND {who} IS NOT NULL GROUP BY {who})", given)[0]
    return persons, most or 0
