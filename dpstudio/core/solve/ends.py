"""Where wants begin and cease to hold, and which of these places somebody means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from dpstudio.core.solve.along import Stretch
from dpstudio.core.solve.problem import Unknown
from dpstudio.records import dataclass

INWARD = 1e-3
"""Part of what is usual by which is kept from an end of it at which nothing is defined."""


def common(stretches: Sequence[Sequence[Stretch]]) -> list[Stretch]:
    """Where several things hold together."""
    def both(left: Sequence[Stretch], right: Sequence[Stretch]) -> list[Stretch]:
        met = (one.meet(other) for one in left for other in right)
        return [each for each in met if each.low <= each.high]

    return reduce(both, stretches[1:], list(stretches[0]))


@dataclass(frozen=True, slots=True)
class End:
    """Where wants begin or cease to hold, or hold alone; or what is meant where they hold all the way to an end."""

    place: int
    side: int = 0
    """Where they hold: 1 above, −1 below, 0 there alone."""
    every: Stretch | None = None
    """All of which does it as well, to the end that is preferred, or to both."""

    @property
    def inside(self) -> bool:
        """Whether what does it goes on on either side."""
        return self.every is not None and self.place not in (self.every.low, self.every.high)


def edges(stretches: Sequence[Stretch]) -> list[End]:
    """Where the wants begin and cease to hold."""
    ends: dict[int, End] = {}
    for each in stretches:
        if each.low == each.high:
            ends[each.low] = End(each.low)
        else:
            ends |= {place: End(place, side) for place, side, fails in ((each.low, 1, each.fails_below),
                                                                        (each.high, -1, each.fails_above)) if fails}
    return list(ends.values())


def meant(axis: Unknown, stretches: Sequence[Stretch], *, spent: bool) -> list[End]:
    """What somebody means who wants what holds there, and the other limits: the most private place that does it.

    Where `spent`, it is asked how much may be spent: where the wants hold from the private end up to an edge, that edge
    is meant, and where there is none, what it is now or, if that does not do it, the nearest that does. Where neither
    end is preferred it goes no further than it must.
    """
    ends = sorted(edges(stretches), key=lambda end: axis.rank(end.place))
    if not axis.way:
        most = min(stretches, key=lambda each: abs(each.clipped(axis.here) - axis.here), default=None)
        return ends if most is None else _first(most, most.clipped(axis.here), ends)
    most = min(stretches, key=lambda each: axis.rank(each.low), default=None)
    if most is None or most.low == most.high or (most.fails_below if axis.way > 0 else most.fails_above):
        return ends
    if not spent:
        return _first(most, _most_private(axis, most), ends, axis.way)
    edge, fails = (most.high, most.fails_above) if axis.way > 0 else (most.low, most.fails_below)
    return _first(most, edge if fails else most.clipped(axis.here), ends)


def _first(most: Stretch, place: int, ends: Sequence[End], side: int = 0) -> list[End]:
    """That place before all other limits, of which it may be one."""
    limit = next((end for end in ends if end.place == place), None)
    return [limit or End(place, side, most), *(end for end in ends if end.place != place)]


def _most_private(axis: Unknown, most: Stretch) -> int:
    """The end of a stretch that is preferred; where nothing is defined beyond it, the last place usual, or what is now.

    Above 0 there is no least number: of a stretch without either it is the place that is nearest to what is usual.
    """
    place, end = (most.low, axis.over.low) if axis.way > 0 else (most.high, axis.over.high)
    if place == axis.over.place(end) or not axis.parameter.range:
        return place
    low, high = axis.parameter.range
    last, inward = (low, (high - low) * INWARD) if axis.way > 0 else (high, (low - high) * INWARD)
    usual = [axis.over.place(round(each) if axis.over.integer else each) for each in (last, last + inward)]
    return min(filter(most.holds, (*usual, axis.here)), key=axis.rank, default=most.clipped(usual[0]))
