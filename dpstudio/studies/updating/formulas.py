"""The formulas of the updating study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CSS11, DMNS06, DNPR10, DRS22, KKP01, KOV15, NOTES
from dpstudio.studies.kit.formulas import GAUSSIAN, LAPLACE

FORMULAS = (
    replace(LAPLACE, of=None),
    Formula("Variance after t batches, of r terms",
            '"Var" = 2 r (Delta_1/epsilon)^2', "Var = 2 r (Δ₁/ε)²", DMNS06),
    Formula("Adding up",
            'r = t quad Delta_1 = cases(1 quad & "for once", Q quad & "for status and visits")',
            "r = t, Δ₁ = 1 for once, Q for status and visits", NOTES, "sequential"),
    Formula("Counting again",
            'r = 1 quad Delta_1 = cases(Q quad & "for once and status", (Q (Q + 1))/2 quad & "for visits")',
            "r = 1, Δ₁ = Q for once and status, (Q (Q + 1))/2 for visits", NOTES, "retrain"),
    Formula("Counting again, skewed",
            '"Var" = cases(2 ((Q - 1)/((1 - s) epsilon))^2 quad & "for" t < Q, 2 (1/(s epsilon))^2 quad & "for" t = Q) '
            'quad "for once and status"',
            "Var = 2 ((Q − 1)/((1 − s) ε))² for t < Q, 2 (1/(s ε))² for t = Q, for once and status", NOTES, "skewed"),
    Formula("Counting again, skewed, where every yes counts",
            '"Var" = cases(2 ((Q (Q - 1))/(2 (1 - s) epsilon))^2 quad & "for" t < Q, '
            '2 (Q/(s epsilon))^2 quad & "for" t = Q)',
            "Var = 2 ((Q (Q − 1))/(2 (1 − s) ε))² for t < Q, 2 (Q/(s ε))² for t = Q", NOTES, "skewed"),
    Formula("Binary tree",
            'r = op("popcount")(t) quad L = floor(log_2 Q) + 1 \\ Delta_1 = cases(L quad & "for once", '
            'Q quad & "for status", sum_(l < L) 2^l ceil(floor(Q/2^l)/2) quad & "for visits")',
            "r = popcount(t), L = ⌊log₂ Q⌋ + 1, Δ₁ = L for once, Q for status, Σ_(l < L) 2^l ⌈⌊Q/2^l⌋/2⌉ for visits",
            DNPR10, "tree"),
    Formula("Binary tree, its worst batch",
            'max_(t <= Q) op("popcount")(t) = floor(log_2 (Q + 1))', "max_(t ≤ Q) popcount(t) = ⌊log₂ (Q + 1)⌋", CSS11,
            "tree"),
    Formula("Error that 95 % stay within",
            "Pr[abs(X_1 + dots.c + X_r) <= e_95] = 0.95", "Pr[|X₁ + ⋯ + X_r| ≤ e₉₅] = 0.95", KKP01),
    Formula("The rate, from N answers",
            'op("sd") = sqrt((theta (1 - theta))/N + "Var"/N^2)', "sd = √((θ (1 − θ))/N + Var/N²)", NOTES),
    Formula("Counting again, composed optimally",
            '"Var" = (2 r)/epsilon_0^2 quad delta = sum_j binom(Q, j) p^(Q - j) q^j '
            "max(0, 1 - e^(epsilon - (Q - 2 j) epsilon_0)) \\ p = e^(epsilon_0)/(1 + e^(epsilon_0)) quad q = 1 - p",
            "Var = (2 r)/ε₀², δ = Σⱼ C(Q, j) p^(Q − j) q^j max(0, 1 − e^(ε − (Q − 2 j) ε₀)), "
            "p = e^(ε₀)/(1 + e^(ε₀)), q = 1 − p", KOV15, "retrain"),
    replace(GAUSSIAN, of=None),
    Formula("Gaussian noise instead, σ₁ the least σ for Δ₂ = 1",
            '"Var" = r Delta_2^2 sigma_1^2', "Var = r Δ₂² σ₁²", DRS22),
)
