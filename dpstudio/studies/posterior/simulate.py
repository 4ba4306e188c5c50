"""Simulated releases: rates from the prior, counts, their noise, and which intervals hold the rate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import betainc

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.models.beta_bernoulli.intervals import AwareIntervals
from dpstudio.studies.posterior import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

CHUNK = 500
"""Releases of one chunk: at each of some twenty ε an incomplete beta function for each."""
AVERAGED = (f.TRUTH, f.CLAMPED, f.AWARE)
"""Posteriors that have a mean after every release."""
Held: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rates with ln θ/(1 − θ), true counts, and the two exponentials that noise is made of at every ε."""

    theta: Array
    phi: Array
    logit: Array
    true: Array
    up: Array
    down: Array

    @classmethod
    def by(cls, rng: Generator, size: int, study: Study) -> Drawn:
        # A beta variable as two gammas keeps 1 − θ, which a prior with b < 1 brings near 0.
        yes, no = rng.standard_gamma(study.prior_a, size), rng.standard_gamma(study.prior_b, size)
        yes, no = np.maximum(yes, 1e-300), np.maximum(no, 1e-300)
        theta, phi = yes / (yes + no), no / (yes + no)
        true = rng.binomial(study.people, theta).astype(np.float64)
        return cls(theta, phi, np.log(yes) - np.log(no), true, rng.standard_exponential(size),
                   rng.standard_exponential(size))

    def released(self, epsilon: float, noise: str) -> Array:
        """The noisy counts at this ε: differences of exponentials, or of their whole parts."""
        if noise == "geometric":
            return self.true + np.floor(self.up / epsilon) - np.floor(self.down / epsilon)
        return self.true + (self.up - self.down) / epsilon


@dataclass(slots=True)
class Tally:
    """What was counted so far: intervals that hold the rate, at every ε and at today's, and squared errors."""

    held: dict[Series, Counts]
    missing: Counts
    aware: int = 0
    squares: dict[Series, tuple[float, float, float]] = field(
        default_factory=lambda: dict.fromkeys(AVERAGED, (0.0, 0.0, 0.0)))
    """Sums of squared errors and of their squares, and the largest."""
    done: int = 0

    @classmethod
    def empty(cls, size: int) -> Tally:
        return cls({series: np.zeros(size, dtype=np.int64) for series in (f.NAIVE, f.CLAMPED)},
                   np.zeros(size, dtype=np.int64))


def judged(study: Study, drawn: Drawn, count: Array) -> tuple[Held, Held, Held]:
    """Whether the naive and the clamped interval hold the rate, and whether there is a naive one."""
    people, a, b = float(study.people), study.prior_a, study.prior_b
    clamped = _holds(study, drawn.theta, drawn.phi, np.clip(count, 0.0, people))
    valid = (a + count > 0) & (b + (people - count) > 0)
    naive = clamped & valid
    apart = np.flatnonzero(valid & ((count < 0) | (count > people)))
    naive[apart] = _holds(study, drawn.theta[apart], drawn.phi[apart], count[apart])
    return naive, clamped, valid


def _holds(study: Study, theta: Array, phi: Array, count: Array) -> Held:
    """Whether each tail of Beta(a + c, b + n − c) beyond the rate is large enough, the upper one from its own end."""
    a, b, tail = study.prior_a + count, study.prior_b + (study.people - count), (1 - study.level) / 2
    below = betainc(a, b, theta)
    held = below >= tail
    upper = np.flatnonzero(below > 0.5)
    held[upper] = betainc(b[upper], a[upper], phi[upper]) >= tail
    return np.asarray(held)


def tallied(study: Study, drawn: Drawn, epsilon: Array, aware: AwareIntervals, tally: Tally) -> Iterator[None]:
    """Count one chunk at every ε; between two it may be left."""
    new = Tally.empty(len(epsilon))
    for i, e in enumerate(epsilon):
        count = drawn.released(float(e), study.noise)
        naive, clamped, valid = judged(study, drawn, count)
        new.held[f.NAIVE][i], new.held[f.CLAMPED][i] = np.count_nonzero(naive), np.count_nonzero(clamped)
        new.missing[i] = np.count_nonzero(~valid)
        yield
    for series, held in new.held.items():
        tally.held[series] += held
    tally.missing += new.missing
    _aware(study, drawn, drawn.released(study.epsilon, study.noise), aware, tally)
    tally.done += len(drawn.theta)


def _aware(study: Study, drawn: Drawn, count: Array, aware: AwareIntervals, tally: Tally) -> None:
    mean, low, high = aware.logits_at(count)
    tally.aware += int(np.count_nonzero((low <= drawn.logit) & (drawn.logit <= high)))
    total = study.prior_a + study.prior_b + study.people
    with np.errstate(over="ignore"):
        means = {f.TRUTH: (study.prior_a + drawn.true) / total,
                 f.CLAMPED: (study.prior_a + np.clip(count, 0.0, study.people)) / total,
                 f.AWARE: 1 / (1 + np.exp(-mean))}
    for series, estimate in means.items():
        squares = np.square(estimate - drawn.theta)
        first, second, most = tally.squares[series]
        tally.squares[series] = (first + math.fsum(squares), second + math.fsum(np.square(squares)),
                                 max(most, float(squares.max())))
