"""The pictures of the posterior study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Band, Dots, Figure, Level, Line, Mark
from dpstudio.core.results import Column, Series

PRIOR = Series("prior", "Prior")
TRUTH = Series("truth", "Without noise")
NAIVE = Series("naive", "Naive")
CLAMPED = Series("clamped", "Clamped")
AWARE = Series("aware", "Noise-aware")
ALL = (PRIOR, TRUTH, NAIVE, CLAMPED, AWARE)
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


def _band(x: Column, low: v.Quantity, high: v.Quantity, series: Series) -> Band:
    return Band(x, Column(low, series), Column(high, series))


def _dots(series: Series) -> Dots:
    return Dots(X_EPSILON, *(Column(q, series) for q in (v.COVERAGE_FOUND, v.COVERAGE_LOW, v.COVERAGE_HIGH)))


FIGURES = (
    Figure("densities", "What is believed of the rate", DENSITY_TABLE,
           Axis(v.RATE), Axis(v.RATE_DENSITY, low=0),
           (*(Line(X_RATE, Column(v.RATE_DENSITY, series)) for series in ALL),
            Mark("fraction", draggable=True), *_RELEASED),
           caption="Upright lines: the true share π and the released share c/n. Of the three made from c only the "
                   "noise-aware one allows for its noise."),
    Figure("intervals", "The interval for every released count", INTERVAL_TABLE,
           Axis(v.NOISY_SHARE), Axis(v.RATE),
           (*(_band(X_SHARE, v.INTERVAL_LOW, v.INTERVAL_HIGH, series) for series in (AWARE, CLAMPED)),
            *(Line(X_SHARE, Column(v.RATE_MEAN, series)) for series in (CLAMPED, AWARE)),
            Dots(DRAWN_X, DRAWN_Y), *_RELEASED),
           caption="Bands: central intervals; lines: means. Dots are simulated releases with the rate behind them: "
                   "a dot outside a band is a rate that the interval misses."),
    Figure("coverage", "How often the interval holds the rate", COVERAGE_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.COVERAGE, low=0, high=1),
           (*(Line(X_EPSILON, Column(v.COVERAGE, series)) for series in JUDGED),
            _dots(NAIVE), _dots(CLAMPED), Mark("epsilon", draggable=True)),
           caption="Lines are exact, dots simulated, over rates drawn from the prior. By Bayes’ rule the noise-aware "
                   "interval keeps its level at every ε."),
    Figure("invalid", "How often there is no naive posterior", COVERAGE_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.INVALID, low=0, high=1),
           (Line(X_EPSILON, Column(v.INVALID_OVERALL, NAIVE), label="over the prior"),
            Line(X_EPSILON, Column(v.INVALID, TRUTH), label="this true count"),
            Dots(X_EPSILON, *(Column(q, NAIVE) for q in (v.INVALID_FOUND, v.INVALID_LOW, v.INVALID_HIGH))),
            Mark("epsilon", draggable=True)),
           panel="no_posterior",
           caption="Noise takes a′ = a + c or b′ = b + n − c to 0 or below, where there is no Beta(a′, b′); lines are "
                   "exact, dots simulated."),
    Figure("simulation", "Coverage of simulated releases", SIMULATION_TABLE,
           Axis(v.SIMULATED_DONE, "log"), Axis(v.COVERAGE_FOUND, low=0, high=1),
           (*(_band(X_DONE, v.COVERAGE_LOW, v.COVERAGE_HIGH, series) for series in JUDGED),
            *(Line(X_DONE, Column(v.COVERAGE_FOUND, series)) for series in JUDGED),
            *(Level(v.COVERAGE, series) for series in JUDGED)),
           caption="Share of the intervals so far that hold the rate, with 95 % Clopper–Pearson intervals, closing in "
                   "on the exact coverage (straight)."),
)
