"""Seeded chunks and the interval of a binomial."""

from __future__ import annotations

import itertools
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.sampling import CHUNK, binomial_interval, blocks, chunks, paced


@given(seed=st.integers(0, 2**63 - 1), trials=st.integers(1, 20 * CHUNK))
def test_that_chunks_add_up_to_the_trials_and_a_longer_run_begins_with_the_shorter(seed, trials):
    sizes = [size for _, size in chunks(seed, trials)]
    assert sum(sizes) == trials
    assert all(size == CHUNK for size in sizes[:-1])
    longer = [rng.random() for rng, _ in chunks(seed, trials + CHUNK)]
    assert longer[: len(sizes)] == [rng.random() for rng, _ in chunks(seed, trials)]


def test_that_chunks_of_one_seed_and_of_neighbouring_seeds_are_unrelated():
    first = {rng.random() for rng, _ in chunks(0, 50 * CHUNK)} | {rng.random() for rng, _ in chunks(1, 50 * CHUNK)}
    assert len(first) == 100


def test_that_a_billion_trials_cost_nothing_until_they_are_asked_for():
    assert len(list(itertools.islice(chunks(0, 10**12), 3))) == 3


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (3, 10), (1, 10**6), (999_999, 10**6)])
def test_that_the_ends_of_the_interval_leave_exactly_two_and_a_half_per_cent(successes, trials):
    low, high = binomial_interval(np.array([successes]), trials)
    with mpmath.workdps(40):
        if successes:  # Pr[X ≥ k; low] = α/2
            assert float(mpmath.betainc(successes, trials - successes + 1, 0, low[0], regularized=True)) == (
                pytest.approx(0.025, rel=1e-8))
        if successes < trials:  # Pr[X ≤ k; high] = α/2
            assert float(mpmath.betainc(successes + 1, trials - successes, high[0], 1, regularized=True)) == (
                pytest.approx(0.025, rel=1e-6))
    assert low[0] <= successes / trials <= high[0]


def test_that_the_interval_covers_at_least_as_often_as_it_says_and_one_two_times_narrower_does_not():
    rng, p, trials = np.random.default_rng(1), 0.03, 400
    successes = rng.binomial(trials, p, size=20_000)
    low, high = binomial_interval(successes, trials)
    assert np.mean((low <= p) & (p <= high)) >= 0.95
    middle, half = (low + high) / 2, (high - low) / 4
    assert np.mean(np.abs(p - middle) <= half) < 0.9


def test_that_blocks_are_chunks_a_few_trials_at_a_time():
    found = list(blocks(3, CHUNK + 700, 15_000))
    assert [size for _, size in found] == [15_000, CHUNK - 15_000, 700]
    (first, _), (same, _), (other, _) = found
    assert first is same is not other


def test_that_updates_come_as_trials_grow_and_never_too_far_apart():
    shown = [done for *_, done, show in paced(3, 30 * CHUNK + 1, 2.0, 4) if show]
    assert shown[:4] == [CHUNK, 2 * CHUNK, 4 * CHUNK, 8 * CHUNK]
    assert max(b - a for a, b in pairwise(shown)) == 4 * CHUNK
    assert shown[-1] == 30 * CHUNK + 1


def test_that_paced_chunks_are_the_same_chunks():
    for (one, size), (other, same, *_) in zip(chunks(3, 50_000), paced(3, 50_000, 1.1, 4), strict=True):
        assert size == same
        assert one.random() == other.random()
