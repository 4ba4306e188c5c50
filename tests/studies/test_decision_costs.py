"""What wrong answers cost, against sums made anew; the best choice, against all others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from answers_kit import at_hand
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.special import expit, gammaln, logit, ndtr

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.slow import Wanted
from dpstudio.core.study import fact
from dpstudio.core.update import Update
from dpstudio.mechanisms.decision import (
    ComplementedDecision,
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.models import records
from dpstudio.studies import decision as f
from dpstudio.studies.decision import Decision, compared

LEAST = 1e-9
OURS = {f.LAPLACE: LaplaceDecision, f.GENERALIZED: GeneralizedDecision, f.GAUSSIAN: GaussianDecision}
OF_TARGETS = {series for series, one in Decision().answer().ones.items() if one.kind.has_target}
few = settings(max_examples=12)


@st.composite
def studies(draw):
    """Settings with a prior that is summed in no time, and costs from one end to the other."""
    cost = st.floats(math.log(1e-6), math.log(1e9)).map(math.exp) | st.sampled_from([1.0, 1e-6, 1e9])
    minimum = draw(st.integers(1, 60))
    return {
        "minimum": minimum, "epsilon": draw(st.floats(math.log(0.02), math.log(20)).map(math.exp) | st.just(20.0)),
        "delta": draw(st.floats(math.log(1e-12), math.log(0.5)).map(math.exp) | st.sampled_from([0.0, 0.5])),
        "target": draw(st.floats(0.01, 0.99)), "prior": draw(st.sampled_from(["uniform", "poisson", "normal"])),
        "prior_centre": float(max(0, minimum + draw(st.integers(-40, 40)))), "prior_width": draw(st.floats(0.5, 40)),
        "cost_false_yes": draw(cost), "cost_false_no": draw(cost), "zero_refused": draw(st.booleans())}


def built(study, series, choice):
    """A decision by its target, or by its minimum where it has no target."""
    if series in OURS:
        return OURS[series].for_guarantee(study.epsilon, study.delta, study.minimum, choice)
    if series in OF_TARGETS:  # whatever is compared besides
        return study.answer().one(series).kind.build(study.minimum, choice)
    if series == f.CUTOFF:
        return CutoffExponentialDecision(study.epsilon, choice)
    return ComplementedDecision(study.epsilon, -math.expm1(-study.epsilon), choice, 1.0, 0.0, math.exp(-study.epsilon))


def costs(study):
    """What each N costs if it is accepted, and if it is rejected, times its weight under the prior."""
    centre, width = study.prior_centre, study.prior_width
    n = np.arange(1500.0)
    if study.prior == "uniform":
        inside = (n >= math.ceil(centre - width)) & (n <= math.floor(centre + width))
        weights = inside.astype(float) if inside.any() else (n == np.rint(centre)).astype(float)
    elif study.prior == "poisson":
        weights = np.exp(n * math.log(centre) - centre - gammaln(n + 1)) if centre else (n == 0).astype(float)
    else:
        ends = (n - 0.5 - centre) / width, (n + 0.5 - centre) / width
        weights = np.where(ends[0] > 0, ndtr(-ends[0]) - ndtr(-ends[1]), ndtr(ends[1]) - ndtr(ends[0]))
    weights = weights / weights.sum()
    below = n < study.minimum
    accepted = np.where(below & ~(study.zero_refused & (n == 0)), study.cost_false_yes * weights, 0.0)
    return n, accepted, np.where(below, 0.0, study.cost_false_no * weights)


def summed(study, one, parts):
    n, accepted, rejected = parts
    return float(np.sum(accepted * one.accept_probability(n)) + np.sum(rejected * one.reject_probability(n)))


def choices(study, series):
    """Targets, dense near the ends; or all minima with which m is still accepted, and some lower ones."""
    if series in OF_TARGETS:
        return np.clip(expit(np.linspace(logit(LEAST), -logit(LEAST), 160)), LEAST, 1 - LEAST).tolist()
    minima = range(study.minimum, study.minimum + math.ceil(math.log(1 / LEAST) / study.epsilon) + 1)
    accepted = [m for m in minima if built(study, series, m).accept_probability(study.minimum) >= LEAST]
    return [*range(max(1, study.minimum - 5), study.minimum), *accepted[:250]]


@few
@given(values=studies())
@example(values={"minimum": 20, "prior_width": 15.0, "epsilon": 2.0, "delta": 0.01, "cost_false_yes": 30.0})
@example(values={"minimum": 1, "prior": "poisson", "epsilon": 0.3, "zero_refused": True, "cost_false_yes": 1e9,
                        "cost_false_no": 1e-6})
@example(values={"minimum": 40, "prior_width": 30.0, "epsilon": 0.4, "delta": 0.3, "cost_false_no": 7.0})
@example(values={"minimum": 21, "epsilon": math.exp(-0.5), "delta": math.exp(-1.5), "prior": "normal",
                 "prior_centre": 0.0, "prior_width": 0.75})
@example(values={"minimum": 1, "epsilon": 20.0, "delta": 0.3679, "prior_width": 1.0})
@example(values={"minimum": 1, "epsilon": 20.0, "delta": math.exp(-8), "prior_width": 1.0,
                 "cost_false_no": math.exp(-10)})
def test_that_no_choice_costs_less_than_the_best_and_the_best_costs_what_is_said(values):
    study = Decision(**values)
    answer, parts = study.answer(), costs(study)
    for series in answer.ones:
        best_cost, saved, now = (answer.value(quantity, series) for quantity in
                                 (v.BEST_COST, v.COST_SAVED, v.EXPECTED_COST))
        chosen = v.BEST_TARGET if series in OF_TARGETS else v.BEST_THRESHOLD
        best = answer.value(chosen, series)
        present = study.target if series in OF_TARGETS else study.minimum
        assert now == pytest.approx(summed(study, built(study, series, present), parts), rel=1e-8, abs=1e-290)
        assert best_cost == pytest.approx(summed(study, built(study, series, best), parts), rel=1e-8, abs=1e-290)
        others = [summed(study, built(study, series, each), parts) for each in choices(study, series)]
        assert best_cost <= min(others) * (1 + 1e-9), series
        assert saved == max(now - best_cost, 0.0)
        if series in OF_TARGETS:  # put back, nothing is left to be saved
            again = study.replace(target=best)
            assert fact(again, v.EXPECTED_COST, series).value == best_cost
            assert fact(again, v.COST_SAVED, series).value == 0.0
            assert fact(again, v.BEST_TARGET, series).value == best
        else:
            assert answer.fact(v.BEST_TARGET, series) is None
            assert best >= study.minimum
    assert answer.value(v.BEST_THRESHOLD, f.LAPLACE) == built(study, f.LAPLACE,
                                                               answer.value(v.BEST_TARGET, f.LAPLACE)).threshold
    assert answer.fact(v.BEST_THRESHOLD, f.GENERALIZED) is None


@few
@given(values=studies(), times=st.floats(1.01, 1e4))
def test_that_a_dearer_false_yes_makes_the_best_choice_accept_m_no_more_often(values, times):
    study = Decision(**values)
    assume(study.cost_false_yes * times <= 1e9)
    dearer = study.replace(cost_false_yes=study.cost_false_yes * times)
    for series in (f.LAPLACE, f.CUTOFF, f.GENERALIZED):
        before, after = (each.answer() for each in (study, dearer))
        if series in OF_TARGETS:
            assert after.value(v.BEST_TARGET, series) <= before.value(v.BEST_TARGET, series) * (1 + 1e-6)
        else:
            assert after.value(v.BEST_THRESHOLD, series) >= before.value(v.BEST_THRESHOLD, series)
        assert after.value(v.BEST_COST, series) >= before.value(v.BEST_COST, series) * (1 - 1e-12)


def test_that_it_does_change_with_the_costs():
    best = [fact(Decision(cost_false_yes=cost), v.BEST_TARGET, f.GENERALIZED).value for cost in (0.1, 1.0, 10.0)]
    assert best[0] > 0.8 > best[1] > 0.4 > 0.2 > best[2]


def test_that_at_equal_costs_of_1_the_expected_cost_is_the_overall_error():
    answer = Decision(epsilon=0.3, target=0.2).answer()
    for series in answer.ones:
        assert answer.value(v.EXPECTED_COST, series) == answer.value(v.OVERALL_ERROR, series)


@pytest.mark.parametrize(("centre", "best"), [(900.0, LEAST), (1100.0, 1 - LEAST)])
def test_that_where_only_one_error_can_be_made_the_best_choice_lies_at_the_end(centre, best):
    study = Decision(prior_centre=centre, prior_width=20.0)
    answer = study.answer()
    assert [answer.value(v.BEST_TARGET, series) for series in (f.LAPLACE, f.GENERALIZED, f.GAUSSIAN)] == [best] * 3
    # Where m is accepted with e^−20.7 = 1.02e−9, or the last with which all N from 1080 on are accepted for certain.
    assert answer.value(v.BEST_THRESHOLD, f.CUTOFF) == (1207 if centre < 1000 else 1080)
    assert not answer.table(f.TRADE_TABLE)
    assert answer.table(f.COST_TABLE)


@pytest.fixture
def blocks(monkeypatch):
    """What makes priors be summed in blocks from then on."""
    def begin():
        monkeypatch.setattr(records, "SUMMED", 0)
        monkeypatch.setattr(records, "BLOCKS_PER_OCTAVE", 12)
        forget()

    def forget():
        compared._prior.cache_clear()
        compared._LAST.clear()

    yield begin
    forget()


def test_that_beside_an_end_where_all_costs_are_alike_the_end_is_the_best():
    for series in (f.LAPLACE, f.GAUSSIAN):
        assert fact(Decision(epsilon=1e-6), v.BEST_TARGET, series).value == 1 - LEAST


EXTREMES = [
    {"cost_false_yes": 1e9, "cost_false_no": 1e-6}, {"cost_false_yes": 1e-6, "cost_false_no": 1e9, "delta": 0.0},
    {"epsilon": 20.0, "delta": 0.5}, {"epsilon": 20.0, "delta": 5e-324}, {"epsilon": 1e-6, "minimum": 1},
    {"minimum": 10**9, "epsilon": 1e-6}, {"prior_width": 1e12, "prior_centre": 1e12}, {"prior_centre": 0.0},
    {"prior": "normal", "minimum": 10**9, "prior_width": 1e12, "epsilon": 20.0}, {"target": 1e-9, "zero_refused": True},
    {"prior": "poisson", "prior_centre": 1e12, "minimum": 10**9}, {"minimum": 1, "target": 1 - 1e-9, "epsilon": 5.0},
    {"minimum": 1, "prior_width": 1e-3, "zero_refused": True}, {"prior_width": 1e-3, "prior_centre": 999.0}]


@pytest.mark.parametrize("values", EXTREMES, ids=str)
def test_that_at_the_ends_of_all_domains_there_is_a_best_choice(values):
    answer = Decision(**values).answer()
    for series in answer.ones:
        now, best, saved = (answer.fact(quantity, series) for quantity in
                            (v.EXPECTED_COST, v.BEST_COST, v.COST_SAVED))
        assert 0 <= best.value <= now.value * (1 + 1e-12)
        assert 0 <= saved.value <= now.value
        if target := answer.fact(v.BEST_TARGET, series):
            assert LEAST <= target.value <= 1 - LEAST
            assert target.low is None or LEAST <= target.low <= target.value <= target.high <= 1 - LEAST
    for name, view in ((f.COST_TABLE, None), (f.TRADE_TABLE, None), (f.COST_TABLE, (0.3, 0.300001))):
        for column, numbers in answer.table(name, view).items():
            assert np.isfinite(numbers).all(), (name, view, column.key)
            assert (numbers >= 0).all()


@pytest.mark.parametrize("values", [{"epsilon": 0.2, "cost_false_yes": 3.0}, {"epsilon": 2.0, "delta": 1e-3},
                                    {"epsilon": 0.02, "prior": "normal", "zero_refused": True, "minimum": 40},
                                    {"epsilon": 0.5, "zero_refused": True, "minimum": 9, "prior_width": 9.0}], ids=str)
def test_that_where_blocks_of_records_enclose_costs_they_enclose_the_best_choice(values, blocks):
    exact = Decision(**values).answer()
    everything = {place: found for place in exact.index() if "cost" in place[0] or "best_t" in place[0]
                  if (found := exact.fact(*place))}
    assert {found.kind for found in everything.values()} == {"exact"}
    blocks()
    enclosed = Decision(**values).answer()
    for (key, series), true in everything.items():
        found = enclosed.fact(key, series)
        low, high = (found.low, found.high) if found.kind == "estimate" else (found.value, found.value)
        slack = 1e-7 * abs(true.value) + 1e-15
        assert low - slack <= true.value <= high + slack, (key, series)
    table = enclosed.table(f.COST_TABLE)
    for series in (f.LAPLACE, f.GENERALIZED, f.GAUSSIAN):  # no choice beyond the ends can cost as little as the best
        best, most = enclosed.fact(v.BEST_TARGET, series), enclosed.fact(v.BEST_COST, series)
        targets = np.linspace(max(best.value - 0.3, 0.01), min(best.value + 0.3, 0.99), 60)
        found = [fact(Decision(**values, target=p), v.EXPECTED_COST, series) for p in targets.tolist()]
        may = [p for p, cost in zip(targets, found, strict=True)
               if (cost.value if cost.low is None else cost.low) <= (most.value if most.high is None else most.high)]
        assert all(best.low <= p <= best.high for p in may)
        if may:
            assert best.low > min(may) - 0.3
            assert best.high < max(may) + 0.3
        p, cost = table[Column(v.TARGET, series)], table[Column(v.EXPECTED_COST, series)]
        for i in range(3, p.size, 20):
            assert fact(Decision(**values, target=float(p[i])), v.EXPECTED_COST, series).value == pytest.approx(
                cost[i], rel=1e-6)
    assert enclosed.fact(v.BEST_TARGET, f.LAPLACE).kind == enclosed.fact(v.BEST_COST, f.LAPLACE).kind == "estimate"
    assert enclosed.fact(v.BEST_THRESHOLD, f.CUTOFF).kind == "estimate"


@pytest.mark.parametrize(("values", "view"), [
    ({}, None), ({"epsilon": 20.0}, None), ({"epsilon": 3.0, "delta": 0.2, "minimum": 30}, None),
    ({"epsilon": 0.1}, (0.5, 0.52)), ({"zero_refused": True, "minimum": 5, "prior_width": 5.0}, None)], ids=str)
def test_that_a_curve_has_the_costs_and_errors_of_the_choices_that_it_shows(values, view):
    study = Decision(**values)
    answer, parts = study.answer(), costs(study)
    table, trade = answer.table(f.COST_TABLE, view), answer.table(f.TRADE_TABLE)
    for series, one in answer.ones.items():
        p, cost = (table[Column(quantity, series)] for quantity in (v.TARGET, v.EXPECTED_COST))
        assert (np.diff(p) >= 0).all()
        for i in range(0, p.size, 8):
            if series in OF_TARGETS:
                choice = min(max(float(p[i]), LEAST), 1 - LEAST)
            else:
                choice = study.minimum
                while built(study, series, choice).accept_probability(study.minimum) > p[i] * (1 + 1e-9):
                    choice += 1
            assert cost[i] == pytest.approx(summed(study, built(study, series, choice), parts), rel=1e-6), series
        if series in OF_TARGETS:
            low, high = view or (0.001, 0.999)
            assert p[0] >= low
            assert p[-1] <= high
            for at, drawn in zip((p[1:] + p[:-1])[::4] / 2, (cost[1:] + cost[:-1])[::4] / 2, strict=True):
                true = summed(study, built(study, series, min(max(float(at), LEAST), 1 - LEAST)), parts)
                assert drawn == pytest.approx(true, rel=0.05), "straight lines between the points tell the truth"
            if study.delta <= 1e-3:  # of decisions that are steeper than a record some p are not there
                assert p[0] < low + 0.1 * (high - low)
                assert p[-1] > high - 0.1 * (high - low)
        accepted, rejected = (trade[Column(quantity, series)] for quantity in (v.FALSE_ACCEPT, v.FALSE_REJECT))
        assert (np.diff(accepted) >= 0).all()
        assert (np.diff(rejected) <= 0).all()
        now = one.false_accept.value, one.false_reject.value
        assert (trade[Column(v.FALSE_ACCEPT_NOW, series)][0], trade[Column(v.FALSE_REJECT_NOW, series)][0]) == now
        near = np.hypot(accepted - now[0], rejected - now[1]).min()
        assert near <= 0.1 * answer.view(f.TRADE_TABLE)[1], "the present point lies on its curve"


def test_that_the_line_of_equal_cost_touches_the_generalized_curve_and_none_lies_below():
    answer = Decision(cost_false_yes=3.0, target=0.2).answer()
    table, stakes = answer.table(f.TRADE_TABLE), answer.get(f.GENERALIZED).stakes
    least = answer.value(v.BEST_COST, f.GENERALIZED)
    x, y = table[f.X_FALSE_ACCEPT], table[Column(v.FALSE_REJECT)]
    np.testing.assert_allclose(stakes.false_yes * x + stakes.false_no * y, least, rtol=1e-9)
    curve = [table[Column(quantity, f.GENERALIZED)] for quantity in (v.FALSE_ACCEPT, v.FALSE_REJECT)]
    costs_there = stakes.false_yes * curve[0] + stakes.false_no * curve[1]
    assert costs_there.min() >= least * (1 - 1e-12)
    assert costs_there.min() <= least * 1.01


def test_that_in_a_hurry_the_curves_are_there_without_the_best_choice_unless_it_is_known():
    compared._LAST.clear()
    update = Update(Decision(epsilon=0.123).answer())
    list(update.prepare(Wanted(frozenset([f.COST_TABLE])), hurry=True))
    dot = Column(v.BEST_TARGET, f.LAPLACE)
    assert dot not in at_hand(update, f.COST_TABLE)
    assert Column(v.EXPECTED_COST, f.LAPLACE) in at_hand(update, f.COST_TABLE)
    list(update.prepare(Wanted(frozenset([f.COST_TABLE]))))
    best = at_hand(update, f.COST_TABLE)[dot][0]
    assert best == update.fact(v.BEST_TARGET, f.LAPLACE).value
    moved = Update(Decision(epsilon=0.123, target=0.7, records=5).answer())  # as a hand moves p
    assert at_hand(moved, f.COST_TABLE)[dot][0] == best
    for other in ({"cost_false_no": 2.0}, {"delta": 0.0}, {"zero_refused": True}, {"prior": "poisson"}):
        assert dot not in at_hand(Update(Decision(epsilon=0.123, **other).answer()), f.COST_TABLE), other
