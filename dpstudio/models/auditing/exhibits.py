"""Samplers with published defects, to see an audit catch them, beside two without any.

Each draws on a dataset (neighbour 0) and on its neighbour (1), and claims ε and δ that it does not keep.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.sampling import generator
from dpstudio.core.sources import DVGM22, GRS12, LSL17, MIRONOV12, Source
from dpstudio.mechanisms.noise import GeometricNoise, SnappedLaplace
from dpstudio.mechanisms.noise.doubles import laplace_in_doubles
from dpstudio.models.auditing.own import OutcomePair
from dpstudio.models.auditing.subject import PublishedGroup
from dpstudio.records import dataclass

_QUERIES = 40
"""Questions of each half of those that a watch is asked."""

Sampler = Callable[[int, int, np.random.Generator], Array]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A sampler at ε = 1, what it claims, and what is wrong with it."""

    title: str
    source: Source
    sampler: Sampler
    wrong: str = ""
    """Nothing where it keeps what it claims."""
    delta: float = 0.0
    draws: int = 10_000
    """Outcomes of each dataset with which it is caught."""

    def drawn(self, draws: int, seed: int) -> OutcomePair:
        """So many outcomes of each dataset."""
        first, second = (self.sampler(neighbour, draws, generator(seed, neighbour)) for neighbour in (0, 1))
        return OutcomePair((first, second))


def _floating(neighbour: int, size: int, rng: np.random.Generator) -> Array:
    return laplace_in_doubles(float(neighbour), 1.0, size, rng)


def _snapped(neighbour: int, size: int, rng: np.random.Generator) -> Array:
    return SnappedLaplace(1.0, 2.0**24).sample(float(neighbour), size, rng)


def _halved(neighbour: int, size: int, rng: np.random.Generator) -> Array:
    return neighbour + np.asarray(GeometricNoise(2.0).sample(size, rng), dtype=np.float64)


def _whole(neighbour: int, size: int, rng: np.random.Generator) -> Array:
    return neighbour + np.asarray(GeometricNoise(1.0).sample(size, rng), dtype=np.float64)


def _watched(noise: float) -> Sampler:
    """The “yes” of the first half of the questions less those of the second, without an end after the first “yes”.

    Counts are 0 and the threshold is 0; on the neighbour the first half has 1 and the second −1: one record moves each
    by 1 at most. The threshold has Laplace noise of scale 2, each count one of the scale given.
    """
    def sample(neighbour: int, size: int, rng: np.random.Generator) -> Array:
        threshold = rng.laplace(0.0, 2.0, (size, 1))
        says = [neighbour * sign + noise * rng.laplace(0.0, 1.0, (size, _QUERIES)) >= threshold for sign in (1, -1)]
        return np.asarray(says[0].sum(axis=1) - says[1].sum(axis=1), dtype=np.float64)

    return sample


def _published(neighbour: int, size: int, rng: np.random.Generator) -> Array:
    return PublishedGroup(GeometricNoise(1.0), 0, 1).sample(neighbour, size, rng)


EXHIBITS = {
    "floating_laplace": Exhibit(
        "A count with textbook Laplace noise in doubles", MIRONOV12, _floating,
        "Near 0 a count of 1 leaves the last bits of the noise no room, and a count of 0 does."),
    "half_noise": Exhibit(
        "A count with half of the discrete Laplace noise", GRS12, _halved, "The noise is that of ε = 2."),
    "watch_without_noise": Exhibit(
        "A watch that adds noise to its threshold alone", LSL17, _watched(0.0),
        "Algorithm 5 of the survey: counts have no noise, and there is no end to “yes”."),
    "watch_without_end": Exhibit(
        "A watch that never ends", LSL17, _watched(2.0),
        "Algorithm 6 of the survey: counts have noise, but there is no end to “yes”."),
    "open_threshold": Exhibit(
        "A group that is published from a noisy count of 1 on", DVGM22, _published,
        "A group of one is published more often than not, where δ = 10⁻⁶ is claimed.", delta=1e-6),
    "snapped_laplace": Exhibit("A count with snapped Laplace noise", MIRONOV12, _snapped),
    "whole_noise": Exhibit("A count with discrete Laplace noise", GRS12, _whole),
}
"""By the name on the command line."""
