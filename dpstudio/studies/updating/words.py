"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import updating as f
from dpstudio.studies.updating.answer import UpdatingAnswer
from dpstudio.studies.updating.histories import Drawn
from dpstudio.text.numbers import short
from dpstudio.text.sentences import listed, or_same, percent, safely

_FLAT = 12**-0.5
"""The sd of a rate that may be anything from 0 to 1."""
_SAME = 1e-9
"""Variances that are the same but for rounding."""
_GAIN = 1.05
"""Times less variance that is worth a sentence."""
_ADVICE = {f.SEQUENTIAL: "Add up the batches", f.RETRAIN: "Count again", f.TREE: "Use the binary tree"}


def _name(series: Series) -> str:
    return {f.SKEWED: "skewed shares", f.TREE: "the tree"}.get(series, series.label.lower())


@found_once
def _worst(a: UpdatingAnswer) -> dict[Series, float]:
    return {one: a.value(v.WORST_VARIANCE, one) for one in _ADVICE}


def _best(a: UpdatingAnswer) -> Series:
    """The strategy with the least noise in its worst batch, the first of those that have it."""
    worst = _worst(a)
    return next(one for one in _ADVICE if worst[one] <= min(worst.values()) * (1 + _SAME))


def _is_one(a: UpdatingAnswer) -> bool:
    return a.study.batches == 1


def _sd(a: UpdatingAnswer, series: Series) -> str:
    """Three significant digits of what is at most so much, rounded up."""
    return short(math.sqrt(_worst(a)[series]), 3, "up")


def _others(a: UpdatingAnswer) -> str:
    others = {one: or_same(_sd(a, one), _sd(a, _best(a))) for one in _ADVICE if one != _best(a)}
    return ", ".join(f"{sd} with {_name(one)}" for one, sd in others.items())


@found_once
def _nearest(a: UpdatingAnswer) -> Series:
    """By which the released share is nearest to the rate."""
    return min(a.ones, key=lambda one: a.value(v.RUNNING_RATE_SD, one))


def _rate_sd(a: UpdatingAnswer) -> float:
    return a.value(v.RUNNING_RATE_SD, _nearest(a))


def _noise(a: UpdatingAnswer) -> float:
    """The share of that variance which is noise."""
    study = a.study
    n = study.batch_people * (1 if study.who == "status" else study.batches)
    return max(1 - study.rate * (1 - study.rate) / n / _rate_sd(a) ** 2, 0.0)


def _variance(a: UpdatingAnswer, quantity: v.Quantity, series: Series, digits: int) -> str:
    return short(a.value(quantity, series), digits)


def _each(a: UpdatingAnswer) -> float:
    """ε of each of all releases, composed optimally."""
    return next(fact.value for one in a.ones if (fact := a.fact(v.EACH_OPTIMAL, one)))


def _gain(a: UpdatingAnswer) -> float:
    return (_each(a) * a.study.batches / a.study.epsilon) ** 2


def _ratio(a: UpdatingAnswer, series: Series) -> float:
    return a.value(v.WORST_VARIANCE, series) / a.value(v.WORST_VARIANCE, f.SEQUENTIAL)


def _crossing(a: UpdatingAnswer, quantity: v.Quantity) -> float:
    return a.value(quantity, f.TREE)


def _covered(a: UpdatingAnswer, seen: Drawn) -> str:
    """What the simulated posteriors did."""
    found = {one: a.fact(v.RATE_COVERED, one, seen) for one in _ADVICE}
    return ", ".join(f"{percent(fact.value)} ({_name(one)}, {percent(fact.low or 0.0)} to {percent(fact.high or 0.0)})"
                     for one, fact in found.items() if fact)


_END: Fillings = {
    name: partial(_variance, quantity=v.END_VARIANCE, series=series, digits=6)
    for name, series in (("adding", f.SEQUENTIAL), ("again", f.RETRAIN), ("skewed", f.SKEWED))}
_GAUSSIAN: Fillings = {
    name: partial(_variance, quantity=v.GAUSSIAN_VARIANCE, series=series, digits=3)
    for name, series in (("adding", f.SEQUENTIAL), ("again", f.RETRAIN), ("tree", f.TREE))}
_SKEWED = (". With {share|percent} of ε kept for the last release it is {skewed}, and the sd at worst {worst|near} "
           "times that of adding up.")
_WORST: Fillings = {**_END, "worst": lambda a: math.sqrt(_ratio(a, f.SKEWED))}

SENTENCES: Sentences[UpdatingAnswer, Drawn] = (
    (sentence("one_batch", "One batch leaves nothing to choose: the noise has an sd of {sd} by adding up, counting "
              "again or the tree.", when=_is_one,
              sd=lambda a: short(math.sqrt(min(_worst(a).values())), 3, "up")),
     sentence("advice", "{advice}: the noise has an sd of at most {sd} after any of {batches|batches}, against "
              "{others}.", advice=lambda a: _ADVICE[_best(a)], sd=lambda a: _sd(a, _best(a)), others=_others)),
    # Whoever is in more batches than the noise is made for has another ε.
    sentence("risk", "{risk}{every}", risk=lambda a: a.risk(_best(a)), every=part(
        " In every batch instead of one ε is {costs}.", when=lambda a: not _is_one(a) and a.study.who == "once",
        costs=lambda a: listed(f"{safely(a.value(v.VISITS_EPSILON, one))} by {_name(one)}" for one in _ADVICE))),
    sentence("rate", "For the analyst: after {after} the released share is within ± {sd|near} (sd) of the rate at "
             "best, by {by}{guess}; {noise|percent} of that variance is noise, for which a naive posterior does "
             "not allow.",
             after=lambda a: "the only batch" if _is_one(a) else "the last batch", sd=_rate_sd, noise=_noise,
             by=lambda a: _name(_nearest(a)),
             guess=part(", more than of a guess anywhere from 0 to 1", when=lambda a: _rate_sd(a) > _FLAT)),
    # The end of every way of counting again, against that of adding up.
    (sentence("unspent", "Keeping {share|percent} of ε for the only release leaves the rest unspent: its variance is "
              "{skewed} instead of {adding}, and ε only {once_epsilon:skewed|up}.", _END, when=_is_one),
     sentence("ends_once", "Counting again with ε/Q ends with a variance of 2Q²/ε² = {again}, not less than the 2Q/ε² "
              "= {adding} of adding up" + _SKEWED, _WORST, when=lambda a: a.study.who == "once"),
     sentence("ends_status", "As the same people come each time, adding up shares ε too and ends with a variance of "
              "2Q³/ε² = {adding}; counting again ends with 2Q²/ε² = {again}" + _SKEWED, _WORST,
              when=lambda a: a.study.who == "status"),
     sentence("ends_visits", "As every yes of the same people counts, adding up ends with a variance of 2Q³/ε² = "
              "{adding}, and counting again with Q²(Q + 1)²/(2ε²) = {again}" + _SKEWED, _WORST)),
    sentence("tree", "The binary tree’s worst batch has less noise than the worst of adding up {since}; with "
             "{batches|batches} it has {ratio} variance.",
             since=(part("first with {first|batches} and always with more than {after|whole}",
                         when=lambda a: _crossing(a, v.WORST_BETTER_AFTER) > _crossing(a, v.WORST_BETTER_FROM),
                         first=lambda a: _crossing(a, v.WORST_BETTER_FROM),
                         after=lambda a: _crossing(a, v.WORST_BETTER_AFTER)),
                    part("with {first|whole} batches or more", first=lambda a: _crossing(a, v.WORST_BETTER_FROM))),
             ratio=(part("the same", when=_is_one), part("{times|near} times the", times=lambda a: _ratio(a, f.TREE)))),
    # Also of releases that compose optimally, where they gain anything to speak of over ε/Q each.
    sentence("gaussian", "With Gaussian noise and δ = {delta|up} the variance at the end is {adding} by adding up, "
             "{again} by counting again and {tree} by the tree{optimal}.", _GAUSSIAN,
             when=lambda a: a.study.delta > 0 and not _is_one(a),
             optimal=part("; with Laplace noise, {batches|whole} releases composed optimally have ε = {each} each "
                          "instead of ε/Q, and {gain|near} times less variance", when=lambda a: _gain(a) >= _GAIN,
                          each=lambda a: short(_each(a), 3, "down"), gain=_gain)),
    drawn_sentence("coverage", "In simulation the naive 95 % interval after {batches|batches} held a rate drawn from "
                   "[0, 1] in {covered}.", covered=_covered),
)
