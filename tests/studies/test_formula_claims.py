"""What a formula says is so: each is transcribed here, below what is typeset, and computed at random settings.

The transcription is to be read against the line above it; what it is compared to is the mechanism or the fact.
"""

from __future__ import annotations

import math
import zlib
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, betaincinv, betaln, comb, gammaln, ndtr, ndtri

from dpstudio.core.special import updated
from dpstudio.core.study import fact
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import (
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    analytic_sigma,
    classical_sigma,
    without_root_sigma,
)
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.auditing.certificate import Chosen, certify, exact_bounds
from dpstudio.models.auditing.looks import look_error
from dpstudio.models.beta_bernoulli import noisy_count_posterior
from dpstudio.models.clamping import count_error
from dpstudio.models.continual import RunningCount
from dpstudio.models.continual.sensitivity import sensitivity, squared_sensitivity
from dpstudio.models.histograms import databases, distance, pairs
from dpstudio.models.policy import Arm, Policy
from dpstudio.studies import all_studies

STUDIES = all_studies()
CLAIMS = {}
SETTINGS = 6
EXP, LN, SQRT = math.exp, math.log, math.sqrt


def claim(*typeset):
    """What follows computes this; it is given random numbers."""
    def keep(check):
        for each in typeset:
            assert each not in CLAIMS, each
            CLAIMS[each] = check
        return check
    return keep


def value(study, key, of=None, **settings):
    return fact(STUDIES[study](**settings), key, of).value


def same(found, said, rel=1e-9):
    assert found == pytest.approx(said, rel=rel, abs=1e-13)


class Draw:
    """Random settings, from a seed that is the formula's own."""

    def __init__(self, name):
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))

    def between(self, low, high):
        return float(self.rng.uniform(low, high))

    def log(self, low, high):
        return float(np.exp(self.rng.uniform(LN(low), LN(high))))

    def whole(self, low, high):
        return int(self.rng.integers(low, high + 1))

    @property
    def epsilon(self):
        return self.log(0.02, 3)

    @property
    def delta(self):
        return self.log(1e-8, 0.05)


def test_that_every_formula_is_computed_here_and_nothing_else():
    said = {formula.typeset for study in STUDIES.values() for formula in study.formulas()}
    assert said - CLAIMS.keys() == set()
    assert CLAIMS.keys() - said == set()


@pytest.mark.parametrize("typeset", CLAIMS)
def test_that_a_formula_says_what_is_computed(typeset):
    draw = Draw(typeset)
    for _ in range(SETTINGS):
        CLAIMS[typeset](draw)


# What studies share

def mirrored_pairs(f):
    """Pr of “yes” and of “no” on every pair of neighbours, both ways round."""
    yes, no = f.accept_probability(np.arange(400)), f.reject_probability(np.arange(400))
    for i, j in ((slice(None, -1), slice(1, None)), (slice(1, None), slice(None, -1))):
        yield (yes[i], yes[j]), (no[i], no[j])


@claim('Pr[M(x) in S] <= e^epsilon Pr[M(y) in S] + delta quad "for" norm(x - y)_1 <= 1')
def _(d):
    e, delta = d.epsilon, d.delta
    slack = [e_ for outcomes in mirrored_pairs(GeneralizedDecision(e, delta, 200, d.between(0.2, 0.8)))
             for x, y in outcomes for e_ in EXP(e) * y + delta - x]
    assert -1e-13 < min(slack) < 1e-13


@claim("delta(epsilon') = max_(x tilde y) sum_r max(0, Pr[M(x) = r] - e^(epsilon') Pr[M(y) = r])")
def _(d):
    decision, prime = GeneralizedDecision(d.epsilon, d.delta, 200, d.between(0.2, 0.8)), d.epsilon
    most = max(np.max(sum(np.maximum(0, x - EXP(prime) * y) for x, y in outcomes))
               for outcomes in mirrored_pairs(decision))
    same(decision.delta_at(prime), most, rel=1e-7)


def gdp(prime, mu):
    return float(ndtr(mu / 2 - prime / mu) - EXP(prime) * ndtr(-mu / 2 - prime / mu))


@claim("delta(epsilon') = Phi(mu/2 - epsilon'/mu) - e^(epsilon') Phi(-mu/2 - epsilon'/mu)")
def _(d):
    mu, prime = d.between(0.3, 3), d.between(0, 2)
    same(GaussianNoise(1 / mu).delta_at(prime), gdp(prime, mu))


@claim("beta >= max(0, 1 - delta - e^epsilon alpha, e^(-epsilon) (1 - delta - alpha))")
def _(d):
    e, delta, alpha = d.epsilon, d.delta, d.between(0, 1)
    same(composition.trade_off(e, delta, alpha), max(0, 1 - delta - EXP(e) * alpha, EXP(-e) * (1 - delta - alpha)))


@claim("max_alpha (1 - alpha - T(alpha)) = delta(0)")
def _(d):
    noise, alpha = GaussianNoise(d.between(0.5, 3)), np.linspace(0, 1, 4001)
    same(np.max(1 - alpha - noise.trade_off(alpha)), noise.delta_at(0.0), rel=1e-6)


@claim("p' = (p e^ell)/(1 - p + p e^ell) quad \"for\" ell = ln(Pr[r | \"yes\"]/Pr[r | \"no\"])")
def _(d):
    response, p = RandomizedResponse.two_coin(d.between(0.1, 0.9), d.between(0.1, 0.9)), d.between(0.01, 0.99)
    ell = LN(response.yes_if_yes / response.yes_if_no)
    same(response.posterior(p, True), p * EXP(ell) / (1 - p + p * EXP(ell)))
    same(updated(p, ell), p * EXP(ell) / (1 - p + p * EXP(ell)))


@claim("p(x) = 1/(2 b) e^(-abs(x) slash b) quad b = Delta_1/epsilon")
def _(d):
    e, moved, x = d.epsilon, d.between(0.5, 4), d.between(-5, 5)
    b = moved / e
    same(value("noise", "noise_scale", "laplace", epsilon=e, sensitivity=moved), b)
    same(LaplaceNoise(b).density(x), 1 / (2 * b) * EXP(-abs(x) / b))


@claim('Pr[X = x] = (1 - a)/(1 + a) a^abs(x) quad a = e^(-epsilon slash Delta_1) quad "for whole" x')
def _(d):
    e, moved, x = d.epsilon, d.whole(1, 4), d.whole(-5, 5)
    a = EXP(-e / moved)
    same(GeometricNoise(e, moved).density(x), (1 - a) / (1 + a) * a ** abs(x))


@claim("e_95 = b ln 20")
def _(d):
    e = d.epsilon
    same(value("noise", "error_95", "laplace", epsilon=e), 1 / e * LN(20))


@claim("Phi(Delta_2/(2 sigma) - (epsilon sigma)/Delta_2) - e^epsilon Phi(-Delta_2/(2 sigma) - (epsilon sigma)/Delta_2)"
       " = delta")
def _(d):
    e, delta, moved = d.epsilon, d.delta, d.between(0.5, 4)
    sigma = analytic_sigma(e, delta, moved)
    same(ndtr(moved / (2 * sigma) - e * sigma / moved) - EXP(e) * ndtr(-moved / (2 * sigma) - e * sigma / moved), delta,
         rel=1e-6)


@claim('Pr["yes" | "yes"] = e^epsilon/(1 + e^epsilon) quad Pr["yes" | "no"] = 1/(1 + e^epsilon)')
def _(d):
    e = d.epsilon
    response = RandomizedResponse.symmetric(e)
    same(response.yes_if_yes, EXP(e) / (1 + EXP(e)))
    same(response.yes_if_no, 1 / (1 + EXP(e)))


@claim("mu = (sqrt(k) Delta_2)/sigma")
def _(d):
    k, moved, sigma, delta = d.whole(2, 50), d.between(0.5, 2), d.between(2, 9), 1e-5
    same(gdp(composition.gaussian(sigma, moved, k, delta), SQRT(k) * moved / sigma), delta, rel=1e-6)


# Decision

@claim("Pr[Q(N + 1) = 1] <= e^epsilon Pr[Q(N) = 1] + delta \\ Pr[Q(N) = 0] <= e^epsilon Pr[Q(N + 1) = 0] + delta")
def _(d):
    e, delta = d.epsilon, d.delta
    decision = GeneralizedDecision(e, delta, 200, d.between(0.2, 0.8))
    yes, no = decision.accept_probability(np.arange(400)), decision.reject_probability(np.arange(400))
    for slack in (EXP(e) * yes[:-1] + delta - yes[1:], EXP(e) * no[1:] + delta - no[:-1]):
        assert -1e-13 < slack.min() < 1e-13


def laplace(n, e, k):
    return 0.5 * EXP(e * (n - k)) if n < k else 1 - 0.5 * EXP(-e * (n - k))


@claim('f(N) = cases(1/2 e^(epsilon (N - k)) quad & "for" N < k, 1 - 1/2 e^(-epsilon (N - k)) quad & "for" N >= k)')
def _(d):
    e, k = d.epsilon, d.between(40, 60)
    for n in range(101):
        same(LaplaceDecision(e, k).accept_probability(n), laplace(n, e, k))


@claim('k = cases(m - ln(2 p)/epsilon quad & "for" p <= 1/2, m + ln(2 (1 - p))/epsilon quad & "for" p >= 1/2)')
def _(d):
    for p in (d.between(0.01, 0.5), d.between(0.5, 0.99)):
        e, m = d.epsilon, d.whole(10, 1000)
        same(LaplaceDecision.for_target(e, m, p).threshold,
             m - LN(2 * p) / e if p <= 0.5 else m + LN(2 * (1 - p)) / e)


@claim("f(N) = min(1, e^(epsilon (N - m))) quad delta(epsilon') = 1 - e^(-epsilon)")
def _(d):
    e, m, n = d.epsilon, d.whole(20, 60), d.whole(0, 80)
    same(CutoffExponentialDecision(e, m).accept_probability(n), min(1, EXP(e * (n - m))))
    same(CutoffExponentialDecision(e, m).delta_at(d.between(0, 9)), 1 - EXP(-e))


@claim("f(N + 1) = min(1, e^epsilon f(N) + delta, 1 - e^(-epsilon) (1 - delta - f(N)))")
def _(d):
    e, delta, p = d.epsilon, d.delta, d.between(0.001, 0.999)
    f = GeneralizedDecision(e, delta, 50, p).accept_probability(np.arange(50, 150))
    same(f[0], p)
    for here, after in pairwise(f):
        same(after, min(1, EXP(e) * here + delta, 1 - EXP(-e) * (1 - delta - here)))


@claim("f(N - 1) = max(0, e^(-epsilon) (f(N) - delta), 1 - delta - e^epsilon (1 - f(N)))")
def _(d):
    e, delta, p = d.epsilon, d.delta, d.between(0.001, 0.999)
    f = GeneralizedDecision(e, delta, 50, p).accept_probability(np.arange(51))
    for before, here in pairwise(f):
        same(before, max(0, EXP(-e) * (here - delta), 1 - delta - EXP(e) * (1 - here)), rel=1e-8)


@claim("p_0 = (e^epsilon + delta)/(e^epsilon + 1) quad s = delta/(e^epsilon - 1) \\ "
       'f(N) = cases(1 - max(0, (1 - p_0 + s) e^(-epsilon (N - n_0)) - s) quad & "for" N >= n_0, '
       'max(0, (1 - p_0 + s) e^(-epsilon (n_0 - 1 - N)) - s) quad & "for" N < n_0)')
def _(d):
    e, delta, centre = d.epsilon, d.delta, 50
    p0, s = (EXP(e) + delta) / (EXP(e) + 1), delta / (EXP(e) - 1)
    for n in range(101):
        above, below = 1 - max(0, (1 - p0 + s) * EXP(-e * (n - centre)) - s), \
            max(0, (1 - p0 + s) * EXP(-e * (centre - 1 - n)) - s)
        same(GeneralizedDecision.centred(e, delta, centre).accept_probability(n), above if n >= centre else below)


@claim("f(N) = Phi(Phi^(-1)(p) + mu (N - m))")
def _(d):
    mu, p, m, n = d.between(0.01, 1), d.between(0.1, 0.9), d.whole(20, 40), d.whole(10, 50)
    same(GaussianDecision(mu, m, p).accept_probability(n), ndtr(ndtri(p) + mu * (n - m)))


@claim("delta(epsilon) = delta")
def _(d):
    e, delta = d.epsilon, d.delta
    same(gdp(e, value("decision", "mu", "gaussian", epsilon=e, delta=delta)), delta, rel=1e-6)


@claim("f(m) = 1 quad delta = 1 - e^(-epsilon)")
def _(d):
    e = d.epsilon
    same(value("decision", "acceptance_at_minimum", "matched", epsilon=e), 1)
    same(value("decision", "guarantee_delta", "matched", epsilon=e), 1 - EXP(-e))


@claim('f(N_-) = tau quad 1 - f(N_+) = tau quad "width" = N_+ - N_-')
def _(d):
    now = {"epsilon": d.epsilon, "uncertain": d.between(0.001, 0.2), "target": d.between(0.1, 0.9)}
    low, high, width, k = (value("decision", key, "laplace", **now) for key in
                           ("band_from", "band_to", "band_width", "threshold"))
    same(laplace(low, now["epsilon"], k), now["uncertain"])
    same(1 - laplace(high, now["epsilon"], k), now["uncertain"])
    same(width, high - low)


@claim("ell_1(N) = ln(f(N + 1)/f(N)) quad ell_0(N) = ln((1 - f(N))/(1 - f(N + 1)))")
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


@claim('Pr["wrong"] = Pr[N < m] Pr[Q = 1 | N < m] + Pr[N >= m] Pr[Q = 0 | N >= m]')
def _(d):
    now, said = wrong(d, 1.0, 1.0)
    same(value("decision", "overall_error", "laplace", **now), said)


@claim('E["cost"] = c_1 Pr[N < m] Pr[Q = 1 | N < m] + c_0 Pr[N >= m] Pr[Q = 0 | N >= m]')
def _(d):
    now, said = wrong(d, d.between(0.1, 9), d.between(0.1, 9))
    same(value("decision", "expected_cost", "laplace", **now), said)


@claim("epsilon_k = k epsilon quad delta_k = 1 - (1 - delta)^k")
def _(d):
    e, k = d.log(0.02, 0.5), 10
    now = {"epsilon": e, "delta": 0.0}
    delta = value("decision", "guarantee_delta", "cutoff", **now)
    same(value("decision", "asked_epsilon", "cutoff", **now), k * e)
    same(value("decision", "asked_delta", "cutoff", **now), 1 - (1 - delta) ** k)


# Response

def coins(d):
    theta1, theta2 = d.between(0.1, 0.9), d.between(0.1, 0.9)
    return theta1, theta2, RandomizedResponse.two_coin(theta1, theta2)


@claim('Pr["yes" | "yes"] = theta_1 + (1 - theta_1) theta_2 quad Pr["yes" | "no"] = (1 - theta_1) theta_2')
def _(d):
    theta1, theta2, response = coins(d)
    same(response.yes_if_yes, theta1 + (1 - theta1) * theta2)
    same(response.yes_if_no, (1 - theta1) * theta2)


@claim("epsilon = ln(1 + theta_1/((1 - theta_1) min(theta_2, 1 - theta_2)))")
def _(d):
    theta1, theta2, response = coins(d)
    same(response.epsilon, LN(1 + theta1 / ((1 - theta1) * min(theta2, 1 - theta2))))


@claim("theta_2 = 1/2 quad theta_1 = tanh(epsilon/2)")
def _(d):
    theta1, theta2, response = coins(d)
    now = {"design": "coins", "theta1": theta1, "theta2": theta2}
    same(value("response", "coin2", "best", **now), 1 / 2)
    same(value("response", "coin1", "best", **now), math.tanh(response.epsilon / 2))


@claim('lambda = p Pr["yes" | "yes"] + (1 - p) Pr["yes" | "no"]')
def _(d):
    (_, _, response), p = coins(d), d.between(0, 1)
    same(response.answer_probability(p), p * response.yes_if_yes + (1 - p) * response.yes_if_no)


@claim('p\' = (p Pr["yes" | "yes"])/(p Pr["yes" | "yes"] + (1 - p) Pr["yes" | "no"])')
def _(d):
    (_, _, response), p = coins(d), d.between(0.01, 0.99)
    a, b = response.yes_if_yes, response.yes_if_no
    same(response.posterior(p, True), p * a / (p * a + (1 - p) * b))


@claim('hat(p) = (c/n - Pr["yes" | "no"])/(Pr["yes" | "yes"] - Pr["yes" | "no"])')
def _(d):
    (_, _, response), n = coins(d), d.whole(10, 1000)
    c = d.whole(0, n)
    same(response.estimate(c, n), (c / n - response.yes_if_no) / (response.yes_if_yes - response.yes_if_no))


@claim('op("sd")(hat(p)) = sqrt((lambda (1 - lambda))/n)/(Pr["yes" | "yes"] - Pr["yes" | "no"])')
def _(d):
    (_, _, response), p, n = coins(d), d.between(0, 1), d.whole(10, 1000)
    lam = response.answer_probability(p)
    same(response.estimator_sd(p, n), SQRT(lam * (1 - lam) / n) / (response.yes_if_yes - response.yes_if_no))


@claim('op("sd")(hat(p)) = 1/theta_1 sqrt((p r (1 - r) + (1 - p) w (1 - w))/n) quad r = theta_1 + w quad '
       "w = (1 - theta_1) theta_2")
def _(d):
    (theta1, theta2, response), n = coins(d), d.whole(10, 1000)
    k = d.whole(0, n)
    w = (1 - theta1) * theta2
    r, p = theta1 + w, k / n
    same(response.estimator_sd_given(k, n), 1 / theta1 * SQRT((p * r * (1 - r) + (1 - p) * w * (1 - w)) / n))


@claim("n = (lambda (1 - lambda))/theta_1^2 (1.96/m)^2", "n >= (ln 40)/(2 m^2 theta_1^2)")
def _(d):
    (theta1, theta2, response), m, p = coins(d), d.between(0.01, 0.1), d.between(0.1, 0.9)
    now = {"design": "coins", "theta1": theta1, "theta2": theta2, "margin": m, "prevalence": p}
    lam = response.answer_probability(p)
    same(value("response", "people_needed", "response", **now), lam * (1 - lam) / theta1**2 * (1.96 / m) ** 2, rel=1e-4)
    assert 0 <= value("response", "people_sure", "response", **now) - LN(40) / (2 * m**2 * theta1**2) < 1


@claim('alpha + beta >= 1 - (Pr["yes" | "yes"] - Pr["yes" | "no"])')
def _(d):
    _, _, response = coins(d)
    alpha = np.append(np.linspace(0, 1, 200), [response.yes_if_no, response.no_if_yes])
    same(np.min(alpha + response.trade_off(alpha)), 1 - (response.yes_if_yes - response.yes_if_no))


# Mean

def asked(d):
    return {"epsilon": d.epsilon, "people": d.whole(10, 10_000), "fraction": d.between(0.1, 0.9), "delta": d.delta}


@claim('op("sd")_"group" = 1/(2 sinh(epsilon/2) sqrt(n))')
def _(d):
    now = asked(d)
    e, n = now["epsilon"], now["people"]
    same(value("mean", "group_error", "response", **now), 1 / (2 * math.sinh(e / 2) * SQRT(n)))


@claim('op("sd")_"group" = sqrt(2)/(n epsilon)')
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "laplace", **now), SQRT(2) / (now["people"] * now["epsilon"]))


@claim('op("sd")_"group" = 1/(sqrt(2) n sinh(epsilon/2))')
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "geometric", **now),
         1 / (SQRT(2) * now["people"] * math.sinh(now["epsilon"] / 2)))


@claim('op("sd")_"group" = sigma/n')
def _(d):
    now = asked(d)
    same(value("mean", "group_error", "gaussian", **now),
         analytic_sigma(now["epsilon"], now["delta"]) / now["people"])


@claim('op("sd")_"population" = sqrt(op("sd")_"group"^2 + (pi (1 - pi))/n)')
def _(d):
    now = asked(d)
    own, pi, n = value("mean", "group_error", "response", **now), now["fraction"], now["people"]
    same(value("mean", "population_error", "response", **now), SQRT(own**2 + pi * (1 - pi) / n))


@claim("e_95 <= sqrt((ln 40)/(2 n))/tanh(epsilon/2)")
def _(d):
    now = asked(d)
    same(value("mean", "fraction_error_95", "response", **now),
         SQRT(LN(40) / (2 * now["people"])) / math.tanh(now["epsilon"] / 2))


@claim("e_95 = (ln 20)/(n epsilon)")
def _(d):
    now = asked(d)
    same(value("mean", "fraction_error_95", "laplace", **now), LN(20) / (now["people"] * now["epsilon"]))


@claim("n < (8 sinh^2(epsilon/2))/epsilon^2", 'n_("response")/n = (n epsilon^2)/(8 sinh^2(epsilon/2))')
def _(d):
    now = asked(d)
    e, n = now["epsilon"], now["people"]
    same(value("mean", "break_even", "response", **now), 8 * math.sinh(e / 2) ** 2 / e**2)
    same(value("mean", "times_people", "response", **now), n * e**2 / (8 * math.sinh(e / 2) ** 2))


# Noise

@claim('op("sd") = sqrt(2) b quad E[abs(X)] = b')
def _(d):
    b = d.log(0.1, 10)
    same(LaplaceNoise(b).sd, SQRT(2) * b)
    same(LaplaceNoise(b).mean_error, b)


@claim('op("sd") = 1/(sqrt(2) sinh(epsilon/(2 Delta_1))) quad E[abs(X)] = 1/sinh(epsilon/Delta_1)')
def _(d):
    e, moved = d.epsilon, d.whole(1, 5)
    same(GeometricNoise(e, moved).sd, 1 / (SQRT(2) * math.sinh(e / (2 * moved))))
    same(GeometricNoise(e, moved).mean_error, 1 / math.sinh(e / moved))


@claim("E[abs(X)] = sigma sqrt(2/pi)")
def _(d):
    sigma = d.log(0.1, 10)
    same(GaussianNoise(sigma).mean_error, sigma * SQRT(2 / math.pi))


@claim('sigma = Delta_2/epsilon sqrt(2 ln(1.25/delta)) quad "for" epsilon < 1')
def _(d):
    e, delta, moved = d.between(0.01, 1), d.delta, d.between(0.5, 4)
    same(classical_sigma(e, delta, moved), moved / e * SQRT(2 * LN(1.25 / delta)))


@claim("sigma = (2 Delta_2)/epsilon ln(1.25/delta)")
def _(d):
    e, delta, moved = d.epsilon, d.delta, d.between(0.5, 4)
    same(without_root_sigma(e, delta, moved), 2 * moved / e * LN(1.25 / delta))


@claim("e_95 = sigma Phi^(-1)(0.975)")
def _(d):
    sigma = d.log(0.1, 10)
    same(GaussianNoise(sigma).error_quantile(0.95), sigma * ndtri(0.975))


@claim("delta(epsilon') = 1 - e^((epsilon' - epsilon) slash 2) quad \"for\" epsilon' <= epsilon")
def _(d):
    e, moved = d.epsilon, d.between(0.5, 4)
    prime = d.between(0, e)
    same(LaplaceNoise(moved / e).delta_at(prime, moved), 1 - EXP((prime - e) / 2))


@claim("delta(epsilon') = (e^epsilon - e^(epsilon'))/(1 + e^epsilon) quad \"for\" epsilon' <= epsilon, Delta_1 = 1")
def _(d):
    e = d.epsilon
    prime = d.between(0, e)
    same(GeometricNoise(e).delta_at(prime), (EXP(e) - EXP(prime)) / (1 + EXP(e)))


@claim("mu = Delta_2/sigma", "T(alpha) = Phi(Phi^(-1)(1 - alpha) - mu)")
def _(d):
    sigma, moved, alpha = d.between(0.5, 3), d.between(0.5, 3), d.between(0.01, 0.99)
    mu = moved / sigma
    same(GaussianNoise(sigma).trade_off(alpha, moved), ndtr(ndtri(1 - alpha) - mu))
    same(GaussianNoise(sigma).delta_at(0.5, moved), gdp(0.5, mu))


@claim('T(alpha) = cases(1 - e^epsilon alpha quad & "for" alpha < 1/2 e^(-epsilon), '
       'e^(-epsilon)/(4 alpha) quad & "for" alpha <= 1/2, e^(-epsilon) (1 - alpha) quad & "for" alpha > 1/2)')
def _(d):
    e = d.epsilon
    for alpha in np.linspace(0.001, 0.999, 50):
        said = 1 - EXP(e) * alpha if alpha < EXP(-e) / 2 else EXP(-e) / (4 * alpha) if alpha <= 0.5 else \
            EXP(-e) * (1 - alpha)
        same(LaplaceNoise(1 / e).trade_off(alpha), said)


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


@claim('theta | k tilde "Beta"(a + k, b + n - k)')
def _(d):
    now = counted(d)
    k, _, n, a, b, _ = numbers(now)
    is_beta("truth", now, a + k, b + n - k)


@claim('theta | c tilde "Beta"(a + c, b + n - c)', "E[theta | c] = (a + c)/(a + b + n)")
def _(d):
    now = counted(d)
    _, c, n, a, b, _ = numbers(now)
    is_beta("naive", now, a + c, b + n - c)
    same(value("posterior", "rate_mean", "naive", **now), (a + c) / (a + b + n))


@claim('Pr["invalid"] = 1/2 e^(-epsilon (a + k)) + 1/2 e^(-epsilon (b + n - k))')
def _(d):
    now = counted(d)
    k, _, n, a, b, e = numbers(now)
    same(value("posterior", "invalid", "naive", **now), 0.5 * EXP(-e * (a + k)) + 0.5 * EXP(-e * (b + n - k)))


@claim('theta | c tilde "Beta"(a + c\', b + n - c\') quad c\' = min(max(c, 0), n)')
def _(d):
    n, a, b, c = d.whole(10, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-20, 80)
    moved, found = min(max(c, 0), n), noisy_count_posterior(a, b, n, c, 0.5, "clamped")
    same((found.a, found.b), (a + moved, b + n - moved))


@claim("E[c' - k] = (e^(-epsilon k) - e^(-epsilon (n - k)))/(2 epsilon)")
def _(d):
    now = counted(d)
    k, _, n, _, _, e = numbers(now)
    same(value("posterior", "clamp_bias", "clamped", **now), (EXP(-e * k) - EXP(-e * (n - k))) / (2 * e))


@claim('p(theta | c) = sum_k w_k "Beta"(theta; a + k, b + n - k) \\ '
       'w_k prop "BetaBin"(k; n, a, b) e^(-epsilon abs(c - k))')
def _(d):
    n, a, b, c, e = d.whole(5, 60), d.between(0.5, 3), d.between(0.5, 3), d.between(-5, 70), d.log(0.05, 2)
    k, theta = np.arange(n + 1), d.between(0.05, 0.95)
    w = comb(n, k) * np.exp(betaln(a + k, b + n - k) - betaln(a, b)) * np.exp(-e * np.abs(c - k))
    beta = np.exp((a + k - 1) * LN(theta) + (b + n - k - 1) * LN(1 - theta) - betaln(a + k, b + n - k))
    same(noisy_count_posterior(a, b, n, c, e, "noise-aware").density(theta), np.sum(w * beta) / np.sum(w), rel=1e-7)


@claim("p(c | theta) prop e^(-epsilon c) (1 + theta (e^epsilon - 1))^n F(floor(c); n, theta_+) \\ "
       "+ e^(epsilon c) (1 - theta (1 - e^(-epsilon)))^n (1 - F(floor(c); n, theta_-))",
       "theta_(plus.minus) = (theta e^(plus.minus epsilon))/(1 - theta + theta e^(plus.minus epsilon))")
def _(d):
    n, c, e, theta = d.whole(5, 40), d.between(0, 40), d.log(0.05, 2), d.between(0.05, 0.95)
    c = min(c, n - 0.5)
    plus, minus = (theta * EXP(sign * e) / (1 - theta + theta * EXP(sign * e)) for sign in (1, -1))
    said = (EXP(-e * c) * (1 + theta * (EXP(e) - 1)) ** n * bdtr(math.floor(c), n, plus)
            + EXP(e * c) * (1 - theta * (1 - EXP(-e))) ** n * (1 - bdtr(math.floor(c), n, minus)))
    k = np.arange(n + 1)
    same(said, np.sum(comb(n, k) * theta**k * (1 - theta) ** (n - k) * np.exp(-e * np.abs(c - k))), rel=1e-7)


@claim("epsilon = sqrt(8/n)")
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


@claim('"Var" = 2 r (Delta_1/epsilon)^2')
def _(d):
    count = running("tree", d, "status")
    t = d.whole(1, count.batches)
    same(count.variance(t), 2 * count.terms(t) * (sensitivity("tree", "status", count.batches) / count.epsilon) ** 2)


@claim('r = t quad Delta_1 = cases(1 quad & "for once", Q quad & "for status and visits")')
def _(d):
    is_running("sequential", d, lambda t: t, {"once": lambda q: 1, "status": lambda q: q, "visits": lambda q: q})


@claim('r = 1 quad Delta_1 = cases(Q quad & "for once and status", (Q (Q + 1))/2 quad & "for visits")')
def _(d):
    is_running("retrain", d, lambda t: 1,
               {"once": lambda q: q, "status": lambda q: q, "visits": lambda q: q * (q + 1) / 2})


@claim('r = op("popcount")(t) quad L = floor(log_2 Q) + 1 \\ Delta_1 = cases(L quad & "for once", '
       'Q quad & "for status", sum_(l < L) 2^l ceil(floor(Q/2^l)/2) quad & "for visits")')
def _(d):
    def levels(q):
        return math.floor(math.log2(q)) + 1

    is_running("tree", d, lambda t: int(t).bit_count(), {
        "once": levels, "status": lambda q: q,
        "visits": lambda q: sum(2**level * math.ceil(q // 2**level / 2) for level in range(levels(q)))})


@claim('"Var" = cases(2 ((Q - 1)/((1 - s) epsilon))^2 quad & "for" t < Q, 2 (1/(s epsilon))^2 quad & "for" t = Q) '
       'quad "for once and status"')
def _(d):
    for who in ("once", "status"):
        count = running("skewed", d, who)
        q, s, e = count.batches, count.share, count.epsilon
        same(count.variance(d.whole(1, q - 1)), 2 * ((q - 1) / ((1 - s) * e)) ** 2)
        same(count.variance(q), 2 * (1 / (s * e)) ** 2)


@claim('"Var" = cases(2 ((Q (Q - 1))/(2 (1 - s) epsilon))^2 quad & "for" t < Q, '
       '2 (Q/(s epsilon))^2 quad & "for" t = Q)')
def _(d):
    count = running("skewed", d, "visits")
    q, s, e = count.batches, count.share, count.epsilon
    same(count.variance(d.whole(1, q - 1)), 2 * (q * (q - 1) / (2 * (1 - s) * e)) ** 2)
    same(count.variance(q), 2 * (q / (s * e)) ** 2)


@claim('max_(t <= Q) op("popcount")(t) = floor(log_2 (Q + 1))')
def _(d):
    count = running("tree", d, "once")
    q = count.batches
    same(count.terms(np.arange(1, q + 1)).max(), math.floor(math.log2(q + 1)))


@claim("Pr[abs(X_1 + dots.c + X_r) <= e_95] = 0.95")
def _(d):
    count = running("sequential", d, "once")
    x = count.error_95(np.array([1, 2])) * count.epsilon  # in scales: e^−x of one term, (1 + x/2) e^−x of two
    same(1 - EXP(-x[0]), 0.95)
    same(1 - (1 + x[1] / 2) * EXP(-x[1]), 0.95, rel=1e-7)


@claim('op("sd") = sqrt((theta (1 - theta))/N + "Var"/N^2)')
def _(d):
    now = {"epsilon": d.epsilon, "batches": d.whole(1, 30), "batch_people": d.whole(1, 500), "rate": d.between(0, 1)}
    n, theta = now["batches"] * now["batch_people"], now["rate"]
    same(value("updating", "running_rate_sd", "retrain", **now),
         SQRT(theta * (1 - theta) / n + value("updating", "end_variance", "retrain", **now) / n**2))


@claim('"Var" = (2 r)/epsilon_0^2 quad delta = sum_j binom(Q, j) p^(Q - j) q^j '
       "max(0, 1 - e^(epsilon - (Q - 2 j) epsilon_0)) \\ p = e^(epsilon_0)/(1 + e^(epsilon_0)) quad q = 1 - p")
def _(d):
    now = {"epsilon": d.log(0.05, 1), "batches": d.whole(20, 60), "delta": d.log(1e-5, 1e-3)}
    e0 = value("updating", "each_optimal", "retrain", **now)
    same(value("updating", "optimal_variance", "retrain", **now), 2 * 1 / e0**2)
    same(worst(now["epsilon"], e0, now["batches"]), now["delta"], rel=1e-4)


@claim('"Var" = r Delta_2^2 sigma_1^2')
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


@claim("E[U_0] = sum_i w_i pi_(0 i)", "E[U_1] = f sum_i w_i pi_(1 i) - C")
def _(d):
    found, waiting, acting = policy(d)
    same(found.no_action, waiting)
    same(found.action, acting - found.cost)


@claim("C < f sum_i w_i pi_(1 i) - sum_i w_i pi_(0 i)")
def _(d):
    found, waiting, acting = policy(d)
    same(found.breakeven_cost, acting - waiting)
    assert found.best_action == (found.cost < acting - waiting)


@claim("U^* = max(E[U_0], E[U_1]) quad g = abs(E[U_1] - E[U_0])")
def _(d):
    found, _, _ = policy(d)
    same(found.best, max(found.no_action, found.action))
    same(found.gap, abs(found.action - found.no_action))


@claim("E[pi | k] = (a + k)/(a + b + n)",
       'op("sd")(pi | k) = sqrt((mu (1 - mu))/(a + b + n + 1)) quad mu = (a + k)/(a + b + n)')
def _(d):
    n, a, b = d.whole(1, 100), d.between(0.5, 3), d.between(0.5, 3)
    k = d.whole(0, n)
    mu = (a + k) / (a + b + n)
    same(Arm(np.array([k]), n, a, b).mean[0], mu)
    same(Arm(np.array([k]), n, a, b).sd[0], SQRT(mu * (1 - mu) / (a + b + n + 1)))


@claim("k' = min(max(k + X, 0), n) quad p(x) = epsilon/2 e^(-epsilon abs(x))")
def _(d):
    """Counts of 4 000 equally likely noises each, against each other."""
    e, n = d.log(0.02, 0.5), 100
    share = (np.arange(4000) + 0.5) / 4000
    x = np.where(share < 0.5, np.log(2 * share), -np.log(2 * (1 - share))) / e  # quantiles of that density
    waiting, acting = (np.minimum(np.maximum(k + x, 0), n) for k in (40, 10))
    least = (2 * (1 + acting) / (2 + n) + 0.05) * (2 + n) - 1  # acting is better where more than these are sick
    act = np.mean(1 - np.searchsorted(waiting, least, side="right") / 4000)
    same(value("policy", "recommended", "laplace", epsilon=e), act, rel=2e-3)


@claim('E[U] = U^* - g Pr["the other action"]', 'Pr["the other action"] = 1/(1 + e^(epsilon\'))')
def _(d):
    (found, _, _), prime = policy(d), d.epsilon
    same(found.randomized(RandomizedResponse.symmetric(prime)), found.best - found.gap * (1 / (1 + EXP(prime))))


@claim('Pr["the other action"] = cases((1 - theta_1) (1 - theta_2) quad & "where acting is best", '
       '(1 - theta_1) theta_2 quad & "where not acting is")')
def _(d):
    for cost in (0.0, 50.0):
        theta1, theta2, response = coins(d)
        found = Policy(np.array([-9.0]), np.array([0.9]), np.array([0.1]), cost)
        other = (1 - theta1) * (1 - theta2) if cost == 0 else (1 - theta1) * theta2
        same(found.randomized(response), found.best - found.gap * other)


@claim('epsilon_"person" <= d epsilon + epsilon\'', 'epsilon_"person" <= 2 d epsilon + epsilon\'')
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


@claim("epsilon_k = k epsilon quad delta_k = k delta")
def _(d):
    e, delta, k = d.epsilon, d.delta, d.whole(1, 90)
    same(composition.basic(e, delta, k), (k * e, k * delta))


@claim("epsilon_k = epsilon sqrt(2 k ln(1/delta')) + k epsilon (e^epsilon - 1) quad delta_k = k delta + delta'")
def _(d):
    e, delta, k, slack = d.epsilon, d.delta, d.whole(1, 90), d.delta
    same(composition.advanced(e, delta, k, slack),
         (e * SQRT(2 * k * LN(1 / slack)) + k * e * (EXP(e) - 1), k * delta + slack))


@claim("epsilon_k = k epsilon tanh(epsilon/2) + epsilon sqrt(2 k ln min(1/delta', e + (sqrt(k) epsilon)/delta')) \\ "
       "delta_k = 1 - (1 - delta)^k (1 - delta')")
def _(d):
    e, delta, k, slack = d.log(0.001, 1), d.delta, d.whole(1, 90), d.log(1e-8, 0.3)
    found = min(composition.simple(e, delta, k, slack), composition.simple_of_small_steps(e, delta, k, slack))
    log = LN(min(1 / slack, math.e + SQRT(k) * e / slack))
    same(found, (k * e * math.tanh(e / 2) + e * SQRT(2 * k * log), 1 - (1 - delta) ** k * (1 - slack)))


@claim("delta'(epsilon') = sum_j binom(k, j) p^(k - j) q^j max(0, 1 - e^(epsilon' - (k - 2 j) epsilon)) \\ "
       "p = e^epsilon/(1 + e^epsilon) quad q = 1 - p quad delta_k = 1 - (1 - delta)^k (1 - delta'(epsilon'))")
def _(d):
    e, delta, k, slack = d.log(0.05, 1), d.delta, d.whole(3, 60), d.log(1e-5, 1e-2)
    prime, total = composition.optimal(e, delta, k, slack)
    same(worst(prime, e, k), slack, rel=1e-6)
    same(total, 1 - (1 - delta) ** k * (1 - worst(prime, e, k)), rel=1e-6)


@claim('epsilon_"left" = epsilon_"allowed" - epsilon_k')
def _(d):
    now = {"epsilon": d.epsilon, "releases": d.whole(1, 50), "budget": d.between(1, 9)}
    same(value("budget", "left", "optimal", **now),
         now["budget"] - value("budget", "total_epsilon", "optimal", **now))


@claim('epsilon_g = g epsilon quad delta_g = delta (e^(g epsilon) - 1)/(e^epsilon - 1) quad '
       '"for" delta_g <= (1 - delta)/(1 + e^epsilon)')
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


@claim("delta_g = g e^(g epsilon) delta", "delta_g = g delta")
def _(d):
    e, delta, g = d.epsilon, d.delta, d.whole(1, 9)
    same(composition.group_as_printed(e, delta, g), (g * EXP(g * e) * delta, g * delta))


@claim("e_95 = (ln 20)/epsilon")
def _(d):
    e = d.epsilon
    same(value("budget", "count_error_95", epsilon=e), LN(20) / e)


# Audit

@claim("epsilon >= ln((p_- - delta)/q_+)", "delta >= p_- - e^epsilon q_+")
def _(d):
    n, e, delta = d.whole(1000, 9000), d.between(0.1, 0.5), d.log(1e-6, 1e-3)
    counts = np.array([[d.whole(100, 200)], [d.whole(500, 900)]])
    found = certify(counts, n, Chosen(np.array(0), np.array(0)), (e, delta), 0.01)
    low, high = float(found.low[1]), float(found.high[0])
    same(found.epsilon, LN((low - delta) / high))
    same(found.delta, low - EXP(e) * high)


@claim('Pr[op("Bin")(N, p_-) >= j] = a/2 quad Pr[op("Bin")(N, q_+) <= j] = a/2')
def _(d):
    draws, a = d.whole(100, 900), d.log(1e-4, 0.1)
    j = d.whole(10, 90)
    low, high = exact_bounds(j, draws, a / 2)
    same(bdtrc(j - 1, draws, float(low)), a / 2, rel=1e-6)
    same(bdtr(j, draws, float(high)), a / 2, rel=1e-6)
    found = certify(np.array([[j], [j]]), draws, Chosen(np.array(0), np.array(0)), (1.0, 0.0), a)
    same(found.low[0], low)
    same(found.high[0], high)


@claim('a_i = alpha/(2 i (i + 1)) quad a_"last" = alpha/2')
def _(d):
    i, alpha = d.whole(1, 30), d.between(0.001, 0.2)
    same(look_error(i, 10**9, 5000, alpha), alpha / (2 * i * (i + 1)))
    same(look_error(i, 10**9, 10**9, alpha), alpha / 2)


@claim("epsilon = max_S ln((Pr[M(x) in S] - delta)/Pr[M(y) in S])")
def _(d):
    now = {"mechanism": "generalized_decision", "epsilon": d.between(0.2, 2), "delta": d.log(1e-4, 1e-2), "minimum": 5,
           "target": d.between(0.3, 0.7), "records": 4}
    decision = GeneralizedDecision(now["epsilon"], now["delta"], 5, now["target"])
    of_each = [(float(decision.accept_probability(n)), float(decision.reject_probability(n))) for n in (4, 5)]
    said = max(LN((x - now["delta"]) / y) for one, other in (of_each, of_each[::-1])
               for x, y in zip(one, other, strict=True))
    same(value("audit", "audit_epsilon", "law", **now), said, rel=1e-7)


@claim('Pr["right"] <= (e^epsilon + delta)/(1 + e^epsilon)')
def _(d):
    e, delta = d.epsilon, d.delta
    alpha = np.append(np.linspace(0, 1, 100), (1 - delta) / (1 + EXP(e)))
    right = (1 - alpha + 1 - composition.trade_off(e, delta, alpha)) / 2
    same(right.max(), (EXP(e) + delta) / (1 + EXP(e)))


@claim('a = e^(-epsilon) quad delta_"wrong" = a^m/(1 + a) quad delta = a^(m - 1)/(1 + a)')
def _(d):
    now = {"mechanism": "wrong_delta", "epsilon": d.between(0.2, 2), "minimum": d.whole(2, 9), "records": 0}
    a, m = EXP(-now["epsilon"]), now["minimum"]
    same(value("audit", "audit_delta", "promise", **now), a**m / (1 + a), rel=1e-7)
    same(value("audit", "audit_delta", "law", **now), a ** (m - 1) / (1 + a), rel=1e-7)


# Neighbours

@claim("norm(x - y)_1 = sum_i abs(x_i - y_i)")
def _(d):
    x, y = d.rng.integers(0, 9, (2, 5))
    same(distance(x, y), sum(abs(x - y)))


@claim("Delta_1 = max_(x tilde y) norm(q(x) - q(y))_1")
def _(d):
    x, y = pairs(databases(5, d.whole(1, 4)), "add or remove", empty=True)
    stars = np.arange(1, 6)
    same(value("neighbours", "move_sum", "global"), np.max(abs(x @ stars - y @ stars)))
    same(value("neighbours", "move_histogram", "global"), np.max(abs(x - y).sum(axis=1)))
    x, y = pairs(databases(5, d.whole(1, 4)), "replace", empty=True)
    same(value("neighbours", "move_histogram", "global", change="swap"), np.max(abs(x - y).sum(axis=1)))


@claim("sum_i E[abs(e_i)] = d b", "sum_i E[abs(e_i)] = d/sinh(epsilon/Delta_1)")
def _(d):
    for change, moved in (("add", 1), ("swap", 2)):
        e = d.epsilon
        same(value("neighbours", "histogram_error_raw", "laplace", epsilon=e, change=change), 5 * moved / e)
        same(value("neighbours", "histogram_error_raw", "geometric", epsilon=e, change=change),
             5 / math.sinh(e / moved))


@claim("E[abs(e)] = b - b/2 e^(-x slash b) quad E[e] = b/2 e^(-x slash b)")
def _(d):
    b, x = d.log(0.2, 9), d.whole(0, 20)
    found = count_error(LaplaceNoise(b), x, clamped=True)
    same(found.mean, b - b / 2 * EXP(-x / b))
    same(found.bias, b / 2 * EXP(-x / b))


@claim("ell = epsilon/Delta_1 sum_i (abs(r_i - y_i) - abs(r_i - x_i))")
def _(d):
    study = STUDIES["neighbours"](epsilon=d.epsilon, seed=d.whole(0, 999), change="swap", kind=2, kind_by=d.whole(3, 5))
    one = study.answer().one("laplace")
    x, y = one.pair.x, one.pair.y
    r = x + one.shown
    same(fact(study, "release_loss", "laplace").value, study.epsilon / 2 * sum(abs(r - y) - abs(r - x)))


@claim('Pr["right"] <= min(e^epsilon/n, 1 - e^(-epsilon) (1 - 1/n))')
def _(d):
    e, n = d.log(0.1, 12), 2000
    same(value("neighbours", "identified_most", epsilon=e), min(EXP(e) / n, 1 - EXP(-e) * (1 - 1 / n)))


@claim('Pr["right"] <= e^epsilon/(1 + e^epsilon)')
def _(d):
    e = d.epsilon
    same(value("neighbours", "noticed_most", epsilon=e), EXP(e) / (1 + EXP(e)))
