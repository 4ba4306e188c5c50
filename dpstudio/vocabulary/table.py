"""Tables of counts with noise: all cells at once, their order, which are shown, which is the largest."""

from __future__ import annotations

from dpstudio.vocabulary.decision import PARTITIONS
from dpstudio.vocabulary.neighbours import COUNT_BIAS
from dpstudio.vocabulary.noise import ERROR_95, NOISE_SD
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS
from dpstudio.vocabulary.written import Listed

# Parameters
GROUPS = Quantity("groups", "K", "groups K", "Number of groups that are counted, each with noise of its own; of a list "
                  "of counts as many as it has.", integers(1, 100_000), "log", "groups")
PER_PERSON = variant(PARTITIONS, key="per_person", sentence="In how many groups one person may be at most: noise must "
                     "hide all of them together.")
CELLS = Quantity("cells", "n₁ … n_K", "counts", "The true count of each group, with names where there are any; without "
                 "them counts are made up.", Listed("counts", 0, EXACT_INTEGERS, whole=True, named=True))
TABLE_PEOPLE = Quantity("table_people", "Σ n", "made-up people Σ n", "How many people all made-up groups have "
                        "together.", integers(0, 10**12), "log", "people")
FALLOFF = Quantity("falloff", "s", "falloff s", "How fast made-up counts fall: the r-th largest group has a share in "
                   "proportion to 1/r^s; 0 makes all alike.", NONNEGATIVE)
ROWS_PER_GROUP = Quantity("rows_per_group", "c", "rows per group c", "How many rows one person may have in each of "
                     "their groups, "
                     "all of which count.", integers(1, 10**6), "log", "rows")
PERSON_CHANGE = Quantity("person_change", "change", "neighbours differ by", "Whether a neighbour has one person more "
                         "or less, or one person with other groups.",
                         Choice(("add_or_remove", "replace"), ("a person more or less", "a person replaced")))
KEYS = Quantity("keys", "names", "names of groups", "Whether the list of groups is public, or only groups with "
                "somebody "
                "in them are counted: then a name tells of a person, and small counts stay hidden.",
                Choice(("known", "secret"), ("public", "secret")))
RELEASED = Quantity("table_released", "released", "what is released", "The counts of all groups, or only which group "
                    "is the largest.", Choice(("counts", "largest"), ("all counts", "the largest group")))
RELATIVE = Quantity("relative", "x", "relative error x", "The part of a count by which it may be off.", POSITIVE, "log")
FIRST = Quantity("first", "k", "first k in order", "How many of the largest groups must be told from all others.",
                 integers(1, 100_000), "log", "groups")
MERGED = Quantity("merged", "m", "groups merged m", "So many neighbouring groups of the list are merged into one "
                  "before "
                  "noise is added.", integers(1, 100_000), "log", "groups")
COLUMNS = Quantity("table_columns", "columns", "columns of the table", "In how many columns the counts stand, row by "
                   "row: of a table with rows, columns and a total.", integers(1, 100_000), "log")
MARGINS = Quantity("margins", "margins", "rows and columns", "How sums of rows and columns are made: by adding noisy "
                   "counts, or with noise of their own, brought to agree by least squares.",
                   Choice(("none", "added", "released"), ("not asked", "added up", "released too")))
MARGIN_SHARE = Quantity("margin_share", "share", "share of the margins", "Part of the privacy budget for rows, columns "
                        "and the total: of ε, or of μ² with Gaussian noise.", INSIDE_UNIT)
TABLE_TRIALS = variant(TRIALS, key="table_trials", label="simulated tables", sentence="Number of simulated tables.")

# What noise makes of a table
GROUPS_RELEASED = variant(GROUPS, key="groups_released", label="groups counted", sentence="How many groups there are, "
                         "after merging.")
TOTAL_COUNT = Quantity("total_count", "Σ n", "sum of all counts", "Sum of the true counts of all groups.", NONNEGATIVE,
                       unit="people")
WITHIN_ALL = variant(ERROR_95, key="within_all", symbol="t", label="all groups within ±t", at="error_level",
                     sentence="How far any of the noisy counts is off at most, all groups at once, in the share of "
                     "tables that is asked for.")
COVERAGE_ALL = Quantity("coverage_all", "Pr[all ≤ t]", "all within ±t, exactly", "Probability that all noisy counts "
                        "are "
                        "within t at once: for whole noise more than was asked for.", UNIT)
EACH_ALONE = Quantity("each_alone", "level^K", "if each is at level", "Probability that all groups are within "
                      "the error that one group stays within at the level.", UNIT)
SMALLEST_CELL = Quantity("smallest_cell", "n min", "smallest usable count", "Smallest count of which the noisy one is "
                         "off by no more than the part x, at the level.", NONNEGATIVE, "log", "people", at="relative")
TOO_SMALL = Quantity("too_small", "n < n min", "groups too small", "How many groups have a smaller count.",
                     integers(), unit="groups", at="relative")
LARGEST_RIGHT = Quantity("largest_right", "Pr[largest]", "largest group named", "Probability that the group which is "
                         "named as the largest is one with the largest count.", UNIT)
FIRST_RIGHT = Quantity("first_right", "Pr[first k]", "first k are right", "Probability that the noisy counts of the k "
                       "largest groups are above those of all other groups.", UNIT, at="first")
ORDER_RIGHT = Quantity("order_right", "Pr[k before k+1]", "rank k before the next", "Probability that the noisy count "
                       "of the group of rank k is above that of the next.", UNIT, at="first")
CLAMPED_TOTAL = variant(COUNT_BIAS, key="clamped_total", symbol="Σ E e", label="bias of the sum", sentence="By how "
                        "much the sum of all released counts is too large on average, where negative ones become 0.")
SUMMED_SD = variant(NOISE_SD, key="summed_sd", symbol="√m·sd", label="sd if added afterwards", at="merged",
                    sentence="Standard deviation of the sum of as many noisy counts as are merged here, had noise been "
                    "added before.")
AGREED_SD = variant(NOISE_SD, key="agreed_sd", symbol="sd cell", label="sd of a cell, agreed", sentence="Standard "
                    "deviation of a cell of the table that has its margins released, too, or added up.")
ROW_SD = variant(NOISE_SD, key="row_sd", symbol="sd row", label="sd of a row", sentence="Standard deviation of the sum "
                 "of a row, within the same ε and δ.")
COLUMN_SD = variant(NOISE_SD, key="column_sd", symbol="sd column", label="sd of a column", sentence="Standard "
                    "deviation of the sum of a column, within the same ε and δ.")
TOTAL_SD = variant(NOISE_SD, key="total_sd", symbol="sd total", label="sd of the total", sentence="Standard deviation "
                   "of the total, within the same ε and δ.")
SHOWN_FROM = Quantity("shown_from", "τ", "shown from τ on", "Groups whose noisy count is below this threshold are left "
                      "out, so that a name tells of a single person with probability δ at most.", REAL, unit="people")
GROUPS_HIDDEN = Quantity("groups_hidden", "hidden", "groups not shown", "How many groups with somebody in them are "
                     "not shown, "
                     "on average.", NONNEGATIVE, unit="groups")
TABLE_REGRET = Quantity("table_regret", "regret", "fewer than the largest", "By how much the count of the group that "
                        "is named is below the largest, on average.", NONNEGATIVE, "log", "people")

# Pictures
RANK = Quantity("rank", "rank", "rank of the group", "Place of the group among all, the largest first.", integers(0))
TRUE_CELL = Quantity("true_cell", "n", "true count", "True count of a group.", REAL, unit="people")
RELEASED_CELL = variant(TRUE_CELL, key="released_cell", symbol="n + X", label="released count", sentence="Count of a "
                        "group in one release; of one that is not shown there is none.")
RELEASED_LOW = variant(RELEASED_CELL, key="released_low", label="released − t", sentence="Lower end of the band of "
                       "all groups.")
RELEASED_HIGH = variant(RELEASED_CELL, key="released_high", label="released + t", sentence="Upper end of the band of "
                        "all groups.")
CELL_SIZE = Quantity("cell_size", "n", "true count n", "True count of a group.", NONNEGATIVE, "log", "people")
SIZE_HERE = variant(CELL_SIZE, key="size_here", label="count of the table", sentence="True count of a group of this "
                    "table.")
RELATIVE_ERROR = Quantity("relative_error", "e/n", "relative error", "Error of one group at the level, as a part of "
                          "its count.", POSITIVE, "log")
RELATIVE_HERE = variant(RELATIVE_ERROR, key="relative_here", label="groups of the table", sentence="Relative error of "
                        "groups of this table.")
COUNT_GAP = Quantity("count_gap", "d", "gap of two counts d", "By how much one count is larger than another.",
                     NONNEGATIVE, unit="people")
IN_ORDER = Quantity("in_order", "Pr[order]", "larger one told", "Probability that of two noisy counts the truly larger "
                    "one is above.", UNIT)
NAMED_LARGEST = Quantity("named_largest", "Pr[named]", "named as largest", "Probability that a group is named as the "
                         "largest.", UNIT)
GROUP_SHOWN = Quantity("group_shown", "Pr[shown]", "probability shown", "Probability that a group of this count is "
                       "shown.", UNIT)
WITHIN_SEEN = variant(COVERAGE_ALL, key="within_seen", symbol="within", label="all within ±t, simulated",
                      sentence="Share of simulated tables in which all groups were within t.")
WITHIN_SEEN_LOW = variant(WITHIN_SEEN, key="within_seen_low", label="lower end of the interval", sentence="Lower end "
                          "of the 95 % Clopper–Pearson interval of that share.")
WITHIN_SEEN_HIGH = variant(WITHIN_SEEN, key="within_seen_high", label="upper end of the interval", sentence="Upper end "
                           "of the 95 % Clopper–Pearson interval of that share.")
LARGEST_SEEN = variant(LARGEST_RIGHT, key="largest_seen", symbol="named", label="largest named, simulated",
                       sentence="Share of simulated tables of which the largest group was named rightly.")
LARGEST_SEEN_LOW = variant(LARGEST_SEEN, key="largest_seen_low", label="lower end of the interval", sentence="Lower "
                           "end of the 95 % Clopper–Pearson interval of that share.")
LARGEST_SEEN_HIGH = variant(LARGEST_SEEN, key="largest_seen_high", label="upper end of the interval", sentence="Upper "
                            "end of the 95 % Clopper–Pearson interval of that share.")
TABLES_DONE = variant(TRIALS, key="tables_done", label="tables so far", sentence="Number of tables drawn so far.")
