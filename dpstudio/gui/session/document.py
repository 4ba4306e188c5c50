"""The one owner of the window's session: edits come in, the history leads back, and every change is told once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.session import Session, Words
from dpstudio.documents.setting import Values
from dpstudio.documents.state import StudyState
from dpstudio.documents.words import symbols
from dpstudio.gui.session.counts import KnownCounts
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.vocabulary import Interval, Value

STEPS = 2000
"""Steps that can be undone: a long day's; without a bound they would be all that still grows."""


@dataclass(frozen=True, slots=True)
class UndoStep:
    """What can be undone: the session before and after."""

    label: str
    before: Session
    after: Session


class Document(QObject):
    """Holds the session, what of it is in a file, and the steps that led to it.

    A refused edit changes nothing. Values, pins, texts on pictures, snapshots and what is opened are steps; turning to
    a study, hidden curves, views, chosen figures and the note on a study are not: an undone step gives back what it
    changed itself, and leaves how things are looked at. An exact count of data stays one while it is moved or typed
    over, because its neighbourhood tells as much: until it is reset, replaced as a whole by a preset or a session, or
    said not to be from data. So does what was found where one took part.
    """

    changed = Signal()
    """The session is another."""
    study_changed = Signal()
    """Another study is in view."""
    refused = Signal(str, object)
    """The name of a parameter and why its value was refused: an InvalidParameter."""
    moving = Signal(bool)
    """A hand has begun to move something, or has let go."""

    def __init__(self, session: Session, saved: Session | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.saved = saved or Session(session.study_class, attacker=session.attacker)
        """What is in a file, or can be had again from one; all else is in none."""
        self._past: deque[UndoStep] = deque(maxlen=STEPS)
        self._future: list[UndoStep] = []
        self._gesture = ""
        """The parameter whose moves add to the last step."""
        self._held = False
        """Whether a hand holds something."""
        self._known = KnownCounts()
        self._known.learn(session.states.values())
        self.session = self._known.marked(session)

    # What there is of the study in view

    @property
    def study_class(self) -> type[Study]:
        return self.session.study_class

    @property
    def study(self) -> Study:
        """The study with every parameter resolved."""
        return self.session.study

    @property
    def state(self) -> StudyState:
        return self.session.state()

    @property
    def explicit(self) -> Values:
        """The values that were set, by name, and those of whom one fears."""
        return self.session.explicit

    @property
    def set_here(self) -> Values:
        """The values that were set of the study in view, by name."""
        return self.state.setting.set_here

    @property
    def origin(self) -> Origin | None:
        """Where present values were counted or, where a session left them out, are to be counted again."""
        return self.state.origin

    @property
    def holds_counts(self) -> bool:
        """Whether a present value, or a pinned one, is an exact count of data or follows from one."""
        return self.state.holds_counts

    @property
    def tells(self) -> bool:
        """Whether anything in the session may tell of a count."""
        return self._known.exact or self.session.tells

    def counted_in(self, study: Study) -> Origin | None:
        """Where values of this study were counted, if it holds an exact count of data or one that was moved."""
        return self.state.setting.origin if study == self.study else self._known.origin_in(study)

    @property
    def counts(self) -> frozenset[Value]:
        """Every value that is known to be a count of data, or to follow from one."""
        return self.session.counts(self._known.values)

    def leaving(self, exact: bool, words: Words = "blanked", of: Session | None = None) -> Session:
        """The session, or what is in its file, as it may leave the window, with `words` for what a person wrote."""
        return (of or self.session).leaving(exact, self._known.values, words)

    # What is kept in files

    @property
    def unsaved(self) -> tuple[type[Study], ...]:
        """The studies that differ from what was opened or saved, or from their defaults if they never were."""
        return self.session.differing(self.saved)

    def set_clean(self) -> None:
        """All studies are in a file as they stand."""
        self._end_gesture()
        self.saved = self.session
        self.changed.emit()

    def discard(self, *studies: type[Study]) -> None:
        """Let studies, and whom one fears, be again as they were opened or saved, and tell nobody: the window is being
        closed."""
        states = {each: self.saved.state(each) for each in studies}
        feared = self.saved.attacker if studies else self.session.attacker
        self.session = Session(self.study_class, {**self.session.states, **states}, feared)

    # Edits: each is a step, merged with those of the same gesture

    def do(self, label: str, edit: Callable[..., Session], *given: Any, **named: Any) -> None:
        """Make a step of an edit: of what it makes of the session and of what is given.

        Raises InvalidParameter, changing nothing, where it is refused.
        """
        self._step(label, edit(self.session, *given, **named))

    def show(self, edit: Callable[..., Session], *given: Any, **named: Any) -> None:
        """The same for what is no step: how things are looked at, and the note on a study."""
        self._show(edit(self.session, *given, **named))

    def edit(self, name: str, value: object, final: bool = True, *, on_picture: bool = False) -> None:
        """Set a parameter, as a hand does: `final` ends its gesture; a refused value is told, and nothing changes.

        `on_picture` says that the value is a place of a picture, whose axes follow what they show. Where something else
        was in force in the place of a parameter, the choice that lets it matter is made with it.
        """
        if not final and not self._held:
            self._hold(True)
        try:
            self.set(name, value, merge=not final, found=on_picture)
        except InvalidParameter as refusal:
            self.refused.emit(name, refusal)
        if final:
            self._hold(False)

    def step_on(self, name: str, final: bool = True) -> None:
        """Set a whole parameter to its next value, and after the last to the first."""
        domain = self.study_class.parameter(name).domain
        assert isinstance(domain, Interval)
        present = int(getattr(self.study, name))
        self.edit(name, present + 1 if present < domain.high else domain.nearest(domain.low), final)

    def set(self, name: str, value: object, *, merge: bool = False, found: bool = False) -> None:
        """Set one parameter; raises InvalidParameter, changing nothing, where the study refuses it.

        A gesture is any number of moves with `merge`, ended by a call without it, and is undone in one step. What was
        `found` follows from a count that stands there.
        """
        if self._gesture != name:
            self._end_gesture()
        try:
            declared = self.study_class.by_name().get(name)
            values = {name: value, **(declared.brings(self.study.values()) if declared else {})}
            of_count = found and name not in Attacker.by_name()  # pictures of risk have axes of their own
            after = self.session.find(values) if of_count else self.session.put(values)
            if after.explicit != self.explicit:
                self._step(tr("Change {symbol}", symbol=self.symbol(name)), after, name)
        finally:
            if not merge:
                self._end_gesture()

    def solve(self, values: Values, *, wants: Collection[str] = (), chosen: str | None = None, final: bool = True
              ) -> None:
        """Set what was solved for, in one step; with `final` a gesture ends, whose moves came before.

        With `wants` the question is kept in that step, and who was `chosen` is decided for. Raises InvalidParameter,
        changing nothing, where the study refuses it.
        """
        if not final and not self._held:
            self._hold(True)
        try:
            after = self.session.solve(values, wants)
            after = after.decide(chosen) if chosen else after
            names = self.study_class.numbers(values)
            self._step(tr("Solve for {symbols}", symbols=symbols(self.study_class, names)), after,
                       f"solve {' '.join(names)}")
        finally:
            if final:
                self._end_gesture()
                self._hold(False)

    def reset(self, name: str) -> None:
        """Let one parameter follow its default again; a refusal is told, and nothing changes."""
        try:
            self.do(tr("Reset {symbol}", symbol=self.symbol(name)), Session.reset, name)
        except InvalidParameter as refusal:
            self.refused.emit(name, refusal)

    def open(self, opened: Session, *, whole: bool = True, in_file: bool = True, label: str = "") -> None:
        """Open another session, as `Session.open` does; `in_file` says that what it brings can be had again."""
        if in_file:
            self.saved = self.saved.open(opened, whole=whole)
        self.do(label or tr("Open {study}", study=tr(opened.study_class.title)), Session.open, opened, whole=whole)

    def turn(self, study_class: type[Study]) -> None:
        """Turn to a study, as it was when last left: no step."""
        self._end_gesture()
        self.show(Session.turn, study_class)

    def symbol(self, name: str) -> str:
        """The sign of a parameter of the study in view."""
        return self.study_class.parameter(name).quantity.symbol

    # The way back

    @property
    def undo_text(self) -> str:
        """What would be undone, empty where there is nothing."""
        return self._past[-1].label if self._past else ""

    @property
    def redo_text(self) -> str:
        return self._future[-1].label if self._future else ""

    @property
    def steps(self) -> int:
        """How many steps can be undone."""
        return len(self._past)

    def undo(self) -> None:
        self._end_gesture()
        if self._past:
            step = self._past.pop()
            self._future.append(step)
            self._show(self.session.back(step.before, step.after))

    def redo(self) -> None:
        self._end_gesture()
        if self._future:
            step = self._future.pop()
            self._past.append(step)
            self._show(self.session.back(step.after, step.before))

    def _step(self, label: str, after: Session, name: str = "") -> None:
        """Make a step, or lead the last one further where it is of the same gesture."""
        if not name or self._gesture != name:
            self._end_gesture()
        self._known.learn(state for each, state in after.states.items() if state is not self.session.states.get(each))
        after = self._known.marked(after, self.session)
        if after == self.session:
            return
        if name and self._gesture == name:
            self._past[-1] = replace(self._past[-1], after=after)
        else:
            self._past.append(UndoStep(label, self.session, after))
            self._gesture = name
        self._future = []
        self._show(after)

    def _end_gesture(self) -> None:
        """A gesture that led back to where it began was none."""
        if self._gesture and self._past[-1].before == self._past[-1].after:
            self._past.pop()
        self._gesture = ""

    def _hold(self, held: bool) -> None:
        self._held = held
        self.moving.emit(held)

    def _show(self, session: Session) -> None:
        """Make this the session, and tell it where it is another."""
        session = self._known.marked(session, self.session)
        before, self.session = self.session, session
        if session.study_class is not before.study_class:
            self._held = False  # what a hand may still hold is gone
            self.study_changed.emit()
        if session != before or session.state().opened != before.state().opened:
            self.changed.emit()
