"""Releases of a noisy count: the one in hand, what becomes of many, exactly, and simulated ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import betainc

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import chunks, generator
from dpstudio.models.beta_bernoulli import AwareIntervals, clamped_coverage, naive_coverage, unusable_share
from dpstudio.records import dataclass
from dpstudio.studies import posterior as f
from dpstudio.studies.kit.tables import curves, even_in_logarithms, shares, stream_row

_RELEASED = 1, 0
"""The release’s place among the draws of a seed; simulated releases have places of one number."""
CHUNK = 500
"""Releases of one chunk: at each of some twenty ε an incomplete beta function for each."""
COVERAGE_POINTS, SMALLEST, LARGEST = 21, 1e-6, 50.0
"""How many ε are looked at, and between which."""
ROWS = 200
"""About the most rows of the simulation's table."""


def yeses(study: f.Posterior) -> int:
    """k, the yeses that there are."""
    return round(study.fraction * study.people)


def released_count(study: f.Posterior, true: int) -> float:
    """The noisy count: the given one, or the true one with noise of this ε that the seed alone draws.

    It is a whole number where the noise is geometric. The noise is a difference of two exponentials, or of their whole
    parts, over ε: another ε stretches the same draw.
    """
    geometric = study.noise == "geometric"
    if study.release == "given":
        released = study.noisy_share * study.people
        return float(round(released)) if geometric else released
    up, down = generator(study.seed, *_RELEASED).standard_exponential(2) / study.epsilon
    return float(true + (math.floor(up) - math.floor(down) if geometric else up - down))


# Exactly

def coverage(study: f.Posterior, epsilon: float, series: Series) -> float:
    """The coverage of an interval at any ε, over rates from the prior."""
    if series == f.AWARE:
        return study.level
    return _coverage(study.prior_a, study.prior_b, study.people, study.level, epsilon, study.noise, series)


@lru_cache(maxsize=512)
def _coverage(a: float, b: float, people: int, level: float, epsilon: float, noise: str, series: Series) -> float:
    of_method = naive_coverage if series == f.NAIVE else clamped_coverage
    return min(max(of_method(a, b, people, level, epsilon, noise), 0.0), 1.0)


def unusable(study: f.Posterior, epsilon: float) -> float:
    """The share of all releases without a naive posterior at any ε."""
    return unusable_share(study.prior_a, study.prior_b, study.people, epsilon, study.noise)


def invalid(study: f.Posterior, true: int, epsilon: npt.ArrayLike) -> tuple[Array, Array]:
    """The probabilities of a′ ≤ 0 and of b′ ≤ 0 at each ε, for a group with so many yeses.

    ½ e^(−ε(a + k)) and ½ e^(−ε(b + n − k)) for Laplace noise, e^(−ε(⌈a⌉ + k))/(1 + e^−ε) and so on for geometric.
    """
    a, b = far_enough(study)
    e = np.asarray(epsilon, dtype=np.float64)
    share = 1 / (1 + np.exp(-e)) if study.noise == "geometric" else np.full_like(e, 0.5)
    return share * np.exp(-e * (a + true)), share * np.exp(-e * (b + (study.people - true)))


def far_enough(study: f.Posterior) -> tuple[float, float]:
    """How far below 0, and above n, a count has no naive posterior."""
    if study.noise == "geometric":
        return math.ceil(study.prior_a), math.ceil(study.prior_b)
    return study.prior_a, study.prior_b


def clamp_bias(study: f.Posterior, true: int) -> float:
    """The mean of the clamped count less the true one: (e^(−εk) − e^(−ε(n − k)))/(2ε) for Laplace noise."""
    e, k, rest = study.epsilon, true, study.people - true
    difference = math.exp(-e * min(k, rest)) * -math.expm1(-e * abs(rest - k)) * (1 if k <= rest else -1)
    return difference * (1 / (2 * math.sinh(e)) if study.noise == "geometric" else 1 / (2 * e))


# By draws

@dataclass(frozen=True, slots=True)
class DrawnReleases:
    """Rates with 1 − θ and ln θ/(1 − θ), true counts, and the two exponentials that noise is made of at every ε."""

    study: f.Posterior
    theta: Array
    phi: Array
    logit: Array
    true: Array
    up: Array
    down: Array

    @classmethod
    def by(cls, rng: Generator, size: int, study: f.Posterior) -> DrawnReleases:
        # A beta variable as two gammas keeps 1 − θ, which a prior with b < 1 brings near 0.
        yes, no = rng.standard_gamma(study.prior_a, size), rng.standard_gamma(study.prior_b, size)
        yes, no = np.maximum(yes, 1e-300), np.maximum(no, 1e-300)
        theta, phi = yes / (yes + no), no / (yes + no)
        true = rng.binomial(study.people, theta).astype(np.float64)
        return cls(study, theta, phi, np.log(yes) - np.log(no), true, rng.standard_exponential(size),
                   rng.standard_exponential(size))

    def counts(self, epsilon: float) -> Array:
        """The noisy counts at this ε: differences of exponentials, or of their whole parts."""
        if self.study.noise == "geometric":
            return self.true + np.floor(self.up / epsilon) - np.floor(self.down / epsilon)
        return self.true + (self.up - self.down) / epsilon

    def judged(self, epsilon: float) -> tuple[int, int, int]:
        """How many naive and how many clamped intervals hold the rate, and how often there is no naive one."""
        people, count = float(self.study.people), self.counts(epsilon)
        clamped = self._held(np.clip(count, 0.0, people))
        valid = (self.study.prior_a + count > 0) & (self.study.prior_b + (people - count) > 0)
        naive = clamped & valid
        apart = np.flatnonzero(valid & ((count < 0) | (count > people)))
        naive[apart] = self._held(count[apart], apart)
        return int(np.count_nonzero(naive)), int(np.count_nonzero(clamped)), int(np.count_nonzero(~valid))

    def _held(self, count: Array, at: npt.NDArray[np.intp] | slice = slice(None)) -> npt.NDArray[np.bool_]:
        """Whether each tail of Beta(a + c, b + n − c) beyond the rate is large enough, the upper one from its own end.

        The counts are those of the releases `at` these places.
        """
        study, theta, phi = self.study, self.theta[at], self.phi[at]
        a, b, tail = study.prior_a + count, study.prior_b + (study.people - count), (1 - study.level) / 2
        below = betainc(a, b, theta)
        held = below >= tail
        upper = np.flatnonzero(below > 0.5)
        held[upper] = betainc(b[upper], a[upper], phi[upper]) >= tail
        return np.asarray(held)

    def squares(self, count: Array, logits: Array) -> dict[str, Array]:
        """The squared errors of means after these counts; the noise-aware ones are given by their logits."""
        study = self.study
        total = study.prior_a + study.prior_b + study.people
        with np.errstate(over="ignore"):
            means = {f.TRUTH: (study.prior_a + self.true) / total,
                     f.CLAMPED: (study.prior_a + np.clip(count, 0.0, study.people)) / total,
                     f.AWARE: 1 / (1 + np.exp(-logits))}
        return {series.key: np.square(mean - self.theta) for series, mean in means.items()}


@dataclass(frozen=True)
class Drawn:
    """What was counted in the releases so far."""

    done: int
    epsilon: Array
    counts: npt.NDArray[np.int64]
    """At each ε: naive intervals that hold the rate, clamped ones that do, releases without a naive posterior."""
    held: Mapping[str, int]
    """Intervals that hold the rate at the study’s ε, by key of the series."""
    missing: int
    """Releases without a naive posterior there."""
    squares: Mapping[str, tuple[float, float, float]]
    """Of the errors of means, by key: sums of their squares and of the squares of these, and the largest square."""
    shares: Array
    """What the latest chunk released, and the rates behind it."""
    rates: Array
    rows: Array
    """The table of the simulation."""


def counted(study: f.Posterior, epsilon: Array, intervals: AwareIntervals) -> Iterator[tuple[Drawn | None, int]]:
    """Draw rates, counts and noise chunk by chunk, and judge the intervals made of them at every ε."""
    for _ in intervals.fill():
        yield None, 0
    today, done = int(np.searchsorted(epsilon, study.epsilon)), 0
    counts = np.zeros((3, len(epsilon)), dtype=np.int64)
    aware, rows = 0, list[Array]()
    squares: dict[str, tuple[float, float, float]] = {}
    for rng, size in chunks(study.seed, study.trials, CHUNK):
        releases, new = DrawnReleases.by(rng, size, study), np.zeros_like(counts)
        for i, e in enumerate(epsilon):
            new[:, i] = releases.judged(float(e))
            yield None, done
        released = releases.counts(study.epsilon)
        mean, low, high = intervals.logits_at(released)
        counts, done = counts + new, done + size
        aware += int(np.count_nonzero((low <= releases.logit) & (releases.logit <= high)))
        squares = {key: _summed(squares.get(key, (0.0, 0.0, 0.0)), errors)
                   for key, errors in releases.squares(released, mean).items()}
        held = np.array([*counts[:2, today], aware])
        rows.append(stream_row(done, held))
        yield Drawn(done, epsilon, counts, {series.key: int(each) for series, each in zip(f.JUDGED, held, strict=True)},
                    int(counts[2, today]), squares, released / study.people, releases.theta,
                    np.array(rows[::-(-len(rows) // ROWS)] + rows[-1:])), done


def _summed(so_far: tuple[float, float, float], squares: Array) -> tuple[float, float, float]:
    first, second, most = so_far
    return first + math.fsum(squares), second + math.fsum(np.square(squares)), max(most, float(squares.max()))


# The table

PosteriorAnswer: TypeAlias = Answer[f.Posterior, Any, Drawn]


def _epsilon_view(a: PosteriorAnswer) -> Span:
    # About where the noise and the sample matter alike: ε² n/8 = 1.
    even = min(max(math.sqrt(8 / a.study.people), 1e-3), 3.0)
    epsilon = a.study.epsilon
    return max(SMALLEST, min(even / 40, epsilon / 2)), min(LARGEST, max(even * 25, 2 * epsilon))


def epsilons_in(study: f.Posterior, view: Span) -> Array:
    """ε evenly on a logarithmic axis, today’s among them."""
    return even_in_logarithms(view, (SMALLEST, LARGEST), COVERAGE_POINTS, study.epsilon)


def _coverage_steps(a: PosteriorAnswer, view: Span) -> Iterator[None]:
    """Coverages at every ε, which are kept where the table looks them up."""
    for e in epsilons_in(a.study, view):
        for series in (f.NAIVE, f.CLAMPED):
            yield
            coverage(a.study, float(e), series)
        unusable(a.study, float(e))


def _coverage_table(a: PosteriorAnswer, view: Span) -> Table:
    """What happens over many releases, at each ε: coverage, and how often there is no naive posterior."""
    study, epsilon = a.study, epsilons_in(a.study, view)
    of_a, of_b = invalid(study, yeses(study), epsilon)
    return Table({f.X_EPSILON: epsilon,
                  **{Column(v.COVERAGE, series): np.array([coverage(study, float(e), series) for e in epsilon])
                     for series in f.JUDGED},
                  Column(v.INVALID_OVERALL, f.NAIVE): np.array([unusable(study, float(e)) for e in epsilon]),
                  Column(v.INVALID, f.TRUTH): of_a + of_b})


def _dots(_: PosteriorAnswer, table: Table, drawn: Drawn) -> dict[Column, Array]:
    """Shares of the releases at each ε, where they were drawn for these."""
    if not np.array_equal(table[f.X_EPSILON], drawn.epsilon):
        return {}
    naive, clamped, missing = np.stack(shares(drawn.counts, drawn.done), axis=1)
    return curves({f.NAIVE: naive, f.CLAMPED: clamped}, tuple, *f.HELD) | curves({f.NAIVE: missing}, tuple, *f.MISSING)


COVERAGE = table(_coverage_table, _epsilon_view, slow_in=_coverage_steps, drawn=_dots)
