"""Formulas that several studies use."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import BBG18, BW18, CKS20, DMNS06, DR14, DRS22, GRS12, KOV16, WZ10

PRIVATE = Formula("Differential privacy", 'Pr[M(x) ∈ S] ≤ e^ε Pr[M(y) ∈ S] + δ quad "for" norm(x − y)₁ ≤ 1', DR14)
PROFILE = Formula("Privacy profile", "δ(ε′) = max over x ∼ y of Σᵣ max(0, Pr[M(x) = r] − e^(ε′) Pr[M(y) = r])", DR14)
GDP_PROFILE = Formula("Privacy profile of Gaussian noise",
    "δ(ε′) = Φ(μ/2 − ε′/μ) − e^(ε′) Φ(−μ/2 − ε′/μ)", BW18, "gaussian")
ATTACK = Formula("Least errors of any attacker", "β ≥ max(0, 1 − δ − e^ε α, e^(−ε) (1 − δ − α))", WZ10)
ADVANTAGE = Formula("Attacker’s advantage", "max over α of (1 − α − T(α)) = δ(0)", WZ10)
BELIEF = Formula("Belief after an answer",
    'p′ = (p e^ℓ)/(1 − p + p e^ℓ) quad "for" ℓ = ln(Pr[r | "yes"]/Pr[r | "no"])', DR14)
LAPLACE = Formula("Laplace noise", "p(x) = 1/(2b) e^(−abs(x) slash b) quad b = Δ₁/ε", DMNS06, "laplace")
GEOMETRIC = Formula("Discrete Laplace noise",
    'Pr[X = x] = (1 − a)/(1 + a) a^abs(x) quad a = e^(−ε slash Δ₁) quad "for whole" x', GRS12, "geometric")
LAPLACE_ERROR = Formula("Error that 95 % stay within, Laplace", "e₉₅ = b ln 20", DMNS06, "laplace")
GAUSSIAN = Formula("Gaussian noise, the least σ",
    "Φ(Δ₂/(2σ) − (εσ)/Δ₂) − e^ε Φ(−Δ₂/(2σ) − (εσ)/Δ₂) = δ", BW18, "gaussian")
SYMMETRIC = Formula("Randomized response",
    'Pr["yes" | "yes"] = e^ε/(1 + e^ε) quad Pr["yes" | "no"] = 1/(1 + e^ε)', KOV16, "response")
COMPOSED_GAUSSIAN = Formula("Gaussian releases together", "μ = (√(k) Δ₂)/σ", DRS22, "gaussian")
SAMPLED = Formula("A release on a sample", "ε_q = ln(1 + q (e^ε − 1)) quad δ_q = q δ", BBG18)
DISCRETE_GAUSSIAN = Formula("Discrete Gaussian noise",
    "Pr[X = x] = e^(−x² slash (2 σ²))/(Σ_k e^(−k² slash (2 σ²)))", CKS20, "discrete_gaussian")
