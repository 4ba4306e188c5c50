"""An audit of somebody's own mechanism from the command line, end to end."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from dpstudio.cli import main
from dpstudio.data.libraries import LIBRARY_NOISE
from dpstudio.models.auditing.exhibits import EXHIBITS


@pytest.fixture
def run(capfd):
    def runner(*arguments):
        status = main(["audit", *map(str, arguments)])
        return status, *capfd.readouterr()

    return runner


@pytest.fixture
def files(tmp_path):
    """A fair coin and one that leans."""
    for name, ones in (("a.txt", 500), ("b.txt", 900)):
        (tmp_path / name).write_text("".join(f"{int(i % 10 < ones // 100)}\n" for i in range(1000)))
    return tmp_path / "a.txt", tmp_path / "b.txt"


def test_that_two_files_contradict_a_claim_with_a_status_of_its_own(run, files):
    status, out, err = run(*files, "--epsilon", "0.5", "--format", "json")
    made = json.loads(out)
    assert (status, err, made["contradicted"], made["draws"]) == (3, "", True, 1000)
    assert made["counts"] == {"A": 250, "B": 50}  # of zeros, of which B has the fewer
    assert run(*files, "--epsilon", "3")[0] == 0


def test_that_a_planted_defect_of_a_library_is_caught(run):
    pytest.importorskip("opendp")
    status, out, _ = run("--library", "opendp:laplace", "--scale", "0.5", "--epsilon", "1", "--format", "json")
    made = json.loads(out)
    assert (status, made["contradicted"]) == (3, True)
    assert 1.6 < made["least_epsilon"] < 2.05
    status, out, _ = run("--library", "opendp:laplace", "--epsilon", "1.1", "--format", "json")
    assert (status, json.loads(out)["contradicted"]) == (0, False)


def test_that_a_command_is_shown_and_run_only_where_somebody_says_so(run, tmp_path):
    code = tmp_path / "mine.py"
    code.write_text("import sys\nfor i in range(int(sys.argv[2])): print(i % 2 if sys.argv[1] == 'x' else 0)\n")
    asked = ("--command", f"{sys.executable} {code} {{data}} {{draws}}", "--datasets", "x", "y", "--draws", "1000")
    status, out, err = run(*asked)
    assert (status, out) == (2, "")
    assert f"runs {sys.executable} {code} x 1000\n" in err
    assert err.endswith("only with --yes\n")
    status, out, err = run(*asked, "--yes", "--format", "text")
    assert status == 3
    assert out.startswith("ε = 1 is contradicted: with 99\u202f% confidence ε is at least ")


def test_that_exhibits_say_what_is_wrong_with_them_and_where_it_was_published(run):
    for name, one in EXHIBITS.items():
        status, out, _ = run("--exhibit", name, "--format", "json")
        made = json.loads(out)
        assert status == (3 if one.wrong else 0), name
        assert (made["wrong"], made["source"]) == (one.wrong, one.source.reference)
    assert "Mironov" in run("--exhibit", "floating_laplace", "--format", "text")[1]


def test_that_the_help_names_every_exhibit_and_every_noise_of_a_library():
    done = subprocess.run([sys.executable, "-m", "dpstudio", "audit", "--help"], capture_output=True, text=True,
                          check=True)
    assert {*EXHIBITS, *LIBRARY_NOISE} <= {*done.stdout.replace(",", " ").replace(";", " ").split()}


@pytest.mark.parametrize(("words", "sentence"), [
    ((), "give two files of outcomes, FILE FILE, or one of --command, --library and --exhibit"),
    (("a.txt",), "give two files"), (("a.txt", "b.txt", "--exhibit", "half_noise"), "give two files"),
    (("--exhibit", "half_nois"), "did you mean 'half_noise'?"),
    (("--exhibit", "half_noise", "--column", "x"), "--column goes with two files alone"),
    (("a.txt", "b.txt", "--seed", "1"), "--seed goes with --exhibit alone"),
    (("--command", "x {data} {draws}"), "--command needs --datasets A B"),
    (("--exhibit", "half_noise", "--epsilon", "-1"), "epsilon must be"),
    (("--exhibit", "half_noise", "--delta", "0.7"), "delta must be"),
    (("--exhibit", "half_noise", "--confidence", "1"), "confidence must be"),
    (("--exhibit", "half_noise", "--draws", "3"), "draws must be"),
    (("--exhibit", "half_noise", "--seed", "x"), "seed must be"),
    (("--library", "opendp:laplace", "--datasets", "a", "b"), "datasets must be"),
    (("none.txt", "none.txt"), "no such file"),
])
def test_that_what_is_asked_wrongly_is_refused_in_one_line(run, words, sentence):
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
