"""The state of the window: one study, the values that were set, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from weakref import ref

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.vocabulary import Value

Values = Mapping[str, Value]


class Document(QObject):
    """What is being looked at: a study and the values that were set; all others follow their defaults.

    Every change goes through the undo stack, and a refused one changes nothing.
    """

    changed = Signal()
    study_changed = Signal()

    def __init__(self, study_class: type[Study], explicit: Values | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._study_class = study_class
        self._explicit: dict[type[Study], Values] = {}
        self._resolved: Study
        self._counted: dict[tuple[type[Study], str, Value], Origin] = {}
        """Exact counts that were taken from data: however the document comes back to one, it is one."""
        self._awaited: dict[type[Study], Origin] = {}
        """Of a session that left its counts out: how to count again."""
        self._gesture: _Change | None = None
        """The step that the present gesture adds to."""
        self.undo_stack.indexChanged.connect(self._forget_gesture)
        self._remember(study_class, *_resolve(study_class, explicit or {}))

    @property
    def study_class(self) -> type[Study]:
        return self._study_class

    @property
    def study(self) -> Study:
        """The study with every parameter resolved."""
        return self._resolved

    @property
    def explicit(self) -> Values:
        """The values that were set, by name."""
        return self._explicit[self._study_class]

    @property
    def origin(self) -> Origin | None:
        """Where present values were counted or, where a session left them out, are to be counted again."""
        awaited = self._awaited.get(self._study_class)
        if awaited is not None and self.explicit.keys() & set(awaited.counts):
            awaited = None  # another number has taken their place
        return self.counted_in(self._resolved) or awaited

    def counted_in(self, study: Study) -> Origin | None:
        """Where values of this study were counted, if it holds an exact count of data."""
        counted = (self._counted.get((type(study), name, value)) for name, value in study.values().items())
        return next(filter(None, counted), None)

    @property
    def holds_counts(self) -> bool:
        """Whether a present value is an exact count of data."""
        return self.counted_in(self._resolved) is not None

    def without_counts(self) -> tuple[Study, Values]:
        """The study, and the values set, with the default in the place of every exact count of data."""
        counts = self.origin.counts if self.origin else ()
        kept = {name: value for name, value in self.explicit.items() if name not in counts}
        return self._study_class(**kept), kept

    @property
    def dirty(self) -> bool:
        """Whether anything changed since the undo stack was last declared clean: opened, or saved."""
        return not self.undo_stack.isClean()

    def set(self, name: str, value: object, *, merge: bool = False) -> None:
        """Set one parameter; raises InvalidParameter, changing nothing, where the study refuses it.

        A gesture is any number of moves with `merge`, ended by a call without it, and is undone in one step.
        """
        if self._gesture is not None and self._gesture.name != name:
            self._end_gesture()
        try:
            self._change(f"Change {self._symbol(name)}", {**self.explicit, name: value}, name)
        finally:
            if not merge:
                self._end_gesture()

    def reset(self, name: str) -> None:
        """Let one parameter follow its default again."""
        self._end_gesture()
        self._change(f"Reset {self._symbol(name)}", {key: kept for key, kept in self.explicit.items() if key != name})

    def reset_all(self) -> None:
        self.apply({}, "Reset all")

    def apply(self, values: Values, label: str) -> None:
        """Replace all values at once, as a preset does; raises InvalidParameter, changing nothing, for a bad one."""
        self._end_gesture()
        self._change(label, values)

    def take(self, values: Values, origin: Origin) -> None:
        """Set values that were counted in data, in the place of those that were before.

        Raises InvalidParameter, changing nothing, for a bad one.
        """
        self._end_gesture()
        kept = {name: value for name, value in self.explicit.items()
                if (self._study_class, name, value) not in self._counted}
        accepted = {name: _declared(self._study_class, name, value).accept(value) for name, value in values.items()}
        self._counted |= {(self._study_class, name, value): origin for name, value in accepted.items()
                          if value is not None and name in origin.counts}
        self._change(f"Count in {origin.file}", {**kept, **values})
        self.changed.emit()

    def recall(self, origin: Origin) -> None:
        """Say where values of a session, just opened, were counted; they are among them if the origin says so."""
        if origin.exact:
            values = self._resolved.values()
            self._counted |= {(self._study_class, name, values[name]): origin for name in origin.counts}
        else:
            self._awaited[self._study_class] = origin
        self.changed.emit()

    def open_study(self, study_class: type[Study], explicit: Values | None = None) -> None:
        """Turn to a study: with the values given, as a session does, or else with those it had when last left."""
        self._end_gesture()
        if explicit is None:
            self._restore(study_class, self._explicit.get(study_class, {}))
            return
        values, _ = _resolve(study_class, explicit)
        before = self._explicit.get(study_class, {})
        self.undo_stack.push(_Change(self, f"Open {study_class.title}", study_class, before, values))
        self.undo_stack.setClean()

    def _symbol(self, name: str) -> str:
        return _declared(self._study_class, name, None).quantity.symbol

    def _change(self, label: str, explicit: Mapping[str, object], name: str = "") -> None:
        values, _ = _resolve(self._study_class, explicit)
        if values == self.explicit:
            return
        if self._gesture is not None and not self.undo_stack.isClean():
            self._gesture.extend(values)
            return
        change = _Change(self, label, self._study_class, self.explicit, values, name)
        self.undo_stack.push(change)
        self._gesture = change

    def _end_gesture(self) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None and gesture.isObsolete():
            self.undo_stack.undo()  # it is only removed: it changed nothing

    def _forget_gesture(self) -> None:
        """A step that was undone, or is not the last one any more, is added to no longer."""
        self._gesture = None

    def _restore(self, study_class: type[Study], explicit: Values) -> None:
        """Make these the values of that study, and turn to it."""
        turned = study_class is not self._study_class
        self._remember(study_class, *_resolve(study_class, explicit))
        if turned:
            self.study_changed.emit()
        self.changed.emit()

    def _remember(self, study_class: type[Study], explicit: Values, study: Study) -> None:
        self._study_class, self._resolved = study_class, study
        self._explicit[study_class] = MappingProxyType(dict(explicit))


class _Change(QUndoCommand):
    """All values of a study before and after: small enough to keep whole, so nothing has to be inverted."""

    def __init__(self, document: Document, label: str, study_class: type[Study], before: Values, after: Values,
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

    def extend(self, after: Values) -> None:
        """Lead further, to other values.

        Pushing a step for each move and merging it would leave its Python half behind, a kilobyte a move.
        """
        self._after = after
        self.setObsolete(self._before == after)  # moved back to where it began
        self._document._restore(self._study_class, after)

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
