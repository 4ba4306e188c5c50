"""The numbers of the walk through real data are those of the table that ships."""

from __future__ import annotations

import math
import re

import pytest

from dpstudio.core.resources import resource
from dpstudio.data.bounds import Bounds
from dpstudio.data.cohort import cohort, symptom
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.models.contributions import RULE_AT_MOST, Spread, rule
from dpstudio.studies.mean.rows import RAND_ROWS


@pytest.fixture(scope="module")
def numbers():
    """Every number on the page."""
    page = resource("help/data.md").read_text("utf-8")
    return {int(found.replace(" ", "")) for found in re.findall(r"\d{1,3}(?: \d{3})+|\d+", page)}


@pytest.fixture(scope="module")
def table():
    with DataFile(resource("data/rand_hie.csv.gz")) as file:
        file.open()
        yield file


def test_that_the_counts_of_persons_are_those_of_the_page(table, numbers):
    found = count(table, parse("physlm = 1", table.opened().columns), "zper")
    assert (found.rows, found.records(), found.records(1), found.records(2)) == (20_190, 2_387, 701, 1_367)
    assert found.people.rows.persons == {1: 269, 2: 246, 3: 3_743, 4: 70, 5: 1_584}
    assert found.people.rows.total == 5_912
    assert {20_190, 2_387, 701, 1_367, 269, 3_743, 1_584, 5_912} <= numbers


def test_that_the_best_bounds_are_those_of_the_page(table, numbers):
    spread = count(table, parse("physlm = 1", table.opened().columns), "zper").people.qualifying
    assert spread == Spread(RAND_ROWS.persons | {0: 5_912 - 701}), "the mean study has these rows, too"
    # By hand: of 35, 23, 451, 7 and 185 persons with 1 to 5 rows, so many have more than b, and lose one row a step.
    above = [666, 643, 192, 185, 0]
    lost = [sum(above[b:]) for b in range(5)]
    assert lost == [1_686, 1_020, 377, 185, 0]

    def errors(epsilon):
        return [math.sqrt(rows**2 + 2 * (b / epsilon) ** 2) for b, rows in enumerate(lost, 1)]

    for epsilon, best in ((0.005, 3), (0.1, 5), (0.001, 1)):
        bounds = Bounds(spread, epsilon)
        assert list(bounds.of().typical) == pytest.approx(errors(epsilon))
        assert bounds.best == best == 1 + errors(epsilon).index(min(errors(epsilon)))
    assert rule(spread, 0.005) == 3
    noise = [math.sqrt(2) * b / 0.005 for b in range(1, 6)]
    assert {*lost, *map(round, noise), *map(round, errors(0.005)), 192, round(errors(0.1)[4])} <= numbers
    assert RULE_AT_MOST <= 1.466


def test_that_the_cohort_is_that_of_the_page(table, numbers):
    limited = parse("physlm = 1", table.opened().columns)
    found = cohort(table, {"physlm = 1": limited, "hlthp": symptom(table, "hlthp")}, symptom(table, "coins = 0"),
                   "zper", 1)
    assert (found.people, found.counts) == ((2_657, 3_255), ((308, 30), (393, 62)))
    assert {2_657, 3_255, 308, 393, 30, 62} <= numbers
