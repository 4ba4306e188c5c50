"""The Beta–Bernoulli model: what a noisy count of n people tells about the rate that they were drawn with."""

from dpstudio.models.beta_bernoulli.posterior import (
    BetaPosterior,
    InvalidPosterior,
    NoiseAwarePosterior,
    Posterior,
    noisy_count_posterior,
)

__all__ = ["BetaPosterior", "InvalidPosterior", "NoiseAwarePosterior", "Posterior", "noisy_count_posterior"]
