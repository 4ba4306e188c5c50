"""Plans: the oracle, linear programmes' place taken by minima found otherwise, sums of tails, and draws."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_kit import called, found, is_near, rows_of
from scipy.optimize import minimize
from scipy.special import gammaln

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.models import plan
from dpstudio.models.plan import (
    PlannedDecision,
    PlannedNumber,
    PlannedRegret,
    PlannedResponse,
    PlannedSelection,
    PlannedTable,
    ReleasePlan,
)
from dpstudio.models.plan.pure import epsilon_of_strength, mu_of_epsilon, worst_regret, wrong

ROWS = rows_of("plans")
WANTS, ONES = (30.0, 30.0, 30.0, 100.0, 10.0), (1.0,) * 5
NOISES = ("laplace", "geometric", "gaussian")
OF_ALL_KINDS = (PlannedNumber(30.0), PlannedNumber(40.0, 2, times=12), PlannedNumber(50.0, group="a"),
    PlannedNumber(25.0, group="b"),
                PlannedNumber(90.0, group="c"), PlannedTable(half_width=40.0, cells=20, per_person=2),
                PlannedDecision(10.0),
                PlannedSelection(20, 15.0), PlannedRegret(50, 10.0), PlannedResponse(5000, 0.03))


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_plans_equal_the_oracle(row):
    assert is_near(row, found(row))


def test_all_that_is_named_is_there():
    assert all(callable(getattr(plan, name)) for name in plan.__all__)
    assert {row["call"] for row in ROWS} <= {f"dpstudio.models.plan.{name}" for name in plan.__all__}


# The least total


def test_five_counts_cost_their_wants_and_an_even_split_misses_one_more_than_twice():
    least = plan.least_total(WANTS, ONES, 0.95, "laplace")
    assert least == pytest.approx(0.629, abs=5e-4)
    asked = ReleasePlan(tuple(PlannedNumber(t) for t in WANTS), "laplace")
    assert asked.least == pytest.approx(least, rel=1e-15)
    assert asked.worst_ratio(asked.even(least)) == pytest.approx(2.38, abs=5e-3)
    assert asked.worst_ratio(asked.costs()) == pytest.approx(1.0, rel=1e-14)


@given(half_width=st.integers(0, 10**9), sensitivity=st.integers(1, 1000),
       log_tail=st.one_of(st.floats(-30, -1e-3), st.floats(-16, -6).map(lambda x: -math.exp(x))))
def test_geometric_noise_is_as_wide_as_wanted_and_none_less_private_is_asked(half_width, sensitivity, log_tail):
    confidence = -math.expm1(log_tail)
    epsilon = plan.least_total([half_width], [sensitivity], confidence, "geometric")
    with mpmath.workdps(40):
        def tail(e):
            a = mpmath.exp(-mpmath.mpf(e) / sensitivity)
            return 2 * a**(half_width + 1) / (1 + a)

        alpha = 1 - mpmath.mpf(confidence)
        assert tail(epsilon * (1 + 1e-12)) <= alpha
        assert tail(epsilon * (1 - 1e-12)) >= alpha


@pytest.mark.parametrize("confidence", [1e-6, 0.3, 0.95, 1 - 1e-9])
def test_laplace_and_gaussian_noise_of_a_cost_have_that_half_width(confidence):
    for t, move in ((3.0, 1.0), (1e6, 2.5)):
        epsilon = plan.least_total([t], [move], confidence, "laplace")
        assert 2 * LaplaceNoise(move / epsilon).tail(t) == pytest.approx(1 - confidence, rel=1e-10)
        mu = plan.least_total([t], [move], confidence, "gaussian")
        assert 2 * GaussianNoise(move / mu).tail(t) == pytest.approx(1 - confidence, rel=1e-6)
        with mpmath.workdps(40):
            exact = move * mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(confidence)) / t
        assert mu == pytest.approx(float(exact), rel=1e-13 if confidence < 0.99 else 1e-9)
    assert plan.least_total(3.0, (1, 1), 0.9, "gaussian") == pytest.approx(
        math.sqrt(2) * plan.least_total(3.0, 1, 0.9, "gaussian"))
    assert plan.least_total(2.9, 1, 0.9, "geometric") == plan.least_total(2, 1, 0.9, "geometric")
    assert plan.least_total(0, 1, 0.9, "geometric") == pytest.approx(math.log(1.9 / 0.1), rel=1e-13)


# Splits


def loss_of(noise, goal, weights, moves, strengths):
    """What a goal looks at, from the noise itself."""
    if noise == "gaussian":
        made = [GaussianNoise(float(d / s)) for d, s in zip(moves, strengths, strict=True)]
    elif noise == "laplace":
        made = [LaplaceNoise(float(d / s)) for d, s in zip(moves, strengths, strict=True)]
    else:
        made = [GeometricNoise(float(s), int(d)) for d, s in zip(moves, strengths, strict=True)]
    each = {"variance": [w * one.sd**2 for w, one in zip(weights, made, strict=True)],
            "absolute": [w * one.mean_error for w, one in zip(weights, made, strict=True)],
            "worst": [w * one.sd for w, one in zip(weights, made, strict=True)]}[goal]
    return max(each) if goal == "worst" else math.fsum(each)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("goal", ["variance", "absolute", "worst"])
@pytest.mark.parametrize("total", [0.05, 1.5, 12.0])
def test_a_split_spends_all_and_no_other_is_better(noise, goal, total):
    weights, moves = np.array([1.0, 3.0, 0.2]), np.array([1.0, 2.0, 5.0])
    shares = plan.split(weights, moves, total, goal, noise)
    size = math.hypot(*shares) if noise == "gaussian" else math.fsum(shares)
    assert size == pytest.approx(total, rel=1e-14)
    best = loss_of(noise, goal, weights, moves, shares)

    def other(logs):
        parts = np.exp(np.append(logs, 0.0))
        return math.log(loss_of(noise, goal, weights, moves, total * (
            parts / math.hypot(*parts) if noise == "gaussian" else parts / parts.sum())))

    start = np.log(shares[:-1] / shares[-1])
    lowest = math.exp(minimize(other, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13}).fun)
    assert best <= lowest * (1 + 1e-12)
    for i, j in itertools.permutations(range(3), 2):  # a little from one to another is worse
        moved = shares.copy()
        moved[i] *= 1 - 1e-3
        rest = (math.sqrt(moved[j]**2 + shares[i]**2 - moved[i]**2) if noise == "gaussian"
                else moved[j] + shares[i] - moved[i])
        moved[j] = rest
        assert loss_of(noise, goal, weights, moves, moved) > best


def test_a_geometric_split_is_that_of_laplace_noise_where_epsilon_is_small_and_not_where_it_is_large():
    given_ = ([1.0, 3.0, 0.2], [1, 2, 5])
    small, large = (plan.split(*given_, total, "variance", "geometric")
                    / plan.split(*given_, total, "variance", "laplace") for total in (0.05, 12.0))
    assert small == pytest.approx(np.ones(3), rel=1e-5)
    assert abs(large - 1).max() > 1e-2


@given(logs=st.lists(st.floats(-200, 200), min_size=1, max_size=6), total=st.sampled_from([1e-6, 1.0, 700.0]),
       noise=st.sampled_from(NOISES), goal=st.sampled_from(["variance", "absolute", "worst"]))
def test_a_split_of_any_weights_is_all_of_the_total(logs, total, noise, goal):
    shares = plan.split(np.exp(logs), [1.0] * len(logs), total, goal, noise)
    assert (shares >= 0).all()
    assert (math.hypot(*shares) if noise == "gaussian" else math.fsum(shares)) == pytest.approx(total, rel=1e-12)
    order = np.argsort(logs, kind="stable")
    assert (np.diff(shares[order]) >= -1e-9 * total).all()


def test_disjoint_groups_cost_the_greatest_or_the_two_greatest():
    assert plan.parallel([0.1, 0.5, 0.3], "add or remove") == 0.5
    assert plan.parallel([0.1, 0.5, 0.3], "move") == pytest.approx(0.8)
    assert plan.parallel_mu([0.3, 0.1, 0.4], "move") == pytest.approx(0.5)
    assert plan.parallel_mu([0.3, 0.1, 0.4], "add or remove") == 0.4
    assert plan.parallel(0.2, "move") == plan.parallel_mu([0.2], "move") == 0.2


# ε and δ


@given(log_mu=st.floats(-9, 2), log_delta=st.floats(-300, -0.01))
def test_the_epsilon_of_a_mu_needs_that_delta(log_mu, log_delta):
    mu, delta = math.exp(log_mu), math.exp(log_delta)
    epsilon = plan.epsilon_of_mu(mu, delta)
    law = laws.Shifted(mu)
    if epsilon == 0:
        assert law.delta_at(0.0) <= delta
    else:
        assert law.delta_at(epsilon * (1 + 1e-9)) <= delta
        assert law.delta_at(epsilon * (1 - 1e-9)) >= delta
    assert plan.mu_left(1.0, delta, []) == pytest.approx(plan.mu_left(1.0, delta, [0.0]))


def test_ends_of_epsilon_and_mu():
    assert plan.epsilon_of_mu([0.0, 1.0, 1.0], [0.0, 0.0, 1.0]).tolist() == [0.0, math.inf, 0.0]
    assert plan.mu_left(0.0, 0.1, []) == pytest.approx(float(2 * math.sqrt(2) * mpmath.erfinv(mpmath.mpf(0.1))))
    assert plan.mu_left(1.0, 1e-6, [10.0]) == 0.0
    assert plan.mu_left(1.0, 1e-6, [plan.mu_left(1.0, 1e-6, []) * 1.2]) == 0.0


@given(epsilon=st.floats(0.1, 4), log_delta=st.floats(-25, -3), part=st.floats(0.1, 0.95))
@settings(max_examples=15)
def test_what_is_left_is_used_up_by_what_it_buys(epsilon, log_delta, part):
    delta = math.exp(log_delta)
    most = plan.mu_left(epsilon, delta, [])
    spent = [most * part * 0.6, most * part * 0.8]
    more = plan.mu_left(epsilon, delta, spent)
    assert laws.Shifted(math.hypot(more, *spent)).delta_at(epsilon) == pytest.approx(delta, rel=1e-9)
    loss = plan.laplace_left(most * part, epsilon, delta)
    assert plan.mixed_delta([loss], most * part, epsilon) <= delta * (1 + 1e-12)
    assert plan.mixed_delta([loss * (1 + 1e-9)], most * part, epsilon) > delta
    assert plan.laplace_left(most * 1.001, epsilon, delta) == 0.0
    alone = plan.laplace_left(0.0, epsilon, delta)
    assert Mixed((alone,)).delta_at(epsilon) == pytest.approx(delta, rel=1e-6)


def test_delta_of_a_mix_may_be_asked_of_arrays():
    at = np.array([[0.0, 0.5], [1.0, 2.0]])
    assert plan.mixed_delta([0.5], 0.4, at).shape == (2, 2)
    assert plan.mixed_delta([], 0.4, 0.3) == laws.Shifted(0.4).delta_at(0.3)
    assert plan.mixed_delta([], 0.0, 0.3) == 0.0


# Releases


@pytest.mark.parametrize("release", OF_ALL_KINDS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("noise", NOISES)
def test_a_release_is_as_exact_as_wanted_at_its_cost_and_not_below(release, noise):
    cost = release.cost(noise)
    assert release.error(noise, cost) == pytest.approx(release.wanted, rel=1e-9)
    assert release.error(noise, cost * 0.9) > release.wanted
    assert release.cost(noise, 2.0) < cost < release.cost(noise, 0.5)
    law = release.law(noise, cost)
    if noise == "gaussian" and law.mu:
        assert law.mu == cost
    else:
        assert law.largest_loss == pytest.approx(epsilon_of_strength(noise, cost), rel=1e-12)


@given(half_width=st.one_of(st.integers(1, 10**6).map(float), st.floats(0.01, 1e6)),
       factor=st.one_of(st.floats(1e-3, 1e3), st.integers(1, 999).map(lambda n: 1 / n), st.integers(1, 999).map(float)))
def test_a_cost_for_any_part_of_a_want_has_at_most_that_error_with_whole_noise_too(half_width, factor):
    of_numbers = (PlannedNumber(half_width), PlannedTable(half_width=half_width, cells=4, per_person=2))
    for release in (*of_numbers, PlannedDecision(max(half_width, 1.0))):
        for noise in NOISES:
            cost = release.cost(noise, factor)
            if math.isinf(cost):  # no whole number is so near
                assert (type(release), noise) == (PlannedDecision, "geometric")
                assert release.wanted * factor < 1
                continue
            assert release.error(noise, cost) <= release.wanted * factor * (1 + 1e-9)
            if noise == "geometric":
                assert release.error(noise, cost * (1 - 1e-6)) > release.wanted * factor - 1
                assert release.smooth_cost(noise, factor) <= cost * (1 + 1e-12)
    assert PlannedNumber(30.0).cost("geometric", 1 / 0.3) == PlannedNumber(100.0).cost("geometric")


@pytest.mark.parametrize(("noise", "make"), [("laplace", LaplaceNoise), ("gaussian", GaussianNoise)])
def test_a_table_is_within_its_half_width_all_at_once(noise, make):
    for neighbours, moved in (("add or remove", 3), ("move", 6)):
        cells = PlannedTable(half_width=20.0, cells=10, per_person=3, confidence=0.9, neighbours=neighbours)
        assert cells.moved == moved
        scale = (moved if noise == "laplace" else math.sqrt(moved)) / cells.cost(noise)
        assert (1 - 2 * make(scale).tail(20.0))**10 == pytest.approx(0.9, rel=1e-12)
    noise_ = GeometricNoise(PlannedTable(half_width=20.0, cells=10, confidence=0.9).cost("geometric"))
    assert (1 - 2 * noise_.tail(21))**10 == pytest.approx(0.9, rel=1e-10)
    wide = PlannedTable(half_width=20.0, cells=2, per_person=9)
    assert wide.moved == 2
    assert wide.law("laplace", 1.0) == Mixed((0.5, 0.5))
    assert wide.law("geometric", 1.0) == Mixed((), 0.0, (0.5, 0.5))


def test_a_decision_is_right_from_its_half_band_on():
    decision = PlannedDecision(7.0, confidence=0.9)
    assert LaplaceNoise(1 / decision.cost("laplace")).tail(7.0) == pytest.approx(0.1, rel=1e-12)
    assert GaussianNoise(1 / decision.cost("gaussian")).tail(7.0) == pytest.approx(0.1, rel=1e-12)
    noise = GeometricNoise(decision.cost("geometric"))
    assert noise.tail(7) == pytest.approx(0.1, rel=1e-12)
    assert decision.is_exact("geometric")
    assert not decision.is_exact("laplace")


def flips(scores, eta):
    """Probabilities of permute-and-flip by its integral."""
    p = np.exp(-eta * (max(scores) - np.array(scores)))
    t = (np.polynomial.legendre.leggauss(40)[0] + 1) / 2
    weights = np.polynomial.legendre.leggauss(40)[1] / 2
    rest = [np.prod([1 - p[j] * t for j in range(p.size) if j != i], axis=0) @ weights for i in range(p.size)]
    return p * np.array(rest)


@pytest.mark.parametrize("candidates", [2, 3, 12])
def test_a_selection_is_wrong_as_its_integral_says(candidates):
    for z in (0.0, 0.3, 2.0, 9.0, 40.0):
        right = flips([z] + [0.0] * (candidates - 1), 1.0)[0]
        assert wrong(z, candidates) == pytest.approx(1 - right, rel=1e-12 if z < 9 else 1e-1, abs=1e-15)
    assert wrong(60.0, 2) == pytest.approx(math.exp(-60) / 2, rel=1e-13, abs=0)
    chosen = PlannedSelection(candidates, 4.0, 0.9, 2.0, True)
    assert 1 - flips([4.0] + [0.0] * (candidates - 1), chosen.cost("laplace") / 2.0)[0] == pytest.approx(0.1, rel=1e-10)
    assert PlannedSelection(candidates, 4.0, 0.9, 2.0).cost("laplace") == pytest.approx(2 * chosen.cost("laplace"))
    assert PlannedSelection(candidates, 4.0, 0.4 / candidates).cost("gaussian") == 0.0


@pytest.mark.parametrize("candidates", [2, 3, 10**6, 10**9])
def test_a_selection_has_a_cost_however_rarely_it_may_be_wrong_and_an_error_however_small_its_epsilon(candidates):
    with mpmath.workdps(60):
        for z in (5e-324, 1e-17, 1e-9, 1e-3):
            p = mpmath.exp(-mpmath.mpf(z))
            exact = 1 - (1 - (-mpmath.expm1(-mpmath.mpf(z)))**candidates) / (candidates * p)
            assert wrong(z, candidates) == pytest.approx(float(exact), rel=1e-12)
    chosen, costs = PlannedSelection(candidates, 3.0, 0.9, 1.0, True), []
    for factor in (1.0, 1e-5, 1e-30, 1e-300, 5e-324):
        costs.append(chosen.cost("laplace", factor))
        if factor > 1e-200:
            assert chosen.error("laplace", costs[-1]) == pytest.approx(0.1 * factor, rel=1e-9)
    far = math.log((candidates - 1) / 2) - math.log(0.1) - np.log([1e-30, 1e-300, 5e-324])
    assert np.array(costs[2:]) * 3 == pytest.approx(far, rel=1e-12)
    assert np.isfinite([chosen.cost("gaussian", factor) for factor in (1.0, 1e-300)]).all()


def test_a_selection_without_epsilon_is_wrong_by_chance_and_nothing_else_is_near():
    whole = ReleasePlan((PlannedSelection(2, 10.0, 0.4), PlannedSelection(4, 10.0, 0.2)), "gaussian")
    assert whole.costs().tolist() == [0.0, 0.0]
    assert whole.errors([0.0, 0.0]).tolist() == [0.5, 0.75]
    assert whole.worst_ratio(whole.costs()) < 1
    assert ReleasePlan((PlannedRegret(4, 1.0), PlannedResponse(9, 0.1)), "laplace").errors([0.0, 0.0]).tolist() == [
        math.inf, math.inf]


def test_no_scores_have_a_greater_regret_than_equal_ones():
    rng = np.random.default_rng(1)
    for candidates in (2, 4, 7):
        most = worst_regret(candidates)
        for _ in range(200):
            behind = rng.exponential(rng.choice([0.5, 1.0, 3.0]), candidates - 1)
            scores = np.append(0.0, -behind)
            assert flips(scores, 1.0) @ -scores <= most * (1 + 1e-12)
        z = np.linspace(0, 8, 2001)
        assert most == pytest.approx(max(x * wrong(x, candidates) for x in z), rel=1e-6)


def test_a_survey_is_as_near_as_draws_are():
    release = PlannedResponse(2000, 0.05, confidence=0.9)
    epsilon = release.cost("laplace")
    assert release.how == "estimate"
    rng = np.random.default_rng(2)
    p = 1 / (1 + math.exp(-epsilon))
    yes = rng.binomial(700, p, 200_000) + rng.binomial(1300, 1 - p, 200_000)
    share = (yes / 2000 - (1 - p)) / (2 * p - 1)
    assert np.mean(np.abs(share - 0.35) <= 0.05) == pytest.approx(0.9, abs=6e-3)


@pytest.mark.parametrize(("n", "half_width"), [(1, 0.4), (30, 0.03), (30, 0.3), (400, 0.05), (5000, 0.02)])
@pytest.mark.parametrize("confidence", [0.6, 0.95, 0.999])
def test_the_half_width_of_a_survey_lies_between_its_ends_whatever_share_is_true(n, half_width, confidence):
    release = PlannedResponse(n, half_width, confidence=confidence)
    for noise in NOISES:
        for strength in (release.cost(noise), 0.3 * release.cost(noise), 3 * release.cost(noise)):
            low, high = release.error_ends(noise, strength)
            assert low <= release.error(noise, strength) <= high
            p, q = (1 / (1 + math.exp(side * epsilon_of_strength(noise, strength))) for side in (-1, 1))
            for k in {0, n // 7, n // 2, n}:  # so many of them have it
                truth = np.convolve(binomials(k, p, q), binomials(n - k, q, p))
                off = np.abs((np.arange(n + 1) / n - q) / (p - q) - k / n)
                order = np.argsort(off)
                exact = off[order][np.searchsorted(np.cumsum(truth[order]), confidence)]
                assert low * (1 - 1e-9) <= exact <= high * (1 + 1e-9)
    wide = PlannedResponse(10**7, 0.001, confidence=confidence)
    low, high = wide.error_ends("laplace", wide.cost("laplace"))
    assert 0.9 * wide.half_width < low < high < 1.2 * wide.half_width


def binomials(n, p, q):
    """The chance of each number of yeses."""
    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * math.log(p) + (n - k) * math.log(q))


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 2.0, 15.0, 60.0])
def test_the_mu_of_an_epsilon_is_the_least_that_hides_as_much(epsilon):
    mu = mu_of_epsilon(epsilon)
    assert epsilon_of_strength("gaussian", mu) == pytest.approx(epsilon, rel=1e-9)
    alpha = np.append(np.geomspace(1e-12, 0.5, 40), 1 / (1 + math.exp(epsilon)))
    pure, bell = laws.Claim(epsilon, 0.0), laws.Shifted(mu)
    assert (np.asarray(bell.trade_off(alpha)) <= np.asarray(pure.trade_off(alpha)) * (1 + 1e-9) + 1e-16).all()
    assert bell.trade_off(alpha[-1]) == pytest.approx(float(pure.trade_off(alpha[-1])), rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-300, 1e-15, 1e-9, 1e-3, 0.999999, 1.000001, 7.0, 80.0, 699.0, 701.0, 1e4, 1e12])
def test_a_mu_loses_no_digit_of_a_small_epsilon_and_a_large_one_has_one_too(epsilon):
    mu = mu_of_epsilon(epsilon)
    with mpmath.workdps(330 if epsilon < 1e-200 else 40):  # tanh(ε/2) is erf(μ/√8), and both lack as much to 1
        if epsilon < 40:
            exact = mpmath.sqrt(8) * mpmath.erfinv(mpmath.tanh(mpmath.mpf(epsilon) / 2))
        else:
            exact = mpmath.findroot(lambda m: mpmath.log(mpmath.erfc(m / mpmath.sqrt(8)) / 2) + mpmath.mpf(epsilon)
                                    + mpmath.log1p(mpmath.exp(-mpmath.mpf(epsilon))), mu)
    assert mu == pytest.approx(float(exact), rel=1e-13, abs=0)
    assert epsilon_of_strength("gaussian", mu) == pytest.approx(epsilon, rel=1e-12, abs=0)


def test_a_mu_rises_with_its_epsilon_and_is_finite_where_that_is():
    at = np.concatenate([np.geomspace(1e-320, 1e300, 4001), 1 + np.arange(-50, 51) * 2.0**-52,
                         1 + np.linspace(-1e-9, 1e-9, 101)])
    mus = np.array([mu_of_epsilon(float(e)) for e in np.sort(at)])
    assert np.isfinite(mus).all()
    assert (np.diff(mus) >= 0).all()
    assert math.isinf(mu_of_epsilon(math.inf))


# Whole plans


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("neighbours", ["add or remove", "move"])
def test_a_plan_adds_up_over_times_and_takes_the_greatest_of_groups(noise, neighbours):
    whole = ReleasePlan(OF_ALL_KINDS, noise, neighbours)
    costs = whole.costs()
    power = 2 if noise == "gaussian" else 1
    parts = [each.times * cost**power for each, cost in zip(OF_ALL_KINDS, costs, strict=True)]
    groups = sorted(parts[2:5])[-(2 if neighbours == "move" else 1):]
    assert whole.least == pytest.approx((sum(parts[:2] + parts[5:]) + sum(groups))**(1 / power), rel=1e-13)
    assert whole.worst_ratio(costs) == pytest.approx(1.0, rel=1e-9)
    even = whole.even(whole.least)
    assert len(set(even.tolist())) == 1
    assert whole.total(even) == pytest.approx(whole.least, rel=1e-13)
    best = whole.best(whole.least * 0.7)
    assert whole.total(best) == pytest.approx(whole.least * 0.7, rel=1e-12)
    assert whole.worst_ratio(best) < whole.worst_ratio(costs * 0.7)
    if noise != "geometric":
        assert whole.ratios(best) == pytest.approx(np.full(len(costs), whole.worst_ratio(best)), rel=1e-9)
        assert whole.best(whole.least) == pytest.approx(costs, rel=1e-9)
    assert whole.left(whole.least, costs) == pytest.approx(0.0, abs=1e-7)
    left = whole.left(whole.least * 1.25, costs)
    assert left == pytest.approx(whole.least * (0.75 if noise == "gaussian" else 0.25), rel=1e-12)
    assert whole.left(whole.least / 2, costs) == 0.0
    assert whole.errors(costs * 0).tolist() == [
        1 - 1 / each.candidates if isinstance(each, PlannedSelection) else math.inf for each in OF_ALL_KINDS]


@pytest.mark.parametrize("delta", [0.0, 1e-12, 1e-6, 0.01])
def test_that_the_least_of_the_worst_pair_or_of_the_tightest_bound_is_that_of_one_though_not_all_are_looked_for(delta):
    for laws_of in itertools.permutations((Mixed((0.4,) * 3, 0.5), Mixed((0.1,) * 9, 0.6, (0.2,)),
                                           Mixed((), 0.7, (0.3,), 1e-9), laws.Claim(9.0, 0.0))):
        least = [law.epsilon_at(delta) for law in laws_of]
        worst, tightest = plan.WorstPair(laws_of), laws.Tightest(laws_of)
        assert worst.epsilon_at(delta) == max(least)
        assert tightest.epsilon_at(delta) == min(least)
        for epsilon in [1e-3, 3.0, 1e3, *(each for each in least if 0 < each < math.inf)]:
            assert worst.is_more_than_enough(epsilon, delta) in (None, max(least) < epsilon)
            assert tightest.is_more_than_enough(epsilon, delta) in (None, min(least) < epsilon)
        if delta == 1e-6:
            assert (worst.is_more_than_enough(1e3, delta), tightest.is_more_than_enough(1e-3, delta)) == (True, False)


@pytest.mark.parametrize("noise", NOISES)
def test_the_law_of_a_plan_is_that_of_whoever_is_told_most_of(noise):
    releases = (PlannedNumber(30.0, times=3), PlannedNumber(90.0, group="c"), PlannedNumber(50.0, group="a"),
                PlannedNumber(25.0, group="b"))
    at, alpha = np.linspace(0, 0.8, 9), np.array([1e-4, 0.1, 0.4, 0.8])
    for neighbours in ("add or remove", "move"):
        whole = ReleasePlan(releases, noise, neighbours)
        costs = whole.costs()
        law, kind = whole.law(costs)
        everybody = releases[0].law(noise, costs[0]).after(3)
        each = [one.law(noise, cost) for one, cost in zip(releases[1:], costs[1:], strict=True)]
        if neighbours == "move":
            each = [one.beside(other) for one, other in itertools.combinations(each, 2)]
        worst = np.max([everybody.beside(one).delta_at(at) for one in each], axis=0)
        assert kind == ("bound" if neighbours == "move" else "exact")  # who moves is counted among everybody as before
        assert law.delta_at(at) == pytest.approx(worst, rel=1e-12, abs=1e-17)
        assert law.trade_off(alpha) == pytest.approx(np.min([everybody.beside(one).trade_off(alpha) for one in each],
                                                            axis=0), rel=1e-9)
        assert law.power(alpha) == pytest.approx(1 - np.asarray(law.trade_off(alpha)), rel=1e-9)
        assert law.both_ways
        if noise != "gaussian":
            assert law.largest_loss == pytest.approx(whole.least, rel=1e-12)
            assert law.epsilon_at(1e-5) < whole.least
        else:
            assert law.epsilon_at(1e-5) == pytest.approx(plan.epsilon_of_mu(whole.least, 1e-5), rel=1e-9)
    alone, kind = ReleasePlan((PlannedNumber(30.0), PlannedNumber(40.0, sensitivity=2)), "geometric").law([0.1, 0.2])
    assert isinstance(alone, Mixed)
    assert kind == "bound"
    many, kind = ReleasePlan((PlannedNumber(1.0, times=10**8),), "laplace").law([1e-6])
    assert kind == "bound"
    assert many.delta_at(100.0) == pytest.approx(0.0, abs=1e-12)
    assert many.delta_at(0.0) >= laws.Shifted(1e4 * 1e-6).delta_at(0.0) * (1 - 1e-9)


def moved_cells(tables, counts):
    """For each kind of neighbours how many cells, or counts, of each release change: who moves within, or leaves."""
    names = {group for _, _, group in (*tables, *((1, 1, group) for group in counts))}
    for one in names:
        yield [min(cells, 2 * most) * (group == one) for cells, most, group in tables] + [0 for _ in counts]
        yield [min(cells, most) * (group == one) for cells, most, group in tables] + [int(g == one) for g in counts]
    for both in itertools.combinations(names, 2):
        yield [min(cells, most) * (group in both) for cells, most, group in tables] + [int(g in both) for g in counts]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("tables", "counts", "kind"), [
    ([(2, 1, "1"), (2, 1, "2")], [], "exact"), ([(3, 2, "1"), (9, 2, "2"), (4, 1, "3")], ["3"], "bound"),
    ([(3, 2, "1"), (9, 2, "2")], ["3", "4"], "exact"), ([(9, 2, "1"), (5, 1, "1")], [], "exact"),
    ([(9, 2, "1")], ["1"], "bound"), ([(6, 3, "1"), (6, 3, "2"), (6, 3, "2")], [], "exact")])
def test_whoever_leaves_a_table_for_another_moves_half_as_many_cells_of_each(noise, tables, counts, kind):
    releases = [PlannedTable(half_width=5.0, cells=cells, per_person=most, neighbours="move", group=group)
                for cells, most, group in tables] + [PlannedNumber(7.0, group=group) for group in counts]
    whole = ReleasePlan(tuple(releases), noise, "move")
    costs, power = whole.costs(), 2 if noise == "gaussian" else 1
    of_cell = [cost**power / (one.moved if isinstance(one, PlannedTable) else 1)
               for one, cost in zip(releases, costs, strict=True)]
    law, found = whole.law(costs)
    assert found == kind
    at, worst, most = np.linspace(0, 3, 7), np.zeros(7), 0.0
    for cells in moved_cells(tables, counts):
        each = [one for one, times in zip(of_cell, cells, strict=True) for _ in range(times)]
        one = {"gaussian": Mixed((), math.sqrt(math.fsum(each))), "laplace": Mixed(tuple(each)),
               "geometric": Mixed((), 0.0, tuple(each))}[noise]
        worst, most = np.maximum(worst, one.delta_at(at)), max(most, math.fsum(each))
    if kind == "exact":
        assert law.delta_at(at) == pytest.approx(worst, rel=1e-9, abs=1e-15)
        assert whole.total(costs) == pytest.approx(most ** (1 / power), rel=1e-12)
    else:
        assert (np.asarray(law.delta_at(at)) >= worst * (1 - 1e-9)).all()
        assert whole.total(costs) >= most ** (1 / power) * (1 - 1e-12)


# What is refused


@pytest.mark.parametrize(("ask", "said"), [
    (lambda: plan.least_total([-1.0], [1.0], 0.9, "laplace"), r"^half_widths must be in \(0, ∞\), got -1\.0$"),
    (lambda: plan.least_total([0.0], [1.0], 0.9, "gaussian"), r"^half_widths must be in \(0, ∞\), got 0\.0$"),
    (lambda: plan.least_total([1.0], [0.0], 0.9, "laplace"), r"^sensitivities must be in \(0, ∞\)"),
    (lambda: plan.least_total([1.0], [1.5], 0.9, "geometric"), r"^sensitivities must be an integer in"),
    (lambda: plan.least_total([1.0], [1.0], 1.0, "laplace"), r"^confidence must be in \(0, 1\), got 1\.0$"),
    (lambda: plan.least_total([math.nan], [1.0], 0.9, "laplace"), r"^half_widths must be"),
    (lambda: plan.least_total([1.0], [1.0], 0.9, "cauchy"), r"^noise must be one of laplace, geometric, gaussian"),
    (lambda: plan.split([1.0], [1.0], 0.0, "worst", "laplace"), r"^total must be in \(0, ∞\), got 0\.0$"),
    (lambda: plan.split([0.0], [1.0], 1.0, "worst", "laplace"), r"^weights must be in \(0, ∞\)"),
    (lambda: plan.split([], [], 1.0, "worst", "laplace"), r"^weights must be one for each of some releases"),
    (lambda: plan.split([1.0], [1.0], 1.0, "median", "laplace"), r"^goal must be one of variance, absolute, worst"),
    (lambda: plan.split([1.0], [1.5], 1.0, "worst", "geometric"), r"^sensitivities must be an integer in"),
    (lambda: plan.parallel([], "move"), r"^epsilons must be of one group at least"),
    (lambda: plan.parallel([-1.0], "move"), r"^epsilons must be in \[0, ∞\)"),
    (lambda: plan.parallel_mu([1.0], "replace"), r"^neighbours must be one of add or remove, move"),
    (lambda: plan.mixed_delta([-0.1], 1.0, 1.0), r"^laplace must be in \[0, ∞\), got -0\.1$"),
    (lambda: plan.mixed_delta([0.1], -1.0, 1.0), r"^mu must be in \[0, ∞\), got -1\.0$"),
    (lambda: plan.mixed_delta([0.1], 1.0, -1.0), r"^epsilon must be in \[0, ∞\), got -1\.0$"),
    (lambda: plan.epsilon_of_mu(-1.0, 0.1), r"^mu must be in \[0, ∞\)"),
    (lambda: plan.epsilon_of_mu(1.0, 1.5), r"^delta must be in \[0, 1\]"),
    (lambda: plan.mu_left(1.0, 0.0, []), r"^delta must be in \(0, 1\), got 0\.0$"),
    (lambda: plan.mu_left(1.0, 0.1, [-1.0]), r"^spent must be in \[0, ∞\)"),
    (lambda: plan.laplace_left(1.0, 1.0, 1.0), r"^delta must be in \[0, 1\), got 1\.0$"),
    (lambda: plan.laplace_left(-1.0, 1.0, 0.1), r"^mu must be in \[0, ∞\)"),
    (lambda: PlannedNumber(0.0), r"^half_width must be in \(0, ∞\), got 0\.0$"),
    (lambda: PlannedNumber(1.0, 0.0), r"^sensitivity must be in \(0, ∞\)"),
    (lambda: PlannedNumber(1.0, times=0), r"^times must be an integer in"),
    (lambda: PlannedNumber(1.0, 1.5).cost("geometric"), r"^sensitivity must be an integer in"),
    (lambda: PlannedTable(half_width=1.0, cells=0), r"^cells must be an integer in"),
    (lambda: PlannedTable(half_width=1.0, cells=3, neighbours="replace"), r"^neighbours must be one of"),
    (lambda: PlannedDecision(3.0, 0.5), r"^confidence must be in \(0\.5, 1\), got 0\.5$"),
    (lambda: PlannedDecision(0.5).cost("geometric"), r"^band must be at least 1 with geometric noise, got 0\.5$"),
    (lambda: PlannedSelection(1, 3.0), r"^candidates must be an integer in"),
    (lambda: PlannedRegret(3, math.nan), r"^regret must be in"),
    (lambda: PlannedResponse(0, 0.1), r"^n must be an integer in"),
    (lambda: ReleasePlan((), "laplace"), r"^releases must be a list of one release at least"),
    (lambda: ReleasePlan((PlannedNumber(1.0),), "cauchy"), r"^noise must be one of"),
    (lambda: ReleasePlan((PlannedNumber(1.0),), "laplace").total([1.0, 2.0]), r"^strengths must be 1 numbers"),
    (lambda: ReleasePlan((PlannedNumber(1.0),), "laplace").total([-1.0]), r"^strengths must be in \[0, ∞\)"),
    (lambda: ReleasePlan((PlannedNumber(1.0),), "laplace").best(0.0), r"^total must be in \(0, ∞\)")])
def test_what_is_no_plan_is_refused(ask, said):
    with pytest.raises(InvalidParameter, match=said):
        ask()
