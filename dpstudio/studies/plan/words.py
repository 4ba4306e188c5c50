"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentences, found_once, part, sentence
from dpstudio.studies import plan as f
from dpstudio.studies.kit.choosing import NO_LONGER_ALLOWED, USE, ranked, role, spoken_of
from dpstudio.studies.plan.answer import PlanAnswer
from dpstudio.studies.plan.compared import Compared
from dpstudio.studies.plan.wanted import WantedRelease
from dpstudio.text.language import phrase
from dpstudio.text.sentences import SaidBoth, beside, grouped, safely, significant

MOST_SENTENCES = 7
_MET = 1 + 1e-9
NAMES = {f.PURE: "Laplace and discrete Laplace noise", f.GAUSSIAN: "Gaussian noise",
         f.MIXED: "the better noise for each"}


# The choice: the least that meets all wants or, of a budget that is split, the least worst error over want

def _meets(a: PlanAnswer) -> bool:
    return a.study.goal == "wants"


@found_once
def _ranked(a: PlanAnswer) -> tuple[Series, ...]:
    return ranked(a, v.LEAST_TOTAL if _meets(a) else v.WORST_OVER_WANT, f.COMPARED)


def suggested(a: PlanAnswer) -> Series | None:
    """What meets all wants at the least ε, or splits the budget with the least worst error; None beyond the budget."""
    return next(iter(_ranked(a)), None)


@found_once
def spoken(a: PlanAnswer) -> Series:
    """What the sentences speak of: where nothing is within the budget, what needs the least ε."""
    there = [each for each in f.COMPARED if a.one(each) is not None]
    least = min(there, key=lambda each: a.get(each).least, default=f.PURE)
    return spoken_of(a, suggested(a) or least)


def _one(a: PlanAnswer) -> Compared:
    return a.get(spoken(a))


def _is_empty(a: PlanAnswer) -> bool:
    return a.one(f.PURE) is None


def _has_wants(a: PlanAnswer) -> bool:
    return not _is_empty(a) and bool(_one(a).noises)


def _name(a: PlanAnswer) -> str:
    return phrase(NAMES[spoken(a)])


@found_once
def _least(a: PlanAnswer) -> SaidBoth:
    """The ε of all, and the budget."""
    return beside(_one(a).least, a.study.budget)


def _releases(a: PlanAnswer) -> int:
    """How many are wanted, each once for all times."""
    return len(_one(a).noises)


def _worst(a: PlanAnswer) -> float:
    return a.value(v.WORST_OVER_WANT, spoken(a))


def _fold(ratio: float) -> str:
    return safely(ratio)


# What comes next

def _other(a: PlanAnswer) -> Series | None:
    return next((each for each in (*_ranked(a), *f.COMPARED) if each != spoken(a) and a.one(each) is not None), None)


def _others(a: PlanAnswer) -> Series:
    found = _other(a)
    assert found is not None
    return found


# The even split

@found_once
def _missed(a: PlanAnswer) -> tuple[WantedRelease, float] | None:
    """Whose want an even split misses the most, and how far; None where it misses none."""
    one = _one(a)
    if one.even is None:
        return None
    over = one.over_wants(one.even)
    i = int(over.argmax())
    return (one.asked.plan.wanted[i], float(over[i])) if over[i] > _MET else None


_KINDS = {"count": "a count", "sum": "a sum", "mean": "a mean", "table": "a table", "decision": "a decision",
          "selection": "a selection", "response": "a response"}


def _missed_name(a: PlanAnswer) -> str:
    found = _missed(a)
    assert found is not None
    release = found[0]
    return release.name if release.is_named else phrase(
        "release {number} ({kind})", number=grouped(release.place), kind=phrase(_KINDS[release.kind]))


def _missed_far(a: PlanAnswer) -> str:
    found = _missed(a)
    assert found is not None
    return significant(found[1])


_HAVE = part("have", when=lambda a: _releases(a) > 1), part("has")
_ALL = (part("all {many} releases", when=lambda a: _releases(a) > 1, many=lambda a: grouped(_releases(a))),
        part("the release"))

SENTENCES: Sentences[PlanAnswer, object] = (
    (sentence("empty", "The plan is empty and spends nothing: add a release.", when=_is_empty),
     NO_LONGER_ALLOWED,
     sentence("spent", "What was released before cost ε = {least.one} at δ = {budget_delta|up}; the budget is "
              "ε = {least.other}.", when=lambda a: not _has_wants(a), least=_least),
     sentence("too_much", "No noise here keeps ε = {budget} and δ = {budget_delta|up}: {name} needs {epsilon}. Ease a "
              "want or allow more.", when=lambda a: suggested(a) is None and a.decided is None, name=_name,
              budget=lambda a: _least(a).other,
              epsilon=(part("a very large ε", when=lambda a: a.fact(v.LEAST_TOTAL, spoken(a)) is None),
                       part("ε = {least}", least=lambda a: _least(a).one))),
     sentence("wants", "{use} {name}: {all} {meet} at ε = {least.one} and δ = {budget_delta|up}; the "
              "budget is ε = {least.other}.", USE, when=_meets, name=_name, all=_ALL, least=_least,
              meet=(part("{have} what is wanted", have=_HAVE, when=lambda a: a.study.precision == 1),
                    part("{have} errors of at most {worst} times the want", have=_HAVE, worst=lambda a: _fold(
                        _worst(a))))),
     sentence("split", "{use} {name}: with the whole budget of ε = {least.other} no error is more than {worst} times "
              "what is wanted.", USE, name=_name, least=_least, worst=lambda a: _fold(_worst(a)))),
    (sentence("runner_up", "{role}: {other}, at {epsilon}.", when=lambda a: _meets(a) and _other(a) is not None,
              role=role(lambda a: _others(a) == suggested(a)),
              other=lambda a: phrase(NAMES[_others(a)]),
              epsilon=(part("a very large ε", when=lambda a: a.fact(v.LEAST_TOTAL, _others(a)) is None),
                       part("ε = {its_least}", its_least=lambda a: safely(a.value(v.LEAST_TOTAL, _others(a)))))),
     sentence("runner_up", "{role}: {other}, at most {its_worst} times what is wanted.",
              when=lambda a: _has_wants(a) and _other(a) is not None,
              role=role(lambda a: _others(a) == suggested(a)),
              other=lambda a: phrase(NAMES[_others(a)]),
              its_worst=lambda a: _fold(a.value(v.WORST_OVER_WANT, _others(a))))),
    sentence("risk", "{risk}", risk=lambda a: a.risk(spoken(a)), when=lambda a: not _is_empty(a)),
    sentence("even", "An even split of the same {total} would miss the want of {missed} {far}-fold.",
             when=lambda a: _has_wants(a) and a.study.goal in ("wants", "worst") and _missed(a) is not None,
             missed=_missed_name, far=_missed_far, total=lambda a: "μ" if _one(a).gaussian else "ε"),
    (sentence("one_more", "What is left of the budget is enough for one more count within ±{left_within}.",
              when=lambda a: _has_wants(a) and _one(a).left is not None,
              left_within=lambda a: safely(_one(a).left or 0.0)),
     sentence("nothing_left", "Nothing of the budget is left for one more release.",
              when=lambda a: _has_wants(a) and _meets(a))),
)
