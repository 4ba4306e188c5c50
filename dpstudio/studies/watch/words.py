"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import watch as f
from dpstudio.studies.watch.answer import Drawn, WatchAnswer
from dpstudio.text.sentences import at_least, chance, listed, or_same, safely, significant

_NAMES = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "AboveThreshold with exponential noise",
          f.BASIC: "asking each time with ε/k", f.OPTIMAL: "asking each time with optimal composition"}
_SHORT = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "exponential noise", f.BASIC: "ε/k each time",
          f.OPTIMAL: "optimal composition", f.TREE: "the tree"}
LEAST_SAID = 0.01
"""A delay below it has no number."""
RARE = 1e-3
"""A “yes” that never comes is told of where that is likelier."""


@found_once
def _said(a: WatchAnswer) -> dict[Series, str]:
    """How late or how rarely “yes” comes, of all from the best on; of those that print alike without δ first."""
    if a.history.reached is None:
        return {}
    by, said = (v.MEAN_DELAY, _delay) if a.history.late else (v.NEVER_SAID, _missed)
    there = sorted(_there(a), key=lambda one: a.value(by, one))
    found = {one: said(a, one) for one in there}
    alike = sorted((one for one in there if found[one] == found[there[0]]), key=f.EXACT.index)
    return {one: found[one] for one in dict.fromkeys((*alike, *there))}


def _there(a: WatchAnswer) -> list[Series]:
    return [one for one in f.EXACT if a.one(one)]


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


def _best(a: WatchAnswer) -> Series:
    return next(iter(_said(a)), f.ABOVE)


def _other(a: WatchAnswer) -> Series:
    """What the choice is set against."""
    return f.BASIC if _best(a) != f.BASIC else f.ABOVE


def _delays(a: WatchAnswer) -> str:
    return ", ".join(f"{_said(a)[one]} with {_SHORT[one]}" for one in _there(a))


@found_once
def _never(a: WatchAnswer) -> str:
    """Where the end cuts delays short."""
    often = {one: p for one in _there(a) if (p := a.value(v.NEVER_SAID, one)) > RARE}
    return ", ".join(f"{chance(p)} with {_SHORT[one]}" for one, p in often.items())


def _who(a: WatchAnswer, *, spends: bool) -> str:
    """Who spends a δ, and who does not; empty where nobody does."""
    found = [_SHORT[series] for series, one in a.ones.items() if bool(one.delta) == spends]
    return listed(found) if found else ""


@found_once
def _faulty(a: WatchAnswer) -> str:
    """Variants that exceed what they claim."""
    claimed = a.study.epsilon * (1 + 1e-9)
    variants = {"no noise on the counts": v.BARE_EPSILON, "the noisy count told": v.RELEASED_EPSILON,
                "a threshold drawn anew each time": v.ANEW_EPSILON, "going on after “yes”": v.GOING_ON_EPSILON}
    return ", ".join(f"{name} ({'at least ' + at_least(found) if each == v.GOING_ON_EPSILON else safely(found)})"
                     for name, each in variants.items() if (found := a.value(each)) > claimed)


_CHOICE: Fillings = {
    "best": lambda a: _NAMES[_best(a)], "first": lambda a: _said(a)[_best(a)], "other": lambda a: _NAMES[_other(a)],
    "rest": lambda a: or_same(_said(a)[_other(a)], _said(a)[_best(a)]),
    "early": part(" at a false alarm of {alarm|chance}", when=lambda a: a.history.before > 0)}

SENTENCES: Sentences[WatchAnswer, Drawn] = (
    (sentence("not_reached", "The count does not reach m = {minimum|whole} within {times|times}, when it is "
              "{last|records}: any “yes” is a false alarm, with probability {alarm|chance}.",
              when=lambda a: a.history.reached is None, last=lambda a: float(a.history.counts[-1])),
     sentence("choice", "Choose {best}: its “yes” comes {first} late on average{early}, with {other} {rest}.",
              _CHOICE, when=lambda a: a.history.late),
     sentence("at_last", "m is reached at the last time: choose {best}, which says no “yes” by then with probability "
              "{first}{early}, {other} {rest}.", _CHOICE)),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_best(a))),
    sentence("spending", "Beside ε = {epsilon|up} {who} may spend δ = {delta|up}; {pure} spend none.",
             when=lambda a: bool(_who(a, spends=True)), who=lambda a: _who(a, spends=True),
             pure=lambda a: _who(a, spends=False)),
    sentence("late", "For the analyst: “yes” comes late on average by {delays}.", when=lambda a: a.history.late,
             delays=_delays),
    sentence("never", "Delays end with the last time; “yes” has not come by then with probability {never}.",
             when=lambda a: a.history.late and bool(_never(a)), never=_never),
    (sentence("once", "Asked once, a decision with Laplace noise has all of ε and needs no noise on its threshold.",
              when=lambda a: a.study.times == 1),
     sentence("cost", "Asking k times costs k-fold: each of {times|times} has ε/k = {ask_epsilon:basic|down}{optimal}. "
              "AboveThreshold’s noise has an sd of {comparison_sd:above|up}{any_longer}, that of ε/k "
              "{comparison_sd:basic|up}.", any_longer=part(" for this k and any larger one", when=lambda a: a.lasting),
              optimal=part(", {ask_epsilon:optimal|down} at best with that δ", when=lambda a: bool(a.one(f.OPTIMAL))))),
    # What a record pays, of the one kind and of the other.
    sentence("split", "AboveThreshold has ε₁ = {threshold|up} for its threshold and ε₂ = {count|up} for each count: a "
             "record that stays pays at most {staying_epsilon:above|up}, one that comes and goes at most "
             "{coming_epsilon:above|up}.", when=lambda a: a.study.times > 1,
             threshold=lambda a: a.above.threshold_rate, count=lambda a: a.above.count_rate),
    sentence("faulty", "Faulty variants exceed ε = {epsilon|up}: {variants}.", when=lambda a: bool(_faulty(a)),
             variants=_faulty),
    (sentence("no_tree", "The binary tree is left out: a record that comes and goes may move every node, and shows "
              "more than ε = {epsilon|up}.", when=lambda a: a.one(f.TREE) is None),
     drawn_sentence("tree", "In simulation the binary tree let {delay_seen:tree|near} times pass on average "
                    "({delay_seen:tree:low|down} to {delay_seen:tree:high|up}), with a false alarm in "
                    "{alarm_seen:tree|near} of the histories; it tells all counts besides.",
                    when=lambda a, _: a.history.late)),
)
