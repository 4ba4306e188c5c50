"""Whom one fears: what an attacker tries to find out, what they know beforehand, and what they can afford.

    Attacker(attacker="membership", presence_prior=0.5, false_alarms=0.01)

One for a whole session. Its fields are declared parameters, and those of every study: flags, files, sweeps, solving and
controls have them as they have all others. What each question asks stands in GOALS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType

from dpstudio import vocabulary as v
from dpstudio.core.declare import Declared, InvalidParameter, parameter, read_entry
from dpstudio.core.guarantee import Relation
from dpstudio.records import dataclass
from dpstudio.text.language import phrase
from dpstudio.text.numbers import fixed
from dpstudio.text.sentences import percent
from dpstudio.vocabulary import Value

GROUP = "Attacker"
NOBODY, MEMBERSHIP, NAME, ATTRIBUTE, RECONSTRUCTION = v.ATTACKERS
EVEN = 0.5

_CERTAIN = "whoever is certain beforehand learns nothing"


@dataclass(frozen=True)
class Attacker(Declared):
    """Whom one fears; `nobody` asks for no risk."""

    attacker: str = parameter(v.ATTACKER, NOBODY, group=GROUP, brief="attacker", kw_only=True)
    presence_prior: float = parameter(
        v.PRESENCE_PRIOR, EVEN, shown=(0.001, 0.999), ends=("held unlikely", "held likely"), group=GROUP,
        when=("attacker", MEMBERSHIP), beyond=_CERTAIN, brief="held likely", kw_only=True)
    candidates: int = parameter(
        v.CANDIDATES, 1000, shown=(2, 1e6), ends=("few", "many"), group=GROUP, when=("attacker", NAME),
        beyond="of one candidate the name is known", brief="candidates", kw_only=True)
    attribute_prior: float = parameter(
        v.ATTRIBUTE_PRIOR, 0.1, shown=(0.001, 0.999), ends=("held unlikely", "held likely"), group=GROUP,
        when=("attacker", ATTRIBUTE), beyond=_CERTAIN, brief="held likely", kw_only=True)
    guessed_before: float = parameter(
        v.GUESSED_BEFORE, 1e-4, shown=(1e-9, 0.5), ends=("hard to guess", "easily guessed"), group=GROUP,
        when=("attacker", RECONSTRUCTION), beyond="what is guessed for certain needs no release", brief="guessed",
        kw_only=True)
    false_alarms: float = parameter(
        v.FALSE_ALARMS, 0.01, shown=(1e-6, 0.5), ends=("must be sure", "may accuse many"), group=GROUP,
        beyond="whoever accuses nobody finds nobody, but with a probability of δ", brief="false accusations",
        kw_only=True)
    releases_feared: int = parameter(
        v.RELEASES_FEARED, 10, shown=(1, 1000), ends=("one", "many"), group=GROUP, kw_only=True)
    records_of_one: int = parameter(
        v.RECORDS_OF_ONE, 2, shown=(1, 100), ends=("one", "many"), group=GROUP, kw_only=True)
    profile: str = parameter(
        v.PROFILE_CAPS, v.NONE, group=GROUP, kw_only=True)
    exception: float = parameter(
        v.EXCEPTION, 0.0, shown=(1e-9, 0.5), ends=("never", "in half of the answers"), group=GROUP, kw_only=True)


NOBODY_FEARED = Attacker()
EVEN_ODDS = Attacker(attacker=MEMBERSHIP)
"""Whoever guesses at even odds whether somebody is in the data."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What somebody tries to find out."""

    knows: str
    """The parameter that says how likely they are to be right beforehand."""
    of_two: bool
    """Whether it is one of two: the other can be guessed as well."""
    prior: Callable[[float], float]
    """How likely they hold what is true."""
    guessed: Callable[[Attacker, Relation], str]
    """What is guessed, as it stands after “of so many guesses”."""


def _itself(prior: float) -> float:
    return prior


def _held(what: str, prior: float) -> str:
    if prior == EVEN:
        return phrase("at even odds {what}", what=what)
    return phrase("{what}, held {prior} likely beforehand", what=what, prior=percent(prior))


GOALS: Mapping[str, Goal] = MappingProxyType({
    MEMBERSHIP: Goal("presence_prior", True, _itself,
                     lambda a, relation: _held(phrase(relation.what), a.presence_prior)),
    NAME: Goal("candidates", False, lambda many: 1 / many,
               lambda a, _: phrase("which of {many} people it is", many=fixed(a.candidates, 0))),
    ATTRIBUTE: Goal("attribute_prior", True, _itself,
                    lambda a, _: _held(phrase("whether it is true of one person"), a.attribute_prior)),
    RECONSTRUCTION: Goal("guessed_before", False, _itself, lambda *_: phrase("what the data are")),
})
"""By the word of the parameter `attacker`."""
SPOKEN = ("attacker", *(goal.knows for goal in GOALS.values()), "false_alarms")
"""The parameters of which the sentence of a risk is made; the others are those of single facts."""


def prior_of(attacker: Attacker) -> float:
    """How likely the attacker that is feared holds beforehand what is true: π, 1/M, p or b."""
    goal = GOALS[attacker.attacker]
    return goal.prior(getattr(attacker, goal.knows))


def before(attacker: Attacker) -> float:
    """The share of right guesses without the release, by the best guess."""
    prior = prior_of(attacker)
    return max(prior, 1 - prior) if GOALS[attacker.attacker].of_two else prior


def guessed(attacker: Attacker, relation: Relation) -> str:
    """What is guessed: “at even odds whether one record is in the data”."""
    return GOALS[attacker.attacker].guessed(attacker, relation)


def alone(study: Attacker) -> Attacker:
    """The attacker whom a study faces, without the study."""
    return Attacker(**{name: getattr(study, name) for name in Attacker.by_name()})


def or_even_odds(study: Attacker) -> Attacker:
    """Whoever is feared or, where nobody is, whoever guesses at even odds whether somebody is in."""
    return study if study.attacker != NOBODY else alone(study).replace(attacker=MEMBERSHIP, presence_prior=EVEN)


def faces(study: Attacker, attacker: Attacker) -> bool:
    """Whether a study faces this attacker."""
    return bool(_values(study) == _values(attacker))


_values = attrgetter(*Attacker.by_name())


def set_of(attacker: Attacker) -> dict[str, Value]:
    """The values of an attacker, or of one whom a study faces, that differ from their defaults."""
    return {declared.name: value for declared in Attacker.parameters()
            if (value := getattr(attacker, declared.name)) != declared.default}


def read_attacker(text: str) -> dict[str, Value]:
    """What `membership:0.5` says: a question and, after a colon, what is known beforehand; raises InvalidParameter."""
    name, colon, known = map(str.strip, text.partition(":"))
    declared = Attacker.parameter("attacker")
    if name not in GOALS or (colon and not known):
        raise InvalidParameter("attacker", " | ".join(
            f"{key}:{Attacker.parameter(goal.knows).quantity.symbol}" for key, goal in GOALS.items()), text)
    found: dict[str, Value] = {"attacker": read_entry(declared, name)}
    if colon:
        knows = GOALS[name].knows
        found[knows] = read_entry(Attacker.parameter(knows), known)
    return found
