"""What the first page says of the application is so."""

from __future__ import annotations

from pathlib import Path

from dpstudio.studies import all_studies

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text("utf-8")


def test_that_every_study_is_listed_with_its_question_in_order():
    rows = [f"| {study.title} | {study.question} |" for study in all_studies().values()]
    assert "\n".join(rows) in README
    assert f"{['Nine', 'Ten', 'Eleven', 'Twelve'][len(rows) - 9]} studies" in README


def test_that_the_tree_is_the_one_there_is():
    tree = README.split("## How it is built")[1].split("```")[1]
    for line in tree.strip().splitlines():
        assert (PROJECT / line.split()[0]).exists(), line
    packages = {f"dpstudio/{each.parent.name}/" for each in (PROJECT / "dpstudio").glob("*/__init__.py")}
    assert packages <= {line.split()[0] for line in tree.strip().splitlines()}


def test_that_every_word_of_the_command_line_it_shows_is_known():
    shown = [line.split()[1] for line in README.splitlines() if line.startswith("dpstudio ")]
    assert set(shown) == {"list", "compute", "count", "render", "report", "solve", "sweep", "code"}
