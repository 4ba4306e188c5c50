"""What the neighbours study says, recomputed: errors from the law of the noise, moves by trying every neighbour."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
from claims.kit import Asked, Said, claims, near, not_above, not_below, only_when

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.studies import neighbours as f

NOISES = f.Neighbours.answers().series()
EMPTY = {f"cell{j}": 0 for j in range(1, 6)}

EXAMPLES = (
    {"change": "swap"}, {"change": "swap", "kind": 3, "kind_by": 3}, {"change": "swap", "kind": 1, "cell1": 0},
    {"change": "remove", "kind": 1, "cell1": 0}, {"change": "remove"}, EMPTY, {**EMPTY, "cell1": 1},
    {**EMPTY, "change": "swap"}, {"clamped": False}, {"rounded": True, "epsilon": 0.05}, {"epsilon": 7.7},
    {"epsilon": 20.0}, {"contributed": 1}, {"contributed": 2}, {"known": 0}, {"known": 1}, {"epsilon": 1e-6})


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


NAMES = {"discrete Laplace": f.GEOMETRIC, "Laplace": f.LAPLACE}


def best(study):
    """What may be called the best: discrete Laplace noise but where its error is more than 2 % above the other’s."""
    (ours, _), (other, _) = (error(study, NAMES[name]) for name in NAMES)
    return {f.GEOMETRIC if ours <= other * 1.02 * room else f.LAPLACE for room in (1 - 1e-6, 1 + 1e-6)}


@claims("move")
def _(said: Said):
    study, decided = said.study, said.update.answer.decided
    assert said.number("step") == step(study)
    assert said["use"] == ("Use" if decided is None else "You chose")
    series = NAMES[said["noise"]]
    assert series == decided if decided else series in best(study)
    assert not_below(said.number("epsilon"), study.epsilon)
    assert not_below(said.number("error"), error(study, series)[0])


def spoken(asked: Asked):
    return NAMES[asked.update.verdicts[0].places["noise"]]


@claims("runner_up")
def _(said: Said):
    study, ours, other = said.study, spoken(said), NAMES[said["other"]]
    assert other != ours
    suggested = said.update.answer.decided is not None and other in best(study)
    assert said["role"] == ("Suggested" if suggested else "Runner-up") or len(best(study)) > 1
    if said["its"] is None:  # two equal numbers are not set against each other
        assert said["worse"] == "the same error"
        assert not_below(float(said.update.verdicts[0].places["error"].replace("\u202f", "")), error(study, other)[0])
    else:
        assert said["its"] != said.update.verdicts[0].places["error"]
        assert not_below(said.number("its"), error(study, other)[0])
    assert all(said.update.answer.guarantee(series).delta == 0 for series in NOISES)


claims("risk", person=lambda asked: spoken(asked).key)(lambda _: True)


@claims("raised", when=lambda asked: asked.study.clamped)
def _(said: Said):
    study, ours = said.study, spoken(said)
    (total, bias), raw = error(study, ours), error(study, ours, clamped=False, rounded=False)[0]
    if said["raw"]:
        assert not_below(said.number("raw"), raw)
        assert not_below(said.number("bias"), bias)
        assert total <= raw
    else:
        assert "next to nothing" in said["effect"]
        assert abs(error(study, ours, clamped=False)[0] - total) < 0.01 * raw


def neighbour(study):
    """y, or None where there is no record to take."""
    y = cells(study)
    if study.change != "add":
        y[study.kind - 1] -= 1
    if study.change != "remove":
        y[(study.kind if study.change == "add" else study.kind_by) - 1] += 1
    return y if min(y) >= 0 and cells(study)[study.kind - 1] >= (study.change != "add") else None


@claims("pair", "swapped", when=lambda asked: (neighbour(asked.study) or cells(asked.study)) != cells(asked.study))
def _(said: Said):
    study, y = said.study, neighbour(said.study)
    assert sum(abs(a - b) for a, b in zip(cells(study), y, strict=True)) == step(study)
    assert (said.key == "swapped") == (study.change == "swap")
    if study.change != "swap":
        assert said["which"] == ("with one more" if sum(y) > sum(cells(study)) else "without one")


@claims("no_neighbour", when=lambda asked: neighbour(asked.study) is None)
def _(said: Said):
    assert cells(said.study)[said.study.kind - 1] == 0
    assert said["way"] == ("remove" if said.study.change == "remove" else "replace")


only_when("same", lambda asked: neighbour(asked.study) == cells(asked.study))
only_when("nobody", lambda asked: not any(cells(asked.study)))


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


@cache
def moved_by_one():
    """The farthest that a record that comes or goes moves the mean of any small table."""
    return max(moved(list(each), swap=False) for each in product(range(3), repeat=5) if sum(each))


@claims("mean", "mean_swapped", "mean_anywhere")
def _(said: Said):
    study, x = said.study, cells(said.study)
    swap = study.change == "swap"
    assert (said.key == "mean_swapped") == swap
    local = moved(x, swap)
    assert not_below(said.number("move_mean:local"), local)
    assert near(said.number("share"), 1 / sum(x))
    if swap:
        worst = moved([sum(x), 0, 0, 0, 0], swap=True)
        assert said.number("n") == sum(x)
        assert worst >= local * (1 - 1e-9)
        assert said["anywhere"] != said["move_mean:local"]
        assert not_below(said.number("move_mean:local" if said["anywhere"] == "the same" else "anywhere"), worst)
        return
    worst = moved_by_one()
    if said["move_mean:global"]:
        assert not_below(said.number("move_mean:global"), worst)
    else:
        assert math.isclose(local, worst)


@claims("limits")
def _(said: Said):
    epsilon = said.study.epsilon
    assert not_below(said.number("epsilon"), epsilon)
    assert said.number("people") == 2000
    if said["missed"]:
        assert not_above(said.number("missed"), 100 * math.exp(-epsilon) * (1 - 1 / 2000))
        assert math.exp(epsilon) > 1900
    else:
        most = min(math.exp(epsilon) / 2000, 1 - math.exp(-epsilon) * (1 - 1 / 2000))
        assert not_below(said.number("most"), 100 * most)
        assert said.number("guess") == 1 / 2000


@claims("linked", when=lambda asked: asked.update.seen is not None)
def _(said: Said):
    assert (said["knows"] == "no rating") == (said.study.known == 0)
    assert (said["up_to"] is None) == (said.study.contributed == 1)
    release = said.update.fact(v.IDENTIFIED_RELEASE)
    for place, true in (("identified_table", said.value(v.IDENTIFIED_TABLE)), ("identified_release", release.value),
                        ("identified_release::high", release.high)):
        more = said[place].startswith("more")
        assert (0.9995 <= true < 1) if more else near(100 * said.number(place), 100 * true)
    assert np.isclose(release.high, said.update.tables[f.LINKAGE_TABLE][Column(v.IDENTIFIED_HIGH, f.RELEASE)][
        said.study.known])
