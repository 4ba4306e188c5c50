"""Matching: what ε each series needs to be as good as one of them, or may have to be as private.

    matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon")

Values that are found make the matched fact equal to the reference's or, where that cannot be, at least as good.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.facts import Declaration, each
from dpstudio.core.match.choice import By, Matched, Matching, Profile, SameGuarantee, promised_fact
from dpstudio.core.match.words import told
from dpstudio.core.needs import in_few_digits
from dpstudio.core.results import NOTHING, Fact, Series
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solver import solved
from dpstudio.core.solve.want import EQUAL, Relation, Want, ceiling, is_spent, named_parameter
from dpstudio.core.study import Study
from dpstudio.records import dataclass
from dpstudio.text.numbers import in_full, short
from dpstudio.vocabulary import Choice, Interval, Value

WORSE = frozenset({"more private", "spends less", "cheaper"})
"""What an end of a slider says at which whatever is not spent is worse."""


@dataclass(frozen=True, slots=True)
class _ProfileWant(Want):
    """δ at a point of the privacy profile of what is compared."""

    by: Profile = field(kw_only=True)

    def declared(self, kind: type[Study]) -> Declaration[Any, Any, Any]:  # noqa: ARG002 - as every want
        return each(v.PROFILE, lambda one: one.delta_at(self.by.epsilon))

    check = declared

    def of(self, answer: Answer[Any, Any, Any]) -> Fact | None:
        return self.by.fact(answer, self.series or "")


def matching(kind: type[Study], explicit: Mapping[str, Value], reference: str, by: By, name: str) -> Matching:
    """All that a study compares, of which these values are set, matched to one of them along a parameter.

    Raises InvalidParameter for what there is not.
    """
    *_, last = steps(kind, explicit, reference, by, name)
    assert isinstance(last, Matching)
    return last


def steps(kind: type[Study], explicit: Mapping[str, Value], reference: str, by: By, name: str
          ) -> Iterator[Matched | Matching]:
    """The same in steps between which it can be left: the reference, every other series, and all of them at last."""
    matcher = _Matcher(kind, explicit, reference, by, name)
    yield matcher.reference
    others: list[Matched] = []
    for series in matcher.others:
        others.append(matcher.matched(series))
        yield others[-1]
    yield Matching(by, matcher.reference, tuple(others), told(by, matcher.reference, others, matcher.parameter,
                                                              moves=matcher.moves))


def _differ(one: Fact, other: Fact) -> bool:
    """Whether two facts are told apart by more than what is found by iteration is off."""
    return abs(one.value - other.value) > EQUAL * max(abs(one.value), abs(other.value))


class _Matcher:
    """One series of a study, what the others are matched to it by, and along which parameter."""

    def __init__(self, kind: type[Study], explicit: Mapping[str, Value], reference: str, by: By, name: str) -> None:
        self.parameter = named_parameter(kind, name, numeric=True)
        self.kind, self.by, self.name = kind, by, name
        self.explicit = {**explicit, **self.parameter.brings(kind(**explicit).values())}
        self.study = kind(**self.explicit)
        self.answer = self.study.answer()
        named = {one.key: one for one in self.answer.chosen}
        if reference not in named:
            raise InvalidParameter("series", Choice(tuple(named)), reference)
        fact = by.fact(self.answer, reference)
        if fact is None or not math.isfinite(fact.value):
            there = f"something that {named[reference].label} has as a finite number at these settings"
            raise InvalidParameter("what is matched", there, by.label)
        self.fact, self.now = fact, getattr(self.study, name)
        self.reference = Matched(named[reference], self.study, {name: self.now}, fact, in_full(self.now))
        self.others = [one for one in named.values() if one.key != reference and by.is_of(self.answer, one)]
        """Every other series that can have what they are matched by."""

    def matched(self, series: Series) -> Matched:
        """A series where it matches the reference."""
        return self._guaranteed(series) if isinstance(self.by, SameGuarantee) else self._solved(series)

    def _at(self, values: Mapping[str, Value]) -> Study:
        return self.kind(**{**self.explicit, **values})

    # Solving

    def _solved(self, series: Series) -> Matched:
        """The values of a series at which it is as wanted."""
        name, want = self.name, self._want(series)
        problem = Problem.of(self.kind, self.explicit, [want], [name], {})
        over = problem.axes[0].over
        ends = {name: over.low}, {name: over.high}
        if self.unmoved(series) and problem.holds({name: self.now}):
            return Matched(series, self.study, self.reference.values, want.of(self.answer), everywhere=True,
                           nearby=not all(map(problem.holds, ends)))
        found = solved(problem)
        number = next(iter(found.limits), found.values)[name]
        assert isinstance(number, int | float)
        values: Mapping[str, Value] = {name: number}
        # Where it holds all over, the solution is an end or, of what makes no difference, what it is now.
        if found.met and number in (over.low, over.high, self.now) and all(map(problem.holds, ends)):
            return Matched(series, self.study, self.reference.values, want.of(self.answer), everywhere=True)
        study = self._at(values)
        fact = want.of(study.answer())
        if found.met:
            said = short(number) if isinstance(number, int) else in_few_digits(
                number, lambda rounded: problem.holds({name: rounded})) or in_full(number)
            return Matched(series, study, values, fact, said)
        there = [fact and fact.value for fact in (want.of(self._at(end).answer()) for end in ends)]
        flat = fact is not None and there == [fact.value] * 2
        return Matched(series, study, values, fact, short(float(number), 3), met=False, flat=flat)

    def _want(self, series: Series) -> Want:
        if isinstance(self.by, Profile):
            return _ProfileWant(v.PROFILE.key, "<=", self.fact.value, series.key, by=self.by)
        return Want(self.fact.key, self._relation(), self.fact.value, series.key)

    def _relation(self) -> Relation:
        """On which side of the reference's value a match is as good, or as private; “=” where that is not known.

        Of what is not spent, what more of a parameter makes of it says it: at some ends of sliders all else is worse.
        """
        if is_spent(self.fact):
            return ceiling(self.fact.quantity)
        ends = self.parameter.ends
        way = 1 if ends[0] in WORSE else -1 if ends[1] in WORSE else 0
        moved = next(filter(None, map(self.moved, (self.reference.series, *self.others))), 0)
        return "=" if not moved * way else ">=" if moved * way > 0 else "<="

    @property
    def moves(self) -> bool | None:
        """Whether the parameter makes a difference to the reference; None where it makes one at the ends alone."""
        series = self.reference.series
        return bool(self.moved(series)) and (None if self.unmoved(series) else True)

    def moved(self, series: Series) -> int:
        """1 where more of the parameter raises the fact of a series, −1 where it lowers it, else 0."""
        here = self.by.fact(self.answer, series.key)
        # Where nothing is told apart nearby, as of an outcome that is all but 0, it may be at the ends.
        for value, there in self._others(series, *self._nearby, *(self.parameter.range or ())):
            if here and _differ(here, there):
                return (1 if there.value > here.value else -1) * (1 if value > self.now else -1)
        return 0

    def unmoved(self, series: Series) -> bool:
        """Whether nothing changes about where the parameter is, of a fact that is not all but 0."""
        here = self.by.fact(self.answer, series.key)
        if here is None or abs(here.value) < NOTHING:
            return False
        near = [there for value, there in self._others(series, *self._nearby) if value != self.now]
        return bool(near) and not any(_differ(here, there) for there in near)

    @property
    def _nearby(self) -> tuple[float, float]:
        return 2 * self.now + (self.now == 0), self.now / 2

    def _others(self, series: Series, *values: float) -> Iterator[tuple[float, Fact]]:
        """What a series is matched by at other values, where they go together with the rest."""
        domain = self.parameter.domain
        assert isinstance(domain, Interval)
        for other in values:
            with suppress(InvalidParameter):
                value = domain.nearest(other)
                if there := self.by.fact(self._at({self.name: value}).answer(), series.key):
                    yield value, there

    def _guaranteed(self, series: Series) -> Matched:
        """A series set to the ε and δ of the reference's guarantee, which it keeps for the same unit, or does not."""
        wanted = self.answer.guarantee(self.reference.series)
        assert wanted is not None
        most = {"epsilon": wanted.epsilon, "delta": wanted.delta}
        values: dict[str, Value] = {}
        for name, value in most.items():
            domain = self.kind.parameter(name).domain
            assert isinstance(domain, Interval)
            values[name] = domain.nearest(value)
        study = self._at(values)
        promised = study.answer().guarantee(series)
        if promised is None:
            return Matched(series, study, values, None, met=False)
        # A series that does not spend what is set does not mind what cannot be set.
        cut = any(own == values[name] < most[name] for name, own in (  # type: ignore[operator]  # numbers
            ("epsilon", promised.epsilon), ("delta", promised.delta)))
        met = not cut and promised.relation == wanted.relation and promised.keeps(wanted.epsilon, wanted.delta)
        return Matched(series, study, values, promised_fact(study.answer(), series.key, v.GUARANTEE_DELTA), met=met)
