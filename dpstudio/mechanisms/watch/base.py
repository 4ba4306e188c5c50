"""A mechanism that looks at counts one after the other: what can be asked of every such, and a decision each time."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.search import falling_root
from dpstudio.core.sources import DMNS06
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.laws import AsymmetricLaplace
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.records import dataclass
from dpstudio.vocabulary import EPSILON, THRESHOLD, N

LEAST = 1e-300
"""A rate below it is no other to a double, but its scale is one that none holds."""

FAR = 45.0
"""e^−45 of what lies nearer is beyond a double's digits."""


@dataclass(frozen=True, slots=True)
class FirstYes:
    """When “yes” is first said: ln of the probability of each time, and of never."""

    log_at: Array
    log_never: float


@dataclass(frozen=True)
class Watch(Mechanism, ABC):
    """A mechanism that is asked of one count after the other whether it has reached a threshold, until it says “yes”.

    Counts are whole and at least 0, a vector in the order of time.
    """

    epsilon: float = parameter(EPSILON)
    threshold: float = parameter(THRESHOLD)

    @abstractmethod
    def given_away(self, times: int, *, stays: bool) -> AsymmetricLaplace:
        """The most that the first “yes” of so many times shows of a record that raises counts by 1 where it is counted.

        That is from some time on where it `stays`, and else at any times; all other records come and go as they like.
        """

    @abstractmethod
    def attained(self, times: int, *, stays: bool) -> bool:
        """Whether some history comes as near as one likes to the ε of what is given away, at this threshold."""

    @abstractmethod
    def _law(self, counts: Array) -> FirstYes:
        """When “yes” is first said to these counts."""

    @abstractmethod
    def _waiting(self, counts: Array) -> Array:
        """The probability that no “yes” was said up to each count, to 1e-16."""

    @property
    @abstractmethod
    def _slowest(self) -> float:
        """The least rate at which the density of any of its noise falls."""

    @abstractmethod
    def _ever(self, counts: Array) -> float:
        """The probability that some count gets a “yes”, to full relative accuracy."""

    @abstractmethod
    def _chances(self, counts: Array) -> Callable[[float], float]:
        """The probability that some count gets a “yes”, as a function of the threshold that is asked again and again.

        To full relative accuracy. Thresholds and counts, of which there are some, are less the highest count.
        """

    @abstractmethod
    def _still(self, counts: Array, weights: Array) -> float:
        """The sum of weights over the counts up to which no “yes” was said, on average; some weight is above 0."""

    @abstractmethod
    def traded(self, counts: Array, before: int, thresholds: Array) -> tuple[Array, Array]:
        """With other thresholds: Pr[“yes” to one of the first counts], and how many later ones lack one on average."""

    @abstractmethod
    def gaps(self, counts: Array, rng: np.random.Generator) -> Array:
        """By how much each noisy count lies above the noisy threshold, in one run: “yes” comes where that is ≥ 0."""

    @abstractmethod
    def _sample(self, counts: Array, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The place of the first “yes” among the counts in so many runs, their number where it is never said."""

    def first_yes(self, counts: npt.ArrayLike) -> Array:
        """The probability that the first “yes” comes at each count, in order; what lacks to 1 is `never`."""
        return np.exp(self._of(counts).log_at)

    def log_first_yes(self, counts: npt.ArrayLike) -> Array:
        """ln of `first_yes`, also where that is too small for a double."""
        return self._of(counts).log_at.copy()

    def never(self, counts: npt.ArrayLike) -> float:
        """The probability that no count gets a “yes”, to full relative accuracy."""
        return math.exp(self._of(counts).log_never)

    def waiting(self, counts: npt.ArrayLike) -> Array:
        """The probability that no “yes” was said up to each count, that one included: to 1e-16, and fast."""
        return self._waiting(_vector(counts))

    def ever(self, counts: npt.ArrayLike) -> float:
        """The probability that some count gets a “yes”, the complement of `never`, to full relative accuracy."""
        return self._ever(_vector(counts))

    def still(self, counts: npt.ArrayLike, weights: Array) -> float:
        """The average sum of the weights, at least 0, of those counts up to which no “yes” was said, that one included.

        To full relative accuracy down to 1e-290, and 0 below.
        """
        return self._still(_vector(counts), weights) if weights.any() else 0.0

    def sample(self, counts: npt.ArrayLike, size: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The place of the first “yes” in so many runs, counted from 0; the number of counts where it is never said."""
        return self._sample(_vector(counts), size, rng)

    def _of(self, counts: npt.ArrayLike) -> FirstYes:
        return _remembered(self, tuple(_vector(counts).tolist()))


@lru_cache(maxsize=16)
def _remembered(watch: Watch, counts: tuple[float, ...]) -> FirstYes:
    return watch._law(np.array(counts))


def _vector(counts: npt.ArrayLike) -> Array:
    given = numbers_in(counts, N, "counts")
    if given.ndim != 1:
        raise InvalidParameter("counts", "a sequence of whole numbers", counts)
    return given


def threshold_for(build: Callable[[float], Watch], counts: npt.ArrayLike, probability: float) -> float:
    """The threshold with which a watch says “yes” to some of these counts with a probability in (0, 1).

    `build` makes the watch of a threshold: the higher it is, the less likely is any “yes”. There must be a count. It is
    found to 1e-12 of the noise's scale, or to a double.
    """
    given = _vector(counts)
    top, wanted = float(given.max()), math.log(probability)
    # Past all counts the chance falls by e in the longest scale of the noise, from about half of the sum of all.
    watch, apart = build(top), given - top
    rate = watch._slowest
    start = (math.log(float(np.exp(apart * rate).sum()) / 2) - wanted) / rate
    chance = watch._chances(apart)
    return top + falling_root(lambda above: math.log(max(chance(above), LEAST)) - wanted, start, 1 / rate)


def log_sides(x: Array) -> tuple[Array, Array]:
    """ln Pr[X < x] and ln Pr[X ≥ x] of Laplace noise of scale 1."""
    small = -np.abs(x) - math.log(2)
    large = np.log1p(-np.exp(small))
    return np.where(x < 0, small, large), np.where(x < 0, large, small)


def asked_in_turn(counts: Array, size: int, says: Callable[[float, npt.NDArray[np.int64]], npt.NDArray[np.bool_]]
           ) -> npt.NDArray[np.int64]:
    """Ask of one count after the other those runs that still wait, as (count, which) → who says “yes”."""
    found: npt.NDArray[np.int64] = np.full(size, counts.size, dtype=np.int64)
    waiting = np.arange(size)
    for t, count in enumerate(counts):
        if not waiting.size:
            break
        yes = says(float(count), waiting)
        found[waiting[yes]] = t
        waiting = waiting[~yes]
    return found


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

    def _ever(self, counts: Array) -> float:
        return -math.expm1(float(np.sum(self.decision.log_reject(counts))))

    def _chances(self, counts: Array) -> Callable[[float], float]:
        return lambda threshold: -math.expm1(float(log_sides((threshold - counts) * self.epsilon)[0].sum()))

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
