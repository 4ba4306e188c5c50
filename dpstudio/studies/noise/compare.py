"""The query and the noises that the study compares, built from its parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy.typing as npt
from scipy.special import ndtri

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.noise import Noise as Mechanism
from dpstudio.studies.kit.attack import MOST
from dpstudio.studies.noise.figures import CLASSICAL, GAUSSIAN, GEOMETRIC, LAPLACE, PRINTED

if TYPE_CHECKING:
    from dpstudio.studies.noise import Noise as Study

_ROUNDING = 1e-12
"""√3 as a double, squared, is a little less than 3: whole sensitivities forgive as much."""


@dataclass(frozen=True, slots=True)
class Query:
    """How far one record moves the answer: in ℓ₁, in ℓ₂, and in ℓ₁ where the answer is made of whole numbers."""

    l1: float
    l2: float
    whole: int
    """0 where whole numbers cannot move at all."""

    @property
    def whole_step(self) -> int:
        """How far one whole coordinate moves at most."""
        return math.floor(self.l2 * (1 + _ROUNDING))


def query(study: Study) -> Query:
    """The sensitivities that both declared ones allow.

    No distance is longer in ℓ₂ than in ℓ₁, none more than √d times as long in ℓ₁ as in ℓ₂. Whole coordinates have
    v² ≥ |v|, so ℓ₁ is at most ℓ₂² for them.
    """
    l2 = min(study.sensitivity_l2, study.sensitivity)
    widest = l2 if study.dimension == 1 else math.nextafter(math.sqrt(study.dimension) * l2, math.inf)
    l1 = min(study.sensitivity, widest)
    whole = math.floor(min(l1, l2 * l2) * (1 + _ROUNDING)) if l2 * (1 + _ROUNDING) >= 1 else 0
    return Query(l1, l2, whole)


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the noises, with the sensitivity that it hides."""

    noise: Mechanism
    sensitivity: float
    """In its own norm: ℓ₂ for Gaussian noise, else ℓ₁. Moved into one coordinate, it is the worst of all moves."""
    step: float
    """How far one coordinate moves at most; less than the sensitivity, if ℓ₂ forbids the worst move."""

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε, for the worst move."""
        return self.noise.delta_at(epsilon, self.sensitivity)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error, for the worst move."""
        return self.noise.trade_off(alpha, self.sensitivity)

    @property
    def tight(self) -> bool:
        """Whether the worst move can happen, so that what is said of it is exact and no bound."""
        return self.step == self.sensitivity

    @property
    def common_loss(self) -> float:
        """The privacy loss that 95 % of all answers stay within, where the record is there."""
        if isinstance(self.noise, GaussianNoise):
            mu = self.sensitivity / self.noise.sigma
            return mu * mu / 2 + mu * float(ndtri(MOST))
        return self.largest_loss  # Laplace and geometric noise reach theirs with half of all answers

    @property
    def largest_loss(self) -> float:
        if isinstance(self.noise, GaussianNoise):
            return math.inf
        if isinstance(self.noise, GeometricNoise):
            return self.noise.epsilon
        assert isinstance(self.noise, LaplaceNoise)
        return self.sensitivity / self.noise.scale


def compared(study: Study, asked: Query) -> dict[Series, Compared]:
    """The noises by series, in the order of every table.

    Whole-numbered noise needs an answer that moves by whole numbers, Gaussian noise needs δ > 0.
    """
    epsilon, delta = study.epsilon, study.delta
    noises = {LAPLACE: Compared(LaplaceNoise.calibrate(epsilon, asked.l1), asked.l1, asked.l2)}
    if asked.whole:
        noises[GEOMETRIC] = Compared(GeometricNoise(epsilon, asked.whole), asked.whole, asked.whole_step)
    if delta > 0:
        for series, made in ((GAUSSIAN, GaussianNoise.analytic), (CLASSICAL, GaussianNoise.classical),
                             (PRINTED, GaussianNoise.without_root)):
            noises[series] = Compared(made(epsilon, delta, asked.l2), asked.l2, asked.l2)
    return noises
