"""The formulas of tables: all groups at once, their order, and the largest of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.integrate import quad

from dpstudio.mechanisms import selection
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.models import table
from formula_claims.kit import claim, law, right, same, value


@claim("What one person moves")
def _(d):
    now = {"K": d.whole(1, 20), "κ": d.whole(1, 20), "c": d.whole(1, 5)}
    now["m"] = right("What one person moves", now, 2)
    l1, l2 = table.sensitivities(now["K"], now["κ"], now["c"], "add or remove")
    same(l1, right("What one person moves", now, 0))
    same(l2, right("What one person moves", now, 1))
    same(value("table", "noise_scale", "laplace", groups=now["K"], per_person=now["κ"], rows=now["c"], epsilon=0.5),
         2 * l1)


law("All groups within t, Laplace", "b β K", lambda b, level, k: value(
    "table", "within_all", "laplace", epsilon=1 / b, error_level=level, groups=k),
    {"b": (0.2, 9.0), "β": (0.5, 0.999), "K": (1, 500)})


@claim("All groups within t, exactly")
def _(d):
    now = {"K": d.whole(1, 300), "t": d.whole(1, 20), "a": d.between(0.1, 0.9)}
    now["α"] = right("All groups within t, exactly", now, 1)
    same(table.coverage(GeometricNoise(-math.log(now["a"]), 1), now["K"], now["t"]),
         right("All groups within t, exactly", now, 0))


law("Order of two groups, Laplace", "d b", lambda gap, b: table.order(LaplaceNoise(b), gap)[2],
    {"d": (0.0, 9.0), "b": (0.2, 9.0)})
law("Order of two groups, Gaussian", "d σ", lambda gap, s: table.order(GaussianNoise(s), gap)[2], {"d": (0.0, 9.0)})
law("Negative counts set to 0, Laplace", "b n", lambda b, n: table.clamped_bias(LaplaceNoise(b), n),
    {"b": (0.2, 9.0), "n": (0, 40)})


@claim('Pr["i is named"] = e^(η nᵢ)/(Σⱼ e^(η nⱼ)) quad η = ε slash c',
       'Pr["i is named"] = pᵢ ∫₀¹ Π_(j ≠ i) (1 − pⱼ t) "d"t quad pᵢ = e^(−η (n₁ − nᵢ))',
       'Pr["i is named"] = ∫ f(v − nᵢ) Π_(j ≠ i) F(v − nⱼ) "d" v')
def _(d):
    counts = np.sort(d.rng.integers(0, 12, 5))[::-1].astype(float)
    epsilon, rows = d.between(0.1, 1.5), d.whole(1, 3)
    eta, scale = epsilon / rows, LaplaceNoise(rows / epsilon)
    p = np.exp(-eta * (counts[0] - counts))
    settings = {"released": "largest", "cells": ",".join(str(int(n)) for n in counts), "epsilon": epsilon, "rows": rows}
    shares = {
        "exponential": np.exp(eta * counts) / np.exp(eta * counts).sum(),
        "permute_and_flip": np.array([p[i] * quad(lambda t, i=i: np.prod(1 - np.delete(p, i) * t), 0, 1)[0]
                                      for i in range(5)]),
        "noisy_max_laplace": np.array([_on_top(scale, counts, i) for i in range(5)]),
    }
    for method, found in shares.items():
        same(found, getattr(selection, method)(counts, epsilon, rows, True), rel=1e-7)
        same(value("table", "largest_right", method.removesuffix("_laplace"), **settings),
             found[counts == counts[0]].sum(), rel=1e-7)


def _on_top(noise, counts, i):
    """∫ f(v − nᵢ) Π F(v − nⱼ) dv, between the counts."""
    ends = np.array([-60 * noise.scale, *np.unique(counts), 20 + 60 * noise.scale])

    def rise(v):
        return float(noise.density(v - counts[i])) * math.prod(float(noise.cdf(v - n)) for n in np.delete(counts, i))

    return sum(quad(rise, a, b, epsabs=1e-13)[0] for a, b in itertools.pairwise(ends))
