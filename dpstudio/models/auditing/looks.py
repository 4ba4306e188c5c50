"""When a certificate is made as draws stream in, and how much error each look may have.

At a look after N draws the first N/2 have chosen the event and the other N/2 certify it, so no look ever certifies with
draws that it chose by. The last look may fail with half of the error allowed, the k-th of those before it with
1/(k(k+1)) of the other half. All looks hold together with the confidence stated, however dependent they are
(Bonferroni), and so does the best of them: one may stop at any look, and keep the largest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpstudio.core.sampling import chunks
from dpstudio.models.auditing.cells import Cells, Counts
from dpstudio.models.auditing.certificate import Certified, Chosen, certify, choose

FIRST = 1250
"""Draws at the first look."""


@dataclass(frozen=True, slots=True)
class Look:
    """A certificate made after so many draws on each neighbour."""

    draws: int
    error: float
    """The probability with which this one look may fail."""
    chosen: Chosen
    certified: Certified
    certifying: Counts
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


def stream(cells: Cells, claim: tuple[float, float], confidence: float, seed: int,
           trials: int) -> Iterator[tuple[int, Look | None]]:
    """How many draws are done, after every chunk, and a look wherever one is due."""
    times = look_times(trials)
    stops = sorted({*times, *(time // 2 for time in times)})
    counts: Counts = np.zeros((2, cells.number), dtype=np.int64)
    kept: dict[int, Counts] = {}
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


def _look(cells: Cells, claim: tuple[float, float], draws: int, error: float, kept: dict[int, Counts]) -> Look:
    first = draws // 2
    choosing, certifying = kept[first], kept[draws] - kept[first]
    chosen = choose(cells.gathered(choosing) / first, draws - first, claim, error / 2)
    certified = certify(cells.gathered(certifying), draws - first, chosen, claim, error)
    return Look(draws, error, chosen, certified, certifying, draws - first)
