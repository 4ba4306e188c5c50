"""A count that grows with time: when is “at least m” first said, and how much too early or too late?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Level, Line, Mark, band, dots, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import Relation
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import integers, reals

ABOVE = Series("above", "AboveThreshold", "laplace")
EXPONENTIAL = Series("exponential", "AboveThreshold, exp.", "cutoff")
BASIC = Series("basic", "New decision, ε/k")
OPTIMAL = Series("optimal", "New decision, optimal")
TREE = Series("tree", "Binary tree")
EXACT = (ABOVE, EXPONENTIAL, BASIC, OPTIMAL)
"""Those whose first “yes” has a law that is computed."""
TRUTH = Series("unnoised", "Without noise")
CLAIMED = Series("promise", "As claimed")
ANEW = Series("anew", "New threshold", "open")
GOING_ON = Series("going_on", "Going on after “yes”", "advanced")
TOLD = Series("told", "Noisy count told", "printed")
BARE = Series("bare", "No noise on the counts", "accounting")

X_TIME, X_TIMES = Column(v.TIME), Column(v.TIMES)
SEEN = Estimated(v.SAID_SEEN, v.SAID_LOW, v.SAID_HIGH)
TIMES_TABLE, ALARM_TABLE, HISTORY_TABLE, WRONG_TABLE = "times", "alarm", "history", "wrong"

STAYS, COMES_AND_GOES = "stays", "comes and goes"
_KNOWN = "; only the first “yes” is seen"
RELATIONS = {
    STAYS: Relation(
        "stays", "One record that from some step on is counted or left out", "whether one record is counted",
        "one record of one person, at all steps from its own",
        f"neighbours differ by one record of one person, counted or left out from some step on{_KNOWN}", kind="record"),
    COMES_AND_GOES: Relation(
        "comes_and_goes", "One record that at any of the steps is counted or left out",
        "whether one record is counted", "one record of one person, which may come and go",
        f"neighbours differ by one record of one person, counted or left out at any of the steps{_KNOWN}",
        kind="record"),
}
"""Who is a neighbour of whom; all other records may come and go as they like."""

FIGURES = (
    Figure("said", "Probability of “yes” by step t", TIMES_TABLE,
           Axis(v.TIME), Axis(v.SAID, low=0, high=1),
           (*lines(X_TIME, v.SAID, EXACT), Line(X_TIME, Column(v.SAID_SEEN, TREE)),
            band(X_TIME, SEEN.low, SEEN.high, TREE), dots(X_TIME, SEEN, ABOVE),
            Level(v.REACHED, None, "x"), Mark("alarm", axis="y", draggable=True)),
           panel="said",
           caption="“Yes” left of the upright line is a false alarm. Dots are simulated, and so is any tree."),
    Figure("alarm", "Delay against false alarm", ALARM_TABLE,
           Axis(v.FALSE_ALARM, "log", high=1), Axis(v.MEAN_DELAY, "log", floor=1e-3),
           (*(Line(Column(v.FALSE_ALARM, one), Column(v.MEAN_DELAY, one)) for one in EXACT),
            Mark("alarm", draggable=True)),
           caption="Steps from m being reached to “yes”, by false alarm: a rarer false alarm makes “yes” later."),
    Figure("history", "One history", HISTORY_TABLE,
           Axis(v.TIME), Axis(v.NOISY_COUNT_THEN, low=0, high=2, per="minimum"),
           (Line(X_TIME, Column(v.COUNT_THEN, TRUTH)),
            *(Line(Column(v.TIME, one), Column(v.NOISY_COUNT_THEN, one)) for one in (*EXACT, TREE)),
            Mark("minimum", axis="y", draggable=True)),
           drawn_by="seed",
           caption="Noisy counts less the noise of the threshold: “yes” comes, and a line ends, where it reaches m."),
    Figure("wrong", "ε of faulty variants", WRONG_TABLE,
           Axis(v.TIMES, "log"), Axis(v.GIVEN_AWAY, "log"),
           (*lines(X_TIMES, v.GIVEN_AWAY, (CLAIMED, ANEW, GOING_ON, TOLD, BARE)), Mark("times", draggable=True)),
           caption="The least ε that each variant keeps over k steps; all claim ε. An arrow: it keeps none."),
)

OUTCOMES = (
    Outcome(v.MEAN_DELAY, "Mean delay against ε", "Steps from m being reached to “yes”, all at false alarm α.",
            cost=v.EPSILON_AT_DELTA, series=EXACT, matched=BASIC, floor=1e-6),
)


@dataclass(frozen=True)
class Watch(Study):
    """Compare AboveThreshold, with two kinds of noise, with a new decision each step and a binary tree of counts."""

    key = "watch"
    title = "Watch"
    question = "When has the count reached m?"
    size = "minimum"
    neighbours = RELATIONS[STAYS]
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("hundred", "A hundred days", "AboveThreshold says that m is reached less than 0.01 days late on "
               "average, a new decision on each of 100 days 23.7 days late; one false alarm in 20 for both.",
               {"epsilon": 1.0, "minimum": 500, "times": 100, "per_time": 10.0, "alarm": 0.05}),
        Preset("leaving", "Records that come and go", "Where a record may be counted on some of the 100 days and not "
               "on others, AboveThreshold needs twice the noise: it is 0.167 days late, with exponential noise 0.0341.",
               {"epsilon": 1.0, "minimum": 500, "times": 100, "per_time": 10.0, "alarm": 0.05,
                "presence": COMES_AND_GOES}),
        Preset("year", "Watching for a year", "At ε = 0.1 AboveThreshold is 9.84 days late on average, "
               "with exponential noise 7.92; a new decision each day 163, and then the year is over.",
               {"epsilon": 0.1, "minimum": 1000, "times": 365, "per_time": 5.0, "alarm": 0.01}),
        Preset("once", "Asking once", "With one step a decision has all of ε: it misses m 3.5 times more rarely than "
               "AboveThreshold.",
               {"epsilon": 1.0, "minimum": 5, "times": 1, "per_time": 10.0, "alarm": 0.05}),
        Preset("nothing", "Nothing ever happens", "In 40 days 400 records come, and m is 500: each mechanism but the "
               "tree says “yes” in one of 20 histories, and it is false.",
               {"epsilon": 1.0, "minimum": 500, "times": 40, "per_time": 10.0, "alarm": 0.05}),
    )

    level_one = LevelOne(
        ("epsilon", "minimum", "times", "per_time", "alarm"),
        (v.DELAY_RECORDS, v.MEAN_DELAY, v.MEDIAN_DELAY, v.FALSE_ALARM, v.NEVER_SAID, v.ASK_EPSILON, v.GUARANTEE_DELTA),
        (EXPONENTIAL, ABOVE, OPTIMAL, BASIC), "said", ("alarm", "frontier", "history"), ("risk", "cost", "once"),
        wanted=v.DELAY_RECORDS)
    door = Door(*SIGNS["watch"], (Ask("minimum", "At least how many?", "records"),
                                  Ask("times", "How often is it checked?", "steps"),
                                  Ask("epsilon", "How private?")))

    epsilon: float = kit.epsilon(1.0, reals(1e-6, 20), (1e-2, 10))
    minimum: int = parameter(v.MINIMUM, 500, domain=integers(1, 10**9), shown=(1, 1e5), ends=("sooner", "later"))
    times: int = parameter(v.TIMES, 100, domain=integers(1, 1000), shown=(1, 1000), ends=("few", "many"))
    per_time: float = parameter(v.PER_TIME, 10.0, domain=reals(1e-3, 1e9), shown=(0.1, 1000), ends=("slow", "fast"))
    alarm: float = parameter(v.ALARM, 0.05, domain=reals(1e-9, 0.4), shown=(1e-4, 0.4), ends=("rarer", "sooner"))
    presence: str = parameter(v.PRESENCE, STAYS, group="Variants")
    share: float = parameter(v.THRESHOLD_SHARE, 0.5, domain=reals(0.01, 0.99), shown=(0.01, 0.99), group="Variants",
                             ends=("counts", "threshold"))
    delta: float = kit.delta(1e-6, reals(0, 0.5), group="Variants")
    trials: int = kit.trials(v.WATCHED, 4_000, (1e2, 1e5), 10**6)
    seed: int = kit.seed()

    @property
    def relation(self) -> Relation:
        return RELATIONS[self.presence]

    @property
    def stays(self) -> bool:
        """Whether a record that is counted once is counted to the end."""
        return self.presence == STAYS
