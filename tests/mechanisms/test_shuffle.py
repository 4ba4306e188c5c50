"""Shuffled responses: the pairs of all groups, the bounds from their definitions, and what each allows."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import (
    ShuffledResponse,
    alike_delta,
    cheu_epsilon,
    clones_delta,
    closed_epsilon,
    coins_delta,
    most_local,
    most_local_alike,
    most_local_by_cheu,
    most_local_by_clones,
    most_local_by_form,
)

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "shuffle.json").read_text("utf-8"))
locals_, parts = st.floats(-4, 2.3).map(math.exp), st.floats(0, 1, exclude_max=True)


def law(yes, no, p):
    """How many say “yes”, person by person."""
    mass = np.ones(1)
    for truth in [True] * yes + [False] * no:
        mass = np.convolve(mass, [1 - p, p] if truth else [p, 1 - p])
    return mass


def coins(n, local):
    """How many are expected to throw a coin."""
    return 2 * n / (1 + math.exp(local))


def hockey_stick(one, other, epsilon):
    return np.maximum(one - math.exp(epsilon) * other, 0).sum()


def every_pair(n, local, epsilon):
    """δ of each pair of groups, by how many others are a yes: the two laws and nothing else."""
    p = 1 / (1 + math.exp(-local))
    laws = [law(yes, n - yes, p) for yes in range(n + 1)]
    return [max(hockey_stick(a, b, epsilon), hockey_stick(b, a, epsilon)) for a, b in pairwise(laws)]


@given(n=st.integers(1, 10**6), local=locals_, part=st.lists(parts, min_size=2, max_size=9))
def test_that_a_law_says_of_many_epsilons_at_once_to_the_last_bit_what_it_says_of_each(n, local, part):
    epsilons = 1.2 * local * np.array(part)
    for account in (coins_delta, clones_delta):
        at_once = account(local, n, epsilons)
        assert at_once.tolist() == [float(account(local, n, each)) for each in epsilons.tolist()]
        assert at_once.tolist() == account(np.full(epsilons.shape, local), n, epsilons).tolist()
        assert account(np.array([[local]]), n, epsilons).tolist() == [at_once.tolist()]
        table = account(np.array([[local], [local / 2]]), np.array([n, n + 1, n + 7]), epsilons[0])
        assert table.tolist() == [[float(account(each, people, epsilons[0])) for people in (n, n + 1, n + 7)]
                                  for each in (local, local / 2)]


@given(n=st.integers(1, 30), local=locals_, part=parts)
def test_that_no_group_needs_more_delta_and_each_pair_needs_what_its_laws_say(n, local, part):
    epsilon = part * local
    found, one, rounding = every_pair(n, local, epsilon), ShuffledResponse(local, n), 1e-14 + 1e-15 * math.exp(local)
    for t in {0, n // 3, n // 2, n - 1}:
        assert one.pair_delta(t, epsilon) == pytest.approx(found[t], rel=1e-9, abs=rounding)
    assert alike_delta(local, n, epsilon) == pytest.approx(found[n - 1], rel=1e-9, abs=rounding)
    said = one.delta_at(epsilon)
    assert said >= max(found) * (1 - 1e-9) - rounding
    assert said <= RandomizedResponse.symmetric(local).delta_at(epsilon) * (1 + 1e-12)


@pytest.mark.parametrize(("n", "local", "epsilon"), [(300, 3.0, 1.0), (300, 3.0, 0.02), (10_000, 5.688, 1.0),
                                                     (10**6, 11.0, 1.5), (10**9, 18.0, 0.5)])
def test_that_no_group_of_a_larger_number_needs_more_delta_either(n, local, epsilon):
    """Of a pair with t others who are a yes let D be the largest form. Where k of them are a no instead, it is at most
    D/(1 − q)^k: both are means of one sequence, the former over liars that lead from its top to where it is ≥ 0, none
    lying with probability (1 − q)^k, the latter over any others. So a stretch of groups hangs on its last."""
    one = ShuffledResponse(local, n)
    most, lie = one.delta_at(epsilon), one.response.yes_if_no
    stretches, tried = [(0, n - 1)], 0
    while stretches and tried < 3000:
        first, last = stretches.pop()
        needed = one.pair_delta(last, epsilon)
        tried += 1
        assert needed <= most
        if needed * math.exp(-(last - first) * math.log1p(-lie)) > most:
            middle = (first + last) // 2
            stretches += [(first, middle), (middle + 1, last)]
    assert not stretches, tried


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_that_values_equal_the_oracle(row):
    p, wanted = row["params"], float(row["value"])
    match row["quantity"]:
        case "pair_delta":
            found = ShuffledResponse(p["local"], p["n"]).pair_delta(p["others_yes"], p["epsilon"])
            assert ShuffledResponse(p["local"], p["n"]).delta_at(p["epsilon"]) >= wanted
        case "clones_delta":
            found = clones_delta(p["local"], p["n"], p["epsilon"])
            assert wanted * (1 - 1e-11) <= found <= 1.02 * wanted  # of stretches
            return
        case "cheu_epsilon":
            found = cheu_epsilon(coins(p["n"], p["local"]), p["n"], p["delta"])
        case "closed_epsilon":
            found = closed_epsilon(p["local"], p["n"], p["delta"])
    assert found == pytest.approx(wanted, rel=2e-11)


@settings(max_examples=25)
@given(n=st.integers(1, 25), local=locals_, part=parts)
def test_that_coins_and_clones_hide_a_person_as_their_pairs_of_laws_say(n, local, part):
    epsilon, p = part * local, 1 / (1 + math.exp(-local))
    for of, share in ((coins_delta, 2 / (1 + math.exp(local))), (clones_delta, math.exp(-local))):
        expected = 0.0
        for c in range(n):
            fair = np.array([math.comb(c, j) for j in range(c + 1)]) / 2.0**c
            one, other = np.convolve(fair, [1 - p, p]), np.convolve(fair, [p, 1 - p])
            weight = math.comb(n - 1, c) * share**c * (1 - share) ** (n - 1 - c)
            expected += weight * hockey_stick(one, other, epsilon)
        assert of(local, n, epsilon) == pytest.approx(expected, rel=1e-9, abs=1e-14 + 1e-15 * math.exp(local))


@pytest.mark.parametrize("of", [coins_delta, clones_delta])
def test_that_numbers_taken_together_in_stretches_are_on_the_safe_side_and_near(of, monkeypatch):
    for n, local, epsilon in ((10**5, 6.5, 0.5), (10**7, 10.0, 0.2), (3000, 2.5, 0.1)):
        near = of(local, n, epsilon)
        with monkeypatch.context() as one_by_one:
            one_by_one.setattr("dpstudio.mechanisms.shuffle._STEP", 1e-3)
            exact = of(local, n, epsilon)
        assert 1e-15 < exact * (1 - 1e-12) <= near <= 1.3 * exact


@given(size=st.floats(1, 12), epsilon=st.floats(-4, 2).map(math.exp), delta=st.sampled_from([1e-12, 1e-6, 1e-3, 0.3]))
def test_that_each_account_allows_what_keeps_its_own_bound_and_hardly_less(size, epsilon, delta):
    n = round(10**size)
    local, alike = most_local(n, epsilon, delta), most_local_alike(n, epsilon, delta)
    for of, most in ((coins_delta, local), (alike_delta, alike)):
        assert of(most, n, epsilon) <= delta
        assert of(epsilon + (most - epsilon) * (1 + 1e-4) + 1e-6, n, epsilon) > delta
    by_form, by_cheu = most_local_by_form(n, epsilon, delta), most_local_by_cheu(n, epsilon, delta)
    assert max(by_form, by_cheu, local) <= alike * (1 + 1e-9)
    if by_form > epsilon:
        assert by_form <= math.log(n / (16 * math.log(2 / delta)))
        assert closed_epsilon(by_form, n, delta) <= epsilon * (1 + 1e-9)
        assert alike_delta(by_form, n, closed_epsilon(by_form, n, delta)) <= delta
        if by_form < math.log(n / (16 * math.log(2 / delta))) - 1e-3:
            assert closed_epsilon(by_form + 1e-4, n, delta) > epsilon
    if by_cheu > epsilon:
        assert cheu_epsilon(coins(n, by_cheu - 1e-9), n, delta) <= epsilon * (1 + 1e-6)
        assert coins(n, by_cheu) >= 14 * math.log(4 / delta) * (1 - 1e-12)
        assert alike_delta(by_cheu, n, epsilon) <= delta
        if 2 * n / (1 + math.exp(by_cheu)) > 14 * math.log(4 / delta) + 0.01:
            assert cheu_epsilon(coins(n, by_cheu + 1e-4), n, delta) > epsilon


@pytest.mark.parametrize(("n", "epsilon", "delta"), [(10, 0.5, 1e-3), (10_000, 1.0, 1e-6), (10**9, 0.3, 1e-9)])
def test_that_clones_allow_less_than_coins_and_more_than_the_forms(n, epsilon, delta):
    by_clones = most_local_by_clones(n, epsilon, delta)
    assert clones_delta(by_clones, n, epsilon) <= delta
    assert clones_delta(by_clones * (1 + 1e-4), n, epsilon) > delta
    assert most_local_by_form(n, epsilon, delta) <= by_clones < most_local(n, epsilon, delta)


def test_that_many_settings_at_once_are_each_alone():
    n, epsilon = np.array([[1.0], [30.0], [1e6], [1e12]]), np.geomspace(1e-3, 20, 7)
    for of in (most_local, most_local_alike, most_local_by_cheu, most_local_by_form):
        together = of(n, epsilon, 1e-6)
        alone = [[of(a, b, 1e-6) for b in epsilon] for a in n[:, 0]]
        np.testing.assert_allclose(together, alone, rtol=3e-9)
        assert (np.diff(together, axis=0) >= -1e-9).all()
        assert (together >= epsilon).all()


def test_that_epsilon_is_the_least_at_which_delta_will_do():
    one = ShuffledResponse(5.465, 10_000)
    found = one.epsilon_at(1e-6)
    assert found == pytest.approx(1.0, abs=5e-3)
    assert one.delta_at(found) <= 1e-6 < one.delta_at(found * (1 - 1e-6))
    assert one.epsilon_at(0.0) == 5.465
    assert one.epsilon_at(0.9) == 0.0
    assert one.delta_at(5.465) == one.delta_at(9.0) == 0.0


def test_that_a_single_person_is_hidden_by_their_own_coin_alone():
    one, alone = ShuffledResponse(1.0, 1), RandomizedResponse.symmetric(1.0)
    for epsilon in (0.0, 0.4, 0.999):
        assert one.delta_at(epsilon) == pytest.approx(alone.delta_at(epsilon), rel=1e-12)


@pytest.mark.parametrize(("ask", "sentence"), [
    (lambda: most_local(10, 1.0, 0.0), "delta must be in (0, 1), got 0.0"),
    (lambda: most_local(10, 1.0, 1.0), "delta must be in (0, 1), got 1.0"),
    (lambda: most_local(0, 1.0, 0.1), "people must be an integer in [1, 9007199254740992], got 0"),
    (lambda: ShuffledResponse(1.0, 10).pair_delta(10, 0.1),
     "others_yes must be at most 9, the number of the others, got 10"),
])
def test_that_what_is_undefined_is_refused_in_one_sentence(ask, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        ask()
    assert str(refusal.value) == sentence


def test_that_the_number_of_yes_is_drawn_from_its_law_and_one_of_another_epsilon_would_be_noticed():
    n, yes, draws = 40, 13, 200_000
    mass = law(yes, n - yes, 1 / (1 + math.exp(-1.5)))
    counts = np.arange(n + 1)
    mean = mass @ counts
    sd = math.sqrt(mass @ (counts - mean) ** 2)
    right, wrong = (np.asarray(ShuffledResponse(local, n).sample(yes, draws, np.random.default_rng(2)))
                    for local in (1.5, 1.6))
    assert abs(right.mean() - mean) < 5 * sd / math.sqrt(draws) < abs(wrong.mean() - mean)
    assert right.std() == pytest.approx(sd, rel=0.01)
