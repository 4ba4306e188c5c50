"""The single numbers of the noise study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from scipy.special import ndtr

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Kind, Series
from dpstudio.core.sources import BW18, CHAPTER, DMNS06, DR14, DRS22, GRS12, Source
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.studies.kit.attack import advantage_facts, belief_fact
from dpstudio.studies.noise import figures as f
from dpstudio.studies.noise.compare import Compared, Query
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant

if TYPE_CHECKING:
    from dpstudio.studies.noise import Noise as Study

SOURCES: Mapping[Series, Source] = {f.LAPLACE: DMNS06, f.GEOMETRIC: GRS12, f.GAUSSIAN: BW18, f.CLASSICAL: DR14,
                                    f.PRINTED: CHAPTER}
_SCALE = {
    f.LAPLACE: "b = Δ₁/ε", f.GEOMETRIC: "Δ₁/ε: each step is e^(−ε/Δ₁) times as likely as the last",
    f.GAUSSIAN: "the least σ with Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) ≤ δ",
    f.CLASSICAL: "σ = Δ₂ √(2 ln(1.25/δ))/ε, proved for ε < 1", f.PRINTED: "σ = (2Δ₂/ε) ln(1.25/δ), its root lost",
}
_SD = {f.LAPLACE: "√2 b", f.GEOMETRIC: "1/(√2 sinh(ε/(2Δ₁)))"}
_MEAN = {f.LAPLACE: "b", f.GEOMETRIC: "1/sinh(ε/Δ₁)"}


def facts_of(study: Study, asked: Query, noises: Mapping[Series, Compared]) -> tuple[Fact, ...]:
    """Every exact fact and bound, quantity by quantity, so that a table of them has one row a quantity."""
    every = [fact for series, one in noises.items() for fact in _facts_of_one(study, asked, series, one, noises)]
    # A stable sort keeps the series of one quantity in their own order.
    return *sorted(every, key=lambda fact: _PLACE[fact.key]), *_facts_of_the_query(study, asked)


def _facts_of_the_query(study: Study, asked: Query) -> Iterator[Fact]:
    given = f"Δ₁ = {plain(study.sensitivity)}, Δ₂ = {plain(study.sensitivity_l2)}, d = {plain(study.dimension)}"
    yield Fact(v.L1_USED, asked.l1, how=f"the smaller of Δ₁ and √d·Δ₂; {given}", source=CHAPTER)
    yield Fact(v.L2_USED, asked.l2, how=f"the smaller of Δ₂ and Δ₁; {given}", source=CHAPTER)


def _facts_of_one(study: Study, asked: Query, series: Series, one: Compared,
                  noises: Mapping[Series, Compared]) -> Iterator[Fact]:
    noise, source, d = one.noise, SOURCES[series], study.dimension
    kind: Kind = "exact" if one.tight else "bound"
    loose = "" if one.tight else "; the move this would take is longer than ℓ₂ allows"

    def fact(quantity: v.Quantity, value: float, how: str, by: Source = source, said: Kind = "exact") -> Fact:
        return Fact(quantity, value, series, said, how=how, source=by)

    yield fact(v.NOISE_SCALE, _scale(one), _SCALE[series])
    yield fact(v.NOISE_SD, noise.sd, _SD.get(series, "σ"))
    if isinstance(noise, LaplaceNoise) and asked.whole:
        yield fact(v.ROUNDED_SD, noise.rounded_sd, "√(cosh(1/2b)/2)/sinh(1/2b); geometric noise is as private and less")
    elif series == f.GEOMETRIC:
        yield fact(v.ROUNDED_SD, noise.sd, "whole already")
    yield fact(v.MEAN_ERROR, noise.mean_error, _MEAN.get(series, "σ √(2/π)"))
    yield fact(v.ERROR_95, float(noise.error_quantile(0.95)), "Pr[|X| ≤ e₉₅] ≥ 0.95")
    if d > 1:
        # 1 − 0.95^(1/d), the tail that each of d coordinates may keep.
        tail = -math.expm1(math.log(0.95) / d)
        yield fact(v.WORST_ERROR_95, 0.0 - float(noise.quantile(tail / 2)),
                   f"Pr[|X| ≤ e]^{plain(d)} ≥ 0.95: coordinates are independent")
        yield fact(v.RMS_ERROR, math.sqrt(d) * noise.sd, f"√d·sd, d = {plain(d)}")
    yield fact(v.TRUE_DELTA, float(one.delta_at(study.epsilon)),
               f"the smallest δ at ε = {plain(study.epsilon)}", BW18)
    if isinstance(noise, GaussianNoise):
        yield from _facts_of_gaussian(study, fact, noise, one, noises)
    yield from advantage_facts(series, float(one.delta_at(0.0)), loose, kind)
    prior, loss = study.belief, one.common_loss
    yield belief_fact(v.POSTERIOR_95, series, prior, loss,
                      f"ℓ = {significant(loss)} the loss that 95 % of answers stay within{loose}",
                      DRS22 if isinstance(noise, GaussianNoise) else source, kind)
    yield belief_fact(v.BELIEF_MOST, series, prior, one.largest_loss, "no limit: there is an answer for every ℓ"
                      if one.largest_loss == math.inf else f"ℓ = ε{loose}", source, kind)


def _facts_of_gaussian(study: Study, fact: Callable[[v.Quantity, float, str, Source], Fact], noise: GaussianNoise,
                       one: Compared, noises: Mapping[Series, Compared]) -> Iterator[Fact]:
    mu = one.sensitivity / noise.sigma
    yield fact(v.LOSS_EXCEEDS, float(ndtr(mu / 2 - study.epsilon / mu)), "Φ(μ/2 − ε/μ), μ = Δ₂/σ", BW18)
    least = noises[f.GAUSSIAN].noise
    assert isinstance(least, GaussianNoise)
    times = noise.sigma / least.sigma
    yield fact(v.TOO_MUCH, times, f"σ = {significant(noise.sigma)} over the exact {significant(least.sigma)}", BW18)
    yield fact(v.VARIANCE_TOO_MUCH, times * times, "the ratio of the σ, squared", BW18)


def _scale(one: Compared) -> float:
    if isinstance(one.noise, GaussianNoise):
        return one.noise.sigma
    return one.sensitivity / one.largest_loss


ORDER = (v.ERROR_95, v.WORST_ERROR_95, v.RMS_ERROR, v.NOISE_SCALE, v.NOISE_SD, v.ROUNDED_SD, v.MEAN_ERROR, v.TRUE_DELTA,
         v.TOO_MUCH, v.VARIANCE_TOO_MUCH, v.ADVANTAGE, v.SUCCESS, v.POSTERIOR_95, v.BELIEF_MOST, v.LOSS_EXCEEDS)
"""Rows of a table of facts: the error first, then the noise, what it keeps and what it costs, then the attacker."""
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
