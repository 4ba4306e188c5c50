"""The list of deployments: rows, their order, what is copied, and what the command line says of them."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re

import pytest

from dpstudio.cli import main
from dpstudio.core.deployments import deployments, registry, why_not
from dpstudio.documents.deployments import (
    COLUMNS,
    DELTA,
    EPSILON,
    HERE,
    NO_AXIS,
    copied,
    listed,
    marked_in,
    over_epsilon,
)
from dpstudio.studies import all_studies


def rows(key, **values):
    study = all_studies()[key](**values)
    return {row.one.name: row for row in listed(study, tuple(study.answer().guarantees.values()))}


def test_that_a_row_says_where_a_deployment_is_marked_or_why_it_is_not():
    noise = rows("noise")
    assert noise["Births"].here == "Yes: on “Noise needed”, “Noise over the least”, “δ kept”, “Right guesses against ε”"
    assert noise["Births"].marked
    assert noise["Mobility"].here == (
        "Its unit of privacy is where one user is in a day; here it is one record of one person.")
    assert not noise["Mobility"].marked
    assert {row.here for row in rows("budget").values()} == {NO_AXIS}, "of many releases the ε of each is not theirs"
    assert rows("audit", mechanism="response")["Apple emoji"].marked
    assert not rows("audit")["Apple emoji"].marked


def test_that_a_row_quotes_numbers_as_they_are_stated():
    noise = rows("noise")
    spent = {name: noise[name].cells[EPSILON:DELTA + 1] for name in (
        "Births", "LinkedIn", "FLEX", "Safety Classifier", "Census County Business Patterns")}
    assert spent == {"Births": ("9.98", "0"), "LinkedIn": ("34.9", "7 × 10⁻⁹"), "FLEX": ("0.01", "n^(-ε ln(n))"),
                     "Safety Classifier": ("–", "–"), "Census County Business Patterns": ("ρ = 12.058", "–")}
    assert all(len(row.cells) == len(row.rank) == len(COLUMNS) for row in noise.values())


def test_that_numbers_are_ordered_as_numbers_and_what_is_marked_comes_first():
    found = list(rows("noise").values())
    by_epsilon = [row.one.epsilon for row in sorted(found, key=lambda row: row.rank[EPSILON])]
    assert by_epsilon == [*sorted(each for each in by_epsilon if each is not None),
                          *[None for each in by_epsilon if each is None]]
    by_delta = [row.cells[DELTA] for row in sorted(found, key=lambda row: row.rank[DELTA])]
    assert by_delta[0] == "0"
    assert by_delta.index("7 × 10⁻⁹") < by_delta.index("10⁻⁷") < by_delta.index("5.8 × 10⁻⁶") < by_delta.index("–")
    by_place = sorted(found, key=lambda row: row.rank[HERE])
    assert {row.one.name for row in by_place if row.marked} == {row.one.name for row in by_place[:2]}


def test_that_a_row_is_not_found_by_the_unit_of_the_study_that_it_lacks():
    row = rows("noise")["Mobility"]
    assert "one record" in row.here
    assert "one record" not in row.words
    assert "Mobility" in row.words
    assert "Google" in row.words


def test_that_a_copy_has_every_digit_and_every_address():
    lines = copied(rows("noise").values()).split("\n")
    assert lines[0].split("\t") == [*COLUMNS, "Addresses"]
    assert len(lines) == 1 + len(deployments())
    found = {line.split("\t")[0]: line.split("\t") for line in lines[1:]}
    trips = found["Shared Mobility Dataset"]
    assert (trips[EPSILON], trips[DELTA]) == ("0.66", "2.1e-29")
    assert trips[-1].startswith("https://www.nature.com/")
    assert all(len(line.split("\t")) == len(COLUMNS) + 1 for line in lines)


def test_that_the_studies_that_mark_a_deployment_are_those_where_nothing_keeps_it_away():
    for one in deployments():
        expected = tuple(
            key for key, kind in all_studies().items()
            if any(not why_not(one, tuple(kind().answer().guarantees.values()), figure.x)
                   for figure in over_epsilon(kind())))
        assert marked_in(one) == expected
    assert any(marked_in(one) for one in deployments())


@pytest.fixture(scope="module")
def told():
    """What the command line prints, as text and as an object."""
    found = []
    for more in ([], ["--format", "json"]):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert main(["list", "deployments", *more]) == 0
        found.append(out.getvalue())
    return found[0], json.loads(found[1])


def test_that_the_command_line_lists_all_with_their_unit_and_where_they_are_marked(told):
    text, _ = told
    words = " ".join(text.split())
    assert f"{len(deployments())} entries" in words
    assert str(registry()["date"]) in words
    for one in deployments():
        assert " ".join(one.says.split()) in words, one.name
    births = re.search(r"Source: Hod & Canetti 2024\. An attacker is right in (.+?) of (.+?) guesses at most\. Marked "
                       r"in: decision, noise, audit, neighbours, number, table, watch\.", words)
    right, many = (float(re.sub(r"\s", "", each)) for each in births.groups())
    assert right / many == pytest.approx(1 / (1 + math.exp(-9.98)), abs=1 / many)
    assert right / many >= 1 / (1 + math.exp(-9.98))


def test_that_the_object_has_all_that_is_known(told):
    _, found = told
    assert {name: found[name] for name in ("registry", "commit", "date", "licence")} == {
        name: registry()[name] for name in ("registry", "commit", "date", "licence")}
    assert [each["slug"] for each in found["deployments"]] == [one.slug for one in deployments()]
    for each, one in zip(found["deployments"], deployments(), strict=True):
        assert (each["epsilon"], each["delta"], each["rho"]) == (one.epsilon, one.delta, one.rho)
        assert tuple(each["marked_in"]) == marked_in(one)
        assert set(each["marked_in"]) | each["why_not"].keys() == all_studies().keys()
        assert all(each["why_not"].values())
        assert each["source"] == (one.source and one.source.reference)
