"""What becomes of the error of a noisy count where it is rounded, and raised to 0 if it is negative.

Both look only at the noisy count, so they cost no privacy (post-processing). Below 0 a true count cannot be: raising
the noisy one brings it nearer every time, and yet shifts its average, since only errors to one side are mended.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise

CountNoise: TypeAlias = LaplaceNoise | GeometricNoise


@dataclass(frozen=True, slots=True)
class CountError:
    """Exact averages of the error e = released − true at each true count."""

    mean: Array
    """E|e|."""
    square: Array
    """E e²."""
    bias: Array
    """E e."""


def count_error(noise: CountNoise, count: npt.ArrayLike, *, clamped: bool, rounded: bool = False) -> CountError:
    """The errors of max(0, ⌊count + X⌉) at whole counts ≥ 0, of any shape, clamped and rounded where that is asked.

    Laplace noise of scale b at a count x: bias (b/2) e^(−x/b), E|e| = b − bias, E e² = 2b² − b (x + b) e^(−x/b).
    Whole-numbered noise with Pr[X = ±j] = A q^j, j ≥ 1: with M = A Σ j q^j and S = A Σ j² q^j the bias is M q^x,
    E|e| = 2M − bias and E e² = 2S − (2x M + S) q^x. Geometric noise has q = e^(−ε/Δ), M = q/(1 − q²), S = q/(1 − q)²;
    rounded Laplace noise q = e^(−1/b), M = √q/(2 (1 − q)), S = √q (1 + q)/(2 (1 − q)²).
    """
    x = np.asarray(count, dtype=np.float64)
    if isinstance(noise, GeometricNoise):
        rate = noise.epsilon / noise.sensitivity
        q, rest = math.exp(-rate), -math.expm1(-rate)
        m, s = q / (rest * (1 + q)), q / (rest * rest)
    else:
        rate = 1 / noise.scale
        q, rest = math.exp(-rate), -math.expm1(-rate)
        m, s = math.exp(-rate / 2) / (2 * rest), math.exp(-rate / 2) * (1 + q) / (2 * rest * rest)
        if not rounded:
            m, s = noise.scale / 2, noise.scale * noise.scale
    left = np.exp(-x * rate)
    if not clamped:
        return CountError(np.full(x.shape, 2 * m), np.full(x.shape, 2 * s), np.zeros(x.shape))
    return CountError(np.asarray(2 * m - m * left), np.asarray(2 * s - (2 * x * m + s) * left), np.asarray(m * left))


def processed(noisy: npt.ArrayLike, *, clamped: bool, rounded: bool) -> Array:
    """Noisy counts, rounded to whole numbers and raised to 0 where that is asked."""
    released = np.asarray(noisy, dtype=np.float64)
    released = np.rint(released) if rounded else released
    return np.maximum(released, 0.0) if clamped else released
