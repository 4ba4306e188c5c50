"""Goodness of fit without scipy.stats: how probable a sample at least as far from a law is under it."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc, kolmogorov


def kolmogorov_smirnov(sample, cdf) -> float:
    """The p-value of a sample of a continuous law."""
    x = np.sort(sample)
    below, steps = cdf(x), np.arange(x.size + 1) / x.size
    distance = max((steps[1:] - below).max(), (below - steps[:-1]).max())
    return float(kolmogorov(distance * np.sqrt(x.size)))


def chi_square(observed, probabilities) -> float:
    """The p-value of counts that should have these probabilities, which sum to 1."""
    expected = np.asarray(probabilities) * np.sum(observed)
    assert expected.min() > 5
    return float(chdtrc(len(observed) - 1, ((np.asarray(observed) - expected) ** 2 / expected).sum()))
