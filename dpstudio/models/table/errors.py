"""How far the noise takes the cells of a table: one of them, or all at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, of_each, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, counts
from dpstudio.mechanisms.noise import LaplaceNoise, Noise
from dpstudio.models.clamping import count_error
from dpstudio.models.histograms import Neighbouring
from dpstudio.vocabulary import (
    CONFIDENCE,
    ERROR_BEYOND,
    EXACT_INTEGERS,
    POSITIVE,
    SCALE,
    SENSITIVITY,
    Choice,
    integers,
    variant,
)

CELLS = variant(SENSITIVITY, key="cells", domain=integers(1, EXACT_INTEGERS))
_PER_PERSON = variant(CELLS, key="per_person")
_MOST = variant(SENSITIVITY, key="most", domain=POSITIVE)
_RELATIVE = variant(SENSITIVITY, key="relative", domain=POSITIVE)
_NEIGHBOURS = Choice(("add or remove", "replace"))


def sensitivities(cells: int, per_person: int, most: float, neighbours: Neighbouring) -> tuple[float, float]:
    """How far one person moves a table of K cells in ℓ₁ and in ℓ₂: c m and c √m, with κ cells a person and c in each.

    m = min(K, κ) where a person is added or removed, min(K, 2κ) where one is replaced by another: √2, not 2, times ℓ₂.
    Where only a person's total is bounded, all of it may lie in one cell, and both are that bound.
    """
    moved = parameter_value(_PER_PERSON, per_person)
    if neighbours not in _NEIGHBOURS.options:
        raise InvalidParameter("neighbours", _NEIGHBOURS, neighbours)
    moved = min(parameter_value(CELLS, cells), 2 * moved if neighbours == "replace" else moved)
    each = parameter_value(_MOST, most)
    return each * moved, each * moved**0.5


def half_width(noise: Noise, cells: npt.ArrayLike, confidence: npt.ArrayLike) -> float | Array:
    """The t within which all K cells are of their true counts at once with probability 1 − α; of any shapes.

    Each cell with α′ = 1 − (1 − α)^(1/K): −b ln α′ of Laplace noise, σ√2 erfc⁻¹(α′) of Gaussian noise, of whole noise
    the least t with 2 Pr[X > t] ≤ α′, whose true `coverage` is more. [Šidák 1967, exact where the noises are
    independent; α/K in the place of α′ is a little too wide.]
    """
    k, kept = np.broadcast_arrays(numbers_in(cells, CELLS, "cells"), numbers_in(confidence, CONFIDENCE, "confidence"))
    side = -np.expm1(np.log(kept) / k) / 2
    found = 0.0 - np.asarray(noise.quantile(side))
    if noise.is_whole:  # where the tail from there on is just as much it is left out
        found = found - (np.asarray(noise.cdf(-found)) <= side)
    return shaped(np.asarray(np.maximum(found, 0.0)))


def coverage(noise: Noise, cells: npt.ArrayLike, half_width: npt.ArrayLike) -> float | Array:
    """The probability that all K cells are within t ≥ 0 of their true counts, (1 − Pr[|X| > t])^K; of any shapes."""
    k, t = np.broadcast_arrays(numbers_in(cells, CELLS, "cells"), numbers_in(half_width, ERROR_BEYOND, "half_width"))
    with np.errstate(divide="ignore"):
        return shaped(np.asarray(np.exp(k * np.log1p(-np.asarray(noise.error_exceeds(t))))))


def smallest_cell(noise: Noise, relative: npt.ArrayLike, confidence: npt.ArrayLike) -> float | Array:
    """The smallest count of which the noisy one is off by no more than the part x, with probability 1 − α: ⌈t/x⌉.

    t is the `half_width` of one cell; where that is 0, as of whole noise of a large ε, so is the count. Of any shapes.
    """
    part, t = np.broadcast_arrays(numbers_in(relative, _RELATIVE, "relative"),
                                  np.asarray(half_width(noise, 1, confidence)))
    with np.errstate(over="ignore"):
        least = np.ceil(t / part)
    # The quotient is rounded: the first count is meant whose part is no less.
    least = np.where((least >= 1) & (part * (least - 1) >= t), least - 1, least)
    return shaped(np.where(part * least < t, least + 1, least))


def clamped_bias(noise: Noise, count: npt.ArrayLike) -> float | Array:
    """E max(0, n + X) − n, by how much setting negative counts to 0 raises a true count n on average; of any shape.

    b/2 e^(−n/b) of Laplace noise, a^(n+1)/(1 − a²) of geometric noise, σ (φ(z) − z Φ(−z)) of Gaussian noise, z = n/σ.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # of the squares, which may leave the doubles
        return shaped(np.asarray(count_error(noise, counts(count, "count"), clamped=True).bias))


def rounded_variance(scale: npt.ArrayLike) -> float | Array:
    """The variance of Laplace noise rounded to whole numbers, cosh(1/2b)/(2 sinh²(1/2b)); of any shape.

    cosh(1/2b) times that of geometric noise of the same ε.
    """
    def square(b: float) -> float:
        sd = LaplaceNoise(b).rounded_sd
        return sd * sd

    return of_each(square, numbers_in(scale, SCALE, "scale"))
