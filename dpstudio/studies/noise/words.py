"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentence, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import noise as f
from dpstudio.studies.kit.choosing import NO_LONGER_ALLOWED, USE, ranked, role, spoken_of
from dpstudio.studies.noise.answer import NoiseAnswer
from dpstudio.studies.noise.compared import Drawn
from dpstudio.text.language import phrase, tr
from dpstudio.text.sentences import SaidBoth, apart, grouped, safely, share_chosen

MOST_SENTENCES = 8
_SAME = 1e-9
NAMES = {f.GEOMETRIC: "discrete Laplace", f.DISCRETE: "discrete Gaussian", f.LAPLACE: "Laplace", f.GAUSSIAN: "Gaussian",
         f.STAIRCASE: "staircase", f.CLASSICAL: "Gaussian (classical)"}
"""How a sentence calls them; others by their labels."""


def _name(series: Series) -> str:
    return phrase(NAMES[series]) if series in NAMES else tr(series.label)


# The choice: what is least of all that is allowed

def _is_whole(a: NoiseAnswer) -> bool:
    """Whether the answer may be made of whole numbers, as far as its sensitivity tells."""
    return a.asked.is_whole


@found_once
def _ranked(a: NoiseAnswer) -> tuple[Series, ...]:
    """What is allowed and hides an answer such as this, the least error first; of whole numbers one step is none."""
    whole = _is_whole(a)
    competing = [one for one in f.COMPETING if whole or one not in f.WHOLE]
    return ranked(a, a.study.level_one.wanted, competing, step=1.0 * whole)


def suggested(a: NoiseAnswer) -> Series | None:
    """The least noise; of what is within a step, or a fiftieth, that which spends less δ, or is plainer."""
    return next(iter(_ranked(a)), None)


def spoken(a: NoiseAnswer) -> Series:
    """What the sentences speak of: Laplace noise is allowed everywhere."""
    return spoken_of(a, suggested(a) or f.LAPLACE)


def _other(a: NoiseAnswer) -> Series | None:
    return next((series for series in _ranked(a) if series != spoken(a)), None)


def _others(a: NoiseAnswer) -> Series:
    other = _other(a)
    assert other is not None
    return other


def _within(a: NoiseAnswer, series: Series) -> str:
    """How far the answer is off at most in the share of releases that is asked for, rounded up."""
    far = a.value(v.ERROR_AT_LEVEL, series)
    return grouped(far) if a.get(series).noise.is_whole and far < 1e12 else safely(far)


def _mean(a: NoiseAnswer, series: Series) -> str:
    return safely(a.value(v.MEAN_ERROR, series))


def _spent(a: NoiseAnswer, series: Series) -> float:
    promised = a.guarantee(series)
    return 0.0 if promised is None else promised.delta


_SPENDS: tuple[Sentence[NoiseAnswer, Drawn], ...] = (
    part("no δ", when=lambda a: _spent(a, spoken(a)) == 0), part("δ = {its_delta|up}", its_delta=lambda a: _spent(
        a, spoken(a))))
_COSTS: tuple[Sentence[NoiseAnswer, Drawn], ...] = (
    part("no δ", when=lambda a: _spent(a, _others(a)) == 0), part("δ = {its_delta|up}", its_delta=lambda a: _spent(
        a, _others(a))))


# What is odd about the settings

def _is_long(a: NoiseAnswer) -> bool:
    return a.study.sensitivity_l2 > a.study.sensitivity * (1 + _SAME)


def _is_short(a: NoiseAnswer) -> bool:
    return a.asked.l1 < a.study.sensitivity * (1 - _SAME)


def _classical(a: NoiseAnswer) -> SaidBoth:
    return apart(a.value(v.TRUE_DELTA, f.CLASSICAL), a.study.delta)


SENTENCES: Sentences[NoiseAnswer, Drawn] = (
    (NO_LONGER_ALLOWED,
     sentence("choice", "{use} {noise} noise{for_whole}: {share} of {what} are {near}, the mean error is {mean}, and "
              "it spends {spent}.", USE, noise=lambda a: _name(spoken(a)),
              for_whole=part(" on whole numbers", when=lambda a: spoken(a) in f.WHOLE),
              share=lambda a: share_chosen(a.study.error_level),
              what=(part("answers", when=lambda a: a.study.dimension == 1), part("released numbers")),
              near=(part("exactly right", when=lambda a: a.value(v.ERROR_AT_LEVEL, spoken(a)) == 0),
                    part("within ±{within} of the truth", within=lambda a: _within(a, spoken(a)))),
              mean=lambda a: _mean(a, spoken(a)), spent=_SPENDS)),
    sentence("runner_up", "{role}: {other} noise{for_whole}, {beside}; it spends {cost}.",
             when=lambda a: _other(a) is not None,
             role=role(lambda a: _others(a) == suggested(a)),
             other=lambda a: _name(_others(a)), cost=_COSTS,
             for_whole=part(" on whole numbers", when=lambda a: _others(a) in f.WHOLE),
             beside=(part("as near", when=lambda a: (_within(a, _others(a)), _mean(a, _others(a))) == (
                         _within(a, spoken(a)), _mean(a, spoken(a)))),
                     part("within the same ±{its_within}, but with a mean error of {its_mean}", when=lambda a: _within(
                         a, _others(a)) == _within(a, spoken(a)), its_within=lambda a: _within(a, _others(a)),
                          its_mean=lambda a: _mean(a, _others(a))),
                     part("exactly right, with a mean error of {its_mean}", its_mean=lambda a: _mean(a, _others(a)),
                          when=lambda a: a.value(v.ERROR_AT_LEVEL, _others(a)) == 0),
                     part("within ±{its_within}, with a mean error of {its_mean}", its_within=lambda a: _within(
                         a, _others(a)), its_mean=lambda a: _mean(a, _others(a))))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(spoken(a))),
    sentence("bound", "A person who changes the answer by more than {symbol} = {moved} is hidden less well: limit "
             "what each person adds.",
             symbol=lambda a: "Δ₂" if a.get(spoken(a)).noise.norm == 2 else "Δ₁",
             moved=lambda a: safely(a.get(spoken(a)).sensitivity)),
    # Of what hides a move by 1 of a whole number the staircase is discrete Laplace noise itself (Geng & Viswanath).
    # Put to its best use under a prior it has the least expected loss, too (Ghosh, Roughgarden & Sundararajan).
    (sentence("least_on_count", "Of all noise of pure ε discrete Laplace has the least mean error on a count; "
              "post-processed, it serves every prior and every loss that grows with the error as well as any.",
              when=lambda a: a.study.dimension == 1 and a.asked.whole == 1),
     sentence("least_on_number", "Of all noise of pure ε for any number staircase has the least mean error, "
              "{mean_error:staircase|up}; Laplace has {mean_error:laplace|up}.",
              when=lambda a: a.study.dimension == 1)),
    sentence("needless_l2", "No change is longer in ℓ₂ than in ℓ₁: Δ₂ = {l2.other} is needlessly large, and Δ₁ = "
             "{l2.one} is used for it.", when=_is_long, l2=lambda a: apart(a.asked.l2, a.study.sensitivity_l2)),
    sentence("needless_l1", "With {dimensions} a change is at most {root} in ℓ₁: Δ₁ = {l1.other} is needlessly large, "
             "and {l1.one} is used for it.", when=_is_short, l1=lambda a: apart(a.asked.l1, a.study.sensitivity),
             dimensions=(part("one coordinate", when=lambda a: a.study.dimension == 1),
                         part("{dimension|coordinates}")),
             root=lambda a: "Δ₂" if a.study.dimension == 1 else "√d·Δ₂"),
    (sentence("no_geometric", "Whole-number answers move by whole numbers: below Δ = 1 (here {l2|near}) they cannot "
              "move at all, so discrete Laplace noise is left out.", when=lambda a: not a.asked.whole,
              l2=lambda a: a.asked.l2),
     sentence("geometric", "Discrete noise is for whole-number answers, which here move by at most {whole|whole} in "
              "ℓ₁; continuous noise serves any answer.", when=lambda a: a.asked.whole < a.asked.l1 * (1 - _SAME),
              whole=lambda a: a.asked.whole)),
    (sentence("without_delta", "Gaussian noise needs δ > 0: with δ = 0 no σ is large enough.",
              when=lambda a: a.study.delta == 0),
     sentence("beyond", "With Gaussian noise the loss of an answer exceeds ε with probability "
              "{loss_exceeds:gaussian|up}, which is more than δ.")),
    sentence("l2_below_l1", "Δ₂ is smaller than Δ₁: Gaussian noise depends on Δ₂ alone, and what is said of an "
                            "attack on "
             "Laplace noise is a bound.", when=lambda a: a.asked.l2 < a.asked.l1 * (1 - _SAME)),
    sentence("classical_too_small", "The classical σ keeps only δ = {deltas.one} here, where {deltas.other} is "
             "allowed.",
             when=lambda a: a.study.delta > 0 and a.value(v.TRUE_DELTA, f.CLASSICAL) > a.study.delta * (1 + _SAME),
             deltas=_classical),
    drawn_sentence("low_bits", "Of {done|whole} answers with textbook Laplace noise in double precision, {there|whole} "
                   "cannot come from the data without the record: their last bits prove that it is there, whatever ε "
                   "is. Noise drawn in whole numbers and snapped answers have no such bits.",
                   when=lambda _, seen: seen.proofs.there > 0, done=lambda _, seen: seen.proofs.done,
                   there=lambda _, seen: seen.proofs.there),
)
