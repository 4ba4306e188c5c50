"""The formulas of the policy study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import D70, DMNS06, DR14, NOTES, UTILITY

FORMULAS = (
    Formula("Utility, untreated", "E[U₀] = Σᵢ wᵢ π₀ᵢ", UTILITY),
    Formula("Utility, treated", "E[U₁] = f Σᵢ wᵢ π₁ᵢ − C", UTILITY),
    Formula("Where treating is better", "C < f Σᵢ wᵢ π₁ᵢ − Σᵢ wᵢ π₀ᵢ", UTILITY),
    Formula("Gain of the right choice", "U* = max(E[U₀], E[U₁]) quad g = abs(E[U₁] − E[U₀])", D70),
    Formula("What counts say of a probability, k of n", "E[π | k] = (a + k)/(a + b + n)", NOTES),
    Formula("Its uncertainty", 'op("sd")(π | k) = √((μ (1 − μ))/(a + b + n + 1)) quad μ = (a + k)/(a + b + n)', NOTES),
    Formula("Private counts", "k′ = min(max(k + X, 0), n) quad p(x) = ε/2 e^(−ε abs(x))", DMNS06, "laplace"),
    Formula("Private decision, what it costs", 'E[U] = U* − g Pr["the other action"]', UTILITY),
    Formula("Private decision, symmetric", 'Pr["the other action"] = 1/(1 + e^(ε′))', NOTES, "response"),
    Formula("Private decision, two coins",
            'Pr["the other action"] = cases((1 − θ₁) (1 − θ₂) quad & "where acting is best", (1 − θ₁) θ₂ quad & '
            '"where not acting is")', NOTES, "response"),
    Formula("What one person spends, d symptoms", 'ε_"person" ≤ d ε + ε′', DR14, "both"),
    Formula("What one person spends, if treatment is secret", 'ε_"person" ≤ 2 d ε + ε′', DR14, "both"),
)
