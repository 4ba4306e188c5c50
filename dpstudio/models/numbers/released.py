"""The law of a number that is released: its true value, the bias of clipping, and noise."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.core.search import first_double, first_whole
from dpstudio.mechanisms.mechanism import SHARE
from dpstudio.mechanisms.noise import Noise
from dpstudio.records import dataclass
from dpstudio.vocabulary import AMOUNT, NOISE_STEP, RELEASE_BIAS

_LARGEST = 1e300
_END = 2**62
_ROUNDING = 2.0**-48
"""Part of a number by which it may lie beside a place of the grid and still is that one."""


@dataclass(frozen=True)
class Released:
    """value + bias + step · X: the value of the data, what clipping moves it by, and noise; whole noise has a grid."""

    noise: Noise
    value: float = 0.0
    bias: float = 0.0
    step: float = 1.0

    def __post_init__(self) -> None:
        for name, quantity in (("value", AMOUNT), ("bias", RELEASE_BIAS), ("step", NOISE_STEP)):
            object.__setattr__(self, name, parameter_value(quantity, getattr(self, name), name))

    @property
    def mean(self) -> float:
        """value + bias."""
        return self.value + self.bias

    @property
    def sd(self) -> float:
        """The standard deviation of the noise."""
        return self.step * self.noise.sd

    @property
    def rmse(self) -> float:
        """√(bias² + sd²), how far the released number is off from the value."""
        return math.hypot(self.bias, self.sd)

    def density(self, x: npt.ArrayLike) -> float | Array:
        """The density at x; of whole noise the probability of x, 0 between the places of its grid."""
        found = np.asarray(self.noise.density(self._units(x)))
        return shaped(found if self.noise.is_whole else found / self.step)

    def cdf(self, x: npt.ArrayLike) -> float | Array:
        """Pr[released ≤ x], to full relative accuracy where it is small."""
        return self.noise.cdf(self._units(x))

    def tail(self, x: npt.ArrayLike) -> float | Array:
        """Pr[released ≥ x]."""
        return self.noise.tail(self._units(x))

    def quantile(self, p: npt.ArrayLike) -> float | Array:
        """The smallest x with Pr[released ≤ x] ≥ p, −∞ at 0 and ∞ at 1; p is in [0, 1]."""
        return shaped(np.asarray(self.mean + self.step * np.asarray(self.noise.quantile(p))))

    def half_width(self, level: npt.ArrayLike = 0.95) -> float | Array:
        """The least t with Pr[|released − value| ≤ t] ≥ level: how near to the value of the data it is that often."""
        return half_width(self.noise, self.bias, level, self.step)

    def _units(self, x: npt.ArrayLike) -> Array:
        """How many steps of noise make x of the mean; next to a whole one, that."""
        at = numbers_in(x, AMOUNT, "x")
        units = ((at - self.value) - self.bias) / self.step
        if self.noise.is_whole:
            room = _ROUNDING * (np.abs(at) + abs(self.value) + abs(self.bias)) / self.step
            units = np.where(np.abs(units - np.rint(units)) <= room, np.rint(units), units)
        return np.clip(units, -_LARGEST, _LARGEST)


def half_width(noise: Noise, bias: npt.ArrayLike, level: npt.ArrayLike = 0.95, step: npt.ArrayLike = 1.0
               ) -> float | Array:
    """The least t ≥ 0 with Pr[|bias + step · X| ≤ t] ≥ level, of any shapes; level is in (0, 1).

    Exact to the last digits of the noise's law, by its upper tail alone: X is symmetric, so that it is missed with
    Pr[X > (t − |b|)/g] + Pr[X > (t + |b|)/g]. Above level 0.5 what is missed, 1 − level, is exact.
    """
    b, missed, g = np.broadcast_arrays(numbers_in(bias, RELEASE_BIAS, "bias"),
                                       1 - numbers_in(level, SHARE, "level"), numbers_in(step, NOISE_STEP, "step"))
    units = np.abs(b) / g
    return shaped(np.asarray(g * (_whole if noise.is_whole else _smooth)(noise, units, missed)))


def _smooth(noise: Noise, units: Array, missed: Array) -> Array:
    def holds(t: Array) -> npt.NDArray[np.bool_]:
        at = np.clip(t, -_LARGEST, _LARGEST)
        beyond = np.asarray(noise.tail(np.minimum(at - units, _LARGEST))) + noise.tail(np.minimum(at + units, _LARGEST))
        return np.asarray((t >= 0) & (beyond <= missed))

    return first_double(holds, units.shape)


def _whole(noise: Noise, units: Array, missed: Array) -> Array:
    """Of B + f + X, 0 ≤ f < 1, the distances from 0 are f + k and 1 − f + k, and which X are as near is known of each.

    Those from −(B + k + ⌊2f⌋) to k − B, and from −(B + k + 1) to k − B + ⌊1 − 2f⌋; at f = ½ both are one, and the
    second is taken.
    """
    nearest = np.rint(units)
    on_grid = np.abs(units - nearest) <= _ROUNDING * np.maximum(nearest, 1.0)
    whole = np.where(on_grid, nearest, np.floor(units))
    part = np.where(on_grid, 0.0, units - whole)
    past = part > 0.5

    def by_part(k: Array) -> npt.NDArray[np.bool_]:
        above, below = np.asarray(noise.tail(k - whole + 1)), np.asarray(noise.tail(whole + k + past + 1))
        return np.asarray(above + below <= missed)

    def by_rest(k: Array) -> npt.NDArray[np.bool_]:
        above, below = np.asarray(noise.tail(k - whole - past + 1)), np.asarray(noise.tail(whole + k + 2))
        return np.asarray(above + below <= missed)

    first = part + first_whole(by_part, units.shape, _END)
    second = 1 - part + first_whole(by_rest, units.shape, _END)
    return np.asarray(np.where(on_grid, first, np.minimum(first, second)))
