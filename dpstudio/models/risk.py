"""What an attacker gains from a release, in a person's terms, and how strong it must be for a risk that is allowed.

What follows from a law of errors stands in `core/attack.py`; here it has its names, and beside it what follows from ε
alone where the attacker is not sure that the person is in the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.attack import (
    Grouped,
    advantage,
    exceeds,
    failure,
    greatest_posterior,
    membership,
    one_of,
    posterior_reaches,
    precision,
    success,
)
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.law import Law
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.core.special import ROOT_TWO_PI, less_product
from dpstudio.vocabulary import EPSILON_OR_ZERO, INSIDE_UNIT, POSITIVE, TYPE_I, reals, variant

__all__ = [
    "Grouped", "advantage", "disclosure", "disclosure_epsilon", "epsilon_for", "exceeds", "failure",
    "greatest_posterior", "law_allows", "membership", "mu_for", "one_of", "posterior_reaches", "precision",
    "profile_epsilon", "success",
]

_INSIDE = variant(TYPE_I, key="inside", domain=INSIDE_UNIT)
_INCLUDED = variant(TYPE_I, key="included", domain=reals(0, 1, open="low"))
_CAP = variant(TYPE_I, key="cap", domain=POSITIVE)
_ROOM = 1e-12
"""Part by which a belief may lie above a cap and still is that one: its own rounding."""
_CLOSE = 0.1
"""Two probabilities that differ by so much of the smaller tail have quantiles that share their digits."""
_NODES, _WEIGHTS = gauss_legendre(12)


def disclosure(epsilon: npt.ArrayLike, held: npt.ArrayLike, included: npt.ArrayLike) -> float | Array:
    """The highest belief that a person is in the data with such a value, after any answer that is ε-DP.

    pq/(pq + (1 − p)q e^−2ε + (1 − q) e^−ε): the value is `held` with probability p by whoever is in, the person is
    `included` with probability q, neighbours differ by one person added or removed. Likelihoods 1, e^−2ε and e^−ε
    attain it. ε is in [0, ∞), p in (0, 1), q in (0, 1], of any shapes. [Kazan & Reiter 2024.]
    """
    e, p, q = np.broadcast_arrays(numbers_in(epsilon, EPSILON_OR_ZERO, "epsilon"), numbers_in(held, _INSIDE, "held"),
                                  numbers_in(included, _INCLUDED, "included"))
    both = p * q
    return shaped(np.asarray(both / (both + (1 - p) * q * np.exp(-2 * e) + (1 - q) * np.exp(-e))))


def disclosure_epsilon(cap: npt.ArrayLike, held: npt.ArrayLike, included: npt.ArrayLike) -> float | Array:
    """The largest ε at which `disclosure` is the cap c at most: 0 where the prior pq is no less, ∞ from 1 on.

    With z = e^−ε and C = pq (1 − c)/c it is A z² + (1 − q) z = C, A = (1 − p)q; of z and of y = 1 − z the smaller is
    solved for, without subtraction. c > 0, p in (0, 1), q in (0, 1], of any shapes.
    """
    c, p, q = np.broadcast_arrays(numbers_in(cap, _CAP, "cap"), numbers_in(held, _INSIDE, "held"),
                                  numbers_in(included, _INCLUDED, "included"))
    with np.errstate(all="ignore"):
        away, rest = (1 - p) * q, p * q * (1 - c) / c
        root = np.sqrt((1 - q) ** 2 + 4 * away * rest)
        z = 2 * rest / ((1 - q) + root)
        above = np.asarray(less_product(c, q, p)) / c  # (c − pq)/c: the product's own rounding is put back
        y = 2 * above / (away + ((1 - p) + p * (1 - q)) + root)  # 1 − pq by positive terms
        found = np.where(y < 0.5, -np.log1p(-np.minimum(y, 0.5)), -np.log(z))
    return shaped(np.where(c >= 1, math.inf, np.where(above > 0, np.maximum(found, 0.0), 0.0)))


def profile_epsilon(points: Iterable[tuple[float, float, float]]) -> float:
    """The largest ε that keeps every cap: the least `disclosure_epsilon` of triples p, q and cap."""
    found = [float(disclosure_epsilon(cap, held, included)) for held, included, cap in points]
    if not found:
        raise InvalidParameter("points", "one triple of held, included and cap at least", points)
    return min(found)


def epsilon_for(baseline: npt.ArrayLike, cap: npt.ArrayLike) -> float | Array:
    """The largest ε of pure privacy that keeps an attack with baseline b in (0, 1) at success c: 0 where c ≤ b.

    ln c/b where b + c ≤ 1, else ln (1 − b)/(1 − c); ∞ from c = 1 on. Of any shapes.
    """
    b, c = np.broadcast_arrays(numbers_in(baseline, _INSIDE, "baseline"), numbers_in(cap, _CAP, "cap"))
    with np.errstate(divide="ignore", invalid="ignore"):
        few = (0.5 - b) + (0.5 - c) >= 0
        low, high = np.where(few, b, 1 - c), np.where(few, c, 1 - b)
        found = np.where(high < 2 * low, np.log1p((c - b) / low), np.log(high) - np.log(low))
    return shaped(np.where(c >= 1, math.inf, np.where(c > b, found, 0.0)))


def mu_for(baseline: npt.ArrayLike, cap: npt.ArrayLike) -> float | Array:
    """The largest μ of Gaussian privacy that does: Φ⁻¹(c) − Φ⁻¹(b), 0 where c ≤ b and ∞ from c = 1 on.

    Where both are close it is the integral of 1/φ(Φ⁻¹(p)) between them, which loses no digit. Of any shapes.
    """
    b, c = np.broadcast_arrays(numbers_in(baseline, _INSIDE, "baseline"), numbers_in(cap, _CAP, "cap"))
    inside = np.where(c < 1, c, 0.5)
    found = ndtri(inside) - ndtri(b)
    close = np.abs(inside - b) < _CLOSE * np.minimum(b, 1 - inside)
    if close.any():
        low, width = b[close], (inside - b)[close]
        z = ndtri(low + width * _NODES[:, None])
        found = np.array(found)
        found[close] = width * ROOT_TWO_PI * (_WEIGHTS[:, None] * np.exp(z * z / 2)).sum(axis=0)
    return shaped(np.where(c >= 1, math.inf, np.where(c > b, found, 0.0)))


def law_allows(law: Law, held: float, cap: float) -> bool:
    """Whether no answer raises a belief of `held` in (0, 1), in one of two neighbours, above the cap in (0, ∞).

    Without a largest loss some answer may raise it to 1; `posterior_reaches` says how often.
    """
    return float(greatest_posterior(law, held)) <= parameter_value(_CAP, cap, "cap") * (1 + _ROOM)

