"""How likely a record is found: 1 − T(α) without its subtraction, and T where next to nothing is missed."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from attackers import found, missed, responses
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.core import law as core
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import Together, WorstReleases
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    DiscreteGaussianDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise
from dpstudio.mechanisms.response import RandomizedResponse, RepeatedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse

PURE = [
    (laws.Claim(0.7, 0.0), 0.7), (laws.ClaimOfGroup(0.35, 0.0, 2), 0.7), (laws.Moved(LaplaceNoise(2.0), 1.4), 0.7),
    (laws.Moved(GeometricNoise(0.35), 2), 0.7), (laws.Moved(StaircaseNoise(0.7, 1.0), 1.0), 0.7),
    (RandomizedResponse.symmetric(0.7), 0.7), (WorstReleases(0.35, 0.0, 2), 0.7), (Together((0.2, 0.5)), 0.7),
    (LaplaceDecision(0.7, 20.3), 0.7), (GeneralizedDecision(0.7, 0.0, 20, 0.3), 0.7),
    (laws.AsymmetricLaplace(0.7, 0.7), 0.7), (laws.Tightest((laws.Claim(0.7, 0.0), laws.Shifted(30.0))), 0.7),
    (laws.Tightest((WorstReleases(0.35, 0.0, 2), WorstReleases(5.0, 0.0, 3))), 0.7),
    (RepeatedResponse(RandomizedResponse.symmetric(0.1), 7), 0.7),
    (laws.ByProfile(ShuffledResponse(0.7, 100), 0.7), None),
]
LAWS = [law for law, _ in PURE] + [
    laws.Claim(0.7, 0.01), laws.Claim(math.inf, 0.0), laws.Claim(0.0, 0.0), laws.Claim(0.0, 0.3), laws.Shifted(0.02),
    laws.Shifted(9.0), laws.ClaimOfGroup(0.5, 0.01, 5), laws.ClaimOfGroup(0.0, 0.01, 5), WorstReleases(0.05, 1e-7, 200),
    laws.Moved(DiscreteGaussianNoise(3.0), 2), laws.Moved(GaussianNoise(3.0), 2.0),
    laws.Telling(1e-4, laws.Shifted(0.5)), laws.Telling(0.3, LaplaceDecision(0.7, 20.3)),
    laws.RefusingZero(LaplaceDecision(0.7, 2.3)), laws.RefusingZero(GeneralizedDecision(0.3, 1e-3, 20, 0.3)),
    CutoffExponentialDecision(0.3, 20), GeneralizedDecision(0.3, 1e-3, 20, 0.3), GaussianDecision(0.4, 20, 0.5),
    DiscreteGaussianDecision(3.0, 20, 0.4), RandomizedResponse.two_coin(0.3, 0.9), RandomizedResponse(1.0, 0.25),
    RepeatedResponse(RandomizedResponse.two_coin(0.3, 0.9), 3), Together((0.1, 0.7), 0.02),
    laws.AsymmetricLaplace(0.2, 1.0), laws.AsymmetricLaplace(0.0, 1.0), laws.Moved(StaircaseNoise(2.0, 1.0), 2.5),
]
MIDDLE = np.array([0.0, 1e-3, 0.05, 0.3, 0.5, 0.8, 0.999, 1.0])


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_power_is_what_the_trade_off_leaves(law):
    assert law.power(MIDDLE) == pytest.approx(1 - np.asarray(law.trade_off(MIDDLE)), abs=2e-15)
    assert type(law.power(0.3)) is float
    assert law.power(np.full((2, 3), 0.3)).shape == (2, 3)
    assert law.power(np.empty(0)).shape == (0,)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_nothing_is_found_less_often_than_by_guessing_and_more_alarms_find_more(law):
    alpha = np.concatenate([np.geomspace(1e-30, 0.5, 300), 1 - np.geomspace(0.5, 1e-12, 300)])
    power = law.power(alpha)
    assert (power >= alpha * (1 - 1e-15)).all()
    assert (np.diff(power) >= -1e-15 * power[1:]).all()


@pytest.mark.parametrize(("law", "epsilon"), [each for each in PURE if each[1]], ids=str)
@pytest.mark.parametrize("alpha", [1e-300, 1e-40, 1e-12, 1e-5])
def test_pure_privacy_multiplies_what_is_rare_by_e_to_epsilon_to_twelve_digits(law, epsilon, alpha):
    assert law.power(alpha) == pytest.approx(math.exp(epsilon) * alpha, rel=1e-12, abs=0)


@pytest.mark.parametrize(("law", "epsilon"), [each for each in PURE if each[1]], ids=str)
@pytest.mark.parametrize("rest", [2.0**-53, 2.0**-40, 2.0**-20])
def test_pure_privacy_leaves_e_to_minus_epsilon_of_what_no_alarm_says(law, epsilon, rest):
    assert law.trade_off(1 - rest) == pytest.approx(math.exp(-epsilon) * rest, rel=1e-12, abs=0)


@given(epsilon=st.floats(1e-12, 40), log_delta=st.floats(-40, -0.1), log_alpha=st.floats(-300, -0.01))
@example(epsilon=1e-12, log_delta=-40.0, log_alpha=-46.0)
def test_the_power_of_epsilon_and_delta_keeps_its_digits(epsilon, log_delta, log_alpha):
    delta, alpha = math.exp(log_delta), math.exp(log_alpha)
    with mpmath.workdps(200):
        e, d, a = mpmath.exp(epsilon), mpmath.mpf(delta), mpmath.mpf(alpha)
        exact = float(min(1, e * a + d, 1 - (1 - d - a) / e))
    assert laws.Claim(epsilon, delta).power(alpha) == pytest.approx(exact, rel=1e-13, abs=0)


@given(epsilon=st.floats(0, 40), delta=st.floats(0, 1), log_gap=st.floats(-34, -3))
@example(epsilon=1.0, delta=0.3, log_gap=-30.0)
def test_what_epsilon_and_delta_leave_unseen_keeps_its_digits_where_hardly_anything_is(epsilon, delta, log_gap):
    alpha = max(1 - delta - math.exp(log_gap), 0.0)
    with mpmath.workdps(60):
        e, d, a = mpmath.exp(epsilon), mpmath.mpf(delta), mpmath.mpf(alpha)
        exact = max(1 - d - e * a, (1 - d - a) / e, mpmath.mpf(0))
        rounding = float(e * a) * 1e-15 if exact == 1 - d - e * a else 0.0
    assert laws.Claim(epsilon, delta).trade_off(alpha) == pytest.approx(float(exact), rel=1e-13, abs=rounding)


@given(mu=st.floats(1e-3, 8), log_alpha=st.floats(-60, -0.01))
def test_the_power_and_the_misses_of_gaussian_privacy_keep_ten_digits(mu, log_alpha):
    alpha = math.exp(log_alpha)
    with mpmath.workdps(60):
        def below(z):
            return mpmath.erfc(-z / mpmath.sqrt(2)) / 2
        log = mpmath.log(mpmath.mpf(alpha))
        z = mpmath.findroot(lambda z: mpmath.log(below(z)) - log, -mpmath.sqrt(-2 * log_alpha), tol=1e-60,
                            maxsteps=200, verify=False)
        power, missed = float(below(z + mpmath.mpf(mu))), float(below(-z - mpmath.mpf(mu)))
    near = 1e-12 if alpha > 1e-8 else 1e-10
    for law in (laws.Shifted(mu), laws.Moved(GaussianNoise(2.0), 2 * mu)):
        assert law.power(alpha) == pytest.approx(power, rel=near, abs=0)
        assert law.trade_off(alpha) == pytest.approx(missed, rel=1e-12 if missed > 1e-6 else 1e-10, abs=0)


@pytest.mark.parametrize("noise", [GeometricNoise(0.4), DiscreteGaussianNoise(2.5), DiscreteGaussianNoise(0.4)],
                         ids=str)
@pytest.mark.parametrize("shift", [1, 3])
@pytest.mark.parametrize("alpha", [1e-25, 1e-12, 1e-4, 0.3, 0.5, 0.9, 1 - 2.0**-30, 1 - 2.0**-48])
def test_the_tails_of_whole_noise_are_added_up(noise, shift, alpha):
    with mpmath.workdps(50):
        rate = mpmath.mpf(0.4)
        places = range(-400, 401)
        weigh = (lambda x: mpmath.exp(-rate * abs(x))) if isinstance(noise, GeometricNoise) else (
            lambda x: mpmath.exp(-mpmath.mpf(x) ** 2 / (2 * mpmath.mpf(noise.sigma) ** 2)))
        total = mpmath.fsum(weigh(x) for x in range(-3000, 3001)) if isinstance(noise, GeometricNoise) else mpmath.fsum(
            weigh(x) for x in places)
        left, power = mpmath.mpf(alpha), mpmath.mpf(0)
        for x in reversed(places):
            mass = weigh(x) / total
            part = min(left / mass, 1) if mass else mpmath.mpf(1)
            power += part * weigh(x - shift) / total
            left -= part * mass
            if part < 1:
                break
        missed = 1 - power
    assert noise.power(alpha, shift) == pytest.approx(float(power), rel=1e-11, abs=0)
    assert noise.trade_off(alpha, shift) == pytest.approx(float(missed), rel=1e-11, abs=1e-28)


@pytest.mark.parametrize("shift", [0.6, 1.0, 2.5])
@pytest.mark.parametrize("alpha", [1e-12, 1e-3, 0.4, 0.7, 1 - 2.0**-17, *(1 - 2.0**-k for k in range(22, 31))])
@pytest.mark.parametrize("epsilon", [1.5, 6.0])
def test_the_tails_of_a_staircase_are_those_of_its_steps(shift, alpha, epsilon):
    noise = StaircaseNoise(epsilon, 1.0)
    edges = np.unique(np.concatenate([noise.jumps(-45.0, 45.0, 10_000), noise.jumps(-45.0, 45.0, 10_000) + shift]))
    middle, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    p, q = (np.asarray(noise.density(at)) * widths for at in (middle - shift, middle))
    assert noise.power(alpha, shift) == pytest.approx(found(p, q, alpha), rel=1e-9, abs=0)
    expected = 1 - found(p, q, alpha) if alpha < 0.5 else missed(p, q, alpha)  # from where 1 − α is exact
    assert noise.trade_off(alpha, shift) == pytest.approx(expected, rel=1e-10, abs=1e-12 if alpha < 0.5 else 1e-17)


@pytest.mark.parametrize("alpha", [1e-20, 1e-12, 1e-3, 0.2, 0.6])
@pytest.mark.parametrize(("law", "epsilons", "tells"), [
    (WorstReleases(0.2, 1e-9, 6), [0.2] * 6, -math.expm1(6 * math.log1p(-1e-9))),
    (Together((0.2, 0.5, 1.1), 1e-9), [0.2, 0.5, 1.1], 1e-9),
], ids=str)
def test_the_power_of_releases_together_is_that_of_the_best_test(law, epsilons, tells, alpha):
    assert law.power(alpha) == pytest.approx(found(*responses(epsilons, tells), alpha), rel=1e-12, abs=0)


@pytest.mark.parametrize("rest", [2.0**-20, 2.0**-40, 2.0**-50])
def test_many_releases_leave_the_misses_of_the_least_likely_counts(rest):
    with mpmath.workdps(50):
        truth = 1 / (1 + mpmath.exp(mpmath.mpf(-0.3)))
        left, expected = mpmath.mpf(rest), mpmath.mpf(0)
        for j in range(61):  # so many truths of 60 where the record is there, and lies where it is not
            p, q = (mpmath.binomial(60, j) * one**j * (1 - one) ** (60 - j) for one in (truth, 1 - truth))
            part = min(left / q, 1)
            expected += part * p
            left -= part * q
            if part < 1:
                break
    assert WorstReleases(0.3, 0.0, 60).trade_off(1 - rest) == pytest.approx(float(expected), rel=1e-11, abs=0)
    assert Together((0.3,) * 60).trade_off(1 - rest) == pytest.approx(float(expected), rel=1e-11, abs=0)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_what_a_law_does_not_say_follows_from_its_trade_off(law):
    class Bare:
        delta_at, trade_off = law.delta_at, law.trade_off

    assert core.power(Bare(), MIDDLE) == pytest.approx(law.power(MIDDLE), abs=2e-15)
    assert not core.same_both_ways(Bare())
    assert core.after(Bare(), 2) is None
    assert core.grouped(Bare(), 2) is None


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_alarms_that_are_no_probability_are_refused(law, bad):
    with pytest.raises(ValueError, match=r"^alpha must be in \[0, 1\]"):
        law.power(bad)


@pytest.mark.parametrize("law", [law for law in LAWS if core.same_both_ways(law)], ids=str)
@given(low=st.floats(1e-9, 1), high=st.floats(1e-9, 1), part=st.floats(0, 1))
def test_a_law_that_is_the_same_both_ways_has_one_concave_power(law, low, high, part):
    at = low + part * (high - low)
    assert law.power(at) >= law.power(low) + part * (law.power(high) - law.power(low)) - 1e-14
    if law.trade_off(at) > 0:
        assert law.trade_off(law.trade_off(at)) <= at + 1e-9  # its own inverse, where it falls at all
