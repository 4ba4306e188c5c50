"""What the posterior study says, recomputed: coverage by enumeration, posteriors as sums, noise by its law."""

from __future__ import annotations

import math
from importlib import util
from pathlib import Path

import numpy as np
from claims.patterns import NUMBER, Claim, Said, near, of_person
from scipy.special import betaincinv

from dpstudio import vocabulary as v
from dpstudio.studies import posterior as f

_FILE = Path(__file__).parents[2] / "models" / "reference_posterior.py"
_SPEC = util.spec_from_file_location("reference_posterior", _FILE)
reference = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(reference)

SHARE = "(?:more than |less than )?" + NUMBER + "\u202f%"
FEW, SUMMED = 12, 800
"""People up to whom coverage is enumerated here, and posteriors are summed."""


def is_share(text, true):
    """Whether a share is said rightly, as it is said: rounded, or beyond an end."""
    if text.startswith("more than"):
        return text == "more than 99.9\u202f%" and 0.9995 <= true < 1
    if text.startswith("less than"):
        return text == "less than 0.0001\u202f%" and true < 1e-6
    said = float(text.removesuffix("\u202f%").replace("−", "-").replace("\u202f", ""))
    return near(said / 100, true) or abs(said / 100 - true) <= 2e-8  # coverage is known to 1e-8


def covered(study, *, naive):
    return reference.coverage(study.prior_a, study.prior_b, study.people, study.level, study.epsilon, study.noise,
                              naive=naive)


def advises(said: Said):
    study, true = said.study, said.value(v.COVERAGE, f.CLAMPED)
    if study.people <= FEW and 0.05 < study.epsilon < 20:
        assert abs(true - covered(study, naive=False)) < 1e-8
    taken = said.groups["advice"].startswith("The noisy")
    assert taken == (1 - true <= 1.2 * (1 - study.level) + 1e-12)
    assert is_share(said.groups["level"], study.level)
    assert said.groups["aware"] == said.groups["level"]
    tail = noise_tail(study, abs(said.value(v.NOISY_COUNT) - round(study.fraction * study.people)))
    assert said.says("it can hardly have come from this true count") == (tail < 1e-4) or math.isclose(tail, 1e-4)
    return is_share(said.groups["clamped"], true)


def known(said: Said):
    study, k = said.study, said.value(v.TRUE_YES)
    mean, sd = said.value(v.RATE_MEAN, f.AWARE), said.value(v.RATE_SD, f.AWARE)
    if study.people <= SUMMED:
        wanted = reference.moments(study.prior_a, study.prior_b, study.people, said.value(v.NOISY_COUNT), study.epsilon)
        np.testing.assert_allclose((mean, sd), wanted, rtol=1e-8)
    a, b = study.prior_a + k, study.prior_b + study.people - k
    without = math.sqrt(a * b / (a + b + 1)) / (a + b)
    return near(said.number("mean"), mean) and near(said.number("sd"), sd) and near(said.number("without"), without)


def counted(said: Said):
    study = said.study
    n, a, b = study.people, study.prior_a, study.prior_b
    k = round(study.fraction * n)
    released = said.value(v.NOISY_COUNT)
    if study.release == "given":
        assert released == (round(study.noisy_share * n) if study.noise == "geometric" else study.noisy_share * n)
    else:
        assert study.noise == "laplace" or released == round(released)
    assert (said.groups["how"] == "was released") == (study.release == "given")
    assert near(said.number("released"), released, 7)
    assert said.number("true") == k
    said_side, alpha, beta = said.groups["side"], a + released, b + (n - released)
    assert said_side == (None if min(alpha, beta) > 0 else "a′ = a + c" if alpha <= 0 else "b′ = b + n − c")
    assert (said.groups["moved"] is not None) == (said_side is None and not 0 <= released <= n)
    c, tail = min(max(released, 0.0), float(n)), (1 - study.level) / 2
    low, high = betaincinv(a + c, b + (n - c), tail), 1 - betaincinv(b + (n - c), a + c, tail)
    digits = max(3, 2 - math.floor(math.log10(max((high - low) / high, 1e-12))))
    if digits < 10:
        assert near(said.number("low"), low, digits)
        assert near(said.number("high"), high, digits)
    inside = said.value(v.DESERVED, f.CLAMPED)
    if n <= SUMMED and low > 1e-300 and high < 1 - 1e-9:
        wanted = reference.below(a, b, n, released, study.epsilon, high) - reference.below(
            a, b, n, released, study.epsilon, low)
        np.testing.assert_allclose(inside, wanted, atol=1e-9)
    assert is_share(said.groups["level"], study.level)
    return is_share(said.groups["inside"], inside)


def noise_tail(study, away):
    if study.noise == "geometric":
        return 2 * math.exp(-study.epsilon * away) / (1 + math.exp(-study.epsilon))
    return math.exp(-study.epsilon * away)


def rare(said: Said):
    study = said.study
    true = noise_tail(study, abs(said.value(v.NOISY_COUNT) - round(study.fraction * study.people)))
    assert true < 1e-4
    if said.groups["tail"] == "below 1e-300":
        return true <= 1e-300
    return near(said.number("tail"), true)


def without_naive(said: Said):
    study, n, e = said.study, said.study.people, said.study.epsilon
    ends = [math.ceil(one) if study.noise == "geometric" else one for one in (study.prior_a, study.prior_b)]

    def after(k):
        # A count that is so far below 0, or above n: half of the noise beyond, and geometric noise may just reach it.
        return sum(noise_tail(study, end + there) / 2 for end, there in zip(ends, (k, n - k), strict=True))

    assert is_share(said.groups["here"], after(round(study.fraction * n)))
    overall = said.value(v.INVALID_OVERALL, f.NAIVE)
    if n <= SUMMED:
        law = np.asarray(reference.weights(study.prior_a, study.prior_b, n, 0, 0), dtype=float)
        wanted = sum(p * after(k) for k, p in enumerate(law))
        np.testing.assert_allclose(overall, wanted, rtol=1e-7, atol=1e-300)
    holds = said.value(v.COVERAGE, f.NAIVE)
    if n <= FEW and max(study.prior_a, study.prior_b) < 20 and 0.05 < e < 20:
        assert abs(holds - covered(study, naive=True)) < 1e-8
    assert holds <= 1 - overall + 1e-8
    return is_share(said.groups["overall"], overall) and is_share(said.groups["holds"], holds)


CLAIMS = (
    Claim(f"(?P<advice>Do not take the noisy count|The noisy count may be taken) at its word: over the prior, its "
          f"(?P<level>{SHARE}) interval \\(clamped\\) holds the rate in (?P<clamped>{SHARE}) of releases, the "
          f"noise-aware "
          f"one in (?P<aware>{SHARE})\\.", advises),
    of_person(rest=r" What is then made of the count costs no more privacy\."),
    Claim(f"For the analyst: given this count the rate is (?P<mean>{NUMBER}) ± (?P<sd>{NUMBER}) \\(mean and sd, "
          f"noise-aware\\); the true count would tell it to ± (?P<without>{NUMBER})\\.", known),
    Claim(f"The true count is (?P<true>{NUMBER}) of (?:1 person|{NUMBER} people), and (?:the release drawn for it is )?"
          f"(?P<released>{NUMBER})(?: (?P<how>was released))?(?:; taken at its word(?P<moved>, moved into \\[0, "
          f"n\\],)?|, so "
          "(?P<side>.+) is not positive and there is no naive posterior; moved into \\[0, n\\]) it claims "
          f"(?P<level>{SHARE}) for \\[(?P<low>{NUMBER}), (?P<high>{NUMBER})\\], where the rate lies with probability "
          f"(?P<inside>{SHARE})\\.", counted),
    Claim(f"Noise at least as far from zero as in this count has probability (?P<tail>{NUMBER}|below 1e-300): it can "
          f"hardly "
          "have come from this true count\\.", rare),
    Claim(f"There is no naive posterior after (?P<here>{SHARE}) of releases of this true count and "
          f"(?P<overall>{SHARE}) of "
          f"all releases over the prior; its interval holds the rate in (?P<holds>{SHARE}) of all\\. Moving the "
          f"count into "
          "\\[0, n\\] costs the noise-aware posterior nothing\\.", without_naive),
)
EXAMPLES = ({"noisy_share": -2.0}, {"noisy_share": 1.5},
            {"noisy_share": 1e6, "epsilon": 50.0}, {"release": "drawn"}, {"epsilon": 50.0},
            {"noisy_share": 1.005}, {"people": 1, "noise": "geometric"}, {"level": 0.999, "people": 5, "epsilon": 0.2})
