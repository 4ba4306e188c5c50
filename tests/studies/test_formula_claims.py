"""What a formula says is so: each is transcribed, and computed at random settings."""

from __future__ import annotations

import pytest
from formula_claims import learnt, released, watched
from formula_claims.kit import CLAIMS, FORMULAS, Draw

SETTINGS = 6
WRITTEN = (released, learnt, watched)
"""Where each of the claims is kept as it is read."""


def test_that_every_formula_is_computed_here_and_nothing_else():
    assert FORMULAS.keys() - CLAIMS.keys() == set()
    assert CLAIMS.keys() - FORMULAS.keys() == set()


@pytest.mark.parametrize("name", CLAIMS)
def test_that_a_formula_says_what_is_computed(name):
    draw = Draw(name)
    for _ in range(SETTINGS):
        CLAIMS[name](draw)
