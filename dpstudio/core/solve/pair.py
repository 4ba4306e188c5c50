"""Solving for two parameters: one inside the other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from dpstudio.core.needs import as_number, in_few_digits
from dpstudio.core.solve.along import Along, Sample, Stretch, is_flat
from dpstudio.core.solve.ends import End, common, meant
from dpstudio.core.solve.problem import Problem, found_at
from dpstudio.core.solve.solution import (
    Solution,
    every_told,
    facts_told,
    in_digits,
    lead,
    named,
    shortened,
    sides,
    unmet,
)
from dpstudio.vocabulary import Value

THIN = 4
"""With two parameters every so many of the places that one alone is looked at."""


class TwoParameters:
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
        facts = problem.facts(values)
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
        def does(rounded: float) -> bool:
            there = self._values(rounded) if outer.over.low <= rounded <= outer.over.high else None
            return there is not None and problem.holds(there)

        number, values = corner[outer.name], corner
        text = in_few_digits(number, does, sides(end.side)) if end.side and isinstance(number, float) else None
        if text:
            values = self._values(as_number(text)) or corner
        elif not end.every:
            values = in_digits(problem, values, outer, sides(0))
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

    def _left_at(self, number: float | int) -> Sample:
        """Whether anything is left there, and how wide, or how far what is wanted lies apart."""
        lines = self._along(number)
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

    def _nearest(self) -> Solution:
        problem = self.problem
        values: Mapping[str, Value] = {axis.name: axis.now for axis in problem.axes}
        if self._near:
            values = shortened(problem, self._near[1], self._near[0])
        return unmet(problem, values)
