"""What the table study says, recomputed: widths from the laws of the noises, names from their definitions."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
from claims.kit import Asked, Said, claims, gaussian_delta, near, not_above, not_below, number
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from dpstudio import vocabulary as v
from dpstudio.studies import table as f
from dpstudio.vocabulary.written import listing_of

NOISES = {"discrete Laplace": f.GEOMETRIC, "Laplace": f.LAPLACE, "Gaussian": f.GAUSSIAN, "discrete "
    "Gaussian": f.DISCRETE}
CHOOSING = {"permute-and-flip": f.PERMUTE, "the exponential mechanism": f.EXPONENTIAL,
            "the noisy maximum with Laplace noise": f.NOISY_MAX}
BELLS = ("Gaussian", "discrete Gaussian")

EXAMPLES = (
    {"groups": 1}, {"cells": "5,5,5"}, {"cells": "0,0,0"}, {"keys": "secret", "delta": 0.0}, {"keys": "secret"},
    {"first": 200}, {"epsilon": 20.0}, {"epsilon": 20.0, "groups": 2}, {"delta": 0.0}, {"columns": 7,
        "margins": "added"},
    {"released": "largest", "cells": "4,3"}, {"per_person": 5, "change": "replace", "rows": 3}, {"clamped": True},
    {"cells": "100,90,3", "relative": 0.2, "first": 1}, {"released": "largest", "cells": "5,5"}, {"epsilon": 4.0},
    {"released": "largest", "cells": "900,3", "epsilon": 0.05}, {"cells": "40,1", "first": 1}, {"error_level": 0.9999},
)


def cells(study):
    """All true counts, in order, merged where nobody is in two groups."""
    if study.cells == "none":
        share = np.arange(1.0, study.groups + 1) ** -study.falloff
        exact = study.people * (share / share.sum())
        counts = np.floor(exact)
        left = int(study.people - counts.sum())
        counts[np.argsort(-(exact - counts), kind="stable")[:max(left, 0)]] += 1
    else:
        counts = listing_of(study.cells).expanded
    merged = study.merged if study.per_person == 1 else 1
    return np.append(counts, np.zeros(-len(counts) % merged)).reshape(-1, merged).sum(axis=1)


def size(study):
    return len(cells(study))


def released(study):
    """How many counts may be released."""
    return max(int((cells(study) > 0).sum()), 1) if study.keys == "secret" else size(study)


def once(study):
    """Rows that count of a person in one group."""
    return 1 if study.keys == "secret" else study.rows


def moves(study):
    both = 2 if study.change == "replace" and study.keys == "known" else 1
    return min(size(study), study.per_person * both)


@cache
def least_sigma(epsilon: float, delta: float) -> float:
    """σ of Gaussian noise for a move by 1."""
    return math.exp(-brentq(lambda log: gaussian_delta(epsilon, math.exp(log)) - delta, -35, 8, xtol=1e-13))


def sigma(study):
    return least_sigma(study.epsilon, study.delta) * once(study) * math.sqrt(moves(study))


def exceeded(study, name, t):
    """Pr[|X| > t] of one count; rounded it is off by more where |X| is above the whole part of t and a half."""
    t = math.floor(t) + 0.5 if rounds(study, name) else t
    b = once(study) * moves(study) / study.epsilon
    if name == "Laplace":
        return math.exp(-t / b)
    if name == "discrete Laplace":
        return 2 * math.exp(-(math.floor(t) + 1) / b) / (1 + math.exp(-1 / b))
    if name == "Gaussian":
        return 2 * float(ndtr(-t / sigma(study)))
    raise KeyError(name)


def width(study, name, many):
    """t of so many groups at once, at the level; rounded it is whole."""
    before = width_of_noise(study, name, many)
    return max(math.ceil(before - 0.5), 0) if rounds(study, name) else before


def rounds(study, name):
    """Whether rounding changes what this noise makes."""
    return study.rounded and name in ("Laplace", "Gaussian")


def width_of_noise(study, name, many):
    alpha = -math.expm1(math.log(study.error_level) / many)
    b = once(study) * moves(study) / study.epsilon
    if name == "Laplace":
        return -b * math.log(alpha)
    if name == "discrete Laplace":
        return max(math.ceil(b * (math.log(2 / alpha) - math.log1p(math.exp(-1 / b))) - 1 - 1e-9), 0)
    if name == "Gaussian":
        return -float(ndtri(alpha / 2)) * sigma(study)
    raise KeyError(name)


def there(said: Asked) -> bool:
    """Whether anything keeps what is asked for."""
    study = said.study
    return study.released == "largest" or study.keys == "known" or study.delta > 0


def counted(said: Asked) -> bool:
    return there(said) and said.study.released == "counts"


def in_public(said: Asked) -> bool:
    return counted(said) and said.study.keys == "known"


def names(said: Asked) -> dict[str, object]:
    one = said.update.answer.one
    return {name: series for name, series in (CHOOSING if said.study.released == "largest" else NOISES).items()
            if one(series) is not None}


def ranked(said: Asked) -> list[str]:
    """The best first: of what is within a step or a fiftieth what spends less δ, the plainer."""
    left, found = list(names(said)), []
    largest = said.study.released == "largest"
    quantity = v.TABLE_REGRET if largest else v.WITHIN_ALL
    far = {name: said.value(quantity, names(said)[name]) for name in left}
    spent = {name: said.update.answer.guarantee(names(said)[name]).delta for name in left}
    while left:
        best = min(far[name] for name in left)
        near_it = [name for name in left if far[name] <= max(1.02 * best, best + (not largest))]
        least = min(spent[name] for name in near_it) * (1 + 1e-6)
        found.append(next(name for name in near_it if spent[name] <= least))
        left.remove(found[-1])
    return found


def spoken(said: Asked) -> str:
    decided = said.update.answer.decided
    return ranked(said)[0] if decided is None else next(
        name for name, series in names(said).items() if series == decided)


def other(said: Asked) -> str | None:
    one, rest = spoken(said), [name for name in ranked(said) if name != spoken(said)]
    kinds = [name for name in rest if said.study.released == "largest" or (name in BELLS) != (one in BELLS)]
    return next(iter([*kinds, *rest]), None)


def spends(said: Said, name: str, text: str) -> None:
    pure = name not in BELLS and not (said.study.keys == "secret" and said.study.released == "counts")
    if pure:
        assert text == "no δ"
    else:
        assert not_below(number(text.removeprefix("δ = ")), said.study.delta)


def is_within(said: Said, name: str, text: str) -> None:
    fact = said.value(v.WITHIN_ALL, NOISES[name])
    if name != "discrete Gaussian":
        true = width(said.study, name, released(said.study))
        assert math.isclose(fact, true, rel_tol=1e-9, abs_tol=1e-9) or (
            name == "discrete Laplace" and abs(fact - true) <= 1e-9 * fact + 1)
        assert (1 - exceeded(said.study, name, fact)) ** released(said.study) >= said.study.error_level * (1 - 1e-9)
    assert number(text) == fact or not_below(number(text), fact)


def named(study, name):
    """The probability that the largest is named, and by how much less on average, of different counts."""
    values, times = np.unique(cells(study), return_counts=True)
    both = study.change == "replace" and study.keys == "known"
    eta = study.epsilon / (once(study) * (2 if both else 1))
    gap = np.minimum(eta * (values[-1] - values), 1e6)
    if name == "the exponential mechanism":
        shares = np.exp(-gap)
        shares = shares / (shares @ times)
    elif name == "permute-and-flip":
        p = np.exp(-gap)
        total = float(p @ times)
        ends = np.unique(np.minimum(np.array([0.0, 0.5, 1, 2, 4, 8, 16, 32, 64]) / total, 1.0))
        shares = np.array([one * sum(quad(lambda t, one=one: math.exp(float(
            np.log1p(-p * min(t, 1 - 1e-16)) @ times) - math.log1p(-one * min(t, 1 - 1e-16))), a, b, epsabs=0,
            epsrel=1e-9)[0] for a, b in pairwise(ends)) for one in p])
    else:
        x = np.linspace(-60, 60, 24_001)
        logs = sum(many * np.log(np.maximum(cdf(x + one), 1e-300)) for one, many in zip(gap, times, strict=True))
        shares = np.array([float((0.5 * np.exp(-np.abs(x + one)) * np.exp(
            logs - np.log(np.maximum(cdf(x + one), 1e-300)))).sum()) * (x[1] - x[0]) for one in gap])
    return float(shares[-1] * times[-1]), float((values[-1] - values) @ (shares * times))


def cdf(x):
    small = 0.5 * np.exp(-np.abs(x))
    return np.where(x < 0, small, 1 - small)


def is_largest(said: Said, name: str, text: str) -> None:
    fact = said.value(v.LARGEST_RIGHT, CHOOSING[name])
    if len(np.unique(cells(said.study))) < 40:
        assert math.isclose(fact, named(said.study, name)[0], rel_tol=1e-3)
    assert fact >= 0.9994 if text == "more than 0.999" else near(number(text), fact)


def groups(many: int) -> str:
    return f"{many:,}".replace(",", "\u202f") + (" group" if many == 1 else " groups")


claims("risk", when=there, person=lambda said: (NOISES | CHOOSING)[spoken(said)].key)(lambda _: True)
claims("nothing", when=lambda said: not there(said))(lambda said: said.study.delta == 0)


@claims("all")
def _(said: Said) -> None:
    study, name = said.study, said["noise"]
    assert name == spoken(said)
    assert said["use"] == ("Use" if said.update.answer.decided is None else "You chose")
    many = size(study)
    assert said["counted"] == ("all counts that are shown are" if study.keys == "secret" else
                              "the one group is" if many == 1 else f"all {groups(many)} are")
    assert bool(said["together"]) == (many > 1)
    assert math.isclose(number(said["share"].removesuffix(" of 100")) / 100, study.error_level, rel_tol=1e-12)
    is_within(said, name, said["within"] or "0")
    spends(said, name, said["spent"])


@claims("chosen", when=lambda said: said.study.released == "largest")
def _(said: Said) -> None:
    assert said["name"] == spoken(said)
    assert said["use"] == ("Use" if said.update.answer.decided is None else "You chose")
    assert said["counted"] == groups(size(said.study))
    assert said["spent"] == "no δ"
    is_largest(said, said["name"], said["largest"])


@claims("runner_up", when=lambda said: there(said) and other(said) is not None)
def _(said: Said) -> None:
    name = said["other"]
    assert name == other(said)
    best = ranked(said)[0]
    assert said["role"] == ("Suggested" if name == best else "Runner-up")
    if said.study.released == "largest":
        is_largest(said, name, said["largest"])
        return
    spends(said, name, said["cost"])
    is_within(said, name, said["same"] or said["its"])


@claims("regret", when=lambda said: said.study.released == "largest" and said.value(
    v.TABLE_REGRET, CHOOSING[spoken(said)]) > 0)
def _(said: Said) -> None:
    fact = said.value(v.TABLE_REGRET, CHOOSING[spoken(said)])
    if len(np.unique(cells(said.study))) < 40 and fact > 1e-3:
        assert math.isclose(fact, named(said.study, spoken(said))[1], rel_tol=5e-3)
    assert fact < 0.01 if said["fewer"] == "less than 0.01" else not_below(number(said["fewer"]), fact)


def some(said: Asked):
    counts = cells(said.study)
    return counts[counts > 0]


def alone(said: Asked) -> float:
    """The error of one group at the level."""
    name = spoken(said)
    if name == "discrete Gaussian":
        return said.value(v.ERROR_AT_LEVEL, NOISES[name])
    return width(said.study, name, 1)


@claims("unequal", when=lambda said: in_public(said) and len(np.unique(some(said))) > 1)
def _(said: Said) -> None:
    counts = some(said)
    assert math.isclose(number(said["level"]), said.study.error_level, rel_tol=1e-12)
    assert near(number(said["largest"]), counts.max(), 12)
    assert near(number(said["smallest"]), counts.min(), 12)
    assert not_below(number(said["its"]), alone(said) / counts.max() * (1 - 1e-9))
    assert not_below(number(said["their"]), alone(said) / counts.min() * (1 - 1e-9))


def together(said: Asked) -> float:
    """How often all groups at once are within the error of one."""
    fact = said.value(v.EACH_ALONE, NOISES[spoken(said)])
    if spoken(said) != "discrete Gaussian" and fact > 1e-200:
        true = math.exp(size(said.study) * math.log1p(-exceeded(said.study, spoken(said), alone(said))))
        assert math.isclose(fact, true, rel_tol=1e-6)
    return fact


@claims("alone", when=lambda said: in_public(said) and not said.study.clamped and size(said.study) > 1
        and together(said) < said.study.error_level)
def _(said: Said) -> None:
    assert math.isclose(number(said["level"]), said.study.error_level, rel_tol=1e-12)
    assert not_below(number(said["e"]), alone(said) * (1 - 1e-9))
    assert not_above(number(said["both"]), together(said))


def least(said: Asked) -> float:
    return said.value(v.SMALLEST_CELL, NOISES[spoken(said)])


@claims("too_small", when=lambda said: in_public(said) and not (
    said.study.clamped and said.study.relative >= 1) and bool((cells(said.study) < least(said)).any()))
def _(said: Said) -> None:
    study, name = said.study, spoken(said)
    many = int((cells(study) < least(said)).sum())
    assert said["many"] == groups(many)
    assert said["verb"] == ("is" if many == 1 else "are")
    assert near(number(said["least"]), least(said), 12)
    if name != "discrete Gaussian" and least(said) < 1e12:
        keeps = [1 - exceeded(study, name, study.relative * n * (1 + 1e-12)) >= study.error_level * (1 - 1e-9)
                 for n in (least(said), least(said) - 1)]
        assert keeps == [True, False]
    assert math.isclose(number(said["part"]), study.relative, rel_tol=1e-12)
    assert math.isclose(number(said["rest"]), 1 - study.error_level, rel_tol=1e-6, abs_tol=1e-15)


@claims("hidden", when=lambda said: counted(said) and said.study.keys == "secret")
def _(said: Said) -> None:
    study, name = said.study, spoken(said)
    threshold = said.value(v.SHOWN_FROM, NOISES[name])
    assert near(number(said["threshold"]), threshold, 12)
    counts = some(said)
    assert near(number(said["there"]), len(counts), 12)
    if name != "discrete Gaussian":
        missed = np.array([at_most(study, name, threshold - n) for n in counts])
        assert math.isclose(said.value(v.GROUPS_HIDDEN, NOISES[name]), missed.sum(), rel_tol=1e-6, abs_tol=1e-9)
        alone_shown = 1 - at_most(study, name, threshold - 1)
        assert -math.expm1(moves(study) * math.log1p(-alone_shown)) <= study.delta * (1 + 1e-6)
    assert near(number(said["hidden"]), said.value(v.GROUPS_HIDDEN, NOISES[name]))


def at_most(study, name, x):
    """Pr[X < x], x whole."""
    b = once(study) * moves(study) / study.epsilon
    if name == "Laplace":
        return float(cdf(np.array(x / b)))
    if name == "Gaussian":
        return float(ndtr(x / sigma(study)))
    a = math.exp(-1 / b)
    return a ** (1 - x) / (1 + a) if x <= 0 else 1 - a**x / (1 + a)


@claims("raised", when=lambda said: in_public(said) and said.study.clamped)
def _(said: Said) -> None:
    study, name = said.study, spoken(said)
    b = once(study) * moves(study) / study.epsilon
    fact = said.value(v.CLAMPED_TOTAL, NOISES[name])
    counts = cells(study)
    if name == "Laplace" and not study.rounded:
        assert math.isclose(fact, (b / 2 * np.exp(-counts / b)).sum(), rel_tol=1e-9, abs_tol=1e-290)
    if name == "discrete Laplace":
        true = (np.exp(-(counts + 1) / b) / -math.expm1(-2 / b)).sum()
        assert math.isclose(fact, true, rel_tol=1e-9, abs_tol=1e-290)
    assert not_below(number(said["bias"]), fact) or fact < 1e-290


def first_tied(said: Asked) -> bool:
    counts, k = np.sort(cells(said.study))[::-1], said.study.first
    return in_public(said) and len(counts) > 1 and (k >= len(counts) or counts[k - 1] == counts[k])


@claims("no_order", when=first_tied)
def _(said: Said) -> None:
    assert near(number(said["first"]), said.study.first, 12)
    many = size(said.study)
    assert said["why"] == (f"there are only {groups(many)}" if said.study.first >= many else
                           "both groups have the same count")


@claims("no_margins", when=lambda said: said.study.margins != "none" and (
    said.study.columns == 1 or size(said.study) % said.study.columns != 0 or said.study.columns >= size(said.study)))
def _(said: Said) -> None:
    many, columns = size(said.study), said.study.columns
    if columns == 1:
        assert said["why"] == "there is only one column"
    elif columns == many:
        assert said["why"] == "there is only one row"
    else:
        assert said["counted"] == groups(many)
        assert near(number(said["columns"]), columns, 12)
