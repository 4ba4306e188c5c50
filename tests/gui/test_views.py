"""A window stands still while a hand moves something, and moves afterwards only if it must."""

from __future__ import annotations

import pytest

from dpstudio.gui.views import Views, fits
from dpstudio.pictures import PROFILE_TABLE
from dpstudio.studies.decision import Decision
from dpstudio.studies.decision.figures import RECORDS_TABLE, SIMULATION_TABLE

STUDY = Decision()
NATURAL = {RECORDS_TABLE: (900.0, 1100.0), PROFILE_TABLE: (0.0, 0.25), SIMULATION_TABLE: (1.0, 1e6)}


@pytest.fixture
def views():
    views = Views()
    views.take(NATURAL, STUDY)
    return views


def test_that_the_first_natural_window_is_held(views):
    views.take({RECORDS_TABLE: (0.0, 9000.0)}, STUDY)
    assert views.shown[RECORDS_TABLE] == (900.0, 1100.0)


def test_that_a_log_axis_always_follows(views):
    assert SIMULATION_TABLE not in views.shown


@pytest.mark.parametrize(("natural", "values", "fit"), [
    ((880.0, 1120.0), (1000.0,), True),
    ((950.0, 1050.0), (1000.0,), True),
    ((700.0, 1300.0), (1000.0,), False),  # three times as wide
    ((970.0, 1030.0), (1000.0,), False),  # a third
    ((1050.0, 1250.0), (1200.0,), False),  # m has left
    ((900.0, 1100.0), (5000.0,), True),  # the study itself does not show it
])
def test_that_a_window_fits_while_it_is_about_as_wide_and_holds_what_is_marked(natural, values, fit):
    assert fits((900.0, 1100.0), natural, values) is fit


def test_that_a_dataset_in_hand_far_away_does_not_move_the_window(views):
    assert not views.misfits(NATURAL, STUDY.replace(records=10**6))


def test_that_a_minimum_out_of_sight_does(views):
    natural = NATURAL | {RECORDS_TABLE: (1400.0, 1600.0)}
    assert views.misfits(natural, STUDY.replace(minimum=1500)) == {RECORDS_TABLE}


def test_that_a_zoomed_table_always_fits_until_it_is_reset(views):
    views.choose(RECORDS_TABLE, (10.0, 20.0))
    assert not views.misfits(NATURAL, STUDY)
    assert views.shown[RECORDS_TABLE] == (10.0, 20.0)
    views.follow(RECORDS_TABLE)
    assert RECORDS_TABLE not in views.shown
    assert PROFILE_TABLE in views.shown


def test_that_following_everything_forgets_every_window(views):
    views.choose(RECORDS_TABLE, (10.0, 20.0))
    views.follow()
    assert not views.shown
    assert not views.chosen
