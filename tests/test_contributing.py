"""Mechanisms, facts, pictures and studies are added as the README and CONTRIBUTING say, and everything else follows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUDIES = {"decision": "logistic", "noise": "secant"}
LONG = "every_answer_over_the_domain or every_claim_holds or put_back or whatever_order"
OF_VIEWS_AND_SEEDS = "every_view or nothing_to_see or worth_seeing or same_seed or looked_at_late or right_guesses"
SECANT_FORMULA = '    Formula("Secant", "p(x) = 1/(2 b cosh(π x slash (2 b)))", DMNS06, "secant"),\n'
SECANT_CLAIM = '''

def secant(b, x, _):
    from dpstudio.mechanisms.noise.secant import SecantNoise

    return SecantNoise(b).density(x)


law("Secant", "b x π", secant, {"π": lambda *_: math.pi})
'''
NOISE_LINE = '    listed(Series("secant", "Secant"), "dpstudio.mechanisms.noise.secant:SecantNoise"),\n'


def code_of(page: str, heading: str, language: str = "python") -> list[str]:
    """The code of a section, block by block."""
    section = (ROOT / page).read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def insert(file: Path, after: str, lines: str, before: str = "") -> None:
    """Put lines behind the first place that says so; with `before`, at the next place after it that says that."""
    text = file.read_text("utf-8")
    at = text.index(after) + len(after)
    at = text.index(before, at) if before else at
    file.write_text(text[:at] + lines + text[at:], "utf-8")


def insert_sorted(readme: Path, row: str) -> None:
    """The row of a study behind all others, and one study more in words."""
    text = readme.read_text("utf-8")
    last = text.rindex("| Watch |")
    end = text.index("\n", last) + 1
    readme.write_text((text[:end] + row + text[end:]).replace("Eleven studies", "Twelve studies"), "utf-8")


def make(folder: Path) -> None:
    """A copy of the project with all that the README and CONTRIBUTING add, and a noise as the tests have it."""
    for name in ("dpstudio", "resources", "tests", "docs", "packaging"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    studies = folder / "dpstudio/studies"
    mechanism, line = code_of("README.md", "How to add a mechanism")
    (folder / "dpstudio/mechanisms/decision/logistic.py").write_text(mechanism, "utf-8")
    insert(studies / "decision/answer.py", "COMPARED: tuple", line, ")\n\n\n")
    shutil.copy(ROOT / "tests/mechanisms/secant.py", folder / "dpstudio/mechanisms/noise/secant.py")
    insert(studies / "noise/answer.py", "COMPARED: tuple", NOISE_LINE, ")\n\n\n")
    formula, computed = code_of("CONTRIBUTING.md", "A mechanism")
    insert(studies / "decision/formulas.py", "\nFORMULAS = (\n", formula, "    Formula(")
    insert(studies / "noise/formulas.py", "\nFORMULAS = (\n", SECANT_FORMULA, "    ")
    released = folder / "tests/studies/formula_claims/released.py"
    released.write_text(f"{released.read_text('utf-8')}\n\n{computed}{SECANT_CLAIM}", "utf-8")
    suite = folder / "tests/mechanisms/mechanisms.py"
    both = "= (LogisticDecision, SecantNoise)"
    assert both in suite.read_text("utf-8")
    suite.write_text(suite.read_text("utf-8").replace(both, "= ()"), "utf-8")  # here they are of the package
    word, fact = code_of("CONTRIBUTING.md", "A fact")
    insert(folder / "dpstudio/vocabulary/decision.py", "# Errors\n", word)
    insert(studies / "decision/answer.py", '    "errors": (\n', fact)
    insert(studies / "decision/__init__.py", "FIGURES = (\n", code_of("CONTRIBUTING.md", "A picture")[0])
    insert(studies / "decision/__init__.py", "OUTCOMES = (\n", code_of("CONTRIBUTING.md", "An outcome")[0], ")\n\n\n")
    (studies / "leak").mkdir()
    *texts, claims = code_of("CONTRIBUTING.md", "A study")
    formulas, computed = code_of("CONTRIBUTING.md", "A formula")
    for name, text in zip(("__init__", "answer", "words", "formulas"), (*texts, formulas), strict=True):
        (studies / f"leak/{name}.py").write_text(text, "utf-8")
    (folder / "tests/studies/claims/leak.py").write_text(claims, "utf-8")
    learnt = folder / "tests/studies/formula_claims/learnt.py"
    learnt.write_text(f"{learnt.read_text('utf-8')}\n\n{computed}", "utf-8")
    (page,) = code_of("CONTRIBUTING.md", "A study", "markdown")
    (folder / "resources/help/leak.md").write_text(page, "utf-8")
    insert_sorted(folder / "README.md", "| Leak | Whom may δ publish? |\n")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    make(folder)
    return folder


def python(package: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {**os.environ, "PYTHONPATH": str(package), "QT_QPA_PLATFORM": "offscreen",
            "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([sys.executable, *words], cwd=package, env=kept, capture_output=True, text=True, timeout=600)


def told(package: Path, *words: str) -> str:
    done = python(package, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_that_the_copy_is_what_is_tested(package):
    assert str(package) in told(package, "-c", "import dpstudio; print(dpstudio.__file__)")


def facts(package: Path, study: str) -> dict[tuple[str, str], float]:
    """Facts of a study at its defaults by keys of quantity and series, from a batch, which makes no tables."""
    (package / "requests").write_text(json.dumps({"study": study}), "utf-8")
    answer = json.loads(told(package, "-m", "dpstudio", "compute", "--batch", "requests"))
    return {(fact["key"], fact["mechanism"]): fact["value"] for fact in answer["facts"]}


@pytest.mark.parametrize(("study", "key"), STUDIES.items())
def test_that_the_command_line_has_its_facts_and_columns(package, study, key):
    found = facts(package, study)
    own, others = ({name for name, of in found if of == series} for series in (key, "laplace"))
    assert own
    assert others - own <= {"threshold_offset", "rounded_sd", "threshold"}
    code = (f"from dpstudio.core.study import answer\nfrom dpstudio.studies import all_studies\n"
            f"made = all_studies()['{study}']\nprint(*answer(made(), simulate=False).tables[made.figures[0].table])")
    assert f"key='{key}'" in told(package, "-c", code)


@pytest.mark.parametrize(("study", "key"), STUDIES.items())
def test_that_its_look_is_its_own_in_every_picture(package, study, key):
    code = f"""
from dpstudio.scene.palette import style
from dpstudio.core.figure import Line
from dpstudio.studies import all_studies
study = all_studies()["{study}"]
(compared,) = {{figure.compared for figure in study.figures}}
looks = {{series.key: style(series, compared) for series in study.answers().series()}}
own = looks.pop("{key}")
assert own not in looks.values(), own
assert all(own.light != other.light and own.dark != other.dark and own.dash != other.dash for other in looks.values())
drawn = [figure.key for figure in study.figures for layer in figure.layers
         if isinstance(layer, Line) and layer.y.series and layer.y.series.key == "{key}"]
assert len(drawn) >= 5, drawn
"""
    told(package, "-c", code)


@pytest.mark.parametrize(("study", "title"), [("decision", "Logistic"), ("noise", "Secant")])
def test_that_print_names_it_and_a_picture_carries_the_session(package, tmp_path, study, title):
    file = tmp_path / "picture.svg"
    told(package, "-m", "dpstudio", "render", study, "--set", "epsilon=0.5", "--output", str(file))
    assert title in file.read_text("utf-8")
    again = told(package, "-m", "dpstudio", "compute", str(file), "--no-simulation", "--format", "csv")
    assert "# epsilon: 0.5" in again.splitlines()


@pytest.mark.parametrize("study", STUDIES)
def test_that_the_window_shows_it_as_a_column_and_in_a_legend(package, study, tmp_path):
    code = f"""
import sys; sys.path.insert(0, {str(ROOT / "tests/gui")!r})
import time
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QSettings
app = QApplication([])
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, {str(tmp_path)!r})
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.shell.theme import LIGHT, load_fonts
from dpstudio.core.study import answer
from dpstudio.studies import all_studies
load_fonts()
made = all_studies()["{study}"]()
view = FactsView(LIGHT)
update = answer(made, simulate=False)
update.facts
view.facts.show_update(update, made)
print([series.label for series in view.facts.series])
"""
    assert STUDIES[study].capitalize() in told(package, "-c", code)


def held(package: Path, chosen: str, *suites: str, least: int) -> None:
    """Suites of the copy hold with what is new, and of so many tests at least."""
    done = python(package, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "timeout=0",  # ours ends it
                  *suites, "-k", chosen, CI="true")
    assert done.returncode == 0, done.stdout[-6000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= least


def test_that_all_suites_of_mechanisms_find_both(package):
    """That they hold with them the suites themselves say, of the same two newcomers."""
    found = told(package, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--collect-only",
                 "tests/mechanisms")
    assert min(found.count("[LogisticDecision"), found.count("[SecantNoise")) >= 10


def test_that_all_suites_of_studies_the_formulas_and_the_first_page_hold_a_new_study(package):
    held(package, "leak or Leak or readme or every_formula or formulas", "tests/studies", "tests/test_readme.py",
         least=40)


@pytest.mark.parametrize("study", STUDIES)
def test_that_the_suites_of_studies_hold_with_a_mechanism_a_fact_a_picture_and_an_outcome_more(package, study):
    """But for random answers over the whole domain, what is of this study alone, and what depends on a view or a seed:
    these take minutes."""
    held(package, f"{study} and not ({LONG} or {OF_VIEWS_AND_SEEDS})", *(f"tests/studies/test_{suite}.py" for suite in (
        "every_study", "formulas", "formula_claims", "guarantees", "claims", "frontiers", "exactness")),
         least=20)


def test_that_a_fact_and_a_picture_of_a_few_lines_are_told_and_drawn(package, tmp_path):
    odds = facts(package, "decision")["acceptance_odds", "laplace"]
    assert odds == pytest.approx(0.9323323583816936 / 0.06766764161830635)
    file = tmp_path / "rejection.svg"
    told(package, "-m", "dpstudio", "render", "decision", "--figure", "rejection", "--output", str(file))
    assert "Probability of rejecting" in file.read_text("utf-8")


def test_that_an_outcome_of_one_line_has_a_frontier_and_says_what_it_shows(package, tmp_path):
    file = tmp_path / "frontier.svg"
    told(package, "-m", "dpstudio", "render", "decision", "--figure", "frontier_false_reject", "--size", "240x140mm",
         "--output", str(file))
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)", file.read_text("utf-8")))
    assert "For the same false" in words
    assert "Logistic" in words
    assert "Ahead: " in words


def test_that_its_formula_is_set(package):
    code = ("from dpstudio.documents.report.mathml import mathml\nfrom dpstudio.studies import all_studies\n"
            "print(*mathml(all_studies()['leak'].formulas()))")
    assert 'alttext="Pr[published] = 1 − (1 − δ)^N"' in told(package, "-c", code)


def test_that_a_study_of_three_files_is_listed_answered_and_drawn(package, tmp_path):
    assert "leak" in told(package, "-m", "dpstudio", "list")
    answer = json.loads(told(package, "-m", "dpstudio", "compute", "leak", "--set", "delta=1e-3", "--set",
                             "records=1000"))
    assert answer["facts"][0]["value"] == pytest.approx(0.6323045752290363)
    said, risk = answer["verdicts"]
    assert said == "Of 1\u202f000 records one or more may be published with probability 0.633."
    assert risk.endswith("at most 50\u202f050 with it.")
    told(package, "-m", "dpstudio", "render", "leak", "--output", str(tmp_path / "leak.svg"))
