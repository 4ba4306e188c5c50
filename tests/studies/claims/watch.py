"""What the watch study says, recomputed from the laws of the first “yes”."""

from __future__ import annotations

import math

import numpy as np
from claims.kit import NUMBER as N
from claims.kit import Claim, Said, near, not_above, not_below, number

from dpstudio import vocabulary as v
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.watch import AboveThreshold, ExponentialAboveThreshold
from dpstudio.models.watching import TreeWatch
from dpstudio.studies import watch as f

ODDS = rf"{N} : \d+"
NAMES = {"AboveThreshold": f.ABOVE, "AboveThreshold with exponential noise": f.EXPONENTIAL,
         "Asking each time with ε/k": f.BASIC, "asking each time with ε/k": f.BASIC,
         "Asking each time with optimal composition": f.OPTIMAL}
SHORT = {"AboveThreshold": f.ABOVE, "exponential noise": f.EXPONENTIAL, "ε/k each time": f.BASIC,
         "optimal composition": f.OPTIMAL}
SLOW = 120
"""Up to so many times the whole law is computed anew; of more what the study asks for."""


def history(said: Said) -> tuple[np.ndarray, int]:
    """The counts, and at how many times they lie below m."""
    study = said.study
    counts = np.floor(study.per_time * np.arange(1, study.times + 1))
    return counts, int(np.sum(counts < study.minimum))


def delay(said: Said, series) -> float:
    """Σ Pr[T > t] from the first count at m on, with the threshold that the study says, which must give the alarm."""
    study, (counts, before) = said.study, history(said)
    threshold = study.minimum + said.value(v.THRESHOLD_MARGIN, series)
    if series in (f.BASIC, f.OPTIMAL):
        each = said.value(v.ASK_EPSILON, series)
        still = np.exp(np.cumsum(LaplaceDecision(each, threshold).log_reject(counts)))
    else:
        watch = {f.ABOVE: AboveThreshold, f.EXPONENTIAL: ExponentialAboveThreshold}[series](
            study.epsilon, threshold, study.share)
        few = study.times <= SLOW and study.epsilon < 2
        still = 1 - np.cumsum(watch.first_yes(counts)) if few else watch.waiting(counts)
    alarm = 1 - still[before - 1] if before else 0.0
    assert abs(alarm - (study.alarm if before else 0.0)) <= 1e-6 * study.alarm + 1e-12
    return float(still[before:].sum())


def close(text: str, true: float, unit: float = 1.0) -> bool:
    """Near in three digits, or as good as nothing: sums of what is known to 1e-15 are known to no more."""
    return near(number(text), unit * true) or abs(number(text) / unit - true) < 1e-10 + 1e-2 * abs(true)


def headline(said: Said) -> None:
    study = said.study
    best, other = NAMES[said.groups["best"]], NAMES[said.groups["other"]]
    found = {one: delay(said, one) for one in f.EXACT if one != f.OPTIMAL or (study.delta > 0 and study.times > 1)}
    assert found[best] <= min(found.values()) + 1e-9 * study.times
    assert close(said.groups["delay"], found[best], study.per_time)
    assert close(said.groups["late"], found[other], study.per_time)
    assert other != best
    if said.groups["alarm"]:
        assert near(said.number("alarm"), study.alarm)
        assert history(said)[1] > 0
    else:
        assert history(said)[1] == 0


def not_reached(said: Said) -> None:
    study, (counts, before) = said.study, history(said)
    assert before == study.times
    assert near(said.number("minimum"), study.minimum, 12)
    assert said.number("times") == study.times
    assert near(said.number("last"), counts[-1], 12)
    assert near(said.number("alarm"), study.alarm)


def risk(said: Said) -> None:
    study = said.study
    first, second = (number(part) for part in said.groups["odds"].split(" : "))
    assert math.log(first / second) >= study.epsilon - 1e-9
    most = 1 / (1 + math.exp(-study.epsilon))
    assert (first - 1) / 100 < most if second > 1 or first == 99 else first <= math.exp(study.epsilon) * 1.011
    assert not_below(said.number("epsilon"), study.epsilon)
    assert said.number("times") == study.times
    tree = TreeWatch(study.epsilon, study.delta, study.times).gaussian is not None
    optimal = study.delta > 0 and study.times > 1
    spending = {"optimal composition": optimal, "the tree": tree}
    named = said.groups["who"] or ""
    assert {name for name in spending if name in named} == {name for name, spends in spending.items() if spends}
    assert not named or not_below(said.number("delta"), study.delta)


def late(said: Said) -> None:
    parts = [part.rsplit(" with ", 1) for part in said.groups["parts"].split(", ")]
    study = said.study
    assert [SHORT[name] for _, name in parts] == [one for one in f.EXACT if one != f.OPTIMAL or (
        study.delta > 0 and study.times > 1)]
    for text, name in parts:
        true = delay(said, SHORT[name]) * study.per_time
        assert number(text) >= true * (1 - 1e-8) - 1e-8 * study.per_time
        assert number(text) <= true * 1.0101 + 1e-8 * study.per_time


def cost(said: Said) -> None:
    study = said.study
    assert said.number("times") == study.times > 1
    assert not_above(said.number("each"), study.epsilon / study.times)
    one, two = study.share * study.epsilon, (1 - study.share) * study.epsilon
    assert not_below(said.number("once"), math.sqrt(2 / one**2 + 2 / two**2))
    assert not_below(said.number("anew"), math.sqrt(2) * study.times / study.epsilon)
    assert bool(said.groups["best"]) == (study.delta > 0)
    if said.groups["best"]:
        spent = RandomizedResponse.symmetric(said.number("best")).delta_after(study.times, study.epsilon)
        assert spent <= study.delta * (1 + 1e-9)
        more = RandomizedResponse.symmetric(said.number("best") * 1.011).delta_after(study.times, study.epsilon)
        assert more > study.delta


def staying(said: Said) -> None:
    study = said.study
    assert not_below(said.number("staying"), study.epsilon * max(study.share, 1 - study.share))
    assert not_below(said.number("epsilon"), study.epsilon)


def wrong(said: Said) -> None:
    study = said.study
    one, two, k = study.share * study.epsilon, (1 - study.share) * study.epsilon, study.times
    assert not_below(said.number("epsilon"), study.epsilon)
    assert not_below(said.number("told"), k * two)
    assert not_below(said.number("drawn"), k * min(one, two))
    # Every “no” that a record makes less likely shows ε₂ at most, and half of it to the threshold between both halves.
    assert said.number("on") <= (k - k // 2) * two * (1 + 1e-9)
    if k >= 20 and study.epsilon > 0.1:
        assert said.number("on") >= 0.3 * (k // 2) * two
    if study.epsilon < 1 and k <= 40:
        z, h = np.linspace(-40 / min(one, two), 40 / min(one, two), 200_001, retstep=True)
        def no(x):
            return np.where(x < 0, np.exp(two * np.minimum(x, 0)) / 2, 1 - np.exp(-two * np.maximum(x, 0)) / 2)
        weight = np.exp(-one * abs(z)) * (1 - no(z)) ** (k // 2)
        fewer, more = (np.sum(weight * no(z - c) ** (k - k // 2)) * h for c in (0, 1))
        assert abs(math.log(fewer / more) / said.number("on") - 1) < 2e-2


def tree(said: Said) -> None:
    seen, early = (said.update.fact(each, f.TREE) for each in (v.DELAY_SEEN, v.ALARM_SEEN))
    assert near(said.number("delay"), seen.value)
    assert not_above(said.number("low"), seen.low)
    assert not_below(said.number("high"), seen.high)
    assert near(said.number("early"), early.value)
    study, (counts, before) = said.study, history(said)
    watch = TreeWatch(study.epsilon, study.delta, study.times)
    threshold = study.minimum + said.value(v.THRESHOLD_MARGIN, f.TREE)
    first = watch.first_yes(counts, threshold, 2000, np.random.default_rng(77))
    spread = np.maximum(first - before, 0)
    room = 5 * (spread.std() + 0.02 * study.times) / math.sqrt(400)
    assert seen.low - room <= spread.mean() <= seen.high + room


CLAIMS = (
    Claim(rf"(?P<best>A[\w /]+|Asking each time with [\w /ε]+) says “yes” soonest: on average (?P<delay>{N}) "
          rf"records? late, (?:at a false alarm of (?P<alarm>{N})|where nothing can be said too early); "
          rf"(?P<other>[\w /ε]+) is (?P<late>{N}) records? late\.", headline),
    Claim(rf"The count does not reach m = (?P<minimum>{N}) within (?P<times>{N}) times?, when it is (?P<last>{N}) "
          rf"records?: any “yes” is a false alarm, with probability (?P<alarm>{N})\.", not_reached),
    Claim(rf"For one person: whoever knows all other records and was 50 : 50 about yours is at most (?P<odds>{ODDS}) "
          rf"after the last of (?P<times>{N}) times? \(ε = (?P<epsilon>{N})\)(?:; (?P<who>[a-z ]+) may spend δ = "
          rf"(?P<delta>{N}) beyond)?\.", risk),
    Claim(r"For the analyst: by the time of “yes”, or the end, so many records have come on average since m was "
          r"reached: (?P<parts>.+)\.", late),
    Claim(r"Asked once, a decision with Laplace noise has all of ε and needs no noise on its threshold\.",
          lambda said: said.study.times == 1 and said.value(v.ASK_EPSILON, f.BASIC) == said.study.epsilon),
    Claim(rf"Asking k times costs k-fold: each of (?P<times>{N}) times has ε/k = (?P<each>{N})"
          rf"(?:, (?P<best>{N}) at best with that δ)?\. A watch that stops at “yes” pays once: its noise has an sd of "
          rf"(?P<once>{N}) however long it lasts, against (?P<anew>{N})\.", cost),
    Claim(rf"About a record that stays once it is counted AboveThreshold gives away no more than max\(ε₁, ε₂\) = "
          rf"(?P<staying>{N}) of its ε = (?P<epsilon>{N}); the rest is for records that come and go\.", staying),
    Claim(rf"Variants that claim ε = (?P<epsilon>{N}) and do not keep it: with no noise on the counts ε is ∞, telling "
          rf"the noisy count (?P<told>{N}), a threshold drawn anew each time (?P<drawn>{N}), going on after “yes” "
          rf"(?P<on>{N}) or more\.", wrong),
    Claim(rf"In simulation the binary tree let (?P<delay>{N}) times pass on average \((?P<low>{N}) to (?P<high>{N})\), "
          rf"with a false alarm in (?P<early>{N}) of the histories; it tells all counts besides\.", tree),
)

EXAMPLES = (
    {"times": 1}, {"times": 1, "minimum": 5}, {"minimum": 5}, {"delta": 0.0}, {"epsilon": 20.0}, {"epsilon": 1e-6},
    {"times": 30}, {"epsilon": 0.1, "share": 0.2}, {"epsilon": 1e-6, "delta": 0.1}, {"times": 2, "minimum": 15},
)
