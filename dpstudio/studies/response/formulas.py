"""The formulas of the response study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import H63, KOV16, NOTES, WZ10
from dpstudio.studies.kit.formulas import BELIEF, PROFILE, SYMMETRIC

FORMULAS = (
    Formula("Two coins", 'Pr["yes" | "yes"] = θ₁ + (1 − θ₁) θ₂ quad Pr["yes" | "no"] = (1 − θ₁) θ₂', NOTES, "response"),
    Formula("Two coins, ε", "ε = ln(1 + θ₁/((1 − θ₁) min(θ₂, 1 − θ₂)))", NOTES, "response"),
    replace(SYMMETRIC, name="Symmetric response", of="best"),
    Formula("Best coins at the same ε", "θ₂ = ½ quad θ₁ = tanh(ε/2)", KOV16, "best"),
    Formula("Probability of “yes”", 'λ = p Pr["yes" | "yes"] + (1 − p) Pr["yes" | "no"]', NOTES),
    Formula("Belief after “yes”", 'p′ = (p Pr["yes" | "yes"])/(p Pr["yes" | "yes"] + (1 − p) Pr["yes" | "no"])', NOTES),
    BELIEF,
    Formula("Estimated share, c answers “yes” of n",
            'hat(p) = (c/n − Pr["yes" | "no"])/(Pr["yes" | "yes"] − Pr["yes" | "no"])', NOTES),
    Formula("Its standard deviation",
            'op("sd")(hat(p)) = √((λ (1 − λ))/n)/(Pr["yes" | "yes"] − Pr["yes" | "no"])', NOTES),
    Formula("Its standard deviation for one fixed group, two coins",
            'op("sd")(hat(p)) = 1/θ₁ √((p r (1 − r) + (1 − p) w (1 − w))/n) quad r = θ₁ + w quad w = (1 − θ₁) θ₂',
            NOTES, "response"),
    Formula("People for a margin m, by 1.96 standard deviations", "n = (λ (1 − λ))/θ₁² (1.96/m)²", NOTES, "response"),
    Formula("People for a margin m, surely", "n ≥ (ln 40)/(2 m² θ₁²)", H63, "response"),
    PROFILE,
    Formula("Errors of an attacker with one answer", 'α + β ≥ 1 − (Pr["yes" | "yes"] − Pr["yes" | "no"])', WZ10),
)
