"""Further decisions that somebody may compare: which groups to show where their names are secret, and whole noise.

Groups that are shown are decided one by one, each with its share of ε and δ where a person may be in κ of them, and a
group of nobody never is: their own study says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.special import ndtri

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, each, table
from dpstudio.core.guarantee import Guarantee, Law, groups_of
from dpstudio.core.results import Series, Span, Table
from dpstudio.core.sources import BW18, CKS20, DVGM22, GRS12, WZLDSG20
from dpstudio.mechanisms.decision import (
    Decision,
    DiscreteGaussianDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
    Particular,
    gaussian_selection,
    geometric_selection,
    laplace_selection,
    optimal_selection,
)
from dpstudio.mechanisms.decision.selection import share
from dpstudio.mechanisms.laws import Shifted, Telling
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import decision as f
from dpstudio.studies.decision.compared import Compared
from dpstudio.studies.kit.tables import curves, within

POINTS = 241
LEAST_DELTA = 1e-290
"""A smaller δ, shared, is lost in the doubles."""


@dataclass(frozen=True)
class Selected(Compared):
    """The decision whether one group is shown, under its own share of the guarantee."""

    partitions: int = 1
    """How many groups a person may be in."""
    whole: tuple[float, float] = (0.0, 0.0)
    """(ε, δ) of all of them."""

    @property
    def claim(self) -> float:
        """δ′: of Gaussian noise δ, for it is made for all groups together."""
        return self.study.delta

    @property
    def asked_delta(self) -> float:
        return self.whole[1]

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What is promised of one person in κ groups: of one group by its exact law, of several by a bound."""
        if self.partitions == 1:
            return super().guarantee
        epsilon, delta = self.whole
        law: Law
        if isinstance(self.decision, GaussianDecision):
            # The noise of all groups together, and beside it the thresholds, which may show that a group is there.
            law = Telling(delta / 2, Shifted(self.decision.mu * math.sqrt(self.partitions)))
        else:
            from dpstudio.mechanisms.composition import WorstReleases  # slow to import, and few compare groups

            law = WorstReleases(self.study.epsilon, self.delta, self.partitions)
            delta = -math.expm1(self.partitions * math.log1p(-self.delta)) if self.delta < 1 else 1.0
        return Guarantee(groups_of(self.partitions), epsilon, delta, law, self.decision.delta_source, "bound")

    @property
    def epsilon_how(self) -> str:
        if self.partitions == 1 or self.study.epsilon == self.whole[0]:
            return super().epsilon_how
        return "ε/κ = {epsilon}/{partitions}, of one group"

    @property
    def particulars(self) -> tuple[Particular, ...]:
        match self.decision:
            case LaplaceDecision() as one:
                how = "T = 1 + κ ln(1/(2δ′))/ε, where one user is shown with δ′ = 1 − (1 − δ)^(1/κ)"
                return (Particular(v.THRESHOLD, one.threshold, how, WZLDSG20),)
            case GaussianDecision() as one:
                noise = ("μ of one group, 1/σ: the least σ with which √κ-sensitive counts are (ε, δ/2)-DP"
                         if self.partitions > 1 else "1/σ, the least σ of (ε, δ/2)")
                at = one.minimum - float(ndtri(one.target)) / one.mu
                how = "T = 1 + σ Φ⁻¹(1 − δ′), where one user is shown with δ′ = 1 − (1 − δ/2)^(1/κ)"
                return Particular(v.MU, one.mu, noise, BW18), Particular(v.THRESHOLD, at, how, BW18)
        return super().particulars

    def needed(self, probability: float) -> float:
        """The fewest users with whom a group is shown so often; one at least, for nobody's group never is."""
        return max(float(self.decision.smallest_n(probability)), 1.0)


# What is compared

def _selecting(make: Callable[[float, float, int], Decision]) -> Callable[[Any], Compared | None]:
    def build(a: Any) -> Compared | None:
        s = a.study
        epsilon, delta = s.epsilon / s.partitions, s.delta / (2 * s.partitions)
        if delta < LEAST_DELTA or s.parameter("epsilon").domain.accept(epsilon) is None:
            return None
        decision = make(s.epsilon, s.delta, s.partitions)
        # Gaussian noise is made for all groups of a person at once: of one group no smaller ε is claimed.
        own = (s.epsilon, s.delta) if decision.needs_delta and isinstance(decision, GaussianDecision) else share(
            s.epsilon, s.delta, s.partitions)
        return Selected(s.replace(epsilon=own[0], delta=own[1], zero_refused=True), decision, None,
                        partitions=s.partitions, whole=(s.epsilon, s.delta))

    return build


def _discrete_laplace(a: Any) -> Compared:
    """A count with two-sided geometric noise and one of two neighbouring thresholds: what is steepest without δ."""
    s = a.study
    return Compared(s, GeneralizedDecision(s.epsilon, 0.0, s.minimum, s.target), None)


def _discrete_gaussian(a: Any) -> Compared | None:
    s = a.study
    if s.delta < LEAST_DELTA:
        return None
    return Compared(s, DiscreteGaussianDecision.for_guarantee(s.epsilon, s.delta, s.minimum, s.target), None)


FURTHER: tuple[Entry[Any, Compared], ...] = (
    *(Entry(series, _selecting(make), source, ("others", "selection")) for series, make, source in (
        (f.OPTIMAL_SELECTION, optimal_selection, DVGM22), (f.GEOMETRIC_SELECTION, geometric_selection, DVGM22),
        (f.LAPLACE_SELECTION, laplace_selection, WZLDSG20), (f.GAUSSIAN_SELECTION, gaussian_selection, BW18))),
    Entry(f.DISCRETE_LAPLACE, _discrete_laplace, GRS12, ("others", "discrete")),
    Entry(f.DISCRETE_GAUSSIAN, _discrete_gaussian, CKS20, ("others", "discrete")),
)


# Facts

def _is_of_groups(one: Compared) -> bool:
    return isinstance(one, Selected)


def _is_of_several(one: Compared) -> bool:
    """Whether one person may be in several groups."""
    return isinstance(one, Selected) and one.partitions > 1


GROUP_FACTS: tuple[Declaration[Any, Any, Any], ...] = (
    each(v.USERS_NEEDED, lambda one: one.needed(one.study.target), "the least n ≥ 1 with f(n) ≥ {target}",
         when=_is_of_groups),
    each(v.USERS_HALF, lambda one: one.needed(0.5), "the least n ≥ 1 with f(n) ≥ ½", when=_is_of_groups),
    each(v.LEAST_SHOWN, lambda one: one.needed(math.ulp(0.0)), "the least n ≥ 1 with f(n) > 0; f(0) = 0",
         when=_is_of_groups),
    each(v.SHOWN_ALONE, lambda one: float(one.accept_probability(1)), "f(1)", when=_is_of_groups),
)


def _person_delta(one: Selected) -> Said:
    if isinstance(one.decision, GaussianDecision):
        return Said(one.whole[1], "δ/2 for the noise and δ/2 for the thresholds of all groups", BW18, "bound")
    together = -math.expm1(one.partitions * math.log1p(-one.delta))
    return Said(together, "1 − (1 − δ′)^κ, δ′ of one group: who is alone in κ groups makes one appear so often")


PERSON_FACTS: tuple[Declaration[Any, Any, Any], ...] = (
    each(v.GROUPS_EPSILON, lambda one: one.whole[0], "ε = {epsilon}, add or remove one person, who may be in "
         "{partitions} groups", when=_is_of_several),
    each(v.GROUPS_DELTA, _person_delta, when=_is_of_several),
)


# Table

def _groups(a: Answer[f.Decision, Compared, Any]) -> dict[Series, Selected]:
    return {series: one for series, one in a.ones.items() if isinstance(one, Selected)}


def _groups_view(a: Answer[f.Decision, Compared, Any]) -> Span:
    """From nobody to where all groups are shown but for the tail."""
    return 0.0, float(np.ceil(1.15 * max((one.band.high for one in _groups(a).values()), default=8.0)) + 1)


def _groups_table(a: Answer[f.Decision, Compared, Any], view: Span) -> Table:
    """How likely groups of each number of users are shown, and how likely not."""
    low, high = within(view, 0.0, float(v.EXACT_INTEGERS))
    n = np.unique(np.rint(np.linspace(np.floor(low), np.ceil(high), POINTS)))
    return Table({f.X_USERS: n} | curves(
        _groups(a), lambda one: (one.accept_probability(n), one.reject_probability(n)), v.SHOWN, v.NOT_SHOWN))


GROUP_TABLES: Mapping[str, Tabled[Any, Any]] = {f.GROUPS_TABLE: table(_groups_table, _groups_view)}
