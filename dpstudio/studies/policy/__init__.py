"""Whether to treat people, from private counts and by randomized decisions: what does each cost in utility?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import AtMost, Follow, InvalidParameter, parameter
from dpstudio.core.figure import Axis, Figure, Layer, Level, Line, Mark, band, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import Relation
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.vocabulary import integers, reals

NONE = Series("open", "No privacy")
COUNTS = Series("laplace", "Private counts")
DECISION = Series("response", "Private decisions")
BOTH = Series("both", "Both private")
NOTE = Series("raw", "Counts not clipped")
WAITING = Series("waiting", "Nobody treated")
ACTING = Series("acting", "All treated")
SHARES = {Series(f"level{i}", f"{100 * share:g} % lost"): share for i, share in enumerate((0.4, 0.2, 0.1, 0.02), 1)}
"""Price of privacy on the lines of the map, as a part of the gain of the right choice."""

X_COST = Column(v.COST)
X_EPSILON = Column(v.COUNT_EPSILON)
X_DECISION = Column(v.ACT_EPSILON)
X_BATCH = Column(v.POLICY_BATCH)
UTILITY_SEEN = Estimated(v.SEEN_UTILITY, v.SEEN_UTILITY_LOW, v.SEEN_UTILITY_HIGH)
REGRET_SEEN = Estimated(v.REGRET, v.REGRET_LOW, v.REGRET_HIGH)
COST_TABLE, COUNTS_TABLE, DECISION_TABLE, TIME_TABLE, MAP_TABLE = "cost", "counts", "decision", "time", "map"

_SYMMETRIC = ("design", "symmetric")
_COUNT = Mark("epsilon", draggable=True)


def _arm(series: Series) -> tuple[Layer, ...]:
    return band(X_COST, v.UTILITY_LOW, v.UTILITY_HIGH, series), Line(X_COST, Column(v.UTILITY, series))


def _batches(found: Estimated) -> tuple[Layer, ...]:
    return band(X_BATCH, found.low, found.high), *lines(X_BATCH, found.value)


FIGURES = (
    Figure("cost", "Utility by cost", COST_TABLE,
           Axis(v.COST, low=0), Axis(v.UTILITY),
           (*_arm(WAITING), *_arm(ACTING), Line(X_COST, Column(v.UTILITY, BOTH)),
            Level(v.BREAKEVEN_COST, axis="x"), Mark("cost", draggable=True)),
           caption="Expected utility by cost; left of C* treating is right. Bands: what exact counts leave uncertain."),
    Figure("counts", "Price by ε of the counts", COUNTS_TABLE,
           Axis(v.COUNT_EPSILON, "log"), Axis(v.POLICY_UTILITY),
           (*lines(X_EPSILON, v.POLICY_UTILITY, (NONE, COUNTS, DECISION, BOTH)), _COUNT),
           panel="price",
           caption="Expected utility by the ε of each count. The distance to “No privacy” is the price of privacy."),
    Figure("unclipped", "Counts as noise leaves them", COUNTS_TABLE,
           Axis(v.COUNT_EPSILON, "log"), Axis(v.POLICY_UTILITY),
           (*lines(X_EPSILON, v.POLICY_UTILITY, (NONE, COUNTS, NOTE)), _COUNT),
           panel="price",
           caption="Expected utility where noisy counts are clamped to [0, n], and where they are not."),
    Figure("decision", "Price by ε of the decisions", DECISION_TABLE,
           Axis(v.ACT_EPSILON, low=0), Axis(v.POLICY_UTILITY),
           (*lines(X_DECISION, v.POLICY_UTILITY, (NONE, DECISION, BOTH)),
            Mark("decision_epsilon", draggable=True, when=_SYMMETRIC)),
           panel="price",
           caption="Expected utility by ε′. A decision is reversed with probability 1/(1 + e^ε′)."),
    Figure("utility", "Utility of each batch", TIME_TABLE,
           Axis(v.POLICY_BATCH), Axis(v.SEEN_UTILITY),
           (*_batches(UTILITY_SEEN), Level(v.UTILITY_BEST)),
           panel="time",
           caption="Mean of simulated programmes with 95 % intervals. Level line: the right choice for all."),
    Figure("regret", "Regret over time", TIME_TABLE,
           Axis(v.POLICY_BATCH), Axis(v.REGRET, low=0), _batches(REGRET_SEEN),
           panel="time",
           caption="Utility lost on all people so far against the right choice, with 95 % intervals of the mean."),
    Figure("map", "Price over both ε", MAP_TABLE,
           Axis(v.COUNT_EPSILON, "log"), Axis(v.ACT_EPSILON, low=0, high=8),
           (*(Line(Column(v.COUNT_EPSILON, series), Column(v.ACT_EPSILON, series), named=True) for series in SHARES),
            Line(Column(v.COUNT_EPSILON, BOTH), Column(v.ACT_EPSILON, BOTH), label="As much as today", named=True),
            _COUNT, Mark("decision_epsilon", axis="y", draggable=True, when=_SYMMETRIC)),
           panel="equal_prices",
           caption="Lines of equal price / gain. Along “As much as today” both ε may change at the same price."),
)

SYMPTOMS, COHORT, RANDOMIZED = "Further symptoms", "First cohort", "Randomized decision"
TIME, PRIOR = "Over time", "Prior"
_WEIGHT, _TWO = reals(-1e6, -1e-6), {"symptoms": 2, "weight": -10.0, "mild_weight": -1.0, "untreated": 0.3,
                                     "mild_untreated": 0.5, "cost": 0.5}
_COINS = ("design", "coins")
_SICK, _SICK_SHOWN = integers(0, 10**9), (0, 1e5)
_COUNTS = {"sick_untreated": "people", "sick_treated": "people_treated", "mild_sick_untreated": "people",
           "mild_sick_treated": "people_treated"}
"""Counts of the first cohort, and the people among whom each was counted."""

OUTCOMES = (
    Outcome(v.POLICY_UTILITY, "Utility by total ε per person",
            "Counts and decisions spend in proportion to today’s ε. The level line is without privacy.",
            better="more", scale="linear", given={"design": "symmetric"}, series=(BOTH, COUNTS, DECISION),
            beside=(NONE,),
            over={COUNTS: ("epsilon",), DECISION: ("decision_epsilon",), BOTH: ("epsilon", "decision_epsilon")},
            cost={COUNTS: v.COUNTS_EPSILON, DECISION: v.GUARANTEE_EPSILON, BOTH: v.PERSON_EPSILON},
            span=(0.01, 10), per="symptoms"),
)


def person(arm_may_change: bool) -> Relation:
    """All symptoms of one person and their own decision, and the arm in which they were counted or not."""
    return Relation("person", "A change of all symptoms and of the decision of one person",
                    "what the symptoms and the decision of one person are",
                    "one person: all their symptoms, and their own decision",
                    "neighbours differ by one person: all their symptoms, and their own decision"
                    f"{_arm_known(arm_may_change)}", swap="any", kind="person")


def symptoms_of_one(arm_may_change: bool) -> Relation:
    """The same without the decision."""
    return Relation("symptoms", "A change of all symptoms of one person", "what the symptoms of one person are",
                    "all symptoms of one person, not their own decision",
                    "neighbours differ by all symptoms of one person; their own decision is not protected"
                    f"{_arm_known(arm_may_change)}", "any")


def _arm_known(may_change: bool) -> str:
    return "; the arm in which they were counted may change" if may_change else (
        "; in which arm they were counted is public")


DECISION_OF_ONE = Relation("own decision", "A change of the decision of one person",
                           "what is recommended to one person",
                           "the own decision of one person, not their symptoms",
                           "neighbours differ by the decision of one person; their symptoms are not protected", "two")


@dataclass(frozen=True)
class Policy(Study):
    """Compare no privacy, private counts, private decisions, and both: utility, regret, and ε per person."""

    key = "policy"
    title = "Policy"
    question = "What does privacy cost when it decides whom to treat?"
    asked = None
    size = "people"
    neighbours = person(arm_may_change=False)
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("one", "One symptom", "40 of 100 untreated are sick, 10 of 100 treated: noisy counts are right 7 times "
               "in 10.",
               {"symptoms": 1, "weight": -1.0, "untreated": 0.4, "treated": 0.1, "cost": 0.05, "epsilon": 0.1}),
        Preset("two", "A grave and a mild symptom", "Treating gains 0.6 per person; decisions at ε′ = 1 lose 0.161 "
               "of it.",
               {**_TWO, "treated": 0.1, "mild_treated": 0.2, "epsilon": 1.0, "decision_epsilon": 1.0}),
        Preset("half", "Free, and halves every risk", "With the factor 2 that is a tie, and nobody is treated.",
               {**_TWO, "treated": 0.15, "mild_treated": 0.25, "cost": 0.0}),
        Preset("worse", "Less noise, and worse", "Not treating is right by a little; counts that are all noise choose "
               "it more often.",
               {"symptoms": 1, "weight": -1.0, "untreated": 0.4, "treated": 0.2, "cost": 0.02, "epsilon": 0.05}),
        Preset("many", "Ten symptoms", "ε = 0.3 per count is 3 per person, and 6 where treatment is secret.",
               {"symptoms": 10, "weight": -10.0, "mild_weight": -1.0, "untreated": 0.3, "mild_untreated": 0.5,
                "treated": 0.1, "mild_treated": 0.2, "cost": 0.5, "epsilon": 0.3, "arm_may_change": True}),
        Preset("coins", "Decided by two coins", "θ₁ = ½ and θ₂ = ¼: treating is right, and 3 people in 8 miss it.",
               {**_TWO, "treated": 0.1, "mild_treated": 0.2, "epsilon": 1.0, "design": "coins", "theta1": 0.5,
                "theta2": 0.25}),
    )

    level_one = LevelOne(
        ("epsilon", "decision_epsilon", "people", "cost", "treated"),
        (v.TAKEN, v.RECOMMENDED, v.POLICY_UTILITY, v.PRICE, v.PRICE_SHARE, v.BREAKEVEN_COST, v.PERSON_EPSILON),
        (BOTH, COUNTS, DECISION, NONE), "counts", ("cost", "decision", "utility", "frontier"),
        ("risk", "no_difference", "mislead", "recommended"), wanted=v.PRICE)

    epsilon: float = kit.epsilon(0.1, reals(1e-4, 100), (1e-3, 10), v.COUNT_EPSILON)
    decision_epsilon: float = kit.epsilon(2.0, reals(0, 50), (0, 8), v.ACT_EPSILON, when=("design", "symmetric"))
    cost: float = parameter(v.COST, 0.05, domain=reals(0, 1e6), shown=(0, 2), ends=("free", "costly"))
    untreated: float = parameter(v.UNTREATED, 0.4, shown=(0, 1))
    treated: float = parameter(v.TREATED, 0.1, shown=(0, 1))
    people: int = kit.people(100, 10**9, (5, 1e5), v.ARM)
    weight: float = parameter(v.WEIGHT, -1.0, domain=_WEIGHT, shown=(-20, -0.1), ends=("graver", "milder"))
    factor: float = parameter(v.FACTOR, 2.0, domain=reals(0, 100), shown=(0, 4), ends=("treating easier", "harder"))
    symptoms: int = parameter(v.SYMPTOMS, 1, domain=integers(1, 10), shown=(1, 10), group=SYMPTOMS)
    mild_weight: float = parameter(v.MILD_WEIGHT, -0.1, domain=_WEIGHT, shown=(-20, -0.1), group=SYMPTOMS)
    mild_untreated: float = parameter(v.MILD_UNTREATED, 0.5, shown=(0, 1), group=SYMPTOMS)
    mild_treated: float = parameter(v.MILD_TREATED, 0.2, shown=(0, 1), group=SYMPTOMS)
    arm_may_change: bool = parameter(v.ARM_MAY_CHANGE, False, group=SYMPTOMS)
    people_treated: int = kit.people(Follow("people"), 10**9, (5, 1e5), v.ARM_TREATED, group=COHORT)
    sick_untreated: int = parameter(v.SICK_UNTREATED, Follow("untreated", times="people"), domain=_SICK,
                                    shown=_SICK_SHOWN, group=COHORT)
    sick_treated: int = parameter(v.SICK_TREATED, Follow("treated", times="people_treated"), domain=_SICK,
                                  shown=_SICK_SHOWN, group=COHORT)
    mild_sick_untreated: int = parameter(v.MILD_SICK_UNTREATED, Follow("mild_untreated", times="people"), domain=_SICK,
                                         shown=_SICK_SHOWN, group=COHORT)
    mild_sick_treated: int = parameter(v.MILD_SICK_TREATED, Follow("mild_treated", times="people_treated"),
                                       domain=_SICK, shown=_SICK_SHOWN, group=COHORT)
    design: str = parameter(v.ACT_DESIGN, "symmetric", group=RANDOMIZED)
    theta1: float = parameter(v.THETA1, 0.5, shown=(0, 1), group=RANDOMIZED, ends=kit.USEFUL, when=_COINS)
    theta2: float = parameter(v.THETA2, 0.5, shown=(0, 1), group=RANDOMIZED, ends=("“no” by chance", "“yes” by chance"),
                              when=_COINS)
    batches: int = parameter(v.POLICY_BATCHES, 20, domain=integers(1, 200), shown=(1, 100), group=TIME)
    arrivals: int = parameter(v.ARRIVALS, 200, domain=integers(1, 10**9), shown=(1, 1e5), group=TIME)
    updating: str = parameter(v.POLICY_UPDATING, "sequential", group=TIME)
    prior_sick: float = parameter(v.PRIOR_SICK, 1.0, domain=reals(1e-3, 1e4), shown=(0.1, 100), group=PRIOR)
    prior_well: float = parameter(v.PRIOR_WELL, 1.0, domain=reals(1e-3, 1e4), shown=(0.1, 100), group=PRIOR)
    trials: int = kit.trials(v.REPLICATES, 2_000, (100, 1e6), 10**7)
    seed: int = kit.seed()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, people in _COUNTS.items():
            count, among = getattr(self, name), getattr(self, people)
            if count > among:
                raise InvalidParameter(name, AtMost(people, among), count)

    @property
    def counts_of_one(self) -> int:
        """In how many counts one person is: one for every symptom, two where they may change the arm."""
        return self.symptoms * (2 if self.arm_may_change else 1)

    @property
    def relation(self) -> Relation:
        """That of one person, whose arm may change or is public."""
        return person(self.arm_may_change)
