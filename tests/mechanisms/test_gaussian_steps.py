"""What is integrated over one step of a Gaussian decision: right to rounding, at no more places than that takes."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from dpstudio.core.law import largest_loss
from dpstudio.mechanisms.decision import gaussian
from dpstudio.mechanisms.decision.gaussian import GaussianDecision

LONG, SHORT = 0.5, 0.05


@pytest.fixture
def asked(monkeypatch):
    """How many values of erfcx and of Φ are computed."""
    counts = {"erfcx": 0, "ndtr": 0}
    for name in counts:
        monkeypatch.setattr(gaussian, name, counting(counts, name))
    return counts


def counting(counts, name):
    function = getattr(gaussian, name)

    def counted(x, *args, **keywords):
        counts[name] += np.size(x)
        return function(x, *args, **keywords)

    return counted


@pytest.mark.parametrize(("mu", "places"), [(LONG, 24), (SHORT, 8)])
def test_that_a_short_step_is_asked_at_a_third_of_the_places(asked, mu, places):
    GaussianDecision(mu, 100, 0.9).loss_accept(np.arange(50.0))
    assert asked["erfcx"] == places * 50


def test_that_beside_the_maximum_nothing_above_0_is_computed(asked):
    decision = GaussianDecision(SHORT, 10_000, 0.9)
    asked["ndtr"] = 0
    decision.delta_at(np.array([0.1, 0.2, 0.3]))
    assert asked["erfcx"]
    assert not asked["ndtr"]


@pytest.mark.parametrize("mu", [1e-3, gaussian._SHORT / 2, gaussian._SHORT, np.nextafter(gaussian._SHORT, 1), 0.9])
def test_that_losses_are_those_of_forty_digits(mu):
    decision, n = GaussianDecision(mu, 0, 0.5), np.rint(np.linspace(0, 36 / mu, 60))
    with mpmath.workdps(40):
        rise = [(mpmath.ncdf(-mpmath.mpf(mu) * k), mpmath.ncdf(-mpmath.mpf(mu) * (k + 1))) for k in n]
        wanted = [float(mpmath.log(here / after)) for here, after in rise]
    np.testing.assert_allclose(decision.loss_reject(n), wanted, rtol=1e-12)
    with mpmath.workdps(330):
        yes = [float(mpmath.log((1 - mpmath.ncdf(-mpmath.mpf(mu) * (k + 1))) / (1 - mpmath.ncdf(-mpmath.mpf(mu) * k))))
               for k in n]
    np.testing.assert_allclose(decision.loss_accept(n), yes, rtol=1e-11, atol=1e-300)


def test_that_the_largest_loss_is_known_without_a_search(asked):
    decision = GaussianDecision(SHORT, 100, 0.9)
    asked["erfcx"] = 0
    assert largest_loss(decision) == np.inf
    assert not asked["erfcx"]
    losses = np.asarray(decision.loss_reject(10.0 ** np.arange(3, 10)))
    assert (np.diff(losses) > SHORT).all()
