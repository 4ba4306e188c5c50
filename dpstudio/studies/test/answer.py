"""The answer of the test study: how many people each test needs, how often it finds, and how often it errs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, each, once, simulated, table
from dpstudio.core.guarantee import COUNTED, Guarantee
from dpstudio.core.results import Column, Span, Table
from dpstudio.core.sampling import chunks
from dpstudio.core.sources import AWAN18, BW18, CP34, DERIVED, GRS12, LR05
from dpstudio.mechanisms.laws import Moved
from dpstudio.mechanisms.noise import CanonicalNoise, GaussianNoise, GeometricNoise
from dpstudio.models.testing import NoisyShare, PlainTest, ShareTest
from dpstudio.models.testing.rises import CanonicalRise, NormalRise
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import test as f
from dpstudio.studies.kit.attack import (
    ADVANTAGE_FACTS,
    ATTACK_TABLE,
    ATTACK_TABLES,
    PROFILE_TABLE,
    spent_fact,
)
from dpstudio.studies.kit.compared import promised_by
from dpstudio.studies.kit.tables import curves, even_in_logarithms, places, share, shares, within
from dpstudio.studies.test.compared import MOST, Compared, Rule, guessed

POINTS, PEOPLE_POINTS, TWO_SIDED_POINTS = 121, 37, 17
WIDE = 6.0
"""Standard deviations on either side in which counts are drawn."""
FARTHEST = 1e15
"""Noisy counts beyond are not asked for."""
OPEN = PlainTest(1, 0.5).rise
"""That of a test without privacy, with its coin."""


@dataclass(frozen=True)
class Drawn:
    """Tests drawn so far at each of two shares, and how many rejected: at p₁ and at p₀, by key of the series."""

    done: int
    found: Mapping[str, int]
    wrong: Mapping[str, int]


class TestAnswer(Answer[f.Test, Compared, Drawn]):
    """All that is known of tests of one share at one setting."""

    @cached_property
    def noisy(self) -> NoisyShare:
        """What a count with canonical noise says."""
        return NoisyShare(self.study.people, self.study.epsilon, self.study.delta)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The true shares that the released noisy count leaves."""
        return self.noisy.interval(self.study.released, self.study.confidence)

    @cached_property
    def explained(self) -> bool:
        """Whether any share explains the released noisy count."""
        return self.noisy.explained(self.study.released, self.study.confidence)

    @cached_property
    def anchor(self) -> tuple[int, float] | None:
        """Minimum and target of the decision that the most powerful private test is; None of a two-sided one."""
        s = self.study
        return None if s.side == f.TWO else ShareTest(s.people, s.share, s.epsilon, s.delta, s.level, s.side).anchor

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Count the tests that reject at p₁ and at p₀: true counts and noise are drawn afresh for each series."""
        s, done = self.study, 0
        found, wrong = ({series.key: 0 for series in self.ones} for _ in range(2))
        for rng, size in chunks(s.seed, s.trials):
            for series, one in self.ones.items():
                found[series.key] += one.drawn(s.alternative, size, rng)
                wrong[series.key] += one.drawn(s.share, size, rng)
                yield None, done
            done += size
            yield Drawn(done, dict(found), dict(wrong)), done


# What is compared

def _private(a: TestAnswer) -> Compared:
    """One-sided it is made of one released noisy count; two-sided only its decision is told, at most as much."""
    s = a.study
    noise, two = CanonicalNoise(s.epsilon, s.delta), s.side == f.TWO
    promised = Guarantee(COUNTED, s.epsilon, s.delta, Moved(noise, 1), AWAN18, "bound" if two else "exact",
                         holds="while only the decision is told" if two else "")
    return Compared(s, Rule(CanonicalRise(noise), unbiased=two), None if two else noise, promised)


def _tails(a: TestAnswer) -> Compared:
    s, noise = a.study, CanonicalNoise(a.study.epsilon, a.study.delta)
    return Compared(s, Rule(CanonicalRise(noise)), noise, Guarantee(COUNTED, s.epsilon, s.delta, Moved(noise, 1),
                                                                    AWAN18))


def _of_count(a: TestAnswer, naive: bool) -> Compared:
    """A count with discrete Laplace noise: canonical noise rounded to whole numbers."""
    s, noise = a.study, GeometricNoise(a.study.epsilon)
    rise = CanonicalRise(CanonicalNoise(s.epsilon))
    promised = promised_by(noise, 1, COUNTED, s.epsilon)
    if naive:
        return Compared(s, Rule(rise, OPEN), noise, promised, whole=True, tested=False)
    return Compared(s, Rule(rise, rise), noise, promised, whole=True, floor=Rule(rise))


def _gaussian(a: TestAnswer) -> Compared | None:
    s = a.study
    if s.delta == 0:
        return None
    noise = GaussianNoise.analytic(s.epsilon, s.delta, 1.0)
    return Compared(s, Rule(NormalRise(1 / noise.sigma)), noise, promised_by(noise, 1.0, COUNTED, s.epsilon, s.delta))


def _plain(study: f.Test) -> Compared:
    return Compared(study, Rule(OPEN, unbiased=study.side == f.TWO), None, None)


COMPARED: tuple[Entry[TestAnswer, Compared], ...] = (
    Entry(f.PRIVATE, _private, AWAN18),
    Entry(f.TAILS, _tails, AWAN18, when=("side", f.TWO)),
    Entry(f.LAPLACE, lambda a: _of_count(a, naive=False), GRS12),
    Entry(f.GAUSSIAN, _gaussian, BW18),
    Entry(f.NAIVE, lambda a: _of_count(a, naive=True), DERIVED, release=False),
    Entry(f.PLAIN, lambda a: _plain(a.study), LR05, release=False),
)


# Facts

_HOW_LOW, _HOW_HIGH = "the share whose p-value of z ≥ {released} is (1 − {confidence})/2", \
    "the share whose p-value of z ≤ {released} is (1 − {confidence})/2"


def _extra(one: Compared) -> Said | None:
    """The difference of two numbers that are both there."""
    needed = one.people
    plain = _plain(one.study).people
    if needed is None or plain is None or not (math.isfinite(needed.value) and math.isfinite(plain.value)):
        return None
    return Said(needed.value - plain.value, f"{needed.value:.0f} − {plain.value:.0f}", kind=needed.kind)


def _p_value(one: Compared) -> float | None:
    """Of one released number that can have been its own; None where only a decision is told."""
    z = one.study.released
    if one.noise is None or not one.tested or (one.whole and z != math.floor(z)):
        return None
    return float(one.p_values(np.array([z]))[0])


def _of_release(one: Compared) -> bool:
    """Whether it is a test of a released noisy count."""
    return one.noise is not None


def _edge_how(one: Compared) -> str:
    each = "half of {level}" if one.study.side == f.TWO else "{level}"
    if not one.tested:
        return f"its level would be {each} at most without noise"
    return f"its level is {each}{' at most' if one.whole else ''} at p₀ = {{share}}"


FACTS: Mapping[str, tuple[Declaration[TestAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.PEOPLE_FOR_POWER, lambda one: one.people, "the fewest n with power {power} at {alternative}, level "
             "{level}"),
        each(v.EXTRA_PEOPLE, _extra, when=lambda one: one.promised is not None),
        each(v.TEST_POWER, lambda one: one.power, "Σ Bin(k; {people}, {alternative}) φ(k)"),
        simulated(v.POWER_FOUND, lambda key, drawn: share(drawn.found.get(key), drawn.done,
                                                          "simulated tests rejected"), source=CP34,
                  exact=v.TEST_POWER),
        each(v.P_VALUE, _p_value, "of z = {released} if {share} is true"),
        once(v.SHARE_LOW, lambda a: a.interval[0], _HOW_LOW, AWAN18),
        once(v.SHARE_HIGH, lambda a: a.interval[1], _HOW_HIGH, AWAN18),
    ),
    "errors": (
        each(v.TRUE_LEVEL, lambda one: one.size, "Σ Bin(k; {people}, {share}) φ(k)"),
        simulated(v.LEVEL_FOUND, lambda key, drawn: share(drawn.wrong.get(key), drawn.done,
                                                          "simulated tests rejected"), source=CP34,
                  exact=v.TRUE_LEVEL),
    ),
    "privacy": (
        each(v.GUARANTEE_DELTA, lambda one: None if one.promised is None else one.promised.delta,
             "the δ of what is released"),
        spent_fact(lambda one: one.study.delta),
    ),
    "attack": ADVANTAGE_FACTS,
    "technical": (
        each(v.REJECTS_FROM, lambda one: one.edge(False), _edge_how, when=_of_release),
        each(v.REJECTS_UP_TO, lambda one: one.edge(True), _edge_how, when=_of_release),
        each(v.NOISE_SD, lambda one: None if one.noise is None else one.noise.sd,
             lambda one: "" if one.noise is None else one.noise.sd_how),
        once(v.TEST_MINIMUM, lambda a: a.anchor[0] if a.anchor else None, "the fewest with φ ≥ ½", AWAN18,
             series=f.PRIVATE),
        once(v.TEST_TARGET, lambda a: a.anchor[1] if a.anchor else None, "φ there", AWAN18, series=f.PRIVATE),
    ),
}


# Tables

def _people_view(a: TestAnswer) -> Span:
    s = a.study
    about = [guessed(one.rule, s.share, s.alternative, s.level, s.power, s.side) for one in a.ones.values()] \
        if s.found else [float(s.people)]
    low, high = min(*about, s.people), max(*about, s.people)
    # By decades, so that thresholds are found anew only where a hand leaves one.
    return max(1.0, 10.0 ** math.floor(math.log10(low / 2))), min(10.0 ** math.ceil(math.log10(high * 2)), float(MOST))


def _grid(a: TestAnswer, view: Span) -> Array:
    points = TWO_SIDED_POINTS if a.study.side == f.TWO else PEOPLE_POINTS
    return np.unique(np.rint(even_in_logarithms(view, (1.0, float(MOST)), points)))


def _placing(a: TestAnswer, view: Span) -> Steps:
    """Find the thresholds of unbiased tests, which takes longer, one by one."""
    for one in a.ones.values():
        if one.rule.unbiased:
            yield None
            for n in _grid(a, view):
                yield one.rule.both(int(n), a.study.share, a.study.level)


def _people_table(a: TestAnswer, view: Span) -> Table:
    """Powers and true levels against the number of people, that of the study among them."""
    s, grid = a.study, _grid(a, view)
    n = np.unique(np.append(grid, s.people))
    own = np.searchsorted(n, s.people)

    def found(one: Compared) -> tuple[Array, Array]:
        columns = []
        for truth, at in ((s.alternative, one.power), (s.share, one.size)):
            exact = truth == s.share and one.rule.critical is None  # thresholds are sought for this level
            values = np.full(grid.shape, s.level) if exact else one.at(grid, truth)
            columns.append(values if len(grid) == len(n) else np.insert(values, own, at))
        return columns[0], columns[1]

    return Table({f.X_PEOPLE: n} | curves(a.ones, found, v.TEST_POWER, v.TRUE_LEVEL))


def _people_drawn(a: TestAnswer, exact: Table, drawn: Drawn) -> dict[Column, Array]:
    """What was simulated, at the study's number of people: in every row the same."""
    every = np.ones(exact.rows)
    found = {series: shares(np.array(drawn.found[series.key]), drawn.done) for series in a.ones}
    return {f.X_ASKED: every * a.study.people} | curves(
        found, lambda each: tuple(every * float(one) for one in each), *f.SEEN)


def _share_view(a: TestAnswer) -> Span:
    s = a.study
    low, high = sorted((s.share, s.alternative))
    sd = max(math.sqrt(s.people * low * (1 - low)), math.sqrt(s.people * high * (1 - high)),
             min(a.get(f.PRIVATE).rule.rise.spread, s.people))
    reach = max(2 * sd / s.people, (high - low) / 2)
    return max(0.0, low - reach), min(1.0, high + reach)


def _share_table(a: TestAnswer, view: Span) -> Table:
    p = places(within(view, 0.0, 1.0), POINTS, a.study.share, a.study.alternative)
    return Table({f.X_RATE: p} | curves(a.ones, lambda one: one.at(float(a.study.people), p), v.REJECTING))


def _count_view(a: TestAnswer, noisy: bool) -> Span:
    """Where counts lie at both shares."""
    s = a.study
    noise = a.get(f.PRIVATE).rule.rise.spread
    ends = [p * s.people + side * WIDE / (2 - noisy) * math.hypot(math.sqrt(s.people * p * (1 - p)), noise)
            for p in (s.share, s.alternative) for side in (-1, 1)]
    return (min(ends), max(ends)) if noisy else (max(0.0, min(ends)), min(float(s.people), max(ends)))


def _rejects_table(a: TestAnswer, view: Span) -> Table:
    low, high = within(view, 0.0, float(a.study.people))
    k = np.unique(np.rint(np.linspace(low, high, 2 * POINTS)))
    return Table({f.X_COUNT: k} | curves(a.ones, lambda one: one.rejects(k), v.REJECTING))


def _released_table(a: TestAnswer, view: Span) -> Table:
    z = places(within(view, -FARTHEST, FARTHEST), POINTS, a.study.released)
    ones = {series: one for series, one in a.ones.items() if one.noise is not None and one.tested}
    return Table({f.X_RELEASED: z} | curves(ones, lambda one: one.p_values(np.ceil(z) if one.whole else z), v.P_VALUE))


def _belt_table(a: TestAnswer, view: Span) -> Table:
    """Between which noisy counts the equal-tailed test of each share does not reject."""
    s, rise = a.study, a.get(f.PRIVATE).rule.rise
    low, high = within(view, 0.0, 1.0)
    p = np.linspace(max(low, 1e-9), min(high, 1 - 1e-9), POINTS)
    n, half = np.full(p.shape, float(s.people)), np.full(p.shape, (1 - s.confidence) / 2)

    def ends(here: Array, rest: Array) -> Array:
        c, t = rise.place(n, here, rest, half)
        return c + 0.5 - t

    return Table({f.X_RATE: p, Column(v.COUNT_LOW): n - ends(1 - p, p), Column(v.COUNT_HIGH): ends(p, 1 - p)})


TABLES: Mapping[str, Tabled[TestAnswer, Drawn]] = {
    f.PEOPLE_TABLE: table(_people_table, _people_view, drawn=_people_drawn, slow_in=_placing),
    f.SHARE_TABLE: table(_share_table, _share_view),
    f.REJECTS_TABLE: table(_rejects_table, lambda a: _count_view(a, noisy=False)),
    f.RELEASED_TABLE: table(_released_table, lambda a: _count_view(a, noisy=True)),
    f.BELT_TABLE: table(_belt_table, (0.0, 1.0)),
    **{name: ATTACK_TABLES[name] for name in (PROFILE_TABLE, ATTACK_TABLE)},
}

TestAnswer.compared, TestAnswer.declared, TestAnswer.tabled = COMPARED, FACTS, TABLES
