"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.numerals import THIN
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import even_odds, grouped, people, percent, safely, significant
from dpstudio.studies.posterior import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

Found = Mapping[tuple[v.Quantity, Series | None], Fact]

RARE = 1e-4
"""The probability of noise below which it is said that it is no likely noise."""


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _count(study, found)
    if (rare := found[v.NOISE_BEYOND, None].value) < RARE:
        yield (f"Noise as far from zero as in this count has probability {_rare(rare)}: it can hardly have come "
               "from this true count.")
    yield _coverage(study, found)
    yield _invalid(found)
    yield _error(found)
    yield (f"For one person: someone who was 50 : 50 about your answer is at most {even_odds(study.epsilon)} after the "
           f"release, at ε = {safely(study.epsilon)}; what is believed of the rate afterwards costs no more privacy.")


def _count(study: Study, found: Found) -> str:
    true, released = found[v.TRUE_YES, None].value, found[v.NOISY_COUNT, None].value
    number = significant(released, 7)
    release = f"{number} was released" if study.release == "given" else f"the release drawn for it is {number}"
    said = f"The true count is {grouped(true)} of {people(study.people)}, and {release}"
    deserved, level = found[v.DESERVED, f.CLAMPED].value, study.level
    interval = _interval(found[v.INTERVAL_LOW, f.CLAMPED].value, found[v.INTERVAL_HIGH, f.CLAMPED].value)
    if (v.RATE_MEAN, f.NAIVE) in found:
        said += "; taken at its word"
    else:
        side = "b′ = b + n − c" if released > 0 else "a′ = a + c"
        said += f", so {side} is not positive and there is no naive posterior; moved into its range"
    if deserved >= _nearly(level):
        return f"{said}, it deserves the {percent(level)} that it claims for the interval {interval}."
    return f"{said}, it claims {percent(level)} for the interval {interval}, which deserves {_deserved(deserved)}."


def _nearly(level: float) -> float:
    """What is as good as the level: a fifth more misses."""
    return level - (1 - level) / 5


def _interval(low: float, high: float) -> str:
    """Both ends with digits enough to tell them apart."""
    width = max((high - low) / max(high, 1e-300), 1e-12)
    digits = max(3, 2 - math.floor(math.log10(width)))
    return f"[{significant(low, digits)}, {significant(high, digits)}]"


def _coverage(study: Study, found: Found) -> str:
    clamped, level = found[v.COVERAGE, f.CLAMPED].value, study.level
    naive = found[v.COVERAGE, f.NAIVE].value
    apart = "" if clamped - naive < 1e-3 else f"the naive one, which does not always exist, in {percent(naive)}, "
    exact = f"{apart}the noise-aware one in {percent(level)} exactly, if the rate comes from the prior"
    if clamped >= _nearly(level):
        return (f"Noise matters little here: over many releases the clamped {percent(level)} interval holds the rate "
                f"in {percent(clamped)} of cases, {exact}.")
    return (f"Over many releases the clamped {percent(level)} interval is over-confident and holds the rate in "
            f"{percent(clamped)} of cases, {exact}.")


def _invalid(found: Found) -> str:
    here, overall = found[v.INVALID, f.NAIVE].value, found[v.INVALID_OVERALL, f.NAIVE].value
    return (f"There is no naive posterior after {_share(here)} of this true count, and after {_share(overall)} over "
            "all rates of the prior; moving the count into [0, n] is free, as the noise-aware posterior is the same "
            "for all counts below 0, and for all above n.")


def _share(probability: float) -> str:
    return f"{percent(probability)} of releases" if probability >= 1e-6 else "less than one in a million releases"


def _rare(probability: float) -> str:
    return significant(probability) if probability > 1e-300 else "below 1e-300"


def _deserved(share: float) -> str:
    return percent(share) if share >= 1e-6 else f"less than 0.0001{THIN}%"


def _error(found: Found) -> str:
    aware, truth = found[v.RATE_SD, f.AWARE].value, found[v.RATE_SD, f.TRUTH].value
    mean = found[v.RATE_MEAN, f.AWARE].value
    without = "as it would be" if 0.98 < aware / truth < 1.02 else f"where it would be ± {significant(truth)}"
    return (f"For the analyst: given this count the rate is {significant(mean)} ± {significant(aware)} (sd), {without} "
            "without noise. Noise and sample weigh alike at ε = "
            f"{significant(found[v.EVEN_EPSILON, None].value)}.")
