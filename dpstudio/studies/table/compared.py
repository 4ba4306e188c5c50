"""What the table study compares: noise on every count, and ways to name the largest group."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Kind
from dpstudio.core.sampling import generator
from dpstudio.core.sources import DR14, MS20, MT07
from dpstudio.mechanisms import selection
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.mechanisms.noise import Noise as Mechanism
from dpstudio.models import table
from dpstudio.models.clamping import count_error, processed
from dpstudio.models.table.laws import law_of_cells, law_with_secret_names, least_noise, least_threshold
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import table as f
from dpstudio.vocabulary.written import listing_of

RELEASE = 7, 0
"""The place of the release that is shown among the streams of a seed."""
MOST_SECRET = 64
"""In more groups of secret names than so many discrete Gaussian noise is left out: its δ takes too long."""
_NEVER = 1e-20
"""A group that is the largest with less probability makes no difference to who is."""
_LOST = 750.0
"""e to the power of minus that is lost among the smallest numbers."""
SOURCES = {"exponential": MT07, "permute_and_flip": MS20, "noisy_max_laplace": DR14}


@dataclass(frozen=True, eq=False)
class TrueCounts:
    """The counts of a table as they are released, and each different one with how often it stands there."""

    counts: Array
    names: tuple[str, ...]
    """As many, or none."""
    different: Array
    """The largest first."""
    times: Array

    @property
    def size(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> float:
        return float(self.different @ self.times)

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """Places of the largest cells, as many as are drawn."""
        return np.argsort(-self.counts, kind="stable")[: f.MOST_DRAWN]

    def first(self, near: int) -> TrueCounts:
        """Those with so many of the largest different counts."""
        return self if near == len(self.different) else _part(self, near)

    def at(self, rank: int) -> float:
        """The count of a rank, 1 the largest."""
        return float(self.different[int(np.searchsorted(np.cumsum(self.times), rank))])


def cells_of(study: f.Table) -> TrueCounts:
    """The counts of a study, those of a list or made up, merged as it says."""
    if study.cells != "none":
        return _given(study.cells, study.merging)
    return _made_up(study.groups, study.people, study.falloff, study.merging)


@lru_cache(maxsize=8)
def _given(text: str, merged: int) -> TrueCounts:
    found = listing_of(text)
    return _cells(found.expanded, found.names if (found.times == 1).all() else (), merged)


@lru_cache(maxsize=64)
def _made_up(groups: int, people: int, falloff: float, merged: int) -> TrueCounts:
    """So many people over groups of which the r-th has a share ∝ r^−s, rounded by largest remainders."""
    share = np.arange(1.0, groups + 1) ** -falloff
    exact = people * (share / share.sum())
    counts = np.floor(exact)
    left = int(people - counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[: max(left, 0)]] += 1
    return _cells(counts, (), merged)


def _cells(counts: Array, names: tuple[str, ...], merged: int) -> TrueCounts:
    if merged > 1:
        starts = np.arange(0, len(counts), merged)
        counts = np.add.reduceat(counts, starts)
        names = tuple(" + ".join(names[i:i + merged]) for i in starts) if names else ()
    different, times = np.unique(counts, return_counts=True)
    return TrueCounts(counts, names, different[::-1].copy(), times[::-1].astype(np.float64))


@lru_cache(maxsize=64)
def _part(cells: TrueCounts, near: int) -> TrueCounts:
    return TrueCounts(np.repeat(cells.different[:near], cells.times[:near].astype(np.intp)), (), cells.different[:near],
                 cells.times[:near])


@dataclass(frozen=True)
class NoisyTable:
    """Noise on every count of a table."""

    study: f.Table
    cells: TrueCounts
    noise: Mechanism
    threshold: float | None
    """From which on a noisy count is shown, where names are secret."""
    kind: type[Mechanism]

    loose = ""

    @property
    def moves(self) -> int:
        """How many cells one person moves."""
        return self.study.moved(self.cells.size)

    @cached_property
    def guarantee(self) -> Guarantee:
        """What the whole table promises of one person."""
        s, noise = self.study, self.noise
        if self.threshold is None:
            law, kind = law_of_cells(noise, self.moves, s.each_rows)
            delta = s.delta if noise.needs_delta else 0.0
            mu = s.each_rows * math.sqrt(self.moves) / noise.sigma if isinstance(noise, GaussianNoise) else None
            return Guarantee(s.relation, s.epsilon, delta, law, noise.loss_source, kind, mu)
        law, kind = law_with_secret_names(noise, self.threshold, self.moves, s.epsilon)
        return Guarantee(s.relation, s.epsilon, s.delta, law, noise.loss_source, kind)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) of the table."""
        return self.guarantee.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α) of the table."""
        return self.guarantee.trade_off(alpha)

    @property
    def rounds(self) -> bool:
        """Whether rounding changes noisy counts."""
        return self.study.rounded and not self.noise.is_whole

    @property
    def secret(self) -> bool:
        """Whether names are secret: a group is there where somebody is in it, and shown where its noisy count is high.
        """
        return self.threshold is not None

    @cached_property
    def size(self) -> int:
        """How many counts may be released, at least 1."""
        return max(int(self.cells.times[self.cells.different > 0].sum()), 1) if self.secret else self.cells.size

    @property
    def width_kind(self) -> Kind:
        """A count that is not shown is not off, and one of few people that is raised to 0 not by more than these."""
        return "bound" if self.secret or self.study.clamped else "exact"

    @cached_property
    def within_all(self) -> float:
        """The t within which all counts are at once at the level, as they are released, or a bound on it."""
        return self._released_width(float(table.half_width(self.noise, self.size, self.study.error_level)))

    @cached_property
    def alone(self) -> float:
        """The same of one count."""
        return self._released_width(float(self.noise.error_quantile(self.study.error_level)))

    def _released_width(self, before: float) -> float:
        """A width after rounding: a rounded count is off by t at most where the noise is below t + ½."""
        return max(math.ceil(before - 0.5), 0.0) if self.rounds else before

    def coverage(self, width: float) -> float:
        """The probability that all released counts are within so much at once, or a bound on it from below."""
        return float(table.coverage(self.noise, self.size, width + 0.5 * self.rounds))

    @property
    def smallest_kind(self) -> Kind:
        """Raised to 0 a count is off by no more than itself."""
        return "bound" if self.secret or (self.study.clamped and self.study.relative >= 1) else "exact"

    @property
    def smallest(self) -> float:
        """The smallest count that is off by no more than the part that is asked, at the level."""
        s = self.study
        if not self.rounds:
            return float(table.smallest_cell(self.noise, s.relative, s.error_level))
        least = math.ceil(self.alone / s.relative)
        return float(least - (least >= 1 and s.relative * (least - 1) >= self.alone))

    @cached_property
    def wins(self) -> Array:
        """The probability of each different count to be the largest, of one cell that has it."""
        return _wins(self.noise, self.cells)

    @cached_property
    def largest_right(self) -> float:
        """The probability that a group with the largest count is named; groups that never are make no difference."""
        cells, reach = self.cells, -2 * float(self.noise.quantile(_NEVER / self.cells.size))
        near = int(np.searchsorted(-cells.different, reach - cells.different[0], side="right"))
        return float(min(_wins(self.noise, cells.first(near))[0] * cells.times[0], 1.0))

    def added(self, count: Array) -> Array:
        """What raising negative counts to 0 adds on average to true counts."""
        return count_error(self.noise, count, clamped=True, rounded=self.study.rounded).bias

    @cached_property
    def bias(self) -> float:
        """By how much the sum of all released counts is too large on average."""
        return float(self.added(self.cells.different) @ self.cells.times)

    def released(self) -> Array:
        """One release of the counts that are drawn; 0 where a group is not shown."""
        true = self.cells.counts[self.cells.order]
        noisy = true + np.asarray(self.noise.sample(true.size, generator(self.study.seed, *RELEASE)), dtype=np.float64)
        return np.where(self.shown(true, noisy), self.changed(noisy), 0.0)

    def changed(self, noisy: Array) -> Array:
        """Noisy counts as they are released."""
        return processed(noisy, clamped=self.study.clamped, rounded=self.study.rounded)

    def shown(self, true: Array, noisy: Array) -> npt.NDArray[np.bool_]:
        """Whether groups of so many people are shown with such noisy counts."""
        if self.threshold is None:
            return np.ones(noisy.shape, dtype=np.bool_)
        return (true > 0) & (noisy >= self.threshold)

    @property
    def hidden(self) -> float:
        """How many groups with somebody in them are not shown on average."""
        assert self.threshold is not None
        there = self.cells.different > 0
        shown = np.asarray(table.shown(self.noise, self.cells.different[there], self.threshold))
        return float((1 - shown) @ self.cells.times[there])

    def sds(self, share: float) -> tuple[float, ...] | None:
        """Sds of a cell, a row, a column and the total, margins being released with this share or added up."""
        s, shape = self.study, self.study.shape(self.cells.size)
        if shape is None or self.secret or (s.margins == "released" and self.kind.norm == 2 and self.noise.is_whole):
            return None
        rows, columns = shape
        if s.margins == "added":
            sd = self.noise.sd
            return sd, sd * math.sqrt(columns), sd * math.sqrt(rows), sd * math.sqrt(rows * columns)
        cell, row, column, total = (self._variance(part, size) for part, size in (
            (1 - share, self.cells.size), (share / 3, rows), (share / 3, columns), (share / 3, 1)))
        return tuple(math.sqrt(float(each)) for each in table.two_way(rows, columns, cell, row, column, total))

    def _variance(self, part: float, size: int) -> float:
        """The variance of noise that has this part of ε, or of μ², on so many cells, or sums of a margin.

        All cells of a person may be in one row. Replaced by another they may leave one row and come into another, but
        the total moves no further.
        """
        s = self.study
        each, moves = s.each_rows, self.moves
        one, two = each * min(s.per_person, self.cells.size), s.replaced and size > 1
        l1, l2 = (each * moves, each * math.sqrt(moves)) if size == self.cells.size else (
            one * (2 if two else 1), one * (math.sqrt(2) if two else 1))
        if self.kind.norm == 2:
            return (GaussianNoise.for_guarantee(s.epsilon, s.delta, 1.0).sigma * l2) ** 2 / part
        return self.kind.for_guarantee(s.epsilon * part, s.delta, l1).sd ** 2


@lru_cache(maxsize=64)
def _wins(noise: Mechanism, cells: TrueCounts) -> Array:
    shares = table.wins(noise, np.repeat(cells.different, cells.times.astype(np.intp)))
    return np.asarray(shares[np.cumsum(cells.times).astype(np.intp) - 1])


@dataclass(frozen=True)
class NamedGroup:
    """A way to name the largest group."""

    study: f.Table
    cells: TrueCounts
    method: str

    loose = ""

    @cached_property
    def guarantee(self) -> Guarantee:
        """What the name of a group promises of one person."""
        s, bounded = self.study, self.method == "exponential"
        law = selection.law(self.method, s.epsilon)
        return Guarantee(s.relation, s.epsilon, 0.0, law, SOURCES[self.method], "bound",
                         rho=float(selection.rho(self.method, s.epsilon)) if bounded else None)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """A bound on δ(ε)."""
        return self.guarantee.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """A bound on T(α)."""
        return self.guarantee.trade_off(alpha)

    @cached_property
    def wins(self) -> Array:
        """The probability that a cell is named, of one with each different count."""
        s = self.study
        return _named(self.method, self.cells, s.epsilon, s.each_rows, not s.replaced)

    @property
    def largest_right(self) -> float:
        return float(min(self.wins[0] * self.cells.times[0], 1.0))

    def drawn(self, size: int, rng: np.random.Generator) -> int:
        """How many of so many namings name a group with the largest count: as the largest of noisy scores."""
        s, counts = self.study, self.cells.counts
        scores = _rate(s.epsilon, s.each_rows, not s.replaced) * (counts - self.cells.different[0])
        draw = rng.gumbel if self.method == "exponential" else (
            rng.exponential if self.method == "permute_and_flip" else rng.laplace)
        best = (scores + draw(size=(size, counts.size))).argmax(axis=1)
        return int((scores[best] == 0).sum())

    @property
    def regret(self) -> float:
        """How much smaller than the largest the count of the group that is named is on average."""
        return float((self.cells.different[0] - self.cells.different) @ (self.wins * self.cells.times))


def _rate(epsilon: float, most: int, monotone: bool) -> float:
    """η, by which scores are multiplied."""
    return epsilon / most / (1 if monotone else 2)


@lru_cache(maxsize=64)
def _named(method: str, cells: TrueCounts, epsilon: float, most: int, monotone: bool) -> Array:
    choose: Callable[..., Array] = getattr(selection, method)
    gaps = _rate(epsilon, most, monotone) * (cells.different[0] - cells.different)
    near = cells.first(int(np.searchsorted(gaps, _LOST, side="right")))
    shares = choose(near.counts, epsilon, most, monotone)
    found = np.zeros(len(cells.different))
    if near is cells:
        shares = shares[np.argsort(-cells.counts, kind="stable")]
    found[:len(near.different)] = shares[np.cumsum(near.times).astype(np.intp) - 1]
    return found


def noised(study: f.Table, cells: TrueCounts, kind: type[Mechanism]) -> NoisyTable | None:
    """The least noise of a kind on every count; None without the δ it needs."""
    moves = study.moved(cells.size)
    noise = least_noise(kind, study.epsilon, study.delta, moves, study.each_rows)
    if noise is None:
        return None
    if not study.secret:
        return NoisyTable(study, cells, noise, None, kind)
    if noise.largest_loss() == math.inf and not isinstance(noise, GaussianNoise) and moves > MOST_SECRET:
        return None
    threshold = least_threshold(noise, study.epsilon, study.delta, moves)
    return None if threshold is None else NoisyTable(study, cells, noise, threshold, kind)
