"""What a formula says is so: each is computed from its own text, at random settings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from formula_claims import learnt, released, summed, tables, tested, watched
from formula_claims.kit import CLAIMS, FORMULAS, READ, TRANSCRIBED, Draw
from formula_claims.reading import Letters

SETTINGS = 6
WRITTEN = (released, learnt, watched, summed, tables, tested)
"""Where each of the claims is kept as it is read."""


def test_that_every_formula_is_computed_here_and_nothing_else():
    assert FORMULAS.keys() - CLAIMS.keys() == set()
    assert CLAIMS.keys() - FORMULAS.keys() == set()


@pytest.mark.parametrize("name", {check: name for name, check in reversed(CLAIMS.items())}.values())
def test_that_a_formula_says_what_is_computed(name):
    draw = Draw(name)
    for _ in range(SETTINGS):
        CLAIMS[name](draw)
    assert {each for each, check in CLAIMS.items() if check is CLAIMS[name]} <= TRANSCRIBED | READ


@pytest.mark.parametrize(("text", "comes_to"), [
    ("y = 1/2 e^(−ε x) − 3", 0.5 * math.exp(-1) - 3), ("y = k ε^2/(2 x²)", 3 * 0.25 / 8),
    ("y = −x √(k + 1) 2^(−1)", -2), ("y = ln 20 − ln(20)", 0), ("y = sinh²(x) − Φ(Φ^(−1)(½))", math.sinh(2) ** 2 - 0.5),
    ("y = f(x) (x + 1) quad a = 7", 30), ("y = a + 1 quad a = x^k", 9), ("y = min(x, k, ½) abs(−k)", 1.5),
    ('y = cases(1 quad & "for" x < k, 2 quad & "for" x ≥ k)', 1),
    ('y = cases(1 quad & "for once", 2 quad & "for all")', 2),
    ("y = Σⱼ binom(k, j) x^j", 27), ('y = Pr[N > 1] ε_"left"', 0.2), ("y ≥ e^ε/(1 + e^ε) slash 2", 0.31122966560092729),
])
def test_that_a_formula_is_computed_as_it_stands(text, comes_to):
    letters = Letters(text, {"ε": 0.5, "x": 2.0, "k": 3, "f": lambda x: 5 * x, "who": "all", "j": np.arange(4),
                             "Pr[N > 1]": 0.4, 'ε_"left"': 0.5})
    assert float(letters.read(letters.sides[0][1])) == pytest.approx(comes_to)
