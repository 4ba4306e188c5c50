"""Whole-numbered noise drawn by random bits alone has exactly its law, also where doubles cannot tell."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from goodness import chi_square
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import chdtrc, ndtr

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.noise import GeometricNoise, exact

FITS = 1e-4
SIZE = 100_000
LAPLACE = [Fraction(3), Fraction(2, 5), Fraction(1, 300), Fraction(1, 10**6), Fraction(3, 10**15)]
GAUSSIAN = [0.5, 1.0, 2.5, 40.0, 3e6]

a_tenth_off = pytest.mark.parametrize("times", [1.0, 1.1, 0.9])


class Bits:
    """A generator of the bits that it is given, then of a seed's; it has nothing but `integers`."""

    def __init__(self, *words):
        self.words, self.rng, self.drawn = list(words), np.random.default_rng(3), 0

    def integers(self, low, high=None, size=None, dtype=np.int64):
        if not self.words:
            self.drawn += 1
            return self.rng.integers(low, high, size, dtype=dtype)
        word = self.words.pop(0)
        return dtype(word) if size is None else np.full(size, word, dtype=dtype)


def gaussian_masses(sigma, x):
    reach = np.arange(-int(40 * sigma + 40), int(40 * sigma + 41))
    return np.exp(-(x / sigma) ** 2 / 2) / np.exp(-(reach / sigma) ** 2 / 2).sum()


def fits(sample, cells, law):
    """Whether counts in cells between whole numbers, the last for all else, have these probabilities."""
    counts = np.histogram(sample, cells)[0]
    return chi_square([*counts, len(sample) - counts.sum()], [*law, 1 - sum(law)]) > FITS


@a_tenth_off
@pytest.mark.parametrize("rate", LAPLACE, ids=str)
def test_that_discrete_laplace_has_its_rate_and_no_other(rate, times):
    sample = exact.discrete_laplace(rate / Fraction(times), SIZE, np.random.default_rng(1))
    right = GeometricNoise(float(rate))
    cells = np.unique(right.quantile(np.array([0.002, 0.05, 0.3, 0.5, 0.6, 0.8, 0.97, 0.998]))) + 0.5
    cells = np.append(cells[0] - 1, cells) if rate > 1 else cells
    assert fits(sample, cells, np.diff(right.cdf(np.floor(cells)))) == (times == 1)


@a_tenth_off
@pytest.mark.parametrize("sigma", GAUSSIAN)
def test_that_discrete_gaussian_has_its_sigma_and_no_other(sigma, times):
    sample = exact.discrete_gaussian(sigma * times, SIZE, np.random.default_rng(2))
    if sigma > 1e3:
        cells = np.floor(sigma * np.linspace(-2.5, 2.5, 12)) + 0.5
        law = np.diff(ndtr(cells / sigma))
    else:
        reach = max(1, int(2.4 * sigma))
        cells = np.arange(-reach, reach + 2) - 0.5
        law = gaussian_masses(sigma, np.arange(-reach, reach + 1))
    assert fits(sample, cells, law) == (times == 1)


@pytest.mark.parametrize("draw", [lambda rng: exact.discrete_laplace(Fraction(1, 3), 400, rng),
                                  lambda rng: exact.discrete_laplace(Fraction(1, 10**9), 400, rng),
                                  lambda rng: exact.discrete_gaussian(0.7, 400, rng),
                                  lambda rng: exact.discrete_gaussian(1e5, 400, rng)])
def test_that_decimals_decide_as_doubles_do_where_doubles_can(draw, monkeypatch):
    asked = []
    floor = exact._floor
    monkeypatch.setattr(exact, "_floor", lambda *given: asked.append(1) or floor(*given))
    by_doubles = draw(np.random.default_rng(5))
    assert not asked
    monkeypatch.setattr(exact, "_ERROR", 0.3)
    np.testing.assert_array_equal(draw(np.random.default_rng(5)), by_doubles)
    assert len(asked) > 100


def test_that_a_number_drawn_with_a_doubtful_first_word_has_the_law_of_the_literal_algorithm(monkeypatch):
    monkeypatch.setattr(exact, "_BITS", 3)
    monkeypatch.setattr(exact, "_ERROR", 0.1)
    coins = random.Random(7)
    size = 1000
    laplace, gaussian = exact.discrete_laplace(Fraction(2, 3), size, Bits()), exact.discrete_gaussian(1.5, size, Bits())
    for ours, literal in ((laplace, lambda: literal_laplace(coins, 3, 2)),
                          (gaussian, lambda: literal_gaussian(coins, Fraction(3, 2)))):
        found = np.array([np.bincount(np.clip(each, -3, 3) + 3, minlength=7)
                          for each in (ours, [literal() for _ in range(size)])])
        expected = found.sum(axis=0) / 2
        assert chdtrc(6, ((found - expected) ** 2 / expected).sum()) > FITS


@settings(max_examples=25)
@given(st.fractions(Fraction(1, 50), 30, max_denominator=1000), st.integers(1, 40), st.integers(0, 2))
def test_that_a_word_at_the_edge_is_settled_by_the_bits_that_follow(rate, k, later):
    """U* = e^(−rk) itself has no end of bits: one more or less in the second or third word decides."""
    with mpmath.workdps(120):
        bits = 64 * (later + 2)
        edge = int(mpmath.floor(mpmath.exp(-mpmath.mpf(rate.numerator * k) / rate.denominator) * mpmath.mpf(2) ** bits))
    assume(edge > 2**20)
    for moved, wanted in ((-1, k), (1, k - 1)):
        words = [(edge + moved) >> (bits - 64 * (i + 1)) & (2**64 - 1) for i in range(later + 2)]
        assert exact._floor(words[0], rate, Bits(*words[1:])) == wanted
        if words[0] > 0:
            assert exact._floors(rate, 1, Bits(*words))[0] == wanted


@given(st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 64).map(lambda j: (1 << j) - 1),
                 st.integers(0, 2**20).map(lambda k: 2**64 - 1 - k)))
def test_that_the_enclosure_holds_every_number_that_begins_with_the_word(word):
    _, low, high = exact._exponentials(1, Bits(word))
    with mpmath.workdps(40):
        nearest = mpmath.log(mpmath.mpf(2) ** 64 / (word + 1))
        assert not low[0] > nearest
        if word:
            farthest = mpmath.log(mpmath.mpf(2) ** 64 / word)
            assert low[0] < nearest
            assert farthest < high[0]
            assert high[0] - low[0] < 2.0**-46 * (1 + high[0]) + 2 / word
        else:
            assert high[0] == np.inf


@pytest.mark.parametrize(("rate", "u", "kept"), [(Fraction(10) ** 12, 0, False), (Fraction(40), 1, True),
                                                 (Fraction(45), 0, None), (Fraction(0), 0, True)])
def test_that_the_smallest_first_words_are_settled_without_the_doubles(rate, u, kept):
    x = np.array([float(rate)])
    answer = exact._kept(x, 0 * x, lambda i: rate, Bits(u, *[2**63] * (kept is False)))[0]
    assert kept is None or answer == kept


@pytest.mark.parametrize("sigma", [5e-324, 1e-300, 1e-9, 1e-3, 0.05])
def test_that_hardly_any_noise_is_none(sigma):
    assert not exact.discrete_gaussian(sigma, 2000, np.random.default_rng(1)).any()
    assert not exact.discrete_laplace(1 / Fraction(sigma), 2000, np.random.default_rng(1)).any() or sigma > 1e-2


def test_that_the_widest_noise_has_its_spread_and_wider_is_refused():
    rng = np.random.default_rng(4)
    wide = exact.discrete_gaussian(9e16, 20_000, rng)
    assert np.std(wide / 9e16) == pytest.approx(1, rel=0.02)
    assert len(np.unique(wide % 1024)) == 1024
    for draw in (lambda: exact.discrete_gaussian(2e17, 1, rng),
                 lambda: exact.discrete_laplace(Fraction(1, 10**18), 1, rng)):
        with pytest.raises(InvalidParameter, match="rate must be at least 1e-17"):
            draw()
    with pytest.raises(OverflowError, match="64 bits"):
        exact.discrete_laplace(Fraction(1, 9 * 10**16), 1, Bits(0, 0, 0, 0))


def test_that_shapes_are_kept_and_bits_are_all_that_is_drawn():
    rng = Bits()
    assert exact.discrete_laplace(Fraction(1, 9), (2, 3), rng).shape == (2, 3)
    assert exact.discrete_gaussian(2.0, 0, rng).shape == (0,)
    assert exact.discrete_gaussian(2.0, None, rng).shape == ()
    assert rng.drawn > 3


def literal_bernoulli(coins, x):
    """Bernoulli(e^−x). [Canonne, Kamath & Steinke 2020, algorithm 1.]"""
    while x > 1:
        if not literal_bernoulli(coins, Fraction(1)):
            return False
        x -= 1
    k = 1
    while coins.randrange(x.denominator * k) < x.numerator:
        k += 1
    return k % 2 == 1


def literal_laplace(coins, t, s):
    """Discrete Laplace of scale t/s. [Algorithm 2.]"""
    while True:
        u = coins.randrange(t)
        if not literal_bernoulli(coins, Fraction(u, t)):
            continue
        whole = 0
        while literal_bernoulli(coins, Fraction(1)):
            whole += 1
        y, negative = (u + t * whole) // s, coins.randrange(2)
        if y or not negative:
            return -y if negative else y


def literal_gaussian(coins, sigma):
    """Discrete Gaussian. [Algorithm 3.]"""
    t = int(sigma) + 1
    while True:
        y = literal_laplace(coins, t, 1)
        if literal_bernoulli(coins, (abs(y) - sigma * sigma / t) ** 2 / (2 * sigma * sigma)):
            return y
