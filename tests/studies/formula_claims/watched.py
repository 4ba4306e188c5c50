"""The formulas of watching a growing count."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import comb

from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.studies.watch import Watch
from formula_claims.kit import EXP, SQRT, claim, same, value


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
    total = value("watch", "noise_epsilon", of, **now)
    return now["share"] * total, (1 - now["share"]) * total


def is_watch(of, now, density, no, low):
    threshold, counts, before = watching_now(of, now)
    still = no_yes(density, no, low, counts, threshold)
    same(1 - still[before - 1], now["alarm"], rel=1e-4)
    same(value("watch", "mean_delay", of, **now), still[before:-1].sum(), rel=1e-4)


@claim("First “yes” of a watch that stops, d the counts less the threshold", "Shares of what noise there is",
       "AboveThreshold", "Threshold of the others")
def _(d):
    now = watched(d, epsilon=d.between(0.5, 1.5), share=d.between(0.3, 0.7), alarm=d.log(0.005, 0.05))
    one, two = noise_now("above", now)

    def no(x):
        return np.where(x < 0, np.exp(two * np.minimum(x, 0)) / 2, 1 - np.exp(-two * np.maximum(x, 0)) / 2)

    is_watch("above", now, lambda z: one / 2 * np.exp(-one * abs(z)), no, -60)


@claim("With exponential noise")
def _(d):
    now = watched(d, epsilon=d.between(0.5, 1.5), share=d.between(0.3, 0.7), alarm=d.log(0.005, 0.05))
    one, two = noise_now("exponential", now)
    is_watch("exponential", now, lambda z: one * np.exp(-one * z), lambda x: 1 - np.exp(-two * np.maximum(x, 0)), 0)


@claim("AboveThreshold, all its noise", "AboveThreshold, of a record that stays, k > 1",
       "AboveThreshold, of one that comes and goes, k > 1")
def _(d):
    for presence in ("stays", "comes and goes"):
        now = watched(d, times=d.whole(2, 9), minimum=d.whole(1, 9), share=d.between(0.05, 0.95), presence=presence)
        (one, two), k = noise_now("above", now), now["times"]
        same(value("watch", "comparison_sd", "above", **now), SQRT(2 / one**2 + 2 / two**2))
        stays = max(two, min(one, k * two))
        goes = max(stays, min(one + two, (k - 1) * two))
        same(value("watch", "staying_epsilon", "above", **now), stays)
        same(value("watch", "coming_epsilon", "above", **now), goes)
        same(now["epsilon"], stays if presence == "stays" else goes)


@claim("With exponential noise, of a record that stays", "With exponential noise, of one that comes and goes, k > 1")
def _(d):
    for presence in ("stays", "comes and goes"):
        now = watched(d, times=d.whole(2, 9), presence=presence)
        one, two = noise_now("exponential", now)
        same(value("watch", "staying_epsilon", "exponential", **now), max(one, two))
        same(value("watch", "coming_epsilon", "exponential", **now), one + two)
        same(now["epsilon"], max(one, two) if presence == "stays" else one + two)


@claim("What else is shown of a record, a without it and b with it")
def _(d):
    now = watched(d, presence="comes and goes")
    one, two = noise_now("exponential", now)
    guarantee = Watch(**now).answer().guarantee("exponential")
    a, b, at = one + two, two, d.between(0, 1) * now["epsilon"]
    same(float(guarantee.delta_at(at)), 1 - EXP(-min(a, b) * (max(a, b) - at) / (a + b)))


@claim("Asking each time", "Mean delay, to the last time at most", "Mean delay in records")
def _(d):
    now = watched(d)
    threshold, counts, before = watching_now("basic", now)
    same(value("watch", "ask_epsilon", "basic", **now), now["epsilon"] / now["times"])
    still = np.cumprod(LaplaceDecision(now["epsilon"] / now["times"], threshold).reject_probability(counts))
    same(1 - still[before - 1], now["alarm"], rel=1e-7)
    same(value("watch", "mean_delay", "basic", **now), still[before:-1].sum())
    same(value("watch", "delay_records", "basic", **now), (np.diff(counts) * still[:-1])[before:].sum())


@claim("Asking each time, composed optimally")
def _(d):
    now = watched(d, delta=d.log(1e-6, 0.1))
    each, k, j = value("watch", "ask_epsilon", "optimal", **now), now["times"], np.arange(now["times"] + 1)
    p = EXP(each) / (1 + EXP(each))
    beyond = np.maximum(0, 1 - np.exp(now["epsilon"] - (k - 2 * j) * each))
    spent = np.sum(comb(k, j) * p ** (k - j) * (1 - p) ** j * beyond)
    same(spent, now["delta"], rel=1e-5)


@claim("Binary tree, its worst count")
def _(d):
    now = watched(d, delta=0.0)
    k, e = now["times"], now["epsilon"]
    same(value("watch", "comparison_sd", "tree", **now),
         math.floor(math.log2(2 * k)) / e * SQRT(2 * math.floor(math.log2(k + 1))))


@claim("Binary tree, its threshold a")
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


@claim("Telling the noisy count", "Noise for counts that only grow, where some fall")
def _(d):
    now = watched(d)
    one, two = noise_now("above", now)
    same(value("watch", "released_epsilon", **now), now["times"] * two)
    same(value("watch", "falling_epsilon", **now), one + 2 * two)
