"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentences, part, sentence
from dpstudio.studies import posterior as f
from dpstudio.studies.posterior.answer import PosteriorAnswer
from dpstudio.text.numbers import THIN, short
from dpstudio.text.sentences import percent, significant

RARE = 1e-4
"""The probability of noise below which it is said that it is no likely noise."""


def _may_be_taken(a: PosteriorAnswer) -> bool:
    """Whether the clamped interval misses the rate at most a fifth more often than it says."""
    level = a.study.level
    return a.value(v.COVERAGE, f.CLAMPED) >= level - (1 - level) / 5


def _released(a: PosteriorAnswer) -> float:
    return a.value(v.NOISY_COUNT)


def _interval(a: PosteriorAnswer) -> str:
    """Both ends with digits enough to tell them apart."""
    low, high = a.get(f.CLAMPED).interval
    width = max((high - low) / max(high, 1e-300), 1e-12)
    digits = max(3, 2 - math.floor(math.log10(width)))
    return f"[{significant(low, digits)}, {significant(high, digits)}]"


def _tiny(a: PosteriorAnswer, quantity: v.Quantity, series: Series) -> str:
    """A share that is known to 1e-8: one below a millionth only as such."""
    share = a.value(quantity, series)
    return percent(share) if share >= 1e-6 else f"less than 0.0001{THIN}%"


SENTENCES: Sentences[PosteriorAnswer, object] = (
    sentence("advice", "{advice} at its word: over the prior, its {level|percent} interval (clamped) holds the rate in "
             "{clamped} of releases, the noise-aware one in {level|percent}.",
             advice=(part("The noisy count may be taken", when=_may_be_taken), part("Do not take the noisy count")),
             clamped=lambda a: _tiny(a, v.COVERAGE, f.CLAMPED)),
    sentence("risk", "{risk} What is then made of the count costs no more privacy.", risk=lambda a: a.risk()),
    sentence("rate", "For the analyst: given this count the rate is {rate_mean:aware|near} ± {rate_sd:aware|near} "
             "(mean and sd, noise-aware); the true count would tell it to ± {rate_sd:truth|near}."),
    sentence("count", "The true count is {true|whole} of {people|people}, and {release}{taken} it claims "
             "{level|percent} for {interval}, where the rate lies with probability {inside}.",
             true=lambda a: a.true, interval=_interval, inside=lambda a: _tiny(a, v.DESERVED, f.CLAMPED),
             release=(part("{released} was released", when=lambda a: a.study.release == "given",
                           released=lambda a: short(_released(a), 7)),
                      part("the release drawn for it is {released}", released=lambda a: short(_released(a), 7))),
             taken=(part(", so {side} is not positive and there is no naive posterior; moved into [0, n]",
                         when=lambda a: a.one(f.NAIVE) is None,
                         side=lambda a: "b′ = b + n − c" if _released(a) > 0 else "a′ = a + c"),
                    part("; taken at its word{moved}", moved=part(
                        ", moved into [0, n],", when=lambda a: not 0 <= _released(a) <= a.study.people)))),
    sentence("rare", "Noise at least as far from zero as in this count has probability {tail}: it can hardly have come "
             "from this true count.", when=lambda a: a.value(v.NOISE_BEYOND) < RARE, tail=(
                 part("{noise_beyond|near}", when=lambda a: a.value(v.NOISE_BEYOND) > 1e-300), part("below 1e-300"))),
    sentence("no_naive", "There is no naive posterior after {here} of releases of this true count and {overall} of all "
             "releases over the prior; its interval holds the rate in {holds} of all. Moving the count into [0, n] "
             "costs the noise-aware posterior nothing.", here=lambda a: _tiny(a, v.INVALID, f.NAIVE),
             overall=lambda a: _tiny(a, v.INVALID_OVERALL, f.NAIVE), holds=lambda a: _tiny(a, v.COVERAGE, f.NAIVE)),
)
