"""The formulas of a sum, a mean or a quantile of people's values."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.mechanisms.noise import LaplaceNoise
from dpstudio.mechanisms.quantile import PrivateQuantile
from formula_claims.kit import LN, claim, right, same, value


def text_of(values):
    return ",".join(map(repr, values.tolist()))


def drawn(d):
    values = np.sort(d.rng.uniform(-20, 100, d.whole(2, 30)))
    lower, upper = d.between(-15, 5), d.between(20, 90)
    return values, {"amounts": text_of(values), "lower": lower, "upper": upper, "epsilon": d.epsilon, "delta": d.delta}


@claim("What clipping moves a sum by")
def _(d):
    values, now = drawn(d)
    bias = right("What clipping moves a sum by", {"L": now["lower"], "U": now["upper"], "xᵢ": values})
    same(value("number", "number_bias", "laplace", **now), bias)
    same(np.clip(values, now["lower"], now["upper"]).sum() - values.sum(), bias)


@claim("What one person moves a sum by")
def _(d):
    _, now = drawn(d)
    rows = d.whole(1, 9)
    same(value("number", "number_sensitivity", "laplace", **now, rows=rows), right(
        "What one person moves a sum by", {"c": rows, "L": now["lower"], "U": now["upper"]}))


@claim("Error of a clipped sum, Laplace", "Error of a clipped sum, Gaussian")
def _(d):
    _, now = drawn(d)
    bias, moved = (value("number", f"number_{key}", "laplace", **now) for key in ("bias", "sensitivity"))
    same(value("number", "number_rmse", "laplace", **now), right(
        "Error of a clipped sum, Laplace", {"B": bias, "Δ₁": moved, "ε": now["epsilon"]}))
    same(value("number", "number_rmse", "gaussian", **now), right("Error of a clipped sum, Gaussian", {
        "B": bias, "σ": value("number", "noise_sd", "gaussian", **now)}))


@claim("Error of a clipped sum at a level, Laplace")
def _(d):
    _, now = drawn(d)
    bias, moved = (value("number", f"number_{key}", "laplace", **now) for key in ("bias", "sensitivity"))
    level, b = d.between(0.6, 0.999), moved / now["epsilon"]
    t = value("number", "error_at_level", "laplace", **now, error_level=level)
    same(right("Error of a clipped sum at a level, Laplace", {"B": bias, "b": b, "t": t}), 1 - level)
    noise = LaplaceNoise(b)
    same(noise.tail(t - abs(bias)) + noise.tail(t + abs(bias)), 1 - level)


@claim("A quantile drawn from pieces", "How far a piece is from the quantile")
def _(d):
    values, q, e = np.sort(d.rng.uniform(0, 100, d.whole(1, 20))), d.between(0.05, 0.95), d.epsilon
    law, i = PrivateQuantile(values, 0.0, 100.0, q, e), np.arange(len(values) + 1)
    place = {"i": i, "q": q, "n": len(values)}
    away = right("How far a piece is from the quantile", place)
    most = right("How far a piece is from the quantile", place, 1)
    width = np.diff(np.concatenate([[0.0], values, [100.0]]))
    same(law.probabilities, right("A quantile drawn from pieces", {
        "wᵢ": width, "wⱼ": width, "dᵢ": away, "dⱼ": away, "Δ₁": most, "ε": e}))
    same(law.sensitivity, most)


@claim("A bound chosen privately, its parts")
def _(d):
    e, part, rows = d.epsilon, d.between(0.1, 0.9), d.whole(1, 4)
    values = np.sort(d.rng.uniform(0, 100, 30))
    study = {"amounts": text_of(values), "epsilon": e, "bound_share": part, "rows": rows, "upper": 120.0}
    first, second, above = (right("A bound chosen privately, its parts", {"t": part, "ε": e, "c": rows}, at)
                            for at in range(3))
    pieces = np.concatenate([[0.0], values, [120.0]])
    # One person moves how many lie above by c at most, and a rank counts with half of that.
    logs = LN(1) + np.log(np.diff(pieces)) - first / rows / 2 * abs((30 - np.arange(31)) - above)
    chance = np.exp(logs - logs.max())
    chance = np.cumsum(chance) / chance.sum()
    i = int(np.searchsorted(chance, 0.5))
    before = chance[i - 1] if i else 0.0
    median = pieces[i] + (0.5 - before) / (chance[i] - before) * (pieces[i + 1] - pieces[i])
    same(value("number", "chosen_upper", "bounded", **study), median)
    same(first + second, e)
    assert math.isclose(above * second, rows)
