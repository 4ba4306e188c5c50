"""The stochastic decision: are there at least m records, answered without giving one record away?"""

from __future__ import annotations

import json
from dataclasses import replace

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.core.figure import EACH, Axis, Dots, Figure, Line, Mark, Region, lines, settling
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.resources import resource
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, belief_figure, loss_figure, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import integers, reals

LAPLACE = Series("laplace", "Laplace")
CUTOFF = Series("cutoff", "Cutoff exponential")
GENERALIZED = Series("generalized", "Generalized")
GAUSSIAN = Series("gaussian", "Gaussian")
MATCHED = Series("matched", "Generalized at cutoff’s δ")
OPTIMAL_SELECTION = Series("selection_optimal", "Optimal per group")
GEOMETRIC_SELECTION = Series("selection_geometric", "Truncated geometric", look="geometric")
LAPLACE_SELECTION = Series("selection_laplace", "Laplace threshold")
GAUSSIAN_SELECTION = Series("selection_gaussian", "Gaussian threshold")
SELECTION = (OPTIMAL_SELECTION, GEOMETRIC_SELECTION, LAPLACE_SELECTION, GAUSSIAN_SELECTION)
DISCRETE_LAPLACE = Series("discrete_laplace", "Discrete Laplace", look="geometric")
DISCRETE_GAUSSIAN = Series("discrete_gaussian", "Discrete Gaussian")
ALWAYS = (LAPLACE, CUTOFF, GENERALIZED, GAUSSIAN, MATCHED)
FIRST = (LAPLACE, GENERALIZED, GAUSSIAN, CUTOFF)
"""What is compared first, and competes where it is allowed: the other one always there only explains the cutoff."""

SMALL_DELTA = (LAPLACE, GENERALIZED, GAUSSIAN)
"""The others spend a δ with which many answers promise nothing."""

X_RECORDS = Column(v.RECORDS)
X_TRIALS = Column(v.DONE)
X_POSITION = Column(v.POSITION)
X_ASKED = Column(v.ASKED)
X_USERS = Column(v.USERS)
X_FALSE_ACCEPT = Column(v.FALSE_ACCEPT)
SEEN = Estimated(v.FRACTION, v.FRACTION_LOW, v.FRACTION_HIGH)

RECORDS_TABLE, SIMULATION_TABLE = "records", "simulation"
THEOREM_TABLE, LEMMA_TABLE, ASKING_TABLE, CURVE_TABLE = "theorem", "lemma", "asking", "curve"
COST_TABLE, TRADE_TABLE = "cost", "trade"
GROUPS_TABLE = "groups"

_MINIMUM = Mark("minimum", draggable=True)
_RECORDS = Mark("records", draggable=True)
_BANDS = Region(v.BAND_FROM, v.BAND_TO, EACH)
_NO_GROUPS = "“Compare also: group selection” draws them, for δ > 0"


_ERRORS = Figure("errors", "Probability of a wrong answer", RECORDS_TABLE, Axis(v.RECORDS), Axis(v.ERROR, low=0),
                 (*lines(X_RECORDS, v.ERROR), _MINIMUM, _RECORDS), panel="errors",
                 caption="Below m a “yes” is wrong, from m on a “no” is.")
FIGURES = (
    Figure("acceptance", "Probability of “yes”", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.ACCEPTANCE, low=0, high=1),
           (_BANDS, *lines(X_RECORDS, v.ACCEPTANCE), _MINIMUM, _RECORDS),
           panel="acceptance",
           caption="How likely each decision says “yes” to N records. The bars show where it is uncertain."),
    Figure("tails", "Probability of “yes” and “no”", RECORDS_TABLE,
           Axis(v.RECORDS), Axis(v.PROBABILITY, "log", high=1, floor=1e-12),
           (*lines(X_RECORDS, v.ACCEPTANCE, thin=v.REJECTION), _MINIMUM, _RECORDS),
           panel="acceptance",
           caption="Rising: “yes”. Falling and thin: “no”. Straight flanks are exponential tails."),
    Figure("groups", "Probability that a group is shown", GROUPS_TABLE,
           Axis(v.USERS), Axis(v.SHOWN, low=0, high=1), lines(X_USERS, v.SHOWN, SELECTION),
           panel="acceptance", empty=_NO_GROUPS,
           caption="How likely a group of n people is shown where the list of groups is secret; of nobody: never."),
    Figure("groups_log", "Probability that a group is shown, log", GROUPS_TABLE,
           Axis(v.USERS), Axis(v.PROBABILITY, "log", high=1, floor=1e-12),
           lines(X_USERS, v.SHOWN, SELECTION, thin=v.NOT_SHOWN),
           panel="acceptance", empty=_NO_GROUPS,
           caption="Rising: the group is shown; of one person at most with δ. Falling and thin: it is not."),
    loss_figure("Loss of “yes” and “no”", RECORDS_TABLE, v.RECORDS,
                (*lines(X_RECORDS, v.LOSS_ACCEPT, thin=v.LOSS_REJECT), _RECORDS), (-1.5, 4),
                "What “yes” (thick) and “no” (thin) tell of one record, against ±ε. An arrow at the edge: no limit."),
    attack_figure(panel="loss"),
    belief_figure("What 95 % of answers make of a belief in the record, by somebody who knows all others. "
                  "Grey: within ε.", panel="loss"),
    Figure("asking", "Total ε of k answers", ASKING_TABLE,
           Axis(v.ASKED, "log"), Axis(v.COMPOSED_EPSILON, "log"), lines(X_ASKED, v.COMPOSED_EPSILON),
           panel="loss",
           caption="The most that k answers spend if you ask again while N grows: kε, or less for more δ."),
    *profile_figures(Mark("epsilon"), Mark("delta", axis="y")),
    Figure("curve", "Total ε by the privacy profile", CURVE_TABLE,
           Axis(v.ASKED, "log"), Axis(v.COMPOSED_ANY, "log"),
           (*lines(X_ASKED, v.COMPOSED_ANY, SMALL_DELTA, thin=v.COMPOSED_STAYING),
            Line(X_ASKED, Column(v.COMPOSED_EPSILON), role="other", label="kε")),
           panel="profile",
           caption="Thick: at most, at any N. Thin: at least, while N stays. At the δ of k answers and δ once more."),
    _ERRORS,
    replace(_ERRORS, key="errors_log", title="Probability of a wrong answer, log",
            y=Axis(v.ERROR, "log", high=1, floor=1e-12)),
    Figure("cost", "Expected cost by Pr[“yes”] at m", COST_TABLE,
           Axis(v.TARGET), Axis(v.EXPECTED_COST, "log", floor=1e-15),
           (Line(Column(v.TARGET, EACH), Column(v.EXPECTED_COST, EACH)),
            Dots(Column(v.BEST_TARGET, EACH), Column(v.BEST_COST, EACH)), Mark("target", draggable=True)),
           panel="choice",
           caption="What wrong answers cost on average, by Pr[“yes”] at m. A dot shows the least."),
    Figure("trade", "False “no” against false “yes”", TRADE_TABLE,
           Axis(v.FALSE_ACCEPT, low=0), Axis(v.FALSE_REJECT, low=0),
           (Line(Column(v.FALSE_ACCEPT, EACH), Column(v.FALSE_REJECT, EACH)),
            Line(X_FALSE_ACCEPT, Column(v.FALSE_REJECT), role="other", label="Equal cost"),
            Dots(Column(v.FALSE_ACCEPT_NOW, EACH), Column(v.FALSE_REJECT_NOW, EACH))),
           panel="choice",
           empty="Under this prior only one of both errors can be made",
           caption="Both errors under the prior as Pr[“yes”] at m rises; dots: now. Below the thin line: cheaper."),
    Figure("simulation", "Simulated share of “yes” at N", SIMULATION_TABLE,
           Axis(v.DONE, "log"), Axis(v.FRACTION),
           settling(X_TRIALS, SEEN, v.ACCEPTANCE),
           caption="Share of “yes” so far, with its 95 % Clopper–Pearson interval. Straight: the exact probability."),
    Figure("theorem", "Theorem 1: one pair of neighbours decides", THEOREM_TABLE,
           Axis(v.RECORDS), Axis(v.SLACK_HERE),
           (*lines(X_RECORDS, v.SLACK_HERE), _MINIMUM),
           panel="theorem",
           caption="Slack of Pr[Q(N)=0] ≤ e^ε·Pr[Q(N+1)=0] + δ. Where it is least, one pair decides for smaller N."),
    Figure("lemma", "Lemma 1 as first stated: a counterexample", LEMMA_TABLE,
           Axis(v.POSITION), Axis(v.VALUE, low=0, high=1),
           (Line(X_POSITION, Column(v.VALUE)), Line(X_POSITION, Column(v.LEMMA_BOUND), role="other")),
           panel="theorem",
           caption="Equal slopes at 0 and 1, and (1, 2) holds at e^ε = 1.2; yet f(0) is far above 1.2·f(1) (thin)."),
)

_RAND = json.loads(resource("data/rand_hie_count.json").read_text("utf-8"))

OUTCOMES = (
    Outcome(v.BAND_WIDTH, "Uncertain band against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA, series=ALWAYS,
            axis=v.BAND_STEPS.label),
    Outcome(v.OVERALL_ERROR, "Wrong answers against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA,
            series=ALWAYS),
    Outcome(v.USERS_NEEDED, "People that a group needs against ε",
            "ε at δ of a person, for all of their groups together; the list of groups is secret.",
            cost=v.EPSILON_AT_DELTA, given={"others": "selection"}, series=SELECTION),
)


FURTHER = "Further decisions, assumptions"


@dataclass(frozen=True)
class Decision(Study):
    """Compare the ways of answering “are there at least m records?” under differential privacy."""

    key = "decision"
    title = "Decision"
    question = "Are there at least m records?"
    size = "minimum"
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "delta", "minimum", "records", "target"),
        (v.SURE_YES, v.SURE_NO, v.BAND_STEPS, v.ACCEPTANCE, v.OVERALL_ERROR, v.GUARANTEE_DELTA, v.ASKED_EPSILON),
        FIRST, "acceptance", ("frontier", "loss", "errors", "asking", "belief"), ("risk", "cutoff"),
        wanted=v.BAND_STEPS)
    door = Door(*SIGNS["decision"], (Ask("minimum", "At least how many?", "records"), Ask("epsilon", "How private?"),
                                     Ask("delta", "And an excess probability, if any?")))
    presets = (
        Preset("large_liberal", "100 000 records, liberal", "The example of “Implementation of Stochastic Decision”: "
               "ε = δ = 0.001, m = 100 000, p = 0.99.",
               {"minimum": 100_000, "epsilon": 1e-3, "delta": 1e-3, "target": 0.99, "records": 100_000}),
        Preset("large_conservative", "100 000 records, conservative", "The same with p = 0.01: from how many "
               "records on is “yes” sure?",
               {"minimum": 100_000, "epsilon": 1e-3, "delta": 1e-3, "target": 0.01, "records": 107_825}),
        Preset("rand_hie", "RAND health insurance", f"{_RAND['title']}: {_RAND['records']} of {_RAND['all_records']}. "
               "Are there at least 650?",
               {"minimum": 650, "epsilon": 0.05, "delta": 1e-6, "target": 0.5, "records": _RAND["records"]}),
        Preset("groups", "Which groups to show", "The list of groups is secret, and each person is in one: how many "
               "people does a group need to be shown half the time at ε = 1, δ = 10⁻⁵?",
               {"minimum": 12, "epsilon": 1.0, "delta": 1e-5, "target": 0.5, "records": 12, "others": "selection"}),
        Preset("ten_groups", "Which groups to show, ten per person", "The same where each person may be in up to ten: "
               "from four groups per person on Gaussian noise needs the fewest.",
               {"minimum": 63, "epsilon": 1.0, "delta": 1e-5, "target": 0.5, "records": 63, "others": "selection",
                "partitions": 10}),
    )

    minimum: int = parameter(v.MINIMUM, 1_000, domain=integers(1, 10**9), shown=(10, 1e7),
                             ends=("asks for fewer", "asks for more"))
    epsilon: float = kit.epsilon(0.1, reals(1e-6, 20), (1e-4, 10))
    delta: float = kit.delta(1e-6, reals(0, 0.5))
    target: float = parameter(v.TARGET, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.001, 0.999),
                              named={"conservative": 0.01, "neutral": 0.5, "liberal": 0.99}, named_title="strategy",
                              ends=("fewer false yes", "fewer false no"))
    uncertain: float = parameter(v.TAIL, 0.01, domain=reals(0, 0.5, open="both"), shown=(1e-6, 0.4),
                                 ends=("surer", "narrower"))
    records: int = parameter(v.RECORDS, Follow("minimum", plus=20), domain=integers(0, 10**12), shown=(0, 1e7))
    prior: str = parameter(v.PRIOR, "uniform", group="Prior and costs")
    prior_centre: float = parameter(v.PRIOR_CENTRE, Follow("minimum"), domain=reals(0, 1e12), shown=(1, 1e7),
                                    group="Prior and costs")
    prior_width: float = parameter(v.PRIOR_WIDTH, Follow("minimum", 0.1), domain=reals(1e-3, 1e12), shown=(1, 1e7),
                                   group="Prior and costs", ends=("surer of N", "less sure"),
                                   when=("prior", "uniform", "normal"))
    cost_false_yes: float = parameter(v.COST_FALSE_YES, 1.0, domain=reals(1e-6, 1e9), shown=(1e-3, 1e3),
                                      group="Prior and costs", ends=("more false yes", "fewer false yes"))
    cost_false_no: float = parameter(v.COST_FALSE_NO, 1.0, domain=reals(1e-6, 1e9), shown=(1e-3, 1e3),
                                     group="Prior and costs", ends=("more false no", "fewer false no"))
    trials: int = kit.trials(v.TRIALS, 1_000_000, (1e3, 1e9))
    seed: int = kit.seed()
    zero_refused: bool = parameter(v.ZERO_REFUSED, False, group=FURTHER)
    others: str = parameter(v.OTHERS, "none", group=FURTHER)
    partitions: int = parameter(v.PARTITIONS, 1, domain=integers(1, 1000), shown=(1, 100), group=FURTHER,
                                ends=("fewer people needed", "more needed"), when=("others", "selection"))
