"""The answer of the budget study: what the releases come to by each account, what a group and a plan spend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, each, once, table
from dpstudio.core.guarantee import Law
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sources import (
    BBG18,
    CHAPTER,
    CKS20,
    DMNS06,
    DR14,
    DSSZ22,
    DVGM22,
    KOV15,
    WZ10,
)
from dpstudio.core.special import updated
from dpstudio.mechanisms.composition import subsampled
from dpstudio.mechanisms.noise import LaplaceNoise
from dpstudio.records import cached_property
from dpstudio.studies import budget as f
from dpstudio.studies.budget import plan
from dpstudio.studies.budget.compared import (
    LARGEST,
    Account,
    Advanced,
    Basic,
    BesideExact,
    Concentrated,
    Gaussian,
    Optimal,
    Releases,
    Renyi,
    Simple,
    groups,
    releases_of,
)
from dpstudio.studies.kit.attack import ATTACK_TABLE, PROFILE_TABLE, attack_table, profile_table, spent_fact
from dpstudio.studies.kit.tables import curves, even_in_logarithms
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant

POINTS = 12
"""Numbers of releases at which a curve is computed: each is a law of its own."""
RATES, SMALLEST = 61, 1e-12
"""Shares of the people at which a curve is computed, and the least of them."""


class BudgetAnswer(Answer[f.Budget, Account, None]):
    """All that is known of many releases at one setting."""

    def __init__(self, study: f.Budget) -> None:
        super().__init__(study)
        self.accounted: dict[float, float] = {}
        """ε of the plan after a step by dp-accounting, once it was worked out."""

    @cached_property
    def releases(self) -> Releases:
        """What is accounted for."""
        return releases_of(self.study)

    @cached_property
    def steps(self) -> Array:
        """Numbers of releases of the plan that are shown; none where it is empty."""
        return plan.steps(self.study)

    @cached_property
    def has_library(self) -> bool:
        """Whether dp-accounting is installed and has something to account for."""
        return plan.has_library() and self.study.slack > 0 and self.steps.size > 0

    @cached_property
    def group(self) -> Mapping[Series, float]:
        """δ of the study's group, by formula."""
        found = groups(self.releases, np.array([float(self.study.group_size)]))
        return {series: float(delta[0]) for series, delta in found.items()}

    def account_last(self) -> Steps:
        """Have the library account for the whole plan."""
        return self._account(self.steps[-1:])

    def account_all(self) -> Steps:
        """Have it account for every step that is shown."""
        return self._account(self.steps)

    def _account(self, at: Array) -> Steps:
        if not self.has_library:
            return
        yield from plan.read_library()
        missing = np.array([step for step in at if step not in self.accounted])
        for step, epsilon in zip(missing, plan.accounted(self.study, missing), strict=True):
            self.accounted[step] = epsilon
            yield step


# What is compared: Gaussian noise has no (ε, 0) and is none on a sample; all but two accounts need a slack

COMPARED: tuple[Entry[BudgetAnswer, Account], ...] = (
    Entry(f.BASIC, lambda a: Basic(a.releases), Basic.source),
    Entry(f.ADVANCED, lambda a: Advanced(a.releases) if a.study.slack > 0 else None, Advanced.source),
    Entry(f.SIMPLE, lambda a: Simple(a.releases) if a.study.slack > 0 else None, Simple.source),
    Entry(f.OPTIMAL, lambda a: Optimal(a.releases), Optimal.source),
    Entry(f.GAUSSIAN, lambda a: Gaussian(a.releases) if a.study.delta > 0 and a.study.rate == 1 else None,
          Gaussian.source),
    Entry(f.ZCDP, lambda a: Concentrated(a.releases) if a.study.slack > 0 else None, Concentrated.source),
    Entry(f.RENYI, lambda a: Renyi(a.releases) if a.study.slack > 0 else None, Renyi.source),
)


# Facts

def _by(one: Account, value: float) -> Said:
    """As sure as the account is."""
    return Said(value, kind=one.kind)


def _advantage(one: Account) -> float:
    """The best attacker's advantage; where nothing is promised one may be certain."""
    return one.guarantee.advantage if one.guarantee else 1.0


def _total_how(one: Account) -> str:
    of_one = "" if one.study.rate == 1 else "ln(1 + q(e^ε − 1)) for ε and qδ for δ, q = {rate}: "
    return f"{of_one}{one.how}; k = {{releases}}, ε = {{epsilon}}, δ = {{delta}}"


def _gaussian_by_zcdp(a: BudgetAnswer) -> float | None:
    one = a.one(f.GAUSSIAN)
    return float(one.by_zcdp(np.array([float(a.study.releases)]))[0]) if isinstance(one, Gaussian) else None


def _gaussian_over(a: BudgetAnswer) -> float | None:
    said, exact = _gaussian_by_zcdp(a), a.one(f.GAUSSIAN)
    return said / exact.epsilon if said is not None and exact and exact.epsilon > 0 else None


def _is_on_sample(a: BudgetAnswer) -> bool:
    return a.study.rate < 1


def _count_error(a: BudgetAnswer) -> Said:
    """Of a count of everybody: that of a sample is multiplied, and the noise in it; who was drawn comes on top."""
    study, noise = a.study, LaplaceNoise.calibrate(a.study.epsilon, 1.0)
    error = float(noise.error_quantile(0.95)) / study.rate
    return Said(error) if study.rate == 1 else Said(error, "ln(20)/(qε), ε = {epsilon}, q = {rate}: the noise alone, "
                                                    "as who was drawn comes on top", kind="bound")


def _counted(one: Account, most: int) -> Said:
    return Said(most, kind="bound" if most == f.MOST_COUNTED else one.kind)


def _group_delta(series: Series) -> Callable[[BudgetAnswer], Said]:
    return lambda a: _capped(a.group[series])


def _group_cost(series: Series) -> Callable[[BudgetAnswer], Said]:
    return lambda a: _capped(min(a.group[series] / a.group[f.TIGHT], LARGEST))


def _capped(value: float) -> Said:
    """A bound from below where the largest number that is shown stands for a larger one."""
    return Said(value, kind="bound" if value == LARGEST else "exact")


def _planned(method: Callable[[f.Budget, Array], Array]) -> Callable[[BudgetAnswer], float | None]:
    """What the whole plan spends by one of the accounts that need no library."""
    return lambda a: float(method(a.study, a.steps[-1:])[0]) if a.steps.size else None


def _has_library(a: BudgetAnswer) -> bool:
    return a.has_library


def _accounted_how(a: BudgetAnswer) -> str:
    return ("privacy loss distributions, losses rounded up to a grid of "
            f"{significant(plan.grid(a.study))} by dp-accounting: a pessimistic bound, δ′ = {{slack}}")


def _plan_left(series: Series) -> Callable[[BudgetAnswer], float | None]:
    def left(a: BudgetAnswer) -> float | None:
        spent = a.fact(v.PLAN_EPSILON, series)
        return a.study.budget - spent.value if spent else None

    return left


_SHOWN = "the least ε′ at which releases with this account’s total ε and δ need no more than the budget’s δ"
_LEFT = f"{_SHOWN}, at the slack δ′ or at the one that brings its total δ to the budget’s"
_PLAN_LEFT = "{budget} − total ε of the plan"

FACTS: Mapping[str, tuple[Declaration[BudgetAnswer, Account, None], ...]] = {
    "the answer": (
        each(v.TOTAL_EPSILON, lambda one: _by(one, one.epsilon), _total_how),
        each(v.TOTAL_DELTA, lambda one: _by(one, one.delta), _total_how),
        each(v.LEFT, lambda one: _by(one, one.study.budget - one.epsilon), "{budget} − total ε", DR14, at_least=True),
        each(v.LEFT_DELTA, lambda one: _by(one, one.study.budget_delta - one.delta), "{budget_delta} − total δ", DR14,
             at_least=True),
        each(v.MOST_RELEASES, lambda one: _counted(one, one.most),
             f"the largest k ≤ {plain(f.MOST_COUNTED)} whose total ε is at most {{budget}} and total δ at most "
             "{budget_delta}, by this account or by basic composition; δ′ = {slack}", at_least=True),
        each(v.LEAST_TOTAL, lambda one: None if (least := one.at_budget) is None else _by(one, least), lambda one: (
            f"{one.least_how or (_LEFT if one.spending_all else _SHOWN)}; budget δ = {{budget_delta}}, "
            "k = {releases}, ε = {epsilon}, δ = {delta}")),
        each(v.MOST_WITHIN, lambda one: _counted(one, one.most_within),
             f"the largest k ≤ {plain(f.MOST_COUNTED)} whose δ at {{budget}} is at most {{budget_delta}}",
             at_least=True, when=lambda one: bool(one.least_how)),
        each(v.OVER_EXACT, lambda one: one.over if isinstance(one, BesideExact) else None,
             "its total ε over the optimal one, at the same δ", KOV15),
        once(v.TOTAL_EPSILON, _gaussian_by_zcdp, "k/(2σ²)-zCDP turned into ε by the best order, at δ = kδ + δ′; k = "
             "{releases}, ε = {epsilon}, δ = {delta}", CKS20, kind="bound", series=f.GAUSSIAN_ZCDP),
        once(v.OVER_EXACT, _gaussian_over, "its total ε over the exact one, at the same δ", CKS20,
             series=f.GAUSSIAN_ZCDP),
        once(v.PLAN_EPSILON, _planned(plan.basic), "n₁ε₁ + n₂ε₂ + n₃ times the ε of one Gaussian release at δ′/n₃, "
             "δ′ = {slack}", DR14, kind="bound", series=f.BASIC),
        once(v.PLAN_EPSILON, _planned(plan.by_parts), "the optimal ε of the pure releases plus the exact one of the "
             "Gaussian ones, each at δ′/2, δ′ = {slack}", KOV15, kind="bound", series=f.OPTIMAL),
        once(v.PLAN_EPSILON, lambda a: a.accounted[a.steps[-1]], _accounted_how, DSSZ22, kind="bound",
             series=f.ACCOUNTING, slow=BudgetAnswer.account_last, when=_has_library),
        once(v.PLAN_LEFT, _plan_left(f.BASIC), _PLAN_LEFT, DR14, kind="bound", at_least=True, series=f.BASIC),
        once(v.PLAN_LEFT, _plan_left(f.OPTIMAL), _PLAN_LEFT, DR14, kind="bound", at_least=True, series=f.OPTIMAL),
        once(v.PLAN_LEFT, _plan_left(f.ACCOUNTING), _PLAN_LEFT, DR14, kind="bound", at_least=True,
             series=f.ACCOUNTING, slow=BudgetAnswer.account_last),
    ),
    "errors": (
        once(v.COUNT_ERROR_95, _count_error, "ln(20)/ε, ε = {epsilon}", DMNS06, at_least=True),
    ),
    "privacy": (
        once(v.RELEASE_EPSILON, lambda a: a.releases.epsilon, "ln(1 + q(e^ε − 1)), ε = {epsilon}, q = {rate}; Laplace "
             "and Gaussian noise need it", BBG18, when=_is_on_sample),
        once(v.RELEASE_DELTA, lambda a: a.releases.delta, "qδ, δ = {delta}, q = {rate}; Gaussian noise needs it", BBG18,
             when=_is_on_sample),
        each(v.TOTAL_BELIEF, lambda one: _by(one, float(updated(0.5, one.epsilon))), "e^ε/(1 + e^ε) of the total ε",
             DR14),
        each(v.LOSS_EXCEEDS, lambda one: one.exceeds()),
        spent_fact(lambda one: one.study.budget_delta),
        once(v.GROUP_EPSILON, lambda a: a.study.group_size * a.releases.epsilon, lambda a: "g·ε, g = "
             "{group_size}" if a.study.rate == 1 else "g·ln(1 + q(e^ε − 1)), g = {group_size}, q = {rate}", CHAPTER),
        once(v.GROUP_DELTA, _group_delta(f.TIGHT), "what the steepest (ε, δ) decision reaches from 0 in g steps: δ "
             "(e^(gε) − 1)/(e^ε − 1) up to its centre", DVGM22, at_least=True, series=f.TIGHT),
        once(v.GROUP_DELTA, _group_delta(f.TEXT), "g e^(gε) δ, as the theorem’s text has it", CHAPTER, at_least=True,
             series=f.TEXT),
        once(v.GROUP_DELTA, _group_delta(f.FORMULA), "gδ, as the theorem’s formula has it: no bound", CHAPTER,
             at_least=True, series=f.FORMULA),
        *(once(v.GROUP_COST, _group_cost(series), "over the tight δ", DVGM22, at_least=True, series=series,
               when=lambda a: a.group[f.TIGHT] > 0) for series in f.GROUPS),
    ),
    "attack": (
        each(v.ADVANTAGE, lambda one: _by(one, _advantage(one)), "δ(0), the total variation distance, of all releases",
             WZ10),
        each(v.SUCCESS, lambda one: _by(one, (1 + _advantage(one)) / 2), "(1 + advantage)/2, of all releases", WZ10),
    ),
    "technical": (
        once(v.LOSS_GRID, lambda a: plan.grid(a.study), "a hundredth of the plan’s smallest loss, or as fine as its "
             "whole range allows", DSSZ22, series=f.ACCOUNTING, when=_has_library),
    ),
}


# Tables

def _whole(view: Span, *also: float) -> Array:
    """Whole numbers over a view of a log axis."""
    low, high = min(max(1.0, np.floor(view[0])), 1e5), max(2.0, min(np.ceil(view[1]), 1e5))
    spread = np.rint(np.geomspace(low, max(low, high), POINTS))
    return np.unique(np.concatenate([spread, also]))


def _total_table(a: BudgetAnswer, view: Span) -> Table:
    k = _whole(view, float(a.study.releases))
    return Table({f.X_RELEASES: k} | curves(
        _composed(a), lambda one: one.totals(k), v.TOTAL_EPSILON, v.TOTAL_DELTA))


def _composed(a: BudgetAnswer) -> dict[Series, Account]:
    """What is drawn of all accounts; the others lie too near to the optimal one."""
    return {series: one for series in f.COMPOSED if (one := a.one(series))}


def _over_table(a: BudgetAnswer, view: Span) -> Table:
    k = _whole(view, float(a.study.releases))
    exact = a.get(f.OPTIMAL).totals(k)[0]
    ones = {series: one for series in f.BESIDE_EXACT if series != f.GAUSSIAN_ZCDP and (one := a.one(series))}
    said = {series: (one.totals(k)[0], exact) for series, one in ones.items()}
    if isinstance(gaussian := a.one(f.GAUSSIAN), Gaussian):
        said[f.GAUSSIAN_ZCDP] = gaussian.by_zcdp(k), gaussian.totals(k)[0]
    some = np.logical_and.reduce([least > 0 for _, least in said.values()]) & bool(said)
    return Table({f.X_RELEASES: k[some]}
                 | {Column(v.TOTAL_EPSILON, series): total[some] for series, (total, _) in said.items()}
                 | {Column(v.OVER_EXACT, series): total[some] / least[some] for series, (total, least) in said.items()})


def _rate_table(a: BudgetAnswer, view: Span) -> Table:
    rates = even_in_logarithms(view, (SMALLEST, 1.0), RATES, a.study.rate)
    return Table({f.X_RATE: rates,
                  Column(v.RELEASE_EPSILON, f.ON_SAMPLE): np.asarray(subsampled(a.study.epsilon, 0.0, rates)[0]),
                  Column(v.RELEASE_EPSILON, f.PROPORTIONAL): rates * a.study.epsilon})


def _group_table(a: BudgetAnswer, view: Span) -> Table:
    study, few = a.study, np.arange(1.0, 21.0)
    sizes = np.unique(np.concatenate([_whole(view, float(study.group_size)), few[few <= max(2.0, view[1])]]))
    deltas = groups(a.releases, sizes)
    columns: dict[Column, Array] = {f.X_SIZE: sizes, Column(v.GROUP_EPSILON): sizes * a.releases.epsilon}
    for series, delta in deltas.items():
        columns[Column(v.GROUP_DELTA, series)] = delta
        if a.releases.delta > 0:
            with np.errstate(over="ignore"):
                cost = np.minimum(delta / np.maximum(deltas[f.TIGHT], 1e-323), LARGEST)
            columns[Column(v.GROUP_COST, series)] = cost
    return Table(columns)


def _plan_table(a: BudgetAnswer, _: Span) -> Table:
    methods = {f.BASIC: plan.basic, f.OPTIMAL: plan.by_parts}
    return Table({f.X_STEP: a.steps} | curves(methods, lambda method: method(a.study, a.steps), v.PLAN_EPSILON))


def _accounted_columns(a: BudgetAnswer, _: Table) -> Mapping[Column, Array]:
    if not a.has_library:
        return {}
    return {Column(v.PLAN_EPSILON, f.ACCOUNTING): np.array([a.accounted[step] for step in a.steps])}


def _worst(a: BudgetAnswer) -> dict[Series, Law]:
    return {series: one.worst for series, one in _composed(a).items()}


def _profile_table(a: BudgetAnswer, view: Span) -> Table:
    return profile_table(view, _worst(a), *(one.epsilon for one in _composed(a).values()))


TABLES: Mapping[str, Tabled[BudgetAnswer, None]] = {
    f.TOTAL_TABLE: table(_total_table, lambda a: (1.0, float(max(10, 3 * a.study.releases)))),
    f.OVER_TABLE: table(_over_table, lambda a: (1.0, float(max(10, 3 * a.study.releases)))),
    f.RATE_TABLE: table(_rate_table, lambda a: (min(1e-3, a.study.rate / 10), 1.0)),
    f.GROUP_TABLE: table(_group_table, lambda a: (1.0, float(max(10, 3 * a.study.group_size)))),
    f.PLAN_TABLE: table(_plan_table, lambda a: (1.0, float(max(2, a.study.planned))), slow=BudgetAnswer.account_all,
                        later=_accounted_columns),
    PROFILE_TABLE: table(_profile_table, lambda a: (0.0, 2.5 * (a.get(f.OPTIMAL).epsilon or a.releases.epsilon))),
    # The grey promise is that of what is allowed.
    ATTACK_TABLE: table(lambda a, _: attack_table(_worst(a), a.study.budget, a.study.budget_delta), (0.0, 1.0)),
}

BudgetAnswer.compared, BudgetAnswer.declared, BudgetAnswer.tabled = COMPARED, FACTS, TABLES
