"""A plan of several releases: what is wanted of each, what all cost, and how a budget is split."""

from __future__ import annotations

from dpstudio.vocabulary.composition import MOST_RELEASES
from dpstudio.vocabulary.noise import ERROR_LEVEL
from dpstudio.vocabulary.privacy import DELTA, EPSILON
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.written_records import RecordField, RecordKind, Records

# What a release of a plan is described by
WITHIN = Quantity("within", "t", "within", "The half width that is wanted: how far the result may be from the truth, "
                  "at the confidence that is set.", reals(1e-9, 1e12), "log")
WITHIN_POINTS = variant(WITHIN, key="within_points", label="within, in points", sentence="How many percentage points "
                        "the estimated share may be from the true one.", domain=reals(1e-6, 100), unit="%")
HALF_BAND = variant(WITHIN, key="half_band", symbol="w", label="half of the band", sentence="From so many records "
                    "above or below the minimum on the answer must be right, at the confidence that is set.")
SUM_MOVES = Quantity("sum_moves", "Δ", "one person moves it by", "The most by which one person changes the sum.",
                     reals(1e-9, 1e12), "log")
MEAN_UPPER = Quantity("mean_upper", "b", "largest value", "Values of people are clamped between 0 and this.",
                      reals(1e-9, 1e12), "log")
COUNTED_PEOPLE = Quantity("counted_people", "n", "people, public", "How many people a mean or a survey is of, which "
                          "is public.", integers(1, 10**12), "log", "people")
TABLE_GROUPS = Quantity("table_groups", "K", "cells", "How many counts the table has; all are within the half width "
                        "at once.", integers(1, 10**6), "log")
CELLS_OF_ONE = Quantity("cells_of_one", "κ", "cells of one person", "In how many cells one person is counted at most, "
                        "once in each.", integers(1, 100))
SCORE_GAP = Quantity("score_gap", "g", "gap of the scores", "The right one is to be named where its count lies so far "
                     "ahead of all others.", reals(1e-9, 1e12), "log")
NAMED_RIGHT = Quantity("named_right", "p", "named right", "How likely the right one must be named at that gap.",
                       reals(0.01, 1, open="high"))
SELECTED_FROM = Quantity("selected_from", "K", "candidates", "Among how many the largest is looked for.",
                         integers(2, 10**6), "log")
SPENT_EPSILON = variant(EPSILON, key="spent_epsilon", label="its ε", sentence="The ε that was spent on what is already "
                        "released.", domain=reals(0, 1000))
SPENT_DELTA = variant(DELTA, key="spent_delta", label="its δ", sentence="The δ that was spent on what is already "
                      "released.", domain=reals(0, 0.5))
RELEASE_WEIGHT = Quantity("release_weight", "w", "weight", "How much its error counts, where the whole budget is split "
                          "for the least sum of errors.", reals(1e-6, 1e6), "log")
TIMES_A_YEAR = Quantity("times_a_year", "k", "times a year", "How often it is released in a year, each time with new "
                        "noise.", integers(1, 366), "log")
RELEASE_GROUP = Quantity("release_group", "g", "group", "0 is about everybody; releases with other numbers are about "
                         "groups that have nobody in common.", integers(0, 50))

_WEIGHT, _TIMES, _GROUP = (RecordField("weight", RELEASE_WEIGHT, 1.0), RecordField("times", TIMES_A_YEAR, 1),
                           RecordField("group", RELEASE_GROUP, 0))
_OFTEN, _ALL = (_TIMES, _GROUP), (_WEIGHT, _TIMES, _GROUP)
PLAN_KINDS = (
    RecordKind("count", "Count", (RecordField("within", WITHIN), *_ALL)),
    RecordKind("sum", "Sum", (RecordField("within", WITHIN), RecordField("moves", SUM_MOVES), *_ALL)),
    RecordKind("mean", "Mean", (RecordField("within", WITHIN), RecordField("upper", MEAN_UPPER),
                                RecordField("people", COUNTED_PEOPLE), *_ALL)),
    RecordKind("table", "Table of counts", (RecordField("within", WITHIN), RecordField("groups", TABLE_GROUPS),
                                            RecordField("most", CELLS_OF_ONE, 1), *_ALL)),
    RecordKind("decision", "Yes or no about a minimum", (RecordField("within", HALF_BAND), *_OFTEN)),
    RecordKind("selection", "Which is the largest", (RecordField("gap", SCORE_GAP), RecordField(
        "right", NAMED_RIGHT, 0.95), RecordField("candidates", SELECTED_FROM, 2), *_OFTEN)),
    RecordKind("response", "Randomized responses", (RecordField("within", WITHIN_POINTS),
                                                    RecordField("people", COUNTED_PEOPLE), *_OFTEN)),
    RecordKind("spent", "Already released", (RecordField("epsilon", SPENT_EPSILON),
                                             RecordField("delta", SPENT_DELTA, 0.0))),
)
PLAN_RELEASES = Quantity("plan_releases", "plan", "planned releases", "What is to be released about the same people, "
                         "and how far from the truth each may be.", Records("planned releases", PLAN_KINDS))

# What is asked of all
EACH_CONFIDENCE = variant(ERROR_LEVEL, key="each_confidence", symbol="1−α", label="confidence of each", sentence="How "
                          "likely each result is within what is wanted of it; for all at once it is less.")
PLAN_GOAL = Quantity("plan_goal", "goal", "goal", "Whether each release has what its want costs and no more, or the "
                     "whole budget is split: for the least worst error over want, or for the least sum of errors.",
                     Choice(("wants", "worst", "variance", "absolute"), (
                         "meet every want at least cost", "split the budget: worst error / want",
                         "split the budget: variances", "split the budget: mean errors")))
GROUP_CHANGE = Quantity("group_change", "change", "one person may", "Whether neighbours differ by one person more or "
                        "less, or also by one who moves from one group, or cell, to another.",
                        Choice(("add_or_remove", "move"), ("be added or removed", "also change the group")))
YEARS = Quantity("years", "y", "years", "For how many years the plan is carried out, about the same people.",
                 integers(1, 100), "log", "years")

# What is found
RELEASE_NUMBER = Quantity("release_number", "i", "release", "Which release of the plan, in its order.", NONNEGATIVE)
RELEASE_SHARE = Quantity("release_share", "share", "share of the total", "What part of the total ε, or of μ², all "
                         "times of one release have.", UNIT)
OVER_WANT = Quantity("over_want", "e/t", "error / want", "The error of a release over what is wanted: 1 or less is as "
                     "wanted.", NONNEGATIVE, "log", safe="up")
WORST_OVER_WANT = variant(OVER_WANT, key="worst_over_want", symbol="max e/t", label="worst error / want", sentence="The"
                          " greatest of all errors, each over what is wanted of it: 1 or less meets every want.")
EVEN_OVER_WANT = variant(OVER_WANT, key="even_over_want", symbol="max e/t, even", label="worst error / want, even",
                         sentence="The same for an even split of the same total: the same ε, or μ, for each time.")
WANTS_MET = Quantity("wants_met", "met", "every want met", "1 where each release is within what is wanted of it, else "
                     "0.", integers(0, 1))
LEFT_WITHIN = variant(WITHIN, key="left_within", symbol="t of one more", label="one more count, ±", sentence="The half "
                      "width that one more count about everybody could have from what is left of the budget.",
                      domain=NONNEGATIVE, safe="up")
MOST_YEARS = variant(MOST_RELEASES, key="most_years", symbol="max y", label="years within the budget", sentence="For "
                     "how many years the plan may be carried out about the same people within the budget.")
PRECISION = Quantity("precision", "c", "times as exact", "By what every want is divided: at 2 all results must be "
                     "twice as near to the truth.", POSITIVE, "log")
YEARS_SO_FAR = variant(YEARS, key="years_so_far", label="years so far", sentence="For how many years the plan was "
                       "carried out.")
