"""Sentences that a study says, each with the claim it makes, recomputed from the answer.

A module `tests/studies/claims/<study>.py` declares CLAIMS: patterns of whole sentences, each with a check that
recomputes what a sentence of that form claims; and EXAMPLES: settings that bring out sentences which are rarely said.
`test_claims.py` asks each study at random settings: every sentence must have one pattern, every check must hold, and
every pattern must have been said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.core.update import Update

FEW_TRIALS = 400
SMALLEST = 1e-100
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass(frozen=True)
class Said:
    """A sentence that was said, with what it was said of."""

    study: Study
    update: Update
    sentence: str
    groups: Mapping[str, str]

    def value(self, quantity: v.Quantity, series: Series | None = None) -> float:
        """The value of a fact of the answer; a KeyError where there is none."""
        found = self.update.fact(quantity, series)
        if found is None:
            raise KeyError((quantity.key, series and series.key))
        return found.value

    def says(self, words: str) -> bool:
        """Whether some sentence of the answer has these words: what should be said is, and nothing else."""
        return any(words in sentence for sentence in self.update.verdicts)

    def number(self, group: str) -> float:
        """A number as it stands in the sentence."""
        return number(self.groups[group])


Check = Callable[[Said], object]


@dataclass(frozen=True)
class Claim:
    """The form of a sentence, and what recomputes its claim: an assertion in it, or False returned, fails."""

    pattern: str
    check: Check

    def matched(self, study: Study, update: Update, sentence: str) -> Said | None:
        found = re.fullmatch(self.pattern, sentence)
        return Said(study, update, sentence, found.groupdict()) if found else None


def number(text: str) -> float:
    """The number that a text stands for: 1 020, −0.3, 1e−7, 5.3e-9, 10⁻³⁹¹, ∞, 25 %."""
    bare = re.sub(r"[\s\u202f\u00a0]", "", text).replace("−", "-")
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
"""A number as sentences write it, for patterns: f"ε = (?P<epsilon>{NUMBER})"."""


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


RISK = (rf"(?:Of (?P<guesses>{NUMBER}) guesses at (?P<guessed>.+?), by somebody who knows all else and holds both "
        rf"equally likely, on average (?P<without>{NUMBER}) are right without this release, at most "
        rf"(?P<right>{NUMBER}) with it\."
        r"|(?P<unlimited>No risk is limited: whoever sees what is released may learn all\.)"
        r"|No guarantee holds at these settings, so that no risk of one person is limited\.)"
        r"(?: That holds (?P<while>[^.]+)\.)?")


def of_person(recommended: Callable[[Said], str | None] = lambda _: None, rest: str = "",
              further: Check = lambda _: True) -> Claim:
    """What is said of one person: of the series that the headline recommends, as its guarantee has it, and the rest."""
    def check(said: Said) -> object:
        one = said.update.answer.guarantee(recommended(said))
        if one is None:
            assert said.sentence.startswith("No guarantee")
            return further(said)
        assert (said.groups["while"] or "") == one.holds
        if one.epsilon == math.inf or one.delta >= 1:
            assert said.groups["unlimited"]
            return further(said)
        many, right = said.number("guesses"), said.number("right")
        assert said.groups["guessed"] == one.relation.what
        assert said.number("without") == many / 2
        # The best of all tests is right (1 + δ(0))/2 of the time, where both are as likely.
        most = (1 + float(one.delta_at(0.0))) / 2
        assert math.isclose(most, one.guess(0.5), rel_tol=1e-12)
        assert most * (1 - 1e-11) <= right / many <= most + (1 + 1e-9) / many + 1e-11
        return further(said)

    return Claim(RISK + rest, check)


def module_of(study: type[Study]) -> Any:
    return import_module(f"claims.{study.key}")


def settings_of(study: type[Study]) -> st.SearchStrategy[Study]:
    """Settings over the declared domains, denser over what the sliders show; what a study refuses beside others goes
    back to its default.
    """
    drawn = {declared.name: _values(declared) for declared in study.parameters() if declared.name != "trials"}
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
    return st.one_of(*choices).map(lambda value: domain.nearest(_told(value)))


def _told(value: float) -> float:
    """The number, or 0 for one whose square no double holds to its digits: a sentence in digits has none to say."""
    return value if abs(value) >= SMALLEST else 0 * value
