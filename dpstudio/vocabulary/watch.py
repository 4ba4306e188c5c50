"""Watching a growing count until it seems to have reached a threshold."""

from __future__ import annotations

from dpstudio.vocabulary.decision import PROBABILITY
from dpstudio.vocabulary.privacy import EPSILON
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS

THRESHOLD_SHARE = Quantity("threshold_share", "s", "ε share of threshold s", "Share of ε₁ + ε₂ that goes into the "
                           "threshold’s noise, which is drawn once; the rest goes into that of the counts.",
                           INSIDE_UNIT)
PRESENCE = Quantity("presence", "record", "record over time", "Stays: a record is counted, or left out, from some step "
                    "on to the end. Comes and goes: it may be counted at some steps and not at others.",
                    Choice(("stays", "comes and goes")))
MONOTONE = Quantity("monotone", "monotone", "counts only grow by a record", "Whether one record more can only raise "
                    "counts, as of people who come and stay; else it may raise some and lower others.", Switch())

# The history
TIMES = Quantity("times", "k", "steps k", "Number of steps at which the count is checked, one after the other.",
                 integers(1, 10**7), "log", "steps")
TIME = Quantity("time", "t", "step t", "The step at which the count is checked; the first is 1.", integers(0))
PER_TIME = Quantity("per_time", "r", "growth per step r", "How many records come from one step to the next; the count "
                    "at step t is ⌊rt⌋.", POSITIVE, "log", "records")
ALARM = variant(PROBABILITY, key="alarm", symbol="α", label="false alarm α", sentence="Every threshold is set so that "
                "“yes” comes with at most this probability before the count has reached m.", domain=INSIDE_UNIT,
                scale="log")
WATCHED = variant(TRIALS, key="watched", label="simulated histories", sentence="Number of simulated histories.")
REACHED = Quantity("reached", "t*", "m is reached at", "The first step at which the count is at least m.", integers(1))
COUNT_THEN = Quantity("count_then", "c", "count", "Number of records at a step.", NONNEGATIVE, unit="records")

# When “yes” is said
SAID = variant(PROBABILITY, key="said", symbol="Pr[T ≤ t]", label="probability of “yes” by t", sentence="Probability "
               "that “yes” has been said by a step.")
SAID_SEEN = variant(SAID, key="said_seen", symbol="seen", label="simulated “yes” by t", sentence="Share of "
                    "the simulated histories in which “yes” has been said by a step.")
SAID_LOW = variant(SAID_SEEN, key="said_low", label="lower end of the share", sentence="Lower end of the 95 % "
                   "Clopper–Pearson interval.")
SAID_HIGH = variant(SAID_SEEN, key="said_high", label="upper end of the share", sentence="Upper end of the 95 % "
                    "Clopper–Pearson interval.")
MEDIAN_YES = Quantity("median_yes", "T½", "median step of “yes”", "The first step by which “yes” has been said with "
                      "probability ½ or more; ∞ where that is not within the k steps.", NONNEGATIVE, "log", "steps")
MEAN_DELAY = Quantity("mean_delay", "E[delay]", "mean delay", "Steps, on average, from m being reached to “yes”, or to "
                      "the last of the k steps where it is not said by then; 0 of a “yes” before.", NONNEGATIVE, "log",
                      "steps")
DELAY_RECORDS = Quantity("delay_records", "E[records late]", "mean delay in records", "Records that come in the delay, "
                         "on average.", NONNEGATIVE, "log", "records")
MEDIAN_DELAY = Quantity("median_delay", "T½ − t*", "median delay", "Steps from m being reached to the median “yes”; ∞ "
                        "where that is not within the k steps.", NONNEGATIVE, unit="steps")
DELAY_SEEN = variant(MEAN_DELAY, key="delay_seen", symbol="delay seen", label="mean delay, simulated",
                     sentence="Mean delay of the simulated histories.", scale="linear")
FALSE_ALARM = variant(PROBABILITY, key="false_alarm", symbol="Pr[T < t*]", label="false alarm", sentence="Probability "
                      "that “yes” is said before the count has reached m.")
ALARM_AT_MINIMUM = variant(FALSE_ALARM, key="alarm_at_minimum", symbol="Pr[T < t*] at m", label="false alarm, "
                           "threshold m", sentence="The probability of a false alarm if the threshold is m itself.")
ALARM_SEEN = variant(FALSE_ALARM, key="alarm_seen", symbol="alarm seen", label="false alarm, simulated",
                     sentence="Share of the simulated histories in which “yes” was said before the count had reached "
                     "m.")
NEVER_SAID = variant(PROBABILITY, key="never_said", symbol="Pr[never]", label="“yes” never said",
                     sentence="Probability that “yes” is not said within the k steps.")
NEVER_SEEN = variant(NEVER_SAID, key="never_seen", symbol="never seen", label="“yes” never said, simulated",
                     sentence="Share of the simulated histories in which “yes” was not said.")
THRESHOLD_MARGIN = Quantity("threshold_margin", "k − m", "threshold above m", "How far the threshold lies above m so "
                            "that a false alarm is as likely as was asked for.", REAL, unit="records")
COMPARISON_SD = Quantity("comparison_sd", "sd", "sd of the noise", "Standard deviation of all the noise in one "
                         "comparison, the threshold’s and the count’s; of the tree in its worst count.", POSITIVE,
                         "log", "records")
NOISY_COUNT_THEN = Quantity("noisy_count_then", "ĉ", "noisy count, less the threshold’s noise", "The noisy count at a "
                            "step, less the noise of the threshold and its distance from m: “yes” where it reaches m.",
                            REAL, unit="records")

# What it costs
ASK_EPSILON = variant(EPSILON, key="ask_epsilon", symbol="ε₀", label="ε of each step", sentence="Privacy loss ε of the "
                      "decision at one step.")
STAYING_EPSILON = variant(EPSILON, key="staying_epsilon", symbol="ε staying", label="ε if records stay", sentence="The "
                          "smallest ε that what is said keeps, with δ = 0, for a record that stays once it is counted.",
                          domain=NONNEGATIVE)
COMING_EPSILON = variant(STAYING_EPSILON, key="coming_epsilon", symbol="ε coming", label="ε if they come and go",
                         sentence="The smallest ε that what is said keeps, with δ = 0, for a record that may be "
                         "counted at some steps and not at others.")
NOISE_EPSILON = variant(EPSILON, key="noise_epsilon", symbol="ε₁ + ε₂", label="ε₁ + ε₂ of the noise", sentence="Sum of "
                        "one over the scale of the threshold’s noise and one over that of the counts’, which follows "
                        "from ε and who may be a neighbour.")
GIVEN_AWAY = variant(EPSILON, key="given_away", symbol="ε needed", label="ε needed", sentence="The smallest ε that "
                     "what is said at k steps keeps.", domain=NONNEGATIVE)
GOING_ON_EPSILON = variant(GIVEN_AWAY, key="going_on_epsilon", symbol="ε on", label="faulty: goes on", sentence="The ε "
                           "of a watch that goes on after the first “yes”, at k steps.")
RELEASED_EPSILON = variant(GIVEN_AWAY, key="released_epsilon", symbol="ε told", label="faulty: count told",
                           sentence="The ε of a watch that ends with the noisy count that got the “yes”.")
ANEW_EPSILON = variant(GIVEN_AWAY, key="anew_epsilon", symbol="ε anew", label="faulty: new threshold", sentence="The ε "
                       "of a watch whose threshold gets new noise at each step.")
BARE_EPSILON = variant(GIVEN_AWAY, key="bare_epsilon", symbol="ε bare", label="faulty: counts bare", sentence="The ε "
                       "of a watch whose threshold alone has noise.")
FALLING_EPSILON = variant(GIVEN_AWAY, key="falling_epsilon", symbol="ε falling", label="faulty: counts fall",
                          sentence="The ε of a watch whose noise is made for counts that only grow, where a "
                          "record may also lower some.")
