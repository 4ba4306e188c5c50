"""A sum, a mean or a quantile of people's values: what bounds cut away, what noise adds, and how far it is off."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import AtMost, Follow, InvalidParameter, parameter
from dpstudio.core.figure import EACH, Axis, Dots, Figure, Level, Line, Mark, lines
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.guarantee import Relation, rows_of
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.vocabulary import reals

LAPLACE = Series("laplace", "Laplace")
GAUSSIAN = Series("gaussian", "Gaussian")
EXPONENTIAL = Series("exponential", "Exponential mechanism", "optimal")
BOUNDED = Series("bounded", "Bound chosen privately", "matched")
COMPETING = (EXPONENTIAL, LAPLACE, GAUSSIAN, BOUNDED)
"""What may be recommended, the plainer first."""
SUMMED, RANKED = ("sum", "mean"), ("median", "quantile")
"""What is released: a sum, over n or not, or the value at a rank."""

X_UPPER, X_NUMBER, X_RANKS, X_EPSILON = Column(v.VALUES_UP_TO), Column(v.RELEASED_NUMBER), Column(v.RANKS), Column(
    v.EPSILON)
_CLIPPED = Series("clipped", "Bias of the bounds", "level4")
X_BIAS, BIAS = Column(v.VALUES_UP_TO, _CLIPPED), Column(v.BIAS_SIZE, _CLIPPED)
BOUND_TABLE, RELEASED_TABLE, RANKS_TABLE, BEST_TABLE = "bound", "released", "ranks", "best"

_UPPER, _EPSILON, _DELTA = Mark("upper", draggable=True), Mark("epsilon"), Mark("delta", axis="y")

FIGURES = (
    Figure("bound", "Error by upper bound", BOUND_TABLE,
           Axis(v.VALUES_UP_TO, "log"), Axis(v.NUMBER_RMSE, "log", floor=1e-15),
           (*lines(X_UPPER, v.NUMBER_RMSE), *lines(X_UPPER, v.NUMBER_NOISE, (LAPLACE, GAUSSIAN), role="other"),
            Line(X_BIAS, BIAS, role="other"),
            *(Dots(Column(v.BEST_UPPER, one), Column(v.BEST_RMSE, one), says="x") for one in (LAPLACE, GAUSSIAN)),
            _UPPER),
           caption="A low bound cuts values away (bias), a high one needs more noise (thin); dots: the least error."),
    Figure("released", "Released number", RELEASED_TABLE,
           Axis(v.RELEASED_NUMBER), Axis(v.NUMBER_DENSITY, low=0),
           (*lines(X_NUMBER, v.NUMBER_DENSITY), Level(v.TRUE_NUMBER, axis="x"),
            Dots(Column(v.NUMBER_SHOWN, EACH), Column(v.DENSITY_SHOWN, EACH), says="")),
           drawn_by="seed",
           caption="Where the released number may lie; straight: the true one; dots: one release of each."),
    Figure("ranks", "Ranks off", RANKS_TABLE,
           Axis(v.RANKS), Axis(v.WITHIN_RANKS, low=0, high=1), lines(X_RANKS, v.WITHIN_RANKS, (EXPONENTIAL,)),
           panel="released",
           empty="A sum and a mean have no rank: choose the median or a quantile",
           caption="How likely it is that at most r values lie between the released quantile and the true one."),
    Figure("best", "Best bound against ε", BEST_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.BEST_UPPER, "log"),
           (*lines(X_EPSILON, v.BEST_UPPER, (LAPLACE, GAUSSIAN)), Mark("epsilon", draggable=True),
            Mark("upper", axis="y")),
           panel="bound",
           empty="A median and a quantile have no such bound: choose a sum or a mean",
           caption="The upper bound with the least error at each ε: more privacy, a lower bound."),
    attack_figure(),
    *profile_figures(_EPSILON, _DELTA),
)

OUTCOMES = (
    Outcome(v.NUMBER_RMSE, "Error against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA, matched=GAUSSIAN),
    Outcome(v.ERROR_AT_LEVEL, "95 % error against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA,
            series=(LAPLACE, GAUSSIAN, EXPONENTIAL)),
)

_PART = reals(1e-3, 0.999)
_BY_LAW = ("amounts", "none")
VALUES, BOUNDS, PEOPLE, PARTS = "Values", "Bounds", "Persons", "Parts of ε"


@dataclass(frozen=True)
class Number(Study):
    """A sum, a mean, a median or another quantile of values that are clipped to bounds, and released with noise."""

    key = "number"
    title = "Number"
    question = "How far off is a sum, a mean or a median?"
    size = "people"
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "upper", "statistic", "people", "delta"),
        (v.NUMBER_RMSE, v.ERROR_AT_LEVEL, v.NOISE_AT_LEVEL, v.NUMBER_BIAS, v.NUMBER_RELATIVE, v.BEST_UPPER,
         v.BEST_RMSE),
        (LAPLACE, GAUSSIAN, EXPONENTIAL, BOUNDED), "bound", ("released", "frontier", "best", "attack"),
        ("risk", "bound_matters"), wanted=v.NUMBER_RMSE)
    door = Door(*SIGNS["number"], (Ask("upper", "Values up to?"), Ask("law_mean", "How large are they on average?"),
                                   Ask("epsilon", "How private?")),
                further={"noise": "What does a noise of my own sensitivity do?"})
    presets = (
        Preset("count", "A count", "A count of 300 among 1 000 people is a sum of values up to 1: nothing is cut away.",
               {"upper": 1.0, "amounts": "0×700,1×300"}),
        Preset("incomes", "Incomes, a bound too high", "Incomes of 40 000 on average under a bound of a million: "
               "nearly all of the error is noise.",
               {"upper": 1e6, "law_mean": 4e4, "law_sd": 3e4, "statistic": "mean", "people": 5_000}),
        Preset("low_bound", "A bound too low", "Values of 30 on average, clipped at 20: the bias is hundreds of times "
               "the noise, and no ε helps.",
               {"upper": 20.0, "people": 100_000}),
        Preset("median", "A median", "The median needs no bound near the values: the exponential mechanism is within a "
               "few ranks, Laplace noise is useless.",
               {"statistic": "median", "upper": 1000.0}),
        Preset("private_n", "A mean, n private", "Half of ε for the number of values, which the noisy sum is divided "
               "by.", {"statistic": "mean", "count": "private", "people": 200}),
    )

    epsilon: float = kit.epsilon(1.0, reals(1e-6, 20), (1e-2, 10))
    upper: float = parameter(v.VALUES_UP_TO, 100.0, shown=(1, 1e6), ends=("less noise", "less cut away"))
    statistic: str = parameter(v.STATISTIC, "sum")
    people: int = kit.people(1_000, 10**12, (10, 1e9), v.VALUES_N, when=_BY_LAW)
    delta: float = kit.delta(1e-6, reals(0, 0.5))
    quantile: float = parameter(v.QUANTILE, 0.9, domain=reals(1e-9, 1 - 1e-9), shown=(0.01, 0.99),
                                when=("statistic", "quantile"))
    amounts: str = parameter(v.AMOUNTS, "none", group=VALUES)
    law: str = parameter(v.VALUE_LAW, "lognormal", group=VALUES, when=_BY_LAW)
    law_mean: float = parameter(v.LAW_MEAN, 30.0, shown=(1, 1e5), group=VALUES, when=_BY_LAW)
    law_sd: float = parameter(v.LAW_SD, Follow("law_mean", 4 / 3), shown=(1, 1e5), group=VALUES,
                              when=("law", "lognormal", "normal", "uniform"))
    lower: float = parameter(v.VALUES_FROM, 0.0, shown=(-1000, 1000), group=BOUNDS)
    change: str = parameter(v.NEIGHBOUR, "add_or_remove", group=PEOPLE)
    rows: int = parameter(v.PERSON_ROWS, 1, shown=(1, 100), group=PEOPLE, ends=("less noise", "more rows kept"))
    about: str = parameter(v.WHOSE, "data", group=PEOPLE, when=("statistic", *SUMMED))
    count: str = parameter(v.SIZE_KNOWN, "public", group=PARTS, when=("statistic", "mean"))
    count_share: float = parameter(v.COUNT_SHARE, 0.5, domain=_PART, shown=(0.05, 0.95),
                                   group=PARTS, when=("count", "private"))
    bound_share: float = parameter(v.BOUND_SHARE, 0.2, domain=_PART, shown=(0.05, 0.95),
                                   group=PARTS, when=("statistic", *SUMMED))
    error_level: float = kit.error_level(reals(0.01, 0.999999), group=kit.ERROR)
    error_beyond: float = kit.error_beyond(Follow("upper", 3.0), reals(0, 1e15), (0.1, 1e6), group=kit.ERROR)
    trials: int = kit.trials(v.NUMBER_TRIALS, 20_000, (1e2, 1e6), 10**7)
    seed: int = kit.seed()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lower >= self.upper:
            raise InvalidParameter("lower", AtMost("upper", self.upper), self.lower,
                                   "" if self.lower > self.upper else "between equal bounds nothing is left")

    @property
    def relation(self) -> Relation:
        """One person with so many rows at most, added or removed, or replaced by another."""
        return rows_of(self.rows, replaced=self.change == "replace")

    @property
    def share(self) -> float:
        """The quantile that is asked for, if any is."""
        return 0.5 if self.statistic == "median" else self.quantile

    @property
    def is_summed(self) -> bool:
        """Whether it is a sum, or a mean."""
        return self.statistic in SUMMED

    @property
    def is_private_ratio(self) -> bool:
        """Whether the number of values is private, too: neighbours differ in it, and the mean is divided by it.

        Where persons of one row are replaced it is the same of all neighbours.
        """
        return self.statistic == "mean" and self.count == "private" and (self.change == "add_or_remove" or (
            self.rows > 1))
