"""What the noise study says: the seeds' σ beside the exact one, whichever norm, and attacks that converge."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise, SnappedLaplace, StaircaseNoise
from dpstudio.studies import noise as f
from dpstudio.studies.kit.attack import ATTACK_TABLE, PROMISE, X_ALPHA
from dpstudio.studies.noise import Noise
from dpstudio.studies.noise.answer import NoiseAnswer
from dpstudio.text.sentences import odds_after

exact = exact_of(Noise)

ALL = NoiseAnswer.series()
PRESETS = {preset.key: preset.values for preset in Noise.presets}


def test_that_the_seeds_sigma_costs_what_the_formulary_says():
    update = exact(**PRESETS["without_root"])
    sigmas = [value(update, v.NOISE_SCALE, series) for series in (f.GAUSSIAN, f.CLASSICAL, f.PRINTED)]
    assert sigmas == pytest.approx([7.0318, 9.690, 46.94], rel=1e-4)
    assert value(update, v.TOO_MUCH, f.PRINTED) == pytest.approx(6.68, abs=0.005)
    assert value(update, v.VARIANCE_TOO_MUCH, f.PRINTED) == pytest.approx(44.6, abs=0.05)
    assert value(update, v.TRUE_DELTA, f.PRINTED) == pytest.approx(4.6e-125, rel=0.02)


def test_that_every_least_noise_keeps_the_guarantee():
    for values in ({}, {"epsilon": 3.0, "delta": 0.1}, {"sensitivity": 7.0, "sensitivity_l2": 3.0, "dimension": 9}):
        study = Noise(**values)
        update = exact(**values)
        for series in f.LEAST if study.dimension == 1 else f.SAID:
            assert value(update, v.TRUE_DELTA, series) <= study.delta * (1 + 1e-9)


def test_that_without_delta_there_is_no_gaussian():
    update = exact(delta=0.0)
    assert Column(v.DENSITY, f.GAUSSIAN) not in update.tables[f.ANSWER_TABLE]


def test_that_densities_hold_all_probability_and_their_ratio_is_the_loss():
    table = exact(epsilon=0.8).tables[f.ANSWER_TABLE]
    x = table[f.X_ANSWER]
    for series in (f.LAPLACE, f.GAUSSIAN):
        density, beside = table[Column(v.DENSITY, series)], table[Column(v.DENSITY_BESIDE, series)]
        assert np.trapezoid(density, x) == pytest.approx(1, abs=0.02)
        np.testing.assert_allclose(np.log(beside / density), table[Column(v.PRIVACY_LOSS, series)], atol=1e-9)
    for series in (f.LAPLACE, f.GEOMETRIC):
        assert np.abs(table[Column(v.PRIVACY_LOSS, series)]).max() == pytest.approx(0.8)


def test_that_no_curve_of_errors_crosses_the_promise():
    table = exact(epsilon=1.3, delta=1e-3).tables[ATTACK_TABLE]
    promise = table[Column(v.TYPE_II, PROMISE)]
    for series in f.LEAST:
        assert (table[Column(v.TYPE_II, series)] >= promise - 1e-12).all()


def test_that_the_advantage_is_the_deepest_point_of_the_trade_off():
    update = exact(epsilon=0.7)
    table = update.tables[ATTACK_TABLE]
    for series in ALL:
        best = (1 - table[X_ALPHA] - table[Column(v.TYPE_II, series)]).max()
        advantage = value(update, v.ADVANTAGE, series)
        assert best <= advantage + 1e-12
        assert best == pytest.approx(advantage, abs=5e-3)


def test_that_moving_all_of_l1_in_one_coordinate_is_the_worst_move_of_laplace_noise():
    # Two coordinates that move by half each, by quadrature on a grid, against one that moves by the whole.
    x = np.arange(-18, 20, 0.02) + 0.01
    one = np.exp(-np.abs(x)) / 2
    both, moved = np.outer(one, one), np.outer(np.exp(-np.abs(x - 0.5)) / 2, np.exp(-np.abs(x - 0.5)) / 2)
    split = np.maximum(both - moved, 0).sum() * 0.02**2
    assert split < value(exact(delta=0.0), v.ADVANTAGE, f.LAPLACE)


@pytest.mark.parametrize(("values", "l1", "l2", "whole"), [
    ({"sensitivity": 2.0}, 2.0, 2.0, 2), ({"sensitivity": 2.0, "sensitivity_l2": 5.0}, 2.0, 2.0, 2),
    ({"sensitivity": 9.0, "sensitivity_l2": 2.0, "dimension": 4}, 4.0, 2.0, 4),
    ({"sensitivity": 3.0, "sensitivity_l2": math.sqrt(3), "dimension": 8}, 3.0, math.sqrt(3), 3),
    ({"sensitivity": 0.5}, 0.5, 0.5, 0)])
def test_that_both_sensitivities_hold_at_once(values, l1, l2, whole):
    update = exact(**values)
    assert value(update, v.L1_USED) == pytest.approx(l1, rel=1e-15)
    assert value(update, v.L2_USED) == pytest.approx(l2, rel=1e-15)
    geometric = update.fact(v.NOISE_SCALE, f.GEOMETRIC)
    assert (geometric.value if geometric else 0) == pytest.approx(whole)


@pytest.mark.parametrize("values", [{"epsilon": 0.7}, {"epsilon": 3.0, "sensitivity": 2.0, "delta": 0.01},
                                    {"epsilon": 5.0, "sensitivity": 0.5, "true_answer": 7.25}])
def test_that_any_level_and_any_error_are_asked_of_the_law_that_draws(values):
    update = exact(**values, error_level=0.8, error_beyond=1.75)
    at_zero = exact(**values, error_level=0.95, error_beyond=0.0)
    rng = np.random.default_rng(4)
    for series, one in update.answer.ones.items():
        off = np.abs(one.noise.sample(200_000, rng))
        level, past = value(update, v.ERROR_AT_LEVEL, series), value(update, v.ERROR_EXCEEDS, series)
        assert (off <= level).mean() == pytest.approx(one.noise.cdf(level) - one.noise.cdf(-level) + (
            one.noise.density(level) if one.noise.is_whole else 0), abs=5e-3)
        assert (off <= level).mean() >= 0.8 - 5e-3
        assert (off < level * (1 - 1e-9)).mean() <= 0.8 + 5e-3
        assert (off > 1.75).mean() == pytest.approx(past, abs=5e-3)
        assert value(at_zero, v.ERROR_AT_LEVEL, series) == value(at_zero, v.ERROR_95, series)
        assert value(at_zero, v.ERROR_EXCEEDS, series) == pytest.approx(
            1 - one.noise.density(0.0) if one.noise.is_whole else 1.0, rel=1e-12)
    if snapped := update.fact(v.ERROR_AT_LEVEL, f.SNAPPED):
        law = SnappedLaplace(update.study.epsilon, update.study.clamp, update.study.sensitivity)
        outcome, share = law.outcomes(update.study.true_answer)
        off = np.abs(outcome - update.study.true_answer)
        assert share[off <= snapped.value].sum() >= 0.8 - 1e-12
        assert share[off < snapped.value].sum() < 0.8
        assert value(update, v.ERROR_EXCEEDS, f.SNAPPED) == pytest.approx(share[off > 1.75].sum(), rel=1e-12)


def test_that_noise_on_whole_numbers_competes_only_where_the_answer_moves_by_whole_numbers():
    assert exact(sensitivity=2.0).answer.suggested == f.GEOMETRIC
    assert exact(sensitivity=2.5).answer.suggested == f.LAPLACE
    assert exact(sensitivity=0.5, epsilon=8.0).answer.suggested == f.STAIRCASE, "by far the least error"
    assert exact(sensitivity=3.0, sensitivity_l2=3**0.5, dimension=3).answer.suggested == f.GEOMETRIC


def test_that_one_step_of_a_whole_number_is_not_worth_a_delta_and_more_are():
    for epsilon, delta, less, best in ((0.8, 0.05, 1, f.GEOMETRIC), (0.3, 0.3, 2, f.DISCRETE)):
        update = exact(epsilon=epsilon, delta=delta)
        pure, spending = (value(update, v.ERROR_AT_LEVEL, series) for series in (f.GEOMETRIC, f.DISCRETE))
        assert pure - spending >= less
        assert (pure - spending == 1) == (less == 1)
        assert update.answer.suggested == best


def test_that_attacks_on_what_l2_forbids_are_called_bounds():
    update = exact(sensitivity=3.0, sensitivity_l2=1.0, dimension=9)
    assert update.fact(v.ADVANTAGE, f.LAPLACE).kind == "bound"
    assert update.fact(v.ADVANTAGE, f.GAUSSIAN).kind == "exact"


def test_that_beliefs_move_by_the_loss_that_95_per_cent_of_answers_stay_within():
    update = exact(epsilon=1.0, delta=1e-5, belief=0.2)
    assert value(update, v.POSTERIOR_95, f.LAPLACE) == pytest.approx(0.25 * math.e / (1 + 0.25 * math.e))
    rng = np.random.default_rng(1)
    sigma = value(update, v.NOISE_SCALE, f.GAUSSIAN)
    losses = ((1 + sigma * rng.standard_normal(200_000)) - 0.5) / sigma**2
    beliefs = 1 / (1 + 4 * np.exp(-losses))
    assert (beliefs <= value(update, v.POSTERIOR_95, f.GAUSSIAN)).mean() == pytest.approx(0.95, abs=3e-3)
    assert (losses > 1).mean() == pytest.approx(value(update, v.LOSS_EXCEEDS, f.GAUSSIAN), abs=1e-4)


@pytest.mark.parametrize(("belief", "loss", "text"), [
    (0.5, 1.0, "74 : 26"), (0.5, 0.0, "50 : 50"), (1 - 1e-9, 20.0, "4.86e17 : 1"), (1e-9, 1.0, "1 : 3.67e8"),
    (0.5, 800.0, "e^800 : 1"), (1e-9, 0.0, "1 : 9.99e8"), (0.2, math.log(16), "80 : 20")])
def test_that_odds_after_an_answer_are_known_however_near_to_certainty(belief, loss, text):
    assert odds_after(belief, loss) == text


def test_that_like_is_compared_with_like_where_one_noise_is_called_the_least():
    # Within every whole number lie more answers with geometric noise than with Laplace noise, rounded or not.
    for epsilon in (0.05, 1.0, 3.0):
        geometric, laplace = GeometricNoise(epsilon), LaplaceNoise(1 / epsilon)
        k = np.arange(0.0, 60.0)
        beyond = [2 * noise.tail(end) for noise, end in ((geometric, k + 1), (laplace, k + 0.5), (laplace, k))]
        assert (beyond[0] < beyond[1]).all()
        assert (beyond[1] < beyond[2]).all()
    assert exact(epsilon=1.0).verdicts[0].startswith("Use discrete Laplace noise on whole numbers: ")
    assert exact(epsilon=1.0, sensitivity=0.5).verdicts[0].startswith("Use Laplace noise: ")
    assert exact(**PRESETS["many_sums"]).verdicts[0].startswith("Use Gaussian noise: ")


def test_that_geometric_noise_on_a_count_has_the_least_mean_error_and_laplace_noise_on_a_number_has_not():
    # The staircase of Geng & Viswanath has E|X| = Δ e^(ε/2)/(e^ε − 1), less than Laplace noise's Δ/ε.
    for epsilon in (0.1, 1.0, 5.0):
        staircase = value(exact(epsilon=epsilon), v.MEAN_ERROR, f.STAIRCASE)
        assert staircase == pytest.approx(1 / (2 * math.sinh(epsilon / 2)), rel=1e-13)
        assert staircase < value(exact(epsilon=epsilon), v.MEAN_ERROR, f.LAPLACE)
    # On whole numbers no law that falls by e^ε a step at most is nearer: a few others are tried.
    epsilon = 0.7
    k = np.arange(-400, 401)
    best = value(exact(epsilon=epsilon), v.MEAN_ERROR, f.GEOMETRIC)
    for middle in (2, 3, 8):
        law = np.exp(-epsilon * np.maximum(np.abs(k) - (middle - 1), 0))
        assert (law / law.sum() * np.abs(k)).sum() > best


def test_that_geometric_noise_put_to_its_best_use_serves_any_prior_and_growing_loss_as_well_as_any_mechanism():
    # The least expected loss over all ε-private mechanisms of counts 0 … 4, by linear programming, against that of
    # clamped geometric noise whose every answer is replaced by the best one under the prior.
    rng = np.random.default_rng(5)
    counts = np.arange(5)
    for epsilon in (0.3, 1.0, 2.5):
        prior, steps = rng.dirichlet(np.ones(5)), np.cumsum(rng.random(5)) - 0.1
        loss = np.where(counts[:, None] == counts, 0.0, steps[np.abs(counts[:, None] - counts)])
        cost = prior[:, None] * loss  # of answering r to n
        pairs = [(n, n + step, r) for n in counts for step in (-1, 1) if 0 <= n + step < 5 for r in counts]
        rows = np.zeros((len(pairs), 25))
        for row, (n, m, r) in zip(rows, pairs, strict=True):
            row[5 * n + r], row[5 * m + r] = 1.0, -math.exp(epsilon)
        best = linprog(cost.ravel(), rows, np.zeros(len(pairs)), np.kron(np.eye(5), np.ones(5)), np.ones(5)).fun
        noise = GeometricNoise(epsilon)
        law = noise.density(counts - counts[:, None].astype(float))
        law[:, 0], law[:, -1] = noise.cdf(-counts), noise.tail(4.0 - counts)
        used = (cost.T @ law).min(axis=0).sum()
        assert used == pytest.approx(best, rel=1e-7)


def test_that_staircase_noise_of_each_coordinate_is_left_out_where_there_are_several():
    # Two coordinates that move by Δ/2 each have a loss of up to 2ε: no ℓ₁ sensitivity hides that.
    update = exact(dimension=2, sensitivity=2.0, sensitivity_l2=2.0)
    assert update.fact(v.NOISE_SD, f.STAIRCASE) is None
    assert update.fact(v.NOISE_SD, f.DISCRETE) is None
    noise = StaircaseNoise(1.0, 2.0)
    assert 2 * noise.loss(noise.quantile(0.9), 1.0) in (0.0, 2.0)
    assert noise.largest_loss(1.0) == 1.0


def test_that_the_preset_of_the_least_mean_error_says_what_the_study_finds():
    update = exact(**PRESETS["least_mean_error"])
    assert value(update, v.MEAN_ERROR, f.STAIRCASE) == pytest.approx(0.0413, abs=5e-5)
    assert value(update, v.MEAN_ERROR, f.LAPLACE) == pytest.approx(0.1, rel=1e-12)
    assert update.verdicts[0].startswith("Use staircase noise: ")


def test_that_the_steps_of_a_staircase_are_drawn_where_they_are():
    table = exact(**PRESETS["least_mean_error"]).tables[f.ANSWER_TABLE]
    x, density = table[f.X_ANSWER], table[Column(v.DENSITY, f.STAIRCASE)]
    noise = StaircaseNoise(5.0, 0.5)
    falls = np.flatnonzero(np.diff(density) != 0)
    assert falls.size >= 2
    assert (np.diff(x)[falls] < 1e-8).all()
    np.testing.assert_allclose(np.sort(np.abs(x[falls]))[:2], noise.sensitivity / (1 + math.exp(2.5)), atol=1e-8)


@pytest.mark.parametrize("d", [2, 10, 1000])
def test_that_the_worst_of_all_coordinates_stays_within_its_error_in_95_per_cent_of_releases(d):
    study = Noise(dimension=d, sensitivity=3.0, sensitivity_l2=2.0, epsilon=0.8)
    update = answer(study, simulate=False)
    for series, one in study.answer().ones.items():
        worst = value(update, v.WORST_ERROR_95, series)
        inside = (1 - 2 * float(one.noise.tail(worst))) ** d
        if series == f.GEOMETRIC:
            inside = [(1 - 2 * float(one.noise.tail(end))) ** d for end in (worst, worst + 1)]
            assert inside[0] < 0.95 <= inside[1]
        else:
            assert inside == pytest.approx(0.95, rel=1e-9)
        assert value(update, v.RMS_ERROR, series) == pytest.approx(math.sqrt(d) * one.noise.sd, rel=1e-15)
        assert value(update, v.ERROR_95, series) < worst


def test_that_presets_say_what_the_study_finds():
    update = exact(**PRESETS["without_root"])
    sentences = {preset.key: preset.sentence for preset in Noise.presets}
    assert value(update, v.TOO_MUCH, f.PRINTED) == pytest.approx(6.68, abs=5e-3)
    assert "6.68 times" in sentences["without_root"]
    assert value(exact(**PRESETS["large_epsilon"]), v.TRUE_DELTA, f.CLASSICAL) > 1e-5
    below, above = (value(exact(epsilon=epsilon, delta=1e-5), v.TOO_MUCH, f.CLASSICAL) for epsilon in (8.415, 8.425))
    assert below > 1 > above
    assert "up to ε = 8.42" in sentences["large_epsilon"]


def test_that_simulated_attacks_and_answers_converge_on_the_exact_ones():
    update = answer(Noise(trials=2_000_000))
    for series in f.LEAST:
        p, found = value(update, v.SUCCESS, series), update.fact(v.SUCCESS_FOUND, series)
        assert abs(found.value - p) <= 5 * math.sqrt(p * (1 - p) / update.total)
        table = update.tables[f.RELEASED_TABLE]
        should, was = table[Column(v.DENSITY, series)], table[Column(v.DENSITY_FOUND, series)]
        width = table[f.X_ANSWER][1] - table[f.X_ANSWER][0]
        sd = np.sqrt(np.maximum(should * width, 1e-9) / update.total) / width
        assert (np.abs(should - was) <= 6 * sd + 1e-5).all()


def test_that_the_classical_sigma_breaks_where_the_oracle_says():
    oracle = json.loads((Path(__file__).parents[1] / "oracles" / "noise.json").read_text("utf-8"))
    for row in oracle:
        if row["quantity"] == "gaussian.classical_breaks_at_eps":
            delta, at = float(row["params"]["delta"]), float(row["value"])
            ratios = [value(exact(epsilon=at * times, delta=delta), v.TOO_MUCH, f.CLASSICAL)
                      for times in (0.999, 1.001)]
            assert ratios[0] > 1 > ratios[1], row["id"]


def test_that_rounding_laplace_noise_is_no_match_for_geometric_noise():
    update = exact(epsilon=1.0)
    assert value(update, v.ROUNDED_SD, f.LAPLACE) ** 2 == pytest.approx(2.0764, abs=5e-5)
    assert value(update, v.ROUNDED_SD, f.GEOMETRIC) ** 2 == pytest.approx(1.8413, abs=5e-5)
    assert exact(sensitivity=0.5).fact(v.ROUNDED_SD, f.LAPLACE) is None  # such an answer is no whole number


# What a computer releases

def test_that_the_low_bits_shown_are_those_of_one_answer_that_is_there_with_the_record():
    update = answer(Noise(seed=3, epsilon=0.5, true_answer=2.0), simulate=False)
    table = update.tables[f.LOW_BITS_TABLE]
    fewer, more = (table[Column(v.LOW_BITS, series)] for series in (f.FEWER, f.MORE))
    at = np.flatnonzero(more == 2)
    assert table[f.X_DOUBLES][at].tolist() == [0]
    assert set(fewer) == {-1, 0}
    assert ((more > 0) & (fewer == 0)).sum() > 5
    assert ((more == 0) & (fewer < 0)).sum() > 2
    other = answer(Noise(seed=4, epsilon=0.5, true_answer=2.0), simulate=False).tables[f.LOW_BITS_TABLE]
    assert (other[Column(v.LOW_BITS, f.MORE)] != more).any()


@pytest.mark.parametrize(("true", "low", "high"), [(0.0, 0.55, 0.7), (1e3, 1e-4, 0.01), (1e12, 0.0, 0.0)])
def test_that_answers_that_prove_the_record_are_fewer_the_larger_the_true_answer(true, low, high):
    update = answer(Noise(true_answer=true, trials=100_000))
    for quantity in (v.PROVED, v.GIVEN_AWAY_WITHOUT):
        fact = update.fact(quantity, f.LAPLACE)
        assert fact.kind == "estimate"
        assert low <= fact.value <= high
        assert fact.low <= fact.value <= fact.high < fact.value + 0.02
    assert any(sentence.key == "low_bits" for sentence in update.verdicts) == (high > 0)


def test_that_no_more_answers_are_tried_than_take_a_moment_and_no_other_number_depends_on_them():
    long = answer(Noise(trials=2_500_000))
    assert "of 100000 answers" in long.fact(v.PROVED, f.LAPLACE).how
    assert answer(Noise(trials=40_000)).fact(v.SUCCESS_FOUND, f.LAPLACE).value == answer(
        Noise(trials=40_000, true_answer=7.0)).fact(v.SUCCESS_FOUND, f.LAPLACE).value


@pytest.mark.parametrize("values", [{"dimension": 2}, {"clamp": 1.0}, {"epsilon": 1e-6},
                                    {"clamp": 1e15, "epsilon": 20.0}])
def test_that_snapping_is_left_out_where_nothing_is_proved_of_it(values):
    update = answer(Noise(**values), simulate=False)
    assert update.fact(v.GRID_STEP, f.SNAPPED) is None
    assert Column(v.DENSITY, f.SNAPPED) not in update.tables[f.SNAPPED_TABLE]
    assert Column(v.DENSITY, f.LAPLACE) in update.tables[f.SNAPPED_TABLE]


def test_that_the_snapped_picture_has_the_probability_of_every_step():
    update = answer(Noise(epsilon=0.7, true_answer=1.3, sensitivity=3.0), simulate=False)
    table, step = update.tables[f.SNAPPED_TABLE], update.fact(v.GRID_STEP, f.SNAPPED).value
    x, y = table[f.X_ANSWER], table[Column(v.DENSITY, f.SNAPPED)]
    assert np.trapezoid(y, x) == pytest.approx(1, abs=0.01)
    assert np.ptp(y[np.abs(x + 1.3) < 0.49 * step]) < 1e-12
    assert update.fact(v.NOISE_SD, f.SNAPPED).value == pytest.approx(
        SnappedLaplace(0.7, 1e6, 3.0).rms_error(1.3), rel=1e-14)
    assert update.fact(v.ERROR_95, f.SNAPPED).value > update.fact(v.ERROR_95, f.LAPLACE).value
