"""What guarantees come to together: several releases, groups of records, and an attacker's two errors."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array
from dpstudio.mechanisms.accounting import subsampled as subsampled
from dpstudio.mechanisms.accounting import zcdp as zcdp
from dpstudio.mechanisms.claims import trade_off as trade_off
from dpstudio.mechanisms.decision import GeneralizedDecision
from dpstudio.mechanisms.mechanism import INSIDE_DELTA
from dpstudio.mechanisms.noise.profile import smallest_epsilon, smallest_epsilon_of_one
from dpstudio.mechanisms.releases import Together as Together
from dpstudio.mechanisms.releases import WorstReleases as WorstReleases
from dpstudio.mechanisms.releases import repeated as repeated
from dpstudio.mechanisms.releases import responses as responses
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.vocabulary import reals, variant

EpsilonDelta = tuple[float | Array, float | Array]

_POSITIVE_ALLOWANCE = variant(v.ALLOWANCE, domain=reals(0, 1, open="low"))


def basic(epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike = 1) -> EpsilonDelta:
    """(kε, kδ); for a sequence of unlike steps the sums over it, k times. [Theoretical background on Differential
    Privacy, "Standard composition".]

    A single δ is that of every step. k may be of any shape; a sum that no double holds is ∞.
    """
    e, d = np.broadcast_arrays(numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(delta, v.DELTA))
    times = numbers_in(k, v.RELEASES, "k")
    try:
        of_all = math.fsum(e.flat)
    except OverflowError:
        of_all = math.inf
    with np.errstate(over="ignore"):
        return shaped(np.asarray(times * of_all)), shaped(np.asarray(times * math.fsum(d.flat)))


def advanced(epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike, slack: npt.ArrayLike) -> EpsilonDelta:
    """(ε √(2k ln(1/δ′)) + kε (e^ε − 1), kδ + δ′) with slack δ′ in (0, 1], literally: basic may well be less.

    [Dwork, Rothblum & Vadhan 2010, Theorem III.3; Dwork & Roth 2014, Theorem 3.20.]
    """
    e, d, times = numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(delta, v.DELTA), numbers_in(k, v.RELEASES, "k")
    given = numbers_in(slack, _POSITIVE_ALLOWANCE, "slack")
    with np.errstate(over="ignore"):
        total = e * np.sqrt(-2 * times * np.log(given)) + times * e * np.expm1(e)
    return shaped(np.asarray(total)), shaped(np.asarray(times * d + given))


def optimal(epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike, slack: npt.ArrayLike) -> EpsilonDelta:
    """The smallest ε′ for which k (ε, δ)-DP releases are (ε′, δ′)-DP with δ′ ≤ 1 − (1 − δ)^k (1 − slack), and that δ′.

    The worst of such releases behaves as a randomized response that with probability δ tells all, so that
    δ′(ε′) = 1 − (1 − δ)^k (1 − δ of k responses at ε′). [Kairouz, Oh & Viswanath 2015, Theorem 3.3.]
    """
    e, d, times, given = np.broadcast_arrays(
        numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(delta, v.DELTA), numbers_in(k, v.RELEASES, "k"),
        numbers_in(slack, v.ALLOWANCE, "slack"))
    total, spent = np.zeros(e.shape), np.zeros(e.shape)
    for one in np.unique(e):
        same = e == one
        responses = RandomizedResponse.symmetric(float(one))
        with np.errstate(over="ignore"):
            total[same] = responses.epsilon_after(times[same], given[same])
        # Less than the slack only where even ε′ = 0 needs less.
        spent[same] = np.minimum(given[same], responses.delta_after(times[same], 0.0))
    total[d == 1] = 0.0  # what may tell all, at once, is (0, 1)-DP
    with np.errstate(divide="ignore"):
        none = times * np.log1p(-d) + np.log1p(-spent)
    return shaped(total), shaped(np.asarray(-np.expm1(none)))


def simple(epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike, slack: npt.ArrayLike) -> EpsilonDelta:
    """(kε tanh(ε/2) + ε √(2k ln(1/δ′)), 1 − (1 − δ)^k (1 − δ′)) with slack δ′ in (0, 1], literally: basic may be less.

    Never above `advanced` and in closed form. [Kairouz, Oh & Viswanath 2015, Theorem 3.4.]
    """
    return _simple(epsilon, delta, k, slack, lambda _, given: -np.log(given))


def simple_of_small_steps(
    epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike, slack: npt.ArrayLike
) -> EpsilonDelta:
    """`simple` with ln(e + √k ε/δ′) in place of ln(1/δ′), which is less where all steps together are small.

    [Kairouz, Oh & Viswanath 2015, Theorem 3.4.]
    """
    return _simple(epsilon, delta, k, slack, lambda spread, given: np.log(math.e + spread / given))


def _simple(epsilon: npt.ArrayLike, delta: npt.ArrayLike, k: npt.ArrayLike, slack: npt.ArrayLike,
            log: Callable[[Array, Array], Array]) -> EpsilonDelta:
    e, d, times = numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(delta, v.DELTA), numbers_in(k, v.RELEASES, "k")
    given = numbers_in(slack, _POSITIVE_ALLOWANCE, "slack")
    with np.errstate(over="ignore", divide="ignore"):
        total = times * e * np.tanh(e / 2) + e * np.sqrt(2 * times * log(np.sqrt(times) * e, given))
        none = times * np.log1p(-d) + np.log1p(-given)
    return shaped(np.asarray(total)), shaped(np.asarray(-np.expm1(none)))


def gaussian(
    sigma: npt.ArrayLike, sensitivity: npt.ArrayLike, k: npt.ArrayLike, delta: npt.ArrayLike
) -> float | Array:
    """The smallest ε with which k releases with Gaussian noise are (ε, δ)-DP, exactly; δ in (0, 1), of any shapes.

    Together they are one release of √k times the sensitivity. [Dong, Roth & Su 2022, Corollary 2.]
    """
    s, distance = numbers_in(sigma, v.SIGMA), numbers_in(sensitivity, v.SENSITIVITY)
    with np.errstate(over="ignore"):
        mu = np.asarray(np.sqrt(numbers_in(k, v.RELEASES, "k")) * (distance / s))
        allowed = numbers_in(delta, INSIDE_DELTA, "delta")
        if mu.ndim == allowed.ndim == 0:
            return smallest_epsilon_of_one(float(mu), float(allowed))
        return shaped(smallest_epsilon(mu, allowed))


def group(epsilon: float, delta: float, size: npt.ArrayLike) -> EpsilonDelta:
    """The guarantee for datasets that differ in `size` records: (kε, the smallest δ that holds for every mechanism).

    It is what the steepest (ε, δ) curve from 0 reaches in k steps: δ (e^(kε) − 1)/(e^ε − 1) up to its centre, and less
    beyond. [Theoretical background on Differential Privacy, "Group privacy", corrected; Desfontaines, Voss, Gipson &
    Mandayam 2022.]
    """
    records, e = numbers_in(size, v.GROUP_SIZE, "size"), parameter_value(v.EPSILON_OR_ZERO, epsilon)
    curve = GeneralizedDecision(e, delta, 0, 0.0)
    with np.errstate(over="ignore"):
        return shaped(np.asarray(records * e)), curve.accept_probability(records)


def group_as_printed(epsilon: float, delta: float, size: npt.ArrayLike) -> EpsilonDelta:
    """The two δ that are printed for a group: k e^(kε) δ in a text, and kδ in its formula, which is too small.

    [Theoretical background on Differential Privacy, "Group privacy".]
    """
    e, d = parameter_value(v.EPSILON_OR_ZERO, epsilon), parameter_value(v.DELTA, delta)
    k = numbers_in(size, v.GROUP_SIZE, "size")
    with np.errstate(over="ignore", invalid="ignore"):
        text = np.where(d > 0, k * np.exp(k * e) * d, 0.0)
    return shaped(text), shaped(np.asarray(k * d))
