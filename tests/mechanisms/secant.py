"""A noise as a newcomer writes it: what the base asks for, and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.core.declare import parameter
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.noise import Noise
from dpstudio.vocabulary import SCALE


@dataclass(frozen=True)
class SecantNoise(Noise):
    """Density 1/(2b cosh(πx/2b)), standard deviation b: round at its middle, and it falls like Laplace noise."""

    name = "secant"
    source = DMNS06

    scale: float = parameter(SCALE)

    @classmethod
    def for_guarantee(cls, epsilon, delta, sensitivity):
        return cls(math.pi / 2 * sensitivity / epsilon)

    def _density(self, x):
        z = np.abs(x / self.scale) * (math.pi / 2)
        return np.exp(-z) / (1 + np.exp(-2 * z)) / self.scale

    def _cdf(self, x):
        tail = np.arctan(np.exp(-np.abs(x / self.scale) * (math.pi / 2))) * (2 / math.pi)
        return np.where(x < 0, tail, 1 - tail)

    def _quantile(self, p):
        with np.errstate(divide="ignore"):
            x = np.log(np.tan(math.pi / 2 * np.minimum(p, 1 - p))) * (2 / math.pi * self.scale)
        return np.where(p < 0.5, x, 0.0 - x)

    def sample(self, size, rng):
        return self._quantile(rng.random(size))
