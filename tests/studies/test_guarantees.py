"""Guarantees of all studies: every series declares one, and what it says in words is kept by its law."""

from __future__ import annotations

import math
import pickle
import re

import pytest
from claims.kit import number, settings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.guarantee import RECORD, groups_of, rows_of
from dpstudio.core.results import Column, stated
from dpstudio.core.risk import said_of
from dpstudio.core.study import answer, guarantees
from dpstudio.mechanisms.laws import Claim, Shifted
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.studies import all_studies

UP = 1 + 1e-9


def said(promise):
    """ε and δ as a promise states them."""
    found = re.search(r"above e\^(.+?) times its former value(?: plus (.+?))?\.(?: That |$)", promise)
    assert found, promise
    return tuple(number(each) if each else 0.0 for each in found.groups())


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
def test_every_study_promises_something_at_its_defaults(study):
    """A study without a guarantee has nothing to sign: what it compares declares one, or its answer does."""
    assert guarantees(study())


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)
def test_every_study_says_the_risk_of_one_person_from_a_guarantee(study):
    """At its defaults: once, as a guarantee of the study has it, and short."""
    found = guarantees(study()).values()
    assert found, f"{study.key} declares no guarantee: what it compares declares one, or its answer does"
    risks = {said_of(one) for one in found if not one.nothing}
    told = [sentence for sentence in answer(study(), simulate=False).verdicts
            if any(sentence.startswith(risk) for risk in risks)]
    assert len(told) == 1, f"{study.key} says no risk of one person: a.risk(series) makes it from a guarantee"
    assert len(told[0]) <= 300


def test_a_series_without_a_guarantee_and_a_claim_known_to_be_wrong_limit_no_risk():
    none = "No guarantee holds at these settings: no limit on the risk to a person can be promised."
    assert all_studies()["noise"](epsilon=1.0).answer().risk("printed") == none
    assert all_studies()["audit"](mechanism="wrong_delta").answer().risk() == none
    proves = all_studies()["response"](theta1=1.0).answer()
    assert proves.risk("response") == "This protects nobody: whoever sees what is released could learn everything."


def test_a_risk_says_while_what_it_holds():
    said = all_studies()["mean"]().answer().risk("shuffled")
    assert said.endswith(" That holds while the shuffler is honest and all others answer as they should.")


def test_what_is_compared_without_a_guarantee_is_named():
    decision = all_studies()["decision"]().answer()
    decision._ones["laplace"] = object()
    with pytest.raises(TypeError, match="object, which DecisionAnswer compares, declares no guarantee"):
        _ = decision.guarantees


@pytest.mark.parametrize("key", all_studies())
def test_every_promise_is_kept_by_its_law(key):
    promised = 0

    @given(st.data())
    @settings(max_examples=25)
    def check(data: st.DataObject) -> None:
        nonlocal promised
        study = data.draw(settings_of(all_studies()[key]))
        for of, one in guarantees(study).items():
            if one.epsilon == math.inf or one.delta >= 1:
                assert one.nothing
                assert one.promise == "Nothing is promised."
                assert said_of(one) == "This protects nobody: whoever sees what is released could learn everything."
                continue
            epsilon, delta = said(one.promise)
            promised += 1
            assert one.epsilon <= epsilon * UP, of
            assert one.delta <= delta * UP, of
            assert float(one.delta_at(one.epsilon)) <= one.delta * (1 + 1e-9) + 1e-15, of
            assert one.keeps(one.epsilon, one.delta), of
            half = float(one.trade_off(0.5))
            assert half >= 0.5 * math.exp(-one.epsilon) - one.delta - 1e-12, of
            at = one.epsilon_at(min(one.delta * (1 + 1e-9) + 1e-15, 1.0))
            assert at <= one.epsilon * UP, of
            assert "Nothing" not in one.promise
            risk = re.search(r"Of (.+) guesses at even odds .* at most (.+) with it, ", said_of(one))
            many, right = map(number, risk.groups())
            assert right / many >= one.guess(0.5) * (1 - 1e-11), of

    check()
    assert promised > 10


def test_what_is_known_to_be_wrong_promises_nothing():
    noise, audit = all_studies()["noise"], all_studies()["audit"]
    assert "gaussian_printed" not in guarantees(noise()), list(guarantees(noise()))
    assert "gaussian_classical" not in guarantees(noise(epsilon=8.0, delta=0.01))
    assert guarantees(audit(mechanism="wrong_delta")) == {}
    assert guarantees(all_studies()["policy"]()).keys() == {"laplace", "response", "both"}


def test_the_unit_is_that_of_the_series():
    decision = all_studies()["decision"](others="selection", partitions=5, epsilon=0.5)
    found = guarantees(decision)
    assert found["laplace"].relation is RECORD
    assert {found[key].relation for key in found if key.startswith("selection")} == {groups_of(5)}
    assert {found[key].epsilon for key in found} == {0.5}
    assert groups_of(1) is rows_of(1) is RECORD


def test_a_guarantee_crosses_a_process():
    for study in all_studies().values():
        for one in guarantees(study()).values():
            assert pickle.loads(pickle.dumps(one)) == one


def test_a_record_of_nobody_is_in_the_words_of_a_decision_that_never_accepts_none():
    refusing = all_studies()["decision"](zero_refused=True, minimum=5, epsilon=0.1)
    for one in guarantees(refusing).values():
        assert one.mu is None
        assert said(one.promise)[1] >= one.delta > 0.3


@pytest.mark.parametrize("study", [all_studies()["decision"](others="selection", partitions=5, epsilon=0.5),
                                   all_studies()["noise"](sensitivity=3.0, sensitivity_l2=2.0, dimension=3),
                                   all_studies()["response"](), all_studies()["budget"]()],
                         ids=lambda study: type(study).key)
def test_the_advantage_of_the_best_attacker_is_that_of_the_guarantee(study):
    """Of one who is in several groups that of all of them together, and a bound where the guarantee is one."""
    made, seen = study.answer(), 0
    for series in made.ones:
        fact, promised = made.fact(v.ADVANTAGE, series), made.guarantee(series)
        if promised is not None:
            seen += 1
            assert (fact.value, fact.kind) == (float(promised.delta_at(0.0)), promised.kind), series
            assert made.fact(v.SUCCESS, series).value == promised.guess(0.5), series
    assert seen > 1


def test_a_mu_is_that_of_the_noise_and_of_how_far_a_record_moves_what_is_released():
    kinds = all_studies()
    for study in (kinds["noise"](sensitivity=3.0, delta=1e-4), kinds["mean"](delta=1e-4), kinds["decision"]()):
        one = guarantees(study)["gaussian"]
        # A decision meets no other than whole counts, which need a little less.
        assert 0.999 <= one.delta / float(Shifted(one.mu).delta_at(one.epsilon)) <= 1 + 1e-9


def test_gaussian_noise_of_several_groups_moves_by_all_of_them_and_half_the_delta_shows_one():
    study = all_studies()["decision"](others="selection", partitions=4, epsilon=0.5, delta=1e-4)
    one, decision = guarantees(study)["selection_gaussian"], study.answer().one("selection_gaussian").decision
    for at in (0.0, 0.2, 0.5):
        noise = float(Shifted(2 * decision.mu).delta_at(at))
        assert float(one.delta_at(at)) == pytest.approx(0.5e-4 + (1 - 0.5e-4) * noise, rel=1e-9)
    assert float(one.delta_at(0.5)) == pytest.approx(1e-4, rel=1e-3), "all of δ is spent, and no more"


def test_a_shuffled_answer_is_as_safe_as_so_many_people_make_it():
    study = all_studies()["mean"](people=1000, epsilon=0.5, delta=1e-6)
    one, local = guarantees(study)["shuffled"], study.answer().one("shuffled").at_today
    for at in (0.0, 0.2, 0.5):
        assert float(one.delta_at(at)) == float(ShuffledResponse(local, 1000).delta_at(at))


def test_what_is_known_by_a_bound_is_said_to_be_one():
    kinds = all_studies()
    assert {key: one.kind for key, one in guarantees(kinds["mean"]()).items() if one.kind == "bound"}.keys() == {
        "shuffled"}
    assert {one.kind for one in guarantees(kinds["noise"]()).values()} == {"exact"}
    loose = kinds["noise"](dimension=3, sensitivity=2.0, sensitivity_l2=1.5)
    found = {key: one.kind for key, one in guarantees(loose).items()}
    assert found == {key: "bound" if loose.answer().one(key).loose else "exact" for key in found}
    assert {*found.values()} == {"bound", "exact"}, found


def test_parts_that_a_person_moves_by_one_each_are_so_many_releases_and_visits_to_all_of_them_a_claim():
    updating = all_studies()["updating"]
    found = guarantees(updating(epsilon=2.0, batches=8))
    for key, parts in (("retrain", 8), ("tree", 4)):
        once = math.tanh(2.0 / parts / 2)
        assert float(found[key].delta_at(0.0)) > 1.2 * once, "more than one part alone"
        assert float(found[key].delta_at(2.0 * (1 - 1e-6))) > 0, "no part is forgotten"
    visits = guarantees(updating(epsilon=2.0, batches=8, who="visits"))
    assert {key for key, one in visits.items() if isinstance(one.law, Claim)} >= {"retrain", "tree"}
    assert {key for key, one in found.items() if one.kind == "exact"} == {"sequential"}


def test_that_a_person_whose_arm_may_change_is_another_neighbour_and_pays_for_both_arms():
    policy = all_studies()["policy"]
    fixed, moving = (policy(symptoms=3, arm_may_change=may) for may in (False, True))
    assert (fixed.counts_of_one, moving.counts_of_one) == (3, 6)
    assert "in which arm they were counted is public" in fixed.relation.sentence
    assert "the arm in which they were counted may change" in moving.relation.sentence
    for study in (fixed, moving):
        found = guarantees(study)
        assert found["both"].relation == study.relation
        assert found["laplace"].epsilon == pytest.approx(study.counts_of_one * study.epsilon)
        assert found["laplace"].relation.sentence.endswith(study.relation.sentence.partition(";")[2])


def test_that_the_pictures_of_an_attack_are_of_the_unit_of_its_facts():
    study = all_studies()["decision"](others="selection", partitions=5, epsilon=0.5, minimum=20)
    found = study.answer()
    profile = found.table("profile", (0.0, 1.0))
    for series in found.ones:
        assert profile[Column(v.PROFILE, series)][0] == found.value(v.ADVANTAGE, series), series.key


@pytest.mark.parametrize("key", all_studies())
def test_that_what_spends_no_delta_has_its_epsilon_also_at_none(key):
    pure = [each for each in guarantees(all_studies()[key]()).values()
            if each and each.kind == "exact" and each.delta == 0 and math.isfinite(each.epsilon)]
    assert all(each.epsilon_at(0.0) == each.epsilon for each in pure)


SPENT = ("loss_exceeds", "posterior_95", "belief_most", "loss_accept", "loss_reject",
         "guarantee_epsilon", "guarantee_delta", "epsilon_at_delta", "total_epsilon", "total_delta", "asked_delta",
         "group_delta", "advantage", "success", "posterior_most", "composed_epsilon")
LEFT = ("left", "left_delta", "plan_left", "each_optimal", "local_alike", "local_by_clones", "posterior_least")


@pytest.mark.parametrize("key", all_studies())
@given(data=st.data())
@settings(max_examples=15)
def test_that_no_number_shown_tells_of_less_privacy_spent_or_of_more_left(key, data):
    study = data.draw(settings_of(all_studies()[key]))
    facts = [each for each in answer(study, simulate=False).facts
             if each.kind == "exact" and math.isfinite(each.value) and each.key in (*SPENT, *LEFT)]
    for fact in facts:
        shown, room = number(stated(fact)), abs(fact.value) * 1e-11
        assert shown >= fact.value - room if fact.key in SPENT else shown <= fact.value + room, stated(fact)
