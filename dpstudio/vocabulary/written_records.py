"""A domain of text with a record an entry: “visits: count within=30; ages: mean within=1 upper=100 people=5000”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from dpstudio.records import dataclass
from dpstudio.text.entry import read_number
from dpstudio.text.given import HALF, cut, shown
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import listed
from dpstudio.vocabulary.quantity import Interval, Quantity
from dpstudio.vocabulary.written import NO_TEXT, NONE, Unreadable, Written, name_of

_BETWEEN = re.compile(r"[;\n]+")
_FIELD = re.compile(r"(?<![A-Za-z_])([A-Za-z_]+)\s*=\s*([^=\s]+)")
"""A word is begun with once: from each of its letters on, the sign behind it would be looked for anew."""
LONGEST, LONGEST_NAME = 20_000, 40
"""Signs of a text, and of a name."""


@dataclass(frozen=True, slots=True)
class RecordField:
    """A number of a record: its name in the text, what it means, its domain, and its value where none is given."""

    key: str
    quantity: Quantity
    default: float | None = None
    """None where it must be given."""

    @property
    def domain(self) -> Interval:
        assert isinstance(self.quantity.domain, Interval)
        return self.quantity.domain


@dataclass(frozen=True, slots=True)
class RecordKind:
    """A kind of record: its name in the text, what it is called, and its numbers, what must be given first."""

    key: str
    title: str
    fields: tuple[RecordField, ...]


class Record(NamedTuple):
    """One entry: its name, empty where it has none; its kind; and its numbers, those not given by their default."""

    name: str
    kind: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Records(Written):
    """Entries NAME: KIND FIELD=NUMBER …, apart by semicolons or lines, or “none”; what has its default is left out."""

    what: str
    """What they are: “releases”."""
    kinds: tuple[RecordKind, ...]
    most: int = 50

    has_lines = True

    def __str__(self) -> str:
        return "[NAME:] KIND FIELD=NUMBER …; …"

    @property
    def phrase(self) -> str:
        return (f"{self.what}, at most {self.most}, such as “{self.said(self.examples[1])}”, of the kinds "
                f"{listed([kind.key for kind in self.kinds])}, or {NONE}")

    @property
    def examples(self) -> tuple[str, ...]:
        """None, one of the first kind, and one of each kind together with names."""
        each = [self.fresh(kind.key) for kind in self.kinds]
        named = [record._replace(name=f"{record.kind} {i}") for i, record in enumerate(each, 1)]
        return NONE, self.text_of(each[:1]), self.text_of(named)

    def accept(self, value: object) -> str | None:
        if value in ("", NONE):
            return NONE
        try:
            return self.text_of(self.records_of(value)) if isinstance(value, str) else None
        except Unreadable:
            return None

    def why(self, value: object) -> str:
        try:
            self.records_of(str(value))
        except Unreadable as error:
            return str(error)
        return ""

    def said(self, value: str) -> str:
        return value.replace(";", "; ")

    def brief(self, value: str) -> str:
        return f"{len(self.records_of(value))} {self.what}"

    def in_lines(self, value: str) -> str:
        return "" if value == NONE else value.replace(";", "\n")

    def kind(self, key: str) -> RecordKind:
        """The kind of that key."""
        return next(kind for kind in self.kinds if kind.key == key)

    def fresh(self, kind: str) -> Record:
        """A record without a name, its numbers as they come, and those that must be given as good as any."""
        return Record("", kind, {field.key: _some(field) if field.default is None else field.default
                                 for field in self.kind(kind).fields})

    def records_of(self, text: str) -> tuple[Record, ...]:
        """What a text says; raises Unreadable, saying which entry is wrong and why."""
        return _read(self.kinds, self.most, text)

    def text_of(self, records: Iterable[Record]) -> str:
        """Records as one text, with all digits; “none” of none."""
        return ";".join(map(self._written, records)) or NONE

    def _written(self, record: Record) -> str:
        kind = self.kind(record.kind)
        given = [f"{field.key}={plain(record.values[field.key])}" for field in kind.fields
                 if field.key in record.values and record.values[field.key] != field.default]
        name = _clean(record.name)
        return " ".join([*([f"{name}:"] if name else []), kind.key, *given])

    def __hash__(self) -> int:
        return hash((self.what, self.most, tuple(kind.key for kind in self.kinds)))


@lru_cache(maxsize=64)
def _read(kinds: tuple[RecordKind, ...], most: int, text: str) -> tuple[Record, ...]:
    if text in ("", NONE):
        return ()
    if HALF.search(text):
        raise Unreadable(NO_TEXT)
    if len(text) > LONGEST:
        raise Unreadable(f"it has more than {LONGEST} characters")
    entries = [entry.strip() for entry in _BETWEEN.split(text) if entry.strip()]
    if not 1 <= len(entries) <= most:
        raise Unreadable(f"these are {len(entries)}")
    return tuple(_record(kinds, entry) for entry in entries)


def _record(kinds: tuple[RecordKind, ...], entry: str) -> Record:
    before, _, after = entry.rpartition(":")
    name = _clean(before)
    word, rest = (*after.split(maxsplit=1), "", "")[:2]
    kind = next((kind for kind in kinds if kind.key == word), None)
    if kind is None:
        raise Unreadable(f"{word[:40]!r} is none of {listed([kind.key for kind in kinds])}")
    called = (name if name.isprintable() else shown(name)) or f"the {kind.key}"
    given: dict[str, float] = {}
    for key, number in _numbers(rest):
        if key in given:
            raise Unreadable(f"{called} has {key[:40]} twice")
        given[key] = number
    fields = {field.key: field for field in kind.fields}
    if unknown := [key for key in given if key not in fields]:
        raise Unreadable(f"{called} has no {cut(unknown[0])}, but {listed(list(fields))}")
    values = {}
    for key, field in fields.items():
        if key not in given and field.default is None:
            raise Unreadable(f"{called} needs {key}")
        value = given.get(key, field.default)
        accepted = field.domain.accept(value)
        if accepted is None:
            raise Unreadable(f"{key} of {called} must be {field.domain.phrase}, got {plain(float(value or 0))}")
        values[key] = accepted
    return Record(name, kind.key, values)  # type: ignore[arg-type]  # an interval accepts numbers alone


def _clean(name: str) -> str:
    """A name without the signs that mean something in a text of records, and no longer than it may be."""
    return name_of(name)[:LONGEST_NAME].strip()


def _numbers(text: str) -> Iterator[tuple[str, float]]:
    """The numbers of an entry by their names; raises Unreadable for what is none."""
    for found in _FIELD.finditer(text):
        number = read_number(found[2])
        if number is None:
            raise Unreadable(f"{found[2][:40]!r} is no number")
        yield found[1], number
    if left := _FIELD.sub("", text).replace(",", " ").strip():
        raise Unreadable(f"{left[:40]!r} is no FIELD=NUMBER")


def _some(field: RecordField) -> float:
    """A value of its domain that is not too small."""
    return float(field.domain.nearest(10.0))
