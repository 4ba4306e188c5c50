"""The single numbers of the response study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Kind, Series
from dpstudio.core.sources import CHAPTER, H63, KOV16, LECTURE, NOTES, Source
from dpstudio.studies.kit.attack import advantage_facts, beliefs
from dpstudio.studies.response import figures as f
from dpstudio.studies.response.compare import Compared
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from dpstudio.studies.response import Response as Study

Z = 1.959963984540054
"""Φ⁻¹(0.975)."""
_SOURCES: Mapping[str, Source] = {"symmetric": LECTURE, "coins": NOTES, "warner": CHAPTER}


def facts_of(study: Study, responses: Mapping[Series, Compared]) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity; what is undefined is left out."""
    every = [fact for series, one in responses.items() for fact in _facts_of_one(study, series, one)]
    every += _facts_of_the_raw(study, responses[f.CHOSEN])
    # A stable sort keeps the series of one quantity in their own order.
    return tuple(sorted(every, key=lambda fact: _PLACE[fact.quantity.key]))


def _facts_of_one(study: Study, series: Series, one: Compared) -> Iterator[Fact]:
    source = KOV16 if series == f.BEST else _SOURCES[study.design]
    response, p = one.response, study.prevalence

    def fact(quantity: v.Quantity, value: float, how: str, by: Source = source, kind: Kind = "exact") -> Fact:
        return Fact(quantity, float(value), series, kind, how=how, source=by)

    coins = f"θ₁ = {plain(one.theta1)}, θ₂ = {plain(one.theta2)}"
    yield fact(v.GUARANTEE_EPSILON, response.epsilon, f"ε = ln(1 + θ₁/((1−θ₁) min(θ₂, 1−θ₂))), {coins}")
    yield fact(v.YES_IF_YES, response.yes_if_yes, f"θ₁ + (1−θ₁)θ₂, {coins}")
    yield fact(v.YES_IF_NO, response.yes_if_no, f"(1−θ₁)θ₂, {coins}")
    best = "; at a given ε the sd is least at θ₂ = ½, θ₁ = tanh(ε/2)" if series == f.BEST else ""
    yield fact(v.COIN1, one.theta1, f"θ₁ = Pr[yes | yes] − Pr[yes | no]{best}")
    yield fact(v.COIN2, one.theta2, f"θ₂ = Pr[yes | no]/(1−θ₁){best}")
    yield fact(v.ANSWER_YES, one.yes, f"λ = p·Pr[yes | yes] + (1−p)·Pr[yes | no], p = {plain(p)}")
    for quantity, answer, probability in ((v.POSTERIOR_YES, True, one.yes), (v.POSTERIOR_NO, False, one.no)):
        if probability > 0:
            yield fact(quantity, float(response.posterior(p, answer)), f"Bayes’ rule from p = {plain(p)}", NOTES)
    if series == f.CHOSEN and (0 < p < 1 or math.isfinite(response.epsilon)):
        most = float(beliefs(np.array([p]), response.epsilon)[0])
        yield fact(v.POSTERIOR_MOST, most, f"p/(p + e^−ε(1−p)), p = {plain(p)}", kind="bound")
    yield from advantage_facts(series, float(response.delta_at(0.0)))
    if one.informative:
        yield from _facts_of_the_estimate(study, series, one, source)


def _facts_of_the_estimate(study: Study, series: Series, one: Compared, source: Source) -> Iterator[Fact]:
    response, n, p, margin = one.response, study.people, study.prevalence, study.margin

    def fact(quantity: v.Quantity, value: float, how: str, by: Source = source, kind: Kind = "exact") -> Fact:
        return Fact(quantity, float(value), series, kind, how=how, source=by)

    yield fact(v.ESTIMATE_BIAS, 0.0, "E[(c/n − Pr[yes | no])/θ₁] − p = 0")
    yield fact(v.ESTIMATOR_SD, float(response.estimator_sd(p, n)), f"√(λ(1−λ)/n)/θ₁, n = {plain(n)}")
    yeses = round(p * n)
    yield fact(v.ESTIMATOR_SD_GIVEN, float(response.estimator_sd_given(yeses, n)),
               f"√(k·a(1−a) + (n−k)·b(1−b))/(n θ₁), a = Pr[yes | yes], b = Pr[yes | no], k = {plain(yeses)} of "
               f"{plain(n)}")
    low, high = one.counts_within(p, margin, raw=False)
    yield fact(v.WITHIN_MARGIN, _within(one, low, high),
               f"Pr[{plain(low)} ≤ answers yes ≤ {plain(high)}], binomial with λ = {plain(one.yes)}")
    share = Z * math.sqrt(one.yes * one.no) / margin / one.theta1
    yield fact(v.PEOPLE_NEEDED, share * share, f"λ(1−λ)(1.96/(m θ₁))², m = {plain(margin)}")
    apart = margin * one.theta1
    yield fact(v.PEOPLE_SURE, math.ceil(math.log(40) / 2 / apart / apart), f"ln(2/0.05)/(2 m² θ₁²), m = "
                                                 f"{plain(margin)}",
               H63, "bound")


def _facts_of_the_raw(study: Study, one: Compared) -> Iterator[Fact]:
    """The share of “yes” among the answers, taken for the fraction itself."""
    p, n = study.prevalence, study.people
    low, high = one.counts_within(p, study.margin, raw=True)
    bias = one.response.yes_if_no * (1 - p) - one.response.no_if_yes * p
    for quantity, value, how in (
        (v.ESTIMATE_BIAS, bias, "λ − p = (1−p)·Pr[yes | no] − p·Pr[no | yes]"),
        (v.ESTIMATOR_SD, one.count_sd / one.people, f"√(λ(1−λ)/n), n = {plain(n)}"),
        (v.WITHIN_MARGIN, _within(one, low, high),
         f"Pr[{plain(low)} ≤ answers yes ≤ {plain(high)}], binomial with λ = {plain(one.yes)}"),
    ):
        yield Fact(quantity, value, f.RAW, how=how, source=LECTURE)


def _within(one: Compared, low: float, high: float) -> float:
    return float(one.between(np.array([low]), np.array([high]))[0]) if low <= high else 0.0


ORDER = (v.GUARANTEE_EPSILON, v.POSTERIOR_YES, v.POSTERIOR_NO, v.POSTERIOR_MOST, v.ESTIMATOR_SD, v.ESTIMATOR_SD_GIVEN,
         v.ESTIMATE_BIAS, v.WITHIN_MARGIN, v.PEOPLE_NEEDED, v.PEOPLE_SURE, v.ADVANTAGE, v.SUCCESS, v.YES_IF_YES,
         v.YES_IF_NO, v.ANSWER_YES, v.COIN1, v.COIN2)
"""Rows of a table of facts: what is given away first, then what a survey is worth, then the response itself."""
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
