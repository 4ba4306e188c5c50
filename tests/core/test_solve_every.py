"""One question of everything that is allowed: what each takes does it and is allowed there, in the order said."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from wants import FAST, known_wants

from dpstudio.core.solve import every
from dpstudio.core.solve.among import candidates, having, of_series
from dpstudio.core.solve.every import Offer, offered, order_told, ranked
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want
from dpstudio.studies import all_studies

STUDIES = all_studies()
DECISION, BUDGET, NOISE = STUDIES["decision"], STUDIES["budget"], STUDIES["noise"]
BAND = (Want("band_width", "<=", 500.0),)


def asked(kind, explicit, wants, names):
    answer = kind(**explicit).answer()
    among = candidates(answer, [want.quantity for want in wants], kind.level_one.series)
    return ranked(offered(kind, explicit, wants, names, among))


def keys(offers):
    return [offer.series and offer.series.key for offer in offers]


@pytest.mark.parametrize("key", [key for key in STUDIES if key not in ("policy", "watch", "posterior", "audit")])
def test_that_what_each_takes_does_it_is_allowed_there_and_stands_in_order(key):
    @settings(max_examples=4, phases=(Phase.generate,))
    @given(st.integers(0, 10**6), st.sampled_from((0.7, 1.0, 1.4)))
    def check(seed, factor):
        found = known_wants(STUDIES[key], 40, seed, **FAST.get(key, {}))
        known = next((one for one in found if not one.want.declared(one.kind).slow), None)
        want = Want(known.want.quantity, known.want.relation, known.want.value * factor)
        kind, explicit = known.kind, {**known.explicit}
        offers = asked(kind, explicit, [want], [known.name])
        (axis,) = offers[0].problem.axes
        way = axis.way * (-1 if offers[0].problem.limits else 1)
        shown = [way * offer.few[known.name] for offer in offers if offer.does]
        near = 0.02 * (known.kind.parameter(known.name).ends[0] == "more private" and way > 0)
        assert all(before <= after * (1 + near) for before, after in pairwise(shown))
        assert [offer.does for offer in offers] == sorted((offer.does for offer in offers), reverse=True)
        for offer in offers:
            own = of_series(kind, want, offer.series)
            there = solve(kind, explicit, [own], [known.name])
            assert offer.values in (there.values, *there.others)
            if not offer.does:
                continue
            answer = kind(**{**explicit, **offer.values}).answer()
            assert own.met(own.miss(own.of(answer)))
            assert offer.series is None or offer.series not in answer.choosable() or answer.allowed(offer.series)
            rounded = kind(**{**offer.problem.explicit, **offer.few}).answer()
            if want.relation != "=":
                assert own.met(own.miss(own.of(rounded))), "what is read on the button does it as well"

    check()


def test_that_whoever_is_allowed_at_what_would_be_taken_answers_though_it_is_not_at_present_and_the_other_way_round():
    """The cutoff exponential spends δ = 1 − e^−ε."""
    for epsilon, wanted, now, there in ((0.1, 1000.0, False, True), (0.005, 100.0, True, False)):
        explicit = {"epsilon": epsilon, "delta": 0.01}
        assert DECISION(**explicit).answer().allowed("cutoff") is now
        cutoff = next(each for each in DECISION.answers().series() if each.key == "cutoff")
        (offer,) = offered(DECISION, explicit, [Want("band_width", "<=", wanted)], ["epsilon"], [cutoff])
        assert offer.solution.met
        assert offer.does is there
        assert bool(offer.refused) is not there
        assert offer.study.answer().allowed("cutoff") is there


def test_that_of_several_solutions_the_first_that_is_allowed_is_taken_and_said():
    cutoff = next(each for each in DECISION.answers().series() if each.key == "cutoff")
    problem = Problem.of(DECISION, {"delta": 0.01}, [Want("band_width", "<=", 1e5, "cutoff")], ["epsilon"], {})
    solution = Solution({"epsilon": 0.5}, (), True, ({"epsilon": 0.2}, {"epsilon": 0.005}, {"epsilon": 0.001}), "0.5")
    offer = Offer.of(cutoff, problem, solution)
    assert (offer.values, offer.refused, offer.texts) == ({"epsilon": 0.005}, "", ("0.005",))
    assert offer.says.startswith("ε = 0.005. ")
    refused = Offer.of(cutoff, problem, Solution({"epsilon": 0.5}, (), True, ({"epsilon": 0.2},), "0.5"))
    assert (refused.values, refused.says) == ({"epsilon": 0.5}, "0.5")
    assert refused.refused.startswith("spends δ = ")


def test_that_equal_as_they_are_shown_the_one_declared_first_is_first():
    offers = asked(DECISION, {"minimum": 100_000, "delta": 1e-9}, BAND, ["epsilon"])
    laplace, generalized = (next(each for each in offers if each.series.key == key)
                            for key in ("laplace", "generalized"))
    assert generalized.values["epsilon"] < laplace.values["epsilon"]
    assert generalized.texts == laplace.texts == ("0.01565",)
    assert keys(offers).index("laplace") < keys(offers).index("generalized") < keys(offers).index("gaussian")
    assert keys(ranked(reversed(offers))) == keys(offers)
    assert order_told(offers[0].problem) == "the most private first"


def test_that_hardly_more_epsilon_without_any_delta_is_more_private_than_less_with_some():
    offers = {offer.series.key: offer for offer in asked(DECISION, {"delta": 1e-6}, BAND, ["epsilon"])}
    laplace, generalized = offers["laplace"], offers["generalized"]
    assert generalized.few["epsilon"] < laplace.few["epsilon"] < 1.02 * generalized.few["epsilon"]
    assert (laplace.spent, generalized.spent) == (0.0, 1e-6)
    assert keys(offers.values())[:3] == ["laplace", "generalized", "gaussian"]
    wide = asked(DECISION, {"delta": 1e-3}, BAND, ["epsilon"])
    apart = {offer.series.key: offer.few["epsilon"] for offer in wide}
    assert apart["laplace"] > 1.02 * apart["generalized"]
    assert keys(wide)[0] == "generalized"


@pytest.mark.parametrize(("more", "first"), [(1.0, "gaussian"), (1.019, "gaussian"), (1.021, "laplace")])
def test_that_who_spends_less_delta_comes_first_within_a_fiftieth_of_epsilon_whoever_is_declared_first(more, first):
    offers = {offer.series.key: offer for offer in asked(DECISION, {"delta": 1e-6}, BAND, ["epsilon"])}
    laplace = replace(offers["laplace"], spent=1e-6, few={"epsilon": 0.01})
    gaussian = replace(offers["gaussian"], spent=1e-7, few={"epsilon": 0.01 * more})
    assert keys(ranked([laplace, gaussian]))[0] == keys(ranked([gaussian, laplace]))[0] == first


@pytest.mark.parametrize(("delta", "first"), [(1e-6, "laplace"), (2e-6, "gaussian")])
def test_that_hardly_more_epsilon_is_alike_only_where_all_else_that_is_solved_for_is_the_same(delta, first):
    problem = Problem.of(DECISION, {}, [replace(BAND[0], series="laplace")], ["epsilon", "delta"], {})
    offers = {offer.series.key: replace(offer, problem=problem) for offer in asked(DECISION, {}, BAND, ["epsilon"])}
    laplace = replace(offers["laplace"], spent=0.0, few={"epsilon": 0.0101, "delta": delta})
    gaussian = replace(offers["gaussian"], spent=1e-7, few={"epsilon": 0.01, "delta": 1e-6})
    assert keys(ranked([laplace, gaussian]))[0] == keys(ranked([gaussian, laplace]))[0] == first


def test_that_what_protects_another_unit_is_refused_and_says_which():
    series = DECISION.answers().series()[0]
    promised = SimpleNamespace(relation=SimpleNamespace(unit="all rows of one person"))
    answer = SimpleNamespace(choosable=lambda: (series,), same_unit=lambda _: False, guarantee=lambda _: promised,
                             spends=lambda _: "")
    assert every._refusal(answer, series) == "protects all rows of one person"
    assert every._refusal(SimpleNamespace(choosable=lambda: ()), series) == ""


def test_that_of_a_ceiling_on_what_is_spent_whoever_lets_most_be_spent_is_first_and_the_order_is_said():
    offers = asked(BUDGET, {}, [Want("total_epsilon", "<=", 5.0)], ["epsilon"])
    found = [offer.values["epsilon"] for offer in offers]
    assert found == sorted(found, reverse=True)
    assert order_told(offers[0].problem) == "what may spend most first"
    errors = asked(NOISE, {}, [Want("noise_sd", "<=", 20.0)], ["sensitivity"])
    assert order_told(errors[0].problem) != "the most private first"


def test_that_who_is_asked_has_the_facts_and_may_be_decided_for():
    answer = DECISION().answer()
    first = [each for each in answer.chosen if each.key in ("gaussian", "cutoff")]
    assert {each.key for each in candidates(answer, ["band_width"], first)} == {"gaussian", "cutoff"}
    assert set(candidates(answer, ["band_width"], ())) == set(answer.chosen) & set(answer.choosable())
    assert candidates(answer, ["prior_below"], first) == (None,)
    assert candidates(answer, ["band_width", "prior_below"], first) == candidates(answer, ["band_width"], first)
    assert having(answer, ["prior_below"]) == having(answer, ["accepted_fraction"]) == ()
    truth = STUDIES["posterior"]().answer()
    assert set(truth.chosen) - set(truth.choosable())
    assert set(candidates(truth, ["interval_width"], ())) <= set(truth.choosable()) & set(having(
        truth, ["interval_width"])) < set(having(truth, ["interval_width"]))
    assert set(having(answer, ["band_width"])) == set(answer.chosen)
    audit = STUDIES["audit"]().answer()
    named = candidates(audit, ["audit_epsilon"], STUDIES["audit"].level_one.series)
    assert named
    assert not set(named) & set(audit.choosable())


def test_that_a_fact_of_the_question_as_a_whole_is_asked_of_nobody_beside_one_of_a_series():
    series = DECISION.answers().series()[0]
    whole, own = Want("prior_below", "<=", 0.4), Want("band_width", "<=", 500.0)
    assert of_series(DECISION, whole, series) == whole
    assert of_series(DECISION, own, series).series == series.key
