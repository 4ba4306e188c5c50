"""Choosing one of several candidates by their scores: exponential mechanism, permute-and-flip, noisy maximum.

With the rate η = ε/(2Δ), or ε/Δ where a neighbour moves all scores the same way (`monotone`: counts where records are
added or removed), the exponential mechanism chooses i with a probability in proportion to p_i = e^−η(q* − q_i), as does
the largest of scores with Gumbel noise of scale 1/η; permute-and-flip is the largest with exponential noise, the noisy
maximum here that with Laplace noise. All are ε-DP where one record moves each score by Δ at most, and where the winner
alone is told, not its score.
[McSherry & Talwar 2007; McKenna & Sheldon 2020; Ding, Kifer, Steinke, Wang, Xiao & Zhang 2021 for exponential noise.]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.law import Law
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.mechanisms import ranking
from dpstudio.mechanisms.claims import BoundedRange, Claim
from dpstudio.mechanisms.noise import LaplaceNoise
from dpstudio.vocabulary import EPSILON, EPSILON_OR_ZERO, ERROR_BEYOND, NOISE, PROBABILITY, SENSITIVITY, Choice, variant

_SCORES = variant(NOISE, key="scores")
METHOD = Choice(("exponential", "permute_and_flip", "noisy_max_laplace"))
_SUM = 1e-9
"""So far a sum of probabilities may be from 1."""
_PIECES = np.array([0.0, 2.0, 6.0, 14.0, 30.0, 46.0])
"""Ends of the pieces of ∫ Π(1 − p_j t) dt, in units of 1/Σp: what lies beyond is e^−45 of it."""
_NODES, _WEIGHTS = gauss_legendre(20)
_SMALL, _TERMS = 1 / 16, 13
"""Of p_j t below this the logarithms are power series, to the last digit."""


def exponential(scores: npt.ArrayLike, epsilon: float, sensitivity: float = 1, monotone: bool = False) -> Array:
    """The probability of each candidate under the exponential mechanism, p_i/Σp, in the order of the scores."""
    weights, place, times = _weights(scores, epsilon, sensitivity, monotone)
    return np.asarray((weights / float(weights @ times))[place])


def permute_and_flip(scores: npt.ArrayLike, epsilon: float, sensitivity: float = 1, monotone: bool = False) -> Array:
    """The probability of each candidate under permute-and-flip, p_i ∫₀¹ Π_{j≠i} (1 − p_j t) dt, to 1e-14 relative.

    Candidates are taken in a random order and the first is chosen for which a coin of probability p_i says so.
    [McKenna & Sheldon 2020.]
    """
    weights, place, times = _weights(scores, epsilon, sensitivity, monotone)
    total = float(weights @ times)
    ends = np.unique(np.minimum(_PIECES / total, 1.0))
    t = (ends[:-1, None] + np.diff(ends)[:, None] * _NODES).reshape(-1)
    step = (np.diff(ends)[:, None] * _WEIGHTS).reshape(-1)
    large = weights * ends[-1] >= _SMALL
    rest, many = weights[~large] * ends[-1], times[~large]
    logs = np.log1p(-t[:, None] * weights[large]) @ times[large]
    part, power, powers = t / ends[-1], np.ones(rest.size), np.ones(t.size)
    for k in range(1, _TERMS + 1):
        power, powers = power * rest, powers * part
        logs -= powers * (float(power @ many) / k)
    mass = step * np.exp(logs)
    # Each leaves itself out: 1/(1 − p_i t), as a series where p_i is small.
    found = np.empty(weights.size)
    found[large] = mass @ (1 / (1 - t[:, None] * weights[large]))
    series = np.zeros(rest.size)
    for k in range(_TERMS, -1, -1):
        series = series * rest + float(mass @ part**k)
    found[~large] = series
    return np.asarray(np.minimum(weights * found, 1.0)[place])


def noisy_max_laplace(scores: npt.ArrayLike, epsilon: float, sensitivity: float = 1, monotone: bool = False) -> Array:
    """The probability of each candidate to have the largest score with Laplace noise of scale 1/η, to 1e-12 relative.

    [Dwork & Roth 2014, Claim 3.9.]
    """
    given, rate = _given(scores, epsilon, sensitivity, monotone)
    # The scores of rate 1, so that no rate is too small or too large for a scale.
    return ranking.winning(LaplaceNoise(1.0), -_apart(given, rate))


def regret(scores: npt.ArrayLike, probabilities: npt.ArrayLike) -> float:
    """Σ P_i (q* − q_i): how much less than the highest score is chosen on average."""
    missed, chances = _chosen(scores, probabilities)
    return float(chances[chances > 0] @ missed[chances > 0])


def within(scores: npt.ArrayLike, probabilities: npt.ArrayLike, gap: npt.ArrayLike) -> float | Array:
    """The probability that the score that is chosen is the highest one less `gap` ≥ 0 at most; of any shape."""
    missed, chances = _chosen(scores, probabilities)
    order = np.argsort(missed, kind="stable")
    reached = np.append(0.0, np.cumsum(chances[order]))
    allowed = numbers_in(gap, ERROR_BEYOND, "gap")
    return shaped(np.minimum(reached[np.searchsorted(missed[order], allowed, side="right")], 1.0))


def by_rank(scores: npt.ArrayLike, probabilities: npt.ArrayLike) -> Array:
    """The probability that the highest score is chosen, the second highest …; equal scores in the order given."""
    missed, chances = _chosen(scores, probabilities)
    return np.asarray(chances[np.argsort(missed, kind="stable")])


def sample(probabilities: npt.ArrayLike, size: int | tuple[int, ...] | None, rng: np.random.Generator
           ) -> npt.NDArray[np.int64] | int:
    """The places of candidates chosen with these probabilities, of the shape `size`, one place for None.

    The generator's doubles serve for exploring; a choice from real data needs a sampler without their gaps.
    """
    chances = _chosen(np.zeros(np.size(probabilities)), probabilities)[1]
    reached = np.cumsum(chances)
    drawn = np.searchsorted(reached, rng.random(size) * reached[-1], side="right")
    return int(drawn) if size is None else np.minimum(drawn, chances.size - 1)


def rho(method: str, epsilon: npt.ArrayLike) -> float | Array:
    """The ρ of zero-concentrated differential privacy that a choice with that ε in [0, ∞) keeps, of any shape.

    ε²/8 for the exponential mechanism, whose losses have range ε; for the others no more is known than of any pure ε,
    ε tanh(ε/2), which randomized response attains. [Cesar & Rogers 2021, for ε²/8; Bun & Steinke 2016.]
    """
    e = numbers_in(epsilon, EPSILON_OR_ZERO, "epsilon")
    with np.errstate(over="ignore"):
        return shaped(np.asarray(e * e / 8 if _method(method) == "exponential" else e * np.tanh(e / 2)))


def law(method: str, epsilon: float) -> Law:
    """What a choice with that ε gives away at most: range ε of the exponential mechanism, of the others ε alone."""
    e = parameter_value(EPSILON_OR_ZERO, epsilon)
    return BoundedRange(e) if _method(method) == "exponential" else Claim(e, 0.0)


def _method(method: object) -> str:
    if method not in METHOD.options:
        raise InvalidParameter("method", METHOD, method)
    return str(method)


def _given(scores: npt.ArrayLike, epsilon: float, sensitivity: float, monotone: bool) -> tuple[Array, float]:
    """Scores as a vector, and η."""
    given = numbers_in(scores, _SCORES, "scores")
    if given.ndim != 1 or not given.size:
        raise InvalidParameter("scores", "a list of numbers", scores)
    if not isinstance(monotone, bool | np.bool_):
        raise InvalidParameter("monotone", "True or False", monotone)
    rate = parameter_value(EPSILON, epsilon) / parameter_value(SENSITIVITY, sensitivity, "sensitivity")
    return given, rate if monotone else rate / 2


def _apart(given: Array, rate: float) -> Array:
    """η (q* − q) of each score; 0 for the highest, whatever η is."""
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = given.max() - given
        return np.minimum(np.where(gaps > 0, gaps * rate, 0.0), 1e300)


def _weights(scores: npt.ArrayLike, epsilon: float, sensitivity: float, monotone: bool
             ) -> tuple[Array, npt.NDArray[np.intp], Array]:
    """p of each different score, which of them each candidate has, and how many have it."""
    given, rate = _given(scores, epsilon, sensitivity, monotone)
    different, place, times = np.unique(given, return_inverse=True, return_counts=True)
    return np.exp(-_apart(different, rate)), place.reshape(-1), times.astype(np.float64)


def _chosen(scores: npt.ArrayLike, probabilities: npt.ArrayLike) -> tuple[Array, Array]:
    """How far each score is below the highest, and the probabilities, of the same length and with sum 1."""
    given, chances = numbers_in(scores, _SCORES, "scores"), numbers_in(probabilities, PROBABILITY, "probabilities")
    if given.ndim != 1 or not given.size:
        raise InvalidParameter("scores", "a list of numbers", scores)
    if chances.shape != given.shape or abs(float(chances.sum()) - 1) > _SUM:
        raise InvalidParameter("probabilities", f"{given.size} numbers with sum 1", probabilities)
    with np.errstate(over="ignore"):
        return given.max() - given, chances
