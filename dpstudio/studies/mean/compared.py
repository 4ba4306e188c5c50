"""The estimates of a fraction that the study compares, with the exact laws of their errors for any n and ε."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from dpstudio.core.declare import Array
from dpstudio.core.facts import Said
from dpstudio.core.guarantee import COUNTED as RELATION
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sources import BBGN19, H63
from dpstudio.mechanisms.laws import ByProfile
from dpstudio.mechanisms.noise import Noise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse, most_local
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import mean as f
from dpstudio.studies.kit.compared import promised_by
from dpstudio.studies.kit.counts import BinomialCount, SummedCount
from dpstudio.text.numbers import plain

COUNTED = 10**6
"""Up to so many people the law of their answers is summed; beyond, it is a pixel from its normal limit at most."""
_MOST_PEOPLE, _NEAR = 2.0**53, 1e-6
AT = "ε = {epsilon}, n = {people}"


@dataclass(frozen=True)
class Estimate(ABC):
    """An estimate of the fraction of “yes”: how far it is off from that of the group, or of the population."""

    study: f.Mean
    form: str
    """Its standard deviation about the group, as a formula."""
    delta: float = 0.0
    """The δ that is spent on it."""

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What is promised of one person's yes or no."""

    @abstractmethod
    def own_sd(self, people: Array, epsilon: Array) -> Array:
        """The standard deviation about the group at each n and ε."""

    @abstractmethod
    def cumulant(self, people: Array, *, population: bool) -> Array:
        """The fourth cumulant of the error at each n; those of independent parts add up."""

    @abstractmethod
    def draw(self, people: int, size: int, sample: Array, rng: Generator) -> Array:
        """Errors of so many surveys whose groups lie so far from what is asked for, however many people there are."""

    @abstractmethod
    def relative(self, error: Array) -> Array:
        """The density of errors about the group as a part of its peak."""

    @property
    @abstractmethod
    def error_95(self) -> Said:
        """An error about the group that 95 % of the estimates stay within."""

    def sd(self, people: npt.ArrayLike, epsilon: npt.ArrayLike, *, population: bool) -> Array:
        """The standard deviation about the group, or the population, at each n and ε."""
        n, e = np.asarray(people, dtype=np.float64), np.asarray(epsilon, dtype=np.float64)
        return self._total(self.own_sd(n, e), n, population=population)

    def spread(self, people: npt.ArrayLike, *, population: bool) -> Array:
        """The standard deviation of one squared error about the same at each n: √(κ₄ + 2 sd⁴)."""
        n = np.asarray(people, dtype=np.float64)
        sd = self.sd(n, self.study.epsilon, population=population)
        return np.sqrt(np.maximum(self.cumulant(n, population=population) + 2 * sd**4, 0.0))

    @cached_property
    def group_error(self) -> float:
        """The standard deviation about the group at the study's n and ε."""
        return float(self.sd(self.study.people, self.study.epsilon, population=False))

    @cached_property
    def population_error(self) -> float:
        """The same about the population."""
        return float(self.sd(self.study.people, self.study.epsilon, population=True))

    def over_laplace(self, *, population: bool) -> float:
        """How many times as large it is as that of Laplace noise."""
        n = np.float64(self.study.people)
        laplace = self._total(laplace_sd(self.study.epsilon) / n, n, population=population)
        return (self.population_error if population else self.group_error) / float(laplace)

    def _total(self, own: Array, n: Array | np.float64, *, population: bool) -> Array:
        """A standard deviation about the group, or about the population: there the sample's π(1 − π)/n comes on top."""
        sample = self.study.fraction * (1 - self.study.fraction) / n if population else 0.0
        return np.asarray(np.hypot(own, np.sqrt(sample)))


@dataclass(frozen=True)
class Randomized(Estimate):
    """Everybody randomizes: √(e^−ε/n)/(1 − e^−ε) about the group."""

    def local(self, people: Array, epsilon: Array) -> Array:  # noqa: ARG002 - of shuffled ones
        """The ε of each answer at each n and ε."""
        return epsilon

    def response_of(self, people: float) -> RandomizedResponse:
        """What each of so many people answers by, at the study's ε."""
        return _response(float(self.local(np.asarray(float(people)), np.asarray(self.study.epsilon))))

    @cached_property
    def response(self) -> RandomizedResponse:
        return self.response_of(self.study.people)

    @cached_property
    def guarantee(self) -> Guarantee:
        return Guarantee(RELATION, self.study.epsilon, 0.0, self.response, self.response.source, model="local")

    def own_sd(self, people: Array, epsilon: Array) -> Array:
        own = self.local(people, epsilon)
        return np.asarray(np.exp(-own / 2) / -np.expm1(-own) / np.sqrt(people))

    def cumulant(self, people: Array, *, population: bool) -> Array:
        return np.array([self._cumulant(float(n), population=population) for n in people.flat]).reshape(people.shape)

    def _cumulant(self, people: float, *, population: bool) -> float:
        response, fraction = self.response_of(people), self.study.fraction
        yes, no = response.yes_if_yes, response.no_if_yes
        if population:
            yes, no = (float(response.answer_probability(p)) for p in (fraction, 1 - fraction))
        return _binomial_cumulant(yes, no) / response.difference**4 / people**3

    def draw(self, people: int, size: int, sample: Array, rng: Generator) -> Array:  # noqa: ARG002 - its own groups
        response, fraction = self.response_of(people), self.study.fraction
        if self.study.about == "population":
            yes = fraction * response.yes_if_yes + (1 - fraction) * response.yes_if_no
            answers, truth = rng.binomial(people, min(yes, 1.0), size), fraction
        else:
            yeses = round(fraction * people)
            answers, truth = np.asarray(response.sample_yes(yeses, people, size, rng)), yeses / people
        return np.asarray(response.estimate(answers, people)) - truth

    def relative(self, error: Array) -> Array:
        """The law of the debiased answers of k people with “yes” and n − k with “no”."""
        n, response = self.study.people, self.response
        if n > COUNTED:
            z = error / self.group_error
            return np.asarray(np.exp(-z * z / 2))
        yeses = round(self.study.fraction * n)
        first, mass = SummedCount(BinomialCount(yeses, response.yes_if_yes, response.no_if_yes),
                                  BinomialCount(n - yeses, response.yes_if_no, response.no_if_no)).mass
        count = np.rint(n * response.yes_if_no + response.difference * (yeses + n * error)) - first
        inside = (count >= 0) & (count < len(mass))
        found = np.zeros(error.shape)
        found[inside] = mass[count[inside].astype(np.intp)] / mass.max()
        return found

    @property
    def error_95(self) -> Said:
        most = math.sqrt(math.log(40) / 2 / self.study.people) / self.response.difference
        return Said(most, f"√(ln(2/0.05)/(2n))/tanh(ε/2), {AT}", H63, "bound")


@dataclass(frozen=True)
class Shuffled(Randomized):
    """Everybody randomizes with the ε₀ that leaves all answers together, shuffled, at ε and δ."""

    def local(self, people: Array, epsilon: Array) -> Array:
        n, e = np.broadcast_arrays(people, epsilon)
        return np.array([_local(float(a), float(b), self.delta) for a, b in zip(n.flat, e.flat, strict=True)]
                        ).reshape(n.shape)

    @cached_property
    def guarantee(self) -> Guarantee:
        local = self.at_today
        law = ByProfile(ShuffledResponse(local, self.study.people), local)
        return Guarantee(RELATION, self.study.epsilon, self.delta, law, BBGN19, "bound", holds="while the shuffler is "
                         "honest and all others answer as they should", model="shuffled")

    def ahead(self, people: npt.ArrayLike, epsilon: npt.ArrayLike) -> Iterator[None]:
        """The same one by one, to be found again: each takes a millisecond."""
        n, e = np.broadcast_arrays(people, epsilon)
        for a, b in zip(n.flat, e.flat, strict=True):
            yield
            _local(float(a), float(b), self.delta)

    @property
    def at_today(self) -> float:
        """The ε₀ at the study's n and ε."""
        return _local(float(self.study.people), self.study.epsilon, self.delta)

    @cached_property
    def people_needed(self) -> float:
        """The fewest people whose shuffled answers have the sd of Laplace noise on the count of these, to 1e-6."""
        goal = math.log(float(laplace_sd(self.study.epsilon)) / self.study.people)

        def excess(people: float) -> float:
            return math.log(float(self.own_sd(np.asarray(people), np.asarray(self.study.epsilon)))) - goal

        # The sd falls as 1/√n at least, and nearly as 1/n where many answer.
        low, high, under, over = 0.0, float(self.study.people), math.inf, excess(self.study.people)
        while over > 0:
            low, under, high = high, over, math.ceil(high * (math.exp(over) + 0.1))
            if high > _MOST_PEOPLE:
                return math.inf
            over = excess(high)
        near = 1 + _NEAR / 3
        while high - low > max(1.0, _NEAR * high):
            part = under / (under - over) if math.isfinite(under) else 0.5
            middle = math.ceil(max(low, 1.0) ** (1 - part) * high**part * near)
            middle, near = min(max(middle, low + 1), high - 1), 2 - near
            value = excess(middle)
            low, under, high, over = (middle, value, high, over) if value > 0 else (low, under, middle, value)
        return high

    @property
    def error_95(self) -> Said:
        """Pr[|error| ≥ t/(n tanh(ε₀/2))] ≤ 2 exp(−t²/(2v + 2t/3)), v = npq: no answer is off from its mean by 1."""
        n, response, most = self.study.people, self.response, math.log(40) / 3
        variance = n * response.yes_if_yes * response.yes_if_no
        off = most + math.sqrt(most * most + 6 * most * variance)
        return Said(off / n / response.difference,
                    f"(L/3 + √(L²/9 + 2Lnpq))/(n tanh(ε₀/2)), L = ln(2/0.05), p = 1 − q = e^ε₀/(1 + e^ε₀), "
                    f"ε₀ = {plain(self.at_today)}, n = {{people}}", H63, "bound")


@dataclass(frozen=True)
class CuratorNoise(Estimate):
    """A curator adds noise to the count: the sd of the noise over n, about the group."""

    noise: Noise = field(kw_only=True)
    count_sd: Callable[[Array], Array | float] = field(kw_only=True)
    """The standard deviation of the noise at each ε."""
    count_cumulant: float = field(kw_only=True)
    """The fourth cumulant of the noise."""

    @cached_property
    def guarantee(self) -> Guarantee:
        return promised_by(self.noise, 1.0, RELATION, self.study.epsilon, self.delta)

    def own_sd(self, people: Array, epsilon: Array) -> Array:
        return np.asarray(self.count_sd(epsilon) / people)

    def cumulant(self, people: Array, *, population: bool) -> Array:
        sample = _binomial_cumulant(self.study.fraction, 1 - self.study.fraction) if population else 0.0
        return np.asarray(self.count_cumulant / people**4 + sample / people**3)

    def draw(self, people: int, size: int, sample: Array, rng: Generator) -> Array:
        return sample + np.asarray(self.noise.sample(size, rng)) / people

    def relative(self, error: Array) -> Array:
        noise, count = self.noise, error * float(self.study.people)
        at = np.rint(count) if noise.is_whole else count
        return np.minimum(np.asarray(noise.density(at)) / float(noise.density(0.0)), 1.0)

    @property
    def error_95(self) -> Said:
        return Said(float(self.noise.error_quantile(0.95)) / self.study.people, f"Pr[|noise| ≤ n·error] = 0.95, {AT}")


@lru_cache(maxsize=64)
def _response(epsilon: float) -> RandomizedResponse:
    return RandomizedResponse.symmetric(epsilon)


@lru_cache(maxsize=4096)
def _local(people: float, epsilon: float, delta: float) -> float:
    """`most_local` of numbers, which pictures and simulations ask for again and again."""
    return float(most_local(people, epsilon, delta))


def laplace_sd(epsilon: npt.ArrayLike) -> Array:
    """√2/ε, of the Laplace noise on a count."""
    return np.asarray(math.sqrt(2) / np.asarray(epsilon))


def break_even(epsilon: float) -> float:
    """8 sinh²(ε/2)/ε², the n below which randomized response has the smaller variance about its group."""
    return 2 * (2 * math.sinh(epsilon / 2) / epsilon) ** 2


def _binomial_cumulant(p: float, q: float) -> float:
    """The fourth cumulant of one coin of p and q = 1 − p: p q (1 − 6 p q)."""
    return p * q * (1 - 6 * p * q)
