"""What the audit study says, recomputed: laws and profiles by brute force, certificates from their counts."""

from __future__ import annotations

import math

import numpy as np
from claims.patterns import NUMBER, Claim, Said, near, not_above, not_below, of_person

from dpstudio import vocabulary as v
from dpstudio.models.auditing.certificate import exact_bounds
from dpstudio.models.auditing.processing import Processing, processing
from dpstudio.studies import audit as f
from dpstudio.studies.audit.mechanisms import MECHANISMS

EPSILON, SHARE = rf"ε = (?P<epsilon>{NUMBER})", rf"{NUMBER}\u202f%|more than 99\.9\u202f%"
CLAIM = rf"{EPSILON}(?:, δ = (?P<delta>{NUMBER}))?"
LAW = rf"(?P<law>{NUMBER})(?: beside that δ)?"
CONFIDENCE = r"(?P<confidence>[\d.]+)\u202f%"

EXAMPLES = (
    {"mechanism": "cutoff_decision", "epsilon": 18.0},
    {"mechanism": "wrong_sensitivity"}, {"mechanism": "wrong_sensitivity", "trials": 2},
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
    for tail in (one.above(cuts), one.under(cuts)):
        over = tail.loss > epsilon * (1 + 1e-12)
        logs = np.where(over, tail.log + np.log(-np.expm1(epsilon - np.where(over, tail.loss, epsilon + 1))), -np.inf)
        worst = max(worst, float(logs.max()))
    return worst


def exact(said: Said):
    assert (said.says("cannot raise ε") or said.says("leaves nothing to see")) == (said.study.processing != "none")
    _exact(said)


def _exact(said: Said):
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
    assert up(said.number("epsilon"), said.value(v.AUDIT_EPSILON, f.CLAIMED))
    delta = said.value(v.AUDIT_DELTA, f.CLAIMED)
    assert up(said.number("delta"), delta) if delta else said.groups["delta"] is None


def broken(said: Said) -> bool:
    epsilon, delta = (said.value(quantity, f.CLAIMED) for quantity in (v.AUDIT_EPSILON, v.AUDIT_DELTA))
    return profile(said.study, epsilon * (1 + 1e-9)) > (math.log(delta) if delta else -math.inf) + 1e-9


def is_wrong(said: Said) -> bool:
    return said.study.mechanism.startswith("wrong_")


def certified(said: Said) -> float:
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
    assert math.isclose(float(said.groups["confidence"]), 100 * said.study.confidence, rel_tol=1e-9)


def caught(said: Said):
    claimed(said)
    exact(said)
    confident(said)
    found = certified(said)
    assert broken(said)
    assert said.value(v.AUDIT_EPSILON, f.CLAIMED) < said.number("found") <= found * (1 + 1e-9)
    assert said.number("found") >= min(found * 0.99, found - 0.01 * found)


def false_by_law(said: Said):
    claimed(said)
    exact(said)
    assert broken(said)
    drawn = said.update.done >= 2
    assert drawn is bool(said.groups["few"])
    assert not drawn or certified(said) <= said.value(v.AUDIT_EPSILON, f.CLAIMED)


def hidden(said: Said):
    claimed(said)
    exact(said)
    assert is_wrong(said)
    assert not broken(said)


def chance(said: Said):
    claimed(said)
    confident(said)
    exact(said)
    assert not broken(said)
    assert said.value(v.AUDIT_EPSILON, f.CLAIMED) < said.number("found") <= certified(said) * (1 + 1e-9)


def nothing(said: Said):
    claimed(said)
    exact(said)
    assert not is_wrong(said)
    assert not broken(said)
    if said.groups["found"]:
        confident(said)
        assert not_above(said.number("found"), certified(said))
        assert said.number("found") <= said.number("law")
    elif said.groups["none"]:
        assert certified(said) == 0


def wrong(said: Said):
    assert is_wrong(said)
    assert said.sentence == MECHANISMS[said.study.mechanism].wrong


def what_is_wrong(said: Said):
    """Each wrong mechanism breaks its claim where its sentence says so."""
    wrong(said)
    study = said.study
    one, (epsilon, delta) = subject(study.replace(records=0))
    log = profile(study.replace(records=0), epsilon * (1 + 1e-9), Processing())
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
        assert math.exp(log) >= (odds - math.exp(epsilon)) * math.exp(-study.epsilon) / 2 * (1 - 1e-6)


def share(odds: str) -> float:
    first, second = odds.replace("\u202f", "").split(" : ")
    return float(first) / (float(first) + float(second))


def left(said: Said):
    """What the draws prove of a claim that they break, rounded down."""
    assert (said.groups["left"] is not None) == said.says("confidence ε")
    if said.groups["left"]:
        assert broken(said)
        assert certified(said) > said.value(v.AUDIT_EPSILON, f.CLAIMED)
        confident(said)
        assert share(said.groups["left"]) <= 1 / (1 + math.exp(-certified(said))) + 1e-12


def alike(said: Said):
    assert profile(said.study, 0.0) == -math.inf
    assert said.value(v.DRAWS_NEEDED) == math.inf


def beneath(said: Said):
    assert -math.inf < profile(said.study, 0.0) <= math.log(said.value(v.AUDIT_DELTA, f.CLAIMED)) + 1e-9
    assert said.value(v.DRAWS_NEEDED) == math.inf


def goal(said: Said) -> float:
    assert broken(said) is said.groups["goal"].startswith("break")
    return (said.value(v.AUDIT_EPSILON, f.CLAIMED) if broken(said) else
            0.9 * said.value(v.AUDIT_EPSILON, f.EXACT))


def beyond_counting(said: Said):
    wanted = goal(said)
    fact = said.update.fact(v.DRAWS_NEEDED)
    assert fact.kind == "bound"
    assert fact.at_least
    assert said.number("draws") <= fact.value == 2.0**101
    # Even draws that all fall as expected certify less, for the event at the crossing or the best at hand.
    assert expected(said, 2.0**60) < wanted


def expected(said: Said, draws: float) -> float:
    """The ε that expected counts of any tail prove, with half of the error allowed to the last look."""
    one, _ = subject(said.study)
    process = processing(said.study.processing, said.study.processing_at)
    cuts = process.edges(one).raw
    delta, error = said.value(v.AUDIT_DELTA, f.CLAIMED), (1 - said.study.confidence) / 4
    best = 0.0
    for tail in (one.above(cuts), one.under(cuts)):
        p = np.exp(tail.log)
        q = np.exp(tail.log - np.where(np.isfinite(tail.loss), tail.loss, 1e9))
        low, high = exact_bounds(draws * p, draws, error)[0], exact_bounds(draws * q, draws, error)[1]
        with np.errstate(divide="ignore"):
            best = max(best, float(np.log(np.maximum(low - delta, 0.0) / high).max()))
    return best


def needed(said: Said):
    goal(said)
    fact = said.update.fact(v.DRAWS_NEEDED)
    assert fact.kind == "estimate"
    assert near(said.number("draws"), fact.value, 2)
    assert said.number("trials") == said.study.trials
    assert said.groups["enough"] == ("enough" if said.study.trials >= fact.high else
                                     "too few" if said.study.trials < fact.low else "enough more often than not")


def seen(said: Said):
    fewer, more = (said.value(quantity, f.AUDITED) for quantity in (v.FEWER_PROBABILITY, v.MORE_PROBABILITY))
    for group, value in (("fewer", fewer), ("more", more)):
        assert near(100 * said.number(group), 100 * value) if "more" not in said.groups[group] else value >= 0.9995
    begin, end = (said.value(quantity, f.AUDITED) for quantity in (v.EVENT_FROM, v.EVENT_TO))
    words = said.groups["event"]
    assert math.isinf(end) is ("at least" in words or "yes" in words)
    assert math.isinf(begin) is ((" below " in words and " from " not in words) or "no”" in words)
    assert ("truth" in said.groups["having"]) is (said.study.mechanism == "response")


def processed(said: Said):
    raw, after = said.value(v.RAW_EPSILON, f.EXACT), said.value(v.AUDIT_EPSILON, f.EXACT)
    assert up(said.number("before"), raw)
    assert near(said.number("at"), said.study.processing_at)
    assert up(said.number("after"), after)
    assert after <= raw
    assert ("beside the claimed δ" in said.sentence) is (said.value(v.AUDIT_DELTA, f.CLAIMED) > 0)
    assert profile(said.study, 0.0) > -math.inf


def erased(said: Said):
    assert profile(said.study, 0.0) == -math.inf
    assert said.value(v.AUDIT_EPSILON, f.EXACT) == 0
    assert up(said.number("before"), said.value(v.RAW_EPSILON, f.EXACT))


_LEFT = rf"(?: With {CONFIDENCE} confidence some answers turn even odds into (?P<left>[\d.e\u202f]+ : \d+) or more\.)?"
_WAY = rf"(?:Rounding to multiples of|Clamping into \[0, t\] with t =|Asking only whether the number is at least) " \
       rf"(?P<at>{NUMBER})"
_GOAL = r"(?P<goal>break this claim|certify 90\u202f% of that ε)"

CLAIMS = (
    Claim(rf"The claim {CLAIM} is false: with {CONFIDENCE} confidence ε(?: beside that δ)? is at least "
          rf"(?P<found>{NUMBER}), by its exact law {LAW}\.", caught),
    Claim(rf"The claim {CLAIM} is false: by its exact law this pair of datasets has ε = {LAW}"
          r"(?P<few>, which these draws are too few to show)?\.", false_by_law),
    Claim(rf"The claim {CLAIM} is false, but this pair of datasets does not show it: by its exact law it has ε = {LAW}"
          r"\.", hidden),
    Claim(rf"By chance the draws speak against the claim {CLAIM}: ε ≥ (?P<found>{NUMBER}) with {CONFIDENCE} "
          rf"confidence, but by its exact law this pair has {LAW}\.", chance),
    Claim(rf"Nothing found against the claim {CLAIM}: by its exact law this pair of datasets has ε = {LAW}(?:, of "
          rf"which the draws certify (?:(?P<found>{NUMBER}) with {CONFIDENCE} confidence|(?P<none>nothing)))?\.",
          nothing),
    Claim(r"This is no proof that the claim holds: an audit sees one pair of datasets, and nothing rarer than its "
          r"draws\.", lambda said: not is_wrong(said)),
    Claim(r"What is wrong: .*\.", what_is_wrong),
    of_person(rest=_LEFT, further=left),
    Claim(r"Each outcome is as likely on one dataset as on the other: no number of draws certifies anything\.",
          alike),
    Claim(r"No event is likelier on one dataset by more than the claimed δ: no number of draws certifies an ε beside "
          r"it\.", beneath),
    Claim(rf"To {_GOAL} takes more than (?P<draws>{NUMBER}) draws on each dataset: what shows it hardly ever happens\.",
          beyond_counting),
    Claim(rf"About (?P<draws>{NUMBER}) draws on each dataset {_GOAL} in nine audits of ten; (?P<trials>{NUMBER}) are "
          r"(?P<enough>enough|too few|enough more often than not)\.", needed),
    Claim(rf"What proves most so far is (?P<event>.*?): it came in (?P<more>{SHARE}) of the draws (?P<having>.*), and "
          rf"in (?P<fewer>{SHARE}) of those (?P<without>.*)\.", seen),
    Claim(rf"{_WAY} cannot raise ε: (?:beside the claimed δ )?this pair has (?P<before>{NUMBER}) before it and "
          rf"(?P<after>{NUMBER}) after it\.", processed),
    Claim(rf"{_WAY} leaves nothing to see, so ε = 0 after it; before it this pair has (?P<before>{NUMBER})\.", erased),
)
