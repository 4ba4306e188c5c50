"""Makes selection.json: probabilities that groups are shown, and of whole noise and a coin, at fifty digits.

The optimum goes step by step by its recurrence, truncated geometric noise is summed value by value, Laplace and
Gaussian noise is what its distribution says, the Gaussian σ by bisection; whole noise is summed value by value, and its
δ is looked for at every pair. Run: python tests/oracles/make_selection.py
"""

import json
from itertools import pairwise
from pathlib import Path

from mpmath import erfc, erfinv, exp, log, mp, mpf, sqrt

mp.dps = 50
SETTINGS = [("1", "1e-5", 1), ("0.1", "1e-6", 1), ("3", "0.01", 1), ("0.5", "1e-9", 3), ("2", "0.3", 2),
            ("0.05", "1e-4", 10)]
USERS = (1, 2, 3, 5, 8, 12, 13, 20, 33, 50, 90, 160, 300, 700)


def optimal(epsilon, delta):
    shown, curve = mpf(0), []
    for _ in range(USERS[-1] + 1):
        curve.append((shown, 1 - shown))
        shown = min(exp(epsilon) * shown + delta, 1 - exp(-epsilon) * (1 - shown - delta), mpf(1))
    return curve


def geometric(epsilon, delta):
    """n + X > k with Pr[X = x] ∝ e^(−ε|x|) on −k…k, and the least k with Pr[X = k] ≤ δ."""
    a, reach = exp(-epsilon), 0
    weights = {0: mpf(1)}
    while weights[reach] / (1 + 2 * sum(weights[x] for x in range(1, reach + 1))) > delta:
        reach += 1
        weights[reach] = a**reach
    total = 1 + 2 * sum(weights[x] for x in range(1, reach + 1))
    law = {x: weights[abs(x)] / total for x in range(-reach, reach + 1)}
    return [(sum((p for x, p in law.items() if n + x > reach), mpf(0)),
             sum((p for x, p in law.items() if n + x <= reach), mpf(0))) for n in range(USERS[-1] + 1)]


def laplace(epsilon, delta):
    threshold = 1 + log(1 / (2 * delta)) / epsilon
    curve = [(mpf(0), mpf(1))]
    for n in range(1, USERS[-1] + 1):
        tail = exp(-epsilon * abs(n - threshold)) / 2
        curve.append((tail, 1 - tail) if n < threshold else (1 - tail, tail))
    return curve


def below(x):
    return erfc(-x / sqrt(2)) / 2


def gaussian(epsilon, delta, partitions):
    def needed(mu):
        return below(mu / 2 - epsilon / mu) - exp(epsilon) * below(-mu / 2 - epsilon / mu)

    low, high = mpf("1e-6"), mpf(100)
    for _ in range(180):
        middle = (low + high) / 2
        low, high = (middle, high) if needed(middle) <= delta / 2 else (low, middle)
    mu = low / sqrt(partitions)
    of_one = 1 - (1 - delta / 2) ** (mpf(1) / partitions)
    threshold = 1 - sqrt(2) * erfinv(2 * of_one - 1) / mu
    return [(mpf(0), mpf(1)), *((below(mu * (n - threshold)), below(-mu * (n - threshold)))
                                for n in range(1, USERS[-1] + 1))]


COINS = [("discrete_gaussian", "2.5", 40, 0.3), ("discrete_gaussian", "0.7", 9, 0.9),
         ("discrete_gaussian", "9", 60, 0.5), ("discrete_gaussian", "4", 12, 0.001),
         ("discrete_laplace", "0.8", 20, 0.3), ("discrete_laplace", "0.2", 30, 0.97), ("discrete_laplace", "2", 8, 0.5)]
AT = (0, 1, 5, 8, 9, 10, 12, 15, 20, 25, 30, 33, 38, 40, 41, 50, 60, 75, 100)
EPSILONS = ("0", "0.05", "0.3", "1", "2.5")


def gaussian_weight(sigma):
    return lambda x: exp(-mpf(x) ** 2 / (2 * sigma**2)), int(20 * sigma) + 110


def laplace_weight(epsilon):
    return lambda x: exp(-epsilon * abs(x)), int(130 / epsilon) + 110


def coin(weight, reach, minimum, target):
    """f(n) = w Pr[n + X ≥ k] + (1 − w) Pr[n + X ≥ k + 1] with f(m) = p, by sums over −reach…reach."""
    masses = [weight(x) for x in range(-reach, reach + 1)]
    total = sum(masses)
    at_least, below = [mpf(0)], [mpf(0)]
    for mass in reversed(masses):
        at_least.append(at_least[-1] + mass / total)
    for mass in masses:
        below.append(below[-1] + mass / total)
    at_least.reverse()

    def tails(x):
        i = min(max(x + reach, 0), len(masses))
        return at_least[i], below[i]

    k = next(k for k in range(minimum + reach, minimum - reach, -1) if tails(k - minimum)[0] >= target)
    w = (target - tails(k + 1 - minimum)[0]) / (tails(k - minimum)[0] - tails(k + 1 - minimum)[0])
    return [tuple(w * a + (1 - w) * b for a, b in zip(tails(k - n), tails(k + 1 - n), strict=True))
            for n in range(AT[-1] + 2)]


def main():
    rows = []
    for texts in SETTINGS:
        # The doubles that these texts are, which is what is asked with.
        whole, total, partitions = mpf(float(texts[0])), mpf(float(texts[1])), texts[2]
        epsilon, delta = whole / partitions, 1 - (1 - total) ** (mpf(1) / partitions)
        for kind, curve in (("optimal", optimal(epsilon, delta)), ("geometric", geometric(epsilon, delta)),
                            ("laplace", laplace(epsilon, delta)), ("gaussian", gaussian(whole, total, partitions))):
            rows.append({"kind": kind, "epsilon": texts[0], "delta": texts[1], "partitions": partitions,
                         "n": list(USERS), "shown": [mp.nstr(curve[n][0], 30) for n in USERS],
                         "hidden": [mp.nstr(curve[n][1], 30) for n in USERS]})
    decisions = []
    for kind, parameter, minimum, target in COINS:
        weight, reach = (gaussian_weight if kind == "discrete_gaussian" else laplace_weight)(mpf(float(parameter)))
        curve = coin(weight, reach, minimum, mpf(target))
        deltas = [max(mpf(0), *(max(f1 - exp(e) * f0, g0 - exp(e) * g1) for (f0, g0), (f1, g1)
                                in pairwise(curve))) for e in map(mpf, EPSILONS)]
        decisions.append({"kind": kind, "parameter": parameter, "minimum": minimum, "target": target, "n": list(AT),
                          "accept": [mp.nstr(curve[n][0], 30) for n in AT],
                          "reject": [mp.nstr(curve[n][1], 30) for n in AT], "epsilon": list(EPSILONS),
                          "delta": [mp.nstr(each, 30) for each in deltas]})
    made = {"made_by": "tests/oracles/make_selection.py", "digits": 50, "rows": rows, "decisions": decisions}
    Path(__file__).with_name("selection.json").write_text(f"{json.dumps(made, indent=1)}\n", "utf-8")


if __name__ == "__main__":
    main()
