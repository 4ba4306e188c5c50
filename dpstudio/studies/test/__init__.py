"""Tests of a share by a private count: is it above the one that is doubted, and how many people does it take?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.core.figure import Axis, Band, Figure, Line, Mark, dots, each_but, lines
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.guarantee import COUNTED
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import reals

PRIVATE = Series("private", "Most powerful private test", "generalized")
TAILS = Series("tails", "Equal-tailed test of one release", "acting")
LAPLACE = Series("laplace", "Noisy count, corrected")
GAUSSIAN = Series("gaussian", "Gaussian noise")
NAIVE = Series("naive", "Noisy count, naive")
PLAIN = Series("plain", "Without privacy", "truth")
COMPETING = (PRIVATE, TAILS, LAPLACE, GAUSSIAN)
"""What keeps the level and the guarantee, and may be recommended."""
RELEASING = (PRIVATE, TAILS, LAPLACE, GAUSSIAN)
"""Those with p-values: of one released noisy count."""

X_PEOPLE, X_RATE, X_COUNT = Column(v.PEOPLE), Column(v.RATE), Column(v.TRUE_YES)
X_RELEASED, X_ASKED = Column(v.RELEASED_COUNT), Column(v.PEOPLE_ASKED)
SEEN = Estimated(v.POWER_FOUND, v.POWER_LOW, v.POWER_HIGH)
PEOPLE_TABLE, SHARE_TABLE, REJECTS_TABLE, RELEASED_TABLE, BELT_TABLE = "people", "shares", "rejects", "released", "belt"

GREATER, LESS, TWO = "greater", "less", "two"
_P0, _P1 = Mark("share", draggable=True), Mark("alternative", draggable=True)

FIGURES = (
    Figure("power_n", "Power against people", PEOPLE_TABLE,
           Axis(v.PEOPLE, "log"), Axis(v.TEST_POWER, low=0, high=1),
           (*lines(X_PEOPLE, v.TEST_POWER), dots(X_ASKED, SEEN),
            Mark("people", draggable=True), Mark("power", axis="y", draggable=True)),
           panel="power",
           caption="How often each test finds a share of p₁. The naive one does not keep its level. Dots: simulated."),
    Figure("power", "Probability of rejecting, by share", SHARE_TABLE,
           Axis(v.RATE), Axis(v.REJECTING, low=0, high=1),
           (*lines(X_RATE, v.REJECTING, (each_but(NAIVE),)), _P0, _P1, Mark("level", axis="y")),
           panel="power",
           caption="How often each test of n people rejects p₀, by the true share. At p₀ no more than α is allowed."),
    Figure("level", "True level against people", PEOPLE_TABLE,
           Axis(v.PEOPLE, "log"), Axis(v.TRUE_LEVEL, low=0),
           (*lines(X_PEOPLE, v.TRUE_LEVEL, (each_but(PLAIN),)), Mark("people", draggable=True),
            Mark("level", axis="y", draggable=True)),
           caption="How often p₀ is rejected though it is true. A noisy count that is taken for exact exceeds α."),
    Figure("rejects", "Probability of rejecting, by true count", REJECTS_TABLE,
           Axis(v.TRUE_YES), Axis(v.REJECTING, low=0, high=1), lines(X_COUNT, v.REJECTING),
           panel="decision",
           caption="How likely each test rejects after the true count k of yeses. Privacy keeps it from jumping."),
    Figure("p_value", "p-value, by noisy count", RELEASED_TABLE,
           Axis(v.RELEASED_COUNT), Axis(v.P_VALUE, low=0, high=1),
           (*lines(X_RELEASED, v.P_VALUE, RELEASING), Mark("released", draggable=True),
            Mark("level", axis="y")),
           panel="decision",
           caption="What each released noisy count says of p₀; at or below α it is rejected."),
    Figure("belt", "Noisy counts by share", BELT_TABLE,
           Axis(v.RATE, low=0, high=1), Axis(v.RELEASED_COUNT),
           (Band(X_RATE, Column(v.COUNT_LOW), Column(v.COUNT_HIGH)), Line(X_RATE, Column(v.COUNT_LOW), role="other"),
            Line(X_RATE, Column(v.COUNT_HIGH), role="other"), Mark("share"),
            Mark("released", axis="y", draggable=True)),
           panel="decision",
           caption="Where the noisy count lies with the confidence, by share. The shares beside z are its interval."),
    attack_figure("people who are a yes", series=(each_but(PLAIN),)),
    *profile_figures(Mark("epsilon"), Mark("delta", axis="y"), series=(each_but(PLAIN),)),
)

_COST = dict.fromkeys(COMPETING, v.EPSILON_AT_DELTA)
OUTCOMES = (
    Outcome(v.PEOPLE_FOR_POWER, "People needed against ε", AT_DELTA, cost=_COST, series=COMPETING,
            beside=(PLAIN,)),
    Outcome(v.TEST_POWER, "Power against ε", f"{AT_DELTA} That of noisy counts goes in steps: left out.",
            better="more", cost=_COST, series=(PRIVATE, TAILS, GAUSSIAN), beside=(PLAIN,), scale="linear"),
)


@dataclass(frozen=True)
class Test(Study):
    """Compare tests of a population's share that keep a level and (ε, δ), and what becomes of one that is naive."""

    key = "test"
    title = "Test"
    question = "Is the share above p₀, and how many people does it take?"
    size = "people"
    neighbours = COUNTED
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "share", "alternative", "people", "delta"),
        (v.PEOPLE_FOR_POWER, v.EXTRA_PEOPLE, v.TEST_POWER, v.TRUE_LEVEL, v.P_VALUE, v.SHARE_LOW, v.SHARE_HIGH),
        (PRIVATE, TAILS, LAPLACE, GAUSSIAN, NAIVE, PLAIN), "power_n", ("level", "frontier", "power", "p_value"),
        ("risk", "naive"), wanted=v.PEOPLE_FOR_POWER)
    door = Door(*SIGNS["test"], (Ask("share", "Share doubted"), Ask("alternative", "Share worth finding"),
                                 Ask("epsilon", "How private?")))
    presets = (
        Preset("majority", "Is it more than half?", "A majority of 60 % against one half: 160 people at ε = 1, 153 "
               "without privacy.",
               {"epsilon": 1.0, "share": 0.5, "alternative": 0.6, "people": 160}),
        Preset("strict", "A tenth of the ε", "At ε = 0.1 the same takes 413 people; with 100 a noisy count that is "
               "taken for exact rejects a true half in 24 of 100 tests.",
               {"epsilon": 0.1, "share": 0.5, "alternative": 0.6, "people": 100}),
        Preset("rare", "A rare side effect", "Is a rate of 1 % exceeded? To find one of 2 % takes 849 people "
               "without privacy, and 3 721 at ε = 0.1.",
               {"epsilon": 0.1, "share": 0.01, "alternative": 0.02, "people": 1000}),
        Preset("either_side", "Too many or too few", "Is a coin fair? Two-sided, the unbiased test is no function of a "
               "noisy count: only its decision may be told.",
               {"epsilon": 1.0, "share": 0.5, "alternative": 0.6, "people": 201, "side": TWO}),
    )

    epsilon: float = kit.epsilon(1.0, reals(1e-6, 20), (1e-3, 10))
    share: float = parameter(v.SHARE_DOUBTED, 0.5, shown=(0.01, 0.99),
                             beyond="where nobody is a yes, or everybody, one answer refutes it")
    alternative: float = parameter(v.SHARE_WORTH, 0.6, shown=(0.01, 0.99))
    people: int = kit.people(160, 10**9, (10, 1e5))
    delta: float = kit.delta(0.0, reals(0, 0.5))
    side: str = parameter(v.TEST_SIDE, GREATER)
    level: float = parameter(v.TEST_LEVEL, 0.05, domain=reals(1e-12, 1 - 1e-9), shown=(1e-4, 0.2),
                             ends=("fewer false finds", "fewer people"))
    power: float = parameter(v.POWER_WANTED, 0.8, shown=(0.5, 0.999), ends=("fewer people", "finds more often"))
    released: float = parameter(v.RELEASED_COUNT, Follow("people", times="alternative"), domain=reals(-1e12, 1e12),
                                shown=(0, 1000), group="What was released", ends=("fewer yeses", "more yeses"))
    confidence: float = parameter(v.INTERVAL_CONFIDENCE, 0.95, shown=(0.5, 0.999), group="What was released",
                                  ends=("narrower", "surer"))
    trials: int = kit.trials(v.TESTS, 100_000, (1e3, 1e6), 10**7)
    seed: int = kit.seed()

    @property
    def found(self) -> bool:
        """Whether the alternative is a share that the test is for."""
        if self.side == TWO:
            return self.alternative != self.share
        return (self.alternative > self.share) == (self.side == GREATER) and self.alternative != self.share
