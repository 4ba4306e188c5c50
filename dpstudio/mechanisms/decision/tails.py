"""Probabilities that are known by whichever of both tails is the smaller, and functions of numbers of records."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import parameter_value, shaped
from dpstudio.core.declare import COUNT, Array, InvalidParameter, counts, numeric
from dpstudio.mechanisms.decision.precise import precisely
from dpstudio.vocabulary import COMPLEMENT, TARGET, Interval

_BLOCK = 65_536
"""Records computed at once: the temporaries of a block stay in the processor's cache, which halves the time."""
_AGREE = 2.0**-50
"""How far target + complement may lie from 1: four roundings of a number near 1."""


def both_tails(target: object, complement: object, domain: Interval) -> tuple[float, float]:
    """(p, 1 − p) from a target and perhaps its complement: the smaller of the two is exact, the other rounded.

    A target near 1 is known by its complement, beside which it may be 1.0 itself, being only the double nearest to it.
    """
    if complement is None:
        p = domain.accept(target)
        if p is None:
            raise InvalidParameter("target", domain, target)
        # 1 − p is exact for p ≥ ½ (Sterbenz), and rounded where p itself is the smaller.
        return float(p), 1.0 - float(p)
    p, q = (parameter_value(quantity, given) for quantity, given in ((TARGET, target), (COMPLEMENT, complement)))
    require_complement("target", p, q, "complement")
    if domain.low_open and min(p, q) == 0:
        raise InvalidParameter("target", domain, target)
    return p, q


def require_complement(name: str, p: float, q: float, complement: str) -> None:
    """Refuse q where it is not 1 − p but for rounding."""
    if abs(math.fsum((p, q, -1.0))) > _AGREE:
        raise InvalidParameter(complement, f"1 − {name}", q)


def in_blocks(function: Callable[[Array], Array], n: npt.ArrayLike) -> Array:
    """A function of numbers of records, checked and of any shape.

    It is given blocks, vectors that are not empty, and may overwrite them with its answer.
    """
    given = numeric(n, "n", COUNT)
    result = np.empty(given.shape)
    flat, out = given.reshape(-1), result.reshape(-1)
    # A product such as ε (n − k) may overflow to ±∞, and its exponential underflow to 0: both are the right answers.
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, flat.size, _BLOCK):
            block = out[start : start + _BLOCK]
            np.copyto(block, counts(flat[start : start + _BLOCK]))
            found = function(block)
            if found is not block:
                np.copyto(block, found)
    return result


def log_of(probability: Array, complement: Array) -> Array:
    """ln of a probability, through the complement where the probability is the larger."""
    with np.errstate(divide="ignore"):
        return np.where(probability <= complement, np.log(probability), np.log1p(-np.minimum(complement, 0.5)))


def loss_of(low: Array, rise: Array, log_low: Array, log_high: Array) -> Array:
    """ln (low + rise)/low: +∞ where only low is 0, and 0 where both are."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.where(rise < low, np.log1p(rise / low), log_high - log_low)
    return np.where(np.isneginf(log_high), 0.0, np.maximum(found, 0.0))


@precisely
def each(function: Callable[[float], float], values: Array) -> float | Array:
    """A function of one number at each of the values, with the digits of `precise`."""
    found = np.array([function(float(value)) for value in values.flat], dtype=np.float64)
    return shaped(found.reshape(values.shape))
