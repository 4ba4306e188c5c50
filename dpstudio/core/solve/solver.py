"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

Each fact is asked alone. What is returned, put back, meets the wants: found between two neighbouring numbers, it is the
one on the side where they hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from dpstudio.core.results import Span
from dpstudio.core.solve.along import Along, Found, Stretch, is_flat
from dpstudio.core.solve.problem import Axis, Problem, found_at
from dpstudio.core.solve.solution import (
    DIGITS,
    NEAREST,
    Solution,
    also_told,
    as_number,
    every_told,
    facts_told,
    in_digits,
    lead,
    named,
    ranging,
    sides,
    unmet_told,
)
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.text.numbers import short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

PROBES = 12
"""Parts of a stretch between which is looked before it is said that every value of it does it."""
INWARD = 1e-3
"""Part of what is usual by which is kept from an end of it at which nothing is defined."""
THIN = 4
"""With two parameters every so many of the places that one alone is looked at."""
ALIKE = 1e-9
"""Part of a miss by which others are no worse."""
NEARLY = 1e-3
"""The same of what is rounded."""


def solve(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
          between: Mapping[str, Span] | None = None) -> Solution:
    """Solve for one or two numeric parameters of a study, of which these values are set.

    The most private of all solutions is meant, of ceilings on what privacy spends the edge. Raises InvalidParameter for
    what no study can be asked.
    """
    return solved(Problem.of(kind, explicit, wants, names, between or {}))


def solved(problem: Problem) -> Solution:
    """What solves a problem, or comes nearest to that."""
    return Pair(problem).solved() if len(problem.axes) == 2 else _alone(problem)


def _alone(problem: Problem) -> Solution:
    """Along one parameter: where all wants hold together."""
    axis, = problem.axes
    lines = [problem.along(want, axis, {}) for want in problem.wants]
    flat = is_flat(lines)
    stretches = common([line.stretches() for line in lines])
    ends = [] if flat else [end for end in meant(axis, stretches, spent=problem.limits) if _holds(problem, axis, end)]
    stays = min(max(axis.here, axis.over.place(axis.over.low)), axis.over.place(axis.over.high))
    if flat and problem.holds({axis.name: axis.over.number(stays)}):
        ends = [End(stays)]
    if not ends:
        return _nearest(problem, lines)
    first, *rest = ends
    values, *others = (_taken(problem, axis, end) for end in ends)
    others = [other for i, other in enumerate(others) if other not in (values, *others[:i])]
    facts = tuple(fact for fact, _ in problem.reached(values))
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
    limits = tuple({axis.name: axis.over.number(end.place)} for end in ends if not end.every and not flat)
    leans = flat or not axis.way or (bool(first.every) and problem.limits)
    return Solution(values, facts, True, tuple(others), says, limits, leans)


def _holds(problem: Problem, axis: Axis, end: End) -> bool:
    return problem.holds({axis.name: axis.over.number(end.place)})


def _taken(problem: Problem, axis: Axis, end: End) -> Mapping[str, Value]:
    """The value there in as few digits as leave it a solution; what stays and the ends of all, as they are."""
    values = {axis.name: axis.over.number(end.place)}
    if end.place in (axis.here, axis.over.place(axis.over.low), axis.over.place(axis.over.high)):
        return values
    return in_digits(problem, values, axis, sides(end.side))


def _reach(problem: Problem, axis: Axis, every: Stretch) -> tuple[Value, Value]:
    """From where to where everything does it, in numbers that do it."""
    low, high = (_taken(problem, axis, end)[axis.name] for end in (End(every.low, 1), End(every.high, -1)))
    return low, high


def _all_through(problem: Problem, axis: Axis, every: Stretch) -> bool:
    """Whether it is met at all of some places within a stretch, evenly by place and by number."""
    low, high = (axis.over.number(place) for place in (every.low, every.high))
    numbers = (low + (high - low) * step / PROBES for step in range(1, PROBES))
    places = {every.low + (every.high - every.low) * step // PROBES for step in range(1, PROBES)} | {
        axis.over.place(round(number) if axis.over.integer else number) for number in numbers}
    return all(problem.holds({axis.name: axis.over.number(place)}) for place in places)


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
    values = here if flat else _shortened(problem, {axis.name: axis.over.number(best)}, worst[best])
    found = problem.reached(values)
    return Solution(values, tuple(fact for fact, _ in found), False, (),
                    unmet_told(problem, (axis,), values, found, flat=flat))


def _shortened(problem: Problem, values: Mapping[str, Value], miss: float) -> Mapping[str, Value]:
    """What comes nearest, in as few digits as leave it as near, but for a thousandth."""
    for axis in problem.axes:
        for digits in NEAREST if isinstance(values[axis.name], float) else ():
            rounded = as_number(short(float(values[axis.name]), digits))
            there = {**values, axis.name: rounded}
            found = zip(problem.wants, problem.reached(there), strict=True)
            if axis.over.low <= rounded <= axis.over.high \
                    and _worst(found_at(want, *each) for want, each in found) <= miss + NEARLY * abs(miss):
                values = there
                break
    return values


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


def meant(axis: Axis, stretches: Sequence[Stretch], *, spent: bool) -> list[End]:
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


def _most_private(axis: Axis, most: Stretch) -> int:
    """The end of a stretch that is preferred; where nothing is defined beyond it, the last place usual, or what is now.

    Above 0 there is no least number.
    """
    place, end = (most.low, axis.over.low) if axis.way > 0 else (most.high, axis.over.high)
    if place == axis.over.place(end) or not axis.parameter.range:
        return place
    low, high = axis.parameter.range
    last, inward = (low, (high - low) * INWARD) if axis.way > 0 else (high, (low - high) * INWARD)
    usual = (axis.over.place(round(each) if axis.over.integer else each) for each in (last, last + inward))
    return min((each for each in (*usual, axis.here) if most.holds(each)), key=axis.rank, default=place)


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
        self.leaning = False
        """Whether the second parameter was looked for beside what it is now."""

    def solved(self) -> Solution:
        """What is meant of the first parameter, where something is left, and of the second there."""
        problem, outer = self.problem, self.outer
        line = Along(self._left_at, outer.over, outer.scan(2 * THIN))
        ends = meant(outer, line.stretches(), spent=problem.limits)
        there = ((end, self._values(outer.over.number(end.place))) for end in ends)
        found = [(end, values) for end, values in there if values is not None and problem.holds(values)]
        if not found:
            return self._nearest()
        (first, corner), *rest = found
        values, *others = (self._taken(*each) for each in found)
        facts = tuple(fact for fact, _ in problem.reached(values))
        if first.every:
            reach = outer.over.number(first.every.low), outer.over.number(first.every.high)
            begun = every_told(problem, outer, values, reach, usual=first.inside,
                               beside=f" with some {self.inner.parameter.quantity.symbol}")
        else:
            exact = values[outer.name] == corner[outer.name]
            begun = lead(outer, first.side, alone=not rest, exact=exact) + named(outer, values)
        says = f"{begun}, {named(self.inner, values)}. {facts_told(problem, facts)}"
        limits = tuple(corner for end, corner in found if not end.every)
        leans = self.leaning or not outer.way or (bool(first.every) and problem.limits)
        return Solution(values, facts, True, tuple(others), says, limits, leans)

    def _taken(self, end: End, corner: Mapping[str, Value]) -> Mapping[str, Value]:
        """Both parameters in as few digits as leave them a solution together."""
        problem, outer, inner = self.problem, self.outer, self.inner
        number, values = corner[outer.name], corner
        for digits in DIGITS if end.side and isinstance(number, float) else ():
            rounded = as_number(short(float(number), digits, *sides(end.side)))
            if outer.over.low <= rounded <= outer.over.high and (there := self._values(rounded)) is not None \
                    and problem.holds(there):
                values = there
                break
        else:
            values = values if end.every else in_digits(problem, values, outer, sides(0))
        return in_digits(problem, values, inner, sides(0)) if values[inner.name] != inner.now else values

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
        """Both parameters at a value of the first: of what is left of the second, what is meant.

        Where the second makes no difference it stays as it is.
        """
        left, inner = self.stretch(number), self.inner
        if left is None:
            return None
        if is_flat(self._along(number)):
            self.leaning = True
            return {self.outer.name: number, inner.name: inner.over.number(left.clipped(inner.here))}
        end, *_ = meant(inner, [left], spent=self.problem.limits)
        self.leaning |= not inner.way or (bool(end.every) and self.problem.limits)
        return {self.outer.name: number, inner.name: inner.over.number(end.place)}

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
        values: Mapping[str, Value] = {axis.name: axis.now for axis in problem.axes}
        if self._near:
            values = _shortened(problem, self._near[1], self._near[0])
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
