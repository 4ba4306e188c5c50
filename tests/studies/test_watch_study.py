"""The watch study against brute force, and what its presets say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.study import answer, fact
from dpstudio.core.update import Update
from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models import watching
from dpstudio.models.continual import RunningCount, parts
from dpstudio.models.continual.law import tail
from dpstudio.models.watching import TreeWatch
from dpstudio.studies import watch as f
from dpstudio.studies.watch import Watch

PRESETS = {preset.key: preset for preset in Watch.presets}


def delay(key, series):
    return fact(Watch(**PRESETS[key].values), v.MEAN_DELAY, series).value


def test_that_presets_say_what_their_settings_give():
    assert delay("hundred", f.ABOVE) < 0.01
    assert round(delay("hundred", f.BASIC), 1) == 23.7
    assert "less than 0.01 days late on average, a new decision on each of 100 days 23.7" in PRESETS["hundred"].sentence
    assert (round(delay("leaving", f.ABOVE), 3), round(delay("leaving", f.EXPONENTIAL), 4)) == (0.167, 0.0341)
    assert "twice the noise: it is 0.167 days late, with exponential noise 0.0341" in PRESETS["leaving"].sentence
    sds = [fact(Watch(**PRESETS[key].values), v.COMPARISON_SD, f.ABOVE).value for key in ("hundred", "leaving")]
    assert sds[1] == pytest.approx(2 * sds[0])
    assert [round(delay("year", one), 2) for one in (f.ABOVE, f.EXPONENTIAL)] == [9.84, 7.92]
    year = PRESETS["year"].sentence
    assert "9.84 days late on average, with exponential noise 7.92; a new decision each day 163," in year
    assert round(delay("year", f.BASIC)) == 163
    year = Watch(**PRESETS["year"].values)
    assert delay("year", f.BASIC) > 0.97 * (year.times - fact(year, v.REACHED).value)
    once = Watch(**PRESETS["once"].values)
    missed = [fact(once, v.NEVER_SAID, one).value for one in (f.ABOVE, f.BASIC)]
    assert round(missed[0] / missed[1], 1) == 3.5
    assert "3.5 times more rarely" in PRESETS["once"].sentence
    nothing = Watch(**PRESETS["nothing"].values)
    assert nothing.answer().fact(v.REACHED) is None
    assert nothing.answer().history.counts[-1] == 400
    for one in f.EXACT:
        assert fact(nothing, v.NEVER_SAID, one).value == pytest.approx(0.95, rel=1e-6)


def test_that_what_is_drawn_comes_to_what_is_exact_and_a_half_more_epsilon_would_be_noticed():
    study = Watch(epsilon=0.2, minimum=200, times=60, per_time=5.0, alarm=0.2, trials=20_000)
    update, other = answer(study), study.replace(epsilon=0.3).answer()
    for one in f.EXACT:
        for seen, exact in ((v.DELAY_SEEN, v.MEAN_DELAY), (v.ALARM_SEEN, v.FALSE_ALARM), (v.NEVER_SEEN, v.NEVER_SAID)):
            found = update.fact(seen, one)
            room = (found.high - found.low) / 2
            assert found.low - room <= fact(study, exact, one).value <= found.high + room, (one, exact.key)
        delayed = update.fact(v.DELAY_SEEN, one)
        assert one == f.BASIC or not delayed.low <= other.fact(v.MEAN_DELAY, one).value <= delayed.high
    assert update.fact(v.ALARM_SEEN, f.TREE).low <= 0.2
    said, at = update.tables["times"], update.tables["times"][f.X_TIME]
    for one in f.EXACT:
        exact, low, high = (said[Column(each, one)] for each in (v.SAID, v.SAID_LOW, v.SAID_HIGH))
        assert np.mean((low - 1e-12 <= exact) & (exact <= high + 1e-12)) > 0.8
        assert exact[at == 0] == 0


@pytest.mark.parametrize("delta", [0.0, 0.3])
def test_that_the_tree_has_its_noise_and_its_false_alarms_are_bounded(delta):
    watch, rng = TreeWatch(0.7, delta, 13), np.random.default_rng(3)
    assert (watch.gaussian is None) == (delta == 0.0)
    noise = watch.noise(60_000, rng)
    sds = watch.node_sd * np.sqrt(parts.terms(np.arange(1, 14)))
    np.testing.assert_allclose(noise.std(axis=1), sds, rtol=0.03)
    assert watch.worst_sd == sds.max()
    if delta == 0:
        np.testing.assert_allclose(sds**2, RunningCount("tree", 0.7, 13).variance(), rtol=1e-12)
    # 7 = 4 + 2 + 1 and 6 = 4 + 2 differ by one node; 8 has none in common with them.
    assert (noise[6] - noise[5]).std() == pytest.approx(watch.node_sd, rel=0.03)
    assert abs(np.corrcoef(noise[7], noise[6])[0, 1]) < 0.02
    counts = np.arange(1.0, 14)
    for threshold in (20.0, 40.0):
        drawn = watch.first_yes(counts, threshold, 60_000, rng)
        ever, bound = np.mean(drawn < 13), watch.most_ever(counts, threshold)
        reached = (noise >= (threshold - counts)[:, None]).mean(axis=1)
        assert bound == pytest.approx(min(reached.sum(), 1), abs=0.02)
        assert ever <= bound + 0.01
    assert watch.most_ever(counts, watch.threshold_for(counts, 0.01)) == pytest.approx(0.01, rel=1e-11)


def test_that_the_trees_bound_is_the_sum_of_all_its_tails_and_its_noise_the_lesser():
    watch, counts = TreeWatch(5.0, 0.0, 13), np.arange(1.0, 14)
    scale = 4 / 5.0
    exact = sum(float(tail(int(terms), (15.0 - count) / scale)) for terms, count in zip(
        parts.terms(np.arange(1, 14)), counts, strict=True))
    assert watch.most_ever(counts, 15.0) == pytest.approx(exact, rel=1e-12)
    assert watch.most_ever(np.array([3.0]), 1.0) == pytest.approx(1 - math.exp(-2 / scale) / 2, rel=1e-12)
    # L = 10: √10 of the least σ for ε = 1 and δ = 1e−6 is 13.4, less than √2 · 10, though more than 10.
    assert TreeWatch(1.0, 1e-6, 1000).gaussian == pytest.approx(math.sqrt(10) * 4.2247, rel=1e-3)
    assert TreeWatch(1.0, 1e-6, 100).gaussian is None


def test_that_medians_are_where_the_law_of_the_first_yes_crosses_one_half():
    study = Watch(epsilon=0.4, minimum=60, times=50, per_time=3.0)
    found = study.answer()
    for one in f.EXACT:
        watch = found.get(one)
        said = np.cumsum(watch.build(watch.threshold).first_yes(found.history.counts))
        median = found.value(v.MEDIAN_YES, one)
        assert math.isinf(median) if said[-1] < 0.5 else said[int(median) - 1] >= 0.5 > said[int(median) - 2]
        assert found.value(v.MEDIAN_DELAY, one) == median - 20


@settings(max_examples=15)
@given(st.floats(-2, 1).map(math.exp), st.floats(0.1, 0.9), st.integers(1, 9))
def test_that_what_variants_give_away_is_the_loss_of_a_pair(epsilon, share, k):
    watch = AboveThreshold(epsilon, 0.0, share)
    one, two = watch.threshold_rate, watch.count_rate
    # Going on: outcomes of all k answers, by a fine sum over the noisy threshold.
    z, yes = np.linspace(-60 / min(one, two), 60 / min(one, two), 20_001), k // 2

    def no(x):
        return np.where(x < 0, np.exp(two * np.minimum(x, 0)) / 2, 1 - np.exp(-two * np.maximum(x, 0)) / 2)

    weight = np.exp(-one * np.abs(z)) * (1 - no(z)) ** yes
    fewer, more = (np.sum(weight * no(z - count) ** (k - yes)) for count in (0.0, 1.0))
    assert float(watching.going_on(watch, k)) == pytest.approx(math.log(fewer / more), rel=1e-3, abs=1e-6)
    # Telling the noisy count: below the counts, in that of the “yes” too.
    low, high = -1 / two, 0.0
    told = [np.sum(np.exp(-one * np.abs(z)) * (z <= low) * no(z - count) ** (k - 1)) * math.exp(two * (low - count))
            for count in (high, high + 1)]
    assert float(watching.released(watch, k)) == pytest.approx(math.log(told[0] / told[1]), rel=1e-6)
    assert float(watching.drawn_anew(watch, k)) == k * min(one, two)
    assert float(watching.bare(watch, k)) == (math.inf if k > 1 else one)
    assert watching.falling(watch) == one + 2 * two


def test_that_a_threshold_drawn_anew_gives_away_its_share_at_each_time():
    rng = np.random.default_rng(5)
    one, two, far = 0.5, 0.5, 14.0  # the probability of “no” to a count so far above, and one further
    noise = rng.laplace(0, 1 / one, 4_000_000) + rng.laplace(0, 1 / two, 4_000_000)
    loss = math.log(np.mean(noise > far) / np.mean(noise > far + 1))
    assert 0.4 * min(one, two) < loss < min(one, two) * 1.05


def test_that_delays_at_another_false_alarm_are_those_of_that_setting():
    study = Watch(epsilon=0.3, minimum=100, times=40, per_time=4.0)
    table = Update(study.answer()).tables["alarm"]
    for one in f.EXACT:
        alarms, delays = table[Column(v.FALSE_ALARM, one)], table[Column(v.MEAN_DELAY, one)]
        assert (np.diff(alarms) <= 0).all()
        assert alarms[0] > study.alarm > alarms[-1]
        for alarm, delayed in list(zip(alarms, delays, strict=True))[6::6]:
            other = study.replace(alarm=float(alarm))
            assert fact(other, v.MEAN_DELAY, one).value == pytest.approx(delayed, rel=1e-6)


def test_that_a_history_ends_where_yes_is_said_and_is_the_same_however_many_are_drawn():
    study = Watch(epsilon=0.5, trials=200)
    first, longer = answer(study).tables["history"], answer(study.replace(trials=900)).tables["history"]
    for series in (*f.EXACT, f.TREE):
        at, level = first[Column(v.TIME, series)], first[Column(v.NOISY_COUNT_THEN, series)]
        np.testing.assert_array_equal(level, longer[Column(v.NOISY_COUNT_THEN, series)])
        end = int(at[-1])
        assert (level[:end - 1] < study.minimum).all()
        assert end == study.times or level[-1] >= study.minimum
        assert (at[end - 1:] == end).all()


@pytest.mark.parametrize("presence", ["stays", "comes and goes"])
def test_that_every_series_keeps_epsilon_for_such_a_record_and_spends_all_of_it(presence):
    @given(st.floats(-4, 2).map(math.exp), st.floats(0.02, 0.98), st.integers(1, 40), st.sampled_from([0.0, 1e-6, 0.1]))
    def check(epsilon, share, times, delta):
        study = Watch(epsilon=epsilon, share=share, times=times, delta=delta, presence=presence, minimum=20)
        found = study.answer()
        for series, promised in found.guarantees.items():
            assert promised.relation == study.relation
            assert promised.epsilon == epsilon == found.value(v.GUARANTEE_EPSILON, series)
            assert promised.delta == found.value(v.GUARANTEE_DELTA, series)
            assert promised.keeps(epsilon, delta)
            assert float(promised.delta_at(epsilon)) <= promised.delta * (1 + 1e-9) + 1e-15
            own = v.STAYING_EPSILON if presence == "stays" else v.COMING_EPSILON
            if not promised.delta:
                assert found.value(own, series) == pytest.approx(epsilon, rel=1e-12)
            assert found.value(v.STAYING_EPSILON, series) <= found.value(v.COMING_EPSILON, series) * (1 + 1e-12)

    check()


def test_that_the_tree_has_no_guarantee_for_a_record_that_comes_and_goes_and_is_left_out():
    study = Watch(presence="comes and goes", times=3, minimum=15)
    found = study.answer()
    assert found.one(f.TREE) is None
    assert f.TREE not in found.guarantees
    assert f.TREE in study.replace(presence="stays").answer().guarantees
    # Of two times it has a node for each, as many as levels.
    assert f.TREE in study.replace(times=2).answer().guarantees
    # A record counted at time 1 alone, of three: in the nodes of 1, and out of that of 3 again.
    stays = study.replace(presence="stays").answer()
    assert stays.value(v.COMING_EPSILON, f.TREE) == pytest.approx(1.5)


def test_that_a_delay_ends_with_the_last_time_whether_yes_was_said_or_not():
    once = Watch(**PRESETS["once"].values).answer()
    for one in f.EXACT[:3]:
        assert once.value(v.MEAN_DELAY, one) == once.value(v.DELAY_RECORDS, one) == 0
    # m is reached at the third of five times; each count has its own law of the first “yes”.
    study = Watch(minimum=7, times=5, per_time=2.5, epsilon=0.5)
    found = study.answer()
    assert found.history.counts.tolist() == [2, 5, 7, 10, 12]
    for one in f.EXACT:
        watch = found.get(one).build(found.get(one).threshold)
        first = np.append(watch.first_yes(found.history.counts), watch.never(found.history.counts))
        assert found.value(v.MEAN_DELAY, one) == pytest.approx(first @ [0, 0, 0, 1, 2, 2], rel=1e-9)
        assert found.value(v.DELAY_RECORDS, one) == pytest.approx(first @ [0, 0, 0, 3, 5, 5], rel=1e-9)
    drawn = answer(study.replace(trials=20_000))
    seen = drawn.fact(v.DELAY_SEEN, f.ABOVE)
    assert seen.low <= found.value(v.MEAN_DELAY, f.ABOVE) <= seen.high


def test_that_a_tiny_delay_is_known_to_its_digits_and_none_is_called_nothing():
    study = Watch(epsilon=4.0, times=20, per_time=30.0, minimum=301, alarm=0.01, presence="comes and goes")
    found = study.answer()
    for one, near in ((f.ABOVE, 2.2e-23), (f.EXPONENTIAL, 1e-24)):
        watch = found.get(one).build(found.get(one).threshold)
        still = [watch.never(found.history.counts[:t]) for t in range(11, 20)]
        assert found.value(v.MEAN_DELAY, one) == pytest.approx(sum(still), rel=1e-9, abs=0)
        assert 0.1 * near < found.value(v.MEAN_DELAY, one) < 10 * near
    surely = Watch(epsilon=20.0, minimum=1, per_time=1e9).answer().fact(v.MEAN_DELAY, f.ABOVE)
    assert (surely.value, surely.kind) == (1e-290, "bound")


def test_that_of_delays_that_print_alike_one_without_delta_is_chosen():
    alike = next(iter(Watch(minimum=1, per_time=285.0).answer().sentences(None)))
    assert alike.startswith("Use AboveThreshold: its “yes” comes less than 0.01 records late on average")
    study = Watch(epsilon=0.01, times=100, per_time=10.0, minimum=500, delta=1e-12, share=0.99)
    found = study.answer()
    best, second, *_ = found.sentences(None)
    late = {one: found.value(v.DELAY_RECORDS, one) for one in f.EXACT}
    assert f"{late[f.BASIC]:.3g}" == f"{late[f.OPTIMAL]:.3g}"
    assert late[f.OPTIMAL] < min(late[one] for one in f.EXACT if one != f.OPTIMAL)
    assert best.startswith("Use AboveThreshold: its “yes” comes 462 records late on average")
    assert second == ("Runner-up: AboveThreshold with exponential noise, as late, no δ; a new decision each step "
                      "(ε/k): 462 records late.")
