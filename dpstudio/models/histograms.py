"""Databases as histograms, their neighbours, and how far one record moves what is asked of them.

A database of records of k kinds is the vector x of how many there are of each [Theoretical background on
Differential Privacy, "Histogram representation of a data base";
Dwork & Roth 2014, section 2.3]. Kind i has the value i, as ratings of 1 … k stars have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import InvalidParameter, counts
from dpstudio.vocabulary import CELL_COUNT, Interval, integers

Counts: TypeAlias = npt.NDArray[np.int64]
Relation: TypeAlias = Literal["add or remove", "replace"]
"""Which databases are neighbours: one record more or fewer, or one replaced by a record of another kind."""

_SOME_RECORDS = "one with at least one record"


def histogram(cells: npt.ArrayLike, name: str = "histogram") -> Counts:
    """The counts of the kinds as whole numbers; raises InvalidParameter unless each is in [0, 1e6]."""
    given = counts(cells, name)
    if given.ndim != 1 or not given.size:
        raise InvalidParameter(name, "a list of counts", cells)
    assert isinstance(CELL_COUNT.domain, Interval)
    if given.max() > CELL_COUNT.domain.high:  # so that products of two sums are exact in 64 bits
        raise InvalidParameter(name, CELL_COUNT.domain, int(given.max()))
    return given.astype(np.int64)


def not_empty(cells: npt.ArrayLike, name: str = "histogram") -> Counts:
    """The counts of a database that has records; raises InvalidParameter for one without, of which some things cannot
    be asked."""
    x = histogram(cells, name)
    if not x.any():
        raise InvalidParameter(name, _SOME_RECORDS, x.tolist())
    return x


def distance(x: npt.ArrayLike, y: npt.ArrayLike) -> int:
    """‖x − y‖₁: how many records have to be added or removed to get from one to the other. [Theoretical background
    on Differential Privacy.]"""
    one, other = histogram(x, "x"), histogram(y, "y")
    if one.size != other.size:
        raise InvalidParameter("y", f"a histogram of {one.size} kinds", other.tolist())
    return int(np.abs(one - other).sum())


def added(x: npt.ArrayLike, kind: int) -> Counts:
    """One record of that kind, 1 … k, more."""
    y = histogram(x)
    y[_place(y, kind)] += 1
    return y


def removed(x: npt.ArrayLike, kind: int) -> Counts:
    """One record of that kind fewer; raises InvalidParameter where there is none."""
    y = histogram(x)
    if not y[_place(y, kind)]:
        raise InvalidParameter("kind", "one that has a record to take away", kind, "its count is 0")
    y[kind - 1] -= 1
    return y


def replaced(x: npt.ArrayLike, kind: int, by: int) -> Counts:
    """One record of a kind replaced by one of another kind, or of the same; raises as `removed` does."""
    return added(removed(x, kind), by)


def _place(x: Counts, kind: object) -> int:
    accepted = (domain := integers(1, x.size)).accept(kind)
    if accepted is None:
        raise InvalidParameter("kind", domain, kind)
    return int(accepted) - 1


def neighbours(x: npt.ArrayLike, relation: Relation) -> Counts:
    """All neighbours of a database, one a row: at most 2k, or k(k − 1) where a record is replaced."""
    at = histogram(x)
    return np.asarray(at + _steps(at.size, relation)[_possible(at[None, :], relation)[0]])


@cache
def _steps(kinds: int, relation: Relation) -> Counts:
    """What may be added to a histogram to get to a neighbour."""
    one = np.eye(kinds, dtype=np.int64)
    if relation == "add or remove":
        return np.concatenate([one, -one])
    return np.array([one[j] - one[i] for i in range(kinds) for j in range(kinds) if i != j],
                    dtype=np.int64).reshape(-1, kinds)


def _possible(databases: Counts, relation: Relation) -> npt.NDArray[np.bool_]:
    """Which steps lead from each database, a row, to another one."""
    steps = _steps(databases.shape[1], relation)
    return np.asarray((databases[:, None, :] + steps >= 0).all(axis=2))


def databases(kinds: int, records: int) -> Counts:
    """Every database of so many records of k kinds, one a row: C(records + k − 1, k − 1) of them."""
    def parts(left: int, cells: int) -> Iterator[tuple[int, ...]]:
        if cells == 1:
            yield (left,)
            return
        for first in range(left + 1):
            yield from ((first, *rest) for rest in parts(left - first, cells - 1))

    return np.array(list(parts(records, kinds)), dtype=np.int64)


def pairs(many: Counts, relation: Relation, *, empty: bool) -> tuple[Counts, Counts]:
    """Every pair of a database, a row of `many`, and a neighbour of it; without `empty` only such as have records."""
    possible = _possible(many, relation)
    at, step = np.nonzero(possible)
    x, y = many[at], many[at] + _steps(many.shape[1], relation)[step]
    kept = slice(None) if empty else x.any(axis=1) & y.any(axis=1)
    return x[kept], y[kept]


def values(kinds: int) -> Counts:
    """1 … k, the value of a record of each kind."""
    return np.arange(1, kinds + 1, dtype=np.int64)


def listed(x: Sequence[int] | Counts) -> str:
    """(3, 1, 4): a histogram in a sentence."""
    return f"({', '.join(str(int(count)) for count in x)})"
