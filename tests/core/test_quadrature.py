"""Integrals to rounding: smooth, across kinks and jumps, of peaks, and no more of them than is wanted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core import quadrature


@pytest.mark.parametrize("points", [1, 10, 14, 24])
def test_that_the_rule_of_gauss_and_legendre_is_exact_for_its_degree(points):
    nodes, weights = quadrature.gauss_legendre(points)
    assert ((nodes > 0) & (nodes < 1)).all()
    for degree in (0, 1, points, 2 * points - 1):
        assert weights @ nodes**degree == pytest.approx(1 / (degree + 1), rel=1e-13)


@pytest.mark.parametrize("points", [1, 5, 16])
@pytest.mark.parametrize("terms", [1, 4, 16, 17, 40, 1000, 10**9])
def test_that_the_rule_for_sums_is_exact_for_its_degree(terms, points):
    nodes, weights = quadrature.gauss_sum(terms, points)
    assert nodes.size == min(terms, points)
    assert weights.min() > 0
    for degree in (0, 1, 2 * points - 1):
        middle = (terms - 1) / 2
        if terms < 10**4:
            expected = float((((np.arange(terms) - middle) / terms + 0.6) ** degree).sum())
        else:
            expected = terms * (1.1 ** (degree + 1) - 0.1 ** (degree + 1)) / (degree + 1)
        assert weights @ ((nodes - middle) / terms + 0.6) ** degree == pytest.approx(expected, rel=1e-13)


def test_that_integrals_are_exact_to_rounding_where_smooth_and_nearly_so_across_kinks_and_jumps():
    assert quadrature.integral(np.cos, np.array([0.0, 0.3, 40.0])) == pytest.approx(np.sin(40.0), abs=1e-13)
    assert quadrature.integral(lambda x: np.abs(x - 1 / 3), np.array([0.0, 1.0])) == pytest.approx(5 / 18, rel=1e-12)
    step = quadrature.integral(lambda x: (x > 1 / 3).astype(float), np.array([0.0, 1.0]))
    assert step == pytest.approx(2 / 3, rel=1e-12)
    assert quadrature.integral(lambda x: x, np.array([2.0, 2.0, 3.0])) == pytest.approx(2.5, rel=1e-14)


@example([(0.0, 1.0), (5e-324, 1.0)])
@given(st.lists(st.tuples(st.floats(-30, 30), st.floats(-3, 3).map(np.exp)), min_size=1, max_size=4))
def test_that_integrals_of_peaks_agree_in_numbers_and_in_logarithms_to_thirteen_digits(peaks):
    """Laplace densities, with one cut at each centre, are 1 each."""
    centre, scale = (np.array(each)[:, None] for each in zip(*peaks, strict=True))

    def logs(x):
        return (-np.abs(x - centre) / scale - np.log(2 * scale)).T

    ends = np.unique(np.concatenate([centre.ravel(), [-30 - 45 * scale.max(), 30 + 45 * scale.max()]]))
    np.testing.assert_allclose(quadrature.integrals(lambda x: np.exp(logs(x)).T, ends), 1, rtol=1e-13)
    np.testing.assert_allclose(np.exp(quadrature.log_integrals(logs, ends)), 1, rtol=1e-13)
    np.testing.assert_allclose(quadrature.log_integrals(lambda x: logs(x) - 1e6, ends), -1e6, rtol=1e-15)


def test_that_an_integral_too_small_to_matter_costs_no_more_than_one_look():
    asked = []

    def values(x):
        asked.append(x.size)
        return np.stack([np.exp(-x), 1e-9 * np.exp(-900 * (x - 0.3) ** 2)])

    ends = np.linspace(0, 40, 5)
    found = quadrature.integrals(values, ends, 1e-3)
    assert found[0] == pytest.approx(1, rel=1e-12)
    once = sum(asked)
    asked.clear()
    exactly = quadrature.integrals(values, ends)
    assert sum(asked) > once
    assert exactly[1] == pytest.approx(1e-9 * (np.pi / 900) ** 0.5, rel=1e-12)
