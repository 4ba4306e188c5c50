"""Audits: what draws say of a claimed ε."""

from __future__ import annotations

from dpstudio.vocabulary.decision import PROBABILITY, N
from dpstudio.vocabulary.privacy import DELTA, EPSILON
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.simulation import TRIALS

AUDITED = Quantity("mechanism", "mechanism", "mechanism audited", "What is drawn from; those that begin with “wrong” "
                   "claim what they do not keep.", Choice((
                       "laplace_decision", "cutoff_decision", "generalized_decision", "gaussian_decision",
                       "partition_selection", "response", "laplace_count", "geometric_count", "gaussian_count",
                       "discrete_gaussian_count", "snapped_count", "bounded_rows", "shuffled_responses",
                       "sampled_count", "above_threshold", "wrong_sensitivity", "wrong_delta", "wrong_shared_noise",
                       "wrong_not_randomized", "wrong_floating", "wrong_rows", "wrong_shuffled_groups",
                       "wrong_sampled", "wrong_threshold")))
FEWER_RECORDS = variant(N, key="fewer_records", label="smaller dataset n", sentence="The audit draws from n records "
                        "and from n + 1: the pair of neighbours that it looks at.")
PROCESSING = Quantity("processing", "g", "post-processing", "What is done to the released number before anybody sees "
                      "it.", Choice(("none", "rounding", "clamping", "thresholding")))
PROCESSING_AT = Quantity("processing_at", "t", "its parameter t", "Rounding goes to multiples of t, clamping "
                         "into [0, t], thresholding asks whether the number is at least t.", POSITIVE, "log")
CONFIDENCE = Quantity("confidence", "1 − α", "confidence", "Probability, at least, with which all certificates of an "
                      "audit are true together.", INSIDE_UNIT)
DRAWS = variant(TRIALS, key="draws", label="simulated draws", sentence="Number of outcomes drawn on each of the two "
                "datasets.")
DRAWS_DONE = variant(TRIALS, key="draws_done", label="draws so far", sentence="Number of outcomes drawn so far on each "
                     "of the two datasets.")
DRAWS_NEEDED = Quantity("draws_needed", "draws needed", "draws needed", "Draws on each dataset with which about nine "
                        "audits in ten prove 90 % of the ε that the pair has or, if the claim is false, disprove it.",
                        NONNEGATIVE, "log")
OUTCOME = Quantity("outcome", "x", "outcome x", "A released number after post-processing; yes is 1 and no is 0.", REAL)
CELL_SHARE = Quantity("cell_share", "Pr[cell]", "probability of a cell", "Exact probability that an outcome falls into "
                      "one cell of the picture.", UNIT)
CELL_FOUND = variant(CELL_SHARE, key="cell_found", label="share of the draws", sentence="Share of the certifying draws "
                     "that fell into one cell of the picture.")
CELL_LOW = variant(CELL_SHARE, key="cell_low", label="lower end of the share", sentence="Lower end of the 95 % "
                   "Clopper–Pearson interval of a share.")
CELL_HIGH = variant(CELL_SHARE, key="cell_high", label="upper end of the share", sentence="Upper end of the 95 % "
                    "Clopper–Pearson interval of a share.")
AUDIT_EPSILON = variant(EPSILON, key="audit_epsilon", label="ε of the pair", sentence="ε at the claimed δ: as "
                        "claimed, as the exact law has it for the best event, and as the draws certify at least.",
                        domain=NONNEGATIVE, scale="linear")
RAW_EPSILON = variant(AUDIT_EPSILON, key="raw_epsilon", label="ε before post-processing", sentence="ε of the best "
                      "event of the released number itself, by the exact law.")
AUDIT_DELTA = variant(DELTA, key="audit_delta", label="δ of the pair", sentence="δ at the claimed ε: as claimed, "
                      "as the best event needs it by the exact law, and as the draws certify at least.", scale="linear")
LOOK_EPSILON = variant(AUDIT_EPSILON, key="look_epsilon", label="ε by one checkpoint", sentence="What the draws up to "
                       "one checkpoint certify alone.")
EVENT_PROBABILITY = variant(PROBABILITY, key="event_probability", symbol="Pr[S]", label="probability of the event",
                            sentence="Probability of the chosen event.")
EVENT_LOW = variant(EVENT_PROBABILITY, key="event_low", label="lower end of the interval", sentence="Lower end of the "
                    "Clopper–Pearson interval that the certificate uses.")
EVENT_HIGH = variant(EVENT_PROBABILITY, key="event_high", label="upper end of the interval", sentence="Upper end of "
                     "the Clopper–Pearson interval that the certificate uses.")
FEWER_PROBABILITY = variant(EVENT_PROBABILITY, key="fewer_probability", symbol="Pr[S | n]",
                            label="Pr[event], n records", sentence="Probability of the chosen event on n records.")
MORE_PROBABILITY = variant(EVENT_PROBABILITY, key="more_probability", symbol="Pr[S | n+1]",
                           label="Pr[event], n + 1 records", sentence="Probability of the chosen event on n + 1 "
                           "records.")
EVENT_FROM = variant(OUTCOME, key="event_from", symbol="S from", label="event from", sentence="The chosen event holds "
                     "outcomes from here on.")
EVENT_TO = variant(OUTCOME, key="event_to", symbol="S to", label="event up to", sentence="The chosen event holds "
                   "outcomes below this.")
CAUGHT = Quantity("caught", "caught", "violation shown", "1 where the draws disprove the claim at the stated "
                  "confidence, else 0.", integers(0, 1))
EDGE_EPSILON = variant(AUDIT_EPSILON, key="edge_epsilon", label="ε of an event", sentence="What the event of "
                       "all outcomes up to x, or from x on, shows by the exact law; 0 where it shows nothing.")
EDGE_FOUND = variant(AUDIT_EPSILON, key="edge_found", label="ε of an event, by draws", sentence="What the certifying "
                     "draws would certify for this event, had it been chosen; only the chosen one’s is a certificate.")
