"""One release of a plan: what it costs to be as exact as is wanted, and how exact it is at what it has.

Its strength is ε for "laplace" and "geometric" noise and μ for "gaussian" noise.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import field, replace
from typing import ClassVar

import numpy as np
from scipy.special import ndtri

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import InvalidParameter, accepted
from dpstudio.core.results import Kind
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.models.plan.shares import (
    CONFIDENCE,
    HALF_WIDTH,
    NEIGHBOURS,
    Neighbours,
    NoiseName,
    geometric_rate,
    normal_quantile,
)
from dpstudio.models.table import sensitivities
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import (
    RELEASES,
    SENSITIVITY,
    TYPE_I,
    WHOLE_SENSITIVITY,
    integers,
    reals,
    variant,
)

_SURE = variant(TYPE_I, key="confidence", domain=reals(0.5, 1, open="both"))
_MANY = variant(WHOLE_SENSITIVITY, key="cells", domain=integers(1, 10**9))
_GUARD = 1e-9
"""A half width that is needed, found by logarithms, is a whole number where it is one but for so much of it …"""
_ROUNDED = 1e-15
"""… and one that is wanted, a product of two numbers, where it is one but for so much."""


@dataclass(frozen=True)
class PlannedRelease(ABC):
    """A release that is made so many times, about everybody or about one of some disjoint groups."""

    how: ClassVar[Kind] = "exact"
    """Whether its error is exact at its strength, a bound, or an estimate."""

    times: int = field(default=1, kw_only=True)
    group: str = field(default="", kw_only=True)
    """Whom it is about: everybody, or those of a group that shares nobody with groups of another name."""

    def __post_init__(self) -> None:
        parameter_value(RELEASES, self.times, "times")
        self._check()

    @abstractmethod
    def _check(self) -> None:
        """Refuse parameters outside of their domains."""

    @property
    @abstractmethod
    def wanted(self) -> float:
        """The error that is allowed."""

    @abstractmethod
    def cost(self, noise: NoiseName, factor: float = 1.0) -> float:
        """The least strength of one time at which the error is so many times what is wanted at most."""

    def smooth_cost(self, noise: NoiseName, factor: float) -> float:
        """The same as if no half width were a whole number, by which splits of a total are sought."""
        return self.cost(noise, factor)

    @abstractmethod
    def error(self, noise: NoiseName, strength: float) -> float:
        """The error at a strength > 0 of one time, in terms of what is wanted."""

    def error_ends(self, noise: NoiseName, strength: float) -> tuple[float, float]:
        """Between what it surely lies: both are that error but of an estimate."""
        return (self.error(noise, strength),) * 2

    @property
    def error_of_nothing(self) -> float:
        """The error at strength 0."""
        return math.inf

    @abstractmethod
    def law(self, noise: NoiseName, strength: float) -> Mixed:
        """What one time gives away at most."""

    def is_exact(self, noise: NoiseName) -> bool:  # noqa: ARG002 - what is asked of some
        """Whether some neighbours are told apart as well as `law` says."""
        return True

    def leaving(self, noise: NoiseName) -> tuple[PlannedRelease, float]:  # noqa: ARG002 - as of everybody else
        """The release for whoever leaves its group or comes to it, and the part of its strength that this one has."""
        return self, 1.0


@dataclass(frozen=True)
class PlannedNumber(PlannedRelease):
    """A count or a sum with noise, within a half width of the truth with a confidence 1 − α.

    Laplace ε = Δ ln(1/α)/t, Gaussian μ = Δ Φ⁻¹(1 − α/2)/t, geometric 2a^(t+1)/(1 + a) = α with a = e^(−ε/Δ).
    """

    half_width: float
    sensitivity: float = 1.0
    confidence: float = 0.95

    def _check(self) -> None:
        parameter_value(HALF_WIDTH, self.half_width, "half_width")
        parameter_value(SENSITIVITY, self.sensitivity)
        parameter_value(CONFIDENCE, self.confidence, "confidence")

    @property
    def wanted(self) -> float:
        return self.half_width

    @property
    def moves(self) -> tuple[float, float]:
        """How far one neighbour moves the answer, in ℓ₁ and in ℓ₂."""
        return self.sensitivity, self.sensitivity

    @property
    def _log(self) -> float:
        """−ln of the chance that one number is further away."""
        return -math.log1p(-self.confidence)

    @property
    def _normal(self) -> float:
        return float(normal_quantile(np.array(self.confidence)))

    def cost(self, noise: NoiseName, factor: float = 1.0) -> float:
        return self._cost(noise, _whole_part(self.half_width * factor) if noise == "geometric" else
                          self.half_width * factor)

    def smooth_cost(self, noise: NoiseName, factor: float) -> float:
        return self._cost(noise, self.half_width * factor)

    def _cost(self, noise: NoiseName, width: float) -> float:
        one, two = self.moves
        if noise == "gaussian":
            return two * self._normal / width
        if noise == "laplace":
            return one * self._log / width
        self._whole()
        return one * geometric_rate(width, self._log)

    def error(self, noise: NoiseName, strength: float) -> float:
        """The half width; of geometric noise the least whole one."""
        one, two = self.moves
        if noise == "gaussian":
            return two * self._normal / strength
        if noise == "laplace":
            return one * self._log / strength
        self._whole()
        rate = strength / one
        width = (self._log - math.log1p(math.expm1(-rate) / 2)) / rate - 1
        return max(math.ceil(width - _GUARD * (1 + abs(width))), 0.0)

    def law(self, noise: NoiseName, strength: float) -> Mixed:
        if noise == "gaussian":
            return Mixed((), strength)
        return Mixed((strength,)) if noise == "laplace" else Mixed((), responses=(strength,))

    def is_exact(self, noise: NoiseName) -> bool:
        """Geometric noise moved by more than 1 is taken for the worst of its ε."""
        return noise != "geometric" or self.sensitivity == 1

    def _whole(self) -> None:
        parameter_value(WHOLE_SENSITIVITY, self.sensitivity, "sensitivity")


@dataclass(frozen=True)
class PlannedTable(PlannedNumber):
    """Counts in K cells, all within a half width at once, where each person is in κ of them at most, once in each.

    One neighbour moves m = min(K, κ) cells by 1, min(K, 2κ) where a person may change cells: ℓ₁ = m, ℓ₂ = √m.
    Each cell is further away with 1 − (1 − α)^(1/K).
    """

    half_width: float = field(kw_only=True)
    cells: int = field(kw_only=True)
    per_person: int = field(default=1, kw_only=True)
    neighbours: Neighbours = field(default="add or remove", kw_only=True)
    sensitivity: float = field(default=1.0, init=False)

    def _check(self) -> None:
        super()._check()
        parameter_value(_MANY, self.cells, "cells")
        parameter_value(_MANY, self.per_person, "per_person")
        accepted("neighbours", NEIGHBOURS, self.neighbours)

    @property
    def moved(self) -> int:
        """How many cells one neighbour moves."""
        return int(self.moves[0])

    @property
    def moves(self) -> tuple[float, float]:
        return sensitivities(self.cells, self.per_person, 1,
                             "replace" if self.neighbours == "move" else "add or remove")

    def leaving(self, noise: NoiseName) -> tuple[PlannedRelease, float]:
        """κ cells are moved, not 2κ: those that it was in, or is in."""
        i = 1 if noise == "gaussian" else 0
        return self._entered, self._entered.moves[i] / self.moves[i]

    @cached_property
    def _entered(self) -> PlannedTable:
        return replace(self, neighbours="add or remove")

    @property
    def _log(self) -> float:
        return -math.log(self._beyond)

    @property
    def _beyond(self) -> float:
        """The chance that one cell is further away."""
        return -math.expm1(math.log(self.confidence) / self.cells)

    @property
    def _normal(self) -> float:
        return -float(ndtri(self._beyond / 2))

    def law(self, noise: NoiseName, strength: float) -> Mixed:
        if noise == "gaussian":
            return Mixed((), strength)
        each = (strength / self.moved,) * self.moved
        return Mixed(each) if noise == "laplace" else Mixed((), responses=each)

    def is_exact(self, noise: NoiseName) -> bool:  # noqa: ARG002 - each cell is moved by 1
        return True


@dataclass(frozen=True)
class PlannedDecision(PlannedRelease):
    """Whether a count reaches a minimum, right with a confidence 1 − α from a half band w on either side of it.

    Laplace ε = ln(1/2α)/w, Gaussian μ = Φ⁻¹(1 − α)/w, geometric a^w/(1 + a) = α, w whole and 1 at least: no such
    noise is right nearer than that, and costs ∞.
    """

    band: float
    confidence: float = 0.95

    def _check(self) -> None:
        parameter_value(HALF_WIDTH, self.band, "band")
        parameter_value(_SURE, self.confidence, "confidence")

    @property
    def wanted(self) -> float:
        return self.band

    @property
    def _log(self) -> float:
        """−ln 2α."""
        return -math.log(2 * (1 - self.confidence))

    def cost(self, noise: NoiseName, factor: float = 1.0) -> float:
        if noise != "geometric":
            return self._cost(noise, self.band * factor)
        self._whole()
        band = _whole_part(self.band * factor)
        return self._cost(noise, band) if band >= 1 else math.inf

    def smooth_cost(self, noise: NoiseName, factor: float) -> float:
        if noise != "geometric":
            return self._cost(noise, self.band * factor)
        self._whole()
        return self._cost(noise, max(self.band * factor, 1.0))

    def _cost(self, noise: NoiseName, band: float) -> float:
        if noise == "gaussian":
            return float(ndtri(self.confidence)) / band
        if noise == "laplace":
            return self._log / band
        return geometric_rate(band - 1, self._log)

    def _whole(self) -> None:
        if self.band < 1:
            raise InvalidParameter("band", "at least 1 with geometric noise", self.band)

    def error(self, noise: NoiseName, strength: float) -> float:
        """The half band; of geometric noise the least whole one."""
        if noise == "gaussian":
            return float(ndtri(self.confidence)) / strength
        if noise == "laplace":
            return self._log / strength
        band = (self._log - math.log1p(math.expm1(-strength) / 2)) / strength
        return max(math.ceil(band - _GUARD * (1 + band)), 1.0)

    def law(self, noise: NoiseName, strength: float) -> Mixed:
        """Of geometric noise a response where the count is next to the minimum; else that of the noisy count."""
        if noise == "gaussian":
            return Mixed((), strength)
        return Mixed((strength,)) if noise == "laplace" else Mixed((), responses=(strength,))

    def is_exact(self, noise: NoiseName) -> bool:
        return noise == "geometric"


def _whole_part(width: float) -> float:
    """The greatest whole number that is no more, but for rounding."""
    return float(math.floor(width * (1 + _ROUNDED)))
