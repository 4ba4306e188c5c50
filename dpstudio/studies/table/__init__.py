"""A table of counts with noise: how far off all of it is, and which of its differences are real."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.figure import EACH, Axis, Bars, Dots, Figure, Mark, dots, lines, settling
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.guarantee import Relation, groups_of
from dpstudio.core.level import Ask, Door, LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, profile_figures
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.text.language import tr
from dpstudio.vocabulary import integers, reals

GEOMETRIC = Series("geometric", "Discrete Laplace")
LAPLACE = Series("laplace", "Laplace")
GAUSSIAN = Series("gaussian", "Gaussian")
DISCRETE = Series("discrete_gaussian", "Discrete Gaussian")
PERMUTE = Series("permute_and_flip", "Permute-and-flip", "open")
EXPONENTIAL = Series("exponential", "Exponential mechanism", "best")
NOISY_MAX = Series("noisy_max", "Noisy max, Laplace", "laplace")
NOISES = (GEOMETRIC, LAPLACE, GAUSSIAN, DISCRETE)
"""What all counts are released with, the plainer first."""
CHOOSING = (PERMUTE, EXPONENTIAL, NOISY_MAX)
"""What names the largest group alone."""

X_RANK, X_SIZE, X_HERE, X_GAP = Column(v.RANK), Column(v.CELL_SIZE), Column(v.SIZE_HERE), Column(v.COUNT_GAP)
X_GROUPS = Column(v.GROUPS)
X_SHARE, X_DONE = Column(v.MARGIN_SHARE), Column(v.TABLES_DONE)
CELLS_TABLE, SIZES_TABLE, ORDER_TABLE, LARGEST_TABLE, ALL_TABLE = "cells", "sizes", "order", "largest", "all"
SMALL_TABLE, MARGINS_TABLE, SIMULATION_TABLE = "small", "margins", "simulation"
SEEN = Estimated(v.WITHIN_SEEN, v.WITHIN_SEEN_LOW, v.WITHIN_SEEN_HIGH)
NAMED = Estimated(v.LARGEST_SEEN, v.LARGEST_SEEN_LOW, v.LARGEST_SEEN_HIGH)
SHOWN = Estimated(v.RELEASED_CELL, v.RELEASED_LOW, v.RELEASED_HIGH)
MOST_DRAWN = 30
"""Of more groups the largest so many are drawn."""

_COUNTS_ONLY = "Only the largest group is named here: no count is released"
_BESIDE = Column(v.RANK, EACH)
"""A little beside the rank, each series at its own place."""

FIGURES = (
    Figure("cells", "Counts, true and released", CELLS_TABLE,
           Axis(v.RANK), Axis(v.TRUE_CELL),
           (Bars(X_RANK, Column(v.TRUE_CELL), label="true counts"),
            *(dots(Column(v.RANK, one), SHOWN, one) for one in NOISES)),
           drawn_by="seed", named=lambda a: a.names, told=lambda a: tr("At 0: not shown.") if a.study.secret else "",
           caption=f"True counts (bars) and one release, ±t around it; of many groups the {MOST_DRAWN} largest."),
    Figure("sizes", "Relative error by size", SIZES_TABLE,
           Axis(v.CELL_SIZE, "log"), Axis(v.RELATIVE_ERROR, "log"),
           (*lines(X_SIZE, v.RELATIVE_ERROR, NOISES),
            *(Dots(X_HERE, Column(v.RELATIVE_HERE, one), says="") for one in NOISES),
            Mark("relative", axis="y", draggable=True)),
           empty=_COUNTS_ONLY,
           caption="Error of one group at the level, as a part of its count. Dots: groups of this table."),
    Figure("order", "Order of two groups", ORDER_TABLE,
           Axis(v.COUNT_GAP, low=0), Axis(v.IN_ORDER, high=1),
           lines(X_GAP, v.IN_ORDER, NOISES), panel="order", empty=_COUNTS_ONLY,
           caption="How likely the larger of two groups is above the other, by the gap of their true counts."),
    Figure("largest", "Which group is named the largest", LARGEST_TABLE,
           Axis(v.RANK), Axis(v.NAMED_LARGEST, low=0, high=1),
           (Dots(_BESIDE, Column(v.NAMED_LARGEST, EACH), says=""),), panel="order", named=lambda a: a.names,
           caption=f"How likely each of the {MOST_DRAWN} largest groups is named as the largest of all."),
    Figure("all", "Width for all groups at once", ALL_TABLE,
           Axis(v.GROUPS, "log"), Axis(v.WITHIN_ALL, low=0),
           (*lines(X_GROUPS, v.WITHIN_ALL, NOISES), Mark("groups")), panel="all", empty=_COUNTS_ONLY,
           caption="How far any count is off at most, by the number of groups; one group is at the left."),
    Figure("shown", "Which groups are shown", SMALL_TABLE,
           Axis(v.CELL_SIZE, low=0), Axis(v.GROUP_SHOWN, low=0, high=1),
           lines(X_SIZE, v.GROUP_SHOWN, NOISES), panel="small", empty="Names are public: every group is shown",
           caption="How likely a group is shown, by its true count. A group of nobody never is."),
    Figure("bias", "What raising to 0 adds", SMALL_TABLE,
           Axis(v.CELL_SIZE, low=0), Axis(v.COUNT_BIAS, low=0),
           lines(X_SIZE, v.COUNT_BIAS, NOISES), panel="small", empty=_COUNTS_ONLY,
           caption="By how much a count is too large on average where negative ones become 0, by its true count."),
    Figure("margins", "Rows, columns and total", MARGINS_TABLE,
           Axis(v.MARGIN_SHARE, low=0, high=1), Axis(v.ROW_SD, "log"),
           (*lines(X_SHARE, v.ROW_SD, NOISES[:3], thin=v.AGREED_SD), Mark("margin_share", draggable=True)), panel="all",
           empty="No margins are released: choose them, and columns that divide the groups",
           caption="Sd of the sum of a row (thick) and of a cell (thin), by the share spent on margins."),
    attack_figure("people who are there", panel="apart"),
    *profile_figures(Mark("epsilon"), Mark("delta", axis="y")),
    Figure("simulation", "Simulated tables", SIMULATION_TABLE,
           Axis(v.TABLES_DONE, "log"), Axis(v.WITHIN_SEEN), settling(X_DONE, SEEN, v.COVERAGE_ALL, NOISES),
           panel="simulation", empty=_COUNTS_ONLY,
           caption="Share of simulated tables so far with all groups within ±t. Straight: exactly."),
    Figure("simulated_largest", "Simulated namings", SIMULATION_TABLE,
           Axis(v.TABLES_DONE, "log"), Axis(v.LARGEST_SEEN), settling(X_DONE, NAMED, v.LARGEST_RIGHT),
           panel="simulation",
           caption="Share of simulated tables so far of which the largest group was named. Straight: exactly."),
)

OUTCOMES = (
    Outcome(v.WITHIN_ALL, "Width for all groups against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA,
            given={"released": "counts"}, series=NOISES),
    Outcome(v.TABLE_REGRET, "Regret against ε", "How far the count of the group that is named is below the largest.",
            cost=v.EPSILON_AT_DELTA, given={"released": "largest"}, series=CHOOSING),
)

MADE_UP, UNIT, CROSS = "Made-up counts", "What one person may change", "Rows and columns"
AFTER = "Before and after the noise"
_KNOWN, _COUNTS, _MADE = ("keys", "known"), ("released", "counts"), ("cells", "none")


@dataclass(frozen=True)
class Table(Study):
    """Compare noises on a table of counts, one of each group, and ways to name its largest group."""

    key = "table"
    title = "Table"
    question = "How many are in each group, and which differences are real?"
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "groups", "per_person", "error_level", "delta"),
        (v.WITHIN_ALL, v.ERROR_AT_LEVEL, v.MEAN_ERROR, v.SMALLEST_CELL, v.TOO_SMALL, v.LARGEST_RIGHT, v.TABLE_REGRET),
        (GEOMETRIC, GAUSSIAN, PERMUTE, EXPONENTIAL), "cells", ("sizes", "order", "largest", "frontier"),
        ("risk", "unequal"), wanted=v.WITHIN_ALL)
    door = Door(*SIGNS["table"], (Ask("groups", "How many groups?"),
                                  Ask("per_person", "In how many may one person be?"), Ask("epsilon", "How private?")),
                further={"neighbours": "What does one record change?"})
    presets = (
        Preset("diaries", "Ten groups a person", "With ten groups per person all noise grows; Gaussian noise grows "
               "with "
               "the root of ten only.", {"per_person": 10}),
        Preset("towns", "Towns of a county", "A list with names: small towns have a relative error that large ones do "
               "not.", {"cells": "Ashby:1240,Barrow:611,Corley:388,Denton:190,Elm:96,Farley:41,Gorse:12,Hale:3",
                        "error_level": 0.9}),
        Preset("search_terms", "Names that are secret", "Which terms occur at all is a secret: small groups are not "
               "shown.", {"keys": "secret", "groups": 1000, "people": 50_000, "delta": 1e-6}),
        Preset("favourite", "Only the largest", "Which of 20 answers is the commonest: no count is released.",
               {"released": "largest", "groups": 20, "people": 1000, "falloff": 0.2}),
        Preset("empty_cells", "Many empty groups", "A thousand groups of whom most are empty: raising negative counts "
               "to "
               "0 makes the sum too large.", {"cells": "0×990,120,80,60,40,30,20,10,5,2,1", "clamped": True}),
        Preset("cross", "Rows and columns", "Twelve rows and eight columns: margins of their own are better than sums "
               "of cells.", {"groups": 96, "columns": 8, "margins": "released"}),
    )

    epsilon: float = kit.epsilon(1.0, reals(1e-6, 20), (0.01, 10))
    groups: int = parameter(v.GROUPS, 100, shown=(1, 10_000), when=_MADE, ends=("few groups", "many groups"))
    per_person: int = parameter(v.PER_PERSON, 1, domain=integers(1, 1000), shown=(1, 100),
                                ends=("less noise", "more noise"))
    error_level: float = kit.error_level(reals(1e-6, 1 - 1e-9))
    delta: float = kit.delta(1e-6, reals(0, 0.5))
    cells: str = parameter(v.CELLS, "none")
    people: int = parameter(v.TABLE_PEOPLE, 10_000, shown=(100, 1e7), group=MADE_UP, when=_MADE,
                            ends=("few people", "many people"))
    falloff: float = parameter(v.FALLOFF, 1.0, domain=reals(0, 10), shown=(0, 3), group=MADE_UP, when=_MADE,
                               ends=("all alike", "few large ones"))
    keys: str = parameter(v.KEYS, "known", group=UNIT, when=_COUNTS)
    rows: int = parameter(v.ROWS_PER_GROUP, 1, domain=integers(1, 10_000), shown=(1, 100), group=UNIT, when=_KNOWN,
                          ends=("less noise", "more noise"))
    change: str = parameter(v.PERSON_CHANGE, "add_or_remove", group=UNIT, when=_KNOWN)
    released: str = parameter(v.RELEASED, "counts", group=AFTER)
    clamped: bool = parameter(v.CLAMPED, False, group=AFTER)
    rounded: bool = parameter(v.ROUNDED, False, group=AFTER)
    merged: int = parameter(v.MERGED, 1, shown=(1, 100), group=AFTER, when=("per_person", 1),
                            ends=("small groups", "large groups"))
    relative: float = parameter(v.RELATIVE, 0.1, domain=reals(1e-6, 10), shown=(0.01, 1), group=AFTER,
                                ends=("more exact", "less exact"))
    first: int = parameter(v.FIRST, 3, shown=(1, 100), group=AFTER)
    columns: int = parameter(v.COLUMNS, 10, shown=(1, 100), group=CROSS)
    margins: str = parameter(v.MARGINS, "none", group=CROSS)
    margin_share: float = parameter(v.MARGIN_SHARE, 0.5, domain=reals(1e-3, 1 - 1e-3), shown=(0.05, 0.95), group=CROSS,
                                    when=("margins", "released"), ends=("better cells", "better margins"))
    trials: int = kit.trials(v.TABLE_TRIALS, 2000, (100, 1e6), 10**7)
    seed: int = kit.seed()

    @property
    def chooses(self) -> bool:
        """Whether only the largest group is named."""
        return self.released == "largest"

    @property
    def secret(self) -> bool:
        """Whether counts are released of groups whose names are secret."""
        return not self.chooses and self.keys == "secret"

    @property
    def merging(self) -> int:
        """So many groups are one: where a person is in several, nobody knows how many people are in all of them."""
        return self.merged if self.per_person == 1 else 1

    @property
    def each_rows(self) -> int:
        """How many rows a person has in each group at most: one, where names are secret."""
        return 1 if self.keys == "secret" else self.rows

    @property
    def replaced(self) -> bool:
        """Whether a neighbour has one person with other groups, which where names are secret is not asked."""
        return self.keys == "known" and self.change == "replace"

    @property
    def relation(self) -> Relation:
        """One person in so many groups, with so many rows in each, more or less or replaced."""
        return groups_of(self.per_person, self.each_rows, self.replaced)

    def moved(self, cells: int) -> int:
        """How many of so many cells one person moves."""
        return min(cells, self.per_person * (2 if self.replaced else 1))

    def shape(self, cells: int) -> tuple[int, int] | None:
        """Rows and columns of the table; None where it has none, or they do not divide the groups."""
        if self.columns == 1 or self.margins == "none" or cells % self.columns or cells == self.columns:
            return None
        return cells // self.columns, self.columns
