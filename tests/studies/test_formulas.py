"""Formulas are typeset and read aloud alike, belong to what their study compares, and are declared once."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata

import pytest

from dpstudio.studies import all_studies

STUDIES = all_studies()
ALL = {(key, formula.name): formula for key, study in STUDIES.items() for formula in study.formulas()}

SIGNS = {
    "alpha": "α", "beta": "β", "delta": "δ", "epsilon": "ε", "theta": "θ", "lambda": "λ", "mu": "μ", "pi": "π",
    "sigma": "σ", "tau": "τ", "Delta": "Δ", "Phi": "Φ", "ell": "ℓ", "sum": "Σ", "in": "∈", "tilde": "∼", "prop": "∝",
    "Lambda": "Λ", "dots.c": "⋯", "plus.minus": "±", "kappa": "κ", "rho": "ρ", "gamma": "γ", "product": "Π",
    "integral": "∫",
    "quad": "", "slash": "/", "<=": "≤", ">=": "≥", "-": "−", "'": "′", "&": "", "\\": "",
}
"""What typst makes of a word, as it is read."""
CALLS = {"cases": ("", ""), "abs": ("|", "|"), "norm": ("‖", "‖"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉"),
         "sqrt": ("√(", ")"), "binom": ("C(", ")"), "hat": ("", ""), "op": ("", "")}
"""What it writes around the arguments of a function."""
NAMES = {"ln", "log", "max", "min", "tanh", "sinh", "cosh", "Pr"}
"""Functions that read as they are typed."""
_PART = re.compile(r'"[^"]*"|<=|>=|plus\.minus|dots\.c|[A-Za-z]{2,}|.', re.DOTALL)


def read(typeset: str) -> str:
    """Mathematics of typst on one line."""
    said, open_, parts = [], [], _PART.findall(typeset)
    for i, part in enumerate(parts):
        after = parts[i + 1:i + 2]
        if part in CALLS:
            assert after == ["("], f"{part} without arguments in {typeset}"
        elif part == "(":
            before = parts[i - 1] if i else ""
            pair = CALLS.get(before) or (("", "") if before == "_" else ("(", ")"))
            open_.append(pair[1])
            said.append(pair[0])
        elif part == ")":
            said.append(open_.pop())
        elif part.startswith('"'):
            said.append(part[1:-1])
        else:
            assert part in SIGNS or part in NAMES or len(part) == 1, f"{part} in {typeset}"
            said.append(SIGNS.get(part, part))
    assert not open_, typeset
    return "".join(said)


def plain(said: str) -> str:
    """Without what differs between print and speech: places, spaces, commas and the words that join."""
    text = re.sub(r"\b(and|over|of|where(?= w))\b", "", said)  # the last joins the lines of what has two
    text = unicodedata.normalize("NFKD", text).replace("\N{FRACTION SLASH}", "/")
    text = re.sub(r"_\(([^()]*)\)", r"\1", text)  # a place below the line needs no brackets in print
    text = re.sub(r"\s|_|,|\^(?=[\d*])", "", text)
    return text.replace("\N{COMBINING CIRCUMFLEX ACCENT}", "")


def test_that_every_study_has_formulas_each_with_a_name_of_its_own():
    assert len(ALL) == sum(len(study.formulas()) for study in STUDIES.values())
    assert all(study.formulas() for study in STUDIES.values())
    assert all(name.strip() and formula.source for (_, name), formula in ALL.items())


@pytest.mark.parametrize("key", STUDIES)
def test_that_what_is_read_aloud_is_what_is_typeset_sign_by_sign(key):
    for formula in STUDIES[key].formulas():
        assert plain(read(formula.typeset)) == plain(formula.spoken), formula.name


def test_that_the_two_forms_are_told_apart_by_any_one_sign():
    assert plain(read("e^(-epsilon x)")) == plain("e^(−ε x)")
    for other in ("e^(ε x)", "e^(−δ x)", "e^(−ε y)", "e^(−ε) x", "1 − e^(−ε x)", "e^(−ε/x)", "e(−ε x)"):
        assert plain(read("e^(-epsilon x)")) != plain(other)


@pytest.mark.parametrize("key", STUDIES)
def test_that_a_formula_of_a_series_belongs_to_one_that_the_study_compares(key):
    kind = STUDIES[key].answers()
    known = {series.key for series in kind.series()} | {of for _, of in kind.index()} | {None}
    assert {formula.of for formula in STUDIES[key].formulas()} <= known
    compared = {series.key for series in kind.series()}
    assert compared - {formula.of for formula in STUDIES[key].formulas()} <= {"prior", "raw", "open"}


def test_that_a_formula_that_studies_share_is_declared_once():
    said = {}
    for (key, name), formula in ALL.items():
        said.setdefault(formula.typeset, {})[key, name] = id(formula.typeset)
    assert all(len(set(places.values())) == 1 for places in said.values()), \
        [list(places) for places in said.values() if len(set(places.values())) > 1]


def test_that_no_formula_is_read_before_it_is_asked_for():
    code = ("import sys; from dpstudio.studies import all_studies; all_studies()\n"
            "print([name for name in sys.modules if name.endswith('formulas') or name == 'typst'])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
