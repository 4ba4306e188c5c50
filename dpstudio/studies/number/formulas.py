"""The formulas of the number study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import AKMV19, BW18, DMNS06, MT07, SMITH11
from dpstudio.studies.kit.formulas import ADVANTAGE, ATTACK, GAUSSIAN, GDP_PROFILE, LAPLACE, PRIVATE, PROFILE

FORMULAS = (
    Formula("What clipping moves a sum by", "B = Σᵢ (max(0, L − xᵢ) − max(0, xᵢ − U))", AKMV19),
    Formula("What one person moves a sum by", "Δ₁ = c max(abs(L), abs(U))", DMNS06),
    LAPLACE,
    Formula("Error of a clipped sum, Laplace", "r = √(B² + 2 (Δ₁/ε)²)", DMNS06, "laplace"),
    Formula("Error of a clipped sum at a level, Laplace",
            'Pr[abs(B + X) > t] = e^(−t slash b) cosh(B slash b) quad "for" t ≥ abs(B)', DMNS06, "laplace"),
    GAUSSIAN,
    Formula("Error of a clipped sum, Gaussian", "r = √(B² + σ²)", BW18, "gaussian"),
    Formula("A quantile drawn from pieces",
            "Pr[i] = (wᵢ e^(−ε dᵢ slash (2 Δ₁)))/(Σⱼ wⱼ e^(−ε dⱼ slash (2 Δ₁)))", SMITH11, "exponential"),
    Formula("How far a piece is from the quantile", "dᵢ = abs(i − q n) quad Δ₁ = max(q, 1 − q)", MT07, "exponential"),
    Formula("A bound chosen privately, its parts", "ε₁ = t ε quad ε₂ = (1 − t) ε quad k = c/ε₂", AKMV19, "bounded"),
    PRIVATE, PROFILE, GDP_PROFILE, ATTACK, ADVANTAGE,
)
