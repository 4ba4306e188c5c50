"""The formulas of the noise study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, CKS20, DMNS06, DR14, DRS22, GRS12, GV14, MIRONOV12, WZ10
from dpstudio.studies.kit.formulas import (
    ADVANTAGE,
    ATTACK,
    BELIEF,
    DISCRETE_GAUSSIAN,
    GAUSSIAN,
    GDP_PROFILE,
    GEOMETRIC,
    LAPLACE,
    LAPLACE_ERROR,
    PROFILE,
)

FORMULAS = (
    LAPLACE,
    Formula("Laplace, standard deviation and mean error", 'op("sd") = √(2) b quad E[abs(X)] = b', DMNS06, "laplace"),
    GEOMETRIC,
    Formula("Discrete Laplace, standard deviation and mean error",
            'op("sd") = 1/(√(2) sinh(ε/(2 Δ₁))) quad E[abs(X)] = 1/sinh(ε/Δ₁)', GRS12, "geometric"),
    GAUSSIAN,
    Formula("Gaussian noise, mean error", "E[abs(X)] = σ √(2/π)", DR14, "gaussian"),
    Formula("Gaussian noise, the classical σ", 'σ = Δ₂/ε √(2 ln(1.25/δ)) quad "for" ε < 1', DR14, "gaussian_classical"),
    Formula("Gaussian noise, the misprinted σ", "σ = (2 Δ₂)/ε ln(1.25/δ)", CHAPTER, "printed"),
    LAPLACE_ERROR,
    Formula("Error that 95 % stay within, Gaussian", "e₉₅ = σ Φ^(−1)(0.975)", DR14, "gaussian"),
    PROFILE,
    Formula("Privacy profile of Laplace noise", 'δ(ε′) = 1 − e^((ε′ − ε) slash 2) quad "for" ε′ ≤ ε', WZ10, "laplace"),
    Formula("Privacy profile of discrete Laplace noise",
            'δ(ε′) = (e^ε − e^(ε′))/(1 + e^ε) quad "for" ε′ ≤ ε, Δ₁ = 1', GRS12, "geometric"),
    GDP_PROFILE,
    Formula("Gaussian noise as μ-GDP", "μ = Δ₂/σ", DRS22, "gaussian"),
    Formula("Best attacker on Laplace noise",
            'T(α) = cases(1 − e^ε α quad & "for" α < ½ e^(−ε), e^(−ε)/(4 α) quad & "for" α ≤ ½, e^(−ε) (1 − α) quad & '
            '"for" α > ½)', DRS22, "laplace"),
    Formula("Best attacker on Gaussian noise", "T(α) = Φ(Φ^(−1)(1 − α) − μ)", DRS22, "gaussian"),
    Formula("Staircase noise",
            "f(x) = (1 − e^(−ε))/(2 Δ₁ (γ + e^(−ε) (1 − γ))) e^(−ε floor(abs(x) slash Δ₁ + 1 − γ)) quad γ = 1/(1 + "
            "e^(ε slash 2))", GV14, "staircase"),
    Formula("Staircase noise, the least mean error", "E[abs(X)] = (Δ₁ e^(ε slash 2))/(e^ε − 1)", GV14, "staircase"),
    Formula("Privacy profile of staircase noise",
            'δ(ε′) = (1 − ½ e^(−ε slash 2)) (1 − e^(ε′ − ε)) quad "for" ε′ ≤ ε', GV14, "staircase"),
    DISCRETE_GAUSSIAN,
    Formula("Privacy profile of discrete Gaussian noise",
            "δ(ε′) = Pr[X > (ε′ σ²)/Δ₂ − Δ₂/2] − e^(ε′) Pr[X > (ε′ σ²)/Δ₂ + Δ₂/2]", CKS20, "discrete_gaussian"),
    ATTACK, ADVANTAGE, BELIEF,
    Formula("Laplace noise on a computer",
            "y = f + s b ln(k slash 2^53) quad s = ±1 quad 0 < k < 2^53", MIRONOV12, "laplace"),
    Formula("What the last bits prove", 'Pr["only with"] ≤ δ quad Pr["only without"] ≤ δ', MIRONOV12, "laplace"),
    Formula("Snapping", "y = Λ floor((f + s b ln(u))/Λ + 1/2) quad b ≤ Λ < 2 b quad abs(y) ≤ B", MIRONOV12, "snapped"),
    Formula("Snapping, its guarantee", "ε = (1 + 2^(−49) B)/b", MIRONOV12, "snapped"),
)
