"""Counts and answers of people, to be audited: several rows each, a sample of them, and shuffled responses."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betainc, betaincc

from dpstudio.core.declare import Array
from dpstudio.core.special import log_binomial
from dpstudio.mechanisms.noise import LaplaceNoise
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.models.auditing.subject import MOST, NoisyCount, Subject, Tail
from dpstudio.models.contributions import Spread
from dpstudio.records import dataclass


@dataclass(frozen=True)
class KeptRows(Subject):
    """The rows of n persons and of n + 1 with Laplace noise, at most b of each person’s kept.

    Measured in the rows that a person adds, it is a noisy count of persons.
    """

    noise: LaplaceNoise
    persons: int
    rows: int
    """Of each person."""
    at_most: int
    claimed: LaplaceNoise

    @property
    def kept(self) -> int:
        """Rows by which one person moves the count."""
        return min(self.rows, self.at_most)

    @property
    def _in_persons(self) -> NoisyCount:
        noise, claimed = (LaplaceNoise(one.scale / self.kept) for one in (self.noise, self.claimed))
        return NoisyCount(noise, self.persons, claimed)

    @property
    def lattice(self) -> float:
        return 0.0

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        count = Spread({self.rows: self.persons + neighbour}).kept(self.at_most)
        return np.asarray(count + np.asarray(self.noise.sample(size, rng)))

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        return self._in_persons.chance(x / self.kept, neighbour, upper=upper)

    def tail(self, x: Array, *, upper: bool) -> Tail:
        return self._in_persons.tail(x / self.kept, upper=upper)

    def crossing(self, loss: float) -> float:
        return self.kept * self._in_persons.crossing(loss)

    def cuts(self) -> Array:
        return self.kept * self._in_persons.cuts()


@dataclass(frozen=True)
class SampledCount(NoisyCount):
    """n + X and n + B + X: the last record is drawn into the count with probability `rate`, B = 1 where it was.

    The attacker knows who of the others was drawn, and counts those alone; so much is allowed to whom the claim binds.
    """

    rate: float = 1.0

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        alone = super().sample(0, size, rng)
        return alone + (rng.random(size) < self.rate) if neighbour else alone

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        alone = super().chance(x, 0, upper=upper)
        return (1 - self.rate) * alone + self.rate * super().chance(x, 1, upper=upper) if neighbour else alone

    def tail(self, x: Array, *, upper: bool) -> Tail:
        whole = super().tail(x, upper=upper)
        if not upper:
            return Tail(whole.log, -_log_mixed(self.rate, -whole.loss))
        # P/Q is 1 − q + q e^ℓ; ln Q is what the event has without the record.
        loss = _log_mixed(self.rate, whole.loss)
        return Tail(whole.log - whole.loss + loss, loss)

    def crossing(self, loss: float) -> float:
        if math.isinf(loss):
            return loss
        odds = math.expm1(loss) / self.rate
        return super().crossing(math.log1p(odds)) if odds > -1 else -math.inf


def _log_mixed(rate: float, loss: Array) -> Array:
    """ln(1 − q + q e^ℓ)."""
    return np.asarray(np.where(loss < 1, np.log1p(rate * np.expm1(np.minimum(loss, 1))),
                               np.logaddexp(math.log1p(-rate), math.log(rate) + loss)))


@dataclass(frozen=True)
class ShuffledCount(Subject):
    """How many of n + 1 people say “yes”, n of whom are one and the last is (neighbour 1) or not.

    With w the law of the number of the n others who say it, an outcome k has q w(k) + p w(k − 1) where the last is a
    yes and p w(k) + q w(k − 1) where not, and w(k − 1)/w(k) = k/(n + 1 − k) e^−ε₀ only rises.
    """

    mechanism: ShuffledResponse
    claimed: float
    """The ε that is claimed: around where outcomes pass it they are told apart."""

    @property
    def lattice(self) -> float:
        return 1.0

    @property
    def _others(self) -> float:
        return float(self.mechanism.people - 1)

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        return np.asarray(self.mechanism.sample(self._others + neighbour, size, rng), dtype=np.float64)

    def _parts(self, x: Array) -> tuple[Array, Array, Array]:
        """Of the others: Pr[at least x say yes], of one less exactly, and of fewer than that."""
        n, response, k = self._others, self.mechanism.response, np.ceil(x)
        truth, lie = response.yes_if_yes, response.yes_if_no
        inside, some = (k >= 1) & (k <= n + 1), np.clip(k, 1.0, max(n, 1.0))
        one_less = np.clip(k - 1, 0.0, n)
        mass = np.where(inside, np.exp(log_binomial(one_less.ravel(), n, truth, lie)).reshape(k.shape), 0.0) \
            if n else np.where(inside, 1.0, 0.0)
        most = np.where(k <= 0, 1.0, np.where(k <= n, betaincc(n - some + 1, some, lie), 0.0))
        several = np.clip(k, 2.0, n + 1) - 1
        fewest = np.where(k > n + 1, 1.0, np.where(k >= 2, betainc(n - several + 1, several, lie), 0.0))
        return most, mass, fewest

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        most, mass, fewest = self._parts(x)
        one = self.mechanism.response
        yes, no = (one.yes_if_yes, one.no_if_yes) if neighbour else (one.yes_if_no, one.no_if_no)
        return np.asarray(most + yes * mass if upper else fewest + no * mass)

    def tail(self, x: Array, *, upper: bool) -> Tail:
        most, mass, fewest = self._parts(x)
        sure, response = most if upper else fewest, self.mechanism.response
        other = sure + response.yes_if_no * mass
        with np.errstate(divide="ignore"):
            return Tail(np.log(sure + response.yes_if_yes * mass), np.log1p(np.divide(
                response.difference * mass, other, out=np.zeros(mass.shape), where=other > 0)))

    def crossing(self, loss: float) -> float:
        local = self.mechanism.local
        if abs(loss) >= local:
            return math.copysign(math.inf, loss)
        # Where w(k − 1)/w(k) is (e^loss p − q)/(p − e^loss q), with both sides times e^ε₀.
        ratio = math.expm1(loss + local) / -math.expm1(loss - local)
        return math.floor((self._others + 1) * (ratio / (1 + ratio))) + 1.0

    def cuts(self) -> Array:
        n, response = self._others, self.mechanism.response
        liars = n * response.yes_if_no + 6 * math.sqrt(n * response.yes_if_no * response.yes_if_yes) + 6
        low = max(1.0, math.floor(n + 1 - liars))
        grid = np.arange(low, n + 2, max(1.0, math.ceil((n + 1 - low) / MOST)))
        knees = [x for x in (self.crossing(self.claimed), self.crossing(-self.claimed)) if 1 <= x <= n + 1]
        return np.unique(np.append(grid, knees))
