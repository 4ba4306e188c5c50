"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.studies import watch as f
from dpstudio.studies.watch.answer import Drawn, WatchAnswer
from dpstudio.text.sentences import at_least, chance, grouped, listed, records, safely, significant

_NAMES = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "AboveThreshold with exponential noise",
          f.BASIC: "asking each time with ε/k", f.OPTIMAL: "asking each time with optimal composition"}
_SHORT = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "exponential noise", f.BASIC: "ε/k each time",
          f.OPTIMAL: "optimal composition"}
LEAST_SAID = 0.01
"""A delay below it has no number."""
RARE = 1e-3
"""A “yes” that never comes is told of where that is likelier."""


def sentences_of(a: WatchAnswer, seen: Drawn | None) -> Iterator[str]:
    """The headline, what it means for one person and for the analyst, and what watching costs and must not do."""
    ranked = _ranked(a)
    yield _headline(a, ranked)
    yield a.risk(ranked[0] if ranked else f.ABOVE)
    yield from _spending(a)
    if a.history.late:
        yield _late(a)
        yield from _never(a)
    yield _cost(a)
    if a.study.times > 1:
        yield _split(a)
    yield from _wrong(a)
    if a.one(f.TREE) is None:
        yield ("The binary tree is left out: a record that comes and goes may move every node, and shows more than "
               f"ε = {safely(a.study.epsilon)}.")
    elif seen and a.history.late:
        yield _tree(a, seen)


def _ranked(a: WatchAnswer) -> list[Series]:
    """All from the best on, by how late or how rarely “yes” comes; of those that print alike without δ first."""
    if a.history.reached is None:
        return []
    there = [one for one in f.EXACT if a.one(one)]
    if a.history.late:
        there.sort(key=lambda one: a.value(v.MEAN_DELAY, one))
        said = {one: _delay(a, one) for one in there}
    else:
        there.sort(key=lambda one: a.value(v.NEVER_SAID, one))
        said = {one: _missed(a, one) for one in there}
    best = said[there[0]]
    alike = sorted((one for one in there if said[one] == best), key=f.EXACT.index)
    return alike + [one for one in there if one not in alike]


def _headline(a: WatchAnswer, ranked: list[Series]) -> str:
    study = a.study
    if not ranked:
        last = records(float(a.history.counts[-1]))
        return (f"The count does not reach m = {grouped(study.minimum)} within {_times(study.times)}, when it is "
                f"{last}: any “yes” is a false alarm, with probability {chance(study.alarm)}.")
    best, other = ranked[0], f.BASIC if ranked[0] != f.BASIC else f.ABOVE
    early = f" at a false alarm of {chance(study.alarm)}" if a.history.before else ""
    if a.history.late:
        late, later = _delay(a, best), _delay(a, other)
        rest = "the same" if late == later else later
        return f"Choose {_NAMES[best]}: its “yes” comes {late} late on average{early}, with {_NAMES[other]} {rest}."
    missed, more = _missed(a, best), _missed(a, other)
    rest = "the same" if missed == more else more
    return (f"m is reached at the last time: choose {_NAMES[best]}, which says no “yes” by then with probability "
            f"{missed}{early}, {_NAMES[other]} {rest}.")


def _spending(a: WatchAnswer) -> Iterator[str]:
    """Who spends a δ, and who does not."""
    study, names = a.study, _SHORT | {f.TREE: "the tree"}
    deltas = {names[series]: one.delta for series, one in a.ones.items()}
    if spends := [name for name, delta in deltas.items() if delta]:
        pure = [name for name, delta in deltas.items() if not delta]
        yield (f"Beside ε = {safely(study.epsilon)} {listed(spends)} may spend δ = {safely(study.delta)}; "
               f"{listed(pure)} spend none.")


def _late(a: WatchAnswer) -> str:
    """The delay of each."""
    parts = ", ".join(f"{_delay(a, one)} with {_SHORT[one]}" for one in f.EXACT if a.one(one))
    return f"For the analyst: “yes” comes late on average by {parts}."


def _never(a: WatchAnswer) -> Iterator[str]:
    """Where the end cuts delays short."""
    there = {one: a.value(v.NEVER_SAID, one) for one in f.EXACT if a.one(one)}
    if often := [f"{chance(p)} with {_SHORT[one]}" for one, p in there.items() if p > RARE]:
        yield f"Delays end with the last time; “yes” has not come by then with probability {', '.join(often)}."


def _cost(a: WatchAnswer) -> str:
    study = a.study
    if study.times == 1:
        return "Asked once, a decision with Laplace noise has all of ε and needs no noise on its threshold."
    each, sds = a.value(v.ASK_EPSILON, f.BASIC), [a.value(v.COMPARISON_SD, one) for one in (f.ABOVE, f.BASIC)]
    optimal = f", {at_least(a.value(v.ASK_EPSILON, f.OPTIMAL))} at best with that δ" if a.one(f.OPTIMAL) else ""
    for_any = " for this k and any larger one" if a.lasting else ""
    return (f"Asking k times costs k-fold: each of {_times(study.times)} has ε/k = {at_least(each)}{optimal}. "
            f"AboveThreshold’s noise has an sd of {safely(sds[0])}{for_any}, that of ε/k {safely(sds[1])}.")


def _split(a: WatchAnswer) -> str:
    """What a record pays, of the one kind and of the other."""
    one, two = a.above.threshold_rate, a.above.count_rate
    stays, goes = (a.value(each, f.ABOVE) for each in (v.STAYING_EPSILON, v.COMING_EPSILON))
    return (f"AboveThreshold has ε₁ = {safely(one)} for its threshold and ε₂ = {safely(two)} for each count: a record "
            f"that stays pays at most {safely(stays)}, one that comes and goes at most {safely(goes)}.")


def _wrong(a: WatchAnswer) -> Iterator[str]:
    """Variants that exceed what they claim."""
    claimed = a.study.epsilon * (1 + 1e-9)
    variants = (("no noise on the counts", v.BARE_EPSILON), ("the noisy count told", v.RELEASED_EPSILON),
                ("a threshold drawn anew each time", v.ANEW_EPSILON), ("going on after “yes”", v.GOING_ON_EPSILON))
    exceed = [f"{name} ({'at least ' + at_least(found) if each == v.GOING_ON_EPSILON else safely(found)})"
              for name, each in variants if (found := a.value(each)) > claimed]
    if exceed:
        yield f"Faulty variants exceed ε = {safely(a.study.epsilon)}: {', '.join(exceed)}."


def _tree(a: WatchAnswer, seen: Drawn) -> str:
    delay, early = (a.fact(each, f.TREE, seen) for each in (v.DELAY_SEEN, v.ALARM_SEEN))
    assert delay is not None
    assert early is not None
    assert delay.low is not None
    assert delay.high is not None
    return (f"In simulation the binary tree let {significant(delay.value)} times pass on average "
            f"({at_least(delay.low)} to {safely(delay.high)}), with a false alarm in {significant(early.value)} of the "
            "histories; it tells all counts besides.")


def _delay(a: WatchAnswer, series: Series) -> str:
    """“12.3 records”, “less than 0.01 records”; in times where records come more slowly than these."""
    unit = "record" if a.study.per_time >= 1 else "time"
    found = a.value(v.DELAY_RECORDS if a.study.per_time >= 1 else v.MEAN_DELAY, series)
    if found < LEAST_SAID:
        return f"less than {LEAST_SAID} {unit}s"
    said = significant(found)
    return f"{said} {unit}{'' if said == '1' else 's'}"


def _missed(a: WatchAnswer, series: Series) -> str:
    found = a.fact(v.NEVER_SAID, series)
    assert found is not None
    return f"{'less than ' if found.kind == 'bound' else ''}{chance(found.value)}"


def _times(k: int) -> str:
    return "1 time" if k == 1 else f"{grouped(k)} times"
