"""Tables of simulations: what a stream of draws has come to after each stretch of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.facts import Said
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.sampling import binomial_interval
from dpstudio.vocabulary import Quantity


def stream_table(x: Column, quantities: Sequence[Quantity], series: Sequence[Series], rows: Array) -> Table:
    """A row a stretch: how much was drawn, then each quantity of every series in turn."""
    places = [(quantity, one) for quantity in quantities for one in series]
    return Table({x: rows[:, 0]} | {Column(*place): rows[:, 1 + i] for i, place in enumerate(places)})


def columns_of(quantities: Sequence[Quantity], series: Sequence[Series], numbers: Sequence[Array]
               ) -> dict[Column, Array]:
    """Columns of several quantities from an array of each, with a row a series."""
    return {Column(quantity, one): row for quantity, rows in zip(quantities, numbers, strict=True)
            for one, row in zip(series, rows, strict=True)}


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
