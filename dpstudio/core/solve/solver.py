"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

Each fact is asked alone. What is returned, put back, meets the wants: found between two neighbouring numbers, it is the
one on the side where they hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dpstudio.core.needs import DIGITS
from dpstudio.core.results import Span
from dpstudio.core.solve.along import Along, Stretch, is_flat
from dpstudio.core.solve.ends import End, common, edges, meant
from dpstudio.core.solve.pair import TwoParameters
from dpstudio.core.solve.problem import Problem, Unknown, most_missed
from dpstudio.core.solve.solution import (
    Solution,
    also_told,
    every_told,
    facts_told,
    in_digits,
    lead,
    named,
    ranging,
    shortened,
    sides,
    unmet,
)
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

PROBES = 12
"""Parts of a stretch between which is looked before it is said that every value of it does it."""
ALIKE = 1e-9
"""Part of a miss by which others are no worse."""
STEPS, WHOLE_STEPS = (40, 46, 49, 51, 52, 53, 54), range(0, 40, 4)
"""Powers of two of the places on either side that are looked at: of doubles up to a factor of some ten, of whole
numbers up to all."""


def solve(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
          between: Mapping[str, Span] | None = None) -> Solution:
    """Solve for one or two numeric parameters of a study, of which these values are set.

    The most private of all solutions is meant, of ceilings on what privacy spends the edge. Raises InvalidParameter for
    what no study can be asked.
    """
    return solved(Problem.of(kind, explicit, wants, names, between or {}))


def solved(problem: Problem) -> Solution:
    """What solves a problem, or comes nearest to that."""
    return TwoParameters(problem).solved() if len(problem.axes) == 2 else _alone(problem)


def _alone(problem: Problem) -> Solution:
    """Along one parameter: where all wants hold together."""
    axis, = problem.axes
    lines = [problem.along(want, axis, {}) for want in problem.wants]
    flat = is_flat(lines)
    stretches = common([line.stretches() for line in lines])
    every = () if flat else meant(axis, stretches, spent=problem.limits)
    ends = [end for end in every if problem.holds(axis.at(end.place))]
    stays = min(max(axis.here, axis.over.first), axis.over.last)
    if flat and problem.holds(axis.at(stays)):
        ends = [End(stays)]
    if not ends:
        return _nearest(problem, lines)
    first, *rest = ends
    values, *others = (_taken(problem, axis, end) for end in ends)
    others = [other for i, other in enumerate(others) if other not in (values, *others[:i])]
    facts = problem.facts(values)
    told = facts_told(problem, facts)
    if flat:
        says = f"{axis.parameter.quantity.symbol} makes no difference to it. {told}"
    elif first.every:
        reach = _reach(problem, axis, first.every)
        further = [other for other in others if other[axis.name] not in reach]
        begun = every_told(problem, axis, values, reach, usual=first.inside,
                           all_through=_all_through(problem, axis, first.every))
        says = f"{begun}. {told}{also_told(axis, further)}"
    else:
        begun = lead(axis, first.side, alone=not rest, exact=values[axis.name] == axis.over.number(first.place))
        says = f"{begun}{named(axis, values)}. {told}{also_told(axis, others)}"
    limits = tuple(axis.at(end.place) for end in ends if not end.every and not flat)
    leans = flat or not axis.way or (bool(first.every) and problem.limits)
    return Solution(values, facts, True, tuple(others), says, limits, leans)


def _taken(problem: Problem, axis: Unknown, end: End) -> Mapping[str, Value]:
    """The value there in as few digits as leave it a solution; what stays and the ends of all, as they are."""
    values, as_it_is = axis.at(end.place), (axis.here, axis.over.first, axis.over.last)
    return values if end.place in as_it_is else in_digits(problem, values, axis, sides(end.side))


def _reach(problem: Problem, axis: Unknown, every: Stretch) -> tuple[Value, Value]:
    """From where to where everything does it, in numbers that do it."""
    low, high = (_taken(problem, axis, end)[axis.name] for end in (End(every.low, 1), End(every.high, -1)))
    return low, high


def _all_through(problem: Problem, axis: Unknown, every: Stretch) -> bool:
    """Whether it is met at all of some places within a stretch, evenly by place and by number."""
    low, high = (axis.over.number(place) for place in (every.low, every.high))
    numbers = (low + (high - low) * step / PROBES for step in range(1, PROBES))
    places = {every.low + (every.high - every.low) * step // PROBES for step in range(1, PROBES)} | {
        axis.over.place(round(number) if axis.over.integer else number) for number in numbers}
    return all(problem.holds(axis.at(place)) for place in places)


def _nearest(problem: Problem, lines: Sequence[Along]) -> Solution:
    """What comes nearest to wants that nothing meets."""
    axis, = problem.axes
    places = sorted({place for line in lines for place in line.places})
    worst = {place: most_missed(line.at(place) for line in lines) for place in places}
    known = [place for place in places if not math.isnan(worst[place])]
    here = {axis.name: axis.now}
    if not known:
        names = listed(want.name for want in problem.wants)
        says = f"For no {axis.parameter.quantity.symbol} {ranging(axis)} there is a value of {names}."
        return Solution(here, problem.facts(here), False, says=says)
    least = min(worst[place] for place in known)
    best = min((place for place in known if worst[place] <= least + ALIKE * abs(least)), key=axis.rank)
    flat = is_flat(lines)
    values = here if flat else shortened(problem, axis.at(best), worst[best])
    return unmet(problem, values, flat=flat)


# For hands

def near(problem: Problem, values: Mapping[str, Value]) -> Mapping[str, Value] | None:
    """The solution for one parameter next to these values, as when what is wanted has moved a little.

    None where there is none near. Nothing is looked at elsewhere, which takes a tenth of the time of all of it.
    """
    axis, = problem.axes
    number = values[axis.name]
    assert isinstance(number, int | float)
    here, first, last = axis.over.place(number), axis.over.first, axis.over.last
    steps = [2**power for power in (WHOLE_STEPS if axis.over.integer else STEPS)]
    scan = sorted({min(max(here + step, first), last) for size in steps for step in (-size, size)} | {here})
    lines = [problem.along(want, axis, {}, scan=scan) for want in problem.wants]
    ends = sorted((end.place for end in edges(common([line.stretches() for line in lines]))),
                  key=lambda place: abs(place - here))
    found = (axis.at(place) for place in ends if place not in (scan[0], scan[-1]))
    return next(filter(problem.holds, found), None)


def readable(problem: Problem, values: Mapping[str, Value], digits: int = DIGITS[0]) -> Mapping[str, Value]:
    """A solution in numbers of few digits, as few as leave it one."""
    for axis in problem.axes:
        values = in_digits(problem, values, axis, sides(0), range(digits, DIGITS.stop))
    return values


def told(problem: Problem, values: Mapping[str, Value]) -> str:
    """“ε = 0.0157. Uncertain width (Laplace) is then 498.3; wanted: at most 500.”"""
    what = ", ".join(named(axis, values) for axis in problem.axes)
    return f"{what}. {facts_told(problem, problem.facts(values))}"


