"""Which of several numbers is the largest once each has noise of its own, and whether the largest k stay in front.

Equal noisy numbers, as whole ones may be, are put in an order by lot. That is as if uniform noise on (0, 1) were added
to each: between v and v + 1 the distribution function of whole noise is a straight line, and one integral serves for
all noises, ∫ f(v − nᵢ) Π_{j≠i} F(v − nⱼ) dv. `exponential` has it for Laplace and geometric noise, piece by piece
between the numbers, `bell` for Gaussian and discrete Gaussian noise, by the trapezoidal rule; `places` has what both
share.
"""

from __future__ import annotations

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.mechanisms.ranking import bell, exponential


def winning(noise: Noise, numbers: Array) -> Array:
    """The probability of each of a vector of numbers to be the largest with its noise, ties broken by lot.

    To 1e-12 relative, also where it is tiny; below 1e-300 it is lost among the smallest doubles.
    """
    values, place, times = np.unique(numbers, return_inverse=True, return_counts=True)
    if numbers.size == 1:
        return np.ones(1)
    with np.errstate(over="ignore", divide="ignore"):
        shares = _kind(noise).winning(values - values[-1], times.astype(np.float64))
    return np.asarray(np.minimum(shares, 1.0)[place.reshape(-1)])


def apart(noise: Noise, high: Array, low: Array) -> float:
    """The probability that all of `high`, with their noise, are above all of `low`, each of which is less than they."""
    if not low.size or not high.size:
        return 1.0
    middle = float(high.min())
    (above, above_times), (below, below_times) = (np.unique(each - middle, return_counts=True) for each in (high, low))
    with np.errstate(over="ignore", divide="ignore"):
        found = _kind(noise).apart(above, above_times.astype(np.float64), below, below_times.astype(np.float64))
    return min(found, 1.0)


def _kind(noise: Noise) -> exponential.ExponentialRanking | bell.Bell:
    match noise:
        case LaplaceNoise():
            return exponential.ExponentialRanking(1 / noise.scale, False)
        case GeometricNoise():
            return exponential.ExponentialRanking(noise.epsilon / noise.sensitivity, True)
        case GaussianNoise() | DiscreteGaussianNoise():
            return bell.Bell(noise)
    raise InvalidParameter("noise", "Laplace, geometric, Gaussian or discrete Gaussian", noise)

