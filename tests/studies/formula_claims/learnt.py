"""The formulas of what is learnt from releases, of many of them, and of attacks."""


from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, betaincinv, betaln, comb

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
from dpstudio.models.auditing.certificate import Chosen, certify, exact_bounds, look_error
from dpstudio.models.beta_bernoulli import noisy_count_posterior
from dpstudio.models.clamping import count_error
from dpstudio.models.continual import RunningCount
from dpstudio.models.continual.parts import sensitivity, squared_sensitivity
from dpstudio.models.histograms import databases, distance, pairs
from dpstudio.models.policy import Arm, Policy
from formula_claims.kit import EXP, LN, SQRT, STUDIES, claim, same, value
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


@claim("Without noise")
def _(d):
    now = counted(d)
    k, _, n, a, b, _ = numbers(now)
    is_beta("truth", now, a + k, b + n - k)


@claim("Naive", "Naive, mean")
def _(d):
    now = counted(d)
    _, c, n, a, b, _ = numbers(now)
    is_beta("naive", now, a + c, b + n - c)
    same(value("posterior", "rate_mean", "naive", **now), (a + c) / (a + b + n))


@claim("No naive posterior, with Laplace noise")
def _(d):
    now = counted(d)
    k, _, n, a, b, e = numbers(now)
    same(value("posterior", "invalid", "naive", **now), 0.5 * EXP(-e * (a + k)) + 0.5 * EXP(-e * (b + n - k)))


@claim("Clamped")
def _(d):
    n, a, b, c = d.whole(10, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-20, 80)
    moved, found = min(max(c, 0), n), noisy_count_posterior(a, b, n, c, 0.5, "clamped")
    same((found.a, found.b), (a + moved, b + n - moved))


@claim("Clamped, bias with Laplace noise")
def _(d):
    now = counted(d)
    k, _, n, _, _, e = numbers(now)
    same(value("posterior", "clamp_bias", "clamped", **now), (EXP(-e * k) - EXP(-e * (n - k))) / (2 * e))


@claim("Noise-aware")
def _(d):
    n, a, b, c, e = d.whole(5, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-5, 70), d.log(0.05, 2)
    k, theta = np.arange(n + 1), d.between(0.05, 0.95)
    w = comb(n, k) * np.exp(betaln(a + k, b + n - k) - betaln(a, b)) * np.exp(-e * np.abs(c - k))
    beta = np.exp((a + k - 1) * LN(theta) + (b + n - k - 1) * LN(1 - theta) - betaln(a + k, b + n - k))
    same(noisy_count_posterior(a, b, n, c, e, "noise-aware").density(theta), np.sum(w * beta) / np.sum(w), rel=1e-7)


@claim("Likelihood of a noisy count, without the sum (derived here)", "Its two rates")
def _(d):
    n, c, e, theta = d.whole(5, 40), d.between(0, 40), d.log(0.05, 2), d.between(0.05, 0.95)
    c = min(c, n - 0.5)
    plus, minus = (theta * EXP(sign * e) / (1 - theta + theta * EXP(sign * e)) for sign in (1, -1))
    said = (EXP(-e * c) * (1 + theta * (EXP(e) - 1)) ** n * bdtr(math.floor(c), n, plus)
            + EXP(e * c) * (1 - theta * (1 - EXP(-e))) ** n * bdtrc(math.floor(c), n, minus))
    k = np.arange(n + 1)
    same(said, np.sum(comb(n, k) * theta**k * (1 - theta) ** (n - k) * np.exp(-e * np.abs(c - k))), rel=1e-7)


@claim("Where the noise weighs as much as the sample, at a rate of ½")
def _(d):
    n = d.whole(5, 1000)
    same(value("posterior", "even_epsilon", people=n), SQRT(8 / n))


# Updating

def running(strategy, d, who):
    return RunningCount(strategy, d.epsilon, d.whole(2, 300), who, d.between(0.1, 0.9))


def is_running(strategy, d, terms, moved):
    for who in ("once", "status", "visits"):
        count = running(strategy, d, who)
        q = count.batches
        t = np.arange(1, q + 1)
        r = np.array([terms(each) for each in t])
        same(count.variance(), 2 * r * (moved[who](q) / count.epsilon) ** 2)


@claim("Variance after t batches, of r terms")
def _(d):
    count = running("tree", d, "status")
    t = d.whole(1, count.batches)
    same(count.variance(t), 2 * count.terms(t) * (sensitivity("tree", "status", count.batches) / count.epsilon) ** 2)


@claim("Adding up")
def _(d):
    is_running("sequential", d, lambda t: t, {"once": lambda q: 1, "status": lambda q: q, "visits": lambda q: q})


@claim("Counting again")
def _(d):
    is_running("retrain", d, lambda t: 1,
               {"once": lambda q: q, "status": lambda q: q, "visits": lambda q: q * (q + 1) / 2})


@claim("Binary tree")
def _(d):
    def levels(q):
        return math.floor(math.log2(q)) + 1

    is_running("tree", d, lambda t: int(t).bit_count(), {
        "once": levels, "status": lambda q: q,
        "visits": lambda q: sum(2**level * math.ceil(q // 2**level / 2) for level in range(levels(q)))})


@claim("Counting again, skewed")
def _(d):
    for who in ("once", "status"):
        count = running("skewed", d, who)
        q, s, e = count.batches, count.share, count.epsilon
        same(count.variance(d.whole(1, q - 1)), 2 * ((q - 1) / ((1 - s) * e)) ** 2)
        same(count.variance(q), 2 * (1 / (s * e)) ** 2)


@claim("Counting again, skewed, where every yes counts")
def _(d):
    count = running("skewed", d, "visits")
    q, s, e = count.batches, count.share, count.epsilon
    same(count.variance(d.whole(1, q - 1)), 2 * (q * (q - 1) / (2 * (1 - s) * e)) ** 2)
    same(count.variance(q), 2 * (q / (s * e)) ** 2)


@claim("Binary tree, its worst batch")
def _(d):
    count = running("tree", d, "once")
    q = count.batches
    same(count.terms(np.arange(1, q + 1)).max(), math.floor(math.log2(q + 1)))


@claim("Error that 95 % stay within")
def _(d):
    count = running("sequential", d, "once")
    x = count.error_95(np.array([1, 2])) * count.epsilon  # in scales: e^−x of one term, (1 + x/2) e^−x of two
    same(1 - EXP(-x[0]), 0.95)
    same(1 - (1 + x[1] / 2) * EXP(-x[1]), 0.95, rel=1e-7)


@claim("The rate, from N answers")
def _(d):
    now = {"epsilon": d.epsilon, "batches": d.whole(1, 30), "batch_people": d.whole(1, 500), "rate": d.between(0, 1)}
    n, theta = now["batches"] * now["batch_people"], now["rate"]
    same(value("updating", "running_rate_sd", "retrain", **now),
         SQRT(theta * (1 - theta) / n + value("updating", "end_variance", "retrain", **now) / n**2))


@claim("Counting again, composed optimally")
def _(d):
    now = {"epsilon": d.log(0.05, 1), "batches": d.whole(20, 60), "delta": d.log(1e-5, 1e-3)}
    e0 = value("updating", "each_optimal", "retrain", **now)
    same(value("updating", "optimal_variance", "retrain", **now), 2 * 1 / e0**2)
    same(worst(now["epsilon"], e0, now["batches"]), now["delta"], rel=1e-4)


@claim("Gaussian noise instead, σ₁ the least σ for Δ₂ = 1")
def _(d):
    now = {"epsilon": d.epsilon, "batches": d.whole(2, 50), "delta": d.delta, "who": "visits"}
    one, q = analytic_sigma(now["epsilon"], now["delta"]), now["batches"]
    for strategy, terms in (("sequential", q), ("retrain", 1), ("tree", q.bit_count())):
        same(value("updating", "gaussian_variance", strategy, **now),
             terms * float(squared_sensitivity(strategy, "visits", q)) * one**2)


# Policy

def policy(d):
    w, rates = -d.rng.uniform(0.1, 9, 3), d.rng.uniform(0, 1, (2, 3))
    found = Policy(w, *rates, d.between(0, 5), d.between(0.5, 3))
    return found, sum(w * rates[0]), found.factor * sum(w * rates[1])


@claim("Utility without action", "Utility with action")
def _(d):
    found, waiting, acting = policy(d)
    same(found.no_action, waiting)
    same(found.action, acting - found.cost)


@claim("Where acting is better")
def _(d):
    found, waiting, acting = policy(d)
    same(found.breakeven_cost, acting - waiting)
    assert found.best_action == (found.cost < acting - waiting)


@claim("What the choice is worth")
def _(d):
    found, _, _ = policy(d)
    same(found.best, max(found.no_action, found.action))
    same(found.gap, abs(found.action - found.no_action))


@claim("What counts say of a probability, k of n", "Its uncertainty")
def _(d):
    n, a, b = d.whole(1, 100), d.between(0.5, 3), d.between(0.5, 3)
    k = d.whole(0, n)
    mu = (a + k) / (a + b + n)
    same(Arm(np.array([k]), n, a, b).mean[0], mu)
    same(Arm(np.array([k]), n, a, b).sd[0], SQRT(mu * (1 - mu) / (a + b + n + 1)))


@claim("Private counts")
def _(d):
    """Counts of 4 000 equally likely noises each, against each other."""
    e, n = d.log(0.02, 0.5), 100
    share = (np.arange(4000) + 0.5) / 4000
    x = np.where(share < 0.5, np.log(2 * share), -np.log(2 * (1 - share))) / e  # quantiles of that density
    waiting, acting = (np.minimum(np.maximum(k + x, 0), n) for k in (40, 10))
    least = (2 * (1 + acting) / (2 + n) + 0.05) * (2 + n) - 1  # acting is better where more than these are sick
    act = np.mean(1 - np.searchsorted(waiting, least, side="right") / 4000)
    same(value("policy", "recommended", "laplace", epsilon=e), act, rel=2e-3)


@claim("Private decision, what it costs", "Private decision, symmetric")
def _(d):
    (found, _, _), prime = policy(d), d.epsilon
    same(found.randomized(RandomizedResponse.symmetric(prime)), found.best - found.gap * (1 / (1 + EXP(prime))))


@claim("Private decision, two coins")
def _(d):
    for cost in (0.0, 50.0):
        theta1, theta2, response = coins(d)
        found = Policy(np.array([-9.0]), np.array([0.9]), np.array([0.1]), cost)
        other = (1 - theta1) * (1 - theta2) if cost == 0 else (1 - theta1) * theta2
        same(found.randomized(response), found.best - found.gap * other)


@claim("What one person spends, d symptoms", "What one person spends, if the arm may change")
def _(d):
    now = {"epsilon": d.epsilon, "decision_epsilon": d.epsilon, "symptoms": d.whole(1, 4)}
    for change, times in ((False, 1), (True, 2)):
        same(value("policy", "person_epsilon", "both", arm_may_change=change, **now),
             times * now["symptoms"] * now["epsilon"] + now["decision_epsilon"])


# Budget

def worst(prime, e, k):
    """δ of k randomized responses together."""
    p, j = EXP(e) / (1 + EXP(e)), np.arange(k + 1)
    q = 1 - p
    return float(np.sum(comb(k, j) * p ** (k - j) * q**j * np.maximum(0, 1 - np.exp(prime - (k - 2 * j) * e))))


@claim("Basic")
def _(d):
    e, delta, k = d.epsilon, d.delta, d.whole(1, 90)
    same(composition.basic(e, delta, k), (k * e, k * delta))


@claim("Advanced")
def _(d):
    e, delta, k, slack = d.epsilon, d.delta, d.whole(1, 90), d.delta
    same(composition.advanced(e, delta, k, slack),
         (e * SQRT(2 * k * LN(1 / slack)) + k * e * (EXP(e) - 1), k * delta + slack))


@claim("Simple optimal")
def _(d):
    e, delta, k, slack = d.log(0.001, 1), d.delta, d.whole(1, 90), d.log(1e-8, 0.3)
    found = min(composition.simple(e, delta, k, slack), composition.simple_of_small_steps(e, delta, k, slack))
    log = LN(min(1 / slack, math.e + SQRT(k) * e / slack))
    same(found, (k * e * math.tanh(e / 2) + e * SQRT(2 * k * log), 1 - (1 - delta) ** k * (1 - slack)))


@claim("Optimal")
def _(d):
    e, delta, k, slack = d.log(0.05, 1), d.delta, d.whole(3, 60), d.log(1e-5, 1e-2)
    prime, total = composition.optimal(e, delta, k, slack)
    same(worst(prime, e, k), slack, rel=1e-6)
    same(total, 1 - (1 - delta) ** k * (1 - worst(prime, e, k)), rel=1e-6)


def converted(divergence, slack):
    """The least ε over a fine grid of orders."""
    a = 1 + np.exp(np.linspace(-12, 25, 200_001))
    return float((divergence(a) + np.log(1 - 1 / a) - (LN(slack) + np.log(a)) / (a - 1)).min())


@claim("zCDP")
def _(d):
    e, k, slack = d.log(0.01, 1), d.whole(1, 90), d.log(1e-8, 1e-2)
    found = min(converted(lambda a: a * k * e**2 / 2, slack), k * e)
    same(value("budget", "total_epsilon", "zcdp", epsilon=e, releases=k, slack=slack), max(found, 0), rel=1e-6)


@claim("Rényi")
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
    rho = k / (2 * float(analytic_sigma(e, delta)) ** 2)
    same(value("budget", "total_epsilon", "gaussian_zcdp", epsilon=e, delta=delta, releases=k),
         max(converted(lambda a: a * rho, k * delta + 1e-6), 0), rel=1e-6)


@claim("A release on a sample")
def _(d):
    e, delta, q = d.epsilon, d.delta, d.between(0.01, 0.99)
    now = {"epsilon": e, "delta": delta, "rate": q}
    same((value("budget", "release_epsilon", **now), value("budget", "release_delta", **now)),
         (LN(1 + q * (EXP(e) - 1)), q * delta))


@claim("What is left")
def _(d):
    now = {"epsilon": d.epsilon, "releases": d.whole(1, 50), "budget": d.between(1, 9)}
    same(value("budget", "left", "optimal", **now),
         now["budget"] - value("budget", "total_epsilon", "optimal", **now))


@claim("A group of g records")
def _(d):
    e, delta = d.log(0.05, 1), d.log(1e-4, 1e-2)
    reached = 0
    for g in range(1, 60):
        said = delta * (EXP(g * e) - 1) / (EXP(e) - 1)
        found, holds = composition.group(e, delta, g), said <= (1 - delta) / (1 + EXP(e))
        reached += holds
        same(found[0], g * e)
        assert (found[1] == pytest.approx(said)) or not holds
    beyond = delta * (EXP((reached + 2) * e) - 1) / (EXP(e) - 1)  # from one past the last that holds it is too large
    assert composition.group(e, delta, reached + 2)[1] < beyond * (1 - 1e-6)


@claim("A group of g records, as it is printed in a text",
       "A group of g records, as it is printed in a formula, which is false")
def _(d):
    e, delta, g = d.epsilon, d.delta, d.whole(1, 9)
    same(composition.group_as_printed(e, delta, g), (g * EXP(g * e) * delta, g * delta))


@claim("Error that 95 % of the counts stay within")
def _(d):
    e = d.epsilon
    same(value("budget", "count_error_95", epsilon=e), LN(20) / e)


# Audit

@claim("Certified ε", "Certified δ")
def _(d):
    n, e, delta = d.whole(1000, 9000), d.between(0.1, 0.5), d.log(1e-6, 1e-3)
    counts = np.array([[d.whole(100, 200)], [d.whole(500, 900)]])
    found = certify(counts, n, Chosen(np.array(0), np.array(0)), (e, delta), 0.01)
    low, high = float(found.low[1]), float(found.high[0])
    same(found.epsilon, LN((low - delta) / high))
    same(found.delta, low - EXP(e) * high)


@claim("Ends of an interval, j of N draws, error a at both together")
def _(d):
    draws, a = d.whole(100, 900), d.log(1e-4, 0.1)
    j = d.whole(10, 90)
    low, high = exact_bounds(j, draws, a / 2)
    same(bdtrc(j - 1, draws, float(low)), a / 2, rel=1e-6)
    same(bdtr(j, draws, float(high)), a / 2, rel=1e-6)
    found = certify(np.array([[j], [j]]), draws, Chosen(np.array(0), np.array(0)), (1.0, 0.0), a)
    same(found.low[0], low)
    same(found.high[0], high)


@claim("Error of the i-th look and of the last")
def _(d):
    i, alpha = d.whole(1, 30), d.between(0.001, 0.2)
    same(look_error(i, 10**9, 5000, alpha), alpha / (2 * i * (i + 1)))
    same(look_error(i, 10**9, 10**9, alpha), alpha / 2)


@claim("Most that a pair shows")
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
    right = (1 - alpha + 1 - composition.trade_off(e, delta, alpha)) / 2
    same(right.max(), (EXP(e) + delta) / (1 + EXP(e)))


@claim("The wrong δ, and the right one, of publishing from m on")
def _(d):
    now = {"mechanism": "wrong_delta", "epsilon": d.between(0.2, 2), "minimum": d.whole(2, 9), "records": 0}
    a, m = EXP(-now["epsilon"]), now["minimum"]
    same(value("audit", "audit_delta", "promise", **now), a**m / (1 + a), rel=1e-7)
    same(value("audit", "audit_delta", "law", **now), a ** (m - 1) / (1 + a), rel=1e-7)


# Neighbours

@claim("Distance")
def _(d):
    x, y = d.rng.integers(0, 9, (2, 5))
    same(distance(x, y), sum(abs(x - y)))


@claim("Sensitivity")
def _(d):
    x, y = pairs(databases(5, d.whole(1, 4)), "add or remove", empty=True)
    stars = np.arange(1, 6)
    same(value("neighbours", "move_sum", "global"), np.max(abs(x @ stars - y @ stars)))
    same(value("neighbours", "move_histogram", "global"), np.max(abs(x - y).sum(axis=1)))
    x, y = pairs(databases(5, d.whole(1, 4)), "replace", empty=True)
    same(value("neighbours", "move_histogram", "global", change="swap"), np.max(abs(x - y).sum(axis=1)))


@claim("Error of all d counts, Laplace", "Error of all d counts, geometric")
def _(d):
    for change, moved in (("add", 1), ("swap", 2)):
        e = d.epsilon
        same(value("neighbours", "histogram_error_raw", "laplace", epsilon=e, change=change), 5 * moved / e)
        same(value("neighbours", "histogram_error_raw", "geometric", epsilon=e, change=change),
             5 / math.sinh(e / moved))


@claim("Error of one count raised to 0, Laplace")
def _(d):
    b, x = d.log(0.2, 9), d.whole(0, 20)
    found = count_error(LaplaceNoise(b), x, clamped=True)
    same(found.mean, b - b / 2 * EXP(-x / b))
    same(found.bias, b / 2 * EXP(-x / b))


@claim("Privacy loss of a release r")
def _(d):
    study = STUDIES["neighbours"](epsilon=d.epsilon, seed=d.whole(0, 999), change="swap", kind=2, kind_by=d.whole(3, 5))
    one = study.answer().one("laplace")
    x, y = one.pair.x, one.pair.y
    r = x + one.shown
    same(fact(study, "release_loss", "laplace").value, study.epsilon / 2 * sum(abs(r - y) - abs(r - x)))


@claim("Naming the right one of n people, at most")
def _(d):
    e, n = d.log(0.1, 12), 2000
    same(value("neighbours", "identified_most", epsilon=e), min(EXP(e) / n, 1 - EXP(-e) * (1 - 1 / n)))


@claim("Saying whether somebody is there, at most")
def _(d):
    e = d.epsilon
    same(value("neighbours", "noticed_most", epsilon=e), EXP(e) / (1 + EXP(e)))
