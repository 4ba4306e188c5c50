"""What the first page, and the pages behind it, say of the application is so."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from dpstudio import __version__
from dpstudio.studies import all_studies

PROJECT = Path(__file__).parents[1]
PAGES = {path.relative_to(PROJECT): path.read_text("utf-8") for path in (
    PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").glob("*.md")))}


def of(name: str) -> str:
    return PAGES[Path(name)]


def test_that_every_study_is_listed_with_its_question_in_order():
    rows = [f"| {study.title} | {study.question} |" for study in all_studies().values()]
    assert "\n".join(rows) in of("docs/studies.md")
    many = ["Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen"][len(rows) - 11]
    assert f"{many} studies" in of("docs/studies.md")


def test_that_the_tree_is_the_one_there_is():
    tree = of("docs/building.md").split("# How it is built")[1].split("```")[1]
    for line in tree.strip().splitlines():
        assert (PROJECT / line.split()[0]).exists(), line
    packages = {f"dpstudio/{each.parent.name}/" for each in (PROJECT / "dpstudio").glob("*/__init__.py")}
    assert packages <= {line.split()[0] for line in tree.strip().splitlines()}


def test_that_every_word_of_the_command_line_it_shows_is_known():
    shown = [line.split()[1] for line in of("docs/command-line.md").splitlines() if line.startswith("dpstudio ")]
    assert set(shown) == {"list", "compute", "count", "render", "report", "solve", "sweep", "code", "profile",
                          "audit"}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_that_what_a_page_links_to_is_there(page):
    for target in re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```", "", PAGES[page], flags=re.DOTALL)):
        name, _, heading = target.partition("#")
        if "://" in name:
            continue
        found = (PROJECT / page).parent / name if name else PROJECT / page
        assert found.exists(), target
        headings = re.findall(r"(?m)^#+ (.+)$", found.read_text("utf-8")) if heading else ()
        assert not heading or heading in [each.lower().replace(" ", "-") for each in headings], target


def test_that_the_first_page_is_one():
    first = of("README.md")
    assert len(first.splitlines()) < 60
    assert first.count("![") == 1
    assert [line for line in first.splitlines() if line.startswith("## ")] == [
        "## Start", "## In four steps", "## How to cite", "## Licence"]


def test_that_it_is_cited_by_its_version():
    told = (PROJECT / "CITATION.cff").read_text("utf-8")
    assert f"version: {__version__}\n" in told
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"license: {project['license']}\n" in told
    assert f"- name: {project['authors'][0]['name']}\n" in told


def test_that_nothing_was_kept_beside_the_project():
    """What a hand of the soak writes where it stands is no part of it."""
    git = shutil.which("git")
    if git is None or not (PROJECT / ".git").exists():
        pytest.skip("no checkout")
    kept = subprocess.run([git, "-C", PROJECT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    assert {path.partition("/")[0] for path in kept.split("\0") if path} == {
        ".ci", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "docs",
        "dpstudio", "packaging", "pyproject.toml", "resources", "tests"}
