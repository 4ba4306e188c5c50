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


def module_of(study: type[Study]) -> Any:
    return import_module(f"claims.{study.key}")


def is_even_odds(text: str, epsilon: float) -> bool:
    """Whether odds are what even ones become at e^ε: rounded up, to two digits of a gain below one of a hundred."""
    one, other = text.split(" : ")
    if one.startswith("e^"):
        return not_below(number(one[2:]), epsilon)
    if other == "1" and number(one) > 99:
        return not_below(number(one), math.exp(epsilon))
    share, true = number(one), 100 / (1 + math.exp(-epsilon))
    step = 1.0 if true > 51 else 0.1 * (true - 50)
    assert math.isclose(share + number(other), 100)
    return true * (1 - 1e-9) <= share < true + step * (1 + 1e-9) + 1e-9 and (share < 51 or share == round(share))


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
