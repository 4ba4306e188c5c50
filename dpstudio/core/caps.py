"""Whether a guarantee keeps caps on belief: who held it 1 % likely may hold it at most 5 % likely.

    CapsKept(attacker, guarantee).room      1.6292…: how far the loss of its answers stays below what the caps allow

A loss ℓ moves odds by e^ℓ, so that a cap c allows the prior p a loss of logit c − logit p, and of all caps the one that
allows least binds [Kazan & Reiter 2024]. With an exception η that part of the answers may lead further, where it is
true: then ℓ = ln(η/T(1 − η)) is the smallest that no more than η exceed, whatever is done with an answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core import attack
from dpstudio.core import law as laws
from dpstudio.core.attacker import Attacker, or_even_odds
from dpstudio.core.facts import Declaration, Said, of_series
from dpstudio.core.guarantee import NO_GUARANTEE, Guarantee
from dpstudio.core.law import Law
from dpstudio.core.needs import called
from dpstudio.core.odds import updated
from dpstudio.core.results import Kind, Series
from dpstudio.core.risk import Risk, common_loss
from dpstudio.core.sources import KAZAN24
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain, short
from dpstudio.text.sentences import listed, percent, safely
from dpstudio.vocabulary import Quantity, numbers_of

LOST = 1e-300
"""What no number tells from 0: an answer that no belief survives may still come."""
_HALVINGS = 100
_TYPED = 12
"""Digits that a person may type."""


def logit(share: float) -> float:
    """ln of the odds."""
    return math.log(share) - math.log1p(-share)


@dataclass(frozen=True, slots=True)
class Cap:
    """How likely somebody who held it so likely may hold it after an answer."""

    prior: float
    most: float

    @property
    def allowed(self) -> float:
        """The loss that leads from the one to the other."""
        return logit(self.most) - logit(self.prior)


def caps_of(attacker: Attacker) -> tuple[Cap, ...]:
    """The caps that are set, of rising priors."""
    return tuple(Cap(*pair) for pair in numbers_of(attacker.profile) or ())


@dataclass(frozen=True)
class CapsKept:
    """Caps on belief beside what a release guarantees."""

    attacker: Attacker
    promised: Guarantee

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        return caps_of(self.attacker)

    @cached_property
    def binding(self) -> Cap:
        """The cap that allows least; a release that keeps this one keeps all."""
        return min(self.caps, key=lambda cap: cap.allowed)

    @cached_property
    def _risk(self) -> Risk:
        return Risk(self.attacker, self.promised)

    @cached_property
    def _law(self) -> tuple[Law, str]:
        return self._risk.two_values

    @property
    def _steps(self) -> int:
        """How many neighbours apart the two are that are told apart."""
        return 2 if self._law[1] else 1

    @cached_property
    def loss(self) -> float:
        """The smallest loss that no more of the answers exceed than the exception lets; ∞ where there is none."""
        eta = self.attacker.exception
        level = 1 - eta
        if 1 - level > eta:  # as rounded: never for more of the answers
            level = math.nextafter(level, 1.0)
        return common_loss(self._law[0], level) if level < 1 else laws.largest_loss(self._law[0])

    @property
    def kind(self) -> Kind:
        """A pure loss is attained; what few answers exceed is a bound, whatever is done with an answer."""
        return "bound" if self.attacker.exception else self._risk.kind

    @property
    def room(self) -> Said:
        """What the caps allow less what is kept, in units of loss."""
        cap, eta = self.binding, self.attacker.exception
        kept = f"ln η/T(1 − η), η = {plain(eta)}" if eta else "the largest loss"
        how = f"logit {plain(cap.most)} − logit {plain(cap.prior)} less {kept}{self._law[1]}"
        return Said(cap.allowed - self.loss, how, KAZAN24, self.kind)

    @property
    def epsilon(self) -> Said | None:
        """The greatest ε at which (ε, δ) alone keeps all caps; None where none does.

        (ε, δ) keeps all but η of the answers within ε − ln(1 − δ/η), and within ε where δ = 0. Two values are two steps
        apart: 2ε, and δ(1 + e^ε).
        """
        delta, eta, allowed = self.promised.delta, self.attacker.exception, self.binding.allowed
        if delta and delta >= eta:
            return None
        how = f"{plain(allowed)}{f' + ln(1 − δ/η), η = {plain(eta)}' if delta else ''}{', halved' * (self._steps == 2)}"

        def breaks(epsilon: float) -> bool:
            more = delta * (1 + math.exp(epsilon)) if self._steps == 2 else delta
            return more >= eta > 0 or self._steps * epsilon - (math.log1p(-more / eta) if delta else 0.0) > allowed

        low, high = 0.0, allowed / self._steps
        if delta == 0:
            return Said(high, how, KAZAN24, self.kind)
        if breaks(low):
            return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if breaks(middle) else (middle, high)
        return Said(low, how, KAZAN24, self.kind)

    @cached_property
    def missed(self) -> float:
        """With what probability an answer leads beyond the cap that binds, at most, where it is true."""
        found = float(attack.exceeds(self._law[0], self.binding.allowed))
        # To the cap itself a pure loss may lead often, and beyond it never.
        return found if self.room.value < 0 else min(found, self.attacker.exception)

    @property
    def most(self) -> str:
        """What answers make of the prior of the cap that binds: “at most 23.2 %”."""
        return "no limit" if self.loss == math.inf else f"at most {self.held}"

    @property
    def held(self) -> str:
        """How likely it is held that was held as the cap that binds has it: “23.2 %”, rounded up."""
        return percent(self.belief(self.binding.prior), side="up")

    def belief(self, prior: float) -> float:
        """How likely it is held after all answers but the exception, at most."""
        return float(updated(prior, self.loss)) if self.loss < math.inf else 1.0


def kept_of(answer: Any, series: Series | str | None = None) -> CapsKept | None:
    """The caps beside what one series promises, or the study's one release; None where none are set or nothing is.

    Where nobody is feared they are on the belief whether somebody is in the data.
    """
    study: Attacker = answer.study
    promised = answer.guarantee(series) if study.profile != v.NONE else None
    if promised is None:
        return None
    return CapsKept(or_even_odds(study), promised)


# As facts of every answer

_FACTS: tuple[tuple[Quantity, Callable[[CapsKept], Said | None]], ...] = (
    (v.PROFILE_ROOM, lambda kept: kept.room), (v.PROFILE_EPSILON, lambda kept: kept.epsilon))


def facts(compares: bool) -> tuple[Declaration[Any, Any, Any], ...]:
    """What is said of caps where some are set: of everything that is compared, or of a study’s one release."""
    return tuple(of_series(quantity, kept_of, make, each=compares, at_least=True) for quantity, make in _FACTS)


# In words

def profile_said(answer: Any) -> Mapping[Series | None, str]:
    """Of each series that may be decided for, or of the study's one release, whether it keeps the caps; empty where
    none are set.
    """
    if answer.study.profile == v.NONE:
        return {}
    return {series: told(kept_of(answer, series), series) for series in _whose(answer)}


def summary(answer: Any) -> str:
    """The same of all together, as a picture says it: who keeps the cap that binds, and what each may lead to."""
    every = {series: kept for series in _whose(answer) if (kept := kept_of(answer, series))}
    if not every:
        return ""
    first = next(iter(every.values()))
    found = [f"Who held it {_as_set(first.binding.prior)} likely may hold it at most {_as_set(first.binding.most)} "
             f"likely{_but(first)}."]
    for does, says in ((True, "The profile is kept with"), (False, "Broken with")):
        each = [f"{called(series) or 'the release'} ({kept.most})" for series, kept in every.items()
                if (kept.room.value >= 0) is does]
        found += [f"{says} {listed(each)}."] if each else []
    return " ".join(found)


def _whose(answer: Any) -> tuple[Series | None, ...]:
    return (None,) if answer.one_release() else answer.choices


def _but(kept: CapsKept) -> str:
    eta = kept.attacker.exception
    return f", but for a probability of at most {safely(eta)}" if eta else ""


def told(kept: CapsKept | None, series: Series | None) -> str:
    """One sentence: “Laplace keeps the profile: who held it 1 % likely may hold it at most 5 % likely, and …”."""
    name = called(series) or "The release"
    if kept is None:
        return f"{name}: {NO_GUARANTEE[0].lower()}{NO_GUARANTEE[1:]}, so that no belief is limited."
    cap, but = kept.binding, _but(kept)
    capped = f"who held it {_as_set(cap.prior)} likely may hold it at most {_as_set(cap.most)} likely"
    if kept.room.value >= 0:
        return (f"{name} keeps the profile: {capped}, and after any answer holds it at most {kept.held} "
                f"likely{but}.")
    missed = ("Where it is true, an answer exceeds the cap with probability at most "
              f"{safely(max(kept.missed, LOST))}.")
    if kept.loss == math.inf:
        limited = "known to be limited" if kept.promised.kind == "bound" else "limited"
        return f"{name} breaks the profile: {capped}, and no answer’s loss is {limited}{but}. {missed}"
    epsilon = kept.epsilon
    would = f"; with ε ≤ {short(epsilon.value, 3, 'down')} it would be kept" if epsilon else ""
    return (f"{name} breaks the profile: {capped}, and after some answers holds it up to {kept.held} "
            f"likely{but}{would}. {missed}")


def _as_set(share: float) -> str:
    """A cap, or its prior, with the digits that were typed."""
    return percent(share, _TYPED)
