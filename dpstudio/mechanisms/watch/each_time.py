"""Asking each time: a decision of its own for every count."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.watch.base import FirstYes, Watch, asked_in_turn
from dpstudio.mechanisms.watch.law import AsymmetricLaplace


@dataclass(frozen=True)
class EachTime(Watch):
    """A decision of its own at each time, with Laplace noise drawn anew and ε for every one of them.

    What k of them keep follows by composition, as if all k were made. That none is made after the first “yes” saves
    nothing: of a count that lies high above the threshold from the first time on, k times “no” is e^(kε) times as
    likely as with a record more. [Dwork, McSherry, Nissim & Smith 2006.]
    """

    name = "asking each time"
    source = DMNS06

    @property
    def decision(self) -> LaplaceDecision:
        """The decision of each time."""
        return LaplaceDecision(self.epsilon, self.threshold)

    def given_away(self, times: int, *, stays: bool) -> AsymmetricLaplace:  # noqa: ARG002 - both show as much
        """Of a record that raises counts, at so many times: kε of as many “no”, ε of the one “yes”."""
        return AsymmetricLaplace(times * self.epsilon, self.epsilon)

    def attained(self, times: int, *, stays: bool) -> bool:  # noqa: ARG002
        """Always: “no” to counts far above the threshold."""
        return True

    def _law(self, counts: Array) -> FirstYes:
        log_no = np.cumsum(self.decision.log_reject(counts))
        before = np.append(0.0, log_no)
        return FirstYes(before[:-1] + self.decision.log_accept(counts), float(before[-1]))

    def _waiting(self, counts: Array) -> Array:
        found: Array = np.exp(np.cumsum(self.decision.log_reject(counts)))
        return found

    @property
    def _slowest(self) -> float:
        return self.epsilon

    def _ever(self, counts: Array, agree: float = 1e-10) -> float:  # noqa: ARG002 - a product
        return -math.expm1(float(np.sum(self.decision.log_reject(counts))))

    def _still(self, counts: Array, weights: Array) -> float:
        return float(self._waiting(counts) @ weights)

    def traded(self, counts: Array, before: int, thresholds: Array) -> tuple[Array, Array]:
        log_no = np.cumsum([LaplaceDecision(self.epsilon, float(k)).log_reject(counts) for k in thresholds], axis=1)
        alarm = -np.expm1(log_no[:, before - 1]) if before else np.zeros(thresholds.size)
        return alarm, np.asarray(np.exp(log_no[:, before:]).sum(axis=1))

    def gaps(self, counts: Array, rng: np.random.Generator) -> Array:
        return np.asarray(counts + rng.laplace(0.0, 1 / self.epsilon, counts.size) - self.threshold)

    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        decision = self.decision
        return asked_in_turn(counts, size, lambda count, waiting: decision.sample(count, waiting.size, rng))
