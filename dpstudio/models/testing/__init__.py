"""Tests of the share of a population by a private count: how likely they notice what, and how many people they need.

`shares` has the tests, `released` what follows from one noisy count, `naive` what becomes of tests that do not know of
the noise, `people` how many are needed. Begin at `shares`.
"""

from dpstudio.models.testing.naive import NaiveTest
from dpstudio.models.testing.people import (
    powers,
    powers_gaussian,
    powers_plain,
    smallest_n,
    smallest_n_gaussian,
    smallest_n_naive,
    smallest_n_plain,
)
from dpstudio.models.testing.released import NoisyShare, interval, p_value
from dpstudio.models.testing.shares import GaussianShareTest, PlainTest, ShareTest

__all__ = ["GaussianShareTest", "NaiveTest", "NoisyShare", "PlainTest", "ShareTest", "interval", "p_value", "powers",
           "powers_gaussian", "powers_plain", "smallest_n", "smallest_n_gaussian", "smallest_n_naive",
           "smallest_n_plain"]
