"""Every kind of file that is exported brings back what it shows of its study: values, pins, hidden curves and notes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from answers_kit import given

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Line
from dpstudio.core.results import Column, Table
from dpstudio.core.study import answer
from dpstudio.core.sweep import Plan, read_over, sweep
from dpstudio.core.workers import local
from dpstudio.data.origin import Origin
from dpstudio.documents import pictures, session_file, sweeps, tables
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

HOSTILE = '#panic("x") </script><svg onload=alert(1)>&lt;\u202e {{7*7}} "\\ 漢\U0001f600\n# session: {}'
X, Y = Column(v.EPSILON), Column(v.BAND_WIDTH)
LIGHT = given({"t": Table({X: np.arange(3.0), Y: np.arange(3.0)})})
FIGURE = Figure("light", "Light", "t", Axis(v.EPSILON), Axis(v.BAND_WIDTH), (Line(X, Y),))
SCRIPT = '<script type="application/json" id="dpstudio-session">{}</script>'


@cache
def made(study):
    """A session with something of each kind."""
    session = Session.of(study).keep("not in a picture")
    name = next(each.name for each in study.parameters() if each.is_number)
    declared = study.parameter(name)
    one, other = (3, 4) if declared.domain.integer else (1.25, 1.5)
    assert declared.default not in (one, other), "a default is not told from what was set to it"
    session = session.set(name, one).pin()
    series = [each.key for each in study.answers().series()]
    if series:
        session = session.having(hidden=frozenset({series[-1]}))
        session = session.pin(session.state().setting.varied({name: other}, series[0]))
    session = session.set(name, other).having(note=HOSTILE, cover=Cover(question=HOSTILE, when="2026"))
    session = session.having(picture_notes=(PictureNote(study.figures[0].key, HOSTILE, (1.5, -1e-300)),))
    return session.look(study.figures[0].table, (1.0, 2.0))


def as_own_picture(path, session):
    update = answer(session.study, simulate=False)
    figure = next(each for each in session.study.figures if each.table in update.tables)
    pictures.write(path, session, update, figure, size_mm=(80, 60), dpi=36)
    return session.carried().choose(figure.place, figure.key), False


def as_picture(path, session):
    path.write_bytes(pictures.picture(path.suffix[1:], session, LIGHT, FIGURE, size_mm=(80, 60), dpi=36, pins=()))
    return session.carried(), False


def as_data(path, session):
    (tables.write_csv if path.suffix == ".csv" else tables.write_json)(path, session, LIGHT)
    return session.carried(), False


def as_table(path, session):
    tables.write_csv(path, session, LIGHT, "t")
    return session.carried(), False


def as_sweep(path, session):
    study = session.study_class
    name = next(each.name for each in study.parameters() if each.is_number and each.name not in session.explicit)
    value = session.study.values()[name]
    key = next(place for place, each in study.answers().index().items() if not each.simulated and not each.slow)
    plan = Plan(session.study, (read_over(study, f"{name}={value}"),), (key,), explicit=tuple(session.explicit))
    *_, last = sweep(plan, local(1))
    with path.open("wb") as file:
        sweeps.write(file, last.swept, path.suffix[1:])
    return Session.of(study, session.explicit), False


def as_page(path, session):
    text = session_file.text(session).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    path.write_text(f"<!DOCTYPE html>\n<html><body><svg></svg><p>&lt;script&gt;</p>{SCRIPT.format(text)}"
                    f"{SCRIPT.format('{}')}</body></html>", "utf-8")
    return session, True


def as_report(path, session):
    import typst

    source = b"""#set document(title: "x", date: datetime(year: 2026, month: 1, day: 1))
    Report #pdf.attach("session.json", bytes(sys.inputs.session), mime-type: "application/json",
      relationship: "source", description: "Session")"""
    path.write_bytes(typst.compile(source, sys_inputs={"session": session_file.text(session)}, pdf_standards=["a-3a"],
                                   timestamp=0))
    return session, True


KINDS = {"own.svg": as_own_picture, "a.pdf": as_picture, "a.png": as_picture, "a.json": as_data, "a.csv": as_data,
         "table.csv": as_table, "sweep.csv": as_sweep, "sweep.json": as_sweep, "sweep.parquet": as_sweep,
         "report.html": as_page, "report.pdf": as_report}


def test_that_what_is_brought_has_its_own_view_and_origin_and_leaves_what_it_has_none_of():
    study = all_studies()["decision"]
    left = Session.of(study, {"epsilon": 0.5}, Origin("", "", "", counts=("records",)))
    mine = Session.of(study, {"minimum": 7}).look("records", (1.0, 2.0)).choose("acceptance", "tails")
    mine = mine.choose("loss", "loss").having(hidden=frozenset({"laplace"})).pin().keep("then")
    found = mine.open(left.choose("loss", "attack"), whole=False).state()
    assert (found.setting, found.left_out, found.views) == (left.state().setting, left.state().left_out, {})
    assert found.figures == {"acceptance": "tails", "loss": "attack"}
    assert (found.hidden, found.pins, found.snapshots) == ({"laplace"}, mine.state().pins, mine.state().snapshots)
    again = mine.open(left, whole=False).open(mine, whole=False).state()
    assert (again.setting, again.left_out, again.views) == (mine.state().setting, None, {"records": (1.0, 2.0)})
    assert mine.open(left).state() == left.state()


PAIRS = [(name, study) for i, name in enumerate(KINDS) for j, study in enumerate(all_studies().values())
         if (i + j) % 3 == 0]
"""Every kind with every third study, every study with every third kind: what they carry is one text."""


@pytest.mark.parametrize(("name", "study"), PAIRS, ids=lambda each: each if isinstance(each, str) else each.key)
def test_that_every_exported_file_restores_its_study(tmp_path, name, study):
    shown, whole = KINDS[name](tmp_path / name, made(study))
    found = session_file.open_file(tmp_path / name)
    assert found.session == shown
    assert (found.whole, found.its_own) == (whole, False)
