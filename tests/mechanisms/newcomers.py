"""Two mechanisms as a newcomer writes them: what the bases ask for, and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dpstudio.core.declare import parameter
from dpstudio.core.sources import DMNS06, GV14
from dpstudio.mechanisms.decision import EpsilonDecision
from dpstudio.mechanisms.noise import Noise
from dpstudio.vocabulary import EPSILON, THRESHOLD


@dataclass(frozen=True)
class LogisticDecision(EpsilonDecision):
    """Accept when N + logistic noise of scale 1/ε reaches k."""

    name = "logistic"
    source = DMNS06

    threshold: float = parameter(THRESHOLD)

    def _accept(self, n):
        return expit(self.epsilon * (n - self.threshold))

    def _reject(self, n):
        return expit(-self.epsilon * (n - self.threshold))


@dataclass(frozen=True)
class StaircaseNoise(Noise):
    """The staircase of Geng and Viswanath at sensitivity 1: steps of width γ and 1 − γ, each e^−ε times the last."""

    name = "staircase"
    source = GV14

    epsilon: float = parameter(EPSILON)

    @property
    def promise(self):
        return f"A record that moves the answer by 1 is hidden with ε = {self.epsilon}."

    @property
    def _step(self):
        """γ, the fall e^−ε, and the height of the first step."""
        gamma, fall = 1 / (1 + math.exp(self.epsilon / 2)), math.exp(-self.epsilon)
        return gamma, fall, -math.expm1(-self.epsilon) / 2 / (gamma + fall * (1 - gamma))

    def _density(self, x):
        gamma, fall, height = self._step
        whole = np.floor(np.abs(x))
        return height * fall ** (whole + (np.abs(x) - whole >= gamma))

    def _cdf(self, x):
        gamma, fall, height = self._step
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
        return np.where(p < 0.5, -x, x)

    def sample(self, size, rng):
        gamma, fall, _ = self._step
        whole = np.floor(rng.exponential(1 / self.epsilon, size))
        high = rng.random(size) < gamma / (gamma + fall * (1 - gamma))
        part = np.where(high, gamma * rng.random(size), gamma + (1 - gamma) * rng.random(size))
        return np.where(rng.random(size) < 0.5, -1.0, 1.0) * (whole + part)
