"""A claim held against outcomes of somebody's own mechanism, of which no law is known.

The first half of the outcomes of each dataset chooses an event and a direction, the other half certifies, so no event
is judged by outcomes that it was chosen by. Numbers are cut at their quantiles: events are the tails at each cut, the
stretches between two, and the sets of stretches with the largest ratio of counts; the same is done with the place of
the last bit of each number, which noise in doubles may betray. Of categories they are the sets with the largest ratio
of counts. The event that is chosen is counted once, and `certificate` bounds both of its rates at half of the error
each, so the bounds on ε and on δ hold together with the confidence stated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.auditing.cells import CellCounts, OutcomeCells
from dpstudio.models.auditing.certificate import ChosenEvents, certify, choose
from dpstudio.records import dataclass
from dpstudio.text.given import shown
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import reals

EPSILONS, DELTAS, CONFIDENCES = reals(0, 100), reals(0, 0.5), reals(0.5, 1 - 1e-9)
"""What may be claimed, and with which confidence it may be contradicted."""
LEAST, MOST = 10, 10_000_000
"""Outcomes of each dataset: fewer certify nothing."""
_STRETCHES, _RANKED = 200, 20
"""So many stretches numbers are cut into at the most, but for values that come often; and to be ranked fewer, lest
chance rank them."""
_DOUBT = 5.0
"""As if each cell had come so often more on either dataset: what came seldom is ranked in the middle."""
_NAMED = 3
"""Categories that an event names."""
_NO_BIT = 2000.0
"""The place of the last bit of 0, above that of any double."""

_ALL = np.bool_(True)

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class OutcomePair:
    """As many outcomes of a dataset and of its neighbour."""

    outcomes: tuple[Array, Array]
    """Numbers, or places among the kinds."""
    kinds: tuple[str, ...] = ()
    """What categories are called; none where outcomes are numbers."""


@dataclass(frozen=True, slots=True)
class OwnAudit:
    """What outcomes prove against a claim."""

    epsilon: float
    delta: float
    confidence: float
    draws: int
    """Outcomes of each dataset, both halves together."""
    event: str
    """The outcomes of the event, in words."""
    likelier: int
    """On which dataset the event is said to be the likelier one: 0 or 1."""
    counts: tuple[int, int]
    """Of the event among the certifying outcomes of each dataset."""
    low: float
    """The lower bound on its probability on the dataset on which it is the likelier one."""
    high: float
    """The upper bound on its probability on the other."""
    least_epsilon: float
    """The certified bound on ε at the claimed δ."""
    least_delta: float
    """The certified bound on δ at the claimed ε."""

    @property
    def certifying(self) -> int:
        """Outcomes of each dataset that had no part in the choice."""
        return self.draws - self.draws // 2

    @property
    def contradicted(self) -> bool:
        """Whether the certificate exceeds the claim."""
        return self.least_epsilon > self.epsilon and self.least_delta > self.delta


def audited(pair: OutcomePair, epsilon: float, delta: float, confidence: float) -> OwnAudit:
    """The certificate from the outcomes, wrong with probability 1 − confidence at most if they are independent."""
    claim, error = (epsilon, delta), 1 - confidence
    draws = len(pair.outcomes[0])
    half = draws // 2
    choosing, certifying = (tuple(each[part] for each in pair.outcomes) for part in (slice(half), slice(half, None)))
    sortings = list(_sortings(choosing, pair.kinds))
    tried = [OutcomeCells.gathered(each.counted(choosing)) for each in sortings]
    best = choose(np.concatenate(tried, axis=-1) / half, draws - half, claim, error)
    event, which, against = int(best.event), 0, int(best.against)
    while event >= tried[which].shape[-1]:
        event -= tried[which].shape[-1]
        which += 1
    counts = OutcomeCells.gathered(sortings[which].counted(certifying))
    certified = certify(counts, draws - half, ChosenEvents(np.asarray(event), best.against), claim, error)
    return OwnAudit(epsilon, delta, confidence, draws, sortings[which].words(event), 1 - against,
                    (int(counts[0, event]), int(counts[1, event])), float(certified.low[1 - against]),
                    float(certified.high[against]), float(certified.epsilon), float(certified.delta))


@dataclass(frozen=True, eq=False)
class _Cuts:
    """Outcomes sorted by a number of each: below the first cut, between two, from the last one on."""

    cuts: Array
    bits: bool = False
    """Whether the number is the place of the last bit."""

    @property
    def number(self) -> int:
        return len(self.cuts) + 1

    def places(self, outcomes: Array) -> Places:
        return np.searchsorted(self.cuts, last_bit(outcomes) if self.bits else outcomes, side="right")

    def counted(self, pair: tuple[Array, ...]) -> CellCounts:
        return _counted(self.places, pair, self.number)

    def words(self, event: int) -> str:
        k = len(self.cuts)
        kind, at = divmod(event, k) if event < 2 * k else (2, event - 2 * k)
        low, high = self._said(at), self._said(at + 1) if kind == 2 else ""
        what = "the last bit of the outcome stands for" if self.bits else "the outcome is"
        return (f"{what} at least {low}", f"{what} less than {low}",
                f"{what} at least {low}, and less than {high}")[kind]

    def _said(self, at: int) -> str:
        return f"2^{plain(self.cuts[at])}".replace("-", "−") if self.bits else plain(self.cuts[at])


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Cells in the order in which the second dataset had them more often, by the choosing outcomes."""

    cells: _Cuts | None
    """Stretches of numbers; None for categories."""
    rank: Places
    """The place of each cell in that order; the last cell of categories is whatever the choosing outcomes lack."""
    kinds: tuple[str, ...] = ()
    seen: npt.NDArray[np.bool_] | np.bool_ = _ALL
    """Which kinds the choosing outcomes have; all of numbers."""

    def places(self, outcomes: Array) -> Places:
        at = outcomes.astype(np.intp) if self.cells is None else self.cells.places(outcomes)
        return self.rank[at]

    def counted(self, pair: tuple[Array, ...]) -> CellCounts:
        return _counted(self.places, pair, int(self.rank.max()) + 1)

    def words(self, event: int) -> str:
        k = int(self.rank.max())
        inside = (self.rank > event if event < k else self.rank <= event - k if event < 2 * k
                  else self.rank == event - 2 * k + 1)
        if self.cells is not None:
            return f"the outcome is in {listed(_stretches(self.cells.cuts, inside))}"
        named = [shown(kind, 30) for kind, within in zip(self.kinds, inside[:-1] & self.seen, strict=True) if within]
        if inside[-1]:
            named.append("any other")
        more = len(named) - _NAMED
        names = [*named[:_NAMED], f"{more} more"] if more > 0 else named
        return f"the outcome is {'one of ' if len(names) > 1 else ''}{listed(names)}"


def _sortings(choosing: tuple[Array, ...], kinds: tuple[str, ...]) -> Iterator[_Cuts | _Ranked]:
    """All ways in which outcomes are sorted into cells, by those that choose alone."""
    pool = np.concatenate(choosing)
    if kinds:
        of_kinds = np.stack([np.bincount(each.astype(np.intp), minlength=len(kinds)) for each in choosing])
        seen = of_kinds.sum(axis=0) > 0
        order = _order(np.concatenate([of_kinds[:, seen], np.zeros((2, 1), dtype=np.int64)], axis=1))
        rank = np.full(len(kinds) + 1, order[-1])
        rank[:-1][seen] = order[:-1]
        yield _Ranked(None, rank, kinds, seen)
        return
    yield _Cuts(_cuts(pool, _STRETCHES))
    coarse = _Cuts(_cuts(pool, _RANKED))
    yield _Ranked(coarse, _order(coarse.counted(choosing)))
    yield _Cuts(_cuts(last_bit(pool), _STRETCHES), bits=True)


def _order(counts: CellCounts) -> Places:
    """The place of each cell by the ratio of its counts, those that the second dataset has more often last."""
    ratio = np.log(counts[1] + _DOUBT) - np.log(counts[0] + _DOUBT)
    rank = np.empty(ratio.size, dtype=np.intp)
    rank[np.argsort(ratio, kind="stable")] = np.arange(ratio.size)
    return rank


def _cuts(pool: Array, stretches: int) -> Array:
    """All values where they are few; else quantiles, and both sides of a value that takes up several of them."""
    values = np.unique(pool)
    if len(values) <= stretches:
        return values
    at = np.quantile(pool, np.linspace(0, 1, stretches + 1), method="inverted_cdf")
    often = np.unique(at[1:][at[1:] == at[:-1]])
    return np.unique(np.concatenate([_short(np.setdiff1d(at, often)), often, np.nextafter(often, math.inf)]))


def _short(cuts: Array) -> Array:
    """Cuts that are as good, and have no more digits than people read."""
    if len(cuts) < 2 or not (width := float(np.median(np.diff(cuts)))) > 0:
        return cuts
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(cuts, 1 - math.floor(math.log10(width)))
    return np.where(np.isfinite(rounded), rounded, cuts)


def _stretches(cuts: Array, inside: npt.NDArray[np.bool_]) -> Iterator[str]:
    """The cells that are inside, those that touch as one."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
    for low, high in ends.reshape(-1, 2).tolist():
        begin = f"[{plain(cuts[low - 1])}" if low else "(−∞"
        yield f"{begin}, {plain(cuts[high - 1]) if high <= len(cuts) else '∞'})"


def _counted(places: Callable[[Array], Places], pair: tuple[Array, ...], number: int) -> CellCounts:
    return np.stack([np.bincount(places(each), minlength=number) for each in pair])


def last_bit(x: Array) -> Array:
    """e for an x that is an odd multiple of 2^e, and more than that of any double for 0."""
    part, power = np.frexp(x)
    whole = np.ldexp(part, 53).astype(np.int64)
    _, last = np.frexp((whole & -whole).astype(np.float64))
    return np.where(whole == 0, _NO_BIT, power - 53.0 + last - 1)
