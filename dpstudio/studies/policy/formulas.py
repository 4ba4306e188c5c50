"""The formulas of the policy study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import D70, DMNS06, DR14, NOTES, UTILITY

FORMULAS = (
    Formula("Utility without action", "E[U_0] = sum_i w_i pi_(0 i)", "E[U₀] = Σᵢ wᵢ π₀ᵢ", UTILITY),
    Formula("Utility with action", "E[U_1] = f sum_i w_i pi_(1 i) - C", "E[U₁] = f Σᵢ wᵢ π₁ᵢ − C", UTILITY),
    Formula("Where acting is better",
            "C < f sum_i w_i pi_(1 i) - sum_i w_i pi_(0 i)", "C < f Σᵢ wᵢ π₁ᵢ − Σᵢ wᵢ π₀ᵢ", UTILITY),
    Formula("What the choice is worth",
            "U^* = max(E[U_0], E[U_1]) quad g = abs(E[U_1] - E[U_0])",
            "U* = max(E[U₀], E[U₁]), g = |E[U₁] − E[U₀]|", D70),
    Formula("What counts say of a probability, k of n",
            "E[pi | k] = (a + k)/(a + b + n)", "E[π | k] = (a + k)/(a + b + n)", NOTES),
    Formula("Its uncertainty",
            'op("sd")(pi | k) = sqrt((mu (1 - mu))/(a + b + n + 1)) quad mu = (a + k)/(a + b + n)',
            "sd(π | k) = √((μ (1 − μ))/(a + b + n + 1)), μ = (a + k)/(a + b + n)", NOTES),
    Formula("Private counts",
            'k\' = min(max(k + X, 0), n) quad p(x) = epsilon/2 e^(-epsilon abs(x))',
            "k′ = min(max(k + X, 0), n), p(x) = ε/2 e^(−ε |x|)", DMNS06, "laplace"),
    Formula("Private decision, what it costs",
            'E[U] = U^* - g Pr["the other action"]', "E[U] = U* − g Pr[the other action]", UTILITY),
    Formula("Private decision, symmetric",
            'Pr["the other action"] = 1/(1 + e^(epsilon\'))', "Pr[the other action] = 1/(1 + e^(ε′))", NOTES,
            "response"),
    Formula("Private decision, two coins",
            'Pr["the other action"] = cases((1 - theta_1) (1 - theta_2) quad & "where acting is best", '
            '(1 - theta_1) theta_2 quad & "where not acting is")',
            "Pr[the other action] = (1 − θ₁) (1 − θ₂) where acting is best, (1 − θ₁) θ₂ where not acting is", NOTES,
            "response"),
    Formula("What one person spends, d symptoms",
            'epsilon_"person" <= d epsilon + epsilon\'', "ε_person ≤ d ε + ε′", DR14, "both"),
    Formula("What one person spends, if the arm may change",
            'epsilon_"person" <= 2 d epsilon + epsilon\'', "ε_person ≤ 2 d ε + ε′", DR14, "both"),
)
