"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import ROUND_FLOOR, Decimal

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.studies import decision as f
from dpstudio.studies.decision import Decision as Study
from dpstudio.studies.decision.answer import DecisionAnswer
from dpstudio.studies.decision.compared import Compared
from dpstudio.text.numbers import THIN, decade
from dpstudio.text.sentences import begun, grouped, listed, or_same, recommended, records, safely, significant

NAMES = {f.LAPLACE: "Laplace", f.GENERALIZED: "the generalized decision", f.GAUSSIAN: "Gaussian"}
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


def sentences_of(a: DecisionAnswer, _: object = None) -> Iterator[str]:
    """The headline, what it means for one person, and what is certain or surprising at these settings."""
    study = a.study
    best = _chosen(a)
    yield _answer(a, best)
    yield _risk(a, best or _least(a))
    if best is not None:
        yield _sure(study, best, a.get(best))
    yield _cutoff(study, a.get(f.CUTOFF))
    if study.delta == 0:
        yield _without_delta(study)
    if study.delta * study.minimum >= 1:
        yield _too_much_delta(study)
    if study.cost_false_yes != study.cost_false_no:
        yield _cheapest(a)
    if study.others == "selection":
        yield _groups(a)
    if study.others == "discrete":
        yield _whole(a)


def _widths(a: DecisionAnswer) -> dict[Series, float]:
    """Over how many records each is uncertain, of those that keep the study’s ε and δ at its p."""
    study = a.study
    return {series: a.value(v.BAND_STEPS, series) for series in f.SMALL_DELTA
            if (held := a.guarantee(series)) and held.keeps(study.epsilon, study.delta)}


def _pure(a: DecisionAnswer, series: Series) -> bool:
    return a.value(v.GUARANTEE_DELTA, series) == 0


def _chosen(a: DecisionAnswer) -> Series | None:
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


def _least(a: DecisionAnswer) -> Series:
    """What spends the least δ."""
    return min((series for series in f.ALWAYS if a.one(series)), key=lambda each: a.value(v.GUARANTEE_DELTA, each))


def _answer(a: DecisionAnswer, best: Series | None) -> str:
    study = a.study
    if best is None:
        least = a.value(v.GUARANTEE_DELTA, _least(a))
        return (f"No decision here keeps δ = {significant(study.delta)}: with 0 records always refused the least is "
                f"{safely(least)}; a larger m lowers it.")
    widths = _widths(a)
    free = ", which spends no δ" if best == f.LAPLACE and _pure(a, best) else ""
    choice = f"Choose {NAMES[best]}{free}: uncertain over {records(widths[best])}"
    width = widths.pop(best)
    if widths:
        other = f.GENERALIZED if best == f.LAPLACE else min(widths, key=lambda series: widths[series])
        pure = " (δ = 0)" if other == f.LAPLACE and study.delta > 0 and _pure(a, other) else ""
        # Ends of two curves may round to whole records in different ways, though neither curve crosses the other.
        still = " and at no N better" if best == f.GENERALIZED and widths[other] <= width else ""
        beside = or_same(grouped(widths[other]), grouped(width))
        choice += f", {NAMES[other]}{pure} over {beside}{still}"
    else:
        choice += "; at this p no other keeps δ"
    return f"{choice}; {_chance(a, best)}."


def _chance(a: DecisionAnswer, best: Series) -> str:
    """How likely N records get “yes”; where that is settled for N lies far from m, how likely m do."""
    study, one = a.study, a.get(best)
    n, away = study.records, ""
    accept, reject = (a.value(quantity, best) for quantity in (v.ACCEPTANCE, v.REJECTION))
    if min(accept, reject) < SETTLED and not (study.zero_refused and n == 0):
        away = f", and N = {grouped(n)} lies far {'below' if n < study.minimum else 'above'}"
        n = study.minimum
        accept, reject = (float(at(n)) for at in (one.accept_probability, one.reject_probability))
    get = "gets" if n == 1 else "get"
    return f"{records(n)} {get} “yes” with probability {probability(accept, reject, one, n)}{away}"


def _risk(a: DecisionAnswer, series: Series) -> str:
    """Of the decision that is chosen, or that spends the least δ; and what a δ may do."""
    if a.study.zero_refused and a.get(series).log_accept(1) > -math.inf:
        return f"{a.risk(series)} Where nobody else is there, “yes” proves the record."
    return f"{a.risk(series)} A decision that spends a δ exceeds ε, at some N, with that probability or more."


def _sure(study: Study, series: Series, one: Compared) -> str:
    yes, no = one.first_accepted, one.last_refused
    if study.zero_refused:
        yes, no = max(yes, 1.0), max(no, 0.0)
    refused = f"of “no” up to {grouped(no)}" if no >= 0 else "of “no” nowhere"
    return (f"{begun(NAMES[series])} is {at_least(study.uncertain)} sure of “yes” from {records(max(yes, 0.0))} "
            f"on, and {refused}.")


def _cutoff(study: Study, cutoff: Compared) -> str:
    rest, proof = math.exp(-study.epsilon), "“no” proves N < m"
    if study.zero_refused and float(cutoff.reject_probability(1)) < rest:
        rest, proof = float(cutoff.reject_probability(1)), "“yes” proves N ≥ 1"
    return ("The cutoff exponential never refuses a dataset that qualifies, but spends δ = "
            f"{spent(cutoff.delta, rest)} at every ε′, for a {proof}; the generalized decision with f(m) = 1 and "
            "δ = 1 − e^−ε is nowhere above it below m and equal to it from m on.")


def _without_delta(study: Study) -> str:
    if study.target == 0.5:
        return "Without δ, and accepting m half the time, the generalized decision is exactly the Laplace decision."
    return ("Without δ the generalized decision compares a count with two-sided geometric noise to one of two "
            "neighbouring thresholds, drawn by a coin; at no N is it wrong more often than Laplace with the same ε and "
            "p.")


def _too_much_delta(study: Study) -> str:
    expected = study.delta * study.minimum
    words = "a warning, not a bargain" if expected >= MANY else "too large to be called negligible"
    return (f"δ = {safely(study.delta)} is {significant(expected)} times 1/m: publishing every record with that "
            f"probability, {significant(expected)} of {grouped(study.minimum)} on average, would satisfy it too, so "
            f"this is {words}.")


def _cheapest(a: DecisionAnswer) -> str:
    """The p that costs least, with the digits that cost as said; where no p saves what can be said, that."""
    study = a.study
    one, other = ("“yes”", "“no”") if study.cost_false_yes > study.cost_false_no else ("“no”", "“yes”")
    costs = sorted((study.cost_false_yes, study.cost_false_no))
    now, least, p = (a.value(quantity, f.GENERALIZED) for quantity in (v.EXPECTED_COST, v.BEST_COST, v.BEST_TARGET))
    dearer = f"A false {one} costs {significant(costs[1] / costs[0])} times a false {other}"
    if significant(least) == significant(now):
        return (f"{dearer}: to three digits no p lowers the cost of the generalized decision, {significant(now)} on "
                "average at present; an exact answer would cost nothing.")
    best = likely(p, lambda typed: significant(_cost_at(a, typed)) == significant(least))
    return (f"{dearer}: the generalized decision costs least with p = {best}, {significant(least)} on average against "
            f"{significant(now)} at present; an exact answer would cost nothing.")


def _cost_at(a: DecisionAnswer, target: float) -> float:
    """The expected cost of the generalized decision that says “yes” to m so often."""
    kind = a.get(f.GENERALIZED).kind
    assert kind
    return Compared(a.study, kind.build(a.study.minimum, target), kind).cost.value


def _groups(a: DecisionAnswer) -> str:
    """How many users it takes to be shown, the fewest first, all at one guarantee of the person in κ groups.

    What shows every group most often with its own share of ε and δ is the best of all only where that is all of them.
    """
    study = a.study
    if study.delta == 0:
        return ("Where the list of groups is secret no group can be shown without δ: a group of nobody is never shown, "
                "and one user may add no more than δ to that.")
    if a.one(f.OPTIMAL_SELECTION) is None:
        return (f"Shared among {grouped(study.partitions)} groups a person, ε or δ is so small that no selection is "
                "computed.")
    fewest = {series: a.value(v.USERS_NEEDED, series) for series in f.SELECTION}
    alone_best = SELECTING if study.partitions == 1 else SELECTING | {
        f.OPTIMAL_SELECTION: "by what is optimal for each group alone"}
    ascending = sorted(fewest, key=lambda series: fewest[series])
    by = listed(f"{alone_best[series]} {grouped(fewest[series])}" for series in ascending)
    many = f" (each person in up to {grouped(study.partitions)})" if study.partitions > 1 else ""
    alone = max(a.value(v.SHOWN_ALONE, series) for series in f.SELECTION)
    return (f"To be shown with probability {likely(study.target)} or more, where the list of groups is secret, a group "
            f"needs {by} users{many}; one user alone is shown with probability {safely(alone)} at most.")


def _whole(a: DecisionAnswer) -> str:
    """What whole noise costs in width: it can be drawn exactly, where rounded real noise keeps no guarantee."""
    widths = [a.value(v.BAND_STEPS, f.DISCRETE_LAPLACE)]
    also = ""
    if a.one(f.DISCRETE_GAUSSIAN) is not None:
        widths += [a.value(v.BAND_STEPS, f.DISCRETE_GAUSSIAN), a.value(v.BAND_STEPS, f.GAUSSIAN)]
        also = f", with discrete Gaussian noise over {grouped(widths[1])} (continuous: {grouped(widths[2])})"
    return ("Discrete Laplace noise, a whole threshold and a coin are the generalized decision without δ, and a "
            f"computer can draw them exactly: uncertain over {records(widths[0])}{also}.")


SELECTING = {f.OPTIMAL_SELECTION: "by the optimum", f.GEOMETRIC_SELECTION: "by truncated geometric noise",
             f.LAPLACE_SELECTION: "by Laplace noise", f.GAUSSIAN_SELECTION: "by Gaussian noise"}


def likely(p: float, keeps: Callable[[float], bool] = lambda _: True) -> str:
    """A probability as it was chosen, by what it lacks where it is next to 1; of as few digits as keep what is said."""
    return recommended(p, keeps) if p <= LIKELY else f"1 − {recommended(1 - p, lambda lack: keeps(1 - lack))}"


def at_least(tail: float) -> str:
    """“at least 99 %” for 1 − tail, never rounded up; beside a tiny tail by that tail."""
    if tail < TINY:
        return f"at least 1 − {safely(tail)}"
    share = (100 * (1 - Decimal(repr(tail)))).quantize(Decimal("1e-4"), ROUND_FLOOR).normalize()
    return f"at least {share:f}{THIN}%"


def spent(delta: float, rest: float) -> str:
    """A δ, rounded up; one next to 1 by its complement, rounded down."""
    if rest >= 1e-3:
        return safely(delta)
    if rest == 0:
        return "1"
    step = Decimal(1).scaleb(math.floor(math.log10(rest)) - 2)
    return f"1 − {significant(float(Decimal(rest) // step * step))}"


def probability(accept: float, reject: float, one: Compared, n: int) -> str:
    """f(n) by the smaller of its tails: three digits, or a power of ten as a bound where it is less than any double."""
    likely = accept > LIKELY
    before, tail = ("1 − ", reject) if likely else ("", accept)
    if tail:
        return before + significant(tail)
    log = float(one.log_reject(n) if likely else one.log_accept(n))
    if math.isinf(log):
        return "exactly 1" if likely else "exactly 0"
    return f"{'more' if likely else 'less'} than {before}{decade(math.ceil(log / math.log(10)))}"
