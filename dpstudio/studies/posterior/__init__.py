"""What a noisy count says about a rate, and how wrong it is to take it as the true one."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Dots, Figure, Level, Line, Mark, band, dots, lines, settling
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import COUNTED
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import reals

PRIOR = Series("prior", "Prior")
TRUTH = Series("truth", "True count")
NAIVE = Series("naive", "Naive")
CLAMPED = Series("clamped", "Naive, clamped")
AWARE = Series("aware", "Noise-aware")
JUDGED = (NAIVE, CLAMPED, AWARE)
"""Those that a person with the noisy count alone can have."""

GIVEN = ("release", "given")
_RELEASED = Mark("noisy_share", draggable=True, when=GIVEN), Level(v.DRAWN_RELEASE, axis="x")
"""The released share: dragged where it is given, else where it was drawn."""

X_RATE = Column(v.RATE)
X_SHARE = Column(v.NOISY_SHARE)
X_EPSILON = Column(v.EPSILON)
X_DONE = Column(v.SIMULATED_DONE)
DRAWN_X, DRAWN_Y = Column(v.DRAWN_SHARE), Column(v.DRAWN_RATE)
DENSITY_TABLE, INTERVAL_TABLE, COVERAGE_TABLE = "densities", "intervals", "coverage"
SIMULATION_TABLE = "simulation"
HELD = Estimated(v.COVERAGE_FOUND, v.COVERAGE_LOW, v.COVERAGE_HIGH)
MISSING = Estimated(v.INVALID_FOUND, v.INVALID_LOW, v.INVALID_HIGH)


FIGURES = (
    Figure("densities", "Posterior of the rate", DENSITY_TABLE,
           Axis(v.RATE), Axis(v.RATE_DENSITY, low=0),
           (*lines(X_RATE, v.RATE_DENSITY), Mark("fraction", draggable=True), *_RELEASED),
           caption="What each posterior believes of the rate. Upright: the true share π and the noisy share c/n."),
    Figure("intervals", "Credible interval by noisy count", INTERVAL_TABLE,
           Axis(v.NOISY_SHARE), Axis(v.RATE),
           (*(band(X_SHARE, v.INTERVAL_LOW, v.INTERVAL_HIGH, series) for series in (AWARE, CLAMPED)),
            *lines(X_SHARE, v.RATE_MEAN, (CLAMPED, AWARE)),
            Dots(DRAWN_X, DRAWN_Y), *_RELEASED),
           caption="Bands: intervals; lines: means. A dot is a simulated release: outside a band its rate is missed."),
    Figure("coverage", "Coverage by ε", COVERAGE_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.COVERAGE, low=0, high=1),
           (*lines(X_EPSILON, v.COVERAGE, JUDGED),
            dots(X_EPSILON, HELD, NAIVE), dots(X_EPSILON, HELD, CLAMPED), Mark("epsilon", draggable=True)),
           caption="How often each interval contains the rate, over the prior: exact lines, simulated dots."),
    Figure("invalid", "How often naive is undefined", COVERAGE_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.INVALID, low=0, high=1),
           (Line(X_EPSILON, Column(v.INVALID_OVERALL, NAIVE), label="over the prior"),
            Line(X_EPSILON, Column(v.INVALID, TRUTH), label="this true count"),
            dots(X_EPSILON, MISSING, NAIVE), Mark("epsilon", draggable=True)),
           panel="no_posterior",
           caption="How often a′ = a + c or b′ = b + n − c is 0 or below, by ε: exact lines, simulated dots."),
    Figure("simulation", "Coverage of simulated releases", SIMULATION_TABLE,
           Axis(v.SIMULATED_DONE, "log"), Axis(v.COVERAGE_FOUND, low=0, high=1),
           settling(X_DONE, HELD, v.COVERAGE, JUDGED),
           caption="Share of simulated intervals that contain the rate, with 95 % intervals; straight: the exact one."),
)

OUTCOMES = (
    Outcome(v.COVERAGE, "Coverage against ε", "What lies below the level claims more than it knows.",
            better="more", series=JUDGED, scale="linear"),
    Outcome(v.INTERVAL_WIDTH, "Width of the noise-aware interval against ε",
            "Level: with the true count. The naive intervals are left out: they do not keep their level.",
            series=(AWARE,), beside=(TRUTH,)),
)


@dataclass(frozen=True)
class Posterior(Study):
    """The naive, the clamped and the noise-aware posterior of a rate, given a noisy count."""

    key = "posterior"
    title = "Posterior"
    question = "What does a noisy count say about the rate?"
    size = "people"
    neighbours = COUNTED
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "people", "noisy_share", "fraction", "level"),
        (v.RATE_MEAN, v.INTERVAL_LOW, v.INTERVAL_HIGH, v.INTERVAL_WIDTH, v.DESERVED, v.COVERAGE, v.INVALID),
        (AWARE, CLAMPED, NAIVE, TRUTH), "densities", ("coverage", "frontier_interval_width", "intervals"),
        ("risk", "coverage", "either"), wanted=v.INTERVAL_WIDTH)
    door = Door(*SIGNS["posterior"], (Ask("people", "How many were counted?", "people"),
                                      Ask("noisy_share", "Which share was released?"),
                                      Ask("epsilon", "With which privacy?")),
                {"release": "given"},
                {"updating": "What if the count comes in batches?", "policy": "Whom to treat by it?"},
                without=(TRUTH,))
    presets = (
        Preset("at_its_word", "Taken as the true count", "A hundred people, a flat prior: the naive 95 % "
               "interval (clamped) contains the rate in half of all releases.",
               {"epsilon": 0.1, "people": 100, "fraction": 0.3, "noisy_share": 0.4, "prior_a": 1.0, "prior_b": 1.0}),
        Preset("below_zero", "A count below zero", "There is no naive posterior; the noise-aware one is the same for "
               "every count below 0.",
               {"epsilon": 0.1, "people": 100, "fraction": 0.05, "noisy_share": -0.1}),
        Preset("twenty", "Twenty people", "At ε = 0.1 the clamped 95 % interval contains the rate in 4 of 10 releases.",
               {"epsilon": 0.1, "people": 20, "fraction": 0.3, "noisy_share": 0.45}),
        Preset("thousand", "A thousand people, little ε", "At ε = 0.01 one clamped interval in five contains the rate.",
               {"epsilon": 0.01, "people": 1000, "fraction": 0.3, "noisy_share": 0.42}),
        Preset("enough", "Noise that hardly matters", "A hundred thousand people at ε = 1: with and without noise "
               "the posteriors hardly differ.",
               {"epsilon": 1.0, "people": 100_000, "fraction": 0.3, "noisy_share": 0.30002}),
    )

    epsilon: float = kit.epsilon(0.1, reals(1e-6, 50), (1e-3, 10))
    people: int = kit.people(100, 10**7, (5, 1e6))
    fraction: float = parameter(v.YES_FRACTION, 0.3, shown=(0, 1))
    release: str = parameter(v.RELEASE, "given")
    noisy_share: float = parameter(v.NOISY_SHARE, 0.4, domain=reals(-1e6, 1e6), shown=(-0.5, 1.5),
                                   ends=("noise took away", "noise added"), when=GIVEN)
    noise: str = parameter(v.NOISE_KIND, "laplace")
    prior_a: float = parameter(v.PRIOR_A, 1.0, domain=reals(0.05, 1e6), shown=(0.1, 1000), group="Prior and interval")
    prior_b: float = parameter(v.PRIOR_B, 1.0, domain=reals(0.05, 1e6), shown=(0.1, 1000), group="Prior and interval")
    level: float = parameter(v.LEVEL, 0.95, domain=reals(0.5, 0.999), shown=(0.5, 0.999), group="Prior and interval")
    error_beyond: float = kit.error_beyond(0.1, reals(0, 1), (0.001, 1), group=kit.ERROR)
    trials: int = kit.trials(v.SIMULATED, 20_000, (1e2, 1e6), 10**7)
    seed: int = kit.seed()
