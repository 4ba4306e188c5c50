"""Accounts that are kept in other terms than ε and δ, and what releases on a sample of the people come to.

A mechanism keeps the Rényi divergence of order α below ρ(α), for neighbours either way; divergences add up over
releases, and at the end one order after the other is turned into a bound on ε. With zCDP ρ(α) = αρ. [Mironov 2017;
Bun & Steinke 2016.]
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, of_each, shaped
from dpstudio.core.declare import Array
from dpstudio.core.search import lowest
from dpstudio.mechanisms.mechanism import INSIDE_DELTA

_ROUNDED = 2.0**-50
"""What the terms of an ε may be off by, as a part of them: so much is added, and the ε is none too small."""
_CLOSE = 1e-9
_LEAST_EXCESS = 2.0**-30
"""No order nearer to 1 is tried: there is no use in it unless ε is a million million."""


def zcdp(rho: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The least ε for which all ρ-zCDP mechanisms are known to be (ε, δ)-DP, never below; of any shapes.

    The infimum over all orders α > 1 of αρ + ln(1 − 1/α) − (ln δ + ln α)/(α − 1), or 0 where that is negative. ρ is in
    [0, ∞), and 0 at ρ = 0; δ is in (0, 1): without δ no ε holds, and at δ = 1 any does. What rounding
    may take away is added: 1e-15 of the terms. [Canonne, Kamath & Steinke 2020, Corollary 13.]
    """
    return _each(_zcdp_of_one, numbers_in(rho, v.RHO), numbers_in(delta, INSIDE_DELTA))


def _zcdp_of_one(rho: float, delta: float) -> float:
    if rho == 0:
        return 0.0
    # With α = 1 + e^x the infimum lies where ρ e^2x + ln(1 + e^x) = ln(1/δ). The left side rises and is convex in x,
    # and either term alone says more than x: Newton's steps come down to it.
    log, log_rho = -math.log(delta), math.log(rho)
    x = min((math.log(log) - log_rho) / 2, _most_log_excess(log))
    for _ in range(100):
        first, t = math.exp(2 * x + log_rho), math.exp(x)
        step = (first + math.log1p(t) - log) / (2 * first + t / (1 + t))
        x -= step
        if abs(step) < _CLOSE:
            break
    t = math.exp(x)
    return _epsilon_at(t, (1 + t) * rho, log)


def renyi_to_epsilon(divergence: Callable[[float], float], delta: npt.ArrayLike) -> float | Array:
    """The least ε that the divergences ρ(α) of a mechanism promise at δ in (0, 1), of any shape; never below.

    The infimum over all real α > 1 of ρ(α) + ln(1 − 1/α) − (ln δ + ln α)/(α − 1), or 0 where that is negative. For an ε
    below its value at some α the bound on ln δ, (α − 1)(ρ(α) − ε) + (α − 1) ln(α − 1) − α ln α, is convex in α, as
    (α − 1) ρ(α) is for any mechanism. So there is one valley. [Canonne, Kamath & Steinke 2020, Proposition 12.]
    """
    return _each(lambda one: _renyi_of_one(divergence, one), numbers_in(delta, INSIDE_DELTA))


def _renyi_of_one(divergence: Callable[[float], float], delta: float) -> float:
    log = -math.log(delta)

    def epsilon(x: float) -> float:
        order = 1 + max(math.exp(x), _LEAST_EXCESS)
        return _epsilon_at(order - 1, divergence(order), log, -math.inf)

    # From the order that would be best, were ρ(α) a multiple of α, in longer and longer steps to either side until ε
    # rises. Where large orders say the same to the last digit, less is to be found below them.
    of_two, end = divergence(2.0), _most_log_excess(log)
    best = min((math.log(log) - math.log(of_two)) / 2, end) if 0 < of_two < math.inf else end
    low, high = 0.5, 0.5
    while epsilon(best - low) <= epsilon(best) and best - low > math.log(_LEAST_EXCESS):
        best, low = best - low, 2 * low
    while best < end and epsilon(min(best + high, end)) < epsilon(best):
        best, high = min(best + high, end), 2 * high
    return max(epsilon(lowest(epsilon, best - max(low, high / 2), min(best + max(high, low / 2), end))), 0.0)


def _most_log_excess(log: float) -> float:
    """ln(1/δ − 1) at most e^700: the ε that an order α promises rises from α = 1/δ on, whatever the mechanism."""
    return min(log + math.log(-math.expm1(-log)), 700.0)


def _epsilon_at(excess: float, divergence: float, log: float, least: float = 0.0) -> float:
    """The ε that a divergence of order 1 + `excess` promises, from above; `log` is ln(1/δ)."""
    of_order, of_delta = math.log1p(1 / excess), (log - math.log1p(excess)) / excess
    spread = _ROUNDED * (divergence + of_order + (log + math.log1p(excess)) / excess)
    return max(divergence - of_order + of_delta + spread, least)


def response_divergence(epsilon: float, k: float) -> Callable[[float], float]:
    """The Rényi divergence of k ε-DP releases, at most, as a function of its order α ≥ 1, to 1e-14 of it.

    That of randomized response, ln(cosh((α − ½)ε)/cosh(ε/2))/(α − 1); at α = 1 its limit ε tanh(ε/2). It is at most
    αε²/2, so that ε-DP is ε²/2-zCDP. [Mironov 2017, Proposition 5; Bun & Steinke 2016, Proposition 3.3.]
    """
    return lambda order: k * _response(order - 1, epsilon)


def _response(excess: float, epsilon: float) -> float:
    order = 1 + excess
    if order * epsilon > 1:
        return epsilon + _log1p_over(_expm1_over(-2 * epsilon, excess) / (1 + _exp(epsilon)), excess)
    # cosh x − cosh y = 2 sinh((x + y)/2) sinh((x − y)/2)
    half = epsilon / 2
    part = math.sinh(excess * half) / excess if excess else half
    return _log1p_over(2 * math.sinh(order * half) * part / math.cosh(half), excess)


def _log1p_over(y: float, t: float) -> float:
    """ln(1 + ty)/t, y at t = 0."""
    return math.log1p(t * y) / t if t else y


def _expm1_over(y: float, t: float) -> float:
    """(e^(ty) − 1)/t, y at t = 0."""
    return math.expm1(t * y) / t if t else y


def _exp(x: float) -> float:
    return math.exp(x) if x < 709 else math.inf


def subsampled(
    epsilon: npt.ArrayLike, delta: npt.ArrayLike, rate: npt.ArrayLike
) -> tuple[float | Array, float | Array]:
    """(ln(1 + q(e^ε − 1)), qδ): the guarantee where an (ε, δ)-DP release sees each person with probability q = `rate`.

    Each is drawn on their own, neighbours differ in one person added or removed, and nobody learns who was drawn. No
    smaller pair holds of all such releases. Stable to 1e-14 of either, however small q and ε are and however large ε
    is; of any shapes, ε ≥ 0, δ and q in [0, 1]. [Balle, Barthe & Gaboardi 2018, Theorem 8.]
    """
    e, d = numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(delta, v.DELTA)
    q = numbers_in(rate, v.SAMPLING_RATE, "rate")
    return _each(_amplified, e, q), shaped(np.asarray(q * d))


def _amplified(epsilon: float, rate: float) -> float:
    if rate in (0, 1):
        return epsilon * rate
    if epsilon < 700:
        return math.log1p(rate * math.expm1(epsilon))
    # q times the root twice stays a double where e^ε is none but q e^ε is one; above, 1 − q is lost beside q e^ε.
    root = _exp(epsilon / 2)
    odds = rate * root * root
    if odds < math.inf:
        return math.log1p(odds)
    return epsilon + math.log(rate)


def _each(function: Callable[..., float], *of: Array) -> float | Array:
    """A function of numbers for arrays that broadcast."""
    with np.errstate(all="ignore"):  # an overflow is answered by ∞
        return of_each(function, *of)
