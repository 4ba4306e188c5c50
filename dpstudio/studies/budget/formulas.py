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
    Formula("Basic", "ε_k = k ε quad δ_k = k δ", DR14, "basic"),
    Formula("Advanced", "ε_k = ε √(2 k ln(1/δ′)) + k ε (e^ε − 1) quad δ_k = k δ + δ′", DRV10, "advanced"),
    Formula("Optimal, closed form",
            "ε_k = k ε tanh(ε/2) + ε √(2 k ln min(1/δ′, e + (√(k) ε)/δ′)) \\ δ_k = 1 − (1 − δ)^k (1 − δ′)",
            KOV15, "simple"),
    Formula("Optimal",
            "δ′(ε′) = Σⱼ binom(k, j) p^(k − j) q^j max(0, 1 − e^(ε′ − (k − 2 j) ε)) \\ p = e^ε/(1 + e^ε) quad q = 1 − "
            "p quad δ_k = 1 − (1 − δ)^k (1 − δ′(ε′))", KOV15, "optimal"),
    Formula("zCDP", "ρ = k ε^2/2 quad ε_k = min_(α > 1) (α ρ + ln(1 − 1/α) − (ln δ′ + ln α)/(α − 1))", CKS20, "zcdp"),
    Formula("Rényi (RDP)",
            "ρ_α = k/(α − 1) ln (cosh((α − 1/2) ε)/cosh(ε/2)) \\ ε_k = min_(α > 1) (ρ_α + ln(1 − 1/α) − (ln δ′ + ln "
            "α)/(α − 1))", MIRONOV17, "renyi"),
    GAUSSIAN, COMPOSED_GAUSSIAN, GDP_PROFILE,
    Formula("Gaussian noise by zCDP", "ρ = k/(2 σ^2)", CKS20, "gaussian_zcdp"),
    SAMPLED,
    Formula("What is left", 'ε_"left" = ε_"budget" − ε_k', DR14),
    Formula("A group of g records",
            'ε_g = g ε quad δ_g = δ (e^(g ε) − 1)/(e^ε − 1) quad "for" δ_g ≤ (1 − δ)/(1 + e^ε)', DVGM22, "generalized"),
    Formula("A group of g records, as it is printed in a text", "δ_g = g e^(g ε) δ", CHAPTER, "printed"),
    Formula("A group of g records, as it is printed in a formula, which is false",
            "δ_g = g δ", CHAPTER, "group_formula"),
    PROFILE, ATTACK, ADVANTAGE, BELIEF,
    Formula("Error that 95 % of the counts stay within", "e₉₅ = (ln 20)/ε", DMNS06),
)
