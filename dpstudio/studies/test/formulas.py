"""The formulas of the test study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import AWAN18, CP34, GRS12, LR05
from dpstudio.studies.kit.formulas import ADVANTAGE, ATTACK, GAUSSIAN, PROFILE

FORMULAS = (
    Formula("Power of a test", 'Pr["rejected"] = Σⱼ binom(n, j) p^j (1 − p)^(n − j) φ(j)', LR05),
    Formula("Canonical noise, δ = 0",
            'F(x) = a^m/(1 + a) (a + (1 − a) (x + m + ½)) quad a = e^(−ε) quad m = floor(½ − x) quad "for" x ≤ 0',
            AWAN18, "private"),
    Formula("Most powerful private test", "φ(k) = F(k − z)", AWAN18, "private"),
    Formula("From one person to the next", "φ(k + 1) = min(e^ε φ(k) + δ, 1 − e^(−ε) (1 − δ − φ(k)), 1)", AWAN18,
            "private"),
    Formula("Discrete Laplace noise, from a critical value on",
            'φ(k) = cases(a^(c − k)/(1 + a) quad & "for" k ≤ c, 1 − a^(k − c + 1)/(1 + a) quad & "for" k ≥ c) quad '
            "a = e^(−ε)", GRS12, "laplace"),
    Formula("p-value of a noisy count", "p = Σⱼ binom(n, j) p₀^j (1 − p₀)^(n − j) F(j − z)", AWAN18, "private"),
    Formula("p-value of equal tails", "p = min(1, 2 p₊, 2 p₋)", AWAN18, "tails"),
    Formula("Naive critical value", 'Pr[X ≥ c] ≤ α < Pr[X ≥ c − 1]', LR05, "naive"),
    Formula("Test without privacy", "φ(k) = max(0, min(1, k − z + ½))", LR05, "plain"),
    Formula("Interval of shares", 'Pr[Z ≥ z | p₋] = (1 − γ)/2 quad Pr[Z ≤ z | p₊] = (1 − γ)/2', CP34, "private"),
    GAUSSIAN, PROFILE, ATTACK, ADVANTAGE,
)
