"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.core.sources import LECTURE
from dpstudio.models.histograms import listed
from dpstudio.models.linkage import PEOPLE, least_missed, most_identified
from dpstudio.studies import neighbours as f
from dpstudio.studies.kit.choosing import USE, ranked, role, spoken_of
from dpstudio.studies.neighbours.answer import Drawn, NeighboursAnswer
from dpstudio.text.language import phrase
from dpstudio.text.numbers import THIN
from dpstudio.text.sentences import or_same, safely

_HARDLY = 0.002
"""A bias below such a part of the error is not worth a sentence."""
_FEW = 0.01
"""A share missed that is smaller than this is said instead of the share found."""


_NAMES = {f.GEOMETRIC: "discrete Laplace", f.LAPLACE: "Laplace"}


@found_once
def _order(a: NeighboursAnswer) -> tuple[Series, ...]:
    """The noises, that with the smallest error first; of two that are alike the one of whole numbers."""
    return ranked(a, a.study.level_one.wanted, (f.GEOMETRIC, f.LAPLACE))


def suggested(a: NeighboursAnswer) -> Series:
    """The noise with the smallest error."""
    return _order(a)[0]


def _spoken(a: NeighboursAnswer) -> Series:
    return spoken_of(a, suggested(a))


def _other(a: NeighboursAnswer) -> Series:
    return next(each for each in _order(a) if each != _spoken(a))


def _error(a: NeighboursAnswer, of: Series) -> str:
    return safely(a.value(v.HISTOGRAM_ERROR, of))


def _raw(a: NeighboursAnswer) -> float:
    return a.value(v.HISTOGRAM_ERROR_RAW, _spoken(a))


def _bias(a: NeighboursAnswer) -> float:
    return a.value(v.TOTAL_BIAS, _spoken(a))


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


_NOTE: Fillings = {"note": part("“{lecture}” has 1/n = {share|near}, for values in [0, 1]",
                                lecture=lambda _: LECTURE.key, share=lambda a: 1 / a.value(v.N))}
_LIMITS: Fillings = {"limits": (
    part(f"any attack misses at least {{missed|down}}{THIN}% of {{people|whole}} people",
         when=lambda a: least_missed(a.study.epsilon) < _FEW,
         missed=lambda a: 100 * least_missed(a.study.epsilon), people=lambda _: PEOPLE),
    part(f"no attack names more than {{most|up}}{THIN}% of {{people|whole}} people correctly on average; chance names "
         "{guess|percent}", most=lambda a: 100 * most_identified(a.study.epsilon), guess=lambda _: 1 / PEOPLE,
         people=lambda _: PEOPLE))}

SENTENCES: Sentences[NeighboursAnswer, Drawn] = (
    sentence("move", "{use} {noise} noise: at ε = {epsilon|up} it hides a change of {step} in the counts, and the five "
             "together are off by {error} on average.", USE, noise=lambda a: phrase(_NAMES[_spoken(a)]),
             step=lambda a: a.study.step, error=lambda a: _error(a, _spoken(a))),
    sentence("runner_up", "{role}: {other} noise, {worse}; neither spends a δ.",
             role=role(lambda a: _other(a) == suggested(a)),
             other=lambda a: phrase(_NAMES[_other(a)]),
             worse=(part("the same error", when=lambda a: _error(a, _other(a)) == _error(a, _spoken(a))),
                    part("off by {its}", its=lambda a: _error(a, _other(a))))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    sentence("limits", "Whatever ratings are known, at ε = {epsilon|up} {limits}.", _LIMITS),
    sentence("raised", "Raising negative counts to 0 {effect}.", when=lambda a: a.study.clamped, effect=(
        part("changes next to nothing here", when=lambda a: _bias(a) < _HARDLY * _raw(a)),
        part("lowers the error from {raw|up} and costs no privacy, but makes the total {bias|up} too large on "
             "average", raw=_raw, bias=_bias))),
    (sentence("same", "A record replaced by one of the same kind leaves the histogram as it is: y = x.",
              when=_is_same),
     sentence("no_neighbour", "x has no record of {kind|stars} to {way}: y = x.", when=_has_no_neighbour,
              way=(part("remove", when=lambda a: a.study.change == "remove"), part("replace"))),
     sentence("swapped", "y has one record of {kind_by|stars} in the place of one of {kind|stars}: one removed and one "
              "added, so that ‖x − y‖₁ = 2, and the noise is twice that for a record added or removed.", when=_is_swap),
     sentence("pair", "y is x {which} record of {kind|stars}: ‖x − y‖₁ = 1.",
              which=(part("with one more", when=lambda a: a.study.change == "add"), part("without one")))),
    # Why noise is scaled to all databases, and what 1/n leaves out.
    (sentence("nobody", "x = {x} has no records, so its mean, median and shares are not defined; its counts are 0 and "
              "can be released like any others.", when=lambda a: a.pair.empty, x=lambda a: listed(a.pair.x)),
     sentence("mean_swapped", "A replaced record moves the mean of x by up to {move_mean:local|up}, and that of some "
              "database of {n|records} by {anywhere}, which the noise must hide. {note}; stars span 4, so "
              "it is 4/n.", _NOTE, when=_is_swap,
              anywhere=lambda a: or_same(*(safely(a.value(v.MOVE_MEAN, where)) for where in (f.GLOBAL, f.LOCAL)))),
     sentence("mean_anywhere", "One record more or less moves the mean of x by up to {move_mean:local|up}, as far as "
              "that of any database. {note}, a public n and replaced records.", _NOTE, when=_moves_as_far),
     sentence("mean", "One record more or less moves the mean of x by up to {move_mean:local|up}, that of some "
              "database by {move_mean:global|up}, which the noise must hide: a scale that follows x shows something of "
              "x. {note}, a public n and replaced records.", _NOTE)),
    drawn_sentence("linked", "An attacker who knows {knows} of a person found their record in a table without names in "
                   "{identified_table|percent} of simulated attacks, and from noisy counts of {up_to}"
                   "{contributed|ratings} of each, knowing all other people, in {identified_release|percent} "
                   f"(95{THIN}% interval up to {{identified_release::high|percent}}).",
                   knows=(part("no rating", when=lambda a, _: a.study.known == 0), part("{known|ratings}")),
                   up_to=part("up to ", when=lambda a, _: a.study.contributed != 1)),
)
