"""What the window says can be translated whole, and its German is whole."""

from __future__ import annotations

import ast
import importlib.util
import math
import re
from functools import partial
from io import BytesIO
from pathlib import Path

import language_kit
import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st
from language_kit import spoken

from dpstudio.core.attacker import NOBODY
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.frontier import figure as frontier
from dpstudio.core.match.choice import choices, solvable
from dpstudio.core.match.matching import matching
from dpstudio.core.resources import resource
from dpstudio.core.sentence import Sentence, places_of
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want
from dpstudio.core.update import Update
from dpstudio.gui.shell.settings import Settings
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies
from dpstudio.text import language
from dpstudio.text.entry import read_number, read_typed, two_meanings, write_number
from dpstudio.text.language import LANGUAGES, SENTENCE, counted, in_english, phrase, speak, steps_in_english, tr
from dpstudio.text.numbers import said, short
from dpstudio.text.sentences import COUNTED, numbered, percent, points
from dpstudio.vocabulary import Choice, Switch

FOLDER = Path(__file__).parents[1] / "resources" / "languages"
KINDS = all_studies().values()
TRANSLATED = [key for key in LANGUAGES if key != language.ENGLISH]


@pytest.fixture(scope="module")
def tool():
    path = FOLDER.parents[1] / "packaging" / "languages.py"
    spec = importlib.util.spec_from_file_location("languages", path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def german():
    with language_kit.german():
        yield


@pytest.fixture(params=TRANSLATED)
def messages(request):
    return [each for each in read_po(BytesIO((FOLDER / f"{request.param}.po").read_bytes()), locale=request.param)
            if each.id]


def places(text):
    """What stands in a text, by name; of a sentence without how it is written."""
    return sorted({name for name, _ in places_of(text)})


def forms(text):
    return (text,) if isinstance(text, str) else tuple(text)


def test_the_template_has_what_the_window_says_now(tool):
    assert tool.TEMPLATE.read_bytes() == tool.written(tool.gathered())


@pytest.mark.parametrize("key", TRANSLATED)
def test_a_translation_is_of_the_template_and_compiled(tool, key):
    po, template = (FOLDER / f"{key}.po").read_bytes(), read_po(BytesIO(tool.TEMPLATE.read_bytes()))
    found = read_po(BytesIO(po), locale=key)
    assert {(each.context, each.id) for each in found} == {(each.context, each.id) for each in template}
    assert (FOLDER / f"{key}.mo").read_bytes() == tool.compiled(found)


def test_every_message_has_a_translation_that_nobody_guessed(messages):
    assert [each.id for each in messages if each.fuzzy or not all(forms(each.string))] == []


def test_a_translation_has_the_places_of_its_source(messages):
    """But for those of a sentence whose words have no number in them, which its grammar may do without."""
    spare = {name for each in parts(tables()) for name, filling in each.declared.items() if is_words(filling)}
    assert [each.id for each in messages for said in forms(each.string)
            if (set(places(said)) ^ set(places(forms(each.id)[-1]))) - (spare if each.context == SENTENCE else set())
            ] == []


def test_a_translation_rounds_every_number_to_the_side_of_its_source(messages):
    """What counts things may be a number alone: a whole one, as it was counted."""
    assert [(each.id, name) for each in messages if each.context == SENTENCE for name, way in places_of(each.string)
            if way not in {of for called, of in places_of(each.id) if called == name}
            and not (way == "whole" and {of for called, of in places_of(each.id) if called == name} <= set(COUNTED))
            ] == []


def tables():
    from dpstudio.core.risk import SENTENCES

    return [SENTENCES, *(importlib.import_module(f"{kind.__module__}.words").SENTENCES for kind in KINDS)]


def parts(found):
    """Every sentence of tables, and every part of one."""
    if isinstance(found, Sentence):
        yield found
        yield from parts(tuple(found.declared.values()))
    elif isinstance(found, tuple | list):
        for each in found:
            yield from parts(each)


def is_words(filling):
    return isinstance(filling, Sentence | tuple) and not any(places(each.text) for each in parts(filling))


def test_what_has_a_key_keeps_one_and_what_asks_first_its_dots(messages):
    assert [each.id for each in messages for said in forms(each.string)
            if (said.count("&"), said.endswith("…")) != (forms(each.id)[0].count("&"), forms(each.id)[0].endswith("…"))
            ] == []


def test_a_symbol_stays_at_the_end_of_its_label(messages):
    """The heading of a control sets it apart, and a fact has the value in its place."""
    said = {each.id: each.string for each in messages}
    quantities = {each.quantity for kind in all_studies().values() for each in kind.parameters() if each.is_number}
    assert [each.label for each in quantities if each.label.endswith(f" {each.symbol}") and len(each.symbol) < 3
            and not said[each.label].endswith(f" {each.symbol}")] == []


def test_a_menu_has_each_key_once_in_every_language(tool, german):
    """Of the entries that are always there: those that a menu lists together."""
    menus = {}
    for node in ast.walk(ast.parse((FOLDER.parents[1] / "dpstudio/gui/shell/menus.py").read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            calls = [each for each in ast.walk(node) if isinstance(each, ast.Call) and each.args]
            headings = [each.args[0] for each in calls if ast.unparse(each.func) == "self._menu"]
            said = [each.args[0].value for each in calls if ast.unparse(each.func) in ("Command", "tr")
                    and isinstance(each.args[0], ast.Constant) and each not in headings]
            menus[node.name] = [re.search("&(.)", tr(text))[1].lower() for text in said if "&" in text]
    assert {name: keys for name, keys in menus.items() if len(set(keys)) < len(keys)} == {}


def test_english_is_spoken_until_another_language_is_chosen(german):
    assert tr("privacy loss ε") == "Privacy-Verlust ε"
    speak(None)
    assert tr("privacy loss ε") == "privacy loss ε"


def test_values_stand_in_their_places_in_either_language(german):
    assert tr("{n} more", n=3) == "3 weitere"
    with in_english():
        assert tr("{n} more", n=3) == "3 more"
    assert tr("a name that nobody has translated") == "a name that nobody has translated"
    assert tr("") == ""


def test_a_count_has_the_form_of_so_many():
    assert [counted("{n} record of {whole}", "{n} records of {whole}", n, whole=9) for n in (1, 0, 2)] == [
        "1 record of 9", "0 records of 9", "2 records of 9"]


def test_the_forms_of_a_count_are_those_of_the_language(tmp_path):
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    catalog = Catalog(locale="pl")
    catalog.add(("{n} record", "{n} records"), ("{n} rekord", "{n} rekordy", "{n} rekordów"))
    with (tmp_path / "pl.mo").open("wb") as out:
        write_mo(out, catalog)
    speak(tmp_path / "pl.mo")
    try:
        assert [counted("{n} record", "{n} records", n) for n in (1, 2, 5)] == ["1 rekord", "2 rekordy", "5 rekordów"]
    finally:
        speak(None)


def test_two_meanings_of_a_word_are_told_apart(tmp_path):
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    catalog = Catalog(locale="de")
    catalog.add("response", "Antwort")
    catalog.add("response", "randomisierte Antwort", context="mechanism")
    with (tmp_path / "de.mo").open("wb") as out:
        write_mo(out, catalog)
    speak(tmp_path / "de.mo")
    try:
        assert (tr("response"), tr("response", "mechanism")) == ("Antwort", "randomisierte Antwort")
    finally:
        speak(None)


def test_steps_of_a_file_are_english_and_what_is_between_them_is_not(german):
    @steps_in_english
    def made():
        yield tr("Cancel")
        yield tr("Cancel")

    assert [(step, tr("Cancel")) for step in made()] == [("Cancel", "Abbrechen")] * 2


def test_a_printed_picture_is_english_whatever_is_spoken(german):
    from dpstudio.core.study import answer
    from dpstudio.documents.print.drawing import draw

    study = all_studies()["decision"]()
    update = answer(study, simulate=False)
    figure = study.figures[0]
    canvas = draw(study, update, figure, (120.0, 80.0))
    words = {text.get_text() for text in canvas.figure.findobj(lambda each: hasattr(each, "get_text"))}
    assert any(figure.y.quantity.label in text for text in words)
    assert not any(tr(figure.y.quantity.label) in text for text in words)


def test_a_picture_says_in_the_language_what_it_shows_and_in_a_file_in_english(german):
    study = all_studies()["table"](keys="secret", delta=1e-6)
    figure, update = study.figures[0], Update(study.answer())

    def told():
        return resolve(figure, update, study.values(), study.by_name()).told

    assert told().endswith("die 30 größten. Bei 0: nicht gezeigt.")
    with in_english():
        assert told().endswith("the 30 largest. At 0: not shown.")


def test_code_is_english_whatever_is_spoken(german):
    from dpstudio.documents.code import offered, written

    study = all_studies()["decision"](epsilon=0.123)
    for library, series in offered(type(study)).items():
        text = written(study, {"epsilon": 0.123}, series[0].key, library).text
        with in_english():
            assert text == written(study, {"epsilon": 0.123}, series[0].key, library).text
        assert "0.123" in text


def test_a_language_that_is_stored_and_unknown_is_english():
    settings = Settings()
    assert settings.language == "en"
    settings.language = "de"
    assert Settings().language == "de"
    settings.language = "xx"
    assert Settings().language == "en"


# Sentences about results, and their numbers

def answers():
    """Each study as it comes, at its examples, and at each of its choices."""
    for kind in KINDS:
        yield kind().answer()
        yield from (kind(**preset.values).answer() for preset in kind.presets)
        for each in kind.parameters():
            options = each.domain.options if isinstance(each.domain, Choice) else (
                True, False) if isinstance(each.domain, Switch) else ()
            yield from (kind(**{each.name: option}).answer() for option in options if is_good(kind, each.name, option))


def is_good(kind, name, option):
    try:
        kind(**{name: option})
    except InvalidParameter:
        return False
    return True


@pytest.fixture
def strange(tmp_path):
    """A language whose words have no letter of English."""
    def worded(text):
        return "".join(each if each.startswith("{") else re.sub("[A-Za-z]", "ж", each)
                       for each in re.split(r"(\{[^}]*\})", text))

    with spoken(tmp_path, worded):
        yield


NAMES_OF_USERS = {"“satisfied”", "“pupils A”", "“Introduction to privacy in AI/ML”"}
"""What somebody named, or wrote."""


def test_every_word_of_a_sentence_can_be_translated(strange):
    told = {sentence for answer in answers() for sentence in answer.sentences()}
    left = {re.sub("|".join(NAMES_OF_USERS), "", sentence) for sentence in told}
    assert len(told) > 500
    assert {each for each in left if re.search("[A-Za-z]{2}", each)} == set()


def compared():
    """What is said of what is compared, anew each time: of frontiers, of matches and of what was solved for."""
    for kind in (all_studies()[key] for key in ("updating", "policy", "number", "response")):
        for asked in (kind(), kind(attacker="membership")):
            update = Update(asked.answer())
            for key, outcome in frontier.keyed(kind).items():
                if asked.attacker != NOBODY or not outcome.measure:
                    assert update.tables[key] is not None
                    yield partial(frontier.told_of, update.answer.kept[outcome])
        study, name = kind(), solvable(kind())[0].name
        first = study.answer().chosen[0].key
        for by in choices(study, first)[:2]:
            yield partial(said_of_matches, kind, first, by, name)
        for (key, of), declared in list(study.answers().index().items())[:40:4]:
            fact = None if declared.simulated or declared.slow else study.answer().fact(key, of)
            if fact and fact.value and math.isfinite(fact.value):
                for relation, part in (("<=", 0.5), (">=", 2.0), ("=", 1.1)):
                    want = Want(key, relation, fact.value * part, of)
                    yield partial(said_of_solution, kind, want, name)


def said_of_matches(kind, series, by, name):
    found = matching(kind, {}, series, by, name)
    return " ".join((found.says, *(each.title for each in found.all)))


def said_of_solution(kind, want, name):
    return solve(kind, {}, [want], [name]).says


@pytest.fixture(scope="module")
def found():
    """What each place that was looked at came to, in numbers."""
    return {}


@pytest.fixture
def looked_at_once(found, monkeypatch):
    """A solution is sought in the same places whatever is spoken: only what is said of it is asked for anew."""
    reached = Problem.reached

    def once(problem, values):
        place = repr((problem.kind, problem.explicit, problem.wants, values))
        if place not in found:
            found[place] = reached(problem, values)
        return found[place]

    monkeypatch.setattr(Problem, "reached", once)
    monkeypatch.setattr(Problem, "facts", lambda problem, values: tuple(fact for fact, _ in reached(problem, values)))


def test_every_word_about_what_is_compared_can_be_translated(strange, looked_at_once):
    told = {say() for say in compared()}
    assert len(told) > 60
    assert {each for each in told if re.search("[A-Za-z]{2}", each)} == set()


def test_what_is_compared_has_the_same_numbers_in_every_language(german, looked_at_once):
    """As the sentences have them, whose order may be another."""
    differ = []
    for say in compared():
        with in_english():
            english = say()
        numbers = [sorted(re.findall(r"\d+(?:\u202f\d{3})*(?:\.\d+)?(?:e[−-]?\d+)?", each)) for each in (
            re.sub(r"(?<=\d),(?=\d)", ".", say()), english)]
        differ += [] if numbers[0] == numbers[1] else [(say(), english)]
    assert differ == []


def test_a_sentence_says_the_same_numbers_in_every_language(german):
    """Digit for digit, but for the sign between them: what is rounded to the safe side stays so."""
    differ, compared = [], 0
    for answer in answers():
        for german in answer.sentences():
            with in_english():
                english = next(each for each in answer.sentences() if each.key == german.key)
            for name, text in german.places.items():
                if name in english.places:
                    compared += 1
                    numbers = [re.findall(r"\d+(?:\u202f\d{3})*(?:[.,]\d+)?(?:e−?\d+)?", each) for each in (
                        text.replace(",", "."), english.places[name])]
                    differ += [] if sorted(numbers[0]) == sorted(numbers[1]) else [(german.key, name, *numbers)]
    assert compared > 2000
    assert differ == []


def test_a_number_has_the_decimal_sign_of_the_language(german):
    assert (short(12.5), short(0.001), short(1.2e-9), percent(0.125), points(0.0198)) == (
        "12,5", "0,001", "1,2e-9", "12,5\u202f%", "1,98 Punkte")
    assert (points(0.01), numbered("records", 1), numbered("records", 24700)) == ("1 Punkt", "1 Datensatz",
                                                                                  "24\u202f700 Datensätze")
    assert phrase("{low} to {high}", low="0,5", high="1") == "0,5 bis 1"
    with in_english():
        assert (short(12.5), short(0.001), points(0.01)) == ("12.5", "0.001", "1 point")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_is_read_back_and_said_in_either_language(number):
    for language_file in (None, resource("languages/de.mo")):
        speak(language_file)
        try:
            assert read_typed(write_number(number)) == number
            assert float(said(short(number, 17))) == pytest.approx(number, rel=1e-12)
        finally:
            speak(None)


@pytest.mark.parametrize(("typed", "number"), [
    ("0,5", 0.5), ("1,125", 1.125), ("0.5", 0.5), ("1.5", 1.5), ("1.234,5", 1234.5), ("1.000.000", 1_000_000),
    ("1 000,25", 1000.25), ("1.000", None), ("1,000", 1.0), ("10,000", 10.0), ("1e-3", 1e-3), ("12,5 %", 0.125)])
def test_where_a_comma_is_the_decimal_sign_a_point_before_three_digits_has_two_meanings(german, typed, number):
    assert read_typed(typed) == number
    assert bool(two_meanings(typed, typed=True)) == (number is None)
    assert read_number("1,000") is None, "what is no entry is read as in any file"


def test_what_was_said_in_one_language_is_not_kept_for_another(german):
    for answer in answers():
        said = list(answer.sentences()), list(answer.refused.values())
        with in_english():
            english = list(answer.sentences()), list(answer.refused.values())
            fresh = answer.study.answer()
            assert english == (list(fresh.sentences()), list(fresh.refused.values()))
        assert said == (list(answer.sentences()), list(answer.refused.values()))
        assert not any("spends" in each for each in said[1])
