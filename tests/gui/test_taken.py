"""Whatever Wanted offers, taking it gives what was wanted, of the one it names; one undo takes all of it back."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from wants import FAST, known_wants

from dpstudio.cli.request import computed
from dpstudio.core.solve.among import candidates
from dpstudio.core.solve.every import Offer
from dpstudio.core.solve.problem import solvable
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.documents.session import Session
from dpstudio.gui.session.document import Document
from dpstudio.gui.solve.question import Question
from dpstudio.gui.solve.taking import Awaiting, take
from dpstudio.studies import all_studies
from dpstudio.studies.response import Response
from dpstudio.text.entry import read_number

STUDIES = all_studies()
SLOW = ("audit", "policy", "posterior", "updating", "watch")
"""Studies of which one answer takes so long that few are asked."""


def offers(document: Document, want: Want, name: str) -> list[Offer]:
    """What stands on the buttons in the end."""
    kind, answer = document.study_class, document.study.answer()
    among = candidates(answer, [want.quantity], kind.level_one.series)
    question = Question(kind, document.set_here, (want,), among, (name,))
    *_, reply = question.answered()
    return [offer for offer in reply.offers if offer.does]


def assert_taken_and_given_back(document: Document, offer: Offer, want: Want) -> None:
    """What is set is recomputed as the command line does, from the values alone."""
    before, steps = document.session, document.steps
    assert take(document, offer) is None
    study, chosen = document.study, document.state.chosen
    own = offer.problem.wants[0]
    assert (own.quantity, own.relation, own.value) == (want.quantity, want.relation, want.value)
    fact = computed(type(study)(**study.values()), simulate=False).answer.fact(own.quantity, own.series)
    assert fact is not None
    assert own.met(own.miss(fact)), f"{own} at {study}"
    assert own.series is None or chosen in (own.series, None)
    if document.session != before:
        assert document.steps == steps + 1
        document.undo()
    assert document.session == before


def assert_read_on_the_safe_side(offer: Offer, there: Study) -> None:
    """Who reads the button and types that gets what was wanted, of one that is allowed there and protects the same."""
    own, kind, problem = offer.problem.wants[0], offer.problem.kind, offer.problem
    typed = {axis.name: read_number(text) for axis, text in zip(problem.axes, offer.texts, strict=True)}
    answer = kind(**{**problem.explicit, **typed}).answer()
    if own.relation != "=":
        fact = own.of(answer)
        assert fact is not None
        assert own.met(own.miss(fact)), f"{own} at {typed}"
    compared = [each for each in there.answer().choosable() if each == offer.series]
    assert all(there.answer().allowed(each) and there.answer().same_unit(each) for each in compared)


@pytest.mark.parametrize("key", list(STUDIES))
def test_that_what_is_taken_does_what_was_wanted_and_one_undo_gives_it_all_back(key: str, qapp: QApplication) -> None:
    owner = QObject()

    @settings(max_examples=2 if key in SLOW else 6, phases=(Phase.generate,))
    @given(st.integers(0, 10**6), st.sampled_from((0.7, 1.0, 1.4)))
    def check(seed: int, factor: float) -> None:
        known = next(one for one in known_wants(STUDIES[key], 60, seed, **FAST.get(key, {}))
                     if not one.want.declared(one.kind).slow)
        study = known.kind(**known.explicit)
        goal = known.name if known.name in [each.name for each in solvable(study)] else solvable(study)[0].name
        document = Document(Session.of(known.kind).put(known.explicit), parent=owner)
        want = Want(known.want.quantity, known.want.relation, known.want.value * factor)
        for offer in offers(document, want, goal):
            assert_taken_and_given_back(document, offer, want)
            assert_read_on_the_safe_side(offer, study.replace(**offer.values))

    check()


@pytest.mark.parametrize("design", ["coins", "warner"])
def test_that_epsilon_is_wanted_of_a_response_by_coins_and_brings_the_design_that_it_belongs_to(
    design: str, qapp: QApplication
) -> None:
    owner, want = QObject(), Want("people_needed", "<=", 20_000.0)
    document = Document(Session.of(Response).put({"design": design}), parent=owner)
    assert solvable(document.study)[0].name == "epsilon"
    (offer, *_) = offers(document, want, "epsilon")
    assert take(document, offer) is None
    assert document.study.design == "symmetric"
    assert document.study.answer().fact("people_needed", "response").value <= 20_000
    assert document.undo_text == "Solve for ε"
    assert [each.names for each in document.state.solved] == [("epsilon",)]
    document.undo()
    assert document.study.design == design


def test_that_a_hand_that_leads_epsilon_of_a_response_by_coins_makes_one_step(qapp: QApplication) -> None:
    owner = QObject()
    document = Document(Session.of(Response), parent=owner)
    for epsilon in (0.5, 0.6, 0.7):
        brought = {} if document.study.design == "symmetric" else {"design": "symmetric"}
        document.solve({**brought, "epsilon": epsilon}, final=epsilon == 0.7)
    assert (document.steps, document.study.design, document.study.epsilon) == (1, "symmetric", 0.7)
    document.undo()
    assert issubclass(document.study_class, Study)
    assert document.study == Response()


def test_that_what_waits_for_an_answer_comes_after_all_of_what_is_done_with_it():
    said, awaiting = [], Awaiting()

    def taken() -> None:
        awaiting.let_be()  # as where what is taken is asked about anew
        said.append("taken")

    awaiting.expect(taken)
    awaiting.after(lambda: said.append("asked"))
    assert not said
    awaiting.arrive()
    awaiting.after(lambda: said.append("at once"))
    assert said == ["taken", "asked", "at once"]
