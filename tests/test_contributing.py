"""Mechanisms, facts, pictures and studies are added as docs/building.md and CONTRIBUTING say; all else follows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from dpstudio.studies import SHIPPED

ROOT = Path(__file__).resolve().parent.parent
SUITES = [f"tests/studies/test_{suite}.py" for suite in (
    "every_study", "answers", "formulas", "formula_claims", "guarantees", "claims", "promises", "tables", "exactness",
    "frontiers", "who_is_ahead", "named_best", "bad_input", "page_one")]
SUITES += [f"tests/studies/test_decision_{test}" for test in (
    "costs.py::test_that_a_curve_has_the_costs_and_errors_of_the_choices_that_it_shows",
    "study.py::test_that_further_decisions_are_there_only_where_they_are_asked_for")]
CHOSEN = (
    "contributed or readme or formulas or leak or every_formula or (decision or noise) and not (answers or page_one "
    "or answer_over_the_domain or claim_holds or put_back or every_view or nothing_to_see or worth_seeing or same_seed "
    "or looked_at_late or right_guesses)")
"""But for what takes long and is of other studies, of random answers, of a view or of a seed."""
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


def insert_sorted(page: Path, row: str) -> None:
    """The row of a study behind all others, and one study more in words."""
    text = page.read_text("utf-8")
    last = text.rindex(f"| {SHIPPED[-1].capitalize()} |")
    end = text.index("\n", last) + 1
    page.write_text((text[:end] + row + text[end:]).replace("Fifteen studies", "Sixteen studies"), "utf-8")


def make(folder: Path) -> None:
    """A copy of the project with all that docs/building.md and CONTRIBUTING add, and a noise as the tests have it."""
    for name in ("dpstudio", "resources", "tests", "docs", "packaging"):
        shutil.copytree(ROOT / name, folder / name)  # with what was compiled of it
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    studies = folder / "dpstudio/studies"
    mechanism, line = code_of("docs/building.md", "How to add a mechanism")
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
    insert_sorted(folder / "docs/studies.md", "| Leak | Whom may δ publish? |\n")
    words = folder / "tests/studies/words.json"
    kept = json.loads(words.read_text("utf-8"))
    del kept["noise"]  # of one series more other numbers are drawn
    words.write_text(json.dumps(kept), "utf-8")
    for suite in (folder / "tests/conftest.py", *(folder / "tests/studies").glob("test_*.py")):
        # That they hold of many settings they say themselves.
        suite.write_text(re.sub(r"max_examples=\d+", "max_examples=12", suite.read_text("utf-8")), "utf-8")


def test_that_what_is_added_as_it_is_said_is_everywhere_and_all_suites_hold(tmp_path):
    make(tmp_path)
    kept = {**os.environ, "PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-qx", "-n", "0", "-p", "no:cacheprovider",
         "-o", "faulthandler_timeout=0",  # ours ends it
         "tests/contributed.py", "tests/test_readme.py", *SUITES, "-k", CHOSEN],
        cwd=tmp_path, env={**kept, "CI": "true"}, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 170
