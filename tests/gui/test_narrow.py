"""In a small window nothing is cut that must be read: headings of facts, captions, titles beside their switches."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from window_kit import show_facts

from dpstudio import vocabulary as v
from dpstudio.core.study import answer
from dpstudio.gui.facts.table import wrapped
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.theme import LIGHT, load_fonts
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision

ROOM = 810
"""Pixels of a large picture in a window of 1280 × 720."""
every_study = pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.key)


@pytest.fixture(autouse=True)
def fonts(qapp):
    load_fonts()


@every_study
def test_that_no_heading_of_the_facts_is_cut(study, qtbot, qapp):
    view = FactsView(LIGHT)
    for part in (view, view.filter):
        qtbot.addWidget(part)
    view.resize(470, 250)
    view.show()
    made = study()
    made = made.replace(trials=100) if "trials" in made.values() else made
    show_facts(view.facts, answer(made).facts, made)
    metrics = QFontMetrics(LIGHT.font("small"))
    for column, series in enumerate(view.facts.series, start=1):
        lines = wrapped(metrics, series.label, view.columnWidth(column) - 6)
        assert not any("…" in line for line in lines), series.label
    assert view.columnWidth(0) > 100


def test_that_the_lines_of_a_heading_are_of_much_the_same_length():
    metrics = QFontMetrics(LIGHT.font("small"))
    room = metrics.horizontalAdvance("Gaussian (an")
    assert wrapped(metrics, "Gaussian (analytic)", room) == ["Gaussian", "(analytic)"]
    assert wrapped(metrics, "Gaussian", room) == ["Gaussian"]
    assert wrapped(metrics, "New decision, ε/k", metrics.horizontalAdvance("New decision,")) == ["New decision", "ε/k"]
    assert wrapped(metrics, "Laplace", 5) == [metrics.elidedText("Laplace", Qt.TextElideMode.ElideRight, 5)]


@every_study
def test_that_captions_are_read_whole(study, qapp):
    metrics = QFontMetrics(LIGHT.font("label"))
    for figure in study.figures:
        assert metrics.horizontalAdvance(figure.caption) <= ROOM, figure.key


@every_study
@pytest.mark.parametrize(("width", "scale"), [(960, 1.0), (1280, 1.5), (1280, 1.0)])
def test_that_who_is_a_neighbour_is_read_whole_and_how_far_a_simulation_is(study, width, scale, qtbot, qapp):
    status = Status()
    qtbot.addWidget(status)
    status.set_theme(replace(LIGHT, scale=scale))
    status.resize(width, 30)
    status.show()
    for done, told in ((12_300, {"Simulating 12.3\u202fk of 1\u202fM", "1\u202f%"}),
                       (1_000_000, {"1\u202fM simulated", ""})):
        status.show_update(SimpleNamespace(done=done, total=1_000_000), study())
        qapp.processEvents()
        assert status._relation.lines() == [status._relation.text()]
        assert status._work.text() in told
        assert not status._work.isVisible() or status._work.width() >= status._work.sizeHint().width()


def test_that_a_picture_without_curves_says_why(bench, qtbot):
    bench.desk.open_study("noise")
    qtbot.waitUntil(lambda: bench.answers.latest is not None and bench.answers.latest[1] == bench.document.study)
    view = bench.pictures.bring("too_much")
    qtbot.waitUntil(lambda: view.canvas.scene_ is not None and not view.canvas.scene_.blank)
    bench.document.edit("delta", 0.0)
    qtbot.waitUntil(lambda: view.canvas.scene_.blank)
    assert view.canvas.figure.empty == "Gaussian noise needs δ > 0"
    bench.document.edit("delta", 1e-6)
    qtbot.waitUntil(lambda: not view.canvas.scene_.blank)
    # Curves that a person hides are there all the same.
    view.look(hidden=frozenset(series.key for series in bench.facts.facts.series))
    bench.document.edit("delta", 1e-7)
    qtbot.waitUntil(lambda: bench.document.study.delta == 1e-7)
    assert not view.canvas.scene_.blank


def test_that_curves_have_room_in_the_smallest_window_and_in_front_of_a_class(bench, qtbot):
    for size, presentation, least in (((1280, 720), False, 85), ((1, 1), False, 35), ((1280, 720), True, 75)):
        bench.appearance.set_presentation(presentation)
        bench.window_.resize(*size)
        qtbot.waitUntil(lambda high=size[1]: bench.window_.height() == max(high, bench.window_.minimumHeight()))
        seen = [view for view in bench.pictures.views if view.isVisible()]
        assert len(seen) == (1 if bench.page.narrow else 2), "large type leaves room for one at 1280 × 720"

        def heights(seen=seen):
            frames = [view.canvas.grid.frame for view in seen]
            return [frame.floor - frame.top for frame in frames]

        qtbot.waitUntil(lambda heights=heights, least=least: min(heights()) >= least)


def test_that_words_under_an_axis_give_way_to_the_curves(bench, qtbot):
    large = bench.pictures.picture()
    qtbot.waitUntil(lambda: large.canvas.bottom._labelled)
    bench.appearance.set_presentation(True)
    bench.window_.resize(1, 1)
    qtbot.waitUntil(lambda: not large.canvas.bottom._labelled)
    bench.appearance.set_presentation(False)
    bench.window_.resize(1280, 1000)
    qtbot.waitUntil(lambda: large.canvas.bottom._labelled)


def test_that_the_axis_of_the_uncertain_band_has_the_word_of_the_fact_that_is_read_beside_it():
    figure = next(each for each in Decision.figures if each.key == "frontier")
    assert figure.y.quantity == v.BAND_WIDTH
    assert figure.y.quantity.axis_label == f"{v.BAND_STEPS.label} (records)"
    assert v.BAND_STEPS in Decision.level_one.facts
