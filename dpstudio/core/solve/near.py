"""Solutions for hands: the one next to where a parameter is, found in a frame, and numbers that can be read."""

from __future__ import annotations

from collections.abc import Mapping

from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solution import DIGITS, facts_told, in_digits, named, sides
from dpstudio.core.solve.solver import common, edges
from dpstudio.vocabulary import Value

STEPS, WHOLE_STEPS = (40, 46, 49, 51, 52, 53, 54), range(0, 40, 4)
"""Powers of two of the places on either side that are looked at: of doubles up to a factor of some ten, of whole
numbers up to all."""


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
    ends = sorted((end.place for end in edges(common([line.stretches() for line in lines]))),
                  key=lambda place: abs(place - here))
    found = ({axis.name: axis.over.number(place)} for place in ends if place not in (scan[0], scan[-1]))
    return next(filter(problem.holds, found), None)


def readable(problem: Problem, values: Mapping[str, Value], digits: int = DIGITS[0]) -> Mapping[str, Value]:
    """A solution in numbers of few digits, as few as leave it one."""
    for axis in problem.axes:
        values = in_digits(problem, values, axis, sides(0), range(digits, DIGITS.stop))
    return values


def told(problem: Problem, values: Mapping[str, Value]) -> str:
    """“ε = 0.0157. Uncertain width (Laplace) is then 498.3; wanted: at most 500.”"""
    what = ", ".join(named(axis, values) for axis in problem.axes)
    return f"{what}. {facts_told(problem, [fact for fact, _ in problem.reached(values)])}"
