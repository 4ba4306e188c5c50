"""The pictures of the audit study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Band, Figure, Line, Mark, Region
from dpstudio.core.results import Column, Series

CLAIMED = Series("promise", "Claimed")
EXACT = Series("law", "Exact")
AUDITED = Series("audited", "Certified")
FEWER = Series("fewer", "n records")
MORE = Series("more", "n + 1 records")
SIDES = (FEWER, MORE)

X_DRAWS = Column(v.DRAWS_DONE)
X_OUTCOME = Column(v.OUTCOME)
LOOKS_TABLE, OUTCOMES_TABLE, EVENTS_TABLE = "looks", "outcomes", "events"


def _streams(y: v.Quantity) -> tuple[Line, ...]:
    return tuple(Line(X_DRAWS, Column(y, series)) for series in (CLAIMED, EXACT, AUDITED))


FIGURES = (
    Figure("certificate", "ε certified as draws stream in", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.AUDIT_EPSILON, low=0),
           (*_streams(v.AUDIT_EPSILON),
            Line(X_DRAWS, Column(v.LOOK_EPSILON, AUDITED), role="other", label="This look alone")),
           panel="certificate", switch="ε",
           caption="With the stated confidence the whole certified curve lies below the exact ε, and so, if it rises "
                   "above the claim, the claim is false."),
    Figure("delta", "δ certified as draws stream in", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.AUDIT_DELTA, low=0), _streams(v.AUDIT_DELTA),
           panel="certificate", switch="δ",
           caption="The δ that the claimed ε needs at least, with the stated confidence; above the claimed δ, the "
                   "claim is false."),
    Figure("probability", "Probability of the chosen event", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.EVENT_PROBABILITY, low=0),
           (*(Band(X_DRAWS, Column(v.EVENT_LOW, side), Column(v.EVENT_HIGH, side)) for side in SIDES),
            *(Line(X_DRAWS, Column(v.EVENT_PROBABILITY, side)) for side in SIDES),
            Line(X_DRAWS, Column(v.FEWER_PROBABILITY, EXACT), role="other", label="Exact, n records"),
            Line(X_DRAWS, Column(v.MORE_PROBABILITY, EXACT), role="other", label="Exact, n + 1 records")),
           panel="certificate", switch="Chosen event",
           caption="Share of the certifying draws in the event that was chosen at each look, with the interval that "
                   "its certificate uses, and the exact probability (thin)."),
    Figure("outcomes", "Outcomes", OUTCOMES_TABLE,
           Axis(v.OUTCOME), Axis(v.CELL_SHARE, low=0),
           (*(Band(X_OUTCOME, Column(v.CELL_LOW, side), Column(v.CELL_HIGH, side)) for side in SIDES),
            *(Line(X_OUTCOME, Column(v.CELL_SHARE, side)) for side in SIDES),
            *(Line(X_OUTCOME, Column(v.CELL_FOUND, side), role="other") for side in SIDES),
            Region(v.EVENT_FROM, v.EVENT_TO, AUDITED)),
           panel="outcomes", switch="Linear",
           caption="Exact probability of each cell of outcomes (thick), its share of the certifying draws (thin, with "
                   "a 95 % interval), and the chosen event (bar below)."),
    Figure("outcomes_log", "Outcomes, log scale", OUTCOMES_TABLE,
           Axis(v.OUTCOME), Axis(v.CELL_SHARE, "log", high=1, floor=1e-9),
           (*(Line(X_OUTCOME, Column(v.CELL_SHARE, side)) for side in SIDES),
            *(Line(X_OUTCOME, Column(v.CELL_FOUND, side), role="other") for side in SIDES),
            Region(v.EVENT_FROM, v.EVENT_TO, AUDITED)),
           panel="outcomes", switch="Log",
           caption="On this scale the distance between both curves is the privacy loss of a cell; an outcome that "
                   "only one dataset can have proves which it was."),
    Figure("events", "What each event shows", EVENTS_TABLE,
           Axis(v.OUTCOME), Axis(v.EDGE_EPSILON, low=0),
           (*(Line(X_OUTCOME, Column(v.EDGE_EPSILON, side)) for side in SIDES),
            *(Line(X_OUTCOME, Column(v.EDGE_FOUND, side), role="other") for side in SIDES),
            Mark("epsilon", axis="y", draggable=True), Region(v.EVENT_FROM, v.EVENT_TO, AUDITED)),
           caption="ε shown by the events “up to the cell at x” (likelier with n records) and “from it on” (n + 1): "
                   "exact (thick), and as the certifying draws bound it (thin)."),
)
