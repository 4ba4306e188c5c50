"""What the updating study says, recomputed from who is in which batch: moves of one person, terms, crossings."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from claims.patterns import NUMBER, Claim, Said, near, not_above, not_below, number, of_person
from scipy.special import log_ndtr, ndtr

from dpstudio import vocabulary as v
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies import updating as f

SHARE = "(?:more than )?" + NUMBER + "\u202f%"
NAMES = {"adding up": "sequential", "counting again": "retrain", "skewed shares": "skewed", "the tree": "tree"}
BEGIN = {"Add up the batches": "sequential", "Count again": "retrain", "Use the binary tree": "tree"}


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


def advises(said: Said):
    worst = sds(said.study, 1)
    best = BEGIN[said.groups["advice"]]
    assert worst[best] <= min(worst[one] for one in BEGIN.values()) * (1 + 1e-9)
    others = dict(part.split(" with ")[::-1] for part in said.groups["others"].split(", "))
    assert {NAMES[name] for name in others} == set(BEGIN.values()) - {best}
    assert said.number("batches") == said.study.batches > 1
    assert said.says("With Gaussian noise and δ") == (said.study.delta > 0)
    least = said.groups["least"]
    assert least not in others.values()  # two equal numbers are not set against each other
    return all(not_below(number(least if text == "the same" else text), worst[NAMES[name]])
               for name, text in {**others, next(name for name in NAMES if NAMES[name] == best): least}.items())


def one_batch(said: Said):
    assert said.study.batches == 1
    return all(not_below(said.number("sd"), sds(said.study, 1)[one]) for one in BEGIN.values())


def recommended(said: Said) -> str:
    """One batch leaves nothing to choose: all are the same there."""
    return next((key for words, key in BEGIN.items() if said.update.verdicts[0].startswith(words)), "sequential")


def in_every_batch(said: Said):
    study = said.study
    assert (said.groups["every"] is not None) == (study.batches > 1 and study.who == "once")
    if said.groups["every"]:
        parts = dict(part.split(" by ")[::-1] for part in re.split(", | and ", said.groups["every"]))
        assert list(parts) == ["adding up", "counting again", "the tree"]
        for name, told in parts.items():
            own = NAMES[name]
            epsilon = study.epsilon * moves(own, "visits", study.batches) / moves(own, "once", study.batches)
            assert not_below(number(told), epsilon)
    return True


def known(said: Said):
    study = said.study
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    own = study.rate * (1 - study.rate) / n
    rates = {one: math.sqrt(own + (sd / n) ** 2) for one, sd in sds(study, 0).items()}
    best = NAMES[said.groups["best"]]
    assert rates[best] <= min(rates.values()) * (1 + 1e-9)
    assert (said.groups["guess"] is not None) == (rates[best] > math.sqrt(1 / 12))
    assert (said.groups["after"] == "the only batch") == (study.batches == 1)
    noise = 1 - own / rates[best] ** 2
    assert noise < 1e-9 or is_share(said.groups["noise"], noise) or abs(number(said.groups["noise"]) - noise) < 1e-12
    return near(said.number("sd"), rates[best])


def ends(said: Said):
    study, q, e = said.study, said.study.batches, said.study.epsilon
    adding, again, skewed = (2 * variances(study, one)[0] / e**2 for one in ("sequential", "retrain", "skewed"))
    assert q > 1
    assert study.who == said.groups["who"] if "who" in said.groups else True
    formula = {"once": 2 * q**2, "status": 2 * q**2, "visits": q**2 * (q + 1) ** 2 / 2}[study.who] / e**2
    assert math.isclose(formula, again, rel_tol=1e-12)
    assert math.isclose({"once": 2 * q}.get(study.who, 2 * q**3) / e**2, adding, rel_tol=1e-12)
    if study.who == "once":
        assert again >= adding
    assert is_share(said.groups["share"], study.share)
    worst = sds(study, 1)
    assert near(said.number("worst"), worst["skewed"] / worst["sequential"])
    return all(near(said.number(name), true, 6) for name, true in
               (("adding", adding), ("again", again), ("skewed", skewed)))


def unspent(said: Said):
    study = said.study
    assert study.batches == 1
    assert is_share(said.groups["share"], study.share)
    assert not_below(said.number("epsilon"), study.epsilon * study.share)
    return near(said.number("skewed"), 2 / (study.epsilon * study.share) ** 2, 6) and near(
        said.number("adding"), 2 / study.epsilon**2, 6)


@lru_cache(maxsize=8)
def crossed(who):
    """The first Q with which the tree's worst batch beats that of adding up, and the last with which it does not."""
    q, level, visits, better = 1, 0, 0, []
    for q in range(1, 4097):
        visits += q & -q
        level = q.bit_length()
        moved = {"once": level, "status": q, "visits": visits}[who]
        better.append(((q + 1).bit_length() - 1) * moved**2 < q * (1 if who == "once" else q) ** 2)
    return better.index(True) + 1, max(i + 1 for i, one in enumerate(better) if not one)


def overtakes(said: Said):
    study = said.study
    first, last = crossed(study.who)
    assert said.number("first") == first
    assert (said.groups["last"] is None) == (last < first)
    assert said.groups["last"] is None or said.number("last") == last
    assert said.number("batches") == study.batches
    ratio = variances(study, "tree")[1] / variances(study, "sequential")[1]
    return near(said.number("ratio"), ratio) if said.groups["ratio"] else ratio == 1


def gaussian(said: Said):
    study, q = said.study, said.study.batches
    assert q > 1
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
    if said.groups["each"] is None:
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


def simulated(said: Said):
    done = said.update.done
    assert said.number("batches") == said.study.batches
    for name, series in (("adding", f.SEQUENTIAL), ("again", f.RETRAIN), ("tree", f.TREE)):
        fact = said.update.fact(v.RATE_COVERED, series)
        assert float(fact.value * done).is_integer() or abs(fact.value * done - round(fact.value * done)) < 1e-6
        for group, true in ((name, fact.value), (f"{name}_low", fact.low), (f"{name}_high", fact.high)):
            assert is_share(said.groups[group], true), (group, true)
        assert fact.low <= fact.value <= fact.high
    return True


def covered(name, series):
    return f"(?P<{name}>{SHARE}) \\({series}, (?P<{name}_low>{SHARE}) to (?P<{name}_high>{SHARE})\\)"


SKEWED = (f"\\. With (?P<share>{SHARE}) of ε kept for the last release it is (?P<skewed>{NUMBER}), and the sd at worst "
          f"(?P<worst>{NUMBER}) times that of adding up\\.")
CLAIMS = (
    Claim(f"(?P<advice>{'|'.join(BEGIN)}): the noise has an sd of at most (?P<least>{NUMBER}) after any of "
          f"(?P<batches>{NUMBER}) batches, against (?P<others>.+)\\.", advises),
    Claim(f"One batch leaves nothing to choose: the noise has an sd of (?P<sd>{NUMBER}) by adding up, counting again "
          f"or the "
          "tree\\.", one_batch),
    of_person(recommended, r"(?: In every batch instead of one ε is (?P<every>.+)\.)?", in_every_batch),
    Claim("For the analyst: after (?P<after>the only batch|the last batch) the released share is within ± "
          f"(?P<sd>{NUMBER}) \\(sd\\) of the rate at best, by (?P<best>{'|'.join(NAMES)})(?P<guess>, more than of a "
          f"guess "
          f"anywhere from 0 to 1)?; (?P<noise>{SHARE}) of that variance is noise, for which a naive posterior does not "
          "allow\\.", known),
    Claim(f"Counting again with ε/Q ends with a variance of 2Q²/ε² = (?P<again>{NUMBER}), not less than the 2Q/ε² = "
          f"(?P<adding>{NUMBER}) of adding up" + SKEWED, ends),
    Claim("As the same people come each time, adding up shares ε too and ends with a variance of 2Q³/ε² = "
          f"(?P<adding>{NUMBER}); counting again ends with 2Q²/ε² = (?P<again>{NUMBER})" + SKEWED, ends),
    Claim("As every yes of the same people counts, adding up ends with a variance of 2Q³/ε² = "
          f"(?P<adding>{NUMBER}), and counting again with Q²\\(Q \\+ 1\\)²/\\(2ε²\\) = "
          f"(?P<again>{NUMBER})" + SKEWED, ends),
    Claim(f"Keeping (?P<share>{SHARE}) of ε for the only release leaves the rest unspent: its variance is "
          f"(?P<skewed>{NUMBER}) instead of (?P<adding>{NUMBER}), and ε only (?P<epsilon>{NUMBER})\\.", unspent),
    Claim("The binary tree’s worst batch has less noise than the worst of adding up (?:first )?with (?P<first>"
          f"{NUMBER}) batches (?:or more|and always with more than (?P<last>{NUMBER})); with (?P<batches>{NUMBER}) "
          f"batch(?:es)? it has (?:(?P<ratio>{NUMBER}) times the|the same) variance\\.", overtakes),
    Claim(f"With Gaussian noise and δ = (?P<delta>{NUMBER}) the variance at the end is (?P<adding>{NUMBER}) by "
          f"adding up, "
          f"(?P<again>{NUMBER}) by counting again and (?P<tree>{NUMBER}) by the tree(?:; with Laplace noise, "
          f"(?P<batches>{NUMBER}) releases composed optimally have ε = (?P<each>{NUMBER}) each instead of ε/Q, and "
          f"(?P<gain>{NUMBER}) times less variance)?\\.", gaussian),
    Claim(f"In simulation the naive 95 % interval after (?P<batches>{NUMBER}) batch(?:es)? held a rate drawn "
          f"from \\[0, 1\\] in {covered('adding', 'adding up')}, {covered('again', 'counting again')}, "
          f"{covered('tree', 'the tree')}\\.", simulated),
)
EXAMPLES = ({"batches": 1}, {"batches": 20, "epsilon": 1.0},
            {"batches": 2000, "batch_people": 1000}, {"who": "visits", "batches": 365},
            {"who": "status", "delta": 0.0}, {"epsilon": 20.0, "batches": 3000, "trials": 50})
