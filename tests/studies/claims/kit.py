"""Sentences that a study says, each with the claim it makes, recomputed from the answer.

A module `tests/studies/claims/<study>.py` has a check for every sentence of the study's `SENTENCES`, by its key:

    @claims("no_gaussian", when=lambda asked: asked.study.delta == 0)
    def _(said):
        assert near(said.number("sigma"), …)

What stands in the places of a sentence is asked for by their names; `when` recomputes the condition under which it is
said, which holds if and only if it is. Where they are needed, EXAMPLES are settings that bring out sentences which are
rarely said, NOT_HERE the keys of some that are said on other machines. `test_claims.py` asks each study at random
settings; every sentence and every part of one must have been said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from hypothesis import strategies as st
from scipy.special import log_ndtr

from dpstudio import vocabulary as v
from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentence, Spoken
from dpstudio.core.study import Study
from dpstudio.core.update import Update

FEW_TRIALS = 400
SMALLEST = 1e-100
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass(frozen=True)
class Asked:
    """What sentences were said of."""

    study: Study
    update: Update

    def value(self, quantity: v.Quantity | str, series: Series | str | None = None) -> float:
        """The value of a fact of the answer; a KeyError where there is none."""
        found = self.update.fact(quantity, series)
        if found is None:
            raise KeyError((quantity, series))
        return found.value

    def says(self, *keys: str) -> bool:
        """Whether one of these sentences is said."""
        return any(said.key in keys for said in self.update.verdicts)


@dataclass(frozen=True)
class Said(Asked):
    """A sentence that was said, with what it was said of."""

    sentence: Spoken

    @property
    def key(self) -> str:
        return self.sentence.key

    def __getitem__(self, place: str) -> str | None:
        """What stands in a place; None where nothing does. A KeyError where no sentence has such a place."""
        if place not in PERSON and place not in places_of(type(self.study)):
            raise KeyError(place)
        return self.sentence.places.get(place)

    def number(self, place: str) -> float:
        """A number as it stands in a place."""
        return number(self[place])


@dataclass(frozen=True)
class Claim:
    """What recomputes the claim of a sentence: an assertion in it, or False returned, fails."""

    keys: tuple[str, ...]
    check: Callable[[Said], object]
    when: Callable[[Asked], bool] | None
    person: Callable[[Asked], str | None] | None


CLAIMS: dict[str, dict[str, Claim]] = {}
"""By module and key of the sentence."""


def claims(*keys: str, when: Callable[[Asked], bool] | None = None,
           person: Callable[[Asked], str | None] | None = None) -> Callable[..., Any]:
    """Declares what recomputes the sentences of these keys; one of a person is of the series that `person` names.

    One of them is said exactly `when` that holds.
    """
    def declared(check: Callable[[Said], object]) -> Callable[[Said], object]:
        known = CLAIMS.setdefault(check.__module__, {})
        assert not known.keys() & set(keys), keys
        known.update(dict.fromkeys(keys, Claim(keys, check, when, person)))
        return check

    return declared


def only_when(key: str, when: Callable[[Asked], bool]) -> None:
    """A sentence all of whose claim is its condition."""
    CLAIMS.setdefault(when.__module__, {})[key] = Claim((key,), lambda _: True, when, None)


def table_of(study: type[Study]) -> tuple[Any, ...]:
    return import_module(f"{study.__module__}.words").SENTENCES


def sentences_of(study: type[Study]) -> Iterator[tuple[Sentence[Any, Any], bool]]:
    """The sentences of a study, and whether each may be left out where nothing takes its place."""
    for each in table_of(study):
        alternatives = each if isinstance(each, tuple) else (each,)
        yield from ((one, alternatives[-1].when is not None or alternatives[-1].drawn) for one in alternatives)


def _with_parts(one: Sentence[Any, Any]) -> Iterator[Sentence[Any, Any]]:
    yield one
    for place in one.declared.values():
        for part in place if isinstance(place, tuple) else (place,):
            if isinstance(part, Sentence):
                yield from _with_parts(part)


@cache
def places_of(study: type[Study]) -> frozenset[str]:
    """The places of all sentences of a study, and of their parts."""
    return frozenset(re.sub(r"\|.*", "", place) for one, _ in sentences_of(study) for each in _with_parts(one)
                     for place in re.findall(r"\{([^{}]+)\}", each.text))


def number(text: str) -> float:
    """The number that a text stands for: 1 020, −0.3, 1e−7, 5.3e-9, 10⁻³⁹¹, ∞, 25 %, 1 − 0.01; “12 records”."""
    if counted := re.fullmatch(rf"({NUMBER}) [a-z]+", text):
        return number(counted[1])
    bare = re.sub(r"[\s\u202f\u00a0]", "", text).replace("−", "-")
    if bare.startswith("1-"):
        return 1 - number(bare[2:])
    if bare.endswith("%"):
        return number(bare[:-1]) / 100
    if bare.lstrip("-") == "∞":
        return -math.inf if bare.startswith("-") else math.inf
    if power := re.fullmatch(r"(?:([\d.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", bare):
        return float(power[1] or 1) * 10.0 ** int(power[2].translate(_SUPERSCRIPTS))
    if power := re.fullmatch(r"e\^(-?[\d.]+)", bare):
        return math.exp(float(power[1]))
    return float(bare)


NUMBER = r"−?(?:\d[\d\u202f.]*(?:e[−-]?\d+)?|∞)"
"""A number as sentences write it."""


def near(said: float, true: float, digits: int = 3) -> bool:
    """Whether a number said with so many significant digits is that number rounded."""
    if said == true:
        return True
    if not (math.isfinite(said) and math.isfinite(true)):
        return False
    step = 10.0 ** (math.floor(math.log10(max(abs(true), 1e-320))) - digits + 1)
    return abs(said - true) <= 0.5 * step * (1 + 1e-6)


def not_below(said: float, true: float, digits: int = 3) -> bool:
    """Whether a number said in so many digits is rounded up: not less than the true one, nor a whole step more."""
    step = 10.0 ** (math.floor(math.log10(max(abs(true), 1e-320))) - digits + 1)
    return true * (1 - 1e-9) <= said <= true + step * (1 + 1e-6)


def not_above(said: float, true: float, digits: int = 3) -> bool:
    """Whether a number said in so many digits is rounded down."""
    step = 10.0 ** (math.floor(math.log10(max(abs(true), 1e-320))) - digits + 1)
    return true - step * (1 + 1e-6) <= said <= true * (1 + 1e-9)


def gaussian_delta(epsilon: float, mu: float) -> float:
    """δ(ε) of a normal number moved by μ of its standard deviations."""
    return math.exp(log_ndtr(mu / 2 - epsilon / mu)) - math.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))


def log_odds(text: str) -> float:
    """ln of odds as they are said: “53 : 47”, “119 : 1”, “e^5 000 : 1”."""
    first, second = (number(part[2:]) if part.startswith("e^") else math.log(number(part))
                     for part in text.split(" : "))
    return first - second


def tight_odds(text: str, log: float) -> bool:
    """Whether odds are not less than those of that logarithm, and no more than what they show."""
    said = log_odds(text)
    if said < log - 1e-8 * (1 + abs(log)):
        return False
    if "e^" in text:
        return said <= log + 0.011 * abs(log)
    first, second = map(number, text.split(" : "))
    if first + second == 100:
        return (first - 1) / 100 <= 1 / (1 + math.exp(-log)) + 1e-8
    return said <= log + 0.011


PERSON = {"guesses", "guessed", "without", "right", "accused", "holds", "condition"}
"""Places of what is said of one person."""


def of_person(said: Said, series: str | None) -> None:
    """What is said of one person is of that series, as its guarantee has it."""
    one = said.update.answer.guarantee(series)
    if one is None:
        assert said.sentence.startswith("No guarantee")
        return
    assert (said["holds"] or "") == one.holds
    if one.epsilon == math.inf or one.delta >= 1:
        assert said.sentence.startswith("This protects nobody: whoever sees what is released could learn everything.")
        return
    many, right = said.number("guesses"), said.number("right")
    assert said["guessed"] == f"at even odds {one.relation.what}"
    assert said.number("without") == many / 2
    # The best of all tests is right (1 + δ(0))/2 of the time, where both are as likely.
    most = (1 + float(one.delta_at(0.0))) / 2
    assert math.isclose(most, one.guess(0.5), rel_tol=1e-12)
    assert most * (1 - 1e-11) <= right / many <= most + (1 + 1e-9) / many + 1e-11


def says_parameters(said: Said) -> None:
    """A place that has the name of a parameter says it, in three digits, rounded to either side."""
    for name, value in said.study.values().items():
        if (text := said.sentence.places.get(name)) is not None:
            if text.startswith("more than"):
                assert value >= number(text.removeprefix("more than ")), name
            elif not isinstance(value, str):
                assert not_below(number(text), value) or not_above(number(text), value), name


def most_sentences(study: type[Study]) -> float:
    """How many are said at most."""
    return getattr(import_module(f"{study.__module__}.words"), "MOST_SENTENCES", math.inf)


def module_of(study: type[Study]) -> Any:
    return import_module(f"claims.{study.key}")


def settings_of(study: type[Study]) -> st.SearchStrategy[Study]:
    """Settings over the declared domains, denser over what the sliders show; what a study refuses beside others goes
    back to its default. Nobody is feared: `test_risk` has what is said of whom one fears.
    """
    drawn = {declared.name: _values(declared) for declared in study.parameters()
             if declared.name != "trials" and declared.name not in Attacker.by_name()}
    return st.fixed_dictionaries({}, optional=drawn).map(lambda values: accepted(study, values))


def accepted(study: type[Study], values: Mapping[str, object]) -> Study:
    """The study with these values, less those that it refuses beside the others; few trials."""
    given = dict(values)
    if any(declared.name == "trials" for declared in study.parameters()):
        given.setdefault("trials", FEW_TRIALS)
    while True:
        try:
            return study(**given)
        except InvalidParameter as refusal:
            if given.pop(refusal.name, None) is None:
                raise


def _values(declared: Any) -> st.SearchStrategy[Any]:
    domain = declared.domain
    if isinstance(domain, v.Choice):
        return st.sampled_from(domain.options)
    if isinstance(domain, v.Switch):
        return st.booleans()
    if isinstance(domain, v.Written):
        return st.sampled_from(domain.examples)
    low, high = declared.range or (domain.low, domain.high)
    if domain.integer:
        shown, whole = st.integers(math.ceil(low), math.floor(high)), st.integers(int(domain.low), int(domain.high))
    else:
        shown = st.floats(low, high)
        whole = st.floats(domain.low, domain.high, exclude_min=domain.low_open, exclude_max=domain.high_open)
    spread = st.floats(math.log(low), math.log(high)).map(math.exp) if low > 0 else shown
    if domain.integer and low > 0:
        spread = spread.map(round)
    choices = [spread, spread, shown, whole]
    if isinstance(declared.default, int | float):
        choices.append(st.just(declared.default))
    return st.one_of(*choices).map(lambda value: domain.nearest(_told(value, domain)))


def _told(value: float, domain: v.Interval) -> float:
    """The number, or 0 for one whose square no double holds to its digits: a sentence in digits has none to say.

    Where there is no 0, the smallest that has.
    """
    if abs(value) >= SMALLEST:
        return value
    return SMALLEST if domain.low == 0 and domain.low_open else 0 * value
