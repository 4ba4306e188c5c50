"""Canonical noise against its definition in many digits, its recursion, integrals of its density, and draws."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from goodness import kolmogorov_smirnov
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracle_kit import found, is_near, rows_of

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import CanonicalNoise, GeometricNoise

ROWS = [row for row in rows_of("testing") if "CanonicalNoise" in row["call"]]
epsilons = st.floats(-14, 3).map(math.exp) | st.sampled_from([1e-6, 20.0, 700.0])
deltas = st.sampled_from([0.0, 1e-100, 1e-9, 1e-3, 0.3])
noises = st.builds(CanonicalNoise, epsilons, deltas) | st.builds(CanonicalNoise, st.just(0.0), st.floats(1e-9, 1))
some = [CanonicalNoise(1.0), CanonicalNoise(0.3, 1e-3), CanonicalNoise(2.0, 0.1), CanonicalNoise(0.0, 0.2),
        CanonicalNoise(0.05, 1e-6), CanonicalNoise(1.0, 1.0), CanonicalNoise(4.0, 1e-9)]
every = pytest.mark.parametrize("noise", some, ids=str)


def exact_cdf(epsilon, delta, x):
    """F as Awan & Slavković define it: geometric plus uniform, cut off where q/2 lies beyond."""
    e, d, x = mpmath.mpf(epsilon), mpmath.mpf(delta), mpmath.mpf(x)
    if not epsilon:
        return min(max(mpmath.mpf(1) / 2 + d * x, 0), 1)
    a = mpmath.exp(-e)
    q = 2 * d * a / (1 - a + 2 * d * a)
    r = mpmath.floor(x + mpmath.mpf(1) / 2)
    below = a ** (1 - r) / (1 + a) if r < 1 else 1 - a**r / (1 + a)
    whole = below + (1 - a) / (1 + a) * a ** abs(r) * (x - r + mpmath.mpf(1) / 2)
    return min(max((whole - q / 2) / (1 - q), 0), 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["call"].rpartition(".")[2])
def test_that_canonical_noise_equals_the_oracle(row):
    assert is_near(row, found(row))


@given(noise=noises, z=st.floats(-30, 30))
@example(noise=CanonicalNoise(1.0), z=-0.5)
@example(noise=CanonicalNoise(1.0, 1e-3), z=0.5)
def test_that_the_cdf_and_the_tail_are_those_of_the_definition(noise, z):
    x = z * min(noise.sd, 1e12)
    # A double next to an edge is as far from it as its last digits say.
    rounding = 4 * np.spacing(abs(x) + noise.edge if noise.delta else abs(x)) * noise.density(0)
    with mpmath.workdps(400):
        for value, at in ((noise.cdf(x), x), (noise.tail(x), -x)):
            exact = float(exact_cdf(noise.epsilon, noise.delta, at))
            assert value == pytest.approx(exact, rel=1e-12, abs=min(rounding, 1e-16) if noise.delta else 1e-300)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-3), (0.1, 1e-9), (0.001, 1e-6), (5.0, 1e-100), (0.0, 1e-3),
                                                (1e-6, 1e-6)])
def test_that_tails_keep_their_digits_down_to_the_edge(epsilon, delta):
    noise = CanonicalNoise(epsilon, delta)
    with mpmath.workdps(300):
        for away in (1e-3, 0.2, 0.9, 1.0, 1.7, 30.0):
            x = -noise.edge + away
            if abs(x) > noise.edge:
                continue
            off = 20 * np.spacing(noise.edge) / away
            assert noise.cdf(x) == pytest.approx(float(exact_cdf(epsilon, delta, x)), rel=1e-12 + off, abs=0)
    assert noise.cdf(-noise.edge) <= np.spacing(noise.edge) * noise.density(-noise.edge + 0.1)
    assert noise.density(noise.edge * 1.000001) == 0.0 < noise.density(noise.edge * 0.999999)


@given(noise=noises, u=st.floats(-20, 20))
def test_that_f_rises_by_one_as_steeply_as_it_may(noise, u):
    assume(noise.epsilon <= 20)
    x = u * min(noise.sd, 1e6)
    before, after = noise.cdf(x), noise.cdf(x + 1)
    if not before:  # the first above 0 is at most δ
        assert after <= noise.delta * (1 + 1e-12)
        return
    grown = min(math.exp(noise.epsilon) * before + noise.delta,
                1 - math.exp(-noise.epsilon) * (noise.tail(x) - noise.delta), 1)
    edge = 8 * np.spacing(abs(x) + 1 + (noise.edge if noise.delta else 0)) * noise.density(0) * math.exp(noise.epsilon)
    assert after == pytest.approx(grown, rel=1e-12, abs=edge + 4e-16)


def pieces(noise, moved):
    """Every stretch on which neither density jumps: its width, and both densities."""
    far = min(noise.edge, 60 / max(noise.epsilon, 1e-3) + 2) + moved + 1
    jumps = noise.jumps(-far, far, 10**7)
    cuts = np.unique(np.concatenate([jumps, jumps + moved, [-far, far]]))
    middle, width = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    keep = width > 1e-9
    return width[keep], noise.density(middle[keep] - moved), noise.density(middle[keep])


@every
@pytest.mark.parametrize("moved", [1, 2, 5])
def test_that_delta_and_the_trade_off_are_the_hockey_stick_and_its_mirror(noise, moved):
    width, there, absent = pieces(noise, moved)
    for at in (0.0, 0.5 * noise.epsilon, noise.epsilon, 1.7 * noise.epsilon, 6.0):
        more = there > math.exp(at) * absent * (1 + 1e-9)
        expected = (width * (there - math.exp(at) * absent))[more].sum()
        assert noise.delta_at(at, moved) == pytest.approx(expected, rel=1e-9, abs=1e-13)
        beyond = (width * there)[more].sum()
        assert noise.loss_exceeds(at, moved) == pytest.approx(beyond, rel=1e-9, abs=1e-13)
    order = np.argsort(-there / np.maximum(absent, 1e-200), kind="stable")
    alpha, power = np.cumsum((width * absent)[order]), np.cumsum((width * there)[order])
    for level in (0.0, 1e-3, 0.05, 0.3, 0.5, 0.9, 1.0):
        best = np.interp(level, np.append(0, alpha), np.append(0, power))
        if level == 0:
            best = power[alpha <= 1e-12].max(initial=0.0)
        assert noise.power(level, moved) == pytest.approx(best, rel=1e-9, abs=1e-12)
        assert noise.trade_off(level, moved) == pytest.approx(1 - best, abs=1e-12)


@given(noise=noises)
def test_that_a_count_with_it_is_epsilon_delta_private_exactly(noise):
    assert noise.delta_at(noise.epsilon) == pytest.approx(noise.delta, rel=1e-14, abs=0)
    assert noise.delta_at(noise.epsilon) >= noise.delta
    assert noise.delta_at(noise.epsilon * 0.9) > noise.delta or not noise.epsilon or noise.epsilon > 30
    assert noise.delta_at(noise.epsilon + 600) == pytest.approx(noise.delta, rel=1e-14, abs=0)


@given(epsilon=st.floats(-5, 3).map(math.exp), part=st.floats(0, 1), moved=st.integers(1, 4))
def test_that_it_tells_without_delta_what_geometric_noise_tells(epsilon, part, moved):
    noise, whole = CanonicalNoise(epsilon), GeometricNoise(epsilon)
    assert noise.delta_at(part * epsilon * moved, moved) == whole.delta_at(part * epsilon * moved, moved)
    np.testing.assert_allclose(noise.trade_off([0.01, 0.3, 0.7], moved), whole.trade_off([0.01, 0.3, 0.7], moved),
                               rtol=1e-11)
    assert noise.largest_loss(moved) == epsilon * moved
    assert noise.rounded_sd == whole.sd
    np.testing.assert_allclose(noise.cdf(np.arange(-5, 6) + 0.5), whole.cdf(np.arange(-5, 6)), rtol=1e-12)


@every
def test_that_moments_are_integrals_of_the_density(noise):
    width = np.diff(cuts := np.unique(np.append(noise.jumps(-2000, 2000, 10**5), 0.0)))
    density = noise.density((cuts[1:] + cuts[:-1]) / 2)
    middle = (cuts[1:] + cuts[:-1]) / 2
    assert (width * density).sum() == pytest.approx(1, abs=1e-13)
    second = (width * density * (middle**2 + width**2 / 12)).sum()
    assert noise.sd**2 == pytest.approx(second, rel=1e-11)
    assert noise.mean_error == pytest.approx((width * density * np.abs(middle)).sum(), rel=1e-11)
    whole = np.rint(middle)
    assert noise.rounded_sd**2 == pytest.approx((width * density * whole**2).sum(), rel=1e-11, abs=1e-300)
    for at in (0.2, 0.5, 1.0, 2.3, 40.0):
        from_there = np.unique(np.concatenate([cuts[cuts > at], [at]]))
        width_, middle_ = np.diff(from_there), (from_there[1:] + from_there[:-1]) / 2
        mass = width_ * noise.density(middle_)
        first, square = noise.excess(np.array([at]))
        assert first[0] == pytest.approx((mass * (middle_ - at)).sum(), rel=1e-11, abs=1e-200)
        assert square[0] == pytest.approx((mass * ((middle_ - at) ** 2 + width_**2 / 12)).sum(), rel=1e-11, abs=1e-200)


@given(noise=noises, p=st.floats(-60, -0.7).map(math.exp) | st.floats(0, 1, allow_subnormal=False))
def test_that_the_quantile_undoes_the_cdf(noise, p):
    x = noise.quantile(p)
    if not 0 < p < 1:
        assert x == (noise.edge if p else -noise.edge)
        return
    tail = min(p, 1 - p)
    off = 8 * np.spacing(abs(x)) * noise.density(0) * (1 + math.exp(min(noise.epsilon, 700)) * tail)
    assert (noise.cdf(x) if p < 0.5 else noise.tail(x)) == pytest.approx(tail, rel=1e-12, abs=off)
    assert noise.quantile(1 - tail) == pytest.approx(-noise.quantile(1 - (1 - tail)), rel=1e-9, abs=1e-9 * noise.sd)


@every
def test_that_draws_have_its_law_and_stay_within_the_edge(noise):
    drawn = np.asarray(noise.sample(100_000, np.random.default_rng(3)))
    assert kolmogorov_smirnov(drawn, noise.cdf) > 1e-3
    assert kolmogorov_smirnov(drawn * 1.1, noise.cdf) < 1e-3
    assert np.abs(drawn).max() <= noise.edge
    assert np.abs(drawn.mean()) < 5 * noise.sd / math.sqrt(drawn.size)


@every
def test_that_losses_are_infinite_beyond_an_edge_alone(noise):
    crossing = noise.crossing(0.3 * noise.epsilon)
    if noise.delta:
        assert noise.largest_loss() == math.inf == noise.loss(noise.edge + 0.5)
        assert noise.loss(-noise.edge + 0.5) == -math.inf
        assert noise.crossing(noise.epsilon) == noise.edge
    assert noise.loss(crossing + 1e-9) > 0.3 * noise.epsilon
    assert noise.loss(crossing - 1e-9) <= 0.3 * noise.epsilon
    assert noise.crossing(-2 * noise.epsilon - 1) == (1 - noise.edge if noise.edge > 0.5 else noise.edge)


def test_that_far_tails_have_logarithms_where_they_are_no_doubles():
    noise = CanonicalNoise(3.0)
    assert noise.log_tail(1000.5) == pytest.approx(-3 * 1001 - math.log(1 + math.exp(-3)), rel=1e-12)
    assert noise.tail_loss(1e6) == pytest.approx(3.0, rel=1e-12)
    assert CanonicalNoise(3.0, 1e-9).log_tail(1000.0) == -math.inf


@given(noise=noises, x=st.floats(allow_nan=False, allow_infinity=False), epsilon=st.floats(0, 1e308))
def test_that_extreme_numbers_raise_no_warning_for_canonical_noise(noise, x, epsilon):
    for value in (noise.cdf(x), noise.tail(x), noise.density(x), noise.delta_at(epsilon), noise.delta_at(epsilon, 3),
                  noise.trade_off(0.3), noise.sd):
        assert 0 <= value < math.inf


@pytest.mark.parametrize(("call", "message"), [
    (lambda: CanonicalNoise(0.0), r"epsilon must be in \(0, ∞\), got 0.0 \(without δ no noise is 0-DP\)"),
    (lambda: CanonicalNoise(-1.0, 0.1), r"epsilon must be in \[0, ∞\), got -1.0"),
    (lambda: CanonicalNoise(math.nan), r"epsilon must be in \[0, ∞\), got nan"),
    (lambda: CanonicalNoise(1.0, 1.5), r"delta must be in \[0, 1\], got 1.5"),
    (lambda: CanonicalNoise(1.0).delta_at(1.0, 0.5), r"sensitivity must be an integer in .*, got 0.5"),
    (lambda: CanonicalNoise(1.0).cdf(math.nan), r"x must be in \(−∞, ∞\), got nan"),
    (lambda: CanonicalNoise(1.0).quantile(1.1), r"p must be in \[0, 1\], got 1.1"),
    (lambda: CanonicalNoise.for_guarantee(1.0, 0.0, 2.0), r"sensitivity must be 1, by which .*, got 2.0"),
])
def test_that_what_canonical_noise_cannot_be_is_refused(call, message):
    with pytest.raises(InvalidParameter, match=message):
        call()
