"""Formulas that several studies use."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import BBG18, BW18, DMNS06, DR14, DRS22, GRS12, KOV16, WZ10

PRIVATE = Formula(
    "Differential privacy",
    'Pr[M(x) in S] <= e^epsilon Pr[M(y) in S] + delta quad "for" norm(x - y)_1 <= 1',
    "Pr[M(x) ∈ S] ≤ e^ε Pr[M(y) ∈ S] + δ for ‖x − y‖₁ ≤ 1", DR14)
PROFILE = Formula(
    "Privacy profile",
    "delta(epsilon') = max_(x tilde y) sum_r max(0, Pr[M(x) = r] - e^(epsilon') Pr[M(y) = r])",
    "δ(ε′) = max over x ∼ y of Σᵣ max(0, Pr[M(x) = r] − e^(ε′) Pr[M(y) = r])", DR14)
GDP_PROFILE = Formula(
    "Privacy profile of Gaussian noise",
    "delta(epsilon') = Phi(mu/2 - epsilon'/mu) - e^(epsilon') Phi(-mu/2 - epsilon'/mu)",
    "δ(ε′) = Φ(μ/2 − ε′/μ) − e^(ε′) Φ(−μ/2 − ε′/μ)", BW18, "gaussian")
ATTACK = Formula(
    "Least errors of any attacker",
    "beta >= max(0, 1 - delta - e^epsilon alpha, e^(-epsilon) (1 - delta - alpha))",
    "β ≥ max(0, 1 − δ − e^ε α, e^(−ε) (1 − δ − α))", WZ10)
ADVANTAGE = Formula(
    "Attacker’s advantage", "max_alpha (1 - alpha - T(alpha)) = delta(0)", "max over α of (1 − α − T(α)) = δ(0)", WZ10)
BELIEF = Formula(
    "Belief after an answer",
    'p\' = (p e^ell)/(1 - p + p e^ell) quad "for" ell = ln(Pr[r | "yes"]/Pr[r | "no"])',
    "p′ = (p e^ℓ)/(1 − p + p e^ℓ) for ℓ = ln(Pr[r | yes]/Pr[r | no])", DR14)
LAPLACE = Formula(
    "Laplace noise",
    "p(x) = 1/(2 b) e^(-abs(x) slash b) quad b = Delta_1/epsilon",
    "p(x) = 1/(2b) e^(−|x|/b), b = Δ₁/ε", DMNS06, "laplace")
GEOMETRIC = Formula(
    "Geometric noise",
    'Pr[X = x] = (1 - a)/(1 + a) a^abs(x) quad a = e^(-epsilon slash Delta_1) quad "for whole" x',
    "Pr[X = x] = (1 − a)/(1 + a) a^|x|, a = e^(−ε/Δ₁), for whole x", GRS12, "geometric")
LAPLACE_ERROR = Formula(
    "Error that 95 % stay within, Laplace", "e_95 = b ln 20", "e₉₅ = b ln 20", DMNS06, "laplace")
GAUSSIAN = Formula(
    "Gaussian noise, the least σ",
    "Phi(Delta_2/(2 sigma) - (epsilon sigma)/Delta_2) - e^epsilon Phi(-Delta_2/(2 sigma) - (epsilon sigma)/Delta_2)"
    " = delta",
    "Φ(Δ₂/(2σ) − (εσ)/Δ₂) − e^ε Φ(−Δ₂/(2σ) − (εσ)/Δ₂) = δ", BW18, "gaussian")
SYMMETRIC = Formula(
    "Randomized response",
    'Pr["yes" | "yes"] = e^epsilon/(1 + e^epsilon) quad Pr["yes" | "no"] = 1/(1 + e^epsilon)',
    "Pr[yes | yes] = e^ε/(1 + e^ε), Pr[yes | no] = 1/(1 + e^ε)", KOV16, "response")
COMPOSED_GAUSSIAN = Formula(
    "Gaussian releases together", "mu = (sqrt(k) Delta_2)/sigma", "μ = (√(k) Δ₂)/σ", DRS22, "gaussian")
SAMPLED = Formula(
    "A release on a sample", "epsilon_q = ln(1 + q (e^epsilon - 1)) quad delta_q = q delta",
    "ε_q = ln(1 + q (e^ε − 1)), δ_q = q δ", BBG18)
