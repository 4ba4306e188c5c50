"""What many releases and many records come to."""

from __future__ import annotations

from dpstudio.vocabulary.noise import ERROR_95
from dpstudio.vocabulary.privacy import DELTA, EPSILON, GROUP_SIZE
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.response import POSTERIOR_MOST

BUDGET = variant(EPSILON, key="budget", symbol="Σε", label="budget ε", sentence="The most ε that all releases "
                 "about the same people may spend together.", safe="nearest")
BUDGET_DELTA = variant(DELTA, key="budget_delta", symbol="Σδ", label="budget δ", sentence="The most δ that all "
                       "releases about the same people may spend together.", safe="nearest")
STEP_DELTA = variant(DELTA, key="step_delta", label="δ of each release", sentence="How far, in one release, the "
                     "probability of an event may exceed e^ε times its value without the record.")
TOTAL_EPSILON = variant(EPSILON, key="total_epsilon", symbol="ε after k", label="total ε", sentence="The ε of all "
                        "releases together.", domain=NONNEGATIVE)
TOTAL_DELTA = variant(DELTA, key="total_delta", symbol="δ after k", label="total δ", sentence="The δ of all releases "
                      "together that goes with the total ε.")
OVER_EXACT = Quantity("over_exact", "ε/ε₀", "ε / exact ε", "How many times the least ε that holds at the same "
                      "δ an account shows; 1 is exact.", NONNEGATIVE, "log")
RELEASE_EPSILON = variant(EPSILON, key="release_epsilon", symbol="ε_q", label="ε of one release on a sample",
                          sentence="The ε of one release that sees each person with probability q.",
                          domain=NONNEGATIVE)
RELEASE_DELTA = variant(DELTA, key="release_delta", symbol="δ_q", label="δ of one release on a sample", sentence="The "
                        "δ of one release that sees each person with probability q.")
LEFT = Quantity("left", "ε left", "ε left", "What of the budget ε is left; negative where more was spent.", REAL,
                safe="down")
LEFT_DELTA = Quantity("left_delta", "δ left", "δ left", "What of the budget δ is left; negative where more was "
                      "spent.", REAL, safe="down")
LOSS_GRID = Quantity("loss_grid", "Δℓ", "grid of losses", "Step of the grid to which dp-accounting rounds privacy "
                     "losses up: the finer, the less pessimistic.", POSITIVE, "log")
COUNT_ERROR_95 = variant(ERROR_95, key="count_error_95", label="95 % error of a count",
                         sentence="How far a count with Laplace noise for one release’s ε is off at most, in 95 % of "
                                  "all releases.")
MOST_RELEASES = Quantity("most_releases", "max k", "releases allowed", "Number of such releases that the budget is "
                         "enough for.", integers(), "log")
LEAST_TOTAL = variant(TOTAL_EPSILON, key="least_total", symbol="ε at Σδ", label="total ε at the budget’s δ",
                      sentence="The least ε of all releases together that holds at the budget’s δ.")
MOST_WITHIN = variant(MOST_RELEASES, key="most_within", label="releases within the budget", sentence="Number of such "
                      "releases whose least ε at the budget’s δ is within its ε.")
TOTAL_BELIEF = variant(POSTERIOR_MOST, key="total_belief", label="belief at the total ε", sentence="What a privacy "
                       "loss of the total ε makes of even odds about a record; a loss exceeds it with a probability of "
                       "its own, “Pr[loss > ε]”.")
GROUP_RECORDS = variant(GROUP_SIZE, key="group_records", symbol="g", label="group size g", sentence="Number of records "
                        "that one person has, or that a group has together.")
GROUP_EPSILON = variant(EPSILON, key="group_epsilon", label="ε of the group", sentence="gε, for "
                        "datasets that differ in a whole group.", domain=NONNEGATIVE)
GROUP_DELTA = Quantity("group_delta", "δ of g", "δ of the group", "The δ that goes with gε for datasets that differ in "
                       "a whole group; a formula may exceed 1 and say nothing.", NONNEGATIVE, "log", safe="up")
GROUP_COST = Quantity("group_cost", "δ/δ₀", "δ / tight δ", "Above 1 a formula asks for more δ than needed, below 1 "
                      "it is false.", NONNEGATIVE, "log")
STEP = Quantity("step", "step", "releases so far", "Releases of the plan made so far.", integers(1))
PLAN_COUNTS = Quantity("plan_counts", "n₁", "Laplace releases", "How often the plan releases with Laplace noise.",
                       integers(0, 1000))
PLAN_COUNT_EPSILON = variant(EPSILON, key="plan_count_epsilon", symbol="ε₁", label="ε per Laplace release",
                             sentence="The ε of each Laplace release of the plan.")
PLAN_ANSWERS = Quantity("plan_answers", "n₂", "randomized responses", "How often the plan asks everybody for a "
                        "randomized response.", integers(0, 1000))
PLAN_ANSWER_EPSILON = variant(EPSILON, key="plan_answer_epsilon", symbol="ε₂", label="ε per response",
                              sentence="The ε of each randomized response of the plan.")
PLAN_SUMS = Quantity("plan_sums", "n₃", "Gaussian releases", "How often the plan releases with Gaussian noise.",
                     integers(0, 1000))
NOISE_MULTIPLIER = Quantity("noise_multiplier", "σ/Δ", "noise multiplier", "Standard deviation of Gaussian noise in "
                            "multiples of the ℓ₂ sensitivity.", POSITIVE, "log")
PLAN_EPSILON = variant(TOTAL_EPSILON, key="plan_epsilon", label="total ε of the plan", sentence="The ε of all "
                       "releases of the plan together.")
PLAN_LEFT = variant(LEFT, key="plan_left", label="ε left after the plan", sentence="What of the budget ε the "
                    "plan leaves; negative where it spends more.")
