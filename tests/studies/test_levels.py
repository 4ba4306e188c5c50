"""What each study shows first, what is allowed at its settings, and what is said of a decision."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import islice
from types import SimpleNamespace
from typing import ClassVar

import pytest

from dpstudio.core.answer import Answer
from dpstudio.core.level import MOST_ASKED, MOST_FACTS, MOST_PARAMETERS
from dpstudio.core.results import Fact, Series
from dpstudio.core.study import Study, answer
from dpstudio.studies import all_studies
from dpstudio.studies.kit.choosing import ranked
from dpstudio.studies.noise import Noise
from dpstudio.text.entry import read_number
from dpstudio.vocabulary import ERROR_95, Quantity

STUDIES = tuple(all_studies().values())
BY_KEY = pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.key)
PARAMETER, FACT, CAPTION = 22, 28, 110
"""The most letters that have room at 1280×720."""
FEWEST_PARAMETERS, FEWEST_FACTS = 3, 5


@BY_KEY
def test_that_what_is_seen_first_is_there_and_is_not_much(kind: type[Study]) -> None:
    first = kind.level_one
    figures = [figure.key for figure in kind.figures]
    assert {each.name for each in kind.parameters()} >= set(first.parameters)
    assert FEWEST_PARAMETERS <= len(first.parameters) <= MOST_PARAMETERS
    # Of unlike releases no ε is that of each: what comes first is the budget.
    assert first.parameters[0] == ("epsilon" if "epsilon" in kind.by_name() else kind.asked[0])  # type: ignore[index]
    assert {key for key, _ in kind.answers().index()} >= {quantity.key for quantity in first.facts}
    assert FEWEST_FACTS <= len(first.facts) <= MOST_FACTS
    assert {*figures} >= {first.large, *first.beside}
    assert first.large not in first.beside
    drawn = {series for figure in kind.figures for series in figure.drawn()}
    assert set(first.series) <= {*kind.answers().series(), *drawn}
    assert len(set(first.parameters)) == len(first.parameters)
    assert len(set(first.facts)) == len(first.facts)


def numbers_said(sentences: list[str]) -> list[float]:
    """All numbers of some sentences, and how far one that follows another as its end lies from it: “12.7 to 70.5 %”."""
    text = re.sub(r"(?<=\d)[\u2009\u202f\u00a0 ](?=\d{3})", "", " ".join(sentences))
    found = [read_number(each.replace("−", "-")) for each in re.findall(r"\d+(?:\.\d+)?(?:e−?\d+)?", text)]
    ends = re.findall(r"(\d[\d.]*) to (\d[\d.]*)", text)
    return [*(float(each) for each in found if each is not None), *(float(high) - float(low) for low, high in ends)]


@BY_KEY
def test_that_wanted_begins_with_a_fact_seen_first_whose_number_the_headline_or_what_stands_under_it_says(
    kind: type[Study],
) -> None:
    wanted, study = kind.level_one.wanted, kind()
    assert wanted in kind.level_one.facts
    a = study.answer()
    values = [fact.value for (key, of), one in a.index().items() if key == wanted.key and not one.simulated
              and (fact := a.fact(key, of))]
    said = numbers_said(list(islice(a.sentences(), 2)))
    assert any(number == pytest.approx(value * scale, rel=0.01) for number in said for value in values if value
               for scale in (1, 100)), (said, values)


@pytest.mark.parametrize("key", ["decision", "neighbours", "noise", "updating", "watch"])
def test_that_what_is_recommended_is_the_least_of_what_wanted_begins_with(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, fact = list[str](), Answer.fact

    def noted(a: Answer, quantity: Quantity | str, *rest: object) -> Fact | None:  # type: ignore[type-arg]
        asked.append(quantity if isinstance(quantity, str) else quantity.key)
        return fact(a, quantity, *rest)  # type: ignore[arg-type]

    a = all_studies()[key]().answer()
    monkeypatch.setattr(Answer, "fact", noted)
    assert a.suggested is not None
    assert set(asked) == {all_studies()[key].level_one.wanted.key}


@BY_KEY
def test_that_names_and_captions_have_room_and_no_two_things_of_a_study_are_called_the_same(kind: type[Study]) -> None:
    parameters = [each.quantity.label for each in kind.parameters()]
    facts = {declared.quantity.key: declared.quantity.label for declared in kind.answers().index().values()}
    assert not [label for label in parameters if len(label) > PARAMETER]
    assert not [label for label in facts.values() if len(label) > FACT]
    assert not [figure.caption for figure in kind.figures if len(figure.caption) > CAPTION]
    called = [*parameters, *facts.values()]
    assert not {label for label in called if called.count(label) > 1}


@BY_KEY
def test_that_the_sentences_that_are_seen_first_are_among_those_of_the_study(kind: type[Study]) -> None:
    table = import_module(f"{kind.__module__}.words").SENTENCES
    keys = {one.key for each in table for one in (each if isinstance(each, tuple) else (each,))}
    assert keys >= set(kind.level_one.sentences)


@BY_KEY
def test_that_a_door_asks_little_and_for_what_there_is(kind: type[Study]) -> None:
    door = kind.door
    if door is None:
        return
    names = [ask.parameter for ask in door.asks]
    assert 1 <= len(names) <= MOST_ASKED
    assert all(ask.words for ask in door.asks)
    assert kind(**dict(door.fixed)).values().keys() >= set(names)
    assert not set(names) & set(door.fixed)
    assert set(door.further) <= set(all_studies()) - {kind.key}


@BY_KEY
def test_that_what_is_not_allowed_says_what_it_spends_and_what_is_allowed_says_nothing(kind: type[Study]) -> None:
    a = kind().answer()
    for series in a.ones:
        assert bool(a.spends(series)) == (not a.allowed(series))


@BY_KEY
def test_that_what_is_allowed_keeps_the_epsilon_and_the_delta_that_are_asked_for_and_what_promises_nothing_keeps_none(
        kind: type[Study]) -> None:
    a = kind().answer()
    asked = getattr(a.study, "allowed", None)
    for series in a.ones:
        promised = a.guarantee(series) or a.guarantees.get(None)  # what is learnt from one release promises as much
        if asked is None:
            assert a.allowed(series)
        elif promised is None or promised.nothing:
            assert not a.allowed(series)
            assert a.spends(series) == "guarantees nothing here"
        else:
            epsilon, delta = asked
            assert a.allowed(series) == (float(promised.delta_at(epsilon)) <= delta * (1 + 1e-12))


def test_that_of_two_ceilings_the_one_that_is_broken_is_named_alone() -> None:
    """One release at ε = 6 and δ = 1e-5, of an allowed 5 and 1e-5; and of one below, where δ makes no difference."""
    once = {"epsilon": 6.0, "delta": 1e-5, "releases": 1, "budget_delta": 1e-5}
    budget = all_studies()["budget"]
    assert budget(**once, budget=5.0).answer().spends("basic") == "shows ε = 6"
    assert budget(**once | {"delta": 2e-5}, budget=5.0).answer().spends("basic") == "shows ε = 6, δ = 2e-5"
    assert budget(**once | {"delta": 2e-5}, budget=6.0).answer().spends("basic") == "shows δ = 2e-5"
    assert budget(**once, budget=6.0).answer().spends("basic") == ""


def test_that_nobody_decides_for_what_is_no_release_of_its_own() -> None:
    posterior = all_studies()["posterior"]().answer()
    others = [each for each in posterior.series() if each not in posterior.choices]
    assert others
    for series in others:
        assert posterior.deciding(series).decided is None


def test_that_the_cutoff_exponential_spends_what_its_guarantee_says() -> None:
    a = all_studies()["decision"](epsilon=0.1, delta=1e-6).answer()
    assert not a.allowed("cutoff")
    assert a.spends("cutoff") == "spends δ = 0.0952"
    assert all_studies()["decision"](epsilon=0.1, delta=0.0952).answer().allowed("cutoff")


def test_that_an_account_that_shows_too_much_is_not_allowed_and_says_what_it_shows() -> None:
    a = all_studies()["budget"]().answer()
    assert a.spends("basic") == "shows ε = 10"
    assert a.allowed("optimal")


@BY_KEY
def test_that_what_is_recommended_may_be_chosen_and_is_allowed(kind: type[Study]) -> None:
    a = kind().answer()
    if (best := a.suggested) is not None:
        assert best in a.choices
        assert a.allowed(best)


@BY_KEY
def test_that_a_decision_changes_words_alone_and_shares_what_was_computed(kind: type[Study]) -> None:
    a = kind().answer()
    for series in a.choices:
        decided = a.deciding(series)
        assert decided.decided == series
        assert decided.deciding(None).decided is None
        assert decided.one(series) is a.one(series)
    assert a.deciding("no such series") is a
    assert a.decided is None


def test_that_an_update_speaks_of_what_was_decided_for_and_keeps_its_numbers() -> None:
    update = answer(all_studies()["decision"](), simulate=False)
    decided = update.deciding("gaussian")
    assert decided.answer.decided == Series("gaussian", "Gaussian")
    assert [fact.value for fact in decided.facts] == [fact.value for fact in update.facts]
    assert update.deciding(None) is update


def test_that_of_what_is_alike_that_is_first_which_spends_less() -> None:
    a = Noise().answer()
    everything = tuple(a.ones)
    order = ranked(a, ERROR_95, everything)
    assert all(a.allowed(each) for each in order)
    assert not a.allowed("printed")
    assert all(each.key != "printed" for each in order)
    spent = [(a.value(ERROR_95, each), a.guarantee(each).delta) for each in order]  # type: ignore[union-attr]
    assert spent[0][0] <= min(value for value, _ in spent) * 1.02
    assert order[0].key != "gaussian"


class Ranked:
    """An answer of four series with outcomes, of which some are bounds, and the δ that each spends."""

    decided = None
    outcomes: ClassVar = {"a": (2.0, "exact", 0.0), "b": (1.0, "bound", 0.0), "c": (3.0, "bound", 0.0),
                          "d": (2.02, "exact", 0.0)}

    study = SimpleNamespace(relation=None)

    def one(self, series: Series) -> object:
        return self

    def allowed(self, series: Series) -> bool:
        return True

    def same_unit(self, series: Series) -> bool:
        return True

    def guarantee(self, series: Series) -> None:
        return None

    def fact(self, quantity: Quantity, series: Series) -> Fact:
        value, kind, _ = self.outcomes[series.key]
        return Fact(quantity, value, series, kind)


def test_that_a_bound_is_never_ranked_behind_an_exact_value() -> None:
    order = ranked(Ranked(), ERROR_95, tuple(Series(key, key) for key in "abcd"))  # type: ignore[arg-type]
    assert [each.key for each in order] == ["b", "a", "d"]
