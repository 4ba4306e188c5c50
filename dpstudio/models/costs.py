"""What wrong answers cost under a prior on N, and which decision of a kind costs least.

All decisions of a kind that keep one guarantee are told apart by their probability of accepting m. One that was built
for another minimum is among them, moved by whole records: where many are looked at, few are built and moved.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import expit, logit

from dpstudio.core.declare import Array
from dpstudio.core.search import lowest
from dpstudio.mechanisms.decision import Decision
from dpstudio.models.records import Average, PriorPart, Sides
from dpstudio.records import cached_property, dataclass

NOTHING = Average(0.0, 0.0, 0.0)
REACH = 1000.0
"""In units of 1/ε: so far from its minimum no decision is undecided any more."""
LOOKED_AT = 33
"""Decisions that are looked at in one pass, evenly, before the next looks at those beside the cheapest."""
SPREAD = 2000
"""Decisions of which the probability of accepting m is found, to choose from for a curve."""
AT_ONCE = 2**16
"""Terms that are summed in one go; more leave the processor's cache."""
ROUNDING = 1e-14
WITHIN = 1e-6
"""Of the odds of the best target: within so much of a smooth valley costs are the same to eleven digits."""
PARTS = 65
"""Numbers of records that are looked at together, where one is searched for."""
NEAR = 1.01
"""Times the least cost up to which doubles beside a corner are tried."""
BESIDE = (-4, -1, 0, 1, 4)
"""Doubles beside one that was rounded, the farthest in case it was rounded several times."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a wrong answer costs, times how often there can be one: c₁ Pr[N < m] and c₀ Pr[N ≥ m]."""

    false_yes: float
    false_no: float

    def cost(self, false_accept: Average | None, false_reject: Average | None) -> Average:
        """The expected cost of a decision with these error rates; without N on a side there is no rate."""
        parts = ((self.false_yes, false_accept), (self.false_no, false_reject))
        return sum((weight * rate for weight, rate in parts if rate and weight > 0), NOTHING)


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """Decisions that keep one guarantee: what they are called, and how one is built for a minimum and a target."""

    name: str
    build: Callable[[int, float], Decision]
    corners: Callable[[int], Sequence[Decision]] = lambda _: ()
    """Those for a minimum at which f bends as a function of its target, as `Decision.corners` says."""
    has_target: bool = False
    """Whether the target is heeded; else another minimum is all that there is to choose."""


@dataclass(frozen=True, slots=True)
class _MovedDecision:
    """One decision, built for a minimum far above m, and where it has m: at n of its own records, first ≤ n ≤ last.

    There it accepts with a probability between two ends, or at the last with more.
    """

    decision: Decision
    far: int
    first: int
    last: int

    def reaches(self, p: float) -> int:
        """The first of its numbers of records with at least that probability; one beyond the last where none has it."""
        low, high = self.first, self.last + 1
        while low < high:
            n = np.unique(np.rint(np.linspace(low, high - 1, PARTS)))
            i = int(np.searchsorted(self._accepted(n), p))
            if i == n.size:
                return high
            low, high = int(n[i - 1]) + 1 if i else low, int(n[i])
        return low

    def accepts(self, n: int) -> float:
        return float(self._accepted(np.array([float(n)]))[0])

    def _accepted(self, n: Array) -> Array:
        accepted = np.asarray(self.decision.accept_probability(n))
        return np.where(accepted <= 0.5, accepted, 1.0 - np.asarray(self.decision.reject_probability(n)))


@dataclass(frozen=True, slots=True)
class Best:
    """The decision of a kind that costs least."""

    decision: Decision
    minimum: int
    """The minimum that it is built for, where it has no target; else that of the question."""
    target: float
    """Its probability of accepting m."""
    cost: Average
    ends: tuple[Best, Best] | None = None
    """Where costs are enclosed: two between which the cheapest surely lies, that which accepts m least first."""


@dataclass(frozen=True)
class Choices:
    """The decisions of a kind that accept m with a probability between two ends, under a prior on N."""

    kind: DecisionKind
    sides: Sides
    minimum: int
    epsilon: float
    targets: tuple[float, float]
    zero_refused: bool = False

    def best(self, stakes: Stakes) -> Best:
        """The decision with the least expected cost; of equals that which accepts m least.

        From one decision to the next the rates of each kind here change by a totally positive kernel, so that the cost
        has one valley; it is looked at in passes all the same. Where f is straight in its target between corners,
        so is the cost, and a corner or an end is the best; where it is smooth its odds are found to six digits.
        [DeGroot 1970, 8.2, on Bayes decisions; Karlin 1968, 5, on what totally positive kernels do to valleys.]
        """
        looked = [(moved, self._cheapest(moved, stakes)) for moved in self._corners or [self._half]]
        if not self.kind.has_target:
            found = self._moved_to(looked[0][0], looked[0][1][0], stakes)
        else:
            inside = [self._target_at(moved, n) for moved, (n, _) in looked] if self._corners else [
                self._valley(looked[0][0], looked[0][1][0], stakes)]
            judged = [self._of_target(p, stakes) for p in (*self.targets, *sorted(inside))]
            if self._corners:
                # A corner is no double, and on one side of it the cost may be steep: the best is a double beside it.
                own = [cost for _, (_, cost) in looked]
                near = NEAR * min(*own, *(one.cost.value for one in judged))
                beside = {min(max(p + ulps * math.ulp(p), self.targets[0]), self.targets[1])
                          for p, cost in zip(inside, own, strict=True) if cost <= near for ulps in BESIDE if ulps}
                judged = [*judged[:2], *sorted((*judged[2:], *(self._of_target(p, stakes) for p in beside)),
                                               key=lambda one: one.target)]
            least = min(one.cost.value for one in judged)
            # A valley that leads to an end is found beside it, where costs are the same but for their rounding.
            found = next(one for one in judged if one.cost.value <= least * (1 + ROUNDING))
        whole = all(part is None or part.first is part.last for part in (self.sides.below, self.sides.above))
        return found if whole else replace(found, ends=self._ends(found, looked[0][0], looked[0][1][0], stakes))

    def curve(self, low: float, high: float, rows: int) -> tuple[Array, Array, Array]:
        """Probabilities of accepting m between two ends, so many, with the rates of false “yes” and rejection.

        They are spread evenly and, towards 0 and 1, by their odds. Of few decisions some come again.
        """
        half = self._half
        first, last = (half.reaches(p) for p in (max(low, self.targets[0]), min(high, self.targets[1])))
        few, built = max(int(last - first), 0) + 1, [half.decision]
        if self.kind.has_target and few < rows:
            built += self._within_one_record(math.ceil(rows / few))
        ns = np.arange(first - 1, last + 1) if few < SPREAD else np.unique(np.rint(np.linspace(first, last, SPREAD)))
        ns = ns[(ns >= half.first) & (ns <= half.last)] if ns.size > 2 else np.array([half.last])
        every = np.stack([np.asarray(one.accept_probability(ns)) for one in built]).reshape(-1)
        order = np.argsort(every, kind="stable")
        order = order[(every[order] >= low) & (every[order] <= high)]
        if not order.size:
            order = np.array([int(np.argmin(np.abs(every - low)))])
        even = np.searchsorted(every[order], np.linspace(low, high, 2 * rows // 3))
        by_odds = np.rint(np.linspace(0, order.size - 1, rows - even.size)).astype(np.intp)
        chosen = np.unique(np.minimum(np.concatenate([even, by_odds]), order.size - 1))
        chosen = order[np.pad(chosen, (0, rows - chosen.size), mode="edge")]
        rates = np.empty((2, rows))
        for i, one in enumerate(built):
            rows_of = np.flatnonzero(chosen // ns.size == i)
            if rows_of.size:
                below, above = self._rates(one, ns[chosen[rows_of] % ns.size])
                rates[0, rows_of], rates[1, rows_of] = (below[0] + below[1]) / 2, (above[0] + above[1]) / 2
        return every[chosen], rates[0], rates[1]

    # Decisions that are built once and moved by whole records

    @property
    def _far(self) -> int:
        return self.minimum + math.ceil(REACH / self.epsilon)

    @cached_property
    def _half(self) -> _MovedDecision:
        """The decision through one half; without a target the one there is."""
        return self._moved(self.kind.build(self._far, 0.5))

    @cached_property
    def _corners(self) -> list[_MovedDecision]:
        corners = self.kind.corners(self._far) if self.kind.has_target else ()
        return [self._moved(corner) for corner in corners]

    def _moved(self, one: Decision) -> _MovedDecision:
        every = _MovedDecision(one, self._far, self.minimum, 2 * self._far)
        least, most = self.targets
        return replace(every, first=every.reaches(least), last=every.reaches(most))

    def _within_one_record(self, count: int) -> list[Decision]:
        """Decisions through so many targets, less one, from ½ on to where one record more leads from there."""
        end = min(max(self._half.accepts(self._far + 1), 0.5), self.targets[1])
        return [self.kind.build(self._far, float(p)) for p in expit(np.linspace(0, logit(end), count + 1)[1:-1])]

    def _target_at(self, moved: _MovedDecision, n: int) -> float:
        return min(max(moved.accepts(n), self.targets[0]), self.targets[1])

    def _rates(self, one: Decision, n: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Bounds of false “yes” and of false “no” by a decision moved so that it has m at each n."""
        shifts = n - self.minimum
        return (self._bounds(self.sides.below, one.accept_probability, shifts),
                self._bounds(self.sides.above, one.reject_probability, shifts))

    def _bounds(self, part: PriorPart | None, tail: Callable[[Array], float | Array], shifts: Array
                ) -> tuple[Array, Array]:
        """Two bounds of a rate at each shift: one number where N is summed one by one."""
        if part is None:
            return np.zeros(shifts.size), np.zeros(shifts.size)
        if part.first is part.last:
            return (found := self._sums(part, tail, shifts)), found
        start, end = part.first.min() + shifts.min(), part.last.max() + shifts.max()
        if end - start < part.first.size * shifts.size:
            every = np.asarray(tail(np.arange(start, end + 1)))
            at = [every[(ends - start + shifts[:, None]).astype(np.intp)] for ends in (part.first, part.last)]
        else:
            at = [np.stack([np.asarray(tail(ends + by)) for by in shifts]) for ends in (part.first, part.last)]
        if self.zero_refused:
            for rates, ends in zip(at, (part.first, part.last), strict=True):
                rates[:, ends == 0] = 0.0
        low, high = (np.sum(part.weights * extreme(*at), axis=1) for extreme in (np.minimum, np.maximum))
        return low, high

    def _sums(self, part: PriorPart, tail: Callable[[Array], float | Array], shifts: Array) -> Array:
        """A rate at each shift, summed one by one."""
        weights = np.where(part.first == 0, 0.0, part.weights) if self.zero_refused else part.weights
        start, end = part.first[0] + shifts.min(), part.last[-1] + shifts.max()
        if end - start >= weights.size * shifts.size:
            return np.array([np.sum(weights * tail(part.first + by)) for by in shifts])
        windows = np.lib.stride_tricks.sliding_window_view(np.asarray(tail(np.arange(start, end + 1))), weights.size)
        firsts = (shifts - shifts.min()).astype(np.intp)
        if weights.size * shifts.size <= AT_ONCE:
            return np.asarray(np.sum(weights * windows[firsts], axis=1))
        return np.array([np.sum(weights * windows[i]) for i in firsts])

    def _costs(self, moved: _MovedDecision, n: Array, stakes: Stakes) -> tuple[Array, Array]:
        below, above = self._rates(moved.decision, n)
        return (stakes.false_yes * below[0] + stakes.false_no * above[0],
                stakes.false_yes * below[1] + stakes.false_no * above[1])

    def _cheapest(self, moved: _MovedDecision, stakes: Stakes) -> tuple[int, float]:
        """The n at which the decision costs least, in passes over ever fewer, and what it costs there."""
        low, high = moved.first, moved.last
        while True:
            n = np.unique(np.rint(np.linspace(low, high, LOOKED_AT)))
            low_costs, high_costs = self._costs(moved, n, stakes)
            costs = (low_costs + high_costs) / 2
            i = int(np.argmin(costs))
            if n.size == high - low + 1:
                return int(n[i]), float(costs[i])
            low, high = int(n[max(i - 1, 0)]), int(n[min(i + 1, n.size - 1)])

    # One of them

    def _judged(self, one: Decision, minimum: int, target: float, stakes: Stakes) -> Best:
        """A decision with its expected cost."""
        def accepted(n: Array) -> Array:
            return np.where(n == 0, 0.0, one.accept_probability(n))

        below, above = self.sides.below, self.sides.above
        accept = accepted if self.zero_refused else one.accept_probability
        return Best(one, minimum, target, stakes.cost(below.average(accept) if below else None,
                                                      above.average(one.reject_probability) if above else None))

    def _of_target(self, target: float, stakes: Stakes) -> Best:
        return self._judged(self.kind.build(self.minimum, target), self.minimum, target, stakes)

    def _moved_to(self, moved: _MovedDecision, n: int, stakes: Stakes) -> Best:
        minimum = self.minimum + moved.far - n
        return self._judged(self.kind.build(minimum, 0.5), minimum, self._target_at(moved, n), stakes)

    def _valley(self, moved: _MovedDecision, n: int, stakes: Stakes) -> float:
        """The best target between those of one record less and one more than the cheapest of whole records."""
        low, high = self._beside(moved, n - 1, n + 1)

        def target(x: float) -> float:
            return min(max(float(expit(x)), low), high)

        least, most = map(float, logit([low, high]))
        return target(lowest(lambda x: self._of_target(target(x), stakes).cost.value, least, most, WITHIN))

    def _beside(self, moved: _MovedDecision, before: int, after: int) -> tuple[float, float]:
        """The targets at two numbers of records, the ends of all targets where they lie beyond."""
        low, high = self.targets
        return (self._target_at(moved, before) if before >= moved.first else low,
                self._target_at(moved, after) if after <= moved.last else high)

    def _ends(self, found: Best, moved: _MovedDecision, n: int, stakes: Stakes) -> tuple[Best, Best]:
        """Two between which the cheapest surely lies: beyond them even the lower bound of a cost is above the best."""
        def may(n: int) -> bool:
            return bool(self._costs(moved, np.array([float(n)]), stakes)[0][0] <= found.cost.high)

        first = last = n
        if may(n):
            first = moved.first + bisect_left(range(moved.first, n), True, key=may)
            last = n + bisect_left(range(n + 1, moved.last + 1), True, key=lambda at: not may(at))
        if not self.kind.has_target:
            return self._moved_to(moved, first, stakes), self._moved_to(moved, last, stakes)
        low, high = self._beside(moved, first - 1, last + 1)
        return (self._of_target(min(low, found.target), stakes), self._of_target(max(high, found.target), stakes))
