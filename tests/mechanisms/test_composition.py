"""Composition: enumeration, mpmath, and guarantees that cannot be beaten."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import composition, losses
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.mechanisms.releases import Together

epsilons = st.floats(-20.7, 3.9).map(math.exp)  # 1e-9 … 50


def enumerated(steps, epsilon) -> float:
    """δ of unlike randomized responses, a sum over every pattern of truths and lies."""
    with mpmath.workdps(40):
        truths = [1 / (1 + mpmath.exp(-mpmath.mpf(e))) for e in steps]
        total = mpmath.mpf(0)
        for signs in itertools.product((1, -1), repeat=len(steps)):
            loss = mpmath.fsum(sign * mpmath.mpf(e) for sign, e in zip(signs, steps, strict=True))
            if loss > epsilon:
                mass = mpmath.fprod(t if sign > 0 else 1 - t for sign, t in zip(signs, truths, strict=True))
                total -= mass * mpmath.expm1(mpmath.mpf(epsilon) - loss)
        return float(total)


@given(steps=st.lists(epsilons, min_size=1, max_size=7), part=st.floats(0, 1))
@example(steps=[math.e, math.exp(2), math.exp(3.5)], part=1.0)
def test_that_unlike_responses_are_what_enumeration_says(steps, part):
    # At the sum of all steps δ is what the sum's own rounding leaves, and every digit of it counts.
    epsilon = part * math.fsum(steps)
    assert composition.responses(steps, epsilon) == pytest.approx(enumerated(steps, epsilon), rel=1e-12, abs=0)


def test_that_no_delta_is_needed_at_the_sum_of_the_steps_as_they_are_written():
    for steps, total in (([0.1, 0.2, 0.4], 0.7), ([0.7, 0.1], 0.8), ([1.1, 2.2], 3.3)):
        assert composition.responses(steps, total) == 0.0
        assert composition.responses(steps, math.nextafter(total, 0)) > 0.0


@given(hundredths=st.lists(st.integers(0, 200), min_size=1, max_size=8), part=st.floats(0, 1))
def test_that_round_steps_are_what_enumeration_says(hundredths, part):
    steps = [h / 100 for h in hundredths]
    epsilon = part * math.fsum(steps)
    # The enumeration adds the doubles, and these steps are the decimals that are written: a rounding of each apart.
    expected = enumerated(steps, epsilon)
    assert composition.responses(steps, epsilon) == pytest.approx(expected, rel=1e-9, abs=1e-15 * (1 + sum(steps)))


def test_that_a_thousand_round_steps_and_thirty_uneven_ones_are_exact():
    mixed = np.repeat([0.01, 0.02, 0.05], [500, 300, 200])
    # Two of the halves apart, and the second's law moved by each loss of the first.
    few = composition.responses(mixed[-8:], 0.1)
    assert few == pytest.approx(enumerated(mixed[-8:].tolist(), 0.1), rel=1e-12)
    whole = composition.responses(mixed, np.array([0.5, 1.0, 2.0]))
    # A grain of dust takes the steps off their common unit, and so through the other way of summing.
    dusty = composition.responses(np.append(mixed, 1e-13), np.array([0.5, 1.0, 2.0]))
    assert whole == pytest.approx(dusty, rel=1e-9)
    uneven = np.random.default_rng(0).uniform(0.01, 0.5, 30)
    sd = math.sqrt((uneven**2).sum())
    near = GaussianNoise(1 / sd).delta_at(1.0)
    assert composition.responses(uneven, 1.0) == pytest.approx(near, rel=0.05)


def test_that_steps_with_too_many_sums_are_refused():
    with pytest.raises(InvalidParameter, match="epsilons must be about 40 values at most, or multiples of one unit"):
        composition.responses(np.random.default_rng(0).uniform(0.01, 1, 60), 1.0)


@given(epsilon=st.floats(0.01, 3), delta=st.floats(0, 0.3), k=st.integers(1, 4), slack=st.floats(0, 1))
def test_that_optimal_is_the_worst_of_all_mechanisms_with_the_guarantee(epsilon, delta, k, slack):
    total, spent = composition.optimal(epsilon, delta, k, slack)
    bound = -math.expm1(k * math.log1p(-delta) + (math.log1p(-slack) if slack < 1 else -math.inf))
    assert spent <= bound + 1e-15
    assert 0 <= total <= k * epsilon
    # The canonical mechanism, of four outcomes: tells all with probability δ, else answers at random.
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    p, q = [delta, truth, 1 - delta - truth, 0], [0, 1 - delta - truth, truth, delta]
    needed = sum(max(math.prod(p[i] for i in o) - math.exp(total) * math.prod(q[i] for i in o), 0)
                 for o in itertools.product(range(4), repeat=k))
    assert needed == pytest.approx(spent, abs=1e-12)


@given(epsilon=epsilons, delta=st.floats(0, 1), k=st.integers(1, 10**6), log_slack=st.floats(-690, 0))
def test_that_optimal_is_never_worse_than_basic_or_advanced(epsilon, delta, k, log_slack):
    slack = math.exp(log_slack)
    total, spent = composition.optimal(epsilon, delta, k, slack)
    assert total <= composition.basic(epsilon, delta, k)[0] * (1 + 1e-15)
    literal, given_away = composition.advanced(epsilon, delta, k, slack)
    assert total <= literal
    assert spent <= given_away * (1 + 1e-12)


@given(log_mu=st.floats(-15, 4), k=st.integers(1, 10**6), log_delta=st.floats(-690, -0.01))
def test_that_gaussian_releases_account_for_what_they_were_calibrated_to(log_mu, k, log_delta):
    sigma, delta = math.exp(-log_mu), math.exp(log_delta)
    epsilon = composition.gaussian(sigma, 1.0, k, delta)
    needed = GaussianNoise(sigma).delta_at(epsilon, math.sqrt(k))
    if epsilon == 0:
        assert needed <= delta * (1 + 1e-12)
    else:
        assert needed == pytest.approx(delta, rel=1e-9)


@given(epsilon=st.floats(0.01, 20), log_delta=st.floats(-300, -0.5))
def test_that_gaussian_epsilon_inverts_gaussian_sigma(epsilon, log_delta):
    delta = math.exp(log_delta)
    sigma = GaussianNoise.analytic(epsilon, delta, 2.0).sigma
    assert composition.gaussian(sigma, 2.0, 1, delta) == pytest.approx(epsilon, rel=1e-10)


@given(epsilon=st.floats(1e-9, 3), log_delta=st.floats(-30, -0.1), size=st.integers(1, 60))
def test_that_a_group_is_owed_what_every_mechanism_gives(epsilon, log_delta, size):
    delta = math.exp(log_delta)
    total, spent = composition.group(epsilon, delta, size)
    assert total == size * epsilon
    reached = 0.0  # the steepest decision, from a group that is surely refused
    for _ in range(size):
        reached = min(math.exp(epsilon) * reached + delta, 1 - math.exp(-epsilon) * (1 - reached - delta), 1.0)
    assert spent == pytest.approx(reached, rel=1e-9)
    closed = delta * math.expm1(size * epsilon) / math.expm1(epsilon)
    assert spent <= closed * (1 + 1e-12)
    if closed < (1 - delta) / (1 + math.exp(epsilon)):
        assert spent == pytest.approx(closed, rel=1e-12)


def test_that_the_group_delta_of_the_seed_is_too_small_where_it_counts():
    statement, display = composition.group_as_printed(1.0, 0.01, 2)
    assert display < composition.group(1.0, 0.01, 2)[1] < statement


@given(epsilon=st.floats(0, 800), delta=st.floats(0, 1), alpha=st.floats(0, 1))
def test_that_the_trade_off_of_a_guarantee_is_its_own_mirror_image(epsilon, delta, alpha):
    beta = composition.trade_off(epsilon, delta, alpha)
    assert 0 <= beta <= 1 - alpha
    if beta > 0:
        assert composition.trade_off(epsilon, delta, beta) <= alpha * (1 + 1e-9) + 1e-12


def test_that_releases_that_may_tell_all_have_no_epsilon_left_to_spend():
    assert composition.optimal(1.0, 1.0, 10, 0.1) == composition.optimal(1.0, [1.0], 1, 0.0) == (0.0, 1.0)


def test_that_unlike_steps_add_up_and_shapes_are_kept():
    assert composition.basic([0.1, 0.2, 0.4], [1e-6, 0, 1e-6]) == pytest.approx((0.7, 2e-6), rel=1e-15)
    assert composition.basic([0.1, 0.2], 1e-6, 3) == pytest.approx((0.9, 6e-6), rel=1e-15)
    assert composition.basic(0.1, 0, [1, 2])[0].shape == (2,)
    for pair in (composition.advanced(1, 0, [[1, 2]], 1e-6), composition.optimal(1, 0, [[1, 2]], 1e-6),
                 composition.group(1, 1e-6, [[1, 2]])):
        assert pair[0].shape == pair[1].shape == (1, 2)
    for pair in (composition.basic(1, 0), composition.advanced(1, 0, 2, 0.1), composition.optimal(1, 0, 2, 0.1),
                 composition.group(1, 0.1, 2)):
        assert [type(number) for number in pair] == [float, float]
    assert composition.gaussian([1, 2], 1, 3, [[1e-5], [1e-9]]).shape == (2, 2)
    assert type(composition.gaussian(1, 1, 1, 0.1)) is float
    assert composition.responses([0.1], [[0.0, 1.0]]).shape == (1, 2)
    assert composition.responses([], 0.0) == composition.responses([0.0], 0.0) == 0.0


ANY_EPSILON = st.one_of(st.sampled_from([0.0, 5e-324, 1e-300, 800.0, 1e300, 1.7e308]), st.floats(-700, 7).map(math.exp))
ANY_DELTA = st.one_of(st.sampled_from([0.0, 5e-324, 0.375, 1 - 2**-53, 1.0]), st.floats(-740, 0).map(math.exp))
ANY_K = st.one_of(st.integers(1, 20), st.integers(1, 4000))


@example(epsilon=0.1, delta=0.375, k=1511, slack=1e-6)  # (1 − δ)^k is 1e-308
@example(epsilon=1.7e308, delta=0.375, k=20, slack=0.375)
@example(epsilon=800.0, delta=0.0, k=5, slack=5e-324)
@example(epsilon=1.0, delta=0.0, k=2064, slack=0.0)  # a slope of the trade-off that no double holds
@given(epsilon=ANY_EPSILON, delta=ANY_DELTA, k=ANY_K, slack=ANY_DELTA)
def test_that_no_sum_of_guarantees_overflows_or_is_no_number(epsilon, delta, k, slack):
    # Warnings are errors here, and what no double holds is ∞.
    some, mu = max(slack, 5e-324), max(epsilon, 5e-324)
    alpha = np.array([0.0, 5e-324, 1e-300, 1e-9, 0.5, 1.0])
    worst = composition.WorstReleases(epsilon, delta, k)
    found = [composition.basic(epsilon, delta, k), composition.basic([epsilon, epsilon], delta),
             composition.optimal(epsilon, delta, k, slack), composition.group(epsilon, delta, k),
             composition.group_as_printed(epsilon, delta, k), (worst.delta_at([0.0, 1.0, 1e300]),),
             (worst.trade_off(alpha), composition.trade_off(epsilon, delta, alpha))]
    found += [bound(epsilon, delta, k, some) for bound in (
        composition.advanced, composition.simple, composition.simple_of_small_steps)]
    if 0 < slack < 1:
        found += [(composition.gaussian(1.0, mu, k, slack), composition.gaussian(mu, [mu], k, slack))]
    for numbers in found:
        for each in numbers:
            assert not np.isnan(each).any()
            assert (np.asarray(each) >= 0).all()


def test_that_gaussian_releases_without_enough_noise_have_no_epsilon_and_hardly_any_need_hardly_any():
    assert composition.gaussian(5e-324, 1.7e308, 1, 0.1) == math.inf
    assert composition.gaussian(5e-324, [1.7e308, 1.0], 1, 0.1).tolist() == [math.inf, math.inf]
    alone, among = composition.gaussian(1.0, 5e-324, 2517, 5e-324), composition.gaussian(1.0, [5e-324, 1.0], 2517, 0.1)
    assert 0 <= alone < 1e-300
    assert 0 <= among[0] < 1e-300
    assert among[1] == pytest.approx(composition.gaussian(1.0, 1.0, 2517, 0.1), rel=1e-12)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: composition.basic(-1, 0), r"epsilon must be in \[0, ∞\), got -1"),
    (lambda: composition.basic(1, 0, 0), r"k must be an integer in \[1, 1e9\], got 0"),
    (lambda: composition.advanced(1, 0, 2, 0), r"slack must be in \(0, 1\], got 0"),
    (lambda: composition.optimal(1, 1.5, 2, 0.1), r"delta must be in \[0, 1\], got 1.5"),
    (lambda: composition.optimal(1, 0, 2.5, 0.1), r"k must be an integer in \[1, 1e9\], got 2.5"),
    (lambda: composition.responses([1, math.nan], 1), r"epsilons must be in \[0, ∞\), got nan"),
    (lambda: composition.gaussian(0, 1, 1, 0.1), r"sigma must be in \(0, ∞\), got 0"),
    (lambda: composition.gaussian(1, 1, 1, 0), r"delta must be in \(0, 1\), got 0"),
    (lambda: composition.group(1, 0.1, 0), r"size must be an integer in \[1, 9007199254740992\], got 0"),
    (lambda: composition.group(math.nan, 0.1, 1), r"epsilon must be in \[0, ∞\), got nan"),
    (lambda: composition.trade_off(1, 0, -1), r"alpha must be in \[0, 1\], got -1"),
])
def test_that_what_lies_outside_is_refused_in_one_sentence(call, message):
    with pytest.raises(InvalidParameter, match=message):
        call()


@given(epsilon=st.floats(1e-4, 3), delta=st.sampled_from([0.0, 1e-6, 0.1]), k=st.integers(1, 2000),
       slack=st.floats(-30, -0.1).map(math.exp))
def test_that_the_simple_bounds_lie_between_the_optimum_and_the_advanced_one(epsilon, delta, k, slack):
    least, total = composition.optimal(epsilon, delta, k, slack)
    advanced = composition.advanced(epsilon, delta, k, slack)
    for bound in (composition.simple, composition.simple_of_small_steps):
        found = bound(epsilon, delta, k, slack)
        assert found[0] >= least * (1 - 1e-12)
        assert found[1] == pytest.approx(-math.expm1(k * math.log1p(-delta) + math.log1p(-slack)), rel=1e-12)
        assert found[1] >= total * (1 - 1e-12)
    assert composition.simple(epsilon, delta, k, slack)[0] <= advanced[0]


@example(epsilon=math.exp(2.4375), delta=0.3, k=63, at=0.0)
@given(epsilon=epsilons, delta=st.sampled_from([0.0, 1e-300, 1e-6, 0.3, 1.0]), k=st.integers(1, 300),
       at=st.floats(0, 60))
def test_that_the_worst_releases_have_the_profile_of_their_trade_off(epsilon, delta, k, at):
    worst = composition.WorstReleases(epsilon, delta, k)
    alpha = np.unique(np.concatenate([np.linspace(0, 1, 400), np.geomspace(1e-300, 1, 400)]))
    beta = worst.trade_off(alpha)
    assert (beta >= 0).all()
    assert (beta <= 1 - alpha + 1e-12).all()
    assert (np.diff(beta) <= 1e-15).all()
    assert (1 - beta - np.exp(at) * alpha).max() <= worst.delta_at(at) + 1e-12
    left = beta > 1e-300  # its own inverse, where it has not yet reached 0, or what has lost its digits beside it
    assert (worst.trade_off(beta[left]) <= alpha[left] + 1e-12).all()


@given(epsilon=st.floats(0.01, 6), delta=st.one_of(st.just(0.0), st.floats(-20, -1).map(math.exp)), k=st.integers(1, 4),
       part=st.floats(0, 1.2))
def test_that_no_test_of_the_worst_releases_finds_a_larger_loss_more_often(epsilon, delta, k, part):
    # All four outcomes of every release in order of their ratio, the last that can be paid taken in part.
    at = part * k * epsilon
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    p, q = (delta, truth, 1 - delta - truth, 0.0), (0.0, 1 - delta - truth, truth, delta)
    outcomes = list(itertools.product(range(4), repeat=k))
    power, wrong = (np.array([math.prod(law[i] for i in o) for o in outcomes]) for law in (p, q))
    order = np.argsort(np.divide(-power, wrong, out=np.full(power.shape, -np.inf), where=wrong > 0), kind="stable")
    gain = np.append(0.0, np.cumsum(power[order] - math.exp(at) * wrong[order]))
    power = np.append(0.0, np.cumsum(power[order]))
    found = composition.WorstReleases(epsilon, delta, k).loss_exceeds(at)
    assert 0 <= found <= 1
    if gain.max() <= 1e-12:
        assert found <= 1e-6 or delta > 0 or abs(part - 1) < 1e-6
        return
    last = int(np.flatnonzero(gain > 0)[-1])
    if last + 1 < gain.size:
        power[last] += gain[last] / (gain[last] - gain[last + 1]) * (power[last + 1] - power[last])
    assert found == pytest.approx(power[last], rel=1e-3 if gain.max() < 1e-9 else 1e-6)


@pytest.mark.parametrize(("epsilon", "delta", "k"), [(1.0, 1.0, 3), (0.1, 0.375, 5000), (1e300, 0.0, 2)])
def test_that_releases_that_tell_all_exceed_every_loss(epsilon, delta, k):
    assert composition.WorstReleases(epsilon, delta, k).loss_exceeds(5.0) == 1.0


def test_that_without_delta_no_loss_exceeds_the_sum_of_all():
    assert composition.WorstReleases(0.3, 0.0, 7).loss_exceeds(7 * 0.3) == 0.0
    assert composition.WorstReleases(0.3, 0.0, 7).loss_exceeds(3.0) == 0.0


@given(epsilon=st.floats(0.01, 5), delta=st.floats(0, 0.5), alpha=st.floats(0, 1))
def test_that_one_worst_release_has_the_errors_that_every_one_must_have(epsilon, delta, alpha):
    worst = composition.WorstReleases(epsilon, delta)
    assert worst.trade_off(alpha) == pytest.approx(composition.trade_off(epsilon, delta, alpha), abs=1e-14)
    assert worst.delta_at(epsilon) == pytest.approx(delta, abs=1e-15)


@given(mu=st.floats(-12, 5).map(math.exp), delta=st.floats(-300, -1e-6).map(math.exp))
def test_that_one_gaussian_epsilon_is_that_of_an_array(mu, delta):
    alone = composition.gaussian(1 / mu, 1.0, 1, delta)
    assert alone == pytest.approx(composition.gaussian(1 / mu, 1.0, 1, np.array([delta]))[0], rel=1e-9, abs=1e-300)


LAPLACE_RELEASES = json.loads((Path(__file__).parents[1] / "oracles" / "laplace_releases.json").read_text("utf-8"))


@pytest.mark.parametrize("row", LAPLACE_RELEASES, ids=lambda row: row["id"])
def test_that_releases_with_laplace_noise_stay_below_the_worst_ones(row):
    p = {name: float(given) for name, given in row["params"].items()}
    exact = float(row["value"])
    assert composition.WorstReleases(p["eps"], 0.0, int(p["k"])).delta_at(p["eps_prime"]) > exact
    if p["k"] == 1:
        assert LaplaceNoise.calibrate(p["eps"], 1).delta_at(p["eps_prime"]) == pytest.approx(exact, rel=1e-12)
    # Its losses on a fine grid, each rounded up and so pessimistic, composed by convolution.
    grid = 2e-4
    losses = np.arange(-p["eps"], p["eps"] + grid / 2, grid)
    law = np.diff(np.append(0.0, LaplaceNoise(1 / p["eps"]).cdf((losses / p["eps"] - 1) / 2)))
    law[-1] += 1 - law.sum()
    sums = law
    for _ in range(int(p["k"]) - 1):
        sums = np.convolve(sums, law)
    at = -p["k"] * p["eps"] + grid * np.arange(sums.size)
    found = (sums * -np.expm1(np.minimum(p["eps_prime"] - at, 0))).sum()
    assert exact - 1e-12 <= found <= exact + 3 * p["k"] * grid


@pytest.mark.parametrize("losses", [(100.0,) + (1000 / 3,) * 2, (100.0,) * 8 + (100 / 3,) * 2])
def test_that_losses_of_which_nothing_is_left_in_doubles_are_told_apart_without_a_warning(losses):
    """Whatever error the best test has, it finds no less than one of the greatest loss alone does."""
    of_all = Together(losses)
    alpha = np.array([1e-300, 1e-40, 1e-5, 0.5])
    found, lost = of_all.power(alpha), of_all.trade_off(alpha)
    largest = max(losses)
    alone = np.minimum(np.minimum(alpha * math.exp(largest), 1.0), 1 - math.exp(-largest) * (1 - alpha))
    assert (found >= alone * (1 - 1e-12)).all()
    assert (found <= 1).all()
    assert found == pytest.approx(1 - lost, abs=1e-12)


@given(size=st.sampled_from([1, 2, 3, 40, 900, losses._FEW, losses._FEW + 1]), seed=st.integers(0, 2**32),
       smallest=st.floats(-320, 0), range_=st.floats(0, 3_000))
@example(size=losses._FEW, seed=0, smallest=-320, range_=500)
@example(size=losses._FEW, seed=1, smallest=-320, range_=600)
@example(size=900, seed=2, smallest=-320, range_=3_000)
def test_that_sums_of_what_decays_are_those_of_the_recurrence_however_far_apart_the_terms(size, seed, smallest, range_):
    rng = np.random.default_rng(seed)
    start = 10.0 ** rng.uniform(smallest, 0, (2, size)) * rng.choice([0.0, 1.0], (2, size), p=[0.1, 0.9])
    steps = rng.exponential(size=size)
    decay = np.append(np.exp(-range_ * steps / steps.sum())[1:], 0.0)
    found, exact = losses._backward(start, decay), np.zeros((2, size))
    with mpmath.workdps(40):
        for row in range(2):
            x = mpmath.mpf(0)
            for i in reversed(range(size)):
                x = mpmath.mpf(start[row, i]) + mpmath.mpf(decay[i]) * x
                exact[row, i] = float(x)
    np.testing.assert_allclose(found, exact, rtol=2e-12, atol=5e-323)
