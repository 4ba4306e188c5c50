"""What keeping at most b rows of each person loses and saves, against values made person by person."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.models.contributions import NOISES, RULE_AT_MOST, Spread, bounded, rule

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "contributions.json").read_text("utf-8"))["cases"]
PEOPLE = st.lists(st.integers(1, 12) | st.integers(1, 3), min_size=1, max_size=40)
EPSILONS = st.floats(0.02, 5)


def spread_of(people):
    return Spread(dict(Counter(people)))


def test_that_rows_kept_and_lost_and_errors_are_those_made_person_by_person():
    for case in CASES:
        spread, bound = Spread({int(rows): persons for rows, persons in case["rows"].items()}), case["bound"]
        assert (spread.kept(bound), spread.lost(bound), spread.beyond(bound)) == \
            (case["kept"], case["lost"], case["beyond"])
        for noise, (sd, typical, mean) in case["noises"].items():
            found = bounded(spread, noise, float(Fraction(case["epsilon"])), float(case["delta"]), [bound])
            # The σ of Gaussian noise is rounded up.
            for said, true in ((found.noise, sd), (found.typical, typical), (found.mean, mean)):
                assert float(said[0]) == pytest.approx(float(true), rel=2e-12), (noise, case)


@given(PEOPLE, EPSILONS, st.sampled_from(sorted(NOISES)))
def test_that_the_best_bound_is_the_best_of_all_and_the_noise_is_the_mechanisms_own(people, epsilon, name):
    spread, delta = spread_of(people), 1e-5
    found = bounded(spread, name, epsilon, delta)
    assert list(found.bound) == list(range(1, max(people) + 1))
    for bound, lost, sd, typical in zip(found.bound, found.lost, found.noise, found.typical, strict=True):
        noise = {"laplace": lambda b: LaplaceNoise.calibrate(epsilon, b),
                 "geometric": lambda b: GeometricNoise(epsilon, int(b)),
                 "gaussian": lambda b: GaussianNoise.analytic(epsilon, delta, b)}[name](bound)
        assert lost == sum(max(rows - int(bound), 0) for rows in people)
        assert sd == pytest.approx(noise.sd, rel=1e-9)
        assert typical == pytest.approx(math.sqrt(lost**2 + noise.sd**2), rel=1e-9)
    assert found.best == int(np.argmin(found.typical))
    assert list(found.mean >= found.lost) == [True] * len(found.bound)
    assert list(found.mean <= found.typical * (1 + 1e-12)) == [True] * len(found.bound)
    assert found.lost[-1] == 0


@given(PEOPLE, EPSILONS | st.integers(1, 20).map(lambda k: 1 / k))
def test_that_the_rule_minimizes_loss_and_noise_and_is_never_far_from_the_least_mean_error(people, epsilon):
    chosen, bounds = rule(spread_of(people), epsilon), range(1, max(people) + 1)
    lost = {b: sum(max(rows - b, 0) for rows in people) for b in bounds}
    assert chosen in bounds
    assert sum(rows > chosen for rows in people) <= 1 / epsilon
    assert chosen == 1 or sum(rows >= chosen for rows in people) > 1 / epsilon
    together = {b: lost[b] + b / epsilon for b in bounds}
    assert together[chosen] <= min(together.values()) * (1 + 1e-12)
    found = bounded(spread_of(people), "laplace", epsilon)
    assert found.mean[chosen - 1] <= RULE_AT_MOST * found.mean.min() * (1 + 1e-12)


def test_that_the_rule_can_be_as_far_from_the_least_mean_error_as_is_said():
    # 1/ε = 10 and 10 persons with very many rows: B + b/ε is the same for every b, and E|error| is not.
    spread = Spread({10_000: 10})
    found = bounded(spread, "laplace", 0.1)
    assert rule(spread, 0.1) == 1
    worst = (found.lost + found.bound / 0.1) / found.mean
    assert RULE_AT_MOST * (1 - 1e-6) < worst.max() <= RULE_AT_MOST * (1 + 1e-12)
    t = 1.14619322062058
    assert (2 + t) * math.exp(-t) == pytest.approx(1, rel=1e-12)
    assert pytest.approx((1 + t) / (t + math.exp(-t)), rel=1e-12) == RULE_AT_MOST


def test_that_nobody_and_persons_of_no_rows_lose_nothing():
    for spread in (Spread({}), Spread({0: 7})):
        found = bounded(spread, "laplace", 1.0)
        assert (list(found.bound), list(found.lost), rule(spread, 1.0)) == ([1.0], [0.0], 1)
        assert found.typical[0] == found.noise[0] == pytest.approx(math.sqrt(2))


def test_that_a_large_epsilon_overflows_nothing():
    found = bounded(Spread({1: 3, 2: 1}), "geometric", 2000.0)
    assert (found.noise < 1e-200).all()
    assert list(found.mean.round(9)) == [1.0, 0.0]
