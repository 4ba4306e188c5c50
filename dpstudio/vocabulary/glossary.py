"""The words of the field, one for each idea, with what a reader who does not know them needs to know.

Who speaks of a quantity has its sentence; here stand the ideas behind them. `not_said` are other words for the same
idea, which no text of the program uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word for one idea, what it means, and the words that it takes the place of."""

    word: str
    says: str
    """One or two sentences for a reader who has never met it."""
    forms: tuple[str, ...] = ()
    """How else it stands in a text: “neighbours”, where the word is “neighbour”."""
    not_said: tuple[str, ...] = ()
    """Other words for the same idea, which mislead or say nothing."""


GLOSSARY = (
    Term("privacy loss ε", "Without δ, one record makes no answer more than e^ε times as likely. Smaller is more "
         "private.", ("privacy-loss parameter",), ("privacy parameter", "nats")),
    Term("excess probability δ", "How far the probability of an event may exceed e^ε times its value without the "
         "record.", ("excess probability",), ("failure probability",)),
    Term("budget", "The most ε and δ that all releases about the same people may spend.", ("budget ε", "budget δ"),
         ("allowed total",)),
    Term("loss of an answer", "The logarithm of how many times as likely this answer is with the record as without.",
         ("loss of each answer", "loss of “yes”", "loss of “no”")),
    Term("Pr[loss > ε]", "The probability of an answer whose loss is above ε; it may exceed δ.", (),
         ("loss beyond ε",)),
    Term("guarantee", "What holds for every pair of neighbours: (ε, δ), μ or ρ, and for which unit."),
    Term("pure", "With δ = 0; approximate is what spends a δ.", ("approximate",)),
    Term("Gaussian DP μ", "As hard to tell apart as two unit normal curves that are μ apart.", ("Gaussian DP",),
         ("Gaussian privacy parameter",)),
    Term("zCDP ρ", "Rényi losses of every order α are at most ρα.", ("zCDP",)),
    Term("privacy profile", "The smallest δ that holds at each ε′.", ("privacy profile δ(ε′)",)),
    Term("trade-off curve", "The least missed share β of any attack at each false-alarm share α.",
         ("errors of the best attacker",)),
    Term("attacker’s advantage", "The largest 1 − α − β of any attack; 0 is guessing.", ("advantage",),
         ("best advantage",)),
    Term("attacker’s success", "The share of right guesses where both cases are equally likely beforehand."),
    Term("prior", "What an attacker, or whoever learns, holds likely before an answer; a belief is what they hold "
         "likely after it.", ("belief",)),
    Term("even odds", "Both cases were equally likely before the answer."),
    Term("neighbours", "Two datasets that differ by one unit of privacy.", ("neighbour", "neighbouring")),
    Term("unit of privacy", "What one of two neighbours has and the other lacks: a record, a person, an answer."),
    Term("record", "What is counted; a person is whom ε protects, and may have many rows of a table.",
         ("records", "row", "rows")),
    Term("sensitivity", "The most by which one unit changes the answer: Δ₁ sums the changes, Δ₂ is their straight "
         "distance.", ("sensitivity Δ₁", "sensitivity Δ₂")),
    Term("central model", "A curator sees the data and adds noise; in the local model people randomize at home, in the "
         "shuffled model a shuffler hides whose answer is whose.", ("curator", "local model", "shuffler", "shuffled")),
    Term("mechanism", "A rule that turns data into a random answer.", ("mechanisms",)),
    Term("discrete Laplace", "Whole-number noise that falls by e^−ε per step; also called geometric.",
         ("discrete Laplace noise",)),
    Term("analytic Gaussian", "The least σ that keeps (ε, δ) (Balle & Wang 2018); the classical σ is "
         "√(2 ln(1.25/δ)) Δ₂/ε, proved for ε < 1.", ("classical Gaussian", "Gaussian (analytic)",
                                                    "Gaussian (classical)")),
    Term("staircase", "The noise of least mean error of all that is added to any number without a δ.",
         ("staircase noise",)),
    Term("randomized response", "Each person answers at random, by known probabilities."),
    Term("composition", "What several releases spend in all: by sum (basic), by a formula (advanced), or the least "
         "that holds for all such releases (optimal).", ("basic composition", "advanced composition",
                                                         "optimal composition")),
    Term("composition slack", "The part of the total δ that is spent to lower the total ε.", ("slack δ′",)),
    Term("group privacy", "The guarantee of a person with g records."),
    Term("sampling rate", "The probability that a person is in the sample of a release.", ("sampling rate q",),
         ("share of people drawn",)),
    Term("post-processing", "Any change of a released number without the data; it costs no ε."),
    Term("minimum m", "The number asked for; the true count N is how many records qualify.", ("true count N",)),
    Term("threshold", "What a noisy number is compared with; the mechanism chooses it."),
    Term("uncertain band", "The N for which “yes” and “no” both have at least the probability τ.", (),
         ("uncertain width",)),
    Term("false “yes”", "“Yes” below m; a false “no” is “no” from m on.", ("false “no”",),
         ("false acceptance", "false rejection")),
    Term("group selection", "Which groups to show where even their names are secret; also called partition "
         "selection.", ("partition selection",)),
    Term("error (sd)", "The root of the mean squared error; the mean error is the mean distance from the truth.",
         ("mean error",), ("typical error",)),
    Term("points", "Percentage points: hundredths, as a distance between two shares."),
    Term("95 % error", "The distance from the truth that 95 % of the answers keep."),
    Term("bias", "The mean of the estimate less the truth."),
    Term("credible interval", "Where a posterior puts the probability of its level; coverage is how often it contains "
         "the true rate.", ("coverage",)),
    Term("noise-aware", "Models the noise; naive treats the noisy count as the true one, clamped moves it into [0, n] "
         "first.", ("naive", "clamped")),
    Term("utility", "The expected gain per person, on a scale of your own."),
    Term("price of privacy", "The utility that is lost through noise."),
    Term("batch", "A group of new data; a step is one moment at which a count is checked.", ("batches",)),
    Term("sum of batches", "Noise for each batch, added up; a recount has noise on the whole count each time, a tree "
         "on blocks of 1, 2, 4 … batches.", ("recount", "binary tree")),
    Term("false alarm", "A “yes” before m is reached; the delay is the records that come between m and “yes”.",
         ("delay",)),
    Term("audit", "Testing a claim of (ε, δ) by draws; a violation are draws that contradict it at the stated "
         "confidence.", ("violation",)),
    Term("fact", "A number that answers, with its formula and source, and the sign of what it is: exact, bound, "
                 "estimate.",
         ("facts",)),
    Term("exact, bound, estimate", "How far a number can be relied on: itself; never beyond what it says; from draws, "
         "with an interval."),
    Term("frontier", "The best result at each ε; ahead is who has the best among those that keep today’s (ε, δ).",
         ("ahead",)),
    Term("wanted", "A fact that you fix, and DP Studio finds the parameter."),
    Term("snapshot", "A setting kept by name; a pin keeps its curves in the pictures; an example comes with the "
                     "program, and a "
         "case from practice has a story.", ("pin", "example", "case from practice")),
)
"""In the order in which they are explained."""


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Term], ...]:
    return tuple((re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in (term.word, *term.forms)),
                             re.IGNORECASE), term) for term in GLOSSARY)


def terms_in(text: str) -> Iterator[Term]:
    """The terms that stand in a text, in the order in which they are explained."""
    return (term for pattern, term in _forms() if pattern.search(text))


def term_of(word: str) -> Term:
    """The term of a word; raises a KeyError where there is none."""
    return {term.word: term for term in GLOSSARY}[word]
