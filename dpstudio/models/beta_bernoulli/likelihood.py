"""How probable a noisy count is at each rate θ, without a sum over the counts: its cost does not depend on n.

With K ~ Bin(n, θ) and noise that falls off as e^(−ε|x|), everything is made of two tails that lean towards each other,

    below(θ) = Σ_{k ≤ m} Pr[K = k] e^(−ε(g + m − k)),   g = c − m,   m = ⌊c⌋,

and the same with yes and no exchanged. Exponentially tilted, a binomial is a binomial: with θ₊ = θe^ε/(1 − θ + θe^ε)

    below(θ) = e^(−ε(m + g)) (1 − θ + θe^ε)^n F(m; n, θ₊),

F the binomial distribution function. Deep in the tail F underflows, but F/pmf is a short continued fraction, and the
tilted pmf is the pmf.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, gammaln

from dpstudio.core.declare import Array
from dpstudio.core.special import deviance, stirling_error
from dpstudio.records import dataclass

_DEEP = 625.0
"""Squared standard deviations below the mean from which on the continued fraction is used …"""
_DEPTH = 4
"""… to so many pairs of its terms: the last one changes nothing from there on."""
_NO_NOISE = 100.0
"""ε from which on e^ε is not asked for."""
_NARROW = 900.0
"""ε²n from which on most rates have both tails so deep."""
_SERIES_FROM = 16.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates θ with their complements φ = 1 − θ, each to full relative accuracy."""

    theta: Array
    phi: Array

    def __getitem__(self, at: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Rates:
        return Rates(self.theta[at], self.phi[at])

    @property
    def mirrored(self) -> Rates:
        return Rates(self.phi, self.theta)


def log_likelihood(rates: Rates, n: float, m: Array, gap: Array, epsilon: float) -> Array:
    """ln E[e^(−ε|c − K|)], K ~ Bin(n, θ), for the count c = m + gap in [0, n] at each rate; arrays of one shape.

    For whole m and 0 ≤ gap ≤ 1 it is that; between them it goes on smoothly in both.
    """
    here = above = None
    if epsilon * epsilon * n > _NARROW:  # nearly all rates have both tails far out: one probability serves them
        here = log_pmf(rates, n, m)
        with np.errstate(divide="ignore"):
            above = here + np.log((n - m) / (m + 1)) + np.log(rates.theta) - np.log(rates.phi)
    return np.logaddexp(log_below(rates, n, m, gap, epsilon, here),
                        log_below(rates.mirrored, n, n - m - 1, 1 - gap, epsilon, above))


def log_below(rates: Rates, n: float, m: Array, gap: Array, epsilon: float, log_pmf_of_m: Array | None = None) -> Array:
    """ln Σ_{k ≤ m} Pr[K = k] e^(−ε(gap + m − k)) at each rate; −∞ for m < 0. m may lie between whole numbers."""
    theta, phi = rates.theta, rates.phi
    fall = math.exp(-epsilon)
    tilt = theta + phi * fall
    up, down = theta / tilt, phi * fall / tilt
    missing = n * up - m
    deep = (missing > 0) & (missing * missing > _DEEP * n * up * down) & (m >= 0)
    # ln (1 − θ + θe^ε)^n − ε(m + g), from the end that is near; e^ε itself may be no number.
    power = n * (np.log(tilt) if epsilon > _NO_NOISE else np.log1p(np.minimum(phi, 0.5) * math.expm1(-epsilon)))
    power += epsilon * (n - m - gap)
    if epsilon <= _NO_NOISE:
        left = n * np.log1p(np.minimum(theta, 0.5) * math.expm1(epsilon)) - epsilon * (m + gap)
        power = np.where(theta <= 0.5, left, power)
    inside = (m >= 0) & (m < n) & ~deep
    below = np.where(m >= n, 0.0, -np.inf)
    below[inside] = np.log(betainc(n - m[inside], m[inside] + 1, down[inside]))
    found = power + below
    if deep.any():
        there, at = rates[deep], m[deep]
        logs = log_pmf(there, n, at) if log_pmf_of_m is None else log_pmf_of_m[deep]
        found[deep] = (logs - epsilon * gap[deep]
                       + np.log(_below_over_pmf(n, at, there.phi / there.theta * math.exp(-epsilon))))
    return found


def log_pmf(rates: Rates, n: float, m: Array) -> Array:
    """ln of the binomial probability of m, by Loader's saddle point (2000); m may lie between whole numbers.

    Rates in a table have one m in each of its rows.
    """
    rest = n - m
    logs = -deviance(m, n * rates.theta) - deviance(rest, n * rates.phi)
    # One posterior has one m: in a table of nodes it is the same along each row.
    alike = m[:, :1] if m.ndim == 2 else m[:1] if m.size > 1 and m.min() == m.max() else m
    return np.asarray(logs + _log_peak(alike, n))


def _log_peak(m: Array, n: float) -> Array:
    """ln of the largest probability of m over all rates, that at θ = m/n."""
    logs = np.zeros_like(m)
    inside = (m > 0) & (m < n)
    a, b = m[inside], n - m[inside]
    logs[inside] = (_stirling(np.array([n]))[0] - _stirling(a) - _stirling(b)
                    - 0.5 * np.log(2 * math.pi * a * (b / n)))
    return logs


def _stirling(x: Array) -> Array:
    """ln Γ(x + 1) − (x ln x − x + ½ ln 2πx) for real x > 0."""
    few = np.minimum(x, _SERIES_FROM)
    near = gammaln(few + 1) - (few + 0.5) * np.log(few) + few - 0.5 * math.log(2 * math.pi)
    return np.where(x < _SERIES_FROM, near, stirling_error(np.maximum(x, _SERIES_FROM)))


def _below_over_pmf(n: float, m: Array, odds: Array) -> Array:
    """F(m; n, p)/pmf(m) = ₂F₁(1, −m; n − m + 1; −(1 − p)/p), by Gauss's continued fraction, for m far below np."""
    c = n - m + 1
    value = np.ones_like(m)
    for k in range(_DEPTH, 0, -1):
        value = 1 - (m - k) * (n - m + k) * odds / ((c + 2 * k - 1) * (c + 2 * k)) / value
        value = 1 + k * (n + k) * odds / ((c + 2 * k - 2) * (c + 2 * k - 1)) / value
    return np.asarray(1 / (1 - m * odds / c / value))
