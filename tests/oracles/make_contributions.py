"""Makes contributions.json, person by person and by quadrature with 50 digits: python make_contributions.py."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

from mpmath import mp

mp.dps = 50
RAND = [1] * 35 + [2] * 23 + [3] * 451 + [4] * 7 + [5] * 185
"""Rows with a physical limitation of each person of the RAND table who has any."""


def sigma_of(epsilon, delta):
    """The σ at which Φ(1/(2σ) − εσ) − e^ε Φ(−1/(2σ) − εσ) = δ, by bisection."""
    low, high = mp.mpf("1e-3"), mp.mpf("1e6")
    for _ in range(200):
        sigma = mp.sqrt(low * high)
        spent = mp.ncdf(1 / (2 * sigma) - epsilon * sigma) - mp.e**epsilon * mp.ncdf(-1 / (2 * sigma) - epsilon * sigma)
        low, high = (sigma, high) if spent > delta else (low, sigma)
    return high


def noisy(noise, epsilon, delta, bound, lost):
    """The variance of the noise and E|noise − lost|, from its density or its probabilities alone."""
    if noise == "geometric":
        a = mp.e ** (-epsilon / bound)
        pr = lambda x: (1 - a) / (1 + a) * a ** abs(x)  # noqa: E731
        last = int(120 * bound / epsilon) + lost
        whole = [(x, pr(x)) for x in range(-last, last + 1)]
        return mp.fsum(x * x * p for x, p in whole), mp.fsum(abs(x - lost) * p for x, p in whole)
    if noise == "laplace":
        scale = bound / epsilon
        density = lambda x: mp.e ** (-abs(x) / scale) / (2 * scale)  # noqa: E731
    else:
        scale = bound * sigma_of(epsilon, delta)
        density = lambda x: mp.npdf(x, 0, scale)  # noqa: E731
    ends = [-200 * scale, -30 * scale, -8 * scale, -2 * scale, 0, *(k * scale for k in (2, 8, 30, 200)), mp.mpf(lost)]
    ends = sorted(set(ends))
    return (mp.quad(lambda x: x * x * density(x), ends), mp.quad(lambda x: abs(x - lost) * density(x), ends))


def main():
    rng = random.Random(20)
    cases = [(RAND, Fraction(1, 200)), (RAND, Fraction(1, 10))]
    for _ in range(6):
        persons, heavy = rng.randint(1, 60), rng.choice((1.0, 2.0, 4.0))
        cases.append(([min(9, int(rng.random() ** -(1 / heavy))) for _ in range(persons)],
                      Fraction(rng.randint(1, 60), 20)))
    made = []
    for people, share in cases:
        epsilon, delta = mp.mpf(share.numerator) / share.denominator, mp.mpf(10) ** -6
        quadrature = len(people) < 100
        for bound in range(1, max(people) + 1):
            kept = sum(min(bound, rows) for rows in people)
            lost = sum(people) - kept
            row = {"rows": {str(r): people.count(r) for r in sorted(set(people))}, "epsilon": str(share),
                   "delta": "1e-6", "bound": bound, "kept": kept, "lost": lost,
                   "beyond": sum(rows > bound for rows in people), "noises": {}}
            for noise in ("laplace", "gaussian", *(("geometric",) if quadrature else ())):
                variance, mean = noisy(noise, epsilon, delta, bound, lost)
                row["noises"][noise] = [mp.nstr(each, 40) for each in (
                    mp.sqrt(variance), mp.sqrt(variance + lost * lost), mean)]
            made.append(row)
    told = {"made_by": "make_contributions.py: person by person; noise by sums and quadrature with 50 digits",
            "noises": "sd of the noise, root of the mean square of the error, mean of its absolute value",
            "cases": made}
    Path(__file__).with_name("contributions.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
