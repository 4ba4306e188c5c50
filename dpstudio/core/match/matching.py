"""Matching: what privacy parameter each series needs to be as good as one of them, or may have to be as private.

    matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon")

Values that are found make the matched fact equal to the reference's or, where that cannot be, at least as good.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.match.choice import (
    SPENT,
    Match,
    Matched,
    Matching,
    Profile,
    ProfileWant,
    SameGuarantee,
    profile,
)
from dpstudio.core.match.words import told
from dpstudio.core.results import Fact, Series
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solution import DIGITS, as_number
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Relation, Want, ceiling, is_spent, named_parameter
from dpstudio.core.study import Study
from dpstudio.text.numbers import Side, plain, short
from dpstudio.vocabulary import Choice, Interval, Value

WORSE = frozenset({"more private", "spends less", "cheaper"})
"""What an end of a slider says at which whatever is not spent is worse."""


def matching(kind: type[Study], explicit: Mapping[str, Value], reference: str, by: Match, name: str) -> Matching:
    """All that a study compares, of which these values are set, matched to one of them along a parameter.

    Raises InvalidParameter for what there is not.
    """
    *_, last = steps(kind, explicit, reference, by, name)
    assert isinstance(last, Matching)
    return last


def steps(kind: type[Study], explicit: Mapping[str, Value], reference: str, by: Match, name: str
          ) -> Iterator[Matched | Matching]:
    """The same in steps between which it can be left: the reference, every other series, and all of them at last."""
    matcher = _Matcher(kind, explicit, reference, by, named_parameter(kind, name, numeric=True))
    yield matcher.reference
    others: list[Matched] = []
    for series in matcher.others():
        others.append(matcher.matched(series))
        yield others[-1]
    yield Matching(by, matcher.reference, tuple(others), told(by, matcher.reference, others, matcher.parameter,
                                                              moves=bool(matcher.moved(matcher.reference.series))))


class _Matcher:
    """One series of a study, what the others are matched to it by, and along which parameter."""

    def __init__(self, kind: type[Study], explicit: Mapping[str, Value], reference: str, by: Match,
                 parameter: Parameter) -> None:
        self.kind, self.explicit, self.by, self.parameter = kind, explicit, by, parameter
        self.study = kind(**explicit)
        self.answer = self.study.answer()
        named = {one.key: one for one in self.answer.chosen}
        if reference not in named:
            raise InvalidParameter("series", Choice(tuple(named)), reference)
        fact, value = self._fact(self.answer, reference), getattr(self.study, parameter.name)
        if fact is None or not math.isfinite(fact.value):
            there = f"something that {named[reference].label} has as a finite number at these settings"
            raise InvalidParameter("what is matched", there, by.label)
        self.reference = Matched(named[reference], self.study, {parameter.name: value}, fact, plain(value))
        self.fact: Fact = fact

    def others(self) -> list[Series]:
        """Every other series that can have what they are matched by."""
        index, rest = self.answer.index(), [one for one in self.answer.chosen if one != self.reference.series]
        if isinstance(self.by, Profile):
            return [one for one in rest if (found := self.answer.one(one)) is None or hasattr(found, "delta_at")]
        key = SPENT[0].key if isinstance(self.by, SameGuarantee) else self.by.quantity.key
        return [one for one in rest if (key, one.key) in index and not index[key, one.key].simulated]

    def matched(self, series: Series) -> Matched:
        """A series where it matches the reference."""
        return self._guaranteed(series) if isinstance(self.by, SameGuarantee) else self._solved(series)

    def _at(self, values: Mapping[str, Value]) -> Study:
        return self.kind(**{**self.explicit, **values})

    def _fact(self, answer: Answer[Any, Any, Any], series: str) -> Fact | None:
        if isinstance(self.by, Profile):
            return profile(answer, series, self.by.epsilon)
        return answer.fact(SPENT[0] if isinstance(self.by, SameGuarantee) else self.by.quantity, series)

    # Solving

    def _solved(self, series: Series) -> Matched:
        """The values of a series at which it is as wanted."""
        name, want = self.parameter.name, self._want(series)
        problem = Problem.of(self.kind, self.explicit, [want], [name], {})
        found, over = solve(self.kind, self.explicit, [want], [name]), problem.axes[0].over
        values: Mapping[str, Value] = next(iter(found.limits), found.values)
        number, ends = values[name], (over.low, over.high)
        # Where it holds all over, the solution is an end or, of what makes no difference, what it is now.
        stays = (*ends, self.reference.values[name])
        if found.met and number in stays and all(problem.holds({name: end}) for end in ends):
            return Matched(series, self.study, self.reference.values, want.of(self.answer), everywhere=True)
        study = self._at(values)
        fact = want.of(study.answer())
        if found.met:
            return Matched(series, study, values, fact, _rounded(problem, number))
        there = [fact and fact.value for fact in (want.of(self._at({name: end}).answer()) for end in ends)]
        flat = fact is not None and there == [fact.value] * 2
        return Matched(series, study, values, fact, short(float(number), 3), met=False, flat=flat)

    def _want(self, series: Series) -> Want:
        if isinstance(self.by, Profile):
            return ProfileWant(v.PROFILE.key, "<=", self.fact.value, series.key, point=self.by.epsilon)
        return Want(self.fact.key, self._relation(), self.fact.value, series.key)

    def _relation(self) -> Relation:
        """On which side of the reference's value a match is as good, or as private; “=” where that is not known.

        Of what is not spent, what more of a parameter makes of it says it: at some ends of sliders all else is worse.
        """
        if is_spent(self.fact):
            return ceiling(self.fact.quantity)
        ends = self.parameter.ends
        way = 1 if ends[0] in WORSE else -1 if ends[1] in WORSE else 0
        moved = next((moved for one in (self.reference.series, *self.others()) if (moved := self.moved(one))), 0)
        if not moved or not way:
            return "="
        return ">=" if moved * way > 0 else "<="

    def moved(self, series: Series) -> int:
        """1 where more of the parameter raises the fact of a series, −1 where it lowers it, else 0."""
        name, domain = self.parameter.name, self.parameter.domain
        assert isinstance(domain, Interval)
        now, here = getattr(self.study, name), self._fact(self.answer, series.key)
        # Where nothing is told apart nearby, as of an outcome that is all but 0, it may be at the ends.
        for other in (2 * now + (now == 0), now / 2, *(self.parameter.range or ())):
            with suppress(InvalidParameter):
                value = domain.nearest(other)
                there = self._fact(self._at({name: value}).answer(), series.key)
                if here and there and (there.value > here.value or there.value < here.value):
                    return (1 if there.value > here.value else -1) * (1 if value > now else -1)
        return 0

    def _guaranteed(self, series: Series) -> Matched:
        """A series set to the ε and δ of the reference's guarantee, which it keeps for the same unit, or does not."""
        wanted = self.answer.guarantee(self.reference.series)
        assert wanted is not None
        values: dict[str, Value] = {}
        for name, value in (("epsilon", wanted.epsilon), ("delta", wanted.delta)):
            domain = self.kind.parameter(name).domain
            assert isinstance(domain, Interval)
            values[name] = domain.nearest(value)
        study = self._at(values)
        promised = study.answer().guarantee(series)
        if promised is None:
            return Matched(series, study, values, None, met=False)
        # A series that does not spend what is set does not mind what cannot be set.
        cut = any(own == given != most and own < most for own, given, most in zip(
            (promised.epsilon, promised.delta), values.values(), (wanted.epsilon, wanted.delta), strict=True))
        met = not cut and promised.relation == wanted.relation and promised.keeps(wanted.epsilon, wanted.delta)
        return Matched(series, study, values, study.answer().fact(SPENT[1], series), met=met)


def _rounded(problem: Problem, number: Value) -> str:
    """A solution in as few digits from three on as leave it one, rounded to either side."""
    assert isinstance(number, int | float)
    sides: Sequence[Side] = ("nearest", "up", "down")
    for digits in () if isinstance(number, int) else DIGITS:
        for text in (short(number, digits, side) for side in sides):
            if problem.holds({problem.axes[0].name: as_number(text)}):
                return text
    return short(number) if isinstance(number, int) else plain(number)
