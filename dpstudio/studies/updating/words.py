"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import updating as f
from dpstudio.studies.kit.choosing import USE, ranked, spoken_of
from dpstudio.studies.updating.answer import UpdatingAnswer
from dpstudio.studies.updating.histories import Drawn
from dpstudio.text.language import phrase
from dpstudio.text.numbers import short
from dpstudio.text.sentences import listed, or_same, percent, safely

_FLAT = 12**-0.5
"""The sd of a rate that may be anything from 0 to 1."""
_GAIN = 1.05
"""Times less variance that is worth a sentence."""
_NAMES = {f.SEQUENTIAL: "the sum of batches", f.TREE: "the binary tree", f.RETRAIN: "the recount",
          f.SKEWED: "the skewed recount"}
_COMPETE = f.SEQUENTIAL, f.RETRAIN, f.TREE
"""The skewed recount has more noise than the recount in some batch, whatever it keeps for the last."""


def _name(series: Series) -> str:
    return phrase(_NAMES[series])


@found_once
def _ranked(a: UpdatingAnswer) -> tuple[Series, ...]:
    """By the noise after the worst batch, the least first."""
    return ranked(a, a.study.level_one.wanted, _COMPETE)


def suggested(a: UpdatingAnswer) -> Series:
    """The way with the least noise in its worst batch."""
    return _ranked(a)[0]


def _spoken(a: UpdatingAnswer) -> Series:
    return spoken_of(a, suggested(a))


def _is_one(a: UpdatingAnswer) -> bool:
    return a.study.batches == 1


def _sd(a: UpdatingAnswer, series: Series) -> str:
    """Three significant digits of what is at most so much, rounded up."""
    return short(a.value(v.WORST_SD, series), 3, "up")


def _with(number: str, series: Series) -> str:
    return phrase("{number} with {name}", number=number, name=_name(series))


def _others(a: UpdatingAnswer) -> str:
    others = {one: or_same(_sd(a, one), _sd(a, _spoken(a))) for one in _ranked(a) if one != _spoken(a)}
    return listed(_with(sd, one) for one, sd in others.items())


def _last(a: UpdatingAnswer) -> str:
    """The noise after the last batch, the least first."""
    least = sorted(_NAMES, key=lambda one: a.value(v.END_SD, one))
    return listed(_with(short(a.value(v.END_SD, one), 3, "up"), one) for one in least)


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
    found = {one: a.fact(v.RATE_COVERED, one, seen) for one in _COMPETE}
    return ", ".join(phrase("{share} ({name}, {low} to {high})", share=percent(fact.value), name=_name(one),
                            low=percent(fact.low or 0.0), high=percent(fact.high or 0.0))
                     for one, fact in found.items() if fact)


def _if_in_every(a: UpdatingAnswer) -> str:
    return listed(_with(safely(a.value(v.VISITS_EPSILON, one)), one) for one in _COMPETE)


_END: Fillings = {
    name: partial(_variance, quantity=v.END_VARIANCE, series=series, digits=6)
    for name, series in (("adding", f.SEQUENTIAL), ("again", f.RETRAIN), ("skewed", f.SKEWED))}
_GAUSSIAN: Fillings = {
    name: partial(_variance, quantity=v.GAUSSIAN_VARIANCE, series=series, digits=3)
    for name, series in (("adding", f.SEQUENTIAL), ("again", f.RETRAIN), ("tree", f.TREE))}
SENTENCES: Sentences[UpdatingAnswer, Drawn] = (
    (sentence("one_batch", "With one batch the sum, the recount and the binary tree are the same: their noise has an "
              "sd of {sd}.", when=lambda a: _is_one(a) and _spoken(a) != f.SKEWED, sd=lambda a: _sd(a, f.SEQUENTIAL)),
     sentence("advice", "{use} {name}: its noise (sd) is at most {sd} after {after}, {others}.",
              USE, after=(part("the only batch", when=_is_one), part("any of {batches|batches}")),
              name=lambda a: _name(_spoken(a)), sd=lambda a: _sd(a, _spoken(a)), others=_others)),
    sentence("runner_up", "After the last batch the sd is {last}.", when=lambda a: not _is_one(a), last=_last),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    # The end of every way of counting again, against that of the sum.
    (sentence("unspent", "Keeping {share|percent} of ε for the only release does not spend the rest: the variance is "
              "{skewed} instead of {adding}, and ε only {once_epsilon:skewed|up}.", _END, when=_is_one),
     sentence("ends_once", "The recount does not lower the noise at the end: its variance is 2Q²/ε² = {again}, that "
              "of the sum 2Q/ε² = {adding}.", _END, when=lambda a: a.study.who == "once"),
     sentence("ends_status", "As the same people come each time, the sum shares ε too: it ends with a variance of "
              "2Q³/ε² = {adding}, the recount with 2Q²/ε² = {again}.", _END, when=lambda a: a.study.who == "status"),
     sentence("ends_visits", "As every yes of the same people counts, the sum ends with a variance of 2Q³/ε² = "
              "{adding}, the recount with Q²(Q + 1)²/(2ε²) = {again}.", _END)),
    # Whoever is in more batches than the noise is made for has another ε.
    sentence("every", "If you are in every batch, your ε is {costs}, instead of {epsilon|up}.", costs=_if_in_every,
             when=lambda a: not _is_one(a) and a.study.who == "once"),
    sentence("rate", "After {after} the released share is within ±{sd|near} (sd) of the rate with {by}{guess}; "
             "{noise|percent} of that variance is noise, which a naive posterior ignores.",
             after=(part("the only batch", when=_is_one), part("the last batch")), sd=_rate_sd, noise=_noise,
             by=lambda a: _name(_nearest(a)),
             guess=part(", more than the sd of a number drawn from [0, 1]", when=lambda a: _rate_sd(a) > _FLAT)),
    sentence("tree", "The binary tree’s worst batch has less noise than the worst of the sum {since}; with "
             "{batches|batches} it has {ratio} variance.",
             since=(part("first with {first|batches} and always with more than {after|whole}",
                         when=lambda a: _crossing(a, v.WORST_BETTER_AFTER) > _crossing(a, v.WORST_BETTER_FROM),
                         first=lambda a: _crossing(a, v.WORST_BETTER_FROM),
                         after=lambda a: _crossing(a, v.WORST_BETTER_AFTER)),
                    part("with {first|whole} batches or more", first=lambda a: _crossing(a, v.WORST_BETTER_FROM))),
             ratio=(part("the same", when=_is_one), part("{times|near} times the", times=lambda a: _ratio(a, f.TREE)))),
    # Also of releases that compose optimally, where they gain anything to speak of over ε/Q each.
    sentence("gaussian", "With Gaussian noise and δ = {delta|up} the variance after the last batch is {adding} with "
             "the sum, {again} with the recount and {tree} with the binary tree{optimal}.", _GAUSSIAN,
             when=lambda a: a.study.delta > 0 and not _is_one(a),
             optimal=part("; with Laplace noise, {batches|whole} releases composed optimally have ε = {each} each "
                          "instead of ε/Q, and {gain|near} times less variance", when=lambda a: _gain(a) >= _GAIN,
                          each=lambda a: short(_each(a), 3, "down"), gain=_gain)),
    drawn_sentence("coverage", "In simulation the naive 95 % interval after {batches|batches} contained a rate drawn "
                   "from [0, 1] in {covered}.", covered=_covered),
)
