"""The formulas of the decision study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import (
    BW18,
    CKS20,
    D70,
    DMNS06,
    DR14,
    DRS22,
    DVGM22,
    GRS12,
    KOV15,
    STOCHASTIC,
    WZLDSG20,
    ZDW22,
)
from dpstudio.studies.kit.formulas import ADVANTAGE, ATTACK, BELIEF, GDP_PROFILE, PROFILE

FORMULAS = (
    Formula("A private decision",
            "Pr[Q(N + 1) = 1] ≤ e^ε Pr[Q(N) = 1] + δ \\ /* and */ Pr[Q(N) = 0] ≤ e^ε Pr[Q(N + 1) = 0] + δ", DR14),
    Formula("Laplace",
            'f(N) = cases(½ e^(ε (N − k)) quad & "for" N < k, 1 − ½ e^(−ε (N − k)) quad & "for" N ≥ k)',
            DMNS06, "laplace"),
    Formula("Laplace, the threshold",
            'k = cases(m − ln(2p)/ε quad & "for" p ≤ ½, m + ln(2 (1 − p))/ε quad & "for" p ≥ ½)',
            STOCHASTIC, "laplace"),
    Formula("Cutoff exponential", "f(N) = min(1, e^(ε (N − m))) quad δ(ε′) = 1 − e^(−ε)", STOCHASTIC, "cutoff"),
    Formula("Generalized, upwards from f(m) = p",
            "f(N + 1) = min(1, e^ε f(N) + δ, 1 − e^(−ε) (1 − δ − f(N)))", DVGM22, "generalized"),
    Formula("Generalized, downwards from f(m) = p",
            "f(N − 1) = max(0, e^(−ε) (f(N) − δ), 1 − δ − e^ε (1 − f(N)))", DVGM22, "generalized"),
    Formula("Generalized, in closed form around a whole n₀",
            'p₀ = (e^ε + δ)/(e^ε + 1) quad s = δ/(e^ε − 1) \\ f(N) = cases(1 − max(0, (1 − p₀ + s) e^(−ε (N − n₀)) − '
            's) quad & "for" N ≥ n₀, max(0, (1 − p₀ + s) e^(−ε (n₀ − 1 − N)) − s) quad & "for" N < n₀)',
            STOCHASTIC, "generalized"),
    Formula("Gaussian", "f(N) = Φ(Φ^(−1)(p) + μ (N − m))", DRS22, "gaussian"),
    GDP_PROFILE,
    Formula("Gaussian, the largest μ", "δ(ε) = δ", BW18, "gaussian"),
    Formula("Generalized at the cutoff’s guarantee", "f(m) = 1 quad δ = 1 − e^(−ε)", DVGM22, "matched"),
    Formula("Optimal selection, upwards from nobody",
            "f(0) = 0 quad f(n + 1) = min(1, e^ε f(n) + δ, 1 − e^(−ε) (1 − δ − f(n)))", DVGM22, "selection_optimal"),
    Formula("Truncated geometric noise and a threshold",
            'f(n) = Pr[n + X > k] quad Pr[X = x] ∝ e^(−ε abs(x)) quad "for" abs(x) ≤ k quad k = ceil(ln((e^ε + 2δ − '
            '1)/((e^ε + 1) δ))/ε)', DVGM22, "selection_geometric"),
    Formula("Laplace noise and a threshold",
            'f(n) = Pr[n + "Lap"(1 slash ε) ≥ T] quad "for" n ≥ 1 quad T = 1 + ln(1/(2δ))/ε',
            WZLDSG20, "selection_laplace"),
    Formula("Gaussian noise and a threshold, half of δ for each",
            'f(n) = Φ((n − T)/σ) quad "for" n ≥ 1 quad T = 1 + σ Φ^(−1)(1 − δ/2)', BW18, "selection_gaussian"),
    Formula("Groups of which each person may be in κ", "ε′ = ε/κ quad δ′ = 1 − (1 − δ)^(1 slash κ)", DVGM22),
    Formula("Discrete Laplace, a whole threshold and a coin",
            "f(N) = w Pr[N + X ≥ k] + (1 − w) Pr[N + X ≥ k + 1] quad f(m) = p", GRS12, "discrete_laplace"),
    Formula("Discrete Gaussian, the same with",
            "Pr[X = x] ∝ e^(−x^2 slash (2 σ^2)) quad δ = Pr[X > ε σ^2 − ½] − e^ε Pr[X > ε σ^2 + ½]",
            CKS20, "discrete_gaussian"),
    Formula("Uncertain band", 'f(N₋) = τ quad 1 − f(N₊) = τ quad "width" = N₊ − N₋', STOCHASTIC),
    PROFILE,
    Formula("Loss of an answer", "ℓ₁(N) = ln(f(N + 1)/f(N)) quad ℓ₀(N) = ln((1 − f(N))/(1 − f(N + 1)))", DR14),
    ATTACK, ADVANTAGE, BELIEF,
    Formula("Probability of a wrong answer",
            'Pr["wrong"] = Pr[N < m] Pr[Q = 1 | N < m] + Pr[N ≥ m] Pr[Q = 0 | N ≥ m]', D70),
    Formula("Expected cost of wrong answers",
            'E["cost"] = c₁ Pr[N < m] Pr[Q = 1 | N < m] + c₀ Pr[N ≥ m] Pr[Q = 0 | N ≥ m]', D70),
    Formula("Asked k times", "ε_k = k ε quad δ_k = 1 − (1 − δ)^k", KOV15),
    Formula("Asked k times while N stays",
            "δ_k (ε′) = Σⱼ binom(k, j) f(N + 1)^j (1 − f(N + 1))^(k − j) max(0, 1 − e^(ε′ − j ℓ₁ (N) + (k − j) ℓ₀ "
            "(N)))", ZDW22),
)
