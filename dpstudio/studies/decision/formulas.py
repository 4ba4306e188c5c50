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
            "Pr[Q(N + 1) = 1] <= e^epsilon Pr[Q(N) = 1] + delta \\ "
            "Pr[Q(N) = 0] <= e^epsilon Pr[Q(N + 1) = 0] + delta",
            "Pr[Q(N + 1) = 1] ≤ e^ε Pr[Q(N) = 1] + δ and Pr[Q(N) = 0] ≤ e^ε Pr[Q(N + 1) = 0] + δ", DR14),
    Formula("Laplace",
            'f(N) = cases(1/2 e^(epsilon (N - k)) quad & "for" N < k, '
            '1 - 1/2 e^(-epsilon (N - k)) quad & "for" N >= k)',
            "f(N) = ½ e^(ε (N − k)) for N < k, 1 − ½ e^(−ε (N − k)) for N ≥ k", DMNS06, "laplace"),
    Formula("Laplace, the threshold",
            'k = cases(m - ln(2 p)/epsilon quad & "for" p <= 1/2, m + ln(2 (1 - p))/epsilon quad & "for" p >= 1/2)',
            "k = m − ln(2p)/ε for p ≤ ½, m + ln(2 (1 − p))/ε for p ≥ ½", STOCHASTIC, "laplace"),
    Formula("Cutoff exponential",
            "f(N) = min(1, e^(epsilon (N - m))) quad delta(epsilon') = 1 - e^(-epsilon)",
            "f(N) = min(1, e^(ε (N − m))), δ(ε′) = 1 − e^(−ε)", STOCHASTIC, "cutoff"),
    Formula("Generalized, upwards from f(m) = p",
            "f(N + 1) = min(1, e^epsilon f(N) + delta, 1 - e^(-epsilon) (1 - delta - f(N)))",
            "f(N + 1) = min(1, e^ε f(N) + δ, 1 − e^(−ε) (1 − δ − f(N)))", DVGM22, "generalized"),
    Formula("Generalized, downwards from f(m) = p",
            "f(N - 1) = max(0, e^(-epsilon) (f(N) - delta), 1 - delta - e^epsilon (1 - f(N)))",
            "f(N − 1) = max(0, e^(−ε) (f(N) − δ), 1 − δ − e^ε (1 − f(N)))", DVGM22, "generalized"),
    Formula("Generalized, in closed form around a whole n₀",
            "p_0 = (e^epsilon + delta)/(e^epsilon + 1) quad s = delta/(e^epsilon - 1) \\ "
            'f(N) = cases(1 - max(0, (1 - p_0 + s) e^(-epsilon (N - n_0)) - s) quad & "for" N >= n_0, '
            'max(0, (1 - p_0 + s) e^(-epsilon (n_0 - 1 - N)) - s) quad & "for" N < n_0)',
            "p₀ = (e^ε + δ)/(e^ε + 1), s = δ/(e^ε − 1),"
            " f(N) = 1 − max(0, (1 − p₀ + s) e^(−ε (N − n₀)) − s) for N ≥ n₀, "
            "max(0, (1 − p₀ + s) e^(−ε (n₀ − 1 − N)) − s) for N < n₀", STOCHASTIC, "generalized"),
    Formula("Gaussian", "f(N) = Phi(Phi^(-1)(p) + mu (N - m))", "f(N) = Φ(Φ^(−1)(p) + μ (N − m))", DRS22, "gaussian"),
    GDP_PROFILE,
    Formula("Gaussian, the largest μ", "delta(epsilon) = delta", "δ(ε) = δ", BW18, "gaussian"),
    Formula("Generalized at the cutoff’s guarantee",
            "f(m) = 1 quad delta = 1 - e^(-epsilon)", "f(m) = 1, δ = 1 − e^(−ε)", DVGM22, "matched"),
    Formula("Optimal selection, upwards from nobody",
            "f(0) = 0 quad f(n + 1) = min(1, e^epsilon f(n) + delta, 1 - e^(-epsilon) (1 - delta - f(n)))",
            "f(0) = 0, f(n + 1) = min(1, e^ε f(n) + δ, 1 − e^(−ε) (1 − δ − f(n)))", DVGM22, "selection_optimal"),
    Formula("Truncated geometric noise and a threshold",
            'f(n) = Pr[n + X > k] quad Pr[X = x] prop e^(-epsilon abs(x)) quad "for" abs(x) <= k quad '
            "k = ceil(ln((e^epsilon + 2 delta - 1)/((e^epsilon + 1) delta))/epsilon)",
            "f(n) = Pr[n + X > k], Pr[X = x] ∝ e^(−ε |x|) for |x| ≤ k, k = ⌈ln((e^ε + 2δ − 1)/((e^ε + 1) δ))/ε⌉",
            DVGM22, "selection_geometric"),
    Formula("Laplace noise and a threshold",
            'f(n) = Pr[n + "Lap"(1 slash epsilon) >= T] quad "for" n >= 1 quad T = 1 + ln(1/(2 delta))/epsilon',
            "f(n) = Pr[n + Lap(1/ε) ≥ T] for n ≥ 1, T = 1 + ln(1/(2δ))/ε", WZLDSG20, "selection_laplace"),
    Formula("Gaussian noise and a threshold, half of δ for each",
            'f(n) = Phi((n - T)/sigma) quad "for" n >= 1 quad T = 1 + sigma Phi^(-1)(1 - delta/2)',
            "f(n) = Φ((n − T)/σ) for n ≥ 1, T = 1 + σ Φ^(−1)(1 − δ/2)", BW18, "selection_gaussian"),
    Formula("Groups of which each person may be in κ",
            "epsilon' = epsilon/kappa quad delta' = 1 - (1 - delta)^(1 slash kappa)",
            "ε′ = ε/κ, δ′ = 1 − (1 − δ)^(1/κ)", DVGM22),
    Formula("Discrete Laplace, a whole threshold and a coin",
            "f(N) = w Pr[N + X >= k] + (1 - w) Pr[N + X >= k + 1] quad f(m) = p",
            "f(N) = w Pr[N + X ≥ k] + (1 − w) Pr[N + X ≥ k + 1], f(m) = p", GRS12, "discrete_laplace"),
    Formula("Discrete Gaussian, the same with",
            "Pr[X = x] prop e^(-x^2 slash (2 sigma^2)) quad delta = Pr[X > epsilon sigma^2 - 1/2] - e^epsilon "
            "Pr[X > epsilon sigma^2 + 1/2]",
            "Pr[X = x] ∝ e^(−x^2/(2 σ^2)), δ = Pr[X > ε σ^2 − ½] − e^ε Pr[X > ε σ^2 + ½]", CKS20, "discrete_gaussian"),
    Formula("Uncertain band",
            'f(N_-) = tau quad 1 - f(N_+) = tau quad "width" = N_+ - N_-',
            "f(N₋) = τ, 1 − f(N₊) = τ, width = N₊ − N₋", STOCHASTIC),
    PROFILE,
    Formula("Privacy loss of an answer",
            "ell_1(N) = ln(f(N + 1)/f(N)) quad ell_0(N) = ln((1 - f(N))/(1 - f(N + 1)))",
            "ℓ₁(N) = ln(f(N + 1)/f(N)), ℓ₀(N) = ln((1 − f(N))/(1 − f(N + 1)))", DR14),
    ATTACK, ADVANTAGE, BELIEF,
    Formula("Probability of a wrong answer",
            'Pr["wrong"] = Pr[N < m] Pr[Q = 1 | N < m] + Pr[N >= m] Pr[Q = 0 | N >= m]',
            "Pr[wrong] = Pr[N < m] Pr[Q = 1 | N < m] + Pr[N ≥ m] Pr[Q = 0 | N ≥ m]", D70),
    Formula("Expected cost of wrong answers",
            'E["cost"] = c_1 Pr[N < m] Pr[Q = 1 | N < m] + c_0 Pr[N >= m] Pr[Q = 0 | N >= m]',
            "E[cost] = c₁ Pr[N < m] Pr[Q = 1 | N < m] + c₀ Pr[N ≥ m] Pr[Q = 0 | N ≥ m]", D70),
    Formula("Asked k times",
            "epsilon_k = k epsilon quad delta_k = 1 - (1 - delta)^k", "ε_k = k ε, δ_k = 1 − (1 − δ)^k", KOV15),
    Formula("Asked k times while N stays",
            "delta_k (epsilon') = sum_j binom(k, j) f(N + 1)^j (1 - f(N + 1))^(k - j) "
            "max(0, 1 - e^(epsilon' - j ell_1 (N) + (k - j) ell_0 (N)))",
            "δ_k (ε′) = Σⱼ C(k, j) f(N + 1)^j (1 − f(N + 1))^(k − j) max(0, 1 − e^(ε′ − j ℓ₁ (N) + (k − j) ℓ₀ (N)))",
            ZDW22),
)
