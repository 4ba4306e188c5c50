"""Largest of numbers with Gaussian or discrete Gaussian noise, by the trapezoidal rule.

The integrands have no singularity anywhere and fall away as normal densities do, so that equal steps of σ/8 leave
1e-15. Those of discrete Gaussian noise are taken at every whole number; where σ is large so few more digits would be
told by all of them that steps of σ/8 are enough again, between which the sums of its density go on as they do at whole
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import log_ndtr, ndtr

from dpstudio.core.declare import Array
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise
from dpstudio.mechanisms.ranking.places import where_it_counts, within_steps
from dpstudio.records import dataclass

_STEP, _STEPS = 1 / 8, 40
"""A step is so much of σ, and there are so many at least where the integrand counts."""
_GONE = 56.0
"""A number so many σ below another is never above it, as far as doubles tell."""
_FAR = 11.0
"""So many σ, and ln K/4 more, off no noise of K numbers counts."""
_CLEAR = 9.5
"""So many σ above a number it is no more than 1e-21 likely to be larger."""
_AT_ONCE, _LOOKED_UP = 2**18, 2**10


_CROWDED = 50
"""With more numbers than so many the steps are half as long: their largest has less spread."""
_LARGEST_TABLE = 650.0
"""Up to this σ tails of whole noise are looked up, beyond it they are the integral and three corrections."""


@dataclass(frozen=True)
class Bell:
    """Numbers with Gaussian noise or with discrete Gaussian noise."""

    noise: GaussianNoise | DiscreteGaussianNoise

    def winning(self, values: Array, times: Array) -> Array:
        """The probability of each of one number or of several alike to be the largest: ∫ G f/F, G = Π F.

        `values` rise and end with 0, `times` says how many there are of each.
        """
        sigma, found = self.noise.sigma, np.zeros(values.size)
        first = int(np.searchsorted(values, -_GONE * sigma - 2 * self._whole))
        some, many = values[first:], times[first:]
        reach = self._reach(float(many.sum()))

        def integrand(of: float) -> Callable[[Array], Array]:
            return lambda v: self._sums(v, some, many)[0] + self._parts(v - of)[1]

        ends = [where_it_counts(integrand(of), of - reach, reach) for of in (float(some[0]), 0.0)]
        v, weight = self._places(ends, float(many.sum()))
        rest, weights = np.zeros(v.size), np.ones(v.size)
        if self._whole:
            step, rest, weights = within_steps(self._sums(v, some, many)[1])
            v = v[step]
        for at in self._chunks(v.size, some.size):
            logs, hazards = self._parts(v[at, None] - some, rest[at, None])
            found[first:] += (weight * weights[at] * np.exp(logs @ many)) @ np.exp(hazards)
        return found

    def apart(self, above: Array, above_times: Array, below: Array, below_times: Array) -> float:
        """The probability that the numbers above, the least of which is 0, are all larger than those below: ∫ T dG."""
        if -below[-1] > 2 * _GONE * self.noise.sigma:
            return 1.0
        count = float(above_times.sum() + below_times.sum())
        reach = self._reach(count)

        def log_integrand(v: Array) -> Array:
            log, rises = self._sums(v, below, below_times, steps=True)
            log = log + self._sums(-v - self._whole, -above, above_times)[0]
            return np.asarray(log + np.log(-np.expm1(-rises) if self._whole else rises))

        v, weight = self._places([where_it_counts(log_integrand, float(below[-1]) - reach, reach)], count)
        return float(weight * np.exp(log_integrand(v)).sum())

    @property
    def _whole(self) -> bool:
        return self.noise.is_whole

    def _reach(self, count: float) -> float:
        return (_FAR + math.log(count) / 4) * self.noise.sigma + 2 * self._whole

    def _places(self, ends: list[tuple[float, float]], count: float) -> tuple[Array, float]:
        """Equal steps from the least of the ends to the largest, whole for whole noise, and their length."""
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        step = min(_STEP * self.noise.sigma, *((high - low) / _STEPS for low, high in ends))
        step = step / 2 if count > _CROWDED else step
        if self._whole:
            low, step = math.floor(low), max(math.floor(step), 1.0)
        return low + step * np.arange(math.ceil((high - low) / step) + 1.0), step

    def _chunks(self, places: int, numbers: int) -> list[slice]:
        size = max(_AT_ONCE // max(numbers, 1), 1)
        return [slice(start, start + size) for start in range(0, places, size)]

    def _sums(self, v: Array, values: Array, times: Array, steps: bool = False) -> tuple[Array, Array]:
        """ln G at each place, and its slope Σ f/F; with `steps` of whole noise ln G(v)/G(v − 1) in its place."""
        found = np.zeros((2, v.size))
        # Numbers that lie clear of all places count for nothing.
        near = values > v.min() - _CLEAR * self.noise.sigma - 2 * self._whole
        values, times = values[near], times[near]
        for at in self._chunks(v.size, values.size):
            logs, hazards = self._parts(v[at, None] - values)
            slopes = np.exp(hazards)
            if steps and self._whole:
                slopes = -np.log1p(-np.minimum(slopes, 1.0))
            found[:, at] = logs @ times, slopes @ times
        return found[0], found[1]

    def _parts(self, x: Array, rest: Array | float = 0.0) -> tuple[Array, Array]:
        """ln F and ln f/F at a distance from a number; of whole noise where so much is left of the step to x."""
        sigma = self.noise.sigma
        z = x / sigma
        if isinstance(self.noise, GaussianNoise):
            log = np.asarray(log_ndtr(z))
            return log, -z * z / 2 - math.log(ROOT_TWO_PI * sigma) - log
        log_mass = -z * z / 2 - math.log(self.noise._whole)
        under, mass = x < 0, np.exp(log_mass)
        # Below the number all that is below the place and a part of its step, from it on what that lacks to 1.
        tail = self._tails(np.abs(x) + 1) + mass * np.where(under, 1 - rest, rest)
        log = np.log1p(-np.where(under, 0.0, tail))
        log = np.where(under, np.log(tail), log)
        return log, np.where(log > -math.inf, log_mass - log, -math.inf)

    def _tails(self, x: Array) -> Array:
        """Pr[X ≥ x] of whole noise at x ≥ 1."""
        assert isinstance(self.noise, DiscreteGaussianNoise)
        sigma = self.noise.sigma
        if sigma <= _LARGEST_TABLE:
            if x.size < _LOOKED_UP or (np.floor(x) != x).any():
                return self.noise._upper(x)
            table = self.noise._upper(np.arange(1.0, x.max() + 1))
            return np.asarray(table[x.astype(np.intp) - 1])
        # Euler and Maclaurin's formula from x − ½ on: with z = (x − ½)/σ its derivatives are Hermite polynomials.
        z = np.minimum((x - 0.5) / sigma, 1e100)
        square = z * z
        corrections = z / sigma * (-1 / 24 + (square - 3) * (7 / 5760 / sigma**2)
                                   - ((square - 10) * square + 15) * (31 / 967680 / sigma**4))
        found = ndtr(-z) * (ROOT_TWO_PI * sigma) + np.exp(-square / 2) * corrections
        return np.asarray(found / self.noise._whole)
