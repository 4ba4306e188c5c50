"""The headline over the pictures: the answer in one sentence, read at once, and nothing moves by it."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from window_kit import answered, closed, opened, type_entry

from dpstudio.gui.facts.sentences import MOST_EXPLAINED, Headline, Paragraph, explained, shortened
from dpstudio.gui.plot.header import broken
from dpstudio.gui.shell.foreign import breakable, together
from dpstudio.gui.shell.theme import DARK, LIGHT, apply, load_fonts
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.vocabulary.glossary import GLOSSARY, term_of

LINES = 2


def lines_of(headline) -> int:
    return len(broken(headline.text(), headline.font(), headline.contentsRect().width() - 2, LINES))


@pytest.fixture
def headline(qtbot, qapp):
    load_fonts()
    apply(qapp, LIGHT)
    made = Headline(LIGHT)
    made.set_lines(LINES)
    qtbot.addWidget(made)
    made.resize(600, made.sizeHint().height())
    made.show()
    return made


def test_that_the_headline_follows_the_parameters_and_no_picture_moves(bench, qtbot):
    view = bench.pictures.large
    before, said = (view.mapTo(bench, QPoint(0, 0)), view.size()), bench.headline.text()
    for epsilon in ("1e-6", "0.003", "20"):
        type_entry(bench, "epsilon", epsilon)
        answered(qtbot, bench)
        qtbot.waitUntil(lambda: bench.headline.sentence == bench.answers.latest[0].verdicts[0])
        QApplication.processEvents()
        assert (view.mapTo(bench, QPoint(0, 0)), view.size()) == before
    assert bench.headline.text() != said


@pytest.mark.parametrize("words", [1, 12, 30, 60, 400])
@pytest.mark.parametrize("width", [240, 600, 1500])
def test_that_a_sentence_of_any_length_takes_at_most_two_lines_in_the_same_height(headline, words, width):
    height = headline.sizeHint().height()
    headline.resize(width, height)
    sentence = "probability " * words
    headline._set(sentence.strip())
    assert lines_of(headline) <= LINES
    assert headline.sizeHint().height() == height
    whole = headline.text() == headline.sentence
    assert whole or headline.text().endswith("…")
    assert ("probability" in headline.toolTip()) is not whole
    assert headline.accessibleName() == headline.sentence


def test_that_a_sentence_is_cut_only_where_the_smallest_type_does_not_hold_it(headline):
    for words in range(1, 60):
        headline._set("probability " * words)
        if headline.text().endswith("…"):
            smallest = headline._font("label")
            assert len(broken(headline.sentence, smallest, headline.contentsRect().width() - 2, LINES)) > LINES
            return
    pytest.fail("sixty words fit into two lines of 600 pixels")


def test_that_large_type_is_taken_where_it_fits(headline):
    headline._set("Short.")
    assert headline.font().pixelSize() == LIGHT.font_size("heading")
    headline._set("probability " * 14)
    assert headline.font().pixelSize() < LIGHT.font_size("heading")


def test_that_one_long_word_is_cut_and_widens_nothing(headline):
    headline._set("x" * 100_000)
    assert headline.minimumSizeHint().width() == 0
    assert lines_of(headline) <= LINES
    assert len(shortened("x" * 1000, headline.font(), 300, LINES)) < 100


def test_that_markup_in_a_headline_is_shown_as_it_stands(headline):
    headline._set("<b>bold</b> " * 60)
    assert headline.textFormat() is Qt.TextFormat.PlainText
    assert "<b>" not in headline.toolTip()
    assert "&lt;b&gt;" in headline.toolTip()


def test_that_the_headline_can_be_selected_and_is_no_stop_on_the_way(headline):
    assert headline.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert not headline.focusPolicy() & Qt.FocusPolicy.TabFocus
    headline._set("Six words that can be selected.")
    QTest.mouseDClick(headline, Qt.MouseButton.LeftButton, pos=QPoint(12, headline.height() // 4))
    assert headline.selectedText() == "Six"


def test_that_the_headline_follows_the_theme(headline):
    headline.set_theme(DARK)
    assert DARK.text in headline.styleSheet()


def test_that_the_question_stands_there_until_its_answer_does(qtbot):
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.answers._worker.start = lambda *_, **__: None  # it takes its time
    bench.desk.open_study("noise")
    qtbot.waitUntil(lambda: bench.headline.sentence == all_studies()["noise"].question)
    closed(window)


def test_that_no_line_of_a_headline_ends_at_a_relation(headline):
    for width in range(200, 420, 7):
        headline.resize(width, headline.sizeHint().height())
        headline._set("Words before it stand here, and then ε = 0.5 with 95 % of them.")
        ends = [line.rstrip(" ")[-3:] for line in broken(headline.text(), headline.font(),
                                                         headline.contentsRect().width() - 2, LINES)]
        assert not any(end.endswith(("ε", "=", "95")) for end in ends), (width, ends)


@pytest.mark.parametrize("key", ["decision", "policy", "watch"])
def test_that_a_paragraph_says_as_qt_does_how_high_its_words_are(qtbot, key):
    paragraph, label = Paragraph(wordWrap=True), QLabel(wordWrap=True)
    for each in (paragraph, label):
        qtbot.addWidget(each)
        each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    said = [breakable(together(sentence)) for sentence in all_studies()[key]().answer().sentences()]
    for role, width in product(("label", "heading"), (60, 282, 333)):
        for words in (*said, breakable("x" * 200), "One.\n\nAnother."):
            for each in (paragraph, label):
                each.setFont(LIGHT.font(role))
                each.setText(words)
            assert paragraph.heightForWidth(width) == label.heightForWidth(width)


def test_that_whoever_points_at_a_sentence_reads_what_its_words_mean(qtbot, qapp):
    label = Paragraph("It is uncertain over 80\u00a0records; <b> costs\u00a0no more.")
    qtbot.addWidget(label)
    label.resize(400, 60)
    with qtbot.waitExposed(label):
        label.show()
    place = label.rect().center()
    qapp.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    assert QToolTip.text() == f"<p><b>record</b>: {term_of('record').says}</p>"
    assert explained("Nothing that anybody has to explain.") == ""
    assert explained(" ".join(term.word for term in GLOSSARY)).count("<p>") == MOST_EXPLAINED
