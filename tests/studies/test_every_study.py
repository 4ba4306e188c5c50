"""One suite for every study, driven by its declarations."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import cache
from itertools import islice, takewhile

import numpy as np
import pytest
from answers_kit import at_hand
from claims.kit import settings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from settings_kit import accepted, inside

from dpstudio import vocabulary as v
from dpstudio.core import risk_figures
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.core.figure import Bars, Dots, Each, Mark, of_each
from dpstudio.core.frontier import figure as frontier
from dpstudio.core.resources import resource
from dpstudio.core.results import Column
from dpstudio.core.sampling import CHUNK
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents.codec import LARGEST_NUMBER
from dpstudio.studies import all_studies, study_titles

STUDIES = list(all_studies().values())
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)


def small(study):
    """The study with few trials, whatever else was drawn."""
    return study.replace(trials=min(study.trials, 100)) if "trials" in study.values() else study


@cache
def usual(study):
    """The answer at the default settings: what of it follows no view is computed once for all views."""
    return small(study()).answer()


@every_study
def test_that_a_study_is_called_as_lists_call_it_without_reading_it(study):
    assert all_studies()[study.key] is study
    assert study.__module__ == f"dpstudio.studies.{study.key}"
    assert study.title == study_titles()[study.key]


@every_study
def test_that_parameters_narrow_their_quantities_and_accept_their_defaults(study):
    for parameter in study.parameters():
        assert parameter.domain.within(parameter.quantity.domain), parameter.name
        if isinstance(parameter.default, Follow):
            assert set(parameter.default.names) <= {other.name for other in study.parameters()}
        else:
            assert parameter.accept(parameter.default) == parameter.default
        for value in parameter.named.values():
            parameter.accept(value)
        if parameter.when:
            name, *words = parameter.when
            by = study.parameter(name)
            assert words
            assert set(words) < set(by.domain.options) if isinstance(by.domain, v.Choice) else (
                words == [by.default]), parameter.name
        if parameter.shown:
            assert all(parameter.domain.accept(end) is not None for end in parameter.shown), parameter.name


@every_study
def test_that_values_past_the_domain_are_refused_by_name(study):
    for parameter in study.parameters():
        if not isinstance(parameter.domain, v.Interval):
            continue
        past = [math.nan, math.inf, -math.inf, "1", None if isinstance(parameter.default, Follow) else True, 10**400]
        past += [math.nextafter(parameter.domain.low, -math.inf), math.nextafter(parameter.domain.high, math.inf) + 1]
        past += [parameter.domain.low] if parameter.domain.low_open else []
        for value in past:
            if value is None:
                continue
            with pytest.raises(InvalidParameter) as refusal:
                study(**{parameter.name: value})
            assert str(refusal.value).startswith(f"{parameter.name} must be ")
            assert "\n" not in str(refusal.value)


def chosen(study):
    """The default settings, and those that differ in one choice: what is left out by one may be shown by another.

    Also with caps on belief, which have a picture of their own, and with a great δ, without which some have no ε at
    that δ.
    """
    yield study()
    if "delta" in study().values():
        for whom in ("nobody", "membership"):
            yield study(delta=study.parameter("delta").domain.high / 2, attacker=whom)
    for parameter in study.parameters():
        if isinstance(parameter.domain, v.Choice):
            whom = {} if parameter.name == "attacker" else {"attacker": "membership"}
            yield from (study(**whom, **{parameter.name: option}) for option in parameter.domain.options)
    yield from (study(attacker="membership", **outcome.given) for outcome in study.outcomes if outcome.given)


def shown_by(layer):
    """The columns and facts of a layer."""
    if not isinstance(layer, Mark):
        yield from filter(None, (getattr(layer, name, None) for name in (
            "x", "y", "low", "high", "quantity", "guesses", "without", "right")))


@every_study
def test_that_what_is_drawn_of_a_study_says_whose_each_part_of_it_is(study):
    def parts(of):
        for part in (getattr(of, each.name) for each in fields(of)):
            yield part
            yield from parts(part) if isinstance(part, Column | Bars) else ()

    assert not [part for figure in study.figures for layer in figure.layers for part in parts(layer)
                if isinstance(part, Each)]


@every_study
def test_that_every_layer_of_a_figure_shows_what_there_is_at_some_choice(study):
    names = {parameter.name for parameter in study.parameters()}
    assert len({figure.key for figure in study.figures}) == len(study.figures)
    series = study.answers().series()
    # Of a layer of EACH one is enough: which of the things compared have a column is the table's to say.
    wanting = {(figure.key, i): [(made, list(shown_by(made))) for made in of_each([layer], series)]
               for figure in (*study.pictures, *frontier.figures(study), *risk_figures.figures(study))
               for i, layer in enumerate(figure.layers) if list(shown_by(layer))}
    # What spends δ = 1 − e^−ε does so at every ε′: where it stands it needs no ε at a δ, or has none, and a log axis
    # has no place for its dots. Where series match takes long to find: of the first frontier it stands for all.
    whole = {"frontier", *(figure.key for figure in study.pictures)}
    for key, layer, each in ((key, *one) for (key, _), made in wanting.items() for one in made):
        if isinstance(layer, Dots):
            each[:] = [one for one in each if (not one.series or one.series.key not in ("cutoff", "matched"))
                       and (key in whole or not one.quantity.key.endswith("_matched"))]
    assert {key for key, _ in wanting} == {figure.key for figure in study.figures}
    for figure in study.figures:
        assert {layer.parameter for layer in figure.layers if isinstance(layer, Mark)} <= names
    updates = [answer(small(setting).replace(profile="0.01:0.05,0.1:0.3")) for setting in chosen(study)]
    for table_of in (at_hand, lambda update, name: update.tables[name]):  # first what there is without waiting
        for update in updates if wanting else ():
            for (key, i), made in list(wanting.items()):
                for layer, each in made:
                    each[:] = [one for one in each if not (
                        one in (table_of(update, study.figure(key).table) or ()) if isinstance(one, Column)
                        else update.fact(one, layer.series))]
                if not all(each for _, each in made):
                    del wanting[key, i]
    for preset in study.presets:  # what is compared only where it is better than what it is made of
        update = answer(small(study(**preset.values)), simulate=False) if wanting else None
        for (key, i), made in list(wanting.items()):
            if all(one in update.tables[study.figure(key).table] for _, each in made for one in each
                   if isinstance(one, Column)):
                del wanting[key, i]
    assert not wanting


@pytest.mark.parametrize(("study", "preset"), [(study, preset) for study in STUDIES for preset in study.presets],
                         ids=lambda each: each.key)
def test_that_a_preset_is_accepted_as_it_is_and_answered(study, preset):
    assert [preset] == [other for other in study.presets if preset.key == other.key or preset.title == other.title]
    values = study(**preset.values).values()
    assert {name: values[name] for name in preset.values} == preset.values
    assert next(study(**preset.values).run()).verdicts


def in_passing(update):
    """The tables but those that are computed only where somebody looks: they take as long as a hundred facts."""
    return [(name, update.tables[name]) for name in update.tables if not update.answer.tabled[name].aside]


@every_study
@settings(max_examples=10)
@given(data=st.data())
def test_that_every_answer_over_the_domain_is_finite_in_range_and_says_how_sure_it_is(study, data):
    values = {parameter.name: data.draw(inside(parameter), label=parameter.name) for parameter in study.parameters()
              if data.draw(st.booleans())}
    update = answer(small(accepted(study, values)))
    seen = in_passing(update)
    if (others := sorted(update.tables.keys() - dict(seen))) and data.draw(st.integers(0, 2)) == 1:
        name = data.draw(st.sampled_from(others))
        seen.append((name, at_hand(update, name) or update.tables[name]))
    for name, table in seen:
        for column, numbers in table.items():
            assert not np.isnan(numbers).any(), (name, column.key)
            domain = column.quantity.domain
            if isinstance(domain, v.Interval):
                assert (numbers >= domain.low).all(), (name, column.key)
                assert (numbers <= domain.high).all(), (name, column.key)
    for fact in update.facts:
        assert not math.isnan(fact.value), fact
        assert (fact.low is not None) == (fact.kind == "estimate"), fact
        if fact.low is not None:
            assert fact.low <= fact.value <= fact.high, fact
    assert update.verdicts
    assert all(sentence.endswith(".") and "nan" not in sentence for sentence in update.verdicts)


@every_study
def test_that_what_a_study_finds_worth_seeing_lies_where_its_quantity_can_be(study):
    for setting in chosen(study):
        windows = Update(setting.answer()).windows
        for figure in study.figures:
            (low, high), domain = windows[figure.table], figure.x.quantity.domain
            assert low < high
            assert all(axis.low is None or axis.high is None or axis.low < axis.high for axis in (figure.x, figure.y))
            assert domain.low <= low, figure.key
            assert high <= domain.high, figure.key


ENDS = st.floats(-LARGEST_NUMBER, LARGEST_NUMBER, exclude_min=True, exclude_max=True)
NEAR = st.floats(-2, 3).map(lambda end: round(end, 6))
"""Near the ends of a natural view, in its widths."""


@every_study
@settings(max_examples=15)
@given(data=st.data())
def test_that_through_every_view_that_a_session_may_hold_there_is_an_answer(study, data):
    table, (low, high) = data.draw(st.sampled_from(sorted(Update(usual(study)).windows.items())))
    far, near = st.tuples(ENDS, ENDS), st.tuples(NEAR, NEAR)
    view = sorted(data.draw(far | near.map(lambda ends: [low + end * (high - low) for end in ends])))
    check_view(study, table, tuple(view))


@every_study
@pytest.mark.parametrize("view", [
    (-1e299, 9e299), (-10.0, -1.0), (0.0, 1e-300), (1e17, 1e18), (2.0**64, 2.0**64), (9e298, 9e299)])
def test_that_where_there_is_nothing_to_see_there_is_an_answer_all_the_same(study, view):
    for table in study.answers().tabled:
        check_view(study, table, view)


def check_view(study, table, view):
    found = usual(study)
    drawn = found.simulate({**Update(found).windows, table: view}) if found.tabled[table].drawn else ()
    for seen, done in [(None, 0), *drawn]:
        for column, numbers in Update(found, {table: view}, seen, done).tables.get(table, {}).items():
            assert not np.isnan(numbers).any(), column.key
            assert len(numbers) < 10_000


@every_study
def test_that_the_same_seed_gives_the_same_numbers_and_a_longer_run_begins_with_the_shorter(study):
    if "trials" not in study().values():
        return
    longer = study(trials=2 * CHUNK)
    step = next(update.done for update in longer.run() if update.done)
    asked = study(trials=min(2 * step, 2 * CHUNK))
    once, again = answer(asked), answer(asked)
    for name, table in in_passing(once):
        for column, numbers in table.items():
            np.testing.assert_array_equal(numbers, again.tables[name][column])
    assert once.facts == again.facts
    assert answer(asked.replace(seed=1)).facts != once.facts
    until = takewhile(lambda update: update.done <= CHUNK, islice(longer.run(), 50))
    if there := [update.facts for update in until if update.done == CHUNK]:
        shorter = answer(study(trials=CHUNK)).facts
        assert all(facts == shorter for facts in there)


@every_study
def test_that_as_many_draws_as_can_be_asked_for_stream_and_can_be_left_at_any_update(study):
    if "trials" not in study().values():
        return
    updates, done = study(trials=int(study.parameter("trials").domain.high)).run(), []
    while len(set(done)) < (2 if study.key == "updating" else 4):  # whose histories are long
        done.append(next(updates).done)
    updates.close()
    assert done[0] == 0
    assert done == sorted(done)


ONLY_GAUSSIAN = "δ matters for Gaussian noise only"
GAUSSIAN = ("gaussian", "gaussian_classical", "printed", "discrete_gaussian")
SAID_OF_GAUSSIAN = [study for study in STUDIES
                    if ONLY_GAUSSIAN in resource(f"help/{study.key}.md").read_text("utf-8")]


@pytest.mark.parametrize("study", SAID_OF_GAUSSIAN, ids=lambda study: study.key)
@settings(max_examples=8)
@given(data=st.data())
def test_that_delta_matters_for_gaussian_noise_only_where_help_says_so(study, data):
    asked = small(data.draw(settings_of(study)))
    few, much = (asked.replace(delta=delta).answer() for delta in (1e-6, 0.01))
    for (key, of), declared in few.index().items():
        if of not in GAUSSIAN and key != v.EPSILON_AT_DELTA.key and not (declared.simulated or declared.slow):
            assert few.fact(key, of) == much.fact(key, of), (key, of)


def test_that_help_says_so_of_some_studies_and_not_of_tests_whose_most_powerful_one_uses_a_delta():
    assert [study.key for study in SAID_OF_GAUSSIAN] == ["noise", "number"]
    tests = all_studies()["test"]
    people = [tests(delta=delta).answer().fact("people_for_power", "private").value for delta in (0.0, 0.03)]
    assert people[1] < people[0]


@every_study
def test_that_the_first_answer_makes_no_table(study, monkeypatch):
    monkeypatch.setattr(Answer, "table", lambda *_: pytest.fail("a table was made"))
    update = next(study().run())
    assert update.tables
    assert update.facts
    assert update.verdicts


@every_study
def test_that_a_table_that_is_looked_at_late_is_what_it_was_then(study):
    asked = study(trials=4000) if "trials" in study().values() else study()
    answer(asked)  # what is kept from one run to the next is there for both
    at_once = [{name: dict(table) for name, table in in_passing(update)} for update in islice(asked.run(), 0, 400, 23)]
    late = list(islice(asked.run(), 0, 400, 23))
    for then, update in zip(at_once, late, strict=True):
        for name, columns in then.items():
            for column, numbers in columns.items():
                np.testing.assert_array_equal(update.tables[name][column], numbers, err_msg=f"{name} {column.key}")
