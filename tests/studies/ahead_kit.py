"""Who is said to be ahead on a frontier, searched anew among all that every series comes to and costs."""

from __future__ import annotations

import math
from itertools import pairwise

from answers_kit import few_points

from dpstudio.core.frontier.ahead import MOST_STRETCHES, SAME

HALVINGS, PLACES, CLOSELY = 8, 2, 256
SLACK = 0.05
"""Part of what is said to be the same by which a search may be off."""


def assert_of_few_points_or_all(made, holds):
    """A frontier holds by few points of its curves, or by as many as a person sees where few pass over something."""
    with few_points():
        found = made()
    try:
        holds(found)
    except AssertionError:
        holds(made())


class Searched:
    """What a series comes to at a cost, by all points of its curve and by halving between two of them."""

    def __init__(self, outcome, curve, series):
        self.outcome, self.curve, self.series = outcome, curve, series
        self.found = [(value, *self.of(value)) for value in curve.values]

    def of(self, value):
        """The cost and the outcome, the less the better; nothing is had at an infinite cost."""
        point = self.curve.of(self.series, value)
        if point is None or not math.isfinite(point.x):
            return math.inf, math.inf
        return point.x, point.y if self.outcome.better == "less" else -point.y

    @property
    def least(self):
        return min(cost for _, cost, _ in self.found)

    @property
    def most(self):
        """The largest cost; ∞ where no more is spent at the end of the sweep."""
        return math.inf if self.found[-1][1] == math.inf else max(cost for _, cost, _ in self.found)

    def at(self, x):
        """The outcome at the last place that costs no more than x, and one that it cannot be better than."""
        last = max((i for i, (_, cost, _) in enumerate(self.found) if cost <= x), default=None)
        if last is None:
            return math.inf, math.inf
        low, _, had = self.found[last]
        if self.ends_at(last):
            return had, had
        high, _, over = self.found[last + 1]
        for _ in range(HALVINGS):
            middle = math.sqrt(low * high)
            cost, y = self.of(middle)
            if cost <= x:
                low, had = middle, y
            else:
                high, over = middle, y
        return had, min(had, over)

    def ends_at(self, last):
        """Whether the curve has no place behind one where anything finite is spent: it is told as drawn, to there."""
        return all(cost == math.inf for _, cost, _ in self.found[last + 1:])

    def closely(self, x):
        """The same where what is spent falls on the way, so that halving may miss places: by many of them."""
        last = max((i for i, (_, cost, _) in enumerate(self.found) if cost <= x), default=None)
        if last is None or self.ends_at(last):
            return self.at(x)
        (low, _, had), (high, _, over) = self.found[last:last + 2]
        places = [self.of(low * (high / low) ** (i / CLOSELY)) for i in range(1, CLOSELY)]
        beside = [after for (cost, _), (_, after) in pairwise([*places, (math.inf, over)]) if cost <= x]
        had = min([had, *(y for cost, y in places if cost <= x)])
        return had, min([had, self.at(x)[1], *beside])


def assert_ahead(found, outcome, chosen):
    """At random costs within every stretch nobody is ahead of who is said to be, and nobody left out is as good."""
    searched = {one: Searched(outcome, found.curve(one), one) for one in found.series
                if found.curve(one).points(one)}
    before = max((each.least for each in searched.values()), default=0.0)
    last = min((each.most for each in searched.values()), default=math.inf)
    turns = len(found.stretches) > MOST_STRETCHES
    looked = 0
    for i, stretch in enumerate(found.stretches):
        end = min(stretch.end, last)
        ahead = {one for each in found.stretches for one in each.ahead} if turns else {*stretch.ahead}
        always = {one for one in ahead if all(one in each.ahead for each in found.stretches)} if turns else ahead
        beside = {one for each in found.stretches[max(i - 1, 0):i + 2] for one in each.ahead}
        for _ in range(PLACES if before > 0 and before * (1 + 1e-3) < end < math.inf else 0):
            x = before * (end / before) ** chosen.uniform(0.01, 0.99)
            if not ahead or not math.isfinite(min(each.at(x)[0] for each in searched.values())):
                continue
            looked += 1
            # Who overtakes is nearly as good before; of what goes in steps who is alike changes with each on the way.
            left_out = searched.keys() - (beside if turns or len(ahead) == 1 or found.step else ahead)
            said = None
            for look in (Searched.at, Searched.closely):
                at = {one: look(each, x) for one, each in searched.items()}
                if not (said := said_falsely(at, ahead, always, left_out, found.step)):
                    break
            assert not said, (said, stretch.ahead, {one.key: each for one, each in at.items()}, x)
        before = max(before, end)
    return looked


def said_falsely(at, ahead, always, left_out, step):
    """What is not so of who is said to be ahead, by the outcomes that each has and could have at the most."""
    best, reached = min(had for had, _ in at.values()), min(could for _, could in at.values())
    room = max(SAME * abs(best), step) * (1 + SLACK) + 1e-12
    if not all(at[one][1] <= best + room for one in always):
        return "one who is always ahead is behind"
    if not any(at[one][1] <= best + room for one in ahead):
        return "somebody else is ahead"
    room = max(SAME * abs(reached), step) * (1 - SLACK) - 1e-12
    return "" if all(at[one][0] > reached + room for one in left_out) else "one who is left out is as good"
