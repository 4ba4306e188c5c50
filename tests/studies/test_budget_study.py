"""What the budget study says: its accounts in order, the false group formula, the plan with a library or not."""

from __future__ import annotations

import itertools
import math
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_kit import value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.study import answer
from dpstudio.mechanisms.composition import gaussian, responses, subsampled
from dpstudio.mechanisms.composition import zcdp as zcdp_epsilon
from dpstudio.mechanisms.decision import GeneralizedDecision
from dpstudio.mechanisms.noise import analytic_sigma
from dpstudio.studies import budget as f
from dpstudio.studies.budget import Budget, plan
from dpstudio.studies.budget.answer import BudgetAnswer
from dpstudio.studies.budget.compared import (
    Account,
    Advanced,
    Basic,
    Gaussian,
    Optimal,
    Simple,
    _most_by_basic,
    within,
)
from dpstudio.studies.kit import attack as pictures
from dpstudio.text.sentences import significant

METHODS = BudgetAnswer.series()


@pytest.mark.parametrize(("k", "epsilon", "basic", "optimal"), [
    (10, 0.1, 1.0, 0.99937), (100, 0.1, 10.0, 4.7746), (1000, 0.01, 10.0, 1.3654), (100, 1.0, 100.0, 83.531)])
def test_that_totals_are_those_of_the_formulary(k, epsilon, basic, optimal):
    update = answer(Budget(epsilon=epsilon, delta=0.0, slack=1e-6, releases=k), simulate=False)
    assert value(update, v.TOTAL_EPSILON, f.BASIC) == pytest.approx(basic)
    assert value(update, v.TOTAL_EPSILON, f.OPTIMAL) == pytest.approx(optimal, rel=1e-4)
    assert value(update, v.TOTAL_EPSILON, f.ADVANCED) <= basic


def test_that_no_account_is_below_the_optimal_one_and_none_above_basic():
    table = answer(Budget(epsilon=0.3, releases=500), simulate=False).tables[f.TOTAL_TABLE]
    basic, advanced, optimal = (table[Column(v.TOTAL_EPSILON, one)] for one in (f.BASIC, f.ADVANCED, f.OPTIMAL))
    simple = table[Column(v.TOTAL_EPSILON, f.SIMPLE)]
    assert (optimal <= simple * (1 + 1e-12)).all()
    assert (simple <= advanced * (1 + 1e-12)).all()
    assert (advanced <= basic).all()


@pytest.mark.parametrize("values", [{"epsilon": 0.1, "delta": 1e-8}, {"epsilon": 2.0, "delta": 0.01, "group_size": 30}])
def test_that_the_printed_text_holds_for_every_group_and_a_decision_breaks_the_printed_formula(values):
    table = answer(Budget(**values), simulate=False).tables[f.GROUP_TABLE]
    tight, text, formula = (table[Column(v.GROUP_DELTA, series)] for series in f.GROUPS)
    assert (text >= tight * (1 - 1e-12)).all()
    curve = GeneralizedDecision(values["epsilon"], values["delta"], 0, 0.0)
    spent = curve.accept_probability(table[f.X_SIZE])  # from a group that is surely refused
    np.testing.assert_allclose(spent, tight, rtol=1e-12)
    below = formula < tight * (1 - 1e-12)
    assert below[table[f.X_SIZE] == 2].all()
    assert (spent[below] > formula[below]).all()


def test_that_the_allowed_total_is_enough_for_so_many_releases_and_not_for_one_more():
    study = Budget(epsilon=0.1, budget=5.0)
    update = answer(study)
    assert value(update, v.MOST_RELEASES, f.BASIC) == 50
    for series in METHODS:
        most = int(value(update, v.MOST_RELEASES, series))
        within, beyond = (answer(study.replace(releases=k), simulate=False) for k in (most, most + 1))
        totals = [[value(each, quantity, series) for quantity in (v.TOTAL_EPSILON, v.TOTAL_DELTA)]
                  for each in (within, beyond)]
        assert totals[0][0] <= 5.0
        assert totals[0][1] <= study.budget_delta * (1 + 1e-12)
        assert totals[1][0] > 5.0 or totals[1][1] > study.budget_delta


def test_that_releases_stop_where_the_allowed_delta_is_spent():
    update = answer(Budget(epsilon=0.001, delta=1e-6, budget=5.0, budget_delta=1e-4, slack=1e-6))
    for series in (f.OPTIMAL, f.ADVANCED, f.SIMPLE, f.GAUSSIAN):  # by basic composition a hundred, which holds for all
        assert value(update, v.MOST_RELEASES, series) == 100
    # Once nothing of δ is left, releases without a δ of their own go on by basic composition, which needs no slack.
    update = answer(Budget(epsilon=0.1, delta=0.0, budget=5.0, budget_delta=0.0, slack=1e-6))
    assert {value(update, v.MOST_RELEASES, series) for series in METHODS[:4]} == {50}


def test_that_what_is_left_of_a_bound_is_at_least_that():
    update = answer(Budget())
    for quantity in (v.LEFT, v.LEFT_DELTA, v.PLAN_LEFT, v.MOST_RELEASES):
        for fact in update.facts:
            if fact.quantity == quantity:
                assert fact.at_least == (fact.kind == "bound")
    assert value(update, v.LEFT, f.BASIC) == -5.0
    assert value(update, v.LEFT_DELTA, f.ADVANCED) == pytest.approx(8e-6)
    assert update.fact(v.LEFT, f.ADVANCED).kind == "bound"


def test_that_a_count_that_ends_at_the_most_that_are_looked_for_is_no_exact_one():
    fact = answer(Budget(epsilon=1e-4, delta=0.0)).fact(v.MOST_RELEASES, f.OPTIMAL)
    assert (fact.value, fact.kind, fact.at_least) == (10_000, "bound", True)


def test_that_a_formula_beyond_what_is_shown_is_a_bound_from_below():
    update = answer(Budget(epsilon=10.0, delta=0.01, group_size=10_000), simulate=False)
    for quantity in (v.GROUP_DELTA, v.GROUP_COST):
        fact = update.fact(quantity, f.TEXT)
        assert (fact.value, fact.kind, fact.at_least) == (1e300, "bound", True)
        assert update.fact(quantity, f.FORMULA).kind == "exact"


def four_outcomes(epsilon, delta, k):
    """P and Q of all outcomes of k canonical releases, one by one: each tells all with probability δ."""
    truth = (1 - delta) / (1 + math.exp(-epsilon))
    p, q = (delta, truth, 1 - delta - truth, 0.0), (0.0, 1 - delta - truth, truth, delta)
    return np.array([[math.prod(law[i] for i in o) for law in (p, q)] for o in itertools.product(range(4), repeat=k)]).T


@pytest.mark.parametrize(("epsilon", "delta", "k", "slack", "seen"), [
    (5.0, 0.001, 3, 0.1, 0.98), (1.0, 0.01, 2, 0.02, 0.5), (0.5, 0.0, 6, 0.01, 0.01)])
def test_that_losses_beyond_the_total_are_more_frequent_than_delta_and_never_more_than_is_said(
        epsilon, delta, k, slack, seen):
    update = answer(Budget(epsilon=epsilon, delta=delta, releases=k, slack=slack), simulate=False)
    total, most = (value(update, quantity, f.OPTIMAL) for quantity in (v.TOTAL_EPSILON, v.LOSS_EXCEEDS))
    assert update.fact(v.LOSS_EXCEEDS, f.OPTIMAL).kind == "bound"
    p, q = four_outcomes(epsilon, delta, k)
    often = p[p > math.exp(total) * q * (1 + 1e-12)].sum()
    assert value(update, v.TOTAL_DELTA, f.OPTIMAL) < often <= most
    assert often > seen
    # An event that is e^ε times as likely, found among all tests: outcomes by their ratio, the last one in part.
    order = np.argsort(np.divide(-p, q, out=np.full(p.shape, -np.inf), where=q > 0), kind="stable")
    power, wrong = (np.append(0.0, np.cumsum(law[order])) for law in (p, q))
    gain = power - math.exp(total) * wrong
    last = np.flatnonzero(gain >= -1e-15)[-1]
    if last + 1 < gain.size:
        part = gain[last] / (gain[last] - gain[last + 1])
        power[last] += part * (power[last + 1] - power[last])
    assert most == pytest.approx(power[last], rel=1e-6)


def test_that_gaussian_losses_beyond_the_total_are_as_frequent_as_a_normal_law_says():
    study = Budget(epsilon=0.3, delta=1e-3, releases=9, slack=1e-3)
    update = answer(study, simulate=False)
    mu = 3 / float(analytic_sigma(0.3, 1e-3))
    total, said = (value(update, quantity, f.GAUSSIAN) for quantity in (v.TOTAL_EPSILON, v.LOSS_EXCEEDS))
    losses = mu * np.random.default_rng(5).standard_normal(4_000_000) + mu * mu / 2
    assert (losses > total).mean() == pytest.approx(said, rel=0.01)
    assert said > value(update, v.TOTAL_DELTA, f.GAUSSIAN)
    assert update.fact(v.LOSS_EXCEEDS, f.GAUSSIAN).kind == "exact"


def test_that_the_plan_by_parts_shares_delta_among_its_gaussian_releases_and_its_kinds():
    study = Budget(plan_counts=7, plan_count_epsilon=0.3, plan_answers=4, plan_answer_epsilon=0.5, plan_sums=5,
                   plan_multiplier=3.0, slack=1e-4)
    update = answer(study, simulate=False)

    def gaussian_epsilon(mu, delta):
        with mpmath.workdps(40):
            return float(mpmath.findroot(
                lambda e: mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu) - delta, 1.0))

    one = gaussian_epsilon(mpmath.mpf(1) / 3, mpmath.mpf("1e-4") / 5)
    assert value(update, v.PLAN_EPSILON, f.BASIC) == pytest.approx(7 * 0.3 + 4 * 0.5 + 5 * one, rel=1e-12)
    of_sums = gaussian_epsilon(mpmath.sqrt(5) / 3, mpmath.mpf("5e-5"))
    of_pure = value(update, v.PLAN_EPSILON, f.OPTIMAL) - of_sums
    assert responses([0.3] * 7 + [0.5] * 4, of_pure) == pytest.approx(5e-5, rel=1e-9)


def test_that_the_grey_promise_is_that_of_the_allowed_total():
    study = Budget(budget=2.0, budget_delta=0.1)
    attack = answer(study, simulate=False).tables[pictures.ATTACK_TABLE]
    alpha, promise = attack[pictures.X_ALPHA], attack[Column(v.TYPE_II, pictures.PROMISE)]
    wanted = np.maximum(0, np.maximum(1 - 0.1 - math.exp(2) * alpha, math.exp(-2) * (1 - 0.1 - alpha)))
    np.testing.assert_allclose(promise, wanted, atol=1e-12)


def test_that_the_seeds_group_formula_is_broken_by_a_decision():
    update = answer(Budget(epsilon=1.0, delta=0.01, group_size=2), simulate=False)
    tight, formula = (value(update, v.GROUP_DELTA, one) for one in (f.TIGHT, f.FORMULA))
    curve = GeneralizedDecision(1.0, 0.01, 0, 0.0)
    spent = curve.accept_probability(2) - math.exp(2) * curve.accept_probability(0)
    assert tight == pytest.approx(0.037183, rel=1e-4) == spent
    assert formula < spent
    assert value(update, v.GROUP_DELTA, f.TEXT) == pytest.approx(0.1478, abs=5e-5)


@pytest.mark.parametrize(("values", "fits"), [
    ({"epsilon": 0.1, "delta": 0.0, "releases": 2, "budget": 5.0, "budget_delta": 1e-12}, True),  # (0.2, 0) by adding
    ({}, True), ({"budget": 4.34}, True), ({"budget": 4.32}, False), ({"delta": 1e-3}, False)])
def test_that_whether_releases_fit_the_budget_hangs_on_no_slack(values, fits):
    answers = [answer(Budget(**values, slack=slack), simulate=False) for slack in (0.0, 1e-9, 1e-6, 1e-2)]
    assert {update.verdicts[0] for update in answers} == {answers[0].verdicts[0]}
    assert answers[0].verdicts[0].startswith("You may make" if fits else "Do not make")
    assert {(update.fact(v.MOST_WITHIN, f.OPTIMAL).value >= update.study.releases) for update in answers} == {fits}


def test_that_the_least_total_is_that_of_the_formulary():
    assert value(answer(Budget(), simulate=False), v.LEAST_TOTAL, f.OPTIMAL) == pytest.approx(4.33, abs=0.005)
    for k in (1, 3, 40):
        study = Budget(epsilon=0.3, delta=1e-6, releases=k, budget_delta=1e-3)
        least = value(answer(study, simulate=False), v.LEAST_TOTAL, f.OPTIMAL)
        silent = (1 - study.delta) ** k
        assert 1 - silent * (1 - float(responses([0.3] * k, least))) <= study.budget_delta * (1 + 1e-9)
        assert least == 0 or 1 - silent * (1 - float(responses([0.3] * k, 0.999 * least))) > study.budget_delta


@settings(max_examples=40)
@given(st.floats(-2, 0.3), st.sampled_from((0.0, 1e-9, 1e-8)), st.sampled_from((1, 5, 50, 200)), st.floats(-9, -4),
       st.floats(-0.3, 1.5), st.floats(-7, -3))
def test_that_an_account_is_allowed_where_any_slack_brings_its_totals_within_the_budget(
        epsilon, delta, releases, slack, budget, budget_delta):
    given = {"epsilon": 10**epsilon, "delta": delta, "releases": releases, "budget": 10**budget,
             "budget_delta": 10**budget_delta}
    study = Budget(**given, slack=10**slack)
    a = study.answer()
    others = [Budget(**given, slack=study.budget_delta * 10**(-step / 8)).answer() for step in range(24)]
    for series in a.ones:
        totals = [one.total for each in (a, *others) if (one := each.one(series))]
        if any(total <= study.budget and spent <= study.budget_delta for total, spent in totals):
            assert a.allowed(series)
        elif not a.allowed(series):
            assert a.get(series).at_budget is None or a.get(series).at_budget > study.budget
        least = a.fact(v.LEAST_TOTAL, series)
        inside = [total for total, spent in totals if spent <= study.budget_delta]
        assert not inside or least.value <= min(inside) * (1 + 1e-12)


def test_that_what_an_account_is_too_weak_for_is_said_at_the_delta_of_the_budget():
    a = Budget(slack=1e-9, budget=4.4).answer()
    zcdp = a.get(f.ZCDP)
    assert a.value(v.LEAST_TOTAL, f.ZCDP) < zcdp.epsilon
    assert a.spends(f.ZCDP) == f"shows ε = {v.amount(a.value(v.LEAST_TOTAL, f.ZCDP), v.EPSILON, 3, 'up')}"
    assert Budget(slack=1e-9, budget=a.value(v.LEAST_TOTAL, f.ZCDP) * 1.001).answer().allowed(f.ZCDP)
    assert Budget(slack=1e-9, budget=5.0).answer().get(f.ZCDP).epsilon > 5, "today's slack shows more"


def test_that_without_slack_or_delta_only_basic_composition_is_left():
    update = answer(Budget(delta=0.0, slack=0.0))
    assert update.fact(v.TOTAL_EPSILON, f.ADVANCED) is None
    assert update.fact(v.TOTAL_EPSILON, f.GAUSSIAN) is None
    assert value(update, v.TOTAL_EPSILON, f.OPTIMAL) == pytest.approx(value(update, v.TOTAL_EPSILON, f.BASIC))
    assert value(update, v.PLAN_EPSILON, f.BASIC) == math.inf
    assert update.fact(v.PLAN_EPSILON, f.ACCOUNTING) is None


def test_that_an_empty_plan_spends_nothing():
    update = answer(Budget(plan_counts=0, plan_answers=0, plan_sums=0))
    assert update.fact(v.PLAN_EPSILON, f.BASIC) is None


def test_that_a_plan_of_one_kind_is_the_composition_of_that_kind():
    study = Budget(plan_counts=0, plan_answers=0, plan_sums=12, plan_multiplier=5.0)
    table = answer(study, simulate=False).tables[f.PLAN_TABLE]
    expected = gaussian(5.0, 1.0, table[f.X_STEP], study.slack)
    np.testing.assert_allclose(table[Column(v.PLAN_EPSILON, f.OPTIMAL)], expected, rtol=1e-12)


def test_that_without_the_library_the_bounds_stand_and_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr(plan, "find_spec", lambda _: None)
    update = answer(Budget())
    assert update.fact(v.PLAN_EPSILON, f.ACCOUNTING) is None
    assert any("dpstudio[accounting]" in sentence for sentence in update.verdicts)
    assert value(update, v.PLAN_EPSILON, f.OPTIMAL) < math.inf


def test_that_the_library_is_pessimistic_and_better_than_the_parts():
    pytest.importorskip("dp_accounting")
    study = Budget(plan_counts=0, plan_answers=0, plan_sums=20)
    update = answer(study)
    exact = float(gaussian(study.plan_multiplier, 1.0, 20, study.slack))
    assert exact <= value(update, v.PLAN_EPSILON, f.ACCOUNTING) <= exact * 1.02
    mixed = answer(Budget())
    assert value(mixed, v.PLAN_EPSILON, f.ACCOUNTING) < value(mixed, v.PLAN_EPSILON, f.OPTIMAL)


def only(**values):
    return Budget(**{"plan_counts": 0, "plan_answers": 0, "plan_sums": 0} | values)


@pytest.mark.parametrize("study", [
    only(plan_sums=20, plan_multiplier=1e4), only(plan_sums=100, plan_multiplier=0.1), only(plan_sums=3),
    only(plan_answers=100, plan_answer_epsilon=1.3e-3), only(plan_answers=37, plan_answer_epsilon=math.pi)], ids=str)
def test_that_the_library_is_a_hair_above_the_exact_total_however_small_a_step_is(study):
    pytest.importorskip("dp_accounting")
    update = answer(study)
    exact, rounded = (value(update, v.PLAN_EPSILON, series) for series in (f.OPTIMAL, f.ACCOUNTING))
    assert exact * (1 - 1e-9) <= rounded <= exact * 1.001
    step = value(update, v.LOSS_GRID, f.ACCOUNTING)
    assert f"a grid of {significant(step)} by" in update.fact(v.PLAN_EPSILON, f.ACCOUNTING).how


@given(data=st.data())
def test_that_the_grid_is_fine_for_the_smallest_step_and_coarse_enough_for_the_sum(data):
    names = ("plan_counts", "plan_answers", "plan_sums", "plan_count_epsilon", "plan_answer_epsilon", "plan_multiplier")
    domains = {name: Budget.parameter(name).domain for name in names}
    study = Budget(**{name: data.draw((st.integers if domain.integer else st.floats)(domain.low, domain.high))
                      for name, domain in domains.items()})
    if not study.plan_counts + study.plan_answers + study.plan_sums:
        return
    step = plan.grid(study)
    reach = (study.plan_counts * study.plan_count_epsilon + study.plan_answers * study.plan_answer_epsilon
             + study.plan_sums / study.plan_multiplier**2 + 10 * math.sqrt(study.plan_sums) / study.plan_multiplier)
    smallest = min([study.plan_count_epsilon] * (study.plan_counts > 0) + [study.plan_answer_epsilon] * (
        study.plan_answers > 0) + [1 / study.plan_multiplier] * (study.plan_sums > 0))
    widest = max([2 * study.plan_count_epsilon] * (study.plan_counts > 0) + [2 * study.plan_answer_epsilon] * (
        study.plan_answers > 0) + [18 / study.plan_multiplier] * (study.plan_sums > 0))
    assert 0 < step <= max(smallest / plan.FINENESS, 2 * reach / plan.MOST_POINTS, widest / 20_000) * (1 + 1e-12)
    if study.plan_answers and step < study.plan_answer_epsilon:
        assert (study.plan_answer_epsilon / step).is_integer()


@pytest.mark.parametrize(("values", "widest"), [
    ({"plan_counts": 1, "plan_count_epsilon": 5.0, "plan_sums": 1, "plan_multiplier": 1e4}, 10.0),
    ({"plan_counts": 1, "plan_count_epsilon": 1e-3, "plan_sums": 1, "plan_multiplier": 0.1}, 180.0)])
def test_that_no_release_alone_takes_the_library_more_steps_than_it_computes_in_a_moment(values, widest):
    assert widest / plan.grid(only(**values)) <= 20_000 * (1 + 1e-12)


@pytest.mark.parametrize("values", [{}, {"delta": 0.0, "slack": 0.0}, {"releases": 1}])
def test_that_all_sentences_are_the_same_before_and_after_what_takes_longer(values):
    study = Budget(**values)
    with hurried():
        before = tuple(study.answer().sentences())
    assert before == answer(study).verdicts


def test_that_the_library_can_be_left_between_any_two_steps():
    pytest.importorskip("dp_accounting")
    asked = Budget().answer()
    last, every = BudgetAnswer.index()[v.PLAN_EPSILON.key, f.ACCOUNTING.key].slow, asked.tabled[f.PLAN_TABLE].slow
    steps = asked.work(every)
    while len(asked.accounted) < 3:
        next(steps)
    steps.close()
    with hurried():
        assert Column(v.PLAN_EPSILON, f.ACCOUNTING) not in asked.table(f.PLAN_TABLE)
        with pytest.raises(NotYet):
            asked.fact(v.PLAN_EPSILON, f.ACCOUNTING)
    left = dict(asked.accounted)
    assert len(list(asked.work(every))) > 10
    assert left.items() <= asked.accounted.items()
    assert [*asked.accounted] == asked.steps.tolist()
    list(asked.work(last))
    with hurried():
        table = asked.table(f.PLAN_TABLE)
        fact = asked.fact(v.PLAN_EPSILON, f.ACCOUNTING)
    assert fact.value == table[Column(v.PLAN_EPSILON, f.ACCOUNTING)][-1] == answer(Budget()).fact(
        v.PLAN_EPSILON, f.ACCOUNTING).value


def test_that_the_library_is_asked_by_its_own_facts_and_the_plan_alone(monkeypatch):
    asked = Budget().answer()
    monkeypatch.setattr(plan, "has_library", lambda: True)
    monkeypatch.setattr(plan, "read_library", lambda: pytest.fail("the library was read"))
    slow = {place for place, declared in asked.index().items() if declared.slow}
    assert slow == {(quantity.key, f.ACCOUNTING.key) for quantity in (v.PLAN_EPSILON, v.PLAN_LEFT)}
    for place in asked.index().keys() - slow:
        asked.fact(*place)
    tuple(asked.sentences())
    for name in asked.tabled.keys() - {f.PLAN_TABLE}:
        asked.table(name)
    for work in (lambda: asked.fact(v.PLAN_EPSILON, f.ACCOUNTING), lambda: asked.table(f.PLAN_TABLE)):
        with pytest.raises(pytest.fail.Exception, match="the library was read"):
            work()


def test_that_the_library_computes_the_last_step_alone_for_a_fact(monkeypatch):
    pytest.importorskip("dp_accounting")
    asked, steps = Budget().answer(), []
    real = plan.accounted
    monkeypatch.setattr(plan, "accounted", lambda study, at: (steps.extend(at), real(study, at))[1])
    asked.fact(v.PLAN_LEFT, f.ACCOUNTING)
    assert steps == [25.0]
    asked.table(f.PLAN_TABLE)
    assert steps[1:] == asked.steps[:-1].tolist(), "what was worked out is not worked out again"


@pytest.mark.parametrize(("quantity", "series", "accounts", "methods"), [
    (v.COUNT_ERROR_95, None, [], 0), (v.GROUP_COST, f.TEXT, [], 0), (v.PLAN_EPSILON, f.BASIC, [], 0),
    (v.LEFT, f.BASIC, ["Basic"], 1), (v.SUCCESS, f.GAUSSIAN, ["Gaussian"], 1),
    (v.MOST_RELEASES, f.ADVANCED, ["Advanced", "Basic"], 2)])
def test_that_one_fact_alone_builds_its_own_account(quantity, series, accounts, methods, monkeypatch):
    _most_by_basic.cache_clear()
    built, asked = [], []
    real = Account.__init__
    monkeypatch.setattr(Account, "__init__", lambda self, study: (built.append(type(self).__name__),
                                                                  real(self, study))[1])
    for kind in Account.__subclasses__():
        monkeypatch.setattr(kind, "totals", lambda self, k, method=kind.totals: (asked.append(k), method(self, k))[1])
    found = Budget().answer()
    first = found.fact(quantity, series)
    assert (built, len(asked)) == (accounts, methods)
    assert found.fact(quantity, series) is first
    assert (built, len(asked)) == (accounts, methods), "nothing is computed twice"


@pytest.mark.parametrize("values", [
    {}, {"epsilon": 1e-3, "delta": 0.0, "budget": 0.02}, {"budget": 0.01}, {"epsilon": 1.0, "budget": 1.0},
    {"epsilon": 1e-3, "budget_delta": 2e-6}, {"budget_delta": 1e-7}])
def test_that_strides_find_the_last_that_fits_of_all_releases_tried_one_by_one(values):
    one, every = Optimal(Budget(**values)), np.arange(1.0, 250.0)
    fits = np.flatnonzero(within(one.study, *one.totals(every)))
    expected = int(every[fits[-1]]) if fits.size else 0
    assert expected < every[-1]
    for start in {0, expected // 2, max(expected - 1, 0), expected}:
        assert one.last_after(start) == expected


@pytest.mark.parametrize("kind", [Basic, Advanced, Simple, Gaussian])
@pytest.mark.parametrize("values", [{}, {"epsilon": 1e-3, "delta": 1e-6, "budget": 0.05, "budget_delta": 1e-3}])
def test_that_each_account_finds_the_last_that_fits_from_any_start_before_it(kind, values):
    one, every = kind(Budget(**values)), np.arange(1.0, 10_001.0)
    expected = int(every[within(one.study, *one.totals(every))][-1])
    for start in (0, expected // 2, expected - 1, expected):
        assert one.last_after(start) == expected
    assert kind(Budget(**values, slack=0.5)).last_after(7) == (expected if kind is Basic else 7)
    allowed = kind(Budget(budget=1e5, budget_delta=0.5))
    assert allowed.last_after(9_999) == 10_000


@pytest.mark.parametrize("start", [0, 625, 5000, 9999, 10_000])
def test_that_strides_end_at_the_most_that_are_looked_for_and_ask_few_laws(start, monkeypatch):
    one, asked = Optimal(Budget(epsilon=1e-3, delta=0.0)), []
    real = Optimal.totals
    monkeypatch.setattr(Optimal, "totals", lambda self, k: (asked.append(k), real(self, k))[1])
    assert one.last_after(start) == f.MOST_COUNTED
    assert len(asked) <= 2 * math.log2(f.MOST_COUNTED)


def test_that_what_an_account_allows_is_never_less_than_basic_composition_does():
    one = Optimal(Budget(delta=0.0, slack=1e-4, budget_delta=1e-5))
    assert one.last_after(0) == 0
    assert one.most == 50


def test_that_all_that_is_quick_needs_no_library():
    before = "dp_accounting" in sys.modules
    with hurried():
        asked = Budget().answer()
        tuple(asked.sentences())
        for place, declared in asked.index().items():
            if not declared.slow:
                asked.fact(*place)
    assert ("dp_accounting" in sys.modules) is before


@pytest.mark.parametrize("values", [{}, {"delta": 0.0}, {"epsilon": 1.0, "releases": 3, "delta": 0.01}])
def test_that_the_profiles_of_all_releases_hold_the_totals(values):
    study, update = Budget(**values), answer(Budget(**values), simulate=False)
    profile, attack = (update.tables[name] for name in (pictures.PROFILE_TABLE, pictures.ATTACK_TABLE))
    optimal = profile[Column(v.PROFILE, f.OPTIMAL)]
    for series in f.COMPOSED:
        if update.fact(v.TOTAL_EPSILON, series) is None:
            continue
        epsilon, delta = (value(update, quantity, series) for quantity in (v.TOTAL_EPSILON, v.TOTAL_DELTA))
        if epsilon <= profile[pictures.X_PROFILE][-1]:
            at = np.searchsorted(profile[pictures.X_PROFILE], epsilon)
            assert profile[Column(v.PROFILE, series)][at] == pytest.approx(delta, rel=1e-6, abs=1e-12)
        if series != f.GAUSSIAN:  # which is one mechanism, not the worst of all
            assert (profile[Column(v.PROFILE, series)] >= optimal - 1e-12).all()
        errors = 1 - attack[pictures.X_ALPHA] - attack[Column(v.TYPE_II, series)]
        assert errors.max() <= value(update, v.ADVANTAGE, series) + 1e-12
    assert value(update, v.ADVANTAGE, f.OPTIMAL) <= value(update, v.ADVANTAGE, f.BASIC) + 1e-12
    assert study.releases


def test_that_simple_composition_lies_between_the_optimum_and_the_advanced_bound():
    update = answer(Budget(epsilon=0.1, delta=0.0, slack=1e-6, releases=100), simulate=False)
    totals = [value(update, v.TOTAL_EPSILON, series) for series in (f.OPTIMAL, f.SIMPLE, f.ADVANCED)]
    assert totals == sorted(totals)
    assert totals[1] == pytest.approx(5.7561, rel=1e-5)


@settings(max_examples=8)
@given(epsilon=st.floats(-4, 1).map(math.exp), k=st.integers(1, 200), delta=st.sampled_from((0.0, 1e-9, 1e-3)))
def test_that_zcdp_and_renyi_lie_between_the_exact_total_and_basic_composition(epsilon, k, delta):
    found = Budget(epsilon=epsilon, releases=k, delta=delta).answer()
    exact, renyi, zcdp, basic = (found.value(v.TOTAL_EPSILON, one) for one in (f.OPTIMAL, f.RENYI, f.ZCDP, f.BASIC))
    assert exact <= renyi <= zcdp * (1 + 1e-12)
    assert zcdp <= basic
    assert {found.value(v.TOTAL_DELTA, one) for one in (f.RENYI, f.ZCDP)} == {found.value(v.TOTAL_DELTA, f.OPTIMAL)}
    assert found.value(v.OVER_EXACT, f.ZCDP) == pytest.approx(zcdp / exact, rel=1e-12)
    if delta:
        gaussian, said = (found.value(v.TOTAL_EPSILON, one) for one in (f.GAUSSIAN, f.GAUSSIAN_ZCDP))
        rho = k / (2 * float(analytic_sigma(epsilon, delta)) ** 2)
        assert said == pytest.approx(zcdp_epsilon(rho, k * delta + 1e-6), rel=1e-12)
        assert said >= gaussian
        if gaussian:
            assert found.value(v.OVER_EXACT, f.GAUSSIAN_ZCDP) == pytest.approx(said / gaussian, rel=1e-12)


def test_that_the_picture_over_the_exact_totals_has_what_the_facts_say():
    study = Budget(epsilon=0.3, releases=70, delta=1e-6)
    found = study.answer()
    over = found.table(f.OVER_TABLE)
    at = int(np.flatnonzero(over[f.X_RELEASES] == 70)[0])
    for series in f.BESIDE_EXACT:
        assert over[Column(v.OVER_EXACT, series)][at] == pytest.approx(found.value(v.OVER_EXACT, series), rel=1e-12)
        assert (over[Column(v.OVER_EXACT, series)] >= 1 - 1e-12).all()
    assert Budget(epsilon=1e-3, delta=0.0, slack=0.5).answer().table(f.OVER_TABLE).rows == 0
    assert Budget(slack=0.0, delta=0.0).answer().table(f.OVER_TABLE).rows == 0


@settings(max_examples=8)
@given(epsilon=st.floats(-3, 2).map(math.exp), rate=st.floats(1e-4, 1), delta=st.sampled_from((0.0, 1e-4)))
def test_that_releases_on_a_sample_are_accounted_for_as_releases_of_the_smaller_guarantee(epsilon, rate, delta):
    sampled = Budget(epsilon=epsilon, delta=delta, rate=rate, releases=20).answer()
    of_one, delta_of_one = subsampled(epsilon, delta, rate)
    assert of_one >= rate * epsilon
    if of_one < 1e-6:
        return
    other = Budget(epsilon=of_one, delta=delta_of_one, releases=20).answer()
    for series in (f.BASIC, f.ADVANCED, f.SIMPLE, f.OPTIMAL, f.ZCDP, f.RENYI):
        for quantity in (v.TOTAL_EPSILON, v.TOTAL_DELTA, v.MOST_RELEASES, v.ADVANTAGE):
            fact = sampled.fact(quantity, series)
            assert fact.value == other.value(quantity, series)
            assert fact.kind == "bound" or rate == 1
    assert sampled.value(v.GROUP_EPSILON) == other.value(v.GROUP_EPSILON)
    assert (sampled.fact(v.TOTAL_EPSILON, f.GAUSSIAN) is None) == (rate < 1 or delta == 0)
    if rate < 1:
        assert sampled.value(v.RELEASE_EPSILON) == of_one
        assert sampled.value(v.RELEASE_DELTA) == delta_of_one
        assert sampled.value(v.COUNT_ERROR_95) == pytest.approx(math.log(20) / (rate * epsilon), rel=1e-12)


def test_that_on_everybody_nothing_is_said_of_a_sample_and_the_picture_of_the_share_ends_there():
    found = Budget().answer()
    assert found.fact(v.RELEASE_EPSILON) is None
    assert found.fact(v.COUNT_ERROR_95).kind == "exact"
    table = found.table(f.RATE_TABLE)
    said, claimed = (table[Column(v.RELEASE_EPSILON, one)] for one in (f.ON_SAMPLE, f.PROPORTIONAL))
    assert said[-1] == claimed[-1] == 0.1
    assert (said[:-1] > claimed[:-1]).all()


def test_that_an_account_is_suggested_only_where_the_releases_may_be_made():
    assert Budget().answer().suggested == f.OPTIMAL
    assert Budget(budget=3.0).answer().suggested is None
    fits = Budget(budget=4.33).answer()
    assert fits.suggested == f.OPTIMAL
    assert fits.allowed(f.OPTIMAL)
    assert not Budget(budget=4.32).answer().allowed(f.OPTIMAL)
    # 0.2 is within 5 by adding up, whatever the slack of the other accounts.
    assert Budget(epsilon=0.1, delta=0.0, releases=2, slack=1e-6, budget_delta=1e-12).answer().suggested == f.OPTIMAL
