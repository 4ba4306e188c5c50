"""Neighbouring databases, and linking their records."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import PRIVACY_LOSS
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS

CELL_COUNT = Quantity("cell_count", "xᵢ", "records of one kind", "How many records of one kind the database has.",
                      integers(0, 10**6), unit="records")
CELL1 = variant(CELL_COUNT, key="cell1", symbol="x₁", label="1-star ratings x₁", sentence="Records of the first kind: "
                "ratings of one star.")
CELL2 = variant(CELL_COUNT, key="cell2", symbol="x₂", label="2-star ratings x₂", sentence="Records of the second kind: "
                "ratings of two stars.")
CELL3 = variant(CELL_COUNT, key="cell3", symbol="x₃", label="3-star ratings x₃", sentence="Records of the third kind: "
                "ratings of three stars.")
CELL4 = variant(CELL_COUNT, key="cell4", symbol="x₄", label="4-star ratings x₄", sentence="Records of the fourth kind: "
                "ratings of four stars.")
CELL5 = variant(CELL_COUNT, key="cell5", symbol="x₅", label="5-star ratings x₅", sentence="Records of the fifth kind: "
                "ratings of five stars.")
CHANGE = Quantity("change", "change", "y has", "What makes the neighbour y of the database x: one record more, one "
                  "less, or one replaced by another.", Choice(("add", "remove", "swap"), ("one more", "one less", "one "
                                                                                          "replaced")))
KIND = Quantity("kind", "i", "stars of that record i", "Kind of the record that is added, removed or replaced.",
                integers(1))
KIND_BY = variant(KIND, key="kind_by", symbol="i′", label="replaced by i′", sentence="Kind of the record that takes "
                  "the place of the one that is replaced.")
STARS = Quantity("stars", "i", "stars", "Kind of a record, and its value: the stars of a rating.", integers(0))
CLAMPED = Quantity("clamped", "≥ 0", "negative counts to 0", "Whether noisy counts below 0 are raised to it; "
                   "post-processing, which costs no privacy.", Switch())
ROUNDED = Quantity("rounded", "⌊ ⌉", "rounded counts", "Whether noisy counts are rounded to whole numbers; "
                   "post-processing, which costs no privacy.", Switch())
RELEASE_TRIALS = variant(TRIALS, key="release_trials", label="simulated releases", sentence="Number of simulated "
                         "releases of the histogram, and of people attacked, of whom 4 000 are enough.")
IN_KIND = Quantity("in_kind", "count", "count", "Records of a kind: in the database, or as released with noise.", REAL,
                   unit="records")
TRUE_COUNT = Quantity("true_count", "xᵢ", "true count", "Records of a kind that are in the database.", NONNEGATIVE,
                      unit="records")
DISTANCE = Quantity("distance", "‖x − y‖₁", "distance ‖x − y‖₁", "Sum of the differences of the counts: records to be "
                    "added or removed to get from x to y.", integers(), unit="records")
MOVE = Quantity("move", "Δf", "change of the answer", "How far one record moves the answer of a query.",
                NONNEGATIVE)
MOVE_COUNT = variant(MOVE, key="move_count", label="change of a count", sentence="How far one record moves a count.")
MOVE_HISTOGRAM = variant(MOVE, key="move_histogram", symbol="Δ₁", label="change of the histogram, ℓ₁", sentence="How "
                         "far one record moves all counts together, their changes added up.")
MOVE_HISTOGRAM_L2 = variant(MOVE, key="move_histogram_l2", symbol="Δ₂", label="change of the histogram, ℓ₂",
                            sentence="How far one record moves all counts together: the root of the sum of their "
                            "squared changes.")
MOVE_SUM = variant(MOVE, key="move_sum", label="change of the sum", sentence="How far one record moves the sum of all "
                   "values.")
MOVE_MEAN = variant(MOVE, key="move_mean", label="change of the mean", sentence="How far one record moves the average "
                    "value of at least one record.")
MOVE_SHARES = variant(MOVE, key="move_shares", label="change of the shares, ℓ₁", sentence="How far one record moves "
                      "the counts over their sum, the changes added up.")
MOVE_MEDIAN = variant(MOVE, key="move_median", label="change of the median", sentence="How far one record moves the "
                      "value of the middle record, the lower of two.")
MOVE_MODE = variant(MOVE, key="move_mode", label="change of the mode", sentence="How far one record moves the "
                    "commonest value, the least of several.")
MOVE_TRIED = variant(MOVE, key="move_tried", label="found by trying", sentence="Farthest move of the answer "
                     "over every database of n records and every neighbour of it, each tried.")
NOTE_MOVE = variant(MOVE, key="note_move", symbol="1/n", label="1/n", sentence="The sensitivity of an average "
                    "of values in [0, 1], for a public n and replaced records.")
MEAN_COUNT_ERROR = Quantity("count_error", "E|e|", "mean error of a count", "Mean distance of a released count from "
                            "the true one, after post-processing.", NONNEGATIVE, unit="records")
COUNT_ERROR_RAW = variant(MEAN_COUNT_ERROR, key="count_error_raw", symbol="E|X|", label="error before clean-up",
                          sentence="Mean distance of a noisy count from the true one, before post-processing.")
COUNT_BIAS = Quantity("count_bias", "E e", "bias of a count", "Mean of a released count minus the true one.",
                      NONNEGATIVE, unit="records")
COUNT_SEEN = variant(MEAN_COUNT_ERROR, key="count_seen", symbol="seen", label="mean error, simulated", sentence="Mean "
                     "distance of simulated released counts from the true one.")
COUNT_SEEN_LOW = variant(COUNT_SEEN, key="count_seen_low", label="lower end of the interval", sentence="Lower end of "
                         "the 95 % interval of a simulated mean error, by the central limit theorem.")
COUNT_SEEN_HIGH = variant(COUNT_SEEN, key="count_seen_high", label="upper end of the interval", sentence="Upper end of "
                          "the 95 % interval of a simulated mean error, by the central limit theorem.")
HISTOGRAM_ERROR = variant(MEAN_COUNT_ERROR, key="histogram_error", symbol="Σ E|e|", label="error of all counts",
                          sentence="Mean distance of the released histogram from the true one, the errors of all "
                          "counts added up.")
HISTOGRAM_ERROR_RAW = variant(COUNT_ERROR_RAW, key="histogram_error_raw", symbol="Σ E|X|", label="error before "
                              "clean-up", sentence="Mean distance of the noisy histogram from the true one before "
                              "post-processing, the errors of all counts added up.")
TOTAL_BIAS = variant(COUNT_BIAS, key="total_bias", symbol="Σ E e", label="bias of the total", sentence="By how much "
                     "the sum of all released counts is too large on average.")
HISTOGRAM_SEEN = variant(COUNT_SEEN, key="histogram_seen", symbol="Σ seen", label="error, simulated",
                         sentence="Mean distance of simulated released histograms from the true one, the errors of "
                         "all counts added up.")
RELEASE_LOSS = variant(PRIVACY_LOSS, key="release_loss", symbol="ln p(r|x)/p(r|y)", label="loss of the release shown",
                       sentence="Logarithm of how many times as likely x makes the release in the picture as y does, "
                       "before post-processing; its size is at most ε.")
NEIGHBOUR_BELIEF = Quantity("neighbour_belief", "p′", "belief after the histogram", "What somebody who held x and "
                            "any neighbour equally likely can believe of one of them at most, after the release.", UNIT)

# Linking records
KNOWN = Quantity("known", "k", "known ratings k", "How many ratings of a person an attacker knows from elsewhere.",
                 integers(0, 8))
DATE_ERROR = Quantity("date_error", "±d", "date error ±d", "How far the known dates may be off, either way.",
                      integers(0, 730), unit="days")
AUX_WRONG = Quantity("aux_wrong", "w", "false among them w", "Probability that a known rating is one that "
                     "the person never gave.", UNIT)
CONTRIBUTED = Quantity("contributed", "C", "ratings per person C", "How many of a person’s ratings the "
                       "private release counts at most; its noise grows with it.", integers(1), "log")
IDENTIFIED = Quantity("identified", "found", "people re-identified", "Share of the people who are named rightly at the "
                      "first guess.", UNIT)
IDENTIFIED_LOW = variant(IDENTIFIED, key="identified_low", label="lower end of the interval", sentence="Lower end of "
                         "the 95 % Clopper–Pearson interval of the share re-identified.")
IDENTIFIED_HIGH = variant(IDENTIFIED, key="identified_high", label="upper end of the interval", sentence="Upper end of "
                          "the 95 % Clopper–Pearson interval of the share re-identified.")
IDENTIFIED_TABLE = variant(IDENTIFIED, key="identified_table", label="re-identified, table", sentence="Share of the "
                           "people whose record in the table without names is found at the first guess.")
IDENTIFIED_RELEASE = variant(IDENTIFIED, key="identified_release", label="re-identified, release", sentence="Share of "
                             "the people who are named rightly as the one whom the private release counts.")
IDENTIFIED_MOST = variant(IDENTIFIED, key="identified_most", symbol="most found", label="re-identified, at most",
                          sentence="No attack on any ε-private release finds more than this share of 2 000 people on "
                                   "average.")
GUESSED = variant(IDENTIFIED, key="guessed", symbol="1/2 000", label="re-identified by chance", sentence="Share of "
                  "the people named rightly without seeing any release.")
NOTICED = Quantity("noticed", "right", "presence guessed", "Share of the people about whom the attacker "
                   "guesses rightly whether they are in the data at all, which a fair coin decides.", UNIT)
NOTICED_LOW = variant(NOTICED, key="noticed_low", label="lower end of the interval", sentence="Lower end of the 95 % "
                      "Clopper–Pearson interval of the share guessed rightly.")
NOTICED_HIGH = variant(NOTICED, key="noticed_high", label="upper end of the interval", sentence="Upper end of the 95 % "
                       "Clopper–Pearson interval of the share guessed rightly.")
NOTICED_TABLE = variant(NOTICED, key="noticed_table", label="presence guessed, table", sentence="Share of the people "
                        "about whom an attacker of the table without names is right whether they are in it.")
NOTICED_RELEASE = variant(NOTICED, key="noticed_release", label="presence guessed, release", sentence="Share of the "
                          "people about whom an attacker of the private release is right whether it counts them.")
NOTICED_MOST = variant(NOTICED, key="noticed_most", symbol="e^ε/(1+e^ε)", label="presence guessed, at most",
                       sentence="No attack on any ε-private release is right more often about who is there.")
COIN_TOSS = variant(NOTICED, key="coin_toss", symbol="½", label="tossing a coin", sentence="Share of right guesses by "
                    "tossing a coin.")
