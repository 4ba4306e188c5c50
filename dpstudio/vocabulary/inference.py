"""The Beta–Bernoulli model with a noisy count."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import EPSILON
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.response import PEOPLE
from dpstudio.vocabulary.simulation import TRIALS

RATE = Quantity("rate", "θ", "rate θ", "Probability with which each person drawn from the population is a yes.", UNIT)
PRIOR_A = Quantity("prior_a", "a", "Beta prior a", "First parameter of the Beta prior on the rate: like a yeses seen "
                   "before.", POSITIVE, "log")
PRIOR_B = Quantity("prior_b", "b", "Beta prior b", "Second parameter of the Beta prior on the rate: like b noes seen "
                   "before.", POSITIVE, "log")
NOISY_COUNT = Quantity("noisy_count", "c", "noisy count c", "The released count of yeses: the true one and noise. It "
                       "may be negative, or above the number of people.", REAL, unit="people")
MODEL_PEOPLE = variant(PEOPLE, key="model_people", label="people counted", sentence="Number of people "
                       "whose yeses are counted.", domain=integers(0, EXACT_INTEGERS))
NOISE_KIND = Quantity("count_noise", "noise", "kind of noise", "Which noise the count was released with.",
                      Choice(("laplace", "geometric"), ("Laplace", "discrete Laplace")))
POSTERIOR_METHOD = Quantity("posterior_method", "method", "method", "How a posterior deals with the noise: as if there "
                            "were none, the count moved into its range, or exactly.",
                            Choice(("naive", "clamped", "noise-aware")))
NOISY_SHARE = Quantity("noisy_share", "c/n", "noisy share c/n", "The released noisy count over the number of "
                       "people; noise may take it below 0 or above 1.", REAL)
RELEASE = Quantity("release", "release", "noisy count is", "Whether the released count is given, or drawn: the true "
                   "count with noise of this ε, by the seed.", Choice(("given", "drawn")))
DRAWN_RELEASE = variant(NOISY_SHARE, key="drawn_release", label="drawn share c/n", sentence="The noisy count that was "
                        "drawn for the true one, over the number of people.")
LEVEL = Quantity("level", "1−α", "credible level 1−α", "Probability that a posterior gives to its central interval.",
                 INSIDE_UNIT)
TRUE_YES = Quantity("true_yes", "k", "true count k", "Number of yeses among these people, before any noise.",
                      integers(0, EXACT_INTEGERS), unit="people")
NOISE_DRAWN = Quantity("noise_drawn", "c − k", "noise in this count", "How far the released count is from the true "
                       "one.", REAL, unit="people")
NOISE_BEYOND = Quantity("noise_beyond", "Pr[|x| ≥ |c − k|]", "probability of such noise", "Probability of noise that "
                        "is as far from zero as that in this count.", UNIT)
RATE_DENSITY = Quantity("rate_density", "p(θ)", "density of the rate", "Probability density of the rate.", NONNEGATIVE)
RATE_MEAN = Quantity("rate_mean", "E[θ]", "mean of the rate", "Mean of the rate under the posterior.", UNIT)
RATE_SD = Quantity("rate_sd", "sd[θ]", "sd of the rate", "Standard deviation of the rate under the posterior.",
                   NONNEGATIVE)
INTERVAL_LOW = variant(RATE, key="interval_low", symbol="θ₋", label="interval from", sentence="Lower end of the "
                       "central interval of the posterior.")
INTERVAL_HIGH = variant(RATE, key="interval_high", symbol="θ₊", label="interval to", sentence="Upper end of the "
                        "central interval of the posterior.")
INTERVAL_WIDTH = Quantity("interval_width", "θ₊ − θ₋", "interval width", "Length of the central interval of the "
                          "posterior.", NONNEGATIVE)
DESERVED = Quantity("deserved", "Pr[in | c]", "Pr[rate inside | count]", "Probability that the rate lies in this "
                    "interval, given the released count and all that is known of its noise.", UNIT)
COVERAGE = Quantity("coverage", "coverage", "coverage", "Share of all releases whose interval contains the rate, where "
                    "the rate is drawn from the prior.", UNIT)
COVERAGE_FOUND = variant(COVERAGE, key="coverage_found", symbol="covered", label="coverage, simulated",
                         sentence="Share of the simulated releases whose interval contained the rate; a release "
                                  "without "
                         "an interval counts as a miss.")
COVERAGE_LOW = variant(COVERAGE_FOUND, key="coverage_low", label="lower end of the coverage", sentence="Lower end of "
                       "the 95 % Clopper–Pearson interval of the coverage.")
COVERAGE_HIGH = variant(COVERAGE_FOUND, key="coverage_high", label="upper end of the coverage", sentence="Upper end of "
                        "the 95 % Clopper–Pearson interval of the coverage.")
INVALID = Quantity("invalid", "Pr[no Beta]", "naive undefined", "Probability that the noise makes a′ or b′ of the "
                   "naive posterior 0 or less, for the true count in hand.", UNIT)
INVALID_A = variant(INVALID, key="invalid_a", symbol="Pr[a′ ≤ 0]", label="Pr[a′ ≤ 0]", sentence="Probability that "
                    "the noise makes a′ = a + c of the naive posterior 0 or less, for the true count in hand.")
INVALID_B = variant(INVALID, key="invalid_b", symbol="Pr[b′ ≤ 0]", label="Pr[b′ ≤ 0]", sentence="Probability "
                    "that the noise makes b′ = b + n − c of the naive posterior 0 or less, for the true count in hand.")
INVALID_OVERALL = variant(INVALID, key="invalid_overall", label="naive undefined, overall", sentence="Share of all "
                          "releases without a naive posterior, where the rate is drawn from the prior.")
INVALID_FOUND = variant(INVALID_OVERALL, key="invalid_found", symbol="no Beta", label="naive undefined, simulated",
                        sentence="Share of the simulated releases without a naive posterior.")
INVALID_LOW = variant(INVALID_FOUND, key="invalid_low", label="lower end of the share", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of releases without a naive posterior.")
INVALID_HIGH = variant(INVALID_FOUND, key="invalid_high", label="upper end of the share", sentence="Upper end of the "
                       "95 % Clopper–Pearson interval of releases without a naive posterior.")
CLAMP_BIAS = Quantity("clamp_bias", "bias", "bias of the clamped count", "Mean of the count moved into its range, "
                      "minus the true count in hand.", REAL, unit="people")
EVEN_EPSILON = variant(EPSILON, key="even_epsilon", symbol="ε½", label="ε: noise as sampling", sentence="At this ε the "
                       "noise is as large as the error of the sample itself, if the rate is ½.", safe="nearest")
MEAN_RMSE = Quantity("mean_rmse", "rmse", "error of the mean, simulated", "Root of the mean squared error of the "
                     "posterior’s mean about the rate, over the simulated releases.", NONNEGATIVE)
SIMULATED = variant(TRIALS, key="simulated", label="simulated releases", sentence="Number of simulated groups of "
                    "people, each with a rate from the prior, a count and its noise.")
SIMULATED_DONE = variant(TRIALS, key="simulated_done", label="releases so far", sentence="Number of releases simulated "
                         "so far.")
DRAWN_SHARE = variant(NOISY_SHARE, key="drawn_share", label="simulated noisy share", sentence="Released share of a "
                      "simulated release.")
DRAWN_RATE = variant(RATE, key="drawn_rate", label="simulated rate", sentence="The rate behind a simulated release.")
