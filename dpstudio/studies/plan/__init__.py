"""Several unlike releases: what each is wanted for, the least that all cost, and how a budget is best split."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Bars, Figure, Line, Mark, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import Relation
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.vocabulary import integers, reals

PURE = Series("pure", "Laplace and discrete Laplace", "laplace")
GAUSSIAN = Series("gaussian", "Gaussian")
MIXED = Series("mixed", "The better for each", "best")
COMPARED = (PURE, GAUSSIAN, MIXED)
EVEN = Series("even", "Even split", "basic")
WANTED = Series("wanted", "As wanted", "promise")
BARS = (PURE, GAUSSIAN, EVEN, MIXED)
"""What is drawn of each release: what is there everywhere first."""

X_RELEASE, X_PRECISION, X_YEARS = Column(v.RELEASE_NUMBER), Column(v.PRECISION), Column(v.YEARS_SO_FAR)
SPLIT_TABLE, TOTAL_TABLE, YEAR_TABLE = "split", "total", "year"

_EMPTY = "The plan has no release yet: add one"
_BUDGET = Mark("budget", axis="y", draggable=True)

FIGURES = (
    Figure("split", "Share of the total", SPLIT_TABLE,
           Axis(v.RELEASE_NUMBER), Axis(v.RELEASE_SHARE, low=0),
           tuple(Bars(X_RELEASE, Column(v.RELEASE_SHARE, each)) for each in BARS),
           panel="split", empty=_EMPTY, named=lambda a: a.names,
           caption="What part of the total each release of the plan has, in its order, beside an even split."),
    Figure("errors", "Error over what is wanted", SPLIT_TABLE,
           Axis(v.RELEASE_NUMBER), Axis(v.OVER_WANT, low=0),
           (*(Bars(X_RELEASE, Column(v.OVER_WANT, each)) for each in BARS),
            Line(X_RELEASE, Column(v.OVER_WANT, WANTED))),
           panel="split", empty=_EMPTY, named=lambda a: a.names,
           caption="The error of each release over what is wanted of it; above 1 (level line) the want is missed."),
    Figure("total", "Total ε by precision", TOTAL_TABLE,
           Axis(v.PRECISION, "log"), Axis(v.LEAST_TOTAL, "log"),
           (*lines(X_PRECISION, v.LEAST_TOTAL, (PURE, GAUSSIAN)), Mark("precision", draggable=True), _BUDGET),
           panel="total", empty=_EMPTY,
           caption="Least total ε at the budget’s δ with every want divided by c. The level line is the budget."),
    Figure("year", "Total ε by year", YEAR_TABLE,
           Axis(v.YEARS_SO_FAR), Axis(v.LEAST_TOTAL, low=0),
           (*lines(X_YEARS, v.LEAST_TOTAL), Mark("years", draggable=True), _BUDGET),
           panel="total", empty=_EMPTY,
           caption="Total ε at the budget’s δ after so many years of this plan. The level line is the budget."),
    *profile_figures(Mark("budget"), Mark("budget_delta", axis="y")),
    attack_figure(promise="grey: what the budget allows"),
)

OUTCOMES = (
    Outcome(v.WORST_OVER_WANT, "Worst error over want against ε",
            "All wants divided by the same number, by the ε of all releases at the budget’s δ.",
            over=("precision",), given={"goal": "wants"}, cost=v.LEAST_TOTAL, series=(PURE, GAUSSIAN),
            span=(0.05, 10), risks=False),
)

TOGETHER = "Together"
DEFAULT = "count within=30;count within=30;count within=30;count within=100;count within=10"

PERSON = Relation("person", "One person more or less", "whether one person is in the data", "one person",
                  "neighbours differ by one person, added or removed", kind="person")
MOVING = Relation("moving", "One person more or less, or in another group", "whether, and in which group, one person "
                  "is", "one person", "neighbours differ by one person, who is added, removed or moved to another "
                  "group", kind="person")


@dataclass(frozen=True)
class Plan(Study):
    """Compare noises on a plan of unlike releases: what meets every want at least cost, and the best split of a budget.
    """

    key = "plan"
    title = "Plan"
    question = "What do several releases cost, and how is the budget best split?"
    asked = ("budget", "budget_delta")
    several = True
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("five_counts", "Five counts", "Five counts wanted within 30, 30, 30, 100 and 10: an even split of the "
               "same ε misses one want 2.5-fold.", {"releases": DEFAULT, "confidence": 0.95}),
        Preset("survey", "A survey a quarter", "A survey, a mean, a table and a yes or no, four times a year.",
               {"releases": "satisfied: response within=2 people=20000 times=4;age: mean within=0.5 upper=100 "
                            "people=20000 times=4;regions: table within=40 groups=12 times=4;"
                            "enough: decision within=25 times=4",
                "budget": 8.0}),
        Preset("diaries", "A count beside diaries", "A count within 3, and a table in which a person is in 20 cells: "
               "discrete Laplace noise on the count and Gaussian noise on the table cost least.",
               {"releases": "visitors: count within=3;diaries: table within=150 groups=400 most=20", "budget": 2.0}),
        Preset("groups", "Two schools", "Releases about two schools that share no pupil cost as much as the dearer of "
               "both.", {"releases": "pupils A: count within=10 group=1;pupils B: count within=10 group=2;both: count "
                                     "within=40"}),
        Preset("afterwards", "Something was released before", "ε = 0.4 is spent: what is left is split among three "
               "counts.", {"releases": "before: spent epsilon=0.4;a: count within=20;b: count within=40;"
                                       "c: count within=80", "goal": "worst"}),
    )
    level_one = LevelOne(
        ("budget", "releases", "budget_delta", "goal"),
        (v.LEAST_TOTAL, v.WORST_OVER_WANT, v.EVEN_OVER_WANT, v.LEFT, v.LEFT_WITHIN, v.MOST_YEARS),
        COMPARED, "split", ("errors", "frontier", "total", "year"), ("risk", "even"), wanted=v.LEAST_TOTAL)

    budget: float = parameter(v.BUDGET, 1.0, domain=reals(1e-6, 1e5), shown=(0.01, 100),
                              ends=("more private", "more releases"))
    releases: str = parameter(v.PLAN_RELEASES, DEFAULT)
    confidence: float = parameter(v.EACH_CONFIDENCE, 0.95, domain=reals(0.5, 1 - 1e-9, open="low"), shown=(0.6, 0.999),
                                  ends=("cheaper", "more certain"))
    budget_delta: float = parameter(v.BUDGET_DELTA, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.1),
                                    ends=("more private", "more releases"))
    goal: str = parameter(v.PLAN_GOAL, "wants")
    change: str = parameter(v.GROUP_CHANGE, "add_or_remove", group=TOGETHER)
    precision: float = parameter(v.PRECISION, 1.0, domain=reals(1e-3, 1e3), shown=(0.1, 10), group=TOGETHER,
                                 ends=("cheaper", "more exact"), when=("goal", "wants"))
    years: int = parameter(v.YEARS, 1, domain=integers(1, 100), shown=(1, 20), group=TOGETHER,
                           ends=("spends less", "spends more"))

    @property
    def relation(self) -> Relation:
        """One person more or less, who may also move to another group."""
        return MOVING if self.change == "move" else PERSON
