"""The formulas of the audit study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CP34, DR14, DVGM22, DWWZK18, JUO20, WZ10
from dpstudio.studies.kit.formulas import BELIEF, PRIVATE, SAMPLED

FORMULAS = (
    PRIVATE,
    Formula("Certified ε", "ε ≥ ln((p₋ − δ)/q₊)", JUO20, "audited"),
    Formula("Certified δ", "δ ≥ p₋ − e^ε q₊", DWWZK18, "audited"),
    Formula("Ends of an interval, j of N draws, error a at both together",
            'Pr[op("Bin")(N, p₋) ≥ j] = a/2 quad Pr[op("Bin")(N, q₊) ≤ j] = a/2', CP34, "audited"),
    Formula("Error of the i-th checkpoint and of the last", 'a_i = α/(2 i (i + 1)) quad a_"last" = α/2', JUO20,
            "audited"),
    Formula("Most that a pair shows", "ε = max_S ln((Pr[M(x) ∈ S] − δ)/Pr[M(y) ∈ S])", DR14, "law"),
    Formula("Guessing right from even odds", 'Pr["right"] ≤ (e^ε + δ)/(1 + e^ε)', WZ10),
    Formula("The wrong δ, and the right one, of publishing from m on",
            'a = e^(−ε) quad δ_"wrong" = a^m/(1 + a) quad δ = a^(m − 1)/(1 + a)', DVGM22),
    SAMPLED, BELIEF,
)
