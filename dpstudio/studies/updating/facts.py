"""The single numbers of the updating study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sources import BW18, CSS11, DMNS06, DNPR10, DRS22, KKP01, KOV15, NOTES, Source
from dpstudio.models.continual import RunningCount, crossing
from dpstudio.models.continual.crossing import LIMIT
from dpstudio.studies.updating import figures as f
from dpstudio.studies.updating.compare import Compared, composed, each_optimal, gaussian_variance, rate_sd
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from dpstudio.studies.updating import Updating as Study

_SOURCES: dict[Series, Source] = {f.SEQUENTIAL: NOTES, f.RETRAIN: NOTES, f.SKEWED: NOTES, f.TREE: DNPR10}
_TERMS = {f.SEQUENTIAL: "Q", f.RETRAIN: "1", f.SKEWED: "1", f.TREE: "popcount(Q)"}
_MOVED = {
    (f.SEQUENTIAL, "once"): "a person is in one batch count, which moves by 1",
    (f.SEQUENTIAL, "status"): "a yes that comes and goes moves each of Q batch counts by 1",
    (f.SEQUENTIAL, "visits"): "each of Q batch counts moves by 1",
    (f.RETRAIN, "once"): "a person of the first batch is counted again in each of Q releases",
    (f.RETRAIN, "status"): "each of Q counts moves by 1",
    (f.RETRAIN, "visits"): "the running counts move by 1, 2 … Q: Q(Q + 1)/2 together",
    (f.TREE, "once"): "L = ⌊log₂ Q⌋ + 1: a batch is in one node of each level",
    (f.TREE, "status"): "each of Q nodes, one that ends at each batch, moves by 1",
    (f.TREE, "visits"): "Σ 2^l ⌈⌊Q/2^l⌋/2⌉: each node moves by the number of its batches",
}
_WORLDS = ((v.ONCE_EPSILON, "once", "in one batch"), (v.STATUS_EPSILON, "status", "with a yes that comes and goes"),
           (v.VISITS_EPSILON, "visits", "in every batch"))


def facts_of(study: Study, counts: Compared) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity."""
    every = [fact for series, count in counts.items() for fact in _facts_of_one(study, series, count, counts)]
    return tuple(sorted(every, key=lambda fact: _PLACE[fact.key]))


def _facts_of_one(study: Study, series: Series, count: RunningCount, counts: Compared) -> Iterator[Fact]:
    q, at = study.batches, f"Q = {plain(study.batches)}, ε = {plain(study.epsilon)}"

    def fact(quantity: v.Quantity, value: float, how: str, by: Source | None = None) -> Fact:
        return Fact(quantity, float(value), series, how=how, source=by or _SOURCES[series])

    end = float(count.variance(q))
    last = plain(q if study.who == "visits" else 1)
    formula = (f"2 (Δ/(sε))², s = {plain(study.share)}, Δ = {last} the last count’s move, {at}" if series == f.SKEWED
               else f"{_TERMS[series]}·2 (Δ₁/ε)², {at}")
    yield fact(v.END_VARIANCE, end, formula)
    yield fact(v.END_SD, math.sqrt(end), f"√ of {formula}")
    yield fact(v.END_ERROR_95, float(count.error_95(q)), f"Pr[|sum of {plain(float(count.terms(q)))} Laplace terms| ≤ "
               f"e₉₅] = 0.95, {at}", KKP01)
    yield fact(v.WORST_VARIANCE, count.worst_variance, f"after batch {count.worst_batch}, {at}",
               CSS11 if series == f.TREE else None)
    yield fact(v.END_TIMES, end / float(counts[f.SEQUENTIAL].variance(q)), f"variance at the end over that of adding "
               f"up, {at}")
    if series != f.SKEWED:
        yield fact(v.MOVED_TOGETHER, count.epsilon * float(count.scale(q)), _MOVED[series, study.who], DMNS06)
    for quantity, who, words in _WORLDS:
        yield fact(quantity, count.epsilon_of(who), f"a person {words}: what they move over the scale of each noise, "
                   f"added up; the scales are made for “{study.who}”, {at}", DMNS06)
    yield fact(v.RUNNING_RATE_SD, float(rate_sd(study, q, end)),
               f"√(θ(1 − θ)/N + Var/N²), θ = {plain(study.rate)}, {at}")
    if series != f.SEQUENTIAL:
        yield from _crossings(study, series)
    yield from _with_delta(study, series)


def _crossings(study: Study, series: Series) -> Iterator[Fact]:
    for quantities, worst in (((v.BETTER_FROM, v.BETTER_AFTER), False),
                              ((v.WORST_BETTER_FROM, v.WORST_BETTER_AFTER), True)):
        found = crossing(series.key, study.who, study.share, worst=worst)
        after = math.inf if math.isinf(found.first) else found.last_not
        proved = ("; beyond, the tree has at most L times the Δ₁ and at most L terms, and L³ ≤ (log₂ Q + 1)³ < Q from "
                  "2 048 on" if series == f.TREE else "")
        for quantity, value in zip(quantities, (found.first, after), strict=True):
            yield Fact(quantity, value, series, how=f"search through every Q up to {LIMIT}{proved}",
                       source=_SOURCES[series])


def _with_delta(study: Study, series: Series) -> Iterator[Fact]:
    """What the strategy could do with a δ, and what it does without."""
    q, at = study.batches, f"Q = {plain(study.batches)}, ε = {plain(study.epsilon)}, δ = {plain(study.delta)}"
    if composed(study, series):
        yield Fact(v.EACH_EPSILON, study.epsilon / q, series, how=f"ε/Q, {at}", source=NOTES)
    if study.delta > 0 and series != f.SKEWED:
        yield Fact(v.GAUSSIAN_VARIANCE, gaussian_variance(study, series), series, source=BW18 if q == 1 else DRS22,
                   how=f"{_TERMS[series]}·Δ₂² σ₁², σ₁ the least σ for (ε, δ) and one count, {at}")


def has_optimal(study: Study) -> bool:
    """Whether there are several releases, and a δ for them."""
    return study.delta > 0 and study.batches > 1


def optimal_facts(study: Study) -> tuple[Fact, ...]:
    """What the releases that just compose could have for each at (ε, δ); it takes a search, and comes later."""
    q, at = study.batches, f"Q = {plain(study.batches)}, ε = {plain(study.epsilon)}, δ = {plain(study.delta)}"
    if not has_optimal(study):
        return ()
    each = each_optimal(study.epsilon, study.delta, q)
    how = f"the largest ε₀ with which Q randomized responses are (ε, δ)-private, less 1e-8 of it, {at}"
    those = [one for one in f.ALL if composed(study, one)]
    return (*(Fact(v.EACH_OPTIMAL, each, one, how=how, source=KOV15) for one in those),
            *(Fact(v.OPTIMAL_VARIANCE, 2 * (q if one == f.SEQUENTIAL else 1) / each**2, one,
                   how=f"{_TERMS[one]}·2/ε₀², {at}", source=KOV15) for one in those))


ORDER = (v.END_VARIANCE, v.END_SD, v.WORST_VARIANCE, v.END_TIMES, v.END_ERROR_95, v.RUNNING_RATE_SD, v.ONCE_EPSILON,
         v.STATUS_EPSILON, v.VISITS_EPSILON, v.MOVED_TOGETHER, v.BETTER_FROM, v.BETTER_AFTER, v.WORST_BETTER_FROM,
         v.WORST_BETTER_AFTER, v.GAUSSIAN_VARIANCE, v.EACH_EPSILON)
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
