"""The formulas of the watch study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CSS11, DERIVED, DMNS06, DNPR10, DURFEE23, KOV15, LSL17
from dpstudio.studies.kit.formulas import LAPLACE

FORMULAS = (
    Formula("First “yes” of a watch that stops, d the counts less the threshold",
            'Pr[T = t] = ∫ f(z) Π_(i < t) F(z − d_i) (1 − F(z − d_t)) "d" z', LSL17),
    Formula("Shares of what noise there is", "ε₁ = s E quad ε₂ = (1 − s) E", LSL17),
    Formula("AboveThreshold, of a record that stays, k > 1", "ε = max(ε₂, min(ε₁, k ε₂))", DERIVED, "above"),
    Formula("AboveThreshold, of one that comes and goes, k > 1",
            "ε = max(ε₂, min(ε₁, k ε₂), min(ε₁ + ε₂, (k − 1) ε₂))", DERIVED, "above"),
    Formula("AboveThreshold, exp., of a record that stays", "ε = max(ε₁, ε₂)", DERIVED, "exponential"),
    Formula("AboveThreshold, exp., of one that comes and goes, k > 1", "ε = ε₁ + ε₂", DURFEE23, "exponential"),
    Formula("What else is shown of a record, a without it and b with it",
            "δ(ε′) = 1 − e^(−min(a, b) (max(a, b) − ε′)/(a + b))", DERIVED),
    Formula("AboveThreshold",
            'f(z) = ε₁/2 e^(−ε₁ abs(z)) quad F(x) = cases(1/2 e^(ε₂ x) quad & "for" x < 0, 1 − 1/2 e^(−ε₂ x) quad & '
            '"for" x ≥ 0)', LSL17, "above"),
    Formula("AboveThreshold, all its noise", 'op("sd") = √(2/ε₁² + 2/ε₂²)', DMNS06, "above"),
    Formula("AboveThreshold, exp.",
            'f(z) = ε₁ e^(−ε₁ z) quad F(x) = 1 − e^(−ε₂ x) quad "for" z ≥ 0 quad x ≥ 0', DURFEE23, "exponential"),
    Formula("A new decision each step", "Pr[T > t] = Π_(i ≤ t) Pr[Q(c_i) = 0] quad ε₀ = ε/k", DMNS06, "basic"),
    Formula("A new decision each step, composed optimally",
            "δ = Σⱼ binom(k, j) p^(k − j) q^j max(0, 1 − e^(ε − (k − 2 j) ε₀)) \\ p = e^(ε₀)/(1 + e^(ε₀)) quad q = 1 "
            "− p", KOV15, "optimal"),
    replace(LAPLACE, of=None),
    Formula("Binary tree, its worst count", 'op("sd") = floor(log₂(2 k))/ε √(2 floor(log₂(k + 1)))', CSS11, "tree"),
    Formula("Binary tree, its threshold a", "α = Σ_(t < t^*) Pr[c_t + X_t ≥ a]", DNPR10, "tree"),
    Formula("Threshold of the others", "Pr[T < t^*] = α", LSL17),
    Formula("Mean delay, to the last step at most", 'E["delay"] = Σ_(t = t^*)^(k − 1) Pr[T > t]', LSL17),
    Formula("Mean delay in records", 'E["records"] = Σ_(t = t^*)^(k − 1) (c_(t + 1) − c_t) Pr[T > t]', LSL17),
    Formula("Noisy count told", 'ε_"told" = k ε₂', LSL17),
    Formula("Noise for counts that only grow, where some fall", 'ε_"falling" = ε₁ + 2 ε₂', LSL17),
)
