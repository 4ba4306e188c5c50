"""What holds of a project to which all was added that docs/building.md and CONTRIBUTING add: run in a copy of it.

`test_contributing.py` makes the copy and has pytest run this file there, with the suites that find what was added.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

import dpstudio
from dpstudio.cli import main
from dpstudio.core.figure import Line
from dpstudio.core.study import answer
from dpstudio.documents.report.mathml import mathml
from dpstudio.scene.palette import style
from dpstudio.studies import all_studies

STUDIES = all_studies()
every_mechanism = pytest.mark.parametrize(("study", "key"), [("decision", "logistic"), ("noise", "secant")])


@pytest.fixture
def told(capsys):
    """What the command line prints."""

    def run(*words):
        assert main(list(map(str, words))) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def facts(told, tmp_path):
    """Facts of a study at its defaults by keys of quantity and series, from a batch, which makes no tables."""

    def of(study):
        (tmp_path / "requests").write_text(json.dumps({"study": study}), "utf-8")
        answered = json.loads(told("compute", "--batch", tmp_path / "requests"))
        return {(fact["key"], fact["mechanism"]): fact["value"] for fact in answered["facts"]}

    return of


def test_that_the_copy_is_what_is_tested():
    assert Path(dpstudio.__file__).parents[1] == Path(__file__).parents[1]


@every_mechanism
def test_that_the_command_line_has_its_facts_and_columns(study, key, facts):
    found, made = facts(study), STUDIES[study]
    own, others = ({name for name, of in found if of == series} for series in (key, "laplace"))
    assert own
    assert others - own <= {"threshold_offset", "rounded_sd", "threshold"}
    columns = answer(made(), simulate=False).tables[made.figures[0].table]
    assert key in {column.series.key for column in columns if column.series}


@every_mechanism
def test_that_its_look_is_its_own_in_every_picture(study, key):
    made = STUDIES[study]
    (compared,) = {figure.compared for figure in made.figures}
    looks = {series.key: style(series, compared) for series in made.answers().series()}
    own = looks.pop(key)
    assert all(own.light != one.light and own.dark != one.dark and own.dash != one.dash for one in looks.values())
    drawn = [figure.key for figure in made.figures for layer in figure.layers
             if isinstance(layer, Line) and layer.y.series and layer.y.series.key == key]
    assert len(drawn) >= 5, drawn


@every_mechanism
def test_that_print_names_it_and_a_picture_carries_the_session(study, key, told, tmp_path):
    file = tmp_path / "picture.svg"
    told("render", study, "--figure", "profile", "--set", "epsilon=0.5", "--output", file)
    assert key.capitalize() in file.read_text("utf-8")
    assert "# epsilon: 0.5" in told("compute", file, "--no-simulation", "--format", "csv").splitlines()


@every_mechanism
def test_that_the_window_shows_it_as_a_column(study, key, qapp):
    from dpstudio.gui.facts.view import FactsView
    from dpstudio.gui.shell.theme import LIGHT, load_fonts

    load_fonts()
    made = STUDIES[study]()
    view = FactsView(LIGHT)
    update = answer(made, simulate=False)
    view.facts.show_update(update, made)
    assert key.capitalize() in [series.label for series in view.facts.series]


def test_that_the_suites_of_mechanisms_find_both(monkeypatch):
    """That they hold with them the suites themselves say, of the same two newcomers."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "mechanisms")
    from test_every_mechanism import decisions, noises

    for mark, name in ((decisions, "LogisticDecision"), (noises, "SecantNoise")):
        (found,) = (cls for cls in mark.args[1] if cls.__name__ == name)
        assert found.__module__.startswith("dpstudio.")


def test_that_a_fact_and_a_picture_of_a_few_lines_are_told_and_drawn(facts, told, tmp_path):
    odds = facts("decision")["acceptance_odds", "laplace"]
    assert odds == pytest.approx(0.9323323583816936 / 0.06766764161830635)
    told("render", "decision", "--figure", "rejection", "--output", tmp_path / "rejection.svg")
    assert "Probability of rejecting" in (tmp_path / "rejection.svg").read_text("utf-8")


def test_that_an_outcome_of_one_line_has_a_frontier_and_says_what_it_shows(told, tmp_path):
    file = tmp_path / "frontier.svg"
    told("render", "decision", "--figure", "frontier_false_reject", "--size", "240x140mm", "--output", file)
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)", file.read_text("utf-8")))
    assert "For the same false" in words
    assert "Logistic" in words
    assert "Ahead: " in words


def test_that_its_formula_is_set():
    assert 'alttext="Pr[published] = 1 − (1 − δ)^N"' in "".join(map(str, mathml(STUDIES["leak"].formulas())))


def test_that_a_study_of_three_files_is_listed_answered_and_drawn(told, tmp_path):
    assert "leak" in told("list")
    answered = json.loads(told("compute", "leak", "--set", "delta=1e-3", "--set", "records=1000"))
    assert answered["facts"][0]["value"] == pytest.approx(0.6323045752290363)
    said, risk = answered["verdicts"]
    assert said == "Of 1\u202f000 records one or more may be published with probability 0.633."
    assert "at most 50\u202f050 with it, " in risk
    told("render", "leak", "--output", tmp_path / "leak.svg")
