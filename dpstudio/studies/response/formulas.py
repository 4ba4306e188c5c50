"""The formulas of the response study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import H63, KOV16, NOTES, WZ10
from dpstudio.studies.kit.formulas import BELIEF, PROFILE, SYMMETRIC

FORMULAS = (
    Formula("Two coins",
            'Pr["yes" | "yes"] = theta_1 + (1 - theta_1) theta_2 quad Pr["yes" | "no"] = (1 - theta_1) theta_2',
            "Pr[yes | yes] = θ₁ + (1 − θ₁) θ₂, Pr[yes | no] = (1 − θ₁) θ₂", NOTES, "response"),
    Formula("Two coins, ε",
            "epsilon = ln(1 + theta_1/((1 - theta_1) min(theta_2, 1 - theta_2)))",
            "ε = ln(1 + θ₁/((1 − θ₁) min(θ₂, 1 − θ₂)))", NOTES, "response"),
    replace(SYMMETRIC, name="Symmetric response", of="best"),
    Formula("Best coins at the same ε",
            "theta_2 = 1/2 quad theta_1 = tanh(epsilon/2)", "θ₂ = ½, θ₁ = tanh(ε/2)", KOV16, "best"),
    Formula("Probability of “yes”",
            'lambda = p Pr["yes" | "yes"] + (1 - p) Pr["yes" | "no"]',
            "λ = p Pr[yes | yes] + (1 − p) Pr[yes | no]", NOTES),
    Formula("Belief after “yes”",
            'p\' = (p Pr["yes" | "yes"])/(p Pr["yes" | "yes"] + (1 - p) Pr["yes" | "no"])',
            "p′ = (p Pr[yes | yes])/(p Pr[yes | yes] + (1 − p) Pr[yes | no])", NOTES),
    BELIEF,
    Formula("Estimated fraction, c answers “yes” of n",
            'hat(p) = (c/n - Pr["yes" | "no"])/(Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "p̂ = (c/n − Pr[yes | no])/(Pr[yes | yes] − Pr[yes | no])", NOTES),
    Formula("Its standard deviation",
            'op("sd")(hat(p)) = sqrt((lambda (1 - lambda))/n)/(Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "sd(p̂) = √((λ (1 − λ))/n)/(Pr[yes | yes] − Pr[yes | no])", NOTES),
    Formula("Its standard deviation for one fixed group, two coins",
            "op(\"sd\")(hat(p)) = 1/theta_1 sqrt((p r (1 - r) + (1 - p) w (1 - w))/n) quad r = theta_1 + w quad "
            "w = (1 - theta_1) theta_2",
            "sd(p̂) = 1/θ₁ √((p r (1 − r) + (1 − p) w (1 − w))/n), r = θ₁ + w, w = (1 − θ₁) θ₂", NOTES, "response"),
    Formula("People for a margin m, by 1.96 standard deviations",
            "n = (lambda (1 - lambda))/theta_1^2 (1.96/m)^2", "n = (λ (1 − λ))/θ₁² (1.96/m)²", NOTES, "response"),
    Formula("People for a margin m, surely",
            "n >= (ln 40)/(2 m^2 theta_1^2)", "n ≥ (ln 40)/(2 m² θ₁²)", H63, "response"),
    PROFILE,
    Formula("Errors of whoever tests one answer",
            'alpha + beta >= 1 - (Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "α + β ≥ 1 − (Pr[yes | yes] − Pr[yes | no])", WZ10),
)
