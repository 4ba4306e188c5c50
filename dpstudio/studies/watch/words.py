"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.studies import watch as f
from dpstudio.studies.watch.answer import Drawn, WatchAnswer
from dpstudio.text.sentences import at_least, chance, even_odds, grouped, listed, records, safely, significant

_NAMES = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "AboveThreshold with exponential noise",
          f.BASIC: "asking each time with ε/k", f.OPTIMAL: "asking each time with optimal composition"}
_SHORT = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "exponential noise", f.BASIC: "ε/k each time",
          f.OPTIMAL: "optimal composition"}


def sentences_of(a: WatchAnswer, seen: Drawn | None) -> Iterator[str]:
    """The headline, what it means for one person and for the analyst, and what watching costs and must not do."""
    yield _headline(a)
    yield _risk(a)
    if a.history.reached is not None:
        yield _late(a)
    yield _cost(a)
    if a.study.times > 1:
        yield _staying(a)
        yield _wrong(a)
    if seen and a.history.reached is not None:
        yield _tree(a, seen)


def _headline(a: WatchAnswer) -> str:
    study = a.study
    if a.history.reached is None:
        last = records(float(a.history.counts[-1]))
        return (f"The count does not reach m = {grouped(study.minimum)} within {_times(study.times)}, when it is "
                f"{last}: any “yes” is a false alarm, with probability {_chance(study.alarm)}.")
    delays = _delays(a)
    best = min(delays, key=lambda one: delays[one])
    others = f.BASIC if best != f.BASIC else f.ABOVE
    early = (f"at a false alarm of {_chance(study.alarm)}" if a.history.before else
             "where nothing can be said too early")
    late, later = (_late_by(a.value(v.DELAY_RECORDS, one)) for one in (best, others))
    return f"{_begun(_NAMES[best])} says “yes” soonest: on average {late}, {early}; {_NAMES[others]} is {later}."


def _risk(a: WatchAnswer) -> str:
    study = a.study
    spends = [_SHORT[one] for one in (f.OPTIMAL,) if a.one(one)]
    tree = a.one(f.TREE)
    spends += ["the tree"] if tree and tree.delta else []
    beyond = f"; {listed(spends)} may spend δ = {safely(study.delta)} beyond" if spends else ""
    return ("For one person: whoever knows all other records and was 50 : 50 about yours is at most "
            f"{even_odds(study.epsilon)} after the last of {_times(study.times)} (ε = {safely(study.epsilon)})"
            f"{beyond}.")


def _late(a: WatchAnswer) -> str:
    """The delay of each, in records."""
    said = ", ".join(f"{safely(a.value(v.DELAY_RECORDS, one))} with {_SHORT[one]}" for one in _delays(a))
    return (f"For the analyst: by the time of “yes”, or the end, so many records have come on average since m was "
            f"reached: {said}.")


def _cost(a: WatchAnswer) -> str:
    study = a.study
    if study.times == 1:
        return "Asked once, a decision with Laplace noise has all of ε and needs no noise on its threshold."
    each, sds = a.value(v.ASK_EPSILON, f.BASIC), [a.value(v.COMPARISON_SD, one) for one in (f.ABOVE, f.BASIC)]
    optimal = f", {at_least(a.value(v.ASK_EPSILON, f.OPTIMAL))} at best with that δ" if a.one(f.OPTIMAL) else ""
    return (f"Asking k times costs k-fold: each of {_times(study.times)} has ε/k = {at_least(each)}{optimal}. A watch "
            f"that stops at “yes” pays once: its noise has an sd of {safely(sds[0])} however long it lasts, against "
            f"{safely(sds[1])}.")


def _staying(a: WatchAnswer) -> str:
    staying = a.value(v.STAYING_EPSILON, f.ABOVE)
    return (f"About a record that stays once it is counted AboveThreshold gives away no more than max(ε₁, ε₂) = "
            f"{safely(staying)} of its ε = {safely(a.study.epsilon)}; the rest is for records that come and go.")


def _wrong(a: WatchAnswer) -> str:
    told, on, anew = (a.value(each) for each in (v.RELEASED_EPSILON, v.GOING_ON_EPSILON, v.ANEW_EPSILON))
    return (f"Variants that claim ε = {safely(a.study.epsilon)} and do not keep it: with no noise on the counts ε is "
            f"∞, telling the noisy count {safely(told)}, a threshold drawn anew each time {safely(anew)}, going on "
            f"after “yes” {at_least(on)} or more.")


def _tree(a: WatchAnswer, seen: Drawn) -> str:
    delay, early = (a.fact(each, f.TREE, seen) for each in (v.DELAY_SEEN, v.ALARM_SEEN))
    assert delay is not None
    assert early is not None
    assert delay.low is not None
    assert delay.high is not None
    return (f"In simulation the binary tree let {significant(delay.value)} times pass on average "
            f"({at_least(delay.low)} to {safely(delay.high)}), with a false alarm in {significant(early.value)} of the "
            "histories; it tells all counts besides.")


def _delays(a: WatchAnswer) -> dict[Series, float]:
    return {one: a.value(v.MEAN_DELAY, one) for one in f.EXACT if a.one(one)}


def _late_by(delay: float) -> str:
    said = significant(delay)
    return f"{said} record{'' if said == '1' else 's'} late"


def _times(k: int) -> str:
    return "1 time" if k == 1 else f"{grouped(k)} times"


def _chance(alarm: float) -> str:
    return chance(alarm)


def _begun(name: str) -> str:
    return name[:1].upper() + name[1:]
