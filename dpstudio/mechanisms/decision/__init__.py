"""Decisions: is there enough data, answered without giving one record away?

Each is a frozen dataclass with both tails of its probability of accepting n records, its privacy profile, its losses,
its inverse and a sampler: `base` derives all of it from the tails, `laplace`, `gaussian`, `generalized` and `discrete`
have closed forms, `selection` those of groups that may be empty. `pairs` are neighbours and what they need, `curve` and
`pieces` the steepest curve, `precise` the real arithmetic that decides at boundaries. Begin at `base`.
"""

from dpstudio.mechanisms.decision.base import Decision, EpsilonDecision, Particular, UncertainBand, worst_slack
from dpstudio.mechanisms.decision.discrete import DiscreteGaussianDecision
from dpstudio.mechanisms.decision.gaussian import GaussianDecision
from dpstudio.mechanisms.decision.generalized import CentredDecision, ComplementedDecision, GeneralizedDecision
from dpstudio.mechanisms.decision.laplace import (
    CutoffExponentialDecision,
    LaplaceDecision,
    TargetedLaplaceDecision,
)
from dpstudio.mechanisms.decision.pairs import Slack
from dpstudio.mechanisms.decision.selection import (
    TruncatedGeometricDecision,
    gaussian_selection,
    geometric_selection,
    laplace_selection,
    optimal_selection,
)

__all__ = ["CentredDecision", "ComplementedDecision", "CutoffExponentialDecision", "Decision",
           "DiscreteGaussianDecision", "EpsilonDecision", "GaussianDecision", "GeneralizedDecision",
           "LaplaceDecision", "Particular", "Slack", "TargetedLaplaceDecision", "TruncatedGeometricDecision",
           "UncertainBand", "gaussian_selection", "geometric_selection", "laplace_selection", "optimal_selection",
           "worst_slack"]
