"""The single numbers of the budget study, each with its formula and its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Fact, Kind, Series
from dpstudio.core.sources import BW18, CHAPTER, DMNS06, DR14, DRS22, DRV10, DSSZ22, DVGM22, KOV15, Source
from dpstudio.mechanisms.composition import WorstReleases
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.studies.budget import MOST_COUNTED, plan
from dpstudio.studies.budget import figures as f
from dpstudio.studies.budget.compare import LARGEST, Total, groups, most_releases
from dpstudio.studies.kit.attack import Attackable, advantage_facts
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant, updated

if TYPE_CHECKING:
    from dpstudio.studies.budget import Budget as Study

HOW: Mapping[Series, tuple[Kind, Source, str]] = {
    f.BASIC: ("bound", CHAPTER, "(kε, kδ)"),
    f.ADVANCED: ("bound", DRV10, "ε √(2k ln(1/δ′)) + kε (e^ε − 1) at δ = kδ + δ′, or (kε, kδ) where that is less"),
    f.SIMPLE: ("bound", KOV15, "kε tanh(ε/2) + ε √(2k ln(min(1/δ′, e + √k ε/δ′))), or kε where that is less, at δ = "
               "1 − (1 − δ)^k (1 − δ′)"),
    f.OPTIMAL: ("exact", KOV15, "the least ε for all (ε, δ)-DP releases, at δ = 1 − (1 − δ)^k (1 − δ′); k randomized "
                "responses need it"),
    f.GAUSSIAN: ("exact", DRS22, "one release of √k times the sensitivity, with the least σ for (ε, δ), at δ = "
                 "kδ + δ′"),
}


def facts_of(study: Study, found: Mapping[Series, Total], spent: Mapping[Series, Array],
             worst: Mapping[Series, Attackable]) -> tuple[Fact, ...]:
    """What needs no search: totals, the group, and the plan by parts."""
    every = [fact for series, total in found.items() for fact in _totals(study, series, total)]
    every += _beyond(found, worst)
    for series, one in worst.items():
        every += advantage_facts(series, float(one.delta_at(0.0)), ", of all releases", HOW[series][0])
    order = {quantity.key: place for place, quantity in
             enumerate((v.TOTAL_EPSILON, v.TOTAL_DELTA, v.LEFT, v.LEFT_DELTA, v.TOTAL_BELIEF, v.LOSS_EXCEEDS,
                                          v.ADVANTAGE, v.SUCCESS))}
    error = float(LaplaceNoise.calibrate(study.epsilon, 1.0).error_quantile(0.95))
    count = Fact(v.COUNT_ERROR_95, error, how=f"ln(20)/ε, ε = {plain(study.epsilon)}", source=DMNS06)
    return *sorted(every, key=lambda fact: order[fact.key]), count, *_group(study), *_plan(study, spent)


def _totals(study: Study, series: Series, total: Total) -> Iterator[Fact]:
    kind, source, how = HOW[series]
    here = f"; k = {plain(study.releases)}, ε = {plain(study.epsilon)}, δ = {plain(study.delta)}"
    yield Fact(v.TOTAL_EPSILON, total.epsilon, series, kind, how=how + here, source=source)
    yield Fact(v.TOTAL_DELTA, total.delta, series, kind, how=how + here, source=source)
    least = kind == "bound"
    yield Fact(v.LEFT, study.budget - total.epsilon, series, kind, how=f"{plain(study.budget)} − total ε", source=DR14,
               at_least=least)
    yield Fact(v.LEFT_DELTA, study.budget_delta - total.delta, series, kind, source=DR14, at_least=least,
               how=f"{plain(study.budget_delta)} − total δ")
    yield Fact(v.TOTAL_BELIEF, updated(0.5, total.epsilon), series, kind, how="e^ε/(1 + e^ε) of the total ε",
               source=DR14)


def _beyond(found: Mapping[Series, Total], worst: Mapping[Series, Attackable]) -> Iterator[Fact]:
    """How often a loss exceeds the total ε: at most by any releases, and by Gaussian ones; δ alone does not say it."""
    all_tell = worst[f.OPTIMAL]
    assert isinstance(all_tell, WorstReleases)
    yield Fact(v.LOSS_EXCEEDS, all_tell.loss_exceeds(found[f.OPTIMAL].epsilon), f.OPTIMAL, "bound", source=KOV15,
               how="the largest probability of an event e^ε times as likely with a record as without, ε in total")
    if f.GAUSSIAN in found:
        noise = worst[f.GAUSSIAN]
        assert isinstance(noise, GaussianNoise)
        yield Fact(v.LOSS_EXCEEDS, float(ndtr(0.5 / noise.sigma - found[f.GAUSSIAN].epsilon * noise.sigma)), f.GAUSSIAN,
                   source=BW18, how="Φ(μ/2 − ε/μ), μ = √k/σ, ε in total")


def _group(study: Study) -> Iterator[Fact]:
    size = float(study.group_size)
    yield Fact(v.GROUP_EPSILON, size * study.epsilon, how=f"g·ε, g = {plain(size)}", source=CHAPTER)
    deltas = {series: float(delta[0]) for series, delta in groups(study, np.array([size])).items()}
    how = {f.TIGHT: ("what the steepest (ε, δ) decision reaches from 0 in g steps: δ (e^(gε) − 1)/(e^ε − 1) up to its "
                     "centre", DVGM22),
           f.TEXT: ("g e^(gε) δ, as the theorem’s text has it", CHAPTER),
           f.FORMULA: ("gδ, as the theorem’s formula has it: no bound", CHAPTER)}
    for series, delta in deltas.items():
        yield _capped(Fact(v.GROUP_DELTA, delta, series, how=how[series][0], source=how[series][1]))
    if deltas[f.TIGHT] > 0:
        for series, delta in deltas.items():
            yield _capped(Fact(v.GROUP_COST, min(delta / deltas[f.TIGHT], LARGEST), series, how="over the tight δ",
                               source=DVGM22))


def _capped(fact: Fact) -> Fact:
    """The fact, or a bound from below where the largest number that is shown stands for a larger one."""
    return replace(fact, kind="bound", at_least=True) if fact.value == LARGEST else fact


def _plan(study: Study, spent: Mapping[Series, Array]) -> Iterator[Fact]:
    for series, how in (
        (f.BASIC, "n₁ε₁ + n₂ε₂ + n₃ times the ε of one Gaussian release at δ′/n₃"),
        (f.OPTIMAL, "the optimal ε of the pure releases plus the exact one of the Gaussian "
         "ones, each at δ′/2"),
    ):
        if not spent[series].size:
            return
        yield from _of_plan(study, series, float(spent[series][-1]), how, KOV15 if series == f.OPTIMAL else DR14)


def _of_plan(study: Study, series: Series, epsilon: float, how: str, source: Source) -> Iterator[Fact]:
    yield Fact(v.PLAN_EPSILON, epsilon, series, "bound", how=f"{how}, δ′ = {plain(study.slack)}", source=source)
    yield Fact(v.PLAN_LEFT, study.budget - epsilon, series, "bound", source=DR14, at_least=True,
               how=f"{plain(study.budget)} − total ε of the plan")


def accounted_facts(study: Study, epsilon: float) -> tuple[Fact, ...]:
    step = plan.grid(study)
    return (*_of_plan(study, f.ACCOUNTING, epsilon, "privacy loss distributions, losses rounded up to a grid of "
                      f"{significant(step)} by dp-accounting: a pessimistic bound", DSSZ22),
            Fact(v.LOSS_GRID, step, f.ACCOUNTING, source=DSSZ22,
                 how="a hundredth of the plan’s smallest loss, or as fine as its whole range allows"))


def reach_facts(study: Study, found: Mapping[Series, Total]) -> tuple[Fact, ...]:
    how = (f"the largest k ≤ {plain(MOST_COUNTED)} whose total ε is at most {plain(study.budget)} and total δ at most "
           f"{plain(study.budget_delta)}, by this account or by basic composition; δ′ = {plain(study.slack)}")
    facts = []
    for series, most in most_releases(study, {series: total.method for series, total in found.items()}).items():
        least = HOW[series][0] == "bound" or most == MOST_COUNTED
        facts.append(Fact(v.MOST_RELEASES, most, series, "bound" if least else "exact", how=how,
                          source=HOW[series][1], at_least=least))
    return tuple(facts)
