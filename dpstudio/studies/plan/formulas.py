"""The formulas of the plan study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import DERIVED, DMNS06, DR14, DRS22
from dpstudio.studies.kit.formulas import ADVANTAGE, ATTACK, GDP_PROFILE, PROFILE

FORMULAS = (
    Formula("What a want costs with Laplace noise", "ε_i = Δ_i ln(1/α)/t_i", DMNS06, "pure"),
    Formula("What a want costs with discrete Laplace noise", "2 a^(t + 1)/(1 + a) = α quad ε_i = −ln a", DERIVED, "pure"),
    Formula("What a want costs with Gaussian noise", "μ_i = Δ_i Φ^(−1)(1 − α/2)/t_i", DRS22, "gaussian"),
    Formula("Total of a plan", "ε = Σ_i k_i ε_i", DR14, "pure"),
    Formula("Total of a Gaussian plan", "μ = √(Σ_i k_i μ_i²)", DRS22, "gaussian"),
    GDP_PROFILE, PROFILE, ATTACK, ADVANTAGE,
)
