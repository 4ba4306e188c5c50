"""Auditing a claim of privacy by sampling: what can be proved against it from draws alone?"""

from __future__ import annotations

from collections.abc import Mapping

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Layer, Line, Mark, Region, band, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import COUNTED, TRUTH, Relation, rows_of
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.core.units import Model
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import integers, reals

CLAIMED = Series("promise", "Claimed")
EXACT = Series("law", "Exact")
AUDITED = Series("audited", "Certified")
FEWER = Series("fewer", "n records")
MORE = Series("more", "n + 1 records")
SIDES = (FEWER, MORE)

ROWS = 5
"""Of each person, as somebody in the RAND table has them, where rows are audited."""
_LATER = Relation("later", "One record that is counted from the second of two times on, or never,",
                  "whether one record is counted", "one record of one person",
                  "neighbours differ by one record of one person, counted from the second of two times on or never",
                  kind="record")
RELATIONS = {"response": TRUTH, "bounded_rows": rows_of(2), "wrong_rows": rows_of(ROWS), "shuffled_responses": COUNTED,
             "wrong_shuffled_groups": COUNTED, "above_threshold": _LATER, "wrong_threshold": _LATER}
"""Who is a neighbour of whom, by what is audited; of all else by one record."""
MODELS: Mapping[str, Model] = {"response": "local", "shuffled_responses": "shuffled",
                               "wrong_shuffled_groups": "shuffled"}
"""Where the noise is added; of all else by a curator."""

X_DRAWS = Column(v.DRAWS_DONE)
X_OUTCOME = Column(v.OUTCOME)
LOOKS_TABLE, OUTCOMES_TABLE, EVENTS_TABLE = "looks", "outcomes", "events"


EVENT = Estimated(v.EVENT_PROBABILITY, v.EVENT_LOW, v.EVENT_HIGH)
CELLS = Estimated(v.CELL_FOUND, v.CELL_LOW, v.CELL_HIGH)
STREAMS = (CLAIMED, EXACT, AUDITED)
_CHOSEN = Region(v.EVENT_FROM, v.EVENT_TO, AUDITED)
_SHARES: tuple[Layer, ...] = (*lines(X_OUTCOME, v.CELL_SHARE, SIDES, thin=CELLS.value), _CHOSEN)

FIGURES = (
    Figure("certificate", "Certified ε by draws", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.AUDIT_EPSILON, low=0),
           (*lines(X_DRAWS, v.AUDIT_EPSILON, STREAMS),
            Line(X_DRAWS, Column(v.LOOK_EPSILON, AUDITED), role="other", label="This checkpoint only")),
           panel="certificate",
           caption="What the draws prove of ε, at the stated confidence. Above the claimed level the claim is false."),
    Figure("delta", "Certified δ by draws", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.AUDIT_DELTA, low=0), lines(X_DRAWS, v.AUDIT_DELTA, STREAMS),
           panel="certificate",
           caption="The δ that the claimed ε needs at least, by the draws. Above the claimed level the claim is "
           "false."),
    Figure("probability", "Probability of the event", LOOKS_TABLE,
           Axis(v.DRAWS_DONE, "log"), Axis(v.EVENT_PROBABILITY, low=0),
           (*(band(X_DRAWS, EVENT.low, EVENT.high, side) for side in SIDES), *lines(X_DRAWS, EVENT.value, SIDES),
            Line(X_DRAWS, Column(v.FEWER_PROBABILITY, EXACT), role="other", label="Exact, n records"),
            Line(X_DRAWS, Column(v.MORE_PROBABILITY, EXACT), role="other", label="Exact, n + 1 records")),
           panel="certificate",
           caption="Share of draws in the event chosen at each checkpoint, with its interval; thin: exact."),
    Figure("outcomes", "Outcomes", OUTCOMES_TABLE,
           Axis(v.OUTCOME), Axis(v.CELL_SHARE, low=0),
           (*(band(X_OUTCOME, CELLS.low, CELLS.high, side) for side in SIDES), *_SHARES),
           panel="outcomes",
           caption="Probability of each cell of outcomes: exact (thick), of the draws (thin). Bar: the chosen event."),
    Figure("outcomes_log", "Outcomes, log", OUTCOMES_TABLE,
           Axis(v.OUTCOME), Axis(v.CELL_SHARE, "log", high=1, floor=1e-9),
           _SHARES,
           panel="outcomes",
           caption="The distance between both curves is the loss of a cell. A cell of one dataset alone proves which."),
    Figure("events", "ε shown by each event", EVENTS_TABLE,
           Axis(v.OUTCOME), Axis(v.EDGE_EPSILON, low=0),
           (*lines(X_OUTCOME, v.EDGE_EPSILON, SIDES, thin=v.EDGE_FOUND), Mark("epsilon", axis="y", draggable=True),
            _CHOSEN),
           caption="ε of the events “up to x” (n records) and “from x on” (n + 1): exact (thick), by draws (thin)."),
)

DECISION, SAMPLE, AFTER = "Decisions", "Sample", "Post-processing"
_STEEP = ("laplace_decision", "generalized_decision", "gaussian_decision")
_WITH_DELTA = ("mechanism", "generalized_decision", "gaussian_decision", "partition_selection", "gaussian_count",
               "discrete_gaussian_count", "shuffled_responses", "wrong_shuffled_groups")
_WITH_MINIMUM = ("mechanism", *_STEEP, "cutoff_decision", "wrong_delta", "above_threshold", "wrong_threshold")

OUTCOMES = (
    Outcome(v.DRAWS_NEEDED, "Draws needed by claimed ε",
            "Draws per dataset that prove 90 % of the exact ε, or disprove the claim, in nine of ten audits.",
            risks=False),
)


@dataclass(frozen=True)
class Audit(Study):
    """Draw from a mechanism on two neighbouring datasets, and certify an ε that it has at least."""

    key = "audit"
    title = "Audit"
    question = "Does it keep what it claims?"
    asked = None
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("honest", "An honest count", "Laplace noise on a count at ε = 1: the certificate climbs towards 1 and, "
               "with the stated confidence, stays below it.",
               {"mechanism": "laplace_count", "epsilon": 1.0, "records": 0}),
        Preset("sensitivity", "Sensitivity off by two", "Laplace noise for half the true sensitivity claims ε = 1 and "
               "has 2.",
               {"mechanism": "wrong_sensitivity", "epsilon": 1.0, "records": 0}),
        Preset("delta", "The δ of > reported for ≥", "A group is published where its noisy count is ≥ 5, with the δ "
               "of > 5.",
               {"mechanism": "wrong_delta", "epsilon": 1.0, "records": 0, "minimum": 5}),
        Preset("shared", "Two releases, one noise", "The same noise twice: the difference of the two is no secret.",
               {"mechanism": "wrong_shared_noise", "epsilon": 1.0, "records": 0}),
        Preset("plain", "Debiased, never randomized", "An estimate corrected for coins that nobody threw.",
               {"mechanism": "wrong_not_randomized", "epsilon": 1.0, "records": 0}),
        Preset("floating", "Noise in plain doubles", "Laplace noise in double precision: the last bits of a count of 1 "
               "often prove that it is not 0.",
               {"mechanism": "wrong_floating", "epsilon": 1.0, "records": 0}),
        Preset("sampled", "A sample that claims too much", "One person in five is drawn, and ε/5 is claimed for what "
               "needs ln(1 + (e^ε − 1)/5).",
               {"mechanism": "wrong_sampled", "epsilon": 1.0, "records": 0, "rate": 0.2}),
        Preset("rounded", "Rounding does no harm", "An honest count rounded to multiples of 5: ε stays 1, and it "
               "takes more draws to see.",
               {"mechanism": "laplace_count", "epsilon": 1.0, "records": 0, "processing": "rounding",
                "processing_at": 5.0}),
    )

    level_one = LevelOne(
        ("epsilon", "mechanism", "delta", "trials", "confidence"),
        (v.AUDIT_EPSILON, v.DRAWS_NEEDED, v.MORE_PROBABILITY, v.FEWER_PROBABILITY, v.AUDIT_DELTA),
        (*STREAMS, *SIDES), "outcomes", ("certificate", "events", "frontier"),
        ("risk", "risk_and_odds", "no_proof", "wrong"), wanted=v.DRAWS_NEEDED)
    door = Door(*SIGNS["audit"], (Ask("mechanism", "What was released?"), Ask("epsilon", "Claimed ε"),
                                  Ask("trials", "How many draws?", "per dataset")))

    mechanism: str = parameter(v.AUDITED, "laplace_count")
    epsilon: float = kit.epsilon(1.0, reals(1e-3, 20), (0.01, 10))
    delta: float = kit.delta(1e-6, reals(1e-15, 0.5), when=_WITH_DELTA)
    records: int = parameter(v.FEWER_RECORDS, 0, domain=integers(0, 10**6), shown=(0, 20))
    confidence: float = parameter(v.CONFIDENCE, 0.99, domain=reals(0.5, 1 - 1e-9), shown=(0.9, 0.9999),
                                  ends=("bolder", "surer"))
    minimum: int = parameter(v.MINIMUM, 5, domain=integers(1, 10**6), shown=(1, 20), group=DECISION,
                             when=_WITH_MINIMUM)
    target: float = parameter(v.TARGET, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.01, 0.99), group=DECISION,
                              when=("mechanism", *_STEEP))
    rate: float = parameter(v.SAMPLING_RATE, 0.2, domain=reals(1e-3, 0.999), shown=(0.01, 0.9), group=SAMPLE,
                            ends=("more private", "everybody"), when=("mechanism", "sampled_count", "wrong_sampled"))
    processing: str = parameter(v.PROCESSING, "none", group=AFTER)
    processing_at: float = parameter(v.PROCESSING_AT, 1.0, domain=reals(1e-3, 1e6), shown=(0.1, 100), group=AFTER,
                                     when=("processing", "rounding", "clamping", "thresholding"))
    trials: int = kit.trials(v.DRAWS, 1_000_000, (1e3, 1e9))
    seed: int = kit.seed()

    @property
    def relation(self) -> Relation:
        """That of what is audited."""
        return RELATIONS.get(self.mechanism, self.neighbours)
