"""What series are matched by, what there is to choose, and what is found of each.

    By(v.BAND_WIDTH)                    the same value of a fact
    Profile(0.05)                       the same smallest δ at ε′ = 0.05
    SameGuarantee()                         the same ε and δ
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Parameter
from dpstudio.core.facts import Declaration, each
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Fact, Series
from dpstudio.core.solve.solution import as_number
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.text.numbers import plain, short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Quantity, Value, yes_or_no

ROOM = 1e-9
"""Part by which an ε that was looked for may lie above the one that is claimed."""
SPENT = (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA)


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
class SameGuarantee:
    """The same ε and δ, as far as a study has them as parameters."""

    @property
    def label(self) -> str:
        return "guarantee, ε and δ"


Match: TypeAlias = By | Profile | SameGuarantee


@dataclass(frozen=True, slots=True)
class ProfileWant(Want):
    """δ at a point of the privacy profile of what is compared."""

    point: float = 0.0

    def declared(self, kind: type[Study]) -> Declaration[Any, Any, Any]:  # noqa: ARG002 - as every want
        return each(v.PROFILE, lambda one: one.delta_at(self.point))

    def check(self, kind: type[Study]) -> Declaration[Any, Any, Any]:
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

    def guarantee(self) -> Guarantee | None:
        """What the series promises at the values as they are said; None where it promises nothing."""
        return self.study.replace(**self.handy).answer().guarantee(self.series)

    def keeps_delta(self) -> bool:
        """Whether it needs no more than the study's δ at its ε."""
        promised, study = self.guarantee(), self.study.replace(**self.handy)
        if promised is None:
            return False
        answer, spent = study.answer(), v.EPSILON_AT_DELTA
        if (spent.key, self.series.key) in answer.index() and (at_delta := answer.fact(spent, self.series)):
            return at_delta.value <= promised.epsilon * (1 + ROOM)
        return promised.keeps(promised.epsilon, getattr(study, "delta", 0.0))

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
    if {"epsilon", "delta"} <= study.values().keys() and _promises(answer, series):
        found.append(SameGuarantee())
    if (series in {one.key for one in answer.series()} and hasattr(answer.one(series), "delta_at")
            and "epsilon" in study.values()):
        found.append(Profile(float(study.values()["epsilon"]) / 2))
    return tuple(found)


def outcomes(kind: type[Study]) -> tuple[Quantity, ...]:
    """What a study is about, as it declares it."""
    return tuple(each.quantity for each in getattr(kind, "outcomes", ()))


def _promises(answer: Answer[Any, Any, Any], series: str) -> bool:
    """Whether a series has a guarantee at these settings."""
    return series in {one.key for one in answer.series()} and answer.guarantee(series) is not None
