"""How often a released number is off by more than a distance: bias and noise and, of a population, a bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.search import first_double
from dpstudio.mechanisms.noise import Noise
from dpstudio.models.numbers import half_width
from dpstudio.records import dataclass

SPLITS = np.linspace(0.01, 0.99, 99)
"""Parts that a bound leaves to the draw of the data; the noise has the rest."""


class Far(NamedTuple):
    """A distance or a probability, and whether it is exact; else it is a bound from above."""

    value: float
    exact: bool = True


@dataclass(frozen=True)
class Off:
    """bias + step · noise, and what the draw of the data adds: of it the standard deviation alone is known."""

    bias: float
    noise: Noise
    step: float = 1.0
    sampling: float = 0.0

    def beyond(self, t: float) -> Far:
        """Pr[|error| > t]; with a sample Pr[|bias + noise| > t − x] + s²/x² at the best x [Chebyshev]."""
        if self.sampling == 0:
            return Far(min(float(self._beyond(np.asarray(t))), 1.0))
        x = t * SPLITS
        with np.errstate(divide="ignore", over="ignore"):
            found = self._beyond(t - x) + (self.sampling / x) ** 2 if t > 0 else np.ones(1)
        return Far(min(float(found.min()), 1.0), False)

    def within(self, level: float) -> Far:
        """The least t with Pr[|error| ≤ t] ≥ level; with a sample that of the noise and of the sample at the best x."""
        missed = 1 - level
        if self.sampling == 0:
            return Far(float(half_width(self.noise, self.bias, level, self.step)))
        noise = np.asarray(half_width(self.noise, np.full(SPLITS.shape, self.bias), 1 - missed * (1 - SPLITS),
                                      self.step))
        rmse = math.hypot(math.hypot(self.bias, self.step * self.noise.sd), self.sampling)
        return Far(min(float((noise + self.sampling / np.sqrt(missed * SPLITS)).min()), rmse / math.sqrt(missed)),
                   False)

    def _beyond(self, t: Array) -> Array:
        """Pr[|bias + step · noise| > t]."""
        b = abs(self.bias)
        ends = [np.clip(each / self.step, -1e300, 1e300) for each in (t - b, t + b)]
        return np.asarray(np.where(t < 0, 1.0, np.asarray(self.noise.tail(ends[0])) + self.noise.tail(ends[1])))


def distance(beyond: Callable[[Array], Array], level: float) -> float:
    """The least t ≥ 0 with Pr[|error| > t] ≤ 1 − level."""
    def holds(t: Array) -> npt.NDArray[np.bool_]:
        at = np.clip(t, 0.0, 1e139)
        return np.asarray((t >= 0) & (beyond(at) <= 1 - level))

    return float(first_double(holds, ()))
