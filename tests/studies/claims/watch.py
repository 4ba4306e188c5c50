"""What the watch study says, recomputed from the laws of the first “yes”."""

from __future__ import annotations

import math
import re

import numpy as np
from claims.kit import NUMBER as N
from claims.kit import Claim, Said, near, not_above, not_below, number, of_person

from dpstudio import vocabulary as v
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.watch import AboveThreshold, ExponentialAboveThreshold
from dpstudio.models.watching import TreeWatch
from dpstudio.studies import watch as f

NAMES = {"AboveThreshold": f.ABOVE, "AboveThreshold with exponential noise": f.EXPONENTIAL,
         "asking each time with ε/k": f.BASIC, "asking each time with optimal composition": f.OPTIMAL}
SHORT = {"AboveThreshold": f.ABOVE, "exponential noise": f.EXPONENTIAL, "ε/k each time": f.BASIC,
         "optimal composition": f.OPTIMAL, "the tree": f.TREE}
SLOW = 120
"""Up to so many times the whole law is computed anew; of more what the study asks for."""
WHO = "|".join(sorted(NAMES, key=len, reverse=True))
LATE = rf"(?:less than )?{N} (?:record|time)s?"
CHANCE = rf"(?:less than |more than )?{N}"


def history(said: Said) -> tuple[np.ndarray, int]:
    """The counts, and at how many times they lie below m."""
    study = said.study
    counts = np.floor(study.per_time * np.arange(1, study.times + 1))
    return counts, int(np.sum(counts < study.minimum))


def there(said: Said) -> list:
    """The series whose first “yes” has a law."""
    return [one for one in f.EXACT if one != f.OPTIMAL or (said.study.delta > 0 and said.study.times > 1)]


def paid(series, one: float, two: float, k: int, stays: bool) -> tuple[float, float]:
    """What a record shows at most: what is likelier without it, and with it."""
    if series == f.EXPONENTIAL:
        return (one if stays or k == 1 else one + two), two
    all_no = min(one, k * two)
    then_yes = 0 if stays else min(one + two, (k - 1) * two)
    return max(all_no, then_yes), min(one, two) if k == 1 else two


def split(said: Said, series=f.ABOVE) -> tuple[float, float]:
    """ε₁ and ε₂: as large as ε allows."""
    study = said.study
    worst = max(paid(series, study.share, 1 - study.share, study.times, study.presence == "stays"))
    return study.share / worst * study.epsilon, (1 - study.share) / worst * study.epsilon


def unsaid(said: Said, series) -> np.ndarray:
    """Pr[T > t] for each t, with the threshold that the study says, which must give the alarm."""
    study, (counts, before) = said.study, history(said)
    threshold = study.minimum + said.value(v.THRESHOLD_MARGIN, series)
    if series in (f.BASIC, f.OPTIMAL):
        each = said.value(v.ASK_EPSILON, series)
        still = np.exp(np.cumsum(LaplaceDecision(each, threshold).log_reject(counts)))
    else:
        total = sum(split(said, series))
        watch = {f.ABOVE: AboveThreshold, f.EXPONENTIAL: ExponentialAboveThreshold}[series](
            total, threshold, study.share)
        few = study.times <= SLOW and total < 2
        still = 1 - np.cumsum(watch.first_yes(counts)) if few else watch.waiting(counts)
    alarm = 1 - still[before - 1] if before else 0.0
    assert abs(alarm - (study.alarm if before else 0.0)) <= 1e-6 * study.alarm + 1e-12
    return still


def delay(said: Said, series) -> float:
    """What comes from t* to “yes” or the last time, on average: records, or times where they are fewer."""
    study, (counts, before) = said.study, history(said)
    come = np.diff(counts) if study.per_time >= 1 else np.ones(study.times - 1)
    return float(unsaid(said, series)[before:-1] @ come[before:])


def is_delay(text: str, said: Said, series) -> None:
    """“12.3 records”, or less than 0.01 of them; known to no more than its sum is."""
    true, unit = delay(said, series), "record" if said.study.per_time >= 1 else "time"
    digits = text.removeprefix("less than ").split(" ")[0]
    assert text.split(" ")[-1].removesuffix("s") == unit
    assert text.endswith("s") == (digits != "1")
    room = 1e-12 * said.study.times * max(said.study.per_time, 1)
    if text.startswith("less"):
        assert number(digits) == 0.01 > true - room
    else:
        assert true >= 0.01 - room
        assert near(number(digits), true) or abs(number(digits) - true) < room + 6e-3 * true


def is_missed(text: str, said: Said, series) -> None:
    true = float(unsaid(said, series)[-1])
    if text.startswith("less"):
        assert number(text.removeprefix("less than ")) == 1e-12 > true - 1e-11
    elif text.startswith("more"):
        assert true >= 0.9995 - 1e-9
    else:
        assert near(number(text), true) or abs(number(text) - true) < 1e-11


def chosen(said: Said, of, check) -> None:
    """Nothing is better but by less than three digits; of what prints alike nothing without δ is passed over."""
    study, (_, before) = said.study, history(said)
    best, other = NAMES[said.groups["best"]], NAMES[said.groups["other"]]
    assert other == (f.BASIC if best != f.BASIC else f.ABOVE)
    found = {one: of(said, one) for one in there(said)}
    alike = 0.01 if of is delay else 1e-12
    assert found[best] <= max(min(found.values()) * 1.0101, alike) + 1e-9 * study.times
    check(said.groups["first"], said, best)
    check(said.groups["first"] if said.groups["rest"] == "the same" else said.groups["rest"], said, other)
    assert (said.groups["rest"] == "the same") or said.groups["rest"] != said.groups["first"]
    assert best != f.OPTIMAL or min(value for one, value in found.items() if one != best) > found[best]
    assert bool(said.groups["alarm"]) == (before > 0)
    if said.groups["alarm"]:
        assert near(said.number("alarm"), study.alarm)


def headline(said: Said) -> None:
    assert history(said)[1] < said.study.times - 1
    chosen(said, delay, is_delay)


def at_last(said: Said) -> None:
    assert history(said)[1] == said.study.times - 1
    chosen(said, lambda given, one: float(unsaid(given, one)[-1]), is_missed)


def not_reached(said: Said) -> None:
    study, (counts, before) = said.study, history(said)
    assert before == study.times
    assert near(said.number("minimum"), study.minimum, 12)
    assert said.number("times") == study.times
    assert near(said.number("last"), counts[-1], 12)
    assert near(said.number("alarm"), study.alarm)


def recommended(said: Said) -> str:
    return next((series for name, series in NAMES.items() if f"hoose {name}:" in said.update.verdicts[0]
                 or f"hoose {name}," in said.update.verdicts[0]), f.ABOVE).key


def risk(said: Said) -> None:
    """No test of what is said gets it right more often, of the record that comes just when m is reached either."""
    study, (counts, before) = said.study, history(said)
    best = next(series for series in NAMES.values() if series.key == recommended(said))
    many, right = said.number("guesses"), said.number("right")
    share = right / many
    if best in (f.ABOVE, f.EXPONENTIAL):
        a, b = paid(best, *split(said, best), study.times, study.presence == "stays")
        law = -math.expm1(-a * b / (a + b))
    else:
        a, b = (each * said.value(v.ASK_EPSILON, best) for each in (study.times, 1))
        law = min(-math.expm1(-a * b / (a + b)),
                  float(RandomizedResponse.symmetric(b).delta_after(study.times, 0.0)))
    assert (1 + law) / 2 * (1 - 1e-9) <= share <= (1 + law) / 2 + 1.001 / many
    if best in (f.ABOVE, f.EXPONENTIAL) and study.times <= SLOW and before < study.times:
        kind = {f.ABOVE: AboveThreshold, f.EXPONENTIAL: ExponentialAboveThreshold}[best]
        watch = kind(sum(split(said, best)), study.minimum + said.value(v.THRESHOLD_MARGIN, best), study.share)
        one, two = (np.append(watch.first_yes(each), watch.never(each))
                    for each in (counts, counts + (np.arange(study.times) >= before)))
        assert np.abs(one - two).sum() / 4 <= share - 0.5 + 1e-9


def spending(said: Said) -> None:
    study = said.study
    tree = TreeWatch(study.epsilon, study.delta, study.times).gaussian is not None
    has_tree = study.presence == "stays" or study.times <= 2
    spends = ([f.OPTIMAL] if study.times > 1 else []) + ([f.TREE] if tree and has_tree else [])
    pure = [f.ABOVE, f.EXPONENTIAL, f.BASIC] + ([f.TREE] if has_tree and not tree else [])
    for group, named in (("who", spends), ("pure", pure)):
        assert [SHORT[name] for name in re.split(r", | and ", said.groups[group])] == named
    assert not_below(said.number("delta"), study.delta)
    assert not_below(said.number("epsilon"), study.epsilon)


def parts_of(said: Said) -> list[tuple[str, object]]:
    found = [part.rsplit(" with ", 1) for part in said.groups["parts"].split(", ")]
    return [(text, SHORT[name]) for text, name in found]


def late(said: Said) -> None:
    parts = parts_of(said)
    assert [one for _, one in parts] == there(said)
    for text, one in parts:
        is_delay(text, said, one)


def never(said: Said) -> None:
    parts = {one: text for text, one in parts_of(said)}
    for one in there(said):
        true = float(unsaid(said, one)[-1])
        assert (one in parts) == (true > 1e-3) or abs(true - 1e-3) < 1e-9
        if one in parts:
            is_missed(parts[one], said, one)


def cost(said: Said) -> None:
    study = said.study
    assert said.number("times") == study.times > 1
    assert not_above(said.number("each"), study.epsilon / study.times)
    one, two = split(said)
    assert not_below(said.number("once"), math.sqrt(2 / one**2 + 2 / two**2))
    longer = [max(paid(f.ABOVE, study.share, 1 - study.share, k, study.presence == "stays"))
              for k in (study.times, study.times + 1, 10 * study.times, 10**6)]
    assert bool(said.groups["any"]) == (max(longer) - min(longer) < 1e-12)
    assert not_below(said.number("anew"), math.sqrt(2) * study.times / study.epsilon)
    assert bool(said.groups["best"]) == (study.delta > 0)
    if said.groups["best"]:
        spent = RandomizedResponse.symmetric(said.number("best")).delta_after(study.times, study.epsilon)
        assert spent <= study.delta * (1 + 1e-9)
        more = RandomizedResponse.symmetric(said.number("best") * 1.011).delta_after(study.times, study.epsilon)
        assert more > study.delta


def pays(said: Said) -> None:
    study, (one, two) = said.study, split(said)
    assert not_below(said.number("one"), one)
    assert not_below(said.number("two"), two)
    for group, stays in (("stays", True), ("goes", False)):
        assert not_below(said.number(group), max(paid(f.ABOVE, one, two, study.times, stays)))
    assert near(said.number("stays" if study.presence == "stays" else "goes"), study.epsilon) or not_below(
        said.number("stays" if study.presence == "stays" else "goes"), study.epsilon)


def wrong(said: Said) -> None:
    study, (one, two) = said.study, split(said)
    k = study.times
    assert not_below(said.number("epsilon"), study.epsilon)
    true = {"bare": math.inf if k > 1 else one, "told": k * two, "drawn": k * min(one, two)}
    for name, gives in true.items():
        assert (said.groups[name] is not None) == (gives > study.epsilon * (1 + 1e-9)), name
        if said.groups[name] is not None:
            assert said.number(name) == gives or not_below(said.number(name), gives), name
    # Every “no” that a record makes less likely shows ε₂ at most, and half of it to the threshold between both halves.
    if said.groups["on"] is None:
        assert said.value(v.GOING_ON_EPSILON) <= study.epsilon * (1 + 1e-9)
        return
    assert study.epsilon * (1 - 1e-2) <= said.number("on") <= (k - k // 2) * two * (1 + 1e-9)
    if k >= 20 and study.epsilon > 0.1:
        assert said.number("on") >= 0.3 * (k // 2) * two
    if study.epsilon < 1 and k <= 40:
        z, h = np.linspace(-40 / min(one, two), 40 / min(one, two), 200_001, retstep=True)
        def no(x):
            return np.where(x < 0, np.exp(two * np.minimum(x, 0)) / 2, 1 - np.exp(-two * np.maximum(x, 0)) / 2)
        weight = np.exp(-one * abs(z)) * (1 - no(z)) ** (k // 2)
        fewer, more = (np.sum(weight * no(z - c) ** (k - k // 2)) * h for c in (0, 1))
        assert abs(math.log(fewer / more) / said.number("on") - 1) < 2e-2


def left_out(said: Said) -> None:
    """A record that is counted where the number of 1s is odd moves every node: as many as there are times."""
    k = said.study.times
    counted = [t.bit_count() % 2 for t in range(k + 1)]
    moved = sum(abs(counted[t] - counted[t & (t - 1)]) for t in range(1, k + 1))
    assert said.study.presence == "comes and goes"
    assert moved == k > k.bit_length()
    assert not_below(said.number("epsilon"), said.study.epsilon)


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
    spread = np.maximum(np.minimum(first, study.times - 1) - before, 0)
    room = 5 * (spread.std() + 0.02 * study.times) / math.sqrt(400)
    assert seen.low - room <= spread.mean() <= seen.high + room


CLAIMS = (
    Claim(rf"Choose (?P<best>{WHO}): its “yes” comes (?P<first>{LATE}) late on average"
          rf"(?: at a false alarm of (?P<alarm>{N}))?, with (?P<other>{WHO}) (?P<rest>{LATE}|the same)\.", headline),
    Claim(rf"m is reached at the last time: choose (?P<best>{WHO}), which says no “yes” by then with probability "
          rf"(?P<first>{CHANCE})(?: at a false alarm of (?P<alarm>{N}))?, (?P<other>{WHO}) "
          rf"(?P<rest>{CHANCE}|the same)\.", at_last),
    Claim(rf"The count does not reach m = (?P<minimum>{N}) within (?P<times>{N}) times?, when it is (?P<last>{N}) "
          rf"records?: any “yes” is a false alarm, with probability (?P<alarm>{N})\.", not_reached),
    of_person(recommended, further=risk),
    Claim(rf"Beside ε = (?P<epsilon>{N}) (?P<who>[a-z ]+) may spend δ = (?P<delta>{N}); (?P<pure>[\w ,/ε]+) spend "
          r"none\.", spending),
    Claim(r"For the analyst: “yes” comes late on average by (?P<parts>.+)\.", late),
    Claim(r"Delays end with the last time; “yes” has not come by then with probability (?P<parts>.+)\.", never),
    Claim(r"Asked once, a decision with Laplace noise has all of ε and needs no noise on its threshold\.",
          lambda said: said.study.times == 1 and said.value(v.ASK_EPSILON, f.BASIC) == said.study.epsilon),
    Claim(rf"Asking k times costs k-fold: each of (?P<times>{N}) times has ε/k = (?P<each>{N})"
          rf"(?:, (?P<best>{N}) at best with that δ)?\. AboveThreshold’s noise has an sd of (?P<once>{N})"
          rf"(?P<any> for this k and any larger one)?, that of ε/k (?P<anew>{N})\.", cost),
    Claim(rf"AboveThreshold has ε₁ = (?P<one>{N}) for its threshold and ε₂ = (?P<two>{N}) for each count: a record "
          rf"that stays pays at most (?P<stays>{N}), one that comes and goes at most (?P<goes>{N})\.", pays),
    Claim(rf"Faulty variants exceed ε = (?P<epsilon>{N}): (?:no noise on the counts \((?P<bare>{N})\)(?:, )?)?"
          rf"(?:the noisy count told \((?P<told>{N})\)(?:, )?)?"
          rf"(?:a threshold drawn anew each time \((?P<drawn>{N})\)(?:, )?)?"
          rf"(?:going on after “yes” \(at least (?P<on>{N})\))?\.", wrong),
    Claim(rf"The binary tree is left out: a record that comes and goes may move every node, and shows more than ε = "
          rf"(?P<epsilon>{N})\.", left_out),
    Claim(rf"In simulation the binary tree let (?P<delay>{N}) times pass on average \((?P<low>{N}) to (?P<high>{N})\), "
          rf"with a false alarm in (?P<early>{N}) of the histories; it tells all counts besides\.", tree),
)

EXAMPLES = (
    {"times": 1}, {"times": 1, "minimum": 5}, {"minimum": 5}, {"delta": 0.0}, {"epsilon": 20.0}, {"epsilon": 1e-6},
    {"times": 30}, {"epsilon": 0.1, "share": 0.2}, {"epsilon": 1e-6, "delta": 0.1}, {"times": 2, "minimum": 15},
    {"presence": "comes and goes"}, {"presence": "comes and goes", "times": 3, "share": 0.9, "minimum": 15},
    {"minimum": 1, "per_time": 285.0}, {"minimum": 1, "per_time": 0.4, "epsilon": 0.1},
)
