"""Decisions that are a count with noise compared with a threshold: they tell what its tails tell."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms.decision.base import Decision
from dpstudio.mechanisms.noise import Noise

_BOUND = 700.0
"""Exponents are bounded by this where the sign alone of what they multiply still matters."""

_FAR = 1e150
"""In scales of the noise: so far from 0 squares are doubles still, and nothing is left of a tail."""


@dataclass(frozen=True)
class NoisyDecision(Decision):
    """Accept where X ≥ −z(n), with noise X of scale 1 and z rising by `_rate` with each record.

    “Yes” is “at least −z” of the noise, which one record moves by the rate, and “no” at z is “yes” at −z: their
    logarithms and losses are those of the tails of noise.
    """

    noise: ClassVar[Noise]
    """That of scale 1."""

    @abstractmethod
    def _position(self, n: Array, step: int = 0) -> Array:
        """z(n + step), a new array."""

    def _told_beyond(self, x: Array) -> tuple[Array, Array]:
        """Pr[X ≥ x − r] and the loss of “at least x”, where one record moves the noise by r."""
        x = np.clip(x, -_FAR, _FAR)
        return self.noise._cdf(self._rate - x), self.noise._tail_loss(x, self._rate)

    def _log(self, n: Array, accept: bool) -> Array:
        z = self._position(n)
        return self.noise._log_tail(-z if accept else z)

    def _loss(self, n: Array, accept: bool) -> Array:
        x = -self._position(n) if accept else self._position(n, 1)
        return self.noise._tail_loss(np.clip(x, -_FAR, _FAR), self._rate)


def needed(chance: Array, loss: Array, epsilon: Array) -> Array:
    """P (1 − e^(ε − ℓ)), the δ that an outcome of probability P and loss ℓ needs; 0 or less where it needs none."""
    return np.asarray(0.0 - chance * np.expm1(np.minimum(epsilon - loss, _BOUND)))
