"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.studies import noise as f
from dpstudio.studies.noise import Noise as Study
from dpstudio.studies.noise.answer import Compared, Drawn, NoiseAnswer, Query
from dpstudio.text.numbers import short
from dpstudio.text.sentences import apart, grouped, odds_after, odds_before, or_same, percent, safely, significant

MOST_SENTENCES = 6
_SAME = 1e-9
_MOST = 0.95
_PLAINEST = (f.GEOMETRIC, f.LAPLACE, f.GAUSSIAN)
"""Of noise that is said to be as good the first of these is chosen."""


def sentences_of(a: NoiseAnswer, seen: Drawn | None = None) -> Iterator[str]:
    """The headline, what it means for one person, the error, what is odd about these settings, and what bits tell."""
    return islice(_sentences(a, seen), MOST_SENTENCES)


def _sentences(a: NoiseAnswer, seen: Drawn | None) -> Iterator[str]:
    best, headline = _chosen(a)
    yield headline
    yield _risk(a, best)
    yield _error(a)
    yield from _odd(a.study, a.asked)
    if a.study.delta > 0:
        yield _printed(a)
        yield from _classical(a)
    else:
        yield "Gaussian noise needs δ > 0: with δ = 0 no σ is large enough, for its tails always tell a little more."
    if seen is not None and seen.proofs.there:
        yield _low_bits(seen)


def _chosen(a: NoiseAnswer) -> tuple[Series, str]:
    """Which noise is the least of those that keep the guarantee; of those said in the same digits the first asked for.

    Of whole-number answers it is the share within the same whole number, all rounded; of others how far 95 % of them
    are off; of many coordinates the root mean square distance. Of the newer kinds only the best is named.
    """
    study, asked, for_whole = a.study, a.asked, ""
    least = {series: one for series in f.LEAST
             if (one := a.one(series)) and (held := a.guarantee(series)) and held.keeps(study.epsilon, study.delta)}
    if study.dimension > 1:
        far = {series: a.value(v.RMS_ERROR, series) for series in least}
        said = {series: safely(distance) for series, distance in far.items()}
        best = _first(said, min(far, key=lambda series: far[series]))
        measure = f"over {grouped(study.dimension)} coordinates the answer is typically off by {said[best]}"
        for_whole = " for whole-number answers" if best == f.GEOMETRIC else ""
    elif asked.whole:
        end = min(_whole(one) for one in least.values())
        shares = {series: _within(one, end) for series, one in least.items()}
        said = {series: percent(share) for series, share in shares.items()}
        best = _first(said, max(shares, key=lambda series: shares[series]))
        right = "right" if end == 0 else f"within ±{grouped(end) if end < 1e12 else safely(end)}"
        measure, for_whole = f"rounded, {said[best]} are {right}", " for whole-number answers"
    else:
        far = {series: a.value(v.ERROR_95, series) for series in least}
        said = {series: f"±{safely(error)}" for series, error in far.items()}
        best = _first(said, min(far, key=lambda series: far[series]))
        measure = f"95 % of the answers are within {said[best]}"
    rest = [f"{a.get(series).noise.name} {or_same(text, said[best])}" for series, text in said.items()
            if series in f.SAID and series != best]
    against = f" ({', '.join(rest)})" if rest else ""
    held = a.guarantee(best)
    delta = "" if study.delta == 0 else f" and δ = {significant(study.delta)}" if held and held.delta else " and no δ"
    choice = f"Choose {a.get(best).noise.name} noise{for_whole} at ε = {significant(study.epsilon)}{delta}"
    return best, f"{choice}: {measure}{against}."


def _first(said: Mapping[Series, str], best: Series) -> Series:
    """The best, or what is said in the same digits and needs less: no δ, or whole numbers, or a simpler law."""
    return next((series for series in _PLAINEST if said.get(series) == said[best]), best)


def _whole(one: Compared) -> float:
    """The smallest whole number that 95 % of the rounded answers are off by at most."""
    far = float(one.noise.error_quantile(_MOST))
    return far if one.noise.is_whole else max(0.0, math.ceil(far - 0.5))


def _within(one: Compared, end: float) -> float:
    """The share of rounded answers that are off by at most so much."""
    return 1 - 2 * float(one.noise.tail(end + 0.5))


def _risk(a: NoiseAnswer, best: Series) -> str:
    """Of the noise that is chosen, and how far its answers move the odds that were set; Gaussian ones further."""
    study, held = a.study, a.guarantee(best)
    assert held is not None
    odds = f"odds of {odds_before(study.belief)}"
    after = odds_after(study.belief, held.epsilon)
    moves = f"No answer moves {odds} beyond {after}" if not held.delta else ""
    if study.delta > 0:
        often = f"with probability {safely(a.value(v.LOSS_EXCEEDS, f.GAUSSIAN))}, more than δ"
        moves = (f"{moves}; Gaussian noise does {often}" if moves else
                 f"An answer with Gaussian noise moves {odds} beyond {after} {often}")
    return f"{a.risk(best)} {moves}."


def _error(a: NoiseAnswer) -> str:
    study, asked = a.study, a.asked
    errors = [f"{short(a.value(v.ERROR_95, series), 4, 'up').replace('-', '−')} with {a.get(series).noise.name}"
              for series in f.SAID if a.one(series)]
    listed = ", ".join(errors[:-1]) + f" and {errors[-1]}" if len(errors) > 1 else errors[0]
    if study.dimension > 1:
        return f"For the analyst: 95 % of the answers are off in one coordinate by at most {listed} noise."
    if asked.whole == 1:
        # Of what hides a move by 1 of a whole number the staircase is geometric noise itself (Geng & Viswanath).
        # Put to its best use under a prior it has the least expected loss, too (Ghosh, Roughgarden & Sundararajan).
        least = ("of all noise at pure ε geometric has the least mean error on a count, and well used serves every "
                 "prior and growing loss as any mechanism can")
    else:
        mean, other = (a.value(v.MEAN_ERROR, series) for series in (f.STAIRCASE, f.LAPLACE))
        least = ("of all noise that may be added at pure ε to any number, staircase has the least mean error, "
                 f"{safely(mean)} where Laplace has {safely(other)}")
    return f"For the analyst: 95 % of the answers are off by at most {listed} noise; {least}."


def _printed(a: NoiseAnswer) -> str:
    study = a.study
    times, sigma = a.value(v.TOO_MUCH, f.PRINTED), a.value(v.NOISE_SCALE, f.PRINTED)
    kept = a.value(v.TRUE_DELTA, f.PRINTED)
    start = f"The thesis chapter’s σ = {significant(sigma)} lacks a square root"
    if kept > study.delta * (1 + _SAME):
        true, wanted = apart(kept, study.delta)
        return f"{start} and is too small here: it keeps δ = {true}, not {wanted}."
    return f"{start}: it is safe here, but {_times(times)} the noise that is needed."


def _classical(a: NoiseAnswer) -> Iterator[str]:
    study = a.study
    kept, times = a.value(v.TRUE_DELTA, f.CLASSICAL), a.value(v.TOO_MUCH, f.CLASSICAL)
    if kept > study.delta * (1 + _SAME):
        true, wanted = apart(kept, study.delta)
        yield (f"The classical σ is no guarantee at ε = {significant(study.epsilon)}: it keeps δ = {true}, not "
               f"{wanted}.")
    elif study.epsilon >= 1:
        yield (f"The classical σ is proved for ε < 1 only; here it happens to hold, with {_times(times)} the noise "
               "that is needed.")


def _times(times: float) -> str:
    return f"{significant(times)} times" if times >= 1.005 else "hardly more than"


def _low_bits(seen: Drawn) -> str:
    done, there = seen.proofs.done, seen.proofs.there
    return (f"On a computer: of {grouped(done)} answers with textbook Laplace noise in double precision, "
            f"{grouped(there)} cannot come from the data without the record, so that their last bits prove that it is "
            "there, whatever ε is; noise drawn in whole numbers and snapped answers have no such bits.")


def _odd(study: Study, asked: Query) -> Iterator[str]:
    """Values that are legal and surprising, explained."""
    if study.sensitivity_l2 > study.sensitivity * (1 + _SAME):
        used, given = apart(asked.l2, study.sensitivity_l2)
        yield f"No change is longer in ℓ₂ than in ℓ₁: Δ₂ = {given} is needlessly large, and Δ₁ = {used} is used for it."
    if asked.l1 < study.sensitivity * (1 - _SAME):
        root = "Δ₂" if study.dimension == 1 else "√d·Δ₂"
        used, given = apart(asked.l1, study.sensitivity)
        yield (f"In {_dimensions(study.dimension)} a change is in ℓ₁ at most {root}: Δ₁ = {given} is needlessly large, "
               f"and {used} is used for it.")
    if not asked.whole:
        yield (f"Whole-number answers move by whole numbers: below Δ = 1 (here {significant(asked.l2)}) they cannot "
               "move at all, so geometric noise is left out.")
    elif asked.whole < asked.l1 * (1 - _SAME):
        yield (f"Geometric noise is for whole-number answers, which here move by at most {grouped(asked.whole)} in ℓ₁; "
               "the others serve any answer.")
    if asked.l2 < asked.l1 * (1 - _SAME):
        yield ("ℓ₂ is smaller than ℓ₁: Gaussian noise is measured against ℓ₂ alone, and what is said of an attack on "
               "Laplace noise is a bound.")


def _dimensions(d: int) -> str:
    return "one dimension" if d == 1 else f"{grouped(d)} dimensions"
