"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpstudio import vocabulary as v
from dpstudio.studies import budget as f
from dpstudio.studies.budget.answer import BudgetAnswer
from dpstudio.studies.budget.compared import literal_advanced
from dpstudio.text.sentences import beside, even_odds, grouped, safely, significant

MOST_SENTENCES = 6
_SEEN = 1.005
"""An account that is less above the exact one is as good."""
_RARE = 0.05
"""Odds that are exceeded more often than this are no promise: others are told."""


def sentences_of(a: BudgetAnswer, _: object = None) -> Iterator[str]:
    """The headline, the risk and the error, how many releases are allowed, and a few more."""
    yield _headline(a)
    yield _risk(a)
    yield _error(a)
    yield _reach(a)
    others = [*_missing(a), *_without_library(a), _group(a), *_modern(a)]
    yield from others[: MOST_SENTENCES - 4]


def _headline(a: BudgetAnswer) -> str:
    """Whether the releases may be made: their least ε at the allowed δ decides, whatever slack the curves are given."""
    study, best, gaussian = a.study, a.get(f.OPTIMAL), a.one(f.GAUSSIAN)
    k, many = study.releases, study.releases > 1
    sample = "" if study.rate == 1 else f", {'each ' * many}on a sample of q = {significant(study.rate)}"
    these = f"these {grouped(k)} releases{sample}" if many else f"this release{sample}"
    delta = safely(study.budget_delta)
    fits = best.fits(k)
    unless = ", unless all of them use Gaussian noise" if not fits and gaussian and gaussian.fits(k) else ""
    if best.least is None:
        return (f"Do not make {these}: at δ = {delta} no ε holds for {'them' if many else 'it'}; use a smaller δ per "
                f"release{unless}.")
    least, allowed = beside((min if fits else max)(best.least, study.budget), study.budget)
    costs = f"ε = {least} at δ = {delta}; the budget is ε = {allowed}"
    if fits:
        return f"You may make {these}: {'together they cost' if many else 'it costs'} at most {costs}."
    return f"Do not make {these}: {'together they' if many else 'it'} may cost {costs}{unless}."


def _modern(a: BudgetAnswer) -> Iterator[str]:
    """How far above the optimal one the accounts of zCDP and Rényi are, where that can be seen."""
    zcdp, renyi = ((a.value(v.TOTAL_EPSILON, series), found.value) if (found := a.fact(v.OVER_EXACT, series)) else None
                   for series in (f.ZCDP, f.RENYI))
    if zcdp and renyi and max(zcdp[1], renyi[1]) >= _SEEN:
        least = "exact" if a.study.rate == 1 else "optimal"
        yield (f"At δ = {safely(a.value(v.TOTAL_DELTA, f.OPTIMAL))} the account by zCDP says ε = {safely(zcdp[0])}, "
               f"{significant(zcdp[1])} times the {least} total, and Rényi’s ε = {safely(renyi[0])}, "
               f"{significant(renyi[1])} times.")


def _risk(a: BudgetAnswer) -> str:
    """Of all releases by the optimal account, and what they do to the odds of who knows all other records.

    Without δ no loss is above kε, ever. Else none is above the total ε but with the probability of an event that is e^ε
    times as likely with the record as without. Where that is no rare one, no loss is above kε + s but with probability
    D/(1 − e^−s), D that of a release that tells all: of an event above e^s e^(kε), D is at least the part 1 − e^−s.
    """
    study, best, risk = a.releases, a.get(f.OPTIMAL), a.risk(f.OPTIMAL)
    most = study.releases * study.epsilon
    beyond = a.value(v.LOSS_EXCEEDS, f.OPTIMAL)
    if study.delta == 0 and (beyond > _RARE or even_odds(most) == even_odds(best.epsilon)):
        return f"{risk} Even odds become at most {even_odds(most)}, whatever the releases say."
    if beyond <= _RARE:
        never = f"; never more than {even_odds(most)}" if study.delta == 0 else ""
        return (f"{risk} Even odds become at most {even_odds(best.epsilon)}, except with probability {safely(beyond)} "
                f"at most{never}.")
    tells = -math.expm1(study.releases * math.log1p(-study.delta))
    rare = best.delta if 2 * tells <= best.delta <= _RARE else 2 * tells
    if rare <= _RARE:
        odds = even_odds(most - math.log1p(-tells / rare))
        return f"{risk} Even odds become at most {odds}, except with probability {safely(rare)} at most."
    return f"{risk} With a probability of up to {safely(tells)} a release tells all about the record."


def _error(a: BudgetAnswer) -> str:
    if a.study.rate < 1:
        return (f"For the analyst: noise for ε = {significant(a.study.epsilon)} in a count of the sample puts a count "
                f"of everybody off by at most {safely(a.value(v.COUNT_ERROR_95))} in 95 % of releases, and who was "
                "drawn puts it off further.")
    return (f"For the analyst: a count with Laplace noise at ε = {significant(a.study.epsilon)} is off by at most "
            f"{safely(a.value(v.COUNT_ERROR_95))} in 95 % of releases.")


def _reach(a: BudgetAnswer) -> str:
    most = {series: a.get(series).most_within for series in (f.BASIC, f.OPTIMAL, f.GAUSSIAN) if a.one(series)}
    best = most[f.OPTIMAL]
    others = [f"{_number(most[series])} {how}" for series, how in
              ((f.BASIC, "by basic composition"), (f.GAUSSIAN, "with Gaussian noise"))
              if series in most and most[series] != best]
    against = f" ({', '.join(others)})" if others else ""
    enough = f"is enough for {'one' if best == 1 else _number(best)}" if best else "is not enough for one"
    return (f"The budget of ε = {significant(a.study.budget)} and δ = {significant(a.study.budget_delta)} {enough} "
            f"such release{'s' * (best > 1)}{against}.")


def _number(most: float) -> str:
    return grouped(most) if most < f.MOST_COUNTED else f"{grouped(f.MOST_COUNTED)} or more"


def _missing(a: BudgetAnswer) -> Iterator[str]:
    """What says nothing here, and why: one sentence at most, the gravest."""
    study = a.releases
    k, literal = grouped(study.releases), literal_advanced(study)
    none = (" Gaussian noise is left out: no release with it has δ = 0." if a.study.delta == 0 else
            " Gaussian noise is left out: on a sample it does not add up to Gaussian noise." if study.rate < 1 else "")
    if study.releases * study.delta + study.slack >= 1:
        yield ("kδ + δ′, the δ of advanced composition and of the Gaussian account, is 1 or more: they promise "
               "nothing, and so many releases need a smaller δ.")
    elif study.slack > study.budget_delta:
        yield (f"Slack δ′ = {significant(study.slack)} alone is more than the allowed δ: of the curves only basic "
               f"composition does without it.{none}")
    elif literal is None:
        yield ("Without slack δ′ the curves save no ε: the optimal one is kε, as in basic composition, and the formula "
               f"of advanced composition needs δ′ > 0.{none}")
    elif literal >= a.value(v.TOTAL_EPSILON, f.BASIC) and study.releases > 1:
        yield (f"The formula of advanced composition says ε = {significant(literal)} for these {k} releases, no less "
               f"than basic composition, which is shown instead.{none}")
    elif none:
        yield none.strip()


def _group(a: BudgetAnswer) -> str:
    study = a.study
    size = grouped(study.group_size)
    if study.group_size == 1:
        return "A group of one record is the definition itself; one person with several records is a group of those."
    start = f"A person with {size} records is promised only ε = {safely(a.value(v.GROUP_EPSILON))}"
    if not a.group[f.TIGHT]:
        return f"{start} by one release, and δ stays {'0' if a.releases.delta == 0 else 'below 1e−300'}."
    tight = a.value(v.GROUP_DELTA, f.TIGHT)
    text, formula = (a.value(v.GROUP_COST, series) for series in (f.TEXT, f.FORMULA))
    short = f"{significant(1 / formula)} times too small" if formula < 0.995 else "too small, if only just"
    printed = f"the printed gδ is {short}" if formula < 1 else "the printed gδ holds here, if not elsewhere"
    much = "more than a million times" if text > 1e6 else f"{significant(text)} times"
    long = f", g e^(gε) δ {much} too large" if text >= 1.005 else ""
    return f"{start} and δ = {safely(tight)} by one release; {printed}{long}."


def _without_library(a: BudgetAnswer) -> Iterator[str]:
    if not a.steps.size:
        yield "The plan is empty: it spends nothing."
    elif a.study.slack == 0:
        yield "Without δ′ the plan is added up by basic composition; Gaussian releases then have no finite ε."
    elif not a.has_library:
        yield ("The plan is shown by bounds that need no library; install dpstudio[accounting] to have unlike releases "
               "accounted for together.")
