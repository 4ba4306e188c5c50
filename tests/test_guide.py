"""The guide has a page for every door, with what the program says today."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from dpstudio.cli import main
from dpstudio.documents import session_file
from dpstudio.studies import all_studies, doors

GUIDE = Path(__file__).parents[1] / "docs" / "guide"
AGAIN = "made anew by: python docs/guide/make.py"


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("guide", GUIDE / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_that_the_pages_are_what_the_program_says_today(made):
    written = made.written()
    assert {path.name for path in GUIDE.glob("*.md")} == {name for name in written if "/" not in name}
    stale = [name for name, text in written.items() if (GUIDE / name).read_text("utf-8") != text]
    assert not stale, AGAIN


@pytest.mark.parametrize("key", doors())
def test_that_the_picture_of_a_page_opens_its_question(key):
    session = session_file.load(GUIDE / f"{key}.png")
    kind = all_studies()[key]
    assert session.study_class is kind
    assert session.study == kind(**kind.door.fixed), AGAIN


@pytest.mark.parametrize("key", doors())
def test_that_the_commands_of_a_page_are_taken(key, made, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line in (GUIDE / f"{key}.md").read_text("utf-8").splitlines():
        if line.startswith("dpstudio ") and not line.startswith("dpstudio report"):
            words = [word.strip("'") for word in line.split()[1:]]
            assert main([*words, *(["--no-simulation"] if words[0] == "compute" else [])]) in (0, None), line
    assert capsys.readouterr().err == ""


def test_that_links_lead_somewhere():
    for page in GUIDE.glob("*.md"):
        text = page.read_text("utf-8")
        for part in text.split("](")[1:]:
            assert (GUIDE / part.partition(")")[0]).exists(), (page.name, part[:40])
