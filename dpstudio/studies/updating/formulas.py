"""The formulas of the updating study."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.formula import Formula
from dpstudio.core.sources import CSS11, DMNS06, DNPR10, DRS22, KKP01, KOV15, NOTES
from dpstudio.studies.kit.formulas import GAUSSIAN, LAPLACE

FORMULAS = (
    replace(LAPLACE, of=None),
    Formula("Variance after t batches, of r terms", '"Var" = 2 r (Δ₁/ε)²', DMNS06),
    Formula("Sum of batches",
            'r = t quad Δ₁ = cases(1 quad & "for once", Q quad & "for status and visits")', NOTES, "sequential"),
    Formula("Recount",
            'r = 1 quad Δ₁ = cases(Q quad & "for once and status", (Q (Q + 1))/2 quad & "for visits")',
            NOTES, "retrain"),
    Formula("Recount, skewed",
            '"Var" = cases(2 ((Q − 1)/((1 − s) ε))² quad & "for" t < Q, 2 (1/(s ε))² quad & "for" t = Q) quad "for '
            'once and status"', NOTES, "skewed"),
    Formula("Recount, skewed, where every yes counts",
            '"Var" = cases(2 ((Q (Q − 1))/(2 (1 − s) ε))² quad & "for" t < Q, 2 (Q/(s ε))² quad & "for" t = Q)',
            NOTES, "skewed"),
    Formula("Binary tree",
            'r = op("popcount")(t) quad L = floor(log₂ Q) + 1 \\ Δ₁ = cases(L quad & "for once", Q quad & "for '
            'status", Σ_(l < L) 2^l ceil(floor(Q/2^l)/2) quad & "for visits")', DNPR10, "tree"),
    Formula("Binary tree, its worst batch", 'max_(t ≤ Q) op("popcount")(t) = floor(log₂ (Q + 1))', CSS11, "tree"),
    Formula("Error that 95 % stay within", "Pr[abs(X₁ + ⋯ + X_r) ≤ e₉₅] = 0.95", KKP01),
    Formula("The rate, from N answers", 'op("sd") = √((θ (1 − θ))/N + "Var"/N²)', NOTES),
    Formula("Recount, composed optimally",
            '"Var" = (2 r)/ε₀² quad δ = Σⱼ binom(Q, j) p^(Q − j) q^j max(0, 1 − e^(ε − (Q − 2 j) ε₀)) \\ p = '
            'e^(ε₀)/(1 + e^(ε₀)) quad q = 1 − p', KOV15, "retrain"),
    replace(GAUSSIAN, of=None),
    Formula("Gaussian noise instead, σ₁ the least σ for Δ₂ = 1", '"Var" = r Δ₂² σ₁²', DRS22),
)
