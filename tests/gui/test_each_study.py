"""Every study in one walk through the window: what is seen first is seen whole, in a small window and a large one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from settings_kit import accepted
from window_kit import LEFT, answered, in_view, rested

from dpstudio.documents.session import Session
from dpstudio.gui.controls.control import Control
from dpstudio.gui.page.pictures import PANELS
from dpstudio.gui.shell.foreign import together
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered

PLOT = 250
"""Pixels of height below which the bands of a large picture cannot be read."""


def headline_over_what_comes_next_over_the_pictures(bench, qtbot):
    def said():
        first, *others = bench.answers.latest[0].verdicts  # what is drawn meanwhile says more
        labels = [label.text() for label in bench.page.sentences.verdict.findChildren(QLabel) if not label.isHidden()]
        told = {together(powered(each)) for each in others}
        return bench.headline.sentence == first and bool(labels) and set(labels) <= told

    qtbot.waitUntil(said)
    assert bench.headline.isVisible()
    assert bench.headline.text() == together(powered(bench.headline.sentence)), "it is not cut"
    tops = [part.mapTo(bench, QPoint(0, 0)).y() for part in (bench.page.bar, bench.headline, bench.pictures.large)]
    assert tops == sorted(tops)
    runner_up = bench.page.runner_up
    assert not runner_up.isVisible() or runner_up.lines() == [runner_up.text()]


def level_one_is_seen_whole(bench, qtbot):
    """No label is cut, nothing scrolls."""
    rested(qtbot, bench)
    kind, page = bench.document.study_class, bench.page
    qtbot.waitUntil(lambda: bench.facts.facts.columnCount() > 0)
    seen = [control.parameter.name for control in page.parameters.findChildren(Control) if control.isVisible()]
    assert seen == list(kind.level_one.parameters)
    qtbot.waitUntil(lambda: page.sentences.verdict.verticalScrollBar().maximum() == 0)  # shared out anew
    assert page.parameters._scroll.verticalScrollBar().maximum() == 0, kind.key
    for bar in (bench.facts.verticalScrollBar(), bench.facts.horizontalScrollBar()):
        assert bar.maximum() == 0, (kind.key, bar.orientation(), bar.maximum())
    assert set(bench.facts.facts.quantities) <= set(kind.level_one.facts)
    assert bench.facts.columnWidth(0) >= bench.facts._cells.widest_label(), "the words of the facts"
    for titles in (bench.pictures.beside.header.titles,):
        assert titles.text() == titles._words, "the title of the picture beside"
    chips = [chip for chip in bench.pictures.chips.chips if chip.isVisible()]
    assert chips
    for left, right in pairwise(chips):
        assert left.geometry().right() < right.geometry().left()
    for chip in chips:
        assert chip.width() >= chip.width_at(chip.brief)
        assert chip.geometry().right() <= bench.pictures.chips.width()
    large = bench.pictures.large
    explained = large.legend.height() + 8 if large.legend.isVisible() else 0
    assert large.canvas.height() >= PLOT - explained, (kind.key, large.canvas.height())


def no_sentence_makes_the_window_wider(bench, qtbot):
    bench.status.say("A sentence that is longer than all the room that there is for sentences " * 3)
    qtbot.waitUntil(lambda: bench.status._said.isVisible())
    assert bench.window().minimumSizeHint().width() <= 1280
    assert bench.window().width() == 1280
    bench.status.fall_silent()


def one_panel_has_all_the_room(bench, qtbot):
    pictures, bar = bench.pictures, bench.page.bar
    for panel in (*PANELS[1:], PANELS[0]):
        QTest.mouseClick(bar.panel[panel], LEFT)
        QApplication.processEvents()
        assert in_view(bench) == {panel}
        assert bar.panel[panel].isChecked()
        widget = {"picture": pictures.large.canvas, "beside": pictures.beside.canvas, "facts": bench.facts,
                  "person": bench.page.sentences}[panel]
        qtbot.waitUntil(lambda widget=widget: widget.height() >= 0.4 * pictures.height())


def words_are_read_whole(bench):
    """Headline, question or its title, the fact that is wanted, who is a neighbour: “…” means computing alone."""
    kind, page, facts = bench.document.study_class, bench.page, bench.solver.bar.rows[0].facts
    assert bench.headline.text() == together(powered(bench.headline.sentence))
    assert page.bar.question.text() in {kind.question, kind.title}
    assert facts.line.text() == facts.quantity.label
    assert bench.status._relation.lines() == [bench.status._relation.text()]
    assert page.parameters._scroll.verticalScrollBar().maximum() == 0
    for chip in bench.pictures.chips.choices:
        assert chip.width() >= chip.width_at(chip.brief)
        assert chip.geometry().right() <= bench.pictures.chips.width()


def of_level_one(kind):
    """Settings of what is seen first: the ends of its sliders and what lies between."""
    def drawn(parameter):
        if not parameter.is_number:
            return st.sampled_from(getattr(parameter.domain, "options", (False, True)))
        low, high = parameter.range
        number = st.sampled_from((low, high)) | st.floats(low, high)
        return number.map(round) if parameter.domain.integer else number

    return st.fixed_dictionaries({name: drawn(kind.parameter(name)) for name in kind.level_one.parameters})


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(list(all_studies())).flatmap(
    lambda key: st.tuples(st.just(key), of_level_one(all_studies()[key]))))
def test_that_at_any_setting_nothing_of_level_one_is_cut_or_scrolls(bench, qtbot, setting):
    key, values = setting
    study = accepted(all_studies()[key], dict(values))
    bench.desk.open_study(key)
    bench.document.do("Set", Session.apply, {name: getattr(study, name) for name in study.level_one.parameters})
    bench.answers.follow()
    for size, presentation in (((1280, 720), False), ((960, 540), False), ((1280, 720), True)):
        bench.appearance.set_presentation(presentation)
        bench.window().resize(*size)
        answered(qtbot, bench)
        qtbot.waitUntil(lambda: bench.headline.sentence == bench.answers.latest[0].verdicts[0])
        rested(qtbot, bench)
        if not bench.page.narrow:  # the sentences have their room once the column is shared out anew
            qtbot.waitUntil(lambda: bench.page.sentences.verdict.verticalScrollBar().maximum() == 0)
            level_one_is_seen_whole(bench, qtbot)
        words_are_read_whole(bench)
    bench.appearance.set_presentation(False)
    bench.window().resize(1280, 720)


def test_that_what_every_study_shows_first_is_seen_whole_in_a_small_window_and_a_large_one(bench, qtbot):
    assert bench.headline.accessibleDescription() == "Headline"
    for key in all_studies():
        print(key)  # where it fails
        bench.desk.open_study(key)
        answered(qtbot, bench)
        headline_over_what_comes_next_over_the_pictures(bench, qtbot)
        level_one_is_seen_whole(bench, qtbot)
        no_sentence_makes_the_window_wider(bench, qtbot)
        bench.window().resize(1920, 1080)
        level_one_is_seen_whole(bench, qtbot)
        bench.window().resize(1280, 720)


def test_that_under_the_title_of_a_window_and_beside_a_panel_of_the_desktop_no_fact_or_parameter_scrolls(bench, qtbot):
    bench.window().resize(1280, 660)
    for key in all_studies():
        print(key)  # where it fails
        bench.desk.open_study(key)
        answered(qtbot, bench)
        rested(qtbot, bench)
        assert not bench.page.narrow
        sentences = [] if key in ("audit", "posterior") else [bench.page.sentences.verdict]  # a line too long
        for scrolled in (bench.facts, bench.page.parameters._scroll, *sentences):
            qtbot.waitUntil(lambda scrolled=scrolled: scrolled.verticalScrollBar().maximum() == 0)
        assert bench.pictures.large.canvas.height() >= 180
    bench.window().resize(1280, 720)


def test_that_in_large_type_one_panel_of_every_study_has_all_the_room_of_a_small_window(bench, qtbot):
    bench.appearance.set_presentation(True)
    QApplication.processEvents()
    for key in all_studies():
        print(key)  # where it fails
        bench.desk.open_study(key)
        answered(qtbot, bench)
        one_panel_has_all_the_room(bench, qtbot)
        rested(qtbot, bench)
        assert bench.page.parameters._scroll.verticalScrollBar().maximum() == 0, key
        no_sentence_makes_the_window_wider(bench, qtbot)
    assert (bench.window_.width(), bench.window_.height()) == (1280, 720)
