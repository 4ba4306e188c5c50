"""The exact tables of the posterior study: densities, intervals over released counts, coverage and failure over ε."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Table, Window
from dpstudio.models.beta_bernoulli.intervals import AwareIntervals
from dpstudio.studies.posterior import figures as f
from dpstudio.studies.posterior.compare import Compared, coverage, invalid, unusable

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

POINTS, DETAIL, SHARE_POINTS, COVERAGE_POINTS = 241, 61, 121, 21
SMALLEST, LARGEST = 1e-6, 50.0
"""Of ε."""


def windows(study: Study, counts: Compared, simulated: Window) -> dict[str, Window]:
    ends = np.array([found for series, found in counts.ends.items() if series != f.PRIOR])
    margin = 0.04 * float(ends.max() - ends.min())
    reach = 5 * math.sqrt(2 / study.epsilon**2 + study.people / 4) / study.people
    reach = min(max(reach, 1 / study.people), 0.8)
    share = counts.released / study.people
    # About where the noise and the sample matter alike: ε² n/8 = 1.
    even = min(max(math.sqrt(8 / study.people), 1e-3), 3.0)
    epsilon = max(SMALLEST, min(even / 40, study.epsilon / 2)), min(LARGEST, max(even * 25, 2 * study.epsilon))
    return {
        f.DENSITY_TABLE: (max(0.0, float(ends.min()) - margin), min(1.0, float(ends.max()) + margin)),
        f.INTERVAL_TABLE: (share - reach, share + reach),
        f.COVERAGE_TABLE: epsilon,
        f.SIMULATION_TABLE: simulated,
    }


def density_table(window: Window, counts: Compared) -> Table:
    """Densities over the window, finer where one is narrow; not at its ends, where they may be infinite."""
    low, high = (min(max(end, 0.0), 1.0) for end in window)
    if high <= low:
        low, high = 0.0, 1.0
    inset = (high - low) / (2 * POINTS)
    grids = [np.linspace(low + inset, high - inset, POINTS)]
    grids += [np.linspace(ends[0], ends[1], DETAIL) for ends in counts.ends.values()]
    rates = np.unique(np.concatenate(grids))
    rates = rates[(rates >= low + inset) & (rates <= high - inset)]
    return Table({f.X_RATE: rates} | {Column(v.RATE_DENSITY, series): np.asarray(found.density(rates))
                                      for series, found in counts.posteriors.items()})


def shares_in(window: Window) -> Array:
    """Released shares over the window; 0 and 1, where all intervals stop to change, among them."""
    return np.unique(np.concatenate([np.linspace(*window, SHARE_POINTS), np.clip([0.0, 1.0], *window)]))


def interval_table(shares: Array, study: Study, aware: AwareIntervals) -> Table:
    """Means and intervals of the clamped method and, as soon as they are known, of the noise-aware one."""
    counts = np.clip(shares * study.people, 0.0, study.people)
    if study.noise == "geometric":
        counts = np.rint(counts)
    found = {f.CLAMPED: _clamped(counts, study)}
    if aware.complete:
        found[f.AWARE] = aware.rates_at(counts)
    columns: dict[Column, Array] = {f.X_SHARE: shares}
    for series, rows in found.items():
        columns |= {Column(quantity, series): row for quantity, row in
                    zip((v.RATE_MEAN, v.INTERVAL_LOW, v.INTERVAL_HIGH), rows, strict=True)}
    return Table(columns)


def _clamped(counts: Array, study: Study) -> Array:
    a, b = study.prior_a + counts, study.prior_b + (study.people - counts)
    tail = (1 - study.level) / 2
    return np.stack([a / (a + b), betaincinv(a, b, tail), 1 - betaincinv(b, a, tail)])


def epsilons_in(window: Window, study: Study) -> Array:
    """ε evenly on a logarithmic axis, today’s among them."""
    low, high = (min(max(end, SMALLEST), LARGEST) for end in window)
    return np.unique(np.append(np.geomspace(low, high, COVERAGE_POINTS), study.epsilon))


def coverage_table(epsilon: Array, study: Study, true: int) -> Table:
    """What happens over many releases, at each ε: coverage, and how often there is no naive posterior."""
    every = [float(e) for e in epsilon]
    of_a, of_b = invalid(study, true, epsilon)
    return Table({f.X_EPSILON: epsilon,
                  **{Column(v.COVERAGE, series): np.array([coverage(study, e, series) for e in every])
                     for series in f.JUDGED},
                  Column(v.INVALID_OVERALL, f.NAIVE): np.array([unusable(study, e) for e in every]),
                  Column(v.INVALID, f.TRUTH): of_a + of_b})
