"""Two mechanisms as a newcomer writes them: what the bases ask for, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import expit
from secant import SecantNoise

from dpstudio.core.declare import parameter
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.decision import EpsilonDecision
from dpstudio.vocabulary import THRESHOLD

__all__ = ["LogisticDecision", "SecantNoise"]


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
