"""The formulas of the mean study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import AKMV19, BBGN19, CSUZZ19, DMNS06, FMT21, GRS12, H63, LECTURE
from dpstudio.studies.kit.formulas import BELIEF, GAUSSIAN, GEOMETRIC, LAPLACE, SYMMETRIC

FORMULAS = (
    SYMMETRIC,
    Formula("Randomized response, error", 'op("sd")_"group" = 1/(2 sinh(ε/2) √(n))', LECTURE, "response"),
    LAPLACE,
    Formula("Laplace, error", 'op("sd")_"group" = √(2)/(n ε)', DMNS06, "laplace"),
    GEOMETRIC,
    Formula("Discrete Laplace, error", 'op("sd")_"group" = 1/(√(2) n sinh(ε/2))', GRS12, "geometric"),
    GAUSSIAN,
    Formula("Gaussian, error", 'op("sd")_"group" = σ/n', LECTURE, "gaussian"),
    Formula("Shuffled responses, error", 'op("sd")_"group" = 1/(2 sinh(ε₀/2) √(n))', LECTURE, "shuffled"),
    Formula("Shuffled responses, by the coins among them",
            'δ(ε) ≤ E[max over j of ((p − e^ε q) Pr[A = j] − (e^ε − 1) Pr[A > j])] quad "for" A ∼ op("Bin")(C, 1/2) '
            'quad C ∼ op("Bin")(n − 1, 2 q) quad q = 1 − p = 1/(1 + e^(ε₀))', BBGN19, "shuffled"),
    Formula("Shuffled responses, where all others are a yes",
            'δ(ε) = max over l of ((p − e^ε q) Pr[L = l] − (e^ε − 1) min(Pr[L < l], Pr[L > l])) quad "for" L ∼ '
            'op("Bin")(n − 1, q) quad q = 1 − p = 1/(1 + e^(ε₀))', BBGN19, "shuffled"),
    Formula("Shuffled answers of any kind, by clones",
            'δ(ε) ≤ E[max over j of ((p − e^ε q) Pr[A = j] − (e^ε − 1) Pr[A > j])] quad "for" A ∼ op("Bin")(C, 1/2) '
            'quad C ∼ op("Bin")(n − 1, e^(−ε₀))', FMT21, "shuffled"),
    Formula("Shuffled answers of any kind, closed form",
            'ε ≤ ln(1 + tanh(ε₀/2) (8 √((e^(ε₀) ln(4/δ))/n) + (8 e^(ε₀))/n)) quad "for" ε₀ ≤ ln(n/(16 ln(2/δ)))',
            FMT21, "shuffled"),
    Formula("Shuffled responses, by the first theorem",
            'ε ≤ √((32 ln(4/δ))/s) (1 − s/n) quad "for" s = λ − √(2 λ ln(2/δ)) quad λ = (2 n)/(1 + e^(ε₀)) ≥ 14 '
            'ln(4/δ)', CSUZZ19, "shuffled"),
    Formula("Error about the population", 'op("sd")_"population" = √(op("sd")_"group"² + (π (1 − π))/n)', LECTURE),
    Formula("Error that 95 % stay within, randomized response", "e₉₅ ≤ √((ln 40)/(2 n))/tanh(ε/2)", H63, "response"),
    Formula("Error that 95 % stay within, shuffled responses",
            "e₉₅ ≤ (t + √(t² + 6 t n p q))/(n tanh(ε₀/2)) quad t = (ln 40)/3", H63, "shuffled"),
    Formula("Error that 95 % stay within, Laplace", "e₉₅ = (ln 20)/(n ε)", DMNS06, "laplace"),
    Formula("Where randomized response has the smaller error", "n < (8 sinh²(ε/2))/ε²", LECTURE, "response"),
    Formula("Times as many people for the error of Laplace noise",
            'n_"response"/n = (n ε²)/(8 sinh²(ε/2))', LECTURE, "response"),
    Formula("Rows lost to a bound, of persons by their rows", "B(b) = Σ over r > b of (r − b) P_r", AKMV19),
    Formula("Laplace, error under a bound", 'op("error")_b = √(B(b)² + (2 b²)/ε²)/n', AKMV19, "laplace"),
    Formula("Laplace, bound of the least rows lost and mean noise together",
            'min over b of (B(b) + b/ε) quad "at the least" b "with" Σ over r > b of P_r ≤ 1/ε', AKMV19, "laplace"),
    BELIEF,
)
