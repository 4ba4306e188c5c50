"""Draws: how many, from which seed, and what they came to."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

TRIALS = Quantity("trials", "T", "simulated decisions", "Number of simulated decisions.", integers(1, 10**12), "log")
SEED = Quantity("seed", "seed", "random seed", "Start of the random numbers: the same seed gives the same numbers "
                "everywhere.", integers(0, 2**63 - 1))
SWEPT = Quantity("swept", "values", "number of values", "How many values a sweep takes of a parameter.",
                 integers(2, 10_000), "log")
FRACTION = Quantity("accepted_fraction", "“yes”", "simulated share of “yes”", "Share of the simulated decisions "
                    "that said “yes”.", UNIT)
FRACTION_LOW = variant(FRACTION, key="accepted_low", label="lower end of the interval", sentence="Lower end of the "
                       "95 % Clopper–Pearson interval.")
FRACTION_HIGH = variant(FRACTION, key="accepted_high", label="upper end of the interval", sentence="Upper end of the "
                        "95 % Clopper–Pearson interval.")
DONE = variant(TRIALS, key="trials_done", label="decisions drawn", sentence="Number of decisions drawn so far.")
