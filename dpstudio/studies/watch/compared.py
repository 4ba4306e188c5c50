"""What the watch study compares: when each says “yes” first, its threshold set for a chance of a false alarm."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sources import LSL17
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.watch import AboveThreshold, EachTime, Watch, threshold_for
from dpstudio.models.watching import TreeWatch
from dpstudio.studies import watch as f

Places = npt.NDArray[np.int64]
TRADED, TRADED_POINTS = (-3.0, 6.0), 25
"""From where to where about today’s threshold others are looked at, in standard deviations, and how many."""


@dataclass(frozen=True)
class History:
    """The count at each of the k times, and when it reaches m."""

    study: f.Watch

    @cached_property
    def counts(self) -> Array:
        """⌊rt⌋ for t = 1 … k."""
        return np.asarray(np.floor(self.study.per_time * np.arange(1, self.study.times + 1)))

    @cached_property
    def before(self) -> int:
        """At how many times the count has not reached m."""
        return int(np.searchsorted(self.counts, self.study.minimum))

    @property
    def early(self) -> Array:
        """The counts at which “yes” is a false alarm."""
        return self.counts[:self.before]

    @property
    def reached(self) -> int | None:
        """The first time at which the count is at least m."""
        return self.before + 1 if self.before < self.study.times else None


class Compared(ABC):
    """One of the mechanisms, beside the history."""

    def __init__(self, history: History, sd: float, staying_epsilon: float, epsilon_asked: float | None = None,
                 delta: float = 0.0) -> None:
        self.history, self.study = history, history.study
        self.sd = sd
        """Of all the noise of one comparison."""
        self.staying_epsilon = staying_epsilon
        """The smallest ε that is kept for a record that stays, with δ = 0."""
        self.epsilon_asked = epsilon_asked
        """That of the decision at one time, where there are such."""
        self.delta = delta

    @property
    def guarantee(self) -> Guarantee:
        """What the first “yes” promises of a record that stays."""
        epsilon = self.staying_epsilon if self.staying_epsilon < math.inf else self.study.epsilon
        return Guarantee(f.STAYS, epsilon, self.delta, Claim(epsilon, self.delta), LSL17, "bound")

    @cached_property
    def threshold(self) -> float:
        """The one with which a false alarm is as likely as was asked for; m where there is none to fear."""
        return self.threshold_at(self.study.alarm) if self.history.before else float(self.study.minimum)

    @property
    def margin(self) -> float:
        return self.threshold - self.study.minimum

    @abstractmethod
    def threshold_at(self, alarm: float) -> float:
        """The threshold with which a false alarm has a probability; there must be a time for one."""

    @abstractmethod
    def alarm_at(self, threshold: float) -> float:
        """The probability that “yes” is said too early with a threshold, or a bound on it."""

    @abstractmethod
    def first(self, size: int, rng: np.random.Generator) -> Places:
        """The place of the first “yes” in so many histories."""

    @abstractmethod
    def gaps(self, rng: np.random.Generator) -> Array:
        """By how much noisy counts lie above the noisy threshold, in one history."""

    @cached_property
    def waiting(self) -> Array | None:
        """The probability that no “yes” was said up to each time; None where its law is only drawn."""
        return None

    @property
    def median_yes(self) -> float | None:
        """The first time by which “yes” has been said with probability ½."""
        if self.waiting is None:
            return None
        said = np.flatnonzero(self.waiting <= 0.5)
        return float(said[0] + 1) if said.size else math.inf

    @property
    def median_delay(self) -> float | None:
        reached, median = self.history.reached, self.median_yes
        return None if reached is None or median is None else max(median - reached, 0.0)

    @property
    def mean_delay(self) -> float | None:
        """Σ of the probabilities that nothing has been said, over the times from m being reached on."""
        return None if self.history.reached is None or self.waiting is None else self._late(self.waiting)

    def _late(self, waiting: Array) -> float:
        return float(waiting[self.history.before:].sum())


class Watched(Compared):
    """A mechanism whose first “yes” has a law that is computed."""

    def __init__(self, history: History, build: Callable[[float], Watch], sd: float, staying_epsilon: float,
                 epsilon_asked: float | None = None, delta: float = 0.0) -> None:
        super().__init__(history, sd, staying_epsilon, epsilon_asked, delta)
        self.build = build

    def threshold_at(self, alarm: float) -> float:
        return threshold_for(self.build, self.history.early, alarm)

    def alarm_at(self, threshold: float) -> float:
        return self.build(threshold).ever(self.history.early)

    @cached_property
    def waiting(self) -> Array:
        return self.build(self.threshold).waiting(self.history.counts)

    def traded(self) -> tuple[Array, Array]:
        """False alarms and mean delays along a stretch of thresholds about today’s, the last the rarest alarm."""
        low, high = (self.threshold + part * self.sd for part in TRADED)
        places = np.linspace(low, high, TRADED_POINTS)
        return self.build(self.threshold).traded(self.history.counts, self.history.before, places)

    def first(self, size: int, rng: np.random.Generator) -> Places:
        return self.build(self.threshold).sample(self.history.counts, size, rng)

    def gaps(self, rng: np.random.Generator) -> Array:
        return self.build(self.threshold).gaps(self.history.counts, rng)


class Tree(Compared):
    """The binary tree: thresholds by a bound on its false alarm, and first “yes” by drawing."""

    def __init__(self, history: History) -> None:
        study = history.study
        self.tree = TreeWatch(study.epsilon, study.delta, study.times)
        spends = self.tree.gaussian is not None
        super().__init__(history, self.tree.worst_sd, math.inf if spends else study.epsilon, None,
                         study.delta if spends else 0.0)

    def threshold_at(self, alarm: float) -> float:
        return self.tree.threshold_for(self.history.early, alarm)

    def alarm_at(self, threshold: float) -> float:
        return self.tree.most_ever(self.history.early, threshold)

    def first(self, size: int, rng: np.random.Generator) -> Places:
        return self.tree.first_yes(self.history.counts, self.threshold, size, rng)

    def gaps(self, rng: np.random.Generator) -> Array:
        return np.asarray(self.history.counts + self.tree.noise(1, rng)[:, 0] - self.threshold)


def noisy(history: History, kind: type[AboveThreshold]) -> Watched:
    """AboveThreshold with all of ε for the one noise and the other."""
    study = history.study
    today = kind(study.epsilon, float(study.minimum), study.share)
    scale = math.hypot(1 / today.threshold_rate, 1 / today.count_rate)
    return Watched(history, lambda threshold: kind(study.epsilon, threshold, study.share),
                   today.deviations * scale, today.staying_epsilon)


def asked(history: History, each: float, delta: float = 0.0) -> Watched:
    """A decision at each time, with that ε."""
    return Watched(history, lambda threshold: EachTime(each, threshold), math.sqrt(2) / each,
                   each * history.study.times, each, delta)
