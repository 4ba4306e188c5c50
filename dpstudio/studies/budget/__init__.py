"""What many releases come to together, and what a guarantee for one record is worth to a group."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.budget.figures import FIGURES
from dpstudio.vocabulary import integers, reals

PLAN, GROUP = "Plan of unlike releases", "Group"
_FEW, _SPENT = integers(0, 100), ("spends less", "spends more")

MOST_COUNTED = 10_000
"""The most releases that are composed, and looked for."""


@dataclass(frozen=True)
class Budget(Study):
    """Compare the accounts of k releases: basic, advanced, optimal and Gaussian composition, and a plan of your own."""

    key = "budget"
    place = 7
    title = "Budget"
    question = "What do many releases cost together?"
    figures = FIGURES
    presets = (
        Preset("hundred", "A hundred small releases", "100 releases at ε = 0.1: basic composition says 10, the "
               "optimum is 4.78.",
               {"epsilon": 0.1, "delta": 0.0, "slack": 1e-6, "releases": 100, "budget": 5.0}),
        Preset("large_steps", "Advanced is worse", "100 releases at ε = 1: the formula of advanced composition "
               "says 224, basic composition 100.",
               {"epsilon": 1.0, "delta": 0.0, "slack": 1e-6, "releases": 100, "budget": 100.0}),
        Preset("group", "A group of two", "ε = 1, δ = 0.01 and two records of one person: the printed 2δ = 0.02 is "
               "false, 0.0372 is tight.",
               {"epsilon": 1.0, "delta": 0.01, "group_size": 2, "releases": 2, "budget_delta": 0.05}),
    )

    epsilon: float = parameter(v.EPSILON, 0.1, domain=reals(1e-6, 10), shown=(1e-3, 5),
                               ends=("more private", "more useful"))
    delta: float = parameter(v.STEP_DELTA, 1e-8, domain=reals(0, 0.5), shown=(1e-14, 0.01),
                             ends=("more private", "more useful"))
    releases: int = parameter(v.RELEASES, 100, domain=integers(1, MOST_COUNTED), shown=(1, MOST_COUNTED),
                              ends=_SPENT)
    slack: float = parameter(v.ALLOWANCE, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.01),
                             ends=("more private", "smaller ε"))
    budget: float = parameter(v.BUDGET, 5.0, domain=reals(1e-6, 1e5), shown=(0.01, 100),
                              ends=("more private", "more releases"))
    budget_delta: float = parameter(v.BUDGET_DELTA, 1e-5, domain=reals(0, 0.5), shown=(1e-12, 0.1),
                                    ends=("more private", "more releases"))
    group_size: int = parameter(v.GROUP_RECORDS, 3, domain=integers(1, 10_000), shown=(1, 1000), group=GROUP,
                                ends=("one record", "many of one person"))
    plan_counts: int = parameter(v.PLAN_COUNTS, 10, domain=_FEW, shown=(0, 100), group=PLAN, ends=_SPENT)
    plan_count_epsilon: float = parameter(v.PLAN_COUNT_EPSILON, 0.1, domain=reals(1e-3, 5), shown=(0.01, 5), group=PLAN,
                                          ends=_SPENT)
    plan_answers: int = parameter(v.PLAN_ANSWERS, 5, domain=_FEW, shown=(0, 100), group=PLAN, ends=_SPENT)
    plan_answer_epsilon: float = parameter(v.PLAN_ANSWER_EPSILON, 0.2, domain=reals(1e-3, 5), shown=(0.01, 5),
                                           group=PLAN, ends=_SPENT)
    plan_sums: int = parameter(v.PLAN_SUMS, 10, domain=_FEW, shown=(0, 100), group=PLAN, ends=_SPENT)
    plan_multiplier: float = parameter(v.NOISE_MULTIPLIER, 10.0, domain=reals(0.1, 1e4), shown=(0.5, 100), group=PLAN,
                                       ends=("spends more", "spends less"))
