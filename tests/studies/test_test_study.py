"""What the test study says: against sums over all counts, a programme over all private tests, and draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import bdtrc, gammaln
from study_kit import value

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Column
from dpstudio.core.study import answer
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing import NaiveTest, smallest_n, smallest_n_gaussian, smallest_n_naive, smallest_n_plain
from dpstudio.studies import test as f
from dpstudio.studies.test.compared import Compared, _blocks, fewest


def of(**settings):
    return f.Test(**settings).answer()


def mass(n, p):
    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p))


def most_power(study, *, unbiased=False):
    """The greatest power of any φ with the guarantee and the level, by a linear programme."""
    n, e, d = study.people, study.epsilon, study.delta
    null, other = mass(n, study.share), mass(n, study.alternative)
    rows, most = [], []
    for i in range(n):
        for one, two in ((i, i + 1), (i + 1, i)):
            for sign in (1, -1):  # φ(one) ≤ e^ε φ(two) + δ, and the same of 1 − φ
                row = np.zeros(n + 1)
                row[one], row[two] = sign, -sign * math.exp(e)
                rows.append(row)
                most.append(d if sign == 1 else d - 1 + math.exp(e))
    equal = [null, null * (np.arange(n + 1) - n * study.share)] if unbiased else None
    if not unbiased:
        rows.append(null)
        most.append(study.level)
    found = linprog(-other, np.array(rows), np.array(most), equal, [study.level, 0.0] if unbiased else None,
                    bounds=(0, 1), method="highs")
    return -found.fun


@pytest.mark.parametrize(("settings", "people"), [
    ({}, (160, 153)), ({"epsilon": 0.1}, (413, 153)), ({"epsilon": 0.5, "delta": 1e-6}, (179, 153)),
    ({"side": "less", "alternative": 0.4}, (160, 153))])
def test_that_so_many_people_are_needed_as_are_known(settings, people):
    a = of(**settings)
    assert (a.value(v.PEOPLE_FOR_POWER, f.PRIVATE), a.value(v.PEOPLE_FOR_POWER, f.PLAIN)) == people
    assert a.value(v.EXTRA_PEOPLE, f.PRIVATE) == people[0] - people[1]


def test_that_the_examples_are_what_they_say():
    presets = {each.key: of(**each.values) for each in f.Test.presets}
    for key, private, plain in (("majority", 160, 153), ("strict", 413, 153), ("rare", 3721, 849),
                                ("either_side", 201, 194)):
        assert presets[key].value(v.PEOPLE_FOR_POWER, f.PRIVATE) == private
        assert presets[key].value(v.PEOPLE_FOR_POWER, f.PLAIN) == plain
    assert round(100 * presets["strict"].value(v.TRUE_LEVEL, f.NAIVE)) == 24


def test_that_a_naive_test_errs_as_often_as_is_known():
    a = of(epsilon=0.1, people=100)
    assert a.value(v.TRUE_LEVEL, f.NAIVE) == pytest.approx(0.240, abs=5e-4)
    assert bdtrc(58, 100, 0.5) == pytest.approx(0.0443, abs=5e-4)  # without noise
    assert a.value(v.REJECTS_FROM, f.NAIVE) == 59


@pytest.mark.parametrize(("epsilon", "share", "other", "level", "power", "delta"), [
    (1.0, 0.5, 0.6, 0.05, 0.8, 0.0), (0.2, 0.3, 0.45, 0.01, 0.9, 1e-4), (5.0, 0.9, 0.95, 0.1, 0.5, 1e-6),
    (0.05, 0.1, 0.3, 0.05, 0.95, 0.01), (1.0, 0.01, 0.02, 0.05, 0.8, 1e-3)])
def test_that_the_fewest_people_are_those_of_the_models(epsilon, share, other, level, power, delta):
    a = of(epsilon=epsilon, share=share, alternative=other, level=level, power=power, delta=delta)
    assert a.value(v.PEOPLE_FOR_POWER, f.PRIVATE) == smallest_n(share, other, epsilon, delta, level, power)
    assert a.value(v.PEOPLE_FOR_POWER, f.PLAIN) == smallest_n_plain(share, other, level, power)
    laplace = a.fact(v.PEOPLE_FOR_POWER, f.LAPLACE)
    if laplace.kind == "exact":
        assert laplace.value == smallest_n_naive(share, other, epsilon, level, power)
    if delta:
        mu = 1 / a.get(f.GAUSSIAN).noise.sigma
        assert a.value(v.PEOPLE_FOR_POWER, f.GAUSSIAN) == smallest_n_gaussian(share, other, mu, level, power)


@given(st.floats(0.2, 5e8), st.floats(0.05, 20), st.floats(1, 1e9))
def test_that_the_fewest_are_found_from_any_guess(root, steep, guess):
    def power_at(n):
        asked.append(n)
        return np.clip(0.5 + (np.sqrt(n) - math.sqrt(root)) / steep, 0, 1)

    asked = []
    assert fewest(power_at, 0.5, guess) == math.ceil(root)
    assert len(asked) < 100


@pytest.mark.parametrize("settings", [
    {"people": 12}, {"people": 20, "epsilon": 0.3, "delta": 0.02}, {"people": 9, "side": "less", "alternative": 0.3},
    {"people": 15, "epsilon": 0.5, "share": 0.3, "alternative": 0.6, "level": 0.1}])
def test_that_no_private_test_of_this_level_finds_more_often(settings):
    study = f.Test(**settings)
    assert study.answer().value(v.TEST_POWER, f.PRIVATE) == pytest.approx(most_power(study), rel=1e-9)


@pytest.mark.parametrize("settings", [{"people": 14}, {"people": 10, "epsilon": 0.4, "delta": 0.01, "share": 0.4}])
def test_that_no_unbiased_private_test_of_either_side_finds_more_often(settings):
    study = f.Test(**settings, side="two")
    assert study.answer().value(v.TEST_POWER, f.PRIVATE) == pytest.approx(most_power(study, unbiased=True), rel=1e-8)


@pytest.mark.parametrize("side", ["greater", "less", "two"])
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_that_what_competes_keeps_its_level_and_its_guarantee(side, delta):
    a = of(side=side, delta=delta, epsilon=0.7, people=47, share=0.42, alternative=0.3 if side == "less" else 0.6)
    for series in f.COMPETING:
        if (one := a.one(series)) is not None:
            assert one.size <= a.study.level * (1 + 1e-12)
            assert one.size == pytest.approx(float(mass(47, 0.42) @ one.rejects(np.arange(48.0))), rel=1e-10)
            phi = one.rejects(np.arange(48.0))
            for here, there in ((phi[1:], phi[:-1]), (phi[:-1], phi[1:])):
                assert (here <= math.exp(0.7) * there + delta + 1e-12).all()
                assert (1 - here <= math.exp(0.7) * (1 - there) + delta + 1e-12).all()
    assert a.allowed(f.PRIVATE)


@pytest.mark.parametrize("side", ["greater", "less"])
def test_that_counts_with_whole_noise_are_those_of_the_models(side):
    a = of(side=side, people=73, epsilon=0.3, share=0.35, alternative=0.2 if side == "less" else 0.5)
    for series, corrected in ((f.LAPLACE, True), (f.NAIVE, False)):
        other = NaiveTest(73, 0.35, 0.3, 0.05, side, corrected=corrected)
        assert a.value(v.TRUE_LEVEL, series) == pytest.approx(other.size, rel=1e-12)
        edge = a.fact(v.REJECTS_UP_TO if side == "less" else v.REJECTS_FROM, series)
        assert edge.value == other.critical


def test_that_a_whole_critical_value_is_the_first_that_keeps_the_level():
    a = of(people=60, epsilon=0.4)
    c, noise, k = a.value(v.REJECTS_FROM, f.LAPLACE), a.get(f.LAPLACE).noise, np.arange(61)
    sizes = [float(mass(60, 0.5) @ np.asarray(noise.tail(c - step - k - 1e-9))) for step in (0, 1)]
    assert sizes[0] <= 0.05 < sizes[1]


def test_that_the_interval_leaves_the_shares_that_no_one_sided_test_rejects():
    a = of(released=70.0, people=120, epsilon=0.4, confidence=0.9)
    noise, k = CanonicalNoise(0.4), np.arange(121)
    low, high = a.value(v.SHARE_LOW), a.value(v.SHARE_HIGH)
    assert float(mass(120, low) @ noise.tail(70.0 - k)) == pytest.approx(0.05, rel=1e-8)
    assert float(mass(120, high) @ noise.cdf(70.0 - k)) == pytest.approx(0.05, rel=1e-8)
    belt = a.table(f.BELT_TABLE, (low, high))
    assert belt[Column(v.COUNT_HIGH)][0] == pytest.approx(70.0, abs=1e-6)
    assert belt[Column(v.COUNT_LOW)][-1] == pytest.approx(70.0, abs=1e-6)


def test_that_p_values_at_the_thresholds_are_the_level():
    for settings in ({}, {"side": "less", "alternative": 0.4}, {"delta": 1e-3}):
        a = of(**settings)
        for series in (f.PRIVATE, f.GAUSSIAN):
            if (one := a.one(series)) is not None:
                edge = one.edge(a.study.side == "less")
                assert float(one.p_values(np.array([edge]))[0]) == pytest.approx(0.05, rel=1e-9)


def test_that_p_values_of_whole_counts_and_of_either_side_are_what_they_are():
    one = of().get(f.LAPLACE)  # rejecting at p ≤ p(c) is the test from c on
    c = one.edge(False)
    assert float(one.p_values(np.array([c]))[0]) == pytest.approx(one.size, rel=1e-12)
    assert float(one.p_values(np.array([c - 0.5]))[0]) == pytest.approx(one.size, rel=1e-12)
    two = of(side="two", delta=1e-3, share=0.4)
    for series in (f.TAILS, f.GAUSSIAN):
        for less in (False, True):
            edge = two.get(series).edge(less)
            assert float(two.get(series).p_values(np.array([edge]))[0]) == pytest.approx(0.05, rel=1e-9)


def test_that_so_few_people_are_never_enough_for_a_naive_test():
    a = of(people=3)  # three yeses have probability 1/8 where half say so
    assert (a.value(v.TEST_POWER, f.NAIVE), a.value(v.TRUE_LEVEL, f.NAIVE)) == (0.0, 0.0)
    table = a.table(f.PEOPLE_TABLE, (2.0, 30.0))
    few = table[f.X_PEOPLE] <= 4
    assert few.sum() >= 3
    assert (table[Column(v.TEST_POWER, f.NAIVE)][few] == 0).all()


@pytest.mark.parametrize("settings", [{}, {"side": "two", "delta": 0.01}, {"side": "less", "alternative": 0.4,
                                                                          "epsilon": 0.2}])
def test_that_simulated_tests_come_to_the_exact_power_and_level(settings):
    update = answer(f.Test(people=90, trials=200_000, **settings))
    for series in update.answer.ones:
        for found, exact in ((v.POWER_FOUND, v.TEST_POWER), (v.LEVEL_FOUND, v.TRUE_LEVEL)):
            p = value(update, exact, series)
            assert value(update, found, series) == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 200_000))


def test_that_powers_against_people_are_the_facts_there():
    for side, people in (("greater", 77), ("greater", 251), ("greater", 297), ("two", 251)):
        a = of(people=people, side=side)
        table = a.table(f.PEOPLE_TABLE, (20.0, 300.0))
        at = int(np.flatnonzero(table[f.X_PEOPLE] == people)[0])
        for series in a.ones:
            assert table[Column(v.TEST_POWER, series)][at] == pytest.approx(a.value(v.TEST_POWER, series), rel=1e-12)
            assert table[Column(v.TRUE_LEVEL, series)][at] == pytest.approx(a.value(v.TRUE_LEVEL, series), rel=1e-9)
        n = int(table[f.X_PEOPLE][3])
        there = of(people=n, side=side)
        for series in a.ones:
            assert table[Column(v.TEST_POWER, series)][3] == pytest.approx(there.value(v.TEST_POWER, series), rel=1e-9)


def test_that_the_decision_of_the_anchor_is_the_test():
    a = of(delta=0.01, people=40)
    from dpstudio.mechanisms.decision import GeneralizedDecision

    decision = GeneralizedDecision(1.0, 0.01, int(a.value(v.TEST_MINIMUM, f.PRIVATE)),
                                   a.value(v.TEST_TARGET, f.PRIVATE))
    k = np.arange(41)
    np.testing.assert_allclose(decision.accept_probability(k), a.get(f.PRIVATE).rejects(k.astype(float)), atol=1e-12)


@pytest.mark.parametrize("settings", [{"alternative": 0.5}, {"alternative": 0.4}, {"side": "less"},
                                      {"side": "two", "alternative": 0.5}])
def test_that_a_share_that_the_test_is_not_for_is_found_by_no_number_of_people(settings):
    a = of(**settings)
    assert all(a.value(v.PEOPLE_FOR_POWER, each) == math.inf for each in (f.PRIVATE, f.LAPLACE, f.PLAIN))
    assert next(iter(a.sentences())).startswith("No number of people helps")


@pytest.mark.parametrize(("values", "said"), [
    ({"share": 0.0}, "share must be in (0, 1), got 0"), ({"share": 1.0}, "share must be in (0, 1), got 1"),
    ({"level": 0.0}, "level must be in [1e-12, 0.999999999], got 0"),
    ({"power": 1.0}, "power must be in (0, 1), got 1"),
    ({"people": 0}, "people must be an integer in [1, 1e9], got 0"),
    ({"released": math.nan}, "released must be in [-1e12, 1e12], got nan"),
    ({"delta": 1.0}, "delta must be in [0, 0.5], got 1")])
def test_that_bad_input_is_refused_in_one_sentence(values, said):
    with pytest.raises(InvalidParameter) as refusal:
        f.Test(**values)
    assert str(refusal.value).startswith(said)


@pytest.mark.parametrize("settings", [{"people": 100}, {"people": 500, "epsilon": 0.7, "level": 0.1}, {"people": 60}])
def test_that_a_naive_test_keeps_the_level_only_where_it_does(settings):
    true = of(**settings).value(v.TRUE_LEVEL, f.NAIVE)
    said = " ".join(answer(f.Test(**settings), simulate=False).verdicts)
    assert ("keeps the level" in said) == (true <= f.Test(**settings).level * (1 + 1e-9))


@pytest.mark.parametrize("settings", [{"alternative": 0.5, "power": 0.04},
                                      {"level": 0.9, "power": 0.8, "alternative": 0.4}])
def test_that_what_is_wanted_no_oftener_than_by_chance_is_found_by_few(settings):
    found = answer(f.Test(**settings), simulate=False)
    assert "No number of people helps" not in found.verdicts[0]
    assert found.answer.value(v.PEOPLE_FOR_POWER, f.PRIVATE) == 1
    corrected = found.answer.fact(v.PEOPLE_FOR_POWER, f.LAPLACE)
    powers = [of(**settings, people=n).value(v.TEST_POWER, f.LAPLACE) for n in range(1, 80)]
    enough = [n for n, power in enumerate(powers, 1) if power >= settings["power"]]
    assert corrected.value == (enough[0] if enough else corrected.value)
    assert math.isfinite(corrected.value) or corrected.kind == "bound"


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(-3, 2.9).map(math.exp), st.floats(0.001, 0.6),
       st.integers(1, 60), st.sampled_from([0.0, 1e-6, 0.1]))
def test_that_beyond_the_doubted_share_a_test_rejects_no_more_often_than_at_it_so_nobody_is_looked_for(
        share, other, epsilon, level, people, delta):
    found = of(share=share, alternative=other, side="less" if other > share else "greater", epsilon=epsilon,
               level=level, power=min(1.001 * level, 0.999), people=people, delta=delta)
    for series, one in found.ones.items():
        if one.tested:
            assert one.power <= level * (1 + 1e-9), series
            assert found.value(v.PEOPLE_FOR_POWER, series) == math.inf


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(-3, 2.9).map(math.exp), st.floats(0.001, 0.6),
       st.floats(0.01, 0.999), st.sampled_from([0.0, 1e-6, 0.1]))
def test_that_what_is_wanted_by_chance_alone_takes_the_first_number_of_people_that_has_it(
        share, other, epsilon, level, part, delta):
    found = of(share=share, alternative=other, side="less" if other > share else "greater", epsilon=epsilon,
               level=level, power=part * level, delta=delta)
    n = np.arange(1.0, 301.0)
    for series, one in found.ones.items():
        if one.tested:
            said, enough = found.fact(v.PEOPLE_FOR_POWER, series), n[one.at(n, other) >= part * level]
            if enough.size:
                assert (said.value, said.kind) == (enough[0], "exact"), series
            else:
                assert said.value > n[-1], series


@pytest.mark.parametrize(("first", "last", "end"), [
    (1, 1, 1), (1, 48, 48), (1, 49, 49), (1, 2048, 2048), (7, 60, 10**9), (10**9 - 70, 10**9, 10**9), (2, 1, 9)])
def test_that_people_are_looked_through_in_blocks_none_left_out_up_to_the_block_of_the_last(first, last, end):
    found = [n for block in _blocks(first, last, end) for n in block.tolist()]
    assert found == list(range(first, first + len(found)))
    assert not found or last <= found[-1] <= end
    assert bool(found) == (first <= last)
    assert all(block[0] <= last for block in _blocks(first, last, end))


def test_that_where_a_few_people_are_enough_by_chance_the_powers_of_many_are_not_asked_for(monkeypatch):
    asked, at = [], Compared.at
    monkeypatch.setattr(Compared, "at", lambda one, n, truth: asked.append(np.max(n)) or at(one, n, truth))
    found = of(share=0.343, alternative=0.327, level=0.5, power=0.06, epsilon=18.0)
    assert found.fact(v.PEOPLE_FOR_POWER, f.LAPLACE).value == 1
    assert 1 < max(asked) < 100


def test_that_what_the_test_is_not_for_is_found_by_nobody_oftener_than_by_chance():
    found = answer(f.Test(alternative=0.4), simulate=False)
    assert "No number of people helps" in found.verdicts[0]
    for series in (f.PRIVATE, f.LAPLACE):
        fact = found.answer.fact(v.PEOPLE_FOR_POWER, series)
        assert (fact.value, fact.kind) == (math.inf, "exact")


def test_that_edges_are_said_to_have_the_level_that_they_have():
    one, two = of(), of(side=f.TWO)
    assert one.fact(v.REJECTS_FROM, f.LAPLACE).how.startswith("its level is 0.05 at most")
    assert one.fact(v.REJECTS_FROM, f.PRIVATE).how == "its level is 0.05 at p₀ = 0.5"
    assert two.fact(v.REJECTS_FROM, f.TAILS).how == "its level is half of 0.05 at p₀ = 0.5"
