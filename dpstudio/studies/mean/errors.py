"""How far an estimate is off: how often by more than a distance, and by how much at most at a level.

About these people, or about the population that they were drawn from, as the study asks; by the law of the answers and
of the noise, and beyond a million people by a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.facts import Said
from dpstudio.core.search import narrowing
from dpstudio.core.sources import H63
from dpstudio.mechanisms.noise import Noise
from dpstudio.studies.kit.counts import EDGE, BinomialCount, CountLaw, SummedCount, beyond, distance_at
from dpstudio.studies.mean.compared import CuratorNoise, Estimate, Randomized
from dpstudio.text.numbers import plain

LAW = 10.0**6
"""Up to so many people a law is added up."""
SMALLEST = 1e-14
"""What is added up and less is said by a bound, for what was left out is no longer nothing beside it."""
SHARES = 0.5 ** np.arange(1, 40)
"""Parts of a distance that a bound leaves to the noise; the sample has the rest."""
BOUNDS = "the least bound of Chebyshev, Hoeffding and Bernstein"
FAINTEST, NEAR = 1e-300, 1e-12
"""Of a probability whose logarithm is taken, and of a distance that is sought."""


def exceeds(one: Estimate) -> Said:
    """Pr[|error| > x], x as the study asks for."""
    x = one.study.error_beyond
    if isinstance(one, Randomized):
        scale = one.study.people * one.response.difference
        law = _answers(one)
        found = beyond(law, x * scale) if law else 0.0
        how = f"Pr[|answers yes − their mean| > x n tanh(ε/2)] {_about(one)}, x = {plain(x)}, n = {{people}}"
        if law is not None and (found >= SMALLEST or isinstance(law, BinomialCount)):
            return Said(found, how)
        return Said(min(_bounded(one, x), 1.0), f"{BOUNDS} on {how}", H63, "bound")
    assert isinstance(one, CuratorNoise)
    tail, exact = _tail(one)
    return Said(min(tail(x), 1.0), f"Pr[|error| > x] {_about(one)}, of the noise{_and_sample(one)}, x = {plain(x)}, "
                f"n = {{people}}", kind="exact" if exact else "bound")


def at_level(one: Estimate) -> Said:
    """The least e with Pr[|error| ≤ e] at the level or above."""
    level, n = one.study.error_level, one.study.people
    if isinstance(one, Randomized):
        law = _answers(one)
        how = f"the least e with Pr[|error| ≤ e] ≥ {plain(level)} {_about(one)}, of {{people}} answers"
        if law is not None:
            return Said(distance_at(law, level) / n / one.response.difference, how)
        return Said(_bounded_at(one, level), f"{BOUNDS} on {how}", H63, "bound")
    assert isinstance(one, CuratorNoise)
    how = (f"the least e with Pr[|error| ≤ e] ≥ {plain(level)} {_about(one)}, of the noise{_and_sample(one)}, "
           "n = {people}")
    if not _of_population(one):
        return Said(float(one.noise.error_quantile(level)) / n, how)
    tail, exact = _tail(one)
    found = _least(tail, 1 - level, _far(one, level))
    if one.noise.is_whole:  # whose tails count what lies on a distance, but for a rounding, as within
        found = _whole(found * n, _sample(one).mean) / n if exact else found + 2 * EDGE / n
    return Said(found, how, kind="exact" if exact else "bound")


def _of_population(one: Estimate) -> bool:
    return one.study.about == "population"


def _about(one: Estimate) -> str:
    return "about the population" if _of_population(one) else "about these people"


def _and_sample(one: Estimate) -> str:
    return " and the sample" if _of_population(one) else ""


# Answers of everybody

def _answers(one: Randomized) -> CountLaw | None:
    """The law of the answers “yes”, of whoever was drawn or of these very people; None of too many."""
    n, share, response = float(one.study.people), one.study.fraction, one.response
    if _of_population(one):
        yes = float(response.answer_probability(share))
        return BinomialCount(n, yes, float(response.answer_probability(1 - share)))
    if n > LAW:
        return None
    yeses = float(round(share * n))
    return SummedCount(BinomialCount(yeses, response.yes_if_yes, response.no_if_yes),
                       BinomialCount(n - yeses, response.yes_if_no, response.no_if_no))


def _bounded(one: Randomized, x: float) -> float:
    """v/t², 2 exp(−2t²/n) and 2 exp(−t²/(2v + 2t/3)), t = x n d, v = n p q: of n answers about their own mean."""
    n, response = float(one.study.people), one.response
    t, variance = x * n * response.difference, n * response.yes_if_yes * response.yes_if_no
    if t == 0:
        return 1.0
    return min(variance / t / t, 2 * math.exp(-max(2 * t * t / n, t * t / (2 * variance + 2 * t / 3))))


def _bounded_at(one: Randomized, level: float) -> float:
    """The distance at which the smallest of them is 1 − level."""
    n, response, log = float(one.study.people), one.response, math.log(2 / (1 - level))
    most, variance = log / 3, n * response.yes_if_yes * response.yes_if_no
    found = (math.sqrt(variance / (1 - level)), math.sqrt(log * n / 2),
             most + math.sqrt(most * most + 2 * log * variance))
    return min(found) / n / response.difference


# Noise of a curator

def _above(noise: Noise, y: npt.ArrayLike) -> Array:
    """Pr[X > y]."""
    return np.asarray(noise.tail(np.floor(np.asarray(y) + EDGE) + 1 if noise.is_whole else y))


def _tail(one: CuratorNoise) -> tuple[Callable[[float], float], bool]:
    """Pr[|error| > x] as a function of x, and whether it is exact."""
    n, noise = float(one.study.people), one.noise
    if not _of_population(one):
        return lambda x: 2 * float(_above(noise, x * n)), True
    sample = _sample(one)
    if n > LAW:
        def bound(x: float) -> float:
            off, noisy = x * n * (1 - SHARES), 2 * _above(noise, x * n * SHARES)
            return float((sample.outside(np.ceil(sample.mean - off - EDGE), np.floor(sample.mean + off + EDGE))
                          + noisy).min())

        return bound, False
    count, mass = sample.mass
    off = count - sample.mean
    return lambda x: float(mass @ (_above(noise, x * n - off) + _above(noise, x * n + off))), True


def _sample(one: Estimate) -> BinomialCount:
    """How many of the people who were drawn have a yes."""
    share = one.study.fraction
    return BinomialCount(float(one.study.people), share, 1 - share)


def _far(one: CuratorNoise, level: float) -> float:
    """A distance that is exceeded less often than 1 − level, whatever noise and sample have to do with each other."""
    half = (1 + level) / 2
    return 2 * max(float(one.noise.error_quantile(half)), distance_at(_sample(one), half), 1.0) / one.study.people


def _least(tail: Callable[[float], float], most: float, far: float) -> float:
    """The least distance that is exceeded with no more than that probability, to 1e-12 and not below."""
    if tail(0.0) <= most:
        return 0.0
    near = far
    while tail(near := near / 2) <= most:
        far = near
    for low, high in narrowing(lambda x: math.log(max(tail(x), FAINTEST) / most), near, far):
        if high - low <= NEAR * high:
            break
    return high


def _whole(distance: float, mean: float) -> float:
    """A distance of a whole number from a mean, found to a rounding: that of the number itself."""
    at = [abs(round(mean + side * distance) - mean) for side in (-1, 1)]
    return min(at, key=lambda each: abs(each - distance))
