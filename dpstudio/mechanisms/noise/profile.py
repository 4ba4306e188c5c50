"""The privacy profile of Gaussian noise, δ(ε) for μ = Δ/σ, and its two inverses.

With u = ε/μ − μ/2, w = ε/μ + μ/2 and Mills' ratio R = Φ(−·)/φ, e^ε φ(w) = φ(u) makes

    δ = Φ(−u) − e^ε Φ(−w) = φ(u) (R(u) − R(w)),    1 − δ = φ(u) (R(−u) + R(w)),

so nothing is lost where both parts of the difference are nearly equal, and nothing overflows.
[Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Corollary 1.]
"""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from dpstudio.core.declare import Array
from dpstudio.core.special import ROOT_TWO_PI, mills, mills_drop, mills_drop_of_one, mills_of_one

_LOG_ROOT_TWO_PI = math.log(ROOT_TWO_PI)
_CLOSE = 1e-6
"""A step of Halley's, whose error is of the third order, is the last if it is this short."""
_PATIENCE = 60
_SMALLEST_MU = 1e-290
"""Below this μ a δ has too few digits to be solved for, and δ < Φ(−u) gives an ε that is none too small."""
_WIDEST = 50.0
"""Beyond this μ Mills’ ratio may overflow, which arrays bear and single numbers do not."""

Real = TypeVar("Real", float, Array)


def delta_of_mu(epsilon: Array, mu: Array) -> Array:
    """δ(ε) of Gaussian noise with Δ/σ = μ > 0."""
    epsilon, mu = np.broadcast_arrays(epsilon, mu)
    far = epsilon / mu
    u = np.clip(far - mu / 2, -1e150, 1e150)
    density = np.exp(-u * u / 2) / ROOT_TWO_PI
    delta = np.asarray(ndtr(-u) - density * mills(far + mu / 2))
    # Above u = −1 the two parts share their digits.
    shared = u > -1
    delta[shared] = density[shared] * mills_drop(u[shared], mu[shared])
    return delta


def largest_mu(epsilon: Array, delta: Array) -> Array:
    """The largest μ with δ_μ(ε) ≤ δ, for ε > 0 and δ in (0, 1), by Halley's steps in ln μ.

    With μ = √(2ε) e^−v, u = √(2ε) sinh v and w = √(2ε) cosh v keep their digits, however large ε is.
    """
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    root, delta = np.sqrt(2 * epsilon).reshape(-1), delta.reshape(-1)
    less = delta <= 0.5  # of δ and 1 − δ the smaller one is solved for
    target = np.log(np.where(less, delta, 1 - delta)) + _LOG_ROOT_TWO_PI
    # δ is less than Φ(−u) and less than μ/√2π, so v is less than either says.
    v = np.minimum(np.arcsinh(-ndtri(delta) / root), np.log(root) - np.log(delta) - _LOG_ROOT_TWO_PI)
    going = np.arange(v.size)  # most need three steps, and few five
    for _ in range(_PATIENCE):
        step = _step(root[going], v[going], less[going], target[going])
        v[going] += step
        going = going[np.abs(step) >= _CLOSE]
        if not going.size:
            break
    return np.asarray(root * np.exp(-v)).reshape(epsilon.shape)


def _step(root: Array, v: Array, less: npt.NDArray[np.bool_], target: Array) -> Array:
    u, w, mu = root * np.sinh(v), root * np.cosh(v), root * np.exp(-v)
    shape = np.empty(v.shape)
    shape[less] = mills_drop(u[less], mu[less])
    shape[~less] = mills(-u[~less]) + mills(w[~less])
    return _halley(np.log(shape) - u * u / 2 - target, np.where(less, mu, -mu) / shape, 1 + u * w)


def largest_mu_of_one(epsilon: float, delta: float) -> float:
    """`largest_mu` of two numbers, many times as fast as through arrays."""
    root = math.sqrt(2 * epsilon)
    less = delta <= 0.5
    target = math.log(delta if less else 1 - delta) + _LOG_ROOT_TWO_PI
    v = min(math.asinh(-float(ndtri(delta)) / root), math.log(root) - math.log(delta) - _LOG_ROOT_TWO_PI)
    for _ in range(_PATIENCE):
        u, w, mu = root * math.sinh(v), root * math.cosh(v), root * math.exp(-v)
        shape = mills_drop_of_one(u, mu) if less else mills_of_one(-u) + mills_of_one(w)
        step = _halley(math.log(shape) - u * u / 2 - target, (mu if less else -mu) / shape, 1 + u * w)
        v += step
        if abs(step) < _CLOSE:
            break
    return root * math.exp(-v)


def smallest_epsilon(mu: Array, delta: Array) -> Array:
    """The smallest ε ≥ 0 with δ_μ(ε) ≤ δ, for δ in (0, 1), by Halley's steps in u."""
    mu, delta = np.broadcast_arrays(mu, delta)
    solved = np.isfinite(mu) & (mu >= _SMALLEST_MU)
    start = delta_of_mu(np.zeros(mu.shape), np.where(solved, mu, 1.0))
    epsilon = np.where(solved, 0.0, np.maximum(mu * (mu / 2 - ndtri(delta)), 0.0))
    some = (delta < start) & solved
    mu, delta = mu[some], delta[some]
    less = delta <= 0.5
    target = np.log(np.where(less, delta, 1 - delta)) + _LOG_ROOT_TWO_PI
    u = -np.asarray(ndtri(delta))  # δ < Φ(−u)
    shape = np.empty(u.shape)
    for _ in range(_PATIENCE):
        u = np.maximum(u, -mu / 2)
        shape[less] = mills_drop(u[less], mu[less])
        shape[~less] = mills(-u[~less]) + mills(u[~less] + mu[~less])
        after = mills(u + mu)
        rate = np.where(less, mu, -mu) * after / shape
        step = _halley(np.log(shape) - u * u / 2 - target, rate, 1 / after - mu)
        u = u + step
        if (np.abs(step) < _CLOSE * (1 + np.abs(u))).all():
            break
    epsilon[some] = np.maximum(mu * (u + mu / 2), 0.0)
    return epsilon


def smallest_epsilon_of_one(mu: float, delta: float) -> float:
    """`smallest_epsilon` of two numbers, many times as fast as through arrays."""
    if not _SMALLEST_MU <= mu <= _WIDEST:
        return float(smallest_epsilon(np.array([mu]), np.array([delta]))[0])
    if delta >= math.erf(mu / math.sqrt(8)):
        return 0.0
    less = delta <= 0.5
    target = math.log(delta if less else 1 - delta) + _LOG_ROOT_TWO_PI
    u = -float(ndtri(delta))
    for _ in range(_PATIENCE):
        u = max(u, -mu / 2)
        shape = mills_drop_of_one(u, mu) if less else mills_of_one(-u) + mills_of_one(u + mu)
        after = mills_of_one(u + mu)
        step = _halley(math.log(shape) - u * u / 2 - target, (mu if less else -mu) * after / shape, 1 / after - mu)
        u += step
        if abs(step) < _CLOSE * (1 + abs(u)):
            break
    return max(mu * (u + mu / 2), 0.0)


def _halley(excess: Real, rate: Real, bend: Real) -> Real:
    """Halley's step x → x + step for a function F of −x with F = excess, F′ = rate and F″/F′ = bend − rate."""
    newton = excess / rate
    bent = newton * (bend - rate) / 2
    # 1 − bent, held between ½ and 3/2 so that no step leaps; that changes nothing in the third order.
    return newton / (1 - bent / (1 + 2 * abs(bent)))
