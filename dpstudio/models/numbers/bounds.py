"""Bounds that people's values are clipped to: what one person moves a sum by, what clipping costs, and the best bound.

A sum of clipped values is off by the bias Σ clip(x) − x, and by its noise. A higher bound cuts less away, and needs
more noise. [Amin et al. 2019.] The best one depends on the data: who publishes it, or anything chosen by it, releases
something about them; `private_bound` is one that is itself private.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import wrightomega

from dpstudio.core.arrays import numbers_in, of_each, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, accepted
from dpstudio.core.search import narrowing
from dpstudio.mechanisms.quantile import NEIGHBOURS, PrivateBound
from dpstudio.models.numbers.base import ValueLaw, bounds
from dpstudio.models.numbers.column import Weighted
from dpstudio.records import dataclass
from dpstudio.vocabulary import (
    EPSILON,
    EXACT_INTEGERS,
    POSITIVE_MEAN,
    RECORDS,
    SUM_NOISE_VARIANCE,
    UNIT_VARIANCE,
    Choice,
    integers,
    reals,
    variant,
)

ABOUT = Choice(("data", "population"))
"""Whether a release is about the people in the data, or about the law that they are drawn from."""
PEOPLE = variant(RECORDS, key="people", domain=integers(1, EXACT_INTEGERS))
_LEAST, _MOST = 1e-150, 1e140
"""A best bound is sought between these, and is 0 where it lies below."""


def sum_sensitivity(lower: npt.ArrayLike, upper: npt.ArrayLike, rows: npt.ArrayLike = 1,
                    neighbours: str = "add or remove", exactly: bool = False) -> float | Array:
    """The most by which one person, with so many rows at most, moves a sum of values clipped to [L, U].

    c max(|L|, |U|) where a person is added or removed. Where one is replaced c (max(U, 0) − min(L, 0)), for the other
    may have fewer rows, and c (U − L) only if everybody has `exactly` so many. Of any shapes, rounded up.
    """
    low, high = bounds(lower, upper)
    most = numbers_in(rows, PEOPLE, "rows")
    accepted("neighbours", NEIGHBOURS, neighbours)
    if not isinstance(exactly, bool):
        raise InvalidParameter("exactly", "yes or no", exactly)

    def of(least: float, greatest: float, times: float) -> float:
        one, other = Fraction(least), Fraction(greatest)
        if neighbours == "add or remove":
            moved = max(abs(one), abs(other))
        else:
            moved = other - one if exactly else max(other, Fraction(0)) - min(one, Fraction(0))
        exact = moved * int(times)
        nearest = float(exact)
        return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)

    return of_each(of, low, high, most)


def clipping_bias(values: npt.ArrayLike | Weighted, lower: npt.ArrayLike, upper: npt.ArrayLike) -> float | Array:
    """Σ clip(x) − x of the sum, at each pair of bounds: what is raised to L less what is cut off above U."""
    low, high = bounds(lower, upper)
    column = _column(values)
    return shaped(np.asarray(column.sum_below(low) - column.sum_above(high)))


def sum_rmse(values: npt.ArrayLike | Weighted, lower: npt.ArrayLike, upper: npt.ArrayLike,
             noise_variance: npt.ArrayLike) -> float | Array:
    """√(bias² + variance of the noise), how far the noisy sum of the clipped values is off from that of the values."""
    noise = numbers_in(noise_variance, SUM_NOISE_VARIANCE, "noise_variance")
    return shaped(np.asarray(np.hypot(clipping_bias(values, lower, upper), np.sqrt(noise))))


def best_upper(values: npt.ArrayLike | Weighted, unit_variance: float) -> tuple[float, float]:
    """The best U for the sum of values ≥ 0 clipped to [0, U], with noise of variance vU², and its rmse.

    B(U)² + vU² with B(U) = Σ (x − U)⁺ is convex, and with k values above U, of the sum S, least at kS/(k² + v): there,
    if it lies between its two values, else at the value where the slope changes its sign.
    """
    v = parameter_value(UNIT_VARIANCE, unit_variance, "unit_variance")
    column = _column(values)
    if column.sorted[0] < 0:
        raise InvalidParameter("values", "0 or more", float(column.sorted[0]))
    places = np.concatenate([[0.0], column.sorted])
    above, lost = column.more_than(places), column.sum_above(places)
    # Half of the slope to the right of each place; the last one has none above it.
    first = int(np.argmax(v * places - above * lost >= 0))
    upper = float(places[first])
    if first:
        k = float(above[first - 1])
        rest = float(lost[first - 1]) + k * float(places[first - 1])  # the sum of the values above the place before
        upper = min(upper, k * rest / (k * k + v))
    return upper, math.hypot(float(column.sum_above(np.asarray(upper))), math.sqrt(v) * upper)


def best_upper_exponential(mean: npt.ArrayLike, n: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """The best U for the sum of n values of an exponential law with Laplace noise of scale U/ε: ½W((nε)²) means.

    Of bias² + noise variance, with the bias that is expected: 2u e^(2u) = (nε)², u = U/mean. By the logarithm of nε, so
    that its square may be any. Of any shapes.
    """
    scale, people = numbers_in(mean, POSITIVE_MEAN, "mean"), numbers_in(n, PEOPLE, "n")
    e = numbers_in(epsilon, EPSILON)
    return shaped(np.asarray(scale * (wrightomega(2 * (np.log(people) + np.log(e))) / 2)))


@dataclass(frozen=True, slots=True)
class Errors:
    """How far a released number is off at each pair of bounds, by its parts."""

    bias: Array
    """What clipping moves it by; of a law, what is expected."""
    noise: Array
    """The standard deviation of the noise."""
    sampling: Array
    """The standard deviation of the number without noise, where the people are drawn from the law anew."""

    @property
    def about_data(self) -> Array:
        """√(bias² + noise²), about the people in the data."""
        return np.hypot(self.bias, self.noise)

    @property
    def about_population(self) -> Array:
        """That with what the draw of the people adds, about the law that they are drawn from."""
        return np.hypot(self.about_data, self.sampling)


def sum_errors(values: ValueLaw, n: int, lower: npt.ArrayLike, upper: npt.ArrayLike, noise_variance: npt.ArrayLike
               ) -> Errors:
    """Of the noisy sum of n clipped values; bounds and variances of noise are of any shapes."""
    return _errors(values, n, lower, upper, noise_variance, 1.0)


def mean_errors(values: ValueLaw, n: int, lower: npt.ArrayLike, upper: npt.ArrayLike, noise_variance: npt.ArrayLike
                ) -> Errors:
    """Of that sum divided by n, which is public; the noise is that of the sum."""
    return _errors(values, n, lower, upper, noise_variance, parameter_value(PEOPLE, n, "n"))


def _errors(values: ValueLaw, n: int, lower: npt.ArrayLike, upper: npt.ArrayLike, noise_variance: npt.ArrayLike,
            divided: float) -> Errors:
    people = parameter_value(PEOPLE, n, "n")
    noise = np.sqrt(numbers_in(noise_variance, SUM_NOISE_VARIANCE, "noise_variance"))
    bias, variance = np.asarray(values.bias(lower, upper)), np.asarray(values.clipped_moments(lower, upper)[1])
    parts = people * bias / divided, noise / divided, math.sqrt(people) / divided * np.sqrt(variance)
    return Errors(*(np.asarray(part) for part in np.broadcast_arrays(*parts)))


def best_bound(values: ValueLaw, n: int, unit_variance: float, about: str = "data") -> tuple[float, float]:
    """The best U for a sum of n values of a law clipped to [0, U], with noise of variance vU², and its rmse.

    It is the best one for their mean, too, whose rmse is a part n of it. With T(U) = Pr[X > U] and the bias b of one
    value, which falls as U grows, half the slope of the square is vU − n²|b|T or, about the population, vU − n²T(|b| −
    (U − E clip X)/n); it changes its sign once. v > 0. [Amin et al. 2019.]
    """
    people = parameter_value(PEOPLE, n, "n")
    v = parameter_value(variant(UNIT_VARIANCE, domain=reals(0, 1e150, open="low")), unit_variance, "unit_variance")
    accepted("about", ABOUT, about)

    def short(upper: float) -> float:
        """ln of what more U takes away, less ln of what it adds."""
        gain = -float(values.bias(0.0, upper))
        if about == "population":
            gain -= (upper - float(values.clipped_moments(0.0, upper)[0])) / people
        gain *= float(values.tail(upper))
        return 2 * math.log(people) + math.log(gain) - math.log(v) - math.log(upper) if gain > 0 else -math.inf

    upper = 0.0
    if short(_LEAST) > 0:
        upper = [high for _, high in narrowing(short, _LEAST, _MOST)][-1]
    errors = sum_errors(values, n, 0.0, upper, v * upper * upper)
    return upper, float(errors.about_data if about == "data" else errors.about_population)


def private_bound(values: npt.ArrayLike | Weighted, lower: float, upper: float, bound_epsilon: float, sum_epsilon: float
                  ) -> PrivateBound:
    """The bound, drawn with an ε of its own from [lower, upper], that 1/ε values lie above for the ε of the sum.

    Near the ⌈1/ε⌉-th largest value clipping costs what Laplace noise does, so that E|error| of the sum is nearly least.
    """
    column = _column(values)
    return PrivateBound(column.sorted, lower, upper, 1 / parameter_value(EPSILON, sum_epsilon, "sum_epsilon"),
                        parameter_value(EPSILON, bound_epsilon, "bound_epsilon"), column.persons)


def private_bound_rmse(bound: PrivateBound, unit_variance: float) -> float:
    """How far the sum of values ≥ 0 is off on average, clipped to [0, U] with such a U and with noise of variance vU².

    Σ Pr[piece] × mean over it of B(u)² + vu², where B is a straight line on each piece: the mean of the square of one
    from b to c is (b² + bc + c²)/3. Both draws are private: the two ε add up.
    """
    v = parameter_value(UNIT_VARIANCE, unit_variance, "unit_variance")
    column = Weighted(bound.values, bound.times)
    if min(column.sorted[0], bound.lower) < 0:
        raise InvalidParameter("values and lower", "0 or more", float(min(column.sorted[0], bound.lower)))
    starts, ends = bound.edges[:-1], bound.edges[1:]
    lost = column.sum_above(bound.edges)
    squares = _mean_square(lost[:-1], lost[1:]) + v * _mean_square(starts, ends)
    return math.sqrt(float(np.sum(bound.probabilities * squares)))


def _mean_square(first: Array, last: Array) -> Array:
    return np.asarray((first * first + first * last + last * last) / 3)


def _column(values: npt.ArrayLike | Weighted) -> Weighted:
    return values if isinstance(values, Weighted) else Weighted(values)
