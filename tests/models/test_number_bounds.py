"""Bounds of values: the oracle, every database, minima by grids, and draws."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_kit import called, found, is_near, rows_of

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.quantile import PrivateBound
from dpstudio.models import numbers
from dpstudio.models.numbers import Exponential, LogNormal, Normal, Uniform, Weighted

ROWS = rows_of("numbers")
LISTS = st.lists(st.one_of(st.floats(1e-9, 100), st.integers(0, 5).map(float)), min_size=1, max_size=15)
VARIANCES = st.floats(-3, 4).map(lambda e: 10.0**e)


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_numbers_equal_the_oracle(row):
    value = found(row)
    assert type(value) in (float, tuple, np.ndarray)
    assert is_near(row, value)


def test_all_that_is_named_is_there():
    assert all(callable(getattr(numbers, name)) for name in numbers.__all__)


# What one person moves


@pytest.mark.parametrize("who", ["add or remove", "replace"])
@pytest.mark.parametrize("exactly", [False, True])
@pytest.mark.parametrize(("lower", "upper"), [(-5, 20), (3, 7), (-8, -2), (0, 4), (-9, 1)])
def test_a_sensitivity_is_the_most_that_any_rows_of_one_person_move_the_sum(who, exactly, lower, upper):
    values = (lower, (lower + upper) / 2, upper)
    rows = 3
    persons = [sum(each) for r in range(rows + 1) if r == rows or not exactly
               for each in itertools.product(values, repeat=r)]
    moved = max(map(abs, persons)) if who == "add or remove" else max(persons) - min(persons)
    assert numbers.sum_sensitivity(lower, upper, rows, who, exactly) == moved


def test_a_sensitivity_is_rounded_up_and_of_any_shape():
    found = numbers.sum_sensitivity([-0.1, 0.1], 0.3, [[1], [3]], "replace", True)
    assert found.shape == (2, 2)
    for (i, rows), (j, lower) in itertools.product(enumerate((1, 3)), enumerate((-0.1, 0.1))):
        exact = rows * (Fraction(0.3) - Fraction(lower))
        assert exact <= Fraction(float(found[i, j])) <= exact * (1 + Fraction(1, 2**51))
    assert type(numbers.sum_sensitivity(0.0, 1.0)) is float


# What clipping costs


@given(values=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20), one=st.floats(-1e3, 1e3),
       two=st.floats(-1e3, 1e3), noise=st.floats(0, 1e6))
def test_a_bias_is_the_sum_of_what_is_clipped(values, one, two, noise):
    lower, upper = sorted((one, two))
    low, high = Fraction(lower), Fraction(upper)
    exact = sum(min(max(Fraction(x), low), high) - Fraction(x) for x in values)
    assert numbers.clipping_bias(values, lower, upper) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    assert numbers.clipping_bias(Weighted(values), [lower], upper).shape == (1,)
    rmse = math.hypot(float(exact), math.sqrt(noise))
    assert numbers.sum_rmse(values, lower, upper, noise) == pytest.approx(rmse, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("law", [LogNormal(3.0, 1.0), Exponential(20.0), Normal(50.0, 30.0)], ids=repr)
def test_errors_are_those_of_many_releases(law):
    rng = np.random.default_rng(4)
    n, lower, upper, scale = 50, 5.0, 60.0, 40.0
    x = np.asarray(law.quantile(rng.random((20_000, n))))
    sums = np.clip(x, lower, upper).sum(axis=1) + rng.laplace(0, scale, 20_000)
    of_sum = numbers.sum_errors(law, n, lower, upper, 2 * scale**2)
    of_mean = numbers.mean_errors(law, n, lower, upper, 2 * scale**2)
    off = sums - n * law.mean
    assert of_sum.bias == pytest.approx(off.mean(), abs=5 * off.std() / math.sqrt(20_000))
    assert of_sum.noise == pytest.approx(math.sqrt(2) * scale, rel=1e-14, abs=0)
    assert of_sum.about_population == pytest.approx(math.sqrt((off**2).mean()), rel=0.02, abs=0)
    assert of_mean.about_population == pytest.approx(of_sum.about_population / n, rel=1e-14, abs=0)
    assert of_sum.about_data**2 + of_sum.sampling**2 == pytest.approx(of_sum.about_population**2, rel=1e-12, abs=0)
    many = numbers.mean_errors(law, n, lower, [20.0, 60.0], [[1.0], [2 * scale**2]])
    assert many.bias.shape == many.noise.shape == many.about_data.shape == (2, 2)
    assert many.about_data[1, 1] == pytest.approx(float(of_mean.about_data), rel=1e-14, abs=0)


# The best bound


@given(values=LISTS, v=VARIANCES)
@example(values=[1.0] * 5, v=2.0)
@example(values=[0.0, 0.0], v=2.0)
@example(values=[0.0, 10.0, 10.0, 10.0], v=3.0)
@example(values=[3.0, 1.0], v=1.0)
def test_no_other_bound_has_a_smaller_error(values, v):
    upper, rmse = numbers.best_upper(values, v)
    assert rmse == pytest.approx(numbers.sum_rmse(values, 0.0, upper, v * upper**2), rel=1e-12, abs=1e-12)
    others = np.concatenate([np.linspace(0, max(values) * 1.5, 4001), upper * (1 + np.array([-1e-3, 1e-3])),
                             np.array(values)])
    errors = numbers.sum_rmse(values, 0.0, others, v * others**2)
    assert errors.min() >= rmse * (1 - 1e-12)


@given(values=LISTS, v=VARIANCES)
def test_the_best_bound_of_a_column_is_found_both_ways(values, v):
    upper, rmse = numbers.best_upper(values, v)
    other, again = numbers.best_bound(Weighted(values), len(values), v)
    assert other == pytest.approx(upper, rel=1e-9, abs=1e-100)
    assert again == pytest.approx(rmse, rel=1e-12, abs=1e-100)


def test_without_noise_nothing_is_clipped_and_with_much_nearly_all():
    assert numbers.best_upper([1.0, 7.0, 3.0], 0.0) == (7.0, 0.0)
    assert numbers.best_upper([0.0], 1.0) == (0.0, 0.0)
    upper, rmse = numbers.best_upper([1.0, 7.0, 3.0], 1e12)
    assert upper == pytest.approx(33 / (9 + 1e12), rel=1e-12, abs=0)
    assert rmse == pytest.approx(11.0)
    assert numbers.best_bound(Exponential(1e-20), 3, 1e150) == (0.0, pytest.approx(3e-20))


@pytest.mark.parametrize("law", [Exponential(20.0), LogNormal(3.0, 1.0), LogNormal(2.0, 3.0), Normal(50.0, 10.0),
                                 Uniform(0.0, 9.0), Weighted([1.0, 2.0, 9.0, 30.0], [5, 9, 2, 1])], ids=repr)
@pytest.mark.parametrize("about", ["data", "population"])
@pytest.mark.parametrize(("n", "v"), [(60, 8.0), (10**6, 2e6), (3, 1e-3)])
def test_the_best_bound_of_a_law_is_lower_than_its_neighbours(law, about, n, v):
    upper, rmse = numbers.best_bound(law, n, v, about)
    others = upper * np.concatenate([[1.0], 1 + 10.0 ** np.arange(-4, 1.0), 1 - 10.0 ** np.arange(-4, 0.0)])
    errors = numbers.sum_errors(law, n, 0.0, others, v * others**2)
    total = errors.about_data if about == "data" else errors.about_population
    assert total[0] == pytest.approx(rmse, rel=1e-14, abs=0)
    assert (total[1:] >= rmse * (1 - 1e-13)).all()
    assert total[2] > rmse
    assert upper > 0


def test_a_population_is_known_better_by_a_lower_bound():
    law = LogNormal(3.0, 1.0)
    assert numbers.best_bound(law, 60, 8.0, "population")[0] < numbers.best_bound(law, 60, 8.0)[0]


@given(log_n=st.floats(0, 9), log_epsilon=st.floats(-6, 3), log_mean=st.floats(-3, 3))
@example(log_n=9.0, log_epsilon=300.0, log_mean=0.0)
@example(log_n=0.0, log_epsilon=-100.0, log_mean=0.0)
def test_the_best_bound_of_an_exponential_law_solves_its_equation(log_n, log_epsilon, log_mean):
    n, epsilon, mean = round(10**log_n), 10.0**log_epsilon, 10.0**log_mean
    with mpmath.workdps(50):
        exact = float(mpmath.mpf(mean) / 2 * mpmath.lambertw((mpmath.mpf(n) * mpmath.mpf(epsilon)) ** 2).real)
    assert numbers.best_upper_exponential(mean, n, epsilon) == pytest.approx(exact, rel=1e-12, abs=0)


def test_the_best_bound_of_an_exponential_law_is_that_of_any_law():
    closed = numbers.best_upper_exponential(7.0, 1000, [0.1, 1.0])
    for upper, epsilon in zip(closed, (0.1, 1.0), strict=True):
        assert numbers.best_bound(Exponential(7.0), 1000, 2 / epsilon**2)[0] == pytest.approx(upper, rel=1e-11, abs=0)


# A bound that is private


def test_the_error_under_a_private_bound_is_that_of_many_releases():
    values = np.random.default_rng(0).lognormal(3, 1, 60)
    for bound in (numbers.private_bound(values, 0.0, 300.0, 0.5, 0.5),
                  numbers.private_bound(Weighted(values, np.full(60, 3)), 2.0, 60.0, 2.0, 0.2)):
        rng, column = np.random.default_rng(1), Weighted(bound.values, bound.times)
        upper = np.asarray(bound.sample(400_000, rng))
        off = rng.laplace(size=upper.size) * upper * 2 - column.sum_above(upper)
        assert numbers.private_bound_rmse(bound, 8.0) == pytest.approx(math.sqrt((off**2).mean()), rel=0.01, abs=0)


def test_a_private_bound_asks_for_the_value_that_clipping_and_noise_cost_the_same_at():
    bound = numbers.private_bound([5.0, 1.0, 1.0, 9.0], 0.0, 20.0, 1.5, 0.4)
    assert isinstance(bound, PrivateBound)
    assert (bound.above, bound.epsilon, bound.n, bound.target) == (2.5, 1.5, 4, 1.5)
    sure = numbers.private_bound(np.arange(1.0, 101.0), 0.0, 200.0, 1e4, 0.2)
    assert 95 <= sure.mean <= 96
    by_hand = sum(p * 0.5 * ((u0**2 + u0 * u1 + u1**2) / 3) for p, u0, u1 in
                  zip(sure.probabilities, sure.edges, sure.edges[1:], strict=False))
    lost = [sum(max(x - u, 0) for x in range(1, 101)) for u in sure.edges]
    by_hand += sum(p * (a * a + a * b + b * b) / 3 for p, a, b in zip(sure.probabilities, lost, lost[1:], strict=False))
    assert numbers.private_bound_rmse(sure, 0.5) == pytest.approx(math.sqrt(by_hand), rel=1e-12, abs=0)


@pytest.mark.parametrize(("make", "said"), [
    (lambda: numbers.sum_sensitivity(2.0, 1.0), r"^lower must be at most upper, 1, got 2.0$"),
    (lambda: numbers.sum_sensitivity(0.0, 1.0, 0), r"^rows must be an integer in \[1, "),
    (lambda: numbers.sum_sensitivity(0.0, 1.0, 1.5), r"^rows must be an integer in \[1, "),
    (lambda: numbers.sum_sensitivity(0.0, 1.0, 1, "swap"), r"^neighbours must be one of"),
    (lambda: numbers.sum_sensitivity(0.0, 1.0, 1, "replace", 1), r"^exactly must be yes or no, got 1"),
    (lambda: numbers.sum_sensitivity(math.nan, 1.0), r"^lower must be in"),
    (lambda: numbers.clipping_bias([1.0], 2.0, 1.0), r"^lower must be at most upper"),
    (lambda: numbers.clipping_bias([math.nan], 0.0, 1.0), r"^values must be in"),
    (lambda: numbers.sum_rmse([1.0], 0.0, 1.0, -1.0), r"^noise_variance must be in \[0, ∞\), got -1.0"),
    (lambda: numbers.best_upper([-1.0, 2.0], 1.0), r"^values must be 0 or more, got -1.0"),
    (lambda: numbers.best_upper([1.0], -1.0), r"^unit_variance must be in \[0, 1e150\], got -1.0"),
    (lambda: numbers.best_upper([1.0], math.nan), r"^unit_variance must be in"),
    (lambda: numbers.best_bound(Exponential(1.0), 3, 0.0), r"^unit_variance must be in \(0, 1e150\], got 0.0"),
    (lambda: numbers.best_bound(Exponential(1.0), 0, 1.0), r"^n must be an integer in \[1, "),
    (lambda: numbers.best_bound(Exponential(1.0), 3, 1.0, "both"), r"^about must be one of data, population"),
    (lambda: numbers.best_upper_exponential(0.0, 3, 1.0), r"^mean must be in"),
    (lambda: numbers.best_upper_exponential(1.0, 3, 0.0), r"^epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: numbers.mean_errors(Exponential(1.0), 2.5, 0.0, 1.0, 1.0), r"^n must be an integer"),
    (lambda: numbers.private_bound([1.0], 0.0, 1.0, 0.0, 1.0), r"^bound_epsilon must be in \(0, ∞\), got 0.0"),
    (lambda: numbers.private_bound([1.0], 0.0, 1.0, 1.0, -1.0), r"^sum_epsilon must be in \(0, ∞\), got -1.0"),
    (lambda: numbers.private_bound_rmse(PrivateBound([-1.0], 0.0, 1.0, 1.0, 1.0), 1.0), r"^values and lower must be 0"),
    (lambda: numbers.private_bound_rmse(PrivateBound([1.0], -1.0, 1.0, 1.0, 1.0), 1.0), r"^values and lower must be 0"),
])
def test_what_is_no_bound_is_refused(make, said):
    with pytest.raises(InvalidParameter, match=said):
        make()
