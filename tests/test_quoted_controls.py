"""What help, first page and guide call a control is called so on the screen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import dpstudio
from dpstudio.core import sources
from dpstudio.core.study import Study
from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Choice
from dpstudio.vocabulary.glossary import GLOSSARY

PROJECT = Path(__file__).parents[1]
PAGES = [PROJECT / "README.md",
         *(page for folder in ("docs", "docs/guide", "resources/help")
           for page in sorted((PROJECT / folder).glob("*.md")))]
QUOTED = re.compile(r"(?<![*\w])\*([^*\s][^*]*?)\*(?!\*)")
ASKS = re.compile(r"“([A-Z][^“”]*…)”")
"""A control that asks first, in quotation marks."""
FOLDED = re.compile(r"▸ \d+ more")
"""How much is behind a fold, of which the screen has the number."""
WISH = "I want "
"""A sentence that somebody fills in, of several controls."""


def plain(text: str) -> str:
    """Without the mark of a key, and without the dots of what asks first."""
    return re.sub(r"\s+", " ", text.replace("&", "").removesuffix("…").removesuffix(":")).strip().casefold()


@cache
def on_screen() -> set[str]:
    """Whatever the window, a study or the glossary calls something."""
    return {plain(text) for text in (*of_window(), *(text for kind in all_studies().values() for text in of(kind)),
                                     *(each.title for each in SCENARIOS.values()),
                                     *(word for term in GLOSSARY for word in (term.word, *term.forms)))}


def of_window() -> Iterator[str]:
    for path in (Path(dpstudio.__file__).parent / "gui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1].strip():
                yield node.value


def of(kind: type[Study]) -> Iterator[str]:
    yield from (kind.title, kind.question)
    for figure in kind.figures:
        yield figure.title
    yield from (series.label for series in kind.answers().series())
    yield from (preset.title for preset in kind.presets)
    for parameter in kind.parameters():
        quantity = parameter.quantity
        yield from (quantity.label, quantity.symbol, parameter.group, parameter.brief or quantity.label)
        if isinstance(parameter.domain, Choice):
            yield from (parameter.domain.said(each) for each in parameter.domain.options)
    yield from (fact.quantity.label for fact in kind.answers().index().values())
    if kind.door is not None:
        yield from (kind.door.title, kind.door.question)


@cache
def titles() -> str:
    """Of what is cited, and of the project itself, which are set in italics, too."""
    cited = [each.reference for each in vars(sources).values() if isinstance(each, sources.Source)]
    return " ".join((*cited, (PROJECT / "CITATION.cff").read_text("utf-8"))).casefold()


def controls(text: str) -> Iterator[str]:
    """What is quoted as a control: a way through menus, or what begins with a capital and is no title and no advice."""
    prose = re.sub(r"```.*?```|`[^`]*`|<!--.*?-->|\b\d{4}, \*[^*]+\*", "", text.replace("\\", ""), flags=re.DOTALL)
    yield from ASKS.findall(prose)
    for quoted in QUOTED.findall(prose):
        said = " ".join(quoted.split())
        if FOLDED.fullmatch(said) or said.startswith(WISH) or said[-1] in ".,;" or said.casefold() in titles():
            continue
        for step in said.split(" → "):
            if step[0].isupper() or step.endswith("…"):
                yield step


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_that_what_is_quoted_of_the_screen_is_there(page):
    quoted = list(controls(page.read_text("utf-8")))
    assert [each for each in quoted if plain(each) not in on_screen()] == []


def test_that_controls_are_quoted_and_one_that_is_not_there_is_found():
    assert sum(len(list(controls(page.read_text("utf-8")))) for page in PAGES) > 100
    assert list(controls("“Shut it…”: *File → Open the door…*, *not*, *▸ 11 more*, *Always do so.*")) == [
        "Shut it…", "File", "Open the door…"]
    assert plain("Open the door…") not in on_screen()
    assert {"file", "count in your data", "i want", "help on this study"} <= on_screen()
