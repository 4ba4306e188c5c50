"""A mechanism is added as the README says: one file, one line, and everything else follows."""

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
STUDIES = {"decision": "logistic", "noise": "staircase"}
NOISE_LINE = '    listed(Series("staircase", "Staircase"), "dpstudio.mechanisms.noise.staircase:StaircaseNoise"),\n'


def code_of_the_readme() -> list[str]:
    section = (ROOT / "README.md").read_text("utf-8").partition("## How to add a mechanism")[2].partition("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def add_line(answer: Path, line: str) -> None:
    """Put a line at the end of the tuple COMPARED."""
    text = answer.read_text("utf-8")
    start = text.index("COMPARED: tuple")
    end = text.index("\n)\n", start) + 1
    answer.write_text(text[:end] + line + text[end:], "utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with two mechanisms more: the README's decision, and a noise as the tests have it."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "dpstudio", folder / "dpstudio", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", folder / "resources")
    mechanism, line = code_of_the_readme()
    (folder / "dpstudio/mechanisms/decision/logistic.py").write_text(mechanism, "utf-8")
    add_line(folder / "dpstudio/studies/decision/answer.py", line)
    shutil.copy(ROOT / "tests/mechanisms/staircase.py", folder / "dpstudio/mechanisms/noise/staircase.py")
    add_line(folder / "dpstudio/studies/noise/answer.py", NOISE_LINE)
    return folder


def python(package: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {**os.environ, "PYTHONPATH": str(package), "QT_QPA_PLATFORM": "offscreen",
            "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([sys.executable, *words], cwd=package, env=kept, capture_output=True, text=True, timeout=280)


def told(package: Path, *words: str) -> str:
    done = python(package, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_that_the_copy_is_what_is_tested(package):
    assert str(package) in told(package, "-c", "import dpstudio; print(dpstudio.__file__)")


@pytest.mark.parametrize(("study", "key"), STUDIES.items())
def test_that_the_command_line_has_its_facts_and_columns(package, study, key):
    answer = json.loads(told(package, "-m", "dpstudio", "compute", study, "--no-simulation"))
    own = {fact["key"]: fact for fact in answer["facts"] if fact["mechanism"] == key}
    others = {fact["key"] for fact in answer["facts"] if fact["mechanism"] == "laplace"}
    assert others - own.keys() <= {"threshold_offset", "rounded_sd", "threshold"}
    assert any(name.endswith(f"_{key}") for table in answer["tables"].values() for name in table)


@pytest.mark.parametrize(("study", "key"), STUDIES.items())
def test_that_its_look_is_its_own_in_every_picture(package, study, key):
    code = f"""
from dpstudio.scene.palette import style
from dpstudio.core.figure import Line
from dpstudio.studies import all_studies
study = all_studies()["{study}"]
looks = {{series.key: style(series.look) for series in study.answers().series()}}
own = looks.pop("{key}")
assert own not in looks.values(), own
assert all(own.light != other.light and own.dark != other.dark and own.dash != other.dash for other in looks.values())
drawn = [figure.key for figure in study.figures for layer in figure.layers
         if isinstance(layer, Line) and layer.y.series and layer.y.series.key == "{key}"]
assert len(drawn) >= 5, drawn
"""
    told(package, "-c", code)


@pytest.mark.parametrize(("study", "title"), [("decision", "Logistic"), ("noise", "Staircase")])
def test_that_print_names_it_and_a_picture_carries_the_session(package, tmp_path, study, title):
    file = tmp_path / "picture.svg"
    told(package, "-m", "dpstudio", "render", study, "--set", "epsilon=0.5", "--output", str(file))
    assert title in file.read_text("utf-8")
    again = json.loads(told(package, "-m", "dpstudio", "compute", str(file), "--no-simulation"))
    assert again["parameters"]["epsilon"] == 0.5


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


@pytest.mark.parametrize("suite", [
    "tests/mechanisms/test_every_mechanism.py", "tests/mechanisms/test_fields.py",
])
def test_that_the_generic_suites_find_it_and_hold_it(package, suite):
    done = python(package, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / suite), "-k",
                  "Logistic or Staircase", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), CI="true")
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 5


@pytest.mark.parametrize("study", STUDIES)
def test_that_the_suite_of_every_study_holds_with_it(package, study):
    done = python(package, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                  str(ROOT / "tests/studies/test_every_study.py"), "-k", study, "-c", str(ROOT / "pyproject.toml"),
                  "--rootdir", str(ROOT), CI="true")
    assert done.returncode == 0, done.stdout[-3000:]
