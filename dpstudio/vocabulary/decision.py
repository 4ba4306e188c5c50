"""A decision on a number of records: thresholds, probabilities, uncertain bands and errors."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

RECORDS = Quantity("records", "N", "true count N", "Number of records that qualify, each of one person.",
                   integers(0, EXACT_INTEGERS), "log", "records")
MINIMUM = Quantity("minimum", "m", "minimum m", "Number of records that the decision asks for.",
                   integers(0, EXACT_INTEGERS), "log", "records")
REAL_MINIMUM = variant(MINIMUM, domain=POSITIVE)
CENTRE = Quantity("centre", "n₀", "centre n₀", "The integer at which the generalized curve changes branch.",
                  integers(0, EXACT_INTEGERS), unit="records")
THRESHOLD = Quantity("threshold", "k", "threshold k", "Value that the noisy count must reach.", REAL, unit="records")
COIN = Quantity("coin", "w", "coin at the threshold", "Probability of “yes” where the noisy count is the threshold k "
                "itself; above it the answer is always yes.", UNIT)
THRESHOLD_OFFSET = variant(THRESHOLD, key="threshold_offset", symbol="k − m", label="threshold above m",
                           sentence="How far the value that the noisy count must reach lies above the minimum.")
TARGET = Quantity("target", "p", "Pr[“yes”] at m", "Pr[Q(m)=1], the probability of “yes” to a dataset of exactly m "
                  "records.", UNIT)
COMPLEMENT = Quantity("complement", "1−p", "Pr[“no”] at m", "Pr[Q(m)=0], the complement of the target, "
                      "given apart where the target lies near 1.", UNIT)
N = Quantity("n", "n", "records n", "Number of records that qualify.", integers(0, EXACT_INTEGERS), unit="records")

# Probabilities
PROBABILITY = Quantity("probability", "Pr", "probability", "A probability.", UNIT)
ACCEPTANCE = Quantity("acceptance", "Pr[Q(N)=1]", "probability of “yes”", "Probability that the decision says “yes”"
                      " to N records.", UNIT)
REJECTION = Quantity("rejection", "Pr[Q(N)=0]", "probability of “no”", "Probability that the decision says “no” "
                     "to N records, exact also where it is tiny.", UNIT)
COMPLEMENTS = {ACCEPTANCE: REJECTION, REJECTION: ACCEPTANCE}
"""Probabilities that lack to 1 what another says."""
TAIL = Quantity("uncertain", "τ", "uncertainty level τ", "Where “yes” and “no” both have at least this probability, "
                "the decision counts as uncertain.", reals(0, 0.5, open="both"), "log")
BAND_FROM = Quantity("band_from", "N₋", "uncertain from", "N at which the probability of “yes” reaches τ, "
                     "the curve continued between integers.", REAL, unit="records")
BAND_TO = Quantity("band_to", "N₊", "uncertain to", "N at which the probability of “no” falls to τ, the "
                   "curve continued between integers.", REAL, unit="records")
BAND_WIDTH = Quantity("band_width", "N₊ − N₋", "unrounded uncertain band", "Width of the stretch of N in which the "
                      "answer is uncertain.", NONNEGATIVE, unit="records")
BAND_STEPS = Quantity("band_steps", "⌈N₊⌉ − ⌊N₋⌋", "uncertain band", "Records from the last N that gets “yes” with "
                      "probability τ at most to the first that gets “no” with that.", integers(), unit="records")
SURE_YES = Quantity("sure_yes", "⌈N₊⌉", "sure of “yes” from", "The fewest records that get “yes” with certainty 1 − τ "
                    "or more, as all above them do.", integers(), unit="records")
SURE_NO = Quantity("sure_no", "⌊N₋⌋", "sure of “no” up to", "The most records that get “no” with certainty 1 − τ or "
                   "more, as all below them do; there may be none.", integers(), unit="records")
CENTRE_ACCEPTANCE = variant(ACCEPTANCE, key="centre_acceptance", symbol="p₀", label="probability at centre p₀",
                            sentence="The probability of “yes” at the centre n₀, where the generalized curve changes "
                            "branch.")
ABOVE_CENTRE = Quantity("above_centre", "N₊ − n₀", "band above centre", "Records from the centre n₀ of "
                        "the generalized curve up to where the probability of “no” falls to τ.", REAL, unit="records")
BELOW_CENTRE = Quantity("below_centre", "n₀ − N₋", "band below centre", "Records from the centre n₀ of "
                        "the generalized curve down to where the probability of “yes” falls to τ.", REAL,
                        unit="records")
ACCEPTANCE_AT_MINIMUM = variant(ACCEPTANCE, key="acceptance_at_minimum", symbol="Pr[Q(m)=1]",
                                label="probability of “yes” at m", sentence="Probability that the decision says “yes” "
                                "to exactly the minimum.")
HALF_MET = Quantity("half_met", "Pr[Q(m)=1] ≥ ½", "Pr[“yes”] at m ≥ ½", "1 where a dataset of exactly m "
                    "records gets “yes” with probability ½ or more, else 0.", integers(0, 1))

# Errors
FALSE_ACCEPT = Quantity("false_accept", "Pr[Q=1 | N<m]", "false “yes”", "Probability of “yes” to a dataset that does "
                        "not qualify.", UNIT)
FALSE_REJECT = Quantity("false_reject", "Pr[Q=0 | N≥m]", "false “no”", "Probability of “no” to a dataset that "
                        "qualifies.", UNIT)
ERROR = Quantity("error", "Pr[wrong]", "probability of a wrong answer", "Probability that the decision is wrong.", UNIT)
ERROR_AT_N = variant(ERROR, key="error_at_records", label="Pr[wrong] at N", sentence="Probability that the answer to "
                     "the dataset in hand is wrong.")
OVERALL_ERROR = variant(ERROR, key="overall_error", label="Pr[wrong] overall", sentence="Probability of a wrong answer "
                        "when N is drawn from the prior.")
PRIOR = Quantity("prior", "prior", "prior on N", "What is believed about N before asking; it weighs the error rates.",
                 Choice(("uniform", "poisson", "normal")))
PRIOR_CENTRE = Quantity("prior_centre", "c", "prior centre c", "Centre of the prior on N.", NONNEGATIVE, "log",
                        "records")
PRIOR_WIDTH = Quantity("prior_width", "w", "prior width w", "Half-width of a uniform prior, standard deviation of "
                       "a normal one; a Poisson prior has none.", POSITIVE, "log", "records")
PRIOR_MASS = Quantity("prior_below", "Pr[N<m]", "prior below m", "Probability under the prior that the dataset does "
                      "not qualify.", UNIT)

# Costs
COST_FALSE_YES = Quantity("cost_false_yes", "c₁", "cost of a false “yes”", "What a “yes” to a dataset that does not "
                          "qualify costs, in any unit.", POSITIVE, "log")
COST_FALSE_NO = Quantity("cost_false_no", "c₀", "cost of a false “no”", "What a “no” to a dataset that qualifies "
                         "costs, in the same unit.", POSITIVE, "log")
EXPECTED_COST = Quantity("expected_cost", "E[cost]", "expected cost", "What wrong answers cost on average when N is "
                         "drawn from the prior. An exact answer costs nothing, so this is what privacy costs.",
                         NONNEGATIVE, "log")
BEST_COST = variant(EXPECTED_COST, key="best_cost", symbol="min E[cost]", label="least expected cost", sentence="The "
                    "least that wrong answers can cost on average with a decision of this kind and guarantee.")
BEST_TARGET = variant(TARGET, key="best_target", symbol="p*", label="best Pr[“yes”] at m", sentence="The "
                       "probability of “yes” at m with the least expected cost.")
BEST_THRESHOLD = variant(THRESHOLD, key="best_threshold", symbol="k*", label="best threshold", sentence="The threshold "
                         "with the least expected cost; of a decision without one, the minimum that it is given while "
                         "the question stays m.")
COST_SAVED = variant(EXPECTED_COST, key="cost_saved", symbol="saved", label="cost saved at best",
                     sentence="How much less wrong answers cost on average at the best Pr[“yes”] at m than now.")
FALSE_ACCEPT_NOW = variant(FALSE_ACCEPT, key="false_accept_now", label="false “yes” at present")
FALSE_REJECT_NOW = variant(FALSE_REJECT, key="false_reject_now", label="false “no” at present")

# Theorem 1
POSITION = Quantity("position", "x", "position x", "Where a decreasing function is looked at.", REAL)
VALUE = Quantity("value", "f(x)", "decreasing function f(x)", "A decreasing function, such as the probability of "
                 "“no”.", UNIT)
LEMMA_BOUND = Quantity("lemma_bound", "1.2·f(x+1)", "bound 1.2·f(x+1)", "What f(x) may not exceed where e^ε = 1.2 and "
                       "δ = 0.", NONNEGATIVE)
SLACK_HERE = Quantity("slack_here", "slack", "slack of the pair (N, N+1)", "e^ε·Pr[Q(N+1)=0] + δ − Pr[Q(N)=0]: "
                      "negative where the inequality fails.", REAL)

# Partition selection
OTHERS = Quantity("others", "also", "compare also", "Further decisions: which groups to show where even their names "
                  "are secret, or discrete noise with a whole threshold.",
                  Choice(("none", "selection", "discrete"), ("nothing", "group selection", "discrete noise")))
REACH = Quantity("reach", "k", "reach of the noise k", "The noise is a whole number from −k to k.",
                 integers(0, EXACT_INTEGERS))
PARTITIONS = Quantity("partitions", "κ", "groups per person κ", "In how many groups one person may be: each group "
                      "gets a share of ε and δ, so that all of them together keep the guarantee.",
                      integers(1, 10**6), "log", "groups")
USERS = variant(RECORDS, key="users", symbol="n", label="people n of a group", sentence="How many people are in a "
                                                                                        "group, "
                "each counted once.", unit="people")
SHOWN = variant(ACCEPTANCE, key="shown", symbol="Pr[shown]", label="probability that a group is shown",
                sentence="Probability that a group of so many people is among those that are shown.")
NOT_SHOWN = variant(REJECTION, key="not_shown", symbol="Pr[not shown]", label="probability that a group is not shown",
                    sentence="Probability that a group of so many people is not among those that are "
                    "shown, exact also where it is tiny.")
SHOWN_ALONE = variant(SHOWN, key="shown_alone", symbol="Pr[shown | 1]", label="Pr[one person is shown]",
                      sentence="Probability that a group of one person is shown; to a person who is alone in a group "
                      "that is the whole δ.")
USERS_NEEDED = variant(USERS, key="users_needed", symbol="n(p)", label="people that a group needs", sentence="The "
                       "fewest people with whom a group is shown with the probability asked for at m, or more.")
USERS_HALF = variant(USERS, key="users_half", symbol="n(½)", label="people to be shown at ½", sentence="The "
                     "fewest people with whom a group is shown with probability ½ or more.")
LEAST_SHOWN = variant(USERS, key="least_shown", symbol="min n", label="smallest group ever shown",
                      sentence="The fewest people with whom a group may be shown at all.")
