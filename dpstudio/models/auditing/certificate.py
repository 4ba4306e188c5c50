"""From counts to a certified lower bound on ε, how many draws one takes, and when one is made as draws stream in.

An event S and a direction are chosen on some draws; on others it is counted on both neighbours. With p ≥ p₋ and q ≤ q₊
by Clopper and Pearson's intervals, each at half of the error allowed,

    ε ≥ ln((p₋ − δ)/q₊)   and   δ ≥ p₋ − e^ε q₊

hold together, for (ε, δ)-DP says p ≤ e^ε q + δ. [Dwork & Roth 2014, Definition 2.4; Ding et al. 2018; Jagielski, Ullman
& Oprea 2020, section 3.]

At a look after N draws the first N/2 have chosen the event and the other N/2 certify it, so no look ever certifies with
draws that it chose by. The last look may fail with half of the error allowed, the k-th of those before it with
1/(k(k+1)) of the other half. All looks hold together with the confidence stated, however dependent they are
(Bonferroni), and so does the best of them: one may stop at any look, and keep the largest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import betainccinv, betaincinv, ndtri

from dpstudio.core.declare import Array
from dpstudio.core.sampling import chunks
from dpstudio.models.auditing.cells import CellCounts, OutcomeCells
from dpstudio.records import dataclass

_MOST = 100.0
MOST_DRAWS = 2.0 ** (_MOST + 1)
"""More draws than this are not counted."""
_COUNTED = 32.0
"""log₂ of the draws up to which exact bounds are asked for; beyond, Wilson’s are as good."""
_ANGLES = np.linspace(0.0, math.pi / 2, 7)
"""How bad luck is shared out between the two counts."""
_LESS_UNLUCKY, _UNLUCKY, _MORE_UNLUCKY = 0.6745, 1.2816, 3.0
"""Standard deviations that counts are off by in one audit out of four, one out of ten, and hardly any."""
_CAUTION = 0.01
"""Events are chosen with so small a part of the error, lest one of the many rare ones win by luck."""
_CLOSE = 1e-3
"""log₂ of the draws is found so closely."""
_SHARE = 0.9
"""Draws are said to be enough once the expected certificate is this part of the truth, if the claim is true."""


@dataclass(frozen=True, slots=True)
class ChosenEvents:
    """Events with their directions, arrays of one shape."""

    event: npt.NDArray[np.intp]
    against: npt.NDArray[np.intp]
    """0 where the event speaks for the record (P is at n + 1), 1 where it speaks against it."""


def score_bounds(p: Array, draws: float, error: float) -> tuple[Array, Array]:
    """Wilson's (1927) one-sided bounds on probabilities whose estimates are p, in closed form: to choose by, not to
    certify."""
    z = -float(ndtri(error))
    centre = p + z * z / (2 * draws)
    half = z * np.sqrt(p * (1 - p) / draws + (z / (2 * draws)) ** 2)
    scale = 1 + z * z / draws
    return np.maximum(centre - half, 0.0) / scale, np.minimum((centre + half) / scale, 1.0)


def exact_bounds(k: npt.ArrayLike, draws: float, error: float) -> tuple[Array, Array]:
    """Clopper and Pearson's one-sided bounds, each wrong with probability `error` at most; k need not be whole."""
    return exact_low(k, draws, error), exact_high(k, draws, error)


def exact_low(k: npt.ArrayLike, draws: float, error: float) -> Array:
    """The lower one of `exact_bounds`."""
    k = np.asarray(k, dtype=np.float64)
    return np.where(k > 0, betaincinv(np.maximum(k, 1e-9), draws - k + 1, error), 0.0)


def exact_high(k: npt.ArrayLike, draws: float, error: float) -> Array:
    """The upper one of `exact_bounds`."""
    k = np.asarray(k, dtype=np.float64)
    # By the complement’s own inverse: 1 − a double would leave no digits of a bound of 1e-9.
    return np.where(k < draws, betainccinv(k + 1, np.maximum(draws - k, 1e-9), error), 1.0)


def epsilon_of(low: Array, high: Array, delta: float) -> Array:
    """ln((p₋ − δ)/q₊), −∞ where p₋ ≤ δ."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(low - delta, 0.0)) - np.log(high))


def choose(p: Array, draws: float, claim: tuple[float, float], error: float) -> ChosenEvents:
    """The event and direction that promise the best certificate from as many further draws.

    p holds the shares of each event, of shape (…, 2, events), n records first.
    """
    return _best(_scores(p, draws, claim, error * _CAUTION))


def _best(scores: Array) -> ChosenEvents:
    best = scores.reshape(*scores.shape[:-2], -1).argmax(axis=-1)
    return ChosenEvents(best % scores.shape[-1], best // scores.shape[-1])


def _scores(p: Array, draws: float, claim: tuple[float, float], error: float) -> Array:
    """The ε that an event promises to certify or, where that is none, a negative number that rises with its δ."""
    low, high = score_bounds(p, draws, error)
    low = low[..., ::-1, :]
    epsilon = epsilon_of(low, high, claim[1])
    return np.where(epsilon > 0, epsilon, np.maximum(low - math.exp(claim[0]) * high, -1.0) - 2)


@dataclass(frozen=True, slots=True)
class Certified:
    """What the counts of one event prove; every array has the shape of the choice."""

    low: Array
    """Lower and upper bounds on the event's probability, the last axis being n and n + 1 records."""
    high: Array
    share: Array
    epsilon: Array
    """A lower bound on ε, 0 where nothing is proved."""
    delta: Array
    """A lower bound on the δ that goes with the claimed ε, 0 where nothing is proved."""


def certify(counts: CellCounts, draws: int, chosen: ChosenEvents, claim: tuple[float, float], error: float
            ) -> Certified:
    """The certificate from counts of events on draws that had no part in the choice, of shape (…, 2, events).

    It fails with probability `error` at most, half of it at either neighbour.
    """
    at = np.asarray(chosen.event)[..., None, None]
    k = np.take_along_axis(counts, np.broadcast_to(at, (*counts.shape[:-1], 1)), axis=-1)[..., 0]
    low, high = exact_bounds(k, draws, error / 2)
    forwards = np.asarray(chosen.against) == 0
    p, q = np.where(forwards, low[..., 1], low[..., 0]), np.where(forwards, high[..., 0], high[..., 1])
    epsilon = np.maximum(epsilon_of(p, q, claim[1]), 0.0)
    delta = np.maximum(p - math.exp(claim[0]) * q, 0.0)
    return Certified(low, high, k / draws, epsilon, delta)


@dataclass(frozen=True, slots=True)
class Needed:
    """Draws on each neighbour, half of them to choose and half to certify, with which nine audits in ten succeed."""

    draws: float
    """∞ where there is nothing to find, or where no number up to `MOST_DRAWS` will do."""
    low: float
    high: float


def draws_needed(cells: OutcomeCells, claim: tuple[float, float], error: float) -> Needed:
    """How many draws it takes to break the claim, if it is false, and else to certify 90 % of the ε that the pair has.

    Counts of the event that expected counts would choose, as far off as in one audit out of ten, take the place of
    random ones. The interval is what counts of 0.67 and of 3 standard deviations would ask for instead: what is left
    out, the chance in the choice, asks for more.
    """
    truth = cells.exactly.epsilon(claim[1])
    if truth <= 0:
        return Needed(math.inf, math.inf, math.inf)
    goal = claim[0] if is_false(cells, claim) else _SHARE * truth
    middle = _least(lambda log: _certified(cells, claim, error, log, _UNLUCKY) - goal, 0.0, _MOST)
    if math.isinf(middle):
        return Needed(math.inf, math.inf, math.inf)
    low, high = (_least(lambda log, luck=luck: _certified(cells, claim, error, log, luck) - goal,  # type: ignore[misc]
                        max(middle + least, 0.0), middle + most)
                 for luck, least, most in ((_LESS_UNLUCKY, -2.0, 0.0), (_MORE_UNLUCKY, 0.0, 4.0)))
    return Needed(*(float(math.ceil(2.0 ** (log + 1))) for log in (middle, low, min(high, middle + 4.0))))


def _certified(cells: OutcomeCells, claim: tuple[float, float], error: float, log: float, luck: float) -> float:
    """The ε that 2^log certifying draws prove whose counts are off by so many standard deviations in all.

    Of all ways to share the bad luck out between both neighbours it is the one that proves the least.
    """
    draws = 2.0**log
    best = choose(cells.law, draws, claim, error / 2)
    event, against = int(best.event), int(best.against)
    p, q = cells.law[1 - against, event], cells.law[against, event]
    fewer = np.maximum(p - luck * np.cos(_ANGLES) * math.sqrt(p * (1 - p) / draws), 0.0)
    more = np.minimum(q + luck * np.sin(_ANGLES) * math.sqrt(q * (1 - q) / draws), 1.0)
    if log > _COUNTED:
        low, high = score_bounds(fewer, draws, error / 2)[0], score_bounds(more, draws, error / 2)[1]
    else:
        low, high = exact_low(fewer * draws, draws, error / 2), exact_high(more * draws, draws, error / 2)
    return float(epsilon_of(low, high, claim[1]).min())


def is_false(cells: OutcomeCells, claim: tuple[float, float]) -> bool:
    """Whether this pair breaks the claim, by the exact law; rounding breaks nothing."""
    log = math.log(claim[1]) if claim[1] else -math.inf
    return (cells.exactly.epsilon(claim[1]) > claim[0] * (1 + 1e-9)
            and cells.exactly.log_delta(claim[0]) > log + 1e-9)


def _least(excess: Callable[[float], float], low: float, high: float) -> float:
    """The least log₂ of a number of draws from which on there is an excess, ∞ where there is none at the most.

    By false position with the Illinois rule and steps that grow; by halves as long as the lower end is −∞.
    """
    above = excess(high)
    if not above > 0:
        return math.inf
    below, side, reach = -math.inf, 0, _CLOSE / 2
    while (width := high - low) > _CLOSE:
        share = below / (below - above) if below > -math.inf else 0.5
        least = min(reach, width / 2)
        middle = min(max(low + share * width, low + least), high - least)
        found = excess(middle)
        now = 1 if found > 0 else -1
        # An end that stays counts for less, and the next step from the other one is longer.
        stays, reach = now == side, 2 * reach if now == side else _CLOSE / 2
        if found > 0:
            high, above, below = middle, found, below / 2 if stays else below
        else:
            low, below, above = middle, found, above / 2 if stays else above
        side = now
    return high


FIRST = 1250
"""Draws at the first look."""


@dataclass(frozen=True, slots=True)
class Look:
    """A certificate made after so many draws on each neighbour."""

    draws: int
    error: float
    """The probability with which this one look may fail."""
    chosen: ChosenEvents
    certified: Certified
    certifying: CellCounts
    """Counts of the cells in the draws that certify, of shape (2, cells)."""
    half: int
    """How many those are."""


def look_times(trials: int) -> list[int]:
    """Numbers of draws at which to look: two for each doubling, and the last."""
    times, step = [], FIRST
    while step < trials:
        times += [time for time in (step, step // 2 * 3) if time < trials]
        step *= 2
    return [*times, trials] if trials >= 2 else []


def look_error(place: int, trials: int, draws: int, error: float) -> float:
    """The error of the look at that place, counted from 1."""
    return error / 2 if draws == trials else error / 2 / (place * (place + 1))


def stream(cells: OutcomeCells, claim: tuple[float, float], confidence: float, seed: int,
           trials: int) -> Iterator[tuple[int, Look | None]]:
    """How many draws are done, after every chunk, and a look wherever one is due."""
    times = look_times(trials)
    stops = sorted({*times, *(time // 2 for time in times)})
    counts: CellCounts = np.zeros((2, cells.number), dtype=np.int64)
    kept: dict[int, CellCounts] = {}
    start = 0
    for rng, size in chunks(seed, trials):
        places = [cells.drawn(neighbour, size, rng) for neighbour in (0, 1)]
        end = start + size
        here = [stop for stop in stops if start < stop <= end]
        for low, high in pairwise([start, *here, end]):
            counts = counts + np.stack([np.bincount(place[low - start : high - start], minlength=cells.number)
                                        for place in places])
            kept[high] = counts
            if high in times and high > low:
                place = times.index(high) + 1
                yield high, _look(cells, claim, high, look_error(place, trials, high, 1 - confidence), kept)
        kept = {stop: each for stop, each in kept.items() if stop in stops and 2 * stop + 1 >= end}
        if end not in times:
            yield end, None
        start = end


def _look(cells: OutcomeCells, claim: tuple[float, float], draws: int, error: float, kept: dict[int, CellCounts]
          ) -> Look:
    first = draws // 2
    choosing, certifying = kept[first], kept[draws] - kept[first]
    chosen = choose(cells.gathered(choosing) / first, draws - first, claim, error / 2)
    certified = certify(cells.gathered(certifying), draws - first, chosen, claim, error)
    return Look(draws, error, chosen, certified, certifying, draws - first)
