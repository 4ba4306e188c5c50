"""What series are matched by, what there is to choose, and what is found of each.

    By(v.BAND_WIDTH)                    the same value of a fact
    Profile(0.05)                       the same smallest δ at ε′ = 0.05
    SameGuarantee()                     the same ε and δ
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Parameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.needs import as_number
from dpstudio.core.results import Fact, Series
from dpstudio.core.solve import problem
from dpstudio.core.study import Study
from dpstudio.records import dataclass
from dpstudio.text.language import phrase, tr
from dpstudio.text.numbers import in_full, short
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Quantity, Value, yes_or_no

ROOM = 1e-9
"""Part by which an ε that was looked for may lie above the one that is claimed."""


@dataclass(frozen=True, slots=True)
class By:
    """The same value of a fact that several series have."""

    quantity: Quantity

    @property
    def label(self) -> str:
        return tr(self.quantity.label)

    def fact(self, answer: Answer[Any, Any, Any], series: str) -> Fact | None:
        """What a series is matched by; None where it has no such thing at these settings."""
        return answer.fact(self.quantity, series)

    def is_of(self, answer: Answer[Any, Any, Any], series: Series) -> bool:
        """Whether a series has it at some settings, and exactly."""
        declared = answer.index().get((self.quantity.key, series.key))
        return declared is not None and not declared.simulated


@dataclass(frozen=True, slots=True)
class Profile(By):
    """The same smallest δ at a point of the privacy profile."""

    quantity: Quantity = field(default=v.PROFILE, init=False)
    epsilon: float

    @property
    def label(self) -> str:
        return phrase("δ at ε′ = {epsilon}", epsilon=in_full(self.epsilon))

    def fact(self, answer: Answer[Any, Any, Any], series: str) -> Fact | None:
        one = answer.one(series)
        if one is None or not hasattr(one, "delta_at"):
            return None
        return Fact(v.PROFILE, float(one.delta_at(self.epsilon)), _named(answer, series), group="privacy")

    def is_of(self, answer: Answer[Any, Any, Any], series: Series) -> bool:
        return (one := answer.one(series)) is None or hasattr(one, "delta_at")


@dataclass(frozen=True, slots=True)
class SameGuarantee(By):
    """The same ε and δ, as far as a study has them as parameters."""

    quantity: Quantity = field(default=v.GUARANTEE_EPSILON, init=False)

    @property
    def label(self) -> str:
        return tr("guarantee, ε and δ")

    def fact(self, answer: Answer[Any, Any, Any], series: str) -> Fact | None:
        """The ε that a series promises; None where it promises nothing."""
        return promised_fact(answer, series, v.GUARANTEE_EPSILON)

    def is_of(self, answer: Answer[Any, Any, Any], series: Series) -> bool:
        return answer.one(series) is not None


def promised_fact(answer: Answer[Any, Any, Any], series: str, quantity: Quantity) -> Fact | None:
    """The ε or the δ of what a series promises, as a fact; None where it promises nothing."""
    promised = answer.guarantee(series)
    if promised is None:
        return None
    value = promised.epsilon if quantity == v.GUARANTEE_EPSILON else promised.delta
    return Fact(quantity, value, _named(answer, series), group="privacy", kind=promised.kind)


def _named(answer: Answer[Any, Any, Any], series: str) -> Series:
    return next(each for each in answer.series() if each.key == series)


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
    nearby: bool = False
    """Whether it is that about where it was, and not at the ends."""
    flat: bool = False
    """Whether what was solved for makes no difference to it."""

    @property
    def moved(self) -> bool:
        """Whether it matches at a value that was looked for."""
        return self.met and not self.everywhere

    @property
    def handy(self) -> Mapping[str, Value]:
        """The values as they are said, which leaves them a match."""
        if len(self.values) > 1 or not (self.met and self.said):
            return self.values
        return {name: value if isinstance(value, int) else as_number(self.said) for name, value in self.values.items()}

    def guarantee(self) -> Guarantee | None:
        """What the series promises at the values as they are said; None where it promises nothing."""
        return self.study.replace(**self.handy).answer().guarantee(self.series)

    @property
    def spends(self) -> str:
        """What it spends there that is not allowed, as an answer says it; empty where it is allowed."""
        return self.study.answer().spends(self.series)

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
        name = tr(self.series.label)
        symbols = [type(self.study).parameter(name).quantity.symbol for name in self.values]
        if self.everywhere:
            return phrase("{name}, any {symbols}", name=name, symbols=listed(symbols))
        numbers = [self.said or short(float(value), 4) for value in self.values.values()]
        at = ", ".join(f"{symbol} = {number}" for symbol, number in zip(symbols, numbers, strict=True))
        return f"{name}, {at}" if self.met else phrase("{name}, nearest {values}", name=name, values=at)


@dataclass(frozen=True, slots=True)
class Matching:
    """A series with those that were matched to it, and one sentence about them."""

    by: By
    reference: Matched
    others: tuple[Matched, ...]
    says: str

    @property
    def all(self) -> tuple[Matched, ...]:
        """The reference, and after it what is allowed before what is not."""
        return self.reference, *sorted(self.others, key=lambda one: bool(one.spends))


# What there is to choose

def solvable(study: Study) -> tuple[Parameter, ...]:
    """Of what can be solved for that which matters at these settings."""
    values = study.values()
    return tuple(each for each in problem.solvable(study) if each.matters(values))


def choices(study: Study, series: str) -> tuple[By, ...]:
    """What a series can be matched by, the study's outcomes first; a profile at half of its ε."""
    answer, index, values = study.answer(), study.answers().index(), study.values()
    good = [one.quantity for (_, of), one in index.items() if of == series
            and not one.simulated and not one.slow and one.group != "technical" and not yes_or_no(one.quantity)
            and sum(key == one.quantity.key for key, of in index if of) > 1]
    first = [each for each in outcomes(type(study)) if each in good]
    found = [By(each) for each in dict.fromkeys((*first, *good))
             if (fact := answer.fact(each, series)) and math.isfinite(fact.value)]
    if series not in {one.key for one in answer.series()} or "epsilon" not in values:
        return tuple(found)
    promised = answer.guarantee(series)
    if "delta" in values and promised is not None and promised.epsilon == values["epsilon"]:
        found.append(SameGuarantee())  # of a study whose ε is that of one of many releases no other has the same
    if hasattr(answer.one(series), "delta_at"):
        found.append(Profile(float(values["epsilon"]) / 2))
    return tuple(found)


def outcomes(kind: type[Study]) -> tuple[Quantity, ...]:
    """What a study is about, as it declares it."""
    return tuple(each.quantity for each in getattr(kind, "outcomes", ()))
