"""What a person should take away, in plain sentences made from the facts; the first is the headline."""

from __future__ import annotations

import math

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, found_once, part, sentence
from dpstudio.studies import test as f
from dpstudio.studies.kit.choosing import ranked, role, spoken_of
from dpstudio.studies.test.answer import Drawn, TestAnswer
from dpstudio.text.language import phrase
from dpstudio.text.numbers import in_full, short, shown
from dpstudio.text.sentences import (
    at_least,
    from_to,
    grouped,
    less_than,
    more_than,
    no_more_than,
    numbered,
    safely,
    significant,
)

NAMES = {f.PRIVATE: "the most powerful private test", f.TAILS: "the equal-tailed test of one release",
         f.LAPLACE: "the corrected noisy count", f.GAUSSIAN: "the test with Gaussian noise"}
"""How a sentence calls them."""
_TOLD, _RARE, _SAME = 1e-4, 1e-6, 1 + 1e-9


@found_once
def _ranked(a: TestAnswer) -> tuple[Series, ...]:
    """What keeps level and guarantee, the fewest people first; where none are enough, the greatest power at n."""
    return ranked(a, v.PEOPLE_FOR_POWER, f.COMPETING)


def suggested(a: TestAnswer) -> Series | None:
    """The one that needs the fewest people."""
    return next(iter(_ranked(a)), None)


def spoken(a: TestAnswer) -> Series:
    """What the sentences speak of."""
    return spoken_of(a, suggested(a) or f.PRIVATE)


def _other(a: TestAnswer) -> Series | None:
    return next((series for series in _ranked(a) if series != spoken(a)), None)


def _its(a: TestAnswer) -> Series:
    other = _other(a)
    assert other is not None
    return other


def of_hundred(chance: float) -> str:
    """“80 of 100 tests”, rounded to the nearest, all or none said of nothing less."""
    return phrase("{number} of 100 tests", number=_of_all(chance))


def _of_all(chance: float) -> str:
    said = significant(100 * chance)
    if said == "100" and chance < 1:
        return more_than(shown("99.9"))
    return said if chance >= _RARE or not chance else less_than(in_full(100 * _RARE))


def _needed(a: TestAnswer, series: Series) -> float:
    return a.value(v.PEOPLE_FOR_POWER, series)


def _people(a: TestAnswer, series: Series) -> str:
    """“160 people”, “at most 412 people”, “more than 10⁹ people”."""
    fact = a.fact(v.PEOPLE_FOR_POWER, series)
    assert fact is not None
    if math.isinf(fact.value):
        return phrase("more than 10⁹ people")
    said = numbered("people", fact.value)
    return no_more_than(said) if fact.kind == "bound" else said


def _is_lost(a: TestAnswer) -> bool:
    """Whether the alternative is none that the test is for, and no number of people finds it as often as is wanted."""
    return not a.study.found and _too_many(a)


def _too_many(a: TestAnswer) -> bool:
    return math.isinf(_needed(a, spoken(a)))


def _naive_errs(a: TestAnswer) -> bool:
    """Whether a naive test rejects what is true more often than is allowed."""
    return a.value(v.TRUE_LEVEL, f.NAIVE) > a.study.level * _SAME


def _has_p(a: TestAnswer) -> bool:
    return a.fact(v.P_VALUE, _tested(a)) is not None


def _tested(a: TestAnswer) -> Series:
    """The canonical noise’s p-value: of the equal-tailed test where either side is tested."""
    return f.TAILS if a.study.side == f.TWO else f.PRIVATE


def _p_value(a: TestAnswer) -> str:
    p = a.value(v.P_VALUE, _tested(a))
    return safely(p) if p >= _TOLD else less_than(in_full(_TOLD))


def _count(a: TestAnswer) -> str:
    return short(a.study.released, 7)


def _wide(a: TestAnswer) -> str:
    """The interval, rounded outwards: “0.52 to 0.676”."""
    low, high = a.interval
    return from_to(at_least(low), safely(high))


_WRONG: Fillings = {"taken": (part("taken for more", when=lambda a: a.study.side == f.GREATER),
                              part("taken for less", when=lambda a: a.study.side == f.LESS), part("rejected"))}
_CHOICE: Fillings = {
    **_WRONG, "use": (part("You chose {name}: ask", when=lambda a: a.decided is not None,
                           name=lambda a: phrase(NAMES[spoken(a)])), part("Ask")),
    "needed": lambda a: _people(a, spoken(a)), "often": lambda a: of_hundred(a.study.power),
    "wrong": lambda a: significant(100 * a.study.level)}
_NAIVE: Fillings = {"takes": (part("takes {share} for more", when=lambda a: a.study.side == f.GREATER),
                              part("takes {share} for less", when=lambda a: a.study.side == f.LESS),
                              part("rejects {share} where it is true")),
                    "often": lambda a: of_hundred(a.value(v.TRUE_LEVEL, f.NAIVE))}
_FOR: Fillings = {"shares": (part("shares above {share}", when=lambda a: a.study.side == f.GREATER),
                             part("shares below {share}", when=lambda a: a.study.side == f.LESS),
                             part("shares other than {share}"))}

SENTENCES: Sentences[TestAnswer, Drawn] = (
    (sentence("lost", "No number of people helps: a test for {shares} does not find a share of {alternative}.", _FOR,
              when=_is_lost),
     sentence("too_many", "{use} more than 10⁹ people: fewer do not find a share of {alternative} in {often}.",
              _CHOICE, when=_too_many),
     sentence("choice", "{use} {needed}: a share of {alternative} is then found in {often}, and one of {share} "
              "{taken} in {wrong}.", _CHOICE)),
    sentence("runner_up", "That is by {name}. {role}: {its}, {needs}; without privacy {plain}.",
             when=lambda a: _other(a) is not None and not _is_lost(a) and not _too_many(a),
             name=lambda a: phrase(NAMES[spoken(a)]), its=lambda a: phrase(NAMES[_its(a)]),
             role=role(lambda a: _its(a) == suggested(a)),
             needs=lambda a: _people(a, _its(a)), plain=lambda a: _people(a, f.PLAIN)),
    sentence("risk", "{risk}", risk=lambda a: a.risk(spoken(a))),
    (sentence("naive", "Testing a noisy count of {people|people} as if it were exact {takes} in {often}, not {wrong}.",
              _NAIVE, when=_naive_errs, wrong=lambda a: significant(100 * a.study.level)),
     sentence("naive_keeps", "Testing a noisy count of {people|people} as if it were exact {takes} in {often}: here "
              "that keeps the level.", _NAIVE)),
    sentence("at_n", "With {people|people} {name} finds a share of {alternative} in {often}, one without "
             "privacy in {open}.", when=lambda a: not _is_lost(a), name=lambda a: phrase(NAMES[spoken(a)]),
             often=lambda a: of_hundred(a.value(v.TEST_POWER, spoken(a))),
             open=lambda a: _of_all(a.value(v.TEST_POWER, f.PLAIN))),
    (sentence("released", "A noisy count of {count} has a p-value of {p}, {verdict}; the shares that it leaves are "
              "{wide}.",
              when=lambda a: a.explained and _has_p(a), count=_count, p=_p_value, wide=_wide,
              verdict=(part("at most α: {share} is rejected", when=lambda a: a.value(
                  v.P_VALUE, _tested(a)) <= a.study.level), part("above α: {share} is not rejected"))),
     sentence("unexplained", "A noisy count of {count} is one that no share explains: it lies {where}.",
              count=_count, where=(part("too far below 0", when=lambda a: 2 * a.study.released < a.study.people),
                                   part("too far above n")))),
    sentence("decision", "The most powerful unbiased test of either side is no function of a noisy count: only its "
             "decision may be told.", when=lambda a: a.study.side == f.TWO),
    sentence("no_gaussian", "Gaussian noise needs δ > 0: with δ = 0 no σ is large enough.",
             when=lambda a: a.study.delta == 0),
    drawn_sentence("simulated", "Where {share} is the true share, {name} rejected it in {hits} of {done|whole} "
                   "simulated tests, the naive one in {naive}.", name=lambda a, _: phrase(NAMES[spoken(a)]),
                   done=lambda _, seen: seen.done, hits=lambda a, seen: grouped(seen.wrong[spoken(a).key]),
                   naive=lambda _, seen: grouped(seen.wrong[f.NAIVE.key])),
)
