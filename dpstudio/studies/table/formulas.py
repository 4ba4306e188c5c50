"""The formulas of the table study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import DERIVED, DMNS06, DR14, MS20, MT07, SIDAK67
from dpstudio.studies.kit.formulas import DISCRETE_GAUSSIAN, GAUSSIAN, GEOMETRIC, LAPLACE, PROFILE

FORMULAS = (
    GEOMETRIC, LAPLACE, GAUSSIAN, DISCRETE_GAUSSIAN,
    Formula("What one person moves", "Δ₁ = c m quad Δ₂ = c √(m) quad m = min(K, κ)", DMNS06),
    Formula("All groups within t, Laplace", "t = −b ln(1 − β^(1 slash K))", SIDAK67, "laplace"),
    Formula("All groups within t, exactly", '"coverage" = (1 − α)^K quad α = (2 a^(t + 1))/(1 + a)', SIDAK67,
            "geometric"),
    Formula("Order of two groups, Laplace", 'Pr["wrong"] = 1/4 (2 + d slash b) e^(−d slash b)', DERIVED, "laplace"),
    Formula("Order of two groups, Gaussian", 'Pr["wrong"] = Φ(−d/(σ √(2)))', DERIVED, "gaussian"),
    Formula("Negative counts set to 0, Laplace", "E[max(0, n + X)] − n = b/2 e^(−n slash b)", DERIVED, "laplace"),
    Formula("Exponential mechanism", 'Pr["i is named"] = e^(η nᵢ)/(Σⱼ e^(η nⱼ)) quad η = ε slash c', MT07,
            "exponential"),
    Formula("Permute-and-flip", 'Pr["i is named"] = pᵢ ∫₀¹ Π_(j ≠ i) (1 − pⱼ t) "d"t quad pᵢ = e^(−η (n₁ − nᵢ))', MS20,
            "permute_and_flip"),
    Formula("Noisy maximum", 'Pr["i is named"] = ∫ f(v − nᵢ) Π_(j ≠ i) F(v − nⱼ) "d" v', DR14, "noisy_max"),
    PROFILE,
)
