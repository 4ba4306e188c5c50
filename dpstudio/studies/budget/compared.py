"""The accounts of many releases: what each says that they come to, and how many a budget is enough for."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dpstudio.core.declare import Array
from dpstudio.core.facts import Said
from dpstudio.core.guarantee import RECORD, Guarantee, Law
from dpstudio.core.results import Kind, Series
from dpstudio.core.sources import BS16, BW18, CHAPTER, DRS22, DRV10, KOV15, MIRONOV17, Source
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.accounting import renyi_to_epsilon, response_divergence
from dpstudio.mechanisms.laws import Shifted, Tightest
from dpstudio.mechanisms.noise import analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import budget as f

_ROUNDED = 1 + 1e-12
LARGEST = 1e300
"""What is larger is shown as this."""


class Releases(NamedTuple):
    """The releases that are accounted for, as whoever is drawn into them or not is promised; and what is allowed."""

    epsilon: float
    delta: float
    releases: int
    slack: float
    budget: float
    budget_delta: float
    rate: float
    """The probability with which each person is drawn into one."""


def releases_of(study: f.Budget) -> Releases:
    """The study's releases: on a sample of the people each has a smaller ε and δ."""
    epsilon, delta = composition.subsampled(study.epsilon, study.delta, study.rate)
    return Releases(float(epsilon), float(delta), study.releases, study.slack, study.budget, study.budget_delta,
                    study.rate)


@dataclass(frozen=True)
class Account:
    """What one method says of the study's releases."""

    study: Releases

    source: ClassVar[Source]
    tight: ClassVar[bool] = False
    """Whether some releases need what it says."""
    how: ClassVar[str]
    least_how: ClassVar[str] = ""
    """The formula of its ε at the budget’s δ, where one is computed."""

    @property
    def kind(self) -> Kind:
        """On a sample worse releases with the same ε and δ could be thought of."""
        return "exact" if self.tight and self.study.rate == 1 else "bound"

    def totals(self, k: Array) -> tuple[Array, Array]:
        """ε and δ of so many releases together."""
        raise NotImplementedError

    @cached_property
    def total(self) -> tuple[float, float]:
        """ε and δ of the study's releases."""
        return self._of(self.study.releases)

    def _of(self, k: int) -> tuple[float, float]:
        epsilon, delta = self.totals(np.array([float(k)]))
        return float(epsilon[0]), float(delta[0])

    @property
    def epsilon(self) -> float:
        return self.total[0]

    @property
    def delta(self) -> float:
        return self.total[1]

    @property
    def slack_left(self) -> float | None:
        """The slack at which its total δ is the budget’s; None where it takes none, or nothing is left."""
        return None

    @cached_property
    def spending_all(self) -> Self | None:
        """The same account at the slack that the budget leaves: how much of its δ goes to composition is its choice."""
        left = self.slack_left
        return None if not left else type(self)(self.study._replace(slack=left))

    @cached_property
    def worst(self) -> Law:
        """All releases as one mechanism: the worst that the account allows, at the slack and at what the budget leaves.
        """
        ones = (self, self.spending_all) if self.spending_all else (self,)
        return Tightest(tuple(composition.WorstReleases(*one.total) for one in ones))

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What all releases promise one record together, by this account; None where their δ comes to 1."""
        if self.delta >= 1:
            return None
        # Where δ falls steeply the nearest double may lie before the ε that is meant.
        kept = float(self.worst.delta_at(self.epsilon)) <= self.delta
        epsilon = self.epsilon if kept else self.epsilon * (1 + 4 * sys.float_info.epsilon)
        return Guarantee(RECORD, epsilon, self.delta, self.worst, self.source, self.kind, self.mu, self.rho)

    @property
    def mu(self) -> float | None:
        """The Gaussian differential privacy of all releases, where that is what they promise."""
        return None

    @property
    def rho(self) -> float | None:
        """The zero-concentrated differential privacy of all releases, where that is what they promise."""
        return None

    def exceeds(self) -> Said | None:
        """How often a loss exceeds the total ε, which δ alone does not say; None where only bounds are known."""
        return None

    @property
    def least(self) -> float | None:
        """The least ε at the budget’s δ, whatever the slack; None where no ε holds there, or none is computed."""
        return None

    @property
    def at_budget(self) -> float | None:
        """The ε of all releases at the allowed total δ; None where the account shows none."""
        if self.least_how:
            return self.least
        found = self.guarantee.epsilon_at(self.study.budget_delta) if self.guarantee else math.inf
        return found if math.isfinite(found) else None

    def fits(self, k: int) -> bool:
        """Whether k releases are within the budget, whatever the slack: their δ at the allowed ε is."""
        study = self.study
        return bool(within(study, k * study.epsilon, k * study.delta))

    @cached_property
    def most_within(self) -> int:
        """The largest k, up to 10 000, that fits: more releases never need less."""
        return _last(self.fits, 0)

    @cached_property
    def most(self) -> int:
        """The largest k, up to 10 000, whose total ε and δ are within the allowed ones.

        By this account, or by basic composition, which needs no slack and holds for all releases.
        """
        return self.last_after(_most_by_basic(self.study))

    def last_after(self, k: int) -> int:
        """The last k above this one that is within what is allowed; this one where there is none."""
        more = np.arange(k + 1.0, self._end() + 1)
        fits = np.flatnonzero(within(self.study, *self.totals(more)))
        return int(more[fits[-1]]) if fits.size else k

    def _end(self) -> int:
        """No more releases than these are looked at."""
        return f.MOST_COUNTED


class Basic(Account):
    source = CHAPTER
    how = "(kε, kδ)"

    def totals(self, k: Array) -> tuple[Array, Array]:
        return k * self.study.epsilon, np.minimum(k * self.study.delta, 1.0)


class Advanced(Account):
    source = DRV10
    how = "ε √(2k ln(1/δ′)) + kε (e^ε − 1) at δ = kδ + δ′, or (kε, kδ) where that is less"

    @property
    def slack_left(self) -> float | None:
        return max(self.study.budget_delta - self.study.releases * self.study.delta, 0.0)

    def totals(self, k: Array) -> tuple[Array, Array]:
        # The bound may well be above basic composition, which then is what a person should use.
        study, basic = self.study, k * self.study.epsilon
        literal, delta = (np.asarray(one) for one in composition.advanced(study.epsilon, study.delta, k, study.slack))
        better = literal < basic
        return np.where(better, literal, basic), np.minimum(np.where(better, delta, k * study.delta), 1.0)


class BesideExact(Account):
    """An account at the δ of the optimal one, of the same releases."""

    @property
    def slack_left(self) -> float | None:
        return slack_within(self.study)

    @cached_property
    def over(self) -> float | None:
        """How many times the least ε that holds; None where that is 0."""
        least = Optimal(self.study).epsilon
        return self.epsilon / least if least > 0 else None

    def _no_delta(self, k: Array) -> Array:
        """1 − (1 − δ)^k (1 − δ′): an (ε, δ)-DP release tells all with probability δ at most, and else is ε-DP."""
        return -np.expm1(k * math.log1p(-self.study.delta) + math.log1p(-self.study.slack))


class Simple(BesideExact):
    source = KOV15
    how = ("kε tanh(ε/2) + ε √(2k ln(min(1/δ′, e + √k ε/δ′))), or kε where that is less, at δ = 1 − (1 − δ)^k "
           "(1 − δ′)")

    def totals(self, k: Array) -> tuple[Array, Array]:
        given = self.study.epsilon, self.study.delta, k, self.study.slack
        (bound, delta), (other, _) = composition.simple(*given), composition.simple_of_small_steps(*given)
        return np.minimum(k * self.study.epsilon, np.minimum(bound, other)), np.asarray(delta)


class Strided(Account):
    """An account whose ε takes a search for every k."""

    def last_after(self, k: int) -> int:
        """ε and δ both grow with k."""
        return _last(lambda more: bool(within(self.study, *self._of(more))), k)


class Concentrated(Strided, BesideExact):
    source = BS16
    how = ("each release is ε²/2-zCDP; kε²/2 is turned into ε at δ′ by the best order, or kε where that is less, at δ "
           "= 1 − (1 − δ)^k (1 − δ′)")

    @property
    def rho(self) -> float | None:
        pure = self.study.delta == 0
        return self.study.releases * self.study.epsilon * self.study.epsilon / 2 if pure else None

    def totals(self, k: Array) -> tuple[Array, Array]:
        study = self.study
        found = np.asarray(composition.zcdp(k * (study.epsilon * study.epsilon / 2), study.slack))
        return np.minimum(k * study.epsilon, found), self._no_delta(k)


class Renyi(Strided, BesideExact):
    source = MIRONOV17
    how = ("k times the Rényi divergence of a randomized response, the largest of all ε-DP releases, turned into ε at "
           "δ′ by the best order, at δ = 1 − (1 − δ)^k (1 − δ′)")

    def totals(self, k: Array) -> tuple[Array, Array]:
        study = self.study
        found = np.array([_by_renyi(study.epsilon, float(one), study.slack) for one in k])
        return np.minimum(k * study.epsilon, found), self._no_delta(k)


class Optimal(Strided):
    source = KOV15
    tight = True
    how = ("the least ε for all (ε, δ)-DP releases, at δ = 1 − (1 − δ)^k (1 − δ′); k randomized responses need it")
    least_how = "the least ε′ with 1 − (1 − δ)^k (1 − δ of k responses at ε′) ≤ the budget’s δ"

    def totals(self, k: Array) -> tuple[Array, Array]:
        study = self.study
        none = k * math.log1p(-study.delta) + math.log1p(-study.slack)
        return np.array([_of_responses(study.epsilon, int(one), study.slack) for one in k]), -np.expm1(none)

    @cached_property
    def worst(self) -> composition.WorstReleases:
        return composition.WorstReleases(self.study.epsilon, self.study.delta, self.study.releases)

    @cached_property
    def least(self) -> float | None:
        study = self.study
        slack = slack_within(study)
        return None if slack is None else _of_responses(study.epsilon, study.releases, slack)

    def fits(self, k: int) -> bool:
        study = self.study
        most = composition.WorstReleases(study.epsilon, study.delta, k).delta_at(study.budget * _ROUNDED)
        return super().fits(k) or float(most) <= study.budget_delta * _ROUNDED

    def exceeds(self) -> Said:
        return Said(self.worst.loss_exceeds(self.epsilon), "the largest probability of an event e^ε times as likely "
                    "with a record as without, ε in total", KOV15, "bound")


class Gaussian(Account):
    source = DRS22
    tight = True
    how = "one release of √k times the sensitivity, with the least σ for (ε, δ), at δ = kδ + δ′"
    least_how = "the least ε′ of one release of √k times the sensitivity at the budget’s δ"

    @cached_property
    def _sigma(self) -> float:
        return float(analytic_sigma(self.study.epsilon, self.study.delta))

    def totals(self, k: Array) -> tuple[Array, Array]:
        # At the total δ of advanced composition. Once that is 1, nothing is promised, and ε = 0 does.
        delta = k * self.study.delta + self.study.slack
        inside = delta < 1
        epsilon = np.zeros(k.shape)
        if inside.any():
            epsilon[inside] = composition.gaussian(self._sigma, 1.0, k[inside], delta[inside])
        return epsilon, np.minimum(delta, 1.0)

    def by_zcdp(self, k: Array) -> Array:
        """ε of so many by zCDP, which Rényi's divergences of all orders come to here, at the same δ."""
        delta = k * self.study.delta + self.study.slack
        rho = k / (2 * self._sigma * self._sigma)
        return np.where(delta < 1, composition.zcdp(rho, np.where(delta < 1, delta, 0.5)), 0.0)

    def _end(self) -> int:
        """ε is worth a search only where δ, which grows with k, is within what is allowed, but for rounding."""
        return int(min(max((self.study.budget_delta - self.study.slack) / self.study.delta, 0.0) + 2, f.MOST_COUNTED))

    @cached_property
    def worst(self) -> Shifted:
        return self._together(self.study.releases)

    def _together(self, k: int) -> Shifted:
        """k releases as one."""
        return Shifted(math.sqrt(k) / self._sigma)

    @cached_property
    def least(self) -> float | None:
        study = self.study
        if not 0 < study.budget_delta < 1:
            return None
        return float(composition.gaussian(self._sigma, 1.0, float(study.releases), study.budget_delta))

    def fits(self, k: int) -> bool:
        study = self.study
        most = self._together(k).delta_at(study.budget * _ROUNDED)
        return super().fits(k) or float(most) <= study.budget_delta * _ROUNDED

    @property
    def mu(self) -> float:
        return self.worst.mu

    def exceeds(self) -> Said:
        mu = self.worst.mu
        return Said(float(ndtr(mu / 2 - self.epsilon / mu)), "Φ(μ/2 − ε/μ), μ = √k/σ, ε in total", BW18)


@lru_cache(maxsize=4)
def _most_by_basic(study: Releases) -> int:
    """Where every other account begins."""
    return Basic(study).last_after(0)


@lru_cache(maxsize=4096)
def _of_responses(epsilon: float, k: int, slack: float) -> float:
    """The smallest ε of k randomized responses at that δ: the most that any k ε-DP releases can need."""
    return float(RandomizedResponse.symmetric(epsilon).epsilon_after(k, slack))


@lru_cache(maxsize=4096)
def _by_renyi(epsilon: float, k: float, slack: float) -> float:
    return float(renyi_to_epsilon(response_divergence(epsilon, k), slack))


def _last(holds: Callable[[int], bool], k: int) -> int:
    """The last number of releases above k for which this holds, k where there is none: by strides and halves."""
    stride = max(k, 1)
    while k + stride <= f.MOST_COUNTED and holds(k + stride):
        k, stride = k + stride, 2 * stride
    beyond = min(k + stride, f.MOST_COUNTED + 1)
    while beyond - k > 1:
        middle = (k + beyond) // 2
        if holds(middle):
            k = middle
        else:
            beyond = middle
    return k


def slack_within(study: Releases) -> float | None:
    """What the budget’s δ leaves for composition: 1 − (1 − Σδ)/(1 − δ)^k; None where k releases alone need more.

    The δ of k releases at ε′ is 1 − (1 − δ)^k (1 − that of k responses at ε′) (`composition.optimal`).
    """
    log = math.log1p(-study.budget_delta) - study.releases * math.log1p(-study.delta)
    return None if log > study.budget_delta * (_ROUNDED - 1) else max(-math.expm1(log), 0.0)


def literal_advanced(study: Releases) -> float | None:
    """What the formula says before it is compared with basic composition."""
    if study.slack == 0:
        return None
    return float(composition.advanced(study.epsilon, study.delta, study.releases, study.slack)[0])


def within(study: Releases, epsilon: float | Array, delta: float | Array) -> bool | npt.NDArray[np.bool_]:
    """Whether a total is within the allowed ε and δ; ten times 0.1 is 1."""
    return (epsilon <= study.budget * _ROUNDED) & (delta <= study.budget_delta * _ROUNDED)


def groups(study: Releases, sizes: Array) -> Mapping[Series, Array]:
    """δ for groups of each size: tight, and the two that the thesis chapter prints; none above 1e300."""
    if study.delta == 0:
        return dict.fromkeys(f.GROUPS, np.zeros(sizes.shape))
    text, formula = composition.group_as_printed(study.epsilon, study.delta, sizes)
    tight = np.asarray(composition.group(study.epsilon, study.delta, sizes)[1])
    return {f.TIGHT: tight, f.TEXT: np.minimum(np.asarray(text), LARGEST), f.FORMULA: np.asarray(formula)}
