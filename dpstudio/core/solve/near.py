"""Solutions for hands: the one next to where a parameter is, found in a frame, and numbers that can be read."""

from __future__ import annotations

from collections.abc import Mapping

from dpstudio.core.solve.problem import Axis, Problem
from dpstudio.core.solve.solution import DIGITS, as_number, facts_told, named
from dpstudio.core.solve.solver import common, limits
from dpstudio.text.numbers import Side, short
from dpstudio.vocabulary import Value

STEPS, WHOLE_STEPS = (40, 46, 49, 51, 52, 53, 54), range(0, 40, 4)
"""Powers of two of the places on either side that are looked at: of doubles up to a factor of some ten, of whole
numbers up to all."""
SIDES: tuple[Side, ...] = ("nearest", "up", "down")


def near(problem: Problem, values: Mapping[str, Value]) -> Mapping[str, Value] | None:
    """The solution for one parameter next to these values, as when what is wanted has moved a little.

    None where there is none near. Nothing is looked at elsewhere, which takes a tenth of the time of all of it.
    """
    axis, = problem.axes
    number = values[axis.name]
    assert isinstance(number, int | float)
    here, first, last = (axis.over.place(each) for each in (number, axis.over.low, axis.over.high))
    steps = [2**power for power in (WHOLE_STEPS if axis.over.integer else STEPS)]
    scan = sorted({min(max(here + step, first), last) for size in steps for step in (-size, size)} | {here})
    lines = [problem.along(want, axis, {}, scan=scan) for want in problem.wants]
    ends = sorted(limits(common([line.stretches() for line in lines]), lines), key=lambda end: abs(end[0] - here))
    found = ({axis.name: axis.over.number(place)} for place, _ in ends if place not in (scan[0], scan[-1]))
    return next(filter(problem.holds, found), None)


def readable(problem: Problem, values: Mapping[str, Value], digits: int = DIGITS[0]) -> Mapping[str, Value]:
    """A solution in numbers of few digits, as few as leave it one."""
    for axis in problem.axes:
        values = {**values, axis.name: _rounded(problem, axis, values, digits)}
    return values


def _rounded(problem: Problem, axis: Axis, values: Mapping[str, Value], digits: int) -> Value:
    number = values[axis.name]
    for kept in range(digits, DIGITS.stop) if isinstance(number, float) else ():
        for side in SIDES:
            rounded = as_number(short(number, kept, side))  # type: ignore[arg-type]  # it is a float
            if axis.over.low <= rounded <= axis.over.high and problem.holds({**values, axis.name: rounded}):
                return rounded
    return number


def told(problem: Problem, values: Mapping[str, Value]) -> str:
    """“ε = 0.0157. Uncertain width (Laplace) is then 500; wanted: at most 500.”"""
    what = ", ".join(named(problem, axis, values, 0) for axis in problem.axes)
    return f"{what}. {facts_told(problem, [fact for fact, _ in problem.reached(values)])}"
