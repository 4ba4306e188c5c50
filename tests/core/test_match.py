"""Series matched to one of them: by a fact, by a point of the profile, by the guarantee; and the sentence about it."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import groups_of
from dpstudio.core.match.choice import By, Matched, Profile, SameGuarantee, choices, solvable
from dpstudio.core.match.matching import matching
from dpstudio.core.match.words import negligible, told
from dpstudio.core.solve.want import is_spent
from dpstudio.studies import all_studies
from dpstudio.studies.decision import CUTOFF, GAUSSIAN, GENERALIZED, LAPLACE, MATCHED, Decision
from dpstudio.studies.mean import RESPONSE as RANDOMIZED
from dpstudio.studies.mean import Mean
from dpstudio.studies.noise import Noise
from dpstudio.studies.response import Response
from dpstudio.studies.watch import Watch
from dpstudio.text.numbers import said

BANDS = {"epsilon": st.floats(1e-3, 2), "delta": st.floats(1e-9, 1e-2), "minimum": st.integers(50, 10**6),
         "target": st.floats(0.05, 0.95), "uncertain": st.floats(1e-3, 0.3)}
MEANS = {"epsilon": st.floats(0.02, 5), "people": st.integers(100, 10**6), "delta": st.floats(1e-9, 1e-3)}
NOISES = {"epsilon": st.floats(0.05, 5), "delta": st.floats(1e-9, 1e-3)}
QUANTITIES = {Decision: (v.BAND_WIDTH, v.ADVANTAGE, v.ASKED_EPSILON), Mean: (v.GROUP_ERROR, v.GUARANTEE_EPSILON),
              Noise: (v.NOISE_SD, v.ADVANTAGE)}
asked = st.one_of(*(st.tuples(st.just(kind), st.fixed_dictionaries(drawn)) for kind, drawn in (
    (Decision, BANDS), (Mean, MEANS), (Noise, NOISES))))


def fact(kind, explicit, epsilon, matched: Matched, by):
    return by.fact(kind(**{**explicit, "epsilon": epsilon}).answer(), matched.series.key)


def no_worse(one, wanted, *, less):
    return one.value <= wanted if less else one.value >= wanted


def check_compared(explicit, found, one, name):
    """Who is in the list keeps its ε and the study's δ for the reference's neighbours; who is not, says its δ."""
    study = one.study.replace(epsilon=float(said(one.said)))
    own = found.reference.study.answer().guarantee(found.reference.series)
    promised = study.answer().guarantee(one.series)
    if isinstance(found.by, Profile):
        return
    if promised is None:
        assert f"{name} would need ε = {one.said}, and promises nothing." in found.says
        return
    assert own is None or promised.relation == own.relation
    after = re.search(rf"{re.escape(name)} would need ε = \S+ and δ = (\S+?)\.(?: |$)", found.says)
    kept = promised.keeps(promised.epsilon, explicit.get("delta", study.delta))
    assert kept != bool(after), found.says
    if after:
        assert promised.delta <= float(said(after[1])) <= 1.011 * promised.delta


def check(kind, explicit, found):
    """What the sentence claims, recomputed: every number put back does it, and a little less of it does not."""
    by, wanted = found.by, found.reference.fact
    less = is_spent(wanted) or wanted.quantity in (v.BAND_WIDTH, v.GROUP_ERROR, v.NOISE_SD)
    needs = -1 if is_spent(wanted) else 1
    for one in found.others:
        name = f"“{one.series.label}”" if "," in one.series.label else one.series.label
        if one.everywhere:
            assert re.search(rf"{re.escape(name)}.* as (good|private) at every ε\.", found.says)
            for epsilon in (1e-4, 0.01, 1.0, 20.0):
                assert no_worse(fact(kind, explicit, epsilon, one, by), wanted.value, less=less)
        elif one.met:
            assert re.search(rf"{re.escape(name)} (needs ε = |may have ε = |would need ε = )?{re.escape(one.said)}",
                             found.says)
            check_compared(explicit, found, one, name)
            stated = float(said(one.said))
            assert no_worse(fact(kind, explicit, stated, one, by), wanted.value, less=less)
            assert no_worse(one.fact, wanted.value, less=less)
            assert one.fact == fact(kind, explicit, one.values["epsilon"], one, by)
            assert stated == pytest.approx(one.values["epsilon"], rel=0.011)
            beyond = one.values["epsilon"] * (1 - needs * 1e-6)
            if kind.parameter("epsilon").domain.accept(beyond) is not None:
                assert not no_worse(fact(kind, explicit, beyond, one, by), wanted.value, less=less)
        elif one.flat:
            assert f"{name} has " in found.says
            assert len({fact(kind, explicit, epsilon, one, by).value for epsilon in (1e-4, 0.3, 20.0)}) == 1
        elif one.fact is None:
            assert f"{name} has none" in found.says
        else:
            assert f"{name} does not reach it" in found.says
            assert not any(no_worse(fact(kind, explicit, epsilon, one, by), wanted.value, less=less)
                           for epsilon in (1e-4, 0.01, 0.3, 2.0, 20.0))


@settings(max_examples=6, phases=(Phase.generate,))
@given(asked, st.data())
def test_that_numbers_of_the_sentence_put_back_are_as_good_and_no_less_is(question, data):
    kind, explicit = question
    series = data.draw(st.sampled_from([one for one in kind().answer().chosen if one not in (CUTOFF, MATCHED)]))
    point = data.draw(st.floats(0.1, 0.9)) * explicit["epsilon"]
    by = data.draw(st.sampled_from([*map(By, QUANTITIES[kind]), *([Profile(point)] if kind is not Mean else [])]))
    check(kind, explicit, matching(kind, explicit, series.key, by, "epsilon"))


def test_that_the_sentence_says_what_the_same_outcome_needs():
    found = matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon")
    assert found.says == (
        "For the same unrounded uncertain band of 78.24 records Laplace needs ε = 0.1, Generalized 0.1 and Gaussian "
        "0.228. Cutoff exponential would need ε = 0.0588 and δ = 0.0572. Generalized at cutoff’s δ would need ε = "
        "0.0102 and δ = 0.0102.")
    assert found.reference.values == {"epsilon": 0.1}
    assert [one.series for one in found.all] == [LAPLACE, GENERALIZED, GAUSSIAN, CUTOFF, MATCHED], "who may, first"
    assert [one.spends for one in found.all] == ["", "", "", "spends δ = 0.0571", "spends δ = 0.0102"]


def test_that_a_reference_of_another_delta_is_named_with_what_it_spends():
    says = matching(Decision, {}, "cutoff", By(v.BAND_WIDTH), "epsilon").says
    assert says.startswith("For the same unrounded uncertain band of 45.95 records, which Cutoff exponential has at ε "
                           "= 0.1 and δ = 0.0952, Laplace needs ε = 0.171, Generalized 0.171 and Gaussian 0.403. "
                           "Generalized at")


def test_that_who_protects_another_unit_is_not_compared():
    reference, _, _, cutoff, _ = matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "epsilon").all
    answer = cutoff.study.answer()
    other = replace(answer.guarantee(CUTOFF), relation=groups_of(5))

    class Other(Matched):
        def guarantee(self):
            return other

    moved = Other(cutoff.series, cutoff.study, cutoff.values, cutoff.fact, cutoff.said)
    says = told(By(v.BAND_WIDTH), reference, [moved], Decision.parameter("epsilon"), moves=True)
    assert says == ("For the same unrounded uncertain band of 78.24 records Laplace has ε = 0.1. Cutoff exponential "
                    "protects one person in 5 groups at most, and is not compared.")


def test_that_where_a_parameter_makes_less_noise_errors_are_not_taken_for_worse():
    noise = all_studies()["noise"]
    found = matching(noise, {}, "laplace", By(v.NOISE_SD), "sensitivity")
    for one in (one for one in found.others if one.met):
        assert one.fact.value == pytest.approx(found.reference.fact.value, rel=1e-9), one.series
    people = matching(Mean, {"delta": 1e-6}, "shuffled", By(v.GUARANTEE_EPSILON), "people")
    assert all(one.fact.value <= people.reference.fact.value for one in people.others if one.met)


def test_that_what_privacy_limits_may_be_had_and_is_never_exceeded():
    found = matching(Decision, {}, "laplace", By(v.ADVANTAGE), "epsilon")
    assert found.says.startswith("For the same attacker’s advantage of 0.04759 Laplace may have ε = 0.1, Generalized ")
    assert all(one.fact.value <= found.reference.fact.value for one in found.others)
    found = matching(Mean, {}, "laplace", By(v.GUARANTEE_EPSILON), "epsilon")
    assert found.says.endswith(" Curator: Laplace may have ε = 1, Randomized response 1, Curator: discrete "
                               "Laplace 1, Curator: Gaussian 1 and Shuffled response 1.")


def test_that_which_way_is_better_is_known_at_the_end_of_a_range_and_a_spent_epsilon_is_a_limit_anywhere():
    says = matching(Decision, {"epsilon": 20}, "laplace", By(v.BAND_WIDTH), "epsilon").says
    assert " records Laplace needs ε = 20 and Generalized 20. Cutoff exponential would need " in says
    says = matching(all_studies()["budget"], {}, "basic", By(v.TOTAL_EPSILON), "epsilon").says
    assert says.startswith("For the same total ε of at most 10 Basic may have ε = 0.1, Advanced 0.146, ")


def test_that_what_holds_everywhere_never_or_nowhere_is_said_as_such():
    found = {one.series: one for one in matching(Decision, {}, "laplace", By(v.ACCEPTANCE), "epsilon").others}
    assert (found[CUTOFF].everywhere, found[CUTOFF].study) == (True, Decision())
    says = matching(Decision, {}, "cutoff", By(v.FALSE_REJECT), "epsilon").says
    assert "Generalized at cutoff’s δ is as good at every ε." in says
    assert re.search(r"Laplace does not reach it: nearest is 0\.00495 at ε = (20|19\.\d);", says)
    says = matching(Decision, {"delta": 0}, "laplace", By(v.BAND_WIDTH), "epsilon").says
    assert says.endswith("Gaussian has none.")
    says = matching(Decision, {}, "cutoff", By(v.ACCEPTANCE_AT_MINIMUM), "epsilon").says
    assert "Laplace has 0.5 whatever ε is" in says


def test_that_another_parameter_can_be_solved_for_and_what_follows_it_follows():
    found = matching(Mean, {"epsilon": 1.0}, "laplace", By(v.POPULATION_ERROR), "people")
    [one] = [one for one in found.others if one.series == RANDOMIZED]
    assert one.study.epsilon == 1.0
    assert one.study.answer().value(v.POPULATION_ERROR, RANDOMIZED) <= found.reference.fact.value
    assert one.study.replace(people=one.study.people - 1).answer().value(
        v.POPULATION_ERROR, RANDOMIZED) > found.reference.fact.value
    found = matching(Decision, {"records": 1020}, "laplace", By(v.ACCEPTANCE), "minimum")
    [gaussian] = [one for one in found.others if one.series == GAUSSIAN]
    assert gaussian.study.prior_centre == gaussian.study.minimum != 1000


def test_that_what_every_value_answers_names_none_of_them():
    """Every threshold is set for the same false alarm: of a few more or less counts, not of a minimum of one."""
    found = matching(Watch, {}, "above", By(v.FALSE_ALARM), "minimum")
    assert found.says == ("AboveThreshold has false alarm 0.05, for any m near 500. “AboveThreshold, exp.”, “New "
                          "decision, ε/k”, “New decision, optimal” and Binary tree are as good at any m near 500.")
    assert all(one.everywhere and one.nearby and not one.moved for one in found.others)
    for minimum in (250, 1000):
        a = Watch(minimum=minimum).answer()
        assert all(abs(by.value / 0.05 - 1) < 1e-9 for one in found.all
                   if (by := a.fact(v.FALSE_ALARM, one.series)) is not None)
    assert Watch(minimum=1).answer().value(v.FALSE_ALARM, found.reference.series) == 0
    found = matching(Watch, {}, "above", By(v.FALSE_ALARM), "epsilon")
    assert found.says.startswith("AboveThreshold has false alarm 0.05, whatever ε is. ")
    assert found.says.endswith(" as good at every ε.")


def test_that_a_series_at_anothers_guarantee_has_its_epsilon_and_delta_and_no_more():
    found = matching(Decision, {"epsilon": 0.1}, "cutoff", SameGuarantee(), "epsilon")
    by = {one.series: one for one in found.others}
    delta = -math.expm1(-0.1)
    assert by[GENERALIZED].met
    assert by[GENERALIZED].values == {"epsilon": 0.1, "delta": pytest.approx(delta, rel=1e-15)}
    for one in found.others:
        spent = [one.study.answer().value(each, one.series) for each in (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA)]
        assert spent[0] <= 0.1
        assert spent[1] <= delta * (1 + 1e-12)
    assert re.match(r"With ε = 0\.1 and δ = 0\.09517, as of Cutoff exponential, [\w ]+: [\d.]+ of Cutoff exponential, "
                    r"[\d.]+ of Laplace, ", found.says)
    none = {one.series: one.met for one in matching(Decision, {}, "laplace", SameGuarantee(), "epsilon").others}
    assert none == {CUTOFF: False, GENERALIZED: True, GAUSSIAN: False, MATCHED: False}
    found = matching(Decision, {"epsilon": 1.0}, "cutoff", SameGuarantee(), "epsilon")
    capped = {one.series: one for one in found.others}
    assert (capped[GENERALIZED].met, capped[GENERALIZED].values["delta"], capped[LAPLACE].met) == (False, 0.5, True)


@pytest.mark.parametrize("kind", all_studies().values(), ids=lambda kind: kind.key)
def test_that_what_may_be_matched_by_its_guarantee_is_and_promises_what_is_said(kind):
    """Of every study that offers it, each series set to its own ε and δ: who is named keeps both."""
    study = kind()
    for series in study.answer().chosen:
        if SameGuarantee() in choices(study, series.key):
            found = matching(kind, {}, series.key, SameGuarantee(), "epsilon")
            wanted = study.answer().guarantee(series)
            assert found.says.startswith(f"With ε = {v.amount(wanted.epsilon, v.EPSILON, side='up')} and δ = ")
            for one in found.all:
                promised = one.study.answer().guarantee(one.series)
                kept = promised is not None and promised.keeps(wanted.epsilon, wanted.delta)
                assert one.met == (kept and promised.relation == wanted.relation)
                assert one.met or f"{one.series.label} has " in found.says.replace("”", "")


def test_that_the_epsilon_of_one_of_many_releases_is_matched_by_no_guarantee():
    study = all_studies()["budget"]()
    assert not any(SameGuarantee() in choices(study, series.key) for series in study.answer().chosen)


def test_that_the_point_of_a_profile_is_kept():
    found = matching(Decision, {}, "laplace", Profile(0.05), "epsilon")
    assert found.says.startswith("For the same δ at ε′ = 0.05 of 0.02439 Laplace may have ε = 0.1, ")
    for one in found.others:
        assert one.study.answer().one(one.series).delta_at(0.05) <= found.reference.fact.value


def test_that_a_reference_that_a_parameter_does_not_move_needs_none_of_it():
    policy = all_studies()["policy"]
    says = matching(policy, {}, "open", By(v.POLICY_UTILITY), "epsilon").says
    assert "which No privacy has whatever ε is, Private counts needs ε = " in says


def test_that_what_there_is_not_is_refused_with_what_there_is():
    with pytest.raises(InvalidParameter, match="series must be one of laplace"):
        matching(Decision, {}, "nobody", By(v.BAND_WIDTH), "epsilon")
    with pytest.raises(InvalidParameter, match="parameter must be one of minimum"):
        matching(Decision, {}, "laplace", By(v.BAND_WIDTH), "prior")
    with pytest.raises(InvalidParameter, match="something that Gaussian has as a finite number"):
        matching(Decision, {"delta": 0}, "gaussian", By(v.BAND_WIDTH), "epsilon")


def test_that_choices_are_exact_facts_that_several_have_then_the_guarantee_and_the_profile():
    found = choices(Decision(), "laplace")
    assert found[-2:] == (SameGuarantee(), Profile(0.05))
    quantities = [by.quantity for by in found[:-2]]
    assert v.BAND_WIDTH in quantities
    assert not {v.FRACTION, v.HALF_MET, v.SLACK, v.PRIOR_MASS} & set(quantities)
    assert v.POSTERIOR_MOST not in [by.quantity for by in choices(Response(), "response") if isinstance(by, By)]
    assert next(one.name for one in solvable(Response())) == "theta1"
    assert [one.name for one in solvable(Decision())][:2] == ["epsilon", "delta"]


@pytest.mark.parametrize("epsilon", [0.1, 5.0])
def test_that_an_outcome_of_0_is_matched_by_nobody(epsilon):
    """The centre of the prior is a hundred m away: no double is as small as the error."""
    explicit = {"epsilon": epsilon, "minimum": 1000, "prior_centre": 1e5, "prior_width": 10.0}
    assert Decision(**explicit).answer().fact(v.OVERALL_ERROR, LAPLACE).value < 1e-300
    says = matching(Decision, explicit, "laplace", By(v.OVERALL_ERROR), "epsilon").says
    assert says == "Pr[wrong] overall of Laplace is 0, or too small for any number: what has the same cannot be told."
    answer = Decision(**explicit).answer()
    for _ in answer.tabled["frontier_overall_error"].slow(answer):
        pass
    told = Decision.figure("frontier_overall_error").told(answer)
    assert told.startswith(f"{says} Ahead: ")
    assert "needs ε" not in told


def test_that_next_to_no_delta_is_not_a_number():
    reference, *others = matching(Decision, {}, "laplace", By(v.ADVANTAGE), "delta").all
    few = [replace(one, values={"delta": 1e-100}, said="1e-100", met=True, everywhere=False) for one in others[-1:]]
    says = told(By(v.ADVANTAGE), reference, few, Decision.parameter("delta"), moves=False)
    assert "1e-100" not in says
    assert says.endswith("Generalized at cutoff’s δ may have next to no δ: less than 1e-30.")
    assert not negligible(few[0], Decision.parameter("epsilon"))
