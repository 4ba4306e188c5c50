"""Acting or not by expected utility, from counts that are private, with decisions that are randomized.

`utility` weighs both actions, `choice` says how likely noise is to change which looks better, `programme` plays years
of people who are acted upon and counted. Begin at `utility`.
"""

from __future__ import annotations

from dpstudio.models.policy.choice import Chances, NoisyChoice
from dpstudio.models.policy.programme import Batch, Programme, Regime, largest_variance, simulate
from dpstudio.models.policy.utility import Arm, Counted, Policy

__all__ = ["Arm", "Batch", "Chances", "Counted", "NoisyChoice", "Policy", "Programme", "Regime",
           "largest_variance", "simulate"]
