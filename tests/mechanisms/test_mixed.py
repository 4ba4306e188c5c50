"""Unlike releases together: closed forms, integrals within each other, another library, bounds above what is exact."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import RECORD, Guarantee
from dpstudio.core.sources import DERIVED
from dpstudio.core.special import log_binomial
from dpstudio.mechanisms import laws
from dpstudio.mechanisms.composition import Together, WorstReleases
from dpstudio.mechanisms.mixed import Mixed, sums, transform
from dpstudio.mechanisms.mixed.pieces import Pieces
from dpstudio.mechanisms.mixed.sums import Averaged, Beside, Cut, sum_of
from dpstudio.mechanisms.mixed.transform import Transform
from dpstudio.mechanisms.noise import GeometricNoise, LaplaceNoise

X = np.array([0.0, 0.1, 0.4, 0.9, 1.3, 2.0, 2.9])
ALPHA = np.concatenate([[0.0], np.geomspace(1e-12, 0.5, 25), 1 - np.geomspace(1e-12, 0.5, 25)[::-1], [1.0]])
ONE_EACH = Mixed((0.3, 0.9), 0.5, (0.4,), 1e-4)
LOSSES = st.lists(st.floats(-14, 3).map(math.exp), max_size=4).map(tuple)


# Integrals


def gaussian(mu, x):
    """δ of μ at any real x."""
    if x < 0:
        return -mpmath.expm1(x) + mpmath.exp(x) * gaussian(mu, -x)
    if mu == 0:
        return mpmath.mpf(0)
    return mpmath.ncdf(mu / 2 - x / mu) - mpmath.exp(x) * mpmath.ncdf(-mu / 2 - x / mu)


def one_laplace(loss, mu, x):
    """½δ(x − e) + ½e^−e δ(x + e) + ¼∫ e^((l − e)/2) δ(x − l) dl in closed form [formulary]."""
    def ends(at):
        if mu == 0:
            raise AssertionError
        u, w = mu / 2 - (x - at) / mu, -mu / 2 - (x - at) / mu
        first = 2 * mpmath.exp(at / 2) * mpmath.ncdf(u) - 2 * mpmath.exp(x / 2 - mu**2 / 8) * mpmath.ncdf(u - mu / 2)
        second = (-2 * mpmath.exp(-at / 2) * mpmath.ncdf(w)
                  + 2 * mpmath.exp(-x / 2 - mu**2 / 8) * mpmath.ncdf(w + mu / 2))
        return first - mpmath.exp(x) * second

    return (gaussian(mu, x - loss) / 2 + mpmath.exp(-loss) / 2 * gaussian(mu, x + loss)
            + mpmath.exp(-loss / 2) / 4 * (ends(loss) - ends(-loss)))


@pytest.mark.parametrize(("loss", "mu", "x"), [
    (0.5, 0.4, 0.3), (1, 1, 0), (1, 1, 5), (1, 1, 20), (1, 1, 30), (0.1, 0.05, 0.3), (5, 0.3, 4.9), (5, 0.3, 2),
    (1, 0.01, 0.5), (1, 1e-4, 0.9999), (1, 1e-6, 0.5), (1, 1e-6, 1.0), (1, 1e-6, 1.00002), (1e-3, 1e-3, 1e-3),
    (10, 3, 1), (20, 5, 0.1), (1e-6, 1, 0.3), (1e-6, 1e-6, 1e-6)])
def test_one_laplace_release_beside_gaussian_ones_is_their_closed_form_far_out_too(loss, mu, x):
    with mpmath.workdps(300):
        exact = float(one_laplace(mpmath.mpf(loss), mpmath.mpf(mu), mpmath.mpf(x)))
    found = Mixed((loss,), mu).delta_at(x)
    assert type(found) is float
    assert found == pytest.approx(exact, rel=2e-12 if mu > 1e-5 else 2e-9, abs=0)  # x − e is a double


def nested(losses, mu, x):
    """δ by one integral within the other, cut where losses meet."""
    if len(losses) == 1 and mu:
        return one_laplace(losses[0], mu, x)
    if not losses:
        return gaussian(mu, x)
    first, rest = losses[0], losses[1:]
    choices = itertools.product((-1, 1), repeat=len(rest))
    meet = {sum(s * e for s, e in zip(signs, rest, strict=True)) for signs in choices}
    cuts = sorted({-first, first} | {x - m for m in meet if -first < x - m < first})
    inner = mpmath.quad(lambda loss: mpmath.exp((loss - first) / 2) * nested(rest, mu, x - loss), cuts)
    return nested(rest, mu, x - first) / 2 + mpmath.exp(-first) / 2 * nested(rest, mu, x + first) + inner / 4


@pytest.mark.parametrize(("losses", "mu", "x"), [
    ((1, 1), 0, 1.5), ((0.3, 1.1), 0, 0.2), ((0.3, 1.1), 0, 1.35), ((0.3, 1.1), 0.6, 0.7), ((0.3, 1.1), 0.6, 6),
    ((2, 3), 0.05, 2.5)])
def test_several_laplace_releases_are_integrals_within_each_other(losses, mu, x):
    with mpmath.workdps(20):
        exact = float(nested(tuple(map(mpmath.mpf, losses)), mpmath.mpf(mu), mpmath.mpf(x)))
    assert Mixed(losses, mu).delta_at(x) == pytest.approx(exact, rel=1e-12, abs=0)


@pytest.mark.parametrize("row", [row for row in json.loads(
    (Path(__file__).parents[1] / "oracles" / "laplace_releases.json").read_text("utf-8"))
    if row["quantity"].endswith("exact_delta")], ids=lambda row: row["id"])
def test_equal_laplace_releases_are_those_of_the_oracle(row):
    given = row["params"]
    found = Mixed((float(given["eps"]),) * given["k"]).delta_at(float(given["eps_prime"]))
    assert found == pytest.approx(float(row["value"]), rel=1e-13, abs=1e-17)


@pytest.mark.parametrize(("loss", "k"), [(0.01, 60), (0.5, 60), (2.0, 40), (0.3, 80)])
def test_sums_of_many_losses_cancel_nothing_against_two_hundred_digits(loss, k):
    pieces = Pieces(np.array([loss]), np.array([float(k)]))
    with mpmath.workdps(200):
        e = mpmath.mpf(loss)
        for x in (0.0, 0.3 * k * loss, 0.7 * k * loss):
            # The product of all (½ ± 1/4p) e^(±pe), term by term: a residue at p = 0, and one at p = ½.
            total = mpmath.mpf(0)
            for plus in range(1, k + 1):
                y = (2 * plus - k) * e - mpmath.mpf(x)
                if y <= 0:
                    continue
                a, b = plus - 1, k - plus - 1
                row = [mpmath.mpf(1)]
                for sign in [1] * a + [-1] * max(b, 0):
                    row = [p + sign * q for p, q in zip([*row, 0], [0, *row], strict=True)]
                if b < 0:
                    row = [sum(row[:j + 1], mpmath.mpf(0)) for j in range(300)]
                total += mpmath.binomial(k, plus) * mpmath.fsum(
                    2 * c * (y / 2)**(j + 1) / mpmath.factorial(j + 1) for j, c in enumerate(row))
            exact = float(total * mpmath.exp((x - k * e) / 2) / mpmath.mpf(2)**k)
            assert pieces.at("delta", np.array([x]))[0] == pytest.approx(exact, rel=1e-12, abs=0)


# Ways that must agree


@pytest.mark.parametrize("what", ["delta", "with", "without"])
def test_polynomials_and_the_transform_agree_where_both_are_exact(what):
    losses, none = (np.array([0.1, 0.3, 0.5, 0.7]), np.array([2.0, 1.0, 2.0, 1.0])), (np.empty(0), np.empty(0))
    whole = Transform(*losses, *none, 0.02)
    averaged = Averaged(Beside(Pieces(*losses), sums._atoms(*none)), 0.02)
    x = np.array([0.0, 0.2, 0.51, 1.0, 1.7, 2.1, 2.2, 2.3])
    assert whole.at(what, x) == pytest.approx(averaged.at(what, x), rel=1e-11, abs=0)
    assert whole.missed(x) == pytest.approx(1 - whole.at("with", x), rel=1e-10)


def test_responses_beside_noise_are_averages_over_their_losses():
    noise, both = Mixed((0.3, 0.9), 0.5), Mixed((0.3, 0.9), 0.5, (0.4, 1.5))
    total = np.zeros(X.shape)
    for signs in itertools.product((-1, 1), repeat=2):
        at = X - (0.4 * signs[0] + 1.5 * signs[1])
        mass = math.prod(1 / (1 + math.exp(-s * e)) for s, e in zip(signs, (0.4, 1.5), strict=True))
        ahead = np.asarray(noise.delta_at(np.abs(at)))
        total += mass * np.where(at >= 0, ahead, -np.expm1(at) + np.exp(at) * ahead)
    assert both.delta_at(X) == pytest.approx(total, rel=1e-12)
    pure = Mixed((0.3, 0.9), 0, (0.4, 1.5))
    assert isinstance(pure._sum, Beside)
    assert Mixed((0.3, 0.9), 1e-9, (0.4, 1.5)).delta_at(X) == pytest.approx(pure.delta_at(X), rel=1e-6)


def test_what_is_of_one_kind_is_the_law_of_that_kind():
    for mixed, law in ((Mixed((1.3,)), laws.Moved(LaplaceNoise(1 / 1.3), 1.0)), (Mixed((), 0.7), laws.Shifted(0.7)),
                       (Mixed((), 0, (0.2, 0.5)), Together((0.2, 0.5))), (Mixed(()), laws.Claim(0.0, 0.0)),
                       (Mixed((), 0, (0.5,) * 3, 1 - (1 - 1e-3)**3), WorstReleases(0.5, 1e-3, 3)),
                       (Mixed((), 0, (1.0,)), laws.Moved(GeometricNoise(1.0), 1.0))):
        assert mixed.kind == "exact"
        assert mixed.delta_at(X) == pytest.approx(law.delta_at(X), rel=1e-12, abs=1e-16)
        assert mixed.trade_off(ALPHA) == pytest.approx(law.trade_off(ALPHA), rel=1e-10, abs=1e-15)
        assert mixed.power(ALPHA) == pytest.approx(law.power(ALPHA), rel=1e-10, abs=0)


@pytest.fixture(scope="module")
def library():
    pytest.importorskip("dp_accounting")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld import common, privacy_loss_distribution
    return common, privacy_loss_distribution


@pytest.mark.parametrize("mixed", [Mixed((0.2, 0.5, 0.5), 0.6, (0.4,)), Mixed((0.1,) * 4 + (0.7,), 0.0, (0.3, 0.3)),
                                   Mixed((0.5,), 1.0, (), 1e-5)])
def test_another_library_says_as_much_between_its_two_roundings(library, mixed):
    common, pld = library
    step = 1e-3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for up in (True, False):
            if not up:  # what is a bound alone there is left out
                mixed = Mixed(mixed.laplace, mixed.mu)
            parts = [pld.from_laplace_mechanism(1 / e, value_discretization_interval=step, pessimistic_estimate=up)
                     for e in mixed.laplace]
            parts += [pld.from_privacy_parameters(common.DifferentialPrivacyParameters(e, 0.0), step)
                      for e in mixed.responses]
            if mixed.mu:
                parts.append(pld.from_gaussian_mechanism(1 / mixed.mu, value_discretization_interval=step,
                                                         pessimistic_estimate=up))
            if mixed.told:
                parts.append(pld.from_privacy_parameters(common.DifferentialPrivacyParameters(0.0, mixed.told), step))
            together = parts[0]
            for part in parts[1:]:
                together = together.compose(part)
            theirs, ours = np.array([together.get_delta_for_epsilon(x) for x in X]), np.asarray(mixed.delta_at(X))
            assert (ours <= theirs * (1 + 1e-9) + 1e-14).all() if up else (ours >= theirs * (1 - 1e-9) - 1e-14).all()
            assert ours == pytest.approx(theirs, rel=2e-2, abs=1e-6)


# Bounds


@pytest.mark.parametrize("losses", [(0.1,) * 8, (0.1, 0.2, 0.3, 0.4, 0.5), (2.0, 3.0), (0.01,) * 30])
def test_a_bound_lies_above_what_is_exact_and_near_it(losses, monkeypatch):
    exact = Mixed(losses)
    assert exact.kind == "exact"
    monkeypatch.setattr(sums, "_MOST_PRODUCT", 0)
    bound = Mixed(losses)
    assert bound.kind == "bound"
    assert isinstance(bound._sum, Cut)
    x = math.fsum(losses) * np.array([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.1])
    above, below = np.asarray(bound.delta_at(x)), np.asarray(exact.delta_at(x))
    assert (above >= below).all()
    assert above[-2:].tolist() == [0.0, 0.0]
    assert above[:4] == pytest.approx(below[:4], rel=2e-2, abs=1e-9)  # 1 % where losses meet
    assert (np.asarray(bound.trade_off(ALPHA)) <= np.asarray(exact.trade_off(ALPHA)) * (1 + 1e-9) + 1e-15).all()
    assert bound.largest_loss == math.fsum(losses)


def test_hundreds_of_unlike_releases_are_bounded_at_once():
    mixed = Mixed(tuple(np.linspace(0.01, 0.2, 23)) * 20)
    assert mixed.kind == "bound"
    spread, mean = sum(e * e for e in mixed.laplace), sum(e - 1 + math.exp(-e) for e in mixed.laplace)
    # Nearly a normal law, of which μ² is the variance and twice the mean.
    near = laws.Shifted(math.sqrt(2 * mean))
    assert mean < spread
    assert mixed.delta_at(3.0) == pytest.approx(near.delta_at(3.0), rel=0.15)


# Facts of every law


@given(laplace=LOSSES, mu=st.one_of(st.just(0.0), st.floats(-7, 2).map(math.exp)), responses=LOSSES,
       told=st.sampled_from([0.0, 1e-6, 0.3]))
@example(laplace=(700.0,), mu=0.0, responses=(), told=0.0)
@example(laplace=(20.0, 1e-6), mu=1e-9, responses=(), told=0.0)
@example(laplace=(1e-6,), mu=700.0, responses=(700.0,), told=0.0)
@example(laplace=(3000.0,), mu=1.0, responses=(1.0,), told=0.0)
@settings(max_examples=8)
def test_a_law_falls_from_one_to_nothing_and_its_errors_are_those_of_its_profile(laplace, mu, responses, told):
    mixed = Mixed(laplace, mu, responses, told)
    total = math.fsum(laplace) + math.fsum(responses) + mu
    at = np.concatenate([[0.0], np.geomspace(1e-3, 2.0, 9) * total, [1e9]])
    delta = np.asarray(mixed.delta_at(at))
    assert ((delta >= told) & (delta <= 1)).all()
    assert (np.diff(delta) <= 1e-11).all()
    alpha = np.array([0.0, 1e-12, 1e-4, 0.1, 0.3, 0.5, 0.8, 1 - 1e-9, 1.0])
    missed, power = np.asarray(mixed.trade_off(alpha)), np.asarray(mixed.power(alpha))
    assert missed + power == pytest.approx(np.ones(alpha.size), abs=1e-10)
    assert (np.diff(missed) <= 1e-11).all()
    with np.errstate(over="ignore"):
        lines = 1 - delta[:, None] - np.exp(np.minimum(at, 700.0))[:, None] * alpha
    assert (missed >= lines.max(axis=0) - 1e-10).all()
    for a, t in zip(alpha[1:-2], missed[1:-2], strict=True):  # T is its own inverse where it falls
        if t > 1e-9 and a < 1 - told:
            assert mixed.trade_off(float(t)) == pytest.approx(a, rel=1e-6, abs=1e-10)


@pytest.mark.parametrize("mixed", [ONE_EACH, Mixed((0.2, 0.9)), Mixed((0.2, 0.9), 0, (0.4,)), Mixed((3.0,), 0.05),
                                   Mixed((0.1,) * 8)])
def test_a_trade_off_is_the_greatest_of_all_lines_below_it(mixed):
    at = np.unique(np.append(np.linspace(0, 5, 3001), [0.2, 0.3, 0.5, 0.7, 0.9, 1.1, 1.5]))
    delta = np.asarray(mixed.delta_at(at))
    for alpha in (1e-6, 1e-3, 0.05, 0.2, 0.4, 0.45, 0.5, 0.6, 0.9, 0.999):
        steep, flat = (1 - delta - np.exp(at) * alpha).max(), (np.exp(-at) * (1 - delta - alpha)).max()
        assert mixed.trade_off(alpha) == pytest.approx(max(steep, flat, 0.0), rel=1e-5, abs=1e-12)
        assert mixed.trade_off(alpha) >= max(steep, flat) * (1 - 1e-12)
        assert type(mixed.power(alpha)) is float


def test_tiny_errors_are_the_inverse_of_others():
    law = Mixed((1.0, 0.3), 10.0)
    for alpha in (1e-3, 0.1, 0.4):
        tiny = law.trade_off(alpha)
        assert 0 < tiny < 1e-7
        assert law.trade_off(tiny) == pytest.approx(alpha, rel=1e-8)
    both = Mixed((1.0, 0.3), 14.0)  # where either error is tiny
    assert 1e-13 < both.trade_off(3e-13) < 1e-10
    assert both.trade_off(both.trade_off(3e-13)) == pytest.approx(3e-13, rel=1e-8, abs=0)


@pytest.mark.parametrize("mixed", [ONE_EACH, Mixed((0.3, 0.9), 0.2), Mixed((0.1,) * 12), Mixed((), 0, (0.2, 0.5))])
def test_the_epsilon_of_a_delta_is_enough_and_none_smaller_is(mixed):
    for delta in (1e-3, 1e-6 if not mixed.told else 2e-4):
        epsilon = mixed.epsilon_at(delta)
        assert mixed.delta_at(epsilon) <= delta * (1 + 1e-9)
        assert mixed.delta_at(epsilon * (1 - 1e-7)) > delta
    assert mixed.epsilon_at(0.0) == mixed.largest_loss
    assert mixed.epsilon_at(1.0) == 0.0


def test_so_many_times_and_both_together_are_sums():
    twice = ONE_EACH.after(2)
    assert twice == ONE_EACH.beside(ONE_EACH) or math.isclose(twice.mu, math.hypot(0.5, 0.5))
    assert twice.delta_at(X) == pytest.approx(ONE_EACH.beside(ONE_EACH).delta_at(X), rel=1e-13)
    assert (np.asarray(twice.delta_at(X)) > np.asarray(ONE_EACH.delta_at(X))).all()
    assert twice.told == pytest.approx(1 - (1 - 1e-4)**2, rel=1e-12)
    assert ONE_EACH.after(10**9) is None
    assert Mixed((0.5, 0.0), 0).delta_at(0.2) == Mixed((0.5,)).delta_at(0.2)


def test_a_mixed_law_stands_in_a_guarantee():
    law = Mixed((0.3, 0.9), 0.5)
    guarantee = Guarantee(RECORD, law.epsilon_at(1e-6), 1e-6, law, DERIVED, kind=law.kind)
    assert guarantee.keeps(guarantee.epsilon, 1e-6)
    assert guarantee.largest_loss == math.inf
    assert guarantee.both_ways
    assert guarantee.after(2) == law.after(2)
    assert guarantee.success(0.1) == law.power(0.1) > 0.1


def test_draws_of_losses_have_this_profile():
    rng = np.random.default_rng(5)
    size = 400_000
    noise = rng.laplace(0, 1 / np.array([0.4, 1.1])[:, None], (2, size)) + 1
    loss = ((np.abs(noise) - np.abs(noise - 1)) * np.array([[0.4], [1.1]])).sum(axis=0)
    loss += rng.normal(0.18, 0.6, size)
    loss += np.where(rng.random(size) < 1 / (1 + math.exp(-0.5)), 0.5, -0.5)
    law = Mixed((0.4, 1.1), 0.6, (0.5,))
    for x in (0.0, 0.5, 1.5, 2.5):
        drawn = np.maximum(-np.expm1(x - loss), 0.0)
        assert abs(law.delta_at(x) - drawn.mean()) < 5 * drawn.std() / math.sqrt(size)


@pytest.mark.parametrize("mu", [5e-324, 1e-300, 1e-160, 1e-100, 1e-20])
@pytest.mark.parametrize(("laplace", "responses"), [((0.5,), ()), ((0.5, 0.3), (0.2,)), ((), (1e-3, 223.0)),
                                                    ((0.1,) * 300, (0.2,)), ((1e-300,), ())])
def test_a_mu_of_next_to_nothing_adds_nothing_and_overflows_nothing(laplace, responses, mu):
    at = np.array([0.0, 0.3, 0.7])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixed = Mixed(laplace, mu, responses)
        assert mixed.delta_at(at) == pytest.approx(Mixed(laplace, 0.0, responses).delta_at(at), abs=1e-9)
        assert 0 <= float(mixed.trade_off(0.1)) <= 0.9 + 1e-12
        assert mixed.epsilon_at(1e-6) <= sum(laplace) + sum(responses) + 1e-9


@pytest.mark.parametrize(("given", "said"), [
    (((-1.0,),), r"^laplace must be in \[0, ∞\), got -1\.0$"), (((math.nan,),), r"^laplace must be"),
    (((1.0,), -0.5), r"^mu must be in \[0, ∞\), got -0\.5$"), (((1.0,), math.nan), r"^mu must be"),
    (((1.0,), math.inf), r"^mu must be"), (((), 1.0, (-2.0,)), r"^responses must be"),
    (((), 1.0, (), 1.5), r"^told must be in \[0, 1\], got 1\.5$"), ((((1.0,),),), r"^laplace must be a list"),
    ((1.0,), r"^laplace must be a list")])
def test_what_is_no_release_is_refused(given, said):
    with pytest.raises(InvalidParameter, match=said):
        Mixed(*given)


@settings(max_examples=60)
@given(LOSSES, st.floats(-4, 2).map(math.exp), LOSSES, st.sampled_from([0.0, 1e-9, 1e-4]),
       st.floats(-40, -1).map(math.exp), st.sampled_from([0.0, 1e-14, 1e-11, 3e-9, 1e-7, 0.01, 0.5]))
def test_that_an_epsilon_that_is_told_to_be_enough_or_not_is_so_where_the_least_is_looked_for(
        laplace, mu, responses, told, delta, part):
    for mixed in (Mixed(laplace, mu, responses, told), Mixed((*laplace, 0.7), 0.0, (*responses, *[0.3, 0.01] * 150))):
        least = mixed.epsilon_at(delta)
        if not 0 < least < math.inf:
            assert mixed.is_more_than_enough(least, delta) is None
            assert mixed.is_more_than_enough(1e-9, delta) in (None, least == 0)
            continue
        for epsilon in (least * (1 - part), least, least * (1 + part)):
            assert mixed.is_more_than_enough(epsilon, delta) in (None, least < epsilon)
        if part >= 0.01 and mixed._known is None and type(mixed._sum) in (Transform, Cut):
            assert mixed.is_more_than_enough(least * (1 + part), delta) is True
            assert mixed.is_more_than_enough(least * (1 - part), delta) is False


@pytest.mark.parametrize("ask", ["delta_at", "trade_off", "power", "epsilon_at"])
def test_what_is_no_number_is_asked_in_vain(ask):
    for mixed in (ONE_EACH, Mixed((0.3, 0.9))):
        for bad in (math.nan, -0.1, math.inf, "1", None):
            with pytest.raises(InvalidParameter, match=r" must be .*, got "):
                getattr(mixed, ask)(bad)
        if ask != "epsilon_at":
            assert getattr(mixed, ask)(np.array([[0.1, 0.2], [0.3, 0.4]])).shape == (2, 2)
            assert getattr(mixed, ask)([]).shape == (0,)


@pytest.mark.parametrize("what", ["delta", "with", "without"])
def test_a_value_that_takes_more_nodes_than_are_computed_at_once_is_summed_in_parts(what, monkeypatch):
    losses, none = (np.array([0.3, 0.9]), np.array([2.0, 1.0])), (np.empty(0), np.empty(0))
    x = np.array([0.0, 0.2, 1.0, 1.4])
    at_once = Transform(*losses, *none, 0.01).at(what, x)
    widest, asked = [], []
    parts_of = Transform._parts

    def seen(self, z):
        widest.append(np.size(z) if np.iscomplexobj(z) else 0)
        return parts_of(self, z)

    monkeypatch.setattr(Transform, "_parts", seen)
    monkeypatch.setattr(transform, "_AT_ONCE", 100)
    monkeypatch.setattr(transform, "still_awaited", lambda: asked.append(len(widest)))
    assert Transform(*losses, *none, 0.01).at(what, x) == pytest.approx(at_once, rel=1e-13, abs=0)
    assert max(widest) == 100
    assert len(asked) > widest.count(100) > 20  # who no longer waits ends it between any two


@pytest.mark.parametrize("what", ["delta", "with", "without"])
def test_many_responses_beside_noise_are_averages_over_their_number_also_where_next_to_nothing_lacks_to_1(what):
    loss, times, mu, side = 0.5, 2000, 0.4, -1 if what == "without" else 1
    whole = Transform(np.empty(0), np.empty(0), np.array([loss]), np.array([float(times)]), mu)
    yes = np.arange(times + 1.0)
    masses = np.exp(log_binomial(yes, times, *(1 / (1 + math.exp(sign * side * loss)) for sign in (-1, 1))))
    x = side * whole._mean + math.sqrt(whole._squares) * np.linspace(-16.0, 8.0, 97)
    left = x[:, None] - loss * (2 * yes - times)
    tails = ndtr((side * mu * mu / 2 - left) / mu)
    if what == "delta":  # of Gaussian noise, at what is left of ε
        tails -= np.exp(np.minimum(left, 700.0) + log_ndtr((-mu * mu / 2 - left) / mu))
    found = whole.at(what, x)
    assert found == pytest.approx(np.minimum(tails @ masses, 1.0), rel=1e-11, abs=1e-280)
    assert (found == 1).sum() > 10
    assert ((found > 1e-3) & (found < 0.999)).sum() > 5


def test_delta_at_losses_below_all_there_are_is_what_is_left_of_1():
    whole = Transform(np.array([0.3]), np.ones(1), np.empty(0), np.empty(0), 0.01)
    x = np.array([-0.5, -1.0, -3.0, -30.0])
    assert whole.at("delta", x) == pytest.approx(-np.expm1(x), rel=1e-12)


@pytest.mark.parametrize(("laplace", "responses", "mu", "kind"), [
    (((0.00015883, 156165), (0.00047649, 52055)), ((4.76e-05, 52055),), 0.0520875, "exact"),
    (((0.348385049, 174574), (9.2e-05, 9)), (), 0.48506, "bound"),
    (((0.00109, 1), (2.613e-05, 88521)), (), 0.000242, "exact"),
    (((0.117371, 110002), (0.00016117, 131)), (), 1.55799, "exact")])
def test_of_thousands_of_releases_a_value_takes_few_nodes_wherever_it_is_asked(laplace, responses, mu, kind,
                                                                               monkeypatch):
    taken = []
    summed = Transform._summed

    def seen(self, what, side, x, saddle, step, number):
        taken.append(x.size * number)
        return summed(self, what, side, x, saddle, step, number)

    monkeypatch.setattr(Transform, "_summed", seen)
    given = [np.repeat(*map(np.array, zip(*each, strict=True))) if each else () for each in (laplace, responses)]
    found, said = sum_of(given[0], mu, given[1])
    assert said == kind
    assert mu <= found.mu <= max(mu, 1e-3 * found.reach)
    about = found._mean + math.sqrt(found._squares) * np.linspace(-40, 40, 201)
    for what in ("delta", "with", "without"):
        for x in (about, -about, np.linspace(0, found.reach, 201)):
            values = found.at(what, x)
            assert (np.diff(values[np.argsort(x)]) <= 1e-9).all()
    assert max(taken) <= 2**18


def test_few_steps_do_for_what_takes_long_and_a_mu_next_to_nothing_is_averaged():
    none = np.empty(0)
    assert sum_of((1.0, 1.0), 0.5, ())[0].nodes() < 200
    assert Transform(np.array([1.0]), np.ones(1), none, none, 0.5).nodes() < 200
    assert isinstance(sum_of((1.0, 0.5), 1e-7, ())[0], Averaged)
    more, kind = sum_of(tuple(np.linspace(1, 2, 300)), 1e-7, ())
    assert kind == "bound"
    assert isinstance(more, Transform)
    assert more.nodes() <= 2 * sums.NODES


@given(unlike=st.lists(st.tuples(st.floats(0.3, 5.0), st.integers(1, 80)), min_size=1, max_size=3))
@example(unlike=[(1.9284416107249098, 81), (0.7191484016199327, 27), (3.973991190165432, 27)])
def test_delta_of_many_unlike_responses_is_never_above_1(unlike):
    assert Mixed((), 0.0, tuple(epsilon for epsilon, times in unlike for _ in range(times))).delta_at(0.0) <= 1
