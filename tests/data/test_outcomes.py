"""Outcomes of somebody's own mechanism: read from files, printed by commands, or refused in one sentence."""

from __future__ import annotations

import os
import sys
import time

import numpy as np
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data import outcomes, runs
from dpstudio.data.libraries import LIBRARY_NOISE, library_noise
from dpstudio.data.outcomes import read_pair
from dpstudio.data.runs import arguments_of, run_pair

TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"


@pytest.fixture
def written(tmp_path):
    def write(*contents):
        paths = [tmp_path / f"{place}.txt" for place in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return paths

    return write


def python(code):
    """Runs of a program on two datasets, for so many outcomes."""
    return lambda draws: tuple((sys.executable, "-c", code, data, str(draws)) for data in ("0", "1"))


def said(action, *arguments, **options):
    with pytest.raises(InvalidParameter) as refusal:
        action(*arguments, **options)
    sentence = str(refusal.value)
    assert "\n" not in sentence
    return sentence


def test_that_numbers_are_numbers_whatever_ends_their_lines(written):
    pair = read_pair(*written(TEN, TEN.replace("\n", "\r\n")[:-2]))
    assert not pair.kinds
    assert [each.tolist() for each in pair.outcomes] == [[*range(1, 11)]] * 2


def test_that_one_word_makes_categories_of_both(written):
    pair = read_pair(*written(TEN, TEN.replace("5", "none")))
    assert pair.kinds == ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "none")
    assert np.flatnonzero(pair.outcomes[0] != pair.outcomes[1]).tolist() == [4]


def test_that_a_column_is_found_by_its_name(written):
    table = "who, outcome\n" + "".join(f'"a, b",{value}\n' for value in TEN.split())
    assert read_pair(*written(table, table), "outcome").outcomes[0].tolist() == [*range(1, 11)]
    assert "none of its columns is called 'sum'" in said(read_pair, *written(table, table), "sum")


@pytest.mark.parametrize(("second", "words"), [
    (b"", "it is empty"), (b"1\0\n", "it is not text"), (b"\xff\xfe\n" * 10, "it is not UTF-8 text"),
    (TEN[2:], "it has 9 where 0.txt has 10"), (TEN.replace("4", ""), "line 4 has no outcome"),
    (TEN.replace("4", "nan"), "outcome 4 is nan, no finite number"), ("x" * 2000, "line 1 has more than 1000 char"),
    (TEN.replace("7", "-inf"), "outcome 7 is -inf"), ("value\n" + TEN, "its first line alone is no number"),
])
def test_that_a_bad_file_is_refused_in_a_sentence_that_says_why(written, second, words):
    assert words in said(read_pair, *written(TEN, second))


def test_that_what_is_not_there_is_said(tmp_path, written):
    assert "no such file" in said(read_pair, *written(TEN), tmp_path / "none.txt")
    assert "directory" in said(read_pair, *written(TEN), tmp_path)


def test_that_a_pipe_is_not_waited_for(tmp_path, written):
    os.mkfifo(tmp_path / "pipe")
    assert "it is no plain file" in said(read_pair, *written(TEN), tmp_path / "pipe")


def test_that_few_outcomes_are_refused(written):
    assert "it has 1 outcomes, and 10 is the least" in said(read_pair, *written("1\n", "2\n"))


def test_that_too_many_lines_are_refused_before_one_is_read(written, monkeypatch):
    monkeypatch.setattr(outcomes, "MOST", 100)
    assert "it has more than 100 outcomes" in said(read_pair, *written(TEN, "\n" * 102))


def test_that_a_command_prints_the_outcomes_of_each_dataset():
    pair = run_pair(python("import sys\nfor i in range(int(sys.argv[2])): print(i + float(sys.argv[1]))")(20), 20)
    assert (pair.outcomes[1] - pair.outcomes[0] == 1).all()


@pytest.mark.parametrize(("code", "words"), [
    ("raise SystemExit('no such data')", "it ended with status 1: no such data"),
    ("print('1')", "it has 1 outcomes"), ("for i in range(30): print(i)", "it printed 30 outcomes in the place of 20"),
    ("while True: print('1' * 1000)", "it printed more than"), ("pass", "it is empty"),
])
def test_that_a_command_that_does_otherwise_is_refused(code, words):
    assert words in said(run_pair, python(code)(20), 20)


def test_that_a_command_that_hangs_is_ended_with_all_that_it_started(tmp_path):
    alive = tmp_path / "alive"
    child = ("import time, pathlib\nwhile True:\n"
             f"    pathlib.Path({str(alive)!r}).write_text(str(time.time())); time.sleep(0.01)")
    code = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(600)"
    begun = time.monotonic()
    assert "it took longer than 2 seconds" in said(run_pair, python(code)(20), 20, seconds=2.0)
    assert time.monotonic() - begun < 30
    last = alive.read_text()
    time.sleep(0.3)
    assert alive.read_text() == last


def test_that_no_shell_reads_a_command():
    found = arguments_of("draw --of {data} '{draws}; rm x' $HOME", "a b", 5)
    assert found == ("draw", "--of", "a b", "5; rm x", "$HOME")


@pytest.mark.parametrize("command", ["", "draw", "draw {data}", "{data} {draws}x'", "draw 'x {data} {draws}"])
def test_that_a_command_without_its_places_is_refused(command):
    assert "command must be a program with {data} and {draws}" in said(arguments_of, command, "a", 5)


@pytest.mark.parametrize(("command", "data"), [("draw {data} {draws} \x1b[2K", "a"), ("draw {data} {draws}", "a\nb")])
def test_that_a_command_with_signs_that_nothing_shows_is_refused(command, data):
    assert "of signs that can be shown" in said(arguments_of, command, data, 5)


def test_that_a_program_that_is_not_there_is_said():
    assert "it cannot be started: no such file" in said(run_pair, (("no-such-program", "1"),) * 2, 20)


def test_that_a_library_that_is_not_installed_is_said(monkeypatch):
    monkeypatch.setattr("dpstudio.data.libraries.find_spec", lambda _: None)
    assert "whose Python package is installed, here opendp" in said(library_noise, "opendp:laplace")
    assert "library must be one of opendp:laplace" in said(library_noise, "other:noise")


@pytest.mark.parametrize("name", LIBRARY_NOISE)
def test_that_the_noise_of_a_library_is_around_the_value_and_as_wide_as_its_scale(name):
    noise = LIBRARY_NOISE[name]
    pytest.importorskip(noise.package)
    pair = run_pair((noise.arguments(0.0, 2000, 3.0), noise.arguments(100.0, 2000, 3.0)), 2000)
    middle = [np.median(each) for each in pair.outcomes]
    assert middle == pytest.approx([0, 100], abs=0.6)
    spread = np.mean([np.mean(np.abs(each - at)) for each, at in zip(pair.outcomes, (0, 100), strict=True)])
    assert spread == pytest.approx(3.0 * (np.sqrt(2 / np.pi) if "gauss" in name else 1.0), rel=0.12)


def test_that_the_packed_program_has_no_library_and_lends_a_command_none_of_its_own(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/packed")
    code = python("import os, sys\nfor i in range(int(sys.argv[2])): print(os.environ.get('LD_LIBRARY_PATH', 'none'))")
    assert run_pair(code(20), 20).kinds == ("none",)
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/before")
    assert run_pair(code(20), 20).kinds == ("/before",)
    assert "the packed program has none" in said(library_noise, "opendp:laplace")


def test_that_a_run_that_is_left_ends():
    begun = time.monotonic()
    with pytest.raises(InvalidParameter):
        run_pair(python("import time; time.sleep(600)")(20), 20, 500.0, lambda: time.monotonic() > begun + 0.3)
    assert time.monotonic() - begun < 30
    assert runs.LIMIT == 60
