"""The answer of the watch study: when each mechanism first says “yes”, too early or too late, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, drawn_table, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import UNSEEN, blocks, generator
from dpstudio.core.sources import CP34, DERIVED, DMNS06, DNPR10, DURFEE23, KOV15, LSL17
from dpstudio.core.special import Z_95
from dpstudio.mechanisms.watch import AboveThreshold, ExponentialAboveThreshold
from dpstudio.models import watching
from dpstudio.models.continual import parts
from dpstudio.models.continual.optimal import each_optimal
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import watch as f
from dpstudio.studies.kit.attack import spent_fact
from dpstudio.studies.kit.tables import curves, share, shares, so_far
from dpstudio.studies.watch.compared import TRADED_POINTS, Asked, Compared, History, NoisyWatched, Places, Tree, Watched
from dpstudio.text.numbers import plain

SHOWN, AROUND = 33, 6
"""About so many times are shown, and every one so near to the first at which m is reached."""
WRONG_POINTS = 13
BLOCK = 500
"""Histories drawn together; part of what a seed means."""
LEAST, TINIEST = 1e-12, 1e-290
"""A probability, and a delay, below it is only bounded."""
MOST = 1000

_AT = "k = {times}, ε = {epsilon}"


@dataclass(frozen=True)
class Drawn:
    """When “yes” was first said in the histories so far: by key of the series how often at each place, or never."""

    done: int
    before: int
    """At how many times the count has not reached m."""
    first: Mapping[str, Places]


class WatchAnswer(Answer[f.Watch, Compared, Drawn]):
    """All that is known of the watches at one setting."""

    def __init__(self, study: f.Watch) -> None:
        super().__init__(study)
        self.traded: dict[Series, tuple[Array, Array]] = {}
        """False alarms and mean delays of a series with several thresholds, once they were worked out."""

    @cached_property
    def history(self) -> History:
        """The count through time."""
        return History(self.study)

    @cached_property
    def above(self) -> AboveThreshold:
        """AboveThreshold with the threshold m and the noise of today, of which variants are told."""
        noise = self.get(f.ABOVE).noise_epsilon
        assert noise is not None
        return AboveThreshold(noise, float(self.study.minimum), self.study.share)

    @property
    def lasting(self) -> bool:
        """Whether AboveThreshold’s noise would be the same for any larger k."""
        study = self.study
        return self.above.given_away(MOST, stays=study.stays) == self.above.given_away(study.times, stays=study.stays)

    @cached_property
    def run(self) -> Table:
        """One whole history, which depends on the seed alone."""
        return _one_history(self)

    def trade(self) -> Steps:
        """What takes longer: the false alarms and delays of each with other thresholds."""
        if self.history.reached is None or not self.history.before:
            return
        for series in f.EXACT:
            if series not in self.traded and isinstance(one := self.one(series), Watched):
                yield None
                self.traded[series] = one.traded()

    def go_on(self) -> Steps:
        """What takes longer of the wrong variants."""
        for k in _wrong_times(self):
            yield None
            watching.going_on(self.above, int(k))

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Whole histories by blocks: the first “yes” of each mechanism."""
        places = self.study.times + 1
        found = {series.key: np.zeros(places, dtype=np.int64) for series in self.ones}
        done = 0
        for rng, size in blocks(self.study.seed, self.study.trials, BLOCK):
            for series, one in self.ones.items():
                found[series.key] = found[series.key] + np.bincount(one.first(size, rng), minlength=places)
                yield None, done
            done += size
            yield Drawn(done, self.history.before, dict(found)), done


# What is compared

def _optimal(a: WatchAnswer) -> Compared | None:
    study = a.study
    if study.delta == 0 or study.times == 1:
        return None
    return Asked(a.history, each_optimal(study.epsilon, study.delta, study.times), study.delta)


def _tree(a: WatchAnswer) -> Compared | None:
    """None where a record comes and goes: it would move more nodes than one of each level, if there are more."""
    return Tree(a.history) if a.study.stays or parts.levels(a.study.times) == a.study.times else None


COMPARED: tuple[Entry[WatchAnswer, Compared], ...] = (
    Entry(f.ABOVE, lambda a: NoisyWatched(a.history, AboveThreshold), LSL17),
    Entry(f.EXPONENTIAL, lambda a: NoisyWatched(a.history, ExponentialAboveThreshold), DURFEE23),
    Entry(f.BASIC, lambda a: Asked(a.history, a.study.epsilon / a.study.times), DMNS06),
    Entry(f.OPTIMAL, _optimal, KOV15),
    Entry(f.TREE, _tree, DNPR10),
)


# Facts

def _alarm(one: Compared, threshold: float) -> Said:
    """The tree’s is a bound by the sum over all times."""
    if not one.history.before:
        return Said(0.0)
    return Said(one.alarm_at(threshold), kind="bound" if isinstance(one, Tree) else "exact")


def _never(one: Compared) -> Said | None:
    if one.waiting is None:
        return None
    never = float(one.waiting[-1])
    return Said(never) if never > LEAST else Said(LEAST, kind="bound")


def _delay(one: Compared, weights: Array) -> Said | None:
    """What comes meanwhile; where “yes” may be late and hardly ever is, a bound."""
    if (found := one.late(weights)) is None:
        return None
    return Said(found) if found > 0 or not weights.any() else Said(TINIEST, kind="bound")


def _share_of(key: str, seen: Drawn, part: slice) -> Said | None:
    if key not in seen.first:
        return None
    return share(int(seen.first[key][part].sum()), seen.done, "simulated histories")


def _delay_seen(key: str, seen: Drawn) -> Said | None:
    """The mean of the delays, which lie from 0 to the times that are left: the interval by their spread."""
    if key not in seen.first or seen.before == seen.first[key].size - 1:
        return None
    often = seen.first[key]
    delays = np.maximum(np.minimum(np.arange(often.size), often.size - 2) - seen.before, 0.0)
    mean, most = float(delays @ often / seen.done), float(delays[-1])
    half = Z_95 * math.sqrt(float(np.square(delays - mean) @ often)) / seen.done
    few = UNSEEN / (seen.done + UNSEEN)
    return Said(mean, low=max((1 - few) * mean - half, 0.0), high=min(mean + half + few * (most - mean), most))


def _alarm_how(one: Compared, threshold: float) -> str:
    if not one.history.before:
        return "0: the count has reached m at the first time"
    by = "at most the sum of the probabilities at all times" if isinstance(one, Tree) else "1 − Pr[no “yes” before t*]"
    return f"{by}, with the threshold {plain(threshold)}"


def _guaranteed(one: Compared) -> Said:
    """ε; a bound where no history is known that needs it, as with δ where “yes” ends what composition has go on."""
    reached = one.pure(stays=one.study.stays)[1] if one.delta == 0 else isinstance(one, Tree)
    return Said(one.guarantee.epsilon, kind="exact" if reached else "bound")


def _pure(one: Compared, *, stays: bool) -> Said:
    epsilon, reached = one.pure(stays=stays)
    return Said(epsilon, kind="exact" if reached else "bound")


def _pure_how(one: Compared, *, stays: bool) -> str:
    if one.epsilon_asked is not None:
        return f"kε₀: k times “no” to counts far above the threshold, with a record more or less, {_AT}"
    if isinstance(one, Tree):
        if one.delta:
            return "Gaussian noise keeps no ε with δ = 0"
        return "ε: a record is in one node of each level" if stays else "kε/L: it may be in every node"
    laplace = isinstance(one, NoisyWatched) and one.kind is AboveThreshold
    few = "each “no” shows ε₂, all together ε₁ at most" if laplace else "all “no” together show ε₁"
    more = "" if stays else ", and with a “yes” without the record ε₁ + ε₂"
    return f"{few}{more}; a “yes” shows ε₂; ε₁ + ε₂ = {plain(one.noise_epsilon or 0.0)}, s = {{share}}, {_AT}"


FACTS: Mapping[str, tuple[Declaration[WatchAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        once(v.REACHED, lambda a: a.history.reached, "the first t with ⌊rt⌋ ≥ m, r = {per_time}, m = {minimum}"),
        each(v.MEDIAN_YES, lambda one: one.median_yes, f"the first t with Pr[T ≤ t] ≥ ½, {_AT}"),
        each(v.MEDIAN_DELAY, lambda one: one.median_delay, "T½ − t*"),
        each(v.MEAN_DELAY, lambda one: _delay(one, one.history.steps), f"Σ Pr[T > t] over t* ≤ t < k, {_AT}"),
        each(v.DELAY_RECORDS, lambda one: _delay(one, one.history.grown),
             "Σ (c_(t + 1) − c_t) Pr[T > t] over t* ≤ t < k, c_t = ⌊rt⌋, r = {per_time}"),
        simulated(v.DELAY_SEEN, _delay_seen,
                  lambda _, seen: f"mean of {seen.done} simulated histories; 95 % interval by their spread, three more "
                                  "at either end among them", exact=v.MEAN_DELAY),
    ),
    "errors": (
        each(v.FALSE_ALARM, lambda one: _alarm(one, one.threshold), lambda one: _alarm_how(one, one.threshold)),
        simulated(v.ALARM_SEEN, lambda key, seen: _share_of(key, seen, slice(seen.before)), source=CP34,
                  exact=v.FALSE_ALARM),
        each(v.ALARM_AT_MINIMUM, lambda one: _alarm(one, float(one.study.minimum)),
             lambda one: _alarm_how(one, float(one.study.minimum))),
        each(v.NEVER_SAID, _never, f"Pr[T > k], {_AT}"),
        simulated(v.NEVER_SEEN, lambda key, seen: _share_of(key, seen, slice(-1, None)), source=CP34,
                  exact=v.NEVER_SAID),
    ),
    "privacy": (
        each(v.GUARANTEE_EPSILON, _guaranteed, f"ε for all k times together, of a record that {{presence}}, {_AT}"),
        each(v.GUARANTEE_DELTA, lambda one: one.delta, lambda one: f"δ = {plain(one.delta)}"),
        spent_fact(lambda one: one.study.delta),
        each(v.ASK_EPSILON, lambda one: one.epsilon_asked, lambda one: (
            f"the largest ε₀ of which k compose to (ε, δ), {_AT}, δ = {{delta}}" if one.delta else f"ε/k, {_AT}")),
        each(v.STAYING_EPSILON, lambda one: _pure(one, stays=True), lambda one: _pure_how(one, stays=True), DERIVED),
        each(v.COMING_EPSILON, lambda one: _pure(one, stays=False), lambda one: _pure_how(one, stays=False), DERIVED),
    ),
    "technical": (
        each(v.THRESHOLD_MARGIN, lambda one: one.margin, "the threshold with the false alarm α = {alarm}, less m"),
        each(v.NOISE_EPSILON, lambda one: one.noise_epsilon,
             f"the largest with which ε is kept for a record that {{presence}}, s = {{share}}, {_AT}"),
        each(v.COMPARISON_SD, lambda one: one.sd, f"of the threshold’s and the count’s noise together, {_AT}"),
        once(v.ANEW_EPSILON, lambda a: float(watching.drawn_anew(a.above, a.study.times)),
             f"k min(ε₁, ε₂), s = {{share}}, {_AT}", LSL17),
        once(v.GOING_ON_EPSILON, lambda a: Said(float(watching.going_on(a.above, a.study.times)), kind="bound"),
             f"shown by ⌊k/2⌋ times “yes” and then “no” to equal counts, s = {{share}}, {_AT}", LSL17, at_least=True),
        once(v.RELEASED_EPSILON, lambda a: float(watching.released(a.above, a.study.times)),
             f"kε₂, s = {{share}}, {_AT}", LSL17),
        once(v.BARE_EPSILON, lambda a: float(watching.bare(a.above, a.study.times)),
             "∞ from two times on, ε₁ of one; s = {share}, ε = {epsilon}", LSL17),
        once(v.FALLING_EPSILON, lambda a: watching.falling(a.above), "ε₁ + 2ε₂, s = {share}, ε = {epsilon}", LSL17),
    ),
}


# Tables

def _times_table(a: WatchAnswer, view: Span) -> Table:
    """The chance of “yes” by each time that is shown."""
    at = _shown(a, view)
    waiting = {series: one.waiting for series, one in a.ones.items() if one.waiting is not None}
    return Table({f.X_TIME: at.astype(np.float64)} | curves(
        waiting, lambda still: 1 - np.append(1.0, still)[at], v.SAID))


def _shown(a: WatchAnswer, view: Span) -> Places:
    """Times from 0 to k within a view: all of few, else evenly, with all near to where m is reached."""
    k, middle = a.study.times, a.history.before
    low, high = (int(min(max(end, 0.0), k)) for end in (math.floor(view[0]), min(math.ceil(view[1]), 1e9)))
    even = np.rint(np.linspace(low, high, min(SHOWN, high - low + 1))).astype(np.int64)
    near = np.arange(max(middle - AROUND, low), min(middle + AROUND, high) + 1)
    return np.unique(np.concatenate([even, near]))


def _said_seen(a: WatchAnswer, exact: Table, seen: Drawn) -> Mapping[Column, Array]:
    at = exact[f.X_TIME].astype(np.int64)
    first = {series: seen.first[series.key] for series in a.ones}
    return curves(first, lambda times: shares(np.cumsum(np.append(0, times))[at], seen.done), *f.SEEN)


def _one_history(a: WatchAnswer) -> Table:
    """The count, and what each compares with m up to its “yes”; what has ended stays where it was."""
    at = np.arange(1.0, a.study.times + 1)
    columns: dict[Column, Array] = {f.X_TIME: at, Column(v.COUNT_THEN, f.TRUTH): a.history.counts}
    for i, (series, one) in enumerate(a.ones.items()):
        gaps = one.gaps(generator(a.study.seed, 0, 1 + i))
        said = np.flatnonzero(gaps >= 0)
        last = np.minimum(np.arange(at.size), said[0] if said.size else at.size)
        columns[Column(v.TIME, series)] = at[last]
        columns[Column(v.NOISY_COUNT_THEN, series)] = a.study.minimum + gaps[last]
    return Table(columns)


def _wrong_times(a: WatchAnswer) -> Places:
    return np.unique(np.append(np.rint(np.geomspace(1, MOST, WRONG_POINTS)), a.study.times)).astype(np.int64)


def _wrong_table(a: WatchAnswer, _: Span) -> Table:
    """What the variants give away, but for the one that takes a search."""
    k = _wrong_times(a)
    return Table({f.X_TIMES: k.astype(np.float64), Column(v.GIVEN_AWAY, f.CLAIMED): np.full(k.size, a.study.epsilon),
                  Column(v.GIVEN_AWAY, f.ANEW): watching.drawn_anew(a.above, k),
                  Column(v.GIVEN_AWAY, f.TOLD): watching.released(a.above, k),
                  Column(v.GIVEN_AWAY, f.BARE): watching.bare(a.above, k)})


TABLES: Mapping[str, Tabled[WatchAnswer, Drawn]] = {
    f.TIMES_TABLE: table(_times_table, lambda a: (0.0, float(a.study.times)), drawn=_said_seen),
    # Today’s false alarm, until more is known.
    f.ALARM_TABLE: table(lambda a, _: Table({Column(v.ALARM): np.full(TRADED_POINTS, a.study.alarm)}),
                         lambda a: (min(1e-4, a.study.alarm / 10), 1.0), slow=WatchAnswer.trade,
                         later=lambda a, _: curves(a.traded, tuple, v.FALSE_ALARM, v.MEAN_DELAY)),
    f.HISTORY_TABLE: drawn_table(lambda a, seen: so_far(a.run, seen.done / a.study.trials),
                                 lambda a: (0.0, float(a.study.times))),
    f.WRONG_TABLE: table(_wrong_table, (1.0, float(MOST)), slow=WatchAnswer.go_on, later=lambda a, _: {
        Column(v.GIVEN_AWAY, f.GOING_ON): watching.going_on(a.above, _wrong_times(a))}),
}

WatchAnswer.compared, WatchAnswer.declared, WatchAnswer.tabled = COMPARED, FACTS, TABLES
