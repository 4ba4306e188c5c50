"""What the posterior study says, recomputed: coverage by enumeration, posteriors as sums, noise by its law."""

from __future__ import annotations

import math
from importlib import util
from pathlib import Path

import numpy as np
from claims.kit import Said, claims, near, not_above, not_below, number
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


def spoken(asked):
    """What is spoken of: what was decided for, else the posterior whose interval covers what it says."""
    decided = asked.update.answer.decided
    return decided.key if decided else "aware"


def interval_of(said, *, clamped):
    """The naive interval, from the beta law of the count as it is, or moved into its range."""
    study, c = said.study, said.value(v.NOISY_COUNT)
    c = min(max(c, 0.0), float(study.people)) if clamped else c
    alpha, beta, tail = study.prior_a + c, study.prior_b + (study.people - c), (1 - study.level) / 2
    return betaincinv(alpha, beta, tail), 1 - betaincinv(beta, alpha, tail)


def ends_of(text):
    """Both ends of “12.7 to 70.5 %”, as rates."""
    return [number(end) / 100 for end in text.removesuffix("\u202f%").split(" to ")]


def below(said, rate):
    """Pr[rate below | count], of the noise-aware posterior summed."""
    study = said.study
    return reference.below(study.prior_a, study.prior_b, study.people, said.value(v.NOISY_COUNT), study.epsilon, rate)


def is_narrow(said, *, clamped):
    """Whether a naive interval is said rightly, and with which probability it contains the rate."""
    study = said.study
    low, high = interval_of(said, clamped=clamped)
    digits = max(3, 2 - math.floor(math.log10(max((high - low) / high, 1e-12))))
    if digits < 10:
        for said_end, end in zip(ends_of(said["narrow"]), (low, high), strict=True):
            assert near(said_end, end, digits)
    inside = said.value(v.DESERVED, f.CLAMPED if clamped else f.NAIVE)
    if study.people <= SUMMED and low > 1e-300 and high < 1 - 1e-9:
        np.testing.assert_allclose(inside, below(said, high) - below(said, low), atol=1e-9)
    assert is_share(said["inside"], inside)


def is_wide(said):
    """Whether the noise-aware interval has its level, said outwards."""
    study, (low, high) = said.study, ends_of(said["wide"])
    found = said.value(v.INTERVAL_LOW, f.AWARE), said.value(v.INTERVAL_HIGH, f.AWARE)
    assert not_above(low, found[0])
    assert not_below(high, found[1])
    if study.people <= SUMMED and found[0] > 1e-300 and found[1] < 1 - 1e-9:
        np.testing.assert_allclose(below(said, found[1]) - below(said, found[0]), study.level, atol=1e-8)


@claims("aware", "naive")
def _(said: Said):
    study, key = said.study, spoken(said)
    assert (said.key == "aware") == (key == "aware")
    mean = said.value(v.RATE_MEAN, key)
    if key == "aware":
        if study.people <= SUMMED:
            wanted = reference.moments(study.prior_a, study.prior_b, study.people, said.value(v.NOISY_COUNT),
                                       study.epsilon)[0]
            np.testing.assert_allclose(mean, float(wanted), rtol=1e-8)
        is_wide(said)
    else:
        c = said.value(v.NOISY_COUNT)
        c = min(max(c, 0.0), float(study.people)) if key == "clamped" else c
        total = study.prior_a + study.prior_b + study.people
        np.testing.assert_allclose(mean, (study.prior_a + c) / total, rtol=1e-9)
        is_narrow(said, clamped=key == "clamped")
    assert ("clamped" in said["name"]) == (key == "clamped")
    return is_share(said["mean"], mean)


@claims("runner_up")
def _(said: Said):
    if said["narrow"] is None:
        assert spoken(said) != "aware"
        return is_wide(said)
    return is_narrow(said, clamped=True)


def may_be_taken(asked):
    """Whether the clamped interval misses the rate at most a fifth more often than it says."""
    level = asked.study.level
    return 1 - asked.value(v.COVERAGE, f.CLAMPED) <= 1.2 * (1 - level) + 1e-12


@claims("either", "coverage", when=lambda _: True)
def _(said: Said):
    study, true = said.study, said.value(v.COVERAGE, f.CLAMPED)
    if study.people <= FEW and 0.05 < study.epsilon < 20:
        assert abs(true - covered(study, naive=False)) < 1e-8
    assert (said.key == "either") == may_be_taken(said)
    if said.key == "either" and said["level"] is None:
        assert "as does" in said["aware"]
        assert not_above(number(said["clamped"]), study.level)
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
    return (is_share(said["rate_mean:aware"], mean) and near(said.number("aware"), 100 * sd)
            and near(said.number("truth"), 100 * without))


@claims("count")
def _(said: Said):
    study = said.study
    n, a, b = study.people, study.prior_a, study.prior_b
    released = said.value(v.NOISY_COUNT)
    if study.release == "given":
        assert released == (round(study.noisy_share * n) if study.noise == "geometric" else study.noisy_share * n)
    else:
        assert study.noise == "laplace" or released == round(released)
    assert said["release"].endswith("was released") == (study.release == "given")
    assert near(said.number("released"), released, 7)
    assert said.number("true") == round(study.fraction * n)
    alpha, beta = a + released, b + (n - released)
    return said["side"] == (None if min(alpha, beta) > 0 else "a′ = a + c" if alpha <= 0 else "b′ = b + n − c")


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
    if said["tail"] == "below 1e−300":
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
