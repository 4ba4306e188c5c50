"""What a formula comes to: its notation is computed as it stands, from the values of its letters."""

from __future__ import annotations

import math
import re
from functools import reduce
from operator import ge, gt, le, lt

import numpy as np
from scipy.special import comb, ndtr, ndtri

TOKEN = re.compile(r'\d+(?:\.\d+)?|log₂|op\("\w+"\)(?:_"\w+")?|"[^"]*"|(?:Pr|E)\[[^][]*\]|'
                   r'[a-z]{2,}|\w(?:[₀-₉₊₋ᵢⱼ]+|_"\w+"|_\w)?[′*]?|\S')
"""A number, a name, a probability or a mean of anything, a letter with what stands below it, or a sign."""
FUNCTIONS = {"ln": np.log, "√": np.sqrt, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp,
             "arctan": np.arctan, "sech": lambda x: 1 / np.cosh(x), "Φ": ndtr, "abs": abs,
             "min": lambda *several: reduce(np.minimum, several), "max": lambda *several: reduce(np.maximum, several),
             "floor": np.floor, "ceil": np.ceil, "log₂": np.log2, "binom": comb, "Σⱼ": np.sum, "Σᵢ": np.sum}
HOLDS = {"≤": le, "≥": ge, "<": lt, ">": gt, "=": lambda one, other: one == other}


class Reader:
    """Reads an expression from left to right; what stands side by side is multiplied, and Σ adds up an array."""

    def __init__(self, text, letters):
        self.tokens = TOKEN.findall(text.replace(" slash ", "/").replace("½", "(1/2)"))
        self.letters = letters

    @property
    def ahead(self):
        return self.tokens[0] if self.tokens else ""

    def take(self, *expected):
        """The next token if it is one of these; None otherwise, and it stays."""
        return self.tokens.pop(0) if self.ahead in expected else None

    def sum(self):
        found = -self.product() if self.take("−") else self.product()
        while sign := self.take("+", "−"):
            found = found + self.product() if sign == "+" else found - self.product()
        return found

    def product(self):
        found = self.power()
        while self.ahead not in ("", "+", "−", ")", "]", ",", "quad", *HOLDS):
            found = found / self.power() if self.take("/") else found * self.power()
        return found

    def power(self):
        found = self.atom()
        while sign := self.take("^", "²"):
            found = found ** (2 if sign == "²" else self.atom())
        return found

    def atom(self):
        token = self.tokens.pop(0)
        if token == "(":
            return self.arguments()[0]
        if token == "cases":
            return self.case()
        if token in FUNCTIONS:
            return self.called(token)
        if token[0].isdigit():
            return float(token)
        value = self.letters[token]
        return value(*self.arguments()) if callable(value) and self.take("(") else value

    def arguments(self):
        """All up to the bracket that closes."""
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        assert self.take(")"), self.tokens
        return found

    def called(self, name):
        """A function of what stands in brackets, or of the one thing behind it; its square or inverse by its power."""
        function, squared = FUNCTIONS[name], self.take("²")
        if self.take("^"):
            assert (name, self.atom()) == ("Φ", -1)
            function = ndtri
        if name[0] == "Σ":  # of all that it is a factor of, by letters that are arrays
            return function(self.product())
        found = function(*self.arguments()) if self.take("(") else function(self.power())
        return found**2 if squared else found

    def case(self):
        """The first whose condition holds; a condition in words holds for the `who` that it names."""
        found, more = [], self.take("(")
        while more:
            value = self.sum()
            assert [self.take("quad"), self.take("&")] == ["quad", "&"]
            words = self.tokens.pop(0)
            found.append((self.holds() if words == '"for"' else self.letters["who"] in words, value))
            more = self.take(",")
        assert self.take(")")
        return reduce(lambda others, one: np.where(*one, others), reversed(found), np.nan)

    def holds(self):
        one = self.sum()
        return HOLDS[self.tokens.pop(0)](one, self.sum())


class Letters(dict):
    """Values by letter: those that are given, and those that the formula itself says."""

    def __init__(self, text, given):
        super().__init__({"e": math.e, **given})
        self.sides = [sides for part in re.split(r" quad (?!&)| \\ (?:/\*.*?\*/ )?", text) if (sides := split(part))]
        """Of each of its equations and bounds, the left side and the right."""

    def __missing__(self, letter):
        if letter not in (said := dict(self.sides)):
            raise KeyError(letter)
        self[letter] = found = self.read(said[letter])
        return found

    def read(self, text):
        with np.errstate(all="ignore"):
            return Reader(text, self).sum()


def split(part):
    """“ε ≥ 1/n”: what stands on either side of the first sign of relation that is in no bracket; None without one."""
    depth, text = 0, part.removeprefix('"for" ')
    for at, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if sign in HOLDS and not depth:
            return text[:at].strip(), text[at + 1:].strip()
    return None


