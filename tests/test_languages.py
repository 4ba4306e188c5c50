"""What the window says can be translated whole, and its German is whole."""

from __future__ import annotations

import ast
import importlib.util
import re
import string
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from dpstudio.core.resources import resource
from dpstudio.gui.shell.settings import Settings
from dpstudio.studies import all_studies
from dpstudio.text import language
from dpstudio.text.language import LANGUAGES, counted, in_english, speak, steps_in_english, tr

FOLDER = Path(__file__).parents[1] / "resources" / "languages"
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
    speak(resource("languages/de.mo"))
    yield
    speak(None)


@pytest.fixture(params=TRANSLATED)
def messages(request):
    return [each for each in read_po(BytesIO((FOLDER / f"{request.param}.po").read_bytes()), locale=request.param)
            if each.id]


def places(text):
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


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
    assert [each.id for each in messages
            if any(places(said) != places(forms(each.id)[-1]) for said in forms(each.string))] == []


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


def test_a_language_that_is_stored_and_unknown_is_english():
    settings = Settings()
    assert settings.language == "en"
    settings.language = "de"
    assert Settings().language == "de"
    settings.language = "xx"
    assert Settings().language == "en"
