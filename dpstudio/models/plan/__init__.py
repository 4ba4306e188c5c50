"""A plan of several releases: the least that what is wanted costs, how a total is split, what is left, and its law.

    least_total((30, 30, 10), (1, 1, 1), 0.95, "laplace")     the ε of three counts
    split((1, 2), (1, 1), 1.0, "worst", "laplace")            what each of two counts has of an ε
    mixed_delta((0.5,), 0.4, 0.3)                             δ of a Laplace release beside a Gaussian one
    ReleasePlan((PlannedNumber(30.0),), "geometric")          several releases, and all that follows of them

ε of Laplace and geometric noise, and μ of Gaussian noise, are a release's strength; the larger, the less private.
"""

from __future__ import annotations

from dpstudio.models.plan.pure import PlannedRegret, PlannedResponse, PlannedSelection
from dpstudio.models.plan.releases import PlannedDecision, PlannedNumber, PlannedRelease, PlannedTable
from dpstudio.models.plan.shares import least_total, parallel, parallel_mu, split
from dpstudio.models.plan.together import epsilon_of_mu, laplace_left, mixed_delta, mu_left
from dpstudio.models.plan.unlike import WorstPair
from dpstudio.models.plan.whole import ReleasePlan

__all__ = [
    "PlannedDecision", "PlannedNumber", "PlannedRegret", "PlannedRelease", "PlannedResponse", "PlannedSelection",
    "PlannedTable", "ReleasePlan", "WorstPair", "epsilon_of_mu", "laplace_left", "least_total", "mixed_delta",
    "mu_left", "parallel", "parallel_mu", "split",
]
