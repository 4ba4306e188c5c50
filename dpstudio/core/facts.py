"""What an answer is declared to have: facts, tables, and what is compared.

Who declares one says how it is found from the answer; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.results import Column, Kind, Series, Span, Table
from dpstudio.core.sources import Source
from dpstudio.records import dataclass
from dpstudio.vocabulary import Choice, Quantity

A = TypeVar("A", contravariant=True)
B = TypeVar("B", contravariant=True)
C = TypeVar("C", contravariant=True)
Of = TypeVar("Of", covariant=True)

Role: TypeAlias = Literal["", "yes", "from", "to", "error"]
"""What a fact is to whoever tells a result: how likely a “yes” is, between what an answer is uncertain, how far off."""
GROUPS = ("the answer", "errors", "privacy", "risk", "attack", "technical")
"""The headings that facts stand under, the most useful first."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a fact says at these settings; what is left out here is as it was declared."""

    value: float
    how: str = ""
    source: Source | None = None
    kind: Kind | None = None
    low: float | None = None
    high: float | None = None


Number: TypeAlias = float | Array | Said | None
"""What makes a fact returns: its value (an array of no dimension is one), more than that, or None where it has none."""
Steps: TypeAlias = Iterator[object]
"""Work in steps of some milliseconds, between which it can be left."""


@dataclass(frozen=True, slots=True, eq=False)
class Declaration(Generic[A, B, C]):
    """A fact that every answer of a study has: which quantity, of which series, and how it is found."""

    quantity: Quantity
    make: Callable[..., Number]
    how: str | Callable[..., str] = ""
    source: Source | None = None
    kind: Kind = "exact"
    at_least: bool = False
    series: Series | None = None
    """Of one series alone; with `each`, of every one that the study compares."""
    each: bool = False
    simulated: bool = False
    slow: Callable[[Any], Steps] | None = None
    """What takes longer and must be done first."""
    exact: Quantity | None = None
    """Of one that is simulated: the exact fact that it comes to."""
    slow_of: Callable[[Any, str], Steps] | None = None
    """The same of each by the key of its series, so that one alone does no work of others."""
    role: Role = ""
    group: str = ""
    when: Callable[..., bool] | None = None
    """Whether there is such a fact at these settings, from what makes it; always, where nothing is said."""
    by_key: bool = False
    """Whether it is made from the answer and the key of the series, None where it is of none."""

    @property
    def aside(self) -> bool:
        """Whether each series has to be worked for: where thousands of answers are asked for, only if it is named."""
        return self.slow_of is not None


def once(quantity: Quantity, make: Callable[[A], Number], how: str | Callable[[A], str] = "",
         source: Source | None = None, *, kind: Kind = "exact", at_least: bool = False, series: Series | None = None,
         slow: Callable[[A], Steps] | None = None, when: Callable[[A], bool] | None = None
         ) -> Declaration[A, Any, Any]:
    """A fact of the question as a whole, or of one series; there is none where `when` does not hold.

    A `how` in braces quotes the study's parameters: “δ·m = {delta} × {minimum}”.
    """
    return Declaration(quantity, make, how, source, kind, at_least, series, slow=slow, when=when)


def each(quantity: Quantity, make: Callable[[B], Number], how: str | Callable[[B], str] = "",
         source: Source | None = None, *, kind: Kind = "exact", at_least: bool = False,
         slow: Callable[[Any], Steps] | None = None, slow_of: Callable[[Any, str], Steps] | None = None,
         role: Role = "", when: Callable[[B], bool] | None = None) -> Declaration[Any, B, Any]:
    """A fact of everything that is compared, by its entry's source where no other is named."""
    return Declaration(quantity, make, how, source, kind, at_least, each=True, slow=slow, slow_of=slow_of, role=role,
                       when=when)


def simulated(quantity: Quantity, make: Callable[[str, C], Number],
              how: str | Callable[[str, C], str] = "", source: Source | None = None, *,
              exact: Quantity | None = None) -> Declaration[Any, Any, C]:
    """A fact of everything that is compared: from the key of a series and what has been drawn so far.

    The entry's source, which is of what is exact, is not that of draws; `exact` is what they come to.
    """
    return Declaration(quantity, make, how, source, "estimate", each=True, simulated=True, exact=exact)


def drawn(quantity: Quantity, make: Callable[[A, C], Number], how: str | Callable[[A, C], str] = "",
          source: Source | None = None, *, kind: Kind = "estimate", at_least: bool = False,
          series: Series | None = None, exact: Quantity | None = None, when: Callable[[A, C], bool] | None = None
          ) -> Declaration[A, Any, C]:
    """A fact of the question as a whole, or of one series, from what has been drawn so far."""
    return Declaration(quantity, make, how, source, kind, at_least, series, simulated=True, exact=exact, when=when)


def of_series(quantity: Quantity, find: Callable[[A, str | None], Of | None], make: Callable[[Of], Number], *,
              each: bool, at_least: bool = False) -> Declaration[A, Any, Any]:
    """A fact of everything that is compared, or of what is not: of what is found by the answer and the key of the
    series or None, if anything is.
    """
    def made(a: A, series: str | None) -> Number:
        found = find(a, series)
        return None if found is None else make(found)

    return Declaration(quantity, made, at_least=at_least, each=each, by_key=True)


@dataclass(frozen=True, slots=True, eq=False)
class Tabled(Generic[A, C]):
    """A table that every answer of a study has, over a view: a stretch of its first column."""

    view: Callable[[Any], Span]
    """The stretch that shows what matters."""
    make: Callable[[Any, Span], Table] | None = None
    drawn: Callable[..., Table | Mapping[Column, Array]] | None = None
    """From (answer, drawn): the table; where there is an exact one from (answer, table, drawn): further columns."""
    slow: Callable[..., Steps] | None = None
    """What takes longer and must be done first."""
    follows: bool = False
    """Whether that is of (answer, view): another view takes other work."""
    later: Callable[[Any, Table], Mapping[Column, Array]] | None = None
    """Only these columns wait for it."""
    aside: bool = False
    """Whether it is computed only where somebody looks at it."""


def table(make: Callable[[A, Span], Table], view: Callable[[A], Span] | Span, *,
          drawn: Callable[[A, Table, C], Mapping[Column, Array]] | None = None,
          slow: Callable[[A], Steps] | None = None, slow_in: Callable[[A, Span], Steps] | None = None,
          later: Callable[[A, Table], Mapping[Column, Array]] | None = None, aside: bool = False) -> Tabled[A, C]:
    """An exact table, over its own view or over one that somebody zoomed to, and what draws add to it.

    What takes longer is the same for all views, or `slow_in` one; while anything is left to do it begins with a bare
    yield. Where only the columns of `later` wait for it, in a hurry the others are there without them.
    """
    return Tabled(_viewed(view), make, drawn, slow or slow_in, slow_in is not None, later, aside)


def drawn_table(make: Callable[[A, C], Table], view: Callable[[A], Span] | Span) -> Tabled[A, C]:
    """A table that is there once something was drawn."""
    return Tabled(_viewed(view), None, make)


def in_one_step(do: Callable[[A], object]) -> Callable[[A], Steps]:
    """Work that has no steps of its own, after a bare one."""
    def work(a: A) -> Steps:
        yield None
        do(a)

    return work


def _viewed(view: Callable[[A], Span] | Span) -> Callable[[A], Span]:
    return view if callable(view) else lambda _: view


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Generic[A, Of]):
    """One of the things that a study compares: its name, how it is built from an answer, and who proved it.

    What builds it returns None at settings where there is no such thing. Who proved it may depend on the settings.
    """

    series: Series
    build: Callable[[A], Of | None]
    source: Source | Callable[[A], Source] | None = None
    when: tuple[str, ...] = ()
    """The name of a choice, and those of its words with which it is compared; always, where there is none."""
    release: bool = True
    """Whether it can be decided for: not what releases are measured against, nor a formula known to be wrong."""

    def asked(self, study: Any) -> bool:
        """Whether the settings choose to compare it."""
        return not self.when or getattr(study, self.when[0]) in self.when[1:]


class Declares:
    """What all answers of a study have: its facts and tables, and what it compares."""

    compared: ClassVar[tuple[Entry[Any, Any], ...]] = ()
    declared: ClassVar[Mapping[str, tuple[Declaration[Any, Any, Any], ...]]] = MappingProxyType({})
    """Facts by group, in the order in which people read them."""
    tabled: ClassVar[Mapping[str, Tabled[Any, Any]]] = MappingProxyType({})

    @classmethod
    def series(cls) -> tuple[Series, ...]:
        """Everything that the study can compare, in order."""
        return tuple(entry.series for entry in cls.compared)

    @classmethod
    def choosable(cls) -> tuple[Series, ...]:
        """Of everything that the study can compare, what somebody may decide for."""
        return tuple(entry.series for entry in cls.compared if entry.release)

    @classmethod
    def entry_of(cls, key: str | None) -> Entry[Any, Any]:
        """What is compared under a key; raises InvalidParameter, naming what there is, where nothing is."""
        entries = _entries(cls.compared)
        if key is None or key not in entries:
            raise InvalidParameter("series", Choice(tuple(entries)), key)
        return entries[key]

    @classmethod
    def grouped(cls) -> Mapping[str, tuple[Declaration[Any, Any, Any], ...]]:
        """All facts by group: those that it declares, and those that every answer has."""
        return cls.declared

    @classmethod
    def index(cls) -> Mapping[tuple[str, str | None], Declaration[Any, Any, Any]]:
        """The declared facts by keys of quantity and series, in the order in which people read them."""
        return _index(cls, cls.compared)  # type: ignore[arg-type]  # mypy compares the hash of instances

    @classmethod
    def declaration(cls, key: str, of: str | None) -> Declaration[Any, Any, Any]:
        """How a fact is declared; raises InvalidParameter, naming what there is, where no answer has it."""
        known = cls.index()
        if (declared := known.get((key, of))) is not None:
            return declared
        series = [other for name, other in known if name == key]
        if not series:
            raise InvalidParameter("fact", Choice(tuple(dict.fromkeys(name for name, _ in known))), key)
        if named := tuple(other for other in series if other is not None):
            raise InvalidParameter("series", Choice(named), of, f"for {key}")
        raise InvalidParameter("series", f"left out, as {key} belongs to no series", of)

    @classmethod
    def table_declared(cls, name: str) -> Tabled[Any, Any]:
        """How a table is declared; raises InvalidParameter, naming the tables, where there is none."""
        if name not in cls.tabled:
            raise InvalidParameter("table", Choice(tuple(cls.tabled)), name)
        return cls.tabled[name]


@cache
def _entries(compared: tuple[Entry[Any, Any], ...]) -> dict[str, Entry[Any, Any]]:
    return {entry.series.key: entry for entry in compared}


@cache
def _index(kind: type[Declares], compared: tuple[Entry[Any, Any], ...]
           ) -> dict[tuple[str, str | None], Declaration[Any, Any, Any]]:
    groups = kind.grouped()
    unknown = [group for group in groups if group not in GROUPS]
    assert not unknown, f"{kind.__name__} has facts under {unknown[0]}, which is no group"
    found: dict[tuple[str, str | None], Declaration[Any, Any, Any]] = {}
    for group, facts in groups.items():
        for each in facts:
            grouped = replace(each, group=group)
            own = each.series.key if each.series else None
            for of in [entry.series.key for entry in compared] if each.each else [own]:
                assert (each.quantity.key, of) not in found, f"{kind.__name__} declares {each.quantity.key} twice"
                found[each.quantity.key, of] = replace(grouped, slow=_of_one(each.slow_of, of)) \
                    if each.slow_of and of else grouped
    return found


@cache
def _of_one(slow_of: Callable[[Any, str], Steps], series: str) -> Callable[[Any], Steps]:
    """The work of one series: the same object for all facts that wait for it."""
    return lambda a: slow_of(a, series)
