"""Decisions that are a count with noise compared with a threshold: they tell what its tails tell."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from dpstudio.core.declare import Array
from dpstudio.mechanisms.decision.base import Decision
from dpstudio.mechanisms.noise import Noise


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

    def _log(self, n: Array, accept: bool) -> Array:
        z = self._position(n)
        return self.noise._log_tail(-z if accept else z)

    def _loss(self, n: Array, accept: bool) -> Array:
        return self.noise._tail_loss(-self._position(n) if accept else self._position(n, 1), self._rate)
