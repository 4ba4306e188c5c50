"""The count in hand and the posteriors that the study compares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.core.sampling import generator
from dpstudio.models.beta_bernoulli import (
    BetaPosterior,
    InvalidPosterior,
    Posterior,
    clamped_coverage,
    naive_coverage,
    noisy_count_posterior,
    unusable_share,
)
from dpstudio.studies.posterior.figures import AWARE, CLAMPED, NAIVE, PRIOR, TRUTH

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

_RELEASED = 1, 0
"""The release’s place among the draws of a seed; simulated releases have places of one number."""
RARE = 1e-3
"""Tails of the posteriors that the picture of densities leaves out."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The counts, and a posterior for each series that has one."""

    true: int
    released: float
    """A whole number where the noise is geometric."""
    posteriors: dict[Series, Posterior]
    ends: dict[Series, Array]
    """What the picture of densities leaves out of each lies beyond."""


def compared(study: Study) -> Compared:
    true = round(study.fraction * study.people)
    released = released_count(study, true)
    a, b = study.prior_a, study.prior_b
    posteriors: dict[Series, Posterior] = {PRIOR: BetaPosterior(a, b),
                                           TRUTH: BetaPosterior(a + true, b + (study.people - true))}
    for series, method in ((NAIVE, "naive"), (CLAMPED, "clamped")):
        try:
            posteriors[series] = noisy_count_posterior(a, b, study.people, released, study.epsilon, method)
        except InvalidPosterior:
            continue  # which the verdict says
    posteriors[AWARE] = _aware(a, b, study.people, released, study.epsilon)
    ends = {series: np.asarray(found.quantile([RARE, 1 - RARE])) for series, found in posteriors.items()}
    return Compared(true, released, posteriors, ends)


def released_count(study: Study, true: int) -> float:
    """The noisy count: the given one, or the true one with noise of this ε that the seed alone draws.

    The noise is a difference of two exponentials, or of their whole parts, over ε: another ε stretches the same draw.
    """
    geometric = study.noise == "geometric"
    if study.release == "given":
        released = study.noisy_share * study.people
        return float(round(released)) if geometric else released
    up, down = generator(study.seed, *_RELEASED).standard_exponential(2) / study.epsilon
    return float(true + (math.floor(up) - math.floor(down) if geometric else up - down))


@lru_cache(maxsize=4)
def _aware(a: float, b: float, people: int, released: float, epsilon: float) -> Posterior:
    """The exact posterior; it takes milliseconds, and what is dragged may not touch it."""
    return noisy_count_posterior(a, b, people, released, epsilon, "noise-aware")


def coverage(study: Study, epsilon: float, series: Series) -> float:
    """The exact coverage of an interval at any ε."""
    if series == AWARE:
        return study.level
    return _coverage(study.prior_a, study.prior_b, study.people, study.level, epsilon, study.noise, series)


@lru_cache(maxsize=512)
def _coverage(a: float, b: float, people: int, level: float, epsilon: float, noise: str, series: Series) -> float:
    of_method = naive_coverage if series == NAIVE else clamped_coverage
    return min(max(of_method(a, b, people, level, epsilon, noise), 0.0), 1.0)


def unusable(study: Study, epsilon: float) -> float:
    """The share of all releases without a naive posterior at any ε."""
    return unusable_share(study.prior_a, study.prior_b, study.people, epsilon, study.noise)


def invalid(study: Study, true: int, epsilon: Array) -> tuple[Array, Array]:
    """The probabilities of a′ ≤ 0 and of b′ ≤ 0 at each ε, for a group with so many yeses.

    ½ e^(−ε(a + k)) and ½ e^(−ε(b + n − k)) for Laplace noise, e^(−ε(⌈a⌉ + k))/(1 + e^−ε) and so on for geometric.
    """
    a, b = far_enough(study)
    share = 1 / (1 + np.exp(-epsilon)) if study.noise == "geometric" else np.full_like(epsilon, 0.5)
    return share * np.exp(-epsilon * (a + true)), share * np.exp(-epsilon * (b + (study.people - true)))


def far_enough(study: Study) -> tuple[float, float]:
    """How far below 0, and above n, a count has no naive posterior."""
    if study.noise == "geometric":
        return math.ceil(study.prior_a), math.ceil(study.prior_b)
    return study.prior_a, study.prior_b


def clamp_bias(study: Study, true: int) -> float:
    """The mean of the clamped count less the true one: (e^(−εk) − e^(−ε(n − k)))/(2ε) for Laplace noise."""
    e, k, rest = study.epsilon, true, study.people - true
    difference = math.exp(-e * min(k, rest)) * -math.expm1(-e * abs(rest - k)) * (1 if k <= rest else -1)
    return difference * (1 / (2 * math.sinh(e)) if study.noise == "geometric" else 1 / (2 * e))
