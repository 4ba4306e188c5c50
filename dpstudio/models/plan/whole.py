"""A whole plan: totals over all times and groups, splits of a total, and the law of all its releases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, accepted
from dpstudio.core.law import Law, largest_loss, power, same_both_ways
from dpstudio.core.results import Kind
from dpstudio.core.search import falling_root
from dpstudio.mechanisms.laws import epsilon_at
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.models.plan.releases import PlannedRelease
from dpstudio.models.plan.shares import NEIGHBOURS, NOISES, Neighbours, NoiseName, parallel, parallel_mu
from dpstudio.records import dataclass
from dpstudio.vocabulary import EPSILON, EPSILON_OR_ZERO

_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class WorstPair:
    """Several pairs of neighbours, each with its law: at each place that which gives away the most."""

    laws: tuple[Law, ...]

    @property
    def both_ways(self) -> bool:
        """Whether all are the same both ways."""
        return all(same_both_ways(law) for law in self.laws)

    @property
    def largest_loss(self) -> float:
        """The greatest of all."""
        return max(largest_loss(law) for law in self.laws)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε), the greatest; ε is in [0, ∞), of any shape."""
        return shaped(np.maximum.reduce([np.asarray(law.delta_at(epsilon)) for law in self.laws]))

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ in [0, 1] is enough for all; ∞ where there is none."""
        return max(epsilon_at(law, delta) for law in self.laws)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α), the least; α is in [0, 1], of any shape."""
        return shaped(np.minimum.reduce([np.asarray(law.trade_off(alpha)) for law in self.laws]))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that."""
        return shaped(np.maximum.reduce([np.asarray(power(law, alpha)) for law in self.laws]))


@dataclass(frozen=True)
class ReleasePlan:
    """Releases with one noise, under one relation of neighbours; a strength stands for one time of each.

    What everybody is in adds up, and of disjoint groups the greatest counts, or the two greatest where a person may
    move from one to another. Where a person's values may change within a group, its releases must be priced for that.
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
        """The error of each, in terms of what is wanted; ∞ at strength 0."""
        return np.array([each.error(self.noise, s) if s > 0 else math.inf
                         for each, s in zip(self.releases, self._checked(strengths), strict=True)])

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
        groups: dict[str, list[float]] = {"": []}
        for each, strength in zip(self.releases, given, strict=True):
            of_all = math.sqrt(each.times) * strength if gaussian else each.times * strength
            groups.setdefault(each.group, []).append(of_all)
        join = math.hypot if gaussian else lambda *parts: math.fsum(parts)
        sums = {name: join(*parts) for name, parts in groups.items()}
        everybody = sums.pop("")
        if not sums:
            return everybody
        top = (parallel_mu if gaussian else parallel)(list(sums.values()), self.neighbours)
        return join(everybody, top)

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
            return math.log(max(self.total(self.costs(math.exp(log))), _TINY) / whole)

        start = math.log(self.least / whole) if self.least > 0 else 0.0
        found = self.costs(math.exp(falling_root(over, start, 0.5)))
        return np.asarray(found * (whole / self.total(found)))

    def left(self, total: float, strengths: Sequence[float] | Array) -> float:
        """What of a total is left for a further release about everybody, once; 0 where nothing is."""
        whole, used = parameter_value(EPSILON, total, "total"), self.total(strengths)
        if used >= whole:
            return 0.0
        return math.sqrt((whole - used) * (whole + used)) if self.noise == "gaussian" else whole - used

    def law(self, strengths: Sequence[float] | Array) -> tuple[Law, Kind]:
        """The law of all releases at all times, and whether some neighbours are told apart so well."""
        given = self._checked(strengths)
        groups: dict[str, Mixed] = {"": Mixed(())}
        for each, strength in zip(self.releases, given, strict=True):
            made = each.law(self.noise, strength).after(each.times) if strength else Mixed(())
            if made is None:
                raise InvalidParameter("times", "fewer, for so many releases are not told apart", each.times)
            groups[each.group] = groups.get(each.group, Mixed(())).beside(made)
        everybody = groups.pop("")
        together = list(groups.values())
        if self.neighbours == "move" and len(together) > 1:
            together = [one.beside(other) for one, other in combinations(together, 2)]
        laws = tuple(dict.fromkeys(everybody.beside(one) for one in together)) or (everybody,)
        exact = all(each.is_exact(self.noise) for each in self.releases) and all(law.kind == "exact" for law in laws)
        return (laws[0] if len(laws) == 1 else WorstPair(laws)), ("exact" if exact else "bound")

    def _checked(self, strengths: Sequence[float] | Array) -> list[float]:
        given = numbers_in(strengths, EPSILON_OR_ZERO, "strengths")
        if given.shape != (len(self.releases),):
            raise InvalidParameter("strengths", f"{len(self.releases)} numbers", strengths)
        return given.tolist()  # type: ignore[no-any-return]
