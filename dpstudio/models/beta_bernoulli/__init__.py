"""The Beta–Bernoulli model: what a noisy count of n people tells about the rate that they were drawn with."""

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
