"""Matching: what privacy parameter each series needs to be as good as one of them, or may have to be as private.

    By(v.BAND_WIDTH)                    the same value of a fact
    Profile(0.05)                       the same smallest δ at ε′ = 0.05
    Guarantee()                         the same ε and δ
    matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon")

Values that are found make the matched fact equal to the reference's or, where that cannot be, at least as good.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer, Declared, each
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.problem import PREFERRED, Problem
from dpstudio.core.results import Fact, Series, sign_of, stated
from dpstudio.core.solution import DIGITS, as_number
from dpstudio.core.solve import solve
from dpstudio.core.study import Study
from dpstudio.core.want import Relation, Want, named_parameter
from dpstudio.text.numbers import Side, plain, short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Choice, Interval, Quantity, Value, yes_or_no

LIMITS = ("privacy", "attack")
"""Headings of facts of which a match must not have more; of all others it must be as good."""
SPENT = (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA)
SPENDING = tuple(each.symbol for each in (v.EPSILON, v.DELTA))
"""How the symbols of what is spent begin, or of what of it is left; such facts are limits whatever they stand under."""
SLACK = 1e-12
"""Part of a guarantee that is a rounding error."""


@dataclass(frozen=True, slots=True)
class By:
    """The same value of a fact that several series have."""

    quantity: Quantity

    @property
    def label(self) -> str:
        return self.quantity.label


@dataclass(frozen=True, slots=True)
class Profile:
    """The same smallest δ at a point of the privacy profile."""

    epsilon: float

    @property
    def label(self) -> str:
        return f"δ at ε′ = {plain(self.epsilon)}"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """The same ε and δ, as far as a study has them as parameters."""

    @property
    def label(self) -> str:
        return "guarantee, ε and δ"


Match: TypeAlias = By | Profile | Guarantee


@dataclass(frozen=True, slots=True)
class ProfileWant(Want):
    """δ at a point of the privacy profile of what is compared."""

    point: float = 0.0

    def declared(self, kind: type[Study]) -> Declared[Any, Any, Any]:  # noqa: ARG002 - as every want
        return each(v.PROFILE, lambda one: one.delta_at(self.point))

    def check(self, kind: type[Study]) -> Declared[Any, Any, Any]:
        return self.declared(kind)

    def of(self, answer: Answer[Any, Any, Any]) -> Fact | None:
        return profile(answer, self.series or "", self.point)


def profile(answer: Answer[Any, Any, Any], series: str, epsilon: float) -> Fact | None:
    """The smallest δ of a series at ε′; None where there is no such series, or it has no profile."""
    one = answer.one(series)
    if one is None or not hasattr(one, "delta_at"):
        return None
    named = next(each for each in answer.series() if each.key == series)
    return Fact(v.PROFILE, float(one.delta_at(epsilon)), named, group="privacy")


@dataclass(frozen=True, slots=True)
class Matched:
    """A series at the setting at which it matches or, where none does, at the one that comes nearest."""

    series: Series
    study: Study
    values: Mapping[str, Value]
    """Of what was solved for, there."""
    fact: Fact | None
    """What it is matched by, there; None where there is no such thing."""
    said: str = ""
    """The values in as few digits as leave them a match."""
    met: bool = True
    everywhere: bool = False
    """Whether it is as good, or as private, all along what was solved for; it is then left where it was."""
    flat: bool = False
    """Whether what was solved for makes no difference to it."""

    @property
    def handy(self) -> Mapping[str, Value]:
        """The values as they are said, which leaves them a match."""
        return {name: value if isinstance(value, int) or not self.said else as_number(self.said)
                for name, value in self.values.items()} if len(self.values) == 1 and self.met else self.values

    @property
    def title(self) -> str:
        """“Gaussian, ε = 0.228”."""
        symbols = [type(self.study).parameter(name).quantity.symbol for name in self.values]
        if self.everywhere:
            return f"{self.series.label}, any {listed(symbols)}"
        numbers = [self.said or short(float(value), 4) for value in self.values.values()]
        at = ", ".join(f"{symbol} = {number}" for symbol, number in zip(symbols, numbers, strict=True))
        return f"{self.series.label}, {'' if self.met else 'nearest '}{at}"


@dataclass(frozen=True, slots=True)
class Matching:
    """A series with those that were matched to it, and one sentence about them."""

    by: Match
    reference: Matched
    others: tuple[Matched, ...]
    says: str

    @property
    def all(self) -> tuple[Matched, ...]:
        return self.reference, *self.others


# What there is to choose

def solvable(study: Study) -> tuple[Parameter, ...]:
    """Numeric parameters that matter, those that make it more private first."""
    values = study.values()
    named = [one for one in study.parameters() if one.is_number and one.matters(values)
             and one.name not in ("seed", "trials")]
    return tuple(sorted(named, key=lambda one: "more private" not in one.ends))


def choices(study: Study, series: str) -> tuple[Match, ...]:
    """What a series can be matched by, the study's outcomes first; a profile at half of its ε."""
    answer, index = study.answer(), study.answers().index()
    declared = [one for (_, of), one in index.items() if of == series]
    good = [one.quantity for one in declared if not one.simulated and not one.slow and one.group != "technical"
            and not yes_or_no(one.quantity) and sum(key == one.quantity.key for key, of in index if of) > 1]
    first = [each for each in outcomes(type(study)) if each in good]
    found: list[Match] = [By(each) for each in dict.fromkeys((*first, *good))
                          if (fact := answer.fact(each, series)) and math.isfinite(fact.value)]
    spent = _spent(answer, series)
    if spent and {"epsilon", "delta"} <= study.values().keys():
        found.append(Guarantee())
    if (series in {one.key for one in answer.series()} and hasattr(answer.one(series), "delta_at")
            and "epsilon" in study.values()):
        found.append(Profile(float(study.values()["epsilon"]) / 2))
    return tuple(found)


def outcomes(kind: type[Study]) -> tuple[Quantity, ...]:
    """What a study is about, as it declares it."""
    return tuple(each.quantity for each in getattr(kind, "outcomes", ()))


def _spent(answer: Answer[Any, Any, Any], series: Series | str) -> tuple[float, float] | None:
    """The ε and δ of a series' guarantee, where they are facts of it."""
    key = series if isinstance(series, str) else series.key
    facts = [answer.fact(each, key) if (each.key, key) in answer.index() else None for each in SPENT]
    epsilon, delta = facts
    return (epsilon.value, delta.value) if epsilon and delta else None


# Matching

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
    yield Matching(by, matcher.reference, tuple(others), matcher.sentence(others))


class _Matcher:
    """One series of a study, what the others are matched to it by, and along which parameter."""

    def __init__(self, kind: type[Study], explicit: Mapping[str, Value], reference: str, by: Match,
                 parameter: Parameter) -> None:
        self.kind, self.explicit, self.by, self.parameter = kind, explicit, by, parameter
        self.study = kind(**explicit)
        self.answer = self.study.answer()
        named = {one.key: one for one in self.answer.series()}
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
        index, rest = self.answer.index(), [one for one in self.answer.series() if one != self.reference.series]
        if isinstance(self.by, Profile):
            return [one for one in rest if (found := self.answer.one(one)) is None or hasattr(found, "delta_at")]
        key = SPENT[0].key if isinstance(self.by, Guarantee) else self.by.quantity.key
        return [one for one in rest if (key, one.key) in index and not index[key, one.key].simulated]

    def matched(self, series: Series) -> Matched:
        """A series where it matches the reference."""
        return self._guaranteed(series) if isinstance(self.by, Guarantee) else self._solved(series)

    def _at(self, values: Mapping[str, Value]) -> Study:
        return self.kind(**{**self.explicit, **values})

    def _fact(self, answer: Answer[Any, Any, Any], series: str) -> Fact | None:
        if isinstance(self.by, Profile):
            return profile(answer, series, self.by.epsilon)
        return answer.fact(SPENT[0] if isinstance(self.by, Guarantee) else self.by.quantity, series)

    # Solving

    def _solved(self, series: Series) -> Matched:
        """The values of a series at which it is as wanted."""
        name, want = self.parameter.name, self._want(series)
        problem = Problem.of(self.kind, self.explicit, [want], [name], {})
        found, over = solve(self.kind, self.explicit, [want], [name]), problem.axes[0].over
        number, fact, ends = found.values[name], found.facts[0], (over.low, over.high)
        # Where it holds all over, the solution is an end or, of what makes no difference, what it is now.
        stays = (*ends, self.reference.values[name])
        if found.met and number in stays and all(problem.holds({name: end}) for end in ends):
            return Matched(series, self.study, self.reference.values, want.of(self.answer), everywhere=True)
        study = self._at(found.values)
        if found.met:
            return Matched(series, study, found.values, fact, _rounded(problem, number))
        there = [fact and fact.value for fact in (want.of(self._at({name: end}).answer()) for end in ends)]
        flat = fact is not None and there == [fact.value] * 2
        return Matched(series, study, found.values, fact, short(float(number), 3), met=False, flat=flat)

    def _want(self, series: Series) -> Want:
        if isinstance(self.by, Profile):
            return ProfileWant(v.PROFILE.key, "<=", self.fact.value, series.key, point=self.by.epsilon)
        return Want(self.fact.key, self._relation(), self.fact.value, series.key)

    def _relation(self) -> Relation:
        """On which side of the reference's value a match is as good, or as private; “=” where that is not known.

        What more of a parameter makes of a fact says it: at its more private end a fact is worse.
        """
        ends = self.parameter.ends
        way = 1 if ends[0] in PREFERRED else -1 if ends[1] in PREFERRED else 0
        moved = next((moved for one in (self.reference.series, *self.others()) if (moved := self._moved(one))), 0)
        if not moved or not way:
            return "="
        return ">=" if (moved * way > 0) != limits(self.fact) else "<="

    def _moved(self, series: Series) -> int:
        """1 where more of the parameter raises the fact of a series, −1 where it lowers it, else 0."""
        name, domain = self.parameter.name, self.parameter.domain
        assert isinstance(domain, Interval)
        now, here = getattr(self.study, name), self._fact(self.answer, series.key)
        for other in (2 * now + (now == 0), now / 2):
            with suppress(InvalidParameter):
                value = domain.nearest(other)
                there = self._fact(self._at({name: value}).answer(), series.key)
                if here and there and (there.value > here.value or there.value < here.value):
                    return (1 if there.value > here.value else -1) * (1 if value > now else -1)
        return 0

    def _guaranteed(self, series: Series) -> Matched:
        """A series at the guarantee of the reference: its ε and, where it spends any, its δ; nothing is solved."""
        wanted = _spent(self.answer, self.reference.series)
        assert wanted is not None
        values: dict[str, Value] = {}
        for name, value in zip(("epsilon", "delta"), wanted, strict=True):
            domain = self.kind.parameter(name).domain
            assert isinstance(domain, Interval)
            values[name] = domain.nearest(value)
        study = self._at(values)
        spent = _spent(study.answer(), series)
        if spent is None:
            return Matched(series, study, values, None, met=False)
        # A series that does not spend what is set does not mind what cannot be set.
        cut = any(own == given != most and own < most for own, given, most in
                  zip(spent, values.values(), wanted, strict=True))
        met = not cut and all(own <= most * (1 + SLACK) for own, most in zip(spent, wanted, strict=True))
        fact = study.answer().fact(SPENT[1], series)
        return Matched(series, study, values, fact, met=met)

    # The sentence

    def sentence(self, others: Sequence[Matched]) -> str:
        """What each needs, or may have, and who cannot be matched."""
        return " ".join(part for part in (self._guarantee(others) if isinstance(self.by, Guarantee) else
                                          self._needs(others), self._always(others), self._never(others)) if part)

    def _name(self, series: Series) -> str:
        """Its label; in quotes where it has a comma of its own."""
        return f"“{series.label}”" if "," in series.label else series.label

    def _needs(self, others: Sequence[Matched]) -> str:
        met = [one for one in others if one.met and not one.everywhere]
        about = {"≤": "at most ", "≥": "at least ", "≈": "about "}.get(sign_of(self.fact), "")
        unit = self.fact.quantity.unit
        value = f"{about}{stated(self.fact)}{f' {unit}' if unit and unit not in self.by.label else ''}"
        head, name = f"For the same {self.by.label} of {value}", self._name(self.reference.series)
        told = [f"{self._name(one.series)} {one.said}" for one in met]
        if self._moved(self.reference.series):
            told = [f"{name} {self.reference.said}", *told]
        elif not met:
            return f"{name} has {self.by.label} {value}, whatever {self._symbol} is."
        else:
            head = f"{head}, which {name} has whatever {self._symbol} is,"
        verb = "has" if not met else "may have" if limits(self.fact) else "needs"
        who, _, number = told[0].rpartition(" ")
        return f"{head} {listed([f'{who} {verb} {self._symbol} = {number}', *told[1:]])}."

    def _guarantee(self, others: Sequence[Matched]) -> str:
        """What each comes to with the same ε and δ."""
        epsilon, delta = (self.answer.fact(each, self.reference.series) for each in SPENT)
        assert epsilon is not None
        assert delta is not None
        head = f"With ε = {stated(epsilon)} and δ = {stated(delta)}, as of {self._name(self.reference.series)}"
        met = [one for one in others if one.met]
        quantity = self._outcome()
        if quantity is None:
            return f"{head}: {listed(self._name(one.series) for one in met)}." if met else f"{head}, there is no other."
        told = [f"{stated(fact)} of {self._name(one.series)}" for one in (self.reference, *met)
                if (quantity.key, one.series.key) in self.answer.index()
                and (fact := one.study.answer().fact(quantity, one.series))]
        return f"{head}, {quantity.label}: {listed(told)}."

    def _outcome(self) -> Quantity | None:
        """What a person would look at first: the study's outcome or, where none is declared, its first error."""
        index, key = self.answer.index(), self.reference.series.key
        errors = (one.quantity for (_, of), one in index.items() if of == key and one.group == "errors"
                  and not one.simulated)
        found = (*outcomes(self.kind), *errors)
        return next((each for each in found if (each.key, key) in index and self.answer.fact(each, key)), None)

    def _always(self, others: Sequence[Matched]) -> str:
        names = [self._name(one.series) for one in others if one.everywhere]
        if not names:
            return ""
        how = "private" if limits(self.fact) else "good"
        return f"{listed(names)} {'is' if len(names) == 1 else 'are'} as {how} at every {self._symbol}."

    @property
    def _symbol(self) -> str:
        return self.parameter.quantity.symbol

    def _never(self, others: Sequence[Matched]) -> str:
        """Who cannot be matched, and what comes nearest."""
        told = []
        for one in (other for other in others if not other.met):
            name = self._name(one.series)
            if one.fact is None:
                told.append(f"{name} has none")
            elif isinstance(self.by, Guarantee):
                told.append(f"{name} has δ = {stated(one.fact)}")
            elif one.flat:
                told.append(f"{name} has {stated(one.fact)} whatever {self._symbol} is")
            else:
                told.append(f"{name} does not reach it: nearest is {stated(one.fact)} at {self._symbol} = {one.said}")
        return f"{'; '.join(told)}." if told else ""


def limits(fact: Fact) -> bool:
    """Whether a fact is a loss that privacy limits, of which a match must not have more."""
    return fact.group in LIMITS or fact.quantity.symbol.startswith(SPENDING) or fact.quantity == v.MOST_RELEASES


def _rounded(problem: Problem, number: Value) -> str:
    """A solution in as few digits from three on as leave it one, rounded to either side."""
    assert isinstance(number, int | float)
    sides: Sequence[Side] = ("nearest", "up", "down")
    for digits in () if isinstance(number, int) else DIGITS:
        for text in (short(number, digits, side) for side in sides):
            if problem.holds({problem.axes[0].name: as_number(text)}):
                return text
    return short(number) if isinstance(number, int) else plain(number)
