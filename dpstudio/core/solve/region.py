"""Where all that is wanted holds together, parameter against parameter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Axis, Band, Dots, Figure, Line, Mark
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Column, Fact, Series, Span, Table
from dpstudio.core.solve.problem import Problem, Unknown
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import ProblemSolver
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.core.trace import Trace, refined
from dpstudio.records import dataclass
from dpstudio.text.language import in_english, phrase
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Scale, Value, variant

POINTS, MORE = 24, 28
"""Values of the first parameter over what is usual of it, and further ones where the region bends."""
CLOSER = 5
"""Values on the way to an end of the region, each at half the distance."""
BEND = 0.03
"""Part of the usual values of the second parameter by which the region's edge may move from one value to the next."""
AROUND = 10.0
"""Factor by which what is shown goes beyond the region and the present setting."""
TABLE = "region"
CORNERS = {"least": "least {symbol} that does it", "greatest": "greatest {symbol} that does it",
           "": "the solution named"}
"""What the corner is called, by the end of the region at which it lies."""

Strip = tuple[float | int, float, float]
"""A value of the first parameter, and from where to where the second will do; NaN where nothing does."""


@dataclass(frozen=True, slots=True)
class Feasible:
    """The region of two parameters in which wants hold, as a picture and what it is drawn from."""

    problem: Problem
    solution: Solution
    tables: Mapping[str, Table]
    end: str = ""
    """The end of the first parameter at which the corner lies; empty where it lies at none."""

    @property
    def table(self) -> Table:
        """The first parameter, from where to where the second will do at each of its values, and the corner."""
        return self.tables[TABLE]

    @property
    def windows(self) -> Mapping[str, Span]:
        first, low, *_ = self.table.values()
        inside = [*first[np.isfinite(low)].tolist(), float(self.problem.axes[0].now)]
        ends = float(first.min()), float(first.max())
        if not ends[0] > 0:
            return {TABLE: ends}
        return {TABLE: (max(ends[0], min(inside) / AROUND), min(ends[1], max(inside) * AROUND))}

    @property
    def promises(self) -> tuple[Guarantee, ...]:
        """What is promised at the present setting."""
        return tuple(self.problem.kind(**self.problem.explicit).answer().guarantees.values())

    def fact(self, *_: object) -> Fact | None:
        """A region has none."""
        return None

    @property
    def figure(self) -> Figure:
        outer, inner = (axis.parameter for axis in self.problem.axes)
        x, *inner_columns = self.table
        holds, best = _series(self.problem, self.end)
        low, high, corner = (Column(each.quantity, one) for each, one in zip(inner_columns, (holds, holds, best),
                                                                             strict=True))
        wants = listed(f"{want.label(self.problem.kind)} {want.phrase(self.problem.kind)}"
                       for want in self.problem.wants)
        title = phrase("{up} against {across}: where all that is wanted holds", up=inner.quantity.symbol,
                       across=outer.quantity.symbol)
        across, up = (Axis(axis.parameter.quantity, _scale(axis)) for axis in self.problem.axes)
        low_end, high_end = inner.range or (None, None)
        return Figure(
            "region", title, TABLE, across, replace(up, low=low_end, high=high_end),
            (Band(x, low, high), Line(x, low), Line(x, high), Dots(x, corner),
             Mark(outer.name, draggable=True), Mark(inner.name, "y", draggable=True)),
            caption=phrase("In the area: {wants}.", wants=wants), empty=phrase("No values of the two do it"),
            compared=self.problem.kind.answers().series())


def region(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
           between: Mapping[str, Span] | None = None) -> Feasible:
    """The region of two parameters, over what is usual of each or what is given.

    Of the second parameter the widest stretch counts. Raises InvalidParameter for what no study can be asked.
    """
    if len(names) != 2:
        raise InvalidParameter("names", "two parameters", ", ".join(names))
    problem = Problem.of(kind, explicit, wants, names, between or {})
    pair = ProblemSolver(problem)
    outer, inner = problem.axes
    solution = pair.solved()
    corners = solution.limits or ((solution.values,) if solution.met else ())
    ends = [float(values[outer.name]) for values in corners]
    rows: Trace[float | int, Strip] = Trace(partial(_row, pair))
    first = _places(outer, (between or {}).get(outer.name), ends)
    for _ in refined(rows.__getitem__, first, partial(_bend, rows, outer, inner), len(first) + MORE):
        pass
    inside = [number for number, (_, low, _) in rows.items() if not math.isnan(low)]
    end = {min(inside): "least", max(inside): "greatest"}.get(ends[0], "") if inside and ends else ""
    with in_english():  # it goes to files
        holds, best = _series(problem, end)
    quantity = inner.parameter.quantity
    columns = (Column(outer.parameter.quantity), Column(quantity, holds),
               Column(variant(quantity, key=f"{quantity.key}_to"), holds), Column(quantity, best))
    corner = {ends[0]: float(corners[0][inner.name])} if ends else {}
    made = np.array([(*map(float, rows[number]), corner.get(float(number), math.nan)) for number in rows.places])
    return Feasible(problem, solution, {TABLE: Table(dict(zip(columns, made.T, strict=True)))}, end)


def _row(pair: ProblemSolver, number: float | int) -> Strip:
    left, inner = pair.stretch(number), pair.inner
    if left is None or (pair.fixing and not pair.problem.holds(
            {pair.outer.name: number, inner.name: inner.over.number((left.low + left.high) // 2)})):
        return number, math.nan, math.nan
    return number, float(inner.over.number(left.low)), float(inner.over.number(left.high))


def _scale(axis: Unknown) -> Scale:
    low = (axis.parameter.range or (0.0, 0.0))[0]
    return axis.parameter.quantity.scale if low > 0 else "linear"


def _places(axis: Unknown, part: Span | None, ends: Sequence[float]) -> list[float | int]:
    """Values of the first parameter over what is usual of it, closer where the region ends."""
    low, high = part or axis.parameter.range or (float(axis.over.low), float(axis.over.high))
    numbers = {*(np.geomspace if _scale(axis) == "log" else np.linspace)(low, high, POINTS).tolist(), float(axis.now)}
    for end in ends:
        beside = min((each for each in numbers if each > end), default=end), max(
            (each for each in numbers if each < end), default=end)
        numbers |= {end + (each - end) / 2**step for each in beside for step in range(1, CLOSER)} | {end}
    inside = (min(max(number, axis.over.low), axis.over.high) for number in numbers)
    return sorted({round(number) if axis.over.integer else number for number in inside})


def _bend(rows: Mapping[float | int, Strip], outer: Unknown, inner: Unknown, numbers: Sequence[float | int]
          ) -> list[float | int]:
    """Between which two values an edge moves most, a value in the middle; none where it moves little anywhere."""
    usual = inner.parameter.range or (float(inner.over.low), float(inner.over.high))
    log = _scale(inner) == "log"

    def at(value: float) -> float:
        low, high, value = (math.log(each) if log else each for each in (*usual, min(max(value, usual[0]), usual[1])))
        return (value - low) / (high - low)

    most, found = BEND, list[float | int]()
    for left, right in pairwise(numbers):
        moved = max(abs(at(one) - at(other)) for one, other in zip(rows[left][1:], rows[right][1:], strict=True))
        middle: float | int = math.sqrt(left * right) if _scale(outer) == "log" else (left + right) / 2
        middle = round(middle) if outer.over.integer else middle
        if moved > most and left < middle < right:
            most, found = moved, [middle]
    return found


def _series(problem: Problem, end: str) -> tuple[Series, Series]:
    """The area and its corner at one end of it, in the look of the one series that everything is wanted of."""
    wanted = {want.series for want in problem.wants}
    looks = {one.key: one.look for one in problem.kind.answers().series()}
    look = looks.get(next(iter(wanted)) or "", "") if len(wanted) == 1 else ""
    best = phrase(CORNERS[end], symbol=problem.axes[0].parameter.quantity.symbol)
    return Series("holds", phrase("all that is wanted holds"), look), Series("best", best, look)
