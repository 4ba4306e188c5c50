"""A whole plan: totals over all times and groups, splits of a total, and the law of all its releases."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpstudio.core.arrays import numbers_in, parameter_value
from dpstudio.core.declare import Array, InvalidParameter, accepted
from dpstudio.core.law import Law
from dpstudio.core.results import Kind
from dpstudio.core.search import falling_root
from dpstudio.models.plan.releases import PlannedRelease
from dpstudio.models.plan.shares import NEIGHBOURS, NOISES, Neighbours, NoiseName, parallel, parallel_mu
from dpstudio.models.plan.unlike import errors, together
from dpstudio.records import dataclass
from dpstudio.vocabulary import EPSILON, EPSILON_OR_ZERO

_TINY = 1e-300


@dataclass(frozen=True)
class ReleasePlan:
    """Releases with one noise, under one relation of neighbours; a strength stands for one time of each.

    What everybody is in adds up, and of disjoint groups the greatest counts or, where a person may move from one to
    another, the two greatest as they are for whoever leaves, if that is more. Where a person's values may change within
    a group, its releases must be priced for that.
    """

    releases: tuple[PlannedRelease, ...]
    noise: NoiseName
    neighbours: Neighbours = "add or remove"

    def __post_init__(self) -> None:
        accepted("noise", NOISES, self.noise)
        accepted("neighbours", NEIGHBOURS, self.neighbours)
        object.__setattr__(self, "releases", tuple(self.releases))
        if not self.releases or not all(isinstance(each, PlannedRelease) for each in self.releases):
            raise InvalidParameter("releases", "a list of one release at least", self.releases)

    def costs(self, factor: float = 1.0) -> Array:
        """The least strength of each at which its error is so many times what is wanted at most."""
        return np.array([each.cost(self.noise, factor) for each in self.releases])

    def errors(self, strengths: Sequence[float] | Array) -> Array:
        """The error of each, in terms of what is wanted; at strength 0 ∞, but of a choice."""
        return errors(self.releases, self._noises, self._checked(strengths))

    def ratios(self, strengths: Sequence[float] | Array) -> Array:
        """Error over want of each."""
        return np.asarray(self.errors(strengths) / np.array([each.wanted for each in self.releases]))

    def worst_ratio(self, strengths: Sequence[float] | Array) -> float:
        """The greatest ratio of error to want: 1 at most where all wants are met."""
        return float(self.ratios(strengths).max())

    def total(self, strengths: Sequence[float] | Array) -> float:
        """The ε, or μ, of all times together, for whoever is in the most."""
        given = self._checked(strengths)
        gaussian = self.noise == "gaussian"
        groups: dict[str, list[tuple[float, float]]] = {"": []}
        for each, strength in zip(self.releases, given, strict=True):
            of_all = math.sqrt(each.times) * strength if gaussian else each.times * strength
            groups.setdefault(each.group, []).append((of_all, of_all * each.leaving(self.noise)[1]))
        join = math.hypot if gaussian else lambda *parts: math.fsum(parts)
        everybody = join(*(part for part, _ in groups.pop("")))
        if not groups:
            return everybody
        stays, leaves = ([join(*parts) for parts in both] for both in zip(
            *(zip(*parts, strict=True) for parts in groups.values()), strict=True))
        greatest = parallel_mu if gaussian else parallel
        top = greatest(stays, "add or remove")
        return join(everybody, max(top, greatest(leaves, "move")) if self.neighbours == "move" else top)

    @property
    def least(self) -> float:
        """The least total with which all wants are met."""
        return self.total(self.costs())

    def even(self, total: float) -> Array:
        """The same strength for each time of each release."""
        whole = parameter_value(EPSILON, total, "total")
        ones: Array = np.ones(len(self.releases))
        return ones * (whole / self.total(ones))

    def best(self, total: float) -> Array:
        """The strengths of that total with the least worst ratio: all errors are the same part of what is wanted.

        Of geometric noise as if half widths were no whole numbers.
        """
        whole = parameter_value(EPSILON, total, "total")

        def over(log: float) -> float:
            return math.log(max(self.total(self._smooth_costs(math.exp(log))), _TINY) / whole)

        start = math.log(self.least / whole) if self.least > 0 else 0.0
        found = self._smooth_costs(math.exp(falling_root(over, start, 0.5)))
        return np.asarray(found * (whole / self.total(found)))

    def left(self, total: float, strengths: Sequence[float] | Array) -> float:
        """What of a total is left for a further release about everybody, once; 0 where nothing is."""
        whole, used = parameter_value(EPSILON, total, "total"), self.total(strengths)
        if used >= whole:
            return 0.0
        return math.sqrt((whole - used) * (whole + used)) if self.noise == "gaussian" else whole - used

    def law(self, strengths: Sequence[float] | Array) -> tuple[Law, Kind]:
        """The law of all releases at all times, and whether some neighbours are told apart so well."""
        return together(self.releases, self._noises, self._checked(strengths), moving=self.neighbours == "move")

    def _smooth_costs(self, factor: float) -> Array:
        return np.array([each.smooth_cost(self.noise, factor) for each in self.releases])

    @property
    def _noises(self) -> tuple[NoiseName, ...]:
        return (self.noise,) * len(self.releases)

    def _checked(self, strengths: Sequence[float] | Array) -> list[float]:
        given = numbers_in(strengths, EPSILON_OR_ZERO, "strengths")
        if given.shape != (len(self.releases),):
            raise InvalidParameter("strengths", f"{len(self.releases)} numbers", strengths)
        return given.tolist()  # type: ignore[no-any-return]
