"""A plan of unlike releases, spent step by step: with no library by exact parts, and with one by their losses.

Laplace releases come first, then randomized responses, then Gaussian releases.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.losses import repeated
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import budget as f

STEPS = 16
"""At most about so many steps of a plan are shown."""
FINENESS = 100
"""Into so many steps of dp-accounting's grid the smallest loss of the plan is divided …"""
MOST_POINTS = 200_000
"""… unless all losses together would take more steps than these: its work grows with them."""
MOST_OF_ONE = 20_000
"""… or one release alone more than these: the library computes its losses one by one."""
REACH = 9.0
"""Standard deviations of a sum of losses that matter: further out is less than dp-accounting's own cut of 1e-15."""


def steps(study: f.Budget) -> Array:
    """Numbers of releases made so far: all of a short plan, else an even spread and the ends of each kind."""
    first, second, last = study.plan_counts, study.plan_counts + study.plan_answers, study.planned
    if last == 0:
        return np.empty(0)
    spread = np.rint(np.linspace(1, last, min(last, STEPS)))
    return np.unique(np.concatenate([spread, [end for end in (first, second, last) if end > 0]]))


def made(study: f.Budget, step: float) -> tuple[int, int, int]:
    """How many releases of each kind have been made by that step."""
    counts = min(int(step), study.plan_counts)
    answers = min(int(step) - counts, study.plan_answers)
    return counts, answers, int(step) - counts - answers


def basic(study: f.Budget, at: Array) -> Array:
    """Sums of ε: n₁ε₁ + n₂ε₂, and n₃ times the exact ε of one Gaussian release at its share of δ′."""
    counts, answers, sums = _made(study, at)
    one = _of_gaussian(study, np.ones(at.shape), study.slack / np.maximum(sums, 1))
    of_sums = np.where(sums > 0, np.maximum(sums, 1) * one, 0.0)  # no 0·∞ where there is no ε of one
    return counts * study.plan_count_epsilon + answers * study.plan_answer_epsilon + of_sums


def by_parts(study: f.Budget, at: Array) -> Array:
    """The optimal ε of all pure releases, plus the exact one of all Gaussian releases, each at half of δ′."""
    counts, answers, sums = _made(study, at)
    pure = counts + answers > 0
    share = np.where(pure & (sums > 0), study.slack / 2, study.slack)
    of_pure = [_of_responses(study.plan_count_epsilon, study.plan_answer_epsilon, delta, int(ones), int(others))
               if ones + others else 0.0 for delta, ones, others in zip(share.tolist(), counts, answers, strict=True)]
    of_sums = np.where(sums > 0, _of_gaussian(study, np.maximum(sums, 1), share), 0.0)
    return np.array(of_pure) + of_sums


def _made(study: f.Budget, at: Array) -> tuple[Array, Array, Array]:
    if not at.size:
        return at, at, at
    counts, answers, sums = np.array([made(study, step) for step in at], dtype=np.float64).T
    return counts, answers, sums


def _of_gaussian(study: f.Budget, times: Array, delta: Array) -> Array:
    """The exact ε of Gaussian releases; without δ there is none."""
    if not (delta > 0).all():
        return np.full(times.shape, np.inf)
    return np.asarray(composition.gaussian(study.plan_multiplier, 1.0, times, delta))


@lru_cache(maxsize=512)
def _of_responses(one: float, other: float, delta: float, ones: int, others: int) -> float:
    """The smallest ε of randomized responses of two kinds at that δ, from the law of their losses together."""
    laws = []
    for epsilon, times in ((one, ones), (other, others)):
        if times:
            truth = RandomizedResponse.symmetric(epsilon)
            laws.append(repeated(times, truth.yes_if_yes, truth.no_if_yes, epsilon, epsilon))
    if delta == 0:
        return ones * one + others * other
    law = laws[0] if len(laws) == 1 else laws[0].and_then(laws[1])
    return float(law.epsilon(np.array([delta]))[0])


def has_library() -> bool:
    """Whether dp-accounting is installed, without importing it."""
    return find_spec("dp_accounting") is not None


def grid(study: f.Budget) -> float:
    """The step of the grid on which dp-accounting rounds losses upwards, chosen for the plan as a whole.

    A hundredth of the smallest loss, or what the sum of all and the widest one need for bounded work; where there are
    responses it divides theirs, which then are not rounded at all.
    """
    counts, answers, sums = study.plan_counts, study.plan_answers, study.plan_sums
    pure = [(counts, study.plan_count_epsilon)] * (counts > 0) + [(answers, study.plan_answer_epsilon)] * (answers > 0)
    mu = 1 / study.plan_multiplier
    reach = sum(min(n * e, n * e * math.tanh(e / 2) + REACH * math.sqrt(n) * e) for n, e in pure)
    reach += sums * mu * mu / 2 + REACH * math.sqrt(sums) * mu
    smallest = min([e for _, e in pure] + [mu] * (sums > 0))
    widest = max([2 * e for _, e in pure] + [2 * REACH * mu] * (sums > 0))
    step = max(smallest / FINENESS, 2 * reach / MOST_POINTS, widest / MOST_OF_ONE)
    return _dividing(study.plan_answer_epsilon, step) if answers and step < study.plan_answer_epsilon else step


def _dividing(loss: float, step: float) -> float:
    """The next smaller step, also as doubles divide, that makes the loss a whole number of steps."""
    parts = math.ceil(loss / step)
    while loss / (loss / parts) != parts:
        parts += 1
    return loss / parts


def accounted(study: f.Budget, at: Array) -> Iterator[float]:
    """ε after each step from privacy loss distributions that dp-accounting rounds upwards: never below the truth.

    [Doroshenko et al. 2022.]
    """
    kinds = _distributions(study)
    for done in at:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = [kind.self_compose(times) for kind, times in zip(kinds, made(study, done), strict=True)
                     if kind is not None and times]
            together = parts[0]
            for part in parts[1:]:
                together = together.compose(part)
            epsilon = max(0.0, float(together.get_epsilon_for_delta(study.slack)))
        yield epsilon


def read_library() -> Iterator[None]:
    """Import dp-accounting and what it needs, a second together; between two parts it may be left."""
    for name in ("linalg", "sparse.linalg", "optimize", "interpolate", "ndimage", "stats", "signal"):
        import_module(f"scipy.{name}")
        yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_module("dp_accounting.pld.privacy_loss_distribution")
    yield


def _distributions(study: f.Budget) -> list[Any]:
    """The library's distribution of one release of each kind, None where none is planned."""
    step = grid(study)
    # Imported here, for it is an optional extra.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld import common
        from dp_accounting.pld import privacy_loss_distribution as pld

        kinds: list[Any] = [None, None, None]
        if study.plan_counts:
            kinds[0] = pld.from_laplace_mechanism(1 / study.plan_count_epsilon, value_discretization_interval=step)
        if study.plan_answers:
            # A response is the worst of all ε-DP releases, whoever's neighbours they are.
            guarantee = common.DifferentialPrivacyParameters(study.plan_answer_epsilon, 0.0)
            kinds[1] = pld.from_privacy_parameters(guarantee, step)
        if study.plan_sums:
            kinds[2] = pld.from_gaussian_mechanism(study.plan_multiplier, value_discretization_interval=step)
        return kinds
