"""Where the marks of published ε stand, and in which row each has its name, so that none covers another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from dpstudio.core.deployments import SPENT, Deployment, deployed
from dpstudio.core.figure import Figure
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Span
from dpstudio.records import dataclass
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Frame

ROWS, SHARE = 4, 0.25
"""At most so many rows of names, and this part of the picture's height; what finds no place has a tick alone."""
LOW = 8
"""Rows that a picture is high at least for names to be in it."""
WARNING = "Published ε are marked only where their unit of privacy is alike; δ, data and number of releases differ."


@dataclass(frozen=True, slots=True)
class PublishedMark:
    """The ε of a deployment, at its position on the x axis."""

    deployment: Deployment
    at: float


@dataclass(frozen=True, slots=True)
class Flag:
    """A tick as high as its row, counted upwards from 0, with a name that begins there."""

    left: float
    row: int


class Promising(Protocol):
    """What says what is promised on a picture; it is asked only where the axis is an ε."""

    @property
    def promises(self) -> tuple[Guarantee, ...]: ...


def published(figure: Figure, x: Span, of: Promising) -> tuple[PublishedMark, ...]:
    """The marks of a figure that lie within this stretch of its x axis, from left to right."""
    if figure.x.quantity not in SPENT:
        return ()
    found = (PublishedMark(each, place(each.epsilon or 0.0, figure.x)) for each in deployed(of.promises, figure.x))
    return tuple(sorted((each for each in found if x[0] <= each.at <= x[1]), key=lambda each: each.at))


def told(marks: Sequence[PublishedMark]) -> tuple[str, ...]:
    """What one unit of privacy is of every mark, for below a picture."""
    return (WARNING, *(f"{each.deployment.name}: {each.deployment.whose}" for each in marks)) if marks else ()


@dataclass(frozen=True, slots=True)
class Strip:
    """Where the names of published ε stand under the curves, and how high their ticks and names are together."""

    flags: tuple[Flag | None, ...] = ()
    high: float = 0.0


def strip(marks: Sequence[PublishedMark], frame: Frame, width_of: Callable[[str], float], row: float, gap: float,
          stub: float) -> Strip:
    """The names of some marks in a plot, in rows so high above stubs of ticks."""
    if not marks:
        return Strip()
    found = flags([float(frame.across(each.at)) for each in marks], [width_of(each.deployment.name) for each in marks],
                  frame.width, most_rows(frame.height, row), gap)
    return Strip(tuple(found), stub + rows_of(found) * row)


def most_rows(height: float, row: float) -> int:
    """How many rows of names a picture of that height has room for; in a low one the curves need all of it."""
    return min(ROWS, int(SHARE * height / row)) if height >= LOW * row else 0


def flags(ticks: Sequence[float], widths: Sequence[float], room: float, rows: int, gap: float) -> list[Flag | None]:
    """Where the name of each tick stands: right or left of it, in one of so many rows, clear of every other name, and
    where it can be so that neither it nor the tick that leads up to it crosses another; None where there is no place.

    Ticks ascend; all lengths are in the same unit, from the left end of so much room. The rightmost choose first: those
    left of them are led up past them.
    """
    found: list[Flag | None] = [None] * len(ticks)
    named: list[tuple[float, float, float, int]] = []
    """Of every name its tick, its ends and its row."""
    for i in reversed(range(len(ticks))):
        at, width, best = ticks[i], widths[i], len(ticks)
        for row, left in ((row, left) for row in range(rows) for left in (at + gap, at - gap - width)):
            right = left + width
            inside = left >= 0 and right <= room
            if not inside or any(row == other and left < end + gap and start < right + gap
                                 for _, start, end, other in named):
                continue
            crossed = sum((other < row and start - gap < at < end + gap)
                          or (other > row and left - gap < tick < right + gap) for tick, start, end, other in named)
            if crossed < best:
                best, found[i] = crossed, Flag(left, row)
        if (flag := found[i]) is not None:
            named.append((at, flag.left, flag.left + width, flag.row))
    return found


def rows_of(found: Sequence[Flag | None]) -> int:
    """How many rows they take, none where there are ticks alone."""
    return max((flag.row + 1 for flag in found if flag), default=0)
