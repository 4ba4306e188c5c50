"""What a computer makes of Laplace noise on a count, to be audited: snapped answers, and doubles with telling bits; and
watches: whether “yes” is said just when a record comes."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.sampling import binomial_interval, generator
from dpstudio.mechanisms.noise import SnappedLaplace
from dpstudio.mechanisms.noise.doubles import laplace_in_doubles, reachable
from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models.auditing.subject import MOST, Subject, Tail, YesNo, log_of
from dpstudio.records import dataclass

LAW_DRAWS = 2**15
"""So many releases say how often low bits prove something: a standard error of 0.28 % at most."""
_ALIKE = 1e-13
_LIKELY = 15.0
"""So many scales beside both counts lie the outcomes that are told apart."""
_FAR = 50.0
"""So many scales beside them no likelihood ratio changes any more."""


@dataclass(frozen=True)
class SnappedCount(Subject):
    """A count of n or n + 1 through snapping."""

    mechanism: SnappedLaplace
    records: int

    @property
    def lattice(self) -> float:
        return self.mechanism.grid

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        return self.mechanism.sample(self.records + neighbour, size, rng)

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        of = self.mechanism.tail if upper else self.mechanism.below
        return np.asarray(of(x, self.records + neighbour))

    def tail(self, x: Array, *, upper: bool) -> Tail:
        one = self.mechanism
        logs = [np.asarray((one.log_tail if upper else one.log_below)(x, self.records + i)) for i in (0, 1)]
        log, other = logs[upper], logs[not upper]
        far = one.edge(x) > self.records + 1 if upper else one.edge(x) < self.records
        with np.errstate(invalid="ignore"):  # 1/b beyond both counts, and 0 where neither can be
            return Tail(log, np.where(np.isneginf(log), 0.0, np.where(far, 1 / one.scale, log - other)))

    def crossing(self, loss: float) -> float:
        outcome = self._outcomes(_FAR)
        fewer, more = (np.asarray(self.mechanism.probability(outcome, self.records + i)) for i in (0, 1))
        over = np.flatnonzero(np.log(more / fewer) > loss + _ALIKE)
        # Where none is, or all are, the rarest outcome tells the most: the clamp.
        bound = self.mechanism.bound
        return bound if not over.size else self.lattice - bound if over[0] == 0 else float(outcome[over[0]])

    def cuts(self) -> Array:
        outcome = self._outcomes(_LIKELY)
        return outcome[1:: math.ceil(len(outcome) / MOST)]

    def _outcomes(self, scales: float) -> Array:
        """The multiples of the step so many scales beside both counts."""
        one = self.mechanism
        reach = min(scales * one.scale, one.bound)
        low, high = (self.records - reach) / one.grid, (self.records + 1 + reach) / one.grid
        return np.asarray(np.arange(math.floor(low), math.ceil(high) + 1.0) * one.grid)


@dataclass(frozen=True)
class LowBits(YesNo):
    """Whether a count with textbook Laplace noise in doubles is one that n + 1 records can release and n cannot.

    No formula says how often; its law is the share of `LAW_DRAWS` releases of their own seed, with half a one more: it
    is never 0, for the farthest release from n + 1 lies beyond the farthest from n. That n never give a yes is exact.
    """

    scale: float
    records: int

    def interval(self, probability: float) -> tuple[float, float] | None:
        """The Clopper–Pearson interval of the draws, at 95 %; what is impossible or certain is exactly so."""
        if probability in (0.0, 1.0):
            return None
        low, high = binomial_interval(probability * (LAW_DRAWS + 1) - 0.5, LAW_DRAWS)
        return float(low), float(high)

    def chances(self, neighbour: int) -> tuple[float, float]:
        yes = share(float(self.records), self.scale) if neighbour else 0.0
        return 1 - yes, yes

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        no, yes = self.chances(1)
        return (math.log(yes), math.inf), (0.0, -math.log(no))

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        released = laplace_in_doubles(float(self.records + neighbour), self.scale, size, rng)
        return ~reachable(released, float(self.records), self.scale)


@lru_cache(maxsize=4096)
def share(records: float, scale: float) -> float:
    """Of the releases from one record more, those that cannot come from these."""
    released = laplace_in_doubles(records + 1, scale, LAW_DRAWS, generator(0))
    return float((np.count_nonzero(~reachable(released, records, scale)) + 0.5) / (LAW_DRAWS + 1))


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
