"""Whatever a hand does in whatever order, nothing is lost and nothing invented: in the window, undone, and in files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.documents.state import MOST_PINS
from dpstudio.gui.session.document import Document
from dpstudio.studies import all_studies

STUDIES = tuple(all_studies().values())
FEW = ("decision", "noise", "response", "budget")
VALUES = {"epsilon": (0.1, 0.5, 2.0, -1.0), "minimum": (500, 1000, 7.5), "delta": (0.0, 1e-5), "seed": (0, 1)}
"""The model is a plain dictionary: of each study its values, pins, hidden curves, views and note."""


class Hand(RuleBasedStateMachine):
    """A document beside a model of it that is too simple to be wrong."""

    @initialize()
    def begin(self):
        self.document = Document(Session(STUDIES[0]))
        self.key = STUDIES[0].key
        self.model = {each.key: {"values": {}, "pins": [], "hidden": frozenset(), "views": {}, "note": ""}
                      for each in STUDIES}
        self.past, self.future = [], []
        """What a step changed: the study in view and the values and pins of all, before and after."""
        self.saved = None

    def of(self):
        return self.model[self.key]

    def undoable(self):
        return self.key, {key: (dict(each["values"]), list(each["pins"])) for key, each in self.model.items()}

    def restore(self, undoable):
        self.key, states = undoable
        for key, (values, pins) in states.items():
            self.model[key] |= {"values": dict(values), "pins": list(pins)}

    def step(self, act):
        """Do something that is a step of its own, in the model, unless it changes nothing."""
        before = self.undoable()
        act()
        if self.undoable() != before:
            self.past.append((before, self.undoable()))
            self.future = []

    @rule(name=st.sampled_from(sorted(VALUES)), which=st.integers(0, 3), moves=st.integers(1, 3))
    def set(self, name, which, moves):
        value = VALUES[name][which % len(VALUES[name])]
        study_class = all_studies()[self.key]

        def act():
            values = self.of()["values"]
            try:
                # A choice without which it would change nothing is made with it.
                more = study_class.by_name()[name].brings(study_class(**values).values())
                study_class(**values | {name: value, **more})
            except (InvalidParameter, KeyError):
                return
            values.update({name: value, **more})

        self.step(act)
        for move in range(moves):
            self.document.edit(name, value, move == moves - 1)

    @rule(name=st.sampled_from(sorted(VALUES)))
    def reset(self, name):
        if name in [each.name for each in all_studies()[self.key].parameters()]:
            self.step(lambda: self.of()["values"].pop(name, None))
            self.document.reset(name)

    @rule()
    def reset_all(self):
        self.step(lambda: self.of()["values"].clear())
        self.document.do("Reset all", Session.apply, {})

    @rule()
    def pin(self):
        study = all_studies()[self.key](**self.of()["values"])
        if len(self.of()["pins"]) < MOST_PINS and study not in self.of()["pins"]:
            self.step(lambda: self.of()["pins"].append(study))
            self.document.do("Pin", Session.pin)

    @rule(which=st.integers(0, 3))
    def unpin(self, which):
        if pins := self.of()["pins"]:
            study = pins[which % len(pins)]
            self.step(lambda: self.of()["pins"].remove(study))
            self.document.do("Remove pin", Session.unpin, study)

    @rule(key=st.sampled_from(FEW))
    def turn(self, key):
        self.key = key
        self.document.turn(all_studies()[key])

    @rule(keys=st.frozensets(st.sampled_from(["laplace", "gaussian"])))
    def hide(self, keys):
        self.of()["hidden"] = keys
        self.document.show(Session.having, hidden=keys)

    @rule(low=st.floats(-10, 10), wide=st.none() | st.floats(0.5, 10))
    def look(self, low, wide):
        table = all_studies()[self.key].figures[0].table
        self.of()["views"] = {} if wide is None else {table: (low, low + wide)}
        if wide is None:
            self.document.show(Session.look_away, table)
        else:
            self.document.show(Session.look, table, (low, low + wide))

    @rule(note=st.text(max_size=9))
    def write(self, note):
        self.of()["note"] = note
        self.document.show(Session.having, note=note)

    @precondition(lambda self: self.past)
    @rule()
    def undo(self):
        before, after = self.past.pop()
        self.future.append((before, after))
        self.restore(before)
        self.document.undo()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self):
        before, after = self.future.pop()
        self.past.append((before, after))
        self.restore(after)
        self.document.redo()

    @rule()
    def save_and_read(self):
        """What is written is what is read, whether whole or what there is."""
        session = self.document.session
        for each in (session.turn(session.study_class), session.whole(STUDIES)):
            text = session_file.text(each)
            again = session_file.read(text)
            assert session_file.text(again) == text
            assert again.study_class is session.study_class
            assert not again.differing(each)
            for study_class in each.states:
                state = each.state(study_class)
                found = again.state(study_class)
                assert replace(found, setting=state.setting, pins=state.pins) == state

    @rule()
    def save(self):
        self.document.set_clean()
        self.saved = self.document.session

    @precondition(lambda self: self.saved is not None)
    @rule()
    def open(self):
        """What was saved comes back, in the place of all, and an undone step brings back what was there."""
        whole, before = self.saved.whole(STUDIES), self.document.session
        self.document.open(whole)
        assert not self.document.unsaved
        assert [self.document.session.state(each) for each in STUDIES] == [whole.state(each) for each in STUDIES]
        if self.document.session != before.whole(STUDIES):
            self.document.undo()
            self.future = []  # it can be done again, which this model does not know how to

    @invariant()
    def nothing_is_lost_or_invented(self):
        if not hasattr(self, "document"):
            return
        assert self.document.study_class.key == self.key
        for study_class in STUDIES:
            expected, state = self.model[study_class.key], self.document.session.state(study_class)
            assert state.setting.study == study_class(**expected["values"])
            assert dict(state.setting.set_here) == expected["values"]
            assert [pin.study for pin in state.pins] == expected["pins"]
            assert (state.hidden, state.views, state.note) == (expected["hidden"], expected["views"], expected["note"])
        assert self.document.steps == len(self.past)


TestHand = pytest.mark.usefixtures("qapp")(Hand.TestCase)
TestHand.settings = settings(max_examples=30, stateful_step_count=25, deadline=None,
                             suppress_health_check=[HealthCheck.too_slow])
