"""Laws of a whole table with noise: one person moves several of its cells, or is in cells whose names are secret."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array
from dpstudio.core.law import ROOM, Law
from dpstudio.core.results import Kind
from dpstudio.mechanisms.cells import ALIKE, deltas
from dpstudio.mechanisms.laws import ByProfile, Shifted, Telling, moved
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.mechanisms.releases import WorstReleases
from dpstudio.models.table.keys import threshold_delta
from dpstudio.records import dataclass
from dpstudio.vocabulary import EPSILON_PRIME

MOST_EXACT = 4
"""With more cells of a person than so many the exact profile of narrow noise takes too long for a hand that moves."""
MOST_LOSSES = 40
"""The same of losses of Laplace noise."""
_HALVINGS = 40
_SAFE = 1 + 2.0**-40


@dataclass(frozen=True)
class CellsProfile:
    """δ(ε) of so many cells at once, each with the noise and moved by 1: the largest of all numbers of cells up to it.
    """

    noise: Noise
    cells: int

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε); ε is in [0, ∞), of any shape."""
        at = numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        rows = np.broadcast_to(at.reshape(1, -1), (self.cells + 1, at.size))
        return shaped(np.asarray(deltas(self.noise, rows).max(axis=0).reshape(at.shape)))


@dataclass(frozen=True)
class KeyedProfile:
    """δ(ε) of a person in so many cells with secret names, which are shown from a threshold on, exactly."""

    noise: Noise
    threshold: float
    cells: int

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) as `threshold_delta` has it; ε is in [0, ∞), of any shape."""
        return threshold_delta(self.noise, self.threshold, epsilon, self.cells)


def least_noise(kind: type[Noise], epsilon: float, delta: float, cells: int, most: int) -> Noise | None:
    """The least noise of a kind that is (ε, δ)-DP where one person moves so many cells by so much; None without its δ.

    Of discrete Gaussian noise that is narrow, and moved by more than 1 or in very many cells, it is one of σ = 2.5.
    """
    if kind.needs_delta and delta == 0:
        return None
    if kind is DiscreteGaussianNoise and cells > 1:
        return _discrete(epsilon, delta, cells, most)
    return kind.for_guarantee(epsilon, delta, most * (cells**0.5 if kind.norm == 2 else cells))


@lru_cache(maxsize=256)
def _discrete(epsilon: float, delta: float, cells: int, most: int) -> Noise:
    sigma = DiscreteGaussianNoise.for_guarantee(epsilon, delta, most * cells).sigma / math.sqrt(cells) * _SAFE
    if sigma >= ALIKE:
        return DiscreteGaussianNoise(sigma)
    if most > 1 or cells > MOST_EXACT:
        return DiscreteGaussianNoise(ALIKE)
    low, high = 0.0, ALIKE
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        keeps = middle > 0.05 and float(CellsProfile(DiscreteGaussianNoise(middle), cells).delta_at(epsilon)) <= delta
        low, high = (low, middle) if keeps else (middle, high)
    return DiscreteGaussianNoise(high)


def law_of_cells(noise: Noise, cells: int, most: int) -> tuple[Law, Kind]:
    """The law of a table of which one person moves so many cells by so much, and whether it is exact or a bound.

    With Gaussian noise that of μ = c√m/σ; where c = 1, of geometric noise that of m responses, for its loss has two
    values; of discrete Gaussian noise that of the sum of all m cells, which says as much as they do; of Laplace noise
    that of m losses, of very many that of m responses, a bound.
    """
    if isinstance(noise, GaussianNoise):
        return Shifted(most * math.sqrt(cells) / noise.sigma), "exact"
    if cells == 1:
        return moved(noise, most), "exact"
    if isinstance(noise, DiscreteGaussianNoise):
        if noise.sigma >= ALIKE:
            return moved(DiscreteGaussianNoise(noise.sigma * math.sqrt(cells)), most * cells), "exact"
        return ByProfile(CellsProfile(noise, cells), 2 * cells / noise.sigma**2 + 40), "bound"
    loss = noise.largest_loss(most)
    if isinstance(noise, LaplaceNoise) and cells <= MOST_LOSSES:
        together = Mixed((loss,) * cells)
        return together, together.kind
    return WorstReleases(loss, 0.0, cells), "exact" if isinstance(noise, GeometricNoise) and most == 1 else "bound"


def law_with_secret_names(noise: Noise, threshold: float, cells: int, epsilon: float) -> tuple[Law, Kind]:
    """The law of cells that are shown from a threshold on, one person being in so many; a bound on the trade-off."""
    if isinstance(noise, GaussianNoise):
        mu = math.sqrt(cells) / noise.sigma
        return ByProfile(KeyedProfile(noise, threshold, cells), mu * mu / 2 + 8 * mu), "bound"
    if isinstance(noise, DiscreteGaussianNoise) or cells <= MOST_EXACT:
        return ByProfile(KeyedProfile(noise, threshold, cells), 2 * epsilon), "bound"
    told = -math.expm1(cells * float(np.log1p(-np.asarray(noise.tail(threshold - 1)))))
    return Telling(told, WorstReleases(epsilon / cells, 0.0, cells)), "bound"


@lru_cache(maxsize=256)
def least_threshold(noise: Noise, epsilon: float, delta: float, cells: int) -> float | None:
    """A whole threshold with which cells of secret names keep δ at ε; None where none does.

    With bounded losses the least with which any of the cells of a person alone is shown with probability δ at most,
    else the least of all. It begins where one is shown with probability 1 − (1 − δ)^(1/κ).
    """
    alone = -math.expm1(math.log1p(-delta) / cells)
    if alone == 0:
        return None
    start = 1.0 + math.floor(-float(noise.quantile(alone)))

    def keeps(threshold: float) -> bool:
        told = -math.expm1(cells * float(np.log1p(-min(float(noise.tail(threshold - 1)), 1 - 1e-16))))
        if told > delta * (1 + ROOM):
            return False
        if noise.largest_loss() < math.inf:  # its own ε is this one; δ₁ is small beside what a loss may be
            return cells * noise.largest_loss() <= epsilon * (1 + ROOM) and (
                float(noise.tail(threshold - 1)) <= -math.expm1(-noise.largest_loss()))
        return float(threshold_delta(noise, threshold, epsilon, cells)) <= delta * (1 + 1e3 * ROOM)

    threshold, step = max(start - 1, 1.0), 1.0
    while not keeps(threshold):
        threshold, step = threshold + step, step * 2 if step < 2**40 else math.inf
        if not math.isfinite(threshold):
            return None
    low = max(threshold - step / 2, 0.0)  # which does not keep it
    while threshold - low > 1:
        middle = math.floor((low + threshold) / 2)
        low, threshold = (low, middle) if keeps(middle) else (middle, threshold)
    return float(threshold)
