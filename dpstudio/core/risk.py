"""The risk in a person's terms: what an attacker whom one fears gains from what a guarantee promises.

    Risk(attacker, guarantee).success      Said(0.7311, "exact", "max(π, 1 − π) + …")

Its facts stand in every answer, of everything that is compared, where somebody is feared; the sentence is that of each
study. Success is exact where the best test attains it, else a bound.
"""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Callable
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core import attack
from dpstudio.core import law as laws
from dpstudio.core.attacker import (
    EVEN,
    GOALS,
    MEMBERSHIP,
    NAME,
    NOBODY,
    NOBODY_FEARED,
    RECONSTRUCTION,
    Attacker,
    before,
    guessed,
    or_even_odds,
    prior_of,
)
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Said, of_series, once
from dpstudio.core.guarantee import MOST_GUESSES, NO_GUARANTEE, Guarantee
from dpstudio.core.law import Law
from dpstudio.core.odds import updated
from dpstudio.core.results import Kind
from dpstudio.core.sentence import Sentence, Spoken, first_said, part, sentence
from dpstudio.core.sources import DRS22, KAZAN24, KULYNYCH25, WZ10
from dpstudio.records import cached_property, dataclass
from dpstudio.text.language import phrase
from dpstudio.text.numbers import fixed, plain
from dpstudio.text.sentences import percent
from dpstudio.vocabulary import Quantity

GROUP = "risk"
COMPOSED = "dpstudio.mechanisms.releases:repeated"
"""What knows the law of several releases, by where it stands: nothing here knows a mechanism."""
RARE = 0.05
"""Of all answers, those that may carry a belief beyond what is said of the others."""
LEVEL = 1 - RARE
_ROUNDING = 1e-12
"""Part of a share that is its rounding."""


@dataclass(frozen=True)
class Risk:
    """What an attacker gains from a release."""

    attacker: Attacker
    promised: Guarantee

    @property
    def two_values(self) -> tuple[Law, str]:
        """What tells two values of what is guessed from each other, and in words how many steps apart they are."""
        return self._between(self.promised)

    @property
    def kind(self) -> Kind:
        """Of what these tell: a bound where they are two steps apart, which a release may tell less well."""
        return "bound" if self.two_values[1] else self.promised.kind

    def _between(self, law: Law) -> tuple[Law, str]:
        if self.attacker.attacker == MEMBERSHIP or self.promised.relation.swap:
            return law, ""
        return attack.Grouped(law, 2), ", two values being two steps apart"

    def success_of(self, law: Law, kind: Kind) -> Said:
        """The share of right guesses with what has this law in the place of the guarantee’s own, at most."""
        a, swap, prior = self.attacker, self.promised.relation.swap, prior_of(self.attacker)
        if a.attacker == NAME:
            many = a.candidates
            if swap == "any":
                how = f"the largest s with s = g((1 − s)/(M − 1)), M = {plain(many)}"
                return Said(_float(attack.one_of(law, many)), how, KULYNYCH25, kind if many == 2 else "bound")
            return Said(_float(attack.success(law, prior)), f"g(1/M), M = {plain(many)}", KULYNYCH25, "bound")
        if a.attacker == RECONSTRUCTION:
            return Said(_float(attack.success(law, prior)), f"g(b), b = {plain(prior)}", KULYNYCH25, "bound")
        how = f"max(p, 1 − p) + min(p, 1 − p) δ(|ln p/(1 − p)|), p = {plain(prior)}"
        between, apart = self._between(law)
        value = _float(attack.membership(between, prior))
        attained = (a.attacker == MEMBERSHIP or swap == "two") and (
            prior == EVEN or value == before(a) or laws.same_both_ways(law))
        return Said(value, f"{how}{apart}", WZ10, kind if attained else "bound")

    @cached_property
    def success(self) -> Said:
        """The share of right guesses with the release."""
        return self.success_of(self.promised, self.promised.kind)

    @property
    def gain(self) -> float:
        """What the release adds to the share of right guesses, to all its digits at even odds."""
        a = self.attacker
        if a.attacker == MEMBERSHIP and prior_of(a) == EVEN:
            return self.promised.advantage / 2
        return self.success.value - before(a)

    @cached_property
    def found(self) -> Said:
        """The share found of those of whom it is true, at the false accusations that the attacker affords."""
        (law, apart), alpha = self.two_values, self.attacker.false_alarms
        return Said(_float(attack.success(law, alpha)), f"g(α) = 1 − T(α), α = {plain(alpha)}{apart}", DRS22,
                    self.kind)

    @cached_property
    def belief(self) -> Said:
        """The largest belief after any answer."""
        apart, prior = self.two_values[1], prior_of(self.attacker)
        value = self.at_worst(prior)
        how = "no answer’s loss is limited" if value == 1 else f"p/(p + (1 − p) e^−ε), p = {plain(prior)}"
        return Said(value, f"{how}{apart}", KAZAN24, self.kind)

    def at_worst(self, prior: float) -> float:
        """The belief after the most telling answer, of what was held so likely."""
        return float(attack.greatest_posterior(self.two_values[0], prior))

    @cached_property
    def usual(self) -> Said:
        """What no more than 5 % of the answers carry a belief beyond."""
        law, apart = self.two_values
        prior, loss = prior_of(self.attacker), common_loss(law)
        return Said(float(updated(prior, loss)), f"the odds of {plain(prior)} times e^ℓ, ℓ = ln(0.05/T(0.95)){apart}",
                    WZ10, "bound")

    @cached_property
    def advantage(self) -> Said:
        """The largest difference between the shares found and falsely accused."""
        law, apart = self.two_values
        return Said(_float(attack.advantage(law)), f"δ(0), the total variation distance{apart}", WZ10, self.kind)

    @cached_property
    def after(self) -> Said:
        """The share of right guesses after k such releases."""
        many = self.attacker.releases_feared
        law, kind = pkgutil.resolve_name(COMPOSED)(self.promised, many)
        said = self.success_of(law, _worse(self.promised.kind, kind))
        return _also(said, f"after k = {plain(many)} releases")

    @cached_property
    def of_records(self) -> Said:
        """The share of right guesses about a person with c records."""
        many = self.attacker.records_of_one
        law = attack.Grouped(self.promised, many)
        said = self.success_of(law, _worse(self.promised.kind, law.kind))
        return _also(said, f"of c = {plain(many)} records")


def common_loss(law: Law, level: float = LEVEL) -> float:
    """A loss that a share of all answers stays within, where the record is there: ln of (1 − level)/T(level).

    The others, which speak for the record the most, are together a test with type I error α, and on average e^ℓ times
    as likely with it as without. T over all pairs is its own inverse, so that α = T(level).
    """
    alpha = float(attack.failure(law, level))
    return math.log((1 - level) / alpha) if alpha > 0 else math.inf


def _float(share: float | Array) -> float:
    """A share of one attacker."""
    return min(float(share), 1.0)


def _worse(one: Kind, other: Kind) -> Kind:
    return "bound" if "bound" in (one, other) else one


def _also(said: Said, more: str) -> Said:
    return Said(said.value, f"{said.how}; {more}", said.source, said.kind)


# As facts of every answer

_FACTS: tuple[tuple[Quantity, Callable[[Risk], Said]], ...] = (
    (v.RISK_SUCCESS, lambda risk: risk.success), (v.RISK_FOUND, lambda risk: risk.found),
    (v.RISK_BELIEF, lambda risk: risk.belief), (v.RISK_USUAL, lambda risk: risk.usual),
    (v.RISK_ADVANTAGE, lambda risk: risk.advantage), (v.RISK_AFTER, lambda risk: risk.after),
    (v.RISK_OF_RECORDS, lambda risk: risk.of_records))


def facts(compares: bool) -> tuple[Declaration[Any, Any, Any], ...]:
    """What is said of the attacker where one is feared: of everything that is compared, or of a study’s one release."""
    before_it: Declaration[Any, Any, Any] = once(
        v.RISK_BEFORE, lambda a: before(a.study), "the best guess without the release",
        when=lambda a: a.study.attacker != NOBODY)
    return before_it, *(of_series(quantity, lambda a, series: a.faced(series), make, each=compares)
                        for quantity, make in _FACTS)


# As a sentence

def said_of(promised: Guarantee | None, attacker: Attacker = NOBODY_FEARED) -> Spoken:
    """What a release means for one person, and while what; None promises nothing at these settings.

    Where nobody is feared, to whoever guesses at even odds which of two neighbours it is.
    """
    if promised is None:
        return _said(_NO_GUARANTEE, None)
    return _said(_RISK, _Told(Risk(or_even_odds(attacker), promised), attacker.attacker != NOBODY))


@dataclass(frozen=True)
class _Told:
    """What is said of a risk, and whether somebody is feared: else no more is said than of guesses at even odds."""

    risk: Risk
    feared: bool

    @property
    def of_two(self) -> bool:
        """Whether it is true of some people and not of others."""
        return GOALS[self.risk.attacker.attacker].of_two

    @property
    def uneven(self) -> bool:
        """Whether a belief says more than the share of right guesses, which may be that of a belief that is kept."""
        return self.of_two and prior_of(self.risk.attacker) != EVEN

    @property
    def accused(self) -> bool:
        """Whether false accusations are said of."""
        return self.of_two and self.feared

    @cached_property
    def guesses(self) -> int:
        """As many as two digits of the gain, of what is right without it and of what stays wrong take."""
        return many_of(self.risk.gain, 1 - self.risk.success.value, before(self.risk.attacker))

    @property
    def without(self) -> str:
        return fixed(at_least(before(self.risk.attacker), self.guesses), 0)

    @property
    def right(self) -> str:
        many, risk = self.guesses, self.risk
        without = at_least(before(risk.attacker), many)
        # What is too little to be told in the share itself is told beside it.
        return fixed(min(max(at_most(risk.success.value, many), without + at_most(risk.gain, many)), many), 0)

    @cached_property
    def people(self) -> int:
        """As many as two digits of those who are found and of those who are accused take."""
        return many_of(self.risk.attacker.false_alarms, self.risk.found.value)

    @property
    def wrongly(self) -> str:
        return fixed(at_least(self.risk.attacker.false_alarms, self.people), 0)

    @property
    def found(self) -> str:
        return fixed(at_most(self.risk.found.value, self.people), 0)


def many_of(*shares: float) -> int:
    """Ten thousand, or as many as show ten of each share that is there."""
    least, many = min((each for each in shares if each > 0), default=0.5), 10_000
    while least * many < 10 and many < MOST_GUESSES:
        many *= 10
    return many


def at_least(share: float, many: int) -> int:
    """So many of many, rounded down."""
    return min(math.floor(share * many * (1 + _ROUNDING)), many)


def at_most(share: float, many: int) -> int:
    """So many of many, rounded up."""
    return min(math.ceil(share * many * (1 - _ROUNDING)), many)


def of_so_many(share: float, *others: float) -> str:
    """“7 311 of 10 000”: a share in as many as show its digits and those of others, rounded up."""
    many = many_of(share, 1 - share, *others)
    return phrase("{some} of {many}", some=fixed(at_most(share, many), 0), many=fixed(many, 0))


def _said(alternatives: tuple[Sentence[Any, None], ...], of: object) -> Spoken:
    said = first_said(alternatives, of)
    assert said is not None, "the last of them has no condition"
    return said


_NO_GUARANTEE: tuple[Sentence[None, None], ...] = (
    sentence("no_guarantee", f"{NO_GUARANTEE}: no limit on the risk to a person can be promised."),)
_CONDITION = part(" That holds {holds}.", when=lambda told: bool(told.risk.promised.holds),
                  holds=lambda told: phrase(told.risk.promised.holds))
_RISK: tuple[Sentence[_Told, None], ...] = (
    sentence("unlimited", "This protects nobody: whoever sees what is released could learn everything.{condition}",
             when=lambda told: told.risk.promised.nothing, condition=_CONDITION),
    sentence("guesses", "Of {guesses} guesses {guessed}, on average {without} are right without this release and "
             "at most {right} with it, even if all else is known.{believed}{accused}{condition}",
             guesses=lambda told: fixed(told.guesses, 0),
             guessed=lambda told: guessed(told.risk.attacker, told.risk.promised.relation),
             without=lambda told: told.without, right=lambda told: told.right,
             believed=(
                 part(" No answer makes what was held {prior} likely more than {most} likely.",
                      when=lambda told: told.uneven and told.risk.belief.value < 1,
                      prior=lambda told: percent(prior_of(told.risk.attacker)),
                      most=lambda told: percent(told.risk.belief.value, side="up")),
                 part(" Of 100 answers 95 leave what was held {prior} likely at most {most} likely.",
                      when=lambda told: told.uneven,
                      prior=lambda told: percent(prior_of(told.risk.attacker)),
                      most=lambda told: percent(told.risk.usual.value, side="up"))),
             accused=part(" Whoever wrongly accuses {wrongly} of {people} of whom it is not true rightly accuses at "
                          "most {found} of {people} of whom it is.",
                          when=lambda told: told.accused, people=lambda told: fixed(told.people, 0),
                          wrongly=lambda told: told.wrongly, found=lambda told: told.found), condition=_CONDITION))
SENTENCES = _NO_GUARANTEE, _RISK
"""What is said of where nothing is promised, and of what is."""
