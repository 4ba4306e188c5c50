"""The plan study: wants are met by draws, totals and splits are those of programmes and sums of our own."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code import written
from dpstudio.documents.code.composed import composed
from dpstudio.mechanisms.laws import Shifted
from dpstudio.mechanisms.mixed import Mixed
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise
from dpstudio.models.plan import PlannedNumber, split
from dpstudio.models.plan.shapes import AskedOfBudget, shape
from dpstudio.models.plan.unlike import Before, together
from dpstudio.studies.plan import GAUSSIAN, MIXED, PURE, Plan, compared
from dpstudio.studies.plan.compared import FEW

exact = exact_of(Plan)
SUMS = ";".join(f"sum within={t} moves=1" for t in (30, 30, 30, 100, 10))
DRAWS = 400_000


def test_that_five_counts_have_the_reference_total_and_an_even_split_misses_one_want():
    of_sums, of_counts = exact(releases=SUMS), exact()
    assert value(of_sums, v.TOTAL_EPSILON, PURE) == pytest.approx(0.6291037774463379, rel=1e-12)
    assert value(of_sums, v.EVEN_OVER_WANT, PURE) == pytest.approx(2.380952380952381, rel=1e-12)
    assert value(of_counts, v.TOTAL_EPSILON, PURE) == pytest.approx(0.6086994080177239, rel=1e-12)
    assert value(of_counts, v.EVEN_OVER_WANT, PURE) == 2.5
    assert value(of_counts, v.MU, GAUSSIAN) == pytest.approx(0.22716425076287364, rel=1e-12)


def test_that_the_delta_of_counts_is_that_of_all_outcomes_of_their_worst_pair():
    one = exact().answer.one(PURE)
    p = [[1 / (1 + math.exp(-e)), 1 / (1 + math.exp(e))] for e in one.strengths]
    for epsilon in (0.0, 0.1, 0.4, 0.6, 0.608):
        found = 0.0
        for outcome in itertools.product((0, 1), repeat=5):
            there = math.prod(p[i][k] for i, k in enumerate(outcome))
            away = math.prod(p[i][1 - k] for i, k in enumerate(outcome))
            found += max(there - math.exp(epsilon) * away, 0)
        assert one.delta_at(epsilon) == pytest.approx(found, rel=1e-9, abs=1e-15)


def geometric(rng, epsilon, size):
    return rng.geometric(-math.expm1(-epsilon), size) - rng.geometric(-math.expm1(-epsilon), size)


def test_that_every_want_is_met_by_draws_and_not_by_much():
    text = ("count within=7;sum within=9 moves=2;mean within=0.5 upper=20 people=60;table within=12 groups=6 most=2;"
            "decision within=6;response within=3 people=1500")
    for series in (PURE, GAUSSIAN):
        one, rng = exact(releases=text, budget=30.0).answer.one(series), np.random.default_rng(7)
        bell = series == GAUSSIAN
        e = dict(zip(("count", "sum", "mean", "table", "decision", "response"), one.strengths, strict=True))
        off = {
            "count": rng.normal(0, 1 / e["count"], DRAWS) if bell else geometric(rng, e["count"], DRAWS),
            "sum": rng.normal(0, 2 / e["sum"], DRAWS) if bell else rng.laplace(0, 2 / e["sum"], DRAWS),
            "mean": rng.normal(0, 20 / 60 / e["mean"], DRAWS) if bell else rng.laplace(0, 20 / 60 / e["mean"], DRAWS),
            "table": np.abs(rng.normal(0, math.sqrt(2) / e["table"], (DRAWS, 6)) if bell else geometric(
                rng, e["table"] / 2, (DRAWS, 6))).max(axis=1)}
        for kind, within in (("count", 7), ("sum", 9), ("mean", 0.5), ("table", 12)):
            share = (np.abs(off[kind]) <= within * (1 + 1e-12)).mean()
            assert 0.95 - 0.0015 < share < (0.962 if kind in ("count", "table") else 0.9515), kind
        assert one.noises[4] == ("gaussian" if bell else "laplace")  # which costs less than whole numbers here
        noise = rng.normal(0, 1 / e["decision"], DRAWS) if bell else rng.laplace(0, 1 / e["decision"], DRAWS)
        assert (noise + 6 >= 0).mean() == pytest.approx(0.95, abs=0.0015)
        assert (noise - 6 < 0).mean() == pytest.approx(0.95, abs=0.0015)
        epsilon = e["response"] if not bell else math.log(ndtr(e["response"] / 2) / ndtr(-e["response"] / 2))
        truth = 1 / (1 + math.exp(-epsilon))
        yes = rng.binomial(700, truth, DRAWS) + rng.binomial(800, 1 - truth, DRAWS)
        estimate = (yes / 1500 - (1 - truth)) / (2 * truth - 1)
        assert (np.abs(estimate - 700 / 1500) <= 0.03).mean() == pytest.approx(0.95, abs=0.006)


def test_that_the_right_one_is_named_as_often_as_is_wanted_and_no_oftener():
    one = exact(releases="selection gap=8 candidates=3 right=0.9", budget=9.0).answer.one(PURE)
    rate, found = float(one.strengths[0]), 0.0
    for order in itertools.permutations(range(3)):  # the first of three is ahead by 8
        silent = 1.0
        for i in order:
            chance = 1.0 if i == 0 else math.exp(-8 * rate)
            found += silent * chance / 6 * (i == 0)
            silent *= 1 - chance
    assert found == pytest.approx(0.9, rel=1e-10)


@pytest.mark.parametrize("aim", ["variance", "absolute"])
@pytest.mark.parametrize("gaussian", [False, True])
@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("groups", [("", "", ""), ("", "1", "2", "2"), ("1", "2", "3"), ("", "1", "2", "3", "3")])
def test_that_no_other_split_of_a_total_has_a_smaller_sum_of_errors(aim, gaussian, moving, groups):
    rng = np.random.default_rng(len(groups) * 8 + gaussian * 2 + moving)
    asked = [AskedOfBudget(w, d, int(k), group) for w, d, k, group in zip(
        rng.uniform(0.2, 5, len(groups)), rng.uniform(0.5, 4, len(groups)), rng.integers(1, 4, len(groups)), groups,
        strict=True)]
    k = np.array([one.times for one in asked], dtype=float)
    w, d = (np.array([getattr(one, name) for one in asked]) for name in ("weight", "moves"))

    def parts(x):
        sums = {}
        for i, one in enumerate(asked):
            sums[one.group] = sums.get(one.group, 0.0) + k[i] * x[i]
        return sums

    def total(x):
        sums = parts(x)
        everybody = sums.pop("", 0.0)
        return everybody + sum(sorted(sums.values())[-(2 if moving else 1):])

    def loss(x):  # x is ε, or μ²
        strength = np.sqrt(x) if gaussian else x
        return float(k @ (w * (d / strength) ** (2 if aim == "variance" else 1)))

    own = shape(asked, aim, gaussian=gaussian, moving=moving) ** (2 if gaussian else 1)
    own = own / total(own)
    best = loss(own)
    for _ in range(3):
        found = minimize(lambda log: math.log(loss(np.exp(log)) * total(np.exp(log)) ** (
            {("variance", False): 2, ("absolute", True): 0.5}.get((aim, gaussian), 1))),
            np.log(own) + rng.normal(0, 0.3, len(own)), method="Nelder-Mead",
            options={"maxiter": 6000, "xatol": 1e-9, "fatol": 1e-12, "maxfev": 12000})
        assert best <= math.exp(found.fun) * (1 + 1e-6)


def mean_errors(goal, noises, moves, strengths):
    """What is summed, of noise as it is."""
    for noise, d, e in zip(noises, moves, strengths, strict=True):
        made = GeometricNoise(float(e), int(d)) if noise == "geometric" else LaplaceNoise(float(d / e))
        yield made.sd**2 if goal == "variance" else made.mean_error


@pytest.mark.parametrize("goal", ["variance", "absolute"])
@pytest.mark.parametrize("budget", [0.1, 1.5, 12.0])
def test_that_whole_noise_is_split_for_the_least_sum_of_its_own_errors(goal, budget):
    weights = np.array([1.0, 3.0, 0.2])
    text = ";".join(f"table within=9 groups=20 most={most} weight={w}"
                    for w, most in zip(weights, (1, 2, 5), strict=True))
    one = exact(releases=text, goal=goal, budget=budget, budget_delta=0.0).answer.one(PURE)
    assert one.noises == ("geometric",) * 3
    assert one.strengths == pytest.approx(split(weights, [1, 2, 5], budget, goal, "geometric"), rel=1e-9)
    times, moves = np.array([3, 1, 2, 4]), np.array([1, 1, 4, 1.5])
    weights = np.array([1.0, 3.0, 0.2, 1.0])
    one = exact(releases="count within=9 times=3;count within=5 weight=3;table within=9 groups=20 most=4 weight=0.2 "
                         "times=2;sum within=5 moves=1.5 times=4", goal=goal, budget=budget, budget_delta=0.0
                ).answer.one(PURE)
    assert one.noises == ("geometric",) * 3 + ("laplace",)
    assert times @ one.strengths == pytest.approx(budget, rel=1e-9)

    def loss(strengths):
        return float(times * weights @ list(mean_errors(goal, one.noises, moves, strengths)))

    for i, j in itertools.permutations(range(4), 2):  # a little from one to another is worse
        moved = one.strengths.copy()
        moved[i] *= 1 - 1e-3
        moved[j] += one.strengths[i] * 1e-3 * times[i] / times[j]
        assert loss(moved) > loss(one.strengths)


@pytest.mark.parametrize("goal", ["worst", "variance", "absolute"])
@pytest.mark.parametrize("text", ["count within=20;sum within=30 moves=2 weight=4",
                                  SUMS.replace("moves=1", "moves=1 times=9"),
                                  "a: count within=5 group=1;b: count within=9 group=2;c: sum within=9 moves=2",
                                  "spent epsilon=0.2 delta=1e-9;count within=20;selection gap=30"])
def test_that_a_split_spends_the_whole_budget_and_no_more(goal, text):
    found = exact(releases=text, goal=goal, budget=1.5)
    for series in (PURE, GAUSSIAN):
        one, least = found.answer.one(series), value(found, v.LEAST_TOTAL, series)
        assert one.delta_at(1.5 * (1 + 1e-12)) <= 1e-6 * (1 + 1e-9)
        few = series == PURE and sum(each.times for each in one.releases) <= FEW
        assert 1.5 * (1 - (4e-3 if few else 1e-6)) <= least <= 1.5 * (1 + 1e-9)
    if goal == "worst":
        ratios = found.answer.one(GAUSSIAN).ratios
        assert ratios == pytest.approx(np.full(len(ratios), ratios[0]), rel=1e-6)


@pytest.mark.parametrize(("text", "values"), [
    (";".join(["count within=30"] * 12), {"budget_delta": 1e-3}), (";".join(["count within=30"] * 12), {"budget": 5.0}),
    ("sum within=30 moves=1;sum within=20 moves=1", {"budget_delta": 1e-3}),
    ("spent epsilon=0.2 delta=1e-9;count within=20;selection gap=30", {"budget_delta": 1e-3}),
    ("a: count within=10 group=1;b: count within=20 group=2", {"budget_delta": 0.02, "change": "move"}),
    ("spent epsilon=1.5;count within=20", {"budget_delta": 0.4})])
@pytest.mark.parametrize("goal", ["worst", "variance"])
def test_that_of_few_releases_too_the_delta_of_the_budget_is_spent(text, values, goal):
    given = {"budget": 1.0} | values
    found = exact(releases=text, goal=goal, **given)
    one, least = found.answer.one(PURE), value(found, v.LEAST_TOTAL, PURE)
    assert given["budget"] * (1 - 4e-3) <= least <= given["budget"] * (1 + 1e-9)
    assert one.delta_at(given["budget"] * (1 + 1e-12)) <= found.answer.study.budget_delta * (1 + 1e-9)


def test_that_twelve_counts_have_more_than_a_twelfth_of_the_budget_where_its_delta_is_large():
    one = exact(releases=";".join(["count within=30"] * 12), goal="worst", budget_delta=1e-3).answer.one(PURE)
    assert one.strengths == pytest.approx(np.full(12, 0.1176573813), rel=1e-6)
    both = [exact(releases="count within=30;" * 10 + "count within=30", budget=1.5, budget_delta=delta).answer.one(PURE)
            for delta in (1e-9, 1e-3)]
    assert both[1].left < both[0].left  # and what is left of the budget is more


def test_that_unlike_counts_are_never_said_to_cost_more_than_the_sum_of_their_epsilons():
    one = exact(releases=";".join(f"count within={20 + i}" for i in range(12)), goal="worst").answer.one(PURE)
    assert one.kind == "bound"
    assert one.least <= one.pure * (1 + 1e-12) <= 1 + 1e-9


def test_that_a_count_of_what_is_left_needs_no_more_than_the_budget():
    for budget, delta in ((1.2, 1e-6), (0.3, 1e-9), (8.0, 1e-3)):
        one = exact(releases="count within=200;sum within=90 moves=1", budget=budget, budget_delta=delta).answer.one(
            GAUSSIAN)
        more = PlannedNumber(one.left).cost("gaussian")
        assert Shifted(math.hypot(one.mu, more)).delta_at(budget) <= delta * (1 + 1e-11)


def test_that_wants_are_met_at_any_precision_with_whole_noise_as_at_1():
    found = exact(releases="a: count within=5", precision=2.0)
    one = found.answer.one(PURE)
    assert value(found, v.TOTAL_EPSILON, PURE) == pytest.approx(1.1368756106042865, rel=1e-12)  # within 2, not 2.5
    assert one.ratios.tolist() == [0.4]
    assert one.as_exact(2.0) == exact(releases="a: count within=5").answer.one(PURE).as_exact(2.0) == one.least
    assert value(found, v.WANTS_MET, PURE) == 1
    for precision in np.geomspace(0.05, 20, 41):
        one = exact(releases="count within=7.5;decision within=6;table within=9 groups=4 most=2", budget=1e3,
                    precision=float(precision)).answer.one(PURE)
        assert (one.ratios * precision <= 1 + 1e-9).all()


def test_that_the_noise_that_costs_less_is_chosen_at_each_precision():
    for text, precision, noise in (("decision within=5", 20.0, "laplace"), ("count within=5", 5.5, "laplace"),
                                   ("count within=5", 100.0, "geometric"), ("count within=5", 1.0, "geometric")):
        one = exact(releases=text, precision=precision).answer.one(PURE)
        assert one.noises == (noise,)
        assert one.least <= one.releases[0].cost("laplace", 1 / precision) * (1 + 1e-12)
        assert one.least == exact(releases=text).answer.one(PURE).as_exact(precision)


def test_that_years_are_times_and_groups_cost_as_much_as_the_dearest():
    often = ";".join(f"count within={t} times=3" for t in (30, 30, 30, 100, 10))
    assert value(exact(years=3), v.LEAST_TOTAL, PURE) == value(exact(releases=often), v.LEAST_TOTAL, PURE)
    apart = "a: sum within=10 moves=1 group=1;b: sum within=20 moves=1 group=2;c: sum within=40 moves=1"
    both = {change: value(exact(releases=apart, change=change), v.TOTAL_EPSILON, PURE)
            for change in ("add_or_remove", "move")}
    one = math.log(20)
    assert both == pytest.approx({"add_or_remove": one / 10 + one / 40, "move": one / 10 + one / 20 + one / 40})
    for _ in range(2):
        years = int(value(exact(budget=3.0), v.MOST_YEARS, GAUSSIAN))
        assert value(exact(budget=3.0, years=years), v.LEAST_TOTAL, GAUSSIAN) <= 3 < value(
            exact(budget=3.0, years=years + 1), v.LEAST_TOTAL, GAUSSIAN)


def test_that_of_tables_in_two_groups_whoever_moves_costs_no_more_than_in_one():
    both = exact(releases="a: table within=5 groups=2 group=1;b: table within=5 groups=2 group=2", change="move")
    one = exact(releases="a: table within=5 groups=2 group=1", change="move")
    for quantity, series in ((v.TOTAL_EPSILON, PURE), (v.LEAST_TOTAL, PURE), (v.LEAST_TOTAL, GAUSSIAN),
                             (v.MU, GAUSSIAN)):
        assert value(both, quantity, series) == pytest.approx(value(one, quantity, series), rel=1e-12)
    assert value(both, v.TOTAL_EPSILON, PURE) == pytest.approx(1.3174020075782118, rel=1e-12)
    assert value(both, v.MU, GAUSSIAN) == pytest.approx(0.6325711205328602, rel=1e-12)
    assert both.fact(v.LEAST_TOTAL, PURE).kind == "exact"
    company = exact(releases="a: table within=5 groups=2 group=1;b: count within=9 group=1", change="move")
    assert company.fact(v.LEAST_TOTAL, PURE).kind == "bound"
    for goal in ("variance", "absolute"):  # the two are not split as if both counted
        spent = exact(releases="a: table within=5 groups=2 group=1;b: table within=9 groups=2 group=2", change="move",
                      goal=goal).answer.one(PURE)
        assert spent.strengths == pytest.approx([1.0, 1.0], rel=1e-9)


def test_that_errors_are_as_sure_as_the_least_sure_of_them():
    for text, kind in (("a: response within=3 people=30", "estimate"), ("count within=3", "exact"),
                       ("count within=3;response within=3 people=30", "estimate")):
        found = exact(releases=text)
        for quantity in (v.WANTS_MET, v.WORST_OVER_WANT, v.EVEN_OVER_WANT):
            fact = found.fact(quantity, PURE)
            assert fact.kind == kind
            if kind == "estimate":
                assert fact.low <= fact.value <= fact.high
                assert fact.low < fact.high
        assert found.fact(v.LEAST_TOTAL, PURE).kind == "exact"


def test_that_the_better_for_each_is_there_only_where_it_is_better_than_either():
    assert exact().answer.one(MIXED) is None
    found = exact(releases="visitors: count within=3;diaries: table within=150 groups=400 most=20", budget=2.0)
    assert found.answer.one(MIXED).noises == ("geometric", "gaussian")
    least = {series: value(found, v.LEAST_TOTAL, series) for series in (PURE, GAUSSIAN, MIXED)}
    assert least[MIXED] < 0.7 * min(least[PURE], least[GAUSSIAN])
    assert found.answer.suggested == MIXED


@pytest.mark.parametrize("most", [1, 2, 3, 4, 6, 20])
@pytest.mark.parametrize("before", ["", ";laplace: spent epsilon=0.3"])
def test_that_the_better_for_each_is_the_same_whether_or_not_its_least_is_looked_for(most, before, monkeypatch):
    table = f"table within=150 groups=400 most={most}"
    study = Plan(releases=f"a: count within=3;b: {table};c: sum within=9 moves=1{before}")
    told = study.answer().one(MIXED)
    monkeypatch.setattr(compared, "is_more_than_enough", lambda *_: None)
    looked_for = compared.mixed(study)
    assert (told is None) == (looked_for is None)
    if looked_for is not None:
        least = [each.least for each in (compared.pure(study), compared.gaussian(study), looked_for)]
        assert least[2] < min(least[:2]) * (1 - 1e-3)
        assert told.least == least[2]


@pytest.mark.parametrize("series", [PURE, GAUSSIAN])
def test_that_one_more_count_fits_and_a_nearer_one_does_not(series):
    found = exact(releases="count within=30;sum within=20 moves=1", budget=1.2)
    within = value(found, v.LEFT_WITHIN, series)
    kind = "count" if series == PURE else "sum"
    for near, fits in ((within * (1 + 1e-6) if series == GAUSSIAN else within, True), (within * 0.998 - (
            series == PURE), False)):
        more = exact(releases=f"count within=30;sum within=20 moves=1;{kind} within={near!r}" + (
            " moves=1" if kind == "sum" else ""), budget=1.2)
        assert (value(more, v.LEAST_TOTAL, series) <= 1.2 * (1 + 1e-9)) == fits


def test_that_too_many_releases_have_a_bound_that_holds():
    few = [Mixed((), responses=(0.1,) * 40)]
    releases = [PlannedNumber(30.0 + i, times=60) for i in range(12)]
    strengths = [each.cost("geometric") for each in releases]
    law, kind = together(releases, ["geometric"] * 12, strengths)
    assert kind == "bound"
    known, exactly = together(releases[:6], ["geometric"] * 6, strengths[:6])
    assert exactly == "exact"
    assert float(law.delta_at(0.5)) >= float(known.delta_at(0.5))
    assert few[0].epsilon_at(1e-6) <= 4
    alike, same = together([PlannedNumber(30.0, times=9000)], ["geometric"], [0.01])
    assert same == "exact"
    assert alike.epsilon_at(1e-6) < 90


def test_that_what_was_released_before_is_in_the_law_with_its_delta():
    law, kind = together([], [], [], before=Before((0.5,), 1e-3))
    assert kind == "bound"
    assert law.delta_at(0.5) == pytest.approx(1e-3)
    assert value(exact(releases="spent epsilon=0.5 delta=1e-3", budget_delta=0.1), v.TOTAL_EPSILON, PURE) == 0.5


@pytest.mark.parametrize(("text", "words"), [
    ("count within=0", "within of the count must be in [1e-9, 1e12], got 0"), ("apple within=3", "'apple' is none of"),
    ("count", "the count needs within"), (";".join(["count within=3"] * 51), "these are 51"),
    ("a: count within=3 group=51", "group of a must be an integer in [0, 50], got 51"),
    ("count within=nan", "'nan' is no number"), ("count within=3 times=0", "times of the count must be"),
    ("mean within=1 upper=5 people=1.5", "people of the mean must be an integer"),
    ("selection gap=3 right=1", "right of the selection must be"), ("spent epsilon=-1", "epsilon of the spent must be"),
])
def test_that_a_plan_that_cannot_be_read_is_refused_in_one_sentence(text, words):
    with pytest.raises(InvalidParameter, match="planned releases") as refused:
        Plan(releases=text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_that_a_want_no_budget_meets_is_said_and_overflows_nothing():
    found = exact(releases="sum within=1e-9 moves=1e12;count within=1e-9", budget=1e5)
    assert found.answer.suggested is None
    assert found.verdicts[0].startswith("No noise here keeps ε = 100\u202f000")
    assert float(found.answer.one(PURE).delta_at(0.0)) == 1


LARGE = [
    *({"releases": "a: selection gap=10 right=0.95 candidates=10", "goal": "worst", "budget": budget}
      for budget in (100.0, 200.0, 1000.0, 1e5)),
    {"releases": "r0: response within=100 people=1000 group=50;r1: selection gap=2.5 right=0.01 candidates=2",
     "budget": 1e5, "budget_delta": 5e-324, "confidence": 0.6, "goal": "absolute", "years": 2},
    {"releases": "a: response within=1 people=1000;b: count within=1e12", "goal": "worst", "budget": 1e5},
    {"releases": "a: count within=10;b: selection gap=0.001 right=0.6 candidates=2", "goal": "variance",
     "budget": 1e-3}]


@pytest.mark.parametrize("values", LARGE)
def test_that_every_budget_of_the_domain_is_split_and_overflows_nothing(values):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = exact(**values)
        for series in (PURE, GAUSSIAN):
            one = found.answer.one(series)
            assert np.isfinite(one.strengths).all()
            assert (one.strengths > 0).all()
            if values["budget"] >= 100:  # more than any error that is a number needs
                assert one.least <= values["budget"] * (1 + 1e-9)
                assert one.ratios.max() < 1e-12
        assert found.tables


@pytest.mark.parametrize("goal", ["worst", "variance", "absolute"])
def test_that_each_has_what_is_wanted_where_no_split_is_within_the_budget(goal):
    text = "spent epsilon=2;count within=10" if goal == "worst" else "count within=10;selection gap=0.001 right=0.6"
    found, wants = exact(releases=text, goal=goal), exact(releases=text)
    for series in (PURE, GAUSSIAN):
        assert found.answer.one(series).strengths.tolist() == wants.answer.one(series).strengths.tolist()
    assert found.answer.suggested is None


def test_that_a_choice_that_needs_a_very_large_epsilon_says_it():
    found = exact(releases="a: selection gap=0.005 right=0.95 candidates=10")
    for series in (PURE, GAUSSIAN):
        assert value(found, v.LEAST_TOTAL, series) == pytest.approx(893.8824182563559, rel=1e-8)
    assert value(found, v.TOTAL_EPSILON, PURE) == pytest.approx(893.8824182563559, rel=1e-12)
    assert found.verdicts[0].startswith("No noise here keeps ε = 1 and")


@pytest.mark.parametrize("goal", ["wants", "worst", "variance"])
def test_that_a_choice_that_may_be_drawn_at_random_meets_its_want_at_no_epsilon(goal):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = exact(releases="a: selection gap=10 right=0.4 candidates=2", goal=goal)
        for series in (PURE, GAUSSIAN):
            one = found.answer.one(series)
            assert value(found, v.WANTS_MET, series) == 1
            assert value(found, v.WORST_OVER_WANT, series) == one.ratios.max() <= 1
            if goal == "wants":
                assert one.strengths.tolist() == one.shares.tolist() == one.even.tolist() == [0.0]
                assert value(found, v.WORST_OVER_WANT, series) == pytest.approx(0.5 / 0.6)
        assert found.tables
        assert not any("∞" in said for said in found.verdicts)


def test_that_a_plan_of_very_many_releases_is_refused_for_a_script_in_one_sentence():
    with pytest.raises(InvalidParameter, match="releases must be 10000 at most, with their times, for a script of"):
        written(Plan(releases="count within=30 times=366", years=100, budget=1e4), {}, "pure", "opendp")


@pytest.mark.parametrize("series", ["pure", "gaussian", "mixed"])
def test_that_a_script_of_opendp_runs_and_accounts_for_no_less(series, tmp_path):
    pytest.importorskip("opendp")
    study = Plan(releases="visitors: count within=3;diaries: table within=150 groups=400 most=20;loans: sum within=90 "
                          "moves=3 times=2", budget=3.0)
    script = tmp_path / "plan.py"
    script.write_text(written(study, {}, series, "opendp").text, "utf-8")
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    epsilon, delta = (float(word) for word in said.splitlines()[-1].split() if word[0].isdigit())
    one, names = study.answer().one(series), {}
    exec(script.read_text("utf-8"), names)
    exact = {1: 100, 2: [3] * 400, 3: 5}
    for part in composed(study.answer(), series).parts:
        number = int if part.whole else float
        exact[part.number] = [3 * number(1)] * 400 if part.several else number(exact[part.number])
        drawn = np.array([names["release"](part.number, exact[part.number]) for _ in range(1 if part.several else 400)])
        sd = part.scale * (1 if part.gaussian else math.sqrt(2))
        assert abs(drawn.std() / sd - 1) < 0.25
    assert len(names["release_all"](exact)) == 4
    assert epsilon >= one.least * (1 - 1e-9)
    assert epsilon <= (one.pure or one.least * 1.3) * (1 + 1e-9)
    assert delta in (0.0, 1e-6)
