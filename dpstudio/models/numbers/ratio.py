"""The mean of clipped values where the number of people is private, too: a noisy sum over a noisy count.

With M = max(n + Y, 1) for the noise Y of the count, X that of the sum and a public centre m₀, the released mean is
m₀ + (Σ(x − m₀) + X)/M. Without the maximum it has no mean, whatever n is. Symmetric noise makes pairs ±y, by which all
is a sum of terms of one sign; a long sum of smooth terms is an integral with Gregory's corrections at its ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, of_each, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.quadrature import integral
from dpstudio.core.search import first_double, narrowing
from dpstudio.mechanisms.mechanism import SHARE
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GeometricNoise, Noise
from dpstudio.models.numbers.bounds import PEOPLE
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import AMOUNT, EPSILON, NONNEGATIVE, SENSITIVITY, SUM_NOISE_VARIANCE, variant

_RARE = 1e-290
"""Noise that is rarer is left out."""
_PART = 1e-20
"""Where a probability is reached, noise is left out that is rarer than so much of it."""
_AT_ONCE = 2**18
"""So many terms are added one by one."""
_MOST = 2**23
"""Of a sum that is not smooth so many at most."""
_ENDS = 256
"""Terms on either side of n, where 1/(n − y) or 1/(n + y) may be steep, are always added one by one."""
_SMOOTH = (GeometricNoise, DiscreteGaussianNoise)
"""Noise whose masses are a smooth function on either side of 0."""
_GREGORY = (1 / 2, 1 / 12, 1 / 24, 19 / 720, 3 / 160)
_DISTANCE = variant(AMOUNT, key="distance_of_mean", domain=NONNEGATIVE)

_LEAST, _NEAR = 1e-30, 1e-14
"""Parts of its deviation below which a half width is 0, and of itself to which it is found."""

Terms = Callable[[Array], Array]


def inverse_count(noise: Noise, count: int) -> tuple[float, float]:
    """E 1/M and E 1/M², M = max(n + Y, 1) of the noise Y on a count n ≥ 1; to 1e-12 for whole noise, and for other."""
    n = parameter_value(PEOPLE, count, "count")
    away, square = _away(noise, n)
    return 1 / n + away, 1 / n / n + 2 * away / n + square


def ratio_mean(count: int, mean: float, centre: float, count_noise: Noise, sum_variance: float) -> tuple[float, float]:
    """Bias and standard deviation of centre + (Σ(x − centre) + X)/max(n + Y, 1), x clipped already, of their mean.

    With A = Σ(x − centre): A E(1/M − 1/n), and the root of A² Var(1/M) + Var X E 1/M².
    """
    n = parameter_value(PEOPLE, count, "count")
    variance = parameter_value(SUM_NOISE_VARIANCE, sum_variance, "sum_variance")
    distance = parameter_value(AMOUNT, mean, "mean") - parameter_value(AMOUNT, centre, "centre")
    away, square = _away(count_noise, n)
    # n² Var(1/M), and with E 1/M² all has positive terms.
    spread = n * n * max(square - away * away, 0.0)
    of_noise = variance * (1 / n / n + 2 * away / n + square)
    return n * distance * away, math.sqrt(distance * distance * spread + of_noise)


def ratio_split(epsilon: float, sum_sensitivity: float, distance: float) -> tuple[float, float]:
    """The best split of an ε between the sum and the count, by Δ^⅔ and |mean − centre|^⅔, to first order in 1/n.

    Where the mean is the centre the count needs next to nothing, and gets 0.
    """
    whole, moved = parameter_value(EPSILON, epsilon), parameter_value(SENSITIVITY, sum_sensitivity, "sum_sensitivity")
    ratio = (parameter_value(_DISTANCE, distance, "distance") / moved) ** (2 / 3)
    return whole / (1 + ratio), whole * ratio / (1 + ratio)


def _away(noise: Noise, n: float) -> tuple[float, float]:
    """E (1/M − 1/n) and E (1/M − 1/n)²."""
    def of_pair(y: Array) -> Array:
        inside = np.minimum(y, n - 1)
        near = 2 * inside / (n + inside) * (inside / (n - inside)) / n
        return np.asarray(np.where(y <= n - 1, near, (n - 1) / n - y / (n + y) / n))

    def squares(y: Array) -> Array:
        inside = np.minimum(y, n - 1)
        down = np.where(y <= n - 1, inside / (n - inside) / n, (n - 1) / n)
        return np.asarray((y / (n + y) / n) ** 2 + down**2)

    if not noise.is_whole:
        far = _far(noise)
        ends = _cuts(0.0, far, (n - 1, n - min(n - 1, float(_ENDS))), noise.sd)
        density = _density(noise)
        return integral(lambda y: density(y) * of_pair(y), ends), integral(lambda y: density(y) * squares(y), ends)
    first, second = (_sum(noise, of, n) for of in (of_pair, squares))
    return first, second


def _sum(noise: Noise, of: Terms, n: float) -> float:
    """Σ Pr[Y = y] f(y) over y ≥ 1, smooth but where n − y is small."""
    mass, far = _density(noise), math.ceil(_far(noise))
    breaks = [1.0, *(at for at in (max(n - _ENDS, 1.0), n, n + _ENDS) if 1 < at <= far), far + 1.0]
    return sum(_total(lambda y: mass(y) * of(y), first, last - 1, noise.sd, not isinstance(noise, _SMOOTH))
               for first, last in pairwise(breaks))


def _far(noise: Noise, rare: float = _RARE) -> float:
    """The noise beyond which next to nothing lies."""
    return min(-float(noise.quantile(rare)), 1e300)


def _density(noise: Noise) -> Terms:
    """The density, or a smooth function that is the mass at whole numbers."""
    if isinstance(noise, GeometricNoise):
        rate, middle = noise.epsilon / noise.sensitivity, float(noise.density(0))
        return lambda y: middle * np.exp(-rate * np.abs(y))
    if isinstance(noise, DiscreteGaussianNoise):
        sigma, middle = noise.sigma, float(noise.density(0))
        return lambda y: middle * np.exp(-((y / sigma) ** 2) / 2)
    return lambda y: np.asarray(noise.density(y))


def _total(terms: Terms, first: float, last: float, scale: float, steep: bool = False) -> float:
    """Σ f(y) over the whole y from the first to the last: one by one, or where they are many and smooth by an integral.

    Gregory's formula: ∫ f + (f₀ + f₁)/2 + Σ cₖ (∇ᵏf₁ + (−1)ᵏ Δᵏf₀).
    """
    if last < first:
        return 0.0
    if steep and last - first > _MOST:
        raise InvalidParameter("noise", "of another kind, as that of the count is so large: geometric or discrete "
                               "Gaussian, and of the sum not whole", float(last - first))
    if last - first < _AT_ONCE or steep:
        starts = np.arange(first, last + 1, _AT_ONCE)
        return math.fsum(float(np.sum(terms(np.arange(at, min(at + _AT_ONCE, last + 1))))) for at in starts)
    steps = np.arange(float(len(_GREGORY)))
    at_first, at_last = terms(first + steps), terms(last - steps)
    ends = sum(factor * (np.diff(at_first, k)[0] * (-1) ** k + np.diff(at_last, k)[0] * (-1) ** k)
               for k, factor in enumerate(_GREGORY))
    return integral(terms, _cuts(first, last, (), scale)) + float(ends)


def _cuts(first: float, last: float, at: tuple[float, ...], scale: float) -> Array:
    """Places between two, dense next to either, next to 0 and next to what is said, and of a scale."""
    powers = 2.0 ** np.arange(-4, 60, 2)
    around = [place + sign * size for place in (first, last, 0.0, *at) for sign in (-1, 0, 1)
              for size in (_ENDS * powers, scale * powers[:8])]
    places = np.unique(np.concatenate([*around, [first, last]]))
    return np.asarray(places[(places >= first) & (places <= last)])


@dataclass(frozen=True)
class RatioMean:
    """The law of centre + (Σ(x − centre) + X)/max(n + Y, 1), for n clipped values of a mean.

    Each probability is a sum over Y, exact; for count noise of more than 10⁵ the noise of the sum may not be whole.
    """

    count: int
    mean: float
    centre: float
    sum_noise: Noise
    count_noise: Noise

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", int(parameter_value(PEOPLE, self.count, "count")))
        for name in ("mean", "centre"):
            object.__setattr__(self, name, parameter_value(AMOUNT, getattr(self, name), name))
        if not self.count_noise.is_whole:
            raise InvalidParameter("count_noise", "noise on whole numbers", self.count_noise.name)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        return ratio_mean(self.count, self.mean, self.centre, self.count_noise, self.sum_noise.sd**2)

    @property
    def bias(self) -> float:
        """What it is off on average."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Its standard deviation."""
        return self._moments[1]

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[released mean ≤ x]."""
        return of_each(lambda at: self._below(at - self.mean), numbers_in(x, AMOUNT, "x"))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[released mean > x]."""
        return of_each(lambda at: self._above(at - self.mean), numbers_in(x, AMOUNT, "x"))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[released mean ≤ x] ≥ p; p is in (0, 1)."""
        asked = numbers_in(p, SHARE, "p")

        def gained(off: float, q: float) -> float:
            rare = max(min(q, 1 - q) * _PART, _RARE)
            return self._below(off, rare) - q if q < 0.5 else (1 - q) - self._above(off, rare)

        def holds(off: Array) -> npt.NDArray[np.bool_]:
            at = np.clip(off, -1e140, 1e140)
            return np.asarray(np.asarray(of_each(gained, at, asked)) >= 0)

        return shaped(np.asarray(self.mean + first_double(holds, asked.shape)))

    def half_width(self, level: npt.ArrayLike = 0.95, truth: float | None = None) -> float | Array:
        """The least t with Pr[|released mean − truth| ≤ t] ≥ level; truth is the mean of the clipped values, unless
        it is said."""
        missed = 1 - numbers_in(level, SHARE, "level")
        moved = 0.0 if truth is None else parameter_value(AMOUNT, truth, "truth") - self.mean
        return of_each(lambda left: self._half_width(moved, left), missed)

    def _half_width(self, moved: float, left: float) -> float:
        rare = max(left * _PART, _RARE)

        def behind(t: float) -> float:
            beyond = self._above(moved + t, rare) + self._below(moved - t, rare)
            return math.log(beyond / left) if beyond > 0 else -math.inf

        high = self.sd + abs(moved)
        low = high * _LEAST
        if behind(low) <= 0:
            return 0.0
        while behind(high) > 0:
            high *= 4
        for low, high in narrowing(behind, low, high):  # noqa: B020 - ever narrower ends
            if high - low <= _NEAR * high:
                break
        return high

    def _below(self, off: float, rare: float = _RARE) -> float:
        """Pr[it is off by no more than so much], from below."""
        return self._over_counts(off, lambda x: np.asarray(self.sum_noise.cdf(x)), True, rare)

    def _above(self, off: float, rare: float = _RARE) -> float:
        """Pr[it is off by more]."""
        whole = self.sum_noise.is_whole
        return self._over_counts(off, lambda x: np.asarray(self.sum_noise.tail(np.floor(x) + 1 if whole else x)),
                                 False, rare)

    def _over_counts(self, off: float, chance: Terms, below: bool, rare: float) -> float:
        """Σ Pr[Y = y] Pr[X ≤ n off + (off + mean − centre)(M − n)], or of X above; Y that is rarer is left out."""
        n, slope = float(self.count), off + (self.mean - self.centre)
        mass, far = _density(self.count_noise), math.ceil(_far(self.count_noise, rare))
        first = max(-float(far), 1.0 - n)

        def terms(y: Array) -> Array:
            return np.asarray(mass(y) * chance(np.clip(n * off + slope * y, -1e300, 1e300)))

        # All counts that are raised to 1 are as one.
        found = 0.0
        if first > -far:
            least = float(chance(np.asarray(min(max(n * off + slope * first, -1e300), 1e300))))
            found, first = float(self.count_noise.cdf(first)) * least, first + 1
        last = float(far)
        crossing = -n * off / slope if slope else math.inf
        reach = _far(self.sum_noise) / abs(slope) if slope else math.inf
        if last - first >= _AT_ONCE and (math.isfinite(crossing) and 2 * reach < _AT_ONCE):
            # Beyond a few counts about the crossing the noise of the sum decides nothing.
            low, high = (min(max(math.floor(crossing + side * reach), first), last) for side in (-1, 1))
            sure_above = (slope > 0) == below
            if sure_above and high < last:
                found += float(self.count_noise.tail(high + 1)) - float(self.count_noise.tail(last + 1))
            if not sure_above and low > first:
                found += float(self.count_noise.cdf(low - 1)) - float(self.count_noise.cdf(first - 1))
            first, last = low, high
        steep = self.sum_noise.is_whole or not isinstance(self.count_noise, _SMOOTH)
        breaks = sorted({first, last + 1, *(at for at in (0.0, math.floor(crossing) + 1.0 if math.isfinite(crossing)
                                                          else 0.0) if first < at <= last)})
        return min(found + sum(_total(terms, start, end - 1, min(self.count_noise.sd, reach / 40), steep)
                               for start, end in pairwise(breaks)), 1.0)
