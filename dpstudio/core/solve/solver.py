"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

Each fact is asked alone. What is returned, put back, meets the wants: found between two neighbouring numbers, it is the
one on the side where they hold. Of two parameters the second is solved for at each value of the first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from dpstudio.core.needs import DIGITS
from dpstudio.core.results import Span
from dpstudio.core.search import lowest
from dpstudio.core.solve.along import Along, Sample, Stretch, is_flat
from dpstudio.core.solve.ends import End, common, edges, meant
from dpstudio.core.solve.problem import Problem, found_at, most_missed
from dpstudio.core.solve.solution import (
    Solution,
    also_told,
    beside_told,
    every_told,
    facts_told,
    in_digits,
    limit_told,
    named,
    neat,
    no_difference,
    ranging,
    shortened,
    unmet,
)
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.core.trace import Trace
from dpstudio.text.language import phrase
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

PROBES = 12
"""Parts of a stretch between which is looked before it is said that every value of it does it."""
ALIKE = 1e-9
"""Part of a miss by which others are no worse."""
THIN = 4
"""With two parameters every so many of the places that one alone is looked at."""
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
    """What solves a problem, or comes nearest to that, with the choices that are made with it."""
    found, whole = ProblemSolver(problem).solved(), problem.whole
    if not problem.brought:
        return found
    return replace(found, values=whole(found.values), others=tuple(map(whole, found.others)),
                   limits=tuple(map(whole, found.limits)), says=f"{found.says}{beside_told(problem)}")


class ProblemSolver:
    """Along the first parameter of a problem; of two, what is left of the second at each of its values."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.outer, self.inner = problem.axes[0], problem.axes[-1]
        self.alone = len(problem.axes) == 1
        exact = [want for want in problem.wants if want.relation == "="]
        self.fixing = exact[0] if exact else None
        """The want that fixes the second parameter at each value of the first."""
        self.rest = tuple(want for want in problem.wants if want is not self.fixing)
        self._within: Trace[float | int, list[Along]] = Trace(self._along)
        """Along the second parameter at each value of the first."""
        self._near: tuple[float, Mapping[str, Value]] | None = None
        self._leaning = False
        """Whether the second parameter was looked for beside what it is now."""

    def solved(self) -> Solution:
        """What is meant of the first parameter, where something is left, and of the second there."""
        problem, axis = self.problem, self.outer
        lines = [problem.along(want, axis, {}) for want in problem.wants] if self.alone else [
            Along(self._left_at, axis.over, axis.scan(2 * THIN))]
        flat = self.alone and is_flat(lines)
        ends = [End(min(max(axis.here, axis.over.first), axis.over.last))] if flat else meant(
            axis, common([line.stretches() for line in lines]), spent=problem.limits)
        there = ((end, self._values(axis.over.number(end.place))) for end in ends)
        found = [(end, values) for end, values in there if values is not None and problem.holds(values)]
        if not found:
            return self._nearest_alone(lines) if self.alone else self._first_alone() or self._nearest()
        first, *rest = (end for end, _ in found)
        values, *others = (neat(problem, corner) for _, corner in found)
        facts = problem.facts(values)
        told, further = facts_told(problem, facts), others
        if flat:
            begun = no_difference(axis.parameter.quantity.symbol)
        elif first.every:
            reach = axis.over.number(first.every.low), axis.over.number(first.every.high)
            further = [other for other, (_, corner) in zip(others, found[1:], strict=True)
                       if corner[axis.name] not in reach]
            begun = every_told(problem, axis, values, reach, usual=first.inside,
                               all_through=not self.alone or self._all_through(first.every),
                               beside=None if self.alone else self.inner)
        else:
            begun = limit_told(axis, values, first.side, alone=not rest)
        says = f"{begun}. {told}{also_told(axis, further)}" if self.alone else (
            f"{begun}, {named(self.inner, values)}. {told}")
        limits = tuple(corner for end, corner in found if not end.every and not flat)
        leans = flat or self._leaning or not axis.way or (bool(first.every) and problem.limits)
        return Solution(values, facts, True, tuple(others), says, limits, leans)

    def _all_through(self, every: Stretch) -> bool:
        """Whether it is met at all of some places within a stretch, evenly by place and by number."""
        axis, over = self.outer, self.outer.over
        low, high = over.number(every.low), over.number(every.high)
        numbers = (low + (high - low) * step / PROBES for step in range(1, PROBES))
        places = {every.low + (every.high - every.low) * step // PROBES for step in range(1, PROBES)} | {
            over.place(round(number) if over.integer else number) for number in numbers}
        return all(self.problem.holds(axis.at(place)) for place in places)

    def _nearest_alone(self, lines: Sequence[Along]) -> Solution:
        """What comes nearest to wants that nothing meets, along one parameter."""
        problem, axis = self.problem, self.outer
        worst = Trace[int, float](lambda place: most_missed(line[place] for line in lines))
        for place in {place for line in lines for place in line}:
            worst[place]
        known = [place for place in worst.places if not math.isnan(worst[place])]
        here = {axis.name: axis.now}
        if not known:
            names = listed(want.name for want in problem.wants)
            says = phrase("For no {where} there is a value of {names}.", names=names,
                          where=f"{axis.parameter.quantity.symbol} {ranging(axis)}")
            return Solution(here, problem.facts(here), False, says=says)
        if len(lines) > 1:  # each was looked at closely where it comes near alone, not where they do together
            at = known.index(min(known, key=worst.__getitem__))
            low, high = known[max(at - 1, 0)], known[min(at + 1, len(known) - 1)]
            lowest(lambda step: worst[low + round(step)], 0, high - low, within=0.5)
            known = [place for place in worst.places if not math.isnan(worst[place])]
        least = min(worst[place] for place in known)
        best = min((place for place in known if worst[place] <= least + ALIKE * abs(least)), key=axis.rank)
        flat = is_flat(lines)
        values = here if flat else shortened(problem, axis.at(best), worst[best])
        return unmet(problem, values, flat=flat)

    # Of two parameters

    def stretch(self, number: float | int) -> Stretch | None:
        """What is left of the second parameter at a value of the first: the widest stretch; None where nothing is."""
        stretches = common([line.stretches() for line in self._within[number]])
        return max(stretches, key=lambda each: each.high - each.low, default=None)

    def _along(self, number: float | int) -> list[Along]:
        wants = (self.fixing,) if self.fixing else self.problem.wants
        return [self.problem.along(want, self.inner, {self.outer.name: number}, THIN) for want in wants]

    def _values(self, number: float | int) -> Mapping[str, Value] | None:
        """What is meant where the first parameter has that value: of the second, of what is left.

        Where the second makes no difference it stays as it is.
        """
        if self.alone:
            return {self.outer.name: number}
        left, inner = self.stretch(number), self.inner
        if left is None:
            return None
        if is_flat(self._within[number]):
            self._leaning = True
            return {self.outer.name: number, inner.name: inner.over.number(left.clipped(inner.here))}
        end, *_ = meant(inner, [left], spent=self.problem.limits)
        self._leaning |= not inner.way or (bool(end.every) and self.problem.limits)
        return {self.outer.name: number, inner.name: inner.over.number(end.place)}

    def _left_at(self, number: float | int) -> Sample:
        """Whether anything is left there, and how wide, or how far what is wanted lies apart."""
        lines = self._within[number]
        every = [line.stretches() for line in lines]
        if not all(every):
            for place in (line.nearest for line in lines):
                if place is not None:
                    self._note({self.outer.name: number, self.inner.name: self.inner.over.number(place)})
            return Sample("missed" if self.fixing is None else "nowhere", False, math.inf, math.inf)
        if self.fixing is not None:
            values = self._values(number)
            assert values is not None
            self._note(values)
            each = [found_at(want, *found) for want, found in
                    zip(self.rest, replace(self.problem, wants=self.rest).reached(values), strict=True)]
            return max(each, key=lambda found: abs(found.slope)) if each else Sample("met", True, 0.0, 0.0)
        apart = min(float(max(one.low for one in these) - min(one.high for one in these)) for these in product(*every))
        self._note({self.outer.name: number, self.inner.name: self.inner.over.number(every[0][0].low)})
        return Sample("met" if apart <= 0 else "missed", apart <= 0, apart, apart or -0.5)

    def _note(self, values: Mapping[str, Value]) -> None:
        """Remember what comes nearest."""
        missed = self.problem.missed(values)
        if not math.isnan(missed) and (self._near is None or missed < self._near[0]):
            self._near = missed, values

    def _first_alone(self) -> Solution | None:
        """What the first parameter does alone, looked for closely, where the second makes no difference anywhere.

        Where only a short stretch of it does what is wanted, that lies between any that were looked at.
        """
        if not self._within or not all(map(is_flat, self._within.values())):
            return None
        kept: Mapping[str, Value] = {self.inner.name: self.inner.now}
        first = replace(self.problem, axes=(self.outer,), explicit={**self.problem.explicit, **kept})
        found = ProblemSolver(first).solved()
        says = f"{found.says} {no_difference(self.inner.parameter.quantity.symbol)}."
        return replace(found, values={**found.values, **kept}, others=tuple({**each, **kept} for each in found.others),
                       limits=tuple({**each, **kept} for each in found.limits), says=says, leans=True)

    def _nearest(self) -> Solution:
        problem = self.problem
        values: Mapping[str, Value] = {axis.name: axis.now for axis in problem.axes}
        if self._near:
            values = shortened(problem, self._near[1], self._near[0])
        return unmet(problem, values)


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
        values = in_digits(values, axis, problem.holds, range(digits, DIGITS.stop))
    return values


def told(problem: Problem, values: Mapping[str, Value]) -> str:
    """“ε = 0.0157. Uncertain band (Laplace) is then 498.3; wanted: at most 500.”"""
    what = ", ".join(named(axis, values) for axis in problem.axes)
    return f"{what}. {facts_told(problem, problem.facts(values))}{beside_told(problem)}"
