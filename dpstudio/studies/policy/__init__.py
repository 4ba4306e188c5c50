"""Whether to act on people, from private counts and by randomized decisions: what does each cost in utility?"""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import AtMost, Follow, InvalidParameter, parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.policy.figures import FIGURES
from dpstudio.vocabulary import integers, reals

SYMPTOMS, COHORT, DECISION = "Further symptoms", "First cohort", "Randomized decision"
TIME, PRIOR = "Over time", "Prior"
_USEFUL, _PEOPLE = ("more private", "more useful"), ("cheaper", "more precise")
_WEIGHT, _TWO = reals(-1e6, -1e-6), {"symptoms": 2, "weight": -10.0, "mild_weight": -1.0, "untreated": 0.3,
                                     "mild_untreated": 0.5, "cost": 0.5}
_COINS = ("design", "coins")
_SICK, _SICK_SHOWN = integers(0, 10**9), (0, 1e5)
_COUNTS = {"sick_untreated": "people", "sick_treated": "people_treated", "mild_sick_untreated": "people",
           "mild_sick_treated": "people_treated"}
"""Counts of the first cohort, and the people among whom each was counted."""


@dataclass(frozen=True)
class Policy(Study):
    """Compare no privacy, private counts, private decisions, and both: utility, regret, and ε a person."""

    key = "policy"
    place = 6
    title = "Policy"
    question = "What does privacy cost when it decides whom to treat?"
    relation = "neighbours differ by one person: all their symptoms, and their own decision"
    figures = FIGURES
    presets = (
        Preset("one", "One symptom", "40 of 100 sick without action, 10 with it: noisy counts are right 7 times in 10.",
               {"symptoms": 1, "weight": -1.0, "untreated": 0.4, "treated": 0.1, "cost": 0.05, "epsilon": 0.1}),
        Preset("two", "A grave and a mild symptom", "Acting gains 0.6 a person; a decision at ε = 1 loses 0.161 of it.",
               {**_TWO, "treated": 0.1, "mild_treated": 0.2, "epsilon": 1.0, "decision_epsilon": 1.0}),
        Preset("half", "Free, and halves every risk", "With the factor 2 that is a tie, and nobody acts.",
               {**_TWO, "treated": 0.15, "mild_treated": 0.25, "cost": 0.0}),
        Preset("worse", "Less noise, and worse", "Not acting is right by a little; counts that are all noise choose it "
               "more often.",
               {"symptoms": 1, "weight": -1.0, "untreated": 0.4, "treated": 0.2, "cost": 0.02, "epsilon": 0.05}),
        Preset("many", "Ten symptoms", "ε = 0.3 a count is 3 a person, and 6 if the arm may change.",
               {"symptoms": 10, "weight": -10.0, "mild_weight": -1.0, "untreated": 0.3, "mild_untreated": 0.5,
                "treated": 0.1, "mild_treated": 0.2, "cost": 0.5, "epsilon": 0.3, "arm_may_change": True}),
        Preset("coins", "Decided by two coins", "θ₁ = ½ and θ₂ = ¼: acting is right, and 3 people in 8 miss it.",
               {**_TWO, "treated": 0.1, "mild_treated": 0.2, "epsilon": 1.0, "design": "coins", "theta1": 0.5,
                "theta2": 0.25}),
    )

    epsilon: float = parameter(v.COUNT_EPSILON, 0.1, domain=reals(1e-4, 100), shown=(1e-3, 10), ends=_USEFUL)
    decision_epsilon: float = parameter(v.ACT_EPSILON, 2.0, domain=reals(0, 50), shown=(0, 8), ends=_USEFUL,
                                        when=("design", "symmetric"))
    cost: float = parameter(v.COST, 0.05, domain=reals(0, 1e6), shown=(0, 2), ends=("free", "costly"))
    untreated: float = parameter(v.UNTREATED, 0.4, shown=(0, 1))
    treated: float = parameter(v.TREATED, 0.1, shown=(0, 1))
    people: int = parameter(v.ARM, 100, domain=integers(1, 10**9), shown=(5, 1e5), ends=_PEOPLE)
    weight: float = parameter(v.WEIGHT, -1.0, domain=_WEIGHT, shown=(-20, -0.1), ends=("graver", "milder"))
    factor: float = parameter(v.FACTOR, 2.0, domain=reals(0, 100), shown=(0, 4), ends=("acting easier", "harder"))
    symptoms: int = parameter(v.SYMPTOMS, 1, domain=integers(1, 10), shown=(1, 10), group=SYMPTOMS)
    mild_weight: float = parameter(v.MILD_WEIGHT, -0.1, domain=_WEIGHT, shown=(-20, -0.1), group=SYMPTOMS)
    mild_untreated: float = parameter(v.MILD_UNTREATED, 0.5, shown=(0, 1), group=SYMPTOMS)
    mild_treated: float = parameter(v.MILD_TREATED, 0.2, shown=(0, 1), group=SYMPTOMS)
    arm_may_change: bool = parameter(v.ARM_MAY_CHANGE, False, group=SYMPTOMS)
    people_treated: int = parameter(v.ARM_TREATED, Follow("people"), domain=integers(1, 10**9), shown=(5, 1e5),
                                    ends=_PEOPLE, group=COHORT)
    sick_untreated: int = parameter(v.SICK_UNTREATED, Follow("untreated", times="people"), domain=_SICK,
                                    shown=_SICK_SHOWN, group=COHORT)
    sick_treated: int = parameter(v.SICK_TREATED, Follow("treated", times="people_treated"), domain=_SICK,
                                  shown=_SICK_SHOWN, group=COHORT)
    mild_sick_untreated: int = parameter(v.MILD_SICK_UNTREATED, Follow("mild_untreated", times="people"), domain=_SICK,
                                         shown=_SICK_SHOWN, group=COHORT)
    mild_sick_treated: int = parameter(v.MILD_SICK_TREATED, Follow("mild_treated", times="people_treated"),
                                       domain=_SICK, shown=_SICK_SHOWN, group=COHORT)
    design: str = parameter(v.ACT_DESIGN, "symmetric", group=DECISION)
    theta1: float = parameter(v.THETA1, 0.5, shown=(0, 1), group=DECISION, ends=_USEFUL, when=_COINS)
    theta2: float = parameter(v.THETA2, 0.5, shown=(0, 1), group=DECISION, ends=("“no” by chance", "“yes” by chance"),
                              when=_COINS)
    batches: int = parameter(v.POLICY_BATCHES, 20, domain=integers(1, 200), shown=(1, 100), group=TIME)
    arrivals: int = parameter(v.ARRIVALS, 200, domain=integers(1, 10**9), shown=(1, 1e5), group=TIME)
    updating: str = parameter(v.POLICY_UPDATING, "sequential", group=TIME)
    prior_sick: float = parameter(v.PRIOR_SICK, 1.0, domain=reals(1e-3, 1e4), shown=(0.1, 100), group=PRIOR)
    prior_well: float = parameter(v.PRIOR_WELL, 1.0, domain=reals(1e-3, 1e4), shown=(0.1, 100), group=PRIOR)
    trials: int = parameter(v.REPLICATES, 2_000, domain=integers(1, 10**7), shown=(100, 1e6), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, people in _COUNTS.items():
            count, among = getattr(self, name), getattr(self, people)
            if count > among:
                raise InvalidParameter(name, AtMost(people, among), count)
