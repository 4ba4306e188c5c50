"""Tables with noise: the oracle, enumeration, the normal equations, draws, and what is refused."""

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
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    StaircaseNoise,
)
from dpstudio.models import table

ROWS = rows_of("tables")
NOISES = [LaplaceNoise(2.0), GeometricNoise(0.5), GeometricNoise(1.5, 3), GaussianNoise(3.0),
          DiscreteGaussianNoise(0.6), DiscreteGaussianNoise(5.0)]
WHOLE = [noise for noise in NOISES if noise.is_whole]


@pytest.mark.parametrize("row", ROWS, ids=called)
def test_that_tables_equal_the_oracle(row):
    assert is_near(row, found(row))


def test_all_that_is_named_is_there():
    assert all(callable(getattr(table, name)) for name in table.__all__)
    assert {row["call"] for row in ROWS} <= {f"dpstudio.models.table.{name}" for name in table.__all__}


# How far off


@pytest.mark.parametrize("neighbours", ["add or remove", "replace"])
@pytest.mark.parametrize(("cells", "per_person", "most"), [(1, 1, 1), (2, 1, 2), (3, 2, 1), (3, 1, 2), (4, 2, 1)])
def test_no_person_moves_a_table_further_and_some_moves_it_as_far(cells, per_person, most, neighbours):
    people = [np.array(each) for each in itertools.product(range(most + 1), repeat=cells)
              if np.count_nonzero(each) <= per_person]
    others = people if neighbours == "replace" else [np.zeros(cells)]
    moves = [one - other for one in people for other in others]
    expected = max(np.abs(m).sum() for m in moves), max(math.sqrt((m * m).sum()) for m in moves)
    assert table.sensitivities(cells, per_person, most, neighbours) == pytest.approx(expected, rel=1e-15)


@given(cells=st.integers(1, 10**9), lacks=st.floats(1e-12, 0.99), kind=st.integers(0, len(NOISES) - 1))
@example(cells=1, lacks=0.99, kind=1)
@example(cells=10**9, lacks=1e-12, kind=4)
def test_all_cells_are_within_the_width_as_often_as_asked_and_whole_ones_no_less(cells, lacks, kind):
    noise, kept = NOISES[kind], 1 - lacks
    t = table.half_width(noise, cells, kept)
    reached = table.coverage(noise, cells, t)
    if noise.is_whole:
        assert t == math.floor(t) >= 0
        assert reached >= kept * (1 - 1e-12)
        assert t == 0 or table.coverage(noise, cells, t - 1) < kept * (1 + 1e-12)
    else:
        lost, asked = -math.log(reached), -math.log(kept)
        assert lost == pytest.approx(asked, rel=1e-9, abs=1e-15)


def test_a_width_is_that_of_each_cell_at_the_root_and_a_little_less_than_its_share():
    b = LaplaceNoise(1.0)
    assert table.half_width(b, 10, 0.95) == pytest.approx(5.2753439, rel=1e-7)
    assert table.half_width(b, 10, 0.95) < math.log(200) == pytest.approx(5.298317, rel=1e-6)
    assert table.half_width(b, 1, [0.5, 0.95]).tolist() == pytest.approx([math.log(2), math.log(20)], rel=1e-14)
    assert table.coverage(b, [1, 2], 0.0).tolist() == [0.0, 0.0]
    mpmath.mp.dps = 40
    exact = -mpmath.log(-mpmath.expm1(mpmath.log(mpmath.mpf(0.95)) / 10**9))
    assert table.half_width(b, 10**9, 0.95) == pytest.approx(float(exact), rel=1e-14)


def test_a_whole_width_at_a_tail_that_is_just_what_is_allowed_is_not_one_more():
    class Just(GeometricNoise):
        def quantile(self, p):
            return -2.0 + 0 * np.asarray(p)

        def cdf(self, x):
            return 0.25 + 0 * np.asarray(x)

    assert table.half_width(Just(1.0), 1, 0.5) == 1.0
    assert table.half_width(Just(1.0), 1, 0.75) == 2.0


def test_a_whole_width_at_a_tail_that_is_met_is_not_one_more():
    noise = GeometricNoise(math.log(2))
    tail = float(noise.tail(3))  # Pr[X > 2]
    for t in (2, 3):
        kept = 1 - 2 * tail if t == 2 else 1 - 2 * tail * (1 - 1e-9)
        assert table.half_width(noise, 1, kept) == t


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_the_smallest_cell_has_its_relative_error_and_one_less_has_not(noise):
    for part, kept in ((0.1, 0.95), (0.03, 0.5), (2.0, 0.999)):
        n, t = table.smallest_cell(noise, part, kept), table.half_width(noise, 1, kept)
        assert n == math.floor(n)
        assert part * n >= t > part * (n - 1)
        reach = math.floor(part * n) if noise.is_whole else part * n
        assert table.coverage(noise, 1, reach) >= kept * (1 - 1e-12)


@pytest.mark.parametrize(("width", "part", "least"), [(3, 0.1, 30), (3, 0.3, 10), (3, 0.7, 5), (3, 1.0, 3),
                                                     (9, 0.009, 1000), (27, 0.009, 3001)])
def test_the_smallest_cell_is_the_first_whose_part_is_no_less_than_the_width(width, part, least):
    class Fixed(GeometricNoise):
        def quantile(self, p):
            return -width + 0.0 * np.asarray(p)

        def cdf(self, x):
            return 0.5 + 0.0 * np.asarray(x)

    found = table.smallest_cell(Fixed(1.0), part, 0.95)
    assert found == least
    assert part * found >= width > part * (found - 1)


def test_where_whole_noise_is_next_to_none_any_cell_is_large_enough():
    assert table.smallest_cell(GeometricNoise(30.0), 0.1, 0.95) == 0.0


@given(n=st.lists(st.integers(0, 300), min_size=1, max_size=5), kind=st.integers(0, len(NOISES) - 1))
def test_a_clamped_bias_is_what_lies_below_zero(n, kind):
    noise = NOISES[kind]
    found = table.clamped_bias(noise, n)
    assert found.shape == (len(n),)
    assert found[0] == table.clamped_bias(noise, n[0])
    mpmath.mp.dps = 30
    count = n[0]
    if noise.is_whole:
        j = np.arange(1, 400.0)
        expected = float((j * noise.density(count + j)).sum())
    elif isinstance(noise, LaplaceNoise):
        expected = float(mpmath.exp(-mpmath.mpf(count) / 2))
    else:
        z = mpmath.mpf(count) / 3
        expected = float(3 * (mpmath.npdf(z) - z * mpmath.ncdf(-z)))
    assert found[0] == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_a_thousand_empty_cells_add_half_a_thousand():
    assert table.clamped_bias(LaplaceNoise(1.0), np.zeros(1000)).sum() == pytest.approx(500)


def test_rounded_noise_has_the_variance_of_its_masses():
    for scale in (0.2, 1.0, 7.0):
        k = np.arange(1, 3000.0)
        expected = 2 * (k * k * np.exp(-k / scale)).sum() * math.sinh(1 / (2 * scale))
        assert table.rounded_variance(scale) == pytest.approx(expected, rel=1e-12)
        assert table.rounded_variance(scale) > GeometricNoise(1 / scale).sd ** 2
    assert table.rounded_variance([1e-300, 1e-3]).tolist() == pytest.approx([0.0, 0.0], abs=1e-200)
    assert table.rounded_variance(1e9) == pytest.approx(2e18, rel=1e-12)


@pytest.mark.parametrize("noise", [
    LaplaceNoise(1e-300), LaplaceNoise(1e300), GaussianNoise(1e-300), GaussianNoise(1e200), GeometricNoise(1e-12),
    GeometricNoise(1e4), DiscreteGaussianNoise(1e-3), DiscreteGaussianNoise(1e12)], ids=repr)
def test_no_noise_is_too_small_or_too_large_for_an_answer(noise):
    answers = [*table.order(noise, 10**9), *table.wins(noise, [10**9, 0, 5, 5]), table.coverage(noise, 10**9, 1e6),
               table.top_right(noise, [10**9, 0, 5, 5], 1), *table.shown(noise, [0, 1, 10**9], 1e6),
               table.threshold_delta(noise, 50, 0.1, 1)]
    assert all(0 <= each <= 1 + 1e-12 for each in answers)
    for answer in (table.half_width(noise, 10**9, 0.999999), table.smallest_cell(noise, 1e-6, 0.95),
                   *table.clamped_bias(noise, [0, 10**9])):
        assert 0 <= answer < math.inf


# Order


@pytest.mark.parametrize("noise", WHOLE, ids=repr)
def test_the_order_of_two_is_that_of_all_pairs_of_whole_noises(noise):
    x = np.arange(-400, 401.0)
    mass = noise.density(x)
    for gap in (0, 1, 2, 7, 40):
        right, tie, wrong = table.order(noise, gap)
        pairs = np.add.outer(x + gap, -x)
        both = np.outer(mass, mass)
        assert wrong == pytest.approx(both[pairs < 0].sum(), rel=1e-12)
        assert tie == pytest.approx(both[pairs == 0].sum(), rel=1e-12)
        assert right == pytest.approx(both[pairs > 0].sum(), rel=1e-12)


@pytest.mark.parametrize("noise", [LaplaceNoise(2.0), GaussianNoise(3.0)], ids=repr)
def test_the_order_of_two_is_its_integral(noise):
    mpmath.mp.dps = 25
    for gap in (0.0, 0.7, 5.0, 80.0):
        if isinstance(noise, LaplaceNoise):
            expected = mpmath.quad(lambda x, gap=gap: mpmath.exp(-abs(x) / 2) / 4 * (
                mpmath.exp((x - gap) / 2) / 2 if x < gap else 1 - mpmath.exp((gap - x) / 2) / 2),
                [-200, -50, 0, gap, gap + 50, gap + 300])
        else:
            expected = mpmath.ncdf(-gap / (3 * mpmath.sqrt(2)))
        right, tie, wrong = table.order(noise, gap)
        assert wrong == pytest.approx(float(expected), rel=1e-12)
        assert (tie, right) == (0.0, 1 - wrong)


def test_wide_discrete_gaussians_are_summed_in_steps_and_are_nearly_normal():
    for sigma in (15.9, 16.1, 40.0, 1e4, 1e9):
        gap = round(2 * sigma)
        right, tie, wrong = table.order(DiscreteGaussianNoise(sigma), gap)
        normal = table.order(GaussianNoise(sigma), gap + 0.5)[2]
        assert wrong == pytest.approx(normal, rel=1 / sigma**2)
        assert tie == pytest.approx(math.exp(-(gap / sigma) ** 2 / 4) / (2 * math.sqrt(math.pi) * sigma), rel=1e-11)
        assert right + tie + wrong == pytest.approx(1, abs=1e-15)
    for sigma in (15.9, 16.1, 33.0):
        x = np.arange(-900, 901.0)
        noise = DiscreteGaussianNoise(sigma)
        expected = float((noise.density(x) * noise.tail(x + 21)).sum())
        assert table.order(noise, 20)[2] == pytest.approx(expected, rel=1e-12)


@given(log_scale=st.floats(-5, 14), gap=st.integers(0, 10**7), kind=st.integers(0, 3))
def test_two_cells_are_ordered_as_the_largest_of_two_is_found(log_scale, gap, kind):
    scale = math.exp(log_scale)
    noise = [LaplaceNoise(scale), GeometricNoise(min(1 / scale, 700.0)), GaussianNoise(scale),
             DiscreteGaussianNoise(scale)][kind]
    right, tie, wrong = table.order(noise, gap)
    assert 0 <= wrong <= right * (1 + 1e-14) <= 1 + 1e-14
    chances = table.wins(noise, [gap, 0])
    if wrong + tie > 1e-280:
        assert chances[1] == pytest.approx(wrong + tie / 2, rel=2e-11)
    if gap:
        assert table.top_right(noise, [0, gap], 1) == pytest.approx(right, rel=1e-11)
    arrays = table.order(noise, [gap, 0])
    assert [each.shape for each in arrays] == [(2,)] * 3
    assert arrays[2][0] == wrong


def test_cells_win_in_the_order_given_and_all_of_them_are_on_top_together():
    noise = GeometricNoise(0.5)
    found = table.wins(noise, [5, 20, 10])
    assert found[1] > found[2] > found[0]
    assert table.top_right(noise, [5, 20, 10], 3) == 1.0
    assert table.wins(noise, [7]).tolist() == [1.0]
    assert table.top_right(LaplaceNoise(1.0), [5, 20, 10], 1) == pytest.approx(
        table.wins(LaplaceNoise(1.0), [5, 20, 10])[1], rel=1e-13)


# Secret names


def exact_delta(noise, threshold, epsilon, cells, reach):
    """The largest Σ (p − e^ε q)⁺ over pairs of outcomes of κ ≤ 2 cells, j of which the person is alone in."""
    tau = math.ceil(threshold)
    x = np.arange(-reach, reach + 1)

    def seen(count):  # the masses of “hidden” and of what is published
        if not count:
            return np.append(1.0, np.zeros(x.size))
        mass = noise.density(x - float(count))
        return np.append(mass[x < tau].sum(), np.where(x >= tau, mass, 0.0))

    worst = 0.0
    for before in itertools.product((0, tau + 3), repeat=cells):
        p, q = np.ones(1), np.ones(1)
        for count in before:
            p, q = np.outer(p, seen(count + 1)).reshape(-1), np.outer(q, seen(count)).reshape(-1)
        for one, other in ((p, q), (q, p)):
            worst = max(worst, float(np.maximum(one - math.exp(epsilon) * other, 0).sum()))
    return worst


@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize(("noise", "threshold"), [
    (GeometricNoise(0.9), 6), (GeometricNoise(0.9), 1.5), (GeometricNoise(1.2, 2), 4), (DiscreteGaussianNoise(2.7), 9),
    (DiscreteGaussianNoise(0.6), 2)], ids=repr)
def test_the_delta_of_a_threshold_is_at_least_that_of_all_cells_and_outcomes(noise, threshold, cells):
    """Counts so high that what is published of them is nearly never hidden come near it."""
    for epsilon in (0.0, 0.5, 1.3, 2.5):
        found = table.threshold_delta(noise, threshold, epsilon, cells)
        tall = exact_delta(noise, threshold, epsilon, cells, 90)
        assert tall <= found * (1 + 1e-10)
        assert found <= tall + 0.05


@pytest.mark.parametrize("noise", [GeometricNoise(0.9), DiscreteGaussianNoise(0.6), DiscreteGaussianNoise(2.7)],
                         ids=repr)
def test_the_delta_of_a_threshold_is_attained_beside_counts_without_end(noise):
    """Of one cell with many records what is hidden has no mass: the two-dimensional sum of noise and of a new cell."""
    x = np.arange(-90, 91.0)
    for threshold, epsilon in ((4, 0.0), (4, 0.7), (7, 1.5), (9, 3.0)):
        alone = noise.tail(threshold - 1)
        fresh = (np.append(1 - alone, noise.density(x[x >= threshold] - 1)), np.append(1, 0 * x[x >= threshold]))
        tall = noise.density(x - 1), noise.density(x)
        for cells, pairs in ((1, [fresh, tall]), (2, [
                tuple(np.outer(a, b) for a, b in zip(one, other, strict=True))
                for one, other in ((fresh, fresh), (fresh, tall), (tall, tall))])):
            worst = max(np.maximum(a - math.exp(epsilon) * b, 0).sum() for p, q in pairs for a, b in ((p, q), (q, p)))
            assert table.threshold_delta(noise, threshold, epsilon, cells) == pytest.approx(worst, rel=1e-11, abs=1e-16)


def test_the_delta_of_noise_and_threshold_together_is_only_a_bound():
    noise = GaussianNoise(10.0)
    exact = table.threshold_delta(noise, 60, 1.0, 4)
    told = -math.expm1(4 * math.log1p(-noise.tail(59)))
    assert exact == pytest.approx(1.75e-8, rel=3e-3)
    assert told + noise.delta_at(1.0, 2.0) == pytest.approx(2.48e-8, rel=2e-3)


@given(kind=st.integers(0, len(NOISES) - 1), cells=st.integers(1, 6), threshold=st.floats(-3, 60),
       epsilon=st.floats(0, 12))
def test_the_delta_of_a_threshold_falls_with_it_and_lies_between_its_parts(kind, cells, threshold, epsilon):
    noise = NOISES[kind]
    found = table.threshold_delta(noise, threshold, [epsilon, epsilon + 1], cells)
    assert found[0] >= found[1] >= 0
    alone = table.shown(noise, 1, threshold)
    told = -math.expm1(cells * math.log1p(-alone)) if alone < 1 else 1.0
    assert found[1] >= told * (1 - 1e-12)
    assert found[0] == pytest.approx(table.threshold_delta(noise, threshold, epsilon, cells), rel=1e-12)
    assert table.threshold_delta(noise, threshold, epsilon, cells + 1) >= found[0] * (1 - 1e-12)
    assert table.threshold_delta(noise, threshold + 1, epsilon, cells) <= found[0] * (1 + 1e-12)


def test_pure_noise_at_its_own_epsilon_needs_the_threshold_alone():
    for cells in (1, 3, 50):
        noise = LaplaceNoise(float(cells))
        alone = math.exp(-29.0 / cells) / 2
        assert table.threshold_delta(noise, 30, 1.0, cells) == pytest.approx(
            -math.expm1(cells * math.log1p(-alone)), rel=1e-12)
    # A cell that is shown in most cases is missed with more than ε.
    low = LaplaceNoise(1.0)
    assert table.threshold_delta(low, -1, 1.0, 1) == pytest.approx(1 - math.exp(-2) / 2, rel=1e-12)
    assert table.threshold_delta(low, -100.0, 1.0, 1) == 1.0


def test_a_cell_is_shown_where_it_comes_to_the_threshold_and_never_without_anybody():
    noise = GeometricNoise(0.5)
    assert table.shown(noise, [0, 1, 20], 20).tolist() == [0.0, noise.tail(19), noise.tail(0)]
    assert table.shown(noise, 5, 7.5) == noise.tail(3)
    assert type(table.shown(noise, 0, 20)) is float


# Totals


def solved(design, variances):
    """The covariance and the gain of least squares by the normal equations."""
    weighed = design.T / variances
    covariance = np.linalg.inv(weighed @ design)
    return covariance, covariance @ weighed


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (4, 2), (1, 5)])
def test_a_two_way_table_has_the_variances_and_cells_of_the_normal_equations(rows, columns):
    variances = (2.0, 3.0, 0.5, 0.1)
    cells = np.arange(rows * columns).reshape(rows, columns)
    row_of = np.array([(cells // columns == i).ravel() for i in range(rows)], dtype=float)
    column_of = np.array([(cells % columns == j).ravel() for j in range(columns)], dtype=float)
    design = np.vstack([np.eye(rows * columns), row_of, column_of, np.ones((1, rows * columns))])
    of = np.repeat(variances, [rows * columns, rows, columns, 1])
    covariance, gain = solved(design, of)
    expected = [covariance[0, 0], row_of[0] @ covariance @ row_of[0], column_of[0] @ covariance @ column_of[0],
                covariance.sum()]
    assert table.two_way(rows, columns, *variances) == pytest.approx(expected, rel=1e-12)
    noisy = np.random.default_rng(4).normal(100, 10, len(of))
    given_ = noisy[:cells.size].reshape(rows, columns), noisy[cells.size:-1][:rows], noisy[cells.size:-1][rows:]
    adjusted, of_rows, of_columns, total = table.reconciled(*given_, noisy[-1], variances)
    assert adjusted.ravel() == pytest.approx(gain @ noisy, rel=1e-12)
    assert of_rows == pytest.approx(adjusted.sum(axis=1), rel=1e-14)
    assert of_columns == pytest.approx(adjusted.sum(axis=0), rel=1e-14)
    assert total == pytest.approx(adjusted.sum(), rel=1e-14)
    assert type(total) is float


@pytest.mark.parametrize("cells", [1, 2, 7])
def test_cells_with_a_total_have_those_of_the_normal_equations(cells):
    design = np.vstack([np.eye(cells), np.ones((1, cells))])
    covariance, gain = solved(design, np.append(np.full(cells, 8.0), 2.0))
    assert table.with_total(8.0, 2.0, cells) == pytest.approx((covariance[0, 0], covariance.sum()), rel=1e-12)
    noisy = np.random.default_rng(5).normal(50, 9, cells + 1)
    adjusted, total = table.reconciled_total(noisy[:-1], noisy[-1], 8.0, 2.0)
    assert adjusted == pytest.approx(gain @ noisy, rel=1e-12)
    assert total == pytest.approx(adjusted.sum(), rel=1e-14)


def test_numbers_that_agree_stay_as_they_are_and_merging_first_is_better():
    cells = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    adjusted, rows, columns, total = table.reconciled(cells, [6, 15], [5, 7, 9], 21, (1, 2, 3, 4))
    assert (adjusted == cells).all()
    assert (rows.tolist(), columns.tolist(), total) == ([6, 15], [5, 7, 9], 21)
    assert table.reconciled_total([1, 2], 3.0, 1.0, 1.0)[0].tolist() == [1, 2]
    assert table.merged(8.0, 5) == (8.0, 40.0)
    assert table.with_total([8.0, 1e-300], 1e300, 10**9)[0].tolist() == pytest.approx([8.0, 1e-300], rel=1e-12)


# What is refused

LAPLACE = LaplaceNoise(1.0)


@pytest.mark.parametrize(("asked", "said"), [
    (lambda: table.sensitivities(0, 1, 1, "replace"), r"^cells must be an integer in \[1, .*, got 0$"),
    (lambda: table.sensitivities(2, 1.5, 1, "replace"), r"^per_person must be an integer in \[1, "),
    (lambda: table.sensitivities(2, 1, 0, "replace"), r"^most must be in \(0, ∞\), got 0\.0$"),
    (lambda: table.sensitivities(2, 1, 1, "swap"), r"^neighbours must be one of add or remove, replace, got 'swap'$"),
    (lambda: table.half_width(LAPLACE, 2, 1.0), r"^confidence must be in \(0, 1\), got 1\.0$"),
    (lambda: table.half_width(LAPLACE, math.nan, 0.9), r"^cells must be an integer in"),
    (lambda: table.coverage(LAPLACE, 2, -1), r"^half_width must be in \[0, ∞\), got -1\.0$"),
    (lambda: table.smallest_cell(LAPLACE, 0.0, 0.9), r"^relative must be in \(0, ∞\), got 0\.0$"),
    (lambda: table.order(LAPLACE, -1), r"^gap must be in \[0, ∞\), got -1\.0$"),
    (lambda: table.order(GeometricNoise(1.0), 0.5), r"^gap must be an integer in \[0, .*, got 0\.5$"),
    (lambda: table.order(StaircaseNoise(1.0), 1), r"^noise must be Laplace, geometric, Gaussian or discrete Gaussian"),
    (lambda: table.wins(LAPLACE, [1.5, 2]), r"^counts must be an integer in \[0, .*, got 1\.5$"),
    (lambda: table.wins(LAPLACE, []), r"^counts must be a list of counts, got \[\]$"),
    (lambda: table.wins(LAPLACE, [[1, 2]]), r"^counts must be a list of counts, got"),
    (lambda: table.wins(StaircaseNoise(1.0), [1, 2]), r"^noise must be Laplace, geometric, Gaussian or discrete"),
    (lambda: table.top_right(LAPLACE, [3, 2], 0), r"^k must be an integer in \[1, 2\], got 0$"),
    (lambda: table.top_right(LAPLACE, [3, 2], 3), r"^k must be an integer in \[1, 2\], got 3$"),
    (lambda: table.top_right(LAPLACE, [3, 3, 2], 1), r"^k must be such that the k-th largest count is larger"),
    (lambda: table.clamped_bias(LAPLACE, -1), r"^count must be an integer in \[0, .*, got -1$"),
    (lambda: table.clamped_bias(LAPLACE, math.nan), r"^count must be an integer in"),
    (lambda: table.shown(LAPLACE, 1, math.inf), r"^threshold must be in \(−∞, ∞\), got"),
    (lambda: table.threshold_delta(LAPLACE, 5, -1.0, 1), r"^epsilon must be in \[0, ∞\), got -1\.0$"),
    (lambda: table.threshold_delta(LAPLACE, 5, 1.0, 0), r"^cells_per_person must be an integer in \[1, "),
    (lambda: table.with_total(0.0, 1.0, 2), r"^cell_variance must be in \(0, ∞\), got 0\.0$"),
    (lambda: table.two_way(2, 2, 1, 1, math.nan, 1), r"^column_variance must be in \(0, ∞\), got nan$"),
    (lambda: table.rounded_variance(0.0), r"^scale must be in \(0, ∞\), got 0\.0$"),
    (lambda: table.merged(1.0, 0), r"^cells must be an integer in \[1, "),
    (lambda: table.reconciled([1, 2], [1], [1, 2], 3, (1, 1, 1, 1)), r"^cells must be a table of numbers, got"),
    (lambda: table.reconciled([[1, 2]], [1, 2], [1, 2], 3, (1, 1, 1, 1)), r"^rows must be a list of 1 numbers, got"),
    (lambda: table.reconciled([[1, 2]], [3], [1], 3, (1, 1, 1, 1)), r"^columns must be a list of 2 numbers, got"),
    (lambda: table.reconciled([[1, 2]], [3], [1, 2], 3, (1, 1, 1)), r"^variances must be those of a cell, a row,"),
    (lambda: table.reconciled([[1, 2]], [3], [1, 2], math.nan, (1, 1, 1, 1)), r"^total must be in \(−∞, ∞\), got nan$"),
    (lambda: table.reconciled_total([[1]], 3, 1, 1), r"^cells must be a list of numbers, got"),
    (lambda: table.reconciled_total([1], 3, 1, -1), r"^total_variance must be in \(0, ∞\), got -1\.0$"),
])
def test_what_lies_outside_is_refused_in_one_sentence(asked, said):
    with pytest.raises(InvalidParameter, match=said):
        asked()
