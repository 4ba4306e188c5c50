"""The formulas of the mean study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import AKMV19, DMNS06, GRS12, H63, LECTURE
from dpstudio.studies.kit.formulas import BELIEF, GAUSSIAN, GEOMETRIC, LAPLACE, SYMMETRIC

FORMULAS = (
    SYMMETRIC,
    Formula("Randomized response, error",
            'op("sd")_"group" = 1/(2 sinh(epsilon/2) sqrt(n))', "sd_group = 1/(2 sinh(ε/2) √(n))", LECTURE, "response"),
    LAPLACE,
    Formula("Laplace, error", 'op("sd")_"group" = sqrt(2)/(n epsilon)', "sd_group = √(2)/(n ε)", DMNS06, "laplace"),
    GEOMETRIC,
    Formula("Geometric, error",
            'op("sd")_"group" = 1/(sqrt(2) n sinh(epsilon/2))', "sd_group = 1/(√(2) n sinh(ε/2))", GRS12, "geometric"),
    GAUSSIAN,
    Formula("Gaussian, error", 'op("sd")_"group" = sigma/n', "sd_group = σ/n", LECTURE, "gaussian"),
    Formula("Error about the population",
            'op("sd")_"population" = sqrt(op("sd")_"group"^2 + (pi (1 - pi))/n)',
            "sd_population = √(sd_group² + (π (1 − π))/n)", LECTURE),
    Formula("Error that 95 % stay within, randomized response",
            "e_95 <= sqrt((ln 40)/(2 n))/tanh(epsilon/2)", "e₉₅ ≤ √((ln 40)/(2 n))/tanh(ε/2)", H63, "response"),
    Formula("Error that 95 % stay within, Laplace", "e_95 = (ln 20)/(n epsilon)", "e₉₅ = (ln 20)/(n ε)", DMNS06,
            "laplace"),
    Formula("Where randomized response has the smaller error",
            "n < (8 sinh^2(epsilon/2))/epsilon^2", "n < (8 sinh²(ε/2))/ε²", LECTURE, "response"),
    Formula("Times as many people for the error of Laplace noise",
            "n_(\"response\")/n = (n epsilon^2)/(8 sinh^2(epsilon/2))", "n_response/n = (n ε²)/(8 sinh²(ε/2))", LECTURE,
            "response"),
    Formula("Rows lost to a bound, of persons by their rows", "B(b) = sum_(r > b) (r - b) P_r",
            "B(b) = Σ over r > b of (r − b) P_r", AKMV19),
    Formula("Laplace, error under a bound", 'op("error")_b = sqrt(B(b)^2 + (2 b^2)/epsilon^2)/n',
            "error_b = √(B(b)² + (2 b²)/ε²)/n", AKMV19, "laplace"),
    Formula("Laplace, bound of the least rows lost and mean noise together",
            "min_b (B(b) + b/epsilon) quad \"at the least\" b \"with\" sum_(r > b) P_r <= 1/epsilon",
            "min over b of (B(b) + b/ε) at the least b with Σ over r > b of P_r ≤ 1/ε", AKMV19, "laplace"),
    BELIEF,
)
