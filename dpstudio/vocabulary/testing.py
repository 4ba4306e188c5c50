"""Tests of a share by a private count: their levels, their power, and how many people they need."""

from __future__ import annotations

from dpstudio.vocabulary.decision import PROBABILITY
from dpstudio.vocabulary.inference import NOISY_COUNT
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.response import YES_FRACTION
from dpstudio.vocabulary.simulation import TRIALS

SHARE_DOUBTED = variant(YES_FRACTION, key="share_doubted", symbol="p₀", label="share doubted p₀", sentence="The share "
                        "of yes in the population that a test rejects or does not.", domain=INSIDE_UNIT)
SHARE_WORTH = variant(YES_FRACTION, key="share_worth", symbol="p₁", label="share worth finding p₁", sentence="A share "
                      "of yes in the population that a test is to tell from the one that is doubted.",
                      domain=INSIDE_UNIT)
TEST_LEVEL = variant(PROBABILITY, key="test_level", symbol="α", label="level α", sentence="How likely a test may "
                     "reject the share that is doubted where that is the true one.", domain=INSIDE_UNIT, scale="log")
POWER_WANTED = variant(PROBABILITY, key="power_wanted", symbol="1 − β", label="power wanted", sentence="How likely a "
                       "test is to reject where the true share is the one worth finding.", domain=INSIDE_UNIT)
TEST_SIDE = Quantity("test_side", "side", "side of the test", "Which true shares a test is for: those greater than the "
                     "one that is doubted, those less, or those on either side.",
                     Choice(("greater", "less", "two"), ("greater shares", "smaller shares", "either side")))
RELEASED_COUNT = variant(NOISY_COUNT, key="released_count", symbol="z", label="noisy count released",
                         sentence="The noisy number of yeses that was released; it may be negative, or above n.")
INTERVAL_CONFIDENCE = variant(PROBABILITY, key="interval_confidence", symbol="1 − γ", label="confidence",
                              sentence="How often the interval contains the true share, whatever that is.",
                              domain=INSIDE_UNIT)
TESTS = variant(TRIALS, key="tests", label="simulated tests", sentence="Number of simulated tests at each of the two "
                "shares.")
TESTS_DONE = variant(TRIALS, key="tests_done", label="tests so far", sentence="Number of tests simulated so far at "
                     "each of the two shares.")

# What a test is worth
PEOPLE_FOR_POWER = Quantity("people_for_power", "n for 1 − β", "people needed", "The fewest people with whom the test "
                            "has the power that is wanted; ∞ where 10⁹ are not enough.", NONNEGATIVE, "log", "people",
                            enough=True)
EXTRA_PEOPLE = Quantity("extra_people", "n − n open", "people for privacy", "How many more people it needs than the "
                        "most powerful test without privacy.", REAL, unit="people")
TEST_POWER = variant(PROBABILITY, key="test_power", symbol="power", label="power", sentence="Probability that the test "
                     "rejects where the true share is the one worth finding.")
POWER_FOUND = variant(TEST_POWER, key="power_found", symbol="power seen", label="power, simulated", sentence="Share of "
                      "the simulated tests that rejected where the true share is the one worth finding.")
POWER_LOW = variant(POWER_FOUND, key="power_low", label="lower end of the power", sentence="Lower end of the 95 % "
                    "Clopper–Pearson interval of the simulated power.")
POWER_HIGH = variant(POWER_FOUND, key="power_high", label="upper end of the power", sentence="Upper end of the 95 % "
                     "Clopper–Pearson interval of the simulated power.")
TRUE_LEVEL = variant(PROBABILITY, key="true_level", symbol="true α", label="true level", sentence="Probability that "
                     "the test rejects the share that is doubted where that is the true one.", scale="log")
LEVEL_FOUND = variant(TRUE_LEVEL, key="level_found", symbol="α seen", label="true level, simulated", sentence="Share "
                      "of the simulated tests that rejected where the share that is doubted is the true one.")
REJECTING = variant(PROBABILITY, key="rejecting", symbol="φ", label="probability of rejecting", sentence="Probability "
                    "that the test rejects the share that is doubted.")
REJECTS_FROM = variant(RELEASED_COUNT, key="rejects_from", symbol="z ≥", label="rejects from", sentence="The noisy "
                       "count from which on the test rejects for a greater share.")
REJECTS_UP_TO = variant(RELEASED_COUNT, key="rejects_up_to", symbol="z ≤", label="rejects up to", sentence="The noisy "
                        "count up to which the test rejects for a smaller share.")
TEST_MINIMUM = Quantity("test_minimum", "m", "minimum of the decision", "The test is the generalized decision whose "
                        "“yes” means rejecting: the fewest yeses, or noes where smaller shares are tested for, that it "
                        "rejects with probability ½ or more.", integers(0), unit="people")
TEST_TARGET = variant(PROBABILITY, key="test_target", symbol="p", label="Pr[“yes”] at its minimum",
                      sentence="Probability with which that decision rejects at its minimum.")

# What one noisy count says
P_VALUE = variant(PROBABILITY, key="p_value", symbol="p", label="p-value", sentence="How likely a noisy count lies as "
                  "far on the tested side as the released one where the share that is doubted is the true one; twice "
                  "the smaller of both sides where either is tested.", scale="log")
SHARE_LOW = variant(YES_FRACTION, key="share_low", symbol="p₋", label="share from", sentence="Lower end of the "
                    "interval of true shares that the released noisy count leaves.")
SHARE_HIGH = variant(YES_FRACTION, key="share_high", symbol="p₊", label="share to", sentence="Upper end of the "
                     "interval of true shares that the released noisy count leaves.")
COUNT_LOW = variant(RELEASED_COUNT, key="count_low", symbol="z₋", label="noisy count from", sentence="Below this noisy "
                    "count the interval does not contain the share.")
COUNT_HIGH = variant(RELEASED_COUNT, key="count_high", symbol="z₊", label="noisy count to", sentence="Above this noisy "
                     "count the interval does not contain the share.")
