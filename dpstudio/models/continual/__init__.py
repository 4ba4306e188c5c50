"""A running count that is released after each of Q batches: the noise in it, and what it costs one person.

Everything that gets noise, batch counts, running counts or nodes of a tree, is one long answer. One person moves it by
at most Δ₁ (in ℓ₁), so Laplace noise of scale Δ₁/ε on every part keeps ε for all releases together.
"""

from dpstudio.models.continual.law import error_95
from dpstudio.models.continual.parts import (
           MEMBERSHIPS,
           STRATEGIES,
           largest_terms,
           levels,
           sensitivity,
           squared_sensitivity,
           terms,
)
from dpstudio.models.continual.running import Crossing, RunningCount, crossing, noise_variance

__all__ = ["MEMBERSHIPS", "STRATEGIES", "Crossing", "RunningCount", "crossing", "error_95", "largest_terms", "levels",
           "noise_variance", "sensitivity", "squared_sensitivity", "terms"]
