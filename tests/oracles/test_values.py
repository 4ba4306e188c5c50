"""Every number of the oracles, computed apart at forty digits or more, beside what the package says."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from scipy.optimize import brentq

from dpstudio.mechanisms import accounting, composition
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    Decision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.response import RandomizedResponse, coin_theta1
from dpstudio.models.continual import RunningCount, crossing, noise_variance
from dpstudio.models.policy import Arm, Counted, NoisyChoice, Policy

FAR = 10**6
"""A centre with more records on either side than any row asks for."""
centred, laplace = GeneralizedDecision.centred, LaplaceNoise.calibrate


class Given(dict):
    """The parameters of a row, by their names: numbers, lists of numbers, and the kind of a decision."""

    __getattr__ = dict.__getitem__


def given(row: dict) -> Given:
    def number(value):
        return [number(each) for each in value] if isinstance(value, list) else float(value)

    return Given({name: value if name == "decision" else number(value) for name, value in row["params"].items()},
                 kind=row["quantity"].split(".")[0].removesuffix("_decision"))


def decision(p: Given) -> Decision:
    match p.get("decision", p.kind):
        case "laplace":
            return LaplaceDecision(p.eps, p.k)
        case "cutoff":
            return CutoffExponentialDecision(p.eps, p.m)
        case "geometric":
            return centred(p.eps, 0.0, int(p.n0))
        case "linear":
            return GeneralizedDecision(0.0, p.delta, int(p.m), 1.0, 0.0)
    return GeneralizedDecision(p.eps, p.delta, int(p.m), p.p)


def error_of_second_kind(p: Given, forth: bool) -> float:
    """β at α of the best test of N against N + 1 (or the reverse): a line broken where one outcome decides."""
    f, g = ([float(method(p.N + i)) for i in ((0, 1) if forth else (1, 0))]
            for method in (decision(p).accept_probability, decision(p).reject_probability))
    f, g = (f, g) if forth else (g, f)
    found = 1 - p.alpha * f[1] / f[0] if p.alpha <= f[0] else g[1] * (1 - p.alpha) / g[0]
    assert decision(p).trade_off(p.alpha) <= found * (1 + 1e-12)
    return found


def best_cutoff(p: Given) -> float:
    """The δ of the cutoff whose minimum has the best fraction."""
    u = math.exp(p.eps) / (1 + math.exp(p.eps) - math.exp(-p.eps))
    return CutoffExponentialDecision(p.eps, 1 - math.log(u) / p.eps).delta_at(p.eps)


def crossing_loss(p: Given) -> float:
    one = LaplaceDecision(p.eps, 10 + p.phase)
    return max(one.loss_accept(10), one.loss_reject(10))


def breaks_at(p: Given) -> float:
    """Where the classical σ has the δ that it promises."""
    return brentq(lambda epsilon: math.log(GaussianNoise.classical(epsilon, p.delta, 1).delta_at(epsilon) / p.delta),
                  1, 20, xtol=1e-14)


def response(p: Given) -> RandomizedResponse:
    return RandomizedResponse.two_coin(p.theta1, p.theta2) if "theta1" in p else RandomizedResponse.symmetric(p.eps)


def epsilon(p: Given) -> float:
    return response(p).epsilon


def estimator_mean(one: RandomizedResponse, n: float, said_yes: float, times: float = 1.0) -> float:
    """The mean over both binomials, for the estimate is linear in the answers."""
    none, first = (times * one.estimate(c, int(n)) for c in (0, 1))
    return none + said_yes * (first - none)


def mean_of(p: Given) -> float:
    one = response(p)
    return estimator_mean(one, p.n, p.k_true * one.yes_if_yes + (p.n - p.k_true) * one.yes_if_no)


def homogeneous(p: Given) -> float:
    at = (p.k - 2 * p.i) * p.eps
    epsilon, delta = composition.optimal(p.eps, p.delta, p.k,
                                         RandomizedResponse.symmetric(p.eps).delta_after(p.k, at))
    assert epsilon == pytest.approx(at, rel=1e-12)
    return delta


def optimal_pure(p: Given) -> float:
    epsilon, delta = composition.optimal(p.eps, 0, p.k, p.delta_prime)
    assert delta == pytest.approx(p.delta_prime, rel=1e-15)
    return epsilon


def responses_delta(p: Given) -> float:
    found = RandomizedResponse.symmetric(p.eps).delta_after(p.k, p.eps_prime)
    assert composition.responses([p.eps] * int(p.k), p.eps_prime) == pytest.approx(found, rel=1e-12)
    return found


def composed_delta(p: Given) -> float:
    delta = GaussianNoise(p.sigma).delta_at(p.eps, math.sqrt(p.k))
    assert composition.gaussian(p.sigma, 1, p.k, delta) == pytest.approx(p.eps, rel=1e-12)
    return delta


def policy(p: Given) -> Policy:
    return Policy(p.w, p.theta0, p.theta1, p.cost)


def chosen(p: Given) -> float:
    arms = [Arm([p[f"k{i}"]], p[f"n{i}"], p.a, p.b) for i in "01"]
    return float(NoisyChoice(Counted([p.w], *arms), clipped=False).chances(p.eps, p.cost).act)


def variance(strategy: str):
    return lambda p: noise_variance(strategy, p.eps, p.Q)[-1]


def of_each(p: Given) -> float:
    every = noise_variance("retrain", p.eps, p.Q)
    assert (every == every[0]).all()
    return every[0]


SAID = {
    "gaussian.classical_breaks_at_eps": breaks_at,
    "gaussian.delta": lambda p: GaussianNoise(p.sigma).delta_at(p.eps, p.sensitivity),
    "gaussian.sigma_analytic": lambda p: GaussianNoise.analytic(p.eps, p.delta, p.sensitivity).sigma,
    "gaussian.sigma_classical": lambda p: GaussianNoise.classical(p.eps, p.delta, p.sensitivity).sigma,
    "gaussian.sigma_seed": lambda p: GaussianNoise.without_root(p.eps, p.delta, p.sensitivity).sigma,
    "gaussian.true_delta_at_sigma_classical": lambda p: GaussianNoise.classical(
        p.eps, p.delta, p.sensitivity).delta_at(p.eps, p.sensitivity),
    "gaussian.true_delta_at_sigma_seed": lambda p: GaussianNoise.without_root(
        p.eps, p.delta, p.sensitivity).delta_at(p.eps, p.sensitivity),
    "geometric_count.mean_abs_error": lambda p: GeometricNoise(p.eps).mean_error,
    "geometric_count.variance": lambda p: GeometricNoise(p.eps).sd ** 2,
    "laplace_count.abs_error_quantile95": lambda p: laplace(p.eps, 1).error_quantile(0.95),
    "laplace_count.mean_abs_error": lambda p: laplace(p.eps, 1).mean_error,
    "laplace_count.variance": lambda p: laplace(p.eps, 1).sd ** 2,
    "laplace_mean.mean_abs_error": lambda p: laplace(p.eps, 1 / p.n).mean_error,
    "laplace_mean.sd": lambda p: laplace(p.eps, 1 / p.n).sd,
    "rounded_laplace_count.variance": lambda p: laplace(p.eps, 1).rounded_sd ** 2,
    "noisy_count.p_negative": lambda p: laplace(p.eps, 1).cdf(-p.k),
    "noisy_count.p_above_n": lambda p: laplace(p.eps, 1).tail(p.n - p.k),
    "tradeoff.gaussian": lambda p: GaussianNoise(1.0).trade_off(p.alpha, p.mu),
    "tradeoff.laplace": lambda p: LaplaceNoise(1.0).trade_off(p.alpha, p.eps),

    **{f"{kind}.accept": lambda p: decision(p).accept_probability(p.N)
       for kind in ("laplace_decision", "cutoff", "generalized", "geometric_decision")},
    **{f"{kind}.reject": lambda p: decision(p).reject_probability(p.N)
       for kind in ("laplace_decision", "cutoff", "generalized", "geometric_decision")},
    **{f"{kind}.ln_accept": lambda p: decision(p).log_accept(p.N) for kind in ("laplace_decision", "cutoff")},
    "privacy_loss.accept": lambda p: decision(p).loss_accept(p.N),
    "privacy_loss.reject": lambda p: decision(p).loss_reject(p.N),
    "decision.delta": lambda p: decision(p).delta_at(p.eps_prime),
    "decision.delta_absent": lambda p: decision(p).delta_at(p.eps, zero_refused=True),
    "tradeoff.decision": lambda p: error_of_second_kind(p, forth=True),
    "tradeoff.decision_reverse": lambda p: error_of_second_kind(p, forth=False),
    "laplace_decision.threshold_offset": lambda p: LaplaceDecision.for_target(p.eps, 0, p.p).threshold,
    "geometric_decision.threshold_offset": lambda p: FAR - centred(p.eps, 0.0, FAR).smallest_n(p.p),
    "laplace_decision.min_N": lambda p: LaplaceDecision.for_target(p.eps, p.m, p.p).smallest_n(p.target),
    "laplace_decision.width": lambda p: LaplaceDecision(p.eps, 0.0).band(p.q).width,
    "cutoff.width": lambda p: CutoffExponentialDecision(p.eps, 1.0).band(p.q).width,
    "geometric_vs_laplace.width_saved": lambda p: (
        LaplaceDecision(p.eps, 0.0).band(1e-3).width - centred(p.eps, 0.0, 0).band(1e-3).width),
    "laplace_decision.crossing_loss": crossing_loss,
    "cutoff.best_noninteger_delta": best_cutoff,
    "generalized.p0": lambda p: centred(p.eps, p.delta, 0).accept_probability(0),
    "generalized.one_minus_p0": lambda p: centred(p.eps, p.delta, 0).reject_probability(0),
    "generalized.n0_minus_n_down": lambda p: -centred(p.eps, p.delta, 0).band(p.target).low,
    "generalized.n_minus_n0_up": lambda p: centred(p.eps, p.delta, 0).band(1 - p.target).high,
    "generalized.steps_0_to_1": lambda p: GeneralizedDecision(p.eps, p.delta, 0, 0.0).smallest_n(1.0),
    "generalized.steps_between": lambda p: GeneralizedDecision(p.eps, p.delta, 0, p["from"]).smallest_n(p.to),
    "seed_claim.p0": lambda p: centred(p.eps, p.delta, 0).accept_probability(0),
    "seed_claim.interval_001_099": lambda p: LaplaceDecision(p.eps, 0.0).band(0.01).width,
    "seed_claim.width_001_099_generalized": lambda p: centred(p.eps, p.delta, 0).band(0.01).width,
    "seed_claim.needed_N": lambda p: LaplaceDecision.for_target(p.eps, p.m, 0.01).band(0.01).high,
    "seed_claim.k_minus_m_p099": lambda p: LaplaceDecision.for_target(p.eps, 0, p.p).threshold,
    "seed_claim.cutoff_delta": lambda p: CutoffExponentialDecision(p.eps, 10.0).delta_at(p.eps),

    "composition.advanced_eps": lambda p: composition.advanced(p.eps, 0, p.k, p.delta_prime)[0],
    "composition.basic_eps": lambda p: composition.basic(p.eps, 0, p.k)[0],
    "composition.heterogeneous_rr_delta": lambda p: composition.responses(p.eps_list, p.eps_prime),
    "composition.kov_delta_i": lambda p: RandomizedResponse.symmetric(p.eps).delta_after(
        p.k, (p.k - 2 * p.i) * p.eps),
    "composition.kov_homogeneous_delta": homogeneous,
    "composition.kov_simple_eps": lambda p: composition.simple(p.eps, 0, p.k, p.delta_prime)[0],
    "composition.kov_simple_eps_e": lambda p: composition.simple_of_small_steps(p.eps, 0, p.k, p.delta_prime)[0],
    "composition.optimal_eps_pure": optimal_pure,
    "composition.rr_exact_delta": responses_delta,
    "group.delta_tight": lambda p: composition.group(p.eps, p.delta, p.k)[1],
    "group.delta_seed_statement": lambda p: composition.group_as_printed(p.eps, p.delta, p.k)[0],
    "group.delta_seed_display": lambda p: composition.group_as_printed(p.eps, p.delta, p.k)[1],
    "tradeoff.eps_delta": lambda p: composition.trade_off(p.eps, p.delta, p.alpha),
    "gaussian.composed_delta": composed_delta,
    "accounting.zcdp": lambda p: composition.zcdp(p.rho, p.delta),
    "accounting.renyi_response": lambda p: accounting.response_divergence(p.epsilon, 1)(p.alpha),
    "accounting.renyi_of_responses": lambda p: accounting.renyi_to_epsilon(
        accounting.response_divergence(p.epsilon, p.k), p.delta),
    "accounting.subsampled": lambda p: composition.subsampled(p.epsilon, 0.0, p.rate)[0],

    "rr.epsilon": epsilon,
    "rr.estimator_mean": mean_of,
    "rr.estimator_sd": lambda p: response(p).estimator_sd_given(p.n // 2, p.n),
    "rr.estimator_variance": lambda p: response(p).estimator_sd_given(p.k_true, p.n) ** 2,
    "rr.p_answer_yes": lambda p: response(p).answer_probability(p.prior),
    "rr.p_yes_given_no": lambda p: response(p).yes_if_no,
    "rr.p_yes_given_yes": lambda p: response(p).yes_if_yes,
    "rr.sym_p_truth": lambda p: response(p).yes_if_yes,
    "rr.sym_p_lie": lambda p: response(p).no_if_yes,
    "rr.posterior_given_yes": lambda p: response(p).posterior(p.prior, True),
    "rr.posterior_given_no": lambda p: response(p).posterior(p.prior, False),
    "rr.theta1_for_eps": lambda p: coin_theta1(p.eps, p.theta2),
    "rr.twocoin_estimator_variance": lambda p: response(p).estimator_sd(p.prior, p.n) ** 2,
    "rr.z_if_0": lambda p: response(p).estimate(0, 1),
    "rr.z_if_1": lambda p: response(p).estimate(1, 1),
    "rr.z_variance": lambda p: response(p).estimator_sd_given(0, 1) ** 2,
    "tradeoff.rr": lambda p: response(p).trade_off(p.alpha),
    "warner.epsilon": lambda p: RandomizedResponse.warner().epsilon,
    "warner.estimator_mean": lambda p: estimator_mean(
        RandomizedResponse.warner(), p.n, RandomizedResponse.warner().answer_probability(p.n_true / p.n) * p.n, p.n),
    "warner.estimator_variance": lambda p: (
        p.n * RandomizedResponse.warner().estimator_sd_given(p.n_true, p.n)) ** 2,
    "warner.expected_yes": lambda p: p.n * RandomizedResponse.warner().answer_probability(p.n_true / p.n),

    "accumulate.variance_final": variance("sequential"),
    "accumulate_overlapping.variance_final": variance("overlapping"),
    "retrain.variance_each": of_each,
    "retrain_skewed.variance_final": variance("skewed"),
    "tree.variance_final": variance("tree"),
    "tree.variance_worst": lambda p: RunningCount("tree", p.eps, int(p.Q)).worst_variance,
    "tree.first_Q_better_worstcase": lambda p: crossing("tree", "once", worst=True).first,
    "tree.last_Q_not_better_worstcase": lambda p: crossing("tree", "once", worst=True, limit=int(p.Q_max)).last_not,

    **{f"utility.{name}": lambda p, name=name: getattr(policy(p), name)
       for name in ("action", "best_action", "breakeven_cost", "no_action")},
    "utility.p_choose_action_noisy": chosen,
    "utility.rr_symmetric": lambda p: policy(p).randomized(RandomizedResponse.symmetric(p.eps)),
    "utility.rr_two_coin": lambda p: policy(p).randomized(RandomizedResponse.two_coin(p.rr_theta1, p.rr_theta2)),
}

FILES = ("noise", "decision", "composition", "accounting", "response", "continual", "policy")
ROWS = [row for name in FILES for row in json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))]
TAILS = tuple(f"{kind}.{tail}" for kind in ("laplace_decision", "cutoff", "generalized", "geometric_decision")
              for tail in ("accept", "reject"))


@pytest.mark.parametrize("quantity", sorted({row["quantity"] for row in ROWS}))
def test_that_it_agrees_with_the_oracle_to_twelve_digits(quantity):
    for row in ROWS:
        if row["quantity"] == quantity:
            expected, found = float(row.get("value_f64", row["value"])), SAID[quantity](given(row))
            if math.isinf(expected):
                assert found == expected, row
            elif quantity in TAILS and expected > 1e-300:
                # Within a step of a clip or a crossing a tail is as ill-conditioned as its parameters.
                assert math.isclose(found, expected, rel_tol=1e-12, abs_tol=2e-15), row
                assert math.isclose(found, expected, rel_tol=3e-11), row
            else:
                # What was computed at eighty digits as a difference of numbers near 1 is 0 from 1e-80 on.
                assert found == pytest.approx(expected, rel=1e-12, abs=1e-80 if expected == 0 else 1e-300), row
