"""Neighbouring databases: what one record changes, what hides it, and what a table without names hides."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import EACH, Axis, Bars, Dots, Figure, Layer, Line, Mark, dots, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import RECORD, REPLACED, Relation
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.vocabulary import Quantity, integers, reals

X = Series("database", "Database x")
Y = Series("neighbour", "Neighbour y")
LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Discrete Laplace")

# Of a move: that to the neighbour in the picture, the farthest around x, and the farthest of all.
THIS = Series("this", "x to y")
LOCAL = Series("local", "Around x")
GLOBAL = Series("global", "Anywhere")

OF_HISTOGRAM = Series("of_histogram", "Histogram, ℓ₁")
OF_SUM = Series("of_sum", "Sum of stars")
OF_MEAN = Series("of_mean", "Mean")
OF_MEDIAN = Series("of_median", "Median")
ASKED = {OF_HISTOGRAM: "histogram", OF_SUM: "sum", OF_MEAN: "mean", OF_MEDIAN: "median"}
"""Which query each curve of sensitivities is of."""

TABLE = Series("table", "Table without names")
RELEASE = Series("laplace", "Private release")
MOST = Series("promise", "Most at this ε")

X_STARS, X_N, X_KNOWN = Column(v.STARS), Column(v.N), Column(v.KNOWN)
CELLS_TABLE, SIZES_TABLE, LINKAGE_TABLE = "cells", "sizes", "linkage"

_KNOWN = Mark("known", draggable=True)


NAMED = Estimated(v.IDENTIFIED, v.IDENTIFIED_LOW, v.IDENTIFIED_HIGH)
NOTICED = Estimated(v.NOTICED, v.NOTICED_LOW, v.NOTICED_HIGH)
ERRORS_SEEN = Estimated(v.COUNT_SEEN, v.COUNT_SEEN_LOW, v.COUNT_SEEN_HIGH)


def _attack(right: Estimated, chance: Quantity) -> tuple[Layer, ...]:
    """Both attacks, what no attack exceeds, and chance."""
    return (*lines(X_KNOWN, right.value, (TABLE, RELEASE, MOST)),
            *(dots(X_KNOWN, right, series) for series in (TABLE, RELEASE)),
            Line(X_KNOWN, Column(chance), role="other"), _KNOWN)


FIGURES = (
    Figure("histogram", "x, its neighbour y, and a release", CELLS_TABLE,
           Axis(v.STARS), Axis(v.IN_KIND),
           tuple(Bars(X_STARS, Column(v.IN_KIND, series)) for series in (X, Y, EACH)),
           drawn_by="seed",
           caption="Ratings of each number of stars: in x, in its neighbour y, and in one release of x with noise."),
    Figure("sensitivity", "Sensitivity by number of records", SIZES_TABLE,
           Axis(v.N), Axis(v.MOVE, low=0),
           (*lines(X_N, v.MOVE, ASKED),
            *(Dots(X_N, Column(v.MOVE_TRIED, series)) for series in ASKED),
            Line(X_N, Column(v.NOTE_MOVE, OF_MEAN), role="other", label="1/n")),
           caption="The most by which one record changes an answer: proved (lines), found by trying all (dots)."),
    Figure("linkage", "People re-identified", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.IDENTIFIED, low=0, high=1), _attack(NAMED, v.GUESSED),
           panel="linkage",
           caption="Share of 2 000 made-up people whom an attacker with k ratings names, from either release."),
    Figure("linkage_log", "People re-identified, log", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.IDENTIFIED, "log", high=1, floor=1e-4),
           (Line(X_KNOWN, Column(v.IDENTIFIED, TABLE)),
            Line(X_KNOWN, Column(v.IDENTIFIED_HIGH, RELEASE), label="Private release, upper end"),
            Line(X_KNOWN, Column(v.IDENTIFIED, MOST)), Line(X_KNOWN, Column(v.GUESSED), role="other"), _KNOWN),
           panel="linkage",
           caption="The same near 0; of the private release the upper end of the 95 % interval is shown."),
    Figure("there", "Right guesses of presence", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.NOTICED, low=0, high=1),
           _attack(NOTICED, v.COIN_TOSS),
           panel="linkage",
           caption="Share of people of whom the attacker says rightly whether they are in the data; ½ is chance."),
)

AFTER, LINKAGE = "After the noise", "Linkage attack"
_STARS = integers(1, 5)
_CELLS = (0, 100)

OUTCOMES = (
    Outcome(v.HISTOGRAM_ERROR, "Error of the histogram against ε", "Sum of the mean errors of all five counts of x."),
)


@dataclass(frozen=True)
class Neighbours(Study):
    """A histogram of ratings beside one that differs by a record, released with noise; and an attack on records."""

    key = "neighbours"
    title = "Neighbours"
    question = "What does one record change, and what hides it?"
    pictures = FIGURES
    retired = {"errors": "histogram", "clamping": "histogram", "bias": "histogram"}  # noqa: RUF012 - never changed
    outcomes = OUTCOMES
    presets = (
        Preset("few", "Few records", "Hardly any records and small ε: raising negative counts to 0 removes much of "
               "the error, and biases the total.",
               {"cell1": 0, "cell2": 1, "cell3": 0, "cell4": 3, "cell5": 1, "epsilon": 0.2}),
        Preset("swap", "A record replaced", "ℓ₁ distance 2: the noise must hide twice as much.", {"change": "swap"}),
        Preset("average", "Sensitivity of an average", "Four records: 1/n = 0.25, which holds for values in [0, 1], "
               "against what one record does to a mean of stars.",
               {"cell1": 3, "cell2": 0, "cell3": 0, "cell4": 0, "cell5": 1, "change": "remove", "kind": 5}),
        Preset("empty", "No records", "An empty database has no mean; its counts are 0.",
               {"cell1": 0, "cell2": 0, "cell3": 0, "cell4": 0, "cell5": 0}),
        Preset("vague", "A vague attacker", "Dates known to half a year, each known rating false with probability 0.4.",
               {"date_error": 180, "aux_wrong": 0.4, "known": 8}),
    )

    level_one = LevelOne(
        ("epsilon", "change", "kind", "clamped", "known"),
        (v.HISTOGRAM_ERROR, v.NOISE_SD, v.TOTAL_BIAS, v.DISTANCE, v.NEIGHBOUR_BELIEF, v.IDENTIFIED_MOST, v.GUESSED),
        (GEOMETRIC, LAPLACE, X, Y), "histogram", ("linkage", "sensitivity", "frontier"), ("risk", "limits"),
        wanted=v.HISTOGRAM_ERROR)

    epsilon: float = kit.epsilon(0.5, reals(1e-6, 20), (0.01, 10))
    cell1: int = parameter(v.CELL1, 2, shown=_CELLS)
    cell2: int = parameter(v.CELL2, 5, shown=_CELLS)
    cell3: int = parameter(v.CELL3, 14, shown=_CELLS)
    cell4: int = parameter(v.CELL4, 31, shown=_CELLS)
    cell5: int = parameter(v.CELL5, 20, shown=_CELLS)
    change: str = parameter(v.CHANGE, "add")
    kind: int = parameter(v.KIND, 2, domain=_STARS, shown=(1, 5))
    kind_by: int = parameter(v.KIND_BY, 5, domain=_STARS, shown=(1, 5), when=("change", "swap"))
    clamped: bool = parameter(v.CLAMPED, True, group=AFTER)
    rounded: bool = parameter(v.ROUNDED, False, group=AFTER)
    known: int = parameter(v.KNOWN, 4, shown=(0, 8), group=LINKAGE, ends=("knows nothing", "knows much"))
    date_error: int = parameter(v.DATE_ERROR, 14, shown=(0, 365), group=LINKAGE, ends=("to the day", "vaguely"))
    aux_wrong: float = parameter(v.AUX_WRONG, 0.1, shown=(0, 1), group=LINKAGE, ends=("all true", "all false"))
    contributed: int = parameter(v.CONTRIBUTED, 8, domain=integers(1, 400), shown=(1, 100), group=LINKAGE,
                                 ends=("less noise", "more ratings"))
    trials: int = kit.trials(v.RELEASE_TRIALS, 100_000, (1e3, 1e9))
    seed: int = kit.seed()

    @property
    def relation(self) -> Relation:
        """One record added or removed, or with “swap” replaced."""
        return REPLACED if self.change == "swap" else RECORD

    @property
    def cells(self) -> tuple[int, int, int, int, int]:
        """The database x."""
        return self.cell1, self.cell2, self.cell3, self.cell4, self.cell5

    @property
    def step(self) -> int:
        """How far neighbours lie apart in ℓ₁ at most."""
        return 2 if self.change == "swap" else 1
