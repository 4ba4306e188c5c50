"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from functools import partial

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, part, sentence
from dpstudio.studies import posterior as f
from dpstudio.studies.kit.choosing import USE, spoken_of
from dpstudio.studies.posterior.answer import PosteriorAnswer
from dpstudio.text.language import phrase
from dpstudio.text.numbers import short, shown
from dpstudio.text.sentences import at_least, from_to, in_percent, less_than, percent, points, significant

RARE = 1e-4
"""The probability of noise below which it is said that it is no likely noise."""
NAMES = {f.AWARE: "the noise-aware posterior", f.CLAMPED: "the naive posterior, clamped",
         f.NAIVE: "the naive posterior"}


def suggested(_: PosteriorAnswer) -> Series:
    """The only posterior whose interval contains the rate as often as it says."""
    return f.AWARE


def _spoken(a: PosteriorAnswer) -> Series:
    return spoken_of(a, f.AWARE)


def _is_aware(a: PosteriorAnswer) -> bool:
    return _spoken(a) == f.AWARE


def _may_be_taken(a: PosteriorAnswer) -> bool:
    """Whether the clamped interval misses the rate at most a fifth more often than it says."""
    level = a.study.level
    return a.value(v.COVERAGE, f.CLAMPED) >= level - (1 - level) / 5


def _released(a: PosteriorAnswer) -> float:
    return a.value(v.NOISY_COUNT)


def _naive(a: PosteriorAnswer) -> Series:
    """The one of both naive posteriors that is spoken of, else the one that there always is."""
    return f.CLAMPED if _is_aware(a) else _spoken(a)


def _wide(a: PosteriorAnswer) -> str:
    """The noise-aware interval, rounded outwards: “12.7 to 70.5 %”."""
    low, high = a.get(f.AWARE).interval
    return from_to(significant(100 * low, side="down"), in_percent(significant(100 * high, side="up")))


def _narrow(a: PosteriorAnswer) -> str:
    """A naive interval, both ends with digits enough to tell them apart."""
    low, high = a.get(_naive(a)).interval
    width = max((high - low) / max(high, 1e-300), 1e-12)
    digits = max(3, 2 - math.floor(math.log10(width)))
    return from_to(significant(100 * low, digits), in_percent(significant(100 * high, digits)))


def _tiny(a: PosteriorAnswer, quantity: v.Quantity, series: Series) -> str:
    """A share that is known to 1e-8: one below a millionth only as such."""
    share = a.value(quantity, series)
    return percent(share) if share >= 1e-6 else less_than(in_percent(shown("0.0001")))


def _level(a: PosteriorAnswer) -> str:
    return in_percent(at_least(100 * a.study.level))


def _sd(of: Series, a: PosteriorAnswer) -> str:
    return points(a.value(v.RATE_SD, of), "nearest")


def _clamped(a: PosteriorAnswer) -> str:
    """How often the clamped interval contains the rate, over all releases."""
    return _tiny(a, v.COVERAGE, f.CLAMPED)


_PLACES: Fillings = {
    **USE, "name": lambda a: phrase(NAMES[_spoken(a)]), "wide": _wide, "narrow": _narrow,
    "mean": lambda a: percent(a.value(v.RATE_MEAN, _spoken(a))),
    "level": _level,
    "inside": lambda a: _tiny(a, v.DESERVED, _naive(a)),
    "clamped": _clamped}

SENTENCES: Sentences[PosteriorAnswer, object] = (
    (sentence("aware", "{use} {name}: it expects a rate of {mean}, and with probability {level} one from "
              "{wide}.", _PLACES, when=_is_aware),
     sentence("naive", "{use} {name}: it expects a rate of {mean} and claims {level} for {narrow}, which has "
              "probability {inside}.", _PLACES)),
    (sentence("runner_up", "The naive interval, clamped, is {narrow}, which contains the rate with probability "
              "{inside}.", _PLACES, when=_is_aware),
     sentence("runner_up", "The noise-aware interval is {wide}, which contains the rate with probability "
              "{level}.", _PLACES)),
    sentence("risk", "{risk} What is computed from the released count costs no more.", risk=lambda a: a.risk()),
    (sentence("either", "Either interval may be used: over all releases the naive one, clamped, contains the rate in "
              "{clamped}{aware}.", _PLACES, when=_may_be_taken, aware=(
                  part(", as does the noise-aware one", when=lambda a: _clamped(a) == _level(a)),
                  part(", the noise-aware one in {level}", level=_level))),
     sentence("coverage", "Over all releases the naive interval, clamped, contains the rate in only {clamped}, the "
              "noise-aware one in {level}.", _PLACES)),
    sentence("rate", "From this count the rate is {rate_mean:aware|percent} ± {aware} (noise-aware mean and sd); the "
             "true count would give ± {truth}.", aware=partial(_sd, f.AWARE), truth=partial(_sd, f.TRUTH)),
    sentence("count", "The true count is {true|whole} of {people|people}, and {release}{undefined}.",
             true=lambda a: a.true,
             release=(part("{released} was released", when=lambda a: a.study.release == "given",
                           released=lambda a: short(_released(a), 7)),
                      part("the release drawn for it is {released}", released=lambda a: short(_released(a), 7))),
             undefined=part(", so that {side} is not positive and the naive posterior is undefined",
                            when=lambda a: a.one(f.NAIVE) is None,
                            side=lambda a: "b′ = b + n − c" if _released(a) > 0 else "a′ = a + c")),
    sentence("rare", "Noise as large as in this count has probability {tail}: the count can hardly have come from this "
             "true count.", when=lambda a: a.value(v.NOISE_BEYOND) < RARE, tail=(
                 part("{noise_beyond|near}", when=lambda a: a.value(v.NOISE_BEYOND) > 1e-300), part("below 1e−300"))),
    sentence("no_naive", "The naive posterior is undefined after {here} of releases of this true count and {overall} "
             "of all releases, and its interval contains the rate in {holds} of all; the noise-aware one always "
             "exists.", here=lambda a: _tiny(a, v.INVALID, f.NAIVE),
             overall=lambda a: _tiny(a, v.INVALID_OVERALL, f.NAIVE), holds=lambda a: _tiny(a, v.COVERAGE, f.NAIVE)),
)
