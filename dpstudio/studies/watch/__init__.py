"""A count that grows with time: when is “at least m” first said, and how much too early or too late?"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import Axis, Figure, Level, Line, Mark, band, dots, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.guarantee import Relation
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.vocabulary import integers, reals

ABOVE = Series("above", "AboveThreshold", "laplace")
EXPONENTIAL = Series("exponential", "With exponential noise", "cutoff")
BASIC = Series("basic", "Each time at ε/k")
OPTIMAL = Series("optimal", "Optimal composition")
TREE = Series("tree", "Binary tree")
EXACT = (ABOVE, EXPONENTIAL, BASIC, OPTIMAL)
"""Those whose first “yes” has a law that is computed."""
TRUTH = Series("unnoised", "Without noise")
CLAIMED = Series("promise", "As claimed")
ANEW = Series("anew", "Threshold drawn anew", "open")
GOING_ON = Series("going_on", "Going on after “yes”", "advanced")
TOLD = Series("told", "Telling the noisy count", "printed")
BARE = Series("bare", "No noise on the counts", "accounting")

X_TIME, X_TIMES = Column(v.TIME), Column(v.TIMES)
SEEN = Estimated(v.SAID_SEEN, v.SAID_LOW, v.SAID_HIGH)
TIMES_TABLE, ALARM_TABLE, HISTORY_TABLE, WRONG_TABLE = "times", "alarm", "history", "wrong"

STAYS, COMES_AND_GOES = "stays", "comes and goes"
_KNOWN = "; what is known is when the first “yes” comes"
RELATIONS = {
    STAYS: Relation(
        "stays", "One record that from some time on is counted or left out", "whether one record is counted",
        "one record of one person, at all times from its own",
        f"neighbours differ by one record of one person, which from some time on is counted or left out{_KNOWN}"),
    COMES_AND_GOES: Relation(
        "comes_and_goes", "One record that at any of the times is counted or left out",
        "whether one record is counted", "one record of one person, which may come and go",
        "neighbours differ by one record of one person, which at any of the times is counted or left out"
        f"{_KNOWN}"),
}
"""Who is a neighbour of whom; all other records may come and go as they like."""

FIGURES = (
    Figure("said", "“Yes” said by time t", TIMES_TABLE,
           Axis(v.TIME), Axis(v.SAID, low=0, high=1),
           (*lines(X_TIME, v.SAID, EXACT), Line(X_TIME, Column(v.SAID_SEEN, TREE)),
            band(X_TIME, SEEN.low, SEEN.high, TREE), dots(X_TIME, SEEN, ABOVE),
            Level(v.REACHED, None, "x"), Mark("alarm", axis="y", draggable=True)),
           panel="said", switch="By time",
           caption="Exact (lines) and simulated (dots; the tree’s line with its 95 % band, where it keeps ε). Upright: "
                   "m is reached. Level: the false alarm that all are set for."),
    Figure("alarm", "Delay against false alarm", ALARM_TABLE,
           Axis(v.FALSE_ALARM, "log", high=1), Axis(v.MEAN_DELAY, "log", floor=1e-3),
           (*(Line(Column(v.FALSE_ALARM, one), Column(v.MEAN_DELAY, one)) for one in EXACT),
            Mark("alarm", draggable=True)),
           caption="What a rarer false alarm costs: each curve is one mechanism, its threshold moved."),
    Figure("history", "One history", HISTORY_TABLE,
           Axis(v.TIME), Axis(v.NOISY_COUNT_THEN, low=0, high=2, per="minimum"),
           (Line(X_TIME, Column(v.COUNT_THEN, TRUTH)),
            *(Line(Column(v.TIME, one), Column(v.NOISY_COUNT_THEN, one)) for one in (*EXACT, TREE)),
            Mark("minimum", axis="y", draggable=True)),
           caption="Noisy counts less the threshold’s noise and its distance from m: “yes” is said, and a line ends, "
                   "where it reaches m."),
    Figure("wrong", "What wrong variants give away", WRONG_TABLE,
           Axis(v.TIMES, "log"), Axis(v.GIVEN_AWAY, "log"),
           (*lines(X_TIMES, v.GIVEN_AWAY, (CLAIMED, ANEW, GOING_ON, TOLD, BARE)), Mark("times", draggable=True)),
           caption="The smallest ε that holds at k times with today’s noise: of what claims ε and was published or is "
                   "easily done. An arrow: no ε at all."),
)

OUTCOMES = (
    Outcome(v.MEAN_DELAY, "Mean delay against ε", "All with one false alarm α, each at the ε at which it needs no more "
            "than δ.", cost=v.EPSILON_AT_DELTA, series=EXACT, matched=BASIC, floor=1e-6),
)


@dataclass(frozen=True)
class Watch(Study):
    """Compare AboveThreshold, with two kinds of noise, with asking anew each time and with a binary tree of counts."""

    key = "watch"
    title = "Watch"
    question = "When has the count reached m?"
    size = "minimum"
    neighbours = RELATIONS[STAYS]
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("hundred", "A hundred days", "AboveThreshold says that m is reached less than 0.01 days late on "
               "average, asking each of 100 days with ε/k 23.7; one false alarm in 20 for both.",
               {"epsilon": 1.0, "minimum": 500, "times": 100, "per_time": 10.0, "alarm": 0.05}),
        Preset("leaving", "Records that come and go", "Where a record may be counted on some of the 100 days and not "
               "on others, AboveThreshold needs twice the noise: it is 0.167 days late, with exponential noise 0.0341.",
               {"epsilon": 1.0, "minimum": 500, "times": 100, "per_time": 10.0, "alarm": 0.05,
                "presence": COMES_AND_GOES}),
        Preset("year", "Watching for a year", "At ε = 0.1 AboveThreshold is 9.84 days late on average, "
               "with exponential noise 7.92; asking with ε/k 163, and then the year is over.",
               {"epsilon": 0.1, "minimum": 1000, "times": 365, "per_time": 5.0, "alarm": 0.01}),
        Preset("once", "Asking once", "With one time to ask there is no “no” to save on: a decision with all of ε "
               "misses m 3.5 times more rarely than AboveThreshold.",
               {"epsilon": 1.0, "minimum": 5, "times": 1, "per_time": 10.0, "alarm": 0.05}),
        Preset("nothing", "Nothing ever happens", "In 40 days 400 records come, and m is 500: one “yes” in 20 is said "
               "by each mechanism but the tree, and it is false.",
               {"epsilon": 1.0, "minimum": 500, "times": 40, "per_time": 10.0, "alarm": 0.05}),
    )

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
