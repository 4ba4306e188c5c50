"""The decisions once more, from their definitions, at sixty digits: slow, plain and independent of the package.

A decision is a list of pairs (f(N), g(N)) for N = 0, 1, … of `mpf`. Generalized decisions step by step, the others by
the distribution of their noise, and whatever is asked about privacy by trying every pair.
"""

from __future__ import annotations

from itertools import pairwise

from mpmath import erfc, erfinv, exp, expm1, findroot, inf, log, log1p, mp, mpf, sqrt

mp.dps = 60

Curve = list[tuple[mpf, mpf]]


def laplace(epsilon: float, threshold: mpf, records: int) -> Curve:
    """Pr[N + Lap(1/ε) ≥ k] for N below `records`."""
    curve = []
    for n in range(records):
        distance = mpf(epsilon) * (n - threshold)
        tail = exp(-abs(distance)) / 2
        curve.append((tail, 1 - tail) if distance < 0 else (1 - tail, tail))
    return curve


def laplace_threshold(epsilon: float, minimum: int, p: mpf, q: mpf) -> mpf:
    """k with Pr[m + Lap(1/ε) ≥ k] = p."""
    return minimum - log(2 * p) / mpf(epsilon) if p <= q else minimum + log(2 * q) / mpf(epsilon)


def cutoff(epsilon: float, minimum: float, records: int) -> Curve:
    curve = []
    for n in range(records):
        missing = max(mpf(0), mpf(minimum) - n)
        curve.append((exp(-mpf(epsilon) * missing), -expm1(-mpf(epsilon) * missing)))
    return curve


def steepest(epsilon: float, delta: float, minimum: int, p: mpf, q: mpf, records: int) -> Curve:
    """The largest f above m and the smallest below it that (ε, δ)-DP allows, one record at a time."""
    rise, shrink, d = exp(mpf(epsilon)), exp(-mpf(epsilon)), mpf(delta)

    def up(f: mpf, g: mpf) -> tuple[mpf, mpf]:
        if rise * f + d <= min(1, 1 - shrink * (g - d)):
            return rise * f + d, 1 - rise * f - d
        g = max(mpf(0), shrink * (g - d))
        return 1 - g, g

    above, below = [(p, q)], [(q, p)]
    while len(above) < records - minimum:
        above.append(up(*above[-1]))
    while len(below) < minimum + 1:
        below.append(up(*below[-1]))
    return [(f, g) for g, f in below[:0:-1]] + above


def quantile(p: mpf, q: mpf) -> mpf:
    """Φ⁻¹(p)."""
    if p == q:
        return mpf(0)
    tail = min(p, q)
    start = -sqrt(2) * erfinv(1 - 2 * tail) if tail > mpf("1e-10") else -sqrt(-2 * log(tail))
    x = findroot(lambda x: log(erfc(-x / sqrt(2)) / 2) - log(tail), start)
    return x if p < q else -x


def gaussian(mu: float, minimum: int, p: mpf, q: mpf, records: int) -> Curve:
    start = quantile(p, q)
    positions = [start + mpf(mu) * (n - minimum) for n in range(records)]
    return [(erfc(-z / sqrt(2)) / 2, erfc(z / sqrt(2)) / 2) for z in positions]


def excesses(curve: Curve, epsilon: float) -> list[mpf]:
    """What every pair of neighbours needs: the largest of the four hockey sticks."""
    e = exp(mpf(epsilon))
    return [max(f1 - e * f0, g0 - e * g1, f0 - e * f1, g1 - e * g0)
            for (f0, g0), (f1, g1) in pairwise(curve)]


def smallest_delta(curve: Curve, epsilon: float) -> mpf:
    return max(mpf(0), *excesses(curve, epsilon))


def without_zero(curve: Curve) -> Curve:
    """The decision of those who never accept a dataset of no records."""
    return [(mpf(0), mpf(1)), *curve[1:]]


def losses(curve: Curve, n: int) -> tuple[mpf, mpf]:
    """ln f(n+1)/f(n) and ln g(n)/g(n+1)."""
    (f0, g0), (f1, g1) = curve[n], curve[n + 1]
    return _log_ratio(f1, g1, f0, g0), _log_ratio(g0, f0, g1, f1)


def logarithm(tail: mpf, other: mpf) -> mpf:
    """ln of a tail, to all digits also where the tail is near 1."""
    return log(tail) if tail < other else log1p(-other)


def _log_ratio(a: mpf, not_a: mpf, b: mpf, not_b: mpf) -> mpf:
    if not b:
        return mpf(inf) if a else mpf(0)
    return logarithm(a, not_a) - logarithm(b, not_b)


def first(curve: Curve, accept: mpf, reject: mpf) -> int | None:
    """The smallest n whose f reaches a level, compared through the smaller of both tails."""
    for n, (f, g) in enumerate(curve):
        if (f >= accept) if accept <= reject else (g <= reject):
            return n
    return None


def gaussian_delta(mu: mpf, epsilon: float) -> mpf:
    """The smallest δ at which μ-GDP implies (ε, δ)-DP."""
    e = mpf(epsilon)

    def below(x: mpf) -> mpf:
        return erfc(-x / sqrt(2)) / 2

    return below(mu / 2 - e / mu) - exp(e) * below(-mu / 2 - e / mu)
