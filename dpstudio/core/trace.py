"""A function at the places looked at so far: each is asked once, kept, and looked at more closely beside.

A place is a value of a parameter or, over a whole range of numbers, where a number stands among them (`Numbers`). An
edge between two places is narrowed by `core.search`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from dpstudio.core.results import Span
from dpstudio.core.search import number_at, place_of
from dpstudio.vocabulary import Interval

Place = TypeVar("Place", bound=Any)
Found = TypeVar("Found")
Made = TypeVar("Made")
Work: TypeAlias = Generator[None, None, Made]
"""Work in steps, between which it can be left, and what comes of it."""
_FAR = 1e300


class Trace(dict[Place, Found]):
    """What a function comes to at every place that was looked at."""

    def __init__(self, ask: Callable[[Place], Found]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, place: Place) -> Found:
        found = self[place] = self._ask(place)
        return found

    @property
    def places(self) -> list[Place]:
        """Everywhere that was looked at, in order."""
        return sorted(self)


def refined(look: Callable[[Place], object], places: Iterable[Place],
            between: Callable[[Sequence[Place]], Sequence[Place]], most: int) -> Work[list[Place]]:
    """Look at places and, as long as `between` names any among all of them, at further ones, so many in all at most.

    All of them in order are what comes of it; there is a step before each that is looked at.
    """
    fresh = every = list(places)
    while fresh:
        for place in fresh:
            yield
            look(place)
        fresh = list(between(every)[:max(most - len(every), 0)])
        every = sorted([*every, *fresh])
    return every


class Numbers:
    """The numbers of an interval, or of a part of it, by their places.

    A whole number is its own, a double has its place among all doubles. So places are whole numbers whatever the range
    is, neighbours differ by one, and equal steps are nearly equal factors.
    """

    def __init__(self, domain: Interval, part: Span | None = None) -> None:
        self.integer = domain.integer
        low, high = part or (domain.low, domain.high)
        self.low, self.high = (domain.nearest(min(max(end, -_FAR), _FAR)) for end in (low, high))
        self.first, self.last = map(self.place, (self.low, self.high))

    def place(self, number: float) -> int:
        """Where a number stands."""
        return int(number) if self.integer else place_of(number)

    def number(self, place: int) -> float | int:
        """The number that stands there."""
        return place if self.integer else number_at(place)
