"""The rows of each person as a few bars: how many persons have how many rows, and how many qualifying ones."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.data.counting import Spread

BINS = 9
"""Bars of a picture; the last one may stand for all larger numbers."""


@dataclass(frozen=True, slots=True)
class Bin:
    """One number of rows, or all from `low` on where it is open."""

    low: int
    open: bool
    persons: int
    qualifying: int | None
    """Persons with so many qualifying rows, where these were counted."""

    @property
    def label(self) -> str:
        return f"≥ {self.low}" if self.open else str(self.low)


def bins(rows: Spread, qualifying: Spread | None = None, most: int = BINS) -> tuple[Bin, ...]:
    """Every number of rows from the least to the largest, those from the last bin on together; 0 is left out."""
    present = [each for spread in (rows, qualifying) if spread is not None
               for each, persons in spread.persons.items() if persons and each]
    if not present:
        return ()
    low, high = min(present), max(present)
    last = min(high, low + most - 1)
    return tuple(Bin(each, each == last < high, *(
        None if spread is None else sum(persons for number, persons in spread.persons.items()
                                        if number == each or (each == last and number > last))
        for spread in (rows, qualifying))) for each in range(low, last + 1))  # type: ignore[arg-type]
