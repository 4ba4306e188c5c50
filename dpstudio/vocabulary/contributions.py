"""Rows of a person, and bounds on how many of them count."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

# Parameters of a study
LARGEST_ROWS = Quantity("largest_rows", "r max", "maximum rows r", "The largest number of rows that a "
                        "person may have, known before anybody looks at the data.", integers(1, 10**6), "log", "rows")
ROWS_LAW = Quantity("rows_law", "rows", "rows per person", "How many rows those with a yes have: one each, r "
                    "with a share in proportion to r^−s, or 1 to 5 as in the RAND health insurance table.",
                    Choice(("one", "zipf", "rand"), ("one", "Zipf", "RAND")))
ROWS_EXPONENT = Quantity("rows_exponent", "s", "Zipf exponent s", "How fast the share r^−s of those with r rows "
                         "falls: 0 makes every number of rows alike, a large one leaves nearly everybody with one.",
                         NONNEGATIVE)
ROWS_BOUND = Quantity("rows_bound", "b", "rows kept per person b", "At most so many rows of each person are let into "
                      "the count, so that one person moves it by b at most; the others are lost.",
                      integers(1, 10**6), "log", "rows")

# What a bound comes to
BEST_BOUND = variant(ROWS_BOUND, key="best_bound", symbol="b*", label="best bound", sentence="Bound on the rows of "
                     "each person with the least error (sd); it is read from the data, and to publish it is a release.")
RULE_BOUND = variant(ROWS_BOUND, key="rule_bound", symbol="b(1/ε)", label="bound by the rule of 1/ε", sentence="Least "
                     "bound that 1/ε persons at most are above: of all bounds that of the least rows lost and mean "
                     "Laplace noise together.")
COUNT_ERROR = Quantity("count_error", "error", "error (sd) of the count", "√(rows lost² + variance of the noise) "
                       "of a count of rows under a bound.", NONNEGATIVE, "log", "rows")
ROWS_LOST = variant(COUNT_ERROR, key="rows_lost", symbol="lost", label="rows lost", sentence="Rows beyond the bound, "
                    "which the count leaves out: its bias.")
COUNT_NOISE = variant(COUNT_ERROR, key="count_noise", symbol="noise", label="sd of the noise", sentence="Standard "
                      "deviation of noise for a count that one person moves by the bound.")
COUNT_MEAN_ERROR = variant(COUNT_ERROR, key="count_mean_error", symbol="E|error|", label="mean error of the count",
                           sentence="Mean distance of the noisy, bounded count from the number of all rows.")
BOUND_ERROR = Quantity("bound_error", "error | b", "error under the bound", "√(bias² + variance) of the mean number of "
                       "yes rows per person, with at most b rows of each.", NONNEGATIVE, "log", "rows")
BOUND_BIAS = variant(BOUND_ERROR, key="bound_bias", symbol="bias | b", label="bias under the bound", sentence="Rows "
                     "lost to the bound, per person.")
BOUND_NOISE = variant(BOUND_ERROR, key="bound_noise", symbol="sd | b", label="noise under the bound",
                      sentence="Standard deviation of noise for a count that one person moves by the bound, over n.")
BEST_BOUND_ERROR = variant(BOUND_ERROR, key="best_bound_error", symbol="error | b*", label="error under the best bound",
                           sentence="The least error that any bound on the rows has.")
UNBOUNDED_ERROR = variant(BOUND_ERROR, key="unbounded_error", symbol="error | all", label="error with all rows",
                          sentence="Error where all rows count, and noise is for the most that a person may have.")
