"""What becomes of the error of a noisy count where it is rounded, and raised to 0 if it is negative.

Both look only at the noisy count, so they cost no privacy (post-processing). Below 0 a true count cannot be: raising
the noisy one brings it nearer every time, and yet shifts its average, since only errors to one side are mended.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.mechanisms.noise import Noise
from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class CountError:
    """Exact averages of the error e = released − true at each true count."""

    mean: Array
    """E|e|."""
    square: Array
    """E e²."""
    bias: Array
    """E e."""


def count_error(noise: Noise, count: npt.ArrayLike, *, clamped: bool, rounded: bool = False) -> CountError:
    """The errors of max(0, ⌊count + X⌉) at whole counts ≥ 0, of any shape, clamped and rounded where that is asked.

    With A₁ = E (X − x)⁺ and A₂ = E ((X − x)⁺)² of the symmetric noise X, the bias is A₁, E|e| = E|X| − A₁ and
    E e² = E X² − 2x A₁ − A₂.
    """
    x = np.asarray(count, dtype=np.float64)
    mean, square = (2 * float(moment) for moment in noise.excess(np.zeros(()), rounded))
    if not clamped:
        return CountError(np.full(x.shape, mean), np.full(x.shape, square), np.zeros(x.shape))
    first, second = noise.excess(x, rounded)
    return CountError(np.asarray(mean - first), np.asarray(square - (2 * x * first + second)), first)


def processed(noisy: npt.ArrayLike, *, clamped: bool, rounded: bool) -> Array:
    """Noisy counts, rounded to whole numbers and raised to 0 where that is asked."""
    released = np.asarray(noisy, dtype=np.float64)
    released = np.rint(released) if rounded else released
    return np.maximum(released, 0.0) if clamped else released
