"""What the response study says: the notes' own numbers, its discoveries, its ends, its simulation."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from study_kit import exact_of

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.sources import CHAPTER, KOV16, LECTURE, NOTES
from dpstudio.core.special import updated
from dpstudio.core.study import answer
from dpstudio.studies import response as f
from dpstudio.studies.kit import attack as pictures
from dpstudio.studies.response import Response

exact = exact_of(Response)


def value(update, quantity, series=f.CHOSEN):
    fact = update.fact(quantity, series)
    assert fact is not None, quantity.key
    return fact.value


def said(update, words):
    return any(words in sentence for sentence in update.verdicts)


@pytest.mark.parametrize(("values", "epsilon"), [
    ({"design": "warner"}, math.log(3)), ({"design": "coins", "theta1": 0.5, "theta2": 0.1}, math.log(11)),
    ({"design": "coins", "theta1": 0.5, "theta2": 0.9}, math.log(11)), ({"design": "symmetric", "epsilon": 2.0}, 2.0)])
def test_that_every_kind_has_its_epsilon(values, epsilon):
    assert value(exact(**values), v.GUARANTEE_EPSILON) == pytest.approx(epsilon, rel=1e-14)


def test_that_fair_coins_move_a_tenth_to_a_quarter_or_to_a_twenty_eighth():
    update = exact(design="warner", prevalence=0.1)
    assert value(update, v.POSTERIOR_YES) == pytest.approx(0.25, rel=1e-14)
    assert value(update, v.POSTERIOR_NO) == pytest.approx(1 / 28, rel=1e-14)
    assert said(update, "at most 7\u202f500 with it,")
    assert said(update, "A belief of 10\u202f% in a true “yes” becomes 25\u202f% after the answer “yes” and "
                "3.57\u202f% after “no”.")


def test_that_the_three_kinds_agree_where_they_are_the_same_response():
    updates = [exact(design="warner"), exact(design="coins", theta1=0.5, theta2=0.5),
               exact(design="symmetric", epsilon=math.log(3))]
    for quantity in (v.ESTIMATOR_SD, v.ESTIMATOR_SD_GIVEN, v.COIN1, v.COIN2, v.WITHIN_MARGIN):
        numbers = [value(update, quantity) for update in updates]
        np.testing.assert_allclose(numbers, numbers[0], rtol=1e-12)
    assert all(update.fact(v.ESTIMATOR_SD, f.BEST) is None for update in updates)


def test_that_fair_coins_have_the_variance_of_the_chapter():
    update = exact(design="warner", people=1000, prevalence=0.5)
    assert (1000 * value(update, v.ESTIMATOR_SD_GIVEN)) ** 2 == pytest.approx(3 * 1000 / 4, rel=1e-12)


@pytest.mark.parametrize("prevalence", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("theta2", [0.05, 0.3, 0.8])
def test_that_the_best_coins_spend_the_same_epsilon_for_a_smaller_sd(prevalence, theta2):
    update = exact(theta1=0.4, theta2=theta2, prevalence=prevalence)
    assert value(update, v.GUARANTEE_EPSILON) == pytest.approx(value(update, v.GUARANTEE_EPSILON, f.BEST), rel=1e-14)
    assert value(update, v.ESTIMATOR_SD, f.BEST) < value(update, v.ESTIMATOR_SD)


@pytest.mark.parametrize("values", [{}, {"theta1": 0.9, "theta2": 0.99}, {"design": "symmetric", "epsilon": 6.0}])
def test_that_no_posterior_leaves_the_band(values):
    table = exact(**values).tables[f.PRIOR_TABLE]
    least, most = (table[Column(quantity, f.CHOSEN)] for quantity in (v.POSTERIOR_LEAST, v.POSTERIOR_MOST))
    for quantity in (v.POSTERIOR_YES, v.POSTERIOR_NO):
        posterior = table[Column(quantity, f.CHOSEN)]
        assert (posterior >= least * (1 - 1e-12)).all()
        assert (posterior <= most * (1 + 1e-12)).all()


def test_that_the_goal_of_the_notes_is_met_by_answers_that_say_nothing():
    update = exact(theta1=0.0)
    table = update.tables[f.PRIOR_TABLE]
    np.testing.assert_allclose(table[Column(v.POSTERIOR_YES, f.CHOSEN)], table[f.X_PRIOR], rtol=1e-12)
    assert value(update, v.GUARANTEE_EPSILON) == 0
    assert update.fact(v.ESTIMATOR_SD, f.CHOSEN) is None


def test_that_the_raw_share_stays_off_however_many_people_answer():
    few, many = (exact(design="warner", people=people, prevalence=0.1) for people in (100, 10**12))
    assert value(few, v.ESTIMATE_BIAS, f.RAW) == value(many, v.ESTIMATE_BIAS, f.RAW) == pytest.approx(0.2)
    assert value(many, v.WITHIN_MARGIN) == pytest.approx(1)
    assert value(many, v.WITHIN_MARGIN, f.RAW) == 0


@pytest.mark.parametrize("prevalence", [0.0, 0.3, 1.0])
def test_that_the_people_who_surely_suffice_do(prevalence):
    wanted = exact(prevalence=prevalence, margin=0.05)
    people = int(value(wanted, v.PEOPLE_SURE))
    assert value(exact(prevalence=prevalence, margin=0.05, people=people), v.WITHIN_MARGIN) >= 0.95
    assert people >= value(wanted, v.PEOPLE_NEEDED)


def test_that_the_probability_within_the_margin_is_the_binomials_own():
    update = exact(design="warner", people=40, prevalence=0.25, margin=0.1)
    share = 0.25 * 0.75 + 0.75 * 0.25
    within = sum(math.comb(40, c) * share**c * (1 - share) ** (40 - c) for c in range(41)
                 if abs((c / 40 - 0.25) / 0.5 - 0.25) <= 0.1 + 1e-12)
    assert value(update, v.WITHIN_MARGIN) == pytest.approx(within, rel=1e-12)


@pytest.mark.parametrize("values", [
    {"prevalence": 0.5, "people": 2000}, {"prevalence": 0.9, "people": 500},
    {"prevalence": 0.02, "theta2": 0.5, "people": 900}, {"prevalence": 0.3, "people": 2000, "margin": 0.005},
    {"theta1": 0.3, "theta2": 0.9, "people": 1000}])
def test_that_what_a_survey_hardly_ever_arrives_at_is_not_called_0(values):
    study = Response(**values)
    update, one = exact(**values), study.answer().get(f.CHOSEN)
    for series, raw in ((f.CHOSEN, False), (f.RAW, True)):
        low, high = one.counts_within(raw=raw)
        with mpmath.workdps(60):
            yes = mpmath.mpf(one.yes)
            within = mpmath.fsum(mpmath.binomial(study.people, c) * yes**c * (1 - yes) ** (study.people - c)
                                 for c in range(int(low), int(high) + 1))
        assert 0 < value(update, v.WITHIN_MARGIN, series) == pytest.approx(float(within), rel=1e-11, abs=0)


def test_that_simulated_surveys_converge_on_the_exact_probabilities():
    update = answer(Response(trials=400_000, margin=0.01))
    for series in (f.CHOSEN, f.RAW):
        seen, p = update.fact(v.SURVEYS_WITHIN, series), value(update, v.WITHIN_MARGIN, series)
        assert abs(seen.value - p) <= 5 * math.sqrt(p * (1 - p) / update.total) + 1e-12
    table = update.tables[f.SURVEYS_TABLE]
    share, seen = table[Column(v.SHARE, f.CHOSEN)], table[Column(v.SURVEYS_SHARE, f.CHOSEN)]
    assert share.sum() == pytest.approx(1, abs=1e-4)
    assert (np.abs(seen - share) <= 6 * np.sqrt(share * (1 - share) / update.total) + 1e-5).all()


def test_that_lines_of_the_map_have_their_epsilon():
    table = exact().tables[f.COINS_TABLE]
    theta2 = table[f.X_COIN2][1:-1]
    for series, epsilon in f.LEVELS.items():
        theta1 = table[Column(v.THETA1, series)][1:-1]
        np.testing.assert_allclose(np.log1p(theta1 / ((1 - theta1) * np.minimum(theta2, 1 - theta2))), epsilon)


def test_that_a_parameter_without_effect_is_declared_so_and_accepted():
    for design, used in (("symmetric", {"epsilon"}), ("coins", {"theta1", "theta2"}), ("warner", set())):
        for name, other in (("epsilon", 3.0), ("theta1", 0.9), ("theta2", 0.7)):
            matters = Response.parameter(name).matters({"design": design})
            assert matters is (name in used)
            changed = exact(design=design, **{name: other}).facts != exact(design=design).facts
            assert changed is matters


@pytest.mark.parametrize("values", [{}, {"design": "warner"}, {"theta1": 1.0}, {"theta1": 0.0}, {"theta2": 0.95},
                                    {"design": "symmetric", "epsilon": 20.0}])
def test_that_the_best_attacker_has_the_errors_of_one_answer(values):
    update = exact(**values)
    table = update.tables[pictures.ATTACK_TABLE]
    alpha, beta = table[pictures.X_ALPHA], table[Column(v.TYPE_II, f.CHOSEN)]
    assert (1 - alpha - beta).max() == pytest.approx(value(update, v.ADVANTAGE), abs=1e-12)
    assert value(update, v.ADVANTAGE) == pytest.approx(abs(value(update, v.YES_IF_YES) - value(update, v.YES_IF_NO)))
    if math.isfinite(value(update, v.GUARANTEE_EPSILON)):
        assert (beta >= table[Column(v.TYPE_II, pictures.PROMISE)] - 1e-9).all()
    profile = update.tables[pictures.PROFILE_TABLE]
    assert profile[Column(v.PROFILE, f.CHOSEN)][0] == pytest.approx(value(update, v.ADVANTAGE), abs=1e-12)


@pytest.mark.parametrize("values", [{}, {"theta1": 0.9, "theta2": 0.7, "prevalence": 0.4}, {"design": "warner"}])
def test_that_the_raw_share_is_no_wider_and_lies_around_lambda(values):
    update, p = exact(**values), Response(**values).prevalence
    assert value(update, v.ESTIMATOR_SD, f.RAW) <= value(update, v.ESTIMATOR_SD)
    assert value(update, v.ESTIMATE_BIAS, f.RAW) + p == pytest.approx(value(update, v.ANSWER_YES))


@pytest.mark.parametrize("values", [{}, {"design": "warner", "prevalence": 0.3, "people": 777}, {"theta2": 0.9},
                                    {"design": "symmetric", "epsilon": 3.0, "margin": 0.1, "people": 50}])
def test_that_every_number_is_that_of_the_probabilities_of_an_answer(values):
    study, update = Response(**values), exact(**values)
    for series in (f.CHOSEN, f.BEST):
        if update.fact(v.YES_IF_YES, series) is None:
            continue
        yes, no = (value(update, quantity, series) for quantity in (v.YES_IF_YES, v.YES_IF_NO))
        p, n, margin = study.prevalence, study.people, study.margin
        answer_yes, gap = p * yes + (1 - p) * no, yes - no
        sd = math.sqrt(answer_yes * (1 - answer_yes) / n) / gap
        ratios = [yes / no, no / yes, (1 - yes) / (1 - no), (1 - no) / (1 - yes)]
        group = round(p * n)
        for quantity, expected in (
                (v.GUARANTEE_EPSILON, math.log(max(ratios))), (v.ANSWER_YES, answer_yes), (v.ESTIMATOR_SD, sd),
                (v.ESTIMATE_BIAS, 0.0), (v.COIN1, gap), (v.COIN2, no / (1 - gap)), (v.ADVANTAGE, gap),
                (v.SUCCESS, (1 + gap) / 2), (v.POSTERIOR_YES, p * yes / answer_yes),
                (v.POSTERIOR_NO, p * (1 - yes) / (1 - answer_yes)),
                (v.ESTIMATOR_SD_GIVEN, math.sqrt(group * yes * (1 - yes) + (n - group) * no * (1 - no)) / n / gap),
                (v.PEOPLE_NEEDED, n * (1.959963984540054 * sd / margin) ** 2),
                (v.PEOPLE_SURE, math.ceil(math.log(2 / 0.05) / (2 * (margin * gap) ** 2)))):
            assert value(update, quantity, series) == pytest.approx(expected, rel=1e-9, abs=0), quantity.key
    most = 1 / (1 + (1 - study.prevalence) / study.prevalence * math.exp(-value(update, v.GUARANTEE_EPSILON)))
    assert value(update, v.POSTERIOR_MOST) == pytest.approx(most, rel=1e-12)
    raw = math.sqrt(value(update, v.ANSWER_YES) * (1 - value(update, v.ANSWER_YES)) / study.people)
    assert value(update, v.ESTIMATOR_SD, f.RAW) == pytest.approx(raw, rel=1e-12)


def test_that_a_loss_beyond_the_doubles_moves_all_beliefs_but_certain_ones():
    before = np.array([0.0, 1e-9, 0.5, 1.0])
    np.testing.assert_array_equal(updated(before, math.inf), [0, 1, 1, 1])
    np.testing.assert_array_equal(updated(before, -math.inf), [0, 0, 0, 1])
    for loss in (-30.0, -1.0, 2.0, 30.0):
        odds = before[1:3] / (1 - before[1:3]) * math.exp(loss)
        np.testing.assert_allclose(updated(before, loss)[1:3], odds / (1 + odds), rtol=1e-12)


def test_that_later_draws_leave_what_was_drawn_before_as_it_was():
    found = Response(trials=100_000, margin=0.01).answer()
    seen = [drawn for drawn, _ in found.simulate({})]
    assert [drawn.done for drawn in seen] == sorted({drawn.done for drawn in seen})
    assert len(seen) > 2
    for drawn in seen:
        assert 0.99 * drawn.done <= drawn.filled.sum() <= drawn.done
    assert seen[0].within[f.CHOSEN.key] < seen[-1].within[f.CHOSEN.key]


@pytest.mark.parametrize(("design", "source"), [("symmetric", LECTURE), ("coins", NOTES), ("warner", CHAPTER)])
def test_that_a_response_is_by_who_proposed_its_kind(design, source):
    found = Response(design=design).answer()
    for quantity in (v.GUARANTEE_EPSILON, v.ESTIMATOR_SD, v.PEOPLE_NEEDED, v.COIN1, v.POSTERIOR_MOST):
        assert found.fact(quantity, f.CHOSEN).source == source
        if best := found.fact(quantity, f.BEST) if quantity != v.POSTERIOR_MOST else None:
            assert best.source == KOV16
    assert found.fact(v.ESTIMATOR_SD, f.RAW).source == LECTURE
    assert found.fact(v.POSTERIOR_YES, f.CHOSEN).source == NOTES
    assert (found.one(f.BEST) is not None) == (design == "coins")


def test_that_the_pictures_show_what_lies_around_these_settings():
    found = Response(design="symmetric", epsilon=3.0).answer()
    assert found.view(pictures.PROFILE_TABLE) == (0, 7.5)
    assert Response(theta1=1.0).answer().view(pictures.PROFILE_TABLE) == (0, 50)  # ε = ∞
    assert Response(theta1=0.0).answer().view(pictures.PROFILE_TABLE) == (0, 2.5)
    one = found.get(f.CHOSEN)
    low, high = found.view(f.ESTIMATES_TABLE)
    assert low == pytest.approx(min(0.1 - 4.5 * found.value(v.ESTIMATOR_SD, f.CHOSEN), one.yes), abs=2e-4)
    assert high == pytest.approx(one.yes + 4.5 * found.value(v.ESTIMATOR_SD, f.RAW), abs=2e-4)
    assert found.view(f.SURVEYS_TABLE) == (low, high)


def test_that_no_prior_and_no_estimate_stands_where_there_is_none():
    assert Response(theta1=1.0, prevalence=1.0).answer().fact(v.POSTERIOR_MOST, f.CHOSEN) is None
    assert Response(theta1=1.0, prevalence=0.5).answer().fact(v.POSTERIOR_MOST, f.CHOSEN).value == 1
    assert Response(theta1=0.5, prevalence=1.0).answer().fact(v.POSTERIOR_MOST, f.CHOSEN).value == 1
    update = answer(Response(theta1=0.0, trials=10))
    assert {column.series for column in update.tables[f.SURVEYS_TABLE]} == {f.RAW}
    of = {fact.quantity.key: fact.series for fact in update.facts if fact.series == f.RAW}
    assert set(of) == {"within_margin", "surveys_within", "estimator_sd", "estimate_bias"}
    for key in of:
        assert update.fact(key, f.CHOSEN) is None


def test_that_simulated_surveys_are_read_in_both_ways():
    update = answer(Response(trials=50_000, people=400, prevalence=0.3))
    table, lam = update.tables[f.SURVEYS_TABLE], value(update, v.ANSWER_YES)
    for series, mean in ((f.RAW, lam), (f.CHOSEN, 0.3)):
        shares = table[Column(v.SURVEYS_SHARE, series)]
        assert (table[Column(v.ESTIMATE, series)] * shares).sum() == pytest.approx(mean * shares.sum(), abs=1e-3)


@pytest.mark.parametrize("theta1", [0.0, 1.0])
def test_that_no_other_response_is_best_where_nothing_or_everything_is_told(theta1):
    assert Response(theta1=theta1).answer().one(f.BEST) is None


def test_that_the_probability_of_an_answer_that_is_hardly_ever_given_keeps_its_digits():
    one = Response(theta1=1e-9, theta2=1 - 2**-50, prevalence=0.25).answer().get(f.CHOSEN)
    assert one.no == pytest.approx(0.75e-9 + (1 - 1e-9) * 2**-50, rel=1e-12, abs=0)


@pytest.mark.parametrize("values", [{}, {"design": "warner", "prevalence": 0.3, "people": 77}, {"people": 1},
                                    {"prevalence": 0.0, "people": 40}, {"theta2": 0.95, "people": 6},
                                    {"design": "symmetric", "epsilon": 12.0, "people": 300, "prevalence": 1.0},
                                    {"design": "symmetric", "epsilon": 0.01, "people": 31}])
def test_that_the_95_percent_error_is_the_smallest_that_so_many_surveys_keep(values):
    study = Response(people=200) if not values else Response(**values)
    found = study.answer()
    for series, one in found.ones.items():
        with mpmath.workdps(30):
            yes, n = mpmath.mpf(one.yes), study.people
            law = [mpmath.binomial(n, c) * yes**c * (1 - yes) ** (n - c) for c in range(n + 1)]
        off = [abs(c - n * one.yes) / n / one.theta1 for c in range(n + 1)]
        within = 0.0
        for c in sorted(range(n + 1), key=off.__getitem__):
            within += float(law[c])
            if within >= 0.95:
                break
        assert found.value(v.ESTIMATE_ERROR_95, series) == pytest.approx(off[c], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("people", [10**6, 10**12])
def test_that_the_95_percent_error_of_many_people_is_that_of_their_normal_law(people):
    found = Response(people=people).answer()
    normal = 1.959963984540054 * found.value(v.ESTIMATOR_SD, f.CHOSEN)
    assert found.value(v.ESTIMATE_ERROR_95, f.CHOSEN) == pytest.approx(normal, rel=3 / math.sqrt(people))
    at_it = Response(people=people, margin=found.value(v.ESTIMATE_ERROR_95, f.CHOSEN)).answer()
    assert 0.95 <= at_it.value(v.WITHIN_MARGIN, f.CHOSEN) < 0.95 + 1e-3
