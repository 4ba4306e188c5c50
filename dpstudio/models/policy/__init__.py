"""Acting or not by expected utility, from counts that are private, with decisions that are randomized."""

from __future__ import annotations

from dpstudio.models.policy.choice import Chances, NoisyChoice
from dpstudio.models.policy.programme import Batch, Programme, Regime, largest_variance, simulate
from dpstudio.models.policy.utility import Arm, Counted, Policy

__all__ = ["Arm", "Batch", "Chances", "Counted", "NoisyChoice", "Policy", "Programme", "Regime",
           "largest_variance", "simulate"]
