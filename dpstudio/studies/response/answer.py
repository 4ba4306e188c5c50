"""The answer of the response study: what one randomized answer gives away, and what a survey of many tells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, drawn, drawn_table, each, once, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import paced
from dpstudio.core.sources import CHAPTER, CP34, H63, KOV16, LECTURE, NOTES, Source
from dpstudio.core.special import Z_95, updated
from dpstudio.mechanisms.response import RandomizedResponse, coin_theta1
from dpstudio.records import dataclass
from dpstudio.studies import response as f
from dpstudio.studies.kit import attack as kit
from dpstudio.studies.kit.tables import curves, places, share, shares, within
from dpstudio.studies.response.compared import Compared
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Record

GROWTH = 1.1
"""An update for each growth of the surveys drawn by this factor …"""
CHUNKS_BETWEEN = 4
"""… and at most so many chunks from one to the next, so that cancelling takes milliseconds."""
CELLS = 40
POINTS = 201
SPREAD = 4.5
"""Standard deviations to either side that a picture of estimates shows."""
DETAIL = 161
"""Further points across each series’ own estimates, which may be far narrower than the view."""
NEAREST = 1e-9
"""How near to 0 and 1 a prior is taken: at the ends themselves no answer changes anything."""
POSSIBLE = 1e-290
"""An answer of a smaller probability is never met with; products with such are no numbers."""
WIDEST = 20.0
"""The largest ε that a profile reaches for: an answer that proves the truth has none."""
LARGEST = 700.0
"""Above this e^ε is no double: what ε promises is nothing, and its line on the map is the edge itself."""

Counts: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Drawn:
    """Surveys drawn so far: how many, by key of the series, were within the margin, and how many in each cell."""

    done: int
    within: Mapping[str, int]
    cells: AnswerCells
    filled: Counts


class ResponseAnswer(Answer[f.Response, Compared, Drawn]):
    """All that is known of one response, and of the best one at its ε."""

    def planned(self, series: Series | None = None) -> Record | None:
        """A survey of as many people, as near to their share as the normal law of its answers says."""
        one = self.one(series) if series else None
        if one is None or not one.informative or not math.isfinite(one.response.epsilon):
            return super().planned(series)
        points = 100 * Z_95 / (2 * math.sqrt(self.study.people) * math.sinh(min(one.response.epsilon, 700.0) / 2))
        return Record(self.study.title, "response", {"within": points, "people": self.study.people}) if (
            1e-6 <= points <= 100) else super().planned(series)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn, int]]:  # noqa: ARG002
        """Draw the number of “yes” of each survey: a binomial, however many people answer."""
        study, one = self.study, self.get(f.CHOSEN)
        cells = AnswerCells.around(one)
        readings = {f.CHOSEN: False, f.RAW: True} if one.informative else {f.RAW: True}
        within = {series.key: one.counts_within(raw=raw) for series, raw in readings.items()}
        filled, hits = np.zeros(cells.number, dtype=np.int64), dict.fromkeys(within, 0)
        for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
            counts = rng.binomial(study.people, min(one.yes, 1.0), size)
            filled += cells.filled(counts)
            for key, (low, high) in within.items():
                hits[key] += int(np.count_nonzero((counts >= low) & (counts <= high)))
            if show:
                yield Drawn(done, dict(hits), cells, filled.copy()), done


@dataclass(frozen=True, slots=True)
class AnswerCells:
    """Stretches of the number of “yes”, of equal length."""

    first: float
    step: float
    number: int

    @classmethod
    def around(cls, one: Compared) -> AnswerCells:
        mean, half = one.people * one.yes, SPREAD * one.count.sd + 1
        low, high = max(0.0, math.floor(mean - half)), min(one.people, math.ceil(mean + half))
        step = math.ceil((high - low + 1) / CELLS)
        return cls(low, step, math.ceil((high - low + 1) / step))

    @property
    def lows(self) -> Array:
        return self.first + self.step * np.arange(self.number, dtype=np.float64)

    def filled(self, counts: Counts) -> Counts:
        """How many of the counts fall into each cell."""
        cell = (counts - self.first) // self.step
        inside = cell[(cell >= 0) & (cell < self.number)]
        return np.bincount(inside.astype(np.intp), minlength=self.number).astype(np.int64)


# What is compared

SOURCES: Mapping[str, Source] = {"symmetric": LECTURE, "coins": NOTES, "warner": CHAPTER}


def _chosen(a: ResponseAnswer) -> Compared:
    s = a.study
    match s.design:
        case "symmetric":
            return Compared(s, RandomizedResponse.symmetric(s.epsilon), math.tanh(s.epsilon / 2), 0.5)
        case "warner":
            return Compared(s, RandomizedResponse.warner(), 0.5, 0.5)
    return Compared(s, RandomizedResponse.two_coin(s.theta1, s.theta2), s.theta1, s.theta2)


def _best(a: ResponseAnswer) -> Compared | None:
    """The best response of the chosen one's ε, unless it is that itself."""
    chosen = a.get(f.CHOSEN)
    if chosen.theta2 == 0.5 or chosen.theta1 in (0.0, 1.0):
        return None
    best = RandomizedResponse.symmetric(chosen.response.epsilon)
    return Compared(a.study, best, best.difference, 0.5, "; at a given ε the sd is least at θ₂ = ½, θ₁ = tanh(ε/2)")


COMPARED: tuple[Entry[ResponseAnswer, Compared], ...] = (
    Entry(f.CHOSEN, _chosen, lambda a: SOURCES[a.study.design]),
    Entry(f.BEST, _best, KOV16),
)


# Facts

def _by_coins(formula: str) -> Callable[[Compared], str]:
    return lambda one: f"{formula}, θ₁ = {plain(one.theta1)}, θ₂ = {plain(one.theta2)}"


def _estimates(one: Compared) -> bool:
    """Of answers that say nothing there is no estimate."""
    return one.informative


def _posterior(one: Compared, *, answer: bool) -> float | None:
    possible = (one.yes if answer else one.no) > 0
    return float(one.response.posterior(one.study.prevalence, answer)) if possible else None


def _posterior_most(a: ResponseAnswer) -> Said | None:
    """The belief that ε allows after an answer; of certain ones and any ε there is none to speak of."""
    p, epsilon = a.study.prevalence, a.get(f.CHOSEN).response.epsilon
    if p in (0.0, 1.0) and math.isinf(epsilon):
        return None
    return Said(float(updated(p, epsilon)), source=SOURCES[a.study.design])


def _sd_given(one: Compared) -> Said:
    n, yeses = one.study.people, round(one.study.prevalence * one.study.people)
    return Said(float(one.response.estimator_sd_given(yeses, n)),
                f"√(k·a(1−a) + (n−k)·b(1−b))/(n θ₁), a = Pr[yes | yes], b = Pr[yes | no], k = {plain(yeses)} of "
                f"{plain(n)}")


def _within(one: Compared, *, raw: bool) -> Said:
    low, high = one.counts_within(raw=raw)
    inside = float(one.count.between(np.array([low]), np.array([high]))[0]) if low <= high else 0.0
    return Said(inside, f"Pr[{plain(low)} ≤ answers yes ≤ {plain(high)}], binomial with λ = {plain(one.yes)}")


def _people_sure(one: Compared) -> float:
    apart = one.study.margin * one.theta1
    return math.ceil(math.log(40) / 2 / apart / apart)


def _raw_bias(a: ResponseAnswer) -> float:
    response, p = a.get(f.CHOSEN).response, a.study.prevalence
    return response.yes_if_no * (1 - p) - response.no_if_yes * p


FACTS: Mapping[str, tuple[Declaration[ResponseAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.GUARANTEE_EPSILON, lambda one: one.response.epsilon, _by_coins("ε = ln(1 + θ₁/((1−θ₁) min(θ₂, 1−θ₂)))")),
        each(v.POSTERIOR_YES, lambda one: _posterior(one, answer=True), "Bayes’ rule from p = {prevalence}", NOTES),
        each(v.POSTERIOR_NO, lambda one: _posterior(one, answer=False), "Bayes’ rule from p = {prevalence}", NOTES),
        each(v.WITHIN_MARGIN, lambda one: _within(one, raw=False), when=_estimates),
        once(v.WITHIN_MARGIN, lambda a: _within(a.get(f.CHOSEN), raw=True), source=LECTURE, series=f.RAW),
        drawn(v.SURVEYS_WITHIN, lambda _, seen: share(seen.within.get(f.CHOSEN.key), seen.done, "simulated surveys"),
              source=CP34, series=f.CHOSEN, exact=v.WITHIN_MARGIN),
        drawn(v.SURVEYS_WITHIN, lambda _, seen: share(seen.within.get(f.RAW.key), seen.done, "simulated surveys"),
              source=CP34, series=f.RAW, exact=v.WITHIN_MARGIN),
        each(v.PEOPLE_NEEDED, lambda one: one.people_needed, "λ(1−λ)(1.96/(m θ₁))², m = {margin}", when=_estimates),
        each(v.PEOPLE_SURE, _people_sure, "ln(2/0.05)/(2 m² θ₁²), m = {margin}", H63, kind="bound", when=_estimates),
    ),
    "errors": (
        each(v.ESTIMATOR_SD, lambda one: one.response.estimator_sd(one.study.prevalence, one.study.people),
             "√(λ(1−λ)/n)/θ₁, n = {people}", when=_estimates),
        once(v.ESTIMATOR_SD, lambda a: a.get(f.CHOSEN).count.sd / a.get(f.CHOSEN).people, "√(λ(1−λ)/n), n = {people}",
             LECTURE, series=f.RAW),
        each(v.ESTIMATOR_SD_GIVEN, _sd_given, when=_estimates),
        each(v.ESTIMATE_ERROR_95, lambda one: one.error_95,
             "the smallest h with Pr[|estimate − {prevalence}| ≤ h] ≥ 0.95, of the binomial answers yes",
             when=_estimates),
        each(v.ESTIMATE_BIAS, lambda _: 0.0, "E[(c/n − Pr[yes | no])/θ₁] − p = 0", when=_estimates),
        once(v.ESTIMATE_BIAS, _raw_bias, "λ − p = (1−p)·Pr[yes | no] − p·Pr[no | yes]", LECTURE, series=f.RAW),
    ),
    "privacy": (
        once(v.POSTERIOR_MOST, _posterior_most, "p/(p + e^−ε(1−p)), p = {prevalence}", kind="bound", series=f.CHOSEN),
    ),
    "attack": kit.ADVANTAGE_FACTS,
    "technical": (
        each(v.YES_IF_YES, lambda one: one.response.yes_if_yes, _by_coins("θ₁ + (1−θ₁)θ₂")),
        each(v.YES_IF_NO, lambda one: one.response.yes_if_no, _by_coins("(1−θ₁)θ₂")),
        each(v.ANSWER_YES, lambda one: one.yes, "λ = p·Pr[yes | yes] + (1−p)·Pr[yes | no], p = {prevalence}"),
        each(v.COIN1, lambda one: one.theta1, lambda one: f"θ₁ = Pr[yes | yes] − Pr[yes | no]{one.note}"),
        each(v.COIN2, lambda one: one.theta2, lambda one: f"θ₂ = Pr[yes | no]/(1−θ₁){one.note}"),
    ),
}


# Tables

def _unit_grid(view: Span, ends: float = 0.0) -> Array:
    return np.clip(np.linspace(*within(view, 0.0, 1.0), POINTS), ends, 1 - ends)


def _prior_table(a: ResponseAnswer, view: Span) -> Table:
    """Posteriors and probabilities of “yes” at each prior, with the band of ε; an impossible answer has no column."""
    prior = _unit_grid(view, NEAREST)
    columns: dict[Column, Array] = {f.X_PRIOR: prior}
    for series, one in a.ones.items():
        response = one.response
        if response.yes_if_yes + response.yes_if_no > POSSIBLE:
            columns[Column(v.POSTERIOR_YES, series)] = np.asarray(response.posterior(prior, True))
        if response.no_if_yes + response.no_if_no > POSSIBLE:
            columns[Column(v.POSTERIOR_NO, series)] = np.asarray(response.posterior(prior, False))
        columns[Column(v.ANSWER_YES, series)] = np.asarray(response.answer_probability(prior))
    return Table(columns | kit.belief_columns(prior, a.get(f.CHOSEN).response.epsilon, f.CHOSEN)
                 | {Column(v.ANSWERS_AS_PRIOR): prior})


def _coins_table(a: ResponseAnswer, view: Span) -> Table:
    """θ₁ for each θ₂ at several ε, today’s among them, and where the responses are."""
    theta2 = _unit_grid(view)
    levels = {**f.LEVELS, f.CHOSEN: min(a.get(f.CHOSEN).response.epsilon, LARGEST)}
    return Table({f.X_COIN2: theta2} | curves(levels, lambda level: coin_theta1(level, theta2), v.THETA1) | curves(
        a.ones, lambda one: (np.full(theta2.shape, one.theta2), np.full(theta2.shape, one.theta1)), v.COIN2, v.COIN1))


def _profile_view(a: ResponseAnswer) -> Span:
    return 0.0, 2.5 * (min(a.get(f.CHOSEN).response.epsilon, WIDEST) or 1.0)


def _attack_table(a: ResponseAnswer, _: Span) -> Table:
    """The errors of the best test, with those of the tests that believe an answer among the points."""
    bends = [end for one in a.ones.values() for end in (one.response.yes_if_no, one.response.no_if_no)]
    return kit.attack_table(kit.attacked(a), min(a.get(f.CHOSEN).response.epsilon, LARGEST), 0.0, *bends)


def _estimates_view(a: ResponseAnswer) -> Span:
    """The estimates that a survey is likely to arrive at, debiased or raw."""
    chosen = a.get(f.CHOSEN)
    ends = [_stretch(chosen.yes, chosen, 1.0)]
    if chosen.informative:
        ends.append(_stretch(a.study.prevalence, chosen, chosen.theta1))
    return min(low for low, _ in ends), max(high for _, high in ends)


def _stretch(centre: float, one: Compared, slope: float) -> Span:
    half = (SPREAD * one.count.sd + 1.5) / one.people / slope
    return centre - half, centre + half


def _estimates_table(a: ResponseAnswer, view: Span) -> Table:
    """How likely each estimate is against the likeliest one: a step for every number of “yes”."""
    chosen, informative = a.get(f.CHOSEN), {series: one for series, one in a.ones.items() if one.informative}
    stretches = [_stretch(chosen.yes, chosen, 1.0),
                 *(_stretch(a.study.prevalence, one, one.theta1) for one in informative.values())]
    x = places(view, 2 * POINTS, *(np.linspace(*ends, DETAIL) for ends in stretches))
    return Table({f.X_ESTIMATE: x} | curves(informative, lambda one: one.relative(np.rint(
        one.people * (one.response.yes_if_no + one.response.difference * x))), v.ESTIMATE_RELATIVE)
        | {Column(v.ESTIMATE_RELATIVE, f.RAW): chosen.relative(np.rint(chosen.people * x))})


def _surveys_table(a: ResponseAnswer, seen: Drawn) -> Table:
    """Share of each cell, seen and exact; the same answers read in two ways."""
    one, lows = a.get(f.CHOSEN), seen.cells.lows
    highs = lows + seen.cells.step - 1
    exact, centre = one.count.between(lows, highs), (lows + highs) / 2 / one.people
    found = shares(seen.filled, seen.done)
    columns: dict[Column, Array] = {}
    if one.informative:
        columns[Column(v.ESTIMATE, f.CHOSEN)] = (centre - one.response.yes_if_no) / one.response.difference
    columns[Column(v.ESTIMATE, f.RAW)] = centre
    for series in (f.CHOSEN, f.RAW) if one.informative else (f.RAW,):
        columns |= curves({series: (exact, *found)}, tuple, v.SHARE, *f.SEEN)
    return Table(columns)


TABLES: Mapping[str, Tabled[ResponseAnswer, Drawn]] = {
    f.PRIOR_TABLE: table(_prior_table, (0.0, 1.0)),
    f.COINS_TABLE: table(_coins_table, (0.0, 1.0)),
    kit.PROFILE_TABLE: table(lambda a, view: kit.profile_table(
        view, kit.attacked(a), a.get(f.CHOSEN).response.epsilon), _profile_view),
    kit.ATTACK_TABLE: table(_attack_table, (0.0, 1.0)),
    f.ESTIMATES_TABLE: table(_estimates_table, _estimates_view),
    f.SURVEYS_TABLE: drawn_table(_surveys_table, lambda a: a.view(f.ESTIMATES_TABLE)),
}

ResponseAnswer.compared, ResponseAnswer.declared, ResponseAnswer.tabled = COMPARED, FACTS, TABLES
