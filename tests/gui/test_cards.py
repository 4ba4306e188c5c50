"""The cards beside the pictures: which sentences stand there, in which order, and how many more there are."""

from __future__ import annotations

from types import SimpleNamespace

from dpstudio.core.level import RUNNER_UP
from dpstudio.core.sentence import Spoken
from dpstudio.documents.in_view import SENTENCES
from dpstudio.gui.page.cards import SentencesCard
from dpstudio.gui.shell import theme

FIRST = SimpleNamespace(sentences=("risk", "b"))
SAID = tuple(Spoken(f"{key}.", key) for key in ("a", "b", "risk", RUNNER_UP, "c"))


def stands(card, qtbot, *sentences):
    qtbot.waitUntil(lambda: tuple(label.text() for label in card.verdict._labels if not label.isHidden()) == sentences)


def test_that_the_sentences_of_level_one_stand_in_its_order_with_where_counts_come_from_in_place_of_the_last(
        qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    card = SentencesCard(theme.LIGHT)
    qtbot.addWidget(card)
    card.show_state(FIRST, SimpleNamespace(opened=frozenset()))
    card.show_sentences((), SAID)
    stands(card, qtbot, "risk.", "b.")
    assert "2 more" in card.fold.text()
    card.show_sentences(("Counted.",), SAID)
    stands(card, qtbot, "Counted.", "risk.")
    assert "3 more" in card.fold.text()
    card.show_sentences(("Counted.",), [each for each in SAID if each.key != "b"])
    stands(card, qtbot, "Counted.", "risk.")
    card.show_sentences(("Counted.",), SAID)
    card.say_runner_up(True)
    stands(card, qtbot, "Counted.", f"{RUNNER_UP}.", "risk.")
    assert "3 more" in card.fold.text()
    card.show_state(FIRST, SimpleNamespace(opened=frozenset({SENTENCES})))
    stands(card, qtbot, "Counted.", f"{RUNNER_UP}.", "risk.", "b.", "a.", "c.")
    card.say_runner_up(False)
    stands(card, qtbot, "Counted.", "risk.", "b.", "a.", "c.")


def test_that_of_a_study_that_names_no_sentences_the_first_two_stand_there(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    card = SentencesCard(theme.LIGHT)
    qtbot.addWidget(card)
    card.show_state(SimpleNamespace(sentences=()), SimpleNamespace(opened=frozenset()))
    card.show_sentences((), [each for each in SAID if each.key != RUNNER_UP])
    stands(card, qtbot, "a.", "b.")
    assert "2 more" in card.fold.text()


def test_that_what_has_no_room_to_be_read_whole_is_under_the_fold_but_for_the_first(qtbot, qapp):
    theme.apply(qapp, theme.LIGHT)
    card = SentencesCard(theme.LIGHT)
    qtbot.addWidget(card)
    card.show_state(FIRST, SimpleNamespace(opened=frozenset()))
    long = [Spoken("risk " * 60, "risk"), Spoken("b " * 60, "b")]
    card.resize(308, 600)
    card.show()
    card.show_sentences((), long)

    def stand():
        return [label.text()[0] for label in card.verdict._labels if not label.isHidden()]

    qtbot.waitUntil(lambda: stand() == ["r", "b"])
    assert card.fold.isHidden(), "there is no more"
    card.resize(308, card.least() + 40)  # the fold takes its own
    qtbot.waitUntil(lambda: stand() == ["r"])
    assert "1 more" in card.fold.text()
    qtbot.waitUntil(lambda: not card.verdict.verticalScrollBar().isVisible())
    card.resize(308, 120)
    qtbot.waitUntil(card.verdict.verticalScrollBar().isVisible)
    assert stand() == ["r"], "the first is read, be it by scrolling"
    card.resize(308, 600)
    qtbot.waitUntil(lambda: stand() == ["r", "b"])
    assert not card.verdict.verticalScrollBar().isVisible()
