"""The number study against enumeration, draws and the models that it is made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.models.numbers import best_bound, best_upper, half_width
from dpstudio.studies.number import BOUNDED, EXPONENTIAL, GAUSSIAN, LAPLACE, Number
from dpstudio.studies.number.data import data_of
from dpstudio.studies.number.errors import Off

ask = exact_of(Number)
ROWS = (3.0, 8.0, 21.0, 21.0, 55.0, 140.0, 200.0)
OWN = ",".join(map(str, ROWS))


def test_that_a_sum_of_values_up_to_100_is_within_300_of_the_clipped_one_at_epsilon_1():
    assert value(ask(), v.NOISE_AT_LEVEL, LAPLACE) == pytest.approx(100 * math.log(20), rel=1e-12)
    assert "within ±300 of the clipped sum" in ask().verdicts[0]


@pytest.mark.parametrize("statistic", ["sum", "mean"])
@pytest.mark.parametrize("series", [LAPLACE, GAUSSIAN])
def test_that_the_error_of_own_values_is_bias_and_noise(statistic, series):
    found = ask(amounts=OWN, statistic=statistic, upper=100.0, epsilon=0.7)
    over = len(ROWS) if statistic == "mean" else 1
    bias = (np.minimum(ROWS, 100.0) - ROWS).sum() / over
    noise = (LaplaceNoise.calibrate(0.7, 100.0) if series == LAPLACE else GaussianNoise.analytic(0.7, 1e-6, 100.0))
    assert value(found, v.NUMBER_BIAS, series) == pytest.approx(bias)
    assert value(found, v.NUMBER_RMSE, series) == pytest.approx(math.hypot(bias, noise.sd / over))
    assert value(found, v.ERROR_AT_LEVEL, series) == pytest.approx(half_width(noise, bias, 0.95, 1 / over), rel=1e-12)


def test_that_the_closed_half_width_is_the_exact_one_and_leaves_as_much_beyond():
    rng = np.random.default_rng(0)
    for _ in range(60):
        noise = rng.choice([LaplaceNoise(2.0), GaussianNoise(3.0)])
        off, level = Off(float(rng.choice([0.0, rng.uniform(-30, 30)])), noise, 0.5), rng.uniform(0.02, 0.9999)
        assert off.within(level).value == pytest.approx(float(half_width(noise, off.bias, level, 0.5)), rel=1e-12)
        assert off.beyond(off.within(level).value).value == pytest.approx(1 - level, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_that_the_best_bound_is_that_of_the_models(epsilon):
    upper, error = best_upper(ROWS, 2 / epsilon**2)
    found = ask(amounts=OWN, epsilon=epsilon)
    assert value(found, v.BEST_RMSE, LAPLACE) == pytest.approx(error, rel=1e-8)
    assert value(found, v.BEST_UPPER, LAPLACE) == pytest.approx(upper, rel=1e-4)
    for law in ("lognormal", "exponential", "normal"):
        for about in ("data", "population"):
            study = Number(law=law, epsilon=epsilon, about=about, people=300)
            if law == "normal":
                continue  # what is raised to 0 weighs against what is cut away
            _, error = best_bound(data_of(study).values, 300, 2 / epsilon**2, about)
            assert study.answer().value(v.BEST_RMSE, LAPLACE) == pytest.approx(error, rel=1e-8)


def test_that_no_bound_of_a_fine_grid_is_better():
    study = Number(amounts=OWN, lower=-5.0, change="replace", rows=2)
    one = study.answer().one(LAPLACE)
    errors = one.rmse_at(np.geomspace(0.1, 1e4, 20_000))
    assert one.best[1] <= errors.min() * (1 + 1e-9)


def test_that_a_median_of_few_values_is_drawn_as_its_definition_says():
    study = Number(amounts="1,4,4,9", statistic="median", upper=10.0, epsilon=2.0)
    edges, below = np.array([0, 1, 4, 4, 9, 10.0]), np.arange(5)
    weight = np.diff(edges) * np.exp(-2.0 / (2 * 0.5) * abs(below - 2))
    chance, middle = weight / weight.sum(), (edges[1:] + edges[:-1]) / 2
    mean = (chance * middle).sum()
    sd = math.sqrt((chance * ((middle - mean) ** 2 + np.diff(edges) ** 2 / 12)).sum())
    found = study.answer()
    assert found.value(v.TRUE_NUMBER) == 4.0
    assert found.value(v.NUMBER_RMSE, EXPONENTIAL) == pytest.approx(math.hypot(mean - 4, sd))
    t = found.value(v.ERROR_AT_LEVEL, EXPONENTIAL)
    x = np.linspace(0, 10, 2_000_001)
    density = found.one(EXPONENTIAL).density(x)
    assert (density[abs(x - 4) <= t].sum() / density.sum()) == pytest.approx(0.95, abs=1e-5)


@pytest.mark.parametrize("values", [
    {"amounts": OWN}, {"amounts": OWN, "statistic": "mean", "count": "private"}, {"statistic": "median"},
    {"about": "population", "people": 200, "upper": 60.0}, {"amounts": OWN, "upper": 300.0, "epsilon": 3.0},
    {"statistic": "mean", "count": "private", "about": "population", "people": 50},
    {"about": "population", "people": 10**6, "statistic": "mean"},
])
def test_that_the_error_is_that_of_simulated_releases(values):
    found = answer(Number(**values, trials=60_000, seed=3))
    for series in found.answer.ones:
        seen, exact = found.fact(v.RMSE_SEEN, series), found.answer.value(v.NUMBER_RMSE, series)
        spread = (seen.high - seen.low) / 2
        assert abs(seen.value - exact) <= 2.5 * spread, (series, seen, exact)


def test_that_what_is_within_the_error_at_a_level_is_as_often_there_as_is_said():
    rng = np.random.default_rng(1)
    for values in ({"amounts": OWN}, {"amounts": OWN, "statistic": "mean", "count": "private"},
                   {"statistic": "median"}):
        study = Number(**values)
        for one in study.answer().ones.values():
            if (far := one.within(0.95)) is None:
                continue
            n = len(ROWS) if "amounts" in values else 1000
            clipped = np.minimum(ROWS, study.upper).mean() if "amounts" in values else 0.0
            off = one.bias / (n if study.statistic == "sum" else 1)
            if study.is_private_ratio:
                off = clipped - np.mean(ROWS)
            errors = one.errors((np.full(200_000, off), np.full(200_000, clipped)), rng)
            assert np.mean(abs(errors) <= far.value) == pytest.approx(0.95, abs=0.003)


def test_that_about_a_population_what_is_said_is_a_bound_and_holds():
    study = Number(about="population", people=100, upper=60.0)
    rng, one = np.random.default_rng(2), study.answer().one(LAPLACE)
    far = one.within(0.95)
    assert not far.exact
    values = np.asarray(data_of(study).values.quantile(rng.random((50_000, 100))))
    mean = np.clip(values, 0, 60).mean(axis=1)
    errors = one.errors((mean - study.law_mean, mean), rng)
    assert np.mean(abs(errors) <= far.value) >= 0.95
    assert far.value <= 4 * one.rmse


def test_that_values_of_a_law_that_stand_together_keep_its_sum_and_its_quantile():
    for people in (10, 5_000, 10**9):
        data = data_of(Number(people=people))
        assert data.near_top(1.0).total == pytest.approx(30.0 * people, rel=1e-9)
        column = data.near_rank(0.5, 1.0)
        assert column.n == people
        if people > 100:
            assert float(column.quantile(0.5)) == pytest.approx(18.0, rel=1e-3)


def test_that_a_private_bound_pays_where_the_bound_is_far_too_large_and_is_none_beside_negative_values():
    assert ask(upper=3000.0).answer.suggested == BOUNDED
    assert ask(upper=100.0).answer.suggested == LAPLACE
    assert ask(amounts="-1,5").answer.one(BOUNDED) is None
    assert ask(law="normal").answer.one(BOUNDED) is None


@pytest.mark.parametrize(("values", "said"), [
    ({"upper": 0.0}, "upper must be in [1e-9, 1e12], got 0.0"),
    ({"lower": 100.0}, "lower must be at most upper, 100, got 100.0 (between equal bounds nothing is left)"),
    ({"lower": 200.0}, "lower must be at most upper, 100, got 200.0"),
    ({"quantile": 0.0}, "quantile must be in [1e-9, 0.999999999], got 0.0"),
    ({"quantile": 1.0}, "quantile must be in [1e-9, 0.999999999], got 1.0"),
    ({"law_sd": 0.0}, "law_sd must be in [1e-6, 1e12], got 0.0"),
    ({"epsilon": math.nan}, "epsilon must be in [1e-6, 20], got nan"),
])
def test_that_what_cannot_be_is_refused_in_one_sentence(values, said):
    with pytest.raises(InvalidParameter) as refusal:
        Number(**values)
    assert str(refusal.value) == said


@pytest.mark.parametrize("text", ["apples", "1,2,x", "1e16", "nan", "1×0"])
def test_that_text_among_values_is_refused(text):
    with pytest.raises(InvalidParameter, match=r"^amounts must be values, numbers in") as refusal:
        Number(amounts=text)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("amounts", ["7", "500", "-3", "0", "5×10000000", "1e15,-1e15"])
@pytest.mark.parametrize("statistic", ["sum", "mean", "median", "quantile"])
@pytest.mark.parametrize("count", ["public", "private"])
def test_that_odd_data_have_an_answer(amounts, statistic, count):
    found = ask(amounts=amounts, statistic=statistic, count=count)
    assert found.verdicts
    for series in found.answer.ones:
        assert value(found, v.NUMBER_RMSE, series) >= 0
    for name in ("bound", "released", "best", "ranks"):
        assert found.tables[name].rows


def test_that_where_raised_and_cut_values_weigh_up_the_best_bound_is_found_however_narrow_its_valley_is():
    study = Number(law="normal", people=1_153_513)
    upper, error = study.answer().one(LAPLACE).best
    assert upper == pytest.approx(60.0, rel=1e-8), "as far above the mean as the lower bound is below it"
    assert error == pytest.approx(60 * math.sqrt(2), rel=1e-6)


def test_that_a_best_bound_next_to_the_lower_one_is_said_with_the_digits_that_keep_it_above():
    found = ask(lower=100.25, upper=148.0, change="replace", about="population")
    said = next(each for each in found.verdicts if each.key.startswith("bound_"))
    assert "best" not in said.places or float(said.places["best"].replace("\u202f", "")) > 100.25


@pytest.mark.parametrize("change", ["add_or_remove", "replace"])
def test_that_a_noisy_number_of_values_hides_whatever_one_person_with_several_rows_changes(change):
    study = Number(statistic="mean", count="private", change=change, rows=10, lower=-3.0, upper=100.0, epsilon=0.8)
    one, rng, c = study.answer().get(LAPLACE), np.random.default_rng(4), study.rows
    middle = (study.lower + study.upper) / 2
    for _ in range(300):
        mine, others = (rng.choice([study.lower, study.upper], rng.integers(0, c + 1)) for _ in range(2))
        if change == "add_or_remove":
            others = np.empty(0)
        moved, counted = abs((mine - middle).sum() - (others - middle).sum()), abs(mine.size - others.size)
        assert moved <= one.sensitivity
        spent = moved / one.noise.noise_scale + counted * study.epsilon * study.count_share / c
        assert spent <= study.epsilon * (1 + 1e-12)
    assert one.guarantee.kind == "bound"
    assert one.count_noise.largest_loss(c) <= study.epsilon * study.count_share * (1 + 1e-12)


def test_that_persons_of_one_row_who_are_replaced_leave_the_number_of_values():
    study = Number(statistic="mean", count="private", change="replace")
    assert not study.is_private_ratio
    assert study.answer().guarantee(LAPLACE).kind == "exact"


@pytest.mark.parametrize("people", [10**5, 10**7, 10**9])
def test_that_in_a_narrow_valley_a_best_bound_is_said_in_as_many_digits_as_it_takes(people):
    found = answer(Number(lower=10.0, people=people, epsilon=3.0, upper=171.0), simulate=False)
    (sentence,) = [each for each in found.verdicts if "pper bound" in each and "public" not in each]
    assert "No upper bound is better" not in sentence
    upper = float(sentence.split("upper bound of ")[1].split(" and ")[0].replace("\u202f", ""))
    there = Number(lower=10.0, people=people, epsilon=3.0, upper=upper).answer()
    assert there.value(v.NUMBER_RMSE, LAPLACE) <= 1.011 * found.answer.value(v.BEST_RMSE, LAPLACE)


def test_that_parts_of_the_squared_error_are_of_what_is_spoken_of_and_a_population_has_a_third():
    chosen = answer(Number(upper=1.0, amounts="0×700,1×300"), simulate=False).deciding(BOUNDED)
    assert not any("squared error" in each for each in chosen.verdicts)
    drawn = answer(Number(statistic="mean", about="population", epsilon=10.0, upper=1000.0), simulate=False)
    (sentence,) = [each for each in drawn.verdicts if "squared error" in each]
    assert "the rest the draw of the data" in sentence
