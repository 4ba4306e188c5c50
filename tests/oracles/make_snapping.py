"""Makes snapping.json: the law of snapped answers by its definition, in fifty digits."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

from mpmath import exp, floor, inf, log, mp, mpf, sqrt

mp.dps = 50


def exactly(number: float) -> mpf:
    return mpf(number)


def below(x: mpf, scale: mpf) -> mpf:
    """Pr[Laplace noise < x]."""
    return exp(x / scale) / 2 if x < 0 else 1 - exp(-x / scale) / 2


def row(epsilon: float, bound: float, sensitivity: float, answer: float) -> dict:
    """λ as the least double that keeps ε, then every outcome's probability from the noise that is rounded to it."""
    needed = (1 + Fraction(bound) / Fraction(sensitivity) / 2**49) / Fraction(epsilon)
    multiplier = float(needed)
    if Fraction(multiplier) < needed:
        multiplier = float(mpf(multiplier) * (1 + mpf(2) ** -52))
    step = mpf(sensitivity) * mpf(2) ** mp.ceil(log(mpf(multiplier), 2))
    scale, centre = mpf(sensitivity) * mpf(multiplier), min(max(mpf(answer), -mpf(bound)), mpf(bound))
    outcomes: dict[mpf, mpf] = {}
    middle, reach = int(floor(centre / step)), int(120 * scale / step) + 2
    for k in range(middle - reach, middle + reach + 1):
        low = (k - mpf(1) / 2) * step - centre if k > middle - reach else -inf
        high = (k + mpf(1) / 2) * step - centre if k < middle + reach else inf
        share = (1 if high == inf else below(high, scale)) - (0 if low == -inf else below(low, scale))
        outcome = min(max(k * step, -mpf(bound)), mpf(bound))
        outcomes[outcome] = outcomes.get(outcome, mpf(0)) + share
    off = [(abs(outcome - mpf(answer)), share) for outcome, share in outcomes.items()]
    likely = max(outcomes, key=lambda outcome: outcomes[outcome])
    values = {"scale": scale, "grid": step, "mean_error": sum(e * p for e, p in off),
              "rms_error": sqrt(sum(e * e * p for e, p in off)), "probability": outcomes[likely]}
    return {"epsilon": epsilon, "bound": bound, "sensitivity": sensitivity, "answer": answer, "outcome": float(likely),
            "values": {name: mp.nstr(value, 30) for name, value in values.items()}}


def main() -> None:
    draw = random.Random(12)
    rows = []
    while len(rows) < 40:
        epsilon, sensitivity = round(10 ** draw.uniform(-2, 1), 3), round(10 ** draw.uniform(-1, 1), 2)
        bound = round(2 * max(sensitivity, sensitivity / epsilon) * 10 ** draw.choice([0.1, 0.5, 3, 9]), 3)
        answer = draw.choice([0.0, round(draw.uniform(-1.2, 1.2) * min(bound, 50), 2)])
        rows.append(row(epsilon, bound, sensitivity, answer))
    made = {"made_by": "make_snapping.py, mpmath at 50 digits", "rows": rows}
    Path(__file__).with_name("snapping.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
