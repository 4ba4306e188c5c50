"""What claims of formulas need: where they are kept, random settings, and facts by key."""


from __future__ import annotations

import math
import zlib

import numpy as np
import pytest

from dpstudio.core.study import fact
from dpstudio.studies import all_studies

STUDIES = all_studies()
CLAIMS = {}
EXP, LN, SQRT = math.exp, math.log, math.sqrt


def claim(*typeset):
    """What follows computes this; it is given random numbers."""
    def keep(check):
        for each in typeset:
            assert each not in CLAIMS, each
            CLAIMS[each] = check
        return check
    return keep


def value(study, key, of=None, **settings):
    return fact(STUDIES[study](**settings), key, of).value


def same(found, said, rel=1e-9):
    assert found == pytest.approx(said, rel=rel, abs=1e-13)


class Draw:
    """Random settings, from a seed that is the formula's own."""

    def __init__(self, name):
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))

    def between(self, low, high):
        return float(self.rng.uniform(low, high))

    def log(self, low, high):
        return float(np.exp(self.rng.uniform(LN(low), LN(high))))

    def whole(self, low, high):
        return int(self.rng.integers(low, high + 1))

    @property
    def epsilon(self):
        return self.log(0.02, 3)

    @property
    def delta(self):
        return self.log(1e-8, 0.05)
