"""What a formula says is so: each is transcribed beside what is typeset, and computed at random settings."""

from __future__ import annotations

import pytest
from formula_claims import learnt, released, watched
from formula_claims.kit import CLAIMS, STUDIES, Draw

SETTINGS = 6
WRITTEN = (released, learnt, watched)
"""Where each of the claims is kept as it is read."""


def test_that_every_formula_is_computed_here_and_nothing_else():
    said = {formula.typeset for study in STUDIES.values() for formula in study.formulas()}
    assert said - CLAIMS.keys() == set()
    assert CLAIMS.keys() - said == set()


@pytest.mark.parametrize("typeset", CLAIMS)
def test_that_a_formula_says_what_is_computed(typeset):
    draw = Draw(typeset)
    for _ in range(SETTINGS):
        CLAIMS[typeset](draw)
