"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import noise as f
from dpstudio.studies.noise.answer import NoiseAnswer
from dpstudio.studies.noise.compared import Compared, Drawn
from dpstudio.text.numbers import short
from dpstudio.text.sentences import SaidBoth, apart, grouped, listed, odds_after, odds_before, or_same, percent, safely

MOST_SENTENCES = 6
_SAME = 1e-9
_MOST = 0.95
_PLAINEST = (f.GEOMETRIC, f.LAPLACE, f.GAUSSIAN)
"""Of noise that is said to be as good the first of these is chosen."""


# The choice: what is least of all that keeps the guarantee

@found_once
def _keeping(a: NoiseAnswer) -> dict[Series, Compared]:
    return {series: one for series in f.LEAST if (one := a.one(series)) and (held := a.guarantee(series))
            and held.keeps(a.study.epsilon, a.study.delta)}


@found_once
def _end(a: NoiseAnswer) -> float:
    """The smallest whole number that 95 % of the rounded answers of the best noise are off by at most."""
    far = {one: float(one.noise.error_quantile(_MOST)) for one in _keeping(a).values()}
    return min(end if one.noise.is_whole else max(0.0, math.ceil(end - 0.5)) for one, end in far.items())


@found_once
def _measured(a: NoiseAnswer) -> Mapping[Series, tuple[float, str]]:
    """How bad each is, and that as it is said.

    Of whole-number answers it is the share within the same whole number, all rounded; of others how far 95 % of them
    are off; of many coordinates the root mean square distance.
    """
    if a.study.dimension > 1:
        far = {series: a.value(v.RMS_ERROR, series) for series in _keeping(a)}
        return {series: (distance, safely(distance)) for series, distance in far.items()}
    if a.asked.whole:
        shares = {series: 1 - 2 * float(one.noise.tail(_end(a) + 0.5)) for series, one in _keeping(a).items()}
        return {series: (-share, percent(share)) for series, share in shares.items()}
    far = {series: a.value(v.ERROR_95, series) for series in _keeping(a)}
    return {series: (error, f"±{safely(error)}") for series, error in far.items()}


@found_once
def chosen(a: NoiseAnswer) -> Series:
    """The least, or what is said in the same digits and needs less: no δ, or whole numbers, or a simpler law."""
    found = _measured(a)
    best = min(found, key=lambda series: found[series][0])
    return next((series for series in _PLAINEST if series in found and found[series][1] == found[best][1]), best)


def _best(a: NoiseAnswer) -> str:
    return _measured(a)[chosen(a)][1]


def _end_in_words(a: NoiseAnswer) -> str:
    return grouped(_end(a)) if _end(a) < 1e12 else safely(_end(a))


def _others(a: NoiseAnswer) -> str:
    """What is said of the others; of the newer kinds only the best is named."""
    said = {series: or_same(text, _best(a)) for series, (_, text) in _measured(a).items() if series != chosen(a)}
    return ", ".join(f"{a.get(series).noise.name} {text}" for series, text in said.items() if series in f.SAID)


def _spends(a: NoiseAnswer) -> bool:
    """Whether what is chosen spends a δ."""
    held = a.guarantee(chosen(a))
    return held is not None and held.delta > 0


# What is odd about the settings

def _is_long(a: NoiseAnswer) -> bool:
    return a.study.sensitivity_l2 > a.study.sensitivity * (1 + _SAME)


def _is_short(a: NoiseAnswer) -> bool:
    return a.asked.l1 < a.study.sensitivity * (1 - _SAME)


def _exceeds(series: Series, a: NoiseAnswer) -> bool:
    """Whether a printed σ does not keep the study’s δ."""
    return a.study.delta > 0 and a.value(v.TRUE_DELTA, series) > a.study.delta * (1 + _SAME)


def _deltas(series: Series, a: NoiseAnswer) -> SaidBoth:
    return apart(a.value(v.TRUE_DELTA, series), a.study.delta)


def _errors(a: NoiseAnswer) -> str:
    return listed(f"{short(a.value(v.ERROR_95, series), 4, 'up').replace('-', '−')} with {a.get(series).noise.name}"
                  for series in f.SAID if a.one(series))


_ODDS: Fillings = {"risk": lambda a: a.risk(chosen(a)), "before": lambda a: odds_before(a.study.belief),
         "after": lambda a: odds_after(a.study.belief, a.guarantee(chosen(a)).epsilon)}
_GAUSSIAN = "with probability {loss_exceeds:gaussian|up}, more than δ"

SENTENCES: Sentences[NoiseAnswer, Drawn] = (
    sentence("choice", "Choose {noise} noise{for_whole} at ε = {epsilon|near}{spends}: {measure}{others}.",
             noise=lambda a: a.get(chosen(a)).noise.name,
             for_whole=part(" for whole-number answers", when=lambda a: (
                 chosen(a) == f.GEOMETRIC if a.study.dimension > 1 else bool(a.asked.whole))),
             spends=(part(" and δ = {delta|near}", when=_spends), part(" and no δ", when=lambda a: a.study.delta > 0)),
             measure=(part("over {dimension|whole} coordinates the answer is typically off by {best}",
                           when=lambda a: a.study.dimension > 1, best=_best),
                      part("rounded, {best} are {within}", when=lambda a: bool(a.asked.whole), best=_best,
                           within=(part("right", when=lambda a: _end(a) == 0),
                                   part("within ±{end}", end=_end_in_words))),
                      part("95 % of the answers are within {best}", best=_best)),
             others=part(" ({rest})", when=lambda a: bool(_others(a)), rest=_others)),
    (sentence("risk_of_gaussian", "{risk} An answer with Gaussian noise moves odds of {before} beyond {after} "
              + _GAUSSIAN + ".", _ODDS, when=_spends),
     sentence("risk", "{risk} No answer moves odds of {before} beyond {after}{gaussian}.", _ODDS,
              gaussian=part("; Gaussian noise does " + _GAUSSIAN, when=lambda a: a.study.delta > 0))),
    # Of what hides a move by 1 of a whole number the staircase is geometric noise itself (Geng & Viswanath).
    # Put to its best use under a prior it has the least expected loss, too (Ghosh, Roughgarden & Sundararajan).
    (sentence("errors", "For the analyst: 95 % of the answers are off in one coordinate by at most {errors} noise.",
              when=lambda a: a.study.dimension > 1, errors=_errors),
     sentence("errors_of_count", "For the analyst: 95 % of the answers are off by at most {errors} noise; of all noise "
              "at pure ε geometric has the least mean error on a count, and well used serves every prior and growing "
              "loss as any mechanism can.", when=lambda a: a.asked.whole == 1, errors=_errors),
     sentence("errors_of_number", "For the analyst: 95 % of the answers are off by at most {errors} noise; of all "
              "noise that may be added at pure ε to any number, staircase has the least mean error, "
              "{mean_error:staircase|up} where Laplace has {mean_error:laplace|up}.", errors=_errors)),
    sentence("needless_l2", "No change is longer in ℓ₂ than in ℓ₁: Δ₂ = {l2.other} is needlessly large, and Δ₁ = "
             "{l2.one} is used for it.", when=_is_long, l2=lambda a: apart(a.asked.l2, a.study.sensitivity_l2)),
    sentence("needless_l1", "In {dimensions} a change is in ℓ₁ at most {root}: Δ₁ = {l1.other} is needlessly large, "
             "and {l1.one} is used for it.", when=_is_short, l1=lambda a: apart(a.asked.l1, a.study.sensitivity),
             dimensions=(part("one dimension", when=lambda a: a.study.dimension == 1), part("{dimension|dimensions}")),
             root=lambda a: "Δ₂" if a.study.dimension == 1 else "√d·Δ₂"),
    (sentence("no_geometric", "Whole-number answers move by whole numbers: below Δ = 1 (here {l2|near}) they cannot "
              "move at all, so geometric noise is left out.", when=lambda a: not a.asked.whole,
              l2=lambda a: a.asked.l2),
     sentence("geometric", "Geometric noise is for whole-number answers, which here move by at most {whole|whole} in "
              "ℓ₁; the others serve any answer.", when=lambda a: a.asked.whole < a.asked.l1 * (1 - _SAME),
              whole=lambda a: a.asked.whole)),
    sentence("l2_below_l1", "ℓ₂ is smaller than ℓ₁: Gaussian noise is measured against ℓ₂ alone, and what is said of "
             "an attack on Laplace noise is a bound.", when=lambda a: a.asked.l2 < a.asked.l1 * (1 - _SAME)),
    (sentence("without_delta", "Gaussian noise needs δ > 0: with δ = 0 no σ is large enough, for its tails always tell "
              "a little more.", when=lambda a: a.study.delta == 0),
     sentence("printed_too_small", "The thesis chapter’s σ = {noise_scale:printed|near} lacks a square root and is too "
              "small here: it keeps δ = {deltas.one}, not {deltas.other}.", when=partial(_exceeds, f.PRINTED),
              deltas=partial(_deltas, f.PRINTED)),
     sentence("printed_safe", "The thesis chapter’s σ = {noise_scale:printed|near} lacks a square root: it is safe "
              "here, but {too_much:printed|as many} the noise that is needed.")),
    (sentence("classical_too_small", "The classical σ is no guarantee at ε = {epsilon|near}: it keeps δ = "
              "{deltas.one}, not {deltas.other}.", when=partial(_exceeds, f.CLASSICAL),
              deltas=partial(_deltas, f.CLASSICAL)),
     sentence("classical_safe", "The classical σ is proved for ε < 1 only; here it happens to hold, with "
              "{too_much:gaussian_classical|as many} the noise that is needed.",
              when=lambda a: a.study.delta > 0 and a.study.epsilon >= 1)),
    drawn_sentence("low_bits", "On a computer: of {done|whole} answers with textbook Laplace noise in double "
                   "precision, {there|whole} cannot come from the data without the record, so that their last bits "
                   "prove that it is there, whatever ε is; noise drawn in whole numbers and snapped answers have no "
                   "such bits.", when=lambda _, seen: seen.proofs.there > 0,
                   done=lambda _, seen: seen.proofs.done, there=lambda _, seen: seen.proofs.there),
)
