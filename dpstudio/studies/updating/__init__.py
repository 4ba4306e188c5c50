"""A count that grows batch by batch: how to release it after each, and how well it then shows the rate."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import EACH, Axis, Figure, Layer, Level, Line, Mark, band, dots, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import Relation
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.vocabulary import integers, reals

# The keys are the strategies’ own.
SEQUENTIAL = Series("sequential", "Sum of batches")
RETRAIN = Series("retrain", "Recount")
SKEWED = Series("skewed", "Recount, skewed")
TREE = Series("tree", "Binary tree")
TRUTH = Series("unnoised", "Without noise")

X_BATCH, X_BATCHES = Column(v.BATCH), Column(v.BATCHES)
STEPS_TABLE, END_TABLE, HISTORY_TABLE, COVERAGE_TABLE = "steps", "end", "history", "coverage"
SEEN = Estimated(v.RUNNING_SEEN, v.RUNNING_SEEN_LOW, v.RUNNING_SEEN_HIGH)
COVERED = Estimated(v.RATE_COVERED, v.RATE_COVERED_LOW, v.RATE_COVERED_HIGH)

_BATCHES = Mark("batches", draggable=True)
_CROSSED: tuple[Layer, ...] = (Level(v.BETTER_FROM, TREE, "x"), Level(v.BETTER_AFTER, TREE, "x"),
                               Level(v.BETTER_FROM, SKEWED, "x"))
_CROSSED_WORST: tuple[Layer, ...] = (Level(v.WORST_BETTER_FROM, TREE, "x"), Level(v.WORST_BETTER_AFTER, TREE, "x"))

FIGURES = (
    Figure("noise", "Noise after each batch", STEPS_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RUNNING_SD, "log"),
           (*lines(X_BATCH, v.RUNNING_SD), dots(X_BATCH, SEEN)),
           panel="noise",
           caption="Exact lines, simulated dots with 95 % intervals. The tree’s noise is least at powers of two."),
    Figure("end", "Noise after the last of Q batches", END_TABLE,
           Axis(v.BATCHES, "log"), Axis(v.END_SD, "log"),
           (*lines(X_BATCHES, v.END_SD), *_CROSSED, _BATCHES),
           panel="many_batches",
           caption="The sd by Q. Upright: the Q from which the tree is better than the sum, once and always."),
    Figure("worst", "Noise after the worst of Q batches", END_TABLE,
           Axis(v.BATCHES, "log"), Axis(v.WORST_SD, "log"),
           (*lines(X_BATCHES, v.WORST_SD), *_CROSSED_WORST, _BATCHES),
           panel="many_batches",
           caption="The largest sd by Q. Upright: the Q from which the tree’s is below the sum’s, once and always."),
    Figure("history", "One history: noise", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.RUNNING_NOISE),
           (*lines(X_BATCH, v.RUNNING_NOISE), band(X_BATCH, v.COUNT_NOISE_LEAST, v.COUNT_NOISE_MOST)),
           panel="history", drawn_by="seed",
           caption="Released less true count, batch by batch, in the band that holds the noise with probability 95 %."),
    Figure("counts", "One history: counts", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.BATCH_COUNT),
           (Line(X_BATCH, Column(v.TRUE_RUNNING_COUNT, TRUTH)), *lines(X_BATCH, v.BATCH_COUNT)),
           panel="history", drawn_by="seed",
           caption="What each way releases, and the true number of yes."),
    Figure("rate", "Error of the rate", STEPS_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RUNNING_RATE_SD, "log"),
           lines(X_BATCH, v.RUNNING_RATE_SD, (TRUTH, EACH)),
           panel="rate_known",
           caption="The sd of released count over answers; without noise: what a naive posterior claims."),
    Figure("posterior", "One history: posterior", HISTORY_TABLE,
           Axis(v.BATCH), Axis(v.RUNNING_RATE_MEAN, low=0, high=1),
           (*(band(X_BATCH, v.RATE_LOW, v.RATE_HIGH, one) for one in (TRUTH, SEQUENTIAL, RETRAIN)),
            *lines(X_BATCH, v.RUNNING_RATE_MEAN, (TRUTH, EACH)), Mark("rate", axis="y", draggable=True)),
           panel="rate_known", drawn_by="seed",
           caption="Means of the naive posteriors, clamped; bands: the central 95 % of two and of the true posterior."),
    Figure("coverage", "Coverage of the naive interval", COVERAGE_TABLE,
           Axis(v.BATCH, "log"), Axis(v.RATE_COVERED, low=0, high=1),
           (*lines(X_BATCH, v.RATE_COVERED, (TRUTH, EACH)), dots(X_BATCH, COVERED)),
           panel="rate_known",
           caption="Share of simulated histories whose naive 95 % interval contains the rate; without noise 95 %."),
)

OUTCOMES = (
    Outcome(v.END_SD, "Noise after the last batch against ε",
            "Each with the whole ε for a person. The skewed recount has more noise in all earlier batches."),
    Outcome(v.WORST_VARIANCE, "Variance after the worst batch against ε", "Each with the whole ε for a person."),
)


PERSON = Relation("person", "The yes of one person, counted or left out in every batch they are in,",
                  "whether one person’s yes is counted", "all batches of one person",
                  "neighbours differ by one person, whose yes is counted or left out in every batch they are in; the "
                  "sizes of the batches are public", swap="two", kind="person")


@dataclass(frozen=True)
class Updating(Study):
    """Compare the sum of noisy batch counts, a recount, the same with unequal shares, and a binary tree."""

    key = "updating"
    title = "Updating"
    question = "How should a count be updated, batch after batch?"
    neighbours = PERSON
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "batches", "who", "batch_people", "rate"),
        (v.WORST_SD, v.END_SD, v.END_ERROR_95, v.RUNNING_RATE_SD, v.ONCE_EPSILON, v.STATUS_EPSILON, v.VISITS_EPSILON),
        (SEQUENTIAL, TREE, RETRAIN, SKEWED), "noise", ("rate", "end", "frontier_worst_variance"),
        ("risk", "ends_once", "ends_status", "ends_visits", "unspent"), wanted=v.WORST_SD)
    presets = (
        Preset("ten", "Recount", "Ten batches at ε = 1: the recount with ε/Q, which the notes expect to end "
               "with less noise, has ten times the variance, 200 instead of 20.",
               {"epsilon": 1.0, "batches": 10, "batch_people": 100, "who": "once"}),
        Preset("year", "A year, day by day", "365 batches at ε = 1: the sum of batches ends with a variance "
               "of 730, the recount with 266 450.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 100, "who": "once"}),
        Preset("tree", "Where the tree is best", "4 096 batches: the binary tree’s worst batch has half the "
               "variance of the sum’s, its last batch a twenty-fourth.",
               {"epsilon": 1.0, "batches": 4096, "batch_people": 100, "who": "once"}),
        Preset("status", "A yes that comes and goes", "The same people every day, each counted once at most: here "
               "the recount has the least noise, by the number of batches.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 10_000, "who": "status"}),
        Preset("visits", "Everybody in every batch", "The same people every day, and every yes counts: all "
               "ways need more noise.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 10_000, "who": "visits"}),
    )

    epsilon: float = kit.epsilon(0.1, reals(1e-6, 20), (1e-3, 10))
    batches: int = parameter(v.BATCHES, 10, domain=integers(1, 20_000), shown=(1, 20_000),
                             ends=("few releases", "many releases"))
    who: str = parameter(v.MEMBERSHIP, "once")
    batch_people: int = kit.people(100, 10**9, (1, 1e6), v.BATCH_PEOPLE)
    rate: float = parameter(v.BATCH_RATE, 0.3, shown=(0, 1))
    share: float = parameter(v.LAST_SHARE, 0.5, domain=reals(0.01, 0.99), shown=(0.01, 0.99), group="Variants",
                             ends=("early", "at the end"))
    delta: float = kit.delta(1e-6, reals(0, 0.5), v.UPDATE_DELTA, group="Variants")
    trials: int = kit.trials(v.HISTORIES, 20_000, (1e2, 1e6), 10**7)
    seed: int = kit.seed()
