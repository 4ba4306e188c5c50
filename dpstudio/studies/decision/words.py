"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentence, Sentences, found_once, part, sentence
from dpstudio.studies import decision as f
from dpstudio.studies.decision.answer import DecisionAnswer
from dpstudio.studies.decision.compared import Compared
from dpstudio.studies.kit.choosing import NO_LONGER_ALLOWED, USE, ranked, role, spoken_of
from dpstudio.text.language import phrase, tr
from dpstudio.text.numbers import decade, shown
from dpstudio.text.sentences import (
    begun,
    grouped,
    in_percent,
    less_than,
    listed,
    more_than,
    no_less_than,
    recommended,
    safely,
    significant,
)

NAMES = {f.LAPLACE: "Laplace", f.GENERALIZED: "the generalized decision", f.GAUSSIAN: "Gaussian",
         f.CUTOFF: "the cutoff exponential", f.MATCHED: "the generalized decision at the cutoff’s δ"}
SELECTING = {f.OPTIMAL_SELECTION: "by optimal selection", f.GEOMETRIC_SELECTION: "with truncated geometric noise",
             f.LAPLACE_SELECTION: "with Laplace noise", f.GAUSSIAN_SELECTION: "with Gaussian noise"}
ONE_RECORD = 1.0
"""A band that is narrower by no more is not worth a δ."""
LIKELY = 0.99
"""A probability beyond this is said by what it lacks to 1."""
TINY = 1e-5
"""A certainty that lacks less of 1 is not said in per cent."""


# The choice

@found_once
def _ranked(a: DecisionAnswer) -> tuple[Series, ...]:
    """Of what is allowed at the study’s p, best first."""
    return ranked(a, a.study.level_one.wanted, f.FIRST, step=ONE_RECORD)


@found_once
def _spends_least(a: DecisionAnswer) -> Series:
    """What spends the least δ."""
    return min((series for series in f.ALWAYS if a.one(series)), key=lambda each: a.value(v.GUARANTEE_DELTA, each))


def suggested(a: DecisionAnswer) -> Series | None:
    """Of what is allowed that which is uncertain over the fewest records, but for one, which is not worth a δ."""
    return next(iter(_ranked(a)), None)


def spoken(a: DecisionAnswer) -> Series:
    """What the sentences speak of; where nothing is allowed, what spends the least δ."""
    return spoken_of(a, suggested(a) or _spends_least(a))


def _name(series: Series) -> str:
    return phrase(NAMES[series]) if series in NAMES else tr(series.label)


def _other(a: DecisionAnswer) -> Series | None:
    """What that is set against; None where no other is allowed."""
    return next((series for series in _ranked(a) if series != spoken(a)), None)


def _others(a: DecisionAnswer) -> Series:
    other = _other(a)
    assert other is not None
    return other


def _width(a: DecisionAnswer) -> float:
    return a.value(v.BAND_STEPS, _others(a))


def _more(a: DecisionAnswer) -> float:
    """Over how many records more the other is uncertain."""
    return _width(a) - a.value(v.BAND_STEPS, spoken(a))


def _shows_groups(a: DecisionAnswer) -> bool:
    return spoken(a) in f.SELECTION


def _spent(of: Callable[[DecisionAnswer], Series]) -> tuple[Sentence[DecisionAnswer, object], ...]:
    """“no δ”, “δ = 1e−6”: what something spends at the study’s ε, rounded up."""
    def delta(a: DecisionAnswer) -> float:
        return a.value(v.GUARANTEE_DELTA, of(a))

    return part("no δ", when=lambda a: delta(a) == 0), part("δ = {its_delta|up}", its_delta=delta)


def _probability(a: DecisionAnswer) -> str:
    """f(N) by the smaller of its tails: three digits, or a power of ten as a bound where it is less than any double."""
    one, n = a.get(spoken(a)), a.study.records
    accept, reject = (a.value(quantity, spoken(a)) for quantity in (v.ACCEPTANCE, v.REJECTION))
    before, tail = ("1 − ", reject) if accept > LIKELY else ("", accept)
    if tail:
        return before + significant(tail)
    log = float(one.log_reject(n) if before else one.log_accept(n))
    if math.isinf(log):
        return phrase("exactly {number}", number=1 if before else 0)
    power = decade(math.ceil(log / math.log(10)))
    return more_than(f"1 − {power}") if before else less_than(power)


# What is certain

def _yes(a: DecisionAnswer) -> float:
    return a.value(v.SURE_YES, spoken(a))


def _no(a: DecisionAnswer) -> float | None:
    """Up to how many records “no” is certain; None where it is at none."""
    found = a.fact(v.SURE_NO, spoken(a))
    return None if found is None else found.value


def _certainty(a: DecisionAnswer) -> str:
    """“at least 99 %” for 1 − τ, never rounded up; beside a tiny τ by that."""
    tail = a.study.uncertain
    if tail < TINY:
        return no_less_than(f"1 − {safely(tail)}")
    share = (100 * (1 - Decimal(repr(tail)))).quantize(Decimal("1e-4"), ROUND_FLOOR).normalize()
    return no_less_than(in_percent(shown(f"{share:f}")))


def _yes_proves(a: DecisionAnswer) -> bool:
    """Whether a “yes” of the cutoff exponential, which zero records never get, is what costs its δ."""
    return a.study.zero_refused and float(a.get(f.CUTOFF).reject_probability(1)) < math.exp(-a.study.epsilon)


def _cutoff_delta(a: DecisionAnswer) -> str:
    """A δ, rounded up; one next to 1 by its complement, rounded down."""
    cutoff = a.get(f.CUTOFF)
    rest = float(cutoff.reject_probability(1)) if _yes_proves(a) else math.exp(-a.study.epsilon)
    if rest >= 1e-3:
        return safely(cutoff.delta)
    if rest == 0:
        return "1"
    step = Decimal(1).scaleb(math.floor(math.log10(rest)) - 2)
    return f"1 − {significant(float(Decimal(rest) // step * step))}"


# What costs and who is shown

def _now(a: DecisionAnswer) -> float:
    return a.value(v.EXPECTED_COST, f.GENERALIZED)


def _least_cost(a: DecisionAnswer) -> str:
    return significant(a.value(v.BEST_COST, f.GENERALIZED))


def _dearer(a: DecisionAnswer) -> float:
    return max(costs := (a.study.cost_false_yes, a.study.cost_false_no)) / min(costs)


def _best_target(a: DecisionAnswer) -> str:
    """The p that costs least, with the digits that cost as said."""
    def costs(target: float) -> bool:
        kind = a.get(f.GENERALIZED).kind
        assert kind
        return significant(Compared(a.study, kind.build(a.study.minimum, target), kind).cost.value) == _least_cost(a)

    return likely(a.value(v.BEST_TARGET, f.GENERALIZED), costs)


def _users(a: DecisionAnswer) -> str:
    """How many people it takes to be shown, the fewest first, all at one guarantee of the person in κ groups.

    What shows every group most often with its own share of ε and δ is the best of all only where that is all of them.
    """
    fewest = {series: a.value(v.USERS_NEEDED, series) for series in f.SELECTION}
    named = {series: phrase(SELECTING[series]) for series in fewest}
    if a.study.partitions > 1:
        named[f.OPTIMAL_SELECTION] = phrase("by what is optimal for each group alone")
    ascending = sorted(fewest, key=lambda series: fewest[series])
    return listed(f"{grouped(fewest[series])} {named[series]}" for series in ascending)


def likely(p: float, keeps: Callable[[float], bool] = lambda _: True) -> str:
    """A probability as it was chosen, by what it lacks where it is next to 1; of as few digits as keep what is said."""
    return recommended(p, keeps) if p <= LIKELY else f"1 − {recommended(1 - p, lambda lack: keeps(1 - lack))}"


_DEARER = "A false {one} costs {dearer|as many} a false {other}: "
_DEAR: Fillings = {"one": lambda a: phrase("“yes”" if a.study.cost_false_yes > a.study.cost_false_no else "“no”"),
         "other": lambda a: phrase("“no”" if a.study.cost_false_yes > a.study.cost_false_no else "“yes”"),
         "dearer": _dearer, "now": _now}

SENTENCES: Sentences[DecisionAnswer, object] = (
    (NO_LONGER_ALLOWED,
     sentence("none_keeps", "No decision here keeps δ = {delta|near}: with 0 records always refused the least is "
              "{least|up}; a larger m lowers it.", when=lambda a: a.decided is None and not _ranked(a),
              least=lambda a: a.value(v.GUARANTEE_DELTA, _spends_least(a))),
     sentence("choice_for_groups", "{use} {best}: a group is shown from {yes|people} on{hidden}, with {certainty} "
              "certainty, for {spent} per group.", USE, when=_shows_groups, best=lambda a: _name(spoken(a)), yes=_yes,
              hidden=part(" and not shown up to {no|whole}", when=lambda a: _no(a) is not None, no=_no),
              certainty=_certainty, spent=_spent(spoken)),
     sentence("choice", "{use} {best}: {answers}, and it spends {spent}.", USE, best=lambda a: _name(spoken(a)),
              answers=(part("with {certainty} certainty it says “yes” from {yes|records} on and “no” up to "
                            "{no|whole}", when=lambda a: _no(a) is not None, yes=_yes, no=_no, certainty=_certainty),
                       part("with {certainty} certainty it says “yes” from {yes|records} on, and “no” at no N",
                            when=lambda a: _yes(a) > 0, yes=_yes, certainty=_certainty),
                       part("with {certainty} certainty it says “yes” at every N", certainty=_certainty)),
              spent=_spent(spoken))),
    sentence("runner_up", "{compared}", when=lambda a: bool(_ranked(a)) and not _shows_groups(a), compared=(
        part("No other decision here keeps δ = {delta|near}.", when=lambda a: _other(a) is None),
        part("{role}: {other}, {beside}, for {spent}.",
             role=role(lambda a: _others(a) == suggested(a)),
             other=lambda a: _name(_others(a)),
             spent=_spent(_others), beside=(
                 part("also uncertain over {width|records}", when=lambda a: _more(a) == 0, width=_width),
                 part("uncertain over {width|records} ({more|whole} more)", when=lambda a: _more(a) > 0, width=_width,
                      more=_more),
                 part("uncertain over {width|records} ({fewer|whole} fewer)", width=_width,
                      fewer=lambda a: -_more(a)))))),
    sentence("risk", "{risk}{proves}", risk=lambda a: a.risk(spoken(a)),
             proves=part(" Where nobody else is there, “yes” proves the record.", when=lambda a: (
                 a.study.zero_refused and a.get(spoken(a)).log_accept(1) > -math.inf))),
    sentence("cutoff", "The cutoff exponential never says “no” from m on, but its {proof}: it spends δ = "
             "{spent}{allowed}.", spent=_cutoff_delta,
             proof=(part("“yes” proves N ≥ 1", when=_yes_proves), part("“no” proves N < m")),
             allowed=(part("", when=lambda a: a.allowed(f.CUTOFF)),
                      part(", where none is allowed", when=lambda a: a.study.delta == 0),
                      part(", where {delta|near} is allowed"))),
    sentence("at_records", "At N = {records|whole} {best} says “yes” with probability {probability}.",
             when=lambda a: not _shows_groups(a), best=lambda a: _name(spoken(a)), probability=_probability),
    (sentence("laplace_itself", "Without δ and with Pr[“yes”] = ½ at m, the generalized decision is exactly the "
              "Laplace decision.", when=lambda a: a.study.delta == 0 and a.study.target == 0.5),
     sentence("two_thresholds", "Without δ the generalized decision compares a count with discrete Laplace noise to "
              "one of two neighbouring thresholds, drawn by a coin; at no N is it wrong more often than Laplace with "
              "the same ε and p.", when=lambda a: a.study.delta == 0),
     sentence("matched", "The generalized decision that spends δ = 1 − e^−ε never says “no” from m on either, and "
              "below m it says “yes” at no N more often than the cutoff exponential.")),
    (sentence("too_much_delta", "δ = {delta|up} is {expected|near} times 1/m: it would also permit publishing each "
              "record with that probability, {expected|near} of {minimum|whole} on average.",
              when=lambda a: a.study.delta * a.study.minimum >= 1, expected=lambda a: a.study.delta * a.study.minimum),
     sentence("beyond", "{best} spends a δ: at some N the loss of its answer exceeds ε with that probability or more.",
              when=lambda a: a.value(v.GUARANTEE_DELTA, spoken(a)) > 0, best=lambda a: begun(_name(spoken(a))))),
    (sentence("cost_is_least", _DEARER + "the generalized decision costs {now|near} on average, and to three digits no "
              "p lowers that; an exact answer would cost nothing.", _DEAR, when=lambda a: (
                  a.study.cost_false_yes != a.study.cost_false_no and _least_cost(a) == significant(_now(a)))),
     sentence("cheapest", _DEARER + "the generalized decision costs least with p = {best}, {least} on average against "
              "{now|near} now; an exact answer would cost nothing.", _DEAR, best=_best_target,
              least=_least_cost, when=lambda a: a.study.cost_false_yes != a.study.cost_false_no)),
    (sentence("nothing_shown", "Where the list of groups is secret no group can be shown without δ: a group of nobody "
              "is never shown, and one person may add no more than δ to that.",
              when=lambda a: a.study.others == "selection" and a.study.delta == 0),
     sentence("too_small", "Shared among {partitions|whole} groups per person, ε or δ is so small that no selection is "
              "computed.", when=lambda a: a.study.others == "selection" and a.one(f.OPTIMAL_SELECTION) is None),
     sentence("groups", "Where the list of groups is secret, a group needs so many people to be shown with "
              "probability {target} or more: {users}{each}; one person alone is shown with probability at most "
              "{alone|up}.",
              when=lambda a: a.study.others == "selection", target=lambda a: likely(a.study.target), users=_users,
              each=part(" (each person in up to {partitions|whole})", when=lambda a: a.study.partitions > 1),
              alone=lambda a: max(a.value(v.SHOWN_ALONE, series) for series in f.SELECTION))),
    sentence("discrete", "Discrete Laplace noise, a whole threshold and a coin are the generalized decision without δ, "
             "and a computer can draw them exactly: uncertain over {band_steps:discrete_laplace|records}{also}.",
             when=lambda a: a.study.others == "discrete",
             also=part(", with discrete Gaussian noise over {band_steps:discrete_gaussian|whole} (continuous: "
                       "{band_steps:gaussian|whole})", when=lambda a: a.one(f.DISCRETE_GAUSSIAN) is not None)),
)
