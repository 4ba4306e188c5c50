"""How far one record moves the answer of a query: around one database, and around all of them.

Around one database there are few neighbours, and all are tried. Around all databases it takes a proof, which trying all
small ones must agree with. Noise has to be scaled to the latter: a scale that follows the data would tell about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.models.histograms import (
    Counts,
    Relation,
    databases,
    histogram,
    neighbours,
    not_empty,
    pairs,
    values,
)
from dpstudio.vocabulary import integers


@dataclass(frozen=True, slots=True)
class Query:
    """Something asked of a database, and the worst that one record does to the answer."""

    key: str
    moves: Callable[[Counts, Counts], Array]
    """From rows x and rows y, how far apart the answers of each x and y are."""
    worst: Callable[[Relation, int, int], float]
    """Of a relation, the number of kinds k ≥ 2 and a number of records n ≥ 1: the farthest that one record can move the
    answer of any database of n records. It never rises with n, so at n = 1 it is that of all databases."""
    why: str
    """The proof in a sentence."""
    needs_records: bool = False


def local_sensitivity(query: Query, x: npt.ArrayLike, relation: Relation) -> float:
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


def global_sensitivity(query: Query, kinds: int, relation: Relation, records: int = 1) -> float:
    """The farthest that the answer of any database of at least so many records moves; by the query's proof.

    Replacement keeps n, which may then be public; where records come and go only records = 1 is of use, since n is
    what has to be hidden. [Dwork & Roth 2014, Definition 3.1; Theoretical background on Differential Privacy,
    "ℓ₂-sensitivity".]
    """
    if integers(1).accept(records) is None:
        raise InvalidParameter("records", integers(1), records)
    return query.worst(relation, kinds, records)


@cache
def enumerated_sensitivity(key: str, kinds: int, relation: Relation, records: int) -> float:
    """The farthest that the answer moves of any database of exactly so many records, every one of them tried."""
    query = QUERIES[key]
    x, y = pairs(databases(kinds, records), relation, empty=not query.needs_records)
    return float(query.moves(x, y).max()) if len(x) else 0.0


def mean(x: npt.ArrayLike) -> float:
    """The average value; raises InvalidParameter for a database without records."""
    at = not_empty(x)
    return float(at @ values(at.size) / at.sum())


def median(x: npt.ArrayLike) -> int:
    """The lower median: the value of record ⌈n/2⌉ in order; raises InvalidParameter without records."""
    return int(_medians(not_empty(x)[None, :])[0])


def mode(x: npt.ArrayLike) -> int:
    """The commonest value, the least of several; raises InvalidParameter without records."""
    return int(np.argmax(not_empty(x))) + 1


def shares(x: npt.ArrayLike) -> Array:
    """The histogram over its number of records; raises InvalidParameter without any."""
    at = not_empty(x)
    return np.asarray(at / at.sum())


def _medians(rows: Counts) -> Counts:
    half = (rows.sum(axis=1) + 1) // 2
    return np.asarray(np.argmax(np.cumsum(rows, axis=1) >= half[:, None], axis=1) + 1)


def _apart_in_l1(x: Counts, y: Counts) -> Array:
    return np.asarray(np.abs(x - y).sum(axis=1), dtype=np.float64)


def _apart_in_l2(x: Counts, y: Counts) -> Array:
    return np.asarray(np.sqrt(np.square(x - y).sum(axis=1)))


def _apart_in_sum(x: Counts, y: Counts) -> Array:
    return np.asarray(np.abs((x - y) @ values(x.shape[1])), dtype=np.float64)


def _apart_in_mean(x: Counts, y: Counts) -> Array:
    # Over one denominator, so that the difference of two averages of millions loses no digits.
    nx, ny, value = x.sum(axis=1), y.sum(axis=1), values(x.shape[1])
    return np.asarray(np.abs((x @ value) * ny - (y @ value) * nx) / (nx * ny))


def _apart_in_shares(x: Counts, y: Counts) -> Array:
    nx, ny = x.sum(axis=1), y.sum(axis=1)
    return np.asarray(np.abs(x * ny[:, None] - y * nx[:, None]).sum(axis=1) / (nx * ny))


def _always(add_or_remove: float, replace: float) -> Callable[[Relation, int, int], float]:
    return lambda relation, kinds, records: add_or_remove if relation == "add or remove" else replace  # noqa: ARG005


def _falling(top: Callable[[int], float]) -> Callable[[Relation, int, int], float]:
    """top/n, and half of it at n = 1 where a neighbour must keep a record."""
    return lambda relation, kinds, n: top(kinds) / (n if relation == "replace" else max(n, 2))


_WHOLE_RANGE = "half of the records at one end and half at the other: one record tips it over, whatever n is"

QUERIES: Mapping[str, Query] = {query.key: query for query in (
    Query("count", lambda x, y: np.abs(x - y).max(axis=1).astype(np.float64), _always(1.0, 1.0),
          "one record is counted in one place: a count changes by at most 1"),
    Query("histogram", _apart_in_l1, _always(1.0, 2.0),
          "one count changes by 1; a replaced record leaves one count and enters another"),
    Query("histogram_l2", _apart_in_l2, _always(1.0, float(np.sqrt(2))),
          "one count changes by 1, or two counts do, and √(1² + 1²) = √2"),
    Query("sum", _apart_in_sum, lambda relation, k, n: float(k if relation == "add or remove" else k - 1),  # noqa: ARG005
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
