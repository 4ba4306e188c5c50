"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Callable

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import watch as f
from dpstudio.studies.kit.choosing import USE, ranked, role, spoken_of
from dpstudio.studies.watch.answer import LEAST, Drawn, WatchAnswer
from dpstudio.text.language import counted, phrase
from dpstudio.text.numbers import shown
from dpstudio.text.sentences import COUNTED, at_least, chance, less_than, no_less_than, safely, significant

_NAMES = {f.ABOVE: "AboveThreshold", f.EXPONENTIAL: "AboveThreshold with exponential noise",
          f.BASIC: "a new decision each step (ε/k)", f.OPTIMAL: "a new decision each step (optimal)",
          f.TREE: "the binary tree"}
LEAST_SAID = 0.01
"""A delay below it has no number."""
RARE = 1e-3
"""A “yes” that never comes is told of where that is likelier."""


# What is late, or missing: the least of what is said of it is recommended

def _in_records(a: WatchAnswer) -> bool:
    """Whether delays are said in records; in steps where records come more slowly than these."""
    return a.study.per_time >= 1


@found_once
def _ranked(a: WatchAnswer) -> tuple[Series, ...]:
    """What has a law and competes, best first; nothing where m is not reached."""
    if a.history.reached is None:
        return ()
    if not a.history.late:
        return ranked(a, v.NEVER_SAID, f.EXACT, least=LEAST)
    return ranked(a, v.DELAY_RECORDS if _in_records(a) else v.MEAN_DELAY, f.EXACT, least=LEAST_SAID)


def suggested(a: WatchAnswer) -> Series | None:
    """The one that is least late; None where m is not reached."""
    return next(iter(_ranked(a)), None)


def _spoken(a: WatchAnswer) -> Series:
    return spoken_of(a, suggested(a) or f.ABOVE)


def _second(a: WatchAnswer) -> Series | None:
    """What comes next: of the others the first."""
    return next((each for each in _ranked(a) if each != _spoken(a)), None)


def _named(series: Series) -> str:
    return phrase(_NAMES[series])


def _said(a: WatchAnswer, series: Series) -> str:
    """How late or how rarely “yes” comes."""
    return _delay(a, series) if a.history.late else _missed(a, series)


def _delay(a: WatchAnswer, series: Series) -> str:
    """“12.3 records”, “less than 0.01 records”."""
    one, many = COUNTED["records" if _in_records(a) else "steps"]
    found = a.value(v.DELAY_RECORDS if _in_records(a) else v.MEAN_DELAY, series)
    if found < LEAST_SAID:
        return less_than(counted(one, many, 2, number=shown(str(LEAST_SAID))))
    said = significant(found)
    return counted(one, many, 1 if said == "1" else 2, number=said)


def _missed(a: WatchAnswer, series: Series) -> str:
    found = a.fact(v.NEVER_SAID, series)
    assert found is not None
    said = chance(found.value)
    return less_than(said) if found.kind == "bound" else said


def _its(a: WatchAnswer) -> str:
    second = _second(a)
    assert second is not None
    return _said(a, second)


def _is_alike(a: WatchAnswer) -> bool:
    second = _second(a)
    return second is not None and _spoken(a) != f.TREE and _said(a, second) == _said(a, _spoken(a))


def _delta(of: Callable[[WatchAnswer], Series | None]) -> Callable[[WatchAnswer], float]:
    return lambda a: a.get(series).delta if (series := of(a)) else 0.0


def _there(a: WatchAnswer) -> list[Series]:
    return [one for one in f.EXACT if a.one(one)]


def _delays(a: WatchAnswer) -> str:
    return ", ".join(f"{_named(one)} {_delay(a, one)}" for one in _there(a))


@found_once
def _never(a: WatchAnswer) -> str:
    """Where the end cuts delays short."""
    often = {one: p for one in _there(a) if (p := a.value(v.NEVER_SAID, one)) > RARE}
    return ", ".join(f"{_named(one)} {chance(p)}" for one, p in often.items())


@found_once
def _faulty(a: WatchAnswer) -> str:
    """Variants that exceed what they claim."""
    claimed = a.study.epsilon * (1 + 1e-9)
    variants = {v.BARE_EPSILON: phrase("no noise on the counts"), v.RELEASED_EPSILON: phrase("the noisy count told"),
                v.ANEW_EPSILON: phrase("a new threshold each step"), v.GOING_ON_EPSILON: phrase("going on after “yes”")}
    found = {each: a.value(each) for each in variants if a.value(each) > claimed}
    numbers = {each: no_less_than(at_least(value)) if each == v.GOING_ON_EPSILON else
               safely(value) for each, value in found.items()}
    return ", ".join(f"{variants[each]} ({numbers[each]})" for each in numbers)


_CHOICE: Fillings = {
    **USE, "spoken": lambda a: _named(_spoken(a)), "first": lambda a: _said(a, _spoken(a)),
    "early": part(", false alarm {alarm|chance}", when=lambda a: a.history.before > 0),
    "keep": (part("keeps", when=lambda a: a.study.times == 1), part("keep")),
    "delta": part(" and δ = {delta|up}", when=lambda a: _delta(_spoken)(a) > 0)}
_KEEPS = "{early}; {times|steps} {keep} ε = {epsilon|up}{delta}."
_SECOND: Fillings = {
    "role": role(lambda a: _second(a) == suggested(a)),
    "second": lambda a: _named(_second(a)),  # type: ignore[arg-type]  # said where there is one
    "spends": (part("δ = {delta|up}", when=lambda a: _delta(_second)(a) > 0), part("no δ")),
    "basic": part("; {anew}: {asked}{late}", when=lambda a: f.BASIC not in (_spoken(a), _second(a)),
                  anew=lambda _: _named(f.BASIC), asked=lambda a: _said(a, f.BASIC),
                  late=part(" late", when=lambda a: a.history.late))}

SENTENCES: Sentences[WatchAnswer, Drawn] = (
    (sentence("not_reached", "Expect no true “yes”: after {times|steps} there are {last|records}, fewer than m = "
              "{minimum|whole}; a false alarm has probability {alarm|chance}.",
              when=lambda a: a.history.reached is None, last=lambda a: float(a.history.counts[-1])),
     sentence("drawn", "{use} {spoken}: how late its “yes” comes is only simulated" + _KEEPS, _CHOICE,
              when=lambda a: _spoken(a) == f.TREE),
     sentence("choice", "{use} {spoken}: its “yes” comes {first} late on average" + _KEEPS, _CHOICE,
              when=lambda a: a.history.late),
     sentence("at_last", "{use} {spoken}: m is reached at the last step, and by then “yes” is missing with probability "
              "{first}" + _KEEPS, _CHOICE)),
    sentence("runner_up", "{role}: {second}, {its}, {spends}{basic}.", _SECOND, when=lambda a: _second(a) is not None,
             its=(part("as late", when=lambda a: a.history.late and _is_alike(a)),
                  part("missing with the same probability", when=_is_alike),
                  part("{other} late", when=lambda a: a.history.late, other=_its),
                  part("missing with probability {other}", other=_its))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    (sentence("once", "With one step, a decision with Laplace noise has all of ε and needs no noise on its threshold.",
              when=lambda a: a.study.times == 1),
     sentence("cost", "A new decision at each of {times|steps} has ε/k = {ask_epsilon:basic|down}{optimal}, so its "
              "noise has an sd of {comparison_sd:basic|up}; AboveThreshold’s noise has {comparison_sd:above|up}"
              "{any_longer}.",
              any_longer=part(", also for larger k", when=lambda a: a.lasting),
              optimal=part(" ({ask_epsilon:optimal|down} with δ = {delta|up})",
                           when=lambda a: bool(a.one(f.OPTIMAL))))),
    sentence("late", "Late on average: {delays}.", when=lambda a: a.history.late, delays=_delays),
    sentence("never", "Delays end with the last step; the probability of no “yes” by then: {never}.",
             when=lambda a: a.history.late and bool(_never(a)), never=_never),
    # What a record of the one kind and of the other comes to.
    sentence("split", "AboveThreshold has ε₁ = {threshold|up} for its threshold and ε₂ = {count|up} for each count: "
             "that keeps ε = {staying_epsilon:above|up} for a record that stays and {coming_epsilon:above|up} for one "
             "that comes and goes.", when=lambda a: a.study.times > 1,
             threshold=lambda a: a.above.threshold_rate, count=lambda a: a.above.count_rate),
    sentence("faulty", "Faulty variants exceed ε = {epsilon|up}: {variants}.", when=lambda a: bool(_faulty(a)),
             variants=_faulty),
    (sentence("no_tree", "The binary tree is left out: a record that comes and goes may change every node, which "
              "spends more than ε = {epsilon|up}.", when=lambda a: a.one(f.TREE) is None),
     drawn_sentence("tree", "In simulation the binary tree is {delay_seen:tree|near} steps late on average "
                    "({delay_seen:tree:low|down} to {delay_seen:tree:high|up}), with a false alarm in "
                    "{alarm_seen:tree|percent} of the histories; it also releases all counts.",
                    when=lambda a, _: a.history.late)),
)
