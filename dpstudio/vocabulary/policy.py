"""A policy: whether to act, from what private counts say."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import EPSILON, EPSILON_OR_ZERO
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS

SYMPTOM_RATE = Quantity("symptom_rate", "π", "probability of a symptom", "Probability that a person has a symptom.",
                        UNIT)
WEIGHT = Quantity("weight", "w", "weight, worst symptom", "Utility of the worst symptom to one person, on the scale of "
                  "the cost: never above 0.", reals(high=0))
MILD_WEIGHT = variant(WEIGHT, key="mild_weight", symbol="w′", label="weight, mild symptom",
                      sentence="Utility of the mildest symptom; those between are spaced by equal ratios.")
UNTREATED = variant(SYMPTOM_RATE, key="untreated", symbol="π₀", label="risk if untreated π₀", sentence="Probability of "
                    "the worst symptom in an untreated person.")
TREATED = variant(SYMPTOM_RATE, key="treated", symbol="π₁", label="risk if treated π₁", sentence="Probability of the "
                  "worst symptom in a treated person.")
MILD_UNTREATED = variant(SYMPTOM_RATE, key="mild_untreated", symbol="π₀′", label="mild risk, untreated",
                         sentence="Probability of the mildest symptom if untreated; those between are spaced evenly.")
MILD_TREATED = variant(SYMPTOM_RATE, key="mild_treated", symbol="π₁′", label="mild risk, treated",
                       sentence="Probability of the mildest symptom if treated; those between are spaced evenly.")
SYMPTOMS = Quantity("symptoms", "d", "symptoms d", "Number of symptoms that are counted in each person.",
                    integers(1, 10**6), unit="symptoms")
COST = Quantity("cost", "C", "cost of treatment C", "Cost of treating one person, on the scale of the weights.",
                NONNEGATIVE)
FACTOR = Quantity("factor", "f", "burden factor f", "By what the symptoms of a treated person are multiplied: 2 in "
                  "“Our Utility”, so that treating is the worse choice.", NONNEGATIVE)
ARM = Quantity("arm", "n₀", "untreated people n₀", "Number of untreated people whose symptoms were counted first; as "
               "many treated, unless these are set apart.", integers(1, EXACT_INTEGERS), "log", "people")
ARM_TREATED = variant(ARM, key="arm_treated", symbol="n₁", label="treated people n₁", sentence="Number of treated "
                      "people whose symptoms were counted first.")
SICK_UNTREATED = Quantity("sick_untreated", "k₀", "sick, untreated k₀", "How many of the untreated people first "
                          "counted had the worst symptom: at most all of them.", integers(0, EXACT_INTEGERS), "log",
                          "people")
SICK_TREATED = variant(SICK_UNTREATED, key="sick_treated", symbol="k₁", label="sick, treated k₁",
                       sentence="How many of the treated people first counted had the worst symptom: at most all of "
                       "them.")
MILD_SICK_UNTREATED = variant(SICK_UNTREATED, key="mild_sick_untreated", symbol="k₀′", label="mild cases, untreated",
                              sentence="How many of the untreated people first counted had the mildest symptom; "
                              "counts of those between are spaced evenly.")
MILD_SICK_TREATED = variant(SICK_UNTREATED, key="mild_sick_treated", symbol="k₁′", label="mild cases, treated",
                            sentence="How many of the treated people first counted had the mildest symptom; counts "
                            "of those between are spaced evenly.")
ARM_SICK = Quantity("sick", "k", "people with a symptom", "How many people of an arm have each symptom; a count with "
                    "noise may be any number from 0 to n.", NONNEGATIVE, unit="people")
PRIOR_SICK = Quantity("prior_sick", "a", "prior a", "Pseudo-people with the symptom in the Beta prior of every "
                      "symptom and arm.", POSITIVE, "log")
PRIOR_WELL = Quantity("prior_well", "b", "prior b", "Pseudo-people without the symptom in the Beta prior of every "
                      "symptom and arm.", POSITIVE, "log")
COUNT_EPSILON = variant(EPSILON, key="count_epsilon", label="ε of each count", sentence="Privacy loss ε of each "
                        "released count: Laplace noise of scale 1/ε. A person is in d counts.")
ACT_EPSILON = variant(EPSILON_OR_ZERO, key="act_epsilon", symbol="ε′", label="ε of each decision ε′",
                      sentence="Privacy loss ε of each person’s own decision, made by randomized response.")
ACT_DESIGN = Quantity("act_design", "design", "decision drawn by", "How a person’s decision is randomized: symmetric "
                      "with a chosen ε, or by two coins θ₁ and θ₂.", Choice(("symmetric", "coins"), ("by ε′", "two "
                                                                                                     "coins")))
ARM_MAY_CHANGE = Quantity("arm_may_change", "arm", "treatment is secret", "Whether neighbours may also differ in "
                          "whether the person was treated: then 2d counts change, not d.", Switch())
POLICY_BATCHES = Quantity("policy_batches", "B", "batches", "Number of batches in which people arrive.",
                          integers(1, 10**6), unit="batches")
POLICY_BATCH = variant(POLICY_BATCHES, key="policy_batch", symbol="t", label="batch", sentence="Which batch of people; "
                       "a single one is drawn from ½ to 1½.", domain=NONNEGATIVE, unit="")
ARRIVALS = Quantity("arrivals", "m", "people per batch m", "Number of people who arrive in each batch.",
                    integers(1, EXACT_INTEGERS), "log", "people")
POLICY_UPDATING = Quantity("policy_updating", "updating", "counts by", "How counts are kept private over batches: the "
                           "sum of batches adds a noisy count of each batch to the last, a recount releases the whole "
                           "count anew with a share of ε.", Choice(("sequential", "retrain"), ("sum of batches",
                                                                                               "recount")))
REPLICATES = variant(TRIALS, key="replicates", label="simulated programmes", sentence="Number of simulated programmes, "
                     "each with all its batches.")
UTILITY = Quantity("utility", "E U", "expected utility", "Expected utility of one person: weighted symptoms, times the "
                   "factor and less the cost where treated.", REAL)
UTILITY_WAITING = variant(UTILITY, key="utility_no_action", symbol="E U₀", label="utility, untreated",
                          sentence="Σ w π₀: expected utility of an untreated person.")
UTILITY_ACTING = variant(UTILITY, key="utility_action", symbol="E U₁", label="utility, treated",
                         sentence="f Σ w π₁ − C: expected utility of a treated person.")
UTILITY_LOW = variant(UTILITY, key="utility_low", label="utility, lower end", sentence="Lower end of what "
                      "the counts leave likely: posterior mean less 1.96 posterior standard deviations.")
UTILITY_HIGH = variant(UTILITY, key="utility_high", label="utility, upper end", sentence="Upper end of what "
                       "the counts leave likely: posterior mean and 1.96 posterior standard deviations.")
UTILITY_BEST = variant(UTILITY, key="utility_best", symbol="U*", label="utility, truth known", sentence="Expected "
                       "utility of the better choice, where the true probabilities are known.")
GAP = Quantity("gap", "gap", "gain of the right choice", "Difference of the two expected utilities: what is lost on a "
               "person for whom the worse choice is made.", NONNEGATIVE)
BREAKEVEN_COST = Quantity("breakeven_cost", "C*", "break-even cost", "f Σ w π₁ − Σ w π₀: treating is better where it "
                          "costs less; below 0 at no cost.", REAL)
BEST_ACTION = Quantity("best_action", "best", "treating is better", "1 where treating has the larger expected "
                       "utility, else 0; on a tie nobody is treated.", integers(0, 1))
WAITING_SD = Quantity("waiting_sd", "sd U₀", "posterior sd, untreated", "Posterior standard deviation of the "
                      "expected utility if untreated, from exact counts.", NONNEGATIVE)
ACTING_SD = variant(WAITING_SD, key="acting_sd", symbol="sd U₁", label="posterior sd, treated",
                    sentence="Posterior standard deviation of the expected utility if treated, from exact counts.")
RECOMMENDED = Quantity("recommended", "Pr[act is best]", "treating recommended", "Probability that the counts, as "
                       "released, make treating look better.", UNIT)
TAKEN = Quantity("taken", "Pr[act]", "treated", "Probability that a person is treated, after their own randomized "
                 "response.", UNIT)
RIGHT = Quantity("right", "Pr[right]", "right choice made", "Probability that a person gets the truly better choice.",
                 UNIT)
UNCLIPPED = variant(RECOMMENDED, key="recommended_unclipped", symbol="Pr, unclipped",
                    label="recommended, unclipped", sentence="The same with counts as noise leaves them, which "
                    "may be below 0 and above n.")
POLICY_UTILITY = variant(UTILITY, key="policy_utility", label="utility per person", sentence="Expected utility of a "
                         "person under the true probabilities, with decisions made so.")
PRICE = Quantity("price", "price", "price of privacy", "Utility per person lost against exact counts and truthful "
                 "decisions; negative where exact counts mislead.", REAL)
PRICE_SHARE = Quantity("price_share", "price/gap", "price / gain", "Price of privacy as a part of the gain of the "
                       "right choice.", REAL)
COUNTS_EPSILON = variant(EPSILON, key="counts_epsilon", symbol="d·ε", label="ε of the counts", domain=NONNEGATIVE,
                         sentence="The ε of all counts that one person is in, together.")
PERSON_EPSILON = variant(EPSILON, key="person_epsilon", symbol="Σε", label="total ε per person", domain=NONNEGATIVE,
                         sentence="The ε of all that is released of one person: their counts and their own "
                         "decision.")
FIRST_RECOMMENDED = variant(RECOMMENDED, key="first_recommended", symbol="first", label="recommended, simulated",
                            sentence="Share of simulated programmes whose first released counts made treating "
                            "look better.")
LAST_RECOMMENDED = variant(RECOMMENDED, key="last_recommended", symbol="last", label="recommended in the end",
                           sentence="Share of simulated programmes whose counts made treating look better before "
                           "the last batch.")
SEEN_UTILITY = variant(UTILITY, key="seen_utility", symbol="mean U", label="utility of a batch", sentence="Mean "
                       "utility per person of the people of one batch, over simulated programmes.")
SEEN_UTILITY_LOW = variant(SEEN_UTILITY, key="seen_utility_low", label="utility of a batch, lower end",
                           sentence="Lower end of its 95 % interval, by the central limit theorem.")
SEEN_UTILITY_HIGH = variant(SEEN_UTILITY, key="seen_utility_high", label="utility of a batch, upper end",
                            sentence="Upper end of its 95 % interval, by the central limit theorem.")
ALL_UTILITY = variant(SEEN_UTILITY, key="all_utility", label="utility, simulated", sentence="Mean utility per person, "
                      "over all batches of the simulated programmes.")
REGRET = Quantity("regret", "regret", "regret so far", "Utility lost on all people so far against always making "
                  "the truly better choice.", NONNEGATIVE)
REGRET_LOW = variant(REGRET, key="regret_low", label="regret, lower end", sentence="Lower end of its 95 % interval, by "
                     "the central limit theorem, lower by what three programmes may lose.")
REGRET_HIGH = variant(REGRET, key="regret_high", label="regret, upper end", sentence="Upper end of its 95 % interval, "
                      "by the central limit theorem, wider by what three programmes may lose.")
REGRET_PERSON = variant(REGRET, key="regret_person", symbol="regret/person", label="regret, simulated",
                        sentence="Mean utility lost per person over all batches, against always making the truly "
                        "better choice.")
