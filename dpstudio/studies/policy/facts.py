"""The single numbers of the policy study, each with its formula and its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Fact, Series
from dpstudio.core.sources import DMNS06, DR14, UTILITY
from dpstudio.models.policy import Chances
from dpstudio.studies.policy import figures as f
from dpstudio.studies.policy.compare import Case, Taken, response_of
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from dpstudio.studies.policy import Policy as Study


class Found:
    """What the facts are made of: today's probabilities, once for all regimes."""

    def __init__(self, study: Study, case: Case) -> None:
        self.case = case
        self.clipped = case.enclosed(clipped=True).chances(study.epsilon, study.cost)
        self.unclipped = case.enclosed(clipped=False).chances(study.epsilon, study.cost)
        act = np.array(float(case.exact_best))
        self.certain = Chances(act, 1 - act, act, act)
        self.taken = {series: self._taken(series, self.chances(series).act, self.chances(series).wait)
                      for series in f.REGIMES}

    def chances(self, series: Series) -> Chances:
        return self.clipped if series in (f.COUNTS, f.BOTH) else self.certain

    def ends(self, series: Series) -> tuple[Taken, Taken]:
        """What follows from the two ends of the probability of recommending to act."""
        chances = self.chances(series)
        return self._taken(series, chances.low, 1 - chances.low), self._taken(series, chances.high, 1 - chances.high)

    def _taken(self, series: Series, act: Array, wait: Array) -> Taken:
        return self.case.taken(act, wait, response_of(self.case, series))


def facts_of(study: Study, found: Found) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity."""
    facts = [*_of_the_truth(study, found), *_of_the_regimes(study, found), *_of_privacy(study, found)]
    return tuple(sorted(facts, key=lambda fact: PLACE[fact.key]))


def _of_the_truth(study: Study, found: Found) -> Iterator[Fact]:
    case, truth = found.case, found.case.truth
    at = f"C = {plain(study.cost)}, f = {plain(study.factor)}, d = {study.symptoms}"

    def fact(quantity: v.Quantity, value: float, how: str) -> Fact:
        return Fact(quantity, float(value), how=how, source=UTILITY)

    yield fact(v.UTILITY_WAITING, truth.no_action, f"Σ w π₀, d = {study.symptoms}")
    yield fact(v.UTILITY_ACTING, truth.action, f"f Σ w π₁ − C, {at}")
    yield fact(v.BEST_ACTION, float(truth.best_action), "E U₁ > E U₀; on a tie nobody acts")
    yield fact(v.UTILITY_BEST, truth.best, "the larger of both")
    yield fact(v.GAP, truth.gap, "|E U₁ − E U₀|")
    yield fact(v.BREAKEVEN_COST, truth.breakeven_cost, f"f Σ w π₁ − Σ w π₀, {at}")
    n = (f"n₀ = {plain(study.people)}, n₁ = {plain(study.people_treated)}, Beta({plain(study.prior_sick)}, "
         f"{plain(study.prior_well)})")
    yield fact(v.WAITING_SD, case.counted.no_action_sd, f"√Σ w² Var π₀ given exact counts, {n}")
    yield fact(v.ACTING_SD, case.counted.action_sd, f"f √Σ w² Var π₁ given exact counts, {n}")


def _of_the_regimes(study: Study, found: Found) -> Iterator[Fact]:
    for series in f.REGIMES:
        yield from _of_one(study, found, series)
    note = found.unclipped
    yield _fact(study, v.UNCLIPPED, f.COUNTS, [float(note.act), float(note.low), float(note.high)],
                f"Pr[posterior E U₁ > E U₀]; {_noise(study)}")


def _of_one(study: Study, found: Found, series: Series) -> Iterator[Fact]:
    truth, chances = found.case.truth, found.chances(series)
    noisy = series in (f.COUNTS, f.BOTH)
    three = found.taken[series], *found.ends(series)
    wrongs = [float(one.wrong) for one in three]
    least = float(found.taken[f.NONE].wrong)
    values: dict[v.Quantity, tuple[list[float], str]] = {
        v.RECOMMENDED: ([float(chances.act), float(chances.low), float(chances.high)],
                        f"Pr[posterior E U₁ > E U₀]; {_noise(study)}; counts put back to [0, n]" if noisy else
                        "the exact counts leave nothing to chance"),
        v.TAKEN: ([float(one.taken) for one in three],
                  "Pr[act is best]·Pr[yes | yes] + (1 − Pr[act is best])·Pr[yes | no]"),
        v.RIGHT: ([1 - wrong for wrong in wrongs], "1 − Pr[the other action]"),
        v.POLICY_UTILITY: ([truth.best - truth.gap * wrong for wrong in wrongs], "U* − gap·Pr[the other action]"),
        v.PRICE: ([truth.gap * (wrong - least) for wrong in wrongs], "utility without privacy, less this one"),
    }
    if truth.gap > 0:
        values[v.PRICE_SHARE] = [wrong - least for wrong in wrongs], "price/gap"
    for quantity, (numbers, how) in values.items():
        yield _fact(study, quantity, series, numbers, how, enclosed=noisy)


def _fact(study: Study, quantity: v.Quantity, series: Series, numbers: list[float], how: str, *,
          enclosed: bool = True) -> Fact:
    """A value, and for more than one symptom the ends that a lattice leaves open."""
    value = numbers[0]
    if not enclosed or study.symptoms == 1:
        return Fact(quantity, value, series, how=how, source=UTILITY)
    return Fact(quantity, value, series, "estimate", min(numbers), max(numbers), how, UTILITY)


def _noise(study: Study) -> str:
    lattice = "; the two weightiest terms exactly, the others on a lattice" if study.symptoms > 1 else ""
    return f"Laplace noise of scale 1/ε on 2d counts, ε = {plain(study.epsilon)}, d = {study.symptoms}{lattice}"


def _of_privacy(study: Study, found: Found) -> Iterator[Fact]:
    times = study.symptoms * (2 if study.arm_may_change else 1)
    decision = found.case.response.epsilon
    counts = times * study.epsilon
    words = f"{'2d' if study.arm_may_change else 'd'}·ε = {times} × {plain(study.epsilon)}"
    yield Fact(v.COUNTS_EPSILON, counts, how=f"{words}: one person is in so many counts", source=DMNS06)
    yield Fact(v.GUARANTEE_EPSILON, decision, f.DECISION, how="ε of the randomized response", source=UTILITY)
    yield Fact(v.PERSON_EPSILON, counts + decision, f.BOTH, "bound", source=DR14,
               how=f"{words}, and ε′ of their own decision; basic composition")


ORDER = (
    v.BEST_ACTION, v.RECOMMENDED, v.TAKEN, v.POLICY_UTILITY, v.PRICE, v.PERSON_EPSILON, v.RIGHT, v.PRICE_SHARE,
    v.UTILITY_WAITING, v.UTILITY_ACTING, v.GAP, v.BREAKEVEN_COST, v.FIRST_RECOMMENDED, v.LAST_RECOMMENDED,
    v.ALL_UTILITY, v.REGRET_PERSON, v.COUNTS_EPSILON, v.GUARANTEE_EPSILON, v.UNCLIPPED, v.WAITING_SD, v.ACTING_SD,
    v.UTILITY_BEST,
)  # fmt: skip
PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
"""The action first, how likely it comes about, what that yields and costs; then the truth, and simulation."""
