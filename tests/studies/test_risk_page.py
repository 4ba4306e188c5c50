"""The numbers that the page on risk states are those that a study gives."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from scipy.special import ndtr, ndtri

from dpstudio.studies.noise import Noise

PAGE = " ".join((Path(__file__).parents[2] / "docs/risk.md").read_text(encoding="utf-8").split())


def fact(key, series="laplace", **now):
    return Noise(**now).answer().fact(key, series).value


def percent(share):
    return f"{100 * share:.3g} %"


def test_that_a_belief_of_two_values_moves_by_two_steps():
    most = fact("risk_belief", epsilon=1.0, attacker="attribute", attribute_prior=0.025)
    one_step = 1 / (1 + math.exp(-1) * 0.975 / 0.025)
    assert f"a belief of 2.5 % may become {percent(most)} at ε = 1, where e^ε allows {percent(one_step)}" in PAGE


def test_that_a_belief_may_rise_where_no_guess_gains():
    now = {"epsilon": 1.0, "attacker": "membership", "presence_prior": 0.1}
    assert fact("risk_success", **now) == pytest.approx(fact("risk_before", None, **now), rel=1e-12)
    assert f"held 10 % likely to be in, the best guess may stay “no” though a belief rises to " \
           f"{100 * fact('risk_belief', **now):.0f} %" in PAGE


def errors(risk, epsilon, mu, **now):
    """The 95 % errors of Laplace and of Gaussian noise, where both leave an attacker this risk."""
    assert fact(*risk, "laplace", epsilon=epsilon, **now) == pytest.approx(risk_of_gauss(mu, **now), rel=1e-9)
    return f"{math.log(20) / epsilon:.3g}", f"{ndtri(0.975) / mu:.3g}"


def risk_of_gauss(mu, *, false_alarms=None, **_):
    return ndtr(mu / 2) if false_alarms is None else ndtr(ndtri(false_alarms) + mu)


def test_that_laplace_and_gauss_change_places_with_whom_one_fears():
    even = errors(("risk_success",), -2 * math.log(0.8), 2 * ndtri(0.6), attacker="membership", presence_prior=0.5)
    found = errors(("risk_found",), math.log(1.9), ndtri(0.019) - ndtri(0.01), attacker="membership",
                   false_alarms=0.01)
    assert "the 95 % error of Laplace noise is {} and that of Gaussian noise {};".format(*even) in PAGE
    assert "at 1 % false accusations it is {} against {}.".format(*found) in PAGE
