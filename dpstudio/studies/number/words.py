"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentence, Sentences, found_once, part, sentence
from dpstudio.studies import number as f
from dpstudio.studies.kit.choosing import USE, ranked, role, spoken_of
from dpstudio.studies.number.answer import Drawn, NumberAnswer
from dpstudio.studies.number.compared import NoisyNumber
from dpstudio.text.language import phrase
from dpstudio.text.numbers import said
from dpstudio.text.sentences import percent, recommended, safely, share_chosen
from dpstudio.vocabulary import Quantity

MOST_SENTENCES = 8
NAMES = {f.LAPLACE: "Laplace noise", f.GAUSSIAN: "Gaussian noise", f.EXPONENTIAL: "the exponential mechanism",
         f.BOUNDED: "a private bound"}
"""How a sentence calls them."""
TYPED = 1.01
"""So many times the least error a bound has at most that is said in fewer digits."""
MATTERS = 1.2
"""A best bound that is so many times better is worth a sentence."""


@found_once
def _ranked(a: NumberAnswer) -> tuple[Series, ...]:
    return ranked(a, a.study.level_one.wanted, f.COMPETING)


def suggested(a: NumberAnswer) -> Series | None:
    """The least error; of what is as good, that which spends less δ, or is plainer."""
    return next(iter(_ranked(a)), None)


def spoken(a: NumberAnswer) -> Series:
    """What the sentences speak of: Laplace noise is allowed everywhere."""
    return spoken_of(a, suggested(a) or f.LAPLACE)


def _other(a: NumberAnswer) -> Series | None:
    return next((series for series in _ranked(a) if series != spoken(a)), None)


def _others(a: NumberAnswer) -> Series:
    other = _other(a)
    assert other is not None
    return other


_STATISTICS = {"sum": "sum", "mean": "mean", "median": "median", "quantile": "quantile"}
_CALLED = {"sum": "the sum", "mean": "the mean", "median": "the median", "quantile": "the quantile"}


def _what(a: NumberAnswer) -> str:
    """“sum”, “median”."""
    return phrase(_STATISTICS[a.study.statistic])


def _called(a: NumberAnswer) -> str:
    """“the sum”, “the median”."""
    return phrase(_CALLED[a.study.statistic])


def _named(series: Series) -> str:
    return phrase(NAMES[series])


def _rmse(a: NumberAnswer, series: Series) -> str:
    return safely(a.value(v.NUMBER_RMSE, series))


def _spent(a: NumberAnswer, series: Series) -> float:
    promised = a.guarantee(series)
    return 0.0 if promised is None else promised.delta


def _relative(a: NumberAnswer) -> float | None:
    found = a.fact(v.NUMBER_RELATIVE, spoken(a))
    return None if found is None else found.value


_SPENDS: tuple[Sentence[NumberAnswer, Drawn], ...] = (
    part("no δ", when=lambda a: _spent(a, spoken(a)) == 0), part("δ = {its_delta|up}", its_delta=lambda a: _spent(
        a, spoken(a))))
_COSTS: tuple[Sentence[NumberAnswer, Drawn], ...] = (
    part("no δ", when=lambda a: _spent(a, _others(a)) == 0), part("δ = {its_delta|up}", its_delta=lambda a: _spent(
        a, _others(a))))

_RELATIVE = part(", {share}", share=lambda a: percent(_relative(a) or 0.0, side="up"),
                 when=lambda a: _relative(a) is not None)


# The bound

def _of_noise(a: NumberAnswer) -> Series:
    """The noise whose best bound is spoken of: that which is, if it is noise."""
    return spoken(a) if isinstance(a.get(spoken(a)), NoisyNumber) else f.LAPLACE


def _best(a: NumberAnswer) -> tuple[float, float] | None:
    one = a.one(_of_noise(a))
    return one.best if isinstance(one, NoisyNumber) else None


@found_once
def _typed(a: NumberAnswer) -> tuple[str, float]:
    """The best bound as somebody may type it, of as few digits as have next to its error, and that error."""
    one = a.get(_of_noise(a))
    assert isinstance(one, NoisyNumber)
    assert one.best is not None
    best, least = one.best

    def error(upper: float) -> float:
        return float(one.rmse_at(np.array([upper]))[0])

    text = recommended(best, lambda upper: upper > a.study.lower and error(upper) <= TYPED * least)
    return text, error(float(said(text)))


def _today(a: NumberAnswer) -> float:
    return a.value(v.NUMBER_RMSE, _of_noise(a))


@found_once
def _doubled(a: NumberAnswer) -> float:
    """The error with twice the ε at today's bound; ∞ where no ε is so large."""
    twice = 2 * a.study.epsilon
    if a.study.parameter("epsilon").domain.accept(twice) is None:
        return math.inf
    return a.study.replace(epsilon=twice).answer().value(v.NUMBER_RMSE, _of_noise(a))


def _matters_anyhow(a: NumberAnswer) -> bool:
    return _best(a) is not None and _today(a) > MATTERS * _typed(a)[1]


def _matters(a: NumberAnswer) -> bool:
    """Whether a better bound gains more than twice the ε."""
    return _matters_anyhow(a) and _typed(a)[1] < _doubled(a) < math.inf


_OF_BEST: Fillings = {
    "best": lambda a: _typed(a)[0], "least": lambda a: _typed(a)[1], "noise": lambda a: _named(_of_noise(a)),
    "what": _called, "today": _today}


def _is_noised(a: NumberAnswer) -> bool:
    """Whether it is spoken of noise on a clipped sum."""
    return a.study.is_summed and isinstance(a.get(spoken(a)), NoisyNumber)


def _part(a: NumberAnswer, quantity: Quantity) -> float:
    """Its square’s part of the squared error."""
    rmse = a.value(v.NUMBER_RMSE, spoken(a))
    return (a.value(quantity, spoken(a)) / rmse) ** 2 if rmse else 0.0


def _bias_share(a: NumberAnswer) -> float:
    return _part(a, v.NUMBER_BIAS)


SENTENCES: Sentences[NumberAnswer, Drawn] = (
    (sentence("of_noise", "{use} {best}: {level} of releases are within ±{within} of the clipped {what}; {effect}: "
              "off by {off} (rmse){relative}. It spends {spent}.", USE,
              when=lambda a: a.fact(v.NOISE_AT_LEVEL, spoken(a)) is not None,
              within=lambda a: safely(a.value(v.NOISE_AT_LEVEL, spoken(a))), best=lambda a: _named(spoken(a)),
              what=_what, off=lambda a: _rmse(a, spoken(a)),
              relative=_RELATIVE, spent=_SPENDS, level=lambda a: share_chosen(a.study.error_level), effect=(
                  part("clipping takes {away|near} away", when=lambda a: a.value(v.NUMBER_BIAS, spoken(a)) < 0,
                       away=lambda a: -a.value(v.NUMBER_BIAS, spoken(a))),
                  part("clipping adds {added|near}", when=lambda a: a.value(v.NUMBER_BIAS, spoken(a)) > 0,
                       added=lambda a: a.value(v.NUMBER_BIAS, spoken(a))),
                  part("clipping changes nothing"))),
     sentence("choice", "{use} {best}: {what} is off by {off} (rmse){relative}: bias {bias|near}, noise {noise|near}. "
              "It spends {spent}.", USE, best=lambda a: _named(spoken(a)), what=_called,
              off=lambda a: _rmse(a, spoken(a)), relative=_RELATIVE, spent=_SPENDS,
              bias=lambda a: a.value(v.NUMBER_BIAS, spoken(a)), noise=lambda a: a.value(v.NOISE_SD, spoken(a)))),
    sentence("runner_up", "{role}: {other}, off by {off}; it spends {cost}.", when=lambda a: _other(a) is not None,
             role=role(lambda a: _others(a) == suggested(a)),
             other=lambda a: _named(_others(a)), off=(
                 part("the same", when=lambda a: _rmse(a, _others(a)) == _rmse(a, spoken(a))),
                 part("{its_off}", its_off=lambda a: _rmse(a, _others(a)))), cost=_COSTS),
    sentence("risk", "{risk}", risk=lambda a: a.risk(spoken(a))),
    (sentence("bound_matters", "With an upper bound of {best} and {noise} {what} would be off by {least|up}; twice the "
              "ε at today’s bound {doubling}.", _OF_BEST, when=_matters, doubling=(
                  part("leaves it off by {same|up}", same=_today,
                       when=lambda a: safely(_doubled(a)) == safely(_today(a))),
                  part("only brings {today|up} down to {doubled|up}", today=_today, doubled=_doubled))),
     sentence("bound_is_best", "No upper bound is better than today’s with {noise}.", _OF_BEST,
              when=lambda a: _best(a) is not None and safely(a.value(v.BEST_RMSE, _of_noise(a))) == safely(_today(a))),
     sentence("bound_is_good", "No upper bound is much better: under the best one, {best}, {what} would be off by "
              "{least|up} with {noise}, {today|up} today.", _OF_BEST,
              when=lambda a: _best(a) is not None and not _matters_anyhow(a)),
     sentence("bound_too", "With an upper bound of {best} and {noise} {what} would be off by {least|up}, {today|up} "
              "today.", _OF_BEST, when=lambda a: _best(a) is not None)),
    sentence("best_is_secret", "The best bound is read from the values: take one from what is public, or choose it "
             "privately.", when=lambda a: _best(a) is not None),
    (sentence("mostly_bias", "Of the squared error {share} is bias: {clipped} of the values are clipped, and more ε "
              "does not change that.", when=lambda a: _is_noised(a) and _bias_share(a) > 0.5,
              share=lambda a: percent(_bias_share(a)), clipped=lambda a: percent(a.value(v.CLIPPED_SHARE))),
     sentence("mostly_noise", "Of the squared error {share} is bias, {rest}: {clipped} of the values are clipped.",
              when=_is_noised, share=lambda a: percent(_bias_share(a)), rest=(
                  part("{noise} noise, the rest the draw of the data", when=lambda a: a.study.about == "population",
                       noise=lambda a: percent(_part(a, v.NOISE_SD))), part("the rest is noise")),
              clipped=lambda a: percent(a.value(v.CLIPPED_SHARE)))),
    (sentence("next_to_it", "No value lies between the released {what} and the true one in {share} of releases.",
              when=lambda a: not a.study.is_summed and a.value(v.RANK_ERROR, f.EXPONENTIAL) < 1,
              what=_what, share=lambda a: share_chosen(a.study.error_level)),
     sentence("ranks", "At most {ranks|near} values lie between the released {what} and the true one in {share} of "
             "releases.", when=lambda a: not a.study.is_summed, ranks=lambda a: a.value(v.RANK_ERROR, f.EXPONENTIAL),
             what=_what, share=lambda a: share_chosen(a.study.error_level))),
    sentence("count_too", "The number of values is private: {share} of ε is for it, and its noise has an sd of "
             "{count_noise_sd|near}; Gaussian noise is left out.", when=lambda a: a.study.is_private_ratio,
             share=lambda a: percent(a.study.count_share)),
)
