"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

Each fact is asked alone. What is returned, put back, meets the wants: found between two neighbouring numbers, it is the
one on the side where they hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from dpstudio.core.along import Along, Found, Range, Stretch
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.results import Fact, Span, sign_of, stated
from dpstudio.core.study import Study
from dpstudio.core.want import Want, named_parameter
from dpstudio.text.numbers import plain, said, short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Interval, Value

THIN = 4
"""With two parameters every so many of the places that one alone is looked at."""
PREFERRED = ("more private", "cheaper", "fewer people", "less noise")
"""What an end of a slider may say, the most wanted first: of several solutions the one nearest to such an end is
named."""
ALIKE = 1e-9
"""Part of a miss by which others are no worse."""
DIGITS = range(3, 18)
"""Significant digits of a solution in a sentence: as few as leave it one."""
FEW = 5
"""Further solutions that a sentence names."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What was solved for: values that meet the wants or, where none do, those that come nearest."""

    values: Mapping[str, Value]
    facts: tuple[Fact | None, ...]
    """What was wanted, as it is there; None where there is no such fact."""
    met: bool
    others: tuple[Mapping[str, Value], ...] = ()
    """Further solutions, where a fact comes back to what is wanted."""
    says: str = ""


def solve(kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
          between: Mapping[str, Span] | None = None) -> Solution:
    """Solve for one or two numeric parameters of a study, of which these values are set.

    Of several solutions the most private is named. Raises InvalidParameter for what no study can be asked.
    """
    problem = Problem.of(kind, explicit, wants, names, between or {})
    return problem.solved()


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter that is solved for: its declaration, where it may lie, and what it is now."""

    parameter: Parameter
    over: Range
    now: float | int

    @property
    def name(self) -> str:
        return self.parameter.name

    def scan(self, thin: int = 1) -> list[int]:
        """Places to look at; the ends and what it is now always."""
        usual = self.parameter.shown
        named = [float(value) for value in self.parameter.named.values() if isinstance(value, int | float)]
        places = self.over.scan(usual, named)
        kept = {self.over.place(self.over.low), self.over.place(self.over.high), *places[::thin]}
        now = self.over.place(self.now)
        return sorted(kept | ({now} if min(kept) <= now <= max(kept) else set()))

    def rank(self, place: int) -> float:
        """How far a place is from what a person would want: the smaller, the better."""
        low, high = self.parameter.ends
        for wanted in PREFERRED:
            if wanted in (low, high):
                return float(place if wanted == low else -place)
        return float(abs(place - self.over.place(self.now)))

    def said(self, place: int, side: int, holds: Callable[[float | int], bool]) -> str:
        """The number in as few digits as leave it a solution; rounded up for a `side` of 1, down for −1."""
        number = self.over.number(place)
        for digits in () if isinstance(number, int) else DIGITS:
            text = short(number, digits, "up" if side > 0 else "down" if side < 0 else "nearest")
            rounded = as_number(text)
            if self.over.low <= rounded <= self.over.high and holds(rounded):
                return text
        return short(number) if isinstance(number, int) else plain(number)


def as_number(text: str) -> float:
    """The double that a text of `short` says."""
    return float(said(text))


@dataclass(frozen=True, slots=True)
class Problem:
    """Wants of a study, with what is kept and what is solved for."""

    kind: type[Study]
    explicit: Mapping[str, Value]
    wants: tuple[Want, ...]
    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, kind: type[Study], explicit: Mapping[str, Value], wants: Sequence[Want], names: Sequence[str],
           between: Mapping[str, Span]) -> Problem:
        """Raises InvalidParameter for a fact, a parameter or a range that the study does not have."""
        if not wants:
            raise InvalidParameter("want", "given at least once", ())
        if not 1 <= len(names) <= 2 or len(set(names)) != len(names):
            raise InvalidParameter("what is solved for", "one parameter, or two", listed(names) if names else "none")
        for want in wants:
            want.check(kind)
        present = kind(**explicit)
        axes = [_axis(named_parameter(kind, name, numeric=True), present, between.get(name)) for name in names]
        for name in between:
            if name not in names:
                raise InvalidParameter("what is bounded", f"solved for: {listed(names)}", name)
        # The one whose smaller values are more private is kept least.
        axes.sort(key=lambda axis: "more private" not in axis.parameter.ends)
        return cls(kind, explicit, tuple(wants), tuple(axes))

    def reached(self, values: Mapping[str, Value]) -> list[tuple[Fact | None, float]]:
        """Each wanted fact at such values, and by how much it misses; NaN where there is none."""
        found = []
        for want in self.wants:
            try:
                fact = self.kind(**{**self.explicit, **values, **want.at}).answer().fact(want.quantity, want.series)
            except InvalidParameter:  # these values do not go together
                fact = None
            found.append((fact, math.nan if fact is None else want.miss(fact)))
        return found

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Whether all wants are met there."""
        return all(want.met(miss) for want, (_, miss) in zip(self.wants, self.reached(values), strict=True))

    def solved(self) -> Solution:
        return _Pair(self).solved() if len(self.axes) == 2 else self._alone()

    # One parameter

    def along(self, want: Want, axis: Axis, fixed: Mapping[str, Value], thin: int = 1) -> Along:
        """One want along a parameter, others being fixed."""
        alone = replace(self, wants=(want,))

        def ask(number: float | int) -> Found:
            (fact, miss), = alone.reached({**fixed, axis.name: number})
            return _found(want, fact, miss)

        return Along(ask, axis.over, axis.scan(thin))

    def _alone(self) -> Solution:
        axis, = self.axes
        lines = [self.along(want, axis, {}) for want in self.wants]
        stretches = common([line.stretches() for line in lines])
        ends = _ends(stretches, lines)
        ends = [end for end in ends if self.holds({axis.name: axis.over.number(end[0])})]
        if not ends:
            return self._nearest(axis, lines)
        ends.sort(key=lambda end: axis.rank(end[0]))
        values, *others = ({axis.name: axis.over.number(place)} for place, _ in ends)
        facts = tuple(fact for fact, _ in self.reached(values))
        return Solution(values, facts, True, tuple(others), _told(self, axis, ends, lines, facts))

    def _nearest(self, axis: Axis, lines: Sequence[Along]) -> Solution:
        """What comes nearest to wants that nothing meets."""
        places = sorted({place for line in lines for place in line.places})
        worst = {place: _worst(line.at(place) for line in lines) for place in places}
        known = [place for place in places if not math.isnan(worst[place])]
        here = {axis.name: axis.now}
        if not known:
            facts = tuple(fact for fact, _ in self.reached(here))
            names = listed(want.name for want in self.wants)
            says = f"For no {axis.parameter.quantity.symbol} {_between(axis)} there is a value of {names}."
            return Solution(here, facts, False, (), says)
        least = min(worst[place] for place in known)
        best = min((place for place in known if worst[place] <= least + ALIKE * abs(least)), key=axis.rank)
        flat = _flat(lines)
        values = here if flat else {axis.name: axis.over.number(best)}
        found = self.reached(values)
        return Solution(values, tuple(fact for fact, _ in found), False, (),
                        _unmet(self, (axis,), values, found, flat=flat))


def _axis(parameter: Parameter, present: Study, part: Span | None) -> Axis:
    domain = parameter.domain
    assert isinstance(domain, Interval)
    if part is not None:
        ends = [parameter.accept(end) for end in part]
        if not part[0] <= part[1]:
            raise InvalidParameter(f"the range of {parameter.name}", "the lower end first", f"{part[0]}:{part[1]}")
        part = tuple(ends)  # type: ignore[assignment]
    return Axis(parameter, Range(domain, part), getattr(present, parameter.name))


def _found(want: Want, fact: Fact | None, miss: float) -> Found:
    if fact is None or math.isnan(miss):
        return Found("nowhere", False, math.nan, math.nan)
    met = want.met(miss)
    if want.relation == "=":
        return Found("more" if miss > 0 else "less", met, miss, _slope(miss, want.value, want.value + miss))
    towards = want.value + miss if want.relation == "<=" else want.value - miss
    return Found("met" if met else "missed", met, miss, _slope(miss, want.value, towards))


def _slope(miss: float, wanted: float, value: float) -> float:
    """The difference of logarithms, with the sign of the miss, where both are positive: it is nearer to a line."""
    if wanted > 0 and 0 < value < math.inf and miss:
        return math.copysign(abs(math.log(value / wanted)) or 5e-324, miss)
    return miss


def common(stretches: Sequence[Sequence[Stretch]]) -> list[Stretch]:
    """Where several things hold together."""
    def both(left: Sequence[Stretch], right: Sequence[Stretch]) -> list[Stretch]:
        met = (one.meet(other) for one in left for other in right)
        return [each for each in met if each.low <= each.high]

    return reduce(both, stretches[1:], list(stretches[0]))


def _ends(stretches: Sequence[Stretch], lines: Sequence[Along]) -> list[tuple[int, int]]:
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


def _flat(lines: Sequence[Along]) -> bool:
    """Whether every fact is the same all over."""
    return all(len({line.at(place).miss for place in line.places}) == 1 for line in lines)


def _worst(found: Iterator[Found]) -> float:
    """By how much the want is missed that is missed by most; NaN where one is undefined."""
    misses = [each.slope if each.side in ("met", "missed", "nowhere") else abs(each.slope) for each in found]
    return math.nan if any(map(math.isnan, misses)) else max(misses)


# Two parameters

class _Pair:
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
        ends = sorted(_ends(line.stretches(), [line]), key=lambda end: outer.rank(end[0]))
        solutions = [values for place, _ in ends if (values := self._values(outer.over.number(place))) is not None
                     and problem.holds(values)]
        if not solutions:
            return self._nearest()
        facts = tuple(fact for fact, _ in problem.reached(solutions[0]))
        side = next(side for place, side in ends if outer.over.number(place) == solutions[0][outer.name])
        lead = _lead(outer.parameter.quantity.symbol, side, alone=len(solutions) == 1)
        says = f"{lead}{self._said(solutions[0], side)}. {_facts_told(problem, facts)}"
        return Solution(solutions[0], facts, True, tuple(solutions[1:]), says)

    def _said(self, values: Mapping[str, Value], side: int) -> str:
        """Both parameters in as few digits as leave them a solution together."""
        problem, outer, inner = self.problem, self.outer, self.inner
        number = values[outer.name]
        assert isinstance(number, int | float)
        if side and isinstance(number, float):
            for digits in DIGITS:
                rounded = as_number(short(number, digits, "up" if side > 0 else "down"))
                if not outer.over.low <= rounded <= outer.over.high or not (there := self._values(rounded)):
                    continue
                if problem.holds(there):
                    return f"{outer.parameter.quantity.symbol} = {short(rounded, digits)}, " \
                           f"{_named(problem, inner, there, 0)}"
        return ", ".join(_named(problem, axis, values, 0) for axis in problem.axes)

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
            each = [_found(want, *found) for want, found in
                    zip(self.rest, replace(self.problem, wants=self.rest).reached(values), strict=True)]
            return max(each, key=lambda found: abs(found.slope)) if each else Found("met", True, 0.0, 0.0)
        apart = min(float(max(one.low for one in these) - min(one.high for one in these)) for these in _choices(every))
        self._note({self.outer.name: number, self.inner.name: self.inner.over.number(every[0][0].low)})
        return Found("met" if apart <= 0 else "missed", apart <= 0, apart, apart or -0.5)

    def _note(self, values: Mapping[str, Value]) -> None:
        """Remember what comes nearest."""
        found = zip(self.problem.wants, self.problem.reached(values), strict=True)
        worst = _worst(_found(want, *each) for want, each in found)
        if not math.isnan(worst) and (self._near is None or worst < self._near[0]):
            self._near = worst, values

    def _nearest(self) -> Solution:
        problem = self.problem
        values = self._near[1] if self._near else {axis.name: axis.now for axis in problem.axes}
        found = problem.reached(values)
        return Solution(values, tuple(fact for fact, _ in found), False, (),
                        _unmet(problem, problem.axes, values, found, flat=False))


def _choices(every: Sequence[Sequence[Stretch]]) -> Iterator[tuple[Stretch, ...]]:
    """One stretch of each."""
    if not every:
        yield ()
        return
    for rest in _choices(every[1:]):
        for one in every[0]:
            yield (one, *rest)


# Sentences

def _between(axis: Axis) -> str:
    return f"from {plain(axis.over.low)} to {plain(axis.over.high)}"


def _named(problem: Problem, axis: Axis, values: Mapping[str, Value], side: int) -> str:
    """“ε = 0.0158”, in as few digits as leave it a solution."""
    number = values[axis.name]
    assert isinstance(number, int | float)
    text = axis.said(axis.over.place(number), side, lambda rounded: problem.holds({**values, axis.name: rounded}))
    return f"{axis.parameter.quantity.symbol} = {text}"


def _facts_told(problem: Problem, facts: Sequence[Fact | None]) -> str:
    """“The uncertain width (Laplace) is then 500; wanted: at most 500.”"""
    told = [_fact_told(problem, want, fact) for want, fact in zip(problem.wants, facts, strict=True)]
    return " ".join(f"{each[0].upper()}{each[1:]}." for each in told)


def _fact_told(problem: Problem, want: Want, fact: Fact | None) -> str:
    at = " at " + listed(f"{problem.kind.parameter(each).quantity.symbol} = "
                         f"{value if isinstance(value, str) else plain(value)}"
                         for each, value in want.at.items()) if want.at else ""
    name = f"{want.label(problem.kind)}{at}"
    if fact is None:
        return f"{name} has no value there"
    sign = sign_of(fact)
    return f"{name} is then {sign and f'{sign} '}{stated(fact)}; wanted: {want.phrase(problem.kind)}"


def _told(problem: Problem, axis: Axis, ends: Sequence[tuple[int, int]], lines: Sequence[Along],
          facts: Sequence[Fact | None]) -> str:
    (place, side), *rest = ends
    symbol, told = axis.parameter.quantity.symbol, _facts_told(problem, facts)
    if _flat(lines):
        return f"{symbol} makes no difference to it. {told}"
    named = _named(problem, axis, {axis.name: axis.over.number(place)}, side)
    if all(line.at(each).met for line in lines for each in line.places):
        return f"Every {symbol} {_between(axis)} does it; at {named} there is the least to spare. {told}"
    more = [_named(problem, axis, {axis.name: axis.over.number(other)}, way) for other, way in rest]
    also = f" Other limits: {listed(more[:FEW])}{' and more' if len(more) > FEW else ''}." if more else ""
    return f"{_lead(symbol, side, alone=not rest)}{named}. {told}{also}"


def _lead(symbol: str, side: int, *, alone: bool) -> str:
    """“The least ε that does it: ”; of several limits none is the least of all."""
    if not side:
        return ""
    return f"The {'least' if side > 0 else 'greatest'} {symbol} that does it{'' if alone else ' around there'}: "


def _unmet(problem: Problem, axes: Sequence[Axis], values: Mapping[str, Value],
           found: Sequence[tuple[Fact | None, float]], *, flat: bool) -> str:
    told = _facts_told(problem, [fact for fact, _ in found])
    if flat:
        return f"{listed(axis.parameter.quantity.symbol for axis in axes)} makes no difference to it. {told}"
    where = listed(f"{axis.parameter.quantity.symbol} {_between(axis)}" for axis in axes)
    nearest = ", ".join(f"{axis.parameter.quantity.symbol} = {short(float(values[axis.name]), 6)}" for axis in axes)
    off = [f"by {short(abs(miss), 3, 'up')}" for want, (fact, miss) in zip(problem.wants, found, strict=True)
           if fact is not None and not want.met(miss)]
    misses = f" That misses it {listed(off)}." if off else ""
    return f"No {where} does it. The nearest is {nearest}. {told}{misses}"
