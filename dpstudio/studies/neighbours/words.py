"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.core.sources import LECTURE
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE, least_missed, most_identified
from dpstudio.studies import neighbours as f
from dpstudio.studies.neighbours.answer import Drawn, NeighboursAnswer
from dpstudio.text.numbers import THIN
from dpstudio.text.sentences import or_same, safely

_HARDLY = 0.002
"""A bias below such a part of the error is not worth a sentence."""
_FEW = 0.01
"""A share missed that is smaller than this is said instead of the share found."""


@found_once
def _ranked(a: NeighboursAnswer) -> list[Series]:
    """The noises, that with the smallest error first."""
    return sorted(a.ones, key=lambda series: a.value(v.HISTOGRAM_ERROR, series))


def _better(a: NeighboursAnswer) -> Series:
    return _ranked(a)[0]


def _noise(a: NeighboursAnswer, place: int) -> str:
    return a.get(_ranked(a)[place]).noise.name


def _error(a: NeighboursAnswer, place: int) -> str:
    return safely(a.value(v.HISTOGRAM_ERROR, _ranked(a)[place]))


def _raw(a: NeighboursAnswer) -> float:
    return a.value(v.HISTOGRAM_ERROR_RAW, _better(a))


def _bias(a: NeighboursAnswer) -> float:
    return a.value(v.TOTAL_BIAS, _better(a))


def _is_swap(a: NeighboursAnswer) -> bool:
    return a.study.change == "swap"


def _has_no_neighbour(a: NeighboursAnswer) -> bool:
    return not a.value(v.DISTANCE)


def _is_same(a: NeighboursAnswer) -> bool:
    """Whether a record is swapped for one of the same kind."""
    return _has_no_neighbour(a) and _is_swap(a) and bool(a.pair.x[a.study.kind - 1])


def _moves_as_far(a: NeighboursAnswer) -> bool:
    """Whether the mean of x moves as far as that of any database."""
    return a.value(v.MOVE_MEAN, f.LOCAL) >= a.value(v.MOVE_MEAN, f.GLOBAL)


_BEST: Fillings = {"noise": lambda a: _noise(a, 0), "error": lambda a: _error(a, 0)}
_NOTE: Fillings = {"note": part("“{lecture}” has 1/n = {share|near}, for values in [0, 1]",
                                lecture=lambda _: LECTURE.key, share=lambda a: 1 / a.value(v.N))}
_LIMITS: Fillings = {"limits": (
    part(f"any attack misses at least {{missed|down}}{THIN}% of them",
         when=lambda a, *_: least_missed(a.study.epsilon) < _FEW,
         missed=lambda a, *_: 100 * least_missed(a.study.epsilon)),
    part(f"no attack names more than {{most|up}}{THIN}% rightly on average; guessing names {{guess|percent}}",
         most=lambda a, *_: 100 * most_identified(a.study.epsilon), guess=lambda *_: 1 / PEOPLE))}

SENTENCES: Sentences[NeighboursAnswer, Drawn] = (
    sentence("move", "One record {what} moves the histogram by at most {step}: with {noise} noise for ε = {epsilon|up} "
             "the five counts are off by {error} records together on average.", _BEST,
             what=(part("replaced", when=lambda a: a.pair.relation == "replace"), part("added or removed")),
             step=lambda a: a.study.step),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_better(a))),
    sentence("errors", "For the analyst: with {noise} noise the five counts are off by {error} records together on "
             "average, with {other} noise by {worse}{raised}.", _BEST, other=lambda a: _noise(a, 1),
             worse=lambda a: or_same(_error(a, 1), _error(a, 0)), raised=part(
                 "; raising negative counts to 0 {effect}", when=lambda a: a.study.clamped, effect=(
                     part("changes next to nothing", when=lambda a: _bias(a) < _HARDLY * _raw(a)),
                     part("took that down from {raw|up} and costs no privacy, but makes the total {bias|up} too large "
                          "on average", raw=_raw, bias=_bias)))),
    (sentence("same", "A record swapped for another of the same kind leaves the histogram as it is: y = x.",
              when=_is_same),
     sentence("no_neighbour", "x has no record of {kind|stars} that could be {way}: there is no such neighbour, and "
              "y = x.", when=_has_no_neighbour,
              way=lambda a: "removed" if a.study.change == "remove" else "swapped"),
     sentence("swapped", "y has one record of {kind_by|stars} in the place of one of {kind|stars} in x: one removed "
              "and one added, so ‖x − y‖₁ = 2, and noise on the histogram must hide twice as much as for a record "
              "added or removed.", when=_is_swap),
     sentence("pair", "y has one record of {kind|stars} {which} than x: ‖x − y‖₁ = 1, so they are neighbours, and "
              "noise on the histogram must hide a move of 1.",
              which=lambda a: "more" if a.study.change == "add" else "fewer")),
    # Why noise is scaled to all databases, and what 1/n leaves out.
    (sentence("nobody", "x = {x} has no records, so its mean, median and shares are refused; its counts are 0, and can "
              "be released like any others.", when=lambda a: a.pair.empty, x=lambda a: listed(a.pair.x)),
     sentence("mean_swapped", "A swapped record moves the mean of x by up to {move_mean:local|up}, and that of some "
              "database of {n|records} by {move_mean:global|up}, which the noise must hide. {note}; stars span 4, so "
              "it is 4/n.", _NOTE, when=_is_swap),
     sentence("mean_anywhere", "One record more or fewer moves the mean of x by up to {move_mean:local|up}, as far as "
              "that of any database. {note}, a public n and swapped records.", _NOTE, when=_moves_as_far),
     sentence("mean", "One record more or fewer moves the mean of x by up to {move_mean:local|up}, that of some "
              "database by {move_mean:global|up}, which the noise must hide: a scale that follows x tells about x. "
              "{note}, a public n and swapped records.", _NOTE)),
    (drawn_sentence("linked", "Whoever knows {knows} of a person found their record in a table without names in "
                    "{identified_table|percent} of simulated attacks, and from noisy counts, even knowing everybody "
                    f"else, in {{identified_release|percent}} (95{THIN}% interval up to "
                    "{identified_release::high|percent}): at ε = {epsilon|up} {limits}.", _LIMITS,
                    knows=(part("no rating", when=lambda a, _: a.study.known == 0), part("{known|ratings}"))),
     sentence("before_attacks", "An attacker may try to name one of {people|whole} people from noisy counts of "
              "{up_to}{contributed|ratings} of each: at ε = {epsilon|up} {limits}.", _LIMITS,
              people=lambda _: PEOPLE, up_to=part("up to ", when=lambda a: a.study.contributed != 1))),
)
