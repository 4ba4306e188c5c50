"""What the plan study compares: the releases of a plan, each with a noise and a strength."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee, Law, Relation
from dpstudio.core.law import ROOM, is_more_than_enough
from dpstudio.core.results import Kind
from dpstudio.core.search import falling_root, narrowing
from dpstudio.core.sources import DR14, DRS22
from dpstudio.mechanisms.laws import epsilon_at
from dpstudio.mechanisms.noise.profile import largest_mu_of_one
from dpstudio.models.plan import PlannedNumber, PlannedRelease, ReleasePlan, epsilon_of_mu
from dpstudio.models.plan.shapes import AskedOfBudget, by_slope, shape
from dpstudio.models.plan.shares import NoiseName
from dpstudio.models.plan.unlike import Before, errors, together
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import plan as f
from dpstudio.studies.plan.wanted import PlannedReleases, planned

_NEAR, _HARDLY = 1e-8, 1e-4
"""Parts of a factor to which a split of the budget, and what is left of it, are found."""
_ROUNDED = 1e-10
"""The part of a root by which it may be off, on the safe side."""
_LEAST_ROOM = 5.0
"""Further than so much of a logarithm within the budget a line need not lead."""
_HARDLY_LESS = 3e-3
"""The part of a budget that is not worth the law of all releases."""
_FARTHEST = 600.0
"""ln of the greatest factor, and −ln of the least, at which errors are asked for."""
MOST_YEARS, FEW = 1000, 12
_least: Callable[[Law, float], float] = lru_cache(maxsize=256)(epsilon_at)  # type: ignore[assignment]
HOLDS = "while who takes part in a survey need not be hidden"


class Asks(NamedTuple):
    """What is asked of a plan at one setting."""

    plan: PlannedReleases
    budget: float
    budget_delta: float
    goal: str
    moving: bool
    confidence: float
    years: int
    precision: float

    @property
    def factor(self) -> float:
        """Each error is to be so many times what is wanted at most; 1 where a budget is split."""
        return 1 / self.precision if self.goal == "wants" else 1.0


class Years(NamedTuple):
    """For how many years a plan may be carried out, and whether it may be for more."""

    years: int
    is_bound: bool


def asks(study: f.Plan) -> Asks:
    """The study's plan, budget and goal."""
    moving = study.change == "move"
    return Asks(planned(study.releases, study.confidence, moving, study.years), study.budget, study.budget_delta,
                study.goal, moving, study.confidence, study.years, study.precision)


@dataclass(frozen=True)
class Compared:
    """All releases of a plan with a noise each, as strong as the goal asks."""

    asked: Asks
    noises: tuple[NoiseName, ...]
    relation: Relation

    @property
    def releases(self) -> tuple[PlannedRelease, ...]:
        """What is released from now on."""
        return tuple(one.release for one in self.asked.plan.wanted)

    @property
    def gaussian(self) -> bool:
        """Whether all have Gaussian noise, or what stands in for it."""
        return all(noise == "gaussian" for noise in self.noises)

    @property
    def is_unmixed(self) -> bool:
        """Whether all have strengths of one kind, ε or μ, which add up or whose squares do."""
        return self.gaussian or not any(noise == "gaussian" for noise in self.noises)

    @cached_property
    def strengths(self) -> Array:
        """ε, or μ of Gaussian noise, of one time of each."""
        asked = self.asked
        if asked.goal == "wants" or not self.noises:
            return self.costs(asked.factor)
        made, fixed = (self._smooth_costs, 0.0) if asked.goal == "worst" else (self._for_sum, self._fixed)
        factor = self._brought(made, fixed)
        return self.costs(1.0) if factor is None else made(factor)

    def costs(self, factor: float) -> Array:
        """What each costs at which its error is so many times what is wanted at most."""
        return np.array(_costs(self.releases, self.noises, factor))

    def _smooth_costs(self, factor: float) -> Array:
        """The same as if no half width were a whole number."""
        return np.array([one.smooth_cost(noise, factor) for one, noise in zip(self.releases, self.noises, strict=True)])

    def _for_sum(self, factor: float) -> Array:
        """The strengths for the least sum of errors over a factor; what has no noise of its own costs what it is
        wanted for, and so does all where there is no number.

        Whoever leaves a table's group costs half of what moves within it do, so that two such groups never count. About
        the best is the split where such groups have others beside them, and of discrete Laplace noise in several
        groups, which is split as if it were Laplace noise.
        """
        noisy, found = self._noisy, self._fixed.copy()
        if not noisy:
            return self._smooth_costs(factor)
        some = [AskedOfBudget(one.weight, one.moves(gaussian=self.gaussian), one.release.times, one.release.group)
                for one in (self.asked.plan.wanted[i] for i in noisy)]
        whole = [self.noises[i] == "geometric" for i in noisy]
        if any(whole) and len({one.group for one in some}) == 1:
            found[noisy] = by_slope(some, self.asked.goal, whole, factor / self._unit)  # type: ignore[arg-type]
            return found
        found[noisy] = shape(some, self.asked.goal, gaussian=self.gaussian,  # type: ignore[arg-type]
                             moving=self.asked.moving and self._two_count) * (self._unit / factor)
        return found

    @cached_property
    def _noisy(self) -> list[int]:
        """Which of them have errors that are summed."""
        return [i for i, one in enumerate(self.asked.plan.wanted) if one.is_noisy]

    @property
    def _two_count(self) -> bool:
        """Whether whoever goes from one group to another may cost more than whoever stays in either."""
        return any(part * (part if self.gaussian else 1) > 0.5 + 1e-12
                   for one, noise in zip(self.releases, self.noises, strict=True) if one.group
                   for _, part in (one.leaving(noise),))

    @cached_property
    def _fixed(self) -> Array:
        """What the others cost, whatever is left for these; nothing where there are no such."""
        found = self.costs(1.0)
        found[self._noisy or slice(None)] = 0.0
        return found

    @cached_property
    def _unit(self) -> float:
        """A strength with which to begin."""
        return float(self.costs(1.0).max())

    def _brought(self, made: Callable[[float], Array], fixed: Array | float) -> float | None:
        """The least factor at which strengths, no less than those that are fixed, are within the budget; next to 0
        where all are, and None where none is."""
        budget = self.asked.budget

        def room(factor: float) -> float:
            return self._room(made(factor))

        def over(log: float) -> float:
            return math.log(max(self.total(made(_factor(log))), 1e-300) / self._allowed)

        if self._room(np.zeros(len(self.noises)) + fixed) > 0:
            return None
        # A sum of ε within the budget is enough, and so is a μ where there is nothing else.
        high = 1.0
        if self._allowed > 0 and over(-_FARTHEST) > 0:
            high = _factor(falling_root(over, max(over(0.0), -50.0), 0.5))
            if self._is_alone or (self._is_few and self._is_spent(made(high))):
                return high
            high *= 1 + _NEAR
        while room(high) > 0:
            high *= 2
            if self.total(made(high) - fixed) < 1e-9 * budget:
                return None
        low = high * 0.9  # in growing steps
        while (behind := room(low)) <= 0:
            if low <= _factor(-_FARTHEST):
                return low
            high, low = low, max(low * (low / high) ** 2, _factor(-_FARTHEST))
        # Where the sum of all ε is within the budget no δ is needed: −∞, through which no line leads.
        found = _factor(falling_root(lambda log: max(room(_factor(log)), -_LEAST_ROOM), math.log(low),
                                     math.log(high / low) / max(2 * behind, 2))) * (1 + _ROUNDED)
        return min(found, high) if room(found) <= 0 else high

    @property
    def _is_alone(self) -> bool:
        """Whether Gaussian noise is all there is, so that its total alone says what is within the budget."""
        return self.gaussian and self._is_first and all(_is_bell(one) for one in self.releases)

    @property
    def _is_few(self) -> bool:
        """Whether they may be so few that the budget’s δ hardly lowers the sum of their ε."""
        return not self.gaussian and self.asked.budget_delta >= self.asked.plan.before.told and sum(
            len(law.laplace) + len(law.responses) for one, noise in zip(self.releases, self.noises, strict=True)
            for law in (one.law(noise, 1.0),) for _ in range(min(one.times, FEW + 1))) <= FEW

    def _is_spent(self, strengths: Array, more: tuple[tuple[PlannedRelease, NoiseName, float], ...] = ()) -> bool:
        """Whether all but three parts in a thousand of the budget’s ε are not enough at its δ."""
        at = self.asked.budget * (1 - _HARDLY_LESS)
        return float(self._law(strengths, more)[0].delta_at(at)) > self.asked.budget_delta

    @property
    def _allowed(self) -> float:
        """The total ε, or μ, that is surely within the budget but for what was released before."""
        budget, before = self.asked.budget, self.asked.plan.before
        if not self.gaussian:
            return max(budget - math.fsum(before.epsilons), 0.0)
        return largest_mu_of_one(budget, self.asked.budget_delta)

    def _room(self, strengths: Array) -> float:
        """ln of what is needed of the budget's δ over it: more than 0 where strengths are too much."""
        return self._needs(self._law(strengths)[0])

    def _needs(self, law: Law) -> float:
        allowed = self.asked.budget_delta
        if allowed == 0:
            return epsilon_at(law, 0.0) - self.asked.budget * (1 + ROOM)
        needed = float(law.delta_at(self.asked.budget * (1 + ROOM)))
        return math.log(needed / allowed) - ROOM if needed > 0 else -math.inf

    def total(self, strengths: Array) -> float:
        """Σε or √Σμ² of all times, for whoever is in the most."""
        return ReleasePlan(self.releases, "gaussian" if self.gaussian else "laplace",
                     "move" if self.asked.moving else "add or remove").total(strengths)

    # The law of all

    def _law(self, strengths: Array, more: tuple[tuple[PlannedRelease, NoiseName, float], ...] = ()
             ) -> tuple[Law, Kind]:
        all_of = [*zip(self.releases, self.noises, strengths, strict=True), *more]
        return together([one for one, _, _ in all_of], [noise for _, noise, _ in all_of], [
            strength for _, _, strength in all_of], moving=self.asked.moving, before=self.asked.plan.before)

    @cached_property
    def law(self) -> Law:
        """That of all releases together."""
        return self._law(self.strengths)[0]

    @cached_property
    def kind(self) -> Kind:
        """Whether some neighbours are told apart as well as it says."""
        return self._law(self.strengths)[1]

    @property
    def loose(self) -> str:
        """Why what is said of an attack is a bound."""
        return "" if self.kind == "exact" else ": a bound, for no neighbours need be told apart so well"

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) of all."""
        return self.law.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α) of all."""
        return self.law.trade_off(alpha)

    @cached_property
    def least(self) -> float:
        """The least ε of all at the budget’s δ; ∞ where none is enough."""
        return _least(self.law, self.asked.budget_delta)

    def is_less(self, epsilon: float) -> bool:
        """Whether the least ε is less than this; it is looked for only where nothing else tells."""
        told = is_more_than_enough(self.law, epsilon, self.asked.budget_delta)
        return self.least < epsilon if told is None else told

    def as_exact(self, times: float) -> float:
        """The least ε at the budget’s δ with every want divided by a number; of unmixed noises."""
        asked = self.asked._replace(goal="wants", precision=times)
        return Compared(asked, self.noises if self.gaussian else _pure_noises(asked), self.relation).least

    def of_years(self, years: int) -> tuple[Law, Kind]:
        """The law of so many years of it."""
        releases = tuple(replace(one, times=one.times // self.asked.years * years) for one in self.releases)
        return together(releases, self.noises, self.strengths, moving=self.asked.moving, before=self.asked.plan.before)

    def after_years(self, years: int) -> float:
        """The least ε of so many years at the budget’s δ."""
        return _least(self.of_years(years)[0], self.asked.budget_delta)

    @cached_property
    def most_years(self) -> Years:
        """For how many years the budget is enough, up to 1 000."""
        def fits(years: int) -> bool:
            return self._needs(self.of_years(years)[0]) <= 0

        if not fits(1):
            return Years(0, self.of_years(1)[1] == "bound")
        low, high = 1, 2
        while high <= MOST_YEARS and fits(high):
            low, high = high, 2 * high
        high = min(high, MOST_YEARS + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        return Years(low, low == MOST_YEARS or self.of_years(low + 1)[1] == "bound")

    @property
    def pure(self) -> float | None:
        """Σε, also of what was released before; None of Gaussian noise."""
        if self.noises and (self.gaussian or not self.is_unmixed):
            return None
        return math.fsum([self.total(self.strengths) if self.noises else 0.0, *self.asked.plan.before.epsilons])

    @property
    def mu(self) -> float | None:
        """√Σμ² where there is nothing but Gaussian noise, or what is held to be no worse."""
        return self.total(self.strengths) if self.noises and self.gaussian and self._is_first else None

    @property
    def _is_first(self) -> bool:
        """Whether nothing was released before."""
        return self.asked.plan.before == Before()

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What all releases promise one person together; None where no ε is enough."""
        plan, pure = self.asked.plan, self.pure
        epsilon, delta = (self.least, self.asked.budget_delta) if pure is None else (
            max(pure, epsilon_at(self.law, plan.before.told)), plan.before.told)  # which are summed in another order
        if not math.isfinite(epsilon):
            return None
        mu = self.mu
        return Guarantee(self.relation, epsilon, delta, self.law, DRS22 if pure is None else DR14, self.kind, mu,
                         holds=HOLDS if plan.has_surveys else "")

    # What is left of errors and of the budget

    @cached_property
    def ratios(self) -> Array:
        """Error over want of each."""
        return self.over_wants(self.strengths)

    @property
    def errors_kind(self) -> Kind:
        """Whether they are exact, as the least sure of them is."""
        return max((one.how for one in self.releases), key=("exact", "bound", "estimate").index, default="exact")

    def over_wants_ends(self, strengths: Sequence[float] | Array) -> tuple[float, float]:
        """Between what the worst of them surely lies."""
        both = [[end / one.wanted for end in (one.error_ends(noise, float(strength)) if strength > 0 else
                                              (one.error_of_nothing,) * 2)]
                for one, noise, strength in zip(self.releases, self.noises, strengths, strict=True)]
        return max(low for low, _ in both), max(high for _, high in both)

    def over_wants(self, strengths: Sequence[float] | Array) -> Array:
        """Error over want of each at these strengths."""
        found = errors(self.releases, self.noises, strengths)
        return np.asarray(found / np.array([one.wanted for one in self.releases]))

    @cached_property
    def even(self) -> Array | None:
        """The same strength for each time of each, of the same total; None of unlike noises."""
        if not self.noises or not self.is_unmixed:
            return None
        ones: Array = np.ones(len(self.noises))
        return ones * (self.total(self.strengths) / self.total(ones))

    @property
    def shares(self) -> Array:
        """The part of the total ε, or μ², of all times of each; groups that share nobody have more than 1 together."""
        return self._parts(self.strengths)

    @property
    def even_shares(self) -> Array | None:
        """The same of an even split."""
        return None if self.even is None else self._parts(self.even)

    def _parts(self, strengths: Array) -> Array:
        times = np.array([one.times for one in self.releases])
        if not strengths.any():
            return np.zeros(len(strengths))
        if not self.is_unmixed:  # mean losses are what unlike noises have in common
            means = [sum(each * math.tanh(each / 2) for each in (*law.laplace, *law.responses)) + law.mu**2 / 2
                     for one, noise, strength in zip(self.releases, self.noises, strengths, strict=True)
                     for law in (one.law(noise, float(strength)),)]
            return np.asarray(times * means / (times @ means))
        total = self.total(strengths)
        return np.minimum(times * (strengths / total) ** (2 if self.gaussian else 1), 1.0)

    @cached_property
    def left(self) -> float | None:
        """The half width of one more count about everybody within the budget; None where nothing is left, or all is
        split."""
        if self.noises and self.asked.goal != "wants":
            return None
        noise: NoiseName = "gaussian" if self.noises and (self.gaussian or not self.is_unmixed) else "geometric"
        strength = self._left(noise)
        return _one_more(self.asked.confidence).error(noise, strength) if strength else None

    def _left(self, noise: NoiseName) -> float:
        """The most that it may have; 0 where that is nothing."""
        asked = self.asked

        def more(strength: float) -> tuple[tuple[PlannedRelease, NoiseName, float], ...]:
            return ((_one_more(asked.confidence), noise, strength),)

        def room(strength: float) -> float:
            return self._needs(self._law(self.strengths, more(strength))[0])

        if self._needs(self.law) > 0:
            return 0.0
        if noise == "gaussian":
            high = largest_mu_of_one(asked.budget, asked.budget_delta)
            if self.mu is not None and self._is_alone:
                return math.sqrt(max(high - self.mu, 0.0) * (high + self.mu))
            high *= 1 + _NEAR
        else:
            high = asked.budget - 2 * math.log1p(-asked.budget_delta)
        low = max(asked.budget - (self.pure or math.inf), high * 1e-9)
        if low > high * 1e-9 and self._is_few and self._is_spent(self.strengths, more(low)):
            return low
        if room(low) > 0:
            return 0.0
        if room(high) <= 0:
            return high
        # `narrowing` has what needs more at its lower end: it is asked of the inverse.
        for needs_more, fits in narrowing(lambda inverse: room(1 / inverse), 1 / high, 1 / low):
            found = 1 / fits
            if fits - needs_more <= _HARDLY * fits:
                break
        return found


def _factor(log: float) -> float:
    return math.exp(min(max(log, -_FARTHEST), _FARTHEST))


@lru_cache(maxsize=8)
def _one_more(confidence: float) -> PlannedNumber:
    """A count about everybody, once."""
    return PlannedNumber(1.0, confidence=confidence)


@lru_cache(maxsize=512)
def _costs(releases: tuple[PlannedRelease, ...], noises: tuple[NoiseName, ...], factor: float) -> tuple[float, ...]:
    return tuple(one.cost(noise, factor) for one, noise in zip(releases, noises, strict=True))


def _pure_noises(asked: Asks) -> tuple[NoiseName, ...]:
    """For each the one of Laplace and discrete Laplace noise that costs less."""
    return tuple(one.pure(asked.factor) for one in asked.plan.wanted)


# What there is to compare

def pure(study: f.Plan) -> Compared | None:
    """Laplace noise, or discrete Laplace noise on whole numbers where that costs less."""
    asked = asks(study)
    if not asked.plan.wanted and asked.plan.before == Before():
        return None
    return Compared(asked, _pure_noises(asked), study.relation)


def gaussian(study: f.Plan) -> Compared | None:
    """Gaussian noise on all that has one; needs a δ."""
    asked = asks(study)
    if not asked.plan.wanted or study.budget_delta <= asked.plan.before.told:
        return None
    return Compared(asked, tuple[NoiseName, ...]("gaussian" for _ in asked.plan.wanted), study.relation)


def mixed(study: f.Plan) -> Compared | None:
    """For each what costs less in all, the noises of both; None where no mixture is better than one of them.

    Those go to Gaussian noise first whose μ is small beside their ε; how many the mean and spread of losses say.
    """
    asked = asks(study)
    first, second = pure(study), gaussian(study)
    if study.goal != "wants" or first is None or second is None or len(asked.plan.wanted) < 2:
        return None
    epsilons, mus, times = first.strengths, second.strengths, np.array([one.times for one in first.releases])
    order = np.argsort(mus / np.maximum(epsilons, 1e-300), kind="stable")
    numbers = range(1, len(order))
    about = [_about(epsilons[order[k:]], times[order[k:]], float(np.sqrt(times[order[:k]] @ mus[order[:k]] ** 2)),
                    study.budget_delta) for k in numbers]
    best = numbers[int(np.argmin(about))]
    bells = {i for i in order[:best].tolist() if _is_bell(first.releases[i])}
    noises: list[NoiseName] = ["gaussian" if i in bells else noise for i, noise in enumerate(first.noises)]
    found = Compared(asked, tuple(noises), study.relation)
    if found.is_unmixed:
        return None
    least = second.least if second.is_less(first.least) else first.least
    return found if found.is_less(least * (1 - 1e-3)) else None


def _is_bell(release: PlannedRelease) -> bool:
    """Whether Gaussian noise is another noise for it at all."""
    return release.law("gaussian", 1.0).mu > 0


def _about(epsilons: Array, times: Array, mu: float, delta: float) -> float:
    """About the ε of all at δ: by sums, or by the mean loss and its spread, whichever is less."""
    mean = float(times @ (epsilons * np.tanh(epsilons / 2))) + mu * mu / 2
    by_sum = float(times @ epsilons) + float(epsilon_of_mu(mu, delta))
    return min(by_sum, mean + math.sqrt(2 * mean) * math.sqrt(-2 * math.log(delta)))
