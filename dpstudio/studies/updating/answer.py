"""The answer of the updating study: the noise of every strategy, batch after batch, and what it costs one person."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, drawn_table, each, simulated, table
from dpstudio.core.guarantee import Guarantee, Law
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import blocks
from dpstudio.core.sources import BW18, CP34, CSS11, DMNS06, DNPR10, DRS22, KKP01, KOV15, NOTES, Source
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import WorstReleases
from dpstudio.mechanisms.noise import LaplaceNoise, analytic_sigma
from dpstudio.models.continual import Crossing, RunningCount, crossing, squared_sensitivity
from dpstudio.models.continual.optimal import each_optimal, search_each_optimal
from dpstudio.models.continual.parts import sensitivity
from dpstudio.models.continual.running import LIMIT, end_variance, worst_variance
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import updating as f
from dpstudio.studies.kit.tables import columns_of, curves, so_far, within
from dpstudio.studies.updating.histories import BLOCK, Drawn, Interval, Tally, Whole, answers_after, history_of
from dpstudio.text.numbers import plain

ALL_BATCHES = 40
"""Up to so many batches every one is shown; of more a selection, with the tree’s best and worst among them."""
SPREAD, END_POINTS = 12, 120
MOST = 10.0**7
FRAMES = 60
"""At most so many new answers from the first history to the last."""

_AT = "Q = {batches}, ε = {epsilon}"
_AT_DELTA = _AT + ", δ = {delta}"


@dataclass(frozen=True)
class Running:
    """A running count as one strategy releases it, with what is said of it."""

    study: f.Updating
    count: RunningCount
    source: Source
    terms: str
    """The formula of the number of its Laplace terms at the end."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """How one person moves all that gets noise, by who is in which batch; nothing where its noises differ in scale."""
    composes: tuple[str, ...] = ()
    """Where one person is in all Q parts that get noise, each moved by 1: there the releases just compose."""
    worst_by: Source | None = None
    beyond: str = ""
    """What a search for crossings says of more batches than it tries."""

    @property
    def strategy(self) -> str:
        return self.count.strategy

    @cached_property
    def guarantee(self) -> Guarantee:
        """What all releases promise one person together: parts that a person moves by 1 each share ε evenly."""
        epsilon = self.study.epsilon
        law: Law = laws.Claim(epsilon, 0.0)
        if self.moved and not (self.study.who == "visits" and self.strategy in (f.RETRAIN.key, f.TREE.key)):
            parts = round(float(sensitivity(self.strategy, self.study.who, self.study.batches)))
            law = WorstReleases(epsilon / parts, 0.0, parts) if parts > 1 else laws.moved(
                LaplaceNoise(1 / epsilon), 1.0)
        return Guarantee(f.PERSON, epsilon, 0.0, law, self.source, "exact" if isinstance(law, laws.Moved) else "bound")

    @cached_property
    def end(self) -> float:
        """Variance after the last batch."""
        return float(self.count.variance(self.study.batches))

    @property
    def times_adding_up(self) -> float:
        """The same over that of adding up."""
        return self.end / float(replace(self.count, strategy=f.SEQUENTIAL.key).variance(self.study.batches))

    @property
    def formula(self) -> str:
        """Of the variance after the last batch."""
        if self.moved:
            return f"{self.terms}·2 (Δ₁/ε)², {_AT}"
        last = plain(self.study.batches if self.study.who == "visits" else 1)
        return f"2 (Δ/(sε))², s = {{share}}, Δ = {last} the last count’s move, {_AT}"

    @property
    def rate_sd(self) -> float:
        """Of the share of yes, as it is released after the last batch."""
        return float(rate_sd(self.study, self.study.batches, self.end))

    def crossing(self, *, worst: bool) -> Crossing | None:
        """From how many batches on the end, or the worst batch, has less noise than that of adding up."""
        if self.strategy == f.SEQUENTIAL.key:
            return None
        return crossing(self.strategy, self.study.who, self.study.share, worst=worst)

    @property
    def gaussian_variance(self) -> Said | None:
        """At the end with Gaussian noise of one σ on every part: terms · Δ₂² σ₁², σ₁ the least for (ε, δ)."""
        study = self.study
        if study.delta == 0 or not self.moved:
            return None
        one = float(analytic_sigma(study.epsilon, study.delta))
        terms = float(self.count.terms(study.batches))
        return Said(terms * float(squared_sensitivity(self.strategy, study.who, study.batches)) * one * one,
                    source=BW18 if study.batches == 1 else DRS22)

    @property
    def optimal_variance(self) -> float | None:
        """At the end with releases that compose optimally."""
        found = self.each_optimal
        return None if found is None else 2 * float(self.count.terms(self.study.batches)) / found**2

    @property
    def each_optimal(self) -> float | None:
        """The ε₀ that releases could have which compose optimally; None where nothing is to be gained."""
        study = self.study
        if study.who not in self.composes or not _may_compose(study):
            return None
        return each_optimal(study.epsilon, study.delta, study.batches)


def rate_sd(study: f.Updating, batch: npt.ArrayLike, variance: npt.ArrayLike) -> Array:
    """√(θ(1 − θ)/N + Var/N²): the sd of the running count over N answers, given the rate."""
    n = answers_after(study, batch)
    return np.asarray(np.hypot(np.sqrt(study.rate * (1 - study.rate) / n), np.sqrt(variance) / n))


def _may_compose(study: f.Updating) -> bool:
    """Whether there are several releases, and a δ for them."""
    return study.delta > 0 and study.batches > 1


class UpdatingAnswer(Answer[f.Updating, Running, Drawn]):
    """All that is known of the strategies at one setting."""

    @property
    def counts(self) -> dict[Series, RunningCount]:
        """The running counts of all strategies."""
        return {series: one.count for series, one in self.ones.items()}

    @cached_property
    def history(self) -> Table:
        """One whole history, which depends on the seed and not on how many others are drawn."""
        return history_of(self.study, self.counts)

    def search(self) -> Steps:
        """The search for the best that releases can have which compose; it keeps what it finds."""
        if _may_compose(self.study):
            yield from search_each_optimal(self.study.epsilon, self.study.delta, self.study.batches)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Whole histories by blocks, after the search of which the sentences tell."""
        for _ in self.work(UpdatingAnswer.search):
            yield None, 0
        tally, trials = Tally(self.study, self.counts, steps(self.study.batches)), self.study.trials
        shown, due = 0, 0.0
        for rng, size in blocks(self.study.seed, trials, BLOCK):
            tally.draw(size, rng)
            if tally.done < due and tally.done < trials:
                yield None, shown
                continue
            shown, due = tally.done, tally.done + trials / FRAMES
            yield tally.drawn(), shown


# What is compared

def _strategy(series: Series, source: Source, terms: str, moved: Mapping[str, str], composes: tuple[str, ...] = (),
              worst_by: Source | None = None, beyond: str = "") -> Entry[UpdatingAnswer, Running]:
    def build(a: UpdatingAnswer) -> Running:
        s = a.study
        count = RunningCount(series.key, s.epsilon, s.batches, s.who, s.share)
        return Running(s, count, source, terms, moved, composes, worst_by, beyond)

    return Entry(series, build, source)


COMPARED: tuple[Entry[UpdatingAnswer, Running], ...] = (
    _strategy(f.SEQUENTIAL, NOTES, "Q", {
        "once": "a person is in one batch count, which moves by 1",
        "status": "a yes that comes and goes moves each of Q batch counts by 1",
        "visits": "each of Q batch counts moves by 1",
    }, composes=("status", "visits")),
    _strategy(f.RETRAIN, NOTES, "1", {
        "once": "a person of the first batch is counted again in each of Q releases",
        "status": "each of Q counts moves by 1",
        "visits": "the running counts move by 1, 2 … Q: Q(Q + 1)/2 together",
    }, composes=("once", "status")),
    _strategy(f.SKEWED, NOTES, "1", {}),
    _strategy(f.TREE, DNPR10, "popcount(Q)", {
        "once": "L = ⌊log₂ Q⌋ + 1: a batch is in one node of each level",
        "status": "each of Q nodes, one that ends at each batch, moves by 1",
        "visits": "Σ 2^l ⌈⌊Q/2^l⌋/2⌉: each node moves by the number of its batches",
    }, worst_by=CSS11, beyond="; beyond, the tree has at most L times the Δ₁ and at most L terms, and L³ ≤ "
                              "(log₂ Q + 1)³ < Q from 2 048 on"),
)


# Facts

def _crossed(quantity: v.Quantity, *, worst: bool, last: bool = False) -> Declaration[UpdatingAnswer, Running, Drawn]:
    """Where a strategy first has less noise than adding up, or last has not; none where it never has."""
    def batches(one: Running) -> float | None:
        found = one.crossing(worst=worst)
        if found is None:
            return None
        return found.last_not if last and math.isfinite(found.first) else found.first

    return each(quantity, batches, lambda one: f"search through every Q up to {LIMIT}{one.beyond}")


def _epsilon_of(quantity: v.Quantity, who: str, words: str) -> Declaration[UpdatingAnswer, Running, Drawn]:
    """What one person pays who is in the batches in that way, whoever the noise is made for."""
    return each(quantity, lambda one: one.count.epsilon_of(who),
                f"a person {words}: what they move over the scale of each noise, added up; the scales are made for "
                f"“{{who}}”, {_AT}", DMNS06)


def _at_end(key: str, seen: Drawn, numbers: Interval, how: str) -> Said | None:
    if key not in seen.keys:
        return None
    mean, low, high = (float(each[seen.keys.index(key), -1]) for each in numbers)
    return Said(mean, how.format("1 simulated history" if seen.done == 1 else f"{seen.done} simulated histories"),
                low=low, high=high)


FACTS: Mapping[str, tuple[Declaration[UpdatingAnswer, Running, Drawn], ...]] = {
    "the answer": (
        each(v.END_VARIANCE, lambda one: one.end, lambda one: one.formula),
        simulated(v.END_SEEN, lambda key, seen: _at_end(
            key, seen, seen.variance, "mean squared noise of {}; 95 % interval by the central limit theorem and the "
                                      "exact spread of squared noise"), exact=v.END_SD),
        each(v.END_SD, lambda one: math.sqrt(one.end), lambda one: f"√ of {one.formula}"),
        each(v.WORST_VARIANCE, lambda one: Said(one.count.worst_variance, source=one.worst_by),
             lambda one: f"after batch {one.count.worst_batch}, {_AT}"),
        each(v.WORST_SD, lambda one: Said(math.sqrt(one.count.worst_variance), source=one.worst_by),
             lambda one: f"√ of the variance after batch {one.count.worst_batch}, {_AT}"),
        each(v.END_TIMES, lambda one: one.times_adding_up, f"variance at the end over that of the sum, {_AT}"),
        _crossed(v.BETTER_FROM, worst=False),
        _crossed(v.BETTER_AFTER, worst=False, last=True),
        _crossed(v.WORST_BETTER_FROM, worst=True),
        _crossed(v.WORST_BETTER_AFTER, worst=True, last=True),
    ),
    "errors": (
        each(v.END_ERROR_95, lambda one: float(one.count.error_95(one.study.batches)),
             lambda one: f"Pr[|sum of {plain(float(one.count.terms(one.study.batches)))} Laplace terms| ≤ e₉₅] = "
                         f"0.95, {_AT}", KKP01),
        each(v.RUNNING_RATE_SD, lambda one: one.rate_sd, f"√(θ(1 − θ)/N + Var/N²), θ = {{rate}}, {_AT}"),
        simulated(v.RATE_COVERED, lambda key, seen: _at_end(
            key, seen, seen.coverage, "of {}, rates drawn evenly from 0 to 1; 95 % Clopper–Pearson interval"),
            source=CP34),
    ),
    "privacy": (
        _epsilon_of(v.ONCE_EPSILON, "once", "in one batch"),
        _epsilon_of(v.STATUS_EPSILON, "status", "with a yes that comes and goes"),
        _epsilon_of(v.VISITS_EPSILON, "visits", "in every batch"),
        each(v.EACH_EPSILON, lambda one: one.study.epsilon / one.study.batches, f"ε/Q, {_AT_DELTA}", NOTES,
             when=lambda one: one.study.who in one.composes),
        each(v.EACH_OPTIMAL, lambda one: one.each_optimal,
             f"the largest ε₀ with which Q randomized responses are (ε, δ)-private, less 1e-8 of it, {_AT_DELTA}",
             KOV15, slow=UpdatingAnswer.search),
    ),
    "technical": (
        each(v.MOVED_TOGETHER, lambda one: one.count.epsilon * float(one.count.scale(one.study.batches)),
             lambda one: one.moved[one.study.who], DMNS06, when=lambda one: bool(one.moved)),
        each(v.OPTIMAL_VARIANCE, lambda one: one.optimal_variance, lambda one: f"{one.terms}·2/ε₀², {_AT_DELTA}", KOV15,
             slow=UpdatingAnswer.search),
        each(v.GAUSSIAN_VARIANCE, lambda one: one.gaussian_variance,
             lambda one: f"{one.terms}·Δ₂² σ₁², σ₁ the least σ for (ε, δ) and one count, {_AT_DELTA}"),
    ),
}


# Tables

def steps(batches: int) -> Whole:
    """The batches that are shown and simulated: all of few, else evenly on a log axis, 2^i and 2^i − 1 among them."""
    if batches <= ALL_BATCHES:
        return np.arange(1, batches + 1)
    powers = 2 ** np.arange(batches.bit_length())
    even = np.rint(np.geomspace(1, batches, SPREAD)).astype(np.int64)
    every = np.concatenate([even, powers, powers - 1, [batches - 1]])
    return np.unique(every[every >= 1])


def _steps_table(a: UpdatingAnswer, _: Span) -> Table:
    """The noise after each batch, and how well the rate is known then."""
    at = steps(a.study.batches)
    variances = {series: count.variance(at) for series, count in a.counts.items()}
    return Table({f.X_BATCH: at.astype(np.float64)} | curves(variances, np.sqrt, v.RUNNING_SD) | curves(
        {f.TRUTH: np.zeros(at.shape), **variances}, lambda variance: rate_sd(a.study, at, variance), v.RUNNING_RATE_SD))


def _steps_seen(a: UpdatingAnswer, _: Table, seen: Drawn) -> Mapping[Column, Array]:
    return columns_of(f.SEEN, tuple(a.ones), tuple(np.sqrt(numbers) for numbers in seen.variance))


def _end_table(a: UpdatingAnswer, view: Span) -> Table:
    """The noise after the last and after the worst of Q batches, for many Q."""
    study = a.study
    low, high = within(view, 1.0, MOST)
    powers = 2.0 ** np.arange(25)
    special = np.concatenate([powers, powers - 1])
    even = np.rint(np.geomspace(low, high, END_POINTS))
    q = np.unique(np.concatenate([even, special[(special >= low) & (special <= high)], [study.batches]]))

    def sd(variance: Callable[..., Array], quantity: v.Quantity) -> dict[Column, Array]:
        return curves(a.ones, lambda one: np.sqrt(variance(one.strategy, study.who, q, study.share)) / study.epsilon,
                      quantity)

    return Table({f.X_BATCHES: q} | sd(end_variance, v.END_SD) | sd(worst_variance, v.WORST_SD))


def _coverage_table(a: UpdatingAnswer, seen: Drawn) -> Table:
    """How many naive posteriors held the rate, batch by batch."""
    return Table({f.X_BATCH: seen.judged.astype(np.float64),
                  Column(v.RATE_COVERED, f.TRUTH): np.full(seen.judged.size, 0.95)}
                 | columns_of(f.COVERED, tuple(a.ones), seen.coverage))


def _whole(a: UpdatingAnswer) -> Span:
    """All batches; a single one in the middle."""
    return (1.0, float(a.study.batches)) if a.study.batches > 1 else (0.5, 2.0)


TABLES: Mapping[str, Tabled[UpdatingAnswer, Drawn]] = {
    f.STEPS_TABLE: table(_steps_table, _whole, drawn=_steps_seen),
    f.END_TABLE: table(_end_table, lambda a: (1.0, max(20_000.0, 1.0 * a.study.batches))),
    f.COVERAGE_TABLE: drawn_table(_coverage_table, _whole),
    f.HISTORY_TABLE: drawn_table(lambda a, seen: so_far(a.history, seen.done / a.study.trials),
                                 lambda a: (0.0, float(a.study.batches))),
}

UpdatingAnswer.compared, UpdatingAnswer.declared, UpdatingAnswer.tabled = COMPARED, FACTS, TABLES
