"""The single numbers of the neighbours study, each with its formula and its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sources import CHAPTER, DMNS06, DR14, GRS12, LECTURE, NRS07, NS08, Source
from dpstudio.models.clamping import count_error
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE, most_identified
from dpstudio.models.sensitivity import QUERIES, Query, global_sensitivity, local_sensitivity
from dpstudio.studies.neighbours import figures as f
from dpstudio.studies.neighbours.compare import KINDS, Compared, draw, error, loss
from dpstudio.studies.neighbours.tables import TRIED
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant, updated
from dpstudio.vocabulary import Quantity

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

MOVES: Mapping[str, Quantity] = {
    "count": v.MOVE_COUNT, "histogram": v.MOVE_HISTOGRAM, "histogram_l2": v.MOVE_HISTOGRAM_L2, "sum": v.MOVE_SUM,
    "mean": v.MOVE_MEAN, "shares": v.MOVE_SHARES, "median": v.MOVE_MEDIAN, "mode": v.MOVE_MODE,
}
"""The row of each query."""
SOURCES: Mapping[Series, Source] = {f.LAPLACE: DMNS06, f.GEOMETRIC: GRS12}


def facts_of(study: Study, both: Compared) -> tuple[Fact, ...]:
    """Every exact fact and bound: the pair, the noise, the sensitivities, and what no attack exceeds."""
    return (*_of_the_pair(both), *_of_the_noise(study, both), *_of_sensitivities(both), *_of_attacks(study))


def _of_the_pair(both: Compared) -> Iterator[Fact]:
    x, y = both.x, both.y
    yield Fact(v.DISTANCE, float(np.abs(x - y).sum()), how=f"x = {listed(x)}, y = {listed(y)}", source=CHAPTER)
    yield Fact(v.N, float(x.sum()), how="‖x‖₁, the sum of all counts", source=CHAPTER)


def _of_the_noise(study: Study, both: Compared) -> Iterator[Fact]:
    """Row by row, both noises in each."""
    found = {series: error(study, noise, both.x) for series, noise in both.noises.items()}
    raw = {series: count_error(noise, both.x, clamped=False) for series, noise in both.noises.items()}
    after = ", ".join(word for word, done in (("rounded", study.rounded), ("raised to 0", study.clamped)) if done)
    for series, one in found.items():
        yield Fact(v.HISTOGRAM_ERROR, float(one.mean.sum()), series,
                   how=f"the sum of E|e| over {KINDS} counts, {after or 'not post-processed'}", source=SOURCES[series])
    for series, one in raw.items():
        how = f"{KINDS} b, b = Δ₁/ε" if series == f.LAPLACE else f"{KINDS}/sinh(ε/Δ₁)"
        yield Fact(v.HISTOGRAM_ERROR_RAW, float(one.mean.sum()), series, how=f"{how}, Δ₁ = {both.step}",
                   source=SOURCES[series])
    for series, one in found.items():
        how = "the sum of (b/2) e^(−xᵢ/b)" if series == f.LAPLACE and not study.rounded else "the sum of M e^(−xᵢ ε/Δ₁)"
        yield Fact(v.TOTAL_BIAS, float(one.bias.sum()), series, how=how if study.clamped else "without clamping none")
    for series, noise in both.noises.items():
        yield Fact(v.NOISE_SD, noise.sd, series, how="√2 b" if series == f.LAPLACE else "1/(√2 sinh(ε/(2Δ₁)))",
                   source=SOURCES[series])
    for series, noise in both.noises.items():
        yield Fact(v.RELEASE_LOSS, loss(both, study, draw(study.seed, noise)), series,
                   how=f"Σ (|rᵢ − yᵢ| − |rᵢ − xᵢ|) ε/{both.step}, of the noisy counts r in the picture", source=DR14)
    yield Fact(v.NEIGHBOUR_BELIEF, updated(0.5, study.epsilon), kind="bound",
               how=f"e^ε/(1 + e^ε), ε = {plain(study.epsilon)}", source=DR14)


def _of_sensitivities(both: Compared) -> Iterator[Fact]:
    relation = "replaced" if both.relation == "replace" else "added or removed"
    for key, quantity in MOVES.items():
        query = QUERIES[key]
        moved = _moved(query, both)
        if moved is not None:
            yield Fact(quantity, moved, f.THIS, how=f"from x = {listed(both.x)} to y = {listed(both.y)}",
                       source=CHAPTER)
        if not (query.needs_records and both.empty):
            yield Fact(quantity, local_sensitivity(query, both.x, both.relation), f.LOCAL,
                       how=f"every neighbour of x tried, one record {relation}", source=NRS07)
        # Where records are replaced their number is public, and noise may be scaled to it.
        public = both.relation == "replace" and not both.empty
        records = int(both.x.sum()) if public else 1
        where = f"all databases of n = {plain(records)} records" if public else "all databases"
        yield Fact(quantity, global_sensitivity(query, KINDS, both.relation, records), f.GLOBAL,
                   how=f"over {where}: {query.why}; trying every database of up to {TRIED} records finds the same",
                   source=LECTURE if key == "mean" and public else DR14)


def _moved(query: Query, both: Compared) -> float | None:
    """How far the answer moves from x to y; None where one of them has none."""
    if query.needs_records and not (both.x.any() and both.y.any()):
        return None
    return float(query.moves(both.x[None, :], both.y[None, :])[0])


def _of_attacks(study: Study) -> Iterator[Fact]:
    yield Fact(v.IDENTIFIED_MOST, most_identified(study.epsilon), kind="bound",
               how=f"the lesser of e^ε/{PEOPLE} and 1 − e^−ε (1 − 1/{PEOPLE}), ε = {significant(study.epsilon)}: to be "
               "named is at most e^ε times as likely for whoever is there, and not to be named at least e^−ε times",
               source=DR14)
    yield Fact(v.GUESSED, 1 / PEOPLE, how=f"one of {PEOPLE}", source=NS08)
    yield Fact(v.NOTICED_MOST, updated(0.5, study.epsilon), kind="bound", how="e^ε/(1 + e^ε): even odds times e^ε",
               source=DR14)
