"""Databases as histograms, their neighbours, and how far one record moves what is asked of them.

A database of records of k kinds is the vector x of how many there are of each [Theoretical background on
Differential Privacy, "Histogram representation of a data base";
Dwork & Roth 2014, section 2.3]. Kind i has the value i, as ratings of 1 … k stars have.

Around one database there are few neighbours, and all are tried. Around all databases it takes a proof, which trying all
small ones must agree with. Noise has to be scaled to the latter: a scale that follows the data would tell about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter, accepted, counts
from dpstudio.records import dataclass
from dpstudio.vocabulary import CELL_COUNT, Interval, integers

Counts: TypeAlias = npt.NDArray[np.int64]
Neighbouring: TypeAlias = Literal["add or remove", "replace"]
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


def not_empty(cells: npt.ArrayLike) -> Counts:
    """The counts of a database that has records; raises InvalidParameter for one without, of which some things cannot
    be asked."""
    x = histogram(cells)
    if not x.any():
        raise InvalidParameter("histogram", _SOME_RECORDS, x.tolist())
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
    return int(accepted("kind", integers(1, x.size), kind)) - 1


def neighbours(x: npt.ArrayLike, relation: Neighbouring) -> Counts:
    """All neighbours of a database, one a row: at most 2k, or k(k − 1) where a record is replaced."""
    at = histogram(x)
    return np.asarray(at + _steps(at.size, relation)[_possible(at[None, :], relation)[0]])


@cache
def _steps(kinds: int, relation: Neighbouring) -> Counts:
    """What may be added to a histogram to get to a neighbour."""
    one = np.eye(kinds, dtype=np.int64)
    if relation == "add or remove":
        return np.concatenate([one, -one])
    return np.array([one[j] - one[i] for i in range(kinds) for j in range(kinds) if i != j],
                    dtype=np.int64).reshape(-1, kinds)


def _possible(databases: Counts, relation: Neighbouring) -> npt.NDArray[np.bool_]:
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


def pairs(many: Counts, relation: Neighbouring, *, empty: bool) -> tuple[Counts, Counts]:
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


@dataclass(frozen=True, slots=True)
class Query:
    """Something asked of a database, and the worst that one record does to the answer."""

    key: str
    moves: Callable[[Counts, Counts], Array]
    """From rows x and rows y, how far apart the answers of each x and y are."""
    worst: Callable[[Neighbouring, int, int], float]
    """Of a relation, the number of kinds k ≥ 2 and a number of records n ≥ 1: the farthest that one record can move the
    answer of any database of n records. It never rises with n, so at n = 1 it is that of all databases."""
    why: str
    """The proof in a sentence."""
    needs_records: bool = False


def local_sensitivity(query: Query, x: npt.ArrayLike, relation: Neighbouring) -> float:
    """The farthest that the answer of this database moves, max ‖f(x) − f(y)‖ over all its neighbours y, each tried.

    An average has no answer without records: then an empty database raises InvalidParameter, and as a neighbour it is
    left out. [Nissim, Raskhodnikova & Smith 2007.]
    """
    at = not_empty(x) if query.needs_records else histogram(x)
    beside = neighbours(at, relation)
    if query.needs_records:
        beside = beside[beside.any(axis=1)]
    if not len(beside):  # nothing to replace
        return 0.0
    return float(query.moves(np.broadcast_to(at, beside.shape), beside).max())


def global_sensitivity(query: Query, kinds: int, relation: Neighbouring, records: int = 1) -> float:
    """The farthest that the answer of any database of at least so many records moves; by the query's proof.

    Replacement keeps n, which may then be public; where records come and go only records = 1 is of use, since n is
    what has to be hidden. [Dwork & Roth 2014, Definition 3.1; Theoretical background on Differential Privacy,
    "ℓ₂-sensitivity".]
    """
    accepted("records", integers(1), records)
    return query.worst(relation, kinds, records)


@cache
def enumerated_sensitivity(key: str, kinds: int, relation: Neighbouring, records: int) -> float:
    """The farthest that the answer moves of any database of exactly so many records, every one of them tried."""
    query = QUERIES[key]
    x, y = pairs(databases(kinds, records), relation, empty=not query.needs_records)
    return float(query.moves(x, y).max()) if len(x) else 0.0


def _medians(rows: Counts) -> Counts:
    half = (rows.sum(axis=1) + 1) // 2
    return np.asarray(np.argmax(np.cumsum(rows, axis=1) >= half[:, None], axis=1) + 1)


def _apart_in_mean(x: Counts, y: Counts) -> Array:
    # Over one denominator, so that the difference of two averages of millions loses no digits.
    nx, ny, value = x.sum(axis=1), y.sum(axis=1), values(x.shape[1])
    return np.asarray(np.abs((x @ value) * ny - (y @ value) * nx) / (nx * ny))


def _apart_in_shares(x: Counts, y: Counts) -> Array:
    nx, ny = x.sum(axis=1), y.sum(axis=1)
    return np.asarray(np.abs(x * ny[:, None] - y * nx[:, None]).sum(axis=1) / (nx * ny))


def _always(add_or_remove: float, replace: float) -> Callable[[Neighbouring, int, int], float]:
    return lambda relation, kinds, records: add_or_remove if relation == "add or remove" else replace  # noqa: ARG005


def _falling(top: Callable[[int], float]) -> Callable[[Neighbouring, int, int], float]:
    """top/n, and half of it at n = 1 where a neighbour must keep a record."""
    return lambda relation, kinds, n: top(kinds) / (n if relation == "replace" else max(n, 2))


_WHOLE_RANGE = "half of the records at one end and half at the other: one record tips it over, whatever n is"

QUERIES: Mapping[str, Query] = {query.key: query for query in (
    Query("count", lambda x, y: np.abs(x - y).max(axis=1).astype(np.float64), _always(1.0, 1.0),
          "one record is counted in one place: a count changes by at most 1"),
    Query("histogram", lambda x, y: np.abs(x - y).sum(axis=1).astype(np.float64), _always(1.0, 2.0),
          "one count changes by 1; a replaced record leaves one count and enters another"),
    Query("histogram_l2", lambda x, y: np.sqrt(np.square(x - y).sum(axis=1)), _always(1.0, float(np.sqrt(2))),
          "one count changes by 1, or two counts do, and √(1² + 1²) = √2"),
    Query("sum", lambda x, y: np.abs((x - y) @ values(x.shape[1])).astype(np.float64),
          lambda relation, k, n: float(k if relation == "add or remove" else k - 1),  # noqa: ARG005
          "a record adds at most its largest value k; replaced, it changes by at most k − 1"),
    Query("mean", _apart_in_mean, _falling(lambda k: k - 1.0),
          "n records at one end and the changed one at the other: (k − 1)/n, but for one record more or fewer at least "
          "two are needed, (k − 1)/2", needs_records=True),
    Query("shares", _apart_in_shares, _falling(lambda k: 2.0),  # noqa: ARG005
          "2 (1 − xᵢ/n)/(n + 1) for one record more of kind i, at most 2/n for one replaced", needs_records=True),
    Query("median", lambda x, y: np.abs(_medians(x) - _medians(y)).astype(np.float64),
          lambda relation, k, n: k - 1.0, _WHOLE_RANGE, needs_records=True),  # noqa: ARG005
    Query("mode", lambda x, y: np.abs(np.argmax(x, axis=1) - np.argmax(y, axis=1)).astype(np.float64),
          lambda relation, k, n: k - 1.0, _WHOLE_RANGE, needs_records=True),  # noqa: ARG005
)}
