"""What the posterior study says, recomputed: coverage by enumeration, posteriors as sums, noise by its law."""

from __future__ import annotations

import math
from importlib import util
from pathlib import Path

import numpy as np
from claims.kit import Said, claims, near, number
from scipy.special import betaincinv

from dpstudio import vocabulary as v
from dpstudio.studies import posterior as f

_FILE = Path(__file__).parents[2] / "models" / "reference_posterior.py"
_SPEC = util.spec_from_file_location("reference_posterior", _FILE)
reference = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(reference)

FEW, SUMMED = 12, 800
"""People up to whom coverage is enumerated here, and posteriors are summed."""


def is_share(text, true):
    """Whether a share is said rightly, as it is said: rounded, or beyond an end."""
    if text.startswith("more than"):
        return text == "more than 99.9\u202f%" and 0.9995 <= true < 1
    if text.startswith("less than"):
        return text == "less than 0.0001\u202f%" and true < 1e-6
    return near(number(text), true) or abs(number(text) - true) <= 2e-8  # coverage is known to 1e-8


def covered(study, *, naive):
    return reference.coverage(study.prior_a, study.prior_b, study.people, study.level, study.epsilon, study.noise,
                              naive=naive)


@claims("advice")
def _(said: Said):
    study, true = said.study, said.value(v.COVERAGE, f.CLAMPED)
    if study.people <= FEW and 0.05 < study.epsilon < 20:
        assert abs(true - covered(study, naive=False)) < 1e-8
    taken = said["advice"].startswith("The noisy")
    assert taken == (1 - true <= 1.2 * (1 - study.level) + 1e-12)
    return is_share(said["clamped"], true)


claims("risk", person=lambda _: None)(lambda _: True)


@claims("rate")
def _(said: Said):
    study, k = said.study, said.value(v.TRUE_YES)
    mean, sd = said.value(v.RATE_MEAN, f.AWARE), said.value(v.RATE_SD, f.AWARE)
    if study.people <= SUMMED:
        wanted = reference.moments(study.prior_a, study.prior_b, study.people, said.value(v.NOISY_COUNT), study.epsilon)
        np.testing.assert_allclose((mean, sd), wanted, rtol=1e-8)
    a, b = study.prior_a + k, study.prior_b + study.people - k
    without = math.sqrt(a * b / (a + b + 1)) / (a + b)
    return (near(said.number("rate_mean:aware"), mean) and near(said.number("rate_sd:aware"), sd)
            and near(said.number("rate_sd:truth"), without))


@claims("count")
def _(said: Said):
    study = said.study
    n, a, b = study.people, study.prior_a, study.prior_b
    k = round(study.fraction * n)
    released = said.value(v.NOISY_COUNT)
    if study.release == "given":
        assert released == (round(study.noisy_share * n) if study.noise == "geometric" else study.noisy_share * n)
    else:
        assert study.noise == "laplace" or released == round(released)
    assert said["release"].endswith("was released") == (study.release == "given")
    assert near(said.number("released"), released, 7)
    assert said.number("true") == k
    said_side, alpha, beta = said["side"], a + released, b + (n - released)
    assert said_side == (None if min(alpha, beta) > 0 else "a′ = a + c" if alpha <= 0 else "b′ = b + n − c")
    assert (said["moved"] is not None) == (said_side is None and not 0 <= released <= n)
    c, tail = min(max(released, 0.0), float(n)), (1 - study.level) / 2
    low, high = betaincinv(a + c, b + (n - c), tail), 1 - betaincinv(b + (n - c), a + c, tail)
    digits = max(3, 2 - math.floor(math.log10(max((high - low) / high, 1e-12))))
    if digits < 10:
        for text, end in zip(said["interval"].strip("[]").split(", "), (low, high), strict=True):
            assert near(number(text), end, digits)
    inside = said.value(v.DESERVED, f.CLAMPED)
    if n <= SUMMED and low > 1e-300 and high < 1 - 1e-9:
        wanted = reference.below(a, b, n, released, study.epsilon, high) - reference.below(
            a, b, n, released, study.epsilon, low)
        np.testing.assert_allclose(inside, wanted, atol=1e-9)
    return is_share(said["inside"], inside)


def noise_tail(study, away):
    if study.noise == "geometric":
        return 2 * math.exp(-study.epsilon * away) / (1 + math.exp(-study.epsilon))
    return math.exp(-study.epsilon * away)


def tail_of(asked):
    """How likely noise is at least so far from zero."""
    study = asked.study
    return noise_tail(study, abs(asked.value(v.NOISY_COUNT) - round(study.fraction * study.people)))


def is_rare(asked):
    true = tail_of(asked)
    return asked.says("rare") if math.isclose(true, 1e-4) else true < 1e-4


@claims("rare", when=is_rare)
def _(said: Said):
    true = tail_of(said)
    if said["tail"] == "below 1e-300":
        return true <= 1e-300
    return near(said.number("tail"), true) and said["tail"] == said["noise_beyond"]


@claims("no_naive")
def _(said: Said):
    study, n, e = said.study, said.study.people, said.study.epsilon
    ends = [math.ceil(one) if study.noise == "geometric" else one for one in (study.prior_a, study.prior_b)]

    def after(k):
        # A count that is so far below 0, or above n: half of the noise beyond, and geometric noise may just reach it.
        return sum(noise_tail(study, end + there) / 2 for end, there in zip(ends, (k, n - k), strict=True))

    assert is_share(said["here"], after(round(study.fraction * n)))
    overall = said.value(v.INVALID_OVERALL, f.NAIVE)
    if n <= SUMMED:
        law = np.asarray(reference.weights(study.prior_a, study.prior_b, n, 0, 0), dtype=float)
        wanted = sum(p * after(k) for k, p in enumerate(law))
        np.testing.assert_allclose(overall, wanted, rtol=1e-7, atol=1e-300)
    holds = said.value(v.COVERAGE, f.NAIVE)
    if n <= FEW and max(study.prior_a, study.prior_b) < 20 and 0.05 < e < 20:
        assert abs(holds - covered(study, naive=True)) < 1e-8
    assert holds <= 1 - overall + 1e-8
    return is_share(said["overall"], overall) and is_share(said["holds"], holds)


EXAMPLES = ({"noisy_share": -2.0}, {"noisy_share": 1.5},
            {"noisy_share": 1e6, "epsilon": 50.0}, {"release": "drawn"}, {"epsilon": 50.0},
            {"noisy_share": 1.005}, {"people": 1, "noise": "geometric"}, {"level": 0.999, "people": 5, "epsilon": 0.2},
            {"noisy_share": -0.6}, {"noisy_share": -0.8}, {"noisy_share": -0.8, "noise": "geometric"},
            {"noisy_share": 1.0}, {"epsilon": 2.32, "people": 5, "level": 0.8})
