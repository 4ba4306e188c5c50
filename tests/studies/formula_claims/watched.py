"""The formulas of watching a growing count."""

from __future__ import annotations

import math

import numpy as np

from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.studies.watch import Watch
from formula_claims.kit import claim, law, right, same, value


def watched(d, **more):
    return {"epsilon": d.log(0.1, 3), "minimum": d.whole(8, 40), "times": d.whole(12, 30), "per_time": d.between(3, 6),
            "alarm": d.log(0.005, 0.3), "share": d.between(0.2, 0.8), **more}


def watching_now(of, now):
    """The threshold of a series, the counts, and how many of them lie below m."""
    counts = np.floor(now["per_time"] * np.arange(1, now["times"] + 1))
    return (now["minimum"] + value("watch", "threshold_margin", of, **now), counts,
            int(np.sum(counts < now["minimum"])))


def no_yes(density, no, low, counts, threshold):
    """Pr[T > t] for each t, by a fine sum over the threshold’s noise."""
    z = np.unique(np.concatenate([np.linspace(low, -low or 60, 60_001), [0.0]]))
    product, said = density(z), []
    for count in counts:
        product = product * no(z - (count - threshold))
        said.append(np.trapezoid(product, z))
    return np.array(said)


def noise_now(of, now):
    """ε₁ and ε₂: shares of what the study says there is."""
    letters = {"s": now["share"], "E": value("watch", "noise_epsilon", of, **now)}
    return tuple(right("Shares of what noise there is", letters, at) for at in (0, 1))


def is_watch(of, now, density, no, low):
    threshold, counts, before = watching_now(of, now)
    still = no_yes(density, no, low, counts, threshold)
    same(1 - still[before - 1], now["alarm"], rel=1e-4)
    same(value("watch", "mean_delay", of, **now), still[before:-1].sum(), rel=1e-4)


@claim('Pr[T = t] = ∫ f(z) Π_(i < t) F(z − d_i) (1 − F(z − d_t)) "d" z', "Shares of what noise there is",
       "AboveThreshold", "AboveThreshold, exp.", "Pr[T < t^*] = α")
def _(d):
    now = watched(d, epsilon=d.between(0.5, 1.5), share=d.between(0.3, 0.7), alarm=d.log(0.005, 0.05))
    for of, name, low in (("above", "AboveThreshold", -60), ("exponential", "AboveThreshold, exp.", 0)):
        noise = dict(zip(("ε₁", "ε₂"), noise_now(of, now), strict=True))
        is_watch(of, now, lambda z, name=name, noise=noise: right(name, {**noise, "z": z}),
                 lambda x, name=name, noise=noise: np.maximum(right(name, {**noise, "x": x}, 1), 0), low)


@claim("AboveThreshold, all its noise", "AboveThreshold, of a record that stays, k > 1",
       "AboveThreshold, of one that comes and goes, k > 1", "AboveThreshold, exp., of a record that stays",
       "AboveThreshold, exp., of one that comes and goes, k > 1")
def _(d):
    for presence in ("stays", "comes and goes"):
        for of, name in (("above", "AboveThreshold"), ("exponential", "AboveThreshold, exp.")):
            now = watched(d, times=d.whole(2, 9), minimum=d.whole(1, 9), share=d.between(0.05, 0.95), presence=presence)
            letters = dict(zip(("ε₁", "ε₂", "k"), (*noise_now(of, now), now["times"]), strict=True))
            more = ", k > 1" if of == "above" else ""
            stays = right(f"{name}, of a record that stays{more}", letters)
            goes = right(f"{name}, of one that comes and goes, k > 1", letters)
            same(value("watch", "staying_epsilon", of, **now), stays)
            same(value("watch", "coming_epsilon", of, **now), goes)
            same(now["epsilon"], stays if presence == "stays" else goes)
            if of == "above":
                same(value("watch", "comparison_sd", of, **now), right("AboveThreshold, all its noise", letters))


@claim("What else is shown of a record, a without it and b with it")
def _(d):
    now = watched(d, presence="comes and goes")
    one, two = noise_now("exponential", now)
    guarantee = Watch(**now).answer().guarantee("exponential")
    a, b, at = one + two, two, d.between(0, 1) * now["epsilon"]
    same(float(guarantee.delta_at(at)), right(
        "What else is shown of a record, a without it and b with it", {"a": a, "b": b, "ε′": at}))


@claim("Pr[T > t] = Π_(i ≤ t) Pr[Q(c_i) = 0] quad ε₀ = ε/k", 'E["delay"] = Σ_(t = t^*)^(k − 1) Pr[T > t]',
       'E["records"] = Σ_(t = t^*)^(k − 1) (c_(t + 1) − c_t) Pr[T > t]')
def _(d):
    now = watched(d)
    threshold, counts, before = watching_now("basic", now)
    same(value("watch", "ask_epsilon", "basic", **now), now["epsilon"] / now["times"])
    still = np.cumprod(LaplaceDecision(now["epsilon"] / now["times"], threshold).reject_probability(counts))
    same(1 - still[before - 1], now["alarm"], rel=1e-7)
    same(value("watch", "mean_delay", "basic", **now), still[before:-1].sum())
    same(value("watch", "delay_records", "basic", **now), (np.diff(counts) * still[:-1])[before:].sum())


@claim("A new decision each step, composed optimally")
def _(d):
    now = watched(d, delta=d.log(1e-6, 0.1))
    letters = {"ε₀": value("watch", "ask_epsilon", "optimal", **now), "ε": now["epsilon"], "k": now["times"],
               "j": np.arange(now["times"] + 1)}
    same(right("A new decision each step, composed optimally", letters), now["delta"], rel=1e-5)


law("Binary tree, its worst count", "ε k", lambda e, k: value(
    "watch", "comparison_sd", "tree", epsilon=e, times=k, minimum=20, per_time=4.0, delta=0.0), {"k": (12, 30)})


@claim("α = Σ_(t < t^*) Pr[c_t + X_t ≥ a]")
def _(d):
    now = watched(d, delta=0.0)
    e, levels = now["epsilon"], math.floor(math.log2(2 * now["times"]))
    threshold, counts, before = watching_now("tree", now)
    total, h, edges = 0.0, 0.04 * levels / e, np.arange(-500, 501) * 0.04
    below = np.where(edges < 0, np.exp(np.minimum(edges, 0)) / 2, 1 - np.exp(-np.maximum(edges, 0)) / 2)
    one = np.diff(below)  # each mass in the middle of its stretch, from −499.5 h on
    for t in range(1, before + 1):
        law, terms = one, t.bit_count()
        for _ in range(terms - 1):
            law = np.convolve(law, one)
        at = (np.arange(law.size) - 499.5 * terms) * h
        above = law[::-1].cumsum()[::-1] - law / 2  # a mass at the edge counts for half of it
        total += float(np.interp(threshold - counts[t - 1], at, above))
    same(total, now["alarm"], rel=2e-3)


@claim("Noisy count told", "Noise for counts that only grow, where some fall")
def _(d):
    now = watched(d)
    letters = dict(zip(("ε₁", "ε₂", "k"), (*noise_now("above", now), now["times"]), strict=True))
    same(value("watch", "released_epsilon", **now), right("Noisy count told", letters))
    same(value("watch", "falling_epsilon", **now), right("Noise for counts that only grow, where some fall", letters))
