"""Tables that studies share: columns of all that is compared, and what a stream of draws has come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.facts import Said, Tabled, drawn_table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import CHUNK, binomial_interval
from dpstudio.vocabulary import Quantity

T = TypeVar("T")


def curves(ones: Mapping[Series, T], found: Callable[[T], Any], *quantities: Quantity) -> dict[Column, Array]:
    """A column of everything that is compared, or one of each of several quantities where so many are found."""
    return {Column(quantity, series): np.asarray(values) for series, one in ones.items() for quantity, values in
            zip(quantities, found(one) if len(quantities) > 1 else (found(one),), strict=True)}


def within(view: Span, low: float, high: float) -> Span:
    """What of a view lies between these ends."""
    return min(max(view[0], low), high), min(max(view[1], low), high)


def places(view: Span, points: int, *also: npt.ArrayLike) -> Array:
    """So many places evenly over a view and, of some others, those that lie in it."""
    x = np.unique(np.concatenate([np.linspace(*view, points), *map(np.atleast_1d, also)]))
    return x[(x >= view[0]) & (x <= view[1])]


def even_in_logarithms(view: Span, ends: Span, points: int, *also: float) -> Array:
    """So many places over what of a view lies within these ends, as a logarithmic axis shows them, and some more."""
    return np.unique(np.append(np.geomspace(*within(view, *ends), points), also))


def streamed(x: Column, quantities: Sequence[Quantity], series: Callable[[Any], Sequence[Series]], chunk: int = CHUNK
             ) -> Tabled[Any, Any]:
    """The table of a stream of draws that are counted, from its first chunk to its last."""
    return drawn_table(lambda a, drawn: stream_table(x, quantities, series(a), drawn.rows),
                       lambda a: (float(min(chunk, a.study.trials)), float(max(a.study.trials, 10))))


def stream_table(x: Column, quantities: Sequence[Quantity], series: Sequence[Series], rows: Array) -> Table:
    """A row a stretch: how much was drawn, then each quantity of every series in turn."""
    numbers = rows[:, 1:].T.reshape(len(quantities), len(series), len(rows))
    return Table({x: rows[:, 0]} | columns_of(quantities, series, tuple(numbers)))


def columns_of(quantities: Sequence[Quantity], series: Sequence[Series], numbers: Sequence[Array]
               ) -> dict[Column, Array]:
    """Columns of several quantities from an array of each, with a row a series."""
    return {Column(quantity, one): row for quantity, rows in zip(quantities, numbers, strict=True)
            for one, row in zip(series, rows, strict=True)}


def so_far(whole: Table, part: float) -> Table:
    """The first part of a whole history, as far as a simulation has come: two rows at least."""
    rows = max(2, math.ceil(whole.rows * part))
    return Table({column: numbers[:rows] for column, numbers in whole.items()})


def shares(hits: npt.NDArray[np.int64], done: int) -> tuple[Array, Array, Array]:
    """Shares of the draws, of any shape, and the ends of their 95 % Clopper–Pearson intervals."""
    return hits / done, *binomial_interval(hits, done)


def stream_row(done: int, hits: npt.NDArray[np.int64]) -> Array:
    """A row of that table for shares of the draws: the shares, and the ends of their 95 % intervals."""
    return np.concatenate([[done], *shares(hits, done)])


def share(hits: int | None, done: int, what: str) -> Said | None:
    """A share of the draws as an estimate with its interval: “12 of 400 simulated decisions; …”; None of none."""
    if hits is None:
        return None
    low, high = binomial_interval(hits, done)
    return Said(hits / done, f"{hits} of {done} {what}; 95 % Clopper–Pearson interval", low=float(low),
                high=float(high))
