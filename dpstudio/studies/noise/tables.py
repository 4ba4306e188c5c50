"""The exact tables of the noise study: laws of answers, and σ over ε."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Window
from dpstudio.mechanisms.noise import (
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    analytic_sigma,
    classical_sigma,
    without_root_sigma,
)
from dpstudio.mechanisms.noise.profile import delta_of_mu
from dpstudio.studies.noise import figures as f
from dpstudio.studies.noise.compare import Compared, Query

if TYPE_CHECKING:
    from dpstudio.studies.noise import Noise as Study

POINTS, SIGMA_POINTS = 361, 121
BARS = 120
"""Whole numbers of a wider window than this are drawn as a curve, not as bars."""
STRETCHES = 40
"""Into so many parts the simulation's window is cut."""
_JUST = 1e-9


def natural_window(noises: Mapping[Series, Compared]) -> Window:
    """The range of answers that nearly all of every least noise lies in, without the record and with it."""
    least = [one for series, one in noises.items() if series in f.LEAST]
    reach = max(float(one.noise.error_quantile(0.99)) for one in least)
    return -reach, max(one.step for one in least) + reach


def answer_table(window: Window, noises: Mapping[Series, Compared]) -> Table:
    """Densities without and with the record in the worst coordinate, and the loss between them, at each answer."""
    low, high = window
    x = np.linspace(low, high, POINTS)
    kinks = [place for one in noises.values() for place in (0.0, one.step) if low <= place <= high]
    edges = np.arange(math.floor(low), math.ceil(high) + 1) + 0.5 if high - low <= BARS else np.empty(0)
    edges = edges[(edges > low) & (edges < high)]
    x = np.unique(np.concatenate([x, kinks, edges - _JUST, edges + _JUST]))
    columns: dict[Column, Array] = {f.X_ANSWER: x}
    for series, one in noises.items():
        at = np.rint(x) if isinstance(one.noise, GeometricNoise) else x
        columns[Column(v.DENSITY, series)] = np.asarray(one.noise.density(at))
        columns[Column(v.DENSITY_BESIDE, series)] = np.asarray(one.noise.density(at - one.step))
        columns[Column(v.PRIVACY_LOSS, series)] = _loss(one, at)
    return Table(columns)


def _loss(one: Compared, x: Array) -> Array:
    """ln f′(x)/f(x), in closed form: the tails underflow long before their ratio does."""
    noise, step = one.noise, one.step
    if isinstance(noise, GaussianNoise):
        return np.asarray(step / noise.sigma * ((x - step / 2) / noise.sigma))
    rate = 1 / noise.scale if isinstance(noise, LaplaceNoise) else one.largest_loss / one.sensitivity
    return np.asarray((np.abs(x) - np.abs(x - step)) * rate)


def sigma_table(window: Window, study: Study, asked: Query) -> Table:
    """Standard deviations against ε; of each Gaussian σ also its ratio to the exact one and the δ that it keeps."""
    low, high = np.clip(window, 1e-9, 1e3)
    epsilon = np.geomspace(low, max(high, low * (1 + 1e-6)), SIGMA_POINTS)
    columns: dict[Column, Array] = {f.X_EPSILON: epsilon}
    columns[Column(v.NOISE_SD, f.LAPLACE)] = math.sqrt(2) * asked.l1 / epsilon
    if asked.whole:
        rate = epsilon / asked.whole
        columns[Column(v.NOISE_SD, f.GEOMETRIC)] = math.sqrt(2) * np.exp(-rate / 2) / -np.expm1(-rate)
    if study.delta > 0:
        exact = np.asarray(analytic_sigma(epsilon, study.delta, asked.l2))
        for series, sigma in ((f.GAUSSIAN, exact),
                              (f.CLASSICAL, np.asarray(classical_sigma(epsilon, study.delta, asked.l2))),
                              (f.PRINTED, np.asarray(without_root_sigma(epsilon, study.delta, asked.l2)))):
            columns[Column(v.NOISE_SD, series)] = sigma
            columns[Column(v.TOO_MUCH, series)] = sigma / exact
            columns[Column(v.TRUE_DELTA, series)] = delta_of_mu(epsilon, asked.l2 / sigma)
    return Table(columns)


def stretches(window: Window) -> Array:
    """The ends of the parts that the simulation counts answers in."""
    return np.linspace(*window, STRETCHES + 1)


def chances(one: Compared, ends: Array) -> Array:
    """The probability of an answer in each part, and last that of one outside; whole numbers as bars of width 1."""
    def below(x: Array) -> Array:
        if not isinstance(one.noise, GeometricNoise):
            return np.asarray(one.noise.cdf(x))
        bar = np.rint(x)
        return np.asarray(one.noise.cdf(bar - 1)) + np.asarray(one.noise.density(bar)) * (x - bar + 0.5)

    inside = np.maximum(np.diff(below(ends)), 0.0)
    return np.append(inside, max(0.0, 1 - inside.sum()))
