"""The order in which noise leaves the cells of a table: of two of them, of the largest, of the largest k."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, counts
from dpstudio.mechanisms import ranking
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.vocabulary import ERROR_BEYOND, SENSITIVITY, integers, variant


def order(noise: Noise, gap: npt.ArrayLike) -> tuple[float | Array, float | Array, float | Array]:
    """The probabilities that of two noisy cells the larger is told rightly, that they are equal, that it is wrong.

    `gap` is the true difference d ≥ 0, whole where the noise is, of any shape. Wrong is, with z = d/b, (2 + z) e^−z/4
    of Laplace noise, Φ(−d/(σ√2)) of Gaussian noise, and of geometric noise a^(d+1)/(1 + a)² ((d + 1)(1 − a) + (1 + a +
    2a²)/(1 + a)), equal tanh²(ε/2) a^d (d + (1 + a²)/(1 − a²)); of discrete Gaussian noise sums, for the difference of
    two is none.
    """
    d = counts(gap, "gap") if noise.is_whole else numbers_in(gap, ERROR_BEYOND, "gap")
    tie = np.zeros(d.shape)
    match noise:
        case LaplaceNoise():
            with np.errstate(over="ignore"):
                z = np.minimum(d / noise.scale, 1e300)
            wrong = (2 + z) * np.exp(-z) / 4
        case GaussianNoise():
            with np.errstate(over="ignore"):
                wrong = np.asarray(ndtr(-d / noise.sigma * math.sqrt(0.5)))
        case GeometricNoise():
            rate = noise.epsilon / noise.sensitivity
            a, rest = math.exp(-rate), -math.expm1(-rate)
            left = np.exp(-rate * d)
            tie = math.tanh(rate / 2) ** 2 * left * (d + (1 + a * a) / -math.expm1(-2 * rate))
            wrong = left * a / (1 + a) ** 2 * ((d + 1) * rest + (1 + a + 2 * a * a) / (1 + a))
        case DiscreteGaussianNoise():
            tie, wrong = _of_bells(noise, d)
        case _:
            raise InvalidParameter("noise", "Laplace, geometric, Gaussian or discrete Gaussian", noise)
    return shaped(np.asarray(1 - tie - wrong)), shaped(tie), shaped(np.asarray(wrong))


def _of_bells(noise: DiscreteGaussianNoise, gap: Array) -> tuple[Array, Array]:
    """Σ p(x) p(x + d) and Σ p(x) Pr[X > x + d], at steps of σ/16 where σ is large, about x = −d/2."""
    step = max(math.floor(noise.sigma / 16), 1)
    x = np.floor(-gap.reshape(-1, 1) / 2) + step * np.arange(-math.ceil(10 * noise.sigma / step) - 2.0,
                                                             math.ceil(10 * noise.sigma / step) + 3)
    mass, moved = np.asarray(noise.density(x)), x + gap.reshape(-1, 1)
    tie = step * (mass * np.asarray(noise.density(moved))).sum(axis=1)
    wrong = step * (mass * np.asarray(noise.tail(moved + 1))).sum(axis=1)
    return tie.reshape(gap.shape), wrong.reshape(gap.shape)


def wins(noise: Noise, counts: npt.ArrayLike) -> Array:
    """The probability of each cell to have the largest noisy count, ties broken by lot, to 1e-12 relative.

    In the order of the counts, whole numbers.
    """
    return ranking.winning(noise, _cells(counts))


def top_right(noise: Noise, counts: npt.ArrayLike, k: int) -> float:
    """The probability that the k largest cells are all above all the others with their noise, strictly.

    The k-th largest count must be larger than the next.
    """
    given = np.sort(_cells(counts))[::-1]
    first = int(parameter_value(variant(SENSITIVITY, key="k", domain=integers(1, given.size)), k, "k"))
    if first < given.size and given[first - 1] == given[first]:
        raise InvalidParameter("k", "such that the k-th largest count is larger than the next", k)
    return ranking.apart(noise, given[:first], given[first:])


def _cells(given: npt.ArrayLike) -> Array:
    cells = counts(given, "counts")
    if cells.ndim != 1 or not cells.size:
        raise InvalidParameter("counts", "a list of counts", given)
    return cells
