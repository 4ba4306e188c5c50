"""The formulas of what is released: decisions, responses, means, noise, and what studies share."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import bdtr, gammaln, ndtri

from dpstudio.core.special import updated
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.asking import while_n_stays
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    SnappedLaplace,
    StaircaseNoise,
    analytic_sigma,
    classical_sigma,
    without_root_sigma,
)
from dpstudio.mechanisms.noise.doubles import laplace_in_doubles, reachable
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import (
    ShuffledResponse,
    alike_delta,
    cheu_epsilon,
    clones_delta,
    closed_epsilon,
    coins_delta,
)
from formula_claims.kit import EXP, LN, claim, law, left, of, right, same, value

BELOW = {"ε′": lambda d, now: now["ε"] * d.between(0, 1)}
WHOLE = {"Δ₁": (1, 5), "x": (-5, 5)}
GDP = "Privacy profile of Gaussian noise"

# What studies share


def mirrored_pairs(f):
    """Pr of “yes” and of “no” on every pair of neighbours, both ways round."""
    yes, no = f.accept_probability(np.arange(400)), f.reject_probability(np.arange(400))
    for i, j in ((slice(None, -1), slice(1, None)), (slice(1, None), slice(None, -1))):
        yield (yes[i], yes[j]), (no[i], no[j])


@claim('Pr[M(x) ∈ S] ≤ e^ε Pr[M(y) ∈ S] + δ quad "for" norm(x − y)₁ ≤ 1',
       "Pr[Q(N + 1) = 1] ≤ e^ε Pr[Q(N) = 1] + δ \\ /* and */ Pr[Q(N) = 0] ≤ e^ε Pr[Q(N + 1) = 0] + δ")
def _(d):
    now = {"ε": d.epsilon, "δ": d.delta}
    decision = GeneralizedDecision(*now.values(), 200, d.between(0.2, 0.8))
    (up_yes, _), (_, down_no) = pairs = list(mirrored_pairs(decision))
    for outcomes in pairs:
        for x, y in outcomes:
            assert np.min(right("Differential privacy", {**now, "Pr[M(y) ∈ S]": y}) - x) > -1e-13
    for at, told, (here, there) in ((0, "Pr[Q(N) = 1]", up_yes), (1, "Pr[Q(N + 1) = 0]", down_no)):
        assert -1e-13 < np.min(right("A private decision", {**now, told: here}, at) - there) < 1e-13


@claim("δ(ε′) = max over x ∼ y of Σᵣ max(0, Pr[M(x) = r] − e^(ε′) Pr[M(y) = r])")
def _(d):
    decision, prime = GeneralizedDecision(d.epsilon, d.delta, 200, d.between(0.2, 0.8)), d.epsilon
    most = max(np.max(sum(np.maximum(0, x - EXP(prime) * y) for x, y in outcomes))
               for outcomes in mirrored_pairs(decision))
    same(decision.delta_at(prime), most, rel=1e-7)


@claim("max over α of (1 − α − T(α)) = δ(0)")
def _(d):
    noise, alpha = GaussianNoise(d.between(0.5, 3)), np.linspace(0, 1, 4001)
    same(np.max(1 - alpha - noise.trade_off(alpha)), noise.delta_at(0.0), rel=1e-6)


@claim("Belief after an answer")
def _(d):
    response, p = RandomizedResponse.two_coin(d.between(0.1, 0.9), d.between(0.1, 0.9)), d.between(0.01, 0.99)
    now = {"p": p, 'Pr[r | "yes"]': response.yes_if_yes, 'Pr[r | "no"]': response.yes_if_no}
    after = right("Belief after an answer", now)
    same(response.posterior(p, True), after)
    same(updated(p, right("Belief after an answer", now, "ℓ")), after)


@claim("Gaussian noise, the least σ")
def _(d):
    e, delta, moved = d.epsilon, d.delta, d.between(0.5, 4)
    same(left("Gaussian noise, the least σ", {"ε": e, "Δ₂": moved, "σ": analytic_sigma(e, delta, moved)}), delta,
         rel=1e-6)


law(GDP, "μ ε′", lambda mu, prime: GaussianNoise(1 / mu).delta_at(prime), {"μ": (0.3, 3.0), "ε′": (0.0, 2.0)})
law("Least errors of any attacker", "ε δ α", composition.trade_off)
law("Laplace noise", "ε Δ₁ x", lambda e, moved, x: (LaplaceNoise(moved / e).density(x), value(
    "noise", "noise_scale", "laplace", epsilon=e, sensitivity=moved)))
law("Discrete Laplace noise", "ε Δ₁ x", lambda e, moved, x: GeometricNoise(e, moved).density(x), WHOLE)
law("Staircase noise", "ε Δ₁ x", lambda e, moved, x: StaircaseNoise(e, moved).density(x))
law("Staircase noise, the least mean error", "ε Δ₁", of("noise", "mean_error", "staircase", "epsilon sensitivity"))
law("Privacy profile of staircase noise", "ε Δ₁ ε′",
    lambda e, moved, prime: StaircaseNoise(e, moved).delta_at(prime, moved), BELOW)
law("noise: Error that 95 % stay within, Laplace", "b", lambda b: value("noise", "error_95", "laplace", epsilon=1 / b))
law("Symmetric response", "ε", lambda e: chances(RandomizedResponse.symmetric(e)))


def chances(response):
    return response.yes_if_yes, response.yes_if_no


@claim("Gaussian releases together")
def _(d):
    k, moved, sigma, delta = d.whole(2, 50), d.between(0.5, 2), d.between(2, 9), 1e-5
    mu = right("Gaussian releases together", {"k": k, "Δ₂": moved, "σ": sigma})
    same(right(GDP, {"μ": mu, "ε′": composition.gaussian(sigma, moved, k, delta)}), delta, rel=1e-6)


@claim("Pr[X = x] = e^(−x² slash (2 σ²))/(Σ_k e^(−k² slash (2 σ²)))",
       "δ(ε′) = Pr[X > (ε′ σ²)/Δ₂ − Δ₂/2] − e^(ε′) Pr[X > (ε′ σ²)/Δ₂ + Δ₂/2]")
def _(d):
    sigma, moved, prime, x = d.between(0.5, 9), d.whole(1, 4), d.epsilon, d.whole(-9, 9)
    k = np.arange(-400, 401)
    law = np.exp(-(k**2) / (2 * sigma**2)) / np.sum(np.exp(-(k**2) / (2 * sigma**2)))
    same(DiscreteGaussianNoise(sigma).density(x), law[x + 400])
    at = prime * sigma**2 / moved
    same(DiscreteGaussianNoise(sigma).delta_at(prime, moved),
         law[k > at - moved / 2].sum() - EXP(prime) * law[k > at + moved / 2].sum())


# Decision

ALL = {"N": lambda d, now: np.arange(101), "k": (40.0, 60.0), "n₀": (50, 50)}

law("Laplace", "ε N k", lambda e, n, k: LaplaceDecision(e, k).accept_probability(n), ALL)
law("Laplace, the threshold", "ε m p", lambda e, m, p: LaplaceDecision.for_target(e, m, p).threshold,
    {"m": (10, 1000)})
law("Cutoff exponential", "ε N m ε′", lambda e, n, m, prime: (
    CutoffExponentialDecision(e, m).accept_probability(n), CutoffExponentialDecision(e, m).delta_at(prime)),
    {**ALL, "m": (20, 60)})
law("Generalized, in closed form around a whole n₀", "ε δ n₀ N", lambda e, delta, centre, n:
    GeneralizedDecision.centred(e, delta, centre).accept_probability(n), ALL, at=2)
law("Gaussian", "μ p m N", lambda mu, p, m, n: GaussianDecision(mu, m, p).accept_probability(n),
    {"μ": (0.01, 1.0), "p": (0.1, 0.9), "m": (20, 40), "N": (10, 50)})
law("Generalized at the cutoff’s guarantee", "ε", lambda e: tuple(
    value("decision", key, "matched", epsilon=e) for key in ("acceptance_at_minimum", "guarantee_delta")))
law("Loss of an answer", "ε N f", lambda e, n, _: tuple(
    value("decision", key, "laplace", epsilon=e, records=n) for key in ("loss_accept", "loss_reject")),
    {"ε": (0.02, 0.2), "N": (990, 1010), "f": lambda d, now: lambda n: laplace(n, now["ε"], 1000)})


def laplace(n, e, k):
    return float(right("Laplace", {"N": n, "ε": e, "k": k}))


@claim("Generalized, upwards from f(m) = p", "Generalized, downwards from f(m) = p")
def _(d):
    e, delta, p, n = d.epsilon, d.delta, d.between(0.001, 0.999), np.arange(150)
    f = GeneralizedDecision(e, delta, 50, p).accept_probability(n)
    same(f[50], p)
    now = {"ε": e, "δ": delta, "f": lambda n: f[n]}
    same(f[51:], right("Generalized, upwards from f(m) = p", {**now, "N": n[50:-1]}))
    same(f[:50], right("Generalized, downwards from f(m) = p", {**now, "N": n[1:51]}), rel=1e-8)


@claim("δ(ε) = δ")
def _(d):
    e, delta = d.epsilon, d.delta
    same(right(GDP, {"ε′": e, "μ": value("decision", "mu", "gaussian", epsilon=e, delta=delta)}), delta, rel=1e-6)


def shown(series, d, n):
    """A fact of a group of n persons, and the letters of its settings."""
    now = {"ε": d.epsilon, "δ": d.delta, "n": n}
    return now, lambda key: value("decision", key, series, others="selection", epsilon=now["ε"], delta=now["δ"],
                                  records=n)


@claim("f(0) = 0 quad f(n + 1) = min(1, e^ε f(n) + δ, 1 − e^(−ε) (1 − δ − f(n)))")
def _(d):
    e, delta = d.epsilon, d.delta
    f = 0.0
    for n in range(1, 40):
        f = right("Optimal selection, upwards from nobody", {"ε": e, "δ": delta, "n": n - 1, "f": lambda _, f=f: f}, 1)
        if n % 13 == 0:
            same(value("decision", "acceptance", "selection_optimal", others="selection", epsilon=e, delta=delta,
                       records=n), f)


@claim('f(n) = Pr[n + X > k] quad Pr[X = x] ∝ e^(−ε abs(x)) quad "for" abs(x) ≤ k quad k = ceil(ln((e^ε + 2δ − '
       '1)/((e^ε + 1) δ))/ε)')
def _(d):
    now, found = shown("selection_geometric", d, d.whole(1, 30))
    k = int(right("Truncated geometric noise and a threshold", now, "k"))
    x = np.arange(-k, k + 1)
    law = np.exp(-now["ε"] * abs(x))
    same(found("acceptance"), law[now["n"] + x > k].sum() / law.sum())


@claim('f(n) = Pr[n + "Lap"(1 slash ε) ≥ T] quad "for" n ≥ 1 quad T = 1 + ln(1/(2δ))/ε')
def _(d):
    now, found = shown("selection_laplace", d, d.whole(1, 60))
    threshold = right("Laplace noise and a threshold", now, "T")
    same(found("threshold"), threshold)
    same(found("acceptance"), laplace(now["n"], now["ε"], threshold))


@claim("Gaussian noise and a threshold, half of δ for each")
def _(d):
    now, found = shown("selection_gaussian", d, d.whole(1, 30))
    now["σ"] = analytic_sigma(now["ε"], now["δ"] / 2)
    same(found("threshold"), right("Gaussian noise and a threshold, half of δ for each", now, "T"), rel=1e-8)
    same(found("acceptance"), right("Gaussian noise and a threshold, half of δ for each", now), rel=1e-6)


@claim("Groups of which each person may be in κ")
def _(d):
    now = {"ε": d.epsilon, "δ": d.delta, "κ": d.whole(2, 20)}
    said = (*(right("Groups of which each person may be in κ", now, at) for at in (0, 1)), now["ε"], now["δ"])
    for key, each in zip(("guarantee_epsilon", "guarantee_delta", "groups_epsilon", "groups_delta"), said, strict=True):
        same(value("decision", key, "selection_laplace", others="selection", epsilon=now["ε"], delta=now["δ"],
                   partitions=now["κ"]), each, rel=1e-6)


@claim("f(N) = w Pr[N + X ≥ k] + (1 − w) Pr[N + X ≥ k + 1] quad f(m) = p")
def _(d):
    e, m, p = d.epsilon, 50, d.between(0.01, 0.99)
    a = EXP(-e)

    def reaches(x):
        return a**x / (1 + a) if x > 0 else 1 - a**(1 - x) / (1 + a)

    k = next(k for k in range(-500, 500) if reaches(k + 1 - m) <= p < reaches(k - m))
    w = (p - reaches(k + 1 - m)) / (reaches(k - m) - reaches(k + 1 - m))
    for n in (m - 3, m, m + 4):
        same(value("decision", "acceptance", "discrete_laplace", others="discrete", epsilon=e, minimum=m, target=p,
                   records=n), w * reaches(k - n) + (1 - w) * reaches(k + 1 - n))


@claim("Pr[X = x] ∝ e^(−x^2 slash (2 σ^2)) quad δ = Pr[X > ε σ^2 − ½] − e^ε Pr[X > ε σ^2 + ½]")
def _(d):
    e, delta, m, p = d.epsilon, d.delta, 90, d.between(0.01, 0.99)
    now = {"others": "discrete", "epsilon": e, "delta": delta, "minimum": m, "target": p}
    sigma, k, w = (value("decision", key, "discrete_gaussian", **now) for key in ("sigma", "threshold", "coin"))
    x = np.arange(-4000, 4001)
    law = np.exp(-x**2 / (2 * sigma**2))
    law /= law.sum()
    same(law[x > e * sigma**2 - 1 / 2].sum() - EXP(e) * law[x > e * sigma**2 + 1 / 2].sum(), delta, rel=1e-6)
    n = d.whole(80, 100)
    same(value("decision", "acceptance", "discrete_gaussian", **now, records=n),
         w * law[n + x >= k].sum() + (1 - w) * law[n + x >= k + 1].sum(), rel=1e-7)


@claim('f(N₋) = τ quad 1 − f(N₊) = τ quad "width" = N₊ − N₋')
def _(d):
    now = {"epsilon": d.epsilon, "uncertain": d.between(0.001, 0.2), "target": d.between(0.1, 0.9)}
    low, high, width, k = (value("decision", key, "laplace", **now) for key in
                           ("band_from", "band_to", "band_width", "threshold"))
    same(laplace(low, now["epsilon"], k), now["uncertain"])
    same(1 - laplace(high, now["epsilon"], k), now["uncertain"])
    same(width, right("Uncertain band", {"N₊": high, "N₋": low}, 2))


@claim("Probability of a wrong answer", "Expected cost of wrong answers")
def _(d):
    """Of a Laplace decision under a Poisson prior."""
    m, e, centre, cost = d.whole(30, 60), d.log(0.05, 1), d.between(30, 60), (d.between(0.1, 9), d.between(0.1, 9))
    n = np.arange(400)
    prior = np.exp(n * LN(centre) - centre - gammaln(n + 1))
    f, below = right("Laplace", {"N": n, "ε": e, "k": m}), n < m
    few, many = prior[below].sum(), prior[~below].sum()
    letters = {"Pr[N < m]": few, "Pr[N ≥ m]": many, "Pr[Q = 1 | N < m]": (prior * f)[below].sum() / few,
               "Pr[Q = 0 | N ≥ m]": (prior * (1 - f))[~below].sum() / many, "c₁": cost[0], "c₀": cost[1]}
    now = {"minimum": m, "epsilon": e, "prior": "poisson", "prior_centre": centre, "cost_false_yes": cost[0],
           "cost_false_no": cost[1]}
    for key, name in (("overall_error", "Probability of a wrong answer"),
                      ("expected_cost", "Expected cost of wrong answers")):
        same(value("decision", key, "laplace", **now), right(name, letters))


@claim("Asked k times")
def _(d):
    e, k = d.log(0.02, 0.5), 10
    now = {"epsilon": e, "delta": 0.0}
    letters = {"ε": e, "k": k, "δ": value("decision", "guarantee_delta", "cutoff", **now)}
    for at, key in enumerate(("asked_epsilon", "asked_delta")):
        same(value("decision", key, "cutoff", **now), right("Asked k times", letters, at))


@claim("Asked k times while N stays")
def _(d):
    e, k, delta = d.log(0.1, 1), d.whole(2, 20), d.log(1e-6, 1e-2)
    one = LaplaceDecision(e, 10.0)
    # Below the threshold “yes” tells the most, which is more likely with one record more.
    n = d.whole(3, 9)
    f, g, f_here, g_here = (float(each(at)) for at in (n + 1, n)
                            for each in (one.accept_probability, one.reject_probability))
    losses = LN(f / f_here), LN(g_here / g)
    prime = while_n_stays((f_here, f), (g_here, g), losses, k, delta)
    assert prime > 0
    same(right("Asked k times while N stays", {
        "k": k, "j": np.arange(k + 1), "N": n, "ε′": prime, "f": lambda n: f, "ℓ₁": lambda n: losses[0],
        "ℓ₀": lambda n: losses[1]}), delta, rel=1e-6)


# Response

def coins(d):
    theta1, theta2 = d.between(0.1, 0.9), d.between(0.1, 0.9)
    response = RandomizedResponse.two_coin(theta1, theta2)
    return response, {"θ₁": theta1, "θ₂": theta2, 'Pr["yes" | "yes"]': response.yes_if_yes,
                      'Pr["yes" | "no"]': response.yes_if_no}


law("Two coins", "θ₁ θ₂", lambda one, two: chances(RandomizedResponse.two_coin(one, two)))
law("Two coins, ε", "θ₁ θ₂", lambda one, two: RandomizedResponse.two_coin(one, two).epsilon)


@claim("Probability of “yes”", "Belief after “yes”", "Estimated share, c answers “yes” of n",
       "Its standard deviation", "Its standard deviation for one fixed group, two coins", "Best coins at the same ε")
def _(d):
    (response, now), p, n = coins(d), d.between(0.01, 0.99), d.whole(10, 1000)
    c = d.whole(0, n)
    now |= {"p": p, "c": c, "n": n, "ε": response.epsilon}
    yes = response.answer_probability(p)
    same(yes, right("Probability of “yes”", now))
    same(response.posterior(p, True), right("Belief after “yes”", now))
    same(response.estimate(c, n), right("Estimated share, c answers “yes” of n", now))
    same(response.estimator_sd(p, n), right("Its standard deviation", {**now, "λ": yes}))
    same(response.estimator_sd_given(c, n),
         right("Its standard deviation for one fixed group, two coins", {**now, "p": c / n}))
    for at, key in enumerate(("coin2", "coin1")):
        same(value("response", key, "best", design="coins", theta1=now["θ₁"], theta2=now["θ₂"]),
             right("Best coins at the same ε", now, at))


@claim("People for a margin m, by 1.96 standard deviations", "People for a margin m, surely")
def _(d):
    (response, now), m, p = coins(d), d.between(0.01, 0.1), d.between(0.1, 0.9)
    asked = {"design": "coins", "theta1": now["θ₁"], "theta2": now["θ₂"], "margin": m, "prevalence": p}
    now |= {"m": m, "λ": response.answer_probability(p)}
    same(value("response", "people_needed", "response", **asked),
         right("People for a margin m, by 1.96 standard deviations", now), rel=1e-4)
    assert 0 <= value("response", "people_sure", "response", **asked) - right("People for a margin m, surely", now) < 1


@claim("Errors of an attacker with one answer")
def _(d):
    response, now = coins(d)
    alpha = np.append(np.linspace(0, 1, 200), [response.yes_if_no, response.no_if_yes])
    same(np.min(alpha + response.trade_off(alpha)), right("Errors of an attacker with one answer", now))


# Mean

def estimate(name, key, series, letters=""):
    """A law of an error of the mean study in ε and n, and in other facts by their letters."""
    found = dict(zip(letters.split()[::2], letters.split()[1::2], strict=True))

    @claim(name)
    def _(d):
        now = {"epsilon": d.epsilon, "people": d.whole(10, 10_000), "fraction": d.between(0.1, 0.9), "delta": d.delta}
        more = {letter: value("mean", fact, series, **now) for letter, fact in found.items()}
        same(value("mean", key, series, **now), right(name, {
            "ε": now["epsilon"], "n": now["people"], "π": now["fraction"], **more}))


estimate("Randomized response, error", "group_error", "response")
estimate("Laplace, error", "group_error", "laplace")
estimate("Discrete Laplace, error", "group_error", "geometric")
estimate("Shuffled responses, error", "group_error", "shuffled", "ε₀ local_epsilon")
estimate("Error about the population", "population_error", "response", 'op("sd")_"group" group_error')
estimate("Error that 95 % stay within, randomized response", "fraction_error_95", "response")
estimate("mean: Error that 95 % stay within, Laplace", "fraction_error_95", "laplace")
estimate("Where randomized response has the smaller error", "break_even", "response")
estimate("Times as many people for the error of Laplace noise", "times_people", "response")
law("Gaussian, error", "ε δ n σ", lambda e, delta, n, _: value(
    "mean", "group_error", "gaussian", epsilon=e, delta=delta, people=n),
    {"σ": lambda d, now: analytic_sigma(now["ε"], now["δ"])})


@claim("Error that 95 % stay within, shuffled responses")
def _(d):
    now = {"epsilon": d.epsilon, "people": d.whole(10, 10_000), "fraction": d.between(0.1, 0.9), "delta": d.delta}
    local = value("mean", "local_epsilon", "shuffled", **now)
    same(value("mean", "fraction_error_95", "shuffled", **now), right(
        "Error that 95 % stay within, shuffled responses",
        {"ε₀": local, "n": now["people"], "p": 1 / (1 + EXP(-local)), "q": 1 / (1 + EXP(local))}))


@claim("B(b) = Σ over r > b of (r − b) P_r", "Laplace, error under a bound")
def _(d):
    now, p = persons(d)
    e, b, n = d.epsilon, now["at_most"], now["people"]
    lost = sum((r - b) * p[r] for r in p if r > b)
    same(value("mean", "bound_bias", **now), lost / n)
    same(value("mean", "bound_error", "laplace", epsilon=e, **now), right(
        "Laplace, error under a bound", {"B": lambda _: lost, "b": b, "ε": e, "n": n}))


def persons(d):
    """People with 701·k yes rows as the RAND table has them, and P_r."""
    k = d.whole(1, 20)
    rows = {1: 35 * k, 2: 23 * k, 3: 451 * k, 4: 7 * k, 5: 185 * k}
    return {"people": 5912 * k, "fraction": 701 / 5912, "rows_law": "rand", "at_most": d.whole(1, 6)}, rows


@claim('min over b of (B(b) + b/ε) quad "at the least" b "with" Σ over r > b of P_r ≤ 1/ε')
def _(d):
    (now, p), e = persons(d), d.log(1e-4, 0.1)
    together = {b: sum((r - b) * p[r] for r in p if r > b) + b / e for b in range(1, 6)}
    least = next(b for b in range(1, 6) if sum(p[r] for r in p if r > b) <= 1 / e)
    assert together[least] <= min(together.values()) * (1 + 1e-12)
    same(value("mean", "rule_bound", "laplace", epsilon=e, **now), least)


def hidden(mass, p, e):
    """The largest (p − e^ε q) w(j) − (e^ε − 1) Pr[W > j]."""
    beyond = np.append(np.cumsum(mass[::-1])[-2::-1], 0.0)
    return np.max((p - EXP(e) * (1 - p)) * mass - (EXP(e) - 1) * beyond)


@claim('δ(ε) = max over l of ((p − e^ε q) Pr[L = l] − (e^ε − 1) min(Pr[L < l], Pr[L > l])) quad "for" L ∼ op("Bin")(n '
       '− 1, q) quad q = 1 − p = 1/(1 + e^(ε₀))')
def _(d):
    n, local = d.whole(2, 400) if d.whole(0, 1) else d.whole(2, 10), d.between(0.1, 4)
    e, p = d.between(0, local), 1 / (1 + EXP(-local))
    liars = np.diff(bdtr(np.arange(n), n - 1, 1 - p), prepend=0)
    most = max(hidden(liars[::-1], p, e), hidden(liars, p, e))
    same(ShuffledResponse(local, n).pair_delta(n - 1, e), most)
    same(alike_delta(local, n, e), most)


def hidden_among(n, local, e, share):
    """The mean of it over C of Bin(n − 1, share), w the law of Bin(C, ½)."""
    p, numbers = 1 / (1 + EXP(-local)), np.diff(bdtr(np.arange(n), n - 1, share), prepend=0)
    return sum(mass * hidden(np.diff(bdtr(np.arange(c + 1), c, 0.5), prepend=0) if c else np.ones(1), p, e)
               for c, mass in enumerate(numbers))


@claim('δ(ε) ≤ E[max over j of ((p − e^ε q) Pr[A = j] − (e^ε − 1) Pr[A > j])] quad "for" A ∼ op("Bin")(C, 1/2) quad C '
       '∼ op("Bin")(n − 1, e^(−ε₀))')
def _(d):
    n, local = d.whole(2, 25), d.between(0.1, 3)  # numbers of coins and clones that are summed one by one
    e = d.between(0, local)
    same(clones_delta(local, n, e), hidden_among(n, local, e, EXP(-local)))


@claim('δ(ε) ≤ E[max over j of ((p − e^ε q) Pr[A = j] − (e^ε − 1) Pr[A > j])] quad "for" A ∼ op("Bin")(C, 1/2) quad C '
       '∼ op("Bin")(n − 1, 2 q) quad q = 1 − p = 1/(1 + e^(ε₀))')
def _(d):
    n, local = d.whole(2, 25), d.between(0.1, 3)  # numbers of coins and clones that are summed one by one
    e = d.between(0, local)
    same(coins_delta(local, n, e), hidden_among(n, local, e, 2 / (1 + EXP(local))))


law("Shuffled answers of any kind, closed form", "n δ ε₀", lambda n, delta, local: closed_epsilon(local, n, delta), {
    "n": (10_000, 10**9), "ε₀": lambda d, now: d.between(0.1, LN(now["n"] / (16 * LN(2 / now["δ"]))))})
law("Shuffled responses, by the first theorem", "n δ ε₀",
    lambda n, delta, local: cheu_epsilon(2 * n / (1 + EXP(local)), n, delta), {
    "n": (10_000, 10**9), "ε₀": lambda d, now: d.between(0.1, LN(2 * now["n"] / (14 * LN(4 / now["δ"])) - 1))})

# Noise

law("Laplace, standard deviation and mean error", "b", lambda b: (LaplaceNoise(b).sd, LaplaceNoise(b).mean_error))
law("Discrete Laplace, standard deviation and mean error", "ε Δ₁", lambda e, moved: (
    GeometricNoise(e, moved).sd, GeometricNoise(e, moved).mean_error), WHOLE)
law("Gaussian noise, mean error", "σ π", lambda sigma, _: GaussianNoise(sigma).mean_error, {"π": lambda *_: math.pi})
law("Gaussian noise, the classical σ", "ε δ Δ₂", classical_sigma, {"ε": (0.01, 1.0)})
law("Gaussian noise, the misprinted σ", "ε δ Δ₂", without_root_sigma)
law("Error that 95 % stay within, Gaussian", "σ", lambda sigma: GaussianNoise(sigma).error_quantile(0.95))
law("Privacy profile of Laplace noise", "ε Δ₁ ε′",
    lambda e, moved, prime: LaplaceNoise(moved / e).delta_at(prime, moved), BELOW)
law("Privacy profile of discrete Laplace noise", "ε ε′", lambda e, prime: GeometricNoise(e).delta_at(prime), BELOW)
law("Gaussian noise as μ-GDP", "σ Δ₂", lambda sigma, moved: 2 * ndtri(
    (1 + GaussianNoise(sigma).delta_at(0.0, moved)) / 2), {"σ": (0.5, 3.0), "Δ₂": (0.5, 3.0)})
law("Best attacker on Gaussian noise", "μ α", lambda mu, alpha: GaussianNoise(1 / mu).trade_off(alpha), {
    "μ": (0.2, 6.0), "α": (0.01, 0.99)})
law("Best attacker on Laplace noise", "ε α", lambda e, alpha: LaplaceNoise(1 / e).trade_off(alpha), {
    "α": lambda *_: np.linspace(0.001, 0.999, 50)})


# What a computer releases


@claim("y = f + s b ln(k slash 2^53) quad s = ±1 quad 0 < k < 2^53", 'Pr["only with"] ≤ δ quad Pr["only without"] ≤ δ')
def _(d):
    f, b, n = d.whole(0, 3), 1 / d.epsilon, 4000
    k = 1 + np.floor(d.rng.random(n) * (2.0**53 - 1))
    y = f + d.rng.choice([-1.0, 1.0], n) * (b * np.log(k / 2**53))
    assert reachable(y, f, b).all()
    # The event “cannot come from f + 1” has no probability there, and at f that of these draws.
    only = 1 - reachable(y, f + 1, b).mean()
    drawn = laplace_in_doubles(f, b, n, d.rng)
    assert abs(only - (1 - reachable(drawn, f + 1, b).mean())) < 0.06
    assert only > 0


@claim("y = Λ floor((f + s b ln(u))/Λ + 1/2) quad b ≤ Λ < 2 b quad abs(y) ≤ B", "Snapping, its guarantee")
def _(d):
    e, bound, f = d.epsilon, d.log(2000, 1e12), d.between(-9, 9)
    one = SnappedLaplace(e, bound)
    same(e, right("Snapping, its guarantee", {"B": bound, "b": one.scale}))
    step = one.grid
    assert one.scale <= step < 2 * one.scale
    assert math.log2(step) % 1 == 0
    y = step * np.floor((f + d.rng.choice([-1, 1], 40_000) * one.scale * np.log(d.rng.random(40_000))) / step + 0.5)
    for outcome in step * np.arange(-2, 3):
        p = one.probability(outcome, f)
        assert abs((y == outcome).mean() - p) < 5 * (p / 40_000) ** 0.5 + 1e-4
