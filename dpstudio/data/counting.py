"""Counting in a file: how many records qualify, of how many, and how far one person can move that.

Where a person holds several rows, at most b rows of each may be let into the count. Which ones makes no difference: a
person with q qualifying rows adds min(b, q), and so moves the count by at most b. With b = 1 it counts persons.
"""

from __future__ import annotations

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import FileColumn, find, unknown
from dpstudio.data.condition import tree
from dpstudio.data.condition.sql import rendered, value_of
from dpstudio.data.file import DataFile
from dpstudio.models.contributions import Spread
from dpstudio.records import dataclass

BINS = 9
"""Bars of a picture; the last one may stand for all larger numbers."""


@dataclass(frozen=True, slots=True)
class Bin:
    """One number of rows, or all from `low` on where it is open."""

    low: int
    open: bool
    persons: int
    qualifying: int | None
    """Persons with so many qualifying rows, where these were counted."""

    @property
    def label(self) -> str:
        return f"≥ {self.low}" if self.open else str(self.low)


def bins(rows: Spread, qualifying: Spread | None = None) -> tuple[Bin, ...]:
    """Every number of rows from the least to the largest, those from the last bin on together; 0 is left out."""
    present = [each for spread in (rows, qualifying) if spread is not None
               for each, persons in spread.persons.items() if persons and each]
    if not present:
        return ()
    low, high = min(present), max(present)
    last = min(high, low + BINS - 1)
    made = []
    for each in range(low, last + 1):
        up_to = high if each == last else each
        made.append(Bin(each, each < up_to, rows.between(each, up_to),
                        None if qualifying is None else qualifying.between(each, up_to)))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class People:
    """The rows of each person: all of them, and those that qualify."""

    column: str
    rows: Spread
    qualifying: Spread
    unnamed: int
    """Rows that name no person."""
    unnamed_qualifying: int


@dataclass(frozen=True, slots=True)
class Count:
    """What was counted: exact, and therefore sensitive."""

    rows: int
    qualifying: int
    undecided: int
    """Rows in which a missing value decides nothing; they do not qualify."""
    people: People | None = None

    def records(self, at_most: int | None = None) -> int:
        """Records that qualify: N of the decision, the count of a posterior; at most b rows of each person."""
        return self.qualifying if self._unbounded(at_most) else self._people.qualifying.kept(at_most)

    def base(self, at_most: int | None = None) -> int:
        """Records among which they were counted: n of a posterior."""
        return self.rows if self._unbounded(at_most) else self._people.rows.kept(at_most)

    def _unbounded(self, at_most: int | None) -> bool:
        """Whether rows count as they are. Those of nobody then do, too; under a bound they cannot."""
        if at_most is not None and self.people is None:
            raise InvalidParameter("at_most", "used together with a person", at_most)
        return at_most is None

    @property
    def _people(self) -> People:
        assert self.people is not None
        return self.people


def count(file: DataFile, condition: tree.Condition, person: str | None = None) -> Count:
    """Count the rows that satisfy a condition and, where a column identifies a person, the rows of each.

    Raises InvalidParameter where there is no such column or the file has changed, and Stopped after an interruption.
    """
    file.check_unchanged()
    holds, values = rendered(condition)
    if person is None:
        rows, decided, qualifying = file.query(
            f"SELECT count(*), count(holds), count_if(holds) FROM (SELECT {holds} AS holds FROM data)", values)[0]
        file.check_unchanged()
        return Count(rows, qualifying or 0, rows - decided)
    column = person_column(file, person)
    # The three sets of one pass: persons by rows, persons by qualifying rows, and the sums of both.
    found = file.query(
        "SELECT grouping(rows, qualifying), nobody, rows, qualifying, count(*), sum(rows), sum(qualifying), "
        "sum(undecided) FROM (SELECT person IS NULL AS nobody, count(*) AS rows, coalesce(count_if(holds), 0) AS "
        f"qualifying, count(*) - count(holds) AS undecided FROM (SELECT {value_of(column)} AS person, {holds} AS holds "
        "FROM data) GROUP BY person) GROUP BY GROUPING SETS ((nobody, rows), (nobody, qualifying), (nobody))", values)
    file.check_unchanged()
    by_rows = {row[2]: row[4] for row in found if row[0] == 1 and not row[1]}
    by_qualifying = {row[3]: row[4] for row in found if row[0] == 2 and not row[1]}
    sums = [row for row in found if row[0] == 3]
    rows, qualifying, undecided = (int(sum(row[i] for row in sums)) for i in (5, 6, 7))
    unnamed, unnamed_qualifying = (int(sum(row[i] for row in sums if row[1])) for i in (5, 6))
    people = People(column.name, Spread(dict(sorted(by_rows.items()))), Spread(dict(sorted(by_qualifying.items()))),
                    unnamed, unnamed_qualifying)
    return Count(rows, qualifying, undecided, people)


def person_column(file: DataFile, name: str) -> FileColumn:
    """The column that identifies a person; raises InvalidParameter."""
    columns = file.opened().columns
    column = find(name, columns)
    if column is None:
        raise InvalidParameter("person", "a column", name, unknown(name, columns))
    if column.kind == "other":
        raise InvalidParameter("person", "a column of numbers, text or dates", name)
    return column
