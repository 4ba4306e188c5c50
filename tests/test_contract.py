"""What programs outside rely on: names, the order of arguments, shapes and types of answers, and how refusals read."""

from __future__ import annotations

import inspect
import math
from importlib import import_module

import numpy as np
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import CanonicalNoise, GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.quantile import PrivateBound, PrivateQuantile
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models import numbers, plan
from dpstudio.models.beta_bernoulli import InvalidPosterior, noisy_count_posterior
from dpstudio.models.continual import noise_variance
from dpstudio.models.policy import Policy
from dpstudio.models.testing import NoisyShare, ShareTest, powers
from dpstudio.studies import all_studies

N_METHODS = "accept_probability(n)", "reject_probability(n)", "smallest_n(probability)", \
    "smallest_n_refusing(probability)", "delta_at(epsilon, zero_refused=False)", "sample(n, size, rng)"
NOISE_METHODS = "density(x)", "cdf(x)", "tail(x)", "quantile(p)", "delta_at(epsilon, sensitivity=1)", \
    "sample(size, rng)"
SIGNATURES = {
    "dpstudio.mechanisms.decision": {
        "LaplaceDecision": ("(epsilon, threshold)", "for_target(epsilon, minimum, target, complement=None)",
                            *N_METHODS),
        "CutoffExponentialDecision": ("(epsilon, minimum)", *N_METHODS),
        "GeneralizedDecision": ("(epsilon, delta, minimum, target, complement=None)",
                                "centred(epsilon, delta, centre)", *N_METHODS),
        "GaussianDecision": ("(mu, minimum, target, complement=None)", *N_METHODS),
    },
    "dpstudio.mechanisms.response": {
        "RandomizedResponse": ("(yes_if_yes, yes_if_no)", "symmetric(epsilon)", "two_coin(theta1, theta2)", "warner()",
                               "delta_at(epsilon)", "answer_probability(prior)", "posterior(prior, answer)",
                               "estimate(yes_count, n)", "estimator_sd(fraction, n)",
                               "estimator_sd_given(yes_count, n)", "epsilon_after(k, delta)",
                               "delta_after(k, epsilon)"),
    },
    "dpstudio.mechanisms.noise": {
        "CanonicalNoise": ("(epsilon, delta=0.0)", *NOISE_METHODS),
        "LaplaceNoise": ("(scale)", "calibrate(epsilon, sensitivity)", *NOISE_METHODS),
        "GeometricNoise": ("(epsilon, sensitivity=1)", *NOISE_METHODS),
        "GaussianNoise": ("(sigma)", *(f"{name}(epsilon, delta, sensitivity)"
                                       for name in ("analytic", "classical", "without_root")), *NOISE_METHODS),
    },
    "dpstudio.mechanisms.composition": {
        "basic": ("(epsilon, delta, k=1)",), "advanced": ("(epsilon, delta, k, slack)",),
        "optimal": ("(epsilon, delta, k, slack)",), "responses": ("(epsilons, epsilon)",),
        "gaussian": ("(sigma, sensitivity, k, delta)",), "group": ("(epsilon, delta, size)",),
        "WorstReleases": ("(epsilon, delta, k=1)", "power(alpha)"), "repeated": ("(law, k)",),
        "zcdp": ("(rho, delta)",), "subsampled": ("(epsilon, delta, rate)",),
    },
    "dpstudio.mechanisms.laws": {
        name: (arguments, "delta_at(epsilon)", "trade_off(alpha)", "power(alpha)") for name, arguments in {
            "Claim": "(epsilon, delta)", "Shifted": "(mu)", "Moved": "(noise, sensitivity)", "Grouped": "(law, size)",
            "RefusingZero": "(decision)", "BoundedRange": "(epsilon)"}.items()
    },
    "dpstudio.models.risk": {
        "success": ("(law, baseline)",), "failure": ("(law, baseline)",), "membership": ("(law, prior)",),
        "one_of": ("(law, candidates)",), "advantage": ("(law)",), "precision": ("(law, false_alarms, prior)",),
        "greatest_posterior": ("(law, prior)",), "exceeds": ("(law, loss)",),
        "posterior_reaches": ("(law, prior, level)",), "disclosure": ("(epsilon, held, included)",),
        "disclosure_epsilon": ("(cap, held, included)",), "profile_epsilon": ("(points)",),
        "epsilon_for": ("(baseline, cap)",), "mu_for": ("(baseline, cap)",),
    },
    "dpstudio.mechanisms.selection": {
        **dict.fromkeys(("exponential", "permute_and_flip", "noisy_max_laplace"),
                        ("(scores, epsilon, sensitivity=1, monotone=False)",)),
        "regret": ("(scores, probabilities)",), "rho": ("(method, epsilon)",), "law": ("(method, epsilon)",),
        "within": ("(scores, probabilities, gap)",), "by_rank": ("(scores, probabilities)",),
        "sample": ("(probabilities, size, rng)",),
    },
    "dpstudio.models.table": {
        "sensitivities": ("(cells, per_person, most, neighbours)",), "half_width": ("(noise, cells, confidence)",),
        "coverage": ("(noise, cells, half_width)",), "order": ("(noise, gap)",), "wins": ("(noise, counts)",),
        "top_right": ("(noise, counts, k)",), "clamped_bias": ("(noise, count)",),
        "smallest_cell": ("(noise, relative, confidence)",), "shown": ("(noise, count, threshold)",),
        "threshold_delta": ("(noise, threshold, epsilon, cells_per_person)",),
        "with_total": ("(cell_variance, total_variance, cells)",),
        "two_way": ("(rows, columns, cell_variance, row_variance, column_variance, total_variance)",),
        "rounded_variance": ("(scale)",), "merged": ("(cell_variance, cells)",),
        "reconciled": ("(cells, rows, columns, total, variances)",),
        "reconciled_total": ("(cells, total, cell_variance, total_variance)",),
    },
    "dpstudio.models.numbers": {
        "sum_sensitivity": ("(lower, upper, rows=1, neighbours='add or remove', exactly=False)",),
        "clipping_bias": ("(values, lower, upper)",), "sum_rmse": ("(values, lower, upper, noise_variance)",),
        "best_upper": ("(values, unit_variance)",), "clipped_moments": ("(law, lower, upper)",),
        "best_upper_exponential": ("(mean, n, epsilon)",), "inverse_count": ("(noise, count)",),
        "ratio_mean": ("(count, mean, centre, count_noise, sum_variance)",),
        "ratio_split": ("(epsilon, sum_sensitivity, distance)",),
        **{name: (arguments, "cdf(x)", "tail(x)", "quantile(p)", "above(upper)", "below(lower)", "bias(lower, upper)",
                  "clipped_moments(lower, upper)") for name, arguments in {
            "Normal": "(mean, sd)", "Exponential": "(mean)", "LogNormal": "(log_mean, log_sd)",
            "Uniform": "(low, high)", "Weighted": "(values, times=None)"}.items()},
        "best_bound": ("(values, n, unit_variance, about='data')",),
        "sum_errors": ("(values, n, lower, upper, noise_variance)",),
        "mean_errors": ("(values, n, lower, upper, noise_variance)",),
        "private_bound": ("(values, lower, upper, bound_epsilon, sum_epsilon)",),
        "private_bound_rmse": ("(bound, unit_variance)",),
        "half_width": ("(noise, bias, level=0.95, step=1.0)",),
        "Released": ("(noise, value=0.0, bias=0.0, step=1.0)", "density(x)", "cdf(x)", "tail(x)", "quantile(p)",
                     "half_width(level=0.95)"),
        "RatioMean": ("(count, mean, centre, sum_noise, count_noise)", "cdf(x)", "tail(x)", "quantile(p)",
                      "half_width(level=0.95, truth=None)"),
    },
    "dpstudio.mechanisms.quantile": {
        "PrivateQuantile": ("(values, lower, upper, probability, epsilon, neighbours='add or remove', times=None)",
                            "of_counts(values, times, lower, upper, probability, epsilon, "
                            "neighbours='add or remove')", "density(x)", "cdf(x)", "tail(x)", "quantile(p)",
                            "within(ranks)", "sample(size, rng)"),
        "PrivateBound": ("(values, lower, upper, above, epsilon, times=None)", "quantile(p)"),
    },
    "dpstudio.models.testing": {
        "ShareTest": ("(n, share, epsilon, delta=0.0, level=0.05, side='greater')", "rejects(count)", "power(share)",
                      "misses(share)", "gaussian(n, share, mu, level=0.05, side='greater')"),
        "p_value": ("(z, n, share, epsilon, delta=0.0, side='greater')",),
        "interval": ("(z, n, epsilon, delta=0.0, confidence=0.95)",),
        "smallest_n": ("(share, alternative, epsilon, delta=0.0, level=0.05, power=0.8)",),
    },
    "dpstudio.mechanisms.mixed": {
        "Mixed": ("(laplace, mu=0.0, responses=(), told=0.0)", "delta_at(epsilon)", "trade_off(alpha)", "power(alpha)",
                  "epsilon_at(delta)", "after(k)"),
    },
    "dpstudio.models.plan": {
        "least_total": ("(half_widths, sensitivities, confidence, noise)",),
        "split": ("(weights, sensitivities, total, goal, noise)",), "parallel": ("(epsilons, neighbours)",),
        "parallel_mu": ("(mus, neighbours)",), "mixed_delta": ("(laplace, mu, epsilon)",),
        "epsilon_of_mu": ("(mu, delta)",), "mu_left": ("(epsilon, delta, spent)",),
        "laplace_left": ("(mu, epsilon, delta)",),
    },
    "dpstudio.mechanisms.watch": {
        "AboveThreshold": ("(epsilon, threshold, share=0.5, monotone=True)", "first_yes(counts)"),
    },
    "dpstudio.models.beta_bernoulli": {
        "noisy_count_posterior": ("(prior_a, prior_b, n, noisy_count, epsilon, method",),
        "Posterior": ("density(theta)", "cdf(theta)", "quantile(p)"),
    },
    "dpstudio.models.continual": {"noise_variance": ("(strategy, epsilon, releases)",)},
    "dpstudio.models.policy": {"Policy": ("(weights, untreated, treated, cost, factor=2.0)", "randomized(response)")},
    "dpstudio.studies": {"all_studies": ("()",)},
}


def signature(function) -> str:
    """The arguments with their defaults, without self and types."""
    given = [f"{name}={one.default!r}" if one.default is not one.empty else name
             for name, one in inspect.signature(function).parameters.items() if name != "self"]
    return f"({', '.join(given)})"


@pytest.mark.parametrize(("module", "name", "written"), [
    (module, name, one) for module, names in SIGNATURES.items() for name, each in names.items() for one in each])
def test_that_names_and_arguments_are_those_that_were_promised(module, name, written):
    found = getattr(import_module(module), name)
    method = written.partition("(")[0]
    found = getattr(found, method) if method else found
    assert (method + signature(found)).startswith(written)


DECISIONS = [LaplaceDecision(0.1, 999.5), LaplaceDecision.for_target(0.1, 1000, 0.5),
             CutoffExponentialDecision(0.1, 1000), GeneralizedDecision(0.1, 1e-6, 1000, 0.5),
             GeneralizedDecision.centred(0.1, 1e-6, 1000), GaussianDecision(0.1, 1000, 0.5)]
NOISES = [CanonicalNoise(1), CanonicalNoise(1, 0.01), LaplaceNoise(2), GeometricNoise(1), GeometricNoise(1, 3),
          GaussianNoise(3)]
RESPONSES = [RandomizedResponse(0.7, 0.2), RandomizedResponse.symmetric(1), RandomizedResponse.two_coin(0.5, 0.1),
             RandomizedResponse.warner()]
VALUES = [numbers.Normal(50, 10), numbers.Exponential(20), numbers.LogNormal(3, 1), numbers.Uniform(0, 9),
          numbers.Weighted([1.0, 4.0, 9.0], [3, 1, 2])]
QUANTILES = [PrivateQuantile([1.0, 4.0, 9.0], 0, 10, 0.5, 1.0), PrivateBound([1.0, 4.0, 9.0], 0, 10, 1, 1.0)]
POSTERIORS = [noisy_count_posterior(1, 1, 100, 40.5, 0.1, method) for method in ("naive", "clamped", "noise-aware")]

# Every function of one array, with numbers inside its domain: probabilities where none else are said.
ELEMENTWISE = [
    *((method, (990, 1000)) for one in DECISIONS for method in (one.accept_probability, one.reject_probability)),
    *((method, (0.25, 0.5)) for one in DECISIONS for method in (one.smallest_n, one.smallest_n_refusing)),
    *((one.delta_at, (0, 1)) for one in [*DECISIONS, *NOISES, *RESPONSES]),
    *((method, (-1, 2)) for one in NOISES for method in (one.density, one.cdf, one.tail)),
    *((one.quantile, (0.25, 0.5)) for one in [*NOISES, *POSTERIORS]),
    *((method, (0.25, 1)) for one in POSTERIORS for method in (one.density, one.cdf)),
    *((method, (0, 1)) for one in RESPONSES for method in (
        one.answer_probability, lambda prior, one=one: one.posterior(prior, True),
        lambda count, one=one: one.estimate(count, 10), lambda fraction, one=one: one.estimator_sd(fraction, 10),
        lambda count, one=one: one.estimator_sd_given(count, 10), lambda delta, one=one: one.epsilon_after(3, delta),
        lambda epsilon, one=one: one.delta_after(3, epsilon))),
    *((method, (-1, 2)) for one in [*VALUES, *QUANTILES, numbers.Released(LaplaceNoise(2), 1, 2)]
      for method in (one.cdf, one.tail)),
    *((method, (-1, 2)) for one in VALUES for method in (one.above, one.below)),
    *((one.quantile, (0.25, 0.5)) for one in [*VALUES, *QUANTILES, numbers.Released(LaplaceNoise(2), 1, 2)]),
    *((one.density, (-1, 2)) for one in QUANTILES), *((one.within, (0, 1)) for one in QUANTILES),
    (lambda upper: numbers.clipping_bias([1.0, 5.0], 0, upper), (0, 2)),
    (lambda lower: numbers.sum_sensitivity(lower, 7.0, 2), (-1, 2)),
    (lambda variance: numbers.sum_rmse([1.0, 5.0], 0, 3, variance), (0, 2)),
    (lambda epsilon: numbers.best_upper_exponential(2, 100, epsilon), (0.5, 1)),
    (lambda bias: numbers.half_width(GeometricNoise(1), bias), (0, 2)),
    (lambda bias: numbers.half_width(LaplaceNoise(2), bias), (0, 2)),
    (numbers.RatioMean(5, 2, 0, LaplaceNoise(2), GeometricNoise(1)).cdf, (-1, 2)),
    *((method, (0.25, 0.5)) for side in ("greater", "two") for one in [ShareTest(20, 0.5, 1.0, 0.01, 0.05, side)]
      for method in (one.power, one.misses)),
    (ShareTest(20, 0.5, 1.0, side="less").rejects, (3, 20)),
    *((lambda z, name=name: getattr(NoisyShare(20, 1.0), name)(z, 0.3), (-2.3, 9))
      for name in ("cdf", "tail", "density", "p_value")),
    (NoisyShare(20, 1.0).sd, (0, 0.5)), (lambda n: powers(n, 0.5, 0.7, 1.0), (1, 50)),
    (lambda epsilon: composition.responses([0.1, 0.5], epsilon), (0, 1)),
    (lambda delta: composition.gaussian(1, 1, 3, delta), (0.25, 0.5)),
    (lambda rho: composition.zcdp(rho, 1e-6), (0, 1)),
    (lambda epsilon: plan.mixed_delta([0.5, 0.2], 0.4, epsilon), (0, 1)),
    (lambda epsilon: plan.mixed_delta([0.5, 0.2], 0, epsilon), (0, 0.5)),
    (lambda delta: plan.epsilon_of_mu(1, delta), (0.25, 0.5)),
    (lambda rate: composition.subsampled(1, 1e-6, rate)[0], (0, 0.5)),
]


@pytest.mark.parametrize(("function", "inside"), ELEMENTWISE)
def test_that_arrays_keep_their_shape_and_numbers_give_floats(function, inside):
    low, high = inside
    for number in (low, np.float64(low), np.int64(low) if isinstance(low, int) else np.float32(low)):
        assert type(function(number)) is float
    assert np.shape(function(np.array(low))) == ()
    for values in ([low, high], (high, low), [[low, high, low]], np.array([low, high])[:, None], [], np.empty((0, 3))):
        found = function(values)
        assert isinstance(found, np.ndarray)
        assert found.dtype == np.float64
        assert found.shape == np.shape(values)
        assert not np.isnan(found).any()
    assert function([low, high])[1] == pytest.approx(function(high), rel=1e-12)


@pytest.mark.parametrize(("function", "inside"), ELEMENTWISE)
def test_that_what_is_no_number_is_refused_and_nothing_is_clipped(function, inside):
    for given in (math.nan, [math.nan], -math.inf, "1", None, True, 1j, [[1], [1, 0]], [None]):
        with pytest.raises(InvalidParameter) as refusal:
            pytest.fail(f"{given!r} gave {function(given)}")
        assert " must be " in str(refusal.value)
        assert ", got " in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_that_a_watch_gives_a_probability_for_each_count_in_order():
    watch = AboveThreshold(1.0, 5, 0.25, False)
    assert watch.epsilon == 1.0
    for counts in ([1, 4, 9], (1.0, 4.0, 9.0), np.array([1, 4, 9])):
        found = watch.first_yes(counts)
        assert (found.dtype, found.shape) == (np.float64, (3,))
        assert 0 < found.sum() < 1
    assert watch.first_yes([]).shape == (0,)
    with pytest.raises(InvalidParameter, match=r"^share must be in \(0, 1\), got 1\.0$"):
        AboveThreshold(1.0, 5, share=1.0)


def test_that_a_refusal_has_one_form_and_is_a_value_error():
    with pytest.raises(ValueError, match=r"^epsilon must be in \(0, ∞\), got -1\.0$"):
        LaplaceDecision(-1.0, 5)


@pytest.mark.parametrize("decision", DECISIONS, ids=repr)
def test_that_records_are_whole_and_may_be_floats_up_to_the_exact_integers(decision):
    assert 0 <= decision.accept_probability(0) <= decision.accept_probability(2.0**53) <= 1
    assert decision.accept_probability(np.float64(2**53)) == decision.accept_probability(2**53)
    for bad in (-1, 0.5, 1e300, 2**53 + 1, [1, 2.5]):
        with pytest.raises(InvalidParameter, match=r"^n must be an integer in "):
            decision.accept_probability(bad)
    drawn = decision.sample(n=1000, size=(2, 3), rng=np.random.default_rng(0))
    assert (drawn.dtype, drawn.shape) == (np.bool_, (2, 3))
    assert decision.smallest_n(0.0) == 0.0
    assert decision.smallest_n_refusing(1.0) == 0.0
    absent = decision.delta_at(0.1, zero_refused=True)
    assert absent == max(decision.delta_at(0.1), decision.accept_probability(1))


def test_that_a_guarantee_is_the_declared_epsilon_and_its_delta():
    for decision in DECISIONS[:-1]:
        assert decision.guarantee == (0.1, decision.delta_at(0.1))
    assert DECISIONS[-1].mu == 0.1
    assert LaplaceDecision(0.1, 1000).delta_at(0.1) == 0.0
    assert GeneralizedDecision(0, 0.1, 5, 0.5).accept_probability([4, 5, 6]) == pytest.approx([0.4, 0.5, 0.6])
    assert LaplaceDecision(1, 7).smallest_n(1.0) == math.inf


@pytest.mark.parametrize("make", [LaplaceDecision.for_target, GaussianDecision,
                                  lambda *given, **more: GeneralizedDecision(given[0], 0.0, *given[1:], **more)])
def test_that_a_target_near_one_is_known_by_its_complement(make):
    assert make(1.0, 500, 1.0, complement=1e-30).reject_probability(500) == pytest.approx(1e-30, rel=1e-12)
    with pytest.raises(InvalidParameter, match="complement must be 1 − target"):
        make(1.0, 500, 0.5, complement=0.4)


def test_that_domains_are_the_mathematical_ones():
    GeneralizedDecision(0, 0, 0, 0), GeneralizedDecision(0, 1, 0, 1), GeneralizedDecision.centred(0, 0.1, 0)
    CutoffExponentialDecision(1, 1e-9), LaplaceDecision(1e-9, -1e9), GaussianDecision(1e-9, 0, 0.5)
    for refused in (lambda: LaplaceDecision(0, 1), lambda: CutoffExponentialDecision(1, 0),
                    lambda: GaussianDecision(0, 1, 0.5), lambda: GaussianDecision(1, 1, 1),
                    lambda: LaplaceDecision.for_target(1, 1, 0),
                    lambda: GeneralizedDecision(1, 1.1, 1, 0.5), lambda: GeneralizedDecision(1, 0, 1.5, 0.5),
                    lambda: LaplaceNoise(0), lambda: GaussianNoise(0), lambda: GeometricNoise(1, 0.5)):
        with pytest.raises(InvalidParameter):
            refused()
    with pytest.raises(InvalidParameter, match=r"centre must be an integer .* got 5\.5 \(.*guarantee"):
        GeneralizedDecision.centred(1, 0.1, 5.5)
    assert GeneralizedDecision.centred(1, 0.1, 5).accept_probability(5) == pytest.approx((math.e + 0.1) / (math.e + 1))


def test_that_a_response_fills_what_it_was_made_from():
    assert RandomizedResponse.symmetric(math.inf).epsilon == math.inf
    assert RandomizedResponse.symmetric(0).epsilon == 0.0
    assert RandomizedResponse.warner().epsilon == pytest.approx(math.log(3), rel=1e-15)
    assert RandomizedResponse.two_coin(theta1=0.5, theta2=0.5).posterior(prior=0.1, answer=True) == pytest.approx(0.25)
    with pytest.raises(InvalidParameter):
        RandomizedResponse(1, 0).posterior(0.0, True)
    with pytest.raises(InvalidParameter):
        RandomizedResponse.symmetric(0).estimate(1, 2)


def test_that_noise_has_an_sd_and_is_calibrated_by_name():
    assert [type(one.sd) for one in NOISES] == [float] * 6
    assert LaplaceNoise.calibrate(epsilon=0.5, sensitivity=2) == LaplaceNoise(4)
    sigmas = [make(epsilon=0.5, delta=1e-5, sensitivity=1).sigma
              for make in (GaussianNoise.analytic, GaussianNoise.classical, GaussianNoise.without_root)]
    assert sigmas == pytest.approx([7.031827, 9.689611, 46.944276], rel=1e-6)
    for make in (GaussianNoise.classical, GaussianNoise.without_root):
        assert make(20, 0.5, 1).sigma > 0  # evaluated where it is no guarantee, too


def test_that_composition_gives_epsilon_and_delta():
    pairs = [composition.basic(0.1, 0.0), composition.basic([0.1, 0.2], [0.0, 1e-6]), composition.basic(0.1, 0, k=5),
             composition.advanced(0.1, 0, 10, 1e-6), composition.optimal(0.1, 0, 10, 1e-6),
             composition.group(1, 0.01, 2)]
    for pair in pairs:
        assert [type(one) for one in pair] == [float, float]
    assert pairs[1] == pytest.approx((0.3, 1e-6))
    assert pairs[3][0] == pytest.approx(0.1 * math.sqrt(20 * math.log(1e6)) + math.expm1(0.1))
    assert pairs[5] == pytest.approx((2, 0.01 * math.expm1(2) / math.expm1(1)))


def test_that_a_posterior_has_moments_and_the_naive_one_says_which_parameter_fails():
    for posterior in POSTERIORS:
        assert [type(one) for one in (posterior.mean, posterior.sd)] == [float, float]
    for count, said in ((-1, "a′"), (11, "b′")):
        with pytest.raises(InvalidPosterior, match=said):
            noisy_count_posterior(1, 1, 10, count, 0.1, "naive")


@pytest.mark.parametrize(("strategy", "expected"), [("sequential", [2, 4, 6, 8]), ("retrain", [32] * 4),
                                                    ("tree", [18, 18, 36, 18]), ("overlapping", [32, 64, 96, 128]),
                                                    ("skewed", [72, 72, 72, 8])])
def test_that_each_release_of_a_strategy_has_its_variance(strategy, expected):
    found = noise_variance(strategy, 1.0, 4)
    assert found.tolist() == pytest.approx(expected)
    assert noise_variance(strategy=strategy, epsilon=0.5, releases=1).shape == (1,)


def test_that_a_policy_says_what_is_best_and_on_a_tie_nobody_acts():
    tie = Policy((-10, -1), (0.3, 0.5), (0.15, 0.25), 0.0)
    acts = Policy(weights=[-1.0], untreated=[0.3], treated=[0.02], cost=0.1, factor=2.0)
    assert (tie.best_action, acts.best_action) == (False, True)
    assert type(acts.best_action) is bool
    numbers = [acts.no_action, acts.action, acts.breakeven_cost, acts.randomized(RandomizedResponse.symmetric(1))]
    assert [type(one) for one in numbers] == [float] * 4
    assert numbers == pytest.approx([-0.3, -0.14, 0.26, -0.14 - 0.16 / (1 + math.e)])


def test_that_studies_are_classes_that_declare_their_parameters():
    studies = all_studies()
    assert {"decision", "response", "mean", "noise", "posterior", "updating", "policy", "budget", "audit",
            "neighbours"} <= set(studies)
    for key, study in studies.items():
        assert study.key == key
        for declared in study.parameters():
            assert declared.domain.accept(getattr(study(), declared.name)) is not None or declared.optional
            assert declared.quantity.key
            if declared.range is not None and declared.is_number:
                low, high = declared.range
                assert declared.domain.low <= low < high <= declared.domain.high
