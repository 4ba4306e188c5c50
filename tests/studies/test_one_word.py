"""One word for each idea: what the program says uses the glossary’s words and none of those that it refuses."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpstudio
from dpstudio.core.study import Study
from dpstudio.documents import help
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.studies import all_studies
from dpstudio.vocabulary import words
from dpstudio.vocabulary.glossary import GLOSSARY

REFUSED = {word: re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
           for term in GLOSSARY for word in term.not_said}
WINDOW = Path(dpstudio.__file__).parent / "gui"


def refused(text: str) -> list[str]:
    return [word for word, pattern in REFUSED.items() if pattern.search(text)]


def declared(kind: type[Study]) -> Iterator[str]:
    """What a study says before it has an answer."""
    yield from (kind.title, kind.question)
    for figure in kind.figures:
        yield from (figure.title, figure.caption, figure.empty)
    yield from (series.label for series in kind.answers().series())
    for preset in kind.presets:
        yield from (preset.title, preset.sentence)
    for parameter in kind.parameters():
        yield from (*parameter.ends, parameter.group, parameter.named_title)
    for fact in kind.answers().index().values():
        yield fact.how if isinstance(fact.how, str) else ""
    if kind.door is not None:
        yield from (kind.door.title, kind.door.question, *(ask.words for ask in kind.door.asks))


@pytest.mark.parametrize("kind", all_studies().values(), ids=lambda kind: kind.key)
def test_that_a_study_says_no_word_that_the_glossary_refuses(kind):
    assert {text: found for text in declared(kind) if (found := refused(text))} == {}


def test_that_no_quantity_is_called_by_a_word_that_the_glossary_refuses():
    assert {word.key: found for word in words() if (found := refused(f"{word.label} {word.sentence}"))} == {}


def test_that_no_sentence_has_a_word_that_the_glossary_refuses():
    said = json.dumps(json.loads((Path(__file__).parent / "words.json").read_text("utf-8")), ensure_ascii=False)
    assert refused(said) == []
    assert [found for scenario in SCENARIOS.values() if (found := refused(repr(scenario)))] == []


@pytest.mark.parametrize("key", [*all_studies(), "theorems", "data", "words"])
def test_that_no_page_of_help_has_a_word_that_the_glossary_refuses(key):
    assert refused(help.page(key)) == []


def test_that_no_text_of_the_window_has_a_word_that_the_glossary_refuses():
    texts = {f"{path.name}:{node.lineno}": node.value for path in WINDOW.rglob("*.py")
             for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert len(texts) > 1000
    assert {place: found for place, text in texts.items() if (found := refused(text))} == {}
