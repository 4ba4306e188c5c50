"""The Beta–Bernoulli model: what a noisy count of n people tells about the rate that they were drawn with.

`posterior` has the Beta that takes the count at its word and the exact one, which `aware` integrates over the panels of
`panels` and the law of `likelihood`; `quantiles` and `intervals` invert it for every count at once, `coverage` says how
often the interval that takes a count at its word holds the rate, by the `blocks`. Begin at `posterior`.
"""

from dpstudio.models.beta_bernoulli.coverage import clamped_coverage, naive_coverage, unusable_share
from dpstudio.models.beta_bernoulli.intervals import AwareIntervals, aware_intervals
from dpstudio.models.beta_bernoulli.posterior import (
    BetaPosterior,
    InvalidPosterior,
    NoiseAwarePosterior,
    Posterior,
    noisy_count_posterior,
)

__all__ = ["AwareIntervals", "BetaPosterior", "InvalidPosterior", "NoiseAwarePosterior", "Posterior", "aware_intervals",
           "clamped_coverage", "naive_coverage", "noisy_count_posterior", "unusable_share"]
