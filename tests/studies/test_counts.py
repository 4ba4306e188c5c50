"""The law of a number of answers “yes”, and bounds on errors where there are too many answers to add it up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpstudio import vocabulary as v
from dpstudio.studies import mean as f
from dpstudio.studies.kit.counts import BinomialCount, SummedCount, beyond, distance_at
from dpstudio.studies.mean import Mean, errors


def law_of(*groups):
    """The probabilities of 0, 1 … “yes”, coin by coin."""
    law = np.ones(1)
    for many, yes in groups:
        for _ in range(many):
            law = np.append(law * (1 - yes), 0.0) + np.append(0.0, law * yes)
    return law


ONE = BinomialCount(10, 0.5, 0.5), law_of((10, 0.5))
LOW = BinomialCount(3, 0.05, 0.95), law_of((3, 0.05))
HIGH = BinomialCount(4, 0.97, 0.03), law_of((4, 0.97))
TWO = SummedCount(BinomialCount(6, 0.75, 0.25), BinomialCount(14, 0.25, 0.75)), law_of((6, 0.75), (14, 0.25))
MANY = BinomialCount(400, 0.5, 0.5), law_of((400, 0.5))
ALONE = SummedCount(BinomialCount(0, 0.75, 0.25), BinomialCount(8, 0.25, 0.75)), law_of((8, 0.25))


@pytest.mark.parametrize(("law", "mass"), [ONE, LOW, HIGH, TWO, ALONE])
@pytest.mark.parametrize("distance", [0.0, 0.3, 1.0, 2.0, 2.5, 3.0, 8.0])
def test_that_a_count_is_beyond_a_distance_as_often_as_its_law_says_and_not_where_it_lies_on_it(law, mass, distance):
    off = np.abs(np.arange(len(mass)) - law.mean)
    assert beyond(law, distance) == pytest.approx(mass[off > distance + 1e-9].sum(), rel=1e-12, abs=1e-16)


@pytest.mark.parametrize(("law", "mass"), [ONE, LOW, HIGH, TWO, ALONE, MANY])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.7, 0.9, 0.999, 0.999999])
def test_that_the_distance_at_a_level_is_the_least_that_is_kept_so_often(law, mass, level):
    off = np.abs(np.arange(len(mass)) - law.mean)
    order = np.argsort(off, kind="stable")
    least = off[order][np.searchsorted(np.cumsum(mass[order]), level - 1e-12)]
    assert distance_at(law, level) == pytest.approx(least, abs=1e-9)


def test_that_a_distance_that_is_kept_just_as_often_is_far_enough():
    assert distance_at(BinomialCount(2, 0.5, 0.5), 0.5) == 0.0


def test_that_the_least_distance_of_a_tail_keeps_what_is_asked_and_next_to_it_less_would_not():
    def tail(x):
        return math.exp(-3 * x)

    found = errors._least(tail, 0.05, 7.0)
    assert tail(found) <= 0.05 < tail(found * (1 - 2e-12))


@pytest.mark.parametrize(("epsilon", "x"), [(0.1, 0.012), (0.1, 0.02), (3.0, 0.0006), (8.0, 2.2e-5), (8.0, 3e-5)])
def test_that_of_very_many_the_least_of_three_bounds_is_said_and_a_distance_at_a_level_is_where_it_is_the_rest(
        epsilon, x):
    """Chebyshev’s v/t², Hoeffding’s 2 exp(−2t²/n) and Bernstein’s 2 exp(−t²/(2v + 2t/3)): t = x n tanh(ε/2)."""
    n, d = 2 * 10**6, math.tanh(epsilon / 2)
    t, v_ = x * n * d, n * (1 - d * d) / 4
    bounds = v_ / t**2, 2 * math.exp(-2 * t**2 / n), 2 * math.exp(-(t**2) / (2 * v_ + 2 * t / 3))
    answer = Mean(people=n, epsilon=epsilon, error_beyond=x).answer()
    assert answer.value(v.ERROR_EXCEEDS, f.RESPONSE) == pytest.approx(min(bounds), rel=1e-9)
    at = Mean(people=n, epsilon=epsilon, error_level=1 - min(bounds)).answer().value(v.ERROR_AT_LEVEL, f.RESPONSE)
    assert at == pytest.approx(x, rel=1e-9)


@pytest.mark.parametrize("about", ["group", "population"])
@pytest.mark.parametrize("values", [{"people": 1}, {"people": 1, "fraction": 0.0}, {"people": 20, "epsilon": 4.0},
                                    {"people": 40, "fraction": 0.5}, {"people": 60, "epsilon": 0.1, "fraction": 0.9},
                                    {"people": 35, "epsilon": 9.0, "fraction": 1.0}])
def test_that_no_bound_on_an_error_is_below_what_adding_up_gives(about, values, monkeypatch):
    for x in (*np.linspace(0, 1.5, 31), 4.0):
        study = Mean(about=about, error_beyond=float(x), error_level=min(0.05 + 0.6 * float(x), 0.999), **values)
        exact, bound = study.answer(), study.answer()
        found = {quantity: [exact.value(quantity, series) for series in exact.ones]
                 for quantity in (v.ERROR_EXCEEDS, v.ERROR_AT_LEVEL)}
        with monkeypatch.context() as patch:
            patch.setattr(errors, "LAW", 0.0)
            for quantity, numbers in found.items():
                for series, number in zip(exact.ones, numbers, strict=True):
                    assert bound.value(quantity, series) >= number * (1 - 1e-9) - 1e-12, (x, quantity.key, series)
                    assert not math.isnan(bound.value(quantity, series))
    assert bound.fact(v.ERROR_EXCEEDS, f.RESPONSE).kind == ("bound" if about == "group" else "exact")
