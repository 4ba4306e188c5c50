"""What the releases come to by each method, and how many the allowed total is enough for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.noise import GaussianNoise, analytic_sigma
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.budget import MOST_COUNTED
from dpstudio.studies.budget import figures as f
from dpstudio.studies.kit.attack import Attackable

if TYPE_CHECKING:
    from dpstudio.studies.budget import Budget as Study

_ROUNDED = 1 + 1e-12
LARGEST = 1e300
"""What is larger is shown as this."""

Method = Callable[[Array], tuple[Array, Array]]
"""From numbers of releases to (ε, δ) of all."""


@dataclass(frozen=True, slots=True)
class Total:
    """What one method says of the study's releases."""

    method: Method
    epsilon: float
    delta: float


def attackables(study: Study, found: Mapping[Series, Total]) -> dict[Series, Attackable]:
    """All releases of each account as one mechanism: the worst that it allows."""
    worst: dict[Series, Attackable] = {series: composition.WorstReleases(total.epsilon, total.delta)
                                       for series, total in found.items()}
    worst[f.OPTIMAL] = composition.WorstReleases(study.epsilon, study.delta, study.releases)
    if f.GAUSSIAN in found:
        sigma = float(analytic_sigma(study.epsilon, study.delta))
        worst[f.GAUSSIAN] = GaussianNoise(sigma / math.sqrt(study.releases))
    return worst


def totals(study: Study) -> dict[Series, Total]:
    """The methods by series; Gaussian noise has no (ε, 0), and advanced composition needs a slack."""
    k = np.array([float(study.releases)])
    return {series: Total(method, *(float(one[0]) for one in method(k))) for series, method in methods(study).items()}


def methods(study: Study) -> dict[Series, Method]:
    e, d, slack = study.epsilon, study.delta, study.slack

    def basic(k: Array) -> tuple[Array, Array]:
        return k * e, np.minimum(k * d, 1.0)

    def advanced(k: Array) -> tuple[Array, Array]:
        # The bound may well be above basic composition, which then is what a person should use.
        literal, delta = (np.asarray(one) for one in composition.advanced(e, d, k, slack))
        better = literal < k * e
        return np.where(better, literal, k * e), np.minimum(np.where(better, delta, k * d), 1.0)

    def simple(k: Array) -> tuple[Array, Array]:
        bounds = [composition.simple(e, d, k, slack), composition.simple_of_small_steps(e, d, k, slack)]
        return np.minimum(k * e, np.minimum(*(np.asarray(bound) for bound, _ in bounds))), np.asarray(bounds[0][1])

    def optimal(k: Array) -> tuple[Array, Array]:
        none = k * math.log1p(-d) + math.log1p(-slack)
        return np.array([_of_responses(e, int(one), slack) for one in k]), -np.expm1(none)

    found: dict[Series, Method] = {f.BASIC: basic}
    if slack > 0:
        found |= {f.ADVANCED: advanced, f.SIMPLE: simple}
    found[f.OPTIMAL] = optimal
    if d > 0:
        sigma = float(analytic_sigma(e, d))

        def gaussian(k: Array) -> tuple[Array, Array]:
            # At the total δ of advanced composition. Once that is 1, nothing is promised, and ε = 0 does.
            delta = k * d + slack
            inside = delta < 1
            epsilon = np.zeros(k.shape)
            if inside.any():
                epsilon[inside] = composition.gaussian(sigma, 1.0, k[inside], delta[inside])
            return epsilon, np.minimum(delta, 1.0)

        found[f.GAUSSIAN] = gaussian
    return found


@lru_cache(maxsize=4096)
def _of_responses(epsilon: float, k: int, slack: float) -> float:
    """The smallest ε of k randomized responses at that δ: the most that any k ε-DP releases can need."""
    return float(RandomizedResponse.symmetric(epsilon).epsilon_after(k, slack))


def literal_advanced(study: Study) -> float | None:
    """What the formula says before it is compared with basic composition."""
    if study.slack == 0:
        return None
    return float(composition.advanced(study.epsilon, study.delta, study.releases, study.slack)[0])


def within(study: Study, epsilon: float, delta: float) -> bool:
    """Whether a total is within the allowed ε and δ; ten times 0.1 is 1."""
    return epsilon <= study.budget * _ROUNDED and delta <= study.budget_delta * _ROUNDED


def most_releases(study: Study, methods: Mapping[Series, Method]) -> dict[Series, int]:
    """The largest k, up to 10 000, whose total ε and δ are within the allowed ones by each method, or by basic
    composition, which needs no slack and holds for all releases.
    """
    every = np.arange(1.0, MOST_COUNTED + 1)
    most: dict[Series, int] = {}
    for series, method in methods.items():
        # The optimal ε is a law for every k; it and its δ grow with k, as the Gaussian ε at a δ that grows need not.
        own = _last_of_growing(study, method) if series == f.OPTIMAL else _last(study, *method(every))
        most[series] = max(own, most.get(f.BASIC, 0))
    return most


def _last(study: Study, epsilon: Array, delta: Array) -> int:
    fits = (epsilon <= study.budget * _ROUNDED) & (delta <= study.budget_delta * _ROUNDED)
    return int(np.flatnonzero(fits)[-1]) + 1 if fits.any() else 0


def _last_of_growing(study: Study, method: Method) -> int:
    low, high = 0, MOST_COUNTED
    while low < high:
        middle = (low + high + 1) // 2
        if within(study, *(float(one[0]) for one in method(np.array([float(middle)])))):
            low = middle
        else:
            high = middle - 1
    return low


def groups(study: Study, sizes: Array) -> Mapping[Series, Array]:
    """δ for groups of each size: tight, and the two that the thesis chapter prints; none above 1e300."""
    if study.delta == 0:
        return dict.fromkeys(f.GROUPS, np.zeros(sizes.shape))
    text, formula = composition.group_as_printed(study.epsilon, study.delta, sizes)
    tight = np.asarray(composition.group(study.epsilon, study.delta, sizes)[1])
    return {f.TIGHT: tight, f.TEXT: np.minimum(np.asarray(text), LARGEST), f.FORMULA: np.asarray(formula)}
