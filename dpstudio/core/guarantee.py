"""A guarantee: what a release promises, to whom, and all that follows from it.

    Guarantee(RECORD, 0.1, 1e-6, law, BW18, mu=0.03)

Its law is the mechanism on its worst pair of neighbours, or a record of what was done with one (`mechanisms.laws`). The
promise in words, the table of guarantees, the risk of a person, every axis of privacy, the claim of an audit and the
header of code that is handed over are made from this object alone.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.core.results import Kind
from dpstudio.core.sentence import Sentence, Spoken, first_said, part, sentence
from dpstudio.core.sources import Source
from dpstudio.core.units import Model, Unit
from dpstudio.records import dataclass
from dpstudio.text.numbers import fixed
from dpstudio.text.sentences import safely
from dpstudio.vocabulary import DELTA, INSIDE_UNIT, TYPE_I, variant

ROOM = 1e-12
"""Part by which a δ may lie above another and still is that one: its own rounding."""
LARGEST = 1e9
"""An ε beyond which nobody looks for a smaller δ."""
MOST_GUESSES = 10**12
"""Of a risk that is smaller than one in so many guesses no digits are said."""
NO_GUARANTEE = "No guarantee holds at these settings"
_NEAR = 1e-12
"""Part of itself to which an ε is found."""
G = TypeVar("G")
_ROUNDS = 100

_BASELINE = variant(TYPE_I, key="baseline", domain=INSIDE_UNIT)
_PRIOR = variant(TYPE_I, key="prior", domain=INSIDE_UNIT)


@dataclass(frozen=True, slots=True)
class Relation:
    """Who is a neighbour of whom: the unit of privacy, and what changes of it."""

    key: str
    who: str
    """What changes, as the subject of a sentence: “One record more or less”."""
    what: str
    """What an attacker would find out: “whether one record is in the data”."""
    unit: str
    """What is protected: “one record of one person”."""
    sentence: str
    """“neighbours differ by one record of one person, added or removed”."""
    kind: Unit = ""
    """What that unit is among those of deployments in use; empty where it is none of them."""


RECORD = Relation("record", "One record more or less", "whether one record is in the data", "one record of one person",
                  "neighbours differ by one record of one person, added or removed", "record")
REPLACED = Relation("replaced", "One record replaced by another", "which of two records is in the data",
                    "one record of one person", "neighbours differ by one record of one person, replaced by another",
                    "record")
TRUTH = Relation("truth", "The other truth of one person", "what one person’s true answer is", "one person’s answer",
                 "neighbours differ in the truth of one person, who answers once", "event")
COUNTED = Relation("counted", "The other truth of one person", "whether one person’s true answer is yes",
                   "one person’s yes or no",
                   "neighbours differ in the yes or no of one person; the number of people is public", "event")


def rows_of(most: int) -> Relation:
    """All rows of one person, who has so many at most; one record, where that is one."""
    return RECORD if most == 1 else _person("rows", f"with {most} rows at most")


def groups_of(most: int) -> Relation:
    """One person, who may be in so many groups; one record, where that is one."""
    return RECORD if most == 1 else _person("groups", f"in {most} groups at most")


def _person(key: str, which: str) -> Relation:
    return Relation(key, "One person more or less", "whether one person is in the data", f"one person {which}",
                    f"neighbours differ by one person {which}, added or removed", "person")


class PrivacyProfile(Protocol):
    """What knows its privacy profile alone; a closed `epsilon_at(delta)` may stand beside."""

    def delta_at(self, epsilon: npt.ArrayLike, /) -> float | Array:
        """The smallest δ at each ε ≥ 0, or a bound on it."""


class Law(PrivacyProfile, Protocol):
    """A release on its worst pair of neighbours, both ways."""

    def trade_off(self, alpha: npt.ArrayLike, /) -> float | Array:
        """The smallest type II error at each type I error α, or a bound from below."""


@dataclass(frozen=True)
class Guarantee:
    """What one release promises under one relation.

    ε and δ are what is claimed: ε = ∞ promises nothing. What the law says at that ε is at most δ. Where `kind` is
    “bound” no pair of neighbours may need what the law says.
    """

    relation: Relation
    epsilon: float
    delta: float
    law: Law
    source: Source
    kind: Kind = "exact"
    mu: float | None = None
    """The Gaussian differential privacy that is promised, where it is."""
    rho: float | None = None
    """The zero-concentrated differential privacy that is promised, where it is."""
    holds: str = ""
    """While what it holds: “while the shuffler is honest”; empty where it holds unconditionally."""
    model: Model = "central"
    """Where the noise is added, and so whom people must trust."""

    # Numbers

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε′): the smallest δ at each ε ≥ 0, of any shape, or a bound on it."""
        return self.law.delta_at(epsilon)

    def epsilon_at(self, delta: float) -> float:
        """ε(δ): the smallest ε at which the law needs no more than δ in [0, 1], to 1e-12 and not below; ∞ where none.

        Of a bound at its own δ, the ε that is claimed.

        δ is allowed its own rounding, for a law at its own ε may be off by an ulp.
        """
        allowed = parameter_value(DELTA, delta, "delta")
        if self.kind == "bound" and allowed == self.delta:
            return self.epsilon  # a law that is a bound itself may need less; it is not looked for
        closed = getattr(self.law, "epsilon_at", None)
        if closed is not None:
            return float(closed(allowed))
        return smallest_epsilon(self.law, allowed * (1 + ROOM), self.epsilon)

    def keeps(self, epsilon: float, delta: float) -> bool:
        """Whether it holds at that ε with no more than that δ."""
        if self.epsilon <= epsilon and self.delta <= delta:
            return True
        return math.isfinite(epsilon) and float(self.delta_at(epsilon)) <= delta * (1 + ROOM)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α): the smallest type II error of any test at each type I error α, or a bound from below.

        [Dong, Roth & Su 2022, Definition 2.1.]
        """
        return self.law.trade_off(alpha)

    def success(self, baseline: npt.ArrayLike) -> float | Array:
        """1 − T(b): the most that the success of any attack comes to that succeeds by chance with b in (0, 1).

        Also the probability of being found at false alarms b. Of any shape.
        """
        b = numbers_in(baseline, _BASELINE, "baseline")
        power = getattr(self.law, "power", None)
        return shaped(np.asarray(power(b) if power else 1 - np.asarray(self.trade_off(b))))

    def guess(self, prior: float) -> float:
        """The best share of right guesses at which of two neighbours it is, where one has the prior in (0, 1).

        max(p, 1 − p) + min(p, 1 − p) δ(|ln p/(1 − p)|), attained by the best test; at ½ it is (1 + δ(0))/2.
        """
        p = parameter_value(_PRIOR, prior, "prior")
        return max(p, 1 - p) + min(p, 1 - p) * float(self.delta_at(abs(math.log(p) - math.log1p(-p))))

    @cached_property
    def advantage(self) -> float:
        """δ(0): the largest 1 − α − β of any test."""
        return float(self.delta_at(0.0))

    # Words

    @property
    def nothing(self) -> bool:
        """Whether it promises nothing."""
        return self.epsilon == math.inf or self.delta >= 1

    @property
    def promise(self) -> str:
        """What is promised, in one sentence whose numbers are rounded up, and while what it holds."""
        who = self.relation.who
        if self.nothing:
            return "Nothing is promised."
        if self.mu is not None:
            who = (f"{who} moves what is seen no further than μ = {safely(self.mu)} moves a draw from a standard "
                   "normal distribution, and")
        elif self.rho is not None:
            who = f"{who} costs at most ρ = {safely(self.rho)} of zero-concentrated differential privacy, and"
        rest = f" plus {safely(self.delta)}" if self.delta else ""
        held = f" That holds {self.holds}." if self.holds else ""
        return (f"{who} raises the probability of no set of outcomes above e^{safely(self.epsilon)} times its former "
                f"value{rest}.{held}")

    @property
    def risk(self) -> Spoken:
        """What it means for one unit: of so many guesses at a toss-up, how many are right with the release, at most.

        Or that nothing is limited, where nothing is promised.
        """
        return _said(_RISK, self)


def risk_of(promised: Guarantee | None) -> Spoken:
    """What something that is released means for one person, and while what; None promises nothing at these settings."""
    return _said(_RISK_OF_PERSON, promised)


def _said(alternatives: tuple[Sentence[G, None], ...], of: G) -> Spoken:
    said = first_said(alternatives, of)
    assert said is not None, "the last of them has no condition"
    return said


def _guesses(one: Guarantee) -> int:
    """As many as two digits of the gain, and of what stays wrong, take."""
    gain = one.advantage / 2
    least = min((each for each in (gain, 0.5 - gain) if each > 0), default=0.5)
    many = 10_000
    while least * many < 10 and many < MOST_GUESSES:
        many *= 10
    return many


def _right(one: Guarantee) -> str:
    many = _guesses(one)
    return fixed(min(math.ceil(many / 2 + one.advantage / 2 * many * (1 - 1e-12)), many), 0)


_RISK: tuple[Sentence[Guarantee, None], ...] = (
    sentence("unlimited", "No risk is limited: whoever sees what is released may learn all.",
             when=lambda one: one.nothing),
    sentence("guesses", "Of {guesses} guesses at even odds {guessed}, on average {without} are right without this "
             "release and at most {right} with it, whatever else is known.",
             guesses=lambda one: fixed(_guesses(one), 0), guessed=lambda one: one.relation.what,
             without=lambda one: fixed(_guesses(one) / 2, 0), right=_right))
_RISK_OF_PERSON: tuple[Sentence[Guarantee | None, None], ...] = (
    sentence("no_guarantee", f"{NO_GUARANTEE}, so that no risk of one person is limited.",
             when=lambda one: one is None),
    sentence("risk", "{limit}{condition}", limit=lambda one: one.risk, condition=part(
        " That holds {holds}.", when=lambda one: bool(one.holds), holds=lambda one: one.holds)))


def smallest_epsilon(law: Law, delta: float, near: float = 1.0) -> float:
    """The smallest ε ≥ 0 at which a law's δ(ε) is at most δ, to 1e-12 and not below; ∞ where there is none.

    δ(ε) falls and is convex in e^ε, so that a chord in e^ε ends at or beyond the root and the line through two places
    before it at or before it. Several places are asked at once; `near` is a first guess.
    """
    guess = near if 0 < near < LARGEST else 1.0
    asked = np.array([0.0, guess, guess * (1 - _NEAR), guess / 2, LARGEST])
    found = np.asarray(law.delta_at(asked), dtype=np.float64)
    if found[0] <= delta:
        return 0.0
    if found.min() > delta:  # where one place holds, what is left at the largest is rounding
        return math.inf
    places, found = asked[:-1], found[:-1]
    while not (found <= delta).any():
        places = np.append(places, np.minimum(places.max() * 2.0 ** np.arange(1, 7), LARGEST))
        found = np.append(found, np.asarray(law.delta_at(places[len(found):])))
    for _ in range(_ROUNDS):
        order = np.argsort(places, kind="stable")
        places, found = places[order], found[order]
        # What rises by rounding is passed over: the last place that needs more decides.
        i = int(np.flatnonzero(found > delta)[-1])
        if i + 1 == len(places):
            return math.inf
        low, high = float(places[i]), float(places[i + 1])
        if high - low <= 2 * _NEAR * high:
            return high
        asked = np.array(_between(places[max(i - 1, 0):i + 2], found[max(i - 1, 0):i + 2], delta))
        asked = np.unique(asked[(asked > low) & (asked < high)])
        places, found = places[max(i - 1, 0):i + 2], found[max(i - 1, 0):i + 2]
        places = np.concatenate([places, asked])
        found = np.concatenate([found, np.asarray(law.delta_at(asked)).reshape(-1)])
    return high


def _between(places: Array, found: Array, delta: float) -> list[float]:
    """Where the root may lie between the last two places, the one before them showing how the curve bends."""
    low, high = float(places[-2]), float(places[-1])
    above, below = float(found[-2]), float(found[-1])
    share = (above - delta) / (above - below)
    width = high - low
    chord = low + (math.log1p(share * math.expm1(width)) if width < 700 else width + math.log(share))
    shown = [chord, (low + high) / 2]
    if below > 0 and delta > 0:
        shown.append(low + width * math.log(above / delta) / math.log(above / below))
    if len(places) == 3 and found[0] > above:
        slope = (above - delta) / (float(found[0]) - above)
        shown.append(low + math.log1p(slope * -math.expm1(float(places[0]) - low)))
    if low > 0 and high > 4 * low:
        shown.append(math.sqrt(low * high))
    return [at * (1 + side * _NEAR) for at in shown for side in (-1, 0, 1)]
