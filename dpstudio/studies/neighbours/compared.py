"""What the neighbours study compares: noises on the counts of a pair of neighbours."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.sampling import generator
from dpstudio.mechanisms.noise import Noise
from dpstudio.models.clamping import CountError, count_error, processed
from dpstudio.models.histograms import (
    Counts,
    Neighbouring,
    added,
    histogram,
    removed,
    replaced,
)
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import neighbours as f
from dpstudio.studies.kit.compared import promised_by

KINDS = 5
RELEASE = 3, 0
"""The place of the release that is shown among the streams of a seed."""


@dataclass(frozen=True)
class Pair:
    """A database and one of its neighbours."""

    x: Counts
    y: Counts
    relation: Neighbouring

    @property
    def empty(self) -> bool:
        return not self.x.any()

    @property
    def public(self) -> bool:
        """Where records are replaced their number is public, and noise may be scaled to it."""
        return self.relation == "replace" and not self.empty


def pair_of(study: f.Neighbours) -> Pair:
    """x and y; y is x itself where there is no record to take away."""
    return _pair(study.cells, study.change, study.kind, study.kind_by)


@lru_cache(maxsize=4)
def _pair(cells: tuple[int, ...], change: str, kind: int, kind_by: int) -> Pair:
    # Kept from answer to answer: it stays while a hand moves ε.
    x = histogram(cells)
    if change == "add":
        y = added(x, kind)
    elif not x[kind - 1]:
        y = x
    else:
        y = removed(x, kind) if change == "remove" else replaced(x, kind, kind_by)
    return Pair(x, y, "replace" if change == "swap" else "add or remove")


@dataclass(frozen=True)
class Noised:
    """What is added to the counts of a database, with what several of its facts need."""

    study: f.Neighbours
    noise: Noise
    raw_error: str
    """The formula of the error of all counts, not post-processed."""
    bias: str

    @property
    def guarantee(self) -> Guarantee:
        """What the noisy histogram promises of one record; all of the move in one count is the worst of moves."""
        step = self.study.step
        return promised_by(self.noise, step, self.study.relation, self.study.epsilon,
                           kind="exact" if step == 1 else "bound")

    @property
    def pair(self) -> Pair:
        """The database and its neighbour."""
        return pair_of(self.study)

    @cached_property
    def error(self) -> CountError:
        """Of every count of x, post-processed."""
        return self.error_at(self.pair.x)

    @cached_property
    def raw(self) -> CountError:
        """Of every count of x, as the noise leaves it."""
        return count_error(self.noise, self.pair.x, clamped=False)

    @property
    def variance(self) -> Array:
        """Of |e| of every count of x, post-processed."""
        return np.maximum(self.error.square - self.error.mean * self.error.mean, 0.0)

    @cached_property
    def shown(self) -> Array:
        """The noise of the release that is shown, the first of this seed."""
        return np.asarray(self.noise.sample(KINDS, generator(self.study.seed, *RELEASE)), dtype=np.float64)

    @property
    def loss(self) -> float:
        """ln p(r|x)/p(r|y) of the noisy counts r that are shown: Σ (|rᵢ − yᵢ| − |rᵢ − xᵢ|) ε/Δ₁."""
        x, y = self.pair.x, self.pair.y
        moved = np.abs(x + self.shown - y) - np.abs(self.shown)
        # Rounding must not carry it past ε, which it cannot exceed.
        limit = float(np.abs(x - y).sum())
        return float(np.clip(moved.sum(), -limit, limit)) * self.study.epsilon / self.study.step

    def released(self, noise: Array) -> Array:
        """The counts of x with this noise, post-processed."""
        return processed(self.pair.x + noise, clamped=self.study.clamped, rounded=self.study.rounded)

    def error_at(self, count: Array | Counts) -> CountError:
        """Of true counts of any shape, post-processed."""
        return count_error(self.noise, count, clamped=self.study.clamped, rounded=self.study.rounded)
