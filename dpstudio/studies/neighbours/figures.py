"""The pictures of the neighbours study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Bars, Dots, Figure, Line, Mark
from dpstudio.core.figure import Band as Between
from dpstudio.core.results import Column, Series
from dpstudio.vocabulary import Quantity

X = Series("database", "Database x")
Y = Series("neighbour", "Neighbour y")
LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Geometric")
NOISES = (LAPLACE, GEOMETRIC)

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

X_STARS, X_COUNT, X_N, X_KNOWN = Column(v.STARS), Column(v.TRUE_COUNT), Column(v.N), Column(v.KNOWN)
CELLS_TABLE, COUNTS_TABLE, SIZES_TABLE, LINKAGE_TABLE = "cells", "counts", "sizes", "linkage"

_KNOWN = Mark("known", draggable=True)


def _attack(found: Quantity, low: Quantity, high: Quantity, chance: Quantity) -> tuple[Line | Dots | Between, ...]:
    """Both attacks, what no attack exceeds, and chance."""
    columns = {series: Column(found, series) for series in (TABLE, RELEASE, MOST)}
    return (*(Line(X_KNOWN, column) for column in columns.values()),
            *(Dots(X_KNOWN, columns[series], Column(low, series), Column(high, series)) for series in (TABLE, RELEASE)),
            Line(X_KNOWN, Column(chance), role="other"))


_IDENTIFIED = _attack(v.IDENTIFIED, v.IDENTIFIED_LOW, v.IDENTIFIED_HIGH, v.GUESSED)
_ERROR_BARS = {series: Bars(X_STARS, Column(v.COUNT_ERROR, series)) for series in NOISES}

FIGURES = (
    Figure("histogram", "A database, its neighbour, and what is released", CELLS_TABLE,
           Axis(v.STARS), Axis(v.IN_KIND),
           tuple(Bars(X_STARS, Column(v.IN_KIND, series)) for series in (X, Y, *NOISES)),
           caption="How many ratings there are of each number of stars: in x, in its neighbour y, and in one release "
                   "of x with noise (this seed’s first)."),
    Figure("errors", "Count errors", CELLS_TABLE,
           Axis(v.STARS), Axis(v.COUNT_ERROR, low=0),
           (*_ERROR_BARS.values(),
            *(Dots(X_STARS, *(Column(q, series) for q in (v.COUNT_SEEN, v.COUNT_SEEN_LOW, v.COUNT_SEEN_HIGH)), on=bars)
              for series, bars in _ERROR_BARS.items())),
           panel="errors", switch="In x",
           caption="Mean distance of the released count from the true one: exact (bars), and simulated (dots, with "
                   "95 % intervals)."),
    Figure("clamping", "Error by count", COUNTS_TABLE,
           Axis(v.TRUE_COUNT, low=0), Axis(v.COUNT_ERROR, low=0),
           (*(Line(X_COUNT, Column(v.COUNT_ERROR, series)) for series in NOISES),
            *(Line(X_COUNT, Column(v.COUNT_ERROR_RAW, series), role="other") for series in NOISES)),
           panel="errors", switch="By count",
           caption="After post-processing (thick) and before (thin): raising negative counts to 0 may halve the error "
                   "of an empty kind, hardly that of a large one."),
    Figure("bias", "Bias by count", COUNTS_TABLE,
           Axis(v.TRUE_COUNT, low=0), Axis(v.COUNT_BIAS, low=0),
           tuple(Line(X_COUNT, Column(v.COUNT_BIAS, series)) for series in NOISES),
           panel="errors", switch="Bias",
           caption="What raising negative counts to 0 adds on average: (b/2) e^(−x/b) for Laplace noise that is not "
                   "rounded. Without it there is no bias."),
    Figure("sensitivity", "How far one record moves an answer", SIZES_TABLE,
           Axis(v.N), Axis(v.MOVE, low=0),
           (*(Line(X_N, Column(v.MOVE, series)) for series in ASKED),
            *(Dots(X_N, Column(v.MOVE_TRIED, series)) for series in ASKED),
            Line(X_N, Column(v.NOTE_MOVE, OF_MEAN), role="other", label="1/n")),
           caption="The worst over all databases of n records: proved (lines), and found by trying them all (dots). "
                   "Thin: 1/n, for an average of swapped values in [0, 1]."),
    Figure("linkage", "People re-identified", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.IDENTIFIED, low=0, high=1), (*_IDENTIFIED, _KNOWN),
           panel="linkage", switch="Named",
           caption="Of 2 000 made-up people, those named by who knows k ratings: from a nameless table, or from noisy "
                   "counts (on average at most “Most at this ε”)."),
    Figure("linkage_log", "People re-identified, log scale", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.IDENTIFIED, "log", high=1, floor=1e-4),
           (Line(X_KNOWN, Column(v.IDENTIFIED, TABLE)),
            Line(X_KNOWN, Column(v.IDENTIFIED_HIGH, RELEASE), label="Private release, upper end"),
            Line(X_KNOWN, Column(v.IDENTIFIED, MOST)), Line(X_KNOWN, Column(v.GUESSED), role="other"), _KNOWN),
           panel="linkage", switch="Named, log",
           caption="The same near 0. Of the release the upper end of the 95 % interval is shown, which comes down to "
                   "the share itself as more people are attacked."),
    Figure("there", "Right about who is there", LINKAGE_TABLE,
           Axis(v.KNOWN), Axis(v.NOTICED, low=0, high=1),
           (*_attack(v.NOTICED, v.NOTICED_LOW, v.NOTICED_HIGH, v.COIN_TOSS), _KNOWN),
           panel="linkage", switch="Present",
           caption="A coin decides whether a person is in the data; the attacker says which. At ε nobody is right more "
                   "than e^ε/(1 + e^ε) of the time."),
)
