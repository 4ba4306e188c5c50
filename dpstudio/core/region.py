"""Where all that is wanted holds together, parameter against parameter."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpstudio.core.figure import Axis, Band, Dots, Figure, Line, Mark
from dpstudio.core.problem import Axis as Free
from dpstudio.core.problem import Problem
from dpstudio.core.results import Column, Fact, Series, Span, Table
from dpstudio.core.solution import Solution
from dpstudio.core.solve import Pair
from dpstudio.core.study import Study
from dpstudio.core.want import Want
from dpstudio.vocabulary import Value

HOLDS, BEST = Series("holds", "all that is wanted holds"), Series("best", "least that does it")
POINTS = 48
"""Values of the first parameter over what is usual of it."""
CLOSER = 6
"""More values on the way to an end of the region, each at half the distance."""
TABLE = "region"


@dataclass(frozen=True, slots=True)
class Region:
    """The region of two parameters in which wants hold, as a picture and what it is drawn from."""

    problem: Problem
    solution: Solution
    tables: Mapping[str, Table]

    @property
    def table(self) -> Table:
        """The first parameter, from where to where the second will do at each of its values, and the corner."""
        return self.tables[TABLE]

    @property
    def windows(self) -> Mapping[str, Span]:
        first = next(iter(self.table.values()))
        return {TABLE: (float(first.min()), float(first.max()))}

    def fact(self, *_: object) -> Fact | None:
        """A region has none."""
        return None

    @property
    def figure(self) -> Figure:
        outer, inner = (axis.parameter for axis in self.problem.axes)
        x, low, high, best = self.table
        wants = " and ".join(f"{want.label(self.problem.kind)} {want.phrase(self.problem.kind)}"
                             for want in self.problem.wants)
        shown = inner.range or (None, None)
        return Figure(
            "region", f"Where {inner.quantity.symbol} and {outer.quantity.symbol} will do", TABLE,
            Axis(outer.quantity, outer.quantity.scale if self.windows[TABLE][0] > 0 else "linear"),
            Axis(inner.quantity, inner.quantity.scale if (shown[0] or 0) > 0 else "linear", *shown),
            (Band(x, low, high), Line(x, low, label=HOLDS.label), Line(x, high), Dots(x, best),
             Mark(outer.name, draggable=True), Mark(inner.name, "y", draggable=True)),
            caption=f"Everything in the area does it: {wants}.", empty="No values of the two do it",
            compared=(HOLDS, BEST))


def region(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
           between: Mapping[str, Span] | None = None, before: Callable[[], None] = lambda: None) -> Region:
    """The region of two parameters, over what is usual of each or what is given.

    Of the second parameter the widest stretch counts. Raises InvalidParameter for what no study can be asked.
    """
    problem = Problem.of(kind, explicit, wants, names, between or {}, before)
    pair = Pair(problem)
    outer, inner = problem.axes
    solution = pair.solved()
    corner = solution.values if solution.met else {}
    ends = [values[outer.name] for values in (corner, *solution.others) if values]
    first = _places(outer, (between or {}).get(outer.name), ends)
    rows = []
    for number in first:
        left = pair.stretch(number)
        low, high = (math.nan, math.nan) if left is None else map(inner.over.number, (left.low, left.high))
        if pair.rest and left is not None and pair.fixing and not problem.holds(
                {outer.name: number, inner.name: inner.over.number((left.low + left.high) // 2)}):
            low = high = math.nan
        at = corner[inner.name] if corner and number == corner[outer.name] else math.nan
        rows.append((float(number), float(low), float(high), float(at)))
    columns = (Column(outer.parameter.quantity), Column(inner.parameter.quantity, HOLDS),
               Column(inner.parameter.quantity, Series("holds_to", HOLDS.label, HOLDS.look)),
               Column(inner.parameter.quantity, BEST))
    table = Table(dict(zip(columns, np.array(rows).T, strict=True)))
    return Region(problem, solution, {TABLE: table})


def _places(axis: Free, part: Span | None, ends: Sequence[Value]) -> list[float | int]:
    """Values of the first parameter over what is usual of it, closer where the region ends."""
    low, high = part or axis.parameter.range or (float(axis.over.low), float(axis.over.high))
    log = axis.parameter.quantity.scale == "log" and low > 0
    spread = np.geomspace(low, high, POINTS) if log else np.linspace(low, high, POINTS)
    numbers = {*spread.tolist(), float(axis.now)}
    for end in map(float, ends):
        beside = min((each for each in numbers if each > end), default=end), max(
            (each for each in numbers if each < end), default=end)
        numbers |= {end + (each - end) / 2**step for each in beside for step in range(1, CLOSER)} | {end}
    inside = (min(max(number, axis.over.low), axis.over.high) for number in numbers)
    return sorted({round(number) if axis.over.integer else number for number in inside})
