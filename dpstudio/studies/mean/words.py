"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, found_once, part, sentence
from dpstudio.mechanisms.shuffle import most_local
from dpstudio.studies import mean as f
from dpstudio.studies.kit.choosing import USE, ranked, spoken_of
from dpstudio.studies.mean.answer import MeanAnswer
from dpstudio.studies.mean.rows import most, several
from dpstudio.text.language import phrase
from dpstudio.text.sentences import at_least, in_percent, or_same, points, safely
from dpstudio.vocabulary import Quantity

NAMES = {f.GEOMETRIC: "discrete Laplace", f.LAPLACE: "Laplace", f.GAUSSIAN: "Gaussian"}
"""What a curator may add, the plainest first."""
ALIKE = 1.005
"""An ε₀ of less than so many times that of a person alone, at the same ε and δ, is no gain."""


def _is_population(a: MeanAnswer) -> bool:
    return a.study.about == "population"


def _sd(*, population: bool) -> Quantity:
    return v.POPULATION_ERROR if population else v.GROUP_ERROR


@found_once
def _best(a: MeanAnswer) -> Series:
    """Of a curator’s noises the one to use.

    What a sample is off comes on top of every one alike, so that their order is the same about both.
    """
    return ranked(a, v.GROUP_ERROR, NAMES)[0]


@found_once
def suggested(a: MeanAnswer) -> Series:
    """Randomized response where it errs hardly more, for it takes no trust, else the noise of a curator."""
    return ranked(a, _sd(population=_is_population(a)), (f.RESPONSE, _best(a)))[0]


def _spoken(a: MeanAnswer) -> Series:
    return spoken_of(a, suggested(a))


def _curator(a: MeanAnswer) -> Series:
    """The noise of a curator that is spoken of: the one that was decided for, else the best."""
    return _spoken(a) if _spoken(a) in NAMES else _best(a)


def _times(a: MeanAnswer, *, population: bool) -> float:
    """(sd of randomized response over that of the curator’s noise)²: so many times the people have the same error."""
    quantity = _sd(population=population)
    return (a.value(quantity, f.RESPONSE) / a.value(quantity, _curator(a))) ** 2


def _needs(a: MeanAnswer, *, population: bool) -> str:
    """“5 000 times the people”; rounded up, and 1 is no number to say."""
    times = _times(a, population=population)
    if times <= 1:
        return phrase("no more people")
    said = safely(times)
    return phrase("hardly more people") if said == "1" else phrase("{number} times the people", number=said)


def _points(series: Series, a: MeanAnswer) -> float:
    return 100 * a.value(v.ERROR_AT_LEVEL, series)


def _within(series: Series, a: MeanAnswer) -> str:
    """“within ±0.03”: at the level that is asked for, about whom the study asks, in points."""
    return phrase("within ±{error}", error=safely(_points(series, a)))


def _own(a: MeanAnswer) -> str:
    error = a.value(v.ERROR_AT_LEVEL, _spoken(a))
    return _near(error)


def _near(error: float) -> str:
    return phrase("within ±{error}", error=points(error)) if error else phrase("exactly right")


def _against(series: Series, a: MeanAnswer) -> str:
    """What another errs, beside what is spoken of."""
    error, own = a.value(v.ERROR_AT_LEVEL, series), a.value(v.ERROR_AT_LEVEL, _spoken(a))
    said = or_same(_within(series, a), _within(_spoken(a), a))
    return said if said == phrase("the same") or (own and error) else _near(error)


def _is_alike(a: MeanAnswer) -> bool:
    return a.study.fraction in (0.0, 1.0)


@found_once
def _is_no_help(a: MeanAnswer) -> bool:
    """Whether each has to answer among all about as each would alone."""
    alone = float(most_local(1, a.study.epsilon, a.study.delta))
    return not several(a.study) and a.value(v.LOCAL_EPSILON, f.SHUFFLED) < ALIKE * alone


def _of_formula(a: MeanAnswer) -> float:
    return a.value(v.NOTE_ERROR, f.RESPONSE) / a.value(v.GROUP_ERROR, f.RESPONSE)


_PLACES: Fillings = {
    **USE, "noise": lambda a: phrase(NAMES[_curator(a)]), "own": _own,
    "level": lambda a: in_percent(at_least(100 * a.study.error_level)),
    "local": partial(_against, f.RESPONSE), "central": lambda a: _against(_best(a), a),
    "needs": lambda a: _needs(a, population=_is_population(a)),
    "shuffled": partial(_within, f.SHUFFLED),
    **{f"by_{each.key}": partial(_points, each) for each in (f.RESPONSE, f.SHUFFLED, *NAMES)}}

SENTENCES: Sentences[MeanAnswer, object] = (
    (sentence("response", "{use} randomized response: it keeps {level} of estimates {own}, a "
              "curator’s {noise} noise {central}.", _PLACES, when=lambda a: _spoken(a) == f.RESPONSE),
     sentence("shuffled", "{use} shuffled responses: with δ = {delta|up} they keep {level} of estimates {own}, a "
              "curator’s {noise} noise {central}.", _PLACES, when=lambda a: _spoken(a) == f.SHUFFLED),
     sentence("curator", "{use} {noise} noise {where}: it keeps {level} of estimates {own}, randomized "
              "response {local}{spends}.", _PLACES,
              where=(part("by a curator", when=lambda a: a.decided is not None), part("if a curator is trusted")),
              spends=part("; it spends δ = {delta|up}", when=lambda a: a.value(v.GUARANTEE_DELTA, _spoken(a)) > 0))),
    sentence("runner_up", "Randomized response needs {needs} to match the error (sd) of a curator’s {noise} noise; "
                          "shuffled "
             "responses keep {level} {shuffled} points, for δ = {delta|up}.", _PLACES),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    (sentence("alike", "Everybody is alike, so that the error about these people is the error about the population.",
              when=_is_alike),
     sentence("of_people", "About these people themselves randomized response needs {other}: there a sample’s own "
              "error does not count.", when=_is_population, other=partial(_needs, population=False)),
     sentence("of_population", "About the population randomized response needs {other}: there a sample’s own error "
              "counts for both.", other=partial(_needs, population=True))),
    sentence("errors", "{level} of estimates are within ±{by_response|up} points by randomized response, "
             "±{by_shuffled|up} by shuffled responses, ±{by_laplace|up} by a curator’s Laplace noise, "
             "±{by_geometric|up} by discrete Laplace and ±{by_gaussian|up} by Gaussian noise.", _PLACES),
    (sentence("collector", "Randomized response also protects from the collector of the answers.",
              when=lambda a: _spoken(a) == f.RESPONSE),
     sentence("loss", "With Gaussian noise the loss exceeds ε with probability {loss_exceeds:gaussian|up}, which is "
              "more than δ.")),
    sentence("few", "At ε = {epsilon|near} randomized responses of up to {last|people} err less about them than a "
             "count with Laplace noise; with discrete Laplace noise that holds for 1 person only.",
             when=lambda a: a.value(v.TIMES_PEOPLE, f.RESPONSE) < 1,
             last=lambda a: math.ceil(a.value(v.BREAK_EVEN, f.RESPONSE)) - 1),
    # What the bound on the rows costs and saves, with Laplace noise.
    (sentence("rows", "With up to {most} rows per person, at most {kept} kept, the mean number of yes rows per person "
              "has an error of {bound_error:laplace|up} with Laplace noise; the rows lost alone make {bound_bias|up}. "
              "{better}; with all rows it is {unbounded_error:laplace|up}. To choose the best bound by the data is a "
              "release of its own.",
              when=lambda a: several(a.study), most=lambda a: most(a.study), kept=lambda a: a.study.at_most,
              better=(part("No other bound is better",
                           when=lambda a: int(a.value(v.BEST_BOUND, f.LAPLACE)) == a.study.at_most),
                      part("At most {best} kept would be best, {best_bound_error:laplace|up}",
                           best=lambda a: int(a.value(v.BEST_BOUND, f.LAPLACE))))),
     sentence("no_help", "A shuffler does not help here: each answer still needs ε₀ = {local_epsilon:shuffled|down}.",
              when=_is_no_help),
     sentence("shuffler", "A shuffler allows ε₀ = {local_epsilon:shuffled|down} per answer: the error (sd) about these "
              "people is {group_error:shuffled|up}, {times|up} times that of a curator’s {noise} noise, while the "
              "shuffler is honest and all {people|people} keep their answers secret.", _PLACES,
              times=lambda a: a.value(v.GROUP_ERROR, f.SHUFFLED) / a.value(v.GROUP_ERROR, _curator(a)))),
    sentence("formula", "{size}; a curator’s Laplace noise has {of_curator|near}, √2/(εn).",
             of_curator=lambda a: a.value(v.GROUP_ERROR, f.LAPLACE), size=(
                 part("The lecture notes’ 1/(ε√n) = {note_error:response|near} is {ratio|near} times the error (sd) "
                      "of randomized response about "
                      "these people", when=lambda a: _of_formula(a) >= 1.005, ratio=_of_formula),
                 part("At this small ε the lecture notes’ 1/(ε√n) is within 0.5 % of the error (sd) of randomized "
                      "response about these people"))),
)
