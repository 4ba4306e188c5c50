"""A sum, a mean or a quantile of people's values, released with noise."""

from __future__ import annotations

from dpstudio.vocabulary.noise import DENSITY, NOISY_ANSWER
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.response import PEOPLE
from dpstudio.vocabulary.simulation import TRIALS
from dpstudio.vocabulary.values import LOWER_CLIP, POSITIVE_MEAN, UPPER_CLIP, VALUE_SD
from dpstudio.vocabulary.written import Listed

# What is released
STATISTIC = Quantity("statistic", "released", "what is released", "The sum of all values, their mean, or a quantile of "
                     "them. A count is a sum of values up to 1.", Choice(("sum", "mean", "median", "quantile")))
VALUES_UP_TO = variant(UPPER_CLIP, key="values_up_to", label="values up to U", domain=reals(1e-9, 1e12),
                       sentence="What is above is lowered to it, so that one person moves the sum no further.")
VALUES_FROM = variant(LOWER_CLIP, key="values_from", label="values from L", domain=reals(-1e12, 1e12), sentence="What "
                      "is below is raised to it.")
VALUES_N = variant(PEOPLE, key="values_n", label="values n", unit="values", domain=integers(1, 10**12), sentence="How "
                   "many values there are: one of each person, unless a person has several rows.")
AMOUNTS = Quantity("amounts", "x₁, …, xₙ", "own values", "The values of your own data, or of a guess at them; their "
                   "number is n then.", Listed("values", -1e15, 1e15, most=20_000, most_numbers=10**12))
VALUE_LAW = Quantity("value_law", "law", "law of the values", "How the values of all people are spread, where none "
                     "are given: log-normal, normal, exponential or uniform.",
                     Choice(("lognormal", "normal", "exponential", "uniform"),
                            ("log-normal", "normal", "exponential", "uniform")))
LAW_MEAN = variant(POSITIVE_MEAN, key="law_mean", label="mean of that law", domain=reals(1e-6, 1e12), sentence="Mean "
                   "of the law of a person’s value.")
LAW_SD = variant(VALUE_SD, key="law_sd", label="sd of that law", domain=reals(1e-6, 1e12), sentence="Standard "
                 "deviation of the law of a person’s value.")
PERSON_ROWS = Quantity("person_rows", "c", "rows per person c", "So many values of one person count at most; all of "
                       "them are protected together.", integers(1, 10**6), "log", "rows")
NEIGHBOUR = Quantity("neighbour", "neighbours", "one person is", "What makes a neighbour of the data: one person added "
                     "or removed, or one replaced by another.", Choice(("add_or_remove", "replace"),
                                                                      ("added or removed", "replaced")))
SIZE_KNOWN = Quantity("size_known", "n is", "the number n is", "Whether the number of values is public, and the noisy "
                      "sum is divided by it, or is released with noise, too.", Choice(("public", "private")))
COUNT_SHARE = Quantity("count_share", "s", "ε share of the count", "Share of ε for the noisy number of values that "
                       "the noisy sum is divided by.", INSIDE_UNIT)
BOUND_SHARE = Quantity("bound_share", "t", "ε share of the bound", "Share of ε for a bound that is chosen "
                       "privately among those up to U.", INSIDE_UNIT)
WHOSE = Quantity("whose", "about", "error against", "Whether the error counts against these data, or against the "
                 "population that they are drawn from.", Choice(("data", "population"), ("these data", "population")))
QUANTILE = Quantity("quantile", "q", "quantile q", "The share of values that lie below what is released: 0.5 is the "
                    "median.", INSIDE_UNIT)

# How far it is off
TRUE_NUMBER = Quantity("true_number", "f", "true number", "The number without noise and without bounds; of a law what "
                       "is expected.", REAL)
NUMBER_RMSE = Quantity("number_rmse", "rmse", "error (rmse)", "Root of the mean squared distance of the released "
                       "number from the true one: bias, noise and, where it counts, the draw of the data.", NONNEGATIVE,
                       "log")
NUMBER_BIAS = Quantity("number_bias", "bias", "bias", "How far the released number is off on average: what the bounds "
                       "cut away.", REAL)
BIAS_SIZE = variant(NUMBER_RMSE, key="bias_size", symbol="|bias|", label="size of the bias", sentence="How far the "
                    "released number is off on average, without its sign.")
NUMBER_NOISE = variant(NUMBER_RMSE, key="number_noise", symbol="sd", label="sd of the release", sentence="Standard "
                       "deviation of the released number for given data.")
NOISE_AT_LEVEL = Quantity("noise_at_level", "e(noise)", "noise at level", "How far the noise alone moves the number at "
                          "most in the share of releases that is asked for: from the clipped one.", NONNEGATIVE, "log",
                          at="error_level")
NUMBER_RELATIVE = Quantity("number_relative", "rmse/|f|", "relative error", "The error (rmse) over the size of the "
                           "true number.", NONNEGATIVE, "log")
NUMBER_MEAN = variant(TRUE_NUMBER, key="number_mean", symbol="E", label="released on average", sentence="Mean of the "
                      "released number: the true one and its bias.")
NUMBER_SENSITIVITY = Quantity("number_sensitivity", "Δ", "one person moves it by", "The most by which one person "
                              "changes the clipped sum, or the quantile.", POSITIVE, "log")
CLIPPED_SHARE = Quantity("clipped_share", "clipped", "share of values clipped", "Share of the values that lie beyond a "
                         "bound and are moved to it.", UNIT)
BEST_UPPER = variant(UPPER_CLIP, key="best_upper", symbol="U*", label="best upper bound", domain=NONNEGATIVE,
                     sentence="The upper bound with the least error (rmse). It is read from the values: to publish it, "
                     "or what is chosen by it, is a release.")
BEST_RMSE = variant(NUMBER_RMSE, key="best_rmse", symbol="rmse | U*", label="error at the best bound", sentence="The "
                    "least error (rmse) that any upper bound has.")
CHOSEN_UPPER = variant(UPPER_CLIP, key="chosen_upper", symbol="median U", label="bound chosen, median",
                       sentence="Median of the upper bound that is chosen privately.")
RANK_ERROR = Quantity("rank_error", "ranks", "ranks off at level", "So many values lie at most between the released "
                      "quantile and the true one, in the share of releases that is asked for.", NONNEGATIVE, "log",
                      "values", at="error_level")
MEAN_RANK_ERROR = variant(RANK_ERROR, key="mean_rank_error", symbol="E ranks", label="mean ranks off", at="",
                          sentence="Mean number of values between the released quantile and the true one.")
COUNT_NOISE_SD = Quantity("count_noise_sd", "sd(n)", "noise on the number n", "Standard deviation of the noise on the "
                          "number of values.", NONNEGATIVE, "log", "values")

# Along the pictures
RELEASED_NUMBER = variant(NOISY_ANSWER, key="released_number", label="released number x", sentence="A released number.")
NUMBER_DENSITY = variant(DENSITY, key="number_density", label="density of the release", sentence="Probability density "
                         "of the released number.")
NUMBER_SHOWN = variant(RELEASED_NUMBER, key="number_shown", label="one release", sentence="The release that is shown, "
                       "by the random seed.")
DENSITY_SHOWN = variant(NUMBER_DENSITY, key="density_shown", label="density there", sentence="Probability density "
                        "where the shown release lies.")
RANKS = Quantity("ranks", "r", "ranks r", "Number of values between a released quantile and the true one.", NONNEGATIVE,
                 unit="values")
WITHIN_RANKS = Quantity("within_ranks", "Pr[≤ r]", "Pr[within r ranks]", "Probability that at most r values lie "
                        "between the released quantile and the true one.", UNIT)
NUMBER_TRIALS = variant(TRIALS, key="number_trials", label="simulated numbers", sentence="Number of simulated "
                        "releases of the number.")
RMSE_SEEN = variant(NUMBER_RMSE, key="rmse_seen", label="error (rmse), simulated", sentence="Root of the mean squared "
                    "error of the simulated releases.")
