"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import grouped, odds, safely, significant, updated
from dpstudio.studies.budget import figures as f
from dpstudio.studies.budget.compare import Total, literal_advanced

if TYPE_CHECKING:
    from dpstudio.studies.budget import Budget as Study


def verdicts_of(study: Study, found: Mapping[Series, Total], facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, found, {(fact.key, fact.series): fact.value for fact in facts}))


def _sentences(study: Study, found: Mapping[Series, Total],
               facts: Mapping[tuple[str, Series | None], float]) -> Iterator[str]:
    k, best = grouped(study.releases), found[f.OPTIMAL]
    left = study.budget - best.epsilon
    over = (f"{significant(left)} of the allowed {significant(study.budget)} is left" if left >= 0
            else f"that is {significant(-left)} more than the allowed {significant(study.budget)}")
    yield (f"{k} {_releases(study.releases)} at ε = {significant(study.epsilon)} come to ε = {safely(best.epsilon)} at "
           f"δ = {safely(best.delta)}, where basic composition says {significant(found[f.BASIC].epsilon)}: {over}.")
    literal = literal_advanced(study)
    if literal is None:
        yield "Without slack δ′ there is nothing to trade: basic composition is optimal, and advanced has no meaning."
    elif literal >= found[f.BASIC].epsilon:
        yield (f"The advanced bound would say {significant(literal)}, more than basic composition’s "
               f"{significant(found[f.BASIC].epsilon)}; the smaller of the two is shown.")
    if study.delta == 0:
        yield "Gaussian noise is not shown: no release with it is (ε, 0)-private."
    elif study.releases * study.delta + study.slack >= 1:
        yield ("kδ + δ′ has reached 1: that promises nothing any more, however small ε is, and a smaller δ is needed "
               "for so many releases.")
    yield _risk(best)
    yield _group(study, facts)


def _releases(k: int) -> str:
    return "release" if k == 1 else "releases"


def _risk(best: Total) -> str:
    after = odds(updated(0.5, best.epsilon))
    extra = f", but for a probability of {safely(best.delta)}" if best.delta > 0 else ""
    stands = f"is at most {after}" if ":" in after else "may be practically certain"
    return f"For one person: someone who was 50 : 50 about a record {stands} after seeing all of it{extra}."


def _group(study: Study, facts: Mapping[tuple[str, Series | None], float]) -> str:
    size = grouped(study.group_size)
    if study.group_size == 1:
        return "A group of one record is the definition itself; one person with several records is a group of those."
    start = f"Whoever has {size} records has ε = {significant(facts[v.GROUP_EPSILON.key, None])}"
    if (v.GROUP_COST.key, f.TEXT) not in facts:
        return f"{start} from the same release, and δ stays {'0' if study.delta == 0 else 'below 1e-300'}."
    tight = facts[v.GROUP_DELTA.key, f.TIGHT]
    text, formula = (facts[v.GROUP_COST.key, series] for series in (f.TEXT, f.FORMULA))
    false = (f"its formula gδ = {significant(facts[v.GROUP_DELTA.key, f.FORMULA])} is false, "
             f"{significant(1 / formula)} times too small" if 0 < formula < 1 else
             "its formula gδ is no bound in general")
    return (f"{start} and δ = {safely(tight)} from the same release; Seed 004’s text says {significant(text)} times "
            f"that, and {false}.")


def reached(study: Study, reach: Sequence[Fact]) -> str:
    counts = {fact.series: int(fact.value) for fact in reach}
    gaussian = f", with Gaussian noise {grouped(counts[f.GAUSSIAN])}" if f.GAUSSIAN in counts else ""
    return (f"The allowed ε = {significant(study.budget)} is enough for {grouped(counts[f.BASIC])} such releases by "
            f"basic composition and for {grouped(counts[f.OPTIMAL])} by the optimal one{gaussian} (counted up to "
            "10 000).")


def missing_library(study: Study, planned: int) -> str:
    if not planned:
        return "The plan is empty: it spends nothing."
    if study.slack == 0:
        return "Without δ′ the plan is added up by basic composition; Gaussian releases then have no finite ε."
    return ("The plan is shown by bounds that need no library; install dpstudio[accounting] to have unlike releases "
            "accounted for together.")
