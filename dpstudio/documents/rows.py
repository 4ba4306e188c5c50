"""Facts as rows: one a quantity, under the headings that a study gives them, and what a cell says of a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dpstudio.core.results import Fact, Series, side_of, sign_of, stated
from dpstudio.core.study import Study
from dpstudio.records import dataclass
from dpstudio.text.numbers import exact, half_width, short
from dpstudio.vocabulary import COMPLEMENTS, UNIT, Quantity, shorter, told_by_lack, yes_or_no

BELOW_ONE = 2.0**-53
"""From 1 to the number next below it."""
SIGNED = ("A number without a sign is exact, rounded to the digits shown: up where privacy is spent, down where it is "
          "left or allowed; ≤ and ≥ stand before a bound, rounded so that it stays one; ≈ before an estimate, and ± "
          "holds its whole interval")


@dataclass(frozen=True, slots=True)
class Row:
    """A quantity under its heading, with its facts by key of series; None for the one that is no series'."""

    group: str
    quantity: Quantity
    facts: Mapping[str | None, Fact]

    def lack(self, series: str | None, rows: Mapping[str, Row]) -> float | None:
        """What a probability lacks to 1, where another of the rows, given by key of quantity, says it exactly."""
        other = COMPLEMENTS.get(self.quantity)
        beside = rows.get(other.key) if other else None
        found, own = beside.facts.get(series) if beside else None, self.facts.get(series)
        return found.value if found and own and found.kind == own.kind == "exact" else None

    def cell(self, series: str | None, rows: Mapping[str, Row]) -> str:
        """What a table says of the fact of a series; empty where there is none."""
        fact = self.facts.get(series)
        if fact is None:
            return ""
        row = ((each, self.lack(key, rows)) for key, each in self.facts.items())
        return shown(fact, self.lack(series, rows), lacking=lacking(row))


def by_quantity(facts: Iterable[Fact]) -> dict[str, Row]:
    """A row for each quantity by its key, in the order of the facts."""
    found: dict[str, dict[str | None, Fact]] = {}
    for fact in facts:
        key, of = fact.place
        found.setdefault(key, {})[of] = fact
    return {key: Row(first.group, first.quantity, of) for key, of in found.items()
            if (first := next(iter(of.values())))}


def series_of(facts: Iterable[Fact]) -> tuple[Series, ...]:
    """The series that facts belong to, in the order in which they come."""
    return tuple(dict.fromkeys(fact.series for fact in facts if fact.series))


def table_text(study: Study, facts: Iterable[Fact]) -> str:
    """Facts as tab-separated text at full precision, a column a series, with the relation that they hold for.

    What is no series' stands in the first column of numbers.
    """
    facts = tuple(facts)
    series, rows = series_of(facts), by_quantity(facts).values()
    lines = [["", *(one.label for one in series)]]
    for row in rows:
        cells = [row.facts.get(one.key) for one in series] or [None]
        cells[0] = cells[0] or row.facts.get(None)
        lines.append([row.quantity.label, *(exact(fact.value) if fact else "" for fact in cells)])
    return tabbed([[f"# {study.title}; {study.relation.sentence}"], *lines])


def tabbed(rows: Iterable[Iterable[str]]) -> str:
    """A table as text for other programs, its cells parted by tabs."""
    return "\n".join(map("\t".join, rows))


def lacking(row: Iterable[tuple[Fact | None, float | None]]) -> bool:
    """Whether one of the facts of a row, each with what it is known to lack, is told by what it lacks to 1: then all
    are that can be, in one notation."""
    return any(fact is not None and told_by_lack(fact.value, fact.quantity, lack) for fact, lack in row)


def shown(fact: Fact, lack: float | None = None, *, lacking: bool = False) -> str:
    """A fact in a cell: its sign, a few digits, and half its interval where it is an estimate."""
    sign, number, spread = pieces(fact, lack, lacking=lacking)
    return f"{sign} {number} {spread}".strip()


def pieces(fact: Fact, lack: float | None = None, *, lacking: bool = False) -> tuple[str, str, str]:
    """Sign, number and “± half the interval”, each of which may be empty but the number.

    The number and its ± hold the whole interval between them; a yes or no has none.
    """
    number, spread = _number(fact, lack, lacking=lacking), ""
    if (fact.kind == "estimate" and fact.low is not None and fact.high is not None
            and not yes_or_no(fact.quantity)):
        spread = f"± {half_width(number, fact.low, fact.high)}"
    return sign_of(fact), number, spread


def shortened(fact: Fact, lack: float | None = None, *, lacking: bool = False) -> Iterator[str]:
    """The number in fewer and fewer characters, for where there is no room; a bound stays on its safe side."""
    if not yes_or_no(fact.quantity):
        yield from shorter(fact.value, fact.quantity, side_of(fact), lack, lacking=lacking)


def explained(fact: Fact, lack: float | None = None) -> str:
    """Kind, interval, formula and source of a number, and what is next to 1 as far as it can be told."""
    known = fact.low is not None and fact.high is not None
    interval = f" in [{exact(fact.low)}, {exact(fact.high)}]" if known else ""  # type: ignore[arg-type]
    parts = (fact.kind + interval, fact.how, _next_to_one(fact, lack), fact.source.key if fact.source else "")
    return "\n".join(part for part in parts if part)


def _number(fact: Fact, lack: float | None, *, lacking: bool) -> str:
    if yes_or_no(fact.quantity):
        return "yes" if fact.value else "no"
    return stated(fact, lack, lacking=lacking)


def _next_to_one(fact: Fact, lack: float | None) -> str:
    """That 1 and the number next below it cannot be told apart, where that matters."""
    if fact.quantity.domain != UNIT or not 1 - 4 * BELOW_ONE <= fact.value <= 1 or fact.kind == "estimate":
        return ""
    if lack is not None:
        return f"1 − {exact(lack)}" if lack else ""
    return f"as far as can be told: numbers this near to 1 are {short(BELOW_ONE, 2)} apart"
