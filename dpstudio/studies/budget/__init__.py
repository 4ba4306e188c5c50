"""What many releases come to together, and what a guarantee for one record is worth to a group."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Mark, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import integers, reals

BASIC = Series("basic", "Basic")
ADVANCED = Series("advanced", "Advanced")
SIMPLE = Series("simple", "Optimal, closed form")
OPTIMAL = Series("optimal", "Optimal")
GAUSSIAN = Series("gaussian", "Gaussian releases")
ZCDP = Series("zcdp", "zCDP", "matched")
RENYI = Series("renyi", "Rényi (RDP)", "geometric")
ACCOUNTING = Series("accounting", "dp-accounting")
GAUSSIAN_ZCDP = Series("gaussian_zcdp", "Gaussian by zCDP", "gaussian")
COMPOSED = (BASIC, ADVANCED, SIMPLE, OPTIMAL, GAUSSIAN)
"""What the picture of the totals shows; the others are drawn against the exact totals."""
BESIDE_EXACT = (SIMPLE, ZCDP, RENYI, GAUSSIAN_ZCDP)
ON_SAMPLE = Series("sample", "ln(1 + q(e^ε − 1))", "best")
PROPORTIONAL = Series("proportional", "qε, too small", "printed")

TIGHT = Series("generalized", "Tight")
TEXT = Series("printed", "g e^(gε) δ, too large")
FORMULA = Series("group_formula", "gδ, too small")
GROUPS = (TIGHT, TEXT, FORMULA)

X_RELEASES, X_SIZE, X_STEP, X_RATE = (
    Column(v.RELEASES), Column(v.GROUP_RECORDS), Column(v.STEP), Column(v.SAMPLING_RATE))
TOTAL_TABLE, OVER_TABLE, GROUP_TABLE, PLAN_TABLE, RATE_TABLE = "total", "over", "group", "plan", "rate"

_MARKS = (Mark("releases", draggable=True), Mark("budget", axis="y", draggable=True))
_WITHOUT_DELTA = "Without δ a group has none either"
_SIZE = Mark("group_size", draggable=True)

FIGURES = (
    Figure("total", "Total ε of k releases", TOTAL_TABLE,
           Axis(v.RELEASES, "log"), Axis(v.TOTAL_EPSILON, "log"),
           (*lines(X_RELEASES, v.TOTAL_EPSILON, COMPOSED), *_MARKS),
           panel="total",
           caption="Total ε at a total δ of at most kδ + δ′. The level line is the budget."),
    Figure("total_linear", "Total ε of k releases, linear", TOTAL_TABLE,
           Axis(v.RELEASES), Axis(v.TOTAL_EPSILON, low=0),
           (*lines(X_RELEASES, v.TOTAL_EPSILON, COMPOSED), *_MARKS),
           panel="total",
           caption="Total ε at a total δ of at most kδ + δ′. The straight line is basic composition, kε."),
    Figure("over", "ε of an account / least ε", OVER_TABLE,
           Axis(v.RELEASES, "log"), Axis(v.OVER_EXACT, low=1),
           (*lines(X_RELEASES, v.OVER_EXACT, BESIDE_EXACT), Mark("releases", draggable=True)),
           panel="total", empty="No account but the optimal one has an ε above 0 here",
           caption="How many times the least ε each account shows, at the same δ. At 1 it is exact."),
    Figure("group", "δ for a group", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_DELTA, "log", floor=1e-15),
           (*lines(X_SIZE, v.GROUP_DELTA, GROUPS), _SIZE),
           panel="group", empty=_WITHOUT_DELTA,
           caption="The δ of a person with g records, at gε. A formula below the tight curve is false."),
    Figure("group_cost", "δ / tight δ", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_COST, "log"),
           (*lines(X_SIZE, v.GROUP_COST, GROUPS), _SIZE),
           panel="group", empty=_WITHOUT_DELTA,
           caption="Above 1 a formula asks for more δ than needed; below 1 it is false."),
    Figure("rate", "ε of one release on a sample", RATE_TABLE,
           Axis(v.SAMPLING_RATE, "log"), Axis(v.RELEASE_EPSILON, "log"),
           (*lines(X_RATE, v.RELEASE_EPSILON, (ON_SAMPLE, PROPORTIONAL)), Mark("rate", draggable=True),
            Mark("epsilon", axis="y")),
           panel="group",
           caption="ε of one release that draws each person with probability q. Below q = 1 it is larger than qε."),
    Figure("plan", "Total ε of the plan, step by step", PLAN_TABLE,
           Axis(v.STEP), Axis(v.PLAN_EPSILON, low=0),
           (*lines(X_STEP, v.PLAN_EPSILON, (BASIC, OPTIMAL, ACCOUNTING)), Mark("budget", axis="y", draggable=True)),
           empty="The plan is empty: it spends nothing",
           caption="Upper bounds on the total ε at δ′ after each release: Laplace, then responses, then Gaussian."),
    *profile_figures(Mark("budget", draggable=True), series=COMPOSED),
    attack_figure(series=COMPOSED, promise="grey: what the budget allows"),
)

PLAN, GROUP, SAMPLE = "Plan of unlike releases", "Group", "Sample"
_FEW, _SPENT = integers(0, 100), ("spends less", "spends more")

MOST_COUNTED = 10_000
"""The most releases that are composed, and looked for."""

OUTCOMES = (
    Outcome(v.COUNT_ERROR_95, "Error per release by total ε",
            "95 % error of a count with Laplace noise, by the ε of all k at the budget’s δ.",
            cost=v.EPSILON_AT_DELTA, series=(BASIC, ADVANCED, SIMPLE, OPTIMAL), span=(1e-3, 5), per="releases",
            risks=False),
)


@dataclass(frozen=True)
class Budget(Study):
    """Compare the accounts of k releases, exact ones beside zCDP and Rényi’s, of all people or of some; make a plan."""

    key = "budget"
    title = "Budget"
    question = "What do many releases cost together?"
    asked = ("budget", "budget_delta")
    several = True
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("hundred", "A hundred small releases", "100 releases at ε = 0.1: basic composition says 10, the "
               "least ε is 4.78 at δ = 10⁻⁶.",
               {"epsilon": 0.1, "delta": 0.0, "slack": 1e-6, "releases": 100, "budget": 5.0}),
        Preset("large_steps", "Advanced is worse", "100 releases at ε = 1: the formula of advanced composition "
               "says 224, basic composition 100.",
               {"epsilon": 1.0, "delta": 0.0, "slack": 1e-6, "releases": 100, "budget": 100.0}),
        Preset("group", "A group of two", "ε = 1, δ = 0.01 and two records of one person: 2δ = 0.02, as a text has "
               "it, is too small; 0.0372 is tight.",
               {"epsilon": 1.0, "delta": 0.01, "group_size": 2, "releases": 2, "budget_delta": 0.05}),
        Preset("sample", "A sample of one in a hundred", "1 000 releases at ε = 1, each on 1 % of the people: together "
               "ε = 2.45; 1 000 on everybody have 592.",
               {"epsilon": 1.0, "delta": 0.0, "slack": 1e-6, "releases": 1000, "rate": 0.01, "budget": 5.0}),
    )

    level_one = LevelOne(
        ("epsilon", "releases", "budget", "delta", "budget_delta"),
        (v.LEAST_TOTAL, v.MOST_WITHIN, v.TOTAL_EPSILON, v.TOTAL_DELTA, v.COUNT_ERROR_95),
        (OPTIMAL, GAUSSIAN, ADVANCED, BASIC), "total", ("frontier", "plan", "group"),
        ("risk", "error", "error_of_sample"), wanted=v.LEAST_TOTAL)
    door = Door(*SIGNS["budget"], (Ask("releases", "How many releases?"), Ask("epsilon", "Each at ε"),
                                   Ask("budget", "Budget")),
                further={"plan": "Unlike releases, with what is wanted of each"})

    epsilon: float = kit.epsilon(0.1, reals(1e-6, 10), (1e-3, 5))
    delta: float = kit.delta(1e-8, reals(0, 0.5), v.STEP_DELTA, shown=(1e-14, 0.01))
    releases: int = parameter(v.RELEASES, 100, domain=integers(1, MOST_COUNTED), shown=(1, MOST_COUNTED),
                              ends=_SPENT)
    slack: float = parameter(v.ALLOWANCE, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.01),
                             ends=("more private", "smaller ε"))
    budget: float = parameter(v.BUDGET, 5.0, domain=reals(1e-6, 1e5), shown=(0.01, 100),
                              ends=("more private", "more releases"))
    budget_delta: float = parameter(v.BUDGET_DELTA, 1e-5, domain=reals(0, 0.5), shown=(1e-12, 0.1),
                                    ends=("more private", "more releases"))
    rate: float = parameter(v.SAMPLING_RATE, 1.0, domain=reals(1e-6, 1), shown=(1e-4, 1), group=SAMPLE,
                            ends=("more private", "everybody"))
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

    @property
    def planned(self) -> int:
        """How many releases the plan has."""
        return self.plan_counts + self.plan_answers + self.plan_sums
