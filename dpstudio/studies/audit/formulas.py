"""The formulas of the audit study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CP34, DR14, DVGM22, DWWZK18, JUO20, WZ10
from dpstudio.studies.kit.formulas import BELIEF, PRIVATE, SAMPLED

FORMULAS = (
    PRIVATE,
    Formula("Certified ε", "epsilon >= ln((p_- - delta)/q_+)", "ε ≥ ln((p₋ − δ)/q₊)", JUO20, "audited"),
    Formula("Certified δ", "delta >= p_- - e^epsilon q_+", "δ ≥ p₋ − e^ε q₊", DWWZK18, "audited"),
    Formula("Ends of an interval, j of N draws, error a at both together",
            'Pr[op("Bin")(N, p_-) >= j] = a/2 quad Pr[op("Bin")(N, q_+) <= j] = a/2',
            "Pr[Bin(N, p₋) ≥ j] = a/2, Pr[Bin(N, q₊) ≤ j] = a/2", CP34, "audited"),
    Formula("Error of the i-th look and of the last",
            'a_i = alpha/(2 i (i + 1)) quad a_"last" = alpha/2', "a_i = α/(2 i (i + 1)), a_last = α/2", JUO20,
            "audited"),
    Formula("Most that a pair shows",
            "epsilon = max_S ln((Pr[M(x) in S] - delta)/Pr[M(y) in S])",
            "ε = max_S ln((Pr[M(x) ∈ S] − δ)/Pr[M(y) ∈ S])", DR14, "law"),
    Formula("Guessing right from even odds",
            'Pr["right"] <= (e^epsilon + delta)/(1 + e^epsilon)', "Pr[right] ≤ (e^ε + δ)/(1 + e^ε)", WZ10),
    Formula("The wrong δ, and the right one, of publishing from m on",
            'a = e^(-epsilon) quad delta_"wrong" = a^m/(1 + a) quad delta = a^(m - 1)/(1 + a)',
            "a = e^(−ε), δ_wrong = a^m/(1 + a), δ = a^(m − 1)/(1 + a)", DVGM22),
    SAMPLED, BELIEF,
)
