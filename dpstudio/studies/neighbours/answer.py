"""The answer of the neighbours study: what a record moves, what noise hides it, and what attacks come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, drawn, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import chunks
from dpstudio.core.sources import CHAPTER, CP34, DR14, LECTURE, NRS07, NS08
from dpstudio.core.special import Z_95, updated
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise
from dpstudio.models import linkage
from dpstudio.models.clamping import CountError
from dpstudio.models.histograms import (
    QUERIES,
    Counts,
    Query,
    enumerated_sensitivity,
    global_sensitivity,
    listed,
    local_sensitivity,
)
from dpstudio.models.linkage import MOST_KNOWN, PEOPLE, most_identified
from dpstudio.records import dataclass
from dpstudio.studies import neighbours as f
from dpstudio.studies.kit.tables import columns_of, curves, share, shares
from dpstudio.studies.neighbours.compared import KINDS, Noised, Pair, pair_of
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant
from dpstudio.vocabulary import Quantity

TRIED = 6
"""All databases of up to so many records are tried."""
CHUNK, BATCH = 5_000, 20
"""Releases and people of one chunk, a few milliseconds each. They are part of what a seed means."""
MOST_ATTACKED = 4_000
ATTACKED = (f.TABLE, f.RELEASE)
_ATTACKS = (1,)
"""The place of the attacks among the streams of a seed."""


@dataclass(frozen=True)
class Drawn:
    """Releases and attacks so far, by key of the series."""

    releases: int
    errors: Mapping[str, tuple[Array, Array]]
    """The mean |e| of every count, and half of its 95 % interval."""
    attacks: int
    named: Mapping[str, Counts]
    """Attacks that named the right person, for every number of known ratings."""
    noticed: Mapping[str, Counts]
    """Attacks that were right about whether the person is there."""


class NeighboursAnswer(Answer[f.Neighbours, Noised, Drawn]):
    """All that is known of a database beside its neighbour at one setting."""

    @property
    def pair(self) -> Pair:
        """The database and its neighbour."""
        return pair_of(self.study)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Chunks of releases and batches of attacks by turns: an attack costs as much as hundreds of releases."""
        study, ones, attacked = self.study, self.ones, min(self.study.trials, MOST_ATTACKED)
        errors = {series.key: np.zeros(KINDS) for series in ones}
        named, noticed = ({series.key: np.zeros(MOST_KNOWN + 1, dtype=np.int64) for series in ATTACKED}
                          for _ in range(2))
        releases = attacks = done = 0
        people = chunks(study.seed, attacked, BATCH, _ATTACKS)
        for release, attack in zip_longest(chunks(study.seed, study.trials, CHUNK), people):
            if release:
                rng, size = release
                for series, one in ones.items():
                    noise = np.asarray(one.noise.sample((size, KINDS), rng), dtype=np.float64)
                    errors[series.key] += np.abs(one.released(noise) - self.pair.x).sum(axis=0)
                    yield None, done
                releases += size
            if attack:
                rng, size = attack
                for found in _attack(study, rng, size):
                    if found:
                        series, went = found
                        named[series.key] += went.identified.sum(axis=0)
                        noticed[series.key] += went.noticed.sum(axis=0)
                    yield None, done
                attacks += size
            # Both together as a part of the trials: the attacks are fewer, and take longer.
            done = (releases + study.trials * attacks // attacked) // 2
            means = {series.key: (errors[series.key] / releases, Z_95 * np.sqrt(one.variance / releases))
                     for series, one in ones.items()}
            yield Drawn(releases, means, attacks, _copied(named), _copied(noticed)), done


def _attack(study: f.Neighbours, rng: Generator, size: int) -> Iterator[tuple[Series, linkage.Attacks] | None]:
    """Attacks on so many people; None where it was made ready for them, which takes as long once."""
    ratings = linkage.ratings(study.seed)
    yield None
    known = linkage.known(study.seed, study.date_error, study.aux_wrong)
    yield None
    people: npt.NDArray[np.int64] = rng.integers(0, PEOPLE, size)
    yield f.TABLE, linkage.attack_table(ratings, known, people, rng)
    yield f.RELEASE, linkage.attack_release(ratings, known, people, study.epsilon, study.contributed, rng)


def _copied(counts: Mapping[str, Counts]) -> Mapping[str, Counts]:
    return {key: each.copy() for key, each in counts.items()}


# What is compared

def _laplace(a: NeighboursAnswer) -> Noised:
    s = a.study
    return Noised(s, LaplaceNoise.calibrate(s.epsilon, s.step), f"{KINDS} b, b = Δ₁/ε",
                  _WHOLE_BIAS if s.rounded else "the sum of (b/2) e^(−xᵢ/b)")


def _geometric(a: NeighboursAnswer) -> Noised:
    s = a.study
    return Noised(s, GeometricNoise(s.epsilon, s.step), f"{KINDS}/sinh(ε/Δ₁)", _WHOLE_BIAS)


_WHOLE_BIAS = "the sum of M e^(−xᵢ ε/Δ₁)"
COMPARED: tuple[Entry[NeighboursAnswer, Noised], ...] = (Entry(f.LAPLACE, _laplace), Entry(f.GEOMETRIC, _geometric))


# Facts

def _error(one: Noised) -> Said:
    done = ", ".join(word for word, asked in (("rounded", one.study.rounded), ("raised to 0", one.study.clamped))
                     if asked)
    return Said(float(one.error.mean.sum()),
                f"the sum of E|e| over {KINDS} counts, {done or 'not post-processed'}", one.noise.source)


def _error_seen(key: str, seen: Drawn) -> Said | None:
    if key not in seen.errors:
        return None
    mean, half = seen.errors[key]
    total, spread = float(mean.sum()), float(np.sqrt(np.square(half).sum()))
    return Said(total, f"mean of {seen.releases} simulated releases; 95 % interval by the central limit theorem, with "
                "the exact variance", low=max(total - spread, 0.0), high=total + spread)


def _attacked(a: NeighboursAnswer, seen: Drawn, right: Mapping[str, Counts], series: Series) -> Said | None:
    """How many attacks were right, with as many ratings known as the study says."""
    said = share(int(right[series.key][a.study.known]), seen.attacks,
                 f"attacks with k = {a.study.known} ratings known were right")
    return said and replace(said, how=f"{said.how} [{CP34.key}]")


def _moves(quantity: Quantity, query: Query) -> tuple[Declaration[NeighboursAnswer, Noised, Drawn], ...]:
    """How far an answer moves: from x to y, at most around x, and at most anywhere."""
    def this(a: NeighboursAnswer) -> float | None:
        x, y = a.pair.x, a.pair.y
        if query.needs_records and not (x.any() and y.any()):
            return None
        return float(query.moves(x[None, :], y[None, :])[0])

    def local(a: NeighboursAnswer) -> Said | None:
        if query.needs_records and a.pair.empty:
            return None
        how = "replaced" if a.pair.relation == "replace" else "added or removed"
        return Said(local_sensitivity(query, a.pair.x, a.pair.relation),
                    f"every neighbour of x tried, one record {how}")

    def anywhere(a: NeighboursAnswer) -> Said:
        records = int(a.pair.x.sum()) if a.pair.public else 1
        where = f"all databases of n = {plain(records)} records" if a.pair.public else "all databases"
        return Said(global_sensitivity(query, KINDS, a.pair.relation, records),
                    f"over {where}: {query.why}; trying every database of up to {TRIED} records finds the same",
                    LECTURE if query.key == "mean" and a.pair.public else DR14)

    return (once(quantity, this, lambda a: f"from x = {listed(a.pair.x)} to y = {listed(a.pair.y)}", CHAPTER,
                 series=f.THIS),
            once(quantity, local, source=NRS07, series=f.LOCAL),
            once(quantity, anywhere, series=f.GLOBAL))


_MOVES = {"count": v.MOVE_COUNT, "histogram": v.MOVE_HISTOGRAM, "histogram_l2": v.MOVE_HISTOGRAM_L2,
          "sum": v.MOVE_SUM, "mean": v.MOVE_MEAN, "shares": v.MOVE_SHARES, "median": v.MOVE_MEDIAN,
          "mode": v.MOVE_MODE}
"""The row of each query."""

FACTS: Mapping[str, tuple[Declaration[NeighboursAnswer, Noised, Drawn], ...]] = {
    "the answer": (
        once(v.DISTANCE, lambda a: float(np.abs(a.pair.x - a.pair.y).sum()),
             lambda a: f"x = {listed(a.pair.x)}, y = {listed(a.pair.y)}", CHAPTER),
        once(v.N, lambda a: float(a.pair.x.sum()), "‖x‖₁, the sum of all counts", CHAPTER),
        each(v.HISTOGRAM_ERROR, _error),
        simulated(v.HISTOGRAM_SEEN, _error_seen, exact=v.HISTOGRAM_ERROR),
        *(declared for key, quantity in _MOVES.items() for declared in _moves(quantity, QUERIES[key])),
    ),
    "errors": (
        each(v.HISTOGRAM_ERROR_RAW, lambda one: Said(float(one.raw.mean.sum()), source=one.noise.source),
             lambda one: f"{one.raw_error}, Δ₁ = {one.study.step}"),
        each(v.TOTAL_BIAS, lambda one: float(one.error.bias.sum()),
             lambda one: one.bias if one.study.clamped else "without clamping none"),
        each(v.NOISE_SD, lambda one: Said(one.noise.sd, one.noise.sd_how, one.noise.source)),
    ),
    "privacy": (
        once(v.NEIGHBOUR_BELIEF, lambda a: updated(0.5, a.study.epsilon), "e^ε/(1 + e^ε), ε = {epsilon}", DR14,
             kind="bound"),
        each(v.RELEASE_LOSS, lambda one: one.loss,
             lambda one: f"Σ (|rᵢ − yᵢ| − |rᵢ − xᵢ|) ε/{one.study.step}, of the noisy counts r in the picture", DR14),
    ),
    "attack": (
        drawn(v.IDENTIFIED_TABLE, lambda a, seen: _attacked(a, seen, seen.named, f.TABLE), source=NS08),
        drawn(v.IDENTIFIED_RELEASE, lambda a, seen: _attacked(a, seen, seen.named, f.RELEASE), source=NS08),
        once(v.IDENTIFIED_MOST, lambda a: most_identified(a.study.epsilon),
             lambda a: f"the lesser of e^ε/{PEOPLE} and 1 − e^−ε (1 − 1/{PEOPLE}), ε = "
                       f"{significant(a.study.epsilon)}: to be named is at most e^ε times as likely for whoever is "
                       "there, and not to be named at least e^−ε times", DR14, kind="bound"),
        once(v.GUESSED, lambda _: 1 / PEOPLE, f"one of {PEOPLE}", NS08),
        drawn(v.NOTICED_TABLE, lambda a, seen: _attacked(a, seen, seen.noticed, f.TABLE), source=NS08),
        drawn(v.NOTICED_RELEASE, lambda a, seen: _attacked(a, seen, seen.noticed, f.RELEASE), source=NS08),
        once(v.NOTICED_MOST, lambda a: updated(0.5, a.study.epsilon), "e^ε/(1 + e^ε): even odds times e^ε", DR14,
             kind="bound"),
    ),
}


# Tables

def _cells_table(a: NeighboursAnswer, _: Span) -> Table:
    """Of every kind: how many records of it there are in x, in y and in a release of x, and how far that is off."""
    in_kind = {f.X: a.pair.x.astype(np.float64), f.Y: a.pair.y.astype(np.float64),
               **{series: one.released(one.shown) for series, one in a.ones.items()}}
    return Table({f.X_STARS: np.arange(1.0, KINDS + 1)} | curves(in_kind, np.asarray, v.IN_KIND)
                 | _error_columns(a, lambda one: (one.error, one.raw)))


def _error_columns(a: NeighboursAnswer, found: Callable[[Noised], tuple[CountError, CountError]]
                   ) -> dict[Column, Array]:
    """The errors of counts as they are published, and of raw ones."""
    errors = {series: found(one) for series, one in a.ones.items()}
    return curves(errors, lambda both: (both[0].mean, both[1].mean, both[0].bias), v.MEAN_COUNT_ERROR,
                  v.COUNT_ERROR_RAW, v.COUNT_BIAS)


def _errors_seen(a: NeighboursAnswer, _: Table, seen: Drawn) -> Mapping[Column, Array]:
    mean, half = (np.stack([seen.errors[series.key][i] for series in a.ones]) for i in range(2))
    return columns_of(f.ERRORS_SEEN, tuple(a.ones), (mean, np.maximum(mean - half, 0.0), mean + half))


def _sizes_table(a: NeighboursAnswer, _: Span) -> Table:
    """The worst of all databases of n records, by proof and by trying; with replacement n is public."""
    sizes, relation = range(1, TRIED + 1), a.pair.relation
    columns: dict[Column, Array] = {f.X_N: np.array(sizes, dtype=np.float64)}
    for series, key in f.ASKED.items():
        columns[Column(v.MOVE, series)] = np.array([QUERIES[key].worst(relation, KINDS, n) for n in sizes])
        columns[Column(v.MOVE_TRIED, series)] = np.array(
            [enumerated_sensitivity(key, KINDS, relation, n) for n in sizes])
    columns[Column(v.NOTE_MOVE, f.OF_MEAN)] = 1 / columns[f.X_N]
    return Table(columns)


def _linkage_table(a: NeighboursAnswer, _: Span) -> Table:
    """What is known before any attack: what no attack on the release exceeds, and chance."""
    k = np.arange(MOST_KNOWN + 1.0)
    return Table({
        f.X_KNOWN: k,
        Column(v.IDENTIFIED, f.MOST): np.full(k.shape, most_identified(a.study.epsilon)),
        Column(v.GUESSED): np.full(k.shape, 1 / PEOPLE),
        Column(v.NOTICED, f.MOST): np.full(k.shape, 1 / (1 + math.exp(-a.study.epsilon))),
        Column(v.COIN_TOSS): np.full(k.shape, 0.5),
    })


def _attacks_seen(_: NeighboursAnswer, __: Table, seen: Drawn) -> Mapping[Column, Array]:
    columns: dict[Column, Array] = {}
    for quantities, right in ((f.NAMED, seen.named), (f.NOTICED, seen.noticed)):
        counts = np.stack([right[series.key] for series in ATTACKED])
        columns |= columns_of(quantities, ATTACKED, shares(counts, seen.attacks))
    return columns


TABLES: Mapping[str, Tabled[NeighboursAnswer, Drawn]] = {
    f.CELLS_TABLE: table(_cells_table, (0.5, KINDS + 0.5), drawn=_errors_seen),
    f.SIZES_TABLE: table(_sizes_table, (1.0, float(TRIED))),
    f.LINKAGE_TABLE: table(_linkage_table, (0.0, float(MOST_KNOWN)), drawn=_attacks_seen),
}

NeighboursAnswer.compared, NeighboursAnswer.declared, NeighboursAnswer.tabled = COMPARED, FACTS, TABLES
