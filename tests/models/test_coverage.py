"""How often an interval that takes the noisy count at its word holds the rate: against the sum over all counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import reference_posterior as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.models.beta_bernoulli import blocks, clamped_coverage, coverage, naive_coverage

METHODS = [False, True]


def found(a, b, n, level, epsilon, noise, *, naive):
    return (naive_coverage if naive else clamped_coverage)(a, b, n, level, epsilon, noise)


def positive(low, high):
    return st.floats(math.log10(low), math.log10(high)).map(lambda x: 10.0**x)


PRIORS, EPSILONS = positive(0.05, 1e3) | positive(0.05, 1e6), positive(1e-6, 50) | positive(1e-3, 5)
LEVELS = st.floats(0.5, 0.999) | st.sampled_from([0.5, 0.95, 0.995, 0.999])


@pytest.mark.parametrize(("given", "wanted"), [
    ((1, 1, 5, 0.999, 0.2, "laplace"), 0.39944160349),
    ((510, 17.3, 122, 0.629, 0.00136, "geometric"), 0.0054378173758527)])
def test_that_what_the_naive_interval_covers_counts_the_noise_next_to_the_ends(given, wanted):
    assert found(*given, naive=True) == pytest.approx(wanted, abs=1e-11)
    assert reference.coverage(*given, naive=True) == pytest.approx(wanted, abs=1e-11)


def test_that_large_priors_and_a_tiny_epsilon_leave_the_clamped_coverage_its_digits():
    given = (510, 17.3, 122, 0.629, 0.00136, "geometric")
    assert found(*given, naive=False) == pytest.approx(0.2283049353267, abs=1e-11)


@pytest.mark.parametrize("naive", METHODS)
@given(a=PRIORS, b=PRIORS, n=st.integers(1, 150), level=LEVELS, epsilon=EPSILONS)
def test_that_with_geometric_noise_coverage_is_the_sum_over_all_counts(naive, a, b, n, level, epsilon):
    a, b = (min(one, 2e3) for one in (a, b)) if naive else (a, b)  # the sum has a term for every count above −a
    given = (a, b, n, level, epsilon, "geometric")
    assert found(*given, naive=naive) == pytest.approx(reference.coverage(*given, naive=naive), abs=2e-9)


@pytest.mark.parametrize("naive", METHODS)
@settings(max_examples=30)
@given(a=PRIORS, b=PRIORS, n=st.integers(1, 25), level=LEVELS, epsilon=EPSILONS)
def test_that_with_laplace_noise_coverage_is_the_integral_over_all_counts(naive, a, b, n, level, epsilon):
    a, b = (min(one, 200.0) for one in (a, b)) if naive else (a, b)
    given = (a, b, n, level, epsilon, "laplace")
    assert found(*given, naive=naive) == pytest.approx(reference.coverage(*given, naive=naive), abs=2e-9)


@pytest.mark.parametrize("given", [(1, 1, 700, 0.95, 0.02), (500, 900, 1200, 0.999, 0.005), (0.05, 3e4, 1500, 0.6, 0.3),
                                   (2e5, 4e4, 700, 0.9, 0.01), (3, 2, 600, 0.5, 5.0)], ids=str)
def test_that_hundreds_and_thousands_of_people_cost_no_digits(given):
    wanted = reference.coverage(*given, "geometric", naive=False)
    assert found(*given, "geometric", naive=False) == pytest.approx(wanted, abs=1e-11)


@pytest.mark.parametrize(("noise", "epsilon"), [("laplace", 2.0), ("geometric", 0.1)])
def test_that_counts_next_to_zero_or_to_millions_cost_no_digits(noise, epsilon):
    given = (0.05, 1e5, 500_000, 0.9, epsilon, noise)  # a dozen yeses at most
    wanted = reference.coverage(*given, naive=False)
    assert found(*given, naive=False) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("given", [
    (0.05, 0.05, 685_826, 0.95, 6.2e-4, "laplace"), (17.157, 0.064, 914_012, 0.95, 0.0102, "laplace"),
    (0.05, 1e6, 6_253_565, 0.5, 2.1e-6, "laplace"), (1.0, 1.0, 10**7, 0.999, 1e-3, "geometric"),
    (30.0, 2.0, 50_000, 0.9, 50.0, "laplace")], ids=str)
def test_that_finer_blocks_and_more_nodes_change_nothing_among_millions(given, monkeypatch):
    def both():
        for kept in (coverage._missed, coverage._above, blocks._rule, blocks._discrete):
            kept.cache_clear()
        return [found(*given, naive=naive) for naive in METHODS]

    usual = both()
    monkeypatch.setattr(blocks, "_RESOLVED", 1e-12)
    monkeypatch.setattr(blocks, "_CELLS", 20)
    monkeypatch.setattr(coverage._Above, "_parts", lambda *_: 24)
    finer = both()
    monkeypatch.undo()
    both()
    np.testing.assert_allclose(usual, finer, rtol=0, atol=2e-9)
