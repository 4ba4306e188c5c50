"""At what outcomes are compared beside ε: what an attacker gains whom one fears.

    SUCCESS.least(study)                what the attacker has without the release: the axis begins there
    SUCCESS.up(0.500123, study)         “0.50013”: digits that also say how far it lies from either end, rounded up
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dpstudio import vocabulary as v
from dpstudio.core.attacker import NOBODY, Attacker, before
from dpstudio.core.needs import up
from dpstudio.records import dataclass
from dpstudio.text.numbers import short
from dpstudio.vocabulary import Quantity, Scale

MOST = 1.0
"""Everybody is found, every guess is right."""
ASKS_WHOM = "Nobody is feared: choose an attacker"
"""What stands in place of curves then."""
_GAIN = 2
"""Digits of how far a risk lies from what there is without the release, and from certainty."""
_DIGITS = range(3, 9)
_SMALLEST = 1e-300
_FINEST = 1e-3
"""Part of the distance from the lower to the nearer of its ends below which nothing is told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A risk as an axis of privacy."""

    key: str
    """What the names of its pictures end in."""
    quantity: Quantity
    """The fact that says it of each series."""
    scale: Scale
    against: str
    """What a title says after “against”."""
    words: str
    """“an attacker’s success of”, with a number behind it."""
    at_most: str
    """The same of a bound."""
    caption: str
    without: Callable[[Attacker], float]
    """What it comes to without the release."""

    def asked(self, study: Attacker) -> bool:
        """Whether anybody is feared: else nothing is compared at it."""
        return study.attacker != NOBODY

    def least(self, study: Attacker) -> float:
        """Where its axis begins; anywhere, where nobody is feared."""
        return self.without(study) if self.asked(study) else MOST / 2

    def up(self, risk: float, study: Attacker) -> str:
        """A risk as sentences say it, rounded up."""
        near = min(risk - self.least(study), MOST - risk)
        if near <= 0:
            return up(risk)
        digits = math.floor(math.log10(risk)) - math.floor(math.log10(near)) + _GAIN
        return short(risk, min(max(digits, _DIGITS[0]), _DIGITS[-1]), "up")

    def apart(self, low: float, high: float, study: Attacker) -> float:
        """How far apart two risks are as part of what is gained at the lower one."""
        least = self.least(study)
        return (high - low) / max(low - least, _FINEST * min(least, MOST - least), _SMALLEST)

    def across(self, risk: float, study: Attacker) -> float:
        """Where a risk lies on the axis, from 0 where that begins to 1."""
        least = self.least(study)
        if self.scale == "log":
            return 1 - math.log(max(risk, least)) / math.log(least)
        return (risk - least) / (MOST - least)


SUCCESS = Measure("success", v.RISK_SUCCESS, "linear", "the attacker’s success", "an attacker’s success of",
                  "an attacker’s success of at most",
                  "By the share of the attacker’s guesses that are right; the axis begins without the release.", before)
FOUND = Measure("found", v.RISK_FOUND, "log", "the share found", "a share found of", "a share found of at most",
                "By the share found at α false accusations; the axis begins at α, as by chance.",
                lambda attacker: attacker.false_alarms)
MEASURES = (SUCCESS, FOUND)
