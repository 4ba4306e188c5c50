"""Randomized response: what does one answer give away, and how many people make up for it?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import EACH, Axis, Dots, Figure, Layer, Line, Mark, dots, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import TRUTH
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, belief_layers, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import reals

CHOSEN = Series("response", "Your design")
BEST = Series("best", "Best design, same ε")
BEST_ANYWHERE = Series("best", "Best design")
"""The same along every ε."""
RAW = Series("raw", "Raw share of yes")
LEVELS = {Series(f"level{i}", f"ε = {epsilon:g}"): epsilon for i, epsilon in enumerate((0.5, 1.0, 2.0, 4.0), 1)}
"""ε of the lines on the map."""

X_PRIOR = Column(v.PREVALENCE)
X_COIN2 = Column(v.THETA2)
X_ESTIMATE = Column(v.ESTIMATE)
SEEN = Estimated(v.SURVEYS_SHARE, v.SURVEYS_SHARE_LOW, v.SURVEYS_SHARE_HIGH)

PRIOR_TABLE, COINS_TABLE, ESTIMATES_TABLE, SURVEYS_TABLE = "prior", "coins", "estimates", "surveys"

_PRIOR = Mark("prevalence", draggable=True)
_COINS = ("design", "coins")


def _surveys(series: Series) -> tuple[Layer, ...]:
    x = Column(v.ESTIMATE, series)
    return Line(x, Column(v.SHARE, series)), dots(x, SEEN, series)


FIGURES = (
    Figure("posterior", "Belief after “yes” and “no”", PRIOR_TABLE,
           Axis(v.PREVALENCE, low=0, high=1), Axis(v.POSTERIOR, low=0, high=1),
           (*belief_layers(X_PRIOR, CHOSEN, lines(X_PRIOR, v.POSTERIOR_YES, thin=v.POSTERIOR_NO)), _PRIOR),
           caption="Belief after “yes” (thick) and “no” (thin) by the belief before; the band is all that ε permits."),
    Figure("map", "ε of two coins", COINS_TABLE,
           Axis(v.THETA2, low=0, high=1), Axis(v.THETA1, low=0, high=1),
           (*(Line(X_COIN2, Column(v.THETA1, series), named=True) for series in LEVELS),
            Line(X_COIN2, Column(v.THETA1, CHOSEN)),
            Dots(Column(v.COIN2, EACH), Column(v.COIN1, EACH)),
            Mark("theta2", draggable=True, when=_COINS), Mark("theta1", axis="y", draggable=True, when=_COINS)),
           panel="two_coins",
           caption="Lines of equal ε. The dots are your coins and the best ones of their ε, where θ₂ is fair."),
    Figure("estimates", "Spread of the estimate", ESTIMATES_TABLE,
           Axis(v.ESTIMATE), Axis(v.ESTIMATE_RELATIVE, low=0, high=1),
           (*lines(X_ESTIMATE, v.ESTIMATE_RELATIVE, (EACH, RAW)), _PRIOR),
           panel="estimates",
           caption="The share that a survey estimates, each curve against its peak. The raw share lies elsewhere."),
    Figure("surveys", "Simulated estimates", SURVEYS_TABLE,
           Axis(v.ESTIMATE), Axis(v.SHARE, low=0),
           (*_surveys(CHOSEN), *_surveys(RAW), _PRIOR),
           panel="estimates",
           caption="Share of simulated surveys by estimate: dots with 95 % intervals, beside the exact lines."),
    Figure("answers", "Pr[“yes”] by true share", PRIOR_TABLE,
           Axis(v.PREVALENCE, low=0, high=1), Axis(v.ANSWER_YES, low=0, high=1),
           (*lines(X_PRIOR, v.ANSWER_YES), Line(X_PRIOR, Column(v.ANSWERS_AS_PRIOR), role="other"), _PRIOR),
           caption="How often “yes” is said, by the share of true yes. Only the rise from left to right is of use."),
    *profile_figures(Mark("epsilon", when=("design", "symmetric"))),
    attack_figure("people with the truth, yes or no, that it looks for", ""),
)

OUTCOMES = (
    Outcome(v.ESTIMATOR_SD, "Error of the estimate against ε",
            "By the best design at each ε; the dot is your design.",
            cost=v.GUARANTEE_EPSILON, given={"design": "symmetric"}, series=(BEST_ANYWHERE,), alike={BEST: CHOSEN},
            beside=(CHOSEN,), matched=CHOSEN),
)


@dataclass(frozen=True)
class Response(Study):
    """A yes or no answered with deliberate chance, of three kinds, against the best response of the same ε."""

    key = "response"
    title = "Response"
    question = "What does one randomized answer show, and what do many?"
    asked = None
    size = "people"
    neighbours = TRUTH
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "people", "margin", "prevalence", "design"),
        (v.WITHIN_MARGIN, v.PEOPLE_NEEDED, v.ESTIMATOR_SD, v.YES_IF_YES, v.YES_IF_NO, v.POSTERIOR_YES, v.POSTERIOR_NO),
        (CHOSEN, BEST), "posterior", ("estimates", "map", "frontier"), ("risk", "beliefs", "no_belief"),
        wanted=v.PEOPLE_NEEDED)
    door = Door(*SIGNS["response"], (Ask("people", "How many are asked?", "people"), Ask("epsilon", "How private?"),
                                     Ask("prevalence", "Share of yes, roughly")),
                {"design": "symmetric"}, {"mean": "What could a trusted curator do?"})
    presets = (
        Preset("fair_coins", "Two fair coins", "The coins of the notes “Differential Privacy”, both fair, where one in "
               "ten is a yes: ε = ln 3.",
               {"design": "coins", "theta1": 0.5, "theta2": 0.5}),
        Preset("survey", "A survey of 1 000", "Two fair coins and a thousand people, half of whom are a yes.",
               {"design": "warner", "prevalence": 0.5, "people": 1_000}),
        Preset("lopsided", "An unfair second coin", "θ₁ = ½ and θ₂ = 0.1: the truth is asked for as often as with "
               "fair coins, at more than twice the ε.",
               {"design": "coins", "theta1": 0.5, "theta2": 0.1}),
        Preset("nothing", "Answers that say nothing", "θ₁ = 0 makes p(y|y′) = p(y), the goal of the notes "
               "“Differential Privacy”.",
               {"design": "coins", "theta1": 0.0, "theta2": 0.5}),
    )

    design: str = parameter(v.DESIGN, "coins")
    epsilon: float = kit.epsilon(1.0, reals(0, 20), (0.01, 10), v.EPSILON_OR_ZERO,
                                 when=("design", "symmetric"), instead=v.GUARANTEE_EPSILON)
    theta1: float = parameter(v.THETA1, 0.5, shown=(0, 1), ends=kit.USEFUL, when=_COINS)
    theta2: float = parameter(v.THETA2, 0.2, shown=(0, 1), ends=("“no” by chance", "“yes” by chance"), when=_COINS)
    prevalence: float = parameter(v.PREVALENCE, 0.1, shown=(0, 1))
    people: int = kit.people(10_000, 10**12, (10, 1e9), v.PEOPLE_ASKED)
    margin: float = parameter(v.MARGIN, 0.02, domain=reals(1e-9, 1), shown=(1e-4, 0.5),
                              ends=("more precise", "fewer people"))
    trials: int = kit.trials(v.SURVEYS, 100_000, (1e3, 1e9))
    seed: int = kit.seed()
