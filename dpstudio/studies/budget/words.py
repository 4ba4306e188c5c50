"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, found_once, part, sentence
from dpstudio.studies import budget as f
from dpstudio.studies.budget.answer import BudgetAnswer
from dpstudio.studies.budget.compared import literal_advanced
from dpstudio.studies.kit.choosing import spoken_of
from dpstudio.text.language import phrase
from dpstudio.text.sentences import SaidBoth, beside, grouped, listed, recommended, safely

MOST_SENTENCES = 7
_SEEN = 1.005
"""An account that is less above the exact one is as good."""
_NAMES = {f.BASIC: "basic composition", f.ADVANCED: "advanced composition",
          f.SIMPLE: "closed-form composition", f.OPTIMAL: "optimal composition",
          f.GAUSSIAN: "Gaussian releases", f.ZCDP: "zCDP", f.RENYI: "Rényi DP"}


# Whether the releases may be made: their least ε at the budget’s δ decides, whatever slack the curves are given

def suggested(a: BudgetAnswer) -> Series | None:
    """Optimal composition, which shows whatever holds of all such releases; None where that is too much."""
    return f.OPTIMAL if a.get(f.OPTIMAL).fits(a.study.releases) else None


def _spoken(a: BudgetAnswer) -> Series:
    return spoken_of(a, f.OPTIMAL)


def _is_exact(a: BudgetAnswer) -> bool:
    """Whether what is spoken of decides itself; another account may only be too weak."""
    return bool(a.get(_spoken(a)).least_how)


@found_once
def _fits(a: BudgetAnswer) -> bool:
    return a.get(_spoken(a)).fits(a.study.releases) if _is_exact(a) else a.allowed(_spoken(a))


def _at_budget(a: BudgetAnswer, series: Series) -> float | None:
    """The ε of all releases at the budget’s δ, by an account; None where it shows none."""
    fact = a.fact(v.LEAST_TOTAL, series)
    return fact.value if fact else None


@found_once
def _least(a: BudgetAnswer) -> SaidBoth:
    """The ε of all releases, and the budget."""
    least = _at_budget(a, _spoken(a))
    assert least is not None
    return beside((min if _fits(a) else max)(least, a.study.budget), a.study.budget)


def _are_many(a: BudgetAnswer) -> bool:
    return a.study.releases > 1


def _most(a: BudgetAnswer, of: Series) -> int:
    """How many such releases the budget is enough for, by an account that computes it."""
    return a.get(of).most_within


def _number(most: float) -> str:
    return grouped(most) if most < f.MOST_COUNTED else phrase("{number} or more", number=grouped(f.MOST_COUNTED))


def _left(a: BudgetAnswer) -> str:
    """How many more may follow, as far as they are counted."""
    most, k = _most(a, _spoken(a)), a.study.releases
    if most == k:
        return phrase("no more")
    number = grouped(most - k)
    return phrase("{number} or more" if most == f.MOST_COUNTED else "{number} more", number=number)


def _beside(a: BudgetAnswer) -> str:
    """What others show: the best account, the plainest one, and releases of another kind."""
    others = {each: found for each in (f.OPTIMAL, f.BASIC, f.GAUSSIAN)
              if each != _spoken(a) and (found := _at_budget(a, each)) is not None}
    said = [phrase("{name} would cost ε = {least}" if each == f.GAUSSIAN else "{name} shows ε = {least}",
                   name=phrase(_NAMES[each]), least=safely(found)) for each, found in others.items()]
    return listed(said) if said else ""


_CHOSEN = part("You chose {name}", when=lambda a: a.decided is not None, name=lambda a: phrase(_NAMES[_spoken(a)]))
_THESE: Fillings = {
    "you": (part("{chosen} and", when=lambda a: a.decided is not None, chosen=_CHOSEN), part("You")),
    "do": (part("{chosen}, but do", when=lambda a: a.decided is not None, chosen=_CHOSEN), part("Do")),
    "these": (part("these {releases|whole} releases", when=_are_many), part("this release")),
    "sample": part(" on {drawn} (q = {rate|near})", when=lambda a: a.study.rate != 1,
                   drawn=(part("samples", when=_are_many), part("a sample"))),
    "least": _least,
    "unless": part("{unless_all} Gaussian noise", unless_all=(
        part(" unless all use", when=_are_many), part(" unless it uses")), when=lambda a: a.decided is None and bool(
        (one := a.one(f.GAUSSIAN)) and one.fits(a.study.releases))),
    "they_cost": (part("together they cost", when=_are_many), part("it costs")),
    "they": (part("together they", when=_are_many), part("it")), "them": (part("them", when=_are_many), part("it")),
    "follow": part(", and {left} may follow", left=_left,
                   when=lambda a: _is_exact(a) and a.study.releases < f.MOST_COUNTED)}
_COSTS = "ε = {least.one} at δ = {budget_delta|up}; the budget is ε = {least.other}"


# How many are allowed, and what says nothing here

def _budget(a: BudgetAnswer) -> str:
    """As it was chosen."""
    return recommended(a.study.budget, lambda said: said == a.study.budget)


def _others(a: BudgetAnswer) -> str:
    ways = {f.BASIC: phrase("by basic composition"), f.GAUSSIAN: phrase("with Gaussian noise")}
    most = {series: _most(a, series) for series in (f.OPTIMAL, *ways) if a.one(series)}
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


_PERSON = "A person with {group_size|whole} records has ε = {group_epsilon|up}"

SENTENCES: Sentences[BudgetAnswer, object] = (
    (sentence("too_weak", "You chose {name}, too weak to show that you may make {these}: it {shows}; the budget "
              "is ε = {budget} and δ = {budget_delta|up}.", _THESE, budget=_budget,
              when=lambda a: not _is_exact(a) and not _fits(a), name=lambda a: phrase(_NAMES[_spoken(a)]),
              shows=lambda a: a.spends(_spoken(a))),
     sentence("never", "{do} not make {these}{sample}{unless}: at δ = {budget_delta|up} no ε holds for {them}; use a "
              "smaller δ per release.", _THESE, when=lambda a: _is_exact(a) and a.get(_spoken(a)).least is None),
     sentence("may", "{you} may make {these}{sample}: {they_cost} at most " + _COSTS + "{follow}.", _THESE, when=_fits),
     sentence("may_not", "{do} not make {these}{sample}{unless}: {they} may cost " + _COSTS + ".", _THESE)),
    sentence("runner_up", "At the same δ {beside}.", when=lambda a: bool(_beside(a)), beside=_beside),
    sentence("risk", "{risk}", risk=lambda a: a.risk(_spoken(a))),
    (sentence("error_of_sample", "At ε = {epsilon|near} the noise in a count of the sample puts a count of everybody "
              "off by at most {count_error_95|up} in 95 % of releases; sampling adds to that.",
              when=lambda a: a.study.rate < 1),
     sentence("error", "A count with Laplace noise at ε = {epsilon|near} is within ±{count_error_95|up} in 95 % of "
              "releases.")),
    sentence("reach", "The budget of ε = {budget} and δ = {budget_delta|near} is {enough} such release{s}"
             "{against}.", budget=_budget,
             enough=(part("not enough for one", when=lambda a: not _most(a, f.OPTIMAL)),
                     part("enough for {most}", most=lambda a: (
                         phrase("one") if _most(a, f.OPTIMAL) == 1 else _number(_most(a, f.OPTIMAL))))),
             s=part("s", when=lambda a: _most(a, f.OPTIMAL) > 1),
             against=part(" ({others})", when=lambda a: bool(_others(a)), others=_others)),
    (sentence("advanced_is_nothing", "kδ + δ′, the δ of advanced composition and of the Gaussian account, is 1 or "
              "more: they guarantee nothing, and so many releases need a smaller δ.",
              when=lambda a: a.releases.releases * a.releases.delta + a.releases.slack >= 1),
     sentence("too_much_slack", "Slack δ′ = {slack|near} alone is more than the budget’s δ: of the curves only basic "
              "composition needs none.{none}", _AND_NONE, when=lambda a: a.study.slack > a.study.budget_delta),
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
    (sentence("group_of_one", "With g = 1 the guarantee is that of one record; a person with several records is a "
    "group.", when=_is_alone),
     sentence("pure_group", _PERSON + " per release, and δ stays {rest}.", when=lambda a: not a.group[f.TIGHT],
              rest=(part("0", when=lambda a: a.releases.delta == 0), part("below 1e−300"))),
     sentence("group", _PERSON + " and δ = {group_delta:generalized|up} per release; the sum gδ {printed}{text}.",
              printed=(part("is enough here", when=lambda a: _formula(a) >= 1),
                       part("is too small by a factor of {short|near}", when=lambda a: _formula(a) < 0.995,
                            short=lambda a: 1 / _formula(a)),
                       part("is slightly too small")),
              text=part(", the bound g e^(gε) δ too large by a factor of {long}", when=lambda a: _text(a) >= 1.005,
                        long=(part("more than a million", when=lambda a: _text(a) > 1e6),
                              part("{group_cost:printed|near}"))))),
    # How far above the optimal one the accounts of zCDP and Rényi are, where that can be seen.
    sentence("modern", "At δ = {total_delta:optimal|up} zCDP shows ε = {total_epsilon:zcdp|up}, "
             "{over_exact:zcdp|as many} the {least} total, and Rényi DP ε = {total_epsilon:renyi|up}, "
             "{renyi}.", when=_is_seen,
             renyi=(part("{over_exact:renyi|as many}", when=lambda a: a.value(v.OVER_EXACT, f.RENYI) >= 1.005),
                    part("hardly more")),
             least=(part("exact", when=lambda a: a.study.rate == 1), part("optimal"))),
)
