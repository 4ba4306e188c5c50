"""The noise-aware posterior and the coverage of intervals once more, from their definitions: sums over true counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.special import betainc, betaincinv, betaln


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


def coverage(a, b, n, level, epsilon, noise, *, naive):
    """How often an interval holds the rate: the sum over every true count and every (part of a) released one."""
    k = np.arange(n + 1.0)
    law = np.asarray(weights(a, b, n, 0, 0), dtype=np.float64)
    k, law = k[law > 1e-25], law[law > 1e-25]
    far = 50 / epsilon + 1  # from a count that can be
    if noise == "geometric":
        q, ends = np.exp(-epsilon), (1 - np.ceil(a), n + np.ceil(b) - 1) if naive else (0, n)
        counts = np.arange(max(ends[0], k[0] - far // 1), min(ends[1], k[-1] + far // 1) + 1)
        masses = (1 - q) / (1 + q) * q ** np.abs(counts[:, None] - k)
        if not naive:
            masses[counts == 0] = q**k / (1 + q)
            masses[counts == n] = q ** (n - k) / (1 + q)
        return float(((_held(a, b, n, k, counts, level) * masses) @ law).sum())
    low, high = (-a, n + b) if naive else (0.0, float(n))
    low, high = max(low, k[0] - far), min(high, k[-1] + far)
    tiny = 1e-4 * (1 - level) * min(a, b, 1.0)  # ends of ever smaller panels, where the interval shrinks to nothing
    near = np.geomspace(tiny, 2, 60)
    edges = np.concatenate([np.arange(np.ceil(low), np.floor(high) + 1), -a + near, n + b - near, [low, high]])
    edges = np.unique(np.clip(edges, max(low, tiny - a), min(high, n + b - tiny)))
    parts = [np.linspace(u, v, int(np.ceil((v - u) * epsilon / 3)) + 1)[:-1]
             for u, v in pairwise(edges)]
    edges = np.append(np.concatenate(parts), edges[-1])
    x, w = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    counts, width = ((edges[1:] + edges[:-1])[:, None] / 2 + half * x).ravel(), (half * w).ravel()
    densities = epsilon / 2 * np.exp(-epsilon * np.abs(counts[:, None] - k))
    found = float(width @ ((_held(a, b, n, k, counts, level) * densities) @ law))
    if not naive:
        ends = _held(a, b, n, k, np.array([0.0, n]), level)
        found += float((ends[0] * np.exp(-epsilon * k) / 2 + ends[1] * np.exp(-epsilon * (n - k)) / 2) @ law)
    return found


def _held(a, b, n, k, counts, level):
    """Pr[the rate is in the interval of c | k], a row for each c; everything from the end where it is small."""
    yes, no, tail = a + counts, b + (n - counts), (1 - level) / 2

    def below(p, q):
        theta, phi = _quantile(yes, no, p)[:, None], _quantile(no, yes, q)[:, None]
        return np.where(theta < 0.5, betainc(a + k, b + n - k, theta), 1 - betainc(b + n - k, a + k, phi))

    return below(1 - tail, tail) - below(tail, 1 - tail)


def _quantile(a, b, p):
    """Where the Beta(a, b) has p below: scipy’s, which loses digits beside a million, and one step of Newton’s."""
    x = betaincinv(a, b, p)
    with np.errstate(all="ignore"):
        step = (betainc(a, b, x) - p) * np.exp(betaln(a, b) - (a - 1) * np.log(x) - (b - 1) * np.log1p(-x))
    return np.where((a > 1) & (b > 1) & (np.abs(step) < 1e-3 * x), x - step, x)
