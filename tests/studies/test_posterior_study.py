"""What the posterior study says: coverage, failures of the naive posterior, and a simulation that agrees."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.study import answer, fact
from dpstudio.core.update import Update
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise
from dpstudio.models.beta_bernoulli import (
    AwareIntervals,
    aware_intervals,
    clamped_coverage,
    noisy_count_posterior,
    unusable_share,
)
from dpstudio.studies import posterior as f
from dpstudio.studies.posterior import Posterior
from dpstudio.studies.posterior import answer as its_answer
from dpstudio.studies.posterior.answer import PosteriorAnswer
from dpstudio.studies.posterior.releases import Drawn, clamp_bias, invalid, released_count

exact = exact_of(Posterior)

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "beta_bernoulli.json").read_text("utf-8"))


def rows(quantity):
    return pytest.mark.parametrize("row", [row for row in ROWS if row["quantity"] == quantity],
                                   ids=lambda row: row["id"])


@rows("beta_naive.coverage95")
def test_that_the_clamped_interval_covers_what_the_oracle_says(row):
    given = row["params"]
    found = clamped_coverage(float(given["a"]), float(given["b"]), given["n"], 0.95, float(given["eps"]), "laplace")
    assert found == pytest.approx(float(row["value"]), abs=1e-8 if row.get("digits", 40) >= 12 else 1e-6)


@pytest.mark.parametrize(("people", "epsilon", "covered"), [(20, 0.1, 0.4062), (1000, 0.01, 0.2114), (100, 1, 0.9293)])
def test_that_the_study_shows_how_over_confident_the_clamped_interval_is(people, epsilon, covered):
    update = exact(people=people, epsilon=epsilon)
    assert value(update, v.COVERAGE, f.CLAMPED) == pytest.approx(covered, abs=5e-5)
    assert value(update, v.COVERAGE, f.AWARE) == 0.95


@rows("noisy_count.p_invalid_beta")
def test_that_the_naive_posterior_fails_as_often_as_the_oracle_says(row):
    given = row["params"]
    study = Posterior(people=given["n"], epsilon=float(given["eps"]), prior_a=float(given["a"]),
                      prior_b=float(given["b"]))
    found = sum(invalid(study, given["k"], np.array([study.epsilon])))
    assert found[0] == pytest.approx(float(row.get("value_f64", row["value"])), rel=1e-12)


@rows("noisy_count.clipped_bias")
def test_that_the_clamped_count_is_off_by_what_the_oracle_says(row):
    given = row["params"]
    study = Posterior(people=given["n"], epsilon=float(given["eps"]))
    assert clamp_bias(study, given["k"]) == pytest.approx(float(row["value"]), rel=1e-12)


def test_that_geometric_noise_is_summed_over_whole_numbers():
    study = Posterior(people=12, epsilon=0.4, noise="geometric", prior_a=1.5, prior_b=2.0)
    noise = np.arange(-300, 301)
    mass = math.tanh(0.2) * np.exp(-0.4 * np.abs(noise))
    for k in (0, 3, 12):
        of_a, of_b = invalid(study, k, np.array([0.4]))
        assert of_a[0] == pytest.approx(mass[1.5 + k + noise <= 0].sum(), rel=1e-12)
        assert of_b[0] == pytest.approx(mass[2.0 + 12 - k - noise <= 0].sum(), rel=1e-12)
        assert clamp_bias(study, k) == pytest.approx((mass * (np.clip(k + noise, 0, 12) - k)).sum(), abs=1e-12)


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_that_failures_average_over_the_prior(noise):
    a, b, n, epsilon = 1.5, 0.8, 15, 0.2
    study = Posterior(people=n, epsilon=epsilon, noise=noise, prior_a=a, prior_b=b)
    lgamma = math.lgamma
    law = [math.exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + lgamma(a + k) + lgamma(b + n - k)
                    - lgamma(a + b + n) + lgamma(a + b) - lgamma(a) - lgamma(b)) for k in range(n + 1)]
    wanted = sum(p * sum(invalid(study, k, np.array([epsilon])))[0] for k, p in enumerate(law))
    assert unusable_share(a, b, n, epsilon, noise) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("values", [
    {"people": 5, "epsilon": 0.5}, {"people": 20, "epsilon": 0.1}, {"people": 1000, "epsilon": 0.01},
    {"people": 50, "epsilon": 2.0, "prior_a": 0.5, "prior_b": 3.0},
    {"people": 30, "epsilon": 0.3, "noise": "geometric"},
    {"people": 100_000, "epsilon": 0.003, "prior_a": 40.0, "prior_b": 70.0},
    {"people": 8, "epsilon": 10.0, "level": 0.8}, {"people": 3, "epsilon": 0.2, "prior_a": 400.0, "prior_b": 300.0},
    {"people": 12, "epsilon": 0.2, "prior_a": 4.0, "prior_b": 7.5, "noise": "geometric"},
], ids=str)
def test_that_simulated_releases_agree_with_what_is_exact(values):
    update = answer(Posterior(**values, trials=20_000))
    study = Posterior(**values)
    for quantity, series, wanted in (
        (v.COVERAGE_FOUND, f.AWARE, study.level),
        (v.COVERAGE_FOUND, f.CLAMPED, value(update, v.COVERAGE, f.CLAMPED)),
        (v.COVERAGE_FOUND, f.NAIVE, value(update, v.COVERAGE, f.NAIVE)),
        (v.INVALID_FOUND, f.NAIVE, value(update, v.INVALID_OVERALL, f.NAIVE)),
    ):
        sd = math.sqrt(wanted * (1 - wanted) / 20_000)
        assert value(update, quantity, series) == pytest.approx(wanted, abs=5 * sd + 1e-4), (quantity.key, series)
    errors = [value(update, v.MEAN_RMSE, series) for series in (f.TRUTH, f.AWARE, f.CLAMPED)]
    assert errors[0] < errors[1] * 1.02
    assert errors[1] < errors[2] * 1.02


def test_that_the_errors_of_the_means_are_those_of_the_formulary():
    update = answer(Posterior(people=20, epsilon=0.1, trials=40_000))
    for series, wanted in ((f.CLAMPED, 0.3464), (f.AWARE, 0.2596)):
        fact = update.fact(v.MEAN_RMSE, series)
        assert fact.low - 0.001 < wanted < fact.high + 0.001


@pytest.mark.parametrize(("given", "apart"), [
    ((1.0, 1.0, 100, 0.1, 0.95, "laplace"), 1e-4), ((0.5, 2.0, 20, 5.0, 0.95, "laplace"), 3e-4),
    ((1.0, 1.0, 10_000_000, 1e-4, 0.95, "laplace"), 1e-3), ((30.0, 50.0, 100_000, 0.02, 0.9, "laplace"), 1e-4),
    ((1.0, 1.0, 50, 0.3, 0.95, "geometric"), 1e-5), ((1.0, 1.0, 1, 20.0, 0.95, "laplace"), 5e-4)], ids=str)
def test_that_intervals_between_the_computed_ones_are_the_posterior_s_own(given, apart):
    a, b, n, epsilon, level, noise = given
    table = aware_intervals(*given)
    for _ in table.fill():
        pass
    rng = np.random.default_rng(0)
    counts = rng.uniform(-0.1, 1.1, 25) * n
    counts = np.rint(counts) if noise == "geometric" else counts
    mean, low, high = table.rates_at(counts)
    for i, count in enumerate(counts):
        posterior = noisy_count_posterior(a, b, n, count, epsilon, "noise-aware", noise)
        assert posterior.cdf(low[i]) == pytest.approx((1 - level) / 2, abs=apart)
        assert posterior.survival(high[i]) == pytest.approx((1 - level) / 2, abs=apart)
        assert mean[i] == pytest.approx(posterior.mean, rel=10 * apart)


def test_that_a_count_below_zero_leaves_no_naive_posterior():
    update = exact(noisy_share=-0.1)
    assert update.fact(v.RATE_MEAN, f.NAIVE) is None
    assert Column(v.RATE_DENSITY, f.NAIVE) not in update.tables[f.DENSITY_TABLE]
    further = exact(noisy_share=-0.7)
    for quantity in (v.RATE_MEAN, v.INTERVAL_LOW, v.INTERVAL_HIGH):
        assert value(update, quantity, f.AWARE) == value(further, quantity, f.AWARE)


def test_that_an_interval_deserves_the_noise_aware_probability_of_it():
    update = exact()
    posterior = noisy_count_posterior(1, 1, 100, 40, 0.1, "noise-aware")
    low, high = (value(update, quantity, f.CLAMPED) for quantity in (v.INTERVAL_LOW, v.INTERVAL_HIGH))
    assert value(update, v.DESERVED, f.CLAMPED) == pytest.approx(posterior.cdf(high) - posterior.cdf(low), rel=1e-12)
    assert value(update, v.DESERVED, f.CLAMPED) < 0.6


def test_that_geometric_noise_releases_whole_counts():
    assert value(exact(noise="geometric", noisy_share=0.404), v.NOISY_COUNT) == 40


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_that_noise_as_far_from_zero_is_as_likely_as_its_law_has_it(noise):
    mechanism = {"laplace": LaplaceNoise(10.0), "geometric": GeometricNoise(0.1)}[noise]
    for share in (0.3, 0.4, -0.6, -0.8):
        update = exact(noise=noise, noisy_share=share)
        away = abs(value(update, v.NOISE_DRAWN))
        wanted = min(1.0, 2 * mechanism.tail(away)) if away else 1.0
        assert value(update, v.NOISE_BEYOND) == pytest.approx(wanted, rel=1e-12)


def test_that_the_first_answer_waits_for_no_simulation_and_the_next_are_complete():
    updates = list(itertools.islice(Posterior(people=37, epsilon=0.23).run(), 3))
    assert updates[0].done == 0
    assert f.DENSITY_TABLE in updates[0].tables
    assert all(update.facts == updates[0].facts for update in updates)


def test_that_coverage_rises_with_epsilon_and_ends_at_the_level():
    table = answer(Posterior(trials=1)).tables[f.COVERAGE_TABLE]
    naive, clamped = (table[Column(v.COVERAGE, series)] for series in (f.NAIVE, f.CLAMPED))
    for covered in (naive, clamped):
        assert (np.diff(covered) > 0).all()
        assert covered[-1] == pytest.approx(0.95, abs=2e-3)
    assert (naive <= clamped).all()
    assert (table[Column(v.COVERAGE, f.AWARE)] == 0.95).all()


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_that_a_drawn_release_is_the_true_count_with_the_noise_of_its_epsilon(noise):
    study = Posterior(release="drawn", noise=noise, people=1000, fraction=0.25, epsilon=0.5)
    noises = np.array([released_count(study.replace(seed=seed), 250) - 250 for seed in range(4000)])
    law = LaplaceNoise.calibrate(0.5, 1) if noise == "laplace" else GeometricNoise(0.5)
    assert np.std(noises) == pytest.approx(law.sd, rel=0.045)
    assert abs(np.mean(noises)) < 5 * law.sd / math.sqrt(len(noises))
    assert np.mean(noises >= 2) == pytest.approx(float(law.tail(2)), abs=0.03)
    assert noise == "laplace" or (noises == np.rint(noises)).all()


def test_that_a_drawn_release_is_as_seeded_and_its_noise_shrinks_as_epsilon_grows():
    far, near = (value(exact(release="drawn", epsilon=epsilon), v.NOISE_DRAWN) for epsilon in (0.01, 0.1))
    assert far == pytest.approx(10 * near)
    assert exact(release="drawn").facts == exact(release="drawn", noisy_share=7.0).facts
    assert value(exact(release="drawn", seed=1), v.NOISE_DRAWN) != value(exact(release="drawn"), v.NOISE_DRAWN)


def test_that_the_share_that_was_drawn_is_shown_in_place_of_the_given_one():
    assert exact().fact(v.DRAWN_RELEASE, None) is None
    update = exact(release="drawn")
    assert value(update, v.DRAWN_RELEASE) * 100 == pytest.approx(value(update, v.NOISY_COUNT))


@pytest.mark.parametrize("epsilon", [1e-6, 20.5, 50.0])
@pytest.mark.parametrize("people", [1, 1000, 10**7])
def test_that_every_epsilon_of_the_domain_has_posteriors(epsilon, people):
    update = exact(release="drawn", epsilon=epsilon, people=people)
    assert 0 <= value(update, v.INTERVAL_LOW, f.AWARE) < value(update, v.INTERVAL_HIGH, f.AWARE) <= 1
    if epsilon == 50:
        assert value(update, v.RATE_MEAN, f.AWARE) == pytest.approx(value(update, v.RATE_MEAN, f.TRUTH), rel=1e-9)


def test_that_the_error_of_a_mean_has_an_interval_only_where_many_were_drawn():
    few, many = (answer(Posterior(trials=trials)).fact(v.MEAN_RMSE, f.AWARE) for trials in (499, 500))
    assert (few.low, few.high) == (0, 1)
    assert "an interval takes 500" in few.how
    assert 0 < many.low < many.value < many.high < 1


def test_that_intervals_of_the_error_of_a_mean_hold_it_19_times_in_20():
    wanted = {f.CLAMPED: 0.3464, f.AWARE: 0.2596}
    held, wide = dict.fromkeys(wanted, 0), []
    for seed in range(40):
        update = answer(Posterior(people=20, epsilon=0.1, trials=500, seed=seed))
        for series, true in wanted.items():
            fact = update.fact(v.MEAN_RMSE, series)
            held[series] += fact.low <= true <= fact.high
            wide.append(fact.high - fact.low)
    assert min(held.values()) >= 35
    assert max(wide) < 0.08


def test_that_one_large_error_does_not_exclude_that_three_in_as_many_are():
    averaged = (f.TRUTH, f.CLAMPED, f.AWARE)
    drawn = Drawn(500, np.ones(1), np.zeros((3, 1), dtype=np.int64), {}, 0,
                  dict.fromkeys((series.key for series in averaged), (1.0, 1.0, 1.0)), np.zeros(0), np.zeros(0),
                  np.zeros((0, 10)))
    facts = [fact for fact in Posterior().answer().facts(drawn) if fact.quantity == v.MEAN_RMSE]
    assert [fact.series for fact in facts] == list(averaged)
    for found in facts:
        assert found.low == 0
        assert math.sqrt(3 / 500) < found.high < math.sqrt(7 / 500)


def test_that_noise_and_sample_are_alike_at_the_epsilon_that_says_so():
    for people in (1, 20, 1000):
        laplace, geometric = (value(exact(people=people, noise=noise), v.EVEN_EPSILON)
                              for noise in ("laplace", "geometric"))
        assert LaplaceNoise(1 / laplace).sd ** 2 == pytest.approx(people / 4)
        assert GeometricNoise(geometric).sd ** 2 == pytest.approx(people / 4)


def test_that_a_fact_alone_builds_only_its_own_posterior_and_searches_nothing(monkeypatch):
    built = []
    monkeypatch.setattr(PosteriorAnswer, "compared", tuple(
        replace(entry, build=lambda a, entry=entry: (built.append(entry.series), entry.build(a))[1])
        for entry in PosteriorAnswer.compared))
    for name in ("coverage", "unusable", "aware_intervals"):
        monkeypatch.setattr(its_answer, name, lambda *_, name=name: pytest.fail(f"{name} was asked for"))
    for series in (f.PRIOR, f.TRUTH, f.CLAMPED, f.AWARE):
        built.clear()
        assert 0 < fact(Posterior(), v.RATE_MEAN, series).value < 1
        assert built == [series]
    built.clear()
    assert fact(Posterior(), v.INVALID, f.NAIVE).value > 0
    assert not built


def test_that_clamped_intervals_do_not_wait_for_noise_aware_ones_and_coverage_waits_for_a_pause(monkeypatch):
    update = Update(Posterior(people=41, epsilon=0.37).answer())
    with hurried(), monkeypatch.context() as patch:
        patch.setattr(AwareIntervals, "fill", lambda _: pytest.fail("a batch was built in a hurry"))
        early = update.tables[f.INTERVAL_TABLE]
        with pytest.raises(NotYet):
            update.tables[f.COVERAGE_TABLE]
        assert len(update.verdicts) >= 5
        assert update.fact(v.COVERAGE, f.CLAMPED)
    whole = update.tables[f.INTERVAL_TABLE]
    waited = {Column(quantity, f.AWARE) for quantity in (v.RATE_MEAN, v.INTERVAL_LOW, v.INTERVAL_HIGH)}
    assert set(whole) - set(early) == waited
    for column in early:
        assert np.array_equal(whole[column], early[column])
    with hurried():  # what was found once is kept, also for another count
        assert set(update.tables[f.INTERVAL_TABLE]) == set(whole)
        assert set(Update(Posterior(people=41, epsilon=0.37, noisy_share=0.5).answer()).tables[f.INTERVAL_TABLE]) \
            == set(whole)


def test_that_the_search_of_a_zoomed_table_is_left_in_steps():
    found, view = Posterior(people=43, epsilon=0.29).answer(), (0.2, 0.4)
    steps = sum(1 for _ in found.work(*found.slow(f.COVERAGE_TABLE, view)))
    assert steps > 40
    assert found.slow(f.COVERAGE_TABLE)
    assert not found.slow(f.COVERAGE_TABLE, view)
    with hurried():
        shown = found.table(f.COVERAGE_TABLE, view)[f.X_EPSILON]
    assert (shown[0], shown[-1]) == pytest.approx(view)


def test_that_dots_are_shown_at_the_epsilons_that_they_were_drawn_for():
    study = Posterior(people=20, trials=500)
    found = study.answer()
    drawn = [seen for seen, _ in found.simulate({name: found.view(name) for name in found.tabled}) if seen][-1]
    place = Column(v.COVERAGE_FOUND, f.CLAMPED)
    assert place in found.table(f.COVERAGE_TABLE, seen=drawn)
    assert place not in found.table(f.COVERAGE_TABLE, (0.05, 0.3), drawn)
    zoomed = [seen for seen, _ in found.simulate({f.COVERAGE_TABLE: (0.05, 0.3)}) if seen][-1]
    assert place in found.table(f.COVERAGE_TABLE, (0.05, 0.3), zoomed)
    for series in f.JUDGED:
        assert found.fact(v.COVERAGE_FOUND, series, drawn) == found.fact(v.COVERAGE_FOUND, series, zoomed)


@pytest.mark.parametrize("x", [0.0, 0.05, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("values", [{}, {"noisy_share": -0.004, "prior_a": 2.0}, {"people": 20, "noisy_share": 0.95}])
def test_that_a_rate_is_further_from_each_mean_as_often_as_the_noise_aware_posterior_says(x, values):
    found = Posterior(error_beyond=x, **values).answer()
    aware = found.get(f.AWARE).posterior
    rates = (np.arange(40_000) + 0.5) / 40_000
    density = np.asarray(aware.density(rates))
    for series in f.JUDGED:
        mean = found.get(series).posterior.mean
        beyond = density[np.abs(rates - mean) > x].sum() / len(rates)
        assert found.value(v.ERROR_EXCEEDS, series) == pytest.approx(beyond, abs=3e-4)
        assert 0 <= found.value(v.ERROR_EXCEEDS, series) <= 1


def test_that_no_rate_is_off_from_a_mean_that_there_is_not():
    found = Posterior(noisy_share=-0.5).answer()
    assert found.fact(v.ERROR_EXCEEDS, f.NAIVE) is None
    assert found.fact(v.ERROR_EXCEEDS, f.CLAMPED) is not None
