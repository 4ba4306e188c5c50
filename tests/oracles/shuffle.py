"""Makes shuffle.json: values of shuffled responses from their definitions, at 50 digits."""

from __future__ import annotations

import json
from pathlib import Path

from mpmath import binomial, exp, log, mp, mpf, sqrt, tanh

mp.dps = 50


def pair(n: int, others: int, local: mpf, epsilon: mpf) -> mpf:
    """δ of the pair where so many of the others are a yes: every number of yes, both directions."""
    p = 1 / (1 + exp(-local))
    q = 1 - p
    rest = n - 1 - others
    law = [sum(binomial(others, i) * p**i * q ** (others - i) * binomial(rest, j - i) * q ** (j - i)
               * p ** (rest - j + i) for i in range(max(0, j - rest), min(others, j) + 1)) for j in range(n)]
    no = [p * (law[j] if j < n else 0) + q * (law[j - 1] if j else 0) for j in range(n + 1)]
    yes = [q * (law[j] if j < n else 0) + p * (law[j - 1] if j else 0) for j in range(n + 1)]
    return max(sum(max(mpf(0), a - exp(epsilon) * b) for a, b in zip(one, other, strict=True))
               for one, other in ((no, yes), (yes, no)))


def unanimous(n: int, local: mpf, epsilon: mpf) -> mpf:
    """The same where all others are a yes, by the number of liars: of any n, for they are few."""
    p = 1 / (1 + exp(-local))
    q = 1 - p
    best, fewer, mass = mpf(0), mpf(0), p ** (n - 1)
    for liars in range(400):
        best = max(best, (p - exp(epsilon) * q) * mass - (exp(epsilon) - 1) * fewer)
        fewer += mass
        mass *= mpf(n - 1 - liars) / (liars + 1) * q / p
    return best


def clones(n: int, local: mpf, epsilon: mpf) -> mpf:
    """δ of the pair of Feldman et al. 2021, Theorem 3.2, over all numbers of clones."""
    p, share = 1 / (1 + exp(-local)), exp(-local)
    total = mpf(0)
    for c in range(n):
        law = [binomial(c, j) / mpf(2) ** c for j in range(c + 1)] + [mpf(0)]
        one = [p * (law[j - 1] if j else 0) + (1 - p) * law[j] for j in range(c + 2)]
        other = one[::-1]
        total += binomial(n - 1, c) * share**c * (1 - share) ** (n - 1 - c) * sum(
            max(mpf(0), a - exp(epsilon) * b) for a, b in zip(one, other, strict=True))
    return total


def cheu(n: int, local: mpf, delta: mpf) -> mpf:
    coins = 2 * n / (1 + exp(local))
    sure = coins - sqrt(2 * coins * log(2 / delta))
    return sqrt(32 * log(4 / delta) / sure) * (1 - sure / n)


def closed(n: int, local: mpf, delta: mpf) -> mpf:
    return log(1 + tanh(local / 2) * (8 * sqrt(exp(local) * log(4 / delta)) / sqrt(mpf(n)) + 8 * exp(local) / n))


def rows() -> list[dict[str, object]]:
    found: list[dict[str, object]] = []

    def row(quantity: str, value: mpf, **params: float) -> None:
        found.append({"id": f"{quantity}#{len(found) + 1:03d}", "quantity": quantity, "params": params,
                      "value": mp.nstr(value, 30), "method": "tests/oracles/shuffle.py, mpmath at 50 digits"})

    for n, others, local, epsilon in ((1, 0, 1.0, 0.25), (2, 1, 0.5, 0.125), (5, 2, 3.0, 0.0), (12, 11, 2.0, 1.0),
                                      (30, 29, 3.5, 1.5), (30, 14, 3.5, 1.5), (30, 4, 0.25, 0.0625), (60, 59, 4.0, 1.0),
                                      (60, 40, 1.5, 1.25)):
        row("pair_delta", pair(n, others, mpf(local), mpf(epsilon)), n=n, others_yes=others, local=local,
            epsilon=epsilon)
    for n, local, epsilon in ((1000, 3.0, 1.0), (10_000, 5.5, 1.0), (10_000, 5.5, 0.125), (10**6, 10.25, 1.0),
                              (10**9, 17.5, 2.0), (10**12, 24.0, 1.0)):
        row("pair_delta", unanimous(n, mpf(local), mpf(epsilon)), n=n, others_yes=n - 1, local=local, epsilon=epsilon)
    for n, local, epsilon in ((1, 1.0, 0.5), (20, 2.0, 0.5), (60, 1.0, 0.25), (100, 3.0, 1.0), (150, 2.5, 0.75)):
        row("clones_delta", clones(n, mpf(local), mpf(epsilon)), n=n, local=local, epsilon=epsilon)
    for n, local, delta in ((10_000, 3.5, 2.0**-20), (10**6, 0.125, 2.0**-30), (10**12, 20.0, 2.0**-10)):
        row("cheu_epsilon", cheu(n, mpf(local), mpf(delta)), n=n, local=local, delta=delta)
        row("closed_epsilon", closed(n, mpf(local), mpf(delta)), n=n, local=local, delta=delta)
    return found


if __name__ == "__main__":
    Path(__file__).with_suffix(".json").write_text(json.dumps(rows(), indent=1) + "\n", encoding="utf-8")
