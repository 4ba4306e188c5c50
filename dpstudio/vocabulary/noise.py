"""Noise on the answer of a query."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import DELTA, SENSITIVITY
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS

SCALE = Quantity("scale", "b", "scale of the noise b", "Mean distance of Laplace noise from zero.", POSITIVE, "log")
SIGMA = Quantity("sigma", "σ", "standard deviation σ", "Standard deviation of Gaussian noise.", POSITIVE, "log")
GAMMA = Quantity("gamma", "γ", "share γ of a step", "Where in each stretch of Δ the density of staircase noise steps "
                 "down, as a share of the stretch.", UNIT)
NOISE = Quantity("noise", "x", "noise x", "What is added to the answer of the query.", REAL)

# Noise on the answer of a query
L1_SENSITIVITY = variant(SENSITIVITY, key="l1_sensitivity", symbol="Δ₁", label="ℓ₁ sensitivity Δ₁",
                         sentence="How far one record can move the answer of the query: the sum over its coordinates.")
L2_SENSITIVITY = variant(SENSITIVITY, key="l2_sensitivity", symbol="Δ₂", label="ℓ₂ sensitivity Δ₂",
                         sentence="How far one record can move the answer of the query: the straight distance.")
L1_USED = variant(L1_SENSITIVITY, key="l1_used", label="ℓ₁ sensitivity in use",
                  sentence="The smallest ℓ₁ sensitivity that both declared ones and the dimension allow.")
L2_USED = variant(L2_SENSITIVITY, key="l2_used", label="ℓ₂ sensitivity in use",
                  sentence="The smallest ℓ₂ sensitivity that both declared ones allow.")
DIMENSION = Quantity("dimension", "d", "coordinates d", "Number of coordinates of the answer, each with noise of its "
                     "own.", integers(1, 10**9), "log")
BELIEF = Quantity("belief", "p", "attacker’s prior p", "What an attacker believes, before the answer, of the chance "
                  "that the record is there.", INSIDE_UNIT)
NOISY_ANSWER = Quantity("noisy_answer", "x", "noisy answer x", "A released answer, counted from the true answer "
                        "without the record.", REAL)
DENSITY = Quantity("density", "f(x)", "density", "Probability density of the noisy answer without the record; of whole "
                   "numbers the probability, as bars of width 1.", NONNEGATIVE)
DENSITY_BESIDE = variant(DENSITY, key="density_beside", symbol="f′(x)", label="density with the record",
                         sentence="Probability density of the noisy answer with the record.")
NOISE_SCALE = Quantity("noise_scale", "b, σ", "scale of the noise", "b of Laplace noise, Δ/ε of discrete Laplace "
                       "noise, σ of Gaussian noise.", POSITIVE, "log")
NOISE_SD = Quantity("noise_sd", "sd", "standard deviation", "Standard deviation of the noise in one coordinate.",
                    POSITIVE, "log")
ROUNDED_SD = variant(NOISE_SD, key="rounded_sd", symbol="sd, rounded", label="sd, rounded to whole numbers",
                     sentence="Standard deviation of the noise where the answer is rounded to a whole number "
                     "afterwards.")
MEAN_ERROR = Quantity("mean_error", "E|X|", "mean error", "Mean distance of the noisy answer from the true one, in one "
                      "coordinate.", NONNEGATIVE, "log")
ERROR_95 = Quantity("error_95", "e₉₅", "95 % error", "How far one coordinate of the answer is off at most, in 95 % of "
                    "all releases.", NONNEGATIVE, "log")
WORST_ERROR_95 = variant(ERROR_95, key="worst_error_95", symbol="max e₉₅", label="95 % error, worst coordinate",
                         sentence="How far the worst of all coordinates is off at most, in 95 % of all releases.")
ERROR_LEVEL = Quantity("error_level", "level", "level of the error", "Share of all releases in which the error stays "
                       "within a distance, 95 % or any other.", INSIDE_UNIT)
ERROR_AT_LEVEL = variant(ERROR_95, key="error_at_level", symbol="e", label="error at level", at="error_level",
                         sentence="How far the answer, or one coordinate of it, is off at most in the share of all "
                         "releases that is asked for.")
ERROR_BEYOND = Quantity("error_beyond", "x", "error x", "The error that Pr[error > x] is asked of.",
                        NONNEGATIVE, "log")
ERROR_EXCEEDS = Quantity("error_exceeds", "Pr[|X| > x]", "Pr[error > x]", "Probability that the answer, or one "
                         "coordinate of it, is off by more than x.", UNIT, "log", at="error_beyond")
RMS_ERROR = Quantity("rms_error", "√d·sd", "root mean square distance", "Root of the mean squared straight distance of "
                     "the noisy answer from the true one, over all coordinates.", POSITIVE, "log")
ADVANTAGE = Quantity("advantage", "max 1−α−β", "attacker’s advantage", "Largest 1 − α − β of any test that looks "
                     "for the record: 0 is guessing, 1 is certainty.", UNIT, safe="up")
SUCCESS = Quantity("success", "½(1 + adv.)", "attacker’s success", "Probability that the best attacker is right where "
                   "a fair coin decides whether the record is there.", UNIT, safe="up")
LOSS_EXCEEDS = Quantity("loss_exceeds", "Pr[ℓ > ε]", "Pr[loss > ε]", "Probability of an answer whose loss is above "
                        "ε: never less than the δ that is kept at this ε.", UNIT, "log", safe="up")
POSTERIOR_95 = Quantity("posterior_95", "p′₉₅", "belief, 95 % of answers", "What an attacker who knows all "
                        "other records believes at most of a record that is there, after 95 % of all answers.", UNIT,
                        safe="up")
BELIEF_MOST = Quantity("belief_most", "max p′", "belief after any answer", "What an attacker who knows all other "
                      "records believes of the record after the most telling answer.", UNIT, safe="up")
TOO_MUCH = Quantity("too_much", "σ/σ₀", "σ / least σ", "σ over the least σ that keeps this guarantee: "
                    "below 1 it is broken.", NONNEGATIVE, "log")
VARIANCE_TOO_MUCH = Quantity("variance_too_much", "σ²/σ₀²", "variance / least", "The variance over the least "
                             "one that keeps this guarantee.",
                             NONNEGATIVE, "log")
TRUE_DELTA = variant(DELTA, key="true_delta", symbol="δ(ε)", label="δ kept", sentence="The smallest δ with "
                     "which noise of this scale keeps ε.")
ANSWER_TRIALS = variant(TRIALS, key="answer_trials", label="simulated releases", sentence="Number of simulated "
                        "releases of the answer.")
ANSWERS_DONE = variant(TRIALS, key="answers_done", label="answers so far", sentence="Number of answers released so "
                       "far.")
SUCCESS_FOUND = variant(SUCCESS, key="success_found", symbol="right", label="simulated attacker’s success",
                        sentence="Share of simulated answers after which the best attacker was right.")
SUCCESS_LOW = variant(SUCCESS_FOUND, key="success_low", label="lower end of the interval", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of the attacker’s success.")
SUCCESS_HIGH = variant(SUCCESS_FOUND, key="success_high", label="upper end of the interval", sentence="Upper end of "
                       "the 95 % Clopper–Pearson interval of the attacker’s success.")
DENSITY_FOUND = variant(DENSITY, key="density_found", label="density, simulated", sentence="Share of the simulated "
                        "answers in a stretch of x, over its width.")
DENSITY_LOW = variant(DENSITY_FOUND, key="density_low", label="lower end of the interval", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of the density.")
DENSITY_HIGH = variant(DENSITY_FOUND, key="density_high", label="upper end of the interval", sentence="Upper end of "
                       "the 95 % Clopper–Pearson interval of the density.")

# What a computer releases
TRUE_ANSWER = Quantity("true_answer", "f", "true answer without it", "The answer of the query without the record, "
                       "before noise: which double-precision numbers can be released depends on it.", REAL)
CLAMP = Quantity("clamp", "B", "clamping bound B", "Snapping moves what lies outside of −B to B to the nearer of the "
                 "two, before noise is added and after it.", POSITIVE, "log")
GRID_STEP = Quantity("grid_step", "Λ", "step of the grid Λ", "Snapped answers are multiples of this step: Δ times the "
                     "smallest power of 2 that is λ or more.", POSITIVE, "log")
PROVED = Quantity("given_away", "Pr[only with]", "record proved there", "Share of the answers released "
                      "with the record that, as double-precision numbers, cannot be released without it: δ is at least "
                      "as large, whatever ε is.", UNIT)
GIVEN_AWAY_WITHOUT = variant(PROVED, key="given_away_without", symbol="Pr[only without]",
                             label="proved not there", sentence="Share of the answers released without "
                             "the record that, as double-precision numbers, cannot be released with it.")
DOUBLES_AWAY = Quantity("doubles_away", "i", "doubles from the released one", "Position among double-precision "
                        "numbers, counted from the released one.", REAL)
LOW_BITS = Quantity("low_bits", "possible", "without (−) or with (+) the record", "Whether a double-precision number "
                    "can be released: 1 with the record, 2 for the one that was, −1 without the record, 0 where it "
                    "cannot.", integers(-1, 2))
