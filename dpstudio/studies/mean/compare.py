"""The mechanisms that the study compares, and their errors for any n and ε."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, Noise, analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.mean.figures import GAUSSIAN, GEOMETRIC, LAPLACE, RESPONSE

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study


Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Compared:
    """Randomized response by everybody, and three noises for the curator’s count."""

    response: RandomizedResponse
    noises: dict[Series, Noise]


def compared(study: Study) -> Compared:
    epsilon = study.epsilon
    return Compared(RandomizedResponse.symmetric(epsilon), {
        LAPLACE: LaplaceNoise.calibrate(epsilon, 1.0),
        GEOMETRIC: GeometricNoise(epsilon),
        GAUSSIAN: GaussianNoise.analytic(epsilon, study.delta, 1.0),
    })


def errors(study: Study, people: npt.ArrayLike, epsilon: npt.ArrayLike, *, population: bool) -> dict[Series, Array]:
    """The sd of every estimate about the fraction of its group, or of the population, at each n and ε.

    Randomized response: √(e^−ε/n)/(1 − e^−ε) about the group; noise of the sd s on the count: s/n. About the population
    both variances grow by the sample’s own, π(1 − π)/n.
    """
    n, e = np.asarray(people, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
    sample = study.fraction * (1 - study.fraction) / n if population else 0.0
    counts = {LAPLACE: math.sqrt(2) / e, GEOMETRIC: math.sqrt(2) * np.exp(-e / 2) / -np.expm1(-e),
              GAUSSIAN: np.asarray(analytic_sigma(e, study.delta))}
    own = {RESPONSE: np.exp(-e / 2) / -np.expm1(-e) / np.sqrt(n)} | {key: sd / n for key, sd in counts.items()}
    return {series: np.hypot(sd, np.sqrt(sample)) for series, sd in own.items()}


def spread_of_squares(study: Study, people: npt.ArrayLike, *, population: bool) -> dict[Series, Array]:
    """The standard deviation of one squared error about the group, or the population, at each n: √(κ₄ + 2 sd⁴).

    The fourth cumulants κ₄ of independent parts add up: of a binomial of n and p it is n p(1 − p)(1 − 6p(1 − p)), of
    Laplace noise 12 b⁴, of geometric noise 2a (1 + 4a + a²)/(1 − a)⁴ with a = e^−ε, of Gaussian noise 0.
    """
    n = np.asarray(people, dtype=np.float64)
    response, epsilon, fraction = RandomizedResponse.symmetric(study.epsilon), study.epsilon, study.fraction

    def binomial(p: float, q: float) -> float:
        return p * q * (1 - 6 * p * q)

    yes = (float(response.answer_probability(fraction)), float(response.answer_probability(1 - fraction)))
    own = binomial(*yes) if population else binomial(response.yes_if_yes, response.no_if_yes)
    sample = binomial(fraction, 1 - fraction) if population else 0.0
    a = math.exp(-epsilon)
    counts = {LAPLACE: 12 / epsilon**4, GEOMETRIC: 2 * a * (1 + 4 * a + a * a) / math.expm1(-epsilon) ** 4,
              GAUSSIAN: 0.0}
    cumulants = {RESPONSE: own / response.difference**4 / n**3} | {
        series: count / n**4 + sample / n**3 for series, count in counts.items()}
    sds = errors(study, n, epsilon, population=population)
    return {series: np.sqrt(np.maximum(fourth + 2 * sds[series] ** 4, 0.0)) for series, fourth in cumulants.items()}


def half_width(spread: Array, square: Array, done: int) -> Array:
    """Half of the 95 % interval of a mean of so many squared errors, of a law of that spread and that mean.

    Z s/√N is the normal limit. (s + s²/2m)/N holds it at few draws, too: half a step of a law of two values, and half
    of what one rare and large error weighs.
    """
    return np.asarray(Z * spread / math.sqrt(done) + (spread + spread * spread / square / 2) / done)


def noted(people: npt.ArrayLike, epsilon: npt.ArrayLike) -> dict[Series, Array]:
    """The lecture notes’ 1/(ε√n) and 1/(εn)."""
    n, e = np.asarray(people, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
    return {RESPONSE: 1 / (e * np.sqrt(n)), LAPLACE: 1 / (e * n)}


def break_even(epsilon: float) -> float:
    """8 sinh²(ε/2)/ε², the n below which randomized response has the smaller variance about its group."""
    return 2 * (2 * math.sinh(epsilon / 2) / epsilon) ** 2
