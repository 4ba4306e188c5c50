"""Two studies of lists of numbers, cells of a table and values of people, where the program has none of these yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import once, table
from dpstudio.core.figure import Axis, Figure, Line
from dpstudio.core.results import Column
from dpstudio.core.results import Table as Columns
from dpstudio.core.study import Study
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Quantity
from dpstudio.vocabulary.written import Listed, listing_of

PLACE, NUMBER = Column(v.N), Column(v.RECORDS)
CELLS = Quantity("cells", "cells", "cells of a table", "Counts of a table.",
                 Listed("counts", 0, 1e12, whole=True, most_numbers=10**6, named=True))
AMOUNTS = Quantity("amounts", "values", "values of people", "Numbers of people.",
                  Listed("values", -1e300, 1e300, most_numbers=10**9))
FIGURES = (Figure("numbers", "All numbers", "numbers", Axis(v.N), Axis(v.RECORDS), (Line(PLACE, NUMBER),),
                  caption="Every number of the list."),)


@dataclass(frozen=True)
class Table(Study):
    """A study of the cells of a table."""

    key = "table"
    title = "Table"
    question = "What are the cells?"
    pictures = FIGURES

    epsilon: float = parameter(v.EPSILON, 0.1)
    cells: str = parameter(CELLS, "none")

    @classmethod
    def answers(cls):
        return TableAnswer


@dataclass(frozen=True)
class Number(Study):
    """A study of the values of people."""

    key = "number"
    title = "Number"
    question = "What are the values?"
    pictures = FIGURES

    epsilon: float = parameter(v.EPSILON, 0.1)
    amounts: str = parameter(AMOUNTS, "none")

    @classmethod
    def answers(cls):
        return NumberAnswer


class _ListAnswer(Answer):
    """The sum of a list, and all of it."""

    suggested = None

    @property
    def numbers(self):
        return listing_of(getattr(self.study, self.listed)).numbers

    def sentences(self, seen=None) -> Iterator[str]:
        yield f"They are {self.numbers.size}."


class TableAnswer(_ListAnswer):
    listed = "cells"
    declared = {"the answer": (once(v.RECORDS, lambda a: float(a.numbers.sum())),)}
    tabled = {"numbers": table(lambda a, _: Columns({PLACE: np.arange(a.numbers.size + 0.0), NUMBER: a.numbers}),
                               lambda a: (0.0, a.numbers.size + 1.0))}


class NumberAnswer(_ListAnswer):
    listed = "amounts"
    declared, tabled = TableAnswer.declared, TableAnswer.tabled


@contextmanager
def added() -> Iterator[tuple[type[Study], type[Study]]]:
    """The studies of lists among all studies, as they come or, where there are none, these."""
    studies = all_studies()
    lacking = {kind.key: kind for kind in (Table, Number) if kind.key not in studies}
    studies._others.update(lacking)
    try:
        yield studies["table"], studies["number"]
    finally:
        for key in lacking:
            del studies._others[key]
