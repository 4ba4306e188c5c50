"""Seeded sampling in chunks: the same numbers in the window, on the command line and in a longer run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from dpstudio.core.declare import Array

CHUNK = 20_000
"""Trials of one chunk. It is part of what a seed means: changing it changes every simulated number."""

UNSEEN = 3.0
"""A 95 % interval of the mean of T draws reaches as far as if this many more had been as extreme as they can be.

By the central limit theorem alone few draws that happen to agree would say that all do. So it holds the mean of any two
values in at least 95.0 % of cases at every T; the worst is a mean of 3/T of the range, for which all may agree.
"""


def chunks(seed: int, trials: int, size: int = CHUNK, stream: tuple[int, ...] = ()
           ) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators and how many trials each one draws; chunk i depends on (seed, i) alone.

    A study's second simulation, whose trials may be dearer, has chunks of its own size and a stream of its own.
    """
    for i in range(-(-trials // size)):
        yield generator(seed, *stream, i), min(size, trials - i * size)


def blocks(seed: int, trials: int, size: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Chunks a few trials at a time: what takes longer to draw can be left between them."""
    for rng, chunk in chunks(seed, trials):
        for start in range(0, chunk, size):
            yield rng, min(size, chunk - start)


def paced(seed: int, trials: int, growth: float, most: int) -> Iterator[tuple[np.random.Generator, int, int, bool]]:
    """Chunks with how many trials are done after each, and whether an update is due then.

    One is due when the trials have grown by a factor, after so many chunks at the most (to cancel takes no longer
    than they do), and at the end.
    """
    done, waited, due = 0, 0, 0.0
    for rng, size in chunks(seed, trials):
        done, waited = done + size, waited + 1
        show = done >= due or waited >= most or done == trials
        if show:
            due, waited = done * growth, 0
        yield rng, size, done, show


def generator(seed: int, *place: int) -> np.random.Generator:
    """A generator for one place in a simulation, which depends on the seed and the place alone."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=place))


def drawn_yes(yes: Array, no: Array, size: int | tuple[int, ...] | None, rng: np.random.Generator
              ) -> npt.NDArray[np.bool_]:
    """Booleans of shape `size`, True with probability `yes`, `no` being its complement to full relative accuracy.

    A uniform of 53 bits is compared with the smaller of both, so a rare one keeps its probability as far as those tell.
    """
    uniform = rng.random(yes.shape if size is None else size)
    return np.asarray(np.where(yes <= no, uniform < yes, uniform >= no), dtype=np.bool_)


def binomial_interval(successes: npt.ArrayLike, trials: int, confidence: float = 0.95) -> tuple[Array, Array]:
    """Clopper–Pearson interval of a probability: it covers with at least the stated confidence.

    low = B⁻¹(α/2; k, n−k+1), high = B⁻¹(1−α/2; k+1, n−k), with 0 and 1 at k = 0 and k = n
    [Clopper & Pearson 1934]. Arrays in, arrays of the same shape out.
    """
    k = np.asarray(successes, dtype=np.float64)
    tail = (1 - confidence) / 2
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), trials - k + 1, tail), 0.0)
    # The upper end through its complement, so that it stays below 1 as exactly as the lower one above 0.
    high = np.where(k < trials, 1 - betaincinv(np.maximum(trials - k, 1), k + 1, tail), 1.0)
    return low, high
