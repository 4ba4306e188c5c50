"""What an answer may tell: ε, δ, losses, profiles, attackers, and the theorems about them."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

EPSILON = Quantity("epsilon", "ε", "privacy loss ε", "Without δ, one record makes no answer more than e^ε times as "
                   "likely. Smaller is more private.", POSITIVE, "log", safe="up")
EPSILON_OR_ZERO = variant(EPSILON, domain=NONNEGATIVE)
LOCAL_EPSILON = variant(EPSILON, key="local_epsilon", symbol="ε₀", label="ε₀ of each answer", sentence="Privacy loss "
                        "ε of each person’s own answer before shuffling.")
EPSILON_PRIME = Quantity("epsilon_prime", "ε′", "privacy loss ε′", "Any ε at which the smallest δ is asked for.",
                         NONNEGATIVE)
DELTA = Quantity("delta", "δ", "excess probability δ", "How far the probability of an event may exceed e^ε times its "
                 "value without the record.", UNIT, "log", safe="up")
DELTA_COMPLEMENT = Quantity("delta_complement", "1−δ", "1 less δ", "The complement of δ, given apart where δ lies near "
                            "1.", UNIT)
MU = Quantity("mu", "μ", "Gaussian DP μ", "An answer tells no more of one record than a draw from a standard normal "
              "tells of whether it was shifted by μ.", POSITIVE, "log", safe="up")
RHO = Quantity("rho", "ρ", "concentrated privacy ρ", "For every order α the Rényi divergence that one record makes is "
               "at most αρ.", NONNEGATIVE, "log", safe="up")
SAMPLING_RATE = Quantity("sampling_rate", "q", "sampling rate q", "Probability with which each person is drawn "
                         "into a release, on their own; nobody learns who was.", UNIT, "log")
PRIVACY_LOSS = Quantity("privacy_loss", "ℓ", "loss of an answer ℓ", "Logarithm of how many times as likely one more "
                        "record makes an answer.", REAL)
LOSS_ACCEPT = variant(PRIVACY_LOSS, key="loss_accept", symbol="ℓ₁", label="loss of “yes”",
                      sentence="ln Pr[Q(N+1)=1] / Pr[Q(N)=1]: what seeing “yes” tells about one more record.",
                      safe="up")
LOSS_REJECT = variant(PRIVACY_LOSS, key="loss_reject", symbol="ℓ₀", label="loss of “no”",
                      sentence="ln Pr[Q(N)=0] / Pr[Q(N+1)=0]: what seeing “no” tells about one record fewer.",
                      safe="up")
ZERO_REFUSED = Quantity("zero_refused", "f(0)=0", "0 records: always “no”",
                        "Whether a dataset of no records always gets “no”, as where nobody knows that it might exist.",
                        Switch())

SENSITIVITY = Quantity("sensitivity", "Δ", "sensitivity Δ", "The most by which one record changes the answer of the "
                       "query.", POSITIVE, "log")
WHOLE_SENSITIVITY = variant(SENSITIVITY, key="whole_sensitivity", domain=integers(1, EXACT_INTEGERS))
TYPE_I = Quantity("type_i", "α", "type I error α", "Probability with which an attacker's test finds a record that is "
                  "not there.", UNIT)
TYPE_II = Quantity("type_ii", "β", "type II error β", "Probability with which an attacker's test misses a record "
                   "that is there.", UNIT)
GUESSING = variant(TYPE_II, key="guessing", symbol="1 − α", label="guessing", sentence="Type II error of a test that "
                   "does not look at the answer.")
RELEASES = Quantity("releases", "k", "releases k", "Number of releases that look at the same people.",
                    integers(1, 10**9), "log")
ALLOWANCE = Quantity("allowance", "δ′", "composition slack δ′", "The part of the total δ that is spent to lower the "
                     "total ε.", UNIT, "log")
GROUP_SIZE = Quantity("group_size", "k", "group size k", "Number of records in which two datasets differ.",
                      integers(1, EXACT_INTEGERS), "log", "records")

# Guarantees and what they cost
GUARANTEE_EPSILON = variant(EPSILON, key="guarantee_epsilon", label="guarantee ε", sentence="The ε of the guarantee.",
                            domain=NONNEGATIVE)
GUARANTEE_DELTA = variant(DELTA, key="guarantee_delta", label="guarantee δ", sentence="The smallest δ that holds with "
                          "that ε, over every pair of neighbouring datasets.")
EPSILON_AT_DELTA = variant(EPSILON, key="epsilon_at_delta", label="ε at the study’s δ", sentence="The smallest ε at "
                           "which a release needs no more than the study’s δ; ∞ where it needs more at every ε.",
                           domain=NONNEGATIVE)
PROFILE = variant(DELTA, key="profile", symbol="δ(ε′)", label="smallest δ at ε′", sentence="Privacy profile: the "
                  "smallest δ with which the decision is (ε′, δ)-differentially private.")
DELTA_RECORDS = Quantity("delta_records", "δ·m", "δ times m", "δ times the minimum: far below 1 is prudent, near "
                         "or above 1 it may publish a whole record.", NONNEGATIVE, safe="up")
SLACK = Quantity("slack", "min slack", "least slack", "How far the tightest of the four inequalities of the definition "
                 "stays from failing, over every N.", REAL)
SLACK_AT = Quantity("slack_at", "N*", "N of least slack", "The smaller dataset of the pair with the least slack.",
                    integers(), unit="records")
ASKED = Quantity("asked", "times", "times asked", "How often the decision is asked as N grows.", integers(1), "log")
ASKED_EPSILON = variant(EPSILON, key="asked_epsilon", label="ε of 10 answers, composed", sentence="ε of ten answers "
                        "together, at most.", domain=NONNEGATIVE)
ASKED_DELTA = variant(DELTA, key="asked_delta", label="δ of 10 answers, composed", sentence="The δ of ten answers "
                      "together that goes with their ε.")
SEQUENCE_EPSILON = variant(EPSILON, key="sequence_epsilon", label="ε of 10 answers, any N", sentence="Privacy "
                           "loss ε of ten answers together, at most, by the decision's own curve: each may be asked "
                           "of any N.", domain=NONNEGATIVE)
REACHED_EPSILON = variant(EPSILON, key="staying_epsilon", label="ε of 10 answers, at least", sentence="Privacy "
                          "loss ε that ten answers reach, at least, where all are asked of one N.",
                          domain=NONNEGATIVE)
SEQUENCE_DELTA = variant(DELTA, key="sequence_delta", label="δ of 10 answers", sentence="The δ of ten answers that "
                         "goes with both: their own, and δ once more.")
COMPOSED_ANY = variant(EPSILON, key="composed_any", label="total ε, whatever N", sentence="ε of all answers together, "
                       "at most, by the decision's own curve: each may be asked of any N.", domain=NONNEGATIVE)
COMPOSED_STAYING = variant(EPSILON, key="composed_staying", label="total ε, N stays", sentence="ε that all answers "
                           "reach, at least, where they are asked of one N.", domain=NONNEGATIVE)
COMPOSED_EPSILON = variant(EPSILON, key="composed_epsilon", label="total ε", sentence="ε of all answers together, at "
                           "most.")
COMPOSED_DELTA = variant(DELTA, key="composed_delta", label="total δ", sentence="The δ of all answers together that "
                         "goes with the total ε.")
GROUPS_EPSILON = variant(EPSILON, key="groups_epsilon", symbol="ε of κ", label="ε of all groups of a person",
                         sentence="ε of the answers on all groups together that one person is in.")
GROUPS_DELTA = variant(DELTA, key="groups_delta", symbol="δ of κ", label="δ of all groups of a person",
                       sentence="The δ of the answers on all groups together that one person is in.")

# Theorems, by example
STEPS_FROM_ZERO = Quantity("steps_from_zero", "n(0→1)", "records from surely no to surely yes", "The fewest records in "
                           "which the probability of “yes” can rise from 0 to 1.", NONNEGATIVE, unit="records")
LARGEST_RATIO = Quantity("largest_ratio", "e^ε", "largest ratio", "How many times as likely one record can make an "
                         "answer.", NONNEGATIVE, safe="up")
LARGEST_RATIO_TWICE = variant(LARGEST_RATIO, key="largest_ratio_twice", symbol="e^2ε", label="largest ratio of two",
                              sentence="How many times as likely one record can make two answers together.")
ONE_AMONG = Quantity("one_among", "1/δ", "people of whom one is published", "Of so many people the record of one could "
                     "be published whole, within δ.", integers(1))
PEEKING_DELTA = variant(DELTA, key="peeking_delta", label="δ of a second look", sentence="The δ it takes to correct a "
                        "noisy count where it is off by less than one.")
TWICE_DELTA = variant(DELTA, key="twice_delta", label="δ of two responses at ε", sentence="The smallest δ with which "
                      "two randomized responses are together still ε-private.")
PAIR_DELTA = variant(DELTA, key="pair_delta", label="δ of two records", sentence="The smallest δ that goes with 2ε for "
                     "two records.")
PAIR_DELTA_ADDED = variant(DELTA, key="pair_delta_added", symbol="2δ", label="2δ", sentence="What a formula that adds "
                           "δ up says of two records; it is no bound.")
