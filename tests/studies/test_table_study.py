"""What the table study says of its own: widths, names, secret names, margins, and how counts are read."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Column
from dpstudio.core.study import answer, fact
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.models.table.laws import CellsProfile, law_of_cells, least_noise, least_threshold
from dpstudio.studies import table as f
from dpstudio.studies.table.compared import cells_of

Table = f.Table


def value(quantity, series=None, **values):
    return fact(Table(**values), quantity, series).value


def headline(**values):
    return [str(each) for each in itertools.islice(Table(**values).answer().sentences(), 2)]


def test_that_the_reference_tables_are_answered_as_they_were_checked():
    assert headline() == [
        "Use discrete Laplace noise: all 100 groups are within ±7 together in 95 of 100 tables, and it spends no δ.",
        "Runner-up: Gaussian noise, within ±14.7; it spends δ = 1e−6."]
    assert headline(per_person=10) == [
        "Use Gaussian noise: all 100 groups are within ±46.5 together in 95 of 100 tables, and it spends δ = 1e−6.",
        "Runner-up: discrete Laplace noise, within ±76; it spends no δ."]


@pytest.mark.parametrize("series", f.NOISES, ids=lambda one: one.key)
def test_that_all_groups_are_within_t_as_often_as_is_said_and_no_smaller_whole_t_is_enough(series):
    one = Table(groups=40, per_person=3).answer().get(series)
    rng = np.random.default_rng(5)
    drawn = np.abs(np.asarray(one.noise.sample((100_000, 40), rng), dtype=float)).max(axis=1)
    share = (drawn <= one.within_all).mean()
    exact = value(v.COVERAGE_ALL, series, groups=40, per_person=3)
    assert abs(share - exact) < 5 * math.sqrt(exact * (1 - exact) / 1e5)
    assert exact >= 0.95 * (1 - 1e-12)
    if one.noise.is_whole:
        assert (1 - float(one.noise.error_exceeds(one.within_all - 1))) ** 40 < 0.95


def test_that_made_up_counts_are_whole_fall_and_have_the_sum_that_is_asked_for():
    for groups, people, falloff in ((1, 7, 1.0), (100, 10_000, 1.0), (7, 3, 0.0), (13, 10**12, 2.5), (5, 0, 1.0)):
        counts = cells_of(Table(groups=groups, people=people, falloff=falloff)).counts
        assert counts.sum() == people
        assert (np.diff(counts) <= 0).all()
        assert (counts == np.floor(counts)).all()
        assert counts.size == groups


def test_that_a_list_is_read_with_names_and_merged_in_its_order():
    cells = cells_of(Table(cells="a:5,b:1,c:9,d:0,e:2", merged=2))
    assert cells.counts.tolist() == [6, 9, 2]
    assert cells.names == ("a + b", "c + d", "e")
    assert cells.order.tolist() == [1, 0, 2]
    assert cells_of(Table(cells="0×3,7")).counts.tolist() == [0, 0, 0, 7]
    assert value(v.SUMMED_SD, f.LAPLACE, cells="1,2,3,4", merged=2) == pytest.approx(2.0)


@pytest.mark.parametrize("kind", [LaplaceNoise, GeometricNoise, GaussianNoise, DiscreteGaussianNoise])
@pytest.mark.parametrize(("cells", "epsilon"), [(2, 1.0), (3, 6.0), (10, 0.3)])
def test_that_the_noise_of_several_cells_is_the_least_that_keeps_the_guarantee(kind, cells, epsilon):
    delta = 1e-5
    noise = least_noise(kind, epsilon, delta, cells, 1)
    profile = CellsProfile(noise, cells)
    allowed = delta if kind.needs_delta else 0.0
    assert profile.delta_at(epsilon) <= allowed * (1 + 1e-9) + 1e-15
    less = {LaplaceNoise: lambda: LaplaceNoise(noise.noise_scale * 0.99),
            GeometricNoise: lambda: GeometricNoise(epsilon * 1.01, cells),
            GaussianNoise: lambda: GaussianNoise(noise.sigma * 0.999),
            DiscreteGaussianNoise: lambda: DiscreteGaussianNoise(noise.sigma * 0.995)}[kind]()
    assert CellsProfile(less, cells).delta_at(epsilon) > allowed
    law, _ = law_of_cells(noise, cells, 1)
    at = np.linspace(0, epsilon, 9)[:-1]
    np.testing.assert_allclose(law.delta_at(at), profile.delta_at(at), rtol=2e-7, atol=1e-14)


def test_that_laplace_noise_on_two_cells_has_the_profile_of_an_integral():
    """δ(x) = E (1 − e^(x − ℓ₁ − ℓ₂))⁺ with losses from −e to e, on a fine grid."""
    law, kind = law_of_cells(LaplaceNoise(2.0), 2, 1)
    assert kind == "exact"
    grid = np.linspace(-50, 50, 4001)
    p, q = (np.exp(-np.abs(grid - shift) / 2) for shift in (1, 0))
    p, q = p / p.sum(), q / q.sum()
    for at in (0.0, 0.3, 0.8):
        both = np.maximum(np.outer(p, p) - math.exp(at) * np.outer(q, q), 0).sum()
        assert law.delta_at(at) == pytest.approx(both, rel=2e-3)


@pytest.mark.parametrize(("cells", "epsilon", "delta"), [(1, 1.0, 1e-6), (4, 1.0, 1e-6), (3, 0.1, 1e-3), (2, 8.0,
                         0.01)])
@pytest.mark.parametrize("kind", [LaplaceNoise, GeometricNoise, GaussianNoise, DiscreteGaussianNoise])
def test_that_a_threshold_of_secret_names_is_the_least_whole_one(kind, cells, epsilon, delta):
    from dpstudio.models.table import threshold_delta

    noise = least_noise(kind, epsilon, delta, cells, 1)
    threshold = least_threshold(noise, epsilon, delta, cells)
    at = epsilon * (1 + 1e-12)
    assert threshold == math.floor(threshold)
    assert float(threshold_delta(noise, threshold, at, cells)) <= delta * (1 + 1e-8)
    assert float(threshold_delta(noise, threshold - 1, at, cells)) > delta


def test_that_a_group_of_one_is_shown_as_seldom_as_delta_says():
    study = Table(keys="secret", groups=50, people=400)
    one = study.answer().get(f.GEOMETRIC)
    a = math.exp(-1.0)
    assert one.threshold == 15
    assert a ** (15 - 1) / (1 + a) <= 1e-6 < a ** (14 - 1) / (1 + a)
    hidden = sum(1 - a ** (15 - n) / (1 + a) if n < 15 else a ** (n - 14) / (1 + a) for n in one.cells.counts if n > 0)
    assert value(v.GROUPS_HIDDEN, f.GEOMETRIC, keys="secret", groups=50, people=400) == pytest.approx(hidden, rel=1e-12)


def test_that_each_way_names_the_largest_as_often_as_draws_of_its_noise():
    counts = np.array([20.0, 18, 18, 12, 3])
    rng, many = np.random.default_rng(3), 300_000
    noises = {f.EXPONENTIAL: rng.gumbel(size=(many, 5)) / 0.4, f.PERMUTE: rng.exponential(1 / 0.4, (many, 5)),
              f.NOISY_MAX: rng.laplace(0, 1 / 0.4, (many, 5))}
    for series, noise in noises.items():
        won = (counts + noise).argmax(axis=1)
        settings = {"released": "largest", "cells": "20,18,18,12,3", "epsilon": 0.4}
        right = value(v.LARGEST_RIGHT, series, **settings)
        assert abs((won == 0).mean() - right) < 5 * math.sqrt(right * (1 - right) / many)
        regret = (counts[0] - counts)[won]
        assert abs(regret.mean() - value(v.TABLE_REGRET, series, **settings)) < 5 * regret.std() / math.sqrt(many)
        assert value(v.LARGEST_RIGHT, series, **{**settings, "change": "replace"}) < right


def test_that_the_first_k_are_right_and_in_order_as_often_as_draws_say():
    counts, rng, many = np.array([12.0, 9, 7, 7, 2]), np.random.default_rng(4), 200_000
    for series, kind in ((f.LAPLACE, LaplaceNoise(2.0)), (f.GEOMETRIC, GeometricNoise(0.5, 1))):
        noisy = counts + np.asarray(kind.sample((many, 5), rng), dtype=float)
        for quantity, hits in ((v.FIRST_RIGHT, noisy[:, :2].min(axis=1) > noisy[:, 2:].max(axis=1)),
                               (v.ORDER_RIGHT, noisy[:, 1] > noisy[:, 2])):
            p = value(quantity, series, cells="12,9,7,7,2", epsilon=0.5, first=2)
            assert abs(hits.mean() - p) < 5 * math.sqrt(p * (1 - p) / many)
    none = Table(cells="12,9,7,7,2", first=3).answer()
    assert none.fact(v.FIRST_RIGHT, f.LAPLACE) is None
    assert none.fact(v.ORDER_RIGHT, f.LAPLACE) is None


def test_that_groups_that_are_never_the_largest_make_no_difference_to_who_is():
    cells = ",".join(map(str, [400, 399, 395, 390, 380, *range(0, 300, 3)]))
    for series in (f.GEOMETRIC, f.GAUSSIAN):
        one = Table(cells=cells).answer().get(series)
        assert one.largest_right == pytest.approx(one.wins[0] * one.cells.times[0], rel=1e-12)
    few = Table(released="largest", cells=f"5000,4998,{cells}", epsilon=2.0)
    for series in f.CHOOSING:
        one = few.answer().get(series)
        assert float(one.wins @ one.cells.times) == pytest.approx(1, rel=1e-12)


def test_that_margins_are_those_of_the_normal_equations():
    """Generalized least squares on cells, rows, columns and total, by matrices."""
    rows, columns, share = 3, 4, 0.3
    sds = [value(q, f.LAPLACE, groups=12, columns=4, margins="released", margin_share=share)
           for q in (v.AGREED_SD, v.ROW_SD, v.COLUMN_SD, v.TOTAL_SD)]
    cell = np.eye(12)
    row = np.kron(np.eye(rows), np.ones(columns))
    column = np.kron(np.ones(rows), np.eye(columns))
    design = np.vstack([cell, row, column, np.ones((1, 12))])
    weights = np.concatenate([np.full(12, (1 - share) ** 2 / 2), np.full(rows + columns + 1, (share / 3) ** 2 / 2)])
    covariance = np.linalg.inv(design.T @ (weights[:, None] * design))
    found = [covariance[0, 0], row[0] @ covariance @ row[0], column[0] @ covariance @ column[0],
             np.ones(12) @ covariance @ np.ones(12)]
    np.testing.assert_allclose(sds, np.sqrt(found), rtol=1e-10)
    added = [value(q, f.LAPLACE, groups=12, columns=4, margins="added") for q in (v.AGREED_SD, v.ROW_SD, v.TOTAL_SD)]
    np.testing.assert_allclose(added, math.sqrt(2) * np.array([1, 2, math.sqrt(12)]), rtol=1e-12)


def test_that_gaussian_margins_are_for_the_farthest_move_of_a_person():
    """Two groups of a person may be in one row, or both leave it for another where they are replaced."""
    from dpstudio.mechanisms.noise.profile import largest_mu

    mu = float(largest_mu(np.array(1.0), np.array(1e-6)))
    for change, row_move, total_move in (("add_or_remove", 2, 2), ("replace", 2 * math.sqrt(2), 2)):
        one = Table(groups=12, columns=4, margins="released", per_person=2, change=change).answer().get(f.GAUSSIAN)
        assert one._variance(0.25, 3) == pytest.approx((row_move / (0.5 * mu)) ** 2, rel=1e-9)
        assert one._variance(0.25, 1) == pytest.approx((total_move / (0.5 * mu)) ** 2, rel=1e-9)


def test_that_raising_to_zero_adds_what_draws_say():
    one = Table(cells="0×20,1,2", clamped=True).answer().get(f.LAPLACE)
    rng = np.random.default_rng(2)
    noisy = one.cells.counts + rng.laplace(0, 1, (200_000, 22))
    total = (np.maximum(noisy, 0) - one.cells.counts).sum(axis=1)
    assert abs(total.mean() - value(v.CLAMPED_TOTAL, f.LAPLACE, cells="0×20,1,2", clamped=True)) < 5 * total.std() / 447


def test_that_simulated_tables_come_to_what_is_exact():
    update = answer(Table(groups=30, people=300, trials=20_000))
    for series in f.NOISES:
        for seen, exact in ((v.WITHIN_SEEN, v.COVERAGE_ALL), (v.LARGEST_SEEN, v.LARGEST_RIGHT)):
            p = update.fact(exact, series).value
            assert abs(update.fact(seen, series).value - p) < 5 * math.sqrt(p * (1 - p) / 20_000) + 1e-9
    named = answer(Table(released="largest", groups=5, people=40, falloff=0.3, trials=20_000))
    for series in f.CHOOSING:
        p = named.fact(v.LARGEST_RIGHT, series).value
        assert abs(named.fact(v.LARGEST_SEEN, series).value - p) < 5 * math.sqrt(p * (1 - p) / 20_000)


def test_that_a_group_that_is_not_shown_is_drawn_at_zero_and_a_seed_draws_the_same_again():
    study = Table(keys="secret", groups=40, people=300, delta=1e-6)
    drawn = study.answer().table(f.CELLS_TABLE)[Column(v.RELEASED_CELL, f.GEOMETRIC)]
    assert (drawn[drawn != 0] >= 15).all()
    assert (drawn == 0).any()
    np.testing.assert_array_equal(drawn, study.answer().table(f.CELLS_TABLE)[Column(v.RELEASED_CELL, f.GEOMETRIC)])
    other = study.replace(seed=1).answer().table(f.CELLS_TABLE)[Column(v.RELEASED_CELL, f.GEOMETRIC)]
    assert (drawn != other).any()


def test_that_a_noisy_count_at_the_threshold_is_shown():
    lowest = [drawn[drawn > 0].min() for seed in range(60) for drawn in [Table(
        keys="secret", groups=30, people=450, falloff=0.0, seed=seed).answer().get(f.GEOMETRIC).released()]]
    assert min(lowest) == 15


@pytest.mark.parametrize(("values", "said"), [
    ({"cells": "-3"}, "(-3 is none of these)"), ({"cells": "0×100001"}, "these are 100001 numbers"),
    ({"cells": "1.5"}, "(1.5 is none of these)"), ({"groups": 0}, "groups must be an integer in [1, 1e5], got 0"),
    ({"per_person": 0}, "per_person must be an integer in [1, 1000], got 0"),
    ({"epsilon": math.nan}, "epsilon must be in [1e-6, 20], got nan"),
])
def test_that_what_is_no_table_is_refused_in_one_sentence(values, said):
    with pytest.raises(InvalidParameter) as refusal:
        Table(**values)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("values", [
    {"groups": 1}, {"cells": "5,5,5"}, {"cells": "0×40"}, {"groups": 3, "per_person": 1000}, {"columns": 7,
     "margins": "released"}, {"first": 100_000}, {"cells": "0×100000"}, {"epsilon": 1e-6, "per_person": 1000},
    {"epsilon": 20.0, "delta": 0.0}, {"cells": f"{2**53},0"}, {"keys": "secret", "per_person": 1000, "rows": 7},
    {"change": "replace", "rows": 10_000, "per_person": 50, "epsilon": 20.0},
])
@pytest.mark.parametrize("released", ["counts", "largest"])
def test_that_odd_tables_are_answered_with_numbers(values, released):
    found = Table(**values, released=released).answer()
    assert list(found.sentences())
    for each in found.facts():
        assert not math.isnan(each.value), each.key
    for name in f.Table.answers().tabled:
        if not name.startswith(("frontier", "risk")):
            found.table(name)


def test_that_the_width_of_gaussian_noise_is_that_of_its_own_root():
    sigma = 1 / brentq(lambda mu: GaussianNoise(1 / mu).delta_at(1.0) - 1e-6, 0.01, 5, xtol=1e-14)
    assert value(v.NOISE_SCALE, f.GAUSSIAN, per_person=4, rows=3) == pytest.approx(6 * sigma, rel=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("series", [f.LAPLACE, f.GAUSSIAN])
def test_that_rounded_counts_are_within_what_is_said_of_them_and_within_no_less(series, level):
    """All |round(X)| ≤ t with probability (Pr[|X| < t + ½])^K: t is whole, and the least with as much."""
    study = Table(groups=7, rounded=True, error_level=level, epsilon=0.7)
    one = study.answer().one(series)
    width, noise = one.within_all, one.noise

    def kept(t):
        return (1 - noise.error_exceeds(t + 0.5)) ** 7

    assert width == int(width)
    assert kept(width) >= level > (kept(width - 1) if width else 0)
    assert value(v.COVERAGE_ALL, series, groups=7, rounded=True, error_level=level, epsilon=0.7) == pytest.approx(
        kept(width), rel=1e-12)
    least = value(v.SMALLEST_CELL, series, groups=7, rounded=True, error_level=level, epsilon=0.7)
    assert 1 - noise.error_exceeds(math.floor(study.relative * least + 1e-9) + 0.5) >= level
    assert 1 - noise.error_exceeds(math.floor(study.relative * (least - 1) + 1e-9) + 0.5) < level


def test_that_rounded_tables_are_seen_within_as_often_as_is_said():
    update = answer(Table(groups=5, rounded=True, trials=20_000, epsilon=0.7, error_level=0.6))
    for series in (f.LAPLACE, f.GAUSSIAN):
        seen, kept = update.fact(v.WITHIN_SEEN, series), update.fact(v.COVERAGE_ALL, series)
        assert seen.low <= kept.value <= seen.high


# What is not released of everybody, or not as it was drawn


def test_that_groups_are_merged_only_where_a_person_is_in_one_of_them():
    assert cells_of(Table(groups=100, merged=50)).size == 2
    several = Table(groups=100, merged=50, per_person=10)
    assert cells_of(several).size == 100
    assert not several.parameter("merged").matters(several.values())
    assert several.parameter("merged").condition == "Used only where per_person is 1."
    assert several.answer().fact(v.SUMMED_SD, f.LAPLACE) is None


def test_that_of_secret_names_nothing_is_said_of_order_and_widths_are_bounds():
    for settings in ({"cells": "9,3,2,0,0,0,0", "delta": 0.05}, {"cells": "40,22,21,0,3", "delta": 0.01}):
        answer_ = Table(keys="secret", clamped=True, rounded=True, columns=2, margins="added", **settings).answer()
        for series, one in answer_.noised.items():
            for quantity in (v.LARGEST_RIGHT, v.FIRST_RIGHT, v.ORDER_RIGHT, v.CLAMPED_TOTAL, v.AGREED_SD):
                assert answer_.fact(quantity, series) is None
            counts = np.array([float(each) for each in settings["cells"].split(",")])
            noisy = counts + np.asarray(one.noise.sample((40_000, counts.size), np.random.default_rng(1)), dtype=float)
            released = np.maximum(np.rint(noisy) if one.rounds else noisy, 0.0)
            off = np.where((counts > 0) & (noisy >= one.threshold), np.abs(released - counts), 0.0)
            share = (off.max(axis=1) <= one.within_all).mean()
            said = answer_.fact(v.COVERAGE_ALL, series)
            assert (said.kind, said.at_least) == ("bound", True)
            assert share >= said.value - 5 * math.sqrt(0.05 / 40_000)
            assert answer_.fact(v.WITHIN_ALL, series).kind == "bound"
            assert answer_.fact(v.TOO_SMALL, series).value <= (counts > 0).sum()
        said = " ".join(map(str, answer_.sentences()))
        assert "unequal" not in said
        assert "too large" not in said
        assert "off by more than" not in said


@pytest.mark.parametrize("settings", [{"cells": "0×99,120,80"}, {"cells": "3,2,1", "rounded": True},
                                      {"cells": "5,100", "relative": 1.0, "epsilon": 0.5}], ids=str)
def test_that_counts_raised_to_0_are_within_t_at_least_as_often_as_is_said(settings):
    answer_ = Table(clamped=True, **settings).answer()
    for series, one in answer_.noised.items():
        counts = one.cells.counts
        noise = np.asarray(one.noise.sample((40_000, counts.size), np.random.default_rng(2)), dtype=float)
        off = np.abs(one.changed(counts + noise) - counts)
        said = answer_.fact(v.COVERAGE_ALL, series)
        assert said.kind == "bound"
        assert (off.max(axis=1) <= one.within_all).mean() >= said.value - 5 * math.sqrt(0.05 / 40_000)
        small = counts < one.smallest
        if answer_.fact(v.TOO_SMALL, series).kind == "exact" and small.any():
            misses = (off > answer_.study.relative * counts).mean(axis=0)
            assert (misses[small] > 0.05 - 5 * math.sqrt(0.05 / 40_000)).all()
    assert ("off by more than" in " ".join(map(str, answer_.sentences()))) == (settings.get("relative", 0.1) < 1)


@pytest.mark.parametrize("settings", [{"epsilon": 3.0, "groups": 2}, {"epsilon": 20.0, "groups": 2},
                                      {"epsilon": 2.5, "groups": 3}, {}], ids=str)
def test_that_a_level_for_each_is_said_to_be_none_for_all_only_where_it_is_none(settings):
    answer_ = Table(**settings).answer()
    together = answer_.value(v.EACH_ALONE, f.GEOMETRIC)
    assert any("is not 95" in str(each) for each in answer_.sentences()) == (together < 0.95)


@pytest.mark.parametrize("change", ["add_or_remove", "replace"])
@pytest.mark.parametrize("series", f.CHOOSING, ids=lambda one: one.key)
def test_that_namings_are_drawn_by_noisy_scores_as_often_right_as_is_said(series, change):
    one = Table(released="largest", cells="9,8,9,3,8", rows=2, change=change).answer().get(series)
    right = one.drawn(100_000, np.random.default_rng(3)) / 1e5
    assert abs(right - one.largest_right) < 5 * math.sqrt(right * (1 - right) / 1e5)


def test_that_a_delta_that_is_lost_among_the_groups_of_a_person_shows_none():
    assert headline(keys="secret", delta=5e-324, per_person=2) == [
        "No noise keeps secret names at δ = 4.95e−324: allow more δ, or let names be public."]
