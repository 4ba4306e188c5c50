"""What `compute` prints for people: verdicts, then the facts as the window says them, within the terminal's width."""

from __future__ import annotations

import json
import os
import sys

import pytest
from test_cli import ended, run, start  # noqa: F401 - a fixture

from dpstudio.core.study import answer
from dpstudio.data.origin import Origin
from dpstudio.documents.listing import KINDS, NARROWEST, text
from dpstudio.documents.rows import by_quantity
from dpstudio.studies import all_studies
from dpstudio.text.numbers import THIN, powered

WIDTHS = (60, 80, 200)
STUDIES = all_studies()
COMPUTED = ("compute", "noise", "--no-simulation")


@pytest.fixture(scope="module")
def updates():
    return {key: answer(study(), simulate=False) for key, study in STUDIES.items()}


def flat(said):
    """Without the places where lines end."""
    return " ".join(said.replace(THIN, "\0").split()).replace("\0", THIN)


def printed_on_a_terminal(width, *arguments):
    """What a process prints whose standard output is a terminal of that width."""
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    said = b""
    try:
        process = start(*arguments, stdout=theirs, environment={"COLUMNS": ""})
        os.close(theirs)
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # so Linux says that the other side is closed
            pass
        status, _, err = ended(process)
    finally:
        os.close(ours)
    assert (status, err) == (0, "")
    return said.decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
@pytest.mark.parametrize("width", WIDTHS)
def test_that_a_terminal_gets_text_of_its_width(width, updates):
    assert printed_on_a_terminal(width, *COMPUTED) == text(STUDIES["noise"](), updates["noise"], width)


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")
def test_that_json_that_is_asked_for_is_json_on_a_terminal_too():
    assert json.loads(printed_on_a_terminal(80, *COMPUTED, "--format", "json"))["study"] == "noise"


def test_that_what_is_no_terminal_gets_json_unless_text_is_asked_for(run, monkeypatch, updates):  # noqa: F811
    monkeypatch.setenv("COLUMNS", "72")
    assert json.loads(run(*COMPUTED)[1])["study"] == "noise"
    assert run(*COMPUTED, "--format", "text") == (0, text(STUDIES["noise"](), updates["noise"], 72), "")


def test_that_a_file_gets_text_where_that_is_asked_for_and_json_else(run, tmp_path, monkeypatch, updates):  # noqa: F811
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    assert run(*COMPUTED, "--format", "text", "--output", tmp_path / "a.txt") == (0, "", "")
    assert (tmp_path / "a.txt").read_text("utf-8") == text(STUDIES["noise"](), updates["noise"], 80)
    assert run(*COMPUTED, "--output", tmp_path / "a.json") == (0, "", "")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["study"] == "noise"
    assert run(*COMPUTED, "--output", "-")[1] == text(STUDIES["noise"](), updates["noise"], 120)


@pytest.mark.parametrize("width", [*WIDTHS, 1])
@pytest.mark.parametrize("key", STUDIES)
def test_that_every_fact_is_said_as_in_the_window_within_the_width(key, width, updates):
    update = updates[key]
    said = text(update.study, update, width)
    assert max(map(len, said.splitlines())) <= max(width, NARROWEST)
    facts = said[said.index(KINDS.split()[-1], 200):]
    rows = by_quantity(update.facts).values()
    by_key = {row.quantity.key: row for row in rows}
    cells = [row.cell(of, by_key) for row in rows for of in row.facts]
    for cell in set(cells):
        assert facts.count(cell) >= cells.count(cell), cell
    words = set(facts.split())
    assert {word for row in rows for word in row.quantity.axis_label.split()} <= words
    assert {word for fact in update.facts if fact.series for word in fact.series.label.split()} <= words


@pytest.mark.parametrize("width", WIDTHS)
def test_that_no_line_ends_within_a_relation_and_none_has_another_space(width, updates):
    for update in updates.values():
        said = text(update.study, update, width)
        lines = said[:said.index(KINDS.split()[-1])].splitlines()
        assert not [line for line in lines if line.endswith(("=", "≤", "≥", "±")) or line.startswith(("= ", "≤ "))]
        assert "\u00a0" not in said


def test_that_verdicts_come_first_and_headings_in_the_order_of_the_window(updates):
    update = updates["decision"]
    said = flat(text(update.study, update, 80))
    places = [said.index(flat(each)) for each in (
        *map(powered, update.verdicts), f"m = 1{THIN}000, ε = 0.1", "Neighbours differ by", KINDS, "The answer",
        "Errors", "Privacy", "Attack", "Technical")]
    assert said.startswith("Decision: Are there at least m records? Use Laplace: ")
    assert places == sorted(places)


def test_that_series_are_columns_where_they_fit_and_lines_where_not(updates):
    update = updates["decision"]
    wide, page, narrow = (text(update.study, update, width).splitlines() for width in (200, 80, 60))
    row = ["0.9323", "1", "0.9323", "0.7091", "1"]
    assert ["probability", "of", "“yes”", *row] in [line.split() for line in wide]
    assert ["unrounded", "uncertain", "78.24", "45.95", "78.22", "168.9", "8.563"] in [line.split() for line in page]
    at = narrow.index("probability of “yes”")
    assert [line.split()[-1] for line in narrow[at + 1:at + 6]] == row
    assert narrow[at + 1].startswith("  Laplace ")


def test_that_what_is_of_no_series_stands_before_their_names(updates):
    update = updates["decision"]
    for width in WIDTHS:
        lines = text(update.study, update, width).splitlines()
        at = lines.index("Errors")
        assert lines[at + 1] == "prior below m  0.4975"
        assert "Laplace" in "".join(lines[at + 2:at + 5])


def test_that_numbers_stand_below_the_names_of_their_series(updates):
    update = updates["decision"]
    lines = text(update.study, update, 200).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("best Pr[“yes”] at m"))  # of three of the five
    row, head = lines[at], next(line for line in reversed(lines[:at]) if line.lstrip().startswith("Laplace "))
    for name, value in (("Laplace", "0.5244"), ("Generalized", "0.525"), ("Gaussian", "0.5056")):
        assert head.index(name) + len(name) == row.index(value, head.index(name) - 8) + len(value)
    assert row.split()[-5:] == ["0.5244", "–", "0.525", "0.5056", "–"]


def test_that_what_steers_a_terminal_is_not_passed_on(updates):
    update = updates["decision"]
    data = Origin("\x1b[2Jpeople.csv", "", "name = '\x1b[2J\u202e'", "\x07id", exact=True)
    said = text(update.study, update, 80, data)
    assert all(sign.isprintable() or sign in f"\n{THIN}" for sign in said)
    assert "counted" in said
