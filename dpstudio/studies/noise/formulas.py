"""The formulas of the noise study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, CKS20, DMNS06, DR14, DRS22, GRS12, GV14, MIRONOV12, WZ10
from dpstudio.studies.kit.formulas import (
    ADVANTAGE,
    ATTACK,
    BELIEF,
    GAUSSIAN,
    GDP_PROFILE,
    GEOMETRIC,
    LAPLACE,
    LAPLACE_ERROR,
    PROFILE,
)

FORMULAS = (
    LAPLACE,
    Formula("Laplace, standard deviation and mean error",
            'op("sd") = sqrt(2) b quad E[abs(X)] = b', "sd = √(2) b, E[|X|] = b", DMNS06, "laplace"),
    GEOMETRIC,
    Formula("Geometric, standard deviation and mean error",
            'op("sd") = 1/(sqrt(2) sinh(epsilon/(2 Delta_1))) quad E[abs(X)] = 1/sinh(epsilon/Delta_1)',
            "sd = 1/(√(2) sinh(ε/(2 Δ₁))), E[|X|] = 1/sinh(ε/Δ₁)", GRS12, "geometric"),
    GAUSSIAN,
    Formula("Gaussian noise, mean error", "E[abs(X)] = sigma sqrt(2/pi)", "E[|X|] = σ √(2/π)", DR14, "gaussian"),
    Formula("Gaussian noise, the classical σ",
            'sigma = Delta_2/epsilon sqrt(2 ln(1.25/delta)) quad "for" epsilon < 1',
            "σ = Δ₂/ε √(2 ln(1.25/δ)) for ε < 1", DR14, "gaussian_classical"),
    Formula("Gaussian noise, σ as it is printed without the root",
            "sigma = (2 Delta_2)/epsilon ln(1.25/delta)", "σ = (2 Δ₂)/ε ln(1.25/δ)", CHAPTER, "printed"),
    LAPLACE_ERROR,
    Formula("Error that 95 % stay within, Gaussian", "e_95 = sigma Phi^(-1)(0.975)", "e₉₅ = σ Φ^(−1)(0.975)", DR14,
            "gaussian"),
    PROFILE,
    Formula("Privacy profile of Laplace noise",
            'delta(epsilon\') = 1 - e^((epsilon\' - epsilon) slash 2) quad "for" epsilon\' <= epsilon',
            "δ(ε′) = 1 − e^((ε′ − ε)/2) for ε′ ≤ ε", WZ10, "laplace"),
    Formula("Privacy profile of geometric noise",
            "delta(epsilon') = (e^epsilon - e^(epsilon'))/(1 + e^epsilon) quad \"for\" epsilon' <= epsilon, "
            "Delta_1 = 1",
            "δ(ε′) = (e^ε − e^(ε′))/(1 + e^ε) for ε′ ≤ ε, Δ₁ = 1", GRS12, "geometric"),
    GDP_PROFILE,
    Formula("Gaussian noise as μ-GDP", "mu = Delta_2/sigma", "μ = Δ₂/σ", DRS22, "gaussian"),
    Formula("Best attacker on Laplace noise",
            'T(alpha) = cases(1 - e^epsilon alpha quad & "for" alpha < 1/2 e^(-epsilon), '
            'e^(-epsilon)/(4 alpha) quad & "for" alpha <= 1/2, e^(-epsilon) (1 - alpha) quad & "for" alpha > 1/2)',
            "T(α) = 1 − e^ε α for α < ½ e^(−ε), e^(−ε)/(4 α) for α ≤ ½, e^(−ε) (1 − α) for α > ½", DRS22, "laplace"),
    Formula("Best attacker on Gaussian noise",
            "T(alpha) = Phi(Phi^(-1)(1 - alpha) - mu)", "T(α) = Φ(Φ^(−1)(1 − α) − μ)", DRS22, "gaussian"),
    Formula("Staircase noise",
            "f(x) = (1 - e^(-epsilon))/(2 Delta_1 (gamma + e^(-epsilon) (1 - gamma))) "
            "e^(-epsilon floor(abs(x) slash Delta_1 + 1 - gamma)) quad gamma = 1/(1 + e^(epsilon slash 2))",
            "f(x) = (1 − e^(−ε))/(2 Δ₁ (γ + e^(−ε) (1 − γ))) e^(−ε ⌊|x|/Δ₁ + 1 − γ⌋), γ = 1/(1 + e^(ε/2))", GV14,
            "staircase"),
    Formula("Staircase noise, the least mean error", "E[abs(X)] = (Delta_1 e^(epsilon slash 2))/(e^epsilon - 1)",
            "E[|X|] = (Δ₁ e^(ε/2))/(e^ε − 1)", GV14, "staircase"),
    Formula("Privacy profile of staircase noise",
            "delta(epsilon') = (1 - 1/2 e^(-epsilon slash 2)) (1 - e^(epsilon' - epsilon)) "
            "quad \"for\" epsilon' <= epsilon",
            "δ(ε′) = (1 − ½ e^(−ε/2)) (1 − e^(ε′ − ε)) for ε′ ≤ ε", GV14, "staircase"),
    Formula("Discrete Gaussian noise",
            "Pr[X = x] = e^(-x^2 slash (2 sigma^2))/(sum_k e^(-k^2 slash (2 sigma^2)))",
            "Pr[X = x] = e^(−x²/(2 σ²))/(Σ_k e^(−k²/(2 σ²)))", CKS20, "discrete_gaussian"),
    Formula("Privacy profile of discrete Gaussian noise",
            "delta(epsilon') = Pr[X > (epsilon' sigma^2)/Delta_2 - Delta_2/2] - "
            "e^(epsilon') Pr[X > (epsilon' sigma^2)/Delta_2 + Delta_2/2]",
            "δ(ε′) = Pr[X > (ε′ σ²)/Δ₂ − Δ₂/2] − e^(ε′) Pr[X > (ε′ σ²)/Δ₂ + Δ₂/2]", CKS20, "discrete_gaussian"),
    ATTACK, ADVANTAGE, BELIEF,
    Formula("Laplace noise on a computer", "y = f + s b ln(k slash 2^53) quad s = plus.minus 1 quad 0 < k < 2^53",
            "y = f + s b ln(k/2^53), s = ±1, 0 < k < 2^53", MIRONOV12, "laplace"),
    Formula("What the last bits give away",
            'Pr["only with"] <= delta quad Pr["only without"] <= delta', "Pr[only with] ≤ δ, Pr[only without] ≤ δ",
            MIRONOV12, "laplace"),
    Formula("Snapping", 'y = Lambda floor((f + s b ln(u))/Lambda + 1/2) quad b <= Lambda < 2 b quad abs(y) <= B',
            "y = Λ ⌊(f + s b ln(u))/Λ + 1/2⌋, b ≤ Λ < 2 b, |y| ≤ B", MIRONOV12, "snapped"),
    Formula("Snapping, its guarantee", "epsilon = (1 + 2^(-49) B)/b", "ε = (1 + 2^(−49) B)/b", MIRONOV12, "snapped"),
)
