"""What the mean study says: the corrected errors, their slopes, who wins, and its simulation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.study import answer
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.studies import mean as f
from dpstudio.studies.mean import Mean
from dpstudio.studies.mean.answer import MeanAnswer, draw, half_width
from dpstudio.studies.mean.compared import CuratorNoise

exact = exact_of(Mean)

ALL = MeanAnswer.series()


@pytest.mark.parametrize(("epsilon", "error"), [(1, 0.9595), (5, 0.0826), (10, 0.00674)])
def test_that_randomized_response_is_off_by_what_the_formulary_says(epsilon, error):
    update = exact(epsilon=epsilon, people=1)
    assert value(update, v.GROUP_ERROR, f.RESPONSE) == pytest.approx(error, rel=1e-3)
    assert value(update, v.NOTE_ERROR, f.RESPONSE) == pytest.approx(1 / epsilon)


def test_that_a_million_people_make_a_gap_of_678_about_the_group_and_2_about_the_population():
    update = exact(epsilon=1.0, people=10**6, fraction=0.5)
    assert value(update, v.TIMES_SD, f.RESPONSE) == pytest.approx(678.48, abs=0.01)
    assert value(update, v.TIMES_SD_POPULATION, f.RESPONSE) == pytest.approx(2.164, abs=1e-3)


@pytest.mark.parametrize(("epsilon", "people"), [(1, 2.17), (5, 11.7), (10, 440.5)])
def test_that_few_people_are_better_off_without_a_curator(epsilon, people):
    update = exact(epsilon=epsilon)
    assert value(update, v.BREAK_EVEN, f.RESPONSE) == pytest.approx(people, rel=3e-3)
    for n, wins in ((math.floor(people), True), (math.ceil(people), False)):
        there = exact(epsilon=epsilon, people=n)
        assert (value(there, v.GROUP_ERROR, f.RESPONSE) < value(there, v.GROUP_ERROR, f.LAPLACE)) is wins


@pytest.mark.parametrize("epsilon", [1e-4, 0.3, 1.0, 20.0])
@pytest.mark.parametrize("people", [1, 1000, 10**12])
def test_that_errors_are_those_of_the_mechanisms(epsilon, people):
    study = Mean(epsilon=epsilon, people=people)
    ones = study.answer().ones
    local = ones[f.RESPONSE]
    yeses = round(study.fraction * people)
    assert local.group_error == pytest.approx(local.response.estimator_sd_given(yeses, people), rel=1e-12)
    assert local.population_error == pytest.approx(local.response.estimator_sd(study.fraction, people), rel=1e-12)
    noisy = [one for one in ones.values() if isinstance(one, CuratorNoise)]
    assert len(noisy) == 3
    for one in noisy:
        assert one.group_error == pytest.approx(one.noise.sd / people, rel=1e-12)


def test_that_errors_about_the_group_fall_with_slopes_of_a_half_and_of_one():
    table = exact().tables[f.PEOPLE_TABLE]
    n = np.log(table[f.X_PEOPLE])
    for series, slope in ((f.RESPONSE, -0.5), (f.LAPLACE, -1), (f.GEOMETRIC, -1), (f.GAUSSIAN, -1)):
        np.testing.assert_allclose(np.diff(np.log(table[Column(v.ERROR_SD, series)])) / np.diff(n), slope)


def test_that_about_the_population_all_end_with_the_slope_of_a_half():
    table = exact(about="population", people=10**9).tables[f.PEOPLE_TABLE]
    n = np.log(table[f.X_PEOPLE][-2:])
    for series in ALL:
        slope = np.diff(np.log(table[Column(v.ERROR_SD, series)][-2:])) / np.diff(n)
        assert slope == pytest.approx(-0.5, abs=1e-3)


@pytest.mark.parametrize("about", ["group", "population"])
def test_that_so_many_times_the_people_give_randomized_response_the_error_of_laplace(about):
    quantity = {"group": v.TIMES_PEOPLE, "population": v.TIMES_PEOPLE_POPULATION}[about]
    error = {"group": v.GROUP_ERROR, "population": v.POPULATION_ERROR}[about]
    here = exact(people=10_000)
    there = exact(people=round(10_000 * value(here, quantity, f.RESPONSE)))
    assert value(there, error, f.RESPONSE) == pytest.approx(value(here, error, f.LAPLACE), rel=1e-4)


def test_that_the_law_of_the_answers_is_their_own_sum():
    update = exact(people=12, fraction=0.25, epsilon=1.0)
    table = update.tables[f.ERRORS_TABLE]
    p = math.e / (1 + math.e)
    three = [math.comb(3, i) * p**i * (1 - p) ** (3 - i) for i in range(4)]
    nine = [math.comb(9, i) * (1 - p) ** i * p ** (9 - i) for i in range(10)]
    mass = np.convolve(three, nine)
    mean = 3 * p + 9 * (1 - p)
    count = np.rint(mean + 12 * (2 * p - 1) * table[f.X_ERROR])
    wanted = np.array([mass[int(c)] / mass.max() if 0 <= c <= 12 else 0.0 for c in count])
    np.testing.assert_allclose(table[Column(v.ERROR_RELATIVE, f.RESPONSE)], wanted, atol=1e-12)


def test_that_the_normal_limit_takes_over_unseen():
    below, above = (exact(people=people).tables[f.ERRORS_TABLE] for people in (10**6, 10**6 + 1))
    for table in (below, above):
        sd = 1 / (2 * math.sinh(0.5) * 1e3)
        normal = np.exp(-((table[f.X_ERROR] / sd) ** 2) / 2)
        assert np.abs(table[Column(v.ERROR_RELATIVE, f.RESPONSE)] - normal).max() < 2e-3


@pytest.mark.parametrize("values", [
    {}, {"epsilon": 0.2, "seed": 3}, {"epsilon": 5.0, "people": 10**8, "fraction": 1.0}])
def test_that_slopes_fitted_to_simulated_dots_are_a_half_and_one(values):
    table = answer(Mean(**values)).tables[f.PEOPLE_TABLE]
    n = np.log(table[f.X_PEOPLE])
    assert n[-1] - n[0] > 5 * math.log(10)
    for series, expected in ((f.RESPONSE, -0.5), (f.LAPLACE, -1), (f.GEOMETRIC, -1), (f.GAUSSIAN, -1)):
        slope, start = np.polyfit(n, np.log(table[Column(v.SEEN_SD, series)]), 1)
        exact_start = np.polyfit(n, np.log(table[Column(v.ERROR_SD, series)]), 1)[1]
        assert slope == pytest.approx(expected, abs=0.02), series.label
        assert start == pytest.approx(exact_start, abs=0.05), series.label


@pytest.mark.parametrize("about", ["group", "population"])
def test_that_simulated_errors_converge_on_the_exact_ones(about):
    update = answer(Mean(about=about, trials=60_000))
    table = update.tables[f.PEOPLE_TABLE]
    for series in ALL:
        seen, sd = table[Column(v.SEEN_SD, series)], table[Column(v.ERROR_SD, series)]
        np.testing.assert_allclose(seen, sd, rtol=0.05)  # five of its own standard deviations, for Laplace noise
        assert update.fact(v.SEEN_SD, series).kind == "estimate"


def test_that_both_readings_agree_where_everybody_is_alike():
    update = exact(fraction=1.0)
    assert value(update, v.GROUP_ERROR, f.LAPLACE) == value(update, v.POPULATION_ERROR, f.LAPLACE)


@pytest.mark.parametrize("about", ["group", "population"])
@pytest.mark.parametrize(("epsilon", "people"), [(1.0, 1), (10.0, 1), (10.0, 100), (0.3, 1000)])
def test_that_intervals_of_simulated_errors_cover_the_exact_ones_as_often_as_they_say(about, epsilon, people):
    # Also where the errors that matter are too rare to be seen in most runs, as lies at ε = 10.
    runs, covered = 60, dict.fromkeys(ALL, 0)
    for seed in range(runs):
        update = answer(Mean(about=about, epsilon=epsilon, people=people, trials=400, seed=seed))
        quantity = {"group": v.GROUP_ERROR, "population": v.POPULATION_ERROR}[about]
        for series in ALL:
            seen = update.fact(v.SEEN_SD, series)
            covered[series] += seen.low <= value(update, quantity, series) <= seen.high
    assert min(covered.values()) >= 0.85 * runs, covered


@pytest.mark.parametrize(("about", "epsilon", "people"), [
    ("group", 3.0, 1), ("group", 6.0, 10), ("group", 10.0, 100), ("group", 0.3, 1), ("population", 1.0, 1),
    ("population", 0.01, 1), ("group", 16.0, 10_000)])
@pytest.mark.parametrize("draws", [1, 2, 3, 5, 20, 100])
def test_that_intervals_of_few_draws_cover_the_exact_errors_too(about, epsilon, people, draws):
    # Without what is added for few draws, as few as 0.84 of them did.
    study, population, runs = Mean(about=about, epsilon=epsilon, people=people), about == "population", 4000
    ones = study.answer().ones
    squares = np.square(list(draw(study, ones, people, runs * draws, np.random.default_rng(1))))
    for i, (series, one) in enumerate(ones.items()):
        true = np.square(one.sd(people, epsilon, population=population))
        spread = one.spread(people, population=population)
        half = half_width(spread, true, draws)
        means = squares[i].reshape(runs, draws).mean(axis=1)
        covered = (np.abs(means - true) <= half * (1 + 1e-12)).mean()
        assert covered >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs), series.label
        assert half <= 1.96 * spread / math.sqrt(draws) * 1.01 + (1 + spread / true) * spread / draws


def test_that_the_simulated_interval_is_that_of_the_exact_law():
    study = Mean(people=10, epsilon=3.0, trials=7)
    update = answer(study)
    for series, one in study.answer().ones.items():
        seen, sd = update.fact(v.SEEN_SD, series), value(update, v.GROUP_ERROR, series)
        half = float(half_width(one.spread(10, population=False), np.square(sd), 7))
        assert seen.high == pytest.approx(math.sqrt(seen.value**2 + half), rel=1e-12)
        assert seen.low == pytest.approx(math.sqrt(max(seen.value**2 - half, 0.0)), rel=1e-12, abs=1e-12)


def test_that_presets_say_what_the_study_finds():
    found = {preset.key: exact(**preset.values) for preset in Mean.presets}
    assert value(found["million"], v.TIMES_SD, f.RESPONSE) == pytest.approx(678, abs=0.5)
    assert value(found["population"], v.TIMES_SD_POPULATION, f.RESPONSE) == pytest.approx(2.16, abs=5e-3)
    few = [value(found["few"], v.GROUP_ERROR, series) for series in (f.GEOMETRIC, f.RESPONSE, f.LAPLACE, f.GAUSSIAN)]
    assert few == sorted(few)
    titles = {preset.key: preset.sentence for preset in Mean.presets}
    shuffled = [value(found["shuffled"], quantity, f.SHUFFLED) for quantity in (v.LOCAL_EPSILON, v.TIMES_SD)]
    assert shuffled == pytest.approx([10.057, 4.630], abs=1e-3)
    assert "ε₀ = 10, for 4.63 times" in titles["shuffled"]
    assert "678 times" in titles["million"]
    assert "2.16 times" in titles["population"]


@pytest.mark.parametrize("people", [1, 2, 3, 1000])
@pytest.mark.parametrize("epsilon", [1e-4, 1.0, 20.0])
def test_that_against_geometric_noise_randomized_response_needs_half_of_n_times_the_people(people, epsilon):
    update = exact(epsilon=epsilon, people=people)
    local, central = (value(update, v.GROUP_ERROR, series) for series in (f.RESPONSE, f.GEOMETRIC))
    assert (local / central) ** 2 == pytest.approx(people / 2, rel=1e-9)


def test_that_randomized_response_improves_exponentially_in_epsilon_and_laplace_noise_does_not():
    at = {epsilon: exact(epsilon=epsilon) for epsilon in (16.0, 18.0)}
    fall = {series: value(at[18.0], v.GROUP_ERROR, series) / value(at[16.0], v.GROUP_ERROR, series)
            for series in (f.RESPONSE, f.LAPLACE)}
    assert fall[f.RESPONSE] == pytest.approx(math.exp(-1), rel=1e-6)
    assert fall[f.LAPLACE] == pytest.approx(16 / 18, rel=1e-12)


@pytest.mark.parametrize(("about", "epsilon", "fraction"), [
    ("group", 1.5, 0.3), ("population", 1.5, 0.3), ("population", 8.0, 0.02)])
def test_that_squared_errors_spread_as_their_cumulants_say(about, epsilon, fraction):
    study = Mean(about=about, epsilon=epsilon, people=7, fraction=fraction, trials=1)
    ones = study.answer().ones
    squares = np.square(list(draw(study, ones, 7, 400_000, np.random.default_rng(2))))
    for (series, one), seen in zip(ones.items(), squares.std(axis=1), strict=True):
        assert seen == pytest.approx(float(one.spread(7, population=about == "population")), rel=0.04), series.label


@pytest.mark.parametrize("row", json.loads((Path(__file__).parents[1] / "oracles" / "mean.json").read_text("utf-8")),
                         ids=lambda row: row["id"])
def test_that_the_notes_form_and_the_break_even_point_equal_the_oracle(row):
    p, expected = {name: float(given) for name, given in row["params"].items()}, float(row["value"])
    update = answer(Mean(epsilon=p["eps"], people=int(p.get("n", 100))), simulate=False)
    quantity = {"rr.seed_sd_claim": v.NOTE_ERROR, "rr_vs_laplace.crossover_n": v.BREAK_EVEN}[row["quantity"]]
    assert update.fact(quantity, f.RESPONSE).value == pytest.approx(expected, rel=1e-12)


def last(study, **views):
    for update in study.run(views):  # noqa: B007
        pass
    return update


def test_that_the_simulated_error_at_todays_n_depends_on_no_view():
    study = Mean(trials=300, about="population")
    here, there = last(study), last(study, people=(2e4, 3e7))
    assert len(here.tables[f.PEOPLE_TABLE][f.X_PEOPLE]) != len(there.tables[f.PEOPLE_TABLE][f.X_PEOPLE])
    for series in ALL:
        assert here.fact(v.SEEN_SD, series) == there.fact(v.SEEN_SD, series)
    # Nor does one n draw what another does: samples of many people err by √(π(1 − π)/n), each in its own way.
    table = here.tables[f.PEOPLE_TABLE]
    seen = (table[Column(v.SEEN_SD, f.LAPLACE)] * np.sqrt(table[f.X_PEOPLE]))[-5:]
    assert 0.01 < np.ptp(seen) / seen.mean() < 0.3


def test_that_dots_stand_only_where_they_were_drawn():
    found = Mean(trials=10, people=12_345).answer()
    own, other = found.view(f.PEOPLE_TABLE), (20.0, 2e6)
    drawn, done = list(found.simulate({f.PEOPLE_TABLE: own}))[-1]
    assert done == 10
    dots = {Column(quantity, series) for quantity in (v.SEEN_SD, v.SEEN_SD_LOW, v.SEEN_SD_HIGH) for series in ALL}
    assert dots <= set(found.table(f.PEOPLE_TABLE, own, drawn))
    zoomed = found.table(f.PEOPLE_TABLE, other, drawn)
    assert zoomed.rows == len(drawn.people)
    assert not dots & set(zoomed)
    assert dots <= set(found.table(f.PEOPLE_TABLE, own, drawn))


def test_that_one_chunk_of_surveys_can_be_left_between_two_estimates():
    found = Mean(trials=100).answer()
    steps = list(found.simulate({f.PEOPLE_TABLE: found.view(f.PEOPLE_TABLE)}))
    assert [seen is None for seen, _ in steps] == [True] * (len(steps) - 1) + [False]
    assert len(steps) == 1 + len(steps[-1][0].people) * len(found.ones)


def test_that_whole_numbers_of_noise_are_drawn_as_steps():
    table = exact(people=100, epsilon=0.5).tables[f.ERRORS_TABLE]
    whole = np.rint(100 * table[f.X_ERROR])
    assert len(set(whole)) > 20
    np.testing.assert_allclose(table[Column(v.ERROR_RELATIVE, f.GEOMETRIC)], np.exp(-0.5 * np.abs(whole)), rtol=1e-12)
    np.testing.assert_allclose(table[Column(v.ERROR_RELATIVE, f.LAPLACE)], np.exp(-50 * np.abs(table[f.X_ERROR])),
                               rtol=1e-12)


@pytest.mark.parametrize(("people", "shown"), [(10_000, (100, 1e8)), (20, (1, 1e6)), (10**12, (1e10, 1e12))])
def test_that_the_pictures_show_what_lies_around_these_settings(people, shown):
    found = Mean(people=people).answer()
    assert found.view(f.PEOPLE_TABLE) == shown
    assert found.view(f.EPSILON_TABLE) == (0.01, 10)
    half = 3.5 * found.value(v.GROUP_ERROR, f.RESPONSE)
    assert found.view(f.ERRORS_TABLE) == (-half, half)
    assert Mean(people=8, epsilon=20.0).answer().view(f.ERRORS_TABLE) == (-0.25, 0.25)


# Shuffled responses

def test_that_shuffled_responses_stand_between_and_fall_as_central_noise_does():
    table = exact().tables[f.PEOPLE_TABLE]
    n = np.log(table[f.X_PEOPLE])
    local, shuffled, central = (np.log(table[Column(v.ERROR_SD, series)])
                                for series in (f.RESPONSE, f.SHUFFLED, f.LAPLACE))
    assert (central < shuffled).all()
    assert (shuffled < local).all()
    assert (np.diff(shuffled) / np.diff(n) == pytest.approx(-1, abs=0.06))
    assert exact().fact(v.TIMES_SD, f.SHUFFLED).value == pytest.approx(4.622, abs=1e-3)


@pytest.mark.parametrize("values", [{}, {"epsilon": 0.3, "people": 200, "delta": 1e-3}, {"epsilon": 10.0, "people": 5}])
def test_that_the_local_epsilon_used_is_the_largest_that_keeps_the_guarantee(values):
    study = Mean(**values)
    local = value(exact(**values), v.LOCAL_EPSILON, f.SHUFFLED)
    one = ShuffledResponse(local, study.people)
    assert one.delta_at(study.epsilon) <= study.delta
    assert max(one.pair_delta(t, study.epsilon) for t in range(study.people - 1, 0, -max(1, study.people // 50))
               ) <= study.delta
    assert ShuffledResponse(local + 0.01, study.people).delta_at(study.epsilon) > study.delta
    same = study.answer().get(f.SHUFFLED)
    assert same.response.epsilon == local
    assert value(exact(**values), v.GROUP_ERROR, f.SHUFFLED) == pytest.approx(
        RandomizedResponse.symmetric(local).estimator_sd_given(0, study.people), rel=1e-12)


def test_that_accounts_of_shuffling_are_drawn_from_what_is_known_at_todays_settings():
    found = Mean(people=3_000, delta=1e-4).answer()
    table = found.table(f.LOCAL_TABLE)
    today = int(np.flatnonzero(table[f.X_PEOPLE] == 3_000)[0])
    facts = (v.LOCAL_EPSILON, v.LOCAL_ALIKE, v.LOCAL_BY_CLONES, v.LOCAL_BY_FORM, v.LOCAL_BY_CHEU)
    for series, quantity in zip(f.ALLOWED, facts, strict=True):
        drawn = table[Column(v.LOCAL_EPSILON, series)]
        assert drawn[today] == pytest.approx(found.value(quantity, f.SHUFFLED), rel=1e-9)
        assert (np.diff(drawn) >= 0).all()
        assert found.fact(quantity, f.SHUFFLED).kind == ("exact" if quantity == v.LOCAL_ALIKE else "bound")
    with hurried(), pytest.raises(NotYet):
        Mean(people=3_000, delta=1e-5).answer().table(f.LOCAL_TABLE)


@pytest.mark.parametrize("values", [{}, {"people": 150, "delta": 1e-3}, {"people": 10**7, "epsilon": 0.1}])
def test_that_so_many_times_the_people_give_shuffled_responses_the_error_of_laplace(values):
    study = Mean(**values)
    needed = round(study.people * value(exact(**values), v.SHUFFLED_PEOPLE, f.SHUFFLED))
    goal = value(exact(**values), v.GROUP_ERROR, f.LAPLACE)
    assert value(exact(**values | {"people": needed}), v.GROUP_ERROR, f.SHUFFLED) <= goal
    fewer = math.floor(needed * (1 - 2e-6)) - 1
    assert value(exact(**values | {"people": fewer}), v.GROUP_ERROR, f.SHUFFLED) > goal


def test_that_those_who_tell_what_they_said_hide_nobody():
    found = exact()
    left = ShuffledResponse(value(found, v.LOCAL_EPSILON, f.SHUFFLED), 5_001)
    assert value(found, v.COLLUDED_EPSILON, f.SHUFFLED) == left.epsilon_at(1e-6) == pytest.approx(1.683, abs=1e-3)


def test_that_95_percent_of_shuffled_estimates_are_off_by_no_more_than_is_said():
    for values in ({"people": 10_000}, {"people": 40, "epsilon": 3.0, "delta": 0.1}):
        study = Mean(**values)
        errors = list(draw(study, study.answer().ones, study.people, 40_000, np.random.default_rng(4)))[
            ALL.index(f.SHUFFLED)]
        off = np.abs(errors) <= value(exact(**values), v.FRACTION_ERROR_95, f.SHUFFLED)
        assert 0.95 <= off.mean() <= 0.9999


def errors_of(study, series):
    """Every error of few people that answers, or sample and whole-numbered noise, can have, with its probability."""
    n, share = study.people, study.fraction
    local = study.epsilon if series == f.RESPONSE else study.answer().value(v.LOCAL_EPSILON, f.SHUFFLED)
    p, population = math.exp(local) / (1 + math.exp(local)), study.about == "population"
    if series in (f.RESPONSE, f.SHUFFLED):
        yeses = round(share * n)
        groups = [(n, share * p + (1 - share) * (1 - p))] if population else [(yeses, p), (n - yeses, 1 - p)]
        truth = share if population else yeses / n
        law = np.ones(1)
        for many, yes in groups:
            law = np.convolve(law, [math.comb(many, i) * yes**i * (1 - yes) ** (many - i) for i in range(many + 1)])
        return (np.arange(len(law)) / n - (1 - p)) / (2 * p - 1) - truth, law
    ratio, noise = math.exp(-study.epsilon), np.arange(-400, 401)
    law = (1 - ratio) / (1 + ratio) * ratio ** np.abs(noise)
    if not population:
        return noise / n, law
    sample = np.array([math.comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(n + 1)])
    off = (np.arange(n + 1)[:, None] - n * share + noise[None, :]) / n
    return off.ravel(), np.outer(sample, law).ravel()


@pytest.mark.parametrize("about", ["group", "population"])
@pytest.mark.parametrize("values", [{"people": 7}, {"people": 40, "error_level": 0.5, "error_beyond": 0.1},
                                    {"people": 40, "epsilon": 3.0, "error_level": 0.99, "error_beyond": 0.26},
                                    {"people": 25, "fraction": 1.0, "error_level": 0.999, "error_beyond": 0.5}])
def test_that_errors_at_a_level_and_beyond_a_distance_are_those_of_the_law_added_up(about, values):
    study = Mean(about=about, **values)
    found, edge = study.answer(), 1e-7
    for series in (f.RESPONSE, f.GEOMETRIC, f.SHUFFLED):
        off, law = errors_of(study, series)
        beyond = law[np.abs(off) > study.error_beyond + edge].sum()
        assert found.value(v.ERROR_EXCEEDS, series) == pytest.approx(beyond, rel=1e-9, abs=1e-13)
        order = np.argsort(np.abs(off), kind="stable")
        least = np.abs(off)[order][np.searchsorted(np.cumsum(law[order]), study.error_level - 1e-12)]
        assert found.value(v.ERROR_AT_LEVEL, series) == pytest.approx(least, rel=1e-9, abs=1e-12)
        assert found.fact(v.ERROR_AT_LEVEL, series).kind == found.fact(v.ERROR_EXCEEDS, series).kind == "exact"


@pytest.mark.parametrize("series", [f.LAPLACE, f.GAUSSIAN])
def test_that_noise_of_any_size_beside_a_sample_is_added_up_too(series):
    study = Mean(about="population", people=30, epsilon=0.7, error_beyond=0.2, error_level=0.9)
    found, tail = study.answer(), study.answer().get(series).noise.tail
    law = [math.comb(30, i) * 0.3**i * 0.7 ** (30 - i) for i in range(31)]

    def beyond(x):
        return sum(mass * (tail(30 * x - i + 9) + tail(30 * x + i - 9)) for i, mass in enumerate(law))

    assert found.value(v.ERROR_EXCEEDS, series) == pytest.approx(beyond(0.2), rel=1e-12)
    assert beyond(found.value(v.ERROR_AT_LEVEL, series)) == pytest.approx(0.1, rel=1e-9)
    alone = Mean(people=30, epsilon=0.7, error_beyond=0.2, error_level=0.9).answer()
    assert alone.value(v.ERROR_EXCEEDS, series) == pytest.approx(2 * tail(6.0), rel=1e-12)
    assert 2 * tail(30 * alone.value(v.ERROR_AT_LEVEL, series)) == pytest.approx(0.1, rel=1e-9)


@pytest.mark.parametrize("about", ["group", "population"])
@pytest.mark.parametrize("level", [0.05, 0.6, 0.95, 0.9999])
def test_that_bounds_on_errors_of_very_many_are_not_below_the_law_and_said_to_be_bounds(about, level):
    few, many = (Mean(people=n, about=about, error_level=level, error_beyond=1e-3).answer() for n in (10**6, 10**6 + 1))
    for series in ALL:
        exact_one, bound = (a.fact(v.ERROR_AT_LEVEL, series) for a in (few, many))
        assert exact_one.kind == "exact"
        central, everybody = series in f.BOUNDED, series in (f.RESPONSE, f.SHUFFLED)
        assert bound.kind == ("bound" if central == (about == "population") else "exact")
        assert central != everybody
        assert bound.value >= exact_one.value - 2.2e-6  # a step of the answers of everybody
        exact_one, bound = (a.fact(v.ERROR_EXCEEDS, series) for a in (few, many))
        assert min(bound.value * (1 + 1e-3), 1) >= exact_one.value * (1 - 1e-3)
        assert 0 <= bound.value <= 1


def test_that_what_is_too_rare_to_add_up_is_said_by_a_bound():
    fact = Mean(people=10_000, error_beyond=0.09).answer().fact(v.ERROR_EXCEEDS, f.RESPONSE)
    assert fact.kind == "bound"
    assert 0 < fact.value < 1e-14
