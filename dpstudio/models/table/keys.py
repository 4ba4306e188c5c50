"""Cells whose names are secret: noise is added to those that have a record, and what comes to a threshold is shown.

A cell of nobody is never shown, so that one of a single person tells that they are there. What else decisions can do
about it is in `mechanisms/decision/selection.py`; here the noisy count is published, too.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, counts
from dpstudio.mechanisms.cells import deltas
from dpstudio.mechanisms.noise import Noise
from dpstudio.vocabulary import EPSILON_PRIME, PARTITIONS, THRESHOLD


def shown(noise: Noise, count: npt.ArrayLike, threshold: float) -> float | Array:
    """The probability that a cell of n is shown, Pr[X ≥ τ − n], and 0 of one without anybody; n of any shape."""
    n, least = counts(count, "count"), parameter_value(THRESHOLD, threshold)
    return shaped(np.where(n > 0, np.asarray(noise.tail(least - n)), 0.0))


def threshold_delta(noise: Noise, threshold: float, epsilon: npt.ArrayLike, cells_per_person: int) -> float | Array:
    """δ(ε) of a person who is in up to κ cells, once in each, exactly; ε is in [0, ∞), of any shape.

    With δ₁ = Pr[X ≥ τ − 1], r_j = 1 − (1 − δ₁)^j and δ_m the profile of the noise on m cells, the largest over j =
    0 … κ cells that the person is alone in, both ways, r_j + (1 − r_j) δ_{κ−j}(ε − ln(1 − r_j)) and δ_{κ−j}(ε +
    ln(1 − r_j)). The δ of the noise and r_κ together are only a bound.
    """
    at = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
    most = int(parameter_value(PARTITIONS, cells_per_person, "cells_per_person"))
    alone = float(shown(noise, 1, threshold))
    if alone >= 1:
        return shaped(np.ones(at.shape))
    j = np.arange(float(most), -1.0, -1.0)[:, None]  # with κ − j = 0 … κ cells besides
    hidden = j * math.log1p(-alone)
    told = -np.expm1(hidden)
    e = at.reshape(1, -1)
    # Where the noise alone needs no δ, r_κ is the largest: with the losses of m cells below mη and ε ≥ κη, η of one
    # cell, δ_m(x) ≤ 1 − e^(x − mη) makes the second r_j at most where x ≥ 0, and 1 − δ_m(|x|) ≥ e^−mη all else r_κ.
    if (e >= most * noise.largest_loss()).all():
        return shaped(np.full(at.shape, float(told[0, 0])))
    with_it, without = np.split(deltas(noise, np.concatenate([e - hidden, e + hidden], axis=1)), 2, axis=1)
    found = np.maximum(told + np.exp(hidden) * with_it, without).max(axis=0)
    return shaped(np.asarray(found.reshape(at.shape)))
