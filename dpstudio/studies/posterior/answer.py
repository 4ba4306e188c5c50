"""The answer of the posterior study: what a noisy count tells of a rate, and how far that can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

import numpy as np
from scipy.special import betaincinv

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, each, once, simulated, table
from dpstudio.core.guarantee import COUNTED, Guarantee
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import UNSEEN
from dpstudio.core.sources import BS18, CP34, DMNS06, GRS12, NOTES, WM10
from dpstudio.core.special import Z_95
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise, Noise
from dpstudio.models.beta_bernoulli import (
    AwareIntervals,
    BetaPosterior,
    InvalidPosterior,
    Posterior,
    aware_intervals,
    noisy_count_posterior,
)
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import posterior as f
from dpstudio.studies.kit.compared import promised_by
from dpstudio.studies.kit.tables import curves, places, share, streamed, within
from dpstudio.studies.posterior.releases import (
    CHUNK,
    COVERAGE,
    Drawn,
    clamp_bias,
    counted,
    coverage,
    epsilons_in,
    far_enough,
    invalid,
    released_count,
    unusable,
    yeses,
)
from dpstudio.text.numbers import plain

RARE = 1e-3
"""Tails of the posteriors that the picture of densities leaves out."""
POINTS, DETAIL, SHARE_POINTS = 241, 61, 121
"""Of ε."""
ENOUGH = 500
"""Squared errors that a central limit is asked of; a prior that lies at one end makes most of them next to nothing."""
INTERVALS = v.RATE_MEAN, v.INTERVAL_LOW, v.INTERVAL_HIGH
SHOWN = 60
"""Releases of the latest chunk that the picture of intervals shows."""


@dataclass(frozen=True)
class Compared:
    """What is believed of the rate, and by which law."""

    study: f.Posterior
    posterior: Posterior
    law: str

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The central interval of the study's level."""
        return self.posterior.interval(self.study.level)

    @cached_property
    def ends(self) -> Array:
        """What the picture of densities leaves out lies beyond."""
        return np.asarray(self.posterior.quantile([RARE, 1 - RARE]))

    @property
    def central(self) -> str:
        return f"central {plain(100 * self.study.level)} % interval of {self.law}"


class PosteriorAnswer(Answer[f.Posterior, Compared, Drawn]):
    """All that is known of a noisy count and of the posteriors made of it."""

    @property
    def true(self) -> int:
        """k, the yeses that there are."""
        return yeses(self.study)

    @cached_property
    def released(self) -> float:
        """c, the count that was released."""
        return released_count(self.study, self.true)

    @property
    def noise(self) -> Noise:
        """What is added to the count."""
        epsilon = self.study.epsilon
        return GeometricNoise(epsilon) if self.study.noise == "geometric" else LaplaceNoise.calibrate(epsilon, 1.0)

    @property
    def guarantees(self) -> Mapping[Series | None, Guarantee]:
        """Of the count that is released: whatever is learnt from it promises the same."""
        return {None: promised_by(self.noise, 1.0, COUNTED, self.study.epsilon)}

    @property
    def intervals(self) -> AwareIntervals:
        """Noise-aware intervals for every released count, some of them perhaps still to be found."""
        s = self.study
        return aware_intervals(s.prior_a, s.prior_b, s.people, s.epsilon, s.level, s.noise)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:
        return counted(self.study, epsilons_in(self.study, views[f.COVERAGE_TABLE]), self.intervals)


# What is compared

def _of_noisy(a: PosteriorAnswer, method: str, law: str) -> Compared | None:
    """By a method that has no posterior after some counts."""
    s = a.study
    try:
        found = noisy_count_posterior(s.prior_a, s.prior_b, s.people, a.released, s.epsilon, method)
    except InvalidPosterior:
        return None  # which a sentence says
    return Compared(s, found, law)


@lru_cache(maxsize=4)
def _aware(a: float, b: float, people: int, released: float, epsilon: float) -> Posterior:
    """The exact posterior; it takes milliseconds, and what is dragged may not touch it."""
    return noisy_count_posterior(a, b, people, released, epsilon, "noise-aware")


def _prior(a: PosteriorAnswer) -> Compared:
    return Compared(a.study, BetaPosterior(a.study.prior_a, a.study.prior_b), "Beta(a, b)")


def _truth(a: PosteriorAnswer) -> Compared:
    s = a.study
    return Compared(s, BetaPosterior(s.prior_a + a.true, s.prior_b + (s.people - a.true)), "Beta(a + k, b + n − k)")


def _noise_aware(a: PosteriorAnswer) -> Compared:
    s = a.study
    return Compared(s, _aware(s.prior_a, s.prior_b, s.people, a.released, s.epsilon),
                    "Σ w_k Beta(a + k, b + n − k), w_k ∝ BetaBin(k) e^(−ε|c − k|)")


COMPARED: tuple[Entry[PosteriorAnswer, Compared], ...] = (
    Entry(f.PRIOR, _prior, NOTES, release=False),
    Entry(f.TRUTH, _truth, NOTES, release=False),
    Entry(f.NAIVE, lambda a: _of_noisy(a, "naive", "Beta(a + c, b + n − c)"), NOTES),
    Entry(f.CLAMPED, lambda a: _of_noisy(a, "clamped", "Beta(a + c, b + n − c), c moved into [0, n]"), NOTES),
    Entry(f.AWARE, _noise_aware, BS18),
)


# Facts

_OFF = "the noise-aware posterior’s probability of a rate further than x = {error_beyond} from this mean"
_DESERVED = "the noise-aware posterior’s probability of this interval"
_QUADRATURE = "over θ from the prior, k from Bin(n, θ) and the noise, ε = {epsilon}, by quadrature to 1e-8"


def _deserved(a: PosteriorAnswer, series: Series) -> float | None:
    one = a.one(series)
    if one is None:
        return None
    aware, (low, high) = a.get(f.AWARE).posterior, one.interval
    return min(max(1 - float(aware.cdf(low)) - float(aware.survival(high)), 0.0), 1.0)


def _exceeds(a: PosteriorAnswer, series: Series) -> float | None:
    """How likely the rate is further than x from the mean of a posterior, given the count and the law of its noise."""
    one, x = a.one(series), a.study.error_beyond
    if one is None:
        return None
    aware, mean = a.get(f.AWARE).posterior, one.posterior.mean
    below = float(aware.cdf(mean - x)) if mean > x else 0.0
    above = float(aware.survival(mean + x)) if mean + x < 1 else 0.0
    return min(below + above, 1.0)


def _tail_share(a: PosteriorAnswer) -> str:
    return "1/(1 + e^−ε)" if a.study.noise == "geometric" else "½"


def _invalid(a: PosteriorAnswer, side: int) -> Said:
    """How likely a′ ≤ 0 is, or b′ ≤ 0."""
    far = far_enough(a.study)[side]
    far = far + a.study.people - a.true if side else far + a.true
    return Said(float(invalid(a.study, a.true, a.study.epsilon)[side]),
                f"{_tail_share(a)} e^(−ε·{plain(far)}), ε = {{epsilon}}")


def _clamp_bias_how(a: PosteriorAnswer) -> str:
    below = "(2 sinh ε)" if a.study.noise == "geometric" else "(2ε)"
    return f"(e^(−εk) − e^(−ε(n−k)))/{below}, ε = {{epsilon}}, k = {plain(a.true)}, n = {{people}}"


def _drawn_how(a: PosteriorAnswer) -> str:
    return f"k and {a.study.noise} noise of ε = {{epsilon}}, drawn by seed {a.study.seed}"


def _noisy_count(a: PosteriorAnswer) -> Said:
    if a.study.release == "drawn":
        return Said(a.released, _drawn_how(a))
    rounded = ", to the nearest whole number" if a.study.noise == "geometric" else ""
    return Said(a.released, f"the released share times n{rounded}")


def _noise_beyond(a: PosteriorAnswer) -> Said:
    e, away = a.study.epsilon, abs(a.released - a.true)
    if a.study.noise == "geometric":
        both = 2 / (1 + math.exp(-e)) if away else 1.0
        return Said(both * math.exp(-e * away), "2e^(−ε|c − k|)/(1 + e^−ε)", GRS12)
    return Said(math.exp(-e * away), "e^(−ε|c − k|)", DMNS06)


def _even_epsilon(a: PosteriorAnswer) -> Said:
    n = a.study.people
    if a.study.noise == "geometric":
        return Said(2 * math.asinh(math.sqrt(2 / n)), "1/(2 sinh²(ε/2)) = n/4: ε = 2 arsinh √(2/n), n = {people}",
                    GRS12)
    return Said(math.sqrt(8 / n), "2/ε² = n/4: ε = √(8/n), n = {people}", DMNS06)


def _rmse(key: str, drawn: Drawn) -> Said | None:
    """The root of the mean square, with its interval where there are enough."""
    if key not in drawn.squares:
        return None
    done, (squares, fourths, most) = drawn.done, drawn.squares[key]
    mean = squares / done
    how = f"root of the mean square of {done} errors"
    if done < ENOUGH:
        return Said(math.sqrt(mean), f"{how}; an interval takes {ENOUGH} of them", low=0.0, high=1.0)
    half = Z_95 * math.sqrt(max(fourths - mean * squares, 0.0) / (done - 1) / done) + UNSEEN / done * most
    return Said(math.sqrt(mean), f"{how}; 95 % interval by the central limit theorem, as wide as if 3 more had been as "
                "large as the largest", low=math.sqrt(max(mean - half, 0.0)), high=min(math.sqrt(mean + half), 1.0))


def _missing(key: str, drawn: Drawn) -> Said | None:
    return share(drawn.missing, drawn.done, "simulated releases") if key == f.NAIVE.key else None


FACTS: Mapping[str, tuple[Declaration[PosteriorAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.RATE_MEAN, lambda one: one.posterior.mean, lambda one: f"mean of {one.law}"),
        each(v.RATE_SD, lambda one: one.posterior.sd, lambda one: f"sd of {one.law}"),
        each(v.INTERVAL_LOW, lambda one: one.interval[0], lambda one: one.central),
        each(v.INTERVAL_HIGH, lambda one: one.interval[1], lambda one: one.central),
        each(v.INTERVAL_WIDTH, lambda one: one.interval[1] - one.interval[0],
             lambda one: f"its length; {plain(100 * one.study.level)} %"),
        once(v.DESERVED, lambda a: _deserved(a, f.NAIVE), _DESERVED, WM10, series=f.NAIVE),
        once(v.DESERVED, lambda a: _deserved(a, f.CLAMPED), _DESERVED, WM10, series=f.CLAMPED),
        once(v.DESERVED, lambda a: a.study.level, _DESERVED, WM10, series=f.AWARE),
        once(v.COVERAGE, lambda a: coverage(a.study, a.study.epsilon, f.NAIVE),
             f"{_QUADRATURE}; without a posterior nothing is covered", NOTES, series=f.NAIVE),
        once(v.COVERAGE, lambda a: coverage(a.study, a.study.epsilon, f.CLAMPED), _QUADRATURE, NOTES,
             series=f.CLAMPED),
        once(v.COVERAGE, lambda a: a.study.level, "by Bayes’ rule: each release’s interval has this probability", WM10,
             series=f.AWARE),
        simulated(v.COVERAGE_FOUND, lambda key, drawn: share(drawn.held.get(key), drawn.done,
                                                             "simulated intervals contained the rate"),
                  source=CP34, exact=v.COVERAGE),
    ),
    "errors": (
        *(once(v.ERROR_EXCEEDS, partial(_exceeds, series=series), _OFF, WM10, series=series) for series in f.JUDGED),
        once(v.INVALID, lambda a: sum(float(each) for each in invalid(a.study, a.true, a.study.epsilon)),
             "Pr[a′ ≤ 0] + Pr[b′ ≤ 0]", NOTES, series=f.NAIVE),
        once(v.INVALID_A, lambda a: _invalid(a, 0), source=NOTES, series=f.NAIVE),
        once(v.INVALID_B, lambda a: _invalid(a, 1), source=NOTES, series=f.NAIVE),
        once(v.INVALID_OVERALL, lambda a: unusable(a.study, a.study.epsilon),
             "the same averaged over θ from the prior and k from Bin(n, θ)", NOTES, series=f.NAIVE),
        simulated(v.INVALID_FOUND, _missing, source=CP34, exact=v.INVALID),
        once(v.CLAMP_BIAS, lambda a: clamp_bias(a.study, a.true), _clamp_bias_how, NOTES, series=f.CLAMPED),
        simulated(v.MEAN_RMSE, _rmse),
    ),
    "privacy": (
        once(v.GUARANTEE_EPSILON, lambda a: Said(a.study.epsilon, source=a.noise.source),
             "one person changes the count by 1; noise of ε = {epsilon}"),
    ),
    "technical": (
        once(v.TRUE_YES, lambda a: a.true, "π n to the nearest whole number, π = {fraction}, n = {people}"),
        once(v.NOISY_COUNT, _noisy_count),
        once(v.DRAWN_RELEASE, lambda a: a.released / a.study.people, lambda a: f"c/n; c is {_drawn_how(a)}",
             when=lambda a: a.study.release == "drawn"),
        once(v.NOISE_DRAWN, lambda a: a.released - a.true, "c − k"),
        once(v.NOISE_BEYOND, _noise_beyond),
        once(v.EVEN_EPSILON, _even_epsilon),
    ),
}


# Tables

def _density_view(a: PosteriorAnswer) -> Span:
    ends = np.array([one.ends for series, one in a.ones.items() if series != f.PRIOR])
    margin = 0.04 * float(ends.max() - ends.min())
    return max(0.0, float(ends.min()) - margin), min(1.0, float(ends.max()) + margin)


def _density_table(a: PosteriorAnswer, view: Span) -> Table:
    """Densities over the view, finer where one is narrow; not at its ends, where they may be infinite."""
    low, high = within(view, 0.0, 1.0)
    if high <= low:
        low, high = 0.0, 1.0
    inset = (high - low) / (2 * POINTS)
    rates = places((low + inset, high - inset), POINTS, *(
        np.linspace(one.ends[0], one.ends[1], DETAIL) for one in a.ones.values()))
    return Table({f.X_RATE: rates} | curves(a.ones, lambda one: one.posterior.density(rates), v.RATE_DENSITY))


def _share_view(a: PosteriorAnswer) -> Span:
    people, share = a.study.people, a.released / a.study.people
    reach = 5 * math.sqrt(2 / a.study.epsilon**2 + people / 4) / people
    reach = min(max(reach, 1 / people), 0.8)
    return share - reach, share + reach


def _interval_table(a: PosteriorAnswer, view: Span) -> Table:
    """Means and intervals of the clamped method; 0 and 1, where all intervals stop to change, are among the shares."""
    shares = np.unique(np.concatenate([np.linspace(*view, SHARE_POINTS), np.clip([0.0, 1.0], *view)]))
    counts, study = _counts_at(a.study, shares), a.study
    alpha, beta, tail = study.prior_a + counts, study.prior_b + (study.people - counts), (1 - study.level) / 2
    rows = alpha / (alpha + beta), betaincinv(alpha, beta, tail), 1 - betaincinv(beta, alpha, tail)
    return Table({f.X_SHARE: shares} | curves({f.CLAMPED: rows}, tuple, *INTERVALS))


def _aware_steps(a: PosteriorAnswer) -> Iterator[None]:
    """The noise-aware intervals, batch by batch."""
    if not a.intervals.complete:
        yield
        yield from a.intervals.fill()


def _aware_columns(a: PosteriorAnswer, table: Table) -> dict[Column, Array]:
    return curves({f.AWARE: a.intervals.rates_at(_counts_at(a.study, table[f.X_SHARE]))}, tuple, *INTERVALS)


def _counts_at(study: f.Posterior, shares: Array) -> Array:
    counts = np.clip(shares * study.people, 0.0, study.people)
    return np.rint(counts) if study.noise == "geometric" else counts


def _latest(_: PosteriorAnswer, table: Table, drawn: Drawn) -> dict[Column, Array]:
    """Some releases of the latest chunk that the view shows, over and over to fill the rows of its table."""
    shown = table[f.X_SHARE]
    inside = np.flatnonzero((drawn.shares >= shown[0]) & (drawn.shares <= shown[-1]))[:SHOWN]
    if not len(inside):
        return {}
    return {f.DRAWN_X: np.resize(drawn.shares[inside], table.rows),
            f.DRAWN_Y: np.resize(drawn.rates[inside], table.rows)}


TABLES: Mapping[str, Tabled[PosteriorAnswer, Drawn]] = {
    f.DENSITY_TABLE: table(_density_table, _density_view),
    f.INTERVAL_TABLE: table(_interval_table, _share_view, slow=_aware_steps, later=_aware_columns, drawn=_latest),
    f.COVERAGE_TABLE: COVERAGE,
    f.SIMULATION_TABLE: streamed(f.X_DONE, f.HELD, lambda _: f.JUDGED, CHUNK),
}

PosteriorAnswer.compared, PosteriorAnswer.declared, PosteriorAnswer.tabled = COMPARED, FACTS, TABLES
