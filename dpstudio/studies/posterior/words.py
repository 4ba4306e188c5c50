"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.studies import posterior as f
from dpstudio.studies.posterior.answer import PosteriorAnswer
from dpstudio.text.numbers import THIN, short
from dpstudio.text.sentences import grouped, people, percent, significant

RARE = 1e-4
"""The probability of noise below which it is said that it is no likely noise."""


def sentences_of(a: PosteriorAnswer, _: object = None) -> Iterator[str]:
    """Whether to trust the count, what it means for one person and for the analyst, and this count's own story."""
    yield _advice(a)
    yield f"{a.risk()} What is then made of the count costs no more privacy."
    yield _error(a)
    yield _count(a)
    if (rare := a.value(v.NOISE_BEYOND)) < RARE:
        yield (f"Noise at least as far from zero as in this count has probability {_rare(rare)}: it can hardly have "
               "come from this true count.")
    yield _invalid(a)


def _advice(a: PosteriorAnswer) -> str:
    """Whether the clamped interval holds the rate about as often as it says."""
    clamped, level = a.value(v.COVERAGE, f.CLAMPED), a.study.level
    advice = "The noisy count may be taken" if clamped >= _nearly(level) else "Do not take the noisy count"
    return (f"{advice} at its word: over the prior, its {percent(level)} interval (clamped) holds the rate in "
            f"{_tiny(clamped)} of releases, the noise-aware one in {percent(level)}.")


def _nearly(level: float) -> float:
    """What is as good as the level: a fifth more misses."""
    return level - (1 - level) / 5


def _count(a: PosteriorAnswer) -> str:
    study, released = a.study, a.released
    number = short(released, 7)
    release = f"{number} was released" if study.release == "given" else f"the release drawn for it is {number}"
    interval = _interval(*a.get(f.CLAMPED).interval)
    if a.one(f.NAIVE):
        taken = "; taken at its word" + ("" if 0 <= released <= study.people else ", moved into [0, n],")
    else:
        side = "b′ = b + n − c" if released > 0 else "a′ = a + c"
        taken = f", so {side} is not positive and there is no naive posterior; moved into [0, n]"
    return (f"The true count is {grouped(a.true)} of {people(study.people)}, and {release}{taken} it claims "
            f"{percent(study.level)} for {interval}, where the rate lies with probability "
            f"{_tiny(a.value(v.DESERVED, f.CLAMPED))}.")


def _interval(low: float, high: float) -> str:
    """Both ends with digits enough to tell them apart."""
    width = max((high - low) / max(high, 1e-300), 1e-12)
    digits = max(3, 2 - math.floor(math.log10(width)))
    return f"[{significant(low, digits)}, {significant(high, digits)}]"


def _invalid(a: PosteriorAnswer) -> str:
    here, overall, holds = (_tiny(a.value(quantity, f.NAIVE))
                            for quantity in (v.INVALID, v.INVALID_OVERALL, v.COVERAGE))
    return (f"There is no naive posterior after {here} of releases of this true count and {overall} of all releases "
            f"over the prior; its interval holds the rate in {holds} of all. Moving the count into [0, n] costs the "
            "noise-aware posterior nothing.")


def _rare(probability: float) -> str:
    return significant(probability) if probability > 1e-300 else "below 1e-300"


def _tiny(share: float) -> str:
    """A share that is known to 1e-8: one below a millionth only as such."""
    return percent(share) if share >= 1e-6 else f"less than 0.0001{THIN}%"


def _error(a: PosteriorAnswer) -> str:
    aware, truth = a.get(f.AWARE).posterior, a.get(f.TRUTH).posterior
    return (f"For the analyst: given this count the rate is {significant(aware.mean)} ± {significant(aware.sd)} (mean "
            f"and sd, noise-aware); the true count would tell it to ± {significant(truth.sd)}.")
