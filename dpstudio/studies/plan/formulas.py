"""The formulas of the plan study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import DERIVED, DMNS06, DR14, DRS22
from dpstudio.studies.kit.formulas import ADVANTAGE, ATTACK, GDP_PROFILE, PROFILE

FORMULAS = (
    Formula("What a want costs with Laplace noise", "εᵢ = Δᵢ ln(1/α)/tᵢ", DMNS06, "pure"),
    Formula("What a want costs with discrete Laplace noise", "(2 a^(t + 1))/(1 + a) = α quad εᵢ = −ln a", DERIVED,
            "pure"),
    Formula("What a want costs with Gaussian noise", "μᵢ = Δᵢ Φ^(−1)(1 − α/2)/tᵢ", DRS22, "gaussian"),
    Formula("Total of a plan", "ε = Σᵢ kᵢ εᵢ", DR14, "pure"),
    Formula("Total of a Gaussian plan", "μ = √(Σᵢ kᵢ μᵢ²)", DRS22, "gaussian"),
    Formula("A Laplace release beside others",
            'δ(ε) = ½ δ₀(ε − e) + ½ e^(−e) δ₀(ε + e) + ¼ ∫_(−e)^e e^((l − e) slash 2) δ₀(ε − l) "d" l', DERIVED,
            "mixed"),
    GDP_PROFILE, PROFILE, ATTACK, ADVANTAGE,
)
