"""The document keeps what was set, refuses as a whole, and finds the way back."""

from __future__ import annotations

import gc
from dataclasses import dataclass

import pytest
from PySide6.QtGui import QUndoCommand

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Follow, InvalidParameter, parameter
from dpstudio.core.study import Study
from dpstudio.gui.session.document import STEPS, Document


@dataclass(frozen=True)
class Counting(Study):
    key = "counting"
    title = "Counting"
    question = "How many?"
    pictures = ()

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
    return Document(Counting)


def test_that_only_what_was_set_is_explicit_and_the_rest_follows(document):
    document.set("minimum", 500)
    assert document.explicit == {"minimum": 500}
    assert document.study.prior_centre == 500
    document.set("prior_centre", 7)
    document.set("minimum", 600)
    assert document.study.prior_centre == 7


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
    assert document.explicit == {"epsilon": 0.5}
    assert document.steps == 1


def test_that_values_of_a_preset_are_taken_all_or_none(document):
    document.set("epsilon", 0.5)
    with pytest.raises(InvalidParameter):
        document.apply({"minimum": 5, "epsilon": -1}, "Preset")
    assert document.explicit == {"epsilon": 0.5}
    document.apply({"minimum": 5}, "Preset")
    assert document.explicit == {"minimum": 5}
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
    assert document.explicit == {"minimum": 500}
    document.redo()
    assert document.study.epsilon == 1.99


def test_that_the_moves_of_a_gesture_leave_nothing_in_memory(document):
    for i in range(100):
        document.set("epsilon", 0.2 + i / 1000, merge=True)
    gc.collect()
    steps = [each for each in gc.get_objects() if isinstance(each, QUndoCommand) and each._document is document]
    assert len(steps) == 1


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
    assert document.explicit == {"minimum": 500, "epsilon": 1}
    document.undo()
    assert document.explicit == {"minimum": 500}


def test_that_undoing_in_mid_gesture_ends_it(document):
    document.set("epsilon", 1, merge=True)
    document.undo()
    document.set("epsilon", 2, merge=True)
    document.set("epsilon", 3, merge=True)
    document.undo()
    assert document.explicit == {}


def test_that_resetting_one_or_all_can_be_undone(document):
    document.apply({"minimum": 5, "epsilon": 2}, "Preset")
    document.reset("epsilon")
    assert document.explicit == {"minimum": 5}
    assert document.undo_text == "Reset ε"
    document.reset_all()
    assert document.explicit == {}
    document.undo()
    document.undo()
    assert document.explicit == {"minimum": 5, "epsilon": 2}


def test_that_each_study_remembers_its_own_values(document, qtbot):
    document.set("epsilon", 2)
    with qtbot.waitSignal(document.study_changed):
        document.open_study(Asking)
    assert document.explicit == {}
    document.set("epsilon", 3)
    document.open_study(Counting)
    assert document.study.epsilon == 2
    document.undo()
    assert document.study == Asking(), "undo turns back to where the change was made"
    document.undo()
    assert document.study == Counting()


def test_that_a_session_replaces_the_values_and_can_be_undone(document):
    document.set("epsilon", 2)
    document.open_study(Counting, {})
    assert document.explicit == {}
    assert not document.dirty
    document.set("epsilon", 4)
    assert document.dirty
    document.undo()
    assert not document.dirty
    document.undo()
    assert document.explicit == {"epsilon": 2}


def test_that_a_bad_session_changes_nothing(document):
    document.set("epsilon", 2)
    with pytest.raises(InvalidParameter):
        document.open_study(Asking, {"epsilon": 99})
    assert document.study_class is Counting
    assert document.explicit == {"epsilon": 2}


def test_that_what_the_document_hands_out_cannot_be_written_to(document):
    with pytest.raises(TypeError):
        document.explicit["epsilon"] = 5


def test_that_no_more_steps_are_kept_than_a_long_day_has(document):
    for step in range(STEPS + 5):
        document.set("epsilon", 0.1 + step / 1e5)
    assert document.steps == STEPS
    document.undo()
    assert document.study.epsilon == pytest.approx(0.1 + (STEPS + 3) / 1e5)
