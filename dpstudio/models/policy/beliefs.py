"""What counts of the sick say about the probability of each symptom, and so about the utility of either action."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.models.policy.utility import Policy, symptom_numbers
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import ARM, ARM_SICK, PRIOR_SICK, PRIOR_WELL, WEIGHT


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
