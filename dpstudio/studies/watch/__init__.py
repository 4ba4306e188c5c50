"""A count that grows with time: when is “at least m” first said, and how much too early or too late?"""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import EACH, Axis, Band, Dots, Figure, Level, Line, Mark, lines
from dpstudio.core.frontier.curves import Outcome
from dpstudio.core.results import Column, Series
from dpstudio.core.study import Preset, Study
from dpstudio.vocabulary import integers, reals

ABOVE = Series("above", "AboveThreshold", "laplace")
EXPONENTIAL = Series("exponential", "With exponential noise", "cutoff")
BASIC = Series("basic", "Each time, ε/k")
OPTIMAL = Series("optimal", "Each time, composed optimally")
TREE = Series("tree", "Binary tree")
EXACT = (ABOVE, EXPONENTIAL, BASIC, OPTIMAL)
"""Those whose first “yes” has a law that is computed."""
TRUTH = Series("unnoised", "Without noise")
CLAIMED = Series("promise", "As claimed")
ANEW = Series("raw", "Threshold drawn anew")
GOING_ON = Series("advanced", "Going on after “yes”")
TOLD = Series("printed", "Telling the noisy count")
BARE = Series("naive", "No noise on the counts")

X_TIME, X_TIMES = Column(v.TIME), Column(v.TIMES)
TIMES_TABLE, ALARM_TABLE, HISTORY_TABLE, WRONG_TABLE = "times", "alarm", "history", "wrong"

FIGURES = (
    Figure("said", "“Yes” said by time t", TIMES_TABLE,
           Axis(v.TIME), Axis(v.SAID, low=0, high=1),
           (*lines(X_TIME, v.SAID, EXACT), Line(X_TIME, Column(v.SAID_SEEN, TREE)),
            Band(X_TIME, Column(v.SAID_LOW, TREE), Column(v.SAID_HIGH, TREE)),
            Dots(X_TIME, Column(v.SAID_SEEN, ABOVE), Column(v.SAID_LOW, ABOVE), Column(v.SAID_HIGH, ABOVE)),
            Level(v.REACHED, None, "x"), Mark("alarm", axis="y", draggable=True)),
           panel="said", switch="By time",
           caption="Exact (lines) and simulated (dots, and the tree’s line with its 95 % band). Upright: m is reached. "
                   "Level: the false alarm that all are set for."),
    Figure("alarm", "Delay against false alarm", ALARM_TABLE,
           Axis(v.ALARM, "log"), Axis(v.MEAN_DELAY, "log", floor=1e-6),
           (*lines(Column(v.ALARM), v.MEAN_DELAY, EXACT), Mark("alarm", draggable=True)),
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
           caption="The ε that a watch keeps at k times, which claims ε: as AboveThreshold is, and as it must not be. "
                   "An arrow: no ε at all."),
)

OUTCOMES = (
    Outcome(v.MEAN_DELAY, "Mean delay against ε", "Each with the false alarm that was asked for.", series=EXACT,
            floor=1e-6),
)


@dataclass(frozen=True)
class Watch(Study):
    """Compare AboveThreshold, with two kinds of noise, with asking anew each time and with a binary tree of counts."""

    key = "watch"
    place = 10
    title = "Watch"
    question = "When has the count reached m?"
    relation = ("neighbours differ by one record of one person, which from some time on is counted or left out; what is "
                "known is when the first “yes” comes")
    pictures = FIGURES
    outcomes = OUTCOMES
    presets = (
        Preset("hundred", "A hundred days", "PRESET1",
               {"epsilon": 1.0, "minimum": 500, "times": 100, "per_time": 10.0, "alarm": 0.05}),
        Preset("year", "Watching for a year", "PRESET2",
               {"epsilon": 0.1, "minimum": 1000, "times": 365, "per_time": 5.0, "alarm": 0.01}),
        Preset("once", "Asking once", "PRESET3",
               {"epsilon": 1.0, "minimum": 5, "times": 1, "per_time": 10.0, "alarm": 0.05}),
        Preset("nothing", "Nothing ever happens", "PRESET4",
               {"epsilon": 1.0, "minimum": 500, "times": 40, "per_time": 10.0, "alarm": 0.05}),
    )

    epsilon: float = parameter(v.EPSILON, 1.0, domain=reals(1e-6, 20), shown=(1e-2, 10),
                               ends=("more private", "more useful"))
    minimum: int = parameter(v.MINIMUM, 500, domain=integers(1, 10**9), shown=(1, 1e5), ends=("sooner", "later"))
    times: int = parameter(v.TIMES, 100, domain=integers(1, 1000), shown=(1, 1000), ends=("few", "many"))
    per_time: float = parameter(v.PER_TIME, 10.0, domain=reals(1e-3, 1e9), shown=(0.1, 1000), ends=("slow", "fast"))
    alarm: float = parameter(v.ALARM, 0.05, domain=reals(1e-9, 0.4), shown=(1e-4, 0.4), ends=("rarer", "sooner"))
    share: float = parameter(v.THRESHOLD_SHARE, 0.5, domain=reals(0.01, 0.99), shown=(0.01, 0.99), group="Variants",
                             ends=("counts", "threshold"))
    delta: float = parameter(v.DELTA, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.1), group="Variants",
                             ends=("more private", "more useful"))
    trials: int = parameter(v.WATCHED, 4_000, domain=integers(1, 10**6), shown=(1e2, 1e5), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
