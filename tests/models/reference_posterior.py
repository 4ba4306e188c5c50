"""The noise-aware posterior once more, from its definition: the sum over every true count, in long doubles."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc


def weights(a, b, n, c, epsilon):
    """Probabilities of k = 0 … n given c: BetaBin(k; n, a, b) e^(−ε|c − k|), the beta-binomial from ratio to ratio."""
    k = np.arange(n + 1, dtype=np.longdouble)
    a, b = np.longdouble(a), np.longdouble(b)
    steps = np.log(n - k[:-1]) + np.log(a + k[:-1]) - np.log(k[1:]) - np.log(b + n - k[:-1] - 1)
    logs = np.concatenate([[0], np.cumsum(steps)]) - np.longdouble(epsilon) * np.abs(k - np.longdouble(c))
    found = np.exp(logs - logs.max())
    return found / found.sum()


def moments(a, b, n, c, epsilon):
    """Mean and sd of the mixture of Betas."""
    w = weights(a, b, n, c, epsilon)
    yes, total = np.longdouble(a) + np.arange(n + 1), np.longdouble(a) + np.longdouble(b) + n
    mean = (w * yes / total).sum()
    variance = (w * (yes / total * ((total - yes) / total) / (total + 1) + (yes / total - mean) ** 2)).sum()
    return float(mean), float(np.sqrt(variance))


def below(a, b, n, c, epsilon, theta):
    """Pr[rate ≤ θ]."""
    w = np.asarray(weights(a, b, n, c, epsilon), dtype=np.float64)
    k = np.flatnonzero(w > 1e-40)
    return float((w[k] * betainc(a + k, b + n - k, theta)).sum())
