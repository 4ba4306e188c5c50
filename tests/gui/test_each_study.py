"""Every study in one walk through the window: what is said has its room and moves nothing, in normal and large type."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from window_kit import LEFT, answered, in_view, rested

from dpstudio.gui.shell.foreign import together
from dpstudio.gui.shell.side import fair
from dpstudio.gui.shell.workbench import FACTS
from dpstudio.studies import all_studies


def headline_over_pictures_and_the_rest_beside(bench, qtbot):
    def said():
        first, *others = bench.answers.latest[0].verdicts  # what is drawn meanwhile says more
        labels = [label.text() for label in bench.side.verdict.findChildren(QLabel) if not label.isHidden()]
        return bool(others) and bench.headline.sentence == first and labels == [together(each) for each in others]

    qtbot.waitUntil(said)
    assert bench.headline.isVisible()
    large = bench.pictures.view(bench.pictures._places[0])
    foot = bench.headline.mapTo(bench, QPoint(0, bench.headline.height())).y()
    assert foot <= large.mapTo(bench, QPoint(0, 0)).y()
    assert bench.headline.sentence not in [label.text() for label in bench.side.verdict.findChildren(QLabel)]


def question_over_its_answer(bench):
    assert bench.question.isVisible()
    assert bench.question.text() == bench.document.study_class.question
    foot = bench.question.mapTo(bench, QPoint(0, bench.question.height())).y()
    assert 0 < foot <= bench.headline.mapTo(bench, QPoint(0, 0)).y()


def scrolls(area) -> bool:
    return area.verticalScrollBar().maximum() > 0


def spare(area) -> int:
    """Pixels below the last thing in a scrolled column."""
    body = area.widget()
    end = max(body.mapTo(body, QPoint(0, child.geometry().bottom())).y() for child in body.children()
              if getattr(child, "isVisible", bool)() and child.parentWidget() is body)
    return area.viewport().height() - end


def no_panel_half_blank_while_the_other_scrolls(bench, qtbot):
    rested(qtbot, bench)
    panel, verdict = bench.side.parameters.area, bench.side.verdict
    assert fair(bench.side.splitter.sizes(), bench.side.needs())
    assert not scrolls(verdict) or spare(panel) < 40
    assert not scrolls(panel) or spare(verdict) < 40


def facts_that_fit_are_not_scrolled_sideways(bench, qtbot):
    qtbot.waitUntil(lambda: bench.facts.facts.columnCount() > 0)
    bar = bench.facts.horizontalScrollBar()
    for width in range(1280, 1300, 3):  # by less than what is looked for, of which the facts have a part
        bench.window().resize(width, 720)
        assert not 0 < bar.maximum() < 5, (width, bar.maximum())
    bench.window().resize(1280, 720)


def no_sentence_makes_the_window_wider(bench, qtbot):
    bench.status.say("A sentence that is longer than all the room that there is for sentences " * 3)
    qtbot.waitUntil(lambda: bench.status._said.isVisible())
    assert bench.window().minimumSizeHint().width() <= 1280
    assert bench.window().width() == 1280


def one_picture_has_all_the_room(bench, qtbot):
    pictures = bench.pictures
    assert in_view(bench) == {pictures._places[0]}
    for index in range(pictures.tabs.count()):
        place = pictures.tabs.tabData(index)
        QTest.mouseClick(pictures.tabs, LEFT, pos=pictures.tabs.tabRect(index).center())
        QApplication.processEvents()
        assert in_view(bench) == {place}
        assert pictures.tabs.tabData(pictures.tabs.currentIndex()) == place
        panel = bench.facts if place == FACTS else pictures.view(place).canvas
        qtbot.waitUntil(lambda panel=panel: panel.height() >= 0.4 * pictures.height())


def test_that_every_study_has_its_words_and_facts_in_their_place_in_a_small_window_and_a_large_one(bench, qtbot):
    assert bench.headline.accessibleName() == "Headline"
    for key in all_studies():
        print(key)  # where it fails
        bench.desk.open_study(key)
        answered(qtbot, bench)
        question_over_its_answer(bench)
        headline_over_pictures_and_the_rest_beside(bench, qtbot)
        no_panel_half_blank_while_the_other_scrolls(bench, qtbot)
        no_sentence_makes_the_window_wider(bench, qtbot)
        facts_that_fit_are_not_scrolled_sideways(bench, qtbot)
        bench.window().resize(1920, 1080)
        no_panel_half_blank_while_the_other_scrolls(bench, qtbot)
        bench.window().resize(1280, 720)


def test_that_in_large_type_one_picture_of_every_study_has_all_the_room_of_a_small_window(bench, qtbot):
    bench.appearance.set_presentation(True)
    QApplication.processEvents()
    for key in all_studies():
        print(key)  # where it fails
        bench.desk.open_study(key)
        answered(qtbot, bench)
        one_picture_has_all_the_room(bench, qtbot)
        no_sentence_makes_the_window_wider(bench, qtbot)
    assert (bench.window_.width(), bench.window_.height()) == (1280, 720)
