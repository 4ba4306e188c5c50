"""A window stands still while a hand moves something, and moves afterwards only if it must."""

from __future__ import annotations

import pytest
from window_kit import answered

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.gui.session.views import Views, fits
from dpstudio.studies import all_studies
from dpstudio.studies.decision import RECORDS_TABLE, SIMULATION_TABLE, Decision
from dpstudio.studies.kit.attack import PROFILE_TABLE

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
    ((752.0, 1248.0), (), True),  # 2.48 times as wide
    ((748.0, 1252.0), (), False),  # 2.52 times
    ((959.6, 1040.4), (), True),  # 1 of 2.48
    ((960.4, 1039.6), (), False),  # 1 of 2.53
    ((1190.0, 1390.0), (), False),  # the curves have left, and no mark says so
    ((1090.0, 1190.0), (), False),
    ((990.0, 1190.0), (), True),
])
def test_that_a_window_fits_while_it_is_about_as_wide_and_holds_what_is_marked(natural, values, fit):
    assert fits((900.0, 1100.0), natural, values) is fit


def test_that_a_dataset_in_hand_far_away_does_not_move_the_window(views):
    assert not views.misfits(NATURAL, STUDY.replace(records=10**6))


def test_that_a_minimum_out_of_sight_does(views):
    natural = NATURAL | {RECORDS_TABLE: (1400.0, 1600.0)}
    assert views.misfits(natural, STUDY.replace(minimum=1500)) == {RECORDS_TABLE}


def test_that_a_zoomed_table_stays_while_nothing_leaves_it(views):
    views.choose(RECORDS_TABLE, (10.0, 20.0))
    for minimum in (1000, 5000, 1000):  # nothing was in it
        views.take(NATURAL, STUDY)
        assert not views.misfits(NATURAL, STUDY.replace(minimum=minimum))
    assert views.shown[RECORDS_TABLE] == (10.0, 20.0)
    assert set(views._chosen) == {RECORDS_TABLE}
    views.follow(RECORDS_TABLE)
    assert RECORDS_TABLE not in views.shown
    assert not views._chosen
    assert PROFILE_TABLE in views.shown


@pytest.mark.parametrize(("zoom", "natural", "records", "misfit"), [
    ((990.0, 1010.0), (940.0, 1090.0), 1040, False),  # m has left, the curves have not
    ((990.0, 1030.0), (4900.0, 5100.0), 1020, True),  # the curves have left, and N alone is no picture
    ((1095.0, 1200.0), (1100.0, 1300.0), 1020, False),
    ((1095.0, 1200.0), (800.0, 1095.0), 1020, True),
    ((3000.0, 3100.0), NATURAL[RECORDS_TABLE], 3100, False),
    ((3000.0, 3100.0), NATURAL[RECORDS_TABLE], 1020, True),  # it was about N
    ((3000.0, 3100.0), (2900.0, 3050.0), 3050, False),
])
def test_that_a_zoom_is_given_up_when_what_it_showed_has_left_it(views, zoom, natural, records, misfit):
    views.choose(RECORDS_TABLE, zoom)
    first = STUDY.replace(records=3050) if zoom[0] == 3000 else STUDY
    views.take(NATURAL, first)
    assert not views.misfits(NATURAL, first)
    found = views.misfits(NATURAL | {RECORDS_TABLE: natural}, first.replace(records=records, minimum=900))
    assert (RECORDS_TABLE in found) is misfit


def test_that_a_zoom_remembers_the_most_it_has_shown(views):
    views.choose(RECORDS_TABLE, (990.0, 1030.0))
    views.take(NATURAL, STUDY)
    far = NATURAL | {RECORDS_TABLE: (4900.0, 5100.0)}
    views.take(far, STUDY)  # while a hand drags, whatever is shown
    assert views.misfits(far, STUDY) == {RECORDS_TABLE}


def test_that_following_everything_forgets_every_window(views):
    views.choose(RECORDS_TABLE, (10.0, 20.0))
    views.follow()
    assert not views.shown
    assert not views._chosen


def test_that_whatever_view_a_session_holds_its_pictures_are_drawn(bench, qtbot):
    failed = []
    bench.answers.failed.connect(failed.append)
    for study in all_studies().values():
        for view in ((9e298, 9e299), (-1e-320, 1e-320), (-10.0, -1.0)):
            session = Session.of(study, {"trials": 100} if "trials" in study().values() else {})
            for figure in study.figures:
                session = session.look(figure.table, view)
            bench.document.open(session_file.read(session_file.text(session)))
            answered(qtbot, bench)
            for figure in study.figures:
                bench.pictures.bring(figure.key).grab()
            assert not failed, (study.key, view)
