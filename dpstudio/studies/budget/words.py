"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, found_once, part, sentence
from dpstudio.studies import budget as f
from dpstudio.studies.budget.answer import BudgetAnswer
from dpstudio.studies.budget.compared import literal_advanced
from dpstudio.text.sentences import SaidBoth, beside, even_odds, grouped

MOST_SENTENCES = 6
_SEEN = 1.005
"""An account that is less above the exact one is as good."""
_RARE = 0.05
"""Odds that are exceeded more often than this are no promise: others are told."""


# Whether the releases may be made: their least ε at the allowed δ decides, whatever slack the curves are given

@found_once
def _fits(a: BudgetAnswer) -> bool:
    return bool(a.get(f.OPTIMAL).fits(a.study.releases))


@found_once
def _least(a: BudgetAnswer) -> SaidBoth:
    """The least ε of all releases, and the one that is allowed."""
    least = a.get(f.OPTIMAL).least
    assert least is not None
    return beside((min if _fits(a) else max)(least, a.study.budget), a.study.budget)


def _are_many(a: BudgetAnswer) -> bool:
    return a.study.releases > 1


_UNLESS = part(", unless all of them use Gaussian noise",
               when=lambda a: bool((one := a.one(f.GAUSSIAN)) and one.fits(a.study.releases)))
_THESE: Fillings = {
    "these": (part("these {releases|whole} releases", when=_are_many), part("this release")),
    "sample": part(", {each}on a sample of q = {rate|near}", when=lambda a: a.study.rate != 1,
                   each=part("each ", when=_are_many)),
    "least": _least, "unless": _UNLESS,
    "they_cost": (part("together they cost", when=_are_many), part("it costs")),
    "they": (part("together they", when=_are_many), part("it")), "them": lambda a: "them" if _are_many(a) else "it"}
_COSTS = "ε = {least.one} at δ = {budget_delta|up}; the budget is ε = {least.other}"


# What they do to the odds of who knows all other records

@found_once
def _beyond(a: BudgetAnswer) -> float:
    return a.value(v.LOSS_EXCEEDS, f.OPTIMAL)


def _most_odds(a: BudgetAnswer) -> str:
    return even_odds(a.releases.releases * a.releases.epsilon)


def _never_more(a: BudgetAnswer) -> bool:
    """Whether no loss is above kε, ever, and that is what is to be said."""
    return a.releases.delta == 0 and (_beyond(a) > _RARE or _most_odds(a) == even_odds(a.get(f.OPTIMAL).epsilon))


def _tells(a: BudgetAnswer) -> float:
    """The probability that a release tells all."""
    return -math.expm1(a.releases.releases * math.log1p(-a.releases.delta))


def _rare(a: BudgetAnswer) -> float:
    """The probability with which a loss exceeds kε + s, at an s that is worth saying."""
    total = a.get(f.OPTIMAL).delta
    return total if 2 * _tells(a) <= total <= _RARE else 2 * _tells(a)


def _odds_but_rarely(a: BudgetAnswer) -> str:
    return even_odds(a.releases.releases * a.releases.epsilon - math.log1p(-_tells(a) / _rare(a)))


# How many are allowed, and what says nothing here

def _most(a: BudgetAnswer) -> dict[Series, float]:
    return {series: one.most_within for series in (f.BASIC, f.OPTIMAL, f.GAUSSIAN) if (one := a.one(series))}


def _number(most: float) -> str:
    return grouped(most) if most < f.MOST_COUNTED else f"{grouped(f.MOST_COUNTED)} or more"


def _others(a: BudgetAnswer) -> str:
    most = _most(a)
    ways = {f.BASIC: "by basic composition", f.GAUSSIAN: "with Gaussian noise"}
    return ", ".join(f"{_number(most[series])} {how}" for series, how in ways.items()
                     if series in most and most[series] != most[f.OPTIMAL])


def _formula_is_no_less(a: BudgetAnswer) -> bool:
    literal = literal_advanced(a.releases)
    return literal is not None and literal >= a.value(v.TOTAL_EPSILON, f.BASIC) and a.releases.releases > 1


_NO_GAUSSIAN = (
    part("Gaussian noise is left out: no release with it has δ = 0.", when=lambda a: a.study.delta == 0),
    part("Gaussian noise is left out: on a sample it does not add up to Gaussian noise.",
         when=lambda a: a.study.rate < 1))
_AND_NONE: Fillings = {"none": part(" {no_gaussian}", when=lambda a: a.study.delta == 0 or a.study.rate < 1,
                                  no_gaussian=_NO_GAUSSIAN)}


# A person with several records

def _is_alone(a: BudgetAnswer) -> bool:
    return a.study.group_size == 1


def _text(a: BudgetAnswer) -> float:
    return a.value(v.GROUP_COST, f.TEXT)


def _formula(a: BudgetAnswer) -> float:
    return a.value(v.GROUP_COST, f.FORMULA)


def _is_seen(a: BudgetAnswer) -> bool:
    """Whether the accounts of zCDP and Rényi are seen to be above the optimal one."""
    found = [a.fact(v.OVER_EXACT, series) for series in (f.ZCDP, f.RENYI)]
    return max((each.value for each in found if each), default=0.0) >= _SEEN and all(found)


_RISK = {"risk": lambda a: a.risk(f.OPTIMAL)}
_PERSON = "A person with {group_size|whole} records is promised only ε = {group_epsilon|up}"

SENTENCES: Sentences[BudgetAnswer, object] = (
    (sentence("never", "Do not make {these}{sample}: at δ = {budget_delta|up} no ε holds for {them}; use a smaller "
              "δ per release{unless}.", _THESE, when=lambda a: a.get(f.OPTIMAL).least is None),
     sentence("may", "You may make {these}{sample}: {they_cost} at most " + _COSTS + ".", _THESE, when=_fits),
     sentence("may_not", "Do not make {these}{sample}: {they} may cost " + _COSTS + "{unless}.", _THESE)),
    # Without δ no loss is above kε, ever. Else none is above the total ε but with the probability of an event that is
    # e^ε times as likely with the record as without. Where that is no rare one, no loss is above kε + s but with
    # probability D/(1 − e^−s), D that of a release that tells all: of an event above e^s e^(kε), D is at least the part
    # 1 − e^−s.
    (sentence("risk_never", "{risk} Even odds become at most {most}, whatever the releases say.", _RISK,
              when=_never_more, most=_most_odds),
     sentence("risk_of_total", "{risk} Even odds become at most {odds}, except with probability {rare|up} at most"
              "{never}.", _RISK, when=lambda a: _beyond(a) <= _RARE, odds=lambda a: even_odds(a.get(f.OPTIMAL).epsilon),
              rare=_beyond, never=part("; never more than {most}", when=lambda a: a.releases.delta == 0,
                                       most=_most_odds)),
     sentence("risk_of_some", "{risk} Even odds become at most {odds}, except with probability {rare|up} at most.",
              _RISK, when=lambda a: _rare(a) <= _RARE, odds=_odds_but_rarely, rare=_rare),
     sentence("risk_of_all", "{risk} With a probability of up to {tells|up} a release tells all about the record.",
              _RISK, tells=_tells)),
    (sentence("error_of_sample", "For the analyst: noise for ε = {epsilon|near} in a count of the sample puts a count "
              "of everybody off by at most {count_error_95|up} in 95 % of releases, and who was drawn puts it off "
              "further.", when=lambda a: a.study.rate < 1),
     sentence("error", "For the analyst: a count with Laplace noise at ε = {epsilon|near} is off by at most "
              "{count_error_95|up} in 95 % of releases.")),
    sentence("reach", "The budget of ε = {budget|near} and δ = {budget_delta|near} is {enough} such release{s}"
             "{against}.",
             enough=(part("not enough for one", when=lambda a: not _most(a)[f.OPTIMAL]),
                     part("enough for {most}", most=lambda a: (
                         "one" if _most(a)[f.OPTIMAL] == 1 else _number(_most(a)[f.OPTIMAL])))),
             s=part("s", when=lambda a: _most(a)[f.OPTIMAL] > 1),
             against=part(" ({others})", when=lambda a: bool(_others(a)), others=_others)),
    (sentence("advanced_is_nothing", "kδ + δ′, the δ of advanced composition and of the Gaussian account, is 1 or "
              "more: they promise nothing, and so many releases need a smaller δ.",
              when=lambda a: a.releases.releases * a.releases.delta + a.releases.slack >= 1),
     sentence("too_much_slack", "Slack δ′ = {slack|near} alone is more than the allowed δ: of the curves only basic "
              "composition does without it.{none}", _AND_NONE, when=lambda a: a.study.slack > a.study.budget_delta),
     sentence("no_slack", "Without slack δ′ the curves save no ε: the optimal one is kε, as in basic composition, and "
              "the formula of advanced composition needs δ′ > 0.{none}", _AND_NONE,
              when=lambda a: literal_advanced(a.releases) is None),
     sentence("literal", "The formula of advanced composition says ε = {literal|near} for these {releases|whole} "
              "releases, no less than basic composition, which is shown instead.{none}", _AND_NONE,
              when=_formula_is_no_less, literal=lambda a: literal_advanced(a.releases)),
     sentence("no_gaussian", "{no_gaussian}", when=lambda a: a.study.delta == 0 or a.study.rate < 1,
              no_gaussian=_NO_GAUSSIAN)),
    (sentence("empty_plan", "The plan is empty: it spends nothing.", when=lambda a: not a.steps.size),
     sentence("plan_without_slack", "Without δ′ the plan is added up by basic composition; Gaussian releases then have "
              "no finite ε.", when=lambda a: a.study.slack == 0),
     sentence("no_library", "The plan is shown by bounds that need no library; install dpstudio[accounting] to have "
              "unlike releases accounted for together.", when=lambda a: not a.has_library)),
    (sentence("group_of_one", "A group of one record is the definition itself; one person with several records is a "
              "group of those.", when=_is_alone),
     sentence("pure_group", _PERSON + " by one release, and δ stays {rest}.", when=lambda a: not a.group[f.TIGHT],
              rest=lambda a: "0" if a.releases.delta == 0 else "below 1e−300"),
     sentence("group", _PERSON + " and δ = {group_delta:generalized|up} by one release; the printed gδ {printed}"
              "{text}.",
              printed=(part("holds here, if not elsewhere", when=lambda a: _formula(a) >= 1),
                       part("is {short|near} times too small", when=lambda a: _formula(a) < 0.995,
                            short=lambda a: 1 / _formula(a)),
                       part("is too small, if only just")),
              text=part(", g e^(gε) δ {long} times too large", when=lambda a: _text(a) >= 1.005, long=(
                  part("more than a million", when=lambda a: _text(a) > 1e6), part("{group_cost:printed|near}"))))),
    # How far above the optimal one the accounts of zCDP and Rényi are, where that can be seen.
    sentence("modern", "At δ = {total_delta:optimal|up} the account by zCDP says ε = {total_epsilon:zcdp|up}, "
             "{over_exact:zcdp|near} times the {least} total, and Rényi’s ε = {total_epsilon:renyi|up}, "
             "{over_exact:renyi|near} times.", when=_is_seen,
             least=lambda a: "exact" if a.study.rate == 1 else "optimal"),
)
