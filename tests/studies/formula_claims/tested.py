"""The formulas of tests of a share."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import bdtrc, gammaln

from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.studies.test import Test
from formula_claims.kit import claim, law, right, same, value


def asked(d, **more):
    share = d.between(0.2, 0.6)
    return {"epsilon": d.log(0.1, 3), "share": share, "alternative": share + d.between(0.05, 0.3),
            "people": d.whole(10, 60), "level": d.log(0.01, 0.2), **more}


def of(series, **now):
    """φ of a series at an array of counts."""
    one = answer(Test(**now), simulate=False).answer.one(series)
    return lambda k: one.rejects(np.asarray(k, dtype=float))


@claim("Power of a test")
def _(d):
    now = asked(d)
    for series in ("private", "laplace", "plain"):
        letters = {"n": now["people"], "p": now["alternative"], "j": np.arange(now["people"] + 1),
                   "φ": of(series, **now)}
        same(value("test", "test_power", series, **now), right("Power of a test", letters), rel=1e-8)


law("Canonical noise, δ = 0", "ε x", lambda e, x: float(CanonicalNoise(e).cdf(x)), {"x": (-30.0, 0.0)}, rel=1e-8)


@claim("Most powerful private test", "From one person to the next")
def _(d):
    now = asked(d, delta=d.log(1e-6, 0.05))
    k = np.arange(now["people"] + 1)
    phi, noise = of("private", **now)(k), CanonicalNoise(now["epsilon"], now["delta"])
    z = value("test", "rejects_from", "private", **now)
    letters = {"F": noise.cdf, "k": k, "z": z}
    np.testing.assert_allclose(right("Most powerful private test", letters), phi, rtol=1e-6, atol=1e-13)
    for here in np.flatnonzero((phi[:-1] > 0) & (phi[:-1] < 1 - 1e-9))[:9]:
        letters = {"φ": lambda i: phi[int(i)], "k": int(here), "ε": now["epsilon"], "δ": now["delta"]}
        same(phi[here + 1], right("From one person to the next", letters), rel=1e-9)


@claim("Discrete Laplace noise, from a critical value on")
def _(d):
    now = asked(d)
    phi, c = of("laplace", **now), value("test", "rejects_from", "laplace", **now)
    for k in range(now["people"] + 1):
        same(float(phi([k])[0]), right("Discrete Laplace noise, from a critical value on",
                                       {"k": k, "c": c, "ε": now["epsilon"]}))


@claim("p-value of equal tails")
def _(d):
    now = asked(d) | {"released": d.between(5, 40)}
    p, q = (value("test", "p_value", "private", **{**now, "side": side}) for side in ("greater", "less"))
    same(value("test", "p_value", "tails", **{**now, "side": "two"}), right("p-value of equal tails",
                                                                           {"p₊": p, "p₋": q}))


@claim("Pr[X ≥ c] ≤ α < Pr[X ≥ c − 1]")
def _(d):
    now = asked(d)
    c = int(value("test", "rejects_from", "naive", **now))
    tail = bdtrc(np.array([c - 1, c - 2]), now["people"], now["share"])
    assert tail[0] <= now["level"] < tail[1]


@claim("Test without privacy")
def _(d):
    now = asked(d)
    phi = of("plain", **now)(np.arange(now["people"] + 1))
    first = int(np.flatnonzero(phi > 0)[0])
    for k in range(now["people"] + 1):
        same(phi[k], right("Test without privacy", {"k": k, "z": first + 0.5 - phi[first]}))


@claim("p-value of a noisy count", 'Pr[Z ≥ z | p₋] = (1 − γ)/2 quad Pr[Z ≤ z | p₊] = (1 − γ)/2')
def _(d):
    now = asked(d, confidence=d.between(0.5, 0.99))
    now["released"] = now["people"] * d.between(0.4, 0.6)
    k, n = np.arange(now["people"] + 1), now["people"]
    noise = CanonicalNoise(now["epsilon"])
    letters = {"n": n, "j": k, "p₀": now["share"], "z": now["released"], "F": noise.cdf}
    same(value("test", "p_value", "private", **now), right("p-value of a noisy count", letters), rel=1e-8)
    for key, tail in (("share_low", noise.tail), ("share_high", noise.cdf)):
        share = value("test", key, **now)
        if not 1e-9 < share < 1 - 1e-9:
            continue
        mass = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * math.log(share)
                      + (n - k) * math.log1p(-share))
        same(float(mass @ tail(now["released"] - k)), (1 - now["confidence"]) / 2, rel=1e-7)
