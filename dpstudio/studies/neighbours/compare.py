"""The databases and the noises that the study compares, built from its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.core.sampling import generator
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise
from dpstudio.models.clamping import CountError, CountNoise, count_error, processed
from dpstudio.models.histograms import Counts, Relation, added, histogram, removed, replaced
from dpstudio.studies.neighbours.figures import GEOMETRIC, LAPLACE

if TYPE_CHECKING:
    from dpstudio.studies.neighbours import Neighbours as Study

KINDS = 5
_RELEASE = (3, 0)
"""Place of the release that is shown among the streams of a seed."""


@dataclass(frozen=True, eq=False)
class Compared:
    """A database, its neighbour, and what is added to its counts."""

    x: Counts
    y: Counts
    relation: Relation
    step: int
    """How far neighbours lie apart in ℓ₁ at most."""
    noises: dict[Series, CountNoise]

    @property
    def empty(self) -> bool:
        return not self.x.any()


def compared(study: Study) -> Compared:
    """y is x itself where there is no record to take away."""
    x = histogram(study.cells)
    if study.change != "add" and not x[study.kind - 1]:
        y = x
    elif study.change == "add":
        y = added(x, study.kind)
    elif study.change == "remove":
        y = removed(x, study.kind)
    else:
        y = replaced(x, study.kind, study.kind_by)
    step = 2 if study.change == "swap" else 1
    noises: dict[Series, CountNoise] = {LAPLACE: LaplaceNoise.calibrate(study.epsilon, step),
                                        GEOMETRIC: GeometricNoise(study.epsilon, step)}
    return Compared(x, y, "replace" if study.change == "swap" else "add or remove", step, noises)


def draw(seed: int, noise: CountNoise) -> Array:
    """The noise of the release that is shown, the first of this seed."""
    return np.asarray(noise.sample(KINDS, generator(seed, *_RELEASE)), dtype=np.float64)


def released(study: Study, x: Counts, noise: Array) -> Array:
    return processed(x + noise, clamped=study.clamped, rounded=study.rounded)


def loss(both: Compared, study: Study, noise: Array) -> float:
    """ln p(r|x)/p(r|y) of noisy counts r: Σ (|rᵢ − yᵢ| − |rᵢ − xᵢ|) ε/Δ₁."""
    moved = np.abs(both.x + noise - both.y) - np.abs(noise)
    # Rounding must not carry it past ε, which it cannot exceed.
    limit = float(np.abs(both.x - both.y).sum())
    return float(np.clip(moved.sum(), -limit, limit)) * study.epsilon / both.step


def error(study: Study, noise: CountNoise, count: Array | Counts) -> CountError:
    return count_error(noise, count, clamped=study.clamped, rounded=study.rounded)
