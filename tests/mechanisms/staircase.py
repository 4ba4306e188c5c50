"""A noise as a newcomer writes it: what the base asks for, and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpstudio.core.declare import parameter
from dpstudio.core.sources import GV14
from dpstudio.mechanisms.noise import Noise
from dpstudio.vocabulary import EPSILON, SENSITIVITY


@dataclass(frozen=True)
class StaircaseNoise(Noise):
    """The staircase of Geng and Viswanath: steps of width γΔ and (1 − γ)Δ, each pair e^−ε times as high as the last."""

    name = "staircase"
    source = GV14

    epsilon: float = parameter(EPSILON)
    sensitivity: float = parameter(SENSITIVITY, 1.0)

    @classmethod
    def for_guarantee(cls, epsilon, delta, sensitivity):
        return cls(epsilon, sensitivity)

    @property
    def promise(self):
        return f"A record that moves the answer by {self.sensitivity} is hidden with ε = {self.epsilon}."

    @property
    def _step(self):
        """γ, the fall e^−ε, and the height of the first step."""
        gamma, fall = 1 / (1 + math.exp(self.epsilon / 2)), math.exp(-self.epsilon)
        return gamma, fall, -math.expm1(-self.epsilon) / 2 / (gamma + fall * (1 - gamma))

    def _density(self, x):
        gamma, fall, height = self._step
        x = np.abs(x) / self.sensitivity
        whole = np.floor(x)
        return height / self.sensitivity * fall ** (whole + (x - whole >= gamma))

    def _cdf(self, x):
        gamma, fall, height = self._step
        x = x / self.sensitivity
        whole = np.floor(np.abs(x))
        part = np.abs(x) - whole
        rest = np.where(part < gamma, gamma - part + fall * (1 - gamma), fall * (1 - part))
        tail = fall**whole * (fall / 2 + height * rest)
        return np.where(x < 0, tail, 1 - tail)

    def _quantile(self, p):
        gamma, fall, height = self._step
        tail = np.minimum(p, 1 - p)
        with np.errstate(divide="ignore", invalid="ignore"):
            whole = np.floor(-np.log(2 * tail) / self.epsilon)
            rest = tail / fall**whole - fall / 2
            edge = height * fall * (1 - gamma)
            part = np.where(rest <= edge, 1 - rest / (height * fall), gamma - (rest - edge) / height)
            x = np.where(tail > 0, whole + part, np.inf)
        return np.where(p < 0.5, -x, x) * self.sensitivity

    def sample(self, size, rng):
        gamma, fall, _ = self._step
        whole = np.floor(rng.exponential(1 / self.epsilon, size))
        high = rng.random(size) < gamma / (gamma + fall * (1 - gamma))
        part = np.where(high, gamma * rng.random(size), gamma + (1 - gamma) * rng.random(size))
        return np.where(rng.random(size) < 0.5, -1.0, 1.0) * (whole + part) * self.sensitivity
