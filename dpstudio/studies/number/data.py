"""The values of the number study: people's own, or those of a law, and what bounds make of their sum."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.models.numbers import Exponential, LogNormal, Normal, Uniform, ValueLaw, Weighted
from dpstudio.records import dataclass
from dpstudio.studies import number as f
from dpstudio.vocabulary import NONE
from dpstudio.vocabulary.written import listing_of

SINGLY = 2000
"""Up to so many values of a law stand one by one; of more those that are alike stand together."""
_PART = 0.02
"""Values together are at most such a part of their distance from the rank that counts, and of 1/ε."""
NARROWEST = 500
"""A log-normal law whose sd is a smaller part of its mean is taken for normal."""
DRAWN = 1000
"""Up to so many values are drawn one by one."""


@dataclass(frozen=True, eq=False)
class Data:
    """Values of n people or rows: their own, or a law.

    Where ranks count, a law stands for n values that are as expected: each is that at the middle of its share of the
    law, or the mean of that share; far from the rank that is asked for, several of them are one value.
    """

    values: ValueLaw
    n: int
    own: bool
    mean: float

    def true(self, statistic: str, share: float) -> float:
        """The number without noise and bounds; of a law what is expected, or its quantile."""
        if statistic == "sum":
            return self.values.total if isinstance(self.values, Weighted) else self.n * self.mean
        return self.mean if statistic == "mean" else float(self.values.quantile(share))

    def near_rank(self, share: float, epsilon: float) -> Weighted:
        """Values for a quantile."""
        return self.values if isinstance(self.values, Weighted) else _middles(self, share, epsilon)

    def near_top(self, epsilon: float) -> Weighted:
        """Values for a bound that 1/ε of them lie above; their sum is that of the law."""
        return self.values if isinstance(self.values, Weighted) else _means(self, epsilon)


def _ends(n: int, rank: float, epsilon: float) -> Array:
    """Where values that stand together begin and end."""
    if n <= SINGLY:
        return np.arange(n + 1.0)
    most, middle = max(n // (SINGLY // 4), 1), min(max(round(rank), 0), n)

    def steps(room: int) -> list[int]:
        found, away = [], 0
        while away < room:
            away = min(away + max(1, min(int(_PART * (away + 1 / epsilon)), most)), room)
            found.append(away)
        return found

    below, above = steps(middle), steps(n - middle)
    return np.array([*(middle - each for each in below[::-1]), middle, *(middle + each for each in above)],
                    dtype=np.float64)


@lru_cache(maxsize=16)
def _middles(data: Data, share: float, epsilon: float) -> Weighted:
    ends = _ends(data.n, share * data.n, epsilon)
    return Weighted(data.values.quantile((ends[:-1] + ends[1:]) / 2 / data.n), np.diff(ends))


@lru_cache(maxsize=16)
def _means(data: Data, epsilon: float) -> Weighted:
    ends = _ends(data.n, data.n - 1 / epsilon, epsilon)
    # Shares from above, so that the last ones keep their digits: E (X − x)⁺ + x Pr[X > x] is what lies beyond x.
    top = (data.n - ends) / data.n
    inner = np.asarray(data.values.quantile(1 - top[1:-1]))
    beyond = np.concatenate([[data.mean], np.asarray(data.values.above(inner)) + inner * top[1:-1], [0.0]])
    found = -np.diff(beyond) * data.n / np.diff(ends)
    lowest, highest = (float(data.values.quantile(p)) for p in (0.0, 1.0))
    edges = np.concatenate([[lowest], inner, [highest]])
    return Weighted(np.clip(found, edges[:-1], edges[1:]), np.diff(ends))


class Moments(NamedTuple):
    """Of one value, at each pair of bounds."""

    bias: Array
    """What clipping moves it by on average."""
    mean: Array
    spread: Array
    """The variance of the clipped value, where the data are drawn from a population; else 0."""


def data_of(study: f.Number) -> Data:
    """The values of a study."""
    return _data(study.amounts, study.law, study.law_mean, study.law_sd, study.people)


@lru_cache(maxsize=8)
def _data(amounts: str, law: str, mean: float, sd: float, people: int) -> Data:
    # Kept from answer to answer: it stays while a hand moves ε or U.
    if amounts != NONE:
        found = listing_of(amounts)
        column = Weighted(found.numbers, found.times)
        return Data(column, column.n, True, column.mean)
    return Data(LAWS[law](mean, sd), people, False, mean)


def _lognormal(mean: float, sd: float) -> ValueLaw:
    """That of a mean and an sd; so narrow that it is next to normal, the normal one."""
    if sd * NARROWEST < mean:
        return Normal(mean, sd)
    square = math.log1p((sd / mean) ** 2)
    return LogNormal(math.log(mean) - square / 2, math.sqrt(square))


LAWS: Mapping[str, Callable[[float, float], ValueLaw]] = {
    "lognormal": _lognormal, "normal": Normal, "exponential": lambda mean, _: Exponential(mean),
    "uniform": lambda mean, sd: Uniform(mean - math.sqrt(3) * sd, mean + math.sqrt(3) * sd)}


def moments(data: Data, lower: float, upper: Array, about: str) -> Moments:
    """About these data, which of a law are as expected, or about the population that they are drawn from."""
    return _moments(data, lower, np.asarray(upper).tobytes(), about == "population")


@lru_cache(maxsize=64)
def _moments(data: Data, lower: float, uppers: bytes, drawn: bool) -> Moments:
    upper, values = np.frombuffer(uppers), data.values
    low = np.full(upper.shape, lower)
    bias = np.asarray(values.bias(low, upper))
    if not drawn:
        return Moments(bias, data.mean + bias, np.zeros(upper.shape))
    mean, variance = map(np.asarray, values.clipped_moments(low, upper))
    return Moments(bias, mean, variance)


def drawn_anew(data: Data, study: f.Number, size: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Of each of so many data: how far their clipped mean is from the true one, and that mean.

    Of a population the values are drawn, of many their sum as a normal number; these data are what they are.
    """
    at = moments(data, study.lower, np.array([study.upper]), study.about)
    bias, mean, spread = (float(each[0]) for each in at)
    if study.about == "data" or not study.is_summed:
        return np.full(size, bias), np.full(size, mean)
    if data.n > DRAWN:
        away = math.sqrt(spread / data.n) * rng.standard_normal(size)
    else:
        values = np.asarray(data.values.quantile(rng.random((size, data.n))))
        away = np.clip(values, study.lower, study.upper).mean(axis=1) - mean
    return bias + away, mean + away
