"""What a sweep is to compute, and the values that a parameter goes through, from what people write."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from dpstudio import __version__
from dpstudio.core.declare import Follow, InvalidParameter, read_entry
from dpstudio.core.results import FactPlace, fact_name
from dpstudio.core.solve.want import named_parameter
from dpstudio.core.study import Study
from dpstudio.core.sweep.cells import Piece, computed
from dpstudio.records import cached_property, dataclass
from dpstudio.text.entry import read_number
from dpstudio.vocabulary import Interval, Value, integers

MOST = 10_000_000
"""Cells times facts of one sweep: 25 bytes each are held in memory, and as many again while they are written."""


@dataclass(frozen=True)
class Plan:
    """What a sweep is to compute: cells row by row, the last parameter changing fastest."""

    study: Study
    over: tuple[Over, ...]
    facts: tuple[FactPlace, ...]
    simulate: bool = False
    explicit: tuple[str, ...] | None = None
    """The parameters that somebody set. Of the others, one that follows another does so in every cell; where this is
    not said, one that has the value which it would follow to."""

    @property
    def total(self) -> int:
        """The number of cells."""
        return math.prod(len(over.values) for over in self.over)

    @cached_property
    def base(self) -> Mapping[str, Value]:
        """The values that every cell has."""
        values, swept = self.study.values(), {over.name for over in self.over}
        following = {declared.name for declared in self.study.parameters() if isinstance(declared.default, Follow) and (
            values[declared.name] == self.study.default(declared.name) if self.explicit is None
            else declared.name not in self.explicit)}
        return {name: value for name, value in values.items() if name not in swept | following}

    @cached_property
    def digest(self) -> str:
        """What the request is, in 64 signs: another one has others."""
        made = hashlib.sha256(json.dumps([__version__, self.study.key, dict(self.base), list(map(list, self.facts)),
                                          self.simulate]).encode())
        for over in self.over:
            made.update(f"\n{over.name}".encode())
            for value in over.values:
                made.update(f" {value!r}".encode())
        return made.hexdigest()

    def cell(self, i: int) -> dict[str, Value]:
        """The swept parameters of cell i."""
        found: dict[str, Value] = {}
        for over in reversed(self.over):
            i, place = divmod(i, len(over.values))
            found[over.name] = over.values[place]
        return dict(reversed(found.items()))

    @staticmethod
    def row_by_row(axes: Iterable[npt.ArrayLike]) -> Iterator[npt.NDArray[Any]]:
        """What a number for each value of each parameter is in every cell."""
        return map(np.ravel, np.meshgrid(*axes, indexing="ij"))

    def part(self, begin: int, end: int) -> Piece:
        """A piece of it."""
        values = tuple(tuple(self.cell(i).values()) for i in range(begin, end))
        return Piece(type(self.study), self.base, tuple(over.name for over in self.over), values, self.facts,
                    self.simulate, begin)

    def check(self) -> None:
        """Raises InvalidParameter for what cannot be swept, before anything is computed."""
        study_class, names = type(self.study), [over.name for over in self.over]
        if not 1 <= len(names) <= 2:
            raise InvalidParameter("over", "one parameter or two", len(names))
        if len(set(names)) < len(names):
            raise InvalidParameter("over", "two different parameters", names[0])
        if not self.facts or len(set(self.facts)) < len(self.facts):
            raise InvalidParameter("facts", "one at least, none of them twice",
                                   ",".join(fact_name(*asked) for asked in self.facts))
        check_size(self.total, len(self.facts))
        index = study_class.answers().index()
        for key, of in self.facts:
            if (key, of) not in index:
                self.study.answer().fact(key, of)  # which refuses it, naming what there is
            if index[key, of].simulated and not self.simulate:
                raise InvalidParameter("facts", "exact ones, unless they are to be simulated", fact_name(key, of))
        for over in self.over:
            declared = named_parameter(study_class, over.name)
            if not over.values:
                raise InvalidParameter("over", "a parameter with values", over.name)
            if len(set(over.values)) < len(over.values):
                raise InvalidParameter(over.name, "values of which none stands there twice", over.values)
            for value in over.values:
                declared.accept(value)


def check_size(cells: int, facts: int, why: str = "") -> None:
    """Raises InvalidParameter where a sweep would have too many cells."""
    if cells * facts > MOST:
        raise InvalidParameter("cells", integers(1, MOST // facts), cells, why)


def pace(plan: Plan, seconds: float = 0.05) -> float:
    """Seconds that a cell takes, from cells spread over the plan; the first, which reads modules, counts if alone."""
    taken: list[float] = []
    began = time.perf_counter()
    for i in range(min(plan.total, 16)):
        before = time.perf_counter()
        place = int(plan.total * (i * 0.6180339887 % 1))
        computed(plan.part(place, place + 1))
        taken.append(time.perf_counter() - before)
        if time.perf_counter() - began > seconds:
            break
    return fmean(taken[1:] or taken)


# The values that a parameter goes through, from what people write


_FORMS = "NAME=LOW:HIGH:COUNT, NAME=LOW:HIGH:COUNT:log or NAME=V1,V2"


@dataclass(frozen=True)
class Over:
    """A parameter with the values that it goes through."""

    name: str
    values: tuple[Value, ...]
    repeated: int = field(default=0, compare=False)
    """How many were left out as they stood there already, after whole numbers were rounded."""


def size_of(text: str) -> int:
    """How many values a text asks for; raises InvalidParameter where it is none of the forms."""
    _, ends = _parted(text)
    return ends[2] if isinstance(ends, tuple) else ends.count(",") + 1


def read_over(study_class: type[Study], text: str, most: int | None = None) -> Over:
    """The values that a text asks for, at most so many; raises InvalidParameter.

    Steps are equal, or equal ratios. They are rounded where that is what people mean: 0.1:1:10 has 0.3.
    """
    name, ends = _parted(text)
    declared = named_parameter(study_class, name)
    if isinstance(ends, str):
        listed = tuple(read_entry(declared, value) for value in ends.split(",")[:most])
        values = tuple(dict.fromkeys(listed))
        return Over(name, values, len(listed) - len(values))
    low_text, high_text, count, log = ends
    if not isinstance(declared.domain, Interval):
        raise InvalidParameter(name, f"{declared.domain.phrase}, listed as {name}=V1,V2", text.partition("=")[2])
    low, high = read_entry(declared, low_text), read_entry(declared, high_text)
    assert not isinstance(low, str)
    assert not isinstance(high, str)
    if low > high:
        raise InvalidParameter("over", "a grid whose LOW is at most its HIGH", text)
    if count < 2 and low != high:
        raise InvalidParameter("over", "a grid of a COUNT that is 2 at least", text)
    if log and low <= 0:
        raise InvalidParameter("over", "a grid whose LOW is above 0, where it is log", text)
    count = min(count, most or count)
    if low == high:
        return Over(name, (low,), count - 1)
    steps = _log_steps(low, high, count) if log else _steps(low, high, count)
    if declared.domain.integer:
        steps = [round(value) for value in steps]
    values = (low, *dict.fromkeys(value for value in steps[1:-1] if low < value < high), high)
    return Over(name, values, count - len(values))


def _parted(text: str) -> tuple[str, tuple[str, str, int, bool] | str]:
    """A name with the ends of a grid, its count and whether it is log; or with a list."""
    name, equals, rest = text.partition("=")
    parts = [part.strip() for part in rest.split(":")]
    if not (name.strip() and equals and rest.strip()):
        raise InvalidParameter("over", _FORMS, text)
    if len(parts) == 1:
        return name.strip(), rest
    count = read_number(parts[2]) if len(parts) > 2 else None
    if len(parts) not in (3, 4) or parts[3:] not in ([], ["log"]):
        raise InvalidParameter("over", _FORMS, text)
    if count is None or not 1 <= count < math.inf or count != int(count):
        raise InvalidParameter("over", f"{_FORMS}, with a COUNT that is a whole number", text)
    return name.strip(), (parts[0], parts[1], int(count), bool(parts[3:]))


def _steps(low: float, high: float, count: int) -> list[float]:
    """In whole numbers of decimal units, so that each is the double nearest to the decimal that is meant."""
    ends = Fraction(repr(low)), Fraction(repr(high))
    unit = math.lcm(*(end.denominator for end in ends))
    first, last = (int(end * unit) for end in ends)
    return [(first * (count - 1 - i) + last * i) / (unit * (count - 1)) for i in range(count)]


def _log_steps(low: float, high: float, count: int) -> list[float]:
    ratio, span = math.log(low), math.log(high) - math.log(low)
    return [float(f"{math.exp(ratio + span * i / (count - 1)):.13g}") for i in range(count)]
