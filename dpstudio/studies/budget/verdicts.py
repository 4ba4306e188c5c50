"""What a person should take away, in plain sentences made from the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.core.sentences import even_odds, grouped, safely, significant
from dpstudio.studies.budget import MOST_COUNTED
from dpstudio.studies.budget import figures as f
from dpstudio.studies.budget.compare import Total, literal_advanced

if TYPE_CHECKING:
    from dpstudio.studies.budget import Budget as Study

_SAME = 1e-9


def verdicts_of(study: Study, found: Mapping[Series, Total], facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(_sentences(study, found, {(fact.key, fact.series): fact.value for fact in facts}))


def _sentences(study: Study, found: Mapping[Series, Total],
               facts: Mapping[tuple[str, Series | None], float]) -> Iterator[str]:
    k, best = grouped(study.releases), found[f.OPTIMAL]
    left = f": {_left(study, best)}" if best.delta < 1 - _SAME else ""
    yield f"{_sum(study, best, found[f.BASIC].epsilon)}{left}."
    yield _risk(best)
    yield (f"For the analyst: a count with Laplace noise at ε = {significant(study.epsilon)} is off by at most "
           f"{significant(facts[v.COUNT_ERROR_95.key, None])} in 95 % of releases.")
    literal = literal_advanced(study)
    if literal is None:
        rest = "advanced has" if study.delta > 0 else "advanced and Gaussian composition have"
        yield f"Without slack δ′ there is nothing to trade: basic composition is optimal, and {rest} no meaning."
    elif literal >= found[f.BASIC].epsilon and study.releases > 1:
        yield (f"The formula of advanced composition says {significant(literal)} for these {k} releases, more than "
               "basic composition; the smaller of the two is shown.")
    if study.delta == 0 and literal is not None:
        yield "Gaussian noise is not shown: no release with it is (ε, 0)-private."
    if study.releases * study.delta + study.slack >= 1:
        yield ("kδ + δ′, which advanced composition spends, has reached 1: it promises nothing any more, however small "
               "ε is, and so many releases need a smaller δ.")
    yield _group(study, facts)


def _sum(study: Study, best: Total, basic: float) -> str:
    start = "1 release" if study.releases == 1 else f"{grouped(study.releases)} releases"
    costs = "costs" if study.releases == 1 else "add up to"
    total, plain = safely(best.epsilon), significant(basic)
    less = f", not to {plain}," if total != plain else ""
    return f"{start} at ε = {significant(study.epsilon)} {costs} ε = {total}{less} at δ = {safely(best.delta)}"


def _left(study: Study, best: Total) -> str:
    left = study.budget - best.epsilon
    return (f"{significant(left)} of the allowed {significant(study.budget)} is left" if left >= 0
            else f"{significant(-left)} more than the allowed {significant(study.budget)}")


def _risk(best: Total) -> str:
    if best.delta >= 1 - _SAME:
        return "For one person: with δ = 1 nothing is promised, whatever ε is."
    extra = f", but for an accident of probability {safely(best.delta)}" if best.delta > 0 else ""
    return (f"For one person: someone who was 50 : 50 about a record is at most {even_odds(best.epsilon)} after seeing "
            f"all of it{extra}.")


def _group(study: Study, facts: Mapping[tuple[str, Series | None], float]) -> str:
    size = grouped(study.group_size)
    if study.group_size == 1:
        return "A group of one record is the definition itself; one person with several records is a group of those."
    start = f"Whoever has {size} records is promised only ε = {significant(facts[v.GROUP_EPSILON.key, None])}"
    if (v.GROUP_COST.key, f.TEXT) not in facts:
        return f"{start} by one release, and δ stays {'0' if study.delta == 0 else 'below 1e-300'}."
    tight = facts[v.GROUP_DELTA.key, f.TIGHT]
    text, formula = (facts[v.GROUP_COST.key, series] for series in (f.TEXT, f.FORMULA))
    said = significant(facts[v.GROUP_DELTA.key, f.FORMULA])
    short = f", {significant(1 / formula)} times too small" if 0 < formula < 0.995 else ", if only just"
    false = f"Seed 004’s formula gδ = {said} is false{short}" if 0 < formula < 1 else (
        f"Seed 004’s formula gδ = {said} is no bound in general")
    much = "far" if text > 1e6 else f"{significant(text)} times"
    long = f", its text {much} too large" if text >= 1.005 else ""
    return f"{start} and δ = {safely(tight)} by one release. {false}{long}."


def reached(study: Study, found: Sequence[Fact]) -> str:
    counts = {fact.series: fact.value for fact in found}
    others = [f"{_number(counts[series])} {how}" for series, how in
              ((f.BASIC, "by basic composition"), (f.GAUSSIAN, "with Gaussian noise"))
              if series in counts and counts[series] != counts[f.OPTIMAL]]
    against = f" ({', '.join(others)})" if others else ""
    return (f"The allowed ε = {significant(study.budget)} is enough for {_number(counts[f.OPTIMAL])} such "
            f"releases{against}.")


def _number(most: float) -> str:
    return grouped(most) if most < MOST_COUNTED else f"{grouped(MOST_COUNTED)} or more"


def missing_library(study: Study, planned: int) -> str:
    if not planned:
        return "The plan is empty: it spends nothing."
    if study.slack == 0:
        return "Without δ′ the plan is added up by basic composition; Gaussian releases then have no finite ε."
    return ("The plan is shown by bounds that need no library; install dpstudio[accounting] to have unlike releases "
            "accounted for together.")
