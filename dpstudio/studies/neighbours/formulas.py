"""The formulas of the neighbours study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, DMNS06, DR14, GRS12
from dpstudio.studies.kit.formulas import GEOMETRIC, LAPLACE, PRIVATE

FORMULAS = (
    Formula("Distance", "norm(x - y)_1 = sum_i abs(x_i - y_i)", "‖x − y‖₁ = Σᵢ |xᵢ − yᵢ|", CHAPTER),
    PRIVATE,
    Formula("Sensitivity", "Delta_1 = max_(x tilde y) norm(q(x) - q(y))_1", "Δ₁ = max over x ∼ y of ‖q(x) − q(y)‖₁",
            DMNS06),
    LAPLACE, GEOMETRIC,
    Formula("Error of all d counts, Laplace", "sum_i E[abs(e_i)] = d b", "Σᵢ E[|eᵢ|] = d b", DMNS06, "laplace"),
    Formula("Error of all d counts, geometric",
            "sum_i E[abs(e_i)] = d/sinh(epsilon/Delta_1)", "Σᵢ E[|eᵢ|] = d/sinh(ε/Δ₁)", GRS12, "geometric"),
    Formula("Error of one count raised to 0, Laplace",
            "E[abs(e)] = b - b/2 e^(-x slash b) quad E[e] = b/2 e^(-x slash b)",
            "E[|e|] = b − b/2 e^(−x/b), E[e] = b/2 e^(−x/b)", DMNS06, "laplace"),
    Formula("Privacy loss of a release r",
            "ell = epsilon/Delta_1 sum_i (abs(r_i - y_i) - abs(r_i - x_i))",
            "ℓ = ε/Δ₁ Σᵢ (|rᵢ − yᵢ| − |rᵢ − xᵢ|)", DR14),
    Formula("Naming the right one of n people, at most",
            'Pr["right"] <= min(e^epsilon/n, 1 - e^(-epsilon) (1 - 1/n))',
            "Pr[right] ≤ min(e^ε/n, 1 − e^(−ε) (1 − 1/n))", DR14),
    Formula("Saying whether somebody is there, at most",
            'Pr["right"] <= e^epsilon/(1 + e^epsilon)', "Pr[right] ≤ e^ε/(1 + e^ε)", DR14),
)
