"""The rules of the project file are executed: who may import whom, what stays unloaded, types and style."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from dpstudio.studies import all_studies

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"duckdb", "matplotlib", "PySide6", "pyqtgraph", "scipy.stats", "scipy.optimize", "PIL", "fontTools",
         "contourpy"}


def python(*arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
                          check=False)


def loaded(code):
    """The modules that a fresh Python has after running this."""
    done = python("-c", f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)")
    assert done.returncode == 0, done.stderr
    return {*done.stderr.split()}


def test_that_layers_import_only_what_lies_below_them():
    # In a process of its own: it silences the loggers that there are.
    done = python("-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))")
    assert done.returncode == 0, done.stdout


def test_that_the_command_line_loads_nothing_heavy():
    code = """
from dpstudio.cli import main
from dpstudio.core.frontier import curves
curves.FINE = curves.MOST = curves.COARSE
for words in ("list", "list decision", "compute decision", "sweep decision --over epsilon=1,2 --facts band_width"):
    assert main(words.split()) == 0
"""
    modules = loaded(code)
    assert "dpstudio.studies.decision" in modules
    assert not modules & (HEAVY | {"distributed", "multiprocessing.pool"})


def test_that_importing_the_package_loads_nothing():
    modules = loaded("import dpstudio")
    assert "dpstudio" in modules
    assert not modules & (HEAVY | {"numpy", "scipy"})


def test_that_a_list_of_studies_reads_none_and_one_study_no_other():
    listed = "from dpstudio.studies import all_studies, study_titles\nlist(all_studies()), study_titles()"
    assert not {f"dpstudio.studies.{key}" for key in all_studies()} & loaded(listed)
    one = loaded(f"{listed}\nall_studies()['noise'], 'kit' in all_studies()")
    assert {key for key in all_studies() if f"dpstudio.studies.{key}" in one} == {"noise"}


def test_that_drawing_needs_no_window_toolkit(tmp_path):
    words = ["render", "decision", "--output", str(tmp_path / "x.svg")]
    modules = loaded(f"from dpstudio.cli import main\nassert main({words}) == 0")
    assert "matplotlib" in modules
    assert not modules & {"PySide6", "pyqtgraph", "matplotlib.pyplot", "scipy.stats"}


def test_that_the_window_loads_no_database_and_the_dialog_none_before_a_file_is_opened():
    assert "duckdb" not in loaded("""
import sys, dpstudio.gui.shell.app, dpstudio.gui.shell.workbench
late = {"data.file", "gui.data.dialog", "gui.help.page", "gui.pictures.export_dialog", "gui.shell.about",
        "studies.noise"}
assert not {f"dpstudio.{each}" for each in late} & sys.modules.keys()
import dpstudio.gui.data.dialog
""")


@pytest.mark.parametrize("tool", [("ruff", "check"), ("mypy",)], ids=lambda tool: tool[0])
def test_that_style_and_types_are_clean(tool):
    done = python("-m", *tool)
    assert done.returncode == 0, done.stdout + done.stderr


@cache
def statements():
    """Of every module of the package, by its name, the imports and the classes, wherever they stand."""
    found = {}
    for path in sorted((ROOT / "dpstudio").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = [node for node in walked(ast.parse(path.read_text("utf-8")))
                       if isinstance(node, ast.ImportFrom | ast.ClassDef)]
    return found


def walked(node):
    """All statements within a node: no expression has any."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from walked(inner)


def test_that_no_two_files_import_each_other_wherever_the_import_stands():
    known = statements()
    graph = {name: {f"{node.module}.{each.name}" if f"{node.module}.{each.name}" in known else node.module
                    for node in found if isinstance(node, ast.ImportFrom) and node.module
                    for each in node.names} for name, found in known.items()}
    TopologicalSorter(graph).prepare()  # it refuses a circle, and names it


def test_that_every_class_has_a_name_of_its_own():
    places = {}
    for module, found in statements().items():
        for node in found:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    studies = {kind.__name__ for kind in all_studies().values()}  # one may be called what it is about
    roles = {"Compared", "Drawn"}  # what a study compares and draws has one name in every study
    for name, found in places.items():
        here = [module for module in found if not module.startswith("dpstudio.studies.")]
        assert len(found) == 1 or (name in roles and not here) or (name in studies and len(here) == 1), (name, found)
