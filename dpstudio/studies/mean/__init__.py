"""A share of n people: everybody randomizes, or a curator adds noise once?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Dots, Figure, Line, Mark, dots, lines
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.guarantee import COUNTED
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.vocabulary import integers, reals

RESPONSE = Series("response", "Randomized response")
LAPLACE = Series("laplace", "Curator: Laplace")
GEOMETRIC = Series("geometric", "Curator: discrete Laplace")
GAUSSIAN = Series("gaussian", "Curator: Gaussian")
BOUNDED = (LAPLACE, GEOMETRIC, GAUSSIAN)
"""Noise that is added to a count of rows."""
SHUFFLED = Series("shuffled", "Shuffled response")
ALIKE = Series("alike", "No account allows more", "level2")
ALLOWED = (SHUFFLED, ALIKE, Series("clones", "Clones, summed", "level4"),
           Series("form", "Clones, closed form", "level1"), Series("cheu", "Cheu et al. 2019", "level3"))
"""What shuffling allows by four accounts, that of the coins in these very responses first, and what none can pass."""
NOTED = (RESPONSE, LAPLACE)
"""Those whose error the lecture notes give a form for."""

X_PEOPLE = Column(v.PEOPLE)
X_EPSILON = Column(v.EPSILON)
X_ERROR = Column(v.FRACTION_ERROR)
_SEVERAL = ("zipf", "rand")
X_BOUND = Column(v.ROWS_BOUND)
PEOPLE_TABLE, EPSILON_TABLE, ERRORS_TABLE = "people", "epsilon", "errors"
BOUNDS_TABLE, LOCAL_TABLE = "bounds", "local"
SEEN = Estimated(v.SEEN_SD, v.SEEN_SD_LOW, v.SEEN_SD_HIGH)
MOST_ROWS = 1000
"""Of one person."""

FIGURES = (
    Figure("people", "Error against the number of people", PEOPLE_TABLE,
           Axis(v.PEOPLE, "log"), Axis(v.ERROR_SD, "log", floor=1e-15),
           (*lines(X_PEOPLE, v.ERROR_SD), *lines(X_PEOPLE, v.NOTE_ERROR, NOTED, role="other"),
            dots(X_PEOPLE, SEEN), Mark("people", draggable=True)),
           caption="Exact lines, simulated dots. About these people randomized response falls as 1/√n, the "
                   "rest as 1/n."),
    Figure("epsilon", "Error against ε", EPSILON_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.ERROR_SD, "log", floor=1e-15),
           (*lines(X_EPSILON, v.ERROR_SD), *lines(X_EPSILON, v.NOTE_ERROR, NOTED, role="other"),
            Mark("epsilon", draggable=True)),
           caption="The error (sd) at each ε; thin: what the lecture notes say, 1/(ε√n) and 1/(εn)."),
    Figure("errors", "Distribution of the error", ERRORS_TABLE,
           Axis(v.FRACTION_ERROR), Axis(v.ERROR_RELATIVE, low=0, high=1), lines(X_ERROR, v.ERROR_RELATIVE),
           caption="What each mechanism adds to the share of these people, each against its own peak."),
    Figure("bounds", "Error by rows kept", BOUNDS_TABLE,
           Axis(v.ROWS_BOUND), Axis(v.BOUND_ERROR, low=0),
           (*lines(X_BOUND, v.BOUND_ERROR, BOUNDED, thin=v.BOUND_NOISE),
            Line(X_BOUND, Column(v.BOUND_BIAS), role="other", label="Rows lost"),
            *(Dots(Column(v.BEST_BOUND, series), Column(v.BEST_BOUND_ERROR, series),
                   says="" if series is GEOMETRIC else "x") for series in BOUNDED),
            Mark("at_most", draggable=True, when=("rows_law", *_SEVERAL))),
           panel="people",
           caption="Error of the mean yes rows per person: rows lost fall, noise rises (thin); dots: the least error.",
           empty="Everybody has one row: there is nothing to bound"),
    Figure("local", "Largest ε₀ under shuffling", LOCAL_TABLE,
           Axis(v.PEOPLE, "log"), Axis(v.LOCAL_EPSILON, low=0),
           (*lines(X_PEOPLE, v.LOCAL_EPSILON, ALLOWED), Mark("people", draggable=True), Mark("epsilon", axis="y")),
           panel="people",
           caption="The largest ε₀ of an answer that keeps ε and δ once shuffled, by four accounts, and its limit."),
)

ROWS = "Rows per person"

OUTCOMES = (
    Outcome(v.POPULATION_ERROR, "Error about the population against ε",
            "ε at δ; the draw of the people remains, however large ε is.", cost=v.EPSILON_AT_DELTA),
    Outcome(v.GROUP_ERROR, "Error about these people against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA,
            floor=1e-15),
)


@dataclass(frozen=True)
class Mean(Study):
    """Randomized response, alone or shuffled, against the noise of a curator, at the same ε."""

    key = "mean"
    title = "Mean"
    question = "What does it cost to do without a trusted curator?"
    size = "people"
    neighbours = COUNTED
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "people", "fraction", "delta", "about"),
        (v.ERROR_AT_LEVEL, v.ERROR_EXCEEDS, v.GROUP_ERROR, v.POPULATION_ERROR, v.GUARANTEE_DELTA, v.LOCAL_EPSILON),
        (RESPONSE, SHUFFLED, GEOMETRIC), "people", ("epsilon", "errors", "frontier_group_error"),
        ("risk", "of_population", "of_people", "alike"), wanted=v.ERROR_AT_LEVEL)
    presets = (
        Preset("million", "A million people", "At ε = 1 randomized response has 678 times the error of Laplace noise.",
               {"epsilon": 1.0, "people": 1_000_000, "fraction": 0.5}),
        Preset("population", "A million, as a sample", "The same survey, asked about the population that it was drawn "
               "from: 2.16 times the error.",
               {"epsilon": 1.0, "people": 1_000_000, "fraction": 0.5, "about": "population"}),
        Preset("few", "Few people, much ε", "At ε = 10 and 100 people randomized response has a smaller error than "
               "Laplace noise; discrete Laplace noise has the smallest.",
               {"epsilon": 10.0, "people": 100, "fraction": 0.5}),
        Preset("rows", "Several rows per person (RAND)", "701 of 5 912 persons have 1 to 5 rows with a limitation. At "
               "ε = 0.005 it is best to keep 3 of each, though 377 rows are lost.",
               {"epsilon": 0.005, "people": 5_912, "fraction": 701 / 5_912, "rows_law": "rand", "at_most": 3}),
        Preset("shuffled", "A shuffler in between", "A million people at ε = 1 and δ = 1e−6: shuffled, each may answer "
               "with ε₀ = 10, for 4.63 times the error of Laplace noise instead of 678 times.",
               {"epsilon": 1.0, "people": 1_000_000, "fraction": 0.5, "delta": 1e-6}),
    )

    epsilon: float = kit.epsilon(1.0, reals(1e-4, 20), (0.01, 10))
    people: int = kit.people(10_000, 10**12, (10, 1e9))
    fraction: float = parameter(v.YES_FRACTION, 0.3, shown=(0, 1))
    about: str = parameter(v.ABOUT, "group")
    delta: float = kit.delta(1e-6, reals(1e-15, 0.5), group="Gaussian noise and shuffling")
    rows_law: str = parameter(v.ROWS_LAW, "one", group=ROWS)
    most_rows: int = parameter(v.LARGEST_ROWS, 100, domain=integers(1, MOST_ROWS), shown=(1, 100), group=ROWS,
                               when=("rows_law", "zipf"))
    rows_exponent: float = parameter(v.ROWS_EXPONENT, 1.5, domain=reals(0, 20), shown=(0, 4), group=ROWS,
                                     when=("rows_law", "zipf"))
    at_most: int = parameter(v.ROWS_BOUND, 1, domain=integers(1, MOST_ROWS), shown=(1, 100), group=ROWS,
                             when=("rows_law", *_SEVERAL), ends=("less noise", "fewer rows lost"))
    error_level: float = kit.error_level(reals(0.01, 0.999999), group=kit.ERROR)
    error_beyond: float = kit.error_beyond(0.01, reals(0, 1e6), (1e-6, 1), group=kit.ERROR)
    trials: int = kit.trials(v.SURVEYS, 20_000, (1e2, 1e6), 10**7)
    seed: int = kit.seed()
