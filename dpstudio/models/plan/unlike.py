"""Releases of which each has its own noise, beside what was released before: their total, errors and law together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import shaped
from dpstudio.core.declare import Array
from dpstudio.core.law import Law, is_more_than_enough, largest_loss, power, same_both_ways
from dpstudio.core.results import Kind
from dpstudio.mechanisms.laws import Claim, Shifted, Telling, Tightest, epsilon_at
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.models.plan.pure import mu_of_epsilon
from dpstudio.models.plan.releases import PlannedRelease
from dpstudio.models.plan.shares import NoiseName
from dpstudio.records import dataclass

MOST_ALIKE, MOST_LOSSES, MOST_UNLIKE = 20_000, 400, 8
"""Of more releases than the first no law is worked out but a bound on it, and so of more responses of unlike ε than the
second; more unlike ε than the third are rounded up …"""
_PARTS = 64
"""… to so many parts of the greatest."""
_LARGEST, _LARGEST_MU = 700.0, 60.0
"""A sum of losses, and a μ beside other losses, beyond which nothing is private."""

Strengths: TypeAlias = "Sequence[float] | Array"


class Before(NamedTuple):
    """What was released before: (ε, δ)-DP releases about everybody."""

    epsilons: tuple[float, ...] = ()
    told: float = 0.0


NOTHING_BEFORE = Before()


@lru_cache(maxsize=256)
def _law_of(laplace: tuple[tuple[float, int], ...], mu: float, responses: tuple[tuple[float, int], ...], told: float
            ) -> tuple[Law, Kind]:
    """The law of so many releases of each loss, or a bound on it.

    Where there are too many, each ε-DP release is μ-Gaussian private with the least such μ, and all of them ε of the
    sum. [Dong, Roth & Su 2022, Theorem 2.10 and Corollary 2.]
    """
    both = [*laplace, *responses]
    total = math.fsum(loss * times for loss, times in both)
    many = sum(times for _, times in responses)
    if both and mu > _LARGEST_MU:
        return Claim(math.inf, told), "bound"
    if total <= _LARGEST and sum(times for _, times in both) <= MOST_ALIKE and (
            many <= MOST_LOSSES or len(responses) == 1):
        made = Mixed(_repeated(laplace), mu, _repeated(_rounded(responses)), told)
        kind: Kind = made.kind if len(responses) <= MOST_UNLIKE else "bound"
        # A sum that is told apart but for rounding, or by a bound, may say more than the sum of all ε does.
        if not mu and (kind == "bound" or (laplace and float(made.delta_at(total)) > told)):
            return Tightest((Claim(total, told), made)), kind
        return made, kind
    told_or_sum = Claim(total, told)
    if total > _LARGEST:
        return told_or_sum if not mu else Claim(math.inf, told), "bound"
    shifted: Law = Shifted(math.sqrt(math.fsum([mu * mu, *(n * mu_of_epsilon(loss) ** 2 for loss, n in both)])))
    by_shift = Telling(told, shifted) if told else shifted
    return by_shift if mu else Tightest((told_or_sum, by_shift)), "bound"


def _rounded(losses: tuple[tuple[float, int], ...]) -> tuple[tuple[float, int], ...]:
    """Losses as they are or, where they are of too many kinds, rounded up to multiples of a part of the greatest."""
    if len(losses) <= MOST_UNLIKE:
        return losses
    unit = max(loss for loss, _ in losses) / _PARTS
    return tuple(sorted(Counter(
        unit * math.ceil(loss / unit) for loss, times in losses for _ in range(times)).items()))


def _repeated(losses: tuple[tuple[float, int], ...]) -> tuple[float, ...]:
    return tuple(loss for loss, times in losses for _ in range(times))


class _Losses(NamedTuple):
    """Losses by how often they are there."""

    laplace: Counter[float]
    mu: float
    responses: Counter[float]

    def beside(self, other: _Losses) -> _Losses:
        return _Losses(self.laplace + other.laplace, math.hypot(self.mu, other.mu), self.responses + other.responses)

    def law(self, told: float) -> tuple[Law, Kind]:
        laplace, responses = (tuple(sorted((loss, times) for loss, times in each.items() if loss > 0))
                              for each in (self.laplace, self.responses))
        return _law_of(laplace, self.mu, responses, told)


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
        found = 0.0
        for law in self.laws:
            if not is_more_than_enough(law, found, delta):
                found = max(found, epsilon_at(law, delta))
        return found

    def is_more_than_enough(self, epsilon: float, delta: float) -> bool | None:
        """Whether that is less than ε, where it is told without looking for it."""
        told = [is_more_than_enough(law, epsilon, delta) for law in self.laws]
        return False if False in told else None if None in told else True

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α), the least; α is in [0, 1], of any shape."""
        return shaped(np.minimum.reduce([np.asarray(law.trade_off(alpha)) for law in self.laws]))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that."""
        return shaped(np.maximum.reduce([np.asarray(power(law, alpha)) for law in self.laws]))


def together(releases: Sequence[PlannedRelease], noises: Sequence[NoiseName], strengths: Strengths, *,
             moving: bool = False, before: Before = NOTHING_BEFORE) -> tuple[Law, Kind]:
    """The law of all times of all releases and of what was before, and whether some neighbours are told apart so well.

    Of disjoint groups each may be the worst and, where a person may move between them, each two, as they are for
    whoever leaves one for the other. Who moves within a group may leave what is about everybody, or is no table, as it
    is, so that with such releases it is a bound.
    """
    groups = {"": _Losses(Counter(), 0.0, Counter(before.epsilons))}
    left: dict[str, _Losses] = {}
    tables: dict[str, set[bool]] = {}
    for each, noise, strength in zip(releases, noises, strengths, strict=True):
        more = _of_times(each, noise, float(strength))
        groups[each.group] = groups[each.group].beside(more) if each.group in groups else more
        if moving and each.group:
            once, part = each.leaving(noise)
            more = _of_times(once, noise, float(strength) * part) if part < 1 else more
            left[each.group] = left[each.group].beside(more) if each.group in left else more
            tables.setdefault(each.group, set()).add(part < 1)
    everybody = groups.pop("")
    parts = list(groups.values())
    if moving and len(parts) > 1:
        parts = [groups[name] for name, some in tables.items() if True in some] + [
            one.beside(other) for one, other in combinations(left.values(), 2)]
    found = list(dict.fromkeys(everybody.beside(one).law(before.told) for one in parts)) or [
        everybody.law(before.told)]
    stays = moving and (any(everybody) or any(len(some) > 1 for some in tables.values()))
    exact = not stays and not before.epsilons and not before.told and all(kind == "exact" for _, kind in found) and all(
        each.is_exact(noise) for each, noise in zip(releases, noises, strict=True))
    laws = tuple(law for law, _ in found)
    return (laws[0] if len(laws) == 1 else WorstPair(laws)), ("exact" if exact else "bound")


def _of_times(release: PlannedRelease, noise: NoiseName, strength: float) -> _Losses:
    """The losses of all times of a release."""
    one = release.law(noise, strength) if strength else Mixed(())
    return _Losses(_often(one.laplace, release.times), math.sqrt(release.times) * one.mu,
                   _often(one.responses, release.times))


def _often(losses: tuple[float, ...], times: int) -> Counter[float]:
    return Counter({loss: many * times for loss, many in Counter(losses).items()})


def errors(releases: Sequence[PlannedRelease], noises: Sequence[NoiseName], strengths: Strengths) -> Array:
    """The error of each, in terms of what is wanted; at strength 0 ∞, but of a choice."""
    return np.array([each.error(noise, float(strength)) if strength > 0 else each.error_of_nothing
                     for each, noise, strength in zip(releases, noises, strengths, strict=True)])
