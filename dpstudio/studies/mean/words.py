"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, found_once, part, sentence
from dpstudio.mechanisms.shuffle import most_local
from dpstudio.studies import mean as f
from dpstudio.studies.mean.answer import MeanAnswer
from dpstudio.studies.mean.rows import most, several
from dpstudio.text.sentences import or_same, safely

NAMES = {f.GEOMETRIC: "geometric", f.LAPLACE: "Laplace", f.GAUSSIAN: "Gaussian"}
"""What a curator may add."""
SAME = 1e-9
"""Errors that are the same but for rounding."""
ALIKE = 1.005
"""An ε₀ of less than so many times that of a person alone, at the same ε and δ, is no gain."""


@found_once
def _best(a: MeanAnswer) -> Series:
    """Of a curator’s noises that with the least typical error; geometric noise where two are the same.

    What a sample is off comes on top of every one alike, so that their order is the same about both.
    """
    return min(NAMES, key=lambda series: a.value(v.GROUP_ERROR, series) * (1 + SAME * (series != f.GEOMETRIC)))


def _central(a: MeanAnswer, *, population: bool) -> float:
    """The error of the best noise of a curator."""
    return a.value(v.POPULATION_ERROR if population else v.GROUP_ERROR, _best(a))


def _local(a: MeanAnswer, *, population: bool) -> float:
    """That of randomized response."""
    return a.value(v.POPULATION_ERROR if population else v.GROUP_ERROR, f.RESPONSE)


def _trusts_nobody(a: MeanAnswer, *, population: bool) -> bool:
    """Whether randomized response has no larger error than the best of a curator."""
    return _local(a, population=population) <= _central(a, population=population) * (1 + SAME)


def _about(a: MeanAnswer) -> bool:
    return a.study.about == "population"


def _times(a: MeanAnswer, *, population: bool) -> str:
    """“4 610 times”, (local/central)²: so many people give the same error; all but once is not said by a number."""
    times = safely((_local(a, population=population) / _central(a, population=population)) ** 2)
    return "hardly more than" if times == "1" else f"{times} times"


def chosen(a: MeanAnswer) -> Series:
    """What is recommended."""
    return f.RESPONSE if _trusts_nobody(a, population=_about(a)) else _best(a)


def _own(a: MeanAnswer, series: Series) -> str:
    return safely(_local(a, population=_about(a)) if series == f.RESPONSE else _central(a, population=_about(a)))


def _is_alike(a: MeanAnswer) -> bool:
    return a.study.fraction in (0.0, 1.0)


@found_once
def _is_no_help(a: MeanAnswer) -> bool:
    """Whether each has to answer among all about as each would alone."""
    alone = float(most_local(1, a.study.epsilon, a.study.delta))
    return not several(a.study) and a.value(v.LOCAL_EPSILON, f.SHUFFLED) < ALIKE * alone


def _of_formula(a: MeanAnswer) -> float:
    return a.value(v.NOTE_ERROR, f.RESPONSE) / a.value(v.GROUP_ERROR, f.RESPONSE)


def _needs(*, population: bool) -> Fillings:
    """The price by the other reading of “fraction of whom”."""
    return {"needs": (part("no more people", when=partial(_trusts_nobody, population=population)),
                      part("{times} the people", times=partial(_times, population=population)))}


_HEADLINE: Fillings = {
    "error": part("with {people|people} its error about {whom} is {used}", used=lambda a: _own(a, chosen(a)),
                  whom=(part("the population", when=_about), part("these people"))),
    "noise": lambda a: NAMES[_best(a)],
    "other": lambda a: or_same(_own(a, _best(a) if chosen(a) == f.RESPONSE else f.RESPONSE), _own(a, chosen(a)))}

SENTENCES: Sentences[MeanAnswer, object] = (
    (sentence("response", "Use randomized response, which trusts nobody: {error}, with a curator’s {noise} noise "
              "{other}.", _HEADLINE, when=lambda a: chosen(a) == f.RESPONSE),
     sentence("curator", "Use {noise} noise if a curator is trusted: {error}; randomized response has {other} and "
              "needs {times} the people to match it.", _HEADLINE, times=lambda a: _times(a, population=_about(a)))),
    # Who need not be trusted, or how often the loss of Gaussian noise exceeds ε.
    (sentence("risk_of_response", "{risk} That holds against whoever collects the answers, too.",
              when=lambda a: chosen(a) == f.RESPONSE, risk=lambda a: a.risk(f.RESPONSE)),
     sentence("risk_of_noise", "{risk} With Gaussian noise the loss exceeds ε with probability "
              "{loss_exceeds:gaussian|up}.", risk=lambda a: a.risk(chosen(a)))),
    sentence("errors", "For the analyst: 95 % of the estimates are off from the fraction among these people by at most "
             "{fraction_error_95:response|up} where everybody randomizes, {fraction_error_95:laplace|up} with Laplace "
             "noise on the count, {fraction_error_95:geometric|up} with geometric and {fraction_error_95:gaussian|up} "
             "with Gaussian noise."),
    (sentence("alike", "Everybody in the population is alike, so a sample of it is not off, and both readings of "
              "“fraction of whom” agree.", when=_is_alike),
     sentence("of_people", "About these people themselves randomized response needs {needs}: there a sample’s own "
              "error, which no mechanism can undo, does not count.", _needs(population=False), when=_about),
     sentence("of_population", "About the population randomized response needs {needs}: a sample is off from its "
              "population anyway.", _needs(population=True))),
    sentence("few", "At ε = {epsilon|near} randomized responses of up to {last|people} have a smaller error about them "
             "than Laplace noise on their count; than geometric noise, of 1 person only.",
             when=lambda a: a.value(v.TIMES_PEOPLE, f.RESPONSE) < 1,
             last=lambda a: math.ceil(a.value(v.BREAK_EVEN, f.RESPONSE)) - 1),
    # What the bound on the rows costs and saves, with Laplace noise.
    (sentence("rows", "With up to {most} rows a person and {kept} of each kept, the mean number of yes rows a person "
              "is typically off by {bound_error:laplace|up} with Laplace noise; the rows lost alone make "
              "{bound_bias|up}. {better}; with all rows it is {unbounded_error:laplace|up}. Which bound is best is "
              "read from the data.", when=lambda a: several(a.study), most=lambda a: most(a.study),
              kept=lambda a: a.study.at_most,
              better=(part("No other bound is better",
                           when=lambda a: int(a.value(v.BEST_BOUND, f.LAPLACE)) == a.study.at_most),
                      part("At most {best} would be best, {best_bound_error:laplace|up}",
                           best=lambda a: int(a.value(v.BEST_BOUND, f.LAPLACE))))),
     sentence("no_help", "A shuffler that hides whose answer is whose is no help to {people|people} at ε = "
              "{epsilon|near} and δ = {delta|near}: each still has to answer with ε₀ = "
              "{local_epsilon:shuffled|down}.", when=_is_no_help),
     sentence("shuffled", "With a shuffler that hides whose answer is whose each may answer with ε₀ = "
              "{local_epsilon:shuffled|down}: all answers together keep ε = {epsilon|up} with δ = {delta|up}, and the "
              "typical error about these people is {group_error:shuffled|up}, {times|up} times that of a curator’s "
              "{noise} noise.", noise=lambda a: NAMES[_best(a)],
              times=lambda a: a.value(v.GROUP_ERROR, f.SHUFFLED) / _central(a, population=False))),
    sentence("honest", "That holds while the shuffler is honest and all answer as they should: whoever tells an "
             "attacker what they said hides nobody, so that n counts the others only.",
             when=lambda a: not (several(a.study) or _is_no_help(a))),
    sentence("formula", "The lecture notes’ 1/(ε√n) {size}; the curator’s is “quadratically better” in the number of "
             "people, not in ε.", size=(
                 part("= {note_error:response|near} is {ratio|near} times the error of randomized response about "
                      "these people", when=lambda a: _of_formula(a) >= 1.005, ratio=_of_formula),
                 part("is at so small an ε the error of randomized response about these people, to 0.5 %"))),
)
