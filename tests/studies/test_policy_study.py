"""What the policy study says: the formulary's numbers, its discoveries, its ends, its simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import gammaln, xlog1py, xlogy
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Column
from dpstudio.core.risk import said_of
from dpstudio.core.study import answer
from dpstudio.models.policy import largest_variance
from dpstudio.studies import policy as f
from dpstudio.studies.policy import Policy
from dpstudio.studies.policy.answer import PolicyAnswer, interval
from dpstudio.studies.policy.compared import TOP, Case, Compared, Curve, case_of, level_line

exact = exact_of(Policy)

REGIMES = PolicyAnswer.series()
PRESETS = {preset.key: preset.values for preset in Policy.presets}


def said(update, words):
    return any(words in sentence for sentence in update.verdicts)


@pytest.mark.parametrize(("epsilon", "probability"), [(0.1, 0.7088), (1.0, 0.99936)])
def test_that_noisy_counts_choose_as_seldom_well_as_the_note_should_have_said(epsilon, probability):
    update = exact(**PRESETS["one"] | {"epsilon": epsilon})
    assert value(update, v.UNCLIPPED, f.COUNTS) == pytest.approx(probability, abs=5e-5)
    assert value(update, v.RECOMMENDED, f.NONE) == 1
    assert update.fact(v.RECOMMENDED, f.COUNTS).kind == "exact"


def test_that_two_symptoms_are_set_in_full_and_have_the_utilities_of_the_note():
    update = exact(**PRESETS["two"])
    assert value(update, v.UTILITY_WAITING) == pytest.approx(-3.5)
    assert value(update, v.UTILITY_ACTING) == pytest.approx(-2.9)
    assert value(update, v.BREAKEVEN_COST) == pytest.approx(1.1)
    assert value(update, v.POLICY_UTILITY, f.DECISION) == pytest.approx(-3.061364852821997, rel=1e-12)
    assert value(exact(**PRESETS["coins"]), v.POLICY_UTILITY, f.DECISION) == pytest.approx(-3.125, rel=1e-12)


def test_that_a_free_treatment_that_halves_every_risk_is_a_tie_and_nobody_acts():
    update = exact(**PRESETS["half"])
    assert value(update, v.BEST_ACTION) == 0
    assert value(update, v.GAP) == 0
    assert update.fact(v.PRICE_SHARE, f.BOTH) is None


@pytest.mark.parametrize(("changes", "counts"), [
    ({"symptoms": 1}, 0.5), ({"symptoms": 4}, 2.0), ({"symptoms": 4, "arm_may_change": True}, 4.0)])
def test_that_a_person_pays_for_every_count_they_are_in_and_for_their_own_decision(changes, counts):
    update = exact(epsilon=0.5, decision_epsilon=1.5, **changes)
    assert value(update, v.COUNTS_EPSILON) == pytest.approx(counts)
    assert value(update, v.PERSON_EPSILON, f.BOTH) == pytest.approx(counts + 1.5)
    assert update.fact(v.PERSON_EPSILON, f.BOTH).kind == "bound"
    assert said(update, said_of(update.answer.guarantee(f.BOTH)))


def test_that_the_first_cohort_is_what_its_probabilities_let_expect_until_its_counts_are_set():
    study = Policy(people=90, untreated=0.4, treated=0.1)
    assert (study.people_treated, study.sick_untreated, study.sick_treated) == (90, 36, 9)
    counted = case_of(study.replace(people_treated=50, sick_treated=7, sick_untreated=80)).counted
    assert (counted.untreated.people, counted.treated.people) == (90, 50)
    assert (counted.untreated.sick.tolist(), counted.treated.sick.tolist()) == ([80], [7])


def test_that_counts_of_a_grave_and_a_mild_symptom_arrive_whole_and_those_between_lie_evenly():
    given = {"people": 100, "people_treated": 60, "sick_untreated": 40, "sick_treated": 3, "mild_sick_untreated": 80,
             "mild_sick_treated": 33}
    counted = case_of(Policy(symptoms=2, **given)).counted
    assert counted.untreated.sick.tolist() == [40, 80]
    assert counted.treated.sick.tolist() == [3, 33]
    assert case_of(Policy(symptoms=3, **given)).counted.treated.sick.tolist() == [3, 18, 33]


def test_that_counts_that_say_other_than_the_truth_mislead():
    update = exact(people=1000, people_treated=500, sick_untreated=100, sick_treated=400)
    assert value(update, v.BEST_ACTION) == 1
    assert value(update, v.RECOMMENDED, f.NONE) == 0


@pytest.mark.parametrize(("values", "why"), [
    ({"sick_untreated": 101}, "sick_untreated must be at most people, 100, got 101"),
    ({"people_treated": 50, "mild_sick_treated": 51}, "mild_sick_treated must be at most people_treated, 50, got 51"),
    ({"sick_treated": -1}, "sick_treated must be an integer in [0, 1e9], got -1")])
def test_that_more_sick_than_people_are_refused(values, why):
    with pytest.raises(InvalidParameter) as refusal:
        Policy(**values)
    assert str(refusal.value) == why


def test_that_coins_that_prove_the_recommendation_promise_nothing():
    update = exact(design="coins", theta1=0.5, theta2=0.0)
    assert value(update, v.PERSON_EPSILON, f.BOTH) == math.inf


@pytest.mark.parametrize("preset", ["one", "two", "many"])
@pytest.mark.parametrize("series", [f.DECISION, f.BOTH])
def test_that_the_price_falls_with_the_epsilon_of_the_decision(preset, series):
    update = exact(**PRESETS[preset])
    utility = update.tables[f.DECISION_TABLE][Column(v.POLICY_UTILITY, series)]
    assert (np.diff(utility) >= 0).all()
    simulated = [answer(Policy(**PRESETS[preset] | {"decision_epsilon": e, "trials": 400, "batches": 2}))
                 for e in (0.0, 1.0, 4.0)]
    facts = [each.fact(v.ALL_UTILITY, f.BOTH) for each in simulated]
    assert facts[0].low < facts[1].high
    assert facts[1].low < facts[2].high
    assert facts[0].high < facts[2].low


def test_that_less_noise_on_the_counts_can_cost_more():
    update = exact(**PRESETS["worse"])
    utility = update.tables[f.COUNTS_TABLE][Column(v.POLICY_UTILITY, f.COUNTS)]
    low = int(np.argmin(utility))
    assert utility[0] > utility[low] + 0.15 * value(update, v.GAP)
    assert utility[-1] > utility[low] + 0.4 * value(update, v.GAP)
    assert said(update, "Less noise is not always better")
    note = update.tables[f.COUNTS_TABLE][Column(v.POLICY_UTILITY, f.NOTE)]
    assert (np.diff(note) >= -1e-12).all(), "unclipped counts that point the right way only get better"
    assert not said(exact(**PRESETS["one"]), "Less noise")


def test_that_less_noise_can_cost_more_in_simulated_programmes_too():
    values = PRESETS["worse"] | {"batches": 1, "trials": 20_000, "arrivals": 1000}
    noisy, clearer = (answer(Policy(**values | {"epsilon": epsilon})).fact(v.REGRET_PERSON, f.COUNTS)
                      for epsilon in (0.001, 0.05))
    assert noisy.high < clearer.low


def test_that_private_counts_gain_where_exact_ones_mislead():
    update = exact(people=5, untreated=0.28, treated=0.1, cost=0.0, weight=-1.0)
    assert value(update, v.RECOMMENDED, f.NONE) == 0
    assert value(update, v.BEST_ACTION) == 1
    assert value(update, v.PRICE, f.COUNTS) < 0


@pytest.mark.parametrize("preset", list(PRESETS))
def test_that_first_recommendations_converge_on_their_probability(preset):
    update = answer(Policy(**PRESETS[preset] | {"trials": 4000, "batches": 1}))
    for series in (f.COUNTS, f.BOTH):
        p, seen = value(update, v.RECOMMENDED, series), value(update, v.FIRST_RECOMMENDED, series)
        assert abs(seen - p) <= 4.5 * math.sqrt(p * (1 - p) / 4000) + 1e-3
        expected, fact = value(update, v.POLICY_UTILITY, series), update.fact(v.ALL_UTILITY, series)
        assert abs(fact.value - expected) <= 2.5 * (fact.high - fact.low) / 2 + 1e-3 * value(update, v.GAP)


def test_that_without_privacy_simulated_utility_is_exact_within_its_interval():
    update = answer(Policy(epsilon=100.0, decision_epsilon=50.0, people=10_000, trials=4000))
    for series in REGIMES:
        fact = update.fact(v.ALL_UTILITY, series)
        wide = 2 * (fact.high - fact.low)
        assert abs(fact.value - value(update, v.UTILITY_BEST)) <= wide
        assert value(update, v.REGRET_PERSON, series) == 0
        assert update.fact(v.REGRET_PERSON, series).high > 0, "no loss seen is not no loss"


def test_that_what_lies_on_the_line_of_today_costs_as_much_as_today():
    update = exact(**PRESETS["two"])
    table, price = update.tables[f.MAP_TABLE], value(update, v.PRICE, f.BOTH)
    pairs = [(x, y) for x, y in zip(table[Column(v.COUNT_EPSILON, f.BOTH)], table[Column(v.ACT_EPSILON, f.BOTH)],
                                    strict=True) if 0.01 < y < 8]
    assert len(pairs) > 20
    for epsilon, decision in pairs[::10]:
        other = exact(**PRESETS["two"] | {"epsilon": float(epsilon), "decision_epsilon": float(decision)})
        assert value(other, v.PRICE, f.BOTH) == pytest.approx(price, rel=0.03)


def test_that_a_price_next_to_no_double_takes_a_decision_that_is_followed_no_further():
    _, decision = level_line(np.array([0.1, 1.0]), np.array([0.0, 0.0]), 1e-313)
    assert (decision == TOP).all()


def test_that_randomized_decisions_explore_and_can_repay_their_price():
    update = answer(Policy(batches=60, trials=1000))
    assert value(update, v.REGRET_PERSON, f.BOTH) < value(update, v.REGRET_PERSON, f.COUNTS)
    assert value(update, v.LAST_RECOMMENDED, f.BOTH) > value(update, v.LAST_RECOMMENDED, f.COUNTS) + 0.05
    assert said(update, "which never try the choice that looks worse")
    assert not said(answer(Policy(epsilon=1e-4, trials=1000)), "do not try"), "from pure noise nothing is learnt"


@pytest.mark.parametrize(("values", "words"), [
    ({"weight": 1.0}, "weight must be in [−1e6, -1e-6]"), ({"cost": -0.1}, "cost must be in [0, 1e6], got -0.1"),
    ({"people": 0}, "people must be an integer in [1, 1e9], got 0")])
def test_that_bad_cases_are_refused(values, words):
    with pytest.raises(InvalidParameter) as refusal:
        Policy(**values)
    assert str(refusal.value).replace("-", "−").startswith(words.replace("-", "−"))


def test_that_a_long_programme_gives_its_last_answer_again_while_it_works():
    updates = Policy(symptoms=10, batches=200, trials=10_000).run()
    first = next(updates)
    assert all(next(updates) is first for _ in range(3))
    updates.close()


def test_that_answers_follow_each_other_by_a_growing_number_of_programmes():
    done = list(dict.fromkeys(update.done for update in Policy(batches=1, trials=10_000).run()))
    assert (done[:4], done[-1]) == ([0, 200, 400, 600], 10_000)
    assert all(after >= 1.15 * before for before, after in itertools.pairwise(done[:-1]))


def test_that_ends_of_a_lattice_are_told_where_private_counts_leave_any():
    for preset, kind in (("one", "exact"), ("two", "estimate")):
        update = exact(**PRESETS[preset])
        for quantity in (v.RECOMMENDED, v.TAKEN, v.RIGHT, v.POLICY_UTILITY, v.PRICE, v.PRICE_SHARE):
            assert [update.fact(quantity, one).kind for one in REGIMES] == ["exact", kind, "exact", kind]
        assert update.fact(v.UNCLIPPED, f.COUNTS).kind == kind
    response, counts = case_of(Policy(**PRESETS["two"])).response, update.fact(v.RECOMMENDED, f.COUNTS)
    assert counts.low < counts.value < counts.high
    taken, right = (update.fact(quantity, f.BOTH) for quantity in (v.TAKEN, v.RIGHT))  # acting is right here
    for end in ("low", "value", "high"):
        act = getattr(counts, end)
        expected = act * response.yes_if_yes + (1 - act) * response.yes_if_no
        assert getattr(taken, end) == pytest.approx(expected, rel=1e-12)
        assert getattr(right, end) == pytest.approx(expected, rel=1e-12)


def test_that_first_recommendations_are_told_only_where_noise_leaves_them_to_chance():
    update = answer(Policy(trials=200, batches=1))
    told = [update.fact(v.FIRST_RECOMMENDED, one) is not None for one in REGIMES]
    assert told == [one in (f.COUNTS, f.BOTH) for one in REGIMES]


def test_that_the_picture_of_costs_reaches_beyond_what_matters():
    for values, far in (({}, 2.2 * 0.2), ({"cost": 3.0}, 4.8), ({"weight": -50.0, "factor": 0.0}, 2.2 * 20),
                        ({"weight": -50.0, "untreated": 0.0}, 10.0),
                        ({"symptoms": 10, "weight": -10.0, "mild_weight": -10.0, "untreated": 1.0,
                          "mild_untreated": 1.0, "treated": 1.0, "mild_treated": 1.0}, 20.0)):
        low, high = Policy(**values).answer().view(f.COST_TABLE)
        assert low == 0
        assert high == pytest.approx(far), values


def test_that_intervals_of_a_regret_hold_it_in_95_cases_of_100_however_few_the_programmes():
    gap = case_of(Policy(batches=1)).truth.gap
    for done in (1, 2, 3, 5, 10, 30, 100, 400, 2000):
        losing = np.arange(done + 1.0)  # of so many programmes each loses the whole gap
        mean, half = interval(np.stack([losing * gap, losing * gap * gap]), done, gap)
        shares = np.concatenate([np.geomspace(1e-5, 0.5, 60), 3 / done * np.array([0.99, 1.0, 1.01])])
        for share in shares[shares < 1]:
            law = np.exp(gammaln(done + 1) - gammaln(losing + 1) - gammaln(done - losing + 1) + xlogy(losing, share)
                         + xlog1py(done - losing, -share))
            assert law[np.abs(share * gap - mean) <= half].sum() >= 0.9499, (done, share)


def test_that_one_programme_says_no_more_of_a_regret_than_its_range():
    update = answer(Policy(trials=1))
    for series in REGIMES:
        fact = update.fact(v.REGRET_PERSON, series)
        assert fact.low == 0
        assert fact.high == value(update, v.GAP)
        assert "1 simulated programme of" in fact.how
        utility = update.fact(v.ALL_UTILITY, series)
        # The larger variance of one utility, 2² · 0.1 · 0.9, over 20 batches of 200, and three times the gap of 0.15.
        assert utility.high - utility.low == pytest.approx(2 * (1.959964 * math.sqrt(0.36 / 4000) + 0.45), rel=1e-6)


@pytest.mark.parametrize("cost", [0.05, 0.19])
@pytest.mark.parametrize("trials", [1, 2, 5, 30])
def test_that_few_programmes_hold_the_expected_utility_in_their_interval(trials, cost):
    held = np.zeros(len(REGIMES))
    for seed in range(100):
        update = answer(Policy(batches=1, arrivals=20, trials=trials, seed=seed, epsilon=0.05, cost=cost))
        for i, series in enumerate(REGIMES):
            fact = update.fact(v.ALL_UTILITY, series)
            held[i] += fact.low <= value(update, v.POLICY_UTILITY, series) <= fact.high
    assert (held >= 92).all(), held


def test_that_the_variance_of_one_utility_is_that_of_drawn_symptoms():
    case = case_of(Policy(**PRESETS["two"]))
    rng, truth = np.random.default_rng(4), case.truth
    drawn = [factor * (rng.random((200_000, 2)) < rates) @ truth.weights
             for factor, rates in ((1.0, truth.untreated), (truth.factor, truth.treated))]
    assert largest_variance(truth) == pytest.approx(max(one.var() for one in drawn), rel=0.02)


def made_by(monkeypatch):
    """What is computed from now on: names of laws of the counts, ways to be private, and curves."""
    made = []

    def counted(kind, name, label):
        real = getattr(kind, name)
        monkeypatch.setattr(kind, name, lambda *args, **options: (made.append(label(*args, **options)),
                                                                  real(*args, **options))[1])

    counted(Case, "_enclosed", lambda _, clipped: "clipped" if clipped else "unclipped")
    counted(Compared, "__init__", lambda *args: args[-2:])
    counted(Curve, "__init__", lambda *_: "curve")
    return made


@pytest.mark.parametrize(("quantity", "series", "expected"), [
    (v.BEST_ACTION, None, []), (v.PERSON_EPSILON, f.BOTH, []), (v.UNCLIPPED, f.COUNTS, ["unclipped"]),
    (v.RECOMMENDED, f.NONE, [(False, False)]), (v.PRICE, f.DECISION, [(False, True)]),
    (v.PRICE, f.BOTH, [(True, True), "clipped"])])
def test_that_one_fact_alone_builds_its_own_way_and_asks_no_law_of_others(quantity, series, expected, monkeypatch):
    made, asked = made_by(monkeypatch), Policy(**PRESETS["two"]).answer()
    first = asked.fact(quantity, series)
    assert made == expected
    assert asked.fact(quantity, series) is first
    assert made == expected, "nothing is computed twice"


def test_that_all_facts_share_the_two_laws_of_the_counts(monkeypatch):
    made, asked = made_by(monkeypatch), Policy(**PRESETS["two"]).answer()
    asked.facts()
    tuple(asked.sentences())
    assert sorted(each for each in made if isinstance(each, str)) == ["clipped", "curve", "unclipped"]


def test_that_a_curve_is_made_again_only_for_another_view():
    asked = Policy().answer()
    view = asked.view(f.COUNTS_TABLE)
    assert asked.table(f.COUNTS_TABLE)[f.X_EPSILON] is asked.curve.epsilon
    np.testing.assert_allclose(asked.table(f.COUNTS_TABLE, (0.01, 1.0))[f.X_EPSILON][[0, -1]], [0.01, 1.0])
    np.testing.assert_allclose(asked.table(f.MAP_TABLE)[Column(v.COUNT_EPSILON, f.BOTH)][-1], view[1])


def test_that_the_picture_of_the_counts_has_each_way_at_the_utility_that_it_has_today():
    update = answer(Policy(epsilon=0.1), simulate=False)
    table = update.tables[f.COUNTS_TABLE]
    for series in (f.NONE, f.COUNTS, f.DECISION, f.BOTH):
        drawn = np.interp(math.log(0.1), np.log(table[f.X_EPSILON]), table[Column(v.POLICY_UTILITY, series)])
        assert drawn == pytest.approx(value(update, v.POLICY_UTILITY, series), rel=2e-2)
    level = table[Column(v.POLICY_UTILITY, f.DECISION)]
    assert np.ptp(level) == 0, "the ε of the counts makes no difference to it"
    assert level[0] == value(update, v.POLICY_UTILITY, f.DECISION) != value(update, v.POLICY_UTILITY, f.NONE)
