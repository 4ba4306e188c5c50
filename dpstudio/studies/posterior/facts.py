"""The single numbers of the posterior study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sources import BS18, DMNS06, GRS12, NOTES, WM10, Source
from dpstudio.studies.posterior import figures as f
from dpstudio.studies.posterior.compare import Compared, clamp_bias, coverage, far_enough, invalid, unusable
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

_LAW = {
    f.PRIOR: "Beta(a, b)", f.TRUTH: "Beta(a + k, b + n − k)", f.NAIVE: "Beta(a + c, b + n − c)",
    f.CLAMPED: "Beta(a + c, b + n − c), c moved into [0, n]",
    f.AWARE: "Σ w_k Beta(a + k, b + n − k), w_k ∝ BetaBin(k) e^(−ε|c − k|)",
}


def facts_of(study: Study, counts: Compared) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity."""
    every = [fact for series in counts.posteriors for fact in _facts_of_one(study, counts, series)]
    # A stable sort keeps the series of one quantity in their own order.
    return *sorted(every + list(_facts_of_releases(study, counts)), key=lambda fact: _PLACE[fact.key]), \
        *_facts_of_the_count(study, counts)


def _facts_of_one(study: Study, counts: Compared, series: Series) -> Iterator[Fact]:
    posterior = counts.posteriors[series]
    law, percent = _LAW[series], plain(100 * study.level)
    low, high = posterior.interval(study.level)

    def fact(quantity: v.Quantity, value: float, how: str, source: Source | None = None) -> Fact:
        return Fact(quantity, value, series, how=how, source=source or (BS18 if series == f.AWARE else NOTES))

    yield fact(v.RATE_MEAN, posterior.mean, f"mean of {law}")
    yield fact(v.RATE_SD, posterior.sd, f"sd of {law}")
    yield fact(v.INTERVAL_LOW, low, f"central {percent} % interval of {law}")
    yield fact(v.INTERVAL_HIGH, high, f"central {percent} % interval of {law}")
    yield fact(v.INTERVAL_WIDTH, high - low, f"its length; {percent} %")
    if series in f.JUDGED:
        aware = counts.posteriors[f.AWARE]
        inside = study.level if series == f.AWARE else 1 - float(aware.cdf(low)) - float(aware.survival(high))
        yield fact(v.DESERVED, min(max(inside, 0.0), 1.0), "the noise-aware posterior’s probability of this interval",
                   WM10)


def _facts_of_releases(study: Study, counts: Compared) -> Iterator[Fact]:
    e = plain(study.epsilon)

    def fact(quantity: v.Quantity, value: float, series: Series, how: str, source: Source = NOTES) -> Fact:
        return Fact(quantity, value, series, how=how, source=source)

    for series, what in ((f.NAIVE, "; without a posterior nothing is covered"), (f.CLAMPED, "")):
        yield fact(v.COVERAGE, coverage(study, study.epsilon, series), series,
                   f"over θ from the prior, k from Bin(n, θ) and the noise, ε = {e}, by quadrature to 1e-8{what}")
    yield fact(v.COVERAGE, study.level, f.AWARE, "by Bayes’ rule: each release’s interval has this probability",
               WM10)
    of_a, of_b = (float(each[0]) for each in invalid(study, counts.true, np.array([study.epsilon])))
    a, b = far_enough(study)
    share = "1/(1 + e^−ε)" if study.noise == "geometric" else "½"
    for quantity, value, how in (
        (v.INVALID, of_a + of_b, "Pr[a′ ≤ 0] + Pr[b′ ≤ 0]"),
        (v.INVALID_A, of_a, f"{share} e^(−ε·{plain(a + counts.true)}), ε = {e}"),
        (v.INVALID_B, of_b, f"{share} e^(−ε·{plain(b + study.people - counts.true)}), ε = {e}"),
        (v.INVALID_OVERALL, unusable(study, study.epsilon),
         "the same averaged over θ from the prior and k from Bin(n, θ)"),
    ):
        yield fact(quantity, value, f.NAIVE, how)
    yield fact(v.CLAMP_BIAS, clamp_bias(study, counts.true), f.CLAMPED,
               f"(e^(−εk) − e^(−ε(n−k)))/{'(2 sinh ε)' if study.noise == 'geometric' else '(2ε)'}, ε = {e}, "
               f"k = {plain(counts.true)}, n = {plain(study.people)}")


def _facts_of_the_count(study: Study, counts: Compared) -> Iterator[Fact]:
    law: Source = GRS12 if study.noise == "geometric" else DMNS06
    yield Fact(v.TRUE_YES, float(counts.true), how=f"π n to the nearest whole number, π = {plain(study.fraction)}, "
               f"n = {plain(study.people)}")
    if study.release == "drawn":
        drawn = f"k and {study.noise} noise of ε = {plain(study.epsilon)}, drawn by seed {study.seed}"
        yield Fact(v.NOISY_COUNT, counts.released, how=drawn)
        yield Fact(v.DRAWN_RELEASE, counts.released / study.people, how=f"c/n; c is {drawn}")
    else:
        rounded = ", to the nearest whole number" if study.noise == "geometric" else ""
        yield Fact(v.NOISY_COUNT, counts.released, how=f"the released share times n{rounded}")
    yield Fact(v.NOISE_DRAWN, counts.released - counts.true, how="c − k")
    away = abs(counts.released - counts.true)
    share = 2 / (1 + math.exp(-study.epsilon)) if study.noise == "geometric" and away else 1.0
    yield Fact(v.NOISE_BEYOND, share * math.exp(-study.epsilon * away), how="2e^(−ε|c − k|)/(1 + e^−ε)"
               if study.noise == "geometric" else "e^(−ε|c − k|)", source=law)
    yield Fact(v.GUARANTEE_EPSILON, study.epsilon, how=f"one person changes the count by 1; noise of ε = "
               f"{plain(study.epsilon)}", source=law)
    even, how = (2 * math.asinh(math.sqrt(2 / study.people)), "1/(2 sinh²(ε/2)) = n/4: ε = 2 arsinh √(2/n)") \
        if study.noise == "geometric" else (math.sqrt(8 / study.people), "2/ε² = n/4: ε = √(8/n)")
    yield Fact(v.EVEN_EPSILON, even, how=f"{how}, n = {plain(study.people)}", source=law)


ORDER = (v.RATE_MEAN, v.RATE_SD, v.INTERVAL_LOW, v.INTERVAL_HIGH, v.INTERVAL_WIDTH, v.DESERVED, v.COVERAGE, v.INVALID,
         v.INVALID_A, v.INVALID_B, v.INVALID_OVERALL, v.CLAMP_BIAS)
"""Rows of a table of facts: this count’s posteriors, what they deserve, then what happens over many releases."""
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
