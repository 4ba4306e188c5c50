"""Randomized response: its coins, what an answer says of the truth, and estimates of a fraction."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import EPSILON, LOCAL_EPSILON
from dpstudio.vocabulary.quantity import *

YES_IF_YES = Quantity("yes_if_yes", "Pr[yes | yes]", "Pr[“yes” | true yes]", "Probability of the answer “yes” where "
                      "the truth is yes.", UNIT)
YES_IF_NO = Quantity("yes_if_no", "Pr[yes | no]", "Pr[“yes” | true no]", "Probability of the answer “yes” where the "
                     "truth is no.", UNIT)
THETA1 = Quantity("theta1", "θ₁", "first coin θ₁", "Probability with which the first coin asks for the truth.", UNIT)
THETA2 = Quantity("theta2", "θ₂", "second coin θ₂", "Probability with which the second coin, thrown where the first "
                  "does not ask for the truth, says “yes”.", UNIT)
PREVALENCE = Quantity("prevalence", "p(y)", "share of true yes p(y)", "Share of people whose truth is yes: how likely "
                      "it is of one of them before the answer.", UNIT)
PEOPLE = Quantity("people", "n", "people n", "Number of people who answer.", integers(1, EXACT_INTEGERS), "log",
                  "people")
PEOPLE_ASKED = variant(PEOPLE, key="people_asked", label="people asked n", sentence="Number of people who are asked.")
OTHERS_YES = variant(PEOPLE, key="others_yes", symbol="t", label="others who are a yes", sentence="Number of people, "
                     "without the person who is hidden, whose truth is yes.", domain=integers(0, EXACT_INTEGERS))
YES_FRACTION = Quantity("yes_fraction", "π", "share of yes", "Share of the people whose truth is yes.",
                        UNIT)

# Randomized response
DESIGN = Quantity("design", "design", "response design", "How a person randomizes: symmetric with a chosen ε, two "
                  "coins θ₁ and θ₂, or two fair coins, which “warner” stands for.",
                  Choice(("symmetric", "coins", "warner"), ("by ε", "two coins", "two fair coins")))
ANSWER_YES = Quantity("answer_yes", "p(y′)", "Pr[“yes”] overall", "Probability that somebody drawn at "
                      "random answers “yes”.", UNIT)
ANSWERS_AS_PRIOR = variant(ANSWER_YES, key="answers_as_prior", symbol="p(y)", label="everybody tells the truth",
                           sentence="Probability of the answer “yes” if nobody randomized.")
POSTERIOR = Quantity("posterior", "p(y|y′)", "belief after the answer", "Probability, after the answer, that the "
                     "truth is yes.", UNIT)
POSTERIOR_YES = variant(POSTERIOR, key="posterior_yes", symbol="p(y|yes)", label="belief after “yes”",
                        sentence="Probability that the truth is yes, once somebody has answered “yes”.")
POSTERIOR_NO = variant(POSTERIOR, key="posterior_no", symbol="p(y|no)", label="belief after “no”",
                       sentence="Probability that the truth is yes, once somebody has answered “no”.")
POSTERIOR_MOST = variant(POSTERIOR, key="posterior_most", symbol="max p(y|y′)", label="belief, most by ε",
                         sentence="Largest belief that an answer with this ε can lead to from this prior.", safe="up")
POSTERIOR_LEAST = variant(POSTERIOR, key="posterior_least", symbol="min p(y|y′)", label="belief, least by ε",
                          sentence="Smallest belief that an answer with this ε can lead to from this prior.",
                          safe="down")
POSTERIOR_SAME = variant(POSTERIOR, key="posterior_same", symbol="p(y|y′) = p(y)", label="the answer says nothing",
                         sentence="The belief stays as it was.")
COIN1 = variant(THETA1, key="coin1", label="equivalent first coin", sentence="First coin θ₁ of the two coins that "
                "answer with the same probabilities.")
COIN2 = variant(THETA2, key="coin2", label="equivalent second coin", sentence="Second coin θ₂ of the two coins that "
                "answer with the same probabilities.")
ESTIMATE = Quantity("estimate", "est.", "estimated share of yes", "Share of yes that a survey arrives at; "
                    "debiased it can lie outside [0, 1].", REAL)
ESTIMATE_RELATIVE = Quantity("estimate_relative", "relative", "relative probability", "Probability of "
                             "an estimate, as a part of that of the likeliest one.", UNIT)
ESTIMATOR_SD = Quantity("estimator_sd", "sd", "sd of the estimate", "Standard deviation of the estimate from n people, "
                        "each of whom is a yes with the prior probability.", NONNEGATIVE, "log")
ESTIMATOR_SD_GIVEN = variant(ESTIMATOR_SD, key="estimator_sd_given", symbol="sd | people", label="sd, these people",
                             sentence="Standard deviation of the estimate for one fixed group of n people: only their "
                             "coins vary.")
ESTIMATE_ERROR_95 = variant(ESTIMATOR_SD, key="estimate_error_95", symbol="95 %", label="95 % error", sentence="How "
                            "far the estimate is from the true share at most, in 95 % of all surveys of n people.")
ESTIMATE_BIAS = Quantity("estimate_bias", "bias", "bias of the estimate", "Mean of the estimate minus the share that "
                         "it estimates.", REAL)
MARGIN = Quantity("margin", "m", "margin of error", "How far the estimate may be from the true share, either way.",
                  POSITIVE, "log")
WITHIN_MARGIN = Quantity("within_margin", "Pr[|error| ≤ m]", "within the margin", "Probability that the "
                         "estimate is no farther from the true share than the margin.", UNIT)
PEOPLE_NEEDED = Quantity("people_needed", "n(1.96 sd)", "people for the margin", "Number of people at which "
                         "1.96 standard deviations of the estimate fit the margin: where they are many, about 95 % of "
                         "surveys are then within it.",
                         NONNEGATIVE, "log", "people", enough=True)
PEOPLE_SURE = Quantity("people_sure", "n(Hoeffding)", "people, by Hoeffding", "Number of people with which at "
                       "least 95 % of surveys are within the margin, whatever the share, by Hoeffding’s inequality.",
                       NONNEGATIVE, "log", "people", enough=True)
SURVEYS = Quantity("surveys", "T", "simulated surveys", "Number of simulated surveys.", integers(1, 10**12), "log")
SHARE = Quantity("share", "share", "probability of a cell", "Probability that the estimate falls into one "
                 "cell of the picture.", UNIT)
SURVEYS_SHARE = variant(SHARE, key="surveys_share", label="share of the surveys", sentence="Share of the simulated "
                        "surveys whose estimate fell into one cell of the picture.")
SURVEYS_SHARE_LOW = variant(SHARE, key="surveys_share_low", label="lower end of the share", sentence="Lower end of the "
                            "95 % Clopper–Pearson interval of a share.")
SURVEYS_SHARE_HIGH = variant(SHARE, key="surveys_share_high", label="upper end of the share", sentence="Upper end of "
                             "the 95 % Clopper–Pearson interval of a share.")
SURVEYS_WITHIN = variant(WITHIN_MARGIN, key="surveys_within", symbol="within", label="simulated within",
                         sentence="Share of the simulated surveys whose estimate was within the margin.")

# A fraction, locally and centrally
ABOUT = Quantity("about", "about", "error about", "Whether the error counts against the share of these n people, or of "
                 "the population that they were drawn from.",
                 Choice(("group", "population"), ("these people", "population")))
FRACTION_ERROR = Quantity("fraction_error", "error", "error of the share", "Estimate minus the true share among these "
                          "people.",
                      REAL)
ERROR_RELATIVE = Quantity("error_relative", "relative", "density relative to its peak", "Probability of an error, as a "
                          "part of that of the likeliest one; for randomized response beyond a million people its "
                          "normal limit.", UNIT)
ERROR_SD = Quantity("error_sd", "sd", "error (sd)", "Standard deviation of the estimate about the true share.",
                    NONNEGATIVE, "log")
NOTE_ERROR = variant(ERROR_SD, key="note_error", symbol="1/(ε√n), 1/(εn)", label="lecture notes’ estimate",
                     sentence="What the lecture notes say the error is proportional to, 1/(ε√n) or 1/(εn), with the "
                     "constant 1.")
GROUP_ERROR = variant(ERROR_SD, key="group_error", symbol="sd | group", label="error (sd), these", sentence="Standard "
                      "deviation about the share among these n people: what the mechanism adds.")
POPULATION_ERROR = variant(ERROR_SD, key="population_error", symbol="sd | population", label="error (sd), population",
                           sentence="Standard deviation about the share in the population: the mechanism’s and the "
                           "sample’s own together.")
FRACTION_ERROR_95 = variant(ERROR_SD, key="fraction_error_95", symbol="95 %", label="95 % error, these",
                            sentence="Error about the share among these people that the mechanism stays "
                            "within with probability 95 %, at least.")
TIMES_SD = Quantity("times_sd", "sd ratio", "error ratio, these", "Error (sd) about these people over that of Laplace "
                    "noise.", NONNEGATIVE, "log")
TIMES_SD_POPULATION = variant(TIMES_SD, key="times_sd_population", label="error ratio, population",
                              sentence="Error (sd) about the population over that of Laplace noise.")
TIMES_PEOPLE = Quantity("times_people", "n ratio", "people ratio, these", "How many times the people randomized "
                        "response needs for the error that Laplace noise has about these people.", NONNEGATIVE, "log")
TIMES_PEOPLE_POPULATION = variant(TIMES_PEOPLE, key="times_people_population", label="people ratio, population",
                                  sentence="How many times the people randomized response needs for the error that "
                                  "Laplace noise has about the population.")
BREAK_EVEN = Quantity("break_even", "n*", "break-even people", "Number of people below which randomized response has a "
                      "smaller error about its group than Laplace noise, 8 sinh²(ε/2)/ε².", NONNEGATIVE, "log",
                      "people")
SHUFFLED_PEOPLE = variant(TIMES_PEOPLE, key="shuffled_people", symbol="n ratio, shuffled", label="people ratio, "
                          "shuffled", sentence="How many times the people shuffled responses need for the error that "
                          "Laplace noise has about these people.")
LOCAL_ALIKE = variant(LOCAL_EPSILON, key="local_alike", label="ε₀, upper limit", sentence="Largest ε₀ of "
                      "randomized responses with which a group that is alike but for one person keeps ε and δ when "
                      "shuffled: no account of all groups can allow more.", safe="down")
LOCAL_BY_CLONES = variant(LOCAL_EPSILON, key="local_by_clones", label="ε₀ by clones", sentence="Largest ε₀ of answers "
                          "of any kind that their shuffling brings to ε and δ: by the clones among the others, summed "
                          "over how many there are.", safe="down")
LOCAL_BY_FORM = variant(LOCAL_EPSILON, key="local_by_form", label="ε₀ by clones, closed form", sentence="Largest ε₀ of "
                        "answers of any kind that their shuffling brings to ε and δ: by the closed form for clones.",
                        safe="down")
LOCAL_BY_CHEU = variant(LOCAL_EPSILON, key="local_by_cheu", label="ε₀ by Cheu et al. 2019", sentence="Largest ε₀ of "
                        "randomized responses that their shuffling brings to ε and δ by the theorem of Cheu et al.",
                        safe="down")
COLLUDED_EPSILON = variant(EPSILON, key="colluded_epsilon", label="ε if half collude", sentence="Privacy loss ε of "
                           "the shuffled answers, at the same δ, where half of the others tell their "
                           "answers.", domain=NONNEGATIVE)
SEEN_SD = variant(ERROR_SD, key="seen_sd", symbol="seen", label="simulated error (sd)", sentence="Root of the mean "
                  "squared error of the simulated surveys.")
SEEN_SD_LOW = variant(ERROR_SD, key="seen_sd_low", label="lower end of the error", sentence="Lower end of its "
                      "95 % interval, by the exact spread of squared errors.")
SEEN_SD_HIGH = variant(ERROR_SD, key="seen_sd_high", label="upper end of the error", sentence="Upper end of its "
                       "95 % interval, by the exact spread of squared errors.")
