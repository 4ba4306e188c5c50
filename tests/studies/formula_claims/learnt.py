"""The formulas of what is learnt from releases, of many of them, and of attacks."""


from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, betaincinv, betaln, comb, ndtr

from dpstudio.core.study import fact
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.decision import (
    GeneralizedDecision,
)
from dpstudio.mechanisms.noise import (
    LaplaceNoise,
    analytic_sigma,
)
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.auditing.certificate import ChosenEvents, certify, exact_bounds, look_error
from dpstudio.models.beta_bernoulli import noisy_count_posterior
from dpstudio.models.clamping import count_error
from dpstudio.models.continual import RunningCount
from dpstudio.models.continual.parts import squared_sensitivity
from dpstudio.models.histograms import databases, distance, pairs
from dpstudio.models.plan import PlannedNumber, ReleasePlan, mixed_delta
from dpstudio.models.policy import Arm, Policy
from formula_claims.kit import EXP, LN, STUDIES, claim, law, left, of, right, same, value
from formula_claims.released import coins

# Posterior

def counted(d):
    n = d.whole(10, 60)
    return {"epsilon": d.log(0.05, 2), "people": n, "fraction": d.whole(0, n) / n, "release": "given",
            "noisy_share": d.whole(0, n) / n, "prior_a": d.between(0.5, 3), "prior_b": d.between(0.5, 3)}


def numbers(now):
    """k, c, n, a, b and ε."""
    return (value("posterior", "true_yes", **now), value("posterior", "noisy_count", **now), now["people"],
            now["prior_a"], now["prior_b"], now["epsilon"])


def is_beta(of, now, a, b):
    same(value("posterior", "rate_mean", of, **now), a / (a + b))
    same(value("posterior", "interval_low", of, **now), betaincinv(a, b, 0.025), rel=1e-7)
    same(value("posterior", "interval_high", of, **now), betaincinv(a, b, 0.975), rel=1e-7)


@claim('θ | k ∼ "Beta"(a + k, b + n − k)')
def _(d):
    now = counted(d)
    k, _, n, a, b, _ = numbers(now)
    is_beta("truth", now, a + k, b + n - k)


@claim('θ | c ∼ "Beta"(a + c, b + n − c)', "Naive, mean", "Naive undefined, with Laplace noise")
def _(d):
    now = counted(d)
    letters = dict(zip("kcnabε", numbers(now), strict=True))
    is_beta("naive", now, letters["a"] + letters["c"], letters["b"] + letters["n"] - letters["c"])
    same(value("posterior", "rate_mean", "naive", **now), right("Naive, mean", letters))
    same(value("posterior", "invalid", "naive", **now), right("Naive undefined, with Laplace noise", letters))


@claim('θ | c ∼ "Beta"(a + c′, b + n − c′) quad c′ = min(max(c, 0), n)')
def _(d):
    n, a, b, c = d.whole(10, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-20, 80)
    moved, found = right("Clamped", {"c": c, "n": n}), noisy_count_posterior(a, b, n, c, 0.5, "clamped")
    same((found.a, found.b), (a + moved, b + n - moved))


@claim("Clamped, bias with Laplace noise")
def _(d):
    now = counted(d)
    k, _, n, _, _, e = numbers(now)
    same(value("posterior", "clamp_bias", "clamped", **now),
         right("Clamped, bias with Laplace noise", {"k": k, "n": n, "ε": e}))


@claim('p(θ | c) = Σₖ wₖ "Beta"(θ; a + k, b + n − k) \\ /* where */ wₖ ∝ "BetaBin"(k; n, a, b) e^(−ε abs(c − k))')
def _(d):
    n, a, b, c, e = d.whole(5, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-5, 70), d.log(0.05, 2)
    k, theta = np.arange(n + 1), d.between(0.05, 0.95)
    w = comb(n, k) * np.exp(betaln(a + k, b + n - k) - betaln(a, b)) * np.exp(-e * np.abs(c - k))
    beta = np.exp((a + k - 1) * LN(theta) + (b + n - k - 1) * LN(1 - theta) - betaln(a + k, b + n - k))
    same(noisy_count_posterior(a, b, n, c, e, "noise-aware").density(theta), np.sum(w * beta) / np.sum(w), rel=1e-7)


@claim("p(c | θ) ∝ e^(−ε c) (1 + θ (e^ε − 1))^n F(floor(c); n, θ₊) \\ + e^(ε c) (1 − θ (1 − e^(−ε)))^n (1 − "
       "F(floor(c); n, θ₋))", "θ_(±) = (θ e^(± ε))/(1 − θ + θ e^(± ε))")
def _(d):
    n, c, e, theta = d.whole(5, 40), d.between(0, 40), d.log(0.05, 2), d.between(0.05, 0.95)
    c = min(c, n - 0.5)
    plus, minus = (theta * EXP(sign * e) / (1 - theta + theta * EXP(sign * e)) for sign in (1, -1))
    said = (EXP(-e * c) * (1 + theta * (EXP(e) - 1)) ** n * bdtr(math.floor(c), n, plus)
            + EXP(e * c) * (1 - theta * (1 - EXP(-e))) ** n * bdtrc(math.floor(c), n, minus))
    k = np.arange(n + 1)
    same(said, np.sum(comb(n, k) * theta**k * (1 - theta) ** (n - k) * np.exp(-e * np.abs(c - k))), rel=1e-7)


law("Where the noise weighs as much as the sample, at a rate of ½", "n",
    of("posterior", "even_epsilon", None, "people"))

# Updating

def running(strategy, d, who):
    return RunningCount(strategy, d.epsilon, d.whole(2, 300), who, d.between(0.1, 0.9))


@claim("Variance after t batches, of r terms", "Sum of batches", "Recount",
       'r = op("popcount")(t) quad L = floor(log₂ Q) + 1 \\ Δ₁ = cases(L quad & "for once", Q quad & "for status", '
       'Σ_(l < L) 2^l ceil(floor(Q/2^l)/2) quad & "for visits")')
def _(d):
    for strategy, who in itertools.product(("sequential", "retrain", "tree"), ("once", "status", "visits")):
        count = running(strategy, d, who)
        q, t = count.batches, np.arange(1, count.batches + 1)
        now = {"t": t, "Q": q, "who": who}
        if strategy == "tree":
            levels = int(right("Binary tree", now, "L"))
            r = np.array([each.bit_count() for each in t.tolist()])
            moved = {"once": levels, "status": q,
                     "visits": sum(2**level * math.ceil(q // 2**level / 2) for level in range(levels))}[who]
        else:
            r, moved = (right("Sum of batches" if strategy == "sequential" else "Recount", now, letter)
                        for letter in ("r", "Δ₁"))
        same(count.variance(), np.broadcast_to(right(
            "Variance after t batches, of r terms", {"r": r, "Δ₁": moved, "ε": count.epsilon}), t.shape))


@claim("Recount, skewed", "Recount, skewed, where every yes counts")
def _(d):
    for who in ("once", "status", "visits"):
        count = running("skewed", d, who)
        t = np.arange(1, count.batches + 1)
        same(count.variance(), right(
            f"Recount, skewed{', where every yes counts' if who == 'visits' else ''}",
            {"Q": count.batches, "t": t, "s": count.share, "ε": count.epsilon}))


law("Binary tree, its worst batch", "Q", lambda q: RunningCount("tree", 1.0, q, "once").terms(
    np.arange(1, q + 1)).max(), {"Q": (2, 300)})


@claim("Pr[abs(X₁ + ⋯ + X_r) ≤ e₉₅] = 0.95")
def _(d):
    count = running("sequential", d, "once")
    x = count.error_95(np.array([1, 2])) * count.epsilon  # in scales: e^−x of one term, (1 + x/2) e^−x of two
    same(1 - EXP(-x[0]), 0.95)
    same(1 - (1 + x[1] / 2) * EXP(-x[1]), 0.95, rel=1e-7)


@claim("The rate, from N answers")
def _(d):
    now = {"epsilon": d.epsilon, "batches": d.whole(1, 30), "batch_people": d.whole(1, 500), "rate": d.between(0, 1)}
    same(value("updating", "running_rate_sd", "retrain", **now), right("The rate, from N answers", {
        "N": now["batches"] * now["batch_people"], "θ": now["rate"],
        '"Var"': value("updating", "end_variance", "retrain", **now)}))


@claim("Recount, composed optimally")
def _(d):
    now = {"epsilon": d.log(0.05, 1), "batches": d.whole(20, 60), "delta": d.log(1e-5, 1e-3)}
    e0 = value("updating", "each_optimal", "retrain", **now)
    letters = {"r": 1, "ε₀": e0, "ε": now["epsilon"], "Q": now["batches"], "j": np.arange(now["batches"] + 1)}
    same(value("updating", "optimal_variance", "retrain", **now),
         right("Recount, composed optimally", letters))
    same(right("Recount, composed optimally", letters, 1), now["delta"], rel=1e-4)


@claim("Gaussian noise instead, σ₁ the least σ for Δ₂ = 1")
def _(d):
    now = {"epsilon": d.epsilon, "batches": d.whole(2, 50), "delta": d.delta, "who": "visits"}
    one, q = analytic_sigma(now["epsilon"], now["delta"]), now["batches"]
    for strategy, terms in (("sequential", q), ("retrain", 1), ("tree", q.bit_count())):
        same(value("updating", "gaussian_variance", strategy, **now),
             right("Gaussian noise instead, σ₁ the least σ for Δ₂ = 1", {
                 "r": terms, "Δ₂": math.sqrt(float(squared_sensitivity(strategy, "visits", q))), "σ₁": one}))


# Policy

def policy(d):
    w, rates = -d.rng.uniform(0.1, 9, 3), d.rng.uniform(0, 1, (2, 3))
    found = Policy(w, *rates, d.between(0, 5), d.between(0.5, 3))
    return found, {"wᵢ": w, "π₀ᵢ": rates[0], "π₁ᵢ": rates[1], "f": found.factor, "C": found.cost,
                   "E[U₀]": found.no_action, "E[U₁]": found.action, "U*": found.best, "g": found.gap}


@claim("Utility, untreated", "Utility, treated", "Where treating is better", "Gain of the right choice")
def _(d):
    found, letters = policy(d)
    same(found.no_action, right("Utility, untreated", letters))
    same(found.action, right("Utility, treated", letters))
    same(found.breakeven_cost, right("Where treating is better", letters))
    assert found.best_action == (found.cost < found.breakeven_cost)
    same((found.best, found.gap), tuple(right("Gain of the right choice", letters, at) for at in (0, 1)))


@claim("What counts say of a probability, k of n", "Its uncertainty")
def _(d):
    n, a, b = d.whole(1, 100), d.between(0.5, 3), d.between(0.5, 3)
    k = d.whole(0, n)
    arm, letters = Arm(np.array([k]), n, a, b), {"k": k, "n": n, "a": a, "b": b}
    same(arm.mean[0], right("What counts say of a probability, k of n", letters))
    same(arm.sd[0], right("Its uncertainty", letters))


@claim("k′ = min(max(k + X, 0), n) quad p(x) = ε/2 e^(−ε abs(x))")
def _(d):
    """Counts of 4 000 equally likely noises each, against each other."""
    e, n = d.log(0.02, 0.5), 100
    share = (np.arange(4000) + 0.5) / 4000
    x = np.where(share < 0.5, np.log(2 * share), -np.log(2 * (1 - share))) / e  # quantiles of that density
    waiting, acting = (np.minimum(np.maximum(k + x, 0), n) for k in (40, 10))
    least = (2 * (1 + acting) / (2 + n) + 0.05) * (2 + n) - 1  # acting is better where more than these are sick
    act = np.mean(1 - np.searchsorted(waiting, least, side="right") / 4000)
    same(value("policy", "recommended", "laplace", epsilon=e), act, rel=2e-3)


@claim("Private decision, what it costs", "Private decision, symmetric", "Private decision, two coins")
def _(d):
    (found, letters), prime = policy(d), d.epsilon
    for response, other in (
            (RandomizedResponse.symmetric(prime), right("Private decision, symmetric", {"ε′": prime})),
            two_coins(d, "where acting is best" if found.best_action else "where not acting is")):
        same(found.randomized(response), right(
            "Private decision, what it costs", {**letters, 'Pr["the other action"]': other}))


def two_coins(d, who):
    response, now = coins(d)
    return response, right("Private decision, two coins", {**now, "who": who})


for change, name in ((False, "What one person spends, d symptoms"),
                     (True, "What one person spends, if treatment is secret")):
    law(name, "ε ε′ d", of("policy", "person_epsilon", "both", "epsilon decision_epsilon symptoms",
                           arm_may_change=change), {"d": (1, 4)})

# Budget

law("Basic", "ε δ k", composition.basic)
law("Advanced", "ε δ k δ′", composition.advanced)
law("Optimal, closed form", "ε δ k δ′", lambda e, delta, k, slack: min(
    composition.simple(e, delta, k, slack), composition.simple_of_small_steps(e, delta, k, slack)),
    {"ε": lambda d, now: d.log(0.001, 1), "δ′": lambda d, now: d.log(1e-8, 0.3)})


@claim("Optimal")
def _(d):
    e, delta, k, slack = d.log(0.05, 1), d.delta, d.whole(3, 60), d.log(1e-5, 1e-2)
    prime, total = composition.optimal(e, delta, k, slack)
    now = {"ε": e, "δ": delta, "k": k, "ε′": prime, "j": np.arange(k + 1)}
    same(right("Optimal", now), slack, rel=1e-6)
    same(total, right("Optimal", {**now, "δ′": lambda _: slack}, 3), rel=1e-6)


def converted(divergence, slack):
    """The least ε over a fine grid of orders."""
    a = 1 + np.exp(np.linspace(-12, 25, 200_001))
    return float((divergence(a) + np.log(1 - 1 / a) - (LN(slack) + np.log(a)) / (a - 1)).min())


@claim("ρ = k ε^2/2 quad ε_k = min_(α > 1) (α ρ + ln(1 − 1/α) − (ln δ′ + ln α)/(α − 1))")
def _(d):
    e, k, slack = d.log(0.01, 1), d.whole(1, 90), d.log(1e-8, 1e-2)
    found = min(converted(lambda a: a * k * e**2 / 2, slack), k * e)
    same(value("budget", "total_epsilon", "zcdp", epsilon=e, releases=k, slack=slack), max(found, 0), rel=1e-6)


@claim("ρ_α = k/(α − 1) ln (cosh((α − 1/2) ε)/cosh(ε/2)) \\ ε_k = min_(α > 1) (ρ_α + ln(1 − 1/α) − (ln δ′ + ln α)/(α − "
       "1))")
def _(d):
    e, k, slack = d.log(0.1, 1), d.whole(1, 90), d.log(1e-8, 1e-2)

    def divergence(a):
        # cosh overflows
        return k / (a - 1) * (np.logaddexp((a - 0.5) * e, (0.5 - a) * e) - np.logaddexp(e / 2, -e / 2))

    found = max(converted(divergence, slack), 0)
    same(value("budget", "total_epsilon", "renyi", epsilon=e, releases=k, slack=slack), found, rel=1e-6)


@claim("Gaussian noise by zCDP")
def _(d):
    e, delta, k = d.log(0.05, 1), d.log(1e-8, 1e-3), d.whole(1, 50)
    rho = right("Gaussian noise by zCDP", {"k": k, "σ": float(analytic_sigma(e, delta))})
    same(value("budget", "total_epsilon", "gaussian_zcdp", epsilon=e, delta=delta, releases=k),
         max(converted(lambda a: a * rho, k * delta + 1e-6), 0), rel=1e-6)


law("A release on a sample", "ε δ q", lambda e, delta, q: tuple(
    value("budget", key, epsilon=e, delta=delta, rate=q) for key in ("release_epsilon", "release_delta")))


@claim("What is left")
def _(d):
    now = {"epsilon": d.epsilon, "releases": d.whole(1, 50), "budget": d.between(1, 9)}
    same(value("budget", "left", "optimal", **now), right("What is left", {
        'ε_"budget"': now["budget"], "ε_k": value("budget", "total_epsilon", "optimal", **now)}))


@claim("A group of g records")
def _(d):
    e, delta = d.log(0.05, 1), d.log(1e-4, 1e-2)
    reached = 0
    for g in range(1, 60):
        epsilon, said, most = (right("A group of g records", {"ε": e, "δ": delta, "g": g}, at) for at in (0, 1, 2))
        found, holds = composition.group(e, delta, g), said <= most
        reached += holds
        same(found[0], epsilon)
        assert (found[1] == pytest.approx(said)) or not holds
    beyond = right("A group of g records", {"ε": e, "δ": delta, "g": reached + 2}, 1)
    assert composition.group(e, delta, reached + 2)[1] < beyond * (1 - 1e-6)  # two past the last that holds


law("A group of g records, as it is printed in a text", "ε δ g",
    lambda e, delta, g: composition.group_as_printed(e, delta, g)[0])
law("A group of g records, as it is printed in a formula, which is false", "ε δ g",
    lambda e, delta, g: composition.group_as_printed(e, delta, g)[1])
law("Error that 95 % of the counts stay within", "ε", of("budget", "count_error_95", None, "epsilon"))

# Plans

def costing(noise, half_width, confidence, times=1, moves=1.0):
    """The cost of a sum, or count, so often."""
    one = PlannedNumber(half_width, moves, confidence, times=times)
    return ReleasePlan((one,), noise).least


@claim("What a want costs with Laplace noise")
def _(d):
    now = {"Δᵢ": d.between(0.5, 4), "α": d.between(0.01, 0.4), "tᵢ": d.between(1, 90)}
    same(costing("laplace", now["tᵢ"], 1 - now["α"], 1, now["Δᵢ"]),
         right("What a want costs with Laplace noise", now))


@claim("What a want costs with Gaussian noise")
def _(d):
    now = {"Δᵢ": d.between(0.5, 4), "α": d.between(0.01, 0.4), "tᵢ": d.between(1, 90)}
    same(costing("gaussian", now["tᵢ"], 1 - now["α"], 1, now["Δᵢ"]),
         right("What a want costs with Gaussian noise", now))


@claim("What a want costs with discrete Laplace noise")
def _(d):
    alpha, t = d.between(0.01, 0.4), d.whole(0, 60)
    epsilon = costing("geometric", max(t, 0.5), 1 - alpha)
    now = {"α": alpha, "t": t, "a": EXP(-epsilon)}
    same(left("What a want costs with discrete Laplace noise", now), alpha)
    same(right("What a want costs with discrete Laplace noise", now, 1), epsilon)


@claim("Total of a plan", "Total of a Gaussian plan")
def _(d):
    widths, times = [d.between(2, 90) for _ in range(3)], [d.whole(1, 9) for _ in range(3)]
    for noise, name, letter in (("laplace", "Total of a plan", "εᵢ"), ("gaussian", "Total of a Gaussian plan", "μᵢ")):
        releases = tuple(PlannedNumber(t, times=k) for t, k in zip(widths, times, strict=True))
        now = {letter: np.array([costing(noise, t, 0.95) for t in widths]), "kᵢ": np.array(times, dtype=float)}
        same(ReleasePlan(releases, noise).least, right(name, now))


@claim('δ(ε) = ½ δ₀(ε − e) + ½ e^(−e) δ₀(ε + e) + ¼ ∫_(−e)^e e^((l − e) slash 2) δ₀(ε − l) "d" l')
def _(d):
    e, mu, epsilon = d.between(0.2, 2), d.between(0.2, 2), d.between(0.1, 3)

    def beside(x):
        return (ndtr(mu / 2 - x / mu) - EXP(x) * ndtr(-mu / 2 - x / mu)).item() if mu else 0.0

    nodes, weights = np.polynomial.legendre.leggauss(60)
    inside = sum(w * e * EXP((e * x - e) / 2) * beside(np.float64(epsilon - e * x))
                 for x, w in zip(nodes, weights, strict=True))
    same(mixed_delta((e,), mu, epsilon), beside(np.float64(epsilon - e)) / 2 + EXP(-e) / 2 * beside(
        np.float64(epsilon + e)) + inside / 4, rel=1e-8)


# Audit

@claim("Certified ε", "Certified δ")
def _(d):
    n, e, delta = d.whole(1000, 9000), d.between(0.1, 0.5), d.log(1e-6, 1e-3)
    counts = np.array([[d.whole(100, 200)], [d.whole(500, 900)]])
    found = certify(counts, n, ChosenEvents(np.array(0), np.array(0)), (e, delta), 0.01)
    low, high = float(found.low[1]), float(found.high[0])
    letters = {"p₋": low, "q₊": high, "ε": e, "δ": delta}
    same(found.epsilon, right("Certified ε", letters))
    same(found.delta, right("Certified δ", letters))


@claim('Pr[op("Bin")(N, p₋) ≥ j] = a/2 quad Pr[op("Bin")(N, q₊) ≤ j] = a/2')
def _(d):
    draws, a = d.whole(100, 900), d.log(1e-4, 0.1)
    j = d.whole(10, 90)
    low, high = exact_bounds(j, draws, a / 2)
    same(bdtrc(j - 1, draws, float(low)), a / 2, rel=1e-6)
    same(bdtr(j, draws, float(high)), a / 2, rel=1e-6)
    found = certify(np.array([[j], [j]]), draws, ChosenEvents(np.array(0), np.array(0)), (1.0, 0.0), a)
    same(found.low[0], low)
    same(found.high[0], high)


law("Error of the i-th checkpoint and of the last", "i α", lambda i, alpha: (
    look_error(i, 10**9, 5000, alpha), look_error(i, 10**9, 10**9, alpha)), {"i": (1, 30), "α": (0.001, 0.2)})


@claim("ε = max_S ln((Pr[M(x) ∈ S] − δ)/Pr[M(y) ∈ S])")
def _(d):
    now = {"mechanism": "generalized_decision", "epsilon": d.between(0.2, 2), "delta": d.log(1e-4, 1e-2), "minimum": 5,
           "target": d.between(0.3, 0.7), "records": 4}
    decision = GeneralizedDecision(now["epsilon"], now["delta"], 5, now["target"])
    of_each = [(float(decision.accept_probability(n)), float(decision.reject_probability(n))) for n in (4, 5)]
    said = max(LN((x - now["delta"]) / y) for one, other in (of_each, of_each[::-1])
               for x, y in zip(one, other, strict=True))
    same(value("audit", "audit_epsilon", "law", **now), said, rel=1e-7)


@claim("Guessing right from even odds")
def _(d):
    e, delta = d.epsilon, d.delta
    alpha = np.append(np.linspace(0, 1, 100), (1 - delta) / (1 + EXP(e)))
    most = (1 - alpha + 1 - composition.trade_off(e, delta, alpha)) / 2
    same(most.max(), right("Guessing right from even odds", {"ε": e, "δ": delta}))


law("The wrong δ, and the right one, of publishing from m on", "ε m", lambda e, m: tuple(
    value("audit", "audit_delta", of, mechanism="wrong_delta", epsilon=e, minimum=m, records=0)
    for of in ("promise", "law")), {"ε": (0.2, 2.0), "m": (2, 9)}, at=1, rel=1e-7)

# Neighbours

law("Distance", "xᵢ yᵢ", distance, dict.fromkeys(("xᵢ", "yᵢ"), lambda d, now: d.rng.integers(0, 9, 5)))


@claim("Δ₁ = max over x ∼ y of norm(q(x) − q(y))₁")
def _(d):
    x, y = pairs(databases(5, d.whole(1, 4)), "add or remove", empty=True)
    stars = np.arange(1, 6)
    same(value("neighbours", "move_sum", "global"), np.max(abs(x @ stars - y @ stars)))
    same(value("neighbours", "move_histogram", "global"), np.max(abs(x - y).sum(axis=1)))
    x, y = pairs(databases(5, d.whole(1, 4)), "replace", empty=True)
    same(value("neighbours", "move_histogram", "global", change="swap"), np.max(abs(x - y).sum(axis=1)))


for name, series in (("Laplace", "laplace"), ("discrete Laplace", "geometric")):
    law(f"Error of all d counts, {name}", "d ε Δ₁ b", lambda _, e, moved, __, series=series: value(
        "neighbours", "histogram_error_raw", series, epsilon=e, change="swap" if moved == 2 else "add"),
        {"d": (5, 5), "Δ₁": (1, 2), "b": lambda d, now: now["Δ₁"] / now["ε"]})


@claim("Error of one count raised to 0, Laplace")
def _(d):
    b, x = d.log(0.2, 9), d.whole(0, 20)
    found = count_error(LaplaceNoise(b), x, clamped=True)
    same((found.mean, found.bias),
         tuple(right("Error of one count raised to 0, Laplace", {"b": b, "x": x}, at) for at in (0, 1)))


@claim("Loss of a release r")
def _(d):
    study = STUDIES["neighbours"](epsilon=d.epsilon, seed=d.whole(0, 999), change="swap", kind=2, kind_by=d.whole(3, 5))
    one = study.answer().one("laplace")
    x, y = one.pair.x, one.pair.y
    r = x + one.shown
    same(fact(study, "release_loss", "laplace").value, right("Loss of a release r", {
        "ε": study.epsilon, "Δ₁": 2, "rᵢ": r, "xᵢ": x, "yᵢ": y}))


law("Naming the right one of n people, at most", "ε n", lambda e, _: value("neighbours", "identified_most", epsilon=e),
    {"ε": lambda d, now: d.log(0.1, 12), "n": (2000, 2000)})
law("Saying whether somebody is there, at most", "ε", of("neighbours", "noticed_most", None, "epsilon"))
