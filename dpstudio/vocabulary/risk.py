"""Whom one fears: what an attacker tries and knows, and what a release adds to it."""

from __future__ import annotations

from dpstudio.vocabulary.privacy import TYPE_I
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.written import Pairs

ATTACKERS = ("nobody", "membership", "name", "attribute", "reconstruction")
ATTACKER = Quantity("attacker", "attacker", "attacker feared", "What somebody tries to find out from what is released.",
                    Choice(ATTACKERS,
                           ("nobody", "Is this person in the data?", "Which of M people is it?",
                            "Is it true of this person?", "What are the data?")))
PRESENCE_PRIOR = Quantity("presence_prior", "π*", "prior of presence π*", "How likely an attacker holds it beforehand "
                          "that this person is in the data.", INSIDE_UNIT)
CANDIDATES = Quantity("candidates", "M", "candidates M", "Of how many people, all equally likely beforehand, an "
                      "attacker looks for one.", integers(2, EXACT_INTEGERS), "log", "people")
ATTRIBUTE_PRIOR = Quantity("attribute_prior", "p*", "prior of attribute p*", "How likely an attacker holds it "
                           "beforehand that it is true of this person.", INSIDE_UNIT)
GUESSED_BEFORE = Quantity("guessed_before", "b*", "guessed without it b*", "Probability with which an attacker "
                          "guesses the data without the release.", INSIDE_UNIT, "log")
FALSE_ALARMS = variant(TYPE_I, key="false_alarms", symbol="α*", label="false accusations α*", sentence="Share of "
                       "people who are accused though it is not true of them, that an attacker can afford.",
                       domain=INSIDE_UNIT, scale="log")
RELEASES_FEARED = Quantity("releases_feared", "k*", "such releases k*", "How many releases like this one are made of "
                           "the same people.", integers(1, 10**6), "log", "releases")
RECORDS_OF_ONE = Quantity("records_of_one", "c*", "records per person c*", "How many records one person has, all of "
                          "which count.", integers(1, 10**6), "log", "records")
PROFILE_CAPS = Quantity("profile_caps", "caps", "caps on belief", "How likely an attacker may hold it after any "
                        "answer, for each of several priors: 0.01:0.05 lets who held it 1 % likely hold it at most "
                        "5 % likely.",
                        Pairs(9))
EXCEPTION = Quantity("exception", "η", "exception η", "Probability with which an answer may lead beyond a cap, where "
                     "it is true.", reals(0, 0.5), "log")

RISK_BEFORE = Quantity("risk_before", "s₀", "right guesses without it", "Probability with which the attacker that is "
                       "feared is right without the release, by the best guess.", UNIT)
RISK_SUCCESS = Quantity("risk_success", "s", "right guesses", "Probability with which the attacker that is feared is "
                        "right with the release, at most.", UNIT, safe="up")
RISK_FOUND = Quantity("risk_found", "1 − β", "rightly accused", "Share of those of whom it is true that an attacker "
                      "finds who accuses a share α* of the others falsely, at most.", UNIT, "log", safe="up",
                      at="false_alarms")
RISK_BELIEF = Quantity("risk_belief", "p max", "surest belief after", "The most that any answer makes of what the "
                       "attacker that is feared held likely.", UNIT, safe="up")
RISK_USUAL = Quantity("risk_usual", "p₉₅", "belief after 95 % of answers", "What no more than 5 % of answers carry the "
                      "belief of the attacker that is feared beyond, where it is true.", UNIT, safe="up")
RISK_ADVANTAGE = Quantity("risk_advantage", "δ(0)", "advantage of any test", "Largest difference between the shares "
                          "found and falsely accused, by any test.", UNIT, safe="up")
RISK_AFTER = variant(RISK_SUCCESS, key="risk_after", symbol="s of k*", label="right guesses, k* releases",
                     sentence="Probability with which the attacker that is feared is right after k such releases of "
                     "the same people, at most.", at="releases_feared")
RISK_OF_RECORDS = variant(RISK_SUCCESS, key="risk_of_records", symbol="s of c*", label="right guesses, c* records",
                          sentence="Probability with which the attacker that is feared is right about a person with c "
                          "records, at most.", at="records_of_one")
RISK_FOUND_GUESSING = variant(RISK_FOUND, key="found_guessing", symbol="α", label="found by guessing",
                              sentence="Share found by a test that does not look at the release: the share that it "
                              "accuses falsely.", at="")
RISK_PRIOR = Quantity("risk_prior", "p", "belief before", "How likely an attacker holds beforehand what is true.", UNIT)
RISK_PRIOR_KEPT = variant(RISK_PRIOR, key="belief_kept", symbol="p′", label="belief unchanged",
                          sentence="Belief after a release that says nothing: that before.")
GUESSES = Quantity("guesses", "n", "guesses", "How many guesses of the attacker that is feared are counted.",
                   integers(1), unit="guesses")
GUESSED_WITHOUT = Quantity("guessed_without", "n₀", "guesses right without", "Of so many guesses those that are right "
                           "without the release, rounded down.", integers(0), unit="guesses", safe="down")
GUESSED_WITH = Quantity("guessed_with", "n₁", "guesses right with it", "Of so many guesses those that are right with "
                        "the release, at most, rounded up.", integers(0), unit="guesses", safe="up")
PROFILE_ROOM = Quantity("profile_room", "Δℓ", "room under the caps", "By how much the loss of an answer stays below "
                        "the least that a cap on belief allows; below 0 a cap is broken.", REAL, safe="down")
PROFILE_EPSILON = Quantity("profile_epsilon", "ε*", "ε that keeps the caps", "The greatest ε at which the guarantee "
                           "alone keeps all caps on belief.", NONNEGATIVE, safe="down")
