"""The pictures of the updating study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Dots, Figure, Layer, Level, Line, Mark
from dpstudio.core.figure import Band as Between
from dpstudio.core.results import Column, Series
from dpstudio.vocabulary import Quantity

SEQUENTIAL = Series("sequential", "Adding up")
RETRAIN = Series("retrain", "Counting again")
SKEWED = Series("skewed", "Counting again, skewed")
TREE = Series("tree", "Binary tree")
ALL = (SEQUENTIAL, RETRAIN, SKEWED, TREE)
"""The keys are the strategies’ own."""
TRUTH = Series("unnoised", "Without noise")

X_BATCH, X_BATCHES = Column(v.BATCH), Column(v.BATCHES)
STEPS_TABLE, END_TABLE, HISTORY_TABLE, COVERAGE_TABLE = "steps", "end", "history", "coverage"


def _lines(x: Column, y: Quantity, series: tuple[Series, ...] = ALL) -> tuple[Line, ...]:
    return tuple(Line(x, Column(y, one)) for one in series)


def _dots(x: Column, *columns: Quantity) -> tuple[Dots, ...]:
    return tuple(Dots(x, *(Column(each, one) for each in columns)) for one in ALL)


_BATCHES = Mark("batches", draggable=True)
_CROSSED: tuple[Layer, ...] = (Level(v.BETTER_FROM, TREE, "x"), Level(v.BETTER_AFTER, TREE, "x"),
                               Level(v.BETTER_FROM, SKEWED, "x"))
_CROSSED_WORST: tuple[Layer, ...] = (Level(v.WORST_BETTER_FROM, TREE, "x"), Level(v.WORST_BETTER_AFTER, TREE, "x"))

FIGURES = (
    Figure("noise", "Noise in the running count after each batch", STEPS_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RUNNING_SD, "log"),
           (*_lines(X_BATCH, v.RUNNING_SD),
            *_dots(X_BATCH, v.RUNNING_SEEN, v.RUNNING_SEEN_LOW, v.RUNNING_SEEN_HIGH)),
           caption="Exact (lines) and simulated (dots, with 95 % intervals). The tree’s is lowest at powers of two, "
                   "highest where all binary digits of t are 1."),
    Figure("end", "End noise", END_TABLE,
           Axis(v.BATCHES, "log"), Axis(v.END_SD, "log"),
           (*_lines(X_BATCHES, v.END_SD), *_CROSSED, _BATCHES),
           panel="many_batches", switch="Last batch",
           caption="sd after the last of Q batches. Upright lines: the first Q at which the tree beats adding up, "
                   "the last at which it does not, the first of skewed shares."),
    Figure("worst", "Worst noise", END_TABLE,
           Axis(v.BATCHES, "log"), Axis(v.WORST_SD, "log"),
           (*_lines(X_BATCHES, v.WORST_SD), *_CROSSED_WORST, _BATCHES),
           panel="many_batches", switch="Worst batch",
           caption="sd after the worst of Q batches. Upright lines: the first Q with which the tree’s worst beats that "
                   "of adding up, and the last with which it does not."),
    Figure("history", "One history: noise", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.RUNNING_NOISE),
           (*_lines(X_BATCH, v.RUNNING_NOISE),
            *(Between(X_BATCH, Column(v.COUNT_NOISE_LEAST, one), Column(v.COUNT_NOISE_MOST, one)) for one in ALL)),
           panel="history", switch="Noise",
           caption="Released less true running count, batch after batch, and the band that holds each strategy’s "
                   "noise with probability 95 %."),
    Figure("counts", "One history: counts", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.BATCH_COUNT),
           (Line(X_BATCH, Column(v.TRUE_RUNNING_COUNT, TRUTH)), *_lines(X_BATCH, v.BATCH_COUNT)),
           panel="history", switch="Counts",
           caption="What each strategy releases, and the true number of yes."),
    Figure("rate", "How well the rate is known", STEPS_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RUNNING_RATE_SD, "log"),
           _lines(X_BATCH, v.RUNNING_RATE_SD, (TRUTH, *ALL)),
           panel="rate_known", switch="Error",
           caption="Standard deviation of released count over answers. The line without noise is about what a "
                   "posterior claims that takes the noisy count for the true one."),
    Figure("posterior", "One history: posterior", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.RUNNING_RATE_MEAN, low=0, high=1),
           (Between(X_BATCH, Column(v.RATE_LOW, TRUTH), Column(v.RATE_HIGH, TRUTH)),
            *(Between(X_BATCH, Column(v.RATE_LOW, one), Column(v.RATE_HIGH, one)) for one in (SEQUENTIAL, RETRAIN)),
            *_lines(X_BATCH, v.RUNNING_RATE_MEAN, (TRUTH, *ALL)), Mark("rate", axis="y", draggable=True)),
           panel="rate_known", switch="Posterior",
           caption="Means of the posteriors that take the released count, clamped, for the true one, with the central "
                   "95 % of two of them and of the true posterior."),
    Figure("coverage", "Coverage of the naive 95 %", COVERAGE_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RATE_COVERED, low=0, high=1),
           (Line(X_BATCH, Column(v.RATE_COVERED, TRUTH)), *_lines(X_BATCH, v.RATE_COVERED),
            *_dots(X_BATCH, v.RATE_COVERED, v.RATE_COVERED_LOW, v.RATE_COVERED_HIGH)),
           panel="rate_known", switch="Coverage",
           caption="Share of simulated histories, rates drawn evenly from 0 to 1, with 95 % Clopper–Pearson intervals. "
                   "Without noise 95 % is exact."),
)
