"""Makes optimal_noise.json: staircase and discrete Gaussian noise by their definitions, in fifty digits.

    python tests/oracles/optimal_noise.py > tests/oracles/optimal_noise.json

Sums run over every whole number, or every stretch between two jumps of a density, that can matter.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise

import mpmath
from mpmath import mpf

mpmath.mp.dps = 50


def gauss(k, sigma):
    return mpmath.exp(-(mpf(k) ** 2) / (2 * sigma**2))


def discrete(sigma, epsilon, moved, x):
    """δ(ε), Pr[X ≥ x], E|X| and the standard deviation."""
    far = int(60 * sigma) + moved + x + 5
    law = {k: gauss(k, sigma) for k in range(-far, far + 1)}
    whole = sum(law.values())
    delta = sum(max(law.get(k - moved, mpf(0)) - mpmath.exp(epsilon) * law[k], 0) for k in law)
    return (delta / whole, sum(law[k] for k in range(x, far + 1)) / whole,
            sum(abs(k) * p for k, p in law.items()) / whole,
            mpmath.sqrt(sum(k * k * p for k, p in law.items()) / whole))


def staircase(epsilon, made_for, gamma, prime, moved, x):
    """δ(ε′), Pr[X ≥ x], E|X| and the standard deviation."""
    def density(y):
        height = (1 - mpmath.exp(-epsilon)) / (2 * made_for * (gamma + mpmath.exp(-epsilon) * (1 - gamma)))
        return height * mpmath.exp(-epsilon * mpmath.floor(abs(y) / made_for + 1 - gamma))

    jumps = [(k + gamma) * made_for for k in range(int((120 + 2 * x / made_for) / epsilon) + int(moved / made_for) + 9)]
    jumps += [mpf(0), mpf(x)] + [-jump for jump in jumps]
    cuts = sorted({*jumps, *(jump + moved for jump in jumps)})
    parts = [(a, b, density((a + b) / 2), density((a + b) / 2 - moved)) for a, b in pairwise(cuts)]
    return (sum((b - a) * max(there - mpmath.exp(prime) * here, 0) for a, b, here, there in parts),
            sum((b - a) * here for a, b, here, _ in parts if a >= x),
            sum((b - a) * here * abs(a + b) / 2 for a, b, here, _ in parts),
            mpmath.sqrt(sum(here * (b**3 - a**3) / 3 for a, b, here, _ in parts)))


def rows():
    draw = random.Random(2014)
    for _ in range(20):
        sigma = mpf(round(10 ** draw.uniform(-0.7, 1.8), 3))
        moved = draw.choice([1, 1, 2, 5])
        w = draw.uniform(0.5, 9)
        epsilon, x = mpf(round(float(w * moved / sigma), 4)), int(draw.uniform(1, 20) * sigma) + 1
        yield "discrete", {"sigma": sigma, "epsilon": epsilon, "sensitivity": moved, "x": x}, discrete(
            sigma, epsilon, moved, x)
    for case in range(20):
        epsilon, made_for = mpf(round(10 ** draw.uniform(-1, 1), 3)), mpf(draw.choice(["1", "0.5", "3"]))
        gamma = mpf(round(draw.random(), 2)) if case % 2 else 1 / (1 + mpmath.exp(epsilon / 2))
        moved = mpf(round(float(made_for) * draw.choice([1, 2, draw.random(), draw.uniform(1, 4)]), 3))
        prime, x = mpf(round(float(epsilon) * draw.uniform(0, 1.5), 4)), mpf(round(draw.uniform(0, 9), 2)) * made_for
        given = {"epsilon": epsilon, "sensitivity": made_for, "gamma": gamma if case % 2 else None, "prime": prime,
                 "moved": moved, "x": x}
        yield "staircase", given, staircase(epsilon, made_for, gamma, prime, moved, x)


if __name__ == "__main__":
    keys = ("delta", "tail", "mean_error", "sd")
    print(json.dumps([
        {"noise": noise, "params": {key: None if value is None else mpmath.nstr(mpf(value), 30)
                                    for key, value in params.items()}}
        | {key: mpmath.nstr(value, 40) for key, value in zip(keys, found, strict=True)}
        for noise, params, found in rows()], indent=1, ensure_ascii=False))
