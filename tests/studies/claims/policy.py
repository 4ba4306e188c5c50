"""What the policy study says, recomputed from the weights and probabilities, and from quantiles of the noise."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace

import numpy as np
from claims.kit import Asked, Said, claims, near, not_above, not_below, number
from mpmath import log, mpf, workdps

from dpstudio import vocabulary as v
from dpstudio.studies import policy as f


def truth(study):
    """Expected utilities without action and with it."""
    d = study.symptoms
    ratios = np.arange(d) / max(d - 1, 1)
    weights = study.weight * (study.mild_weight / study.weight) ** ratios if d > 1 else np.array([study.weight])
    before = study.untreated + (study.mild_untreated - study.untreated) * ratios
    after = study.treated + (study.mild_treated - study.treated) * ratios
    return float(weights @ before), float(study.factor * (weights @ after) - study.cost), weights


def is_tie(study):
    waiting, acting, _ = truth(study)
    return abs(acting - waiting) <= 1e-12 * max(abs(waiting), abs(acting), study.cost)


def acts(study):
    waiting, acting, _ = truth(study)
    return acting > waiting and not is_tie(study)


def recommended(study):
    """The probability that clipped noisy counts of one symptom recommend acting: over 4 000 quantiles of one noise."""
    p = (np.arange(4000) + 0.5) / 4000
    noise = np.where(p < 0.5, np.log(2 * p), -np.log(2 * (1 - p))) / study.epsilon
    a, total = study.prior_sick, study.prior_sick + study.prior_well
    first = np.clip(study.sick_untreated + noise, 0, study.people)
    waiting = study.weight * (a + first) / (total + study.people)
    # Acting looks better where the other count is below this.
    if study.factor == 0:
        return float(np.mean(-study.cost > waiting))
    with np.errstate(over="ignore"):
        limit = (waiting + study.cost) / (study.factor * study.weight) * (total + study.people_treated) - a
    away = study.epsilon * (limit - study.sick_treated)
    below = np.where(away < 0, np.exp(np.minimum(away, 0)) / 2, 1 - np.exp(-np.maximum(away, 0)) / 2)
    tiny = 1e-9 * study.people_treated
    return float(np.mean(np.where(limit <= tiny, 0.0, np.where(limit > study.people_treated - tiny, 1.0, below))))


def within(text, fact, *, best=True, sign=1):
    """Whether a value is said, or the ends of its interval where they differ."""
    ends = [fact.value] if fact.low is None else [fact.low, fact.high]
    ends = sorted(sign * (end if best else 1 - end) for end in ends)
    said = text.split(" to ")
    assert len(said) in (1, 2)

    def is_said(one, true):
        if one == "more than 0.999":
            return true >= 0.9995
        return near(number(one), true) or (abs(true) < 1e-15 and abs(number(one)) < 1e-15)

    return is_said(said[0], ends[0]) and is_said(said[-1], ends[-1])


def near_difference(said, true, size):
    """A difference of numbers of some size has no more digits than they leave it."""
    return near(said, true) or abs(said - true) <= 1e-12 * size


SERIES = {"private counts and decisions": f.BOTH, "private counts": f.COUNTS, "private decisions": f.DECISION}


def spoken(asked: Asked):
    return asked.update.answer.decided or f.BOTH


def lost(study, series):
    """The probability of the worse choice, of one symptom and where exact counts recommend the better one."""
    looks = 1.0 if series == f.DECISION else recommended(study) if acts(study) else 1 - recommended(study)
    kept, turned = flips(study) if series != f.COUNTS else (1.0, 0.0)
    return looks * (1 - kept) + (1 - looks) * (1 - turned)


@claims("gains", "costs", "costs_nothing")
def _(said: Said):
    study, series = said.study, spoken(said)
    if said["chosen"]:
        assert SERIES[said["chosen"]] == said.update.answer.decided
        assert said["who"] == "they"
        assert (": treating" in said["act"]) == acts(study)
    else:
        assert said.update.answer.decided is None
        assert SERIES[said["who"]] == series
    waiting, acting, _ = truth(study)
    assert not is_tie(study) or abs(acting - waiting) > 0
    assert said["chosen"] or said["act"].startswith("Treat") == acts(study)
    assert near_difference(said.number("gap"), abs(acting - waiting), abs(waiting) + abs(acting) + study.cost)
    price = said.update.fact(v.PRICE, series)
    best, mine = said.value(v.POLICY_UTILITY, f.NONE), said.value(v.POLICY_UTILITY, series)
    assert abs(price.value - (best - mine)) <= 1e-9 * (abs(best) + abs(mine))
    if study.symptoms == 1 and bool(said.value(v.RECOMMENDED, f.NONE)) == acts(study):
        # Two ways to the better choice: recommended and kept, or not recommended and turned round.
        assert abs(price.value - lost(study, series) * abs(acting - waiting)) <= 2e-3 * abs(acting - waiting)
    if said.key == "gains":
        assert price.value < 0
        assert bool(said.value(v.RECOMMENDED, f.NONE)) != acts(study)
        return within(said["gain"], price, sign=-1)
    if said.key == "costs_nothing":
        assert price.value == 0
        misled = bool(said.value(v.RECOMMENDED, f.NONE)) != acts(study)
        return bool(said["misled"]) == (misled and series != f.DECISION)
    assert price.value >= 0
    return within(said["price"], price)


@claims("runner_up", when=lambda asked: not asked.says("tie"))
def _(said: Said):
    one, other = said["others"].split(", ")
    names = {"rivate counts alone": f.COUNTS, "rivate decisions alone": f.DECISION, "oth together": f.BOTH}
    found = {next(names[name] for name in names if name in part): part for part in (one, other)}
    assert set(found) == {f.COUNTS, f.DECISION, f.BOTH} - {spoken(said)}
    facts = {series: said.update.fact(v.PRICE, series) for series in found}
    assert (said["gain"] is not None) == (min(fact.value for fact in facts.values()) < 0)
    study = said.study
    waiting, acting, _ = truth(study)
    if study.symptoms == 1 and bool(said.value(v.RECOMMENDED, f.NONE)) == acts(study):
        for series, fact in facts.items():
            assert abs(fact.value - lost(study, series) * abs(acting - waiting)) <= 2e-3 * abs(acting - waiting)
    return all(within(re.sub(r".* (alone|together) (lose )?", "", part), facts[series])
               for series, part in found.items())


@claims("tie")
def _(said: Said):
    assert said.value(v.PRICE, f.BOTH) == 0 or abs(said.value(v.PRICE, f.BOTH)) < 1e-12 * said.study.cost + 1e-12
    return is_tie(said.study)


claims("loses_nothing", when=lambda asked: is_done(asked) and asked.says("tie"))(lambda said: is_tie(said.study))


def is_done(asked: Asked):
    """Whether all is simulated."""
    return asked.update.seen is not None and asked.update.done == asked.study.trials


def decision(study):
    """ε of the decision: the largest log ratio of its four probabilities."""
    if study.design == "symmetric":
        return study.decision_epsilon
    if study.theta1 == 0:
        return 0.0
    with workdps(400):  # coins may be as small as any double
        theta1, theta2 = mpf(study.theta1), mpf(study.theta2)
        no, other_yes = (1 - theta1) * theta2, (1 - theta1) * (1 - theta2)
        return max(float(log((theta1 + b) / b)) if b > 0 else math.inf for b in (no, other_yes))


def flips(study):
    """The probabilities of the truly better action where it is recommended, and where the other one is."""
    if study.design == "symmetric":
        kept = 1 / (1 + math.exp(-study.decision_epsilon))
        return kept, 1 / (1 + math.exp(study.decision_epsilon))
    yes, no = study.theta1 + (1 - study.theta1) * study.theta2, (1 - study.theta1) * study.theta2
    return (yes, no) if acts(study) else (1 - no, 1 - yes)


def counts_epsilon(study):
    return study.epsilon * study.symptoms * (2 if study.arm_may_change else 1)


claims("risk", person=lambda asked: spoken(asked).key)(lambda _: True)


@claims("proof")
def _(said: Said):
    return decision(said.study) == math.inf and not_below(
        said.number("counts_epsilon"), counts_epsilon(said.study))


@claims("spent")
def _(said: Said):
    study, total = said.study, said.value(v.PERSON_EPSILON, f.BOTH)
    assert math.isclose(total, counts_epsilon(study) + decision(study), rel_tol=1e-7)
    assert (said["twice"] is not None) == study.arm_may_change
    assert (said["each"] is None) == said["symptoms"].endswith("symptom") == (study.symptoms == 1)
    assert not_below(said.number("epsilon"), study.epsilon)
    return not_below(said.number("person_epsilon:both"), total)


@claims("no_difference", "mislead", "recommended")
def _(said: Said):
    study, fact = said.study, said.update.fact(v.RECOMMENDED, f.COUNTS)
    if study.symptoms == 1:
        assert abs(fact.value - recommended(study)) < 2e-3
    assert (said["people_treated"] is None) == (study.people == study.people_treated)
    assert not_below(said.number("epsilon"), study.epsilon)
    exact = bool(said.value(v.RECOMMENDED, f.NONE))
    if said.key == "no_difference":
        assert is_tie(study)
        return within(said["chance"], fact)
    assert (exact != acts(study)) == (said.key == "mislead")
    return within(said["chance"], fact, best=acts(study))


@claims("utilities")
def _(said: Said):
    study = said.study
    waiting, acting, _ = truth(study)
    size = abs(waiting) + abs(acting) + study.cost
    assert near_difference(said.number("utility_action"), acting, size)
    assert near_difference(said.number("utility_no_action"), waiting, size)
    even = acting + study.cost - waiting
    if said["breakeven_cost"] is None:
        return even <= 1e-12 * size
    # Whoever types the cost that is said is below or at the break-even one: acting is no worse there.
    true = said.value(v.BREAKEVEN_COST)
    return not_above(said.number("breakeven_cost"), true) and abs(true - even) <= 1e-9 * (size + study.cost)


def gets_worse(asked: Asked):
    """Whether the right action is recommended less often at some larger ε of the picture; where near, what is said."""
    study = asked.study
    if asked.says("tie"):
        return False
    if study.symptoms > 1:
        return asked.says("not_monotone")
    low, high = asked.update.windows[f.COUNTS_TABLE]
    acting = np.array([recommended(SimpleNamespace(**study.values() | {"epsilon": epsilon}))
                       for epsilon in np.geomspace(low, high, 60)])
    wrong = 1 - acting if acts(study) else acting
    rise = float((wrong - np.minimum.accumulate(wrong)).max())
    return asked.says("not_monotone") if 0.006 < rise < 0.015 else rise >= 0.015


@claims("not_monotone", when=gets_worse)
def _(said: Said):
    study = said.study
    more, less = said.number("more"), said.number("less")
    assert more > less
    at_more, at_less = said.number("worst"), said.number("best")
    misled = bool(said.value(v.RECOMMENDED, f.NONE)) != acts(study)
    assert said["why"] == ("the exact counts mislead" if misled else
                           "noise on counts clamped to [0, n] favours it")
    if study.symptoms == 1:
        for epsilon, text in ((more, at_more), (less, at_less)):
            true = recommended(study.replace(epsilon=min(max(epsilon, 1e-4), 100.0)))
            assert abs((true if acts(study) else 1 - true) - text) < 0.012
    return at_more < at_less


@claims("lost", when=lambda asked: is_done(asked) and not asked.says("tie"))
def _(said: Said):
    study = said.study
    gap = said.value(v.GAP)
    for group, series in (("both", f.BOTH), ("counts", f.COUNTS), ("none", f.NONE)):
        fact = said.update.fact(v.REGRET_PERSON, series)
        numbers = [number(one) for one in said[group].rstrip(")").replace(" (", " to ").split(" to ")]
        assert all(near(one, true) for one, true in zip(numbers, (fact.value, fact.low, fact.high), strict=True))
        assert 0 <= fact.low <= fact.value <= fact.high <= gap * (1 + 1e-12)
        assert fact.high - fact.low >= min(3 / said.update.done, 1) * gap * (1 - 1e-9)
    assert said.number("arrivals") == study.arrivals
    return said.number("batches") == study.batches


def ahead(asked: Asked):
    """Whether in the end those with randomized decisions are right more often, beyond chance, than truthful ones."""
    if not is_done(asked) or asked.says("tie"):
        return False
    best = acts(asked.study)
    randomized, truthful, early = (asked.update.fact(quantity, series) for quantity, series in (
        (v.LAST_RECOMMENDED, f.BOTH), (v.LAST_RECOMMENDED, f.COUNTS), (v.FIRST_RECOMMENDED, f.BOTH)))
    return all(randomized.low > other.high if best else randomized.high < other.low for other in (truthful, early))


@claims("explored", when=ahead)
def _(said: Said):
    best = acts(said.study)
    for group, series in (("randomized", f.BOTH), ("truthful", f.COUNTS)):
        true = said.value(v.LAST_RECOMMENDED, series)
        text = said[group]
        right = true if best else 1 - true
        assert 0.9995 <= right < 1 if text.startswith("more than") else near(number(text), right)
EXAMPLES = ({"people": 5, "untreated": 0.28, "treated": 0.1, "cost": 0.0, "weight": -1.0},
            {"people": 5, "untreated": 0.28, "treated": 0.1, "cost": 0.0795, "weight": -1.0},
            {"people": 5, "untreated": 0.28, "treated": 0.1, "cost": 0.0795, "weight": -1.0, "design": "coins",
             "theta1": 1.0},
            {"trials": 1, "people_treated": 70},
            {"design": "coins", "theta1": 0.5, "theta2": 0.0}, {"batches": 60, "trials": 1000},
            {"people": 1000, "people_treated": 500, "sick_untreated": 100, "sick_treated": 400},
            {"untreated": 0.11, "treated": 0.15, "cost": 0.094})
