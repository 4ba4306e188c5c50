"""What a computer releases in place of Laplace noise: doubles whose last bits tell, and snapped answers that do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.facts import Declaration, Tabled, drawn, once, table
from dpstudio.core.results import Column, Span, Table
from dpstudio.core.sampling import generator
from dpstudio.core.sources import MIRONOV12
from dpstudio.mechanisms.noise import SnappedLaplace
from dpstudio.mechanisms.noise.doubles import around, laplace_in_doubles, reachable
from dpstudio.records import dataclass
from dpstudio.studies import noise as f
from dpstudio.studies.kit.tables import share
from dpstudio.studies.noise.compared import Compared, Drawn, Proofs, query

POINTS, STEPS = 361, 200
"""Points of a curve, and so many steps of the grid at most whose edges are among them."""
REACH = 32
"""So many doubles are shown on either side of the one released."""
CHECKED = 2_000
"""So many answers of each chunk are tried against the other dataset, with the record and without it."""
MOST_CHECKED = 100_000
"""So many at most: more would take longer than all else that is drawn."""
_ONE = (0, 1)
"""The place of the one answer that is shown, in a simulation."""
_JUST = 1e-9
NoiseAnswer: TypeAlias = Answer[f.Noise, Compared, Drawn]


@dataclass(frozen=True)
class InDoubles:
    """The sampler of textbooks on one coordinate: its true answer without the record and with it."""

    fewer: float
    more: float
    scale: float

    def tried(self, before: Proofs, size: int, rng: np.random.Generator) -> Proofs:
        """With so many answers more of either, or as many as are tried of a chunk."""
        size = min(size, CHECKED)
        there = laplace_in_doubles(self.more, self.scale, size, rng)
        absent = laplace_in_doubles(self.fewer, self.scale, size, rng)
        return Proofs(before.done + size, before.there + _only(there, self.fewer, self.scale),
                      before.absent + _only(absent, self.more, self.scale))


def _only(released: Array, other: float, scale: float) -> int:
    return int(np.count_nonzero(~reachable(released, other, scale)))


def in_doubles(a: NoiseAnswer) -> InDoubles:
    """Of the coordinate that moves as far as one can, with Laplace noise of the least scale."""
    one = a.get(f.LAPLACE)
    return InDoubles(a.study.true_answer, a.study.true_answer + one.step, one.noise.noise_scale)


def snapped(a: NoiseAnswer) -> SnappedLaplace | None:
    """Snapping at this ε; None for several coordinates, and where B is too near or too far for the theorem."""
    if a.study.dimension > 1:
        return None
    try:
        return SnappedLaplace(a.study.epsilon, a.study.clamp, query(a.study).l1)
    except InvalidParameter:
        return None


# Facts

def _only_one_way(quantity: v.Quantity, count: Callable[[Proofs], int], what: str
                  ) -> Declaration[NoiseAnswer, Any, Drawn]:
    """How many answers, of those that were tried, prove where they come from."""
    return drawn(quantity, lambda _, seen: share(count(seen.proofs), seen.proofs.done, "answers in double precision, "
                                                 f"f = {{true_answer}}, {what}"),
                 source=MIRONOV12, series=f.LAPLACE, when=lambda _, seen: seen.proofs.done > 0)


LOW_BITS_FACTS = (
    _only_one_way(v.PROVED, lambda proofs: proofs.there, "with the record cannot be released without it"),
    _only_one_way(v.GIVEN_AWAY_WITHOUT, lambda proofs: proofs.absent, "without the record cannot be released with it"),
)


def _fact(quantity: v.Quantity, make: Callable[[SnappedLaplace, f.Noise], float], how: str
          ) -> Declaration[NoiseAnswer, Any, Drawn]:
    """A fact of the snapped answer, from the mechanism and the study with its true answer."""
    def of(a: NoiseAnswer) -> float | None:
        one = snapped(a)
        return None if one is None else make(one, a.study)

    return once(quantity, of, how, MIRONOV12, series=f.SNAPPED)


SNAPPED_FACTS = (
    _fact(v.ERROR_95, lambda one, s: one.error_quantile(0.95, s.true_answer),
          "Pr[|answer − f| ≤ e₉₅] ≥ 0.95, f = {true_answer}"),
    _fact(v.ERROR_AT_LEVEL, lambda one, s: one.error_quantile(s.error_level, s.true_answer),
          "Pr[|answer − f| ≤ e] ≥ {error_level}, f = {true_answer}"),
    _fact(v.ERROR_EXCEEDS, lambda one, s: one.error_exceeds(s.error_beyond, s.true_answer),
          "Pr[|answer − f| > {error_beyond}], f = {true_answer}"),
    _fact(v.NOISE_SCALE, lambda one, _: one.scale, "b = Δ₁λ, λ = (1 + 2⁻⁴⁹ B/Δ₁)/ε, B = {clamp}"),
    _fact(v.GRID_STEP, lambda one, _: one.grid, "Δ₁ times the smallest power of 2 that is λ or more"),
    _fact(v.NOISE_SD, lambda one, s: one.rms_error(s.true_answer), "√E (answer − f)², f = {true_answer}"),
    _fact(v.MEAN_ERROR, lambda one, s: one.mean_error(s.true_answer), "E|answer − f|, f = {true_answer}"),
)


# Tables

def _snapped_table(a: NoiseAnswer, view: Span) -> Table:
    """The density of Laplace noise, and of snapped answers their probability over the width of a step."""
    low, high = view
    x, one, true = np.linspace(low, high, POINTS), snapped(a), a.study.true_answer
    columns: dict[Column, Array] = {}
    if one is not None:
        if high - low <= STEPS * one.grid:
            edges = (np.arange(np.floor((low + true) / one.grid), (high + true) / one.grid) + 0.5) * one.grid - true
            edges = edges[(edges > low) & (edges < high)]
            x = np.unique(np.concatenate([x, edges - one.grid * _JUST, edges + one.grid * _JUST]))
        k = np.floor((x + true) / one.grid + 0.5)
        inside = np.abs(k) <= np.ceil(one.bound / one.grid)
        outcome = np.clip(k * one.grid, -one.bound, one.bound)
        for quantity, answer in ((v.DENSITY, true), (v.DENSITY_BESIDE, true + query(a.study).l1)):
            share = np.asarray(one.probability(outcome, answer))
            columns[Column(quantity, f.SNAPPED)] = np.where(inside, share / one.grid, 0.0)
    density = np.asarray(a.get(f.LAPLACE).noise.density(x))
    return Table({f.X_ANSWER: x, Column(v.DENSITY, f.LAPLACE): density, **columns})


def _low_bits_table(a: NoiseAnswer, _: Span) -> Table:
    """The doubles around one answer that is released with the record, and from which dataset each can come."""
    sampler = in_doubles(a)
    released = laplace_in_doubles(sampler.more, sampler.scale, 1, generator(a.study.seed, *_ONE))[0]
    near = around(released, REACH)
    fewer, more = (reachable(near, answer, sampler.scale) for answer in (sampler.fewer, sampler.more))
    return Table({f.X_DOUBLES: np.arange(-REACH, REACH + 1.0), Column(v.LOW_BITS, f.FEWER): -fewer.astype(np.float64),
                  Column(v.LOW_BITS, f.MORE): more.astype(np.float64) + (near == released)})


FLOATING_TABLES: Mapping[str, Tabled[NoiseAnswer, Drawn]] = {
    f.SNAPPED_TABLE: table(_snapped_table, lambda a: a.view(f.ANSWER_TABLE)),
    f.LOW_BITS_TABLE: table(_low_bits_table, (-REACH - 0.5, REACH + 0.5)),
}
