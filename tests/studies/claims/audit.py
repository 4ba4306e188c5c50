"""What the audit study says, recomputed: laws and profiles by brute force, certificates from their counts."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from claims.kit import Asked, Said, claims, log_odds, near, not_above, not_below, only_when

from dpstudio import vocabulary as v
from dpstudio.models.auditing.cells import Processing, processing
from dpstudio.models.auditing.certificate import exact_bounds
from dpstudio.studies import audit as f
from dpstudio.studies.audit.mechanisms import MECHANISMS

EXAMPLES = (
    {"mechanism": "cutoff_decision", "epsilon": 18.0},
    {"mechanism": "wrong_sensitivity"}, {"mechanism": "wrong_sensitivity", "trials": 2},
    {"mechanism": "wrong_sensitivity", "trials": 1},
    {"mechanism": "wrong_delta", "records": 3}, {"mechanism": "response", "confidence": 0.5, "seed": 1},
    {"mechanism": "wrong_sensitivity", "epsilon": 10.0, "processing": "thresholding", "processing_at": 100.0},
    {"mechanism": "gaussian_count", "processing": "clamping"}, {"mechanism": "generalized_decision", "records": 100},
    {"mechanism": "cutoff_decision"}, {"processing": "thresholding", "processing_at": 1e3}, {"trials": 1},
    {"mechanism": "wrong_shared_noise", "processing": "rounding", "processing_at": 10.0}, {"trials": 25_000},
    *({"mechanism": name, "trials": 100_000} for name in MECHANISMS),
    {"mechanism": "response", "confidence": 0.5, "trials": 1500, "seed": 3})


def up(number: float, true: float) -> bool:
    """Whether a number is the true one rounded up."""
    return number == true or (math.isfinite(true) and not_below(number, true))


def subject(study):
    return MECHANISMS[study.mechanism].build(study)


@lru_cache(maxsize=64)
def profile(study, epsilon, process=None):
    """δ of the processed pair beside ε, by trying every cut of a wide grid that its processing keeps: ln P and losses.

    Where every real number is a cut, the grid is fine and δ a little less than exact.
    """
    one, _ = subject(study)
    process = process or processing(study.processing, study.processing_at)
    middle = one.crossing(0.0)
    spread = 3.0 * (getattr(getattr(one, "noise", None), "sd", 1.0) + 1)
    grid = np.concatenate([middle + np.linspace(-40, 40, 161) * spread, middle + np.arange(-60.0, 61.0),
                           [one.crossing(loss) for loss in (epsilon, -epsilon)], [1.0]])
    cuts = np.unique(np.concatenate([process.nearest(float(x), one.lattice) for x in grid if math.isfinite(x)]))
    worst = -math.inf
    for tail in (one.tail(cuts, upper=upper) for upper in (True, False)):
        over = tail.loss > epsilon * (1 + 1e-12)
        logs = np.where(over, tail.log + np.log(-np.expm1(epsilon - np.where(over, tail.loss, epsilon + 1))), -np.inf)
        worst = max(worst, float(logs.max()))
    return worst


def exact(said: Said):
    """ε beside the claimed δ is where the profile falls to it: just below it needs more, just above no more."""
    study, law = said.study, said.value(v.AUDIT_EPSILON, f.EXACT)
    assert up(said.number("law"), law)
    log = math.log(delta) if (delta := said.value(v.AUDIT_DELTA, f.CLAIMED)) else -math.inf
    # Ties between neighbouring doubles aside.
    if math.isfinite(law):
        assert profile(study, law * (1 + 1e-6) + 1e-9) <= log + 1e-9
    if law:
        assert profile(study, min(law, 1e3) * (1 - 1e-6)) > log - 1e-6


def claimed(said: Said):
    assert up(said.number("claimed"), said.value(v.AUDIT_EPSILON, f.CLAIMED))
    delta = said.value(v.AUDIT_DELTA, f.CLAIMED)
    assert up(said.number("claimed_delta"), delta) if delta else said["claimed_delta"] is None
    assert said["beside"] is None or delta > 0


def broken(said: Asked) -> bool:
    epsilon, delta = (said.value(quantity, f.CLAIMED) for quantity in (v.AUDIT_EPSILON, v.AUDIT_DELTA))
    return profile(said.study, epsilon * (1 + 1e-9)) > (math.log(delta) if delta else -math.inf) + 1e-9


def is_wrong(said: Asked) -> bool:
    return said.study.mechanism.startswith("wrong_")


def certified(said: Asked) -> float:
    """The largest certificate of all looks, from the intervals that the table of looks has."""
    table = said.update.tables[f.LOOKS_TABLE]
    delta = said.value(v.AUDIT_DELTA, f.CLAIMED)
    best = 0.0
    for p, q in ((f.FEWER, f.MORE), (f.MORE, f.FEWER)):
        low, high = table[f.Column(v.EVENT_LOW, p)], table[f.Column(v.EVENT_HIGH, q)]
        with np.errstate(divide="ignore"):
            best = max(best, float(np.log(np.maximum(low - delta, 0.0) / high).max()))
    assert math.isclose(best, said.value(v.AUDIT_EPSILON, f.AUDITED), rel_tol=1e-9)
    return best


def confident(said: Said):
    assert math.isclose(float(said["percent"].removesuffix("\u202f%")), 100 * said.study.confidence, rel_tol=1e-9)


@claims("caught")
def _(said: Said):
    claimed(said)
    exact(said)
    confident(said)
    found = certified(said)
    assert broken(said)
    assert said.value(v.AUDIT_EPSILON, f.CLAIMED) < said.number("found") <= found * (1 + 1e-9)
    assert said.number("found") >= min(found * 0.99, found - 0.01 * found)


@claims("false", "not_caught")
def _(said: Said):
    claimed(said)
    exact(said)
    assert broken(said)
    drawn = said.update.done >= 2
    assert drawn is (said.key == "not_caught")
    assert not drawn or certified(said) <= said.value(v.AUDIT_EPSILON, f.CLAIMED)


@claims("hidden")
def _(said: Said):
    claimed(said)
    exact(said)
    assert is_wrong(said)
    assert not broken(said)


@claims("chance")
def _(said: Said):
    claimed(said)
    confident(said)
    exact(said)
    assert not broken(said)
    assert said.value(v.AUDIT_EPSILON, f.CLAIMED) < said.number("found") <= certified(said) * (1 + 1e-9)


@claims("nothing", "certified")
def _(said: Said):
    claimed(said)
    exact(said)
    assert not is_wrong(said)
    assert not broken(said)
    if said.key == "certified":
        confident(said)
        assert not_above(said.number("most"), certified(said))
        assert 0 < said.number("most") <= said.number("law")
    else:
        assert said.update.done < 2 or certified(said) == 0


only_when("no_proof", lambda asked: not is_wrong(asked))


@claims("wrong", when=is_wrong)
def _(said: Said):
    """Each wrong mechanism breaks its claim where its sentence says so."""
    assert said.sentence == MECHANISMS[said.study.mechanism].wrong
    study = said.study
    one, (epsilon, delta) = subject(study.replace(records=0))
    beyond = epsilon * (1 + 1e-9)
    log = profile(study.replace(records=0), beyond, Processing())
    if study.mechanism == "wrong_sensitivity":
        assert math.isclose(1 / one.noise.scale, 2 * epsilon, rel_tol=1e-12)
    if study.mechanism == "wrong_delta" and delta > 1e-300:
        assert math.isclose(log, math.log(delta) + epsilon, rel_tol=1e-6, abs_tol=1e-6)
    if study.mechanism == "wrong_rows":
        assert math.isclose(one.kept / one.noise.scale, 5 * epsilon, rel_tol=1e-12)
    if study.mechanism in ("wrong_shared_noise", "wrong_not_randomized"):
        assert log == 0
    if study.mechanism == "wrong_sampled":
        assert math.isclose(epsilon, study.rate * study.epsilon, rel_tol=1e-12)
        # All there is of the tail from n + ½ on: e^−ε/2 without the record, and so many times that with it.
        odds = 1 + study.rate * math.expm1(study.epsilon)
        assert math.exp(log) >= (odds - math.exp(beyond)) * math.exp(-study.epsilon) / 2 * (1 - 1e-6)


def catches(asked: Asked):
    """Whether the draws prove a false claim false."""
    return asked.update.done >= 2 and broken(asked) and certified(asked) > asked.value(v.AUDIT_EPSILON, f.CLAIMED)


claims("risk", when=lambda asked: not catches(asked), person=lambda _: None)(lambda _: True)


@claims("risk_and_odds", when=catches, person=lambda _: None)
def _(said: Said):
    """What the draws prove of a claim that they break, rounded down."""
    confident(said)
    assert log_odds(said["odds"]) <= certified(said) + 1e-12


@claims("runner_up")
def _(said: Said):
    """How many draws it takes, or why no number does."""
    fact, delta = said.update.fact(v.DRAWS_NEEDED), said.value(v.AUDIT_DELTA, f.CLAIMED)
    if said["goal"] is None:
        assert fact.value == math.inf
        at_zero = profile(said.study, 0.0)
        if "as likely" in said.sentence:
            assert at_zero == -math.inf
        else:
            assert -math.inf < at_zero <= math.log(delta) + 1e-9
        return
    assert broken(said) is said["goal"].startswith("disprove")
    wanted = (said.value(v.AUDIT_EPSILON, f.CLAIMED) if broken(said) else
              0.9 * said.value(v.AUDIT_EPSILON, f.EXACT))
    if said["most"]:
        assert fact.kind == "bound"
        assert fact.at_least
        assert said.number("most") <= fact.value == 2.0**101
        # Even draws that all fall as expected certify less, for the event at the crossing or the best at hand.
        assert expected(said, 2.0**60) < wanted
        return
    assert fact.kind == "estimate"
    assert near(said.number("draws"), fact.value, 2)
    assert said["enough"] == ("enough" if said.study.trials >= fact.high else
                              "too few" if said.study.trials < fact.low else "enough more often than not")


def expected(said: Said, draws: float) -> float:
    """The ε that expected counts of any tail prove, with half of the error allowed to the last look."""
    one, _ = subject(said.study)
    process = processing(said.study.processing, said.study.processing_at)
    cuts = process.edges(one).raw
    delta, error = said.value(v.AUDIT_DELTA, f.CLAIMED), (1 - said.study.confidence) / 4
    best = 0.0
    for tail in (one.tail(cuts, upper=upper) for upper in (True, False)):
        p = np.exp(tail.log)
        q = np.exp(tail.log - np.where(np.isfinite(tail.loss), tail.loss, 1e9))
        low, high = exact_bounds(draws * p, draws, error)[0], exact_bounds(draws * q, draws, error)[1]
        with np.errstate(divide="ignore"):
            best = max(best, float(np.log(np.maximum(low - delta, 0.0) / high).max()))
    return best


@claims("event", when=lambda asked: asked.update.done >= 2 and certified(asked) > 0)
def _(said: Said):
    fewer, more = (said.value(quantity, f.AUDITED) for quantity in (v.FEWER_PROBABILITY, v.MORE_PROBABILITY))
    for group, value in (("fewer", fewer), ("more", more)):
        assert near(100 * said.number(group), 100 * value) if "more" not in said[group] else value >= 0.9995
    begin, end = (said.value(quantity, f.AUDITED) for quantity in (v.EVENT_FROM, v.EVENT_TO))
    words = said["event"]
    assert math.isinf(end) is ("at least" in words or "yes" in words)
    assert math.isinf(begin) is ((" below " in words and " from " not in words) or "no”" in words)
    assert ("truth" in said["having"]) is (said.study.mechanism == "response")


def is_processed(asked: Asked):
    return asked.study.processing != "none"


@claims("processed", "erased", when=is_processed)
def _(said: Said):
    raw, after = said.value(v.RAW_EPSILON, f.EXACT), said.value(v.AUDIT_EPSILON, f.EXACT)
    assert up(said.number("before"), raw)
    assert (said.key == "erased") == (profile(said.study, 0.0) == -math.inf)
    if said.key == "erased":
        assert after == 0
    else:
        assert up(said.number("after"), after)
        assert after <= raw
        assert (said["beside"] is not None) is (said.value(v.AUDIT_DELTA, f.CLAIMED) > 0)
