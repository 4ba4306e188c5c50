"""Tests of the share of a population by a private count: how likely they notice what, and how many people they need.

`shares` has the tests, `released` what follows from one noisy count, `naive` what becomes of tests that do not know of
the noise, `people` how many are needed. Begin at `shares`.
"""

from dpstudio.models.testing.shares import GaussianShareTest, OfShare, PlainTest, ShareTest

__all__ = ["GaussianShareTest", "OfShare", "PlainTest", "ShareTest"]
