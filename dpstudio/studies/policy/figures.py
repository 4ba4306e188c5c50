"""The pictures of the policy study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Band, Figure, Layer, Level, Line, Mark
from dpstudio.core.results import Column, Series

NONE = Series("open", "No privacy")
COUNTS = Series("laplace", "Private counts")
DECISION = Series("response", "Private decision")
BOTH = Series("both", "Both private")
REGIMES = (NONE, COUNTS, DECISION, BOTH)
NOTE = Series("raw", "Counts not clipped")
WAITING = Series("waiting", "Nobody acted upon")
ACTING = Series("acting", "All acted upon")
SHARES = {Series(f"level{i}", f"{100 * share:g} % lost"): share for i, share in enumerate((0.4, 0.2, 0.1, 0.02), 1)}
"""Price of privacy on the lines of the map, as a part of what the choice is worth."""

X_COST = Column(v.COST)
X_EPSILON = Column(v.COUNT_EPSILON)
X_DECISION = Column(v.ACT_EPSILON)
X_BATCH = Column(v.POLICY_BATCH)
COST_TABLE, COUNTS_TABLE, DECISION_TABLE, TIME_TABLE, MAP_TABLE = "cost", "counts", "decision", "time", "map"

_SYMMETRIC = ("design", "symmetric")
_COUNT = Mark("epsilon", draggable=True)


def _arm(series: Series) -> tuple[Layer, ...]:
    return (Band(X_COST, Column(v.UTILITY_LOW, series), Column(v.UTILITY_HIGH, series)),
            Line(X_COST, Column(v.UTILITY, series)))


def _batches(value: v.Quantity, low: v.Quantity, high: v.Quantity) -> tuple[Layer, ...]:
    return tuple(layer for series in REGIMES for layer in (
        Band(X_BATCH, Column(low, series), Column(high, series)), Line(X_BATCH, Column(value, series))))


FIGURES = (
    Figure("cost", "Utility against the cost of acting", COST_TABLE,
           Axis(v.COST, low=0), Axis(v.UTILITY),
           (*_arm(WAITING), *_arm(ACTING), Line(X_COST, Column(v.UTILITY, BOTH)),
            Level(v.BREAKEVEN_COST, axis="x"), Mark("cost", draggable=True)),
           caption="Acting is optimal left of the line C*, nowhere where there is none; bands: what exact counts leave "
                   "uncertain, 1.96 posterior sd each way."),
    Figure("counts", "Utility", COUNTS_TABLE,
           Axis(v.COUNT_EPSILON, "log"), Axis(v.POLICY_UTILITY),
           (*(Line(X_EPSILON, Column(v.POLICY_UTILITY, series)) for series in (NONE, COUNTS, NOTE, BOTH)), _COUNT),
           panel="price", switch="ε of counts",
           caption="The distance to “No privacy” is the price; it need not fall as ε grows, for counts that are all "
                   "noise, put back to [0, n], may lean to one action."),
    Figure("decision", "Utility", DECISION_TABLE,
           Axis(v.ACT_EPSILON, low=0), Axis(v.POLICY_UTILITY),
           (*(Line(X_DECISION, Column(v.POLICY_UTILITY, series)) for series in (NONE, DECISION, BOTH)),
            Mark("decision_epsilon", draggable=True, when=_SYMMETRIC)),
           panel="price", switch="ε of decision",
           caption="A symmetric decision at ε′ is the other one with probability 1/(1 + e^ε′): so much of the choice’s "
                   "worth is lost where counts point the right way."),
    Figure("utility", "Utility of each batch", TIME_TABLE,
           Axis(v.POLICY_BATCH), Axis(v.SEEN_UTILITY),
           (*_batches(v.SEEN_UTILITY, v.SEEN_UTILITY_LOW, v.SEEN_UTILITY_HIGH), Level(v.UTILITY_BEST)),
           panel="time", switch="Utility",
           caption="Simulated programmes with 95 % intervals of their mean; the level line is for whoever knows the "
                   "truth."),
    Figure("regret", "Regret over time", TIME_TABLE,
           Axis(v.POLICY_BATCH), Axis(v.REGRET, low=0),
           _batches(v.REGRET, v.REGRET_LOW, v.REGRET_HIGH),
           panel="time", switch="Regret",
           caption="Utility lost on everybody so far, against knowing the truth; 95 % intervals of the mean."),
    Figure("map", "Price over both ε", MAP_TABLE,
           Axis(v.COUNT_EPSILON, "log"), Axis(v.ACT_EPSILON, low=0, high=8),
           (*(Line(Column(v.COUNT_EPSILON, series), Column(v.ACT_EPSILON, series), named=True) for series in SHARES),
            Line(Column(v.COUNT_EPSILON, BOTH), Column(v.ACT_EPSILON, BOTH), label="As much as today", named=True),
            _COUNT, Mark("decision_epsilon", axis="y", draggable=True, when=_SYMMETRIC)),
           panel="equal_prices",
           caption="Lines of equal price, as a part of what the choice is worth; on “As much as today” the two ε can "
                   "be traded at no loss."),
)
