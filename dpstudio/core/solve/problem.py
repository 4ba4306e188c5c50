"""What is to be solved: the wants, the parameters that may move and where, and what is kept."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.results import Fact, Span
from dpstudio.core.solve.along import Along, Sample, Side, scan
from dpstudio.core.solve.want import Want, named_parameter
from dpstudio.core.study import Study
from dpstudio.core.trace import Numbers
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Interval, Value

PREFERRED = {"more private": "the most private", "spends less": "the one that spends least", "cheaper": "the cheapest",
             "fewer people": "the one that takes fewest people", "less noise": "the one with least noise"}
"""What an end of a slider may say, the most wanted first, and how a sentence calls what lies nearest to it: of several
solutions the nearest to such an end is meant."""
APART = ("trials", "seed")
"""Parameters of draws, which change nothing that is exact."""


def solvable(study: Study) -> list[Parameter]:
    """The numbers that can be solved for, which matter or bring the choice with which they do: those that privacy hangs
    on, other choices, then what is given; of each those of level one first. Whom one fears is said, never found.
    """
    values, first = study.values(), study.level_one.parameters
    every = [each for each in study.parameters() if each.is_number and each.name not in APART
             and each.name not in Attacker.by_name() and (each.matters(values) or each.brings(values))]
    return sorted(every, key=lambda each: (
        "more private" not in each.ends, not each.named and not set(PREFERRED) & set(each.ends),
        first.index(each.name) if each.name in first else len(first)))


@dataclass(frozen=True, slots=True)
class Unknown:
    """A parameter that is solved for: its declaration, where it may lie, and what it is now."""

    parameter: Parameter
    over: Numbers
    now: float | int
    marks: frozenset[float] = frozenset()
    """Numbers that may matter: its default, named values, and those of the other parameters."""

    @property
    def name(self) -> str:
        return self.parameter.name

    def scan(self, thin: int = 1) -> list[int]:
        """Places to look at; the ends and what it is now always."""
        places = scan(self.over, self.parameter.shown, () if thin > 1 else self.marks)
        kept = {self.over.first, self.over.last, *places[::thin]}
        return sorted(kept | ({self.here} if min(kept) <= self.here <= max(kept) else set()))

    @property
    def better(self) -> str:
        """What its preferred end says: “more private”; empty where neither end is preferred."""
        return next((words for words in PREFERRED if words in self.parameter.ends), "")

    @property
    def way(self) -> int:
        """1 where smaller values are preferred, −1 where greater ones are, 0 where neither are."""
        return 0 if not self.better else 1 if self.better == self.parameter.ends[0] else -1

    def at(self, place: int) -> dict[str, Value]:
        """The value that stands there."""
        return {self.name: self.over.number(place)}

    @property
    def here(self) -> int:
        """The place of what it is now."""
        return self.over.place(self.now)

    def rank(self, place: int) -> int:
        """How far a place is from what a person would want: the smaller, the better."""
        return self.way * place if self.way else abs(place - self.here)


@dataclass(frozen=True, slots=True)
class Problem:
    """Wants of a study, with what is kept and what is solved for."""

    kind: type[Study]
    explicit: Mapping[str, Value]
    wants: tuple[Want, ...]
    axes: tuple[Unknown, ...]
    brought: Mapping[str, Value] = field(default_factory=dict)
    """Choices that are made with what is solved for, for it to matter; they are among what is kept."""

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
        for name in between:
            if name not in names:
                raise InvalidParameter("what is bounded", f"solved for: {listed(names)}", name)
        unknown, values = [named_parameter(kind, name, numeric=True) for name in names], kind(**explicit).values()
        brought = {choice: word for each in unknown for choice, word in each.brings(values).items()}

        def with_(choices: Mapping[str, Value]) -> Problem:
            kept = {**explicit, **choices}
            axes = [_unknown(each, kind(**kept), between.get(each.name)) for each in unknown]
            # The one whose smaller values are more private is kept least.
            axes.sort(key=lambda axis: "more private" not in axis.parameter.ends)
            return cls(kind, kept, tuple(wants), tuple(axes), choices)

        problem = with_(brought)
        if brought and None in problem.facts({}) and None not in (as_it_is := with_({})).facts({}):
            return as_it_is  # the choices would take away what is asked about
        return problem

    def whole(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """Values of what is solved for with the choices that are made with them: put back, they do what they did here.
        """
        return {**self.brought, **values}

    @property
    def beside(self) -> str:
        """“response design by ε”: what is set with what is solved for; empty for nothing."""
        each = ((self.kind.parameter(name), value) for name, value in self.brought.items())
        words = [f"{tr(parameter.quantity.label)} {tr(parameter.said(value))}" for parameter, value in each]
        return listed(words) if words else ""

    def reached(self, values: Mapping[str, Value]) -> list[tuple[Fact | None, float]]:
        """Each wanted fact at such values, and by how much it misses; NaN where there is none."""
        found = []
        for want in self.wants:
            try:
                fact = want.of(self.kind(**{**self.explicit, **values, **want.at}).answer())
            except InvalidParameter:  # these values do not go together
                fact = None
            found.append((fact, math.nan if fact is None else want.miss(fact)))
        return found

    def facts(self, values: Mapping[str, Value]) -> tuple[Fact | None, ...]:
        """Each wanted fact at such values; None where there is none."""
        return tuple(fact for fact, _ in self.reached(values))

    @property
    def limits(self) -> bool:
        """Whether all that is wanted is a ceiling on what privacy spends: it is asked how much may be spent."""
        return all(want.limits(self.kind) for want in self.wants)

    @property
    def sided(self) -> bool:
        """Whether what is wanted leaves room on one side: what is rounded to that does it as well."""
        return all(want.relation != "=" for want in self.wants)

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Whether all wants are met there."""
        return all(want.met(miss) for want, (_, miss) in zip(self.wants, self.reached(values), strict=True))

    def missed(self, values: Mapping[str, Value]) -> float:
        """By how much the want is missed there that is missed by most; NaN where one is undefined."""
        return most_missed(found_at(want, *each) for want, each in zip(self.wants, self.reached(values), strict=True))

    def along(self, want: Want, axis: Unknown, fixed: Mapping[str, Value], thin: int = 1,
              scan: Sequence[int] | None = None) -> Along:
        """One want along a parameter, others being fixed; looked for all over, or from some places on."""
        alone = replace(self, wants=(want,))

        def ask(number: float | int) -> Sample:
            (fact, miss), = alone.reached({**fixed, axis.name: number})
            return found_at(want, fact, miss)

        return Along(ask, axis.over, axis.scan(thin) if scan is None else scan)


def _unknown(parameter: Parameter, present: Study, part: Span | None) -> Unknown:
    domain = parameter.domain
    assert isinstance(domain, Interval)
    if part is not None:
        ends = [parameter.accept(end) for end in part]
        if not part[0] <= part[1]:
            raise InvalidParameter(f"the range of {parameter.name}", "the lower end first", f"{part[0]}:{part[1]}")
        part = tuple(ends)  # type: ignore[assignment]
    marks = [present.default(parameter.name), *parameter.named.values(), *present.values().values()]
    numbers = frozenset(float(mark) for mark in marks if isinstance(mark, int | float) and not isinstance(mark, bool))
    return Unknown(parameter, Numbers(domain, part), getattr(present, parameter.name), numbers)


def found_at(want: Want, fact: Fact | None, miss: float) -> Sample:
    """Where a fact stands to a want that it misses by so much."""
    if fact is None or math.isnan(miss):
        return Sample("nowhere", False, math.nan, math.nan)
    met = want.met(miss)
    if want.relation == "=":
        side: Side = "more" if miss > 0 else "less" if miss < 0 else "met"  # of a fact that jumps, a whole stretch
        return Sample(side, met, miss, _slope(miss, want.value, want.value + miss))
    towards = want.value + miss if want.relation == "<=" else want.value - miss
    return Sample("met" if met else "missed", met, miss, _slope(miss, want.value, towards))


def _slope(miss: float, wanted: float, value: float) -> float:
    """The difference of logarithms, with the sign of the miss, where both are positive: it is nearer to a line."""
    if wanted > 0 and 0 < value < math.inf and miss:
        return math.copysign(abs(math.log(value / wanted)) or 5e-324, miss)
    return miss


def most_missed(found: Iterator[Sample]) -> float:
    """By how much the want is missed that is missed by most; NaN where one is undefined."""
    misses = [each.slope if each.side in ("met", "missed", "nowhere") else abs(each.slope) for each in found]
    return math.nan if any(map(math.isnan, misses)) else max(misses)
