"""The pictures of the decision study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Band, Figure, Level, Line, Mark, Region, lines
from dpstudio.core.results import Column, Series
from dpstudio.studies.kit.attack import attack_figure, belief_figure, loss_figure, profile_figures
from dpstudio.vocabulary import Quantity

LAPLACE = Series("laplace", "Laplace")
CUTOFF = Series("cutoff", "Cutoff exponential")
GENERALIZED = Series("generalized", "Generalized")
GAUSSIAN = Series("gaussian", "Gaussian")
MATCHED = Series("matched", "Generalized, cutoff’s δ")
ALL = (LAPLACE, CUTOFF, GENERALIZED, GAUSSIAN, MATCHED)

X_RECORDS = Column(v.RECORDS)
X_TRIALS = Column(v.DONE)
X_POSITION = Column(v.POSITION)
X_ASKED = Column(v.ASKED)

RECORDS_TABLE, SIMULATION_TABLE = "records", "simulation"
THEOREM_TABLE, LEMMA_TABLE, ASKING_TABLE = "theorem", "lemma", "asking"

_MINIMUM = Mark("minimum", draggable=True)
_RECORDS = Mark("records", draggable=True)
_BANDS = tuple(Region(v.BAND_FROM, v.BAND_TO, series) for series in ALL)


def _lines(x: Column, y: Quantity, other: Quantity | None = None) -> tuple[Line, ...]:
    """A curve for every mechanism, and a second, thinner one where there is another outcome."""
    return lines(x, y, ALL) + (lines(x, other, ALL, role="other") if other else ())


FIGURES = (
    Figure("acceptance", "Probability of accepting", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.ACCEPTANCE, low=0, high=1),
           (*_BANDS, *_lines(X_RECORDS, v.ACCEPTANCE), _MINIMUM, _RECORDS),
           panel="acceptance", switch="Linear",
           caption="How likely each decision is to say “yes” to N records; the bars show where it is uncertain."),
    Figure("tails", "Probability of accepting, and of rejecting, on a log scale", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.PROBABILITY, "log", high=1, floor=1e-12),
           (*_lines(X_RECORDS, v.ACCEPTANCE, v.REJECTION), _MINIMUM, _RECORDS),
           panel="acceptance", switch="Log tails",
           caption="Rising: Pr[Q(N)=1]. Falling and thin: Pr[Q(N)=0]. Straight flanks are exponential tails."),
    loss_figure("Privacy loss", RECORDS_TABLE, v.RECORDS,
                (*_lines(X_RECORDS, v.LOSS_ACCEPT, v.LOSS_REJECT), _RECORDS), (-1.5, 4),
                "What “yes” (thick) and “no” (thin) tell about one more record, against ±ε; an arrow at the edge is an "
                "infinite loss."),
    attack_figure(ALL, panel="loss"),
    belief_figure(ALL, "How far 95 % of all answers move, at most, the belief of whoever knows all other records that "
                  "one more is there. Grey: what ε allows.", panel="loss"),
    Figure("asking", "ε of many answers together", ASKING_TABLE,
           Axis(v.ASKED, "log"), Axis(v.COMPOSED_EPSILON, "log"), _lines(X_ASKED, v.COMPOSED_EPSILON),
           panel="loss", switch="Asked again",
           caption="What k answers cost together, at most, if asked again as N grows: kε, or less where more δ buys "
                   "it; Gaussian answers are one with √k·μ."),
    *profile_figures(ALL, Mark("epsilon"), Mark("delta", axis="y")),
    Figure("errors", "Probability of a wrong answer", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.ERROR, low=0),
           (*_lines(X_RECORDS, v.ERROR), _MINIMUM, _RECORDS),
           panel="errors", switch="Linear",
           caption="Below m a “yes” is wrong, from m on a “no” is."),
    Figure("errors_log", "Probability of a wrong answer, log scale", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.ERROR, "log", high=1, floor=1e-12),
           (*_lines(X_RECORDS, v.ERROR), _MINIMUM, _RECORDS),
           panel="errors", switch="Log",
           caption="Below m a “yes” is wrong, from m on a “no” is."),
    Figure("simulation", "Decisions drawn at N", SIMULATION_TABLE,
           Axis(v.DONE, "log"), Axis(v.FRACTION),
           (*(Band(X_TRIALS, Column(v.FRACTION_LOW, series), Column(v.FRACTION_HIGH, series)) for series in ALL),
            *_lines(X_TRIALS, v.FRACTION),
            *(Level(v.ACCEPTANCE, series) for series in ALL)),
           caption="Fraction of simulated decisions that said “yes”, with its 95 % Clopper–Pearson interval, "
                   "closing in on the exact probability (straight)."),
    Figure("theorem", "Theorem 1: one pair carries all smaller N", THEOREM_TABLE,
           Axis(v.RECORDS), Axis(v.SLACK_HERE),
           (*_lines(X_RECORDS, v.SLACK_HERE), _MINIMUM),
           panel="theorem", switch="Theorem 1",
           caption="Slack of Pr[Q(N)=0] ≤ e^ε·Pr[Q(N+1)=0] + δ. Where rejections fall ever faster it shrinks towards "
                   "one pair: if that pair holds, all smaller N do."),
    Figure("lemma", "Lemma 1 as first stated: a counterexample", LEMMA_TABLE,
           Axis(v.POSITION), Axis(v.VALUE, low=0, high=1),
           (Line(X_POSITION, Column(v.VALUE)), Line(X_POSITION, Column(v.LEMMA_BOUND), role="other")),
           panel="theorem", switch="Lemma 1",
           caption="Equal slopes at 0 and 1, and the pair (1, 2) holds at e^ε = 1.2; yet f(0) is far above 1.2·f(1) "
                   "(thin): the slope must fall all the way."),
)
