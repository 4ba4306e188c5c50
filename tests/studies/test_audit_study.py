"""What the audit study says: claims that stand, claims that fall, and what it takes to find out."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Column
from dpstudio.core.study import answer, fact
from dpstudio.records import cached_property
from dpstudio.studies import audit as f
from dpstudio.studies.audit import Audit
from dpstudio.studies.audit.answer import AuditAnswer
from dpstudio.studies.audit.mechanisms import MECHANISMS
from dpstudio.studies.audit.words import beyond, odds_at_least
from dpstudio.text.sentences import at_least

exact = exact_of(Audit)

PRESETS = {preset.key: dict(preset.values) for preset in Audit.presets}
WRONG = {"sensitivity": 2.0, "delta": math.inf, "shared": math.inf, "plain": math.inf,
         "floating": math.inf}


def test_that_the_table_holds_every_name_of_the_vocabulary():
    assert tuple(MECHANISMS) == v.AUDITED.domain.options
    for name, entry in MECHANISMS.items():
        assert name.startswith("wrong_") is bool(entry.wrong)


@pytest.mark.parametrize("key", WRONG)
def test_that_a_wrong_preset_is_caught_and_the_verdict_says_so(key):
    update = answer(Audit(**PRESETS[key], trials=200_000))
    assert value(update, v.CAUGHT, f.AUDITED) == 1
    assert value(update, v.AUDIT_EPSILON, f.EXACT) == pytest.approx(WRONG[key], rel=1e-9)
    assert 1 < value(update, v.AUDIT_EPSILON, f.AUDITED) <= WRONG[key]
    assert value(update, v.AUDIT_DELTA, f.CLAIMED) < value(update, v.AUDIT_DELTA, f.AUDITED)
    assert value(update, v.AUDIT_DELTA, f.AUDITED) <= value(update, v.AUDIT_DELTA, f.EXACT)
    assert re.match("Reject the claim ε = .* with 99\\u202f% confidence the draws prove ε ≥ ", update.verdicts[0])
    assert exact(**PRESETS[key]).verdicts[0].split(":")[0] == update.verdicts[0].split(":")[0]


def test_that_a_sample_keeps_what_is_claimed_for_it_and_never_a_part_of_epsilon():
    update = answer(Audit(**PRESETS["sampled"], trials=200_000))
    exactly = math.log1p(0.2 * math.expm1(1.0))
    assert value(update, v.AUDIT_EPSILON, f.CLAIMED) == 0.2
    assert value(update, v.AUDIT_EPSILON, f.EXACT) == pytest.approx(exactly, rel=1e-12)
    assert 0.2 < value(update, v.AUDIT_EPSILON, f.AUDITED) <= exactly
    right = answer(Audit(mechanism="sampled_count", rate=0.2, trials=200_000))
    assert value(right, v.AUDIT_EPSILON, f.CLAIMED) == pytest.approx(exactly, rel=1e-12)
    assert 0.15 < value(right, v.AUDIT_EPSILON, f.AUDITED) <= exactly


@pytest.mark.parametrize("key", ["honest", "rounded"])
def test_that_an_honest_preset_stands(key):
    update = answer(Audit(**PRESETS[key], trials=200_000))
    assert value(update, v.CAUGHT, f.AUDITED) == 0
    assert value(update, v.AUDIT_EPSILON, f.AUDITED) <= value(update, v.AUDIT_EPSILON, f.EXACT) <= 1 + 1e-12
    assert update.verdicts[0].startswith("No violation of the claim ε = 1 found: ")
    assert update.verdicts[0].startswith(exact(**PRESETS[key]).verdicts[0].removesuffix("."))


def test_that_the_delta_of_the_setting_is_the_one_of_the_table():
    update = exact(**PRESETS["delta"])
    assert value(update, v.AUDIT_DELTA, f.CLAIMED) == pytest.approx(0.0049258, rel=1e-4)
    assert value(update, v.AUDIT_DELTA, f.EXACT) == pytest.approx(0.0133898, rel=1e-4)


def test_that_low_bits_break_any_claim_by_a_few_hundred_draws_and_say_how_likely_they_are_as_an_estimate():
    update = answer(Audit(mechanism="wrong_floating", epsilon=0.1, trials=500))
    assert value(update, v.CAUGHT, f.AUDITED) == 1
    assert value(update, v.DRAWS_NEEDED) < 100
    assert value(update, v.FEWER_PROBABILITY, f.EXACT) == value(update, v.FEWER_PROBABILITY, f.AUDITED) == 0
    assert update.fact(v.FEWER_PROBABILITY, f.EXACT).kind == "exact"
    more = answer(Audit(mechanism="wrong_floating", epsilon=0.1, trials=40_000)).fact(v.MORE_PROBABILITY, f.EXACT)
    assert more.kind == "estimate"
    assert more.low < more.value < more.high < more.low + 0.012
    assert more.value == pytest.approx(0.612, abs=0.015)


@pytest.mark.parametrize(("epsilon", "caught"), [(1.0, False), (1.1, True), (2.0, True)])
def test_that_snapping_for_more_than_is_claimed_is_caught_and_for_no_more_is_not(epsilon, caught, monkeypatch):
    built = MECHANISMS["snapped_count"].build
    monkeypatch.setitem(MECHANISMS, "snapped_count", replace(
        MECHANISMS["snapped_count"], build=lambda study: (built(study.replace(epsilon=epsilon))[0], (1.0, 0.0))))
    update = answer(Audit(mechanism="snapped_count", records=3, trials=400_000))
    assert value(update, v.CAUGHT, f.AUDITED) == caught
    assert value(update, v.AUDIT_EPSILON, f.EXACT) == pytest.approx(epsilon, rel=1e-7)
    assert value(update, v.AUDIT_EPSILON, f.AUDITED) > 0.9


def test_that_a_wrong_claim_that_its_pair_does_not_break_is_not_said_to_hold():
    update = answer(Audit(mechanism="wrong_delta", records=3, trials=20_000))
    assert value(update, v.CAUGHT, f.AUDITED) == 0
    hidden = answer(Audit(mechanism="wrong_shared_noise", processing="rounding", processing_at=10.0, trials=20_000))
    assert value(hidden, v.AUDIT_EPSILON, f.EXACT) == 0
    assert value(hidden, v.RAW_EPSILON, f.EXACT) == math.inf
    assert value(hidden, v.DRAWS_NEEDED) == math.inf


def test_that_too_few_draws_are_said_to_be_too_few_before_any_is_drawn():
    few, many = exact(trials=1_000), exact(trials=1_000_000)
    assert value(few, v.DRAWS_NEEDED) == pytest.approx(27_000, rel=0.05)
    between = exact(trials=25_000)
    assert any("25\u202f000 are enough more often than not" in sentence for sentence in between.verdicts)
    assert any("1\u202f000 are too few" in sentence for sentence in few.verdicts)
    assert any("1\u202f000\u202f000 are enough" in sentence for sentence in many.verdicts)


def test_that_the_first_answer_has_claim_truth_and_need_and_no_draws():
    update = exact()
    assert update.done == 0
    assert {fact.key for fact in update.facts} == {"audit_epsilon", "raw_epsilon", "audit_delta", "draws_needed"}
    assert set(update.tables) == {f.OUTCOMES_TABLE, f.EVENTS_TABLE, "frontier", "risk_people", "risk_found",
                                  "risk_profile", "risk_success"}
    assert f.LOOKS_TABLE in answer(Audit(trials=1)).tables


def test_that_the_certified_curve_never_falls_and_ends_at_the_fact():
    update = answer(Audit(trials=300_000))
    table = update.tables[f.LOOKS_TABLE]
    curve, looks = table[Column(v.AUDIT_EPSILON, f.AUDITED)], table[Column(v.LOOK_EPSILON, f.AUDITED)]
    assert (np.diff(curve) >= 0).all()
    assert (looks <= curve).all()
    assert curve[-1] == value(update, v.AUDIT_EPSILON, f.AUDITED)
    assert table[f.X_DRAWS][-1] == update.done == 300_000
    assert len(curve) >= 12


def test_that_the_chosen_event_certifies_what_the_fact_says():
    update = answer(Audit(trials=100_000, epsilon=2.0))
    fewer, more = (update.fact(quantity, f.AUDITED) for quantity in (v.FEWER_PROBABILITY, v.MORE_PROBABILITY))
    ways = math.log(more.low / fewer.high), math.log(fewer.low / more.high)
    assert max(ways) == pytest.approx(value(update, v.AUDIT_EPSILON, f.AUDITED), rel=1e-9)
    for quantity, seen in ((v.FEWER_PROBABILITY, fewer), (v.MORE_PROBABILITY, more)):
        assert seen.low <= value(update, quantity, f.EXACT) <= seen.high


def test_that_the_ends_of_a_whole_numbered_event_lie_midway_between_outcomes():
    update = answer(Audit(mechanism="response", trials=20_000))
    ends = {value(update, quantity, f.AUDITED) for quantity in (v.EVENT_FROM, v.EVENT_TO)}
    assert 0.5 in ends
    assert ends & {-math.inf, math.inf}


def test_that_shares_of_the_draws_lie_about_the_exact_cells():
    table = answer(Audit(mechanism="geometric_count", trials=400_000)).tables[f.OUTCOMES_TABLE]
    for side in f.SIDES:
        should, low, high = (table[Column(q, side)] for q in (v.CELL_SHARE, v.CELL_LOW, v.CELL_HIGH))
        assert ((low <= should) & (should <= high)).mean() > 0.85
        assert should[::2].sum() == pytest.approx(1, abs=1e-9)


_ALIKE = ("records", "response")
"""A response knows no records."""


@pytest.mark.parametrize("name", MECHANISMS)
def test_that_a_parameter_that_is_called_unused_changes_nothing(name):
    def said(**values):
        update = exact(mechanism=name, **values)
        outcomes = update.tables[f.OUTCOMES_TABLE]
        return [fact.value for fact in update.facts] + [float(each) for side in f.SIDES
                                                        for each in outcomes[Column(v.CELL_SHARE, side)]]

    for parameter, changed in {"records": 3, "delta": 1e-3, "minimum": 4, "target": 0.3}.items():
        if not Audit.parameter(parameter).matters(Audit(mechanism=name).values()) or (parameter, name) == _ALIKE:
            assert said(**{parameter: changed}) == said(), parameter
        elif parameter != "records":  # a count looks alike for every n
            assert said(**{parameter: changed}) != said(), parameter


def test_that_delta_is_refused_where_a_gaussian_would_need_infinite_noise():
    with pytest.raises(InvalidParameter, match=r"delta must be in \[1e-15, 0.5\], got 0.0"):
        Audit(mechanism="gaussian_count", delta=0.0)


def test_that_one_draw_is_legal_and_certifies_nothing():
    update = answer(Audit(trials=1))
    assert update.done == 1
    assert update.fact(v.AUDIT_EPSILON, f.AUDITED) is None
    two = answer(Audit(trials=2))
    assert value(two, v.AUDIT_EPSILON, f.AUDITED) == 0


@pytest.mark.parametrize(("number", "text"), [(0.98469, "0.984"), (1.0, "1"), (12.349, "12.3"), (0.0012399, "0.00123"),
                                              (0.0, "0"), (16613.7, "16\u202f600")])
def test_that_what_is_certified_is_rounded_down(number, text):
    assert at_least(number) == text


@pytest.mark.parametrize(("epsilon", "text"), [(0.0, "50 : 50"), (1.9, "86 : 14"), (4.8368, "126 : 1")])
def test_that_odds_that_are_certified_are_rounded_down(epsilon, text):
    assert odds_at_least(epsilon) == text


def test_that_the_picture_of_events_has_the_exact_epsilon_of_each_tail_on_its_own_side():
    update = answer(Audit(trials=400_000, confidence=0.999))
    table = update.tables[f.EVENTS_TABLE]
    edges = table[f.X_OUTCOME][1::2][:-1]
    exact_of, found = ({side: table[Column(quantity, side)][::2] for side in f.SIDES}
                       for quantity in (v.EDGE_EPSILON, v.EDGE_FOUND))
    # Laplace noise of scale 1 on 0 and 1: tails by their definition, from each cell’s lower edge on and below its end.
    tail = lambda x: np.where(x > 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2)  # noqa: E731
    np.testing.assert_allclose(exact_of[f.MORE][1:], np.log(tail(edges - 1) / tail(edges)), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(exact_of[f.FEWER][:-1], np.log(tail(-edges) / tail(1 - edges)), rtol=1e-9, atol=1e-12)
    assert exact_of[f.MORE][0] == exact_of[f.FEWER][-1] == 0
    for side in f.SIDES:
        # Each bound is wrong with the error of one look at most; the chosen event’s is what is certified.
        assert (found[side] <= exact_of[side] + 1e-9).all()
    at = np.flatnonzero(edges == value(update, v.EVENT_FROM, f.AUDITED))
    assert value(update, v.EVENT_TO, f.AUDITED) == math.inf
    assert found[f.MORE][1:][at] == pytest.approx(value(update, v.AUDIT_EPSILON, f.AUDITED), rel=1e-12)


def test_that_a_bound_said_exceeds_the_claim_it_breaks():
    assert beyond(1.00449, 1.0) == "1.004"
    assert beyond(2.0, 1.0) == "2"
    assert beyond(1.000004, 1.0) == "1.000004"


def test_that_a_fact_alone_computes_nothing_of_the_others(monkeypatch):
    made = []
    for name, member in vars(AuditAnswer).items():
        if isinstance(member, cached_property):
            counted = cached_property(lambda a, name=name, make=member.func: (made.append(name), make(a))[1])
            counted.__set_name__(AuditAnswer, name)
            monkeypatch.setattr(AuditAnswer, name, counted)
    for quantity, series, needs in ((v.AUDIT_EPSILON, f.CLAIMED, {"_built"}),
                                    (v.AUDIT_EPSILON, f.EXACT, {"_built", "cells", "epsilon"}),
                                    (v.AUDIT_DELTA, f.EXACT, {"_built", "cells", "delta"})):
        made.clear()
        fact(Audit(), quantity, series)
        assert set(made) == needs


def test_that_between_looks_only_the_count_of_draws_moves():
    updates = list(Audit(trials=130_000).run())
    still = [(before, after) for before, after in itertools.pairwise(updates) if after.seen is before.seen]
    assert still
    for before, after in still:
        assert before.done < after.done
        assert before.facts == after.facts
        assert before.tables[f.EVENTS_TABLE] is after.tables[f.EVENTS_TABLE]


def test_that_of_two_events_that_prove_as_much_the_one_of_more_draws_is_told():
    *_, (drawn, _) = (each for each in Audit(trials=20_000).answer().simulate({}) if each[0])
    first = drawn.best
    later = replace(first, draws=2 * first.draws)
    assert drawn.and_then(later).best is later
    less = replace(first.certified, epsilon=first.certified.epsilon / 2)
    assert drawn.and_then(replace(later, certified=less)).best is first
    assert drawn.and_then(later).looks == (*drawn.looks, later)
