"""What the first page says of a door before its study is read is what the study declares."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dpstudio.core.level import HEADINGS, MOST_ASKED, DoorSign
from dpstudio.studies import SHIPPED, all_studies, doors
from dpstudio.studies.kit.doors import SIGNS
from dpstudio.studies.posterior import TRUTH, Posterior

WITH_DOOR = [kind for kind in all_studies().values() if kind.door]


def test_that_the_first_page_has_the_doors_that_studies_declare_in_their_words():
    declared = {kind.key: DoorSign(kind.door.title, kind.door.question, kind.door.heading) for kind in WITH_DOOR}
    assert doors() == declared
    assert set(SIGNS) == declared.keys() & set(SHIPPED)


def test_that_doors_stand_under_their_headings_and_there_in_the_order_of_the_studies():
    found, order = doors(), list(all_studies())
    assert list(found) == sorted(found, key=lambda key: (HEADINGS.index(found[key].heading), order.index(key)))


@pytest.mark.parametrize("kind", WITH_DOOR, ids=[kind.key for kind in WITH_DOOR])
def test_that_a_door_asks_for_and_fixes_what_its_study_has_and_leads_to_studies(kind):
    door = kind.door
    asked = [each.parameter for each in door.asks]
    assert 0 < len(asked) == len({*asked}) <= MOST_ASKED
    values = {name: kind.parameter(name).default for name in asked}
    assert kind(**door.fixed).values().items() >= {**door.fixed}.items()
    assert all(kind.parameter(name).matters({**kind().values(), **door.fixed}) for name in values)
    assert not door.fixed.keys() & {*asked}, "what is fixed is not asked"
    assert door.further.keys() <= all_studies().keys() - {kind.key}


def test_that_whoever_comes_with_a_noisy_count_is_shown_no_true_one():
    assert Posterior.door.without == (TRUTH,)
    assert TRUTH in Posterior.level_one.series, "who explores it sets one"


def test_that_no_study_is_read_for_the_list_of_questions():
    script = ("import sys; from dpstudio.studies import doors; doors()\n"
              "print([name for name in sys.modules if name.startswith('dpstudio.studies.')])")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['dpstudio.studies.kit', 'dpstudio.studies.kit.doors']"
