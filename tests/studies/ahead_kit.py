"""Who is said to be ahead on a frontier, searched anew among all that every series comes to and costs."""

from __future__ import annotations

import math

from dpstudio.core.frontier.ahead import MOST_STRETCHES, SAME

HALVINGS, PLACES = 8, 2
SLACK = 0.05
"""Part of what is said to be the same by which a search may be off."""


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
        if last + 1 == len(self.found):
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
            at = {one: each.at(x) for one, each in searched.items()}
            best, reached = min(had for had, _ in at.values()), min(could for _, could in at.values())
            if not math.isfinite(best) or not ahead:
                continue
            looked += 1
            room = max(SAME * abs(best), found.step) * (1 + SLACK) + 1e-12
            said = (stretch.ahead, {one.key: each for one, each in at.items()}, x)
            assert all(at[one][1] <= best + room for one in always), said
            assert any(at[one][1] <= best + room for one in ahead), said
            room = max(SAME * abs(reached), found.step) * (1 - SLACK) - 1e-12
            # Who overtakes is nearly as good before; of what goes in steps who is alike changes with each on the way.
            left_out = searched.keys() - (beside if turns or len(ahead) == 1 or found.step else ahead)
            assert all(at[one][0] > reached + room for one in left_out), said
        before = max(before, end)
    return looked
