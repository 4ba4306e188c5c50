"""What many releases come to together, and what a guarantee for one record is worth to a group."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Mark, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.results import Column, Series
from dpstudio.core.study import Preset, Study
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.vocabulary import integers, reals

BASIC = Series("basic", "Basic")
ADVANCED = Series("advanced", "Advanced")
SIMPLE = Series("simple", "Simple optimal")
OPTIMAL = Series("optimal", "Optimal")
GAUSSIAN = Series("gaussian", "Gaussian")
ACCOUNTING = Series("accounting", "dp-accounting")

TIGHT = Series("generalized", "Tight")
TEXT = Series("printed", "g e^(gε) δ, printed")
FORMULA = Series("group_formula", "gδ, printed")
GROUPS = (TIGHT, TEXT, FORMULA)

X_RELEASES, X_SIZE, X_STEP = Column(v.RELEASES), Column(v.GROUP_RECORDS), Column(v.STEP)
TOTAL_TABLE, GROUP_TABLE, PLAN_TABLE = "total", "group", "plan"

_MARKS = (Mark("releases", draggable=True), Mark("budget", axis="y", draggable=True))
_WITHOUT_DELTA = "Without δ a group has none either"
_SIZE = Mark("group_size", draggable=True)

FIGURES = (
    Figure("total", "Total ε of k releases", TOTAL_TABLE,
           Axis(v.RELEASES, "log"), Axis(v.TOTAL_EPSILON, "log"),
           (*lines(X_RELEASES, v.TOTAL_EPSILON), *_MARKS),
           panel="total", switch="Log",
           caption="At a total δ of at most kδ + δ′. Optimal is the least ε that holds for all releases of this (ε, "
                   "δ); advanced and simple are basic where that is less."),
    Figure("total_linear", "Total ε of k releases", TOTAL_TABLE,
           Axis(v.RELEASES), Axis(v.TOTAL_EPSILON, low=0),
           (*lines(X_RELEASES, v.TOTAL_EPSILON), *_MARKS),
           panel="total", switch="Linear",
           caption="What k releases at (ε, δ) come to, with a total δ of at most kδ + δ′: the straight line is kε."),
    Figure("group", "δ for a group", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_DELTA, "log", floor=1e-15),
           (*lines(X_SIZE, v.GROUP_DELTA, GROUPS), _SIZE),
           panel="group", switch="δ", empty=_WITHOUT_DELTA,
           caption="The δ that goes with gε. Of the two that the thesis chapter prints, g e^(gε) δ holds; where gδ is "
                   "below the tight curve, a mechanism breaks it."),
    Figure("group_cost", "δ against the tight one", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_COST, "log"),
           (*lines(X_SIZE, v.GROUP_COST, GROUPS), _SIZE),
           panel="group", switch="Ratio", empty=_WITHOUT_DELTA,
           caption="Above 1 a formula asks for more δ than needed; below 1 it promises what does not hold."),
    Figure("plan", "A plan of unlike releases, step by step", PLAN_TABLE,
           Axis(v.STEP), Axis(v.PLAN_EPSILON, low=0),
           (*lines(X_STEP, v.PLAN_EPSILON, (BASIC, OPTIMAL, ACCOUNTING)), Mark("budget", axis="y", draggable=True)),
           empty="The plan is empty: it spends nothing",
           caption="Upper bounds on the total ε at a total δ of δ′, after each release: Laplace noise first, then "
                   "randomized responses, then Gaussian noise."),
    *profile_figures(Mark("budget", draggable=True)),
    attack_figure(promise="grey: what the allowed ε and δ promise"),
)

PLAN, GROUP = "Plan of unlike releases", "Group"
_FEW, _SPENT = integers(0, 100), ("spends less", "spends more")

MOST_COUNTED = 10_000
"""The most releases that are composed, and looked for."""

OUTCOMES = (
    Outcome(v.COUNT_ERROR_95, "Error of each release against their total ε",
            "A count with Laplace noise, released k times; at a total δ of at most kδ + δ′ but for basic composition.",
            cost=v.TOTAL_EPSILON, series=(BASIC, ADVANCED, SIMPLE, OPTIMAL), span=(1e-3, 5), per="releases"),
)


@dataclass(frozen=True)
class Budget(Study):
    """Compare the accounts of k releases: basic, advanced, optimal and Gaussian composition, and a plan of your own."""

    key = "budget"
    place = 7
    title = "Budget"
    question = "What do many releases cost together?"
    pictures = FIGURES
    outcomes = OUTCOMES
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
