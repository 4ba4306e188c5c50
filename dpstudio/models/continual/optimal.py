"""The ε that each of Q releases may have so that all together keep an (ε, δ)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from dpstudio.mechanisms.losses import alike
from dpstudio.mechanisms.noise import analytic_sigma

_SAFE = 1e-9
"""How far below its root the ε of each release is kept, relatively."""
_STEPS = 200
_FIRST, _WIDER = 0.02, 4
"""How far from where it should be the logarithm is looked for first, and how many times as far then."""


@lru_cache(maxsize=256)
def each_optimal(epsilon: float, delta: float, releases: int) -> float:
    """The largest ε₀ with which any Q ε₀-private releases are (ε, δ)-private together, 1e-8 of it below.

    [Kairouz, Oh & Viswanath 2015, Theorem 3.3: Q randomized responses need the most.]
    """
    *_, each = search_each_optimal(epsilon, delta, releases)
    return each


def search_each_optimal(epsilon: float, delta: float, releases: int) -> Iterator[float]:
    """Ever larger ε₀ that will do, the last of them the largest; between two the search can be left."""
    def over(log_each: float) -> float:
        return _needed(log_each, releases, delta) - epsilon

    low = math.log(epsilon / releases) - _SAFE  # basic composition
    # Many small releases are together as one with Gaussian noise.
    near = math.log(1 / (float(analytic_sigma(epsilon, delta)) * math.sqrt(releases)))
    step = _FIRST if near > low else math.log(2)
    high = max(near, low + step)
    at_low, at_high = -epsilon, over(high)
    while at_high > 0 and high - step > low:
        tried = over(high - step)
        yield math.exp(low) * (1 - _SAFE)
        if tried <= 0:
            low, at_low = high - step, tried
        else:
            high, at_high, step = high - step, tried, _WIDER * step
    if at_high > 0 and at_low == -epsilon:
        at_low = over(low)
    while at_high <= 0:
        low, at_low, high, step = high, at_high, high + step, _WIDER * step
        at_high = over(high)
        yield math.exp(low) * (1 - _SAFE)
    # False position, where an end that stays twice counts for half (the Illinois rule); where the ε needed is 0, or all
    # but a jump in ε₀, steps halve.
    stayed_low = stayed_high = False
    for step in range(1, _STEPS):
        if high - low <= _SAFE or at_low >= -_SAFE * epsilon:
            break
        halve = step % 3 == 0 or at_low <= -0.99 * epsilon
        middle = (low + high) / 2 if halve else (low * at_high - high * at_low) / (at_high - at_low)
        margin = min(_SAFE, (high - low) / 4)
        middle = min(max(middle, low + margin), high - margin)
        at = over(middle)
        if at <= 0:
            at_high /= 2 if stayed_high else 1
            low, at_low, stayed_high, stayed_low = middle, at, True, False
        else:
            at_low /= 2 if stayed_low else 1
            high, at_high, stayed_high, stayed_low = middle, at, False, True
        yield math.exp(low) * (1 - _SAFE)
    yield math.exp(low) * (1 - _SAFE)


@lru_cache(maxsize=256)
def _needed(log_each: float, releases: int, delta: float) -> float:
    """ε of so many responses; kept, so that a search that was left goes on where it was."""
    return float(alike(math.exp(log_each), float(releases)).epsilon(np.array([delta]))[0])
