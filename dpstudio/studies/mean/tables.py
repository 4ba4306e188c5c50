"""The exact tables of the mean study: errors over n, over ε, and how they are distributed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Window
from dpstudio.core.special import log_binomial
from dpstudio.studies.mean import figures as f
from dpstudio.studies.mean.compare import Compared, errors, noted

if TYPE_CHECKING:
    from dpstudio.studies.mean import Mean as Study

PEOPLE_POINTS, EPSILON_POINTS, ERROR_POINTS = 13, 81, 361
DECADES = 3
"""Powers of ten of n on either side of today’s."""
MOST = 10.0**12
SPREAD = 3.5
COUNTED = 10**6
"""Up to so many people the law of their answers is summed; beyond, it is a pixel from its normal limit at most."""
TAIL = 9.0


def windows(study: Study) -> dict[str, Window]:
    low = max(1.0, 10.0 ** (math.floor(math.log10(study.people)) - DECADES + 1))
    half = SPREAD * float(errors(study, study.people, study.epsilon, population=False)[f.RESPONSE])
    half = max(half, 2 / study.people)
    return {f.PEOPLE_TABLE: (low, min(low * 10.0 ** (2 * DECADES), MOST)), f.EPSILON_TABLE: (0.01, 10.0),
            f.ERRORS_TABLE: (-half, half)}


def people_in(window: Window, study: Study) -> Array:
    """Whole numbers of people, evenly on a logarithmic axis, today’s among them."""
    low, high = (min(max(end, 1.0), MOST) for end in window)
    return np.unique(np.rint(np.append(np.geomspace(low, high, PEOPLE_POINTS), study.people)))


def people_table(people: Array, study: Study) -> Table:
    found = errors(study, people, study.epsilon, population=study.about == "population")
    return _table({f.X_PEOPLE: people}, {v.ERROR_SD: found, v.NOTE_ERROR: noted(people, study.epsilon)})


def epsilon_table(window: Window, study: Study) -> Table:
    low, high = (min(max(end, 1e-4), 20.0) for end in window)
    epsilon = np.unique(np.append(np.geomspace(low, high, EPSILON_POINTS), study.epsilon))
    found = errors(study, study.people, epsilon, population=study.about == "population")
    return _table({f.X_EPSILON: epsilon}, {v.ERROR_SD: found, v.NOTE_ERROR: noted(study.people, epsilon)})


def _table(columns: dict[Column, Array], values: dict[v.Quantity, dict[Series, Array]]) -> Table:
    rows = len(next(iter(columns.values())))
    return Table(columns | {Column(quantity, series): np.broadcast_to(numbers, (rows,))
                            for quantity, found in values.items() for series, numbers in found.items()})


def errors_table(window: Window, study: Study, mechanisms: Compared) -> Table:
    """Densities of the error about the group, each as a part of its peak."""
    n = float(study.people)
    sds = errors(study, n, study.epsilon, population=False)
    spread = [np.linspace(*window, ERROR_POINTS), np.zeros(1)]
    spread += [np.linspace(-SPREAD * float(sd), SPREAD * float(sd), ERROR_POINTS // 3) for sd in sds.values()]
    x = np.unique(np.concatenate(spread))
    x = x[(x >= window[0]) & (x <= window[1])]
    columns: dict[Column, Array] = {f.X_ERROR: x,
                                    Column(v.ERROR_RELATIVE, f.RESPONSE): _answers(x, study, mechanisms)}
    for series, noise in mechanisms.noises.items():
        at = np.rint(x * n) if series == f.GEOMETRIC else x * n
        columns[Column(v.ERROR_RELATIVE, series)] = np.minimum(
            np.asarray(noise.density(at)) / float(noise.density(0.0)), 1.0)
    return Table(columns)


def _answers(x: Array, study: Study, mechanisms: Compared) -> Array:
    """The law of the debiased answers of k people with “yes” and n − k with “no”."""
    n, response = study.people, mechanisms.response
    yeses = round(study.fraction * n)
    if n > COUNTED:
        z = x / float(errors(study, n, study.epsilon, population=False)[f.RESPONSE])
        return np.exp(-z * z / 2)
    first, mass = _sum([(yeses, response.yes_if_yes, response.no_if_yes),
                        (n - yeses, response.yes_if_no, response.no_if_no)])
    count = np.rint(n * response.yes_if_no + response.difference * (yeses + n * x)) - first
    inside = (count >= 0) & (count < len(mass))
    found = np.zeros(x.shape)
    found[inside] = mass[count[inside].astype(np.intp)] / mass.max()
    return found


def _sum(groups: list[tuple[int, float, float]]) -> tuple[float, Array]:
    """The smallest likely number of “yes” of all groups together, and the probabilities from there on."""
    first, laws = 0.0, []
    for people, yes, no in groups:
        half = TAIL * math.sqrt(people * yes * no) + 40
        low, high = max(0.0, math.floor(people * yes - half)), min(float(people), math.ceil(people * yes + half))
        count = np.arange(low, high + 1)
        laws.append(np.exp(log_binomial(count, people, yes, no)) if people else np.ones(1))
        first += low
    size = sum(map(len, laws)) - 1
    fast = next_fast_len(size, real=True)
    product = rfft(laws[0], fast) * rfft(laws[1], fast)
    return first, np.maximum(irfft(product, fast)[:size], 0.0)
