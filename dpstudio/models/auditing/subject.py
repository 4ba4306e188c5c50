"""What can be audited: a number that is released, drawn from two neighbouring datasets, with its exact law beside it.

A mechanism joins by becoming a `Subject`: it says how it is drawn (with its own sampler, never with its law), what the
law should be, and at which values outcomes are told apart. Most are one of the kinds below already: noise on a count
is a `NoisyCount`, whatever answers yes or no a `YesNo`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.mechanisms.decision import Decision
from dpstudio.mechanisms.noise import GeometricNoise, Noise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import dataclass

MOST = 120
"""About so many values tell outcomes apart."""
_RARE = 1e-6


class Tail(NamedTuple):
    """An event on the dataset that makes it the likelier one, arrays of one shape."""

    log: Array
    """ln of its probability there."""
    loss: Array
    """ln of how many times as likely it is there as on the other: ∞ where only the other has none, 0 where neither."""


class Subject(ABC):
    """A released number on two neighbouring datasets: neighbour 0 has n records, neighbour 1 has n + 1."""

    @property
    @abstractmethod
    def lattice(self) -> float:
        """The distance between outcomes that can happen: 1 for whole numbers, 0 where every real number can."""

    def interval(self, probability: float) -> tuple[float, float] | None:  # noqa: ARG002 - where it is not exact
        """Where a probability of an event surely lies, if no formula says how large it is; None where it is exact."""
        return None

    @abstractmethod
    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        """So many released numbers, drawn as the mechanism draws them."""

    @abstractmethod
    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        """Pr[outcome ≥ x] for the `upper` tail, else Pr[outcome < x]; to full relative accuracy."""

    @abstractmethod
    def tail(self, x: Array, *, upper: bool) -> Tail:
        """The events “outcome ≥ x”, which speak for a record, at n + 1; or “outcome < x”, against one, at n.

        However small their probabilities.
        """

    @abstractmethod
    def crossing(self, loss: float) -> float:
        """The x from which on outcomes are more than e^loss times as likely at n + 1 as at n, ±∞ if none or all are.

        That likelihood ratio never falls as outcomes grow, so of all events the two tails at a crossing tell the most.
        """

    @abstractmethod
    def cuts(self) -> Array:
        """Rising values between which outcomes are told apart, fixed by the claim and never by what was drawn."""


@dataclass(frozen=True)
class NoisyCount(Subject):
    """n + X and n + 1 + X, with noise X; the claim's own noise says how far outcomes may lie."""

    noise: Noise
    records: int
    claimed: Noise
    knee: float = 0.5
    """How far from n + ½ the likelihood ratio of the claimed noise reaches the claimed e^±ε: ½ for a law that bends at
    its centre, εσ² for Gaussian noise."""
    rare: float = _RARE
    """The probability of lying outside the cells; beyond a tiny δ no event of larger probability tells enough."""

    @property
    def lattice(self) -> float:
        return 1.0 if self.noise.is_whole else 0.0

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        return np.asarray(self.records + neighbour + np.asarray(self.noise.sample(size, rng)), dtype=np.float64)

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        away = x - self.records - neighbour
        if upper:
            return np.asarray(self.noise.tail(away))
        return np.asarray(self.noise.cdf(np.ceil(away) - 1 if self.lattice else away))

    def tail(self, x: Array, *, upper: bool) -> Tail:
        away = x - self.records
        away = np.ceil(away) if self.lattice else away
        if not upper:  # by symmetry: the noise turned round reaches from n + 1 down to x
            away = 1 + self.lattice - away
        return Tail(np.asarray(self.noise.log_tail(away - 1)), np.asarray(self.noise.tail_loss(away)))

    def crossing(self, loss: float) -> float:
        return loss if math.isinf(loss) else self.records + self.noise.crossing(loss)

    def cuts(self) -> Array:
        """Evenly, with both knees among them unless they lie nearer together than a cell is wide."""
        reach = -float(self.claimed.quantile(min(self.rare, _RARE) / 2)) + self.knee
        step, between = 2 * reach / MOST, 2 * self.knee
        step = np.ceil(step) if self.lattice else between / np.ceil(between / step) if step < between else step
        cells = np.ceil(reach / step)
        places = np.arange(-cells, cells + np.ceil(between / step) + 1)
        return np.asarray(self.records + 0.5 - self.knee + step * places)


class YesNo(Subject):
    """An answer yes (1) or no (0)."""

    @property
    def lattice(self) -> float:
        return 1.0

    @abstractmethod
    def chances(self, neighbour: int) -> tuple[float, float]:
        """Pr[no] and Pr[yes], neither taken from the other."""

    @abstractmethod
    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of yes at n + 1 and of no at n: the logarithm of its probability, and its loss."""

    @abstractmethod
    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """So many answers."""

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        return self.answers(neighbour, size, rng).astype(np.float64)

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        return np.where(x <= 0, float(upper), np.where(x <= 1, self.chances(neighbour)[upper], float(not upper)))

    def tail(self, x: Array, *, upper: bool) -> Tail:
        log, loss = self.told()[not upper]
        ends = (0.0, -np.inf) if upper else (-np.inf, 0.0)
        return Tail(np.where(x <= 0, ends[0], np.where(x <= 1, log, ends[1])), np.where((x > 0) & (x <= 1), loss, 0.0))

    def crossing(self, loss: float) -> float:  # noqa: ARG002 - only one cut tells anything
        return 1.0

    def cuts(self) -> Array:
        return np.ones(1)


@dataclass(frozen=True)
class Decided(YesNo):
    """A decision on n or n + 1 records."""

    decision: Decision
    records: int

    def chances(self, neighbour: int) -> tuple[float, float]:
        n = self.records + neighbour
        return float(self.decision.reject_probability(n)), float(self.decision.accept_probability(n))

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        n, decision = self.records, self.decision
        yes, no = (float(loss) for loss in decision.losses(n))
        return (float(decision.log_accept(n + 1)), yes), (float(decision.log_reject(n)), no)

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        return self.decision.sample(self.records + neighbour, size, rng)


@dataclass(frozen=True)
class Answered(YesNo):
    """The randomized answer of one person, whose truth is no (neighbour 0) or yes."""

    response: RandomizedResponse

    def chances(self, neighbour: int) -> tuple[float, float]:
        response = self.response
        return (response.no_if_yes, response.yes_if_yes) if neighbour else (response.no_if_no, response.yes_if_no)

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        response = self.response
        return (log_of(response.yes_if_yes), response.loss_yes), (log_of(response.no_if_no), response.loss_no)

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        return self.response.sample(bool(neighbour), size, rng)


@dataclass(frozen=True)
class PublishedGroup(YesNo):
    """Whether a group is published at all: n + X ≥ threshold for whole-numbered noise X, and never where n = 0.

    Nobody can publish a group that nobody is in, so a first record needs δ = Pr[1 + X ≥ threshold].
    [Desfontaines et al. 2022.]
    """

    noise: GeometricNoise
    records: int
    threshold: int

    def chances(self, neighbour: int) -> tuple[float, float]:
        n = self.records + neighbour
        missing = float(self.threshold - n)
        return (float(self.noise.cdf(missing - 1)), float(self.noise.tail(missing))) if n else (1.0, 0.0)

    def told(self) -> tuple[tuple[float, float], tuple[float, float]]:
        if not self.records:
            # Nobody is published without a record; “no” at one is Pr[1 + X < threshold].
            alone = float(self.noise.log_tail(2.0 - self.threshold))
            return (float(self.noise.log_tail(self.threshold - 1.0)), math.inf), (0.0, -alone)
        bare = NoisyCount(self.noise, self.records, self.noise)
        yes, no = (bare.tail(np.asarray(self.threshold), upper=upper) for upper in (True, False))
        return (float(yes.log), float(yes.loss)), (float(no.log), float(no.loss))

    def answers(self, neighbour: int, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        n = self.records + neighbour
        return np.asarray(n + np.asarray(self.noise.sample(size, rng)) >= self.threshold) & (n > 0)


class Settled(Subject):
    """A number that the dataset settles, whatever else is drawn."""

    @abstractmethod
    def value(self, neighbour: int) -> float:
        """The outcome."""

    @property
    def lattice(self) -> float:
        return self.value(1) - self.value(0)

    def chance(self, x: Array, neighbour: int, *, upper: bool) -> Array:
        return np.asarray((self.value(neighbour) >= x) == upper, dtype=np.float64)

    def tail(self, x: Array, *, upper: bool) -> Tail:
        passed, reached = self.value(0) < x, x <= self.value(1)
        return Tail(np.where(reached if upper else passed, 0.0, -np.inf), np.where(passed & reached, np.inf, 0.0))

    def crossing(self, loss: float) -> float:  # noqa: ARG002 - one outcome each
        return self.value(1)

    def cuts(self) -> Array:
        return np.array([self.value(0), self.value(1)])


@dataclass(frozen=True)
class SharedNoise(Settled):
    """The count before and after a record came, both with the same noise: the pair is read by its difference."""

    noise: GeometricNoise
    records: int

    def value(self, neighbour: int) -> float:
        return float(neighbour)

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:
        noise = np.asarray(self.noise.sample(size, rng))
        before, after = self.records + noise, self.records + neighbour + noise
        return np.asarray(after - before, dtype=np.float64)


@dataclass(frozen=True)
class Unrandomized(Settled):
    """The debiased number of yes among n + 1 people, all of whom told the truth: n yes, and the last one’s answer."""

    response: RandomizedResponse
    records: int

    def value(self, neighbour: int) -> float:
        people = self.records + 1
        return people * float(self.response.estimate(self.records + neighbour, people))

    def sample(self, neighbour: int, size: int, rng: np.random.Generator) -> Array:  # noqa: ARG002 - nothing is drawn
        return np.full(size, self.value(neighbour))


def log_of(probability: float) -> float:
    return math.log(probability) if probability else -math.inf
