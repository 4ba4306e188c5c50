"""A formula, written once: from its notation follow how typst sets it and how it is read aloud."""

from __future__ import annotations

import re

from dpstudio.core.sources import Source
from dpstudio.records import dataclass

_WORDS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "θ": "theta", "κ": "kappa", "λ": "lambda",
    "μ": "mu", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "Δ": "Delta", "Λ": "Lambda", "Φ": "Phi", "ℓ": "ell",
    "Σ": "sum", "Π": "product", "∫": "integral", "√": "sqrt", "∈": "in", "∼": "tilde", "∝": "prop", "±": "plus.minus",
    "⋯": "dots.c", "≤": "<=", "≥": ">=", "−": "-", "′": "'", "½": "1/2",
}
"""How typst spells a sign."""
_BELOW = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖᵣ", "0123456789+-ijkr", strict=True))
_ROUND: dict[str, tuple[str, str]] = {
    "cases": ("", ""), "abs": ("|", "|"), "norm": ("‖", "‖"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉"),
    "binom": ("C(", ")"), "hat": ("", "\N{COMBINING CIRCUMFLEX ACCENT}"), "op": ("", ""), "": ("(", ")"),
}
"""What is read around the arguments of a function of typst; around a bracket, that."""
_READ = (
    (r" \\ (?:/\* (\w+) \*/|(?=\+)) ?", lambda found: f" {found[1]} " if found[1] else " "),
    (r" \\ ", ", "), (r" quad & ", " "), (r' quad (?="(?:for|at the least)")', " "), (r" quad ", ", "),
    (r" slash ", "/"), (r'"', ""),
)
"""What is read in the place of what parts a formula."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula of a study.

    It is written in the mathematics of typst, with signs in the place of their names: “e^(−ε x) ≤ ½ Δ₁²” is
    “e^(-epsilon x) <= 1/2 Delta_1^2”, and “max over j of” is “max_j”. A comment at the end of a line is the word that
    joins it to the next.
    """

    name: str
    """What it is of, as a heading says it: one name once in a study."""
    text: str
    source: Source
    of: str | None = None
    """The key of the series that it belongs to; None of all, or of the question."""

    @property
    def typeset(self) -> str:
        """It in the language of typst."""
        text = re.sub(r"(max|min|Σ) over (.+?) of\b", lambda found: f"{found[1]}_{_grouped(found[2])}", self.text)
        text = re.sub(f"[{''.join(_BELOW)}]+", lambda found: "_" + _grouped(" ".join(
            re.findall(r"\d+|\D", "".join(_BELOW[sign] for sign in found[0])))), text)
        text = re.sub(r" /\*.*?\*/|(?<!\^)(?=\*)", lambda found: "" if found[0] else "^", text).replace("²", "^2")
        return "".join(_spelled(text, place) for place in range(len(text)))

    @property
    def spoken(self) -> str:
        """The same on one line, for whoever listens to it, and for a page that cannot set it."""
        text = self.text
        for part, said in _READ:
            text = re.sub(part, said, text)
        functions = "|".join(filter(None, _ROUND))
        parts, closing = [], []
        for function, sign in re.findall(rf"(?:\b({functions})(?=\())?([()]|.)", text):
            if sign == "(":
                opening, end = _ROUND[function]
                parts.append(opening)
                closing.append(end)
            else:
                parts.append(closing.pop() if sign == ")" and closing else sign)
        return "".join(parts)


def _grouped(text: str) -> str:
    """What stands below a sign, in brackets if it is more than one."""
    return text if len(text) == 1 or text.isdigit() else f"({text})"


def _spelled(text: str, place: int) -> str:
    """A sign as typst spells it, apart from letters and numbers beside it."""
    word = _WORDS.get(text[place], text[place])
    if not word[0].isalpha() or word == text[place]:
        return word
    before = " " if place and text[place - 1].isalnum() else ""
    return f"{before}{word}{' ' if text[place + 1:place + 2].isascii() and text[place + 1:place + 2].isalnum() else ''}"
