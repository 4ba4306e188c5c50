"""The formulas of the posterior study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import BS18, DMNS06, NOTES, WM10
from dpstudio.studies.kit.formulas import BELIEF, GEOMETRIC, LAPLACE

FORMULAS = (
    Formula("Without noise", 'θ | k ∼ "Beta"(a + k, b + n − k)', NOTES, "truth"),
    replace(LAPLACE, of=None), replace(GEOMETRIC, of=None),
    Formula("Naive", 'θ | c ∼ "Beta"(a + c, b + n − c)', NOTES, "naive"),
    Formula("Naive, mean", "E[θ | c] = (a + c)/(a + b + n)", NOTES, "naive"),
    Formula("Naive undefined, with Laplace noise",
            'Pr["invalid"] = ½ e^(−ε (a + k)) + ½ e^(−ε (b + n − k))', NOTES, "naive"),
    Formula("Clamped", 'θ | c ∼ "Beta"(a + c′, b + n − c′) quad c′ = min(max(c, 0), n)', NOTES, "clamped"),
    Formula("Clamped, bias with Laplace noise", "E[c′ − k] = (e^(−ε k) − e^(−ε (n − k)))/(2 ε)", NOTES, "clamped"),
    Formula("Noise-aware",
            'p(θ | c) = Σₖ wₖ "Beta"(θ; a + k, b + n − k) \\ /* where */ wₖ ∝ "BetaBin"(k; n, a, b) e^(−ε abs(c − k))',
            BS18, "aware"),
    Formula("Likelihood of a noisy count, without the sum (derived here)",
            "p(c | θ) ∝ e^(−ε c) (1 + θ (e^ε − 1))^n F(floor(c); n, θ₊) \\ + e^(ε c) (1 − θ (1 − e^(−ε)))^n (1 − "
            "F(floor(c); n, θ₋))", WM10, "aware"),
    Formula("Its two rates", "θ_(±) = (θ e^(± ε))/(1 − θ + θ e^(± ε))", WM10, "aware"),
    Formula("Where the noise weighs as much as the sample, at a rate of ½", "ε = √(8/n)", DMNS06),
    BELIEF,
)
