"""The answer of the table study: how far off all counts are, what is in order, which groups are shown or named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import PLANNED, Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, drawn_table, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import blocks
from dpstudio.core.sources import CP34, DERIVED, SIDAK67, Source
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.noise import Noise as Mechanism
from dpstudio.models import table as models
from dpstudio.models.table.ranks import order, top_right
from dpstudio.records import dataclass
from dpstudio.studies import table as f
from dpstudio.studies.kit.attack import ADVANTAGE_FACTS, ATTACK_TABLE, ATTACK_TABLES, PROFILE_TABLE, spent_fact
from dpstudio.studies.kit.tables import curves, share, shares, within
from dpstudio.studies.table.compared import SOURCES, NamedGroup, NoisyTable, TrueCounts, cells_of, noised
from dpstudio.vocabulary import Quantity, Record

Compared: TypeAlias = NoisyTable | NamedGroup

POINTS, SIZES = 121, 41
"""Places of a curve, and sizes of groups."""
_LEAST, _SHARES = 1e-12, (0.02, 0.98)
"""A smaller error is drawn as this; from where to where margins are drawn."""
MOST = 1e12
"""Beyond this nothing is drawn."""
_SPREAD = 0.27
"""How far beside its rank a dot stands."""
AT_ONCE = 2**15
"""Noisy counts that are drawn at once."""
GROWTH = 1.06


@dataclass(frozen=True)
class Drawn:
    """Tables drawn so far, by key of the series: those all within t, and those of which the largest was named."""

    done: int
    within: Mapping[str, int]
    named: Mapping[str, int]
    rows: tuple[tuple[int, Mapping[str, int], Mapping[str, int]], ...]


class TableAnswer(Answer[f.Table, Compared, Drawn]):
    """All that is known of a table at one setting."""

    @property
    def cells(self) -> TrueCounts:
        """The true counts."""
        return cells_of(self.study)

    def planned(self, series: Series | None = None) -> Record | None:
        """A table of as many counts, all within what they are here at once."""
        one, study = self.one(series) if series else None, self.study
        if not isinstance(one, NoisyTable) or study.secret or study.each_rows > 1 or study.replaced:
            return super().planned(series)
        far = float(models.half_width(one.noise, self.cells.size, PLANNED))
        return Record(study.title, "table", {"within": far, "groups": self.cells.size, "most": min(
            study.per_person, 100)}) if far and study.per_person <= 100 else super().planned(series)

    @property
    def names(self) -> tuple[str, ...]:
        """What the groups that are drawn are called, the largest first; none where they have no names."""
        names = self.cells.names
        return tuple(names[i] for i in self.cells.order) if names else ()

    @property
    def noised(self) -> dict[Series, NoisyTable]:
        """What releases all counts."""
        return {series: one for series, one in self.ones.items() if isinstance(one, NoisyTable)}

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Whole tables, as many at once as numbers fit; of the naming alone which group it is."""
        cells, ones, done, due = self.cells, self.ones, 0, 0.0
        right, named = ({series.key: 0 for series in some} for some in (ones, _ordered(self)))
        rows: list[tuple[int, Mapping[str, int], Mapping[str, int]]] = []
        counts, most = cells.counts, float(cells.different[0])
        for rng, size in blocks(self.study.seed, self.study.trials, max(AT_ONCE // cells.size, 1)):
            for series, one in ones.items():
                if isinstance(one, NamedGroup):
                    named[series.key] += one.drawn(size, rng)
                else:
                    noise = np.asarray(one.noise.sample((size, cells.size), rng), dtype=np.float64)
                    noisy = counts + noise
                    off = np.where(one.shown(counts, noisy), np.abs(one.changed(noisy) - counts), 0.0)
                    right[series.key] += int((off.max(axis=1) <= one.within_all).sum())
                    if not one.secret:
                        noisy += rng.random((size, cells.size)) / 2 if one.noise.is_whole else 0.0
                        named[series.key] += int((counts[noisy.argmax(axis=1)] == most).sum())
                yield None, done
            done += size
            if done >= due or done == self.study.trials:
                due = done * GROWTH
                rows.append((done, dict(right), dict(named)))
            yield Drawn(done, dict(right), dict(named), tuple(rows)), done


# What is compared

def _noise(series: Series, kind: type[Mechanism]) -> Entry[TableAnswer, Compared]:
    return Entry(series, lambda a: noised(a.study, a.cells, kind), kind.source, ("released", "counts"))


def _chooser(series: Series, method: str) -> Entry[TableAnswer, Compared]:
    return Entry(series, lambda a: NamedGroup(a.study, a.cells, method), SOURCES[method], ("released", "largest"))


COMPARED: tuple[Entry[TableAnswer, Compared], ...] = (
    _noise(f.GEOMETRIC, GeometricNoise),
    _noise(f.LAPLACE, LaplaceNoise),
    _noise(f.GAUSSIAN, GaussianNoise),
    _noise(f.DISCRETE, DiscreteGaussianNoise),
    _chooser(f.PERMUTE, "permute_and_flip"),
    _chooser(f.EXPONENTIAL, "exponential"),
    _chooser(f.NOISY_MAX, "noisy_max_laplace"),
)


# Facts

def _of_noise(quantity: Quantity, make: Callable[[NoisyTable], float | Said | None], how: str,
              source: Source | None = None, when: Callable[[NoisyTable], bool] = lambda _: True, *,
              at_least: bool = False) -> Declaration[TableAnswer, Compared, Drawn]:
    """A fact of each noise, which what only names a group has not."""
    return each(quantity, lambda one: make(one) if isinstance(one, NoisyTable) and when(one) else None, how, source,
                at_least=at_least)


def _is_public(one: Compared) -> bool:
    """Whether all groups are shown, so that their order is, or one is named."""
    return not (isinstance(one, NoisyTable) and one.secret)


def _ordered(a: TableAnswer) -> dict[Series, Compared]:
    return {series: one for series, one in a.ones.items() if _is_public(one)}


def _too_small(one: NoisyTable) -> Said:
    cells = one.cells
    small = (cells.different < one.smallest) & ((cells.different > 0) | (not one.secret))
    return Said(float(cells.times[small].sum()), kind=one.smallest_kind)


def _next(one: NoisyTable) -> tuple[float, float] | None:
    """The counts of the k-th and the next; None where there is no next."""
    k = one.study.first
    return None if k >= one.cells.size else (one.cells.at(k), one.cells.at(k + 1))


def _first_right(one: NoisyTable) -> float | None:
    pair = _next(one)
    if pair is None or pair[0] == pair[1]:
        return None
    counts = np.repeat(one.cells.different, one.cells.times.astype(np.intp))
    return top_right(one.noise, counts, one.study.first)


def _order_right(one: NoisyTable) -> float | None:
    pair = _next(one)
    return None if pair is None or pair[0] == pair[1] else float(order(one.noise, pair[0] - pair[1])[0])


def _sd(quantity: Quantity, place: int) -> Declaration[TableAnswer, Compared, Drawn]:
    def found(one: NoisyTable) -> float | None:
        sds = one.sds(one.study.margin_share)
        return None if sds is None else sds[place]

    return _of_noise(quantity, found, "least squares on cells, rows, columns and total; {margin_share} for the margins "
                     "where they are released, else noisy counts added up", DERIVED)


_NOISES = {series.key for series in f.NOISES}

FACTS: Mapping[str, tuple[Declaration[TableAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        once(v.GROUPS_RELEASED, lambda a: a.cells.size, lambda a: f"the number of counts; {a.study.merging} merged "
             "into one", DERIVED),
        once(v.TOTAL_COUNT, lambda a: a.cells.total, "the sum of all counts", DERIVED),
        _of_noise(v.WITHIN_ALL, lambda one: Said(one.within_all, kind=one.width_kind),
                  "each group within t with probability {error_level}^(1/K): noises are independent", SIDAK67),
        _of_noise(v.COVERAGE_ALL, lambda one: Said(one.coverage(one.within_all), kind=one.width_kind),
                  "(1 − Pr[|X| > t])^K", SIDAK67, at_least=True),
        _of_noise(v.ERROR_AT_LEVEL, lambda one: Said(one.alone, kind=one.width_kind),
                  "Pr[|X| ≤ e] ≥ {error_level}, of one group"),
        _of_noise(v.EACH_ALONE, lambda one: Said(one.coverage(one.alone), kind=one.width_kind),
                  "Pr[|X| ≤ e]^K, e the error of one group at the level", SIDAK67, at_least=True),
        each(v.LARGEST_RIGHT, lambda one: one.largest_right if _is_public(one) else None,
             "the sum over all groups with the largest count, before noisy counts are changed; ties are broken by lot",
             DERIVED),
        each(v.TABLE_REGRET, lambda one: one.regret if isinstance(one, NamedGroup) else None,
             "Σ Pr[named] (largest − nᵢ)"),
        _of_noise(v.SMALLEST_CELL, lambda one: Said(one.smallest, kind=one.smallest_kind),
                  "the least n with Pr[|X| ≤ {relative} n] ≥ {error_level}"),
        _of_noise(v.TOO_SMALL, _too_small, "groups with a smaller count than that"),
    ),
    "errors": (
        _of_noise(v.MEAN_ERROR, lambda one: one.noise.mean_error, "E|X| of one count, before it is changed"),
        _of_noise(v.NOISE_SD, lambda one: one.noise.sd, "√E X² of one count, before it is changed"),
        _of_noise(v.NOISE_SCALE, lambda one: one.noise.noise_scale, "the least that hides all that one person changes"),
        _of_noise(v.FIRST_RIGHT, _first_right, "the {first} largest above all others, strictly", DERIVED, _is_public),
        _of_noise(v.ORDER_RIGHT, _order_right, "Pr[X − Y < gap] of the counts of rank {first} and the next", DERIVED,
                  _is_public),
        _of_noise(v.CLAMPED_TOTAL, lambda one: one.bias, "Σ E max(0, n + X) − n over all groups", DERIVED,
                  lambda one: one.study.clamped and not one.secret),
        _of_noise(v.SUMMED_SD, lambda one: one.noise.sd * math.sqrt(one.study.merging), "√{merged} times the sd",
                  DERIVED, lambda one: one.study.merging > 1),
        _sd(v.AGREED_SD, 0), _sd(v.ROW_SD, 1), _sd(v.COLUMN_SD, 2), _sd(v.TOTAL_SD, 3),
        simulated(v.WITHIN_SEEN, lambda key, drawn: share(
            drawn.within.get(key) if key in _NOISES else None, drawn.done, "simulated tables were within t"),
            source=CP34, exact=v.COVERAGE_ALL),
        simulated(v.LARGEST_SEEN, lambda key, drawn: share(
            drawn.named.get(key), drawn.done, "simulated tables had the largest group named"),
            source=CP34, exact=v.LARGEST_RIGHT),
    ),
    "privacy": (
        _of_noise(v.SHOWN_FROM, lambda one: one.threshold, "a whole τ at which δ is kept, over all groups of a person",
                  DERIVED),
        _of_noise(v.GROUPS_HIDDEN, lambda one: one.hidden, "Σ Pr[n + X < τ] over groups with somebody in them", DERIVED,
                  lambda one: one.threshold is not None),
        each(v.GUARANTEE_DELTA, lambda one: Said(float(one.guarantee.delta_at(one.study.epsilon)),
                                                 kind=one.guarantee.kind), "δ at ε = {epsilon}, of one person"),
        spent_fact(lambda one: one.study.delta),
    ),
    "attack": ADVANTAGE_FACTS,
}


# Tables

def _ranks(a: TableAnswer) -> dict[Column, Array]:
    """The ranks that are drawn, and of each series places beside them."""
    ranks, beside = np.arange(1.0, len(a.cells.order) + 1), np.linspace(-_SPREAD, _SPREAD, len(a.chosen))
    return {f.X_RANK: ranks} | {Column(v.RANK, series): ranks + by for series, by in zip(a.chosen, beside, strict=True)
                                if a.one(series) is not None}


def _cells_table(a: TableAnswer, _: Span) -> Table:
    """The largest groups, their true counts and one release with ±t."""
    columns = _ranks(a) | {Column(v.TRUE_CELL): a.cells.counts[a.cells.order]}
    def ends(one: NoisyTable) -> tuple[Array, Array, Array]:
        noisy = one.released()
        far = np.where((noisy == 0) & (one.threshold is not None), 0.0, one.within_all)  # what is not shown has no ±t
        return noisy, noisy - far, noisy + far

    return Table(columns | curves(a.noised, ends, *f.SHOWN))


def _sizes_table(a: TableAnswer, view: Span) -> Table:
    """The relative error of one group at the level, at each size, and at sizes of the table."""
    n = np.geomspace(*within(view, 1e-3, MOST), SIZES)
    here = a.cells.different[a.cells.different > 0][::-1]
    there = here[np.linspace(0, len(here) - 1, SIZES).round().astype(np.intp)] if len(here) else here

    def part(of: Array) -> Callable[[NoisyTable], Array]:
        return lambda one: np.maximum(one.alone, _LEAST) / of

    found = curves(a.noised, part(there), v.RELATIVE_HERE) if len(here) else {}
    return Table({f.X_SIZE: n} | ({f.X_HERE: there} if len(here) else {}) | curves(
        a.noised, part(n), v.RELATIVE_ERROR) | found)


def _sizes_view(a: TableAnswer) -> Span:
    return 1.0, max(float(a.cells.different[0]), 100.0) * 1.2


def _reach(a: TableAnswer) -> float:
    return max([4.0 * one.alone for one in a.noised.values()], default=10.0)


def _order_table(a: TableAnswer, view: Span) -> Table:
    gaps = np.unique(np.rint(np.linspace(*within(view, 0.0, MOST), POINTS)))
    return Table({f.X_GAP: gaps} | curves(_public(a), lambda one: np.asarray(order(one.noise, gaps)[0]), v.IN_ORDER))


def _public(a: TableAnswer) -> dict[Series, NoisyTable]:
    return {series: one for series, one in a.noised.items() if _is_public(one)}


def _largest_table(a: TableAnswer, _: Span) -> Table:
    counts = a.cells.counts[a.cells.order]
    place = np.searchsorted(-a.cells.different, -counts)
    return Table(_ranks(a) | curves(_ordered(a), lambda one: np.minimum(one.wins[place], 1.0), v.NAMED_LARGEST))


def _all_table(a: TableAnswer, view: Span) -> Table:
    k = np.unique(np.rint(np.append(np.geomspace(*within(view, 1.0, MOST), POINTS), a.cells.size)))
    def widths(one: NoisyTable) -> Array:
        found = np.asarray(models.half_width(one.noise, k, a.study.error_level))
        return np.maximum(np.ceil(found - 0.5), 0.0) if one.rounds else found

    return Table({f.X_GROUPS: k} | curves(a.noised, widths, v.WITHIN_ALL))


def _small_table(a: TableAnswer, view: Span) -> Table:
    n = np.unique(np.rint(np.linspace(*within(view, 0.0, MOST), POINTS)))
    keyed = {series: one for series, one in a.noised.items() if one.threshold is not None}
    return Table({f.X_SIZE: n} | curves(keyed, lambda one: np.asarray(models.shown(
        one.noise, n, one.threshold or 0.0)), v.GROUP_SHOWN) | curves(_public(a), lambda one: one.added(n),
                                                                     v.COUNT_BIAS))


def _small_view(a: TableAnswer) -> Span:
    return 0.0, max([2.0 * (one.threshold or 0.0) for one in a.noised.values()] + [1.5 * one.alone for one in
                                                                                 a.noised.values()], default=10.0)


def _margins_table(a: TableAnswer, view: Span) -> Table:
    shown = np.linspace(*within(view, *_SHARES), 41)
    released = a.noised if a.study.margins == "released" else {}
    found = {series: np.array([one.sds(each) for each in shown]) for series, one in released.items()
             if one.sds(0.5) is not None}
    return Table({f.X_SHARE: shown} | curves(found, lambda of: (of[:, 0], of[:, 1]), v.AGREED_SD, v.ROW_SD))


def _simulation_table(a: TableAnswer, drawn: Drawn) -> Table:
    done = np.array([row[0] for row in drawn.rows], dtype=np.float64)
    columns: dict[Column, Array] = {f.X_DONE: done}
    for place, seen, series in ((1, f.SEEN, tuple(a.noised)), (2, f.NAMED, tuple(_ordered(a)))):
        for one in series:
            hits = np.array([row[place][one.key] for row in drawn.rows])  # type: ignore[index]
            columns |= {Column(quantity, one): values for quantity, values in
                        zip(seen, shares(hits, done.astype(np.int64)), strict=True)}  # type: ignore[arg-type]
    return Table(columns)


TABLES: Mapping[str, Tabled[TableAnswer, Drawn]] = {
    f.CELLS_TABLE: table(_cells_table, lambda a: (0.5, len(a.cells.order) + 0.5)),
    f.SIZES_TABLE: table(_sizes_table, _sizes_view),
    f.ORDER_TABLE: table(_order_table, lambda a: (0.0, _reach(a))),
    f.LARGEST_TABLE: table(_largest_table, lambda a: (0.5, len(a.cells.order) + 0.5)),
    f.ALL_TABLE: table(_all_table, lambda a: (1.0, max(10.0 * a.cells.size, 1000.0))),
    f.SMALL_TABLE: table(_small_table, _small_view),
    f.MARGINS_TABLE: table(_margins_table, (0.0, 1.0)),
    **{name: ATTACK_TABLES[name] for name in (PROFILE_TABLE, ATTACK_TABLE)},
    f.SIMULATION_TABLE: drawn_table(_simulation_table, lambda a: (
        float(min(max(AT_ONCE // a.cells.size, 1), a.study.trials)), float(max(a.study.trials, 10)))),
}

TableAnswer.compared, TableAnswer.declared, TableAnswer.tabled = COMPARED, FACTS, TABLES
