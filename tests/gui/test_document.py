"""The document keeps what was set, refuses as a whole, and finds the way back."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Follow, InvalidParameter, parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.session import Session
from dpstudio.gui.session.document import STEPS, Document


@dataclass(frozen=True)
class Counting(Study):
    key = "counting"
    title = "Counting"
    question = "How many?"
    pictures = ()
    figures = (SimpleNamespace(key="tails", place="top", table="records"),)

    minimum: int = parameter(v.MINIMUM, 1_000, domain=v.integers(1, 10**9))
    epsilon: float = parameter(v.EPSILON, 0.1, domain=v.reals(1e-6, 20))
    records: int = parameter(v.RECORDS, 2_000)
    prior_centre: float = parameter(v.PRIOR_CENTRE, Follow("minimum"))

    def __post_init__(self):
        super().__post_init__()
        if self.minimum > self.records:
            raise InvalidParameter("minimum", "at most records", self.minimum)

    @classmethod
    def answers(cls):
        return Answer


@dataclass(frozen=True)
class Asking(Counting):
    key = "asking"
    title = "Asking"


@pytest.fixture
def document(qapp):
    return Document(Session.of(Counting))


def test_that_every_change_is_told_once(document, qtbot):
    with qtbot.waitSignal(document.changed):
        document.set("epsilon", 0.5)
    with qtbot.assertNotEmitted(document.changed):
        document.set("epsilon", 0.5)


@pytest.mark.parametrize(("name", "value"), [("epsilon", -1), ("epsilon", "0.1"), ("minimum", 0.5), ("minimum", 3_000),
                                             ("price", 1)])
def test_that_a_refused_value_changes_nothing_and_says_why(document, qtbot, name, value):
    document.set("epsilon", 0.5)
    before = document.study
    with qtbot.assertNotEmitted(document.changed), pytest.raises(InvalidParameter, match=f"^{name} must be "):
        document.set(name, value)
    assert document.study is before
    assert document.set_here == {"epsilon": 0.5}
    assert document.steps == 1


def test_that_values_of_a_preset_are_taken_all_or_none(document):
    document.set("epsilon", 0.5)
    with pytest.raises(InvalidParameter):
        document.do("Preset", Session.apply, {"minimum": 5, "epsilon": -1})
    assert document.set_here == {"epsilon": 0.5}
    document.do("Preset", Session.apply, {"minimum": 5})
    assert document.set_here == {"minimum": 5}
    assert document.study.epsilon == 0.1
    assert document.undo_text == "Preset"


def test_that_a_hundred_moves_of_one_control_are_undone_in_one_step(document):
    document.set("minimum", 500)
    for step in range(100):
        document.set("epsilon", 1 + step / 100, merge=True)
    document.set("epsilon", 1.99)
    assert document.steps == 2
    assert document.undo_text == "Change ε"
    document.undo()
    assert document.set_here == {"minimum": 500}
    document.redo()
    assert document.study.epsilon == 1.99


def test_that_the_moves_of_a_gesture_leave_nothing_in_memory(document):
    for i in range(100):
        document.set("epsilon", 0.2 + i / 1000, merge=True)
    gc.collect()
    kept = [each for each in gc.get_objects() if isinstance(each, Session) and each.study_class is Counting
            and each.study.epsilon != 0.1]
    assert (document.steps, len(kept)) == (1, 1)


def test_that_two_gestures_on_one_control_are_two_steps(document):
    for low in (1, 2):
        for step in range(5):
            document.set("epsilon", low + step / 10, merge=True)
        document.set("epsilon", low + 0.5)
    document.undo()
    assert document.study.epsilon == 1.5


def test_that_typed_values_are_steps_of_their_own(document):
    document.set("epsilon", 1)
    document.set("epsilon", 2)
    document.undo()
    assert document.study.epsilon == 1


def test_that_a_gesture_refused_on_its_way_stays_one_step(document):
    for minimum in (1_500, 2_500, 1_800):
        try:
            document.set("minimum", minimum, merge=True)
        except InvalidParameter:
            assert minimum == 2_500
    document.set("minimum", 1_800)
    assert document.steps == 1


def test_that_a_gesture_back_to_its_beginning_leaves_no_step_and_takes_none_with_it(document):
    document.set("minimum", 500)
    document.set("epsilon", 1)
    for epsilon in (2, 1, 3):
        document.set("epsilon", epsilon, merge=True)
    document.set("epsilon", 3)
    document.undo()
    assert document.set_here == {"minimum": 500, "epsilon": 1}
    document.undo()
    assert document.set_here == {"minimum": 500}


def test_that_a_gesture_back_to_its_beginning_is_no_step_where_another_step_ends_it(document):
    document.set("epsilon", 1)
    for epsilon in (2, 1):
        document.set("epsilon", epsilon, merge=True)
    document.do("Pin", Session.pin)
    assert (document.steps, document.undo_text) == (2, "Pin")


def test_that_undoing_in_mid_gesture_ends_it(document):
    document.set("epsilon", 1, merge=True)
    document.undo()
    document.set("epsilon", 2, merge=True)
    document.set("epsilon", 3, merge=True)
    document.undo()
    assert document.set_here == {}


def test_that_resetting_one_or_all_can_be_undone(document):
    document.do("Preset", Session.apply, {"minimum": 5, "epsilon": 2})
    document.reset("epsilon")
    assert document.set_here == {"minimum": 5}
    assert document.undo_text == "Reset ε"
    document.do("Reset all", Session.apply, {})
    assert document.set_here == {}
    document.undo()
    document.undo()
    assert document.set_here == {"minimum": 5, "epsilon": 2}


def test_that_each_study_remembers_its_own_values(document, qtbot):
    document.set("epsilon", 2)
    with qtbot.waitSignal(document.study_changed):
        document.turn(Asking)
    assert document.set_here == {}
    document.set("epsilon", 3)
    document.turn(Counting)
    assert document.study.epsilon == 2
    document.undo()
    assert document.study == Asking(), "undo turns back to where the change was made"
    document.undo()
    assert document.study == Counting()


def test_that_a_session_replaces_the_values_and_can_be_undone(document):
    document.set("epsilon", 2)
    document.open(Session.of(Counting))
    assert document.set_here == {}
    assert not document.unsaved
    document.set("epsilon", 4)
    assert document.unsaved == (Counting,)
    document.undo()
    assert not document.unsaved
    document.undo()
    assert document.set_here == {"epsilon": 2}


def test_that_what_the_document_hands_out_cannot_be_written_to(document):
    with pytest.raises(TypeError):
        document.set_here["epsilon"] = 5


def test_that_no_more_steps_are_kept_than_a_long_day_has(document):
    for step in range(STEPS + 5):
        document.set("epsilon", 0.1 + step / 1e5)
    assert document.steps == STEPS
    document.undo()
    assert document.study.epsilon == pytest.approx(0.1 + (STEPS + 3) / 1e5)


def test_that_a_study_is_built_once_for_an_edit_and_never_for_a_look(document, monkeypatch):
    built, made = [], Counting.__post_init__
    monkeypatch.setattr(Counting, "__post_init__", lambda self: (built.append(self), made(self)))
    document.edit("epsilon", 0.5)
    assert len(built) == 1
    document.show(Session.having, hidden=frozenset({"laplace"}))
    document.show(Session.look, "records", (1.0, 2.0))
    document.do("Pin", Session.pin)
    document.undo()
    document.undo()
    assert (len(built), document.set_here) == (1, {})


def test_that_a_refused_edit_of_a_hand_is_told_and_ends_its_gesture(document, qtbot):
    moving = []
    document.moving.connect(moving.append)
    document.edit("minimum", 1_500, False)
    with qtbot.waitSignal(document.refused) as refused:
        document.edit("minimum", 3_000, False)
    document.edit("minimum", 1_600)
    assert refused.args[0] == "minimum"
    assert (moving, document.steps, document.set_here) == ([True, False], 1, {"minimum": 1_600})


def test_that_pins_are_steps_and_several_stand_until_each_is_removed(document):
    document.do("Pin", Session.pin)
    document.set("epsilon", 0.5)
    document.do("Pin", Session.pin)
    first, second = (pin.study for pin in document.state.pins)
    assert (first.epsilon, second.epsilon, document.undo_text) == (0.1, 0.5, "Pin")
    document.do("Remove pin", Session.unpin, first)
    assert [pin.study for pin in document.state.pins] == [second]
    document.undo()
    assert [pin.study for pin in document.state.pins] == [first, second]
    document.do("Remove all pins", Session.unpin)
    assert (document.state.pins, document.undo_text) == ((), "Remove all pins")


def test_that_looking_is_no_step_and_stays_when_one_is_undone(document):
    document.set("epsilon", 0.5)
    document.show(Session.having, hidden=frozenset({"laplace"}))
    document.show(Session.look, "records", (1.0, 2.0))
    document.show(Session.having, note="seen")
    document.show(Session.choose, "top", "tails")
    assert (document.steps, document.undo_text) == (1, "Change ε")
    document.undo()
    state = document.state
    assert (state.setting.set_here, state.hidden, state.views) == ({}, {"laplace"}, {"records": (1.0, 2.0)})
    assert (state.note, state.figures) == ("seen", {"top": "tails"})
    document.show(Session.look_away, "records")
    assert document.state.views == {}


def test_that_undoing_an_opened_session_gives_back_how_things_were_looked_at(document):
    document.show(Session.having, hidden=frozenset({"laplace"}))
    document.turn(Asking)
    document.open(Session.of(Counting, {"epsilon": 3}).having(hidden=frozenset({"cutoff"})).pin())
    assert (document.study_class, document.state.hidden, len(document.state.pins)) == (Counting, {"cutoff"}, 1)
    document.undo()
    assert (document.study_class, document.session.state(Counting).hidden) == (Asking, {"laplace"})
    document.redo()
    assert (document.study_class, document.study.epsilon, document.state.hidden) == (Counting, 3, {"cutoff"})


def test_that_values_pins_and_notes_can_be_unsaved_and_looks_cannot(document):
    document.set_clean()
    for look in (lambda: document.show(Session.having, hidden=frozenset({"a"})),
                 lambda: document.show(Session.look, "records", (1.0, 2.0)),
                 lambda: document.turn(Asking), lambda: document.turn(Counting),
                 lambda: document.set("epsilon", 0.1)):
        look()
        assert not document.unsaved
    for change, back in ((lambda: document.set("epsilon", 2), lambda: document.set("epsilon", 0.1)),
                         (lambda: document.do("Pin", Session.pin), lambda: document.do("Unpin", Session.unpin)),
                         (lambda: document.show(Session.having, note="x"),
                          lambda: document.show(Session.having, note=""))):
        change()
        assert document.unsaved == (Counting,)
        back()
        assert not document.unsaved


def test_that_a_step_ahead_is_forgotten_when_another_way_is_taken(document):
    document.set("epsilon", 2)
    document.undo()
    assert (document.undo_text, document.redo_text) == ("", "Change ε")
    document.set("epsilon", 3)
    assert document.redo_text == ""
    document.redo()
    assert document.study.epsilon == 3


def test_that_what_was_typed_and_pinned_before_it_was_counted_is_a_count_from_then_on(document):
    document.set("records", 1_234)
    document.do("Pin", Session.pin)
    document.set("records", 5_000)
    assert not document.holds_counts
    document.do("Count", Session.take, {"records": 1_234}, Origin("people.csv", "", "age >= 65", counts=("records",)))
    assert [set(pin.counted) for pin in document.state.pins] == [{"records"}]


def test_that_what_a_session_holds_typed_beside_the_same_count_is_a_count_as_it_is_opened():
    counted = Session.of(Counting).set("records", 1_234).pin().take(
        {"records": 1_234}, Origin("people.csv", "", "age >= 65", counts=("records",)))
    assert [set(pin.counted) for pin in counted.state(Counting).pins] == [set()]
    assert [set(pin.counted) for pin in Document(counted).state.pins] == [{"records"}]
