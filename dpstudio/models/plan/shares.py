"""The least total of releases with wanted half widths, the best split of a total, and disjoint groups in parallel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import erfcinv, erfinv

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter, accepted
from dpstudio.core.search import falling_root
from dpstudio.mechanisms.mixed import MU_OR_ZERO
from dpstudio.vocabulary import (
    EPSILON,
    EPSILON_OR_ZERO,
    INSIDE_UNIT,
    MU,
    NONNEGATIVE,
    POSITIVE,
    SENSITIVITY,
    TYPE_I,
    WHOLE_SENSITIVITY,
    Choice,
    variant,
)

NoiseName: TypeAlias = Literal["laplace", "geometric", "gaussian"]
Neighbours: TypeAlias = Literal["add or remove", "move"]
Goal: TypeAlias = Literal["variance", "absolute", "worst"]

NOISES, NEIGHBOURS = Choice(("laplace", "geometric", "gaussian")), Choice(("add or remove", "move"))
_GOALS = Choice(("variance", "absolute", "worst"))
CONFIDENCE = variant(TYPE_I, key="confidence", domain=INSIDE_UNIT)
HALF_WIDTH = variant(SENSITIVITY, key="half_width", domain=POSITIVE)
_WHOLE_HALF_WIDTH = variant(SENSITIVITY, key="half_width", domain=NONNEGATIVE)
_WEIGHT = variant(SENSITIVITY, key="weight", domain=POSITIVE)
_STEPS = 60


def least_total(half_widths: npt.ArrayLike, sensitivities: npt.ArrayLike, confidence: float, noise: NoiseName) -> float:
    """The least total with which each release is within its half width t of the truth with that confidence 1 − α.

    Laplace Σ Δ ln(1/α)/t; geometric Σ −Δ ln a with 2a^(t+1)/(1 + a) = α, t rounded down to whole numbers from 0 on and
    Δ whole; Gaussian √Σ (Δ Φ⁻¹(1 − α/2)/t)², a μ. t and Δ > 0 broadcast. What each costs is also the best split for the
    worst ratio of error to want; of geometric noise but for its whole numbers.
    """
    accepted("noise", NOISES, noise)
    costs = strengths_of(half_widths, sensitivities, confidence, noise)
    return math.hypot(*costs.reshape(-1)) if noise == "gaussian" else math.fsum(costs.flat)


def strengths_of(half_widths: npt.ArrayLike, sensitivities: npt.ArrayLike, confidence: npt.ArrayLike, noise: NoiseName
                 ) -> Array:
    """What each release costs, ε or μ."""
    geometric = noise == "geometric"
    t, moves, level = np.broadcast_arrays(
        numbers_in(half_widths, _WHOLE_HALF_WIDTH if geometric else HALF_WIDTH, "half_widths"),
        numbers_in(sensitivities, WHOLE_SENSITIVITY if geometric else SENSITIVITY, "sensitivities"),
        numbers_in(confidence, CONFIDENCE, "confidence"))
    with np.errstate(over="ignore"):
        if geometric:
            return np.asarray(moves * _rates(np.floor(t), -np.log1p(-level)))
        return np.asarray(moves / t * (normal_quantile(level) if noise == "gaussian" else -np.log1p(-level)))


def normal_quantile(confidence: Array) -> Array:
    """Φ⁻¹((1 + c)/2): a standard normal number is within so much of 0 with probability c."""
    return math.sqrt(2) * np.where(confidence < 0.5, erfinv(np.minimum(confidence, 0.5)), erfcinv(1 - confidence))


def geometric_rate(half_width: float, log: float) -> float:
    """−ln a with 2a^(t+1)/(1 + a) = α for real t ≥ 0, from above; `log` is −ln α > 0.

    (t + 1) r + ln((1 + e^−r)/2) = −ln α has a left side that rises and is convex, so Newton's steps come down to it.
    """
    rate = log / (half_width + 0.5)
    for _ in range(_STEPS):
        more = (half_width + 1) * rate + math.log1p(math.expm1(-rate) / 2) - log
        step = more / (half_width + 1 / (1 + math.exp(-rate)))
        rate = max(rate - step, 0.0)
        if abs(step) <= 1e-15 * rate:
            break
    return rate


_rates = np.vectorize(geometric_rate, otypes=[float])


# The split of a total


def split(weights: npt.ArrayLike, sensitivities: npt.ArrayLike, total: float, goal: Goal, noise: NoiseName) -> Array:
    """What each release has of a total ε, Σεᵢ = ε, or of a total μ, Σμᵢ² = μ², where the goal is least.

    "variance" is Σ wᵢ Var, "absolute" Σ wᵢ E|X|, "worst" the greatest wᵢ sd. Laplace and Gaussian noise have closed
    forms; of geometric noise the slopes w f′(ε) are made equal, or w sd. Weights and sensitivities are > 0.
    """
    accepted("noise", NOISES, noise)
    accepted("goal", _GOALS, goal)
    moves = WHOLE_SENSITIVITY if noise == "geometric" else SENSITIVITY
    w, d = np.broadcast_arrays(numbers_in(weights, _WEIGHT, "weights"),
                               numbers_in(sensitivities, moves, "sensitivities"))
    whole = parameter_value(MU if noise == "gaussian" else EPSILON, total, "total")
    if w.ndim != 1 or not w.size:
        raise InvalidParameter("weights", "one for each of some releases", weights)
    log_w, log_d = np.log(w), np.log(d)
    if noise == "geometric":
        return _geometric_split(log_w, d, whole, goal)
    if noise == "gaussian":
        squares = {"variance": log_w / 2 + log_d, "absolute": (log_w + log_d) * 2 / 3, "worst": 2 * (log_w + log_d)}
        return np.asarray(whole * np.sqrt(_parts(squares[goal])))
    parts = {"variance": (log_w + 2 * log_d) / 3, "absolute": (log_w + log_d) / 2, "worst": log_w + log_d}
    return np.asarray(whole * _parts(parts[goal]))


def _parts(logs: Array) -> Array:
    """Numbers in proportion to what has these logarithms, of sum 1."""
    sizes = np.exp(logs - logs.max())
    return np.asarray(sizes / math.fsum(sizes))


def _geometric_split(log_w: Array, moves: Array, total: float, goal: Goal) -> Array:
    log_c = np.log(moves) - log_w

    def strengths(log_slope: float) -> Array:
        """What each has where all slopes are that, or all w sd are 1 over it."""
        match goal:
            case "variance":  # cosh/sinh³ of ε/2Δ in proportion to Δ/w
                return np.asarray(2 * moves * of_cubic(log_slope + log_c))
            case "absolute":  # cosh/sinh² of ε/Δ
                return np.asarray(moves * of_square(log_slope + log_c))
        return np.asarray(2 * moves * _asinh(log_w - log_slope))

    def over(log_slope: float) -> float:
        return math.log(math.fsum(strengths(log_slope)) / total)

    found = strengths(falling_root(over, 0.0, 1.0))
    return np.asarray(found * (total / math.fsum(found)))


def _asinh(log: Array) -> Array:
    """asinh(e^x), whatever x."""
    low = np.minimum(log, 300.0)
    return np.where(log > 300, log + math.log(2), np.arcsinh(np.exp(low)))


def of_cubic(log_c: Array) -> Array:
    """x > 0 with cosh x/sinh³ x = c: in u = ln sinh x it is ½ ln(1 + e^2u) − 3u = ln c, convex and falling."""
    u = np.where(log_c > 0, -log_c / 3, -log_c / 2)  # no further than the root
    for _ in range(_STEPS):
        soft = np.logaddexp(0.0, 2 * u)
        step = (soft / 2 - 3 * u - log_c) / (np.exp(2 * u - soft) - 3)
        u = u - step
        if (np.abs(step) <= 1e-15 * (1 + np.abs(u))).all():
            break
    return _asinh(u)


def of_square(log_c: Array) -> Array:
    """x > 0 with cosh x/sinh² x = c: sinh² x = (1 + √(1 + 4c²))/(2c²)."""
    inside = np.logaddexp(0.0, np.logaddexp(0.0, 2 * (math.log(2) + log_c)) / 2)
    return _asinh((inside - math.log(2)) / 2 - log_c)


# Disjoint groups


def parallel(epsilons: npt.ArrayLike, neighbours: Neighbours) -> float:
    """The ε of releases about disjoint groups: the greatest, or the sum of the two greatest where a person may move.

    A change within a group costs that group's own guarantee under replacement, which is not asked here.
    """
    return _top(numbers_in(epsilons, EPSILON_OR_ZERO, "epsilons"), "epsilons", neighbours, lambda two: math.fsum(two))


def parallel_mu(mus: npt.ArrayLike, neighbours: Neighbours) -> float:
    """The μ of Gaussian releases about disjoint groups: the greatest, or the root of the two greatest squares."""
    return _top(numbers_in(mus, MU_OR_ZERO, "mus"), "mus", neighbours, lambda two: math.hypot(*two))


def _top(given: Array, name: str, neighbours: Neighbours, join: Callable[[list[float]], float]) -> float:
    accepted("neighbours", NEIGHBOURS, neighbours)
    if not given.size:
        raise InvalidParameter(name, "of one group at least", given)
    return join(sorted(given.reshape(-1).tolist())[-(2 if neighbours == "move" else 1):])
