"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

Each fact is asked alone. What is returned, put back, meets the wants: found between two neighbouring numbers, it is the
one on the side where they hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from dpstudio.core.results import Span
from dpstudio.core.solve.along import Along, Found, Stretch, is_flat
from dpstudio.core.solve.problem import Problem, found_at
from dpstudio.core.solve.solution import (
    DIGITS,
    Solution,
    as_number,
    facts_told,
    lead,
    met_told,
    named,
    ranging,
    unmet_told,
)
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.text.numbers import short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

THIN = 4
"""With two parameters every so many of the places that one alone is looked at."""
ALIKE = 1e-9
"""Part of a miss by which others are no worse."""


def solve(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
          between: Mapping[str, Span] | None = None) -> Solution:
    """Solve for one or two numeric parameters of a study, of which these values are set.

    Of several solutions the most private is named. Raises InvalidParameter for what no study can be asked.
    """
    return solved(Problem.of(kind, explicit, wants, names, between or {}))


def solved(problem: Problem) -> Solution:
    """What solves a problem, or comes nearest to that."""
    return Pair(problem).solved() if len(problem.axes) == 2 else _alone(problem)


def _alone(problem: Problem) -> Solution:
    """Along one parameter: where all wants hold together."""
    axis, = problem.axes
    lines = [problem.along(want, axis, {}) for want in problem.wants]
    stretches = common([line.stretches() for line in lines])
    now = axis.over.place(axis.now)
    ends = [(now, 0)] if is_flat(lines) else limits(stretches, lines)
    ends = [end for end in ends if problem.holds({axis.name: axis.over.number(end[0])})]
    if not ends:
        return _nearest(problem, lines)
    ends.sort(key=lambda end: axis.rank(end[0]))
    values, *others = ({axis.name: axis.over.number(place)} for place, _ in ends)
    facts = tuple(fact for fact, _ in problem.reached(values))
    return Solution(values, facts, True, tuple(others), met_told(problem, axis, ends, lines, facts))


def _nearest(problem: Problem, lines: Sequence[Along]) -> Solution:
    """What comes nearest to wants that nothing meets."""
    axis, = problem.axes
    places = sorted({place for line in lines for place in line.places})
    worst = {place: _worst(line.at(place) for line in lines) for place in places}
    known = [place for place in places if not math.isnan(worst[place])]
    here = {axis.name: axis.now}
    if not known:
        facts = tuple(fact for fact, _ in problem.reached(here))
        names = listed(want.name for want in problem.wants)
        says = f"For no {axis.parameter.quantity.symbol} {ranging(axis)} there is a value of {names}."
        return Solution(here, facts, False, (), says)
    least = min(worst[place] for place in known)
    best = min((place for place in known if worst[place] <= least + ALIKE * abs(least)), key=axis.rank)
    flat = is_flat(lines)
    values = here if flat else {axis.name: axis.over.number(best)}
    found = problem.reached(values)
    return Solution(values, tuple(fact for fact, _ in found), False, (),
                    unmet_told(problem, (axis,), values, found, flat=flat))


def common(stretches: Sequence[Sequence[Stretch]]) -> list[Stretch]:
    """Where several things hold together."""
    def both(left: Sequence[Stretch], right: Sequence[Stretch]) -> list[Stretch]:
        met = (one.meet(other) for one in left for other in right)
        return [each for each in met if each.low <= each.high]

    return reduce(both, stretches[1:], list(stretches[0]))


def limits(stretches: Sequence[Stretch], lines: Sequence[Along]) -> list[tuple[int, int]]:
    """Where the wants begin and cease to hold, with the side on which they do: 1 above, −1 below, 0 there alone.

    Where they hold all over, the end at which they hold by the least.
    """
    ends: dict[int, int] = {}
    for each in stretches:
        if each.low == each.high:
            ends[each.low] = 0
        else:
            ends |= {place: side for place, side, fails in ((each.low, 1, each.fails_below),
                                                            (each.high, -1, each.fails_above)) if fails}
    if not ends:
        either = [(place, side) for each in stretches for place, side in ((each.low, 1), (each.high, -1))]
        ends = dict(sorted(either, key=lambda end: -_worst(line.at(end[0]) for line in lines))[:1])
    return list(ends.items())


def _worst(found: Iterator[Found]) -> float:
    """By how much the want is missed that is missed by most; NaN where one is undefined."""
    misses = [each.slope if each.side in ("met", "missed", "nowhere") else abs(each.slope) for each in found]
    return math.nan if any(map(math.isnan, misses)) else max(misses)


# Two parameters

class Pair:
    """Two parameters: along the first, what is left of the second."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.outer, self.inner = problem.axes
        exact = [want for want in problem.wants if want.relation == "="]
        self.fixing = exact[0] if exact else None
        """The want that fixes the second parameter at each value of the first."""
        self.rest = tuple(want for want in problem.wants if want is not self.fixing)
        self._lines: dict[float | int, list[Along]] = {}
        self._near: tuple[float, Mapping[str, Value]] | None = None

    def solved(self) -> Solution:
        """The most private value of the first parameter at which something is left, and the second there."""
        problem, outer = self.problem, self.outer
        line = Along(self._left_at, outer.over, outer.scan(2 * THIN))
        ends = sorted(limits(line.stretches(), [line]), key=lambda end: outer.rank(end[0]))
        solutions = [values for place, _ in ends if (values := self._values(outer.over.number(place))) is not None
                     and problem.holds(values)]
        if not solutions:
            return self._nearest()
        facts = tuple(fact for fact, _ in problem.reached(solutions[0]))
        side = next(side for place, side in ends if outer.over.number(place) == solutions[0][outer.name])
        begun = lead(outer.parameter.quantity.symbol, side, alone=len(solutions) == 1)
        says = f"{begun}{self._said(solutions[0], side)}. {facts_told(problem, facts)}"
        return Solution(solutions[0], facts, True, tuple(solutions[1:]), says)

    def _said(self, values: Mapping[str, Value], side: int) -> str:
        """Both parameters in as few digits as leave them a solution together."""
        problem, outer, inner = self.problem, self.outer, self.inner
        number = values[outer.name]
        assert isinstance(number, int | float)
        if side and isinstance(number, float):
            for digits in DIGITS:
                rounded = as_number(short(number, digits, "up" if side > 0 else "down"))
                if not outer.over.low <= rounded <= outer.over.high:
                    continue
                # The second parameter as it is, where that will do.
                kept = {**values, outer.name: rounded}
                there = kept if problem.holds(kept) else self._values(rounded)
                if there and problem.holds(there):
                    return f"{outer.parameter.quantity.symbol} = {short(rounded, digits)}, " \
                           f"{named(problem, inner, there, 0)}"
        return ", ".join(named(problem, axis, values, 0) for axis in problem.axes)

    def stretch(self, number: float | int) -> Stretch | None:
        """What is left of the second parameter at a value of the first: the widest stretch; None where nothing is."""
        stretches = common([line.stretches() for line in self._along(number)])
        return max(stretches, key=lambda each: each.high - each.low, default=None)

    def _along(self, number: float | int) -> list[Along]:
        if number not in self._lines:
            wants = (self.fixing,) if self.fixing else self.problem.wants
            fixed = {self.outer.name: number}
            self._lines[number] = [self.problem.along(want, self.inner, fixed, THIN) for want in wants]
        return self._lines[number]

    def _values(self, number: float | int) -> Mapping[str, Value] | None:
        """Both parameters at a value of the first: the second in the middle of what is left."""
        left = self.stretch(number)
        if left is None:
            return None
        place = (left.low + left.high) // 2
        return {self.outer.name: number, self.inner.name: self.inner.over.number(place)}

    def _left_at(self, number: float | int) -> Found:
        """Whether anything is left there, and how wide, or how far what is wanted lies apart."""
        lines = self._along(number)
        every = [line.stretches() for line in lines]
        if not all(every):
            for place in (line.nearest for line in lines):
                if place is not None:
                    self._note({self.outer.name: number, self.inner.name: self.inner.over.number(place)})
            return Found("missed" if self.fixing is None else "nowhere", False, math.inf, math.inf)
        if self.fixing is not None:
            values = self._values(number)
            assert values is not None
            self._note(values)
            each = [found_at(want, *found) for want, found in
                    zip(self.rest, replace(self.problem, wants=self.rest).reached(values), strict=True)]
            return max(each, key=lambda found: abs(found.slope)) if each else Found("met", True, 0.0, 0.0)
        apart = min(float(max(one.low for one in these) - min(one.high for one in these)) for these in _choices(every))
        self._note({self.outer.name: number, self.inner.name: self.inner.over.number(every[0][0].low)})
        return Found("met" if apart <= 0 else "missed", apart <= 0, apart, apart or -0.5)

    def _note(self, values: Mapping[str, Value]) -> None:
        """Remember what comes nearest."""
        found = zip(self.problem.wants, self.problem.reached(values), strict=True)
        worst = _worst(found_at(want, *each) for want, each in found)
        if not math.isnan(worst) and (self._near is None or worst < self._near[0]):
            self._near = worst, values

    def _nearest(self) -> Solution:
        problem = self.problem
        values = self._near[1] if self._near else {axis.name: axis.now for axis in problem.axes}
        found = problem.reached(values)
        return Solution(values, tuple(fact for fact, _ in found), False, (),
                        unmet_told(problem, problem.axes, values, found, flat=False))


def _choices(every: Sequence[Sequence[Stretch]]) -> Iterator[tuple[Stretch, ...]]:
    """One stretch of each."""
    if not every:
        yield ()
        return
    for rest in _choices(every[1:]):
        for one in every[0]:
            yield (one, *rest)
