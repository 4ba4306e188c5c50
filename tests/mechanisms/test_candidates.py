"""Choosing by scores: the oracle, enumeration of orders and coins, integrals, draws, and neighbours by brute force."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_kit import called, found, is_near, rows_of

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms import selection
from dpstudio.mechanisms.laws import BoundedRange, Claim

ROWS = rows_of("selections")
METHODS = (selection.exponential, selection.permute_and_flip, selection.noisy_max_laplace)


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_choices_equal_the_oracle(row):
    args = dict(row["args"])
    if args.get("scores") != "groups":
        assert is_near(row, found(row))
        return
    values, times = args.pop("values"), args.pop("times")
    args["scores"] = np.repeat(values, times)
    if called(row) == "expected_regret":
        method = getattr(selection, args.pop("method"))
        assert is_near(row, selection.regret(args["scores"], method(**args)))
        return
    chances = getattr(selection, called(row))(**args)
    parts = np.split(chances, np.cumsum(times)[:-1])
    assert all((part == part[0]).all() for part in parts)
    assert is_near(row, [part[0] for part in parts])


@pytest.mark.parametrize("scores", [[3.0, 2.5, 0.0], [1.0, 1.0, 1.0, 0.5], [0.0, -1.0, -1.5, -9.0, 0.0]])
def test_permute_and_flip_is_what_all_orders_and_coins_come_to(scores):
    chances, rate = np.zeros(len(scores)), 0.7 / (2 * 0.8)
    coins = np.exp(-rate * (max(scores) - np.array(scores)))
    for order in itertools.permutations(range(len(scores))):
        left = 1.0
        for i in order:
            chances[i] += left * coins[i]
            left *= 1 - coins[i]
    chances /= math.factorial(len(scores))
    assert selection.permute_and_flip(scores, 0.7, 0.8) == pytest.approx(chances, rel=1e-14)


@pytest.mark.parametrize("scores", [[40.0, 0.0, -3.0], list(np.linspace(0, 3, 30)), [0.0] * 40 + [-1.0, -200.0],
                                    [0.0, -600.0], list(np.linspace(0, 0.02, 200))])
def test_permute_and_flip_keeps_its_digits_in_the_tail_and_in_a_crowd(scores):
    mpmath.mp.dps = 250
    p = [mpmath.exp(-(mpmath.mpf(max(scores)) - mpmath.mpf(s))) for s in scores]
    whole = [mpmath.mpf(1)]  # the coefficients of Π (1 − p_j t)
    for each in p:
        whole = [a - each * b for a, b in zip([*whole, 0], [0, *whole], strict=True)]
    for i in (0, len(scores) // 2, len(scores) - 1):
        rest, carry = [], mpmath.mpf(0)  # divided by 1 − p_i t
        for coefficient in whole[:-1]:
            carry = coefficient + p[i] * carry
            rest.append(carry)
        expected = p[i] * sum(c / (k + 1) for k, c in enumerate(rest))
        found = selection.permute_and_flip(scores, 1.0, 1.0, True)[i]
        assert found == pytest.approx(float(expected), rel=1e-13, abs=0)


def test_of_two_each_loses_as_the_closed_forms_say_and_permute_and_flip_least():
    for z in (0.0, 0.1, 1.0, 5.0, 30.0, 300.0):
        losers = [method([z, 0.0], 1.0, 1, True)[1] for method in METHODS]
        expected = [math.exp(-z) / (1 + math.exp(-z)), math.exp(-z) / 2, (2 + z) * math.exp(-z) / 4]
        assert losers == pytest.approx(expected, rel=2e-13, abs=0)
        assert z == 0 or losers[1] < min(losers[0], losers[2])


def test_scores_that_only_grow_together_need_half_the_noise():
    for method in METHODS:
        assert method([3, 1, 0], 1.0, 2, True).tolist() == method([3, 1, 0], 2.0, 2, False).tolist()
        assert method([6, 2, 0], 1.0, 2).tolist() == method([3, 1, 0], 1.0).tolist()
        assert method([3, 1, 0], 1.0)[0] < method([3, 1, 0], 1.0, 1, True)[0]


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_no_neighbour_has_a_loss_above_epsilon_and_some_has_all_of_it(method, monotone):
    epsilon, worst, widest = 0.8, 0.0, 0.0
    moves = list(itertools.product((0, 1) if monotone else (-1, 0, 1), repeat=3))
    for scores in itertools.product(range(0, 40, 4), repeat=2):
        p = method([*scores, 0], epsilon, 1, monotone)
        for move in moves:
            q = method(np.array([*scores, 0]) + move, epsilon, 1, monotone)
            losses = np.log(p / q)
            worst, widest = max(worst, np.abs(losses).max()), max(widest, np.ptp(losses))
    assert 0.99 * epsilon < worst <= epsilon * (1 + 1e-9)
    if method is selection.exponential:
        assert widest <= epsilon * (1 + 1e-9)
    else:
        assert widest > 1.02 * epsilon


@given(scores=st.lists(st.one_of(st.integers(0, 20), st.floats(-1e6, 1e6)), min_size=1, max_size=40),
       log_epsilon=st.floats(-14, 6.5), monotone=st.booleans())
@example(scores=[0.0, 1e308, -1e308], log_epsilon=6.0, monotone=True)
def test_chances_add_up_to_one_and_no_lower_score_is_chosen_more_often(scores, log_epsilon, monotone):
    order = np.argsort(scores, kind="stable")
    regrets = []
    for method in METHODS:
        chances = method(scores, math.exp(log_epsilon), 1, monotone)
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert (np.diff(chances[order]) >= -1e-13 * chances[order][1:]).all()
        regrets.append(selection.regret(scores, chances))
        assert selection.within(scores, chances, 1e308) == pytest.approx(1, abs=1e-12)
        ranked = selection.by_rank(scores, chances)
        assert (np.diff(ranked) <= 1e-13 * ranked[:-1]).all()
    # Permute-and-flip never does worse than the exponential mechanism. [McKenna & Sheldon 2020, Theorem 2.]
    assert regrets[1] <= regrets[0] * (1 + 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_noise_on_scores_wins_as_often(method):
    scores, draws = np.array([5.0, 4.0, 4.0, 1.0]), 400_000
    rng = np.random.default_rng(7)
    noise = {selection.exponential: rng.gumbel, selection.permute_and_flip: rng.exponential,
             selection.noisy_max_laplace: lambda scale, size: rng.laplace(0.0, scale, size)}[method]
    seen = np.bincount((scores + (noise(scale=1 / 0.7, size=(draws, 4)))).argmax(axis=1), minlength=4) / draws
    expected = method(scores, 1.4)
    sd = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(seen - expected) < 5 * sd).all()
    assert (5 * sd < 0.1 * expected).all()
    drawn = np.bincount(selection.sample(expected, draws, rng), minlength=4) / draws
    assert (np.abs(drawn - expected) < 5 * sd).all()
    assert selection.sample([0.0, 1.0], None, rng) == 1
    assert selection.sample([0.0, 1.0, 0.0], (2, 3), rng).tolist() == [[1, 1, 1], [1, 1, 1]]


def test_ten_thousand_scores_are_chosen_from():
    scores = np.random.default_rng(2).uniform(0, 100, 10_000)
    for method in METHODS:
        for epsilon in (1e-3, 0.3, 50.0):
            assert method(scores, epsilon).sum() == pytest.approx(1, abs=1e-12)


def test_regret_ranks_and_gaps_are_sums_of_chances():
    scores, chances = [3, 9, 9, 5], [0.1, 0.5, 0.3, 0.1]
    assert selection.regret(scores, chances) == pytest.approx(0.1 * 6 + 0.1 * 4, rel=1e-15)
    assert selection.by_rank(scores, chances).tolist() == [0.5, 0.3, 0.1, 0.1]
    assert selection.within(scores, chances, [0, 3.9, 4, 6, 100]) == pytest.approx([0.8, 0.8, 0.9, 1.0, 1.0])
    assert type(selection.within(scores, chances, 4)) is float


def test_what_is_promised_is_that_of_the_method():
    assert selection.rho("exponential", [0.0, 2.0]).tolist() == [0.0, 0.5]
    assert selection.rho("noisy_max_laplace", 1.0) == pytest.approx(math.tanh(0.5), rel=1e-15)
    assert selection.rho("permute_and_flip", 1e-3) == pytest.approx(5e-7, rel=1e-6)
    assert selection.law("exponential", 0.5) == BoundedRange(0.5)
    assert selection.law("permute_and_flip", 0.5) == selection.law("noisy_max_laplace", 0.5) == Claim(0.5, 0.0)


def test_rho_bounds_the_divergence_of_every_pair_and_a_smaller_one_does_not():
    """R_α/α of the worst pairs of two outcomes: of range ε by ε²/8, of pure ε by ε tanh(ε/2)."""
    epsilon = 1.0
    orders = np.concatenate([1 + np.geomspace(1e-3, 1, 30), np.linspace(2, 30, 30)])

    def most(p, q):
        return max(float(np.log((p**a * q ** (1 - a)).sum()) / (a - 1) / a) for a in orders)

    ranges = max(most(np.array([p, 1 - p]), np.array([q, 1 - q]))
                 for t in np.linspace(0.02, 0.98, 49)
                 for p, q in [((1 - math.exp(t - 1)) / (1 - math.exp(-1)),
                               (math.exp(-t) - math.exp(-1)) / (1 - math.exp(-1)))])
    assert 0.95 * selection.rho("exponential", epsilon) < ranges <= selection.rho("exponential", epsilon)
    half = np.array([1, math.exp(-epsilon)]) / (1 + math.exp(-epsilon))
    assert 0.99 * selection.rho("permute_and_flip", epsilon) < most(half, half[::-1]) <= selection.rho(
        "permute_and_flip", epsilon)


@pytest.mark.parametrize(("asked", "said"), [
    (lambda: selection.exponential([1, 2], 0.0), r"^epsilon must be in \(0, ∞\), got 0\.0$"),
    (lambda: selection.permute_and_flip([1, math.nan], 1.0), r"^scores must be in \(−∞, ∞\), got nan$"),
    (lambda: selection.noisy_max_laplace([], 1.0), r"^scores must be a list of numbers, got"),
    (lambda: selection.exponential([[1, 2]], 1.0), r"^scores must be a list of numbers, got"),
    (lambda: selection.exponential([1, 2], 1.0, 0.0), r"^sensitivity must be in \(0, ∞\), got 0\.0$"),
    (lambda: selection.exponential([1, 2], 1.0, 1.0, "yes"), r"^monotone must be True or False, got"),
    (lambda: selection.regret([1, 2], [0.5, 0.4]), r"^probabilities must be 2 numbers with sum 1, got"),
    (lambda: selection.regret([1, 2], [1.0]), r"^probabilities must be 2 numbers with sum 1, got"),
    (lambda: selection.regret([1, 2], [1.5, -0.5]), r"^probabilities must be in \[0, 1\], got"),
    (lambda: selection.within([1, 2], [0.5, 0.5], -1), r"^gap must be in \[0, ∞\), got"),
    (lambda: selection.rho("best", 1.0), r"^method must be one of exponential, permute_and_flip, noisy_max_"),
    (lambda: selection.rho("exponential", -1.0), r"^epsilon must be in \[0, ∞\), got -1\.0$"),
    (lambda: selection.law("exponential", math.nan), r"^epsilon must be in \[0, ∞\), got nan$"),
])
def test_what_lies_outside_is_refused_in_one_sentence(asked, said):
    with pytest.raises(InvalidParameter, match=said):
        asked()
