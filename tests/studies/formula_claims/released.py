"""The formulas of what is released: decisions, responses, means, noise, and what studies share."""


from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.special import bdtr, gammaln, ndtr, ndtri

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
from formula_claims.kit import EXP, LN, SQRT, claim, same, value

# What studies share


def mirrored_pairs(f):
    """Pr of “yes” and of “no” on every pair of neighbours, both ways round."""
    yes, no = f.accept_probability(np.arange(400)), f.reject_probability(np.arange(400))
    for i, j in ((slice(None, -1), slice(1, None)), (slice(1, None), slice(None, -1))):
        yield (yes[i], yes[j]), (no[i], no[j])


@claim("Differential privacy")
def _(d):
    e, delta = d.epsilon, d.delta
    slack = [e_ for outcomes in mirrored_pairs(GeneralizedDecision(e, delta, 200, d.between(0.2, 0.8)))
             for x, y in outcomes for e_ in EXP(e) * y + delta - x]
    assert -1e-13 < min(slack) < 1e-13


@claim("Privacy profile")
def _(d):
    decision, prime = GeneralizedDecision(d.epsilon, d.delta, 200, d.between(0.2, 0.8)), d.epsilon
    most = max(np.max(sum(np.maximum(0, x - EXP(prime) * y) for x, y in outcomes))
               for outcomes in mirrored_pairs(decision))
    same(decision.delta_at(prime), most, rel=1e-7)


def gdp(prime, mu):
    return float(ndtr(mu / 2 - prime / mu) - EXP(prime) * ndtr(-mu / 2 - prime / mu))


@claim("Privacy profile of Gaussian noise")
def _(d):
    mu, prime = d.between(0.3, 3), d.between(0, 2)
    same(GaussianNoise(1 / mu).delta_at(prime), gdp(prime, mu))


@claim("Least errors of any attacker")
def _(d):
    e, delta, alpha = d.epsilon, d.delta, d.between(0, 1)
    same(composition.trade_off(e, delta, alpha), max(0, 1 - delta - EXP(e) * alpha, EXP(-e) * (1 - delta - alpha)))


@claim("Attacker’s advantage")
def _(d):
    noise, alpha = GaussianNoise(d.between(0.5, 3)), np.linspace(0, 1, 4001)
    same(np.max(1 - alpha - noise.trade_off(alpha)), noise.delta_at(0.0), rel=1e-6)


@claim("Belief after an answer")
def _(d):
    response, p = RandomizedResponse.two_coin(d.between(0.1, 0.9), d.between(0.1, 0.9)), d.between(0.01, 0.99)
    ell = LN(response.yes_if_yes / response.yes_if_no)
    same(response.posterior(p, True), p * EXP(ell) / (1 - p + p * EXP(ell)))
    same(updated(p, ell), p * EXP(ell) / (1 - p + p * EXP(ell)))


@claim("Laplace noise")
def _(d):
    e, moved, x = d.epsilon, d.between(0.5, 4), d.between(-5, 5)
    b = moved / e
    same(value("noise", "noise_scale", "laplace", epsilon=e, sensitivity=moved), b)
    same(LaplaceNoise(b).density(x), 1 / (2 * b) * EXP(-abs(x) / b))


@claim("Geometric noise")
def _(d):
    e, moved, x = d.epsilon, d.whole(1, 4), d.whole(-5, 5)
    a = EXP(-e / moved)
    same(GeometricNoise(e, moved).density(x), (1 - a) / (1 + a) * a ** abs(x))


@claim("Staircase noise")
def _(d):
    e, moved, x = d.epsilon, d.between(0.5, 4), d.between(-9, 9)
    gamma = 1 / (1 + EXP(e / 2))
    height = (1 - EXP(-e)) / (2 * moved * (gamma + EXP(-e) * (1 - gamma)))
    same(StaircaseNoise(e, moved).density(x), height * EXP(-e * math.floor(abs(x) / moved + 1 - gamma)))


@claim("Staircase noise, the least mean error")
def _(d):
    e, moved = d.epsilon, d.between(0.5, 4)
    same(value("noise", "mean_error", "staircase", epsilon=e, sensitivity=moved), moved * EXP(e / 2) / (EXP(e) - 1))


@claim("Privacy profile of staircase noise")
def _(d):
    e, moved = d.epsilon, d.between(0.5, 4)
    prime = e * d.between(0, 1)
    same(StaircaseNoise(e, moved).delta_at(prime, moved), (1 - EXP(-e / 2) / 2) * (1 - EXP(prime - e)))


@claim("Discrete Gaussian noise")
def _(d):
    sigma, x = d.between(0.3, 9), d.whole(-9, 9)
    whole = sum(EXP(-(k**2) / (2 * sigma**2)) for k in range(-400, 401))
    same(DiscreteGaussianNoise(sigma).density(x), EXP(-(x**2) / (2 * sigma**2)) / whole)


@claim("Privacy profile of discrete Gaussian noise")
def _(d):
    sigma, moved, prime = d.between(0.5, 9), d.whole(1, 4), d.epsilon
    law = {k: EXP(-(k**2) / (2 * sigma**2)) for k in range(-400, 401)}

    def above(x):
        return sum(p for k, p in law.items() if k > x) / sum(law.values())

    at = prime * sigma**2 / moved
    kept = above(at - moved / 2) - EXP(prime) * above(at + moved / 2)
    same(DiscreteGaussianNoise(sigma).delta_at(prime, moved), kept)


@claim("noise: Error that 95 % stay within, Laplace")
def _(d):
    e = d.epsilon
    same(value("noise", "error_95", "laplace", epsilon=e), 1 / e * LN(20))


@claim("Gaussian noise, the least σ")
def _(d):
    e, delta, moved = d.epsilon, d.delta, d.between(0.5, 4)
    sigma = analytic_sigma(e, delta, moved)
    same(ndtr(moved / (2 * sigma) - e * sigma / moved) - EXP(e) * ndtr(-moved / (2 * sigma) - e * sigma / moved), delta,
         rel=1e-6)


@claim("Symmetric response")
def _(d):
    e = d.epsilon
    response = RandomizedResponse.symmetric(e)
    same(response.yes_if_yes, EXP(e) / (1 + EXP(e)))
    same(response.yes_if_no, 1 / (1 + EXP(e)))


@claim("Gaussian releases together")
def _(d):
    k, moved, sigma, delta = d.whole(2, 50), d.between(0.5, 2), d.between(2, 9), 1e-5
    same(gdp(composition.gaussian(sigma, moved, k, delta), SQRT(k) * moved / sigma), delta, rel=1e-6)


# Decision


@claim("A private decision")
def _(d):
    e, delta = d.epsilon, d.delta
    decision = GeneralizedDecision(e, delta, 200, d.between(0.2, 0.8))
    yes, no = decision.accept_probability(np.arange(400)), decision.reject_probability(np.arange(400))
    for slack in (EXP(e) * yes[:-1] + delta - yes[1:], EXP(e) * no[1:] + delta - no[:-1]):
        assert -1e-13 < slack.min() < 1e-13


def laplace(n, e, k):
    return 0.5 * EXP(e * (n - k)) if n < k else 1 - 0.5 * EXP(-e * (n - k))


@claim("Laplace")
def _(d):
    e, k = d.epsilon, d.between(40, 60)
    for n in range(101):
        same(LaplaceDecision(e, k).accept_probability(n), laplace(n, e, k))


@claim("Laplace, the threshold")
def _(d):
    for p in (d.between(0.01, 0.5), d.between(0.5, 0.99)):
        e, m = d.epsilon, d.whole(10, 1000)
        same(LaplaceDecision.for_target(e, m, p).threshold,
             m - LN(2 * p) / e if p <= 0.5 else m + LN(2 * (1 - p)) / e)


@claim("Cutoff exponential")
def _(d):
    e, m, n = d.epsilon, d.whole(20, 60), d.whole(0, 80)
    same(CutoffExponentialDecision(e, m).accept_probability(n), min(1, EXP(e * (n - m))))
    same(CutoffExponentialDecision(e, m).delta_at(d.between(0, 9)), 1 - EXP(-e))


@claim("Generalized, upwards from f(m) = p")
def _(d):
    e, delta, p = d.epsilon, d.delta, d.between(0.001, 0.999)
    f = GeneralizedDecision(e, delta, 50, p).accept_probability(np.arange(50, 150))
    same(f[0], p)
    for here, after in pairwise(f):
        same(after, min(1, EXP(e) * here + delta, 1 - EXP(-e) * (1 - delta - here)))


@claim("Generalized, downwards from f(m) = p")
def _(d):
    e, delta, p = d.epsilon, d.delta, d.between(0.001, 0.999)
    f = GeneralizedDecision(e, delta, 50, p).accept_probability(np.arange(51))
    for before, here in pairwise(f):
        same(before, max(0, EXP(-e) * (here - delta), 1 - delta - EXP(e) * (1 - here)), rel=1e-8)


@claim("Generalized, in closed form around a whole n₀")
def _(d):
    e, delta, centre = d.epsilon, d.delta, 50
    p0, s = (EXP(e) + delta) / (EXP(e) + 1), delta / (EXP(e) - 1)
    for n in range(101):
        above, below = 1 - max(0, (1 - p0 + s) * EXP(-e * (n - centre)) - s), \
            max(0, (1 - p0 + s) * EXP(-e * (centre - 1 - n)) - s)
        same(GeneralizedDecision.centred(e, delta, centre).accept_probability(n), above if n >= centre else below)


@claim("Gaussian")
def _(d):
    mu, p, m, n = d.between(0.01, 1), d.between(0.1, 0.9), d.whole(20, 40), d.whole(10, 50)
    same(GaussianDecision(mu, m, p).accept_probability(n), ndtr(ndtri(p) + mu * (n - m)))


@claim("Gaussian, the largest μ")
def _(d):
    e, delta = d.epsilon, d.delta
    same(gdp(e, value("decision", "mu", "gaussian", epsilon=e, delta=delta)), delta, rel=1e-6)


@claim("Generalized at the cutoff’s guarantee")
def _(d):
    e = d.epsilon
    same(value("decision", "acceptance_at_minimum", "matched", epsilon=e), 1)
    same(value("decision", "guarantee_delta", "matched", epsilon=e), 1 - EXP(-e))


@claim("Optimal selection, upwards from nobody")
def _(d):
    e, delta = d.epsilon, d.delta
    now = {"others": "selection", "epsilon": e, "delta": delta}
    f = 0.0
    for n in range(1, 40):
        f = min(1, EXP(e) * f + delta, 1 - EXP(-e) * (1 - delta - f))
        if n % 13 == 0:
            same(value("decision", "acceptance", "selection_optimal", **now, records=n), f, rel=1e-9)


@claim("Truncated geometric noise and a threshold")
def _(d):
    e, delta, n = d.epsilon, d.delta, d.whole(1, 30)
    k = math.ceil(LN((EXP(e) + 2 * delta - 1) / ((EXP(e) + 1) * delta)) / e)
    x = np.arange(-k, k + 1)
    law = np.exp(-e * abs(x))
    same(value("decision", "acceptance", "selection_geometric", others="selection", epsilon=e, delta=delta, records=n),
         law[n + x > k].sum() / law.sum(), rel=1e-9)


@claim("Laplace noise and a threshold")
def _(d):
    e, delta, n = d.epsilon, d.delta, d.whole(1, 60)
    now = {"others": "selection", "epsilon": e, "delta": delta, "records": n}
    threshold = 1 + LN(1 / (2 * delta)) / e
    same(value("decision", "threshold", "selection_laplace", **now), threshold)
    same(value("decision", "acceptance", "selection_laplace", **now), laplace(n, e, threshold))


@claim("Gaussian noise and a threshold, half of δ for each")
def _(d):
    e, delta, n = d.epsilon, d.delta, d.whole(1, 30)
    now = {"others": "selection", "epsilon": e, "delta": delta, "records": n}
    sigma = analytic_sigma(e, delta / 2)
    threshold = 1 - sigma * ndtri(delta / 2)
    same(value("decision", "threshold", "selection_gaussian", **now), threshold, rel=1e-8)
    same(value("decision", "acceptance", "selection_gaussian", **now), ndtr((n - threshold) / sigma), rel=1e-6)


@claim("Groups of which each person may be in κ")
def _(d):
    e, delta, k = d.epsilon, d.delta, d.whole(2, 20)
    now = {"others": "selection", "epsilon": e, "delta": delta, "partitions": k}
    same(value("decision", "guarantee_epsilon", "selection_laplace", **now), e / k)
    same(value("decision", "guarantee_delta", "selection_laplace", **now), 1 - (1 - delta) ** (1 / k), rel=1e-6)
    same(value("decision", "groups_epsilon", "selection_laplace", **now), e)
    same(value("decision", "groups_delta", "selection_laplace", **now), delta)


@claim("Discrete Laplace, a whole threshold and a coin")
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


@claim("Discrete Gaussian, the same with")
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


@claim("Uncertain band")
def _(d):
    now = {"epsilon": d.epsilon, "uncertain": d.between(0.001, 0.2), "target": d.between(0.1, 0.9)}
    low, high, width, k = (value("decision", key, "laplace", **now) for key in
                           ("band_from", "band_to", "band_width", "threshold"))
    same(laplace(low, now["epsilon"], k), now["uncertain"])
    same(1 - laplace(high, now["epsilon"], k), now["uncertain"])
    same(width, high - low)


@claim("Privacy loss of an answer")
def _(d):
    e, n = d.between(0.02, 0.2), d.whole(990, 1010)
    here, after = laplace(n, e, 1000), laplace(n + 1, e, 1000)
    same(value("decision", "loss_accept", "laplace", epsilon=e, records=n), LN(after / here))
    same(value("decision", "loss_reject", "laplace", epsilon=e, records=n), LN((1 - here) / (1 - after)))


def wrong(d, c1, c0):
    """Of a Laplace decision under a Poisson prior: its settings, and what wrong answers cost."""
    m, e, centre = d.whole(30, 60), d.log(0.05, 1), d.between(30, 60)
    n = np.arange(400)
    prior = np.exp(n * LN(centre) - centre - gammaln(n + 1))
    f, below = np.array([laplace(each, e, m) for each in n]), n < m
    few, many = prior[below].sum(), prior[~below].sum()
    yes, no = (prior * f)[below].sum() / few, (prior * (1 - f))[~below].sum() / many
    return ({"minimum": m, "epsilon": e, "prior": "poisson", "prior_centre": centre, "cost_false_yes": c1,
             "cost_false_no": c0}, c1 * few * yes + c0 * many * no)


@claim("Probability of a wrong answer")
def _(d):
    now, said = wrong(d, 1.0, 1.0)
    same(value("decision", "overall_error", "laplace", **now), said)


@claim("Expected cost of wrong answers")
def _(d):
    now, said = wrong(d, d.between(0.1, 9), d.between(0.1, 9))
    same(value("decision", "expected_cost", "laplace", **now), said)


@claim("Asked k times")
def _(d):
    e, k = d.log(0.02, 0.5), 10
    now = {"epsilon": e, "delta": 0.0}
    delta = value("decision", "guarantee_delta", "cutoff", **now)
    same(value("decision", "asked_epsilon", "cutoff", **now), k * e)
    same(value("decision", "asked_delta", "cutoff", **now), 1 - (1 - delta) ** k)


@claim("Asked k times while N stays")
def _(d):
    e, k, delta = d.log(0.1, 1), d.whole(2, 20), d.log(1e-6, 1e-2)
    one = LaplaceDecision(e, 10.0)
    # Below the threshold “yes” tells the most, which is more likely with one record more.
    n = d.whole(3, 9)
    f, g, f_here, g_here = (float(each(at)) for at in (n + 1, n)
                            for each in (one.accept_probability, one.reject_probability))
    prime = while_n_stays((f_here, f), (g_here, g), (LN(f / f_here), LN(g_here / g)), k, delta)
    needed = sum(math.comb(k, j) * f**j * g ** (k - j)
                 * max(0, 1 - EXP(prime - j * LN(f / f_here) + (k - j) * LN(g_here / g))) for j in range(k + 1))
    assert prime > 0
    same(needed, delta, rel=1e-6)



# Response


def coins(d):
    theta1, theta2 = d.between(0.1, 0.9), d.between(0.1, 0.9)
    return theta1, theta2, RandomizedResponse.two_coin(theta1, theta2)


@claim("Two coins")
def _(d):
    theta1, theta2, response = coins(d)
    same(response.yes_if_yes, theta1 + (1 - theta1) * theta2)
    same(response.yes_if_no, (1 - theta1) * theta2)


@claim("Two coins, ε")
def _(d):
    theta1, theta2, response = coins(d)
    same(response.epsilon, LN(1 + theta1 / ((1 - theta1) * min(theta2, 1 - theta2))))


@claim("Best coins at the same ε")
def _(d):
    theta1, theta2, response = coins(d)
    now = {"design": "coins", "theta1": theta1, "theta2": theta2}
    same(value("response", "coin2", "best", **now), 1 / 2)
    same(value("response", "coin1", "best", **now), math.tanh(response.epsilon / 2))


@claim("Probability of “yes”")
def _(d):
    (_, _, response), p = coins(d), d.between(0, 1)
    same(response.answer_probability(p), p * response.yes_if_yes + (1 - p) * response.yes_if_no)


@claim("Belief after “yes”")
def _(d):
    (_, _, response), p = coins(d), d.between(0.01, 0.99)
    a, b = response.yes_if_yes, response.yes_if_no
    same(response.posterior(p, True), p * a / (p * a + (1 - p) * b))


@claim("Estimated fraction, c answers “yes” of n")
def _(d):
    (_, _, response), n = coins(d), d.whole(10, 1000)
    c = d.whole(0, n)
    same(response.estimate(c, n), (c / n - response.yes_if_no) / (response.yes_if_yes - response.yes_if_no))


@claim("Its standard deviation")
def _(d):
    (_, _, response), p, n = coins(d), d.between(0, 1), d.whole(10, 1000)
    lam = response.answer_probability(p)
    same(response.estimator_sd(p, n), SQRT(lam * (1 - lam) / n) / (response.yes_if_yes - response.yes_if_no))


@claim("Its standard deviation for one fixed group, two coins")
def _(d):
    (theta1, theta2, response), n = coins(d), d.whole(10, 1000)
    k = d.whole(0, n)
    w = (1 - theta1) * theta2
    r, p = theta1 + w, k / n
    same(response.estimator_sd_given(k, n), 1 / theta1 * SQRT((p * r * (1 - r) + (1 - p) * w * (1 - w)) / n))


@claim("People for a margin m, by 1.96 standard deviations", "People for a margin m, surely")
def _(d):
    (theta1, theta2, response), m, p = coins(d), d.between(0.01, 0.1), d.between(0.1, 0.9)
    now = {"design": "coins", "theta1": theta1, "theta2": theta2, "margin": m, "prevalence": p}
    lam = response.answer_probability(p)
    same(value("response", "people_needed", "response", **now), lam * (1 - lam) / theta1**2 * (1.96 / m) ** 2, rel=1e-4)
    assert 0 <= value("response", "people_sure", "response", **now) - LN(40) / (2 * m**2 * theta1**2) < 1


@claim("Errors of whoever tests one answer")
def _(d):
    _, _, response = coins(d)
    alpha = np.append(np.linspace(0, 1, 200), [response.yes_if_no, response.no_if_yes])
    same(np.min(alpha + response.trade_off(alpha)), 1 - (response.yes_if_yes - response.yes_if_no))


# Mean


def asked(d):
    return {"epsilon": d.epsilon, "people": d.whole(10, 10_000), "fraction": d.between(0.1, 0.9), "delta": d.delta}


@claim("Randomized response, error")
def _(d):
    now = asked(d)
    e, n = now["epsilon"], now["people"]
    same(value("mean", "group_error", "response", **now), 1 / (2 * math.sinh(e / 2) * SQRT(n)))


@claim("Laplace, error")
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "laplace", **now), SQRT(2) / (now["people"] * now["epsilon"]))


@claim("Geometric, error")
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "geometric", **now),
         1 / (SQRT(2) * now["people"] * math.sinh(now["epsilon"] / 2)))


@claim("Gaussian, error")
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "gaussian", **now),
         analytic_sigma(now["epsilon"], now["delta"]) / now["people"])


@claim("Error about the population")
def _(d):
    now = asked(d)
    own, pi, n = value("mean", "group_error", "response", **now), now["fraction"], now["people"]
    same(value("mean", "population_error", "response", **now), SQRT(own**2 + pi * (1 - pi) / n))


@claim("Error that 95 % stay within, randomized response")
def _(d):
    now = asked(d)
    same(value("mean", "fraction_error_95", "response", **now),
         SQRT(LN(40) / (2 * now["people"])) / math.tanh(now["epsilon"] / 2))


@claim("mean: Error that 95 % stay within, Laplace")
def _(d):
    now = asked(d)
    same(value("mean", "fraction_error_95", "laplace", **now), LN(20) / (now["people"] * now["epsilon"]))


@claim("Where randomized response has the smaller error", "Times as many people for the error of Laplace noise")
def _(d):
    now = asked(d)
    e, n = now["epsilon"], now["people"]
    same(value("mean", "break_even", "response", **now), 8 * math.sinh(e / 2) ** 2 / e**2)
    same(value("mean", "times_people", "response", **now), n * e**2 / (8 * math.sinh(e / 2) ** 2))


def persons(d):
    """People with 701·k yes rows as the RAND table has them, and P_r."""
    k = d.whole(1, 20)
    rows = {1: 35 * k, 2: 23 * k, 3: 451 * k, 4: 7 * k, 5: 185 * k}
    return {"people": 5912 * k, "fraction": 701 / 5912, "rows_law": "rand", "at_most": d.whole(1, 6)}, rows


@claim("Rows lost to a bound, of persons by their rows")
def _(d):
    now, p = persons(d)
    b = now["at_most"]
    same(value("mean", "bound_bias", **now), sum((r - b) * p[r] for r in p if r > b) / now["people"])


@claim("Laplace, error under a bound")
def _(d):
    now, p = persons(d)
    e, b = d.epsilon, now["at_most"]
    lost = sum((r - b) * p[r] for r in p if r > b)
    same(value("mean", "bound_error", "laplace", epsilon=e, **now), SQRT(lost**2 + 2 * b**2 / e**2) / now["people"])


@claim("Laplace, bound of the least rows lost and mean noise together")
def _(d):
    (now, p), e = persons(d), d.log(1e-4, 0.1)
    together = {b: sum((r - b) * p[r] for r in p if r > b) + b / e for b in range(1, 6)}
    least = next(b for b in range(1, 6) if sum(p[r] for r in p if r > b) <= 1 / e)
    assert together[least] <= min(together.values()) * (1 + 1e-12)
    same(value("mean", "rule_bound", "laplace", epsilon=e, **now), least)


@claim("Shuffled responses, error", "Error that 95 % stay within, shuffled responses")
def _(d):
    now = asked(d)
    local, n, t = value("mean", "local_epsilon", "shuffled", **now), now["people"], LN(40) / 3
    same(value("mean", "group_error", "shuffled", **now), 1 / (2 * math.sinh(local / 2) * SQRT(n)))
    p, q = 1 / (1 + EXP(-local)), 1 / (1 + EXP(local))
    same(value("mean", "fraction_error_95", "shuffled", **now),
         (t + SQRT(t**2 + 6 * t * n * p * q)) / (n * math.tanh(local / 2)))


def hidden(mass, p, e):
    """The largest (p − e^ε q) w(j) − (e^ε − 1) Pr[W > j]."""
    beyond = np.append(np.cumsum(mass[::-1])[-2::-1], 0.0)
    return np.max((p - EXP(e) * (1 - p)) * mass - (EXP(e) - 1) * beyond)


@claim("Shuffled responses, where all others are a yes")
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


@claim("Shuffled answers of any kind, by clones")
def _(d):
    n, local = d.whole(2, 25), d.between(0.1, 3)  # numbers of coins and clones that are summed one by one
    e = d.between(0, local)
    same(clones_delta(local, n, e), hidden_among(n, local, e, EXP(-local)))


@claim("Shuffled responses, by the coins among them")
def _(d):
    n, local = d.whole(2, 25), d.between(0.1, 3)  # numbers of coins and clones that are summed one by one
    e = d.between(0, local)
    same(coins_delta(local, n, e), hidden_among(n, local, e, 2 / (1 + EXP(local))))


@claim("Shuffled answers of any kind, closed form", "Shuffled responses, by the first theorem")
def _(d):
    n, delta = d.whole(10_000, 10**9), d.delta
    local = d.between(0.1, LN(n / (16 * LN(2 / delta))))
    same(closed_epsilon(local, n, delta), LN(1 + math.tanh(local / 2) * (
        8 * SQRT(EXP(local) * LN(4 / delta) / n) + 8 * EXP(local) / n)))
    local = d.between(0.1, LN(2 * n / (14 * LN(4 / delta)) - 1))
    coins = 2 * n / (1 + EXP(local))
    s = coins - SQRT(2 * coins * LN(2 / delta))
    same(cheu_epsilon(local, n, delta), SQRT(32 * LN(4 / delta) / s) * (1 - s / n))


# Noise


@claim("Laplace, standard deviation and mean error")
def _(d):
    b = d.log(0.1, 10)
    same(LaplaceNoise(b).sd, SQRT(2) * b)
    same(LaplaceNoise(b).mean_error, b)


@claim("Geometric, standard deviation and mean error")
def _(d):
    e, moved = d.epsilon, d.whole(1, 5)
    same(GeometricNoise(e, moved).sd, 1 / (SQRT(2) * math.sinh(e / (2 * moved))))
    same(GeometricNoise(e, moved).mean_error, 1 / math.sinh(e / moved))


@claim("Gaussian noise, mean error")
def _(d):
    sigma = d.log(0.1, 10)
    same(GaussianNoise(sigma).mean_error, sigma * SQRT(2 / math.pi))


@claim("Gaussian noise, the classical σ")
def _(d):
    e, delta, moved = d.between(0.01, 1), d.delta, d.between(0.5, 4)
    same(classical_sigma(e, delta, moved), moved / e * SQRT(2 * LN(1.25 / delta)))


@claim("Gaussian noise, σ as it is printed without the root")
def _(d):
    e, delta, moved = d.epsilon, d.delta, d.between(0.5, 4)
    same(without_root_sigma(e, delta, moved), 2 * moved / e * LN(1.25 / delta))


@claim("Error that 95 % stay within, Gaussian")
def _(d):
    sigma = d.log(0.1, 10)
    same(GaussianNoise(sigma).error_quantile(0.95), sigma * ndtri(0.975))


@claim("Privacy profile of Laplace noise")
def _(d):
    e, moved = d.epsilon, d.between(0.5, 4)
    prime = d.between(0, e)
    same(LaplaceNoise(moved / e).delta_at(prime, moved), 1 - EXP((prime - e) / 2))


@claim("Privacy profile of geometric noise")
def _(d):
    e = d.epsilon
    prime = d.between(0, e)
    same(GeometricNoise(e).delta_at(prime), (EXP(e) - EXP(prime)) / (1 + EXP(e)))


@claim("Gaussian noise as μ-GDP", "Best attacker on Gaussian noise")
def _(d):
    sigma, moved, alpha = d.between(0.5, 3), d.between(0.5, 3), d.between(0.01, 0.99)
    mu = moved / sigma
    same(GaussianNoise(sigma).trade_off(alpha, moved), ndtr(ndtri(1 - alpha) - mu))
    same(GaussianNoise(sigma).delta_at(0.5, moved), gdp(0.5, mu))


@claim("Best attacker on Laplace noise")
def _(d):
    e = d.epsilon
    for alpha in np.linspace(0.001, 0.999, 50):
        said = 1 - EXP(e) * alpha if alpha < EXP(-e) / 2 else EXP(-e) / (4 * alpha) if alpha <= 0.5 else \
            EXP(-e) * (1 - alpha)
        same(LaplaceNoise(1 / e).trade_off(alpha), said)


# What a computer releases


@claim("Laplace noise on a computer", "What the last bits give away")
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


@claim("Snapping", "Snapping, its guarantee")
def _(d):
    e, bound, f = d.epsilon, d.log(2000, 1e12), d.between(-9, 9)
    one = SnappedLaplace(e, bound)
    same(one.scale, (1 + bound / 2**49) / e)
    step = one.grid
    assert one.scale <= step < 2 * one.scale
    assert math.log2(step) % 1 == 0
    y = step * np.floor((f + d.rng.choice([-1, 1], 40_000) * one.scale * np.log(d.rng.random(40_000))) / step + 0.5)
    for outcome in step * np.arange(-2, 3):
        p = one.probability(outcome, f)
        assert abs((y == outcome).mean() - p) < 5 * SQRT(p / 40_000) + 1e-4
