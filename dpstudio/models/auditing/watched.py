"""Watches, to be audited: whether “yes” is said just when a record comes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models.auditing.subject import YesNo, log_of


@dataclass(frozen=True)
class SaidNow(YesNo):
    """Whether a watch says “yes” at the second of two times; the record is counted at that one: n, then n or n + 1."""

    watch: AboveThreshold
    records: int

    def chances(self, neighbour: int) -> tuple[float, float]:
        counts = [self.records, self.records + neighbour]
        before, now = self.watch.first_yes(counts)
        return min(float(before) + self.watch.never(counts), 1.0), float(now)  # two integrals may pass 1 by a digit

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        n = self.records
        more, fewer = (float(self.watch.log_first_yes([n, n + neighbour])[1]) for neighbour in (1, 0))
        (other_fewer, _), (other_more, now) = self.chances(0), self.chances(1)
        # One is less by what the other is more.
        risen = now * -math.expm1(fewer - more)
        return (more, more - fewer), (log_of(other_fewer), math.log1p(risen / other_more))

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        return np.asarray(self.watch.sample([self.records, self.records + neighbour], size, rng) == 1)


@dataclass(frozen=True)
class SaidBare(SaidNow):
    """The same of one whose counts have no noise: with n and n again, “yes” never comes at the second time."""

    @property
    def _log_now(self) -> float:
        """ln Pr[n < k + Z ≤ n + 1], for Laplace noise Z and a whole threshold k."""
        rate, away = self.watch.threshold_rate, self.records - self.watch.threshold
        nearest = away if away >= 0 else -1 - away
        return -rate * nearest + math.log(-math.expm1(-rate)) - math.log(2)

    def chances(self, neighbour: int) -> tuple[float, float]:
        now = math.exp(self._log_now) if neighbour else 0.0
        return 1 - now, now

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (self._log_now, math.inf), (0.0, -math.log1p(-math.exp(self._log_now)))

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        level = self.watch.threshold + rng.laplace(0.0, 1 / self.watch.threshold_rate, size)
        return np.asarray((self.records < level) & (level <= self.records + neighbour))
