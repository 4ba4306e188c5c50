"""The formulas of the neighbours study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, DMNS06, DR14, GRS12
from dpstudio.studies.kit.formulas import GEOMETRIC, LAPLACE, PRIVATE

FORMULAS = (
    Formula("Distance", "norm(x − y)₁ = Σᵢ abs(xᵢ − yᵢ)", CHAPTER),
    PRIVATE,
    Formula("Sensitivity", "Δ₁ = max over x ∼ y of norm(q(x) − q(y))₁", DMNS06),
    LAPLACE, GEOMETRIC,
    Formula("Error of all d counts, Laplace", "Σᵢ E[abs(eᵢ)] = d b", DMNS06, "laplace"),
    Formula("Error of all d counts, discrete Laplace", "Σᵢ E[abs(eᵢ)] = d/sinh(ε/Δ₁)", GRS12, "geometric"),
    Formula("Error of one count raised to 0, Laplace",
            "E[abs(e)] = b − b/2 e^(−x slash b) quad E[e] = b/2 e^(−x slash b)", DMNS06, "laplace"),
    Formula("Loss of a release r", "ℓ = ε/Δ₁ Σᵢ (abs(rᵢ − yᵢ) − abs(rᵢ − xᵢ))", DR14),
    Formula("Naming the right one of n people, at most", 'Pr["right"] ≤ min(e^ε/n, 1 − e^(−ε) (1 − 1/n))', DR14),
    Formula("Saying whether somebody is there, at most", 'Pr["right"] ≤ e^ε/(1 + e^ε)', DR14),
)
