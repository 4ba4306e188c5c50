"""Utility, beliefs, the choice under noisy counts and programmes: enumeration, quadrature, limits."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.policy import Arm, Counted, NoisyChoice, Policy, Programme, Regime, simulate
from dpstudio.models.policy.programme import _Noise

TRUTHFUL = RandomizedResponse.symmetric(math.inf)
CASE = Counted([-1.0], Arm([40], 100), Arm([10], 100))
TWO = Counted([-10.0, -1.0], Arm([30, 50], 100), Arm([10, 20], 100))
MANY = Counted(-np.linspace(5, 1, 5), Arm([30, 35, 40, 45, 50], 100), Arm([4, 5, 6, 7, 8], 80))

symptoms = st.integers(1, 10).flatmap(lambda d: st.tuples(
    *(st.lists(numbers, min_size=d, max_size=d) for numbers in
      (st.floats(-100, 0), st.floats(0, 1), st.floats(0, 1)))))


@given(symptoms, st.floats(0, 50), st.floats(0, 4))
def test_that_expected_utilities_are_sums_over_all_symptom_vectors(case, cost, factor):
    weights, untreated, treated = map(np.array, case)
    policy = Policy(weights, untreated, treated, cost, factor)
    vectors = np.array(list(itertools.product([0, 1], repeat=len(weights))))
    totals = []
    for rates, reward in ((untreated, vectors @ weights), (treated, factor * (vectors @ weights) - cost)):
        chance = np.where(vectors == 1, rates, 1 - rates).prod(axis=1)
        totals.append(float(chance @ reward))
    size = 1e-12 * (1 + cost + 4 * np.abs(weights).sum())
    assert policy.no_action == pytest.approx(totals[0], abs=size)
    assert policy.action == pytest.approx(totals[1], abs=size)
    assert policy.gap == pytest.approx(abs(totals[1] - totals[0]), abs=2 * size)


@pytest.mark.parametrize(("weights", "untreated", "treated", "cost"), [
    ([-10, -1], [0.3, 0.5], [0.15, 0.25], 0.0), ([-1], [0.7], [0.3], 0.1), ([-3], [0.3], [0.1], 0.3),
    ([-1], [0.3], [0.02], 0.26), ([0], [0.5], [0.1], 0.0)])
def test_that_on_a_tie_of_the_decimals_nobody_acts(weights, untreated, treated, cost):
    assert not Policy(weights, untreated, treated, cost).best_action


def test_that_a_gain_that_is_no_rounding_is_acted_upon():
    assert Policy([-1], [0.3], [0.02], 0.26 * (1 - 1e-12)).best_action
    assert not Policy([-1], [0.3], [0.02], 0.26 * (1 + 1e-12)).best_action


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 5.0, math.inf])
def test_that_randomized_decisions_lose_the_gap_as_often_as_they_lie(epsilon):
    policy = Policy([-10, -1], [0.3, 0.5], [0.1, 0.2], 0.5)
    expected = policy.best - policy.gap / (1 + math.exp(epsilon)) if epsilon < math.inf else policy.best
    assert policy.randomized(RandomizedResponse.symmetric(epsilon)) == pytest.approx(expected, rel=1e-14)


def test_that_two_coins_lose_by_the_side_on_which_the_best_action_lies():
    coins = RandomizedResponse.two_coin(0.4, 0.3)
    acting, waiting = Policy([-1], [0.9], [0.1], 0.0), Policy([-1], [0.2], [0.5], 0.0)
    assert acting.randomized(coins) == pytest.approx(acting.action - acting.gap * 0.6 * 0.7, rel=1e-14)
    assert waiting.randomized(coins) == pytest.approx(waiting.no_action - waiting.gap * 0.6 * 0.3, rel=1e-14)


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Policy([-1, 0.5], [0.1, 0.1], [0.1, 0.1], 0), "weights must be in (−∞, 0], got 0.5"),
    (lambda: Policy([-1], [0.1], [0.1], -1), "cost must be in [0, ∞), got -1.0"),
    (lambda: Policy([-1], [1.1], [0.1], 0), "untreated must be in [0, 1], got 1.1"),
    (lambda: Policy([-1], [0.1], [math.nan], 0), "treated must be in [0, 1], got nan"),
    (lambda: Policy([-1], [0.1], [0.1], 0, -2.0), "factor must be in [0, ∞), got -2.0"),
    (lambda: Policy([-1, -1], [0.1], [0.1, 0.1], 0), "untreated must be as many numbers as there are symptoms, 2"),
    (lambda: Policy([], [], [], 0), "weights must be one number for each symptom, got []"),
    (lambda: Arm([7], 5), "sick must be at most the number of people, 5, got 7.0"),
    (lambda: Arm([-1], 5), "sick must be in [0, ∞), got -1.0"),
    (lambda: Arm([1], 0), "people must be an integer in [1, 9007199254740992], got 0"),
    (lambda: Arm([1], 5, 0.0), "prior_sick must be in (0, ∞), got 0.0"),
    (lambda: NoisyChoice(CASE).chances(0.0, 1.0), "epsilon must be in (0, ∞), got 0.0"),
    (lambda: NoisyChoice(CASE).chances(1.0, -1.0), "cost must be in [0, ∞), got -1.0")])
def test_that_bad_input_is_refused_in_one_sentence(make, words):
    with pytest.raises(InvalidParameter) as refusal:
        make()
    assert str(refusal.value).startswith(words)
    assert "\n" not in str(refusal.value)


def test_that_posterior_sds_are_those_of_draws_from_the_posteriors():
    rng = np.random.default_rng(0)
    few = Counted([-10.0, -1.0], Arm([2, 3], 5, 0.5, 2.0), Arm([1, 2], 4, 0.5, 2.0))
    policy = few.policy(0.5)
    for arm, sd, mean, factor in ((few.untreated, few.no_action_sd, policy.no_action, 1),
                                  (few.treated, few.action_sd, policy.action + 0.5, 2)):
        utilities = factor * rng.beta(0.5 + arm.sick, 2 + arm.people - arm.sick, (200_000, 2)) @ few.weights
        assert utilities.std() == pytest.approx(sd, rel=0.01)
        assert utilities.mean() == pytest.approx(mean, abs=5 * sd / math.sqrt(200_000))


def gains(counted, epsilon, cost, draws, rng, *, clipped):
    """What acting looks to gain, drawn."""
    means = []
    for arm in (counted.untreated, counted.treated):
        noisy = arm.sick + rng.laplace(0, 1 / epsilon, (draws, len(arm.sick)))
        noisy = np.clip(noisy, 0, arm.people) if clipped else noisy
        means.append((arm.prior_sick + noisy) / arm.weight)
    return (counted.factor * means[1] - means[0]) @ counted.weights - cost


@pytest.mark.parametrize("clipped", [True, False])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5])
@pytest.mark.parametrize(("counted", "cost"), [(CASE, 0.05), (TWO, 0.5), (MANY, 0.5)], ids=["one", "two", "five"])
def test_that_the_probability_of_acting_is_that_of_drawn_counts(counted, cost, epsilon, clipped):
    draws = 200_000
    seen = np.mean(gains(counted, epsilon, cost, draws, np.random.default_rng(0), clipped=clipped) > 0)
    chances = NoisyChoice(counted, clipped=clipped).chances(epsilon, cost)
    off = 5 / math.sqrt(4 * draws)
    assert chances.low - off <= seen <= chances.high + off
    assert seen == pytest.approx(float(chances.act), abs=off)
    if epsilon == 0.1:
        assert abs(seen - float(NoisyChoice(counted, clipped=clipped).chances(epsilon / 2, cost).act)) > off


@given(st.integers(1, 200), st.integers(1, 200), st.floats(0, 1), st.floats(0, 1), st.floats(-6, 3), st.floats(0, 1),
       st.floats(0, 3))
@example(1, 1, 0.0, 0.0, 0.0, 0.0, 1.0)  # counts put back to the same end tie, and nobody acts
def test_that_two_clipped_counts_are_integrated_exactly(n0, n1, share0, share1, log_epsilon, cost, factor):
    epsilon, k0, k1 = math.exp(log_epsilon), round(n0 * share0), round(n1 * share1)
    chances = NoisyChoice(Counted([-1.0], Arm([k0], n0), Arm([k1], n1), factor)).chances(epsilon, cost)

    def acts(y1):
        """Pr[acting looks better], the treated count being y1."""
        needed = (factor * (1 + y1) / (2 + n1) + cost) * (2 + n0) - 1 + 1e-12
        if needed < 0:
            return 1.0
        if needed >= n0:
            return 0.0
        tail = math.exp(-epsilon * abs(needed - k0)) / 2
        return 1 - tail if needed < k0 else tail

    turns = [k1]
    if factor > 0:
        turns += [((y0 + 1) / (2 + n0) - cost) / factor * (2 + n1) - 1 for y0 in (0, k0, n0)]
    points = sorted({0.0, float(n1), *(turn for turn in turns if 0 < turn < n1)})
    middle = sum(quad(lambda y: epsilon / 2 * math.exp(-epsilon * abs(y - k1)) * acts(y), a, b, epsabs=1e-13,
                      limit=200)[0] for a, b in itertools.pairwise(points))
    whole = math.exp(-epsilon * k1) / 2 * acts(0.0) + math.exp(-epsilon * (n1 - k1)) / 2 * acts(n1) + middle
    assert float(chances.act) == pytest.approx(whole, abs=2e-8)
    assert float(chances.act + chances.wait) == pytest.approx(1, abs=1e-12)


def all_noise(counted, cost):
    """Probability of acting as ε → 0, where each clipped count is 0 or n by the toss of a coin: 2^(2d) cases."""
    n0, n1, d = counted.untreated.people, counted.treated.people, len(counted.weights)
    acting = [Counted(counted.weights, Arm(np.array(tossed[:d]) * n0, n0), Arm(np.array(tossed[d:]) * n1, n1),
                      counted.factor).policy(cost).best_action for tossed in itertools.product([0, 1], repeat=2 * d)]
    return np.mean(acting)


@pytest.mark.parametrize(("counted", "cost"), [(CASE, 0.05), (TWO, 0.5), (MANY, 0.5)], ids=["one", "two", "five"])
def test_that_counts_that_are_all_noise_are_zero_or_n(counted, cost):
    assert float(NoisyChoice(counted).chances(1e-9, cost).act) == pytest.approx(all_noise(counted, cost), abs=1e-6)


@pytest.mark.parametrize("cells", [5, 16, 50])
@pytest.mark.parametrize("cost", [0.0, 0.3, 1.0, 2.0, 3.5])
def test_that_even_a_coarse_lattice_keeps_the_truth_between_its_ends(cost, cells):
    """Where single cases have a probability of their own, and lie close to the threshold."""
    few = Counted([-4.0, -3.0, -2.5], Arm([3, 2, 1], 5), Arm([1, 2, 1], 5), factor=1.0)
    chances = NoisyChoice(few, cells=cells).chances(1e-12, cost)
    assert chances.low - 1e-9 <= all_noise(few, cost) <= chances.high + 1e-9


@pytest.mark.parametrize("counted", [CASE, TWO, MANY], ids=["one", "two", "five"])
@pytest.mark.parametrize("cost", [0.0, 0.5, 100.0])
def test_that_without_noise_the_exact_counts_decide(counted, cost):
    for clipped in (True, False):
        chances = NoisyChoice(counted, clipped=clipped).chances(1e5, cost)
        assert float(chances.act) == pytest.approx(float(counted.policy(cost).best_action), abs=1e-9)


@given(st.integers(1, 6), st.floats(-9, 6), st.floats(0, 100), st.booleans(), st.integers(0, 2**32))
def test_that_every_probability_lies_between_its_ends(d, log_epsilon, cost, clipped, seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 10**4, 2)
    arms = [Arm(np.floor(rng.random(d) * (people + 1)).clip(0, people), int(people)) for people in n]
    counted = Counted(-rng.exponential(1, d) ** 3, *arms, factor=rng.choice([0.0, 1.0, 2.0]))
    chances = NoisyChoice(counted, clipped=clipped, cells=512).chances(math.exp(log_epsilon), cost)
    fine = NoisyChoice(counted, clipped=clipped, cells=8192).chances(math.exp(log_epsilon), cost)
    assert 0 <= chances.low <= chances.act <= chances.high <= 1
    assert chances.low - 1e-9 <= fine.act <= chances.high + 1e-9


def programme(policy, counted, **values):
    return Programme(policy, counted, **{"people": 500, "batches": 6, **values})


def test_that_without_privacy_the_simulated_utility_is_the_exact_one():
    policy = Policy([-10, -1], [0.3, 0.5], [0.1, 0.2], 0.5)
    counted = Counted(policy.weights, Arm([30_000, 50_000], 100_000), Arm([10_000, 20_000], 100_000))
    for epsilon in (None, 1e6):
        regime = Regime(epsilon, TRUTHFUL)
        batches = list(simulate(programme(policy, counted), (regime,), 2_000, np.random.default_rng(0)))
        utility = np.mean([batch.utility for batch in batches], axis=0)[0]
        assert utility.mean() == pytest.approx(policy.best, abs=4 * utility.std() / math.sqrt(len(utility)))
        assert all((batch.regret == 0).all() for batch in batches)


def test_that_people_in_binomials_have_the_law_of_people_one_by_one():
    policy = Policy([-3, -1], [0.3, 0.5], [0.25, 0.2], 0.5)
    counted = Counted(policy.weights, Arm([3, 5], 10), Arm([2, 2], 10))
    response, replicates, m = RandomizedResponse.symmetric(1.0), 20_000, 7
    (batch,) = simulate(programme(policy, counted, people=m, batches=1), (Regime(0.5, response),), replicates,
                        np.random.default_rng(0))
    rng = np.random.default_rng(1)
    best = gains(counted, 0.5, 0.5, replicates, rng, clipped=True) > 0
    act = rng.random((m, replicates)) < np.where(best, response.yes_if_yes, response.yes_if_no)
    ill = rng.random((m, replicates, 2)) < np.where(act[..., None], policy.treated, policy.untreated)
    each = (np.where(act, 2.0, 1.0) * (ill @ policy.weights) - 0.5 * act).mean(axis=0)
    assert batch.acted_best.mean() == pytest.approx(best.mean(), abs=0.02)
    assert batch.utility.mean() == pytest.approx(each.mean(), abs=5 * each.std() * math.sqrt(2 / replicates))
    assert batch.utility.std() == pytest.approx(each.std(), rel=0.03)


def test_that_regret_is_the_share_of_wrong_actions_times_the_gap():
    policy = Policy([-1], [0.4], [0.1], 0.05)
    response = RandomizedResponse.symmetric(1.0)
    batches = list(simulate(programme(policy, CASE, people=10**9), (Regime(None, response),), 10,
                            np.random.default_rng(0)))
    for batch in batches:
        np.testing.assert_allclose(batch.regret, policy.gap / (1 + math.e), rtol=1e-3)


@pytest.mark.parametrize(("updating", "variances"), [
    ("sequential", [2 * t / 0.25 for t in range(1, 7)]), ("retrain", [2 * 36 / 0.25] * 6)])
def test_that_the_noise_in_the_counts_has_the_variance_of_its_updating(updating, variances):
    noise = _Noise(programme(Policy([-1], [0.4], [0.1], 0.05), CASE, updating=updating),
                   (Regime(None, TRUTHFUL), Regime(0.5, TRUTHFUL)), 50_000)
    rng, joined = np.random.default_rng(0), np.ones((2, 50_000, 2))
    for variance in variances:
        now = noise.of_the_next(joined, rng)
        assert (now[0] == 0).all()
        assert now[1].var() == pytest.approx(variance, rel=0.05)


def test_that_an_arm_that_nobody_joined_gets_no_more_noise():
    noise = _Noise(programme(Policy([-1], [0.4], [0.1], 0.05), CASE), (Regime(0.5, TRUTHFUL),), 100)
    rng, joined = np.random.default_rng(0), np.ones((1, 100, 2))
    first = noise.of_the_next(joined, rng).copy()
    joined[..., 0] = 0
    second = noise.of_the_next(joined, rng)
    np.testing.assert_array_equal(second[..., 0, :], first[..., 0, :])
    assert (second[..., 1, :] != first[..., 1, :]).all()
