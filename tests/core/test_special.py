"""Special functions against fifty digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core import special


@given(n=st.integers(1, 10**6), fraction=st.floats(0, 1), log_p=st.floats(-40, -1e-3))
def test_that_binomial_probabilities_keep_twelve_digits(n, fraction, log_p):
    p = float(np.exp(log_p))
    mean = n * p
    j = min(n, int(mean + (fraction * 2 - 1) * 10 * (mean * (1 - p)) ** 0.5 + 20 * fraction)) if fraction else 0
    j = max(j, 0)
    logs = special.log_binomial(np.array([float(j)]), float(n), p, 1 - p)
    with mpmath.workdps(60):
        a, b = mpmath.mpf(p), 1 - mpmath.mpf(p)
        exact = mpmath.log(mpmath.binomial(n, j)) + j * mpmath.log(a) + (n - j) * mpmath.log(b)
    assert logs[0] == pytest.approx(float(exact), rel=1e-14, abs=2e-12)


@given(n=st.integers(1, 400))
def test_that_stirlings_error_is_exact_to_rounding(n):
    with mpmath.workdps(50):
        exact = mpmath.loggamma(n + 1) - (n * mpmath.log(n) - n + mpmath.log(2 * mpmath.pi * n) / 2)
    assert special.stirling_error(np.array([float(n)]))[0] == pytest.approx(float(exact), abs=1e-15)


@given(u=st.floats(-1, 40), log_step=st.floats(-20, 3))
def test_that_a_drop_of_mills_ratio_keeps_twelve_digits(u, log_step):
    step = float(np.exp(log_step))
    with mpmath.workdps(60):
        def mills(x):
            return mpmath.sqrt(mpmath.pi / 2) * mpmath.erfc(x / mpmath.sqrt(2)) * mpmath.exp(x * x / 2)
        exact = float(mills(mpmath.mpf(u)) - mills(mpmath.mpf(u) + mpmath.mpf(step)))
    assert special.mills_drop(np.array([u]), np.array([step]))[0] == pytest.approx(exact, rel=2e-13)
    assert special.mills_drop_of_one(u, step) == pytest.approx(exact, rel=2e-13)


@given(c=st.integers(0, 2**53), n=st.integers(0, 2**53), p=st.floats(1e-9, 1))
def test_that_a_product_is_subtracted_without_its_rounding(c, n, p):
    with mpmath.workdps(60):
        exact = float(c - n * mpmath.mpf(p))
    found = special.less_product(np.array([float(c)]), np.array([float(n)]), p)[0]
    assert found == pytest.approx(exact, rel=1e-15, abs=1e-16)
