"""What a sweep is to compute."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from dpstudio import __version__
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.results import FactPlace, fact_name
from dpstudio.core.solve.want import named_parameter
from dpstudio.core.study import Study
from dpstudio.core.sweep.cells import Piece, computed
from dpstudio.core.sweep.grid import Over
from dpstudio.vocabulary import Value, integers

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
