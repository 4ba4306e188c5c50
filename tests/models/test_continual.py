"""Running counts: sensitivities by enumeration, crossing points, and samples against their exact law."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.models.continual import (
    MEMBERSHIPS,
    STRATEGIES,
    RunningCount,
    crossing,
    error_95,
    noise_variance,
    sensitivity,
    squared_sensitivity,
)
from dpstudio.models.continual.law import tail
from dpstudio.models.continual.parts import largest_terms, levels, nodes
from dpstudio.models.continual.running import end_variance, worst_variance

EVERY = list(itertools.product(STRATEGIES, MEMBERSHIPS))


def test_that_skewed_retraining_shares_half_of_epsilon_among_the_earlier_releases():
    np.testing.assert_allclose(noise_variance("skewed", 0.5, 5), [*[2 * (8 / 0.5) ** 2] * 4, 2 * (2 / 0.5) ** 2])
    np.testing.assert_allclose(noise_variance("skewed", 1.0, 1), [8.0])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: noise_variance("trees", 1, 3), "strategy must be one of sequential, retrain, tree, overlapping, skewed, "
                                            "got 'trees'"),
    (lambda: noise_variance("tree", -1, 3), r"epsilon must be in \(0, ∞\), got -1.0"),
    (lambda: noise_variance("tree", math.nan, 3), r"epsilon must be in \(0, ∞\), got nan"),
    (lambda: noise_variance("tree", 1, 0), r"releases must be an integer in \[1, 1e7\], got 0"),
    (lambda: noise_variance("tree", 1, 2.5), r"releases must be an integer in \[1, 1e7\], got 2.5"),
    (lambda: RunningCount("overlapping", 1, 3), "strategy must be one of sequential, retrain, skewed, tree, got"),
    (lambda: RunningCount("tree", 1, 3, "twice"), "who must be one of once, status, visits, got 'twice'"),
    (lambda: RunningCount("skewed", 1, 3, "once", 1.0), r"share must be in \(0, 1\), got 1.0"),
    (lambda: RunningCount("tree", 1, 3).epsilon_of("all"), "who must be one of once, status, visits, got 'all'"),
])
def test_that_what_lies_outside_is_refused_in_one_sentence(call, message):
    with pytest.raises(InvalidParameter, match=message):
        call()


# What one person can move, by trying everything a person can do

def persons(who, q):
    """How each person there can be moves the batch counts."""
    if who == "once":
        return np.eye(q)
    if who == "visits":
        return np.array(list(itertools.product((0, 1), repeat=q)))
    return np.diff(np.array(list(itertools.product((0, 1), repeat=q))), axis=1, prepend=0)


def parts(strategy, q):
    """Which batches each part that gets noise sums up."""
    if strategy == "sequential":
        return np.eye(q)
    if strategy == "retrain":
        return np.tril(np.ones((q, q)))
    needed = nodes(np.arange(1, q + 1))[0]
    return np.array([[end - 2**level <= batch < end for batch in range(q)] for level, end in needed], dtype=float)


@pytest.mark.parametrize(("strategy", "who"), [pair for pair in EVERY if pair[0] != "skewed"])
def test_that_no_person_moves_all_counts_further_and_one_does_so_far(strategy, who):
    for q in (1, 2, 3, 4, 5, 7, 8, 11, 13):
        moves = persons(who, q) @ parts(strategy, q).T
        assert np.abs(moves).sum(axis=1).max() == sensitivity(strategy, who, q), q
        assert np.square(moves).sum(axis=1).max() == squared_sensitivity(strategy, who, q), q


@pytest.mark.parametrize("made_for", MEMBERSHIPS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_that_the_privacy_of_a_person_is_what_the_scales_make_of_the_worst_moves(strategy, made_for):
    for in_fact, q in itertools.product(MEMBERSHIPS, (1, 2, 5, 9)):
        count = RunningCount(strategy, 0.7, q, made_for, 0.3)
        moves = np.abs(persons(in_fact, q) @ parts("retrain" if strategy == "skewed" else strategy, q).T)
        scales = count.scale(np.arange(1, q + 1)) if strategy == "skewed" else count.scale(1)
        worst = (moves / scales).sum(axis=1).max()
        assert count.epsilon_of(in_fact) == pytest.approx(worst, rel=1e-12), (in_fact, q)
        if in_fact == made_for and (strategy, q) != ("skewed", 1):
            assert count.epsilon_of(in_fact) == pytest.approx(0.7, rel=1e-15), q


def test_that_skewed_retraining_of_one_batch_leaves_the_other_share_unspent():
    assert RunningCount("skewed", 0.8, 1, share=0.25).epsilon_of("once") == pytest.approx(0.2)


# Closed forms against each other

@given(q=st.integers(1, 3000), who=st.sampled_from(MEMBERSHIPS), strategy=st.sampled_from(STRATEGIES),
       epsilon=st.floats(1e-6, 20), share=st.floats(0.01, 0.99))
def test_that_end_and_worst_are_those_of_the_variances_after_every_batch(q, who, strategy, epsilon, share):
    count = RunningCount(strategy, epsilon, q, who, share)
    variance = count.variance()
    assert variance.shape == (q,)
    assert variance.max() == pytest.approx(count.worst_variance, rel=1e-12)
    assert variance[count.worst_batch - 1] == count.worst_variance
    scaled = epsilon * epsilon
    assert variance[-1] == pytest.approx(float(end_variance(strategy, who, q, share)) / scaled, rel=1e-12)
    assert count.worst_variance == pytest.approx(float(worst_variance(strategy, who, q, share)) / scaled, rel=1e-12)


@given(q=st.integers(1, 10**7))
def test_that_the_most_terms_of_the_tree_are_those_of_the_largest_number_of_ones(q):
    most = q.bit_length() if q == 2 ** q.bit_length() - 1 else q.bit_length() - 1
    assert largest_terms(q) == max(most, 1)


@pytest.mark.parametrize("who", MEMBERSHIPS)
@pytest.mark.parametrize("worst", [False, True])
def test_that_crossings_are_those_of_the_variances_themselves(who, worst):
    tree, adding = ([(np.max if worst else np.ravel)(RunningCount(strategy, 1.0, q, who).variance())
                     for q in range(1, 1300)] for strategy in ("tree", "sequential"))
    ends = [np.ravel(one)[-1] < np.ravel(other)[-1] for one, other in zip(tree, adding, strict=True)]
    found = crossing("tree", who, worst=worst, limit=1299)
    assert found.first == ends.index(True) + 1
    assert found.last_not == 1299 - ends[::-1].index(False)


def test_that_beyond_the_search_the_tree_stays_better():
    for who in MEMBERSHIPS:
        q = np.arange(1, 5000)
        assert (sensitivity("tree", who, q) <= levels(q) * sensitivity("sequential", who, q)).all()
    for exponent in range(11, 60):  # between powers of two the left side stands still while the right one grows
        assert (exponent + 1) ** 3 < 2**exponent


def test_that_retraining_wins_by_the_number_of_batches_only_where_a_person_counts_once():
    for q in (2, 10, 365):
        variances = {who: [RunningCount(strategy, 1.0, q, who).variance()[-1] for strategy in ("sequential", "retrain")]
                     for who in MEMBERSHIPS}
        assert variances["once"][1] == pytest.approx(q * variances["once"][0])
        assert variances["status"][0] == pytest.approx(q * variances["status"][1])
        assert variances["visits"][1] > variances["visits"][0]


# The law of the noise

@pytest.mark.parametrize("k", [1, 2, 5, 40, 3000])
def test_that_the_tail_of_a_sum_is_that_of_its_characteristic_function(k):
    with mpmath.workdps(20):
        x, reach = 1.3 * math.sqrt(2 * k), 40 if k < 100 else 2  # beyond is nothing, or what oscillates
        inside = mpmath.quad(lambda t: mpmath.sin(t * x) / t / (1 + t * t) ** k, mpmath.linspace(0, reach, 60)) \
            + (mpmath.quadosc(lambda t: mpmath.sin(t * x) / t / (1 + t * t) ** k, [40, mpmath.inf], omega=x)
               if k < 5 else 0)
        expected = mpmath.mpf("0.5") - inside / mpmath.pi
    assert tail(k, x) == pytest.approx(float(expected), rel=1e-8)


def test_that_95_per_cent_of_the_noise_is_within():
    k = np.array([1, 2, 7, 100, 1001, 20_000])
    within = error_95(k)
    assert within[0] == pytest.approx(math.log(20), rel=1e-14)
    for terms, x in zip(k, within, strict=True):
        assert 2 * tail(int(terms), x) == pytest.approx(0.05, rel=1e-11 if terms <= 1000 else 3e-9)
    assert within[-1] == pytest.approx(1.959964 * math.sqrt(40_000), rel=2e-5)
    assert error_95(0) == 0


def test_that_a_running_count_is_the_sum_of_nodes_that_cover_each_batch_once():
    found, needed = nodes(np.arange(1, 40))
    assert sorted(found[:, 1]) == list(range(1, 40))  # one node ends at each batch, and none is there twice
    for t in range(1, 40):
        covered = np.zeros(40)
        for level, end in found[needed[t - 1]]:
            covered[end - 2**level : end] += 1
        np.testing.assert_array_equal(covered, np.arange(40) < t)


def test_that_a_node_has_one_noise_wherever_it_is_used():
    # 8 = one node; 9 to 15 share it: the covariance of two running counts is that of the nodes they share.
    noise = RunningCount("tree", 1.0, 15).sample([8, 12, 15], 200_000, np.random.default_rng(3))
    covariance = np.cov(noise.T)
    one = 2 * 16.0
    np.testing.assert_allclose(covariance, one * np.array([[1, 1, 1], [1, 2, 2], [1, 2, 4]]), rtol=0.04)


@pytest.mark.parametrize(("strategy", "who"), EVERY)
def test_that_samples_have_the_exact_variance_and_would_be_caught_ten_per_cent_off(strategy, who):
    count = RunningCount(strategy, 0.3, 37, who, 0.4)
    t = [1, 2, 7, 31, 32, 36, 37]
    noise = count.sample(t, 60_000, np.random.default_rng(11))
    ratio = np.square(noise).mean(axis=0) / count.variance(t)
    assert np.abs(ratio - 1).max() < 0.05
    # A fraction 95 % inside, too: the law is right, not only its variance.
    inside = (np.abs(noise) <= count.error_95(t)).mean(axis=0)
    assert np.abs(inside - 0.95).max() < 0.004


def test_that_steps_of_added_counts_are_independent():
    noise = RunningCount("sequential", 1.0, 100).sample([10, 40, 100], 100_000, np.random.default_rng(5))
    np.testing.assert_allclose(np.cov(np.diff(noise, axis=1, prepend=0).T), np.diag([20, 60, 120]), atol=1.5)


def test_that_before_the_first_batch_there_is_no_noise():
    for strategy in STRATEGIES:
        count = RunningCount(strategy, 1.0, 5)
        assert count.variance([0]) == 0
        assert count.sample([0, 3], 4, np.random.default_rng(0))[:, 0].tolist() == [0] * 4


@given(strategy=st.sampled_from(["sequential", "retrain", "tree", "overlapping", "skewed"]),
       epsilon=st.floats(1e-300, 1e300), releases=st.integers(1, 5000))
def test_that_every_variance_is_a_number_and_none_negative(strategy, epsilon, releases):
    variance = noise_variance(strategy, epsilon, releases)
    assert variance.shape == (releases,)
    assert variance.dtype == np.float64
    assert (variance >= 0).all()


@pytest.mark.parametrize(("strategy", "after", "terms"), [("sequential", 1, 1), ("sequential", 6, 6), ("retrain", 5, 1),
                                                          ("tree", 7, 3), ("skewed", 4, 1), ("skewed", 8, 1)])
def test_that_squared_noise_spreads_as_the_moments_of_the_sum_say(strategy, after, terms):
    """E X⁴ of a sum of k independent Laplace variables: k · 24 b⁴ + 3k(k − 1) · (2b²)²."""
    count = RunningCount(strategy, 0.7, 8, share=0.3)
    scale = float(count.scale(after))
    fourth = terms * 24 * scale**4 + 3 * terms * (terms - 1) * 4 * scale**4
    wanted = math.sqrt(fourth - (2 * terms * scale**2) ** 2)
    assert float(count.spread_of_squares(after)) == pytest.approx(wanted, rel=1e-12)
    drawn = np.square(count.sample([after], 400_000, np.random.default_rng(3))[:, 0])
    assert drawn.std() == pytest.approx(wanted, rel=0.05)
