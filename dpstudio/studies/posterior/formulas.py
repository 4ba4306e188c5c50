"""The formulas of the posterior study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import BS18, DMNS06, NOTES, WM10
from dpstudio.studies.kit.formulas import BELIEF, GEOMETRIC, LAPLACE

FORMULAS = (
    Formula("Without noise", 'theta | k tilde "Beta"(a + k, b + n - k)', "θ | k ∼ Beta(a + k, b + n − k)", NOTES,
            "truth"),
    replace(LAPLACE, of=None), replace(GEOMETRIC, of=None),
    Formula("Naive", 'theta | c tilde "Beta"(a + c, b + n - c)', "θ | c ∼ Beta(a + c, b + n − c)", NOTES, "naive"),
    Formula("Naive, mean", "E[theta | c] = (a + c)/(a + b + n)", "E[θ | c] = (a + c)/(a + b + n)", NOTES, "naive"),
    Formula("No naive posterior, with Laplace noise",
            'Pr["invalid"] = 1/2 e^(-epsilon (a + k)) + 1/2 e^(-epsilon (b + n - k))',
            "Pr[invalid] = ½ e^(−ε (a + k)) + ½ e^(−ε (b + n − k))", NOTES, "naive"),
    Formula("Clamped", 'theta | c tilde "Beta"(a + c\', b + n - c\') quad c\' = min(max(c, 0), n)',
            "θ | c ∼ Beta(a + c′, b + n − c′), c′ = min(max(c, 0), n)", NOTES, "clamped"),
    Formula("Clamped, bias with Laplace noise",
            "E[c' - k] = (e^(-epsilon k) - e^(-epsilon (n - k)))/(2 epsilon)",
            "E[c′ − k] = (e^(−ε k) − e^(−ε (n − k)))/(2 ε)", NOTES, "clamped"),
    Formula("Noise-aware",
            'p(theta | c) = sum_k w_k "Beta"(theta; a + k, b + n - k) \\ '
            'w_k prop "BetaBin"(k; n, a, b) e^(-epsilon abs(c - k))',
            "p(θ | c) = Σₖ wₖ Beta(θ; a + k, b + n − k) where wₖ ∝ BetaBin(k; n, a, b) e^(−ε |c − k|)", BS18, "aware"),
    Formula("Likelihood of a noisy count, without the sum (derived here)",
            "p(c | theta) prop e^(-epsilon c) (1 + theta (e^epsilon - 1))^n F(floor(c); n, theta_+) \\ "
            "+ e^(epsilon c) (1 - theta (1 - e^(-epsilon)))^n (1 - F(floor(c); n, theta_-))",
            "p(c | θ) ∝ e^(−ε c) (1 + θ (e^ε − 1))^n F(⌊c⌋; n, θ₊) + e^(ε c) (1 − θ (1 − e^(−ε)))^n "
            "(1 − F(⌊c⌋; n, θ₋))", WM10, "aware"),
    Formula("Its two rates",
            "theta_(plus.minus) = (theta e^(plus.minus epsilon))/(1 - theta + theta e^(plus.minus epsilon))",
            "θ_(±) = (θ e^(± ε))/(1 − θ + θ e^(± ε))", WM10, "aware"),
    Formula("Where the noise weighs as much as the sample, at a rate of ½",
            "epsilon = sqrt(8/n)", "ε = √(8/n)", DMNS06),
    BELIEF,
)
