"""The answer of the noise study: how much noise each law takes, what it keeps, and what an attacker still finds out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import PLANNED, Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, drawn_table, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import paced
from dpstudio.core.sources import BW18, CHAPTER, CP34, DR14
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    StaircaseNoise,
    classical_sigma,
    without_root_sigma,
)
from dpstudio.mechanisms.noise import Noise as Mechanism
from dpstudio.mechanisms.noise.profile import delta_of_mu
from dpstudio.records import cached_property
from dpstudio.studies import noise as f
from dpstudio.studies.kit.attack import ADVANTAGE_FACTS, ATTACK_TABLES, believed, spent_fact
from dpstudio.studies.kit.compared import ClassOrPath, found
from dpstudio.studies.kit.tables import curves, share, shares, stream_row, streamed
from dpstudio.studies.noise.compared import Compared, Drawn, Moves, Proofs, query
from dpstudio.studies.noise.floating import (
    FLOATING_TABLES,
    LOW_BITS_FACTS,
    MOST_CHECKED,
    SNAPPED_FACTS,
    in_doubles,
)
from dpstudio.text.sentences import significant
from dpstudio.vocabulary import Record

POINTS, SIGMA_POINTS = 361, 121
BARS = 120
"""Whole numbers of a wider view than this are drawn as a curve, not as bars."""
STRETCHES = 40
"""Into so many parts the simulation's view is cut."""
GROWTH = 1.06
"""A row of the simulation's table for each growth of the answers drawn by this factor."""
CHUNKS_BETWEEN = 50
"""At most so many chunks from one update to the next, so that cancelling takes milliseconds."""
_JUST = 1e-9


class NoiseAnswer(Answer[f.Noise, Compared, Drawn]):
    """All that is known of the noises at one setting."""

    @cached_property
    def asked(self) -> Moves:
        """How far one record moves the answer."""
        return query(self.study)

    @property
    def least(self) -> dict[Series, Compared]:
        """The noises that are the least of their kind."""
        return {series: one for series, one in self.ones.items() if one.is_least}

    @cached_property
    def chances(self) -> dict[Series, Array]:
        """The probability of an answer in each stretch that the simulation counts, of the least noises."""
        return {series: _chances(one, self.stretches) for series, one in self.least.items()}

    def planned(self, series: Series | None = None) -> Record | None:
        """One number is a sum that is wanted as near as it is here; of several no more is known than their ε and δ."""
        one = self.one(series) if series and self.study.dimension == 1 else None
        far = float(one.noise.error_quantile(PLANNED)) if one is not None and one.guarantee is not None else 0.0
        return Record(self.study.title, "sum", {"within": far, "moves": self.asked.l1}) if far else super().planned(
            series)

    @property
    def stretches(self) -> Array:
        """The ends of these stretches."""
        return np.linspace(*self.view(f.RELEASED_TABLE), STRETCHES + 1)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn, int]]:  # noqa: ARG002
        """Count answers in stretches of x, and attackers who were right: a multinomial and a binomial a chunk."""
        study, least = self.study, self.least
        success = {series: self.value(v.SUCCESS, series) for series in least}
        counts = {series: np.zeros(STRETCHES + 1, dtype=np.int64) for series in least}
        hits = dict.fromkeys(least, 0)
        rows: list[Array] = []
        # A chunk of the first three is drawn as it was before there were others: a seed keeps its answers.
        groups = [[series for series in least if (series in f.SAID) is said] for said in (True, False)]
        sampler, proofs = in_doubles(self), Proofs()
        for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
            for group in groups:
                right = rng.binomial(size, [success[series] for series in group])
                for series, more in zip(group, right, strict=True):
                    hits[series] += int(more)
                for series in group:
                    chance = self.chances[series]
                    counts[series] += rng.multinomial(size, chance / chance.sum())
            if proofs.done < MOST_CHECKED:
                proofs = sampler.tried(proofs, size, rng)
            if show:
                rows.append(stream_row(done, np.array(list(hits.values()))))
                yield Drawn(done, {series.key: each for series, each in hits.items()},
                            {series.key: each.copy() for series, each in counts.items()}, np.array(rows), proofs), done


# What is compared

def listed(series: Series, kind: ClassOrPath[Mechanism]) -> Entry[NoiseAnswer, Compared]:
    """The least noise of a kind for the study's guarantee; None without the δ, whole steps or one number it needs."""
    cls = found(kind)

    def build(a: NoiseAnswer) -> Compared | None:
        s, asked = a.study, a.asked
        distance: float
        step: float
        if cls.is_whole:
            distance, step = (asked.whole_step if cls.norm == 2 else asked.whole), asked.whole_step
        else:
            distance, step = (asked.l2 if cls.norm == 2 else asked.l1), asked.l2
        if not distance or (cls.needs_delta and s.delta == 0) or (s.dimension > 1 and not cls.is_spread):
            return None
        return Compared(s, cls.for_guarantee(s.epsilon, s.delta, distance), distance, step,
                        lambda epsilon: cls.sds(epsilon, s.delta, distance))

    return Entry(series, build, cls.source)


def _gaussian(made: Callable[[float, float, float], GaussianNoise],
              sds: Callable[[Array, float, float], float | Array], scale_how: str, *,
              is_proved: bool = True) -> Callable[[NoiseAnswer], Compared | None]:
    """Gaussian noise by another formula for σ than the exact one."""
    def build(a: NoiseAnswer) -> Compared | None:
        s, l2 = a.study, a.asked.l2
        if s.delta == 0:
            return None
        return Compared(s, made(s.epsilon, s.delta, l2), l2, l2,
                        lambda epsilon: np.asarray(sds(epsilon, s.delta, l2)), scale_how,
                        is_least=False, is_proved=is_proved)

    return build


COMPARED: tuple[Entry[NoiseAnswer, Compared], ...] = (
    listed(f.LAPLACE, LaplaceNoise),
    listed(f.GEOMETRIC, GeometricNoise),
    listed(f.GAUSSIAN, GaussianNoise),
    Entry(f.CLASSICAL, _gaussian(GaussianNoise.classical, classical_sigma,
                                 "σ = Δ₂ √(2 ln(1.25/δ))/ε, proved for ε < 1"), DR14),
    Entry(f.PRINTED, _gaussian(GaussianNoise.without_root, without_root_sigma,
                               "σ = (2Δ₂/ε) ln(1.25/δ), its root lost", is_proved=False), CHAPTER,
          release=False),
    listed(f.STAIRCASE, StaircaseNoise),
    listed(f.DISCRETE, DiscreteGaussianNoise),
)


# Facts

_GIVEN = "Δ₁ = {sensitivity}, Δ₂ = {sensitivity_l2}, d = {dimension}"


def _rounded_sd(one: Compared) -> Said | None:
    sd = one.noise.rounded_sd
    if sd is None or not query(one.study).whole:
        return None
    return Said(sd, one.noise.rounded_how)


def _has_several(one: Compared) -> bool:
    """Whether the answer has several coordinates."""
    return one.study.dimension > 1


def _worst_error(one: Compared) -> float:
    # 1 − 0.95^(1/d), the tail that each of d coordinates may keep.
    return 0.0 - float(one.noise.quantile(-math.expm1(math.log(0.95) / one.study.dimension) / 2))


def _too_much(one: Compared) -> Said | None:
    if one.times_least is None or one.least_sigma is None:
        return None
    return Said(one.times_least,
                f"σ = {significant(one.noise.noise_scale)} over the exact {significant(one.least_sigma)}")


def _common_belief(one: Compared) -> Said:
    return believed(one.study.belief, one.common_loss, f"ℓ = {significant(one.common_loss)} the loss that 95 % of "
                    f"answers stay within{one.loose}", one.noise.loss_source, "bound" if one.loose else "exact")


def _largest_belief(one: Compared) -> Said:
    how = "no limit: there is an answer for every ℓ" if one.largest_loss == math.inf else f"ℓ = ε{one.loose}"
    return believed(one.study.belief, one.largest_loss, how, None, "bound" if one.loose else "exact")


FACTS: Mapping[str, tuple[Declaration[NoiseAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.ERROR_95, lambda one: one.noise.error_quantile(0.95), "Pr[|X| ≤ e₉₅] ≥ 0.95", role="error"),
        each(v.ERROR_AT_LEVEL, lambda one: one.noise.error_quantile(one.study.error_level),
             "Pr[|X| ≤ e] ≥ {error_level}"),
        each(v.ERROR_EXCEEDS, lambda one: one.noise.error_exceeds(one.study.error_beyond), "Pr[|X| > {error_beyond}]"),
        each(v.WORST_ERROR_95, _worst_error, "Pr[|X| ≤ e]^{dimension} ≥ 0.95: coordinates are independent",
             when=_has_several),
        each(v.RMS_ERROR, lambda one: math.sqrt(one.study.dimension) * one.noise.sd, "√d·sd, d = {dimension}",
             when=_has_several),
        each(v.NOISE_SCALE, lambda one: one.noise.noise_scale, lambda one: one.scale_how or one.noise.scale_how),
        each(v.NOISE_SD, lambda one: one.noise.sd, lambda one: one.noise.sd_how),
        each(v.ROUNDED_SD, _rounded_sd),
        each(v.MEAN_ERROR, lambda one: one.noise.mean_error, lambda one: one.noise.mean_how),
        *SNAPPED_FACTS,
    ),
    "privacy": (
        each(v.TRUE_DELTA, lambda one: one.true_delta, "the smallest δ at ε = {epsilon}", BW18),
        spent_fact(lambda one: one.study.delta),
        each(v.TOO_MUCH, _too_much, source=BW18),
        each(v.VARIANCE_TOO_MUCH, lambda one: one.times_least and one.times_least**2, "the ratio of the σ, squared",
             BW18),
        # Only where some answers tell more than ε.
        each(v.LOSS_EXCEEDS, lambda one: Said(one.noise.loss_exceeds(one.study.epsilon, one.sensitivity),
                                              one.noise.exceeds_how, one.noise.source),
             when=lambda one: one.largest_loss > one.study.epsilon * (1 + 1e-9)),
        *LOW_BITS_FACTS,
    ),
    "attack": (
        *ADVANTAGE_FACTS,
        simulated(v.SUCCESS_FOUND, lambda key, drawn: share(
            drawn.right.get(key), drawn.done, "simulated attacks were right"), source=CP34, exact=v.SUCCESS),
        each(v.POSTERIOR_95, _common_belief),
        each(v.BELIEF_MOST, _largest_belief),
    ),
    "technical": (
        once(v.L1_USED, lambda a: a.asked.l1, f"the smaller of Δ₁ and √d·Δ₂; {_GIVEN}", CHAPTER),
        once(v.L2_USED, lambda a: a.asked.l2, f"the smaller of Δ₂ and Δ₁; {_GIVEN}", CHAPTER),
    ),
}


# Tables

def _answers_view(a: NoiseAnswer) -> Span:
    """The range of answers that nearly all of every least noise lies in, without the record and with it."""
    least = a.least.values()
    reach = max(float(one.noise.error_quantile(0.99)) for one in least)
    return -reach, max(one.step for one in least) + reach


def _jumps(one: Compared, low: float, high: float) -> Array:
    """Where the densities without and with the record jump, if that is seldom enough to be seen."""
    return np.concatenate([one.noise.jumps(low - move, high - move, BARS) + move for move in (0.0, one.step)])


def _answer_table(a: NoiseAnswer, view: Span) -> Table:
    """Densities without and with the record in the worst coordinate, and the loss between them, at each answer."""
    low, high = view
    x = np.linspace(low, high, POINTS)
    kinks = [place for one in a.ones.values() for place in (0.0, one.step) if low <= place <= high]
    edges = np.arange(np.floor(low), np.ceil(high) + 1) + 0.5 if high - low <= BARS else np.empty(0)
    edges = np.concatenate([edges, *(_jumps(one, low, high) for one in a.ones.values())])
    edges = edges[(edges > low) & (edges < high)]
    x = np.unique(np.concatenate([x, kinks, edges - _JUST, edges + _JUST]))

    def found(one: Compared) -> tuple[float | Array, ...]:
        at = np.rint(x) if one.noise.is_whole else x
        return one.noise.density(at), one.noise.density(at - one.step), one.noise.loss(at, one.step)

    return Table({f.X_ANSWER: x} | curves(a.ones, found, v.DENSITY, v.DENSITY_BESIDE, v.PRIVACY_LOSS))


def _sigma_table(a: NoiseAnswer, view: Span) -> Table:
    """Standard deviations against ε; of each Gaussian σ also its ratio to the exact one and the δ that it keeps."""
    low, high = np.clip(view, 1e-9, 1e3)
    epsilon = np.geomspace(low, max(high, low * (1 + 1e-6)), SIGMA_POINTS)
    columns: dict[Column, Array] = {f.X_EPSILON: epsilon}
    least = a.one(f.GAUSSIAN)
    exact = least.sds(epsilon) if least else None
    for series, one in a.ones.items():
        columns[Column(v.NOISE_SD, series)] = sd = exact if one is least and exact is not None else one.sds(epsilon)
        if exact is not None and isinstance(one.noise, GaussianNoise):
            columns[Column(v.TOO_MUCH, series)] = sd / exact
            columns[Column(v.TRUE_DELTA, series)] = delta_of_mu(epsilon, one.sensitivity / sd)
    return Table(columns)


def _chances(one: Compared, ends: Array) -> Array:
    """The probability of an answer in each part, and last that of one outside; whole numbers as bars of width 1."""
    def below(x: Array) -> Array:
        if not one.noise.is_whole:
            return np.asarray(one.noise.cdf(x))
        bar = np.rint(x)
        return np.asarray(one.noise.cdf(bar - 1)) + np.asarray(one.noise.density(bar)) * (x - bar + 0.5)

    inside = np.maximum(np.diff(below(ends)), 0.0)
    return np.append(inside, max(0.0, 1 - inside.sum()))


def _released_table(a: NoiseAnswer, drawn: Drawn) -> Table:
    """What each stretch should hold and what was counted in it, as densities."""
    ends = a.stretches
    width = float(ends[1] - ends[0])
    shown = {series: (chance[:-1], *shares(drawn.counts[series.key][:-1], drawn.done))
             for series, chance in a.chances.items()}
    return Table({f.X_ANSWER: (ends[:-1] + ends[1:]) / 2} | curves(
        shown, lambda parts: np.array(parts) / width, v.DENSITY, *f.COUNTED))


TABLES: Mapping[str, Tabled[NoiseAnswer, Drawn]] = {
    f.ANSWER_TABLE: table(_answer_table, _answers_view),
    **ATTACK_TABLES,
    f.SIGMA_TABLE: table(_sigma_table, lambda a: (min(0.01, a.study.epsilon / 3), max(20.0, a.study.epsilon))),
    **FLOATING_TABLES,
    f.RELEASED_TABLE: drawn_table(_released_table, lambda a: a.view(f.ANSWER_TABLE)),
    f.SIMULATION_TABLE: streamed(f.X_DONE, f.SEEN, lambda a: tuple(a.least)),
}

NoiseAnswer.compared, NoiseAnswer.declared, NoiseAnswer.tabled = COMPARED, FACTS, TABLES
