"""What the updating study says: the notes’ claim in each world, crossings, and simulation against closed forms."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from scipy.special import betainc, betaincinv
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.resources import resource
from dpstudio.core.results import Column
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.sources import BW18, CP34, CSS11, DNPR10, DRS22, NOTES
from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.continual import RunningCount, noise_variance
from dpstudio.models.continual.optimal import each_optimal, search_each_optimal
from dpstudio.studies import updating as f
from dpstudio.studies.updating import Updating
from dpstudio.studies.updating import answer as answers
from dpstudio.studies.updating.answer import UpdatingAnswer, steps
from dpstudio.studies.updating.histories import Tally, _quantile, holds

exact = exact_of(Updating)

ALL = UpdatingAnswer.series()


@pytest.mark.parametrize(("batches", "adding", "again"), [(10, 20, 200), (365, 730, 266_450)])
def test_that_counting_again_ends_with_more_noise_than_the_seed_hopes(batches, adding, again):
    update = exact(epsilon=1.0, batches=batches)
    assert value(update, v.END_VARIANCE, f.SEQUENTIAL) == pytest.approx(adding)
    assert value(update, v.END_VARIANCE, f.RETRAIN) == pytest.approx(again)
    assert value(update, v.END_VARIANCE, f.SKEWED) == pytest.approx(8)
    assert value(update, v.END_TIMES, f.RETRAIN) == pytest.approx(batches)
    assert update.verdicts[0].startswith("Use the sum of batches: ")
    grouped = f"{again:,}".replace(",", "\u202f")
    assert f"2Q²/ε² = {grouped}, that of the sum 2Q/ε² = {adding}." in update.verdicts[3]
    for series in (f.SEQUENTIAL, f.RETRAIN, f.SKEWED, f.TREE):
        assert value(update, v.WORST_SD, series) == pytest.approx(math.sqrt(value(update, v.WORST_VARIANCE, series)))


def test_that_skewed_shares_rescue_the_claim_from_five_batches_on():
    assert value(exact(batches=4), v.END_TIMES, f.SKEWED) == pytest.approx(1)
    update = exact(batches=5)
    assert value(update, v.END_TIMES, f.SKEWED) < 1
    assert value(update, v.BETTER_FROM, f.SKEWED) == 5


def test_that_where_each_person_counts_once_the_claim_is_true_and_where_every_yes_counts_it_is_not():
    status, visits = (exact(epsilon=1.0, batches=365, who=who) for who in ("status", "visits"))
    assert value(status, v.END_TIMES, f.RETRAIN) == pytest.approx(1 / 365)
    assert status.verdicts[0].startswith("Use the recount: ")
    assert visits.verdicts[0].startswith("Use the binary tree: ")
    assert value(visits, v.END_TIMES, f.RETRAIN) == pytest.approx(366**2 / (4 * 365))
    assert value(status, v.END_VARIANCE, f.SEQUENTIAL) == value(visits, v.END_VARIANCE, f.SEQUENTIAL) \
        == pytest.approx(noise_variance("overlapping", 1.0, 365)[-1])


def test_that_the_verdict_states_where_the_tree_overtakes():
    update = exact(batches=10)
    assert value(update, v.WORST_BETTER_FROM, f.TREE) == 901
    assert value(update, v.WORST_BETTER_AFTER, f.TREE) == 1210
    sentence = next(said for said in update.verdicts if said.key == "tree")
    assert "first with 901 batches and always with more than 1\u202f210" in sentence
    assert [exact(batches=q).verdicts[0].partition(":")[0] for q in (900, 1000, 1210, 1300)] == [
        "Use the sum of batches", "Use the binary tree", "Use the sum of batches", "Use the binary tree"]
    # What saves less than 2 % of the sd is no reason to leave the plainer way.
    assert exact(batches=901).verdicts[0].startswith("Use the sum of batches")
    assert value(update, v.WORST_BETTER_FROM, f.RETRAIN) == math.inf


@pytest.mark.parametrize("who", ["once", "status", "visits"])
@pytest.mark.parametrize("batches", [2, 10, 1000])
def test_that_every_strategy_keeps_epsilon_for_the_people_that_it_is_made_for(who, batches):
    update = exact(epsilon=0.3, batches=batches, who=who)
    quantity = {"once": v.ONCE_EPSILON, "status": v.STATUS_EPSILON, "visits": v.VISITS_EPSILON}[who]
    for series in ALL:
        assert value(update, quantity, series) == pytest.approx(0.3, rel=1e-12)
        worst = value(exact(epsilon=0.3, batches=batches), v.VISITS_EPSILON, series)
        assert worst >= 0.3
    assert value(exact(epsilon=0.3, batches=batches), v.VISITS_EPSILON, f.SEQUENTIAL) == pytest.approx(0.3 * batches)


def test_that_one_batch_leaves_nothing_to_choose():
    update = exact(batches=1, epsilon=1.0)
    for series in (f.SEQUENTIAL, f.RETRAIN, f.TREE):
        assert value(update, v.END_VARIANCE, series) == pytest.approx(2)
    assert value(update, v.ONCE_EPSILON, f.SKEWED) == pytest.approx(0.5)
    assert update.verdicts[0].startswith("With one batch the sum, the recount and the binary tree are the same")


def test_that_the_noise_over_the_batches_and_over_their_number_agree():
    for batches in (7, 900, 20_000):
        update = exact(batches=batches, epsilon=2.0)
        over, against = update.tables[f.STEPS_TABLE], update.tables[f.END_TABLE]
        at = np.searchsorted(against[f.X_BATCHES], batches)
        for series in ALL:
            sd = over[Column(v.RUNNING_SD, series)]
            assert sd[-1] == pytest.approx(against[Column(v.END_SD, series)][at], rel=1e-12)
            assert sd.max() == pytest.approx(against[Column(v.WORST_SD, series)][at], rel=1e-12)
            assert value(update, v.WORST_VARIANCE, series) == pytest.approx(sd.max() ** 2, rel=1e-12)


def test_that_few_steps_are_shown_of_many_batches_the_trees_best_and_worst_among_them():
    assert steps(7).tolist() == [1, 2, 3, 4, 5, 6, 7]
    shown = steps(20_000)
    assert len(shown) <= 50
    assert {1, 16_383, 16_384, 19_999, 20_000} <= set(shown.tolist())


@pytest.mark.parametrize("who", ["once", "status"])
def test_that_the_sd_of_the_rate_is_that_of_simulated_estimates(who):
    study = Updating(batches=6, batch_people=50, epsilon=0.5, rate=0.2, who=who)
    rng = np.random.default_rng(2)
    n = 50 * (6 if who == "once" else 1)
    for series in ALL:
        noise = RunningCount(series.key, 0.5, 6, who).sample([6], 200_000, rng)[:, 0]
        seen = ((rng.binomial(n, 0.2, noise.size) + noise) / n).std()
        assert value(exact(**study.values()), v.RUNNING_RATE_SD, series) == pytest.approx(seen, rel=0.02)


# With a δ

def test_that_gaussian_noise_makes_adding_up_and_counting_again_end_alike():
    update = exact(epsilon=0.5, delta=1e-5, batches=50)
    adding, again = (value(update, v.GAUSSIAN_VARIANCE, one) for one in (f.SEQUENTIAL, f.RETRAIN))
    assert adding == pytest.approx(again, rel=1e-12)
    sigma = math.sqrt(again)  # 50 releases of the same person, each with this σ
    assert GaussianNoise(sigma).delta_at(0.5, math.sqrt(50)) == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta", "batches"),
                         [(1.0, 1e-6, 100), (0.1, 1e-12, 2), (20.0, 0.5, 365), (1e-6, 0.5, 2000), (1e-3, 1e-6, 1)])
def test_that_each_release_has_the_largest_epsilon_that_composes(epsilon, delta, batches):
    each = each_optimal(epsilon, delta, batches)
    assert RandomizedResponse.symmetric(each).epsilon_after(batches, delta) <= epsilon
    assert RandomizedResponse.symmetric(each * (1 + 1e-6)).epsilon_after(batches, delta) > epsilon


def test_that_optimal_composition_is_shown_where_releases_just_compose():
    once, status, visits = (answer(Updating(who=who, trials=10, batches=100)) for who in ("once", "status", "visits"))
    assert once.fact(v.EACH_OPTIMAL, f.SEQUENTIAL) is None
    assert status.fact(v.EACH_OPTIMAL, f.SEQUENTIAL) is not None
    assert visits.fact(v.EACH_OPTIMAL, f.RETRAIN) is None
    assert visits.fact(v.EACH_OPTIMAL, f.SEQUENTIAL) is not None
    assert value(once, v.EACH_OPTIMAL, f.RETRAIN) > value(once, v.EACH_EPSILON, f.RETRAIN)
    for series, terms in ((f.SEQUENTIAL, 100), (f.RETRAIN, 1)):
        noise = LaplaceNoise(1 / value(status, v.EACH_OPTIMAL, series))
        assert value(status, v.OPTIMAL_VARIANCE, series) == pytest.approx(terms * noise.sd**2)
    assert exact(delta=0.0).fact(v.GAUSSIAN_VARIANCE, f.TREE) is None


def test_that_nothing_is_composed_without_a_delta_or_with_one_release():
    for values in ({"delta": 0.0}, {"batches": 1}):
        for quantity in (v.EACH_OPTIMAL, v.OPTIMAL_VARIANCE):
            assert exact(who="status", **values).fact(quantity, f.RETRAIN) is None


def test_that_what_never_has_less_noise_has_no_last_number_of_batches_without():
    assert value(exact(), v.WORST_BETTER_AFTER, f.RETRAIN) == math.inf
    assert exact().fact(v.BETTER_FROM, f.SEQUENTIAL) is None


def test_that_numbers_name_who_proved_them():
    many, one = exact(batches=9), exact(batches=1)
    assert many.fact(v.WORST_VARIANCE, f.TREE).source == CSS11
    assert many.fact(v.END_VARIANCE, f.TREE).source == DNPR10
    assert many.fact(v.WORST_VARIANCE, f.RETRAIN).source == NOTES
    assert many.fact(v.GAUSSIAN_VARIANCE, f.TREE).source == DRS22
    assert one.fact(v.GAUSSIAN_VARIANCE, f.TREE).source == BW18
    drawn = answer(Updating(trials=10))
    assert drawn.fact(v.END_SEEN, f.TREE).source is None
    assert drawn.fact(v.RATE_COVERED, f.TREE).source == CP34


def test_that_the_last_count_of_visits_moves_by_every_batch():
    for who, move in (("visits", 9), ("once", 1)):
        assert f"Δ = {move} the last count’s move, Q = 9, ε = 0.1" in exact(who=who, batches=9).fact(
            v.END_VARIANCE, f.SKEWED).how


def test_that_one_batch_has_a_view_to_be_seen_in():
    assert Updating(batches=1).answer().view(f.STEPS_TABLE) == (0.5, 2.0), "the batch is in the middle"
    assert Updating(batches=7).answer().view(f.COVERAGE_TABLE) == (1.0, 7.0)


# Simulation

def test_that_all_histories_are_shown_in_the_end_and_few_answers_on_the_way():
    for trials in (16_000, 30_000):
        shown = [update.done for update in Updating(batches=1, trials=trials).run()]
        assert shown[-1] == trials
        assert len(set(shown)) <= answers.FRAMES + 2


@pytest.mark.parametrize(("batches", "who"), [(10, "once"), (365, "once"), (10, "status"), (100, "visits")])
def test_that_simulated_variances_match_the_closed_forms(batches, who):
    update = answer(Updating(batches=batches, who=who, trials=20_000, epsilon=1.0))
    table = update.tables[f.STEPS_TABLE]
    for series in ALL:
        sd = table[Column(v.RUNNING_SD, series)]
        seen, low, high = (table[Column(one, series)] for one in
                           (v.RUNNING_SEEN, v.RUNNING_SEEN_LOW, v.RUNNING_SEEN_HIGH))
        # Half an interval is 1.96 standard deviations; running counts of one history go astray together.
        assert (np.abs(seen**2 - sd**2) <= 1.1 * (high**2 - low**2)).all()
        assert (np.abs(seen**2 - (1.1 * sd) ** 2) > 1.1 * (high**2 - low**2)).all()
        np.testing.assert_allclose(table[Column(v.RUNNING_SEEN, series)], sd, rtol=0.05)
        end = update.fact(v.END_SEEN, series)
        assert end.kind == "estimate"
        assert end.value == pytest.approx(value(update, v.END_VARIANCE, series), rel=0.09)


@pytest.mark.parametrize("trials", [1, 2, 10, 100, 1000])
def test_that_intervals_of_the_variance_hold_it_nineteen_times_in_twenty_however_few_the_histories(trials):
    study = Updating(batches=3, epsilon=1.0)
    counts, at, repeats = study.answer().counts, np.array([1, 3]), 1000 if trials < 1000 else 300
    variances = np.stack([count.variance(at) for count in counts.values()])
    held = np.zeros(variances.shape)
    rng = np.random.default_rng(11)
    for _ in range(repeats):
        tally = Tally(study, counts, at)
        tally.draw(trials, rng)
        _, low, high = tally.variance()
        held += (low <= variances) & (variances <= high)
    # By the spread that few histories show it would be four times in ten at 2, nine in ten at 100.
    assert (np.abs(held / repeats - 0.955) < 0.03 + 0.02 * (repeats < 1000)).all(), held / repeats


@pytest.mark.parametrize(("batches", "series", "coverage"), [
    (1, f.SEQUENTIAL, 0.518), (10, f.SEQUENTIAL, 0.408), (100, f.SEQUENTIAL, 0.396), (10, f.RETRAIN, 0.211),
    (100, f.RETRAIN, 0.074)])
def test_that_naive_posteriors_hold_the_rate_as_rarely_as_the_formulary_says(batches, series, coverage):
    fact = answer(Updating(batches=batches, batch_people=100, epsilon=0.1)).fact(v.RATE_COVERED, series)
    assert fact.value == pytest.approx(coverage, abs=0.014)  # four standard deviations


def test_that_without_noise_to_speak_of_the_posterior_holds_the_rate_19_times_in_20():
    update = answer(Updating(batches=5, batch_people=10**9, epsilon=20.0))
    for series in ALL:
        assert value(update, v.RATE_COVERED, series) == pytest.approx(0.95, abs=0.007)


def test_that_a_shortcut_for_sure_cases_changes_no_judgement():
    rng = np.random.default_rng(8)
    n = 10.0 ** rng.integers(1, 6, 40_000)
    rate = rng.random(n.size)
    count = np.clip(np.rint(n * rate + rng.normal(size=n.size) * 2 * np.sqrt(n * rate * (1 - rate))), 0, n)
    below = betainc(1 + count, 1 + n - count, rate)
    np.testing.assert_array_equal(holds(count, n, rate), (below >= 0.025) & (below <= 0.975))


def test_that_quantiles_by_the_normal_limit_are_a_thousandth_of_an_sd_from_the_law():
    a, b = np.array([1.2e4, 5e5, 1e4]), np.array([9e4, 2e4, 1e7])
    sd = np.sqrt(a * b / (a + b) ** 2 / (a + b + 1))
    for side in (-1, 1):
        wanted = betaincinv(a, b, 0.5 + side * 0.475)
        assert (np.abs(_quantile(a, b, side) - wanted) < 1e-3 * sd).all()


def test_that_a_history_unfolds_and_stays_what_it_was():
    updates = [update for update in Updating(batches=50, trials=5000).run() if f.HISTORY_TABLE in update.tables]
    rows = [update.tables[f.HISTORY_TABLE].rows for update in updates]
    assert rows == sorted(rows)
    assert rows[0] == math.ceil(51 * 250 / 5000)
    assert rows[-1] == 51
    last = updates[-1].tables[f.HISTORY_TABLE]
    for column, numbers in updates[0].tables[f.HISTORY_TABLE].items():
        np.testing.assert_array_equal(numbers, last[column][: rows[0]])
    longer = answer(Updating(batches=50, trials=6000)).tables[f.HISTORY_TABLE]
    for column, numbers in longer.items():
        np.testing.assert_array_equal(numbers, last[column])


def test_that_what_is_released_is_the_true_count_and_the_noise():
    table = answer(Updating(batches=30, trials=100)).tables[f.HISTORY_TABLE]
    true = table[Column(v.TRUE_RUNNING_COUNT, f.TRUTH)]
    assert true[0] == 0
    assert (np.diff(true) >= 0).all()
    for series in ALL:
        np.testing.assert_allclose(table[Column(v.BATCH_COUNT, series)] - true, table[Column(v.RUNNING_NOISE, series)],
                                   atol=1e-9)
        assert table[Column(v.BATCH_COUNT, series)][0] == 0


def test_that_a_status_counts_nobody_twice():
    table = answer(Updating(batches=30, batch_people=40, rate=0.9, who="status", trials=100)).tables[f.HISTORY_TABLE]
    true = table[Column(v.TRUE_RUNNING_COUNT, f.TRUTH)]
    assert true.max() <= 40
    assert (np.diff(true) < 0).any()


def test_that_a_longer_run_begins_with_the_shorter_ones_draws():
    short = answer(Updating(trials=20_250, batches=5))
    longer = next(update for update in Updating(trials=60_000, batches=5).run()
                  if update.done == 20_250 and update.fact(v.END_SEEN, f.TREE))
    for series in ALL:
        assert value(short, v.END_SEEN, series) == value(longer, v.END_SEEN, series)


def test_that_every_number_of_the_help_page_is_there():
    text = resource("help/updating.md").read_text("utf-8")
    facts = {(fact.key, fact.series.key) for fact in answer(Updating(trials=10)).facts}
    asked = re.findall(r"\{fact:([a-z_0-9]+):([a-z]+)\}", text)
    assert len(asked) == text.count("{fact:")
    assert set(asked) <= facts
    names = {parameter.name for parameter in Updating.parameters()}
    assert set(re.findall(r"\{([a-z_]+)\}", text)) <= names


def test_that_one_fact_alone_builds_its_own_strategy_and_waits_for_no_search(monkeypatch):
    built = []

    def counted(strategy, *parameters):
        built.append(strategy)
        return RunningCount(strategy, *parameters)

    monkeypatch.setattr(answers, "RunningCount", counted)
    for name in ("search_each_optimal", "each_optimal", "crossing", "analytic_sigma", "history_of", "Tally"):
        monkeypatch.setattr(answers, name, None)
    assert Updating(epsilon=1.0, batches=15).answer().value(v.WORST_VARIANCE, f.TREE) == pytest.approx(4 * 2 * 4**2)
    assert built == ["tree"]
    with pytest.raises(TypeError):
        Updating().answer().fact(v.EACH_OPTIMAL, f.RETRAIN)


def test_that_a_search_is_done_once_and_in_steps_before_anything_is_drawn(monkeypatch):
    searches = []

    def counted(*setting):
        searches.append(setting)
        yield from search_each_optimal(*setting)

    monkeypatch.setattr(answers, "search_each_optimal", counted)
    found = Updating(batches=300, epsilon=0.77, trials=1000).answer()
    with hurried():
        said = found.sentences()
        assert [next(said) for _ in range(7)]
        with pytest.raises(NotYet):
            next(said)
    assert len(list(itertools.takewhile(lambda step: step[0] is None, found.simulate({})))) > 5
    assert found.fact(v.EACH_OPTIMAL, f.RETRAIN).value > 0.77 / 300
    assert found.fact(v.OPTIMAL_VARIANCE, f.RETRAIN).value < found.value(v.END_VARIANCE, f.RETRAIN)
    assert searches == [(0.77, 1e-6, 300)]
    list(found.simulate({}))
    assert len(searches) == 1


def test_that_what_was_drawn_stays_as_it_was_while_more_is_drawn():
    seen = [update.seen for update in Updating(trials=2000, batches=5).run() if update.seen]
    assert len({one.done for one in seen}) == len({one.variance[0][0, 0] for one in seen}) > 5
    first = next(update.seen for update in Updating(trials=2000, batches=5).run() if update.seen)
    np.testing.assert_array_equal(seen[0].variance, first.variance)
    np.testing.assert_array_equal(seen[0].coverage, first.coverage)
