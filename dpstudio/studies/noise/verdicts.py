"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import odds, odds_before, safely, significant
from dpstudio.studies.noise import figures as f
from dpstudio.studies.noise.compare import Query

if TYPE_CHECKING:
    from dpstudio.studies.noise import Noise as Study

Found = Mapping[tuple[str, Series | None], Fact]
_SAME = 1e-9


def verdicts_of(study: Study, asked: Query, facts: Sequence[Fact]) -> tuple[str, ...]:
    found = {(fact.key, fact.series): fact for fact in facts}
    return tuple(_sentences(study, asked, found))


def _sentences(study: Study, asked: Query, found: Found) -> Iterator[str]:
    yield _error(study, found)
    yield _risk(study, found)
    if study.delta > 0:
        yield _printed(study, found)
        yield from _classical(study, found)
    else:
        yield "Gaussian noise needs δ > 0: with δ = 0 no σ is large enough, for its tails always tell a little more."
    yield from _odd(study, asked)


def _value(found: Found, quantity: v.Quantity, series: Series) -> float:
    return found[quantity.key, series].value


def _error(study: Study, found: Found) -> str:
    """Which noise is the smallest, and by how far it is off."""
    quantity = v.ERROR_95 if study.dimension == 1 else v.RMS_ERROR
    errors = {series: _value(found, quantity, series) for series in f.LEAST if (quantity.key, series) in found}
    best = min(errors, key=lambda series: errors[series])
    rest = [f"{_name(series)} {significant(error, 4)}" for series, error in errors.items() if series is not best]
    measure = ("95 % of its answers are off by at most" if study.dimension == 1
               else f"over {significant(study.dimension)} coordinates its answer is typically off by")
    reach = f"{measure} {significant(errors[best], 4)}" if errors[best] > 0 else "95 % of its answers are exact"
    against = f" ({', '.join(rest)})" if rest else ""
    return (f"For the analyst: at ε = {significant(study.epsilon)}{_with_delta(study)} {_name(best)} noise is best; "
            f"{reach}{against}.")


def _with_delta(study: Study) -> str:
    return f" and δ = {significant(study.delta)}" if study.delta > 0 else ""


def _name(series: Series) -> str:
    return {f.LAPLACE: "Laplace", f.GEOMETRIC: "geometric", f.GAUSSIAN: "Gaussian"}[series]


def _printed(study: Study, found: Found) -> str:
    times, sigma = _value(found, v.TOO_MUCH, f.PRINTED), _value(found, v.NOISE_SCALE, f.PRINTED)
    kept = _value(found, v.TRUE_DELTA, f.PRINTED)
    if kept > study.delta * (1 + _SAME):
        return (f"Seed 004’s σ = {significant(sigma)} is too small here: it keeps δ = {safely(kept)}, not "
                f"{significant(study.delta)}.")
    return (f"Seed 004’s σ = {significant(sigma)} lacks a square root: it is safe, but {significant(times)} times the "
            "noise that is needed.")


def _classical(study: Study, found: Found) -> Iterator[str]:
    kept, times = _value(found, v.TRUE_DELTA, f.CLASSICAL), _value(found, v.TOO_MUCH, f.CLASSICAL)
    if kept > study.delta * (1 + _SAME):
        yield (f"The classical σ is no guarantee at ε = {significant(study.epsilon)}: it keeps δ = {safely(kept)}, not "
               f"{significant(study.delta)}.")
    elif study.epsilon >= 1:
        yield (f"The classical σ is proved for ε < 1 only; here it happens to hold, with {significant(times)} times "
               "the noise that is needed.")


def _risk(study: Study, found: Found) -> str:
    most = odds(_value(found, v.BELIEF_MOST, f.LAPLACE))
    sentence = (f"For one person: someone who was {odds_before(study.belief)} about a record is at most {most} after "
                "any answer with Laplace noise.")
    if study.delta > 0:
        common, beyond = _value(found, v.POSTERIOR_95, f.GAUSSIAN), _value(found, v.LOSS_EXCEEDS, f.GAUSSIAN)
        sentence += (f" With Gaussian noise 95 % of the answers lead to at most {odds(common)}, but a share of "
                     f"{safely(beyond)}, which is more than δ, lead past {most}.")
    return sentence


def _odd(study: Study, asked: Query) -> Iterator[str]:
    """Values that are legal and surprising, explained."""
    if study.sensitivity_l2 > study.sensitivity:
        yield (f"No change is longer in ℓ₂ than in ℓ₁, so Δ₁ = {significant(study.sensitivity)} makes Δ₂ = "
               f"{significant(study.sensitivity_l2)} needlessly large; {significant(asked.l2)} is used.")
    if asked.l1 < study.sensitivity:
        root = "Δ₂" if study.dimension == 1 else "√d·Δ₂"
        yield (f"In {_dimensions(study.dimension)} a change is in ℓ₁ at most {root}, so Δ₁ = "
               f"{significant(study.sensitivity)} is needlessly large; {significant(asked.l1)} is used.")
    if not asked.whole:
        yield (f"Whole-numbered answers move by whole numbers: below Δ = 1 (here {significant(asked.l2)}) they cannot "
               "move at all, so geometric noise is left out.")
    elif asked.whole < asked.l1 * (1 - _SAME):
        yield (f"Geometric noise is for whole-numbered answers, which here move by at most {asked.whole} in ℓ₁; the "
               "others serve any answer.")
    if asked.l2 < asked.l1 * (1 - _SAME):
        yield ("ℓ₂ is smaller than ℓ₁: Gaussian noise is measured against ℓ₂ alone, and what is said of an attack on "
               "Laplace noise is a bound.")


def _dimensions(d: int) -> str:
    return "one dimension" if d == 1 else f"{significant(d)} dimensions"
