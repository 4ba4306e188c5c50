"""The utility of acting and of not acting, of an action that is randomized too, and what counts say of it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import ARM, ARM_SICK, COST, FACTOR, PRIOR_SICK, PRIOR_WELL, SYMPTOM_RATE, WEIGHT, Quantity

ROUNDING = Fraction(1, 2**50)
"""Relative to the sizes of all terms: a gain below this is a tie of the decimals that the doubles stand for."""


@dataclass(frozen=True, eq=False)
class Policy:
    """Act on a person or not: symptoms y with weights w ≤ 0 are worth wᵀy without action and f·wᵀy − C with it.

    Symptom i has probability `untreated[i]` without action and `treated[i]` with it; only these marginals enter, so
    nothing is assumed of how symptoms depend on each other. Weights are in (−∞, 0], probabilities in [0, 1], one each
    for every symptom; the cost C and the factor f are ≥ 0. Whatever is wrong raises InvalidParameter.
    [Our Utility, "Our Utility" and "Expected utility".]
    """

    weights: Array
    untreated: Array
    treated: Array
    cost: float
    factor: float = 2.0

    def __post_init__(self) -> None:
        weights = symptom_numbers(self.weights, WEIGHT, "weights")
        object.__setattr__(self, "weights", weights)
        for name in ("untreated", "treated"):
            object.__setattr__(self, name, symptom_numbers(getattr(self, name), SYMPTOM_RATE, name, len(weights)))
        object.__setattr__(self, "cost", parameter_value(COST, self.cost))
        object.__setattr__(self, "factor", parameter_value(FACTOR, self.factor))

    @cached_property
    def no_action(self) -> float:
        """E U without action, Σ wᵢ π₀ᵢ, correctly rounded."""
        return _rounded(self._waiting)

    @cached_property
    def action(self) -> float:
        """E U with action, f Σ wᵢ π₁ᵢ − C, correctly rounded."""
        return _rounded(self._acting - Fraction(self.cost))

    @cached_property
    def breakeven_cost(self) -> float:
        """The cost below which acting is better, f Σ wᵢ π₁ᵢ − Σ wᵢ π₀ᵢ; below 0 it is not, even for nothing."""
        return _rounded(self._acting - self._waiting)

    @cached_property
    def best_action(self) -> bool:
        """Whether to act: where it is better by more than rounding, for on a tie nobody acts."""
        size = -(self._waiting + self._acting) + Fraction(self.cost)
        return self._gain > ROUNDING * size

    @cached_property
    def best(self) -> float:
        """E U of the best action."""
        return self.action if self.best_action else self.no_action

    @cached_property
    def gap(self) -> float:
        """What the choice is worth: the distance of the two expected utilities, correctly rounded."""
        return _rounded(abs(self._gain))

    def randomized(self, response: RandomizedResponse) -> float:
        """E U where the best action goes through a response whose "yes" is "act".

        U* − gap·Pr[the other action]: gap/(1 + e^ε) is lost with a symmetric response, and with two coins
        gap (1 − θ₁)(1 − θ₂) where acting is best, gap (1 − θ₁) θ₂ where it is not. [Differential Privacy,
        notes, and Our Utility, on randomized response; they do not state its effect.]
        """
        wrong = response.no_if_yes if self.best_action else response.yes_if_no
        return self.best - self.gap * wrong

    @cached_property
    def _waiting(self) -> Fraction:
        return _weighted(self.weights, self.untreated)

    @cached_property
    def _acting(self) -> Fraction:
        return Fraction(self.factor) * _weighted(self.weights, self.treated)

    @cached_property
    def _gain(self) -> Fraction:
        return self._acting - Fraction(self.cost) - self._waiting


def symptom_numbers(given: npt.ArrayLike, quantity: Quantity, name: str, length: int | None = None) -> Array:
    """One number for every symptom, kept from being changed; a single one may come alone."""
    numbers = np.atleast_1d(numbers_in(given, quantity, name)).copy()
    if numbers.ndim != 1 or not numbers.size:
        raise InvalidParameter(name, "one number for each symptom", given)
    if length is not None and len(numbers) != length:
        raise InvalidParameter(name, f"as many numbers as there are symptoms, {length}", given)
    numbers.setflags(write=False)
    return numbers


def _weighted(weights: Array, rates: Array) -> Fraction:
    return sum((Fraction(w) * Fraction(p) for w, p in zip(weights.tolist(), rates.tolist(), strict=True)), Fraction(0))


def _rounded(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return float("-inf") if exact < 0 else float("inf")


@dataclass(frozen=True, eq=False)
class Arm:
    """The people with one action: how many of the n had each symptom, and the Beta(a, b) prior of every symptom.

    A count may be any number in [0, n], such as one with noise clipped to it. A count above n is refused, for it would
    leave Beta(a + k, b + n − k) without a meaning. [Our Utility, "Our model of choice".]
    """

    sick: Array
    people: float
    prior_sick: float = 1.0
    prior_well: float = 1.0

    def __post_init__(self) -> None:
        people = parameter_value(ARM, self.people, "people")
        sick = symptom_numbers(self.sick, ARM_SICK, "sick")
        if (sick > people).any():
            raise InvalidParameter("sick", f"at most the number of people, {plain(people)}", float(sick.max()))
        object.__setattr__(self, "people", people)
        object.__setattr__(self, "sick", sick)
        object.__setattr__(self, "prior_sick", parameter_value(PRIOR_SICK, self.prior_sick))
        object.__setattr__(self, "prior_well", parameter_value(PRIOR_WELL, self.prior_well))

    @property
    def weight(self) -> float:
        """a + b + n: people and pseudo-people."""
        return self.prior_sick + self.prior_well + self.people

    @property
    def mean(self) -> Array:
        """Posterior mean of each symptom's probability, (a + k)/(a + b + n)."""
        return np.minimum((self.prior_sick + self.sick) / self.weight, 1.0)

    @property
    def sd(self) -> Array:
        """Posterior standard deviation of each symptom's probability, √(μ(1 − μ)/(a + b + n + 1))."""
        return np.sqrt(self.mean * (1 - self.mean) / (self.weight + 1))


@dataclass(frozen=True, eq=False)
class Counted:
    """Both arms with the weights: what is believed of either action's utility."""

    weights: Array
    untreated: Arm
    treated: Arm
    factor: float = 2.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", symptom_numbers(self.weights, WEIGHT, "weights"))
        for name in ("untreated", "treated"):
            symptom_numbers(getattr(self, name).sick, ARM_SICK, name, len(self.weights))

    def policy(self, cost: float) -> Policy:
        """The policy of whoever takes the posterior means for the probabilities: utility is linear in them."""
        return Policy(self.weights, self.untreated.mean, self.treated.mean, cost, self.factor)

    @property
    def no_action_sd(self) -> float:
        """Posterior sd of E U without action, √Σ wᵢ² Var π₀ᵢ, the symptoms' probabilities being independent."""
        return math.hypot(*(self.weights * self.untreated.sd))

    @property
    def action_sd(self) -> float:
        """Posterior sd of E U with action, f √Σ wᵢ² Var π₁ᵢ."""
        return self.factor * math.hypot(*(self.weights * self.treated.sd))
