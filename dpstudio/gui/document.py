"""The state of the window: one study, the values that were set, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
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
        self._gesture: _Gesture | None = None
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
    def dirty(self) -> bool:
        """Whether anything changed since the undo stack was last declared clean: opened, or saved."""
        return not self.undo_stack.isClean()

    def set(self, name: str, value: object, *, merge: bool = False) -> None:
        """Set one parameter; raises InvalidParameter, changing nothing, where the study refuses it.

        A gesture is any number of moves with `merge`, ended by a call without it, and is undone in one step.
        """
        if self._gesture is None or self._gesture.name != name:
            self._gesture = _Gesture(name)
        try:
            self._change(f"Change {self._symbol(name)}", {**self.explicit, name: value}, self._gesture)
        finally:
            if not merge:
                self._gesture = None

    def reset(self, name: str) -> None:
        """Let one parameter follow its default again."""
        self._gesture = None
        self._change(f"Reset {self._symbol(name)}", {key: kept for key, kept in self.explicit.items() if key != name})

    def reset_all(self) -> None:
        self.apply({}, "Reset all")

    def apply(self, values: Values, label: str) -> None:
        """Replace all values at once, as a preset does; raises InvalidParameter, changing nothing, for a bad one."""
        self._gesture = None
        self._change(label, values)

    def open_study(self, study_class: type[Study], explicit: Values | None = None) -> None:
        """Turn to a study: with the values given, as a session does, or else with those it had when last left."""
        self._gesture = None
        if explicit is None:
            self._restore(study_class, self._explicit.get(study_class, {}))
            return
        values, _ = _resolve(study_class, explicit)
        before = self._explicit.get(study_class, {})
        self.undo_stack.push(_Change(self, f"Open {study_class.title}", study_class, before, values))
        self.undo_stack.setClean()

    def _symbol(self, name: str) -> str:
        return _declared(self._study_class, name, None).quantity.symbol

    def _change(self, label: str, explicit: Mapping[str, object], gesture: _Gesture | None = None) -> None:
        values, _ = _resolve(self._study_class, explicit)
        if values != self.explicit:
            self.undo_stack.push(_Change(self, label, self._study_class, self.explicit, values, gesture))

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


class _Gesture:
    """Moves of one parameter that are undone together; told apart by identity."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Change(QUndoCommand):
    """All values of a study before and after: small enough to keep whole, so nothing has to be inverted."""

    def __init__(self, document: Document, label: str, study_class: type[Study], before: Values, after: Values,
                 gesture: _Gesture | None = None) -> None:
        super().__init__(label)
        self._document, self._study_class = document, study_class
        self._before, self._after, self._gesture = before, after, gesture

    def redo(self) -> None:
        self._document._restore(self._study_class, self._after)

    def undo(self) -> None:
        # A gesture that was undone is over: the next move is a step of its own.
        self._document._gesture = None
        self._document._restore(self._study_class, self._before)

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other._gesture is None or other._gesture is not self._gesture:
            return False
        self._after = other._after
        self.setObsolete(self._before == self._after)  # moved back to where it began
        return True


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
