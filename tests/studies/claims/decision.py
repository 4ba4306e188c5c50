"""What the decision study claims, recomputed from the decisions' own probabilities, record by record."""

from __future__ import annotations

import math
import re
from functools import lru_cache

import numpy as np
from claims.kit import claims, near, not_below, number, only_when
from scipy.special import expit

from dpstudio.mechanisms.decision import (
    ComplementedDecision,
    CutoffExponentialDecision,
    DiscreteGaussianDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.models.records import RecordsPrior
from dpstudio.studies.decision import Decision

FAR = 2**53
CLOSE = 1e-9
"""Relative distance from τ within which a probability counts as τ."""


def decisions(study):
    """The decisions at the chosen ε, δ and p, made anew from the parameters."""
    found = {"Laplace": LaplaceDecision.for_target(study.epsilon, study.minimum, study.target)}
    found["generalized"] = GeneralizedDecision(study.epsilon, study.delta, study.minimum, study.target)
    if study.delta > 0:
        found["Gaussian"] = GaussianDecision.for_guarantee(study.epsilon, study.delta, study.minimum, study.target)
    return found


def matched(study):
    own = -math.expm1(-study.epsilon)
    return ComplementedDecision(study.epsilon, own, study.minimum, 1.0, 0.0, math.exp(-study.epsilon))


def numbers_of_records(study):
    """Numbers of records near 0, m and N, and ever farther from m."""
    steps = np.concatenate([np.arange(12), np.geomspace(12, 800 / study.epsilon + 100, 150)])
    at = np.concatenate([study.minimum + steps, study.minimum - steps, [0, 1, 2, study.records, study.records + 1]])
    return np.unique(np.rint(at[(at >= 0) & (at < FAR - 2)]))


def first(holds):
    """The first number of records for which a condition holds that goes on to hold."""
    low, high = -1, 1
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def ends(decision, tail, slack=0.0):
    """The last N accepted with the tail at most, −1 if none, and the first rejected with it at most."""
    if tail < 1e-290:
        level = math.log(tail) + slack
        return (first(lambda n: decision.log_accept(n) > level) - 1, first(lambda n: decision.log_reject(n) <= level))
    level = tail * (1 + slack)
    return (first(lambda n: decision.accept_probability(n) > level) - 1,
            first(lambda n: decision.reject_probability(n) <= level))


def within_ends(decision, tail, no, yes):
    """Whether these are the ends, where a probability that is τ but for its rounding may count as either."""
    (least_no, most_yes), (most_no, least_yes) = ends(decision, tail, -CLOSE), ends(decision, tail, CLOSE)
    return least_no <= no <= most_no and least_yes <= yes <= most_yes


def band_is(said, decision, series, width):
    """Whether the band is so many whole records wide; its lower end is told by a formula where it lies below 0."""
    tail, (steps, low, high) = said.study.uncertain, (
        said.value(quantity, series) for quantity in ("band_steps", "band_from", "band_to"))
    assert steps == width
    found = [(no, yes) for yes in ceilings(high) for no in (-each for each in ceilings(-low)) if yes - no == width]
    if min(found, default=(-1,))[0] < 0:
        return bool(found) and decision.accept_probability(0) >= tail * (1 - CLOSE)
    return any(within_ends(decision, tail, no, yes) for no, yes in found)


def ceilings(n):
    """⌈n⌉, or two where n lies so near a whole number that only the tail there tells."""
    return (round(n), round(n) + 1) if abs(n - round(n)) < 1e-8 else (math.ceil(n),)


def probability_is(text, decision, n, zero_refused):
    """Whether a probability is said as it is: a tail in three digits, a bound below the doubles, or exactly 0 or 1."""
    accept, reject, log_accept, log_reject = (0.0, 1.0, -math.inf, 0.0) if zero_refused and n == 0 else (
        float(each(n)) for each in (decision.accept_probability, decision.reject_probability, decision.log_accept,
                                    decision.log_reject))
    if text.startswith("exactly"):
        certain, log = (accept, log_reject) if text.endswith("1") else (reject, log_accept)
        return certain == 1 and math.isinf(log)
    bound = text.startswith(("less than ", "more than "))
    bare = text.removeprefix("less than ").removeprefix("more than ")
    upper = bare.startswith("1 − ")
    tail, log = (reject, log_reject) if upper else (accept, log_accept)
    bare = bare.removeprefix("1 − ")
    if bound:
        power = int(bare.removeprefix("10").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        return tail == 0 and text.startswith("more") == upper and power - 1 <= log / math.log(10) <= power
    return near(number(bare), tail) and (upper or accept <= 0.99)


NAMES = {"Laplace": "laplace", "the generalized decision": "generalized", "Gaussian": "gaussian",
         "the cutoff exponential": "cutoff", "the generalized decision at the cutoff’s δ": "matched",
         "Discrete Laplace": "discrete_laplace", "Discrete Gaussian": "discrete_gaussian"}
"""The series that a sentence names."""
ADDED = {entry.series.key: entry.series.label for entry in Decision.answers().compared
         if entry.asked(Decision()) and entry.series.key not in NAMES.values()}
"""What is compared besides, as its label: a mechanism that somebody added."""
NAMES |= {label: key for key, label in ADDED.items()}
FIRST = ("laplace", "generalized", "gaussian", "cutoff")
"""What competes, the plainer first."""


@lru_cache(maxsize=8)
def all_decisions(study):
    """Every decision that is always compared, by key; kept, as all claims about a study ask for them."""
    found = {name.lower(): one for name, one in decisions(study).items()}
    if study.others == "discrete":
        found["discrete_laplace"] = decisions(study.replace(delta=0.0))["generalized"]
        if study.delta > 0:
            found["discrete_gaussian"] = DiscreteGaussianDecision.for_guarantee(
                study.epsilon, study.delta, study.minimum, study.target)
    answer = study.answer()
    found |= {key: one.decision for key in ADDED if (one := answer.one(key)) is not None}
    return found | {
        "cutoff": CutoffExponentialDecision(study.epsilon, study.minimum), "matched": matched(study)}


@lru_cache(maxsize=64)
def spent_by(study, decision):
    """The smallest δ at the study’s ε, over all N and the pair 0, 1 of its assumption."""
    return float(decision.delta_at(study.epsilon, study.zero_refused))


@lru_cache(maxsize=8)
def keeping(study):
    """The decisions that keep the study’s ε and δ; those that do or do not but for rounding are left out of both."""
    all_of_them = all_decisions(study)
    near_it = {key for key, one in all_of_them.items()
               if math.isclose(spent_by(study, one), study.delta, rel_tol=1e-9, abs_tol=1e-15)}
    sure = {key for key, one in all_of_them.items() if spent_by(study, one) <= study.delta}
    return sure | near_it, near_it


def ranks(said):
    """What keeps the study’s ε and δ, with the records over which it is uncertain, and what may come first of it.

    Those within a fiftieth or one record of the least, and of them one that spends no more δ than any.
    """
    study, (kept, near_it) = said.study, keeping(said.study)
    all_of_them = all_decisions(study)
    widths = {key: said.value("band_steps", key) for key in FIRST if key in kept}

    def first_of(keys):
        sure = [key for key in keys if key not in near_it or said.update.answer.allowed(key)]
        if not sure:
            return None
        least = min(widths[key] for key in sure)
        alike = [key for key in sure if widths[key] <= max(1.02 * least, least + 1)]
        spent = {key: spent_by(study, all_of_them[key]) for key in alike}
        return next(key for key in alike if spent[key] <= min(spent.values()) * (1 + 1e-6))

    return widths, first_of


def spoken(said):
    """What a sentence is to speak of: what was decided for, else the first, else what spends the least."""
    if (decided := said.update.answer.decided) is not None:
        return decided.key
    widths, first_of = ranks(said)
    all_of_them = all_decisions(said.study)
    return first_of(widths) or min((key for key in all_of_them if not key.startswith("discrete") and key not in ADDED),
                                   key=lambda key: spent_by(said.study, all_of_them[key]))


def is_spent(text, study, key):
    """Whether a δ is said as it is, rounded up."""
    spent = spent_by(study, all_decisions(study)[key])
    return spent == 0 if text == "no δ" else spent > 0 and not_below(number(text.removeprefix("δ = ")), spent)


def is_certainty(text, tail):
    share = text.removeprefix("at least ")
    level = number(share)
    assert level <= 1 - tail + 1e-15
    assert level >= 1 - tail - (2e-6 if "%" in share else 0.011 * tail)


def groups_chosen(asked):
    decided = asked.update.answer.decided
    return decided is not None and decided.key.startswith("selection_")


def refused(asked):
    answer = asked.update.answer
    return answer.decided is not None and not answer.allowed(answer.decided)


@claims("no_longer_allowed", when=refused)
def _(said):
    """What was decided for spends more than is allowed; of what is right but for rounding either may be said."""
    decided = said.update.answer.decided
    assert said["name"] == decided.label
    if not groups_chosen(said):
        spent = spent_by(said.study, all_decisions(said.study)[decided.key])
        if said["spends"] == "guarantees nothing here":
            return spent >= 1
        assert not_below(number(said["spends"].removeprefix("spends δ = ")), spent)
        assert spent > said.study.delta * (1 - 1e-9)
    return True


@claims("choice_for_groups", when=lambda asked: groups_chosen(asked) and not refused(asked))
def _(said):
    """The ends of the band, each with its certainty, by the probabilities of the decision itself."""
    study, series = said.study, said.update.answer.decided
    one = said.update.answer.get(series)
    assert said["use"] == "You chose"
    assert said["best"] == series.label
    is_certainty(said["certainty"], study.uncertain)
    yes, no = said.number("yes"), -1 if said["no"] is None else said.number("no")
    assert float(one.reject_probability(yes)) <= study.uncertain * (1 + CLOSE)
    assert no < 0 or float(one.accept_probability(no)) <= study.uncertain * (1 + CLOSE)
    assert float(one.reject_probability(max(yes - 1, 0))) >= study.uncertain * (1 - CLOSE) or yes == 0
    assert float(one.accept_probability(no + 1)) >= study.uncertain * (1 - CLOSE)
    spent = said.update.answer.value("guarantee_delta", series)
    assert not_below(number(said["spent"].removeprefix("δ = ")), spent)


@claims("choice")
def _(said):
    """The headline speaks of what was decided for, else of the narrowest that is allowed, with its sure ends.

    From the one on no “no” is likelier than τ, up to the other no “yes”, and each is the first and last such.
    """
    study, key = said.study, spoken(said)
    decided = said.update.answer.decided
    assert said["use"] == ("Use" if decided is None else "You chose")
    assert NAMES[said["best"]] == key
    assert decided is None or said.update.answer.suggested is None or (
        said.update.answer.suggested.key == ranks(said)[1](ranks(said)[0]))
    assert decided is not None or said.update.answer.suggested.key == key
    assert is_spent(said["spent"], study, key)
    is_certainty(said["certainty"], study.uncertain)
    decision, tail = all_decisions(study)[key], study.uncertain
    yes = 0 if said["yes"] is None else said.number("yes")
    no = -1 if said["no"] is None else said.number("no")
    assert yes == said.value("sure_yes", key), "the headline and the fact have the same numbers"
    assert no == -1 if said.update.fact("sure_no", key) is None else no == said.value("sure_no", key)
    if said["yes"] is None:
        assert said["no"] is None
    if study.zero_refused:  # 0 is always refused, and 1 the first that may be accepted
        assert yes >= 1
        assert no >= 0
        if yes == 1 and float(decision.reject_probability(0)) <= tail:
            return no == max(ends(decision, tail)[0], 0)
        no = -1 if no == 0 and float(decision.accept_probability(0)) > tail else no
    if yes - no == said.value("band_steps", key):
        return within_ends(decision, tail, no, yes)
    # Ends below 0 are told by a formula, and say nothing of whole numbers.
    if no == -1 and float(decision.accept_probability(0)) < tail * (1 - CLOSE):
        return False
    return (yes == 0 and float(decision.reject_probability(0)) <= tail * (1 + CLOSE)) or within_ends(
        decision, tail, no, yes)


@claims("runner_up", when=lambda asked: bool(ranks(asked)[1](ranks(asked)[0])) and not groups_chosen(asked))
def _(said):
    """Of the others that are allowed the first in the same order, or that there is none."""
    study, key = said.study, spoken(said)
    widths, first_of = ranks(said)
    others = {other for other in widths if other != key}
    if said["other"] is None:
        return first_of(others) is None or keeping(study)[1] >= others
    other = NAMES[said["other"]]
    assert other == first_of([each for each in widths if each != key])
    assert (said["role"] == "Suggested") == (other == first_of(widths))
    assert band_is(said, all_decisions(study)[other], other, said.number("width"))
    gap = said.number("width") - said.value("band_steps", key)
    told = (said.number("more") if said["more"] is not None else -said.number("fewer") if said["fewer"] is not None
            else 0)
    assert told == gap
    return is_spent(said["spent"], study, other)


@claims("none_keeps")
def _(said):
    study, all_of_them = said.study, all_decisions(said.study)
    kept, near_it = keeping(study)
    assert kept <= near_it
    assert study.zero_refused
    least = min(spent_by(study, one) for one in all_of_them.values())
    assert not_below(said.number("least"), least * (1 - 1e-9))
    more = study.replace(minimum=min(2 * study.minimum + 100, 10**9))  # far from m the pair 0, 1 spends less
    assert min(spent_by(more, one) for one in all_decisions(more).values()) <= least


def losses(decision, n, zero_refused):
    """The losses of both outcomes between n and n + 1 by their definition, and the probabilities they come with."""
    yes, more_yes = (np.asarray(decision.log_accept(each)) for each in (n, n + 1))
    no, less_no = (np.asarray(decision.log_reject(each)) for each in (n, n + 1))
    if zero_refused:
        yes, no = np.where(n == 0, -np.inf, yes), np.where(n == 0, 0.0, no)
    with np.errstate(invalid="ignore"):
        of_yes, of_no = more_yes - yes, no - less_no
    found = np.stack([np.where(np.isneginf(more_yes), 0, of_yes), np.where(np.isneginf(no), 0, of_no)])
    return found, np.exp(np.stack([more_yes, no]))


@claims("risk", person=spoken)
def _(said):
    study, answer = said.study, said.update.answer
    # “yes” is possible with one record, and never without
    proves = study.zero_refused and float(answer.one(spoken(said)).log_accept(1)) > -math.inf
    assert (said["proves"] is not None) == proves


@claims("beyond", when=lambda asked: (
    asked.study.delta * asked.study.minimum < 1 and asked.value("guarantee_delta", spoken(asked)) > 0))
def _(said):
    """Whoever spends δ(ε) exceeds ε with that probability at least, at the pair that needs it."""
    study, key = said.study, spoken(said)
    assert NAMES.get(said["best"][:1].lower() + said["best"][1:], NAMES.get(said["best"])) == key or groups_chosen(said)
    for name, decision in all_decisions(study).items():
        delta, at = said.value("guarantee_delta", name), said.value("slack_at", name)
        if delta > 1e-13 and at < FAR - 2:
            lost, likely = losses(decision, np.array([at]), study.zero_refused)
            assert likely[lost > study.epsilon].max(initial=0) >= delta * (1 - CLOSE), name


@claims("at_records", when=lambda asked: not groups_chosen(asked))
def _(said):
    study, key = said.study, spoken(said)
    assert NAMES[said["best"]] == key
    return probability_is(said["probability"], all_decisions(study)[key], study.records, study.zero_refused)


@claims("cutoff")
def _(said):
    study = said.study
    of_no, of_yes = -math.expm1(-study.epsilon), math.exp(-study.epsilon * (study.minimum - 1))
    rest = min(math.exp(-study.epsilon), -math.expm1(-study.epsilon * (study.minimum - 1)) if study.zero_refused else 1)
    said_delta = said["spent"]
    if said_delta.startswith("1 − "):
        assert not_below(rest, number(said_delta.removeprefix("1 − ")))  # the complement is rounded down
        assert number(said_delta.removeprefix("1 − ")) <= rest
    else:
        assert not_below(number(said_delta), max(of_no, of_yes) if study.zero_refused else of_no)
    assert (said["proof"] == "“yes” proves N ≥ 1") == (study.zero_refused and of_yes > of_no)
    decision = CutoffExponentialDecision(study.epsilon, study.minimum)
    for epsilon in (0.0, study.epsilon, 3 * study.epsilon, 50.0):
        assert math.isclose(decision.delta_at(epsilon, study.zero_refused), decision.delta_at(0.0, study.zero_refused))
    allowed = said.update.answer.allowed("cutoff")
    assert bool(said["allowed"]) == (not allowed)
    assert allowed or ("none" in said["allowed"]) == (study.delta == 0)
    spent = spent_by(study, decision)
    assert spent <= study.delta * (1 + 1e-9) if allowed else spent >= study.delta * (1 - 1e-9)
    n = numbers_of_records(study)
    return bool((decision.accept_probability(n)[n >= study.minimum] == 1).all())


@claims("matched", when=lambda asked: asked.study.delta > 0)
def _(said):
    study = said.study
    decision = CutoffExponentialDecision(study.epsilon, study.minimum)
    n, twin = numbers_of_records(study), matched(study)
    below = n < study.minimum
    assert (twin.accept_probability(n)[~below] == 1).all()
    return bool((twin.accept_probability(n)[below] <= decision.accept_probability(n)[below] * (1 + 1e-12)).all())


@claims("laplace_itself", when=lambda asked: asked.study.delta == 0 and asked.study.target == 0.5)
def _(said):
    found, n = decisions(said.study), numbers_of_records(said.study)
    return all(np.allclose(getattr(found["Laplace"], tail)(n), getattr(found["generalized"], tail)(n), 1e-9, 1e-300)
               for tail in ("accept_probability", "reject_probability"))


claims("two_thresholds", when=lambda asked: asked.study.delta == 0 and asked.study.target != 0.5)(
    lambda said: mixes_two_thresholds(said.study))


def mixes_two_thresholds(study):
    """f(N) = w G(N − c) + (1 − w) G(N − c − 1), G the law of two-sided geometric noise reaching its threshold."""
    n = numbers_of_records(study)
    decision = decisions(study)["generalized"]
    a = math.exp(-study.epsilon)
    centre = first(lambda k: decision.accept_probability(k) >= a / (1 + a) * (1 - 1e-12))
    if centre == 0:  # the thresholds may lie below 0: what is left of the curve falls at the rate of the noise
        tails = decision.log_reject(n[n >= 1])
        return np.allclose(np.diff(tails), -study.epsilon * np.diff(n[n >= 1]), 1e-6, 1e-9)
    at, missed = decision.accept_probability(centre), decision.reject_probability(centre)
    weight = (at - a / (1 + a)) / ((1 - a) / (1 + a))
    assert -1e-6 <= weight <= 1 + 1e-6
    j = n - centre
    expected = np.where(j < 0, at * np.exp(np.minimum(study.epsilon * j, 0)),
                        1 - missed * np.exp(-np.maximum(study.epsilon * j, 0)))
    mixed = sum(part * np.where(k < 0, a**np.maximum(-k, 0) / (1 + a), 1 - a**(np.maximum(k, 0) + 1) / (1 + a))
                for part, k in ((weight, j), (1 - weight, j - 1)))
    assert np.allclose(mixed, decision.accept_probability(n), 1e-7, 1e-9)
    return np.allclose(expected, decision.accept_probability(n), 1e-9, 1e-12)


@claims("too_much_delta", when=lambda asked: asked.study.delta * asked.study.minimum >= 1)
def _(said):
    study = said.study
    assert not_below(said.number("delta"), study.delta)
    return near(said.number("expected"), study.delta * study.minimum)


@claims("cheapest", "cost_is_least", when=lambda asked: asked.study.cost_false_yes != asked.study.cost_false_no)
def _(said):
    """No other p of a dense grid costs less, and the costs are those of the two p, summed under the prior.

    Where no p saves what three digits say, that is said; else whoever types the p that is printed pays what is said.
    """
    study, same = said.study, said.key == "cost_is_least"
    costs = {"“yes”": study.cost_false_yes, "“no”": study.cost_false_no}
    ratio = costs[said["one"]] / costs[said["other"]]
    assert ratio > 1
    if said["dearer"] == "hardly more than":
        assert ratio < 1.005
    else:
        assert near(number(said["dearer"].removesuffix(" times")), ratio)
    now, least, best = (said.value(key, "generalized") for key in ("expected_cost", "best_cost", "best_target"))
    assert near(said.number("now"), now)
    if same:
        assert near(said.number("now"), least)
    else:
        p, typed = said["best"], said.number("best")
        assert near(said.number("least"), least)
        assert said.number("least") < said.number("now")
        assert near(number(p.removeprefix("1 − ")), 1 - best if p.startswith("1 − ") else best)
    belief = RecordsPrior(study.prior, study.prior_centre, study.prior_width)
    below, above = (belief.part(study.minimum, below=side) for side in (True, False))
    masses = belief.below(study.minimum), belief.from_on(study.minimum)

    def cost(target):
        one = GeneralizedDecision(study.epsilon, study.delta, study.minimum, target)
        refused = (lambda n: np.where(n == 0, 0, one.accept_probability(n))) if study.zero_refused \
            else one.accept_probability
        parts = ((study.cost_false_yes * masses[0], below, refused),
                 (study.cost_false_no * masses[1], above, one.reject_probability))
        return sum(weight * part.average(tail).value for weight, part, tail in parts if part and weight)

    assert math.isclose(cost(study.target), now, rel_tol=1e-9, abs_tol=1e-300)
    assert math.isclose(cost(best), least, rel_tol=1e-9, abs_tol=1e-300)
    assert same or near(said.number("least"), cost(typed))
    grid = expit(np.linspace(-20.7, 20.7, 30))
    return least <= min(cost(float(p)) for p in grid) * (1 + CLOSE)


WAYS = {"optimal selection": "optimum", "what is optimal for each group alone": "optimum",
        "truncated geometric noise": "cut", "Laplace noise": "laplace", "Gaussian noise": "gaussian"}


def selects(asked):
    study = asked.study
    return study.others == "selection" and study.delta > 0 and not (
        study.epsilon / study.partitions < 1e-6 or study.delta / study.partitions < 1e-285)


@claims("groups", when=selects)
def _(said):
    """The four curves once more, from their own formulas, and where each reaches the probability, fewest first.

    All keep the person’s ε and δ. “Optimal selection” is said only where no other needs fewer: with one group of a
    person.
    """
    study = said.study
    k = study.partitions
    assert (said["each"] is None) == (k == 1)
    epsilon, delta, half = study.epsilon / k, *(-math.expm1(math.log1p(-d) / k) for d in (study.delta, study.delta / 2))
    mu = GaussianDecision.for_guarantee(study.epsilon, study.delta / 2, 1, 0.5).mu / math.sqrt(k)
    reach = max(math.ceil(math.log((math.expm1(epsilon) + 2 * delta) / ((math.exp(epsilon) + 1) * delta)) / epsilon
                          - 1e-9), 0)
    cut = math.expm1(epsilon) / (math.expm1(epsilon * (reach + 1)) + math.expm1(epsilon * reach))
    found = {WAYS[name]: number(people) for people, name in (
        re.fullmatch(r"(.+?) (?:by|with) (.+)", each).groups() for each in re.split(", | and ", said["users"]))}
    assert list(found.values()) == sorted(found.values())
    assert ("by optimal selection" in said["users"]) == (k == 1)
    assert k > 1 or found["optimum"] == min(found.values())
    for series in ("optimal", "geometric", "laplace", "gaussian"):
        held = said.update.answer.guarantee(f"selection_{series}")
        assert held.keeps(study.epsilon, study.delta)
        assert k == 1 or f"{k} groups" in held.relation.unit
    alone = 0.0
    for name, curve in (
            ("optimum", GeneralizedDecision(epsilon, delta, 0, 0.0)),
            ("cut", GeneralizedDecision(epsilon, cut, 0, 0.0)),
            ("laplace", LaplaceDecision.for_target(epsilon, 1, delta)), ("gaussian", GaussianDecision(mu, 1, half))):
        n = found[name]
        assert n >= 1
        # A probability that is the wanted one but for its rounding may count as reached or not.
        assert curve.accept_probability(n) >= study.target * (1 - CLOSE)
        assert curve.reject_probability(n) <= (1 - study.target) * (1 + 1e-6) + 1e-15
        assert n == 1 or curve.accept_probability(n - 1) <= study.target * (1 + CLOSE)
        alone = max(alone, curve.accept_probability(1))
    return not_below(said.number("alone"), alone)


@claims("nothing_shown", when=lambda asked: asked.study.others == "selection" and asked.study.delta == 0)
def _(said):
    """From f(0) = 0 the steepest step up is of δ."""
    return (GeneralizedDecision(said.study.epsilon, 0.0, 0, 0.0).accept_probability(numbers_of_records(said.study)) == 0
            ).all()


only_when("too_small", lambda asked: asked.study.others == "selection" and asked.study.delta > 0 and not selects(asked))


@claims("discrete", when=lambda asked: asked.study.others == "discrete")
def _(said):
    study, pure = said.study, said.study.replace(delta=0.0)
    decision = decisions(pure)["generalized"]
    shown = 0.0 if study.zero_refused and study.records == 0 else decision.accept_probability(study.records)
    assert math.isclose(said.value("acceptance", "discrete_laplace"), shown, rel_tol=1e-12)
    assert band_is(said, decision, "discrete_laplace", said.number("band_steps:discrete_laplace"))
    assert (said["also"] is None) == (study.delta == 0)
    if study.delta:
        for series, one in (("gaussian", decisions(study)["Gaussian"]),
                            ("discrete_gaussian", DiscreteGaussianDecision.for_guarantee(
                                study.epsilon, study.delta, study.minimum, study.target))):
            assert band_is(said, one, series, said.number(f"band_steps:{series}"))
    return mixes_two_thresholds(pure)


EXAMPLES = (
    {"zero_refused": True, "minimum": 5}, {"others": "selection", "epsilon": 1.0, "partitions": 100, "minimum": 60},
    {"epsilon": 0.5, "zero_refused": True, "minimum": 5, "target": 0.999, "delta": 0.4},
    {"epsilon": 1.9548, "zero_refused": True, "minimum": 2, "target": 0.9, "delta": 0.1668},
    {"cost_false_yes": 1.0, "cost_false_no": 1.0001}, {"prior": "uniform", "prior_centre": 1e6, "cost_false_no": 5.0},
    {"epsilon": 1.0, "target": 0.5, "delta": 1e-2, "minimum": 100},
    {"delta": 0.0}, {"delta": 0.0, "target": 0.9}, {"delta": 0.0, "target": 0.99, "minimum": 1},
    {"delta": 0.05}, {"delta": 0.002}, {"zero_refused": True, "minimum": 2}, {"delta": 0.0, "records": 10_000},
    {"delta": 0.0, "minimum": 10**6, "records": 0}, {"delta": 1e-3, "epsilon": 1e-3, "records": 0},
    {"epsilon": 20.0, "minimum": 10, "delta": 0.0}, {"uncertain": 1e-13}, {"minimum": 1, "records": 1, "epsilon": 1e-4},
    {"zero_refused": True, "minimum": 1, "target": 0.999, "epsilon": 1.0, "delta": 0.0, "records": 0},
    {"cost_false_yes": 10.0}, {"cost_false_no": 1e9, "cost_false_yes": 1e-6},
    {"epsilon": 1.0, "delta": 0.5}, {"uncertain": 0.123456789, "minimum": 5, "target": 0.3},
    {"delta": 0.5 - 2**-54, "uncertain": 1e-100},  # where the ends of all tiny tails lie within a rounding of 1001
    {"others": "selection", "epsilon": 1.0, "delta": 1e-5}, {"others": "selection", "delta": 0.0},
    {"others": "selection", "epsilon": 1.0, "partitions": 10, "target": 0.999}, {"others": "discrete", "target": 0.8},
    {"others": "discrete", "delta": 0.0},
    {"others": "selection", "epsilon": 1e-6, "partitions": 2},
    {"epsilon": 0.15, "delta": 0.087, "minimum": 5, "uncertain": 0.2},
    {"epsilon": 1e-4, "delta": 3e-4, "minimum": 1000, "records": 0, "zero_refused": True},
)
