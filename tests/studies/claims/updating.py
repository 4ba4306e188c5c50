"""What the updating study says, recomputed from who is in which batch: moves of one person, terms, crossings."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

from claims.kit import Asked, Said, claims, near, not_above, not_below, number
from scipy.special import log_ndtr, ndtr

from dpstudio import vocabulary as v
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import updating as f

NAMES = {"the sum of batches": "sequential", "the recount": "retrain", "the skewed recount": "skewed",
         "the binary tree": "tree"}
BEGIN = {name: key for name, key in NAMES.items() if key != "skewed"}
"""What competes."""


def is_share(text, true):
    if text.startswith("more than"):
        return 0.9995 <= true < 1
    return near(number(text), true)


@lru_cache(maxsize=512)
def moves(strategy, who, q):
    """How far one person, in the worst batches, moves everything that gets noise."""
    nodes = [t & -t for t in range(1, q + 1)]  # batches of the one node that ends at each t
    match strategy, who:
        case "sequential", _:
            return 1 if who == "once" else q
        case "retrain", _:
            return q if who != "visits" else q * (q + 1) // 2
        case "tree", "once":  # the first batch is in the nodes that end at 1, 2, 4 … as far as they go
            return sum(1 for t in range(1, q + 1) if t & (t - 1) == 0)
    return q if who == "status" else sum(nodes)


def variances(study, strategy):
    """After the last and after the worst batch, times ε²/2."""
    q, who = study.batches, study.who
    if strategy == "skewed":
        earlier, last = (q * (q - 1) / 2, q) if who == "visits" else (q - 1, 1)
        end = (last / study.share) ** 2
        return end, max(end, (earlier / (1 - study.share)) ** 2)
    terms = {"sequential": (q, q), "retrain": (1, 1),
             "tree": (q.bit_count(), max(t.bit_count() for t in (q, 2 ** (q + 1).bit_length() // 2 - 1)))}[strategy]
    square = moves(strategy, who, q) ** 2
    return terms[0] * square, terms[1] * square


def sds(study, which):
    return {one: math.sqrt(2 * variances(study, one)[which]) / study.epsilon for one in NAMES.values()}


def listing(text):
    """What each way comes to, by name: “98 with the binary tree and 142 with the recount”."""
    parts = text.replace(" and ", ", ").split(", ")
    return dict(part.split(" with ")[::-1] for part in parts)


def spoken(asked: Asked) -> str:
    """What was decided for, else what has the least noise in its worst batch, but for 2 %: the first of such."""
    decided = asked.update.answer.decided
    worst = sds(asked.study, 1)
    return decided.key if decided else next(
        key for key in BEGIN.values() if worst[key] <= min(worst[one] for one in BEGIN.values()) * 1.02)


@claims("advice", when=lambda asked: asked.study.batches > 1 or spoken(asked) == "skewed")
def _(said: Said):
    worst, own = sds(said.study, 1), NAMES[said["name"]]
    assert own == spoken(said)
    assert said["use"] == ("You chose" if said.update.answer.decided else "Use")
    others = listing(said["others"])
    assert {NAMES[name] for name in others} == set(BEGIN.values()) - {own}
    assert (said["after"] == "the only batch") == (said.study.batches == 1)
    assert said["batches"] is None or said.number("batches") == said.study.batches
    least = said["sd"]
    assert least not in others.values()  # two equal numbers are not set against each other
    numbers = [number(least if text == "the same" else text) for text in others.values()]
    assert all(one <= other * 1.03 for one, other in pairwise(numbers))
    return all(not_below(number(least if text == "the same" else text), worst[NAMES[name]])
               for name, text in {**others, said["name"]: least}.items())


@claims("runner_up", when=lambda asked: not is_one(asked))
def _(said: Said):
    last, told = sds(said.study, 0), listing(said["last"])
    assert {NAMES[name] for name in told} == set(NAMES.values())
    numbers = [number(text) for text in told.values()]
    assert numbers == sorted(numbers)
    return all(not_below(number(text), last[NAMES[name]]) for name, text in told.items())


def is_one(asked: Asked):
    return asked.study.batches == 1


@claims("one_batch", when=lambda asked: is_one(asked) and spoken(asked) != "skewed")
def _(said: Said):
    return all(not_below(said.number("sd"), sds(said.study, 1)[one]) for one in BEGIN.values())


claims("risk", person=spoken)(lambda _: True)


@claims("every", when=lambda asked: asked.study.batches > 1 and asked.study.who == "once")
def _(said: Said):
    study, parts = said.study, listing(said["costs"])
    assert list(parts) == ["the sum of batches", "the recount", "the binary tree"]
    for name, told in parts.items():
        own = NAMES[name]
        epsilon = study.epsilon * moves(own, "visits", study.batches) / moves(own, "once", study.batches)
        assert not_below(number(told), epsilon)
    return not_below(said.number("epsilon"), study.epsilon)


@claims("rate")
def _(said: Said):
    study = said.study
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    own = study.rate * (1 - study.rate) / n
    rates = {one: math.sqrt(own + (sd / n) ** 2) for one, sd in sds(study, 0).items()}
    best = NAMES[said["by"]]
    assert rates[best] <= min(rates.values()) * (1 + 1e-9)
    assert (said["guess"] is not None) == (rates[best] > math.sqrt(1 / 12))
    assert (said["after"] == "the only batch") == (study.batches == 1)
    noise = 1 - own / rates[best] ** 2
    assert noise < 1e-9 or is_share(said["noise"], noise) or abs(number(said["noise"]) - noise) < 1e-12
    return near(said.number("sd"), rates[best])


@claims("ends_once", "ends_status", "ends_visits")
def _(said: Said):
    study, q, e = said.study, said.study.batches, said.study.epsilon
    adding, again = (2 * variances(study, one)[0] / e**2 for one in ("sequential", "retrain"))
    assert q > 1
    assert said.key == f"ends_{study.who}"
    formula = {"once": 2 * q**2, "status": 2 * q**2, "visits": q**2 * (q + 1) ** 2 / 2}[study.who] / e**2
    assert math.isclose(formula, again, rel_tol=1e-12)
    assert math.isclose({"once": 2 * q}.get(study.who, 2 * q**3) / e**2, adding, rel_tol=1e-12)
    if study.who == "once":
        assert again >= adding
    return near(said.number("adding"), adding, 6) and near(said.number("again"), again, 6)


@claims("unspent", when=is_one)
def _(said: Said):
    study = said.study
    assert not_below(said.number("once_epsilon:skewed"), study.epsilon * study.share)
    return near(said.number("skewed"), 2 / (study.epsilon * study.share) ** 2, 6) and near(
        said.number("adding"), 2 / study.epsilon**2, 6)


@lru_cache(maxsize=8)
def crossed(who):
    """The first Q with which the tree's worst batch beats that of the sum, and the last with which it does not."""
    q, level, visits, better = 1, 0, 0, []
    for q in range(1, 4097):
        visits += q & -q
        level = q.bit_length()
        moved = {"once": level, "status": q, "visits": visits}[who]
        better.append(((q + 1).bit_length() - 1) * moved**2 < q * (1 if who == "once" else q) ** 2)
    return better.index(True) + 1, max(i + 1 for i, one in enumerate(better) if not one)


@claims("tree")
def _(said: Said):
    study = said.study
    first, last = crossed(study.who)
    assert said.number("first") == first
    assert (said["after"] is None) == (last < first)
    assert said["after"] is None or said.number("after") == last
    assert said.number("batches") == study.batches
    ratio = variances(study, "tree")[1] / variances(study, "sequential")[1]
    return ratio == 1 if said["ratio"] == "the same" else near(said.number("times"), ratio)


@claims("gaussian", when=lambda asked: asked.study.delta > 0 and not is_one(asked))
def _(said: Said):
    study, q = said.study, said.study.batches
    assert not_below(said.number("delta"), study.delta)
    squares = {"sequential": 1 if study.who == "once" else q,
               "retrain": q if study.who != "visits" else q * (q + 1) * (2 * q + 1) / 6,
               "tree": {"once": moves("tree", "once", q), "status": q}.get(
                   study.who, sum(float(t & -t) ** 2 for t in range(1, q + 1)))}
    terms = {"sequential": q, "retrain": 1, "tree": q.bit_count()}
    for name, own in (("adding", "sequential"), ("again", "retrain"), ("tree", "tree")):
        sigma = math.sqrt(said.value(v.GAUSSIAN_VARIANCE, own) / terms[own])
        mu, e = math.sqrt(squares[own]) / sigma, study.epsilon
        delta = ndtr(mu / 2 - e / mu) - math.exp(e + log_ndtr(-mu / 2 - e / mu))
        assert abs(delta - study.delta) <= 1e-5 * study.delta + 1e-15, (own, delta)
        assert near(said.number(name), terms[own] * sigma**2, 3) or near(said.number(name), terms[own] * sigma**2, 7)
    if said["each"] is None:
        alone = RandomizedResponse.symmetric(study.epsilon / q * math.sqrt(1.051))
        return alone.epsilon_after(q, study.delta) > study.epsilon * (1 - 1e-9)
    assert said.number("batches") == q
    each = said.number("each")
    assert RandomizedResponse.symmetric(each).epsilon_after(q, study.delta) <= study.epsilon * (1 + 1e-9)
    assert RandomizedResponse.symmetric(each * 1.011).epsilon_after(q, study.delta) > study.epsilon
    gain = (said.value(v.EACH_OPTIMAL, f.RETRAIN if study.who != "visits" else f.SEQUENTIAL) * q / study.epsilon) ** 2
    assert gain >= 1.05
    assert not_above(each, math.sqrt(gain) * study.epsilon / q)
    return near(said.number("gain"), gain)


@claims("coverage", when=lambda asked: asked.update.seen is not None)
def _(said: Said):
    done, parts = said.update.done, said["covered"].split("), ")
    assert said.number("batches") == said.study.batches
    for part, (name, series) in zip(parts, (
            ("the sum of batches", f.SEQUENTIAL), ("the recount", f.RETRAIN), ("the binary tree", f.TREE)),
            strict=True):
        fact = said.update.fact(v.RATE_COVERED, series)
        assert float(fact.value * done).is_integer() or abs(fact.value * done - round(fact.value * done)) < 1e-6
        share, who, low, high = part.rstrip(")").replace(" (", ", ", 1).replace(" to ", ", ").split(", ")
        assert who == name
        for text, true in ((share, fact.value), (low, fact.low), (high, fact.high)):
            assert is_share(text, true), (text, true)
        assert fact.low <= fact.value <= fact.high


EXAMPLES = ({"batches": 1}, {"batches": 512}, {"batches": 20, "epsilon": 1.0},
            {"batches": 2000, "batch_people": 1000}, {"who": "visits", "batches": 365},
            {"who": "status", "delta": 0.0}, {"epsilon": 20.0, "batches": 3000, "trials": 50},
            {"epsilon": 0.01, "batch_people": 10})
