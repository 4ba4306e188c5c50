"""Formulas are typeset and read aloud alike, belong to what their study compares, and are declared once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dpstudio.core.formula import Formula
from dpstudio.core.sources import DR14
from dpstudio.studies import all_studies

STUDIES = all_studies()
ALL = {(key, formula.name): formula for key, study in STUDIES.items() for formula in study.formulas()}

def test_that_every_study_has_formulas_each_with_a_name_of_its_own():
    assert len(ALL) == sum(len(study.formulas()) for study in STUDIES.values())
    assert all(study.formulas() for study in STUDIES.values())
    assert all(name.strip() and formula.source for (_, name), formula in ALL.items())


@pytest.mark.parametrize(("text", "typeset", "spoken"), [
    ("e^(−ε x) ≤ ½ Δ₁²", "e^(-epsilon x) <= 1/2 Delta_1^2", "e^(−ε x) ≤ ½ Δ₁²"),
    ("1/(2b) − εσ x^2", "1/(2b) - epsilon sigma x^2", "1/(2b) − εσ x^2"),
    ("e₉₅ = Σᵢ wᵢ π₀ᵢ", "e_95 = sum_i w_i pi_(0 i)", "e₉₅ = Σᵢ wᵢ π₀ᵢ"),
    ("p₋ − q₊ ∼ U*, t^*", "p_- - q_+ tilde U^*, t^*", "p₋ − q₊ ∼ U*, t^*"),
    ("max over j of (1 − j) Σ over r > b of P_r", "max_j (1 - j) sum_(r > b) P_r",
     "max over j of (1 − j) Σ over r > b of P_r"),
    ("min_(α > 1) √(e^(1 slash α))", "min_(alpha > 1) sqrt(e^(1 slash alpha))", "min_(α > 1) √(e^(1/α))"),
    ('op("sd")_"group" = abs(x) quad hat(p)', 'op("sd")_"group" = abs(x) quad hat(p)', "sd_group = |x|, p̂"),
    ('cases(1 quad & "for" x < 0, floor(ceil(x)/2) quad & "for once") quad "for" y',
     'cases(1 quad & "for" x < 0, floor(ceil(x)/2) quad & "for once") quad "for" y',
     "1 for x < 0, ⌊⌈x⌉/2⌋ for once for y"),
    ("norm(x)₁ \\ binom(k, j) \\ + 1 \\ /* where */ k′ = 1", "norm(x)_1 \\ binom(k, j) \\ + 1 \\ k' = 1",
     "‖x‖₁, C(k, j) + 1 where k′ = 1"),
])
def test_that_a_formula_is_spelled_for_typst_and_read_aloud(text, typeset, spoken):
    formula = Formula("Some", text, DR14)
    assert (formula.typeset, formula.spoken) == (typeset, spoken)


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
        said.setdefault(formula.text, {})[key, name] = id(formula.text)
    assert all(len(set(places.values())) == 1 for places in said.values()), \
        [list(places) for places in said.values() if len(set(places.values())) > 1]


def test_that_no_formula_is_read_before_it_is_asked_for():
    code = ("import sys; from dpstudio.studies import all_studies; all_studies()\n"
            "print([name for name in sys.modules if name.endswith('formulas') or name == 'typst'])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
