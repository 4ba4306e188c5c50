"""The state of the window: one study, the values that were set, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from weakref import ref

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.gui.session.state import State, Values, together, without
from dpstudio.vocabulary import Value

__all__ = ["Document", "Values"]

MOVED = 1_000
"""Moved counts whose values are still known as such: an answer is a few moves behind the hand, never a thousand."""


STEPS = 2000
"""Steps that can be undone: a long day's; without a bound they would be all that still grows."""


class Document(QObject):
    """What is being looked at: a study and the values that were set; all others follow their defaults.

    Every change goes through the undo stack, and a refused one changes nothing. An exact count of data stays one while
    it is moved or typed over, because its neighbourhood tells as much: until it is reset, replaced as a whole by a
    preset or a session, or said not to be from data.
    """

    changed = Signal()
    study_changed = Signal()

    def __init__(self, study_class: type[Study], explicit: Values | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(STEPS)
        self._study_class = study_class
        self._states: dict[type[Study], State] = {}
        self._saved: dict[type[Study], State] = {}
        """What is in a file, or can be had again from one."""
        self._resolved: Study
        self._exact: dict[tuple[type[Study], str, Value], Origin] = {}
        """Exact counts that were taken from data: however the document comes back to one, it is one."""
        self._moved: dict[tuple[type[Study], str, Value], Origin] = {}
        """Values that such a count was moved to, the newest last."""
        self._awaited: dict[type[Study], Origin] = {}
        """Of a session that left its counts out: how to count again."""
        self._gesture: _Change | None = None
        """The step that the present gesture adds to."""
        self.undo_stack.indexChanged.connect(self._forget_gesture)
        values, study = _resolve(study_class, explicit or {})
        self._remember(study_class, State(values), study)

    @property
    def study_class(self) -> type[Study]:
        return self._study_class

    @property
    def study(self) -> Study:
        """The study with every parameter resolved."""
        return self._resolved

    @property
    def state(self) -> State:
        return self._states[self._study_class]

    @property
    def explicit(self) -> Values:
        """The values that were set, by name."""
        return self.state.explicit

    # What was counted in data

    @property
    def counted(self) -> Mapping[str, Origin]:
        """The present values that are exact counts of data, or were moved from one, and where they were counted."""
        return self._counted_of(self._study_class)

    @property
    def holds_counts(self) -> bool:
        """Whether a present value is an exact count of data, or was moved from one."""
        return bool(self.counted)

    @property
    def awaited(self) -> Origin | None:
        """How values that the session left out are to be counted again, until another number takes their place."""
        return self._awaited_of(self._study_class)

    @property
    def origin(self) -> Origin | None:
        """Where present values were counted or, where a session left them out, are to be counted again."""
        return self.origin_of(self._study_class)

    def held_of(self, study_class: type[Study]) -> Origin | None:
        """Where values that a study holds were counted."""
        counted = self._counted_of(study_class)
        if not counted:
            return None
        values = self.study_of(study_class).values()
        return together(counted, [name for name in counted if (study_class, name, values[name]) not in self._exact])

    def origin_of(self, study_class: type[Study]) -> Origin | None:
        """The same for any study."""
        return self.held_of(study_class) or self._awaited_of(study_class)

    def counted_in(self, study: Study) -> Origin | None:
        """Where values of this study were counted, if it holds an exact count of data or one that was moved."""
        if study == self._resolved:
            return self.held_of(self._study_class)
        keys = {name: (type(study), name, value) for name, value in study.values().items()}
        return together({name: origin for name, key in keys.items()
                         if (origin := self._exact.get(key) or self._moved.get(key))},
                        [name for name, key in keys.items() if key not in self._exact])

    def without_counts(self, study_class: type[Study] | None = None) -> tuple[Study, Values]:
        """A study, and the values set, with the default in the place of every exact count of data."""
        study_class = study_class or self._study_class
        origin = self.origin_of(study_class)
        kept = without(self.state_of(study_class).explicit, origin.counts if origin else ())
        return study_class(**kept), kept

    def disown(self, name: str) -> None:
        """Say that a value is not from data: it is an ordinary one from now on."""
        self._end_gesture()
        self._push(f"Say that {self._symbol(name)} is not from data", self._study_class,
                   State(self.explicit, without(self.counted, (name,)), self.state.own | {name}))

    def _counted_of(self, study_class: type[Study]) -> Mapping[str, Origin]:
        state = self.state_of(study_class)
        known = {name: origin for name, value in state.explicit.items() if name not in state.own
                 and (origin := self._exact.get((study_class, name, value)))}
        return {**known, **state.counted}

    def _awaited_of(self, study_class: type[Study]) -> Origin | None:
        awaited = self._awaited.get(study_class)
        return None if awaited is None or self.state_of(study_class).explicit.keys() & set(awaited.counts) else awaited

    # What is kept in files

    @property
    def dirty(self) -> bool:
        """Whether the study differs from what was opened or saved, or from its defaults if it never was."""
        return self.is_dirty(self._study_class)

    def is_dirty(self, study_class: type[Study]) -> bool:
        explicit, saved = self.state_of(study_class).explicit, self._saved.get(study_class, State()).explicit
        return explicit != saved and self.study_of(study_class) != study_class(**saved)

    def state_of(self, study_class: type[Study]) -> State:
        return self._states.get(study_class, State())

    def study_of(self, study_class: type[Study]) -> Study:
        """Any study as it is set, the present one or another."""
        if study_class is self._study_class:
            return self._resolved
        return study_class(**self.state_of(study_class).explicit)

    def discard(self, study_class: type[Study]) -> None:
        """Let a study be again as it was opened or saved, and tell nobody: the window is being closed."""
        self._states[study_class] = state = self._saved.get(study_class, State())
        if study_class is self._study_class:
            self._resolved = study_class(**state.explicit)

    @property
    def visited(self) -> tuple[type[Study], ...]:
        """The studies that were looked at or have values, the present one first."""
        return (self._study_class, *(each for each in self._states if each is not self._study_class))

    def set_clean(self) -> None:
        """The present study is in a file as it stands."""
        self._end_gesture()
        self._saved[self._study_class] = self.state
        self.changed.emit()

    # Changes

    def set(self, name: str, value: object, *, merge: bool = False) -> None:
        """Set one parameter; raises InvalidParameter, changing nothing, where the study refuses it.

        A gesture is any number of moves with `merge`, ended by a call without it, and is undone in one step.
        """
        if self._gesture is not None and self._gesture.name != name:
            self._end_gesture()
        try:
            self._change(f"Change {self._symbol(name)}", {**self.explicit, name: value}, self.counted, name)
        finally:
            if not merge:
                self._end_gesture()

    def reset(self, name: str) -> None:
        """Let one parameter follow its default again."""
        self._end_gesture()
        self._change(f"Reset {self._symbol(name)}", without(self.explicit, (name,)), without(self.counted, (name,)))

    def reset_all(self) -> None:
        self.apply({}, "Reset all")

    def apply(self, values: Values, label: str) -> None:
        """Replace all values at once, as a preset does; raises InvalidParameter, changing nothing, for a bad one."""
        self._end_gesture()
        self._change(label, values, {})

    def take(self, values: Values, origin: Origin) -> None:
        """Set values that were counted in data, in the place of those that were before.

        Raises InvalidParameter, changing nothing, for a bad one.
        """
        self._end_gesture()
        kept = without(self.explicit, self.counted)
        accepted = {name: _declared(self._study_class, name, value).accept(value) for name, value in values.items()}
        counted = {name: value for name, value in accepted.items() if value is not None and name in origin.counts}
        self._change(f"Count in {origin.file}", {**kept, **values}, dict.fromkeys(counted, origin))
        self._exact |= {(self._study_class, name, value): origin for name, value in counted.items()}
        self.changed.emit()

    def recall(self, origin: Origin, study_class: type[Study] | None = None) -> None:
        """Say where values of a session, just opened, were counted; they are among them if the origin says so."""
        study_class = study_class or self._study_class
        if origin.exact:
            values = self.study_of(study_class).values()
            self._exact |= {(study_class, name, values[name]): origin for name in origin.counts
                            if name not in origin.moved}
            counted = dict.fromkeys(origin.counts, origin)
            self._states[study_class] = replace(self.state_of(study_class), counted=counted)
        else:
            self._awaited[study_class] = origin
        self.changed.emit()

    def open_study(self, study_class: type[Study], explicit: Values | None = None) -> None:
        """Turn to a study: with the values given, as a session does, or else with those it had when last left."""
        self._end_gesture()
        if explicit is None:
            self._restore(study_class, self.state_of(study_class))
            return
        values, _ = _resolve(study_class, explicit)
        self._saved[study_class] = State(values)
        self._awaited.pop(study_class, None)
        self._push(f"Open {study_class.title}", study_class, State(values))

    def restore(self, study_class: type[Study], explicit: Values, *, changed: bool) -> None:
        """Give a study the values it had when the window was last closed; raises InvalidParameter for a bad one.

        `changed` says that they are not what is in its file.
        """
        values, study = _resolve(study_class, explicit)
        self._states[study_class] = State(values)
        if study_class is self._study_class:
            self._resolved = study
        if not changed:
            self._saved[study_class] = State(values)

    def _symbol(self, name: str) -> str:
        return _declared(self._study_class, name, None).quantity.symbol

    def _change(self, label: str, explicit: Mapping[str, object], counted: Mapping[str, Origin],
                name: str = "") -> None:
        values, _ = _resolve(self._study_class, explicit)
        if values == self.explicit and (name or counted == self.counted):
            return
        if name in counted:
            self._note_move(name, values.get(name), counted[name])
        if self._gesture is not None:
            self._gesture.extend(values)
            return
        own = self.state.own - counted.keys()
        self._gesture = self._push(label, self._study_class, State(values, counted, own), name)

    def _push(self, label: str, study_class: type[Study], after: State, name: str = "") -> _Change:
        change = _Change(self, label, study_class, self.state_of(study_class), after, name)
        self.undo_stack.push(change)
        return change

    def _note_move(self, name: str, value: Value | None, origin: Origin) -> None:
        """An answer that is still under way may hold this value when the document has left it."""
        if value is not None:
            self._moved[self._study_class, name, value] = origin
        if len(self._moved) > MOVED:
            del self._moved[next(iter(self._moved))]

    def _end_gesture(self) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None and gesture.isObsolete():
            self.undo_stack.undo()  # it is only removed: it changed nothing

    def _forget_gesture(self) -> None:
        """A step that was undone, or is not the last one any more, is added to no longer."""
        self._gesture = None

    def _restore(self, study_class: type[Study], state: State) -> None:
        """Make this the state of that study, and turn to it."""
        turned = study_class is not self._study_class
        self._remember(study_class, state, _resolve(study_class, state.explicit)[1])
        if turned:
            self.study_changed.emit()
        self.changed.emit()

    def _remember(self, study_class: type[Study], state: State, study: Study) -> None:
        self._study_class, self._resolved = study_class, study
        self._states[study_class] = replace(state, explicit=MappingProxyType(dict(state.explicit)))


class _Change(QUndoCommand):
    """The state of a study before and after: small enough to keep whole, so nothing has to be inverted."""

    def __init__(self, document: Document, label: str, study_class: type[Study], before: State, after: State,
                 name: str = "") -> None:
        super().__init__(label)
        self.name = name
        # Not held: a document and its steps, let go of as a ring, would be taken apart twice, by Qt and by Python.
        self._of, self._study_class = ref(document), study_class
        self._before, self._after = before, after

    @property
    def _document(self) -> Document:
        document = self._of()
        assert document is not None, "a step lives in the document's own stack"
        return document

    def extend(self, explicit: Values) -> None:
        """Lead further, to other values.

        Pushing a step for each move and merging it would leave its Python half behind, a kilobyte a move.
        """
        self._after = replace(self._after, explicit=explicit)
        self.setObsolete(self._before.explicit == explicit)  # moved back to where it began
        self._document._restore(self._study_class, self._after)

    def redo(self) -> None:
        self._document._restore(self._study_class, self._after)

    def undo(self) -> None:
        self._document._restore(self._study_class, self._before)


def _resolve(study_class: type[Study], explicit: Mapping[str, object]) -> tuple[Values, Study]:
    """The values as the declarations accept them, and the study that follows from them."""
    values = {name: _declared(study_class, name, value).accept(value) for name, value in explicit.items()}
    return {name: value for name, value in values.items() if value is not None}, study_class(**values)


def _declared(study_class: type[Study], name: str, value: object) -> Parameter:
    try:
        return study_class.parameter(name)
    except KeyError:
        known = ", ".join(parameter.name for parameter in study_class.parameters())
        raise InvalidParameter(name, f"one of the parameters {known}", value) from None
