"""What claims of formulas need: where they are kept, random settings, and facts by key."""


from __future__ import annotations

import math
import zlib

import numpy as np
import pytest

from dpstudio.core.study import fact
from dpstudio.studies import all_studies

STUDIES = all_studies()
TEXTS = {formula.text: (key, formula) for key, study in reversed(STUDIES.items()) for formula in study.formulas()}
NAMES = [formula.name for _, formula in TEXTS.values()]
FORMULAS = {formula.name if NAMES.count(formula.name) == 1 else f"{key}: {formula.name}": formula
            for key, formula in TEXTS.values()}
"""By its name, which says its study too where another study has another formula of that name."""
CLAIMS = {}
EXP, LN, SQRT = math.exp, math.log, math.sqrt


def claim(*names):
    """What follows computes the formulas of these names; it is given random numbers."""
    def keep(check):
        for each in names:
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
