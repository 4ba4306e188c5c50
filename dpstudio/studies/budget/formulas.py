"""The formulas of the budget study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, CKS20, DMNS06, DR14, DRV10, DVGM22, KOV15, MIRONOV17
from dpstudio.studies.kit.formulas import (
    ADVANTAGE,
    ATTACK,
    BELIEF,
    COMPOSED_GAUSSIAN,
    GAUSSIAN,
    GDP_PROFILE,
    PROFILE,
    SAMPLED,
)

FORMULAS = (
    Formula("Basic", "epsilon_k = k epsilon quad delta_k = k delta", "ε_k = k ε, δ_k = k δ", DR14, "basic"),
    Formula("Advanced",
            "epsilon_k = epsilon sqrt(2 k ln(1/delta')) + k epsilon (e^epsilon - 1) quad delta_k = k delta + delta'",
            "ε_k = ε √(2 k ln(1/δ′)) + k ε (e^ε − 1), δ_k = k δ + δ′", DRV10, "advanced"),
    Formula("Simple optimal",
            "epsilon_k = k epsilon tanh(epsilon/2) + epsilon sqrt(2 k ln min(1/delta', e + (sqrt(k) epsilon)/delta'))"
            " \\ delta_k = 1 - (1 - delta)^k (1 - delta')",
            "ε_k = k ε tanh(ε/2) + ε √(2 k ln min(1/δ′, e + (√(k) ε)/δ′)), δ_k = 1 − (1 − δ)^k (1 − δ′)", KOV15,
            "simple"),
    Formula("Optimal",
            "delta'(epsilon') = sum_j binom(k, j) p^(k - j) q^j max(0, 1 - e^(epsilon' - (k - 2 j) epsilon)) \\ "
            "p = e^epsilon/(1 + e^epsilon) quad q = 1 - p quad delta_k = 1 - (1 - delta)^k (1 - delta'(epsilon'))",
            "δ′(ε′) = Σⱼ C(k, j) p^(k − j) q^j max(0, 1 − e^(ε′ − (k − 2 j) ε)), p = e^ε/(1 + e^ε), q = 1 − p, "
            "δ_k = 1 − (1 − δ)^k (1 − δ′(ε′))", KOV15, "optimal"),
    Formula("zCDP",
            "rho = k epsilon^2/2 quad epsilon_k = min_(alpha > 1) "
            "(alpha rho + ln(1 - 1/alpha) - (ln delta' + ln alpha)/(alpha - 1))",
            "ρ = k ε^2/2, ε_k = min_(α > 1) (α ρ + ln(1 − 1/α) − (ln δ′ + ln α)/(α − 1))", CKS20, "zcdp"),
    Formula("Rényi",
            "rho_alpha = k/(alpha - 1) ln (cosh((alpha - 1/2) epsilon)/cosh(epsilon/2)) \\ epsilon_k = min_(alpha > 1) "
            "(rho_alpha + ln(1 - 1/alpha) - (ln delta' + ln alpha)/(alpha - 1))",
            "ρ_α = k/(α − 1) ln (cosh((α − 1/2) ε)/cosh(ε/2)), ε_k = min_(α > 1) "
            "(ρ_α + ln(1 − 1/α) − (ln δ′ + ln α)/(α − 1))", MIRONOV17, "renyi"),
    GAUSSIAN, COMPOSED_GAUSSIAN, GDP_PROFILE,
    Formula("Gaussian noise by zCDP", "rho = k/(2 sigma^2)", "ρ = k/(2 σ^2)", CKS20, "gaussian_zcdp"),
    SAMPLED,
    Formula("What is left", 'epsilon_"left" = epsilon_"allowed" - epsilon_k', "ε_left = ε_allowed − ε_k", DR14),
    Formula("A group of g records",
            'epsilon_g = g epsilon quad delta_g = delta (e^(g epsilon) - 1)/(e^epsilon - 1) quad '
            '"for" delta_g <= (1 - delta)/(1 + e^epsilon)',
            "ε_g = g ε, δ_g = δ (e^(g ε) − 1)/(e^ε − 1) for δ_g ≤ (1 − δ)/(1 + e^ε)", DVGM22, "generalized"),
    Formula("A group of g records, as it is printed in a text",
            "delta_g = g e^(g epsilon) delta", "δ_g = g e^(g ε) δ", CHAPTER, "printed"),
    Formula("A group of g records, as it is printed in a formula, which is false",
            "delta_g = g delta", "δ_g = g δ", CHAPTER, "group_formula"),
    PROFILE, ATTACK, ADVANTAGE, BELIEF,
    Formula("Error that 95 % of the counts stay within", "e_95 = (ln 20)/epsilon", "e₉₅ = (ln 20)/ε", DMNS06),
)
