"""What is said of whom one fears holds of two values of a record that comes and goes, which are two steps apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from attackers import found, hockey_stick
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.attacker import Attacker
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.risk import Risk
from dpstudio.core.sources import WZ10
from dpstudio.mechanisms.laws import Claim

REACH = 60


def noisy(epsilon: float, at: float):
    """A count with noise on whole numbers, of which every step costs ε."""
    a = math.exp(-epsilon)
    return (1 - a) / (1 + a) * a ** np.abs(np.arange(-REACH, REACH + 1) - at)


def of_two_cells(epsilon: float):
    """The answers of two noisy counts where a record is in the one, and where it is in the other."""
    return tuple(np.outer(noisy(epsilon, at), noisy(epsilon, 1 - at)).ravel() for at in (1, 0))


def of_a_sum(epsilon: float):
    """The answers of a noisy sum to which a record adds 1, and from which it takes 1 away; without it neither."""
    return noisy(epsilon, 1), noisy(epsilon, -1)


WAYS = {"two cells": of_two_cells, "a sum": of_a_sum}


def feared(epsilon: float, **attacker) -> Risk:
    return Risk(Attacker(attacker="attribute", **attacker), Guarantee(RECORD, epsilon, 0.0, Claim(epsilon, 0.0), WZ10))


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
@given(epsilon=st.floats(0.3, 3), alpha=st.floats(1e-3, 0.4), prior=st.floats(0.05, 0.95))
def test_that_no_test_of_two_values_finds_or_tells_more_than_is_said(way, epsilon, alpha, prior):
    p, q = way(epsilon)
    risk = feared(epsilon, false_alarms=alpha, attribute_prior=prior)
    best = np.maximum(prior * p, (1 - prior) * q).sum()
    for said, true in ((risk.found, found(p, q, alpha)), (risk.advantage, hockey_stick(p, q, 0.0)),
                       (risk.success, best), (risk.belief, (1 / (1 + (1 - prior) / prior * q / p)).max())):
        assert said.value >= true * (1 - 1e-9) - 1e-9
        assert said.kind == "bound"


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_that_what_one_step_allows_would_be_too_little(epsilon):
    one = Claim(epsilon, 0.0)
    for way in WAYS.values():
        assert found(*way(epsilon), 0.01) > float(one.power(0.01)) * 1.05
    assert hockey_stick(*of_a_sum(epsilon), 0.0) > float(one.delta_at(0.0)) * 1.05


def test_that_of_whether_a_record_is_there_one_step_is_said_exactly():
    risk = Risk(Attacker(attacker="membership"), Guarantee(RECORD, 1.0, 0.0, Claim(1.0, 0.0), WZ10))
    assert risk.found.value == pytest.approx(math.e * 0.01, rel=1e-14)
    assert risk.advantage.value == pytest.approx(math.tanh(0.5), rel=1e-14)
    assert {risk.found.kind, risk.advantage.kind} == {"exact"}
