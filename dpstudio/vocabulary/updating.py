"""A running count, released after each of several batches."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import DELTA, EPSILON
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.response import PEOPLE
from dpstudio.vocabulary.simulation import TRIALS

BATCHES = Quantity("batches", "Q", "batches Q", "Number of batches; the running count is released after each.",
                   integers(1, 10**7), "log", "batches")
BATCH = Quantity("batch", "t", "batch t", "The batch after which the running count is looked at; 0 is the start.",
                 integers(0))
BATCH_PEOPLE = variant(PEOPLE, key="batch_people", label="people per batch", sentence="Number of people in each batch, "
                       "which is public.")
UPDATE_STRATEGY = Quantity("update_strategy", "strategy", "update strategy", "How the running count is released: batch "
                           "counts added up, counted again with a share of ε each time, assembled from a binary tree, "
                           "batch counts of everybody in every batch, or with a large share of ε kept for the last "
                           "release.", Choice(("sequential", "retrain", "tree", "overlapping", "skewed")))
MEMBERSHIP = Quantity("membership", "who", "each person is in", "One batch: each person is in one only. All, counted "
                      "once: the same people each time, a yes may come and go, and each counts once at most. All, "
                      "each counted: the same people each time, and every yes of theirs counts.",
                      Choice(("once", "status", "visits"), ("one batch", "all, counted once", "all, each counted")))
LAST_SHARE = Quantity("last_share", "s", "ε share of the last s", "Share of ε that the skewed recount keeps for the "
                      "last release.", INSIDE_UNIT)
BATCH_RATE = Quantity("batch_rate", "θ", "rate θ of yes", "Probability that an answer is yes.", UNIT)
UPDATE_DELTA = variant(DELTA, key="update_delta", label="δ for Gaussian noise", sentence="How far the probability of "
                       "an event of all releases may exceed e^ε times its value without one person.")
HISTORIES = variant(TRIALS, key="histories", label="simulated histories", sentence="Number of simulated histories of "
                    "all batches.")
RUNNING_SD = Quantity("running_sd", "sd", "sd of the noise", "Standard deviation of the noise in the running count "
                      "after a batch.", POSITIVE, "log")
RUNNING_SEEN = variant(RUNNING_SD, key="running_seen", symbol="seen", label="simulated sd of the noise",
                       sentence="Root of the mean squared noise in the simulated running counts.", domain=NONNEGATIVE)
RUNNING_SEEN_LOW = variant(RUNNING_SEEN, key="running_seen_low", label="lower end of the simulated sd",
                           sentence="Lower end of its 95 % interval, by the central limit theorem.")
RUNNING_SEEN_HIGH = variant(RUNNING_SEEN, key="running_seen_high", label="upper end of the simulated sd",
                            sentence="Upper end of its 95 % interval, by the central limit theorem.")
END_VARIANCE = Quantity("end_variance", "Var at Q", "variance at the end", "Variance of the noise in the running count "
                        "after the last batch.", POSITIVE, "log")
END_SD = variant(RUNNING_SD, key="end_sd", symbol="sd at Q", label="sd at the end", sentence="Standard deviation of "
                 "the noise in the running count after the last batch.")
END_SEEN = variant(END_VARIANCE, key="end_seen", symbol="seen at Q", label="variance, simulated",
                   sentence="Mean squared noise in the running count after the last batch of the simulated histories.",
                   domain=NONNEGATIVE)
END_ERROR_95 = Quantity("end_error_95", "e₉₅ at Q", "95 % error at the end", "How far the noise takes the running "
                        "count at most after the last batch, with probability 95 %.", POSITIVE, "log")
END_TIMES = Quantity("end_times", "Var/Var", "variance / sum of batches", "Variance at the end against that of the "
                     "sum of noisy batch counts: below 1 is better.", NONNEGATIVE, "log")
WORST_VARIANCE = variant(END_VARIANCE, key="worst_variance", symbol="max Var", label="variance, worst batch",
                         sentence="Largest variance of the noise in the running count after any batch.")
WORST_SD = variant(RUNNING_SD, key="worst_sd", symbol="max sd", label="sd, worst batch", sentence="Largest standard "
                   "deviation of the noise in the running count after any batch.")
MOVED_TOGETHER = Quantity("moved_together", "Δ₁", "sensitivity of all Δ₁", "How far one person can move all counts "
                          "that get noise, added up.", NONNEGATIVE, "log")
ONCE_EPSILON = variant(EPSILON, key="once_epsilon", symbol="ε once", label="ε if in one", sentence="Privacy "
                       "loss ε of a person who is in one batch, the worst one.", domain=NONNEGATIVE)
STATUS_EPSILON = variant(EPSILON, key="status_epsilon", symbol="ε status", label="ε if in all, once",
                         sentence="Privacy loss ε of a person whose yes may come and go with every batch and counts "
                         "once at most.", domain=NONNEGATIVE)
VISITS_EPSILON = variant(EPSILON, key="visits_epsilon", symbol="ε visits", label="ε if in all, each",
                         sentence="Privacy loss ε of a person who is in every batch and counts every time.",
                         domain=NONNEGATIVE)
BETTER_FROM = Quantity("better_from", "first Q", "last batch: better from Q", "Smallest number of batches with which "
                       "the end has less noise than the sum; ∞ where there is none up to 20 000.", NONNEGATIVE, "log",
                       "batches")
BETTER_AFTER = Quantity("better_after", "always past Q", "last batch: always after Q", "Largest number of batches up "
                        "to 20 000 with which the end has no less noise than the sum; ∞ where it never has less.",
                        NONNEGATIVE, "log", "batches")
WORST_BETTER_FROM = variant(BETTER_FROM, key="worst_better_from", symbol="first Q, worst",
                            label="worst batch: better from Q", sentence="Smallest number of batches with which the "
                            "worst batch has less noise than the worst of the sum; ∞ where there is none up to 20 000.")
WORST_BETTER_AFTER = variant(BETTER_AFTER, key="worst_better_after", symbol="always past Q, worst",
                             label="worst batch: always after Q", sentence="Largest number of batches up to 20 000 "
                             "with which the worst batch has no less noise than the worst of the sum; ∞ where it never "
                             "has less.")
EACH_EPSILON = variant(EPSILON, key="each_epsilon", symbol="ε/Q", label="ε of each release", sentence="Privacy "
                       "loss ε of one release, by basic composition.")
EACH_OPTIMAL = variant(EPSILON, key="each_optimal", symbol="ε₀", label="ε of each, optimal", sentence="Largest ε of "
                       "one release with which any Q such releases are (ε, δ)-private together.", safe="down")
OPTIMAL_VARIANCE = variant(END_VARIANCE, key="optimal_variance", symbol="Var, δ", label="variance, optimal",
                           sentence="Variance of the noise at the end if every release has the largest ε that optimal "
                           "composition allows at (ε, δ).")
GAUSSIAN_VARIANCE = variant(END_VARIANCE, key="gaussian_variance", symbol="Var, Gaussian", label="variance, Gaussian",
                            sentence="Variance of the noise at the end with the least Gaussian noise that keeps (ε, δ) "
                            "over all releases together.")
BATCH_COUNT = Quantity("batch_count", "c", "running count", "Number of yes so far, or what is released of it.", REAL)
TRUE_RUNNING_COUNT = variant(BATCH_COUNT, key="true_running_count", label="true running count",
                             sentence="Number of yes so far.")
RUNNING_NOISE = Quantity("running_noise", "c − S", "noise in the running count", "Released running count minus the "
                         "true one.", REAL)
COUNT_NOISE_MOST = variant(RUNNING_NOISE, key="count_noise_most", symbol="e₉₅", label="95 % of the noise above",
                           sentence="The noise stays between this and its negative with probability 95 %.")
COUNT_NOISE_LEAST = variant(RUNNING_NOISE, key="count_noise_least", symbol="−e₉₅", label="95 % of the noise below",
                            sentence="Negative of what the noise stays within with probability 95 %.")
RUNNING_RATE_SD = Quantity("running_rate_sd", "sd of θ", "sd of the rate", "Standard deviation of the running count "
                           "over the number of answers, about the rate: the sample’s own and the noise’s together.",
                           NONNEGATIVE, "log")
RUNNING_RATE_MEAN = Quantity("running_rate_mean", "E[θ|c]", "posterior mean of the rate", "Mean of the posterior that "
                             "takes the released count, clamped, for the true one.", UNIT)
RATE_LOW = variant(RUNNING_RATE_MEAN, key="rate_low", symbol="θ₋", label="lower end of the posterior", sentence="Lower "
                   "end of the central 95 % of the posterior that takes the released count, clamped, for the true one.")
RATE_HIGH = variant(RUNNING_RATE_MEAN, key="rate_high", symbol="θ₊", label="upper end of the posterior",
                    sentence="Upper end of the central 95 % of the posterior that takes the released count, clamped, "
                    "for the true one.")
RATE_COVERED = Quantity("rate_covered", "covers", "naive coverage", "Share of the simulated histories in "
                        "which the naive posterior’s central 95 % contains the rate, drawn evenly from 0 to 1.", UNIT)
RATE_COVERED_LOW = variant(RATE_COVERED, key="rate_covered_low", label="lower end of the coverage", sentence="Lower "
                           "end of the 95 % Clopper–Pearson interval of the coverage.")
RATE_COVERED_HIGH = variant(RATE_COVERED, key="rate_covered_high", label="upper end of the coverage", sentence="Upper "
                            "end of the 95 % Clopper–Pearson interval of the coverage.")
