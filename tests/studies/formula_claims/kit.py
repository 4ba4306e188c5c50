"""What claims of formulas need: where they are kept, random settings, and facts by key."""


from __future__ import annotations

import math
import zlib

import numpy as np
import pytest

from dpstudio.core.study import fact
from dpstudio.studies import all_studies
from formula_claims.reading import Letters

STUDIES = all_studies()
TEXTS = {formula.text: (key, formula) for key, study in reversed(list(STUDIES.items())) for formula in study.formulas()}
NAMES = [formula.name for _, formula in TEXTS.values()]
FORMULAS = {formula.name if NAMES.count(formula.name) == 1 else f"{key}: {formula.name}": formula
            for key, formula in TEXTS.values()}
"""By its name, which says its study too where another study has another formula of that name."""
CLAIMS, TRANSCRIBED, READ = {}, set(), set()
"""What computes a formula, by its name; those that are computed by hand beside their text, and those that were read."""
EXP, LN, SQRT = math.exp, math.log, math.sqrt
DRAWN = {"k": (1, 90), "n": (10, 10_000), "g": (1, 9), "p": (0.01, 0.99), "q": (0.01, 0.99), "s": (0.2, 0.8),
         "π": (0.1, 0.9), "α": (0.0, 1.0), "θ₁": (0.1, 0.9), "θ₂": (0.1, 0.9), "σ": (0.5, 9.0), "b": (0.2, 9.0),
         "Δ₁": (0.5, 4.0), "Δ₂": (0.5, 4.0), "x": (-5.0, 5.0)}
"""From where to where a letter is drawn, whole where its ends are; ε and δ evenly in their logarithms."""


def claim(*formulas):
    """What follows computes these formulas; it is given random numbers.

    One that is read there, by `right` or `left`, is given by its name, one that is computed by hand as it is written.
    """
    def keep(check):
        by_text = {formula.text: name for name, formula in FORMULAS.items()}
        for each in formulas:
            name = by_text.get(each, each)
            assert name not in CLAIMS, name
            CLAIMS[name] = check
            TRANSCRIBED.update([name] if each in by_text else [])
        return check
    return keep


def law(name, letters, found, drawn=None, *, at=0, rel=1e-9):
    """What a formula comes to by its own text is what is found from its letters, which are given in order.

    What is found may be several: then they are its right sides from `at` on. A letter is drawn between two ends, or
    from the draw and what was drawn before it.
    """
    @claim(name)
    def _(d):
        now = {}
        for letter in letters.split():
            now[letter] = d.letter(letter, (drawn or {}).get(letter), now)
        here = found(*now.values())
        for place, one in enumerate(here if isinstance(here, tuple) else (here,), at):
            same(one, right(name, now, place), rel=rel)


def right(name, now, at=0):
    """The right side of a formula with these letters, or what it says that one of its letters is."""
    READ.add(name)
    letters = Letters(FORMULAS[name].text, now)
    return letters[at] if isinstance(at, str) else letters.read(letters.sides[at][1])


def left(name, now):
    """The left side of a formula with these letters."""
    READ.add(name)
    letters = Letters(FORMULAS[name].text, now)
    return letters.read(letters.sides[0][0])


def value(study, key, of=None, **settings):
    return fact(STUDIES[study](**settings), key, of).value


def of(study, key, series=None, names="", **settings):
    """The fact of a study by the values of these parameters."""
    return lambda *values: value(study, key, series, **settings, **dict(zip(names.split(), values, strict=True)))


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

    def letter(self, name, drawn, now):
        """A value of a letter: drawn in its own way, or as everywhere."""
        if callable(drawn):
            return drawn(self, now)
        if drawn is None and name[0] in "εδ":
            return self.epsilon if name[0] == "ε" else self.delta
        low, high = drawn or DRAWN[name]
        return self.whole(low, high) if isinstance(low, int) else self.between(low, high)

    @property
    def epsilon(self):
        return self.log(0.02, 3)

    @property
    def delta(self):
        return self.log(1e-8, 0.05)
