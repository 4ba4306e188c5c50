"""What the decision study says: the note's own numbers, its discoveries, its simulation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.attacker import Attacker
from dpstudio.core.results import Column
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want
from dpstudio.core.study import answer
from dpstudio.mechanisms.asking import while_n_stays
from dpstudio.mechanisms.decision import GeneralizedDecision
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.studies import all_studies
from dpstudio.studies import decision as f
from dpstudio.studies.decision import Decision
from dpstudio.studies.kit import attack as pictures

exact = exact_of(Decision)

ALL = f.ALWAYS

PRESETS = {preset.key: preset.values for preset in Decision.presets}


def test_that_the_declared_parameters_are_those_of_the_study():
    declared = {parameter.name: parameter.default for parameter in Decision.parameters()
                if parameter.name not in Attacker.by_name()}
    assert list(declared) == ["minimum", "epsilon", "delta", "target", "uncertain", "records", "prior", "prior_centre",
                              "prior_width", "cost_false_yes", "cost_false_no", "trials", "seed", "zero_refused",
                              "others", "partitions"]
    study = Decision()
    assert study.prior_centre == study.minimum
    assert study.prior_width == study.minimum / 10
    assert all_studies()["decision"] is Decision


@pytest.mark.parametrize(("preset", "offset"), [("large_liberal", -3912.02300543),
                                                ("large_conservative", 3912.02300543)])
def test_that_the_notes_thresholds_come_out(preset, offset):
    update = exact(**PRESETS[preset])
    assert value(update, v.THRESHOLD, f.LAPLACE) == pytest.approx(100_000 + offset, abs=1e-8)


def test_that_the_notes_bands_and_steps_come_out():
    update = exact(**PRESETS["large_liberal"])
    assert value(update, v.BAND_WIDTH, f.LAPLACE) == pytest.approx(7824.046010856292, rel=1e-12)
    assert value(update, v.BAND_STEPS, f.LAPLACE) == 7825
    assert value(update, v.BAND_STEPS, f.GENERALIZED) == 792
    assert value(update, v.CENTRE_ACCEPTANCE, f.GENERALIZED) == pytest.approx(0.5007497499791875, rel=1e-12)
    assert value(update, v.ABOVE_CENTRE, f.GENERALIZED) == pytest.approx(395.1764, abs=1e-4)
    assert value(update, v.BELOW_CENTRE, f.GENERALIZED) == pytest.approx(396.1764, abs=1e-4)
    assert value(update, v.GUARANTEE_DELTA, f.CUTOFF) == pytest.approx(-math.expm1(-1e-3), rel=1e-13)


def test_that_the_conservative_strategy_needs_107_825_records():
    update = exact(**PRESETS["large_conservative"])
    assert value(update, v.BAND_TO, f.LAPLACE) == pytest.approx(107_824.046010856, rel=1e-12)
    assert value(update, v.REJECTION, f.LAPLACE) <= 0.01


def test_that_the_rand_preset_carries_the_shipped_count():
    shipped = json.loads((Path(__file__).parents[2] / "resources/data/rand_hie_count.json").read_text("utf-8"))
    assert PRESETS["rand_hie"]["records"] == shipped["records"]


def test_that_without_delta_there_is_no_gaussian_and_the_generalized_is_laplace():
    update = exact(delta=0.0)
    table = update.tables[f.RECORDS_TABLE]
    assert Column(v.ACCEPTANCE, f.GAUSSIAN) not in table
    np.testing.assert_allclose(table[Column(v.ACCEPTANCE, f.GENERALIZED)], table[Column(v.ACCEPTANCE, f.LAPLACE)],
                               rtol=1e-12)


def test_that_the_matched_decision_is_nowhere_above_the_cutoff_below_m_and_equal_from_m_on():
    table = exact(epsilon=0.3, minimum=50).tables[f.RECORDS_TABLE]
    n = table[f.X_RECORDS]
    cutoff, matched = (table[Column(v.ACCEPTANCE, series)] for series in (f.CUTOFF, f.MATCHED))
    assert (matched[n < 50] <= cutoff[n < 50] * (1 + 1e-15)).all()
    assert (matched[n >= 50] == 1).all()
    assert (cutoff[n >= 50] == 1).all()


@pytest.mark.parametrize("values", [{}, {"epsilon": 3.0, "target": 0.99}, {"delta": 0.0},
                                    {"epsilon": 1e-3, "delta": 1e-3}, {"minimum": 1, "records": 0},
                                    {"minimum": 3, "epsilon": 0.1, "delta": 0.4}])
def test_that_no_inequality_fails_at_the_claimed_guarantee(values):
    update = exact(**values)
    for series in ALL:
        if fact := update.fact(v.SLACK, series):
            assert fact.value >= -1e-15, (series, fact)


def test_that_the_risk_is_that_of_what_is_chosen_rounded_to_the_safe_side():
    chosen, _, sentence, *_ = exact(epsilon=1.0, delta=0.0).verdicts
    assert chosen.startswith("Use Laplace: ")
    assert "at most 6\u202f581 with it" in sentence  # f(m) − f(m − 1) = (1 − 1/e)/2, and ½ + a half of it is 0.65803


def test_that_errors_change_sides_at_m():
    table = exact(minimum=100, epsilon=0.2, target=0.9).tables[f.RECORDS_TABLE]
    n, error = table[f.X_RECORDS], table[Column(v.ERROR, f.LAPLACE)]
    accept, reject = table[Column(v.ACCEPTANCE, f.LAPLACE)], table[Column(v.REJECTION, f.LAPLACE)]
    np.testing.assert_array_equal(error, np.where(n < 100, accept, reject))


def test_that_the_simulation_converges_on_the_exact_probability():
    update = answer(Decision(trials=2_000_000))
    assert update.done == update.total == 2_000_000
    for series in ALL:
        fraction = update.fact(v.FRACTION, series)
        p = value(update, v.ACCEPTANCE, series)
        # Five standard deviations: a sampler one per cent off fails by seventy.
        assert abs(fraction.value - p) <= 5 * math.sqrt(p * (1 - p) / update.total) + 1e-12
        assert fraction.low <= fraction.value <= fraction.high


def test_that_a_view_is_sampled_where_it_looks():
    update = next(Decision().run({f.RECORDS_TABLE: (5000.0, 5100.0)}))
    n = update.tables[f.RECORDS_TABLE][f.X_RECORDS]
    np.testing.assert_array_equal(n, np.arange(5000, 5101))
    assert update.windows[f.RECORDS_TABLE] != (5000.0, 5100.0)


def test_that_the_lemmas_counterexample_holds_at_one_pair_and_fails_at_the_other():
    table = exact().tables[f.LEMMA_TABLE]
    x, value_, bound = table[f.X_POSITION], table[Column(v.VALUE)], table[Column(v.LEMMA_BOUND)]
    at = {position: (value_[np.isclose(x, position)][0], bound[np.isclose(x, position)][0]) for position in (0.0, 1.0)}
    assert at[1.0][0] <= at[1.0][1]
    assert at[0.0][0] > at[0.0][1]
    assert np.all(np.diff(value_) < 0)


def test_that_theorem_1_leaves_the_smallest_slack_of_laplace_beside_the_threshold():
    table = exact(minimum=200, epsilon=0.2).tables[f.THEOREM_TABLE]
    n, slack = table[f.X_RECORDS], table[Column(v.SLACK_HERE, f.LAPLACE)]
    below = slack[n < 200]
    assert np.all(np.diff(below) <= 1e-12)
    assert slack.min() >= -1e-15


@pytest.mark.parametrize("values", [{}, {"epsilon": 3.0, "delta": 0.01}, {"delta": 0.0, "epsilon": 1.0, "target": 0.99},
                                    {"minimum": 2, "epsilon": 0.5, "zero_refused": True}])
def test_that_the_advantage_is_the_deepest_point_of_the_trade_off(values):
    update = exact(**values)
    table = update.tables[pictures.ATTACK_TABLE]
    alpha = table[pictures.X_ALPHA]
    for series in ALL:
        if fact := update.fact(v.ADVANTAGE, series):
            best = (1 - alpha - table[Column(v.TYPE_II, series)]).max()
            assert best <= fact.value + 1e-12
            assert best == pytest.approx(fact.value, abs=0.012)
            assert value(update, v.SUCCESS, series) == pytest.approx((1 + fact.value) / 2)


def test_that_only_those_who_spend_more_delta_are_below_the_promise():
    table = exact(epsilon=0.5, delta=1e-3).tables[pictures.ATTACK_TABLE]
    promise = table[Column(v.TYPE_II, pictures.PROMISE)]
    for series in (f.LAPLACE, f.GENERALIZED, f.GAUSSIAN):
        assert (table[Column(v.TYPE_II, series)] >= promise - 1e-12).all()
    for series in (f.CUTOFF, f.MATCHED):
        assert (table[Column(v.TYPE_II, series)] < promise - 0.01).any()


def test_that_95_per_cent_of_all_answers_move_a_belief_by_no_more_than_is_said():
    update = exact(epsilon=0.4, delta=1e-3, minimum=40)
    n = np.arange(120)
    for series, one in Decision(epsilon=0.4, delta=1e-3, minimum=40).answer().ones.items():
        fact = update.fact(v.POSTERIOR_95, series)
        assert fact.kind == "bound"
        yes, no = (np.asarray(loss) for loss in one.decision.losses(n))
        common = [loss[probability > 0.05].max() for loss, probability in
                  ((yes, one.decision.accept_probability(n + 1)), (no, one.decision.reject_probability(n)))]
        assert 1 / (1 + math.exp(-max(common))) <= fact.value + 1e-12
    assert value(update, v.POSTERIOR_95, f.LAPLACE) == pytest.approx(1 / (1 + math.exp(-0.4)))


@pytest.mark.parametrize("values", [{}, {"epsilon": 1e-3, "delta": 1e-3}, {"delta": 0.0}, {"epsilon": 2.0}])
def test_that_asking_ten_times_costs_no_more_than_basic_composition_says(values):
    study, update = Decision(**values), exact(**values)
    for series in ALL:
        if fact := update.fact(v.ASKED_EPSILON, series):
            total = value(update, v.ASKED_DELTA, series)
            own = value(update, v.GUARANTEE_DELTA, series)
            assert fact.kind == "bound"
            assert fact.value <= 10 * study.epsilon
            assert total <= (10 * own + study.delta) * (1 + 1e-12)
            if fact.value == 10 * study.epsilon:
                assert total == pytest.approx(1 - (1 - own) ** 10, abs=1e-15)
            elif series != f.GAUSSIAN:
                assert fact.value < 9 * study.epsilon
                assert "slack" in fact.how


def test_that_ten_gaussian_answers_are_accounted_for_as_one():
    update = exact(epsilon=0.5, delta=1e-6)
    epsilon, delta = (value(update, quantity, f.GAUSSIAN) for quantity in (v.ASKED_EPSILON, v.ASKED_DELTA))
    mu = math.sqrt(10) * value(update, v.MU, f.GAUSSIAN)
    assert GaussianNoise(1 / mu).delta_at(epsilon) == pytest.approx(delta, rel=1e-9)
    assert epsilon < 0.5 * 10 / 2
    # Where no records may never be accepted, the decision is not Gaussian-private any more.
    refused = exact(epsilon=0.5, delta=1e-6, zero_refused=True)
    assert value(refused, v.ASKED_EPSILON, f.GAUSSIAN) == 5.0


def test_that_no_records_are_never_accepted_where_that_is_assumed():
    given = {"epsilon": 1e-4, "delta": 3e-4, "minimum": 1000, "records": 0}
    drawn, refused = exact(**given), exact(**given, zero_refused=True)
    assert value(drawn, v.ACCEPTANCE, f.GENERALIZED) > 0.1
    after_one = GeneralizedDecision(1e-4, 3e-4, 1000, 0.5).accept_probability(1)
    for quantity, expected in ((v.ACCEPTANCE, 0.0), (v.REJECTION, 1.0), (v.ERROR_AT_N, 0.0), (v.LOSS_ACCEPT, math.inf),
                               (v.LOSS_REJECT, -math.log1p(-after_one)), (v.GUARANTEE_DELTA, after_one),
                               (v.SLACK, 3e-4 - after_one), (v.SLACK_AT, 0.0)):
        assert value(refused, quantity, f.GENERALIZED) == pytest.approx(expected, rel=1e-12)
    table = refused.tables[f.RECORDS_TABLE]
    assert table[f.X_RECORDS][0] == table[Column(v.ACCEPTANCE, f.GENERALIZED)][0] == 0
    kept = exact(minimum=1000, records=0, zero_refused=True)
    assert "At N = 0 Laplace says “yes” with probability exactly 0." in kept.verdicts
    simulated = answer(Decision(**given, zero_refused=True, trials=1000))
    assert value(simulated, v.FRACTION, f.GENERALIZED) == 0.0
    told = exact(epsilon=1.0, delta=0.5, minimum=1, target=0.4, zero_refused=True).verdicts[0]
    assert "“yes” from 3 records on and “no” up to 0" in told


def test_that_where_no_records_are_always_refused_no_yes_is_sure_of_them():
    given = {"minimum": 1, "target": 0.999, "epsilon": 0.01, "delta": 0.01, "uncertain": 0.05}
    drawn, refused = exact(**given), exact(**given, zero_refused=True)
    for series in (f.LAPLACE, f.GENERALIZED):
        assert (value(drawn, v.SURE_YES, series), drawn.fact(v.SURE_NO, series)) == (0, None)
        assert (value(refused, v.SURE_YES, series), value(refused, v.SURE_NO, series)) == (1, 0)


def test_that_at_the_epsilon_that_was_solved_for_whole_edges_and_their_band_are_the_same_numbers():
    solved = solve(Decision, {"minimum": 100_000, "delta": 1e-9}, [Want("band_steps", "<=", 500.0, "laplace")],
                   ["epsilon"])
    update = exact(minimum=100_000, delta=1e-9, **solved.values)
    yes, no, steps = (value(update, quantity, f.LAPLACE) for quantity in (v.SURE_YES, v.SURE_NO, v.BAND_STEPS))
    assert (yes, no, steps) == (100_250, 99_750, 500)
    assert "“yes” from 100\u202f250 records on and “no” up to 99\u202f750" in update.verdicts[0]


@pytest.mark.parametrize("series", [f.GENERALIZED, f.GAUSSIAN])
@pytest.mark.parametrize("tail", [1e-3, 1e-20, 1e-100])
@pytest.mark.parametrize("delta", [0.5 - 2**-54, 0.3, 1e-5])
def test_that_an_end_beside_a_whole_number_is_where_the_tail_itself_is_small_enough(delta, tail, series):
    update = exact(delta=delta, uncertain=tail)
    made = update.answer.get(series)
    yes, no = value(update, v.SURE_YES, series), value(update, v.SURE_NO, series)
    assert made.reject_probability(yes) <= tail < made.reject_probability(yes - 1)
    assert made.accept_probability(no) <= tail < made.accept_probability(no + 1)


def test_that_the_table_of_asking_again_never_exceeds_the_sum():
    study = Decision(epsilon=0.01, delta=1e-5)
    table = exact(epsilon=0.01, delta=1e-5).tables[f.ASKING_TABLE]
    times, total = table[f.X_ASKED], table[Column(v.COMPOSED_EPSILON, f.GENERALIZED)]
    assert (total <= times * study.epsilon).all()
    assert total[-1] < 3  # of 10
    assert (table[Column(v.COMPOSED_DELTA, f.GENERALIZED)] <= times * study.delta + study.delta).all()


@pytest.mark.parametrize("values", [{}, {"epsilon": 0.01, "delta": 1e-5}, {"delta": 0.0}, {"zero_refused": True},
                                    {"epsilon": 1e-3, "delta": 1e-18}])
def test_that_the_picture_of_asking_again_shows_the_facts_at_ten_times(values):
    update = exact(**values)
    table = update.tables[f.ASKING_TABLE]
    at = table[f.X_ASKED].tolist().index(10)
    for series in ALL:
        if update.fact(v.ASKED_EPSILON, series):
            assert table[Column(v.COMPOSED_EPSILON, series)][at] == value(update, v.ASKED_EPSILON, series)
            assert table[Column(v.COMPOSED_DELTA, series)][at] == value(update, v.ASKED_DELTA, series)
            once = [table[Column(quantity, series)][0] for quantity in (v.COMPOSED_EPSILON, v.COMPOSED_DELTA)]
            assert once[0] <= Decision(**values).epsilon * (1 + 1e-12)
            assert once[1] >= value(update, v.GUARANTEE_DELTA, series) * (1 - 1e-12)


@settings(max_examples=10)
@given(epsilon=st.floats(-6, 2).map(math.exp), delta=st.sampled_from((0.0, 1e-6, 1e-3)), target=st.floats(0.05, 0.95),
       minimum=st.integers(1, 2000), refused=st.booleans())
def test_that_ten_answers_by_the_curve_lie_between_those_of_one_n_and_what_holds_of_all_decisions(
        epsilon, delta, target, minimum, refused):
    found = Decision(epsilon=epsilon, delta=delta, target=target, minimum=minimum, zero_refused=refused).answer()
    for series in found.ones:
        least, most, spent = (found.fact(quantity, series) for quantity in (
            v.STAYING_EPSILON, v.SEQUENCE_EPSILON, v.SEQUENCE_DELTA))
        own = found.value(v.GUARANTEE_DELTA, series)
        assert (least.kind, least.at_least, most.kind, most.at_least) == ("bound", True, "bound", False)
        assert least.value <= most.value * (1 + 1e-9) <= 10 * epsilon * (1 + 1e-8)
        assert spent.value == pytest.approx(1 - (1 - own) ** 10 * (1 - delta), rel=1e-9, abs=1e-15)
        if found.value(v.ASKED_DELTA, series) == spent.value:
            assert most.value <= found.value(v.ASKED_EPSILON, series)


def test_that_the_picture_by_the_curve_shows_the_facts_at_ten_answers():
    found = Decision(epsilon=0.7).answer()
    table = found.table(f.CURVE_TABLE)
    at = table[f.X_ASKED].tolist().index(10)
    assert table[Column(v.COMPOSED_EPSILON)][at] == 7.0
    for series in f.SMALL_DELTA:
        for quantity, fact in ((v.COMPOSED_ANY, v.SEQUENCE_EPSILON), (v.COMPOSED_STAYING, v.STAYING_EPSILON)):
            assert table[Column(quantity, series)][at] == found.value(fact, series)
    generalized = [table[Column(quantity, f.GENERALIZED)][-1] for quantity in (v.COMPOSED_STAYING, v.COMPOSED_ANY)]
    assert 0.6 * generalized[1] < generalized[0] < generalized[1] < 300  # of 700


def test_that_of_laplace_answers_about_one_n_the_worst_is_looked_at():
    # The most is told next to the threshold: (p, e^ε p) is (q, e^ε q) with some “yes” turned into “no” where p < q.
    for target, epsilon in ((0.5, 0.2), (0.3, 0.2), (0.9, 1.0)):
        found = Decision(epsilon=epsilon, target=target, minimum=30).answer()
        one, n = found.get(f.LAPLACE), np.arange(90)
        accept, reject = one.accept_probability(n), one.reject_probability(n)
        yes, no = one.losses(n)
        each = [while_n_stays((accept[i], accept[i + 1]), (reject[i], reject[i + 1]), (yes[i], no[i]), 10,
                              found.value(v.SEQUENCE_DELTA, f.LAPLACE)) for i in range(89)]
        assert found.value(v.STAYING_EPSILON, f.LAPLACE) == pytest.approx(max(each), rel=1e-12)


def test_that_a_tiny_delta_of_ten_answers_is_not_lost_beside_1():
    update = exact(epsilon=1e-6, delta=1e-8)
    assert "slack" in update.fact(v.ASKED_EPSILON, f.GENERALIZED).how
    own = mpmath.mpf(value(update, v.GUARANTEE_DELTA, f.GENERALIZED))
    with mpmath.workdps(40):
        expected = 1 - (1 - own) ** 10 * (1 - mpmath.mpf(1e-8))
    assert value(update, v.ASKED_DELTA, f.GENERALIZED) == pytest.approx(float(expected), rel=1e-14, abs=0)


def test_that_a_prior_of_poisson_s_has_no_width():
    narrow, wide = (exact(prior="poisson", prior_width=width) for width in (1.0, 1e6))
    assert narrow.facts == wide.facts
    assert not Decision.parameter("prior_width").matters({"prior": "poisson"})


@pytest.mark.parametrize("values", [
    {}, {"target": 0.99}, {"target": 0.01, "epsilon": 1e-3, "minimum": 10}, {"uncertain": 0.3}, {"minimum": 1},
    {"epsilon": 20.0, "minimum": 7, "delta": 0.5}, {"target": 0.99, "epsilon": 1e-3, "minimum": 10},
    {"uncertain": 0.5 * math.exp(-3.9005)}])  # ends five thousandths beside whole numbers
def test_that_the_steps_of_the_band_lead_from_the_last_refused_to_the_first_accepted(values):
    update = exact(**values)
    tail = Decision(**values).uncertain
    for series, one in Decision(**values).answer().ones.items():
        low, high = (value(update, quantity, series) for quantity in (v.BAND_FROM, v.BAND_TO))
        first, last = (float(round(end)) if abs(end - round(end)) < 1e-9 else way(end)
                       for end, way in ((low, math.floor), (high, math.ceil)))
        assert value(update, v.BAND_STEPS, series) == last - first
        # As integers, by the decision itself: 0.99 and 1 − 0.01 may differ in their last digit.
        assert one.decision.reject_probability(max(last, 0)) <= tail * (1 + 1e-12)
        assert last < 1 or one.decision.reject_probability(last - 1) > tail * (1 - 1e-12)
        if first >= 0:
            assert one.decision.accept_probability(first) <= tail * (1 + 1e-12)
            assert one.decision.accept_probability(first + 1) > tail * (1 - 1e-12)


def test_that_the_default_bands_are_80_47_80_and_170_records():
    update = exact()
    assert [value(update, v.BAND_STEPS, series) for series in ALL[:4]] == [80, 47, 80, 170]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0])
def test_that_the_matched_decision_accepts_one_record_too_few_with_e_to_the_minus_epsilon(epsilon):
    update = exact(epsilon=epsilon, delta=0.0, minimum=10)  # a uniform prior on 9, 10, 11
    assert value(update, v.FALSE_ACCEPT, f.MATCHED) == pytest.approx(math.exp(-epsilon), rel=1e-14, abs=0)
    assert value(update, v.GUARANTEE_DELTA, f.MATCHED) == pytest.approx(-math.expm1(-epsilon), rel=1e-15)


def test_that_a_probability_less_than_any_double_is_told_by_its_logarithm():
    far, below = exact(delta=0.0, records=10_000), exact(delta=0.0, minimum=10**6, records=0)
    for update, quantity in ((far, v.REJECTION), (below, v.ACCEPTANCE)):
        for fact in (update.fact(quantity, f.GENERALIZED), update.fact(v.ERROR_AT_N, f.GENERALIZED)):
            assert fact.value == 0
            assert "less than the smallest double" in fact.how
    assert f"e^{math.log(0.5) - 900!r}" in far.fact(v.REJECTION, f.LAPLACE).how
    for update, series in ((far, f.CUTOFF), (far, f.MATCHED), (exact(), f.LAPLACE)):
        assert "double" not in update.fact(v.REJECTION, series).how


@pytest.mark.parametrize(("epsilon", "uncertain"), [(20.0, 0.49), (20.0, 1e-9), (1e-3, 0.01), (5.0, 0.3)])
def test_that_the_way_from_the_centre_keeps_its_digits(epsilon, uncertain):
    with mpmath.workdps(40):
        delta = mpmath.mpf(1e-6)
        growth = mpmath.expm1(epsilon)
        s, tail = delta / growth, mpmath.mpf(uncertain)
        above = mpmath.log(((1 - delta) / (2 + growth) + s) / (tail + s)) / epsilon
    update = exact(epsilon=epsilon, uncertain=uncertain)
    assert value(update, v.ABOVE_CENTRE, f.GENERALIZED) == pytest.approx(float(above), rel=1e-14, abs=0)


def test_that_rejections_the_prior_hardly_believes_in_weigh_what_they_weigh():
    values = {"epsilon": 20.0, "delta": 0.0, "target": 1e-9, "minimum": 980, "prior": "normal", "prior_centre": 900.0,
              "prior_width": 10.0}
    update = exact(**values)
    beyond = mpmath.erfc(mpmath.mpf("7.95") / mpmath.sqrt(2)) / 2
    accepted, rejected, overall = (value(update, quantity, f.LAPLACE)
                                   for quantity in (v.FALSE_ACCEPT, v.FALSE_REJECT, v.OVERALL_ERROR))
    assert overall == pytest.approx(accepted * (1 - float(beyond)) + rejected * float(beyond), rel=1e-11, abs=0)
    assert rejected * float(beyond) > 0.9 * overall


def test_that_where_delta_is_spent_every_step_of_the_lower_part_exceeds_e_to_the_epsilon():
    study = Decision()
    table = exact().tables[f.RECORDS_TABLE]
    n, loss = table[f.X_RECORDS], table[Column(v.LOSS_ACCEPT, f.GENERALIZED)]
    common = table[Column(v.ACCEPTANCE, f.GENERALIZED)] > 0.4
    assert (loss[n < study.minimum] > study.epsilon).all()
    assert (common & (n < study.minimum)).any()


@pytest.mark.parametrize("values", [{}, {"delta": 0.0}, {"epsilon": 2.0, "zero_refused": True, "minimum": 2}])
def test_that_the_profile_begins_at_the_best_advantage(values):
    update = exact(**values)
    table = update.tables[pictures.PROFILE_TABLE]
    assert table[pictures.X_PROFILE][0] == 0
    for series in ALL:
        if update.fact(v.ADVANTAGE, series):
            assert table[Column(v.PROFILE, series)][0] == value(update, v.ADVANTAGE, series)


def test_that_without_delta_the_generalized_decision_is_a_coin_between_two_thresholds():
    epsilon, a = 0.5, math.exp(-0.5)
    table = exact(epsilon=epsilon, delta=0.0, target=0.55, minimum=30).tables[f.RECORDS_TABLE]
    n, accept = table[f.X_RECORDS], table[Column(v.ACCEPTANCE, f.GENERALIZED)]

    def reached(threshold):
        j = n - threshold
        return np.where(j < 0, a ** -np.minimum(j, 0) / (1 + a), 1 - a ** (np.maximum(j, 0) + 1) / (1 + a))

    coin = (0.55 - a / (1 + a)) / ((1 - a) / (1 + a))
    assert 0 < coin < 1
    np.testing.assert_allclose(coin * reached(30) + (1 - coin) * reached(31), accept, rtol=1e-9)


@pytest.mark.parametrize("values", [
    {}, {"records": 1000}, {"records": 999, "target": 0.9}, {"delta": 0.0, "epsilon": 2.0, "records": 1003},
    {"minimum": 3, "records": 0, "epsilon": 0.3, "target": 0.2}])
def test_that_every_number_is_that_of_the_decisions_themselves(values):
    study, update = Decision(**values), exact(**values)
    m, n, p, epsilon = study.minimum, study.records, study.target, study.epsilon
    assert value(update, v.DELTA_RECORDS) == study.delta * m
    offset = -math.log(2 * p) / epsilon if p <= 0.5 else math.log(2 * (1 - p)) / epsilon
    for quantity, expected in ((v.THRESHOLD, m + offset), (v.THRESHOLD_OFFSET, offset)):
        assert value(update, quantity, f.LAPLACE) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert ("ln(2(1−p))" in update.fact(quantity, f.LAPLACE).how) == (p > 0.5)
    for series, one in study.answer().ones.items():
        accept, reject = (np.asarray(tail([m, n, n + 1])) for tail in
                          (one.decision.accept_probability, one.decision.reject_probability))
        for quantity, expected in (
                (v.ACCEPTANCE_AT_MINIMUM, accept[0]), (v.HALF_MET, float(accept[0] >= 0.5)), (v.ACCEPTANCE, accept[1]),
                (v.REJECTION, reject[1]), (v.ERROR_AT_N, accept[1] if n < m else reject[1]),
                (v.GUARANTEE_EPSILON, epsilon), (v.GUARANTEE_DELTA, one.decision.delta_at(epsilon)),
                (v.ADVANTAGE, one.decision.delta_at(0.0)), (v.SUCCESS, (1 + one.decision.delta_at(0.0)) / 2),
                (v.LOSS_ACCEPT, math.log(accept[2] / accept[1]) if accept[1] else None),
                (v.LOSS_REJECT, math.log(reject[1] / reject[2]) if reject[2] else None)):
            if expected is not None:
                assert value(update, quantity, series) == pytest.approx(expected, rel=1e-9, abs=1e-14), quantity.key


def test_that_where_one_record_cannot_be_accepted_either_none_tells_nothing():
    update = exact(records=0, zero_refused=True)
    assert value(update, v.LOSS_ACCEPT, f.GENERALIZED) == 0.0  # it says “no” to 0 and 1 records, for certain
    assert value(update, v.LOSS_ACCEPT, f.LAPLACE) == math.inf


def test_that_theorem_1_is_drawn_with_the_delta_that_each_decision_claims():
    update = exact(epsilon=0.3, minimum=50, delta=1e-3)
    table = update.tables[f.THEOREM_TABLE]
    for series, claimed in ((f.LAPLACE, 0.0), (f.GENERALIZED, 1e-3), (f.MATCHED, -math.expm1(-0.3))):
        one = Decision(epsilon=0.3, minimum=50, delta=1e-3).answer().get(series)
        n = table[f.X_RECORDS]
        slack = math.exp(0.3) * one.decision.reject_probability(n + 1) + claimed - one.decision.reject_probability(n)
        np.testing.assert_allclose(table[Column(v.SLACK_HERE, series)], slack, atol=1e-14)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (0.7, 0.2), (3.0, 0.0)])
def test_that_the_pictures_of_privacy_show_epsilon_and_where_the_promise_bends(epsilon, delta):
    update = exact(epsilon=epsilon, delta=delta)
    low, high = update.windows[pictures.PROFILE_TABLE]
    assert low == 0
    assert high > 2 * epsilon
    table = update.tables[pictures.ATTACK_TABLE]
    advantage = 1 - table[pictures.X_ALPHA] - table[Column(v.TYPE_II, pictures.PROMISE)]
    assert advantage.max() == pytest.approx(1 - 2 * (1 - delta) / (1 + math.exp(epsilon)), abs=1e-12)


# Further decisions

GROUPS = PRESETS["groups"]


def test_that_further_decisions_are_there_only_where_they_are_asked_for():
    plain, groups, whole = (Decision(**values).answer() for values in ({}, GROUPS, {"others": "discrete"}))
    always = {*f.ALWAYS, *plain.ones}  # whatever is compared besides
    assert tuple(plain.ones)[:len(f.ALWAYS)] == plain.chosen[:len(f.ALWAYS)] == f.ALWAYS
    assert set(groups.ones) - always == set(groups.chosen) - always == set(f.SELECTION)
    assert set(whole.ones) - always == {f.DISCRETE_LAPLACE, f.DISCRETE_GAUSSIAN}
    assert always.isdisjoint((*f.SELECTION, f.DISCRETE_LAPLACE, f.DISCRETE_GAUSSIAN))
    assert {fact.series for fact in plain.facts()} <= {None, *always}
    assert not set(Decision(others="selection", delta=0.0).answer().ones) & set(f.SELECTION)
    assert f.DISCRETE_GAUSSIAN not in Decision(others="discrete", delta=0.0).answer().ones
    # Nothing is looked for among them, and no cost is drawn of what has no target.
    for a in (groups, whole):
        further = set(a.ones) - always
        assert further
        assert all(a.fact(v.BEST_COST, series) is None for series in further)
        assert {column.series for column in a.table(f.COST_TABLE)} <= always


def test_that_groups_far_from_the_minimum_do_not_stretch_its_picture_and_near_ones_are_in_it():
    assert Decision(others="selection").answer().view(f.RECORDS_TABLE) == Decision().answer().view(f.RECORDS_TABLE)
    near = Decision(**GROUPS).answer()
    assert near.view(f.RECORDS_TABLE)[1] >= near.value(v.BAND_TO, f.GAUSSIAN_SELECTION)


def test_that_the_users_needed_are_the_fewest_and_none_are_never_shown():
    for partitions in (1, 4):
        a = Decision(**{**GROUPS, "target": 0.9, "partitions": partitions}).answer()
        n = np.arange(300)
        for series in f.SELECTION:
            shown = np.asarray(a.one(series).accept_probability(n))
            assert shown[0] == 0
            assert a.value(v.USERS_NEEDED, series) == int(np.argmax(shown >= 0.9))
            assert a.value(v.USERS_HALF, series) == int(np.argmax(shown >= 0.5))
            assert a.value(v.LEAST_SHOWN, series) == 1
            assert a.value(v.SHOWN_ALONE, series) == shown[1] > 0
        table = a.table(f.GROUPS_TABLE)
        assert table[f.X_USERS][0] == table[Column(v.SHOWN, f.OPTIMAL_SELECTION)][0] == 0
        assert table[Column(v.NOT_SHOWN, f.OPTIMAL_SELECTION)][0] == 1
    assert Decision(**{**GROUPS, "target": 1e-9}).answer().value(v.USERS_NEEDED, f.LAPLACE_SELECTION) == 1


def test_that_groups_share_the_guarantee_of_a_person_and_all_of_them_keep_it():
    one, ten = Decision(**GROUPS).answer(), Decision(**{**GROUPS, "partitions": 10}).answer()
    for series in f.SELECTION:
        assert one.fact(v.GROUPS_DELTA, series) is None
        assert ten.value(v.GROUPS_EPSILON, series) == 1
        assert ten.value(v.GROUPS_DELTA, series) <= 1e-5 * (1 + 1e-12)
        assert one.value(v.SLACK, series) >= -1e-15
        assert ten.value(v.SLACK, series) >= -1e-15
    assert ten.value(v.GUARANTEE_EPSILON, f.OPTIMAL_SELECTION) == 0.1
    assert ten.value(v.GROUPS_DELTA, f.OPTIMAL_SELECTION) == pytest.approx(1e-5, rel=1e-12)
    assert ten.fact(v.GROUPS_DELTA, f.GAUSSIAN_SELECTION).kind == "bound"
    assert one.value(v.GUARANTEE_DELTA, f.GAUSSIAN_SELECTION) == pytest.approx(5e-6, rel=1e-9)
    # Gaussian noise costs the root of what the others cost.
    needed = {series: ten.value(v.USERS_NEEDED, series) for series in f.SELECTION}
    assert min(needed, key=lambda series: needed[series]) == f.GAUSSIAN_SELECTION
