"""The answer of the policy study: which action is better, how likely it is taken, and what privacy costs of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, drawn_table, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import UNSEEN, chunks
from dpstudio.core.sources import CP34, DMNS06, DR14, UTILITY
from dpstudio.core.special import Z_95
from dpstudio.models.policy import Batch, Chances, Programme, largest_variance, simulate
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import policy as f
from dpstudio.studies.kit.tables import curves, share, within
from dpstudio.studies.policy.compared import (
    HIGHEST,
    LOWEST,
    TOP,
    TRUTHFUL,
    Case,
    Compared,
    Curve,
    case_of,
    level_line,
    programme_of,
)
from dpstudio.text.numbers import plain

REPLICATES = 200
"""Programmes of one chunk. It is part of what a seed means."""
GROWTH = 1.15
"""A new answer for each growth of the programmes done by this factor."""
PATIENCE = 15_000
"""Counts drawn from one yield to the next, at most, so that cancelling takes milliseconds."""

COSTS, DECISIONS = 41, 81


@dataclass(frozen=True)
class Drawn:
    """Programmes simulated so far: sums of their values and of the squares of these, for each regime and batch."""

    programme: Programme
    regimes: tuple[str, ...]
    """Keys of the series, in the order of the arrays."""
    done: int
    first: Array
    """In how many programmes the first release recommended to act, by regime."""
    last: Array
    utility: Array
    """Of each batch, two × regime × batch; of all batches, two × regime."""
    regret: Array
    all_utility: Array
    all_regret: Array

    @classmethod
    def of(cls, programme: Programme, regimes: tuple[str, ...], batches: Sequence[Batch]) -> Drawn:
        utility = np.stack([batch.utility for batch in batches], axis=-1)
        regret = np.cumsum(np.stack([batch.regret for batch in batches], axis=-1), axis=-1)
        first, last = (np.count_nonzero(batch.acted_best, axis=1) for batch in (batches[0], batches[-1]))
        sums = (np.stack([values.sum(axis=1), (values * values).sum(axis=1)]) for values in (
            utility, regret * programme.people, utility.mean(axis=-1), regret[..., -1] / len(batches)))
        return cls(programme, regimes, utility.shape[1], first, last, *sums)

    def __add__(self, other: Drawn) -> Drawn:
        sums = ("done", "first", "last", "utility", "regret", "all_utility", "all_regret")
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in sums})

    @property
    def own(self) -> float:
        """Variance of the mean utility of a batch where nothing else is left to chance, at least."""
        return largest_variance(self.programme.truth) / self.programme.people

    def at(self, key: str) -> int:
        return self.regimes.index(key)


def interval(sums: Array, done: int, reach: float | Array, least: float = 0.0) -> tuple[Array, Array]:
    """Mean and half the length of its 95 % interval, by the central limit theorem and for what was not seen.

    `sums` are those of the values and of their squares. Choices may take the mean anywhere within `reach`; apart from
    them each programme has a known variance, at `least`.
    """
    mean = sums[0] / done
    variance = np.maximum(sums[1] - mean * sums[0], 0.0) / max(done - 1, 1)
    half = Z_95 * np.sqrt(np.maximum(variance, least) / done) + UNSEEN / done * reach
    return mean, np.maximum(half, 1e-15 * np.abs(mean))  # at least what rounding may have eaten


class PolicyAnswer(Answer[f.Policy, Compared, Drawn]):
    """All that is known of acting or not at one setting."""

    @cached_property
    def case(self) -> Case:
        """What all of them share."""
        return case_of(self.study)

    @cached_property
    def curve(self) -> Curve:
        """What counts recommend at the ε of the natural view."""
        return Curve.over(self.view(f.COUNTS_TABLE), self.case)

    def curve_over(self, view: Span) -> Curve:
        """The same over any view."""
        return self.curve if view == self.view(f.COUNTS_TABLE) else Curve.over(view, self.case)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Draw programmes, all regimes at once."""
        study, ones = self.study, self.ones
        programme = programme_of(study, self.case)
        regimes, keys = tuple(one.regime for one in ones.values()), tuple(series.key for series in ones)
        so_far: Drawn | None = None
        done, told, due, counts = 0, 0, 0.0, 0
        for rng, size in chunks(study.seed, study.trials, REPLICATES):
            batches = []
            for batch in simulate(programme, regimes, size, rng):
                batches.append(batch)
                counts += size * len(regimes) * 2 * study.symptoms
                if counts > PATIENCE:
                    counts = 0
                    yield None, told
            these = Drawn.of(programme, keys, batches)
            so_far = so_far + these if so_far else these
            done = so_far.done
            if done >= due or done == study.trials:
                due, told = done * GROWTH, done
                yield so_far, done


def _regime(series: Series, *, counts: bool, decision: bool) -> Entry[PolicyAnswer, Compared]:
    return Entry(series, lambda a: Compared(a.case, a.study.counts_of_one, counts, decision),
                 release=counts or decision)


COMPARED: tuple[Entry[PolicyAnswer, Compared], ...] = (
    _regime(f.NONE, counts=False, decision=False),
    _regime(f.COUNTS, counts=True, decision=False),
    _regime(f.DECISION, counts=False, decision=True),
    _regime(f.BOTH, counts=True, decision=True),
)


# Facts

def _said(one: Compared, numbers: Sequence[float]) -> Said:
    """A value, and with private counts of more than one symptom the ends that a lattice leaves open."""
    return _enclosed(numbers) if one.private_counts and one.case.symptoms > 1 else Said(numbers[0])


def _enclosed(numbers: Sequence[float]) -> Said:
    return Said(numbers[0], kind="estimate", low=min(numbers), high=max(numbers))


def _acting(chances: Chances) -> list[float]:
    return [float(end) for end in (chances.act, chances.low, chances.high)]


def _unclipped(a: PolicyAnswer) -> Said:
    found = _acting(a.case.unclipped)
    return _enclosed(found) if a.case.symptoms > 1 else Said(found[0])


def _noise(case: Case) -> str:
    lattice = "; the two weightiest terms exactly, the others on a lattice" if case.symptoms > 1 else ""
    return f"Laplace noise of scale 1/ε on 2d counts, ε = {{epsilon}}, d = {{symptoms}}{lattice}"


def _recommended_how(one: Compared) -> str:
    if not one.private_counts:
        return "the exact counts leave nothing to chance"
    return f"Pr[posterior E U₁ > E U₀]; {_noise(one.case)}; counts clamped to [0, n]"


def _price(one: Compared, worth: float) -> Said:
    """In a unit of which the choice is worth so much."""
    return _said(one, [worth * (wrong - one.case.least_wrong) for wrong in one.wrong])


def _all_utility(key: str, drawn: Drawn) -> Said:
    programme = drawn.programme
    mean, half = interval(drawn.all_utility, drawn.done, programme.truth.gap, drawn.own / programme.batches)
    value, reach = float(mean[drawn.at(key)]), float(half[drawn.at(key)])
    return Said(value, low=value - reach, high=value + reach)


def _regret_person(key: str, drawn: Drawn) -> Said:
    gap = drawn.programme.truth.gap
    mean, half = interval(drawn.all_regret, drawn.done, gap)
    value, reach = float(mean[drawn.at(key)]), float(half[drawn.at(key)])
    return Said(value, low=max(value - reach, 0.0), high=max(min(value + reach, gap), value))


def _programmes(drawn: Drawn) -> str:
    return "simulated programme" if drawn.done == 1 else "simulated programmes"


def _mean_how(_: str, drawn: Drawn) -> str:
    batches = drawn.programme.batches
    return (f"{drawn.done} {_programmes(drawn)} of {batches} {'batch' if batches == 1 else 'batches'}; 95 % interval "
            "by the central limit theorem, wider by 3/T of the gain of the right choice for what was not seen")


def _first_recommended(key: str, drawn: Drawn) -> Said | None:
    """Without noise the first release leaves nothing to chance."""
    if key not in (f.COUNTS.key, f.BOTH.key):
        return None
    return share(int(drawn.first[drawn.at(key)]), drawn.done, _programmes(drawn))


def _counts(study: f.Policy) -> tuple[float, str]:
    """ε of all counts that a person is in, and its formula."""
    times = study.counts_of_one
    return times * study.epsilon, f"{'2d' if study.arm_may_change else 'd'}·ε = {times} × {plain(study.epsilon)}"


_EXACT_COUNTS = "given exact counts, n₀ = {people}, n₁ = {people_treated}, Beta({prior_sick}, {prior_well})"

FACTS: Mapping[str, tuple[Declaration[PolicyAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        once(v.BEST_ACTION, lambda a: float(a.case.truth.best_action), "E U₁ > E U₀; on a tie nobody is treated",
             UTILITY),
        each(v.RECOMMENDED, lambda one: _said(one, _acting(one.chances)), _recommended_how, UTILITY),
        each(v.TAKEN, lambda one: _said(one, one.taken),
             "Pr[act is best]·Pr[yes | yes] + (1 − Pr[act is best])·Pr[yes | no]", UTILITY),
        each(v.POLICY_UTILITY, lambda one: _said(one, [one.case.utility(wrong) for wrong in one.wrong]),
             "U* − gap·Pr[the other action]", UTILITY),
        each(v.PRICE, lambda one: _price(one, one.case.truth.gap), "utility without privacy, less this one", UTILITY),
        each(v.PRICE_SHARE, lambda one: _price(one, 1.0), "price/gap", UTILITY,
             when=lambda one: one.case.truth.gap != 0),
        once(v.UTILITY_WAITING, lambda a: a.case.truth.no_action, "Σ w π₀, d = {symptoms}", UTILITY),
        once(v.UTILITY_ACTING, lambda a: a.case.truth.action, "f Σ w π₁ − C, C = {cost}, f = {factor}, d = {symptoms}",
             UTILITY),
        once(v.GAP, lambda a: a.case.truth.gap, "|E U₁ − E U₀|", UTILITY),
        once(v.BREAKEVEN_COST, lambda a: a.case.truth.breakeven_cost,
             "f Σ w π₁ − Σ w π₀, C = {cost}, f = {factor}, d = {symptoms}", UTILITY),
        once(v.UTILITY_BEST, lambda a: a.case.truth.best, "the larger of both", UTILITY),
        simulated(v.FIRST_RECOMMENDED, _first_recommended, source=CP34, exact=v.RECOMMENDED),
        simulated(v.LAST_RECOMMENDED, lambda key, drawn: share(
            int(drawn.last[drawn.at(key)]), drawn.done, _programmes(drawn)), source=CP34),
        simulated(v.ALL_UTILITY, _all_utility, _mean_how),
    ),
    "errors": (
        each(v.RIGHT, lambda one: _said(one, [1 - wrong for wrong in one.wrong]), "1 − Pr[the other action]", UTILITY),
        simulated(v.REGRET_PERSON, _regret_person, _mean_how),
        once(v.WAITING_SD, lambda a: a.case.counted.no_action_sd, f"√Σ w² Var π₀ {_EXACT_COUNTS}", UTILITY),
        once(v.ACTING_SD, lambda a: a.case.counted.action_sd, f"f √Σ w² Var π₁ {_EXACT_COUNTS}", UTILITY),
    ),
    "privacy": (
        once(v.PERSON_EPSILON, lambda a: _counts(a.study)[0] + a.case.response.epsilon,
             lambda a: f"{_counts(a.study)[1]}, and ε′ of their own decision; basic composition", DR14, kind="bound",
             series=f.BOTH),
        once(v.COUNTS_EPSILON, lambda a: _counts(a.study)[0],
             lambda a: f"{_counts(a.study)[1]}: one person is in so many counts", DMNS06),
        once(v.GUARANTEE_EPSILON, lambda a: a.case.response.epsilon, "ε of the randomized response", UTILITY,
             series=f.DECISION),
    ),
    "technical": (
        once(v.UNCLIPPED, _unclipped, lambda a: f"Pr[posterior E U₁ > E U₀]; {_noise(a.case)}", UTILITY,
             series=f.COUNTS),
    ),
}


# Tables

def _counts_view(a: PolicyAnswer) -> Span:
    low, high = min(1e-3, a.study.epsilon / 3), max(10.0, 3 * a.study.epsilon)
    return max(low, LOWEST), min(high, HIGHEST)


def _cost_view(a: PolicyAnswer) -> Span:
    truth, study = a.case.truth, a.study
    return 0.0, max(2.2 * truth.breakeven_cost, 1.6 * study.cost, -0.2 * truth.no_action, -0.2 * study.weight)


def _cost_table(a: PolicyAnswer, view: Span) -> Table:
    """Either action's utility at each cost, what the counts leave uncertain of it, and what privacy makes of both."""
    case, truth, counted = a.case, a.case.truth, a.case.counted
    cost = np.linspace(max(view[0], 0.0), max(view[1], 1e-9), COSTS)
    believed = counted.policy(0.0)
    waiting, acting = np.full(cost.shape, truth.no_action), truth.no_action + truth.breakeven_cost - cost
    columns: dict[Column, Array] = {f.X_COST: cost}
    for series, mean, about, sd in (
        (f.WAITING, waiting, np.full(cost.shape, believed.no_action), counted.no_action_sd),
        (f.ACTING, acting, believed.action - cost, counted.action_sd),
    ):
        columns[Column(v.UTILITY, series)] = mean
        columns[Column(v.UTILITY_LOW, series)] = about - Z_95 * sd
        columns[Column(v.UTILITY_HIGH, series)] = about + Z_95 * sd
    chances = case.clipped_choice.chances(case.epsilon, cost)
    taken = case.taken(chances.act, chances.wait, case.response)
    columns[Column(v.UTILITY, f.BOTH)] = waiting + (acting - waiting) * taken
    return Table(columns)


def _counts_table(a: PolicyAnswer, view: Span) -> Table:
    case, curve = a.case, a.curve_over(view)
    return _utilities(case, f.X_EPSILON, curve.epsilon, {
        f.NONE: case.wrong_without_noise(TRUTHFUL), f.COUNTS: curve.wrong,
        f.DECISION: case.wrong_without_noise(case.response),
        f.NOTE: case.wrong(*curve.unclipped, TRUTHFUL), f.BOTH: case.wrong(*curve.clipped, case.response)})


def _decision_table(a: PolicyAnswer, view: Span) -> Table:
    """Utility for symmetric responses of each ε."""
    case = a.case
    low, high = within(view, 0.0, TOP)
    epsilon = np.linspace(low, max(high, low + 1e-6), DECISIONS)
    lie = 1 / (1 + np.exp(epsilon))
    chances = case.clipped_choice.chances(case.epsilon, case.truth.cost)
    exact, noisy = case.wrong_without_noise(TRUTHFUL), case.wrong(chances.act, chances.wait, TRUTHFUL)
    return _utilities(case, f.X_DECISION, epsilon, {
        f.NONE: exact, f.DECISION: exact + (1 - 2 * exact) * lie, f.BOTH: noisy + (1 - 2 * noisy) * lie})


def _utilities(case: Case, x: Column, at: Array, wrong: Mapping[Series, Array]) -> Table:
    return Table({x: at} | curves(wrong, lambda one: np.broadcast_to(case.utility(one), at.shape), v.POLICY_UTILITY))


def _map_table(a: PolicyAnswer, view: Span) -> Table:
    """For each price and each ε of the counts, the ε of the decision that leads to it."""
    case, curve, columns = a.case, a.curve_over(view), {}
    if case.truth.gap > 0:
        levels = {series: case.least_wrong + share for series, share in f.SHARES.items()}
        for series, wrong in (levels | {f.BOTH: a.get(f.BOTH).wrong[0]}).items():
            points = level_line(curve.epsilon, curve.wrong, wrong)
            if points is not None:
                columns[Column(v.COUNT_EPSILON, series)], columns[Column(v.ACT_EPSILON, series)] = points
    return Table(columns)


def _time_table(_: PolicyAnswer, drawn: Drawn) -> Table:
    gap, people, batches = drawn.programme.truth.gap, drawn.programme.people, drawn.programme.batches
    batch = np.arange(1.0, batches + 1)
    largest = gap * people * batch
    utility, utility_half = interval(drawn.utility, drawn.done, gap, drawn.own)
    regret, regret_half = interval(drawn.regret, drawn.done, largest)
    most = np.maximum(np.minimum(regret + regret_half, largest), regret)
    found = (utility, utility - utility_half, utility + utility_half,
             regret, np.maximum(regret - regret_half, 0.0), most)
    places = {series: drawn.at(series.key) for series in PolicyAnswer.series()}
    columns = {f.X_BATCH: batch} | curves(
        places, lambda i: [rows[i] for rows in found], *f.UTILITY_SEEN, *f.REGRET_SEEN)
    if batches == 1:  # a line needs two points
        columns = {column: np.repeat(values, 2) for column, values in columns.items()} | {
            f.X_BATCH: np.array([0.5, 1.5])}
    return Table(columns)


TABLES: Mapping[str, Tabled[PolicyAnswer, Drawn]] = {
    f.COST_TABLE: table(_cost_table, _cost_view),
    f.COUNTS_TABLE: table(_counts_table, _counts_view),
    f.DECISION_TABLE: table(_decision_table, lambda a: (0.0, max(8.0, 1.2 * a.study.decision_epsilon))),
    f.MAP_TABLE: table(_map_table, _counts_view),
    f.TIME_TABLE: drawn_table(
        _time_table, lambda a: (1.0, float(a.study.batches)) if a.study.batches > 1 else (0.5, 1.5)),
}

PolicyAnswer.compared, PolicyAnswer.declared, PolicyAnswer.tabled = COMPARED, FACTS, TABLES
