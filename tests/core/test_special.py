"""Special functions against fifty digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
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


def test_that_95_per_cent_of_a_normal_law_lie_within_z():
    assert float(mpmath.ncdf(special.Z_95) - mpmath.ncdf(-special.Z_95)) == pytest.approx(0.95, abs=1e-15)


@given(belief=st.floats(0, 1), loss=st.floats(-740, 740))
@example(belief=5e-324, loss=715.0)
@example(belief=1.0 - 2**-53, loss=-735.0)
def test_that_a_belief_is_updated_by_the_rule_of_bayes(belief, loss):
    with mpmath.workdps(700):
        odds = mpmath.exp(-mpmath.mpf(loss))
        p = mpmath.mpf(belief)
        exact = float(p / (p + (1 - p) * odds))
    assert special.updated(belief, loss) == pytest.approx(exact, rel=1e-14, abs=1e-300)
    assert special.updated(0.0, loss) == 0.0
    assert special.updated(1.0, loss) == 1.0


def test_that_certain_answers_settle_a_belief_unless_it_was_settled():
    for loss, after in ((np.inf, [0.0, 1.0, 1.0]), (-np.inf, [0.0, 0.0, 1.0])):
        assert special.updated([0.0, 0.3, 1.0], loss).tolist() == after
    assert special.updated([[0.5], [0.2]], [1.0, 2.0]).shape == (2, 2)
    assert type(special.updated(0.5, 1.0)) is float
