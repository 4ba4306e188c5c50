"""What somebody decides for is spoken of at once, and nothing is computed or drawn again for it."""

from __future__ import annotations

import pytest

from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents.session import Session
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.studies.decision import GAUSSIAN, LAPLACE, Decision


@pytest.fixture
def answers(qapp):
    found = Answers(Document(Session.of(Decision, {"trials": 20_000})), rest=0.0)
    yield found
    found.close()


def spoken(answers) -> str:
    said = answers.latest[0].said if answers.latest else ()
    return said[0] if said else ""


def test_that_the_sentences_follow_a_choice_and_its_undoing_and_what_was_drawn_stays(answers, qtbot, monkeypatch):
    document = answers._document
    with qtbot.waitSignal(answers.finished):
        answers.ask()
    drawn, plain = answers.latest[0], spoken(answers)
    assert drawn.done == 20_000
    monkeypatch.setattr(type(drawn.answer), "simulate", lambda *_: pytest.fail("it is drawn again"))
    for choose, key in ((lambda: document.do("Choose", Session.decide, GAUSSIAN.key), GAUSSIAN.key),
                        (lambda: document.do("Choose", Session.decide, LAPLACE.key), LAPLACE.key)):
        with qtbot.waitSignal(answers.finished):
            choose()
        update = answers.latest[0]
        assert update.answer.decided.key == key
        assert (update.done, update.seen) == (drawn.done, drawn.seen)
        expected = Update(update.answer, update.views, update.seen, update.done)
        assert update.said == expected.verdicts
    for _ in range(2):
        with qtbot.waitSignal(answers.finished):
            document.undo()
    assert answers.latest[0].answer.decided is None
    assert spoken(answers) == plain


def test_that_another_setting_is_spoken_of_with_the_same_choice(answers, qtbot):
    document = answers._document
    document.do("Choose", Session.decide, GAUSSIAN.key)
    with qtbot.waitSignal(answers.finished):
        document.set("epsilon", 0.5)
    assert answers.latest[0].answer.decided == GAUSSIAN
    assert answers.latest[1] == document.study
    assert spoken(answers) == answer(document.study, simulate=False).deciding(GAUSSIAN).verdicts[0]
