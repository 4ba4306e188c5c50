"""The pictures of the response study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Dots, Figure, Layer, Line, Mark
from dpstudio.core.results import Column, Series
from dpstudio.studies.kit.attack import attack_figure, belief_layers, profile_figures

CHOSEN = Series("response", "This response")
BEST = Series("best", "Best at the same ε")
RAW = Series("raw", "Raw share of yes")
LEVELS = {Series(f"level{i}", f"ε = {epsilon:g}"): epsilon for i, epsilon in enumerate((0.5, 1.0, 2.0, 4.0), 1)}
"""ε of the lines on the map."""

X_PRIOR = Column(v.PREVALENCE)
X_COIN2 = Column(v.THETA2)
X_ESTIMATE = Column(v.ESTIMATE)

PRIOR_TABLE, COINS_TABLE, ESTIMATES_TABLE, SURVEYS_TABLE = "prior", "coins", "estimates", "surveys"

_PRIOR = Mark("prevalence", draggable=True)
_COINS = ("design", "coins")


def _both(series: Series) -> tuple[Line, ...]:
    """Posterior after “yes” and, thinner, after “no”."""
    return (Line(X_PRIOR, Column(v.POSTERIOR_YES, series)), Line(X_PRIOR, Column(v.POSTERIOR_NO, series), role="other"))


def _surveys(series: Series) -> tuple[Layer, ...]:
    x = Column(v.ESTIMATE, series)
    return (Line(x, Column(v.SHARE, series)),
            Dots(x, Column(v.SURVEYS_SHARE, series), Column(v.SURVEYS_SHARE_LOW, series),
                 Column(v.SURVEYS_SHARE_HIGH, series)))


FIGURES = (
    Figure("posterior", "What an answer tells about one person", PRIOR_TABLE,
           Axis(v.PREVALENCE, low=0, high=1), Axis(v.POSTERIOR, low=0, high=1),
           (*belief_layers(X_PRIOR, CHOSEN, (*_both(CHOSEN), *_both(BEST))), _PRIOR),
           caption="Belief of somebody who sees one answer, after “yes” (thick) and “no” (thin), against the belief "
                   "before; no answer with this ε leads out of the band."),
    Figure("map", "ε of two coins", COINS_TABLE,
           Axis(v.THETA2, low=0, high=1), Axis(v.THETA1, low=0, high=1),
           (*(Line(X_COIN2, Column(v.THETA1, series), named=True) for series in LEVELS),
            Line(X_COIN2, Column(v.THETA1, CHOSEN)),
            Dots(Column(v.COIN2, BEST), Column(v.COIN1, BEST)),
            Dots(Column(v.COIN2, CHOSEN), Column(v.COIN1, CHOSEN)),
            Mark("theta2", draggable=True, when=_COINS), Mark("theta1", axis="y", draggable=True, when=_COINS)),
           panel="two_coins",
           caption="Lines of equal ε, today’s among them. A dot shows these coins, another the best ones of that ε: "
                   "the top of the line, where θ₂ is fair."),
    Figure("estimates", "Estimates", ESTIMATES_TABLE,
           Axis(v.ESTIMATE), Axis(v.ESTIMATE_RELATIVE, low=0, high=1),
           (*(Line(X_ESTIMATE, Column(v.ESTIMATE_RELATIVE, series)) for series in (CHOSEN, BEST, RAW)), _PRIOR),
           panel="estimates", switch="Exact",
           caption="What fraction a survey arrives at, debiased or raw, each curve against its own peak. The raw share "
                   "is no wider, but lies around λ."),
    Figure("surveys", "Surveys", SURVEYS_TABLE,
           Axis(v.ESTIMATE), Axis(v.SHARE, low=0),
           (*_surveys(CHOSEN), *_surveys(RAW), _PRIOR),
           panel="estimates", switch="Simulated",
           caption="Share of the simulated surveys in each cell (dots with 95 % intervals) and its exact probability "
                   "(lines), read in both ways."),
    Figure("answers", "From truth to answer", PRIOR_TABLE,
           Axis(v.PREVALENCE, low=0, high=1), Axis(v.ANSWER_YES, low=0, high=1),
           (Line(X_PRIOR, Column(v.ANSWER_YES, CHOSEN)), Line(X_PRIOR, Column(v.ANSWER_YES, BEST)),
            Line(X_PRIOR, Column(v.ANSWERS_AS_PRIOR), role="other"), _PRIOR),
           caption="How often “yes” is said. At the left end the truth is no, at the right end yes; the rise between "
                   "them is all that a survey can use."),
    *profile_figures(Mark("epsilon", when=("design", "symmetric")), series=(CHOSEN, BEST)),
    attack_figure("people with the truth, yes or no, that it looks for", "", series=(CHOSEN, BEST)),
)
