"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import chance, even_odds, grouped, people, percent, safely, significant
from dpstudio.studies.posterior import figures as f

if TYPE_CHECKING:
    from dpstudio.studies.posterior import Posterior as Study

Found = Mapping[tuple[v.Quantity, Series | None], Fact]
CLOSE = 0.01
"""A coverage that is less than this below the level is as good as it."""


def verdicts_of(study: Study, facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, {(fact.quantity, fact.series): fact for fact in facts}))


def _sentences(study: Study, found: Found) -> Iterator[str]:
    yield _count(study, found)
    yield _coverage(study, found)
    yield _invalid(found)
    yield _error(found)
    yield (f"For one person: someone who was 50 : 50 about your answer is at most {even_odds(study.epsilon)} after the "
           f"release, at ε = {safely(study.epsilon)}; what is believed of the rate afterwards costs no more privacy.")


def _count(study: Study, found: Found) -> str:
    true, released = found[v.TRUE_COUNT, None].value, found[v.NOISY_COUNT, None].value
    said = f"Of {people(study.people)} {grouped(true)} are yeses, and {significant(released, 7)} was released"
    deserved, level = found[v.DESERVED, f.CLAMPED].value, study.level
    interval = (f"[{significant(found[v.INTERVAL_LOW, f.CLAMPED].value)}, "
                f"{significant(found[v.INTERVAL_HIGH, f.CLAMPED].value)}]")
    if (v.RATE_MEAN, f.NAIVE) not in found:
        side = "b′ = b + n − c" if released > 0 else "a′ = a + c"
        said += f", so {side} is not positive and there is no naive posterior; moved into its range"
    else:
        said += "; taken at its word"
    if deserved > level - CLOSE:
        return f"{said}, the count deserves about the {percent(level)} that its interval {interval} claims."
    return (f"{said}, the count claims {percent(level)} for the interval {interval}, which deserves "
            f"{_chance_in_percent(deserved)}.")


def _chance_in_percent(probability: float) -> str:
    return percent(probability) if probability >= 1e-3 else f"a probability of {chance(probability)}"


def _coverage(study: Study, found: Found) -> str:
    clamped, level = found[v.COVERAGE, f.CLAMPED].value, study.level
    exact = (f"the noise-aware one in {percent(level)} exactly, if the rate comes from the prior")
    if clamped > level - CLOSE:
        return (f"Noise matters little here: over many releases the clamped {percent(level)} interval holds the rate "
                f"in {percent(clamped)}, {exact}.")
    return (f"Over many releases the clamped {percent(level)} interval is over-confident and holds the rate in "
            f"{percent(clamped)} of cases, {exact}.")


def _invalid(found: Found) -> str:
    here, overall = found[v.INVALID, f.NAIVE].value, found[v.INVALID_OVERALL, f.NAIVE].value
    return (f"For this true count the noise leaves no naive posterior at all in {_share(here)} of releases, and in "
            f"{_share(overall)} over all rates of the prior; moving the count into [0, n] is free, as the noise-aware "
            "posterior is the same for all counts below 0, and for all above n.")


def _share(probability: float) -> str:
    return percent(probability) if probability >= 1e-6 else "hardly any (fewer than one in a million)"


def _error(found: Found) -> str:
    aware, truth = found[v.RATE_SD, f.AWARE].value, found[v.RATE_SD, f.TRUTH].value
    mean = found[v.RATE_MEAN, f.AWARE].value
    if aware < 1.02 * truth:
        price = f"the true count would give ± {significant(truth)} as well"
    else:
        price = f"with the true count it would be ± {significant(truth)} (sd)"
    return (f"For the analyst: given the count the rate is {significant(mean)} ± {significant(aware)} (sd); {price}. "
            f"Noise and sample weigh alike at ε = {significant(found[v.EVEN_EPSILON, None].value)}.")
