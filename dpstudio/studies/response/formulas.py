"""The formulas of the response study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CHAPTER, H63, KOV16, NOTES, WZ10
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
            'lambda = pi Pr["yes" | "yes"] + (1 - pi) Pr["yes" | "no"]',
            "λ = π Pr[yes | yes] + (1 − π) Pr[yes | no]", CHAPTER),
    Formula("Belief after “yes”",
            'p\' = (p Pr["yes" | "yes"])/(p Pr["yes" | "yes"] + (1 - p) Pr["yes" | "no"])',
            "p′ = (p Pr[yes | yes])/(p Pr[yes | yes] + (1 − p) Pr[yes | no])", CHAPTER),
    BELIEF,
    Formula("Estimated fraction, c answers “yes” of n",
            'hat(pi) = (c/n - Pr["yes" | "no"])/(Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "π̂ = (c/n − Pr[yes | no])/(Pr[yes | yes] − Pr[yes | no])", CHAPTER),
    Formula("Its standard deviation",
            'op("sd")(hat(pi)) = sqrt((lambda (1 - lambda))/n)/(Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "sd(π̂) = √((λ (1 − λ))/n)/(Pr[yes | yes] − Pr[yes | no])", CHAPTER),
    Formula("Its standard deviation for one fixed group, two coins",
            "op(\"sd\")(hat(pi)) = 1/theta_1 sqrt((pi r (1 - r) + (1 - pi) w (1 - w))/n) quad r = theta_1 + w quad "
            "w = (1 - theta_1) theta_2",
            "sd(π̂) = 1/θ₁ √((π r (1 − r) + (1 − π) w (1 − w))/n), r = θ₁ + w, w = (1 − θ₁) θ₂", CHAPTER, "response"),
    Formula("People for a margin h, by 1.96 standard deviations",
            "n = (lambda (1 - lambda))/theta_1^2 (1.96/h)^2", "n = (λ (1 − λ))/θ₁² (1.96/h)²", CHAPTER, "response"),
    Formula("People for a margin h, surely",
            "n >= (ln 40)/(2 h^2 theta_1^2)", "n ≥ (ln 40)/(2 h² θ₁²)", H63, "response"),
    PROFILE,
    Formula("Errors of whoever tests one answer",
            'alpha + beta >= 1 - (Pr["yes" | "yes"] - Pr["yes" | "no"])',
            "α + β ≥ 1 − (Pr[yes | yes] − Pr[yes | no])", WZ10),
)
