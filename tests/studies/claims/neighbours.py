"""What the neighbours study says, recomputed: errors from the law of the noise, moves by trying every neighbour."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
from claims.patterns import NUMBER, Claim, Said, near, not_above, not_below, of_person

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.studies import neighbours as f

NOISES = f.Neighbours.answers().series()
EMPTY = {f"cell{j}": 0 for j in range(1, 6)}
PERCENT = r"(?:\d[\d.]*(?:e−\d+)?|more than 99\.9)\u202f%"

EXAMPLES = (
    {"change": "swap"}, {"change": "swap", "kind": 3, "kind_by": 3}, {"change": "swap", "kind": 1, "cell1": 0},
    {"change": "remove", "kind": 1, "cell1": 0}, {"change": "remove"}, EMPTY, {**EMPTY, "cell1": 1},
    {**EMPTY, "change": "swap"}, {"clamped": False}, {"rounded": True, "epsilon": 0.05}, {"epsilon": 7.7},
    {"epsilon": 20.0}, {"contributed": 1}, {"known": 0}, {"known": 1}, {"epsilon": 1e-6})


def cells(study):
    return [study.cell1, study.cell2, study.cell3, study.cell4, study.cell5]


def step(study):
    return 2 if study.change == "swap" else 1


def error(study, series, clamped=None, rounded=None):
    """Σ E|e| and the bias of the total: E|X|, less what the negative counts are cut by."""
    clamped = study.clamped if clamped is None else clamped
    rounded = study.rounded if rounded is None else rounded
    b = step(study) / study.epsilon
    total = bias = 0.0
    for x in cells(study):
        if series == f.GEOMETRIC:
            a = math.exp(-1 / b)
            whole, cut = 2 * a / -math.expm1(-2 / b), math.exp(-x / b) * a / -math.expm1(-2 / b)
        elif rounded:  # mass (1 − a) a^(|k| − ½)/2 at k ≠ 0
            half = math.exp(-0.5 / b)
            whole, cut = half / -math.expm1(-1 / b), math.exp(-x / b) * half / -math.expm1(-1 / b) / 2
        else:
            whole, cut = b, b / 2 * math.exp(-x / b)
        total += whole - (cut if clamped else 0.0)
        bias += cut if clamped else 0.0
    return total, bias


def best(study):
    return min(NOISES, key=lambda series: error(study, series)[0])


def named(series):
    return "Laplace" if series == f.LAPLACE else "geometric"


def headline(said: Said):
    study = said.study
    assert said.groups["what"] == ("replaced" if study.change == "swap" else "added or removed")
    assert said.number("step") == step(study)
    assert said.groups["noise"] == named(best(study))
    assert not_below(said.number("epsilon"), study.epsilon)
    assert not_below(said.number("error"), error(study, best(study))[0])


def recommended(said: Said) -> str:
    return next(series.key for series in NOISES if f": with {named(series)} noise" in said.update.verdicts[0])


def analyst(said: Said):
    study, ours = said.study, best(said.study)
    other = next(series for series in NOISES if series != ours)
    assert (said.groups["noise"], said.groups["other"]) == (named(ours), named(other))
    (total, bias), raw = error(study, ours), error(study, ours, clamped=False, rounded=False)[0]
    assert not_below(said.number("error"), total)
    same = said.groups["worse"] == "the same"
    assert same or said.groups["worse"] != said.groups["error"]  # two equal numbers are not set against each other
    assert not_below(said.number("error" if same else "worse"), error(study, other)[0])
    if said.groups["raw"]:
        assert not_below(said.number("raw"), raw)
        assert not_below(said.number("bias"), bias)
        assert total <= raw
    elif "next to nothing" in said.sentence:
        assert abs(error(study, ours, clamped=False)[0] - total) < 0.01 * raw
        assert study.clamped
    else:
        assert not study.clamped


def neighbour(study):
    """y, or None where there is no record to take."""
    y = cells(study)
    if study.change != "add":
        y[study.kind - 1] -= 1
    if study.change != "remove":
        y[(study.kind if study.change == "add" else study.kind_by) - 1] += 1
    return y if min(y) >= 0 and cells(study)[study.kind - 1] >= (study.change != "add") else None


def pair(said: Said):
    study, y = said.study, neighbour(said.study)
    assert sum(abs(a - b) for a, b in zip(cells(study), y, strict=True)) == said.number("apart") == step(study)
    assert said.groups["kind"].startswith(str(study.kind if study.change != "swap" else study.kind_by))
    if study.change != "swap":
        assert (sum(y) > sum(cells(study))) is (said.groups["which"] == "more than")
    else:
        assert f"one of {study.kind} star" in said.sentence


def taken(said: Said):
    assert neighbour(said.study) is None
    assert cells(said.study)[said.study.kind - 1] == 0
    assert said.number("kind") == said.study.kind
    assert said.groups["way"] == ("removed" if said.study.change == "remove" else "swapped")


def same(said: Said):
    assert neighbour(said.study) == cells(said.study)


def mean(x):
    return Fraction(sum(value * count for value, count in enumerate(x, 1)), sum(x))


def moved(x, swap):
    """The farthest that the mean moves to any neighbour that has records."""
    around = []
    for i, j in product(range(5), repeat=2):
        if swap and x[i] and i != j:
            around.append([count - (k == i) + (k == j) for k, count in enumerate(x)])
    for i in range(5):
        if not swap:
            around.append([count + (k == i) for k, count in enumerate(x)])
            if x[i] and sum(x) > 1:
                around.append([count - (k == i) for k, count in enumerate(x)])
    return float(max(abs(mean(x) - mean(y)) for y in around))


def average(said: Said):
    study, x = said.study, cells(said.study)
    swap = study.change == "swap"
    local = moved(x, swap)
    assert not_below(said.number("local"), local)
    assert near(said.number("share"), 1 / sum(x))
    if swap:
        worst = moved([sum(x), 0, 0, 0, 0], swap=True)
        assert said.number("n") == sum(x)
        assert said.number("anywhere") >= local * (1 - 1e-9)
    else:
        worst = max(moved(list(each), swap=False) for each in product(range(3), repeat=5) if sum(each))
    if said.groups.get("anywhere"):
        assert not_below(said.number("anywhere"), worst)
    else:
        assert math.isclose(local, worst)


def nobody(said: Said):
    assert not any(cells(said.study))


def limits(said: Said):
    epsilon = said.study.epsilon
    assert not_below(said.number("epsilon"), epsilon)
    if said.groups["missed"]:
        assert not_above(100 * said.number("missed"), 100 * math.exp(-epsilon) * (1 - 1 / 2000))
        assert math.exp(epsilon) > 1900
    else:
        most = min(math.exp(epsilon) / 2000, 1 - math.exp(-epsilon) * (1 - 1 / 2000))
        assert not_below(100 * said.number("most"), 100 * most)
        assert said.number("guess") == 1 / 2000


def before(said: Said):
    limits(said)
    assert said.number("counted") == said.study.contributed
    assert said.update.done == 0


def linked(said: Said):
    limits(said)
    assert said.groups["known"] == {0: "no rating", 1: "1 rating"}.get(said.study.known, f"{said.study.known} ratings")
    release = said.update.fact(v.IDENTIFIED_RELEASE)
    for group, true in (("table", said.value(v.IDENTIFIED_TABLE)), ("release", release.value), ("high", release.high)):
        text = said.groups[group]
        assert (0.9995 <= true < 1) if "more" in text else near(100 * said.number(group), 100 * true)
    assert np.isclose(release.high, said.update.tables[f.LINKAGE_TABLE][Column(v.IDENTIFIED_HIGH, f.RELEASE)][
        said.study.known])


def attacks(said: Said):
    return before(said) if said.groups["counted"] else linked(said)


_LIMITS = (rf"at ε = (?P<epsilon>{NUMBER}) (?:any attack misses at least (?P<missed>{PERCENT}) of them|no attack names "
           rf"more than (?P<most>{PERCENT}) rightly on average; guessing names (?P<guess>{PERCENT}))\.")
_NOTE = rf"“Introduction to privacy in AI/ML” has 1/n = (?P<share>{NUMBER}), for values in \[0, 1\]"

CLAIMS = (
    Claim(rf"One record (?P<what>replaced|added or removed) moves the histogram by at most (?P<step>\d): with "
          rf"(?P<noise>\w+) noise for ε = (?P<epsilon>{NUMBER}) the five counts are off by (?P<error>{NUMBER}) records "
          r"together on average\.", headline),
    of_person(recommended),
    Claim(rf"For the analyst: with (?P<noise>\w+) noise the five counts are off by (?P<error>{NUMBER}) records "
          rf"together on average, with (?P<other>\w+) noise by (?P<worse>{NUMBER}|the same)(?:; raising negative "
          rf"counts to 0 (?:changes next to nothing|took that down from (?P<raw>{NUMBER}) and costs no privacy, but "
          rf"makes the total (?P<bias>{NUMBER}) too large on average))?\.", analyst),
    Claim(r"y has one record of (?P<kind>\d stars?) (?P<which>more than|fewer than) x: ‖x − y‖₁ = (?P<apart>1), so "
          r"they are neighbours, and noise on the histogram must hide a move of 1\.", pair),
    Claim(r"y has one record of (?P<kind>\d stars?) in the place of one of \d stars? in x: one removed and one added, "
          r"so ‖x − y‖₁ = (?P<apart>2), and noise on the histogram must hide twice as much as for a record added or "
          r"removed\.", pair),
    Claim(r"x has no record of (?P<kind>\d) stars? that could be (?P<way>removed|swapped): there is no such neighbour, "
          r"and y = x\.", taken),
    Claim(r"A record swapped for another of the same kind leaves the histogram as it is: y = x\.", same),
    Claim(r"x = \(0, 0, 0, 0, 0\) has no records, so its mean, median and shares are refused; its counts are 0, and "
          r"can be released like any others\.", nobody),
    Claim(rf"A swapped record moves the mean of x by up to (?P<local>{NUMBER}), and that of some database of "
          rf"(?P<n>{NUMBER}) records? by (?P<anywhere>{NUMBER}), which the noise must hide\. {_NOTE}; stars span 4, so "
          r"it is 4/n\.", average),
    Claim(rf"One record more or fewer moves the mean of x by up to (?P<local>{NUMBER}), as far as that of any "
          rf"database\. {_NOTE}, a public n and swapped records\.", average),
    Claim(rf"One record more or fewer moves the mean of x by up to (?P<local>{NUMBER}), that of some database by "
          rf"(?P<anywhere>{NUMBER}), which the noise must hide: a scale that follows x tells about x\. {_NOTE}, a "
          r"public n and swapped records\.", average),
    # The one takes the place of the other when attacks are simulated.
    Claim(r"(?:An attacker may try to name one of 2\u202f000 people from noisy counts of (?:up to )?(?P<counted>\d+) "
          r"ratings? of each|Whoever knows (?P<known>no rating|\d ratings?) of a person found their record in a table "
          rf"without names in (?P<table>{PERCENT}) of simulated attacks, and from noisy counts, even knowing everybody "
          rf"else, in (?P<release>{PERCENT}) \(95\u202f% interval up to (?P<high>{PERCENT})\)): {_LIMITS}", attacks),
)
