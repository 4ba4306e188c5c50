"""What the watch study compares: when each says “yes” first, its threshold set for a chance of a false alarm."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sources import DERIVED, DNPR10, KOV15
from dpstudio.mechanisms.composition import WorstReleases
from dpstudio.mechanisms.laws import Tightest
from dpstudio.mechanisms.watch import AboveThreshold, EachTime, Watch, threshold_for
from dpstudio.models.watching import TreeWatch
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import watch as f

Places = npt.NDArray[np.int64]
TRADED, TRADED_POINTS = (-3.0, 6.0), 25
"""From where to where about today’s threshold others are looked at, in standard deviations, and how many."""
_CLEAR = 1e-5
"""Part of all times above which a sum of probabilities known to 1e-16 is known to 1e-11 of it."""


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

    @cached_property
    def steps(self) -> Array:
        """From m being reached on 1 for each time but the last, and 0 before: Σ Pr[T > t] of them is the mean delay."""
        return np.where(np.arange(self.study.times - 1) >= self.before, 1.0, 0.0)

    @cached_property
    def grown(self) -> Array:
        """How many records come from each of these times to the next."""
        return np.asarray(self.steps * np.diff(self.counts))

    @property
    def late(self) -> bool:
        """Whether “yes” can be late: there is a time after the one at which m is reached."""
        return self.before < self.study.times - 1

    @property
    def reached(self) -> int | None:
        """The first time at which the count is at least m."""
        return self.before + 1 if self.before < self.study.times else None


class Compared(ABC):
    """One of the mechanisms, beside the history."""

    delta = 0.0
    """The δ that it spends."""
    epsilon_asked: float | None = None
    """ε of the decision at one time, where there are such."""
    noise_epsilon: float | None = None
    """ε₁ + ε₂, where a threshold with noise is compared with counts with noise."""

    def __init__(self, history: History, sd: float) -> None:
        self.history, self.study = history, history.study
        self.sd = sd
        """Of all the noise of one comparison."""

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What it promises of a record as the study has it."""

    @abstractmethod
    def pure(self, *, stays: bool) -> tuple[float, bool]:
        """The smallest ε that is kept with δ = 0, whether a record stays or not; and whether it is reached."""

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

    def late(self, weights: Array) -> float | None:  # noqa: ARG002 - those whose law is only drawn have none
        """What comes until “yes” is said, or the end, on average, from weights of the times at which it is late."""
        return None


class Watched(Compared):
    """A mechanism whose first “yes” has a law that is computed."""

    def __init__(self, history: History, build: Callable[[float], Watch], sd: float) -> None:
        super().__init__(history, sd)
        self.build = build

    @property
    def guarantee(self) -> Guarantee:
        study = self.study
        law = self.build(float(study.minimum)).given_away(study.times, stays=study.stays).at(study.epsilon)
        return Guarantee(study.relation, study.epsilon, 0.0, law, DERIVED, "bound")

    def pure(self, *, stays: bool) -> tuple[float, bool]:
        now, k = self.build(float(self.study.minimum)), self.study.times
        reached = now.attained(k, stays=stays) or self.build(self.threshold).attained(k, stays=stays)
        return now.given_away(k, stays=stays).epsilon, reached

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
        return self.build(self.threshold).traded(self.history.counts[:-1], self.history.before, places)

    def late(self, weights: Array) -> float | None:
        if self.history.reached is None:
            return None
        plain = float(self.waiting[:-1] @ weights)
        if plain > _CLEAR * float(weights.sum()):
            return plain
        return self.build(self.threshold).still(self.history.counts[:-1], weights)

    def first(self, size: int, rng: np.random.Generator) -> Places:
        return self.build(self.threshold).sample(self.history.counts, size, rng)

    def gaps(self, rng: np.random.Generator) -> Array:
        return self.build(self.threshold).gaps(self.history.counts, rng)


class Asked(Watched):
    """A decision of its own at each time."""

    def __init__(self, history: History, each: float, delta: float = 0.0) -> None:
        super().__init__(history, lambda threshold: EachTime(each, threshold), math.sqrt(2) / each)
        self.epsilon_asked, self.delta = each, delta

    @property
    def guarantee(self) -> Guarantee:
        study, each = self.study, self.epsilon_asked
        assert each is not None
        alone = self.build(float(study.minimum)).given_away(study.times, stays=study.stays)
        law = Tightest((alone if self.delta else alone.at(study.epsilon), WorstReleases(each, 0.0, study.times)))
        return Guarantee(study.relation, study.epsilon, self.delta, law, KOV15, "bound")


class NoisyWatched(Watched):
    """AboveThreshold with the one noise or the other, of which there is as little as the study’s ε allows."""

    def __init__(self, history: History, kind: type[AboveThreshold]) -> None:
        self.kind, study = kind, history.study
        shown = kind(1.0, float(study.minimum), study.share).given_away(study.times, stays=study.stays)
        self.noise_epsilon = total = study.epsilon / shown.epsilon
        now = kind(total, float(study.minimum), study.share)
        super().__init__(history, lambda threshold: kind(total, threshold, study.share),
                         now.deviations * math.hypot(1 / now.threshold_rate, 1 / now.count_rate))


class Tree(Compared):
    """The binary tree: thresholds by a bound on its false alarm, and first “yes” by drawing."""

    def __init__(self, history: History) -> None:
        study = history.study
        self.tree = TreeWatch(study.epsilon, study.delta, study.times)
        super().__init__(history, self.tree.worst_sd)
        self.delta = study.delta if self.tree.gaussian is not None else 0.0

    @property
    def guarantee(self) -> Guarantee:
        """By all running counts, of which the first “yes” tells less."""
        study = self.study
        return Guarantee(study.relation, study.epsilon, self.delta, self.tree.law, DNPR10, "bound", self.tree.mu)

    def pure(self, *, stays: bool) -> tuple[float, bool]:
        return self.tree.pure(stays=stays), True

    def threshold_at(self, alarm: float) -> float:
        return self.tree.threshold_for(self.history.early, alarm)

    def alarm_at(self, threshold: float) -> float:
        return self.tree.most_ever(self.history.early, threshold)

    def first(self, size: int, rng: np.random.Generator) -> Places:
        return self.tree.first_yes(self.history.counts, self.threshold, size, rng)

    def gaps(self, rng: np.random.Generator) -> Array:
        return np.asarray(self.history.counts + self.tree.noise(1, rng)[:, 0] - self.threshold)

