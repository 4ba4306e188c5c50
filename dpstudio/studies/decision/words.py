"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, found_once, part, sentence
from dpstudio.studies import decision as f
from dpstudio.studies.decision.answer import DecisionAnswer
from dpstudio.studies.decision.compared import Compared
from dpstudio.text.numbers import THIN, decade
from dpstudio.text.sentences import begun, grouped, listed, or_same, recommended, safely, significant

NAMES = {f.LAPLACE: "Laplace", f.GENERALIZED: "the generalized decision", f.GAUSSIAN: "Gaussian"}
SELECTING = {f.OPTIMAL_SELECTION: "by the optimum", f.GEOMETRIC_SELECTION: "by truncated geometric noise",
             f.LAPLACE_SELECTION: "by Laplace noise", f.GAUSSIAN_SELECTION: "by Gaussian noise"}
ALIKE, ALIKE_RECORDS = 0.01, 1.0
"""A band that is narrower by less, in parts or in records, is not worth a δ."""
MANY = 10
"""Beyond so many expected leaks among m records, δ is no rare accident any more."""
LIKELY = 0.99
"""A probability beyond this is said by what it lacks to 1."""
SETTLED = 1e-9
"""Where one of both answers is rarer than this at N, nobody wonders what N gets."""
TINY = 1e-5
"""A certainty that lacks less of 1 is not said in per cent."""


# The choice

@found_once
def _widths(a: DecisionAnswer) -> dict[Series, float]:
    """Over how many records each is uncertain, of those that keep the study’s ε and δ at its p."""
    return {series: a.value(v.BAND_STEPS, series) for series in f.SMALL_DELTA
            if (held := a.guarantee(series)) and held.keeps(a.study.epsilon, a.study.delta)}


def _pure(a: DecisionAnswer, series: Series) -> bool:
    return a.value(v.GUARANTEE_DELTA, series) == 0


@found_once
def chosen(a: DecisionAnswer) -> Series | None:
    """Of what keeps the study’s ε and δ at its p that which errs least; None where nothing does.

    The generalized decision errs least at every N, also at 1, so that it keeps what any other does. Where Laplace is as
    narrow but for one record or a hundredth, it need not spend a δ for that.
    """
    widths = _widths(a)
    if f.GENERALIZED not in widths:
        return min(widths, key=lambda series: widths[series], default=None)
    near = 0.0
    if f.LAPLACE in widths and _pure(a, f.LAPLACE) and not _pure(a, f.GENERALIZED):
        near = max(ALIKE_RECORDS, ALIKE * widths[f.GENERALIZED])
    return f.LAPLACE if widths.get(f.LAPLACE, math.inf) <= widths[f.GENERALIZED] + near else f.GENERALIZED


def _best(a: DecisionAnswer) -> Series:
    """The same where there is one."""
    found = chosen(a)
    assert found is not None
    return found


@found_once
def _spends_least(a: DecisionAnswer) -> Series:
    """What spends the least δ."""
    return min((series for series in f.ALWAYS if a.one(series)), key=lambda each: a.value(v.GUARANTEE_DELTA, each))


def recommended_or_least(a: DecisionAnswer) -> Series:
    return chosen(a) or _spends_least(a)


def _other(a: DecisionAnswer) -> Series | None:
    """What the choice is set against; None where no other keeps δ."""
    others = {series: width for series, width in _widths(a).items() if series != _best(a)}
    if others and _best(a) == f.LAPLACE:
        return f.GENERALIZED
    return min(others, key=lambda series: others[series], default=None)


def _width(a: DecisionAnswer) -> float:
    return _widths(a)[_best(a)]


def _other_width(a: DecisionAnswer) -> float:
    other = _other(a)
    assert other is not None
    return _widths(a)[other]


@found_once
def _is_settled(a: DecisionAnswer) -> bool:
    """Whether N lies far from m, so that how likely “yes” is to m is said."""
    tails = (a.value(quantity, _best(a)) for quantity in (v.ACCEPTANCE, v.REJECTION))
    return min(tails) < SETTLED and not (a.study.zero_refused and a.study.records == 0)


def _asked(a: DecisionAnswer) -> int:
    return a.study.minimum if _is_settled(a) else a.study.records


def _probability(a: DecisionAnswer) -> str:
    """f(n) by the smaller of its tails: three digits, or a power of ten as a bound where it is less than any double."""
    one, n = a.get(_best(a)), _asked(a)
    accept, reject = (float(at(n)) for at in (one.accept_probability, one.reject_probability)) if _is_settled(a) else (
        a.value(quantity, _best(a)) for quantity in (v.ACCEPTANCE, v.REJECTION))
    before, tail = ("1 − ", reject) if accept > LIKELY else ("", accept)
    if tail:
        return before + significant(tail)
    log = float(one.log_reject(n) if before else one.log_accept(n))
    if math.isinf(log):
        return "exactly 1" if before else "exactly 0"
    return f"{'more' if before else 'less'} than {before}{decade(math.ceil(log / math.log(10)))}"


# What is certain

def _sure_ends(a: DecisionAnswer) -> tuple[float, float]:
    """From where on “yes” is sure, and to where “no” is."""
    one = a.get(_best(a))
    yes, no = one.first_accepted, one.last_refused
    return (max(yes, 1.0), max(no, 0.0)) if a.study.zero_refused else (max(yes, 0.0), no)


def _certainty(a: DecisionAnswer) -> str:
    """“at least 99 %” for 1 − τ, never rounded up; beside a tiny τ by that."""
    tail = a.study.uncertain
    if tail < TINY:
        return f"at least 1 − {safely(tail)}"
    share = (100 * (1 - Decimal(repr(tail)))).quantize(Decimal("1e-4"), ROUND_FLOOR).normalize()
    return f"at least {share:f}{THIN}%"


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
    """How many users it takes to be shown, the fewest first, all at one guarantee of the person in κ groups.

    What shows every group most often with its own share of ε and δ is the best of all only where that is all of them.
    """
    fewest = {series: a.value(v.USERS_NEEDED, series) for series in f.SELECTION}
    named = SELECTING if a.study.partitions == 1 else SELECTING | {
        f.OPTIMAL_SELECTION: "by what is optimal for each group alone"}
    ascending = sorted(fewest, key=lambda series: fewest[series])
    return listed(f"{named[series]} {grouped(fewest[series])}" for series in ascending)


def likely(p: float, keeps: Callable[[float], bool] = lambda _: True) -> str:
    """A probability as it was chosen, by what it lacks where it is next to 1; of as few digits as keep what is said."""
    return recommended(p, keeps) if p <= LIKELY else f"1 − {recommended(1 - p, lambda lack: keeps(1 - lack))}"


_DEARER = "A false {one} costs {dearer|near} times a false {other}: "
_DEAR: Fillings = {"one": lambda a: "“yes”" if a.study.cost_false_yes > a.study.cost_false_no else "“no”",
         "other": lambda a: "“no”" if a.study.cost_false_yes > a.study.cost_false_no else "“yes”",
         "dearer": _dearer, "now": _now}

SENTENCES: Sentences[DecisionAnswer, object] = (
    (sentence("none_keeps", "No decision here keeps δ = {delta|near}: with 0 records always refused the least is "
              "{least|up}; a larger m lowers it.", when=lambda a: chosen(a) is None,
              least=lambda a: a.value(v.GUARANTEE_DELTA, _spends_least(a))),
     sentence("choice", "Choose {best}{free}: uncertain over {width|records}{others}; {asked|records} {get} “yes” with "
              "probability {probability}{away}.", best=lambda a: NAMES[_best(a)], width=_width, asked=_asked,
              free=part(", which spends no δ", when=lambda a: _best(a) == f.LAPLACE and _pure(a, f.LAPLACE)),
              others=(part("; at this p no other keeps δ", when=lambda a: _other(a) is None),
                      part(", {other}{pure} over {beside}{still}", other=lambda a: NAMES[_other(a) or f.LAPLACE],
                           pure=part(" (δ = 0)", when=lambda a: (
                               _other(a) == f.LAPLACE and a.study.delta > 0 and _pure(a, f.LAPLACE))),
                           beside=lambda a: or_same(grouped(_other_width(a)), grouped(_width(a))),
                           # Ends of two curves may round to whole records in different ways, though neither curve
                           # crosses the other.
                           still=part(" and at no N better", when=lambda a: (
                               _best(a) == f.GENERALIZED and _other_width(a) <= _width(a))))),
              get=lambda a: "gets" if _asked(a) == 1 else "get", probability=_probability,
              away=part(", and N = {records|whole} lies far {side}", when=_is_settled,
                        side=lambda a: "below" if a.study.records < a.study.minimum else "above"))),
    sentence("risk", "{risk} {beyond}", risk=lambda a: a.risk(recommended_or_least(a)), beyond=(
        part("Where nobody else is there, “yes” proves the record.", when=lambda a: (
            a.study.zero_refused and a.get(recommended_or_least(a)).log_accept(1) > -math.inf)),
        part("A decision that spends a δ exceeds ε, at some N, with that probability or more."))),
    sentence("sure", "{best} is {certainty} sure of “yes” from {yes|records} on, and of “no” {no}.",
             when=lambda a: chosen(a) is not None, best=lambda a: begun(NAMES[_best(a)]), certainty=_certainty,
             yes=lambda a: _sure_ends(a)[0], no=(
                 part("up to {last|whole}", when=lambda a: _sure_ends(a)[1] >= 0, last=lambda a: _sure_ends(a)[1]),
                 part("nowhere"))),
    sentence("cutoff", "The cutoff exponential never refuses a dataset that qualifies, but spends δ = {spent} at every "
             "ε′, for a {proof}; the generalized decision with f(m) = 1 and δ = 1 − e^−ε is nowhere above it below m "
             "and equal to it from m on.", spent=_cutoff_delta,
             proof=lambda a: "“yes” proves N ≥ 1" if _yes_proves(a) else "“no” proves N < m"),
    (sentence("laplace_itself", "Without δ, and accepting m half the time, the generalized decision is exactly the "
              "Laplace decision.", when=lambda a: a.study.delta == 0 and a.study.target == 0.5),
     sentence("two_thresholds", "Without δ the generalized decision compares a count with two-sided geometric noise to "
              "one of two neighbouring thresholds, drawn by a coin; at no N is it wrong more often than Laplace with "
              "the same ε and p.", when=lambda a: a.study.delta == 0)),
    sentence("too_much_delta", "δ = {delta|up} is {expected|near} times 1/m: publishing every record with that "
             "probability, {expected|near} of {minimum|whole} on average, would satisfy it too, so this is {words}.",
             when=lambda a: a.study.delta * a.study.minimum >= 1, expected=lambda a: a.study.delta * a.study.minimum,
             words=(part("a warning, not a bargain", when=lambda a: a.study.delta * a.study.minimum >= MANY),
                    part("too large to be called negligible"))),
    (sentence("cost_is_least", _DEARER + "to three digits no p lowers the cost of the generalized decision, {now|near} "
              "on average at present; an exact answer would cost nothing.", _DEAR, when=lambda a: (
                  a.study.cost_false_yes != a.study.cost_false_no and _least_cost(a) == significant(_now(a)))),
     sentence("cheapest", _DEARER + "the generalized decision costs least with p = {best}, {least} on average against "
              "{now|near} at present; an exact answer would cost nothing.", _DEAR, best=_best_target,
              least=_least_cost, when=lambda a: a.study.cost_false_yes != a.study.cost_false_no)),
    (sentence("nothing_shown", "Where the list of groups is secret no group can be shown without δ: a group of nobody "
              "is never shown, and one user may add no more than δ to that.",
              when=lambda a: a.study.others == "selection" and a.study.delta == 0),
     sentence("too_small", "Shared among {partitions|whole} groups a person, ε or δ is so small that no selection is "
              "computed.", when=lambda a: a.study.others == "selection" and a.one(f.OPTIMAL_SELECTION) is None),
     sentence("groups", "To be shown with probability {target} or more, where the list of groups is secret, a group "
              "needs {users} users{each}; one user alone is shown with probability {alone|up} at most.",
              when=lambda a: a.study.others == "selection", target=lambda a: likely(a.study.target), users=_users,
              each=part(" (each person in up to {partitions|whole})", when=lambda a: a.study.partitions > 1),
              alone=lambda a: max(a.value(v.SHOWN_ALONE, series) for series in f.SELECTION))),
    sentence("discrete", "Discrete Laplace noise, a whole threshold and a coin are the generalized decision without δ, "
             "and a computer can draw them exactly: uncertain over {band_steps:discrete_laplace|records}{also}.",
             when=lambda a: a.study.others == "discrete",
             also=part(", with discrete Gaussian noise over {band_steps:discrete_gaussian|whole} (continuous: "
                       "{band_steps:gaussian|whole})", when=lambda a: a.one(f.DISCRETE_GAUSSIAN) is not None)),
)
